"""A travel log, played through: every turn is checked against the rules, and leads on to the next.

A turn against the rules is reported and then played all the same, as it was at the table: the pawn stands where the log
has it, and a card lies where it was put. Where a turn does not say what was done, the replay ends with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from ...rules.book import Rule, Violation
from ..turns import listed, replaced
from . import play, rules
from .card_checks import CardCheck, split
from .lines import Forced, card_names
from .play import Cards, Demand, DemandKind, Move, State
from .routes import Routes

if TYPE_CHECKING:  # a log has its replay
    from .log import Log, Turn


class Note(NamedTuple):
    """Where a pawn would go on from, had a rule been forgotten: the rule, the space, and how a sentence about the
    pawn's player goes on after “but”. Without a rule, what was wrong has been reported already."""

    rule: Rule | None
    space: str
    message: str


class Replay:
    """What comes of a log: `state` is the table it leads to, `whole` whether it could be played to its end, and
    `violations` what it breaks, turn by turn."""

    def __init__(self, log: Log) -> None:
        self.log = log
        self.violations = list(_deck_violations(log))
        deck = log.deck if not any(violation.rule is rules.DEAL for violation in self.violations) else None
        self.state = play.start(log.spec, len(log.names), deck)
        self.whole = True
        self._notes: dict[int, tuple[Note, ...]] = {}
        """For each seat, where its pawn would be if it had not been moved by something other than its roll."""

    def breach(self, rule: Rule, where: str | Iterable[str], message: str) -> None:
        self.violations.append(rule(where, message))

    def name(self, seat: int) -> str:
        return self.log.names[seat]

    def do(self, move: Move) -> None:
        """Makes a move, and remembers which pawns it has moved beside its own."""
        before, self.state = self.state, play.apply(self.state, move)
        for seat in range(len(before.at)):
            notes = tuple(_displaced(before, self.state, move, seat))
            if notes:
                self._notes[seat] = (*notes, *self._notes.get(seat, ()))

    def after_the_end(self, where: str) -> None:
        """Something stands in the log after the game was over."""
        state = self.state
        ran_out = state.spec.cards and not state.deck and all(
            play.count(state, seat) < state.spec.stacks for seat in state.winners)
        won = f"{' and '.join(map(self.name, state.winners))} had won before this"
        self.breach(rules.AFTER_THE_END, where, f"the deck had run out before this, and {won}" if ran_out else won)

    # ---- a turn -----------------------------------------------------------------------------------------------------

    def turn(self, turn: Turn) -> None:
        seat = self._seat(turn)
        self.state = self.state._replace(seat=seat)
        forced = list(turn.forced)
        if self.log.spec.cards:
            self._actions(turn, seat)
        else:
            self._without_cards(turn)
            forced = []
        self.state = self.state._replace(step="roll")
        self._meet_demands(turn, forced)
        if play.is_over(self.state):
            rest = (("roll", turn.roll), ("to", turn.to), ("forced", forced))
            for field in [field for field, value in rest if value][:1]:
                self.after_the_end(f"{turn.id}.{field}")
            return
        self._roll(turn, seat)
        self._meet_demands(turn, forced)
        for answer in forced:
            self._not_asked(answer, seat, f"{turn.id}.forced")

    def _seat(self, turn: Turn) -> int:
        """Who takes the turn by the log, which may be somebody else than should."""
        right = self.state.seat
        if turn.seat is None:
            self.breach(rules.TURN_NAMED, turn.id, f"it is not said who takes this turn; it is {self.name(right)}'s")
            return right
        if turn.seat != right:
            self.breach(rules.TURN_ORDER, f"{turn.id}.player",
                        f"{self.name(turn.seat)} takes a turn, but it is {self.name(right)}'s turn")
        return turn.seat

    def _without_cards(self, turn: Turn) -> None:
        fields = [*(kind for kind, _ in turn.actions), *["forced"] * bool(turn.forced)]
        if fields:
            self.breach(rules.RACE, [f"{turn.id}.{field}" for field in fields],
                        f"{self.name(self.state.seat)} does something with cards in a race without them")

    def _actions(self, turn: Turn, seat: int) -> None:
        began, kinds = self.state.at[seat], [kind for kind, _ in turn.actions]
        if len(kinds) > 1:
            self.breach(rules.ONE_ACTION, [f"{turn.id}.{kind}" for kind in kinds],
                        f"{self.name(seat)} does {' and '.join(kinds)} in one turn")
        for kind, line in turn.actions:
            demands = self.state.demands
            self.state = self.state._replace(step="act", demands=())
            cards, onto = split(self.state, seat, line, None) if kind == "discard" else \
                (line.cards[:1], line.onto or ())
            move = Move(kind, seat, cards, line.other, onto)
            check = CardCheck(self.log.names, self.state, move, f"{turn.id}.{kind}")
            self.violations += check.action_violations(began)
            self.do(move)
            demands = () if self.state.winners else (*demands, *self.state.demands)
            self.state = self.state._replace(demands=demands)

    def _roll(self, turn: Turn, seat: int) -> None:
        state, routes, to = self.state, self.log.spec.routes, turn.to
        walks = routes.walks(state.at[seat], turn.roll) if turn.roll else {}
        if not (turn.roll and to):
            missing = " and ".join(what for what, value in (("the roll", turn.roll), ("the space", to)) if not value)
            self.breach(rules.TURN_TOLD, turn.id, f"{missing} of {self.name(seat)}'s move is not told")
            if not to and len(walks) != 1:
                self.whole = False
                return
            to = to or next(iter(walks))
        elif to == routes.start not in walks:        # who is sent back there may say so at once
            to = next((space for space in walks if routes.sends_back(space)), to)
        strays: tuple[Note, ...] = ()
        if turn.roll and to not in walks:
            note = next((note for note in self._notes.get(seat, ()) if to in routes.walks(note.space, turn.roll)), None)
            if note:
                self.state = state._replace(at=replaced(state.at, seat, note.space))
            else:           # perhaps the log has the wrong space
                strays = tuple(Note(None, routes.start if routes.sends_back(space) else space, "") for space in walks)
            if note is None or note.rule:
                self.violations.append(self._misplaced(state, turn, seat, to, note))
        self._notes.pop(seat, None)
        self.do(Move("go", seat, to=to, roll=turn.roll))
        if strays:
            self._notes[seat] = (*strays, *self._notes.get(seat, ()))

    def _misplaced(self, state: State, turn: Turn, seat: int, to: str, note: Note | None) -> Violation:
        """What is wrong with a move to a space that it does not lead to: the rule that was forgotten, if its move shows
        which."""
        routes, name, here, where = self.log.spec.routes, self.name(seat), state.at[seat], f"{turn.id}.to"
        if note and note.rule:
            return note.rule(where, f"{name} moves on from {routes.space_name(note.space)}, but {note.message}")
        spaces = listed([routes.space_name(space) for space in routes.walks(here, turn.roll)], "or")
        return _move_rule(routes, here, turn.roll, to)(
            where, f"{name} rolls a {turn.roll} {routes.on_space(here)}, which leads to {spaces}, not to "
                   f"{routes.space_name(to)}")

    # ---- what is asked for ------------------------------------------------------------------------------------------

    def _meet_demands(self, turn: Turn, forced: list[Forced]) -> None:
        """Meets the demands that are open, each with the first entry that fits it, which is taken off the list."""
        while self.state.demands and not self.state.winners:
            demand = self.state.demands[0]
            answer = next((answer for answer in forced if _fits(self.state, demand, answer)), None)
            if answer is None:
                self._unmet(demand, turn)
                self.do(Move("pass", demand.seat))
                continue
            forced.remove(answer)
            move = _answer(self.state, demand, answer)
            check = CardCheck(self.log.names, self.state, move, f"{turn.id}.forced")
            self.violations += check.answer_violations(demand.kind)
            self.do(move)

    def _unmet(self, demand: Demand, turn: Turn) -> None:
        """Reports a draw that was left out, if there was something to draw."""
        if demand.kind == "green" or not play.can_answer(self.state, demand):
            return
        name = self.name(demand.seat)
        if demand.kind == "leaving":
            self.breach(rules.LEAVING, turn.id, f"{name} leaves the Big Bang and has to take the top card of the deck")
        else:
            self.breach(rules.ORANGE, turn.id, f"{name} stands on {self.state.at[demand.seat]}, which is orange, and "
                                               "has to take a card")

    def _not_asked(self, answer: Forced, seat: int, where: str) -> None:
        who = "" if answer.seat is None else f" of {self.name(answer.seat)}"
        self.breach(rules.NOT_ASKED, where,
                    f"nothing asks{who} for this {answer.verb} of {card_names(answer.line.cards)}")
        if not self.state.winners:
            kind: DemandKind = "orange" if answer.verb == "draw" else "green"
            demand = Demand(seat if answer.seat is None else answer.seat, kind)
            self.state = self.state._replace(demands=(demand,))
            self.do(_answer(self.state, demand, answer))


