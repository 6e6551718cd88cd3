"""Draws the sides of cards and shares work between cards that are alike: a card in, a finished frame out.

`CardCache.side` returns the same frame as the plain route (faces.build, layout.place), and takes that route itself for
a card with a problem, so that messages do not depend on it. Only `GameFaces.side` knows that it exists. Whatever is
remembered is remembered by what its making reads:

    markup     by its text, with a mark in place of each value: `faces.Templates.render_marked`
    elements   by their own markup and that of what is inside them (`Pattern`), checked once by `faces.check`; values
               that only paint (a colour, the name of an icon or picture) do not matter
    layouts    by the element and its rectangle (`_Plan`). A box whose children's places depend on the size of a text is
               laid out for each card, by the code of layout.place, and hands over to the plans of its children
    texts      by their words, in `text.lexicon` and, if short, for each place
    operators  by the items that they paint, in `pdf.paint`

The blocks of a frame do not depend on the cards drawn before it, so that several processes can draw the cards of a deck
(`side_workers`). Where a layout depends on measurements, blocks are therefore not joined: some cards have a plan, and
others are laid out for themselves.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field
from functools import partial
from pathlib import Path
from typing import Any, NoReturn, TypeAlias, cast

from ..definitions.models import Card, Theme
from ..errors import InputError
from ..faces.constants import CARD
from ..faces.face import Element, Face
from ..faces.marks import RICH
from ..faces.patterns import NotSharedError, Pattern, Patterns, Values
from ..faces.templates import RepeatedContext, Templates
from ..fast_dataclasses import dataclass
from ..geometry.cuts import Cut
from ..geometry.frame import Frame, Item, Slot
from ..geometry.outlines import IDENTITY, ON_TRIM, Matrix, Rect
from ..layout.boxes import QUARTERS, Box, Extent
from ..layout.ink import Ink
from ..layout.measure import text_heights, text_widths
from ..layout.place import Placer, as_one, is_direct, paint_box, takes_bleed
from ..layout.safety import is_safe, lines_box
from ..layout.texts import Fixed, Lettered, Text, TextBox
from ..text.lexicon import Lexicon, lexicon
from ..text.lines import Fitted, Setting, fitted, line_room, min_height, unbroken
from ..text.words import Paragraph

MAX_TEXTS, MAX_MADE = 2_000, 20_000
"""The maximum number of marked texts that are cached, with everything made from them. Then the cache is emptied."""
MAX_VERSIONS, MAX_BRANCHES, MAX_FRAMES = 500, 100, 32
"""How many versions of an element with different values, plans of a box that depend on measurements, and frames of a
template are cached."""
MAX_SHORT_LENGTH, MAX_SHORT_TEXTS, MAX_SEEN = 60, 500, 1_000
"""The maximum length of a text that is cached if it recurs, the number of such fitted texts for each text box, and how
many texts it knows to have been there."""

_What: TypeAlias = float | str | None
"""What is measured: the width of a text (None), its height at a width, or the `"aspect"` of a picture."""
_Measured: TypeAlias = "Callable[[Pattern, int, _What], Any]"
"""Measures the element of a pattern, whose values begin at a number."""
_CLOSE = 1e-7
Spot: TypeAlias = tuple[Rect, float, Matrix, float]
"""Where something is on the face: its rectangle, the turn and matrix of the box around it, and the bleed that it may
extend into."""


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
        self.templates = templates
        self.context = context
        self.cut: Cut | None = None
        self.face = Face("", "", Element("face", {}), size, bleed, safe)
        self.patterns = Patterns(templates, folder)
        self.layouts = _Layouts(self.face, theme, self.patterns)
        self._by_template: dict[str, _TemplateFaces] = {}

    def side(self, card: Card, template: str) -> Frame:
        """One side of a card, equal to the result of `plain`. Raises InputError with every problem of its face. Cards
        that their template does not mention get the same object."""
        try:
            return self._side(card, template, f"card {card.id}")
        except (InputError, ValueError, NotSharedError):  # the plain route reports it, or marks it in a draft
            return self.plain(card, template)

    def _side(self, card: Card, template: str, name: str) -> Frame:
        faces = self._by_template.get(template)
        if faces is None:
            faces = self._by_template[template] = _TemplateFaces(RepeatedContext(self.context, CARD))
        if faces.same:
            return faces.same
        if not self.templates.can_mark:
            raise NotSharedError
        rendered = self.templates.render_marked(template, faces.context.of(card), name)
        if rendered is None:
            raise NotSharedError
        frame = faces.frames.get(rendered)
        if frame:
            frame = Frame(name, frame.width, frame.height, frame.items, frame.bleed, frame.safe, frame.cut)
        else:
            frame = self._frame(name, *rendered)
            if not faces.frames and not self.templates.mentions(template, CARD):
                faces.same = frame
            if len(faces.frames) >= MAX_FRAMES:
                del faces.frames[next(iter(faces.frames))]
            faces.frames[rendered] = frame
        return frame

    def _frame(self, name: str, parts: tuple[str, ...], values: Values) -> Frame:
        if self.patterns.made + self.layouts.made > MAX_MADE or len(self.patterns.texts) > MAX_TEXTS:
            self.patterns.clear()
            self.layouts.made = 0
        face, rest = self.patterns.face(parts, values)
        about, self.layouts.cut = self.face, self.cut
        frame = Frame(name, *about.size, self.layouts.items(face.root, rest), about.bleed, about.safe, self.cut)
        if face.slots > 1 and not is_safe(frame):
            raise NotSharedError
        return frame


@dataclass(slots=True)
class _TemplateFaces:
    """The last frames of one template by the parts of their marked text and their values; `same` is that of a template
    that does not mention the card."""

    context: RepeatedContext
    frames: dict[tuple[tuple[str, ...], Values], Frame] = field(default_factory=dict)
    same: Frame | None = None


# ---- plans: what cards share after layout ---------------------------------------------------------------------------


class _ReadError(Exception):
    """A box is laid out for all cards, but depends on a measurement of what is different on each."""


class _Box(Box):
    """A box of a pattern, whose values begin at `at`. The boxes inside it are made when they are needed."""

    __slots__ = ("_children", "at", "pattern")

    def __init__(self, model: Box, pattern: Pattern, at: int, children: tuple[Box, ...] | Callable[[], Any]) -> None:
        self.element, self.padding, self.turn, self.opacity = model.element, model.padding, model.turn, model.opacity
        self.grow, self.parent, self.aspect = model.grow, model.parent, model.aspect
        self.text, self.style = model.text, model.style
        self.widths, self.heights, self.measured, self.adapts = {}, {}, None, False
        self.pattern, self.at, self._children = pattern, at, children

    @property
    def inner(self) -> tuple[Box, ...]:  # type: ignore[override]
        if not isinstance(self._children, tuple):
            self._children = self._children()
        return cast("tuple[Box, ...]", self._children)


@dataclass(slots=True, eq=False)
class _CardState:
    """A card while its frame is made: its values, the content and words of texts that have been read, and the blocks so
    far."""

    values: Values
    contents: dict[int, str] = field(default_factory=dict, init=False)
    texts: dict[int, Paragraph] = field(default_factory=dict, init=False)
    fits: dict[tuple[int, float], Fitted] = field(default_factory=dict, init=False)
    blocks: list[Fixed | Text] = field(default_factory=list, init=False)

    def content(self, pattern: Pattern, at: int) -> str:
        """The content of a text, as `Pattern.filled` gives it."""
        if pattern.only:
            return self.values[at + pattern.own_marks]
        content = self.contents.get(at)
        if content is None:
            content = self.contents[at] = pattern.filled(self.values[at + pattern.own_marks : at + pattern.marks])
        return content


@dataclass(slots=True, eq=False)
class _Deferred:
    """Stands for a part of a box among its items. `paint` paints it, or is None for a box with a plan."""

    box: _Box
    spot: Spot
    paint: str = ""


@dataclass(slots=True, eq=False)
class _Version:
    """The box of an element with the values of its own attributes, without its children if it has marks. `extents`
    remembers the measurements of short texts."""

    box: Box
    lexicon: Lexicon | None
    extents: dict[tuple[_What, str], Extent] = field(default_factory=dict)


class _Part:
    """A part of a plan that depends on values."""

    __slots__ = ()

    def emit(self, layouts: _Layouts, card: _CardState, at: int) -> None:
        """Adds the blocks of this part; its values begin at `at`."""
        raise NotImplementedError


_Plan: TypeAlias = list[tuple[int, "Fixed | _Part"]]
"""The parts of an element at a spot, each with the number of its first value."""


@dataclass(slots=True, eq=False)
class _Place:
    """The box of a text. `line` is the width up to which it stays on one line; `safe` says whether any text of a size
    and number of lines stays in the safe area; `short` remembers fitted short texts that recur by their content, and
    `seen` are those so far."""

    box: TextBox
    line: float
    lexicon: Lexicon
    safe: dict[tuple[float, int], bool] = field(default_factory=dict)
    short: dict[str, Text] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)

    def has_seen(self, value: str) -> bool:
        """Whether the same text was here before, as far as that is known."""
        if value in self.seen:
            return True
        if len(self.seen) < MAX_SEEN:
            self.seen.add(value)
        return False

    def fitted(self, text: Paragraph, best: Fitted | None = None) -> Fitted:
        """The text at the size that fits this place; `best` fits its width."""
        style, inside = self.box.style, self.box.inside
        if best and best.size == style.size and min_height(len(best.lines), style, best.size) <= inside.height:
            return best
        if text.across <= self.line and len(text.lines) == 1:
            return Fitted(style.size, unbroken(text), text.across)
        return fitted(text, style, inside.width, inside.height)


@dataclass(slots=True, eq=False)
class _Gap(_Part):
    """A text with marks in its words."""

    pattern: Pattern
    spot: Spot
    places: dict[Values, _Place] = field(default_factory=dict)

    def emit(self, layouts: _Layouts, card: _CardState, at: int) -> None:
        pattern = self.pattern
        begin = at + pattern.own_marks
        own = card.values[at:begin]
        place = self.places.get(own)
        if place is None:
            if len(self.places) >= MAX_VERSIONS:
                self.places.clear()
            place = self.places[own] = layouts.text_place(pattern, own, self.spot)
        content = card.content(pattern, at)
        text = place.short.get(content)
        if text is None:
            paragraph = layouts.text(pattern, place.lexicon, card, at)
            best = card.fits.get((at, place.box.inside.width)) if card.fits else None
            fit = place.fitted(paragraph, best)
            if fit.shortfall or not layouts.is_safe_text(place, fit):
                raise NotSharedError
            if not content or len(content) > MAX_SHORT_LENGTH or not place.has_seen(content):
                text = Text(place.box, fit, None)
            else:
                text = Text(place.box, fit, content)
                if len(place.short) < MAX_SHORT_TEXTS:
                    place.short[content] = text
        card.blocks.append(text)


@dataclass(slots=True, eq=False)
class _Painted(_Part):
    """A part that is painted with the values of an element's own attributes: an icon, a background."""

    pattern: Pattern
    spot: Spot
    paint: str
    versions: dict[Values, Fixed] = field(default_factory=dict)

    def emit(self, layouts: _Layouts, card: _CardState, at: int) -> None:
        pattern = self.pattern
        values = card.values[at : at + pattern.own_marks]
        fixed = self.versions.get(values)
        if fixed is None:
            if len(self.versions) >= MAX_VERSIONS:
                self.versions.clear()
            fixed = self.versions[values] = layouts.painted(self, values)
        if fixed.items:
            card.blocks.append(fixed)


