"""The press's decks: card by card, by the stencil a card shares with others where there is one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import TYPE_CHECKING

from ..definitions.models import Card, Component
from ..definitions.sizes import Paper
from ..errors import InputError, Problem
from ..faces.stencil import Stencil, Stencils
from ..geometry.frame import Page, Side
from ..imposition import nup
from ..layout.refill import Layouts

if TYPE_CHECKING:
    from .press import Press


MOST_HELD = 500
"""Cards held in case another copy of them comes; a deck of more is printed as it is made."""


class Decks:
    """The decks of one press, and the stencils and layouts of their cards."""

    def __init__(self, press: Press) -> None:
        self.press = press
        self._stencils: dict[str, Stencils] = {}
        self._layouts: dict[Stencil, Layouts] = {}
        self._shared: dict[tuple[str, str], Side] = {}

    def pages(self, part: Component, paper: Paper, duplex: str) -> Iterator[Page]:
        """The pages of a deck and of those printed with it, as their cards come. Raises InputError at their end, with
        the problems of all the fronts or all the backs of a deck."""
        about, decks = part.definition, [part, *map(self.press.part, part.definition.with_)]
        fronts = chain.from_iterable(map(self.fronts, decks))
        if about.up == 2:
            return iter(nup.halves_pages(list(fronts), paper))
        backs = chain.from_iterable(map(self.backs, decks if about.back and duplex != "none" else ()))
        return nup.pages_of(fronts, backs, paper, gutter=about.gutter, duplex=duplex if about.back else "none",
                               margin=paper.margin)

    def large(self, part: Component) -> bool:
        """Whether the pages of a deck are better not held all at once."""
        decks = (part.name, *part.definition.with_)
        return sum(len(self.press.deck.cards[name]) for name in decks) > MOST_HELD

    def fronts(self, part: Component) -> Iterator[Side]:
        return self._sides(part, lambda card: part.definition.face[0])

    def backs(self, part: Component) -> Iterator[Side]:
        usual = part.definition.back
        return self._sides(part, lambda card: card.values.get("back") or usual)

    def _sides(self, part: Component, template: Callable[[Card], str]) -> Iterator[Side]:
        """One side of each card that has it, made once for copies. Where one is wrong, no more come, and the problems
        of all are raised at the end."""
        held: dict[tuple[str, str], Side | None] = {}
        problems: list[Problem] = []
        for card in self.press.deck.cards[part.name]:
            key = card.id, template(card)
            if not key[1]:
                continue
            if key not in held:
                if len(held) >= MOST_HELD:
                    del held[next(iter(held))]
                held[key] = self._shared.get((part.name, key[1])) or self._tried(part, card, key[1], problems)
                self.press.step()
            side = held[key]
            if side and not problems:
                yield side
        if problems:
            raise InputError(dict.fromkeys(problems))

    def _tried(self, part: Component, card: Card, template: str, problems: list[Problem]) -> Side | None:
        try:
            return self.side(part, card, template)
        except InputError as error:
            problems.extend(error.problems)
            return None

    def side(self, part: Component, card: Card, template: str) -> Side:
        """One side of one card; raises InputError with every problem of its face. Cards that their template does not
        speak of have the very same."""
        name = f"card {card.id}"
        found = self._of(part).find(template, card, name)
        if found:
            stencil, values = found
            layouts = self._layouts.get(stencil)
            if layouts is None:
                layouts = self._layouts[stencil] = Layouts(stencil, self.press.theme)
            filled = layouts.filled(name, values)
            if filled:
                if self._of(part).alike(template):
                    self._shared[part.name, template] = filled
                return filled
        return self.press.card(part, card, template)

    def _of(self, part: Component) -> Stencils:
        if part.name not in self._stencils:
            assert part.size
            about = part.definition
            self._stencils[part.name] = Stencils(
                self.press.templates, self.press.context(part), size=(part.size.width, part.size.height),
                bleed=about.bleed, safe=about.safe, folder=self.press.game.folder)
        return self._stencils[part.name]
