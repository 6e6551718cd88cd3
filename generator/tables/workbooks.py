"""Reads worksheets of XLSX files (Office Open XML, ECMA-376) and ODS files (OpenDocument 1.3), and the tables of web
pages, as grids, within limits that hostile files cannot exceed. Worksheets with the same headings are read as one.

A cell has the text that the spreadsheet shows. The value of a merged cell is repeated in every row that
it spans, in its first column. Hidden rows are left out; hidden columns are read, but built-in faces do not show them.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from html import escape, unescape
from pathlib import Path
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

from msgspec import Struct, field

from .. import limits, nodes
from ..errors import InputError, Place, did_you_mean, fault, listed, shortened
from ..model.values import Shown
from .delimited import checked_encoding, encoding_of
from .grid import CellGrid, clean
from .headings import folded, has_meaning, is_word, meaning
from .number_formats import BUILT_IN, EPOCH, EPOCH_1904, formatted, general, is_date
from .table_rows import GridRow, filled, is_number

_CELL = re.compile(r"([A-Za-z]{1,4})([0-9]{1,7})")
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
_UNREADABLE = "this cell has no value that can be read", "type it again, or save the table as CSV"
_UNCALCULATED = "this cell has a formula without a result", "open the file in a spreadsheet program and save it there"
_TOO_LONG = f"this cell has more than {limits.CELL_CHARACTERS:,} characters", "shorten it"
_MERGES = 2_000  # merged cells that are read
PAGES = (".html", ".htm")
_CHARSET = re.compile(rb"<meta[^>]*charset=[\"']?([\w-]+)", re.IGNORECASE)
_TAG = re.compile(
    r"<(?=[/!?a-z])(?:!--.*?(?:-->|\Z)|(script|style|template|noscript|select|svg)\b.*?(?:</\1\s*>|\Z)|[!?][^<>]*>"
    r"|(?P<closing>/?)(?P<tag>[a-z][a-z0-9:-]*)(?P<attributes>(?>[^<>\"']+|\"[^\"]{0,2000}\"|'[^']{0,2000}'){0,200}+)>)",
    re.DOTALL | re.IGNORECASE,
)
_ATTRIBUTE = re.compile(r"(colspan|rowspan|style|class|src)\s*=\s*(\"[^\"]*\"|'[^']*'|[^\s\"'/]+)", re.IGNORECASE)
_HIDDEN = re.compile(r"display\s*:\s*none", re.IGNORECASE)
_AWAY = re.compile(r"(?:https?:|//|data:).*", re.DOTALL)  # the address of a picture that is not in a folder
_VOID, _BLOCKS = ("img", "br", "input"), ("br", "p", "div", "li")
_MARKS = ("b", "strong", "i", "em", "u", "ins", "s", "del", "strike", "sup", "sub")
_BREAKS = re.compile(r"(?: ?<br> ?)+")
# Marks of a whole cell are part of the looks of a table.
_WHOLE = re.compile(rf"^(?:<(?:{'|'.join(_MARKS)})>)+([^<]*)(?:</(?:{'|'.join(_MARKS)})>)+$")
_LITERAL = re.compile(r"<(?=[A-Za-z/])|&(?=#?\w+;)")
_TOP = 5  # the rows in which the headings of a worksheet are
_LARGE = 3  # how many times as many rows as any other the table of a page has that is read without being asked for


def workbook(path: Path, file_name: str, sheet: str | None) -> CellGrid:
    """The worksheet with this name, or the first that is visible and has cards. Raises InputError."""
    try:
        if path.suffix.lower() in PAGES:
            raw = nodes.read_bytes(path, file_name, limits.TABLE_BYTES // 4)
            stated = _CHARSET.search(raw[:4_000])
            text = raw.decode(encoding_of(raw, file_name, checked_encoding(stated[1].decode()) if stated else "")[0])
            return _grid(_page(text, _Cells(Place(file_name))), sheet, Place(file_name), "table")
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
    return _grid(sheets, sheet, Place(file_name))


def _unreadable(path: Path, file_name: str) -> InputError:
    kind = path.suffix[1:].upper()
    with path.open("rb") as stream:
        start = stream.read(8)
    if start.startswith(b"\xd0\xcf\x11\xe0"):
        message = "this is an old Excel file (.xls), or it has a password"
        return fault(message, Place(file_name), "save it as .xlsx, without a password")
    return fault(f"not readable as {kind}", Place(file_name), "save it again, or save it as CSV")


class _Cells:
    """Counts the cells of a file, and refuses one with too many."""

    def __init__(self, place: Place) -> None:
        self.place, self.cells = place, 0

    def too_large(self, message: str) -> InputError:
        return fault(message, self.place, "delete what is not part of the table, or save it as CSV")

    def count(self, row: int, column: int, cells: int) -> None:
        """Counts cells, including blank ones to the left of filled ones. The last of them is in this row and column."""
        if row > limits.ROWS:
            raise self.too_large(f"there is a cell in row {row:,}; at most {limits.ROWS:,} rows are read")
        if column > limits.COLUMNS:
            raise self.too_large(f"there is a cell in column {column:,}; at most {limits.COLUMNS} columns are read")
        self.cells += cells
        if self.cells > limits.CELLS:
            raise self.too_large(f"more than {limits.CELLS:,} cells, including blank ones")


class _Parts(_Cells):
    """The XML files of a workbook as trees of elements without namespaces."""

    def __init__(self, archive: ZipFile, place: Place) -> None:
        super().__init__(place)
        self.archive, self.names, self.elements = archive, frozenset(archive.namelist()), 0
        files = (part.file_size for part in archive.infolist() if part.filename.lower().endswith((".xml", ".rels")))
        if sum(files) > limits.WORKBOOK_BYTES:
            raise self.too_large(f"unpacks to more than {limits.WORKBOOK_BYTES / 1e6:g} MB")

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


def _local(name: str) -> str:
    """A name without its namespace."""
    return name.rpartition(" ")[2]


# ---- worksheets


class _Worksheet(Struct):
    """A worksheet as its file describes it. Rows and columns count from 1."""

    file: _Cells
    name: str
    hidden: bool = False
    rows: dict[int, list[str]] = field(default_factory=dict)
    bad: dict[tuple[int, int], tuple[str, str]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    merged: list[tuple[int, int, int]] = field(default_factory=list)
    """Column, first row and last row of merged cells."""

    @property
    def is_unnamed(self) -> bool:
        """Whether a program gave the worksheet its name."""
        return is_word("default_sheets", self.name.rstrip("0123456789 "))

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
        self.file.count(last_row, last_column, rows * max(missing, columns))
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


def _grid(sheets: list[_Worksheet], sheet_name: str | None, place: Place, word: str = "sheet") -> CellGrid:
    """The rows of the worksheets that are read, without hidden ones. The names of several are the types of their cards,
    unless they have others. `word` is what a worksheet is called."""
    chosen, heads, others = _selected(sheets, sheet_name, place, word)
    names, plural = listed(f"“{shortened(sheet.name)}”" for sheet in chosen), "s" * (len(chosen) > 1)
    columns = max(max(map(len, sheet.rows.values()), default=0) for sheet in chosen)
    has_types = any(meaning(cell)[0] == "type" for cell in chosen[0].rows.get(heads[0], ()))
    types = bool(plural) and not (has_types or chosen[0].is_unnamed)
    rows, bad, parts = list[GridRow](), dict[tuple[int, int], tuple[str, str]](), list[tuple[int, str]]()
    left_out = sum(len(sheet.hidden_rows.intersection(sheet.rows)) for sheet in chosen)
    for sheet, head in zip(chosen, heads, strict=True):
        sheet.repeat_merged()
        shift = rows[-1][0] if rows else 0
        parts.append((shift, sheet.name))
        bad |= {(row + shift, column): problem for (row, column), problem in sheet.bad.items()}
        for row, cells in sorted(sheet.rows.items()):
            if row not in sheet.hidden_rows and any(map(str.strip, cells)) and (row > head or not shift):
                kind = [*[""] * (columns - len(cells)), "Type" if row == head else sheet.name]
                rows.append((row + shift, [*cells, *kind * (types and row >= head)]))
    notes = [f"{left_out} hidden row{'s' * (left_out > 1)} left out"] * bool(left_out)
    if plural:
        kinds = ", with their names as the types of the cards" * types
        notes.append(f"the {word}s {names} have the same headings and were read as one{kinds} (--sheet chooses one)")
    if others:
        only = f"only the {word}{plural} {names} {'were' if plural else 'was'} read"
        notes.append(f"{only}, not the {word}{'s' * (len(others) > 1)} {listed(others)} (--sheet chooses another)")
    return CellGrid(
        place.file,
        rows,
        chosen[0].name or "Sheet1",
        bad=bad,
        hidden=frozenset(column - 1 for column in chosen[0].hidden_columns),
        notes=tuple(notes),
        sheets=tuple(other.name for other in sheets if not other.hidden),
        parts=parts,
    )


def _selected(
    sheets: list[_Worksheet], sheet_name: str | None, place: Place, word: str
) -> tuple[list[_Worksheet], list[int], list[str]]:
    """The worksheets that are read, the rows with their headings if they are several, and the names of others that may
    be meant: the one with this name, or the first with cards and all with the same headings."""
    if sheet_name is not None:
        found = [sheet for sheet in sheets if sheet.name.strip().casefold() == sheet_name.strip().casefold()]
        names = [sheet.name for sheet in sheets]
        if not found:
            hint = did_you_mean(sheet_name, names) or f"it has {listed(names)}"
            raise fault(f"there is no {word} “{shortened(sheet_name)}”", place, hint)
        return found[:1], [0], []
    visible = [sheet for sheet in sheets if sheet.rows and not sheet.hidden]
    if not visible:
        message = "this page has no table" if word == "table" else "this table is empty"
        raise fault(message, place, "put the headings in the first row")
    counts = [sum(sum(map(bool, cells)) > 1 for cells in sheet.rows.values()) for sheet in visible]
    # how probably each holds cards, by its rows of several cells, and by its name
    ranks = [
        max(count if word == "table" else count > 1, 0.1)
        * (2 * is_word("card_pages", sheet.name) or not is_word("pages", sheet.name))
        for sheet, count in zip(visible, counts, strict=True)
    ]
    best = visible[ranks.index(max(ranks))]
    alike = [
        (sheet, head) for sheet, rank in zip(visible, ranks, strict=True) if rank and (head := _alike(best, sheet))
    ]
    # beside a sheet with cards, others may hold something else
    several = len(alike) > 1 and not is_word("card_pages", best.name)
    chosen, heads = zip(*alike, strict=True) if several else ((best,), (0,))
    rest = [(sheet, count) for sheet, count in zip(visible, counts, strict=True) if sheet not in chosen]
    if word == "table" and any(_LARGE * count > max(counts) for _, count in rest):
        tables = listed(f"{sheet.name} ({len(sheet.rows)} rows)" for sheet in visible)
        raise fault("this page has several large tables", place, f"choose one with --sheet: {tables}")
    return [*chosen], [*heads], [sheet.name for sheet, _ in rest]


def _alike(sheet: _Worksheet, other: _Worksheet) -> int:
    """The row of another worksheet with the headings of the first; 0 if it has none, or seems to be something else: an
    older version, or because only one of them has a name of its own."""
    first, second = (
        [("\t".join(map(folded, cells)).rstrip("\t"), row, cells) for row, cells in sorted(each.rows.items())]
        for each in (sheet, other)
    )
    common = {text for text, _, _ in first}
    repeats = sheet is not other and 2 * sum(text in common for text, _, _ in second) > len(second) > 2
    if repeats or sheet.is_unnamed != other.is_unnamed:
        return 0
    heads = {text for text, _, cells in first[:_TOP] if any(map(has_meaning, cells)) or len(filled(cells)) > 1}
    return next((row for text, row, cells in second[:_TOP] if text in heads and not any(map(is_number, cells))), 0)


# ---- web pages


class _PageTable(Struct):
    """A table of a web page while it is read. `taken` is the last row of the cell in each column; `cell` has the texts
    and marks of the open cell, `spans` the columns and rows that it takes."""

    sheet: _Worksheet
    row: int = 0
    column: int = 1
    taken: dict[int, int] = field(default_factory=dict)
    cell: list[str] | None = None
    spans: tuple[int, int] = (1, 1)

    def read(self, tag: str, closing: bool, given: dict[str, str]) -> None:
        is_cell = tag in ("td", "th")
        if is_cell or tag in ("tr", "table"):
            self.close()
        if not closing and (tag == "tr" or (is_cell and not self.row)):
            self.row, self.column = self.row + 1, 1
        if is_cell and not closing:
            columns, rows = (given.get(name, "") for name in ("colspan", "rowspan"))
            self.cell, self.spans = [], (min(_span(columns), limits.COLUMNS), min(_span(rows), _MERGES))
        elif self.cell is not None and tag in _BLOCKS:
            self.cell.append("<br>• " if tag == "li" and not closing else "<br>")
        elif self.cell is not None and tag in _MARKS:
            self.cell.append(f"<{'/' * closing}{tag}>")
        elif self.cell is not None and tag == "img" and not "".join(self.cell).strip():
            self.cell.append(_AWAY.sub("", given.get("src", "")))

    def close(self) -> None:
        """Stores the open cell."""
        if self.cell is None:
            return
        while self.taken.get(self.column, 0) >= self.row:
            self.column += 1
        text = _BREAKS.sub("<br>", " ".join("".join(self.cell).split())).removeprefix("<br>").removesuffix("<br>")
        (columns, rows), self.cell = self.spans, None
        self.sheet.file.count(self.row, self.column, 0)
        self.sheet.add(self.row, self.column, _WHOLE.sub(r"\1", text))
        if rows > 1:
            self.sheet.merged.append((self.column, self.row, self.row + rows - 1))
        self.taken |= dict.fromkeys(range(self.column, self.column + columns), self.row + rows - 1)
        self.column += columns


def _span(text: str) -> int:
    return max(1, int(text)) if text.isdecimal() and len(text) < 9 else 1


def _page(text: str, file: _Cells) -> list[_Worksheet]:
    """The tables of a web page as worksheets, with the marks of texts that cells know. Scripts, hidden texts and the
    numbers of notes are left out. `html.parser` takes too long for some pages."""
    sheets, tables, hidden, depth, at = list[_Worksheet](), list[_PageTable](), "", 0, 0
    for number, match in enumerate(_TAG.finditer(f"{text}</table>")):
        if number > 2 * limits.WORKBOOK_ELEMENTS:
            raise file.too_large(f"more than {2 * limits.WORKBOOK_ELEMENTS:,} tags")
        tag, closing = (match["tag"] or "").lower(), bool(match["closing"])
        given = {name.lower(): value.strip("\"'") for name, value in _ATTRIBUTE.findall(match["attributes"] or "")}
        if tables and not hidden and (cell := tables[-1].cell) is not None:
            data = unescape(text[at : match.start()])
            cell.append(_LITERAL.sub(lambda found: escape(found[0]), data))
        at = match.end()
        if hidden:
            depth += (tag == hidden) * (-1 if closing else 1)
            hidden *= depth > 0
        elif tag not in _VOID and (_HIDDEN.search(given.get("style", "")) or given.get("class") == "reference"):
            hidden, depth = tag, 1
        elif tag == "table" and not closing:
            sheets.append(_Worksheet(file, f"Table {len(sheets) + 1}"))
            tables.append(_PageTable(sheets[-1]))
        elif tables:
            tables[-1].read(tag, closing, given)
            del tables[len(tables) - (tag == "table") :]
    return sheets


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
        for cell in row.iterfind("c"):
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
        return Shown(clean(formatted(number, pattern, self.epoch)), general(number), not is_date(pattern))


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
        if any(entry.get("display") == "false" for entry in style.iterfind("table-properties"))
    }
    for table in _within(content, "table"):
        if any(True for _ in _within(table, "table")):
            raise fault("a table inside another table cannot be read", parts.place, "save it as CSV")
        sheet = _Worksheet(parts, table.get("name", ""), table.get("style-name") in hidden_styles)
        _read_ods_table(table, sheet)
        yield sheet


def _within(element: Element, *tags: str) -> Iterator[Element]:
    """The elements with these tags inside an element, but not inside each other or in what is not content."""
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
