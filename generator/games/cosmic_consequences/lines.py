"""Card actions as one line, as they stand on the paper: “deck +3”, “Ann +3 −3”, “draw deck +3; Ben discard pile +4”.

A line has where the card comes from or goes to, the cards, and after `onto` or `with`, where it says so, the ones they
are stacked with.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from ...definitions.models import Card
from ...errors import did_you_mean
from ..turns import listed
from .play import DECK, NONE, PILE, Cards

_BETWEEN = re.compile(r"[\s,]+")
_ONTO = ("onto", "with")
_VERBS = ("draw", "discard")
_PLACES = {"deck": DECK, "pile": PILE}
_LONG = re.compile(r"(dragon|tiger)[-_ ]?(?=\d)", re.IGNORECASE)


class LineError(ValueError):
    """What is wrong with a line, and a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(frozen=True, slots=True)
class Line:
    """One card action. `other` is DECK, PILE, a seat, or NONE for a jump; `onto` is None where the line does not say
    which of several cards are the ones stacked with."""

    cards: Cards
    other: int = NONE
    onto: Cards | None = None

    def text(self, names: Sequence[str]) -> str:
        """The line as the paper has it; several cards are divided from those they are stacked with."""
        place = [] if self.other == NONE else [place_name(self.other, names)]
        divider = ["with"] if self.onto and len(self.cards) > 1 else []
        return " ".join([*place, *map(card_name, self.cards), *divider, *map(card_name, self.onto or ())])


@dataclass(frozen=True, slots=True)
class Forced:
    """What was done because a space or leaving the Big Bang asked for it; `seat` is None where nobody is named."""

    seat: int | None
    verb: str
    line: Line


# ---- cards and places -----------------------------------------------------------------------------------------------

def place_name(place: int, names: Sequence[str]) -> str:
    """`deck`, `pile`, or the player of a seat."""
    return {DECK: "deck", PILE: "pile"}.get(place) or names[place]


def short_form(text: str) -> str:
    """Cards by the numbers they are known by on paper: `dragon-3` → `+3`, `tiger-3` → `-3`."""
    return _LONG.sub(lambda match: "+" if match[1].lower() == "dragon" else "-", text)


def card_name(card: int) -> str:
    """A card as sentences name it: `+3`, `−3`, `0`."""
    return f"{card:+d}".replace("-", "−") if card else "0"


def card_names(cards: Iterable[int]) -> str:
    """`+3`, `+3 and −3`, `+3, +4 and −7`."""
    return listed([*map(card_name, cards)]) or "no card"


def spellings(cards: Mapping[str, Card]) -> dict[str, int]:
    """All that cards may be called → their numbers."""
    numbers = {card.number for card in cards.values()}
    ids = {name: card.number for name, card in cards.items()}
    return {"zero": 0, **{f"{number:+d}": number for number in numbers}, **{str(number): number for number in numbers},
            **ids}


def read_card(text: str, known: Mapping[str, int]) -> int:
    """The number of a card as it is spelt. Raises LineError."""
    name = short_form(text.strip().lower().replace("−", "-").replace("_", "-")).replace("+-", "-")
    if name in known:
        return known[name]
    raise LineError(f"no card “{text}” in the game",
                    did_you_mean(text, known) or "cards are +3 (dragon), -3 (tiger), 0")


def read_cards(text: str, known: Mapping[str, int]) -> Cards:
    """The cards of a text, in its order. Raises LineError."""
    return tuple(read_card(word, known) for word in _BETWEEN.split(text.strip()) if word not in ("", ".", "~"))


# ---- lines ----------------------------------------------------------------------------------------------------------

@dataclass(frozen=True, slots=True)
class LineReader:
    """Reads the lines of one sheet: `known` are the spellings of cards, `names` the players in order of play."""

    known: Mapping[str, int]
    names: Sequence[str]

    def draw(self, text: str) -> Line:
        other, rest = self._place(text, ("deck", "pile"), "deck, pile or a player")
        return self._line(rest, other)

    def discard(self, text: str) -> Line:
        other, rest = self._place(text, ("pile",), "pile or a player")
        return self._line(rest, other)

    def jump(self, text: str) -> Line:
        return self._line(text, NONE)

    def forced(self, text: str) -> tuple[Forced, ...]:
        return tuple(self._forced(part.strip()) for part in text.split(";") if part.strip())

    def _forced(self, text: str) -> Forced:
        seat, rest = next(self._players_before(text), (None, text))
        verb, _, rest = rest.partition(" ")
        if verb.lower() not in _VERBS:
            raise LineError(f"“{text}” should say draw or discard", "such as “draw deck +3” or “Ben discard pile -4”")
        return Forced(seat, verb.lower(), self.draw(rest) if verb.lower() == "draw" else self.discard(rest))

    def _place(self, text: str, places: Sequence[str], wanted: str) -> tuple[int, str]:
        first, _, rest = text.strip().partition(" ")
        if first.lower() in places:
            return _PLACES[first.lower()], rest
        for player_and_rest in self._players_before(text.strip()):
            return player_and_rest
        raise LineError(f"“{text}” should begin with {wanted}", did_you_mean(first, [*places, *self.names]))

    def _players_before(self, text: str) -> Iterator[tuple[int, str]]:
        """The player whose name a text begins with, and the rest of it; of several the longest name first, but one
        that leaves no rest last."""
        for name in sorted(self.names, key=lambda name: (len(name) < len(text), len(name)), reverse=True):
            if name and f"{text} ".casefold().startswith(f"{name} ".casefold()):
                yield self.names.index(name), text[len(name):].strip()

    def _line(self, text: str, other: int) -> Line:
        words = _BETWEEN.split(text.strip())
        split = next((number for number, word in enumerate(words) if word.lower() in _ONTO), None)
        cards = read_cards(" ".join(words[:split]), self.known)
        if not cards:
            raise LineError("no card is named")
        onto = None if split is None else read_cards(" ".join(words[split + 1:]), self.known)
        if onto is None and other in (DECK, PILE) and len(cards) > 1:
            return Line(cards[:1], other, cards[1:])
        return Line(cards, other, onto)
