"""Everything that a print shop would reject in a PDF, also one that other programs made."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from io import BytesIO
from itertools import chain, islice
from math import dist
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from msgspec import Struct
from PIL import Image, ImageMath

from ..errors import Place, fault, shortened
from ..geometry.outlines import Rect, moved
from ..geometry.polygons import is_inside
from ..pdf_reading.page_content import PageContent, Painted, pages_of
from ..pdf_reading.untrusted_pdf import OWN, Limits, entry, read, read_own
from ..reading.targets import MM_PER_INCH, Target
from .raster import pdfium

if TYPE_CHECKING:  # loaded in the process that reads
    from pypdf import PdfReader

Points: TypeAlias = Sequence[tuple[float, float]]
RULES = {
    "size": "the page does not have the size of a product",
    "boxes": "the page does not define where it is cut",
    "bleed": "art ends at the cut instead of continuing into the bleed",
    "safe": "texts and symbols are too close to the cut",
    "resolution": "pictures have too few dots per inch",
    "fonts": "fonts are not embedded",
    "rgb": "colours are in RGB instead of CMYK",
    "ink": "there is more ink than the paper can take",
    "lines": "lines are thinner than 0.25 pt",
    "text": "texts are smaller than 5 pt",
    "knockout": "small white text is on heavy ink, in which it fills up",
    "overprint": "white overprints, so that it disappears",
    "transparency": "there is transparency",
    "pages": "the number of pages is odd",
    "standard": "the file is not PDF/X-1a",
}
"""Every rule with what it looks for."""
POINTS = 72 / MM_PER_INCH
MIN_DPI = 299.0
"""Pictures with 300 dots per inch, and some tolerance for rounding."""
MIN_LINE = 0.25
MIN_TEXT = 5.0
"""The least size of a text that can be read in print, in points."""
KNOCKED_OUT, HEAVY, LIGHT = 9.0, 2.2, 0.2
"""White text up to this size, in points, fills up on this much ink; text with this little ink is white."""
_MAX_FILLS, _MAX_CORNERS = 400, 400  # how many fills below a text are known, and the corners of the most complex one
_NEAR = 0.3  # how far a page may differ from what it should be, in mm
_LIMIT = 0.011  # how much more ink than the limit is taken for rounding
_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")
_STRIP = 2_000_000
_MAX_PIXELS = 150_000_000  # pictures with more are not examined: they are larger than any sheet of paper
Edges: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""
Rim: TypeAlias = Sequence[tuple[tuple[float, float], tuple[float, float]]]
"""Points just inside the outline of a card, each with the point in the bleed beside it."""


class PreflightFinding(Struct, frozen=True):
    """A breach of a rule: the card (or page), the place (in mm from the
    upper left corner of the trim), and what. `hint` says how to fix it."""

    rule: str
    message: str
    component: str = ""
    card: str = ""
    page: int = 0
    place: Rect | None = None
    hint: str = ""

    @property
    def where(self) -> str:
        """The card or page, and the place on it."""
        named = ", ".join(part for part in (self.component, self.card) if part)
        page = f"page {self.page}" if self.page else ""
        what = f"{page} ({named})" if page and named else page or named or "the file"
        return f"{what}{self.at}"

    @property
    def at(self) -> str:
        """The place on the card or page, such as ` at 3.0, 2.5 mm`; empty if there is none."""
        return f" at {self.place.x:.1f}, {self.place.y:.1f} mm" if self.place else ""


class _Page(Struct, frozen=True):
    """A page of the document: its number from 1, its boxes in points, and the card on it."""

    number: int
    page: Any
    media: Edges
    trim: Edges
    bleed: Edges
    component: str
    card: str

    def finding(self, rule: str, message: str, points: Points = (), hint: str = "") -> PreflightFinding:
        """A finding on this page; `points` are the corners of its place, in points of the page."""
        place = None
        if points:
            across, down = zip(*points, strict=True)
            box = min(across) - self.trim[0], self.trim[3] - max(down), max(across) - min(across), max(down) - min(down)
            place = Rect(*(round(length / POINTS, 2) for length in box))
        return PreflightFinding(rule, message, self.component, card=self.card, page=self.number, place=place, hint=hint)

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the trim in mm."""
        return (self.trim[2] - self.trim[0]) / POINTS, (self.trim[3] - self.trim[1]) / POINTS

    @property
    def margin(self) -> float:
        """The narrowest bleed in mm."""
        inner, outer = self.trim, self.bleed
        return min(inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3]) / POINTS


