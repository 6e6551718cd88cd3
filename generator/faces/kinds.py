"""The kinds of attribute value. Each parses a text or raises ValueError."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache, partial
from typing import Any, TypeAlias

from msgspec import Struct

from ..model import values

_SPACES = re.compile(r"[\s,]+")
_UNSIGNED = re.compile(r"\d+(?:\.\d+)?|\.\d+")
_TURN = re.compile(r"-?\d{1,3}(?:\.\d{1,6})?")
_LANGUAGE = re.compile(r"[a-z]{2,3}(?:[-_][A-Za-z]{2,4}){0,2}|none")
_PATH_COMMAND = r"([A-Za-df-z])"  # every letter except the e of 1e3
_PATH_NUMBER = r"(?>[\s,]*[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,2})?)"
_PATH_FLAG = r"(?>[\s,]*[01])"
_ARC = _PATH_NUMBER * 3 + _PATH_FLAG * 2 + _PATH_NUMBER * 2
_NUMBERS = {"M": 2, "L": 2, "H": 1, "V": 1, "C": 6, "S": 4, "Q": 4, "T": 2}
_MAX_MM = 5000.0
_SHORT = 300
_MAX_LENGTH = 10_000


class Percent(Struct, frozen=True):
    """A share of the parent's inner box; a `share` of 0.5 is 50%."""

    share: float

    def of(self, whole: float) -> float:
        return self.share * whole


class Track(Struct, frozen=True):
    """A column or row of a grid: `length` mm wide, or a `share` of the remaining space if that is not 0."""

    length: float = 0.0
    share: float = 0.0


Sides: TypeAlias = tuple[float, float, float, float]
"""Top, right, bottom, left. For corners: top left, top right, bottom right, bottom left."""


class Kind(Struct, frozen=True, eq=False):
    """How a value is written: its name in the documentation, its description in messages, and its parser.

    The value of a `looked_up` kind is a name that `Check` looks up in the theme or the game's folder. Only `long` kinds
    accept values of more than 300 characters."""

    name: str
    expected: str
    parse: Callable[[str], Any]
    looked_up: bool = False
    long: bool = False

    def read(self, text: str) -> Any:
        """Parses a text; raises ValueError. Results are cached, because the cards of a deck repeat the same values."""
        if len(text) <= _SHORT:
            return _read(self, text)
        if not self.long:
            raise ValueError
        return self.parse(text)


@lru_cache(maxsize=10_000)
def _read(kind: Kind, text: str) -> Any:
    return kind.parse(text)


def choice(*words: str) -> Kind:
    def parse(text: str) -> str:
        if text not in words:
            raise ValueError
        return text

    return Kind(" \\| ".join(f"`{word}`" for word in words), "one of " + ", ".join(words), parse)


def _length(text: str) -> float:
    mm = values.length(text)
    if abs(mm) > _MAX_MM:
        raise ValueError
    return mm


def _size(text: str) -> float:
    mm = _length(text)
    if mm < 0:
        raise ValueError
    return mm


def _type_size(text: str) -> float:
    mm = values.length(text, unit_needed=True)
    if not 0 < mm <= _MAX_MM:
        raise ValueError
    return mm


def _part(text: str) -> float | Percent:
    return Percent(_length(text[:-1]) / 100) if text.endswith("%") else _length(text)


def _part_size(text: str) -> float | Percent:
    return Percent(_size(text[:-1]) / 100) if text.endswith("%") else _size(text)


def _number(text: str) -> float:
    if not _UNSIGNED.fullmatch(text) or float(text) > 1000:
        raise ValueError
    return float(text)


def _count(text: str) -> int:
    if not re.fullmatch(r"\d{1,3}", text, re.ASCII) or not int(text):
        raise ValueError
    return int(text)


def _sizes(text: str, counts: tuple[int, ...]) -> tuple[float, ...]:
    sizes = tuple(_size(part) for part in _SPACES.split(text))
    if len(sizes) not in counts:
        raise ValueError
    return sizes


def _sides(text: str) -> Sides:
    sizes = _sizes(text, (1, 2, 4))
    top, right = sizes[0], sizes[1 % len(sizes)]
    return (top, right, *sizes[2:]) if len(sizes) == 4 else (top, right, top, right)


