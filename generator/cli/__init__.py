"""The command `pencilbox`. The module of each command is imported when it is called, so that `--help` is fast."""

from __future__ import annotations

import atexit
import gc
import os
import sys
import threading
from contextlib import suppress
from importlib import import_module
from typing import Any

import click

from .. import __version__
from ..errors import Problem, did_you_mean
from .console import echo
from .failures import WrongUsageError, close_output, report

COMMANDS = {
    "games": "List the games and what each of them prints.",
    "studio": "See, change, draw and score games in your browser.",
    "make": "Print games as PDF files.",
    "export": "Export a game to a print service or a virtual tabletop.",
    "calibrate": "Measure your printer, so that backs lie behind their fronts.",
    "preflight": "Check what a print service would reject.",
    "new": "Start your own game, or copy an example.",
    "randomise": "Draw random cards, dice, deals and boards, each with a set code.",
    "new-sheet": "Write a blank score sheet to type into.",
    "fill": "Fill in a score sheet in the terminal, line by line.",
    "verify": "Verify a set code or a printed PDF.",
    "read": "Read filled-in score sheets from photos.",
    "score": "Check and score filled-in sheets: PDF forms, YAML or JSON.",
    "check": "Check filled-in sheets without scoring them.",
    "league": "Show the table of the games you have saved, and manage them.",
    "balance": "Simulate many games and report how fair and how long they are.",
    "rules": "List the rules that sheets are checked against.",
    "words": "Find the best words for a throw in Rolling Cubes.",
    "fields": "List where each field of a score sheet is on paper.",
    "config": "Show your settings and where each comes from.",
    "completion": "Print the script for Tab completion in bash, zsh or fish.",
    "help": "Show help for a command.",
}
_OTHER_WORDS = {"print": "make", "build": "make", "draw": "randomise", "shuffle": "randomise", "simulate": "balance"}
ALIASES = {"randomize": "randomise", "blank": "new-sheet", "cells": "fields"}
"""Other spellings of commands, which are not listed."""
# Small commands that share the module of another one, as functions of the same name.
_SHARED = {"check": "score", "new-sheet": "fill", "preflight": "export", "config": "setup", "completion": "setup"}


class LazyGroup(click.Group):
    """A group that imports each command when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        name = ALIASES.get(cmd_name, cmd_name)
        if name not in COMMANDS or name in self.commands:
            return self.commands.get(name)
        module = import_module(f"{__name__}.{_SHARED.get(name, name)}")
        command: click.Command = getattr(module, name.replace("-", "_") if name in _SHARED else "command")
        return command

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, [ALIASES.get(args[0], args[0]), *args[1:]])
        except click.NoSuchCommand as error:
            hint = did_you_mean(_OTHER_WORDS.get(args[0], args[0]), COMMANDS)
            hint = hint if hint.startswith("did") else "“pencilbox help” lists the commands"
            raise WrongUsageError([Problem(f"there is no command “{args[0]}”", hint=hint)]) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    subcommand_metavar="COMMAND [ARGS]...",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="pencilbox")
@click.pass_context
def pencilbox(ctx: click.Context) -> None:
    """Print pencil-and-dice games, draw random sets for them, and score the sheets you fill in.

    \b
    pencilbox make from_the_ground_up        print a game
    pencilbox randomise from_the_ground_up   draw new cards for it
    pencilbox score sheet.yaml               check and score a sheet
    pencilbox make cards.csv                 print your own cards from a table
    pencilbox new my_game                    start your own game
    """
    if os.environ.get("NO_COLOR"):
        ctx.color = False
    if ctx.invoked_subcommand is None:
        echo(ctx.get_help())


@pencilbox.command("help")
@click.argument("command", required=False)
@click.pass_context
def help_command(ctx: click.Context, command: str | None) -> None:
    """Show help for COMMAND, or list all commands."""
    group = ctx.find_root()
    if command is None:
        echo(group.get_help())
        return
    name, resolved, _ = pencilbox.resolve_command(group, [command])
    context = click.Context(resolved, info_name=name, parent=group, max_content_width=group.max_content_width)
    echo(resolved.get_help(context))


def run() -> None:
    """Runs the command in a process of its own, like `main`, and leaves it to the system to free its memory: Python
    would free one object after the other, which takes a thirtieth of the time of a small deck."""
    code = 0
    try:
        main()
    except SystemExit as end:
        code = int(end.code or 0)
    # A profiler, a debugger or a user at a prompt may wait for the command to end.
    monitoring = getattr(sys, "monitoring", None)  # since Python 3.12
    watched = monitoring is not None and any(map(monitoring.get_tool, range(6)))
    if threading.active_count() > 1 or watched or sys.gettrace() or sys.getprofile() or sys.flags.interactive:
        sys.exit(code)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # closed; `main` has reported what matters
            stream.flush()
    os._exit(code)


def main() -> None:
    """Runs the command and exits: 0 for success, otherwise with a code of `failures`."""
    # Standard streams that are closed are opened, so that no other file takes their numbers. Standard input is then
    # empty, writing to standard output fails, and messages are lost.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is None:
            os.open(os.devnull, os.O_WRONLY if name == "stderr" else os.O_RDONLY)
            setattr(sys, name, open(number, "r" if name == "stdin" else "w", closefd=False))  # noqa: SIM115
    try:
        code = pencilbox.main(prog_name="pencilbox", standalone_mode=False)
        if sys.stdout is not None:
            sys.stdout.flush()
    except BaseException as error:
        code = report(error, sys.argv[1:])
        close_output()
    gc.freeze()  # skips a last search for cycles, which takes an eighth of the time of `--help`
    sys.exit(code if isinstance(code, int) else 0)
