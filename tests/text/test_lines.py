"""Text: widths as in the font file, line breaks as by hand, sizes that fit the box."""

from __future__ import annotations

import json
import re

import pytest
import uharfbuzz as hb
from msgspec.structs import replace
from pypdfium2 import PdfDocument

from generator import games, paths
from generator.errors import noting
from generator.faces.face import InlineIcon, Words
from generator.geometry.frame import Icon, Run
from generator.layout import flaws
from generator.model.game import FontFile
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.text import fonts
from generator.text.lines import family
from generator.text.words import paragraph
from tests.layout_fixtures import laid

POINT = 25.4 / 72
CAP = 0.7165
"""Lato's capitals, as a multiple of the type size."""


def advance(text, font="Lato-Regular"):
    """The width of a text as a share of its size: its words as HarfBuzz shapes them, and the spaces between them."""
    face = hb.Face(hb.Blob.from_file_path(paths.SHARED_DATA / f"fonts/{font}.ttf"))
    units = 0
    for part in re.findall(r" |[^ ]+", text):
        buffer = hb.Buffer()
        buffer.add_str(part)
        buffer.guess_segment_properties()
        hb.shape(hb.Font(face), buffer)
        units += sum(position.x_advance for position in buffer.glyph_positions)
    return units / face.upem


def texts(printed):
    return [run.text for run in printed]


def test_a_run_is_as_wide_as_its_letters(el, lay, runs):
    (run,) = runs(lay(el("text", "Hello, World")))
    assert (run.text, run.font, run.size, run.colour, run.x) == ("Hello, World", "regular", 4.0, "#111111", 0.0)
    assert run.width == pytest.approx(4 * advance("Hello, World"), abs=0.01)


def test_lines_break_between_words_as_late_as_possible(el, lay, runs):
    width = 4 * advance("one two three") + 0.01
    printed = runs(lay(el("text", "one two three four five"), size=(width, 80)))
    assert texts(printed) == ["one two three", "four five"]
    assert texts(runs(lay(el("text", "one two three four five"), size=(width - 0.02, 80)))) == [
        "one two",
        "three four",
        "five",
    ]


def test_lines_are_a_leading_apart_and_capitals_in_their_middle(el, lay, runs):
    first, second = runs(lay(el("text", "one\ntwo"), padding=3))
    assert second.y - first.y == pytest.approx(4 * 1.25)
    assert first.y == pytest.approx(3 + (4 * 1.25 + 4 * CAP) / 2)


def test_an_empty_line_keeps_its_height(el, lay, runs):
    first, second = runs(lay(el("text", "one\n\ntwo")))
    assert second.y - first.y == pytest.approx(2 * 4 * 1.25)


@pytest.mark.parametrize(("align", "share"), [("left", 0), ("center", 0.5), ("right", 1)])
def test_each_line_is_aligned_separately(el, lay, runs, align, share):
    for run in runs(lay(el("text", "wide line\nhi", align=align))):
        assert run.x == pytest.approx(share * (60 - run.width))


@pytest.mark.parametrize("height", [4, 5, 12.5])
def test_a_single_line_is_centred_by_its_capitals(el, lay, runs, height):
    (run,) = runs(lay(el("text", "MIDDLE", height=height, valign="middle", floor=1.0)))
    assert run.y - run.size * CAP / 2 == pytest.approx(height / 2)


def test_text_at_the_bottom_ends_a_half_leading_above_it(el, lay, runs):
    (run,) = runs(lay(el("text", "low", grow=1, valign="bottom")))
    assert run.y == pytest.approx(80 - (4 * 1.25 - 4 * CAP) / 2)


def test_texts_take_as_much_height_as_their_lines(el, lay, filled):
    frame = lay(el("text", "one\ntwo", fill="#00000a", padding=1), el("stack", grow=1, fill="#00000b"))
    assert filled(frame) == {"#00000a": (0, 0, 60, 12), "#00000b": (0, 12, 60, 68)}


def test_a_text_in_a_row_is_as_wide_as_its_longest_line(el, lay, filled):
    frame = lay(el("row", el("text", "one\nthree", fill="#00000a"), el("stack", grow=1, fill="#00000b"), height=10))
    assert filled(frame)["#00000b"][0] == pytest.approx(4 * advance("three"), abs=0.01)


# ---- markup -------------------------------------------------------------------------------------------------------


