"""The snake and the blocks as a player drew them: what is wrong with them, and which of them count."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ...rules.kept import kept_with
from ..legacy import Breach
from . import blocks
from .numbers import Option
from .reading import Outline
from .rows import NO_NUMBER
from .sheet import Sheet
from .snake import Box


def has_drawn(sheet: Sheet, option: Option) -> bool:
    """Whether something is drawn that belongs to this scoring option."""
    if option == "snake":
        return bool(sheet.drawn_snake)
    return option == "blocks" and bool(sheet.drawn_blocks or sheet.crossed_out)


# ---- the snake ------------------------------------------------------------------------------------------------------

@kept_with
def counted_snake(sheet: Sheet) -> tuple[Box, ...]:
    """The boxes of the snake that counts: the one drawn, if it is one, or where none is drawn the longest there is."""
    if not sheet.drawn_snake:
        return sheet.longest_snake
    return () if snake_faults(sheet) else tuple(place for _, place in sheet.drawn_snake)


@kept_with
def snake_faults(sheet: Sheet) -> tuple[Breach, ...]:
    """Why the line that is drawn is no snake; only the first reason of each kind."""
    return tuple(_snake_faults(sheet))


def _snake_faults(sheet: Sheet) -> Iterator[Breach]:
    line = sheet.drawn_snake
    boxes = tuple(place for _, place in line)
    yield from _unlike(sheet, boxes, "the snake", line[0][0])
    if len({*boxes}) < len(boxes):
        where, place = next(entry for number, entry in enumerate(line) if entry[1] in boxes[:number])
        yield f"the snake goes through {sheet.box_name(place)} twice", where, sheet.box_id(place)
        return
    if len(boxes) < sheet.known.snake_shortest:
        yield f"a snake has {sheet.known.snake_shortest} boxes or more", line[0][0], *map(sheet.box_id, boxes)
    elif not sheet.hangs_together(boxes):
        where, one, other = _parting(sheet, line)
        yield (f"the snake leaps from {sheet.box_name(one)} to {sheet.box_name(other)}, which do not touch", where,
               sheet.box_id(one), sheet.box_id(other))


def _parting(sheet: Sheet, line: tuple[tuple[str, Box], ...]) -> tuple[str, Box, Box]:
    """Where the line first leaps: the id of the entry it leaps to, and both boxes."""
    for (_, one), (where, other) in pairwise(line):
        if not sheet.hangs_together((one, other)):
            return where, one, other
    return line[-1][0], line[0][1], line[-1][1]


def _unlike(sheet: Sheet, boxes: tuple[Box, ...], what: str, where: str) -> Iterator[Breach]:
    """Boxes that do not hold one number: blank ones, meteorites, different numbers."""
    held = sheet.held(boxes)
    if len(held) == 1 and held.isdisjoint(NO_NUMBER):
        return
    odd = next((place for place in boxes if place not in sheet.numbered), None)
    if odd is not None:
        holds = "holds a meteorite" if odd in sheet.marks else "is blank"
        yield f"{what} has the box {sheet.box_name(odd)}, which {holds}", where, sheet.box_id(odd)
        return
    numbers = sorted({sheet.numbered[place] for place in boxes})
    if len(numbers) > 1:
        yield f"{what} holds {' and '.join(map(str, numbers))}, not one number", where, *map(sheet.box_id, boxes)


# ---- blocks ---------------------------------------------------------------------------------------------------------

class Outlined(NamedTuple):
    """A block and what is wrong with it: where the file lists it, its shape and boxes, and every rule it breaks."""

    id: str
    shape: str
    boxes: tuple[Box, ...]
    faults: tuple[tuple[str, Breach], ...]
    counts: bool


@kept_with
def outlined(sheet: Sheet) -> list[Outlined]:
    """The blocks in the order they are listed; of two that cannot both count, the one listed first does."""
    made: list[Outlined] = []
    for where, block in sheet.drawn_blocks:
        name, boxes, taken = block.shape, block.boxes, {*block.boxes}
        own = tuple(_own_faults(sheet, block, where))
        rivals = [other for other in made if name == other.shape or not taken.isdisjoint(other.boxes)]
        against = [fault for other in rivals for fault in _faults_with(sheet, name, boxes, where, other)]
        counts = not own and not any([other.counts for other in rivals])
        made.append(Outlined(where, name, boxes, (*own, *against), counts))
    return made


def _own_faults(sheet: Sheet, block: Outline, where: str) -> Iterator[tuple[str, Breach]]:
    shape, boxes = block.shape, block.boxes
    if not block.formed:
        named = " ".join(map(sheet.box_name, boxes)) or "none"
        yield "block-shape", (f"the {shape} has the boxes {named}, which do not lie in that shape, turned or mirrored",
                              where, *map(sheet.box_id, boxes))
    for breach in _unlike(sheet, boxes, f"the {shape}", where):
        yield "block-numbers", breach


def _faults_with(sheet: Sheet, shape: str, boxes: tuple[Box, ...], where: str,
                 other: Outlined) -> Iterator[tuple[str, Breach]]:
    if shape == other.shape:
        yield "blocks-once", (f"a second {shape} is outlined, but each shape counts once", where, other.id)
    shared = [place for place in boxes if place in other.boxes]
    if shared:
        yield "blocks-apart", (f"the {shape} and the {other.shape} share {sheet.box_name(shared[0])}", where, other.id,
                               *map(sheet.box_id, dict.fromkeys(shared)))


@kept_with
def counted_shapes(sheet: Sheet) -> list[str]:
    """The shapes that count: those outlined as they should be; where shapes are only crossed out in the list, those
    for which the grid has blocks that all fit in together."""
    if sheet.drawn_blocks:
        return [block.shape for block in outlined(sheet) if block.counts]
    return [shape for shape, _ in fitting(sheet).blocks] if sheet.crossed_out else []


@kept_with
def fitting(sheet: Sheet) -> blocks.Best:
    """The most of the shapes crossed out that can be outlined together."""
    return blocks.best(sheet.numbered, [one for one in sheet.known.shapes if one.name in sheet.crossed_out])
