"""Random sets: letter dice (kind R) and throw strips (kind S).

A strip is either for the standard dice, which its recipe lists, or for dice drawn for a language. The latter have the
seed of the strip but a separate recipe, and are printed with the strip.
"""

from __future__ import annotations

from bisect import bisect
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import accumulate
from math import ceil, floor
from types import MappingProxyType
from typing import Annotated, Any, Literal, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from ...draws import Chance, Deck, RandomSets, SetCode, parse
from ...draws.deck import strip_pages, table, with_cards
from ...draws.draw_kinds import read_recipe, refuse_foreign
from ...draws.setcode import SEED_BITS
from ...errors import fault
from ...model.game import Card, Game
from ...model.values import Between, Raw
from ...nodes import Scalar
from ...reading.typed import read
from .play import Faces, Throw, faces_of, throw_dice
from .word_lists import WordList, bundled, share_layable

CUBES, STRIP = "R", "S"
DICE_PART, STRIP_PART = "dice", "strip"
SIDES = 6


class RollingCubesSets(RandomSets):
    def deal(self, game: Game, code: SetCode) -> Deck:
        """The dice, or the pages of the strip and its dice, in place of the game's own components. Dice have the code
        to print on them."""
        refuse_foreign(game, code, CUBES, STRIP)
        if code.kind == CUBES:
            return with_cards(game, code, {DICE_PART: _coded(dice(game, code), str(code))})
        named = strip(game, code)
        throws = [tuple(throw.letters.items()) for throw in named.throws]
        cards = {STRIP_PART: strip_pages(throws, cubes=named.cubes)}
        if named.cubes:
            cards[DICE_PART] = _coded(named.dice, named.cubes)
        return with_cards(game, code, cards, STRIP_PART)

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
        data = self.data(game, deck)
        if "faces" in data:
            strips = [f"{strip_code} ({count} throws)" for count, strip_code in data["strips"].items()]
            return [
                *(f"{name:<13} {' '.join(faces)}" for name, faces in data["faces"].items()),
                f"strips of throws with these dice: {', '.join(strips)}",
            ]
        throws = [[number, *map(" ".join, throw.values())] for number, throw in enumerate(data["throws"], 1)]
        lines = table([["throw", *(colour.replace("-", " ") for colour in data["throws"][0])], *throws])
        return [f"with the dice {data['dice']}", *lines] if "dice" in data else lines


def _coded(dice: Sequence[Card], code: str) -> list[Card]:
    return [replace(die, values=MappingProxyType({**die.values, "code": code})) for die in dice]


class Strip(Struct, frozen=True):
    """The throws of a strip, the first with number 1, and its dice. `cubes` is the code of the dice, empty for the
    standard dice."""

    throws: tuple[Throw, ...]
    dice: tuple[Card, ...]
    cubes: str = ""


def strip(game: Game, code: SetCode) -> Strip:
    """The strip of a code; raises InputError as `deal` does."""
    refuse_foreign(game, code, STRIP)
    recipe = read_recipe(game, code.recipe, StripRecipe)
    if not recipe.cubes:
        node: Any = recipe.dice
        faces = read(node, dict[str, Letters], "dice")
        listed = tuple(die(name, name.rpartition("-")[0], letters) for name, letters in faces.items())
        return Strip(strip_throws(code.seed, recipe.throws, faces_of(listed)), listed)
    cubes = SetCode(code.prefix, code.version, CUBES, recipe.cubes, code.seed)
    drawn_dice = dice(game, cubes)
    return Strip(strip_throws(code.seed, recipe.throws, faces_of(drawn_dice)), drawn_dice, str(cubes))


def strip_throws(seed: int, count: int, dice: Faces) -> tuple[Throw, ...]:
    """The throws of a strip. A longer strip with the same seed starts with the throws of a shorter one."""
    chance = Chance(seed + (1 << SEED_BITS))  # a different seed from the one that draws the dice
    return tuple(throw_dice(dice, chance) for _ in range(count))


