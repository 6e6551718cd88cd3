from __future__ import annotations

import shutil
import time
from io import BytesIO
from math import fsum

import pytest
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTCollection, TTFont
from fontTools.ttLib.tables.DefaultTable import DefaultTable
from fontTools.ttLib.tables.TupleVariation import TupleVariation
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from generator import paths
from generator.errors import InputError
from generator.model.game import FontFile
from generator.pdf.fonts import subset
from generator.text import font_files, fonts
from generator.text.lines import family

LATO = paths.SHARED_DATA / "fonts" / "Lato-Regular.ttf"


def test_a_font_is_loaded_once_under_its_own_name():
    font = fonts.load(LATO)
    assert font.name == "Lato-Regular" and fonts.load(LATO) is font
    assert fonts.width("Breite", font, 10) == pytest.approx(26.335, abs=0.005)


def test_your_own_font_is_named_by_its_content(tmp_path):
    """The folder and file name do not matter, and it does not replace the shipped font."""
    mine, yours = tmp_path / "mine.ttf", tmp_path / "yours.ttf"
    shutil.copy(LATO, mine)
    shutil.copy(LATO, yours)
    name = fonts.load(mine).name
    assert name.startswith("Lato-Regular-") and len(name) == len("Lato-Regular-") + 8
    assert fonts.load(yours).name == name


@pytest.mark.parametrize(
    ("raw", "told"),
    [
        (b"OTTO\0\0\0\0", "this font is damaged"),
        (b"ttcf\0\0\0\0", "is a collection of fonts"),
        (b"wOFF\0\0\0\0", "this font is damaged"),
        (b"wOF2\0\0\0\0", "compressed web fonts (WOFF2) are not supported; use its .ttf, .otf or .woff version"),
        (b"%PDF-1.4", "this is not a TrueType, OpenType or WOFF font; use a .ttf or .otf file"),
        (b"\0\1\0\0", "this font is damaged"),
        (LATO.read_bytes()[:3000], "this font is damaged"),
        (LATO.read_bytes()[:-60_000], "this font is damaged"),
    ],
)
def test_other_fonts_are_refused_with_a_reason(tmp_path, raw, told):
    path = tmp_path / "font.ttf"
    path.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        fonts.load(path)
    assert str(caught.value).startswith(f"{path}: {told}")


def patched(table, offset, value):
    """Lato with some bytes of a table replaced."""
    raw = bytearray(LATO.read_bytes())
    for entry in range(12, 12 + 16 * int.from_bytes(raw[4:6], "big"), 16):
        if raw[entry : entry + 4] == table:
            start = int.from_bytes(raw[entry + 8 : entry + 12], "big") + offset
            raw[start : start + len(value)] = value
    return bytes(raw)


def characters_claimed(first, last):
    """Lato with a `cmap` of one group of characters (format 12)."""
    group = b"".join(number.to_bytes(4, "big") for number in (28, 0, 1, first, last, 1))
    return patched(b"cmap", 0, bytes([0, 0, 0, 1, 0, 3, 0, 10, 0, 0, 0, 12, 0, 12, 0, 0]) + group)


@pytest.mark.parametrize(
    "raw",
    [
        patched(b"head", 18, b"\0\0"),
        patched(b"maxp", 4, b"\xff\xff"),
        patched(b"hhea", 34, b"\xff\xff"),
        patched(b"loca", 40, b"\xff\xff\xff\xff"),
    ],
    ids=["units per em", "glyphs", "metrics", "outlines"],
)
def test_a_damaged_font_is_reported_in_one_line_when_loaded(tmp_path, raw):
    path = tmp_path / "font.ttf"
    path.write_bytes(raw)
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        fonts.load(path)
    assert (
        str(caught.value).startswith(f"{path}: this font is damaged") and len(str(caught.value)) < len(str(path)) + 200
    )
    assert time.process_time() - start < 2


