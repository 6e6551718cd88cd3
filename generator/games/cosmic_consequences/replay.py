"""Playing a travel log through: every turn is checked against the rules and leads on to the next.

A turn that breaks a rule is reported and then played all the same, as it was at the table: the pawn stands where the
log has it, and a card lies where it was put. If a turn does not say what was done, the replay ends there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple

from ...rules.book import Rule, Violation
from ..turns import counted, listed, replaced
from . import play, rules
from .log import Log, Turn, is_stack
from .play import DECK, NONE, PILE, Cards, Demand, DemandKind, Move, State, can_make, holds, without
from .routes import Routes
from .sheet import Forced, Line, card_name, card_names


class ReplayedLog(Log):
    """A travel log that knows what it leads to."""

    @cached_property
    def replay(self) -> Replay | None:
        """The log played through; None if its players cannot be told apart."""
        return Replay(self) if self.playable else None


class Note(NamedTuple):
    """Where a pawn would go on from if the players had forgotten a rule: the rule, the space, and how a sentence about
    the pawn's player goes on after “but”. Without a rule, the mistake has been reported already."""

    rule: Rule | None
    space: str
    message: str


class Replay:
    """What a log leads to: `state` is the table at its end, `whole` whether it could be played to its end, and
    `violations` what it breaks, turn by turn. `chances` are the turns in which players came to have cards that could
    make enough stacks to win; nobody has to lay them. `assumed` are the players who may have laid them when the log
    ended."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.violations = list(_deck_violations(log))
        deck = log.deck if not any(violation.rule is rules.DEAL for violation in self.violations) else None
        self.state = play.start(log.spec, len(log.names), deck)
        self.whole = True
        self.chances: list[tuple[str, int]] = []
        self.assumed: tuple[int, ...] = ()
        self._decks = [self.state.deck] if self.state.known else []
        """Every order that a known deck may have: a zero card drawn by cutting may have been either of the two."""
        self._unanswered: set[tuple[int, str]] = set()
        """Who was asked to draw or discard in this turn, and has no entry for it."""
        self._waiting: dict[Forced, list[Violation]] = {}
        """Entries of this turn that were not allowed on a green space, and what was wrong with them."""
        self._notes: dict[int, tuple[Note, ...]] = {}
        """For each seat, where its pawn would be if something other than its roll had not moved it."""
        self._play_log()

    def _play_log(self) -> None:
        for turn in self.log.turns:
            if play.is_over(self.state):
                self._after_the_end(turn.id)
                break
            before = self._able()
            self._play_turn(turn)
            new = [seat for seat in self._able() if seat not in before]
            self.chances += [(turn.id, seat) for seat in new]
            self.assumed = self.assumed or tuple(seat for seat in new if self._may_have_won(seat))
            if turn is not self.log.turns[-1]:
                self.assumed = ()
            if not self.whole:
                break

    def _able(self) -> list[int]:
        """The players whose cards make enough stacks, laid or loose."""
        state = self.state
        return [seat for seat in range(len(state.at)) if play.count(state, seat) >= state.spec.stacks]

    def _may_have_won(self, seat: int) -> bool:
        """Whether the hands on the sheet leave it open that a player has laid enough stacks."""
        hand = self.log.hands.get(seat)
        return hand is None or hand.locked >= self.log.spec.stacks

    def _breaks_off(self, turn: Turn) -> bool:
        """Whether the rest of a turn may be missing because a player has won: only in the last turn of a log. All that
        are able to win may have then."""
        if turn is not self.log.turns[-1]:
            return False
        self.assumed = tuple(filter(self._may_have_won, self._able()))
        return bool(self.assumed)

    def _breach(self, rule: Rule, where: str | Iterable[str], message: str, seat: int | None = None) -> None:
        """Reports a violation; `seat` is the player's, unless it is the one whose turn it is."""
        self.violations.append(rule(where, message, None if seat is None else self._name(seat)))

    def _name(self, seat: int) -> str:
        return self.log.names[seat]

    def _do(self, move: Move) -> None:
        """Makes a move, and notes the pawns that it moves otherwise than by a roll."""
        before, self.state = self.state, play.apply(self.state, move)
        self._draw_from_decks(before.deck, self.state.deck)
        for seat in range(len(before.at)):
            notes = tuple(_displaced(before, self.state, move, seat))
            if notes:
                self._notes[seat] = (*notes, *self._notes.get(seat, ()))

    def _draw_from_decks(self, before: Cards, after: Cards) -> None:
        """Takes the cards that a move has taken from the deck out of every order that the deck may have."""
        for card in (Counter(before) - Counter(after)).elements():
            places = ((deck, place) for deck in self._decks for place in range(len(deck)) if deck[place] == card)
            self._decks = list(dict.fromkeys(deck[:place] + deck[place + 1 :] for deck, place in places))

    def _draw_top(self, move: Move) -> None:
        """Makes the draw of a card that must be the top one."""
        below = [deck[1:] for deck in self._decks if deck[:1] == move.cards]
        self._do(move)
        if below:
            self._decks = below
            self.state = self.state._replace(deck=below[0])

    def _with_on_top(self, card: int) -> State:
        """The table with a deck that has this card on top, if it may lie in such an order."""
        deck = next((deck for deck in self._decks if deck[:1] == (card,)), self.state.deck)
        return self.state._replace(deck=deck)

    def _after_the_end(self, where: str) -> None:
        """Reports something in the log after the game was over."""
        state = self.state
        won = f"{listed([*map(self._name, state.winners)])} had won"
        if state.spec.cards and all(play.shown(state, seat) < state.spec.stacks for seat in state.winners):
            won = f"the deck had run out, and {won}"
        self._breach(rules.AFTER_THE_END, where, f"the game was already over: {won}")

    # ---- a turn -----------------------------------------------------------------------------------------------------

    def _play_turn(self, turn: Turn) -> None:
        seat = self._seat(turn)
        self.state = self.state._replace(seat=seat)
        self._unanswered, self._waiting = set(), {}
        forced = [answer if answer.seat is not None else replace(answer, seat=seat) for answer in turn.forced]
        if self.log.spec.cards:
            self._actions(turn, seat)
        else:
            self._without_cards(turn)
            forced = []
        self.state = self.state._replace(step="roll")
        self._meet_demands(turn, forced, rolled=False)
        if play.is_over(self.state):
            rest = (("roll", turn.roll), ("to", turn.to), ("forced", forced))
            for field in [field for field, value in rest if value][:1]:
                self._after_the_end(f"{turn.id}.{field}")
            return
        self._roll(turn, seat)
        self._meet_demands(turn, forced, rolled=True)
        for answer in forced:
            self._not_asked(answer, f"{turn.id}.forced")

    def _seat(self, turn: Turn) -> int:
        """The seat that takes the turn by the log, even if it is another player's turn."""
        right = self.state.seat
        if turn.seat is None:
            self._breach(rules.TURN_NAMED, turn.id, f"it is not said who takes this turn; it is {self._name(right)}'s")
            return right
        if turn.seat != right:
            self._breach(
                rules.TURN_ORDER,
                f"{turn.id}.player",
                f"{self._name(turn.seat)} takes a turn, but it is {self._name(right)}'s turn",
            )
        return turn.seat

    def _without_cards(self, turn: Turn) -> None:
        fields = [*(kind for kind, _ in turn.actions), *["forced"] * bool(turn.forced)]
        if fields:
            self._breach(
                rules.RACE,
                [f"{turn.id}.{field}" for field in fields],
                f"{self._name(self.state.seat)} does something with cards in a race without them",
            )

    def _actions(self, turn: Turn, seat: int) -> None:
        began, kinds = self.state.at[seat], [kind for kind, _ in turn.actions]
        if len(kinds) > 1:
            self._breach(
                rules.ONE_ACTION,
                [f"{turn.id}.{kind}" for kind in kinds],
                f"{self._name(seat)} {listed([f'{kind}s' for kind in kinds])} in one turn, but only one card action is "
                "allowed",
            )
        for kind, line in turn.actions:
            demands = self.state.demands
            self.state = self.state._replace(step="act", demands=())
            cards, onto = split(self.state, seat, line, None)
            move = Move(kind, seat, cards, line.other, onto)
            check = CardCheck(self.log.names, self.state, move, f"{turn.id}.{kind}")
            self.violations += check.action_violations(began)
            self._do(move)
            demands = () if self.state.winners else (*demands, *self.state.demands)
            self.state = self.state._replace(demands=demands)

    def _roll(self, turn: Turn, seat: int) -> None:
        state, routes = self.state, self.log.spec.routes
        walks = routes.walks(state.at[seat], turn.roll) if turn.roll else {}
        to = turn.to if turn.roll and turn.to else self._incomplete(turn, seat, list(walks))
        if not to:
            return
        if to == routes.start not in walks:  # the log may name the Big Bang, where the pawn is sent back to
            to = next((space for space in walks if routes.sends_back(space)), to)
        strays: tuple[Note, ...] = ()
        if turn.roll and to not in walks:
            note = next((note for note in self._notes.get(seat, ()) if to in routes.walks(note.space, turn.roll)), None)
            if note:
                self.state = state._replace(at=replaced(state.at, seat, note.space))
            else:  # the log may have the wrong space: later moves may begin where the roll leads
                strays = tuple(Note(None, routes.start if routes.sends_back(space) else space, "") for space in walks)
            if note is None or note.rule:
                self.violations.append(self._misplaced(state, turn, seat, to, note))
        self._notes.pop(seat, None)
        self._do(Move("go", seat, to=to, roll=turn.roll))
        if strays:
            self._notes[seat] = (*strays, *self._notes.get(seat, ()))

    def _incomplete(self, turn: Turn, seat: int, walks: Sequence[str]) -> str:
        """The space of a move without a roll or a space; empty if the replay ends here."""
        if not (turn.roll or turn.to) and self._breaks_off(turn):
            return ""
        missing = listed([what for what, value in (("the roll", turn.roll), ("the space", turn.to)) if not value])
        self._breach(rules.TURN_TOLD, turn.id, f"{missing} of {self._name(seat)}'s move is not told")
        if not turn.to and len(walks) != 1:
            self.whole = False
            return ""
        return turn.to or walks[0]

    def _misplaced(self, state: State, turn: Turn, seat: int, to: str, note: Note | None) -> Violation:
        """What is wrong with a move to a space that the roll does not lead to; `note` is the rule that would explain
        it."""
        routes, name, here, where = self.log.spec.routes, self._name(seat), state.at[seat], f"{turn.id}.to"
        if note and note.rule:
            return note.rule(where, f"{name} moves on from {routes.space_name(note.space)}, but {note.message}")
        spaces = listed([routes.space_name(space) for space in routes.walks(here, turn.roll)], "or")
        return _move_rule(routes, here, turn.roll, to)(
            where,
            f"{name} rolls a {turn.roll} {routes.on_space(here)}, which leads to {spaces}, not to "
            f"{routes.space_name(to)}",
        )

    # ---- demands ----------------------------------------------------------------------------------------------------

    def _meet_demands(self, turn: Turn, forced: list[Forced], *, rolled: bool) -> None:
        """Meets the open demands, each with the `forced` entry that answers it, which it removes from the list."""
        while self.state.demands and not self.state.winners:
            demand = self.state.demands[0]
            answer = self._answer_to(demand, forced, turn, rolled)
            if answer is None:
                nothing_follows = not forced and (rolled or not (turn.roll or turn.to))
                if not (nothing_follows and demand.kind != "green" and self._breaks_off(turn)):
                    self._unmet(demand, turn)
                self._do(Move("pass", demand.seat))
                continue
            forced.remove(answer)
            if demand.kind == "leaving":
                self.state = self._with_on_top(answer.line.cards[0])
            move = _answer(self.state, demand, answer)
            self.violations += self._wrong_with(move, demand, turn)
            if demand.kind == "leaving" and move.other == DECK:
                self._draw_top(move)
            else:
                self._do(move)

    def _answer_to(self, demand: Demand, forced: list[Forced], turn: Turn, rolled: bool) -> Forced | None:
        """The first entry that answers a demand. Nobody has to discard on green: an entry that is not allowed there
        waits for the next green space of the same player, if there may be one in this turn."""
        answers = [answer for answer in forced if answer.seat == demand.seat and answer.verb == _verb(demand)]
        if demand.kind != "green" or (rolled and demand not in self.state.demands[1:]):
            return answers[0] if answers else None
        for answer in answers:
            wrong = self._wrong_with(_answer(self.state, demand, answer), demand, turn)
            if not wrong:
                return answer
            self._waiting[answer] = wrong
        return None

    def _wrong_with(self, move: Move, demand: Demand, turn: Turn) -> list[Violation]:
        """All that is wrong with a move that meets a demand."""
        check, name = CardCheck(self.log.names, self.state, move, f"{turn.id}.forced"), self._name(demand.seat)
        return [violation._replace(player=name) for violation in check.answer_violations(demand.kind)]

    def _unmet(self, demand: Demand, turn: Turn) -> None:
        """Reports a draw that is missing from the log, if there was something to draw."""
        self._unanswered.add((demand.seat, _verb(demand)))
        if demand.kind == "green" or not play.can_answer(self.state, demand):
            return
        name = self._name(demand.seat)
        if demand.kind == "leaving":
            message = f"{name} leaves the Big Bang and has to take the top card of the deck"
            self._breach(rules.LEAVING, turn.id, message, demand.seat)
        else:
            self._breach(
                rules.ORANGE,
                turn.id,
                f"{name} stands on {self.state.at[demand.seat]}, which is orange, and has to take a card",
                demand.seat,
            )

    def _not_asked(self, answer: Forced, where: str) -> None:
        assert answer.seat is not None
        asked = sorted(seat for seat, verb in self._unanswered if verb == answer.verb and seat != answer.seat)
        others = [self._name(seat) for seat in asked]
        message = f"nothing asks {self._name(answer.seat)} to {answer.verb} {card_names(answer.line.cards)} here"
        hint = f"; if it was {listed(others, 'or')}, write the name before “{answer.verb}”" if others else ""
        self.violations += self._waiting.get(answer) or [rules.NOT_ASKED(where, message + hint)]
        if not self.state.winners:
            demand = Demand(answer.seat, "orange" if answer.verb == "draw" else "green")
            self.state = self.state._replace(demands=(demand,))
            self._do(_answer(self.state, demand, answer))


