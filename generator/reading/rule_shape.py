"""Compares the `rules` of a copied game with those of the shipped game.

The Python rules of a game rely on the keys and types of its `rules`, as the shipped game.yaml declares them. A copy may
change any value, but must keep its type, and must not leave out a key.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Problem, did_you_mean, shortened
from ..model.values import Span, span
from ..nodes import Listing, Mapping, Node, Scalar, plain

_HINT = "copy what is missing from the shipped game.yaml, or rename your folder to make it your own game"

LIMIT = 100
"""The largest number allowed, or ten times the shipped number if that is larger: some numbers are counts of fields.
Also the most entries in a list."""


def problems(copy: Node, shipped: Node, name: str = "rules") -> Iterator[Problem]:
    """Yields a problem wherever the copy differs in shape from the shipped rules. Messages call it `name`."""
    if isinstance(shipped, Mapping):
        yield from _mapping(copy, shipped, name)
    elif isinstance(shipped, Listing):
        yield from _listing(copy, shipped, name)
    elif expected := _expected(copy, shipped):
        yield Problem(f"“{name}” must be {expected}, not {_described(copy)}", copy.place)


def _mapping(copy: Node, shipped: Mapping, name: str) -> Iterator[Problem]:
    if not isinstance(copy, Mapping):
        yield Problem(f"“{name}” must be a mapping, not {_described(copy)}", copy.place)
        return
    if missing := [key for key in shipped if key not in copy]:
        keys = f"the key{'s' * (len(missing) > 1)} {', '.join(missing)}"
        yield Problem(f"“{name}” needs {keys}", copy.place, _HINT)
    for key, node in copy.pairs:
        if key in shipped:
            yield from problems(node, shipped[key], f"{name}.{key}")
        else:
            yield Problem(f"“{name}” has no key “{shortened(key)}”", key.place, did_you_mean(key, shipped))


def _listing(copy: Node, shipped: Listing, name: str) -> Iterator[Problem]:
    entries = copy if isinstance(copy, Listing) else [copy]
    if len(entries) > LIMIT or (shipped and not entries):
        yield Problem(f"“{name}” must have from 1 to {LIMIT} entries, not {len(entries)}", copy.place)
        return
    example = shipped[0] if shipped else Scalar("text", shipped.place)
    for entry in entries:
        yield from problems(entry, example, name)


def _expected(copy: Node, shipped: Scalar) -> str:
    """Describes what must replace the copy's value; "" if the value is valid."""
    example, value = plain(shipped), plain(copy)
    if isinstance(example, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(example, int):
        low, high = min(0, 10 * example), max(LIMIT, 10 * example)
        fits = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
        return "" if fits else f"a whole number from {low} to {high}"
    if (range_ := _range(example)) and range_.low < range_.high:
        copied = _range(value)
        fits = copied is not None and copied.low < copied.high <= max(LIMIT, 10 * range_.high)
        return "" if fits else f"a range of whole numbers such as {shipped}"
    fits = isinstance(copy, Scalar) and not copy.blank and copy.isprintable()
    return "" if fits else f"a word such as {shipped}"


def _range(value: object) -> Span | None:
    try:
        return span(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _described(node: Node) -> str:
    if isinstance(node, Scalar):
        return "empty" if node.blank else f"“{shortened(node)}”"
    return "a list" if isinstance(node, Listing) else "a mapping"
