"""Splits texts into words and measures each word once; words and lines, the pieces of words that are too wide, and the
stretches that are drawn together.

A word is everything between two spaces, including icons and bold letters, so that a line never breaks between an icon
and the comma after it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cache, lru_cache
from itertools import chain, groupby
from math import ceil, fsum
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..art.picture_files import Folders, icon_aspect
from ..faces.face import NO_EMPHASIS, Emphasis, InlineIcon, Piece, Words
from ..files import of_files
from ..spelling import upper
from . import bidi, fonts
from .breaks import breaks, glued, hyphenated, is_special, may_have_hyphen
from .fonts import Font

MAX_WORDS = 20_000


FourKeys: TypeAlias = tuple[str, str, str, str]
FourFonts: TypeAlias = "tuple[fonts.Files, fonts.Files, fonts.Files, fonts.Files]"


class Family:
    """The fonts of a style by their keys in the theme: plain, bold, italic, bold italic. All but the first are loaded
    on demand."""

    def __init__(self, keys: FourKeys, files: FourFonts) -> None:
        self.keys = keys
        self.files = files
        self.font: Callable[[int], Font] = cache(lambda number: fonts.load(files[number]))
        """The font with this number; raises InputError for an unusable file."""
        plain = self.font(0)
        self.cap_height = plain.cap_height
        self.descent = plain.descent

    def __reduce__(self) -> tuple[Any, ...]:
        return family_of, (self.keys, self.files)


@of_files
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


Line: TypeAlias = tuple[Word, ...]
Span: TypeAlias = tuple[Line, int, int]
"""A printed line: a line as written, and the range of its words that are on the printed one."""


class Paragraph(Struct, frozen=True):
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
        words = [word for line in self.lines for word in line]
        return _letters(max(words, key=WIDTH)) if words else ""

    @property
    def letters(self) -> str:
        """The letters of all words."""
        return " ".join(map(letters_of, self.lines))

    @property
    def widest_word(self) -> float:
        return max([widest(line) for line in self.lines if line], default=self.tracking) - self.tracking


WIDTH, STEP, PLAIN = (itemgetter(Word._fields.index(name)) for name in ("width", "step", "plain"))
"""Functions that get these attributes of a word, for `map`."""


def cut(span: Span) -> Line:
    """The words of a printed line."""
    line, begin, end = span
    words = line[begin:end]
    return (*words[:-1], _hyphenated(words[-1])) if end < len(line) and words and words[-1].hyphen else words


def is_last(span: Span) -> bool:
    """Whether a printed line is the last one of a line as written."""
    line, _, end = span
    return end == len(line)


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


def letters_of(line: Line) -> str:
    """The letters of the words of a line."""
    return " ".join(map(_letters, line))


def is_rtl(line: Line) -> bool:
    """Whether a line as a whole runs from right to left."""
    return bool(line) and bool(line[0].base)


def line_width(line: Line) -> float:
    steps: float = fsum(map(STEP, line))
    return steps - line[0].gap


def widest(line: Line) -> float:
    """The width of the widest word."""
    width: float = max(map(WIDTH, line))
    return width


def with_words_broken(text: Paragraph, family: Family, room: float) -> Paragraph:
    """The text with every word that is wider than `room` (a multiple of the size) broken into pieces. A piece ends in a
    hyphen if it is broken off between letters."""
    hyphen = fonts.width("-", family.font(0)) + text.tracking
    lines = tuple(
        [
            tuple([part for word in line for part in _pieces(word, family, text.tracking, room, hyphen=hyphen)])
            for line in text.lines
        ]
    )
    return replace(text, lines=lines, across=max(map(line_width, filter(None, lines)), default=0.0))


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
                if may_have_hyphen(letter[:1]) and may_have_hyphen(piece[-1].text[:1]):
                    piece.append(Atom("-", atom.font, hyphen, "", emphasis=atom.emphasis, level=atom.level))
                yield _joined(piece, word)
                piece = []
            piece.append(Atom(letter, atom.font, width, atom.icon, emphasis=atom.emphasis, level=atom.level))
    yield _joined(piece, word)


def _joined(atoms: Sequence[Atom], word: Word) -> Word:
    """Part of a word, with these letters and icons."""
    joined: list[Atom] = []
    for atom in atoms:
        last = joined[-1] if joined else None
        if last and last.text and atom.text and _looks_like(last, atom) and last.level == atom.level:
            joined[-1] = atom._replace(text=last.text + atom.text, width=last.width + atom.width)
        else:
            joined.append(atom)
    width = fsum([atom.width for atom in joined])
    only = joined[0] if len(joined) == 1 else None
    plain = only.text if only and word.base is None and not only.font and only.emphasis == NO_EMPHASIS else ""
    return word._replace(
        atoms=() if plain else tuple(joined), width=width, step=width + word.gap, plain=plain, hyphen=0.0
    )


class Stretch(Struct):
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
    return _ordered(line) if line and line[0].base is not None else _unordered(line)


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
            last, space = Stretch(start, text, atom.font, at - start, icon=atom.icon, emphasis=atom.emphasis), 0.0
    if last:
        yield last


def _looks_like(one: Stretch | Atom, other: Atom) -> bool:
    return one.font == other.font and one.emphasis == other.emphasis


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
            units.append(Atom(" ", before.font, word.gap, "", emphasis=before.emphasis, level=word.level))
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
            last = Stretch(at, atom.text, atom.font, atom.width, icon=atom.icon, emphasis=atom.emphasis, rtl=rtl)
        at += atom.width
    if last:
        yield last


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
        self.space: Callable[[int], float] = cache(lambda font: family.font(font).space + tracking)
        """The width of the space between two words in a font."""
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
        if not text.isprintable() or glued(text) != text:
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


_OBJECT = "\ufffc"  # stands for an icon
_WORD = re.compile("[^ ]+")
# Characters that only say how a text breaks or which way it runs.
_UNSEEN = re.compile("[\u00ad\u200b\u200e\u200f\u061c\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_Look: TypeAlias = tuple[int, str, Emphasis]  # the font of a character, the icon that it stands for, and its emphasis


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
