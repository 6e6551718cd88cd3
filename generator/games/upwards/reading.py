"""What a sheet of this game has beside its paper: the snake and the blocks as drawn, and the log of rounds."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain
from types import MappingProxyType
from typing import NamedTuple

from ...errors import Place, Problem, did_you_mean
from ...sheets import FilledSheet, Reading
from .blocks import cornered
from .numbers import DARK, LIGHT, Numbers, numbers
from .snake import Box

_MOST_KNOWN = 40
"""Letters of a text that is kept with what it means."""

_BETWEEN = re.compile(r"[\s,]+")
_ENTRY = re.compile(r"([a-z][0-9]{0,3})=(o|[+-]?[rx]?[0-9]{1,3}(?:[+-][rx]?[0-9]{1,3})*)")
_TERM = re.compile(r"([+-]?)([rx]?)([0-9]+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockDrawn:
    """One entry of `blocks:`, a block as it is outlined."""

    shape: str
    cells: tuple[str, ...]
    place: Place


class Outline(NamedTuple):
    """A block as it is outlined: its shape, its boxes, and whether they form it, turned or mirrored. What is not on the
    sheet is `unknown`."""

    shape: str
    boxes: tuple[Box, ...]
    formed: bool
    unknown: tuple[str, ...] = ()


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


EXTRA: Mapping[str, object] = MappingProxyType(
    {"log": tuple[Round, ...], "snake": tuple[str, ...], "blocks": tuple[BlockDrawn, ...]})


def bare(word: str) -> str:
    """A name as it is typed in either case, with - or _."""
    return word.strip().lower().replace("_", "-")


def pieces(texts: tuple[str, ...]) -> tuple[str, ...]:
    """The names in a list of texts, of which one may hold several."""
    text = " ".join(texts)
    return _known_pieces(text) if len(text) <= _MOST_KNOWN else _pieces(text)


def _pieces(text: str) -> tuple[str, ...]:
    return tuple(filter(None, _BETWEEN.split(text.lower())))


_known_pieces = lru_cache(1 << 12)(_pieces)


def outline(known: Numbers, drawn: BlockDrawn) -> Outline:
    """An entry of `blocks:` on the grid."""
    cells = " ".join(drawn.cells)
    few = len(drawn.shape) + len(cells) <= _MOST_KNOWN
    return (_known_outline if few else _outline)(known, drawn.shape, cells)


def _outline(known: Numbers, shape: str, cells: str) -> Outline:
    name, named = bare(shape), _pieces(cells)
    boxes = tuple(known.named[box] for box in named if box in known.named)
    formed = bool(boxes) and len({*boxes}) == len(boxes) and name in known.shape and (
        cornered(boxes) in known.shape[name].ways)
    return Outline(name, boxes, formed, tuple(box for box in named if box not in known.named))


_known_outline = lru_cache(1 << 12)(_outline)


def entry(text: str) -> Entry | None:
    """An entry as it is typed, with or without spaces; None where it is none."""
    found = _ENTRY.fullmatch(re.sub(r"\s+", "", text).lower().replace("−", "-"))
    if not found:
        return None
    terms = [] if found[2] == "o" else _TERM.findall(found[2])
    signed = [(sign, kind + (number.lstrip("0") or "0")) for sign, kind, number in terms]
    return Entry(found[1], tuple(name for sign, name in signed if sign != "-"),
                 tuple(name for sign, name in signed if sign == "-"))


def field_number(known: Numbers, name: str) -> int | None:
    """The number of a reserve field, from 0, the dark ones (`r1`) first; None for what is no field."""
    if not re.fullmatch(f"[{DARK}{LIGHT}][0-9]{{1,3}}", name):
        return None
    first, count = (0, known.dark) if name[0] == DARK else (known.dark, known.light)
    return first + int(name[1:]) - 1 if 1 <= int(name[1:]) <= count else None


# ---- what no pencil could have meant ---------------------------------------------------------------------------------

def problems(sheet: FilledSheet) -> Iterable[Problem]:
    """Boxes, shapes and fields that are not on the sheet, numbers no die shows, entries that cannot be read."""
    return _problems(sheet) if sheet.extra or sheet.codes else ()


def _problems(sheet: FilledSheet) -> Iterator[Problem]:
    known = numbers(sheet.game)
    if sheet.extra:
        yield from _drawn_problems(sheet, known)
    for played in sheet.extra.get("log") or ():
        yield from _round_problems(known, played)
    if sheet.codes:
        from . import coded  # few sheets name a strip
        yield from coded.problems(sheet)


def _drawn_problems(sheet: FilledSheet, known: Numbers) -> Iterator[Problem]:
    snake = sheet.extra.get("snake") or ()
    if not known.named.keys() >= {*snake}:
        for number, text in enumerate(snake, 1):
            unknown = tuple(name for name in pieces((text,)) if name not in known.named)
            yield from _box_problems(known, unknown, sheet.place_of(f"snake.{number}"))
    blocks = sheet.extra.get("blocks") or ()
    if len(blocks) > len(known.boxes):
        yield Problem(f"{len(blocks)} blocks are more than there are boxes in the grid", sheet.place_of("blocks"))
    for drawn in blocks:
        made = outline(known, drawn)
        if not made.formed or made.unknown:
            yield from _block_problems(known, drawn, made)


def _box_problems(known: Numbers, unknown: tuple[str, ...], place: Place) -> Iterator[Problem]:
    for name in unknown:
        yield Problem(f"there is no box “{name}” in the grid", place,
                      f"{known.columns[0]}1 to {known.columns[-1]}{known.rows}, row 1 at the bottom")


def _block_problems(known: Numbers, drawn: BlockDrawn, made: Outline) -> Iterator[Problem]:
    if made.shape not in known.shape:
        yield Problem(f"there is no shape “{drawn.shape}”", drawn.place, did_you_mean(made.shape, known.shape))
    if (many := len(made.boxes) + len(made.unknown)) > len(known.boxes):
        yield Problem(f"a block of {many} boxes is larger than the grid", drawn.place)
    yield from _box_problems(known, made.unknown, drawn.place)


def _round_problems(known: Numbers, played: Round) -> Iterator[Problem]:
    place = played.place
    if len(played.dice) != known.dice:
        yield Problem(f"a round has {known.dice} dice, not {len(played.dice)}", place, "such as dice: [4, 3, 1]")
    for number in chain(played.dice, played.passed):
        yield from _die_problems(known, number, place)
    if played.event is not None and bare(played.event) not in known.events:
        yield Problem(f"the event die has no “{played.event}”", place, did_you_mean(bare(played.event), known.events))
    if played.row is not None and not 1 <= played.row <= known.rows:
        yield Problem(f"there is no row {played.row}", place, f"1 to {known.rows}, from the bottom")
    outlined = bare(played.outline or "")
    if outlined and (outlined[0] != LIGHT or field_number(known, outlined) is None):
        yield Problem(f"there is no light field “{played.outline}”", place, f"{LIGHT}1 to {LIGHT}{known.light}")
    for text in played.entries:
        yield from _entry_problems(known, text, place)


def _die_problems(known: Numbers, number: int, place: Place) -> Iterator[Problem]:
    if number not in known.die:
        yield Problem(f"“{number}” is no number of the die, {known.die[0]} to {known.die[-1]}", place)


def _entry_problems(known: Numbers, text: str, place: Place) -> Iterator[Problem]:
    made = entry(text)
    if made is None:
        yield Problem(f"the entry “{text}” cannot be read", place, "such as a=4, b=3+1, c=o for a meteorite, r1=4+1")
        return
    for name in (made.target, *made.plus, *made.minus):
        if name.isdigit():
            yield from _die_problems(known, int(name), place)
        elif name not in known.columns and field_number(known, name) is None:
            yield Problem(f"there is no column or field “{name}”, in the entry “{text}”", place,
                          f"columns {known.columns[0]} to {known.columns[-1]}, fields {DARK}1 to {DARK}{known.dark} "
                          f"and {LIGHT}1 to {LIGHT}{known.light}")


GRIDS = frozenset({"grid", "reserve", "extra_reserve", "claimed.columns"})
READING = Reading(extra=EXTRA, problems=problems, grids=GRIDS)