def _deck_violations(log: Log) -> Iterator[Violation]:
    if log.deck is None:
        return
    game, deck = Counter(log.spec.deck), Counter(log.deck)
    too_many = sorted((deck - game).elements())
    if too_many:
        yield rules.DEAL("deal", f"the deck has {card_names(too_many)} too often")
    elif game - deck:
        yield rules.DEAL_WHOLE(
            "deal",
            f"the deal tells of {len(log.deck)} of the {len(log.spec.deck)} cards, and is taken for the whole deck",
        )


def _verb(demand: Demand) -> Literal["draw", "discard"]:
    """What a demand asks for."""
    return "discard" if demand.kind == "green" else "draw"


def _answer(state: State, demand: Demand, answer: Forced) -> Move:
    """The move with which a demand was met."""
    cards, onto = split(state, demand.seat, answer.line, demand.kind)
    return Move(_verb(demand), demand.seat, cards, answer.line.other, onto)


# ---- the hands at the end -------------------------------------------------------------------------------------------


def hand_violations(log: ReplayedLog) -> Iterator[Violation]:
    """What is wrong with the hands at the end: each by itself, all together, and compared with the log."""
    for hand in log.hands.values():
        for stack, field in zip(hand.stacks, hand.fields, strict=True):
            if not is_stack(stack):
                yield rules.STACK_ZERO(
                    field,
                    f"{card_names(stack)} sum{'s' * (len(stack) == 1)} to {card_name(sum(stack))}, not to zero"
                    if sum(stack)
                    else "a stack without cards",
                )
    yield from _card_once(log)
    yield from _hands_agree(log)
    for hand in log.hands.values():
        claimed = log.sheet.number(f"{hand.id}.claimed.stacks")
        if claimed is not None and claimed != hand.locked:
            yield rules.CLAIMED_STACKS(
                f"{hand.id}.claimed.stacks",
                f"{log.names[hand.seat]} claims {claimed}, but has {counted(hand.locked, 'locked zero stack')}",
            )


