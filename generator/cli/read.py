"""pencilbox read"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

import click

from .. import nodes, paths
from ..errors import InputError, Place, Problem, fault
from ..files import save
from ..sheets.reader import PHOTO
from ..sheets.typed_lines import sheet_text
from ..workers import cores
from .console import echo, echo_json, json_text, may_write, show_errors
from .options import Command, complete, workers_option
from .photos import PhotoOptions, photo_options, png, read_sheets

if TYPE_CHECKING:
    from ..photo.photo_sheet import PhotoSheet


WrittenSheet: TypeAlias = tuple[Sequence[str], str]
"""The photos that a sheet was read from, and its line in a file."""
# What each line of a file begins with. One that was not written completely is read again.
_BEGINNING = '{"game": '


@click.command(cls=Command)
@click.argument("photo", nargs=-1, required=True, shell_complete=complete("files"))
@click.option(
    "--output",
    "-o",
    type=click.Path(dir_okay=False, path_type=Path),
    metavar="FILE",
    help="Write the sheets to FILE: YAML, or a line each if it ends in .jsonl; photos that are in it are skipped.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--game", metavar="GAME", shell_complete=complete("games"), help="The game: needed for your own games.")
@photo_options
@workers_option("one for each core for at least four photos, otherwise 1")
@click.option("--force", is_flag=True, help="Replace FILE if it exists, and read every photo again.")
@click.pass_context
def command(
    ctx: click.Context,
    photo: tuple[str, ...],
    output: Path | None,
    form: str,
    game: str | None,
    photos: PhotoOptions,
    workers: int | None,
    force: bool,
) -> None:
    """Read filled-in score sheets from PHOTOs: JPEG, PNG, WebP or HEIC.

    At a terminal, Pencilbox asks about doubtful marks and shows a picture of each; elsewhere, the answers list them.
    Exit codes: 0 if every field is read or confirmed, 1 if some are doubtful, 2 if a photo cannot be read.
    """
    lines = output if output and output.suffix in (".jsonl", ".ndjson") else None
    extended = lines if lines and not force and paths.is_file(lines) else None
    written = _sheets_in(extended) if extended else []
    may_write([output] if output and not extended else [], force)
    done = {name for each in written for name in each[0]}
    unread = [file for file in photo if file not in done]
    if len(unread) < len(photo):
        echo(f"Already in {output}: {len(photo) - len(unread)} of {len(photo)} photos.", err=True)
    processes = workers or min(cores(), len(unread) // 2) or 1
    found = read_sheets(unread, photos, game=game, workers=processes, at_once=bool(lines))
    sheets, problems = _taken(found, written, lines, text=form == "text")
    if form == "json":
        listed = [sheet.plain() for sheet in sheets]
        echo_json(listed[0] if len(listed) == 1 and not problems else listed)
    if output and sheets and not lines:
        save("---\n".join(sheet_text(sheet.typed) for sheet in sheets).encode(), output)
    if output and sheets:
        echo(f"Wrote {output}.", err=True)
    show_errors(problems)
    ctx.exit(2 if problems else int(any(sheet.reading.doubtful for sheet in sheets)))


def _taken(
    found: Iterable[PhotoSheet | InputError], written: list[WrittenSheet], lines: Path | None, *, text: bool
) -> tuple[list[PhotoSheet], list[Problem]]:
    """The sheets and problems. Shows each sheet and writes it to the file as soon as it is read, in place of those that
    were read from only some of its photos."""
    sheets: list[PhotoSheet] = []
    problems: list[Problem] = []
    for sheet in found:
        if isinstance(sheet, InputError):
            problems += sheet.problems
            continue
        photos = {*sheet.photos}
        sheets = [*(each for each in sheets if not {*each.photos} < photos), sheet]
        if text:
            echo("\n".join(sheet.described()))
        if lines:
            written = [each for each in written if not {*each[0]} < photos]
            written.append((sheet.photos, json_text(sheet.typed, None)))
            save("".join(f"{line}\n" for _, line in written).encode(), lines)
            folder = lines.with_name(f"{lines.stem}-doubtful")
            for each in sheet.reading.doubtful:
                save(png(sheet.crop(each.field.id)), folder / f"{Path(sheet.name).stem} {each.field.id}.png")
    return sheets, problems


def _sheets_in(file: Path) -> list[WrittenSheet]:
    """The sheets that an earlier run wrote, without an incomplete last line."""
    *complete, last = nodes.read_text(file).split("\n")
    with suppress(ValueError):
        if not (last.startswith(_BEGINNING) or _BEGINNING.startswith(last)) or json.loads(last):
            complete.append(last)
    try:
        return [(json.loads(line)[PHOTO].split(", "), line) for line in complete]
    except (ValueError, TypeError, KeyError, AttributeError):
        hint = "name another file, or add --force to replace it"
        raise fault("has lines that “pencilbox read” did not write", Place(str(file)), hint) from None
