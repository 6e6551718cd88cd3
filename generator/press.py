"""The press: a game's component → pages → PDF.

    Card, ScoreSheet ── faces.build ──▶ Face ── layout.place ──▶ Frame ── layout.impose ──▶ Page ── pdf.write ──▶ PDF
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from . import faces, pdf
from .definitions.models import Card, Component, Game, ScoreSheet
from .definitions.sizes import Paper
from .errors import InputError, Problem, did_you_mean, fault
from .games.deck import Deck
from .layout import impose
from .layout.cells import cell_map, layout_id
from .layout.frame import Frame
from .layout.page import Page
from .layout.place import place
from .layout.registration import corner_codes
from .layout.safety import outside_safe, overlaps

if TYPE_CHECKING:
    from .booklet.figures import CardFile

Marks = Mapping[str, str]
NO_MARKS: Marks = MappingProxyType({})
Step = Callable[[], None]


@dataclass(frozen=True, slots=True)
class Printed:
    """A finished PDF: its bytes, the number of its pages, and the duplex mode it is made for (None: one-sided)."""

    pdf: bytes
    pages: int
    duplex: str | None


def nothing() -> None:
    """The step of a press nobody watches."""


class Press:
    """Prints one game with one deck. Templates are loaded once; `step` is called after every face."""

    def __init__(self, game: Game, deck: Deck, step: Step = nothing) -> None:
        self.game = game
        self.deck = deck
        self.step = step
        self.templates = faces.Templates(game.templates, game.theme)

    def component(self, name: str, paper: Paper, duplex: str | None = None) -> Printed:
        """One component as a PDF; raises InputError with every problem of its faces."""
        part = self._part(name)
        if part.kind == "booklet":
            return self._booklet(part, paper)
        mode = (duplex or part.definition.duplex or "long") if part.kind == "deck" else None
        pages = self.deck_pages(part, paper, mode) if mode else self.sheet_pages(part, paper)
        two_sided = mode if part.definition.back and mode != "none" else None
        made = pdf.write(pages, self.game.theme, info=self._info(part), duplex=two_sided)
        return Printed(made, len(pages), two_sided)

    def deck_pages(self, part: Component, paper: Paper, duplex: str | None) -> list[Page]:
        """The pages of a deck, fronts and backs imposed for `duplex`."""
        cards = self.deck.cards[part.name]
        fronts = self._frames(part, cards, lambda card: part.definition.face[0])
        backs = self._frames(part, cards, lambda card: card.values.get("back") or part.definition.back)
        about = part.definition
        return impose.deck_pages(fronts, backs if about.back else None, paper, gutter=about.gutter,
                                 duplex=duplex or "none", margin=paper.margin)

    def sheet_pages(self, part: Component, paper: Paper) -> list[Page]:
        """The pages of a score sheet."""
        return impose.sheet_pages(self.sheet(part, paper), paper)

    def sheet(self, part: Component, paper: Paper, marks: Marks = NO_MARKS,
              rings: Mapping[str, int] = MappingProxyType({})) -> list[Frame]:
        """A score sheet as it is printed, each page as large as the paper, with the codes in its corners by which a
        photo of it will be read. `marks` are written into the slots, `rings` drawn round them."""
        assert part.sheet
        frames = self.blank_corners(part, paper, marks, rings)
        number = layout_id(cell_map(frames, part.sheet, paper, self.game))
        self.step()
        return [replace(frame, items=frame.items + corner_codes(frame.width, frame.height, number, page=page))
                for page, frame in enumerate(frames, start=1)]

    def blank_corners(self, part: Component, paper: Paper, marks: Marks = NO_MARKS,
                      rings: Mapping[str, int] = MappingProxyType({})) -> list[Frame]:
        """The score sheet without the codes, which stand for what is on it; its slots are exactly the fields of its
        definition."""
        assert part.sheet
        frames = [self._sheet_frame(part, template, number, paper, marks, rings)
                  for number, template in enumerate(part.definition.face, start=1)]
        _hold_slots(frames, part.sheet)
        return frames

    def _sheet_frame(self, part: Component, template: str, number: int, paper: Paper, marks: Marks,
                     rings: Mapping[str, int]) -> Frame:
        assert part.sheet
        face = self._face(part, template, (paper.width, paper.height), part.definition.margin,
                          of=f"{part.name} page {number}", sheet=part.sheet.definition, fields=part.sheet.fields,
                          page=number, paper_width=paper.width, paper_height=paper.height)
        return _sound(place(face, self.game.theme, marks=marks, rings=rings))

    def card(self, part: Component, card: Card, template: str, marks: Marks = NO_MARKS) -> Frame:
        """One side of one card; `marks` are written into its crates."""
        assert part.size
        about = part.definition
        face = self._face(part, template, (part.size.width, part.size.height), about.safe, about.bleed,
                          of=f"card {card.id}", card=card)
        return _sound(place(face, self.game.theme, marks=marks))

    def _frames(self, part: Component, cards: Sequence[Card], template: Callable[[Card], str]) -> list[Frame]:
        """One frame a card, made once for each card that is different; all their problems together."""
        made: dict[tuple[str, str], Frame] = {}
        problems: list[Problem] = []
        for card in cards:
            key = (card.id, template(card))
            if key[1] and key not in made:
                try:
                    made[key] = self.card(part, card, key[1])
                except InputError as error:
                    problems.extend(error.problems)
                self.step()
        if problems:
            raise InputError(dict.fromkeys(problems))
        return [made[card.id, template(card)] for card in cards if template(card)]

    def _face(self, part: Component, template: str, size: tuple[float, float], safe: float, bleed: float = 0.0,
              of: str = "", **context: Any) -> faces.Face:
        return faces.build(self.templates, template, {**self._context(part), **context}, name=of or part.name,
                           size=size, bleed=bleed, safe=safe, folder=self.game.folder)

    def _context(self, part: Component) -> dict[str, Any]:
        """What every template and the booklet may speak of."""
        return {"game": self.game.definition, "rules": self.game.rules, "component": part.definition,
                "decks": self.deck.cards, "set_code": self.deck.code or ""}

    def _booklet(self, part: Component, paper: Paper) -> Printed:
        from . import booklet  # platypus costs more to import than a deck costs to print

        made = booklet.write(self.game, self.templates, part, paper, self._figure, self._info(part),
                             self._context(part))
        return Printed(made.pdf, made.pages, "short")

    def _figure(self, wanted: CardFile) -> Frame:
        """A card as an example in the booklet, drawn by the same face as the card itself."""
        part = self._part(wanted.component)
        cards = {card.id: card for card in self.deck.cards.get(wanted.component, ())}
        if wanted.card not in cards:
            raise fault(f"a figure shows card “{wanted.card}”, which is not in {wanted.component}",
                        hint=did_you_mean(wanted.card, cards))
        template = part.definition.back if wanted.back else part.definition.face[0]
        return self.card(part, cards[wanted.card], template, wanted.marks or {})

    def _part(self, name: str) -> Component:
        if name not in self.game.components:
            raise fault(f"{self.game.key} has no component “{name}”",
                        hint=did_you_mean(name, self.game.components))
        return self.game.components[name]

    def _info(self, part: Component) -> pdf.Info:
        about = self.game.definition
        return pdf.Info(title=f"{about.title} - {part.definition.title}", author="; ".join(about.credits),
                        subject=part.definition.about, keywords=(self.game.key, part.name), set_code=self.deck.code)


def _hold_slots(frames: Sequence[Frame], sheet: ScoreSheet) -> None:
    """Paper and judge must not drift apart: every field has its slot and every slot its field."""
    slots = [slot.id for frame in frames for slot in frame.slots()]
    missing = [name for name in sheet.fields if name not in set(slots)]
    strange = [name for name in slots if name not in sheet.fields]
    twice = sorted({name for name in slots if slots.count(name) > 1}) if len(set(slots)) < len(slots) else []
    problems = [*_listed("has no slot for the field", missing), *_listed("has a slot without a field", strange),
                *_listed("has two slots for the field", twice)]
    if problems:
        raise InputError([Problem(f"sheet “{sheet.name}” {problem}") for problem in problems])


def _listed(what: str, names: Iterable[str]) -> list[str]:
    found = list(names)
    shown = ", ".join(found[:5]) + (f" and {len(found) - 5} more" if len(found) > 5 else "")
    return [f"{what} {shown}"] if found else []


def _sound(frame: Frame) -> Frame:
    """The frame itself, if nothing on it leaves the safe area and no two slots overlap."""
    problems = [*outside_safe(frame), *overlaps(frame)]
    if problems:
        raise InputError([Problem(f"{frame.name}: {problem}") for problem in problems])
    return frame
