"""pencilbox new-sheet"""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ..errors import fault
from ..files import save
from ..judging.blank_sheets import blank, file_per_player, is_for_one_player
from ..judging.filler import names_its_game, sheet_filler
from ..reading.load import load
from . import completions
from .console import echo, may_write
from .options import Command


@click.command(cls=Command)
@click.argument("game", shell_complete=completions.games)
@click.option(
    "--sheet",
    metavar="NAME",
    shell_complete=completions.sheets,
    help="The score sheet to write, if the game has several: a name from `pencilbox games`.",
)
@click.option("--players", metavar="NAMES", default="", help="The players’ names, separated by commas.")
@click.option(
    "--output",
    "-o",
    metavar="FILE",
    default="-",
    shell_complete=completions.files,
    help="The file to write.  [default: -, standard output]",
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
def command(game: str, sheet: str | None, players: str, output: str, force: bool) -> None:
    """Write a blank score sheet of GAME as a file to type into.

    Comments in the file explain every part. If each player has their own sheet, as in Upwards!, several names
    write one file per player beside FILE: upwards-ann.yaml, upwards-ben.yaml.
    """
    form = sheet_filler(load(game), sheet, output).form
    names = [name.strip() for name in players.split(",")] if players.strip() else []
    options = "" if names_its_game(form) else f" --game {shlex.quote(game)}"
    files: tuple[Path, ...] = (Path(output),)
    groups = [names]
    if len(names) > 1 and is_for_one_player(form):
        files, groups = _one_file_each(f"{form.game.key}.yaml", output, names), [[name] for name in names]
    texts = [blank(form, group, options) for group in groups]
    if output == "-":
        echo(texts[0], nl=False)
        return
    for file in files:
        may_write([file], force)
    for file, text in zip(files, texts, strict=True):
        save(text.encode(), file)
        echo(str(file))


def _one_file_each(example: str, output: str, names: list[str]) -> tuple[Path, ...]:
    files = file_per_player(Path(example if output == "-" else output), names)
    if output == "-":
        raise fault(
            f"each player has their own sheet, so {len(names)} names need {len(names)} files, not standard output",
            hint=f"add -o {example} to write {' and '.join(map(str, files))}",
        )
    return files
