"""Checks the moves that use cards: card actions, and draws and discards that a space asks for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct

from ...rules.results import Rule, Violation
from .log import ActionLine, card_name, card_names, rules
from .play import DECK, NONE, PILE, Cards, ConsequenceKind, Move, State, sums_of, without


def split(state: State, seat: int, line: ActionLine, consequence: ConsequenceKind | None) -> Move:
    """The move that a line makes. If the line does not say which of its cards are stacked with which, it moves the
    first card and, on green, any others that the player has and the receiver does not."""
    first, others = line.cards[:1], line.cards[1:]
    theirs = state.loose[line.place] if line.place >= 0 else ()
    if line.onto is not None:
        first, others = line.cards, line.onto
    elif consequence == "green":
        own = tuple(card for card in others if card in state.loose[seat] and card not in theirs)
        first, others = first + own, without(others, own)
    elif consequence is None and not others and first[0] and -first[0] in theirs:
        others = (-first[0],)
    return Move(line.kind, seat, first, place=line.place, onto=others)


class CardCheck(Struct, frozen=True):
    """Checks a move with cards against the table before it; `where` is the id of its field on the sheet."""

    names: Sequence[str]
    state: State
    move: Move
    where: str

    def action_violations(self, began: str) -> Iterator[Violation]:
        """The rules that a card action breaks in a turn that began on the space `began`."""
        move, routes = self.move, self.state.spec.routes
        if routes.asks(began):
            yield rules["where-act"](
                self.where,
                f"{self._name} begins this turn on {began}, which is {routes.asks(began)}, so no card action is "
                "allowed there",
            )
        elif move.kind != "discard" and routes.kinds[began] != "cc":
            yield rules["where-act"](
                self.where,
                f"{self._name} begins this turn {routes.on_space(began)}, but you can only {move.kind} on a number "
                "space",
            )
        if move.kind == "jump":
            yield from self._lies_cc_up()
            yield from self._stacked(move.seat)
        elif move.kind == "discard":
            yield from self._discarded()
        else:
            if move.place in (DECK, PILE):
                yield from self._on_top()
            else:
                yield rules["draw-from"](
                    self.where,
                    f"{self._name} draws from {self.names[move.place]}, but a card action can only draw from the deck "
                    "or the pile",
                )
            yield from self._unstacked()

    def answer_violations(self, consequence: ConsequenceKind) -> Iterator[Violation]:
        """The rules that a move breaks when it answers a consequence."""
        if consequence == "leaving":
            card, state = self.move.cards[0], self.state
            takes = f"{self._name} leaves the Big Bang and takes {card_name(card)}"
            if self.move.place != DECK:
                yield rules["leaving"](self.where, f"{takes}, but not from the deck")
            elif card not in state.deck:
                yield from self._on_top()
            elif state.known and state.deck[0] != card:
                yield rules["leaving"](
                    self.where, f"{takes}, but {card_name(state.deck[0])} is the top card of the deck"
                )
            yield from self._unstacked()
        elif consequence == "orange":
            yield from self._orange()
        else:
            yield from self._green()

    @property
    def _name(self) -> str:
        return self.names[self.move.seat]

    def _unstacked(self) -> Iterator[Violation]:
        """A card that is drawn cc side up cannot be stacked."""
        if self.move.onto:
            yield rules["zero-sum"](
                self.where, f"{self._name} stacks {card_names(self.move.cards)}, which lies cc side up"
            )

    def _on_top(self) -> Iterator[Violation]:
        """A card drawn from the deck must be in the deck; a card drawn from the pile must be its top card."""
        card, pile = self.move.cards[0], self.state.pile
        if self.move.place == DECK and card not in self.state.deck:
            yield rules["deck"](
                self.where, f"{self._name} draws {card_name(card)} from the deck, but it {self._place_of(card)}"
            )
        elif self.move.place == PILE and pile[-1:] != (card,):
            top = f"its top card is {card_name(pile[-1])}" if pile else "the pile is empty"
            yield rules["pile"](self.where, f"{self._name} draws {card_name(card)} from the pile, but {top}")

    def _lies_cc_up(self) -> Iterator[Violation]:
        """A card that the player turns over must lie cc side up in front of that player."""
        card = self.move.cards[0]
        if card not in self.state.cc[self.move.seat]:
            yield rules["in-hand"](
                self.where, f"{self._name} has no {card_name(card)} cc side up; it {self._place_of(card)}"
            )

    def _discarded(self) -> Iterator[Violation]:
        """A discard puts one cc-side card onto one number-side card of another player."""
        move = self.move
        if move.place in (PILE, move.seat, NONE):
            onto = "the pile" if move.place == PILE else f"one of {self._name}’s own cards"
            yield rules["discard"](
                self.where,
                f"{self._name} discards onto {onto}, but a card action can only discard onto another player’s card",
            )
            return
        yield from self._lies_cc_up()
        if len(move.cards) != 1 or len(move.onto) != 1 or sum(move.cards) + sum(move.onto):
            yield rules["discard"](
                self.where,
                f"{self._name} discards {card_names(move.cards)} onto {card_names(move.onto)}, but a card action puts "
                "one card onto one card that makes zero with it",
            )
        elif not any(move.onto):
            yield rules["locked"](self.where, f"{self._name} discards onto a zero card, which is locked")
        else:
            yield from self._loose(move.place, move.onto)

    def _orange(self) -> Iterator[Violation]:
        seat, place, card = self.move.seat, self.move.place, self.move.cards[0]
        if place == seat:
            yield rules["orange-ways"](self.where, f"{self._name} draws one of {self._name}’s own cards")
        elif place == DECK:
            yield from self._on_top()
            yield from self._unstacked()
        elif place == PILE:
            yield from self._on_top()
            yield from self._makes_zero(seat, rules["orange-ways"])
        elif card in self.state.cc[place]:
            yield from self._unstacked()
            if self.state.cc[seat]:
                yield rules["orange-ways"](
                    self.where,
                    f"{self._name} takes a cc-side card from {self.names[place]}, but already has "
                    f"{card_names(self.state.cc[seat])} cc side up",
                )
        else:
            yield from list(self._loose(place, (card,))) or self._makes_zero(seat, rules["orange-ways"])

    def _makes_zero(self, seat: int, rule: Rule) -> Iterator[Violation]:
        """The cards must make zero with number-side cards of this player."""
        cards = self.move.cards
        if self.move.onto:
            yield from self._stacked(seat)
        elif -sum(cards) not in sums_of(self.state.loose[seat]):
            do = "does" if len(cards) == 1 else "do"
            yield rule(
                self.where, f"{card_names(cards)} {do} not make zero with {self.names[seat]}’s number-side cards"
            )

    def _green(self) -> Iterator[Violation]:
        seat, place, cards, onto = self.move.seat, self.move.place, self.move.cards, self.move.onto
        cc_up = cards[0] in self.state.cc[seat]
        if place == seat:
            yield rules["green-ways"](self.where, f"{self._name} discards onto one of {self._name}’s own cards")
        elif (place == PILE or cc_up) and len(cards) + len(onto) > 1:
            limit = "only one card can go on the pile" if place == PILE else "a cc-side card must be given by itself"
            yield rules["green-ways"](self.where, f"{self._name} discards {card_names(cards + onto)}, but {limit}")
        elif cc_up and place != PILE and self.state.cc[place]:
            yield rules["green-ways"](
                self.where,
                f"{self._name} gives {card_names(cards)} cc side up to {self.names[place]}, who already has "
                f"{card_names(self.state.cc[place])} cc side up",
            )
        elif not cc_up:
            not_loose = list(self._loose(seat, cards))
            yield from not_loose
            if not not_loose and place != PILE and min(cards) < 0 < max(cards):
                yield rules["green-ways"](
                    self.where, f"{self._name} gives {card_names(cards)}, but they are of two suits"
                )
            elif not not_loose and place != PILE:
                yield from self._makes_zero(place, rules["green-ways"])

    def _stacked(self, seat: int) -> Iterator[Violation]:
        """The cards must make a stack with `onto`, the cards of this player."""
        cards, onto = self.move.cards, self.move.onto
        if onto and sum(cards) + sum(onto):
            yield rules["zero-sum"](self.where, f"{card_names(cards + onto)} do not add up to zero")
        elif onto:
            yield from self._loose(seat, onto)

    def _loose(self, seat: int, cards: Cards) -> Iterator[Violation]:
        """The cards must lie loose and number side up in front of a player."""
        for card in without(cards, self.state.loose[seat]):
            if any(card in stack for stack in self.state.stacks[seat]):
                yield rules["locked"](self.where, f"{card_name(card)} is in a locked stack of {self.names[seat]}")
            else:
                yield rules["in-hand"](
                    self.where,
                    f"{self.names[seat]} has no loose {card_name(card)} number side up; it {self._place_of(card)}",
                )

    def _place_of(self, card: int) -> str:
        """Where a card is, as a phrase that follows “it”."""
        state = self.state
        for seat, name in enumerate(self.names):
            if card in state.cc[seat]:
                return f"lies cc side up in front of {name}"
            if card in state.loose[seat] or any(card in stack for stack in state.stacks[seat]):
                return f"lies number side up in front of {name}"
        if card in state.pile:
            return "is in the pile"
        return "is still in the deck" if card in state.deck else "is not in this deck"
