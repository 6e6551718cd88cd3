"""Compares the pages of a PDF with those of a set, piece by piece: every text and every shape in its place.

Pages may be in any order. Each is compared with the page of the set that it has most in common with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from math import hypot
from typing import TypeAlias

from msgspec import Struct, field

from ..geometry.frame import Page, Placed
from .printed_pages import Ink, PrintedPage, Written

CODE = re.compile(r"(?<![0-9A-Z])[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{2}(?![0-9A-Z])")
"""Text that looks like a set code."""
MIN_SHARE = 0.2
"""A page belongs to the set if it has more than this share of the marks of one of the pages of the set."""
MAX_LISTED = 12
"""The maximum number of texts listed for a piece."""

Mark: TypeAlias = tuple[str, float, float, float, str]
"""A text or the form of a shape, its x and y to a tenth of a millimetre, and the type size and colour of a text (0 and
empty for a shape)."""
Marks: TypeAlias = Counter[Mark]


class PieceDifference(Struct, frozen=True):
    """A piece that differs: its page in the PDF (None if the page is missing), its name, the `expected` texts that are
    missing, the `printed` texts that should not be there, and the number of shapes (`drawings`) that differ."""

    page: int | None
    name: str
    expected: tuple[str, ...] = ()
    printed: tuple[str, ...] = ()
    drawings: int = 0


class Comparison(Struct):
    """The number of pieces that are the `same`, the pieces that differ, are missing or come from another set
    (`foreign`), and the number of `pages` that belong to the set."""

    same: int = 0
    pages: int = 0
    differing: list[PieceDifference] = field(default_factory=list)
    missing: list[PieceDifference] = field(default_factory=list)
    foreign: list[PieceDifference] = field(default_factory=list)


def codes_in(texts: Iterable[str]) -> list[str]:
    """Everything in consecutive texts that looks like a set code. In a narrow place, such as a die, a code breaks after
    a dash and continues in the next text."""
    return CODE.findall("\n".join(text.strip() for text in texts).replace("-\n", "-"))


def compare(
    pages: Sequence[Page], expected: Sequence[PrintedPage], printed: Sequence[PrintedPage], code: str
) -> Comparison:
    """Compares the pages of a PDF (`printed`) with the `pages` of a set, whose contents are `expected`."""
    pairs = _pairs(expected, printed)
    comparison = Comparison(pages=len(pairs))
    for number, page in enumerate(printed):
        if number in pairs:
            match = pairs[number]
            _compare_page(comparison, number + 1, pages[match], expected[match], printed=page, code=code)
        else:
            texts = [ink.text.strip() for ink in page.ink if isinstance(ink, Written)]
            comparison.foreign.append(PieceDifference(number + 1, "a page", (), tuple(texts[:MAX_LISTED])))
    for missing in sorted(set(range(len(pages))) - set(pairs.values())):
        comparison.missing += [PieceDifference(None, _name(placed, pages[missing])) for placed in pages[missing].placed]
    return comparison


def _pairs(expected: Sequence[PrintedPage], printed: Sequence[PrintedPage]) -> dict[int, int]:
    """The page of the set for each page of the PDF, both by number; the most similar pages are paired first."""
    set_pages, pdf_pages = ([_marks(page.ink) for page in pages] for pages in (expected, printed))
    candidates = sorted(
        (
            (-(pdf_page & set_page).total(), abs(pdf_number - set_number), pdf_number, set_number)
            for pdf_number, pdf_page in enumerate(pdf_pages)
            for set_number, set_page in enumerate(set_pages)
            if (pdf_page & set_page).total() > MIN_SHARE * set_page.total()
        )
    )
    pairs: dict[int, int] = {}
    for _, _, pdf_number, set_number in candidates:
        if pdf_number not in pairs and set_number not in pairs.values():
            pairs[pdf_number] = set_number
    return pairs


def _compare_page(
    comparison: Comparison, number: int, page: Page, expected: PrintedPage, printed: PrintedPage, code: str
) -> None:
    expected_marks, printed_marks = _by_piece(page, expected), _by_piece(page, printed)
    for index in range(-1, len(page.placed)):
        name = _name(page.placed[index], page) if index >= 0 else f"the page itself ({page.label})"
        set_marks, pdf_marks = expected_marks.get(index, Counter()), printed_marks.get(index, Counter())
        if set_marks == pdf_marks:
            comparison.same += index >= 0
        elif set_marks and not _texts(pdf_marks) and not set_marks & pdf_marks:
            comparison.missing.append(PieceDifference(number, name))
        else:
            piece = _difference(number, name, set_marks, pdf_marks)
            other_codes = [other for other in codes_in(piece.printed) if other != code]
            (comparison.foreign if other_codes else comparison.differing).append(piece)


def _difference(number: int, name: str, expected: Marks, printed: Marks) -> PieceDifference:
    missing, surplus = expected - printed, printed - expected
    shapes = sum(count for mark, count in (missing + surplus).items() if not mark[3])
    return PieceDifference(number, name, _texts(missing), _texts(surplus), drawings=shapes)


def _texts(marks: Marks) -> tuple[str, ...]:
    """The texts among marks, in reading order."""
    texts = sorted((mark for mark in marks.elements() if mark[3]), key=lambda mark: (mark[2], mark[1]))
    return tuple(mark[0].strip() for mark in texts)[:MAX_LISTED]


def _name(placed: Placed, page: Page) -> str:
    return f"{placed.frame.name} ({page.label})" if page.label else placed.frame.name


# ---- marks and the pieces they are on -----------------------------------------------------------------------------


def _marks(ink: Sequence[Ink]) -> Marks:
    return Counter(map(_mark, ink))


def _mark(ink: Ink) -> Mark:
    if isinstance(ink, Written):
        return ink.text, round(ink.x, 1), round(ink.y, 1), round(ink.size, 1), ink.colour
    return ink.looks, round(ink.x, 1), round(ink.y, 1), 0.0, ""


def _by_piece(page: Page, printed: PrintedPage) -> dict[int, Marks]:
    """The marks of a page by the index of the piece they are on; −1 is the page around the pieces. Where the boxes of
    nested hexagons overlap, a mark is on the one with the nearest middle."""
    windows = list(_windows(page))
    marks: dict[int, Marks] = {}
    for ink in printed.ink:
        inside = [
            (hypot(2 * ink.x - left - right, 2 * ink.y - top - bottom), index)
            for index, (left, top, right, bottom) in enumerate(windows)
            if left <= ink.x <= right and top <= ink.y <= bottom
        ]
        marks.setdefault(min(inside)[1] if inside else -1, Counter())[_mark(ink)] += 1
    return marks


def _windows(page: Page) -> Iterator[tuple[float, float, float, float]]:
    """The visible box of every piece: its trim and the visible part of its bleed."""
    for placed in page.placed:
        (left, top, right, bottom), (width, height) = placed.clip, placed.box
        yield placed.x - left, placed.y - top, placed.x + width + right, placed.y + height + bottom
