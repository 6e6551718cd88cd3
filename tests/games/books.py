"""The rule books of a game: its own, that of several sheets, and those that the YAML of its sheets states."""

from generator import games
from generator.definitions.load import load
from generator.rules.stated import StatedRules


def books(key):
    rules = games.rules_of(key)
    joint = [rules.joint_rules] if rules.joint_rules else []
    return [rules.rules, *joint, *(StatedRules(sheet).rules for sheet in load(key).sheets.values())]


def severities(key):
    """How bad it is to break each rule, by its id."""
    return {rule.id: rule.severity for book in books(key) for rule in book.rules}


def sources(key):
    """Where the rules of a game say they come from, word by word."""
    told = " ".join(rule.source for book in books(key) for rule in book.listed)
    return set(told.replace(",", " ").replace(";", " ").split())
