"""Changes rows of a delimited text such as a CSV, and single keys of a YAML file, and leaves everything else in the
file as it is: in a table, other rows byte for byte, and the encoding, the delimiter, quotation marks and line ends
everywhere; in YAML, every other line, comment and blank line.

The text of a value in YAML is replaced where it stands, as the marks of the parsed nodes say. The result is parsed
again and must differ in the changed keys only; otherwise nothing is written.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from typing import Any

import yaml
from msgspec import Struct

from .. import nodes
from ..errors import Place, fault
from ..tables.delimited import ENCODINGS, TextForm, grid_of
from ..tables.grid import clean

Path = tuple[str, ...]
# Byte order marks, each with the encoding of what follows.
_MARKS = ((b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"), (codecs.BOM_UTF8, "utf-8"))
_ROWS_COMPARED = 2


def edited_yaml(text: str, changes: Mapping[Path, str | None], file_name: str) -> str:
    """The text with other values, which are given as YAML on one line by the path of their keys; None removes a key.
    Raises InputError for a value that cannot be changed without touching others."""
    for path, value in changes.items():
        before = _plain(text, file_name)
        changed = _changed(text, path, value)
        wanted = _with(before, path, None if value is None else _plain(f"value: {value}\n", file_name)["value"])
        if changed is None or _plain(changed, file_name) != wanted:
            hint = f"change “{'.'.join(path)}” in an editor"
            raise fault("this file is written in a way that cannot be changed here", Place(file_name), hint)
        text = changed
    return text


def _plain(text: str, file_name: str) -> Any:
    if next(nodes.documents(text, file_name), None) is None:  # blank, or only comments
        return {}
    return _unfrozen(nodes.document(text, file_name))


def _unfrozen(node: nodes.Node) -> Any:
    """A node as plain data with texts only."""
    if isinstance(node, nodes.Mapping):
        return {key.text: _unfrozen(value) for key, value in node.pairs}
    return list(map(_unfrozen, node.entries)) if isinstance(node, nodes.Listing) else node.text


def _with(data: Any, path: Path, value: Any) -> Any:
    """Plain data with another value; empty mappings that a removed key leaves behind stay."""
    inner = dict(data) if isinstance(data, dict) else {}
    key, *rest = path
    if rest:
        if value is not None or key in inner:
            inner[key] = _with(inner.get(key), tuple(rest), value)
    elif value is None:
        inner.pop(key, None)
    else:
        inner[key] = value
    return inner


def _changed(text: str, path: Path, value: str | None) -> str | None:
    """The changed text; None if the place of the change is not clear."""
    root = yaml.compose(text, yaml.SafeLoader)
    if root is None:
        return (
            text
            if value is None
            else f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{_line(path, value)}\n"
        )
    node, depth = root, 0
    pair = None
    while isinstance(node, yaml.MappingNode) and depth < len(path):
        pair = next(((key, inner) for key, inner in node.value if key.value == path[depth]), None)
        if pair is None:
            return text if value is None else _added(text, node, _line(path[depth:], value))
        node, depth, parent = pair[1], depth + 1, node
    assert pair
    if value is None and depth == len(path):
        return _removed(text, parent, pair)
    if value is None or not _is_simple(node):
        return text if value is None else None
    if depth < len(path):  # a blank value becomes a mapping
        if not isinstance(node, yaml.ScalarNode) or node.value:
            return None
        value = f"{{{_line(path[depth:], value)}}}"
    start, end = node.start_mark.index, node.end_mark.index
    return text[:start] + (" " * (text[start - 1] == ":") if start == end else "") + value + text[end:]


def _line(path: Sequence[str], value: str) -> str:
    """`a: {b: value}` for the path a, b."""
    for key in reversed(path[1:]):
        value = f"{{{key_text(key)}: {value}}}"
    return f"{key_text(path[0])}: {value}"


def key_text(key: str) -> str:
    """A key as it can be written anywhere."""
    return (
        key
        if re.fullmatch(r"[^\W\d][\w-]*", key)
        else yaml.dump(key, default_style='"', allow_unicode=True, width=10**6).strip()
    )


def _is_simple(node: yaml.Node) -> bool:
    """Whether a value is one piece of text that can be replaced."""
    if isinstance(node, yaml.ScalarNode):
        return node.style not in ("|", ">")  # the styles of blocks
    return isinstance(node, yaml.CollectionNode) and bool(node.flow_style)


def _added(text: str, mapping: yaml.MappingNode, line: str) -> str:
    """The text with another entry at the end of a mapping."""
    if mapping.flow_style:
        end = mapping.end_mark.index - 1
        before = text[:end].rstrip()
        comma = "" if before.endswith(("{", ",")) else ","
        return f"{before}{comma}{'' if before.endswith('{') else ' '}{line}{text[len(before) :]}"
    indent = " " * mapping.value[0][0].start_mark.column
    end = _last(mapping)
    end = end if text[end - 1 : end] == "\n" else text.find("\n", end) + 1 or len(text)
    newline = "\r\n" if "\r\n" in text else "\n"
    return f"{text[:end]}{'' if text[end - 1 : end] == chr(10) else newline}{indent}{line}{newline}{text[end:]}"


def _last(node: yaml.Node) -> int:
    """Where the last piece of text in a node ends, without the comments below it."""
    if not isinstance(node, yaml.CollectionNode) or node.flow_style or not node.value:
        return int(node.end_mark.index)
    last = node.value[-1]
    return max(map(_last, last)) if isinstance(last, tuple) else _last(last)


def _removed(text: str, parent: yaml.MappingNode, pair: tuple[yaml.Node, yaml.Node]) -> str:
    """The text without an entry. A comment behind it stays."""
    start, end = pair[0].start_mark.index, _last(pair[1])
    end = max(end, pair[0].end_mark.index)
    if parent.flow_style:
        if rest := re.match(r"\s*,\s*", text[end:]):
            return text[:start] + text[end + rest.end() :]
        return re.sub(r",\s*$", "", text[:start]) + text[end:]
    rest = re.match(r":?[ \t]*(#[^\n]*)?\r?\n?", text[end:])
    assert rest
    if rest[1]:
        return text[:start] + text[end + rest.start(1) :]
    return text[: start - pair[0].start_mark.column] + text[end + rest.end() :]


class NewRow(Struct, frozen=True):
    """The texts of a row as they should be, and the line of the row whose cells and style they come from."""

    cells: tuple[str, ...]
    like: int | None = None


class _Row(Struct, frozen=True):
    """A row as its file writes it."""

    line: int
    cells: tuple[str, ...]
    end: str


def edited_rows(
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
    if new_form != form or list(map(_trimmed, wanted)) != [_trimmed(row) for _, row in again.rows]:
        raise fault("after this change, the file would be read differently", Place(file_name), "change it in an editor")
    return data


def _name(codec: str) -> str:
    return ENCODINGS.get(codec, codec.upper())


def _trimmed(cells: Sequence[str]) -> list[str]:
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
        value = re.sub(r"[\t\r\n]+", " ", value).replace(form.delimiter, f"\\{form.delimiter}")
    elif (example.startswith('"') and value) or re.search(rf'[{re.escape(form.delimiter)}"\r\n]', value):
        return '"' + value.replace('"', '""') + '"'
    left = example[: len(example) - len(example.lstrip())]
    right = example[len(example.rstrip()) :] if example.strip() else ""
    return f"{left}{value}{right}"
