"""pencilbox new-sheet"""

from __future__ import annotations

import shlex
from pathlib import Path

import click

from ..definitions.load import load
from ..files import save
from ..judging.blank_sheets import blank
from ..judging.filler import filler, leads
from .common import refuse_overwriting


@click.command()
@click.argument("game")
@click.option("--sheet", metavar="NAME", help="Which score sheet, where the game has several.")
@click.option("--players", metavar="NAMES", default="", help="The players' names, with commas between them.")
@click.option("--output", "-o", metavar="FILE", default="-", help="The file to write.  [default: -, standard output]")
@click.option("--force", is_flag=True, help="Write over a file that is there already.")
def command(game: str, sheet: str | None, players: str, output: str, force: bool) -> None:
    """Write an empty score sheet of GAME as a file to type into, with what each part of it means."""
    form = filler(load(game), sheet, output).form
    names = [name.strip() for name in players.split(",")] if players.strip() else []
    text = blank(form, names, "" if leads(form) else f" --game {shlex.quote(game)}")
    if output == "-":
        click.echo(text, nl=False)
        return
    refuse_overwriting(Path(output), force)
    save(text.encode(), Path(output))
    click.echo(output)
