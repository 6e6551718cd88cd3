"""The rule for a game that was played with a throw strip."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..legacy import Breach
from .book import ROUNDS, book
from .dice import Throw
from .rounds import Rounds
from .strips import same


class Used(NamedTuple):
    """A throw on the sheet: its place, the number of its round, and the number of the turn it was used in, all players'
    turns counted on; both from 1."""

    where: str
    throw: Throw
    round: int
    turn: int


@book.rule("strip", source="the throw strip", sheets=ROUNDS)
def the_throws_are_those_of_the_strip(played: Rounds) -> Iterator[Breach]:
    """Where a sheet names its throw strip, the throws that are written down are those of the strip, and there are no
    more of them: in every round all players have the throw with its number, or every turn has the next one."""
    if "strip" not in played.sheet.codes:
        return
    from . import coded  # few sheets name a strip

    strip = coded.named(played.sheet).strip
    if strip:
        used = tuple(_used(played))
        ways = [[(one, one.round) for one in used], [(one, one.turn) for one in used]]
        yield from min((list(_strange(strip.throws, way)) for way in ways), key=len)


def _strange(throws: Sequence[Throw], way: Sequence[tuple[Used, int]]) -> Iterator[Breach]:
    """The throws that are not those of the strip, each with the number it should have."""
    for one, number in way:
        if number > len(throws):
            yield f"the strip has only {len(throws)} throws, and this would be number {number}", one.where
        elif not same(one.throw, throws[number - 1]):
            yield f"this is not throw {number} of the strip, which shows {throws[number - 1]}", one.where


def _used(played: Rounds) -> Iterator[Used]:
    turn = 0
    for number, each in enumerate(played.rounds, 1):
        shared = played.throw(f"{each.id}.throw")
        if shared:
            yield Used(f"{each.id}.throw", shared, number, number)
        for player in each.points:
            turn += 1
            word = each.words.get(player)
            own = played.throw(f"{word.id}.throw") if word else None
            if word and own:
                yield Used(f"{word.id}.throw", own, number, number if shared else turn)
