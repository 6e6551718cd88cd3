"""Variants of what is printed: large print, and high contrast.

Large print enlarges everything by up to one ISO paper size, 141%: cards, boards, and what fills half a page, which gets
a whole one. On paper that is twice as large as A4 or Letter, so does what fills a page. Score sheets may have templates
of their own for large print, whose texts have at least 16 pt. Booklets have a size of their own. Dice, pawns, boxes and
forms stay as they are.

High contrast gives the same faces other colours where something is hard to see. Texts get a contrast of at least 7:1
(WCAG 2.2, success criterion 1.4.6) with everything behind them, and outlines and icons one of 4.5:1. First the colour
of a text becomes darker or lighter; where even black or white is not enough, so does the ground. Lines and icons that
hardly show are decoration and stay as they are. Nothing moves.

A ground is what a frame paints at a point before an item: the colours of the topmost opaque shape there, with
transparent ones blended over it. Of a gradient, these are the colours of its stops; those of a picture are unknown.
Contrast is that of WCAG 2.2 (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio), from 1 to 21.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import count, product
from math import cos, hypot, radians, sin, sqrt
from pathlib import Path as File
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..art.picture_files import drawing, find_icon, is_drawing
from ..geometry.frame import Frame, Gradient, Group, Icon, Image, Item, Paint, Run, Shape, Slot, scaled, ungrouped
from ..geometry.outlines import IDENTITY, Matrix, Path, bounds, moved, multiplied, rect, transformed
from ..geometry.polygons import bezier, is_inside
from ..model.colours import brightness, channels, contrast, find, mixed
from ..model.game import Component, Game, Style, Theme
from ..model.values import MM_PER_UNIT, Colour
from ..pages.crop_marks import MIN_MARK
from ..reading.sizes import Paper, papers

SCALE = sqrt(2)
"""From one ISO paper size to the next."""
MIN_TYPE = 16 * MM_PER_UNIT["pt"]
"""The least type size, in mm, on score sheets that have templates for large print."""
_LEAST = 1.05  # cards that could grow by less than this stay as they are
# Half of a paper is at least as large as this, in mm, if a sheet fits on it: A4 and Letter do.
_WHOLE_PAGE = 205.0, 275.0
_SAME_PAPER = 1.0
TEXT, LINE = 7.0, 4.5
DECORATION = 1.8
"""Lines and icons with less contrast than this are decoration."""
PAPER = "#ffffff"
_SHADES = 40
_PASSES = 3
_STEPS = 6  # the number of straight lines for each curve
_HALO = 0.3  # the width of the line around letters on a picture, in mm
_MAX_COLOURS = 16
_X_HEIGHT = 0.35  # the middle of letters above the baseline, as a share of the type size
_BLACK, _WHITE = "#000000", "#ffffff"

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]
Colours: TypeAlias = frozenset[str] | None
"""The colours that can be seen somewhere; None if they are not known."""


def enlarges(game: Game, part: Component, paper: Paper) -> bool:
    """Whether large print changes a component on this paper."""
    if part.kind == "deck":
        return card_scale(game, part, paper) > 1
    if part.kind in ("sheet", "page"):
        return bool(part.definition.large) or drawn_for(part, paper) != whole_paper(part, paper)
    return part.kind in ("board", "booklet")


def card_scale(game: Game, part: Component, paper: Paper) -> float:
    """The scale of the cards of a deck and of those printed with it: as far as one fits on a page with its marks."""
    if part.definition.up == 2:
        return 1.0
    decks = [part, *(game.components[name] for name in part.definition.with_)]
    edge = paper.margin + MIN_MARK
    area = paper.width - 2 * edge, paper.height - 2 * edge
    scale = SCALE
    for deck in decks:
        if deck.size:
            width, height = (side + 2 * deck.definition.bleed for side in (deck.size.width, deck.size.height))
            scale = min(scale, max(_fit(width, height, *area), _fit(height, width, *area)))
    return scale if scale >= _LEAST else 1.0


def large_theme(theme: Theme) -> Theme:
    """The theme with all its text styles enlarged."""
    return replace(theme, styles={name: _enlarged(style) for name, style in theme.styles.items()})


def _enlarged(style: Style) -> Style:
    size = max(MIN_TYPE, style.size * SCALE)
    return replace(style, size=size, floor=min(size, max(MIN_TYPE, (style.floor or style.size) * SCALE)))


def drawn_for(part: Component, paper: Paper) -> Paper:
    """The paper for which a sheet or page is drawn before it is enlarged to the whole of another one: its half if two
    are cut from one page or if half a page is enough for one; else the paper itself."""
    half = replace(paper, width=paper.height / 2, height=paper.width)
    if part.definition.up == 2:
        return replace(paper, height=paper.height / 2) if part.definition.landscape else half
    if half.width < _WHOLE_PAGE[0] or half.height < _WHOLE_PAGE[1]:
        return whole_paper(part, paper)
    same = (
        other
        for other in papers().values()
        if abs(other.width - half.width) < _SAME_PAPER and abs(other.height - half.height) < _SAME_PAPER
    )
    return whole_paper(part, next(same, half))


def whole_paper(part: Component, paper: Paper) -> Paper:
    """The paper of a score sheet that fills a page: landscape if the sheet is, and if it is not cut from a page."""
    is_landscape = part.definition.landscape and part.definition.up == 1
    return replace(paper, width=paper.height, height=paper.width) if is_landscape else paper


def filling(frames: Iterable[Frame], paper: Paper) -> list[Frame]:
    """Frames enlarged to a page."""
    return [scaled(frame, _fit(frame.width, frame.height, paper.width, paper.height)) for frame in frames]


def _fit(width: float, height: float, across: float, down: float) -> float:
    return min(across / width, down / height)


def frame_with_contrast(frame: Frame, icons: Sequence[File]) -> Frame:
    """The frame in high contrast; `icons` are the folders of its icons."""
    frame = replace(frame, items=tuple(ungrouped(frame.items)))
    for _ in range(_PASSES):
        # Grounds on which not even black or white can be read become the shade on which white can be read, or the tint
        # on which black can.
        fills: dict[str, str] = {}
        for sign in Grounds(frame, icons).signs():
            if not isinstance(sign.item, Run) or not sign.ground or sign.item.outline:
                continue
            if max(least_contrast(end, sign.ground) for end in (_BLACK, _WHITE)) < TEXT:
                is_light = brightness(sign.item.colour[:7]) > _mean(sign.ground)
                text, end = (_WHITE, _BLACK) if is_light else (_BLACK, _WHITE)
                for fill in sign.paints or {PAPER}:
                    shades = (mixed(fill, end, step / _SHADES) for step in range(_SHADES + 1))
                    fills.setdefault(fill, next(shade for shade in shades if contrast(shade, text) >= TEXT))
        fills = {fill: new for fill, new in fills.items() if fill != new}
        if not fills:
            break
        frame = replace(frame, items=_repainted(frame.items, fills))
    grounds = Grounds(frame, icons)
    changes = dict(_new_signs(grounds)) | dict(_new_strokes(grounds, frame))
    return replace(frame, items=tuple(_changed(frame.items, changes, count(1))))


def theme_with_contrast(theme: Theme) -> Theme:
    """The theme with styles of booklets that can be read on paper."""
    grounds = {"book-heading": ("chapter",)}
    styles: dict[str, Style] = {}
    for name, style in theme.styles.items():
        if name.startswith("book"):
            behind = frozenset(theme.colours.get(ground, PAPER) for ground in grounds.get(name, ("paper", "soft")))
            styles[name] = replace(style, colour=Colour(lifted(find(style.colour, theme.colours), behind, TEXT)))
    return replace(theme, styles={**theme.styles, **styles})


def least_contrast(colour: str, ground: Colours) -> float:
    """The contrast of a colour with the ground where it is least; 21 if the ground is not known."""
    return min((contrast(colour, behind) for behind in ground or ()), default=21.0)


def lifted(colour: str, ground: Colours, least: float) -> str:
    """The colour itself, or the nearest shade or tint that has this contrast with its ground; if there is none, black
    or white, whichever has more. A colour that is darker than its ground becomes darker if it can."""
    if not ground or least_contrast(colour, ground) >= least:
        return colour
    ends = (_BLACK, _WHITE) if brightness(colour) <= _mean(ground) else (_WHITE, _BLACK)
    shades = (mixed(colour, end, step / _SHADES) for end in ends for step in range(1, _SHADES + 1))
    farthest = max(ends, key=lambda end: least_contrast(end, ground))
    return next((shade for shade in shades if least_contrast(shade, ground) >= least), farthest) + colour[7:]


def _mean(ground: frozenset[str]) -> float:
    return sum(map(brightness, ground)) / len(ground)


# ---- new colours


def _new_signs(grounds: Grounds) -> Iterator[tuple[int, list[Item]]]:
    """Texts and icons in new colours; those on pictures get a halo below them."""
    for sign in grounds.signs():
        item, is_text = sign.item, isinstance(sign.item, Run)
        if isinstance(item, Run) and item.outline:
            continue
        halo: list[Item] = []
        if isinstance(item, Run) and sign.ground is None:
            colour = _WHITE if contrast(item.colour[:7], _WHITE) >= LINE else _BLACK
            halo = [replace(item, colour=colour, outline=_HALO)]
        if is_text or least_contrast(item.colour[:7], sign.ground) >= DECORATION:
            colour = lifted(item.colour, sign.ground, TEXT if is_text else LINE)
            yield sign.number, [*halo, replace(item, colour=colour)]


def _new_strokes(grounds: Grounds, frame: Frame) -> Iterator[tuple[int, list[Item]]]:
    """Shapes with lines in new colours: outlines of fields, and all other lines that can be seen."""
    around = {area.index for _, area in fields(grounds, frame)}
    for area in grounds.areas:
        if not area.stroke or not area.shape:
            continue
        inside, outside = grounds.sides(area) if area.index in around else grounds.beside(area)
        now = max(least_contrast(area.stroke, side) for side in (inside, outside))
        is_edge = min((least_contrast(colour, outside) for colour in inside or ()), default=21.0) >= LINE
        if now < LINE and not is_edge and (area.index in around or now >= DECORATION):
            yield area.number, [replace(area.shape, stroke=lifted(area.stroke, inside, LINE))]


def fields(grounds: Grounds, frame: Frame) -> Iterator[tuple[Slot, Area]]:
    """The fields of a score sheet, each with the outlines that are drawn around it, and no more than it."""
    room = 1.6
    for slot in frame.slots():
        for box, area in product(slot.boxes or (slot.box,), grounds.areas):
            left, top, right, bottom = area.box
            if (
                area.stroke
                and left <= box.x + 0.1 <= left + room
                and top <= box.y + 0.1 <= top + room
                and right - room <= box.right - 0.1 <= right
                and bottom - room <= box.bottom - 0.1 <= bottom
            ):
                yield slot, area


def _repainted(items: Iterable[Item], fills: Mapping[str, str]) -> tuple[Item, ...]:
    """The items with other grounds."""

    def filled(code: str) -> str:
        return fills.get(code[:7], code[:7]) + code[7:]

    def painted(paint: Paint) -> Paint:
        if isinstance(paint, Gradient):
            return replace(paint, stops=tuple(replace(stop, colour=filled(stop.colour)) for stop in paint.stops))
        return filled(paint)

    return tuple(
        replace(item, items=_repainted(item.items, fills))
        if isinstance(item, Group)
        else replace(item, fill=painted(item.fill))
        if isinstance(item, Shape) and item.fill
        else item
        for item in items
    )


def _changed(items: Iterable[Item], changes: Mapping[int, list[Item]], numbers: Iterator[int]) -> Iterator[Item]:
    """The items, some replaced by others. They are numbered as `Grounds` numbers them."""
    for item in items:
        if isinstance(item, Group):
            yield replace(item, items=tuple(_changed(item.items, changes, numbers)))
        else:
            yield from changes.get(next(numbers), [item])


# ---- what is behind something


class Area(Struct, frozen=True):
    """Something painted: the polygons that it fills and their colours, its opacity, the polygons that clip it, and its
    outline. `index` counts the areas, and `number` the items of the frame, such as `shape`; in art, there are none."""

    index: int
    number: int
    shape: Shape | None
    path: Path
    box: tuple[float, float, float, float]
    even_odd: bool
    fill: Colours
    filled: bool
    opacity: float
    clips: tuple[tuple[Polygon, ...], ...]
    stroke: str | None
    width: float

    def covers(self, point: Point) -> bool:
        """Whether a point is inside the filled shape."""
        left, top, right, bottom = self.box
        if not (self.filled and left <= point[0] <= right and top <= point[1] <= bottom):
            return False
        return is_inside(_polygons(self.path), point, even_odd=self.even_odd) and all(
            is_inside(clip, point, even_odd=False) for clip in self.clips
        )


class Foreground(Struct, frozen=True):
    """A text or an icon, and what its ground is painted with: the colours that can be seen, and those that were
    blended. `number` counts the items of the frame."""

    item: Run | Icon
    number: int
    ground: Colours
    paints: frozenset[str]


class _Surroundings(Struct, frozen=True):
    """What groups and art do to the items in them: the matrix to the coordinates of the frame, the opacity, the
    polygons that clip them, and the `currentColor` of art; None outside art."""

    matrix: Matrix = IDENTITY
    opacity: float = 1.0
    clips: tuple[tuple[Polygon, ...], ...] = ()
    current: str | None = None


class Grounds:
    """What a frame paints, in painting order. Items outside and inside groups have numbers, those of art do not."""

    def __init__(self, frame: Frame, icons: Sequence[File]) -> None:
        self._icons = icons
        self.areas: list[Area] = []
        self._signs: list[tuple[Run | Icon, Matrix, int, int]] = []
        self._count = 0
        self._read(tuple(frame.items), _Surroundings())

    def signs(self) -> Iterator[Foreground]:
        """The texts and icons of the frame."""
        for item, matrix, before, number in self._signs:
            layers = [self._over(moved(matrix, *point), before) for point in _samples(item)]
            grounds = [_seen(areas) for areas in layers]
            known = [ground for ground in grounds if ground is not None]
            paints = frozenset().union(*(area.fill or () for areas in layers for area in areas))
            yield Foreground(item, number, frozenset().union(*known) if len(known) == len(grounds) else None, paints)

    def sides(self, area: Area) -> tuple[Colours, Colours]:
        """What is inside and outside an outline, at its upper edge."""
        left, top, right, _ = area.box
        middle, reach = (left + right) / 2, area.width / 2 + 0.1
        inside = self._over((middle, top + reach), area.index + 1)
        return _seen(inside), _seen(self._over((middle, top - reach), area.index))

    def beside(self, area: Area) -> tuple[Colours, Colours]:
        """What is inside a shape, and behind its outline."""
        points = [(float(segment[-2]), float(segment[-1])) for segment in area.path if len(segment) > 1]
        behind = _seen(self._over(points[len(points) // 2], area.index))
        return area.fill if area.filled else behind, behind

    def _over(self, point: Point, before: int) -> list[Area]:
        """The areas that can be seen at a point before the area with this index, from the lowest to the topmost."""
        over: list[Area] = []
        for area in reversed(self.areas[:before]):
            if area.covers(point):
                over.append(area)
                if area.opacity >= 1:
                    break
        return over[::-1]

    def _read(self, items: Iterable[Item], around: _Surroundings) -> None:
        for item in items:
            self._count += around.current is None and not isinstance(item, Group)
            if isinstance(item, Group):
                matrix = multiplied(around.matrix, item.transform)
                clips = (*around.clips, _polygons(transformed(item.clip, matrix))) if item.clip else around.clips
                self._read(item.items, _Surroundings(matrix, around.opacity * item.opacity, clips, around.current))
            elif isinstance(item, Shape):
                self._shape(item, around)
            elif isinstance(item, Image | Icon):
                self._picture(item, around)
            elif isinstance(item, Run) and around.current is None:
                self._signs.append((item, around.matrix, len(self.areas), self._count))

    def _picture(self, item: Icon | Image, around: _Surroundings) -> None:
        if isinstance(item, Icon):
            self._signs.append((item, around.matrix, len(self.areas), self._count))
            file, colour, turn = find_icon(item.name, self._icons), item.colour, radians(item.turn)
        else:
            file, colour, turn = File(item.file), _BLACK, 0.0
        art = drawing(file) if is_drawing(file) else None
        if not art or art.beyond:
            box = transformed(rect(item.x, item.y, item.width, item.height), around.matrix)
            self._add(box, around, None, Shape(box, _BLACK))
            return
        scale = min(item.width / art.width, item.height / art.height)
        a, b = scale * cos(turn), scale * sin(turn)
        x = item.x + item.width / 2 - (a * art.width - b * art.height) / 2
        y = item.y + item.height / 2 - (b * art.width + a * art.height) / 2
        self._read(art.items, replace(around, matrix=multiplied(around.matrix, (a, b, -b, a, x, y)), current=colour))

    def _shape(self, shape: Shape, around: _Surroundings) -> None:
        if isinstance(shape.fill, Gradient):
            codes = [stop.colour for stop in shape.fill.stops]
        else:
            codes = [shape.fill] if shape.fill else []
        codes = [_colour(code, around) for code in codes]
        share = min((channels(code)[3] / 255 for code in codes), default=1.0)
        around = replace(around, opacity=around.opacity * share)
        self._add(transformed(shape.path, around.matrix), around, frozenset(code[:7] for code in codes), shape)

    def _add(self, path: Path, around: _Surroundings, fill: Colours, shape: Shape) -> None:
        if not path:
            return
        stroke = _colour(shape.stroke, around) if isinstance(shape.stroke, str) else None
        own = around.current is None
        area = Area(
            index=len(self.areas),
            number=self._count if own else 0,
            shape=shape if own else None,
            path=path,
            box=bounds(path),
            even_odd=shape.even_odd,
            fill=fill,
            filled=shape.fill is not None,
            opacity=around.opacity,
            clips=around.clips,
            stroke=stroke and (stroke if shape.fill is None else stroke[:7]),
            width=shape.stroke_width * hypot(*around.matrix[:2]),
        )
        self.areas.append(area)


def _colour(code: str, around: _Surroundings) -> str:
    return (around.current or _BLACK) if code == "currentColor" else code


def _samples(item: Run | Icon) -> list[Point]:
    """Points in the middle of letters, from the first to the last; of an icon, points around its middle."""
    if isinstance(item, Icon):
        x, y = item.x + item.width / 2, item.y + item.height / 2
        return [(x - item.width / 4, y), (x, y), (x + item.width / 4, y), (x, y - item.height / 4)]
    points = max(3, min(9, len(item.text)))
    turn = radians(item.turn)
    up = item.size * _X_HEIGHT
    along = [item.width * (number + 0.5) / points for number in range(points)]
    return [(item.x + at * cos(turn) + up * sin(turn), item.y + at * sin(turn) - up * cos(turn)) for at in along]


@lru_cache(maxsize=4096)
def _polygons(path: Path) -> tuple[Polygon, ...]:
    """The closed polygons of a path, with curves as short lines."""
    polygons: list[list[Point]] = []
    for name, *numbers in path:
        values = [float(number) for number in numbers]
        points = list(zip(values[::2], values[1::2], strict=True))
        if name == "M":
            polygons.append(points)
        elif name == "C":
            polygons[-1] += bezier(polygons[-1][-1], points[0], points[1], points[2], steps=_STEPS)
        elif points:
            polygons[-1] += points
    return tuple(tuple(points) for points in polygons if len(points) > 2)


def _seen(over: Iterable[Area]) -> Colours:
    """The colours of areas above each other, the lowest first, on paper."""
    seen: Colours = frozenset((PAPER,))
    for area in over:
        if area.fill is None or area.opacity >= 1:
            seen = area.fill
        elif seen is not None:
            seen = frozenset(mixed(below, above, area.opacity) for below in seen for above in area.fill)
            seen = seen if len(seen) <= _MAX_COLOURS else None
    return seen
