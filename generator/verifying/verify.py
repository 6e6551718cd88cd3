"""Verifies a set code against its recipe, and a printed PDF against its code.

code ── games.deal ──▶ Deck ── RandomSets.broken ──▶ broken constraints
                         └── Press ──▶ pages ── printed_pages ─┐
PDF ──────────────────────────────────────── printed_pages ────┴──▶ compared piece by piece
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from .. import games, pdf
from ..codes import SetCode, parse
from ..definitions.models import Card, Component, Game
from ..definitions.sizes import Paper, papers
from ..errors import InputError, Place, fault
from ..games import draws
from ..games.deck import Deck
from ..geometry.frame import Frame, Page, Placed, Run
from ..imposition import nup
from ..printing.game_faces import NO_MARKS, Marks
from ..printing.press import NO_RINGS, Press, sheet_paper
from .compare import Answer, Piece, codes_in, compared
from .printed_pages import Sheet, Written
from .printed_pages import sheets as printed_sheets

MODES = ("long", "short", "gutterfold", "none")
_NEAR = 2.0
"""Two paper sizes are the same if they differ by less than this, in mm."""


@dataclass(frozen=True, slots=True)
class NamedSet:
    """The set of a code: its game, the draw it comes from, its deck, and the constraints of the recipe that it breaks,
    in words."""

    game: Game
    code: SetCode
    what: str
    deck: Deck
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Print:
    """A PDF compared with its code: the component it shows, how that was printed, the number of pages, and how the
    pieces differ from those of the set."""

    component: str
    paper: str
    duplex: str | None
    low_ink: bool
    pages: int
    answer: Answer

    @property
    def matches(self) -> bool:
        return not self.wrong

    @property
    def wrong(self) -> list[Piece]:
        return [*self.answer.differing, *self.answer.missing, *self.answer.foreign]


# ---- codes --------------------------------------------------------------------------------------------------------


def named(text: str, game: Game | None = None, place: Place | None = None) -> NamedSet:
    """The set of a code, from this game or from the shipped game with its prefix. Raises InputError."""
    code = parse(text, prefix=game.definition.prefix if game else None, place=place)
    found = game or draws.game_of(code, place)
    deck = games.deal(found, code)
    broken = games.random_sets(found).broken(found, deck, code)
    return NamedSet(found, code, draws.draw_of(found, code), deck, tuple(broken))


# ---- prints -------------------------------------------------------------------------------------------------------


def proof(file: Path, game: Game | None = None) -> tuple[NamedSet, Print]:
    """Compares a printed PDF with the set of the code on it. Raises InputError for a file that is not a PDF or shows no
    code."""
    place = Place(str(file))
    found = printed_sheets(file)
    what = named(_code_on(found, game, place), game, place)
    print_ = min(_comparisons(what, found, place), key=_faults)
    if not print_.answer.pages:
        raise fault(
            f"none of its pages shows a part of {what.game.title} with the set {what.code}",
            place,
            "rules and score sheets only name a set; verify the cards, dice, strips or boards",
        )
    return what, print_


def _faults(print_: Print) -> tuple[int, int]:
    return len(print_.wrong), sum(piece.drawings for piece in print_.wrong)


def _code_on(found: Sequence[Sheet], game: Game | None, place: Place) -> str:
    """The valid code that is printed on most pieces."""
    codes = Counter(
        code for sheet in found for code in codes_in(ink.text for ink in sheet.ink if isinstance(ink, Written))
    )
    if not codes:
        raise fault(
            "no set code is printed on it", place, "standard sets have none; for a filled-in sheet, use pencilbox score"
        )
    refused = None
    for code, _ in codes.most_common():
        try:
            return str(parse(code, prefix=game.definition.prefix if game else None, place=place))
        except InputError as error:
            refused = refused or error
    assert refused
    raise refused


def _comparisons(what: NamedSet, found: Sequence[Sheet], place: Place) -> Iterator[Print]:
    """Compares the PDF with each likely way of printing it, the likeliest first, until one fits."""
    press = _press(what)
    ways = sorted(_ways(press, found), key=lambda way: -way.likeness)
    if not ways or not ways[0].likeness:
        raise fault(f"nothing in {what.game.title} with the set {what.code} looks like this PDF", place)
    for way in ways[:2]:
        for low_ink in (False, True):
            print_ = _compared(_press(what, low_ink=True) if low_ink else press, way.how, found, low_ink)
            yield print_
            if print_.answer.same > len(print_.wrong):  # the right one, with changes
                return


class _How(NamedTuple):
    """One way to print a component: the paper, the `duplex` mode of a deck with backs, the number of `copies` in a pad
    of score sheets (0 for no pad), and whether a half-page sheet is printed `alone`, as forms are."""

    part: Component
    paper: Paper
    duplex: str = "none"
    copies: int = 0
    alone: bool = False

    def pages(self, press: Press) -> list[Page]:
        if self.alone:
            half = sheet_paper(self.part, self.paper)
            return nup.sheet_pages(press.sheet(self.part, half), half)
        return press.pages(self.part, self.paper, self.duplex, self.copies or None)


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to print a component, and how many texts of the PDF are where it puts them."""

    how: _How
    likeness: float


def _press(what: NamedSet, *, low_ink: bool = False) -> Press:
    return _Press(what.game, what.deck, low_ink=low_ink)


