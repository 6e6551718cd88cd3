"""What several commands share: exit codes, the options of a draw, and how text gets to a terminal."""

from __future__ import annotations

import codecs
import os
from collections.abc import Callable, Iterable, Mapping
from io import TextIOWrapper
from pathlib import Path
from typing import Any, TextIO

import click

from .. import paths
from ..errors import Place, Problem, fault

VIOLATIONS, WRONG_INPUT, INTERRUPTED = 1, 2, 130
"""Exit codes: a rule is broken or a print is not what its code names; input that cannot be used; Ctrl-C, which shells
know as 128 + SIGINT."""


# ---- the options of a draw ------------------------------------------------------------------------------------------

DRAW_OPTIONS = {
    "players": "players",
    "profile": "profile",
    "language": "language",
    "rounds": "rounds",
    "per_player": "each",
}
"""The options of a draw, by their parameters, as sets.yaml names them."""


class RenamedOption(click.Option):
    """An option that can still be given by its old names, which the help does not list."""

    def __init__(self, *arguments: Any, old: tuple[str, ...], **settings: Any) -> None:
        super().__init__(*arguments, **settings)
        self.old = old

    def add_to_parser(self, parser: Any, ctx: click.Context) -> None:
        listed = self.opts
        self.opts = [*listed, *self.old]
        super().add_to_parser(parser, ctx)
        self.opts = listed


def draw_options(*without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options that say what is to be drawn, but for some. A game takes those that its sets.yaml names, and refuses
    the others."""
    options = {
        "kind": click.option(
            "--kind",
            cls=RenamedOption,
            old=("--what",),
            metavar="NAME",
            help="What to draw, where a game has more than one thing to draw.",
        ),
        "players": click.option("--players", metavar="N", help="For how many players."),
        "profile": click.option("--profile", metavar="NAME", help="How hard, or of what kind."),
        "language": click.option("--language", metavar="NAME", help="The language of letters."),
        "rounds": click.option("--rounds", metavar="N", help="How many rounds."),
        "per_player": click.option(
            "--per-player",
            cls=RenamedOption,
            old=("--each",),
            is_flag=True,
            help="One for each player instead of one for all.",
        ),
    }

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed([name for name in options if name not in without]):
            command = options[name](command)
        return command

    return decorate


def given_draw_options(values: Mapping[str, Any]) -> dict[str, str]:
    """The options of a draw that were given, as sets.yaml spells their values."""
    return {
        option: "yes" if values[name] is True else values[name]
        for name, option in DRAW_OPTIONS.items()
        if values.get(name)
    }


# ---- files ----------------------------------------------------------------------------------------------------------


def refuse_overwriting(path: Path, force: bool) -> None:
    """Raises InputError for a file that would be lost."""
    if paths.is_dir(path):
        raise fault("is a folder", Place(str(path)), "name a file in it")
    if paths.is_file(path) and not force:
        raise fault("there is such a file already", Place(str(path)), "--force writes over it")


# ---- terminals ------------------------------------------------------------------------------------------------------

_PLAIN = str.maketrans(
    {
        "→": "->",
        "−": "-",
        "–": "-",
        "─": "-",
        "“": '"',
        "”": '"',
        "’": "'",
        "▼": "v",
        "▲": "^",
        "≠": "/",
        "★": "*",
        "·": ".",
        "…": "...",
        "×": "x",
        "□": "o",
    }
)


def encodable(text: str, encoding: str | None) -> str:
    """The text as a terminal of this encoding can show it: letters it does not have are replaced by plain ones, or
    where nothing plain is like them, by question marks."""
    name = encoding or "utf-8"
    try:
        text.encode(name)
    except UnicodeEncodeError:
        return text.translate(_PLAIN).encode(name, "replace").decode(name)
    return text


def write_utf8(stream: TextIO) -> None:
    """Has a stream written in UTF-8 from now on, as JSON is (RFC 8259, 8.1), whatever the terminal's encoding."""
    if isinstance(stream, TextIOWrapper) and codecs.lookup(stream.encoding).name != "utf-8":
        stream.reconfigure(encoding="utf-8")


def show_errors(problems: Iterable[Problem]) -> None:
    """Prints problems to standard error; NO_COLOR is heeded as https://no-color.org asks."""
    colour = False if os.environ.get("NO_COLOR") else None
    for problem in problems:
        click.echo(f"{click.style('error', fg='red', bold=True)}: {problem}", err=True, color=colour)
