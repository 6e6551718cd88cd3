"""The laws of docs/fields.md for score sheets, which make a photo of a sheet readable."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import floor, hypot
from pathlib import PurePath
from typing import NamedTuple

from generator.geometry.frame import (
    Frame,
    Icon,
    Image,
    Item,
    Run,
    Shape,
    Slot,
)
from generator.geometry.outlines import ON_TRIM, Path, Rect, bounds
from generator.layout.flaws import box_of
from generator.model.game import Field, ScoreSheet
from generator.model.values import MM_PER_UNIT
from generator.pages import field_map
from generator.pages.field_map import holds_digits
from tests.layout_fixtures import outside_safe

_PIECES = 8
"""Straight pieces a Bézier curve is taken for; a circle of 10 mm strays from it by 0.03 mm."""


class Line(NamedTuple):
    """A straight segment of a path."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def box(self) -> Rect:
        x, y = min(self.x1, self.x2), min(self.y1, self.y2)
        return Rect(x, y, max(self.x1, self.x2) - x, max(self.y1, self.y2) - y)


def lines(path: Path) -> Iterator[Line]:
    """The straight segments of a path, with curves divided into pieces."""
    start = here = (0.0, 0.0)
    for name, *numbers in path:
        points = [float(number) for number in numbers]
        if name == "M":
            start = here = points[0], points[1]
        elif name == "Z":
            if here != start:
                yield Line(*here, *start)
            here = start
        else:
            for there in [(points[0], points[1])] if name == "L" else _curve(here, points):
                yield Line(*here, *there)
                here = there


def _curve(start: tuple[float, float], numbers: list[float]) -> Iterator[tuple[float, float]]:
    points = [start, *zip(numbers[::2], numbers[1::2], strict=True)]
    for piece in range(1, _PIECES + 1):
        t = piece / _PIECES
        shares = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        yield (
            sum(share * x for share, (x, _) in zip(shares, points, strict=True)),
            sum(share * y for share, (_, y) in zip(shares, points, strict=True)),
        )


def within(line: Line, box: Rect) -> Line | None:
    """The part of a line inside a box, or None (Liang and Barsky)."""
    dx, dy = line.x2 - line.x1, line.y2 - line.y1
    first, last = 0.0, 1.0
    for step, room in (
        (-dx, line.x1 - box.x),
        (dx, box.right - line.x1),
        (-dy, line.y1 - box.y),
        (dy, box.bottom - line.y1),
    ):
        if step == 0:
            if room < 0:
                return None
        elif step < 0:
            first = max(first, room / step)
        else:
            last = min(last, room / step)
    if first > last:
        return None
    return Line(line.x1 + first * dx, line.y1 + first * dy, line.x1 + last * dx, line.y1 + last * dy)


def distance(line: Line, box: Rect) -> float:
    """The distance of a line from a box; 0 if it enters the box."""
    if within(line, box):
        return 0.0
    corners = ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom))
    return min(*(_to_box(x, y, box) for x, y in (line[:2], line[2:])), *(_to_line(x, y, line) for x, y in corners))


def _is_near(line: Line, box: Rect, reach: float) -> bool:
    """Whether a line can be less than `reach` from a box: the box around the line is."""
    x1, y1, x2, y2 = line
    left, top, right, bottom = box.x - reach, box.y - reach, box.right + reach, box.bottom + reach
    return (
        (x1 < right or x2 < right)
        and (x1 > left or x2 > left)
        and (y1 < bottom or y2 < bottom)
        and (y1 > top or y2 > top)
    )


def off_circle(line: Line, box: Rect) -> float:
    """The distance of a line from the circle in a square box; negative if it enters the circle."""
    return _to_line(box.x + box.width / 2, box.y + box.height / 2, line) - box.width / 2


def apart(first: Rect, second: Rect) -> float:
    """The distance between two boxes; 0 if they meet."""
    return hypot(
        max(0.0, second.x - first.right, first.x - second.right),
        max(0.0, second.y - first.bottom, first.y - second.bottom),
    )


def _to_box(x: float, y: float, box: Rect) -> float:
    return apart(Rect(x, y, 0.0, 0.0), box)


