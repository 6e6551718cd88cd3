"""pencilbox games"""

from __future__ import annotations

import sys

import click

from ..definitions.load import load, shipped
from ..definitions.models import Game
from . import completions
from .common import Command
from .console import echo, echo_json, style, table


@click.command(cls=Command)
@click.argument("game", nargs=-1, shell_complete=completions.games)
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
def command(game: tuple[str, ...], form: str) -> None:
    """List the shipped games, or the GAMEs you name, and what each prints."""
    games = [load(name) for name in game or shipped()]
    if form == "json":
        echo_json([_plain(game) for game in games])
    else:
        echo("\n\n".join(map(_text, games)))


def _plain(game: Game) -> dict[str, object]:
    about = game.definition
    components = [
        {"name": name, "kind": part.kind, "title": part.definition.title, "about": part.definition.about}
        for name, part in game.components.items()
    ]
    return {
        "game": game.key,
        "title": game.title,
        "players": [about.players.low, about.players.high],
        "age": about.age,
        "minutes": about.minutes,
        "designer": about.designer,
        "components": components,
    }


def _text(game: Game) -> str:
    about = game.definition
    facts = [
        f"{about.players} players",
        f"age {about.age}+" if about.age else "",
        f"{about.minutes} min" if about.minutes else "",
        f"by {about.designer}" if about.designer else "",
    ]
    head = f"{style(game.key, 'bold')}  {game.title} ({', '.join(filter(None, facts))})"
    if sys.stdout.isatty():
        rows = [(name, part.definition.title, part.definition.about or "") for name, part in game.components.items()]
        return f"{head}\n{table(('component', 'title', ''), rows)}"
    width = max(map(len, game.components))
    lines = [
        f"    {name:<{width}}  {part.definition.title}"
        + (f" - {part.definition.about}" if part.definition.about else "")
        for name, part in game.components.items()
    ]
    return "\n".join([head, *lines])
