"""A score sheet filled in on a screen (a PDF form) → the texts in its fields.

A PDF may be hostile: a small file can unfold into a large one, point back into itself, or keep a reader busy for ever.
So its size and what it may unfold into are limited, and the clock is read whenever a part of the file is.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, Place, Problem, fault

if TYPE_CHECKING:  # loaded when there is a form to read: a sheet in YAML needs none of it
    from pypdf import PdfReader
    from pypdf.generic import PdfObject

MOST_BYTES = 20_000_000
MOST_OBJECTS = 30_000
MOST_FIELDS = 10_000
MOST_SECONDS = 1.5

_MOST_UNFOLDED = 500_000
"""Bytes of one compressed part. Those of a form are tables and small dictionaries; pages and fonts are not read."""
_MOST_DEPTH = 20
_READS_BETWEEN_LOOKS = 100
_HINT = "type the sheet as a YAML file instead, or fill in a fresh one and save it as it is, without printing it"


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
    content = source if isinstance(source, bytes) else _content(source, place)
    _refuse_from_outside(content, place)
    try:
        with _limits():
            return _read(content, place)
    except _TooMuchError:
        raise _too_much(place) from None
    except InputError:
        raise
    except Exception as error:  # pypdf promises no more than that: broken files may cause any exception
        raise _broken(content, error, place) from None


def _content(path: Path, place: Place) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", place) from None


def _refuse_from_outside(content: bytes, place: Place) -> None:
    """What can be told before the file is parsed."""
    if b"%PDF-" not in content[:1024]:
        raise fault("is no PDF", place)
    if len(content) > MOST_BYTES:
        raise fault(f"is larger than {MOST_BYTES // 1_000_000} MB", place, _HINT)
    if b"startxref" not in content[-2048:]:
        raise fault("its end is missing", place, "copy or save it again")
    if content.count(b" obj") > MOST_OBJECTS:
        raise _too_much(place)


def _too_much(place: Place) -> InputError:
    return fault("is too large or too tangled to be a score sheet", place, _HINT)


def _broken(content: bytes, error: Exception, place: Place) -> InputError:
    from pypdf.errors import LimitReachedError

    if isinstance(error, LimitReachedError | RecursionError | MemoryError):
        return _too_much(place)
    return _encrypted(place) if b"/Encrypt" in content else fault("is damaged and cannot be read", place, _HINT)


def _encrypted(place: Place) -> InputError:
    return fault("is encrypted", place, "save it without a password")


# ---- limits

class _TooMuchError(BaseException):
    """A limit is reached. Not an Exception: pypdf mends files by trying, and goes on after every Exception it meets."""


class _Watched(BytesIO):
    """A file that looks at the clock now and then while it is read."""

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.ends = time.thread_time() + MOST_SECONDS
        self.reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        if self.reads % _READS_BETWEEN_LOOKS == 0:
            self.look()
        return BytesIO.read(self, size)

    def getbuffer(self) -> memoryview:
        """The whole file, in which pypdf looks for an object that is not where it should be."""
        self.look()
        return super().getbuffer()

    def look(self) -> None:
        if time.thread_time() > self.ends:
            raise _TooMuchError


@contextmanager
def _limits() -> Iterator[None]:
    """Inside, pypdf unfolds little, starts no other program and keeps its complaints to itself."""
    import pypdf

    packings = ("zlib", "lzw", "run_length", "brotli", "jbig2", "array_based_stream")
    unfolded: dict[str, Any] = {f"{packing}_maximum_output_length": _MOST_UNFOLDED for packing in packings}
    log = logging.getLogger("pypdf")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        with pypdf.apply_configuration(
                **unfolded, zlib_maximum_recovery_input_length=100_000, maximum_declared_stream_length=MOST_BYTES,
                stream_filters_maximum_length=2, stream_decoding_work_maximum_length=4 * _MOST_UNFOLDED,
                jbig2dec_binary=None):
            yield
    finally:
        log.setLevel(before)


# ---- what it says

def _reader(content: bytes) -> PdfReader:
    import pypdf

    file = _Watched(content)

    class Reader(pypdf.PdfReader):
        """Looks at the clock for every part of a compressed stream as well, which is not read from the file itself."""

        def cache_get_indirect_object(self, generation: int, idnum: int) -> PdfObject | None:
            file.look()
            return super().cache_get_indirect_object(generation, idnum)

    return Reader(file, root_object_recovery_limit=1_000, xref_stream_maximum_entries=MOST_OBJECTS)


def _read(content: bytes, place: Place) -> FilledForm:
    reader = _reader(content)
    if reader.is_encrypted:
        raise _encrypted(place)
    form = _inside(reader.root_object, "/AcroForm", {})
    fields = list(_Tree().fields(_inside(form, "/Fields", ())))
    if not fields:
        raise fault("has no form", place, "is it a scan, or was it printed into a new PDF? Then " + _HINT)
    said: Mapping[str, Any] = reader.metadata or {}
    game, sheet, code = (_word(said.get(f"/Pencilbox{key}")) for key in ("Game", "Sheet", "Set"))
    if not (game and sheet):
        raise fault("has a form, but not one that Pencilbox made", place)
    return FilledForm(game, sheet, code, _marks(fields, place))


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
                raise _TooMuchError
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
