"""Every way to fill a grid of two columns and three rows, scored by independent code."""

from collections import Counter
from itertools import pairwise, product

import pytest

from generator.errors import Place
from generator.games.upwards.game import RULES
from generator.games.upwards.play import Numbers
from generator.games.upwards.sheet import PlayerSheet
from generator.reading.load import load
from generator.sheets import FilledSheet

GAME = load("upwards")
SMALL = Numbers({**GAME.rules, "columns": ["a", "b"], "rows": 3})
MARKS = ("1", "2", "6", "o")
COLUMNS = [column for height in range(4) for column in product(MARKS, repeat=height)]
HERE = Place("small.yaml")


def sheet(grid, ticked):
    """A sheet with this grid and arrows at the first and third rows."""
    typed = {
        f"grid.{letter}{row}": mark
        for letter, column in zip("ab", grid, strict=True)
        for row, mark in enumerate(column, 1)
    }
    marks = typed | dict.fromkeys(ticked, True)
    return PlayerSheet(FilledSheet(GAME, GAME.sheets["sheet"], HERE, marks=marks, rows={"bonus_rows": (1, 3)}), SMALL)


def steps(column):
    return sum((below, above) in (("1", "2"), ("6", "1")) for below, above in pairwise(column))


def rows(grid):
    full = [[column[row] for column in grid] for row in range(3) if all(len(column) > row for column in grid)]
    return 5 * sum(len(set(row) - {"o"}) == 1 for row in full)


def bonus(grid):
    return sum(len({column[row] for column in grid if len(column) > row} - {"o"}) for row in (0, 2))


def snake(grid):
    """Three points for each box of the longest line, by trying every line."""
    boxes = {(x, y): mark for x, column in enumerate(grid) for y, mark in enumerate(column) if mark != "o"}

    def walk(line):
        x, y = line[-1]
        onward = [
            place
            for place in product((x - 1, x, x + 1), (y - 1, y, y + 1))
            if place not in line and boxes.get(place) == boxes[line[0]]
        ]
        return max([len(line), *(walk([*line, place]) for place in onward)])

    longest = max((walk([place]) for place in boxes), default=0)
    return 3 * longest if longest > 1 else 0


@pytest.mark.parametrize("option", ["rows", "snake"])
def test_every_grid_scores_as_counted_by_brute_force(option):
    seen = Counter()
    for grid in product(COLUMNS, repeat=2):
        result = RULES.score(sheet(grid, [f"option.{option}", "event_die"])).scores[0]
        expected = {
            "columns": steps(grid[0]) + steps(grid[1]),
            option: rows(grid) if option == "rows" else snake(grid),
            "bonus": bonus(grid),
        }
        assert {line.label: line.points for line in result.lines} == expected, grid
        seen[result.total] += 1
    assert len(seen) > 15
