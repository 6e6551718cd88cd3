"""Draws the faces of a game: cards and their backs, panels of nets, pictures → frames."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, partial
from itertools import islice
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

from msgspec.structs import replace

from .. import __version__, faces, paths
from ..art.board_plan import lay_out
from ..art.picture_files import aspect
from ..draws import Deck, parse
from ..errors import InputError, Place, Problem, counted, did_you_mean, fault, listed, note, refuse, shortened
from ..faces import Words
from ..faces.check import Reader, UnusualError
from ..faces.face import Element, Face
from ..faces.templates import Templates
from ..geometry.frame import Frame, scaled, ungrouped
from ..geometry.outlines import Cut
from ..layout.flaws import Draft, Lack, note_lack
from ..layout.place import place
from ..layout.shared import SharedPlacer
from ..model.game import Card, Component, Game, Theme
from ..model.print_settings import DEFAULT, PrintSettings
from ..text import fonts
from .signs import OnDemand, longest, signs
from .variants import frame_with_contrast, theme_with_contrast

T = TypeVar("T")
Step = Callable[[], None]
Side = Literal["front", "back"]
SIDES: tuple[Side, ...] = ("front", "back")
MAX_CACHED = 500
"""The maximum number of card sides cached for further copies of the same card."""


def no_step() -> None:
    """The default for `step`, which shows no progress."""


class GameFaces:
    """The faces of one game with one deck. Templates are loaded once; `step` is called after every face. `base_game`
    is the game without the cards of the deck, which the examples in its rules show. `cards` are the cards to print, if
    not all: templates still know the whole deck. Of a `draft`, faces are drawn in spite of their problems, which it
    collects. A large deck is printed by as many `processes`, or as there are cores if that is None."""

    def __init__(
        self,
        game: Game,
        deck: Deck,
        settings: PrintSettings = DEFAULT,
        *,
        step: Step = no_step,
        cards: Mapping[str, Sequence[Card]] | None = None,
        draft: Draft | None = None,
        processes: int | None = 1,
    ) -> None:
        self.settings = settings
        self._components, self._dealt = game.components, deck.components_of(game)
        self._read = set(game.components) if deck.code else set[str]()
        self.base_game = replace(game, components=_TrackedMapping(game.components, self._read))
        self.theme = _theme(game, settings)
        fonts.check(self.theme.fonts)
        self.game = replace(game, components=_TrackedMapping(self._dealt, self._read), theme=self.theme)
        self.deck = replace(deck, cards=_TrackedMapping(deck.cards, self._read, game))
        self.step = step
        self.draft = draft
        self.processes = processes
        self.least_type = 0.0
        """The smallest type size on the faces of a booklet, in mm: there is one in large print."""
        self.files_elsewhere: frozenset[Path] = frozenset()
        """The files that were used by copies of this process."""
        self._chosen = cards
        self.templates = faces.Templates(game.templates, self.theme, draft=draft is not None)
        self.die_sides: dict[tuple[str, str, int], Frame] = {}
        self._card_sides: dict[str, CardSides] = {}
        self._bold: dict[str, list[Bold]] = {}
        self._lacks: dict[str, dict[str, Lack]] = {}
        self._refusals: dict[str, InputError] = {}
        self._deck_contexts: dict[str, dict[str, Any]] = {}

    @property
    def files(self) -> frozenset[Path]:
        """The files of the components, templates and pictures that were used so far. A set depends on all
        components."""
        parts = (part for name, part in self._components.items() if name in self._read)
        return self.templates.files.union(self.files_elsewhere, *(part.files for part in parts))

    def names_of(self, kind: str) -> list[str]:
        """The names of the components of a kind."""
        return [name for name, part in self._dealt.items() if part.kind == kind]

    def part(self, name: str) -> Component:
        """The component with this name. Raises InputError with similar names."""
        if name not in self.game.components:
            raise fault(f"{self.game.key} has no component “{name}”", hint=did_you_mean(name, self.game.components))
        return self.game.components[name]

    @cached_property
    def decks(self) -> Mapping[str, Sequence[Card]]:
        """The cards of each deck for templates: those of a set, too, in the order of the definition. What a template
        says of the deck must not depend on how it was shuffled, nor tell what is on top."""
        return (
            {name: self._sorted(name, cards) for name, cards in self.deck.cards.items()}
            if self.deck.code
            else (self.deck.cards)
        )

    def _sorted(self, name: str, cards: Sequence[Card]) -> Sequence[Card]:
        places = {card.id: place for place, card in enumerate(self.base_game.components[name].cards)}
        return sorted(cards, key=lambda card: places.get(card.id, len(places)))

    @cached_property
    def drawn(self) -> Mapping[str, Sequence[Mapping[str, Any]]]:
        """The rows of values of each draw of your own game for templates; none for those that this set is not of."""
        none = dict.fromkeys(self.game.own_draws, ())
        if not self.deck.code or not none:
            return none
        from ..draws.own_sets import drawn_rows  # only needed for random sets of your own game

        return {**none, **drawn_rows(self.game, parse(self.deck.code))}

    def context(self, part: Component) -> dict[str, Any]:
        """The variables of every template and of the booklet."""
        return {
            "game": self.game.definition,
            "rules": self.game.rules,
            "component": part.definition,
            "decks": self.decks,
            "drawn": self.drawn,
            "columns": part.columns,
            "set_code": self.deck.code or "",
        }

    def deck_context(self, part: Component) -> dict[str, Any]:
        """The variables of the templates of a deck besides the card: also its size in mm, its columns, the colours
        and icons of its cards, and its longest texts."""
        if part.name not in self._deck_contexts:
            assert part.size
            dealt = self.deck.cards.get(part.name, part.cards)
            cards = part.cards if dealt is part.cards else (*part.cards, *dealt)
            self._deck_contexts[part.name] = {
                **self.context(part),
                "width": part.size.width,
                "height": part.size.height,
                "low_ink": self.settings.low_ink,
                "high_contrast": self.settings.high_contrast,
                "sizes": self.theme.sizes.in_points(),
                "signs": OnDemand(lambda: signs(cards, part.columns, self.theme)),
                "longest": OnDemand(lambda: longest(cards, part.columns)),
            }
        return self._deck_contexts[part.name]

    # ---- cards, each side drawn once for all its copies

    def fronts(self, part: Component) -> list[Frame]:
        """The fronts of a deck's cards, in order, as plain frames."""
        return [replace(front, items=tuple(ungrouped(front.items))) for front in self.front_sides(part)]

    def count(self, part: Component) -> int:
        """The number of cards of a deck and of those printed with it."""
        return sum(len(self._cards(name)) for name in (part.name, *part.definition.with_))

    def _cards(self, deck: str) -> Sequence[Card]:
        """The cards of a deck to print."""
        return self.deck.cards[deck] if self._chosen is None else self._chosen.get(deck, ())

    # ---- score sheets

    def front_sides(self, *parts: Component, scale: float = 1.0) -> Sides:
        """The fronts of decks, enlarged by `scale`."""
        return Sides(self._due(parts, "front"), self.side, lambda: self.step(), scale)

    def back_sides(self, *parts: Component, scale: float = 1.0) -> Sides:
        return Sides(self._due(parts, "back"), self.side, lambda: self.step(), scale)

    def _due(self, parts: Iterable[Component], side: Side) -> Iterator[DueSide]:
        """The cards that have a side, with its template."""
        for part in parts:
            shown = part.definition.face[0] if side == "front" else part.definition.back
            if shown:
                bold = self._bold.get(part.name)
                every = first_bold(self._cards(part.name)) if bold is None else bold
                build = partial(self._card_face, part, shown)
                self._bold[part.name] = [bold for bold in every if not _is_noted(part, bold, build)]
            if side == "back" and part.columns.own_back:
                names = {
                    back: card for card in reversed(self.deck.cards[part.name]) if (back := card.values.get("back"))
                }
                refuse(
                    Problem(f"card {card.id}: no template “{back}” for its back", card.place, hint)
                    for back, card in reversed(names.items())
                    if (hint := self.templates.hint_for(str(back))) is not None
                )
            for card in self._cards(part.name):
                template = self._template(part, side, card)
                if template:
                    yield part, card, template
            if part.name not in self._refusals:
                self._note_lacks(part, self._lacks.get(part.name, {}).values())

    def _template(self, part: Component, side: Side, card: Card) -> str:
        """The template of one side of a card; “” if the card does not have this side."""
        if side == "front":
            return part.definition.face[0]
        own: str | None = card.values.get("back") if part.columns.own_back else None
        return own or part.definition.back or ""

    def side(self, part: Component, card: Card, template: str) -> Frame:
        """One side of one card, as `card` draws it, but faster if it shares a layout with others. Raises InputError
        with every problem of its face, or if most cards have letters that no font has."""
        if part.name in self._refusals:
            raise self._refusals[part.name]
        sides = self._card_sides.get(part.name)
        if sides is None:
            assert part.size
            self._note_mixture(part)
            about = part.definition
            sides = self._card_sides[part.name] = CardSides(
                partial(self.card, part),
                self.templates,
                self.deck_context(part),
                about_faces((part.size.width, part.size.height), about.bleed, about.safe),
                theme=self.theme,
                cut=cut_of(part),
                folder=self.game.folder,
                lacks=self._lacks.setdefault(part.name, {}),
            )
        before = {*sides.lacks}
        frame = sides.side(card, template)
        if new := [lack for name, lack in sides.lacks.items() if name not in before]:
            try:
                self._note_lacks(part, new)
            except InputError as error:
                self._refusals[part.name] = error
                raise
        return self._seen(frame)

    def _note_lacks(self, part: Component, lacks: Iterable[Lack]) -> None:
        """Notes what no font has, with the cards that have it. Raises InputError for letters of most cards."""
        cards = {card.id: card for card in self._cards(part.name)} if lacks else {}
        texts = {key: " ".join(map(str, card.values.values())) for key, card in cards.items()}
        for lack in lacks:
            having = [key for key, text in texts.items() if lack.is_in(text)]
            who, place = f"“{part.name}”", lack.place
            if having:
                first = cards[having[0]]
                sign = next(filter(lack.is_in, texts[first.id]), lack.what)
                place = (first.place and part.columns.place_of(first.values, first.place, sign)) or place
                who = counted(having, f"cards of {who}") if len(having) > 1 else f"card {first.id} of {who}"
            if lack.script and 2 * len(having) > len(cards):
                raise fault(f"{who}: {lack.message}", place, lack.hint)
            note_lack(lack, who, place)

    def _note_mixture(self, part: Component) -> None:
        """Notes letters that another font prints because those beside a table lack them, but not others of their
        script."""
        faces = fonts.load(self.theme.fonts["regular"]).faces
        own = [face for face in faces if not face.path.is_relative_to(paths.SHARED_DATA)]
        values = (str(value) for card in self._cards(part.name) if own for value in card.values.values())
        letters = [letter for letter in dict.fromkeys("".join(values)) if letter.isalpha()]
        lacking = [letter for letter in letters if not any(face.glyph(letter) for face in own)]
        scripts = {fonts.script_of(letter) for letter in {*letters}.difference(lacking)}
        if mixed := [f"“{letter}”" for letter in lacking if fonts.script_of(letter) in scripts]:
            note(f"“{part.name}”: another font prints {listed(mixed)}, which {own[0].short_name} lacks")

    def card(self, part: Component, card: Card, template: str) -> Frame:
        """Draws one side of one card."""
        face = self._card_face(part, template, card)
        frame = self.placed(
            face, check="safe", cut=cut_of(part), lacks=None if self.draft else self._lacks.setdefault(part.name, {})
        )
        return replace(frame, name=f"card {card.id}")

    def _card_face(self, part: Component, template: str, card: Card) -> faces.Face:
        assert part.size
        return faces.build(
            self.templates,
            template,
            {**self.deck_context(part), "card": card},
            name=f"card {card.id} of “{part.name}”",
            size=(part.size.width, part.size.height),
            bleed=part.definition.bleed,
            safe=part.definition.safe,
            folder=self.game.folder,
        )

    # ---- faces of any size

    def placed(self, face: faces.Face, theme: Theme | None = None, **options: Any) -> Frame:
        """The face as a frame, in the game's theme or another one; `options` are those of `place`."""
        return self._seen(place(face, theme or self.theme, draft=self.draft, **options))

    def _seen(self, frame: Frame) -> Frame:
        """The frame, in high contrast if that was asked for."""
        return frame_with_contrast(frame, self.theme.icon_folders) if self.settings.high_contrast else frame

    def panel(self, part: Component, template: str, size: tuple[float, float], of: str, **context: Any) -> Frame:
        """A face of a component, of any size (mm); `of` is its name in messages."""
        return self.placed(self.face(part, template, size, 0.0, bleed=part.definition.bleed, of=of, **context))

    def board(self, part: Component) -> Frame:
        """A whole board: its face over the layout of its graph."""
        context = self.board_context(part)
        plan = context["board"]
        return self.panel(part, part.definition.face[0], (plan.width, plan.height), part.name, **context)

    def board_context(self, part: Component) -> dict[str, Any]:
        """The variables of a board's face: its layout, its regions and its kinds of spaces."""
        assert part.board
        definition = part.board.definition
        return {"board": lay_out(part.board), "regions": definition.regions, "kinds": definition.kinds}

    def picture(
        self, template: str, size: tuple[float, float], shows: Any, least_type: float = 0.0, **more: Any
    ) -> Frame:
        """A face made for a figure of the booklet; `shows` is the figure's own data, `least_type` its smallest type
        size in mm, and `more` holds further variables."""
        context = {
            "game": self.game.definition,
            "rules": self.game.rules,
            "decks": self.decks,
            "shows": shows,
            "width": size[0],
            "height": size[1],
            "large": self.settings.large_print,
            "set_code": self.deck.code or "",
            "pencilbox": __version__,
            **more,
        }
        face = faces.build(
            self.templates, template, context, name=f"figure {template}", size=size, folder=self.game.folder
        )
        return self.placed(face, replace(self.theme, least_type=least_type))

    def image(self, name: str, width: float, where: Place) -> Frame:
        """A picture in a booklet, this wide (mm). Of a draft, a missing one is a crossed box."""
        what = f"picture “{shortened(name)}”"
        try:
            file = self.templates.picture(self.game.folder, name)
            shape, height = faces.Element("image", {"file": file, "grow": 1.0}), width / aspect(file)
        except (ValueError, InputError) as error:
            problems = error.problems if isinstance(error, InputError) else (Problem(str(error), where),)
            if self.draft is None:
                raise InputError(problems) from None
            shape, height = faces.missing({"grow": 1.0}, name.rpartition("/")[2], problems), width * 0.6
        root = faces.Element("face", {}, (shape,))
        return place(faces.Face(what, self.game.key, root, (width, height)), self.theme, draft=self.draft)

    def face(
        self,
        part: Component,
        template: str,
        size: tuple[float, float],
        safe: float,
        bleed: float = 0.0,
        of: str = "",
        **context: Any,
    ) -> faces.Face:
        return faces.build(
            self.templates,
            template,
            {**self.context(part), **context},
            name=of or part.name,
            size=size,
            bleed=bleed,
            safe=safe,
            folder=self.game.folder,
        )


