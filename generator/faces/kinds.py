"""The kinds of attribute value. Each parses a text or raises ValueError. Gradients are written as in CSS:
`linear-gradient(90deg, navy, white 40%)`, `radial-gradient(circle at top, gold, red)`
(https://www.w3.org/TR/css-images-3/#gradients)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache, partial
from typing import Any, TypeAlias, TypeVar

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
T = TypeVar("T")


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
        return _read(self, text) if len(text) <= _SHORT else self.parse(_valid(text, self.long))


@lru_cache(maxsize=10_000)
def _read(kind: Kind, text: str) -> Any:
    return kind.parse(text)


def _valid(value: T, condition: bool) -> T:
    """The value; raises ValueError unless it meets a condition."""
    if not condition:
        raise ValueError
    return value


def choice(*words: str) -> Kind:
    def parse(text: str) -> str:
        return _valid(text, text in words)

    return Kind(" \\| ".join(f"`{word}`" for word in words), "one of " + ", ".join(words), parse)


def _length(text: str) -> float:
    mm = values.length(text)
    return _valid(mm, abs(mm) <= _MAX_MM)


def _size(text: str) -> float:
    mm = _length(text)
    return _valid(mm, mm >= 0)


def _type_size(text: str) -> float:
    mm = values.length(text, unit_needed=True)
    return _valid(mm, 0 < mm <= _MAX_MM)


def _part(text: str, read: Callable[[str], float] = _length) -> float | Percent:
    return Percent(read(text[:-1]) / 100) if text.endswith("%") else read(text)


def _number(text: str) -> float:
    return float(_valid(text, bool(_UNSIGNED.fullmatch(text)) and float(text) <= 1000))


def _count(text: str) -> int:
    return int(_valid(text, bool(re.fullmatch(r"\d{1,3}", text, re.ASCII)) and int(text) > 0))


def _sizes(text: str, counts: tuple[int, ...]) -> tuple[float, ...]:
    sizes = tuple(_size(part) for part in _SPACES.split(text))
    return _valid(sizes, len(sizes) in counts)


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
    return _valid(sizes, sum(sizes) > 0)


def _tracks(text: str) -> tuple[Track, ...]:
    if re.fullmatch(r"\d{1,3}", text, re.ASCII):
        return (Track(share=1.0),) * _count(text)
    tracks = tuple(
        Track(share=_number(part[:-2])) if part.endswith("fr") else Track(length=_size(part))
        for part in _SPACES.split(text)
    )
    return _valid(tracks, all(track.length or track.share for track in tracks))


def _turn(text: str) -> float:
    degrees = text.removesuffix("deg")
    return float(_valid(degrees, bool(_TURN.fullmatch(degrees)) and abs(float(degrees)) <= 360)) % 360


def _flag_or(word: str, text: str) -> bool | str:
    return text if text == word else values.boolean(text)


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
    return _valid(share, share <= 1)


def _name(text: str) -> str:
    return _valid(text, 0 < len(text) <= 200)


def _marks(text: str) -> tuple[str, ...]:
    marks = tuple(text.split())
    return _valid(marks, 0 < len({*marks}) == len(marks))


def _content(text: str) -> str:
    return _valid(text, bool(text.strip()) and len(text) <= _MAX_LENGTH)


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
PART_SIZE = Kind(
    "size or %", "a non-negative length such as 4 or 2.5in, or a percentage such as 50%", partial(_part, read=_size)
)
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
WRAP = Kind("`true` \\| `false` \\| `anywhere`", "true, false or anywhere", partial(_flag_or, "anywhere"))
BLEED = Kind("`true` \\| `false` \\| `included`", "true, false or included", partial(_flag_or, "included"))
OPACITY = Kind("share", "a number from 0 to 1, such as 0.4, or a percentage", _share)
FOCUS = Kind("place", "a position such as left, top right or 30% 40%", _focus)
LANGUAGE = Kind(
    "language",
    "a language such as en, de or pt-BR, or none",
    lambda text: _valid("" if text == "none" else text, bool(_LANGUAGE.fullmatch(text))),
)
NAME = Kind("name", "a name", _name)
MARKS = Kind("marks", "different marks with spaces between them, such as 1 2 3", _marks)
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


EXPECTED = "a gradient such as linear-gradient(90deg, navy, #fff 40%) or radial-gradient(gold, red)"
MAX_STOPS = 50
_BEGINNING = re.compile(r"[\w-]*gradient\(")
_GRADIENT = re.compile(r"(repeating-)?(linear|radial)-gradient\((.*)\)", re.DOTALL)
_ANGLE = re.compile(r"(-?\d{1,6}(?:\.\d{1,6})?)(deg|turn|grad|rad)|-?0")
_DEGREES = {"deg": 1.0, "turn": 360.0, "grad": 0.9, "rad": 57.29577951308232}
_EXTENTS = ("closest-side", "farthest-side", "closest-corner", "farthest-corner")
_ACROSS, _DOWN = {"left": 0.0, "right": 1.0}, {"top": 0.0, "bottom": 1.0}

Position: TypeAlias = float | Percent
"""In mm, or a share of the length it is measured along."""
Colour: TypeAlias = Callable[[str], str]
"""Looks up a colour; raises ValueError."""


class ColourStop(Struct, frozen=True):
    """A colour of a gradient; None as its position: evenly between its neighbours."""

    colour: str
    position: Position | None = None


class Fading(Struct, frozen=True):
    """A gradient in a box of any size; it `repeats` beyond its last colour."""

    stops: tuple[ColourStop, ...]
    repeats: bool


class Linear(Fading, frozen=True):
    """In the direction of an angle (0 is up, 90 to the right), or `to` a corner (x and y, each 0 or 1)."""

    angle: float = 180.0
    to: tuple[float, float] | None = None


class Radial(Fading, frozen=True):
    """From a point at `x` and `y` outwards, as a circle or an ellipse, to an `extent` (a word of CSS) or `radii`."""

    circle: bool = False
    extent: str = "farthest-corner"
    radii: tuple[Position, ...] = ()
    x: Position = Percent(0.5)
    y: Position = Percent(0.5)


def is_gradient(text: str) -> bool:
    return bool(_BEGINNING.match(text))


def gradient(text: str, colour: Colour) -> Linear | Radial:
    """The gradient in a text. Raises ValueError with what is wrong with it, or what `colour` raises."""
    match = _GRADIENT.fullmatch(text.strip())
    if not match:
        raise ValueError(f"must be {EXPECTED}")
    first, *rest = [part.split() for part in _split(match[3], ",")]
    linear, word = match[2] == "linear", first[0] if first else ""
    is_radial_shape = word in ("circle", "ellipse", "at", *_EXTENTS) or _is_position(word)
    begins = (word == "to" or bool(_ANGLE.fullmatch(word))) if linear else is_radial_shape
    listed = rest if begins else [first, *rest]
    joined = ([part for part in _split(" ".join(words), " ") if part] for words in listed)  # `rgb(1 2 3)` is one word
    stops = tuple(stop for words in joined for stop in _stops(words, colour))
    if not 2 <= len(stops) <= MAX_STOPS:
        raise ValueError(f"needs from 2 to {MAX_STOPS} colours, has {len(stops)}")
    return (_linear if linear else _radial)(first if begins else [], stops, bool(match[1]))


def _split(text: str, separator: str) -> list[str]:
    """The parts of a text between separators outside parentheses."""
    parts, depth = [""], 0
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == separator and not depth:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def _stops(words: Sequence[str], colour: Colour) -> Iterator[ColourStop]:
    """The stops of one colour: two if it has two positions."""
    if not words:
        raise ValueError("has a comma too many")
    name, *positions = words
    if len(positions) > 2 or (not positions and _is_position(name)):
        raise ValueError(f"must have a colour and at most two positions between commas, not “{' '.join(words)}”")
    code = colour(name)
    yield from (ColourStop(code, position) for position in (map(_position, positions) if positions else (None,)))


def _is_position(word: str) -> bool:
    return bool(re.fullmatch(r"-?[\d.]+(%|mm|cm|in|pt|px)?", word))


def _position(word: str) -> Position:
    try:
        return Percent(values.decimal(word[:-1]) / 100) if word.endswith("%") else values.length(word)
    except ValueError:
        raise ValueError(f"has “{word}” where there must be a percentage such as 40% or a length such as 5mm") from None


# ---- linear gradients


def _linear(words: Sequence[str], stops: tuple[ColourStop, ...], repeats: bool) -> Linear:
    if not words:
        return Linear(stops, repeats)
    if match := _ANGLE.fullmatch(" ".join(words)):
        return Linear(stops, repeats, float(match[1]) * _DEGREES[match[2]] % 360 if match[1] else 0.0)
    sides = words[1:]
    across, down = ([side for side in sides if side in axis] for axis in (_ACROSS, _DOWN))
    if not sides or len(across) > 1 or len(down) > 1 or len(across) + len(down) != len(sides):
        raise ValueError(f"must go “to” a side or corner such as “to top right”, not “{' '.join(words)}”")
    if across and down:
        return Linear(stops, repeats, to=(_ACROSS[across[0]], _DOWN[down[0]]))
    return Linear(stops, repeats, {"top": 0.0, "right": 90.0, "bottom": 180.0, "left": 270.0}[sides[0]])


# ---- radial gradients


def _radial(words: Sequence[str], stops: tuple[ColourStop, ...], repeats: bool) -> Radial:
    at = words.index("at") if "at" in words else len(words)
    shape, place = words[:at], words[at + 1 :]
    names = [word for word in shape if word in ("circle", "ellipse")]
    extents = [word for word in shape if word in _EXTENTS]
    radii = tuple(_position(word) for word in shape if word not in names and word not in extents)
    circle = names == ["circle"] or (not names and len(radii) == 1)
    wrong_size = radii and (extents or len(radii) != (1 if circle else 2) or (circle and isinstance(radii[0], Percent)))
    if len(names) > 1 or len(extents) > 1 or wrong_size:
        raise ValueError(f"must have a shape such as “circle”, “circle 5mm” or “closest-side”, not “{' '.join(shape)}”")
    if at < len(words) and not 1 <= len(place) <= 2:
        raise ValueError("must have one or two places after “at”, such as “at top left” or “at 20% 5mm”")
    x, y = _place(place)
    return Radial(stops, repeats, circle, extents[0] if extents else "farthest-corner", radii=radii, x=x, y=y)


def _place(words: Sequence[str]) -> tuple[Position, Position]:
    """The point of `at …`: names in any order, or lengths and shares, first across."""
    ways: list[Position] = [Percent(0.5), Percent(0.5)]
    if words and (words[0] in _DOWN or words[-1] in _ACROSS):
        words = words[::-1] if len(words) == 2 else ["center", *words] if words[0] in _DOWN else words
    for number, (word, axis) in enumerate(zip(words, (_ACROSS, _DOWN), strict=False)):
        if word != "center":
            ways[number] = Percent(axis[word]) if word in axis else _position(word)
    return ways[0], ways[1]