@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(st.tuples(st.integers(0, 1_500), st.integers(0, 255)), min_size=1, max_size=4))
def test_changed_bytes_of_a_font_are_an_input_error_or_harmless(tmp_path_factory, changes):
    raw = bytearray(LATO.read_bytes())
    for at, value in changes:
        raw[at] = value
    path = tmp_path_factory.mktemp("fonts") / "font.ttf"
    path.write_bytes(raw)
    try:
        fonts.width("Hello", fonts.load(path))
    except InputError as error:
        assert len(error.problems) == 1


@pytest.mark.parametrize(
    "raw",
    [patched(b"head", 20, b"\0" * 16), patched(b"name", 0, b"\xff" * 200), characters_claimed(0, 0xFFFFFFFF)],
    ids=["dates", "names", "characters"],
)
def test_a_strange_but_usable_font_is_loaded_silently(tmp_path, caplog, raw):
    path = tmp_path / "font.ttf"
    path.write_bytes(raw)
    start = time.process_time()
    assert fonts.load(path).has("a")
    assert not caplog.records and time.process_time() - start < 2


def test_a_sparse_font_is_not_read_completely(tmp_path):
    path = tmp_path / "font.ttf"
    with path.open("wb") as stream:
        stream.write(b"\0\1\0\0")
        stream.truncate(3_000_000_000)
    with pytest.raises(InputError, match="larger than 32 MB"):
        fonts.load(path)


def test_a_missing_font(tmp_path):
    with pytest.raises(InputError, match="cannot be read: no such file"):
        fonts.load(tmp_path / "none.ttf")


def test_each_missing_character_is_reported_once():
    assert fonts.load(LATO).missing("a★b\ue000▼\ue000\t") == ["\ue000", "\t"]
    assert fonts.load(LATO).missing("Grüße — “5” ≠ 6 − 1\u00a0€") == []


def test_words_are_kerned_and_joined_as_the_font_says():
    font = fonts.load(LATO)
    assert fonts.width("AVA", font) < fonts.width("A", font) * 2 + fonts.width("V", font) - 0.1
    office = font.glyphs("office")
    assert [glyph.text for glyph in office] == ["o", "ffi", "c", "e"]
    assert font.shaped("office").width == pytest.approx(fsum(glyph.advance for glyph in office))
    spread = font.shaped("office", tracked=True)
    assert [glyph.text for glyph in font.glyphs("office", tracked=True)] == [*"office"] and spread.tracked == 6
    assert font.width("office of", 0.1) == pytest.approx(
        spread.width + font.shaped("of", tracked=True).width + font.space + 0.9
    )


def test_ordinary_words_have_the_same_glyphs_as_others():
    font = fonts.load(LATO)
    for word in ("AVATAR", "Type,", "(1234)", "W.", "moon"):
        shaped = font.shaped(word)
        assert shaped.kerning is not None
        expected = font._part(0, word, "Latn", False, False)
        assert [replace(glyph, advance=0) for glyph in font.glyphs(word)] == [
            replace(glyph, advance=0) for glyph in expected
        ]
        advances = [glyph.advance for glyph in expected]
        assert [glyph.advance for glyph in font.glyphs(word)] == pytest.approx(advances)
        assert shaped.width == pytest.approx(fsum(glyph.advance for glyph in expected))


def test_missing_letters_are_left_out():
    font = fonts.load(LATO)
    assert font.shaped("A\ue000A").missing == ("\ue000",)
    assert fonts.width("A\ue000A", font) == pytest.approx(fonts.width("AA", font), abs=0.05)


def test_a_space_and_a_no_break_space_are_equally_wide():
    font = fonts.load(LATO)
    assert font.width("a\u00a0b") == font.width("a b") == pytest.approx(font.width("a") + font.space + font.width("b"))


