"""The games, components and sets to print or export, from the command line, and the options that choose them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .. import games, nodes, paths
from ..draws.deck import Deck
from ..errors import (
    InputError,
    Place,
    Problem,
    did_you_mean,
    fault,
    listed,
    shortened,
)
from ..fast_dataclasses import dataclass
from ..model.game import Game
from ..reading.load import is_game, load, shipped
from ..reading.table_game import DEFAULT_LOOK, TEMPLATES, Look
from . import completions

if TYPE_CHECKING:
    from ..draws import SetCode

Chosen = tuple[Game, Deck]
MAX_SETS = 10_000
"""The maximum number of sets drawn at a time."""


def component_option(verb: str) -> Callable[..., Any]:
    """The option --component; `verb` says what is done with the components."""
    return click.option(
        "--component",
        "-c",
        multiple=True,
        metavar="NAME",
        shell_complete=completions.components,
        help=f"{verb} only this component; may be repeated.",
    )


def table_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Adds the options --sheet, --size and --template, which say how a table becomes a deck."""
    template = click.option(
        "--template",
        type=click.Choice(TEMPLATES),
        metavar="NAME",
        help=f"For a table: how cards look: {', '.join(TEMPLATES)}.  [default: what fits its columns]",
    )
    size = click.option(
        "--size", metavar="SIZE", help="For a table: the card size, such as tarot or 63x88.  [default: poker]"
    )
    sheet = click.option(
        "--sheet", metavar="NAME", help="For a table: its worksheet.  [default: the first with content]"
    )
    return sheet(size(template(command)))


@dataclass(frozen=True, slots=True)
class Draw:
    """A random set to draw, or a print `run` of this many sets. Without a seed it is new every time; without a kind,
    the first that fits is drawn."""

    seed: str | None
    kind: str | None
    options: Mapping[str, str]
    run: int | None = None


@dataclass(frozen=True, slots=True)
class Selection:
    """The `chosen` games with their decks, one per set, the named `components`, and the `problems` of games and
    components that cannot be read while others can."""

    chosen: list[Chosen]
    components: tuple[str, ...]
    problems: tuple[Problem, ...] = ()


def chosen_sets(
    words: tuple[str, ...],
    every: bool,
    sets: tuple[str, ...],
    draw: Draw | None,
    look: Look = DEFAULT_LOOK,
    trust_code: bool = False,
) -> Selection:
    """What the words select. If no game is named, the set codes decide."""
    codes = _codes(sets)
    if codes and not every and not (words and is_game(words[0])):
        firsts = {_parsed(code).prefix: code for code in reversed(codes)}
        games_ = {prefix: _game_of(code) for prefix, code in reversed(firsts.items())}
        parsed = list(map(_parsed, codes))
        sets_ = ((game, code) for prefix, game in games_.items() for code in parsed if code.prefix == prefix)
        return Selection(_dealt(sets_), words)
    loaded = _Loaded(look, trust_code)
    components = _components_in(words, every, loaded)
    if not loaded.games:
        raise InputError(loaded.problems)
    if len(loaded.games) > 1:
        _refuse_unclear(loaded.games, codes)
    dealt = _dealt(
        (game, code)
        for game in loaded.games
        for code in _sets_of(game, _codes_of(game, codes, loaded.games), draw, components)
        if code or not codes
    )
    return Selection(dealt, tuple(components), tuple(loaded.problems))


def _dealt(sets: Iterable[tuple[Game, SetCode | None]]) -> list[Chosen]:
    """The sets with their decks. Raises InputError with the problems of all of them."""
    dealt: list[Chosen] = []
    problems: list[Problem] = []
    for game, code in sets:
        try:
            dealt.append((game, games.deal(game, code)))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(dict.fromkeys(problems))
    return dealt


@dataclass(slots=True)
class _Loaded:
    """The games that could be read, and the problems of the others."""

    look: Look
    trust_code: bool
    games: list[Game] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)

    def add(self, name: str) -> None:
        try:
            game = load(name, self.look, self.trust_code, partial=True)
            self.games.append(game)
            self.problems += game.problems
        except InputError as error:
            self.problems += error.problems


def _components_in(words: tuple[str, ...], every: bool, loaded: _Loaded) -> list[str]:
    """The components that the words name; loads the games that they name. The first word is a game."""
    if words and not is_game(words[0]):
        _refuse_component_first(words[0])
        load(words[0], loaded.look)  # raises InputError
    for name in (*words[:1], *(shipped() if every else ())):
        loaded.add(name)
    components = []
    for word in words[1:]:
        parts = list(dict.fromkeys(part for game in loaded.games for part in game.components))
        if word not in shipped() and word in parts:
            components.append(word)
        elif is_game(word):
            loaded.add(word)
        elif paths.is_file(Path(word)):
            load(word, loaded.look)  # raises InputError
        elif loaded.problems:  # the word may name a component of a game that cannot be read
            raise InputError(loaded.problems)
        else:
            raise fault(
                f"there is no game, folder or component “{shortened(word)}”",
                hint=did_you_mean(word, [*parts, *shipped()]) or f"known: {', '.join(parts)}",
            )
    return components


