"""Turns SVG files into shapes, groups and gradients. A file that needs more becomes a picture; nothing is left out
silently.

Specification: https://www.w3.org/TR/SVG11/, structure and viewports in chapters 5 and 7, basic shapes in 9, painting in
11, gradients in 13, clipping in 14.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from math import hypot, isclose
from pathlib import Path
from typing import Any, TypeAlias
from zlib import MAX_WBITS, decompressobj
from zlib import error as zlib_error

from msgspec import Struct
from msgspec.structs import replace

from ..errors import InputError, Place, Problem, fault, refuse
from ..files import of_files
from ..geometry import outlines
from ..geometry.frame import Gradient, Group, Item, LinearGradient, RadialGradient, Shape, Stop, paint_moved
from ..geometry.outlines import IDENTITY, Matrix, multiplied
from ..model import colours
from ..nodes import read_bytes
from ..paths import display_path
from . import svg_values
from .svg_markup import COLOURS, CONTAINERS, DPI, PROPERTIES, SvgDocument, SvgElement, parse
from .svg_values import CURRENT, INITIAL, Look, Reference, Viewport, inherited, or_else

MAX_BYTES = 4_000_000
_GZIP = b"\x1f\x8b"
_COLOUR_KEYWORDS = {"inherit", "initial", "unset", "revert", "revert-layer"}
_NOT_SHAPES = {"clip-path": "clipPath", "mask": "mask"}
_CALCULATED = re.compile(r"\b(?:calc|min|max|clamp)\(")
_FUNCTION = re.compile(r"(?!url)[a-z-]+\(", re.IGNORECASE)
_MAX_PROBLEMS = 20
_MAX_USES = 20_000  # the maximum number of elements drawn through `use`
_MAX_HREFS = 20
_DEFAULT_SIZE = 100.0


class Art(Struct, frozen=True):
    """A drawing from (0, 0) to (width, height) in its own units; its colours may be `currentColor`. If it needs
    features that items cannot show, `beyond` names the first one and `document` is drawn as a picture. `notes` say what
    is left out."""

    width: float
    height: float
    items: tuple[Item, ...]
    notes: tuple[str, ...] = ()
    beyond: str = ""
    document: SvgDocument | None = None

    @property
    def picture_note(self) -> str:
        """Why the drawing is printed as a picture, for a note."""
        fonts = self.document.fonts if self.document else ""
        text = f"; its text looks right only where {fonts} is installed" if fonts else ""
        return f"uses {self.beyond}, so it is printed as a picture at {DPI} dpi{text}"

    @property
    def picture_hint(self) -> str:
        return "convert the text to paths" if self.document and self.document.fonts else ""


# A gradient element with inherited attributes, and its stops.
_Gradient: TypeAlias = tuple[SvgElement, tuple[Stop, ...]]


class BeyondError(Exception):
    """Something in a drawing that shapes and groups cannot show, such as a filter."""


@of_files
@cache
def load_art(path: Path) -> Art:
    """Reads an SVG file; raises InputError with every problem and its line."""
    return read_art(read_svg(path), display_path(path))


def read_svg(path: Path) -> bytes:
    """The text of an SVG file, which may be compressed, as those named `.svgz` are."""
    name = display_path(path)
    data = read_bytes(path, name, MAX_BYTES)
    if not data.startswith(_GZIP):
        return data
    inflate = decompressobj(wbits=MAX_WBITS | 16)  # 16: with the header of gzip
    try:
        data = inflate.decompress(data, MAX_BYTES + 1)
    except zlib_error as error:
        raise fault("this compressed SVG file is damaged", Place(name), "save it as plain SVG") from error
    if len(data) > MAX_BYTES:
        raise fault(f"larger than {MAX_BYTES / 1e6:g} MB when decompressed", Place(name))
    if not inflate.eof:
        raise fault("this compressed SVG file is incomplete", Place(name), "save it as plain SVG")
    return data


def read_art(source: bytes | str, file: str) -> Art:
    """Reads SVG; messages give `file` as its place."""
    document = parse(source, file)
    drawing = _SvgDrawing(document)
    for element in document.root.walk():
        drawing.check_style(element)
    width, height, matrix, viewport = drawing.root()
    beyond = ""
    items: tuple[Item, ...] = ()
    try:
        items = tuple(drawing.element(document.root, INITIAL, matrix, viewport))
    except BeyondError as error:
        beyond = str(error)
    refuse(drawing.problems)
    if not beyond and not items:
        if document.notes:
            raise fault(f"nothing is left to draw: {document.notes[0]}", Place(file))
        document.notes.append("it is blank")
    if beyond:
        from .rasterise import check  # few drawings need it

        check(document)
        document.root.attributes.setdefault("viewBox", f"0 0 {width} {height}")
    return Art(width, height, items, notes=tuple(document.notes), beyond=beyond, document=document if beyond else None)


class _SvgDrawing:
    """Draws the elements of one document."""

    def __init__(self, document: SvgDocument) -> None:
        self.document = document
        self.problems: list[Problem] = []
        self.segments = 0
        self.uses = 0
        self.used: list[SvgElement] = []
        self.gradients: dict[str, _Gradient | None] = {}

    def report(self, element: SvgElement, message: str, hint: str = "") -> None:
        self.problems.append(Problem(message, Place(self.document.file, element.line), hint))
        if len(self.problems) >= _MAX_PROBLEMS:
            raise InputError(self.problems)

    def check_style(self, element: SvgElement) -> None:
        """Reports values that cannot be printed, and notes words that are not colours. Browsers ignore such words,
        which usually means black. A filter that is missing is ignored, too."""
        style = element.style
        if svg_values.reference(style.get("filter", "")) not in (None, *self.document.ids):
            del style["filter"]
        if element.parent is not None:
            style.pop("background-color", None)
        for name, text in style.items():
            written = f"<{element.tag} {name}=“{text[:40]}”>"
            hint = _hint(name, text)
            if hint:
                self.report(element, f"{written} cannot be printed", hint)
            elif name not in COLOURS or text.lower() in _COLOUR_KEYWORDS or or_else("", svg_values.paint, text) != "":
                continue
            elif len(self.document.notes) < _MAX_PROBLEMS:
                message = f"its {name} “{text[:40]}” on line {element.line} is not a colour and is ignored"
                self.document.notes.append(message)

    def value(self, element: SvgElement, name: str, parse: Callable[..., Any], default: Any, **more: Any) -> Any:
        """The value of an attribute. Reports one that cannot be parsed."""
        text = element.attributes.get(name)
        if text is None or text.strip() in ("", "auto"):
            return default
        try:
            return parse(text, **more)
        except ValueError as error:
            self.report(element, f"<{element.tag} {name}=“{text[:40]}”> {error}")
            return default

    def length(self, element: SvgElement, name: str, viewport: Viewport, default: float = 0.0) -> float:
        value = float(
            self.value(element, name, svg_values.length, default, viewport=viewport, axis=_AXES.get(name, ""))
        )
        if name in _NOT_NEGATIVE and value < 0 and default >= 0:
            self.report(element, f"<{element.tag} {name}=“{element.attributes[name][:40]}”> cannot be negative")
        return value

    # Viewports (7.2 to 7.8)

    def root(self) -> tuple[float, float, Matrix, Viewport]:
        """The size of the drawing, the matrix from user units to drawing units, and the root's viewport."""
        root = self.document.root
        box = self.view_box(root)
        sizes = [root.attributes.get(name, "100%").strip() for name in ("width", "height")]
        whole = Viewport(_DEFAULT_SIZE, _DEFAULT_SIZE)
        width, height = (
            None if size.endswith(("%", "vw", "vh")) or size in ("auto", "") else self.length(root, name, whole)
            for name, size in zip(("width", "height"), sizes, strict=True)
        )
        if box is None:
            refuse(self.problems)
            if not width or not height:
                raise fault("<svg> needs a viewBox such as “0 0 24 24”", Place(self.document.file, root.line))
            box = outlines.Rect(0.0, 0.0, width, height)
        left, top, inner_width, inner_height = box
        viewport = Viewport(inner_width, inner_height)
        self.frame(root, box)
        matrix: Matrix = (1.0, 0.0, 0.0, 1.0, -left, -top)
        if width and height and not isclose(width / height, inner_width / inner_height, rel_tol=1e-3):
            matrix = self.fitted(root, box, (0.0, 0.0, width, height))
        else:
            width, height = inner_width, inner_height
        return width, height, matrix, viewport

    def frame(self, root: SvgElement, box: outlines.Rect) -> None:
        """Gives the root its background as a rectangle, and its transform the middle of the drawing as its origin."""
        if colour := root.style.pop("background-color", ""):
            names = zip(("x", "y", "width", "height"), map(str, box), strict=True)
            root.content.insert(0, SvgElement("rect", dict(names), root.line, root, style={"fill": colour}))
        if "transform" in root.style and "transform-origin" not in root.style:
            x, y = box[0] + box[2] / 2, box[1] + box[3] / 2
            root.style["transform"] = f"translate({x} {y}) {root.style['transform']} translate({-x} {-y})"

    def view_box(self, element: SvgElement) -> outlines.Rect | None:
        box = self.value(element, "viewBox", svg_values.numbers, None)
        if box is None:
            return None
        if len(box) != 4 or min(box[2:]) <= 0:
            raise fault("<svg> needs a viewBox such as “0 0 24 24”", Place(self.document.file, element.line))
        return outlines.Rect(*box)

    def fitted(self, element: SvgElement, box: tuple[float, ...], target: tuple[float, ...]) -> Matrix:
        """The matrix from a view box to a viewport (7.8 “The preserveAspectRatio attribute”)."""
        words = element.attributes.get("preserveAspectRatio", "").replace("defer", "").split() or ["xMidYMid"]
        x, y, width, height = target
        across, down = width / box[2], height / box[3]
        if words[0] != "none":
            across = down = max(across, down) if "slice" in words else min(across, down)
            x += _ALIGNED.get(words[0][:4], 0.5) * (width - box[2] * across)
            y += _ALIGNED.get(words[0][4:8], 0.5) * (height - box[3] * down)
        return across, 0.0, 0.0, down, x - box[0] * across, y - box[1] * down

    def moved(self, element: SvgElement, matrix: Matrix) -> Matrix:
        """The matrix of an element's user units: that of its parent and its own `transform`."""
        text = element.style.get("transform", "")
        if not text or text == "none":
            return matrix
        if "transform-origin" in element.style:
            raise BeyondError("transform-origin")
        try:
            combined = multiplied(matrix, svg_values.matrix(text))
        except ValueError as error:
            self.report(element, f"<{element.tag} transform=“{text[:40]}”> {error}")
            return matrix
        if max(map(abs, combined)) > svg_values.LARGEST:
            self.report(element, f"<{element.tag} transform> is too large")
        return combined

    def nested(
        self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport, use: SvgElement | None = None
    ) -> Iterator[Item]:
        """An `svg` inside another, or a `symbol` that is used (5.5, 5.6): a viewport of its own, clipped unless it
        overflows."""
        sized = use if use is not None else element
        width, height = (
            self.length(sized if name in sized.attributes else element, name, viewport, whole)
            for name, whole in (("width", viewport.width), ("height", viewport.height))
        )
        x, y = (self.length(element, name, viewport) for name in ("x", "y"))
        if width <= 0 or height <= 0:
            return
        box = self.view_box(element)
        inner = Viewport(box[2], box[3]) if box else Viewport(width, height)
        fitted = self.fitted(element, box, (x, y, width, height)) if box else (1.0, 0.0, 0.0, 1.0, x, y)
        clip = outlines.transformed(outlines.rect(x, y, width, height), matrix)
        items = tuple(self.content(element, look, multiplied(matrix, fitted), inner))
        if items:
            shown = element.style.get("overflow", "hidden") in ("visible", "auto")
            yield from items if shown else [Group(items, clip=clip)]

    # Elements (chapter 5)

    def content(self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport) -> Iterator[Item]:
        """The items of an element's children."""
        look = inherited(look, element.style)
        viewport = viewport.with_type_size(look["font-size"])
        for child in element.children:
            if element.tag == "switch" and not _passes(child):
                continue
            yield from self.element(child, look, matrix, viewport)
            if element.tag == "switch":
                return

    def element(
        self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport, use: SvgElement | None = None
    ) -> Iterator[Item]:
        """The items of an element, as a group if it is clipped or transparent."""
        if not self.is_shown(element, use):
            return
        matrix = self.moved(element, matrix)
        items = tuple(self.plain(element, look, matrix, viewport, use))
        opacity = or_else(1.0, svg_values.share, element.style.get("opacity", "1"))
        if not items or opacity <= 0:
            return
        if opacity < 1 and len(items) == 1 and (single := _faded(items[0], opacity)):
            items, opacity = (single,), 1.0
        clipped = self.clipped(element, items, matrix, viewport)
        if clipped is None:
            yield from [Group(items, opacity)] if opacity < 1 else items
        elif clipped.clip:
            yield replace(clipped, opacity=opacity)

    def is_shown(self, element: SvgElement, use: SvgElement | None) -> bool:
        """Whether an element is drawn. Raises BeyondError if it needs more than shapes."""
        style, tag = element.style, element.tag
        if tag == "foreignObject":
            raise fault("HTML inside a drawing cannot be printed", Place(self.document.file, element.line))
        hidden = (style.get("display") == "none" and tag != "symbol") or not (
            _passes(element) or (use is not None and tag == "symbol")
        )
        if (hidden and element.parent is not None) or (tag == "text" and not element.text.strip()):
            return False
        beyond = [what for name, what in _BEYOND.items() if style.get(name, "none") not in ("none", "normal", "auto")]
        if beyond or tag in _PICTURED:
            raise BeyondError((beyond or [_PICTURED[tag]])[0])
        return True

    def plain(
        self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport, use: SvgElement | None
    ) -> Iterable[Item]:
        if element.tag in ("svg", "symbol") and element.parent is not None:
            return self.nested(element, look, matrix, viewport, use)
        if element.tag in CONTAINERS:
            return self.content(element, look, matrix, viewport)
        look = inherited(look, element.style)
        viewport = viewport.with_type_size(look["font-size"])
        if element.tag == "use":
            return self.use(element, look, matrix, viewport)
        return self.shape(element, look, matrix, viewport) if look["visibility"] else ()

    def use(self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport) -> Iterator[Item]:
        target = self.referred(element)
        if target is None:
            return
        x, y = self.length(element, "x", viewport), self.length(element, "y", viewport)
        matrix = multiplied(matrix, (1.0, 0.0, 0.0, 1.0, x, y))
        if target in self.used or target in element.around():
            self.report(element, f"<use> of “{target.attributes['id'][:40]}” contains itself")
            return
        self.uses += sum(1 for _ in target.walk())
        if self.uses > _MAX_USES:
            raise fault(f"<use> repeats more than {_MAX_USES:,} elements", Place(self.document.file, element.line))
        self.used.append(target)
        yield from self.element(target, look, matrix, viewport, use=element)
        self.used.pop()

    def referred(self, element: SvgElement) -> SvgElement | None:
        """The element in the same file that `href` refers to, if any."""
        href = element.attributes.get("href", "").strip()
        if not href:
            return None
        if not href.startswith("#"):
            raise fault(
                f"<{element.tag}> refers to another file, “{href[:40]}”", Place(self.document.file, element.line)
            )
        return self.document.ids.get(href[1:])

    # Shapes (chapters 8 and 9)

    def shape(self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport) -> Iterator[Item]:
        path = self.path(element, viewport)
        if not path:
            return
        if element.tag in _WITH_MARKERS and any(value for name, value in look.items() if name.startswith("marker")):
            raise BeyondError("markers")
        if "pathLength" in element.attributes and or_else((), svg_values.lengths, look["stroke-dasharray"], viewport):
            self.report(element, f"<{element.tag} pathLength> cannot be printed with dashes", "remove it")
        fill = self.paint("fill", look, path, viewport) if element.tag != "line" else None
        width = or_else(1.0, svg_values.length, look["stroke-width"], viewport) if look["stroke"] else 0.0
        stroke = self.paint("stroke", look, path, viewport) if width > 0 else None
        placed = outlines.transformed(path, matrix)
        parts: list[Item] = []
        if fill:
            inside = Shape(placed, paint_moved(fill[0], matrix), even_odd=look["fill-rule"])
            parts.append(_with_opacity(inside, fill[1]))
        if stroke:
            scale = (
                1.0 if element.style.get("vector-effect") == "non-scaling-stroke" else svg_values.uniform_scale(matrix)
            )
            dash = or_else((), svg_values.lengths, look["stroke-dasharray"], viewport)
            start = or_else(0.0, svg_values.length, look["stroke-dashoffset"], viewport) % sum(dash) if dash else 0.0
            limit = look["stroke-miterlimit"] if not look["stroke-linejoin"] and len(path) > _LINE else 0.0
            ends = False, look["stroke-linecap"], look["stroke-linejoin"]
            if scale is None:
                turn = svg_values.main_direction(matrix)
                turned, paint = (
                    outlines.transformed(path, outlines.rotation(-turn, 0.0, 0.0)),
                    paint_moved(stroke[0], outlines.rotation(-turn, 0.0, 0.0)),
                )
                outline = Shape(turned, None, paint, width, dash, *ends, start, limit)
                stroked: Item = Group((outline,), transform=multiplied(matrix, outlines.rotation(turn, 0.0, 0.0)))
            else:
                dash, start = tuple(length * scale for length in dash), start * scale
                stroked = Shape(placed, None, paint_moved(stroke[0], matrix), width * scale, dash, *ends, start, limit)
            parts.append(_with_opacity(stroked, stroke[1]))
        yield from _joined(parts[::-1] if look["paint-order"] else parts)

    def path(self, element: SvgElement, viewport: Viewport) -> outlines.Path:
        path = self._path(element, viewport)
        self.segments += len(path)
        if self.segments > svg_values.MAX_SEGMENTS:
            raise BeyondError(f"more than {svg_values.MAX_SEGMENTS:,} segments")
        return path if len(path) > 1 else ()

    def _path(self, element: SvgElement, viewport: Viewport) -> outlines.Path:
        tag = element.tag
        if tag == "path":
            try:
                path: outlines.Path = self.value(element, "d", svg_values.segments, ())
                return path
            except svg_values.TooManySegmentsError as error:
                raise BeyondError(str(error)) from error
        if tag in ("polyline", "polygon"):
            return self._points(element)
        x, y, width, height = (self.length(element, name, viewport) for name in _DRAWN[tag])
        if tag == "line":
            return outlines.line(x, y, width, height)
        rx, ry = (self.length(element, name, viewport, -1.0) for name in ("rx", "ry"))
        rx, ry = max(ry if rx < 0 else rx, 0.0), max(rx if ry < 0 else ry, 0.0)
        if tag != "rect":
            rx, ry = (width, width) if tag == "circle" else (rx, ry)
            return outlines.ellipse(x - rx, y - ry, rx * 2, ry * 2) if rx > 0 and ry > 0 else ()
        if width <= 0 or height <= 0:
            return ()
        if isclose(min(rx, width / 2), min(ry, height / 2)) or not (rx and ry):
            return outlines.rounded_rect(x, y, width, height, radii=(min(rx, ry, width / 2, height / 2),) * 4)
        return outlines.elliptic_rect(x, y, width, height, rx=min(rx, width / 2), ry=min(ry, height / 2))

    def _points(self, element: SvgElement) -> outlines.Path:
        coordinates = self.value(element, "points", svg_values.numbers, [])
        if len(coordinates) % 2:
            self.report(element, f"<{element.tag} points> needs an even number of coordinates")
            return ()
        pairs = zip(coordinates[::2], coordinates[1::2], strict=True)
        path = tuple(("L" if i else "M", x, y) for i, (x, y) in enumerate(pairs))
        return (*path, ("Z",)) if path and element.tag == "polygon" else path

    # Paints (chapters 11 and 13)

    def paint(
        self, name: str, look: Look, path: outlines.Path, viewport: Viewport
    ) -> tuple[str | Gradient, float] | None:
        """What fills a path or its outline (`fill` or `stroke`), and the opacity that still has to be applied."""
        paint: svg_values.Paint = look[name]
        opacity: float = look[f"{name}-opacity"]
        if isinstance(paint, Reference):
            gradient = self.gradient(paint.id)
            if gradient is None:
                paint = paint.fallback
            else:
                element, stops = gradient
                stops = tuple(replace(stop, colour=colours.faded(stop.colour, opacity)) for stop in stops)
                filling = self.filling((element, stops), path, viewport)
                if filling or not stops:
                    return (filling, 1.0) if filling else None
                paint = paint.fallback
        if paint == CURRENT:
            paint = str(look["color"])
        if paint is None or isinstance(paint, Reference) or opacity <= 0:
            return None
        return (CURRENT, opacity) if paint == CURRENT else (colours.faded(paint, opacity), 1.0)

    def gradient(self, name: str) -> _Gradient | None:
        """The gradient with this id; None if there is no such element."""
        if name in svg_values.CONTEXT:
            raise BeyondError(name)
        if name not in self.gradients:
            element = self.document.ids.get(name)
            if element is not None and element.tag not in _GRADIENTS:
                raise BeyondError(f"a {element.tag}")
            self.gradients[name] = None if element is None else self._gradient(element)
        return self.gradients[name]

    def _gradient(self, element: SvgElement) -> _Gradient:
        """A gradient with the attributes and stops it inherits through `href` (13.2.2)."""
        attributes = dict(element.attributes)
        chain, stops = [element], [child for child in element.children if child.tag == "stop"]
        while (other := self.referred(chain[-1])) is not None and len(chain) < _MAX_HREFS and other not in chain:
            if other.tag not in _GRADIENTS:
                break
            chain.append(other)
            same = other.tag == element.tag
            stops = stops or [child for child in other.children if child.tag == "stop"]
            for name, value in other.attributes.items():
                if name in _SHARED or (same and name in _GRADIENTS[element.tag]):
                    attributes.setdefault(name, value)
        if "transform-origin" in element.style:
            raise BeyondError("transform-origin")
        if element.style.get("transform"):
            attributes.setdefault("gradientTransform", element.style["transform"])
        return SvgElement(element.tag, attributes, element.line), tuple(self.stops(stops))

    def filling(self, gradient: _Gradient, path: outlines.Path, viewport: Viewport) -> Gradient | str | None:
        """The gradient for a path (13.2); a plain colour if it has one stop, and None if it paints nothing."""
        element, stops = gradient
        if len(stops) < 2:
            return stops[0].colour if stops else None
        matrix = self.value(element, "gradientTransform", svg_values.matrix, IDENTITY)
        if element.attributes.get("gradientUnits") != "userSpaceOnUse":
            left, top, right, bottom = outlines.exact_bounds(path)
            if right - left <= 0 or bottom - top <= 0:
                return None
            viewport = Viewport(1.0, 1.0)
            matrix = multiplied((right - left, 0.0, 0.0, bottom - top, left, top), matrix)
        if outlines.inverse(matrix) is None:
            return stops[-1].colour
        spread = element.attributes.get("spreadMethod", "")
        spread = spread if spread in ("reflect", "repeat") else ""
        if element.tag == "linearGradient":
            ends = (_gradient_length(element, name, viewport, default) for name, default in _ENDS.items())
            return LinearGradient(*ends, stops=stops, spread=spread, matrix=matrix)
        return RadialGradient(*_circles(element, viewport), stops=stops, spread=spread, matrix=matrix)

    def stops(self, elements: Iterable[SvgElement]) -> Iterator[Stop]:
        lowest = 0.0
        for element in elements:
            lowest = max(lowest, or_else(0.0, svg_values.share, element.attributes.get("offset", "0")))
            text = element.style.get("stop-color", "#000000")
            colour = or_else("#000000", svg_values.colour, text)
            if colour == CURRENT:
                colour = _current_colour(element)
            yield Stop(
                lowest, colours.faded(colour, or_else(1.0, svg_values.share, element.style.get("stop-opacity", "1")))
            )

    # Clipping (14.3)

    def clipped(self, element: SvgElement, items: tuple[Item, ...], matrix: Matrix, viewport: Viewport) -> Group | None:
        """The items clipped by `clip-path`; None if the element has none. An empty clipping path hides everything."""
        text = element.style.get("clip-path", "none").strip()
        if text == "none":
            return None
        reference = svg_values.reference(text)
        if reference is None:
            raise BeyondError("a CSS shape as clip-path")
        target = self.document.ids.get(reference)
        if target is None:
            return None
        if target.tag != "clipPath":
            raise BeyondError("a clip-path that is not a clipPath")
        return self.clip(target, element, items, matrix=matrix, viewport=viewport)

    def clip(
        self, target: SvgElement, element: SvgElement, items: tuple[Item, ...], matrix: Matrix, viewport: Viewport
    ) -> Group:
        if target in self.used:
            raise BeyondError("a clipPath that refers to itself")
        self.used.append(target)
        if target.attributes.get("clipPathUnits") == "objectBoundingBox":
            if element.tag not in _DRAWN:
                raise BeyondError("a clipPath in units of a group's box")
            left, top, right, bottom = outlines.exact_bounds(self._path(element, viewport))
            matrix = multiplied(self.moved(target, matrix), (right - left, 0.0, 0.0, bottom - top, left, top))
        else:
            matrix = self.moved(target, matrix)
        look = INITIAL
        for outer in reversed([*target.around()]):
            look = inherited(look, outer.style)
        shapes = [
            shape for child in target.children for shape in self.clip_shapes(child, look, matrix, viewport) if shape[0]
        ]
        inner = self.clipped(target, items, matrix, viewport)
        self.used.pop()
        if len(shapes) > 1 and (_overlap([path for path, _ in shapes]) or len({rule for _, rule in shapes}) > 1):
            raise BeyondError("a clipPath of several overlapping shapes")
        path = tuple(segment for path, _ in shapes for segment in path if inner is None or inner.clip)
        return Group(items if inner is None else (inner,), clip=path, even_odd=any(rule for _, rule in shapes))

    def clip_shapes(
        self, element: SvgElement, look: Look, matrix: Matrix, viewport: Viewport
    ) -> Iterator[tuple[outlines.Path, bool]]:
        """The outlines of an element in a clipping path; each says whether the even-odd rule applies."""
        look = inherited(look, element.style)
        if element.style.get("display") == "none" or not look["visibility"]:
            return
        if element.style.get("clip-path", "none") != "none" or element.tag in _PICTURED:
            raise BeyondError("a clipPath with text or a clipPath of its own")
        matrix = self.moved(element, matrix)
        if element.tag == "use":
            target = self.referred(element)
            x, y = self.length(element, "x", viewport), self.length(element, "y", viewport)
            if target is not None and target.tag in _DRAWN:
                yield from self.clip_shapes(target, look, multiplied(matrix, (1.0, 0.0, 0.0, 1.0, x, y)), viewport)
        elif element.tag in _DRAWN:
            yield outlines.transformed(self.path(element, viewport), matrix), look["clip-rule"]


