"""Every shipped score sheet has a registered layout and breaks no law of docs/fields.md."""

from __future__ import annotations

from functools import cache

import pytest

from generator.geometry.frame import Run, Shape, leaves
from generator.geometry.outlines import bounds
from generator.model.values import MM_PER_UNIT
from generator.pages import field_map
from generator.printing.press import sheet_paper
from generator.printing.variants import whole_paper
from generator.reading.load import load, shipped
from generator.reading.sizes import paper, papers
from tests.pages.laws import law_breaks
from tests.presses import press_of

game_of = cache(load)
REGISTERED = [name for name, paper in papers().items() if paper.registered]
SHEETS = [(key, name) for key in shipped() for name in game_of(key).sheets]


def printed(key, name, on):
    part = game_of(key).components[name]
    return press_of(key).sheet(part, sheet_paper(part, paper(on)))


def codes(frame):
    """The shapes at the positions of corner codes."""
    places = field_map.places(frame.width, frame.height)
    return [
        item
        for item in frame.items
        if isinstance(item, Shape)
        and item.fill == field_map.INK
        and any(
            bounds(item.path) == pytest.approx((place.x, place.y, place.right, place.bottom), abs=0.01)
            for place in places
        )
    ]


def skip_without_codes(frames):
    if not any(map(codes, frames)):
        pytest.skip("its corners hold no codes yet")


@pytest.mark.parametrize("on", REGISTERED)
@pytest.mark.parametrize(("key", "name"), SHEETS)
def test_a_sheet_breaks_no_law_is_registered_and_shows_its_id(key, name, on):
    game, frames = game_of(key), printed(key, name, on)
    skip_without_codes(frames)
    if on in ("a4", "letter"):
        assert law_breaks(frames, game.sheets[name]) == []
    number = field_map.layout_id(field_map.map_fields(frames, game.sheets[name], paper(on), game))
    for page, frame in enumerate(frames, start=1):
        assert codes(frame) == list(field_map.corner_codes(frame.width, frame.height, number, 0, page))


LARGE = [(key, name) for key, name in SHEETS if game_of(key).components[name].definition.large]


@pytest.mark.parametrize("on", ["a4", "letter"])
@pytest.mark.parametrize(("key", "name"), LARGE)
def test_a_sheet_in_large_print_has_large_boxes_and_letters(key, name, on):
    game, press = game_of(key), press_of(key)
    whole = whole_paper(game.components[name], paper(on))
    frames = press.blank_corners(game.components[name], whole, large=True)
    sides = [
        (slot.id, min(box.width, box.height))
        for frame in frames
        for slot in frame.slots()
        for box in slot.boxes or (slot.box,)
    ]
    assert [(name, side) for name, side in sides if side < 11 - 0.01] == []
    runs = [item for frame in frames for item, _ in leaves(frame.items) if isinstance(item, Run)]
    assert {run.text for run in runs if run.size < 16 * MM_PER_UNIT["pt"] - 0.01} == set()
    field_map.layout_id(field_map.map_fields(frames, game.sheets[name], whole, game))


def test_the_registry_lists_exactly_the_shipped_sheets():
    listed = {(entry.game, entry.sheet, entry.paper) for entry in field_map.registry().values()}
    if not listed:
        pytest.skip("no layout is registered yet")
    assert listed == {(*sheet, on) for sheet in SHEETS for on in REGISTERED}
