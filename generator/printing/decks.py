"""Decks → pages: the sides of their cards in order, imposed as they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain
from typing import TYPE_CHECKING

from ..definitions.models import Card, Component
from ..definitions.sizes import Paper
from ..errors import InputError, Problem
from ..geometry.frame import Frame, Page
from ..imposition import nup
from .card_cache import CardCache

if TYPE_CHECKING:
    from .press import Press


MOST_HELD = 500
"""Cards held in case another copy of them comes; a deck of more is printed as it is made."""


class Decks:
    """The decks of one press."""

    def __init__(self, press: Press) -> None:
        self.press = press
        self._caches: dict[str, CardCache] = {}

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

    def fronts(self, part: Component) -> Iterator[Frame]:
        return self._sides(part, lambda card: part.definition.face[0])

    def backs(self, part: Component) -> Iterator[Frame]:
        usual = part.definition.back
        return self._sides(part, lambda card: card.values.get("back") or usual)

    def _sides(self, part: Component, template: Callable[[Card], str]) -> Iterator[Frame]:
        """One side of each card that has it, made once for copies. Where one is wrong, no more come, and the problems
        of all are raised at the end."""
        held: dict[tuple[str, str], Frame | None] = {}
        problems: list[Problem] = []
        for card in self.press.deck.cards[part.name]:
            key = card.id, template(card)
            if not key[1]:
                continue
            if key not in held:
                if len(held) >= MOST_HELD:
                    del held[next(iter(held))]
                held[key] = self._tried(part, card, key[1], problems)
                self.press.step()
            side = held[key]
            if side and not problems:
                yield side
        if problems:
            raise InputError(dict.fromkeys(problems))

    def _tried(self, part: Component, card: Card, template: str, problems: list[Problem]) -> Frame | None:
        try:
            return self.side(part, card, template)
        except InputError as error:
            problems.extend(error.problems)
            return None

    def side(self, part: Component, card: Card, template: str) -> Frame:
        """One side of one card; raises InputError with every problem of its face."""
        cache = self._caches.get(part.name)
        if cache is None:
            cache = self._caches[part.name] = self._cache(part)
        return cache.side(card, template)

    def _cache(self, part: Component) -> CardCache:
        assert part.size
        press, about = self.press, part.definition
        return CardCache(partial(press.card, part), press.templates, press.context(part), press.theme,
                         size=(part.size.width, part.size.height), bleed=about.bleed, safe=about.safe,
                         folder=press.game.folder)
