"""Pages of nets and loose pieces as printed: every face is on its panel, the right way round."""

from __future__ import annotations

from math import dist

import pypdfium2
import pytest
from msgspec.structs import replace

from generator import paths
from generator.errors import InputError
from generator.geometry import outlines
from generator.geometry.frame import Frame, Shape
from generator.model.game import Theme
from generator.pages.nets import box_net, box_panels, cube_net, pawn_net
from generator.pages.packing import net_pages
from generator.pdf import Info, write
from generator.reading.sizes import Paper, paper

THEME = Theme(
    {}, {face.lower(): paths.SHARED_DATA / "fonts" / f"Lato-{face}.ttf" for face in ("Regular", "Bold")}, {}, ()
)
SCALE = 4
COLOURS = ["#e06060", "#60e060", "#6060e0", "#e0e060", "#60e0e0", "#e060e0"]


def face(name, width, height, colour):
    """A face of one colour with a dark square in its top left quarter."""
    return Frame(
        name,
        width,
        height,
        (
            Shape(outlines.rect(-2, -2, width + 4, height + 4), colour),
            Shape(outlines.rect(width * 0.15, height * 0.15, width * 0.2, height * 0.2), "#101010"),
        ),
        bleed=2,
    )


def die(size=16.0):
    return cube_net(size, [face(str(n), size, size, colour) for n, colour in enumerate(COLOURS, start=1)], name="die")


def tuck_box():
    sizes = box_panels("tuck", (64, 90, 16))
    return box_net(
        "tuck",
        (64, 90, 16),
        {name: face(name, *sizes[name], colour) for name, colour in zip(sizes, COLOURS, strict=True)},
    )


