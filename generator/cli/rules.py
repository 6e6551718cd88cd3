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
        listed = [_for_sheet(rule, sheet) for rule in rules for sheet in rule["sheets"] or [None]]
        click.echo(json.dumps({"game": chosen.game.key, "rules": listed}, indent=2, ensure_ascii=False))
        return
    click.echo(click.style(chosen.game.title, bold=True))
    for title, group in groupby(rules, lambda rule: _heading(chosen.game, rule["sheets"])):
        click.echo(f"\n{click.style(title, underline=True)}")
        for rule in group:
            click.echo(_text(rule))


def _heading(game: Game, sheets: tuple[str, ...]) -> str:
    return ", ".join(game.sheets[sheet].definition.title for sheet in sheets if sheet in game.sheets) or "Every sheet"


def _books(chosen: Umpire) -> Iterator[RuleBook[Any]]:
    if chosen.book and chosen.book.sheet is None:
        yield chosen.book
    for sheet in chosen.game.sheets.values():
        if chosen.book and chosen.book.sheet == sheet.name:
            yield chosen.book
        if chosen.together and chosen.together.book.sheet == sheet.name:
            yield chosen.together.book
        yield plain.book(sheet)


def _plain(book: RuleBook[Any]) -> Iterator[dict[str, Any]]:
    whole = (book.sheet,) if book.sheet else ()
    for rule in book.rules:
        yield {"rule": rule.name, "sheets": rule.sheets or whole, "severity": rule.severity, "source": rule.source,
               "says": sentence(rule.says)}
    for count in book.counting:
        yield {"rule": count.name, "sheets": count.sheets or whole, "severity": None, "source": count.source,
               "says": sentence(count.says)}


def _for_sheet(rule: dict[str, Any], sheet: str | None) -> dict[str, Any]:
    return {"rule": rule["rule"], "sheet": sheet, **{key: rule[key] for key in ("severity", "source", "says")}}


_COLOURS = {"error": "red", "warning": "yellow", None: "cyan"}


def _text(rule: dict[str, Any]) -> str:
    kind = click.style(rule["severity"] or "count", fg=_COLOURS[rule["severity"]])
    facts = f"{click.style(rule['rule'], bold=True)}  {kind}"
    if rule["source"]:
        facts += f"  ({rule['source']})"
    width = max(40, min(100, shutil.get_terminal_size().columns))
    return f"\n{facts}\n{fill(rule['says'], width, initial_indent='    ', subsequent_indent='    ')}"
