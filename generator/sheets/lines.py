"""JSON documents of one line → plain data, many times as fast as nodes.

Where a whole document stands on one line, no value needs a place of its own. Only texts that this road and YAML take
for the same are taken; for all others `plain` gives None, and the nodes (`streams`) say what is wrong with them.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from ..definitions.nodes import Node
from ..errors import InputError, Place

if TYPE_CHECKING:
    from json import JSONDecoder


Plain: TypeAlias = "str | bool | list[Plain] | dict[str, Plain] | None"
"""Numbers are texts as they were spelt."""

BLANK = ("", ".", "~", None)
"""What is nothing written."""

MOST_LETTERS = 100_000
"""A longer text could have more values than nodes may have, and is rare enough."""

_HALF = re.compile(r"\\u[dD][89a-fA-F]")


class UnlikeError(Exception):
    """A value that is read as nodes instead, because something is wrong with it or it is rare."""


class Line(NamedTuple):
    """A document on one line of a file. `nodes` reads it again, as the slow road does."""

    data: dict[str, Any]
    place: Place
    nodes: Callable[[], Node | InputError]


def plain(raw: bytes) -> dict[str, Any] | None:
    """The mapping that a JSON text is; None for anything that should be read as nodes."""
    try:
        text = raw.decode().rstrip("\r\n ")
        if (not text.startswith("{") or not text.isprintable() or len(text) > MOST_LETTERS
                or ("\\u" in text and _HALF.search(text))):
            return None
        data: dict[str, Any]
        data, end = _decoder().raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return data if end == len(text) else None


def _mapping(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        raise ValueError("a key stands twice")
    return made


def _no_number(text: str) -> str:
    raise ValueError(f"{text} is no JSON")


@cache
def _decoder() -> JSONDecoder:
    from json import JSONDecoder  # not wanted for YAML

    return JSONDecoder(object_pairs_hook=_mapping, parse_int=str, parse_float=str, parse_constant=_no_number)


def spelt(value: Any) -> str | None:
    """A single value as it was spelt; None for a list or mapping. `null` is none either: it is blank."""
    return value if type(value) is str else _WORDS.get(value) if type(value) is bool else None


_WORDS = {True: "true", False: "false"}