def _corners(text: str) -> Sides:
    sizes = _sizes(text, (1, 4))
    return sizes * (4 // len(sizes))  # type: ignore[return-value]


def _gaps(text: str) -> tuple[float, float]:
    sizes = _sizes(text, (1, 2))
    return sizes[0], sizes[-1]


def _dash(text: str) -> tuple[float, ...]:
    sizes = _sizes(text, tuple(range(1, 9)))
    if not sum(sizes):
        raise ValueError
    return sizes


def _track(text: str) -> Track:
    return Track(share=_number(text[:-2])) if text.endswith("fr") else Track(length=_size(text))


def _tracks(text: str) -> tuple[Track, ...]:
    if re.fullmatch(r"\d{1,3}", text, re.ASCII):
        return (Track(share=1.0),) * _count(text)
    tracks = tuple(map(_track, _SPACES.split(text)))
    if not all(track.length or track.share for track in tracks):
        raise ValueError
    return tracks


def _turn(text: str) -> float:
    degrees = text.removesuffix("deg")
    if not _TURN.fullmatch(degrees) or abs(float(degrees)) > 360:
        raise ValueError
    return float(degrees) % 360


def _bleed(text: str) -> bool | str:
    return text if text == "included" else values.boolean(text)


_PLACES = {"left": (0.0, None), "right": (1.0, None), "top": (None, 0.0), "bottom": (None, 1.0), "center": (None, None)}


def _focus(text: str) -> tuple[float, float]:
    """A point of a picture, as shares of its width and height: `left`, `top right`, `30% 40%`."""
    words = text.split()
    if words and all(word in _PLACES for word in words):
        across = [x for x, _ in map(_PLACES.__getitem__, words) if x is not None]
        down = [y for _, y in map(_PLACES.__getitem__, words) if y is not None]
        if len(words) <= 2 and len(across) <= 1 and len(down) <= 1:
            return (*across, 0.5)[0], (*down, 0.5)[0]
        raise ValueError
    shares = tuple(_part(word) for word in words)
    if len(shares) != 2 or not all(isinstance(share, Percent) and 0 <= share.share <= 1 for share in shares):
        raise ValueError
    return shares[0].share, shares[1].share  # type: ignore[union-attr]


def _share(text: str) -> float:
    share = _number(text[:-1]) / 100 if text.endswith("%") else _number(text)
    if share > 1:
        raise ValueError
    return share


def _language(text: str) -> str:
    if not _LANGUAGE.fullmatch(text):
        raise ValueError
    return "" if text == "none" else text


def _wrap(text: str) -> bool | str:
    return text if text == "anywhere" else values.boolean(text)


def _name(text: str) -> str:
    if not text or len(text) > 200:
        raise ValueError
    return text


def _content(text: str) -> str:
    if not text.strip() or len(text) > _MAX_LENGTH:
        raise ValueError
    return text


def _view_box(text: str) -> Sides:
    numbers = tuple(map(float, _SPACES.split(text)))
    if len(numbers) != 4 or not all(abs(number) < 1e6 for number in numbers) or min(numbers[2:]) <= 0:
        raise ValueError
    return numbers


@cache
def _arguments(command: str) -> re.Pattern[str]:
    """The arguments that may follow a command of path data; raises ValueError for an unknown command."""
    if command == "Z":
        return re.compile(r"[\s,]*")
    if command != "A" and command not in _NUMBERS:
        raise ValueError
    numbers = _ARC if command == "A" else _PATH_NUMBER * _NUMBERS[command]
    return re.compile(rf"(?:{numbers})++[\s,]*")


def _path(text: str) -> str:
    before, *parts = re.split(_PATH_COMMAND, text.strip())
    commands = parts[::2]
    if before or not commands or commands[0] not in "Mm":
        raise ValueError
    for command, numbers in zip(commands, parts[1::2], strict=True):
        if not _arguments(command.upper()).fullmatch(numbers):
            raise ValueError
    return text


LENGTH = Kind("length", "a length such as 4, 2.5in or 9pt", _length)
SIZE = Kind("size", "a non-negative length such as 4, 2.5in or 9pt", _size)
PART = Kind("length or %", "a length such as 4 or 2.5in, or a percentage such as 50%", _part)
PART_SIZE = Kind("size or %", "a non-negative length such as 4 or 2.5in, or a percentage such as 50%", _part_size)
TYPE_SIZE = Kind("type size", "a type size with its unit, such as 9pt or 3mm", _type_size)
NUMBER = Kind("number", "a non-negative number such as 1 or 1.5", _number)
COUNT = Kind("count", "a whole number from 1 to 999", _count)
SIDES = Kind(
    "1, 2 or 4 sizes",
    "one, two (top and bottom, right and left) or four sizes (top, right, bottom, left), such as 2 or 2 4",
    _sides,
)
CORNERS = Kind("1 or 4 sizes", "one or four sizes (from the top left, clockwise), such as 2 or 2 2 0 0", _corners)
GAPS = Kind("1 or 2 sizes", "one or two sizes (between rows, between columns), such as 1 or 1 2", _gaps)
DASH = Kind("sizes", "lengths of dashes and gaps such as 1 1 or 2 1", _dash)
TRACKS = Kind("count or tracks", "a count such as 3, or widths such as 12 1fr 1fr", _tracks)
TURN = Kind("degrees", "a number of degrees from -360 to 360, such as 90 or -7.5", _turn)
FLAG = Kind("`true` \\| `false`", "true or false", values.boolean)
WRAP = Kind("`true` \\| `false` \\| `anywhere`", "true, false or anywhere", _wrap)
BLEED = Kind("`true` \\| `false` \\| `included`", "true, false or included", _bleed)
OPACITY = Kind("share", "a number from 0 to 1, such as 0.4, or a percentage", _share)
FOCUS = Kind("place", "a position such as left, top right or 30% 40%", _focus)
LANGUAGE = Kind("language", "a language such as en, de or pt-BR, or none", _language)
NAME = Kind("name", "a name", _name)
CONTENT = Kind("text", "a text of at most 10,000 characters", _content, long=True)
PATH = Kind("path data", "SVG path data such as M0 0 L24 24 Z, beginning with M", _path, long=True)
VIEW_BOX = Kind("4 numbers", "left, top, width and height such as 0 0 24 24", _view_box)

_looked_up = partial(Kind, parse=str, looked_up=True)
COLOUR = _looked_up("colour", "a colour such as #24405f, rgb(36 64 95) or navy, or the name of a theme colour")
PAINT = _looked_up("paint", "a colour such as #24405f, rgb(36 64 95) or navy, the name of a theme colour, or none")
FILL = _looked_up(
    "fill",
    "a colour such as #24405f or navy, the name of a theme colour, none, or a gradient such as "
    "linear-gradient(90deg, navy, #fff 40%) or radial-gradient(gold, red)",
    long=True,
)
STYLE = _looked_up("style", "a style of the theme")
ICON = _looked_up("icon", "an icon of the theme's icon folders")
PICTURE = _looked_up("picture", "a picture file in the game's folder")
