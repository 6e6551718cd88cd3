"""What randomise and make --random share: the options that say what is to be drawn."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import click

OPTIONS = ("players", "profile", "language", "rounds", "each")


def options(*without: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """The options of a draw but for some; a game takes those that its sets.yaml names, and refuses the others."""
    known = {
        "what": click.option("--what", metavar="NAME",
                             help="What is drawn, where a game has more than one thing to draw."),
        "players": click.option("--players", metavar="N", help="For how many players."),
        "profile": click.option("--profile", metavar="NAME", help="How hard, or of what kind."),
        "language": click.option("--language", metavar="NAME", help="The language of letters."),
        "rounds": click.option("--rounds", metavar="N", help="How many rounds."),
        "each": click.option("--each", is_flag=True, help="One for each player instead of one for all."),
    }

    def dressed(command: Callable[..., Any]) -> Callable[..., Any]:
        for name in reversed([name for name in known if name not in without]):
            command = known[name](command)
        return command
    return dressed


def wanted(given: Mapping[str, Any]) -> dict[str, str]:
    """The options that were given, as sets.yaml spells their values."""
    return {name: "yes" if given[name] is True else given[name] for name in OPTIONS if given.get(name)}
