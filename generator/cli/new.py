"""pencilbox new"""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import click

from .. import paths
from ..errors import Problem, fault
from ..reading.load import load
from ..reading.table_game import TEMPLATES
from ..scaffold import new_game
from .console import echo, show_notes, show_steps, style
from .failures import WrongUsageError
from .options import (
    Command,
    all_rows_option,
    columns_option,
    complete,
    encoding_option,
    font_option,
    headings_option,
    is_typed,
    sheet_option,
    table_look,
)


@click.command(cls=Command)
@click.argument("folder", required=False, type=click.Path(path_type=Path))
@click.option(
    "--from",
    "table",
    metavar="TABLE",
    shell_complete=complete("files"),
    help="Start from your own cards: a .csv, .tsv, .txt, .md, .xlsx, .ods, .html, .json or .yaml file.",
)
@click.option(
    "--with",
    "parts",
    multiple=True,
    type=click.Choice(new_game.PARTS),
    metavar="PART",
    help=f"Add a part: {', '.join(new_game.PARTS)}; may be repeated.",
)
@sheet_option("For TABLE")
@columns_option
@headings_option
@all_rows_option
@encoding_option
@click.option("--size", metavar="SIZE", help="Card size: poker, tarot, ... or 63x88.  [default: poker]")
@click.option(
    "--template",
    type=click.Choice(TEMPLATES),
    metavar="NAME",
    help=f"Built-in face to start from: {', '.join(TEMPLATES)}.  "
    "[default: editorial; for playing cards, number_and_suit]",
)
@font_option
@click.option(
    "--example",
    metavar="NAME",
    shell_complete=complete("examples"),
    help="Copy an example instead.  [default FOLDER: NAME]",
)
@click.option("--examples", "list_examples", is_flag=True, help="List the examples.")
@click.pass_context
def command(
    ctx: click.Context,
    /,
    folder: Path | None,
    table: str | None,
    parts: tuple[str, ...],
    example: str | None,
    list_examples: bool,
    **look: Any,
) -> None:
    """Start your own game: write a FOLDER that is ready to print.

    Every file in it has comments that say what you can change. Without --from and --with you get a small game with
    cards and a score sheet.

    \b
    pencilbox new my_game
    pencilbox new my_game --from cards.csv --with score-sheet --with box
    """
    if list_examples:
        examples = paths.examples()
        width = max(map(len, examples))
        for name in examples:
            game = load(paths.EXAMPLES / name)
            echo(f"{name:<{width}}  {game.definition.tagline or game.title}")
        echo("\n" + style("Copy one of them:", "bold") + f"\n  pencilbox new --example {examples[0]}", err=True)
        return
    if example:
        others = [param for param in ctx.command.params if param.name not in ("folder", "example", "list_examples")]
        problems = [
            Problem(f"{param.opts[0]} cannot be used with --example", hint="an example is copied as it is")
            for param in others
            if param.name and is_typed(ctx, param.name)
        ]
        if problems:
            raise WrongUsageError(problems)
        target = folder or Path(example)
        names: Iterable[str] = new_game.copy_example(example, target)
    elif folder is None:
        raise fault("FOLDER is missing", hint="name the folder for your new game, for example: pencilbox new my_game")
    else:
        target = folder
        new_game.check_name(target)
        start = new_game.source(table, table_look(look))
        parts = parts if parts or table else ("score-sheet",)
        if "box" in parts and (problem := new_game.box_problem(start)):
            show_notes([f"left out the box: {problem}"])
            parts = tuple(part for part in parts if part != "box")
        names = content = new_game.files(target, start, parts)
        new_game.write(target, content)
    _report(target, list(names))


def _report(folder: Path, names: list[str]) -> None:
    """Names the new files, and says what to do next."""
    listed_names = [name for name in names if name in new_game.MEANINGS or "/" not in name]
    width = max(len(str(folder / name)) for name in listed_names)
    for name in listed_names:
        meaning = new_game.MEANINGS.get(name, "your cards")
        echo(f"{folder / name!s:<{width}}  {meaning}".rstrip())
    if more := len(names) - len(listed_names):
        echo(f"and {more:,} other file{'s' * (more != 1)}")
    game = shlex.quote(str(folder))
    steps = {f"make {game}": "print it"}
    if "filled.yaml" in names:
        steps[f"score {shlex.quote(str(folder / 'filled.yaml'))}"] = "score the filled-in sheet"
    show_steps("Next:", steps)
    echo("Then open the files in an editor, change a line, and print again.", err=True)
