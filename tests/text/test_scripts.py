"""Texts in scripts that the bundled fonts do not have: where lines begin and end."""

import builtins

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from msgspec.structs import replace

from generator.errors import noting
from generator.faces.face import Words
from generator.faces.filters import extent
from generator.geometry.outlines import Rect
from generator.layout.ink import Ink, write
from generator.model.game import FontFile
from generator.text.breaks import hyphenated
from generator.text.lines import fitted, setting
from generator.text.words import paragraph

RUNNING = {
    "ja": "夜に二倍になります。次の通りへ移動してください。",
    "zh": "人人生而自由，在尊嚴和權利上一律平等。",
    "ko": "모든 인간은 태어날 때부터 자유로우며 존엄과 권리에 있어 동등하다",
    "th": "มนุษย์ทั้งหลายเกิดมามีอิสระและเสมอภาคกัน",
    "km": "មនុស្សទាំងអស់កើតមកមានសេរីភាពនិងសមភាព",
    "ar": "يولدجميعالناسأحرارامتساوينفيالكرامة",
    "en": "All human beings are born free and equal in dignity",
}


@pytest.fixture(scope="module")
def font(tmp_path_factory):
    """A font with all letters of these texts, each as wide as it is high."""
    letters = sorted({*"".join(RUNNING.values()), "-"})
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", *(f"u{ord(letter):04X}" for letter in letters)])
    builder.setupCharacterMap({ord(letter): f"u{ord(letter):04X}" for letter in letters})
    pen = TTGlyphPen(None)
    pen.moveTo((0, 0)), pen.lineTo((0, 700)), pen.lineTo((500, 0)), pen.closePath()
    names = builder.font.getGlyphOrder()
    builder.setupGlyf({name: pen.glyph() for name in names})
    builder.setupHorizontalMetrics(dict.fromkeys(names, (1000, 0)))
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "All", "styleName": "Regular", "psName": "All"})
    builder.setupOS2()
    builder.setupPost()
    file = tmp_path_factory.mktemp("fonts") / "all.ttf"
    builder.save(file)
    return file


@pytest.fixture
def written(theme, font):
    """The lines of a text in a box: their left ends and their texts."""

    def lines(text, width, **attributes):
        themed = replace(theme, fonts={"regular": (FontFile(font),)}, styles={"body": theme.styles["body"]})
        style = setting({"font_size": 2.0, "floor": 2.0, **attributes}, themed)
        words = paragraph((Words(text),), style.family, 0.0, False, icons=(), language=style.language)
        ink = Ink(Rect(0, 0, 100, 100), 0.0)
        write(ink, fitted(words, style, width), style, Rect(0, 0, width, 100))
        return [(round(run.x, 2), run.text) for run in ink.items]

    return lines


@pytest.mark.parametrize(("language", "centred"), [("ja", False), ("zh", False), ("ko", False), ("en", True)])
def test_running_text_in_chinese_japanese_or_korean_begins_on_the_left(written, language, centred):
    lines = written(RUNNING[language], 15, align="auto")
    assert len(lines) > 2 and any(x > 0.1 for x, _ in lines) == centred
    assert any(x > 0.1 for x, _ in written(RUNNING[language], 15, align="center"))  # if a template says so


def test_a_short_text_in_chinese_or_japanese_may_be_centred(written):
    assert written("夜に。", 21, align="auto") == [(7.5, "夜に。")]
    assert [x for x, _ in written("次の通り移動", 9, align="auto")] == [0.5, 2.5]
    assert [x for x, _ in written("次の通り。移動", 11, align="auto")] == [0.0, 0.0]


@pytest.mark.parametrize("language", ["th", "km", "ja", "zh", "ar"])
def test_scripts_without_hyphens_get_none(written, language):
    """Neither by the patterns of a language nor where a long word is broken anywhere."""
    assert hyphenated(RUNNING[language], language if language != "km" else "th") == RUNNING[language]
    text = RUNNING[language].replace(" ", "")
    lines = written(text, 15, wrap="anywhere", language=language)
    assert len(lines) > 2 and not any("-" in line for _, line in lines)
    assert "".join(line for _, line in lines) == text


@pytest.mark.parametrize(
    ("text", "width", "notes"), [("th", 21, 1), ("km", 21, 1), ("th", 200, 0), ("ja", 21, 0), ("en", 21, 0)]
)
def test_lines_that_need_a_dictionary_are_noted(written, monkeypatch, text, width, notes):
    installed = builtins.__import__

    def missing(name, *rest):
        if name.startswith("icu4py"):
            raise ImportError(name)
        return installed(name, *rest)

    monkeypatch.setattr(builtins, "__import__", missing)
    with noting() as noted:
        written(RUNNING[text], width, wrap="anywhere")
    assert [str(note) for note in noted] == notes * [
        "lines of Thai, Lao, Khmer or Burmese break only at spaces; "
        "with pip install 'pencilbox[languages]', lines of Thai, Lao, Khmer and Burmese break between words"
    ]


def test_wide_characters_count_twice():
    assert extent("夜に Tag") == (8, 3, 0)
    assert extent("夜に\n長い") == (9, 2, 1)
    assert extent("One day") == (7, 3, 0)