def test_accents_stay_with_their_letters():
    assert [*fonts.clusters("e\u0301a👩\u200d🚀")] == ["e\u0301", "a", "👩\u200d🚀"]
    (glyph,) = fonts.load(LATO).shaped("e\u0301").glyphs
    assert glyph.text == "e\u0301"


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
    files = {**theme.fonts, "slab": (FontFile(LATO),), "slab-bold": (FontFile(LATO),)}
    assert family(font, files).keys == keys


def test_a_theme_with_a_single_font():
    assert family("regular", {"regular": (FontFile(LATO),)}).keys == ("regular",) * 4


def test_each_character_uses_the_first_font_that_has_it():
    font = fonts.load((FontFile(LATO.with_name("Lato-Bold.ttf")), FontFile(LATO)))
    assert [(glyph.face, glyph.text) for glyph in font.shaped("a♥b").glyphs] == [(0, "a"), (2, "♥"), (0, "b")]
    assert font.missing("♠♥♦♣★☐→⚀①\ufe0f") == []


def test_a_variant_of_a_plain_font_is_refused():
    with pytest.raises(InputError, match="has no variant “Thin”; leave out “#Thin”"):
        fonts.load((FontFile(LATO, "Thin"),))


def web_font(raw):
    """A font as a web font (WOFF)."""
    font, file = TTFont(BytesIO(raw)), BytesIO()
    font.flavor = "woff"
    font.save(file)
    return file.getvalue()


def test_a_web_font_is_unpacked(tmp_path):
    (tmp_path / "font.woff").write_bytes(web_font(LATO.read_bytes()))
    font = fonts.load(tmp_path / "font.woff")
    assert font.name.startswith("Lato-Regular-") and font.width("Breite") == fonts.load(LATO).width("Breite")


def test_a_font_of_a_collection_is_chosen_by_number_or_name(tmp_path):
    light, bold = LATO, LATO.with_name("Lato-Black.ttf")
    collection = TTCollection()
    collection.fonts = [TTFont(light), TTFont(bold)]
    collection.save(tmp_path / "lato.ttc")
    file = tmp_path / "lato.ttc"
    for part, expected in (("1", light), ("2", bold), ("Lato-Black", bold)):
        assert fonts.load((FontFile(file, part),)).width("Breite") == fonts.load(expected).width("Breite")
    with pytest.raises(
        InputError,
        match=r"to its name in theme.yaml or after --font: #1 \(Lato-Regular\), #2 \(Lato-Black\)",
    ):
        fonts.load(file)


@pytest.fixture(scope="module")
def variable(tmp_path_factory):
    """A font with the letter A, whose bar is 200 units wide at weight 400 and 400 at 900."""
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([".notdef", "A"])
    builder.setupCharacterMap({ord("A"): "A"})
    pen = TTGlyphPen(None)
    for step, point in enumerate([(100, 0), (100, 700), (300, 700), (300, 0)]):
        pen.lineTo(point) if step else pen.moveTo(point)
    pen.closePath()
    builder.setupGlyf({".notdef": TTGlyphPen(None).glyph(), "A": pen.glyph()})
    builder.setupHorizontalMetrics({".notdef": (500, 0), "A": (400, 100)})
    builder.setupHorizontalHeader(ascent=800, descent=-200)
    builder.setupNameTable({"familyName": "Bar", "styleName": "Regular", "psName": "Bar-Regular"})
    builder.setupFvar([("wght", 400, 400, 900, "Weight")], [{"location": {"wght": 900}, "stylename": "Heavy"}])
    wider = [(0, 0), (0, 0), (200, 0), (200, 0), (0, 0), (200, 0), (0, 0), (0, 0)]
    builder.setupGvar({"A": [TupleVariation({"wght": (0, 1, 1)}, wider)]})
    builder.setupOS2()
    builder.setupPost()
    file = tmp_path_factory.mktemp("fonts") / "bar.ttf"
    builder.save(file)
    return file


