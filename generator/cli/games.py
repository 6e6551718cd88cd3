"""pencilbox games"""

from __future__ import annotations

import sys

import click

from ..model.game import Game
from ..reading.load import load, shipped
from ..reading.table_game import described
from .console import echo, echo_json, style, table
from .options import Command, complete


@click.command(cls=Command)
@click.argument("game", nargs=-1, shell_complete=complete("games"))
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
        {
            "name": name,
            "kind": part.kind,
            "title": part.definition.title,
            "about": part.definition.about,
            "printed_with": _printed_with(game, name),
        }
        for name, part in game.components.items()
    ]
    return {
        "game": game.key,
        "title": game.title,
        "players": [about.players.low, about.players.high] if about.players else None,
        "age": about.age,
        "minutes": about.minutes,
        "designer": about.designer,
        "components": components,
    }


def _text(game: Game) -> str:
    about = game.definition
    facts = [
        f"{about.players} players" if about.players else "",
        f"age {about.age}+" if about.age else "",
        f"{about.minutes} min" if about.minutes else "",
        f"by {about.designer}" if about.designer else "",
    ]
    known = ", ".join(filter(None, facts))
    head = f"{style(game.key, 'bold')}  {game.title}{f' ({known})' * bool(known)}"
    if game.table:
        parts = (f"    {part.name}  {described(part)}" for part in game.components.values())
        return "\n".join([f"{style(game.key, 'bold')}  {game.title}", *parts])
    if sys.stdout.isatty():
        rows = [(name, part.definition.title, _about(game, name)) for name, part in game.components.items()]
        return f"{head}\n{table(('component', 'title', ''), rows)}"
    width = max(map(len, game.components))
    lines = [
        f"    {name:<{width}}  {' - '.join(filter(None, (part.definition.title, _about(game, name))))}"
        for name, part in game.components.items()
    ]
    return "\n".join([head, *lines])


def _about(game: Game, name: str) -> str:
    """The description of a component, and which components it shares pages with."""
    others = _printed_with(game, name)
    note = f"(Printed with {' and '.join(others)}.)" if others else ""
    return " ".join(filter(None, (game.components[name].definition.about, note)))


def _printed_with(game: Game, name: str) -> list[str]:
    """The components whose pages also hold this one, unless it is printed alone."""
    return [other for other, part in game.components.items() if name in part.definition.with_]
