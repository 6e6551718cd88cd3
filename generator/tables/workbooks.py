"""Reads worksheets of XLSX files (Office Open XML, ECMA-376) and ODS files (OpenDocument 1.3) as grids, within limits
that hostile files cannot exceed.

A cell has the text that the spreadsheet shows. The value of a merged cell is repeated in every row that
it spans, in its first column. Hidden rows are left out; hidden columns are read, but built-in faces do not show them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from msgspec import Struct, field

from .. import limits
from ..errors import InputError, Place, did_you_mean, fault, listed, shortened
from ..model.values import Shown
from .grid import CellGrid, clean
from .headings import is_word
from .number_formats import BUILT_IN, EPOCH, EPOCH_1904, formatted, general

_CELL = re.compile(r"([A-Za-z]{1,4})([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNREADABLE = "this cell has no value that can be read", "type it again, or save the table as CSV"
_UNCALCULATED = "this cell has a formula without a result", "open the file in a spreadsheet program and save it there"
_TOO_LONG = f"this cell has more than {limits.CELL_CHARACTERS:,} characters", "shorten it"
_MERGES = 2_000  # merged cells that are read


def workbook(path: Path, file_name: str, sheet: str | None) -> CellGrid:
    """The worksheet with this name, or the first that is visible and has cards. Raises InputError."""
    try:
        with ZipFile(path) as archive:
            parts = _Parts(archive, Place(file_name))
            sheets = list(_ods(parts) if "content.xml" in archive.namelist() else _xlsx(parts))
    except InputError:
        raise
    except BadZipFile as error:
        raise _unreadable(path, file_name) from error
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(file_name)) from error
    except Exception as error:  # zipfile and expat raise whatever their parsers raise
        raise _unreadable(path, file_name) from error
    return _grid(sheets, sheet, file_name)


def _unreadable(path: Path, file_name: str) -> InputError:
    kind = path.suffix[1:].upper()
    with path.open("rb") as stream:
        start = stream.read(8)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        message = "this is an old Excel file (.xls), or it has a password"
        return fault(message, Place(file_name), "save it as .xlsx, without a password")
    return fault(f"not readable as {kind}", Place(file_name), "save it again, or save it as CSV")


class _Parts:
    """The XML files of a workbook as trees of elements without namespaces. Counts what is read, and refuses a workbook
    with too much of it."""

    def __init__(self, archive: ZipFile, place: Place) -> None:
        self.archive, self.place = archive, place
        self.names = frozenset(archive.namelist())
        self.elements = self.cells = 0
        files = (part.file_size for part in archive.infolist() if part.filename.lower().endswith((".xml", ".rels")))
        if sum(files) > limits.WORKBOOK_BYTES:
            raise self.too_large(f"unpacks to more than {limits.WORKBOOK_BYTES / 1e6:g} MB")

    def too_large(self, message: str) -> InputError:
        return fault(message, self.place, "delete what is not part of the table, or save it as CSV")

    def tree(self, name: str) -> Element:
        """One XML file. Entities, which could make a small file large, are refused."""
        parser, builder = expat.ParserCreate(namespace_separator=" "), TreeBuilder()

        def start(tag: str, attributes: dict[str, str]) -> None:
            self.elements += 1
            if self.elements > limits.WORKBOOK_ELEMENTS:
                raise self.too_large(f"more than {limits.WORKBOOK_ELEMENTS:,} cells and other elements")
            builder.start(_local(tag), {_local(key): value for key, value in attributes.items()})

        parser.buffer_text = True
        parser.StartElementHandler, parser.CharacterDataHandler = start, builder.data
        parser.EndElementHandler = lambda tag: builder.end(_local(tag))
        parser.EntityDeclHandler = self._refuse_entity
        with self.archive.open(name) as stream:
            parser.ParseFile(stream)
        return builder.close()

    def _refuse_entity(self, *_: Any) -> None:
        raise fault("it declares XML entities, which no spreadsheet does", self.place, "save it as CSV")

    def related(self, part: str) -> dict[str, tuple[str, str]]:
        """The kinds and names of the parts that a part of an XLSX file refers to, by the ids of these references."""
        folder, name = posixpath.split(part)
        references = posixpath.join(folder, "_rels", f"{name}.rels")
        entries = self.tree(references).iter("Relationship") if references in self.names else ()
        return {
            entry.get("Id", ""): (
                posixpath.basename(entry.get("Type", "")),
                posixpath.normpath(posixpath.join("/", folder, entry.get("Target", ""))).lstrip("/"),
            )
            for entry in entries
        }

    def count(self, row: int, column: int, cells: int) -> None:
        """Counts cells, including blank ones to the left of filled ones. The last of them is in this row and column."""
        if row > limits.ROWS:
            raise self.too_large(f"there is a cell in row {row:,}; at most {limits.ROWS:,} rows are read")
        if column > limits.COLUMNS:
            raise self.too_large(f"there is a cell in column {column:,}; at most {limits.COLUMNS} columns are read")
        self.cells += cells
        if self.cells > limits.CELLS:
            raise self.too_large(f"more than {limits.CELLS:,} cells, including blank ones")


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


# ---- worksheets


class _Worksheet(Struct):
    """A worksheet as its file describes it. Rows and columns count from 1."""

    parts: _Parts
    name: str
    hidden: bool = False
    rows: dict[int, list[str]] = field(default_factory=dict)
    bad: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)
    """Column, first row and last row of merged cells."""

    def add(
        self, row: int, column: int, text: str, problem: tuple[str, str] | None = None, columns: int = 1, rows: int = 1
    ) -> None:
        """Stores a cell, and equal ones to the right of it and below."""
        if len(text) > limits.CELL_CHARACTERS:
            problem, text = _TOO_LONG, ""
        if not (text or problem):
            return
        last_row, last_column = row + rows - 1, column + columns - 1
        missing = last_column - len(self.rows.get(last_row, ()))
        self.parts.count(last_row, last_column, rows * max(missing, columns))
        for number in range(row, last_row + 1):
            cells = self.rows.setdefault(number, [])
            cells += [""] * (last_column - len(cells))
            cells[column - 1 : last_column] = [text] * columns
            if problem:
                self.bad |= {(number, index): problem for index in range(column - 1, last_column)}

    def repeat_merged(self) -> None:
        """Repeats the values of merged cells in the rows that they span and that have other content."""
        for column, first, last in self.merged[:_MERGES]:
            top = self.rows.get(first, [])
            value = top[column - 1] if column <= len(top) else ""
            for row in range(first + 1, min(last, max(self.rows, default=0)) + 1):
                cells = self.rows.get(row)
                if value and cells:
                    cells += [""] * (column - len(cells))
                    cells[column - 1] = value


def _grid(sheets: list[_Worksheet], sheet_name: str | None, file_name: str) -> CellGrid:
    """The rows of the worksheet with this name, or of the first with cards, that are not hidden."""
    sheet, others = _selected(sheets, sheet_name, file_name)
    sheet.repeat_merged()
    notes = []
    if left_out := len(sheet.hidden_rows.intersection(sheet.rows)):
        notes.append(f"{left_out} hidden row{'s' * (left_out > 1)} left out")
    if others:
        only = f"only the sheet “{shortened(sheet.name)}” was read, not the sheet{'s' * (len(others) > 1)}"
        notes.append(f"{only} {listed(others)} (--sheet chooses another)")
    return CellGrid(
        file_name,
        [
            (row, cells)
            for row, cells in sorted(sheet.rows.items())
            if row not in sheet.hidden_rows and any(map(str.strip, cells))
        ],
        sheet.name or "Sheet1",
        bad=sheet.bad,
        hidden=frozenset(column - 1 for column in sheet.hidden_columns),
        notes=tuple(notes),
        sheets=tuple(other.name for other in sheets if not other.hidden),
    )


def _selected(sheets: list[_Worksheet], sheet_name: str | None, file_name: str) -> tuple[_Worksheet, list[str]]:
    """The worksheet with this name, or the first with content; and the names of others that might be meant."""
    if sheet_name is None:
        visible = [sheet for sheet in sheets if sheet.rows and not sheet.hidden]
        if not visible:
            raise fault("this table is empty", Place(file_name), "its first row must have the headings")
        several = [sum(sum(map(bool, cells)) > 1 for cells in sheet.rows.values()) > 1 for sheet in visible]
        # how probably each holds cards, by its name: 0 without several rows of several cells
        ranks = [
            count * (2 * is_word("card_pages", sheet.name) or not is_word("pages", sheet.name))
            for sheet, count in zip(visible, several, strict=True)
        ]
        chosen = visible[ranks.index(max(ranks))]
        return chosen, [sheet.name for sheet in visible if sheet is not chosen]
    for sheet in sheets:
        if sheet.name.strip().casefold() == sheet_name.strip().casefold():
            return sheet, []
    names = [sheet.name for sheet in sheets]
    hint = did_you_mean(sheet_name, names) or f"it has {listed(names)}"
    raise fault(f"there is no sheet “{shortened(sheet_name)}”", Place(file_name), hint)


# ---- XLSX


def _xlsx(parts: _Parts) -> Iterator[_Worksheet]:
    book_name = {kind: name for kind, name in parts.related("").values()}["officeDocument"]
    book, related = parts.tree(book_name), parts.related(book_name)
    by_kind = {kind: name for kind, name in related.values() if name in parts.names}
    texts = parts.tree(by_kind["sharedStrings"]).iter("si") if "sharedStrings" in by_kind else ()
    reader = _XlsxCells(
        [_rich_text(text) for text in texts],
        _cell_formats(parts.tree(by_kind["styles"])) if "styles" in by_kind else [],
        EPOCH_1904 if any(entry.get("date1904") in ("1", "true") for entry in book.iter("workbookPr")) else EPOCH,
    )
    for entry in book.iter("sheet"):
        kind, name = related.get(entry.get("id", ""), ("", ""))
        if kind == "worksheet":
            sheet = _Worksheet(parts, entry.get("name", ""), entry.get("state", "visible") != "visible")
            _read_xlsx_sheet(parts.tree(name), sheet, reader)
            yield sheet


def _cell_formats(styles: Element) -> list[str]:
    """The number format of each cell style (ECMA-376 part 1, 18.8.10)."""
    formats = {int(entry.get("numFmtId", 0)): entry.get("formatCode", "") for entry in styles.iter("numFmt")}
    styles_of_cells = styles.find("cellXfs")
    ids = [int(entry.get("numFmtId", 0)) for entry in (styles_of_cells if styles_of_cells is not None else ())]
    return [formats.get(number) or BUILT_IN.get(number, "General") for number in ids]


def _read_xlsx_sheet(tree: Element, sheet: _Worksheet, reader: _XlsxCells) -> None:
    for entry in tree.iter("col"):
        if entry.get("hidden") in ("1", "true"):
            last = min(int(entry.get("max", 0)), limits.COLUMNS)
            sheet.hidden_columns.update(range(int(entry.get("min", 1)), last + 1))
    number = 0
    for row in tree.iter("row"):
        number = int(row.get("r") or number + 1)
        if row.get("hidden") in ("1", "true"):
            sheet.hidden_rows.add(number)
        column = 0
        for cell in row.iter("c"):
            match = _CELL.fullmatch(cell.get("r", ""))
            column = _column(match[1]) if match else column + 1
            sheet.add(number, column, *reader.read(cell))
    for entry in tree.iter("mergeCell"):
        ends = [_CELL.fullmatch(end) for end in entry.get("ref", "").split(":")]
        if len(ends) == 2 and ends[0] and ends[1]:
            sheet.merged.append((_column(ends[0][1]), int(ends[0][2]), int(ends[1][2])))


class _XlsxCells(Struct, frozen=True):
    """Reads the texts that cells show. `formats` are the number formats of cell styles, and serial dates are days since
    `epoch`."""

    shared_texts: list[str]
    formats: list[str]
    epoch: datetime

    def read(self, cell: Element) -> tuple[str, tuple[str, str] | None]:
        """The text of a cell, and what is wrong with it."""
        lacks_result = cell.find("f") is not None and cell.get("t") != "str" and not cell.findtext("v")
        try:
            return self._text(cell), _UNCALCULATED if lacks_result else None
        except (ValueError, IndexError, OverflowError):
            return "", _UNREADABLE

    def _text(self, cell: Element) -> str:
        """Cell values are those of ECMA-376 part 1, 18.18.11."""
        kind, value = cell.get("t", "n"), cell.findtext("v") or ""
        if kind == "inlineStr":
            return "".join(map(_rich_text, cell.iter("is")))
        if not value:
            return ""
        if kind == "s":
            return self.shared_texts[int(value)]
        if kind == "b":
            return "TRUE" if int(value) else "FALSE"
        if kind == "d":
            moment = value if "-" in value else f"{self.epoch:%Y-%m-%d}T{value}"
            number = (datetime.fromisoformat(moment) - self.epoch) / timedelta(days=1)
        elif kind == "n":
            number = float(value)
        else:
            return clean(_unescaped(value))
        style = int(cell.get("s", 0))
        pattern = self.formats[style] if style < len(self.formats) else "General"
        return Shown(clean(formatted(number, pattern, self.epoch)), general(number))


def _rich_text(element: Element) -> str:
    """A text of one or more runs, without the phonetic ones."""
    runs = [child.findtext("t") if child.tag == "r" else child.text for child in element if child.tag in ("t", "r")]
    return clean(_unescaped("".join(filter(None, runs))))


def _column(name: str) -> int:
    """`"AB"` → 28."""
    number = 0
    for letter in name.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def _unescaped(text: str) -> str:
    """A text without the escapes of ST_Xstring (ECMA-376 part 1, 22.9.2.19), such as `_x000D_`."""
    return _ESCAPED.sub(lambda match: chr(int(match[1], 16)), text) if "_x" in text else text


# ---- ODS

# Comments, pictures and the like, whose texts are not part of the table.
_NOT_CONTENT = frozenset(("annotation", "shapes", "frame", "custom-shape", "tracked-changes", "dde-links"))
_FILTERED = ("collapse", "filter")


def _ods(parts: _Parts) -> Iterator[_Worksheet]:
    content = parts.tree("content.xml")
    hidden_styles = {
        style.get("name")
        for style in content.iter("style")
        if any(entry.get("display") == "false" for entry in style.iter("table-properties"))
    }
    for table in _within(content, "table"):
        if any(True for _ in _within(table, "table")):
            raise fault("a table inside another table cannot be read", parts.place, "save it as CSV")
        sheet = _Worksheet(parts, table.get("name", ""), table.get("style-name") in hidden_styles)
        _read_ods_table(table, sheet)
        yield sheet


def _within(element: Element, *tags: str) -> Iterator[Element]:
    """The elements with these tags inside an element, but not inside each other or in what is no content."""
    for child in element:
        if child.tag in tags:
            yield child
        elif child.tag not in _NOT_CONTENT:
            yield from _within(child, *tags)


def _read_ods_table(table: Element, sheet: _Worksheet) -> None:
    """Rows and cells that repeat are stored once in the file; blank ones often repeat to the end of the sheet."""
    column = 1
    for entry in _within(table, "table-column"):
        after = column + _repeat(entry, "columns")
        if entry.get("visibility") in _FILTERED:
            sheet.hidden_columns.update(range(column, min(after, limits.COLUMNS + 1)))
        column = after
    row = 1
    for entry in _within(table, "table-row"):
        rows, column = _repeat(entry, "rows"), 1
        if entry.get("visibility") in _FILTERED:
            sheet.hidden_rows.update(range(row, min(row + rows, limits.ROWS + 1)))
        for cell in _within(entry, "table-cell", "covered-table-cell"):
            columns = _repeat(cell, "columns")
            if cell.tag == "table-cell":
                lacks_result = cell.get("formula") and not cell.get("value-type")
                text = _ods_text(cell)
                sheet.add(row, column, text, _UNCALCULATED if lacks_result and not text else None, columns, rows)
                if text and (span := int(cell.get("number-rows-spanned", 1))) > 1:
                    sheet.merged.append((column, row, row + span - 1))
            column += columns
        row += rows


def _ods_text(cell: Element) -> str:
    text = clean("\n".join(map(_paragraph, _within(cell, "p", "h"))))
    value = cell.get("value")
    if text and value and cell.get("value-type") in ("float", "percentage", "currency"):
        return Shown(text, general(float(value)))
    return text


def _paragraph(element: Element) -> str:
    parts = [element.text or ""]
    for child in element:
        if child.tag == "s":
            parts.append(" " * min(int(child.get("c", 1)), 1_000))
        elif child.tag in ("line-break", "tab"):
            parts.append("\n" if child.tag == "line-break" else " ")
        elif child.tag not in _NOT_CONTENT:
            parts.append(_paragraph(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _repeat(element: Element, what: str) -> int:
    return max(1, int(element.get(f"number-{what}-repeated", 1)))
