"""What a player draws into the grid, the snake and the blocks: as it is typed, what is wrong with it, what counts."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from ...errors import Place, Problem, did_you_mean
from ...rules.book import Rule, Violation
from ...sheets import FilledSheet
from . import rules
from .blocks import cornered
from .log import bare
from .numbers import Numbers
from .rows import NO_NUMBER
from .snake import Box

if TYPE_CHECKING:
    from .sheet import PlayerSheet

_MOST_CACHED = 40
"""Letters of a text whose meaning is cached."""

_BETWEEN = re.compile(r"[\s,]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEntry:
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


def names_in(text: str) -> tuple[str, ...]:
    """The names of boxes in a text that may hold several."""
    return tuple(filter(None, _BETWEEN.split(text.lower())))


def outline(numbers: Numbers, entry: BlockEntry) -> Outline:
    """An entry of `blocks:` on the grid."""
    cells = " ".join(entry.cells)
    short = len(entry.shape) + len(cells) <= _MOST_CACHED
    return (_cached_outline if short else _outline)(numbers, entry.shape, cells)


def _outline(numbers: Numbers, shape: str, cells: str) -> Outline:
    name, named = bare(shape), names_in(cells)
    boxes = tuple(numbers.named[box] for box in named if box in numbers.named)
    formed = bool(boxes) and len({*boxes}) == len(boxes) and name in numbers.shape and (
        cornered(boxes) in numbers.shape[name].ways)
    return Outline(name, boxes, formed, tuple(box for box in named if box not in numbers.named))


_cached_outline = lru_cache(1 << 12)(_outline)


# ---- what no pencil could have meant ---------------------------------------------------------------------------------

def problems(sheet: FilledSheet, numbers: Numbers) -> Iterator[Problem]:
    """Boxes and shapes that are not on the sheet."""
    snake = sheet.extra.get("snake") or ()
    if not numbers.named.keys() >= {*snake}:
        for number, text in enumerate(snake, 1):
            unknown = tuple(name for name in names_in(text) if name not in numbers.named)
            yield from _box_problems(numbers, unknown, sheet.place_of(f"snake.{number}"))
    entries = sheet.extra.get("blocks") or ()
    if len(entries) > len(numbers.boxes):
        yield Problem(f"{len(entries)} blocks are more than there are boxes in the grid", sheet.place_of("blocks"))
    for entry in entries:
        block = outline(numbers, entry)
        if not block.formed or block.unknown:
            yield from _block_problems(numbers, entry, block)


def _box_problems(numbers: Numbers, unknown: tuple[str, ...], place: Place) -> Iterator[Problem]:
    for name in unknown:
        yield Problem(f"there is no box “{name}” in the grid", place,
                      f"{numbers.columns[0]}1 to {numbers.columns[-1]}{numbers.rows}, row 1 at the bottom")


def _block_problems(numbers: Numbers, entry: BlockEntry, block: Outline) -> Iterator[Problem]:
    if block.shape not in numbers.shape:
        yield Problem(f"there is no shape “{entry.shape}”", entry.place, did_you_mean(block.shape, numbers.shape))
    if (count := len(block.boxes) + len(block.unknown)) > len(numbers.boxes):
        yield Problem(f"a block of {count} boxes is larger than the grid", entry.place)
    yield from _box_problems(numbers, block.unknown, entry.place)


# ---- the snake -------------------------------------------------------------------------------------------------------

def snake_violations(sheet: PlayerSheet) -> Iterator[Violation]:
    """Why the line that is drawn is no snake; only the first reason of each kind."""
    line = sheet.drawn_snake
    boxes = tuple(place for _, place in line)
    yield from _unlike(sheet, boxes, "the snake", line[0][0], rules.SNAKE_LINE)
    if len({*boxes}) < len(boxes):
        where, place = next(entry for number, entry in enumerate(line) if entry[1] in boxes[:number])
        yield rules.SNAKE_LINE((where, sheet.box_id(place)), f"the snake goes through {sheet.box_name(place)} twice")
        return
    if len(boxes) < sheet.numbers.snake_shortest:
        yield rules.SNAKE_LINE((line[0][0], *map(sheet.box_id, boxes)),
                               f"a snake has {sheet.numbers.snake_shortest} boxes or more")
    elif not sheet.hangs_together(boxes):
        where, one, other = _first_leap(sheet, line)
        yield rules.SNAKE_LINE(
            (where, sheet.box_id(one), sheet.box_id(other)),
            f"the snake leaps from {sheet.box_name(one)} to {sheet.box_name(other)}, which do not touch")


def _first_leap(sheet: PlayerSheet, line: tuple[tuple[str, Box], ...]) -> tuple[str, Box, Box]:
    """Where the line first leaps: the id of the entry it leaps to, and both boxes."""
    for (_, one), (where, other) in pairwise(line):
        if not sheet.hangs_together((one, other)):
            return where, one, other
    return line[-1][0], line[0][1], line[-1][1]


def _unlike(sheet: PlayerSheet, boxes: tuple[Box, ...], what: str, where: str, rule: Rule) -> Iterator[Violation]:
    """Boxes that do not hold one number: blank ones, meteorites, different numbers."""
    marks = sheet.marks_in(boxes)
    if len(marks) == 1 and marks.isdisjoint(NO_NUMBER):
        return
    odd = next((place for place in boxes if place not in sheet.numbered), None)
    if odd is not None:
        holds = "holds a meteorite" if odd in sheet.marks else "is blank"
        yield rule((where, sheet.box_id(odd)), f"{what} has the box {sheet.box_name(odd)}, which {holds}")
        return
    different = sorted({sheet.numbered[place] for place in boxes})
    if len(different) > 1:
        yield rule((where, *map(sheet.box_id, boxes)),
                   f"{what} holds {' and '.join(map(str, different))}, not one number")


# ---- blocks ----------------------------------------------------------------------------------------------------------

class OutlinedBlock(NamedTuple):
    """A block and what is wrong with it: where the file lists it, its shape and boxes, and every rule it breaks."""

    id: str
    shape: str
    boxes: tuple[Box, ...]
    violations: tuple[Violation, ...]
    counts: bool


def outlined_blocks(sheet: PlayerSheet) -> list[OutlinedBlock]:
    """The blocks in the order they are listed; of two that cannot both count, the one listed first does."""
    result: list[OutlinedBlock] = []
    for where, block in sheet.drawn_blocks:
        taken = {*block.boxes}
        own = tuple(_own_violations(sheet, block, where))
        rivals = [other for other in result if block.shape == other.shape or not taken.isdisjoint(other.boxes)]
        against = [violation for other in rivals for violation in _violations_beside(sheet, block, where, other)]
        counts = not own and not any([other.counts for other in rivals])
        result.append(OutlinedBlock(where, block.shape, block.boxes, (*own, *against), counts))
    return result


def _own_violations(sheet: PlayerSheet, block: Outline, where: str) -> Iterator[Violation]:
    shape, boxes = block.shape, block.boxes
    if not block.formed:
        named = " ".join(map(sheet.box_name, boxes)) or "none"
        yield rules.BLOCK_SHAPE(
            (where, *map(sheet.box_id, boxes)),
            f"the {shape} has the boxes {named}, which do not lie in that shape, turned or mirrored")
    yield from _unlike(sheet, boxes, f"the {shape}", where, rules.BLOCK_NUMBERS)


def _violations_beside(sheet: PlayerSheet, block: Outline, where: str, other: OutlinedBlock) -> Iterator[Violation]:
    if block.shape == other.shape:
        yield rules.BLOCKS_ONCE((where, other.id),
                                f"a second {block.shape} is outlined, but each shape counts once")
    shared = [place for place in block.boxes if place in other.boxes]
    if shared:
        yield rules.BLOCKS_APART(
            (where, other.id, *map(sheet.box_id, dict.fromkeys(shared))),
            f"the {block.shape} and the {other.shape} share {sheet.box_name(shared[0])}")