def language(game: Game, code: SetCode) -> str:
    """The language of the dice of a code; empty for the standard dice."""
    cubes = code.recipe if code.kind == CUBES else read_recipe(game, code.recipe, StripRecipe).cubes
    return read_recipe(game, cubes, CubesRecipe).language if cubes else ""


def strips_of(game: Game, code: SetCode) -> dict[int, str]:
    """The codes of the strips for the dice of a code, by number of throws."""
    names = [name for draw in game.draws.values() if draw.kind == STRIP for name in draw.recipes]
    strips = {name: read_recipe(game, name, StripRecipe) for name in names}
    return {
        recipe.throws: str(SetCode(code.prefix, code.version, STRIP, name, code.seed))
        for name, recipe in strips.items()
        if recipe.cubes == code.recipe
    }


# Faces are drawn by a recipe until the dice can lay enough words. The colours keep their roles: red dice show vowels,
# the purple die rare letters, and wildcards are where the recipe puts them. The other faces are divided among the
# consonants by frequency, each within one of its fair share, and no die shows a consonant twice.

MAX_TRIES = 500


def dice(game: Game, code: SetCode) -> tuple[Card, ...]:
    """The dice of a code; raises InputError as `deal` does."""
    refuse_foreign(game, code, CUBES)
    recipe = read_recipe(game, code.recipe, CubesRecipe)
    words = bundled(game.folder / recipe.words.list) if recipe.words else None
    return _draw_dice(code.recipe, recipe, code.seed, words)


@lru_cache(64)
def _draw_dice(name: str, recipe: CubesRecipe, seed: int, words: WordList | None) -> tuple[Card, ...]:
    """The first dice that meet the recipe with this name."""
    chance, share = Chance(seed), recipe.words.share if recipe.words else 0
    for _ in range(MAX_TRIES):
        try:
            dice = _draw_candidate(recipe, chance)
        except (ArithmeticError, LookupError, ValueError) as error:  # recipes of shipped games have no such faults
            raise fault(f"recipe “{name}”: its letters and wildcards do not fit its dice") from error
        if not words or share_layable([die.faces for die in dice], words) >= share:
            return dice
    raise fault(f"recipe “{name}”: none of {MAX_TRIES} sets of dice can lay {share:.0%} of the words")


def _draw_candidate(recipe: CubesRecipe, chance: Chance) -> tuple[Card, ...]:
    """Dice that may or may not meet the recipe. Raises ArithmeticError, LookupError or ValueError if none can."""
    colours = {f"{colour}-{n}": colour for colour, count in recipe.colours.items() for n in range(1, count + 1)}
    vowels = recipe.vowels
    faces = {name: _vowels(recipe, chance, vowels.faces.get(colour, 0)) for name, colour in colours.items()}
    for colour, wildcards in recipe.wildcards.items():  # one per die as far as possible
        order = chance.shuffled(range(1, recipe.colours[colour] + 1))
        for number, wildcard in enumerate(wildcards):
            faces[f"{colour}-{order[number % len(order)]}"].append(wildcard)
    rare = chance.shuffled(recipe.rare.letters)[:SIDES]
    faces[f"{recipe.rare.colour}-1"] = rare
    plain = [letter for letter in recipe.frequencies if letter not in vowels.letters and letter not in rare]
    # The number of faces for each letter: its fair share of the faces without vowels, wildcards and rare letters,
    # rounded down or up, at least one and at most as many as the recipe allows.
    total = sum(recipe.frequencies[letter] for letter in plain)
    free = SIDES * (sum(recipe.colours.values()) - 1) - sum(map(len, recipe.wildcards.values()))
    free -= sum(count * recipe.colours[colour] for colour, count in recipe.vowels.faces.items())
    fair = {letter: free * recipe.frequencies[letter] / total for letter in plain}
    counts = {letter: min(recipe.most, max(1, floor(part))) for letter, part in fair.items()}
    while sum(counts.values()) < free:
        below_share = [letter for letter in plain if counts[letter] < min(recipe.most, ceil(fair[letter]))]
        below_most = below_share or [letter for letter in plain if counts[letter] < recipe.most]
        counts[chance.choice(below_most)] += 1
    while sum(counts.values()) > free:
        counts[chance.choice([letter for letter in plain if counts[letter] > max(1, fair[letter])])] -= 1
    _place(chance, counts, faces)
    if any(len(letters) != SIDES for letters in faces.values()):
        raise ValueError
    return tuple(die(name, colour, tuple(chance.shuffled(faces[name]))) for name, colour in colours.items())


