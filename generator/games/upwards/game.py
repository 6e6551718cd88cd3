"""Reads, checks and scores the sheets of Upwards!, one for each player, singly or together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, groupby
from operator import itemgetter
from typing import TYPE_CHECKING

from ...rules.results import Result, Score, Strokes, Suggestion, Violation, line_of, ranks
from ...sheets import FilledSheet
from ...spelling import joined
from ..base import GameRules, WrittenSum, rule_book, wrong_sums
from .play import (
    CLOSED,
    CROSSED,
    METEORITE,
    TYPED_METEORITE,
    Position,
    best_blocks,
    column_parts,
    longest_snake,
    numbers,
    position_of,
    score_lines,
    score_parts,
    typed,
)
from .sheet import READING, LoggedRound, PlayerSheet, bare, rules, strip_of

if TYPE_CHECKING:
    from .deal import RoundThrow

joint_rules = rule_book("upwards_together")

# The marks in boxes and fields that messages describe in words.
_SHOWN = {".": "empty", "-": "not open", "o": "a meteorite"}
_MAX_DIFFERENCES = 8  # how many differences between a log and its sheet are listed; the rest are counted


class UpwardsRules(GameRules[PlayerSheet]):
    """The rules of a sheet and its log, and those of all players' sheets together."""

    rules = rules
    joint_rules = joint_rules
    sheets = ("sheet",)
    reading = READING

    def read(self, sheet: FilledSheet) -> PlayerSheet:
        return PlayerSheet(sheet, numbers(sheet.game))

    def violations(self, view: PlayerSheet) -> Iterator[Violation]:
        """All violations of a sheet by itself."""
        if view.option is None:
            ticked, are = joined(view.options) or "no scoring option", "are" if len(view.options) > 1 else "is"
            yield rules["one-option"](
                ("option", *(f"option.{option}" for option in view.options)),
                f"{ticked} {are} ticked, but you play with exactly one scoring option",
            )
        yield from _gaps(view)
        for field, mark in view.reserve.items():
            if mark == TYPED_METEORITE:
                yield rules["meteorite"](field, "there is a meteorite in the reserve, but it must drop into a column")
        for field, name in view.numbers.fields:
            if f"used.{name}" in view.filled.marks and field not in view.filled.marks:
                message = f"field {name} is ticked as used, but holds no number"
                yield rules["reserve-number"]((f"used.{name}", field), message)
        if not view.event_die:
            yield from _without_the_event_die(view)
        yield from chain(_drawn(view), _sums(view), _log(view), _strip(view))

    def score(self, view: PlayerSheet) -> Result:
        return self.joint_score([view])

    def hints(self, view: PlayerSheet) -> Iterator[Suggestion]:
        """For a solo challenge, its targets; for the option blocks, the best blocks if they score more."""
        strip, lines = strip_of(view.filled, targets=True), score_lines(view)
        if strip and strip.targets:
            total = sum(lines.values())
            reached = [name for name, points in strip.targets.items() if total >= points]
            targets = ", ".join(f"{points} for {name}" for name, points in strip.targets.items())
            earned = f"earn {reached[-1]}" if reached else "earn none of them"
            yield Suggestion(("strip",), f"the targets are {targets}: {total} points {earned}")
        if view.option == "blocks":
            yield _best_blocks(view, lines["blocks"])

    def joint_violations(self, views: Sequence[PlayerSheet]) -> Iterable[Iterable[Violation]]:
        return [_joint_violations(views, number) for number in range(len(views))]

    def joint_score(self, views: Sequence[PlayerSheet]) -> Result:
        """The scores of all players, and the winners if the game is over."""
        names = [sheet.filled.text("player") or f"player {number}" for number, sheet in enumerate(views, 1)]
        scores = tuple(
            Score(name, tuple(line_of(label, parts) for label, parts in score_parts(sheet).items()))
            for name, sheet in zip(names, views, strict=True)
        )
        places = ranks([(score.total,) for score in scores])
        remark = _still_going(views)
        winners = () if remark else tuple(name for name, place in zip(names, places, strict=True) if place == 1)
        return Result(scores, places, winners, remark, over=not remark)

    def sums(self, view: PlayerSheet) -> Mapping[str, int]:
        return {each.field: each.points for each in written_sums(view) if each.shown}

    def strokes(self, view: PlayerSheet) -> Strokes:
        """A line through the snake, outlines around blocks, ticks for used numbers and opened fields, and circles for
        meteorites."""
        box_ids, reserve = view.box_id, [*zip(view.numbers.fields, view.reserve.values(), strict=True)]
        snake = tuple(box_ids(place) for _, place in view.drawn_snake)
        blocks = tuple(tuple(map(box_ids, block.boxes)) for block in view.drawn_blocks)
        marks = {
            field: mark.rstrip(CROSSED + CLOSED) for (field, _), mark in reserve if mark.endswith((CROSSED, CLOSED))
        }
        marks |= {f"used.{name}": CROSSED for (_, name), mark in reserve if mark.endswith(CROSSED)}
        marks |= {f"opened.{name}": CROSSED for (_, name), mark in reserve[view.numbers.dark :] if mark != CLOSED}
        marks |= {box_ids(box): "○" for box, mark in view.marks.items() if mark == METEORITE}
        return Strokes((snake,) if snake else (), blocks, (), marks, tells=("snake", "blocks"))


