"""Measures the words of marked-up text, and joins the words of a line into runs that are drawn together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from math import ceil, fsum
from operator import itemgetter
from typing import Any, TypeAlias

from ..faces import inline
from ..faces.casing import upper
from ..faces.face import NO_EMPHASIS, Emphasis, Glyph, Piece, Words
from ..faces.markup import assembled
from ..fast_dataclasses import NamedTuple, dataclass
from ..lazy import pattern
from ..svg.files import Folders, icon_aspect
from . import bidi, fonts
from .breaks import breaks, glued, is_special
from .fonts import Font
from .hyphens import hyphenated

FourKeys: TypeAlias = tuple[str, str, str, str]
FourFonts: TypeAlias = "tuple[fonts.Files, fonts.Files, fonts.Files, fonts.Files]"


class Family:
    """The fonts of a style by their keys in the theme: plain, bold, italic, bold italic. All but the first are loaded
    on demand."""

    __slots__ = ("_loaded", "cap_height", "descent", "files", "keys")

    def __init__(self, keys: FourKeys, files: FourFonts) -> None:
        self.keys = keys
        self.files = files
        self._loaded: dict[int, Font] = {}
        plain = self.font(0)
        self.cap_height = plain.cap_height
        self.descent = plain.descent

    def __reduce__(self) -> tuple[Any, ...]:
        return family_of, (self.keys, self.files)

    def font(self, number: int) -> Font:
        """The font with this number; raises InputError for an unusable file."""
        font = self._loaded.get(number)
        if font is None:
            font = self._loaded[number] = fonts.load(self.files[number])
        return font


@lru_cache(maxsize=256)
def family_of(keys: FourKeys, files: FourFonts) -> Family:
    """The family with these fonts, of which there is only one."""
    return Family(keys, files)


class Atom(NamedTuple):
    """A part of a word in one font (`font` is its number in the family), or an icon. Widths are multiples of the type
    size and include the tracking after the last letter. Atoms with an odd `level` run from right to left."""

    text: str
    font: int
    width: float
    icon: str = ""
    emphasis: Emphasis = NO_EMPHASIS
    level: int = 0


class Word(NamedTuple):
    """Atoms that stay together. `gap` is the space before the word unless it begins a line; `step` is the width with
    that space. A word entirely in the style's own font has its letters in `plain` and no atoms.

    `hyphen` is the width of the hyphen with which a line ends after this word. `level` is the direction of the space
    before it, and `base` that of its line, None if the line has no text that runs from right to left."""

    atoms: tuple[Atom, ...]
    width: float
    gap: float
    step: float
    plain: str = ""
    hyphen: float = 0.0
    level: int = 0
    base: int | None = None


class Plain(NamedTuple):
    """A line entirely in the style's own font: its words and the `step` of each. Most text is of this kind, and numbers
    add up much faster than words with widths."""

    texts: Sequence[str]
    steps: Sequence[float]
    gap: float


Line: TypeAlias = Plain | tuple[Word, ...]
Span: TypeAlias = tuple[Line, int, int]
"""A printed line: a line as written, and the range of its words that are on the printed one."""


class Paragraph(NamedTuple):
    """The words of a text, line by line as written. Widths are multiples of the type size; `tracking` is added after
    each letter and included in `across`, the width of the widest line. `missing` lists the characters that the fonts do
    not have."""

    lines: tuple[Line, ...]
    tracking: float
    missing: tuple[str, ...]
    across: float

    @property
    def widest_line(self) -> float:
        return self.across - self.tracking if self.lines else 0.0

    @property
    def longest_word(self) -> str:
        """The letters of the widest word."""
        words = [word for line in self.lines for word in _as_words(line)]
        return _letters(max(words, key=WIDTH)) if words else ""

    @property
    def letters(self) -> str:
        """The letters of all words."""
        words = [line.texts if isinstance(line, Plain) else map(_letters, line) for line in self.lines]
        return " ".join([letters for line in words for letters in line])

    @property
    def widest_word(self) -> float:
        return max([widest(line) for line in self.lines if line], default=self.tracking) - self.tracking


def without(text: str, characters: Sequence[str]) -> str:
    """The text with question marks in place of these characters, the longest first: some are several letters long."""
    for character in sorted(characters, key=len, reverse=True):
        text = text.replace(character, "?")
    return text


def _getter(name: str) -> Callable[[Any], Any]:
    return itemgetter(Word._fields.index(name))


WIDTH, STEP, PLAIN, GAP = map(_getter, ("width", "step", "plain", "gap"))
"""Functions that get these attributes of a word, for `map`."""


def cut(span: Span) -> Line:
    """The words of a printed line."""
    line, begin, end = span
    if isinstance(line, Plain):
        return Plain(line.texts[begin:end], line.steps[begin:end], line.gap)
    words = line[begin:end]
    if end < len(line) and words and words[-1].hyphen:
        return (*words[:-1], _hyphenated(words[-1]))
    return words


def _hyphenated(word: Word) -> Word:
    """A word at the end of a line that breaks after it."""
    width, step = word.width + word.hyphen, word.step + word.hyphen
    if word.plain:
        return word._replace(plain=word.plain + "-", width=width, step=step)
    *atoms, last = word.atoms
    last = last._replace(text=last.text + "-", width=last.width + word.hyphen)
    return word._replace(atoms=(*atoms, last), width=width, step=step)


def _letters(word: Word) -> str:
    return word.plain or "".join([atom.text for atom in word.atoms])


def is_rtl(line: Line) -> bool:
    """Whether a line as a whole runs from right to left."""
    return not isinstance(line, Plain) and bool(line) and bool(line[0].base)


def line_width(line: Line) -> float:
    if isinstance(line, Plain):
        return fsum(line.steps) - line.gap
    steps: float = fsum(map(STEP, line))
    return steps - line[0].gap


def widest(line: Line) -> float:
    """The width of the widest word."""
    width: float = max(line.steps) - line.gap if isinstance(line, Plain) else max(map(WIDTH, line))
    return width


def with_words_broken(text: Paragraph, family: Family, room: float) -> Paragraph:
    """The text with every word that is wider than `room` (a multiple of the size) broken into pieces. A piece ends in a
    hyphen if it is broken off between letters."""
    hyphen = fonts.width("-", family.font(0)) + text.tracking
    lines = tuple(
        [
            tuple([part for word in _as_words(line) for part in _pieces(word, family, text.tracking, room, hyphen)])
            for line in text.lines
        ]
    )
    return text._replace(lines=lines, across=max(map(line_width, filter(None, lines)), default=0.0))


def _as_words(line: Line) -> Sequence[Word]:
    if not isinstance(line, Plain):
        return line
    return [Word((), step - line.gap, line.gap, step, word) for word, step in zip(line.texts, line.steps, strict=True)]


def _pieces(word: Word, family: Family, tracking: float, room: float, hyphen: float) -> Iterator[Word]:
    """The word itself, or pieces of it that are at most `room` wide; a single letter or icon may be wider."""
    if word.width - tracking <= room:
        yield word
        return
    most = min(room, word.width / ceil(word.width / max(room - hyphen, hyphen)) + 2 * hyphen) - hyphen
    piece: list[Atom] = []
    for atom in word.atoms or (Atom(word.plain, 0, word.width),):
        for letter in [*fonts.clusters(atom.text)] or [""]:
            width = family.font(atom.font).width(letter, tracking) if letter else atom.width
            if piece and fsum([part.width for part in piece]) + width > most:
                if letter.isalpha() and piece[-1].text.isalpha():
                    piece.append(Atom("-", atom.font, hyphen, "", atom.emphasis, atom.level))
                yield _joined(piece, word)
                piece = []
            piece.append(Atom(letter, atom.font, width, atom.icon, atom.emphasis, atom.level))
    yield _joined(piece, word)


def _joined(atoms: Sequence[Atom], word: Word) -> Word:
    """Part of a word, with these letters and icons."""
    joined: list[Atom] = []
    for atom in atoms:
        last = joined[-1] if joined else None
        if last and last.text and atom.text and _is_alike(last, atom):
            joined[-1] = atom._replace(text=last.text + atom.text, width=last.width + atom.width)
        else:
            joined.append(atom)
    width = fsum([atom.width for atom in joined])
    only = joined[0] if len(joined) == 1 else None
    plain = only.text if only and word.base is None and not only.font and only.emphasis == NO_EMPHASIS else ""
    return word._replace(
        atoms=() if plain else tuple(joined), width=width, step=width + word.gap, plain=plain, hyphen=0.0
    )


def _is_alike(one: Atom, other: Atom) -> bool:
    """Whether two atoms look alike and run in the same direction."""
    return (one.font, one.emphasis, one.level) == (other.font, other.emphasis, other.level)


@dataclass(slots=True)
class Stretch:
    """Part of a line that is drawn in one operation, at `x` from the left end: text in one font and direction, or an
    icon."""

    x: float
    text: str
    font: int
    width: float
    icon: str = ""
    emphasis: Emphasis = NO_EMPHASIS

    rtl: bool = False

    @property
    def is_emphasised(self) -> bool:
        """Whether it has a colour or lines of its own."""
        return self.emphasis != NO_EMPHASIS


def stretches(line: Line) -> Iterator[Stretch]:
    """Yields the stretches of a line from left to right, joining neighbouring words in the same font. Spaces are
    printed, so that text can be copied from a page. A space between two fonts belongs to the first; one between two
    icons is only a distance."""
    if isinstance(line, Plain):
        yield Stretch(0.0, " ".join(line.texts), 0, line_width(line))
    elif line and line[0].base is not None:
        yield from _ordered(line)
    else:
        yield from _unordered(line)


def _unordered(line: tuple[Word, ...]) -> Iterator[Stretch]:
    """The stretches of a line that runs from left to right."""
    at, last = 0.0, None
    for i, (gap, atoms) in enumerate(_runs(line)):
        space = gap if i else 0.0
        for atom in atoms:
            if last and last.text and space and _takes_space(last, atom):
                last.text, last.width, at, space = last.text + " ", last.width + space, at + space, 0.0
            if last and last.text and atom.text and _looks_like(last, atom):
                last.text, last.width, at = last.text + atom.text, last.width + atom.width, at + atom.width
                continue
            if last:
                yield last
            text = " " + atom.text if space and atom.text else atom.text
            start = at if text != atom.text else at + space
            at += space + atom.width
            last, space = Stretch(start, text, atom.font, at - start, atom.icon, atom.emphasis), 0.0
    if last:
        yield last


def _looks_like(stretch: Stretch, atom: Atom) -> bool:
    return stretch.font == atom.font and stretch.emphasis == atom.emphasis


def _takes_space(stretch: Stretch, atom: Atom) -> bool:
    """Whether the space between a stretch and what follows it belongs to the stretch. A space after underlined
    or struck words does not, unless they continue."""
    lined = stretch.emphasis.underlined or stretch.emphasis.struck
    return not lined or stretch.emphasis == atom.emphasis or not atom.text


def _runs(words: tuple[Word, ...]) -> Iterator[tuple[float, tuple[Atom, ...]]]:
    """Yields words and the space before each, joining consecutive words in the style's own font."""
    plain, begin = [*map(PLAIN, words), ""], 0
    while begin < len(words):
        end = plain.index("", begin)
        if end > begin:
            run = words[begin:end]
            text = run[0].plain + "".join([f" {word.plain}" if word.gap else word.plain for word in run[1:]])
            yield run[0].gap, (Atom(text, 0, line_width(run)),)
            begin = end
        else:
            yield words[begin].gap, words[begin].atoms
            begin += 1


