"""The dice and the strip that a sheet was played with, by the codes under `set:` and `strip:`."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...definitions.models import Card
from ...errors import InputError, Problem
from ...sheets import FilledSheet
from . import deal
from .dice import Dice, dice_made
from .strips import Strip

FIELDS = ("set", "strip")


@dataclass(frozen=True, slots=True)
class Named:
    """What the codes of a sheet name; None where it names no such thing."""

    dice: tuple[Card, ...] | None = None
    strip: Strip | None = None


_MOST = 64
_NAMED: dict[tuple[object, ...], tuple[object, Named]] = {}
"""What codes name, by them and by the identity of a game's recipes (kept beside it, so that no others can have the
same); the sheets of a stream seldom name many."""


def named(sheet: FilledSheet) -> Named:
    """What a sheet was played with. A strip brings its dice with it; raises InputError for a recipe nobody knows."""
    cubes, strip = (sheet.codes.get(name) for name in FIELDS)
    key = id(sheet.game.sets), cubes, strip
    if key not in _NAMED:
        dice = deal.dice(sheet.game, cubes) if cubes else None
        thrown = deal.strip(sheet.game, strip) if strip else None
        if len(_NAMED) >= _MOST:
            _NAMED.clear()
        _NAMED[key] = sheet.game.sets, Named(dice or (thrown.dice if thrown else None), thrown)
    return _NAMED[key][1]


def dice_of(sheet: FilledSheet) -> Dice | None:
    """The dice that a sheet names; None where it names none."""
    dice = named(sheet).dice
    return dice_made(dice) if dice else None


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Codes of recipes nobody knows, and a strip of other dice."""
    try:
        both = named(sheet)
    except InputError as error:
        where = next(name for name in reversed(FIELDS) if name in sheet.codes)
        yield from (Problem(one.message, sheet.place_of(where), one.hint) for one in error.problems)
        return
    if both.dice and both.strip and _faces(both.dice) != _faces(both.strip.dice):
        yield Problem("the strip is not of these dice", sheet.place_of("strip"),
                      f"it is of {both.strip.cubes or 'the standard ones'}")


def _faces(dice: tuple[Card, ...]) -> list[tuple[str, ...]]:
    return [tuple(sorted(die.faces)) for die in dice]
