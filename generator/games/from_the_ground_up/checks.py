"""What the table at the end of the game must keep, whatever the log says."""

from __future__ import annotations

from collections.abc import Iterator

from ...rules.book import Violation
from ..turns import counted
from . import score
from .crates import SIGNS, contradictions, finishable
from .replay import ReplayedTable
from .rules import (
    CARDS_DEALT,
    CARDS_ONCE,
    CLAIMED_TOTAL,
    CRATES_EXIST,
    DEAL,
    EQUAL_UNEQUAL,
    FINISHABLE,
    GIVEN_UP,
    LAST_TICK,
    LOWER_HIGHER,
    NAMED,
    ROOM_BETWEEN,
    SHARED_FINISHED,
    STAR_MISSING,
    STAR_RANGE,
    TWO_TO_SIX,
)
from .sheet import Table, TableCard

_ASKS = {
    "lower": "a lower number than",
    "higher": "a higher number than",
    "equal": "the same number as",
    "unequal": "another number than",
}


def violations(table: ReplayedTable) -> Iterator[Violation]:
    """What the table breaks: its cards, what is written on each of them, and what each player says of them."""
    span = table.sheet.game.definition.players
    if len(table.players) not in span:
        yield TWO_TO_SIX(
            "players", f"the sheet has {counted(len(table.players), 'player')}, but {span.low} to {span.high} can play"
        )
    yield from _wrong_cards(table)
    yield from _wrong_deal(table)
    for card in table.cards:
        yield from _wrong_marks(card)
        yield from _wrong_row(table, card)
        yield from _wrong_ending(card)
    for player in table.players:
        yield from _wrong_discard(table, player)
        yield from _wrong_claim(table, player)


# ---- which cards are on the table ------------------------------------------------------------------------------------


def _wrong_cards(table: ReplayedTable) -> Iterator[Violation]:
    for entry in table.unnamed:
        yield NAMED(entry, "a card is listed without its number")
    seen: dict[str, TableCard] = {}
    for card in table.cards:
        first = seen.setdefault(card.card.id, card)
        if first is not card:
            yield CARDS_ONCE((f"{card.id}.card", f"{first.id}.card"), f"{card.name} is on the sheet twice")
    each, count = table.dealt_to_each, len(table.cards) + len(table.unnamed)
    if table.dealt:
        yield from () if table.replay else _not_as_dealt(table)  # a replay tells more (log-agrees)
    elif each is not None and count != each * len(table.players):
        yield CARDS_DEALT(
            "players", f"the sheet has {counted(count, 'card')}, but {len(table.players)} players are dealt {each} each"
        )


def _not_as_dealt(table: Table) -> Iterator[Violation]:
    for card in table.cards:
        if card.card.id not in table.dealt:
            yield CARDS_DEALT(f"{card.id}.card", f"{card.name} was not dealt")
    for name in dict.fromkeys(table.dealt):
        if name not in {card.card.id for card in table.cards}:
            yield CARDS_DEALT("deal", f"card {name} was dealt, but is not on the sheet")


def _wrong_deal(table: Table) -> Iterator[Violation]:
    """Players who are dealt more or fewer cards than the others, and cards that are dealt twice."""
    each = table.dealt_to_each
    if table.deal is None:
        return
    for name in table.names:
        count = len(table.deal.get(name, ()))
        if each is not None and count != each:
            yield DEAL(f"deal.{name}", f"{name} is dealt {count} cards instead of {each}")
    for card in dict.fromkeys(table.dealt):
        if table.dealt.count(card) > 1:
            yield DEAL("deal", f"card {card} is dealt {table.dealt.count(card)} times")


# ---- what is written on a card ---------------------------------------------------------------------------------------