def replay(log: Log) -> Replay:
    """Plays the log through."""
    played = Replay(log)
    for turn in log.turns:
        if play.is_over(played.state):
            played.after_the_end(turn.id)
            break
        played.turn(turn)
        if not played.whole:
            break
    return played


def _deck_violations(log: Log) -> Iterator[Violation]:
    if log.deck is None:
        return
    game, deck = Counter(log.spec.deck), Counter(log.deck)
    too_many = sorted((deck - game).elements())
    if too_many:
        yield rules.DEAL("deal", f"the deck has {card_names(too_many)} too often")
    elif game - deck:
        yield rules.DEAL_WHOLE("deal", f"the deal tells of {len(log.deck)} of the {len(log.spec.deck)} cards, and is "
                                       "taken for the whole deck")


def _fits(state: State, demand: Demand, answer: Forced) -> bool:
    if answer.verb != ("discard" if demand.kind == "green" else "draw"):
        return False
    if answer.seat is not None:
        return answer.seat == demand.seat
    if demand.kind != "green":
        return True
    card = answer.line.cards[0]
    return card in state.cc[demand.seat] + state.loose[demand.seat] or not any(
        card in state.cc[other.seat] + state.loose[other.seat] for other in state.demands[1:])


def _answer(state: State, demand: Demand, answer: Forced) -> Move:
    """What was done where this was asked for."""
    cards, onto = split(state, demand.seat, answer.line, demand.kind)
    return Move("draw" if answer.verb == "draw" else "discard", demand.seat, cards, answer.line.other, onto)


