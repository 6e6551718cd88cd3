"""Checks that random dice and strips meet their recipe, independently of how they are drawn.

The checks count every face again, and try die by die whether a word can be laid.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from generator.draws import Deck, SetCode
from generator.games.rolling_cubes.play import WILDCARDS, Dice, Throw, faces_of
from generator.games.rolling_cubes.word_lists import WordList, bundled
from generator.model.game import Card, Game

Recipe: TypeAlias = Mapping[str, Any]
"""A recipe in sets.yaml."""


def unmet_constraints(game: Game, deck: Deck, code: SetCode) -> list[str]:
    """How dice or a strip differ from the recipe of their code, as messages; empty if they meet it."""
    recipe: Recipe = game.sets["recipes"][code.recipe]
    if code.kind == "R":
        return unmet_dice_constraints(game, deck.components["dice"].cards, recipe)
    dice = _listed_dice(recipe) if isinstance(recipe["dice"], Mapping) else deck.components["dice"].cards
    problems = [*_unmet_strip_constraints(deck.components["strip"].cards, dice, recipe)]
    if isinstance(recipe["dice"], str):
        problems += unmet_dice_constraints(game, dice, game.sets["recipes"][recipe["dice"]])
    return problems


def unmet_dice_constraints(game: Game, dice: Sequence[Card], recipe: Recipe) -> list[str]:
    problems = [
        *_wrong_numbers(dice, recipe),
        *_wrong_vowels(dice, recipe),
        *_wrong_wildcards(dice, recipe),
        *_wrong_rare(dice, recipe),
        *_wrong_letters(dice, recipe),
    ]
    if not problems and "words" in recipe:
        layable = share(dice, bundled(game.folder / recipe["words"]["list"]))
        if layable < recipe["words"]["share"]:
            problems.append(f"{layable:.1%} of the words can be laid instead of {recipe['words']['share']:.0%}")
    return problems


def _wrong_numbers(dice: Sequence[Card], recipe: Recipe) -> Iterator[str]:
    counts = Counter(die.colour for die in dice)
    if counts != Counter(recipe["colours"]):
        yield f"there are {', '.join(f'{count} {colour}' for colour, count in counts.items())} dice"
    yield from (f"{die.id} has {len(die.faces)} faces" for die in dice if len(die.faces) != 6)


def _wrong_vowels(dice: Sequence[Card], recipe: Recipe) -> Iterator[str]:
    vowels = recipe["vowels"]["letters"]
    for die in dice:
        counts = Counter(face for face in die.faces if face in vowels)
        expected = recipe["vowels"]["faces"].get(die.colour, 0)
        if counts.total() != expected:
            yield f"{die.id} shows {counts.total()} vowels instead of {expected}"
        elif max(counts.values(), default=0) > 1 and set(counts) != set(vowels):
            yield f"{die.id} shows a vowel twice, but lacks another"


def _wrong_wildcards(dice: Sequence[Card], recipe: Recipe) -> Iterator[str]:
    for colour in recipe["colours"]:
        counts = Counter(face for die in dice if die.colour == colour for face in die.faces if face in WILDCARDS)
        if counts != Counter(recipe["wildcards"].get(colour, ())):
            yield f"the {colour} dice do not show the wildcards in the recipe"
    yield from (f"{die.id} has two wildcards" for die in dice if sum(face in WILDCARDS for face in die.faces) > 1)


def _wrong_rare(dice: Sequence[Card], recipe: Recipe) -> Iterator[str]:
    rare = next(die for die in dice if die.colour == recipe["rare"]["colour"])
    if len(set(rare.faces)) != 6 or not set(rare.faces) <= set(recipe["rare"]["letters"]):
        yield f"{rare.id} does not show six different rare letters"
    for die in dice:
        if die is not rare and set(die.faces) & set(rare.faces):
            yield f"{die.id} shows a letter of {rare.id}"


def _wrong_letters(dice: Sequence[Card], recipe: Recipe) -> Iterator[str]:
    """Letters that are on too many or too few faces for their frequency."""
    rare = {face for die in dice if die.colour == recipe["rare"]["colour"] for face in die.faces}
    plain = [
        face
        for die in dice
        for face in die.faces
        if face not in rare and face not in recipe["vowels"]["letters"] and face not in WILDCARDS
    ]
    counts = Counter(plain)
    expected = {
        letter: per_cent
        for letter, per_cent in recipe["frequencies"].items()
        if letter not in rare and letter not in recipe["vowels"]["letters"]
    }
    yield from (f"{letter} is not a letter of the recipe" for letter in counts if letter not in expected)
    for letter, per_cent in expected.items():
        fair = len(plain) * per_cent / sum(expected.values())
        if not max(1, min(fair, recipe["most"]) - 1) <= counts[letter] <= min(max(fair + 1, 1), recipe["most"]):
            yield f"{letter} is on {counts[letter]} faces, but its fair share is {fair:.1f}"
    yield from (
        f"{die.id} shows {face} twice"
        for die in dice
        for face, count in Counter(die.faces).items()
        if count > 1 and face in expected
    )


# ---- words ----------------------------------------------------------------------------------------------------------


def share(dice: Sequence[Card], words: WordList) -> float:
    """The share of a list that the dice can lay without wildcards, tried word by word."""
    showing = {
        letter: [number for number, die in enumerate(dice) if letter.upper() in die.faces]
        for letter in "abcdefghijklmnopqrstuvwxyz"
    }
    all_words = (
        block[at : at + length].decode()
        for length, block in words.blocks.items()
        for at in range(0, len(block), length + 1)
    )
    return sum(_can_lay(word, showing) for word in all_words) / len(words)


def _can_lay(word: str, showing: Mapping[str, Sequence[int]]) -> bool:
    """Whether there is a different die for each letter, by augmenting paths
    (https://en.wikipedia.org/wiki/Matching_(graph_theory)#In_unweighted_bipartite_graphs)."""
    taken: dict[int, int] = {}

    def place(letter: int, tried: set[int]) -> bool:
        for die in showing[word[letter]]:
            if die not in tried:
                tried.add(die)
                if die not in taken or place(taken[die], tried):
                    taken[die] = letter
                    return True
        return False

    return all(place(letter, set()) for letter in range(len(word)))


# ---- strips ---------------------------------------------------------------------------------------------------------


def _listed_dice(recipe: Recipe) -> list[Card]:
    return [Card(name, {"colour": name.rpartition("-")[0], "faces": faces}) for name, faces in recipe["dice"].items()]


def _unmet_strip_constraints(pages: Sequence[Card], dice: Sequence[Card], recipe: Recipe) -> Iterator[str]:
    throws = [throw for page in pages for throw in page.throws]
    if [number for number, _ in throws] != list(range(1, recipe["throws"] + 1)):
        yield f"the throws are not numbered 1 to {recipe['throws']}"
    dice_set = Dice(faces_of(dice))
    for number, letters in throws:
        yield from (f"throw {number}: {problem}" for problem in dice_set.problems(Throw(dict(letters))))