def _to_line(x: float, y: float, line: Line) -> float:
    dx, dy = line.x2 - line.x1, line.y2 - line.y1
    length = dx * dx + dy * dy
    t = min(1.0, max(0.0, ((x - line.x1) * dx + (y - line.y1) * dy) / length)) if length else 0.0
    return hypot(line.x1 + t * dx - x, line.y1 + t * dy - y)


def holds_point(path: Path, x: float, y: float) -> bool:
    """Whether a filled path covers a point (by the even-odd rule)."""
    inside = False
    for x1, y1, x2, y2 in lines(_closed(path)):
        if (y1 > y) != (y2 > y) and x < x1 + (y - y1) * (x2 - x1) / (y2 - y1):
            inside = not inside
    return inside


def _closed(path: Path) -> Path:
    """The path as it is filled: with every part closed."""
    parted = ((("Z",), segment) if segment[0] == "M" else (segment,) for segment in path)
    return *(segment for part in parted for segment in part), ("Z",)


def covered(low: float, high: float, stretches: list[tuple[float, float]], slack: float) -> bool:
    """Whether segments of a line leave no gap wider than `slack` between `low` and `high`."""
    reached = low
    for start, end in sorted(stretches):
        if start > reached + slack:
            break
        reached = max(reached, end)
    return reached >= high - slack


# ---- A page of a score sheet as an eye sees it: what is drawn where, and which slots have the outline of a cell.

OUTLINE = 0.5 * MM_PER_UNIT["pt"]
GREY = "#8a8a8a"
WHITE = "#ffffff"
SLACK = 0.05
"""Things closer to each other than this (mm) coincide."""

_BAND = 10.0


@dataclass(frozen=True, slots=True, eq=False)
class Seen:
    """An item with the box it covers. `tint` is a fill that is not white, `lines` are what can be seen of the edges
    of a shape."""

    item: Item
    box: Rect
    tint: str | None = None
    lines: tuple[Line, ...] = ()

    def __str__(self) -> str:
        item = self.item
        if isinstance(item, Run):
            return f"text “{item.text.strip()}”"
        if isinstance(item, Slot):
            return f"slot “{item.id}”"
        if isinstance(item, Icon):
            return f"icon “{item.name}”"
        return f"picture “{PurePath(item.file).name}”" if isinstance(item, Image) else "a line"

    def outlines(self, box: Rect) -> bool:
        """Whether it is one closed path around this box: square, rounded or round."""
        return (
            isinstance(self.item, Shape)
            and self.item.stroke is not None
            and same(self.box, box)
            and self.item.path[-1] == ("Z",)
            and sum(segment[0] == "M" for segment in self.item.path) == 1
        )

    @property
    def lawful(self) -> bool:
        """Whether it is drawn like the outline of a cell: 0.5 pt to 0.7 mm, dark enough, unbroken."""
        return (
            isinstance(self.item, Shape)
            and isinstance(self.item.stroke, str)
            and _is_dark(self.item.stroke)
            and not self.item.dash
            and OUTLINE - 0.01 < self.item.stroke_width < 0.71
        )

    @property
    def curved(self) -> bool:
        """Whether it is a shape without a straight line, such as a circle."""
        return isinstance(self.item, Shape) and all(segment[0] in ("M", "C", "Z") for segment in self.item.path)


def _is_dark(paint: str) -> bool:
    """Whether a line in this colour is at most as bright as the grey of the theme's `cell`."""
    red, green, blue = (int(paint[at : at + 2], 16) for at in (1, 3, 5))
    return 0.299 * red + 0.587 * green + 0.114 * blue <= 0x8B


def _are_apart(slot: Slot) -> bool:
    return len(slot.boxes) > 1 and slot.boxes[1].x - slot.boxes[0].right > SLACK


