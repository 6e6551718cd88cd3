"""Reads the texts and drawings on the pages of a printed PDF, in millimetres from the top left corner.

Only content streams are read, never metadata such as the title. Whatever is clipped away or invisible is left out.
Section numbers below refer to ISO 32000-1:2008 (PDF 1.7),
https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from hashlib import blake2b
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import Place
from ..geometry.outlines import IDENTITY, Matrix, moved, multiplied
from ..model.print_settings import PrintSettings
from ..reading.sizes import MAX_MARGIN
from ..sheets import untrusted_pdf

if TYPE_CHECKING:  # pypdf takes a third of a second to load, and to verify a set code needs none of it
    from pypdf import PdfReader
    from pypdf.generic import ContentStream, IndirectObject

Operation: TypeAlias = tuple[list[Any], bytes]
"""The operands, as pypdf's objects, and the operator."""


_BLOCK = re.compile(rb"begin(bfchar|bfrange|codespacerange)")
_PART = re.compile(rb"<([0-9A-Fa-f\s]*)>|(\[)|(\])")
MAX_CODES = 70_000
"""Codes in the tables of all fonts of a file; a two-byte font has 65,536 at most."""
MAX_TABLE_BYTES = 2_000_000
_MAX_TEXT_BYTES = 512
"""Bytes of the text that one code stands for (9.10.3)."""
_MAX_STRING_BYTES = 32_767
"""Bytes of a string in a content stream (annex C)."""


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


_Part: TypeAlias = tuple[bytes, bytes, bytes]
"""Hexadecimal digits, an opening bracket or a closing one."""


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


MAX_PAGES = 500
MAX_TOKENS = 2_500_000
"""Operators and operands on all pages; those of a form count every time it is drawn. A pad of 100 score sheets has
1,000,000."""
MAX_TEXT = 5_000_000
"""Characters of all texts that are shown."""
MAX_STREAM_TOKENS = 150_000
"""Operators and operands in one content stream. A board has 30,000."""
MAX_STREAM_BYTES = 1_000_000
"""Bytes of one content stream. A sheet of dice has 150,000."""
POINT = 25.4 / 72
_MAX_DEPTH = 12
_TOKENS_BETWEEN_CHECKS = 5000
_LIMITS = untrusted_pdf.Limits("a print of Pencilbox", seconds=1.2, decompressed=8_000_000)
_MAX_CHANGE, _MAX_MOVE = 0.2, 200.0
"""Limits of a matrix that corrects backs: its numbers differ from those of the identity by less, the last two in mm."""
_SECONDS_PER_BYTE = 10e-6
_MAX_SECONDS_PER_PAGE = 0.04
"""Every page that was read extends the time by as much as an ordinary page of its compressed size may take, so that a
pad of 100 score sheets can be read while a small file is still refused within two seconds."""

Box: TypeAlias = tuple[float, float, float, float]
"""Left, top, right, bottom."""


class Written(Struct, frozen=True):
    """A text shown by one operator: the start of its baseline, its type size and its colour."""

    text: str
    x: float
    y: float
    size: float
    colour: str = ""


class PrintedShape(Struct, frozen=True):
    """A shape or picture: what it looks like, including its colour, and the centre of its visible part."""

    looks: str
    x: float
    y: float


Ink: TypeAlias = Written | PrintedShape


class PrintedPage(Struct, frozen=True):
    """One page: its size in mm, and everything on it in painting order."""

    width: float
    height: float
    ink: tuple[Ink, ...]


def read_pages(source: Path | bytes, name: str = "print.pdf") -> list[PrintedPage]:
    """The pages of a PDF; messages use `name` if `source` is bytes. Raises InputError for a file that is not a PDF or
    cannot be read within the limits of size and time."""
    place = Place(name if isinstance(source, bytes) else str(source))
    return untrusted_pdf.read(source, place, _LIMITS, _pages)


def print_settings(source: Path) -> tuple[PrintSettings, Matrix]:
    """What the metadata of a PDF say of how it was printed, which only tells how to print the same pages again: the
    settings, with the margin for which it was laid out if it is not the usual one of its paper, and the matrix that
    corrects its backs. Raises InputError like `read_pages`."""
    return untrusted_pdf.read(source, Place(str(source)), _LIMITS, _settings)


