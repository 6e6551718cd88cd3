"""Stencils → layouts → frames: cards of one stencil are laid out once, and only their texts set one by one.

A layout depends on the words in the gaps only by what they were measured to need. So the questions that arranging asks
of them are kept with the answers it got: whoever answers alike is laid out alike.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ..definitions.models import Theme
from ..errors import InputError
from ..faces.stencil import Gap, Stencil
from ..geometry.frame import Frame, Item, Slot
from ..geometry.outlines import Rect
from ..text.lines import Fitted, Setting, fitted, line_room, unbroken
from ..text.words import Lexicon, Paragraph, lexicon
from .boxes import Asked, Extent, Opening
from .content import write
from .ink import Ink
from .measure import text_heights, text_widths
from .place import laid
from .safety import outside_safe, overlaps

MOST_LAYOUTS = 64
"""A stencil laid out in more different ways than this has little to share."""
SHORT, MOST_KEPT = 16, 500
"""Texts of so few letters are kept once they are set, up to so many for each place."""

Values: TypeAlias = Sequence[str]
Texts: TypeAlias = dict[Gap, Paragraph | None]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """Where the text of a gap is set in a layout; `free` says that it cannot leave the safe area there, `only` which
    hole is all there is in it, `line` how wide a text may be to stand on one line. Short texts are kept by their
    values."""

    opening: Opening
    frame: Frame
    free: bool
    only: int | None
    line: float
    kept: dict[str, Fitted] = field(default_factory=dict)

    def fitted(self, text: Paragraph) -> Fitted:
        """The text as it fits there."""
        style, inside = self.opening.style, self.opening.inside
        if text.across <= self.line and len(text.lines) == 1:
            return Fitted(style.size, unbroken(text), text.across)
        return fitted(text, style, inside.width, inside.height)

    def items(self, text: Fitted) -> tuple[Item, ...]:
        """What is drawn there, as a frame has it."""
        opening, frame = self.opening, self.frame
        ink = Ink(Rect(0.0, 0.0, frame.width, frame.height), frame.bleed, [], opening.turn, opening.matrix)
        if text.lines:
            write(ink, text, opening.style, opening.inside)
        return tuple(ink.items)

    def holds(self, text: Fitted) -> bool:
        """Whether the text stays inside the safe area."""
        return not outside_safe(replace(self.frame, items=self.items(text)))


@dataclass(frozen=True, slots=True, eq=False)
class Layout:
    """A frame in parts, in painting order: what stays, and the places of what does not."""

    frame: Frame
    parts: tuple[tuple[Item, ...] | Place, ...]
    places: tuple[Place, ...]


class Filled:
    """A frame that is not written out: a layout, and its texts made of `values`."""

    __slots__ = ("bleed", "height", "layout", "name", "texts", "values", "width")

    def __init__(self, name: str, layout: Layout, texts: Sequence[Fitted], values: Values) -> None:
        self.name = name
        self.layout = layout
        self.texts = texts
        self.values = values
        frame = layout.frame
        self.width, self.height, self.bleed = frame.width, frame.height, frame.bleed

    @property
    def items(self) -> tuple[Item, ...]:
        return self.frame().items

    def slots(self) -> Iterator[Slot]:
        return self.layout.frame.slots()

    def dump(self) -> str:
        return self.frame().dump()

    def frame(self) -> Frame:
        """The frame itself, as `place` makes it of the face."""
        texts = iter(self.texts)
        items = [item for part in self.layout.parts
                 for item in (part.items(next(texts)) if isinstance(part, Place) else part)]
        return replace(self.layout.frame, name=self.name, items=tuple(items))


@dataclass(slots=True, eq=False)
class _Question:
    """What arranging asks of a text, and where each answer leads: to another question, or to a layout."""

    asked: Asked
    ways: dict[Extent | None, _Question | Layout] = field(default_factory=dict)


class Layouts:
    """The layouts of one stencil, made as they are needed."""

    def __init__(self, stencil: Stencil, theme: Theme) -> None:
        self.stencil = stencil
        self.theme = theme
        self._tried = 0
        self._ways: dict[Extent | None, _Question | Layout] = {}
        self._styles: dict[Gap, Setting] = {}
        self._lexicons: dict[Gap, Lexicon] = {}

    def filled(self, name: str, values: Values) -> Filled | None:
        """The frame of a face; None where it must be laid out by itself, as something is wrong with it or it has
        little in common with the others."""
        texts: Texts = {}
        layout = self._known(texts, values) or self._made(values)
        if layout is None:
            return None
        made = []
        for place in layout.places:
            only = place.only
            text = place.kept.get(values[only]) if only is not None else None
            if text is None:
                text = self._set(place, texts, values)
                if text is None:
                    return None
            made.append(text)
        return Filled(name, layout, made, values)

    def _known(self, texts: Texts, values: Values) -> Layout | None:
        found = self._ways.get(None)
        while isinstance(found, _Question):
            gap, width = found.asked
            text, style = texts.get(gap) or self._read(gap, values), self._styles[gap]
            texts[gap] = text
            if text is None:
                return None
            found = found.ways.get(text_widths(text, style) if width is None else text_heights(text, style, width))
        return found

    def _made(self, values: Values) -> Layout | None:
        if self._tried >= MOST_LAYOUTS:
            return None
        self._tried += 1
        try:
            made = laid(self.stencil.face, self.theme, values)
        except (InputError, ValueError):
            return None
        if outside_safe(made.frame) or overlaps(made.frame):
            return None
        for opening in made.openings:
            style = self._styles[opening.gap] = opening.style
            self._lexicons[opening.gap] = lexicon(style.family, style.tracking, style.upper, self.theme.icon_folders)
        layout = _layout(made.frame, made.openings)
        ways, way = self._ways, None
        for asked, answer in dict(made.asked).items():
            question = ways.setdefault(way, _Question(asked))
            assert isinstance(question, _Question)
            ways, way = question.ways, answer
        ways[way] = layout
        return layout

    def _set(self, place: Place, texts: Texts, values: Values) -> Fitted | None:
        """The text of a place; None where it does not fit."""
        gap = place.opening.gap
        text = texts.get(gap) or self._read(gap, values)
        if text is None:
            return None
        found = place.fitted(text)
        if found.short or not (place.free or place.holds(found)):
            return None
        if place.only is not None and len(key := values[place.only]) <= SHORT and len(place.kept) < MOST_KEPT:
            place.kept[key] = found
        return found

    def _read(self, gap: Gap, values: Values) -> Paragraph | None:
        """The words of a gap; None where they cannot be set."""
        known, plain = self._lexicons[gap], gap.words(values)
        try:
            found = known.read(gap.pieces(values)) if plain is None else known.plain(plain)
        except (InputError, ValueError):
            return None
        return None if found.missing else found


def _layout(frame: Frame, openings: Sequence[Opening]) -> Layout:
    parts: list[tuple[Item, ...] | Place] = []
    at = 0
    for opening in openings:
        if opening.start > at:
            parts.append(frame.items[at:opening.start])
        line = line_room(opening.style, opening.inside.width, opening.inside.height)
        parts.append(Place(opening, frame, _free(opening, frame), opening.gap.only, line))
        at = opening.end
    parts.append(frame.items[at:])
    return Layout(frame, tuple(parts), tuple(part for part in parts if isinstance(part, Place)))


def _free(opening: Opening, frame: Frame) -> bool:
    """Lines of a text that fits stay near enough to its box: their letters rise and hang less than half a line beyond
    it."""
    ink = Ink(Rect(0.0, 0.0, frame.width, frame.height), frame.bleed, turn=opening.turn, matrix=opening.matrix)
    most = opening.style.size / 2
    return Rect(0.0, 0.0, frame.width, frame.height).grown(*[-frame.safe] * 4).holds(
        ink.on_face(opening.inside.grown(0.0, most, 0.0, most)))
