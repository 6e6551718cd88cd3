"""pencilbox fields: the field map as text and JSON, and registering layouts."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from generator import games, paths
from generator.cli.fields import command
from generator.errors import InputError
from generator.pages import field_map
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper, papers

OWN = str(paths.ROOT / "examples" / "lantern_walk")
SHIPPED = ("from_the_ground_up", "tally")


def run(*words):
    answer = CliRunner().invoke(command, list(words), catch_exceptions=False)
    assert answer.exit_code == 0
    return answer.stdout


@pytest.fixture
def registry(tmp_path, monkeypatch):
    path = tmp_path / "layouts.yaml"
    path.write_text("layouts:\n")
    monkeypatch.setattr(field_map, "FILE", path)
    field_map.registry.cache_clear()
    yield path
    field_map.registry.cache_clear()


def test_json_has_the_printed_place_of_every_field():
    answer = json.loads(run(OWN, "sheet", "--paper", "letter", "--format", "json"))
    game = load(OWN)
    frames = Press(game, games.deal(game)).sheet(game.components["sheet"], paper("letter"))
    slots = {slot.id: (page, slot) for page, frame in enumerate(frames, start=1) for slot in frame.slots()}
    assert [cell["field"] for cell in answer["cells"]] == list(game.sheets["sheet"].fields)
    for cell in answer["cells"]:
        page, slot = slots[cell["field"]]
        assert cell["page"] == page
        assert [cell[side] for side in ("x", "y", "width", "height")] == pytest.approx(
            [slot.x, slot.y, slot.width, slot.height], abs=0.0051
        )
    assert (answer["game"], answer["sheet"], answer["paper"]) == ("lantern_walk", "sheet", "letter")
    assert answer["layout"] in field_map.OWN


def test_text_has_a_line_for_every_field():
    head, names, *rows = run(OWN, "sheet").splitlines()
    number = json.loads(run(OWN, "sheet", "--format", "json"))["layout"]
    assert head == f"lantern_walk, sheet on a4: layout {number}, 210 × 297 mm, 1 page"
    assert names.split() == ["field", "kind", "page", "x", "y", "width", "height", "marks"]
    assert [row.split()[0] for row in rows] == list(load(OWN).sheets["sheet"].fields)
    assert rows[0].endswith("any, at most 24") and rows[1].endswith("digits, 0 to 40")


def test_an_unknown_sheet_is_refused():
    with pytest.raises(InputError, match=r"has no score sheet “tabl”; did you mean table"):
        run("from_the_ground_up", "tabl")
    with pytest.raises(InputError, match="has no score sheet “cards”"):
        run(OWN, "cards")


def test_a_shipped_sheet_is_refused_until_it_is_registered(registry):
    with pytest.raises(InputError) as refusal:
        run(*SHIPPED)
    assert str(refusal.value).endswith("pencilbox fields from_the_ground_up tally --register")
    before = registry.read_text()
    lines = run(*SHIPPED, "--register").splitlines()
    assert [line.split("  ")[1:] for line in lines] == [
        [f"from_the_ground_up, tally on {name}", "(new)"] for name, paper in papers().items() if paper.registered
    ] * 2, "as usual and in large print"
    assert registry.read_text().startswith(before)
    assert f"layout {lines[0][:5]}, 297 × 210 mm" in run(*SHIPPED)
    assert run(*SHIPPED, "--register") == "".join(f"{line.removesuffix('  (new)')}\n" for line in lines)


def test_your_own_game_is_not_registered(registry):
    with pytest.raises(InputError, match="lantern_walk is not a shipped game"):
        run(OWN, "sheet", "--register")
    assert registry.read_text() == "layouts:\n"


def test_every_key_is_documented():
    documented = (paths.ROOT / "docs" / "fields.md").read_text(encoding="utf-8")
    answer = json.loads(run(OWN, "sheet", "--format", "json"))
    keys = {*answer, *(key for cell in answer["cells"] for key in cell)}
    assert all(f"`{key}`" in documented for key in keys)
