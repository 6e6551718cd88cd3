"""Reads the log of rounds, with entries such as `b=3+1`, and replays it on an empty sheet.

A round that breaks a rule is reported and then carried out anyway, as it was at the table. If an entry cannot be
carried out (the column is full, or the number is not there), the replay ends there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NoReturn

from ...errors import Place, Problem, did_you_mean
from ...fast_dataclasses import dataclass
from ...lazy import pattern
from ...rules.book import Rule, Violation
from ..turns import StopReplay
from . import play, rules
from .numbers import DARK, LIGHT, Numbers
from .play import PASS, Move, State

_ENTRY = pattern(r"([a-z][0-9]{0,3})=(o|[+-]?[rx]?[0-9]{1,3}(?:[+-][rx]?[0-9]{1,3})*)")
_TERM = pattern(r"([+-]?)([rx]?)([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class LoggedRound:
    """One round of a log: the dice, the event and what the player did with it, the entries in order (`a=4`, `b=3+1`,
    `c=o`, `r1=4+1`, `a=6-2`, `b=1+r1`), and the dice that were passed."""

    dice: tuple[int, ...]
    event: str | None = None
    outline: str | None = None
    row: int | None = None
    entries: tuple[str, ...] = ()
    passed: tuple[int, ...] = ()
    place: Place

    @property
    def has_event(self) -> bool:
        return self.event is not None or self.outline is not None or self.row is not None


@dataclass(frozen=True, slots=True)
class TypedEntry:
    """One parsed entry: its target (`a`, `r1`, `x2`), and the terms that are added and subtracted: dice as digits, or
    fields. A meteorite has no terms."""

    target: str
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()

    @property
    def meteorite(self) -> bool:
        return not self.plus and not self.minus


def bare(word: str) -> str:
    """A typed name in lower case, with - for _."""
    return word.strip().lower().replace("_", "-")


def entry(text: str) -> TypedEntry | None:
    """Parses an entry, with or without spaces; None if it is not one."""
    match = _ENTRY.fullmatch(re.sub(r"\s+", "", text).lower().replace("−", "-"))
    if not match:
        return None
    terms = [] if match[2] == "o" else _TERM.findall(match[2])
    signed = [(sign, kind + (number.lstrip("0") or "0")) for sign, kind, number in terms]
    return TypedEntry(
        match[1],
        tuple(name for sign, name in signed if sign != "-"),
        tuple(name for sign, name in signed if sign == "-"),
    )


def moves(numbers: Numbers, played: LoggedRound) -> Iterator[Move]:
    """The moves of a round, in order."""
    if played.outline is not None:
        yield Move("outline", int(bare(played.outline).removeprefix(LIGHT)) - 1)
    if played.row is not None:
        yield Move("arrow", played.row - 1)
    for parsed in filter(None, map(entry, played.entries)):
        yield _move(numbers, parsed)
    if played.passed:
        yield PASS


def _move(numbers: Numbers, parsed: TypedEntry) -> Move:
    field = numbers.field_number(parsed.target)
    place = numbers.columns.index(parsed.target) if field is None else len(numbers.columns) + field
    if parsed.meteorite:
        return Move("drop", place)
    return Move(
        "enter",
        place,
        tuple(_source(numbers, name) for name in parsed.plus),
        tuple(_source(numbers, name) for name in parsed.minus),
    )


def _source(numbers: Numbers, name: str) -> int:
    """The number on a die, or ~field for a number saved in a field."""
    field = numbers.field_number(name)
    return int(name) if field is None else ~field


# ---- impossible entries ---------------------------------------------------------------------------------------------


def round_problems(numbers: Numbers, played: LoggedRound) -> Iterator[Problem]:
    """Numbers that no die shows, rows and fields that do not exist, and unreadable entries."""
    place = played.place
    if len(played.dice) != numbers.dice:
        yield Problem(f"a round has {numbers.dice} dice, not {len(played.dice)}", place, "for example dice: [4, 3, 1]")
    for number in chain(played.dice, played.passed):
        yield from _die_problems(numbers, number, place)
    if played.event is not None and bare(played.event) not in numbers.events:
        yield Problem(
            f"“{played.event}” is not on the event die", place, did_you_mean(bare(played.event), numbers.events)
        )
    if played.row is not None and not 1 <= played.row <= numbers.rows:
        yield Problem(f"there is no row {played.row}", place, f"1 to {numbers.rows}, from the bottom")
    outlined = bare(played.outline or "")
    if outlined and (outlined[0] != LIGHT or numbers.field_number(outlined) is None):
        yield Problem(f"there is no light field “{played.outline}”", place, f"{LIGHT}1 to {LIGHT}{numbers.light}")
    for text in played.entries:
        yield from _entry_problems(numbers, text, place)


def _die_problems(numbers: Numbers, number: int, place: Place) -> Iterator[Problem]:
    if number not in numbers.die:
        yield Problem(f"“{number}” is not a number on the die, {numbers.die[0]} to {numbers.die[-1]}", place)


def _entry_problems(numbers: Numbers, text: str, place: Place) -> Iterator[Problem]:
    parsed = entry(text)
    if parsed is None:
        yield Problem(f"the entry “{text}” cannot be read", place, "for example a=4, b=3+1, r1=4+1, or c=o (meteorite)")
        return
    for name in (parsed.target, *parsed.plus, *parsed.minus):
        if name.isdigit():
            yield from _die_problems(numbers, int(name), place)
        elif name not in numbers.columns and numbers.field_number(name) is None:
            yield Problem(
                f"there is no column or field “{name}” (in the entry “{text}”)",
                place,
                f"columns {numbers.columns[0]} to {numbers.columns[-1]}, fields {DARK}1 to "
                f"{DARK}{numbers.dark} and {LIGHT}1 to {LIGHT}{numbers.light}",
            )


# ---- the replay ------------------------------------------------------------------------------------------------------


class RoundsReplay:
    """A log replayed on an empty sheet. `state` is the final sheet, or None if the replay cannot reach the end;
    `passed` is the number of the first round in which a number was passed, or 0."""

    def __init__(self, numbers: Numbers, log: Sequence[LoggedRound]) -> None:
        self.numbers = numbers
        self.violations: list[Violation] = []
        self.state: State | None = None
        self.passed = 0
        state = play.start(numbers)
        try:
            for number, played in enumerate(log, 1):
                self._where = f"log.{number}"
                if play.is_over(state):
                    message = f"round {state.last} was the last, because a number was passed in the round before"
                    self._stop(rules.AFTER_THE_END, message)
                self.passed = self.passed or (number if played.passed else 0)
                state = self._round(state, played)
            self.state = state
        except StopReplay as stop:
            self.violations.append(stop.violation)

    def _report(self, rule: Rule, message: str) -> None:
        self.violations.append(rule(self._where, message))

    def _stop(self, rule: Rule, message: str) -> NoReturn:
        raise StopReplay(rule(self._where, message))

    def _name(self, place: int) -> str:
        return f"{'column' if place < len(self.numbers.columns) else 'field'} {self.numbers.place_name(place)}"

    # ---- one round --------------------------------------------------------------------------------------------------

    def _round(self, state: State, played: LoggedRound) -> State:
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
            self._report(rules.EFFECT_UNUSED, f"“{state.event}” could have been used")
        return play.apply(state, play.END)

    def _check_meteorite(self, state: State, kinds: list[str]) -> None:
        shown, dropped = state.event == play.DROP, kinds.count("drop")
        if dropped and not shown:
            self._report(rules.METEORITE, "a meteorite is dropped, but the event die does not show one")
        elif dropped > 1:
            self._report(rules.METEORITE, f"{dropped} meteorites are dropped in one round")
        elif dropped and "enter" in kinds[: kinds.index("drop")]:
            self._report(rules.METEORITE, "the meteorite is dropped after a number")
        elif state.due and shown and not dropped:
            self._report(rules.METEORITE, "the event die shows a meteorite, but none is dropped")

    def _marked(self, state: State, move: Move) -> State:
        """Outlines a light field, or marks a row with an arrow."""
        if move.kind == "outline":
            rule, what, done, marked = rules.EXTRA_RESERVE, "a light field is", state.opened, "outlined"
        else:
            rule, what, done, marked = rules.BONUS_ROW, "a row is", state.arrows, "marked"
        if state.event != rule.id:
            self._report(rule, f"{what} {marked}, but the event die does not show “{rule.id}”")
        if done >> move.place & 1:
            self._report(rule, f"{what} {marked} that was already {marked}")
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
        if not play.may_combine(state.event, move.plus, move.minus):
            self._report(rules.PLUS_MINUS, _why_not_allowed(state, move))
        result = play.total(state, move.plus, move.minus)
        if not play.is_enterable(self.numbers, result):
            self._stop(
                rules.ONE_TO_SIX,
                f"the result for {self._name(move.place)} is {result}, but only "
                f"{self.numbers.least} to {self.numbers.most} can be entered",
            )
        return play.apply(state, move)

    def _with_dice(self, state: State, move: Move) -> State:
        """Reports dice that were not rolled or are already used, and adds them so that the replay can go on."""
        used = Counter(source for source in (*move.plus, *move.minus) if source > 0)
        missing = [*(used - Counter(state.dice)).elements()]
        for number in missing:
            self._report(rules.ALL_DICE, f"a {number} is used that no unused die shows")
        return state._replace(dice=tuple(sorted((*state.dice, *missing)))) if missing else state

    def _refuse_unsaved(self, state: State, move: Move) -> None:
        fields = [~source for source in (*move.plus, *move.minus) if source < 0]
        for field in fields:
            name, number = self.numbers.place_name(len(state.columns) + field), state.reserve[field]
            if fields.count(field) > 1:
                self._stop(rules.RESERVE_NUMBER, f"the number in {name} is used twice")
            if number < 0:
                self._stop(rules.RESERVE_NUMBER, f"the {-number} in {name} is already crossed out")
            if number == 0:
                self._stop(rules.RESERVE_NUMBER, f"there is no number in {name}")

    def _refuse_full(self, state: State, place: int) -> None:
        """Stops at a place with no room. Writing in a light field that is not outlined is only reported."""
        if place in play.free_places(state):
            return
        name, field = self._name(place), place - len(state.columns)
        if field < 0:
            self._stop(rules.COLUMN_ROOM, f"{name} is full")
        if state.reserve[field]:
            self._stop(rules.RESERVE_ROOM, f"{name} already holds a number")
        self._report(rules.RESERVE_ROOM, f"{name} is not outlined")

    def _passed(self, state: State, played: LoggedRound) -> State:
        """Passes the listed dice; dice that are neither entered nor passed stay."""
        for number in (Counter(played.passed) - Counter(state.dice)).elements():
            self._report(rules.ALL_DICE, f"a {number} is passed that no unused die shows")
        free = play.free_places(state)
        if free:
            self._report(rules.PASS, f"a {played.passed[0]} is passed, but {self._name(free[0])} has room for it")
        left = Counter(state.dice) - Counter(played.passed)
        return play.apply(state, play.PASS)._replace(dice=tuple(sorted(left.elements())))


def _why_not_allowed(state: State, move: Move) -> str:
    if move.minus and state.event not in (play.PLUS_OR_MINUS, play.MINUS_ONLY):
        return "a number is subtracted, but the event die does not allow it this round"
    if not move.plus:
        return "there is nothing to subtract from"
    return "numbers are added, but this round they may only be subtracted"