def _gaps(sheet: PlayerSheet) -> Iterator[Violation]:
    """One violation for each row with boxes that are filled above empty ones."""
    boxes = sorted(sheet.marks, key=itemgetter(1, 0))
    floating = [(column, row) for column, row in boxes if row and (column, row - 1) not in sheet.marks]
    for _, group in groupby(floating, key=itemgetter(1)):
        filled = [*group]
        empty = joined(sheet.box_names((column, row - 1) for column, row in filled).split())
        are, them_are = ("are", "them are") if filled[1:] else ("is", "it is")
        yield rules["no-gaps"](
            [*map(sheet.box_id, filled)],
            f"{joined(sheet.box_names(filled).split())} {are} filled but {empty} below {them_are} empty",
        )


def _without_the_event_die(sheet: PlayerSheet) -> Iterator[Violation]:
    """Marks that only come from the event die, on a sheet without it."""
    meteorites = sorted(box for box, mark in sheet.marks.items() if mark == METEORITE)
    saved = [field for field, mark in sheet.reserve.items() if mark == TYPED_METEORITE]
    light = [*sheet.reserve.items()][sheet.numbers.dark :]
    rounds = [n for n, each in enumerate(sheet.log, 1) if {each.event, each.outline, each.row} != {None}]
    for what, ids in (
        ("a meteorite", [*map(sheet.box_id, meteorites), *saved]),
        ("an arrow", [f"bonus_rows.{row + 1}" for row in sheet.arrows]),
        ("an opened light field", [field for field, mark in light if mark != CLOSED]),
        ("an event in the log", [sheet.round_id(number) for number in rounds]),
    ):
        if ids:
            yield rules["event-die"](ids, f"there is {what}, but the event die is not ticked")


def _drawn(sheet: PlayerSheet) -> Iterator[Violation]:
    if sheet.option not in ("snake", None) and sheet.drawn_snake:
        yield rules["other-option"]("snake", f"a snake is drawn, but the scoring option is {sheet.option}")
    if sheet.option not in ("blocks", None) and (sheet.drawn_blocks or sheet.crossed_out):
        yield rules["other-option"]("blocks", f"blocks are drawn, but the scoring option is {sheet.option}")
    if sheet.option == "snake" and sheet.drawn_snake:
        yield from sheet.snake_violations()
        length, name = len(sheet.counted_snake), sheet.numbers.box_name
        if length and (longest := longest_snake(sheet.numbers, sheet.numbered, length + 1)):
            yield rules["longest-snake"](
                ("snake", *map(sheet.box_id, longest)),
                f"the snake has {length} boxes, but a snake of {len(longest)} is possible: "
                f"{' '.join(map(name, longest))}",
            )
    elif sheet.option == "blocks":
        for _, violations in sheet.checked_blocks:
            yield from violations
        if sheet.crossed_out:
            yield from _crossed_out(sheet)


