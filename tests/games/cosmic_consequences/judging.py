"""The judge, asked about a sheet in memory, and about games with other rules or a smaller board."""

import dataclasses
import json
from io import BytesIO

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
    told = judged(sheet, judge)
    assert "error" not in told, told
    return {finding["rule"] for finding in told["findings"]}


def judge_for(game, **changed):
    """A judge that judges the game with other parts."""
    made = Judge()
    made.games[game.key] = game_judge(dataclasses.replace(game, **changed))
    return made
