"""The faces of docs/looks.md, and those of docs/specimens/looks compared with Chromium."""

import importlib.util

import pytest

from generator import games, paths
from generator.geometry.frame import ungrouped
from generator.model.print_settings import PrintSettings
from generator.printing.game_faces import GameFaces
from generator.reading.load import load

_SPEC = importlib.util.spec_from_file_location("looks", paths.ROOT / "docs/pictures/looks.py")
looks = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(looks)


@pytest.mark.parametrize("name", looks.names())
def test_a_look_prints_as_a_browser_shows_it(name):
    assert looks.difference(looks.printed(name), looks.reference(name)) < 0.015


@pytest.mark.parametrize(("name", "face"), looks.sections().items(), ids=looks.sections())
def test_the_faces_of_the_page_print(name, face):
    assert looks.drawn(face, name).getcolors(2) is None
    page = (looks.DOCS / "looks.md").read_text("utf-8")
    assert f"](pictures/{name}.png)" in page and (looks.DOCS / f"pictures/{name}.png").exists()


def test_the_theme_of_low_ink_repaints_names_of_css_and_gradients(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/card.xml.j2").write_text(
        '<face><stack grow="1" fill="navy"/><stack grow="1" fill="linear-gradient(gold, navy)"/>'
        '<text outline="navy"><span colour="gold">a</span></text></face>'
    )
    (tmp_path / "game.yaml").write_text(
        "{title: Pale, components: {cards: {kind: deck, title: Cards, cards: cards.yaml, face: card, safe: 0}}}"
    )
    (tmp_path / "cards.yaml").write_text("cards: [{id: a}]")
    (tmp_path / "low_ink.yaml").write_text('colours: {navy: "#ccccdd", gold: "#fffbe8"}')
    game = load(str(tmp_path))
    found = []
    for low_ink in (False, True):
        made = GameFaces(game, games.deal(game), PrintSettings(low_ink=low_ink))
        (frame,) = made.front_sides(made.part("cards"))
        first, second, outline, letters = ungrouped(frame.items)
        found.append([first.fill, *(stop.colour for stop in second.fill.stops), outline.colour, letters.colour])
    assert found == [
        ["#000080", "#ffd700", "#000080", "#000080", "#ffd700"],
        ["#ccccdd", "#fffbe8", "#ccccdd", "#ccccdd", "#fffbe8"],
    ]
