"""pencilbox read"""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

import click

from .. import nodes, paths
from ..errors import InputError, Place, fault
from ..files import save
from ..judging.writing import sheet_text
from ..sheets.reader import PHOTO
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
    help="Write the sheets to FILE: YAML, or a line each if it ends in .jsonl; photos that are in it are skipped.",
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
@click.option("--force", is_flag=True, help="Replace FILE if it exists, and read every photo again.")
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
    lines = output is not None and output.suffix in (".jsonl", ".ndjson")
    before = nodes.read_text(output) if output and lines and not force and paths.is_file(output) else ""
    may_write([output] if output and not before else [], force)
    done = _photos_in(before, output)
    unread = [file for file in photo if file not in done]
    if len(unread) < len(photo):
        echo(f"Already in {output}: {len(photo) - len(unread)} of {len(photo)} photos.", err=True)
    found = read_sheets(unread, photos, game=game, workers=workers)
    problems = [problem for each in found if isinstance(each, InputError) for problem in each.problems]
    sheets = [each for each in found if not isinstance(each, InputError)]
    if form == "json":
        listed = [sheet.plain() for sheet in sheets]
        echo_json(listed[0] if len(found) == len(listed) == 1 else listed)
    else:
        for sheet in sheets:
            echo("\n".join(sheet.described()))
    if output and sheets:
        written = "".join(f"{json_text(sheet.typed, None)}\n" for sheet in sheets) if lines else _as_yaml(sheets)
        save((before + written).encode(), output)
        echo(f"Wrote {output}.", err=True)
        if lines:
            _save_crops(sheets, output.with_name(f"{output.stem}-doubtful"))
    show_errors(problems)
    ctx.exit(2 if problems else int(any(sheet.reading.doubtful for sheet in sheets)))


def _photos_in(lines: str, output: Path | None) -> set[str]:
    """The photos that the sheets of an earlier run were read from."""
    try:
        sheets = [json.loads(line) for line in lines.splitlines()]
        return {photo for sheet in sheets for photo in sheet[PHOTO].split(", ")}
    except (ValueError, TypeError, KeyError, AttributeError):
        hint = "name another file, or add --force to replace it"
        raise fault("has other lines than “pencilbox read” writes", Place(str(output)), hint) from None


def _as_yaml(sheets: Sequence[PhotoSheet]) -> str:
    return "---\n".join(sheet_text(sheet.typed) for sheet in sheets)


def _save_crops(sheets: Sequence[PhotoSheet], folder: Path) -> None:
    """Saves a picture of each doubtful field, named after its photo and the field."""
    for sheet in sheets:
        for each in sheet.reading.doubtful:
            picture = BytesIO()
            sheet.crop(each.field.id).save(picture, "PNG")
            save(picture.getvalue(), folder / f"{Path(sheet.name).stem} {each.field.id}.png")
