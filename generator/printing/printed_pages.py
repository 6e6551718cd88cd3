"""Reads the texts and drawings on the pages of a printed PDF, in millimetres from the top left corner.

Only content streams are read, never metadata such as the title. Whatever is clipped away or invisible is left out.
Section numbers refer to ISO 32000-1:2008 (PDF 1.7),
https://opensource.adobe.com/dc-acrobat-sdk-docs/pdfstandards/PDF32000_2008.pdf
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from math import hypot
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct, field

from ..errors import Place
from ..geometry.outlines import IDENTITY, Matrix, moved
from ..model.print_settings import PrintSettings
from ..pdf_reading import untrusted_pdf
from ..pdf_reading.page_content import (
    MAX_CODES,
    MAX_DEPTH,
    PLAIN,
    Box,
    Colour,
    FontEncoding,
    PageContent,
    Painted,
    bounds,
    intersection,
    pages_of,
    parse_to_unicode,
)
from ..pdf_reading.untrusted_pdf import Limits, entry
from ..reading.sizes import MAX_MARGIN

if TYPE_CHECKING:  # loaded in the process that reads
    from pypdf import PdfReader

MAX_TEXT = 5_000_000
"""Characters of all texts that are shown."""
POINT = 25.4 / 72
LIMITS = Limits("a print of Pencilbox", seconds=2.5, decompressed=8_000_000)
"""A pad of 100 score sheets has 1,000,000 operators and operands, a board 30,000 in one stream. Strips for six players
take 1.3 seconds: machines may be half as fast."""
# Limits of a matrix that corrects backs: its numbers differ from those of the identity by less, the last two in mm.
_MAX_CHANGE, _MAX_MOVE = 0.2, 200.0
_INVISIBLE = (1, 3, 5, 7)  # rendering modes in which texts are not filled: outlines, or not painted (9.3.6)


class PrintedMark(NamedTuple):
    """A text shown by one operator: the start of its baseline, its type size and its colour. Or a shape or picture,
    which has no `size`: what it looks like, including its colour, and the centre of its visible part."""

    text: str
    x: float
    y: float
    size: float = 0.0
    colour: str = ""


class PrintedPage(Struct, frozen=True):
    """One page: its size in mm, and everything on it in painting order."""

    width: float
    height: float
    ink: tuple[PrintedMark, ...]


def read_pages(source: Path | bytes, name: str = "print.pdf", limits: Limits = LIMITS) -> list[PrintedPage]:
    """The pages of a PDF; messages use `name` if `source` is bytes. Raises InputError for a file that is not a PDF or
    cannot be read within the limits of size and time."""
    place = Place(name if isinstance(source, bytes) else str(source))
    return untrusted_pdf.read(source, place, limits, _pages, limits)


def print_settings(source: Path) -> tuple[PrintSettings, Matrix, str]:
    """What the metadata of a PDF say of how it was printed, which only tells how to print the same pages again: the
    settings, with the margin for which it was laid out if it is not the usual one of its paper, the matrix that
    corrects its backs, and the name of the component. Raises InputError like `read_pages`."""
    return untrusted_pdf.read(source, Place(str(source)), LIMITS, _settings)


def _settings(reader: PdfReader) -> tuple[PrintSettings, Matrix, str]:
    metadata: Mapping[str, Any] = reader.metadata or {}
    margin, *others = _numbers(metadata.get("/PencilboxMargin")) or [-1.0]
    a, b, c, d, e, f = backs if len(backs := _numbers(metadata.get("/PencilboxBacks"))) == 6 else IDENTITY
    is_near = max(abs(a - 1), abs(b), abs(c), abs(d - 1)) < _MAX_CHANGE and max(abs(e), abs(f)) < _MAX_MOVE
    settings = PrintSettings(
        margin=margin if 0 <= margin <= MAX_MARGIN and not others else None,
        high_contrast=metadata.get("/PencilboxContrast") == "high",
        large_print=metadata.get("/PencilboxPrint") == "large",
    )
    component = str(metadata.get("/Keywords")).partition(", ")[2].partition(", ")[0]
    return settings, (a, b, c, d, e, f) if is_near else IDENTITY, component


def _numbers(text: object) -> list[float]:
    """The numbers in an entry of the metadata; none if it holds anything else."""
    try:
        return [float(number) for number in str(text).split()]
    except ValueError:
        return []


def _pages(reader: PdfReader, limits: Limits) -> list[PrintedPage]:
    shared, pages = _Shared(PageContent(limits)), []
    for page in pages_of(reader, limits):
        left, low, right, high = (float(edge) * POINT for edge in page.mediabox)
        box = (0.0, 0.0, right - left, high - low)
        painted = shared.content.page(page, (POINT, 0.0, 0.0, -POINT, -left, high), box)
        pages.append(PrintedPage(*box[2:], tuple(ink for each in painted for ink in _ink(each, shared))))
    return pages


def _ink(painted: Painted, shared: _Shared) -> Iterator[PrintedMark]:
    """What someone who looks at the page sees of it."""
    state = painted.state
    blending = shared.described("gs", state.effects)
    if painted.strings:
        (x, y), (_, _, c, d, _, _) = moved(painted.matrix, 0.0, 0.0), painted.matrix
        text = shared.text(painted).strip("\0")
        inside = state.clip[0] <= x <= state.clip[2] and state.clip[1] <= y <= state.clip[3]
        if text.strip() and inside and state.rendering not in _INVISIBLE:
            yield PrintedMark(text, x, y, state.size * hypot(c, d), colour=shared.colour(state.fill) + blending)
    elif box := bounds(painted.path):
        visible = intersection(box, state.clip)
        if visible[0] <= visible[2] and visible[1] <= visible[3]:
            parts = [f"{painted.operator} {shared.colours(painted)}{blending}"]
            for operator, numbers in painted.path:
                corners = zip(numbers[::2], numbers[1::2], strict=True)
                # relative to the top left corner, to a twentieth of a millimetre
                parts += [operator, *(f"{round((x - box[0]) * 20)},{round((y - box[1]) * 20)}" for x, y in corners)]
            yield PrintedMark(" ".join(parts), *_centre(visible))
    elif painted.operator == "sh":  # everything within the clipping path (8.7.4.2)
        yield PrintedMark(shared.described("sh", painted.thing) + blending, *_centre(state.clip))
    elif painted.operator == "Do":
        x, y = moved(painted.matrix, 0.5, 0.5)
        yield PrintedMark(f"picture {shared.picture(painted.thing)}{blending}", x, y)


def _centre(box: Box) -> tuple[float, float]:
    return (box[0] + box[2]) / 2, (box[1] + box[3]) / 2


class _Shared(Struct):
    """What the pages of one file share: the font tables read so far and the hashes of pictures and resources, by the
    numbers of their objects, and what is left of the limits."""

    content: PageContent
    codes_left: int = MAX_CODES
    text_left: int = MAX_TEXT
    encodings: dict[Any, FontEncoding] = field(default_factory=dict)
    pictures: dict[Any, str] = field(default_factory=dict)
    resources: dict[int, str] = field(default_factory=dict)

    def text(self, painted: Painted) -> str:
        text = "".join(map(self._encoding(painted.state.font).read, painted.strings))
        self.text_left -= len(text)
        if self.text_left < 0:
            raise untrusted_pdf.too_much()
        return text

    def _encoding(self, font: Any) -> FontEncoding:
        table: Any = entry(font, "/ToUnicode") if isinstance(font, dict) else None
        if not hasattr(table, "get_data"):
            return PLAIN
        key = table.indirect_reference
        if key not in self.encodings:
            self.encodings[key] = parse_to_unicode(table.get_data(), self.codes_left)
            self.codes_left -= len(self.encodings[key].texts)
        return self.encodings[key]

    def colours(self, painted: Painted) -> str:
        """The colours in which an operator paints a path."""
        fill, stroke = self.colour(painted.state.fill), self.colour(painted.state.stroke)
        return {"s": stroke, "b": f"{fill} {stroke}"}.get(painted.operator[0].lower(), fill)

    def colour(self, colour: Colour) -> str:
        """A colour as its space and values, or as its pattern; empty for black."""
        if any(colour.values):
            space = colour.space if isinstance(colour.space, str) else colour.space[0]
            return f"{space} {' '.join(f'{value:.3f}' for value in colour.values)}"
        return self.described("pattern", colour.pattern)

    def described(self, what: str, value: Any) -> str:
        """A pattern, shading or graphics state as a hash; empty for None."""
        if value is None:
            return ""
        key = getattr(getattr(value, "indirect_reference", None), "idnum", None) or id(value)
        if key not in self.resources:
            parts = " ".join(self._values(value, 0))
            self.resources[key] = blake2b(parts.encode("utf-8", "replace"), digest_size=8).hexdigest()
        return f" {what} {self.resources[key]}"

    def _values(self, value: Any, depth: int) -> Iterator[str]:
        """The names and numbers in an object and in those it refers to, and the operators of a soft mask."""
        value = value.get_object() if value is not None else None
        self.content.count_tokens(1)
        if depth > MAX_DEPTH:
            return
        if isinstance(value, dict):
            if hasattr(value, "get_data"):
                yield from (f"{name!r}{operands}" for operands, name in self.content.form(value))
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
