"""A game whose rules the judge does not know yet is never passed: an umpire who has not seen the game says so."""

import json
import subprocess
import sys

import pytest

from generator import games, paths

WITHOUT = [key for key in games.SHIPPED if games.room(key, "rules") is None]


@pytest.mark.parametrize("key", WITHOUT)
def test_a_sheet_without_rules_is_not_passed(key, tmp_path):
    (tmp_path / "sheet.yaml").write_text(f"game: {key}\n")
    done = subprocess.run([sys.executable, "-m", "generator", "score", "sheet.yaml", "--format", "json"], cwd=tmp_path,
                          capture_output=True, text=True, check=False, env={"PYTHONPATH": str(paths.ROOT), "PATH": ""})
    assert done.returncode == 2
    answer = json.loads(done.stdout)
    assert answer["valid"] is False
    assert "cannot be judged" in answer["error"][0]["message"]


def test_the_first_game_is_judged():
    assert "from_the_ground_up" not in WITHOUT