DueSide = tuple[Component, Card, str]
"""A side of a card to be drawn: its deck, the card, and the template."""


class Sides(Iterator[Frame]):
    """Draws one side of each card that has it, once for all copies. After the first problem, all others are looked for,
    and raised together."""

    def __init__(
        self, due: Iterator[DueSide], draw: Callable[[Component, Card, str], Frame], step: Step, scale: float
    ) -> None:
        self._due = due
        self._draw = draw
        self._step = step
        self._scale = scale
        self._drawn: dict[tuple[str, str, str], Frame | None] = {}
        self._last: tuple[Frame, Frame] | None = None
        self._problems: list[Problem] = []

    def begin(self) -> None:
        """Begins pages that do not share copies of a card with earlier ones."""
        self._drawn.clear()

    def skip(self, count: int) -> None:
        """Leaves out sides that another process has drawn."""
        for _ in islice(self._due, count):
            self._step()

    def __next__(self) -> Frame:
        frame = self._side(next(self._due))
        if frame is None:
            for due in self._due:
                self._side(due)
            raise InputError(dict.fromkeys(self._problems))
        return frame

    def _side(self, due: DueSide) -> Frame | None:
        part, card, template = due
        key = part.name, card.id, template
        if key not in self._drawn:
            if len(self._drawn) >= MAX_CACHED:
                self._drawn.clear()
            try:
                self._drawn[key] = self._enlarged(self._draw(part, card, template))
            except InputError as error:
                self._problems += error.problems
                self._drawn[key] = None
            self._step()
        return self._drawn[key]

    def _enlarged(self, frame: Frame) -> Frame:
        """The frame at the scale; one that several cards share, such as a back, is scaled once."""
        if self._scale == 1.0:
            return frame
        if self._last is None or self._last[0] is not frame:
            self._last = frame, scaled(frame, self._scale)
        return self._last[1]


