"""Drawings of what a game reads beside the paper: logs, deals, lines drawn in a grid."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

from .drawn_nouns import Cell, Drawing, Piece, blank, plain
from .letters import cut

_LONG = 48


def extra_drawing(name: str, value: Any, marked: Collection[str]) -> Drawing | None:
    """The entries that are marked, in a log each with the one before it; a row of words as a whole."""
    if isinstance(value, tuple) and all(isinstance(one, str) for one in value):
        pieces = tuple(Piece(one, f"{name}.{n}" in marked or name in marked) for n, one in enumerate(value, 1))
        return Drawing((), (((plain(name),), pieces),)) if pieces else None
    rows = [_row(title, one, is_marked) for title, one, is_marked in _entries(name, value, marked)]
    heads = [head for head in dict.fromkeys(head for row in rows for head in row)
             if not head or any(not blank(row[head]) for row in rows if head in row)]
    return Drawing(tuple(heads), tuple(tuple(row.get(head, (plain(""),)) for head in heads) for row in rows)) \
        if rows else None


def _entries(name: str, value: Any, marked: Collection[str]) -> Iterator[tuple[str, Any, bool]]:
    """What is shown of a part: its title, the entry, and whether the finding is about it."""
    if isinstance(value, tuple):
        numbers = [number for number in range(1, len(value) + 1) if {name, f"{name}.{number}"} & set(marked)]
        shown = sorted({one for number in numbers for one in (number - 1, number) if one})
        yield from ((f"{name} {number}", value[number - 1], number in numbers) for number in shown)
    elif isinstance(value, Mapping):
        named = [key for key in value if any(one.startswith(f"{name}.{key}") for one in marked)]
        yield from ((f"{name} {key}", value[key], True) for key in named or value)
    else:
        yield from _heaps(name, value, marked)


def _heaps(name: str, value: Any, marked: Collection[str]) -> Iterator[tuple[str, Any, bool]]:
    """A part told field by field: each is a row, or a row for each key where it has some."""
    for field in fields(value) if is_dataclass(value) else ():
        inner = getattr(value, field.name)
        if isinstance(inner, Mapping):
            yield from ((f"{field.name} {key}", one, f"{name}.{field.name}.{key}" in marked)
                        for key, one in inner.items())
        elif inner and field.name != "place":
            yield field.name, inner, f"{name}.{field.name}" in marked


def _row(title: str, entry: Any, marked: bool) -> dict[str, Cell]:
    row: dict[str, Cell] = {"": (Piece(title, marked),)}
    if is_dataclass(entry):
        row |= {field.name.rstrip("_").replace("_", " "): (plain(_said(getattr(entry, field.name))),)
                for field in fields(entry) if field.name != "place"}
    else:
        row["cards"] = (plain(cut(_said(entry), _LONG)),)
    return row


def _said(value: Any) -> str:
    """A value in one line; nothing for what was left out."""
    if value is None or value is False:
        return ""
    if value is True:
        return "x"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_said(one)}" for key, one in value.items())
    if isinstance(value, tuple | list):
        return " ".join(map(_said, value))
    if is_dataclass(value):
        said = ((field.name, _said(getattr(value, field.name))) for field in fields(value) if field.name != "place")
        return " ".join(f"{name} {one}" if one != "x" else name for name, one in said if one)
    return str(value)