def test_a_weight_of_a_variable_font_is_chosen_by_name_or_number(variable):
    def width(part):
        return fonts.load((FontFile(variable, part),)).width("A")

    assert (width(""), width("Heavy"), width("wght=650")) == (0.4, 0.6, 0.5)
    with pytest.raises(InputError, match="has no variant “Thin”; add one of these to its name: #Heavy, #wght=400"):
        width("Thin")


def test_a_variable_font_is_embedded_at_its_weight(variable):
    face = fonts.load((FontFile(variable, "Heavy"),)).faces[0]
    program, glyphs = subset(face, [face.glyph("A")])
    embedded = TTFont(BytesIO(program))
    glyph = embedded.getGlyphName(glyphs[face.glyph("A")])
    assert "gvar" not in embedded and embedded["hmtx"][glyph] == (600, 100)
    assert embedded["glyf"][glyph].xMax == 500


@pytest.mark.parametrize(("language", "word", "changed"), [("tr", "fi", True), ("ro", "ţ", True), ("de", "fi", False)])
def test_letters_have_the_forms_of_a_language(language, word, changed):
    """No ligature of f and i in Turkish, which would look like fı; a comma below ț in Romanian."""
    usual, own = (fonts.load((FontFile(LATO, "", name),)).glyphs(word) for name in ("", language))
    assert (usual != own) is changed
    assert "".join(glyph.text for glyph in own) == word


# ---- families


@pytest.fixture
def made(tmp_path):
    """Saves a font with a family, a weight and perhaps a slant, which has a few letters."""

    def saved(name, family="Mine", weight=400, italic=False, letters="AB"):
        builder = FontBuilder(1000)
        names = {ord(letter): f"u{ord(letter):04X}" for letter in letters}
        glyphs = [".notdef", *names.values()]
        builder.setupGlyphOrder(glyphs)
        builder.setupCharacterMap(names)
        pen = TTGlyphPen(None)
        pen.moveTo((0, 0)), pen.lineTo((0, 700)), pen.lineTo((500, 0)), pen.closePath()
        builder.setupGlyf({name: pen.glyph() for name in glyphs})
        builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (500, 0)))
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        names = {"familyName": family, "styleName": "Regular", "psName": name.partition(".")[0]}
        builder.setupNameTable(names)
        builder.setupOS2(usWeightClass=weight, fsSelection=1 if italic else 64)
        builder.setupPost()
        builder.save(tmp_path / name)
        return tmp_path / name

    return saved


def used(files, style):
    """The names of the files that a style uses."""
    return [file.path.stem for file in font_files.chosen([FontFile(file, style=style) for file in files])]


def test_every_style_takes_the_file_of_a_family_that_suits_it(made):
    files = [made("a.ttf"), made("b.ttf", weight=700), made("c.ttf", italic=True), made("d.ttf", "Mine Black", 900)]
    styles = ("regular", "bold", "italic", "bold-italic", "black", "title", "title-bold")
    assert [used(files, style) for style in styles] == [["a"], ["b"], ["c"], ["c"], ["d"], ["a"], ["b"]]


def test_a_family_without_a_weight_or_slant_uses_the_nearest(made):
    files = [made("light.ttf", "Mine Light", 300), made("semibold.ttf", "Mine", 600)]
    assert [used(files, style) for style in ("regular", "black", "italic")] == [["light"], ["semibold"], ["light"]]


def test_digits_come_from_a_font_with_letters(made):
    font = fonts.load((FontFile(made("signs.ttf", letters="12*")), FontFile(LATO)))
    assert [(glyph.face, glyph.text) for glyph in font.glyphs("a1*")] == [(1, "a"), (1, "1"), (0, "*")]
    assert fonts.load(made("digits.ttf", letters="12")).missing("12") == []


def test_families_follow_each_other(made):
    files = [made("a.ttf"), made("x.ttf", "Other", letters="XY"), made("b.ttf", weight=700)]
    assert used(files, "bold") == ["b", "x"]


