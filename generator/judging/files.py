"""Opens files of filled-in sheets and yields their documents: YAML, JSON, JSON Lines and PDF forms."""

from __future__ import annotations

import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from io import BufferedReader
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from .. import games
from ..draws import draw_kinds, parse
from ..errors import InputError, Place, fault
from ..nodes import Mapping, Scalar
from ..reading.load import load, shipped
from ..sheets import NEW_SHEET, Document
from ..sheets import documents as read_documents

if TYPE_CHECKING:
    from ..sheets.pdf_forms import FilledForm


TYPED = ("", ".yaml", ".yml", ".json", ".jsonl", ".ndjson")
"""The suffixes of files that are typed; a pipe has none."""


def documents(file: str, game: str | None = None) -> Iterator[Document | InputError]:
    """Every document of a file or a pipe, or of standard input for `-`; yields an InputError in place of a
    document that cannot be read. `game` is the game named on the command line."""
    name = "stdin" if file == "-" else file
    try:
        with opened(file) as stream:
            if stream.peek(5)[:5] == b"%PDF-":
                yield _form(stream, name, game)
            else:
                yield from _typed(stream, name)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such name"
        yield fault(f"cannot be read: {reason.lower()}", Place(name))
    except InputError as error:
        yield error


def _typed(stream: BufferedReader, name: str) -> Iterator[Document | InputError]:
    """The documents of a file that was typed. If a file of another kind cannot be read, its syntax does not matter."""
    found = read_documents(stream, name)
    first = next(found)
    if isinstance(first, InputError) and Path(name).suffix.lower() not in TYPED:
        yield fault("not a filled-in sheet", Place(name), NEW_SHEET)
        return
    yield first
    yield from found


@contextmanager
def opened(file: str) -> Iterator[BufferedReader]:
    """Opens the file for reading bytes. Standard input is not closed."""
    if file == "-":
        stdin = sys.stdin.buffer
        yield stdin if isinstance(stdin, BufferedReader) else BufferedReader(stdin)  # type: ignore[arg-type]
        return
    mode = Path(file).stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISFIFO(mode)):
        raise fault("not a file", Place(file))
    with Path(file).open("rb") as stream:
        yield stream


def _form(stream: BufferedReader, file: str, game: str | None) -> Document:
    """A filled-in PDF form as a document, as if it had been typed."""
    from ..sheets.pdf_forms import LIMITS, read_form  # takes a process of its own to load

    form, place = read_form(stream.read(LIMITS.max_bytes + 1), file), Place(file)
    if not form.sheet:
        form = _recognised(form, game, place)
    heading = {"game": form.game, "sheet": form.sheet} | _printed_with(form, game, place)
    written = {key: text for key, text in (heading | dict(form.marks)).items() if text}
    pairs = []
    for key, text in written.items():
        field = replace(place, field=form.labels.get(key, ""))
        pairs.append((Scalar(key, field), Scalar(text, field)))
    return Document(Mapping(pairs, place), place)


def _recognised(form: FilledForm, game: str | None, place: Place) -> FilledForm:
    """Recognises a form by its field ids if it does not name its sheet, for example because a program copied only the
    fields."""
    sheets = [
        (key, name)
        for key in ([game] if game else shipped())
        for name, sheet in load(key).sheets.items()
        if sheet.fields.keys() == form.marks.keys()
    ]
    if len(sheets) != 1:
        raise fault(
            "has a form, but not that of a known score sheet",
            place,
            "name your own game with --game" if not game else f"is it a sheet of {game}?",
        )
    key, name = sheets[0]
    return replace(form, game="" if game else key, sheet=name)


def _printed_with(form: FilledForm, named: str | None, place: Place) -> dict[str, str]:
    """The set code that a form was printed with, by the field for such codes. A field on paper is among the marks
    already, so it is left out. Your own game is the one `named` on the command line."""
    if not form.code or not (named or form.game in games.SHIPPED):
        return {}
    game = load(named or form.game)
    if form.game and form.game != game.key:
        return {}  # the judge reports the wrong game
    code = parse(form.code, prefix=game.definition.prefix, place=place)
    field, sheet = game.draws[draw_kinds.draw_of(game, code, place)].field, game.sheets.get(form.sheet)
    spec = sheet.definition.fields.get(field) if sheet else None
    return {field: form.code} if spec and not spec.paper else {}
