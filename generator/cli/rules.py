"""pencilbox rules"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill
from typing import Any

import click

from ..definitions.load import load
from ..definitions.models import Game
from ..judge import Umpire, umpire
from ..rules import plain
from ..rules.book import RuleBook
from ..rules.text import sentence


@click.command()
@click.argument("game")
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--trust-code", is_flag=True, help="Run the rules.py of one's own game.")
def command(game: str, form: str, trust_code: bool) -> None:
    """Say every rule that sheets of GAME are held against, in plain words, and how they are counted."""
    chosen = umpire(load(game), trust_code)
    rules = [rule for book in _books(chosen) for rule in _plain(book)]
    if form == "json":
        click.echo(json.dumps({"game": chosen.game.key, "rules": rules}, indent=2, ensure_ascii=False))
        return
    click.echo(click.style(chosen.game.title, bold=True))
    for title, group in groupby(rules, lambda rule: _heading(chosen.game, rule["sheet"])):
        click.echo(f"\n{click.style(title, underline=True)}")
        for rule in group:
            click.echo(_text(rule))


def _heading(game: Game, sheet: str | None) -> str:
    return game.sheets[sheet].definition.title if sheet and sheet in game.sheets else "Every sheet"


def _books(chosen: Umpire) -> Iterator[RuleBook[Any]]:
    if chosen.book and chosen.book.sheet is None:
        yield chosen.book
    for sheet in chosen.game.sheets.values():
        if chosen.book and chosen.book.sheet == sheet.name:
            yield chosen.book
        yield plain.book(sheet)


def _plain(book: RuleBook[Any]) -> Iterator[dict[str, Any]]:
    for rule in book.rules:
        yield {"rule": rule.name, "sheet": book.sheet, "severity": rule.severity, "source": rule.source,
               "says": sentence(rule.says)}
    for count in book.counting:
        yield {"rule": count.name, "sheet": book.sheet, "severity": None, "source": count.source,
               "says": sentence(count.says)}


_COLOURS = {"error": "red", "warning": "yellow", None: "cyan"}


def _text(rule: dict[str, Any]) -> str:
    kind = click.style(rule["severity"] or "count", fg=_COLOURS[rule["severity"]])
    facts = f"{click.style(rule['rule'], bold=True)}  {kind}"
    if rule["source"]:
        facts += f"  ({rule['source']})"
    width = max(40, min(100, shutil.get_terminal_size().columns))
    return f"\n{facts}\n{fill(rule['says'], width, initial_indent='    ', subsequent_indent='    ')}"
