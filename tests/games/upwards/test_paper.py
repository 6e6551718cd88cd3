"""Printed components: two score sheets to a page, three number dice and the event die, the nine shapes."""

from collections import Counter
from itertools import pairwise

import pytest

from generator.geometry.frame import Shape
from generator.geometry.outlines import bounds
from generator.pages.assembly import fold
from generator.printing import pieces
from generator.printing.press import sheet_paper
from generator.reading.sizes import paper
from tests.frame_dumps import dump
from tests.presses import press_of, with_settings


@pytest.fixture(scope="module")
def press():
    return press_of("upwards")


def test_the_sheet_has_the_boxes_of_the_original(press):
    fields = press.game.sheets["sheet"].fields
    grid = [name for name in fields if name.startswith("grid.")]
    assert grid == [f"grid.{column}{row}" for row in range(8, 0, -1) for column in "abcd"]
    count = Counter(name.rpartition(".")[0] for name in fields)
    assert (count["reserve"], count["extra_reserve"], count["bonus_rows"]) == (5, 3, 8)
    assert count["claimed.columns"] == 4


def test_nine_shapes_of_one_box_less_than_their_points(press):
    shapes = press.game.rules["blocks"]["shapes"]
    sizes = {name: "".join(shape["boxes"]).count("#") for name, shape in shapes.items()}
    assert Counter(sizes.values()) == {3: 2, 4: 5, 5: 2}
    assert {name: shape["points"] for name, shape in shapes.items()} == {name: size + 1 for name, size in sizes.items()}


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_two_sheets_to_a_page_cut_in_the_middle(press, name):
    part = press.game.components["sheet"]
    pages = press.sheet_pages(part, paper(name))
    half = sheet_paper(part, paper(name))
    assert len(pages) == 7  # the sheet, and sixteen rounds
    for page in pages:
        first, second = page.placed
        assert (page.width, page.height) == (paper(name).height, paper(name).width)
        assert [(round(placed.x, 6), placed.y) for placed in page.placed] == [(0, 0), (round(page.width / 2, 6), 0)]
        assert (first.frame.width, first.frame.height) == (half.width, half.height)
        assert dump(first.frame) == dump(second.frame)


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_the_blocks_of_the_base_keep_apart(press, name):
    part = press.game.components["sheet"]
    frame, *_ = press.sheet(part, sheet_paper(part, paper(name)))
    red = press.game.theme.colours["edge-berry"]
    blocks = sorted(bounds(item.path) for item in frame.items if isinstance(item, Shape) and item.stroke == red)
    stones = [box for box in blocks if 13 < box[3] - box[1] < 15 and box[2] - box[0] > 10]
    assert len(stones) == 4
    assert all(after[0] - before[2] >= 0.7 for before, after in pairwise(stones))


def test_a_pad_of_five_takes_three_pages_and_numbers_each_sheet(press):
    pages = with_settings(press, copies=5).sheet_pages(press.game.components["sheet"], paper("a4"))
    assert [len(page.placed) for page in pages] == [2, 2, 1]
    assert len({dump(placed.frame) for page in pages for placed in page.placed}) == 5


def test_opposite_sides_of_the_number_dice_add_up_to_seven(press):
    """Folds the net in code and compares faces that end up opposite each other."""
    part = press.game.components["dice"]
    net = pieces.nets(press, part)[0]
    corners = fold(net)
    middles = {
        name: tuple(sum(axis) / len(points) for axis in zip(*points, strict=True))
        for name, points in corners.items()
        if name in "123456"
    }
    centre = tuple(sum(axis) / 6 for axis in zip(*middles.values(), strict=True))
    for name, point in middles.items():
        opposite = tuple(2 * c - p for c, p in zip(centre, point, strict=True))
        twin = min(middles, key=lambda other: sum((a - b) ** 2 for a, b in zip(middles[other], opposite, strict=True)))
        assert int(name) + int(twin) == 7


def test_three_number_dice_and_one_event_die(press):
    dice = press.game.components["dice"].cards
    assert [die.id for die in dice] == ["number"] * 3 + ["event"]
    assert set(dice[3].faces) == set(press.game.rules["event_die"]["faces"])