def _ordered(line: tuple[Word, ...]) -> Iterator[Stretch]:
    """The stretches of a line with text that runs from right to left."""
    units: list[Atom] = []
    for number, word in enumerate(line):
        if number and word.gap:
            before = next((atom for atom in reversed(units) if atom.text), word.atoms[0])
            units.append(Atom(" ", before.font, word.gap, "", before.emphasis, word.level))
        units += word.atoms
    at, last = 0.0, None
    for atom in [units[place] for place in bidi.visual_order([unit.level for unit in units])]:
        rtl = bool(atom.level % 2)
        if last and last.text and atom.text and _looks_like(last, atom) and last.rtl == rtl:
            last.text = atom.text + last.text if rtl else last.text + atom.text
            last.width += atom.width
        else:
            if last:
                yield last
            last = Stretch(at, atom.text, atom.font, atom.width, atom.icon, atom.emphasis, rtl)
        at += atom.width
    if last:
        yield last


# ---- measuring: a word is everything between two spaces, including icons and bold letters, so that a line
#      never breaks between an icon and the comma after it; each word is measured only once

MAX_WORDS = 20_000
_Part: TypeAlias = tuple[str, int, str, Emphasis]
"""A text and the number of its font, or an icon."""


@lru_cache(maxsize=4096)
def paragraph(
    pieces: tuple[Piece, ...], family: Family, tracking: float, upper: bool, icons: Folders, language: str = ""
) -> Paragraph:
    """The words of a text, cached; raises InputError for an unknown icon."""
    return lexicon(family, tracking, upper, icons, language).read(pieces)


