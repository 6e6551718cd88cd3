"""What is judged from YAML alone."""

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.judging.judge import Judge
from generator.rules.results import plain


def judged(folder: Path, **changes: str) -> dict:  # type: ignore[type-arg]
    text = (folder / "filled.yaml").read_text()
    for old, new in changes.values():
        assert old in text
        text = text.replace(old, new)
    (folder / "changed.yaml").write_text(text)
    (answer,) = Judge().answers([str(folder / "changed.yaml")])
    return plain(answer)


@pytest.mark.parametrize(("values", "marked"), [([6] * 12, 12), ([6] * 13, 0), ([6, 6], 2)])
def test_an_untrue_expression_marks_all_its_values_or_none(trail: Path, values: list[int], marked: int) -> None:
    sheet = (trail / "sheet.yaml").read_text().replace("count: 3, span: 0-9, required: true", "count: 20")
    (trail / "sheet.yaml").write_text(sheet + "checks: [{id: few, check: sum(walkers.*.steps) < 5}]\n")
    result = judged(trail, a=("steps: [1, 2, 3]", f"steps: {values}"))
    (finding,) = (each for each in result["findings"] if each["rule"] == "few" and each["player"] == "Ada")
    assert finding["where"] == [f"walkers.1.steps.{n}" for n in range(1, marked + 1)] or not marked


def test_more_players_than_the_game_is_for_are_refused(trail: Path) -> None:
    """Even if the sheet has room for them."""
    game = (trail / "game.yaml").read_text()
    (trail / "game.yaml").write_text(game.replace("players: 1-4", "players: 1-2"))
    assert judged(trail)["winners"] == ["Ada", "Bo"]
    (trail / "game.yaml").write_text(game.replace("players: 1-4", "players: 1"))
    (problem,) = judged(trail)["error"]
    assert problem["message"] == "at most 1 player can play"


def test_lines_ranks_and_winners(trail: Path) -> None:
    result = judged(trail)
    assert result["game"] == trail.name
    assert result["findings"] == []
    assert result["players"] == [
        {
            "name": "Ada",
            "lines": [{"label": "steps", "points": 6}, {"label": "flags", "points": 5}],
            "total": 11,
            "rank": 1,
        },
        {
            "name": "Bo",
            "lines": [{"label": "steps", "points": 11}, {"label": "flags", "points": 0}],
            "total": 11,
            "rank": 1,
        },
    ]
    assert result["winners"] == ["Ada", "Bo"]


@pytest.mark.parametrize(
    ("change", "found"),
    [
        (
            ("steps: 6", "steps: 5"),
            ("claimed-steps", "walkers.1.claimed.steps", "“steps” says 5, but the numbers add up to 6"),
        ),
        (
            ("6, total: 11", "6, total: 12"),
            ("claimed-total", "walkers.1.claimed.total", "“total” says 12, but the numbers add up to 11"),
        ),
        (("[1, 2, 3]", "[1, ., 5]"), ("required", "walkers.1.steps.2", "Step 2 is blank")),
        (("[4, 4, 3]", "[4, -3, 10]"), ("range", "walkers.2.steps.2", "Step 2 is −3, but must be 0 to 9")),
        (("Bo", "ada"), ("names", "walkers.2.name", "two players are called ada")),
        (("name: Bo, ", ""), ("required", "walkers.2.name", "name is blank")),
    ],
)
def test_findings(trail: Path, change: tuple[str, str], found: tuple[str, str, str]) -> None:
    first = judged(trail, change=change)["findings"][0]
    assert (first["rule"], first["where"][0], first["message"]) == found
    assert first["severity"] == "error"
    assert first["line"] == (4 if "walkers.1" in found[1] else 5)


def test_fewer_may_be_better(trail: Path) -> None:
    path = trail / "sheet.yaml"
    path.write_text(path.read_text() + "highest_wins: false\n")
    result = judged(trail, change=("[4, 4, 3]", "[4, 4, 2]"))
    assert [player["rank"] for player in result["players"]] == [2, 1]
    assert result["winners"] == ["Bo"]


