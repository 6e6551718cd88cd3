"""A deck: the cards that are printed or played, and the set code they came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..definitions.models import Card


@dataclass(frozen=True, slots=True)
class Deck:
    """Cards by component name, each in order. `code` is None for the standard set, which is given, not drawn."""

    cards: Mapping[str, tuple[Card, ...]]
    code: str | None = None
