"""Builds boxes from elements: what measuring and placing need from each."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import pairwise
from math import cos, fsum, hypot, radians, sin
from types import MappingProxyType
from typing import Any, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from .. import paths
from ..art.picture_files import aspect, icon_aspect
from ..errors import InputError, Place, Problem
from ..faces.face import MISSING, Element, Face, InlineIcon, Piece, missing
from ..faces.kinds import ColourStop, Linear, Percent, Position, Radial
from ..geometry.frame import Gradient, LinearGradient, Paint, RadialGradient, Stop
from ..geometry.outlines import ON_TRIM, Matrix, Rect
from ..model.colours import channels, faded
from ..model.game import Theme
from ..text.lines import LineSetting, colour, setting
from ..text.words import Paragraph, paragraph
from . import flaws
from .flaws import Lack, generic
from .ink import Stroke

Sides = tuple[float, float, float, float]
NO_SIDES: Sides = (0.0, 0.0, 0.0, 0.0)
QUARTERS = (0, 90, 180, 270)
_MAX_QUOTED = 24
EPSILON = 1e-6
_STEPS = 8  # stops added between two colours with different alpha values, which CSS mixes differently from PDF
_THIN = 1e-4


class Extent(NamedTuple):
    """The length of a box if there is enough room, and its minimum (with its texts at their smallest size)."""

    natural: float
    minimum: float


class Claim(Struct, frozen=True):
    """What one box needs of a row or column: its extent, its share of the spare room (`grow`), and the size at which a
    growing box starts (`basis`). A text `yields`: it may get even less than its minimum, and is reported when it is
    set."""

    extent: Extent
    grow: float = 0.0
    basis: float = 0.0
    yields: bool = False


def total(claims: Sequence[Claim], gap: float) -> Extent:
    """The total length that satisfies every claim."""
    gaps = gap * max(0, len(claims) - 1)
    return Extent(*(gaps + _sum(claims, which) for which in (0, 1)))


def _sum(claims: Sequence[Claim], which: int) -> float:
    return fsum([claim.basis if claim.grow else claim.extent[which] for claim in claims]) + _growth(claims, which)


def _growth(claims: Sequence[Claim], which: int) -> float:
    """The spare room that gives every growing box enough. Shares are exact, so the neediest box decides."""
    growing = [claim for claim in claims if claim.grow]
    per_share = max((max(0.0, claim.extent[which] - claim.basis) / claim.grow for claim in growing), default=0.0)
    return per_share * fsum([claim.grow for claim in growing])


def distribute(claims: Sequence[Claim], room: float) -> tuple[list[float], float]:
    """Distributes `room` (without the gaps): the length of each box, and by how much the boxes are still too long.

    Boxes that do not grow get their natural length, growing ones their shares of the rest. If that is not enough for
    the growing boxes, the others shrink, down to their minimum.
    """
    growing = fsum([claim.grow for claim in claims])
    sizes = [claim.basis if claim.grow else claim.extent.natural for claim in claims]
    shortage = fsum(sizes) + (_growth(claims, 1) if growing else 0.0) - room
    if shortage > EPSILON:
        slack = [0.0 if claim.grow else claim.extent.natural - claim.extent.minimum for claim in claims]
        _shrink(sizes, slack, shortage)
        _shrink(
            sizes,
            [size if claim.yields and not claim.grow else 0.0 for size, claim in zip(sizes, claims, strict=True)],
            fsum(sizes) - room,
        )
    left = max(0.0, room - fsum(sizes))
    if growing:
        sizes = [size + left * claim.grow / growing for size, claim in zip(sizes, claims, strict=True)]
    return sizes, max(0.0, fsum(sizes) - room)


def _shrink(sizes: list[float], slack: Sequence[float], excess: float) -> None:
    """Shrinks `sizes` by `excess` in all, or by as much of it as `slack` allows."""
    total_slack = fsum(slack)
    if total_slack > 0 and excess > 0:
        share = min(1.0, excess / total_slack)
        for i, room in enumerate(slack):
            sizes[i] -= room * share


def even_out(naturals: Sequence[float], room: float) -> list[float]:
    """Shares `room` as evenly as possible, with each box at least as long as its natural length (which must fit)."""
    sizes = list(naturals)
    rest = list(range(len(sizes)))
    while rest:
        level = (room - fsum([size for i, size in enumerate(sizes) if i not in rest])) / len(rest)
        too_high = [i for i in rest if naturals[i] > level + EPSILON]
        if not too_high:
            for i in rest:
                sizes[i] = level
            break
        rest = [i for i in rest if i not in too_high]
    return sizes


def starts(sizes: Sequence[float], room: float, gap: float, justify: str) -> list[float]:
    """Where each box starts. `between` widens the gaps; any other `justify` moves all boxes together."""
    spare = max(0.0, room - fsum(sizes) - gap * (len(sizes) - 1))
    position = {"center": spare / 2, "end": spare}.get(justify, 0.0)
    if justify == "between" and len(sizes) > 1:
        gap += spare / (len(sizes) - 1)
    positions = []
    for size in sizes:
        positions.append(position)
        position += size + gap
    return positions


# ---- boxes


class Box(Struct, eq=False):
    """An element to place: its typed attributes, the boxes inside it, and their measurements.

    `parent` is the tag of the box around it (a rule is vertical in a row); `aspect` is the width of art divided by its
    height; only texts have `text` and `style`. A box that `floats` states its own position, and its parent is laid out
    as if it were not there: `flow` are the boxes inside that do not. `texts` is the number of texts in it, if they are
    left out."""

    element: Element
    padding: Sides = NO_SIDES
    turn: float = 0
    opacity: float = 1.0
    grow: float = 0.0
    parent: str = ""
    aspect: float = 0.0
    text: Paragraph | None = None
    style: LineSetting | None = None
    floats: bool = False
    inner: tuple[Box, ...] = ()
    flow: tuple[Box, ...] = ()
    widths: dict[float | None, Extent] = field(default_factory=dict)
    heights: dict[float, Extent] = field(default_factory=dict)
    texts: int = 0

    @property
    def tag(self) -> str:
        return self.element.tag

    def get(self, name: str, default: Any = None) -> Any:
        return self.element.attributes.get(name, default)

    def hold(self, inner: Sequence[Box]) -> None:
        """Puts boxes into this one."""
        self.inner, self.flow = tuple(inner), tuple([box for box in inner if not box.floats])

    @property
    def sideways(self) -> bool:
        """Whether its content is turned by 90° or 270°."""
        return self.turn in (90, 270)


_ENDS = ("x1", "y1", "x2", "y2")


class Look(Struct):
    """How a box is painted: fill, outline and corners."""

    fill: Paint | None
    stroke: Stroke
    radius: Sides


class Builder:
    """Builds the boxes of one face. Collects its problems with their elements; `spans` are the items of its elements
    with content. Of a `draft`, everything is placed as well as possible, and `boxes` are those of its elements.
    `sizes` are the largest type sizes of texts by their role, and `shrunk` those that were too large, with the sizes at
    which they fit. `lacks` are what no font has, by its name."""

    tolerance = ON_TRIM
    """How far content may exceed its box, in mm."""

    def __init__(
        self,
        face: Face,
        theme: Theme,
        *,
        draft: bool = False,
        sizes: Mapping[str, float] = MappingProxyType({}),
        lacks: dict[str, Lack] | None = None,
    ) -> None:
        self.face = face
        self.theme = theme
        self.draft = draft
        self.sizes = sizes
        self.shrunk: dict[str, float] = {}
        self.lacks: dict[str, Lack] = {} if lacks is None else lacks
        self.boxes: dict[int, Rect] = {}
        self.problems: list[tuple[Element, Problem]] = []
        self.spans: list[tuple[int, int, Element]] = []

    def report(self, element: Element, message: str, hint: str = "", characters: str = "") -> None:
        """Reports a problem of the face. `message` continues the element's name: `: needs …` or ` has no …`. It is
        reported at the cell of a table that has the `characters`, or for a built-in face, the whole text."""
        place = self.face.place(element)
        cell = None
        if characters or (element.pieces and place.file.startswith(paths.display_path(paths.CARD_TEMPLATES))):
            cell = self.face.cell(element, characters)
        if cell and not characters:
            hint = "shorten it, or choose a larger card or another face"
        name = describe(element, rendered=not place.line)
        alike, detail = generic(element) + message, 0.0
        if needs := _NEEDS.search(message):
            more, detail = " lines more" if needs[2] else " mm more", float(needs[1]) - float(needs[3])
            alike = f"{generic(element)} needs up to {{}}{more}{needs[4]}"
        elif over := _OVER.findall(hint):
            alike = f"{generic(element)}{message.replace(': ', ' ')} by up to {{}} mm"
            detail = max(map(float, over))
        self.problems.append(
            (
                element,
                Problem(
                    f"{self.face.name}, {name}{message}",
                    cell or place,
                    hint,
                    alike,
                    detail=round(detail, 3),
                    in_cards=bool(cell),
                ),
            )
        )

    def build(self, element: Element, parent: str = "") -> Box:
        get = element.attributes.get
        self.problems += [(element, problem) for problem in get("problems", ())]
        box = Box(
            element, get("padding", NO_SIDES), get("turn", 0), get("opacity", 1.0), grow=get("grow", 0.0), parent=parent
        )
        prepare = _PREPARE.get(element.tag)
        if prepare:
            try:
                prepare(self, box)
            except InputError as error:
                return self._unprepared(box, error)
        box.floats = element.tag == "at" or (element.tag == "line" and not element.attributes.keys().isdisjoint(_ENDS))
        box.hold([self.build(child, element.tag) for child in element.children])
        if element.tag == "grid":
            rows, columns = box.get("rows"), box.get("columns")
            if rows and len(box.flow) > len(rows) * len(columns):
                self.report(
                    box.element,
                    f" has {len(rows)} × {len(columns)} cells for {len(box.flow)} children",
                    "leave out rows= to get as many rows as needed",
                )
        return box

    def _unprepared(self, box: Box, error: InputError) -> Box:
        """Reports why a box cannot be drawn. Of a draft, returns a crossed box instead."""
        element, place = box.element, self.face.place(box.element)
        label = describe(element, rendered=not place.line)
        problems = [
            Problem(f"{self.face.name}, {label}: {problem.message}", problem.place or place, problem.hint)
            for problem in error.problems
        ]
        if self.draft:
            return self.build(missing(element.attributes, label, problems, element.line), box.parent)
        self.problems += [(element, problem) for problem in problems]
        return box

    def paint(self, value: Any) -> str | None:
        """The colour `#rrggbb` of a paint in the face, which may also name a colour of the theme; None for “none”."""
        return None if value in (None, "none") else colour(value, self.theme)

    def look(self, box: Box, rect: Rect, *, fill: Any = None, stroke: Any = None) -> Look:
        """How the box at `rect` is painted; `fill` and `stroke` are defaults."""
        get = box.element.attributes.get
        outline = Stroke(self._painted(get("stroke", stroke), rect), get("stroke_width", 0.25), get("dash", ()))
        return Look(self._painted(get("fill", fill), rect), outline, get("radius", NO_SIDES))

    def _painted(self, value: Any, rect: Rect) -> Paint | None:
        return gradient(value, rect) if isinstance(value, Linear | Radial) else self.paint(value)

    def _text(self, box: Box) -> None:
        box.style = style = setting(box.element.attributes, self.theme)
        if style.role in self.sizes:
            size = self.sizes[style.role]
            box.style = style = replace(style, size=size, floor=min(size, style.floor))
        if box.opacity < 1 and box.element.attributes.keys().isdisjoint(("fill", "stroke", "outline")):
            box.style = style = replace(style, colour=faded(style.colour, box.opacity))
            box.opacity = 1.0  # letters do not overlap
        box.text = self._paragraph(box.element.pieces, style)
        if box.text.missing:
            self._box_missing(box, box.text.missing, style)

    def _box_missing(self, box: Box, characters: Sequence[str], style: LineSetting) -> None:
        """Puts boxes in place of the characters of a text that no font has, and reports them once."""
        element, font = box.element, style.family.font(0)

        def place(character: str) -> Place:
            return self.face.cell(element, character) or self.face.place(element)

        for lack in flaws.lacks_of(element.pieces, characters, font, self.theme, place=place):
            if self.draft:
                self.report(element, f": {lack.message}", lack.hint, lack.example)
            elif lack.what not in self.lacks:
                self.note_lack(lack)
        box.text = self._paragraph(tuple(flaws.boxed(element.pieces, characters)), style)

    def note_lack(self, lack: Lack) -> None:
        """Adds a sign or script that no font has, for the first time."""
        self.lacks[lack.what] = lack

    def _paragraph(self, pieces: tuple[Piece, ...], style: LineSetting) -> Paragraph:
        return paragraph(
            pieces, style.family, style.tracking, style.upper, icons=self.theme.icon_folders, language=style.language
        )

    def _icon(self, box: Box) -> None:
        box.aspect = icon_aspect(box.get("name"), self.theme.icon_folders)

    def _image(self, box: Box) -> None:
        box.aspect = aspect(str(box.get("file")))

    def _square(self, box: Box) -> None:
        box.aspect = 1.0

    def _path(self, box: Box) -> None:
        _, _, width, height = box.get("viewbox", VIEW_BOX)
        box.aspect = width / height


SUITS = dict(zip("♠♤♥♡♦♢♣♧", ("spade", "spade", "heart", "heart", "diamond", "diamond", "club", "club"), strict=True))
"""The icons for the signs of suits."""


VIEW_BOX: Sides = (0.0, 0.0, 24.0, 24.0)
_PREPARE: Mapping[str, Callable[[Builder, Box], None]] = {
    "text": Builder._text,
    "icon": Builder._icon,
    "image": Builder._image,
    "path": Builder._path,
    "qr": Builder._square,
    MISSING: Builder._square,
}


_NEEDS = re.compile(r"needs ([\d.]+)(?: mm|( lines)), has ([\d.]+)(?: mm)?(.*)")
_OVER = re.compile(r"([\d.]+) mm over")


def describe(element: Element, *, rendered: bool = True) -> str:
    """How messages refer to an element: by its words, its id, its file or its tag, with its line as `rendered` if its
    line in the template is not known."""
    if element.tag == MISSING:
        return str(element.attributes["label"])
    if element.tag == "text":
        return f"text “{_excerpt(element)}”"
    for name in ("id", "name", "file"):
        if name in element.attributes:
            return f"{element.tag} “{str(element.attributes[name]).rsplit('/', 1)[-1]}”"
    return f"{element.tag} (line {element.line} as rendered)" if rendered and element.line else element.tag


def _excerpt(element: Element) -> str:
    words = "".join(_plain(piece) for piece in element.pieces).split()
    text = " ".join(words)
    return text if len(text) <= _MAX_QUOTED else text[: _MAX_QUOTED + 1].rsplit(" ", 1)[0] + "…"


def _plain(piece: Piece) -> str:
    return f":{piece.icon}:" if isinstance(piece, InlineIcon) else piece.text


def gradient(fill: Linear | Radial, box: Rect) -> Gradient:
    """The gradient that fills a box."""
    return _linear(fill, box) if isinstance(fill, Linear) else _radial(fill, box)


def _linear(fill: Linear, box: Rect) -> Gradient:
    if fill.to:
        across, down = box.height * (2 * fill.to[0] - 1), box.width * (2 * fill.to[1] - 1)
        length = hypot(across, down) or 1.0
        dx, dy = across / length, down / length
    else:
        dx, dy = sin(radians(fill.angle)), -cos(radians(fill.angle))
    half = (abs(box.width * dx) + abs(box.height * dy)) / 2
    first, last, stops = _spread(fill.stops, 2 * half)
    x, y = box.x + box.width / 2 - half * dx, box.y + box.height / 2 - half * dy
    start, end = first * 2 * half, last * 2 * half
    return LinearGradient(
        x1=x + start * dx,
        y1=y + start * dy,
        x2=x + end * dx,
        y2=y + end * dy,
        stops=stops,
        spread="repeat" if fill.repeats else "",
    )


def _radial(fill: Radial, box: Rect) -> Gradient:
    x, y = box.x + _along(fill.x, box.width), box.y + _along(fill.y, box.height)
    across, down = _radii(fill, box, x, y)
    first, last, stops = _spread(fill.stops, across)
    last = max(last, _THIN)
    if first < 0:  # the part before the centre is invisible
        stops, first = _from_the_middle(stops, first, last), 0.0
    squeezed: Matrix = (1.0, 0.0, 0.0, down / across, 0.0, y - y * down / across)
    return RadialGradient(
        x=x,
        y=y,
        r=last * across,
        fx=x,
        fy=y,
        fr=first * across,
        stops=stops,
        spread="repeat" if fill.repeats else "",
        matrix=squeezed,
    )


def _along(position: Position, whole: float, unit: float = 1.0) -> float:
    """A share of the whole, or a length in units."""
    return position.of(whole) if isinstance(position, Percent) else position / (unit or 1.0)


def _radii(fill: Radial, box: Rect, x: float, y: float) -> tuple[float, float]:
    """The radii of the ending shape, across and down."""
    if fill.radii:
        sizes = [_along(size, whole) for size, whole in zip(fill.radii, (box.width, box.height), strict=False)]
        return max(sizes[0], _THIN), max(sizes[-1], _THIN)
    nearest = min if fill.extent.startswith("closest") else max
    across = nearest(abs(x - box.x), abs(box.right - x))
    down = nearest(abs(y - box.y), abs(box.bottom - y))
    if fill.circle:
        radius = hypot(across, down) if fill.extent.endswith("corner") else nearest(across, down)
        across = down = radius
    elif fill.extent.endswith("corner"):
        across, down = across * 2**0.5, down * 2**0.5
    return max(across, _THIN), max(down, _THIN)


def _spread(listed: Sequence[ColourStop], length: float) -> tuple[float, float, tuple[Stop, ...]]:
    """Where the first and the last stop are, as shares of the length of a gradient, and the stops between them."""
    offsets = _offsets([None if stop.position is None else _along(stop.position, 1.0, length) for stop in listed])
    offsets[0] -= _THIN * (offsets[0] == offsets[1])  # so that a sharp edge at an end has its first colour before it
    offsets[-1] += _THIN * (offsets[-1] == offsets[-2])
    first, last = offsets[0], offsets[-1]
    colours = _opaque_names([stop.colour for stop in listed])
    stops = [
        Stop(min((offset - first) / (last - first), 1.0), code)
        for offset, codes in zip(offsets, colours, strict=True)
        for code in codes
    ]
    return first, last, tuple(_mixed(stops))


def _offsets(given: list[float | None]) -> list[float]:
    """The offsets of all stops: none is smaller than those before it, and those left out are spread evenly."""
    offsets = [0.0 if given[0] is None else given[0], *given[1:-1], 1.0 if given[-1] is None else given[-1]]
    highest = offsets[0]
    for number, offset in enumerate(offsets):
        if offset is not None:
            highest = offsets[number] = max(highest, offset)  # type: ignore[type-var]
    known = [number for number, offset in enumerate(offsets) if offset is not None]
    for start, end in pairwise(known):
        step = (offsets[end] - offsets[start]) / (end - start)  # type: ignore[operator]
        for number in range(start + 1, end):
            offsets[number] = offsets[start] + step * (number - start)  # type: ignore[operator]
    return offsets  # type: ignore[return-value]


def _opaque_names(codes: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The colours of each stop. CSS fades to the colour of the neighbour where a stop is fully transparent."""
    for number, code in enumerate(codes):
        if channels(code)[3]:
            yield (code,)
        else:
            neighbours = [*codes[max(0, number - 1) : number], *codes[number + 1 : number + 2]]
            yield tuple(neighbour[:7] + "00" for neighbour in neighbours)


