"""PDF/X-1a:2003 (ISO 15930-4): CMYK, an output intent, no transparency, die lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache, partial
from io import BytesIO
from pathlib import Path as FilePath
from typing import Any, TypeAlias

import PIL.Image
from msgspec import Struct, field
from msgspec.structs import replace
from PIL import ImageChops, ImageCms, ImageMath

from .. import pdf
from ..errors import Place, fault, noting
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
from ..geometry.outlines import Path, Rect, bounds, rect, transformed
from ..layout.safety import box_of
from ..model.game import Theme
from ..nodes import read_bytes
from ..pdf import Info
from ..pdf.file import stream, text_string
from ..pdf.operators import POINTS
from ..reading.targets import MM_PER_INCH
from .raster import PagePicture, pictures_of

VERSION = "PDF/X-1a:2003"
REGISTRY = "http://www.color.org"
CUT, CREASE = "CutContour", "Crease"
"""The spot colours of die lines: what is cut, and what is folded."""
_INKS = {CUT: "0 1 0 0", CREASE: "1 0 0 0"}
"""How they look on a screen."""
_DIE_WIDTH = 0.25
"""The width of die lines, in points."""
_SEGMENTS = {"M": "m", "L": "l", "C": "c", "Z": "h"}
Dies: TypeAlias = Mapping[str, Path]
"""The die lines of a page by their spot colours, in mm from its upper left corner."""


def write(pages: Iterable[tuple[Page, Dies]], theme: Theme, info: pdf.Info, *, condition: str, inks: Inks) -> bytes:
    """Pages without transparency as PDF/X-1a, with their die lines. `condition` is the printing condition: a registered
    name such as FOGRA39."""
    painter = pdf.Painter(theme, 2 * DPI, inks=inks)
    document = pdf.PdfDocument(painter, replace(info, standard=VERSION))
    for page, dies in pages:
        for name in dies:  # they overprint, so that nothing is missing under them
            painter.resources.states["Overprint"] = "/Type/ExtGState/OP true/op true/OPM 1"
            function = f"<</FunctionType 2/Domain[0 1]/N 1/C0[0 0 0 0]/C1[{_INKS[name]}]>>"
            painter.resources.spaces[name] = f"/Separation/{name}/DeviceCMYK {function}"
        lines = "\n".join(_die(name, path, page.height) for name, path in dies.items() if path)
        document.add([replace(pdf.painted(page, painter), over=lines)])
    about = inks.description or condition
    texts = {"OutputConditionIdentifier": condition, "OutputCondition": about, "RegistryName": REGISTRY, "Info": about}
    intent = "".join(f"/{key}{text_string(text)}" for key, text in texts.items())
    if inks.profile:
        intent += f"/DestOutputProfile {document.file.add(stream(inks.profile, '/N 4'))} 0 R"
    document.catalog += f"/OutputIntents[<</Type/OutputIntent/S/GTS_PDFX{intent}>>]"
    return document.finish().content()


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
_LETTERS = 0.35
"""How far letters may reach beyond the box of their text, in type sizes."""
_TRANSPARENT = re.compile(rb"/SMask|/ca [\d.]+/CA")


class Flattener(Struct):
    """Flattens the faces of one export. Pictures go into `folder`, which must last until the PDF is written; `count` is
    how many there are."""

    theme: Theme
    folder: FilePath
    count: int = 0
    known: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    def flat(self, frame: Frame) -> Frame:
        """The frame without transparency."""
        items = tuple(ungrouped(frame.items))
        drawn = self._to_draw(items)
        if not drawn:
            return frame
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
            if number in transparent or any(_overlap(boxes[number], boxes[above]) for above in drawn):
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


def _overlap(first: Rect, second: Rect) -> bool:
    return first.x < second.right and second.x < first.right and first.y < second.bottom and second.y < first.bottom


def _has_alpha(paint: Paint | None) -> bool:
    colours = [stop.colour for stop in paint.stops] if isinstance(paint, Gradient) else [paint or ""]
    return any(len(colour) == 9 and colour[7:].lower() != "ff" for colour in colours)


# ---- RGB → CMYK, by a formula or by the colour profile of a print shop
#
# The formula replaces all grey by black ink: what red, green and blue have in common is printed in black alone. So
# black text and grey lines are black ink only. Coloured inks are increased where there is black, which hides part of
# them, and no colour has more than 235% ink. Colours are not measured: saturated blues print more purple than on
# screen, and dark pictures have less depth than with a profile.


Ink = tuple[float, float, float, float]
"""Cyan, magenta, yellow and black, from 0 to 1."""
MAX_PROFILE = 20_000_000
DEPTH = 0.9
"""How much of the ink that black hides is made up for: all of it would make dust of nearly black pixels."""
MOST = 2.35
"""The most ink of the formula."""
_STRIP = 2_000_000
"""How many pixels of a picture are converted at a time."""
_GREY = 0.004
"""How much two of red, green and blue may differ in a grey."""
_DARK, _NEARLY_GREY = 0.25, 0.08
"""The same for dark colours, up to this share of light: texts in them are sharper in black ink alone."""


class Inks:
    """Converts colours and pictures. With a `profile`, an ICC file for CMYK, all colours except greys go through it;
    `limit` is the most ink, from 1 to 4."""

    def __init__(self, limit: float = 4.0, profile: FilePath | None = None) -> None:
        self.limit = limit
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
        merged = PIL.Image.merge("CMYK", (*inks, black))
        return merged if self.limit >= MOST else self._limited_strip(merged)

    def _limited_strip(self, image: Any) -> Any:
        *colours, black = image.split()
        wide = {name: band.convert("F") for name, band in zip("cmyk", (*colours, black), strict=True)}
        share = partial(_share, round(self.limit * 255))
        inks = [ImageMath.lambda_eval(share, ink=wide[name], **wide) for name in "cmy"]
        return PIL.Image.merge("CMYK", (*inks, black))


def _coloured(bands: dict[str, Any]) -> Any:
    """A colour's ink, as `_formula` computes it, in levels from 0 to 255."""
    black = bands["black"]
    return bands["convert"]((bands["ink"] - black) * 255 / (255 - black * DEPTH) + 0.5, "L")


def _share(limit: int, bands: dict[str, Any]) -> Any:
    """A colour's ink, with as little of it as the limit asks for."""
    total = bands["c"] + bands["m"] + bands["y"] + 0.001
    return bands["convert"](bands["ink"] * bands["min"]((limit - bands["k"]) / total, 1), "L")


def _formula(red: float, green: float, blue: float) -> Ink:
    black = 1 - max(red, green, blue)
    cyan, magenta, yellow = ((1 - part - black) / (1 - DEPTH * black) for part in (red, green, blue))
    return cyan, magenta, yellow, black
