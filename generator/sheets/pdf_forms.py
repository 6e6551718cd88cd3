"""Reads the texts in the fields of a filled-in PDF form."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ..errors import InputError, Place, Problem, fault
from ..pdf_reading import untrusted_pdf
from ..pdf_reading.untrusted_pdf import entry
from ..spelling import usual_signs

if TYPE_CHECKING:  # only loaded to read a form; a sheet in YAML does not need it
    from pypdf import PdfReader

MAX_FIELDS = 10_000
_MAX_DEPTH = 20
_MAX_PAGES = 20
# The maximum length of a name or label.
_MAX_LETTERS = 100
# The most letters of a field that has no names or words in it.
_MAX_BOXES = 12
# The flag of radio buttons (ISO 32000-1:2008, 12.7.4.2.1), whose value is the mark of the one that is on.
_RADIO = 1 << 15
_HINT = "type the sheet as a YAML file instead, or fill in a new form and save it without printing it"
_NO_FIELDS = (
    "fill in the PDF whose name ends in -fillable and save it without printing it, or type the sheet into a file: "
    "pencilbox new-sheet GAME"
)
# The limit is low because only tables and small dictionaries of a form are decompressed, not its pages and fonts.
LIMITS = untrusted_pdf.Limits("a score sheet", seconds=1.5, decompressed=500_000, hint=_HINT)


class FilledForm(Struct, frozen=True):
    """The content of a filled-in form: the keys of its game and sheet and the set code it was printed with (all empty
    if the file does not contain them), and the text and the label of every field by its id. A tick is `x`; a blank
    field has an empty text."""

    game: str
    sheet: str
    code: str
    marks: Mapping[str, str]
    labels: Mapping[str, str]


def read_form(source: Path | bytes, name: str = "sheet.pdf") -> FilledForm:
    """Reads a filled-in Pencilbox form. In messages, `name` is the file name for bytes.

    Raises InputError for a file that cannot be read, is not a PDF, is damaged, encrypted, too large or too complex, or
    has no form."""
    place = Place(name if isinstance(source, bytes) else str(source))
    return untrusted_pdf.read(source, place, LIMITS, _read, place)


def _read(reader: PdfReader, place: Place) -> FilledForm:
    form = entry(reader.root_object, "/AcroForm", {})
    info: Mapping[str, Any] = reader.metadata or {}
    try:
        fields = list(_Tree().fields(entry(form, "/Fields", ())))
    except ValueError:
        if "/PencilboxGame" in info and _is_flat(reader):
            raise fault("was flattened: its fields are now part of the page", place, _HINT) from None
        raise
    if not fields:
        raise fault("has no form fields", place, _NO_FIELDS)
    game, sheet, code = (_short(info.get(f"/Pencilbox{key}")) for key in ("Game", "Sheet", "Set"))
    identity = (game, sheet, code) if game and sheet else ("", "", "")
    labels = {field.name: field.label for field in fields if field.label}
    return FilledForm(*identity, _marks(fields, place), labels)


def _is_flat(reader: PdfReader) -> bool:
    """Whether the pages have no fields, even though the form still lists some."""
    pages = list(islice(reader.pages, _MAX_PAGES))
    annotations = [annotation.get_object() for page in pages for annotation in entry(page, "/Annots", ())]
    return bool(pages) and not any(isinstance(item, dict) and item.get("/Subtype") == "/Widget" for item in annotations)


def _short(value: Any) -> str:
    """The value if it is a printable text of reasonable length; otherwise an empty text."""
    return str(value) if isinstance(value, str) and value.isprintable() and len(value) <= _MAX_LETTERS else ""


class _Field(Struct, frozen=True):
    """A field or a group of fields. It inherits its kind and value from the enclosing group."""

    name: str = ""
    kind: Any = None
    value: Any = None
    flags: Any = 0
    label: str = ""
    room: Any = None

    def child(self, dictionary: Any) -> _Field:
        """The field that a dictionary inside this group describes."""
        own = entry(dictionary, "/T")
        if own is not None and not (isinstance(own, str) and own.isprintable()):
            raise ValueError("a name that is not printable text")
        name = ".".join(filter(None, (self.name, own)))
        tip = entry(dictionary, "/TU")
        label = _short(tip.partition(": ")[0]) if isinstance(tip, str) else "" if own else self.label
        return _Field(
            name,
            entry(dictionary, "/FT", self.kind),
            entry(dictionary, "/V", self.value),
            flags=entry(dictionary, "/Ff", self.flags),
            label=label,
            room=entry(dictionary, "/MaxLen", self.room),
        )


_BLANK = _Field()


class _Tree(Struct):
    """The tree of groups and fields in a form. The widgets of a field may be children of the field; they then have no
    name and add nothing to its name."""

    remaining: int = MAX_FIELDS

    def fields(self, branches: Any, group: _Field = _BLANK, depth: int = 0) -> Iterator[_Field]:
        """Yields every field. Raises ValueError if the tree is invalid."""
        for branch in branches:
            field = group.child(branch.get_object())
            inner = entry(branch.get_object(), "/Kids", ())
            self.remaining -= 1 + len(inner)
            if self.remaining < 0 or depth > _MAX_DEPTH:
                raise untrusted_pdf.too_much()
            if inner:
                yield from self.fields(inner, field, depth + 1)
            else:
                yield field


def _marks(fields: Sequence[_Field], place: Place) -> dict[str, str]:
    marks: dict[str, str | None] = {}
    for field in fields:  # of radio buttons, some programs give a value to the one that is on, not to their group
        mark = _mark(field)
        marks[field.name] = mark or marks.get(field.name, mark)
    # Commas take up the room for letters, so a viewer may have kept only the beginning: `a, e` of `a, e, i, o`.
    full = [field for field in fields if field.room == len(marks[field.name] or "") <= _MAX_BOXES]
    if cut := [field for field in full if "," in (marks[field.name] or "")]:
        hint = "type the letters or digits without commas, as the boxes have room only for them"
        raise InputError(
            Problem(f"“{marks[field.name]}” may be cut off", Place(place.file, field=field.label or field.name), hint)
            for field in cut
        )
    if unreadable := [field for field in fields if marks[field.name] is None]:
        raise InputError(
            Problem(f"{field.name} contains something other than text", Place(place.file, field=field.label))
            for field in unreadable
        )
    return {name: mark for name, mark in marks.items() if mark is not None}


def _mark(field: _Field) -> str | None:
    """The mark in a field; None if it is not text."""
    if field.kind == "/Btn":
        if field.value in (None, "/Off", "Off", ""):
            return ""
        is_radio = isinstance(field.flags, int) and field.flags & _RADIO
        return str(field.value).removeprefix("/") if is_radio else "x"
    if field.value is None:
        return ""
    return usual_signs(str(field.value)).strip() if isinstance(field.value, str | int | float) else None
