"""Compares the pages of a PDF with those of a set, piece by piece: every text and every shape in its place.

Pages may be in any order. Each is compared with the page of the set that it has most in common with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from ..geometry.frame import Page, Placed
from .printed_pages import Ink, Sheet, Written

CODE = re.compile(r"(?<![0-9A-Z])[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{2}(?![0-9A-Z])")
"""Text that looks like a set code."""
ALIKE = 0.2
"""A page that has less than this share in common with every page of the set does not belong to it."""
MOST_LISTED = 12

Mark: TypeAlias = tuple[str, float, float, float, str]
"""A text or the form of a shape, where it is to a tenth of a millimetre, the size of letters (0 for a shape) and their
colour."""
Marks: TypeAlias = Counter[Mark]


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece that differs: its page in the PDF (None if it is missing), its name, the texts it should have and lacks,
    the texts it has and should not, and the number of shapes (`drawings`) that are missing or do not belong."""

    page: int | None
    name: str
    wanted: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    drawings: int = 0


@dataclass(slots=True)
class Answer:
    """The number of pieces that match, the pieces that differ, are missing, or come from another set (`foreign`), and
    the number of `pages` that belong to the set."""

    same: int = 0
    pages: int = 0
    differing: list[Piece] = field(default_factory=list)
    missing: list[Piece] = field(default_factory=list)
    foreign: list[Piece] = field(default_factory=list)


def codes_in(texts: Iterable[str]) -> list[str]:
    """Everything in consecutive texts that looks like a set code. In a narrow place, such as a die, a code breaks after
    a dash and continues in the next text."""
    return CODE.findall("\n".join(text.strip() for text in texts).replace("-\n", "-"))


def compared(pages: Sequence[Page], wanted: Sequence[Sheet], found: Sequence[Sheet], code: str) -> Answer:
    """Compares the pages of a PDF (`found`) with those of a set: `wanted` is what is on `pages`."""
    pairs = _pairs(wanted, found)
    answer = Answer(pages=len(pairs))
    for number, sheet in enumerate(found):
        if number in pairs:
            _page(answer, number + 1, pages[pairs[number]], wanted[pairs[number]], sheet, code)
        else:
            texts = [ink.text.strip() for ink in sheet.ink if isinstance(ink, Written)]
            answer.foreign.append(Piece(number + 1, "a page", (), tuple(texts[:MOST_LISTED])))
    for lost in sorted(set(range(len(pages))) - set(pairs.values())):
        answer.missing += [Piece(None, _called(placed, pages[lost])) for placed in pages[lost].placed]
    return answer


def _pairs(wanted: Sequence[Sheet], found: Sequence[Sheet]) -> dict[int, int]:
    """The page of the set for each page of the PDF, both by number; the most similar pairs are made first."""
    expected, seen = ([_marks(sheet.ink) for sheet in sheets] for sheets in (wanted, found))
    alike = sorted(
        (
            (-(one & other).total(), abs(number - place), number, place)
            for number, one in enumerate(seen)
            for place, other in enumerate(expected)
            if (one & other).total() > ALIKE * other.total()
        )
    )
    pairs: dict[int, int] = {}
    for _, _, number, place in alike:
        if number not in pairs and place not in pairs.values():
            pairs[number] = place
    return pairs


def _page(answer: Answer, number: int, page: Page, wanted: Sheet, found: Sheet, code: str) -> None:
    expected, seen = _by_piece(page, wanted), _by_piece(page, found)
    for index in range(-1, len(page.placed)):
        name = _called(page.placed[index], page) if index >= 0 else f"the page itself ({page.label})"
        one, other = expected.get(index, Counter()), seen.get(index, Counter())
        if one == other:
            answer.same += index >= 0
        elif one and not _texts(other) and not one & other:
            answer.missing.append(Piece(number, name))
        else:
            piece = _difference(number, name, one, other)
            strangers = [said for said in codes_in(piece.printed) if said != code]
            (answer.foreign if strangers else answer.differing).append(piece)


def _difference(number: int, name: str, wanted: Marks, found: Marks) -> Piece:
    lost, new = wanted - found, found - wanted
    shapes = sum(count for mark, count in (lost + new).items() if not mark[3])
    return Piece(number, name, _texts(lost), _texts(new), shapes)


def _texts(marks: Marks) -> tuple[str, ...]:
    """The texts among marks, in the order they are read."""
    found = sorted((mark for mark in marks.elements() if mark[3]), key=lambda mark: (mark[2], mark[1]))
    return tuple(mark[0].strip() for mark in found)[:MOST_LISTED]


def _called(placed: Placed, page: Page) -> str:
    return f"{placed.frame.name} ({page.label})" if page.label else placed.frame.name


# ---- where marks lie ----------------------------------------------------------------------------------------------


def _marks(ink: Sequence[Ink]) -> Marks:
    return Counter(map(_mark, ink))


def _mark(ink: Ink) -> Mark:
    if isinstance(ink, Written):
        return ink.text, round(ink.x, 1), round(ink.y, 1), round(ink.size, 1), ink.colour
    return ink.looks, round(ink.x, 1), round(ink.y, 1), 0.0, ""


def _by_piece(page: Page, sheet: Sheet) -> dict[int, Marks]:
    """The marks of a page by the number of the piece they lie on; −1 is the page around the pieces."""
    windows = list(_windows(page))
    found: dict[int, Marks] = {}
    for ink in sheet.ink:
        inside = (
            number
            for number, (left, top, right, bottom) in enumerate(windows)
            if left <= ink.x <= right and top <= ink.y <= bottom
        )
        found.setdefault(next(inside, -1), Counter())[_mark(ink)] += 1
    return found


def _windows(page: Page) -> Iterator[tuple[float, float, float, float]]:
    """What is seen of every piece: its trim, and its bleed as far as it reaches."""
    for placed in page.placed:
        (left, top, right, bottom), (width, height) = placed.clip, placed.box
        yield placed.x - left, placed.y - top, placed.x + width + right, placed.y + height + bottom