def _settings(reader: PdfReader) -> tuple[PrintSettings, Matrix]:
    metadata: Mapping[str, Any] = reader.metadata or {}
    margin, *others = _numbers(metadata.get("/PencilboxMargin")) or [-1.0]
    a, b, c, d, e, f = backs if len(backs := _numbers(metadata.get("/PencilboxBacks"))) == 6 else IDENTITY
    is_near = max(abs(a - 1), abs(b), abs(c), abs(d - 1)) < _MAX_CHANGE and max(abs(e), abs(f)) < _MAX_MOVE
    settings = PrintSettings(
        margin=margin if 0 <= margin <= MAX_MARGIN and not others else None,
        high_contrast=metadata.get("/PencilboxContrast") == "high",
        large_print=metadata.get("/PencilboxPrint") == "large",
    )
    return settings, (a, b, c, d, e, f) if is_near else IDENTITY


def _numbers(text: object) -> list[float]:
    """The numbers in an entry of the metadata; none if it holds anything else."""
    try:
        return [float(number) for number in str(text).split()]
    except ValueError:
        return []


def _pages(reader: PdfReader) -> list[PrintedPage]:
    if len(reader.pages) > MAX_PAGES:
        raise untrusted_pdf.too_much()
    from pypdf import apply_configuration

    shared = _Shared(partial(untrusted_pdf.check_time, reader), partial(untrusted_pdf.allow_more_time, reader))
    with apply_configuration(stream_parsing_work_maximum_count=MAX_STREAM_TOKENS):
        return [_page(page, shared) for page in reader.pages]


class _Shared(Struct):
    """What the pages of one file share: the font tables and forms read so far, by the references to their streams (a
    stream is always an indirect object, 7.3.8), and what is left of the limits. `check_time` raises an error when the
    time is up, and `allow_time` extends it by some seconds."""

    check_time: Callable[[], None]
    allow_time: Callable[[float], None]
    tokens_left: int = field(default_factory=lambda: MAX_TOKENS)
    tokens_to_check: int = 0
    codes_left: int = MAX_CODES
    text_left: int = MAX_TEXT
    encodings: dict[IndirectObject, FontEncoding] = field(default_factory=dict)
    forms: dict[IndirectObject, list[Operation]] = field(default_factory=dict)
    pictures: dict[IndirectObject, str] = field(default_factory=dict)
    resources: dict[int, str] = field(default_factory=dict)
    pages: set[IndirectObject] = field(default_factory=set)

    def count_tokens(self, tokens: int) -> None:
        """Raises `too_much()` after the last token, or when the time is up."""
        self.tokens_left -= tokens
        if self.tokens_left < 0:
            raise untrusted_pdf.too_much()
        self.tokens_to_check -= tokens
        if self.tokens_to_check <= 0:
            self.tokens_to_check = _TOKENS_BETWEEN_CHECKS
            self.check_time()

    def count_page(self, page: Any) -> None:
        """Extends the time after a page was read, unless its content stream is also that of an earlier page."""
        contents = page.get("/Contents")
        data = getattr(contents.get_object(), "_data", b"") if contents is not None else b""
        if data and contents not in self.pages:
            self.pages.add(contents)
            self.allow_time(min(_SECONDS_PER_BYTE * len(data), _MAX_SECONDS_PER_PAGE))

    def count_text(self, text: str) -> None:
        self.text_left -= len(text)
        if self.text_left < 0:
            raise untrusted_pdf.too_much()

    def encoding(self, font: Any) -> FontEncoding:
        """The encoding of a font, from its dictionary."""
        reference = font.get("/ToUnicode") if isinstance(font, dict) else None
        table: Any = reference.get_object() if reference is not None else None
        if not hasattr(table, "get_data"):
            return PLAIN
        if table.indirect_reference not in self.encodings:
            self.check_time()
            encoding = parse_to_unicode(table.get_data(), self.codes_left)
            self.codes_left -= len(encoding.texts)
            self.encodings[table.indirect_reference] = encoding
        return self.encodings[table.indirect_reference]

    def operations(self, form: Any) -> list[Operation]:
        """The operations of a form."""
        from pypdf.generic import ContentStream

        if form.indirect_reference not in self.forms:
            self.check_time()
            self.forms[form.indirect_reference] = operations(ContentStream(form, None))
        return self.forms[form.indirect_reference]

    def resource(self, named: Any, name: str) -> str:
        """A hash of the pattern, shading or graphics state called `name` among those `named`, or empty."""
        if not isinstance(named, dict) or name not in named:
            return ""
        value = named.raw_get(name)  # type: ignore[attr-defined]
        key = getattr(value, "idnum", None) or id(value)
        if key not in self.resources:
            parts = " ".join(self._values(value, 0))
            self.resources[key] = blake2b(parts.encode("utf-8", "replace"), digest_size=8).hexdigest()
        return self.resources[key]

    def _values(self, value: Any, depth: int) -> Iterator[str]:
        """The names and numbers in an object and in those it refers to, and the operators of a soft mask."""
        value = value.get_object() if value is not None else None
        self.count_tokens(1)
        if depth > _MAX_DEPTH:
            return
        if isinstance(value, dict):
            if hasattr(value, "get_data"):
                yield from (f"{name!r}{operands}" for operands, name in self.operations(value))
            for key in sorted(value):
                if key not in ("/Resources", "/Length"):
                    yield key
                    yield from self._values(value.raw_get(key), depth + 1)  # type: ignore[attr-defined]
        elif isinstance(value, list):
            for each in value:
                yield from self._values(each, depth + 1)
        else:
            yield str(value)

    def picture(self, image: Any) -> str:
        """A hash of an image: of its file if Pencilbox wrote it, because printing may scale it down, otherwise of its
        data."""
        if image.indirect_reference not in self.pictures:
            file = image.get("/PencilboxPicture")
            self.pictures[image.indirect_reference] = str(file or blake2b(image._data, digest_size=8).hexdigest())
        return self.pictures[image.indirect_reference]