def _mixed(stops: Sequence[Stop]) -> Iterator[Stop]:
    """The stops, with more between two that differ both in colour and in alpha value: CSS mixes colours multiplied by
    their alpha values."""
    for one, other in pairwise(stops):
        yield one
        (*colour, alpha), (*colour2, alpha2) = channels(one.colour), channels(other.colour)
        if colour != colour2 and alpha != alpha2 and one.offset < other.offset:
            for step in range(1, _STEPS):
                t = step / _STEPS
                a = alpha + (alpha2 - alpha) * t
                mixed = [
                    (c * alpha * (1 - t) + c2 * alpha2 * t) / (a or 1) for c, c2 in zip(colour, colour2, strict=True)
                ]
                code = "#" + "".join(f"{round(channel):02x}" for channel in (*mixed, a))
                yield Stop(one.offset + (other.offset - one.offset) * t, code)
    yield stops[-1]


def _from_the_middle(stops: Sequence[Stop], first: float, last: float) -> tuple[Stop, ...]:
    """The stops of a radial gradient that begins before its middle, measured from there."""
    shifted = [(first + stop.offset * (last - first), stop.colour) for stop in stops]
    for (at, before), (next_at, after) in pairwise(shifted):
        if at < 0 <= next_at:
            share = -at / (next_at - at)
            pairs = zip(channels(before), channels(after), strict=True)
            middle = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in pairs)
            rest = [Stop(max(0.0, offset / last), code) for offset, code in shifted if offset >= 0]
            return (Stop(0.0, middle), *rest)
    return tuple(Stop(max(0.0, stop.offset), stop.colour) for stop in stops)
