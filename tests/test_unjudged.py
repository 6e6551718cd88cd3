"""A sheet whose game has no Python rules is never passed as valid; the judge says that it has no rules for it."""

import pytest

from generator import games
from generator.games.base import rules_of
from generator.judging import judge
from generator.judging.judge import Judge
from generator.rules.results import plain


def answer(key, tmp_path):
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text(f"game: {key}\n")
    return plain(next(iter(Judge().answers([str(sheet)]))))


@pytest.mark.parametrize("key", games.SHIPPED)
def test_a_sheet_without_rules_is_not_passed(key, tmp_path, monkeypatch):
    """Tries each shipped game without its rules."""
    monkeypatch.setattr(judge, "rules_of", lambda name: None)
    data = answer(key, tmp_path)
    assert data["valid"] is False
    assert "cannot be scored" in data["error"][0]["message"]


@pytest.mark.parametrize("key", games.SHIPPED)
def test_every_shipped_game_is_judged(key, tmp_path):
    assert rules_of(key) is not None
    assert "cannot be scored" not in str(answer(key, tmp_path))
