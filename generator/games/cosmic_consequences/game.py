"""Replays, checks and scores the travel logs of Cosmic Consequences.

A turn that breaks a rule is reported and played anyway, as it was at the table: the pawn and the cards go where the log
puts them. The replay ends at a turn that does not say what happened.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from ...rules.results import Part, Result, Rule, Score, Strokes, Suggestion, Violation, line_of, ranks
from ...sheets import FilledSheet
from ...spelling import joined
from ..base import GameRules
from ..turns import Replay, StopReplay, counted, replaced
from . import play
from .card_checks import CardCheck, split
from .log import READING, ActionLine, Hand, Log, Turn, card_name, card_names, is_stack, rules
from .play import DECK, NONE, Cards, Consequence, Move, Routes, State, stacked


class MissedMove(Struct, frozen=True):
    """A rule that the players may have missed: the space from which the pawn would then move on, and a message that
    says, as a phrase after “but”, what the rule did. `rule` is None if the mistake has already been reported."""

    rule: Rule | None
    space: str
    message: str


class TravelReplay(Log, Replay[Turn]):
    """A travel log and its replay: `state` is the table at its end. Nothing is replayed if the log does not name the
    right number of players, each by a different name. `chances` are the turns, with seats, in which players first had
    the cards for enough stacks to win, although nobody has to lay them. `assumed` are the seats of the players who may
    have laid them when the log ended."""

    def __init__(self, sheet: FilledSheet) -> None:
        Log.__init__(self, sheet)
        Replay.__init__(self)
        self.violations = list(_deck_violations(self)) if self.playable else []
        deck = self.deck if not any(violation.rule is rules["deal"] for violation in self.violations) else None
        self.state = play.start(self.spec, len(self.names), deck)
        self.chances: list[tuple[str, int]] = []
        self.assumed: tuple[int, ...] = ()
        # The possible orders of a known deck: a zero card shown by a cut may be either of the two.
        self._decks = [self.state.deck] if self.state.known else []
        self._unanswered: set[tuple[int, str]] = set()
        """The seats that had to draw or could discard in this turn, but have no entry for it, with `draw` or
        `discard`."""
        # The entries of this turn that were not allowed on a green space, with their violations.
        self._disallowed: dict[ActionLine, list[Violation]] = {}
        # By seat, the rules that would explain a wrong move of the pawn.
        self._missed: dict[int, tuple[MissedMove, ...]] = {}
        self.follow(self.turns if self.playable else ())

    def play(self, turn: Turn) -> Iterator[Violation]:
        if play.is_over(self.state):
            raise StopReplay(self._after_the_end(turn.id), complete=True)
        before = self._able_to_win()
        yield from self._turn(turn)
        new = [seat for seat in self._able_to_win() if seat not in before]
        self.chances += [(turn.id, seat) for seat in new]
        self.assumed = self.assumed or tuple(seat for seat in new if self._may_have_won(seat))
        if turn is not self.turns[-1]:
            self.assumed = ()
        if not self.complete:
            raise StopReplay

    def _able_to_win(self) -> list[int]:
        """The seats of the players whose cards, stacked or loose, make enough stacks to win."""
        state = self.state
        return [seat for seat in range(len(state.at)) if play.count(state, seat) >= state.spec.stacks]

    def _may_have_won(self, seat: int) -> bool:
        """Whether a player may have laid enough stacks: no hand on the sheet says otherwise."""
        hand = self.hands.get(seat)
        return hand is None or hand.locked >= self.spec.stacks

    def _may_break_off(self, turn: Turn) -> bool:
        """Whether the rest of this turn may be missing because the game was over: a player may have won in it. If more
        turns follow, the hands on the sheet must say so."""
        able = tuple(filter(self._may_have_won, self._able_to_win()))
        if turn is self.turns[-1]:
            self.assumed = able
            return bool(able)
        for seat in [seat for seat in able if seat in self.hands]:
            state, stacks = self.state, self.hands[seat].zero_stacks
            loose = play.without(sum(state.stacks[seat], state.loose[seat]), sum(stacks, ()))
            self.state = state._replace(
                stacks=replaced(state.stacks, seat, stacks), loose=replaced(state.loose, seat, loose), winners=(seat,)
            )
        return play.is_over(self.state)

    def _do(self, move: Move) -> None:
        """Makes a move, removes the cards it took from all possible orders of the deck, and records which rules moved
        other pawns."""
        before, self.state = self.state, play.apply(self.state, move)
        for card in (Counter(before.deck) - Counter(self.state.deck)).elements():
            places = ((deck, place) for deck in self._decks for place in range(len(deck)) if deck[place] == card)
            self._decks = list(dict.fromkeys(deck[:place] + deck[place + 1 :] for deck, place in places))
        for seat in range(len(before.at)):
            self._missed[seat] = (*_displaced(before, self.state, move, seat), *self._missed.get(seat, ()))

    def _after_the_end(self, where: str) -> Violation:
        """The violation of an entry after the end of the game."""
        state = self.state
        won = f"{joined([*map(self.names.__getitem__, state.winners)])} had won"
        if state.spec.cards and all(play.winning_stacks(state, seat) < state.spec.stacks for seat in state.winners):
            won = f"the deck had run out, and {won}"
        return rules["after-the-end"](where, f"the game was already over: {won}")

    def _turn(self, turn: Turn) -> Iterator[Violation]:
        due, seat = self.state.seat, self.state.seat if turn.seat is None else turn.seat
        if turn.seat is None:
            yield rules["turn-named"](turn.id, f"the player of this turn is missing; it is {self.names[due]}’s turn")
        elif seat != due:
            message = f"{self.names[seat]} takes a turn, but it is {self.names[due]}’s turn"
            yield rules["turn-order"](f"{turn.id}.player", message)
        self.state = self.state._replace(seat=seat)
        self._unanswered, self._disallowed = set(), {}
        forced = [answer if answer.seat != NONE else replace(answer, seat=seat) for answer in turn.forced]
        if self.spec.cards:
            yield from self._actions(turn, seat)
        else:
            where = [f"{turn.id}.{line.kind}" for line in turn.actions] + [f"{turn.id}.forced"] * bool(turn.forced)
            if where:
                yield rules["race"](where, f"{self.names[seat]} uses cards in the race without cards")
            forced = []
        self.state = self.state._replace(step="roll")
        yield from self._meet_consequences(turn, forced, rolled=False)
        if play.is_over(self.state):
            rest = (("roll", turn.roll), ("to", turn.to), ("forced", forced))
            for field in [field for field, value in rest if value][:1]:
                yield self._after_the_end(f"{turn.id}.{field}")
            return
        yield from self._roll(turn, seat)
        yield from self._meet_consequences(turn, forced, rolled=True)
        for answer in forced:
            yield from self._play_unprompted(answer, f"{turn.id}.forced")

    def _actions(self, turn: Turn, seat: int) -> Iterator[Violation]:
        began, kinds = self.state.at[seat], [line.kind for line in turn.actions]
        if len(kinds) > 1:
            yield rules["one-action"](
                [f"{turn.id}.{kind}" for kind in kinds],
                f"{self.names[seat]} {joined([f'{kind}s' for kind in kinds])} in one turn, but only one card action is "
                "allowed",
            )
        for line in turn.actions:
            consequences = self.state.consequences
            self.state = self.state._replace(step="act", consequences=())
            move = split(self.state, seat, line, None)
            yield from CardCheck(self.names, self.state, move, f"{turn.id}.{line.kind}").action_violations(began)
            self._do(move)
            consequences = () if self.state.winners else (*consequences, *self.state.consequences)
            self.state = self.state._replace(consequences=consequences)

    def _roll(self, turn: Turn, seat: int) -> Iterator[Violation]:
        state, routes = self.state, self.spec.routes
        walks = routes.walks(state.at[seat], turn.roll) if turn.roll else {}
        to = yield from self._destination(turn, seat, list(walks))
        if not to:
            return
        if to == routes.start not in walks:  # a pawn that is sent back may be written as in the Big Bang
            to = next((space for space in walks if routes.sends_back(space)), to)
        strays: tuple[MissedMove, ...] = ()
        if turn.roll and to not in walks:
            missed = next(
                (rule for rule in self._missed.get(seat, ()) if to in routes.walks(rule.space, turn.roll)), None
            )
            if missed:
                self.state = state._replace(at=replaced(state.at, seat, missed.space))
            else:  # only the space may be wrong: the next move may begin where the roll leads
                strays = tuple(
                    MissedMove(None, routes.start if routes.sends_back(space) else space, "") for space in walks
                )
            if missed is None or missed.rule:
                yield self._move_violation(state, turn, seat, to=to, missed=missed)
        self._missed.pop(seat, None)
        self._do(Move("go", seat, to=to, roll=turn.roll))
        self._missed[seat] = (*strays, *self._missed[seat])

    def _destination(self, turn: Turn, seat: int, walks: Sequence[str]) -> Generator[Violation, None, str]:
        """The space that the move leads to; empty if the turn does not say so and the roll leaves a choice."""
        if turn.roll and turn.to:
            return turn.to
        if not (turn.roll or turn.to) and self._may_break_off(turn):
            return ""
        missing = [part for part, value in (("the roll", turn.roll), ("the space", turn.to)) if not value]
        verb = "are" if len(missing) > 1 else "is"
        yield rules["turn-told"](turn.id, f"{joined(missing)} of {self.names[seat]}’s move {verb} missing")
        if not turn.to and len(walks) != 1:
            self.complete = False
            return ""
        return turn.to or walks[0]

    def _move_violation(self, state: State, turn: Turn, seat: int, to: str, missed: MissedMove | None) -> Violation:
        """The violation of a move to a space that the roll does not lead to; `missed` may explain the move."""
        routes, name, here, where = self.spec.routes, self.names[seat], state.at[seat], f"{turn.id}.to"
        if missed and missed.rule:
            return missed.rule(where, f"{name} moves on from {routes.space_name(missed.space)}, but {missed.message}")
        spaces = joined([routes.space_name(space) for space in routes.walks(here, turn.roll)], "or")
        return _move_rule(routes, here, turn.roll, to)(
            where,
            f"{name} rolls a {turn.roll} {routes.on_space(here)}, which leads to {spaces}, not to "
            f"{routes.space_name(to)}",
        )

    def _meet_consequences(self, turn: Turn, forced: list[ActionLine], *, rolled: bool) -> Iterator[Violation]:
        """Answers the open consequences with `forced` entries, and removes these from the list."""
        while self.state.consequences and not self.state.winners:
            consequence = self.state.consequences[0]
            answer = self._answer_to(consequence, forced, turn, rolled)
            if answer is None:
                nothing_follows = not forced and (rolled or not (turn.roll or turn.to))
                if not (nothing_follows and consequence.kind != "green" and self._may_break_off(turn)):
                    yield from self._missing_draw(consequence, turn)
                self._do(Move("pass", consequence.seat))
                continue
            forced.remove(answer)
            if consequence.kind == "leaving":  # the card is on top, if it can be there
                fitting = (deck for deck in self._decks if deck[:1] == answer.cards[:1])
                self.state = self.state._replace(deck=next(fitting, self.state.deck))
            move = split(self.state, consequence.seat, answer, consequence.kind)
            yield from self._answer_violations(move, consequence, turn)
            on_top = [deck[1:] for deck in self._decks if deck[:1] == move.cards]
            self._do(move)
            if consequence.kind == "leaving" and move.place == DECK and on_top:
                self._decks = on_top
                self.state = self.state._replace(deck=on_top[0])

    def _answer_to(
        self, consequence: Consequence, forced: list[ActionLine], turn: Turn, rolled: bool
    ) -> ActionLine | None:
        """The first entry that answers a consequence. A discard on green is voluntary: an entry that is not allowed
        there waits for the player's next green space, if there may be one in this turn."""
        answers = [answer for answer in forced if answer.seat == consequence.seat and answer.kind == _verb(consequence)]
        if consequence.kind != "green" or (rolled and consequence not in self.state.consequences[1:]):
            return answers[0] if answers else None
        for answer in answers:
            violations = self._answer_violations(
                split(self.state, consequence.seat, answer, consequence.kind), consequence, turn
            )
            if not violations:
                return answer
            self._disallowed[answer] = violations
        return None

    def _answer_violations(self, move: Move, consequence: Consequence, turn: Turn) -> list[Violation]:
        check, name = CardCheck(self.names, self.state, move, f"{turn.id}.forced"), self.names[consequence.seat]
        return [violation._replace(player=name) for violation in check.answer_violations(consequence.kind)]

    def _missing_draw(self, consequence: Consequence, turn: Turn) -> Iterator[Violation]:
        """A draw that is missing from the log, if there was something to draw."""
        self._unanswered.add((consequence.seat, _verb(consequence)))
        if consequence.kind == "green" or not play.can_answer(self.state, consequence):
            return
        name = self.names[consequence.seat]
        if consequence.kind == "leaving":
            message = f"{name} leaves the Big Bang and must take the top card of the deck"
            if any(line.kind == "draw" for line in turn.actions):
                message += ": write it under “The space asks”, such as “draw deck +3”, not under “Draw”"
            yield rules["leaving"](turn.id, message, name)
        else:
            message = f"{name} is on {self.state.at[consequence.seat]}, which is orange, and must draw a card"
            yield rules["orange"](turn.id, message, name)

    def _play_unprompted(self, answer: ActionLine, where: str) -> Iterator[Violation]:
        seats = sorted(seat for seat, verb in self._unanswered if verb == answer.kind and seat != answer.seat)
        others = [self.names[seat] for seat in seats]
        message = f"nothing asks {self.names[answer.seat]} to {answer.kind} {card_names(answer.cards)} here"
        hint = f"; if it was {joined(others, 'or')}, write the name before “{answer.kind}”" if others else ""
        yield from self._disallowed.get(answer) or [rules["not-asked"](where, message + hint)]
        if not self.state.winners:
            consequence = Consequence(answer.seat, "orange" if answer.kind == "draw" else "green")
            self.state = self.state._replace(consequences=(consequence,))
            self._do(split(self.state, consequence.seat, answer, consequence.kind))