def operations(stream: ContentStream) -> list[Operation]:
    """The operations of a content stream (7.8.2)."""
    if len(stream.get_data()) > MAX_STREAM_BYTES:
        raise untrusted_pdf.too_much()
    stream.forced_encoding = "bytes"  # how a string is decoded depends on its font
    return stream.operations


def _page(page: Any, shared: _Shared) -> PrintedPage:
    left, low, right, high = (float(edge) * POINT for edge in page.mediabox)
    box = (0.0, 0.0, right - left, high - low)
    shared.check_time()
    reader = _PageReader(shared, [])
    contents = page.get_contents()
    if contents is not None:
        state = _State((POINT, 0.0, 0.0, -POINT, -left, high), box)
        reader.run(operations(contents), page.get("/Resources", {}), state, 0)
        shared.count_page(page)
    return PrintedPage(right - left, high - low, tuple(reader.ink))


class _State(Struct):
    """What q saves and Q restores (8.4.2)."""

    matrix: Matrix
    clip: Box
    font: FontEncoding = PLAIN
    size: float = 0.0
    leading: float = 0.0
    invisible: bool = False
    fill: str = ""
    stroke: str = ""
    blending: str = ""

    def paint(self, operator: str) -> str:
        """The colours in which an operator paints a path, and how transparent they are."""
        colours = {"s": self.stroke, "b": f"{self.fill} {self.stroke}"}.get(operator[0].lower(), self.fill)
        return colours + self.blending


def _intersection(a: Box, b: Box) -> Box:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