def _card_once(log: ReplayedLog) -> Iterator[Violation]:
    copies, seen = Counter(log.spec.deck), Counter[int]()
    for hand in log.hands.values():
        for card in hand.cc + hand.numbers:
            seen[card] += 1
            if seen[card] == copies[card] + 1:
                yield rules.CARD_ONCE(hand.id, f"{card_name(card)} lies in more places than there are such cards")


def _hands_agree(log: ReplayedLog) -> Iterator[Violation]:
    if log.replay is None or not log.turns or not log.replay.whole or not log.spec.cards:
        return
    state = log.replay.state
    for seat, hand in log.hands.items():
        name, numbers = log.names[seat], tuple(sorted(sum(state.stacks[seat], state.loose[seat])))
        for side, in_hand, in_play, field in (
            ("cc side up", hand.cc, state.cc[seat], "cc_up"),
            ("number side up", hand.numbers, numbers, "number_up"),
        ):
            if in_hand != in_play:
                yield rules.HANDS_AGREE(
                    f"{hand.id}.{field}",
                    f"{name} has {card_names(in_hand)} {side}, but the turns lead to {card_names(in_play)}",
                )
        for stack in state.stacks[seat] if hand.numbers == numbers else ():
            if len(stack) > 1 and stack not in hand.stacks:
                yield rules.HANDS_AGREE(
                    hand.id, f"{card_names(stack)} were stacked before {name}, but are no stack in the hand"
                )


