"""A table as its file shows it: rows of texts. Reads comma- and tab-separated text."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..errors import Place, fault
from . import nodes
from .values import empty_mapping


@dataclass(frozen=True, slots=True)
class Grid:
    """The rows of a table, each with its number as an editor counts lines or a spreadsheet counts rows.

    `sheet` is the name of the worksheet; a text file has none. `bad` holds what is wrong with single cells, by row
    number and column index: a message and a hint. `notes` say how the file was understood where that is not certain."""

    file: str
    rows: list[tuple[int, list[str]]]
    sheet: str = ""
    bad: Mapping[tuple[int, int], tuple[str, str]] = empty_mapping()
    notes: tuple[str, ...] = ()

    def place(self, row: int, column: int | None = None) -> Place:
        """The place of a row, or of the cell in a column (counted from 0)."""
        if not self.sheet:
            return Place(self.file, row)
        return Place(self.file, row, sheet=self.sheet, cell="" if column is None else f"{letters(column)}{row}")


def letters(column: int) -> str:
    """The letters of a column as spreadsheets count them: 0 → `A`, 27 → `AB`."""
    name = ""
    column += 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def delimited(path: Path, shown: str) -> Grid:
    """The rows of a CSV file (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180) or a tab-separated one. In many
    countries spreadsheets write semicolons for commas, so the first line decides."""
    text = nodes.read_text(path, shown)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(text)
    return Grid(shown, list(_rows(text, delimiter, shown)))


def _rows(text: str, delimiter: str, shown: str) -> Iterator[tuple[int, list[str]]]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    first_line = 1
    try:
        for row in reader:
            yield first_line, row
            first_line = reader.line_num + 1
    except csv.Error as error:
        raise fault(f"not readable as CSV: {error}", Place(shown, reader.line_num)) from error


def _delimiter(text: str) -> str:
    header = text.partition("\n")[0]
    return max(",;\t", key=header.count)