def test_a_style_takes_its_weight_from_a_variable_font(variable):
    assert [font.part for font in font_files.chosen([FontFile(variable, style="bold"), FontFile(LATO)])] == [
        "wght=700",
        "",
    ]


def test_a_collection_of_one_family_has_its_weights(made, tmp_path):
    collection = TTCollection()
    collection.fonts = [TTFont(made("a.ttf")), TTFont(made("b.ttf", weight=700))]
    collection.save(tmp_path / "both.ttc")
    assert [font_files.chosen([FontFile(tmp_path / "both.ttc", style=style)])[0].part for style in ("bold", "x")] == [
        "2",
        "1",
    ]
    collection.fonts[1] = TTFont(made("c.ttf", "Other"))
    collection.save(tmp_path / "several.ttc")
    with pytest.raises(
        InputError,
        match=r"is a collection of fonts; .* or after --font: #1 \(a\), #2 \(c\)",
    ):
        font_files.chosen([FontFile(tmp_path / "several.ttc", style="bold")])


def test_a_font_with_symbols_in_place_of_letters_is_for_a_style_of_its_own(made):
    file = made("signs.ttf")
    font = TTFont(file)
    font["cmap"].tables = [table for table in font["cmap"].tables if table.format == 4][:1]
    font["cmap"].tables[0].platformID, font["cmap"].tables[0].platEncID = 3, 0
    font.save(file)
    assert fonts.load(file)
    with pytest.raises(InputError, match="this font has symbols in place of letters; use it for a style of its own"):
        fonts.load((FontFile(file, style="regular"),))


def test_a_bitmap_font_is_named(made):
    file = made("bitmap.ttf")
    font = TTFont(file)
    del font["glyf"], font["loca"]
    font["EBDT"] = table = DefaultTable("EBDT")
    table.data = b"\0\2\0\0"
    font.save(file)
    with pytest.raises(InputError, match=r"this font has only bitmaps; use a .ttf or .otf file with outlines"):
        fonts.load(file)


# ---- emoji

SIGNS = {"👍": "thumb", "👩": "woman", "🚀": "rocket", "🇫": "f", "🇷": "r", "🏴": "flag", "❤": "heart"}
SEQUENCES = """feature ccmp {
    sub woman zwj rocket by astronaut;
    sub f r by france;
    sub thumb tone by thumb;
} ccmp;"""


@pytest.fixture(scope="module")
def emoji(tmp_path_factory):
    """Saves a font of a few emoji, some of which are sequences, with a table of colours if it has a name."""

    def saved(colours="", data=b""):
        characters = {ord(sign): name for sign, name in SIGNS.items()} | {0x200D: "zwj", 0x1F3FD: "tone"}
        glyphs = [".notdef", *characters.values(), "astronaut", "france"]
        builder = FontBuilder(1000)
        builder.setupGlyphOrder(glyphs)
        builder.setupCharacterMap(characters)
        pen = TTGlyphPen(None)
        pen.moveTo((0, 0)), pen.lineTo((0, 700)), pen.lineTo((900, 0)), pen.closePath()
        builder.setupGlyf({name: pen.glyph() for name in glyphs})
        builder.setupHorizontalMetrics(dict.fromkeys(glyphs, (1000, 0)))
        builder.setupHorizontalHeader(ascent=800, descent=-200)
        builder.setupNameTable({"familyName": "Signs", "styleName": "Regular", "psName": "Signs-Regular"})
        builder.setupPost()
        builder.addOpenTypeFeatures(SEQUENCES)
        if colours == "COLR":
            builder.setupCOLR({"thumb": [("heart", 0)]})
            builder.setupCPAL([[(1.0, 0.0, 0.0, 1.0)]])
        elif colours:
            builder.font[colours] = table = DefaultTable(colours)
            table.data = data
        file = tmp_path_factory.mktemp("emoji") / "signs.ttf"
        builder.save(file)
        return file

    return saved


