"""Random sets: letter dice (kind R) and throw strips (kind S).

A strip is either for the standard dice, which its recipe lists, or for dice drawn for a language. The latter have the
seed of the strip but a separate recipe, and are printed with the strip.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import ceil, floor
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, parse
from ...codes.chance import Chance
from ...codes.setcode import SEED_BITS
from ...definitions.models import Card, Component, Game
from ...errors import InputError, Problem, did_you_mean, fault
from ...fast_dataclasses import dataclass
from ...lazy import cached_property
from ..deck import Deck, RandomSets, standard_cards
from ..draws import place, recipes, refuse_foreign
from . import constraints
from .dice import Faces, Throw, faces_of, throw_dice
from .search import share_layable
from .wordlist import WordList, bundled

CUBES, STRIP = "R", "S"
DICE_PART, STRIP_PART = "dice", "strip"
THROWS_ON_A_PAGE = 12
SIDES = 6
MAX_COUNT = 1000
"""Limit on the numbers of a recipe: dice of a colour, throws of a strip."""

_CUBES_KEYS = ("kind", "language", "colours", "vowels", "wildcards", "rare", "most", "frequencies")
_STRIP_KEYS = ("kind", "throws", "dice")


class RollingCubesSets(RandomSets):
    """Letter dice and throw strips."""

    def deal(self, game: Game, code: SetCode) -> Deck:
        """The dice, or the pages of the strip and its dice, in place of the game's own components."""
        refuse_foreign(game, code, CUBES, STRIP)
        if code.kind == CUBES:
            parts = {DICE_PART: _coded_dice(game, dice(game, code), str(code))}
            return Deck(MappingProxyType(standard_cards(game)), str(code), MappingProxyType(parts))
        throw_strip = strip(game, code)
        parts = {STRIP_PART: replace(game.components[STRIP_PART], cards=_pages(throw_strip))}
        if throw_strip.cubes:
            parts[DICE_PART] = _coded_dice(game, throw_strip.dice, throw_strip.cubes)
        return Deck(MappingProxyType(standard_cards(game)), str(code), MappingProxyType(parts), STRIP_PART)

    def data(self, game: Game, deck: Deck) -> Any:
        """For dice, their faces and the codes of their strips; for a strip, its throws by colour."""
        code = parse(deck.code or "")
        if code.kind == CUBES:
            return {"faces": {die.id: list(die.faces) for die in dice(game, code)}, "strips": strips_of(game, code)}
        throw_strip = strip(game, code)
        return {
            **({"dice": throw_strip.cubes} if throw_strip.cubes else {}),
            "throws": [dict(throw.letters) for throw in throw_strip.throws],
        }

    def lines(self, game: Game, deck: Deck) -> list[str]:
        """For dice, one row per die; for a strip, one row per throw."""
        code = parse(deck.code or "")
        if code.kind == CUBES:
            strips = [f"{strip_code} ({count} throws)" for count, strip_code in strips_of(game, code).items()]
            return [
                *(f"{die.id:<13} {' '.join(die.faces)}" for die in dice(game, code)),
                f"strips of throws with these dice: {', '.join(strips)}",
            ]
        throw_strip = strip(game, code)
        heading = ("throw", *(colour.replace("-", " ") for colour in throw_strip.throws[0].letters))
        rows = [
            (f"{number:>5}", *map(" ".join, throw.letters.values()))
            for number, throw in enumerate(throw_strip.throws, 1)
        ]
        widths = [max(map(len, column)) for column in zip(heading, *rows, strict=True)]
        lines = [
            "   ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
            for row in (heading, *rows)
        ]
        return [f"with the dice {throw_strip.cubes}", *lines] if throw_strip.cubes else lines

    def unmet_constraints(self, game: Game, deck: Deck, code: SetCode) -> list[str]:
        return constraints.unmet_constraints(game, deck, code)


def _coded_dice(game: Game, dice: Sequence[Card], code: str) -> Component:
    """The dice as a component; each has the code to print on it."""
    coded = tuple(replace(die, values=MappingProxyType({**die.values, "code": code})) for die in dice)
    return replace(game.components[DICE_PART], cards=coded)


