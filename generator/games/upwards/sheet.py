"""A player's filled-in sheet: its grid, reserve and arrows, the snake and blocks drawn on it, and its log of rounds,
replayed on an empty sheet.

A log has entries as they are typed, such as `b=3+1`, or as they are ringed and written on paper. There, a round has a
line for each number: the dice, and the numbers from the reserve that are used, each with the number of its field. A
ringed sign joins a number to the one above it; a column or a field says where the total goes. A die that goes nowhere
is passed.

A round that breaks a rule is reported and then carried out anyway, as it was at the table. If an entry cannot be
carried out (the column is full, or the number is not there), the replay ends there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ...errors import InputError, Place, Problem, did_you_mean
from ...expressions.functions import Box, neighbours, patches
from ...rules.results import Rule, Violation
from ...sheets import FilledSheet, Reading
from ...spelling import joined
from ..base import rule_book
from ..turns import Replay
from . import play
from .play import (
    BLANK,
    CLOSED,
    CROSSED,
    DARK,
    DROP,
    LIGHT,
    OPTIONS,
    PASS,
    Move,
    Numbers,
    Option,
    Outlined,
    Position,
    State,
    cornered,
    longest_snake,
    mark_of,
    numbers,
)

if TYPE_CHECKING:
    from .deal import ThrowStrip


rules = rule_book("upwards")
_ENTRY = re.compile(r"([a-z][0-9]{0,3})=(o|[+-]?[rx]?[0-9]{1,3}(?:[+-][rx]?[0-9]{1,3})*)")
_BETWEEN_ENTRIES = re.compile(r"\s*,\s*|\s+(?=[a-zA-Z][0-9]{0,3}\s*=)")
_TERM = re.compile(r"([+-]?)([rx]?)([0-9]+)")


class LoggedRound(Struct, frozen=True, kw_only=True):
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
    def texts(self) -> list[str]:
        """The entries one by one; they may be typed as one text, `a=4, b=3+1`."""
        return [text for typed in self.entries for text in _BETWEEN_ENTRIES.split(typed.strip()) if text]


def bare(word: str | None) -> str:
    """A typed name in lower case, with - for _; empty without one."""
    return (word or "").strip().lower().replace("_", "-")


def entry(text: str) -> tuple[str, list[str], list[str]] | None:
    """An entry, with or without spaces: its target (`a`, `r1`, `x2`), and the terms that are added and subtracted, dice
    as digits, or fields. A meteorite has no terms. None if the text is not an entry."""
    match = _ENTRY.fullmatch(re.sub(r"\s+", "", text).lower().replace("−", "-"))
    if not match:
        return None
    terms = [] if match[2] == "o" else _TERM.findall(match[2])
    signed = [(sign, kind + (number.lstrip("0") or "0")) for sign, kind, number in terms]
    return match[1], [name for sign, name in signed if sign != "-"], [name for sign, name in signed if sign == "-"]


def moves(numbers: Numbers, played: LoggedRound) -> Iterator[Move]:
    """The moves of a round, in order."""
    if played.outline is not None:
        yield Move("outline", int(bare(played.outline).removeprefix(LIGHT)) - 1)
    if played.row is not None:
        yield Move("arrow", played.row - 1)
    for target, plus, minus in filter(None, map(entry, played.texts)):
        columns = len(numbers.columns)
        terms = [  # the number on a die, or ~field for a number saved in a field
            tuple(int(name) if name.isdigit() else ~(numbers.place_number(name) - columns) for name in names)
            for names in (plus, minus)
        ]
        yield Move("enter" if plus or minus else "drop", numbers.place_number(target), *terms)
    if played.passed:
        yield PASS


def round_problems(numbers: Numbers, played: LoggedRound) -> Iterator[Problem]:
    """Numbers that no die shows, rows and fields that do not exist, and unreadable entries."""
    place, dice, event, outline = played.place, numbers.rules["dice"], bare(played.event), bare(played.outline)
    if len(played.dice) != dice:
        yield Problem(f"a round has {dice} dice, not {len(played.dice)}", place, "for example dice: [4, 3, 1]")
    for number in chain(played.dice, played.passed):
        yield from _die_problems(numbers, number, place)
    if played.event is not None and event not in numbers.events:
        yield Problem(f"“{played.event}” is not on the event die", place, did_you_mean(event, numbers.events))
    if played.row is not None and not 1 <= played.row <= numbers.rows:
        yield Problem(f"there is no row {played.row}", place, f"1 to {numbers.rows}, from the bottom")
    if outline and (outline[0] != LIGHT or numbers.place_number(outline) < 0):
        yield Problem(f"there is no light field “{played.outline}”", place, f"{LIGHT}1 to {LIGHT}{numbers.light}")
    for text in played.texts:
        yield from _entry_problems(numbers, text, place)


def _die_problems(numbers: Numbers, number: int, place: Place) -> Iterator[Problem]:
    if number not in numbers.die:
        yield Problem(f"“{number}” is not a number on the die, {numbers.die[0]} to {numbers.die[-1]}", place)


def _entry_problems(numbers: Numbers, text: str, place: Place) -> Iterator[Problem]:
    parsed = entry(text)
    if parsed is None:
        yield Problem(f"the entry “{text}” cannot be read", place, "for example a=4, b=3+1, r1=4+1, or c=o (meteorite)")
        return
    target, plus, minus = parsed
    for name in (target, *plus, *minus):
        if name.isdigit():
            yield from _die_problems(numbers, int(name), place)
        elif numbers.place_number(name) < 0:
            yield Problem(
                f"there is no column or field “{name}” (in the entry “{text}”)",
                place,
                f"columns {numbers.columns[0]} to {numbers.columns[-1]}, fields {DARK}1 to "
                f"{DARK}{numbers.dark} and {LIGHT}1 to {LIGHT}{numbers.light}",
            )


# ---- on paper --------------------------------------------------------------------------------------------------------


def rounds_on_paper(sheet: FilledSheet, numbers: Numbers) -> tuple[LoggedRound, ...]:
    """The rounds that are logged on paper."""
    return tuple(_logged(sheet, numbers, round_id) for round_id in sheet.entries.get("rounds", ()))


def _logged(sheet: FilledSheet, numbers: Numbers, round_id: str) -> LoggedRound:
    at = _values(sheet, round_id)
    dice, passed, entries = list[int](), list[int](), list[str]()
    if at.get("event") == DROP and "column" in at:
        entries.append(f"{at['column']}=o")
    for total in _totals(sheet, round_id):
        thrown = [line["number"] for line in total if "saved" not in line]
        dice += thrown
        to = next(filter(None, (_target(numbers, line) for line in total)), "")
        terms = [
            f"{line.get('sign', '+')}{_field(numbers, line['number']) if 'saved' in line else line['number']}"
            for line in total
        ]
        passed += [] if to else thrown
        entries += [f"{to}={''.join(terms).removeprefix('+')}"] if to else []
    return LoggedRound(
        dice=tuple(dice),
        event=at.get("event"),
        outline=_field(numbers, at["opened"]) if "opened" in at else None,
        row=at.get("row"),
        entries=tuple(entries),
        passed=tuple(passed),
        place=sheet.place_of(round_id),
    )


def _values(sheet: FilledSheet, entry: str) -> Mapping[str, Any]:
    """The marks directly in an entry by their keys."""
    start = f"{entry}."
    return {name[len(start) :]: mark for name, mark in sheet.marks.items() if name.startswith(start)}


def _lines(sheet: FilledSheet, round_id: str) -> list[str]:
    """The ids of the lines of a round, those on the lines for further numbers last."""
    number = int(round_id.rpartition(".")[2])
    more = [line for line in sheet.entries.get("more", ()) if sheet.number(f"{line}.round") == number]
    return [*sheet.entries.get(f"{round_id}.numbers", ()), *more]


def _totals(sheet: FilledSheet, round_id: str) -> list[list[Mapping[str, Any]]]:
    """The lines with numbers in groups, each of which gives one total."""
    totals = list[list[Mapping[str, Any]]]()
    for line in (_values(sheet, name) for name in _lines(sheet, round_id)):
        if "number" in line and "sign" in line and totals:
            totals[-1].append(line)
        elif "number" in line:
            totals.append([line])
    return totals


def _field(numbers: Numbers, number: int) -> str:
    """The name in a log of the field with this number on paper, where light fields follow the dark ones."""
    return f"{DARK}{number}" if number <= numbers.dark else f"{LIGHT}{number - numbers.dark}"


def _target(numbers: Numbers, line: Mapping[str, Any]) -> str:
    return line.get("to") or (_field(numbers, line["field"]) if "field" in line else "")


def paper_problems(sheet: FilledSheet) -> Iterator[Problem]:
    """What is wrong with the rounds on paper before their moves are: a second log, gaps, lines without a number, saved
    numbers that go nowhere, and totals with two places."""
    rounds, more = sheet.entries.get("rounds", ()), sheet.entries.get("more", ())
    if (rounds or more) and sheet.extra.get("log"):
        yield Problem("the rounds are logged twice, under “log” and under “rounds”", sheet.place_of("rounds"))
    for number, round_id in enumerate(rounds, 1):
        if round_id != f"rounds.{number}":
            yield Problem(f"round {number} is blank, but a later one is not", sheet.place_of(round_id))
            return
    for line in more:
        if f"rounds.{sheet.number(f'{line}.round') or 0}" not in rounds:
            hint = "write the number of its round beside it"
            yield Problem("a further number belongs to none of the rounds", sheet.place_of(line), hint)
    yield from chain.from_iterable(_line_problems(sheet, round_id) for round_id in rounds)


def _line_problems(sheet: FilledSheet, round_id: str) -> Iterator[Problem]:
    about = round_id.replace("rounds.", "round ")
    for name in _lines(sheet, round_id):
        if "number" not in _values(sheet, name):
            yield Problem(f"{about} has a line without a number", sheet.place_of(name), "write the die or the field")
    for total in _totals(sheet, round_id):
        places = [line for line in total for key in ("to", "field") if key in line]
        if len(places) > 1:
            yield Problem(f"{about} has a number that goes to two places", sheet.place_of(round_id))
        elif not places and any("saved" in line for line in total):
            hint = "ring a column, or write a field"
            yield Problem(f"{about} has a saved number that goes nowhere", sheet.place_of(round_id), hint)


# ---- the replay of a log ---------------------------------------------------------------------------------------------


class UpwardsReplay(Replay[LoggedRound]):
    """A log replayed on an empty sheet. `state` is the sheet after the last round replayed; `passed` is the number of
    the first round in which a number was passed, or 0."""

    def __init__(self, numbers: Numbers, log: Sequence[LoggedRound], key: str = "log") -> None:
        super().__init__()
        self.numbers, self.state, self.key = numbers, play.start(numbers), key
        self.passed = 0
        self.follow(log)

    @property
    def where(self) -> str:
        return f"{self.key}.{self.number}"

    def play(self, entry: LoggedRound) -> Iterator[Violation]:
        message = f"round {self.state.last} was the last, because a number was passed in the round before"
        self.stop_if(play.is_over(self.state), rules["after-the-end"], message)
        self.passed = self.passed or (self.number if entry.passed else 0)
        self.state = play.throw(self.state, entry.dice, bare(entry.event))
        logged = tuple(moves(self.numbers, entry))
        yield from self._meteorite([move.kind for move in logged])
        for move in logged:
            if move.kind == "pass":
                yield from self._pass(entry)
                continue
            yield from {"enter": self._enter, "drop": self._drop}.get(move.kind, self._mark)(move)
            self.state = play.apply(self.state, move)
        for number in self.state.dice:
            yield self._breach("all-dice", f"the {number} is neither entered nor passed")
        if self.state.due and self.state.event != play.DROP:
            yield self._breach("effect-unused", f"“{self.state.event}” could have been used")
        self.state = play.apply(self.state, play.END)

    def _breach(self, rule: str, message: str) -> Violation:
        return rules[rule](self.where, message)

    def _name(self, place: int) -> str:
        return f"{'column' if place < len(self.numbers.columns) else 'field'} {self.numbers.place_names[place]}"

    def _meteorite(self, kinds: list[str]) -> Iterator[Violation]:
        shown, dropped = self.state.event == play.DROP, kinds.count("drop")
        if dropped and not shown:
            yield self._breach("meteorite", "a meteorite is dropped, but the event die does not show one")
        elif dropped > 1:
            yield self._breach("meteorite", f"{dropped} meteorites are dropped in one round")
        elif dropped and "enter" in kinds[: kinds.index("drop")]:
            yield self._breach("meteorite", "the meteorite is dropped after a number")
        elif self.state.due and shown and not dropped:
            yield self._breach("meteorite", "the event die shows a meteorite, but none is dropped")

    def _mark(self, move: Move) -> Iterator[Violation]:
        """A light field that is opened, or a row that is marked with an arrow."""
        if move.kind == "outline":
            rule, what, done, marked = "extra-reserve", "a light field is", self.state.opened, "opened"
        else:
            rule, what, done, marked = "bonus-row", "a row is", self.state.arrows, "marked"
        if self.state.event != rule:
            yield self._breach(rule, f"{what} {marked}, but the event die does not show “{rule}”")
        if done >> move.place & 1:
            yield self._breach(rule, f"{what} {marked} that was already {marked}")

    def _drop(self, move: Move) -> Iterator[Violation]:
        is_saved = move.place >= len(self.state.columns)
        self.stop_if(is_saved, rules["meteorite"], "a meteorite cannot be saved in the reserve")
        yield from self._room(move.place)

    def _enter(self, move: Move) -> Iterator[Violation]:
        """An entered total. Dice that were not rolled or are already used are added, so that the replay can go on."""
        used = Counter(source for source in (*move.plus, *move.minus) if source > 0)
        missing = [*(used - Counter(self.state.dice)).elements()]
        yield from (self._breach("all-dice", f"no unused die shows a {number}") for number in missing)
        self.state = self.state._replace(dice=tuple(sorted((*self.state.dice, *missing))))
        fields = [~source for source in (*move.plus, *move.minus) if source < 0]
        for field in fields:
            name, number = self.numbers.place_names[len(self.state.columns) + field], self.state.reserve[field]
            rule = rules["reserve-number"]
            self.stop_if(fields.count(field) > 1, rule, f"the number in {name} is used twice")
            self.stop_if(number < 0, rule, f"the {-number} in {name} is already used")
            self.stop_if(number == 0, rule, f"there is no number in {name}")
        yield from self._room(move.place)
        if not play.may_combine(self.state.event, move.plus, move.minus):
            yield self._breach("plus-minus", _why_not_allowed(self.state, move))
        result, numbers = play.total(self.state, move.plus, move.minus), self.numbers
        self.stop_if(
            not play.is_enterable(numbers, result),
            rules["one-to-six"],
            f"the result for {self._name(move.place)} is {result}, but only {numbers.least} to {numbers.most} can be "
            "entered",
        )

    def _room(self, place: int) -> Iterator[Violation]:
        """Stops at a place with no room. Writing in a light field that is not open is only reported."""
        if place in play.free_places(self.state):
            return
        name, field = self._name(place), place - len(self.state.columns)
        self.stop_if(field < 0, rules["column-room"], f"{name} is full")
        self.stop_if(self.state.reserve[field], rules["reserve-room"], f"{name} already holds a number")
        yield self._breach("reserve-room", f"{name} is not open")

    def _pass(self, played: LoggedRound) -> Iterator[Violation]:
        """Passes the listed dice; dice that are neither entered nor passed stay."""
        passed, dice, free = Counter(played.passed), Counter(self.state.dice), play.free_places(self.state)
        for number in (passed - dice).elements():
            yield self._breach("all-dice", f"a {number} is passed, but no unused die shows it")
        if free:
            name = self._name(free[0])
            yield self._breach("pass", f"a {played.passed[0]} is passed, but {name} has room for it")
        self.state = play.apply(self.state, play.PASS)._replace(dice=tuple(sorted((dice - passed).elements())))


def _why_not_allowed(state: State, move: Move) -> str:
    if move.minus and state.event not in (play.PLUS_OR_MINUS, play.MINUS_ONLY):
        return "a number is subtracted, but the event die does not allow it this round"
    if not move.plus:
        return "there is nothing to subtract from"
    return "numbers are added, but this round they may only be subtracted"


_BETWEEN_NAMES = re.compile(r"[\s,;/>→–—-]+")


class BlockEntry(Struct, frozen=True, kw_only=True):
    """One entry of `blocks:`, an outlined block."""

    shape: str
    cells: tuple[str, ...]


class DrawnBlock(Struct, frozen=True):
    """An outlined block: the id of its entry, its shape, its boxes, and whether they form the shape, turned or
    mirrored. `unknown` are names of boxes that do not exist."""

    id: str
    shape: str
    boxes: tuple[Box, ...]
    formed: bool
    unknown: tuple[str, ...]


def names_in(texts: Iterable[str]) -> list[str]:
    """The names of boxes in texts."""
    return [name for text in texts for name in _BETWEEN_NAMES.split(text.lower()) if name]


def drawn_blocks(sheet: FilledSheet, numbers: Numbers) -> list[DrawnBlock]:
    """The entries of `blocks:` on the grid."""
    entries: tuple[BlockEntry, ...] = sheet.extra.get("blocks") or ()
    return [_drawn_block(numbers, f"blocks.{number}", entry) for number, entry in enumerate(entries, 1)]


def _drawn_block(numbers: Numbers, where: str, entry: BlockEntry) -> DrawnBlock:
    typed = names_in(entry.cells)
    named = [word for word in typed if word in numbers.named or re.fullmatch(r"[a-z]+[0-9]+", word)]
    words = [word for word in typed if word not in named]  # a name of several words, typed on one line with the boxes
    if entry.shape.lower() in numbers.named:  # boxes without a name
        named.insert(0, entry.shape.lower())
    else:
        words.insert(0, bare(entry.shape))
    boxes = tuple(numbers.named[box] for box in named if box in numbers.named)
    name = numbers.shape_called("-".join(words).replace(" ", "-"), boxes)
    is_shape = name in numbers.shape and len(boxes) == len({*boxes}) > 0
    formed = is_shape and cornered(boxes) in numbers.shape[name].orientations
    return DrawnBlock(where, name, boxes, formed, unknown=tuple(box for box in named if box not in numbers.named))


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Entries that make no sense: unknown boxes, shapes and fields, impossible numbers, unreadable text, and unknown
    strip codes."""
    settings = numbers(sheet.game)
    boxes = len(settings.named)
    for number, text in enumerate(sheet.extra.get("snake") or (), 1):
        unknown = [name for name in names_in([text]) if name not in settings.named]
        yield from _box_problems(settings, unknown, sheet.place_of(f"snake.{number}"))
    drawn = drawn_blocks(sheet, settings)
    if len(drawn) > boxes:
        yield Problem(f"there are {len(drawn)} blocks, more than the grid has boxes", sheet.place_of("blocks"))
    for block in drawn:
        place, count = sheet.place_of(block.id), len(block.boxes) + len(block.unknown)
        if block.shape not in settings.shape:
            typed = " ".join(sheet.extra["blocks"][int(block.id.rpartition(".")[2]) - 1].cells)
            hint = (
                "type each block as an entry of a list" if ";" in typed else did_you_mean(block.shape, settings.shape)
            )
            yield Problem(f"there is no shape “{block.shape}”", place, hint)
        if count > boxes:
            yield Problem(f"the block has {count} boxes, more than the grid", place)
        yield from _box_problems(settings, block.unknown, place)
    yield from _reserve_problems(sheet, settings)
    yield from paper_problems(sheet)
    for played in (*(sheet.extra.get("log") or ()), *rounds_on_paper(sheet, settings)):
        yield from round_problems(settings, played)
    try:
        strip_of(sheet)
    except InputError as error:
        yield from (Problem(each.message, sheet.place_of("strip"), each.hint) for each in error.problems)


