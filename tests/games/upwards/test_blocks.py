"""Compares block shapes with the referee, and the best blocks with brute force."""

import random
from itertools import product

import pytest

from generator.games.upwards import play as blocks
from tests.games.upwards import referee
from tests.trials import seeds


def test_shapes_in_every_orientation(known):
    assert {shape.name: shape.orientations for shape in known.shapes} == {
        name: referee.lies_as(name) for name in referee.SHAPES
    }
    assert {shape.name: shape.points for shape in known.shapes} == {
        name: points for name, (points, _) in referee.SHAPES.items()
    }
    assert [len(shape.orientations) for shape in known.shapes] == [2, 4, 2, 1, 4, 8, 4, 8, 4]


def test_a_shape_that_is_not_turned_or_mirrored():
    drawn = ("XX".replace("X", "#"), "#.", "#.")
    assert len(blocks.shape("l", 5, drawn, turned=False, mirrored=False).orientations) == 1
    assert len(blocks.shape("l", 5, drawn, turned=True, mirrored=False).orientations) == 4
    assert len(blocks.shape("l", 5, drawn, turned=False).orientations) == 2


@seeds(60)
def test_the_best_blocks_of_small_grids(seed, known):
    rng = random.Random(seed)
    cells = list(product(range(4), range(rng.choice([2, 3, 8]))))
    numbers = {2: 2, 3: 3, 8: 5}[len(cells) // 4]
    boxes = {cell: rng.randint(1, numbers) for cell in cells if rng.random() < 0.9}
    best = blocks.best_blocks(boxes, known.shapes)
    assert best.exact
    assert best.points == referee.best_blocks({cell: str(number) for cell, number in boxes.items()})
    assert_valid(best, boxes, known)


def assert_valid(best, boxes, known):
    shapes = [shape for shape, _ in best.blocks]
    assert len(set(shapes)) == len(shapes)
    assert best.points == sum(known.shape[name].points for name in shapes)
    covered = [box for _, block in best.blocks for box in block]
    assert len(set(covered)) == len(covered)
    for shape, block in best.blocks:
        assert len({boxes[box] for box in block}) == 1
        assert blocks.cornered(block) in referee.lies_as(shape)


@pytest.mark.parametrize("seed", range(8))
def test_full_grids_are_exact(seed, known):
    rng = random.Random(seed)
    numbers = rng.randint(1, 4)
    boxes = {cell: rng.randint(1, numbers) for cell in product(range(4), range(8)) if rng.random() < 0.95}
    best = blocks.best_blocks(boxes, known.shapes)
    assert best.exact
    assert_valid(best, boxes, known)


def test_one_number_everywhere(known):
    """32 boxes hold eight of the nine shapes, all but one of four boxes: 45 − 5 points."""
    best = blocks.best_blocks(dict.fromkeys(product(range(4), range(8)), 1), known.shapes)
    assert (best.points, best.exact, len(best.blocks)) == (40, True, 8)


def test_a_search_that_gives_up_is_not_exact(known, monkeypatch):
    monkeypatch.setattr(blocks, "MAX_POSITIONS", 20)
    boxes = dict.fromkeys([(0, 0), *product(range(4), range(1, 7)), (3, 7)], 1)
    best = blocks.best_blocks(boxes, known.shapes)
    assert not best.exact
    assert best.points > 0
    assert_valid(best, boxes, known)


def test_no_blocks(known):
    assert blocks.best_blocks({}, known.shapes) == blocks.BestBlocks(0, (), True)
    assert blocks.best_blocks({(0, 0): 1, (1, 0): 1}, known.shapes).points == 0
