"""Interprets the content streams of a PDF: what a page paints, in order, each with the graphics state at that point.

Section numbers refer to ISO 32000-1:2008 (PDF 1.7),
https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from ..geometry.outlines import IDENTITY, Matrix, moved, multiplied
from . import untrusted_pdf
from .untrusted_pdf import Limits, entry

if TYPE_CHECKING:  # loaded in the process that reads
    from pypdf import PdfReader

Operation: TypeAlias = tuple[list[Any], bytes]
"""The operands, as pypdf's objects, and the operator."""
Box: TypeAlias = tuple[float, float, float, float]
"""The smallest x and y, and the largest."""
Segment: TypeAlias = tuple[str, tuple[float, ...]]
"""An operator of a path, and its points."""
EVERYWHERE: Box = (-inf, -inf, inf, inf)
MAX_DEPTH = 12
"""Forms within forms beyond this are not drawn."""
_MAX_REMEMBERED = 300_000  # operators and operands of forms in memory
_SHOW_TEXT = ("Tj", "TJ", "'", '"')
PAINT = ("S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n")
_SPACES: Mapping[str, str] = {"g": "/DeviceGray", "rg": "/DeviceRGB", "k": "/DeviceCMYK"}
_POINTS: Mapping[str, int] = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4, "re": 4, "h": 0}


class Colour(Struct, frozen=True):
    """A colour: its colour space (a name or an array, 8.6), its values, and its pattern."""

    space: Any = "/DeviceGray"
    values: tuple[float, ...] = (0.0,)
    pattern: Any = None


class GraphicsState(Struct):
    """The graphics state (8.4), without unused parameters. `effects` is the dictionary that `gs` named last."""

    matrix: Matrix
    clip: Box
    font: Any = None
    size: float = 0.0
    leading: float = 0.0
    rendering: int = 0
    fill: Colour = Colour()
    stroke: Colour = Colour()
    width: float = 1.0
    effects: Any = None
    overprint_fill: bool = False
    overprint_stroke: bool = False
    transparent: bool = False

    def apply(self, effects: Any) -> None:
        """Takes over what a graphics state parameter dictionary sets (8.4.5)."""
        self.effects = effects
        if effects is None:
            return
        self.overprint_stroke = bool(entry(effects, "/OP", self.overprint_stroke))
        self.overprint_fill = bool(entry(effects, "/op", entry(effects, "/OP", self.overprint_fill)))
        self.width = float(entry(effects, "/LW", self.width))
        self.transparent = (
            self.transparent
            or min(float(entry(effects, key, 1)) for key in ("/ca", "/CA")) < 1
            or entry(effects, "/SMask", "/None") != "/None"
            or entry(effects, "/BM", "/Normal") not in ("/Normal", "/Compatible")
        )


class Painted(Struct, frozen=True):
    """What one operator paints: a `path`, the `strings` of a text whose baseline starts at the origin of `matrix`, or a
    `thing`: an image, a shading, or the settings of an inline image, which fills the unit square of `matrix`. The state
    changes with the next operator."""

    operator: str
    state: GraphicsState
    matrix: Matrix = IDENTITY
    path: Sequence[Segment] = ()
    strings: Sequence[bytes] = ()
    thing: Any = None


