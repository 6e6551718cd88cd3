"""Recipes of letter dice and of throw strips: reading and checking what sets.yaml says of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any

from ...definitions.models import Card, Game
from ...errors import InputError, Problem, did_you_mean, fault
from ..draws import place, recipes

SIDES = 6
_CUBES = ("kind", "language", "colours", "vowels", "wildcards", "rare", "most", "frequencies")
_STRIP = ("kind", "throws", "dice")


@dataclass(frozen=True)
class CubesRecipe:
    """What drawn dice must be like; made of tuples, so that dice drawn by it can be cached.

    `vowel_faces` says how many vowels each die of a colour shows, `wildcards` which ones the dice of a colour show; the
    die of `rare_colour` shows six letters of `rare`, and the same consonant is on `most` other dice at most. `share` of
    the words in the list `words` can be laid; without a list nothing is asked of words."""

    id: str
    language: str
    colours: tuple[tuple[str, int], ...]
    vowels: tuple[str, ...]
    vowel_faces: tuple[tuple[str, int], ...]
    wildcards: tuple[tuple[str, tuple[str, ...]], ...]
    rare: tuple[str, ...]
    rare_colour: str
    most: int
    frequencies: tuple[tuple[str, float], ...]
    words: str = ""
    share: float = 0.0

    @cached_property
    def frequency(self) -> Mapping[str, float]:
        return dict(self.frequencies)

    @cached_property
    def plain_faces(self) -> int:
        """How many faces are left for consonants when vowels, wildcards and the rare letters have theirs."""
        vowels, wildcards = dict(self.vowel_faces), dict(self.wildcards)
        taken = {colour: vowels.get(colour, 0) * count + len(wildcards.get(colour, ()))
                 for colour, count in self.colours}
        return sum(SIDES * count - taken[colour] for colour, count in self.colours if colour != self.rare_colour)


@dataclass(frozen=True, slots=True)
class StripRecipe:
    """A strip of so many throws: of these `dice` or, where there are none, of those that the code with the same seed
    and the recipe `cubes` names."""

    id: str
    throws: int
    dice: tuple[Card, ...] = ()
    cubes: str = ""


def cubes_recipe(game: Game, name: str) -> CubesRecipe:
    """The recipe of letter dice with this id; raises InputError with what is wrong with it."""
    given = _given(game, name, _CUBES, ("words",))
    _refuse(game, name, _wrong_cubes(given))
    words = given.get("words") or {"list": "", "share": 0.0}
    recipe = CubesRecipe(
        name, given["language"], _pairs(given["colours"]), given["vowels"]["letters"], _pairs(given["vowels"]["faces"]),
        _pairs(given["wildcards"]), given["rare"]["letters"], given["rare"]["colour"], given["most"],
        _pairs(given["frequencies"]), words["list"], float(words["share"]))
    _refuse(game, name, _cannot_be_drawn(recipe))
    return recipe


def _pairs(given: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(given.items())


def strip_recipe(game: Game, name: str) -> StripRecipe:
    """The recipe of a strip with this id; raises InputError with what is wrong with it."""
    given = _given(game, name, _STRIP)
    _refuse(game, name, _wrong_strip(given))
    if isinstance(given["dice"], str):
        return StripRecipe(name, given["throws"], cubes=given["dice"])
    dice = tuple(die(name, colour_of(name), faces) for name, faces in given["dice"].items())
    return StripRecipe(name, given["throws"], dice)


def die(name: str, colour: str, faces: tuple[str, ...]) -> Card:
    """A die, such as `red-1`."""
    return Card(name, MappingProxyType({"colour": colour, "faces": faces}))


def colour_of(name: str) -> str:
    """`light-blue-1` is light blue."""
    return name.rpartition("-")[0]


# ---- what is wrong with a recipe ------------------------------------------------------------------------------------

def _given(game: Game, name: str, keys: tuple[str, ...], also: tuple[str, ...] = ()) -> Mapping[str, Any]:
    known = recipes(game)
    if name not in known:
        raise fault(f"{game.title} has no recipe “{name}”", place(game, "recipes"), did_you_mean(name, known))
    given = known[name]
    if not isinstance(given, Mapping) or not set(keys) <= set(given) <= {*keys, *also}:
        _refuse(game, name, [f"it must be a mapping of {', '.join(keys)}"])
    return given  # type: ignore[return-value]


def _refuse(game: Game, name: str, wrong: Iterator[str] | list[str]) -> None:
    problems = [Problem(f"recipe “{name}”: {one}", place(game, "recipes", name)) for one in wrong]
    if problems:
        raise InputError(problems)


def _wrong_cubes(given: Mapping[str, Any]) -> Iterator[str]:
    if given["kind"] != "R":
        yield "its kind must be R"
    if not isinstance(given["colours"], Mapping) or not all(map(_counts, given["colours"].values())):
        yield "“colours” must be a mapping of colours and their numbers of dice"
    for key, inside in (("vowels", ("letters", "faces")), ("rare", ("letters", "colour"))):
        if not isinstance(given[key], Mapping) or set(given[key]) != set(inside):
            yield f"“{key}” must be a mapping of {' and '.join(inside)}"
    if not isinstance(given["frequencies"], Mapping) or not all(map(_is_share, given["frequencies"].values())):
        yield "“frequencies” must be a mapping of letters and their per cent"
    if not _counts(given["most"]):
        yield "“most” must be a whole number above nothing"
    words = given.get("words", {"list": "", "share": 0.0})
    if not isinstance(words, Mapping) or set(words) != {"list", "share"} or not 0 <= words["share"] <= 1:
        yield "“words” must be a mapping of a list and a share from 0 to 1"


def _cannot_be_drawn(recipe: CubesRecipe) -> Iterator[str]:
    strange = [letter for letter in (*recipe.vowels, *recipe.rare) if letter not in recipe.frequency]
    if strange:
        yield f"“frequencies” says nothing of {', '.join(strange)}"
    if dict(recipe.colours).get(recipe.rare_colour) != 1 or len(recipe.rare) < SIDES:
        yield f"“rare” must be one die and {SIDES} letters or more"
        return
    others = len(recipe.frequencies) - len(recipe.vowels) - SIDES
    if not others <= recipe.plain_faces <= others * recipe.most:
        yield f"{recipe.plain_faces} faces are left for {others} consonants, each at most {recipe.most} times"


def _wrong_strip(given: Mapping[str, Any]) -> Iterator[str]:
    if given["kind"] != "S":
        yield "its kind must be S"
    if not _counts(given["throws"]):
        yield "“throws” must be a whole number above nothing"
    if not isinstance(given["dice"], (str, Mapping)):
        yield "“dice” must be a mapping of dice and their faces, or the id of a recipe of dice"
    elif not isinstance(given["dice"], str):
        yield from (f"die {name} has {len(faces)} faces" for name, faces in given["dice"].items()
                    if len(faces) != SIDES)


def _counts(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and number > 0


def _is_share(number: object) -> bool:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and number > 0
