"""Small values of definition files: lengths, colours, ranges. Each function parses a string or raises ValueError."""

from __future__ import annotations

import re
from collections.abc import Mapping
from math import isfinite
from types import MappingProxyType
from typing import Annotated, Any, NewType

from msgspec import Struct, field

MM_PER_UNIT = {"mm": 1.0, "cm": 10.0, "in": 25.4, "pt": 25.4 / 72, "px": 25.4 / 96}
MAX_LENGTH = 100_000.0
"""The longest length accepted, in mm: longer than any paper, but small enough for sums to stay finite."""
MAX_SIZE = 1500.0
"""The longest side of a card, board or paper, in mm; A0 is 1189 mm long."""
MAX_DIGITS = 15
_LENGTH = re.compile(r"(-?\d+(?:\.\d+)?|-?\.\d+)\s*(mm|cm|in|pt|px)?")
_SPAN = r"(-?\d+)(?:\s*(?:-|–|to)\s*(-?\d+))?"
_SIZE = re.compile(r"(.+?)\s*[x×]\s*(.+)")


class Unit(Struct, frozen=True):
    """Marks a float field as a length in millimetres; with `needed` the unit must be written."""

    needed: bool = False


class Between(Struct, frozen=True):
    """Marks a number field with its smallest and largest permitted value."""

    low: float
    high: float


Length = Annotated[float, Unit()]
TypeSize = Annotated[float, Unit(needed=True)]
Colour = NewType("Colour", str)
"""`#rrggbb` in lower case, or a name that is looked up later in the theme and among the colours of CSS."""
Raw = NewType("Raw", object)
"""A node that is stored unread and read later."""
Expression = NewType("Expression", str)
"""An expression, stored with its place and compiled later."""
Room = NewType("Room", tuple[float, float, float])
"""The width, height and depth in millimetres of the space inside a box."""
Pixels = NewType("Pixels", tuple[int, int])
"""The width and height of a picture."""
FileName = NewType("FileName", str)
"""A path relative to the folder of the file that contains it; it must stay inside the game's folder."""


_CONTROL = re.compile(r"[\0-\x1f\x7f]")


def file_name(text: str) -> FileName:
    if _CONTROL.search(text):
        raise ValueError("the name of a file")
    return FileName(text)


def length(text: str, *, unit_needed: bool = False) -> float:
    """`"63.5"`, `"2.5 in"`, `"9pt"` → millimetres."""
    match = _LENGTH.fullmatch(text.strip())
    if not match:
        raise ValueError("a length such as 63.5, 2.5 in or 9pt")
    if unit_needed and not match[2]:
        raise ValueError(f"a size with its unit, such as {match[1]}pt or {match[1]}mm")
    mm = float(match[1]) * MM_PER_UNIT[match[2] or "mm"]
    if abs(mm) > MAX_LENGTH:
        raise ValueError(f"a length of at most {MAX_LENGTH:g} mm")
    return mm


def boolean(text: str) -> bool:
    """`true` or `false`; raises ValueError for anything else."""
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def whole(text: str) -> int:
    """`"12"` → 12."""
    if len(text) > MAX_DIGITS:
        raise ValueError(f"a whole number of at most {MAX_DIGITS} digits")
    return int(text)


def decimal(text: str) -> float:
    """`"1.5"` → 1.5; refuses infinity and NaN."""
    number = float(text)
    if not isfinite(number):
        raise ValueError("a finite number")
    return number


class Span(Struct, frozen=True):
    """Whole numbers from `low` to `high` inclusive, written `3-5` or `3`."""

    low: int
    high: int

    def __contains__(self, number: int) -> bool:
        return self.low <= number <= self.high

    def __lt__(self, other: Span) -> bool:
        return (self.low, self.high) < (other.low, other.high)

    def __str__(self) -> str:
        return f"{self.low}-{self.high}" if self.low != self.high else str(self.low)


def span(text: str) -> Span:
    match = re.fullmatch(_SPAN, text.strip())
    if not match:
        raise ValueError("a range such as 3-5")
    if len(text) > 3 * MAX_DIGITS:
        raise ValueError(f"a range of numbers of at most {MAX_DIGITS} digits")
    low = int(match[1])
    high = int(match[2]) if match[2] else low
    if high < low:
        raise ValueError("a range that begins with its smaller number")
    return Span(low, high)


class Size(Struct, frozen=True):
    """Width × height in mm."""

    width: float
    height: float


def size(text: str) -> Size:
    match = _SIZE.fullmatch(text.strip())
    if not match:
        raise ValueError("a size such as 63.5 x 88.9 or 2.5in x 3.5in")
    result = Size(length(match[1]), length(match[2]))
    if min(result.width, result.height) <= 0:
        raise ValueError("a size greater than 0")
    if max(result.width, result.height) > MAX_SIZE:
        raise ValueError(f"a size of at most {MAX_SIZE:g} mm each way")
    return result


def room(text: str) -> tuple[float, float, float]:
    """`"33 x 33 x 17"` → a Room."""
    parts = re.split(r"\s*[x×]\s*", text.strip())
    if len(parts) != 3:
        raise ValueError("a width, height and depth such as 33 x 33 x 17")
    width, height, depth = map(length, parts)
    return width, height, depth


def pixels(text: str) -> tuple[int, int]:
    """`"825 x 1125"` → Pixels."""
    match = re.fullmatch(r"([1-9]\d{0,4})\s*[x×]\s*([1-9]\d{0,4})", text.strip())
    if not match:
        raise ValueError("two whole numbers such as 825 x 1125")
    return int(match[1]), int(match[2])


class Shown(str):
    """The text of a number as the cell of a spreadsheet shows it (`25%`, `$3.50`); `raw` is the number itself. It
    `may_vary` if the spreadsheet would show it with a comma to others."""

    __slots__ = ("may_vary", "raw")
    raw: str
    may_vary: bool

    def __new__(cls, text: str, raw: str, may_vary: bool = False) -> Shown:
        number = super().__new__(cls, text)
        number.raw, number.may_vary = raw, may_vary
        return number


Empty: Mapping[str, Any] = MappingProxyType({})


def empty_mapping() -> Any:
    """A field that defaults to an empty mapping."""
    return field(default_factory=lambda: Empty)


def field_names(record: Any) -> tuple[str, ...]:
    """The names of a record's fields, or of its class's, in order; none for any other value. Records are Structs, and
    the dataclasses of your own code."""
    names: Any = getattr(record, "__struct_fields__", None) or getattr(record, "__dataclass_fields__", ())
    return tuple(names)