def test_emoji_of_several_characters_are_one_glyph_or_missing(emoji, monkeypatch):
    monkeypatch.setattr(fonts, "BUNDLED", ())
    font = fonts.load((FontFile(LATO), FontFile(emoji())))
    for text in ("👍", "👩\u200d🚀", "🇫🇷", "👍\U0001f3fd", "❤\ufe0f", "🇫", "👩🚀"):
        shaped = font.shaped(text)
        assert (shaped.missing, len(shaped.glyphs)) == ((), 2 if text == "👩🚀" else 1), text
        assert "".join(glyph.text for glyph in shaped.glyphs) == text
    england = "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"
    for text in ("👩\u200d👩", "🇷🇫", england, "👩\U0001f3fd", "👩\u200d🚀\u200d❤"):
        assert font.shaped(f"a{text}").missing == (text,), text
    assert font.shaped("👩\u200d🎨").missing == ("🎨",)


@pytest.mark.parametrize(
    ("text", "glyphs"),
    [
        ("➪", 1),
        ("➪➔⇄⮕🠖", 5),
        ("◆♛✂☎✓⚠", 6),
        ("①Ⅷ⅔℃№₿", 6),
        ("═╬█▒⟵∀", 6),
        ("🂡🀄🁣🨀", 4),
        ("😀🦊🫨", 3),
        ("🇩🇪🇧🇷", 2),
        ("👍🏽✊🏿", 2),
        ("👩🏽‍🚀", 1),
        ("👩‍👩‍👧", 1),
        ("🏴󠁧󠁢󠁥󠁮󠁧󠁿", 1),
        ("🏴‍☠️❤️‍🔥", 2),
        ("1️⃣#️⃣", 2),
        ("☀️☀", 2),
        ("🦊‍🚀", 2),
    ],
)
def test_symbols_and_emoji_are_bundled(text, glyphs):
    """Joined emoji that do not exist are drawn one beside the other."""
    shaped = fonts.load(LATO).shaped(text)
    assert (shaped.missing, len(fonts.load(LATO).glyphs(text))) == ((), glyphs)


def test_a_sign_in_emoji_style_is_an_emoji():
    font = fonts.load(LATO)
    assert [font.faces[glyph.face].path for glyph in font.glyphs("⚓️⚓")] == [*reversed(fonts.BUNDLED)]


@pytest.mark.parametrize(
    "text",
    ["提灯を一つ。タワー", "一張卡", "中文", "등불 셋", "שלום", "خذ بطاقة، ٣", "ไทย", "नमस्ते", "[ʁɛˈzɔ̃] θɪŋk", "ㄑㄧ"],
)
def test_many_scripts_are_bundled(text):
    assert not fonts.load(LATO).shaped(text).missing


def test_the_bundled_fonts_are_small():
    assert sum(path.stat().st_size for path in fonts.BUNDLED) < 900_000
    assert sum(path.stat().st_size for path in fonts.SCRIPTS) < 2_000_000


@pytest.mark.parametrize(
    ("table", "data"),
    [
        ("COLR", b""),
        ("CBDT", b"\0\3\0\0"),
        ("sbix", b"\0\1\0\1\0\0\0\0"),
        ("SVG ", b"\0\0\0\0\0\n\0\0\0\0\0\0"),
        ("CBDT", b"without outlines"),
    ],
)
def test_colour_fonts_are_refused_with_an_alternative(emoji, table, data):
    file = emoji(table, data)
    if data == b"without outlines":
        font = TTFont(file)
        del font["glyf"], font["loca"]
        font.save(file)
    with pytest.raises(InputError) as caught:
        fonts.load(file)
    assert str(caught.value) == (
        f"{file}: colour fonts cannot be printed; leave it out: black-and-white emoji come with Pencilbox"
    )