@lru_cache(maxsize=64)
def lexicon(family: Family, tracking: float, upper: bool, icons: Folders, language: str = "") -> Lexicon:
    """The lexicon that all texts with this family, tracking, case and language share."""
    return Lexicon(family, tracking, upper, icons, language)


class Lexicon:
    """The words measured so far with one family, tracking and case. `missing` lists the characters of the current text
    that the fonts do not have; `is_special` says whether it has a word that `plain` cannot read."""

    def __init__(self, family: Family, tracking: float, upper: bool, icons: Folders, language: str = "") -> None:
        self.language = language
        self.family = family
        self.tracking = tracking
        self.upper = upper
        self.casing = language or family.font(0).faces[0].language
        self.icons = icons
        self.missing: list[str] = []
        self.is_special = False
        self.fonts = tuple([family.keys.index(key) for key in family.keys])
        """The number of the plain, bold, italic, and bold italic font: a family may have one for several."""
        self._words: dict[tuple[int, float], _Words] = {}
        self._wholes: dict[tuple[tuple[_Part, ...], float], Word] = {}
        self._spaces: dict[int, float] = {}
        self._steps = _Steps(self, self.space(0))
        self._marked = _Marked(self)

    def read(self, pieces: tuple[Piece, ...]) -> Paragraph:
        """The words of a text; raises InputError for an unknown icon."""
        self.missing = []
        if self.language:
            pieces = tuple([self._hyphenated(piece) for piece in pieces])
        text = "".join([piece.text for piece in pieces if not isinstance(piece, Glyph)])
        if any(map(_SPECIAL.__getitem__, text.split(" "))):
            lines = [*_special_lines(self, pieces)]
        elif text.isprintable() and text.strip() and pieces == (Words(text),):
            return self._plain(text)
        else:
            lines = _Reader(self).read(pieces)
        return self._paragraph(tuple(lines))

    def _hyphenated(self, piece: Piece) -> Piece:
        return piece if isinstance(piece, Glyph) else piece._replace(text=hyphenated(piece.text, self.language))

    def cased(self, text: str) -> str:
        """The text as it is printed: in capitals if the style says so."""
        return upper(text, self.casing) if self.upper else text

    def plain(self, text: str) -> Paragraph:
        """Like `read`, but faster: for a text entirely in the style's own font with no white space but spaces."""
        if not self.language:
            self.missing, self.is_special = [], False
            paragraph = self._plain(text)
            if not self.is_special:
                return paragraph
        return self.read((Words(text),))

    def marked(self, markup: str) -> Paragraph:
        """Like `read`, but faster: for the markup of a text with no white space but spaces. Raises ValueError if a tag
        is not closed."""
        if "<" not in markup:
            return self.plain(inline.unescaped(markup))
        if not self.language:
            self.missing, self.is_special = [], False
            try:
                lines = [self._marked_line(inline.words(line)) for line in markup.split("<br/>")]
                if not self.is_special:
                    return self._paragraph(tuple(lines))
            except ValueError:  # perhaps a tag is closed in another word
                pass
        return self.read(assembled(inline.raw_pieces(markup)))

    def _marked_line(self, words: Iterable[str]) -> tuple[Word, ...]:
        """Words with their tags. Those beside words in other fonts or icons get the right spaces."""
        line = [*map(self._marked.__getitem__, words)]
        plain = [*map(PLAIN, line), ""]
        at, end = plain.index(""), len(line)
        while at < end:
            atoms = line[at].atoms
            if not at:
                self._set_gap(line, 0, atoms[0].font)
            last, at = atoms[-1], at + 1
            if at < end and (last.font or not plain[at]):
                self._set_gap(line, at, line[at].atoms[0].font if last.icon else last.font)
            at = plain.index("", at)
        return tuple(line)

    def _set_gap(self, line: list[Word], at: int, font: int) -> None:
        """Puts a space in this font before a word."""
        word, gap = line[at], self.space(font)
        if gap != word.gap:
            line[at] = self.words(0, gap)[word.plain] if word.plain else word._replace(gap=gap, step=word.width + gap)

    def _plain(self, text: str) -> Paragraph:
        texts = text.split()
        steps = [*map(self._steps.__getitem__, texts)]
        if self.upper:
            texts = self.cased(text).split()
        gap = self._steps.gap
        return Paragraph((Plain(texts, steps, gap),), self.tracking, self._all_missing(), fsum(steps) - gap)

    def _paragraph(self, lines: tuple[tuple[Word, ...], ...]) -> Paragraph:
        across = max(map(line_width, filter(None, lines)), default=0.0)
        return Paragraph(lines if any(lines) else (), self.tracking, self._all_missing(), across)

    def _all_missing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.missing)) if self.missing else ()

    def words(self, font: int, gap: float) -> _Words:
        """The words in one font with this gap before them, by text."""
        words = self._words.get((font, gap))
        if words is None:
            words = self._words[font, gap] = _Words(self, font, gap)
        return words

    def word(self, text: str, font: int, gap: float) -> Word:
        """A new word in one font with this gap before it."""
        width, letters = self.width(text, font), printed(text)
        if font:
            return Word((Atom(letters, font, width),), width, gap, width + gap)
        return Word((), width, gap, width + gap, letters)

    def whole(self, parts: list[_Part], gap: float) -> Word:
        """A word that consists of several parts."""
        key, before = (tuple(parts), gap), len(self.missing)
        word = self._wholes.get(key)
        if word is None:
            atoms = tuple(
                [
                    (self.glyph(icon) if icon else self.letters(text, font))._replace(emphasis=emphasis)
                    for text, font, icon, emphasis in parts
                ]
            )
            width = fsum([atom.width for atom in atoms])
            word = Word(atoms, width, gap, width + gap)
            if len(self.missing) == before and len(self._wholes) < MAX_WORDS:
                self._wholes[key] = word
        return word

    def letters(self, text: str, font: int, level: int = 0) -> Atom:
        return Atom(printed(text), font, self.width(text, font, level), level=level)

    def width(self, text: str, font: int, level: int = 0) -> float:
        """The width of a part of a word."""
        face = self.family.font(font)
        if "\u00a0" in text:
            text = text.replace("\u00a0", " ")
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


