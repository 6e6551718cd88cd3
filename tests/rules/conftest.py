from pathlib import Path

import pytest

GAME = """
title: Trail
prefix: TR
players: 1-4
components:
  sheet: {kind: sheet, title: Sheet, sheet: sheet.yaml, face: sheet}
"""
SHEET = """
title: Trail sheet
players: walkers
fields:
  walkers:
    repeat: 4
    fields:
      name: {kind: text, required: true}
      steps: {kind: number, label: Step, count: 3, span: 0-9, required: true}
      flags: {kind: tick, count: 2}
      claimed:
        fields:
          steps: {kind: number}
          total: {kind: number}
sums:
  - {total: walkers.*.claimed.steps, of: [walkers.*.steps.*]}
  - {total: walkers.*.claimed.total, of: [walkers.*.steps.*, walkers.*.flags.*]}
score:
  - {label: steps, of: [walkers.*.steps.*]}
  - {label: flags, of: [walkers.*.flags.*], points: 5}
"""
RULES = '''
from generator.rules.results import RuleBook
from generator.rules.results import Line, Result, Score

book = RuleBook()


@book.rule("even", source="the trail")
def steps_are_even(sheet):
    """Every walker takes an even number of steps."""
    for walker in sheet.entries["walkers"]:
        if sum(filter(None, sheet.row(f"{walker}.steps"))) % 2:
            yield "an odd number of steps", f"{walker}.steps"
'''
FILLED = """
game: ./
walkers:
  - {name: Ada, steps: [1, 2, 3], flags: [2], claimed: {steps: 6, total: 11}}
  - {name: Bo, steps: [4, 4, 3], claimed: {total: 11}}
"""


@pytest.fixture
def trail(tmp_path: Path) -> Path:
    """The folder of a person's own game, with a filled-in sheet in it."""
    for name, text in {"game.yaml": GAME, "sheet.yaml": SHEET, "filled.yaml": FILLED}.items():
        (tmp_path / name).write_text(text)
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates" / "sheet.xml.j2").write_text("<face/>")
    return tmp_path


@pytest.fixture
def rules() -> str:
    """A rules.py for it."""
    return RULES
