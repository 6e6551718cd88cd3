"""pencilbox rules"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from textwrap import fill
from typing import Any

import click

from .. import games
from ..errors import fault
from ..judging.judge import game_judge
from ..model.game import Game
from ..reading.load import load
from ..rules.results import Rule, RuleBook
from ..rules.text import sentence
from .console import columns, echo, echo_json, style
from .options import Command, complete, trust_code_option


@click.command(cls=Command)
@click.argument("game", shell_complete=complete("games"))
@click.option("--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True)
@click.option("--text", "booklet", is_flag=True, help="Print the rules booklet as plain text instead.")
@trust_code_option
def command(game: str, form: str, booklet: bool, trust_code: bool) -> None:
    """List the rules that sheets of GAME are checked against, and how they are scored.

    With --text, print the rules of the game itself, as its booklet teaches them: to read in a terminal or with a screen
    reader.
    """
    if booklet:
        if form == "json":
            raise fault("--text only works without --format json")
        _print_booklet(load(game, trust_code=trust_code))
        return
    chosen = game_judge(load(game), trust_code)
    if chosen.not_run:
        echo(f"note: {chosen.not_run} was not run; to run it, add --trust-code", err=True)
    rules = [rule for book, sheets in chosen.books() for rule in _plain(book, sheets)]
    if form == "json":
        keys = "severity", "source", "says"
        listed = [
            {"rule": rule["rule"], "sheet": sheet, **{key: rule[key] for key in keys}}
            for rule in rules
            for sheet in rule["sheets"] or [None]
        ]
        echo_json({"game": chosen.game.key, "rules": listed})
        return
    echo(style(chosen.game.title, "bold"))
    for title, group in groupby(rules, lambda rule: _heading(chosen.game, rule["sheets"])):
        echo(f"\n{style(title, 'underline')}")
        for rule in group:
            echo(_text(rule))


def _print_booklet(game: Game) -> None:
    from ..printing.press import Press  # loads HarfBuzz and Jinja2

    width = min(100, columns())
    echo(Press(game, games.deal(game)).rules_text(max(40, width)).rstrip("\n"))


def _heading(game: Game, sheets: tuple[str, ...]) -> str:
    return ", ".join(game.sheets[sheet].definition.title for sheet in sheets if sheet in game.sheets) or "Every sheet"


def _plain(book: RuleBook, sheets: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    for rule in book.listed:
        severity = rule.severity if isinstance(rule, Rule) else None
        yield {
            "rule": rule.id,
            "sheets": rule.sheets or sheets,
            "severity": severity,
            "source": rule.source,
            "says": sentence(rule.text),
        }


# Numbers of our decisions in docs/sheets_GAME.md. A player has not seen that list; JSON has the numbers.
_DECISIONS = re.compile(r"(?:our decision; )?[A-Z][0-9]+(?:, [A-Z][0-9]+)*")


def _text(rule: dict[str, Any]) -> str:
    kind = style(rule["severity"] or "scoring", rule["severity"] or "hint")
    facts = f"{style(rule['rule'], 'bold')}  {kind}"
    if rule["source"]:
        source = _DECISIONS.sub("our decision", rule["source"])
        facts += f"  ({source.replace('; our decision', ' and our decision')})"
    width = max(40, min(100, columns()))
    return f"\n{facts}\n{fill(rule['says'], width, initial_indent='    ', subsequent_indent='    ')}"