class _TrackedMapping(Mapping[str, T]):
    """A mapping by the names of components that adds each name to `_used` when its value is looked up."""

    def __init__(self, mapping: Mapping[str, T], used: set[str], game: Game | None = None) -> None:
        self._mapping = mapping
        self._used = used
        self._game = game

    def __getitem__(self, name: str) -> T:
        if self._game and name in self._game.left_out:
            raise InputError(self._game.problems)
        value = self._mapping[name]
        self._used.add(name)
        return value

    def __contains__(self, name: object) -> bool:
        return name in self._mapping

    def __iter__(self) -> Iterator[str]:
        return iter(self._mapping)

    def __len__(self) -> int:
        return len(self._mapping)


def _theme(game: Game, settings: PrintSettings) -> Theme:
    """The theme that a game is printed in."""
    if not settings.high_contrast:
        return game.low_ink if settings.low_ink else game.theme
    return theme_with_contrast(game.low_ink if settings.low_ink else game.high_contrast or game.theme)


def cut_of(part: Component) -> Cut | None:
    """The shape of a deck's cards; None for rectangles."""
    about = part.definition
    return None if about.shape == "rectangle" else Cut(about.shape, about.radius)


# ---- cards that share a layout with others


CARD = "card"
"""The variable of templates that is another card for each face."""
MAX_FRAMES = 32
"""How many frames of a template are remembered, for cards that look alike."""


