"""A log of rounds: its entries as they are typed, such as `b=3+1`, and as they are ringed and written on paper.

On paper, a round has a line for each number: the dice, and the numbers from the reserve that are used, each with the
number of its field. A ringed sign joins a number to the one above it; a column or a field says where the total goes. A
die that goes nowhere is passed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import chain
from typing import Any

from msgspec import Struct

from ...errors import Place, Problem, did_you_mean
from ...sheets import FilledSheet
from .play import DARK, DROP, LIGHT, PASS, Move, Numbers

_ENTRY = re.compile(r"([a-z][0-9]{0,3})=(o|[+-]?[rx]?[0-9]{1,3}(?:[+-][rx]?[0-9]{1,3})*)")
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
    for target, plus, minus in filter(None, map(entry, played.entries)):
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
        terms = [f"{line.get('sign', '+')}{_term(numbers, line)}" for line in total]
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


def _term(numbers: Numbers, line: Mapping[str, Any]) -> str:
    return _field(numbers, line["number"]) if "saved" in line else str(line["number"])


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
