"""What a log of this game has beside its paper: a deal told card by card, and the swaps before the first turn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from ...codes import SetCode
from ...definitions.models import Card, Game
from ...errors import Place, Problem, did_you_mean
from ...sheets import FilledSheet, Reading
from ...sheets.marks import MarkError, card
from .deal import DECK, dealt


@dataclass(frozen=True, slots=True, kw_only=True)
class DealEntry:
    """`deal:` told card by card: the deck, the next card to draw first, and what every player was dealt."""

    deck: tuple[str, ...] = ()
    hands: dict[str, tuple[str, ...]] = field(default_factory=dict)
    up: dict[str, tuple[str, ...]] = field(default_factory=dict)
    down: dict[str, tuple[str, ...]] = field(default_factory=dict)
    place: Place

    @property
    def players(self) -> Iterator[tuple[str, str, tuple[str, ...]]]:
        """Every part that a player was dealt: its key, the player and the cards."""
        for part, cards in (("hands", self.hands), ("up", self.up), ("down", self.down)):
            yield from ((part, player, row) for player, row in cards.items())


@dataclass(frozen=True, slots=True, kw_only=True)
class SwapEntry:
    """A swap before the first turn: the cards from the hand that went face up, and those that came back."""

    up: tuple[str, ...] = ()
    hand: tuple[str, ...] = ()
    place: Place


EXTRA: Mapping[str, object] = MappingProxyType({"deal": DealEntry, "swaps": dict[str, SwapEntry]})


def cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards by all that a log may call them: name and letter. Raises InputError for a code that deals nothing."""
    if code:
        dealt(game, code)
    deck = game.components[DECK].cards
    return MappingProxyType({**{card.id: card for card in deck}, **{card.letter: card for card in deck}})


def players(sheet: FilledSheet) -> list[str]:
    """The names of the players in the order of play."""
    return [sheet.text(f"players.{number}") for number in sheet.rows.get("players", ())]


def seat(names: list[str], name: str) -> int | None:
    """The seat of the player with this name, in either case where that is enough to tell; None for nobody."""
    if name in names:
        return names.index(name)
    same = [number for number, known in enumerate(names) if known.casefold() == name.casefold()]
    return same[0] if len(same) == 1 else None


def named(sheet: FilledSheet, typed: Iterable[str]) -> tuple[str, ...]:
    """Cards as typed → their ids; blanks and unknown ones, which `problems` tells, are left out."""
    found = (sheet.cards.get(_known(sheet, name)) for name in typed)
    return tuple(one.id for one in found if one)


def _known(sheet: FilledSheet, name: str) -> str:
    try:
        return card(name, sheet.cards)
    except MarkError:
        return ""


# ---- what no log can mean -------------------------------------------------------------------------------------------

def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Players who are not on the sheet, and cards that are not in the game."""
    yield from _unknown_players(sheet)
    deal: DealEntry | None = sheet.extra.get("deal")
    if deal:
        yield from _unknown_cards(sheet, deal.deck, deal.place)
        for _, _, row in deal.players:
            yield from _unknown_cards(sheet, row, deal.place)
    for swap in (sheet.extra.get("swaps") or {}).values():
        yield from _unknown_cards(sheet, (*swap.up, *swap.hand), swap.place)


def _unknown_players(sheet: FilledSheet) -> Iterator[Problem]:
    names = players(sheet)
    said = list(_said(sheet))
    if said and not names:
        yield Problem("the sheet does not say who plays", said[0][1], "add players: [Ann, Ben, ...] in order of play")
        return
    for name, place in said:
        if seat(names, name) is None:
            yield Problem(f"no player “{name}” on this sheet", place, did_you_mean(name, names))


def _said(sheet: FilledSheet) -> Iterator[tuple[str, Place]]:
    """Every name that has to be a player's, and where it stands."""
    for name in (*(f"{turn}.player" for turn in sheet.entries.get("turns", ())), "out"):
        if sheet.text(name):
            yield sheet.text(name), sheet.place_of(name)
    deal: DealEntry | None = sheet.extra.get("deal")
    for name in dict.fromkeys(player for _, player, _ in (deal.players if deal else ())):
        yield name, deal.place if deal else sheet.place
    for name in sheet.extra.get("swaps") or {}:
        yield name, sheet.place_of(f"swaps.{name}")


def _unknown_cards(sheet: FilledSheet, typed: Iterable[str], place: Place) -> Iterator[Problem]:
    for name in typed:
        try:
            if name not in _BLANK:
                card(name, sheet.cards)
        except MarkError as wrong:
            yield Problem(f"no card “{name}” in the game", place, wrong.hint)


_BLANK = ("", ".", "~")

READING = Reading(extra=EXTRA, cards=cards, problems=problems)
