"""Fonts: TTF files registered with reportlab once, and how wide texts are in them."""

from __future__ import annotations

import hashlib
import struct
import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from reportlab.pdfbase import pdfmetrics, ttfonts

from .. import paths
from ..errors import Place, fault
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
    return sum([known[letter] for letter in text if known.has(letter)]) * size


def _registered(path: Path) -> ttfonts.TTFont:
    raw = _checked(path)
    try:
        font = ttfonts.TTFont("", str(path))
    except (ttfonts.TTFError, struct.error, ValueError, LookupError) as error:
        raise fault(f"not usable as a font: {error}", Place(shown(path))) from error
    own = font.face.name.decode("latin-1")
    font.fontName = own if path.is_relative_to(paths.SHARED_DATA) else f"{own}-{hashlib.sha256(raw).hexdigest()[:8]}"
    font.face.name = font.fontName.encode("latin-1")  # reportlab embeds one file for all faces of a name
    pdfmetrics.registerFont(font)
    return font


def _checked(path: Path) -> bytes:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", Place(shown(path))) from error
    if raw[:4] not in _TRUETYPE:
        raise fault(_NOT_TRUETYPE.get(raw[:4], "not a TrueType font"), Place(shown(path)))
    return raw
