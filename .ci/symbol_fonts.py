"""Makes the bundled fonts of symbols and emoji from Noto fonts.

    apt-get download fonts-noto-core fonts-noto-mono && for deb in *.deb; do dpkg-deb -x "$deb" noto; done
    npm pack @expo-google-fonts/noto-emoji@0.4.7 && mkdir emoji && tar xzf expo-*.tgz -C emoji
    python .ci/symbol_fonts.py noto/usr/share/fonts/truetype/noto emoji/package/400Regular/NotoEmoji_400Regular.ttf

The bundled ones come from the packages of Debian 12 (20201225) and from Noto Emoji 3.006. They are saved as WOFF, which
is a third smaller.
"""

from __future__ import annotations

import sys
from pathlib import Path

from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.pens.recordingPen import DecomposingRecordingPen
from fontTools.pens.ttGlyphPen import TTGlyphPen
from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent.parent / "data" / "_shared" / "fonts"
SOURCES = ("NotoSansSymbols2", "NotoSansSymbols", "NotoSansMath", "NotoSans", "NotoSansMono")
"""Each character is taken from the first font that has it."""
BLOCKS = (
    (0x2010, 0x2027),  # punctuation
    (0x2030, 0x205E),
    (0x2070, 0x20FF),  # raised and lowered digits, currencies, enclosing marks
    (0x2100, 0x23FF),  # letters as symbols, fractions, arrows, mathematics, technical signs
    (0x2460, 0x27FF),  # circled numbers, box drawing, shapes, suits, chess, dingbats
    (0x2900, 0x29FF),  # more arrows and mathematics
    (0x2B00, 0x2BFF),  # more arrows and stars
    (0x1F000, 0x1F1E5),  # mahjong, dominoes, playing cards, letters in circles and squares
    (0x1F650, 0x1F67F),  # ornaments
    (0x1F780, 0x1F8FF),  # more shapes and arrows
    (0x1FA00, 0x1FA6F),  # chess and xiangqi
)
OTHERS = "¬±×÷🎭🏆👁💰🔒🔓🕐🕮🕯🕱🖐🗝🗡🗲🗺🛠🛡🜁🜂🜃🜄"


def symbols(folder: Path) -> None:
    """Saves the symbols, without hints and kerning."""
    fonts = [TTFont(folder / f"{name}-Regular.ttf") for name in SOURCES]
    glyphs, widths, characters = {".notdef": TTGlyphPen(None).glyph()}, {".notdef": (600, 0)}, {}
    wanted = {code for first, last in BLOCKS for code in range(first, last + 1)} | set(map(ord, OTHERS))
    for code in sorted(wanted):
        font = next((font for font in fonts if code in font.getBestCmap()), None)
        if font:
            pen, drawing = TTGlyphPen(None), DecomposingRecordingPen(font.getGlyphSet())
            source = font.getBestCmap()[code]
            font.getGlyphSet()[source].draw(drawing)
            drawing.replay(pen)
            characters[code] = name = f"u{code:04X}"
            glyphs[name] = pen.glyph()
            widths[name] = font["hmtx"][source]
    builder = FontBuilder(1000)
    builder.setupGlyphOrder([*glyphs])
    builder.setupCharacterMap(characters)
    builder.setupGlyf(glyphs)
    builder.setupHorizontalMetrics(widths)
    builder.setupHorizontalHeader(ascent=1069, descent=-293)
    names = {"familyName": "Pencilbox Symbols", "styleName": "Regular", "psName": "PencilboxSymbols-Regular"}
    builder.setupNameTable(names | {"version": f"Version 2.0; parts of {', '.join(SOURCES)}"})
    builder.setupOS2(sTypoAscender=1069, sTypoDescender=-293, sCapHeight=714)
    builder.setupPost(keepGlyphNames=False)
    save(builder.font, "PencilboxSymbols-Regular.woff")


def emoji(file: Path) -> None:
    """Saves the emoji with their sequences."""
    subsetter = subset.Subsetter(
        subset.Options(layout_features=["*"], drop_tables=["vhea", "vmtx", "STAT"], hinting=False)
    )
    font = TTFont(file)
    subsetter.populate(unicodes=font.getBestCmap())
    subsetter.subset(font)
    save(font, "NotoEmoji-Regular.woff")


def save(font: TTFont, name: str) -> None:
    """Saves a font with a fixed date, so that the same sources give the same bytes."""
    font["head"].created = font["head"].modified = 0
    font.recalcTimestamp, font.flavor = False, "woff"
    font.save(FONTS / name)


if __name__ == "__main__":
    symbols(Path(sys.argv[1]))
    emoji(Path(sys.argv[2]))
