from __future__ import annotations

import shutil
from types import SimpleNamespace

import pytest
from reportlab.pdfbase import pdfmetrics

from generator import paths
from generator.errors import InputError
from generator.text import fonts
from generator.text.lines import family

LATO = paths.SHARED_DATA / "fonts" / "Lato-Regular.ttf"


def test_a_font_is_registered_under_its_own_name():
    font = fonts.load(LATO)
    assert font.name == "Lato-Regular"
    assert pdfmetrics.stringWidth("Breite", font.name, 10) == pytest.approx(fonts.width("Breite", font, 10))
    assert fonts.load(LATO) is font


def test_a_font_of_ones_own_is_named_by_its_content(tmp_path):
    """Neither another folder nor another file name changes it, and it does not take the place of the shipped one."""
    mine, yours = tmp_path / "mine.ttf", tmp_path / "yours.ttf"
    shutil.copy(LATO, mine)
    shutil.copy(LATO, yours)
    name = fonts.load(mine).name
    assert name.startswith("Lato-Regular-") and len(name) == len("Lato-Regular-") + 8
    assert fonts.load(yours).name == name


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (
            b"OTTO\0\0\0\0",
            "an OpenType font with CFF outlines, which cannot be embedded; use its TrueType (.ttf) version",
        ),
        (b"ttcf\0\0\0\0", "a collection of fonts (.ttc); save the one you want as .ttf"),
        (b"wOF2\0\0\0\0", "a web font; use its .ttf version"),
        (b"%PDF-1.4", "not a TrueType font"),
        (b"\0\1\0\0", "not usable as a font: "),
        (LATO.read_bytes()[:3000], "not usable as a font: "),
    ],
)
def test_other_fonts_are_refused_with_a_reason(tmp_path, raw, told):
    path = tmp_path / "font.ttf"
    path.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        fonts.load(path)
    assert str(caught.value).startswith(f"{path}: {told}")


def test_a_font_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="cannot be read: no such file"):
        fonts.load(tmp_path / "none.ttf")


def test_missing_characters_come_once_each():
    assert fonts.load(LATO).missing("a★b▼★\t") == ["★", "▼", "\t"]
    assert fonts.load(LATO).missing("Grüße — “5” ≠ 6 − 1\u00a0€") == []


def test_letters_are_as_wide_as_the_font_says_and_no_others_are_there():
    font = fonts.load(LATO)
    face = pdfmetrics.getFont(font.name).face
    shown = [chr(code) for code, glyph in face.charToGlyph.items() if glyph and chr(code).isprintable()]
    assert len(shown) > 500 and font.missing("".join(shown)) == []
    assert [font.letters[letter] for letter in shown] == [face.charWidths[ord(letter)] / 1000 for letter in shown]
    assert fonts.width("A★A", font) == 2 * font.letters["A"]
    with pytest.raises(KeyError):
        font.letters["★"]


def test_a_font_without_any_space_has_a_hard_one_all_the_same():
    letters = fonts.Letters(SimpleNamespace(charToGlyph={0x41: 1, 0xA0: 0}, charWidths={0x41: 600.0, 0xA0: 0.0}))
    assert letters["\u00a0"] == 0.25
    assert [letter for letter in "A \u00a0\x07" if letters.has(letter)] == ["A", "\u00a0"]


@pytest.mark.parametrize(
    ("font", "keys"),
    [
        ("regular", ("regular", "bold", "italic", "bold-italic")),
        ("bold", ("bold", "bold", "bold-italic", "bold-italic")),
        ("black", ("black", "black", "black", "black")),
        ("slab", ("slab", "slab-bold", "slab", "slab-bold")),
    ],
)
def test_families(theme, font, keys):
    files = {**theme.fonts, "slab": LATO, "slab-bold": LATO}
    assert family(font, files).keys == keys


def test_a_theme_with_a_single_font():
    assert family("regular", {"regular": LATO}).keys == ("regular",) * 4