_LINE = 2  # the segments of a path without corners
_DRAWN: Mapping[str, tuple[str, ...]] = {
    "path": (),
    "polyline": (),
    "polygon": (),
    "rect": ("x", "y", "width", "height"),
    "line": ("x1", "y1", "x2", "y2"),
    "circle": ("cx", "cy", "r", "r"),
    "ellipse": ("cx", "cy", "rx", "ry"),
}
_PICTURED = {"text": "text", "image": "an embedded picture"}
_SHOWN = {*_DRAWN, *_PICTURED, *CONTAINERS, "use"}
_WITH_MARKERS = {"path", "line", "polyline", "polygon"}
_BEYOND = {"filter": "a filter", "mask": "a mask", "mix-blend-mode": "a blend mode"}
_SHARED = {"gradientUnits", "gradientTransform", "spreadMethod"}
_GRADIENTS = {"linearGradient": {"x1", "y1", "x2", "y2"}, "radialGradient": {"cx", "cy", "r", "fx", "fy", "fr"}}
_NOT_NEGATIVE = {"width", "height", "r", "rx", "ry"}
_AXES = dict.fromkeys(("x", "x1", "x2", "cx", "fx", "rx", "width"), "x") | dict.fromkeys(
    ("y", "y1", "y2", "cy", "fy", "ry", "height"), "y"
)
_ENDS = {"x1": "0%", "y1": "0%", "x2": "100%", "y2": "0%"}
_ALIGNED = {"xMin": 0.0, "YMin": 0.0, "xMid": 0.5, "YMid": 0.5, "xMax": 1.0, "YMax": 1.0}