def _pages(strip: Strip) -> tuple[Card, ...]:
    """The pages of a strip as cards with numbered throws, by colour."""
    starts = range(0, len(strip.throws), THROWS_ON_A_PAGE)
    return tuple(
        Card(
            str(number),
            MappingProxyType(
                {
                    "throws": tuple(
                        (first + n + 1, tuple(throw.letters.items()))
                        for n, throw in enumerate(strip.throws[first : first + THROWS_ON_A_PAGE])
                    ),
                    "page": number,
                    "pages": len(starts),
                    "count": len(strip.throws),
                    "cubes": strip.cubes,
                }
            ),
        )
        for number, first in enumerate(starts, 1)
    )


# ---- throw strips ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Strip:
    """The throws of a strip, the first with number 1, and its dice. `cubes` is the code of the dice, empty for the
    standard dice."""

    throws: tuple[Throw, ...]
    dice: tuple[Card, ...]
    cubes: str = ""


def strip(game: Game, code: SetCode) -> Strip:
    """The strip of a code; raises InputError as `deal` does."""
    refuse_foreign(game, code, STRIP)
    recipe = strip_recipe(game, code.recipe)
    if not recipe.cubes:
        return Strip(strip_throws(code.seed, recipe.throws, faces_of(recipe.dice)), recipe.dice)
    cubes = SetCode(code.prefix, code.version, CUBES, recipe.cubes, code.seed)
    drawn_dice = dice(game, cubes)
    return Strip(strip_throws(code.seed, recipe.throws, faces_of(drawn_dice)), drawn_dice, str(cubes))


@lru_cache(64)
def strip_throws(seed: int, count: int, dice: Faces) -> tuple[Throw, ...]:
    """The throws of a strip. A longer strip with the same seed starts with the throws of a shorter one."""
    chance = Chance(seed + (1 << SEED_BITS))  # a different seed from the one that draws the dice
    return tuple(throw_dice(dice, chance) for _ in range(count))


def language(game: Game, code: SetCode) -> str:
    """The language of the dice of a code; empty for the standard dice."""
    refuse_foreign(game, code, CUBES, STRIP)
    cubes = code.recipe if code.kind == CUBES else strip_recipe(game, code.recipe).cubes
    return cubes_recipe(game, cubes).language if cubes else ""


def strips_of(game: Game, code: SetCode) -> dict[int, str]:
    """The codes of the strips for the dice of a code, by number of throws."""
    strips = [strip_recipe(game, name) for draw in game.draws.values() if draw.kind == STRIP for name in draw.recipes]
    return {
        recipe.throws: str(SetCode(code.prefix, code.version, STRIP, recipe.id, code.seed))
        for recipe in strips
        if recipe.cubes == code.recipe
    }


# ---- letter dice ----------------------------------------------------------------------------------------------------
#
# Faces are drawn by a recipe until the dice can lay enough words. The colours keep their roles: red dice show vowels,
# the purple die rare letters, and wildcards are where the recipe puts them. The other faces are divided among the
# consonants by frequency, each within one of its fair share, and no die shows a consonant twice.

MAX_TRIES = 500
_GRAINS = 100
"""The unit of frequencies when drawing: hundredths of a per cent."""

DrawnFaces = dict[str, list[str]]
"""The faces of each die so far, by its name."""


def dice(game: Game, code: SetCode) -> tuple[Card, ...]:
    """The dice of a code; raises InputError as `deal` does."""
    refuse_foreign(game, code, CUBES)
    recipe = cubes_recipe(game, code.recipe)
    return _draw_dice(recipe, code.seed, bundled(game.folder / recipe.words) if recipe.words else None)


@lru_cache(64)
def _draw_dice(recipe: CubesRecipe, seed: int, words: WordList | None) -> tuple[Card, ...]:
    """Dice that meet the recipe; raises InputError after `MAX_TRIES` tries."""
    chance = Chance(seed)
    for _ in range(MAX_TRIES):
        dice = _draw_candidate(recipe, chance)
        if words is None or share_layable([die.faces for die in dice], words) >= recipe.share:
            return dice
    raise fault(f"recipe “{recipe.id}”: none of {MAX_TRIES} sets of dice can lay {recipe.share:.0%} of the words")