def pictures(pages):
    document = pypdfium2.PdfDocument(write(pages, THEME, info=Info(title="nets")))
    try:
        return [page.render(scale=SCALE * 25.4 / 72).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def rgb(colour):
    return tuple(int(colour[i : i + 2], 16) for i in (1, 3, 5))


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_every_face_is_printed_on_its_panel_the_right_way_round(name):
    pages = net_pages([die() for _ in range(13)] + [tuck_box()], paper(name), 5, 3)
    turns = set()
    for page, picture in zip(pages, pictures(pages), strict=True):
        for placed in page.placed:
            turns.add(placed.turn)
            colour, (width, height) = rgb(placed.frame.items[0].fill), placed.box
            spots = {0: (0.25, 0.25), 90: (0.75, 0.25), 180: (0.75, 0.75), 270: (0.25, 0.75)}
            for turn, (across, down) in spots.items():
                pixel = picture.getpixel(
                    (round((placed.x + across * width) * SCALE), round((placed.y + down * height) * SCALE))
                )
                assert pixel == ((16, 16, 16) if turn == placed.turn else colour)
    assert {0, 90, 180} <= turns


def test_no_face_bleeds_onto_another_however_its_net_is_turned():
    (page,) = net_pages([die() for _ in range(13)], paper("a4"), 5, 3)
    assert {placed.turn for placed in page.placed} == {0, 90}
    boxes = [(placed.x, placed.y, placed.x + placed.box[0], placed.y + placed.box[1]) for placed in page.placed]
    for placed, (left, top, right, bottom) in zip(page.placed, boxes, strict=True):
        over = left - placed.clip[0], top - placed.clip[1], right + placed.clip[2], bottom + placed.clip[3]
        touched = [
            other
            for other in boxes
            if over[0] < other[2] - 1e-6
            and other[0] < over[2] - 1e-6
            and over[1] < other[3] - 1e-6
            and other[1] < over[3] - 1e-6
        ]
        assert touched == [(left, top, right, bottom)]


def test_lines_move_with_their_net():
    """Each cut line of a page begins and ends on the rim of a net: beside a face or a tab."""
    pages = net_pages([die(), tuck_box(), die()], paper("a4"), 5, 3)
    (page,) = pages
    lefts, rights = min(placed.x for placed in page.placed), max(placed.x + placed.box[0] for placed in page.placed)
    for shape in page.marks:
        left, top, right, bottom = outlines.bounds(shape.path)
        assert min(left, top) >= 5 - 2
        assert right <= 205 + 2
        assert bottom <= 292 + 2
    assert not any(shape.dash for shape in page.marks), "all panels have faces or are glued to one"
    scored = [shape for shape in page.marks if {round(length, 3) for length in _lengths(shape)} == {1.2}]
    assert len(scored) == 2 * 3
    for shape in scored:
        left, _, right, _ = outlines.bounds(shape.path)
        assert lefts - 20 <= left < right <= rights + 20
    edges = {round(value, 3) for placed in page.placed for value in (placed.x, placed.x + placed.box[0])}
    upright = {
        round(float(segment[1]), 3)
        for shape in scored
        for segment, after in zip(shape.path[::2], shape.path[1::2], strict=True)
        if abs(segment[1] - after[1]) < 1e-6
    }
    assert upright <= edges | {round(edge + shift, 3) for edge in edges for shift in (0.6, -0.6)}


def _lengths(shape):
    ends = list(zip(shape.path[::2], shape.path[1::2], strict=False))
    return [abs(b[1] - a[1]) + abs(b[2] - a[2]) for a, b in ends if (a[0], b[0]) == ("M", "L")]


def test_turned_nets_are_the_same_nets():
    """Turning a net does not change its ink: it is turned on narrow paper but not on wide paper."""
    (narrow,) = net_pages([die()], paper("a4"), 72, 3)
    (wide,) = net_pages([die()], paper("a4"), 10, 3)
    assert {placed.turn for placed in narrow.placed} == {90}
    assert {placed.turn for placed in wide.placed} == {0}
    dark = []
    for page in (narrow, wide):
        (picture,) = pictures([replace(page, notes=())])
        dark.append(sum(255 - value for value in picture.convert("L").tobytes()))
    assert dark[0] == pytest.approx(dark[1], rel=0.03)


def test_loose_pieces_are_packed_with_nets_and_have_a_cut_line():
    token = face("token", 22, 22, COLOURS[0])
    pages = net_pages(
        [die(), *[token] * 4, pawn_net(face("front", 20, 34, COLOURS[1]), face("back", 20, 34, COLOURS[2]), 14)],
        paper("a4"),
        5,
        3,
    )
    (page,) = pages
    tokens = [placed for placed in page.placed if placed.frame is token]
    assert len(tokens) == 4
    outlines_ = {tuple(round(v, 3) for v in outlines.bounds(shape.path)) for shape in page.marks}
    for placed in tokens:
        assert tuple(round(v, 3) for v in (placed.x, placed.y, placed.x + 22, placed.y + 22)) in outlines_
        assert placed.clip == (1.5,) * 4, "its bleed goes half of the way to its neighbour"


def test_the_legend_explains_the_lines_on_the_page():
    def legend(*pieces):
        (page,) = net_pages(pieces, paper("a4"), 5, 3)
        note = page.notes[0]
        assert note.y + note.frame.height <= 297 - 4.2
        return note.frame.items[0].text

    assert legend(die()) == "Cut along the solid lines, score from corner to corner, between ticks and along dashes.", (
        "the pictures show how to fold and glue"
    )
    assert legend(face("token", 20, 20, COLOURS[0])) == "Cut along the solid lines."


def test_a_net_larger_than_the_paper_is_refused_with_sizes():
    faces = [Frame(str(n), 60, 60, ()) for n in range(6)]
    with pytest.raises(InputError, match=r"die does not fit: needs 248\.0 × 180\.0 mm, has 150\.0 × 205\.5 mm"):
        net_pages([cube_net(60, faces, name="die")], Paper("a5", 160, 220, 4.2), 5, 3)


@pytest.mark.parametrize("name", ["a4", "letter"])
@pytest.mark.parametrize(
    ("pieces", "count"),
    [([die(), tuck_box()], 2), ([die() for _ in range(14)], 1), ([face("token", 20, 20, "#ff0000")], 0)],
)
def test_pictures_show_how_to_assemble_each_kind_of_net(name, pieces, count):
    pages = net_pages(pieces, paper(name), 5, 3)
    shown = [note for page in pages for note in page.notes if note.frame.name.startswith("assembly")]
    assert len({note.frame.name for note in shown}) == len(shown) == count
    for page in pages:
        for note in page.notes[1:]:
            right, bottom = note.x + note.frame.width, note.y + note.frame.height
            assert note.frame.width >= 25
            assert min(note.x, note.y, page.width - right, page.height - bottom) >= 4.2
            for placed in page.placed:
                (width, height), gap = placed.box, 3
                assert (
                    right + gap <= placed.x
                    or placed.x + width + gap <= note.x
                    or bottom + gap <= placed.y
                    or placed.y + height + gap <= note.y
                )


def test_nets_stand_midway_between_the_top_and_the_pictures_below_them():
    (page,) = net_pages([die(18) for _ in range(6)], paper("a4"), 5, 3)
    _, pictures = page.notes
    tops, bottoms = zip(*((placed.y, placed.y + placed.frame.height) for placed in page.placed), strict=True)
    flap = 4.5
    assert min(tops) - 5 == pytest.approx(pictures.y - max(bottoms), abs=flap)


def test_pictures_are_nearest_to_their_net():
    (page,) = net_pages([tuck_box(), *(die() for _ in range(3))], paper("a4"), 5, 3)
    for note in page.notes[1:]:
        x, y = note.x + note.frame.width / 2, note.y + note.frame.height / 2
        nearest = min(page.placed, key=lambda placed: dist((x, y), (placed.x, placed.y)))
        assert (note.frame.name == "assembly of die") == nearest.frame.name.isdigit()
