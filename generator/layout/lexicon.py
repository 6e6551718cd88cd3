"""Marked-up text → words with their widths. A word is everything between two spaces, icons and bold letters included,
so that a line never breaks between an icon and the comma after it. Most words come again: each is measured once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from operator import attrgetter

from ..faces.nouns import Glyph, Piece
from . import fonts
from .icons import Folders, icon_aspect
from .words import Atom, Family, Paragraph, Word, line_width

MOST_WORDS = 20_000
_WIDTH = attrgetter("width")
_DIGIT = re.compile(r"\d")
"""A number seldom comes again."""


@lru_cache(maxsize=4096)
def paragraph(pieces: tuple[Piece, ...], family: Family, tracking: float, upper: bool, icons: Folders) -> Paragraph:
    """The words of a text, kept for the next one that is alike; raises InputError for an unknown icon."""
    return lexicon(family, tracking, upper, icons).read(pieces)


@lru_cache(maxsize=64)
def lexicon(family: Family, tracking: float, upper: bool, icons: Folders) -> Lexicon:
    """The lexicon of texts that are set alike."""
    return Lexicon(family, tracking, upper, icons)


class Lexicon:
    """The words met so far in texts of one family, tracking and case. `missing` are the characters of the text being
    read that its fonts do not have."""

    def __init__(self, family: Family, tracking: float, upper: bool, icons: Folders) -> None:
        self.family = family
        self.tracking = tracking
        self.upper = upper
        self.icons = icons
        self.missing: list[str] = []
        self._first = _Known(self, 0, 0.0)
        self._later: dict[int, _Known] = {}
        self._spaces: dict[int, float] = {}

    def read(self, pieces: tuple[Piece, ...]) -> Paragraph:
        """The words of a text; raises InputError for an unknown icon."""
        self.missing = []
        reader = _Reader(self)
        for piece in pieces:
            reader.add(piece)
        reader.close_line()
        return self._paragraph(tuple(reader.lines) if any(reader.lines) else ())

    def plain(self, text: str) -> Paragraph:
        """The words of a text in the style's own font, with nothing but spaces between them: what `read` makes of
        it."""
        self.missing = []
        texts = (text.upper() if self.upper else text).split()
        first = self._first[texts[0]]
        if len(texts) > 1:
            words = (first, *map(self.later(0).__getitem__, texts[1:]))
            widest, whole = max(map(_WIDTH, words)), line_width(words)
        else:
            words, widest, whole = (first,), first.width, first.width
        return Paragraph((words,), self.tracking, tuple(dict.fromkeys(self.missing)), widest - self.tracking,
                         whole - self.tracking)

    def _paragraph(self, lines: tuple[tuple[Word, ...], ...]) -> Paragraph:
        tracking = self.tracking
        widths = [word.width for line in lines for word in line]
        wholes = [line_width(line) for line in lines if line]
        return Paragraph(lines, tracking, tuple(dict.fromkeys(self.missing)),
                         max(widths) - tracking if widths else 0.0, max(wholes) - tracking if wholes else 0.0)

    def later(self, font: int) -> dict[str, Word]:
        """Words that follow another one in the same font, by their texts."""
        found = self._later.get(font)
        if found is None:
            found = self._later[font] = _Known(self, font, self.space(font))
        return found

    def whole(self, atoms: tuple[Atom, ...], gap: float) -> Word:
        """A word of these atoms."""
        plain = "" if any([atom.font or atom.icon for atom in atoms]) else "".join([atom.text for atom in atoms])
        return Word(atoms, sum([atom.width for atom in atoms]), gap, plain)

    def letters(self, text: str, font: int) -> Atom:
        face = self.family.font(font)
        try:
            width = sum(map(face.letters.__getitem__, text))
        except KeyError:
            self.missing += face.missing(text)
            width = fonts.width(text, face)
        # A no-break space has done its work here, and is printed as a space.
        return Atom(text.replace("\u00a0", " "), font, width + self.tracking * len(text))

    def glyph(self, icon: str) -> Atom:
        return Atom("", 0, icon_aspect(icon, self.icons) * self.family.cap_height + self.tracking, icon)

    def space(self, font: int) -> float:
        """How wide the space between two words is."""
        if font not in self._spaces:
            self._spaces[font] = fonts.width(" ", self.family.font(font)) + self.tracking
        return self._spaces[font]


class _Known(dict[str, Word]):
    """Words of one font with one gap before them, by their texts. One that lacks a letter is told of anew each time."""

    def __init__(self, lexicon: Lexicon, font: int, gap: float) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.font = font
        self.gap = gap
        self.letters = lexicon.family.font(font).letters.__getitem__

    def __missing__(self, text: str) -> Word:
        try:
            width = sum(map(self.letters, text)) + self.lexicon.tracking * len(text)
        except KeyError:
            atom = self.lexicon.letters(text, self.font)
            return Word((atom,), atom.width, self.gap, "" if self.font else atom.text)
        shown = text.replace("\u00a0", " ")
        found = Word((Atom(shown, self.font, width),), width, self.gap, "" if self.font else shown)
        if len(text) < 3 or text.isalpha() or not _DIGIT.search(text):
            if len(self) > MOST_WORDS:
                self.clear()
            self[text] = found
        return found


class _Reader:
    """Collects atoms into words and words into lines."""

    def __init__(self, known: Lexicon) -> None:
        self.known = known
        self.lines: list[tuple[Word, ...]] = []
        self.line: list[Word] = []
        self.atoms: list[Atom] = []

    def add(self, piece: Piece) -> None:
        if isinstance(piece, Glyph):
            self.atoms.append(self.known.glyph(piece.icon))
            return
        keys = self.known.family.keys
        font = keys.index(keys[piece.bold + 2 * piece.italic])
        text = piece.text.upper() if self.known.upper else piece.text
        for number, line in enumerate(text.replace("\t", " ").split("\n")):
            if number:
                self.close_line()
            self._add_line(line.split(" "), font)

    def _add_line(self, parts: list[str], font: int) -> None:
        """Parts between spaces: the first goes on with the word before it, the last may go on in the next piece."""
        for at, part in enumerate(parts[:-1]):
            if part and at and self.line and self._follows(font):
                self.line += map(self.known.later(font).__getitem__, filter(None, parts[at:-1]))
                break
            self._begin(part, font)
            self.close_word()
        self._begin(parts[-1], font)

    def _begin(self, part: str, font: int) -> None:
        if part:
            self.atoms.append(self.known.letters(part, font))

    def _follows(self, font: int) -> bool:
        """Whether the word before ends in letters of this font."""
        before = self.line[-1].atoms[-1]
        return before.font == font and not before.icon

    def close_word(self) -> None:
        if self.atoms:
            self.line.append(self.known.whole(tuple(self.atoms), self._gap()))
            self.atoms = []

    def _gap(self) -> float:
        """The space before the word just read, in the font it will be printed in."""
        if not self.line:
            return 0.0
        before, after = self.line[-1].atoms[-1], self.atoms[0]
        return self.known.space(after.font if before.icon else before.font)

    def close_line(self) -> None:
        self.close_word()
        self.lines.append(tuple(self.line))
        self.line = []
