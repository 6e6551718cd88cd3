"""Checks the table at the end of the game: which cards are there, what is written on them, and what players claim."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from ...model.game import Card
from ...rules.book import Violation
from ...rules.terminal import number_text
from ...sheets.marks import as_tick
from ..turns import counted
from . import score
from .crates import SIGNS, Compare, contradictions, finishable
from .replay import ReplayedTable
from .sheet import Table, TableCard, rules

_REQUIRES = {
    "lower": "a lower number than",
    "higher": "a higher number than",
    "equal": "the same number as",
    "unequal": "a different number from",
}


def violations(table: ReplayedTable) -> Iterator[Violation]:
    """All violations on the table: which cards are there, what is written on them, and what each player claims."""
    span = table.sheet.game.players
    if len(table.players) not in span:
        yield rules["two-to-six"](
            "players",
            f"the sheet has {counted(len(table.players), 'player')}, but the game is for {span.low} to {span.high}",
        )
    yield from _wrong_cards(table)
    yield from _wrong_deal(table)
    compare = table.compare
    for card in table.cards:
        yield from on_card(card, compare)
    for player in table.players:
        yield from _wrong_card_given_up(table, player)
        yield from _wrong_claim(table, player)


# ---- which cards are on the table ------------------------------------------------------------------------------------


def _wrong_cards(table: ReplayedTable) -> Iterator[Violation]:
    for entry in table.unnamed:
        yield rules["named"](entry, "a card has no number")
    seen: dict[str, TableCard] = {}
    for card in table.cards:
        first = seen.setdefault(card.card.id, card)
        if first is not card:
            yield rules["cards-once"]((f"{card.id}.card", f"{first.id}.card"), f"{card.name} is listed twice")
    each, count = table.dealt_to_each, len(table.cards) + len(table.unnamed)
    if table.dealt:
        yield from () if table.replay else _not_as_dealt(table)  # the replay reports these as log-agrees
    elif each is not None and count != each * len(table.players):
        entries = [*(f"{card.id}.card" for card in table.cards), *table.unnamed]
        yield rules["cards-dealt"](
            ("players", *entries),
            f"the sheet has {counted(count, 'card')}, but {len(table.players)} players are dealt {each} each, "
            f"{each * len(table.players)} in all",
        )


def _not_as_dealt(table: Table) -> Iterator[Violation]:
    for card in table.cards:
        if card.card.id not in table.dealt:
            yield rules["cards-dealt"](f"{card.id}.card", f"{card.name} was not dealt")
    for name in dict.fromkeys(table.dealt):
        if name not in {card.card.id for card in table.cards}:
            yield rules["cards-dealt"]("deal", f"card {name} was dealt, but is not on the sheet")


def _wrong_deal(table: Table) -> Iterator[Violation]:
    """Players who were dealt too many or too few cards, and cards that were dealt twice."""
    each = table.dealt_to_each
    if table.deal is None:
        return
    for name in table.names:
        count = len(table.deal.get(name, ()))
        if each is not None and count != each:
            yield rules["deal"](f"deal.{name}", f"{name} was dealt {counted(count, 'card')} instead of {each}")
    for card in dict.fromkeys(table.dealt):
        if table.dealt.count(card) > 1:
            yield rules["deal"]("deal", f"card {card} was dealt {table.dealt.count(card)} times")


# ---- what is written on a card ---------------------------------------------------------------------------------------


def on_card(card: TableCard, compare: Compare) -> Iterator[Violation]:
    """All violations in what is written on one card."""
    return chain(_wrong_marks(card), _wrong_row(card, compare), _wrong_ending(card))


def worst_on_line(cards: Mapping[str, Card], compare: Compare, owner: str, line: Mapping[str, Any]) -> int | None:
    """How wrong a card typed on one line is: 0 if it breaks no rule, 1 for a warning, 2 for an error; None if the card
    does not exist."""
    card = cards.get(str(line.get("card")))
    if card is None:
        return None
    typed = tuple([int(mark) if mark.isdecimal() else None for mark in line.get("crates", ())])
    if len(typed) > len(card.symbols) + 1:
        return 2
    star = str(line.get("star", ""))
    is_flipped = as_tick(str(line.get("flipped", "no"))) is not False
    marks = TableCard("", owner, card, typed, int(star) if star.isdecimal() else None, is_flipped, frozenset())
    return max((2 if breach.rule.severity == "error" else 1 for breach in on_card(marks, compare)), default=0)


def _wrong_marks(card: TableCard) -> Iterator[Violation]:
    """Marks beyond the last crate, and a star outside its range."""
    last = len(card.crates)
    for number, value in enumerate(card.typed[last:], last + 1):
        if value is not None:
            yield rules["crates-exist"](
                f"{card.id}.crates.{number}", f"{card.name} has only {last} crates, but crate {number} is filled in"
            )
    for number in sorted(card.ticked):
        if number > last:
            yield rules["crates-exist"](
                f"{card.id}.ticked.{number}", f"{card.name} has only {last} crates, but crate {number} is ticked"
            )
    if card.star is not None and card.star not in card.card.star:
        yield rules["star-range"](
            f"{card.id}.star", f"the star of {card.name} holds {card.star}, but its range is {card.card.star}"
        )


def _wrong_row(card: TableCard, compare: Compare) -> Iterator[Violation]:
    """Crates that contradict a symbol or each other, and empty ones that no roll can fill."""
    groups = contradictions(card.symbols, card.crates, compare)
    for group in groups:
        where = [f"{card.id}.crates.{number}" for number in reversed(group)]
        if not _direct(compare, group):
            yield rules["room-between"](where, _no_room(compare, card, group))
            continue
        left, right = group
        symbol = card.symbols[right - 2]
        rule = rules["lower-higher"] if symbol in ("lower", "higher") else rules["equal-unequal"]
        yield rule(
            where,
            f"crate {right} of {card.name} holds {card.crates[right - 1]}, but {SIGNS[symbol]} requires "
            f"{_REQUIRES[symbol]} the {card.crates[left - 1]} in crate {left}",
        )
    if not groups and card.blanks and not card.flipped and not finishable(card.symbols, card.crates, compare):
        yield rules["finishable"](f"{card.id}.crates", f"no roll can fill the empty crates of {card.name} any more")


def _direct(compare: Compare, group: tuple[int, ...]) -> bool:
    """Whether the crates break one printed symbol by themselves, with no empty crate involved."""
    left, right, *more = group
    return not more and (left == 1 if compare == "first" else right == left + 1)


def _no_room(compare: Compare, card: TableCard, group: tuple[int, ...]) -> str:
    numbers = " and ".join(f"the {card.crates[number - 1]} in crate {number}" for number in group)
    if compare == "first":
        return f"no number in crate 1 of {card.name} agrees with {numbers}"
    return f"nothing fits between {numbers} of {card.name}"


def _wrong_ending(card: TableCard) -> Iterator[Violation]:
    """A card with full crates and an empty star, and a shared card that should not be shared."""
    if card.owner:
        if not card.flipped and not card.blanks and card.star is None:
            yield rules["star-missing"](card.id, f"every crate of {card.name} is filled in, but its star is empty")
        return
    if not card.built:
        missing = f"crate {card.blanks[0]}" if card.blanks else "the star"
        yield rules["shared-finished"](card.id, f"{card.name} is shared, but {missing} is empty")
    if card.ticked >= set(range(1, len(card.crates) + 1)):
        yield rules["last-tick"](f"{card.id}.ticked", f"every crate of {card.name} is ticked, so a player must have it")


# ---- what a player claims --------------------------------------------------------------------------------------


def _wrong_card_given_up(table: Table, player: str) -> Iterator[Violation]:
    """A card that was given up against the rules, or one that should have been given up."""
    where, name = f"{player}.discarded", table.name(player)
    number = table.sheet.text(where)
    if number and not table.stall:
        yield rules["given-up"](where, f"{name} gave up card {number}, but that is only done in the stall variant")
    elif number and not table.given_up(player):
        yield rules["given-up"](
            where, f"{name} gave up card {number}, but has no finished or flipped card with this number"
        )
    elif table.stall and not number and any(card.scoring for card in table.in_front_of(player)):
        yield rules["given-up"](player, f"{name} must give up a finished or flipped card")


def _wrong_claim(table: Table, player: str) -> Iterator[Violation]:
    where = f"{player}.claimed.total"
    claimed, right = table.sheet.number(where), score.score_of(table, player).total
    if claimed is not None and claimed != right:
        yield rules["claimed-total"](
            where,
            f"{table.name(player)} wrote {number_text(claimed)}, but the cards add up to {number_text(right)}",
        )
