"""Large print: what grows, and by how much."""

from io import BytesIO
from types import SimpleNamespace

import pytest
from msgspec.structs import replace
from pypdf import PdfReader

from generator import games
from generator.booklet.booklet import COLUMN, LARGE_TYPE, _large_scale, _large_type
from generator.booklet.pages import SIZES
from generator.errors import InputError
from generator.geometry.frame import Frame, scaled, slots
from generator.geometry.outlines import Cut
from generator.model.print_settings import PrintSettings
from generator.model.values import Size
from generator.printing.game_faces import Sides, no_step
from generator.printing.press import Press
from generator.printing.variants import SCALE, card_scale, drawn_for, enlarges
from generator.reading.load import load
from generator.reading.sizes import paper


@pytest.fixture(scope="module")
def game():
    return load("upwards")


@pytest.fixture(scope="module")
def presses(game):
    return [Press(game, games.deal(game), PrintSettings(large_print=large)) for large in (False, True)]


@pytest.mark.parametrize(("name", "drawn"), [("a4", "a4"), ("letter", "letter"), ("a3", "a4"), ("a5", "a5")])
def test_what_fills_a_page_is_only_enlarged_on_large_paper(name, drawn):
    assert drawn_for(load("elevator_up").components["log"], paper(name)) == paper(drawn)


def test_what_fills_half_a_page_gets_a_whole_one(game, presses):
    part, a4 = game.components["sheet"], paper("a4")
    part = replace(part, definition=replace(part.definition, large=()))
    (usual, *_), (large, *_) = (press.sheet_pages(part, a4) for press in presses)
    assert len(usual.placed) == 2 and len(large.placed) == 1 and (large.width, large.height) == (210.0, 297.0)
    small, frame = usual.placed[0].frame, large.placed[0].frame
    factor = frame.width / small.width
    assert factor == pytest.approx(SCALE, abs=0.01) and len(frame.items) == len(small.items)
    for one, other in zip(slots(small.items), slots(frame.items), strict=True):
        assert (other.id, other.x, other.y) == (one.id, pytest.approx(one.x * factor), pytest.approx(one.y * factor))


def test_cards_grow_as_far_as_they_fit():
    game = load("elevator_up")
    part = game.components["cards"]
    assert card_scale(game, part, paper("a4")) == SCALE
    jumbo = replace(part, size=Size(150.0, 210.0))
    assert 1.05 < card_scale(game, jumbo, paper("a4")) < SCALE
    assert card_scale(game, replace(part, size=Size(190.0, 270.0)), paper("a4")) == 1
    assert not enlarges(game, game.components["box"], paper("a4"))


def test_copies_of_a_card_are_scaled_once():
    face = Frame("a card", 60.0, 90.0, (), 2.0, 3.0, Cut("rounded", 4.0))
    due = [(SimpleNamespace(name="cards"), SimpleNamespace(id="a"), "card")] * 2
    one, other = Sides(iter(due), lambda *_: face, no_step, 1.5)
    assert one is other and (one.width, one.bleed, one.cut) == (90.0, 3.0, Cut("rounded", 6.0))
    assert scaled(replace(face, cut=None), 2).cut is None


@pytest.mark.parametrize("name", ["a4", "letter", "a3", "a5"])
def test_rules_have_a_body_text_of_16_points(game, name):
    scale = _large_scale(paper(name))
    styles = _large_type(game.theme, scale).styles
    assert styles["book"].size * SIZES[0] * scale >= LARGE_TYPE - 1e-9
    assert styles["book-caption"].size / game.theme.styles["book-caption"].size >= 1
    assert COLUMN[0] * scale < paper(name).width and COLUMN[1] * scale < paper(name).height


def test_a_spread_lies_on_the_same_paper_on_its_side(game):
    press = Press(game, games.deal(game), PrintSettings(large_print=True))
    document = PdfReader(BytesIO(press.component("rules", paper("a4")).pdf))
    *singles, spread = sorted(tuple(map(float, page.mediabox[2:])) for page in document.pages)
    assert all(single == pytest.approx((595.3, 841.9), abs=0.1) for single in singles)
    assert spread[0] == pytest.approx(841.9, abs=0.1) and spread[1] <= 595.4


RINGS = {
    "game.yaml": """
title: Rings
players: 1-6
components:
  sheet: {kind: sheet, title: Sheet, sheet: sheet.yaml, face: sheet, proof: log, large: [sheet, log]}
""",
    "sheet.yaml": """
title: Sheet
fields:
  word: {kind: text, label: Word, length: 10}
  winner: {kind: choice, label: Winner, choices: ["1", "2", "3"]}
  total: {kind: number, label: Total, span: -20-99, length: 3}
  log: {kind: die, count: 3, label: Log}
score:
  - {label: total, sum: total}
""",
    "templates/sheet.xml.j2": """
{% extends "sheet_page.xml.j2" %}{% import "cells.xml.j2" as cells with context %}
{% block body %}<column gap="4">{{ cells.letters("word", 10) }}{{ cells.rings("winner", "123" | list) }}
{{ cells.digits("total", 3) }}</column>{% endblock %}
""",
    "templates/log.xml.j2": """
{% extends "sheet_page.xml.j2" %}{% import "cells.xml.j2" as cells with context %}
{% block body %}{% for n in (1, 2, 3) %}{{ cells.letters("log.%s" % n, 1) }}{% endfor %}{% endblock %}
""",
}


@pytest.fixture
def rings(tmp_path):
    for name, text in RINGS.items():
        path = tmp_path / "rings" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return load(str(tmp_path / "rings"))


def sheet_pages_of(game, **settings):
    press = Press(game, games.deal(game), PrintSettings(**settings))
    return press.sheet_pages(game.components["sheet"], paper("a4"))


def test_pads_leave_out_the_pages_of_proof(rings):
    assert len(sheet_pages_of(rings)) == 2
    assert len(sheet_pages_of(rings, copies=3)) == 3


def test_a_sheet_with_templates_for_large_print_is_laid_out_anew(rings):
    usual, large = sheet_pages_of(rings), sheet_pages_of(rings, large_print=True)
    assert [page.placed[0].frame.width for page in large] == [210.0, 210.0]
    boxes = [{slot.id: slot for page in pages for slot in page.placed[0].frame.slots()} for pages in (usual, large)]
    assert boxes[0].keys() == boxes[1].keys()
    assert boxes[0]["word"].boxes[0].width == pytest.approx(8)
    assert all(box.width > 11 for slot in boxes[1].values() for box in slot.boxes)
    sizes = {item.size for page in large for item in page.placed[0].frame.items if hasattr(item, "text")}
    assert min(sizes) >= 16 * 25.4 / 72 - 0.001


def test_marks_of_a_slot_must_be_marks_of_its_field(rings):
    sheet = rings.components["sheet"]
    part = replace(sheet, definition=replace(sheet.definition, face=("sheet", "log"), proof=()))
    text = RINGS["sheet.yaml"].replace('["1", "2", "3"]', '["1", "2"]')
    (rings.folder / "sheet.yaml").write_text(text, encoding="utf-8")
    game = load(str(rings.folder))
    with pytest.raises(InputError, match="has marks in its slot that differ from those of the field winner"):
        Press(game, games.deal(game)).sheet(replace(part, sheet=game.sheets["sheet"]), paper("a4"))
