"""Checks a sheet by itself (option, grid, event die, drawings, sums, log, strip) and against other players' sheets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from ...rules.book import Violation
from ..base import rule_book, wrong_sums
from ..turns import listed
from .play import METEORITE
from .position import Position, longest_snake, position_of
from .replay import LoggedRound, bare, rules
from .score import written_sums
from .sheet import PlayerSheet, strip_of

if TYPE_CHECKING:
    from .deal import RoundThrow

joint_rules = rule_book("upwards_together")

_MAX_DIFFERENCES = 8
"""How many differences between a log and its sheet are listed; the rest are counted."""


def violations(sheet: PlayerSheet) -> Iterator[Violation]:
    """All violations of a sheet by itself."""
    if sheet.option is None:
        yield _one_option(sheet)
    yield from _gaps(sheet)
    for field in sheet.reserve:
        if field.meteorite:
            yield rules["meteorite"](field.id, "there is a meteorite in the reserve, but it must drop into a column")
    if not sheet.event_die:
        yield from _without_the_event_die(sheet)
    yield from _drawn(sheet)
    yield from _sums(sheet)
    yield from _log(sheet)
    yield from _strip(sheet)


def _one_option(sheet: PlayerSheet) -> Violation:
    ticked = listed(sheet.options) or "no scoring option"
    return rules["one-option"](
        ("option", *(f"option.{option}" for option in sheet.options)),
        f"{ticked} {'are' if len(sheet.options) > 1 else 'is'} ticked, but you play with exactly one scoring option",
    )


def _gaps(sheet: PlayerSheet) -> Iterator[Violation]:
    """One violation for each row with boxes that are filled above empty ones."""
    boxes = sorted(sheet.marks, key=itemgetter(1, 0))
    floating = [(column, row) for column, row in boxes if row and (column, row - 1) not in sheet.marks]
    for _, group in groupby(floating, key=itemgetter(1)):
        filled = [*group]
        empty = listed(sheet.box_names((column, row - 1) for column, row in filled).split())
        are, them_are = ("are", "them are") if filled[1:] else ("is", "it is")
        yield rules["no-gaps"](
            [*map(sheet.box_id, filled)],
            f"{listed(sheet.box_names(filled).split())} {are} filled but {empty} below {them_are} empty",
        )


def _without_the_event_die(sheet: PlayerSheet) -> Iterator[Violation]:
    """Marks that only come from the event die, on a sheet without it."""
    meteorites = sorted(box for box, mark in sheet.marks.items() if mark == METEORITE)
    saved = [field.id for field in sheet.reserve if field.meteorite]
    light = sheet.reserve[sheet.numbers.dark :]
    for what, ids in (
        ("a meteorite", [*map(sheet.box_id, meteorites), *saved]),
        ("an arrow", [f"bonus_rows.{row + 1}" for row in sheet.arrows]),
        ("an outlined light field", [field.id for field in light if field.open]),
        ("an event in the log", [f"log.{n}" for n, played in enumerate(sheet.log, 1) if played.has_event]),
    ):
        if ids:
            yield rules["event-die"](ids, f"there is {what}, but the event die is not ticked")


# ---- drawings --------------------------------------------------------------------------------------------------------


def _drawn(sheet: PlayerSheet) -> Iterator[Violation]:
    if sheet.option not in ("snake", None) and sheet.drawn_snake:
        yield rules["other-option"]("snake", f"a snake is drawn, but the scoring option is {sheet.option}")
    if sheet.option not in ("blocks", None) and (sheet.drawn_blocks or sheet.crossed_out):
        yield rules["other-option"]("blocks", f"blocks are drawn, but the scoring option is {sheet.option}")
    if sheet.option == "snake" and sheet.drawn_snake:
        yield from sheet.snake_violations()
        yield from _longer_snake(sheet)
    elif sheet.option == "blocks":
        for _, violations in sheet.checked_blocks:
            yield from violations
        if sheet.crossed_out:
            yield from _crossed_out(sheet)


def _longer_snake(sheet: PlayerSheet) -> Iterator[Violation]:
    length, name = len(sheet.counted_snake), sheet.numbers.box_name
    if length and (longest := longest_snake(sheet.numbers, sheet.numbered, length + 1)):
        yield rules["longest-snake"](
            ("snake", *map(sheet.box_id, longest)),
            f"the snake has {length} boxes, but a snake of {len(longest)} is possible: {' '.join(map(name, longest))}",
        )


def _crossed_out(sheet: PlayerSheet) -> Iterator[Violation]:
    """Shapes that are crossed out in the list but not outlined in the grid, or the other way round."""
    shapes = {block.shape for block in sheet.drawn_blocks}
    if not shapes:
        fitting = sheet.fitting
        lost = [name for name in sheet.crossed_out if name not in dict(fitting.blocks)]
        if lost and fitting.exact:
            yield rules["blocks-crossed"](
                f"blocks.{lost[0]}",
                f"the crossed-out shapes ({', '.join(sheet.crossed_out)}) do not all fit into the grid",
            )
        return
    for name in sheet.crossed_out:
        if name not in shapes:
            yield rules["blocks-crossed"](f"blocks.{name}", f"the shape {name} is crossed out, but not outlined")
    for name in sorted(shapes - set(sheet.crossed_out)):
        yield rules["blocks-crossed"]("blocks", f"the shape {name} is outlined, but not crossed out")


# ---- the player's sums -----------------------------------------------------------------------------------------------


def _sums(sheet: PlayerSheet) -> Iterator[Violation]:
    """Circles with the wrong points."""
    sums = written_sums(sheet)
    first, *others = (each for each in sums if each.field.startswith("claimed.columns."))
    points = [column.points for column in (first, *others)]
    alone = not any(column.field in sheet.filled.marks for column in others)
    if alone and first.points != sheet.filled.number(first.field) == sum(points):
        message = f"{sum(points)} is the sum of the columns; write the steps of each: {' '.join(map(str, points))}"
        yield rules["claimed-columns"](first.field, message)
        sums.remove(first)
    yield from wrong_sums(sheet.filled, sums)


# ---- the log of rounds -----------------------------------------------------------------------------------------------


def _log(sheet: PlayerSheet) -> Iterator[Violation]:
    """Violations in the log, and differences between its end and the sheet."""
    if sheet.event_die:
        for number, played in enumerate(sheet.log, 1):
            if played.event is None:
                yield rules["event-each-round"](f"log.{number}", f"round {number} has no event, but the die is ticked")
    if sheet.replay:
        yield from sheet.replay.violations
        if sheet.replay.complete:
            yield from _differences(sheet, position_of(sheet.replay.state, None, sheet.event_die))


def _differences(sheet: PlayerSheet, played: Position) -> Iterator[Violation]:
    """The differences between the sheet and the end of the log, as one violation."""
    differences = [*_different_marks(sheet, played)]
    if differences:
        named = [difference for _, difference in differences[:_MAX_DIFFERENCES]]
        more = len(differences) - len(named)
        named += [f"{more} more differ{'s' * (more == 1)}"] if more else []
        yield rules["log-agrees"]([name for name, _ in differences], f"after the log, {listed(named)}")


def _different_marks(sheet: PlayerSheet, played: Position) -> Iterator[tuple[str, str]]:
    """The ids of boxes, fields and arrows that differ, and how they differ."""
    for box in sorted(sheet.numbers.named.values()):
        mark, right = sheet.marks.get(box), played.marks.get(box)
        if mark != right:
            name = sheet.numbers.box_name(box)
            yield sheet.box_id(box), f"{name} is {_shown(right)} (on the sheet: {_shown(mark)})"
    for field, expected in zip(sheet.reserve, played.reserve, strict=True):
        if field.shown != expected.shown:
            yield field.id, f"field {field.name} is {expected.shown} (on the sheet: {field.shown})"
    for row in sorted({*sheet.arrows} ^ {*played.arrows}):
        expected_arrow, marked = ("no", "an") if row in sheet.arrows else ("an", "no")
        yield f"bonus_rows.{row + 1}", f"row {row + 1} has {expected_arrow} arrow (on the sheet: {marked} arrow)"


def _shown(mark: int | None) -> str:
    if mark is None:
        return "empty"
    return "a meteorite" if mark == METEORITE else str(mark)


# ---- the throw strip -------------------------------------------------------------------------------------------------


def _strip(sheet: PlayerSheet) -> Iterator[Violation]:
    strip = strip_of(sheet.filled)
    if not strip:
        return
    if strip.option and (strip.option != sheet.option or not sheet.event_die):
        yield rules["strip"](
            ("strip", "option"), f"this challenge is played with the option {strip.option} and the event die"
        )
    throws = max(strip.strips, key=lambda throws: sum(map(_agree, throws, sheet.log)))
    for number, played in enumerate(sheet.log, 1):
        if number > len(throws):
            yield rules["strip"](f"log.{number}", f"the log has a round {number}, but the strip has only {len(throws)}")
            return
        throw = throws[number - 1]
        if not _agree(throw, played):
            logged = _shown_throw(played.dice, bare(played.event))
            right = _shown_throw(throw.dice, throw.event if played.event else "")
            yield rules["strip"](f"log.{number}", f"round {number} shows {logged}, but the strip shows {right}")


def _agree(throw: RoundThrow, played: LoggedRound) -> bool:
    """Whether a round has the dice of a throw, in any order, and its event if the round has one."""
    return sorted(throw.dice) == sorted(played.dice) and bare(played.event) in ("", throw.event)


def _shown_throw(dice: Sequence[int], event: str) -> str:
    return " ".join(map(str, sorted(dice))) + (f" and “{event}”" if event else "")


# ---- several sheets of one game --------------------------------------------------------------------------------------


def joint_violations(sheets: Sequence[PlayerSheet], number: int) -> Iterator[Violation]:
    """All violations of the sheet at this index that involve the other sheets."""
    sheet, first, before = sheets[number], sheets[0], sheets[:number]
    players = sheet.filled.game.players
    if number >= players.high:
        yield joint_rules["two-to-six"](
            "player", f"this is the sheet of player {number + 1}, but the game is for {players.low} to {players.high}"
        )
    name = sheet.filled.text("player").casefold()
    if name and any(other.filled.text("player").casefold() == name for other in before):
        yield joint_rules["names"]("player", f"another player is also called {sheet.name}")
    if first.option and sheet.option and first.option != sheet.option:
        yield joint_rules["same-option"](
            ("option", f"option.{sheet.option}"),
            f"the scoring option is {sheet.option}, but {first.name} plays with {first.option}",
        )
    if first.event_die != sheet.event_die:
        without = first if sheet.event_die else sheet
        yield joint_rules["same-event-die"](
            "event_die", f"{without.name} plays without the event die, but others play with it"
        )
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
            yield joint_rules["same-dice"](
                where,
                f"round {number + 1} shows {_shown_throw(played.dice, '')}, but "
                f"{_shown_throw(theirs.dice, '')} on the sheet of {other.name}",
            )
        if played.event and theirs.event and bare(played.event) != bare(theirs.event):
            yield joint_rules["same-dice"](
                where,
                f"round {number + 1} shows “{bare(played.event)}”, but “{bare(theirs.event)}” on the sheet of "
                f"{other.name}",
            )


def _after_the_end(sheets: Sequence[PlayerSheet], sheet: PlayerSheet) -> Iterator[Violation]:
    passed = [(other.replay.passed, other.name) for other in sheets if other.replay and other.replay.passed]
    if not passed:
        return
    first, who = min(passed)
    last = first + sheet.numbers.rules["end"]["rounds_more"]
    own = sheet.replay.passed if sheet.replay else 0
    if len(sheet.log) > last and own != first:
        yield joint_rules["same-end"](
            f"log.{last + 1}", f"round {last} was the last one, as {who} passed a number in round {first}"
        )