def _wrong_marks(card: TableCard) -> Iterator[Violation]:
    """Marks beyond the last crate, and a star out of its range."""
    last = len(card.crates)
    for number, value in enumerate(card.typed[last:], last + 1):
        if value is not None:
            yield CRATES_EXIST(f"{card.id}.crates.{number}", f"{card.name} has {last} crates and no crate {number}")
    for number in sorted(card.ticked):
        if number > last:
            yield CRATES_EXIST(
                f"{card.id}.ticked.{number}", f"{card.name} has {last} crates, so crate {number} cannot be ticked"
            )
    if card.star is not None and card.star not in card.card.star:
        yield STAR_RANGE(
            f"{card.id}.star", f"the star of {card.name} holds {card.star}, but its range is {card.card.star}"
        )


def _wrong_row(table: Table, card: TableCard) -> Iterator[Violation]:
    """Crates that contradict a symbol or each other, and blank ones that no roll can fill."""
    groups = contradictions(card.symbols, card.crates, table.compare)
    for group in groups:
        where = [f"{card.id}.crates.{number}" for number in reversed(group)]
        if not _direct(table, group):
            yield ROOM_BETWEEN(where, _no_room(table, card, group))
            continue
        left, right = group
        symbol = card.symbols[right - 2]
        rule = LOWER_HIGHER if symbol in ("lower", "higher") else EQUAL_UNEQUAL
        yield rule(
            where,
            f"crate {right} of {card.name} holds {card.crates[right - 1]}, where {SIGNS[symbol]} asks "
            f"for {_ASKS[symbol]} the {card.crates[left - 1]} in crate {left}",
        )
    if not groups and card.blanks and not card.flipped and not finishable(card.symbols, card.crates, table.compare):
        yield FINISHABLE(f"{card.id}.crates", f"no roll can fill the blank crates of {card.name} any more")


def _direct(table: Table, group: tuple[int, ...]) -> bool:
    """Whether one printed symbol by itself is broken, with no blank crate involved."""
    left, right, *more = group
    return not more and (left == 1 if table.compare == "first" else right == left + 1)


def _no_room(table: Table, card: TableCard, group: tuple[int, ...]) -> str:
    numbers = " and ".join(f"the {card.crates[number - 1]} in crate {number}" for number in group)
    if table.compare == "first":
        return f"no number in crate 1 of {card.name} suits {numbers}"
    return f"nothing fits between {numbers} of {card.name}"


def _wrong_ending(card: TableCard) -> Iterator[Violation]:
    """A card in front of a player that is full but for its star, and a shared one that should not be shared."""
    if card.owner:
        if not card.flipped and not card.blanks and card.star is None:
            yield STAR_MISSING(card.id, f"every crate of {card.name} is filled, but its star is blank")
        return
    if not card.built:
        missing = f"crate {card.blanks[0]}" if card.blanks else "the star"
        yield SHARED_FINISHED(card.id, f"{card.name} is shared, but {missing} is blank")
    if card.ticked >= set(range(1, len(card.crates) + 1)):
        yield LAST_TICK(f"{card.id}.ticked", f"every crate of {card.name} is ticked, so it lies in front of a player")


# ---- what a player says of them --------------------------------------------------------------------------------------


def _wrong_discard(table: Table, player: str) -> Iterator[Violation]:
    """A card that is given up and should not be, or one that should be and is not."""
    where, name = f"{player}.discarded", table.name(player)
    named = table.sheet.text(where)
    if named and not table.stall:
        yield GIVEN_UP(where, f"{name} gives up card {named}, but only the stall variant asks for it")
    elif named and not table.discarded(player):
        yield GIVEN_UP(where, f"card {named} is no finished or flipped card in front of {name}")
    elif table.stall and not named and any(card.scoring for card in table.in_front_of(player)):
        yield GIVEN_UP(player, f"{name} must give up a finished or flipped card")


def _wrong_claim(table: Table, player: str) -> Iterator[Violation]:
    where = f"{player}.claimed.total"
    claimed, right = table.sheet.number(where), score.score_of(table, player).total
    if claimed is not None and claimed != right:
        yield CLAIMED_TOTAL(where, f"{table.name(player)} claims {claimed}, but the cards come to {right}")
