"""Fills and pictures that reach the trim extend to the bleed edge; outlines and slots do not."""

from __future__ import annotations

import PIL.Image
import pytest

from generator.art.bitmaps import SUPPORTED
from generator.faces import kinds
from generator.geometry import outlines
from generator.geometry.frame import Image, Shape

A, B = "#00000a", "#00000b"


@pytest.fixture
def picture(tmp_path):
    """A PNG of 200 × 100 pixels."""
    path = tmp_path / "art.png"
    PIL.Image.new("1", (200, 100)).save(path)
    return str(path)


def images(frame):
    return [
        (round(i.x, 3), round(i.y, 3), round(i.width, 3), round(i.height, 3), i.clip, i.flip)
        for i in frame.items
        if isinstance(i, Image)
    ]


def test_a_face_is_filled_to_the_bleed_edge(lay, filled):
    assert filled(lay(fill=A, bleed=3)) == {A: (-3, -3, 66, 86)}


def test_only_edges_on_the_trim_extend_into_the_bleed(el, lay, filled):
    frame = lay(el("row", height=9, fill=A), el("row", grow=1, fill=B, width=20), bleed=3)
    assert filled(frame) == {A: (-3, -3, 66, 12), B: (-3, 9, 23, 74)}


def test_boxes_inside_the_trim_are_unchanged(el, lay, filled):
    assert filled(lay(el("row", height=9, fill=A), padding=2, bleed=3)) == {A: (2, 2, 56, 9)}


def test_a_box_can_stay_out_of_the_bleed(el, lay, filled):
    assert filled(lay(el("row", height=9, fill=A, bleed=False), bleed=3)) == {A: (0, 0, 60, 9)}


def test_the_outline_stays_on_the_trim(lay):
    fill, outline = lay(fill=A, stroke=B, bleed=3).items
    assert (fill.fill, fill.stroke, outlines.bounds(fill.path)) == (A, None, (-3, -3, 63, 83))
    assert (outline.fill, outline.stroke, outlines.bounds(outline.path)) == (None, B, (0, 0, 60, 80))


def test_corners_beyond_the_trim_are_square(el, lay):
    """A band along the top: its upper corners are cut off, its lower ones keep their radius on the trim's sides."""
    (shape,) = lay(el("row", height=9, width=40, fill=A, radius=2), bleed=3).items
    assert shape.path[0] == ("M", -3, -3)
    assert [segment[-2:] for segment in shape.path if segment[0] == "C"] == [(38, 9)]


def test_turned_boxes_keep_their_own_corners(el, lay):
    """The top left corner of a box turned by 90 is the top right one of the face."""
    (shape,) = lay(el("stack", el("stack", radius=(2, 0, 0, 0), fill=A), turn=90, grow=1)).items
    assert [segment[-2:] for segment in shape.path if segment[0] == "C"] == [(60, 2)]


def test_fills_of_turned_boxes_extend_into_the_bleed(el, lay, filled):
    assert filled(lay(el("column", el("row", height=5, fill=A), turn=180, grow=1), bleed=3)) == {A: (-3, 75, 66, 8)}


def test_a_picture_on_the_trim_continues_mirrored(el, lay, picture):
    """60 × 30 mm along the top: three copies above, two beside it."""
    frame = lay(el("image", file=picture, width=60), bleed=3)
    assert images(frame) == [
        (0, 0, 60, 30, None, ""),
        (0, -30, 60, 30, (0, -3, 60, 3), "y"),
        (-60, 0, 60, 30, (-3, 0, 3, 30), "x"),
        (-60, -30, 60, 30, (-3, -3, 3, 3), "xy"),
        (60, 0, 60, 30, (60, 0, 3, 30), "x"),
        (60, -30, 60, 30, (60, -3, 3, 3), "xy"),
    ]


def test_a_covering_picture_is_clipped_to_its_box_and_mirrored_about_its_edge(el, lay, picture):
    """A box of 20 × 20 in the middle of the left edge shows the middle half of a picture of 40 × 20."""
    frame = lay(el("at", el("image", file=picture, fit="cover"), x=0, y=30, width=20, height=20), bleed=2)
    assert images(frame) == [(-10, 30, 40, 20, (0, 30, 20, 20), ""), (-30, 30, 40, 20, (-2, 30, 2, 20), "x")]


