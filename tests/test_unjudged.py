"""A game whose rules the judge does not know yet is never passed: an umpire who has not seen the game says so."""

import pytest

from generator import games
from generator.judge import Court
from generator.rules.answers import plain

ROOMS = ("rules", "score", "reading", "together", "hints")


def answer(key, tmp_path):
    sheet = tmp_path / "sheet.yaml"
    sheet.write_text(f"game: {key}\n")
    return plain(next(iter(Court().answers([str(sheet)]))))


@pytest.mark.parametrize("key", games.SHIPPED)
def test_a_sheet_without_rules_is_not_passed(key, tmp_path, monkeypatch):
    """Each shipped game, as it would be without its rules."""
    known = games.room
    monkeypatch.setattr(games, "room", lambda name, room: None if room in ROOMS else known(name, room))
    told = answer(key, tmp_path)
    assert told["valid"] is False
    assert "cannot be judged" in told["error"][0]["message"]


@pytest.mark.parametrize("key", games.SHIPPED)
def test_every_shipped_game_is_judged(key, tmp_path):
    assert games.room(key, "rules") is not None
    assert "cannot be judged" not in str(answer(key, tmp_path))
