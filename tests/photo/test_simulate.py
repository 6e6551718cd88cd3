"""The simulator of photos is repeatable and knows where everything is."""

from __future__ import annotations

import numpy as np
import pytest

from tests.photo.filled import SHEETS, filled_in
from tests.photo.simulate import Shot, photo_of, printed, random_marks


@pytest.fixture(scope="module")
def shot() -> Shot:
    marks = random_marks("elevator_up", "tally", np.random.default_rng(5))
    return photo_of("elevator_up", "tally", marks, seed=5, kind="medium", size=(1000, 800))


def test_a_seed_gives_one_photo(shot):
    again = photo_of("elevator_up", "tally", shot.marks, seed=5, kind="medium", size=(1000, 800))
    assert again.jpeg == shot.jpeg


def test_points_lead_to_the_photo_and_back(shot):
    points = np.random.default_rng(1).uniform((0, 0), (210, 297), (50, 2))
    part = shot.parts[0]
    assert part.camera.on_sheet(part.to_photo(points), part.surface) == pytest.approx(points, abs=0.01)


def test_what_was_written_is_where_its_field_is(shot):
    ink, part = np.asarray(shot.ink_layer), shot.parts[0]
    assert part.written
    for field in part.map.fields:
        x, y, width, height = (round(length * part.scale) for length in field.slot.box)
        has_ink = (ink[y : y + height, x : x + width] > 100).sum() > 5
        assert has_ink == any(name == field.id for name, _ in part.written), field.id


@pytest.mark.parametrize(("game", "sheet"), SHEETS)
def test_players_fill_in_fields_that_are_on_paper(game, sheet):
    fields = {field.id for field in printed(game, sheet).map.fields}
    filled = filled_in(game, sheet, seed=1)
    assert filled.marks
    assert set(filled.marks) <= fields
    assert {name for group in (*filled.lines, *filled.outlines) for name in group} <= fields
