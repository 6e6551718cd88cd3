"""pencilbox randomise"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from .. import games
from ..codes import SetCode, parse
from ..definitions.load import load
from ..definitions.models import Game
from ..errors import fault
from ..files import save
from ..games import draws
from ..games.deck import Deck, RandomSets
from .common import Command, RenamedOption, draw_options, given_draw_options
from .console import echo, json_text, style, unstyled

MOST = 10_000


@click.command(cls=Command)
@click.argument("game")
@draw_options()
@click.option("--seed", metavar="TEXT", help="The same text gives the same sets.  [default: new ones every time]")
@click.option("--count", metavar="N", type=click.IntRange(1, MOST), default=1, show_default=True, help="How many sets.")
@click.option(
    "--print-run",
    "size",
    cls=RenamedOption,
    old=("--run",),
    metavar="N",
    type=click.IntRange(1, MOST),
    help="N sets to be printed together: no two share a card, nor more than they must in the mirror.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", "-o", "file", metavar="FILE", type=click.Path(path_type=Path), help="Write into this file.")
def command(
    game: str,
    kind: str | None,
    seed: str | None,
    count: int,
    size: int | None,
    form: str,
    file: Path | None,
    **given: Any,
) -> None:
    """Draw random sets for GAME. Each has a set code, by which `pencilbox make GAME --set CODE` prints it."""
    if size and count > 1:
        raise fault("--print-run and --count exclude each other")
    found = load(game)
    sets = games.random_sets(found)
    codes = _codes(found, seed, size or count, kind, given_draw_options(given), bool(size))
    decks = (games.deal(found, code) for code in codes)
    told = _json(found, sets, decks) if form == "json" else _text(found, sets, decks)
    if file:
        save("".join(f"{unstyled(line)}\n" for line in told).encode(), file)
        return
    for line in told:
        echo(line)


def _codes(
    game: Game, seed: str | None, count: int, kind: str | None, asked: dict[str, str], run: bool
) -> Iterator[SetCode]:
    if run:
        first = games.new_code(game, seed, what=kind, options={**asked, "run": "yes"})
        yield from games.random_sets(game).run(game, first, count)
    else:
        yield from (games.new_code(game, seed, index, kind, asked) for index in range(count))


def _json(game: Game, sets: RandomSets, decks: Iterator[Deck]) -> Iterator[str]:
    drawn = [{"set": deck.code, "what": (what := _what(game, deck)), what: sets.data(game, deck)} for deck in decks]
    yield json_text(drawn)


def _what(game: Game, deck: Deck) -> str:
    return draws.drawn(game, parse(deck.code or ""))


def _text(game: Game, sets: RandomSets, decks: Iterator[Deck]) -> Iterator[str]:
    for number, deck in enumerate(decks):
        if number:
            yield ""
        yield style(str(deck.code), "bold")
        yield from sets.lines(game, deck)
