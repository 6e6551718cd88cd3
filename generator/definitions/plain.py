"""Nodes as plain Python values, where no type is declared: a game's rules and the recipes of its random sets."""

from __future__ import annotations

import re
from types import MappingProxyType
from typing import Any

from .nodes import Listing, Node, Scalar

_WHOLE = re.compile(r"-?\d+")
_DECIMAL = re.compile(r"-?\d+\.\d+")


def plain(node: Node) -> Any:
    """A node as plain Python values: int, float, bool, str, None, tuple, read-only mapping."""
    if isinstance(node, Scalar):
        return _scalar(node)
    if isinstance(node, Listing):
        return tuple(map(plain, node.entries))
    return MappingProxyType({key.text: plain(value) for key, value in node.pairs})


def _scalar(node: Scalar) -> Any:
    if node.quoted:
        return node.text
    if node.blank:
        return None
    if _WHOLE.fullmatch(node.text) and len(node.text) < 16:
        return int(node.text)
    if _DECIMAL.fullmatch(node.text):
        return float(node.text)
    return {"true": True, "false": False}.get(node.text, node.text)
