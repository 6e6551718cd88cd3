"""How the points of a table sheet were made, and the sums a player should have written."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ...rules.results import Part
from . import score
from .table import Lying, Table


def explain(table: Table) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: each card is one."""
    for player in table.players:
        yield [[_part(table, card)] for card in score.counted(table, player)]


def _part(table: Table, card: Lying) -> Part:
    if card.flipped:
        return Part(_flipped(card), score.flipped(table, card))
    return Part(_upright(card), score.finished(table, card))


def _flipped(card: Lying) -> str:
    star = card.card.star
    if card.star is None:
        return f"flipped, its star blank: minus {star.low}, the lowest of {star}"
    return f"flipped: minus the {card.star} in its star"


def _upright(card: Lying) -> str:
    if len(card.blanks) == 1:
        return f"still to be built: crate {card.blanks[0]} is blank"
    if card.blanks:
        return f"still to be built: crates {_listed(card.blanks)} are blank"
    if card.star is None:
        return "every crate is filled, but the star is blank"
    return f"finished: the {card.star} in its star"


def _listed(numbers: list[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def sums(table: Table) -> Mapping[str, int]:
    """The total of every player, by the id of its field."""
    return {f"{player}.claimed.total": score.score_of(table, player).total for player in table.players}
