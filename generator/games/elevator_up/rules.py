"""The rules a turn log is held against: each one small function, its docstring the rule in plain words."""

from __future__ import annotations

from . import deal_rules, score, turn_rules
from .book import book

__all__ = ["book", "deal_rules", "score", "turn_rules"]
