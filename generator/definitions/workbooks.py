"""Reads worksheets of XLSX files (Office Open XML, ECMA-376) into grids, within limits that hostile files cannot
exceed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..errors import InputError, Place, fault
from . import limits
from .grids import Grid


def xlsx(path: Path, shown: str, sheet: str | None) -> Grid:
    """The worksheet with this name, or the first; raises InputError."""
    from openpyxl import load_workbook  # takes 150 ms, which other tables need not spend

    try:
        _check_extent(path, shown)
        worksheet = load_workbook(path, read_only=True, data_only=True).worksheets[0]
        worksheet.reset_dimensions()  # the file may claim any extent
        rows = [[_cell_text(cell) for cell in row] for row in worksheet.iter_rows(values_only=True)]
    except InputError:
        raise
    except Exception as error:  # zipfile and openpyxl raise whatever their parsers raise
        raise fault("not readable as XLSX", Place(shown), "save it again, or save it as CSV") from error
    return Grid(shown, list(enumerate(rows, start=1)), str(worksheet.title))


def _check_extent(path: Path, shown: str) -> None:
    """Raises InputError if an XLSX file (a zip of XML files) is too large for a table of cards, before openpyxl
    builds rows from it."""
    from zipfile import ZipFile  # imported here because it is seldom needed

    extent = _Extent(Place(shown))
    with ZipFile(path) as archive:
        parts = archive.infolist()
        if sum(part.file_size for part in parts) > limits.WORKBOOK_BYTES:
            raise extent.too_large(f"unpacks to more than {limits.WORKBOOK_BYTES / 1e6:g} MB")
        for part in parts:
            if part.filename.lower().endswith((".xml", ".rels")):
                with archive.open(part) as stream:
                    extent.read(stream)


@dataclass(slots=True)
class _Extent:
    """Counts the elements, rows and columns of the XML files of a workbook."""

    place: Place
    elements: int = 0
    row: int = 0
    column: int = 0
    cells: int = 0
    """Includes blank cells to the left of filled ones."""

    def too_large(self, message: str) -> InputError:
        return fault(message, self.place, "delete what is not part of the table, or save it as CSV")

    def read(self, stream: Any) -> None:
        from xml.parsers import expat

        self.row = self.column = 0
        parser = expat.ParserCreate()
        parser.StartElementHandler = self.start
        parser.ParseFile(stream)

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.elements += 1
        if self.elements > limits.WORKBOOK_ELEMENTS:
            raise self.too_large(f"more than {limits.WORKBOOK_ELEMENTS:,} cells and other elements")
        name, reference = tag.rpartition(":")[2], attributes.get("r")
        if name == "row":
            self.row, self.column = (int(reference) if reference else self.row + 1), 0
            if self.row > limits.ROWS:
                raise self.too_large(f"there is a cell in row {self.row:,}; at most {limits.ROWS:,} rows are read")
        elif name == "c":
            cell = _CELL.fullmatch(reference) if reference else None
            before, self.column = self.column, _column(cell[1]) if cell else self.column + 1
            self.cells += max(0, self.column - before)
            if self.column > limits.COLUMNS:
                raise self.too_large(
                    f"there is a cell in column {self.column:,}; at most {limits.COLUMNS} columns are read"
                )
            if self.cells > limits.CELLS:
                raise self.too_large(f"more than {limits.CELLS:,} cells, including blank ones")


_CELL = re.compile(r"([A-Za-z]{1,4})\d+")


def _column(letters: str) -> int:
    """`"AB"` → 28."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _cell_text(cell: Any) -> str:
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    return "" if cell is None else str(cell)