class KnownPages(Struct, frozen=True):
    """Facts about a PDF of this program: the component and the card on each page (from 1), the outline of cards
    that are not rectangles, how wide the bleed is, and whether each front has a back. Sizes and texts have been
    checked before."""

    names: Mapping[int, tuple[str, str]]
    rim: Rim | None
    bleed: float
    has_backs: bool = True


LIMITS = Limits(
    "checked",
    seconds=1.0,
    decompressed=200_000_000,
    max_bytes=500_000_000,
    pages=5_000,
    stream_bytes=20_000_000,
    stream_tokens=1_000_000,
    tokens=5_000_000,
    page_seconds=0.1,
    byte_seconds=20e-6,
)
_IMAGE_BYTE_SECONDS = 0.2e-6  # by how much a byte of a picture extends the time
SCREEN = ("tabletop-simulator", "pcio", "svg", "dxf")
"""Formats that are not printed."""


def refuse_screens(target: Target) -> None:
    """Raises InputError for a target that prints nothing."""
    if target.definition.format in SCREEN:
        raise fault(f"{target.name} prints nothing", hint="preflight is for print services and print shops")


def of_pdf(path: Path, target: Target) -> list[PreflightFinding]:
    """What the target rejects in a PDF file. Raises InputError if it cannot be read."""
    refuse_screens(target)
    pdfium()  # the missing library is reported before the file is read
    return read(path, Place(str(path)), LIMITS, _findings, target, None, LIMITS)


def check(data: bytes, target: Target, known: KnownPages | None = None) -> list[PreflightFinding]:
    """What the target rejects in a PDF of this program."""
    return read_own(data, _findings, target, known, OWN)


def _findings(document: PdfReader, target: Target, known: KnownPages | None, limits: Limits) -> list[PreflightFinding]:
    return list(_checked(document, target, known, limits))


def _checked(
    document: PdfReader, target: Target, known: KnownPages | None, limits: Limits
) -> Iterator[PreflightFinding]:
    definition, names, labels = target.definition, known.names if known else {}, document.page_labels
    pages = [_page(number, page, labels, names) for number, page in enumerate(pages_of(document, limits), start=1)]
    printed = definition.format in ("pdf", "pdf-x1a")
    is_ours = _information(document, "/Creator").startswith("Pencilbox")
    if definition.format == "pdf-x1a":
        root, header = document.root_object, document.pdf_header
        unmarked = not _information(document, "/GTS_PDFXVersion").startswith("PDF/X-1")
        made = "export it with “pencilbox export”, or as PDF/X-1a:2003 from the program that made it"
        hint = "" if unmarked else made
        later = f"the version is {header[1:]}, later than PDF 1.4"
        no_intent = "there is no output intent, so its inks and paper are unknown"
        intents = entry(root, "/OutputIntents", ())
        has_intent = any(entry(intent.get_object(), "/S") == "/GTS_PDFX" for intent in intents)
        has_forms = "/AcroForm" in root or any("/Annots" in page for page in document.pages)
        has_actions = "/OpenAction" in root or "/AA" in root or "/JavaScript" in entry(root, "/Names", {})
        has_groups = any("/Group" in page for page in document.pages)
        for wrong, rule, message, how in (
            (unmarked, "standard", "it is not marked as PDF/X-1a", made),
            (header not in ("%PDF-1.3", "%PDF-1.4"), "standard", later, hint),
            (not has_intent, "standard", no_intent, hint),
            (has_forms, "standard", "there are form fields or comments", "remove them"),
            (has_actions, "standard", "there are actions or scripts", "remove them"),
            (has_groups, "transparency", "pages are transparency groups", "flatten transparency"),
        ):
            if wrong:
                yield PreflightFinding(rule, message, hint=how)
    cards = "deck" in (definition.kinds or ()) and not definition.cut_lines and (known is None or known.has_backs)
    if len(pages) % 2 and definition.format == "pdf-x1a" and (cards or (len(pages) > 1 and not is_ours)):
        hint = "each card needs a front and a back page"
        yield PreflightFinding("pages", f"the file has an odd number of pages: {len(pages)}", hint=hint)
    if not known:
        yield from _sizes(pages, target)
    content = PageContent(limits)
    for page in pages:
        yield from _boxes(page, definition.bleed, printed=printed and cards)
        yield from _fonts(page)
        yield from _painted(content, page, target)
    yield from _seen(document, pages, target, known)