class _Special(dict[str, bool]):
    """Words → whether a text needs `_special_lines` because of them."""

    def __missing__(self, text: str) -> bool:
        if len(self) > MAX_WORDS:
            self.clear()
        self[text] = special = _is_special(text)
        return special


_SPECIAL = _Special()


def _is_special(text: str) -> bool:
    if text.isascii() and text.isalnum():  # most words
        return False
    return is_special(text) or bidi.is_needed(text)


def printed(text: str) -> str:
    """A part of a word as it is printed: a no-break space has done its job by now."""
    return text.replace("\u00a0", " ")


class _Words(dict[str, Word]):
    """Text → word in one font with one gap before it. A word with missing letters is not cached, so that it is reported
    every time."""

    def __init__(self, lexicon: Lexicon, font: int, gap: float) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.font = font
        self.gap = gap

    def __missing__(self, text: str) -> Word:
        lexicon = self.lexicon
        before = len(lexicon.missing)
        word = lexicon.word(text, self.font, self.gap)
        if len(lexicon.missing) == before:
            if len(self) > MAX_WORDS:
                self.clear()
            self[text] = word
        return word


class _Marked(dict[str, Word]):
    """A word with its tags → word after one in the style's own font. A word with missing letters or one that is special
    is not cached. Raises ValueError if a tag is not closed."""

    def __init__(self, lexicon: Lexicon) -> None:
        super().__init__()
        self.lexicon = lexicon

    def __missing__(self, markup: str) -> Word:
        lexicon = self.lexicon
        before = len(lexicon.missing)
        if "<" in markup or "&" in markup:
            pieces = assembled(inline.raw_pieces(markup))
            text = "".join([piece.text for piece in pieces if not isinstance(piece, Glyph)])
            reader = _Reader(lexicon)
            reader.gap = lexicon.space(0)
            ((word,),) = reader.read(pieces)
        else:
            text, word = markup, lexicon.word(lexicon.cased(markup), 0, lexicon.space(0))
        if _is_special(text):
            lexicon.is_special = True
        elif len(lexicon.missing) == before:
            if len(self) > MAX_WORDS:
                self.clear()
            self[markup] = word
        return word


