"""The rules a travel log is held against: each one small function, its docstring the rule in plain words."""

from __future__ import annotations

from . import card_rules, hand_rules, move_rules, score
from .book import book

__all__ = ["book", "card_rules", "hand_rules", "move_rules", "score"]