def _information(document: PdfReader, key: str) -> str:
    """An entry of the document information; empty if there is none."""
    return str(entry(document.metadata, key, "")) if document.metadata else ""


def _page(number: int, page: Any, labels: Sequence[str], names: Mapping[int, tuple[str, str]]) -> _Page:
    media = _box(page, "/MediaBox", (0.0, 0.0, 612.0, 792.0))
    crop = _box(page, "/CropBox", media)
    trim = _box(page, "/TrimBox", _box(page, "/ArtBox", crop))
    component, card = names.get(number, ("", ""))
    if not card and labels[number - 1] != str(number):
        card = labels[number - 1]
    return _Page(number, page, media, trim=trim, bleed=_box(page, "/BleedBox", crop), component=component, card=card)


def _box(page: Any, name: str, default: tuple[float, ...]) -> tuple[float, float, float, float]:
    left, bottom, right, top = [float(edge.get_object()) for edge in entry(page, name, ())] or default
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _sizes(pages: Sequence[_Page], target: Target) -> Iterator[PreflightFinding]:
    products = list(target.products.values())
    for page in pages:
        width, height = page.size
        if products:
            right = any(
                abs(width - one) <= 1 and abs(height - other) <= 1
                for product in products
                for one, other in ((product.width, product.height), (product.height, product.width))
            )
            if not right:
                yield page.finding("size", f"{target.definition.service} has no product of {_size(page)}")
        elif abs(width - pages[0].size[0]) > _NEAR or abs(height - pages[0].size[1]) > _NEAR:
            message = f"the trim is {_size(page)}, but that of the first page is {_size(pages[0])}"
            yield page.finding("size", message, hint="put cards of different sizes into separate files")


def _size(page: _Page) -> str:
    return f"{page.size[0]:.4g} × {page.size[1]:.4g} mm"


def _boxes(page: _Page, bleed: float, *, printed: bool) -> Iterator[PreflightFinding]:
    if "/TrimBox" not in page.page and "/ArtBox" not in page.page:
        yield page.finding("boxes", "there is no trim box", hint="set up the trim and the bleed before exporting")
    elif printed and page.margin < bleed - _NEAR:
        message = f"the bleed is {max(page.margin, 0):.1f} mm wide, but {bleed:.4g} mm are needed"
        yield page.finding("bleed", message, hint="set up the pages with bleed")


def _fonts(page: _Page) -> Iterator[PreflightFinding]:
    missing: dict[str, None] = {}
    for font in _fonts_of(entry(page.page, "/Resources", {}), set()):
        descendants = entry(font, "/DescendantFonts")
        descriptor = entry(descendants[0].get_object() if descendants else font, "/FontDescriptor", {})
        if not any(key in descriptor for key in _EMBEDDED) and entry(font, "/Subtype") != "/Type3":
            missing[str(entry(font, "/BaseFont", "a font")).lstrip("/")] = None
    for name in missing:
        yield page.finding("fonts", f"{name} is not embedded", hint="embed fonts, or turn texts into outlines")


