"""The rules a sheet is held against as it lies: the option, the grid, the event die, and the player's sums."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from ...sheets import Value
from ..legacy import Breach
from . import drawn, score
from .book import Judged, book
from .numbers import OPTIONS
from .play import METEORITE

_CIRCLES = ("claimed.option", "claimed.bonus", "claimed.total")


def has_not_one_option(sheet: Judged) -> bool:
    return sheet.option is None


def has_more_without_the_event_die(sheet: Judged) -> bool:
    return not sheet.event_die and bool(sheet.has_meteorites or sheet.arrows or sheet.log or sheet.touches_light)


def draws_beside_its_option(sheet: Judged) -> bool:
    option = sheet.option
    if not (sheet.filled.extra or sheet.crossed_out):
        return False
    return option is not None and ((option != "snake" and drawn.has_drawn(sheet, "snake"))
                                   or (option != "blocks" and drawn.has_drawn(sheet, "blocks")))


def draws_its_snake(sheet: Judged) -> bool:
    return sheet.option == "snake" and bool(sheet.drawn_snake)


def has_gaps(sheet: Judged) -> bool:
    return sheet.has_gaps


def outlines_badly(sheet: Judged) -> bool:
    return sheet.option == "blocks" and any([block.faults for block in drawn.outlined(sheet)])


def crosses_out_shapes(sheet: Judged) -> bool:
    return sheet.option == "blocks" and bool(sheet.crossed_out)


def claims_points(sheet: Judged) -> bool:
    return "claimed.columns" in sheet.filled.rows or any([name in sheet.single for name in _CIRCLES])


@book.rule("one-option", source="rulebook, set-up", when=has_not_one_option)
def one_option_is_ticked(sheet: Judged) -> Iterator[Breach]:
    """Exactly one scoring option is ticked: rows, snake or blocks."""
    ticked = " and ".join(sheet.options) or "no scoring option"
    yield (f"{ticked} {'are' if len(sheet.options) > 1 else 'is'} ticked, but one of them is played", "option",
           *(f"option.{option}" for option in sheet.options))


@book.rule("no-gaps", source="rulebook; U12", when=has_gaps)
def columns_are_filled_from_below(sheet: Judged) -> Iterator[Breach]:
    """A number or meteorite drops to the lowest free box of its column, so no box is filled above an empty one."""
    for column, marks in enumerate(sheet.grid):
        for row, (below, mark) in enumerate(pairwise(marks), 1):
            if below is None and mark is not None:
                name = sheet.box_name((column, row))
                yield (f"{name} is filled but {sheet.box_name((column, row - 1))} below it is empty",
                       sheet.box_id((column, row)))


@book.rule("event-die", source="rulebook, event die; U21", when=has_more_without_the_event_die)
def only_the_event_die_brings_these(sheet: Judged) -> Iterator[Breach]:
    """Meteorites, arrows, outlined light fields and events in the log come from the event die only; who plays with it
    ticks it on the sheet."""
    for what, ids in (("a meteorite", _meteorites(sheet)), ("an arrow", _arrows(sheet)),
                      ("an outlined light field", _light(sheet)), ("an event in the log", _events(sheet))):
        if ids:
            yield f"there is {what}, but the event die is not ticked", *ids


def _meteorites(sheet: Judged) -> list[str]:
    return [sheet.box_id((column, row)) for column, marks in enumerate(sheet.grid) if METEORITE in marks
            for row, mark in enumerate(marks) if mark == METEORITE]


def _arrows(sheet: Judged) -> list[str]:
    return [f"bonus_rows.{row + 1}" for row in sheet.arrows]


def _light(sheet: Judged) -> list[str]:
    return [field.id for field in sheet.light if field.open]


def _events(sheet: Judged) -> list[str]:
    return [f"log.{number}" for number, played in enumerate(sheet.log, 1)
            if played.event is not None or played.outline is not None or played.row is not None]


# ---- what is drawn --------------------------------------------------------------------------------------------------

@book.rule("other-option", source="the score sheet", severity="warning", when=draws_beside_its_option)
def only_the_ticked_option_is_drawn(sheet: Judged) -> Iterator[Breach]:
    """A snake is drawn with the option snake, blocks with the option blocks; drawn with another, they do not count."""
    for option in OPTIONS:
        if sheet.option != option and drawn.has_drawn(sheet, option):
            what = "a snake is" if option == "snake" else "blocks are"
            yield f"{what} drawn, but the scoring option is {sheet.option}", option


@book.rule("snake-line", source="rulebook 2; U1, U2, U20", when=draws_its_snake)
def the_drawn_snake_is_one(sheet: Judged) -> Iterator[Breach]:
    """The snake that is drawn goes through boxes with one number, each touching the one before at a side or a corner,
    none of them twice, and has two boxes or more. A line that is no snake counts nothing."""
    yield from drawn.snake_faults(sheet)


@book.rule("longest-snake", source="rulebook 2; U20", severity="warning", when=draws_its_snake)
def the_drawn_snake_is_the_longest(sheet: Judged) -> Iterator[Breach]:
    """Only the longest snake counts; a shorter one that is drawn instead counts as it is drawn."""
    counted = drawn.counted_snake(sheet)
    if counted and (longest := sheet.snake_of(len(counted) + 1)):
        yield (f"the snake that is drawn has {len(counted)} boxes, but there is one of {len(longest)}: "
               f"{' '.join(map(sheet.box_name, longest))}", "snake", *map(sheet.box_id, longest))


def _blocks(sheet: Judged, rule: str) -> Iterator[Breach]:
    return (breach for block in drawn.outlined(sheet) for name, breach in block.faults if name == rule)


@book.rule("block-shape", source="rulebook 3; U10", when=outlines_badly)
def a_block_has_its_shape(sheet: Judged) -> Iterator[Breach]:
    """The boxes of a block form the shape that is named, turned and mirrored as one likes."""
    yield from _blocks(sheet, "block-shape")


@book.rule("block-numbers", source="rulebook 3; U10", when=outlines_badly)
def a_block_holds_one_number(sheet: Judged) -> Iterator[Breach]:
    """All boxes of a block hold the same number; none is empty or a meteorite."""
    yield from _blocks(sheet, "block-numbers")


@book.rule("blocks-once", source="rulebook 3; U10", when=outlines_badly)
def a_shape_counts_once(sheet: Judged) -> Iterator[Breach]:
    """Each of the nine shapes is outlined once at most."""
    yield from _blocks(sheet, "blocks-once")


@book.rule("blocks-apart", source="rulebook 3; U10", when=outlines_badly)
def blocks_share_no_box(sheet: Judged) -> Iterator[Breach]:
    """No box belongs to two blocks."""
    yield from _blocks(sheet, "blocks-apart")


@book.rule("blocks-crossed", source="rulebook 3; U11", when=crosses_out_shapes)
def what_is_crossed_out_is_outlined(sheet: Judged) -> Iterator[Breach]:
    """A shape is crossed out in the list when it is outlined in the grid. Where nothing is outlined, as in a form on a
    screen, the shapes that are crossed out must all fit into the grid together."""
    shapes = {block.shape for block in drawn.outlined(sheet)}
    if not shapes:
        fitting = drawn.fitting(sheet)
        lost = [name for name in sheet.crossed_out if name not in dict(fitting.blocks)]
        if lost and fitting.exact:
            yield (f"the shapes crossed out, {' '.join(sheet.crossed_out)}, cannot all be outlined in the grid",
                   f"blocks.{lost[0]}")
        return
    for name in sheet.crossed_out:
        if name not in shapes:
            yield f"the shape {name} is crossed out, but not outlined", f"blocks.{name}"
    for name in sorted(shapes - set(sheet.crossed_out)):
        yield f"the shape {name} is outlined, but not crossed out", "blocks"


# ---- the player's sums ----------------------------------------------------------------------------------------------

@book.rule("claimed-columns", source="rulebook; U5", when=claims_points)
def the_red_circles_are_right(sheet: Judged) -> Iterator[Breach]:
    """The points in the circle below a column are the steps in it."""
    right = score.columns(sheet)
    typed = sheet.filled.grids.get("claimed.columns")
    if typed and typed[2] == (tuple(right),):
        return
    for number in sheet.filled.rows.get("claimed.columns", ()):
        name = f"claimed.columns.{number}"
        yield from _wrong(name, sheet.filled.marks[name], right[number - 1],
                          f"column {sheet.known.columns[number - 1]} has")


@book.rule("claimed-option", source="rulebook", when=claims_points)
def the_purple_circle_is_right(sheet: Judged) -> Iterator[Breach]:
    """The points in the circle of the scoring option are what it counts."""
    if sheet.option:
        yield from _wrong("claimed.option", sheet.single.get("claimed.option"), score.option_points(sheet),
                          f"the option {sheet.option} counts")


@book.rule("claimed-bonus", source="rulebook, event die; U14", when=claims_points)
def the_yellow_circle_is_right(sheet: Judged) -> Iterator[Breach]:
    """The points in the circle of the bonus rows are what they count; without the event die, nothing."""
    yield from _wrong("claimed.bonus", sheet.single.get("claimed.bonus"), score.bonus(sheet), "the bonus rows count")


@book.rule("claimed-total", source="rulebook; U13", when=claims_points)
def the_total_is_right(sheet: Judged) -> Iterator[Breach]:
    """The total is the sum of all circles, and nothing else."""
    if sheet.option:
        yield from _wrong("claimed.total", sheet.single.get("claimed.total"), score.total(sheet), "the sheet comes to")


def _wrong(name: str, claimed: Value | None, right: int, says: str) -> Iterator[Breach]:
    if claimed is not None and claimed != right:
        yield f"{claimed} is claimed, but {says} {right}", name
