"""Frames and pages: items at fixed positions, in millimetres from the top left corner, y down."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias


@dataclass(frozen=True, slots=True)
class Run:
    """Text on one baseline, turned about (x, y) by `turn` degrees clockwise: `x` is its left end, `y` the baseline,
    `size` the type size in mm, `width` its advance, and `tracking` the space added after each letter but the last."""

    x: float
    y: float
    text: str
    font: str
    size: float
    colour: str
    width: float
    tracking: float = 0.0
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Shape:
    """A path of segments `("M", x, y)`, `("L", x, y)`, `("C", x1, y1, x2, y2, x, y)`, `("Z",)`, filled, stroked or
    both (colours are `#rrggbb` or None); `dash` is in mm; `cap` and `join` are as in SVG ("" is butt and miter)."""

    path: tuple[tuple[str | float, ...], ...]
    fill: str | None = None
    stroke: str | None = None
    stroke_width: float = 0.0
    dash: tuple[float, ...] = ()
    even_odd: bool = False
    cap: str = ""
    join: str = ""


@dataclass(frozen=True, slots=True)
class Icon:
    """A vector icon fitted into its box without distortion, and turned about the middle of the box by `turn` degrees
    clockwise; `colour` is its `currentColor`."""

    name: str
    x: float
    y: float
    width: float
    height: float
    colour: str
    turn: float = 0.0


@dataclass(frozen=True, slots=True)
class Image:
    """A picture file (PNG, JPEG or SVG) that fills its box. `flip` mirrors it (x: left and right, y: top and bottom,
    xy: both); `clip` clips it to (x, y, width, height)."""

    file: str
    x: float
    y: float
    width: float
    height: float
    clip: tuple[float, float, float, float] | None = None
    flip: str = ""


@dataclass(frozen=True, slots=True)
class Slot:
    """Where a mark goes: the field's id and its box. Draws nothing; its outline is a Shape."""

    id: str
    x: float
    y: float
    width: float
    height: float


Item: TypeAlias = Run | Shape | Icon | Image | Slot


@dataclass(frozen=True, slots=True)
class Frame:
    """A laid-out face: trim size, bleed, safe margin, and items in painting order. `name` is only for messages."""

    name: str = field(compare=False)
    width: float
    height: float
    items: Sequence[Item]
    bleed: float = 0.0
    safe: float = 0.0

    def dump(self) -> str:
        """The frame as text: one item on each line, lengths to a hundredth of a millimetre."""
        head = f"frame {self.name} {self.width:g} x {self.height:g} bleed {self.bleed:g} safe {self.safe:g}"
        return "\n".join([head, *map(_line, self.items)]) + "\n"

    def slots(self) -> Iterator[Slot]:
        return (item for item in self.items if isinstance(item, Slot))


def _line(item: Item) -> str:
    parts = [type(item).__name__.lower()]
    for name in item.__dataclass_fields__:
        value = getattr(item, name)
        if value not in (None, "", (), 0.0, False):
            parts.append(f"{name}={_value(value)}")
    return " ".join(parts)


def _value(value: object) -> str:
    if isinstance(value, float):
        return f"{round(value, 2) + 0.0:.2f}".rstrip("0").rstrip(".")
    if isinstance(value, tuple):
        return "(" + " ".join(map(_value, value)) + ")"
    return repr(value) if isinstance(value, str) and " " in value else str(value)


def scaled(frame: Frame, factor: float) -> Frame:
    """The whole frame scaled, including strokes and letters."""
    return replace(
        frame,
        width=frame.width * factor,
        height=frame.height * factor,
        bleed=frame.bleed * factor,
        safe=frame.safe * factor,
        items=tuple(_resized(item, factor) for item in frame.items),
    )


_LENGTHS = ("x", "y", "width", "height", "size", "tracking", "stroke_width")


def _resized(item: Item, factor: float) -> Item:
    changes: dict[str, Any] = {name: getattr(item, name) * factor for name in _LENGTHS if hasattr(item, name)}
    if isinstance(item, Shape):
        changes["path"] = tuple((name, *(float(number) * factor for number in numbers)) for name, *numbers in item.path)
        changes["dash"] = tuple(length * factor for length in item.dash)
    if isinstance(item, Image) and item.clip:
        changes["clip"] = tuple(length * factor for length in item.clip)
    return replace(item, **changes)


# ---- pages


@dataclass(frozen=True, slots=True)
class Placed:
    """A frame on a page. `x` and `y` are the top left corner of its trim after it is turned by `turn` degrees clockwise
    (0, 90, 180 or 270); `clip` is how far its bleed may extend (left, top, right, bottom), or if negative, how much of
    the trim is cut off."""

    frame: Frame
    x: float
    y: float
    turn: int = 0
    clip: tuple[float, float, float, float] = (0.0, 0.0, 0.0, 0.0)

    @property
    def box(self) -> tuple[float, float]:
        """Width and height of the trim on the page, after the turn."""
        size = self.frame.width, self.frame.height
        return size if self.turn % 180 == 0 else size[::-1]


@dataclass(frozen=True, slots=True)
class Page:
    """One side of a piece of paper. `label` is its name ("front 1", "back 1"), `notes` are instructions such as where
    to fold, and `cut` means that its frames are cut out along their trims."""

    width: float
    height: float
    placed: tuple[Placed, ...]
    marks: tuple[Shape, ...] = ()
    notes: tuple[Placed, ...] = ()
    label: str = ""
    cut: bool = False
