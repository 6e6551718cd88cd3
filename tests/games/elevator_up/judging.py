"""Judging sheets in memory."""

import json
from io import BytesIO
from types import MappingProxyType

from msgspec import structs

from generator.judging.judge import Judge, game_judge
from generator.reading.load import load
from generator.rules.results import plain
from generator.sheets import documents

JUDGE = Judge()


def answer(sheet, name="sheet.yaml", judge=JUDGE):
    """The answer for one document, given as YAML text or as plain data."""
    text = sheet if isinstance(sheet, str) else json.dumps(sheet)
    (document,) = documents(BytesIO(text.encode()), name)
    return judge.answer(document, name)


def judged(sheet, judge=JUDGE):
    """The answer as plain data, as in JSON."""
    return plain(answer(sheet, judge=judge))


def broken(sheet, judge=JUDGE):
    """The ids of the broken rules."""
    return {finding["rule"] for finding in judged(sheet, judge)["findings"]}


def judge_with(**options):
    """A judge for the game with other options."""
    game = load("elevator_up")
    judge = Judge()
    rules = MappingProxyType({**game.rules, **options})
    judge.games[game.key] = game_judge(structs.replace(game, rules=rules))
    return judge
