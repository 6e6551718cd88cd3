"""What is printed or exported: the games, components and sets that the words and codes of a command name."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct, field

from .. import games, nodes, paths
from ..draws import SetCode, draw_kinds, parse
from ..draws.deck import Deck
from ..errors import InputError, Place, Problem, did_you_mean, fault, listed, shortened
from ..model.game import Game
from ..reading.load import is_game, load, shipped
from ..reading.table_game import DEFAULT_LOOK, TableLook

Chosen = tuple[Game, Deck]
_CODE = re.compile(r"[A-Za-z]{2}-\S+$")


class RandomDraw(Struct, frozen=True):
    """A random set to draw, or a print `run` of this many sets. Without a seed it is new every time; without a kind,
    the first that fits is drawn."""

    seed: str | None
    kind: str | None
    options: Mapping[str, str]
    run: int | None = None


class Selection(Struct):
    """The `chosen` games with their decks, one per set, the named `components`, and the `problems` of games and
    components that cannot be read while others can."""

    chosen: list[Chosen] = field(default_factory=list)
    components: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)


def chosen_sets(
    words: Sequence[str],
    sets: Sequence[str] = (),
    draw: RandomDraw | None = None,
    *,
    look: TableLook = DEFAULT_LOOK,
    trust_code: bool = False,
) -> Selection:
    """What the words select: a game, then components and further games. If no game is named, the set codes decide.
    Raises InputError."""
    codes = _codes(sets)
    if codes and not (words and is_game(words[0])):
        parsed = list(map(parse, codes))
        owners: dict[str, Game] = {}
        for code in parsed:
            if code.prefix not in owners:
                owners[code.prefix] = draw_kinds.game_of(code)
        dealt = _dealt((game, code) for prefix, game in owners.items() for code in parsed if code.prefix == prefix)
        return Selection(dealt, tuple(words))
    loaded, components, problems = _named(words, look, trust_code)
    if not loaded:
        raise InputError(problems)
    if len(loaded) > 1:
        _refuse_unclear(loaded, codes)
    dealt = _dealt(
        (game, code)
        for game in loaded
        for code in _sets_of(
            game, [code for code in codes if len(loaded) == 1 or _belongs(code, game)], draw, components
        )
        if code or not codes
    )
    return Selection(dealt, tuple(components), problems)


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


def _named(words: Sequence[str], look: TableLook, trust_code: bool) -> tuple[list[Game], list[str], list[Problem]]:
    """The games and the components that the words name, and the problems of the games. The first word is a game."""
    loaded: list[Game] = []
    problems: list[Problem] = []
    components: list[str] = []
    for place, word in enumerate(words):
        parts = dict.fromkeys(part for game in loaded for part in game.components)
        if place and word not in shipped() and word in parts:
            components.append(word)
        elif is_game(word):
            try:
                loaded.append(game := load(word, look, trust_code, partial=True))
                problems += game.problems
            except InputError as error:
                problems += error.problems
        elif not place or paths.is_file(Path(word)):
            _refuse_component_first(word)
            load(word, look)  # raises InputError
        elif problems:  # the word may name a component of a game that cannot be read
            raise InputError(problems)
        else:
            hint = did_you_mean(word, [*parts, *shipped()]) or f"known: {', '.join(parts)}"
            raise fault(f"there is no game, folder or component “{shortened(word)}”", hint=hint)
    return loaded, components, problems


def _refuse_component_first(word: str) -> None:
    """Raises InputError if the word is the name of a component, with an example that names its game too."""
    for key in shipped():
        if word in load(key).components:
            hint = f"name the game first, for example: pencilbox make {key} {word}"
            raise fault(f"“{word}” is a component, not a game", hint=hint)


def refuse_unknown(games_: Iterable[Game], components: Iterable[str]) -> None:
    """Raises InputError for components that none of the games has."""
    names = list(dict.fromkeys(name for game in games_ for name in game.components))
    problems = [
        Problem(f"there is no component “{shortened(name)}”", hint=did_you_mean(name, names))
        for name in components
        if name not in names
    ]
    if problems:
        raise InputError(problems)


# ---- sets


def _codes(texts: Iterable[str]) -> list[str]:
    """The codes among the texts and in the files among them, each once. Raises InputError with every invalid one and
    its line. A file may hold anything that `randomise -o` writes: only lines that begin like a code count."""
    codes: dict[str, None] = {}
    problems: list[Problem] = []
    for text in texts:
        if not paths.is_file(Path(text)):
            codes[text] = None
            continue
        lines = nodes.read_text(Path(text), text).splitlines()
        typed = {number: line.strip() for number, line in enumerate(lines, start=1) if _CODE.match(line.strip())}
        if not typed:
            hint = "“pencilbox randomise GAME -o FILE” writes one on each line"
            problems.append(Problem("contains no set codes", Place(text), hint))
        for number, word in typed.items():
            try:
                codes[str(parse(word, place=Place(text, number)))] = None
            except InputError as error:
                problems += error.problems
    if problems:
        raise InputError(problems)
    return list(codes)


def _belongs(code: str, game: Game) -> bool:
    return parse(code).prefix == game.definition.prefix


def _refuse_unclear(games_: list[Game], codes: list[str]) -> None:
    """Raises InputError for the codes that belong to none or to several of the games."""
    problems = []
    for code in codes:
        owners = {game.folder: game.title for game in games_ if _belongs(code, game)}
        if len(owners) > 1:
            message = f"may belong to each of {listed(owners.values())}: their codes begin with the same letters"
            hint = "print these games one at a time, or give one of them another “prefix”"
            problems.append(Problem(f"the set code {code} {message}", hint=hint))
        if not owners:
            prefixes = listed(dict.fromkeys(game.definition.prefix for game in games_ if game.definition.prefix))
            message = f"the set code {code} belongs to none of these games"
            problems.append(Problem(message, hint=f"their codes begin with {prefixes}"))
    if problems:
        raise InputError(problems)


def _sets_of(game: Game, codes: list[str], draw: RandomDraw | None, components: list[str]) -> Iterator[SetCode | None]:
    """The sets to print: those of the codes, a new one, or the standard set."""
    if draw and draw.run:
        yield from print_run(game, draw.seed, draw.kind, draw.options, size=draw.run)
    elif draw:
        yield _drawn(game, draw, components)
    elif codes:
        yield from (parse(code, prefix=game.definition.prefix) for code in codes)
    else:
        yield None


def print_run(game: Game, seed: str | None, kind: str | None, options: Mapping[str, str], size: int) -> list[SetCode]:
    """The codes of a new print run of this many sets."""
    first = games.new_code(game, seed, draw_name=kind, options={**options, "run": "yes"})
    return games.random_sets(game).run(game, first, size)


def _drawn(game: Game, draw: RandomDraw, components: list[str]) -> SetCode:
    """The code of a new set; of several kinds, the first that changes a named component."""
    kinds = [draw.kind] if draw.kind or not components else list(game.draws)
    for kind in kinds if len(kinds) > 1 else ():
        try:
            code = games.new_code(game, draw.seed, draw_name=kind, options=draw.options)
        except InputError:
            continue
        if {*components} & {*games.deal(game, code).changes(game)}:
            return code
    return games.new_code(game, draw.seed, draw_name=draw.kind, options=draw.options)