def test_a_picture_inside_is_not_mirrored(el, lay, picture):
    frame = lay(
        el("image", file=picture, height=10, bleed=False), el("image", file=picture, height=10), padding=2, bleed=2
    )
    assert images(frame) == [(20, 2, 20, 10, None, ""), (20, 12, 20, 10, None, "")]


def test_a_picture_may_be_distorted_or_reach_the_bleed_edge(el, lay, picture):
    frame = lay(el("at", el("image", file=picture, fit="fill"), x=-3, y=-3, width=66, height=86), bleed=3)
    assert images(frame) == [(-3, -3, 66, 86, None, "")]


@pytest.mark.parametrize(
    ("turn", "size", "mirrored"),
    [
        (90, (30, 60), ["left", "top"]),
        (180, (60, 30), ["left", "top", "right"]),
        (270, (30, 60), ["left", "top"]),
    ],
)
def test_a_turned_picture_is_mirrored_beyond_the_edges_that_it_reaches(el, lay, picture, turn, size, mirrored):
    width, height = size
    frame = lay(el("stack", el("image", file=picture), turn=turn, width=width, height=height), bleed=1, align="start")
    (group,) = frame.items
    boxes = [
        outlines.bounds(outlines.transformed(outlines.rect(*(item.clip or item_box(item))), group.transform))
        for item in group.items
    ]
    assert boxes[0] == pytest.approx((0, 0, width, height))
    strips = {
        "left": (-1, 0, 0, height),
        "top": (0, -1, width, 0),
        "right": (width, 0, width + 1, height),
        "bottom": (0, height, width, height + 1),
    }
    assert [side for side, strip in strips.items() if any(box == pytest.approx(strip) for box in boxes)] == mirrored


def item_box(item):
    return item.x, item.y, item.width, item.height


def test_a_picture_may_have_rounded_corners_but_not_in_the_bleed(el, lay, picture):
    (group,) = lay(el("image", file=picture, radius=(2.0,) * 4, height=10, width=20), padding=2).items
    assert group.clip == outlines.rounded_rect(2, 2, 20, 10, (2, 2, 2, 2)) and len(group.items) == 1
    (group,) = lay(el("image", file=picture, radius=(2.0,) * 4, width=30), bleed=3).items
    assert group.clip == outlines.rounded_rect(-3, -3, 33, 18, (0, 0, 2, 0))


def test_the_focus_of_a_cropped_picture_stays_in_view(el, lay, picture):
    """A picture of 40 × 20 mm in a box of 20 × 20: as in CSS, `left` shows its left half, 30% hides the
    first 6 mm."""
    box = {"file": picture, "fit": "cover", "width": 20, "height": 20}
    frame = lay(
        *(el("image", **box, focus=kinds.FOCUS.read(text)) for text in ("left", "30% 0%", "right top")), padding=5
    )
    assert [image[0] for image in images(frame)] == [5, -1, -15]


# ---- art with a bleed of its own

POKER = (63.5, 88.9)


@pytest.fixture
def full(el, lay, tmp_path):
    """`full(pixels, …)` → the images of a face that a picture of this size fills; `given` is its attribute `bleed`."""

    def laid(pixels, *, size=POKER, bleed=3.0, given=None, **more):
        path = tmp_path / "{}x{}.png".format(*pixels)
        PIL.Image.new("1", pixels).save(path)
        more |= {"bleed": given} if given is not None else {}
        return images(lay(el("image", file=str(path), grow=1, **more), size=size, bleed=bleed))

    return laid


def test_art_with_a_bleed_is_recognised_by_its_proportions(full):
    """825 × 1125 pixels are a poker card with 1/8 in on each side. What is beyond the bleed of the deck is cut off,
    and what is missing is mirrored."""
    eighth = 3.175
    for fit in ("contain", "cover", "fill", "auto"):
        (image,) = full((825, 1125), bleed=2.0, fit=fit)
        assert image == (-eighth, -eighth, 69.85, 95.25, (-2, -2, 67.5, 92.9), ""), fit
    (image,) = full((695 * 2, 949 * 2))
    assert (image[0], image[4]) == (-3, None)
    assert full((825, 1125), bleed=0.0) == [(-eighth, -eighth, 69.85, 95.25, (0, 0, *POKER), "")]
    mirrored = full((825, 1125), bleed=5.0)
    assert len(mirrored) == 9 and mirrored[1][4] == pytest.approx((-eighth, -5, 69.85, 5 - eighth))