# ---- pawns that do not stand where they should ----------------------------------------------------------------------

def _displaced(before: State, after: State, move: Move, seat: int) -> Iterator[Note]:
    """What may be forgotten of a move that has put a pawn elsewhere than its own roll did."""
    routes, there, here = before.spec.routes, before.at[seat], after.at[seat]
    if move.kind == "go" and seat == move.seat:
        if here != move.to:
            yield Note(rules.FIRST_THREE, move.to, "is back in the Big Bang")
    elif there == here:             # in the Big Bang nobody has to make room
        if move.kind == "go" and after.at[move.seat] == here == routes.start:
            yield Note(rules.TOGETHER, before.at[move.seat], "stays in the Big Bang, where there is room")
    elif move.kind == "jump" and seat == move.seat:
        yield from _jumped(rules.JUMP, routes, there, here, move.cards)
    elif move.kind == "discard" and seat == move.other:
        yield from _jumped(rules.RECEIVER_JUMPS, routes, there, here, move.cards)
    else:
        yield Note(rules.BUMP, there, f"was met there and had to go to {routes.space_name(here)}")


def _jumped(rule: Rule, routes: Routes, there: str, here: str, cards: Cards) -> Iterator[Note]:
    """Not jumped at all, or jumped to another space than the nearest, or not across the wormhole."""
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
