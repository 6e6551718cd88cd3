"""New letter dice: faces drawn for a recipe, until the words it asks for can be laid with them.

The colours keep their part in the game: red dice show vowels, the purple one rare letters, wildcards are where the
recipe has them. All other faces are shared out among the consonants by their frequency, each within one of its fair
share, and no die shows a letter twice.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil, floor

from ...codes.chance import Chance
from ...definitions.models import Card
from ...errors import fault
from .recipe import SIDES, CubesRecipe, die
from .share import share
from .wordlist import WordList

MOST_TRIES = 500
_GRAINS = 100
"""Frequencies are drawn by in hundredths of a per cent."""

Faces = dict[str, list[str]]
"""The faces of every die so far, by its name."""


def drawn(recipe: CubesRecipe, chance: Chance, words: WordList | None) -> tuple[Card, ...]:
    """Dice that keep the recipe; raises InputError where none are found in `MOST_TRIES` tries."""
    for _ in range(MOST_TRIES):
        dice = _tried(recipe, chance)
        if words is None or share([one.faces for one in dice], words) >= recipe.share:
            return dice
    raise fault(f"recipe “{recipe.id}”: {MOST_TRIES} sets of dice were drawn, and none can lay "
                f"{recipe.share:.0%} of the words")


def _tried(recipe: CubesRecipe, chance: Chance) -> tuple[Card, ...]:
    colours = {f"{colour}-{number}": colour for colour, count in recipe.colours
               for number in range(1, count + 1)}
    vowels = dict(recipe.vowel_faces)
    faces: Faces = {name: _vowels(recipe, chance, vowels.get(colour, 0)) for name, colour in colours.items()}
    _place_wildcards(recipe, chance, faces)
    rare = chance.shuffled(recipe.rare)[:SIDES]
    faces[f"{recipe.rare_colour}-1"] = rare
    plain = [letter for letter in recipe.frequency if letter not in recipe.vowels and letter not in rare]
    _place(chance, shared_out(recipe, chance, plain), faces)
    return tuple(die(name, colour, tuple(chance.shuffled(faces[name]))) for name, colour in colours.items())


# ---- vowels and wildcards -------------------------------------------------------------------------------------------

def _vowels(recipe: CubesRecipe, chance: Chance, count: int) -> list[str]:
    """So many vowels for a die: every vowel once before any comes twice, the frequent ones rather than others."""
    found: list[str] = []
    while len(found) < count:
        fewest = min(map(found.count, recipe.vowels))
        found.append(_weighted(chance, [one for one in recipe.vowels if found.count(one) == fewest],
                               recipe.frequency))
    return found


def _weighted(chance: Chance, letters: Sequence[str], weights: Mapping[str, float]) -> str:
    """One of the letters, each as likely as it is frequent."""
    left = chance.below(sum(_grains(weights[letter]) for letter in letters))
    for letter in letters:
        left -= _grains(weights[letter])
        if left < 0:
            return letter
    return letters[-1]


def _grains(weight: float) -> int:
    return max(1, round(weight * _GRAINS))


def _place_wildcards(recipe: CubesRecipe, chance: Chance, faces: Faces) -> None:
    """The wildcards of a colour on its dice, one on each as far as there are dice."""
    for colour, wildcards in recipe.wildcards:
        order = chance.shuffled(range(1, dict(recipe.colours)[colour] + 1))
        for number, wildcard in enumerate(wildcards):
            faces[f"{colour}-{order[number % len(order)]}"].append(wildcard)


# ---- consonants -----------------------------------------------------------------------------------------------------

def shared_out(recipe: CubesRecipe, chance: Chance, letters: Sequence[str]) -> dict[str, int]:
    """How many faces each letter gets, all of them together as many as there are: its fair share rounded down or up,
    at least one and at most as many as the recipe allows."""
    total = sum(recipe.frequency[letter] for letter in letters)
    fair = {letter: recipe.plain_faces * recipe.frequency[letter] / total for letter in letters}
    counts = {letter: min(recipe.most, max(1, floor(part))) for letter, part in fair.items()}
    while sum(counts.values()) < recipe.plain_faces:
        room = [letter for letter in letters if counts[letter] < min(recipe.most, ceil(fair[letter]))]
        room = room or [letter for letter in letters if counts[letter] < recipe.most]
        counts[chance.choice(room)] += 1
    while sum(counts.values()) > recipe.plain_faces:
        counts[chance.choice([letter for letter in letters if counts[letter] > max(1, fair[letter])])] -= 1
    return counts


def _place(chance: Chance, counts: Mapping[str, int], faces: Faces) -> None:
    """Writes the letters on dice, never twice on one: the most frequent letters first, each on those dice that have the
    most faces left, so that it always comes out even (Gale and Ryser)."""
    letters = sorted(chance.shuffled(counts), key=lambda letter: -counts[letter])
    for letter in letters:
        emptiest = sorted(chance.shuffled(faces), key=lambda name: len(faces[name]))
        for name in emptiest[:counts[letter]]:
            faces[name].append(letter)
