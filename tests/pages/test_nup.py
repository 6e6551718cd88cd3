"""Imposition: the number of cards on a page, their positions, and their crop marks."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.geometry.frame import Frame, Page, Placed, Shape
from generator.geometry.outlines import rect
from generator.pages.nup import FOLD_TICK, HALVES_TICK, deck_pages, halves_pages, sheet_pages
from generator.reading.sizes import Paper, paper, papers

POKER = (63.5, 88.9)
MODES = ("long", "short", "gutterfold", "none")


def cards(count, width=63.5, height=88.9, bleed=0.0, name="card"):
    return [Frame(f"{name} {n}", width, height, (), bleed) for n in range(count)]


def impose(fronts, on="a4", *, backs=None, gutter=0.0, duplex="long", margin=5.0):
    sheet = on if isinstance(on, Paper) else paper(on)
    return deck_pages(fronts, backs, sheet, gutter=gutter, duplex=duplex, margin=margin)


def box(placed: Placed):
    width, height = placed.box
    return placed.x, placed.y, placed.x + width, placed.y + height


def lines(shapes: tuple[Shape, ...]):
    """Marks that are not dashed, as (x1, y1, x2, y2)."""
    return [
        (*start[1:], *end[1:])
        for shape in shapes
        if not shape.dash
        for start, end in zip(shape.path[::2], shape.path[1::2], strict=True)
    ]


@pytest.mark.parametrize(
    ("on", "size", "margin", "count", "turn"),
    [
        ("a4", POKER, 5, 9, 0),
        ("letter", POKER, 5, 9, 0),
        ("letter", POKER, 8, 8, 90),
        ("a4", (63.5, 63.5), 5, 12, 0),
        ("letter", (63.5, 63.5), 12.7, 12, 0),
        ("a4", (88.9, 63.5), 5, 9, 90),
        ("a4", (148, 105), 0, 2, 0),
        ("a4", (120, 200), 5, 2, 90),
        ("a4", (200, 120), 5, 2, 0),
        ("a3", POKER, 5, 18, 90),
    ],
)
def test_cards_are_turned_only_if_more_fit(on, size, margin, count, turn):
    (page,) = impose(cards(count, *size), on, margin=margin)
    assert len(page.placed) == count
    assert {placed.turn for placed in page.placed} == {turn}
    assert len(impose(cards(count + 1, *size), on, margin=margin)) == 2


def test_the_block_is_centred_and_filled_row_by_row():
    (page,) = impose(cards(9), gutter=3)
    boxes = [box(placed) for placed in page.placed]
    assert boxes[0][:2] == pytest.approx((page.width - boxes[-1][2], page.height - boxes[-1][3]))
    assert [placed.frame.name for placed in page.placed[:4]] == ["card 0", "card 1", "card 2", "card 3"]
    assert boxes[1][0] - boxes[0][2] == pytest.approx(3)
    assert boxes[3][:2] == pytest.approx((boxes[0][0], boxes[0][3] + 3))


def test_a_size_that_fits_exactly_fits():
    (page,) = impose(cards(12, 63.5, 63.5), "letter", margin=12.7)
    assert box(page.placed[0])[:2] == pytest.approx((12.7, 12.7))


def test_a_card_larger_than_the_paper_is_refused_with_sizes():
    with pytest.raises(
        InputError,
        match=r"120\.0 × 290\.0 mm does not fit on a4.* needs 136\.0 × 306\.0 mm, "
        r"has 210\.0 × 297\.0 mm",
    ):
        impose(cards(1, 120, 290), margin=8)
    with pytest.raises(InputError, match="and its back it needs"):
        impose(cards(1, 120, 250), backs=cards(1, 120, 250), duplex="gutterfold")


@pytest.mark.parametrize("wrong", [{"gutter": -1}, {"margin": -1}])
def test_negative_lengths_are_refused(wrong):
    with pytest.raises(InputError, match="cannot be negative"):
        impose(cards(1), **wrong)


def test_no_cards_make_no_pages():
    assert impose([]) == []


# ---- fronts and backs


def test_backs_follow_their_fronts_and_the_last_page_may_be_short():
    pages = impose(cards(11), backs=cards(11, name="back"))
    assert [page.label for page in pages] == ["front 1", "back 1", "front 2", "back 2"]
    assert [len(page.placed) for page in pages] == [9, 9, 2, 2]
    assert [placed.frame.name for placed in pages[3].placed] == ["back 9", "back 10"]
    assert all(page.cut for page in pages)


def test_without_duplex_or_backs_only_fronts_are_printed():
    assert [p.label for p in impose(cards(11), backs=cards(11), duplex="none")] == ["front 1", "front 2"]
    assert [p.label for p in impose(cards(11), duplex="gutterfold")] == ["front 1", "front 2"]


def test_gutterfold_puts_fronts_and_backs_on_one_page():
    (page,) = impose(cards(3), backs=cards(3), duplex="gutterfold")
    assert len(page.placed) == 6
    assert page.label == "fold 1"
    (dashed,) = (shape for shape in page.marks if shape.dash)
    assert dashed.path[0][2] == dashed.path[1][2] == page.height / 2
    assert page.notes


def test_the_fold_is_placed_to_fit_the_most_cards():
    (page,) = impose(cards(4, 90, 70), backs=cards(4, 90, 70), duplex="gutterfold")
    assert len(page.placed) == 8
    (dashed,) = (shape for shape in page.marks if shape.dash)
    assert dashed.path[0][1] == dashed.path[1][1] == page.width / 2


@pytest.mark.parametrize("on", ["a4", Paper("a4 landscape", 297, 210, 4.2)])
@pytest.mark.parametrize("size", [POKER, POKER[::-1]])
@pytest.mark.parametrize("duplex", ["long", "short"])
def test_backs_are_mirrored_about_the_flip_edge(on, size, duplex):
    front, back = impose(cards(2, *size, bleed=1.5), on, backs=cards(2, *size), duplex=duplex, gutter=1)
    upright_edge = (duplex == "long") == (front.height > front.width)
    for this, other in zip(front.placed, back.placed, strict=True):
        left, top, right, bottom = box(this)
        expected = (
            (front.width - right, top, front.width - left, bottom)
            if upright_edge
            else (left, front.height - bottom, right, front.height - top)
        )
        assert box(other) == pytest.approx(expected)
        assert other.clip == pytest.approx([this.clip[i] for i in ((2, 1, 0, 3) if upright_edge else (0, 3, 2, 1))])


# ---- bleed


def test_bleed_ends_in_the_middle_of_the_gutter_and_is_full_outside():
    (page,) = impose(cards(5, bleed=2), gutter=1)
    first, second, _, fourth, fifth = page.placed
    assert first.clip == (2, 2, 0.5, 0.5)
    assert second.clip == (0.5, 2, 0.5, 0.5)
    assert fourth.clip == (2, 0.5, 0.5, 2)
    assert fifth.clip == (0.5, 0.5, 2, 2), "beside and below it are empty cells"


def test_bleed_stays_within_the_printable_area():
    assert len(impose(cards(9, bleed=2), "letter", margin=0)[0].placed) == 9
    assert len(impose(cards(9, bleed=3), "letter", margin=0)[0].placed) == 8


# ---- crop marks


@pytest.mark.parametrize("on", ["a4", "letter", Paper("wide", 297, 210, 4.2)])
@pytest.mark.parametrize(("count", "gutter", "bleed"), [(9, 0, 0), (7, 4, 2), (1, 0, 3)])
def test_marks_point_at_every_trim_edge_and_touch_nothing(on, count, gutter, bleed):
    for duplex in MODES:
        sides = cards(count, bleed=bleed), cards(count, bleed=bleed, name="back")
        for page in impose(sides[0], on, backs=sides[1], duplex=duplex, gutter=gutter):
            edges = [box(placed) for placed in page.placed if placed.frame.name.startswith("card")]
            for x1, y1, x2, y2 in lines(page.marks):
                assert x1 == x2 or y1 == y2
                trims = {
                    round(value, 3)
                    for each in edges
                    for value in ((each[0], each[2]) if x1 == x2 else (each[1], each[3]))
                }
                assert round(x1 if x1 == x2 else y1, 3) in trims
                length = abs(x1 - x2) + abs(y1 - y2)
                assert length >= 1
                assert page.width - 4.2 >= max(x1, x2) > min(x1, x2) - 1e-6 >= 4.2 - 2e-6 or x1 == x2
                assert page.height - 4.2 >= max(y1, y2) - 1e-6 and min(y1, y2) >= 4.2 - 1e-6
                distance = min(_distance((x1, y1, x2, y2), placed) for placed in page.placed)
                assert distance >= 0.8 - 1e-6
                assert length >= 3 - 1e-6 or distance < 1 or count % 2, "ticks are beside cards, or an empty place"


def _distance(line, placed: Placed) -> float:
    """The distance from a mark to the trim of a card: the longer one of those along x and y."""
    left, top, right, bottom = box(placed)
    sideways = max(left - max(line[0], line[2]), min(line[0], line[2]) - right)
    endways = max(top - max(line[1], line[3]), min(line[1], line[3]) - bottom)
    return max(sideways, endways)


def test_both_sides_of_a_gutter_are_marked_and_a_shared_edge_once():
    (apart,) = impose(cards(9), gutter=3)
    (joined,) = impose(cards(9))
    assert [len(_columns(page)) for page in (apart, joined)] == [6, 4]


def _columns(page: Page) -> set[float]:
    return {line[0] for line in lines(page.marks) if line[0] == line[2]}


def test_marks_of_at_least_3_mm_lie_beyond_the_bleed_and_shorter_ones_on_it():
    assert _row_lengths(impose(cards(9), "letter")[0]) == {5.7}, "they end 5 mm from the edge"
    assert _row_lengths(impose(cards(9, bleed=2))[0]) == {3}, "3.55 mm between the bleed and the unprintable edge"
    ticks = impose(cards(9, bleed=3))[0]
    assert _row_lengths(ticks) == {4.75}, "from 0.8 mm outside the trim to the unprintable edge"
    black, white = (_strokes(ticks, colour) for colour in ("#000000", "#ffffff"))
    assert {line for line in black if line[1] == line[3]} == white, "a white line below each tick shows it on any art"


def _strokes(page: Page, colour: str) -> set[tuple[float, ...]]:
    return {line for shape in page.marks if shape.stroke == colour for line in lines((shape,))}


def test_ticks_lie_in_gutters_as_well_and_marks_do_not():
    (page,) = impose(cards(9, 64, 62, bleed=2), "letter", gutter=3)
    across = {(round(x1, 1), round(x2, 1)) for x1, y1, x2, y2 in _strokes(page, "#ffffff") if y1 == y2}
    assert across == {(8.1, 4.2), (73.8, 75.2), (140.8, 142.1), (207.8, 211.7)}
    assert {round(abs(y1 - y2), 6) for x1, y1, x2, y2 in lines(page.marks) if x1 == x2} == {3, 6}, "above and below"


def test_every_cut_has_marks_that_are_printed_at_both_ends():
    """On every paper, for the cards of shipped games and common sizes."""
    for sheet in papers().values():
        for size in (POKER, (63, 88), (63.5, 63.5), (44, 63), (57.15, 88.9), (70, 120.65)):
            for faces in cards(40, *size, bleed=2), banded(40, width=size[0], height=size[1]):
                try:
                    page = impose(faces, sheet, gutter=None, margin=4.2)[0]
                except InputError:
                    continue
                inner = 4.2 - 1e-6, 4.2 - 1e-6, sheet.width - 4.2 + 1e-6, sheet.height - 4.2 + 1e-6
                printed: dict[tuple[bool, float], list[float]] = {}
                for x1, y1, x2, y2 in lines(page.marks):
                    assert inner[0] <= min(x1, x2) <= max(x1, x2) <= inner[2]
                    assert inner[1] <= min(y1, y2) <= max(y1, y2) <= inner[3]
                    upright = x1 == x2
                    printed.setdefault((upright, round(x1 if upright else y1, 3)), []).append(y1 if upright else x1)
                for placed in page.placed:
                    left, top, right, bottom = box(placed)
                    for upright, at, ends in (
                        (True, left, (top, bottom)),
                        (True, right, (top, bottom)),
                        (False, top, (left, right)),
                        (False, bottom, (left, right)),
                    ):
                        marks = printed[upright, round(at, 3)]
                        assert min(marks) < ends[0] and max(marks) > ends[1], (sheet, size)


def test_marks_run_to_the_edge_of_the_page_if_nothing_else_is_left():
    (page,) = impose(cards(2, 200, 120))
    assert {round(min(line[0], line[2]), 6) for line in lines(page.marks) if line[1] == line[3]} == {0, 205.8}
    (page,) = impose(cards(9), Paper("narrow", 190.6, 297, 0), margin=0)
    assert not _row_lengths(page)
    assert _columns(page)


def _row_lengths(page: Page) -> set[float]:
    return {round(abs(line[2] - line[0]), 6) for line in lines(page.marks) if line[1] == line[3]}


def test_only_fronts_have_marks():
    front, back = impose(cards(9), backs=cards(9))
    assert front.marks
    assert not back.marks


# ---- gutters of their own, turned rows and borders


def banded(count, band="#503010", width=63.5, height=88.9):
    """Cards with a band at the foot, which have unlike edges above each other only."""
    ground = Shape(rect(-2, -2, width + 4, height + 4), "#ffffee")
    return [
        Frame(f"card {n}", width, height, (ground, Shape(rect(-2, height - 20, width + 4, 22), band)), 2.0, 3.0)
        for n in range(count)
    ]


def test_cards_with_unlike_edges_get_gutters_if_as_many_fit():
    (alike,) = impose(cards(9, bleed=2), gutter=None)
    (unlike,) = impose(banded(9), gutter=None)
    assert [_gaps(page) for page in (alike, unlike)] == [({0.0}, {0.0}), ({0.0}, {4.0})]
    (tight,) = impose(banded(12, height=68), gutter=None)
    assert _gaps(tight) == ({0.0}, {2.2}), "narrower, so that marks have 3 mm beyond the bleed"
    assert {round(placed.clip[3], 6) for placed in tight.placed[:9]} == {1.1}


def _gaps(page: Page) -> tuple[set[float], set[float]]:
    boxes = [box(placed) for placed in page.placed]
    across = {round(b[0] - a[2], 3) for a, b in pairwise(boxes) if a[1] == b[1]}
    columns = [[each for each in boxes if each[0] == first[0]] for first in boxes]
    return across, {round(b[1] - a[3], 3) for column in columns for a, b in pairwise(column)}


@pytest.mark.parametrize("duplex", MODES)
def test_otherwise_rows_are_turned_so_that_like_edges_meet(duplex):
    pages = impose(banded(8), "letter", backs=banded(8), gutter=None, duplex=duplex, margin=4.2)
    if duplex == "gutterfold":
        assert {placed.turn for placed in pages[0].placed[:4]} == {90}, "with a gutter"
        return
    turns = [0] * 3 + [180] * 3 + [0] * 2
    assert [placed.turn for placed in pages[0].placed] == turns
    assert _gaps(pages[0]) == ({0.0}, {0.0})
    for page in pages[1:]:
        assert [placed.turn for placed in page.placed] == (turns if duplex == "long" else [180 - t for t in turns])
    assert not any(shape.even_odd for page in pages for shape in page.marks)


def test_or_else_all_get_a_border_in_their_most_common_colour():
    fronts = [banded(1, f"#{n}01080")[0] for n in range(9)]
    front, back = impose(fronts, "letter", backs=cards(9, bleed=2), gutter=None, margin=4.2)
    for page, colour in ((front, "#ffffee"), (back, "#ffffff")):
        borders = [shape for shape in page.marks if shape.even_odd]
        assert len(borders) == 9, "one for each: where they overlap, both are seen"
        assert {shape.fill for shape in borders} == {colour}
    assert _gaps(front) == ({0.0}, {0.0})
    (free,) = impose(fronts, "a4", gutter=None)
    assert not any(shape.even_odd for shape in free.marks)


# ---- laws

lengths = st.floats(20, 120)


@given(
    width=lengths,
    height=lengths,
    count=st.integers(1, 30),
    gutter=st.floats(0, 8),
    bleed=st.floats(0, 4),
    margin=st.floats(0, 15),
    duplex=st.sampled_from(MODES),
    on=st.sampled_from(["a4", "letter"]),
)
def test_every_card_is_placed_once_without_overlap(width, height, count, gutter, bleed, margin, duplex, on):
    try:
        pages = impose(
            cards(count, width, height, bleed),
            on,
            backs=cards(count, width, height, bleed, "back"),
            gutter=gutter,
            duplex=duplex,
            margin=margin,
        )
    except InputError:
        assume(False)
    names = [placed.frame.name for page in pages for placed in page.placed]
    assert sorted(names) == sorted(
        [f"card {n}" for n in range(count)] + ([f"back {n}" for n in range(count)] if duplex != "none" else [])
    )
    for page in pages:
        boxes = sorted(box(placed) for placed in page.placed)
        assert all(
            left >= margin - 1e-6
            and top >= margin - 1e-6
            and right <= page.width - margin + 1e-6
            and bottom <= page.height - margin + 1e-6
            for left, top, right, bottom in boxes
        )
        for i, first in enumerate(boxes):
            assert not any(
                first[2] - 1e-6 > second[0] and first[3] - 1e-6 > second[1] and second[3] - 1e-6 > first[1]
                for second in boxes[i + 1 :]
            )


@given(width=lengths, height=lengths, gutter=st.floats(0, 8), margin=st.floats(4.2, 15))
def test_no_other_grid_fits_more_cards(width, height, gutter, margin):
    def row(room: float, length: float) -> int:
        count = 0
        while (count + 1) * length + count * gutter <= room + 1e-6:
            count += 1
        return count

    room, depth = 210 - 2 * margin, 297 - 2 * margin
    most = max(row(room, width) * row(depth, height), row(room, height) * row(depth, width))
    assume(most > 0)
    assert len(impose(cards(most, width, height), margin=margin, gutter=gutter)[0].placed) == most


# ---- score sheets


def test_each_sheet_is_centred_on_a_page():
    first, second = sheet_pages(cards(2, 194, 281), paper("a4"))
    assert [box(placed) for placed in first.placed] == [pytest.approx((8, 8, 202, 289))]
    assert [first.label, second.label] == ["sheet 1", "sheet 2"]
    assert not first.cut
    assert not first.marks


def test_a_wide_sheet_is_printed_on_landscape_paper():
    (page,) = sheet_pages(cards(1, 260, 180), paper("letter"))
    assert (page.width, page.height) == pytest.approx((279.4, 215.9))
    assert page.placed[0].turn == 0


def test_a_sheet_as_large_as_the_paper_fits_and_a_larger_one_does_not():
    assert sheet_pages(cards(1, 210, 297), paper("a4"))
    with pytest.raises(InputError, match=r"needs 210\.0 × 297\.0 mm, has 215\.9 × 279\.4 mm"):
        sheet_pages(cards(1, 210, 297), paper("letter"))


def test_pages_of_different_sheets_keep_their_order():
    names = [page.placed[0].frame.name for page in sheet_pages(cards(4, 100, 100), paper("a4"))]
    assert all(before < after for before, after in pairwise(names))


@pytest.mark.parametrize("tick", [HALVES_TICK, FOLD_TICK])
def test_halves_have_ticks_between_them_short_ones_where_they_are_folded(tick):
    (page,) = halves_pages(cards(2, 140, 200), paper("a4"), tick)
    ticks = {(x1, x2, round(y2 - y1, 3)) for x1, y1, x2, y2 in lines(page.marks)}
    assert ticks == {(148.5, 148.5, tick)}