def _reserve_problems(sheet: FilledSheet, numbers: Numbers) -> Iterator[Problem]:
    for field, name in numbers.fields:
        if sheet.marks.get(field) == CLOSED and f"opened.{name}" in sheet.marks:
            message = f"field {name} is ticked as open, but “{CLOSED}” means that it is not"
            yield Problem(message, sheet.place_of(field), "type a dot or a number")


def _box_problems(numbers: Numbers, unknown: Iterable[str], place: Place) -> Iterator[Problem]:
    first, *_, last = numbers.named
    for name in unknown:
        yield Problem(f"there is no box “{name}” in the grid", place, f"{first} to {last}, row 1 at the bottom")


def strip_of(sheet: FilledSheet, targets: bool = False) -> ThrowStrip | None:
    """The throw strip with the code under `strip:`; None if there is no code."""
    code = sheet.codes.get("strip")
    if not code:
        return None
    from .deal import strip  # few sheets name a strip, and judging the others does not load dealing

    return strip(sheet.game, code, targets)


EXTRA: Mapping[str, object] = MappingProxyType(
    {"log": tuple[LoggedRound, ...], "snake": tuple[str, ...], "blocks": tuple[BlockEntry, ...]}
)
READING = Reading(extra=EXTRA, problems=problems)


class PlayerSheet(Position):
    """A filled-in sheet as the rules see it. `options` are the ticked scoring options."""

    filled: FilledSheet

    def __init__(self, filled: FilledSheet, numbers: Numbers) -> None:
        marks = filled.marks
        typed = ((box, marks.get(f"grid.{name}")) for name, box in numbers.named.items())
        super().__init__(numbers, {box: mark_of(mark) for box, mark in typed if mark is not None})
        self.filled = filled
        self.options: list[Option] = [option for option in OPTIONS if f"option.{option}" in marks]
        self.option = self.options[0] if len(self.options) == 1 else None
        self.event_die = filled.ticked("event_die")
        self.arrows = [number - 1 for number in filled.rows.get("bonus_rows", ())]
        self.log: tuple[LoggedRound, ...] = filled.extra.get("log") or rounds_on_paper(filled, numbers)
        self.log_key = "log" if filled.extra.get("log") else "rounds"
        self.reserve = {
            field: self._saved(field, name, is_dark=number < numbers.dark)
            for number, (field, name) in enumerate(numbers.fields)
        }
        self.crossed_out = [name for name in numbers.shape if f"blocks.{name}" in marks]
        snake: tuple[str, ...] = filled.extra.get("snake") or ()
        self.drawn_snake = [
            (f"snake.{number}", numbers.named[name])  # `problems` has refused all other names
            for number, text in enumerate(snake, 1)
            for name in names_in([text])
        ]
        self.drawn_blocks = drawn_blocks(filled, numbers)

    def _saved(self, field: str, name: str, is_dark: bool) -> str:
        """The mark in a field of the reserve as it is typed, with an `x` if it is ticked as used."""
        marks, filled = self.filled.marks, self.filled
        is_open = is_dark or field in filled.blanks or f"opened.{name}" in marks
        mark = str(marks.get(field, BLANK if is_open else CLOSED))
        return mark + CROSSED if mark.isdecimal() and f"used.{name}" in marks else mark

    @property
    def name(self) -> str:
        return self.filled.text("player") or "player 1"

    @cached_property
    def replay(self) -> UpwardsReplay | None:
        """The log, replayed; None without one."""
        return UpwardsReplay(self.numbers, self.log, self.log_key) if self.log else None

    def round_id(self, number: int) -> str:
        """The id of a round of the log, which is on paper or only in the file."""
        return f"{self.log_key}.{number}"

    def box_id(self, place: Box) -> str:
        return f"grid.{self.numbers.box_name(place)}"

    @cached_property
    def counted_snake(self) -> tuple[Box, ...]:
        """The boxes of the snake that scores: the drawn one if it is valid, or the longest possible one if none is
        drawn."""
        if not self.drawn_snake:
            return longest_snake(self.numbers, self.numbered)
        return () if any(self.snake_violations()) else tuple(place for _, place in self.drawn_snake)

    def snake_violations(self) -> Iterator[Violation]:
        """Why the drawn line is not a snake; only the first reason of each kind."""
        line, name, shortest = self.drawn_snake, self.numbers.box_name, self.numbers.rules["snake"]["shortest"]
        boxes = [place for _, place in line]
        yield from self._mixed_marks(boxes, "the snake", line[0][0], rules["snake-line"])
        if len({*boxes}) < len(boxes):
            where, place = next(entry for number, entry in enumerate(line) if entry[1] in boxes[:number])
            yield rules["snake-line"]((where, self.box_id(place)), f"the snake goes through {name(place)} twice")
        elif len(boxes) < shortest:
            fields = (line[0][0], *map(self.box_id, boxes))
            yield rules["snake-line"](fields, f"a snake needs at least {shortest} boxes")
        elif not self._is_connected(boxes):
            jumps = ((*landing, start) for (_, start), landing in pairwise(line))
            where, landing, start = next(
                (jump for jump in jumps if not self._is_connected(jump[1:])), (line[-1][0], boxes[-1], boxes[0])
            )
            yield rules["snake-line"](
                (where, self.box_id(start), self.box_id(landing)),
                f"the snake jumps from {name(start)} to {name(landing)}, which do not touch",
            )

    def _is_connected(self, boxes: Iterable[Box]) -> bool:
        """Whether each box touches the one before or, if the game says so, all boxes form one patch."""
        diagonal = self.numbers.diagonal
        if self.numbers.rules["snake"]["shape"] != "line":
            return len(patches([*boxes], diagonal)) == 1
        return all(after in neighbours(before, diagonal) for before, after in pairwise(boxes))

    def _mixed_marks(self, boxes: Iterable[Box], what: str, where: str, rule: Rule) -> Iterator[Violation]:
        """Boxes that do not all hold the same number: empty ones, meteorites, different numbers."""
        numbered, name = self.numbered, self.numbers.box_name
        unnumbered = next((place for place in boxes if place not in numbered), None)
        if unnumbered is not None:
            content = "holds a meteorite" if unnumbered in self.marks else "is empty"
            yield rule((where, self.box_id(unnumbered)), f"{what} includes {name(unnumbered)}, which {content}")
            return
        different = sorted({numbered[place] for place in boxes})
        if len(different) > 1:
            yield rule(
                (where, *map(self.box_id, boxes)),
                f"{what} holds {joined(list(map(str, different)))}, but must hold only one number",
            )

    @property
    def outlined(self) -> Sequence[Outlined]:
        """The outlined blocks or, if shapes are only crossed out in the list, those that fit into the grid together."""
        return [block for block, _ in self.checked_blocks] if self.drawn_blocks else super().outlined

    @cached_property
    def checked_blocks(self) -> list[tuple[Outlined, list[Violation]]]:
        """The outlined blocks in the order in which they are listed, and why they do not score. Of two blocks that
        cannot both score, the first one does."""
        checked: list[tuple[Outlined, list[Violation]]] = []
        for number, block in enumerate(self.drawn_blocks):
            violations = []
            if not block.formed:
                message = f"the boxes {self.box_names(block.boxes) or 'none'} do not form the shape {block.shape}"
                where = (block.id, *map(self.box_id, block.boxes))
                violations.append(rules["block-shape"](where, f"{message}, turned or mirrored"))
            violations += self._mixed_marks(block.boxes, f"the {block.shape}", block.id, rules["block-numbers"])
            counts = not violations
            for other, (earlier, _) in zip(self.drawn_blocks[:number], checked, strict=True):
                conflicts = [*self._conflicts(block, other)]
                violations += conflicts
                counts = counts and not (conflicts and earlier[2])
            checked.append(((block.shape, block.boxes, counts), violations))
        return checked

    def _conflicts(self, block: DrawnBlock, other: DrawnBlock) -> Iterator[Violation]:
        """Why a block cannot score beside an earlier one."""
        if block.shape == other.shape:
            yield rules["blocks-once"](
                (block.id, other.id), f"there is a second {block.shape}, but each shape scores only once"
            )
        if shared := [place for place in block.boxes if place in other.boxes]:
            yield rules["blocks-apart"](
                (block.id, other.id, *map(self.box_id, dict.fromkeys(shared))),
                f"the {block.shape} and the {other.shape} share {self.numbers.box_name(shared[0])}",
            )
