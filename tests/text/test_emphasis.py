"""Coloured, underlined and struck words, outlines, and justified lines."""

from io import BytesIO

import pypdfium2
import pytest

from generator import pdf
from generator.faces.face import Emphasis, InlineIcon, Words
from generator.faces.filters import rich
from generator.geometry.frame import Icon, Page, Placed, Run, Shape
from generator.geometry.outlines import bounds

RED = Emphasis("#ff0000")
UNDERLINED, STRUCK = Emphasis(underlined=True), Emphasis(struck=True)


@pytest.mark.parametrize(
    ("text", "markup"),
    [
        ("a [Fire]{crimson} b", 'a <span colour="crimson">Fire</span> b'),
        ("**[F & *x*]{#f00 underline}**", '<b><span colour="#f00"><u>F &amp; <i>x</i></u></span></b>'),
        ("[old]{strike} new", "<s>old</s> new"),
        ("[x] [y](z) [ ] [a]{} ]{red}", "[x] [y](z) [ ] [a]{} ]{red}"),
        (r"\[x]{red}", "[x]{red}"),
    ],
)
def test_brackets_set_words_apart(text, markup):
    assert rich(text) == markup


def test_words_are_printed_in_their_colours(el, lay):
    words = [Words("one "), Words("two three", emphasis=RED), Words(" four "), InlineIcon("star", RED)]
    runs = lay(el("text", *words)).items
    assert [(item.text, item.colour) for item in runs[:3]] == [
        ("one ", "#111111"),
        ("two three ", "#ff0000"),
        ("four ", "#111111"),
    ]
    assert isinstance(runs[3], Icon) and runs[3].colour == "#ff0000"
    plain = lay(el("text", "one two three four ", InlineIcon("star"))).items
    assert runs[3].x == pytest.approx(plain[1].x)


def test_lines_are_as_long_as_the_words_and_not_the_space_after_them(el, lay):
    frame = lay(el("text", "a ", Words("two words", emphasis=UNDERLINED), " b ", Words("no", emphasis=STRUCK), "!"))
    runs = [item for item in frame.items if isinstance(item, Run)]
    lines = [bounds(item.path) for item in frame.items if isinstance(item, Shape)]
    assert [run.text for run in runs] == ["a ", "two words", " b ", "no", "!"]
    for (left, top, right, bottom), run, below in zip(lines, (runs[1], runs[3]), (True, False), strict=True):
        assert (left, right) == pytest.approx((run.x, run.x + run.width))
        assert (top > run.y) == below and bottom - top < run.size / 10


def test_emphasis_survives_breaking_words(el, lay):
    runs = [item for item in lay(el("text", Words("i" * 80, emphasis=RED), wrap="anywhere"), size=(20, 80)).items]
    assert len(runs) > 1 and {run.colour for run in runs} == {"#ff0000"}


def test_an_outline_is_painted_under_all_letters_and_read_once(el, lay, theme):
    frame = lay(el("text", "one ", Words("two", bold=True), outline="#0000ff", outline_width=0.4))
    assert [(run.text, run.colour, run.outline) for run in frame.items] == [
        ("one ", "#0000ff", 0.4),
        ("two", "#0000ff", 0.4),
        ("one ", "#111111", 0),
        ("two", "#111111", 0),
    ]
    printed = pdf.write([Page(60, 80, (Placed(frame, 0, 0),))], theme, info=pdf.Info(title="outline"))
    page = pypdfium2.PdfDocument(BytesIO(printed))[0]
    assert page.get_textpage().get_text_bounded().count("two") == 1
    colours = {colour for _, colour in page.render(scale=8).to_pil().convert("RGB").getcolors(1 << 20)}
    assert {(0, 0, 255), (17, 17, 17)} <= colours


def test_justified_lines_fill_the_box_except_the_last(el, lay):
    words = "some words that fill several lines of this box and end in the middle of one"
    runs = lay(el("text", words, align="justify"), size=(40, 80)).items
    assert len(runs) > 2
    assert [run.x + run.width for run in runs[:-1]] == pytest.approx([40] * (len(runs) - 1))
    assert runs[-1].spread == 0 and runs[-1].width < 39
    assert all(run.spread > 0 for run in runs[:-1])


def test_justified_lines_may_hold_icons_bold_words_and_breaks(el, lay, theme):
    words = [
        "roll ",
        Words("two dice", bold=True),
        " and add ",
        InlineIcon("star"),
        " to them\nor do not, as you please, ever",
    ]
    frame = lay(el("text", *words, align="justify"), size=(30, 80))
    ends = {}
    for item in frame.items:
        y = round(item.y + (item.height if isinstance(item, Icon) else 0), 2)
        ends[y] = max(ends.get(y, 0), item.x + item.width)
    assert [end == pytest.approx(30) for end in ends.values()][:3] == [True, False, True]
    assert max(ends.values()) == pytest.approx(30)
    pdf.write([Page(30, 80, (Placed(frame, 0, 0),))], theme, info=pdf.Info(title="justified"))
