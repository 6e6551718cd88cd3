"""Elements → boxes, which hold what measuring and placing need to know."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Any, NamedTuple
from unicodedata import name as unicode_name

from ..definitions.models import Theme
from ..errors import InputError, Problem
from ..faces.face import Element, Face, Glyph, Piece
from ..svg.files import aspect, icon_aspect, icon_names
from ..text.lines import Setting, colour, setting
from ..text.words import Paragraph, paragraph
from .ink import Stroke
from .texts import TextBox

Sides = tuple[float, float, float, float]
NO_SIDES: Sides = (0.0, 0.0, 0.0, 0.0)
_UNTURNED = (0, 180)
_SHOWN = 24
EPSILON = 1e-6


class Extent(NamedTuple):
    """The length of a box if there is room, and its minimum (with its texts at their smallest size)."""

    natural: float
    least: float


@dataclass(frozen=True, slots=True)
class Claim:
    """What one box claims of a row or column: its extent, its share of the room left over (`grow`), and the size that a
    growing box starts from (`basis`). A text `yields` even its minimum and reports that itself when it is set."""

    extent: Extent
    grow: float = 0.0
    basis: float = 0.0
    yields: bool = False


def total(claims: Sequence[Claim], gap: float) -> Extent:
    """The length that satisfies every claim."""
    gaps = gap * max(0, len(claims) - 1)
    return Extent(*(gaps + _sum(claims, which) for which in (0, 1)))


def _sum(claims: Sequence[Claim], which: int) -> float:
    return fsum([claim.basis if claim.grow else claim.extent[which] for claim in claims]) + _growth(claims, which)


def _growth(claims: Sequence[Claim], which: int) -> float:
    """The room left over that gives every growing box enough. Shares are exact, so the neediest box decides."""
    growing = [claim for claim in claims if claim.grow]
    each = max((max(0.0, claim.extent[which] - claim.basis) / claim.grow for claim in growing), default=0.0)
    return each * fsum([claim.grow for claim in growing])


def shared(claims: Sequence[Claim], room: float) -> tuple[list[float], float]:
    """The length that each claim gets of `room` (without the gaps), and by how much the boxes are still too long.

    Boxes that do not grow get what they ask for, growing ones their shares of the rest. If that is too little, the
    former shrink, down to their minimum.
    """
    growing = fsum([claim.grow for claim in claims])
    sizes = [claim.basis if claim.grow else claim.extent.natural for claim in claims]
    short = fsum(sizes) + (_growth(claims, 1) if growing else 0.0) - room
    if short > EPSILON:
        _take(sizes, [0.0 if claim.grow else claim.extent.natural - claim.extent.least for claim in claims], short)
        _take(
            sizes,
            [size if claim.yields and not claim.grow else 0.0 for size, claim in zip(sizes, claims, strict=True)],
            fsum(sizes) - room,
        )
    left = max(0.0, room - fsum(sizes))
    if growing:
        sizes = [size + left * claim.grow / growing for size, claim in zip(sizes, claims, strict=True)]
    return sizes, max(0.0, fsum(sizes) - room)


def _take(sizes: list[float], slack: Sequence[float], short: float) -> None:
    """Takes `short` off `sizes`, or as much of it as the slack allows."""
    whole = fsum(slack)
    if whole > 0 and short > 0:
        part = min(1.0, short / whole)
        for i, room in enumerate(slack):
            sizes[i] -= room * part


def levelled(naturals: Sequence[float], room: float) -> list[float]:
    """Shares `room` evenly, but gives each box at least what it asks for (which must fit)."""
    sizes = list(naturals)
    open_ = list(range(len(sizes)))
    while open_:
        level = (room - fsum([size for i, size in enumerate(sizes) if i not in open_])) / len(open_)
        high = [i for i in open_ if naturals[i] > level + EPSILON]
        if not high:
            for i in open_:
                sizes[i] = level
            break
        open_ = [i for i in open_ if i not in high]
    return sizes


def starts(sizes: Sequence[float], room: float, gap: float, justify: str) -> list[float]:
    """Where each box starts. `between` widens the gaps; the other words move all boxes together."""
    left = max(0.0, room - fsum(sizes) - gap * (len(sizes) - 1))
    at = {"center": left / 2, "end": left}.get(justify, 0.0)
    if justify == "between" and len(sizes) > 1:
        gap += left / (len(sizes) - 1)
    begins = []
    for size in sizes:
        begins.append(at)
        at += size + gap
    return begins


# ---- boxes


class Measurement(NamedTuple):
    """One measurement of a text during layout: its width, or its height at a `width`. Another text with the same
    measurements leads to the same layout."""

    element: Element
    width: float | None
    extent: Extent


@dataclass(slots=True, eq=False)
class Box:
    """One element to place: its typed attributes, the boxes in it, and their measurements.

    `parent` is the tag of the box around it (a rule is upright in a row); `aspect` is width divided by height of art;
    only texts have `text` and `style`. A box that `floats` gives its own position; its parent is laid out without
    it."""

    element: Element
    padding: Sides = NO_SIDES
    turn: int = 0
    grow: float = 0.0
    parent: str = ""
    aspect: float = 0.0
    text: Paragraph | None = None
    style: Setting | None = None
    inner: tuple[Box, ...] = ()
    widths: dict[float | None, Extent] = field(default_factory=dict)
    heights: dict[float, Extent] = field(default_factory=dict)
    measurements: list[Measurement] | None = None

    def measured(self, width: float | None, extent: Extent) -> Extent:
        """Records a measurement of the box's text."""
        if self.measurements is not None:
            self.measurements.append(Measurement(self.element, width, extent))
        return extent

    @property
    def tag(self) -> str:
        return self.element.tag

    def get(self, name: str, omitted: Any = None) -> Any:
        return self.element.attributes.get(name, omitted)

    @property
    def floats(self) -> bool:
        return self.tag == "at" or (self.tag == "line" and not self.element.attributes.keys().isdisjoint(_ENDS))

    @property
    def flow(self) -> list[Box]:
        return [box for box in self.inner if not box.floats]

    @property
    def sideways(self) -> bool:
        """Whether its content is turned by a quarter."""
        return self.turn not in _UNTURNED