class Side:
    """One page: its slots with their fields, and all that is drawn on it."""

    def __init__(self, frame: Frame, sheet: ScoreSheet) -> None:
        self.frame = frame
        self.seen = list(_seen(frame))
        slots = [(sheet.fields[slot.id], slot) for slot in frame.slots()]
        self.slots = [(field, box) for field, slot in slots for box in slot.boxes or (box_of(slot),)]
        self.cells = [
            (field, box, NARROW if slot.letters >= MANY else CELL)
            for field, slot in slots
            if (holds_digits(field) and not slot.marks) or (slot.letters and _are_apart(slot))
            for box in slot.boxes or (box_of(slot),)
            if not (self._spare(field) and not self._drawn(box))
        ]
        self.options = [(field, box) for field, slot in slots if slot.marks for box in slot.boxes]
        self._bands: dict[int, list[int]] = {}
        for number, mark in enumerate(self.seen):
            for band in _bands(mark.box):
                self._bands.setdefault(band, []).append(number)

    @staticmethod
    def _spare(field: Field) -> bool:
        """Whether a box may be left out: a crate of a tower whose card has fewer crates."""
        return re.fullmatch(r"towers\.\d+\.crates\.[3-6]", field.id) is not None

    def _drawn(self, box: Rect) -> bool:
        """Whether a box has an outline, or a part of one."""
        return any(seen.outlines(box) for seen in self.seen)

    def near(self, box: Rect, reach: float) -> list[Seen]:
        """Everything drawn less than `reach` from a box, in painting order."""
        numbers = {number for band in _bands(box.grown(0.0, reach, 0.0, reach)) for number in self._bands.get(band, ())}
        return [self.seen[number] for number in sorted(numbers) if apart(self.seen[number].box, box) < reach]

    @cached_property
    def outlined(self) -> frozenset[Rect]:
        """The boxes of slots of any kind that have the outline of a cell."""
        return frozenset(box for _, box in self.slots if _outlined(box, self.near(box, SLACK)))

    def circled(self, box: Rect) -> bool:
        """Whether the outline of a cell is a circle; distances are then measured from the circle."""
        return any(mark.lawful and mark.curved and mark.outlines(box) for mark in self.near(box, SLACK))

    def grid(self, box: Rect, near: Sequence[Seen]) -> list[Rect]:
        """A cell and those of the outlined slots near it that touch it."""
        return [
            box,
            *(
                mark.box
                for mark in near
                if isinstance(mark.item, Slot)
                and mark.box != box
                and mark.box in self.outlined
                and apart(mark.box, box) < SLACK
            ),
        ]


def _bands(box: Rect) -> range:
    return range(floor(box.y / _BAND), floor(box.bottom / _BAND) + 1)


def _seen(frame: Frame) -> Iterator[Seen]:
    tinted: list[Rect] = []
    for item in frame.items:
        if isinstance(item, Image):
            yield Seen(item, Rect(*(item.clip or (item.x, item.y, item.width, item.height))))
        elif not isinstance(item, Shape):
            yield Seen(item, box_of(item))
        else:
            yield _shape(item, tinted)


def _shape(item: Shape, tinted: list[Rect]) -> Seen:
    """A shape as it is seen: white on white is invisible, white on a tint has an edge."""
    left, top, right, bottom = bounds(item.path)
    box = Rect(left, top, right - left, bottom - top)
    tint = item.fill if item.fill != WHITE else None
    if tint:
        tinted.append(box)
    seen = (
        tint
        or item.stroke not in (None, WHITE)
        or (item.fill and any(apart(box, tint_box) == 0 for tint_box in tinted))
    )
    return Seen(item, box, tint, tuple(lines(item.path)) if seen else ())


def same(first: Rect, second: Rect) -> bool:
    """Whether two boxes are the same."""
    return (
        abs(first.x - second.x) < SLACK
        and abs(first.y - second.y) < SLACK
        and abs(first.right - second.right) < SLACK
        and abs(first.bottom - second.bottom) < SLACK
    )


def shrunk(box: Rect) -> Rect:
    """The inside of a box, without its edges."""
    return box.grown(-SLACK, -SLACK, -SLACK, -SLACK)


# ---- outlines -----------------------------------------------------------------------------------------------------


def _outlined(box: Rect, near: Sequence[Seen]) -> bool:
    lawful = [seen for seen in near if seen.lawful]
    return any(seen.outlines(box) for seen in lawful) or all(
        covered(low, high, _along(edge, lawful), SLACK) for edge, low, high in edges(box)
    )


def edges(box: Rect) -> Iterator[tuple[tuple[int, float], float, float]]:
    """The edges of a box: their axis (0: x, 1: y), their position on it, their start and their end."""
    for at in (box.y, box.bottom):
        yield (1, at), box.x, box.right
    for at in (box.x, box.right):
        yield (0, at), box.y, box.bottom


