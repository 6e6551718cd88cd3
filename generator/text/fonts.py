"""Fonts: TTF files registered with reportlab once, and how wide texts are in them."""

from __future__ import annotations

import hashlib
import struct
import sys
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from io import BytesIO
from math import fsum
from pathlib import Path

from reportlab.pdfbase import pdfmetrics, ttfonts

from .. import paths
from ..definitions import limits
from ..errors import Place, fault, shortened
from ..paths import shown

_NOT_TRUETYPE = {
    b"OTTO": "an OpenType font with CFF outlines, which cannot be embedded; use its TrueType (.ttf) version",
    b"ttcf": "a collection of fonts (.ttc); save the one you want as .ttf",
    b"wOFF": "a web font; use its .ttf version",
    b"wOF2": "a web font; use its .ttf version",
}
_TRUETYPE = (b"\0\1\0\0", b"true")
_UNSEEN = ("Cc", "Cf", "Cs")
_HARD_SPACE = "\u00a0"
_MOST_CHARACTERS = sys.maxunicode + 1
_A_SPACE = 0.25
"""Of the type size: the hard space of a font that has no space at all."""


class Letters(dict[str, float]):
    """Letters → their advances, worked out as they are met, as a font has thousands and a deck uses a hundred. Raises
    KeyError for one that the font does not have."""

    def __init__(self, face: ttfonts.TTFontFace) -> None:
        super().__init__()
        self.face = face

    def __missing__(self, letter: str) -> float:
        found = self._advance(letter)
        if found is None:
            raise KeyError(letter)
        self[letter] = found
        return found

    def _advance(self, letter: str) -> float | None:
        code = ord(letter)
        if self.face.charToGlyph.get(code) and unicodedata.category(letter) not in _UNSEEN:
            return float(self.face.charWidths[code] / 1000)
        return _A_SPACE if letter == _HARD_SPACE else None

    def has(self, letter: str) -> bool:
        return letter in self or self._advance(letter) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A font known to reportlab by `name`. Heights and the advances of `letters` are multiples of the type size;
    `descent` counts downwards."""

    name: str
    ascent: float
    descent: float
    cap_height: float
    letters: Letters

    def missing(self, text: str) -> list[str]:
        """The characters of `text` that this font cannot show, each once, in their order."""
        return [letter for letter in dict.fromkeys(text) if not self.letters.has(letter)]


@cache
def load(path: Path) -> Font:
    """The font in a TTF file, registered with reportlab; raises InputError for a file that is none.

    The name is the font's own where it comes with Pencilbox; another one's carries a mark of its content, so that
    neither the order of loading nor a second font of the same name changes what is printed.
    """
    font = _registered(path)
    face = font.face
    return Font(font.fontName, face.ascent / 1000, -face.descent / 1000, (face.capHeight or 700) / 1000, Letters(face))


@lru_cache(maxsize=16384)
def width(text: str, font: Font, size: float = 1.0) -> float:
    """How far `text` advances, in the unit of `size`."""
    known = font.letters
    return fsum([known[letter] for letter in text if known.has(letter)]) * size


def _registered(path: Path) -> ttfonts.TTFont:
    raw = _read(path)
    shipped = path.is_relative_to(paths.SHARED_DATA)
    try:
        if not shipped:
            _check_tables(raw)
        font = ttfonts.TTFont("", BytesIO(raw))
        if not shipped:
            font.face.makeSubset(list(font.face.charToGlyph))  # as printing will: what fails, fails here
        own = font.face.name.decode("latin-1")
    except Exception as error:  # reportlab's parser raises whatever it stumbles over
        reason = f": {shortened(error, 100)}" if isinstance(error, ttfonts.TTFError) else ""
        raise fault(f"a damaged font{reason}", Place(shown(path)), "download it again, or choose another") from error
    font.fontName = own if shipped else f"{own}-{hashlib.sha256(raw).hexdigest()[:8]}"
    font.face.name = font.fontName.encode("latin-1")  # reportlab embeds one file for all faces of a name
    pdfmetrics.registerFont(font)
    return font


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            raw = stream.read(limits.FONT_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(shown(path))) from error
    if raw[:4] not in _TRUETYPE:
        raise fault(_NOT_TRUETYPE.get(raw[:4], "not a TrueType font"), Place(shown(path)))
    if len(raw) > limits.FONT_BYTES:
        raise fault(
            f"larger than {limits.FONT_BYTES / 1e6:g} MB", Place(shown(path)), "choose a font with fewer letters"
        )
    return raw


def _check_tables(raw: bytes) -> None:
    """Raises an error for a font whose tables are not as long as they must be, which reportlab does not notice.

    Their lengths: https://learn.microsoft.com/typography/opentype/spec/ (otff, loca, hmtx)."""
    from fontTools.ttLib import TTFont  # slow to load, and only needed for fonts that did not come with Pencilbox

    font = TTFont(BytesIO(raw), lazy=True)
    tables = font.reader.tables.values()
    glyphs, metrics = font["maxp"].numGlyphs, font["hhea"].numberOfHMetrics
    offset = 4 if font["head"].indexToLocFormat else 2
    if (
        any(table.offset + table.length > len(raw) for table in tables)
        or len(font.reader["loca"]) < (glyphs + 1) * offset
        or len(font.reader["hmtx"]) < 2 * (metrics + glyphs)
        or metrics > glyphs
    ):
        raise ttfonts.TTFError("some of its tables are incomplete")
    _check_characters(font.reader["cmap"])


def _check_characters(cmap: bytes) -> None:
    """Raises an error for a font that claims more characters than Unicode has: reportlab would count them one by one.

    Formats of `cmap`: https://learn.microsoft.com/typography/opentype/spec/cmap."""
    (count,) = struct.unpack_from(">H", cmap, 2)
    for table in range(count):
        (start,) = struct.unpack_from(">L", cmap, 4 + 8 * table + 4)
        (form,) = struct.unpack_from(">H", cmap, start)
        if form == 4:
            half = struct.unpack_from(">H", cmap, start + 6)[0] // 2
            lasts = struct.unpack_from(f">{half}H", cmap, start + 14)
            firsts = struct.unpack_from(f">{half}H", cmap, start + 16 + 2 * half)
            ranges = list(zip(firsts, lasts, strict=True))
        elif form in (12, 13):
            (groups,) = struct.unpack_from(">L", cmap, start + 12)
            numbers = struct.unpack_from(f">{3 * groups}L", cmap, start + 16)
            ranges = list(zip(numbers[::3], numbers[1::3], strict=True))
        else:
            continue
        if sum(max(0, last - first + 1) for first, last in ranges) > _MOST_CHARACTERS:
            raise ttfonts.TTFError("it claims more characters than there are")
