"""Draws the sides of cards and shares work between cards that are alike: a card in, a finished frame out.

`CardCache.side` returns the same frame as the plain route (faces.build, layout.place), and takes that route itself if
there is no shorter one. Only `GameFaces.side` knows that it exists. It builds on four parts of the stages:

    faces.Templates.render_marked   renders the face with a mark for each value: cards whose texts differ only in their
                                    values share a checked face with gaps (`SharedFace`)
    faces.check.Check               checks the markup, including its gaps
    layout.place.arrange            a frame, the places of its texts, and how they were measured: cards whose texts have
                                    the same measurements share a layout (`_Layout`)
    layout.texts                    the shared layout as an `Artwork`, into which only the texts of a card are set

If a value affects more than words (a colour, a size, a condition, a loop), the text around it differs, and so does the
face.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, TypeAlias
from xml.parsers import expat

from markupsafe import escape

from ..definitions.models import Card, Theme
from ..errors import InputError
from ..faces import markup
from ..faces.budget import MAX_CHARACTERS
from ..faces.check import Check
from ..faces.face import Element, Face, Piece, Words
from ..faces.marks import MARK, MARKS, MAX_TAGS, NUMBER, RICH, MarkedValues
from ..faces.markup import EMPTY, MAX_ELEMENTS, PLAIN, Node, assembled, font_in, glyph_or_break, words_in
from ..faces.templates import RepeatedContext, Templates
from ..geometry.cuts import Cut
from ..geometry.frame import Frame
from ..geometry.outlines import Rect
from ..layout.boxes import Extent
from ..layout.ink import Ink
from ..layout.measure import text_heights, text_widths
from ..layout.place import Arrangement, arrange
from ..layout.safety import is_safe
from ..layout.texts import Artwork, Lettered, Part, TextBox
from ..text.lines import Fitted, fitted, line_room, unbroken
from ..text.words import Lexicon, Paragraph, lexicon

CARD = "card"
"""The template variable that is a different card each time."""
MAX_FACES = 128
"""The cards of a template with more different faces than this have too little in common."""
MAX_LAYOUTS = 64
"""The cards of a face with more different layouts than this have too little in common."""
MAX_SHORT_LENGTH, MAX_SHORT_TEXTS = 16, 500
"""For each text box, this many fitted texts of at most this many letters are remembered."""

_SPACES = " \t\r\n"
Values: TypeAlias = Sequence[str]
"""The values of a card, by the numbers of the marks."""


class CardCache:
    """The finished sides of one component's cards. `plain` draws one side of a card by the plain route; `context` has
    the variables of the templates besides the card; sizes are in mm, and `cut` is the shape of the cards."""

    def __init__(
        self,
        plain: Callable[[Card, str], Frame],
        templates: Templates,
        context: Mapping[str, Any],
        theme: Theme,
        *,
        size: tuple[float, float],
        bleed: float = 0.0,
        safe: float = 0.0,
        folder: Path | None = None,
    ) -> None:
        self.plain = plain
        self.theme = theme
        self.cut: Cut | None = None
        self.faces = SharedFaces(templates, context, size=size, bleed=bleed, safe=safe, folder=folder)
        self._layouts: dict[SharedFace, SharedLayouts] = {}
        self._same: dict[str, Frame] = {}

    def side(self, card: Card, template: str) -> Frame:
        """One side of a card, equal to the result of `plain`. Raises InputError with every problem of its face. Cards
        that their template does not mention get the same object."""
        same = self._same.get(template)
        if same is not None:
            return same
        name = f"card {card.id}"
        try:
            shared = self.faces.find(template, card, name)
        except InputError:  # the plain route reports it with all it knows, or draws a draft
            return self.plain(card, template)
        frame = self._layouts_of(shared[0]).frame(name, shared[1]) if shared else None
        if frame is None:
            return self.plain(card, template)
        if self.faces.same_for_all(template):
            self._same[template] = frame
        return frame

    def _layouts_of(self, face: SharedFace) -> SharedLayouts:
        layouts = self._layouts.get(face)
        if layouts is None:
            layouts = self._layouts[face] = SharedLayouts(face, self.theme, self.cut)
        return layouts


# ---- faces: what cards share before layout ---------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Gap:
    """A `text` element with marks in its words: the element, and its node as rendered. `only` is the number of its mark
    if it contains nothing else."""

    element: Element
    node: Node
    only: int | None

    def plain_text(self, values: Values) -> str | None:
        """The text if it is a single value in one font with only spaces between its words; otherwise None."""
        if self.only is None:
            return None
        value = values[self.only]
        return value if value.isprintable() else None

    def pieces(self, values: Values) -> tuple[Piece, ...]:
        """The text with its values. Raises ValueError if one of them is not running text."""
        if self.only is None:
            return assembled(_content(self.node, values, PLAIN))
        return assembled(_value(values[self.only], PLAIN))


@dataclass(frozen=True, slots=True, eq=False)
class SharedFace:
    """A checked face with gaps in its texts."""

    face: Face
    gaps: tuple[Gap, ...]

    def filled(self, values: Values) -> tuple[Face, list[tuple[Element, Gap]]]:
        """The face with its gaps filled, and the filled elements with their gaps. Raises ValueError if a value is not
        running text."""
        filled: list[tuple[Element, Gap]] = []

        def fill(element: Element) -> Element:
            gap = next((gap for gap in self.gaps if gap.element is element), None)
            if gap:
                filled.append((replace(element, pieces=gap.pieces(values)), gap))
                return filled[-1][0]
            return replace(element, children=tuple(map(fill, element.children))) if element.children else element

        return replace(self.face, root=fill(self.face.root)), filled


@dataclass(slots=True, eq=False)
class _MarkedText:
    """A rendered text with marks that several cards share, the numbers of the marks in its attributes (None: it cannot
    be shared), and its faces by the values of those marks."""

    text: str
    in_attributes: tuple[int, ...] | None
    faces: dict[tuple[str, ...], SharedFace | None] = field(default_factory=dict)


@dataclass(slots=True)
class _TemplateFaces:
    """The faces of one template, by the parts of their marked texts. `checked` counts the faces that were checked,
    valid or not; `same` is the face of a template that does not mention the card."""

    context: RepeatedContext
    texts: dict[tuple[str, ...], _MarkedText] = field(default_factory=dict)
    checked: int = 0
    same: tuple[SharedFace, Values] | None = None


class SharedFaces:
    """The faces that cards of one kind share, by template."""

    def __init__(
        self,
        templates: Templates,
        context: Mapping[str, Any],
        *,
        size: tuple[float, float],
        bleed: float = 0.0,
        safe: float = 0.0,
        folder: Path | None = None,
    ) -> None:
        self.templates, self.context = templates, context
        self.size, self.bleed, self.safe, self.folder = size, bleed, safe, folder
        self._by_template: dict[str, _TemplateFaces] = {}

    def find(self, template: str, card: Any, name: str) -> tuple[SharedFace, Values] | None:
        """The face that a card shares and the values for its gaps; None if its face has to be built by the plain route.
        Raises InputError if the template cannot be rendered."""
        faces = self._by_template.get(template)
        if faces is None:
            faces = self._by_template[template] = _TemplateFaces(RepeatedContext(self.context, CARD))
        if faces.same:
            return faces.same
        if not self.templates.can_mark or max(len(faces.texts), faces.checked) > MAX_FACES:
            return None
        rendered = self.templates.render_marked(template, faces.context.of(card), name)
        return rendered and self._of(faces, template, *rendered, name)

    def same_for_all(self, template: str) -> bool:
        """Whether every card has the same face because this template does not mention the card."""
        return self._by_template[template].same is not None

    def _of(
        self, faces: _TemplateFaces, template: str, parts: tuple[str, ...], marked: MarkedValues, name: str
    ) -> tuple[SharedFace, Values] | None:
        values = marked.values
        text = faces.texts.get(parts)
        if text is None:
            text = faces.texts[parts] = _marked_text("".join(parts), len(values))
        if text.in_attributes is None or len(text.text) + marked.max_length > MAX_CHARACTERS:
            return None
        key = tuple([values[number] for number in text.in_attributes])
        face = text.faces.get(key)
        if face is None and key not in text.faces:
            faces.checked += 1
            face = text.faces[key] = self._checked(text, self.templates.file(template), values, name)
            if face and not self.templates.mentions(template, CARD):
                faces.same = face, values
        return (face, values) if face else None

    def _checked(self, text: _MarkedText, file: str, values: Values, name: str) -> SharedFace | None:
        """The face of a text with the values of its attributes; None if it has a problem."""
        written = text.text
        if written.count("<") + MAX_TAGS * len(values) > MAX_ELEMENTS:
            return None
        for number in text.in_attributes or ():
            value = values[number]
            written = written.replace(MARKS[number], value[1:] if value.startswith(RICH) else str(escape(value)))
        check = _GapCheck(markup.Source(name, file, written), self.templates, self.folder)
        try:
            root = check.face(markup.parse(check.source))
        except InputError:
            return None
        face = Face(name, file, root, self.size, self.bleed, self.safe, frozenset(check.icons))
        return SharedFace(face, tuple(check.gaps))


@dataclass(slots=True)
class _GapCheck(Check):
    """Checks a face with marks and collects its gaps."""

    gaps: list[Gap] = field(default_factory=list)

    def text(self, node: Node, attributes: Mapping[str, Any]) -> Element:
        element = Check.text(self, node, attributes)
        if any(_marks(node)):
            alone = "".join([part if isinstance(part, str) else "<" for part in node.content]).strip(_SPACES)
            self.gaps.append(Gap(element, node, NUMBER.get(alone)))
        return element


def _marks(node: Node) -> Iterator[str]:
    for part in node.content:
        yield from MARK.findall(part) if isinstance(part, str) else _marks(part)


def _marked_text(text: str, count: int) -> _MarkedText:
    """A rendered text with `count` marks. It cannot be shared if it is not XML, or if a mark is outside attributes and
    texts."""
    if "<!" in text or "<?" in text:
        return _MarkedText(text, None)
    parser, in_texts, in_attributes = expat.ParserCreate("utf-8"), list[str](), list[str]()
    parser.CharacterDataHandler = lambda data: in_texts.extend(MARK.findall(data))
    parser.StartElementHandler = lambda _, attributes: in_attributes.extend(MARK.findall("".join(attributes.values())))
    try:
        parser.Parse(text.encode("utf-8", "surrogatepass"), True)
    except expat.ExpatError:
        return _MarkedText(text, None)
    if sorted(in_texts + in_attributes) != list(MARKS[:count]):
        return _MarkedText(text, None)
    return _MarkedText(text, tuple(sorted(NUMBER[mark] for mark in in_attributes)))


# ---- marks and their values → the pieces of a text ----------------------------------------------------------------

_TAG = re.compile(r'<(/?)([a-z]+)(?: name="([^"]*)")?(/?)>')
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&"}


def _content(node: Node, values: Values, font: Words) -> Iterator[Piece]:
    for part in node.content:
        if isinstance(part, str):
            for piece in MARK.split(part):
                yield from _value(values[NUMBER[piece]] if piece in NUMBER else piece, font)
        elif part.tag in EMPTY:
            yield glyph_or_break(part.tag, part.attributes.get("name", ""), font)
        else:
            yield from _content(part, values, font_in(part.tag, font, part.attributes))


def _value(value: str, font: Words) -> Iterator[Piece]:
    """The pieces of a value in a text set in this font. Raises ValueError if its markup is not closed."""
    if not value.startswith(RICH):
        yield words_in(value, font)
        return
    first, *parts = _TAG.split(value[1:])
    yield words_in(_unescaped(first), font)
    fonts, tags = [font], [""]
    for closes, tag, name, empty_tag, text in zip(*[iter(parts)] * 5, strict=True):
        if closes:
            if tags.pop() != tag:
                raise ValueError
            fonts.pop()
        elif empty_tag:
            yield glyph_or_break(tag, name, fonts[-1])
        else:
            fonts.append(font_in(tag, fonts[-1]))
            tags.append(tag)
        yield words_in(_unescaped(text), fonts[-1])
    if len(tags) > 1:
        raise ValueError


def _unescaped(written: str) -> str:
    if "&" in written:
        for entity, letter in _ENTITIES.items():
            written = written.replace(entity, letter)
    return written


# ---- layouts: what cards of one face share after layout -----------------------------------------------------------
#
# A layout depends on the words in the gaps only through their measurements. So every measurement is stored
# with its results: cards whose texts have the same results have the same layout.


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A gap in a layout and the box of its text. `free` means that the text cannot leave the safe area there; `line` is
    the width up to which it stays on one line; `short` remembers fitted short texts by their values."""

    gap: Gap
    box: TextBox
    free: bool
    line: float
    short: dict[str, Fitted] = field(default_factory=dict)

    def fitted(self, text: Paragraph) -> Fitted:
        """The text at the size that fits this place."""
        style, inside = self.box.style, self.box.inside
        if text.across <= self.line and len(text.lines) == 1:
            return Fitted(style.size, unbroken(text), text.across)
        return fitted(text, style, inside.width, inside.height)


