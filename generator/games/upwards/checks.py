"""Checks a sheet by itself (option, grid, event die, drawings, sums, log, strip) and against other players' sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from ...rules.book import Rule, Violation
from ...rules.terminal import number_text
from ...sheets import Value
from ..turns import listed
from . import play, rules
from .play import METEORITE, State
from .replay import Round, bare
from .sheet import PlayerSheet, strip_of

if TYPE_CHECKING:
    from .deal import Throw

_MAX_DIFFERENCES = 8
"""How many differences between a log and its sheet are listed; the rest are counted."""
_CIRCLES = {
    "claimed.option": (rules.CLAIMED_OPTION, "the option “{}” scores"),
    "claimed.total": (rules.CLAIMED_TOTAL, "the points add up to"),
    "claimed.bonus": (rules.CLAIMED_BONUS, "the bonus rows score"),
}
"""The circles for single numbers, and what is said of them."""


def violations(sheet: PlayerSheet) -> Iterator[Violation]:
    """All violations of a sheet by itself. Skips checks that cannot fail on this sheet, because there may be thousands
    of sheets and most are correct."""
    if sheet.option is None:
        yield _one_option(sheet)
    if sheet.has_gaps:
        yield from _gaps(sheet)
    yield from map(_saved_meteorite, sheet.saved_meteorites)
    if not sheet.event_die and sheet.needs_event_die:
        yield from _without_the_event_die(sheet)
    if sheet.filled.extra or sheet.crossed_out:
        yield from _drawn(sheet)
    if "claimed.columns" in sheet.filled.rows or not _CIRCLES.keys().isdisjoint(sheet.single):
        yield from _sums(sheet)
    if sheet.log:
        yield from _log(sheet)
    if "strip" in sheet.filled.codes:
        yield from _strip(sheet)


def _one_option(sheet: PlayerSheet) -> Violation:
    ticked = listed(sheet.options) or "no scoring option"
    return rules.ONE_OPTION(
        ("option", *(f"option.{option}" for option in sheet.options)),
        f"{ticked} {'are' if len(sheet.options) > 1 else 'is'} ticked, but you play with exactly one scoring option",
    )


def _gaps(sheet: PlayerSheet) -> Iterator[Violation]:
    """One violation for each row with boxes that are filled above empty ones."""
    for row, (below, marks) in enumerate(pairwise(row.boxes for row in sheet.grid.rows), 1):
        floating = [column for column, mark in enumerate(marks) if mark is not None and below[column] is None]
        names = [sheet.box_name((column, row)) for column in floating]
        empty = [sheet.box_name((column, row - 1)) for column in floating]
        if floating:
            yield rules.NO_GAPS(
                [sheet.box_id((column, row)) for column in floating],
                f"{listed(names)} {'are' if names[1:] else 'is'} filled but {listed(empty)} below "
                f"{'them are' if names[1:] else 'it is'} empty",
            )


def _saved_meteorite(field: str) -> Violation:
    return rules.METEORITE(field, "there is a meteorite in the reserve, but it must drop into a column")


def _without_the_event_die(sheet: PlayerSheet) -> Iterator[Violation]:
    """Marks that only come from the event die, on a sheet without it."""
    meteorites = [
        sheet.box_id((column, row))
        for column, marks in enumerate(sheet.columns)
        for row, mark in enumerate(marks)
        if mark == METEORITE
    ] + sheet.saved_meteorites
    arrows = [f"bonus_rows.{row + 1}" for row in sheet.arrows]
    light = [field.id for field in sheet.light if field.open]
    events = [
        f"log.{number}"
        for number, played in enumerate(sheet.log, 1)
        if played.event is not None or played.outline is not None or played.row is not None
    ]
    for what, ids in (
        ("a meteorite", meteorites),
        ("an arrow", arrows),
        ("an outlined light field", light),
        ("an event in the log", events),
    ):
        if ids:
            yield rules.EVENT_DIE(ids, f"there is {what}, but the event die is not ticked")


# ---- drawings --------------------------------------------------------------------------------------------------------


def _drawn(sheet: PlayerSheet) -> Iterator[Violation]:
    if sheet.option not in ("snake", None) and sheet.drawn_snake:
        yield rules.OTHER_OPTION("snake", f"a snake is drawn, but the scoring option is {sheet.option}")
    if sheet.option not in ("blocks", None) and (sheet.drawn_blocks or sheet.crossed_out):
        yield rules.OTHER_OPTION("blocks", f"blocks are drawn, but the scoring option is {sheet.option}")
    if sheet.option == "snake" and sheet.drawn_snake:
        yield from sheet.snake_violations
        yield from _longer_snake(sheet)
    elif sheet.option == "blocks":
        for block in sheet.outlined:
            yield from block.violations
        if sheet.crossed_out:
            yield from _crossed_out(sheet)


def _longer_snake(sheet: PlayerSheet) -> Iterator[Violation]:
    counted = sheet.counted_snake
    if counted and (longest := sheet.longest_snake(len(counted) + 1)):
        yield rules.LONGEST_SNAKE(
            ("snake", *map(sheet.box_id, longest)),
            f"the snake has {len(counted)} boxes, but a snake of {len(longest)} is possible: "
            f"{' '.join(map(sheet.box_name, longest))}",
        )


def _crossed_out(sheet: PlayerSheet) -> Iterator[Violation]:
    """Shapes that are crossed out in the list but not outlined in the grid, or the other way round."""
    shapes = {block.shape for block in sheet.outlined}
    if not shapes:
        fitting = sheet.fitting
        lost = [name for name in sheet.crossed_out if name not in dict(fitting.blocks)]
        if lost and fitting.exact:
            yield rules.BLOCKS_CROSSED(
                f"blocks.{lost[0]}",
                f"the crossed-out shapes ({', '.join(sheet.crossed_out)}) do not all fit into the grid",
            )
        return
    for name in sheet.crossed_out:
        if name not in shapes:
            yield rules.BLOCKS_CROSSED(f"blocks.{name}", f"the shape {name} is crossed out, but not outlined")
    for name in sorted(shapes - set(sheet.crossed_out)):
        yield rules.BLOCKS_CROSSED("blocks", f"the shape {name} is outlined, but not crossed out")


# ---- the player's sums -----------------------------------------------------------------------------------------------


def _sums(sheet: PlayerSheet) -> Iterator[Violation]:
    """Circles with the wrong points."""
    right = sheet.column_points
    typed = sheet.typed.get("claimed.columns")
    if not typed or typed[2] != (tuple(right),):
        numbers = sheet.filled.rows.get("claimed.columns", ())
        if numbers == (1,) and right[0] != sheet.filled.marks["claimed.columns.1"] == sum(right):
            message = f"{sum(right)} is the sum of the columns; write the steps of each: {' '.join(map(str, right))}"
            yield rules.CLAIMED_COLUMNS("claimed.columns.1", message)
            numbers = ()
        for number in numbers:
            name, points = f"claimed.columns.{number}", right[number - 1]
            if sheet.filled.marks[name] != points:
                reason = f"column {sheet.numbers.columns[number - 1]} scores"
                yield _mismatch(rules.CLAIMED_COLUMNS, name, sheet.filled.marks[name], points, reason)
    correct = {"claimed.option": sheet.option_points, "claimed.total": sheet.total} if sheet.option else {}
    correct["claimed.bonus"] = sheet.bonus_points
    for name, points in correct.items():
        claimed = sheet.single.get(name, points)
        if claimed != points:
            rule, reason = _CIRCLES[name]
            yield _mismatch(rule, name, claimed, points, reason.format(sheet.option))


def _mismatch(rule: Rule, name: str, claimed: Value, right: int, reason: str) -> Violation:
    return rule(name, f"the sheet says {number_text(claimed)}, but {reason} {number_text(right)}")


# ---- the log of rounds -----------------------------------------------------------------------------------------------


def _log(sheet: PlayerSheet) -> Iterator[Violation]:
    """Violations in the log, and differences between its end and the sheet."""
    if sheet.event_die:
        for number, played in enumerate(sheet.log, 1):
            if played.event is None:
                yield rules.EVENT_EACH_ROUND(f"log.{number}", f"round {number} has no event, but the die is ticked")
    if sheet.replay:
        yield from sheet.replay.violations
        if sheet.replay.state:
            yield from _differences(sheet, sheet.replay.state)


def _differences(sheet: PlayerSheet, state: State) -> Iterator[Violation]:
    """The differences between the sheet and the end of the log, as one violation."""
    differences = [*_different_boxes(sheet, state), *_different_fields(sheet, state), *_different_arrows(sheet, state)]
    if differences:
        named = [difference for _, difference in differences[:_MAX_DIFFERENCES]]
        more = len(differences) - len(named)
        named += [f"{more} more differ{'s' * (more == 1)}"] if more else []
        yield rules.LOG_AGREES([name for name, _ in differences], f"after the log, {listed(named)}")


def _different_boxes(sheet: PlayerSheet, state: State) -> Iterator[tuple[str, str]]:
    for column, boxes in enumerate(state.columns):
        for row, mark in enumerate(sheet.column(column)):
            right = boxes[row] if row < len(boxes) else None
            if mark != right:
                place = column, row
                yield sheet.box_id(place), f"{sheet.box_name(place)} is {_shown(right)} (on the sheet: {_shown(mark)})"


def _different_fields(sheet: PlayerSheet, state: State) -> Iterator[tuple[str, str]]:
    for number, field in enumerate(sheet.reserve):
        right_shown = _field_shown(state, number)
        if field.shown != right_shown:
            yield field.id, f"field {field.name} is {right_shown} (on the sheet: {field.shown})"


def _different_arrows(sheet: PlayerSheet, state: State) -> Iterator[tuple[str, str]]:
    for row in range(state.numbers.rows):
        if (row in sheet.arrows) != bool(state.arrows >> row & 1):
            expected, marked = ("no", "an") if row in sheet.arrows else ("an", "no")
            yield f"bonus_rows.{row + 1}", f"row {row + 1} has {expected} arrow (on the sheet: {marked} arrow)"


def _shown(mark: int | None) -> str:
    if mark is None:
        return "empty"
    return "a meteorite" if mark == METEORITE else str(mark)


def _field_shown(state: State, field: int) -> str:
    number = state.reserve[field]
    if number:
        return f"{abs(number)}{'x' if number < 0 else ''}"
    return "empty" if play.is_open(state, field) else "not outlined"


# ---- the throw strip -------------------------------------------------------------------------------------------------


def _strip(sheet: PlayerSheet) -> Iterator[Violation]:
    strip = strip_of(sheet.filled)
    assert strip
    if strip.option and (strip.option != sheet.option or not sheet.event_die):
        yield rules.STRIP(
            ("strip", "option"), f"this challenge is played with the option {strip.option} and the event die"
        )
    throws = max(strip.strips, key=lambda throws: sum(map(_agree, throws, sheet.log)))
    for number, played in enumerate(sheet.log, 1):
        if number > len(throws):
            yield rules.STRIP(f"log.{number}", f"the log has a round {number}, but the strip has only {len(throws)}")
            return
        throw = throws[number - 1]
        if not _agree(throw, played):
            logged = _shown_throw(played.dice, bare(played.event or ""))
            right = _shown_throw(throw.dice, throw.event if played.event else "")
            yield rules.STRIP(f"log.{number}", f"round {number} shows {logged}, but the strip shows {right}")


def _agree(throw: Throw, played: Round) -> bool:
    """Whether a round has the dice of a throw, in any order, and its event if the round has one."""
    return sorted(throw.dice) == sorted(played.dice) and bare(played.event or "") in ("", throw.event)


def _shown_throw(dice: Sequence[int], event: str) -> str:
    return " ".join(map(str, sorted(dice))) + (f" and “{event}”" if event else "")


# ---- several sheets of one game --------------------------------------------------------------------------------------


def joint_violations(sheets: Sequence[PlayerSheet], number: int) -> Iterator[Violation]:
    """All violations of the sheet at this index that involve the other sheets."""
    sheet, first, before = sheets[number], sheets[0], sheets[:number]
    players = sheet.filled.game.players
    if number >= players.high:
        yield rules.TWO_TO_SIX(
            "player", f"this is the sheet of player {number + 1}, but the game is for {players.low} to {players.high}"
        )
    name = sheet.filled.text("player").casefold()
    if name and any(other.filled.text("player").casefold() == name for other in before):
        yield rules.NAMES("player", f"another player is also called {sheet.name}")
    if first.option and sheet.option and first.option != sheet.option:
        yield rules.SAME_OPTION(
            ("option", f"option.{sheet.option}"),
            f"the scoring option is {sheet.option}, but {first.name} plays with {first.option}",
        )
    if first.event_die != sheet.event_die:
        without = first if sheet.event_die else sheet
        yield rules.SAME_EVENT_DIE("event_die", f"{without.name} plays without the event die, but others play with it")
    yield from _other_dice(sheet, before)
    yield from _after_the_end(sheets, sheet)


def _other_dice(sheet: PlayerSheet, before: Sequence[PlayerSheet]) -> Iterator[Violation]:
    """Rounds whose dice or event differ from another player's log."""
    if not sheet.log or not before:
        return
    strip = strip_of(sheet.filled)
    if strip and len(strip.strips) > 1:  # each player has their own throws
        return
    for number, played in enumerate(sheet.log):
        other = next((other for other in before if len(other.log) > number), None)
        if other is None:
            continue
        theirs, where = other.log[number], f"log.{number + 1}"
        if sorted(played.dice) != sorted(theirs.dice):
            yield rules.SAME_DICE(
                where,
                f"round {number + 1} shows {_shown_throw(played.dice, '')}, but "
                f"{_shown_throw(theirs.dice, '')} on the sheet of {other.name}",
            )
        if played.event and theirs.event and bare(played.event) != bare(theirs.event):
            yield rules.SAME_DICE(
                where,
                f"round {number + 1} shows “{bare(played.event)}”, but “{bare(theirs.event)}” on the sheet of "
                f"{other.name}",
            )


def _after_the_end(sheets: Sequence[PlayerSheet], sheet: PlayerSheet) -> Iterator[Violation]:
    passed = [(other.replay.passed, other.name) for other in sheets if other.replay and other.replay.passed]
    if not passed:
        return
    first, who = min(passed)
    last = first + sheet.numbers.rounds_more
    own = sheet.replay.passed if sheet.replay else 0
    if len(sheet.log) > last and own != first:
        yield rules.SAME_END(
            f"log.{last + 1}", f"round {last} was the last one, as {who} passed a number in round {first}"
        )