# ---- pawns that do not stand where they should ----------------------------------------------------------------------


def _displaced(before: State, after: State, move: Move, seat: int) -> Iterator[Note]:
    """Where the players may have left a pawn that a move has put elsewhere than its own roll did."""
    routes, there, here = before.spec.routes, before.at[seat], after.at[seat]
    if move.kind == "go" and seat == move.seat:
        if here != move.to:
            yield Note(rules.FIRST_THREE, move.to, "is back in the Big Bang")
    elif there == here:  # in the Big Bang nobody has to make room
        if move.kind == "go" and after.at[move.seat] == here == routes.start:
            yield Note(rules.TOGETHER, before.at[move.seat], "stays in the Big Bang, where there is room")
    elif move.kind == "jump" and seat == move.seat:
        yield from _jumped(rules.JUMP, routes, there, here, move.cards)
    elif move.kind == "discard" and seat == move.other:
        yield from _jumped(rules.RECEIVER_JUMPS, routes, there, here, move.cards)
    else:
        yield Note(rules.BUMP, there, f"was met there and had to go to {routes.space_name(here)}")


def _jumped(rule: Rule, routes: Routes, there: str, here: str, cards: Cards) -> Iterator[Note]:
    """A pawn may not have jumped at all, or not to the nearest space, or not across the wormhole."""
    message = f"has jumped from {routes.space_name(there)} to {routes.space_name(here)}"
    across = routes.ring_of.get(there) == "left"
    yield Note(rule, there, message)
    for spot in routes.spots[cards[0]]:
        if spot != here:
            yield Note(rules.ACROSS if across else rules.JUMP, spot, message)


