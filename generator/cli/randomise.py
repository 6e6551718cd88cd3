"""pencilbox randomise"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import click

from .. import games
from ..codes import parse
from ..definitions.load import load
from ..definitions.models import Game
from ..games import dealing, draws
from ..games.deck import Deck
from .drawing import options, wanted

MOST = 10_000


@click.command()
@click.argument("game")
@options
@click.option("--seed", metavar="TEXT", help="The same text gives the same sets.  [default: new ones every time]")
@click.option("--count", metavar="N", type=click.IntRange(1, MOST), default=1, show_default=True, help="How many sets.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", "-o", "file", metavar="FILE", type=click.Path(path_type=Path), help="Write into this file.")
def command(game: str, what: str | None, seed: str | None, count: int, form: str, file: Path | None,
            **given: Any) -> None:
    """Draw random sets for GAME. Each has a set code, by which `pencilbox make GAME --set CODE` prints it."""
    found = load(game)
    dealer, asked = dealing(found), wanted(given)
    decks = (games.deal(found, games.new_code(found, seed, index, what, asked)) for index in range(count))
    told = _json(found, dealer, decks) if form == "json" else _text(found, dealer, decks)
    if file:
        from ..pdf.files import save  # what it lies beside costs more to load than a set to draw
        save("".join(f"{click.unstyle(line)}\n" for line in told).encode(), file)
        return
    for line in told:
        click.echo(line)


def _json(game: Game, dealer: ModuleType, decks: Iterator[Deck]) -> Iterator[str]:
    sets = [{"set": deck.code, "what": (what := _what(game, deck)), what: dealer.plain(game, deck)} for deck in decks]
    yield json.dumps(sets, indent=2, ensure_ascii=False)


def _what(game: Game, deck: Deck) -> str:
    return draws.drawn(game, parse(deck.code or ""))


def _text(game: Game, dealer: ModuleType, decks: Iterator[Deck]) -> Iterator[str]:
    for number, deck in enumerate(decks):
        if number:
            yield ""
        yield click.style(str(deck.code), bold=True)
        yield from dealer.lines(game, deck)