def test_marked_words_use_the_fonts_of_the_family(el, lay, runs):
    pieces = [Words("a "), Words("b ", bold=True), Words("c ", italic=True), Words("d", bold=True, italic=True)]
    assert [(run.text, run.font) for run in runs(lay(el("text", *pieces)))] == [
        ("a ", "regular"),
        ("b ", "bold"),
        ("c ", "italic"),
        ("d", "bold-italic"),
    ]
    printed = runs(lay(el("text", *pieces, style="mark")))
    assert [run.font for run in printed] == ["bold", "bold-italic"]
    assert texts(printed) == ["a b ", "c d"]
    assert {run.font for run in runs(lay(el("text", *pieces, style="head")))} == {"black"}


def test_spaces_between_fonts_are_printed(el, lay, runs):
    plain, bold = runs(lay(el("text", "roll the ", Words("dice", bold=True))))
    assert plain.text == "roll the "
    assert bold.x == pytest.approx(4 * advance("roll the "), abs=0.01)


def test_a_bold_word_stays_with_the_comma_after_it(el, lay, runs):
    pieces = ["one ", Words("two", bold=True), ", three"]
    width = 4 * (advance("one ") + advance("two", "Lato-Bold")) + 0.01
    lines = {}
    for run in runs(lay(el("text", *pieces), size=(width, 80))):
        lines.setdefault(round(run.y, 2), []).append(run.text)
    assert list(lines.values()) == [["one"], ["two", ","], ["three"]]


def test_an_icon_in_a_line_is_as_high_as_its_capitals(el, lay, runs):
    frame = lay(el("text", "mark ", InlineIcon("wide"), ", then pass", colour="#abcdef"))
    before, icon, after = frame.items
    assert isinstance(icon, Icon)
    assert (icon.height, icon.width) == pytest.approx((4 * CAP, 8 * CAP))
    assert icon.y + icon.height == pytest.approx(before.y)
    assert icon.x == pytest.approx(4 * advance("mark "), abs=0.01)
    assert after.x == pytest.approx(icon.x + icon.width)
    assert (icon.name, icon.colour, after.text) == ("wide", "#abcdef", ", then pass")


def test_an_icon_stays_with_the_comma_after_it(el, lay):
    width = 4 * advance("mark ") + 4 * CAP + 0.01
    mark, icon, comma = lay(el("text", "mark ", InlineIcon("star"), ","), size=(width, 80)).items
    assert icon.y > mark.y
    assert (icon.x, comma.y) == (0, pytest.approx(icon.y + icon.height))


def test_icons_side_by_side_keep_the_space_between_them(el, lay):
    _, second = lay(el("text", InlineIcon("star"), " ", InlineIcon("star"))).items
    assert second.x == pytest.approx(4 * CAP + 4 * advance(" "), abs=0.01)


def test_no_break_spaces_keep_words_together(el, lay, runs):
    width = 4 * advance("take 5") + 0.01
    assert texts(runs(lay(el("text", "take 5\u00a0mm"), size=(width, 80)))) == ["take", "5 mm"]


def test_tracking_is_added_between_letters_only(el, lay, runs):
    (run,) = runs(lay(el("text", "abc", tracking=0.5, align="right")))
    assert (run.tracking, run.width) == (0.5, pytest.approx(4 * advance("abc") + 1.0, abs=0.01))
    assert run.x + run.width == pytest.approx(60)


def test_capitals(el, lay, runs):
    assert texts(runs(lay(el("text", "straße", case="upper")))) == ["STRASSE"]
    assert texts(runs(lay(el("text", "iyi", case="upper", language="tr")))) == ["İYİ"]


def test_capitals_are_those_of_the_theme_s_language(el, theme, runs):
    fonts = {key: tuple(replace(font, language="el") for font in files) for key, files in theme.fonts.items()}
    assert texts(runs(laid(replace(theme, fonts=fonts), el("text", "Καλημέρα", case="upper")))) == ["ΚΑΛΗΜΕΡΑ"]


def test_turned_text_runs_along_its_box(el, lay, runs):
    """In a box of 14 × 30 turned by 90, lines run downwards; the first one is the rightmost."""
    first, second = runs(lay(el("text", "one\ntwo", width=14, height=30, turn=90, padding=1), align="start"))
    assert (first.turn, first.y, second.y) == (90, 1, 1)
    assert first.x == pytest.approx(13 - (4 * 1.25 + 4 * CAP) / 2)
    assert first.x - second.x == pytest.approx(4 * 1.25)


