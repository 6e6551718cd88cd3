"""What is against the rules in a move with cards: everything that is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rules.book import Violation
from . import rules
from .lines import Line, card_name, card_names
from .play import DECK, NONE, PILE, Cards, DemandKind, Move, State, can_make, holds, without


def split(state: State, seat: int, line: Line, demand: DemandKind | None) -> tuple[Cards, Cards]:
    """The cards of a line that are moved, and those they are stacked with. Where the line does not tell them apart, the
    first is moved; of the others, on green, those that the player has and the receiver has not."""
    first, others = line.cards[:1], line.cards[1:]
    if line.onto is not None:
        return line.cards, line.onto
    if demand != "green":
        alone = demand is None and not others and line.other >= 0 and holds(state.loose[line.other], (-first[0],))
        return first, (-first[0],) if alone and first[0] else others
    there = state.loose[line.other] if line.other >= 0 else ()
    own = tuple(card for card in others if card in state.loose[seat] and card not in there)
    return first + own, without(others, own)


@dataclass(frozen=True, slots=True)
class CardCheck:
    """A move with cards, the table before it, and the field it stands in."""

    names: Sequence[str]
    state: State
    move: Move
    where: str

    def action_violations(self, began: str) -> Iterator[Violation]:
        """All that is wrong with a card action in a turn that began on the space `began`."""
        move, routes = self.move, self.state.spec.routes
        if routes.asks(began):
            yield rules.WHERE_ACT(self.where, f"{self._name} begins this turn on {began}, which is "
                                              f"{routes.asks(began)}: there is no card action there")
        elif move.kind != "discard" and routes.kinds[began] != "cc":
            yield rules.WHERE_ACT(self.where, f"{self._name} begins this turn {routes.on_space(began)}, but only a "
                                              f"number lets one {move.kind}")
        if move.kind == "jump":
            yield from self._cc_up()
            yield from self._stacked(move.seat)
        elif move.kind == "discard":
            yield from self._laid_on()
        else:
            if move.other in (DECK, PILE):
                yield from self._on_top()
            else:
                yield rules.DRAW_FROM(self.where, f"{self._name} draws from {self.names[move.other]}, but a number "
                                                  "lets one draw from the deck and the pile only")
            yield from self._unstacked()

    def answer_violations(self, demand: DemandKind) -> Iterator[Violation]:
        """All that is wrong with what is done because it was asked for."""
        if demand == "leaving":
            yield from self._top_card()
            yield from self._unstacked()
        elif demand == "orange":
            yield from self._orange()
        else:
            yield from self._green()

    @property
    def _name(self) -> str:
        return self.names[self.move.seat]

    # ---- card actions -----------------------------------------------------------------------------------------------

    def _unstacked(self) -> Iterator[Violation]:
        """A card that is drawn cc side up makes no stack."""
        if self.move.onto:
            yield rules.ZERO_SUM(self.where, f"{self._name} stacks {card_names(self.move.cards)}, which lies cc side "
                                             "up")

    def _on_top(self) -> Iterator[Violation]:
        """Whether a card can be drawn from the deck, top or cut, or from the pile."""
        card, pile = self.move.cards[0], self.state.pile
        if self.move.other == DECK and card not in self.state.deck:
            yield rules.DECK(self.where, f"{self._name} draws {card_name(card)} from the deck, but it "
                                         f"{self._place_of(card)}")
        elif self.move.other == PILE and pile[-1:] != (card,):
            top = f"{card_name(pile[-1])} lies on top" if pile else "no card lies there"
            yield rules.PILE(self.where, f"{self._name} draws {card_name(card)} from the pile, but {top}")

    def _cc_up(self) -> Iterator[Violation]:
        """Whether a card that is to be turned over lies cc side up before the player."""
        card = self.move.cards[0]
        if card not in self.state.cc[self.move.seat]:
            yield rules.IN_HAND(self.where, f"{self._name} has no {card_name(card)} cc side up: it "
                                            f"{self._place_of(card)}")

    def _laid_on(self) -> Iterator[Violation]:
        """A cc-side card laid onto one number-side card of another player."""
        move = self.move
        if move.other in (PILE, move.seat, NONE):
            onto = "the pile" if move.other == PILE else "an own card"
            yield rules.DISCARD(self.where, f"{self._name} discards onto {onto}, but may only lay a card onto another "
                                            "player's")
            return
        yield from self._cc_up()
        if len(move.cards) != 1 or len(move.onto) != 1 or sum(move.cards) + sum(move.onto):
            yield rules.DISCARD(self.where, f"{card_names(move.cards)} onto {card_names(move.onto)} is not one card "
                                            "that makes zero with one other")
        elif not any(move.onto):
            yield rules.LOCKED(self.where, f"{self._name} discards onto a zero card, which is locked")
        else:
            yield from self._loose(move.other, move.onto)

    # ---- what is asked for ------------------------------------------------------------------------------------------

    def _top_card(self) -> Iterator[Violation]:
        card, state = self.move.cards[0], self.state
        takes = f"{self._name} leaves the Big Bang and takes {card_name(card)}"
        if self.move.other != DECK:
            yield rules.LEAVING(self.where, f"{takes} from elsewhere than the deck")
        elif card not in state.deck:
            yield from self._on_top()
        elif state.known and state.deck[0] != card:
            yield rules.LEAVING(self.where, f"{takes}, but {card_name(state.deck[0])} is the top card of the deck")

    def _orange(self) -> Iterator[Violation]:
        seat, other, card = self.move.seat, self.move.other, self.move.cards[0]
        if other == seat:
            yield rules.ORANGE_WAYS(self.where, f"{self._name} draws an own card")
        elif other == DECK:
            yield from self._on_top()
            yield from self._unstacked()
        elif other == PILE:
            yield from self._on_top()
            yield from self._makes_zero()
        elif card in self.state.cc[other]:
            yield from self._unstacked()
            if self.state.cc[seat]:
                yield rules.ORANGE_WAYS(self.where, f"{self._name} takes a card cc side up from {self.names[other]}, "
                                                    f"but has {card_names(self.state.cc[seat])} cc side up")
        else:
            yield from list(self._loose(other, (card,))) or self._makes_zero()

    def _makes_zero(self) -> Iterator[Violation]:
        card, seat = self.move.cards[0], self.move.seat
        if self.move.onto:
            yield from self._stacked(seat)
        elif not can_make(self.state.loose[seat], -card):
            yield rules.ORANGE_WAYS(self.where, f"{card_name(card)} makes no zero with what lies number side up before "
                                                f"{self._name}")

    def _green(self) -> Iterator[Violation]:
        seat, other, cards, onto = self.move.seat, self.move.other, self.move.cards, self.move.onto
        cc_up = cards[0] in self.state.cc[seat]
        if other == seat:
            yield rules.GREEN_WAYS(self.where, f"{self._name} discards onto an own card")
        elif (other == PILE or cc_up) and len(cards) + len(onto) > 1:
            right = "one card goes onto the pile" if other == PILE else \
                "a card that lies cc side up is given as it lies"
            yield rules.GREEN_WAYS(self.where, f"{self._name} discards {card_names(cards + onto)}, but {right}")
        elif cc_up and other != PILE and self.state.cc[other]:
            yield rules.GREEN_WAYS(self.where, f"{self._name} gives {card_names(cards)} cc side up to "
                                               f"{self.names[other]}, who has {card_names(self.state.cc[other])} lying "
                                               "so")
        elif not cc_up:
            yield from list(self._loose(seat, cards)) or (self._numbers_given() if other != PILE else ())

    def _numbers_given(self) -> Iterator[Violation]:
        """Number-side cards given to a player."""
        cards, other = self.move.cards, self.move.other
        if min(cards) < 0 < max(cards):
            yield rules.GREEN_WAYS(self.where, f"{self._name} gives {card_names(cards)}, which are of both suits")
        elif self.move.onto:
            yield from self._stacked(other)
        elif not can_make(self.state.loose[other], -sum(cards)):
            yield rules.GREEN_WAYS(self.where, f"{card_names(cards)} makes no zero with what lies number side up "
                                               f"before {self.names[other]}")

    # ---- where cards lie --------------------------------------------------------------------------------------------

    def _stacked(self, seat: int) -> Iterator[Violation]:
        """Whether the cards make a stack with those they are said to, before this player."""
        cards, onto = self.move.cards, self.move.onto
        if onto and sum(cards) + sum(onto):
            yield rules.ZERO_SUM(self.where, f"{card_names(cards + onto)} do not sum to zero")
        elif onto:
            yield from self._loose(seat, onto)

    def _loose(self, seat: int, cards: Cards) -> Iterator[Violation]:
        """Whether cards lie loose before a player, number side up."""
        for card in without(cards, self.state.loose[seat]):
            if any(card in stack for stack in self.state.stacks[seat]):
                yield rules.LOCKED(self.where, f"{card_name(card)} lies in a locked stack before {self.names[seat]}")
            else:
                yield rules.IN_HAND(self.where, f"{self.names[seat]} has no loose {card_name(card)} number side up: it "
                                                f"{self._place_of(card)}")

    def _place_of(self, card: int) -> str:
        """Where a card lies, as a sentence goes on after “it”."""
        state = self.state
        for seat, name in enumerate(self.names):
            if card in state.cc[seat]:
                return f"lies cc side up before {name}"
            if card in state.loose[seat] or any(card in stack for stack in state.stacks[seat]):
                return f"lies number side up before {name}"
        if card in state.pile:
            return "lies in the pile"
        return "is still in the deck" if card in state.deck else "is not there"