def _deck_violations(log: Log) -> Iterator[Violation]:
    if log.deck is None:
        return
    game, deck = Counter(log.spec.deck), Counter(log.deck)
    if too_many := sorted((deck - game).elements()):
        yield rules["deal"]("deal", f"the deck has too many of these cards: {card_names(too_many)}")
    elif game - deck:
        yield rules["deal-whole"](
            "deal",
            f"the deal lists {len(log.deck)} of the {len(log.spec.deck)} cards; they are taken as the whole deck",
        )


def _verb(consequence: Consequence) -> Literal["draw", "discard"]:
    """What a consequence asks for."""
    return "discard" if consequence.kind == "green" else "draw"


def _wrong_claims(log: TravelReplay, replayed: bool) -> Iterator[Violation]:
    """The numbers of locked stacks that players wrote down, where the hands or the turns say otherwise."""
    for seat, number in enumerate(log.sheet.rows.get("players", ())):
        field, hand_of = f"hands.{number}.claimed.stacks", log.hands.get(seat)
        claimed, locked = log.sheet.number(field), standing(log, seat)[0]
        if claimed is not None and claimed != locked and (hand_of or replayed):
            message = f"{log.names[seat]} wrote {claimed}, but has {counted(locked, 'locked zero stack')}"
            yield rules["claimed-stacks"](field, message)