@dataclass(slots=True, eq=False)
class _Group(_Part):
    """A box that is turned, transparent or clipped with what is inside it, for which there is a plan."""

    pattern: Pattern
    spot: Spot
    box: Box
    plan: _Plan
    versions: dict[Values, Fixed] = field(default_factory=dict)

    def emit(self, layouts: _Layouts, card: _CardState, at: int) -> None:
        values = card.values[at : at + self.pattern.marks]
        fixed = self.versions.get(values)
        if fixed is None:
            layouts.made += 1
            if len(self.versions) >= MAX_VERSIONS:
                self.versions.clear()
            blocks, card.blocks = card.blocks, []
            layouts.add(self.plan, card, at)
            fixed = self.versions[values] = layouts.grouped(self.box, self.spot, card.blocks)
            card.blocks = blocks
        if fixed.items:
            card.blocks.append(fixed)


@dataclass(slots=True, eq=False)
class _Step:
    """A measurement on which a layout depends. Each result leads to another one, or to a plan."""

    pattern: Pattern
    offset: int
    what: _What
    branches: dict[Any, _Step | _Plan] = field(default_factory=dict)


@dataclass(slots=True, eq=False)
class _Opened(_Part):
    """A box whose children's places depend on the card: its plans by the measurements that lead to them. If they are
    too many, the box is laid out for each card."""

    pattern: Pattern
    spot: Spot
    branches: dict[Any, _Step | _Plan] = field(default_factory=dict)
    count: int = 0

    @property
    def adapts(self) -> bool:
        """Whether it has one plan for all cards but those whose texts do not fit it."""
        return isinstance(self.branches.get(None), list)

    def emit(self, layouts: _Layouts, card: _CardState, at: int) -> None:
        if layouts.exact:
            layouts.open(layouts.instance(self.pattern, card, at), self.spot, card)
            return
        step = self.branches.get(None)
        while isinstance(step, _Step):
            step = step.branches.get(layouts.measured(step.pattern, card, at + step.offset, step.what))
        if step is None and self.count < MAX_BRANCHES:
            step = layouts.branch(self, card, at)
        if step is None:
            layouts.open(layouts.instance(self.pattern, card, at), self.spot, card)
        else:
            layouts.add(step, card, at)


