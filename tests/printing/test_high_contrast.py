"""High contrast: other colours, and nothing else."""

import re

import pytest
from msgspec.structs import replace

from generator import games
from generator.geometry.frame import (
    Frame,
    Group,
    LinearGradient,
    Run,
    Shape,
    Slot,
    Stop,
)
from generator.geometry.outlines import ellipse, rect
from generator.model.print_settings import PrintSettings
from generator.printing.press import Press
from generator.printing.variants import LINE, TEXT, frame_with_contrast, least_contrast, lifted
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.contrasts import outlines, texts
from tests.frame_dumps import dump

WHITE = frozenset(("#ffffff",))


def text(words, colour, x=2.0, y=6.0):
    return Run(x, y, words, "regular", 4.0, colour, 16.0)


def frame(*items):
    return Frame("a face", 40.0, 20.0, items)


def contrasts(face, icons=()):
    return [round(least_contrast(seen.colour, seen.ground), 2) for seen in texts(face, icons)]


def test_a_colour_changes_no_more_than_it_must():
    assert lifted("#20262e", WHITE, TEXT) == "#20262e"
    grey = lifted("#8a8a8a", WHITE, TEXT)
    assert TEXT <= least_contrast(grey, WHITE) < TEXT + 0.6
    assert lifted("#8a8a8a80", frozenset(("#101010",)), TEXT).endswith("80")
    assert lifted("#777777", frozenset(("#777777",)), TEXT) == "#000000"


def test_grounds_are_what_is_painted_below_a_text():
    dark, half = Shape(rect(0, 0, 40, 20), "#101010"), Shape(rect(0, 0, 40, 10), "#ffffff80")
    hole = Group((Shape(rect(0, 0, 40, 20), "#ffffff"),), clip=ellipse(60, 0, 10, 10))
    (seen,) = texts(frame(dark, half, hole, text("Ann", "#000000")), ())
    assert seen.ground == {"#888888"}
    stops = (Stop(0.0, "#ffffff"), Stop(1.0, "#000000"))
    fade = Shape(rect(0, 0, 40, 20), LinearGradient(stops=stops, x1=0, y1=0, x2=40, y2=0))
    assert next(texts(frame(fade, text("Ben", "#000000")), ())).ground == {"#ffffff", "#000000"}


@pytest.mark.parametrize("ground", ["#ffffff", "#101010", "#c1492e", "#7f7f7f", "#f08a2c"])
def test_texts_can_be_read_on_any_ground(ground):
    face = frame(Shape(rect(0, 0, 40, 20), ground), text("Ann", "#888888"), text("Ben", "#ffffff", y=14.0))
    assert min(contrasts(frame_with_contrast(face, ()))) >= TEXT


def test_fields_are_outlined_and_decoration_stays():
    slot = Slot("a", 2.0, 2.0, 8.0, 8.0)
    faint = Shape(rect(20, 2, 8, 8), None, "#f0f0f0", 0.3)
    face = frame(Shape(rect(2, 2, 8, 8), "#ffffff", "#bbbbbb", 0.3), slot, faint)
    changed = frame_with_contrast(face, ())
    (edge,) = outlines(changed, ())
    assert least_contrast(edge.colour, edge.inside) >= LINE
    assert changed.items[1:] == (slot, faint)


@pytest.fixture(scope="module")
def game():
    return load("upwards")


def test_a_sheet_changes_only_its_colours(game):
    part = game.components["sheet"]
    plain, seen = (
        Press(game, games.deal(game), PrintSettings(high_contrast=high)).blank_corners(part, paper("a5"))[0]
        for high in (False, True)
    )
    icons = game.theme.icon_folders
    assert min(contrasts(plain, icons)) < TEXT <= min(contrasts(seen, icons))
    blind = [re.sub(r"#[0-9a-f]{6}", "#", dump(face)) for face in (plain, seen)]
    assert blind[0] == blind[1]


def test_the_theme_for_high_contrast_comes_first(game):
    own = replace(game.theme, colours={**game.theme.colours, "leaf": "#000033"})
    press = Press(replace(game, high_contrast=own), games.deal(game), PrintSettings(high_contrast=True))
    assert press.theme.colours["leaf"] == "#000033"
    assert all(least_contrast(press.theme.styles[name].colour, WHITE) >= TEXT for name in ("book", "book-caption"))
