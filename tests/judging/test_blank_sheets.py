"""Blank sheets of every kind can be read and have no marks."""

from io import BytesIO

import pytest

from generator import games, paths
from generator.errors import InputError
from generator.games.base import rules_of
from generator.judging.questions import sheet_filler
from generator.judging.sheet_forms import blank
from generator.rules.results import Judged
from generator.sheets import documents
from tests.judging.filling import game_of, orchard
from tests.sheet_reading import read

GAMES = [*games.SHIPPED, str(paths.ROOT / "examples/lantern_walk")]
SHEETS = [(game, sheet) for game in GAMES for sheet in game_of(game).sheets]


def filler_for(game, sheet):
    return sheet_filler(game_of(game), sheet, "sheet.yaml")


def filled(filler, text):
    (node,) = documents(BytesIO(text.encode()), "sheet.yaml")
    return node, read(node, filler.form.game, filler.form.sheet, filler.form.reading)


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_a_blank_sheet_has_no_marks(game, sheet):
    filler = filler_for(game, sheet)
    node, sheet_read = filled(filler, blank(filler.form))
    assert (dict(sheet_read.marks), dict(sheet_read.entries), dict(sheet_read.extra)) == ({}, {}, {})
    if rules_of(filler.form.game.key):
        assert isinstance(filler.judge.answer(node, "sheet.yaml"), Judged)


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_only_the_names_are_filled_in(game, sheet):
    filler = filler_for(game, sheet)
    names = ["O'Neil: 2", "Ann Lee"][: 1 if game == "upwards" else 2]
    _, sheet_read = filled(filler, blank(filler.form, names))
    assert list(sheet_read.marks.values()) == names


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_every_part_is_explained(game, sheet):
    form = filler_for(game, sheet).form
    text = blank(form, ["Ann"])
    missing = [
        name
        for name in form.sheet.fields
        if name.partition(".")[0] not in form.asking.never
        if not all(f"{part}" in text for part in name.split(".") if not part.isdigit())
    ]
    assert [name for name in missing if not name.startswith(("grid.", "option.", "blocks."))] == []
    assert [key for key in form.reading.extra if f"\n{key}:" not in text] == []
    assert max(map(len, text.splitlines())) <= 160


@pytest.mark.parametrize(
    ("game", "names", "message"),
    [
        ("upwards", ["Ann", "Ben"], "is for one player, but 2 names were given"),
        ("elevator_up", ["Ann", "ann"], "two players have the same name"),
        ("rolling_cubes", ["Ann", ""], "a player’s name is missing"),
    ],
)
def test_refuses_names_that_do_not_fit(game, names, message):
    with pytest.raises(InputError, match=message):
        blank(filler_for(game, None).form, names)


def test_fields_of_every_kind(tmp_path):
    filler = orchard(tmp_path)
    _, sheet_read = filled(filler, blank(filler.form))
    assert (dict(sheet_read.marks), dict(sheet_read.entries)) == ({}, {})
    text = blank(filler.form, ["Ann", "Bo Li"])
    assert set(filled(filler, text)[1].marks.values()) == {"Ann", "Bo Li"}
    assert "\n  Bo Li: {apples: ., plums: .}\n" in text
    assert '\n  - ". . ."\n  - ". . ."\n' in text