class _Steps(dict[str, float]):
    """Text → width in the style's own font and the lexicon's case, including the space before it. A word with missing
    letters is not cached, nor is one that breaks, runs from right to left or stays with the word before it, so that it
    is noticed every time."""

    def __init__(self, lexicon: Lexicon, gap: float) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.gap = gap

    def __missing__(self, text: str) -> float:
        lexicon = self.lexicon
        if _is_special(text):
            lexicon.is_special = True
            return 0.0
        before = len(lexicon.missing)
        step = lexicon.width(lexicon.cased(text), 0) + self.gap
        if len(lexicon.missing) == before:
            if len(self) > MAX_WORDS:
                self.clear()
            self[text] = step
        return step


class _Reader:
    """Joins parts into words and words into lines. `begun` holds the parts of a word that is not finished yet. `gap` is
    the space before the next word, in the font in which it is printed: by default that of its own font."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.lines: list[tuple[Word, ...]] = []
        self.line: list[Word] = []
        self.begun: list[_Part] = []
        self.gap: float | None = None

    def read(self, pieces: Sequence[Piece]) -> list[tuple[Word, ...]]:
        lexicon = self.lexicon
        for piece in pieces:
            if isinstance(piece, Glyph):
                self.begun.append(("", 0, piece.icon, piece.emphasis))
                continue
            text, bold, italic, emphasis = piece
            first, *others = lexicon.cased(text).replace("\t", " ").split("\n")
            font = lexicon.fonts[bold + 2 * italic]
            self._add(first.split(" "), font, emphasis)
            for line in others:
                self._close_line()
                self._add(line.split(" "), font, emphasis)
        self._close_line()
        return self.lines

    def _add(self, words: list[str], font: int, emphasis: Emphasis) -> None:
        """Adds words of one line: the first continues the last one, and the last may continue in the next piece."""
        last = words.pop()
        if words and self.begun:
            self._begin(words.pop(0), font, emphasis)
            self._close_word()
        if not all(words):
            words = [*filter(None, words)]
        if emphasis != NO_EMPHASIS:
            for word in words:
                self._begin(word, font, emphasis)
                self._close_word()
        elif words:
            own = self.lexicon.space(font)
            known = self.lexicon.words(font, own)
            if self.gap not in (None, own):
                self.line.append(self.lexicon.words(font, self.gap)[words.pop(0)])
            self.line += map(known.__getitem__, words)
            self.gap = own
        if last:
            self.begun.append((last, font, "", emphasis))

    def _begin(self, part: str, font: int, emphasis: Emphasis) -> None:
        if part:
            self.begun.append((part, font, "", emphasis))

    def _close_word(self) -> None:
        if not self.begun:
            return
        text, font, icon, emphasis = self.begun[0]
        gap = self.lexicon.space(font) if self.gap is None else self.gap
        if len(self.begun) == 1 and not icon and emphasis == NO_EMPHASIS:
            self.line.append(self.lexicon.words(font, gap)[text])
        else:
            self.line.append(self.lexicon.whole(self.begun, gap))
            _, font, icon, _ = self.begun[-1]
        self.gap = None if icon else self.lexicon.space(font)
        self.begun = []

    def _close_line(self) -> None:
        self._close_word()
        self.lines.append(tuple(self.line))
        self.line, self.gap = [], None


# ---- lines with words that break, or with text that runs from right to left

_OBJECT = "\ufffc"
"""Stands for an icon."""
_UNSEEN = pattern("[\u00ad\u200b\u200e\u200f\u061c\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Characters that only say how a text breaks or which way it runs."""
_Letter: TypeAlias = tuple[int, str, Emphasis]
"""The font of a character, the icon that it stands for, and its emphasis."""