def _ways(press: Press, found: Sequence[Sheet]) -> Iterator[_Way]:
    for how in _hows(press, found):
        if (pages := _pages(press, how)) is not None:
            yield _Way(how, _likeness(pages, found))


def _hows(press: Press, found: Sequence[Sheet]) -> Iterator[_How]:
    parts = [
        part
        for part in press.game.components.values()
        if part.kind != "booklet" and (part.kind != "page" or part.cards)
    ]
    for paper in _papers(found):
        for part in parts:
            for duplex in MODES if part.kind == "deck" and part.definition.back else ("none",):
                yield _How(part, paper, duplex)
            if part.kind == "sheet":
                yield from (_How(part, paper, copies=copies) for copies in _copies(part, len(found)))
    for part in parts:
        if part.kind == "sheet" and part.definition.up > 1:
            yield from (
                _How(part, paper, alone=True)
                for paper in papers().values()
                if _is_among(sheet_paper(part, paper), found)
            )


def _copies(part: Component, pages: int) -> list[int]:
    """The numbers of sheets that a pad with this number of pages can have."""
    up, faces = part.definition.up, len(part.definition.face)
    return [copies for copies in range(pages * up // faces, 0, -1) if -(-copies * faces // up) == pages]


class _Press(Press):
    """A press that draws each card and score sheet once, however many ways of printing are tried."""

    def __init__(self, game: Game, deck: Deck, *, low_ink: bool = False) -> None:
        super().__init__(game, deck, low_ink=low_ink)
        self._drawn: dict[tuple[str, str, str], Frame] = {}
        self._blank: dict[tuple[str, Paper], list[Frame]] = {}

    def blank_corners(
        self, part: Component, paper: Paper, marks: Marks = NO_MARKS, rings: Mapping[str, int] = NO_RINGS
    ) -> list[Frame]:
        key = part.name, paper
        if key not in self._blank:
            self._blank[key] = super().blank_corners(part, paper, marks, rings)
        return self._blank[key]

    def side(self, part: Component, card: Card, template: str) -> Frame:
        key = part.name, card.id, template
        if key not in self._drawn:
            self._drawn[key] = super().side(part, card, template)
        return self._drawn[key]


def _papers(found: Sequence[Sheet]) -> list[Paper]:
    return [paper for paper in papers().values() if _is_among(paper, found)]


def _is_among(paper: Paper, found: Sequence[Sheet]) -> bool:
    sizes = {tuple(sorted((round(sheet.width), round(sheet.height)))) for sheet in found}
    low, high = sorted((paper.width, paper.height))
    return any(abs(low - width) < _NEAR and abs(high - height) < _NEAR for width, height in sizes)


def _pages(press: Press, how: _How) -> list[Page] | None:
    """The pages of a component, or None if the code is not printed on it."""
    try:
        pages = how.pages(press)
    except InputError:  # it does not fit on this paper
        return None
    code = press.deck.code
    return (
        pages
        if any(code in codes_in(run.text for run in _runs(placed)) for page in pages for placed in page.placed)
        else None
    )


def _likeness(pages: Sequence[Page], found: Sequence[Sheet]) -> float:
    """How many texts of the PDF are where these pages have them, minus a little for each surplus or missing page and
    text."""
    wanted = [_places(page) for page in pages]
    seen = [
        Counter((ink.text.strip(), round(ink.x), round(ink.y)) for ink in sheet.ink if isinstance(ink, Written))
        for sheet in found
    ]
    amiss = 0.01 * abs(len(pages) - len(found)) + 0.0001 * abs(_total(wanted) - _total(seen))
    return sum(max((one & page).total() for page in wanted) for one in seen) - amiss


def _total(pages: Iterable[Counter[tuple[str, int, int]]]) -> int:
    return sum(page.total() for page in pages)


def _places(page: Page) -> Counter[tuple[str, int, int]]:
    return Counter(
        (run.text.strip(), round(x), round(y))
        for placed in page.placed
        for run in _runs(placed)
        for x, y in [_on_page(placed, run.x, run.y)]
    )


def _runs(placed: Placed) -> Iterator[Run]:
    return (item for item in placed.frame.items if isinstance(item, Run))


def _on_page(placed: Placed, x: float, y: float) -> tuple[float, float]:
    width, height = placed.frame.width, placed.frame.height
    dx, dy = {0: (x, y), 90: (height - y, x), 180: (width - x, height - y), 270: (y, width - x)}[placed.turn]
    return placed.x + dx, placed.y + dy


def _compared(press: Press, how: _How, found: Sequence[Sheet], low_ink: bool) -> Print:
    """Compares the PDF piece by piece with the same component printed again."""
    pages, reprinted = _reprinted(press, how)
    return Print(
        how.part.name,
        how.paper.name,
        None if how.duplex == "none" else how.duplex,
        low_ink,
        len(found),
        compared(pages, reprinted, found, str(press.deck.code)),
    )


def _reprinted(press: Press, how: _How) -> tuple[list[Page], list[Sheet]]:
    """The pages printed in this way, and what is read from them."""
    pages = how.pages(press)
    return pages, printed_sheets(pdf.write(pages, press.theme, info=pdf.Info(title=press.game.title)))
