"""What texts are made of once they are measured: words, and the stretches of a line that are drawn at once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple, TypeAlias

from ..records import dataclass
from . import fonts
from .fonts import Font


class Family:
    """The fonts one style chooses from, by their keys in the theme: plain, bold, italic, and both. Only the first is
    loaded before it is needed."""

    __slots__ = ("_loaded", "cap_height", "descent", "files", "keys")

    def __init__(self, keys: tuple[str, str, str, str], files: tuple[Path, Path, Path, Path]) -> None:
        self.keys = keys
        self.files = files
        self._loaded: dict[int, Font] = {}
        plain = self.font(0)
        self.cap_height = plain.cap_height
        self.descent = plain.descent

    def font(self, number: int) -> Font:
        """The font of that number; raises InputError for a file that is none."""
        found = self._loaded.get(number)
        if found is None:
            found = self._loaded[number] = fonts.load(self.files[number])
        return found


class Atom(NamedTuple):
    """A stretch of a word in one font (the `font`th of the family), or an icon. Widths are multiples of the type
    size and count what is added after the last letter, too."""

    text: str
    font: int
    width: float
    icon: str = ""


class Word(NamedTuple):
    """Atoms that stay together; `gap` is the space before them where they do not begin a line, `step` their width with
    it. A word whose letters are all in the style's own font has these as `plain` in the place of atoms."""

    atoms: tuple[Atom, ...]
    width: float
    gap: float
    step: float
    plain: str = ""


class Plain(NamedTuple):
    """A line that is all in the style's own font: its words, and the `step` of each. Most texts are of this kind, and
    numbers in a list are added up much faster than those of words."""

    texts: Sequence[str]
    steps: Sequence[float]
    gap: float


Line: TypeAlias = Plain | tuple[Word, ...]
Span: TypeAlias = tuple[Line, int, int]
"""A line of a broken text: the words of a line as it was written from one to before another."""


class Paragraph(NamedTuple):
    """Words by the lines they were written in. Widths are multiples of the type size; `tracking` is added after each
    letter, and counts in `across`, the width of the widest line. `missing` are the characters its fonts do not have."""

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
"""Of a word; many are asked at once."""


def cut(span: Span) -> Line:
    """The line by itself."""
    line, begin, end = span
    if isinstance(line, Plain):
        return Plain(line.texts[begin:end], line.steps[begin:end], line.gap)
    return line[begin:end]


def line_width(line: Line) -> float:
    if isinstance(line, Plain):
        return sum(line.steps) - line.gap
    steps: float = sum(map(STEP, line))
    return steps - line[0].gap


def widest(line: Line) -> float:
    """The width of its widest word."""
    width: float = max(line.steps) - line.gap if isinstance(line, Plain) else max(map(WIDTH, line))
    return width


@dataclass(slots=True)
class Stretch:
    """A part of a line that is drawn at once, `x` from the line's left end: letters of one font, or an icon."""

    x: float
    text: str
    font: int
    width: float
    icon: str = ""


def stretches(line: Line) -> Iterator[Stretch]:
    """The parts of a line, letters of one font joined across words. Spaces are letters, so that the words of a
    printed page can be copied; one between two fonts belongs to the first, one between two icons is only room."""
    if isinstance(line, Plain):
        yield Stretch(0.0, " ".join(line.texts), 0, line_width(line))
        return
    at, last = 0.0, None
    for i, (gap, atoms) in enumerate(_runs(line)):
        space = gap if i else 0.0
        for atom in atoms:
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


def _runs(words: tuple[Word, ...]) -> Iterator[tuple[float, tuple[Atom, ...]]]:
    """Words and the space before them, those in the style's own font that follow each other as one."""
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
