"""A log of rounds, played through on an empty sheet: each is held against the rules, and what it leads to is kept.

A round against the rules is told and then done all the same, as it was at the table; where an entry cannot be done at
all (into a column that is full, with a number that is not there) the replay ends with it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from . import play
from .numbers import DARK, LIGHT, Numbers
from .play import METEORITE, Move, State
from .reading import Entry, Round, bare, entry, field_number
from .sheet import Sheet


@dataclass(frozen=True, slots=True)
class Fault:
    """A round against a rule: the rule's name, one sentence, and the id of the round in the log."""

    rule: str
    message: str
    where: str


class _Stop(Exception):  # noqa: N818 - not an error, the end of what can be played through
    """The entry cannot be done, so nothing after it can be judged."""


@dataclass(slots=True)
class Replay:
    """What came of a log. `state` is the sheet it leads to, or None where it could not be played to its end; `passed`
    is the number of the first round in which a number was passed, 0 where there is none."""

    known: Numbers
    faults: list[Fault] = field(default_factory=list)
    state: State | None = None
    passed: int = 0
    where: str = ""

    def fault(self, rule: str, message: str) -> None:
        self.faults.append(Fault(rule, message, self.where))

    def stop(self, rule: str, message: str) -> _Stop:
        self.fault(rule, message)
        return _Stop()


def replay(sheet: Sheet) -> Replay:
    """Plays the log through."""
    made = Replay(sheet.known)
    state = play.start(sheet.known)
    try:
        for number, played in enumerate(sheet.log, 1):
            made.where = f"log.{number}"
            if play.is_over(state):
                made.fault("after-the-end", f"round {state.last} was the last one, as a number was passed in the round "
                           "before it")
                return made
            made.passed = made.passed or (number if played.passed else 0)
            state = _played(made, state, played)
    except _Stop:
        return made
    made.state = state
    return made


def moves(known: Numbers, played: Round) -> Iterator[Move]:
    """The moves a round of a log tells of, in their order."""
    if played.outline is not None:
        yield Move("outline", int(bare(played.outline).removeprefix(LIGHT)) - 1)
    if played.row is not None:
        yield Move("arrow", played.row - 1)
    for made in filter(None, map(entry, played.entries)):
        yield _move(known, made)
    if played.passed:
        yield Move("pass")


def _move(known: Numbers, made: Entry) -> Move:
    field = field_number(known, made.target)
    place = known.columns.index(made.target) if field is None else len(known.columns) + field
    if made.meteorite:
        return Move("drop", place)
    plus, minus = (tuple(_source(known, name) for name in names) for names in (made.plus, made.minus))
    return Move("enter", place, plus, minus)


def _source(known: Numbers, name: str) -> int:
    field = field_number(known, name)
    return int(name) if field is None else ~field


def place_name(known: Numbers, place: int) -> str:
    """The name of a place a number can go to: `a`, `r1`, `x2`."""
    field = place - len(known.columns)
    if field < 0:
        return known.columns[place]
    return f"{DARK}{field + 1}" if field < known.dark else f"{LIGHT}{field - known.dark + 1}"


def _said(known: Numbers, place: int) -> str:
    return f"{'column' if place < len(known.columns) else 'field'} {place_name(known, place)}"


# ---- one round ------------------------------------------------------------------------------------------------------

def _played(made: Replay, state: State, played: Round) -> State:
    state = play.throw(state, played.dice, bare(played.event or ""))
    told = tuple(moves(made.known, played))
    _check_meteorite(made, state, [move.kind for move in told])
    for move in told:
        state = _passed(made, state, played) if move.kind == "pass" else _done(made, state, move)
    for number in state.dice:
        made.fault("all-dice", f"the {number} is neither entered nor passed")
    if state.due and state.event != play.DROP:
        made.fault("effect-unused", f"“{state.event}” could be used, but is not")
    return play.apply(state, Move("end"))


def _check_meteorite(made: Replay, state: State, kinds: list[str]) -> None:
    shown, dropped = state.event == play.DROP, kinds.count("drop")
    if dropped and not shown:
        made.fault("meteorite", "a meteorite is dropped, but the event die shows none")
    elif dropped > 1:
        made.fault("meteorite", f"{dropped} meteorites are dropped in one round")
    elif dropped and "enter" in kinds[:kinds.index("drop")]:
        made.fault("meteorite", "the meteorite is dropped after a number was entered")
    elif state.due and shown and not dropped:
        made.fault("meteorite", "the event die shows a meteorite, but none is dropped")


def _done(made: Replay, state: State, move: Move) -> State:
    if move.kind == "enter":
        return _entered(made, state, move)
    if move.kind == "drop":
        return _dropped(made, state, move)
    names = {"outline": ("extra-reserve", "outlines a light field"), "arrow": ("bonus-row", "marks a row")}
    rule, does = names[move.kind]
    if state.event != rule:
        made.fault(rule, f"the round {does}, but the event die does not show “{rule}”")
    done = state.opened if move.kind == "outline" else state.arrows
    if done >> move.place & 1:
        made.fault(rule, f"the round {does} that was {'outlined' if move.kind == 'outline' else 'marked'} before")
    return play.apply(state, move)