class _Layouts(Placer):
    """Lays out patterns. What depends on values is deferred: it stays among the items of the box around it."""

    def __init__(self, face: Face, theme: Theme, patterns: Patterns) -> None:
        super().__init__(face, theme)
        self.patterns = patterns
        self.trim = Rect(0.0, 0.0, *face.size)
        self.whole: Spot = self.trim, 0.0, IDENTITY, face.bleed
        self.plain = _Plain(face, theme)
        self.cut: Cut | None = None
        self.made = 0
        self.exact = False
        self.tolerance = _CLOSE

    def report(self, element: Element, message: str, hint: str = "", characters: str = "") -> None:
        raise NotSharedError

    def items(self, root: Pattern, values: Values) -> Lettered:
        """The items of a face with these values."""
        card = _CardState(values)
        try:
            self._emit(root, self.whole, card, 0)
        except NotSharedError:  # perhaps a text needs more than is left by others
            self.exact, self.tolerance, card.blocks = True, ON_TRIM, []
            try:
                self._emit(root, self.whole, card, 0)
            finally:
                self.exact, self.tolerance = False, _CLOSE
        return Lettered(card.blocks)

    def _emit(self, pattern: Pattern, spot: Spot, card: _CardState, at: int, box: _Box | None = None) -> None:
        """Adds the blocks of an element; `box` is the box in which its children have been measured."""
        plan = pattern.plans.get(spot)
        if plan is None:
            plan = self._plan(pattern, spot, card, at)
        only = plan[0][1] if box is not None and len(plan) == 1 else None
        if isinstance(only, _Opened) and only.pattern is pattern and (self.exact or not only.adapts):
            self.open(cast(_Box, box), spot, card)
        else:
            self.add(plan, card, at)

    def add(self, plan: _Plan, card: _CardState, at: int) -> None:
        """Adds the blocks of a plan."""
        for offset, part in plan:
            if isinstance(part, Fixed):
                card.blocks.append(part)
            else:
                part.emit(self, card, at + offset)

    def open(self, box: _Box, spot: Spot, card: _CardState) -> None:
        """Lays out a box for a card and adds the blocks of its children."""
        ink = self._ink(spot)
        paint_box(self, box, ink, spot[0])
        for item in cast(list[Any], ink.items):
            if not item.paint:
                self._emit(item.box.pattern, item.spot, card, item.box.at, item.box)
            else:
                self._deferred(item).emit(self, card, item.box.at)

    def _deferred(self, item: _Deferred) -> _Part:
        """The part for a background or a rule."""
        pattern, key = item.box.pattern, (item.spot, item.paint)
        part = pattern.painted.get(key)
        if part is None:
            part = pattern.painted[key] = _Painted(pattern, *key)
            self.made += 1
        return part

    def _ink(self, spot: Spot) -> Ink:
        return Ink(self.trim, spot[3], [], spot[1], spot[2])

    # ---- plans

    def _plan(self, pattern: Pattern, spot: Spot, card: _CardState, at: int) -> _Plan:
        """The plan of an element at a spot, made with the values of a card."""
        self.made += 1
        plan = pattern.plans[spot] = self._new_plan(pattern, spot, card, at)
        return plan

    def _new_plan(self, pattern: Pattern, spot: Spot, card: _CardState, at: int) -> _Plan:
        if not pattern.marks:
            return _joined([(0, self._fixed(self._version(pattern, ()).box, spot, "place"))])
        box = self.instance(pattern, card, at, _unread)
        if not (pattern.children or pattern.is_gap):
            return [(0, _Painted(pattern, spot, "place"))]
        if is_direct(box):
            return self._direct_plan(box, spot, card, at)
        inner = spot if takes_bleed(box) else (*spot[:3], 0.0)
        return [(0, _Group(pattern, spot, box, self._direct_plan(box, inner, card, at)))]

    def _direct_plan(self, box: _Box, spot: Spot, card: _CardState, at: int) -> _Plan:
        """The plan of a box, without turning, clipping or fading it."""
        pattern = box.pattern
        opened = _Opened(pattern, spot)
        try:
            plan = _joined(self._laid_out(box, spot, card, at))
        except _ReadError:
            return [(0, opened)]
        if any([child.adapts for child in box.inner]):
            opened.branches[None] = plan
            return [(0, opened)]
        return plan

    def _laid_out(self, box: _Box, spot: Spot, card: _CardState, at: int) -> _Plan:
        ink = self._ink(spot)
        paint_box(self, box, ink, spot[0])
        items = cast(list[_Deferred], ink.items)
        return [(offset - at, part) for item in items for offset, part in self._parts(item, card)]

    def branch(self, opened: _Opened, card: _CardState, at: int) -> _Plan:
        """The plan of a box with the measurements of a card."""
        reads: dict[tuple[Pattern, int, _What], Any] = {}

        def measured(pattern: Pattern, begin: int, what: _What) -> Any:
            result = reads[pattern, begin, what] = self.measured(pattern, card, begin, what)
            return result

        opened.count += 1
        plan = self._laid_out(self.instance(opened.pattern, card, at, measured), opened.spot, card, at)
        branches, result = opened.branches, None
        for (pattern, begin, what), next_result in reads.items():
            step = branches.setdefault(result, _Step(pattern, begin - at, what))
            assert isinstance(step, _Step)
            branches, result = step.branches, next_result
        branches[result] = plan
        return plan

    def measured(self, pattern: Pattern, card: _CardState, at: int, what: _What) -> Any:
        """A measurement of a text or a picture with the values of a card."""
        version = self._version(pattern, card.values[at : at + pattern.own_marks])
        if what == "aspect":
            return version.box.aspect
        content = card.content(pattern, at)
        extent = version.extents.get((what, content))
        if extent is None:
            extent = self._measured_text(pattern, version, card, at, cast("float | None", what))
            if content and len(content) <= MAX_SHORT_LENGTH and len(version.extents) < MAX_SHORT_TEXTS:
                version.extents[what, content] = extent
        return extent

    def _measured_text(
        self, pattern: Pattern, version: _Version, card: _CardState, at: int, width: float | None
    ) -> Extent:
        """The width of a text, or its height at a width."""
        style = version.box.style
        assert style and version.lexicon
        text = self.text(pattern, version.lexicon, card, at)
        if width is None:
            return text_widths(text, style)
        best = card.fits.get((at, width))
        if best is None:
            best = card.fits[at, width] = fitted(text, style, width)
        return text_heights(text, style, width, best)

    def _parts(self, item: _Deferred, card: _CardState) -> _Plan:
        """The parts for an item of a box. Each comes with the number of its first value on the card."""
        pattern, at = item.box.pattern, item.box.at
        if item.paint == "content":
            return [(at, _Gap(pattern, item.spot))]
        if not item.paint:
            plan = pattern.plans.get(item.spot) or self._plan(pattern, item.spot, card, at)
            return [(at + offset, part) for offset, part in plan]
        if pattern.own_marks:
            return [(at, self._deferred(item))]
        return [(at, self._fixed(item.box, item.spot, item.paint))]

    def _version(self, pattern: Pattern, own: Values) -> _Version:
        """The box of an element with the values of its own attributes."""
        version: _Version | None = pattern.boxes.get(own)
        if version is None:
            box = self.plain.build(self.patterns.element(pattern, own), pattern.parent)
            if self.plain.problems or (box.style and box.style.role):
                self.plain.problems.clear()
                raise NotSharedError
            if len(pattern.boxes) >= MAX_VERSIONS:
                pattern.boxes.clear()
            version = pattern.boxes[own] = _Version(box, self._lexicon(box.style) if box.style else None)
        return version

    def _lexicon(self, style: Setting) -> Lexicon:
        return lexicon(style.family, style.tracking, style.upper, self.theme.icon_folders, style.language)

    def instance(self, pattern: Pattern, card: _CardState, at: int, measured: _Measured | None = None) -> _Box:
        """The box of an element with the values of a card. With `measured`, texts and pictures are not read, but
        measured by that, and what grows is taken to fit."""
        own = card.values[at : at + pattern.own_marks] if pattern.own_marks else ()
        version = self._version(pattern, own)
        children = partial(self._instances, pattern, card, at, measured) if pattern.children else ()
        box = _Box(version.box, pattern, at, children)
        if measured:
            box.adapts = box.grow > 0 and not box.turn
            if pattern.is_gap or (own and box.aspect):
                box.measured = partial(measured, pattern, at)
        elif pattern.is_gap:
            assert version.lexicon
            box.text = self.text(pattern, version.lexicon, card, at)
        if box.tag == "grid":
            self.count_cells(box)
        return box

    def _instances(self, pattern: Pattern, card: _CardState, at: int, measured: _Measured | None) -> tuple[_Box, ...]:
        """The boxes inside an element with the values of a card."""
        return tuple(
            [
                self.instance(child, card, at + start, measured) if child.marks else self._constant(child)
                for child, start in zip(pattern.children, pattern.starts, strict=True)
            ]
        )

    def _constant(self, pattern: Pattern) -> _Box:
        """The box of an element without values, which remembers its measurements."""
        version = self._version(pattern, ())
        if not isinstance(version.box, _Box):
            version.box = _Box(version.box, pattern, 0, version.box.inner)
        return version.box

    def _fixed(self, box: Box, spot: Spot, paint: str) -> Fixed:
        """The items of a box. Raises NotSharedError if it has a problem."""
        ink = self._ink(spot)
        getattr(self.plain, paint)(box, ink, spot[0])
        items = tuple(ink.items)
        if paint != "background" and not self.is_safe(items):
            raise NotSharedError
        return Fixed(items)

    def painted(self, part: _Painted, own: Values) -> Fixed:
        """The items of a part with the values of its attributes."""
        self.made += 1
        return self._fixed(self._version(part.pattern, own).box, part.spot, part.paint)

    def grouped(self, box: Box, spot: Spot, blocks: list[Fixed | Text]) -> Fixed:
        """The items of these blocks, which are in a box that is painted as one."""
        items = tuple(as_one(self, box, self._ink(spot), spot[0], [*Lettered(blocks)]))
        if box.turn not in QUARTERS and not self.is_safe(items):
            raise NotSharedError
        return Fixed(items)

    def is_safe(self, items: tuple[Item, ...] | Any) -> bool:
        face = self.face
        return is_safe(Frame("", *face.size, items, face.bleed, face.safe, self.cut))

    # ---- texts

    def text_place(self, pattern: Pattern, own: Values, spot: Spot) -> _Place:
        """The place of a text, with the values of its own attributes."""
        version = self._version(pattern, own)
        rect, turn, matrix, _ = spot
        assert version.box.style and version.lexicon
        box = TextBox(version.box.style, rect, turn, matrix)
        return _Place(box, line_room(box.style, rect.width, rect.height), version.lexicon)

    def text(self, pattern: Pattern, words: Lexicon, card: _CardState, at: int) -> Paragraph:
        """The words of a text with the values of a card."""
        text = card.texts.get(at)
        if text is None:
            content = card.content(pattern, at)
            is_marked = content.startswith(RICH)
            if not content or not content[is_marked:].isprintable():
                values = card.values[at + pattern.own_marks : at + pattern.marks]
                text = words.read(self.patterns.pieces(pattern, values))
            elif is_marked:
                text = words.marked(content[1:])
            else:
                text = words.plain(content)
            if text.missing:
                raise NotSharedError
            card.texts[at] = text
        return text

    def is_safe_text(self, place: _Place, text: Fitted) -> bool:
        """Whether a text stays in the safe area. Unless its box is near the edge, its size and number of lines tell."""
        size, count = key = text.size, len(text.lines)
        is_safe = place.safe.get(key)
        if is_safe is None:
            box = place.box
            ink = Ink(self.trim, self.face.bleed, turn=box.turn, matrix=box.matrix)
            around = ink.on_face(lines_box(box.style, box.inside, size, count))
            is_safe = place.safe[key] = self.is_safe((Slot("", *around),))
        return is_safe or self.is_safe(place.box.items(text))

    # ---- called by layout.place while it paints a box

    def place(self, box: Box, ink: Ink, rect: Rect) -> None:
        _defer(box, ink, rect)

    def background(self, box: Box, ink: Ink, rect: Rect) -> None:
        attributes = box.element.attributes
        if "fill" in attributes or "stroke" in attributes:
            _defer(box, ink, rect, "background")

    def content(self, box: Box, ink: Ink, inside: Rect) -> None:
        _defer(box, ink, inside, "content")

    def line(self, box: Box, ink: Ink, ends: Rect) -> None:
        _defer(box, ink, ends, "line")


def _unread(pattern: Pattern, at: int, what: _What) -> NoReturn:
    raise _ReadError


def _defer(box: Box, ink: Ink, rect: Rect, paint: str = "") -> None:
    cast(list[Any], ink.items).append(_Deferred(cast(_Box, box), (rect, ink.turn, ink.matrix, ink.bleed), paint))


def _joined(plan: _Plan) -> _Plan:
    """A plan whose consecutive fixed items are one."""
    joined: _Plan = []
    for offset, part in plan:
        last = joined[-1][1] if joined else None
        if isinstance(part, Fixed) and isinstance(last, Fixed):
            joined[-1] = 0, Fixed(last.items + part.items)
        elif not isinstance(part, Fixed) or part.items:
            joined.append((offset, part))
    return joined


class _Plain(Placer):
    """Paints everything at once, and stops at the first problem."""

    def report(self, element: Element, message: str, hint: str = "", characters: str = "") -> None:
        raise NotSharedError