def _refuse_component_first(word: str) -> None:
    """Raises InputError if the word is the name of a component, with an example that names its game too."""
    for key in shipped():
        if word in load(key).components:
            raise fault(
                f"“{word}” is a component, not a game",
                hint=f"name the game first, for example: pencilbox make {key} {word}",
            )


def refuse_unknown(games_: list[Game], components: tuple[str, ...]) -> None:
    """Raises InputError for components that none of the games has."""
    names = list(dict.fromkeys(name for game in games_ for name in game.components))
    problems = [
        Problem(f"there is no component “{shortened(name)}”", hint=did_you_mean(name, names))
        for name in components
        if name not in names
    ]
    if problems:
        raise InputError(problems)


# ---- sets -----------------------------------------------------------------------------------------------------------


def _codes(texts: Iterable[str]) -> list[str]:
    """The codes among the texts and in the files among them, each once. Raises InputError with every invalid one and
    its line. A file may hold anything that `randomise -o` writes: only lines that begin like a code count."""
    codes: dict[str, None] = {}
    problems: list[Problem] = []
    for text in texts:
        if not paths.is_file(Path(text)):
            codes[text] = None
            continue
        lines = [
            (number, word)
            for number, line in enumerate(nodes.read_text(Path(text), text).splitlines(), start=1)
            if _CODE.match(word := line.strip())
        ]
        if not lines:
            hint = "“pencilbox randomise GAME -o FILE” writes one on each line"
            problems.append(Problem("contains no set codes", Place(text), hint))
        for number, word in lines:
            try:
                codes[str(_parsed(word, place=Place(text, number)))] = None
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(problems)
    return list(codes)


_CODE = re.compile(r"[A-Za-z]{2}-\S+$")


def _parsed(code: str, *, prefix: str | None = None, place: Place | None = None) -> SetCode:
    from ..draws import parse  # only for random sets

    return parse(code, prefix=prefix, place=place)


def _game_of(code: str) -> Game:
    from ..draws.draw_kinds import game_of

    return game_of(_parsed(code))


def _belongs(code: str, game: Game) -> bool:
    return _parsed(code).prefix == game.definition.prefix


def _codes_of(game: Game, codes: list[str], games_: list[Game]) -> list[str]:
    """The codes to print of one of the games."""
    return codes if len(games_) == 1 else [code for code in codes if _belongs(code, game)]


def _refuse_unclear(games_: list[Game], codes: list[str]) -> None:
    """Raises InputError for the codes that belong to none or to several of the games."""
    problems = []
    for code in codes:
        owners = list({game.folder: game for game in games_ if _belongs(code, game)}.values())
        if len(owners) > 1:
            titles = listed(game.title for game in owners)
            problems.append(
                Problem(
                    f"the set code {code} may belong to each of {titles}: their codes begin with the same letters",
                    hint="print these games one at a time, or give one of them another “prefix”",
                )
            )
        if not owners:
            prefixes = listed(dict.fromkeys(game.definition.prefix for game in games_ if game.definition.prefix))
            problems.append(
                Problem(
                    f"the set code {code} belongs to none of these games", hint=f"their codes begin with {prefixes}"
                )
            )
    if problems:
        raise InputError(problems)


def _sets_of(game: Game, codes: list[str], draw: Draw | None, components: list[str]) -> Iterator[SetCode | None]:
    """The sets to print: those of the codes, a new one, or the standard set."""
    if draw and draw.run:
        yield from print_run(game, draw.seed, draw.kind, draw.options, draw.run)
    elif draw:
        yield _drawn(game, draw, components)
    elif codes:
        yield from (_parsed(code, prefix=game.definition.prefix) for code in codes)
    else:
        yield None


def print_run(game: Game, seed: str | None, kind: str | None, options: Mapping[str, str], size: int) -> list[SetCode]:
    """The codes of a new print run of this many sets."""
    first = games.new_code(game, seed, draw_name=kind, options={**options, "run": "yes"})
    return games.random_sets(game).run(game, first, size)


def _drawn(game: Game, draw: Draw, components: list[str]) -> SetCode:
    """The code of a new set; of several kinds, the first that changes a named component."""
    kinds = [draw.kind] if draw.kind or not components else list(game.draws)
    for kind in kinds or [None]:
        try:
            code = games.new_code(game, draw.seed, draw_name=kind, options=draw.options)
        except InputError:
            if len(kinds) < 2:
                raise
            continue
        if len(kinds) < 2 or set(components) & set(games.deal(game, code).changes(game)):
            return code
    return games.new_code(game, draw.seed, draw_name=draw.kind, options=draw.options)