def _crossed_out(sheet: PlayerSheet) -> Iterator[Violation]:
    """Shapes that are ticked in the list but not outlined in the grid, or the other way round."""
    shapes = {block.shape for block in sheet.drawn_blocks}
    if not shapes:
        fitting = sheet.fitting
        lost = [name for name in sheet.crossed_out if name not in dict(fitting.blocks)]
        if lost and fitting.exact:
            yield rules["blocks-crossed"](
                f"blocks.{lost[0]}", f"the ticked shapes ({', '.join(sheet.crossed_out)}) do not all fit into the grid"
            )
        return
    for name in sheet.crossed_out:
        if name not in shapes:
            yield rules["blocks-crossed"](f"blocks.{name}", f"the shape {name} is ticked, but not outlined")
    for name in sorted(shapes - set(sheet.crossed_out)):
        yield rules["blocks-crossed"]("blocks", f"the shape {name} is outlined, but not ticked")


def _sums(sheet: PlayerSheet) -> Iterator[Violation]:
    """Wrong points in the boxes of the sheet."""
    sums = written_sums(sheet)
    first, *others = (each for each in sums if each.field.startswith("claimed.columns."))
    points = [column.points for column in (first, *others)]
    alone = not any(column.field in sheet.filled.marks for column in others)
    if alone and first.points != sheet.filled.number(first.field) == sum(points):
        message = f"{sum(points)} is the sum of the columns; write the steps of each: {' '.join(map(str, points))}"
        yield rules["claimed-columns"](first.field, message)
        sums.remove(first)
    yield from wrong_sums(sheet.filled, sums)


def _log(sheet: PlayerSheet) -> Iterator[Violation]:
    """Violations in the log, and differences between its end and the sheet."""
    if sheet.event_die:
        for number, played in enumerate(sheet.log, 1):
            if played.event is None:
                yield rules["event-each-round"](
                    sheet.round_id(number), f"round {number} has no event, but the die is ticked"
                )
    if sheet.replay:
        yield from sheet.replay.violations
        if sheet.replay.complete:
            yield from _differences(sheet, position_of(sheet.replay.state, None, sheet.event_die))


def _differences(sheet: PlayerSheet, played: Position) -> Iterator[Violation]:
    """The differences between the sheet and the end of the log, as one violation."""
    if differences := [*_different_marks(sheet, played)]:
        named = [difference for _, difference in differences[:_MAX_DIFFERENCES]]
        more = len(differences) - len(named)
        named += [f"{more} more differ{'s' * (more == 1)}"] if more else []
        yield rules["log-agrees"]([name for name, _ in differences], f"after the log, {joined(named)}")


def _different_marks(sheet: PlayerSheet, played: Position) -> Iterator[tuple[str, str]]:
    """The ids of boxes, fields and arrows that differ, and how they differ."""
    for box in sorted(sheet.numbers.named.values()):
        mark, right = (typed(position.marks.get(box)) for position in (sheet, played))
        if mark != right:
            name = sheet.numbers.box_name(box)
            yield sheet.box_id(box), f"{name} is {_SHOWN.get(right, right)} (on the sheet: {_SHOWN.get(mark, mark)})"
    for field, name in sheet.numbers.fields:
        mark, right = sheet.reserve[field], played.reserve[field]
        if mark != right:
            yield field, f"field {name} is {_SHOWN.get(right, right)} (on the sheet: {_SHOWN.get(mark, mark)})"
    for row in sorted({*sheet.arrows} ^ {*played.arrows}):
        expected_arrow, marked = ("no", "an") if row in sheet.arrows else ("an", "no")
        yield f"bonus_rows.{row + 1}", f"row {row + 1} has {expected_arrow} arrow (on the sheet: {marked} arrow)"


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
            yield rules["strip"](
                sheet.round_id(number), f"the log has a round {number}, but the strip has only {len(throws)}"
            )
            return
        throw = throws[number - 1]
        if not _agree(throw, played):
            logged = _shown_throw(played.dice, bare(played.event))
            right = _shown_throw(throw.dice, throw.event if played.event else "")
            yield rules["strip"](sheet.round_id(number), f"round {number} shows {logged}, but the strip shows {right}")