class _PageReader(Struct):
    """Reads one page, including the forms drawn on it."""

    shared: _Shared
    ink: list[Ink]
    path: list[tuple[str, tuple[float, ...]]] = field(default_factory=list)
    clips: bool = False
    line: Matrix = IDENTITY
    text: Matrix = IDENTITY

    def run(self, code: Iterable[Operation], resources: Any, state: _State, depth: int) -> None:
        saved: list[_State] = []
        parts = resources.get_object() if resources is not None else {}
        for operands, name in code:
            operator = name.decode("latin-1")
            self.shared.count_tokens(1 + len(operands))
            if operator == "q":
                saved.append(replace(state))
            elif operator == "Q":
                state = saved.pop() if saved else state
            elif operator == "Do":
                self._form(operands, parts, state, depth)
            elif operator in _SHOW_TEXT:
                self._show_text(operator, operands, state)
            elif operator in _PAINT:
                self._paint(operator, state)
            elif operator in ("gs", "sh"):
                self._blend(operator, operands, parts, state)
            else:
                self._set(operator, operands, parts, state)

    def _set(self, operator: str, operands: list[Any], parts: Any, state: _State) -> None:
        numbers = tuple(float(number) for number in operands if isinstance(number, int | float))
        if operator in _SEGMENTS and len(numbers) == _SEGMENTS[operator]:
            self._segment(operator, numbers, state)
        elif operator in ("W", "W*"):
            self.clips = True
        elif operator == "cm" and len(numbers) == 6:
            state.matrix = multiplied(state.matrix, numbers)
        elif operator in _FILLS:
            state.fill = _colour(operator, numbers) or self._named("pattern", operands, parts)
        elif operator in _STROKES:
            state.stroke = _colour(operator, numbers) or self._named("pattern", operands, parts)
        elif operator in _TEXT_STATE:
            self._set_text(operator, operands, parts, state)
        elif operator in _MOVES:
            self._move(operator, numbers, state)

    def _blend(self, operator: str, operands: list[Any], parts: Any, state: _State) -> None:
        """Sets the graphics state (8.4.5), or paints a shading on everything within the clipping path (8.7.4.2)."""
        if operator == "gs":
            state.blending = self._named("gs", operands, parts)
        else:
            x, y = (state.clip[0] + state.clip[2]) / 2, (state.clip[1] + state.clip[3]) / 2
            self.ink.append(PrintedShape(self._named("sh", operands, parts) + state.blending, x, y))

    def _named(self, what: str, operands: list[Any], parts: Any) -> str:
        """What the last operand names among the resources, such as a pattern, as a hash; empty without a name."""
        kind = {"pattern": "/Pattern", "gs": "/ExtGState", "sh": "/Shading"}[what]
        named = parts[kind].get_object() if kind in parts else {}
        name = operands[-1] if operands and isinstance(operands[-1], str) else ""
        described = self.shared.resource(named, name)
        return f" {what} {described}" if described else ""

    def _set_text(self, operator: str, operands: list[Any], parts: Any, state: _State) -> None:
        number = float(operands[-1]) if operands and isinstance(operands[-1], int | float) else 0.0
        if operator == "Tf" and operands:
            state.font, state.size = self._font(operands[0], parts), number
        elif operator == "TL":
            state.leading = number
        elif operator == "Tr":
            state.invisible = number in (1.0, 3.0, 5.0, 7.0)  # not filled: outlines, or not painted (9.3.6)

    def _move(self, operator: str, numbers: tuple[float, ...], state: _State) -> None:
        if operator == "BT":
            self.line = self.text = IDENTITY
        elif operator == "T*":
            self._next_line(0.0, -state.leading)
        elif operator == "Tm" and len(numbers) == 6:
            self.line = self.text = numbers
        elif operator in ("Td", "TD") and len(numbers) == 2:
            state.leading = -numbers[1] if operator == "TD" else state.leading
            self._next_line(*numbers)

    def _next_line(self, x: float, y: float) -> None:
        self.line = self.text = multiplied(self.line, (1.0, 0.0, 0.0, 1.0, x, y))

    def _font(self, name: Any, parts: Any) -> FontEncoding:
        fonts = parts.get("/Font", {}).get_object() if "/Font" in parts else {}
        font = fonts.get(name) if isinstance(name, str) else None
        return self.shared.encoding(font.get_object()) if font is not None else PLAIN

    def _show_text(self, operator: str, operands: list[Any], state: _State) -> None:
        if operator in ("'", '"'):
            self._next_line(0.0, -state.leading)
        last = operands[-1] if operands else b""
        texts = last if isinstance(last, list) else [last]
        self.shared.count_tokens(len(texts))
        text = "".join(self._read(part, state.font) for part in texts if isinstance(part, bytes))
        matrix = multiplied(state.matrix, self.text)
        x, y = moved(matrix, 0.0, 0.0)
        inside = state.clip[0] <= x <= state.clip[2] and state.clip[1] <= y <= state.clip[3]
        if text.strip("\0 ") and inside and not state.invisible:
            self.ink.append(
                Written(text.strip("\0"), x, y, state.size * hypot(matrix[2], matrix[3]), colour=state.paint("f"))
            )

    def _read(self, string: bytes, font: FontEncoding) -> str:
        text = font.read(string)
        self.shared.count_text(text)
        return text

    def _segment(self, operator: str, numbers: tuple[float, ...], state: _State) -> None:
        if operator == "re":
            x, y, w, h = numbers
            corners = ((x, y), (x + w, y), (x + w, y + h), (x, y + h))
            self.path.append(("re", tuple(edge for corner in corners for edge in moved(state.matrix, *corner))))
            return
        pairs = zip(numbers[::2], numbers[1::2], strict=False)
        self.path.append((operator, tuple(edge for x, y in pairs for edge in moved(state.matrix, x, y))))

    def _paint(self, operator: str, state: _State) -> None:
        path, self.path = self.path, []
        clips, self.clips = self.clips, False
        box = _bounds(path)
        if box is None:
            return
        if operator != "n":
            visible = _intersection(box, state.clip)
            if visible[0] <= visible[2] and visible[1] <= visible[3]:
                looks = _looks(f"{operator} {state.paint(operator)}", path, box)
                self.ink.append(PrintedShape(looks, (visible[0] + visible[2]) / 2, (visible[1] + visible[3]) / 2))
        if clips:
            state.clip = _intersection(state.clip, box)

    def _form(self, operands: list[Any], parts: Any, state: _State, depth: int) -> None:
        names = parts.get("/XObject", {}).get_object() if "/XObject" in parts else {}
        reference = names.get(operands[0]) if operands and isinstance(operands[0], str) else None
        form = reference.get_object() if reference is not None else None
        if form is None or depth > _MAX_DEPTH:
            return
        if form.get("/Subtype") == "/Image":
            x, y = moved(state.matrix, 0.5, 0.5)
            self.ink.append(PrintedShape(f"picture {self.shared.picture(form)}{state.blending}", x, y))
            return
        matrix = form.get("/Matrix", ())
        inner = replace(state)
        if len(matrix) == 6:
            a, b, c, d, e, f = map(float, matrix)
            inner.matrix = multiplied(state.matrix, (a, b, c, d, e, f))
        self.run(self.shared.operations(form), form.get("/Resources", parts), inner, depth + 1)


