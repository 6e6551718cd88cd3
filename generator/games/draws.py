"""What can be drawn of a game at random, the options each draw takes, and the recipe they come to.

sets.yaml says it under `draws`; an option is encoded in a code by the recipe that is for it, and by nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ..codes import KINDS, SetCode, draw
from ..definitions.load import load, shipped
from ..definitions.models import DrawFile, Game
from ..definitions.nodes import place_at
from ..definitions.values import Empty
from ..errors import InputError, Place, Problem, did_you_mean, fault
from ..paths import DATA, shown

_PREFIX = re.compile(r"^prefix: ([A-Z]{2})", re.MULTILINE)

Options = Mapping[str, str]
"""What is wanted of a draw: values by the names of its options."""

NONE: Options = Empty

Mistake: TypeAlias = tuple[Sequence[str | int], str]
"""What is wrong with a recipe: the path to it inside the recipe, and a message."""


def new_code(
    game: Game, seed_text: str | None, index: int = 0, what: str | None = None, options: Options = NONE
) -> SetCode:
    """The code of a new random set: from a seed text always the same one for each index, without a text by chance.

    `what` names what is drawn (without it the first that the game has); raises InputError for what it has not, and for
    an option or a value that it does not take."""
    name = chosen(game, what, options)
    return draw(game.definition.prefix, game.draws[name].kind, recipe(game, name, options), seed_text, index)


def chosen(game: Game, what: str | None, options: Options = NONE) -> str:
    """What is drawn: the draw of this name or, without one, the first that takes the options, or the first."""
    if not game.draws:
        raise fault(f"{game.title} has no random sets")
    if what is None:
        return next(
            (name for name, about in game.draws.items() if set(options) <= set(takes(game, about))),
            next(iter(game.draws)),
        )
    if what not in game.draws:
        raise fault(f"{game.title} draws no “{what}”", None, did_you_mean(what, game.draws))
    return what


def takes(game: Game, about: DrawFile) -> Mapping[str, tuple[str, ...]]:
    """The options of a draw and the values each may have, in the order of its recipes; numbers in their own."""
    found: dict[str, dict[str, None]] = {}
    for options in about.recipes.values():
        for option, values in options.items():
            found.setdefault(option, {}).update(dict.fromkeys(values))
    return {
        option: tuple(sorted(values, key=int) if all(map(str.isdecimal, values)) else values)
        for option, values in found.items()
    }


def default(game: Game, about: DrawFile) -> str:
    """The recipe of a draw when nothing is asked for."""
    return about.default or next(
        (name for name in (str(game.sets.get("default")),) if name in about.recipes), next(iter(about.recipes))
    )


def recipe(game: Game, what: str, options: Options = NONE) -> str:
    """The recipe for these options; of several the one that is most like the default. Raises InputError."""
    about = game.draws[what]
    known = takes(game, about)
    for option, value in options.items():
        if option not in known:
            raise fault(f"there is no {flag(option)} for the {what} of {game.title}", None, _told(known))
        if value not in known[option]:
            raise fault(
                f"the {what} of {game.title} cannot be drawn with {flag(option, value)}",
                None,
                did_you_mean(value, known[option]) or _told(known),
            )
    usual = about.recipes[default(game, about)]
    fitting = [
        name
        for name, given in about.recipes.items()
        if all(value in given.get(option, ()) for option, value in options.items())
    ]
    if not fitting:
        asked = " ".join(flag(option, value) for option, value in options.items())
        raise fault(f"the {what} of {game.title} cannot be drawn with {asked} together")
    return max(fitting, key=lambda name: _likeness(about.recipes[name], usual, options))


def _likeness(
    given: Mapping[str, tuple[str, ...]], usual: Mapping[str, tuple[str, ...]], options: Options
) -> tuple[int, bool]:
    """How many of the options that nobody asked for are the usual ones; the usual recipe itself before all others."""
    free = {*given, *usual} - set(options)
    return sum(given.get(option) == usual.get(option) for option in free), given is usual


def _told(known: Mapping[str, tuple[str, ...]]) -> str:
    if not known:
        return "it takes none"
    return "known: " + ", ".join(flag(option, "|".join(values)) for option, values in known.items())


def flag(option: str, value: str = "yes") -> str:
    """An option of sets.yaml, and its value, as they are typed on the command line."""
    name = {"each": "--per-player", "run": "--print-run"}.get(option, f"--{option}")
    return name if value == "yes" else f"{name} {value}"


# ---- codes --------------------------------------------------------------------------------------------------------


def game_of(code: SetCode, place: Place | None = None) -> Game:
    """The shipped game whose codes begin as this one does; raises InputError for a code of none of them."""
    known = {
        found[1]: key
        for key in shipped()
        if (found := _PREFIX.search((DATA / key / "game.yaml").read_text(encoding="utf-8")))
    }
    if code.prefix not in known:
        raise fault(
            f"no shipped game has set codes that begin with {code.prefix}",
            place,
            f"known: {', '.join(sorted(known))}; for your own game, name its folder",
        )
    return load(known[code.prefix])


def drawn(game: Game, code: SetCode) -> str:
    """Which draw of the game a code comes from; raises InputError for a code of another game, kind or recipe."""
    kinds = dict.fromkeys(about.kind for about in game.draws.values())
    refuse_foreign(game, code, *kinds)
    found = [name for name, about in game.draws.items() if about.kind == code.kind and code.recipe in about.recipes]
    if not found:
        known = [recipe for about in game.draws.values() if about.kind == code.kind for recipe in about.recipes]
        raise fault(
            f"{game.title} has no recipe “{code.recipe}” for a {KINDS[code.kind]}",
            place(game),
            did_you_mean(code.recipe, known),
        )
    return found[0]


def refuse_foreign(game: Game, code: SetCode, *kinds: str) -> None:
    """Raises InputError for a code of another game, or of none of these kinds."""
    if code.prefix != game.definition.prefix:
        raise fault(
            f"the set code {code} is not one of {game.title}", hint=f"its codes begin with {game.definition.prefix}"
        )
    if code.kind not in kinds:
        having = " and ".join(f"{KINDS[kind]}{'s' * (not KINDS[kind].endswith('dice'))}" for kind in kinds)
        raise fault(f"the set code {code} names a {KINDS[code.kind]}; {game.title} has only {having}")


# ---- the file -----------------------------------------------------------------------------------------------------


def recipes(game: Game) -> Mapping[str, object]:
    """The recipes of sets.yaml by their ids; none where it has none."""
    found = game.sets.get("recipes")
    return found if isinstance(found, Mapping) else {}


def refuse_mistakes(game: Game, name: str, mistakes: Iterable[Mistake]) -> None:
    """Raises InputError with every mistake in the recipe of this name, if there are any."""
    problems = [
        Problem(f"recipe “{name}”: {message}", place(game, "recipes", name, *path)) for path, message in mistakes
    ]
    if problems:
        raise InputError(problems)


def is_positive(value: object) -> bool:
    """Whether a value of a recipe is a positive integer."""
    return isinstance(value, int) and not isinstance(value, bool) and value > 0


def place(game: Game, *path: str | int) -> Place:
    """Where sets.yaml says what lies at this path, such as `"recipes", "01", "cards", 3`."""
    file = Place(shown(game.folder / (game.definition.sets or "game.yaml")))
    found = place_at(game.sets_file, path)
    return replace(file, line=found.line) if found else file
