"""A log of rounds, replayed on an empty sheet: what it breaks, and the sheet it leads to.

A round that breaks a rule is reported and then done all the same, as it was at the table; where an entry cannot be done
at all (into a column that is full, with a number that is not there) the replay ends with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NoReturn

from ...rules.book import Rule, Violation
from ..turns import StopReplay
from . import play, rules
from .log import Round, bare, moves
from .numbers import Numbers
from .play import METEORITE, Move, State

if TYPE_CHECKING:
    from .sheet import PlayerSheet


def violations(sheet: PlayerSheet) -> Iterator[Violation]:
    """What the log of a sheet breaks."""
    if sheet.event_die:
        for number, played in enumerate(sheet.log, 1):
            if played.event is None:
                yield rules.EVENT_EACH_ROUND(f"log.{number}", f"round {number} does not say what the event die shows")
    if sheet.replay:
        yield from sheet.replay.violations
        if sheet.replay.state:
            yield from _differences(sheet, sheet.replay.state)


class Replay:
    """What comes of a log. `state` is the sheet it leads to, or None where it could not be played to its end; `passed`
    is the number of the first round in which a number was passed, 0 where there is none."""

    def __init__(self, numbers: Numbers, log: Sequence[Round]) -> None:
        self.numbers = numbers
        self.violations: list[Violation] = []
        self.state: State | None = None
        self.passed = 0
        self._where = ""
        try:
            self.state = self._replayed(log)
        except StopReplay as stop:
            self.violations.append(stop.violation)

    def _replayed(self, log: Sequence[Round]) -> State:
        state = play.start(self.numbers)
        for number, played in enumerate(log, 1):
            self._where = f"log.{number}"
            if play.is_over(state):
                self._stop(rules.AFTER_THE_END, f"round {state.last} was the last one, as a number was passed in the "
                                                "round before it")
            self.passed = self.passed or (number if played.passed else 0)
            state = self._round(state, played)
        return state

    def _report(self, rule: Rule, message: str) -> None:
        self.violations.append(rule(self._where, message))

    def _stop(self, rule: Rule, message: str) -> NoReturn:
        raise StopReplay(rule(self._where, message))

    def _name(self, place: int) -> str:
        return f"{'column' if place < len(self.numbers.columns) else 'field'} {self.numbers.place_name(place)}"

    # ---- one round --------------------------------------------------------------------------------------------------

    def _round(self, state: State, played: Round) -> State:
        state = play.throw(state, played.dice, bare(played.event or ""))
        logged = tuple(moves(self.numbers, played))
        self._check_meteorite(state, [move.kind for move in logged])
        for move in logged:
            if move.kind == "enter":
                state = self._entered(state, move)
            elif move.kind == "drop":
                state = self._dropped(state, move)
            elif move.kind == "pass":
                state = self._passed(state, played)
            else:
                state = self._marked(state, move)
        for number in state.dice:
            self._report(rules.ALL_DICE, f"the {number} is neither entered nor passed")
        if state.due and state.event != play.DROP:
            self._report(rules.EFFECT_UNUSED, f"“{state.event}” could be used, but is not")
        return play.apply(state, play.END)

    def _check_meteorite(self, state: State, kinds: list[str]) -> None:
        shown, dropped = state.event == play.DROP, kinds.count("drop")
        if dropped and not shown:
            self._report(rules.METEORITE, "a meteorite is dropped, but the event die shows none")
        elif dropped > 1:
            self._report(rules.METEORITE, f"{dropped} meteorites are dropped in one round")
        elif dropped and "enter" in kinds[:kinds.index("drop")]:
            self._report(rules.METEORITE, "the meteorite is dropped after a number was entered")
        elif state.due and shown and not dropped:
            self._report(rules.METEORITE, "the event die shows a meteorite, but none is dropped")

    def _marked(self, state: State, move: Move) -> State:
        """A light field that is outlined, or a row that gets its arrow."""
        if move.kind == "outline":
            rule, does, done, before = rules.EXTRA_RESERVE, "outlines a light field", state.opened, "outlined"
        else:
            rule, does, done, before = rules.BONUS_ROW, "marks a row", state.arrows, "marked"
        if state.event != rule.id:
            self._report(rule, f"the round {does}, but the event die does not show “{rule.id}”")
        if done >> move.place & 1:
            self._report(rule, f"the round {does} that was {before} before")
        return play.apply(state, move)

    def _dropped(self, state: State, move: Move) -> State:
        if move.place >= len(state.columns):
            self._stop(rules.METEORITE, "a meteorite cannot be saved in the reserve")
        self._refuse_full(state, move.place)
        return play.apply(state, move)

    def _entered(self, state: State, move: Move) -> State:
        state = self._with_dice(state, move)
        self._refuse_unsaved(state, move)
        self._refuse_full(state, move.place)
        if not play.may_be_made(state.event, move.plus, move.minus):
            self._report(rules.PLUS_MINUS, _why_not_made(state, move))
        result = play.total(state, move.plus, move.minus)
        if not play.may_stand(self.numbers, result):
            self._stop(rules.ONE_TO_SIX, f"the numbers for {self._name(move.place)} make {result}, and only "
                                         f"{self.numbers.least} to {self.numbers.most} can be entered")
        return play.apply(state, move)

    def _with_dice(self, state: State, move: Move) -> State:
        """Reports dice that were not thrown or are used already, and puts them there, so that the entry can be done."""
        used = Counter(source for source in (*move.plus, *move.minus) if source > 0)
        missing = [*(used - Counter(state.dice)).elements()]
        for number in missing:
            self._report(rules.ALL_DICE, f"a {number} is used that no die shows, or that is used already")
        return state._replace(dice=tuple(sorted((*state.dice, *missing)))) if missing else state

    def _refuse_unsaved(self, state: State, move: Move) -> None:
        fields = [~source for source in (*move.plus, *move.minus) if source < 0]
        for field in fields:
            name, number = self.numbers.place_name(len(state.columns) + field), state.reserve[field]
            if fields.count(field) > 1:
                self._stop(rules.RESERVE_NUMBER, f"the number in {name} is used twice")
            if number < 0:
                self._stop(rules.RESERVE_NUMBER, f"the {-number} in {name} is crossed out already")
            if number == 0:
                self._stop(rules.RESERVE_NUMBER, f"there is no number in {name} to use")

    def _refuse_full(self, state: State, place: int) -> None:
        """Stops at a place where nothing more can be written. A light field that is not outlined can be written in."""
        if play.has_room(state, place):
            return
        name, field = self._name(place), place - len(state.columns)
        if field < 0:
            self._stop(rules.COLUMN_ROOM, f"{name} is full")
        if state.reserve[field]:
            self._stop(rules.RESERVE_ROOM, f"{name} has a number already")
        self._report(rules.RESERVE_ROOM, f"{name} is not outlined")

    def _passed(self, state: State, played: Round) -> State:
        """Passes the dice that are named; a die that is neither entered nor passed stays."""
        for number in (Counter(played.passed) - Counter(state.dice)).elements():
            self._report(rules.ALL_DICE, f"a {number} is passed that no die shows, or that is used already")
        free = play.free_places(state)
        if free:
            self._report(rules.PASS, f"a {played.passed[0]} is passed, but {self._name(free[0])} has room for it")
        left = Counter(state.dice) - Counter(played.passed)
        return play.apply(state, play.PASS)._replace(dice=tuple(sorted(left.elements())))


def _why_not_made(state: State, move: Move) -> str:
    if move.minus and state.event not in (play.PLUS_OR_MINUS, play.MINUS_ONLY):
        return "a number is subtracted, but the event die does not allow it in this round"
    if not move.plus:
        return "numbers are only subtracted, from none"
    return "numbers are added, but in this round they may only be subtracted"


# ---- the end of the log ----------------------------------------------------------------------------------------------

def _differences(sheet: PlayerSheet, state: State) -> Iterator[Violation]:
    """Where the sheet is not what the log ends in."""
    for column, boxes in enumerate(state.columns):
        for row, mark in enumerate(sheet.column(column)):
            right = boxes[row] if row < len(boxes) else None
            if mark != right:
                place = column, row
                yield rules.LOG_AGREES(sheet.box_id(place), f"by the log {sheet.box_name(place)} is {_shown(right)}, "
                                                            f"on the sheet {_shown(mark)}")
    for number, field in enumerate(sheet.reserve):
        right_shown = _field_shown(state, number)
        if field.shown != right_shown:
            yield rules.LOG_AGREES(field.id, f"by the log the field {field.name} is {right_shown}, on the sheet "
                                             f"{field.shown}")
    for row in range(state.numbers.rows):
        if (row in sheet.arrows) != bool(state.arrows >> row & 1):
            yield rules.LOG_AGREES(f"bonus_rows.{row + 1}",
                                   f"by the log row {row + 1} has {'no' if row in sheet.arrows else 'an'} arrow")


def _shown(mark: int | None) -> str:
    if mark is None:
        return "blank"
    return "a meteorite" if mark == METEORITE else str(mark)


def _field_shown(state: State, field: int) -> str:
    number = state.reserve[field]
    if number:
        return f"{abs(number)}{'x' if number < 0 else ''}"
    return "blank" if play.is_open(state, field) else "not outlined"
