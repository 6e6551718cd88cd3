"""Frames and pages: items at fixed positions, in millimetres from the top left corner, y down."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .outlines import IDENTITY, Cut, Matrix, Path, Rect, multiplied, transformed


class Run(Struct, frozen=True):
    """Text on one baseline, turned about (x, y) by `turn` degrees clockwise: `x` is its left end, `y` the baseline,
    `size` the type size in mm, `width` its advance, and `tracking` the space added after each letter but the last.
    `colour` is `#rrggbb`, or `#rrggbbaa` with an alpha value. `spread` is added to the width of each space. With an
    `outline`, the run is only what extends beyond the letters by this length, under a run with the letters.
    A run with `rtl` is read from right to left."""

    x: float
    y: float
    text: str
    font: str
    size: float
    colour: str
    width: float
    tracking: float = 0.0
    turn: float = 0.0
    spread: float = 0.0
    outline: float = 0.0
    rtl: bool = False


class Stop(Struct, frozen=True):
    """A colour (`#rrggbb` or `#rrggbbaa`) of a gradient, at an offset from 0 to 1."""

    offset: float
    colour: str


class Gradient(Struct, frozen=True, kw_only=True):
    """What linear and radial gradients have in common. The offsets of `stops` never decrease. `spread` continues the
    gradient beyond its ends: "" (the colours of the ends), "reflect" or "repeat". `matrix` leads from the coordinates
    of the gradient to those of the shape that it fills."""

    stops: tuple[Stop, ...]
    spread: str = ""
    matrix: Matrix = IDENTITY


class LinearGradient(Gradient, frozen=True):
    """A gradient along the line from (x1, y1), where the offset is 0, to (x2, y2), where it is 1."""

    x1: float
    y1: float
    x2: float
    y2: float


class RadialGradient(Gradient, frozen=True):
    """A gradient from the circle around (fx, fy) with the radius `fr`, where the offset is 0, to the circle around
    (x, y) with the radius `r`, where it is 1."""

    x: float
    y: float
    r: float
    fx: float
    fy: float
    fr: float = 0.0


Paint: TypeAlias = str | Gradient
"""What fills a shape or its outline: `#rrggbb`, `#rrggbbaa` or a gradient."""


class Shape(Struct, frozen=True):
    """A path of segments `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)`, `("Z",)`, filled, stroked or
    both; `dash` is in mm and starts at `dash_start`; `cap` and `join` are as in SVG ("" is butt and miter), and so is
    `miter_limit` (0 is the limit of PDF, 10)."""

    path: Path
    fill: Paint | None = None
    stroke: Paint | None = None
    stroke_width: float = 0.0
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    cap: str = ""
    join: str = ""
    dash_start: float = 0.0
    miter_limit: float = 0.0


class Icon(Struct, frozen=True):
    """A vector icon fitted into its box without distortion, and turned about the middle of the box by `turn` degrees
    clockwise; `colour` is its `currentColor`."""

    name: str
    x: float
    y: float
    width: float
    height: float
    colour: str
    turn: float = 0.0


class Image(Struct, frozen=True):
    """A picture file that fills its box. `flip` mirrors it (x: left and right, y: top and bottom,
    xy: both); `clip` clips it to (x, y, width, height)."""

    file: str
    x: float
    y: float
    width: float
    height: float
    clip: tuple[float, float, float, float] | None = None
    flip: str = ""


class Slot(Struct, frozen=True):
    """Where a mark goes: the field's id and its box. Draws nothing; its outlines are Shapes.

    If it has `boxes`, one letter or digit goes into each of them. If it also has `marks`, one for each box, a single
    box is ringed along its outline (`is_round`) or crossed to choose its mark."""

    id: str
    x: float
    y: float
    width: float
    height: float
    boxes: tuple[Rect, ...] = ()
    marks: tuple[str, ...] = ()
    is_round: bool = False

    @property
    def box(self) -> Rect:
        return Rect(self.x, self.y, self.width, self.height)

    @property
    def letters(self) -> int:
        """The number of boxes for one letter each; 0 for any other slot."""
        return 0 if self.marks else len(self.boxes)

    def moved(self, box: Callable[[Rect], Rect]) -> Slot:
        """The slot with all its boxes elsewhere."""
        x, y, width, height = box(self.box)
        return replace(self, x=x, y=y, width=width, height=height, boxes=tuple(map(box, self.boxes)))


class Group(Struct, frozen=True):
    """Items that are painted as one: `opacity` applies to them together, so that none shows through another.
    `transform` leads from their coordinates to those around the group. They are clipped to `clip`, a path in their own
    coordinates; `even_odd` tells what is inside it. `alt` is the text that they stand for."""

    items: Sequence[Item]
    opacity: float = 1.0
    clip: Path = ()
    even_odd: bool = False
    transform: Matrix = IDENTITY
    alt: str = ""

    @property
    def is_plain(self) -> bool:
        """Whether its items look the same without it: then it only says that other frames have the same group."""
        return self.opacity == 1 and not self.clip and self.transform is IDENTITY and not self.alt


class LazyItems(Sequence[Any]):
    """The items of a group, worked out when they are looked at one by one. All of them are in `box`, on the frame."""

    box: Rect

    def all(self) -> tuple[Item, ...]:
        """All items."""
        raise NotImplementedError

    def __iter__(self) -> Iterator[Item]:
        return iter(self.all())

    def __getitem__(self, number: Any) -> Any:
        return self.all()[number]

    def __len__(self) -> int:
        return len(self.all())


Item: TypeAlias = Run | Shape | Icon | Image | Slot | Group
SomeItem = TypeVar("SomeItem", bound=Item)
Leaf: TypeAlias = Run | Shape | Icon | Image | Slot
"""An item other than a group."""


def leaves(items: Iterable[Item], matrix: Matrix = IDENTITY) -> Iterator[tuple[Leaf, Matrix]]:
    """The items outside and inside groups in painting order, each with the matrix from its coordinates to those of the
    frame."""
    for item in items:
        if isinstance(item, Group):
            yield from leaves(item.items, multiplied(matrix, item.transform))
        else:
            yield item, matrix


def ungrouped(items: Iterable[Item]) -> Iterator[Item]:
    """The items without the plain groups around some of them."""
    for item in items:
        if isinstance(item, Group) and item.is_plain:
            yield from ungrouped(item.items)
        else:
            yield item


class Frame(Struct, frozen=True):
    """A laid-out face: trim size, bleed, safe margin, and items in painting order; `cut` is its shape unless it is a
    rectangle. `name` is only for messages."""

    name: str
    width: float
    height: float
    items: Sequence[Item]
    bleed: float = 0.0
    safe: float = 0.0
    cut: Cut | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Frame) and self._drawing() == other._drawing()

    def __hash__(self) -> int:
        return hash(self._drawing())

    def _drawing(self) -> tuple[object, ...]:
        return self.width, self.height, self.items, self.bleed, self.safe, self.cut

    def slots(self) -> Iterator[Slot]:
        return slots(self.items)


def slots(items: Iterable[Item]) -> Iterator[Slot]:
    """The slots among these items, also those in groups, with their boxes on the face."""
    for item, matrix in leaves(items):
        if isinstance(item, Slot):
            yield item if matrix is IDENTITY else item.moved(partial(_around, matrix))


def _around(matrix: Matrix, box: Rect) -> Rect:
    return box.around(matrix)


def scaled(frame: Frame, factor: float) -> Frame:
    """The whole frame scaled, including strokes and letters."""
    return replace(
        frame,
        width=frame.width * factor,
        height=frame.height * factor,
        bleed=frame.bleed * factor,
        safe=frame.safe * factor,
        items=tuple(resized(item, factor) for item in frame.items),
        cut=frame.cut and replace(frame.cut, radius=frame.cut.radius * factor),
    )


def edged(line: Shape, edge: float = 0.1) -> tuple[Shape, Shape]:
    """A line with a white edge of this width (mm) on both sides, so that it shows on any art."""
    return replace(line, stroke="#ffffff", stroke_width=round(line.stroke_width + 2 * edge, 4), dash=()), line


_LENGTHS = ("x", "y", "width", "height", "size", "tracking", "stroke_width", "dash_start", "spread", "outline")


def resized(item: SomeItem, factor: float) -> SomeItem:
    """The item scaled, including strokes and letters."""
    changes: dict[str, Any] = {name: getattr(item, name) * factor for name in _LENGTHS if hasattr(item, name)}
    scale: Matrix = (factor, 0.0, 0.0, factor, 0.0, 0.0)
    if isinstance(item, Shape):
        changes["path"] = transformed(item.path, scale)
        changes["dash"] = tuple(length * factor for length in item.dash)
        changes["fill"], changes["stroke"] = paint_moved(item.fill, scale), paint_moved(item.stroke, scale)
    if isinstance(item, Group):
        a, b, c, d, e, f = item.transform
        changes["items"] = tuple(resized(inner, factor) for inner in item.items)
        changes["clip"] = transformed(item.clip, scale)
        if item.transform is not IDENTITY:
            changes["transform"] = a, b, c, d, e * factor, f * factor
    if isinstance(item, Image) and item.clip:
        changes["clip"] = tuple(length * factor for length in item.clip)
    if isinstance(item, Slot):
        changes["boxes"] = tuple(box.around(scale) for box in item.boxes)
    return replace(item, **changes)


def paint_moved(paint: Paint | None, matrix: Matrix) -> Paint | None:
    """The paint of a shape whose points are transformed by `matrix`: a gradient moves with its shape."""
    return replace(paint, matrix=multiplied(matrix, paint.matrix)) if isinstance(paint, Gradient) else paint


class Placed(Struct, frozen=True):
    """A frame on a page. `x` and `y` are the top left corner of its trim after it is turned by `turn` degrees clockwise
    (0, 90, 180 or 270); `clip` is how far its bleed may extend (left, top, right, bottom), or if negative, how much of
    the trim is cut off. An `outline` on the page clips what is cut to another shape."""

    frame: Frame
    x: float
    y: float
    turn: int = 0
    clip: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)
    outline: Path = ()

    @property
    def box(self) -> tuple[float, float]:
        """Width and height of the trim on the page, after the turn."""
        size = self.frame.width, self.frame.height
        return size if self.turn % 180 == 0 else size[::-1]


class Page(Struct, frozen=True):
    """One side of a piece of paper. `label` is its name ("front 1", "back 1"), `notes` are instructions such as where
    to fold, and `cut` means that its frames are cut out along their trims. `trim` is the box (x, y, width, height) that
    is left when it is cut, if that is not the box around its frames. `back` means that it is printed on the back of the
    page before it."""

    width: float
    height: float
    placed: tuple[Placed, ...]
    marks: tuple[Shape, ...] = ()
    notes: tuple[Placed, ...] = ()
    label: str = ""
    cut: bool = False
    trim: tuple[float, float, float, float] | None = None
    back: bool = False
