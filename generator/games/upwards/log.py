"""The log of rounds as it is typed: dice, what was done with the event die, entries such as `b=3+1`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain

from ...errors import Place, Problem, did_you_mean
from .numbers import DARK, LIGHT, Numbers
from .play import PASS, Move

_ENTRY = re.compile(r"([a-z][0-9]{0,3})=(o|[+-]?[rx]?[0-9]{1,3}(?:[+-][rx]?[0-9]{1,3})*)")
_TERM = re.compile(r"([+-]?)([rx]?)([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Round:
    """One round of a log: the dice, what the event die showed and what was done with it, the entries in their order
    (`a=4`, `b=3+1`, `c=o`, `r1=4+1`, `a=6-2`, `b=1+r1`), and the dice that fitted nowhere."""

    dice: tuple[int, ...]
    event: str | None = None
    outline: str | None = None
    row: int | None = None
    entries: tuple[str, ...] = ()
    passed: tuple[int, ...] = ()
    place: Place


@dataclass(frozen=True, slots=True)
class Entry:
    """One entry, read: where it goes (`a`, `r1`, `x2`), and what is added and subtracted: dice as texts of a number, or
    fields. A meteorite has neither."""

    target: str
    plus: tuple[str, ...] = ()
    minus: tuple[str, ...] = ()

    @property
    def meteorite(self) -> bool:
        return not self.plus and not self.minus


def bare(word: str) -> str:
    """A name as it is typed in either case, with - or _."""
    return word.strip().lower().replace("_", "-")


def entry(text: str) -> Entry | None:
    """An entry as it is typed, with or without spaces; None where it is none."""
    match = _ENTRY.fullmatch(re.sub(r"\s+", "", text).lower().replace("−", "-"))
    if not match:
        return None
    terms = [] if match[2] == "o" else _TERM.findall(match[2])
    signed = [(sign, kind + (number.lstrip("0") or "0")) for sign, kind, number in terms]
    return Entry(match[1], tuple(name for sign, name in signed if sign != "-"),
                 tuple(name for sign, name in signed if sign == "-"))


def moves(numbers: Numbers, played: Round) -> Iterator[Move]:
    """The moves that a round of a log tells of, in their order."""
    if played.outline is not None:
        yield Move("outline", int(bare(played.outline).removeprefix(LIGHT)) - 1)
    if played.row is not None:
        yield Move("arrow", played.row - 1)
    for parsed in filter(None, map(entry, played.entries)):
        yield _move(numbers, parsed)
    if played.passed:
        yield PASS


def _move(numbers: Numbers, parsed: Entry) -> Move:
    field = numbers.field_number(parsed.target)
    place = numbers.columns.index(parsed.target) if field is None else len(numbers.columns) + field
    if parsed.meteorite:
        return Move("drop", place)
    return Move("enter", place, tuple(_source(numbers, name) for name in parsed.plus),
                tuple(_source(numbers, name) for name in parsed.minus))


def _source(numbers: Numbers, name: str) -> int:
    """The number of a die, or ~field for the one saved in a field."""
    field = numbers.field_number(name)
    return int(name) if field is None else ~field


# ---- what no pencil could have meant ---------------------------------------------------------------------------------

def problems(numbers: Numbers, played: Round) -> Iterator[Problem]:
    """Numbers no die shows, rows and fields that are not on the sheet, entries that cannot be read."""
    place = played.place
    if len(played.dice) != numbers.dice:
        yield Problem(f"a round has {numbers.dice} dice, not {len(played.dice)}", place, "such as dice: [4, 3, 1]")
    for number in chain(played.dice, played.passed):
        yield from _die_problems(numbers, number, place)
    if played.event is not None and bare(played.event) not in numbers.events:
        yield Problem(f"the event die has no “{played.event}”", place,
                      did_you_mean(bare(played.event), numbers.events))
    if played.row is not None and not 1 <= played.row <= numbers.rows:
        yield Problem(f"there is no row {played.row}", place, f"1 to {numbers.rows}, from the bottom")
    outlined = bare(played.outline or "")
    if outlined and (outlined[0] != LIGHT or numbers.field_number(outlined) is None):
        yield Problem(f"there is no light field “{played.outline}”", place, f"{LIGHT}1 to {LIGHT}{numbers.light}")
    for text in played.entries:
        yield from _entry_problems(numbers, text, place)


def _die_problems(numbers: Numbers, number: int, place: Place) -> Iterator[Problem]:
    if number not in numbers.die:
        yield Problem(f"“{number}” is no number of the die, {numbers.die[0]} to {numbers.die[-1]}", place)


def _entry_problems(numbers: Numbers, text: str, place: Place) -> Iterator[Problem]:
    parsed = entry(text)
    if parsed is None:
        yield Problem(f"the entry “{text}” cannot be read", place, "such as a=4, b=3+1, c=o for a meteorite, r1=4+1")
        return
    for name in (parsed.target, *parsed.plus, *parsed.minus):
        if name.isdigit():
            yield from _die_problems(numbers, int(name), place)
        elif name not in numbers.columns and numbers.field_number(name) is None:
            yield Problem(f"there is no column or field “{name}”, in the entry “{text}”", place,
                          f"columns {numbers.columns[0]} to {numbers.columns[-1]}, fields {DARK}1 to "
                          f"{DARK}{numbers.dark} and {LIGHT}1 to {LIGHT}{numbers.light}")