def _fonts_of(resources: Any, seen: set[int]) -> Iterator[Any]:
    """The fonts among resources, and among those of the forms in them."""
    if id(resources) in seen:
        return
    seen.add(id(resources))
    yield from (font.get_object() for font in entry(resources, "/Font", {}).values())
    for reference in entry(resources, "/XObject", {}).values():
        thing = reference.get_object()
        if entry(thing, "/Subtype") == "/Form":
            yield from _fonts_of(entry(thing, "/Resources", {}), seen)


# ---- what is painted ------------------------------------------------------------------------------------------------


class _Ink(Struct, frozen=True):
    """Something that is painted: what it is, the kind of its colour (`cmyk`, `grey`, `rgb`, `spot`, `pattern`, `other`)
    and its values, the corners of its box on the page in points, the width of a line in points, whether it overprints
    and is transparent, and the object of an image. The `width` of a text is its size in points."""

    what: str
    kind: str
    values: tuple[float, ...]
    points: Points
    overprints: bool
    transparent: bool
    width: float = 0.0
    image: Any = None


_KINDS = {
    "/DeviceCMYK": "cmyk",
    "/DeviceGray": "grey",
    "/DeviceRGB": "rgb",
    "/CalRGB": "rgb",
    "/Lab": "rgb",
    "/CalGray": "grey",
    "/Separation": "spot",
    "/DeviceN": "spot",
    "/Pattern": "pattern",
}
_ICC = {1: "grey", 3: "rgb", 4: "cmyk"}
_INVISIBLE = 3  # the rendering mode of invisible text (9.3.6)
_UNIT_SQUARE = ((0, 0), (1, 0), (1, 1), (0, 1))


def _kind(space: Any, pattern: Any = None) -> str:
    """The kind of a colour space (8.6.3), or of the colours in a pattern."""
    space = space.get_object() if hasattr(space, "get_object") else space
    if pattern is not None and (shading := entry(pattern, "/Shading")) is not None:
        return f"pattern {_kind(entry(shading, '/ColorSpace', ''))}"
    if isinstance(space, list) and space:
        if space[0] == "/ICCBased":
            return _ICC.get(int(entry(space[1].get_object(), "/N", 0)), "other")
        return _kind(space[1] if space[0] == "/Indexed" else space[0])
    return _KINDS.get(str(space), "other")


def _paints(painted: Painted) -> Iterator[_Ink]:
    """What one operator paints: a path may be filled and have a line."""
    state, thing = painted.state, painted.thing
    below = state.overprint_fill, state.transparent
    if painted.path:
        points = [point for _, numbers in painted.path for point in zip(numbers[::2], numbers[1::2], strict=True)]
        kind = painted.operator[0].lower()
        if kind != "s":
            yield _Ink("fill", _kind(state.fill.space, state.fill.pattern), state.fill.values, points, *below)
        if kind in "sb":
            (a, b, c, d, _, _), colour = painted.matrix, state.stroke
            width = abs(a * d - b * c) ** 0.5 * state.width
            over = state.overprint_stroke, state.transparent
            yield _Ink("line", _kind(colour.space, colour.pattern), colour.values, points, *over, width)
    elif painted.strings:
        spot, (a, b, c, d, _, _) = (moved(painted.matrix, 0.0, 0.0),), painted.matrix
        size = 0.0 if state.rendering == _INVISIBLE else abs(a * d - b * c) ** 0.5 * abs(state.size)
        yield _Ink("text", _kind(state.fill.space, state.fill.pattern), state.fill.values, spot, *below, size)
    elif thing is not None:
        square = [moved(painted.matrix, x, y) for x, y in _UNIT_SQUARE]
        if painted.operator != "Do":
            space = entry(thing, "/ColorSpace", "") if painted.operator == "sh" else ""
            yield _Ink("shade" if painted.operator == "sh" else "image", _kind(space), (), square, *below)
            return
        kind = "spot" if entry(thing, "/ImageMask", False) else _kind(entry(thing, "/ColorSpace", ""))
        transparent = state.transparent or "/SMask" in thing
        yield _Ink("image", kind, (), square, state.overprint_fill, transparent, image=thing)


