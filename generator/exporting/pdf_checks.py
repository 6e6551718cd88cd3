"""Checks a PDF for what a target rejects: any PDF, also one that other programs made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from typing import Any

from ..errors import Place, fault
from ..fast_dataclasses import dataclass
from ..reading.targets import Target
from .findings import Box, Finding
from .ink_walk import Paint, TooMuchError, Walk
from .page_edges import Rim, bare_edges, outside_texts
from .pdfx import library

POINTS = 72 / 25.4
MIN_DPI = 299.0
"""Pictures with 300 dots per inch, and some tolerance for rounding."""
MIN_LINE = 0.25
_NEAR = 0.3
"""How far a page may differ from what it should be, in mm."""
_LIMIT = 0.011
"""How much more ink than the limit is taken for rounding."""
_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")
_STRIP = 2_000_000
_MAX_PIXELS = 150_000_000
"""Pictures with more are not looked at: they are larger than any sheet of paper."""
Names = Mapping[int, tuple[str, str]]
"""The component and the card on each page, from 1."""


@dataclass(frozen=True, slots=True)
class _Page:
    """A page of the document: its number from 1, its boxes in points, and the card on it."""

    number: int
    page: Any
    media: tuple[float, float, float, float]
    trim: tuple[float, float, float, float]
    bleed: tuple[float, float, float, float]
    component: str
    card: str

    def finding(self, rule: str, message: str, points: Sequence[tuple[float, float]] = (), hint: str = "") -> Finding:
        """A finding on this page; `points` are the corners of its place, in points of the page."""
        return Finding(rule, message, self.component, self.card, self.number, self._box(points), hint)

    def _box(self, points: Sequence[tuple[float, float]]) -> Box | None:
        if not points:
            return None
        left, right = min(x for x, _ in points), max(x for x, _ in points)
        bottom, top = min(y for _, y in points), max(y for _, y in points)
        x, y = (left - self.trim[0]) / POINTS, (self.trim[3] - top) / POINTS
        return Box(round(x, 2), round(y, 2), round((right - left) / POINTS, 2), round((top - bottom) / POINTS, 2))

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the trim in mm."""
        return (self.trim[2] - self.trim[0]) / POINTS, (self.trim[3] - self.trim[1]) / POINTS

    @property
    def margin(self) -> float:
        """The narrowest bleed in mm."""
        inner, outer = self.trim, self.bleed
        return min(inner[0] - outer[0], inner[1] - outer[1], outer[2] - inner[2], outer[3] - inner[3]) / POINTS


@dataclass(frozen=True, slots=True)
class Ours:
    """What is known of a PDF of this program: the card on each page, the outlines of cards that are no rectangles by
    page, and how wide the bleed is. Sizes and texts have been checked before."""

    names: Names
    shapes: Mapping[int, Rim] | None
    bleed: float


