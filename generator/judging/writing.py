"""Writes plain data as the text of a filled-in sheet, as people would type it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

from ..sheets.typed_lines import Plain

WIDTH = 116
_PLAIN = re.compile(r"(?:[^\W_]|[=≠/✓✔]|\./)(?:[\w=≠/+.'’ -]*[\w=≠/+.'’-])?|-?[0-9]+")


class Rows(list[Plain]):
    """The rows of a grid, each on a line of its own."""


def sheet_text(document: Mapping[str, Plain]) -> str:
    """The document as YAML, with short values on one line."""
    return "".join(f"{line}\n" for line in _block(document))


def scalar(text: str) -> str:
    """A text as YAML, quoted if it would mean something else."""
    if text == "." or (_PLAIN.fullmatch(text) and text != "null"):
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in quoted)


def _escaped(letter: str) -> str:
    number = ord(letter)
    return f"\\U{number:08x}" if number > 0xFFFF else f"\\u{number:04x}"


def flow(value: Plain) -> str:
    """The value on one line."""
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return "{" + ", ".join(f"{scalar(key)}: {flow(inner)}" for key, inner in value.items()) + "}"


def _block(document: Mapping[str, Plain]) -> Iterator[str]:
    for key, value in document.items():
        name = f"{scalar(key)}:"
        if _short(value):
            yield f"{name} {flow(value)}"
        elif isinstance(value, dict):
            yield name
            yield from (f"  {line}" for line in _block(value))
        else:
            yield name
            for entry in value:
                yield from _entry(entry, isinstance(value, Rows))


def _short(value: Plain) -> bool:
    """Whether the value stands on the line of its key: a text, a row of texts, or a group of them."""
    if isinstance(value, str) or _row(value):
        return True
    return isinstance(value, dict) and all(map(_flat, value.values())) and len(flow(value)) <= WIDTH


def _flat(value: Plain) -> bool:
    return isinstance(value, str) or _row(value)


def _row(value: Plain) -> bool:
    return isinstance(value, list) and not isinstance(value, Rows) and all(isinstance(item, str) for item in value)


def _entry(entry: Plain, quoted: bool) -> Iterator[str]:
    if isinstance(entry, str):
        yield f"  - {json.dumps(entry, ensure_ascii=False) if quoted else scalar(entry)}"
    elif isinstance(entry, dict) and entry and (len(flow(entry)) > WIDTH or not _leaf(entry)):
        first, *rest = _block(entry)
        yield f"  - {first}"
        yield from (f"    {line}" for line in rest)
    else:
        yield f"  - {flow(entry)}"


def _leaf(entry: dict[str, Plain]) -> bool:
    """Whether an entry contains only marks and groups of marks, no lists of entries."""
    return all(map(_group, entry.values()))


def _group(value: Plain) -> bool:
    if not isinstance(value, dict):
        return _flat(value)
    return all(map(_flat, value.values())) or (len(value) == 1 and all(map(_group, value.values())))