class PageContent:
    """Reads the pages of one file within the limits."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.tokens_left = limits.tokens
        self._forms: dict[Any, list[Operation]] = {}
        self._remembered = 0
        self._streams: set[Any] = set()

    def page(self, page: Any, matrix: Matrix = IDENTITY, clip: Box = EVERYWHERE) -> Iterator[Painted]:
        """Everything that a page paints, in order. Coordinates go through `matrix`."""
        contents = page.get_contents()
        if contents is None:
            return
        operations = self._operations(contents)
        yield from _StreamReader(self, GraphicsState(matrix, clip)).run(operations, entry(page, "/Resources", {}), 0)
        streams = entry(page, "/Contents")
        for stream in streams if isinstance(streams, list) else [streams]:
            self.allow_time(stream.get_object(), self.limits.byte_seconds, self.limits.page_seconds)

    def allow_time(self, stream: Any, seconds_per_byte: float, most: float = inf) -> None:
        """Extends the time limit for a stream in the file, but not twice for the same one."""
        if (key := getattr(stream, "indirect_reference", None)) not in self._streams:
            self._streams.add(key)
            untrusted_pdf.allow_more_time(min(seconds_per_byte * len(getattr(stream, "_data", b"")), most))

    def form(self, form: Any) -> list[Operation]:
        """The operations of a form, or of a pattern or soft mask."""
        from pypdf.generic import ContentStream  # only the process that reads needs pypdf

        key = form.indirect_reference
        if key not in self._forms:
            operations = self._operations(ContentStream(form, None))
            self._remembered += sum(1 + len(operands) for operands, _ in operations)
            if self._remembered > _MAX_REMEMBERED:
                self._forms, self._remembered = {}, 0
            self._forms[key] = operations
        return self._forms[key]

    def count_tokens(self, tokens: int) -> None:
        """Raises `too_much()` after the last token."""
        self.tokens_left -= tokens
        if self.tokens_left < 0:
            raise untrusted_pdf.too_much()

    def _operations(self, stream: Any) -> list[Operation]:
        """The operations of a content stream (7.8.2)."""
        if len(stream.get_data()) > self.limits.stream_bytes:
            raise untrusted_pdf.too_much()
        stream.forced_encoding = "bytes"  # how a string is decoded depends on its font
        operations: list[Operation] = stream.operations
        return operations


def pages_of(pdf: PdfReader, limits: Limits) -> list[Any]:
    """The pages of a file. Raises `too_much()` if there are too many."""
    if len(pdf.pages) > limits.pages:
        raise untrusted_pdf.too_much()
    return list(pdf.pages)


def named(resources: Any, kind: str, operands: Sequence[Any]) -> Any:
    """What the last operand names among the resources of this kind, such as `/Font`; None if there is nothing."""
    group = entry(resources, kind) if resources is not None else None
    name = operands[-1] if operands and isinstance(operands[-1], str) else ""
    return entry(group, name) if isinstance(group, dict) else None


class _StreamReader(Struct):
    """Runs the operations of a page or a form."""

    content: PageContent
    state: GraphicsState
    path: list[Segment] = field(default_factory=list)
    clips: bool = False
    line: Matrix = IDENTITY
    text: Matrix = IDENTITY
    saved: list[GraphicsState] = field(default_factory=list)

    def run(self, operations: Sequence[Operation], resources: Any, depth: int) -> Iterator[Painted]:
        for operands, raw in operations:
            operator = raw.decode("latin-1")
            self.content.count_tokens(1 + len(operands))
            if operator in PAINT:
                yield from self._paint_path(operator)
            elif operator in _SHOW_TEXT:
                if operator in ("'", '"'):
                    self._next_line(0.0, -self.state.leading)
                last = operands[-1] if operands else b""
                parts = last if isinstance(last, list) else [last]
                self.content.count_tokens(len(parts))
                strings = [part for part in parts if isinstance(part, bytes)]
                yield Painted(operator, self.state, multiplied(self.state.matrix, self.text), strings=strings)
            elif operator == "Do":
                yield from self._object(operator, named(resources, "/XObject", operands), resources, depth)
            elif operator == "sh":
                thing = named(resources, "/Shading", operands)
                yield Painted(operator, self.state, self.state.matrix, thing=thing)
            elif operator == "INLINE IMAGE":
                yield Painted(operator, self.state, self.state.matrix, thing=operands)
            else:
                self._set(operator, operands, resources)

    def _set(self, operator: str, operands: list[Any], resources: Any) -> None:
        state, numbers = self.state, tuple(float(number) for number in operands if isinstance(number, int | float))
        if operator in _POINTS and len(numbers) == _POINTS[operator]:
            self._segment(operator, numbers)
        elif operator == "q":
            self.saved.append(replace(state))
        elif operator == "Q":
            self.state = self.saved.pop() if self.saved else state
        elif operator == "cm" and len(numbers) == 6:
            state.matrix = multiplied(state.matrix, numbers)
        elif operator in ("W", "W*"):
            self.clips = True
        else:
            self._set_state(operator, operands, numbers, resources=resources)

    def _set_state(self, operator: str, operands: list[Any], numbers: tuple[float, ...], resources: Any) -> None:
        state = self.state
        if operator == "w" and numbers:
            state.width = numbers[0]
        elif operator == "gs":
            state.apply(named(resources, "/ExtGState", operands))
        elif operator.lower() in ("g", "rg", "k", "cs", "sc", "scn"):
            about = "fill" if operator.islower() else "stroke"  # operators in capitals are for lines (8.6.8)
            kind = operator.lower()
            if kind in _SPACES:
                colour = Colour(_SPACES[kind], numbers)
            elif kind == "cs":
                colour = Colour(named(resources, "/ColorSpace", operands) or (operands[-1] if operands else ""), ())
            else:
                pattern = named(resources, "/Pattern", operands)
                colour = Colour(getattr(self.state, about).space, numbers, pattern)
            setattr(self.state, about, colour)
        else:
            self._set_text(operator, operands, numbers, resources=resources)

    def _set_text(self, operator: str, operands: list[Any], numbers: tuple[float, ...], resources: Any) -> None:
        if operator == "BT":
            self.line = self.text = IDENTITY
        elif operator == "T*":
            self._next_line(0.0, -self.state.leading)
        elif operator == "Tm" and len(numbers) == 6:
            self.line = self.text = numbers
        elif operator in ("Td", "TD") and len(numbers) == 2:
            self.state.leading = -numbers[1] if operator == "TD" else self.state.leading
            self._next_line(*numbers)
        elif operator == "Tf" and operands:
            self.state.font, self.state.size = named(resources, "/Font", operands[:1]), (numbers or (0.0,))[-1]
        elif operator == "TL" and numbers:
            self.state.leading = numbers[-1]
        elif operator == "Tr" and numbers:
            self.state.rendering = int(numbers[-1])

    def _next_line(self, x: float, y: float) -> None:
        self.line = self.text = multiplied(self.line, (1.0, 0.0, 0.0, 1.0, x, y))

    def _segment(self, operator: str, numbers: tuple[float, ...]) -> None:
        if operator == "re":
            x, y, w, h = numbers
            numbers = (x, y, x + w, y, x + w, y + h, x, y + h)
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        self.path.append((operator, tuple(edge for x, y in pairs for edge in moved(self.state.matrix, x, y))))

    def _paint_path(self, operator: str) -> Iterator[Painted]:
        path, clips = self.path, self.clips
        self.path, self.clips = [], False
        box = bounds(path)
        if box is None:
            return
        if operator != "n":
            yield Painted(operator, self.state, self.state.matrix, path=path)
        if clips:
            self.state.clip = intersection(self.state.clip, box)

    def _object(self, operator: str, thing: Any, resources: Any, depth: int) -> Iterator[Painted]:
        """Paints an image, or what a form paints (8.8, 8.10)."""
        if thing is None or depth > MAX_DEPTH:
            return
        if entry(thing, "/Subtype") == "/Image":
            yield Painted(operator, self.state, self.state.matrix, thing=thing)
            return
        inner = replace(self.state)
        matrix = entry(thing, "/Matrix", ())
        if len(matrix) == 6:
            a, b, c, d, e, f = map(float, matrix)
            inner.matrix = multiplied(inner.matrix, (a, b, c, d, e, f))
        inner_resources = entry(thing, "/Resources", resources)
        yield from _StreamReader(self.content, inner).run(self.content.form(thing), inner_resources, depth + 1)


def bounds(path: Sequence[Segment]) -> Box | None:
    """The box around the points of a path."""
    xs = [x for _, numbers in path for x in numbers[::2]]
    ys = [y for _, numbers in path for y in numbers[1::2]]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def intersection(a: Box, b: Box) -> Box:
    """The box that two boxes share; a side may be negative."""
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


# ---- the ToUnicode tables of fonts, which say what text the codes in a string stand for


_BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange)")
_PART = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")
MAX_CODES = 70_000
"""Codes in the tables of all fonts of a file; a two-byte font has 65,536 at most."""
MAX_TABLE_BYTES = 2_000_000
_MAX_TEXT_BYTES = 512  # bytes of the text that one code stands for (9.10.3)
_MAX_STRING_BYTES = 32_767  # bytes of a string in a content stream (annex C)


class FontEncoding(Struct, frozen=True):
    """How the strings of a font are read: the number of bytes of a code, and the text for each code."""

    width: int
    texts: Mapping[int, str]

    def read(self, string: bytes) -> str:
        if len(string) > _MAX_STRING_BYTES:
            raise untrusted_pdf.too_much()
        codes = (int.from_bytes(string[at : at + self.width], "big") for at in range(0, len(string), self.width))
        return "".join(self.texts.get(code, "�") for code in codes)


PLAIN = FontEncoding(1, {code: bytes([code]).decode("cp1252", "replace") for code in range(256)})
"""The encoding of a font without a table, such as a standard font."""


def parse_to_unicode(table: bytes, max_codes: int = MAX_CODES) -> FontEncoding:
    """The encoding in a ToUnicode table. Raises `too_much()` as soon as the table lists more than `max_codes` codes,
    including wide ranges and repeated codes."""
    if len(table) > MAX_TABLE_BYTES:
        raise untrusted_pdf.too_much()
    width, texts = 1, dict[int, str]()
    for kind, body in _blocks(table):
        parts = [(re.sub(rb"\s", b"", digits), opens, closes) for digits, opens, closes in _PART.findall(body)]
        if kind == b"codespacerange":
            width = max([width, *(len(digits) // 2 for digits, _, _ in parts)])
            continue
        for code, text in _chars(parts) if kind == b"bfchar" else _ranges(parts):
            max_codes -= 1
            if max_codes < 0:
                raise untrusted_pdf.too_much()
            texts[code] = text
    return FontEncoding(min(width, 4), texts)


_Part: TypeAlias = tuple[bytes, bytes, bytes]  # hexadecimal digits, an opening bracket or a closing one


def _blocks(table: bytes) -> Iterator[tuple[bytes, bytes]]:
    """Each block of a table: its kind, and the bytes between its `begin` and `end` operators."""
    at = 0
    while begin := _BLOCK.search(table, at):
        at = table.find(b"end" + begin[1], begin.end())
        if at < 0:
            return
        yield begin[1], table[begin.end() : at]


def _chars(parts: list[_Part]) -> Iterator[tuple[int, str]]:
    """Single codes: `<code> <text>`."""
    plain = [digits for digits, _, _ in parts if digits]
    for code, text in zip(plain[::2], plain[1::2], strict=False):
        yield int(code, 16), _text(text)


def _ranges(parts: list[_Part]) -> Iterator[tuple[int, str]]:
    """Ranges of codes: `<from> <to> <first text>`, or with a list of texts."""
    rest = list(reversed(parts))
    while len(rest) >= 3:
        first, last = (int(rest.pop()[0] or b"0", 16) for _ in range(2))
        digits, opens, _ = rest.pop()
        if opens:
            code = first
            while rest and not (part := rest.pop())[2]:
                yield code, _text(part[0])
                code += 1
        elif digits:
            start = _text(digits)
            for code in range(first, last + 1):
                yield code, start[:-1] + chr(min(ord(start[-1:] or "\0") + code - first, 0x10FFFF))


def _text(digits: bytes) -> str:
    """The text written as UTF-16 in hexadecimal digits."""
    if len(digits) > 2 * _MAX_TEXT_BYTES:
        raise untrusted_pdf.too_much()
    raw = bytes.fromhex((digits + b"0" * (-len(digits) % 4)).decode())
    return raw.decode("utf-16-be", "replace")
