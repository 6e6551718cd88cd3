"""Reads texts: splits them into words and measures each word once.

A word is everything between two spaces, including icons and bold letters, so that a line never breaks between an icon
and the comma after it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import chain, groupby
from math import fsum
from typing import TypeAlias

from ..art.picture_files import Folders, icon_aspect
from ..faces.casing import upper
from ..faces.face import NO_EMPHASIS, Emphasis, InlineIcon, Piece, Words
from ..files import of_files
from . import bidi
from .breaks import breaks, glued, hyphenated, is_special
from .words import (
    Atom,
    Family,
    Paragraph,
    Word,
    line_width,
)

MAX_WORDS = 20_000


@of_files
@lru_cache(maxsize=512)
def paragraph(
    pieces: tuple[Piece, ...], family: Family, tracking: float, upper: bool, icons: Folders, language: str = ""
) -> Paragraph:
    """The words of a text, cached; raises InputError for an unknown icon."""
    return lexicon(family, tracking, upper, icons, language=language).read(pieces)


@of_files
@lru_cache(maxsize=64)
def lexicon(family: Family, tracking: float, upper: bool, icons: Folders, language: str = "") -> Lexicon:
    """The lexicon that all texts with this family, tracking, case and language share."""
    return Lexicon(family, tracking, upper, icons, language=language)


class Lexicon:
    """The words measured so far with one family, tracking and case. `missing` lists the characters of the current text
    that the fonts do not have."""

    def __init__(self, family: Family, tracking: float, upper: bool, icons: Folders, language: str = "") -> None:
        self.language = language
        self.family = family
        self.tracking = tracking
        self.upper = upper
        self.casing = language or family.font(0).faces[0].language
        self.icons = icons
        self.missing: list[str] = []
        self.fonts = tuple([family.keys.index(key) for key in family.keys])
        """The number of the plain, bold, italic, and bold italic font: a family may have one for several."""
        self._spaces: dict[int, float] = {}
        self._plain = _PlainWords(self)
        self._words = _Words(self)

    def read(self, pieces: tuple[Piece, ...]) -> Paragraph:
        """The words of a text; raises InputError for an unknown icon."""
        self.missing = []
        if self.language:
            pieces = tuple([self._hyphenated(piece) for piece in pieces])
        text = "".join([piece.text for piece in pieces if not isinstance(piece, InlineIcon)])
        if pieces == (Words(text),) and (plain := self.plain(text)):
            return plain
        return self._paragraph(tuple(self._words.lines(pieces)))

    def plain(self, text: str) -> Paragraph | None:
        """The words of a text entirely in the style's own font, in which lines break at spaces only; None if it is not
        such a text."""
        if not text.isprintable():
            return None
        self.missing = []
        words = tuple(map(self._plain.__getitem__, text.split()))
        if not words or None in words:
            return None
        return self._paragraph((words,))  # type: ignore[arg-type]

    def _hyphenated(self, piece: Piece) -> Piece:
        return piece if isinstance(piece, InlineIcon) else piece._replace(text=hyphenated(piece.text, self.language))

    def cased(self, text: str) -> str:
        """The text as it is printed: in capitals if the style says so."""
        return upper(text, self.casing) if self.upper else text

    def _paragraph(self, lines: tuple[tuple[Word, ...], ...]) -> Paragraph:
        across = max(map(line_width, filter(None, lines)), default=0.0)
        return Paragraph(lines if any(lines) else (), self.tracking, tuple(dict.fromkeys(self.missing)), across)

    def letters(self, text: str, font: int, level: int = 0) -> Atom:
        return Atom(printed(text), font, self.width(text, font, level), level=level)

    def width(self, text: str, font: int, level: int = 0) -> float:
        """The width of a part of a word."""
        face = self.family.font(font)
        if "\u00a0" in text:
            text = printed(text)
            self.missing += face.missing(text)
            return face.width(text, self.tracking, rtl=bool(level % 2))
        shaped = face.shaped(text, rtl=bool(level % 2), tracked=bool(self.tracking))
        self.missing += shaped.missing
        return shaped.width + self.tracking * shaped.tracked

    def glyph(self, icon: str) -> Atom:
        return Atom("", 0, icon_aspect(icon, self.icons) * self.family.cap_height + self.tracking, icon)

    def space(self, font: int) -> float:
        """The width of the space between two words."""
        if font not in self._spaces:
            self._spaces[font] = self.family.font(font).space + self.tracking
        return self._spaces[font]


@lru_cache(maxsize=MAX_WORDS)
def _is_special(text: str) -> bool:
    if text.isascii() and text.isalnum():  # most words
        return False
    return is_special(text) or bidi.is_needed(text)


def printed(text: str) -> str:
    """A part of a word as it is printed: a no-break space has done its job by now."""
    return text.replace("\u00a0", " ")


class _PlainWords(dict[str, Word | None]):
    """The words entirely in the style's own font, by their texts before they are written in the lexicon's case; None
    for a special word. A word with missing letters is not cached, so that it is noticed every time."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self.lexicon = lexicon

    def __missing__(self, text: str) -> Word | None:
        lexicon, word = self.lexicon, None
        before, gap = len(lexicon.missing), lexicon.space(0)
        if not _is_special(text):
            cased = lexicon.cased(text)
            width = lexicon.width(cased, 0)
            word = Word((), width, gap, width + gap, plain=cased)
        if len(lexicon.missing) == before:
            if len(self) > MAX_WORDS:
                self.clear()
            self[text] = word
        return word


