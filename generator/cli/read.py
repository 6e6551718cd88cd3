"""pencilbox read"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..errors import InputError
from ..files import save
from ..judging.writing import sheet_text
from . import completions
from .console import echo, echo_json, json_text, may_write, show_errors
from .options import Command, Count
from .photos import PhotoOptions, photo_options, read_sheets

if TYPE_CHECKING:
    from ..photo.photo_sheet import PhotoSheet


@click.command(cls=Command)
@click.argument("photo", nargs=-1, required=True, shell_complete=completions.files)
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the sheets to FILE as YAML, or with a name in .jsonl as a line of JSON for each.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--game", metavar="GAME", shell_complete=completions.games, help="The game: needed for your own games.")
@photo_options
@click.option(
    "--workers",
    type=Count(1, 1024),
    metavar="N",
    default=1,
    show_default=True,
    help="The number of processes, for many photos.",
)
@click.option("--force", is_flag=True, help="Replace FILE if it exists.")
@click.pass_context
def command(
    ctx: click.Context,
    photo: tuple[str, ...],
    output: Path | None,
    form: str,
    game: str | None,
    photos: PhotoOptions,
    workers: int,
    force: bool,
) -> None:
    """Read filled-in score sheets from PHOTOs: JPEG, PNG, WebP or HEIC.

    What is doubtful is asked about at a terminal, with a picture of it; elsewhere, the answers say what is doubtful.
    Exit codes: 0 if every field is read or confirmed, 1 if some are doubtful, 2 if a photo cannot be read.
    """
    may_write([output] if output else [], force)
    found = read_sheets(photo, photos, game=game, workers=workers)
    problems = [problem for each in found if isinstance(each, InputError) for problem in each.problems]
    sheets = [each for each in found if not isinstance(each, InputError)]
    if form == "json":
        listed = [sheet.plain() for sheet in sheets]
        echo_json(listed[0] if len(found) == len(listed) == 1 else listed)
    else:
        for sheet in sheets:
            echo("\n".join(sheet.described()))
    if output and sheets:
        save(_written(sheets, as_lines=output.suffix in (".jsonl", ".ndjson")).encode(), output)
        echo(f"Wrote {output}.", err=True)
    show_errors(problems)
    ctx.exit(2 if problems else int(any(sheet.reading.doubtful for sheet in sheets)))


def _written(sheets: Sequence[PhotoSheet], *, as_lines: bool) -> str:
    if as_lines:
        return "".join(f"{json_text(sheet.typed, None)}\n" for sheet in sheets)
    return "---\n".join(sheet_text(sheet.typed) for sheet in sheets)
