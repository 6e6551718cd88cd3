"""pencilbox randomise"""

from __future__ import annotations

import json
from collections.abc import Iterator
from types import ModuleType

import click

from ..definitions.load import load
from ..definitions.models import Game
from ..games import dealing
from ..games.deck import Deck

MOST = 10_000


@click.command()
@click.argument("game")
@click.option("--seed", metavar="TEXT", help="The same text gives the same sets.  [default: new ones every time]")
@click.option("--count", metavar="N", type=click.IntRange(1, MOST), default=1, show_default=True, help="How many sets.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(game: str, seed: str | None, count: int, form: str) -> None:
    """Draw random card sets for GAME. Each has a set code, by which `pencilbox make GAME --set CODE` prints it."""
    found = load(game)
    dealer = dealing(found)
    decks = (dealer.deal(found, dealer.new_code(found, seed, index)) for index in range(count))
    if form == "json":
        sets = [{"set": deck.code, "cards": dealer.plain(found, deck)} for deck in decks]
        click.echo(json.dumps(sets, indent=2, ensure_ascii=False))
    else:
        for line in _lines(found, dealer, decks):
            click.echo(line)


def _lines(game: Game, dealer: ModuleType, decks: Iterator[Deck]) -> Iterator[str]:
    for number, deck in enumerate(decks):
        if number:
            yield ""
        yield click.style(str(deck.code), bold=True)
        yield from dealer.lines(game, deck)
