"""Which sheets the corner codes in a photo belong to."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache

from msgspec import Struct

from ..errors import InputError, fault
from ..model.game import Game
from ..pages.field_map import OWN, FieldMap, RegisteredLayout, hash_of, layout_id, recipe, registry
from ..reading.load import load, shipped
from ..reading.sizes import Paper, papers
from ..reading.sizes import paper as paper_named
from .blank import map_of
from .codes import Code, grouped


class SeenPage(Struct, frozen=True):
    """A page of a sheet in a photo: what its codes say. `layout` is None and `page` is 0 if the codes that say so were
    not found."""

    layout: int | None
    serial: int
    page: int
    codes: tuple[Code, ...]


class Sheet(Struct, frozen=True):
    """What a layout is: a sheet of a game on a paper, perhaps in large print, and where its fields are."""

    game: Game
    name: str
    paper: Paper
    large: bool
    map: FieldMap


def seen_pages(codes: Iterable[Code]) -> tuple[SeenPage, ...]:
    """The pages that these codes belong to, from the top left of the photo. A page has at least two codes."""
    pages = [_seen(group) for group in grouped(codes) if len(group) > 1]
    return tuple(sorted(pages, key=lambda seen: sum(seen.codes[0].middle)))


def _seen(codes: tuple[Code, ...]) -> SeenPage:
    layout = next((int(code.digits) for code in codes if code.corner % 2 == 0), None)
    sheet = next((code.digits for code in codes if code.corner % 2 == 1), "00000")
    return SeenPage(layout, int(sheet[:4]), int(sheet[4]), codes)


def identify(seen: SeenPage, games: Sequence[Game] = ()) -> Sheet:
    """The sheet on a page. `games` are those that were named: your own games are only recognised among them. Raises
    InputError if the sheet is of an earlier version, or not known."""
    if seen.layout is None:
        raise fault(
            "the codes at the top left and bottom right of the sheet are hidden, so it is not known which sheet it is",
            hint="take the photo again with all four corners of the sheet in it",
        )
    registered = registry().get(seen.layout)
    if registered:
        return _registered(registered, games)
    if seen.layout not in OWN:
        raise fault(
            f"this sheet has the layout {seen.layout}, which this version of Pencilbox does not know",
            hint="update Pencilbox",
        )
    return _own(seen.layout, games)


def _registered(layout: RegisteredLayout, games: Sequence[Game]) -> Sheet:
    game = next((game for game in games if game.key == layout.game), None) or _shipped(layout.game)
    if layout.sheet in game.sheets:
        for sheet in _sheets(game, layout.sheet, paper_named(layout.paper)):
            if hash_of(recipe(sheet.map)) == layout.hash:
                return sheet
    raise fault(
        f"this sheet ({game.title}, {layout.sheet}) was printed by another version of Pencilbox, whose boxes were in "
        "other places",
        hint="type its marks, or print new sheets",
    )


def _own(number: int, games: Sequence[Game]) -> Sheet:
    for sheet in candidates([*games, *map(_shipped, shipped())], _papers()):
        if sheet.map.own and layout_id(sheet.map) == number:
            return sheet
    named = ", ".join(game.title for game in games)
    if named:
        raise fault(
            f"no sheet of {named} has the layout {number}, which is on this sheet",
            hint="if the sheet was changed after it was printed, print it again",
        )
    raise fault(
        f"this sheet is of a game of your own (layout {number})", hint="name the folder of the game, with --game FOLDER"
    )


def candidates(games: Iterable[Game], on: Iterable[Paper]) -> Iterator[Sheet]:
    """All sheets of these games on these papers."""
    on = list(on)
    for game in games:
        for paper in on:
            for name in game.sheets:
                yield from _sheets(game, name, paper)


def _sheets(game: Game, name: str, paper: Paper) -> Iterator[Sheet]:
    """A sheet as it is printed on a paper, and in large print. Leaves out what does not fit."""
    for large in (False, True)[: 1 + bool(game.components[name].definition.large)]:
        try:
            yield Sheet(game, name, paper, large, map_of(game, name, paper, large))
        except InputError:
            continue


def _papers() -> list[Paper]:
    return list(papers().values())


@cache
def _shipped(key: str) -> Game:
    return load(key)
