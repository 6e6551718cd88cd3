"""Throw strips: numbered throws, the same for whoever has the strip's code."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...codes import SetCode
from ...codes.chance import Chance
from ...codes.setcode import SEED_BITS
from ...definitions.models import Card
from .dice import Throw


@dataclass(frozen=True, slots=True)
class Strip:
    """The throws of a strip, the first is number 1, and the dice that fell so. `cubes` is the code of these dice where
    they were drawn with the strip, empty where they are the standard ones."""

    code: str
    throws: tuple[Throw, ...]
    dice: tuple[Card, ...]
    cubes: str = ""


def thrown(seed: int, count: int, dice: Sequence[Card]) -> tuple[Throw, ...]:
    """So many throws of the dice: every die of every throw by itself, each of its six faces as likely. The first throws
    of a longer strip are those of a shorter one."""
    chance = Chance(seed + (1 << SEED_BITS))      # not the numbers that dice with this seed were drawn by
    return tuple(_throw(chance, dice) for _ in range(count))


def _throw(chance: Chance, dice: Sequence[Card]) -> Throw:
    letters: dict[str, str] = {}
    for die in dice:
        letters[die.colour] = letters.get(die.colour, "") + chance.choice(die.faces)
    return Throw(letters)


def cubes_code(code: SetCode, recipe: str) -> SetCode:
    """The code of the dice that belong to a strip: its seed with a recipe of dice."""
    return SetCode(code.prefix, code.version, "R", recipe, code.seed)


def same(one: Throw, other: Throw) -> bool:
    """Whether two throws show the same letters in every colour, in any order."""
    return {colour: sorted(shown) for colour, shown in one.letters.items()} == {
        colour: sorted(shown) for colour, shown in other.letters.items()}
