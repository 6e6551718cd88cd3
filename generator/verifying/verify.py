"""The proof: a set code → what it names, and whether that holds; a printed PDF → whether it shows what its code names.

code ── games.deal ──▶ Deck ── RandomSets.broken ──▶ what it breaks
                         └── Press ──▶ pages ── printed_pages ─┐
PDF ──────────────────────────────────────── printed_pages ────┴──▶ piece by piece the same, or not
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
"""Two sizes of paper are the same within so many millimetres."""


@dataclass(frozen=True, slots=True)
class Named:
    """What a code names: the game, the draw it comes from, the deck made from it again, and what that breaks of its
    recipe in words."""

    game: Game
    code: SetCode
    what: str
    deck: Deck
    broken: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Print:
    """A PDF held against its code: the component it was taken for, how that was printed, its pages, and how its pieces
    compare with those of the set."""

    component: str
    paper: str
    duplex: str | None
    low_ink: bool
    pages: int
    answer: Answer

    @property
    def holds(self) -> bool:
        return not self.wrong

    @property
    def wrong(self) -> list[Piece]:
        return [*self.answer.differing, *self.answer.missing, *self.answer.foreign]


# ---- codes --------------------------------------------------------------------------------------------------------


def named(text: str, game: Game | None = None, place: Place | None = None) -> Named:
    """What a code names, in this game or in the one that came with Pencilbox and has its prefix. Raises InputError."""
    code = parse(text, prefix=game.definition.prefix if game else None, place=place)
    found = game or draws.game_of(code, place)
    deck = games.deal(found, code)
    broken = games.random_sets(found).broken(found, deck, code)
    return Named(found, code, draws.drawn(found, code), deck, tuple(broken))


# ---- prints -------------------------------------------------------------------------------------------------------


def proof(file: Path, game: Game | None = None) -> tuple[Named, Print]:
    """A printed PDF, and what the code on it names; raises InputError for a file that is no PDF or shows no code."""
    place = Place(str(file))
    found = printed_sheets(file)
    what = named(_code_on(found, game, place), game, place)
    held = min(_held(what, found, place), key=_faults)
    if not held.answer.pages:
        raise fault(
            f"none of its pages is one of {what.game.title} that {what.code} names",
            place,
            "rules and score sheets name a set, but show nothing of it to hold against its code",
        )
    return what, held


def _faults(print_: Print) -> tuple[int, int]:
    return len(print_.wrong), sum(piece.drawings for piece in print_.wrong)


def _code_on(found: Sequence[Sheet], game: Game | None, place: Place) -> str:
    """The code that stands on most pieces, and is one."""
    codes = Counter(
        code for sheet in found for code in codes_in(ink.text for ink in sheet.ink if isinstance(ink, Written))
    )
    if not codes:
        raise fault(
            "no set code is printed on it", place, "the standard set has none; what is filled in is for pencilbox score"
        )
    refused = None
    for code, _ in codes.most_common():
        try:
            return str(parse(code, prefix=game.definition.prefix if game else None, place=place))
        except InputError as error:
            refused = refused or error
    assert refused
    raise refused


def _held(what: Named, found: Sequence[Sheet], place: Place) -> Iterator[Print]:
    """The PDF held against every way in which it may have been printed that looks like it, the likeliest first; no
    more of them once one fits."""
    press = _press(what)
    ways = sorted(_ways(press, found), key=lambda way: -way.likeness)
    if not ways or not ways[0].likeness:
        raise fault(f"nothing that is printed of {what.game.title} with {what.code} looks like it", place)
    for way in ways[:2]:
        for low_ink in (False, True):
            made = _compared(_press(what, low_ink=True) if low_ink else press, way.how, found, low_ink)
            yield made
            if made.answer.same > len(made.wrong):  # it is this one, whatever else was done to it
                return


class _How(NamedTuple):
    """How a component may have been printed: on which paper, a deck with its backs by `duplex`, score sheets as a pad
    of so many `copies` (0 for none) or, as forms are, `alone` where two of them are cut from a paper."""

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
    """One way of printing a component of a set, and how many texts of the PDF stand where it puts them."""

    how: _How
    likeness: float


def _press(what: Named, *, low_ink: bool = False) -> Press:
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
    """How many sheets a pad of so many pages may have."""
    up, faces = part.definition.up, len(part.definition.face)
    return [copies for copies in range(pages * up // faces, 0, -1) if -(-copies * faces // up) == pages]


class _Press(Press):
    """A press that draws each card and each score sheet only once, however many ways of printing it are tried."""

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
    """The pages of a component that carries the code; None for one that does not."""
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
    """How many texts of the PDF are where these pages have them, less a little for each page and each text too many or
    too few."""
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
    """The PDF held piece by piece against the same component printed anew."""
    pages, made = _anew(press, how)
    return Print(
        how.part.name,
        how.paper.name,
        None if how.duplex == "none" else how.duplex,
        low_ink,
        len(found),
        compared(pages, made, found, str(press.deck.code)),
    )


def _anew(press: Press, how: _How) -> tuple[list[Page], list[Sheet]]:
    """What is printed in this way, and what is read from the print."""
    pages = how.pages(press)
    return pages, printed_sheets(pdf.write(pages, press.theme, info=pdf.Info(title=press.game.title)))