# ---- shrinking ----------------------------------------------------------------------------------------------------


def test_text_shrinks_by_quarter_points_until_it_fits(el, lay, runs):
    """At 4 mm it is too wide for 90 % of its width; the largest size that fits is the first step below 3.6 mm."""
    text = "shrinking"
    width = 4 * advance(text) * 0.9
    (run,) = runs(lay(el("text", text), size=(width, 80)))
    steps = 0
    while (4 - steps * POINT / 4) * advance(text) > width + 0.005:
        steps += 1
    assert run.size == pytest.approx(4 - steps * POINT / 4)


def test_text_shrinks_where_it_is_too_high(el, lay, runs):
    printed = runs(lay(el("text", "one\ntwo\nthree", height=9)))
    size = printed[0].size
    ink = 2 * 1.25 + CAP + 2 * 0.195
    assert size * ink <= 9 < (size + POINT / 4) * ink


def test_a_text_without_a_floor_does_not_shrink(el, faults):
    (problem,) = faults(el("text", "stiff and long", style="stiff", wrap=False, width=10))
    assert problem.endswith("has 10.0 mm at 11.34pt; too wide for its box")


def test_text_does_not_shrink_below_its_floor(el, faults):
    text = "A sentence that is far too long for its box"
    needed = 2 * advance(text)
    (problem,) = faults(el("text", text, wrap=False, width=30))
    assert problem == (
        f"card.xml.j2: card 4, text “A sentence that is far…”: needs {-(-needed * 10 // 1) / 10:.1f} mm, "
        "has 30.0 mm at 5.67pt; too wide for its box"
    )


def test_too_many_lines_for_the_height(el, faults):
    """Three lines at 2 mm: two leadings of 2.5 mm and the ink of one line, 2 × 1.1065."""
    assert faults(el("text", "one\ntwo\nthree", height=5)) == [
        "card.xml.j2: card 4, text “one two three”: needs 7.3 mm, has 5.0 mm at 5.67pt; too high for its box"
    ]


def test_a_single_word_wider_than_the_box(el, faults):
    (problem,) = faults(el("text", "a incomprehensibilities b", width=12))
    assert f"needs {-(-2 * advance('incomprehensibilities') * 10 // 1) / 10:.1f} mm, has 12.0 mm at 5.67pt" in problem


def test_lines_may_be_limited(el, lay, runs, faults):
    width = 4 * advance("one two")
    printed = runs(lay(el("text", "one two three", lines=1), size=(width, 80)))
    assert texts(printed) == ["one two three"] and printed[0].size < 4
    assert faults(el("text", "one two three four five six", lines=2), size=(width / 2, 80)) == [
        "card.xml.j2: card 4, text “one two three four five…”: needs 4 lines, has 2 at 5.67pt"
    ]


def test_texts_shrink_before_a_column_overflows(el, lay, runs, filled):
    """Twelve lines of 5 mm and a box of 30 do not fit into 80; at a smaller size they do."""
    frame = lay(el("text", "\n".join(["line"] * 12)), el("stack", height=30, fill="#00000a"))
    assert filled(frame) == {"#00000a": (0, 50, 60, 30)}
    assert 2 < runs(frame)[0].size < 4


def test_a_growing_text_gets_space_from_its_neighbours(el, lay, runs):
    """75 mm of lines above would leave 5 mm for lines that need 12.2 mm even at their floor."""
    printed = runs(lay(el("text", "\n".join(["above"] * 15)), el("text", "\n".join(["below"] * 5), grow=1)))
    sizes = {run.text: run.size for run in printed}
    assert sizes["above"] < 4 and sizes["below"] == pytest.approx(2, abs=POINT / 4)


def test_the_error_names_the_text_that_does_not_fit_not_the_column(el, faults):
    (problem,) = faults(el("text", "\n".join(["line"] * 40)), el("slot", id="a", height=30))
    assert "card 4, text “line line line line line…”: needs 99.8 mm, has 50.0 mm at 5.67pt" in problem


@pytest.fixture
def noted(lay, monkeypatch):
    """The texts of a face and the notes about it, on a machine without other fonts."""
    monkeypatch.setattr(flaws, "_FOLDERS", ())

    def texts_and_notes(*inside, **how):
        with noting() as notes:
            frame = lay(*inside, **how)
        return [item for item in frame.items if isinstance(item, Run)], [str(note) for note in notes]

    return texts_and_notes


