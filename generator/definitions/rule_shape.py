"""The `rules` of a copied game, compared with those of the game that Pencilbox comes with.

The Python rules of a game rely on the keys and types of its `rules`. The shipped game.yaml declares both: a copy may
change every value, but not to another type, and it may not leave out a key.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..errors import Problem, did_you_mean, shortened
from .nodes import Listing, Mapping, Node, Scalar, plain
from .values import Span, span

_HINT = "copy what is missing from the shipped game.yaml, or rename your folder to make a game of your own"

MOST = 100
"""The limit for a number, or ten times the shipped number if that is more. Some numbers are counts of fields."""


def problems(copy: Node, shipped: Node, name: str = "rules") -> Iterator[Problem]:
    """Every place where the copy has another shape than the shipped rules. `name` is what messages call it."""
    if isinstance(shipped, Mapping):
        yield from _mapping(copy, shipped, name)
    elif isinstance(shipped, Listing):
        yield from _listing(copy, shipped, name)
    elif wanted := _wanted(copy, shipped):
        yield Problem(f"“{name}” must be {wanted}, not {_described(copy)}", copy.place)


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
    if len(entries) > MOST or (shipped and not entries):
        yield Problem(f"“{name}” must have from 1 to {MOST} entries, not {len(entries)}", copy.place)
        return
    example = shipped[0] if shipped else Scalar("text", shipped.place)
    for entry in entries:
        yield from problems(entry, example, name)


def _wanted(copy: Node, shipped: Scalar) -> str:
    """What must be written in the place of a shipped value; nothing if the copy has it."""
    example, value = plain(shipped), plain(copy)
    if isinstance(example, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(example, int):
        least, most = min(0, 10 * example), max(MOST, 10 * example)
        fits = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
        return "" if fits else f"a whole number from {least} to {most}"
    if (range_ := _range(example)) and range_.low < range_.high:
        found = _range(value)
        fits = found is not None and found.low < found.high <= max(MOST, 10 * range_.high)
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
