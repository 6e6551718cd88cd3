"""Which sheets the corner codes in a photo belong to."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache, partial
from itertools import chain, combinations, product
from pathlib import Path

import numpy as np
from msgspec import Struct

from .. import paths
from ..errors import InputError, fault
from ..model.game import Game
from ..pages.field_map import EDGE, OWN, SIDE, FieldMap, RegisteredLayout, hash_of, layout_id, recipe, registry
from ..printing.jobs import PrintedLayout, kept_layout
from ..printing.press import sheet_paper
from ..printing.records import FOLDER
from ..reading.load import load, shipped
from ..reading.sizes import Paper, papers
from ..reading.sizes import paper as paper_named
from .blank import BlankPage, blank_page, kept_page, map_of
from .codes import Code, grouped


class SeenPage(Struct, frozen=True):
    """What the codes of a page in a photo say. `layout` is None and `page` is 0 if those that say so are hidden."""

    layout: int | None
    serial: int
    page: int
    codes: tuple[Code, ...]


class Sheet(Struct, frozen=True):
    """A sheet of a game, where its fields are, and what draws a blank page by its number, perhaps with a `deck`."""

    game: Game
    map: FieldMap
    blank: Callable[..., BlankPage]


def seen_pages(codes: Iterable[Code]) -> tuple[SeenPage, ...]:
    """The pages that these codes belong to, from the top left of the photo. A page has at least two codes."""
    pages = [_seen(group) for group in grouped(codes) if len(group) > 1]
    return tuple(sorted(pages, key=lambda seen: sum(seen.codes[0].middle)))


def _seen(codes: tuple[Code, ...]) -> SeenPage:
    layout = next((int(code.digits) for code in codes if code.corner % 2 == 0), None)
    sheet = next((code.digits for code in codes if code.corner % 2 == 1), "00000")
    return SeenPage(layout, int(sheet[:4]), int(sheet[4]), codes)


def possible_pages(seen: SeenPage, games: Sequence[Game] = ()) -> list[tuple[Sheet, int]]:
    """The sheet on a photo and its page; several if codes are hidden. Raises InputError as `identify` does."""
    sheets = (
        [identify(seen, games)]
        if seen.layout
        else _of_size(seen, games, [each for each in papers().values() if each.registered])
    )
    pages = [(each, page) for each in sheets for page in range(1, each.map.pages + 1) if seen.page in (0, page)]
    if not pages:
        raise fault(
            "the codes at the top left and bottom right of the sheet are hidden, so it is not known which sheet it is",
            hint="name its game with --game, or take the photo again with all four corners of the sheet in it",
        )
    return pages


def identify(seen: SeenPage, games: Sequence[Game] = ()) -> Sheet:
    """The sheet with the layout on a photo, of these games or a shipped one. Raises InputError if it is not known."""
    assert seen.layout
    registered = registry().get(seen.layout)
    if registered:
        return _registered(registered, games)
    if seen.layout not in OWN:
        raise fault(
            f"this sheet has the layout {seen.layout}, which this version of Pencilbox does not know",
            hint="update Pencilbox",
        )
    return _own(seen, games)


def _registered(layout: RegisteredLayout, games: Sequence[Game]) -> Sheet:
    game = next((game for game in games if game.key == layout.game), None) or loaded(layout.game)
    if layout.sheet in game.sheets:
        for sheet in _sheets(game, layout.sheet, paper_named(layout.paper)):
            if hash_of(recipe(sheet.map)) == layout.hash:
                return sheet
    raise fault(
        f"this sheet ({game.title}, {layout.sheet}) was printed by another version of Pencilbox, with boxes in other "
        "places",
        hint="type its marks, or print new sheets",
    )


def _own(seen: SeenPage, games: Sequence[Game]) -> Sheet:
    """Your own sheet as it is now or as it was printed, or a shipped one on a paper that is not registered."""
    yours, file = f"this sheet is of a game of your own (layout {seen.layout})", f"layouts/{seen.layout}.json"
    for folder in () if games else (Path(), *sorted(Path().iterdir())):
        if paths.is_file(folder / FOLDER / file):
            raise fault(yours, hint=f"add --game {folder}")
    others = _of_size(seen, map(loaded, shipped()), [paper for paper in papers().values() if not paper.registered])
    printed = (_earlier(game, kept) for game in games if (kept := kept_layout(game, seen.layout or 0)))
    for sheet in chain(_of_size(seen, games, papers().values()), printed, others):
        if layout_id(sheet.map) == seen.layout:
            return sheet
    if not games:
        raise fault(yours, hint="name the folder of the game, with --game FOLDER")
    raise fault(
        f"no sheet of {', '.join(game.title for game in games)} has the layout {seen.layout}, which is on this sheet",
        hint="if the sheet was changed after this one was printed, type its marks, or print new sheets",
    )


def _earlier(game: Game, kept: PrintedLayout) -> Sheet:
    """A sheet that was printed before the game changed. Raises InputError if it has other fields than now."""
    sheet = game.sheets.get(kept.map.sheet)
    if lost := [field.id for field in kept.map.fields if sheet is None or field.id not in sheet.fields]:
        raise fault(
            f"this sheet was printed before {game.title} changed; the game no longer has field{'s' * (len(lost) > 1)} "
            + ", ".join(lost[:3])
            + " and others" * (len(lost) > 3),
            hint="type its marks, or print new sheets",
        )
    return Sheet(game, kept.map, partial(kept_page, kept))


_TOLERANCE = 1.3
"""How much larger or smaller a sheet may be than its codes say: those seen from the side are off."""


def _of_size(seen: SeenPage, games: Iterable[Game], on: Iterable[Paper]) -> Iterator[Sheet]:
    """The sheets of these games on these papers that have about the size of the one on the photo."""
    on = list(on)
    for game in games:
        for name, paper in product(game.sheets, on):
            own = sheet_paper(game.components[name], paper)
            if _fits(seen, own.width, own.height) or _fits(seen, paper.width, paper.height):
                yield from _sheets(game, name, paper)


def _fits(seen: SeenPage, width: float, height: float) -> bool:
    """Whether the codes are as far apart as on a sheet of this size, measured in sides of a code."""
    between = width - 2 * EDGE - SIDE, height - 2 * EDGE - SIDE
    for one, other in combinations(seen.codes, 2):
        bases = (np.array([code.across, code.down]).T for code in (one, other))
        offsets = [np.linalg.solve(basis, other.middle - one.middle) for basis in bases]
        far = np.sqrt(np.abs(offsets[0] * offsets[1])) * SIDE
        apart = (one.corner in (1, 2)) != (other.corner in (1, 2)), (one.corner > 1) != (other.corner > 1)
        for measured, expected, differs in zip(far, between, apart, strict=True):
            if differs and not 1 / _TOLERANCE < measured / expected < _TOLERANCE:
                return False
    return True


def _sheets(game: Game, name: str, paper: Paper) -> Iterator[Sheet]:
    """A sheet as it is printed on a paper, and in large print. Leaves out what does not fit."""
    for large in (False, True)[: 1 + bool(game.components[name].definition.large)]:
        with suppress(InputError):
            blank = partial(blank_page, game, name, paper, large=large)
            yield Sheet(game, map_of(game, name, paper, large), blank)


loaded = cache(load)
"""A game is read once in a process that reads photos."""
