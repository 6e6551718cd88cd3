"""Frames as SVG that stands in an HTML page: no files, scripts or fonts from elsewhere."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path

from ..geometry.frame import (
    Frame,
    Gradient,
    Group,
    Icon,
    Image,
    Item,
    LinearGradient,
    Paint,
    RadialGradient,
    Run,
    Shape,
)
from ..geometry.outlines import IDENTITY, Matrix
from ..geometry.outlines import Path as Outline
from ..model.game import FontFile, Theme
from .picture_files import find_icon
from .svg_shapes import load_art

FAMILY = "Lato, Carlito, system-ui, sans-serif"
_TYPES = {".svg": "svg+xml", ".jpg": "jpeg", ".jpeg": "jpeg", ".gif": "gif", ".webp": "webp"}
_SPREADS = {"reflect": "reflect", "repeat": "repeat"}


class SvgWriter:
    """Writes frames of one HTML page as SVG. Icons, clips and gradients are defined once, in `definitions`."""

    def __init__(self, theme: Theme) -> None:
        self.theme = theme
        self._symbols: dict[str, str] = {}
        self._defined: dict[str, str] = {}
        self._names: dict[str, str] = {}

    def svg(self, frame: Frame, label: str) -> str:
        """A frame as an element whose size is in the view box in mm; `label` says what it shows."""
        body = "".join(self._items(frame.items))
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_n(frame.width)} {_n(frame.height)}" role="img" '
            f'aria-label="{escape(label)}">{body}</svg>'
        )

    def definitions(self) -> str:
        """An invisible element with what the others refer to. Write it once, anywhere in the page."""
        defined = "".join([*self._symbols.values(), *self._defined.values()])
        return f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0" aria-hidden="true">{defined}</svg>'

    def _items(self, items: Iterable[Item]) -> Iterator[str]:
        for item in items:
            if isinstance(item, Shape):
                yield self._shape(item)
            elif isinstance(item, Run):
                yield self._run(item)
            elif isinstance(item, Icon):
                yield self._icon(item)
            elif isinstance(item, Image):
                yield self._image(item)
            elif isinstance(item, Group) and item.is_plain:
                yield from self._items(item.items)
            elif isinstance(item, Group):
                yield self._group(item)

    # ---- items

    def _shape(self, item: Shape) -> str:
        attributes = [f'd="{_path(item.path)}"', f'fill="{self._paint(item.fill)}"']
        if item.even_odd:
            attributes.append('fill-rule="evenodd"')
        if item.stroke:
            attributes += [f'stroke="{self._paint(item.stroke)}"', f'stroke-width="{_n(item.stroke_width)}"']
            attributes += [f'stroke-dasharray="{" ".join(map(_n, item.dash))}"'] if item.dash else []
            attributes += [f'stroke-dashoffset="{_n(item.dash_start)}"'] if item.dash_start else []
            attributes += [f'stroke-linecap="{item.cap}"'] if item.cap else []
            attributes += [f'stroke-linejoin="{item.join}"'] if item.join else []
        return f"<path {' '.join(attributes)}/>"

    def _run(self, item: Run) -> str:
        weight, slant = _face(self.theme.fonts.get(item.font, ()))
        attributes = [
            f'x="{_n(item.x)}"',
            f'y="{_n(item.y)}"',
            f'font-size="{_n(item.size)}"',
            f'font-family="{FAMILY}"',
            f'fill="{escape(item.colour)}"',
        ]
        attributes += [f'font-weight="{weight}"'] if weight != 400 else []
        attributes += ['font-style="italic"'] if slant else []
        if item.text.strip() and item.width > 0:
            attributes += [f'textLength="{_n(item.width)}"', 'lengthAdjust="spacingAndGlyphs"']
        if item.outline:
            attributes += [f'stroke="{escape(item.colour)}"', f'stroke-width="{_n(2 * item.outline)}"']
        attributes += [f'transform="rotate({_n(item.turn)} {_n(item.x)} {_n(item.y)})"'] if item.turn else []
        attributes += ['direction="rtl" text-anchor="end"'] if item.rtl else []
        return f"<text {' '.join(attributes)}>{escape(item.text)}</text>"

    def _icon(self, item: Icon) -> str:
        name = f"icon-{item.name}"
        if name not in self._symbols:
            art = load_art(find_icon(item.name, self.theme.icon_folders))
            body = "".join(self._items(art.items))
            box = f"0 0 {_n(art.width)} {_n(art.height)}"
            self._symbols[name] = f'<symbol id="{escape(name)}" viewBox="{box}">{body}</symbol>'
        turn = f' transform="rotate({_n(item.turn)} {_n(item.x + item.width / 2)} {_n(item.y + item.height / 2)})"'
        return f'<use href="#{escape(name)}" {_box(item)} color="{escape(item.colour)}"{turn if item.turn else ""}/>'

    def _image(self, item: Image) -> str:
        path = Path(item.file)
        kind = _TYPES.get(path.suffix.lower(), "png")
        address = f"data:image/{kind};base64,{b64encode(path.read_bytes()).decode()}"
        image = f'<image {_box(item)} preserveAspectRatio="none" href="{address}"/>'
        if item.flip:
            a, d = (-1 if "x" in item.flip else 1), (-1 if "y" in item.flip else 1)
            e, f = (2 * item.x + item.width if a < 0 else 0), (2 * item.y + item.height if d < 0 else 0)
            image = f'<g transform="matrix({a} 0 0 {d} {_n(e)} {_n(f)})">{image}</g>'
        if item.clip:
            x, y, w, h = item.clip
            outline = (("M", x, y), ("L", x + w, y), ("L", x + w, y + h), ("L", x, y + h), ("Z",))
            return f'<g clip-path="url(#{self._clip(outline, even_odd=False)})">{image}</g>'
        return image

    def _group(self, item: Group) -> str:
        attributes = []
        if item.transform != IDENTITY:
            attributes.append(f'transform="{_matrix(item.transform)}"')
        if item.opacity < 1:
            attributes.append(f'opacity="{_n(item.opacity)}"')
        body = "".join(self._items(item.items))
        if item.clip:
            body = f'<g clip-path="url(#{self._clip(item.clip, even_odd=item.even_odd)})">{body}</g>'
        return f"<g {' '.join(attributes)}>{body}</g>"

    # ---- what is defined once

    def _clip(self, outline: Outline, *, even_odd: bool) -> str:
        rule = ' clip-rule="evenodd"' if even_odd else ""
        return self._define("clip", f'<clipPath id="%s"><path d="{_path(outline)}"{rule}/></clipPath>')

    def _paint(self, paint: Paint | None) -> str:
        if paint is None:
            return "none"
        if not isinstance(paint, Gradient):
            return escape(paint)
        return f"url(#{self._define('paint', _gradient(paint))})"

    def _define(self, kind: str, code: str) -> str:
        """The id of a definition with this code, in which `%s` stands for the id."""
        name = self._names.setdefault(code, f"{kind}-{len(self._names) + 1}")
        self._defined.setdefault(name, code.replace("%s", name, 1))
        return name


def _gradient(paint: Gradient) -> str:
    stops = "".join(f'<stop offset="{_n(stop.offset)}" stop-color="{escape(stop.colour)}"/>' for stop in paint.stops)
    shared = f'id="%s" gradientUnits="userSpaceOnUse" gradientTransform="{_matrix(paint.matrix)}"'
    shared += f' spreadMethod="{_SPREADS.get(paint.spread, "pad")}"'
    if isinstance(paint, RadialGradient):
        circles = {"cx": paint.x, "cy": paint.y, "r": paint.r, "fx": paint.fx, "fy": paint.fy, "fr": paint.fr}
        places = " ".join(f'{name}="{_n(value)}"' for name, value in circles.items())
        return f"<radialGradient {shared} {places}>{stops}</radialGradient>"
    assert isinstance(paint, LinearGradient)
    ends = f'x1="{_n(paint.x1)}" y1="{_n(paint.y1)}" x2="{_n(paint.x2)}" y2="{_n(paint.y2)}"'
    return f"<linearGradient {shared} {ends}>{stops}</linearGradient>"


def _face(files: Iterable[FontFile]) -> tuple[int, bool]:
    """The weight of a font and whether it is italic, by the name of its first file."""
    name = next((file.path.stem.lower() + file.part.lower() for file in files), "")
    weight = 900 if "black" in name else 700 if "bold" in name else 400
    return weight, "italic" in name


def _box(item: Icon | Image) -> str:
    return f'x="{_n(item.x)}" y="{_n(item.y)}" width="{_n(item.width)}" height="{_n(item.height)}"'


def _path(outline: Outline) -> str:
    return "".join(f"{command}{' '.join(_n(float(number)) for number in numbers)}" for command, *numbers in outline)


def _matrix(matrix: Matrix) -> str:
    return f"matrix({' '.join(f'{number:.5g}' for number in matrix)})"


def _n(number: float) -> str:
    """A number in as few characters as a hundredth of a millimetre needs."""
    return f"{number:.2f}".rstrip("0").rstrip(".") if number % 1 else f"{number:.0f}"
