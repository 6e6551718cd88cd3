"""Reads cards from YAML, CSV or XLSX; each column declares the kind of its values."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from ..errors import MAX_COLLECTED, MAX_SHOWN, InputError, Place, Problem, did_you_mean, fault, listed, shortened
from . import limits, nodes, values
from .models import Card, CardsFile
from .nodes import Listing, Node, Scalar
from .nodes import Mapping as MappingNode
from .values import ColumnFile

RESERVED = ("id", "copies")
Cell = str | list[Scalar]
"""The value of one field: a string from a table, or scalars from YAML."""
Row = tuple[Place, dict[str, Cell]]
_BLANK = frozenset(("", ".", "~", "null"))
_LONGEST_BLANK = max(map(len, _BLANK))


def cards(definition: CardsFile, table: Path | None, shown: str, place: Place) -> tuple[Card, ...]:
    """All cards of a deck; raises InputError with every problem."""
    columns = len(definition.fields)
    if columns > limits.COLUMNS:
        raise fault(f"this deck declares {columns:,} fields; at most {limits.COLUMNS}", place)
    reader = _CardReader(definition.fields, [])
    rows = list(_rows(definition, table, shown, place, reader))
    if len(rows) > limits.ROWS or len(rows) * columns > limits.CELLS:
        max_cards = min(limits.ROWS, limits.CELLS // (columns or 1))
        raise fault(f"this deck has {len(rows):,} cards of {columns} fields; at most {max_cards:,}", place)
    deck = [reader.card(row, number) for number, row in enumerate(rows, start=1)]
    reader.refuse_duplicates(deck)
    if not deck and not reader.problems:
        reader.bad("this deck has no cards", place)
    if reader.problems:
        raise InputError(reader.problems)
    return tuple(deck)


def _rows(definition: CardsFile, table: Path | None, shown: str, place: Place, reader: _CardReader) -> Iterable[Row]:
    if (definition.cards is None) == (table is None):
        raise fault("a deck needs either “cards” or a “table”", place)
    if table is None:
        return _yaml_rows(definition.cards, reader)
    readers = {".csv": csv_rows, ".tsv": csv_rows, ".xlsx": xlsx_rows}
    if table.suffix.lower() not in readers:
        raise fault(f"a table must be a .csv or .xlsx file, not {table.name}", place)
    return readers[table.suffix.lower()](table, shown, reader)


def _yaml_rows(node: Any, reader: _CardReader) -> Iterator[Row]:
    if not isinstance(node, Listing):
        raise fault("“cards” must be a list", node.place)
    for entry in node.entries:
        if not isinstance(entry, MappingNode):
            reader.bad("a card must be a mapping", entry.place)
            continue
        yield entry.place, dict(_cells(entry, reader))


def _cells(entry: MappingNode, reader: _CardReader) -> Iterator[tuple[str, list[Scalar]]]:
    for key, value in entry.pairs:
        scalars = _scalars(value)
        if reader.is_known(key.text, key.place):
            if scalars is None:
                reader.bad(f"“{shortened(key)}” must be a value or a list of values", value.place)
            else:
                yield key.text, scalars


def _scalars(value: Node) -> list[Scalar] | None:
    if isinstance(value, Scalar):
        return [value]
    if isinstance(value, Listing) and all(isinstance(inner, Scalar) for inner in value.entries):
        return [inner for inner in value.entries if isinstance(inner, Scalar)]
    return None


def csv_rows(path: Path, shown: str, reader: _CardReader) -> Iterator[Row]:
    """Yields the rows of a CSV (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180) or tab-separated file, whose first
    line names the columns. In many countries spreadsheets write semicolons for commas, so the first line decides."""
    import csv  # imported here because most games list their cards in YAML
    import io

    text = nodes.read_text(path, shown)
    delimiter = "\t" if path.suffix.lower() == ".tsv" else _delimiter(text)
    lines = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    try:
        yield from _table_rows(((lines.line_num, row) for row in lines), shown, reader)
    except csv.Error as error:
        raise fault(f"not readable as CSV: {error}", Place(shown, lines.line_num)) from error


def _delimiter(text: str) -> str:
    header = text.partition("\n")[0]
    return max(",;\t", key=header.count)


def xlsx_rows(path: Path, shown: str, reader: _CardReader) -> Iterator[Row]:
    """Yields the rows of the first worksheet of an XLSX file (Office Open XML, ECMA-376; needs `pencilbox[xlsx]`)."""
    try:
        from openpyxl import load_workbook  # an optional dependency
    except ImportError as error:
        raise fault(
            "reading XLSX needs openpyxl", Place(shown), 'pip install "pencilbox[xlsx]", or save as CSV'
        ) from error
    try:
        _check_extent(path, shown)
        sheet = load_workbook(path, read_only=True, data_only=True).worksheets[0]
        sheet.reset_dimensions()  # the file may claim any extent
        rows = [[_cell_text(cell) for cell in row] for row in sheet.iter_rows(values_only=True)]
    except InputError:
        raise
    except Exception as error:  # zipfile and openpyxl raise whatever their parsers raise
        raise fault("not readable as XLSX", Place(shown), "save it again, or save it as CSV") from error
    yield from _table_rows(enumerate(rows, start=1), shown, reader)


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


def _table_rows(lines: Iterable[tuple[int, list[str]]], shown: str, reader: _CardReader) -> Iterator[Row]:
    header: list[str] | None = None
    for number, row in lines:
        if not "".join(row).strip():
            continue
        place = Place(shown, number)
        if header is None:
            header = _header(row, place, reader)
            continue
        if len(row) > len(header) and "".join(row[len(header) :]).strip():
            reader.bad(
                f"this row has {len(row)} values, but there are {len(header)} columns",
                place,
                "quote any text that contains a comma",
            )
        if number > limits.ROWS:
            raise fault(f"more than {limits.ROWS:,} rows", place)
        cells: dict[str, Cell] = dict(zip(header, row, strict=False))
        cells.pop("", None)
        yield place, cells


def _header(row: list[str], place: Place, reader: _CardReader) -> list[str]:
    if len(row) > limits.COLUMNS:
        raise fault(f"this table has {len(row):,} columns; at most {limits.COLUMNS}", place)
    names = [cell.strip() for cell in row]
    columns = [name if name and reader.is_known(name, place) else "" for name in names]
    duplicates = {name for name in columns if name and columns.count(name) > 1}
    for name in sorted(duplicates):
        reader.bad(f"column “{name}” appears twice", place)
    return columns


class _CardReader:
    """Reads rows as cards with the declared columns, and collects problems."""

    def __init__(self, columns: Mapping[str, ColumnFile], problems: list[Problem]) -> None:
        self.columns = columns
        self.problems = problems
        self.readers = [(name, column, _cell_reader(column)) for name, column in columns.items()]

    def is_known(self, name: str, place: Place) -> bool:
        if name in self.columns or name in RESERVED:
            return True
        self.bad(f"unknown field “{shortened(name)}”", place, "declare it under “fields”", (name, self.columns))
        return False

    def bad(
        self, message: str, place: Place | None, hint: str = "", near: tuple[str, Iterable[str]] = ("", ())
    ) -> None:
        """Adds a problem. `near` is a misspelt word and the valid words; a suggestion from them replaces `hint`."""
        suggestion = did_you_mean(*near) if near[0] and len(self.problems) < MAX_SHOWN else ""
        self.problems.append(Problem(message, place, suggestion or hint))
        if len(self.problems) >= MAX_COLLECTED:
            raise InputError(self.problems)

    def split(self, name: str, cell: str, place: Place) -> list[Scalar]:
        column = self.columns.get(name)
        if column and column.list:
            parts = cell.split("|") if "|" in cell else cell.split()
            return [Scalar(part.strip(), place) for part in parts]
        return [Scalar(cell.strip(), place)]

    def card(self, row: Row, number: int) -> Card:
        place, cells = row
        parsed = {}
        for name, column, parse in self.readers:
            cell = cells.get(name, [])
            if isinstance(cell, str):
                try:
                    parsed[name] = parse(cell)
                    continue
                except ValueError:  # the slow path reports what is wrong
                    cell = self.split(name, cell, place)
            parsed[name] = self.cell(name, column, cell, place)
        ids = self.scalars("id", cells["id"], place) if "id" in cells else []
        copies = self.copies(self.scalars("copies", cells["copies"], place)) if "copies" in cells else 1
        return Card(ids[0].text if ids else str(number), MappingProxyType(parsed), copies, place)

    def scalars(self, name: str, cell: Cell, place: Place) -> list[Scalar]:
        return self.split(name, cell, place) if isinstance(cell, str) else cell

    def copies(self, scalars: list[Scalar]) -> int:
        if not scalars or scalars[0].blank:
            return 1
        if not scalars[0].text.isdecimal() or not 0 <= int(scalars[0].text[:6]) <= limits.COPIES:
            bounds = f"from 0 to {limits.COPIES:,}"
            self.bad(f"“copies” must be {bounds}, not “{shortened(scalars[0].text)}”", scalars[0].place)
            return 1
        return int(scalars[0].text)

    def cell(self, name: str, column: ColumnFile, scalars: list[Scalar], place: Place) -> Any:
        """The value of a cell; adds its problems."""
        present = [scalar for scalar in scalars if not (scalar.blank and not scalar.quoted)]
        if column.required and not present:
            self.bad(f"this card needs “{name}”", place)
        if column.list:
            return tuple(self.value(name, column, scalar) for scalar in present)
        if len(scalars) > 1:
            hint = f"declare it with “list: true” to give {len(scalars)}"
            self.bad(f"“{name}” must be a single value, not a list", scalars[0].place, hint)
        return self.value(name, column, present[0]) if present else None

    def value(self, name: str, column: ColumnFile, scalar: Scalar) -> Any:
        try:
            return _parse(column, scalar.text)
        except ValueError as error:
            message = f"“{name}” must be {error}, not “{shortened(scalar.text)}”"
            self.bad(message, scalar.place, near=(scalar.text, column.choices))
            return None

    def refuse_duplicates(self, deck: list[Card]) -> None:
        first: dict[str, Card] = {}
        for card in deck:
            earlier = first.setdefault(card.id, card)
            if earlier is not card and earlier.place:
                hint = f"the first is on line {earlier.place.line}"
                self.bad(f"two cards have the id “{shortened(card.id)}”", card.place, hint)


def _cell_reader(column: ColumnFile) -> Callable[[str], Any]:
    """Makes the function that reads the cells of a table's column; it raises ValueError for a cell with a problem."""
    parse = None if column.kind == "text" else partial(_parse, column)
    required = column.required

    def read_single(cell: str) -> Any:
        text = cell.strip()
        if len(text) <= _LONGEST_BLANK and text in _BLANK:
            if required:
                raise ValueError
            return None
        return parse(text) if parse else text

    def read_list(cell: str) -> tuple[Any, ...]:
        parts = [*map(str.strip, cell.split("|"))] if "|" in cell else cell.split()
        present = [part for part in parts if part not in _BLANK]
        if required and not present:
            raise ValueError
        return tuple(map(parse, present) if parse else present)

    return read_list if column.list else read_single


def _parse(column: ColumnFile, text: str) -> Any:
    if column.kind == "text":
        return text
    if column.kind == "number":
        return _number(column, text)
    if column.kind == "range":
        return values.span(text)
    if column.kind == "tick":
        return _tick(text)
    if column.kind == "choice" and text not in column.choices:
        raise ValueError(f"one of {listed(column.choices)}")
    if column.kind == "colour" and text.startswith("#"):
        return values.colour(text)
    return text


def _number(column: ColumnFile, text: str) -> int | float:
    try:
        number: int | float = values.whole(text)
    except ValueError:
        number = _float(text)
    if column.span and not column.span.low <= number <= column.span.high:
        raise ValueError(f"from {column.span.low} to {column.span.high}")
    return number


def _float(text: str) -> float:
    try:
        return values.decimal(text)
    except ValueError:
        raise ValueError("a number") from None


def _tick(text: str) -> bool:
    if text.lower() not in ("x", "yes", "true", "no", "false", "-"):
        raise ValueError("yes or no")
    return text.lower() in ("x", "yes", "true")
