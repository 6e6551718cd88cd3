"""The contrast of texts and outlines with what lies behind them, and frames with more of it.

A ground is what a frame paints at a point before an item: the colours of the topmost opaque shape there, with
transparent ones blended over it. Of a gradient, these are the colours of its stops; those of a picture are unknown.
Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), from 1 to 21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import cos, hypot, radians, sin
from pathlib import Path as File
from typing import NamedTuple, TypeAlias

from ..art.picture_files import find_icon
from ..art.svg_shapes import Art, load_art
from ..geometry.frame import (
    Frame,
    Gradient,
    Group,
    Icon,
    Image,
    Item,
    Run,
    Shape,
    Slot,
)
from ..geometry.outlines import (
    IDENTITY,
    Matrix,
    Path,
    bounds,
    moved,
    multiplied,
    rect,
    transformed,
)
from ..model.colours import channels, contrast, mixed

PAPER = "#ffffff"
_STEPS = 6
"""The number of straight lines for each curve."""
_MAX_COLOURS = 16
_X_HEIGHT = 0.35
"""The middle of letters above the baseline, as a share of the type size."""
_CURRENT = "currentColor"

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]
Colours: TypeAlias = frozenset[str] | None
"""The colours that can be seen somewhere; None if they are not known."""


class Text(NamedTuple):
    """A text, its colour, and its ground."""

    run: Run
    colour: str
    ground: Colours


class Outline(NamedTuple):
    """The outline of a field: its colour, and what is inside and outside it."""

    slot: str
    colour: str
    inside: Colours
    outside: Colours


def least_contrast(colour: str, ground: Colours) -> float:
    """The contrast of a colour with the ground where it is least; 21 if the ground is not known."""
    return min((contrast(colour, behind) for behind in ground or ()), default=21.0)


def texts(frame: Frame, icons: Sequence[File]) -> Iterator[Text]:
    """The texts of a frame; `icons` are the folders of its icons."""
    for sign in Grounds(frame, icons).signs():
        if isinstance(sign.item, Run) and not sign.item.outline:
            yield Text(sign.item, sign.item.colour[:7], sign.ground)


def outlines(frame: Frame, icons: Sequence[File]) -> Iterator[Outline]:
    """The outlines of the fields of a score sheet, those that are drawn around them."""
    grounds = Grounds(frame, icons)
    for slot, area in fields(grounds, frame):
        assert area.stroke
        yield Outline(slot.id, area.stroke, *grounds.sides(area))


def fields(grounds: Grounds, frame: Frame) -> Iterator[tuple[Slot, Area]]:
    """The fields of a score sheet, each with what is drawn around it."""
    strokes = [area for area in grounds.areas if area.stroke]
    for slot in frame.slots():
        for area in strokes:
            if _frames(area, slot):
                yield slot, area


class _Inside(NamedTuple):
    """What groups and art do to the items in them: the matrix to the coordinates of the frame, the opacity, the
    polygons that clip them, and the `currentColor` of art."""

    matrix: Matrix = IDENTITY
    opacity: float = 1.0
    clips: tuple[tuple[Polygon, ...], ...] = ()
    current: str | None = None

    def group(self, group: Group) -> _Inside:
        matrix = multiplied(self.matrix, group.transform)
        clips = (*self.clips, _polygons(transformed(group.clip, matrix))) if group.clip else self.clips
        return _Inside(matrix, self.opacity * group.opacity, clips, self.current)

    def art(self, art: Art, item: Icon | Image, colour: str) -> _Inside:
        """Art fitted into the box of an item."""
        scale = min(item.width / art.width, item.height / art.height)
        turn = radians(item.turn) if isinstance(item, Icon) else 0.0
        a, b = scale * cos(turn), scale * sin(turn)
        x = item.x + item.width / 2 - (a * art.width - b * art.height) / 2
        y = item.y + item.height / 2 - (b * art.width + a * art.height) / 2
        return self._replace(matrix=multiplied(self.matrix, (a, b, -b, a, x, y)), current=colour)

    def colour(self, code: str) -> str:
        return (self.current or "#000000") if code == _CURRENT else code


class Area(NamedTuple):
    """Something painted: the polygons that it fills and their colours, and its outline. `number` counts the areas, and
    `item` the items of the frame; it is 0 in art."""

    number: int
    item: int
    path: Path
    box: tuple[float, float, float, float]
    polygons: tuple[Polygon, ...]
    even_odd: bool
    fill: Colours
    filled: bool
    inside: _Inside
    stroke: str | None
    width: float


class Sign(NamedTuple):
    """A text or an icon, the matrix from its coordinates to those of the frame, and what its ground is painted with:
    the colours that can be seen, and those that were blended. `number` counts the items of the frame."""

    item: Run | Icon
    matrix: Matrix
    number: int
    ground: Colours
    paints: frozenset[str]


class Grounds:
    """What a frame paints, in painting order. Items outside and inside groups have numbers, those of art do not."""

    def __init__(self, frame: Frame, icons: Sequence[File]) -> None:
        self._icons = icons
        self.areas: list[Area] = []
        self._signs: list[tuple[Run | Icon, Matrix, int, int]] = []
        self._count = 0
        self._read(tuple(frame.items), _Inside())

    def signs(self) -> Iterator[Sign]:
        """The texts and icons of the frame."""
        for item, matrix, before, number in self._signs:
            seen: set[str] = set()
            paints: set[str] = set()
            known = True
            for point in _samples(item):
                over = self._over(moved(matrix, *point), before)
                ground = _seen(over)
                known = known and ground is not None
                seen |= ground or frozenset()
                paints.update(*(area.fill or () for area in over))
            yield Sign(item, matrix, number, frozenset(seen) if known else None, frozenset(paints))

    def at(self, point: Point, before: int) -> Colours:
        """What can be seen at a point before the area with this number is painted."""
        return _seen(self._over(point, before))

    def sides(self, area: Area) -> tuple[Colours, Colours]:
        """What is inside and outside an outline, at its upper edge."""
        left, top, right, _ = area.box
        middle, reach = (left + right) / 2, area.width / 2 + 0.1
        return self.at((middle, top + reach), area.number + 1), self.at((middle, top - reach), area.number)

    def _over(self, point: Point, before: int) -> list[Area]:
        """The areas that can be seen at a point, from the lowest to the topmost."""
        over: list[Area] = []
        for area in reversed(self.areas[:before]):
            if area.filled and _covers(area, point):
                over.append(area)
                if area.inside.opacity >= 1:
                    break
        return over[::-1]

    def _read(self, items: Iterable[Item], inside: _Inside) -> None:
        for item in items:
            self._count += inside.current is None and not isinstance(item, Group)
            if isinstance(item, Group):
                self._read(item.items, inside.group(item))
            elif isinstance(item, Shape):
                self._shape(item, inside)
            elif isinstance(item, Image | Icon):
                self._picture(item, inside)
            elif isinstance(item, Run) and inside.current is None:
                self._signs.append((item, inside.matrix, len(self.areas), self._count))

    def _picture(self, item: Icon | Image, inside: _Inside) -> None:
        if isinstance(item, Icon):
            self._signs.append((item, inside.matrix, len(self.areas), self._count))
            file, colour = find_icon(item.name, self._icons), item.colour
        else:
            file, colour = File(item.file), "#000000"
        art = load_art(file) if file.suffix.lower() == ".svg" else None
        if art and not art.beyond:
            self._read(art.items, inside.art(art, item, colour))
        else:
            self._add(transformed(rect(item.x, item.y, item.width, item.height), inside.matrix), inside)

    def _shape(self, shape: Shape, inside: _Inside) -> None:
        path = transformed(shape.path, inside.matrix)
        stroke = inside.colour(shape.stroke) if isinstance(shape.stroke, str) else None
        width = shape.stroke_width * hypot(*inside.matrix[:2])
        if shape.fill is None:
            self._add(path, inside, stroke=stroke, width=width, filled=False)
            return
        paints = [stop.colour for stop in shape.fill.stops] if isinstance(shape.fill, Gradient) else [shape.fill]
        codes = [inside.colour(paint) for paint in paints]
        share = min((channels(code)[3] / 255 for code in codes), default=1.0)
        fill = frozenset(code[:7] for code in codes)
        inside = inside._replace(opacity=inside.opacity * share)
        self._add(path, inside, fill, even_odd=shape.even_odd, stroke=stroke and stroke[:7], width=width)

    def _add(
        self,
        path: Path,
        inside: _Inside,
        fill: Colours = None,
        *,
        even_odd: bool = False,
        stroke: str | None = None,
        width: float = 0.0,
        filled: bool = True,
    ) -> None:
        if path:
            polygons, item = (_polygons(path) if filled else ()), self._count if inside.current is None else 0
            area = Area(
                len(self.areas), item, path, bounds(path), polygons, even_odd, fill, filled, inside, stroke, width
            )
            self.areas.append(area)


def _samples(item: Run | Icon) -> list[Point]:
    """Points in the middle of letters, from the first to the last; of an icon, points around its middle."""
    if isinstance(item, Icon):
        x, y = item.x + item.width / 2, item.y + item.height / 2
        return [(x - item.width / 4, y), (x, y), (x + item.width / 4, y), (x, y - item.height / 4)]
    count = max(3, min(9, len(item.text)))
    turn = radians(item.turn)
    up = item.size * _X_HEIGHT
    along = [item.width * (number + 0.5) / count for number in range(count)]
    return [(item.x + at * cos(turn) + up * sin(turn), item.y + at * sin(turn) - up * cos(turn)) for at in along]


def _frames(area: Area, slot: Slot) -> bool:
    """Whether an outline is drawn around a slot, and no more than it."""
    left, top, right, bottom = area.box
    room = 1.6
    return (
        left <= slot.x + 0.1 <= left + room
        and top <= slot.y + 0.1 <= top + room
        and right - room <= slot.x + slot.width - 0.1 <= right
        and bottom - room <= slot.y + slot.height - 0.1 <= bottom
    )


def _covers(area: Area, point: Point) -> bool:
    x, y = point
    left, top, right, bottom = area.box
    if not (left <= x <= right and top <= y <= bottom):
        return False
    return _inside(area.polygons, point, even_odd=area.even_odd) and all(
        _inside(clip, point, even_odd=False) for clip in area.inside.clips
    )


def _inside(polygons: Iterable[Polygon], point: Point, *, even_odd: bool) -> bool:
    """Whether a point is inside, by the winding number."""
    x, y = point
    winding = 0
    for polygon in polygons:
        x1, y1 = polygon[-1]
        for x2, y2 in polygon:
            if (y1 <= y) != (y2 <= y) and x < x1 + (y - y1) / (y2 - y1) * (x2 - x1):
                winding += 1 if y2 > y1 else -1
            x1, y1 = x2, y2
    return bool(winding % 2 if even_odd else winding)


@lru_cache(maxsize=4096)
def _polygons(path: Path) -> tuple[Polygon, ...]:
    """The closed polygons of a path, with curves as short lines."""
    polygons: list[Polygon] = []
    points: list[Point] = []
    for name, *numbers in path:
        values = [float(number) for number in numbers]
        if name == "M":
            if len(points) > 2:
                polygons.append(tuple(points))
            points = [(values[0], values[1])]
        elif name == "L":
            points.append((values[0], values[1]))
        elif name == "C":
            points += _curve(points[-1], values)
    if len(points) > 2:
        polygons.append(tuple(points))
    return tuple(polygons)


def _curve(start: Point, values: Sequence[float]) -> Iterator[Point]:
    (x0, y0), (x1, y1, x2, y2, x3, y3) = start, values
    for step in range(1, _STEPS + 1):
        t = step / _STEPS
        a, b, c, d = (1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3
        yield a * x0 + b * x1 + c * x2 + d * x3, a * y0 + b * y1 + c * y2 + d * y3


def _seen(over: Iterable[Area]) -> Colours:
    """The colours of areas above each other, the lowest first, on paper."""
    seen: Colours = frozenset((PAPER,))
    for area in over:
        seen = _blended(seen, area)
    return seen


def _blended(seen: Colours, area: Area) -> Colours:
    if area.fill is None:
        return None
    if area.inside.opacity >= 1:
        return area.fill
    if seen is None:
        return None
    colours = frozenset(mixed(below, above, area.inside.opacity) for below in seen for above in area.fill)
    return colours if len(colours) <= _MAX_COLOURS else None
