"""The parts of a sheet that are not on the paper (a log, a deal), read by the annotations its game gives for them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, get_args, get_origin

from ..definitions import nodes, typed
from ..definitions.nodes import Listing, Node, Scalar
from ..errors import InputError, Place, Problem


@dataclass(slots=True)
class Extra:
    """One part: its value, where its entries stand (`log.7`, `deal.Ann`), whose they are, and what is wrong in it."""

    name: str
    value: Any = None
    places: dict[str, Place] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)


def extra(name: str, node: Node, kind: Any) -> Extra:
    """The part as `kind`; of a list or mapping every entry that can be read, so that the others do not hide it."""
    made = Extra(name)
    made.places[name] = node.place
    if get_origin(kind) is tuple:
        entries = node.entries if isinstance(node, Listing) else [node]
        read = [_entry(made, str(number), entry, get_args(kind)[0]) for number, entry in enumerate(entries, 1)]
        made.value = tuple(one for one in read if one is not None)
    elif get_origin(kind) is dict and isinstance(node, nodes.Mapping):
        named = {key.text: _entry(made, key.text, value, get_args(kind)[1], key.text) for key, value in node.pairs}
        made.value = {key: one for key, one in named.items() if one is not None}
    else:
        made.value = _typed(made, node, kind, name)
    return made


def _entry(made: Extra, inner: str, node: Node, kind: Any, owner: str = "") -> Any:
    where = f"{made.name}.{inner}"
    made.places[where] = node.place
    player = node.get("player") if isinstance(node, nodes.Mapping) else None
    if isinstance(player, Scalar) or owner:
        made.people[where] = player.text if isinstance(player, Scalar) else owner
    return _typed(made, node, kind, where)


def _typed(made: Extra, node: Node, kind: Any, name: str) -> Any:
    try:
        return typed.read(node, kind, name)
    except InputError as error:
        made.problems.extend(error.problems)
        return None
