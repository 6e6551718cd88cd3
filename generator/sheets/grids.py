"""Groups typed as they look on the paper: a grid as rows of marks, a group of ticks by the names of the ticked ones."""

from __future__ import annotations

import re

from ..definitions import nodes
from ..definitions.models import FieldFile
from ..definitions.nodes import Listing, Node, Scalar
from ..errors import fault
from .marks import near, one_of

_BETWEEN = re.compile(r"[\s,]+")


def keyed(node: Node, spec: FieldFile, name: str) -> Node:
    """The group with its marks by the names of their fields; raises InputError for rows and names it cannot have."""
    if isinstance(node, nodes.Mapping):
        return node
    if spec.across:
        return _grid(node, list(spec.fields or {}), spec.across, name)
    if spec.fields and all(inner.kind == "tick" for inner in spec.fields.values()):
        return _ticks(node, list(spec.fields), name)
    return node


def _grid(node: Node, fields: list[str], across: int, name: str) -> Node:
    """Rows of marks, the top row first; where there are fewer of them than on the paper, they are the lowest."""
    rows = node.entries if isinstance(node, Listing) else [Scalar(row, node.place) for row in _lines(node)]
    missing = len(fields) // across - len(rows)
    if missing < 0:
        raise fault(f"{name} has {len(rows)} rows, but there are {len(rows) + missing} on the paper", node.place)
    pairs: list[tuple[Scalar, Node]] = []
    for number, row in enumerate(rows, missing):
        names = fields[number * across:(number + 1) * across]
        pairs += [(Scalar(field, row.place), mark) for field, mark in zip(names, _row(row, names, name), strict=True)]
    return nodes.Mapping(pairs, node.place)


def _lines(node: Node) -> list[str]:
    return [line for line in node.text.splitlines() if line.strip()] if isinstance(node, Scalar) else []


def _row(row: Node, names: list[str], name: str) -> list[Node]:
    """The marks of one row: a list, a text with spaces between them, or their letters one after the other."""
    if isinstance(row, Scalar):
        text = row.text.strip()
        if row.blank:
            return [row] * len(names)
        pieces = _BETWEEN.split(text)
        letters = list(text) if len(pieces) == 1 and len(text) == len(names) else pieces
        marks: list[Node] = [Scalar(piece, row.place) for piece in letters]
    else:
        marks = row.entries if isinstance(row, Listing) else []
    if len(marks) != len(names):
        raise fault(f"the row {names[0]} to {names[-1]} of {name} has {len(marks)} marks instead of {len(names)}",
                    row.place, f"such as {' '.join('.' * len(names))}, where a dot is a blank")
    return marks


def _ticks(node: Node, fields: list[str], name: str) -> Node:
    """The names of the ticked ones: a single name, or a list of them."""
    pairs: list[tuple[Scalar, Node]] = []
    for entry in node.entries if isinstance(node, Listing) else [node]:
        typed = entry.text if isinstance(entry, Scalar) else "a list"
        ticked = next((field for field in fields if _bare(field) == _bare(typed)), None)
        if ticked is None:
            raise fault(f"{name} must be {one_of(fields)}, not “{typed}”", entry.place,
                        near(typed, fields))
        pairs.append((Scalar(ticked, entry.place), Scalar("x", entry.place)))
    return nodes.Mapping(pairs, node.place)


def _bare(name: str) -> str:
    return name.strip().lower().replace("_", "-")
