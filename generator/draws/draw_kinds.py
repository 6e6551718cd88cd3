"""The random draws of a game, their options, and the recipe that a choice of options selects.

The draws are listed under `draws` in sets.yaml. A set code contains only the id of the recipe, not the options.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, TypeAlias, TypeVar

from msgspec.structs import replace

from ..errors import MAX_NAMES, InputError, Place, Problem, did_you_mean, fault, refuse
from ..model.draws import FINGERPRINT_BITS, OwnDraw, Plan, flag
from ..model.game import DrawFile, Game
from ..model.values import Empty
from ..nodes import place_at
from ..paths import display_path
from ..reading.load import load, shipped_prefixes
from ..reading.typed import read
from . import KINDS, SetCode, draw, plural
from .setcode import SEED_BITS

T = TypeVar("T")
Options = Mapping[str, str]
"""The chosen values of a draw, by option."""

NONE: Options = Empty
# The bits of a seed that are left to chance in a code of your own game. The others are the fingerprint of its draw.
_FREE_BITS = SEED_BITS - FINGERPRINT_BITS

Mistake: TypeAlias = tuple[Sequence[str | int], str]
"""A mistake in a recipe: the path inside the recipe, and a message."""


def new_code(
    game: Game, seed_text: str | None, index: int = 0, draw_name: str | None = None, options: Options = NONE
) -> SetCode:
    """The code of a new random set. It is always the same for a seed text and an index, and random without a text.

    `draw_name` is the name of a draw (by default, the first one of the game). Raises InputError for an unknown draw,
    option or value."""
    name = choose_draw(game, draw_name, options)
    code = draw(game.definition.prefix, game.draws[name].kind, recipe(game, name, options), seed_text, index)
    if name not in game.own_draws:
        return code
    plan = next(plan for plan in game.own_draws[name].plans if plan.recipe == code.recipe)
    if plan.fingerprint is None:
        return code
    return replace(code, seed=plan.fingerprint << _FREE_BITS | code.seed % (1 << _FREE_BITS))


def choose_draw(game: Game, draw_name: str | None, options: Options = NONE) -> str:
    """The name of a draw: `draw_name` or, without it, the first draw that takes the options, or the first one."""
    if not game.draws:
        raise fault(f"{game.title} has no random sets")
    if draw_name is None:
        return next(
            (name for name, definition in game.draws.items() if set(options) <= set(options_of(game, definition))),
            next(iter(game.draws)),
        )
    if draw_name not in game.draws:
        raise fault(f"{game.title} has no kind of random set “{draw_name}”", None, kinds_hint(game))
    return draw_name


def kinds_hint(game: Game) -> str:
    """A hint that lists the kinds of random sets of a game, and what each of them is."""
    kinds = [f"{name} ({draw.about})" if draw.about else name for name, draw in islice(game.draws.items(), MAX_NAMES)]
    more = len(game.draws) - len(kinds)
    return f"known: {', '.join(kinds)}" + (f" and {more} more" if more else "")


def options_of(game: Game, definition: DrawFile) -> Mapping[str, tuple[str, ...]]:
    """The options of a draw with their possible values, in the order of its recipes; numbers in ascending order."""
    all_values: dict[str, dict[str, None]] = {}
    for options in definition.recipes.values():
        for option, values in options.items():
            all_values.setdefault(option, {}).update(dict.fromkeys(values))
    return {
        option: tuple(sorted(values, key=int) if all(map(str.isdecimal, values)) else values)
        for option, values in all_values.items()
    }


def default_recipe(game: Game, definition: DrawFile) -> str:
    """The recipe of a draw without options."""
    return definition.default or next(
        (name for name in (str(game.sets.get("default")),) if name in definition.recipes),
        next(iter(definition.recipes)),
    )


def recipe(game: Game, draw_name: str, options: Options = NONE) -> str:
    """The recipe for these options; if there are several, the one closest to the default. Raises InputError."""
    definition = game.draws[draw_name]
    choices = options_of(game, definition)
    for option, value in options.items():
        if option not in choices:
            raise fault(
                f"{flag(option)} does not apply to the {draw_name} of {game.title}", None, _options_hint(choices)
            )
        if value not in choices[option]:
            raise fault(
                f"the {draw_name} of {game.title} cannot be drawn with {flag(option, value)}",
                None,
                did_you_mean(value, choices[option]) or _options_hint(choices),
            )
    default_values = definition.recipes[default_recipe(game, definition)]
    matching = [
        name
        for name, values in definition.recipes.items()
        if all(value in values.get(option, ()) for option, value in options.items())
    ]
    if not matching:
        chosen_flags = " ".join(flag(option, value) for option, value in options.items())
        raise fault(f"the {draw_name} of {game.title} cannot be drawn with {chosen_flags} together")
    return max(matching, key=lambda name: _likeness(definition.recipes[name], default_values, options))


def _likeness(
    values: Mapping[str, tuple[str, ...]], default_values: Mapping[str, tuple[str, ...]], options: Options
) -> tuple[int, bool]:
    """How many options that were not chosen have their default values, and whether this is the default recipe."""
    free = {*values, *default_values} - set(options)
    return sum(values.get(option) == default_values.get(option) for option in free), values is default_values


def _options_hint(choices: Mapping[str, tuple[str, ...]]) -> str:
    if not choices:
        return "it has no options"
    return "known: " + ", ".join(flag(option, "|".join(values)) for option, values in choices.items())


# ---- codes --------------------------------------------------------------------------------------------------------


def game_of(code: SetCode, place: Place | None = None) -> Game:
    """The shipped game with the prefix of this code. Raises InputError if there is none."""
    keys = shipped_prefixes()
    if code.prefix not in keys:
        raise fault(
            f"no shipped game has set codes that begin with {code.prefix}",
            place,
            f"known: {', '.join(sorted(keys))}; for your own game, name its folder",
        )
    return load(keys[code.prefix])


def draw_of(game: Game, code: SetCode, at: Place | None = None) -> str:
    """The draw that a code comes from. Raises InputError, with the place `at`, for a code of another game, kind or
    recipe, or of a draw that has changed since."""
    has_fingerprints = any(plan.fingerprint is not None for draw in game.own_draws.values() for plan in draw.plans)
    refuse_foreign(game, code, *(KINDS if has_fingerprints else [draw.kind for draw in game.draws.values()]))
    alike = [name for name, definition in game.draws.items() if definition.kind == code.kind]
    same_recipe = [name for name in alike if code.recipe in game.draws[name].recipes]
    if not has_fingerprints and not same_recipe:
        recipes = [recipe for name in alike for recipe in game.draws[name].recipes]
        raise fault(
            f"{game.title} has no recipe “{code.recipe}” for a {KINDS[code.kind]}",
            at,
            did_you_mean(code.recipe, recipes),
        )
    names = [name for name, draw in game.own_draws.items() if _plan(draw, code)] if has_fingerprints else same_recipe
    if not names:
        quoted = " or ".join(f"“{name}”" for name in (same_recipe or alike)[:3])
        version = f"another version of {f'draw {quoted} of ' if alike else ''}{game.title}"
        raise fault(
            f"the set code {code} was drawn from {version}",
            at,
            "its cards or its draw in game.yaml have changed since; put the former draw back, under any name",
        )
    return names[0]


def own_draw_of(game: Game, code: SetCode, at: Place | None = None) -> tuple[OwnDraw, Plan]:
    """The draw of game.yaml that a code comes from. Raises InputError as `draw_of` does."""
    draw = game.own_draws[draw_of(game, code, at)]
    plan = _plan(draw, code)
    assert plan
    return draw, plan


def _plan(draw: OwnDraw, code: SetCode) -> Plan | None:
    """The plan of a draw that a code names, by its recipe or its fingerprint."""
    for plan in draw.plans:
        is_named = code.recipe == plan.recipe and code.kind == draw.letter
        if plan.fingerprint == code.seed >> _FREE_BITS or (plan.fingerprint is None and is_named):
            return plan
    return None


def options_of_code(game: Game, code: SetCode) -> Mapping[str, tuple[str, ...]]:
    """The options that a code was drawn with."""
    recipe = own_draw_of(game, code)[1].recipe if game.own_draws else code.recipe
    return game.draws[draw_of(game, code)].recipes[recipe]


def refuse_foreign(game: Game, code: SetCode, *kinds: str) -> None:
    """Raises InputError for a code of another game or kind."""
    if code.prefix != game.definition.prefix:
        raise fault(
            f"the set code {code} does not belong to {game.title}",
            hint=f"its codes begin with {game.definition.prefix}",
        )
    if code.kind not in kinds:
        allowed = " and ".join(map(plural, kinds))
        raise fault(f"the set code {code} is for {plural(code.kind)}, but {game.title} only has {allowed}")


# ---- the file -----------------------------------------------------------------------------------------------------


def recipes(game: Game) -> Mapping[str, object]:
    """The recipes of sets.yaml by id."""
    definitions = game.sets.get("recipes")
    return definitions if isinstance(definitions, Mapping) else {}


def read_recipe(game: Game, name: str, kind: type[T]) -> T:
    """The recipe with this id, read as a record of this type. Raises InputError with every problem in it, or if there
    is none."""
    if name not in recipes(game):
        raise fault(f"{game.title} has no recipe “{name}”", place(game, "recipes"), did_you_mean(name, recipes(game)))
    file: Any = game.sets_file
    try:
        return read(file["recipes"][name], kind)
    except InputError as error:
        raise InputError(
            replace(problem, message=f"recipe “{name}”: {problem.message}") for problem in error.problems
        ) from None


def refuse_mistakes(game: Game, name: str, mistakes: Iterable[Mistake]) -> None:
    """Raises InputError with all mistakes in a recipe, if there are any."""
    problems = [
        Problem(f"recipe “{name}”: {message}", place(game, "recipes", name, *path)) for path, message in mistakes
    ]
    refuse(problems)


def place(game: Game, *path: str | int) -> Place:
    """The place in sets.yaml of a path such as `"recipes", "01", "cards", 3`."""
    file = Place(display_path(game.folder / (game.definition.sets or "game.yaml")))
    exact = place_at(game.sets_file, path)
    return replace(file, line=exact.line) if exact else file
