"""Reads worksheets of XLSX files (Office Open XML, ECMA-376) and ODS files (OpenDocument 1.3) as grids, within limits
that hostile files cannot exceed.

A cell has the text that the spreadsheet shows. The value of a merged cell is repeated in every row that
it spans, in its first column. Hidden rows are left out; hidden columns are read, but built-in faces do not show them.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any
from warnings import catch_warnings, simplefilter
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from .. import limits
from ..errors import (
    InputError,
    Place,
    did_you_mean,
    fault,
    listed,
    shortened,
)
from ..fast_dataclasses import dataclass
from ..model.values import Shown
from .grids import Grid, clean, error_in
from .number_formats import formatted, general

_CELL = re.compile(r"([A-Za-z]{1,4})([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNCALCULATED = "this cell has a formula without a result", "open the file in a spreadsheet program and save it there"
_TOO_LONG = f"this cell has more than {limits.CELL_CHARACTERS:,} characters", "shorten it"
_MERGES = 2_000
"""Merged cells that are read."""


def workbook(path: Path, file_name: str, sheet: str | None) -> Grid:
    """The worksheet with this name, or the first that is visible and has content. Raises InputError."""
    try:
        with ZipFile(path) as archive, catch_warnings():
            simplefilter("ignore")  # openpyxl warns of parts that it does not read, such as data validation
            if "content.xml" in archive.namelist():
                return _ods(archive, file_name, sheet)
            return _xlsx(archive, path, file_name, sheet)
    except InputError:
        raise
    except BadZipFile as error:
        raise _unreadable(path, file_name) from error
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(file_name)) from error
    except Exception as error:  # zipfile, expat and openpyxl raise whatever their parsers raise
        raise _unreadable(path, file_name) from error


def _unreadable(path: Path, file_name: str) -> InputError:
    kind = path.suffix[1:].upper()
    with path.open("rb") as stream:
        start = stream.read(8)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        message = "this is an old Excel file (.xls), or it has a password"
        return fault(message, Place(file_name), "save it as .xlsx, without a password")
    return fault(f"not readable as {kind}", Place(file_name), "save it again, or save it as CSV")


# ---- worksheets ------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Worksheet:
    """A worksheet as its file describes it. Rows and columns count from 1; `last_row` and `last_column` are the last
    with content."""

    name: str = ""
    last_row: int = 0
    last_column: int = 0
    hidden: bool = False
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)
    """Column, first row and last row of merged cells."""
    bad: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    rows: dict[int, list[str]] = field(default_factory=dict)

    def grid(self, file_name: str, others: list[str]) -> Grid:
        """The rows that are not hidden."""
        for column, first, last in self.merged[:_MERGES]:
            self._spread(column, first, last)
        left_out = [row for row in self.hidden_rows if any(self.rows.get(row, ()))]
        notes = []
        if left_out:
            notes.append(f"{len(left_out)} hidden row{'s' * (len(left_out) > 1)} left out")
        if others:
            plural = "s" * (len(others) > 1)
            only = f"only the sheet “{shortened(self.name)}” was read"
            notes.append(f"{only}, not the sheet{plural} {listed(others)} (choose with --sheet, or “sheet” of a table)")
        return Grid(
            file_name,
            [
                (row, cells)
                for row, cells in sorted(self.rows.items())
                if row not in self.hidden_rows and any(map(str.strip, cells))
            ],
            self.name or "Sheet1",
            bad={(row, column - 1): problem for (row, column), problem in self.bad.items()},
            hidden=frozenset(column - 1 for column in self.hidden_columns),
            notes=tuple(notes),
        )

    def _spread(self, column: int, first: int, last: int) -> None:
        """Repeats the value of a merged cell in the rows that it spans and that have other content."""
        top = self.rows.get(first, [])
        value = top[column - 1] if column <= len(top) else ""
        for row in range(first + 1, min(last, self.last_row) + 1):
            cells = self.rows.get(row)
            if value and cells and any(cells):
                cells += [""] * (column - len(cells))
                cells[column - 1] = value


def _select_sheet(sheets: list[_Worksheet], sheet_name: str | None, file_name: str) -> tuple[_Worksheet, list[str]]:
    """The worksheet with this name, or the first with content; and the names of others that might be meant."""
    visible = [sheet for sheet in sheets if sheet.last_row and not sheet.hidden]
    if sheet_name is None:
        if not visible:
            raise fault("this table is empty", Place(file_name), "its first row must have the headings")
        return visible[0], [sheet.name for sheet in visible[1:]]
    for sheet in sheets:
        if sheet.name.strip().casefold() == sheet_name.strip().casefold():
            return sheet, []
    names = [sheet.name for sheet in sheets]
    hint = did_you_mean(sheet_name, names)
    raise fault(f"there is no sheet “{shortened(sheet_name)}”", Place(file_name), hint or f"it has {listed(names)}")


@dataclass(slots=True)
class _Extent:
    """Counts the content of a workbook’s XML files, and refuses a workbook with too much of it."""

    place: Place
    elements: int = 0
    cells: int = 0
    """Includes blank cells to the left of filled ones."""

    def too_large(self, message: str) -> InputError:
        return fault(message, self.place, "delete what is not part of the table, or save it as CSV")

    def element(self) -> None:
        self.elements += 1
        if self.elements > limits.WORKBOOK_ELEMENTS:
            raise self.too_large(f"more than {limits.WORKBOOK_ELEMENTS:,} cells and other elements")

    def cell(self, row: int, column: int, blank_before: int) -> None:
        """Counts a cell with content."""
        if row > limits.ROWS:
            raise self.too_large(f"there is a cell in row {row:,}; at most {limits.ROWS:,} rows are read")
        if column > limits.COLUMNS:
            raise self.too_large(f"there is a cell in column {column:,}; at most {limits.COLUMNS} columns are read")
        self.cells += 1 + blank_before
        if self.cells > limits.CELLS:
            raise self.too_large(f"more than {limits.CELLS:,} cells, including blank ones")

    def parse(self, archive: ZipFile, name: str, *handlers: tuple[str, Callable[..., None]]) -> None:
        """Parses one XML file. Entities, which could make a small file large, are refused."""
        parser = expat.ParserCreate(namespace_separator=" ")
        parser.buffer_text = True
        parser.EntityDeclHandler = self._refuse_entity
        for handler, function in handlers:
            setattr(parser, handler, function)
        with archive.open(name) as stream:
            parser.ParseFile(stream)

    def _refuse_entity(self, *_: Any) -> None:
        raise fault("it declares XML entities, which no spreadsheet does", self.place, "save it as CSV")


def _checked_extent(archive: ZipFile, file_name: str) -> _Extent:
    extent = _Extent(Place(file_name))
    if sum(part.file_size for part in archive.infolist() if _is_xml(part.filename)) > limits.WORKBOOK_BYTES:
        raise extent.too_large(f"unpacks to more than {limits.WORKBOOK_BYTES / 1e6:g} MB")
    return extent


def _is_xml(name: str) -> bool:
    return name.lower().endswith((".xml", ".rels"))


# ---- XLSX ------------------------------------------------------------------------------------------------------------


def _xlsx(archive: ZipFile, path: Path, file_name: str, sheet_name: str | None) -> Grid:
    os.environ.setdefault("OPENPYXL_LXML", "False")  # the same parser whether or not lxml is installed
    from openpyxl import load_workbook  # takes 150 ms, which ODS files need not spend

    extent = _checked_extent(archive, file_name)
    details: dict[str, _XlsxDetails] = {}
    for part in archive.infolist():
        if _is_xml(part.filename):
            reader = details[part.filename.lstrip("/")] = _XlsxDetails(extent)
            handlers = (("StartElementHandler", reader.start), ("EndElementHandler", reader.end))
            extent.parse(archive, part.filename, *handlers, ("CharacterDataHandler", reader.text))
    book = load_workbook(path, read_only=True, data_only=True)
    try:
        sheets, sources = [], {}
        for source in book.worksheets:
            sheet = details[source._worksheet_path.lstrip("/")].sheet
            sheet.name, sheet.hidden = str(source.title), source.sheet_state != "visible"
            sheets.append(sheet)
            sources[id(sheet)] = source
        sheet, others = _select_sheet(sheets, sheet_name, file_name)
        _read_values(sources[id(sheet)], sheet)
    finally:
        book.close()
    return sheet.grid(file_name, others)


@dataclass(slots=True)
class _XlsxDetails:
    """Reads those properties of a worksheet that openpyxl leaves out when it reads only values."""

    extent: _Extent
    sheet: _Worksheet = field(default_factory=_Worksheet)
    row: int = 0
    column: int = 0
    filled: int = 0
    kind: str = ""
    has_formula: bool = False
    has_value: bool = False
    in_value: bool = False

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.extent.element()
        name = tag.rpartition(" ")[2]
        if name == "row":
            self.row, self.column, self.filled = int(attributes.get("r") or self.row + 1), 0, 0
            if attributes.get("hidden") in ("1", "true"):
                self.sheet.hidden_rows.add(self.row)
        elif name == "c":
            match = _CELL.fullmatch(attributes.get("r", ""))
            self.column = _column(match[1]) if match else self.column + 1
            self.kind = attributes.get("t", "")
            self.has_formula = self.has_value = False
        elif name in ("v", "is") and self.column:
            self._content()
            self.in_value = True
        elif name == "f" and self.column:
            self.has_formula = True
        elif name == "col" and attributes.get("hidden") in ("1", "true"):
            last = min(int(attributes.get("max", 0)), limits.COLUMNS)
            self.sheet.hidden_columns.update(range(int(attributes.get("min", 1)), last + 1))
        elif name == "mergeCell" and len(self.sheet.merged) < _MERGES:
            self._merge(attributes.get("ref", ""))

    def end(self, tag: str) -> None:
        name = tag.rpartition(" ")[2]
        if name in ("v", "is"):
            self.in_value = False
        elif name == "c" and self.has_formula and not self.has_value and self.kind != "str":
            self._content()
            self.sheet.bad[self.row, self.column] = _UNCALCULATED

    def text(self, data: str) -> None:
        if self.in_value:
            self.has_value = True

    def _content(self) -> None:
        self.extent.cell(self.row, self.column, max(0, self.column - self.filled - 1))
        self.filled = self.column
        self.sheet.last_row = max(self.sheet.last_row, self.row)
        self.sheet.last_column = max(self.sheet.last_column, self.column)

    def _merge(self, ref: str) -> None:
        ends = [_CELL.fullmatch(end) for end in ref.split(":")]
        if len(ends) == 2 and ends[0] and ends[1]:
            self.sheet.merged.append((_column(ends[0][1]), int(ends[0][2]), int(ends[1][2])))


def _column(name: str) -> int:
    """`"AB"` → 28."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _read_values(source: Any, sheet: _Worksheet) -> None:
    """Fills the rows of a worksheet with the texts that its cells show."""
    if not sheet.last_row:
        return
    source.reset_dimensions()  # the file may claim any extent
    rows = source.iter_rows(max_row=sheet.last_row, max_col=sheet.last_column)
    for number, row in enumerate(rows, start=1):
        texts = []
        for column, cell in enumerate(row, start=1):
            text = _cell_text(cell)
            if text and (cell.data_type == "e" or text[0] == "#") and (problem := error_in(text)):
                sheet.bad[number, column] = problem
            if len(text) > limits.CELL_CHARACTERS:
                sheet.bad[number, column], text = _TOO_LONG, ""
            texts.append(text)
        sheet.rows[number] = texts


