"""The font for text typed into a form: a subset of a TrueType font, with the letters of the Latin alphabets.

A simple font (ISO 32000-1:2008, 9.6) has 255 codes. All viewers measure and draw simple fonts in the same way, unlike
composite ones (9.7), so this one uses the codes that the usual encoding spends on symbols for more letters. If a letter
is missing, viewers draw it in a font of their own.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from ..paths import SHARED_DATA
from ..text import fonts
from .fonts import bounds, stream, subset

_BUNDLED = SHARED_DATA / "fonts" / "Lato-Bold.ttf"
_CONTROL = frozenset((8, 9, 10, 12, 13))
"""Codes that a viewer might take for a line break or a tab."""
_ASCII = {code: chr(code) for code in range(32, 127)}
_LATIN_1 = {code: chr(code) for code in range(0xC0, 0x100) if chr(code) not in "×÷"}
_MORE_LETTERS = (
    "ĄąĆćĘęŁłŃńŚśŹźŻżČčĎďĚěŇňŘřŠšŤťŮůŽžĹĺĽľŔŕŐőŰűĐđĞğİıŞşĂăȘșȚțĀāĒēĪīŪūĢģĶķĻļŅņĖėĮįŲųŒœŸ"  # European alphabets
    "’‘“”–−…€≠"
)
_FREE_CODES = [code for code in (*range(128, 256), *range(1, 32)) if code not in _LATIN_1 and code not in _CONTROL]
_LETTERS = {**_ASCII, **_LATIN_1, **dict(zip(_FREE_CODES, _MORE_LETTERS, strict=False))}
_TO_UNICODE = """/CIDInit /ProcSet findresource begin 12 dict begin begincmap
/CIDSystemInfo <</Registry(Adobe)/Ordering(UCS)/Supplement 0>> def
/CMapName /Adobe-Identity-UCS def /CMapType 2 def
1 begincodespacerange <00> <FF> endcodespacerange
{}endcmap CMapName currentdict /CMap defineresource pop end end"""
_BLOCK_SIZE = 100
"""The maximum number of lines in a block of a CMap."""


class FormFont(NamedTuple):
    """The objects of a font as PDF code. `descriptor` and `font` have placeholders for the numbers of the objects that
    they refer to: `{program}`, and `{descriptor}` and `{to_unicode}`. `widths` are the widths of letters as shares of
    the type size."""

    program: str
    to_unicode: str
    descriptor: str
    font: str
    widths: dict[str, float]


@lru_cache(maxsize=8)
def form_font(files: fonts.Files) -> FormFont:
    """Builds the font from the first TrueType file, or from a bundled one if there is none. Raises InputError for a
    file that cannot be used."""
    faces = (*fonts.load(files).faces, *fonts.load(_BUNDLED).faces)
    face = next(face for face in faces if not face.is_cff and face.glyph("A"))
    letters = {code: letter for code, letter in sorted(_LETTERS.items()) if face.glyph(letter)}
    widths = {code: round(1000 * face.width(face.glyph(letter))) for code, letter in letters.items()}
    box = " ".join([str(round(edge * 1000 / face.upem)) for edge in bounds(face)])
    name = "PENCIL+" + face.name
    program, _ = subset(face, letters=letters.values())
    return FormFont(
        program=stream(program, f"/Length1 {len(program)}"),
        to_unicode=stream(_to_unicode(letters).encode()),
        descriptor=(
            f"<</Type/FontDescriptor/FontName/{name}/Flags 32/FontBBox[{box}]/ItalicAngle 0"
            f"/Ascent {1000 * face.ascent:.0f}/Descent {-1000 * face.descent:.0f}"
            f"/CapHeight {1000 * face.cap_height:.0f}/StemV 80/FontFile2 {{program}} 0 R>>"
        ),
        font=(
            f"<</Type/Font/Subtype/TrueType/BaseFont/{name}/FirstChar 1/LastChar 255"
            f"/Widths[{' '.join([str(widths.get(code, 0)) for code in range(1, 256)])}]"
            f"/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[{_differences(letters)}]>>"
            "/FontDescriptor {descriptor} 0 R/ToUnicode {to_unicode} 0 R>>"
        ),
        widths={letter: widths[code] / 1000 for code, letter in letters.items()},
    )


def _differences(letters: dict[int, str]) -> str:
    """The codes whose letters differ from WinAnsiEncoding, with the glyph names of those letters (9.6.6)."""
    standard = _ASCII | _LATIN_1
    return " ".join([f"{code}/uni{ord(letter):04X}" for code, letter in letters.items() if code not in standard])


def _to_unicode(letters: dict[int, str]) -> str:
    rows = [f"<{code:02X}> <{ord(letter):04X}>\n" for code, letter in letters.items()]
    blocks = [rows[first : first + _BLOCK_SIZE] for first in range(0, len(rows), _BLOCK_SIZE)]
    return _TO_UNICODE.format("".join([f"{len(block)} beginbfchar\n{''.join(block)}endbfchar\n" for block in blocks]))
