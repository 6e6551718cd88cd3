"""The fonts of a form: for typed text, and for ticks.

Text is typed in a composite font (ISO 32000-1:2008, 9.7), which has room for all letters of the Latin, Greek and
Cyrillic alphabets. Viewers find its codes through its ToUnicode table. Tried with names in
all three alphabets: Poppler 22.12, PDFium, pdf.js 5.6 and pypdf 7.1 show them in this font (PDFium writes Greek and
Cyrillic letters in one of its own). With a simple font (9.6), which has 255 codes, Poppler and pypdf leave out every
letter without a code.

Programs that write a font's codes without looking at the font expect a simple one under the names that Acrobat uses, so
there is a simple one for them, with the codes that its usual encoding spends on symbols used for more letters.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from ..paths import SHARED_DATA
from ..text import fonts
from .fonts import bounds, stream, subset, to_unicode

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
_ALPHABETS = (
    range(0x20, 0x7F),
    range(0xA1, 0xAD),
    range(0xAE, 0x180),
    range(0x218, 0x21C),
    range(0x386, 0x3CF),
    range(0x400, 0x460),
    range(0x490, 0x492),
    range(0x1E80, 0x1EFA),
)
"""Latin, Greek and Cyrillic letters, with those of Vietnamese. Scripts whose letters must be joined or reordered are
not included, because viewers write typed text letter by letter."""
_TICKS = {ord(code): sign for code, sign in zip("34568lnuH", "✓✔✕✖✕●■◆★", strict=True)}
"""The signs for check boxes that viewers know, by their codes in ZapfDingbats (Annex D.6); 8 is the cross on paper."""


class FormFont(NamedTuple):
    """The objects of one or two fonts with the same program as PDF code. A name in braces, such as `{program}`, stands
    for the number of that object. `fonts` are pairs of a font and its ToUnicode table. `widths` are the widths of
    letters as shares of the type size."""

    program: str
    descriptor: str
    fonts: tuple[tuple[str, str], ...]
    widths: dict[str, float]


@lru_cache(maxsize=8)
def form_font(files: fonts.Files) -> FormFont:
    """The fonts for typed text: a composite and a simple one, from the first TrueType file, or from a bundled one if
    there is none. Raises InputError for a file that cannot be used."""
    faces = (*fonts.load(files).faces, *fonts.load(_BUNDLED).faces)
    face = next(face for face in faces if not face.is_cff and face.glyph("A"))
    letters = {letter: face.glyph(letter) for codes in _ALPHABETS for letter in map(chr, codes) if face.glyph(letter)}
    simple = {code: letter for code, letter in _LETTERS.items() if face.glyph(letter)}
    letters.update((letter, face.glyph(letter)) for letter in simple.values())
    return _form_font(face, letters, simple, with_composite=True)


@lru_cache(maxsize=1)
def tick_font() -> FormFont:
    """The font for ticks. Viewers that draw ticks themselves ask for ZapfDingbats, which not every machine has."""
    (face,) = fonts.load(fonts.SYMBOLS).faces
    return _form_font(face, {sign: face.glyph(sign) for sign in _TICKS.values()}, _TICKS)


def _form_font(
    face: fonts.Face, letters: Mapping[str, int], simple: Mapping[int, str], *, with_composite: bool = False
) -> FormFont:
    program, numbers = subset(face, letters.values(), letters)
    name = "PENCIL+" + face.name
    box = " ".join([str(round(edge * 1000 / face.upem)) for edge in bounds(face)])
    widths = {letter: face.width(glyph) for letter, glyph in letters.items()}
    codes = {numbers[glyph]: letter for letter, glyph in letters.items()}
    composite = [_composite(name, dict(sorted(codes.items())), widths)] if with_composite else []
    return FormFont(
        program=stream(program, f"/Length1 {len(program)}"),
        descriptor=(
            f"<</Type/FontDescriptor/FontName/{name}/Flags 32/FontBBox[{box}]/ItalicAngle 0"
            f"/Ascent {1000 * face.ascent:.0f}/Descent {-1000 * face.descent:.0f}"
            f"/CapHeight {1000 * face.cap_height:.0f}/StemV 80/FontFile2 {{program}} 0 R>>"
        ),
        fonts=(*composite, _simple(name, dict(sorted(simple.items())), widths)),
        widths=widths,
    )


def _composite(name: str, codes: Mapping[int, str], widths: Mapping[str, float]) -> tuple[str, str]:
    """A font whose codes are numbers of glyphs: pypdf assumes so, whatever CIDToGIDMap says."""
    spacing = "".join([f"{code}[{1000 * widths[letter]:.0f}]" for code, letter in codes.items()])
    return (
        f"<</Type/Font/Subtype/Type0/BaseFont/{name}/Encoding/Identity-H/DescendantFonts["
        f"<</Type/Font/Subtype/CIDFontType2/BaseFont/{name}"
        "/CIDSystemInfo<</Registry(Adobe)/Ordering(Identity)/Supplement 0>>"
        f"/FontDescriptor {{descriptor}} 0 R/W[{spacing}]/CIDToGIDMap/Identity>>]/ToUnicode {{to_unicode}} 0 R>>",
        stream(to_unicode(codes)),
    )


def _simple(name: str, codes: Mapping[int, str], widths: Mapping[str, float]) -> tuple[str, str]:
    spacing = " ".join([f"{1000 * widths[codes[code]]:.0f}" if code in codes else "0" for code in range(1, 256)])
    return (
        f"<</Type/Font/Subtype/TrueType/BaseFont/{name}/FirstChar 1/LastChar 255/Widths[{spacing}]"
        f"/Encoding<</Type/Encoding/BaseEncoding/WinAnsiEncoding/Differences[{_differences(codes)}]>>"
        "/FontDescriptor {descriptor} 0 R/ToUnicode {to_unicode} 0 R>>",
        stream(to_unicode(codes, size=1)),
    )


def _differences(codes: Mapping[int, str]) -> str:
    """The codes whose letters differ from WinAnsiEncoding, with the glyph names of those letters (9.6.6)."""
    standard = _ASCII | _LATIN_1
    return " ".join([f"{code}/uni{ord(letter):04X}" for code, letter in codes.items() if standard.get(code) != letter])
