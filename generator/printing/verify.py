"""Verifies a set code against its recipe, and a printed PDF against its code.

code ── games.deal ──▶ Deck ── RandomSets.unmet_constraints ──▶ messages
                         └── Press ──▶ pages ── printed_pages ─┐
PDF ──────────────────────────────────────── printed_pages ────┴──▶ compared piece by piece

Every text and every shape is compared in its place. The pages may be in any order: each is compared with the page of
the set that it has most in common with.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import product
from math import hypot
from pathlib import Path
from typing import TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from .. import games, pdf
from ..draws import Deck, SetCode, draw_kinds, parse
from ..errors import InputError, Place, fault
from ..geometry.frame import Frame, Page, Placed, Run, leaves
from ..geometry.outlines import Matrix
from ..model.game import Card, Component, Game
from ..model.print_settings import PrintSettings
from ..model.values import MM_PER_UNIT
from ..pages import nup
from ..reading.sizes import Paper, paper, papers
from .press import Press, needs_set
from .printed_pages import PrintedMark, PrintedPage, print_settings, read_pages

CODE = re.compile(r"(?<![0-9A-Z])[A-Z]{2}-[0-9A-Z]{4}-[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{2}(?![0-9A-Z])")
"""Text that looks like a set code."""
MIN_SHARE = 0.2
"""A page belongs to the set if it has more than this share of the marks of one of the pages of the set."""
MAX_LISTED = 12
"""The maximum number of texts listed for a piece."""

Marks: TypeAlias = Counter[PrintedMark]


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
            texts = [ink.text.strip() for ink in page.ink if ink.size]
            comparison.foreign.append(PieceDifference(number + 1, "a page", (), tuple(texts[:MAX_LISTED])))
    for missing in sorted(set(range(len(pages))) - set(pairs.values())):
        comparison.missing += [PieceDifference(None, _name(placed, pages[missing])) for placed in pages[missing].placed]
    return comparison


def _pairs(expected: Sequence[PrintedPage], printed: Sequence[PrintedPage]) -> dict[int, int]:
    """The page of the set for each page of the PDF, both by number; the most similar pages are paired first."""
    set_pages, pdf_pages = ([Counter(map(_mark, page.ink)) for page in pages] for pages in (expected, printed))
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
            missing, surplus = set_marks - pdf_marks, pdf_marks - set_marks
            shapes = sum(count for mark, count in (missing + surplus).items() if not mark.size)
            piece = PieceDifference(number, name, _texts(missing), _texts(surplus), drawings=shapes)
            other_codes = [other for other in codes_in(piece.printed) if other != code]
            (comparison.foreign if other_codes else comparison.differing).append(piece)


def _texts(marks: Marks) -> tuple[str, ...]:
    """The texts among marks, in reading order."""
    texts = sorted((mark for mark in marks.elements() if mark.size), key=lambda mark: (mark.y, mark.x))
    return tuple(mark.text.strip() for mark in texts)[:MAX_LISTED]


def _name(placed: Placed, page: Page) -> str:
    return f"{placed.frame.name} ({page.label})" if page.label else placed.frame.name


# ---- marks and the pieces they are on -----------------------------------------------------------------------------


def _mark(ink: PrintedMark) -> PrintedMark:
    """The same text or shape, in its place to a tenth of a millimetre."""
    return ink._replace(x=round(ink.x, 1), y=round(ink.y, 1), size=round(ink.size, 1))


def _by_piece(page: Page, printed: PrintedPage) -> dict[int, Marks]:
    """The marks of a page by the index of the piece they are on; −1 is the page around the pieces. Where the boxes of
    nested hexagons overlap, a mark is on the one with the nearest middle."""
    marks: dict[int, Marks] = {}
    windows = []  # the trim of each piece, and the visible part of its bleed
    for placed in page.placed:
        (left, top, right, bottom), (width, height) = placed.clip, placed.box
        windows.append((placed.x - left, placed.y - top, placed.x + width + right, placed.y + height + bottom))
    for ink in printed.ink:
        inside = [
            (hypot(2 * ink.x - left - right, 2 * ink.y - top - bottom), index)
            for index, (left, top, right, bottom) in enumerate(windows)
            if left <= ink.x <= right and top <= ink.y <= bottom
        ]
        marks.setdefault(min(inside)[1] if inside else -1, Counter())[_mark(ink)] += 1
    return marks


MODES = ("long", "short", "gutterfold", "none")
_SIZE_TOLERANCE = 2.0  # a page that differs from a named paper by less than this, in mm, may have that size
# A print has pages of one size. More sizes are tried, in case pages were added to it.
_MAX_PAPERS = 2
_PAPER_UNITS = ("mm", "in")
_ROUNDING = 0.001  # sides in a PDF are rounded by less than this, in mm


class NamedSet(Struct, frozen=True):
    """The set that a code names: its game, the draw it comes from, its deck, and the constraints of the recipe that it
    does not meet, in words."""

    game: Game
    code: SetCode
    draw: str
    deck: Deck
    unmet_constraints: tuple[str, ...]


class Print(Struct, frozen=True):
    """A PDF compared with its code: the component it shows, how it was printed (the paper, the `duplex` mode if it has
    backs, and the settings), its number of pages, and the comparison of its pieces with those of the set."""

    component: str
    paper: str
    duplex: str | None
    settings: PrintSettings
    pages: int
    comparison: Comparison

    @property
    def mismatches(self) -> list[PieceDifference]:
        return [*self.comparison.differing, *self.comparison.missing, *self.comparison.foreign]


def verify_code(text: str, game: Game | None = None, place: Place | None = None) -> NamedSet:
    """The set of a code, from this game (default: the shipped game with its prefix). Raises InputError for a text that
    is not a valid code."""
    code = parse(text, prefix=game.definition.prefix if game else None, place=place)
    game = game or draw_kinds.game_of(code, place)
    deck = games.deal(game, code)
    unmet = games.random_sets(game).unmet_constraints(game, deck, code)
    return NamedSet(game, code, draw_kinds.draw_of(game, code), deck, unmet_constraints=tuple(unmet))


def verify_pdf(file: Path, game: Game | None = None) -> tuple[NamedSet, Print]:
    """Compares a printed PDF with the set of the code on it. Raises InputError for a file that is not a PDF or shows no
    code."""
    place = Place(str(file))
    pdf_pages = read_pages(file)
    named_set = verify_code(_code_on(pdf_pages, game, place), game, place)
    print_ = min(
        _prints(named_set, pdf_pages, place, *print_settings(file)),
        key=lambda each: (
            not each.comparison.pages,
            len(each.mismatches),
            sum(piece.drawings for piece in each.mismatches),
        ),
    )
    if not print_.comparison.pages:
        raise fault(
            f"none of its pages shows a part of {named_set.game.title} with the set {named_set.code}",
            place,
            "rules and score sheets only name a set; verify the cards, dice, strips or boards",
        )
    return named_set, print_


def _code_on(pdf_pages: Sequence[PrintedPage], game: Game | None, place: Place) -> str:
    """The valid code that is printed most often."""
    codes = Counter(code for page in pdf_pages for code in codes_in(ink.text for ink in page.ink if ink.size))
    if not codes:
        raise fault(
            "no set code is printed on it", place, "standard sets have none; for a filled-in sheet, use pencilbox score"
        )
    prefix = game.definition.prefix if game else None
    ordered = [code for code, _ in codes.most_common()]
    for code in ordered:
        with suppress(InputError):
            return str(parse(code, prefix=prefix, place=place))
    return str(parse(ordered[0], prefix=prefix, place=place))


def _prints(
    named_set: NamedSet,
    pdf_pages: Sequence[PrintedPage],
    place: Place,
    settings: PrintSettings,
    backs: Matrix,
    name: str,
) -> Iterator[Print]:
    """Compares the PDF with each likely way of printing it, the likeliest first, until one fits. Begins with the
    component called `name`, which its metadata give. Low ink is tried because the edges of pale cards may differ less,
    which lets them lie closer together."""
    has_print = False
    for named, low_ink in product((True, False), (False, True)):
        press = _CachingPress(named_set.game, named_set.deck, replace(settings, low_ink=low_ink))
        parts = [
            part
            for part in press.game.components.values()
            if (part.name == name) is named and part.kind != "booklet" and not needs_set(part)
        ]
        candidates = sorted(_candidates(press, parts, pdf_pages), key=lambda candidate: -candidate[0])
        for _, method in candidates[:2] if candidates and candidates[0][0] else ():
            has_print = True
            pages, reprinted = _reprinted(press, method, backs)
            print_ = Print(
                method.part.name,
                method.paper.name,
                None if method.duplex == "none" else method.duplex,
                press.settings,
                pages=len(pdf_pages),
                comparison=compare(pages, reprinted, pdf_pages, str(press.deck.code)),
            )
            yield print_
            if print_.comparison.same > len(print_.mismatches):  # the right method; the PDF has been changed
                return
    if not has_print:
        raise fault(f"nothing in {named_set.game.title} with the set {named_set.code} looks like this PDF", place)


class _Method(Struct, frozen=True):
    """One way to print a component: the paper, the `duplex` mode of a deck with backs, the number of `copies` in a pad
    of score sheets (0 for no pad), and whether a half-page sheet is printed `alone`, as forms are."""

    part: Component
    paper: Paper
    duplex: str = "none"
    copies: int = 0
    alone: bool = False

    def pages(self, press: Press) -> list[Page]:
        if self.alone:
            half = press.paper_of(self.part, self.paper)
            return nup.sheet_pages(press.sheet(self.part, half), half)
        press.settings = replace(press.settings, copies=self.copies or None)
        return press.pages(self.part, self.paper, self.duplex)


def _candidates(
    press: Press, parts: Sequence[Component], pdf_pages: Sequence[PrintedPage]
) -> Iterator[tuple[float, _Method]]:
    """The ways to print components, each after the number of texts of the PDF that are where it puts them."""
    for method in _methods(parts, pdf_pages):
        if press.settings.margin is not None:
            method = replace(method, paper=replace(method.paper, margin=press.settings.margin))
        if (pages := _pages(press, method)) is not None:
            yield _likeness(pages, pdf_pages), method


def _methods(parts: Sequence[Component], pdf_pages: Sequence[PrintedPage]) -> Iterator[_Method]:
    sizes = [size for size, _ in Counter((page.width, page.height) for page in pdf_pages).most_common(_MAX_PAPERS)]
    for sheet in _papers(sizes):
        for part in parts:
            for duplex in MODES if part.kind == "deck" and part.definition.back else ("none",):
                yield _Method(part, sheet, duplex)
            if part.kind == "sheet":
                yield from (_Method(part, sheet, copies=copies) for copies in _copies(part, len(pdf_pages)))
    for part in parts:
        if part.kind == "sheet" and part.definition.up > 1:
            yield from (_Method(part, sheet, alone=True) for sheet in _papers([(h, 2 * w) for w, h in sizes]))


def _copies(part: Component, pages: int) -> list[int]:
    """The numbers of sheets that a pad with this number of pages can have."""
    up, faces = part.definition.up, len(part.definition.face)
    return [copies for copies in range(pages * up // faces, 0, -1) if -(-copies * faces // up) == pages]


class _CachingPress(Press):
    """A press that draws each card once for all ways of printing that are tried."""

    def __init__(self, game: Game, deck: Deck, settings: PrintSettings) -> None:
        super().__init__(game, deck, settings)
        self._cached_sides: dict[tuple[str, str, str], Frame] = {}

    def side(self, part: Component, card: Card, template: str) -> Frame:
        key = part.name, card.id, template
        if key not in self._cached_sides:
            self._cached_sides[key] = super().side(part, card, template)
        return self._cached_sides[key]


def _papers(sizes: Iterable[tuple[float, float]]) -> list[Paper]:
    """The papers that pages of these sizes may be printed on: named ones, and sizes as given to --paper."""
    sheets: dict[Paper, None] = {}
    for width, height in map(sorted, sizes):
        sheets |= {
            sheet: None
            for sheet in papers().values()
            if abs(sheet.width - width) < _SIZE_TOLERANCE and abs(sheet.height - height) < _SIZE_TOLERANCE
        }
        sheets |= dict.fromkeys(_custom(width, height))
    return list(sheets)


def _custom(width: float, height: float) -> list[Paper]:
    """The paper of exactly this size, in the unit that gives it the shortest name."""
    names = []
    for unit, factor in MM_PER_UNIT.items():
        sides = [f"{round(side / factor, 3):.7g}" for side in (width, height)]
        if unit in _PAPER_UNITS and all(
            abs(float(number) * factor - side) < _ROUNDING for number, side in zip(sides, (width, height), strict=True)
        ):
            names.append("x".join(sides) + unit)
    try:
        return [paper(min(names, key=len))]
    except InputError:  # too small or too large for a paper
        return []


def _pages(press: Press, method: _Method) -> list[Page] | None:
    """The pages of a component, or None if it does not fit on the paper or does not show the code."""
    try:
        pages = method.pages(press)
    except InputError:  # does not fit on this paper
        return None
    code = press.deck.code
    return (
        pages
        if any(code in codes_in(run.text for run in _runs(placed)) for page in pages for placed in page.placed)
        else None
    )


def _likeness(pages: Sequence[Page], pdf_pages: Sequence[PrintedPage]) -> float:
    """How many texts of the PDF are where these pages have them, minus a little for each surplus or missing page and
    text."""
    expected = [
        Counter((run.text.strip(), *_on_page(placed, run.x, run.y)) for placed in page.placed for run in _runs(placed))
        for page in pages
    ]
    printed = [
        Counter((ink.text.strip(), round(ink.x), round(ink.y)) for ink in page.ink if ink.size) for page in pdf_pages
    ]
    surplus = sum(map(Counter.total, expected)) - sum(map(Counter.total, printed))
    penalty = 0.01 * abs(len(pages) - len(pdf_pages)) + 0.0001 * abs(surplus)
    return sum(max((texts & page).total() for page in expected) for texts in printed) - penalty


def _runs(placed: Placed) -> Iterator[Run]:
    for item, (a, b, c, d, e, f) in leaves(placed.frame.items):
        if isinstance(item, Run) and not item.outline:
            yield replace(item, x=a * item.x + c * item.y + e, y=b * item.x + d * item.y + f)


def _on_page(placed: Placed, x: float, y: float) -> tuple[int, int]:
    """A point of a piece on its page, to a millimetre."""
    width, height = placed.frame.width, placed.frame.height
    dx, dy = {0: (x, y), 90: (height - y, x), 180: (width - x, height - y), 270: (y, width - x)}[placed.turn]
    return round(placed.x + dx), round(placed.y + dy)


def _reprinted(press: Press, method: _Method, backs: Matrix) -> tuple[list[Page], list[PrintedPage]]:
    """The pages printed with this method, and what is read from their PDF."""
    pages = method.pages(press)
    return pages, read_pages(pdf.write(pages, press.theme, info=pdf.Info(title=press.game.title), backs=backs))
