"""Throw strips: numbered throws of the dice and the event die, the same for whoever has the strip's code."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...codes.chance import Chance
from ...codes.setcode import SEED_BITS
from ...definitions.models import Empty
from .recipe import Recipe


class Round(NamedTuple):
    """One throw: the dice, and what the event die shows."""

    dice: tuple[int, ...]
    event: str


@dataclass(frozen=True, slots=True)
class Strip:
    """What a code names: `strips` has the rounds of each player's strip, or one strip for all. A challenge has the
    scoring `option` it is for, and its `targets`: names of medals and their points, the lowest first."""

    code: str
    strips: tuple[tuple[Round, ...], ...]
    option: str = ""
    targets: Mapping[str, int] = field(default_factory=lambda: Empty)


def thrown(recipe: Recipe, seed: int) -> tuple[tuple[Round, ...], ...]:
    """Every strip of a recipe: each die of each round by itself, each of its faces as likely. A player's strip does not
    hang on how many players there are."""
    return tuple(_rounds(recipe, Chance(seed + (player << SEED_BITS))) for player in range(recipe.strips))


def _rounds(recipe: Recipe, chance: Chance) -> tuple[Round, ...]:
    return tuple(Round(tuple(chance.choice(recipe.die) for _ in range(recipe.dice)), chance.choice(recipe.event))
                 for _ in range(recipe.rounds))


def agrees(rounds: Sequence[Round], number: int, dice: Sequence[int], event: str) -> bool:
    """Whether round `number`, from 1, of a strip shows these dice in any order, and this event where one is told."""
    shown = rounds[number - 1]
    return sorted(shown.dice) == sorted(dice) and event in ("", shown.event)
