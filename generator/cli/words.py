"""pencilbox words"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from ..draws import parse
from ..games.rolling_cubes import deal
from ..games.rolling_cubes.play import Dice, Throw, dice_of, faces_of, read_throw
from ..games.rolling_cubes.word_lists import LaidWord, best, list_in, own
from ..reading.load import load
from .console import echo, echo_json, style
from .options import Command, Count, complete


@click.command(cls=Command)
@click.option(
    "--throw",
    "throws",
    metavar="THROW",
    required=True,
    multiple=True,
    help="The dice, as on a sheet: red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K; may be repeated.",
)
@click.option(
    "--set",
    "code",
    metavar="CODE",
    shell_complete=complete("sets"),
    help="The throws use the random dice with this code.",
)
@click.option(
    "--words",
    metavar="FILE",
    shell_complete=complete("files"),
    help="Your own word list: plain text, one word per line.",
)
@click.option("--top", type=Count(1, 100_000), default=10, show_default=True, help="The number of words to list.")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(throws: tuple[str, ...], code: str | None, words: str | None, top: int, form: str) -> None:
    """Find the best words for a throw in Rolling Cubes, with their points.

    Type the wildcard ≠ as /.
    """
    game = load("rolling_cubes")
    set_code = parse(code, prefix=game.definition.prefix) if code else None
    dice = Dice(faces_of(deal.dice(game, set_code))) if set_code else dice_of(game)
    thrown = [read_throw(text, dice) for text in throws]
    language = deal.language(game, set_code) if set_code else ""
    word_list = own(Path(words), words) if words is not None else list_in(game, language)
    answers = [(throw, best(throw, word_list, game.rules, top)) for throw in thrown]
    if form == "json":
        plain = [_plain(*answer) for answer in answers]
        echo_json(plain[0] if len(plain) == 1 else plain)
        return
    echo("\n\n".join(_text(*answer) for answer in answers))


def _text(throw: Throw, words: list[LaidWord]) -> str:
    width = max((len(word.word) for word in words), default=0)
    lines = [_line(word, width) for word in words]
    return "\n".join([str(throw), "", *(lines or ["No words found."])])


def _line(word: LaidWord, width: int) -> str:
    tiles = style(f"{word.tiles:<{width}}", "bold")
    return f"{word.points.total:>4}  {tiles}  {word.word:<{width}}  {word.points}"


def _plain(throw: Throw, words: list[LaidWord]) -> dict[str, Any]:
    return {
        "throw": dict(throw.letters),
        "words": [
            {
                "word": word.word,
                "tiles": word.tiles,
                "colours": list(word.colours),
                "points": word.points.total,
                "letters": word.points.letters,
                "wildcards": word.points.wildcards,
                "repeats": word.points.repeats,
                "purple": word.points.purple,
            }
            for word in words
        ],
    }
