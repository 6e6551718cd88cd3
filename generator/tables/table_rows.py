"""The rows of a table: finds its headings, and checks what stands beside and below them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

from .. import limits
from ..errors import Place, Problem, collect, fault
from ..fast_dataclasses import dataclass
from ..nodes import Scalar
from .grids import Grid, letters
from .headings import LANGUAGES, meaning

Cell = str | list[Scalar]
"""The value of one field: a string from a table, or scalars from YAML."""
Row = tuple[Any, dict[str, Cell]]
"""Where a card is defined (a place, or the number of its row), and its cells by heading."""


@dataclass(frozen=True, slots=True)
class TableRows:
    """The rows of a table below its headings, made when they are read. Before that, they take less memory."""

    grid: Grid
    headings: list[str]
    first: int

    def __len__(self) -> int:
        return len(self.grid.rows) - self.first

    def lines(self) -> Iterator[tuple[int, list[str]]]:
        """The number of each row and its cells."""
        return islice(self.grid.rows, self.first, None)

    def __iter__(self) -> Iterator[Row]:
        for number, row in self.lines():
            cells: dict[str, Cell] = dict(zip(self.headings, row, strict=False))
            if self.grid.bad:
                cells |= {heading: "" for n, heading in enumerate(self.headings) if (number, n) in self.grid.bad}
            cells.pop("", None)
            yield number, cells

    def column(self, position: int) -> Iterator[Cell]:
        bad = self.grid.bad
        for number, row in self.lines():
            yield row[position] if position < len(row) and not (bad and (number, position) in bad) else ""


def below_headings(grid: Grid, problems: list[Problem]) -> tuple[Place, TableRows, tuple[str, ...]]:
    """The place of the headings, the rows below them, and notes. The first row has the headings."""
    if not grid.rows:
        place = Place(grid.file, sheet=grid.sheet)
        raise fault("this table is empty", place, "its first row must have the headings")
    at = _heading_row(grid.rows[:3], bool(grid.sheet))
    place, headings = _headings(grid, *grid.rows[at])
    nameless: set[int] = set()
    rows = TableRows(grid, headings, at + 1)
    _check_rows(rows, problems, nameless)
    for (number, column), (message, hint) in grid.bad.items():
        if number >= place.line and column < len(headings) and headings[column]:
            collect(problems, Problem(message, grid.place(number, column), hint))
    return place, rows, (*grid.notes, *_nameless(nameless))


def _check_rows(rows: TableRows, problems: list[Problem], nameless: set[int]) -> None:
    """Reports surplus cells, and collects the columns without a heading."""
    grid, headings, width = rows.grid, rows.headings, len(rows.headings)
    without = [n for n, heading in enumerate(headings) if not heading]
    for number, row in rows.lines():
        if number > limits.ROWS:
            raise fault(f"more than {limits.ROWS:,} rows", grid.place(number))
        if len(row) > width:
            _check_surplus(grid, number, row, headings, problems, nameless)
        if without:
            nameless.update(n for n in without if n < len(row) and row[n].strip())


def _headings(grid: Grid, number: int, row: list[str]) -> tuple[Place, list[str]]:
    """The headings and their place; "" for a column without one."""
    width = max(n for n, cell in enumerate(row, start=1) if cell.strip())
    if width > limits.COLUMNS:
        raise fault(f"this table has {width:,} columns; at most {limits.COLUMNS}", grid.place(number))
    return grid.place(number), _unique(row[:width])


def _heading_row(lines: Sequence[tuple[int, list[str]]], is_sheet: bool) -> int:
    """The index of the row with the headings: the first, or the one below a title that stands alone over the table.
    `lines` are the first three rows."""
    filled = [[cell for cell in row if cell.strip()] for _, row in lines]
    alone = (
        len(filled[0]) == 1
        and (is_sheet or len(lines[0][1]) > 1)
        and not any(meaning(filled[0][0], language)[0] for language in ("", *LANGUAGES))
    )
    return 1 if alone and len(filled) > 2 and len(filled[1]) > 1 and len(filled[2]) > 1 else 0


def _check_surplus(
    grid: Grid, number: int, row: list[str], headings: list[str], problems: list[Problem], nameless: set[int]
) -> None:
    """Reports values to the right of the last heading: in a text, one of them is probably cut in two."""
    surplus = [n for n in range(len(headings), len(row)) if row[n].strip()]
    if not surplus:
        return
    if grid.sheet:
        nameless.update(surplus)
        return
    message = f"this row has {len(row)} values, but there are {len(headings)} columns"
    hint = f"quote any text that contains {grid.separator}" if grid.separator else ""
    collect(problems, Problem(message, grid.place(number), hint))


def _nameless(indices: set[int]) -> list[str]:
    """A note about columns without headings."""
    names = ", ".join(letters(column) for column in sorted(indices)[:12])
    plural = len(indices) > 1
    return [f"column{'s' * plural} {names} left out, without a heading"] if indices else []


def _unique(header: list[str]) -> list[str]:
    """The headings; one that appears again gets a number."""
    names: list[str] = []
    for cell in header:
        name, number = " ".join(cell.split()), 2
        unique = name
        while unique and unique in names:
            unique, number = f"{name} {number}", number + 1
        names.append(unique)
    return names
