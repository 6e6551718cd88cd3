"""A score sheet filled in on a screen (a PDF form) → the texts in its fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, Place, Problem, fault
from . import untrusted_pdf

if TYPE_CHECKING:  # loaded when there is a form to read: a sheet in YAML needs none of it
    from pypdf import PdfReader

MOST_FIELDS = 10_000
MOST_SECONDS = 1.5
_MOST_DEPTH = 20
_HINT = "type the sheet as a YAML file instead, or fill in a fresh one and save it as it is, without printing it"
_LIMITS = untrusted_pdf.Limits("a score sheet", MOST_SECONDS, unfolded=500_000, hint=_HINT)
"""The parts of a form that are unfolded are tables and small dictionaries; its pages and fonts are not read."""


class FilledForm(NamedTuple):
    """What a filled-in form says: the keys of its game and of the sheet, the set code it was printed with (or an empty
    text), and what stands in every field by id. A tick is `x`; what is blank is an empty text."""

    game: str
    sheet: str
    code: str
    marks: Mapping[str, str]


def read_form(source: Path | bytes, name: str = "sheet.pdf") -> FilledForm:
    """Reads a form that Pencilbox made and a person filled in, wholly or in part; `name` is what messages call bytes.

    Raises InputError for a file that cannot be read, is no PDF, damaged, encrypted, too large or too tangled, has no
    form, or has one that Pencilbox did not make."""
    place = Place(name if isinstance(source, bytes) else str(source))
    return untrusted_pdf.read(source, place, _LIMITS, lambda reader: _read(reader, place))


# ---- what it says


def _read(reader: PdfReader, place: Place) -> FilledForm:
    form = _inside(reader.root_object, "/AcroForm", {})
    said: Mapping[str, Any] = reader.metadata or {}
    try:
        fields = list(_Tree().fields(_inside(form, "/Fields", ())))
    except ValueError:
        if "/PencilboxGame" in said and _is_flat(reader):
            raise fault("was flattened: what was typed is a part of the picture now", place, _HINT) from None
        raise
    if not fields:
        raise fault("has no form", place, "is it a scan, or was it printed into a new PDF? Then " + _HINT)
    game, sheet, code = (_word(said.get(f"/Pencilbox{key}")) for key in ("Game", "Sheet", "Set"))
    if not (game and sheet):
        raise fault("has a form, but not one that Pencilbox made", place)
    return FilledForm(game, sheet, code, _marks(fields, place))


def _is_flat(reader: PdfReader) -> bool:
    """Whether there are pages, but no field is left on them, though the form may still list some."""
    first = list(islice(reader.pages, _MOST_DEPTH))
    around = [annotation.get_object() for page in first for annotation in _inside(page, "/Annots", ())]
    return bool(first) and not any(isinstance(one, dict) and one.get("/Subtype") == "/Widget" for one in around)


def _word(value: Any) -> str:
    return value if isinstance(value, str) and value.isprintable() and len(value) <= 100 else ""


@dataclass(frozen=True, slots=True)
class _Field:
    """A field or a group of fields; what it does not say itself, it has from the group around it."""

    name: str = ""
    kind: Any = None
    value: Any = None

    def within(self, inner: Any) -> _Field:
        own = _inside(inner, "/T")
        if own is not None and not (isinstance(own, str) and own.isprintable()):
            raise ValueError("a name that is no name")
        name = ".".join(filter(None, (self.name, own)))
        return _Field(name, _inside(inner, "/FT", self.kind), _inside(inner, "/V", self.value))


_BLANK = _Field()


@dataclass(slots=True)
class _Tree:
    """The fields of a form and the groups they lie in. A box on paper may stand below its field as below a group; then
    it has no name of its own and says nothing else."""

    left: int = MOST_FIELDS

    def fields(self, branches: Any, around: _Field = _BLANK, depth: int = 0) -> Iterator[_Field]:
        """Raises ValueError where the tree is broken."""
        for branch in branches:
            field = around.within(branch.get_object())
            inner = _inside(branch.get_object(), "/Kids", ())
            self.left -= 1 + len(inner)
            if self.left < 0 or depth > _MOST_DEPTH:
                raise untrusted_pdf.too_much()
            if inner:
                yield from self.fields(inner, field, depth + 1)
            else:
                yield field


def _inside(dictionary: Any, key: str, otherwise: Any = None) -> Any:
    """What a dictionary of a PDF has under a key, found where it points to."""
    if not isinstance(dictionary, dict):
        raise ValueError(f"no dictionary that could have {key}")
    value = dictionary.get(key)
    found = None if value is None else value.get_object()
    return otherwise if found is None or type(found).__name__ == "NullObject" else found


def _marks(fields: Sequence[_Field], place: Place) -> dict[str, str]:
    marks = {field.name: _mark(field) for field in fields}
    unreadable = [name for name, mark in marks.items() if mark is None]
    if unreadable:
        raise InputError(Problem(f"what stands in {name} cannot be read as a text", place) for name in unreadable)
    return {name: mark for name, mark in marks.items() if mark is not None}


def _mark(field: _Field) -> str | None:
    """What stands in a field; None where it is no text."""
    if field.kind == "/Btn":
        return "" if field.value in (None, "/Off", "Off", "") else "x"
    if field.value is None:
        return ""
    return str(field.value).strip() if isinstance(field.value, str | int | float) else None
