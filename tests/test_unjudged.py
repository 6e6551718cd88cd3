"""A game whose rules the judge does not know yet is never passed: it says that it has no rules for the sheet."""

import pytest

from generator import games
from generator.judging.judge import Judge
from generator.rules.answers import plain


def answer(key, tmp_path):
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text(f"game: {key}\n")
    return plain(next(iter(Judge().answers([str(sheet)]))))


@pytest.mark.parametrize("key", games.SHIPPED)
def test_a_sheet_without_rules_is_not_passed(key, tmp_path, monkeypatch):
    """Each shipped game, as it would be without its rules."""
    monkeypatch.setattr(games, "rules_of", lambda name: None)
    told = answer(key, tmp_path)
    assert told["valid"] is False
    assert "cannot be judged" in told["error"][0]["message"]


@pytest.mark.parametrize("key", games.SHIPPED)
def test_every_shipped_game_is_judged(key, tmp_path):
    assert games.rules_of(key) is not None
    assert "cannot be judged" not in str(answer(key, tmp_path))