def test_a_red_box_stands_for_each_sign_that_no_font_has(el, noted):
    """One for several that follow each other."""
    printed, notes = noted(el("text", "Five ★ or \ue000 or \ue001\ue000, too", width=90), size=(100, 80))
    assert [(run.text, run.colour == "#c8102e") for run in printed] == [
        ("Five ★ or ", False),
        ("⌧ ", True),
        ("or ", False),
        ("⌧", True),
        (", too", False),
    ]
    hint = "a red ⌧ is printed instead; use a font that has it, or an icon such as :name:"
    assert notes == [
        f"card.xml.j2: card 4: the font has no “U+E000” (Lato-Regular): {hint}",
        f"card.xml.j2: card 4: the font has no “U+E001” (Lato-Regular): {hint}",
    ]


@pytest.mark.parametrize(
    ("text", "script", "font"),
    [
        ("提灯を一つ。タワー", "Chinese or Japanese characters", "Noto Sans CJK (on Debian: fonts-noto-cjk"),
        ("「。」", "Chinese or Japanese characters", "Noto Sans CJK"),
        (
            "خذ بطاقة، ٣",
            "Arabic letters",
            "Noto Sans Arabic (on Debian: fonts-noto-core; on macOS: brew install --cask",
        ),
        ("등불", "Korean letters", "Noto Sans CJK KR"),
        ("नमस्ते", "Devanagari letters", "Noto Sans Devanagari"),
        ("ကစားပွဲ", "Burmese letters", "Noto Sans Myanmar"),
        ("བོད", "Tibetan letters", "Noto Serif Tibetan"),
        ("ᱥᱟᱱᱛᱟᱲᱤ", "Ol Chiki letters", "Noto Sans Ol Chiki"),
        ("ᐃᓄᒃᑎᑐᑦ", "Canadian Aboriginal letters", "Noto Sans Canadian Aboriginal"),
    ],
)
def test_a_script_without_a_font_is_named_with_a_free_font(el, noted, monkeypatch, text, script, font):
    monkeypatch.setattr(fonts, "SCRIPTS", ())
    _, (note,) = noted(el("text", text))
    assert f"card 4: the font has no {script} (Lato-Regular): a red ⌧ is printed instead; get {font}" in note
    assert note.endswith("put it beside the table, or add it under “font” in theme.yaml")


def test_an_installed_font_is_named_but_not_used(el, noted, monkeypatch, tmp_path):
    monkeypatch.setattr(flaws, "_FOLDERS", (str(tmp_path),))
    monkeypatch.setattr(fonts, "SCRIPTS", ())
    (tmp_path / "truetype").mkdir()
    font = tmp_path / "truetype" / "NotoSansThai-Regular.ttf"
    font.write_bytes(b"")
    _, (note,) = noted(el("text", "ไทย"))
    assert note.endswith(
        f"is printed instead; {font} has them: use it with --font, or add it under “font” in theme.yaml"
    )


def test_a_letter_of_a_script_that_the_font_has_is_a_sign(el, noted, monkeypatch):
    monkeypatch.setattr(fonts.FontFace, "has", lambda face, letter: letter in "日本 " or letter.isascii())
    _, (note,) = noted(el("text", "日本𠮷"))
    assert "the font has no “𠮷”" in note


def test_an_empty_text_takes_no_space(el, lay, filled):
    frame = lay(el("text"), el("text", " ", height=0.0), el("stack", grow=1, fill="#00000a"))
    assert filled(frame) == {"#00000a": (0, 0, 60, 80)}


def test_words_wider_than_the_box_break_anywhere_if_the_text_allows_it(el, lay, runs):
    """At the full size, with a hyphen between letters; words that fit stay whole."""
    found = runs(lay(el("text", "an Eisenbahnknotenpunkthinundherschieber", wrap="anywhere"), size=(30, 80)))
    assert {run.size for run in found} == {4.0} and found[0].text == "an"
    word = "".join(run.text.removesuffix("-") for run in found[1:])
    assert word == "Eisenbahnknotenpunkthinundherschieber"
    assert [run.text[-1] for run in found[1:-1]] == ["-"] * (len(found) - 2)
    assert all(run.width <= 30 + 1e-6 for run in found)
    assert min(len(run.text) for run in found[1:]) > 4  # no piece of a single letter