class CardSides:
    """The sides of a component's cards. `plain` draws one side of a card without memory; `context` has the variables of
    the templates besides the card; `about` has the size, bleed and safe area of all faces, and `cut` their shape.
    `lacks` collects what no font has."""

    def __init__(
        self,
        plain: Callable[[Card, str], Frame],
        templates: Templates,
        context: Mapping[str, Any],
        about: Face,
        theme: Theme,
        *,
        cut: Cut | None = None,
        folder: Path | None = None,
        lacks: dict[str, Lack] | None = None,
    ) -> None:
        self.plain = plain
        self.templates = templates
        self.context = context
        self.about = about
        self.theme = theme
        self.cut = cut
        self.folder = folder
        self.lacks: dict[str, Lack] = {} if lacks is None else lacks
        self._begin()
        self._frames: dict[str, dict[str, Frame]] = {}

    def _begin(self) -> None:
        """Begins with nothing remembered of other faces."""
        self.reader = Reader(self.templates, self.folder)
        self.placer = SharedPlacer(self.about, self.theme, self.cut, self.reader.pieces, lacks=self.lacks)

    def side(self, card: Card, template: str) -> Frame:
        """One side of a card. Raises InputError with every problem of its face. Cards that their template does not
        mention get the same object."""
        frames = self._frames.setdefault(template, {})
        if frames and not self.templates.mentions(template, CARD):
            return next(iter(frames.values()))
        try:
            return self._side(card, template, frames)
        except (InputError, ValueError, UnusualError):
            return self.plain(card, template)

    def _side(self, card: Card, template: str, frames: dict[str, Frame]) -> Frame:
        name = f"card {card.id}"
        text = self.templates.render(template, {**self.context, CARD: card}, name)
        frame = frames.get(text)
        if frame:
            return Frame(
                name, frame.width, frame.height, frame.items, bleed=frame.bleed, safe=frame.safe, cut=frame.cut
            )
        if self.reader.is_full or self.placer.is_full:
            self._begin()
        about, placer = self.about, self.placer
        frame = Frame(name, *about.size, placer.items(*self.reader.read(text)), about.bleed, about.safe, placer.cut)
        if len(frames) >= MAX_FRAMES:
            del frames[next(iter(frames))]
        frames[text] = frame
        return frame


