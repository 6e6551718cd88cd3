"""Words that are only kerned are shaped from pairs of letters, and come out as HarfBuzz shapes them whole."""

from __future__ import annotations

import random

import pytest
from fontTools.feaLib.builder import addOpenTypeFeaturesFromString
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import newTable
from fontTools.ttLib.tables._k_e_r_n import KernTable_format_0

from generator import paths
from generator.text import fonts

BUNDLED = sorted((paths.SHARED_DATA / "fonts").glob("Lato-*.ttf"))
ASCII = "".join(map(chr, range(0x21, 0x7F)))
OFTEN = "ffiitltjAVTo1/7-"
ALPHABETS = ("éøüßfiąłőŞşijĳŁ’–oav«»", "αΑάΰϊΤΡςοφ·’-12", "жТУГодйїєґ«»’-12", "°×½€éfЖα’")
"""Letters beyond ASCII; the last ones never make a word of one script."""


class Whole(fonts.Font):
    """A font whose words are all shaped by HarfBuzz."""

    def _kerned_in_pairs(self, word):
        return None


def words(count, seed):
    draw = random.Random(seed)
    for number in range(count):
        yield "".join(draw.choices(OFTEN if number % 2 else ASCII, k=draw.randint(1, 8)))


def words_beyond_ascii():
    draw = random.Random(3)
    for letters in ALPHABETS:
        for _ in range(60):
            yield "".join(draw.choices(letters, k=draw.randint(1, 6)))


def shaped_in_pairs(font, count=150):
    """How many random words are shaped from pairs; all words must be equal to those of HarfBuzz."""
    whole = Whole(font.faces)
    for tracked in (False, True):
        for word in words(count, tracked):
            assert font.shaped(word, tracked=tracked) == whole.shaped(word, tracked=tracked), (font.name, word)
    return sum(font._kerned_in_pairs(word) is not None for word in words(count, 0))


@pytest.mark.parametrize("path", BUNDLED, ids=lambda path: path.stem)
def test_words_of_bundled_fonts_are_shaped_alike(path):
    assert shaped_in_pairs(fonts.load(path)) > 100


def test_words_with_letters_beyond_ascii_are_shaped_alike():
    font, in_pairs = fonts.load(BUNDLED[-1]), 0
    whole = Whole(font.faces)
    for word in words_beyond_ascii():
        shaped, expected = font.shaped(word), whole.shaped(word)
        assert shaped[:3] == (pytest.approx(expected.width), *expected[1:3]), word
        glyphs, expected_glyphs = font.glyphs(word), whole.glyphs(word)
        for glyph, like in zip(glyphs, expected_glyphs, strict=True):
            assert glyph == like._replace(advance=pytest.approx(like.advance)), word
        in_pairs += shaped.kerning is not None
    assert in_pairs > 120


@pytest.fixture
def font(tmp_path):
    """Makes a font with these rules (in the language of Adobe's feature files)."""

    def make(features="", kern=None):
        names = {ord(letter): letter if letter.isalpha() else f"g{ord(letter)}" for letter in ASCII}
        glyphs = [".notdef", *names.values(), "joined", "f.alt"]
        builder = FontBuilder(1000)
        builder.setupGlyphOrder(glyphs)
        builder.setupCharacterMap(names)
        builder.setupGlyf({name: TTGlyphPen(None).glyph() for name in glyphs})
        builder.setupHorizontalMetrics({name: (500 + 3 * at, 0) for at, name in enumerate(glyphs)})
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"familyName": "Rules", "styleName": "Regular", "psName": "Rules-Regular"})
        builder.setupOS2()
        builder.setupPost()
        if features:
            addOpenTypeFeaturesFromString(builder.font, features)
        if kern:
            table = KernTable_format_0()
            table.kernTable = {(one, two): value for (one, two), value in kern.items()}
            table.coverage, table.version, table.format = 1, 0, 0
            builder.font["kern"] = newTable("kern")
            builder.font["kern"].version, builder.font["kern"].kernTables = 0, [table]
        file = tmp_path / "rules.ttf"
        builder.save(file)
        return fonts.Font([*fonts.load(file).faces])

    return make


@pytest.mark.parametrize(
    ("features", "in_pairs"),
    [
        ("", "fiVA"),
        ("feature kern { pos A V -80; pos V A -60; } kern;", "AVA"),
        ("feature kern { pos [A V] i -80; } kern;", "AVi"),
        ("feature kern { pos A V -80; } kern; feature smcp { sub A by f.alt; } smcp;", "AV"),
        ("feature liga { sub f i t by joined; } liga;", "fVit"),
    ],
)
def test_letters_that_are_only_kerned(font, features, in_pairs):
    font = font(features)
    assert shaped_in_pairs(font) and font._kerned_in_pairs(in_pairs)


@pytest.mark.parametrize(
    ("features", "whole"),
    [
        ("feature kern { pos A <0 0 -80 0> V <0 0 -5 0>; pos V A -60; } kern;", "AVA"),
        ("feature kern { pos A <10 0 -80 0> V <NULL>; } kern;", "AV"),
        ("feature kern { pos A V' -80 A; } kern;", "AVA"),
        ("feature kern { lookupflag IgnoreBaseGlyphs; pos A V -80; } kern;", "AV"),
        ("feature kern { pos A -9; } kern;", "A"),
        ("feature liga { sub f i t by joined; } liga;", "fit"),
        ("feature ccmp { sub f by f.alt; } ccmp;", "f"),
        ("feature calt { sub f' i t by f.alt; } calt;", "fit"),
        ("feature calt { sub A V f' by f.alt; sub A t f' by f.alt; sub i f' by f.alt; } calt;", "AVf"),
        ("feature calt { rsub A f' by f.alt; } calt;", "Af"),
        ("table GDEF { GlyphClassDef , , [A], ; } GDEF;", "A"),
    ],
)
def test_letters_that_are_more_than_kerned_are_left_to_harfbuzz(font, features, whole):
    font = font(features)
    shaped_in_pairs(font)
    assert font._kerned_in_pairs(whole) is None


def test_an_old_table_of_kerning_moves_both_letters(font):
    font = font(kern={"AV": -80, "fi": 30})
    assert shaped_in_pairs(font) and font._kerned_in_pairs("AV") is None
    assert font._kerned_in_pairs("VAlf")


def test_a_damaged_table_of_rules_leaves_all_letters_to_harfbuzz(font, tmp_path):
    raw = bytearray(font("feature kern { pos A V -80; } kern;").faces[0].path.read_bytes())
    offset = raw.rindex(b"kern") + len("kern")
    raw[offset : offset + 2] = b"\xff\xf0"
    (tmp_path / "damaged.ttf").write_bytes(raw)
    assert shaped_in_pairs(fonts.load(tmp_path / "damaged.ttf")) == 0