def _agree(throw: RoundThrow, played: LoggedRound) -> bool:
    """Whether a round has the dice of a throw, in any order, and its event if the round has one."""
    return sorted(throw.dice) == sorted(played.dice) and bare(played.event) in ("", throw.event)


def _shown_throw(dice: Sequence[int], event: str) -> str:
    return " ".join(map(str, sorted(dice))) + (f" and “{event}”" if event else "")


def _joint_violations(sheets: Sequence[PlayerSheet], number: int) -> Iterator[Violation]:
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
        theirs, where = other.log[number], sheet.round_id(number + 1)
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
            sheet.round_id(last + 1), f"round {last} was the last one, as {who} passed a number in round {first}"
        )


def written_sums(position: Position) -> list[WrittenSum]:
    """The points to write on the sheet: those of each column, those of every other line of the score, and the total.
    Only those that can be worked out."""
    lines = score_lines(position)
    option, parts = position.option, zip(position.numbers.columns, column_parts(position), strict=True)
    sums = [
        _sum(f"columns.{number}", part.points, f"column {letter} scores {{}}")
        for number, (letter, part) in enumerate(parts, 1)
    ]
    for label, points in ({"bonus": 0} | lines).items():
        if label == option:
            sums.append(_sum("option", points, f"the option “{option}” scores {{}}"))
        elif label != "columns":
            words = {"bonus": "bonus rows"}.get(label, label)
            sums.append(_sum(label, points, f"the {words} score {{}}", shown=label in lines))
    return [*sums, _sum("total", sum(lines.values()), "the points add up to {}")] if option else sums


def _sum(circle: str, points: int, right: str, shown: bool = True) -> WrittenSum:
    rule = rules[f"claimed-{circle.partition('.')[0]}"]
    return WrittenSum(f"claimed.{circle}", points, rule, "the sheet says", right=right, shown=shown)


def _still_going(sheets: Sequence[PlayerSheet]) -> str:
    """Why the game is not over, as far as the logs show; empty if it is."""
    replays = [sheet.replay for sheet in sheets if sheet.replay]
    passed = min((replay.passed for replay in replays if replay.passed), default=0)
    played = max(len(sheet.log) for sheet in sheets)
    if passed and played < passed + sheets[0].numbers.rules["end"]["rounds_more"]:
        return "The game is not over: one more round follows the round in which a number was passed."
    if len(replays) == len(sheets) > 1 and not passed:
        return "The game is not over: nobody has passed a number yet."
    return ""


def _best_blocks(sheet: PlayerSheet, points: int) -> Suggestion:
    best = best_blocks(sheet.numbered, sheet.numbers.shapes)
    if best.points <= points and best.exact:
        return Suggestion(("blocks",), f"no other blocks score more than these {best.points} points")
    named = ", ".join(f"{shape} {sheet.box_names(sorted(boxes))}" for shape, boxes in best.blocks)
    most = "the best blocks score" if best.exact else "some blocks score at least"
    where = ("blocks", *(sheet.box_id(place) for _, boxes in best.blocks for place in sorted(boxes)))
    return Suggestion(where, f"{most} {best.points} points: {named}")


RULES = UpwardsRules()
