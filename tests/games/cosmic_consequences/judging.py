"""Judges sheets in memory, also of games with other rules or another board."""

import json
from io import BytesIO

from msgspec import structs

from generator.judging.judge import Judge, game_judge
from generator.rules.results import plain
from generator.sheets import documents

JUDGE = Judge()


def answer(sheet, name="sheet.yaml", judge=JUDGE):
    """The answer for one document, given as YAML or as plain data."""
    text = sheet if isinstance(sheet, str) else json.dumps(sheet)
    (document,) = documents(BytesIO(text.encode()), name)
    return judge.answer(document, name)


def judged(sheet, judge=JUDGE):
    """The answer as in JSON."""
    return plain(answer(sheet, judge=judge))


def broken(sheet, judge=JUDGE):
    """The ids of the rules that the sheet breaks."""
    result = judged(sheet, judge)
    assert "error" not in result, result
    return {finding["rule"] for finding in result["findings"]}


def judge_for(game, **changed):
    """A judge for the game with changed parts."""
    judge = Judge()
    judge.games[game.key] = game_judge(structs.replace(game, **changed))
    return judge
