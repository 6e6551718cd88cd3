"""An empty sheet of every kind is read as it is, with nothing on it."""

from io import BytesIO

import pytest

from generator import games, paths
from generator.errors import InputError
from generator.judging.blank_sheets import blank
from generator.judging.filler import sheet_filler
from generator.rules.answers import Judged
from generator.sheets import documents, read
from tests.judging.filling import game_of, orchard

GAMES = [*games.SHIPPED, str(paths.ROOT / "examples/lantern_walk")]
SHEETS = [(game, sheet) for game in GAMES for sheet in game_of(game).sheets]


def taken(game, sheet):
    return sheet_filler(game_of(game), sheet, "sheet.yaml")


def filled(taker, text):
    (node,) = documents(BytesIO(text.encode()), "sheet.yaml")
    return node, read(node, taker.form.game, taker.form.sheet, taker.form.reading)


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_nothing_is_on_it(game, sheet):
    taker = taken(game, sheet)
    node, found = filled(taker, blank(taker.form))
    assert (dict(found.marks), dict(found.entries), dict(found.extra)) == ({}, {}, {})
    if games.rules_of(taker.form.game.key):
        assert isinstance(taker.judge.answer(node, "sheet.yaml"), Judged)


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_only_the_names_are_on_it(game, sheet):
    taker = taken(game, sheet)
    names = ["O'Neil: 2", "Ann Lee"][: 1 if game == "upwards" else 2]
    _, found = filled(taker, blank(taker.form, names))
    assert list(found.marks.values()) == names


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_every_part_of_it_is_told(game, sheet):
    form = taken(game, sheet).form
    text = blank(form, ["Ann"])
    missing = [
        name
        for name in form.sheet.fields
        if not all(f"{part}" in text for part in name.split(".") if not part.isdigit())
    ]
    assert [name for name in missing if not name.startswith(("grid.", "option.", "blocks."))] == []
    assert [key for key in form.reading.extra if f"\n{key}:" not in text] == []
    assert max(map(len, text.splitlines())) <= 150


@pytest.mark.parametrize(
    ("game", "names", "said"),
    [
        ("upwards", ["Ann", "Ben"], "is for one player, but 2 names were given"),
        ("elevator_up", ["Ann", "ann"], "two players have the same name"),
        ("rolling_cubes", ["Ann", ""], "a player's name is missing"),
    ],
)
def test_names_that_it_cannot_take(game, names, said):
    with pytest.raises(InputError, match=said):
        blank(taken(game, None).form, names)


def test_fields_of_every_kind(tmp_path):
    taker = orchard(tmp_path)
    _, found = filled(taker, blank(taker.form))
    assert (dict(found.marks), dict(found.entries)) == ({}, {})
    text = blank(taker.form, ["Ann", "Bo Li"])
    assert set(filled(taker, text)[1].marks.values()) == {"Ann", "Bo Li"}
    assert "\n  Bo Li: {apples: ., plums: .}\n" in text
    assert '\n  - ". . ."\n  - ". . ."\n' in text
