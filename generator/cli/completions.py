"""Completions for the Tab key: files, games, components, papers, profiles, sheets, kinds of sets and set codes.

Each function takes click's context, the parameter and the word typed so far. None of them prints or fails: if a game
cannot be read, it offers nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from .. import paths
from ..draws.draw_kinds import options_of
from ..errors import InputError
from ..model.game import Game
from ..printing.printers import calibrations
from ..reading import sizes
from ..reading.load import load, shipped
from ..reading.targets import targets as known_targets
from ..reading.user_settings import user_file

_CODE = re.compile(r"[A-Z]{2}-\w{4}-\w{5}-\w{5}-\w{2}")


def files(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    return _items([typed], "", "file")


def folders(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    return _items([typed], "", "dir")


def examples(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    return _items(paths.examples(), typed)


def games(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The shipped games, and folders and tables."""
    names = _items(shipped(), typed)
    return names if names and typed else [*names, *files(_ctx, _param, typed)]


def games_and_components(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """Games, and the components of the games that were typed."""
    words = _words(ctx)
    parts = dict.fromkeys(name for word in words for name in _components(word))
    components = _items([name for name in parts if name not in words], typed)
    return components if components and typed else [*components, *games(ctx, param, typed)]


def papers(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    return _items(sizes.papers(), typed.lower())


def components(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    words = _words(ctx)
    return _items(dict.fromkeys(name for word in words for name in _components(word)), typed)


def sheets(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The score sheets of the game that was typed."""
    game = _game(ctx)
    return _items(game.sheets, typed) if game else []


def kinds(ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The kinds of random sets that the game has."""
    game = _game(ctx)
    return _items(game.draws, typed) if game else []


def sets(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The set codes in the names of printed files, and files that may contain codes."""
    codes = {code for file in Path("output").glob("*/*.pdf") for code in _CODE.findall(file.name)}
    return _items(sorted(codes), typed.upper()) or _items([typed], "", "file")


def option_values(ctx: click.Context, param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The values of an option for random sets, in the game that was typed."""
    game, option = _game(ctx), param.name or ""
    values = [value for draw in game.draws.values() for value in options_of(game, draw).get(option, ())] if game else []
    return _items(dict.fromkeys(values), typed)


def _items(names: Iterable[str], typed: str, kind: str = "plain") -> list[CompletionItem]:
    return [CompletionItem(name, type=kind) for name in names if name.startswith(typed)]


def _components(word: str) -> Iterable[str]:
    game = _loaded(word)
    return game.components if game else ()


def _words(ctx: click.Context) -> list[str]:
    """The arguments typed so far; click leaves them in `args` if the value of the last option is missing."""
    words: Any = ctx.params.get("words") or ctx.params.get("game") or ()
    return [*((words,) if isinstance(words, str) else words), *ctx.args]


def _game(ctx: click.Context) -> Game | None:
    """The game among the words of the command."""
    return next((game for word in _words(ctx) if (game := _loaded(word))), None)


def _loaded(word: str) -> Game | None:
    with suppress(InputError, OSError):
        return load(word)
    return None


def printers(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The printers that are calibrated."""
    with suppress(Exception):
        return _items({calibration.printer: None for calibration in calibrations()}, typed)
    return []


def targets(_ctx: click.Context, _param: click.Parameter, typed: str) -> list[CompletionItem]:
    """The targets of exports, also your own."""
    with suppress(Exception):
        return _items(known_targets(user_file().parent), typed)
    return []