def test_other_art_has_no_bleed(full):
    """Art with the proportions of the trim, of a square card, or any others fills the trim and is mirrored. A setting
    overrides what the proportions say."""
    assert full((750, 1050), fit="cover")[0][:4] == (0, 0, *POKER)
    assert full((900, 900), fit="cover", size=(70, 70))[0][:4] == (0, 0, 70, 70)
    assert full((768, 1024), fit="fill")[0][:4] == (0, 0, *POKER)
    assert full((825, 1125), fit="fill", given=True)[0][:4] == (0, 0, *POKER)
    assert full((900, 900), given="included", size=(70, 70)) == [(-3, -3, 76, 76, None, "")]


def test_only_art_that_fills_the_face_can_have_a_bleed(el, faults, picture):
    (problem,) = faults(el("image", file=picture, bleed="included", height=20))
    assert "image “art.png” has bleed=“included”, but does not fill the face; remove its bleed" in problem


def test_the_outline_of_a_picture_is_painted_on_top(el, lay, picture):
    back, image, outline = lay(el("image", file=picture, height=10, width=50, fill=A, stroke=B)).items
    assert isinstance(image, Image) and image.width == 20
    assert back == Shape(outlines.rect(0, 0, 50, 10), A)
    assert outline == Shape(outlines.rect(0, 0, 50, 10), None, B, 0.25)


def test_other_files_are_refused(el, faults, tmp_path):
    other = tmp_path / "art.gif"
    other.write_bytes(b"AGF89a")
    assert faults(el("image", file=str(other)), el("image", file=str(tmp_path / "none.png"))) == [
        f"{other}: card 4, image “art.gif”: this is not a picture; {SUPPORTED}",
        f"{tmp_path / 'none.png'}: card 4, image “none.png”: cannot be read: no such file or directory",
    ]


def test_a_picture_that_lies_on_its_side_is_turned_upright(el, lay, tmp_path):
    """Exif's Orientation 6: the camera was held upright."""
    exif = PIL.Image.Exif()
    exif[0x0112] = 6
    PIL.Image.new("L", (50, 100)).save(tmp_path / "art.jpg", exif=exif)
    assert images(lay(el("image", file=str(tmp_path / "art.jpg"), width=60))) == [(0, 0, 60, 30, None, "")]


def test_the_size_of_an_svg_is_its_view_box(el, lay, svg):
    assert images(lay(el("image", file=str(svg("", 'viewBox="0 0 30 10"')), width=60))) == [(0, 0, 60, 20, None, "")]


def test_a_photo_covers_its_box_but_a_cut_out_is_shown_whole(el, lay, picture, tmp_path):
    """`fit="auto"`: an alpha channel without transparency does not count. Only what covers the box ignores its
    padding."""
    PIL.Image.new("LA", (200, 100)).save(tmp_path / "cut.png")
    PIL.Image.new("LA", (200, 100), (0, 255)).save(tmp_path / "opaque.png")
    box = {"width": 20, "height": 20, "padding": (2.0, 2.0, 2.0, 2.0), "fit": "auto"}
    whole, opaque = str(tmp_path / "cut.png"), str(tmp_path / "opaque.png")
    frame = lay(*(el("image", file=file, **box) for file in (picture, whole, opaque)), padding=1)
    assert images(frame) == [
        (-9, 1, 40, 20, (1, 1, 20, 20), ""),
        (3, 27, 16, 8, None, ""),
        (-9, 41, 40, 20, (1, 41, 20, 20), ""),
    ]


@pytest.mark.parametrize(("width", "covered"), [(48, (40, 20, (0, 0, 20, 20))), (40, (20, 10, None))])
def test_a_drawing_covers_its_box_if_its_first_shape_is_a_background(el, lay, svg, width, covered):
    file = svg(f'<rect width="{width}" height="24" fill="#abc"/><circle r="3"/>', 'viewBox="0 0 48 24"')
    (image,) = images(lay(el("image", file=str(file), width=20, height=20, fit="auto")))
    assert image[2:5] == covered
