"""The rules the table is held against: each one small function, its docstring the rule in plain words."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from . import score
from .book import Judged, book
from .crates import SIGNS, contradictions, finishable
from .table import Lying

_ASKS = {"lower": "a lower number than", "higher": "a higher number than",
         "equal": "the same number as", "unequal": "another number than"}


# ---- which cards are on the table ---------------------------------------------------------------------------------

@book.rule("two-to-six", source="rulebook")
def as_many_players_as_can_play(table: Judged) -> Iterator[Breach]:
    """Two to six players play."""
    span = table.sheet.game.definition.players
    if len(table.players) not in span:
        yield f"the sheet has {_many(len(table.players), 'player')}, but {span.low} to {span.high} can play", "players"


@book.rule("named", source="the table sheet")
def every_card_is_named(table: Judged) -> Iterator[Breach]:
    """Every card is listed with its number."""
    for entry in table.unnamed:
        yield "a card is listed without its number", entry


@book.rule("cards-once", source="F15")
def every_card_lies_in_one_place(table: Judged) -> Iterator[Breach]:
    """Every card lies in one place only."""
    seen: dict[str, Lying] = {}
    for card in table.cards:
        if card.card.id in seen:
            yield f"{card.name} is on the sheet twice", f"{card.id}.card", f"{seen[card.card.id].id}.card"
        seen.setdefault(card.card.id, card)


@book.rule("cards-dealt", source="rulebook; F15")
def the_cards_dealt_are_on_the_table(table: Judged) -> Iterator[Breach]:
    """Two to four players are dealt three cards each, five or six players two each; all of them, and no other, are in
    front of players or shared in the end."""
    dealt = [card for hand in table.sheet.extra.get("deal", {}).values() for card in hand]
    if dealt:
        yield from [] if table.replay else _not_as_dealt(table, dealt)
        return
    each = table.dealt_to_each
    count = len(table.cards) + len(table.unnamed)
    if each is not None and count != each * len(table.players):
        yield f"the sheet has {_many(count, 'card')}, but {len(table.players)} players are dealt {each} each", "players"


def _many(count: int, word: str) -> str:
    return f"{count} {word}{'s' * (count != 1)}"


def _not_as_dealt(table: Judged, dealt: list[str]) -> Iterator[Breach]:
    for card in table.cards:
        if card.card.id not in dealt:
            yield f"{card.name} was not dealt", f"{card.id}.card"
    for name in dict.fromkeys(dealt):
        if name not in {card.card.id for card in table.cards}:
            yield f"card {name} was dealt, but is not on the sheet", "deal"


# ---- what is written on them --------------------------------------------------------------------------------------

@book.rule("crates-exist", source="the cards")
def no_more_marks_than_crates(table: Judged) -> Iterator[Breach]:
    """A card has no marks and no ticks beyond its last crate."""
    for card in table.cards:
        last = len(card.crates)
        for number in range(last + 1, len(card.typed) + 1):
            if card.typed[number - 1] is not None:
                yield f"{card.name} has {last} crates and no crate {number}", f"{card.id}.crates.{number}"
        for number in sorted(card.ticked):
            if number > last:
                yield f"{card.name} has {last} crates, so crate {number} cannot be ticked", f"{card.id}.ticked.{number}"


@book.rule("star-range", source="rulebook B")
def the_star_holds_a_number_of_its_range(table: Judged) -> Iterator[Breach]:
    """The number in a star is one of the range beside it."""
    for card in table.cards:
        if card.star is not None and card.star not in card.card.star:
            yield f"the star of {card.name} holds {card.star}, but its range is {card.card.star}", f"{card.id}.star"


@book.rule("lower-higher", source="rulebook; F1, F2")
def lower_is_lower_and_higher_is_higher(table: Judged) -> Iterator[Breach]:
    """Right of ▼ stands a lower number than left of it, right of ▲ a higher one, never the same. Where the game says
    `compare: first`, the number in the first crate is the one that counts."""
    yield from _against_a_symbol(table, ("lower", "higher"))


@book.rule("equal-unequal", source="rulebook; F1, F3")
def equal_is_equal_and_unequal_is_not(table: Judged) -> Iterator[Breach]:
    """Left and right of = stands the same number, left and right of ≠ two different ones. Only neighbours are compared,
    so the first and the third of three may be the same; with `compare: first` every crate with the first one."""
    yield from _against_a_symbol(table, ("equal", "unequal"))


@book.rule("room-between", source="rulebook; F4")
def blank_crates_have_room(table: Judged) -> Iterator[Breach]:
    """Filled crates leave room for the blank ones between them: after 3 ▼ blank ▼ nothing above 1 can follow."""
    for card in table.cards:
        for group in _contradictions(table, card):
            if not _direct(table, group):
                yield _no_room(table, card, group), *_crate_ids(card, group)


@book.rule("finishable", source="F4", severity="warning")
def a_card_can_be_finished(table: Judged) -> Iterator[Breach]:
    """A card can still be finished with the numbers of the die. It may be spoilt, but that is rarely meant."""
    for card in table.cards:
        contradicted = bool(_contradictions(table, card))
        if card.blanks and not card.flipped and not contradicted and not finishable(
                card.symbols, card.crates, table.compare):
            yield f"no roll can fill the blank crates of {card.name} any more", f"{card.id}.crates"


@book.rule("star-missing", source="F5", severity="warning")
def a_finished_card_has_its_star(table: Judged) -> Iterator[Breach]:
    """A card is finished when its star is marked too; until then it counts nothing and the game goes on."""
    for card in table.cards:
        if card.owner and not card.flipped and not card.blanks and card.star is None:
            yield f"every crate of {card.name} is filled, but its star is blank", card.id


def _no_room(table: Judged, card: Lying, group: tuple[int, ...]) -> str:
    numbers = " and ".join(f"the {card.crates[number - 1]} in crate {number}" for number in group)
    if table.compare == "first":
        return f"no number in crate 1 of {card.name} suits {numbers}"
    return f"nothing fits between {numbers} of {card.name}"


def _contradictions(table: Judged, card: Lying) -> list[tuple[int, ...]]:
    return contradictions(card.symbols, card.crates, table.compare)


def _direct(table: Judged, group: tuple[int, ...]) -> bool:
    """Whether one printed symbol by itself is broken, with no blank crate involved."""
    left, right, *more = group
    return not more and (left == 1 if table.compare == "first" else right == left + 1)


def _against_a_symbol(table: Judged, symbols: tuple[str, str]) -> Iterator[Breach]:
    for card in table.cards:
        for group in _contradictions(table, card):
            left, right = group[:2]
            symbol = card.symbols[right - 2]
            if _direct(table, group) and symbol in symbols:
                yield (f"crate {right} of {card.name} holds {card.crates[right - 1]}, where {SIGNS[symbol]} asks for "
                       f"{_ASKS[symbol]} the {card.crates[left - 1]} in crate {left}"), *_crate_ids(card, group)


def _crate_ids(card: Lying, group: tuple[int, ...]) -> tuple[str, ...]:
    return tuple(f"{card.id}.crates.{number}" for number in reversed(group))


# ---- the shared area, and the end ---------------------------------------------------------------------------------

@book.rule("shared-finished", source="rulebook C; F5")
def a_shared_card_is_finished(table: Judged) -> Iterator[Breach]:
    """A card is shared only when all its crates and its star are filled in."""
    for card in table.shared:
        if not card.built:
            missing = f"crate {card.blanks[0]}" if card.blanks else "the star"
            yield f"{card.name} is shared, but {missing} is blank", card.id


@book.rule("last-tick", source="rulebook C")
def a_shared_card_has_a_crate_to_tick(table: Judged) -> Iterator[Breach]:
    """Who ticks the last crate of a shared card takes the card, so no shared card has all its crates ticked."""
    for card in table.shared:
        if card.ticked >= set(range(1, len(card.crates) + 1)):
            yield f"every crate of {card.name} is ticked, so it lies in front of a player", f"{card.id}.ticked"


@book.rule("given-up", source="rulebook; F12")
def one_card_is_given_up_in_a_stall(table: Judged) -> Iterator[Breach]:
    """Where the game ended by the stall variant, each player who holds a finished or flipped card gives up one of them.
    In any other game no card is given up."""
    for player in table.players:
        named = table.sheet.text(f"{player}.discarded")
        has_some = any(card.scoring for card in table.in_front_of(player))
        name = table.name(player)
        if named and not table.stall:
            yield f"{name} gives up card {named}, but only the stall variant asks for it", f"{player}.discarded"
        elif table.stall and named and not table.discarded(player):
            yield f"card {named} is no finished or flipped card in front of {name}", f"{player}.discarded"
        elif table.stall and has_some and not named:
            yield f"{name} must give up a finished or flipped card", player


@book.rule("claimed-total", source="the table sheet")
def the_claimed_total_is_right(table: Judged) -> Iterator[Breach]:
    """The total a player wrote down is what the cards come to."""
    for player in table.players:
        claimed = table.sheet.number(f"{player}.claimed.total")
        right = score.score_of(table, player).total
        if claimed is not None and claimed != right:
            yield f"{table.name(player)} claims {claimed}, but the cards come to {right}", f"{player}.claimed.total"