def _hint(name: str, text: str) -> str:
    """What to write instead of a value that cannot be printed; empty for all others."""
    if name in _NOT_SHAPES and text != "none" and svg_values.reference(text) is None:
        return f"use a <{_NOT_SHAPES[name]}>"
    if name in COLOURS and _FUNCTION.match(text) and or_else("", svg_values.paint, text) == "":
        return "write it as #rrggbb"
    return "write the result" if name in PROPERTIES and _CALCULATED.search(text) else ""


def _circles(element: SvgElement, viewport: Viewport) -> tuple[float, float, float, float, float, float]:
    """The centre, radius and focus of a radial gradient, and the radius of its focus (13.2.3)."""
    x, y, r = (_gradient_length(element, name, viewport, "50%") for name in ("cx", "cy", "r"))
    r = max(r, 0.0)
    fx = _gradient_length(element, "fx", viewport, "0") if "fx" in element.attributes else x
    fy = _gradient_length(element, "fy", viewport, "0") if "fy" in element.attributes else y
    focus_radius = _gradient_length(element, "fr", viewport, "0")
    if hypot(fx - x, fy - y) >= r > 0 or focus_radius >= r > 0 or focus_radius < 0:
        raise BeyondError("a gradient with its focus outside its circle")
    return x, y, r, fx, fy, focus_radius


