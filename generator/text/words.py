"""Measures the words of marked-up text, and joins the words of a line into runs that are drawn together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import ceil, fsum
from operator import attrgetter
from typing import NamedTuple, TypeAlias, TypeVar

from ..faces.face import NO_EMPHASIS, Emphasis, Glyph, Piece
from ..svg.files import Folders, icon_aspect
from . import fonts
from .fonts import Font

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

    def font(self, number: int) -> Font:
        """The font with this number; raises InputError for an unusable file."""
        font = self._loaded.get(number)
        if font is None:
            font = self._loaded[number] = fonts.load(self.files[number])
        return font


class Atom(NamedTuple):
    """A part of a word in one font (`font` is its number in the family), or an icon. Widths are multiples of the type
    size and include the tracking after the last letter."""

    text: str
    font: int
    width: float
    icon: str = ""
    emphasis: Emphasis = NO_EMPHASIS


class Word(NamedTuple):
    """Atoms that stay together. `gap` is the space before the word unless it begins a line; `step` is the width with
    that space. A word entirely in the style's own font has its letters in `plain` and no atoms."""

    atoms: tuple[Atom, ...]
    width: float
    gap: float
    step: float
    plain: str = ""


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
    def widest_word(self) -> float:
        return max([widest(line) for line in self.lines if line], default=self.tracking) - self.tracking


WIDTH, STEP, PLAIN = map(attrgetter, ("width", "step", "plain"))
"""Functions that get these attributes of a word, for `map`."""


def cut(span: Span) -> Line:
    """The words of a printed line."""
    line, begin, end = span
    if isinstance(line, Plain):
        return Plain(line.texts[begin:end], line.steps[begin:end], line.gap)
    return line[begin:end]


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
        for letter in [*atom.text] or [""]:
            width = fonts.width(letter, family.font(atom.font)) + tracking if letter else atom.width
            if piece and fsum([part.width for part in piece]) + width > most:
                if letter.isalpha() and piece[-1].text.isalpha():
                    piece.append(Atom("-", atom.font, hyphen, "", atom.emphasis))
                yield _joined(piece, word.gap)
                piece = []
            piece.append(Atom(letter, atom.font, width, atom.icon, atom.emphasis))
    yield _joined(piece, word.gap)


def _joined(atoms: Sequence[Atom], gap: float) -> Word:
    """A word of these letters and icons."""
    joined: list[Atom] = []
    for atom in atoms:
        last = joined[-1] if joined else None
        if last and last.text and atom.text and (last.font, last.emphasis) == (atom.font, atom.emphasis):
            joined[-1] = Atom(last.text + atom.text, atom.font, last.width + atom.width, "", atom.emphasis)
        else:
            joined.append(atom)
    width = fsum([atom.width for atom in joined])
    only = joined[0] if len(joined) == 1 else None
    plain = only.text if only and not only.font and only.emphasis == NO_EMPHASIS else ""
    return Word(() if plain else tuple(joined), width, gap, width + gap, plain)


@dataclass(slots=True)
class Stretch:
    """Part of a line that is drawn in one operation, at `x` from the left end: text in one font, or an icon."""

    x: float
    text: str
    font: int
    width: float
    icon: str = ""
    emphasis: Emphasis = NO_EMPHASIS

    @property
    def is_emphasised(self) -> bool:
        """Whether it has a colour or lines of its own."""
        return self.emphasis != NO_EMPHASIS


def stretches(line: Line) -> Iterator[Stretch]:
    """Yields the stretches of a line, joining neighbouring words in the same font. Spaces are printed, so that text can
    be copied from a page. A space between two fonts belongs to the first; one between two icons is only a distance."""
    if isinstance(line, Plain):
        yield Stretch(0.0, " ".join(line.texts), 0, line_width(line))
        return
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
    """Whether the space between a stretch and what follows it belongs to the stretch. A space after words with a line
    has none."""
    lined = stretch.emphasis.underlined or stretch.emphasis.struck
    return not lined or stretch.emphasis == atom.emphasis or not atom.text