def test_numbers_and_bold_words_break_without_a_hyphen_of_their_own(el, lay, runs):
    found = runs(lay(el("text", Words("1234567890" * 3, bold=True), wrap="anywhere"), size=(30, 80)))
    assert "".join(texts(found)) == "1234567890" * 3
    assert {run.font for run in found} == {"bold"}


# ---- other scripts ------------------------------------------------------------------------------------------------


def test_a_soft_hyphen_is_printed_only_where_a_line_breaks(el, lay, runs):
    text = "Donau\u00addampf\u00adschiff"
    assert texts(runs(lay(el("text", text)))) == ["Donaudampfschiff"]
    assert texts(runs(lay(el("text", text), size=(4 * advance("Donaudampf-") + 0.1, 80)))) == ["Donaudampf-", "schiff"]
    narrow = (4 * advance("Donaudampf") + 0.1, 80)
    assert texts(runs(lay(el("text", text), size=narrow))) == ["Donau-", "dampfschiff"]


def test_a_word_with_a_hyphen_breaks_after_it(el, lay, runs):
    width = 4 * advance("a self-") + 0.1
    assert texts(runs(lay(el("text", "a self-made man"), size=(width, 80)))) == ["a self-", "made", "man"]
    (run,) = runs(lay(el("text", "a self-made man")))
    assert run.text == "a self-made man" and run.width == pytest.approx(4 * advance(run.text), abs=0.2)


SPECIMENS = paths.ROOT / "docs/specimens/languages"


@pytest.mark.skipif(not SPECIMENS.is_dir(), reason="the documentation is not installed")
def test_lines_from_right_to_left_begin_at_the_right(el, runs, theme):
    """Numbers in them run from left to right, and lines break in the order of reading."""
    stack = (*theme.fonts["regular"], FontFile(SPECIMENS / "fonts/NotoSansHebrew.ttf"))
    hebrew = replace(theme, fonts={**theme.fonts, "regular": stack})
    printed = runs(laid(hebrew, el("text", "כלב 12 נבל"), size=(60, 20)))
    assert [(run.text, run.rtl) for run in printed] == [(" נבל", True), ("12", False), ("כלב ", True)]
    assert printed[-1].x + printed[-1].width == pytest.approx(60)
    lines = runs(laid(hebrew, el("text", "כלב נבל אדם"), size=(printed[-1].width * 2.4, 40)))
    assert texts(lines) == ["כלב נבל", "אדם"]
    assert texts(runs(laid(hebrew, el("text", "see כלב נבל (12)"), size=(60, 20)))) == ["see ", ")", "12", "כלב נבל ("]


@pytest.mark.skipif(not SPECIMENS.is_dir(), reason="the documentation is not installed")
def test_sentences_in_twenty_languages_are_as_wide_as_in_chromium():
    """`docs/pictures/languages.py` records the widths."""
    game = load(SPECIMENS)
    widths = json.loads((SPECIMENS / "reference.json").read_text())
    cards = games.deal(game).cards["cards"]
    assert len(cards) == len(widths) == 20
    for card in cards:
        fonts = family("chinese" if card.id == "zh" else "regular", game.theme.fonts)
        text = paragraph((Words(card.sentence),), fonts, 0.0, False, ())
        assert text.across == pytest.approx(widths[card.id], rel=0.005), card.id
        assert not text.missing


@pytest.mark.skipif(not SPECIMENS.is_dir(), reason="the documentation is not installed")
def test_sentences_in_other_scripts_can_be_copied_from_a_page():
    """In the order of reading, whatever the order in which their letters are drawn."""
    game = load(SPECIMENS)
    press = Press(game, games.deal(game))
    page = PdfDocument(press.component("cards", paper("a4")).pdf)[0].get_textpage().get_text_range()
    copied = "".join(page.split())
    for card in press.deck.cards["cards"][:10]:
        if card.id in ("he", "hi", "th", "ja", "zh", "ko"):
            assert "".join(card.sentence.split()) in copied, card.id


@pytest.mark.parametrize(
    ("balance", "expected"),
    [
        ("none", ["one two three four five", "six"]),
        ("end", ["one two three four", "five six"]),
        ("lines", ["one two three", "four five six"]),
    ],
)
def test_the_last_line_is_not_a_single_word_if_a_text_is_balanced(el, lay, runs, balance, expected):
    width = 4 * advance("one two three four five") + 0.01
    assert texts(runs(lay(el("text", "one two three four five six", balance=balance), size=(width, 80)))) == expected
