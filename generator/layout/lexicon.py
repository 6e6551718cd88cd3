"""Marked-up text → words with their widths. A word is everything between two spaces, icons and bold letters included,
so that a line never breaks between an icon and the comma after it. Most words come again: each is measured once.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TypeAlias, TypeVar

from ..faces.nouns import Glyph, Piece
from . import fonts
from .icons import Folders, icon_aspect
from .words import Atom, Family, Paragraph, Plain, Word, line_width

T = TypeVar("T")
MOST_WORDS = 20_000
_Part: TypeAlias = tuple[str, int, str]
"""Letters in a font, or an icon."""


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
        self._known: dict[tuple[int, float], _Known] = {}
        self._spaces: dict[int, float] = {}
        self._steps = _Steps(self, 0, self.space(0))

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
        steps = [*map(self._steps.__getitem__, texts)]
        gap = self._steps.gap
        return Paragraph((Plain(texts, steps, gap),), self.tracking, self._lacking(), sum(steps) - gap)

    def _paragraph(self, lines: tuple[tuple[Word, ...], ...]) -> Paragraph:
        return Paragraph(lines, self.tracking, self._lacking(), max(map(line_width, filter(None, lines)), default=0.0))

    def _lacking(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.missing)) if self.missing else ()

    def words(self, font: int, gap: float) -> dict[str, Word]:
        """Words in one font that have this gap before them, by their texts."""
        found = self._known.get((font, gap))
        if found is None:
            found = self._known[font, gap] = _Known(self, font, gap)
        return found

    def whole(self, parts: list[_Part], gap: float) -> Word:
        """A word of several parts."""
        atoms = tuple([self.glyph(icon) if icon else self.letters(text, font) for text, font, icon in parts])
        width = sum([atom.width for atom in atoms])
        return Word(atoms, width, gap, width + gap)

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


class _Kept(dict[str, T]):
    """What is made of words in one font with one gap before them, by their texts. One that lacks a letter is told of
    anew each time."""

    def __init__(self, lexicon: Lexicon, font: int, gap: float) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.font = font
        self.gap = gap

    def __missing__(self, text: str) -> T:
        before = len(self.lexicon.missing)
        found = self.made(self.lexicon.letters(text, self.font))
        if len(self.lexicon.missing) == before:
            if len(self) > MOST_WORDS:
                self.clear()
            self[text] = found
        return found

    def made(self, atom: Atom) -> T:
        raise NotImplementedError


class _Known(_Kept[Word]):
    """Texts → words."""

    def made(self, atom: Atom) -> Word:
        gap, width = self.gap, atom.width
        return Word((atom,), width, gap, width + gap) if self.font else Word((), width, gap, width + gap, atom.text)


class _Steps(_Kept[float]):
    """Texts → their widths, each with the space before it."""

    def made(self, atom: Atom) -> float:
        return atom.width + self.gap


class _Reader:
    """Collects parts into words and words into lines. `begun` are the parts of a word that may go on."""

    def __init__(self, known: Lexicon) -> None:
        self.known = known
        self.lines: list[tuple[Word, ...]] = []
        self.line: list[Word] = []
        self.begun: list[_Part] = []

    def add(self, piece: Piece) -> None:
        if isinstance(piece, Glyph):
            self.begun.append(("", 0, piece.icon))
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
        *whole, last = parts
        if whole and self.begun:
            self._begin(whole.pop(0), font)
            self.close_word()
        whole = [*filter(None, whole)]
        if whole:
            self.line.append(self.known.words(font, self._gap(font))[whole[0]])
            self.line += map(self.known.words(font, self.known.space(font)).__getitem__, whole[1:])
        self._begin(last, font)

    def _begin(self, part: str, font: int) -> None:
        if part:
            self.begun.append((part, font, ""))

    def close_word(self) -> None:
        if not self.begun:
            return
        text, font, icon = self.begun[0]
        gap = self._gap(font)
        single = len(self.begun) == 1 and not icon
        self.line.append(self.known.words(font, gap)[text] if single else self.known.whole(self.begun, gap))
        self.begun = []

    def _gap(self, font: int) -> float:
        """The space before a word that begins in this font, in the font it will be printed in."""
        if not self.line:
            return self.known.space(font)
        before = self.line[-1].atoms
        if not before:
            return self.known.space(0)
        return self.known.space(font if before[-1].icon else before[-1].font)

    def close_line(self) -> None:
        self.close_word()
        self.lines.append(tuple(self.line))
        self.line = []