def _runs(words: tuple[Word, ...]) -> Iterator[tuple[float, tuple[Atom, ...]]]:
    """Yields words and the space before each, joining consecutive words in the style's own font."""
    plain, begin = [*map(PLAIN, words), ""], 0
    while begin < len(words):
        end = plain.index("", begin)
        if end > begin:
            run = words[begin:end]
            yield run[0].gap, (Atom(" ".join(plain[begin:end]), 0, line_width(run)),)
            begin = end
        else:
            yield words[begin].gap, words[begin].atoms
            begin += 1


# ---- measuring: a word is everything between two spaces, including icons and bold letters, so that a line
#      never breaks between an icon and the comma after it; each word is measured only once

T = TypeVar("T")
MAX_WORDS = 20_000
_Part: TypeAlias = tuple[str, int, str, Emphasis]
"""A text and the number of its font, or an icon."""


@lru_cache(maxsize=4096)
def paragraph(pieces: tuple[Piece, ...], family: Family, tracking: float, upper: bool, icons: Folders) -> Paragraph:
    """The words of a text, cached; raises InputError for an unknown icon."""
    return lexicon(family, tracking, upper, icons).read(pieces)


@lru_cache(maxsize=64)
def lexicon(family: Family, tracking: float, upper: bool, icons: Folders) -> Lexicon:
    """The lexicon that all texts with this family, tracking and case share."""
    return Lexicon(family, tracking, upper, icons)


class Lexicon:
    """The words measured so far with one family, tracking and case. `missing` lists the characters of the current text
    that the fonts do not have."""

    def __init__(self, family: Family, tracking: float, upper: bool, icons: Folders) -> None:
        self.family = family
        self.tracking = tracking
        self.upper = upper
        self.icons = icons
        self.missing: list[str] = []
        self._words: dict[tuple[int, float], _Words] = {}
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
        """Like `read`, but faster: for a text entirely in the style's own font with no white space but spaces."""
        self.missing = []
        texts = (text.upper() if self.upper else text).split()
        steps = [*map(self._steps.__getitem__, texts)]
        gap = self._steps.gap
        return Paragraph((Plain(texts, steps, gap),), self.tracking, self._all_missing(), fsum(steps) - gap)

    def _paragraph(self, lines: tuple[tuple[Word, ...], ...]) -> Paragraph:
        across = max(map(line_width, filter(None, lines)), default=0.0)
        return Paragraph(lines, self.tracking, self._all_missing(), across)

    def _all_missing(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.missing)) if self.missing else ()

    def words(self, font: int, gap: float) -> dict[str, Word]:
        """The words in one font with this gap before them, by text."""
        words = self._words.get((font, gap))
        if words is None:
            words = self._words[font, gap] = _Words(self, font, gap)
        return words

    def whole(self, parts: list[_Part], gap: float) -> Word:
        """A word that consists of several parts."""
        atoms = tuple(
            [
                (self.glyph(icon) if icon else self.letters(text, font))._replace(emphasis=emphasis)
                for text, font, icon, emphasis in parts
            ]
        )
        width = fsum([atom.width for atom in atoms])
        return Word(atoms, width, gap, width + gap)

    def letters(self, text: str, font: int) -> Atom:
        face = self.family.font(font)
        if "\u00a0" in text:  # it has done its job by now and is printed as a space
            text = text.replace("\u00a0", " ")
            self.missing += face.missing(text)
            return Atom(text, font, face.width(text, self.tracking))
        shaped = face.shaped(text, tracked=bool(self.tracking))
        self.missing += shaped.missing
        return Atom(text, font, shaped.width + self.tracking * shaped.tracked)

    def glyph(self, icon: str) -> Atom:
        return Atom("", 0, icon_aspect(icon, self.icons) * self.family.cap_height + self.tracking, icon)

    def space(self, font: int) -> float:
        """The width of the space between two words."""
        if font not in self._spaces:
            self._spaces[font] = self.family.font(font).space + self.tracking
        return self._spaces[font]


