"""The judge, asked about a sheet in memory."""

import dataclasses
import json
from io import BytesIO
from types import MappingProxyType

from generator.definitions.load import load
from generator.judge import Court, umpire
from generator.rules.answers import plain
from generator.sheets import documents

COURT = Court()


def answer(sheet, name="sheet.yaml", court=COURT):
    """The answer for one document, given as YAML text or as plain data."""
    text = sheet if isinstance(sheet, str) else json.dumps(sheet)
    (document,) = documents(BytesIO(text.encode()), name)
    return court.answer(document, name)


def judged(sheet, court=COURT):
    """The answer as JSON has it."""
    return plain(answer(sheet, court=court))


def broken(sheet, court=COURT):
    """The names of the rules with a finding."""
    return {finding["rule"] for finding in judged(sheet, court)["findings"]}


def court_with(**options):
    """A court that judges with other options of the game."""
    game = load("elevator_up")
    made = Court()
    rules = MappingProxyType({**game.rules, **options})
    made.umpires[game.key] = umpire(dataclasses.replace(game, rules=rules))
    return made
