"""What a sheet counts, and who has won."""

from __future__ import annotations

from collections.abc import Sequence

from ...rules.kept import kept_with
from ...rules.results import Line, Result, Score, ranks
from . import drawn
from .book import Judged, book
from .sheet import Sheet


@book.counts("sequences", source="rulebook; U5")
def steps(sheet: Sheet, column: int) -> int:
    """In each column, read from below, every box that is one more than the box below it is a step and counts a point;
    a 1 above a 6 is a step too. A meteorite or an empty box breaks the sequence."""
    return columns(sheet)[column]


@book.counts("rows", source="rulebook 1; U3, U4")
def same_rows(sheet: Sheet) -> int:
    """Scoring option rows: a row that is full and shows one number in all its boxes counts five points. Meteorites are
    left out of account, but a row needs at least one number."""
    return sheet.known.row_points * sum([row.alike for row in sheet.by_rows.rows])


@book.counts("snake", source="rulebook 2; U1, U2, U20")
def snake(sheet: Sheet) -> int:
    """Scoring option snake: a line from box to box with the same number, each touching the one before at a side or a
    corner, none of them twice; it may cross itself and has two boxes or more. Each box counts three points. The snake
    that is drawn counts as it is drawn; where none is drawn, the longest there is."""
    return sheet.known.snake_points * len(drawn.counted_snake(sheet))


@book.counts("blocks", source="rulebook 3; U10, U11")
def blocks(sheet: Sheet) -> int:
    """Scoring option blocks: every block that is outlined counts four, five or six points by its shape, each shape
    once. When it was outlined is not asked. Where shapes are only crossed out in the list and nothing is outlined,
    those count that fit into the grid together."""
    return sum(map(sheet.known.points, drawn.counted_shapes(sheet)))


@kept_with
@book.counts("bonus", source="rulebook, event die; U4, U14")
def bonus(sheet: Sheet) -> int:
    """With the event die, every row with an arrow counts a point for each different number in it, full or not. A
    meteorite is no number. Bonus rows add to every scoring option."""
    if not sheet.event_die:
        return 0
    rows = sheet.by_rows.rows
    return sheet.known.bonus_points * sum([rows[number].different for number in sheet.arrows])


@book.counts("reserve-left", source="U13")
def left_over(sheet: Sheet) -> int:
    """What is left in the reserve counts nothing."""
    return 0


OPTION_POINTS = {"rows": same_rows, "snake": snake, "blocks": blocks}


@kept_with
def option_points(sheet: Sheet) -> int:
    """The points of the option that is ticked; none where it is not known which one is."""
    return OPTION_POINTS[sheet.option](sheet) if sheet.option else 0


@kept_with
def columns(sheet: Sheet) -> list[int]:
    points = sheet.known.step_points
    return [points * count for count in sheet.steps]


@kept_with
def total(sheet: Sheet) -> int:
    """The sum of all circles."""
    return sum([line.points for line in lines_of(sheet)])


def score_of(sheet: Sheet, name: str) -> Score:
    """The lines of the circles on the paper: columns, the scoring option, and with the event die the bonus rows."""
    return Score(name, lines_of(sheet))


@kept_with
def lines_of(sheet: Sheet) -> tuple[Line, ...]:
    lines = [Line("columns", sum(columns(sheet)))]
    if sheet.option:
        lines.append(Line(sheet.option, option_points(sheet)))
    if sheet.event_die:
        lines.append(Line("bonus", bonus(sheet)))
    return tuple(lines)


@book.counts("the-end", source="rulebook; U16, U19")
def still_going(sheets: Sequence[Judged]) -> str:
    """When somebody cannot enter a number, the round is finished and one more is played; then the game is over. A log
    without a pass may be of a game that another player ended; where all players' logs are there and nobody has passed,
    the game is not over."""
    replays = [sheet.replay for sheet in sheets if sheet.replay]
    if not replays:
        return ""
    passed = min((one.passed for one in replays if one.passed), default=0)
    played = max((len(sheet.log) for sheet in sheets), default=0)
    if passed and played < passed + sheets[0].known.rounds_more:
        return "The game is not over: one more round follows the one in which a number was passed."
    if len(replays) == len(sheets) > 1 and not passed:
        return "The game is not over: nobody has passed a number yet."
    return ""


@book.counts("most-points", source="rulebook; U15")
def result(sheets: Sequence[Judged]) -> Result:
    """The player with the most points wins. Players with equally many share the win: it is a draw."""
    scores = tuple([score_of(sheet, sheet.filled.text("player") or f"player {number}")
                    for number, sheet in enumerate(sheets, 1)])
    places = ranking([total(sheet) for sheet in sheets])
    remark = still_going(sheets) if any([sheet.log for sheet in sheets]) else ""
    winners = () if remark else tuple([one.player for one, place in zip(scores, places, strict=True) if place == 1])
    return Result(scores, places, winners, remark)


def ranking(totals: Sequence[int]) -> tuple[int, ...]:
    return ranks([(total,) for total in totals])


def leading(totals: Sequence[int]) -> tuple[int, ...]:
    """The places in the list of those who win a finished game."""
    return tuple(seat for seat, place in enumerate(ranking(totals)) if place == 1)


def score(sheet: Judged) -> Result:
    """The score of a single sheet."""
    return result([sheet])