def _draw_candidate(recipe: CubesRecipe, chance: Chance) -> tuple[Card, ...]:
    colours = {f"{colour}-{number}": colour for colour, count in recipe.colours for number in range(1, count + 1)}
    vowels = dict(recipe.vowel_faces)
    faces: DrawnFaces = {name: _vowels(recipe, chance, vowels.get(colour, 0)) for name, colour in colours.items()}
    _place_wildcards(recipe, chance, faces)
    rare = chance.shuffled(recipe.rare)[:SIDES]
    faces[f"{recipe.rare_colour}-1"] = rare
    plain = [letter for letter in recipe.frequency if letter not in recipe.vowels and letter not in rare]
    _place(chance, _face_counts(recipe, chance, plain), faces)
    return tuple(die(name, colour, tuple(chance.shuffled(faces[name]))) for name, colour in colours.items())


def _vowels(recipe: CubesRecipe, chance: Chance, count: int) -> list[str]:
    """The vowels of a die. Every vowel appears once before any appears twice; frequent vowels are more likely."""
    vowels: list[str] = []
    while len(vowels) < count:
        fewest = min(map(vowels.count, recipe.vowels))
        vowels.append(
            _weighted(chance, [vowel for vowel in recipe.vowels if vowels.count(vowel) == fewest], recipe.frequency)
        )
    return vowels


def _weighted(chance: Chance, letters: Sequence[str], weights: Mapping[str, float]) -> str:
    """A random letter, weighted by frequency. The weights are integers so that the result does not depend on
    rounding."""
    left = chance.below(sum(_grains(weights[letter]) for letter in letters))
    for letter in letters:
        left -= _grains(weights[letter])
        if left < 0:
            return letter
    return letters[-1]


def _grains(weight: float) -> int:
    return max(1, round(weight * _GRAINS))


def _place_wildcards(recipe: CubesRecipe, chance: Chance, faces: DrawnFaces) -> None:
    """Adds the wildcards of each colour to its dice, one per die as far as possible."""
    for colour, wildcards in recipe.wildcards:
        order = chance.shuffled(range(1, dict(recipe.colours)[colour] + 1))
        for number, wildcard in enumerate(wildcards):
            faces[f"{colour}-{order[number % len(order)]}"].append(wildcard)


def _face_counts(recipe: CubesRecipe, chance: Chance, letters: Sequence[str]) -> dict[str, int]:
    """The number of faces for each letter: its fair share rounded down or up, at least one and at most as many as the
    recipe allows."""
    total = sum(recipe.frequency[letter] for letter in letters)
    fair = {letter: recipe.plain_faces * recipe.frequency[letter] / total for letter in letters}
    counts = {letter: min(recipe.most, max(1, floor(part))) for letter, part in fair.items()}
    while sum(counts.values()) < recipe.plain_faces:
        below_share = [letter for letter in letters if counts[letter] < min(recipe.most, ceil(fair[letter]))]
        below_most = below_share or [letter for letter in letters if counts[letter] < recipe.most]
        counts[chance.choice(below_most)] += 1
    while sum(counts.values()) > recipe.plain_faces:
        counts[chance.choice([letter for letter in letters if counts[letter] > max(1, fair[letter])])] -= 1
    return counts


def _place(chance: Chance, counts: Mapping[str, int], faces: DrawnFaces) -> None:
    """Adds the letters to the dice, each at most once per die: the most frequent letters first, each to the dice with
    the most free faces. This always fills all faces (https://en.wikipedia.org/wiki/Gale%E2%80%93Ryser_theorem)."""
    letters = sorted(chance.shuffled(counts), key=lambda letter: -counts[letter])
    for letter in letters:
        emptiest = sorted(chance.shuffled(faces), key=lambda name: len(faces[name]))
        for name in emptiest[: counts[letter]]:
            faces[name].append(letter)