def _painted(content: PageContent, page: _Page, target: Target) -> Iterator[PreflightFinding]:
    """Colours, inks, lines, pictures and transparency; the first place of each on a page."""
    found: dict[tuple[str, str], PreflightFinding] = {}
    fills: deque[_Ink] = deque(maxlen=_MAX_FILLS)
    for painted in content.page(page.page):
        for paint in _paints(painted):
            content.allow_time(paint.image, _IMAGE_BYTE_SECONDS)
            if paint.what == "fill" and 0 < len(paint.points) <= _MAX_CORNERS:
                fills.append(paint)
            below = _knocked_out(paint, page, fills) if target.definition.colour == "cmyk" else ()
            for finding in chain(_of(paint, page, target), below):
                found.setdefault((finding.rule, finding.message), finding)
    yield from found.values()


def _knocked_out(paint: _Ink, page: _Page, fills: deque[_Ink]) -> Iterator[PreflightFinding]:
    """Small white text on heavy ink."""
    if paint.what != "text" or not 0 < paint.width < KNOCKED_OUT or _total(paint) > LIGHT:
        return
    point = paint.points[0]  # curves below it are taken for their control points
    below = next((fill for fill in reversed(fills) if is_inside([fill.points], point, even_odd=True)), None)
    if below and _total(below) > HEAVY:
        message = f"white text of {paint.width:.3g} pt is on {_total(below) * 100:.0f}% ink"
        yield page.finding("knockout", message, paint.points, "make it larger or bolder, or use less ink below it")


def _total(paint: _Ink) -> float:
    """The ink of a colour, from 0 to 4."""
    if paint.kind == "cmyk":
        return sum(paint.values)
    return 1 - paint.values[0] if paint.kind == "grey" and paint.values else 1.0


def _of(paint: _Ink, page: _Page, target: Target) -> Iterator[PreflightFinding]:
    kind, values, definition = paint.kind, paint.values, target.definition
    cmyk, limit, lines = definition.colour == "cmyk", definition.ink, definition.format in ("pdf", "pdf-x1a")
    yield from _thin(paint, page, lines=lines)
    if paint.image is not None:
        yield from _image(paint, page, limit if cmyk else None)
    if not cmyk:
        return
    if kind.endswith("rgb"):
        what = {"image": "a picture is", "line": "a line is", "text": "a text is"}.get(paint.what, "a shape is")
        yield page.finding("rgb", f"{what} in RGB", paint.points, "convert colours to CMYK")
    if limit and kind == "cmyk" and sum(values) * 100 > limit + 100 * _LIMIT:
        message = f"{sum(values) * 100:.0f}% ink, but at most {limit:g}% is allowed"
        yield page.finding("ink", message, paint.points, "use less of all four inks")
    if paint.overprints and (kind, values) in (("cmyk", (0.0,) * 4), ("grey", (1.0,))):
        yield page.finding("overprint", "white is set to overprint", paint.points, "turn overprint off for white")
    if paint.transparent:
        yield page.finding("transparency", "something is transparent", paint.points, "flatten transparency")


def _thin(paint: _Ink, page: _Page, *, lines: bool) -> Iterator[PreflightFinding]:
    """Lines that are too thin, and texts that are too small."""
    if lines and paint.what == "line" and 0 <= paint.width < MIN_LINE - 0.005 and paint.kind != "spot":
        yield page.finding("lines", f"a line is {paint.width:.2f} pt wide", paint.points, "make it at least 0.25 pt")
    if paint.what == "text" and 0 < paint.width < MIN_TEXT - 0.05:
        hint = f"make it at least {MIN_TEXT:g} pt"
        yield page.finding("text", f"a text is {paint.width:.2g} pt high", paint.points, hint)