def _hand_mismatches(hand: Hand, state: State, name: str) -> Iterator[Violation]:
    """Where a hand is not the one that the turns lead to."""
    stacks = state.stacks[hand.seat]
    numbers = tuple(sorted(sum(stacks, state.loose[hand.seat])))
    for side, in_hand, in_play, field in (
        ("cc side up", hand.cc, state.cc[hand.seat], "cc_up"),
        ("number side up", hand.numbers, numbers, "number_up"),
    ):
        if in_hand != in_play:
            message = f"{name} has {card_names(in_hand)} {side}, but the turns lead to {card_names(in_play)}"
            yield rules["hands-agree"](hand.id if hand.on_chart else f"{hand.id}.{field}", message)
    for stack in stacks if hand.numbers == numbers else ():
        if len(stack) > 1 and stack not in hand.stacks:
            message = f"{card_names(stack)} were stacked in front of {name}, but are not a stack in the hand"
            yield rules["hands-agree"](hand.id, message)


def _displaced(before: State, after: State, move: Move, seat: int) -> Iterator[MissedMove]:
    """The rules that moved a pawn other than by its own roll; the players may have missed them."""
    routes, there, here = before.spec.routes, before.at[seat], after.at[seat]
    if move.kind == "go" and seat == move.seat:
        if here != move.to:
            yield MissedMove(rules["first-three"], move.to, "was sent back to the Big Bang")
    elif there == here:  # nobody is bumped in the Big Bang
        if move.kind == "go" and after.at[move.seat] == here == routes.start:
            yield MissedMove(rules["together"], before.at[move.seat], "was not bumped from the Big Bang")
    elif move.kind == "jump" and seat == move.seat:
        yield from _jumped(rules["jump"], routes, there, here=here, cards=move.cards)
    elif move.kind == "discard" and seat == move.place:
        yield from _jumped(rules["receiver-jumps"], routes, there, here=here, cards=move.cards)
    else:
        yield MissedMove(rules["bump"], there, f"was bumped from there to {routes.space_name(here)}")