# ---- recipes in sets.yaml -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class CubesRecipe:
    """A recipe for random dice. It consists of tuples, so that it is hashable and its dice can be cached.

    `vowel_faces` is the number of vowels on each die of a colour, `wildcards` are those on the dice of a colour. The
    die of `rare_colour` shows six letters of `rare`; any other consonant is on at most `most` dice. The dice must be
    able to lay the `share` of the list `words`, if there is one."""

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
        """The number of faces for consonants other than the rare ones."""
        vowels, wildcards = dict(self.vowel_faces), dict(self.wildcards)
        other_faces = {
            colour: vowels.get(colour, 0) * count + len(wildcards.get(colour, ())) for colour, count in self.colours
        }
        return sum(SIDES * count - other_faces[colour] for colour, count in self.colours if colour != self.rare_colour)


@dataclass(frozen=True, slots=True)
class StripRecipe:
    """A recipe for a strip with this number of throws of the `dice`. If there are none, the dice are drawn with the
    same seed by the recipe `cubes`."""

    id: str
    throws: int
    dice: tuple[Card, ...] = ()
    cubes: str = ""


def cubes_recipe(game: Game, name: str) -> CubesRecipe:
    """The recipe for letter dice with this id. Raises InputError with all problems in it."""
    entry = _entry(game, name, _CUBES_KEYS, ("words",))
    _refuse(game, name, _cubes_problems(entry))
    words = entry.get("words") or {"list": "", "share": 0.0}
    recipe = CubesRecipe(
        name,
        entry["language"],
        _pairs(entry["colours"]),
        entry["vowels"]["letters"],
        _pairs(entry["vowels"]["faces"]),
        _pairs(entry["wildcards"]),
        entry["rare"]["letters"],
        entry["rare"]["colour"],
        entry["most"],
        _pairs(entry["frequencies"]),
        words["list"],
        float(words["share"]),
    )
    _refuse(game, name, _draw_problems(recipe))
    return recipe


def _pairs(mapping: Mapping[str, Any]) -> tuple[tuple[str, Any], ...]:
    return tuple(mapping.items())


def strip_recipe(game: Game, name: str) -> StripRecipe:
    """The recipe for a strip with this id. Raises InputError with all problems in it."""
    entry = _entry(game, name, _STRIP_KEYS)
    _refuse(game, name, _strip_problems(entry))
    if isinstance(entry["dice"], str):
        return StripRecipe(name, entry["throws"], cubes=entry["dice"])
    dice = tuple(die(name, colour_of(name), faces) for name, faces in entry["dice"].items())
    return StripRecipe(name, entry["throws"], dice)


def die(name: str, colour: str, faces: tuple[str, ...]) -> Card:
    """A die, such as `red-1`."""
    return Card(name, MappingProxyType({"colour": colour, "faces": faces}))


def colour_of(name: str) -> str:
    """The colour of a die by its name: that of `light-blue-1` is `light-blue`."""
    return name.rpartition("-")[0]


# ---- problems of recipes --------------------------------------------------------------------------------------------


def _entry(game: Game, name: str, keys: tuple[str, ...], optional: tuple[str, ...] = ()) -> Mapping[str, Any]:
    recipe_entries = recipes(game)
    if name not in recipe_entries:
        raise fault(f"{game.title} has no recipe “{name}”", place(game, "recipes"), did_you_mean(name, recipe_entries))
    entry = recipe_entries[name]
    if not isinstance(entry, Mapping) or not set(keys) <= set(entry) <= {*keys, *optional}:
        _refuse(game, name, [f"it must be a mapping with the keys {', '.join(keys)}"])
    return entry  # type: ignore[return-value]


def _refuse(game: Game, name: str, messages: Iterable[str]) -> None:
    """Raises InputError with these messages, if there are any."""
    problems = [Problem(f"recipe “{name}”: {message}", place(game, "recipes", name)) for message in messages]
    if problems:
        raise InputError(problems)


