"""A PDF for each component or size, with one side on each page, as large as its bleed. Print shops get dice, pawns and
boxes of any form as flat nets, each on a page of its own, with the die lines of their cuts and folds."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from io import BytesIO
from itertools import chain
from pathlib import Path as FilePath
from tempfile import TemporaryDirectory
from typing import Any, TypeAlias, TypeVar

import PIL.Image
from msgspec import Struct, field
from msgspec.structs import replace
from PIL import ImageChops, ImageCms, ImageMath

from .. import pdf
from ..errors import InputError, Place, fault, note, noting
from ..geometry.frame import (
    Frame,
    Gradient,
    Group,
    Icon,
    Image,
    Item,
    Page,
    Paint,
    Placed,
    Run,
    Shape,
    leaves,
    ungrouped,
)
from ..geometry.outlines import Cut, Matrix, Path, Rect, Segment, bounds, line, rect, transformed
from ..layout.flaws import box_of
from ..model.game import Component, Theme
from ..model.values import Size
from ..nodes import read_bytes
from ..pages.cutting_sheets import CUT as THROUGH
from ..pages.cutting_sheets import lines
from ..pages.nets import SPREAD, Net
from ..pdf import Info
from ..pdf.file import stream, text_string
from ..pdf.operators import POINTS
from ..printing.game_faces import cut_of
from ..printing.pieces import nets
from ..reading.targets import MM_PER_INCH
from .images import ManifestRow, file_name
from .output_folder import NewFolder
from .raster import PagePicture, pictures_of
from .sides import ExportOrder, ExportPiece, canvas, pieces, press_for

KINDS = ("box", "dice", "pawns")
"""Kinds of components that are cut out, folded and glued."""
_SAME = 0.1  # by how many mm the cards in one file may differ: file names round sizes
_BESIDE = 5.0  # the paper beside the bleed of a net, in mm
Pieces: TypeAlias = tuple[ExportPiece, Iterator[ExportPiece]]
"""The first piece of a component, and all of them: the others are drawn as they are written."""
T = TypeVar("T")


def write(order: ExportOrder, names: list[str], folder: NewFolder) -> list[ManifestRow]:
    """Writes the PDFs of these components; returns all their cards. Components of one kind and size whose files have
    the same name share one. Raises InputError with all problems."""
    rows: list[ManifestRow] = []
    together: dict[str, list[Pieces]] = {}
    for name in names:
        part = order.dressed.components[name]
        # A service with dice of its own wants their sides, not their nets.
        folded = part.kind == "box" or (part.kind in KINDS and not order.target.products_for(part.kind))
        if folded and order.target.definition.cut_lines:
            flat, listed = flat_nets(order, part)
            file = _file(order, listed[0])
            rows += [ManifestRow(piece, file) for piece in listed]
            _save(order, folder, file, _nets_document(order, listed[0].component, flat))
            continue
        rest = pieces(order, name)
        first = next(rest)
        file, whole = _file(order, first), chain([first], rest)
        if part.kind == "booklet" and order.target.definition.format != "pdf-x1a":
            rows += [ManifestRow(piece, file) for piece in whole]
            _save(order, folder, file, press_for(order, part).component(name, order.paper).pdf)
            continue
        if file in together and not _alike(first, together[file][0][0]):
            raise _twice(order, file)
        together.setdefault(file, []).append((first, whole))
    for file, parts in together.items():
        _save(order, folder, file, document(order, [(first, _listed(whole, rows, file)) for first, whole in parts]))
    if "{surname}" in order.target.definition.naming and not order.surname:
        service = order.target.definition.service
        note(f"{service} wants your surname in the name of each file", hint="add --surname NAME, or rename the files")
    return rows


def _file(order: ExportOrder, piece: ExportPiece) -> str:
    return file_name(order, piece, "front").rpartition(".")[0] + ".pdf"


def _alike(one: ExportPiece, two: ExportPiece) -> bool:
    """Whether the cards of two components can be in one file: they are of one kind and size."""
    near = all(abs(a - b) < _SAME for a, b in zip(one.canvas.trim, two.canvas.trim, strict=True))
    return near and one.component.kind == two.component.kind


def _save(order: ExportOrder, folder: NewFolder, file: str, content: bytes) -> None:
    path = folder.path / file
    if path.exists():
        raise _twice(order, file)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _twice(order: ExportOrder, file: str) -> InputError:
    return fault(
        f"{file} would be written twice", hint=f"add {{component}} to “naming” of the target “{order.target.name}”"
    )


def _listed(whole: Iterator[ExportPiece], rows: list[ManifestRow], file: str) -> Iterator[ExportPiece]:
    for piece in whole:
        rows.append(ManifestRow(piece, file, file if piece.back else ""))
        yield piece


def document(order: ExportOrder, parts: Sequence[Pieces]) -> bytes:
    """The pieces of components of one size as a PDF for the target, one component after the other."""
    components = [first.component for first, _ in parts]
    if order.target.definition.format == "pdf-x1a":
        return _converted(
            order, components, lambda flattener: chain.from_iterable(_printed(order, part, flattener) for part in parts)
        )
    pages = chain.from_iterable(sides(whole, order.target.definition.order) for _, whole in parts)
    return pdf.write(pages, order.dressed.theme, info=order_info(order, components), max_dpi=350)


def order_info(order: ExportOrder, parts: Sequence[Component]) -> Info:
    """The document information of a PDF of these components."""
    titles = ", ".join(part.definition.title for part in parts)
    return Info(
        title=f"{order.dressed.title} - {titles}",
        author="; ".join(order.dressed.definition.credits),
        subject=parts[0].definition.about if len(parts) == 1 else "",
        keywords=(order.dressed.key, *(part.name for part in parts)),
        set_code=order.deck.code,
    )


def in_order(pairs: Iterable[tuple[T, T | None]], sequence: str) -> Iterator[T]:
    """Fronts and their backs, if they have any, in the sequence of a target: `front-back`, `back-front` or
    `fronts-backs`."""
    backs: list[T] = []
    for front, back in pairs:
        if back and sequence == "back-front":
            yield back
        yield front
        if back and sequence == "front-back":
            yield back
        if back and sequence == "fronts-backs":
            backs.append(back)
    yield from backs


def sides(whole: Iterable[ExportPiece], sequence: str) -> Iterator[Page]:
    """The pages of all copies of the pieces, in the sequence of a target."""
    return in_order(_sides(whole), sequence)


def _sides(whole: Iterable[ExportPiece]) -> Iterator[tuple[Page, Page | None]]:
    """The pages of the front and back of each copy; that of a back, which other cards may share, has its name."""
    shared: dict[str, Page] = {}
    for piece in whole:
        front, back = piece.canvas.page(piece.front, label=piece.name or piece.component.name), None
        if piece.back:
            if piece.back_name not in shared:
                shared[piece.back_name] = piece.canvas.page(
                    piece.back, back=True, label=piece.back_name.replace("-", " ")
                )
            back = shared[piece.back_name]
        yield from ((front, back) for _ in range(piece.copies))


def _converted(
    order: ExportOrder, parts: Sequence[Component], pages: Callable[[Flattener], Iterable[tuple[Page, Dies]]]
) -> bytes:
    """Pages as PDF/X-1a. `pages` draws them without transparency, each with its die lines."""
    definition, theme = order.target.definition, order.dressed.theme
    inks, condition = Inks((definition.ink or 400.0) / 100, order.icc), definition.condition
    about = inks.description or condition
    texts = {"OutputConditionIdentifier": condition, "OutputCondition": about, "RegistryName": REGISTRY, "Info": about}
    with TemporaryDirectory() as scratch:
        drawn = pages(Flattener(theme, FilePath(scratch)))
        painter = pdf.Painter(theme, 2 * DPI, inks=inks)
        document = pdf.PdfDocument(painter, replace(order_info(order, parts), standard=VERSION))
        for page, dies in drawn:
            for name in dies:  # they overprint, so that nothing is missing under them
                painter.resources.states["Overprint"] = "/Type/ExtGState/OP true/op true/OPM 1"
                function = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{_INKS[name]}]>>"
                painter.resources.spaces[name] = f"/Separation/{name}/DeviceCMYK {function}"
            lines = "\n".join(_die(name, path, page.height) for name, path in dies.items() if path)
            document.add([replace(pdf.painted(page, painter), over=lines)])
        intent = "".join(f"/{key}{text_string(text)}" for key, text in texts.items())
        if inks.profile:
            intent += f"/DestOutputProfile {document.file.add(stream(inks.profile, '/N 4'))} 0 R"
        document.catalog += f"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX{intent}>>]"
        return document.finish().content()


def _printed(order: ExportOrder, part: Pieces, flattener: Flattener) -> Iterator[tuple[Page, Dies]]:
    """The pages of a component, each with its outline as a die line if the shop wants that."""
    definition, (first, whole), before = order.target.definition, part, flattener.count
    cut = (cut_of(first.component) or Cut("rectangle")).turned(first.canvas.turn)
    outline = rect(*first.canvas.trim) if cut.shape == "rectangle" else cut.path(*first.canvas.trim)
    for page in sides(_flat(whole, flattener, blank_backs=first.component.kind == "deck"), definition.order):
        yield page, {CUT: outline} if definition.cut_lines else {}
    _note_pictures(flattener.count - before, first.component)


def _flat(whole: Iterable[ExportPiece], flattener: Flattener, *, blank_backs: bool) -> Iterator[ExportPiece]:
    """The pieces without transparency; those that have no back get a white one if they are printed on both sides."""
    backs: dict[str, Frame] = {}
    for piece in whole:
        front = flattener.flat(piece.front)
        if piece.back and piece.back_name not in backs:
            backs[piece.back_name] = flattener.flat(piece.back)
        if piece.back is None and blank_backs:
            note(f"“{piece.component.name}” has cards without backs: they are printed white")
            backs.setdefault("", replace(front, items=()))
        yield replace(piece, front=front, back=backs.get(piece.back_name), back_name=piece.back_name or "white")


def _note_pictures(count: int, part: Component) -> None:
    if count:
        many = f"{count} side{'s' * (count != 1)}"
        note(f"“{part.name}” has {many} with transparency: what is under it is printed as a picture")


def flat_nets(order: ExportOrder, part: Component) -> tuple[list[Net], list[ExportPiece]]:
    """The nets of all copies in a component, and a piece for each one that differs. Raises InputError with the problems
    of their faces."""
    press = press_for(order, part, order.target.definition.bleed)
    part = press.part(part.name)
    flat = nets(press, part)
    ids = [card.id for card in part.cards] or [""]
    first, listed = dict(zip(reversed(ids), reversed(flat), strict=True)), list[ExportPiece]()
    for number, (name, copies) in enumerate(Counter(ids).items(), start=1):
        net, title = first[name], name or part.definition.title
        where, frame = (
            canvas(part, Size(net.width, net.height), order.target),
            Frame(net.name, net.width, net.height, ()),
        )
        listed.append(ExportPiece(part, name, title=title, number=number, canvas=where, front=frame, copies=copies))
    return flat, listed


def _nets_document(order: ExportOrder, part: Component, flat: Sequence[Net]) -> bytes:
    bleed = order.target.definition.bleed
    aside = _BESIDE + bleed

    def pages(flattener: Flattener) -> Iterator[tuple[Page, Dies]]:
        drawn: dict[int, Page] = {}
        for net in flat:
            if id(net) not in drawn:
                drawn[id(net)] = _net_page(net, flattener, bleed, aside)
            yield drawn[id(net)], die_lines(net, aside)
        _note_pictures(flattener.count, part)

    return _converted(order, [part], pages)


def _net_page(net: Net, flattener: Flattener, bleed: float, aside: float) -> Page:
    """The faces of a net; their bleed is as wide as the shop wants it where it is as wide as nets have it. An empty
    frame has the trim and the bleed of the net."""
    placed = [Placed(Frame(net.name, net.width, net.height, ()), aside, aside, clip=(bleed,) * 4)]
    for each in net.placed:
        left, top, right, bottom = (bleed if side >= SPREAD - 0.01 else side for side in each.clip)
        frame = flattener.flat(each.frame)
        placed.append(replace(each, frame=frame, x=each.x + aside, y=each.y + aside, clip=(left, top, right, bottom)))
    return Page(net.width + 2 * aside, net.height + 2 * aside, tuple(placed), label=net.name, cut=True)


def die_lines(net: Net, aside: float) -> dict[str, Path]:
    """The cuts and the folds of a net by their spot colours, `aside` mm from the left and upper edge of the page."""
    at: Matrix = (1.0, 0.0, 0.0, 1.0, aside, aside)
    folds = tuple(segment for fold in net.folds for segment in line(*fold.start, *fold.end))
    return {CUT: tuple(_cuts(net, at)), CREASE: transformed(folds, at)}


def _cuts(net: Net, at: Matrix) -> Iterator[Segment]:
    """The outline of a net, each line once, joined wherever lines meet."""
    for cut in lines(net.cuts[-1].path, at, THROUGH):
        yield from (("L" if number else "M", vertex.x, vertex.y) for number, vertex in enumerate(cut.vertices))
        if cut.closed:
            yield ("Z",)


# ---- PDF/X-1a:2003 (ISO 15930-4): CMYK, an output intent, no transparency, die lines


VERSION = "PDF/X-1a:2003"
REGISTRY = "http://www.color.org"
CUT, CREASE = "CutContour", "Crease"
"""The spot colours of die lines: what is cut, and what is folded."""
_INKS = {CUT: "0 1 0 0", CREASE: "1 0 0 0"}  # how they look on a screen
_DIE_WIDTH = 0.25  # the width of die lines, in points
_SEGMENTS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
Dies: TypeAlias = Mapping[str, Path]
"""The die lines of a page by their spot colours, in mm from its upper left corner."""


def _die(name: str, path: Path, height: float) -> str:
    """The operators of a die line, on a page of this height."""
    code = [f"q /Overprint gs /{name} CS 1 SCN {_DIE_WIDTH} w"]
    for operator, *numbers in path:
        points = [height - float(value) if number % 2 else float(value) for number, value in enumerate(numbers)]
        code.append(" ".join([*(f"{value * POINTS:.4f}" for value in points), _SEGMENTS[str(operator)]]))
    return "\n".join([*code, "S Q"])


# ---- faces without transparency: transparent items and all that is under them become a picture; what is above them or
# beside them, such as most texts, stays as it is


DPI = 350
"""The resolution of the pictures: sharp enough for edges of art, too."""
MAX_PIXELS = 45_000_000
"""The size of the largest picture: large boards get a lower resolution."""
_LETTERS = 0.35  # how far letters may reach beyond the box of their text, in type sizes
_TRANSPARENT = re.compile(rb"/SMask|/ca [\d.]+/CA")


class Flattener(Struct):
    """Flattens the faces of one export. Pictures go into `folder`, which must last until the PDF is written; `count` is
    how many there are."""

    theme: Theme
    folder: FilePath
    count: int = 0
    known: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    def flat(self, frame: Frame) -> Frame:
        """The frame without transparency, with dark texts and fine lines in black ink alone."""
        items = tuple(map(_in_black, ungrouped(frame.items)))
        drawn = self._to_draw(items)
        if not drawn:
            return replace(frame, items=items)
        picture = self._picture(replace(frame, items=tuple(items[number] for number in sorted(drawn))))
        return replace(frame, items=(picture, *(item for number, item in enumerate(items) if number not in drawn)))

    def _to_draw(self, items: Sequence[Item]) -> set[int]:
        """The numbers of the items for the picture: transparent ones, and those that are under one of the picture. The
        picture is painted first, so nothing else may be under it."""
        transparent = {number for number, item in enumerate(items) if self._is_transparent(item)}
        if not transparent:
            return transparent
        boxes = [_box(item) for item in items]
        drawn: set[int] = set()
        for number in reversed(range(len(items))):
            if number in transparent or any(boxes[number].overlaps(boxes[above]) for above in drawn):
                drawn.add(number)
        return drawn

    def _picture(self, frame: Frame) -> Image:
        bleed = frame.bleed
        width, height = frame.width + 2 * bleed, frame.height + 2 * bleed
        page = Page(width, height, (Placed(frame, bleed, bleed, turn=0, clip=(bleed,) * 4),))
        document = pdf.write([page], self.theme, info=Info(title="art"), max_dpi=2 * DPI)
        scale = min(DPI / MM_PER_INCH, (MAX_PIXELS / (width * height)) ** 0.5)
        pixels = round(width * scale), round(height * scale)
        (image,) = pictures_of(document, [PagePicture(frame.name, 0, pixels)])
        self.count += 1
        file = self.folder / f"art-{self.count}.png"
        image.save(file, compress_level=1)
        return Image(str(file), -bleed, -bleed, width=width, height=height)

    def _is_transparent(self, item: Item) -> bool:
        if isinstance(item, Group):
            return 0 < item.opacity < 1 or any(map(self._is_transparent, item.items))
        if isinstance(item, Shape):
            return _has_alpha(item.fill) or _has_alpha(item.stroke)
        if isinstance(item, Image):
            return self._drawn_with_alpha(replace(item, clip=None), ("image", item.file, ""))
        if isinstance(item, Icon):
            return _has_alpha(item.colour) or self._drawn_with_alpha(item, ("icon", item.name, item.colour))
        return isinstance(item, Run) and _has_alpha(item.colour)

    def _drawn_with_alpha(self, item: Icon | Image, key: tuple[str, str, str]) -> bool:
        """Whether the file of an icon or picture is drawn with transparency: it is tried once."""
        if key not in self.known:
            small = replace(item, x=0.0, y=0.0, width=10.0, height=10.0)
            page = Page(10.0, 10.0, (Placed(Frame(key[1], 10.0, 10.0, (small,)), 0.0, 0.0),))
            with noting():  # the picture is not this small in print
                document = pdf.write([page], self.theme, info=Info(title=key[1]))
            self.known[key] = bool(_TRANSPARENT.search(document))
        return self.known[key]


def _in_black(item: Item) -> Item:
    """A dark text or fine line in grey, which is printed in black ink alone: with several inks, it would have coloured
    edges wherever they do not meet exactly."""
    if isinstance(item, Group):
        return replace(item, items=tuple(map(_in_black, item.items)))
    if isinstance(item, Run) and item.size <= _SMALL_TEXT:
        return replace(item, colour=_grey(item.colour))
    if isinstance(item, Shape) and isinstance(item.stroke, str) and 0 < item.stroke_width <= _FINE_LINE:
        return replace(item, stroke=_grey(item.stroke))
    return item


def _grey(colour: str) -> str:
    """A dark colour as a grey of the same brightness; any other colour as it is."""
    red, green, blue = bytes.fromhex(colour[1:7])
    level = round(0.299 * red + 0.587 * green + 0.114 * blue)
    return f"#{level:02x}{level:02x}{level:02x}{colour[7:]}" if level <= _DARK_LEVEL else colour


# The type size and the width of a line up to which they are printed in black ink alone, in mm.
_SMALL_TEXT, _FINE_LINE = 16 * MM_PER_INCH / 72, 0.75 * MM_PER_INCH / 72
_DARK_LEVEL = 0x60


def _box(item: Item) -> Rect:
    """A box around an item and its stroke."""
    boxes: list[tuple[float, float, float, float]] = []
    for leaf, matrix in leaves([item]):
        if isinstance(leaf, Shape):
            reach = leaf.stroke_width * 2 if leaf.stroke else 0.0
            left, top, right, bottom = bounds(leaf.path)
            box = Rect(left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach)
        elif isinstance(leaf, Image):
            box = Rect(*(leaf.clip or (leaf.x, leaf.y, leaf.width, leaf.height)))
        else:
            box = box_of(leaf)
            more = _LETTERS * leaf.size + leaf.outline if isinstance(leaf, Run) else 0.0
            box = box.grown(more, more, more, more)
        boxes.append(bounds(transformed(rect(*box), matrix)))
    if not boxes:
        return Rect(0.0, 0.0, 0.0, 0.0)
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Rect(left, top, max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)


def _has_alpha(paint: Paint | None) -> bool:
    colours = [stop.colour for stop in paint.stops] if isinstance(paint, Gradient) else [paint or ""]
    return any(len(colour) == 9 and colour[7:].lower() != "ff" for colour in colours)


# ---- RGB → CMYK, by a formula or by the colour profile of a print shop
#
# The formula replaces all grey by black ink: what red, green and blue have in common is printed in black alone. So
# black text and grey lines are black ink only. Coloured inks are increased where there is black, which hides part of
# them: a navy has more ink than a grey of its brightness. Blues get less magenta, which would make them purple. No
# colour has more than 235% ink. Colours are not measured: dark pictures have less depth than with a profile.


Ink = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, from 0 to 1."""
MAX_PROFILE = 20_000_000
DEPTH = 0.9
"""How much of the ink that black hides is made up for: all of it would make dust of nearly black pixels."""
MOST = 2.35
"""The most ink of the formula."""
BLUE = 0.28
"""How much less magenta a blue has, as a share of what cyan and magenta have in common beyond yellow."""
RICH, FROM, TO = 0.6, 0.08, 0.2
"""How much more coloured ink there is where there is black, and the lightness at which that begins and is complete:
nearly black pixels would become coloured dust."""
_STRIP = 2_000_000  # how many pixels of a picture are converted at a time
_GREY = 0.004  # how much two of red, green and blue may differ in a grey
# The same for dark colours, up to this share of light: texts in them are sharper in black ink alone.
_DARK, _NEARLY_GREY = 0.25, 0.08