def test_a_sheet_of_one_player(trail: Path) -> None:
    (trail / "sheet.yaml").write_text(
        "title: T\nfields:\n  player: {kind: text}\n  a: {kind: number}\n  rows: {fields: {b: {kind: number}}}\n"
        "score: [{label: all, of: [a, rows.b]}]\nsums: [{total: a, of: [rows.b]}]\n"
    )
    (trail / "filled.yaml").write_text("game: ./\nplayer: Zoe\na: 3\nrows: {b: 4}\n")
    result = judged(trail)
    assert [finding["rule"] for finding in result["findings"]] == ["claimed-a"]
    assert result["players"] == [{"name": "Zoe", "lines": [{"label": "all", "points": 7}], "total": 7, "rank": 1}]


SCORING = """
title: T
players: players
fields:
  players:
    repeat: 4
    fields:
      name: {kind: text}
      coins: {kind: number, count: 3}
      gems: {kind: number}
      castles: {kind: tick, count: 4}
      debts: {kind: number}
      sets: {kind: number}
      claimed: {fields: {gems: {kind: number}, gem-points: {kind: number}, total: {kind: number}}}
sums:
  - {total: players.*.sets, of: [players.*.gems], count: true}
  - {total: players.*.claimed.gems, of: [players.*.gems], count: true}
  - {total: players.*.claimed.gem-points, of: [players.*.gems]}
  - {total: players.*.claimed.total, of: [players.*.coins.*, players.*.gems, players.*.castles.*, players.*.debts]}
score:
  - {label: coins, of: [players.*.coins.*]}
  - {label: gems, of: [players.*.gems], points: 10}
  - {label: more gems, of: [players.*.gems], points: 2}
  - {label: castles, of: [players.*.castles.*], points: 500}
  - {label: debts, of: [players.*.debts], points: -3}
"""


def test_claims_count_the_points_of_score_lines(trail: Path) -> None:
    """A total is what the score adds up to, whatever its lines multiply: numbers, ticks, several lines, debts."""
    (trail / "sheet.yaml").write_text(SCORING)
    (trail / "filled.yaml").write_text(
        "game: ./\nplayers:\n"
        "  - {name: Ann, coins: [1, 2, 3], gems: 5, castles: [1, 3], debts: 4, sets: 5,\n"
        "     claimed: {gems: 5, gem-points: 60, total: 1054}}\n"
        "  - {name: Ben, coins: [7], claimed: {total: 7}}\n"
    )
    result = judged(trail)
    assert result["findings"] == []
    assert [player["total"] for player in result["players"]] == [1054, 7]
    wrong = judged(trail, change=("total: 1054", "total: 54"))["findings"]
    assert [finding["message"] for finding in wrong] == ["“total” says 54, but the numbers add up to 1054"]


def test_a_sum_that_is_itself_scored_counts_marks(trail: Path) -> None:
    (trail / "sheet.yaml").write_text(
        "title: T\nfields: {player: {kind: text}, gems: {kind: number, count: 3}, all: {kind: number},\n"
        "  claimed: {fields: {total: {kind: number}}}}\n"
        "sums: [{total: all, of: [gems.*]}, {total: claimed.total, of: [all]}]\n"
        "score: [{label: gems, of: [all], points: 5}]\n"
    )
    (trail / "filled.yaml").write_text("game: ./\nplayer: Ann\ngems: [1, 2]\nall: 3\nclaimed: {total: 15}\n")
    result = judged(trail)
    assert result["findings"] == [] and result["players"][0]["total"] == 15


def test_a_sheet_without_score_lines(trail: Path) -> None:
    text = (trail / "sheet.yaml").read_text()
    (trail / "sheet.yaml").write_text(text[: text.index("score:")])
    result = judged(trail, change=("6, total: 11", "6, total: 7"))
    assert (result["players"], result["winners"], result["valid"]) == ([], [], True)


def test_sums_of_fields_that_do_not_exist(trail: Path) -> None:
    text = (trail / "sheet.yaml").read_text()
    (trail / "sheet.yaml").write_text(text.replace("of: [walkers.*.flags.*]", "of: [walkers.*.flag.*]"))
    error = judged(trail)["error"][0]
    assert error["message"] == "unknown field “flag” in “walkers.*.flag.*”"
    assert error["hint"] == "did you mean flags?"


def test_no_input_error_escapes(trail: Path) -> None:
    (trail / "game.yaml").write_text("title: [")
    try:
        result = judged(trail)
    except InputError:  # pragma: no cover
        pytest.fail("the answer says what is wrong")
    assert result["error"][0]["file"].endswith("game.yaml")
