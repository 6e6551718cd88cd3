"""The names that the `rules.py` of your own game may import; docs/python_rules.md describes them.

The interface has a version of its own, `VERSION`, and follows semantic versioning (https://semver.org): within a major
version, names, attributes and parameters are only added, and every new parameter has a default. All other modules of
Pencilbox may change at any time. tests/api.txt records the interface, and a test compares the two.
"""

from __future__ import annotations

from .draws import Chance, Deck, RandomSets, SetCode
from .draws.deck import standard_cards
from .errors import InputError, Place, Problem, fault
from .games.base import GameRules
from .games.simulation import FinishedGame, SimulatedGame, Simulation
from .model.game import Card, Component, Field, Game, ScoreSheet
from .rules.results import Line, Part, Result, Rule, RuleBook, Score, ScoringRule, Strokes, Suggestion, Violation, ranks
from .sheets import Asking, FilledSheet, Reading

VERSION = "1.0"

__all__ = [
    "VERSION",
    "Asking",
    "Card",
    "Chance",
    "Component",
    "Deck",
    "Field",
    "FilledSheet",
    "FinishedGame",
    "Game",
    "GameRules",
    "InputError",
    "Line",
    "Part",
    "Place",
    "Problem",
    "RandomSets",
    "Reading",
    "Result",
    "Rule",
    "RuleBook",
    "Score",
    "ScoreSheet",
    "ScoringRule",
    "SetCode",
    "SimulatedGame",
    "Simulation",
    "Strokes",
    "Suggestion",
    "Violation",
    "fault",
    "ranks",
    "standard_cards",
]
