"""Packing: every piece once, without overlap, on no more pages than a plain grid, and the same every time."""

from __future__ import annotations

import time
from itertools import combinations
from math import ceil

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.geometry.frame import Frame
from generator.geometry.outlines import Rect
from generator.pages.packing import pack

A4 = Rect(5, 5, 200, 287)


def pieces(*sizes):
    return [Frame(f"piece {number}", *size, ()) for number, size in enumerate(sizes, start=1)]


def boxes(page):
    for position in page:
        width, height = position.piece.width, position.piece.height
        if position.turn:
            width, height = height, width
        yield position.x, position.y, position.x + width, position.y + height


lengths = st.floats(5, 190)


@given(sizes=st.lists(st.tuples(lengths, lengths), min_size=1, max_size=25), gap=st.floats(0, 10))
@settings(max_examples=80, deadline=None)
def test_every_piece_is_placed_once_inside_the_area_without_overlap(sizes, gap):
    all_pieces = pieces(*sizes)
    pages = pack(all_pieces, A4, gap)
    assert sorted(position.piece.name for page in pages for position in page) == sorted(
        each.name for each in all_pieces
    )
    for page in pages:
        taken = list(boxes(page))
        assert all(
            left >= 5 - 1e-5 and top >= 5 - 1e-5 and right <= 205 + 1e-5 and bottom <= 292 + 1e-5
            for left, top, right, bottom in taken
        )
        for first, second in combinations(taken, 2):
            apart = max(first[0] - second[2], second[0] - first[2], first[1] - second[3], second[1] - first[3])
            assert apart >= gap - 1e-4
    area = sum((width + gap) * (height + gap) for width, height in sizes)
    assert len(pages) >= ceil(area / (210 * 297) - 1e-6)


@given(width=st.floats(15, 120), height=st.floats(15, 120), gap=st.floats(0, 8))
@settings(max_examples=60, deadline=None)
def test_pieces_of_one_size_are_packed_at_least_as_well_as_in_a_grid(width, height, gap):
    room = A4.width + gap, A4.height + gap
    sizes = (width + gap, height + gap), (height + gap, width + gap)
    most = max(int(room[0] // across) * int(room[1] // down) for across, down in sizes)
    assert len(pack(pieces(*[(width, height)] * most), A4, gap)) == 1


@pytest.mark.parametrize(
    ("sizes", "pages"),
    [
        ([(69, 48)] * 13, 1),
        ([(100, 287)] * 2, 1),
        ([(100, 287)] * 3, 2),
        ([(200, 140), (100, 140), (95, 140)], 1),
        ([(60, 200), (60, 200), (60, 200), (190, 60)], 1),
        ([(40, 40)] * 4 + [(200, 200)], 1),
        ([(200, 200)] * 2 + [(60, 80)] * 6, 2),
        ([], 0),
    ],
)
def test_pieces_of_several_sizes_share_pages_to_save_paper(sizes, pages):
    assert len(pack(pieces(*sizes), A4, 3 if len(sizes) > 5 else 0)) == pages


def test_a_piece_that_only_fits_when_turned_is_turned():
    ((position,),) = pack(pieces((280, 100)), A4, 3)
    assert (position.x, position.y, position.turn) == (5, 5, 90)


def test_the_same_pieces_are_packed_the_same_way():
    sizes = [(20 + i * 7 % 50, 30 + i * 13 % 60) for i in range(30)]
    assert pack(pieces(*sizes), A4, 3) == pack(pieces(*sizes), A4, 3)


def test_every_piece_that_does_not_fit_is_reported_with_sizes():
    with pytest.raises(InputError) as caught:
        pack(pieces((50, 50), (201, 290), (120, 288)), A4, 3)
    messages = [str(problem) for problem in caught.value.problems]
    assert len(messages) == 2
    assert messages[0].startswith("piece 2 does not fit: needs 201.0 × 290.0 mm, has 200.0 × 287.0 mm")
    assert messages[1].startswith("piece 3 ")


def test_many_copies_are_packed_quickly():
    start = time.process_time()
    all_pieces = pieces(*[(40.0, 60.0)] * 1_000, *[(30.0, 20.0)] * 500)
    pages = pack(all_pieces, Rect(0, 0, 200, 280), 2.0)
    assert len({position.piece.name for page in pages for position in page}) == sum(map(len, pages)) == 1_500
    assert time.process_time() - start < 3


def test_a_piece_as_large_as_the_area_fits():
    assert len(pack(pieces((200, 287)), A4, 3)[0]) == 1