_OBJECT = "\ufffc"
"""Stands for an icon."""
_WORD = re.compile("[^ ]+")
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u061c\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Characters that only say how a text breaks or which way it runs."""
_Look: TypeAlias = tuple[int, str, Emphasis]
"""The font of a character, the icon that it stands for, and its emphasis."""


class _Words(dict[tuple[str, str, float], tuple[Word, ...]]):
    """The words of texts with several fonts or unusual breaks: a word, the look of each of its letters, and the space
    before it → the parts between which lines may break. A look is written as one character. A word with missing letters
    is not cached."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.codes: dict[_Look, str] = {}
        self.looks: dict[str, _Look] = {}

    def lines(self, pieces: Sequence[Piece]) -> Iterator[tuple[Word, ...]]:
        """The words of a text, line by line as written."""
        lexicon, text, looks = self.lexicon, "", ""
        if len(self) + len(self.looks) > MAX_WORDS:
            for each in (self, self.codes, self.looks):
                each.clear()
        for piece in pieces:
            if isinstance(piece, InlineIcon):
                text += _OBJECT
                looks += self._code((0, piece.icon, piece.emphasis))
                continue
            part = lexicon.cased(piece.text).replace("\t", " ")
            text += part
            looks += self._code((lexicon.fonts[piece.bold + 2 * piece.italic], "", piece.emphasis)) * len(part)
        at, special = 0, any(map(_is_special, text.replace("\n", " ").split(" ")))
        for line in text.split("\n"):
            yield self._line(glued(line), looks[at : at + len(line)], special)
            at += len(line) + 1

    def _code(self, look: _Look) -> str:
        code = self.codes.get(look)
        if code is None:
            code = self.codes[look] = chr(len(self.codes))
            self.looks[code] = look
        return code

    def _line(self, line: str, looks: str, special: bool) -> tuple[Word, ...]:
        """The words of one line, in the order they are written. The space between two words is as wide as in the font
        of the first, or after an icon, in that of the second; in a special text, as in its own."""
        if bidi.is_needed(line):
            return tuple(self._from_right_to_left(line, looks))
        spaces = {code: self.lexicon.space(self.looks[code][0]) for code in {*looks}}
        icons = {code for code in spaces if self.looks[code][1]}
        at, last, keys = 0, "", list[tuple[str, str, float]]()
        for word in line.split(" "):
            end = at + len(word)
            if word:
                own = looks[at:end]
                keys.append((word, own, spaces[looks[at - 1] if special and at else last or own[0]]))
                last = "" if own[-1] in icons else own[-1]
            at = end + 1
        return tuple(chain.from_iterable(map(self.__getitem__, keys)))

    def __missing__(self, key: tuple[str, str, float]) -> tuple[Word, ...]:
        before = len(self.lexicon.missing)
        words = tuple(self._parts(*key, [0] * len(key[0]), 0, None))
        if len(self.lexicon.missing) == before:
            self[key] = words
        return words

    def _from_right_to_left(self, line: str, looks: str) -> Iterator[Word]:
        """The words of a line with text that runs from right to left."""
        base = bidi.base_level(line)
        levels = bidi.levels(line, base)
        gap, level = self.lexicon.space(0), base
        for match in _WORD.finditer(line):
            start, end = match.span()
            if start:
                gap, level = self.lexicon.space(self.looks[looks[start - 1]][0]), levels[start - 1]
            yield from self._parts(match[0], looks[start:end], gap, levels[start:end], level=level, base=base)

    def _parts(
        self, word: str, looks: str, gap: float, levels: Sequence[int], level: int, base: int | None
    ) -> Iterator[Word]:
        """The parts of a word. `level` is that of the space before it."""
        lexicon, letters, start = self.lexicon, [*map(self.looks.__getitem__, looks)], 0
        for end in (*breaks(word), len(word)):
            font = letters[start][0]
            is_plain = base is None and {*letters[start:end]} == {(font, "", NO_EMPHASIS)}
            atoms = tuple(_atoms(lexicon, word[start:end], letters[start:end], levels[start:end]))
            if atoms:
                width = fsum([atom.width for atom in atoms])
                plain = atoms[0].text if is_plain and not atoms[0].font else ""
                hyphen = lexicon.letters("-", letters[end - 1][0]).width if word[end - 1] == "\u00ad" else 0.0
                yield Word(
                    () if plain else atoms, width, gap, width + gap, plain=plain, hyphen=hyphen, level=level, base=base
                )
                gap, level = 0.0, levels[end - 1]
            start = end


def _atoms(lexicon: Lexicon, part: str, letters: Sequence[_Look], levels: Sequence[int]) -> Iterator[Atom]:
    """Splits a part of a word into parts of a single font and level."""
    for (font, icon, emphasis, level), group in groupby(range(len(part)), lambda at: (*letters[at], levels[at])):
        places = [*group]
        if icon:
            yield from (lexicon.glyph(icon)._replace(emphasis=emphasis, level=level) for _ in places)
        elif text := _UNSEEN.sub("", part[places[0] : places[-1] + 1]):
            yield lexicon.letters(text, font, level)._replace(emphasis=emphasis)
