"""Judging sheets in memory."""

import json
from io import BytesIO

from generator.judging.judge import Judge
from generator.rules.results import plain
from generator.sheets import documents

JUDGE = Judge()


def answer(sheet, name="sheet.yaml", judge=JUDGE):
    """The answer for one document, given as YAML text or as plain data."""
    text = sheet if isinstance(sheet, str) else json.dumps(sheet)
    (document,) = documents(BytesIO(text.encode()), name)
    return judge.answer(document, name)


def judged(sheet):
    """The answer as plain data, as in JSON."""
    return plain(answer(sheet))


def broken(sheet):
    """The ids of the broken rules."""
    return {finding["rule"] for finding in judged(sheet)["findings"]}
