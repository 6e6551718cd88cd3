"""What texts are made of once they are measured: words, and the stretches of a line that are drawn at once."""

from __future__ import annotations

from collections.abc import Iterator
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

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


class Paragraph(NamedTuple):
    """Words by the lines they were written in. Widths are multiples of the type size; `tracking` is added after each
    letter, and counts in `across`, the width of the widest line. `missing` are the characters its fonts do not have."""

    lines: tuple[tuple[Word, ...], ...]
    tracking: float
    missing: tuple[str, ...]
    across: float

    @property
    def widest_line(self) -> float:
        return self.across - self.tracking if self.lines else 0.0

    @property
    def widest_word(self) -> float:
        return max([max(map(WIDTH, line)) for line in self.lines if line], default=self.tracking) - self.tracking


WIDTH, GAP, STEP, PLAIN = map(itemgetter, (1, 2, 3, 4))
"""Of a word; many are asked at once."""


def line_width(words: tuple[Word, ...]) -> float:
    steps: float = sum(map(STEP, words))
    return steps - words[0].gap


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
    for i, (gap, atoms) in enumerate(_runs(words)):
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
