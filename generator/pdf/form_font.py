"""The font for text typed into a form: a subset of a TrueType font, with the letters of the Latin alphabets.

A simple font (PDF 32000-1:2008, 9.6) has 255 codes. All viewers measure and draw simple fonts in the same way, unlike
composite ones (9.7), so this one uses the codes that the usual encoding spends on symbols for more letters. If a letter
is missing, viewers draw it in a font of their own.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from struct import pack, unpack_from
from typing import Any, NamedTuple

from reportlab.pdfbase.ttfonts import TTFontMaker

from ..text import fonts

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
_GLYPHS_OF_SUBSET = 22
"""The offset of the glyphs in the `cmap` table of reportlab's subsets, which has format 6."""


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
def form_font(path: Path) -> FormFont:
    """Builds the font from a TrueType file. Raises InputError for a file that cannot be used."""
    face = fonts.load(path).letters.face
    letters = {code: letter for code, letter in sorted(_LETTERS.items()) if face.charToGlyph.get(ord(letter))}
    widths = {code: round(face.charWidths[ord(letter)]) for code, letter in letters.items()}
    box = " ".join([str(round(edge)) for edge in face.bbox])
    name = "PENCIL+" + "".join(
        letter for letter in face.name.decode("latin-1") if letter.isascii() and (letter.isalnum() or letter == "-")
    )
    program = _subset(face, [ord(letter) for letter in letters.values()])
    return FormFont(
        program=_stream(program, f"/Length1 {len(program)}"),
        to_unicode=_stream(_to_unicode(letters).encode()),
        descriptor=(
            f"<</Type/FontDescriptor/FontName/{name}/Flags 32/FontBBox[{box}]/ItalicAngle {face.italicAngle:g}"
            f"/Ascent {round(face.ascent)}/Descent {round(face.descent)}/CapHeight {round(face.capHeight)}"
            f"/StemV {face.stemV}/FontFile2 {{program}} 0 R>>"
        ),
        font=(
            f"<</Type/Font/Subtype/TrueType/BaseFont/{name}/FirstChar 1/LastChar 255"
            f"/Widths[{' '.join([str(widths.get(code, 0)) for code in range(1, 256)])}]"
            f"/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[{_differences(letters)}]>>"
            "/FontDescriptor {descriptor} 0 R/ToUnicode {to_unicode} 0 R>>"
        ),
        widths={letter: widths[code] / 1000 for code, letter in letters.items()},
    )


def _subset(face: Any, codes: list[int]) -> bytes:
    """The font reduced to the glyphs of these characters. reportlab's subsets map their own codes to glyphs, but a font
    whose encoding names glyphs needs a map from Unicode (9.6.6.4)."""
    subset = face.makeSubset(codes)
    tables = dict(_tables(subset))
    glyphs = unpack_from(f">{len(codes)}H", tables["cmap"], _GLYPHS_OF_SUBSET)
    maker = TTFontMaker()
    for tag, table in (tables | {"cmap": _unicode_map(dict(zip(codes, glyphs, strict=True)))}).items():
        maker.add(tag, table)
    return bytes(maker.makeStream())


def _tables(program: bytes) -> Iterator[tuple[str, bytes]]:
    """Yields the tag and data of each table in a TrueType file (OpenType specification, “Table Directory”)."""
    (count,) = unpack_from(">H", program, 4)
    for number in range(count):
        tag, _, offset, length = unpack_from(">4sLLL", program, 12 + 16 * number)
        yield tag.decode("latin-1"), program[offset : offset + length]


def _unicode_map(glyphs: Mapping[int, int]) -> bytes:
    """A `cmap` table of format 4 with a segment for every character (OpenType specification, “cmap”)."""
    ends = [*sorted(glyphs), 0xFFFF]
    deltas = [*((glyphs[code] - code) % 0x10000 for code in ends[:-1]), 1]
    count = len(ends)
    power = 1 << (count.bit_length() - 1)
    search = (2 * count, 2 * power, power.bit_length() - 1, 2 * (count - power))
    segments = [*ends, 0, *ends, *deltas, *[0] * count]
    header = (0, 1, 3, 1, 0, 12, 4, 16 + 8 * count, 0)
    return pack(f">{len(header) + len(search) + len(segments)}H", *header, *search, *segments)


def _differences(letters: dict[int, str]) -> str:
    """The codes whose letters differ from WinAnsiEncoding, with the glyph names of those letters (9.6.6)."""
    standard = _ASCII | _LATIN_1
    return " ".join([f"{code}/uni{ord(letter):04X}" for code, letter in letters.items() if code not in standard])


def _to_unicode(letters: dict[int, str]) -> str:
    rows = [f"<{code:02X}> <{ord(letter):04X}>\n" for code, letter in letters.items()]
    blocks = [rows[first : first + _BLOCK_SIZE] for first in range(0, len(rows), _BLOCK_SIZE)]
    return _TO_UNICODE.format("".join([f"{len(block)} beginbfchar\n{''.join(block)}endbfchar\n" for block in blocks]))


def _stream(data: bytes, entries: str = "") -> str:
    packed = zlib.compress(data)
    return f"<</Filter/FlateDecode/Length {len(packed)}{entries}>>\nstream\n{packed.decode('latin-1')}\nendstream"