def _vowels(recipe: CubesRecipe, chance: Chance, count: int) -> list[str]:
    """The vowels of a die. Every vowel appears once before any appears twice; frequent vowels are more likely."""
    vowels: list[str] = []
    while len(vowels) < count:
        fewest = min(map(vowels.count, recipe.vowels.letters))
        rarest = [vowel for vowel in recipe.vowels.letters if vowels.count(vowel) == fewest]
        # hundredths of a per cent, in integers so that the result does not depend on rounding
        grains = [max(1, round(recipe.frequencies[vowel] * 100)) for vowel in rarest]
        vowels.append(rarest[bisect(list(accumulate(grains)), chance.below(sum(grains)))])
    return vowels


def _place(chance: Chance, counts: Mapping[str, int], faces: Mapping[str, list[str]]) -> None:
    """Adds the letters to the faces of the dice, each at most once per die: the most frequent letters first, each to
    the dice with the most free faces. This always fills all faces (https://en.wikipedia.org/wiki/Gale%E2%80%93Ryser_theorem)."""
    letters = sorted(chance.shuffled(counts), key=lambda letter: -counts[letter])
    for letter in letters:
        emptiest = sorted(chance.shuffled(faces), key=lambda name: len(faces[name]))
        for name in emptiest[: counts[letter]]:
            faces[name].append(letter)


Count: TypeAlias = Annotated[int, Between(1, 1000)]
Letters: TypeAlias = tuple[str, ...]


class VowelFaces(Struct, frozen=True):
    """The vowels, and how many of them are on each die of a colour."""

    letters: Letters
    faces: dict[str, Annotated[int, Between(0, SIDES)]]


class RareLetters(Struct, frozen=True):
    """The letters of which six are on the die of this colour, and on no other."""

    letters: Letters
    colour: str


class WordShare(Struct, frozen=True):
    """The share of a word list that the dice must be able to lay without wildcards."""

    list: str
    share: Annotated[float, Between(0, 1)]


class CubesRecipe(Struct, frozen=True, eq=False):
    """A recipe for random dice. `colours` are the numbers of dice, `wildcards` are those on the dice of a colour, and
    any consonant that is not rare is on at most `most` dice."""

    kind: Literal["R"]
    language: str
    colours: dict[str, Count]
    vowels: VowelFaces
    wildcards: dict[str, Letters]
    rare: RareLetters
    most: Count
    frequencies: dict[str, Annotated[float, Between(0, 100)]]
    words: WordShare | None = None

    def __eq__(self, other: object) -> bool:
        return repr(self) == repr(other)

    def __hash__(self) -> int:  # mappings have no hash, but drawn dice are remembered by their recipe
        return hash(repr(self))


class StripRecipe(Struct, frozen=True):
    """A recipe for a strip with this number of throws. `dice` are their faces by name, or the id of the recipe that
    draws them with the same seed."""

    kind: Literal["S"]
    throws: Count
    dice: Raw

    @property
    def cubes(self) -> str:
        """The recipe of the dice; empty for dice that are listed."""
        return str(self.dice) if isinstance(self.dice, Scalar) else ""


def die(name: str, colour: str, faces: tuple[str, ...]) -> Card:
    """A die, such as `red-1`."""
    return Card(name, MappingProxyType({"colour": colour, "faces": faces}))


SETS: RandomSets = RollingCubesSets()