def check(data: bytes, target: Target, place: str = "", ours: Ours | None = None) -> Iterator[Finding]:
    """What the target rejects in a PDF. Raises InputError if the file cannot be read."""
    pikepdf = library()
    try:
        document = pikepdf.open(BytesIO(data))
    except pikepdf.PasswordError:
        raise fault("is protected by a password", Place(place), "save it without one") from None
    except (pikepdf.PdfError, ValueError):
        raise fault("cannot be read as a PDF", Place(place)) from None
    with document:
        try:
            yield from _checked(pikepdf, document, data, target, ours)
        except TooMuchError:
            raise fault("is too complicated to be checked", Place(place)) from None
        except (pikepdf.PdfError, KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            raise fault(
                f"is damaged, or not a PDF that can be checked ({type(error).__name__})", Place(place)
            ) from error


def _checked(pikepdf: Any, document: Any, data: bytes, target: Target, ours: Ours | None) -> Iterator[Finding]:
    definition = target.definition
    pages = [_page(number, page, ours.names if ours else {}) for number, page in enumerate(document.pages, start=1)]
    printed = definition.format in ("pdf", "pdf-x1a")
    if definition.format == "pdf-x1a":
        yield from _standard(pikepdf, document, data)
    cards = definition.kinds == ("deck",)
    if len(pages) % 2 and definition.format == "pdf-x1a" and (cards or (len(pages) > 1 and not _is_ours(document))):
        hint = "each card needs a front and a back page"
        yield Finding("pages", f"the file has an odd number of pages: {len(pages)}", hint=hint)
    if not ours:
        yield from _sizes(pages, target)
    walk = Walk(pikepdf)
    for page in pages:
        yield from _boxes(page, definition.bleed, printed=printed and cards)
        yield from _fonts(page)
        yield from _painted(pikepdf, walk, page, target)
    yield from _seen(data, pages, target, ours)


def _is_ours(document: Any) -> bool:
    return str(document.docinfo.get("/Creator", "")).startswith("Pencilbox")


def _page(number: int, page: Any, names: Names) -> _Page:
    media = _box(page, "/MediaBox", (0.0, 0.0, 612.0, 792.0))
    crop = _box(page, "/CropBox", media)
    trim = _box(page, "/TrimBox", _box(page, "/ArtBox", crop))
    component, card = names.get(number, ("", ""))
    if not card and page.label != str(number):
        card = page.label
    return _Page(number, page, media, trim, _box(page, "/BleedBox", crop), component, card)


def _box(page: Any, name: str, default: tuple[float, ...]) -> tuple[float, float, float, float]:
    found = page.mediabox if name == "/MediaBox" else page.obj.get(name)
    left, bottom, right, top = [float(edge) for edge in found] if found is not None else default
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


# ---- the file as a whole


def _standard(pikepdf: Any, document: Any, data: bytes) -> Iterator[Finding]:
    info, root = document.docinfo, document.Root
    hint = "export it with “pencilbox export”, or as PDF/X-1a:2003 from the program that made it"
    if not str(info.get("/GTS_PDFXVersion", "")).startswith("PDF/X-1"):
        yield Finding("standard", "it does not say that it is PDF/X-1a", hint=hint)
        hint = ""
    if not data.startswith((b"%PDF-1.3", b"%PDF-1.4")):
        yield Finding("standard", f"the version is {data[1:8].decode('latin-1')}, later than PDF 1.4", hint=hint)
    if not any(intent.get("/S") == "/GTS_PDFX" for intent in root.get("/OutputIntents", [])):
        yield Finding(
            "standard", "there is no output intent, so nobody knows for which inks and paper it is", hint=hint
        )
    if document.is_encrypted:
        yield Finding("standard", "the file is encrypted", hint="save it without protection")
    if "/AcroForm" in root or any("/Annots" in page.obj for page in document.pages):
        yield Finding("standard", "there are form fields or comments", hint="remove them")
    if "/OpenAction" in root or "/AA" in root or "/JavaScript" in root.get("/Names", {}):
        yield Finding("standard", "there are actions or scripts", hint="remove them")
    if any("/Group" in page.obj for page in document.pages):
        yield Finding("transparency", "pages are transparency groups", hint="flatten transparency")


def _sizes(pages: Sequence[_Page], target: Target) -> Iterator[Finding]:
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
            message = f"the trim is {_size(page)}, and that of the first page {_size(pages[0])}"
            yield page.finding("size", message, hint="put cards of different sizes into files of their own")


def _size(page: _Page) -> str:
    return f"{page.size[0]:.4g} × {page.size[1]:.4g} mm"


def _boxes(page: _Page, bleed: float, *, printed: bool) -> Iterator[Finding]:
    if "/TrimBox" not in page.page.obj and "/ArtBox" not in page.page.obj:
        yield page.finding("boxes", "there is no trim box", hint="export with crop and bleed set up")
    elif printed and page.margin < bleed - _NEAR:
        message = f"the bleed is {max(page.margin, 0):.1f} mm wide, and {bleed:.4g} mm are needed"
        yield page.finding("bleed", message, hint="set up the pages with bleed")


def _fonts(page: _Page) -> Iterator[Finding]:
    missing: dict[str, None] = {}
    for font in _fonts_of(page.page.obj.get("/Resources"), 0):
        inner = font["/DescendantFonts"][0] if "/DescendantFonts" in font else font
        descriptor = inner.get("/FontDescriptor")
        embedded = descriptor is not None and any(key in descriptor for key in _EMBEDDED)
        if not embedded and font.get("/Subtype") != "/Type3":
            missing[str(font.get("/BaseFont", "a font")).lstrip("/")] = None
    for name in missing:
        yield page.finding("fonts", f"{name} is not embedded", hint="embed fonts, or turn texts into outlines")


def _fonts_of(resources: Any, depth: int) -> Iterator[Any]:
    if resources is None or depth > 8:
        return
    yield from (font for _, font in resources.get("/Font", {}).items())
    for _, thing in resources.get("/XObject", {}).items():
        if thing.get("/Subtype") == "/Form":
            yield from _fonts_of(thing.get("/Resources"), depth + 1)


# ---- what is painted


def _painted(pikepdf: Any, walk: Walk, page: _Page, target: Target) -> Iterator[Finding]:
    """Colours, inks, lines, pictures and transparency; the first place of each on a page."""
    found: dict[tuple[str, str], Finding] = {}
    for paint in walk.page(page.page):
        for finding in _of(pikepdf, paint, page, target):
            found.setdefault((finding.rule, finding.message), finding)
    yield from found.values()


def _of(pikepdf: Any, paint: Paint, page: _Page, target: Target) -> Iterator[Finding]:
    (kind, values), definition = paint.colour, target.definition
    cmyk, limit, lines = definition.colour == "cmyk", definition.ink, definition.format in ("pdf", "pdf-x1a")
    if lines and paint.kind == "line" and 0 <= paint.width < MIN_LINE - 0.005 and kind != "spot":
        yield page.finding("lines", f"a line is {paint.width:.2f} pt wide", paint.points, "make it at least 0.25 pt")
    if paint.kind == "image":
        yield from _image(pikepdf, paint, page, limit if cmyk else None)
    if not cmyk:
        return
    if kind.endswith("rgb"):
        what = {"image": "a picture is", "line": "a line is", "text": "a text is"}.get(paint.kind, "a shape is")
        yield page.finding("rgb", f"{what} in RGB", paint.points, "convert colours to CMYK")
    if limit and kind == "cmyk" and sum(values) * 100 > limit + 100 * _LIMIT:
        message = f"{sum(values) * 100:.0f}% ink, and {limit:g}% is the most"
        yield page.finding("ink", message, paint.points, "use less of all four inks")
    overprints = paint.state.overprint_stroke if paint.kind == "line" else paint.state.overprint_fill
    if overprints and (kind, values) in (("cmyk", (0.0,) * 4), ("grey", (1.0,))):
        yield page.finding("overprint", "white is set to overprint", paint.points, "turn overprint off for white")
    if paint.state.transparent:
        yield page.finding("transparency", "something is transparent", paint.points, "flatten transparency")


def _image(pikepdf: Any, paint: Paint, page: _Page, limit: float | None) -> Iterator[Finding]:
    image = paint.image
    if not isinstance(image, pikepdf.Stream):
        return
    (x0, y0), (x1, y1), _, (x3, y3) = paint.points
    across, down = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5 / 72, ((x3 - x0) ** 2 + (y3 - y0) ** 2) ** 0.5 / 72
    if across > 0 and down > 0:
        dpi = min(int(image["/Width"]) / across, int(image["/Height"]) / down)
        if dpi < MIN_DPI:
            hint = "use a larger picture, or show it smaller"
            yield page.finding("resolution", f"a picture has only {dpi:.0f} dpi", paint.points, hint)
    if limit and paint.colour[0] == "cmyk":
        most = _most_ink(pikepdf, image)
        if most * 100 > limit + 100 * _LIMIT:
            message = f"a picture has up to {most * 100:.0f}% ink, and {limit:g}% is the most"
            yield page.finding("ink", message, paint.points, "convert it with a profile for this paper")


def _most_ink(pikepdf: Any, image: Any) -> float:
    """The most ink of any pixel of a picture, from 0 to 4; 0 if it cannot be decoded."""
    from PIL import ImageMath

    if int(image["/Width"]) * int(image["/Height"]) > _MAX_PIXELS:
        return 0.0
    try:
        picture = pikepdf.PdfImage(image).as_pil_image()
    except (NotImplementedError, pikepdf.PdfError, ValueError, OSError, pikepdf.UnsupportedImageTypeError):
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


# ---- what is seen


def _seen(data: bytes, pages: Sequence[_Page], target: Target, ours: Ours | None) -> Iterator[Finding]:
    definition = target.definition
    boxes = [(page.trim, page.bleed, page.media) for page in pages]
    bleed, shapes = (ours.bleed, ours.shapes) if ours else (definition.bleed, None)
    if bleed:
        for number, edge in bare_edges(data, boxes, bleed * POINTS, shapes):
            message = f"art ends at the cut {edge.where}"
            yield pages[number].finding("bleed", message, edge.points, "let backgrounds go on beyond the cut")
    if definition.safe and not ours:
        for number, text in outside_texts(data, boxes, definition.safe * POINTS):
            message = f"“{text.text}” is {text.message}"
            hint = f"keep texts {definition.safe:.4g} mm from the cut"
            yield pages[number].finding("safe", message, text.points, hint)
