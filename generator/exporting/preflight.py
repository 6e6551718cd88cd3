"""Everything that a print shop would reject in a game, before it is exported, or in a PDF, also one that other
programs made."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from io import BytesIO
from itertools import islice, pairwise
from pathlib import Path
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace
from PIL import ImageMath

from .. import pdf
from ..errors import Place, fault, shortened
from ..geometry.frame import Frame
from ..geometry.outlines import Path as Outline
from ..geometry.outlines import Rect
from ..layout.safety import unsafe
from ..nodes import read_bytes
from ..pdf.canvas import Info
from ..printing.game_faces import cut_of
from ..reading.targets import MM_PER_INCH, Target
from . import pdfs
from .ink_walk import InkWalk, Paint, Points, TooManyOperatorsError
from .pdfx import library
from .raster import pdfium
from .sides import BookPage, ExportOrder, ExportPiece, pieces, without_product

RULES = {
    "size": "the page does not have the size of a product",
    "boxes": "the page does not say where it is cut",
    "bleed": "art ends at the cut instead of going on into the bleed",
    "safe": "texts and symbols are too close to the cut",
    "resolution": "pictures have too few dots per inch",
    "fonts": "fonts are not embedded",
    "rgb": "colours are in RGB instead of CMYK",
    "ink": "there is more ink than the paper takes",
    "lines": "lines are thinner than 0.25 pt",
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
_NEAR = 0.3
"""How far a page may differ from what it should be, in mm."""
_LIMIT = 0.011
"""How much more ink than the limit is taken for rounding."""
_EMBEDDED = ("/FontFile", "/FontFile2", "/FontFile3")
_STRIP = 2_000_000
_MAX_PIXELS = 150_000_000
"""Pictures with more are not looked at: they are larger than any sheet of paper."""
Edges: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""
Rim: TypeAlias = Sequence[tuple[tuple[float, float], tuple[float, float]]]
"""Points just inside the outline of a card, each with the point in the bleed beside it."""


class PreflightFinding(Struct, frozen=True):
    """A breach of a rule: on which card (or page), where (in mm from the
    upper left corner of the trim), and what. `hint` says how to mend it."""

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
    """What is known of a PDF of this program: the component and the card on each page (from 1), the outline of cards
    that are no rectangles, and how wide the bleed is. Sizes and texts have been checked before."""

    names: Mapping[int, tuple[str, str]]
    rim: Rim | None
    bleed: float


MAX_BYTES = 500_000_000
TOLERANCE = 0.2
"""How far something may reach out of the safe area, in mm: no cut is more exact."""
FOLDED = ("box", "dice")
"""Kinds of components whose faces end at folds, not at cuts."""
NEAR, FAR = 0.4, 0.5
"""How far inside the outline, and how far inside the edge of its bleed, art is looked for, in mm."""
STEPS = 24
"""Points along each side of an outline."""
SCREEN = ("tabletop-simulator", "pcio", "svg", "dxf")
"""Formats that are not printed."""


def of_pdf(path: Path, target: Target) -> list[PreflightFinding]:
    """What the target rejects in a PDF file. Raises InputError if it cannot be read."""
    _refuse_screens(target)
    return list(check(read_bytes(path, str(path), MAX_BYTES), target, str(path)))


def of_game(order: ExportOrder, names: Sequence[str]) -> list[PreflightFinding]:
    """What the target rejects in these components. Raises InputError with the problems of faces."""
    _refuse_screens(order.target)
    return [finding for name in names for finding in _component(order, name)]


def _refuse_screens(target: Target) -> None:
    if target.definition.format in SCREEN:
        raise fault(f"{target.name} prints nothing", hint="preflight is for print services and print shops")


def _component(order: ExportOrder, name: str) -> Iterator[PreflightFinding]:
    part, definition = order.dressed.components[name], order.target.definition
    if missing := without_product(order, name):
        yield from (PreflightFinding("size", problem.message, name, hint=problem.hint) for problem in missing)
        return
    whole = [replace(piece, copies=1) for piece in pieces(order, name)]
    front = whole[0].front
    if isinstance(front, BookPage):  # a booklet has no bleed, and its texts are far from the edges
        names = dict.fromkeys(range(1, len(whole) + 1), (name, ""))
        yield from check(front.document, order.target, name, KnownPages(names, None, 0.0))
        return
    product = whole[0].canvas.product
    safe = product.safe if product else 0.0 if part.kind in FOLDED else definition.safe
    yield from (finding for piece in whole for finding in _unsafe(piece, safe))
    if definition.format in ("pdf", "pdf-x1a"):
        data = pdfs.document(order, [(whole[0], iter(whole))])
    else:  # the pages that the pictures show
        pages = pdfs.sides(whole, definition.order)
        data = pdf.write(pages, order.dressed.theme, info=Info(title=order.dressed.title), max_dpi=600)
    white = definition.format == "pdf-x1a" and part.kind == "deck"
    sides = ((each.name or name, f"back of {each.name}" if each.back or white else None) for each in whole)
    cards = {number: (name, card) for number, card in enumerate(pdfs.in_order(sides, definition.order), start=1)}
    bleed = min(product.bleed) if product else definition.bleed
    yield from check(data, order.target, name, KnownPages(cards, _rim(whole[0]), bleed))


def _rim(piece: ExportPiece) -> Rim | None:
    """Points along the outline of a card that is no rectangle, in points from the lower left corner of its page."""
    cut, where = cut_of(piece.component), piece.canvas
    if cut is None or cut.shape == "rounded":
        return None
    cut, bleed = cut.turned(where.turn), min(where.trim[:2])
    inner, outer = (cut.path(*where.trim, grown) for grown in (-NEAR, max(bleed - FAR, 0.0)))
    pairs = zip(_along(inner), _along(outer), strict=True)
    return [
        tuple((x * POINTS, (where.height - y) * POINTS) for x, y in pair)  # type: ignore[misc]
        for pair in pairs
    ]


def _along(path: Outline) -> Iterator[tuple[float, float]]:
    """Points along a path: the same number for all paths of the same kind."""
    at = start = (0.0, 0.0)
    for name, *numbers in path:
        values = [float(value) for value in numbers]
        ends = list(zip(values[::2], values[1::2], strict=True)) if values else [start]
        if name == "M":
            start = ends[0]
        else:
            for step in range(1, STEPS):
                yield _between([at, *ends], step / STEPS)
        at = ends[-1]


def _between(points: Sequence[tuple[float, float]], share: float) -> tuple[float, float]:
    """A point of a straight line or of a Bézier curve."""
    while len(points) > 1:
        points = [(a + (c - a) * share, b + (d - b) * share) for (a, b), (c, d) in pairwise(points)]
    return points[0]


def _unsafe(piece: ExportPiece, safe: float) -> Iterator[PreflightFinding]:
    """The texts, symbols and fields of a card that are too close to its cut, once the card has its size in print."""
    if not safe:
        return
    where = piece.canvas
    _, _, width, height = where.trim
    for side, label in ((piece.front, piece.name), (piece.back, f"back of {piece.name}")):
        if not isinstance(side, Frame) or (label != piece.name and piece.number > 1 and piece.back_name == "back"):
            continue
        sideways = where.turn % 180 != 0
        trim = (height, width) if sideways else (width, height)
        # the frame as large as the trim of the product: a product may be a little smaller, and cuts that much more off
        beside = (side.width * where.scale - trim[0]) / 2, (side.height * where.scale - trim[1]) / 2
        inner = replace(side, safe=(safe + max(*beside, 0.0)) / where.scale)
        for what, box, room in unsafe(inner):
            away = room * where.scale + safe
            if safe - away > TOLERANCE:
                message = f"{what} is {away:.1f} mm from the cut" if away >= 0 else f"{what} is cut off"
                place = Rect(*(round(length * where.scale, 2) for length in box))
                hint = f"keep it {safe:.4g} mm from the cut"
                yield PreflightFinding("safe", message, piece.component.name, card=label, place=place, hint=hint)


def check(data: bytes, target: Target, place: str = "", known: KnownPages | None = None) -> Iterator[PreflightFinding]:
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
            yield from _checked(pikepdf, document, data, target=target, known=known)
        except TooManyOperatorsError:
            raise fault("is too complicated to be checked", Place(place)) from None
        except (pikepdf.PdfError, KeyError, TypeError, ValueError, IndexError, AttributeError, RecursionError) as error:
            raise fault(
                f"is damaged, or not a PDF that can be checked ({type(error).__name__})", Place(place)
            ) from error


def _checked(
    pikepdf: Any, document: Any, data: bytes, target: Target, known: KnownPages | None
) -> Iterator[PreflightFinding]:
    definition = target.definition
    pages = [_page(number, page, known.names if known else {}) for number, page in enumerate(document.pages, start=1)]
    printed = definition.format in ("pdf", "pdf-x1a")
    if definition.format == "pdf-x1a":
        yield from _standard(pikepdf, document, data)
    cards = definition.kinds == ("deck",)
    if len(pages) % 2 and definition.format == "pdf-x1a" and (cards or (len(pages) > 1 and not _is_ours(document))):
        hint = "each card needs a front and a back page"
        yield PreflightFinding("pages", f"the file has an odd number of pages: {len(pages)}", hint=hint)
    if not known:
        yield from _sizes(pages, target)
    walk = InkWalk(pikepdf)
    for page in pages:
        yield from _boxes(page, definition.bleed, printed=printed and cards)
        yield from _fonts(page)
        yield from _painted(pikepdf, walk, page, target)
    yield from _seen(data, pages, target, known)


def _is_ours(document: Any) -> bool:
    return str(document.docinfo.get("/Creator", "")).startswith("Pencilbox")


def _page(number: int, page: Any, names: Mapping[int, tuple[str, str]]) -> _Page:
    media = _box(page, "/MediaBox", (0.0, 0.0, 612.0, 792.0))
    crop = _box(page, "/CropBox", media)
    trim = _box(page, "/TrimBox", _box(page, "/ArtBox", crop))
    component, card = names.get(number, ("", ""))
    if not card and page.label != str(number):
        card = page.label
    return _Page(number, page, media, trim=trim, bleed=_box(page, "/BleedBox", crop), component=component, card=card)


def _box(page: Any, name: str, default: tuple[float, ...]) -> tuple[float, float, float, float]:
    found = page.mediabox if name == "/MediaBox" else page.obj.get(name)
    left, bottom, right, top = [float(edge) for edge in found] if found is not None else default
    return min(left, right), min(bottom, top), max(left, right), max(bottom, top)


def _standard(pikepdf: Any, document: Any, data: bytes) -> Iterator[PreflightFinding]:
    info, root = document.docinfo, document.Root
    unmarked = not str(info.get("/GTS_PDFXVersion", "")).startswith("PDF/X-1")
    made = "export it with “pencilbox export”, or as PDF/X-1a:2003 from the program that made it"
    hint = "" if unmarked else made
    later = f"the version is {data[1:8].decode('latin-1')}, later than PDF 1.4"
    no_intent = "there is no output intent, so nobody knows for which inks and paper it is"
    has_intent = any(intent.get("/S") == "/GTS_PDFX" for intent in root.get("/OutputIntents", []))
    has_forms = "/AcroForm" in root or any("/Annots" in page.obj for page in document.pages)
    has_actions = "/OpenAction" in root or "/AA" in root or "/JavaScript" in root.get("/Names", {})
    has_groups = any("/Group" in page.obj for page in document.pages)
    for wrong, rule, message, how in (
        (unmarked, "standard", "it does not say that it is PDF/X-1a", made),
        (not data.startswith((b"%PDF-1.3", b"%PDF-1.4")), "standard", later, hint),
        (not has_intent, "standard", no_intent, hint),
        (document.is_encrypted, "standard", "the file is encrypted", "save it without protection"),
        (has_forms, "standard", "there are form fields or comments", "remove them"),
        (has_actions, "standard", "there are actions or scripts", "remove them"),
        (has_groups, "transparency", "pages are transparency groups", "flatten transparency"),
    ):
        if wrong:
            yield PreflightFinding(rule, message, hint=how)


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
            message = f"the trim is {_size(page)}, and that of the first page {_size(pages[0])}"
            yield page.finding("size", message, hint="put cards of different sizes into files of their own")


def _size(page: _Page) -> str:
    return f"{page.size[0]:.4g} × {page.size[1]:.4g} mm"


def _boxes(page: _Page, bleed: float, *, printed: bool) -> Iterator[PreflightFinding]:
    if "/TrimBox" not in page.page.obj and "/ArtBox" not in page.page.obj:
        yield page.finding("boxes", "there is no trim box", hint="export with crop and bleed set up")
    elif printed and page.margin < bleed - _NEAR:
        message = f"the bleed is {max(page.margin, 0):.1f} mm wide, and {bleed:.4g} mm are needed"
        yield page.finding("bleed", message, hint="set up the pages with bleed")


def _fonts(page: _Page) -> Iterator[PreflightFinding]:
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


def _painted(pikepdf: Any, walk: InkWalk, page: _Page, target: Target) -> Iterator[PreflightFinding]:
    """Colours, inks, lines, pictures and transparency; the first place of each on a page."""
    found: dict[tuple[str, str], PreflightFinding] = {}
    for paint in walk.page(page.page):
        for finding in _of(pikepdf, paint, page, target):
            found.setdefault((finding.rule, finding.message), finding)
    yield from found.values()


def _of(pikepdf: Any, paint: Paint, page: _Page, target: Target) -> Iterator[PreflightFinding]:
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


def _image(pikepdf: Any, paint: Paint, page: _Page, limit: float | None) -> Iterator[PreflightFinding]:
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


_SHARE = 0.03
_DPI = 100
_MAX_PAGE_PIXELS = 30_000_000
"""The size of the image of a page: very large ones are drawn with less resolution."""
_WHITE = 250
_INSIDE, _OUTSIDE = 0.4, 0.5
"""How far inside the cut and how far inside the outer edge of the bleed is looked, in mm."""
_NOTHING = 1e6
"""Far beyond the page, where everything is white."""
_LEAST = 1.5
"""The shortest part of an edge that counts, in mm: a line that ends at the cut is shorter."""
_TOLERANCE = 0.15
"""How far a text may reach out of the safe area, in mm: pdfium's boxes are a little larger than letters."""
_MAX_TEXTS = 20
"""The most texts of a page that are reported."""


def _seen(data: bytes, pages: Sequence[_Page], target: Target, known: KnownPages | None) -> Iterator[PreflightFinding]:
    """Art that ends at the cut, and in PDFs of other programs, texts that are too close to it."""
    bleed, safe = known.bleed if known else target.definition.bleed, 0.0 if known else target.definition.safe
    with closing(pdfium().PdfDocument(data)) as document:
        if bleed:
            for page in pages:
                drawn = _drawn(document[page.number - 1], page)
                rim = known.rim if known else None
                for where, points in _bare_rim(drawn, rim) if rim else _bare(drawn, page, bleed * POINTS):
                    message = f"art ends at the cut {where}"
                    yield page.finding("bleed", message, points, "let backgrounds go on beyond the cut")
        for page in pages if safe else ():
            with closing(document[page.number - 1].get_textpage()) as texts:
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
