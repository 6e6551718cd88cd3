"""The contents of the file: metadata, boxes, fonts, text, shared XObjects, and the same bytes every time."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from generator import paths
from generator.errors import InputError
from generator.geometry.frame import (
    Frame,
    Icon,
    Page,
    Placed,
    Run,
    Shape,
    Slot,
)
from generator.pages.nup import deck_pages, sheet_pages
from generator.pages.tiles import tiles
from generator.pdf import Info
from generator.pdf.document import slots_on, write
from generator.reading.sizes import paper
from tests.pdf.pages import INFO, MM, box, card, page, pixel, reader, text

# ---- document information


def test_information_has_title_credits_and_set_code(printed):
    information = reader(printed(card())).metadata
    assert information.title == "From the Ground Up – cards"
    assert information.author == "rules by Žofia"
    assert information.subject == "12 cards"
    assert information["/Keywords"] == "dice, pencil, GU-7K2M"
    assert information["/PencilboxSet"] == "GU-7K2M"
    assert "/CreationDate" not in information


def test_information_without_a_set_has_no_code(theme):
    information = reader(write([page(card())], theme, info=Info(title="Plain"))).metadata
    assert "/PencilboxSet" not in information
    assert "/Keywords" not in information


@pytest.mark.parametrize(
    ("duplex", "said"),
    [
        ("long", "/DuplexFlipLongEdge"),
        ("short", "/DuplexFlipShortEdge"),
        ("gutterfold", "/Simplex"),
        ("none", "/Simplex"),
        (None, None),
    ],
)
def test_viewer_preferences_forbid_scaling_and_set_duplex(printed, duplex, said):
    wishes = reader(printed(card(), duplex=duplex)).trailer["/Root"]["/ViewerPreferences"]
    assert wishes["/PrintScaling"] == "/None"
    assert wishes.get("/Duplex") == said


def test_refuses_a_pdf_without_pages(theme):
    with pytest.raises(InputError, match="nothing to print"):
        write([], theme, info=INFO)


# ---- boxes


def test_a_page_has_the_size_of_its_paper(theme):
    pages = [Page(215.9, 279.4, ()), Page(297, 210, ())]
    sizes = [[float(edge) for edge in pdf_page.mediabox] for pdf_page in reader(write(pages, theme, info=INFO)).pages]
    assert sizes[0] == pytest.approx([0, 0, 612, 792], abs=1e-4)
    assert sizes[1] == pytest.approx([0, 0, 297 * MM, 210 * MM], abs=1e-4)


def test_a_page_that_is_one_card_has_trim_and_bleed_box(theme):
    front = Frame("poster", 160, 230, (), 3)
    pages = deck_pages([front], [front], paper("a4"), gutter=0, duplex="long", margin=5)
    for pdf_page in reader(write(pages, theme, info=INFO)).pages:
        left, bottom, right, top = (float(edge) / MM for edge in pdf_page.trimbox)
        assert (left, bottom, right, top) == pytest.approx((25, 33.5, 185, 263.5), abs=1e-4)
        assert [float(edge) / MM for edge in pdf_page.bleedbox] == pytest.approx(
            [left - 3, bottom - 3, right + 3, top + 3], abs=1e-4
        )


def test_other_pages_have_those_around_all_that_is_cut_or_the_whole_page(theme):
    def boxes(pages):
        (page, *_) = reader(write(pages, theme, info=INFO)).pages
        assert page.cropbox == page.mediabox
        return [[round(float(edge) / MM, 2) for edge in box] for box in (page.trimbox, page.bleedbox)]

    several = deck_pages([Frame("card", 60, 80, (), 2)] * 4, None, paper("a4"), gutter=0, duplex="none", margin=5)
    assert boxes(several) == [[15, 108.5, 195, 268.5], [13, 106.5, 197, 270.5]]
    whole = sheet_pages([Frame("sheet", 190, 280, ())], paper("a4"))
    assert boxes(whole) == [[0, 0, 210, 297]] * 2
    tile = tiles(Frame("board", 300, 200, (), 3), paper("a4"), 10, 5)
    assert boxes(tile) == [[27.2, 50.8, 182.2, 250.8], [24.2, 47.8, 182.2, 253.8]]


def test_pages_have_names_and_texts_a_language(theme):
    def root(pages, theme=theme):
        return reader(write(pages, theme, info=INFO)).trailer["/Root"]

    cards = [Frame("card", 60, 80, ())] * 20
    document = write(deck_pages(cards, cards, paper("a4"), duplex="long", margin=5), theme, info=INFO)
    assert list(reader(document).page_labels) == ["front 1", "back 1", "front 2", "back 2", "front 3", "back 3"]
    sheets = [Frame("sheet", 190, 280, ())] * 12
    document = write(sheet_pages(sheets, paper("a4")), theme, info=INFO)
    assert list(reader(document).page_labels) == [f"sheet {number}" for number in range(1, 13)]
    assert len(reader(document).trailer["/Root"]["/PageLabels"]["/Nums"]) == 2, "one entry for all"
    unnamed = [Page(100, 100, ()), Page(100, 100, (), label="front 1")]
    assert "/PageLabels" not in root(unnamed)
    assert root(unnamed)["/Lang"] == "en"
    assert root(unnamed, replace(theme, language="de"))["/Lang"] == "de"


# ---- the same bytes

RICH = """
import sys
from pathlib import Path
from generator import paths
from generator.model.game import Theme
from generator.geometry.frame import Frame, Icon, Run, Shape
from generator.geometry.frame import Page, Placed
from generator.pdf import Info
from generator.pdf.document import write
fonts = paths.SHARED_DATA / "fonts"
theme = Theme({}, {"regular": fonts / "Lato-Regular.ttf", "bold": fonts / "Lato-Bold.ttf"}, {}, (Path(sys.argv[1]),))
shown = (Shape((("M", 1, 1), ("C", 9, 1, 9, 9, 1, 9), ("Z",)), "#abcdef", "#123456", 0.2, (1.0, 0.5)),
         Icon("arrow", 5, 5, 9, 9, "#24507a"), Run(2, 9, "Größe ≠ ½", "bold", 4, "#000000", 0),
         Run(2, 19, "plain", "regular", 4, "#000000", 0, 0.3))