def _cell_text(cell: Any) -> str:
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(_unescaped(value))
    text = clean(formatted(value, cell.number_format or "General"))
    return Shown(text, general(value)) if isinstance(value, int | float) and not isinstance(value, bool) else text


def _unescaped(text: str) -> str:
    """A text without the escapes of ST_Xstring (ECMA-376 part 1, 22.9.2.19), such as `_x000D_`."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


# ---- ODS -------------------------------------------------------------------------------------------------------------


def _ods(archive: ZipFile, file_name: str, sheet_name: str | None) -> Grid:
    extent = _checked_extent(archive, file_name)
    reader = _OdsReader(extent)
    handlers = (("StartElementHandler", reader.start), ("EndElementHandler", reader.end))
    extent.parse(archive, "content.xml", *handlers, ("CharacterDataHandler", reader.text))
    sheet, others = _select_sheet(reader.sheets, sheet_name, file_name)
    return sheet.grid(file_name, others)


@dataclass(slots=True)
class _OdsReader:
    """Reads the tables of a content.xml. Rows and cells that repeat are stored once in the file; blank ones often
    repeat to the end of the sheet."""

    extent: _Extent
    sheets: list[_Worksheet] = field(default_factory=list)
    hidden_styles: set[str] = field(default_factory=set)
    style: str = ""
    row: int = 0
    column: int = 0
    header_column: int = 0
    repeat_row: int = 1
    cells: list[str] = field(default_factory=list)
    cell: Mapping[str, str] | None = None
    problem: tuple[str, str] | None = None
    problems: dict[int, tuple[str, str]] = field(default_factory=dict)
    merges: list[tuple[int, int]] = field(default_factory=list)
    paragraphs: list[str] = field(default_factory=list)
    length: int = 0
    in_text: int = 0
    skipped: int = 0
    tables: int = 0

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self.extent.element()
        name = tag.rpartition(" ")[2]
        if self.skipped or name in _NOT_CONTENT:
            self.skipped += 1
            return
        at = {key.rpartition(" ")[2]: value for key, value in attributes.items()}
        if name in ("style", "table-properties"):
            self._style(name, at)
        elif name == "table":
            self.tables += 1
            self._table(at)
        elif name == "table-column":
            self._column(at)
        elif name == "table-row":
            self._row(at)
        elif name in ("table-cell", "covered-table-cell"):
            self.cell, self.paragraphs, self.length = at, [], 0
        elif self.cell is not None:
            self._text(name, at)

    def end(self, tag: str) -> None:
        if self.skipped:
            self.skipped -= 1
            return
        name = tag.rpartition(" ")[2]
        if name in ("p", "h") and self.in_text:
            self.in_text -= 1
        elif name in ("table-cell", "covered-table-cell") and self.cell is not None:
            self._finish_cell(self.cell, covered=name.startswith("covered"))
            self.cell = None
        elif name == "table-row":
            self._finish_row()
        elif name == "table":
            self.tables -= 1

    def text(self, data: str) -> None:
        if self.in_text and not self.skipped:
            self.length += len(data)
            if self.length <= limits.CELL_CHARACTERS:
                self.paragraphs[-1] += data

    def _style(self, name: str, at: Mapping[str, str]) -> None:
        if name == "style":
            self.style = at.get("name", "")
        elif at.get("display") == "false":
            self.hidden_styles.add(self.style)

    def _table(self, at: Mapping[str, str]) -> None:
        if self.tables > 1:
            raise fault("a table inside another table cannot be read", self.extent.place, "save it as CSV")
        self.sheets.append(_Worksheet(at.get("name", ""), hidden=at.get("style-name") in self.hidden_styles))
        self.row = self.header_column = 0

    def _column(self, at: Mapping[str, str]) -> None:
        first, self.header_column = self.header_column, self.header_column + _repeat(at, "columns")
        if at.get("visibility") in ("collapse", "filter"):
            self.sheets[-1].hidden_columns.update(range(first + 1, min(self.header_column, limits.COLUMNS) + 1))

    def _row(self, at: Mapping[str, str]) -> None:
        self.repeat_row, self.cells, self.column = _repeat(at, "rows"), [], 0
        self.problems, self.merges = {}, []
        if at.get("visibility") in ("collapse", "filter"):
            last = min(self.row + self.repeat_row, limits.ROWS)
            self.sheets[-1].hidden_rows.update(range(self.row + 1, last + 1))

    def _text(self, name: str, at: Mapping[str, str]) -> None:
        if name in ("p", "h"):
            self.in_text += 1
            self.paragraphs.append("")
        elif self.in_text and name == "line-break":
            self.paragraphs[-1] += "\n"
        elif self.in_text and name == "tab":
            self.paragraphs[-1] += " "
        elif self.in_text and name == "s":
            self.paragraphs[-1] += " " * min(int(at.get("c", 1)), 1_000)

    def _finish_cell(self, at: Mapping[str, str], *, covered: bool) -> None:
        text = "" if covered else clean("\n".join(self.paragraphs))
        if text and at.get("value") and at.get("value-type") in ("float", "percentage", "currency"):
            text = Shown(text, general(float(at["value"])))
        repeat = _repeat(at, "columns")
        problem = error_in(text) if text else None
        if not text and at.get("formula") and not at.get("value-type"):
            problem = _UNCALCULATED
        if self.length > limits.CELL_CHARACTERS:
            problem = _TOO_LONG
        if text or problem:
            blanks = self.column - len(self.cells)
            last = self.column + repeat
            self.extent.cell(self.row + 1, last, blanks + repeat - 1)
            self.cells += [""] * blanks + [text] * repeat
            if problem:
                self.problems |= dict.fromkeys(range(self.column + 1, last + 1), problem)
            if int(at.get("number-rows-spanned", 1)) > 1:
                self.merges.append((self.column + 1, int(at["number-rows-spanned"])))
        self.column += repeat

    def _finish_row(self) -> None:
        sheet = self.sheets[-1]
        if self.cells:
            last = self.row + self.repeat_row
            self.extent.cell(last, len(self.cells), (self.repeat_row - 1) * len(self.cells))
            for number in range(self.row + 1, last + 1):
                sheet.rows[number] = list(self.cells)
                sheet.bad |= {(number, column): problem for column, problem in self.problems.items()}
            sheet.last_row = last
            sheet.merged += [(column, self.row + 1, self.row + span) for column, span in self.merges]
        self.row += self.repeat_row


_NOT_CONTENT = frozenset(("annotation", "shapes", "frame", "custom-shape", "tracked-changes", "dde-links"))
"""Comments, pictures and the like, whose texts are not part of the table."""


def _repeat(at: Mapping[str, str], what: str) -> int:
    return max(1, int(at.get(f"number-{what}-repeated", 1)))