_ENDS = ("x1", "y1", "x2", "y2")


class PlacedText(NamedTuple):
    """A text that has been set; it became the frame's items from `start` up to `end`."""

    element: Element
    box: TextBox
    start: int
    end: int


@dataclass(slots=True)
class Look:
    """How a box is painted: fill, outline and corners."""

    fill: str | None
    stroke: Stroke
    radius: Sides


class Builder:
    """Builds the boxes of one face and collects its problems, and how its texts were measured and placed."""

    def __init__(self, face: Face, theme: Theme) -> None:
        self.face = face
        self.theme = theme
        self.problems: list[Problem] = []
        self.measurements: list[Measurement] = []
        self.texts: list[PlacedText] = []

    def bad(self, element: Element, message: str, hint: str = "") -> None:
        """Adds a problem of the face. `message` follows the element's name: `: needs …` or ` has no …`."""
        self.problems.append(Problem(f"{self.face.name}, {named(element)}{message}", None, hint))

    def build(self, element: Element, parent: str = "") -> Box:
        get = element.attributes.get
        box = Box(element, get("padding", NO_SIDES), get("turn", 0), get("grow", 0.0), parent)
        prepare = _PREPARED.get(element.tag)
        if prepare:
            try:
                prepare(self, box)
            except InputError as error:
                self.problems += [
                    Problem(f"{self.face.name}, {named(element)}: {problem.message}", problem.place, problem.hint)
                    for problem in error.problems
                ]
        box.inner = tuple([self.build(child, element.tag) for child in element.children])
        if element.tag == "grid":
            self._count_cells(box)
        return box

    def _count_cells(self, grid: Box) -> None:
        rows, columns = grid.get("rows"), grid.get("columns")
        if rows and len(grid.flow) > len(rows) * len(columns):
            self.bad(
                grid.element,
                f" has {len(rows)} × {len(columns)} cells for {len(grid.flow)} children",
                "leave out rows= to get as many rows as needed",
            )

    def paint(self, value: Any) -> str | None:
        """The colour of a paint in the face: `#rrggbb`, a theme's colour, or none."""
        return None if value in (None, "none") else colour(value, self.theme)

    def look(self, box: Box, *, fill: Any = None, stroke: Any = None) -> Look:
        """The box's paints; `fill` and `stroke` are defaults."""
        get = box.element.attributes.get
        outline = Stroke(self.paint(get("stroke", stroke)), get("stroke_width", 0.25), get("dash", ()))
        return Look(self.paint(get("fill", fill)), outline, get("radius", NO_SIDES))

    def _text(self, box: Box) -> None:
        box.style = style = setting(box.element.attributes, self.theme)
        box.measurements = self.measurements
        box.text = paragraph(box.element.pieces, style.family, style.tracking, style.upper, self.theme.icon_folders)
        for character in box.text.missing:
            self.bad(box.element, f": the font has no “{shown_character(character)}”", self._instead(character))

    def _instead(self, character: str) -> str:
        """A hint with an icon that the character's Unicode name contains: `★` is BLACK STAR."""
        words = unicode_name(character, "").lower().split()
        icon = next((word for word in words if word in icon_names(self.theme.icon_folders)), None)
        return f"write :{icon}:" if icon else "write something else, or use an icon such as :name:"

    def _icon(self, box: Box) -> None:
        box.aspect = icon_aspect(box.get("name"), self.theme.icon_folders)

    def _image(self, box: Box) -> None:
        box.aspect = aspect(str(box.get("file")))
        if any(box.get("radius", NO_SIDES)):
            self.bad(
                box.element, " has a radius, but pictures cannot have rounded corners", "round them in the picture file"
            )

    def _path(self, box: Box) -> None:
        _, _, width, height = box.get("viewbox", VIEW_BOX)
        box.aspect = width / height


VIEW_BOX: Sides = (0.0, 0.0, 24.0, 24.0)
_PREPARED: Mapping[str, Callable[[Builder, Box], None]] = {
    "text": Builder._text,
    "icon": Builder._icon,
    "image": Builder._image,
    "path": Builder._path,
}


def named(element: Element) -> str:
    """The element's name in messages: its words, its id, its file, or its tag."""
    if element.tag == "text":
        return f"text “{_shortened(element)}”"
    for name in ("id", "name", "file"):
        if name in element.attributes:
            return f"{element.tag} “{str(element.attributes[name]).rsplit('/', 1)[-1]}”"
    return f"{element.tag} (line {element.line} as rendered)" if element.line else element.tag


def _shortened(element: Element) -> str:
    words = "".join(_plain(piece) for piece in element.pieces).split()
    text = " ".join(words)
    return text if len(text) <= _SHOWN else text[: _SHOWN + 1].rsplit(" ", 1)[0] + "…"


def _plain(piece: Piece) -> str:
    return f":{piece.icon}:" if isinstance(piece, Glyph) else piece.text


def shown_character(character: str) -> str:
    return character if character.isprintable() else f"U+{ord(character):04X}"