def _image(paint: _Ink, page: _Page, limit: float | None) -> Iterator[PreflightFinding]:
    image, (origin, right, _, top) = paint.image, paint.points
    width, height = (int(entry(image, key, 0)) for key in ("/Width", "/Height"))
    across, down = dist(origin, right) / 72, dist(origin, top) / 72
    if across > 0 and down > 0 and (dpi := min(width / across, height / down)) < MIN_DPI:
        hint = "use a larger picture, or make it smaller on the page"
        yield page.finding("resolution", f"a picture has only {dpi:.0f} dpi", paint.points, hint)
    if limit and paint.kind == "cmyk" and width * height <= _MAX_PIXELS:
        most = _most_ink(image, (width, height))
        if most * 100 > limit + 100 * _LIMIT:
            message = f"a picture has up to {most * 100:.0f}% ink, but at most {limit:g}% is allowed"
            yield page.finding("ink", message, paint.points, "convert it with a profile for this paper")


def _most_ink(image: Any, size: tuple[int, int]) -> float:
    """The most ink of any pixel of a picture, from 0 to 4; 0 if it is not a JPEG and has no 8 bits for each ink."""
    data, jpeg = image.get_data(), str(entry(image, "/Filter", "")).find("DCTDecode") >= 0
    try:
        picture = Image.open(BytesIO(data)) if jpeg else Image.frombytes("CMYK", size, data)
        picture.load()
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return 0.0
    if picture.mode != "CMYK":
        return 0.0
    most, rows = 0, max(1, _STRIP // picture.width)
    for top in range(0, picture.height, rows):
        strip = picture.crop((0, top, picture.width, min(top + rows, picture.height)))
        bands = dict(zip("cmyk", (band.convert("I") for band in strip.split()), strict=True))
        total = ImageMath.lambda_eval(lambda inks: inks["c"] + inks["m"] + inks["y"] + inks["k"], **bands)
        most = max(most, total.getextrema()[1])
    return most / 255


_SHARE = 0.03
_DPI = 100
_MAX_PAGE_PIXELS = 16_000_000  # the size of the image of a page: very large ones are drawn with less resolution
_WHITE = 250
_INSIDE, _OUTSIDE = 0.4, 0.5  # how far inside the cut and inside the outer edge of the bleed pages are examined, in mm
_NOTHING = 1e6  # far beyond the page, where everything is white
_LEAST = 1.5  # the shortest part of an edge that counts, in mm: a line that ends at the cut is shorter
# How far a text may reach out of the safe area, in mm: pdfium's boxes are a little larger than letters.
_TOLERANCE = 0.15
_MAX_TEXTS = 20  # the most texts of a page that are reported


def _seen(
    document: PdfReader, pages: Sequence[_Page], target: Target, known: KnownPages | None
) -> Iterator[PreflightFinding]:
    """Art that ends at the cut, and in PDFs of other programs, texts that are too close to it."""
    bleed, safe = known.bleed if known else target.definition.bleed, 0.0 if known else target.definition.safe
    document.stream.seek(0)
    with closing(pdfium().PdfDocument(document.stream.read())) as drawn_document:
        for page in pages:
            if bleed:
                drawn = _drawn(drawn_document[page.number - 1], page)
                rim = known.rim if known else None
                for where, points in _bare_rim(drawn, rim) if rim else _bare(drawn, page, bleed * POINTS):
                    message = f"art ends at the cut {where}"
                    yield page.finding("bleed", message, points, "extend backgrounds beyond the cut")
            if safe:
                with closing(drawn_document[page.number - 1].get_textpage()) as texts:
                    yield from islice(_outside(texts, page, safe), _MAX_TEXTS)


class _DrawnPage(Struct, frozen=True):
    """A page as it is seen: its image in grey, its media box, and the resolution."""

    image: Any
    media: Edges
    dpi: float

    def level(self, across: float, along: float, upright: bool) -> int:
        """The grey level at a point of the page; white outside it."""
        x, y = (across, along) if upright else (along, across)
        column, row = int((x - self.media[0]) * self.dpi / 72), int((self.media[3] - y) * self.dpi / 72)
        if not (0 <= column < self.image.width and 0 <= row < self.image.height):
            return 255
        return int(self.image.getpixel((column, row)))


def _drawn(page: Any, about: _Page) -> _DrawnPage:
    dpi = min(_DPI, 72 * (_MAX_PAGE_PIXELS / max(1.0, page.get_width() * page.get_height())) ** 0.5)
    image = page.render(scale=dpi / 72, draw_annots=False).to_pil().convert("L")
    page.close()
    return _DrawnPage(image, about.media, dpi)


def _bare(drawn: _DrawnPage, page: _Page, bleed: float) -> Iterator[tuple[str, Points]]:
    """The parts of edges where art ends at the cut: coloured inside, white in the bleed, which should be this wide (in
    points). Each is its place in words and its ends."""
    (left, bottom, right, top), box = page.trim, page.bleed
    inside, outside = _INSIDE * POINTS, _OUTSIDE * POINTS
    margins = (left - box[0], bottom - box[1], box[2] - right, box[3] - top)
    beyond = [bleed - outside if margin > bleed - outside else _NOTHING for margin in margins]
    sides = (
        ("on the left", True, left + inside, left - beyond[0]),
        ("at the bottom", False, bottom + inside, bottom - beyond[1]),
        ("on the right", True, right - inside, right + beyond[2]),
        ("at the top", False, top - inside, top + beyond[3]),
    )
    for where, upright, near, far in sides:
        start, end = (bottom, top) if upright else (left, right)
        steps = max(2, round((end - start) / POINTS / 0.5))
        run: list[float] = []
        for step in range(steps + 1):
            along = start + inside + (end - start - 2 * inside) * step / steps
            bare = drawn.level(near, along, upright) < _WHITE <= drawn.level(far, along, upright)
            if bare:
                run.append(along)
            if run and (not bare or step == steps):
                if run[-1] - run[0] >= _LEAST * POINTS:
                    ends = (near, run[0]), (near, run[-1])
                    yield where, ends if upright else tuple((x, y) for y, x in ends)
                    break
                run = []


def _bare_rim(drawn: _DrawnPage, rim: Rim) -> Iterator[tuple[str, Points]]:
    """The part of another outline where art ends, if it is more than a few points."""
    bare = [near for near, far in rim if drawn.level(*near, True) < _WHITE <= drawn.level(*far, True)]
    if len(bare) > len(rim) * _SHARE:
        yield "along the outline", tuple(bare)


def _outside(texts: Any, page: _Page, safe: float) -> Iterator[PreflightFinding]:
    """The texts that reach out of the safe area, `safe` mm inside the trim."""
    trim, hint = page.trim, f"keep texts {safe:.4g} mm from the cut"
    for number in range(texts.count_rects()):
        left, bottom, right, top = texts.get_rect(number)
        excess = {
            "on the left": trim[0] - left,
            "at the bottom": trim[1] - bottom,
            "on the right": right - trim[2],
            "at the top": top - trim[3],
        }
        place, most = max(excess.items(), key=lambda pair: pair[1])
        room = -most / POINTS
        if room >= safe - _TOLERANCE:
            continue
        text = " ".join(texts.get_text_bounded(left, bottom, right, top).split())
        if text:
            away = f"{room:.1f} mm from the cut {place}" if room >= 0 else f"cut off {place}"
            yield page.finding("safe", f"“{shortened(text, 40)}” is {away}", ((left, bottom), (right, top)), hint)