def _dropped(made: Replay, state: State, move: Move) -> State:
    if move.place >= len(state.columns):
        raise made.stop("meteorite", "a meteorite cannot be saved in the reserve")
    _refuse_full(made, state, move.place)
    return play.apply(state, move)


def _entered(made: Replay, state: State, move: Move) -> State:
    state = _with_dice(made, state, move)
    _refuse_unsaved(made, state, move)
    _refuse_full(made, state, move.place)
    if not play.may_be_made(state.event, move.plus, move.minus):
        made.fault("plus-minus", _ill_made(state, move))
    result = play.total(state, move.plus, move.minus)
    if not play.may_stand(made.known, result):
        raise made.stop("one-to-six", f"the numbers for {_said(made.known, move.place)} make {result}, and only "
                        f"{made.known.least} to {made.known.most} can be entered")
    return play.apply(state, move)


def _with_dice(made: Replay, state: State, move: Move) -> State:
    """Tells dice that were not thrown or are used already, and puts them there, so that the entry can be done."""
    used = Counter(one for one in (*move.plus, *move.minus) if one > 0)
    missing = used - Counter(state.dice)
    for number in missing.elements():
        made.fault("all-dice", f"a {number} is used that no die shows, or that is used already")
    return state._replace(dice=tuple(sorted((*state.dice, *missing.elements())))) if missing else state


def _refuse_unsaved(made: Replay, state: State, move: Move) -> None:
    fields = [~one for one in (*move.plus, *move.minus) if one < 0]
    for number in fields:
        name = place_name(made.known, len(state.columns) + number)
        if fields.count(number) > 1:
            raise made.stop("reserve-number", f"the number in {name} is used twice")
        if state.reserve[number] < 0:
            raise made.stop("reserve-number", f"the {-state.reserve[number]} in {name} is crossed out already")
        if state.reserve[number] == 0:
            raise made.stop("reserve-number", f"there is no number in {name} to use")


def _refuse_full(made: Replay, state: State, place: int) -> None:
    """Stops at a place where nothing more can be written. A light field that is not outlined can be written in."""
    if play.has_room(state, place):
        return
    said, field = _said(made.known, place), place - len(state.columns)
    if field < 0:
        raise made.stop("column-room", f"{said} is full")
    if state.reserve[field]:
        raise made.stop("reserve-room", f"{said} has a number already")
    made.fault("reserve-room", f"{said} is not outlined")


def _ill_made(state: State, move: Move) -> str:
    if move.minus and state.event not in (play.PLUS_OR_MINUS, play.MINUS_ONLY):
        return "a number is subtracted, but the event die does not allow it in this round"
    if not move.plus:
        return "numbers are only subtracted, from none"
    return "numbers are added, but in this round they may only be subtracted"


def _passed(made: Replay, state: State, played: Round) -> State:
    """Passes the dice that are named; a die that is neither entered nor passed stays."""
    missing = Counter(played.passed) - Counter(state.dice)
    for number in missing.elements():
        made.fault("all-dice", f"a {number} is passed that no die shows, or that is used already")
    rooms = play.rooms(state)
    if rooms:
        made.fault("pass", f"a {played.passed[0]} is passed, but {_said(made.known, rooms[0])} has room for it")
    left = Counter(state.dice) - Counter(played.passed)
    return play.apply(state, Move("pass"))._replace(dice=tuple(sorted(left.elements())))


# ---- the end of the log ---------------------------------------------------------------------------------------------

def differences(sheet: Sheet, state: State) -> Iterator[tuple[str, str]]:
    """Where the sheet is not what the log ends in: one sentence, and the id of the field."""
    for column, boxes in enumerate(state.columns):
        for row, typed in enumerate(sheet.column(column)):
            right = boxes[row] if row < len(boxes) else None
            if typed != right:
                place = column, row
                yield (f"by the log {sheet.box_name(place)} is {_shown(right)}, on the sheet {_shown(typed)}",
                       sheet.box_id(place))
    for number, shown in enumerate(sheet.reserve):
        right_shown = _field_shown(state, number)
        if shown.shown != right_shown:
            yield f"by the log the field {shown.name} is {right_shown}, on the sheet {shown.shown}", shown.id
    for row in range(state.numbers.rows):
        if (row in sheet.arrows) != bool(state.arrows >> row & 1):
            yield (f"by the log row {row + 1} has {'no' if row in sheet.arrows else 'an'} arrow",
                   f"bonus_rows.{row + 1}")


def _shown(mark: int | None) -> str:
    if mark is None:
        return "blank"
    return "a meteorite" if mark == METEORITE else str(mark)


def _field_shown(state: State, number: int) -> str:
    held = state.reserve[number]
    if held:
        return f"{abs(held)}{'x' if held < 0 else ''}"
    return "blank" if play.is_open(state, number) else "not outlined"