def _move_rule(routes: Routes, here: str, roll: int, to: str) -> Rule:
    """The rule that says where a roll leads from here."""
    rings = {**routes.ring_of, **{centre: name for name, centre in routes.centres.items()}}
    if (here, roll) == routes.loop:
        return rules.LOOP
    if here in routes.wormholes or {rings.get(here), rings.get(to)} == {"left", "right"}:
        return rules.WORMHOLE
    if here in routes.entry or (here not in rings and to in rings):
        return rules.ARROW
    return rules.CURVED if here in rings else rules.MOVE


# ---- moves with cards -----------------------------------------------------------------------------------------------


def split(state: State, seat: int, line: Line, demand: DemandKind | None) -> tuple[Cards, Cards]:
    """The cards of a line that are moved, and those they are stacked with. If the line does not tell them apart, the
    first card is moved and, on green, those of the others that the player has and the receiver has not."""
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
    """A move with cards, the table before it, and the id of its field on the sheet."""

    names: Sequence[str]
    state: State
    move: Move
    where: str

    def action_violations(self, began: str) -> Iterator[Violation]:
        """All that is wrong with a card action in a turn that began on the space `began`."""
        move, routes = self.move, self.state.spec.routes
        if routes.asks(began):
            yield rules.WHERE_ACT(
                self.where,
                f"{self._name} begins this turn on {began}, which is "
                f"{routes.asks(began)}: there is no card action there",
            )
        elif move.kind != "discard" and routes.kinds[began] != "cc":
            yield rules.WHERE_ACT(
                self.where,
                f"{self._name} begins this turn {routes.on_space(began)}, but only a number lets one {move.kind}",
            )
        if move.kind == "jump":
            yield from self._cc_up()
            yield from self._stacked(move.seat)
        elif move.kind == "discard":
            yield from self._laid_on()
        else:
            if move.other in (DECK, PILE):
                yield from self._on_top()
            else:
                yield rules.DRAW_FROM(
                    self.where,
                    f"{self._name} draws from {self.names[move.other]}, but a number "
                    "lets one draw from the deck and the pile only",
                )
            yield from self._unstacked()

    def answer_violations(self, demand: DemandKind) -> Iterator[Violation]:
        """All that is wrong with a move that meets a demand."""
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
        """A card drawn cc side up makes no stack."""
        if self.move.onto:
            yield rules.ZERO_SUM(
                self.where, f"{self._name} stacks {card_names(self.move.cards)}, which lies cc side up"
            )

    def _on_top(self) -> Iterator[Violation]:
        """A card drawn from the deck must be in it, and one from the pile on top of it."""
        card, pile = self.move.cards[0], self.state.pile
        if self.move.other == DECK and card not in self.state.deck:
            yield rules.DECK(
                self.where, f"{self._name} draws {card_name(card)} from the deck, but it {self._place_of(card)}"
            )
        elif self.move.other == PILE and pile[-1:] != (card,):
            top = f"{card_name(pile[-1])} lies on top" if pile else "no card lies there"
            yield rules.PILE(self.where, f"{self._name} draws {card_name(card)} from the pile, but {top}")

    def _cc_up(self) -> Iterator[Violation]:
        """A card to turn over must lie cc side up before the player."""
        card = self.move.cards[0]
        if card not in self.state.cc[self.move.seat]:
            yield rules.IN_HAND(
                self.where, f"{self._name} has no {card_name(card)} cc side up: it {self._place_of(card)}"
            )

    def _laid_on(self) -> Iterator[Violation]:
        """One card, cc side up, is laid onto one number-side card of another player."""
        move = self.move
        if move.other in (PILE, move.seat, NONE):
            onto = "the pile" if move.other == PILE else "an own card"
            yield rules.DISCARD(
                self.where, f"{self._name} discards onto {onto}, but may only lay a card onto another player's"
            )
            return
        yield from self._cc_up()
        if len(move.cards) != 1 or len(move.onto) != 1 or sum(move.cards) + sum(move.onto):
            yield rules.DISCARD(
                self.where,
                f"{card_names(move.cards)} onto {card_names(move.onto)} is not one card that makes zero with one other",
            )
        elif not any(move.onto):
            yield rules.LOCKED(self.where, f"{self._name} discards onto a zero card, which is locked")
        else:
            yield from self._loose(move.other, move.onto)

    # ---- demands ----------------------------------------------------------------------------------------------------

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
                yield rules.ORANGE_WAYS(
                    self.where,
                    f"{self._name} takes a card cc side up from {self.names[other]}, "
                    f"but has {card_names(self.state.cc[seat])} cc side up",
                )
        else:
            yield from list(self._loose(other, (card,))) or self._makes_zero()

    def _makes_zero(self) -> Iterator[Violation]:
        card, seat = self.move.cards[0], self.move.seat
        if self.move.onto:
            yield from self._stacked(seat)
        elif not can_make(self.state.loose[seat], -card):
            yield rules.ORANGE_WAYS(
                self.where, f"{card_name(card)} makes no zero with what lies number side up before {self._name}"
            )

    def _green(self) -> Iterator[Violation]:
        seat, other, cards, onto = self.move.seat, self.move.other, self.move.cards, self.move.onto
        cc_up = cards[0] in self.state.cc[seat]
        if other == seat:
            yield rules.GREEN_WAYS(self.where, f"{self._name} discards onto an own card")
        elif (other == PILE or cc_up) and len(cards) + len(onto) > 1:
            right = (
                "one card goes onto the pile" if other == PILE else "a card that lies cc side up is given as it lies"
            )
            yield rules.GREEN_WAYS(self.where, f"{self._name} discards {card_names(cards + onto)}, but {right}")
        elif cc_up and other != PILE and self.state.cc[other]:
            yield rules.GREEN_WAYS(
                self.where,
                f"{self._name} gives {card_names(cards)} cc side up to "
                f"{self.names[other]}, who has {card_names(self.state.cc[other])} lying "
                "so",
            )
        elif not cc_up:
            yield from list(self._loose(seat, cards)) or (self._numbers_given() if other != PILE else ())

    def _numbers_given(self) -> Iterator[Violation]:
        """Number-side cards given to a player are of one suit and make zero."""
        cards, other = self.move.cards, self.move.other
        if min(cards) < 0 < max(cards):
            yield rules.GREEN_WAYS(self.where, f"{self._name} gives {card_names(cards)}, which are of both suits")
        elif self.move.onto:
            yield from self._stacked(other)
        elif not can_make(self.state.loose[other], -sum(cards)):
            yield rules.GREEN_WAYS(
                self.where,
                f"{card_names(cards)} makes no zero with what lies number side up before {self.names[other]}",
            )

    # ---- where cards lie --------------------------------------------------------------------------------------------

    def _stacked(self, seat: int) -> Iterator[Violation]:
        """The cards must make a stack with `onto`, which lies before this player."""
        cards, onto = self.move.cards, self.move.onto
        if onto and sum(cards) + sum(onto):
            yield rules.ZERO_SUM(self.where, f"{card_names(cards + onto)} do not sum to zero")
        elif onto:
            yield from self._loose(seat, onto)

    def _loose(self, seat: int, cards: Cards) -> Iterator[Violation]:
        """The cards must lie loose before a player, number side up."""
        for card in without(cards, self.state.loose[seat]):
            if any(card in stack for stack in self.state.stacks[seat]):
                yield rules.LOCKED(self.where, f"{card_name(card)} lies in a locked stack before {self.names[seat]}")
            else:
                yield rules.IN_HAND(
                    self.where,
                    f"{self.names[seat]} has no loose {card_name(card)} number side up: it {self._place_of(card)}",
                )

    def _place_of(self, card: int) -> str:
        """Where a card lies, as a sentence continues after “it”."""
        state = self.state
        for seat, name in enumerate(self.names):
            if card in state.cc[seat]:
                return f"lies cc side up before {name}"
            if card in state.loose[seat] or any(card in stack for stack in state.stacks[seat]):
                return f"lies number side up before {name}"
        if card in state.pile:
            return "lies in the pile"
        return "is still in the deck" if card in state.deck else "is not there"