def _gradient_length(element: SvgElement, name: str, viewport: Viewport, default: str) -> float:
    """The value of an attribute, or the default if it is absent or cannot be understood."""
    axis = _AXES.get(name, "")
    whole = svg_values.length(default, viewport, axis)
    return float(or_else(whole, svg_values.length, element.attributes.get(name, default), viewport, axis))


def _passes(element: SvgElement) -> bool:
    """Whether `switch` may draw this child (5.8)."""
    attributes = element.attributes
    language = attributes.get("systemLanguage", "en")
    return (
        element.tag in _SHOWN
        and not attributes.get("requiredExtensions")
        and any(word.strip().lower().startswith("en") for word in language.split(","))
    )


def _current_colour(element: SvgElement) -> str:
    """The colour that `currentColor` stands for in a gradient, where a card's colour cannot reach."""
    for outer in element.around():
        colour = or_else(None, svg_values.colour, outer.style.get("color", ""))
        if colour:
            return str(colour)
    raise BeyondError("currentColor in a gradient")


def _with_opacity(item: Item, opacity: float) -> Item:
    return Group((item,), opacity) if opacity < 1 else item


def _joined(parts: list[Item]) -> list[Item]:
    """A fill and its outline as one shape, if that looks the same."""
    if len(parts) < 2:
        return parts
    filling, outline = parts
    if isinstance(filling, Shape) and isinstance(outline, Shape) and filling.path is outline.path:
        paints = filling.fill, outline.stroke
        if all(isinstance(paint, str) and len(paint) != len("#rrggbbaa") for paint in paints):
            return [replace(outline, fill=filling.fill, even_odd=filling.even_odd)]
    return parts


def _faded(item: Item, opacity: float) -> Item | None:
    """A shape with a single plain colour that has this opacity; None for anything else."""
    if not isinstance(item, Shape) or (item.fill and item.stroke):
        return None
    paint = item.fill or item.stroke
    if not isinstance(paint, str) or paint == CURRENT:
        return None
    colour = colours.faded(paint, opacity)
    return replace(item, fill=colour) if item.fill else replace(item, stroke=colour)


def _overlap(paths: list[outlines.Path]) -> bool:
    """Whether the boxes of any two paths overlap."""
    boxes = [outlines.bounds(path) for path in paths]
    return any(
        a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
        for number, a in enumerate(boxes)
        for b in boxes[:number]
    )
