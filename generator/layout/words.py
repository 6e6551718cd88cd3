"""Marked-up text → words with their widths. A word is everything between two spaces, icons and bold letters included,
so that a line never breaks between an icon and the comma after it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from ..faces.nouns import Glyph, Piece
from . import fonts
from .fonts import Font
from .icons import Folders, icon_aspect

_SPACES = re.compile(r"([ \t]+|\n)")


@dataclass(frozen=True, slots=True)
class Family:
    """The fonts one style chooses from, by their keys in the theme: plain, bold, italic, and both."""

    keys: tuple[str, str, str, str]
    fonts: tuple[Font, Font, Font, Font]

    @property
    def cap_height(self) -> float:
        return self.fonts[0].cap_height

    @property
    def descent(self) -> float:
        return self.fonts[0].descent


@dataclass(frozen=True, slots=True)
class Atom:
    """A stretch of a word in one font (the `font`th of the family), or an icon. Widths are multiples of the type
    size and count what is added after the last letter, too."""

    text: str
    font: int
    width: float
    icon: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """Atoms that stay together; `gap` is the space before them where they do not begin a line."""

    atoms: tuple[Atom, ...]
    width: float
    gap: float


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Words by the lines they were written in. Widths are multiples of the type size; `tracking` is added after each
    letter. `missing` are the characters its fonts do not have."""

    lines: tuple[tuple[Word, ...], ...]
    tracking: float
    missing: tuple[str, ...]
    widest_word: float
    widest_line: float


@lru_cache(maxsize=4096)
def paragraph(pieces: tuple[Piece, ...], family: Family, tracking: float, upper: bool, icons: Folders) -> Paragraph:
    """The words of a text; raises InputError for an unknown icon."""
    reader = _Reader(family, tracking, upper, icons)
    for piece in pieces:
        reader.add(piece)
    reader.close_line()
    lines = tuple(reader.lines) if any(reader.lines) else ()
    widths = [word.width - tracking for line in lines for word in line]
    wholes = [line_width(line) - tracking for line in lines if line]
    return Paragraph(lines, tracking, tuple(dict.fromkeys(reader.missing)), max(widths, default=0.0),
                     max(wholes, default=0.0))


def line_width(words: tuple[Word, ...]) -> float:
    return sum([word.width + word.gap for word in words]) - words[0].gap


class _Reader:
    """Collects atoms into words and words into lines."""

    def __init__(self, family: Family, tracking: float, upper: bool, icons: Folders) -> None:
        self.family = family
        self.tracking = tracking
        self.upper = upper
        self.icons = icons
        self.lines: list[tuple[Word, ...]] = []
        self.line: list[Word] = []
        self.atoms: list[Atom] = []
        self.missing: list[str] = []

    def add(self, piece: Piece) -> None:
        if isinstance(piece, Glyph):
            self.atoms.append(self._glyph(piece.icon))
            return
        font = self.family.keys.index(self.family.keys[piece.bold + 2 * piece.italic])
        for part in _SPACES.split(piece.text.upper() if self.upper else piece.text):
            if part == "\n":
                self.close_line()
            elif part.isspace() and _SPACES.fullmatch(part):
                self.close_word()
            elif part:
                self.atoms.append(self._letters(part, font))

    def _letters(self, text: str, font: int) -> Atom:
        face = self.family.fonts[font]
        self.missing += face.missing(text)
        # A no-break space has done its work here, and is printed as a space.
        text = text.replace("\u00a0", " ")
        return Atom(text, font, fonts.width(text, face) + self.tracking * len(text))

    def _glyph(self, icon: str) -> Atom:
        return Atom("", 0, icon_aspect(icon, self.icons) * self.family.cap_height + self.tracking, icon)

    def close_word(self) -> None:
        if self.atoms:
            self.line.append(Word(tuple(self.atoms), sum([atom.width for atom in self.atoms]), self._gap()))
            self.atoms = []

    def _gap(self) -> float:
        """The space before the word just read, in the font it will be printed in."""
        if not self.line:
            return 0.0
        before, after = self.line[-1].atoms[-1], self.atoms[0]
        font = after.font if before.icon else before.font
        return fonts.width(" ", self.family.fonts[font]) + self.tracking

    def close_line(self) -> None:
        self.close_word()
        self.lines.append(tuple(self.line))
        self.line = []


@dataclass(slots=True)
class Stretch:
    """A part of a line that is drawn at once, `x` from the line's left end: letters of one font, or an icon."""

    x: float
    text: str
    font: int
    width: float
    icon: str = ""


def stretches(words: tuple[Word, ...]) -> Iterator[Stretch]:
    """The parts of a line, letters of one font joined across words. Spaces are letters, so that the words of a
    printed page can be copied; one between two fonts belongs to the first, one between two icons is only room."""
    at, last = 0.0, None
    for i, word in enumerate(words):
        space = word.gap if i else 0.0
        for atom in word.atoms:
            if last and last.text and space:
                last.text, last.width, at, space = last.text + " ", last.width + space, at + space, 0.0
            if last and last.text and atom.text and last.font == atom.font:
                last.text, last.width, at = last.text + atom.text, last.width + atom.width, at + atom.width
                continue
            if last:
                yield last
            text = " " + atom.text if space and atom.text else atom.text
            start = at if text != atom.text else at + space
            at += space + atom.width
            last, space = Stretch(start, text, atom.font, at - start, atom.icon), 0.0
    if last:
        yield last
