"""The judge, asked about a sheet in memory, and about games with other rules or a smaller board."""

import dataclasses
import json
from io import BytesIO

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
    told = judged(sheet, court)
    assert "error" not in told, told
    return {finding["rule"] for finding in told["findings"]}


def court_for(game, **changed):
    """A court that judges the game with other parts."""
    made = Court()
    made.umpires[game.key] = umpire(dataclasses.replace(game, **changed))
    return made
