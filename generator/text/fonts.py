"""Loads TTF fonts, registers them with reportlab, and measures text."""

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
from ..paths import display_path

_NOT_TRUETYPE = {
    b"OTTO": "an OpenType font with CFF outlines, which cannot be embedded; use its TrueType (.ttf) version",
    b"ttcf": "a collection of fonts (.ttc); save the one you want as .ttf",
    b"wOFF": "a web font; use its .ttf version",
    b"wOF2": "a web font; use its .ttf version",
}
_TRUETYPE = (b"\0\1\0\0", b"true")
_INVISIBLE = ("Cc", "Cf", "Cs")
_HARD_SPACE = "\u00a0"
_MAX_CHARACTERS = sys.maxunicode + 1
_SPACE_WIDTH = 0.25
"""The width of a no-break space, as a share of the type size, in fonts without any space."""


class Letters(dict[str, float]):
    """The advance widths of letters by letter, looked up on demand: a font has thousands, a deck uses about a hundred.
    Raises KeyError for a letter that the font does not have."""

    def __init__(self, face: ttfonts.TTFontFace) -> None:
        super().__init__()
        self.face = face

    def __missing__(self, letter: str) -> float:
        advance = self._advance(letter)
        if advance is None:
            raise KeyError(letter)
        self[letter] = advance
        return advance

    def _advance(self, letter: str) -> float | None:
        code = ord(letter)
        if self.face.charToGlyph.get(code) and unicodedata.category(letter) not in _INVISIBLE:
            return float(self.face.charWidths[code] / 1000)
        return _SPACE_WIDTH if letter == _HARD_SPACE else None

    def has(self, letter: str) -> bool:
        return letter in self or self._advance(letter) is not None


@dataclass(frozen=True, slots=True, eq=False)
class Font:
    """A font registered with reportlab as `name`. Heights and the advance widths of `letters` are multiples of the type
    size; `descent` is positive downwards."""

    name: str
    ascent: float
    descent: float
    cap_height: float
    letters: Letters

    def missing(self, text: str) -> list[str]:
        """The characters of `text` that this font does not have, each once, in order."""
        return [letter for letter in dict.fromkeys(text) if not self.letters.has(letter)]


@cache
def load(path: Path) -> Font:
    """Loads a TTF file and registers it with reportlab; raises InputError for a file that is not a usable font.

    A font that comes with Pencilbox keeps its name. Other fonts get a hash of their file appended to their names, so
    that neither the order of loading nor a second font with the same name changes the output.
    """
    font = _register(path)
    face = font.face
    return Font(font.fontName, face.ascent / 1000, -face.descent / 1000, (face.capHeight or 700) / 1000, Letters(face))


@lru_cache(maxsize=16384)
def width(text: str, font: Font, size: float = 1.0) -> float:
    """The width of `text` in the unit of `size`, leaving out letters that the font does not have."""
    advances = font.letters
    return fsum([advances[letter] for letter in text if advances.has(letter)]) * size


def _register(path: Path) -> ttfonts.TTFont:
    raw = _read(path)
    shipped = path.is_relative_to(paths.SHARED_DATA)
    try:
        if not shipped:
            _check_tables(raw)
        font = ttfonts.TTFont("", BytesIO(raw))
        if not shipped:
            font.face.makeSubset(list(font.face.charToGlyph))  # as printing will do, so that errors appear here
        name = font.face.name.decode("latin-1")
    except Exception as error:  # reportlab's parser raises many kinds of errors
        reason = f": {shortened(error, 100)}" if isinstance(error, ttfonts.TTFError) else ""
        raise fault(
            f"this font is damaged{reason}", Place(display_path(path)), "download it again, or choose another"
        ) from error
    font.fontName = name if shipped else f"{name}-{hashlib.sha256(raw).hexdigest()[:8]}"
    font.face.name = font.fontName.encode("latin-1")  # reportlab embeds one file for all faces with the same name
    pdfmetrics.registerFont(font)
    return font


def _read(path: Path) -> bytes:
    try:
        with path.open("rb") as stream:
            raw = stream.read(limits.FONT_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(display_path(path))) from error
    if raw[:4] not in _TRUETYPE:
        raise fault(_NOT_TRUETYPE.get(raw[:4], "not a TrueType font"), Place(display_path(path)))
    if len(raw) > limits.FONT_BYTES:
        raise fault(f"larger than {limits.FONT_BYTES / 1e6:g} MB", Place(display_path(path)), "choose a smaller font")
    return raw


def _check_tables(raw: bytes) -> None:
    """Raises TTFError for a font whose tables are too short, which reportlab does not notice.

    The required lengths: https://learn.microsoft.com/typography/opentype/spec/ (otff, loca, hmtx)."""
    from fontTools.ttLib import TTFont  # slow to load, and only needed for fonts that did not come with Pencilbox

    font = TTFont(BytesIO(raw), lazy=True)
    tables = font.reader.tables.values()
    (glyphs,) = struct.unpack_from(">H", font.reader["maxp"], 4)
    (metrics,) = struct.unpack_from(">H", font.reader["hhea"], 34)
    offset = 4 if any(font.reader["head"][50:52]) else 2
    if (
        any(table.offset + table.length > len(raw) for table in tables)
        or len(font.reader["loca"]) < (glyphs + 1) * offset
        or len(font.reader["hmtx"]) < 2 * (metrics + glyphs)
        or metrics > glyphs
    ):
        raise ttfonts.TTFError("some of its tables are incomplete")
    _check_characters(font.reader["cmap"])


def _check_characters(cmap: bytes) -> None:
    """Raises TTFError for a font that claims more characters than Unicode has: reportlab would loop over each of them.

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
        if sum(max(0, last - first + 1) for first, last in ranges) > _MAX_CHARACTERS:
            raise ttfonts.TTFError("it claims more characters than Unicode has")