def _cubes_problems(entry: Mapping[str, Any]) -> Iterator[str]:
    if entry["kind"] != "R":
        yield "its kind must be R"
    if not isinstance(entry["colours"], Mapping) or not all(map(_is_count, entry["colours"].values())):
        yield "“colours” must be a mapping from colours to numbers of dice"
        return
    if not isinstance(entry["language"], str):
        yield "“language” must be the name of a language"
    yield from _faces_problems(entry)
    if not isinstance(entry["frequencies"], Mapping) or not all(map(_is_share, entry["frequencies"].values())):
        yield "“frequencies” must be a mapping from letters to percentages"
    if not _is_count(entry["most"]):
        yield "“most” must be a positive integer"
    if not _is_word_share(entry.get("words", {"list": "", "share": 0})):
        yield "“words” must be a mapping with a list and a share from 0 to 1"


def _is_word_share(words: object) -> bool:
    if not isinstance(words, Mapping) or set(words) != {"list", "share"} or not isinstance(words["list"], str):
        return False
    return bool(words["share"] == 0 or (_is_share(words["share"]) and words["share"] <= 1))


def _faces_problems(entry: Mapping[str, Any]) -> Iterator[str]:
    for key, subkeys in (("vowels", ("letters", "faces")), ("rare", ("letters", "colour"))):
        if not isinstance(entry[key], Mapping) or set(entry[key]) != set(subkeys):
            yield f"“{key}” must be a mapping with the keys {' and '.join(subkeys)}"
        elif not _are_letters(entry[key]["letters"]):
            yield f"“letters” of “{key}” must be a list of single letters"
        elif key == "vowels" and not _are_faces(entry[key]["faces"], entry["colours"]):
            yield f"“faces” of “vowels” must be a mapping from colours to numbers from 0 to {SIDES}"
    if not isinstance(entry["wildcards"], Mapping) or not all(
        colour in entry["colours"] and _are_letters(wildcards) for colour, wildcards in entry["wildcards"].items()
    ):
        yield "“wildcards” must be a mapping from colours to lists of wildcards"


def _draw_problems(recipe: CubesRecipe) -> Iterator[str]:
    missing = [letter for letter in (*recipe.vowels, *recipe.rare) if letter not in recipe.frequency]
    if missing:
        yield f"“frequencies” has no value for {', '.join(missing)}"
        return
    if dict(recipe.colours).get(recipe.rare_colour) != 1 or len(recipe.rare) < SIDES:
        yield f"“rare” must name the colour of exactly one die, and at least {SIDES} letters"
        return
    others = len(recipe.frequencies) - len(recipe.vowels) - SIDES
    if not others <= recipe.plain_faces <= others * recipe.most:
        yield f"{recipe.plain_faces} faces do not fit {others} consonants, each on 1 to {recipe.most} dice"


def _strip_problems(entry: Mapping[str, Any]) -> Iterator[str]:
    if entry["kind"] != "S":
        yield "its kind must be S"
    if not _is_count(entry["throws"]):
        yield "“throws” must be a positive integer"
    if not isinstance(entry["dice"], (str, Mapping)):
        yield "“dice” must be a mapping from dice to their faces, or the id of a recipe for dice"
    elif not isinstance(entry["dice"], str):
        for name, faces in entry["dice"].items():
            if not _are_letters(faces):
                yield f"the faces of die {name} must be a list of single letters"
            elif len(faces) != SIDES:
                yield f"die {name} has {len(faces)} faces instead of {SIDES}"


def _are_letters(letters: object) -> bool:
    """Whether this is a list or a text of single letters or wildcards."""
    return (
        isinstance(letters, (str, tuple))
        and len(letters) > 0
        and all(isinstance(letter, str) and len(letter) == 1 for letter in letters)
    )


def _are_faces(faces: object, colours: Mapping[str, int]) -> bool:
    return isinstance(faces, Mapping) and all(
        colour in colours and (count == 0 or _is_count(count)) and count <= SIDES for colour, count in faces.items()
    )


def _is_count(number: object) -> bool:
    return isinstance(number, int) and not isinstance(number, bool) and 0 < number <= MAX_COUNT


def _is_share(number: object) -> bool:
    return isinstance(number, (int, float)) and not isinstance(number, bool) and number > 0


SETS: RandomSets = RollingCubesSets()
