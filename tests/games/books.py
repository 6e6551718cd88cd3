"""The rule books of a game: its own, that for several sheets, and those stated in the YAML of its sheets."""

from generator.games.base import rules_of
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
