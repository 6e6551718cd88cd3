"""The judge, asked about a sheet in memory."""

import dataclasses
import json
from io import BytesIO
from types import MappingProxyType

from generator.definitions.load import load
from generator.judging.judge import Judge, game_judge
from generator.rules.answers import plain
from generator.sheets import documents

JUDGE = Judge()


def answer(sheet, name="sheet.yaml", judge=JUDGE):
    """The answer for one document, given as YAML text or as plain data."""
    text = sheet if isinstance(sheet, str) else json.dumps(sheet)
    (document,) = documents(BytesIO(text.encode()), name)
    return judge.answer(document, name)


def judged(sheet, judge=JUDGE):
    """The answer as JSON has it."""
    return plain(answer(sheet, judge=judge))


def broken(sheet, judge=JUDGE):
    """The names of the rules with a finding."""
    return {finding["rule"] for finding in judged(sheet, judge)["findings"]}


def judge_with(**options):
    """A judge that judges with other options of the game."""
    game = load("elevator_up")
    made = Judge()
    rules = MappingProxyType({**game.rules, **options})
    made.games[game.key] = game_judge(dataclasses.replace(game, rules=rules))
    return made