def _along(edge: tuple[int, float], near: Sequence[Seen]) -> list[tuple[float, float]]:
    axis, at = edge
    return [
        tuple(sorted((line[1 - axis], line[3 - axis])))
        for seen in near
        for line in seen.lines  # type: ignore[misc]
        if abs(line[axis] - at) < SLACK and abs(line[axis + 2] - at) < SLACK
    ]


# ---- The laws of docs/fields.md for score sheets, which make a photo of a sheet readable.

CELL = 8.0
"""Least width and height of a cell in mm."""
NARROW, MANY = 7.0, 13
"""Least width and height of the boxes in a row of at least this many letters."""
CLEAR = 1.5
"""How far other lines and texts stay from a cell's outline."""
TICK = 7.0
"""Least width and height of a box to tick or ring."""
PITCH = 8.0
"""Least distance between the middles of two tick boxes."""
LEAST_CELLS = 8
LEAST_QUARTERS = 3
LEAST_SPREAD = 1 / 3
"""How much of the page's width, and of its height, the middles of its outlined cells span at least."""


def law_breaks(frames: Sequence[Frame], sheet: ScoreSheet) -> list[str]:
    """A sentence for each broken law on the pages of a sheet, which have corner codes."""
    return [
        f"page {number}: {sentence}"
        for number, frame in enumerate(frames, start=1)
        for side in [Side(frame, sheet)]
        for law in _LAWS
        for sentence in law(side)
    ]


# ---- cells --------------------------------------------------------------------------------------------------------


def _cells_are_large(side: Side) -> Iterator[str]:
    yield from (
        f"cell “{field.id}” is {box.width:.1f} × {box.height:.1f} mm, less than {side_length:g} mm"
        for field, box, side_length in side.cells
        if min(box.width, box.height) < side_length - ON_TRIM
    )


def _cells_are_outlined(side: Side) -> Iterator[str]:
    yield from (
        f"cell “{field.id}” has no unbroken dark outline of at least 0.5 pt"
        for field, box, _ in side.cells
        if box not in side.outlined
    )


def _cells_are_clear(side: Side) -> Iterator[str]:
    """Nothing is printed inside a cell, and only the outlines of its grid are near it."""
    for field, box, _ in side.cells:
        near = side.near(box, CLEAR)
        grid = side.grid(box, near)
        for seen in near:
            if not isinstance(seen.item, Slot):
                yield from _too_near(field, seen, _gap(side, box, seen, grid))
        tint = _tint(box, near)
        if tint:
            yield f"cell “{field.id}” is tinted {tint}"


def _too_near(field: Field, seen: Seen, gap: float) -> Iterator[str]:
    if gap < 0:
        yield f"{seen} is inside cell “{field.id}”"
    elif gap < CLEAR - SLACK:
        yield f"{seen} is {gap:.1f} mm from the outline of cell “{field.id}”, less than {CLEAR:g} mm"


def _gap(side: Side, box: Rect, seen: Seen, grid: Sequence[Rect]) -> float:
    """How far from a cell something is drawn; below 0 inside it. The outlines of its grid do not count, nor does its
    own: if that breaks a law, another law reports it."""
    inside = shrunk(box)
    if not isinstance(seen.item, Shape):
        return -1.0 if apart(seen.box, inside) == 0 else apart(seen.box, box)
    if any(seen.outlines(cell) and (seen.lawful or cell not in side.outlined) for cell in grid):
        return CLEAR
    counting = [
        line for line in seen.lines if _is_near(line, box, CLEAR) and not (seen.lawful and _on_grid(line, box, grid))
    ]
    if not counting:
        return CLEAR
    if side.circled(box):
        return min((off_circle(line, box) for line in counting), default=CLEAR)
    if any(within(line, inside) for line in counting):
        return -1.0
    return min((distance(line, box) for line in counting), default=CLEAR)


def _on_grid(line: Line, box: Rect, grid: Sequence[Rect]) -> bool:
    """Whether the part of a line near a cell is on the edges of the cell's grid."""
    part = within(line, box.grown(CLEAR, CLEAR, CLEAR, CLEAR))
    if part is None:
        return True
    for axis in (0, 1):
        if abs(part[axis] - part[axis + 2]) < SLACK:
            low, high = sorted((part[1 - axis], part[3 - axis]))
            there = [
                (start, end)
                for cell in grid
                for (across, at), start, end in edges(cell)
                if across == axis and abs(at - part[axis]) < SLACK
            ]
            return covered(low, high, there, SLACK)
    return False