class _Cache(dict[str, T]):
    """Caches a value for each word in one font with one gap before it. A word with missing letters is not cached, so
    that it is reported every time."""

    def __init__(self, lexicon: Lexicon, font: int, gap: float) -> None:
        super().__init__()
        self.lexicon = lexicon
        self.font = font
        self.gap = gap

    def __missing__(self, text: str) -> T:
        before = len(self.lexicon.missing)
        value = self.compute(self.lexicon.letters(text, self.font))
        if len(self.lexicon.missing) == before:
            if len(self) > MAX_WORDS:
                self.clear()
            self[text] = value
        return value

    def compute(self, atom: Atom) -> T:
        raise NotImplementedError


class _Words(_Cache[Word]):
    """Text → word."""

    def compute(self, atom: Atom) -> Word:
        gap, width = self.gap, atom.width
        return Word((atom,), width, gap, width + gap) if self.font else Word((), width, gap, width + gap, atom.text)


class _Steps(_Cache[float]):
    """Text → width, including the space before it."""

    def compute(self, atom: Atom) -> float:
        return atom.width + self.gap


class _Reader:
    """Joins parts into words and words into lines. `begun` holds the parts of a word that is not finished yet."""

    def __init__(self, lexicon: Lexicon) -> None:
        self.lexicon = lexicon
        self.lines: list[tuple[Word, ...]] = []
        self.line: list[Word] = []
        self.begun: list[_Part] = []

    def add(self, piece: Piece) -> None:
        if isinstance(piece, Glyph):
            self.begun.append(("", 0, piece.icon, piece.emphasis))
            return
        keys = self.lexicon.family.keys
        font = keys.index(keys[piece.bold + 2 * piece.italic])
        text = piece.text.upper() if self.lexicon.upper else piece.text
        for number, line in enumerate(text.replace("\t", " ").split("\n")):
            if number:
                self.close_line()
            self._add_line(line.split(" "), font, piece.emphasis)

    def _add_line(self, parts: list[str], font: int, emphasis: Emphasis) -> None:
        """Adds parts separated by spaces: the first continues a word, the last may continue in the next piece."""
        *whole, last = parts
        if whole and self.begun:
            self._begin(whole.pop(0), font, emphasis)
            self.close_word()
        whole = [*filter(None, whole)]
        if emphasis != NO_EMPHASIS:
            for word in whole:
                self._begin(word, font, emphasis)
                self.close_word()
        elif whole:
            self.line.append(self.lexicon.words(font, self._gap(font))[whole[0]])
            self.line += map(self.lexicon.words(font, self.lexicon.space(font)).__getitem__, whole[1:])
        self._begin(last, font, emphasis)

    def _begin(self, part: str, font: int, emphasis: Emphasis) -> None:
        if part:
            self.begun.append((part, font, "", emphasis))

    def close_word(self) -> None:
        if not self.begun:
            return
        text, font, icon, emphasis = self.begun[0]
        gap = self._gap(font)
        single = len(self.begun) == 1 and not icon and emphasis == NO_EMPHASIS
        self.line.append(self.lexicon.words(font, gap)[text] if single else self.lexicon.whole(self.begun, gap))
        self.begun = []

    def _gap(self, font: int) -> float:
        """The space before a word that begins in this font, in the font in which it is printed."""
        if not self.line:
            return self.lexicon.space(font)
        before = self.line[-1].atoms
        if not before:
            return self.lexicon.space(0)
        return self.lexicon.space(font if before[-1].icon else before[-1].font)

    def close_line(self) -> None:
        self.close_word()
        self.lines.append(tuple(self.line))
        self.line = []
