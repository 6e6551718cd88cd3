"""What a sheet of this game has beside its paper: the deal and the log of turns, typed and asked if it makes sense."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from ...codes import SetCode
from ...definitions.models import Card, Game
from ...errors import Place, Problem, did_you_mean
from ...sheets import FilledSheet, Reading
from ...sheets.marks import near_cards
from .deal import DECK, deal


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkEntry:
    """`mark:` in a turn: the card, and which of its places was marked."""

    card: str
    crate: int | None = None
    star: bool = False
    tick: int | None = None
    place: Place


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One line of a log: a turn with its roll and what was done with it, or a pass. A `star` or `tick` may stand in
    the turn itself, with or without the card."""

    player: str
    roll: int | None = None
    mark: MarkEntry | None = None
    card: str | None = None
    star: bool = False
    tick: int | None = None
    flip: str | None = None
    pass_: str | None = None
    place: Place

    @property
    def marks(self) -> tuple[MarkEntry, ...]:
        """Every mark the turn tells of; the card is empty where it is not named."""
        loose = MarkEntry(card=self.card or "", star=self.star, tick=self.tick, place=self.place)
        return tuple(filter(None, (self.mark, loose if self.star or self.tick is not None else None)))


EXTRA: Mapping[str, object] = MappingProxyType({"log": tuple[Entry, ...], "deal": dict[str, tuple[str, ...]]})


def cards(game: Game, code: SetCode | None) -> Mapping[str, Card]:
    """The cards in play by number: of the random set, or the standard twelve."""
    return MappingProxyType({card.id: card for card in deal(game, code).cards[DECK]})


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """What no log or deal can mean: unknown players and cards, rolls that no die shows, turns that say nothing."""
    yield from _deal_problems(sheet)
    for entry in sheet.extra.get("log", ()):
        yield from _entry_problems(sheet, entry)
    if "log" in sheet.extra and "deal" not in sheet.extra:
        yield Problem("the log can only be played through from the deal", sheet.place_of("log.1"),
                      "add deal: {Ann: [4, 7, 11], ...} with every player's first cards")


def _deal_problems(sheet: FilledSheet) -> Iterator[Problem]:
    for name, dealt in (sheet.extra.get("deal") or {}).items():
        place = sheet.place_of(f"deal.{name}")
        yield from _unknown_player(sheet, name, place)
        for card in dealt:
            yield from _unknown_card(sheet, card, place)


def _entry_problems(sheet: FilledSheet, entry: Entry) -> Iterator[Problem]:
    yield from _unknown_player(sheet, entry.player, entry.place)
    named = [mark.card for mark in entry.marks] + [entry.flip or "", entry.pass_ or ""]
    for card in filter(None, named):
        yield from _unknown_card(sheet, card, entry.place)
    yield from _roll_problems(sheet, entry)
    for mark in entry.marks:
        yield from _mark_problems(mark)


def _roll_problems(sheet: FilledSheet, entry: Entry) -> Iterator[Problem]:
    if entry.pass_ is not None:
        if entry.roll is not None or entry.marks or entry.flip:
            yield Problem("a pass stands by itself", entry.place, "write the turn and the pass as two entries")
    elif entry.roll is None:
        yield Problem("a turn needs its roll", entry.place, "or “pass” and the card that was passed")
    elif entry.roll not in _die(sheet):
        yield Problem(f"“roll” must be a number of the die, 1 to 6, not “{entry.roll}”", entry.place)


def _mark_problems(mark: MarkEntry) -> Iterator[Problem]:
    if sum((mark.crate is not None, mark.star, mark.tick is not None)) != 1:
        yield Problem("a mark is one crate, the star or one tick", mark.place, "such as mark: {card: 4, crate: 2}")
    for number in (mark.crate, mark.tick):
        if number is not None and number < 1:
            yield Problem(f"there is no crate {number}", mark.place, "crates are numbered from 1, from the left")


def _die(sheet: FilledSheet) -> range:
    low, high = map(int, str(sheet.game.rules["die"]).split("-"))
    return range(low, high + 1)


def _unknown_player(sheet: FilledSheet, name: str, place: Place) -> Iterator[Problem]:
    known = players(sheet)
    if name not in known:
        yield Problem(f"no player “{name}” on this sheet", place, did_you_mean(name, known))


def _unknown_card(sheet: FilledSheet, card: str, place: Place) -> Iterator[Problem]:
    if card not in sheet.cards:
        yield Problem(f"no card “{card}” in the game", place, near_cards(card, sheet.cards))


def players(sheet: FilledSheet) -> list[str]:
    """The names of the players in the order of the sheet."""
    return [sheet.people[entry] for entry in sheet.entries.get("players", ())]


READING = Reading(extra=EXTRA, cards=cards, problems=problems)
