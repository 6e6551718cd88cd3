"""Judges sheets in memory and in files."""

import json
from io import BytesIO

from generator.judging.judge import Judge
from generator.rules.results import plain
from generator.sheets import documents

JUDGE = Judge()


def judged(sheet, judge=JUDGE):
    """The answer for one sheet, given as YAML text or plain data, in the form of the JSON output."""
    text = sheet if isinstance(sheet, str) else json.dumps({"game": "upwards"} | sheet)
    (document,) = documents(BytesIO(text.encode()), "sheet.yaml")
    return plain(judge.answer(document, "sheet.yaml"))


def judged_files(path):
    """The answer for a file, or for a folder with a file for each player."""
    files = sorted(map(str, path.iterdir())) if path.is_dir() else [str(path)]
    (answer,) = JUDGE.answers(files)
    return plain(answer)


def broken(sheet):
    """The ids of the rules with a finding."""
    return {finding["rule"] for finding in judged(sheet)["findings"]}


def lines(sheet):
    """The score lines of a sheet's only player, by their labels."""
    (player,) = judged(sheet)["players"]
    return {line["label"]: line["points"] for line in player["lines"]}