@dataclass(frozen=True, slots=True, eq=False)
class _Layout:
    """The frame of the first card with this layout, the artwork without its texts in gaps, and their places."""

    frame: Frame
    artwork: Artwork
    places: tuple[_Place, ...]


@dataclass(slots=True, eq=False)
class _Measurement:
    """A measurement of the text in a gap (its width, or its height at a `width`), and what follows from each
    result: another measurement, or a layout."""

    gap: Gap
    width: float | None
    branches: dict[Extent | None, _Measurement | _Layout] = field(default_factory=dict)


class SharedLayouts:
    """The layouts of one shared face, computed on demand."""

    def __init__(self, face: SharedFace, theme: Theme, cut: Cut | None = None) -> None:
        self.face = face
        self.theme = theme
        self.cut = cut
        self._arranged = 0
        self._first: dict[Extent | None, _Measurement | _Layout] = {}
        self._boxes: dict[Gap, TextBox] = {}
        self._lexicons: dict[Gap, Lexicon] = {}

    def frame(self, name: str, values: Values) -> Frame | None:
        """The frame of a card; None if it has to be drawn by the plain route because it has a problem or little in
        common with other cards."""
        texts: dict[Gap, Paragraph | None] = {}
        layout = self._find(texts, values) or self._arrange(values)
        if layout is None:
            return None
        fits: list[Fitted] = []
        written: list[str | None] = []
        for place in layout.places:
            only = place.gap.only
            value = None if only is None else values[only]
            text = None if value is None else place.short.get(value)
            if text is None:
                text = self._fitted(place, layout, texts, values)
                if text is None:
                    return None
                if value is not None and len(value) > MAX_SHORT_LENGTH:
                    value = None
                elif value is not None and len(place.short) < MAX_SHORT_TEXTS:
                    place.short[value] = text
            fits.append(text)
            written.append(value)
        frame = layout.frame
        return Frame(
            name, frame.width, frame.height, Lettered(layout.artwork, fits, written), frame.bleed, frame.safe, frame.cut
        )

    def _find(self, texts: dict[Gap, Paragraph | None], values: Values) -> _Layout | None:
        """The layout for the measurements of a card's texts, or None if there is none yet. Fills `texts`."""
        step = self._first.get(None)
        while isinstance(step, _Measurement):
            gap, width = step.gap, step.width
            text, style = texts.get(gap) or self._read(gap, values), self._boxes[gap].style
            texts[gap] = text
            if text is None:
                return None
            step = step.branches.get(text_widths(text, style) if width is None else text_heights(text, style, width))
        return step

    def _arrange(self, values: Values) -> _Layout | None:
        if self._arranged >= MAX_LAYOUTS:
            return None
        self._arranged += 1
        try:
            face, gaps = self.face.filled(values)
            arrangement = arrange(face, self.theme, self.cut)
        except (InputError, ValueError):
            return None
        if not is_safe(arrangement.frame):
            return None
        layout = _layout(arrangement, gaps)
        if layout is None:
            return None
        for place in layout.places:
            style = place.box.style
            self._boxes[place.gap] = place.box
            self._lexicons[place.gap] = lexicon(
                style.family, style.tracking, style.upper, self.theme.icon_folders, style.language
            )
        self._remember(layout, arrangement, gaps)
        return layout

    def _remember(self, layout: _Layout, arrangement: Arrangement, gaps: Sequence[tuple[Element, Gap]]) -> None:
        """Records the measurements that lead to a layout."""
        extents: dict[tuple[Gap, float | None], Extent] = {}
        for element, width, extent in arrangement.measurements:
            gap = _gap_of(element, gaps)
            if gap:
                extents[gap, width] = extent
        branches, result = self._first, None
        for (gap, width), extent in extents.items():
            step = branches.setdefault(result, _Measurement(gap, width))
            assert isinstance(step, _Measurement)
            branches, result = step.branches, extent
        branches[result] = layout

    def _fitted(
        self, place: _Place, layout: _Layout, texts: dict[Gap, Paragraph | None], values: Values
    ) -> Fitted | None:
        """The text of a place at the size that fits; None if it does not fit."""
        text = texts.get(place.gap) or self._read(place.gap, values)
        if text is None:
            return None
        fit = place.fitted(text)
        if fit.shortfall or not (place.free or is_safe(replace(layout.frame, items=place.box.items(fit)))):
            return None
        return fit

    def _read(self, gap: Gap, values: Values) -> Paragraph | None:
        """The words of a gap; None if they cannot be set."""
        gap_lexicon, plain = self._lexicons[gap], gap.plain_text(values)
        try:
            text = gap_lexicon.read(gap.pieces(values)) if plain is None else gap_lexicon.plain(plain)
        except (InputError, ValueError):
            return None
        return None if text.missing else text


