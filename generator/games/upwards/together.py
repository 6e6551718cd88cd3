"""Several sheets of one game, each of another player: what they must agree in, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..legacy import Breach
from ..legacy import LegacyBook as RuleBook
from .book import Judged
from .reading import bare
from .score import result


class Seat(NamedTuple):
    """One player's sheet and all that are judged with it; `number` counts from 0."""

    sheets: tuple[Judged, ...]
    number: int

    @property
    def sheet(self) -> Judged:
        return self.sheets[self.number]

    @property
    def others(self) -> tuple[Judged, ...]:
        """The sheets before this one."""
        return self.sheets[:self.number]


book: RuleBook[Seat] = RuleBook(sheet="sheet")
score = result


def seats(sheets: Sequence[Judged]) -> list[Seat]:
    """Every player's place at the table."""
    return [Seat(tuple(sheets), number) for number in range(len(sheets))]


@book.rule("two-to-six", source="rulebook")
def as_many_players_as_can_play(seat: Seat) -> Iterator[Breach]:
    """Two to six players play; a sheet that is judged by itself is one of theirs."""
    span = seat.sheet.filled.game.definition.players
    if seat.number >= span.high:
        yield f"this is the sheet of a player {seat.number + 1}, but {span.low} to {span.high} can play", "player"


@book.rule("names", source="the score sheet")
def own_names(seat: Seat) -> Iterator[Breach]:
    """Every player has a name that nobody else has."""
    name = seat.sheet.filled.text("player").casefold()
    if name and any(other.filled.text("player").casefold() == name for other in seat.others):
        yield f"another player is called {seat.sheet.name} too", "player"


@book.rule("same-option", source="rulebook, set-up; U19")
def all_play_one_option(seat: Seat) -> Iterator[Breach]:
    """All players of a game score by the same option."""
    first, own = seat.sheets[0], seat.sheet
    if first.option and own.option and first.option != own.option:
        yield (f"the scoring option is {own.option}, but {first.name} plays {first.option}", "option",
               f"option.{own.option}")


@book.rule("same-event-die", source="rulebook, event die; U19")
def all_play_with_the_event_die(seat: Seat) -> Iterator[Breach]:
    """All players of a game play with the event die, or none."""
    first, own = seat.sheets[0], seat.sheet
    if first.event_die != own.event_die:
        without = first if own.event_die else own
        yield f"{without.name} plays without the event die, others with it", "event_die"


@book.rule("same-dice", source="rulebook; U19")
def all_use_the_same_dice(seat: Seat) -> Iterator[Breach]:
    """The dice are rolled for all players, so every round that is logged shows the same ones, the event die
    included; unless there is a throw strip for each of them."""
    for number, played in enumerate(seat.sheet.log):
        other = next((other for other in seat.others if len(other.log) > number), None)
        if other is None or _has_own_throws(seat.sheet):
            continue
        theirs = other.log[number]
        if sorted(played.dice) != sorted(theirs.dice):
            yield (f"round {number + 1} has the dice {_listed(played.dice)}, with {other.name} {_listed(theirs.dice)}",
                   f"log.{number + 1}")
        if played.event and theirs.event and bare(played.event) != bare(theirs.event):
            yield (f"round {number + 1} has “{bare(played.event)}”, with {other.name} “{bare(theirs.event)}”",
                   f"log.{number + 1}")


def _has_own_throws(sheet: Judged) -> bool:
    if "strip" not in sheet.filled.codes:
        return False
    from . import coded  # few sheets name a strip

    made = coded.strip_of(sheet.filled)
    return made is not None and len(made.strips) > 1


def _listed(dice: tuple[int, ...]) -> str:
    return " ".join(map(str, sorted(dice)))


@book.rule("same-end", source="rulebook; U16, U19")
def one_round_follows_anybodys_pass(seat: Seat) -> Iterator[Breach]:
    """The round after the first one in which somebody passed a number is the last for all players."""
    passed = [(other.replay.passed, other.name) for other in seat.sheets if other.replay and other.replay.passed]
    if not passed:
        return
    first, who = min(passed)
    last = first + seat.sheet.known.rounds_more
    own = seat.sheet.replay.passed if seat.sheet.replay else 0
    if len(seat.sheet.log) > last and own != first:
        yield (f"round {last} was the last one, as {who} passed a number in round {first}", f"log.{last + 1}")