class Inks:
    """Converts colours and pictures. With a `profile`, an ICC file for CMYK, all colours except greys go through it;
    `limit` is the most ink, from 1 to 4."""

    def __init__(self, limit: float = 4.0, profile: FilePath | None = None) -> None:
        self.limit = limit if profile else min(limit, MOST)
        self.profile = read_bytes(profile, str(profile), MAX_PROFILE) if profile else None
        self.description = ""
        self._transform = self._opened(profile) if profile else None
        self.colour = lru_cache(maxsize=4096)(self._colour)

    def _opened(self, path: FilePath) -> Any:
        place = Place(str(path))
        try:
            profile = ImageCms.ImageCmsProfile(BytesIO(self.profile or b""))
            self.description = ImageCms.getProfileDescription(profile).strip()
            space = profile.profile.xcolor_space.strip()
        except (OSError, ImageCms.PyCMSError, ValueError, TypeError):
            raise fault("is not an ICC profile", place, "use one that your print shop names") from None
        if space != "CMYK":
            raise fault(f"is a profile for {space}, not for CMYK", place, "use one that your print shop names")
        intent = ImageCms.Intent.RELATIVE_COLORIMETRIC
        flags = ImageCms.Flags.BLACKPOINTCOMPENSATION
        try:
            return ImageCms.buildTransform(ImageCms.createProfile("sRGB"), profile, "RGB", "CMYK", intent, flags)
        except (ImageCms.PyCMSError, OSError, ValueError, TypeError):
            raise fault("cannot be used to print", place, "use one that your print shop names") from None

    def _colour(self, red: float, green: float, blue: float) -> Ink:
        """The inks of a colour, whose parts are from 0 to 1. Greys are black ink alone."""
        lightest, spread = max(red, green, blue), max(red, green, blue) - min(red, green, blue)
        if spread <= (_NEARLY_GREY if lightest <= _DARK else _GREY):
            return 0.0, 0.0, 0.0, round(1 - (red + green + blue) / 3, 4)
        if self._transform is None:
            return self._limited(_formula(red, green, blue))
        pixel = PIL.Image.new("RGB", (1, 1), (round(red * 255), round(green * 255), round(blue * 255)))
        inks: Sequence[int] = self._transform.apply(pixel).getpixel((0, 0))
        cyan, magenta, yellow, key = (ink / 255 for ink in inks)
        return self._limited((cyan, magenta, yellow, key))

    def _limited(self, inks: Ink) -> Ink:
        """The inks, with less cyan, magenta and yellow if all together are too much."""
        *colours, black = (min(max(ink, 0.0), 1.0) for ink in inks)
        room, total = self.limit - black, sum(colours)
        share = min(1.0, max(room, 0.0) / total) if total else 1.0
        cyan, magenta, yellow = (round(ink * share, 4) for ink in colours)
        return cyan, magenta, yellow, round(black, 4)

    def image(self, image: Any) -> Any:
        """A picture in RGB as CMYK, within the limit."""
        result = PIL.Image.new("CMYK", image.size)
        rows = max(1, _STRIP // image.width)
        for top in range(0, image.height, rows):  # the numbers in between take much more room than the picture
            strip = image.crop((0, top, image.width, min(top + rows, image.height)))
            result.paste(self._strip(strip), (0, top))
        return result

    def _strip(self, image: Any) -> Any:
        if self._transform is not None:
            inks = self._transform.apply(image)
            return inks if self.limit >= 4 else self._limited_strip(inks)
        bands = [ImageChops.invert(band) for band in image.split()]
        black = ImageChops.darker(ImageChops.darker(bands[0], bands[1]), bands[2])
        wide = black.convert("F")
        inks = [ImageMath.lambda_eval(_coloured, ink=band.convert("F"), black=wide) for band in bands]
        inks[1] = ImageMath.lambda_eval(_shifted, c=inks[0], m=inks[1], y=inks[2])
        rounded = [ImageMath.lambda_eval(lambda each: each["convert"](each["ink"] + 0.5, "L"), ink=ink) for ink in inks]
        return self._limited_strip(PIL.Image.merge("CMYK", (*rounded, black)))

    def _limited_strip(self, image: Any) -> Any:
        *colours, black = image.split()
        wide = {name: band.convert("F") for name, band in zip("cmyk", (*colours, black), strict=True)}
        share = partial(_share, round(self.limit * 255))
        inks = [ImageMath.lambda_eval(share, ink=wide[name], **wide) for name in "cmy"]
        return PIL.Image.merge("CMYK", (*inks, black))


def _coloured(bands: dict[str, Any]) -> Any:
    """A colour's ink before the blue shift, as `_formula` computes it, in levels from 0 to 255."""
    black, least, most = bands["black"] / 255, bands["min"], bands["max"]
    rich = most(least((1 - black - FROM) / (TO - FROM), 1), 0) * RICH * black
    return least((bands["ink"] - bands["black"]) / (1 - black * DEPTH) * (rich + 1), 255)


def _shifted(bands: dict[str, Any]) -> Any:
    """The magenta of a colour after the blue shift, in levels from 0 to 255."""
    return bands["m"] - bands["max"](bands["min"](bands["c"], bands["m"]) - bands["y"], 0) * BLUE


def _share(limit: int, bands: dict[str, Any]) -> Any:
    """A colour's ink, with as little of it as the limit asks for."""
    total = bands["c"] + bands["m"] + bands["y"] + 0.001
    return bands["convert"](bands["ink"] * bands["min"]((limit - bands["k"]) / total, 1), "L")


def _formula(red: float, green: float, blue: float) -> Ink:
    black = 1 - max(red, green, blue)
    rich = 1 + RICH * black * min(max((1 - black - FROM) / (TO - FROM), 0.0), 1.0)
    cyan, magenta, yellow = (min(rich * (1 - part - black) / (1 - DEPTH * black), 1.0) for part in (red, green, blue))
    magenta -= BLUE * max(min(cyan, magenta) - yellow, 0.0)
    return cyan, magenta, yellow, black