def _tint(box: Rect, near: Sequence[Seen]) -> str | None:
    """The last fill over a cell, unless it is white."""
    for seen in reversed(near):
        if (
            isinstance(seen.item, Shape)
            and seen.item.fill
            and holds_point(seen.item.path, box.x + box.width / 2, box.y + box.height / 2)
        ):
            return seen.tint
    return None


def _cells_are_spread(side: Side) -> Iterator[str]:
    """Enough outlined cells, in enough quarters of the page, to straighten a photo."""
    frame = side.frame
    middles = [
        (box.x + box.width / 2, box.y + box.height / 2)
        for box in side.outlined
        if min(box.width, box.height) > CELL - ON_TRIM
    ]
    if len(middles) < LEAST_CELLS:
        yield f"has {len(middles)} outlined cells of {CELL:g} mm, less than {LEAST_CELLS}"
        return
    quarters = {(x > frame.width / 2, y > frame.height / 2) for x, y in middles}
    if len(quarters) < LEAST_QUARTERS:
        yield f"has outlined cells in {len(quarters)} quarters of the page, less than {LEAST_QUARTERS}"
    for axis, whole, way in ((0, frame.width, "width"), (1, frame.height, "height")):
        span = max(middle[axis] for middle in middles) - min(middle[axis] for middle in middles)
        if span < LEAST_SPREAD * whole:
            yield f"has outlined cells over {span / whole:.0%} of its {way}, less than {LEAST_SPREAD:.0%}"


# ---- ticks, corners, edges ----------------------------------------------------------------------------------------


def _ticks_are_apart(side: Side) -> Iterator[str]:
    ticks = [*((field, box) for field, box in side.slots if field.kind == "tick"), *side.options]
    for number, (field, box) in enumerate(ticks):
        if min(box.width, box.height) < TICK - ON_TRIM:
            yield f"tick box “{field.id}” is {box.width:.1f} × {box.height:.1f} mm, less than {TICK:g} mm"
        for other, there in ticks[:number]:
            pitch = _pitch(box, there)
            if pitch < PITCH - ON_TRIM:
                yield f"tick boxes “{other.id}” and “{field.id}” are {pitch:.1f} mm apart, less than {PITCH:g} mm"


def _pitch(first: Rect, second: Rect) -> float:
    across = first.x - second.x + (first.width - second.width) / 2
    return hypot(across, first.y - second.y + (first.height - second.height) / 2)


def _corners_are_free(side: Side) -> Iterator[str]:
    size = side.frame.width, side.frame.height
    for name, place in zip(field_map.CORNERS, field_map.places(*size), strict=True):
        clearance = place.grown(*[field_map.QUIET_ZONE] * 4)
        codes = [seen for seen in side.seen if _is_code(seen, place)]
        if not codes:
            yield f"the {name} corner has no code"
        yield from (
            f"{seen} is in the {name} corner"
            for seen in side.near(clearance, SLACK)
            if seen not in codes and _enters(seen, shrunk(clearance))
        )


def _is_code(seen: Seen, place: Rect) -> bool:
    return isinstance(seen.item, Shape) and seen.tint == field_map.INK and same(seen.box, place)


def _enters(seen: Seen, box: Rect) -> bool:
    if not isinstance(seen.item, Shape):
        return apart(seen.box, box) == 0
    covers = seen.tint is not None and holds_point(seen.item.path, box.x + box.width / 2, box.y + box.height / 2)
    return covers or any(within(line, box) for line in seen.lines)


def _all_is_safe(side: Side) -> Iterator[str]:
    """Unlike on cards, lines and pictures stay in the safe area, too: printers may cut off anything beyond it."""
    frame = side.frame
    yield from outside_safe(frame)
    safe = Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4)
    yield from (
        f"{seen} leaves the safe area"
        for seen in side.seen
        if isinstance(seen.item, Shape | Image)
        and (seen.lines or isinstance(seen.item, Image))
        and not safe.holds(seen.box)
    )


_LAWS: tuple[Callable[[Side], Iterator[str]], ...] = (
    _cells_are_large,
    _cells_are_outlined,
    _cells_are_clear,
    _cells_are_spread,
    _ticks_are_apart,
    _corners_are_free,
    _all_is_safe,
)
