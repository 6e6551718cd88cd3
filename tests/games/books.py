"""The rule books of a game: its own, that for several sheets, and those stated in the YAML of its sheets."""

import json

from msgspec import structs

from generator import nodes
from generator.games.base import rules_of
from generator.paths import display_path
from generator.reading.load import load
from generator.rules.stated import StatedRules


def books(key):
    rules = rules_of(key)
    joint = [rules.joint_rules] if rules.joint_rules else []
    return [rules.rules, *joint, *(StatedRules(sheet).rules for sheet in load(key).sheets.values())]


def severities(key):
    """The severity of each rule, by id."""
    return {rule.id: rule.severity for book in books(key) for rule in book.rules}


def sources(key):
    """All words in the sources of the rules."""
    text = " ".join(rule.source for book in books(key) for rule in book.listed)
    return set(text.replace(",", " ").replace(";", " ").split())


def with_sets(game, sets):
    """The game with another sets.yaml, given as plain data."""
    text = json.dumps(sets, default=lambda value: {**value}, indent=1)
    file = nodes.document(text, display_path(game.folder / "sets.yaml"))
    return structs.replace(game, sets=nodes.plain(file), sets_file=file)
