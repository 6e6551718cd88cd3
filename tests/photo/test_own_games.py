"""Sheets of your own games that were printed before the game changed."""

import re

import pytest

from generator import games
from generator.errors import InputError
from generator.pages.field_map import layout_id
from generator.photo.pages import SeenPage, identify, possible_pages
from generator.printing.jobs import kept_layout, print_component
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper

GAME = "title: G\nplayers: 1\ncomponents: {pad: {kind: sheet, title: S, sheet: sheet.yaml, face: score_pad}}\n"


@pytest.fixture
def printed(tmp_path):
    """Prints a pad with these fields, and returns the game."""

    def make(fields):
        (tmp_path / "game.yaml").write_text(GAME)
        (tmp_path / "sheet.yaml").write_text(f"title: S\nfields: {{{fields}}}\n")
        game = load(str(tmp_path))
        print_component(Press(game, games.deal(game)), "pad", paper("a4"))
        return game

    return make


def _layout(game):
    (file,) = (game.folder / ".pencilbox" / "layouts").iterdir()
    return SeenPage(int(file.stem), 0, 1, ())


def test_a_sheet_is_read_by_the_layout_it_was_printed_with(printed):
    before = printed("a: {kind: number}")
    seen = _layout(before)
    after = printed("b: {kind: tick, count: 3}, a: {kind: number}")
    sheet = identify(seen, [after])
    assert [field.id for field in sheet.map.fields] == ["a"]
    assert layout_id(sheet.map) == seen.layout
    assert sheet.blank(1).gray.shape == (297 * 8, 210 * 8)


def test_a_sheet_with_fields_that_are_gone_is_refused(printed):
    seen = _layout(printed("a: {kind: number}, b: {kind: number}"))
    with pytest.raises(InputError, match="printed before G changed; the game no longer has field b"):
        identify(seen, [printed("a: {kind: number}")])


def test_a_damaged_layout_is_none(printed):
    game = printed("a: {kind: number}")
    seen = _layout(game)
    for file in (game.folder / ".pencilbox" / "layouts").iterdir():
        assert kept_layout(game, seen.layout)
        file.write_bytes(b"{")
    assert kept_layout(game, seen.layout) is None


def test_all_sheets_of_a_named_game_are_possible_if_the_codes_that_say_which_are_hidden(printed):
    game = printed("a: {kind: number}")
    sheets = [sheet for sheet, page in possible_pages(SeenPage(None, 0, 1, ()), [game]) if page == 1]
    assert {"a4", "letter"} <= {sheet.map.paper for sheet in sheets}
    with pytest.raises(InputError, match="name its game with --game"):
        possible_pages(SeenPage(None, 0, 1, ()))


def test_the_folder_of_a_sheet_is_named_if_it_is_near(printed, monkeypatch):
    game = printed("a: {kind: number}")
    for folder, named in ((game.folder, r"add --game \.$"), (game.folder.parent, f"add --game {game.folder.name}$")):
        monkeypatch.chdir(folder)
        with pytest.raises(InputError, match="of a game of your own") as raised:
            identify(_layout(game))
        assert re.search(named, raised.value.problems[0].hint)