def _jumped(rule: Rule, routes: Routes, there: str, here: str, cards: Cards) -> Iterator[MissedMove]:
    """The pawn may have stayed where it was, jumped to a space that is not the nearest, or not crossed the wormhole."""
    message = f"jumped from {routes.space_name(there)} to {routes.space_name(here)}"
    across = routes.ring_of.get(there) == "left"
    yield MissedMove(rule, there, message)
    for spot in routes.spots[cards[0]]:
        if spot != here:
            yield MissedMove(rules["across"] if across else rules["jump"], spot, message)


def _move_rule(routes: Routes, here: str, roll: int, to: str) -> Rule:
    """The rule for where a roll leads from a space."""
    rings = {**routes.ring_of, **{centre: name for name, centre in routes.centres.items()}}
    if (here, roll) == routes.loop:
        return rules["loop"]
    if here in routes.wormholes or {rings.get(here), rings.get(to)} == {"left", "right"}:
        return rules["wormhole"]
    if here in routes.entry or (here not in rings and to in rings):
        return rules["arrow"]
    return rules["curved"] if here in rings else rules["move"]


class CosmicConsequencesRules(GameRules[TravelReplay]):
    """The rules of the turns and of the hands at the end."""

    rules = rules
    sheets = ("log",)
    reading = READING

    def read(self, sheet: FilledSheet) -> TravelReplay:
        return TravelReplay(sheet)

    def violations(self, view: TravelReplay) -> Iterator[Violation]:
        yield from view.player_violations(rules["two-to-six"], rules["names"])
        yield from view.violations
        copies, seen = Counter(view.spec.deck), Counter[int]()
        replayed = view.playable and view.complete and view.turns and view.spec.cards
        for seat, hand in view.hands.items():
            for stack, field in zip(hand.stacks, hand.fields, strict=True):
                total = (
                    f"{card_names(stack)} add up to {card_name(sum(stack))}, not to zero"
                    if len(stack) > 1
                    else f"{card_names(stack)} is alone in its stack, but the cards of a stack add up to zero"
                )
                if not is_stack(stack):
                    yield rules["stack-zero"](field, total if sum(stack) else "this stack has no cards")
            for card in hand.cc + hand.numbers:
                seen[card] += 1
                if seen[card] == copies[card] + 1:
                    most = "twice" if copies[card] > 1 else "once"
                    yield rules["card-once"](hand.id, f"{card_name(card)} is listed more than {most}")
            if replayed:
                yield from _hand_mismatches(hand, view.state, view.names[seat])
        yield from _wrong_claims(view, bool(replayed))
        yield from (rules["boxes-agree"](where, message) for where, message in view.disagreements)

    def score(self, view: TravelReplay) -> Result:
        """The locked stacks of every player, and the winners."""
        won = winners(view)
        lines = [line_of("locked zero stacks", _stacks(view, seat)) for seat in range(len(view.names))]
        return Result(
            tuple(
                Score(name, (line,) if view.spec.cards else ()) for name, line in zip(view.names, lines, strict=True)
            ),
            ranks((seat in won, line.points) for seat, line in enumerate(lines)),
            tuple(view.names[seat] for seat in won),
            _remark(view, won),
            unit="stack",
            over=bool(won),
        )

    def sums(self, view: TravelReplay) -> Mapping[str, int]:
        """The number of stacks that every player should have claimed, by the id of the field."""
        numbers = view.sheet.rows.get("players", ()) if view.spec.cards else ()
        sums = {f"hands.{number}.claimed.stacks": standing(view, seat)[0] for seat, number in enumerate(numbers)}
        return {field: count for field, count in sums.items() if count}  # there is no ring for none

    def hints(self, view: TravelReplay) -> Iterator[Suggestion]:
        """The turns in which a player could have won, and the stacks that loose number-side cards could make."""
        for turn, seat in view.chances:
            if turn != view.turns[-1].id:
                yield Suggestion((turn,), f"{view.names[seat]} could have won here by laying three zero stacks")
        for hand in view.hands.values():
            if stacks := stacked(tuple(card for card in hand.loose if card)):
                more, cards = counted(len(stacks), "more stack"), "; ".join(map(card_names, stacks))
                yield Suggestion((hand.id,), f"{view.names[hand.seat]} could make {more} from loose cards: {cards}")

    def strokes(self, view: TravelReplay) -> Strokes:
        return Strokes(marks=view.on_paper())


