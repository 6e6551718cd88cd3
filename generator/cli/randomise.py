"""pencilbox randomise"""

from __future__ import annotations

import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from .. import games
from ..draws import Deck, RandomSets, SetCode, draw_kinds, parse
from ..errors import fault
from ..files import save
from ..model.game import Game
from ..paths import display_path
from ..printing.selection import print_run
from ..reading.load import load, shipped
from .console import echo, echo_json_text, json_text, may_write, style, unstyled
from .options import (
    MAX_SETS,
    Command,
    Count,
    RenamedOption,
    complete,
    draw_options,
    trust_code_option,
    typed_draw_options,
)

_MAX_CODES = 5


@click.command(cls=Command)
@click.argument("game", shell_complete=complete("games"))
@draw_options()
@click.option(
    "--seed", metavar="TEXT", help="The same text always draws the same sets.  [default: new sets every time]"
)
@click.option(
    "--count", metavar="N", type=Count(1, MAX_SETS), default=1, show_default=True, help="The number of sets to draw."
)
@click.option(
    "--print-run",
    "size",
    cls=RenamedOption,
    old=("--run",),
    metavar="N",
    type=Count(1, MAX_SETS),
    help="Draw N sets to print together: no two share a card, and as few cards as possible are mirror images.",
)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--output", "-o", "file", metavar="FILE", type=click.Path(path_type=Path), help="Write the sets to FILE.")
@trust_code_option
@click.option("--force", is_flag=True, help="With --output: replace an existing file without asking.")
def command(
    game: str,
    kind: str | None,
    seed: str | None,
    count: int,
    size: int | None,
    form: str,
    file: Path | None,
    trust_code: bool,
    force: bool,
    **draw_values: Any,
) -> None:
    """Draw random sets for GAME. “pencilbox make --set CODE” prints a set by its code."""
    if size and count > 1:
        raise fault("--print-run and --count cannot be used together")
    definition = load(game, trust_code=trust_code)
    sets = games.random_sets(definition)
    if force and not file:
        raise fault("--force only works with --output FILE")
    if file:
        may_write([file], force)
    codes = list(_codes(definition, seed, size or count, kind, options=typed_draw_options(draw_values), run=bool(size)))
    decks = (games.deal(definition, code) for code in codes)
    lines = list(_json(definition, sets, decks) if form == "json" else _text(definition, sets, decks))
    if file:
        save("".join(f"{unstyled(line)}\n" for line in lines).encode(), file)
        echo(str(file), err=form == "json")
    else:
        for line in lines:
            echo_json_text(line) if form == "json" else echo(line)
    if form == "text":
        these = "these sets" if len(codes) <= _MAX_CODES else f"the first {_MAX_CODES}"
        these = "this set" if len(codes) == 1 else these
        echo(f"\nTo print {these}: pencilbox make {_typed_sets(definition, codes, file)}", err=True)
        if len(codes) > _MAX_CODES and not file:
            echo("To print all sets of a draw, write them to a file: add -o FILE, then use --set FILE.", err=True)


def _typed_sets(game: Game, codes: list[SetCode], file: Path | None) -> str:
    """The arguments of `make` that print the sets; a shipped game is recognised by its code."""
    words = [] if game.key in shipped() else [shlex.quote(display_path(game.folder))]
    values = [str(file)] if file else list(map(str, codes[:_MAX_CODES]))
    trust = ["--trust-code"] if game.trusted_code and not game.own_draws else []
    return " ".join([*words, *trust, *(word for value in values for word in ("--set", shlex.quote(value)))])


def _codes(
    game: Game, seed: str | None, count: int, kind: str | None, options: dict[str, str], run: bool
) -> Iterator[SetCode]:
    if run:
        yield from print_run(game, seed, kind, options, size=count)
    else:
        yield from (games.new_code(game, seed, index, kind, options=options) for index in range(count))


def _json(game: Game, sets: RandomSets, decks: Iterator[Deck]) -> Iterator[str]:
    drawn = [
        {
            "set": deck.code,
            "what": (what := draw_kinds.draw_of(game, parse(deck.code or ""))),
            what: sets.data(game, deck),
        }
        for deck in decks
    ]
    yield json_text(drawn)


def _text(game: Game, sets: RandomSets, decks: Iterator[Deck]) -> Iterator[str]:
    for number, deck in enumerate(decks):
        if number:
            yield ""
        yield style(str(deck.code), "bold")
        yield from sets.lines(game, deck)