_SHOW_TEXT = ("Tj", "TJ", "'", '"')
_FILLS = ("g", "rg", "k", "sc", "scn")
_STROKES = ("G", "RG", "K", "SC", "SCN")
_TEXT_STATE = ("Tf", "TL", "Tr")
_MOVES = ("BT", "Tm", "Td", "TD", "T*")
_SEGMENTS: Mapping[str, int] = {"m": 2, "l": 2, "c": 6, "v": 4, "y": 4, "re": 4, "h": 0}
_PAINT = ("S", "s", "f", "F", "f*", "B", "B*", "b", "b*", "n")


def _colour(operator: str, numbers: tuple[float, ...]) -> str:
    """A colour as its operator and operands; empty for black."""
    return f"{operator.lower()} {' '.join(f'{number:.3f}' for number in numbers)}" if any(numbers) else ""


def _bounds(path: list[tuple[str, tuple[float, ...]]]) -> Box | None:
    xs = [x for _, numbers in path for x in numbers[::2]]
    ys = [y for _, numbers in path for y in numbers[1::2]]
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None


def _looks(painted: str, path: list[tuple[str, tuple[float, ...]]], box: Box) -> str:
    """How a shape is painted, and its outline relative to its top left corner, to a twentieth of a millimetre."""
    parts = [painted]
    for operator, numbers in path:
        corners = zip(numbers[::2], numbers[1::2], strict=True)
        parts += [operator, *(f"{round((x - box[0]) * 20)},{round((y - box[1]) * 20)}" for x, y in corners)]
    return " ".join(parts)