def about_faces(size: tuple[float, float], bleed: float, safe: float) -> Face:
    """A face without content, for what all faces of a component have in common; sizes are in mm."""
    return Face("", "", Element("face", {}), size, bleed=bleed, safe=safe)


# ---- words such as **bold**, which a template without the filter `rich` prints with their asterisks


_BOLD = re.compile(r"(?<![*\w\\])\*\*(?![\s*])[^*\n]*[^*\s]\*\*(?![*\w])")
_MAX_QUOTED = 40


class Bold(NamedTuple):
    """Bold words in a field of a card, such as `**Draw:**`."""

    card: Card
    field: str
    words: str


def first_bold(cards: Sequence[Card]) -> Iterator[Bold]:
    """The first bold words in each field of cards."""
    found: set[str] = set()
    for card in cards:
        for name, value in card.values.items():
            if type(value) is str and "**" in value and name not in found and (bold := _BOLD.search(value)):
                found.add(name)
                yield Bold(card, name, bold[0])


def _is_noted(part: Component, bold: Bold, build: Callable[[Card], Face]) -> bool:
    """Whether bold words are printed as they were typed, which is noted. `build` makes the face of a card."""
    card, name, words = bold
    try:
        face = build(card)
    except InputError:  # reported when the card is drawn
        return False
    element = next((element for element in _texts(face.root) if words.casefold() in _text(element)), None)
    if element:
        value = f"card.{name}" if name.isidentifier() else f"card['{name}']"
        row = card.place and part.columns.place_of(card.values, card.place, words)
        note(
            f"“{shortened(words, _MAX_QUOTED)}” is printed with its asterisks",
            row or card.place,
            f"write {{{{ {value} | rich }}}} in {face.place(element)} to print it in bold",
        )
    return element is not None


def _texts(element: Element) -> Iterator[Element]:
    if element.pieces:
        yield element
    for child in element.children:
        yield from _texts(child)


def _text(element: Element) -> str:
    return "".join(piece.text for piece in element.pieces if isinstance(piece, Words)).casefold()