def _gap_of(element: Element, gaps: Sequence[tuple[Element, Gap]]) -> Gap | None:
    return next((gap for filled, gap in gaps if filled is element), None)


def _layout(arrangement: Arrangement, gaps: Sequence[tuple[Element, Gap]]) -> _Layout | None:
    """The layout of an arranged card: the texts in its gaps become boxes, everything else stays fixed. None if a gap is
    in a group, which is painted as one."""
    frame, items, parts, places, at = arrangement.frame, tuple(arrangement.frame.items), list[Part](), list[_Place](), 0
    for text in arrangement.texts:
        gap = _gap_of(text.element, gaps)
        if gap is None:
            continue
        if text.end < text.start:
            return None
        if text.start > at:
            parts.append(items[at : text.start])
        parts.append(text.box)
        inside = text.box.inside
        line = line_room(text.box.style, inside.width, inside.height)
        places.append(_Place(gap, text.box, _is_free(text.box, frame), line))
        at = text.end
    if at < len(items):
        parts.append(items[at:])
    return _Layout(frame, Artwork(frame.width, frame.height, tuple(parts)), tuple(places))


def _is_free(box: TextBox, frame: Frame) -> bool:
    """Whether any text that fits the box stays in the safe area: its letters extend less than half a line beyond it."""
    if frame.cut:
        return False
    ink = Ink(Rect(0.0, 0.0, frame.width, frame.height), frame.bleed, turn=box.turn, matrix=box.matrix)
    overhang = box.style.size / 2
    return (
        Rect(0.0, 0.0, frame.width, frame.height)
        .grown(*[-frame.safe] * 4)
        .holds(ink.on_face(box.inside.grown(0.0, overhang, 0.0, overhang)))
    )