frames = [Frame("one", 40, 40, shown), Frame("two", 40, 40, shown[::-1])]
pages = [Page(210, 297, (Placed(frames[0], 10, 10), Placed(frames[1], 60, 10), Placed(frames[0], 110, 10, 90)))] * 2
sys.stdout.buffer.write(write(pages, theme, info=Info(title="Twice", author="x", set_code="GU-1"), duplex="long"))
"""


def _in_a_process_of_its_own(icons: Path, **environment: str) -> bytes:
    return subprocess.run(
        [sys.executable, "-c", RICH, str(icons)], capture_output=True, check=True, cwd=paths.ROOT, env=environment
    ).stdout


def test_the_same_pages_give_the_same_bytes_in_any_process(icons):
    first = _in_a_process_of_its_own(icons, PYTHONHASHSEED="1")
    assert first.startswith(b"%PDF-1.7")
    assert first == _in_a_process_of_its_own(icons, PYTHONHASHSEED="77", TZ="Asia/Tokyo", SOURCE_DATE_EPOCH="12345")


def test_the_same_bytes_twice_in_one_process_and_others_for_other_pages(printed):
    assert printed(card(text("one"))) == printed(card(text("one")))
    assert reader(printed(card(text("one")))).trailer["/ID"] != reader(printed(card(text("two")))).trailer["/ID"]


# ---- fonts and text


def test_every_font_is_embedded_and_subset(printed):
    fonts = reader(printed(card(text("plain ≠ ½"), text("Größe", "bold")))).pages[0]["/Resources"]["/Font"]
    tags, names = zip(*(font["/BaseFont"].split("+") for font in fonts.values()), strict=True)
    assert {*names} == {"Lato-Regular", "Lato-Bold"} and all(re.fullmatch("/[A-Z]{6}", tag) for tag in tags)
    programs = [font["/DescendantFonts"][0]["/FontDescriptor"]["/FontFile2"].get_data() for font in fonts.values()]
    assert all(len(program) < 6_000 for program in programs)


@pytest.mark.parametrize("words", ["Lowest (value) \\ first", "Größe ≠ ½ – „Zitat“", "ŁódźĄĆĘŃŚŹŻ" * 3])
def test_text_can_be_read_back(printed, words):
    assert words in reader(printed(card(text(words)))).pages[0].extract_text()


def test_text_with_many_letters_can_be_read_back(printed):
    wide = "".join(chr(code) for code in range(0xC0, 0x17F) if chr(code).isalpha())
    lines = [replace(text(wide[start : start + 32]), y=10 + start / 5) for start in range(0, len(wide), 32)]
    read = reader(printed(card(*lines))).pages[0].extract_text()
    assert all(line.text in read for line in lines)


def test_turned_and_spaced_text_is_painted_where_it_belongs(printed, render):
    image = render(
        printed(
            card(
                Run(30, 40, "IIIIIIII", "bold", 6, "#ff0000", 0, turn=90),
                Run(10, 70, "HH", "bold", 6, "#0000ff", 0, tracking=20),
            )
        )
    )
    reds, blues = _painted(image, 0), _painted(image, 2)
    assert reds[3] - reds[1] > 2 * (reds[2] - reds[0]), "reads downwards"
    assert reds[0] == pytest.approx(40, abs=0.2), "the baseline is on its left"
    assert reds[1] >= 50
    assert blues[2] - blues[0] == pytest.approx(20 + 2 * 4.5, abs=1.5)
    assert blues[3] == pytest.approx(80, abs=0.2)


def _painted(image, channel: int):
    """The box (mm) of what is painted in red (0) or blue (2)."""
    left, top, right, bottom = image.getchannel(2 - channel).point(lambda value: 255 if value < 128 else 0).getbbox()
    return left / 10, top / 10, right / 10, bottom / 10


# ---- what is painted


def test_shapes_have_their_colours_places_and_pens(printed, render):
    image = render(
        printed(
            card(
                Shape(box(5, 5, 20, 10), fill="#ff0000"),
                Shape(box(5, 20, 20, 10), stroke="#0000ff", stroke_width=2),
                Shape(box(30, 5, 20, 20) + box(35, 10, 10, 10), fill="#00ff00", even_odd=True),
                Shape((("M", 5, 40), ("L", 25, 40)), stroke="#000000", stroke_width=2, dash=(4, 4)),
                Shape((("M", 30, 40), ("L", 40, 40)), stroke="#000000", stroke_width=4, cap="round"),
            )
        )
    )
    assert pixel(image, 20, 20) == (255, 0, 0)
    assert pixel(image, 25, 35) == (255, 255, 255)
    assert pixel(image, 15.5, 35) == (0, 0, 255)
    assert pixel(image, 42, 17) == (0, 255, 0)
    assert pixel(image, 50, 25) == (255, 255, 255)
    assert [pixel(image, x, 50)[0] for x in (17, 21, 25, 29)] == [0, 255, 0, 255]
    assert pixel(image, 51, 50) == (0, 0, 0), "a round cap reaches beyond the end of its line"


def test_an_icon_uses_the_given_colour_and_its_own_ones(printed, render):
    image = render(
        printed(
            card(
                Icon("arrow", 0, 0, 24, 24, "#0000ff"),
                Icon("arrow", 30, 0, 24, 24, "#00aa00"),
                Icon("arrow", 0, 40, 40, 24, "#0000ff"),
                Icon("arrow", 30, 40, 24, 24, "#00aa00", 90),
            )
        )
    )
    assert pixel(image, 22, 17) == (0, 0, 255)
    assert pixel(image, 52, 17) == (0, 170, 0)
    assert pixel(image, 22, 28) == (255, 0, 0)
    assert pixel(image, 30, 57) == (0, 0, 255), "its shape is kept, in the middle of a wide box"
    assert pixel(image, 57, 62) == (0, 170, 0), "turned, it points to the right"
    assert pixel(image, 42, 56) == (255, 255, 255)


def test_an_icon_is_written_once_however_often_it_is_drawn(printed):
    frames = [card(*[Icon("arrow", x, y, 5, 5, "#0000ff") for x in range(0, 50, 5)], name=str(y)) for y in (0, 10)]
    assert _forms(printed(*frames)) == 1


def test_a_frame_placed_often_is_written_once(theme):
    back = card(*[text("back")] * 12)
    pages = deck_pages(
        [card(text(f"card {n}")) for n in range(9)], [back] * 9, paper("a4"), gutter=0, duplex="long", margin=5
    )
    pdf = write(pages, theme, info=INFO)
    assert _forms(pdf) == 1
    assert reader(pdf).pages[1].extract_text().count("back") == 9 * 12


def _forms(pdf: bytes) -> int:
    return len(re.findall(rb"/Subtype\s*/Form\b", pdf))


def test_an_unknown_icon_is_named(printed):
    with pytest.raises(InputError, match="no icon “arow”; did you mean arrow"):
        printed(card(Icon("arow", 0, 0, 5, 5, "#000000")))


@pytest.mark.parametrize("repeated", [False, True])
@pytest.mark.parametrize(("turn", "spot"), [(0, (12, 12)), (90, (88, 12)), (180, (68, 88)), (270, (12, 68))])
def test_a_turned_frame_stays_in_its_box_and_its_bleed_is_clipped(theme, render, turn, spot, repeated):
    frame = card(Shape(box(-9, -9, 78, 98), fill="#00ff00"), Shape(box(0, 0, 8, 8), fill="#0000ff"), bleed=9)
    placed = Placed(frame, 10, 10, turn, (1, 2, 3, 4))
    far = Placed(frame, 400, 400) if repeated else Placed(card(), 400, 400)
    image = render(write([Page(210, 297, (placed, far))], theme, info=INFO))
    width, height = placed.box
    assert pixel(image, *spot) == (0, 0, 255)
    for x, y, inside in (
        (9.5, 50, True),
        (8.5, 50, False),
        (30, 8.5, True),
        (30, 7.5, False),
        (12.5 + width, 50, True),
        (13.5 + width, 50, False),
        (30, 13.5 + height, True),
        (30, 14.5 + height, False),
    ):
        assert pixel(image, x, y) == ((0, 255, 0) if inside else (255, 255, 255))


def test_marks_and_notes_are_printed(theme, render):
    pages = deck_pages([card()] * 2, [card(text("behind"))] * 2, paper("a4"), gutter=0, duplex="gutterfold", margin=5)
    pdf = write(pages, theme, info=INFO)
    assert "Fold here" in reader(pdf).pages[0].extract_text()
    image = render(pdf)
    line = [pixel(image, x, 148.5)[0] < 200 for x in range(5, 205)]
    assert 0.4 < sum(line) / len(line) < 0.8, "dashed from edge to edge"


def test_pages_of_the_same_frames_keep_their_own_marks(theme):
    placed = (Placed(card(text("same")), 10, 10),)
    line = Shape((("M", 5.0, 5.0), ("L", 5.0, 77.0)), None, "#000000", 0.1)
    pages = [Page(210, 297, placed, marks) for marks in ((), (line,), (), (line, line))]
    drawn = [page.get_contents().get_data() for page in reader(write(pages, theme, info=INFO)).pages]
    assert drawn[0] == drawn[2]
    assert [data.count(b" 77.000 l") for data in drawn] == [0, 1, 0, 2]


# ---- slots


@pytest.mark.parametrize(
    ("turn", "expected"),
    [(0, (15, 27, 20, 10)), (90, (63, 15, 10, 20)), (180, (45, 63, 20, 10)), (270, (27, 45, 10, 20))],
)
def test_slots_are_in_paper_coordinates(turn, expected):
    frame = card(Slot("grid.a1", 5, 17, 20, 10), Shape(box(0, 0, 1, 1), fill="#000000"))
    pages = [Page(210, 297, ()), Page(210, 297, (Placed(frame, 10, 10, turn), Placed(frame, 100, 100)))]
    number, slot = slots_on(pages)["grid.a1"]
    assert (number, *slot.box) == (1, *expected)


def test_slots_match_their_outlines(theme, render):
    frame = card(Slot("a", 5, 17, 20, 10), Shape(box(5, 17, 20, 10), fill="#ff0000"))
    pages = [Page(210, 297, (Placed(frame, 33, 44, 270),))]
    x, y, width, height = slots_on(pages)["a"][1].box
    assert _painted(render(write(pages, theme, info=INFO)), 0) == pytest.approx((x, y, x + width, y + height), abs=0.11)