def _special_lines(lexicon: Lexicon, pieces: Sequence[Piece]) -> Iterator[tuple[Word, ...]]:
    text, letters, keys = "", list[_Letter](), lexicon.family.keys
    for piece in pieces:
        if isinstance(piece, Glyph):
            text += _OBJECT
            letters.append((0, piece.icon, piece.emphasis))
            continue
        part = lexicon.cased(piece.text).replace("\t", " ")
        text += part
        letters += [(keys.index(keys[piece.bold + 2 * piece.italic]), "", piece.emphasis)] * len(part)
    at = 0
    for line in text.split("\n"):
        yield tuple(_special_words(lexicon, glued(line), letters[at : at + len(line)]))
        at += len(line) + 1


def _special_words(lexicon: Lexicon, line: str, letters: Sequence[_Letter]) -> Iterator[Word]:
    """The words of one line, in the order they are written."""
    base = bidi.base_level(line) if bidi.is_needed(line) else None
    levels = [0] * len(line) if base is None else bidi.levels(line, base)
    gap, level = lexicon.space(0), base or 0
    for match in re.finditer("[^ ]+", line):
        start = match.start()
        if start:
            gap, level = lexicon.space(letters[start - 1][0]), levels[start - 1]
        ends = [*[start + end for end in breaks(match[0])], match.end()]
        for end in ends:
            is_plain = base is None and {*letters[start:end]} == {(letters[start][0], "", NO_EMPHASIS)}
            if is_plain and line[start:end].isalpha():
                yield lexicon.words(letters[start][0], gap)[line[start:end]]
                gap, start = 0.0, end
                continue
            atoms = tuple(_atoms(lexicon, line, letters, levels, start, end))
            if atoms:
                width = fsum([atom.width for atom in atoms])
                plain = atoms[0].text if is_plain and not atoms[0].font else ""
                hyphen = lexicon.letters("-", letters[end - 1][0]).width if line[end - 1] == "\u00ad" else 0.0
                yield Word(() if plain else atoms, width, gap, width + gap, plain, hyphen, level, base)
                gap, level = 0.0, levels[end - 1]
            start = end


def _atoms(
    lexicon: Lexicon, line: str, letters: Sequence[_Letter], levels: Sequence[int], start: int, end: int
) -> Iterator[Atom]:
    """Splits a word into parts of a single font and level."""
    for (font, icon, emphasis, level), group in groupby(range(start, end), lambda at: (*letters[at], levels[at])):
        places = [*group]
        if icon:
            yield from (lexicon.glyph(icon)._replace(emphasis=emphasis, level=level) for _ in places)
        elif text := _UNSEEN.sub("", line[places[0] : places[-1] + 1]):
            yield lexicon.letters(text, font, level)._replace(emphasis=emphasis)
