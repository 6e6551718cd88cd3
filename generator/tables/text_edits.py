"""Changes rows of a delimited text such as a CSV, and leaves everything else in the file as it is: other rows byte for
byte, and the encoding, the delimiter, quotation marks and line ends everywhere."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest

from msgspec import Struct

from ..errors import Place, fault
from . import encodings
from .delimited import TextForm, grid_of
from .grid import clean

_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (codecs.BOM_UTF8, "utf-8"))
"""Byte order marks, each with the encoding of what follows."""
_ROWS_COMPARED = 2


class NewRow(Struct, frozen=True):
    """The texts of a row as they should be, and the line of the row whose cells and style they come from."""

    cells: tuple[str, ...]
    like: int | None = None


class _Row(Struct, frozen=True):
    """A row as its file writes it."""

    line: int
    cells: tuple[str, ...]
    end: str


def edited(
    raw: bytes, file_name: str, removed: Sequence[int], rows: Sequence[NewRow], after: int, encoding: str | None = None
) -> bytes:
    """The text without the rows in the lines `removed`, and with other `rows` in place of the first of them, or if none
    is removed, below the row in line `after`. Raises InputError if that cannot be written so that it reads the same."""
    grid, form = grid_of(raw, file_name, encoding)
    mark, codec = next(((mark, codec) for mark, codec in _MARKS if raw.startswith(mark)), (b"", form.encoding))
    text = raw[len(mark) :].decode(codec)
    if mark + text.encode(codec) != raw:
        raise fault(f"cannot be written back as {_name(codec)}", Place(file_name), "save the table as UTF-8")
    head, old = _parsed(text, form)
    by_line = {row.line: row for row in old}
    line_end = next((row.end for row in old if row.end), "\n")
    position = [row.line for row in old].index(removed[0] if removed else after) + (not removed)
    new = [_Row(0, tuple(_cells(row, by_line, old[-_ROWS_COMPARED:], form)), line_end) for row in rows]
    above, below = ([row for row in part if row.line not in removed] for part in (old[:position], old[position:]))
    result = [*above, *new, *below]
    ends = [*(row.end or line_end for row in result[:-1]), old[-1].end]
    written = head + "".join(form.delimiter.join(row.cells) + end for row, end in zip(result, ends, strict=True))
    try:
        data = mark + written.encode(codec)
    except UnicodeEncodeError as error:
        sign = error.object[error.start]
        raise fault(f"“{sign}” cannot be written in {_name(codec)}", Place(file_name), "save it as UTF-8") from None
    cells = dict(grid.rows)
    wanted = [
        *(cells[row.line] for row in above if row.line in cells),
        *(row.cells for row in rows),
        *(cells[row.line] for row in below if row.line in cells),
    ]
    again, new_form = grid_of(data, file_name, encoding)
    if new_form != form or list(map(_plain, wanted)) != [_plain(row) for _, row in again.rows]:
        raise fault("after this change, the file would be read differently", Place(file_name), "change it in an editor")
    return data


def _name(codec: str) -> str:
    return encodings.NAMES.get(codec, codec.upper())


def _plain(cells: Sequence[str]) -> list[str]:
    """Cells as they are compared: without blank ones at the end."""
    texts = [clean(cell).strip() for cell in cells]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _parsed(text: str, form: TextForm) -> tuple[str, list[_Row]]:
    """A line such as `sep=;`, and all rows, as they are written."""
    start = 0
    if form.first_line > 1:
        match = re.match(r"[^\r\n]*(\r\n|\r|\n)?", text)
        start = match.end() if match else 0
    return text[:start], list(_rows(text, start, form))


def _rows(text: str, start: int, form: TextForm) -> Iterator[_Row]:
    sign = re.escape(form.delimiter)
    text_in_quotes = r'(?:"(?:[^"]|"")*")?' if form.quoted else ""
    cell = re.compile(rf"({text_in_quotes}[^{sign}\r\n]*)({sign}|\r\n|\r|\n|\Z)")
    line, cells, first = form.first_line, list[str](), form.first_line
    while start < len(text) or cells:
        match = cell.match(text, start)
        assert match
        start = match.end()
        cells.append(match[1])
        line += len(re.findall(r"\r\n|\r|\n", match[1]))
        if match[2] != form.delimiter:
            line += bool(match[2])
            yield _Row(first, tuple(cells), match[2])
            cells, first = [], line


def _cells(row: NewRow, by_line: Mapping[int, _Row], usual: Sequence[_Row], form: TextForm) -> Iterator[str]:
    """The cells of a row as the file writes them: unchanged ones as before, others in the style of the old cell or of
    the same column in other rows."""
    old = by_line[row.like].cells if row.like is not None else ()
    styles = [*(other.cells for other in usual), old]
    for column, (before, value) in enumerate(zip_longest(old, row.cells, fillvalue="")):
        if column < len(old) and clean(_value(before, form)).strip() == value.strip():
            yield before
            continue
        examples = [style[column] for style in styles if column < len(style) and style[column].strip()]
        yield _written(value, examples[-1] if examples else "", form)


def _value(cell: str, form: TextForm) -> str:
    if form.quoted and cell.startswith('"'):
        inner, _, rest = cell[1:].rpartition('"')
        return inner.replace('""', '"') + rest
    return cell


def _written(value: str, example: str, form: TextForm) -> str:
    if not form.quoted:
        return re.sub(r"[\t\r\n]+", " ", value)
    if (example.startswith('"') and value) or re.search(rf'[{re.escape(form.delimiter)}"\r\n]', value):
        return '"' + value.replace('"', '""') + '"'
    left = example[: len(example) - len(example.lstrip())]
    right = example[len(example.rstrip()) :] if example.strip() else ""
    return f"{left}{value}{right}"
