"""Cards that are listed in YAML, or in JSON as other programs write it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from .. import limits
from ..errors import Place, Problem, collect, fault, listed, shortened
from ..nodes import Listing, Node, Scalar
from ..nodes import Mapping as MappingNode
from ..tables.grid import Cell, Row

_MAX_NESTED = 6
"""The values of a mapping inside a card that become columns of their own."""
_MAX_DEPTH = 4


def cards_in_json(node: Node, depth: int = 0) -> Listing | None:
    """The cards in a JSON document: a list of them, the list under the key `cards` or `data`, the lists of all keys, or
    a mapping whose keys are the ids of cards; perhaps inside another mapping. None if there are none."""
    if isinstance(node, Listing) or depth > _MAX_DEPTH:
        return node if isinstance(node, Listing) else None
    if not isinstance(node, MappingNode):
        return None
    lists = {key: value for key, value in node.items() if isinstance(value, Listing) and value}
    chosen = next((lists[key] for key in ("cards", "data") if key in lists), None)
    if chosen is not None or lists:
        return chosen or Listing([entry for value in lists.values() for entry in value], node.place)
    inner = {key: value for key, value in node.items() if isinstance(value, MappingNode)}
    if len(inner) > 1 and len(inner) == len(node):
        return Listing([_with_id(key, value) for key, value in inner.items()], node.place)
    return next(filter(None, (cards_in_json(value, depth + 1) for value in inner.values())), None)


def _with_id(key: Scalar, card: MappingNode) -> MappingNode:
    known = [] if "id" in card else [(Scalar("id", key.place), key)]
    return MappingNode([*known, *card.items()], card.place)


class ListedCards:
    """The cards of a list in YAML or JSON, with the interface of a CardTable."""

    sheet, labelled = "", True
    hidden: frozenset[str] = frozenset()
    letters: Mapping[str, str] = {}

    def __init__(self, node: Node, problems: list[Problem], is_json: bool = False) -> None:
        if not isinstance(node, Listing):
            raise fault("“cards” must be a list", node.place)
        self.place, self.marked = node.place, is_json
        self.nested: dict[str, None] = {}
        """The keys in JSON whose values are too much for a card."""
        self.rows: list[Row] = []
        self.first: dict[str, Place] = {}
        """Where each key is used first."""
        for entry in node:
            if is_json and isinstance(entry, Scalar):
                entry = MappingNode([(Scalar("text", entry.place), entry)], entry.place)
            if isinstance(entry, MappingNode):
                self.rows.append((entry.place, dict(self._cells(entry, problems))))
            else:
                collect(problems, Problem("a card must be a mapping", entry.place))
            if len(self.first) > limits.COLUMNS:
                raise fault(f"these cards have more than {limits.COLUMNS} fields", entry.place)
        self.headings = list(self.first)

    def _cells(self, entry: MappingNode, problems: list[Problem]) -> Iterator[tuple[str, Cell]]:
        for key, value in entry.items():
            scalars = value if isinstance(value, Listing) else [value]
            if all(isinstance(scalar, Scalar) for scalar in scalars):
                self.first.setdefault(str(key), key.place)
                yield str(key), scalars
            elif self.marked and isinstance(value, MappingNode) and len(value) <= _MAX_NESTED:
                inner = [(Scalar(f"{key} {name}", name.place), each) for name, each in value.items()]
                yield from self._cells(MappingNode(inner, value.place), problems)
            elif self.marked:
                self.nested[str(key)] = None
            else:
                collect(problems, Problem(f"“{shortened(key)}” must be a value or a list of values", value.place))

    @property
    def notes(self) -> tuple[str, ...]:
        left_out = listed(f"“{shortened(key)}”" for key in self.nested)
        return (f"left out, because they hold lists or many values: {left_out}",) if self.nested else ()

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def column(self, heading: str) -> Iterator[Cell]:
        return (cells.get(heading, "") for _, cells in self.rows)

    def heading_place(self, heading: str) -> Place:
        return self.first.get(heading, self.place)

    def place_of(self, row: Place | int, heading: str = "") -> Place:
        return cast(Place, row)
