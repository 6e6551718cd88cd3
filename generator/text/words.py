"""Words and lines: their widths, the pieces of words that are too wide, and the stretches that are drawn together."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from math import ceil, fsum
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ..faces.face import NO_EMPHASIS, Emphasis
from ..files import of_files
from . import bidi, fonts
from .breaks import may_have_hyphen
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

    def __reduce__(self) -> tuple[Any, ...]:
        return family_of, (self.keys, self.files)

    def font(self, number: int) -> Font:
        """The font with this number; raises InputError for an unusable file."""
        font = self._loaded.get(number)
        if font is None:
            font = self._loaded[number] = fonts.load(self.files[number])
        return font


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


def _getter(name: str) -> Callable[[Any], Any]:
    return itemgetter(Word._fields.index(name))


WIDTH, STEP, PLAIN, GAP = map(_getter, ("width", "step", "plain", "gap"))
"""Functions that get these attributes of a word, for `map`."""


def cut(span: Span) -> Line:
    """The words of a printed line."""
    line, begin, end = span
    words = line[begin:end]
    if end < len(line) and words and words[-1].hyphen:
        return (*words[:-1], _hyphenated(words[-1]))
    return words


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
    is_ordered = line and line[0].base is not None
    return _ordered(line) if is_ordered else _unordered(line)


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