RULES = CosmicConsequencesRules()


def standing(log: TravelReplay, seat: int) -> tuple[int, int]:
    """A player's `play.standing`. A hand on the sheet counts as written; without one, the number-side cards at the end
    of the log are stacked in the best possible way."""
    if hand := log.hands.get(seat):
        return hand.locked, -abs(sum(hand.loose))
    return play.standing(log.state, seat) if log.playable else (0, 0)


def winners(log: TravelReplay) -> tuple[int, ...]:
    """The seats of the winners; empty while the game goes on. Loose cards only win if the log ends as soon as they
    could make enough stacks, and no hand on the sheet says that they are loose."""
    state, spec = log.state, log.spec
    if not log.playable or not spec.cards:
        return state.winners
    if any(play.winning_stacks(state, seat) >= spec.stacks for seat in state.winners):
        return state.winners
    with_enough = [seat for seat, hand in log.hands.items() if hand.locked >= spec.stacks]
    if with_enough or state.winners:
        candidates = with_enough or range(len(log.names))
        return tuple(candidates[place] for place in play.best(standing(log, seat) for seat in candidates))
    return log.assumed if len(log.assumed) == 1 else ()


def _remark(log: TravelReplay, won: tuple[int, ...]) -> str:
    spec = log.spec
    if not log.playable:
        return ""
    stacks = [standing(log, seat)[0] for seat in range(len(log.names))]
    if not won:
        turn = f"it is {log.names[log.state.seat]}’s turn" if log.turns else "nobody has three zero stacks"
        names = [name for name, count in zip(log.names, stacks, strict=True) if log.turns and count >= spec.stacks]
        could_win = f" {joined(names)} can win by laying three zero stacks." if names else ""
        return f"The game is not over: {turn}.{could_win}"
    if not spec.cards:
        return ""
    if stacks[won[0]] >= spec.stacks:
        name, loose = log.names[won[0]], won == log.assumed and not log.state.winners and won[0] not in log.hands
        return f"{name}’s loose cards are counted as stacked; if they are not, list the hands." if loose else ""
    if stacks.count(stacks[won[0]]) == len(won):
        return "The deck has run out."
    whose = joined([f"{log.names[seat]}’s" for seat in won])
    return f"The deck has run out; of the players with the most stacks, {whose} loose cards come nearest to zero."


def _stacks(log: TravelReplay, seat: int) -> list[Part]:
    """A part for each stack of a player."""
    hand, parts = log.hands.get(seat), []
    for stack in hand.stacks if hand else log.state.stacks[seat]:
        locked = f"{card_names(stack)} add up to zero" if len(stack) > 1 else "a zero card by itself"
        parts.append(Part(locked, 1) if is_stack(stack) else Part(f"{card_names(stack)} are not a zero stack", 0))
    if hand:
        parts += [Part("a zero card by itself", 1) for card in hand.loose if card == 0]
    else:
        counted_as = "add up to zero and are counted as a stack"
        parts += [Part(f"{card_names(cards)} {counted_as}", 1) for cards in stacked(log.state.loose[seat])]
    return parts or [Part("no zero stack", 0)]
