"""Random material by its codes: letter dice (kind R), and strips of throws (kind S).

A strip is of the standard dice, as its recipe holds them, or of dice drawn for a language: those of the code that has
the strip's seed and the recipe of these dice, which are printed with it.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from ...codes import SetCode, parse
from ...codes.chance import Chance
from ...definitions.models import Card, Component, Game
from ..deck import Deck
from ..draws import refuse_foreign
from . import recipe as recipes
from .cubes import drawn
from .recipe import CubesRecipe
from .strips import Strip, cubes_code, thrown
from .wordlist import WordList, bundled

CUBES, STRIP = "R", "S"
DICE_PART, STRIP_PART = "dice", "strip"
A_PAGE = 12
"""Throws on a page of a strip."""


def deal(game: Game, code: SetCode) -> Deck:
    """The dice, or the pages of the strip and the dice drawn for it, in the place of the game's own; raises InputError
    for a code of another game or kind, and for one whose recipe is unknown or cannot be kept."""
    refuse_foreign(game, code, CUBES, STRIP)
    if code.kind == CUBES:
        parts = {DICE_PART: _dressed(game, dice(game, code), str(code))}
        return Deck(MappingProxyType({}), str(code), MappingProxyType(parts))
    made = strip(game, code)
    parts = {STRIP_PART: replace(game.components[STRIP_PART], cards=_pages(made))}
    if made.cubes:
        parts[DICE_PART] = _dressed(game, made.dice, made.cubes)
    return Deck(MappingProxyType({}), str(code), MappingProxyType(parts), STRIP_PART)


def dice(game: Game, code: SetCode) -> tuple[Card, ...]:
    """The dice that a code names; raises InputError as `deal` does."""
    refuse_foreign(game, code, CUBES)
    chosen = recipes.cubes(game, code.recipe)
    words = bundled(game.folder / chosen.words) if chosen.words else None
    return _drawn(chosen, code.seed, words)


def strip(game: Game, code: SetCode) -> Strip:
    """The strip that a code names; raises InputError as `deal` does."""
    refuse_foreign(game, code, STRIP)
    chosen = recipes.strip(game, code.recipe)
    if not chosen.cubes:
        return Strip(str(code), thrown(code.seed, chosen.throws, chosen.dice), chosen.dice)
    named = cubes_code(code, chosen.cubes)
    made = dice(game, named)
    return Strip(str(code), thrown(code.seed, chosen.throws, made), made, str(named))


@lru_cache(64)
def _drawn(recipe: CubesRecipe, seed: int, words: WordList | None) -> tuple[Card, ...]:
    return drawn(recipe, Chance(seed), words)


def strips_of(game: Game, code: SetCode) -> dict[int, str]:
    """The codes of the strips that are thrown with the dice of a code, by their numbers of throws."""
    known = [recipes.strip(game, name) for about in game.draws.values() if about.kind == STRIP
             for name in about.recipes]
    return {one.throws: str(SetCode(code.prefix, code.version, STRIP, one.id, code.seed)) for one in known
            if one.cubes == code.recipe}


# ---- what is printed ------------------------------------------------------------------------------------------------

def _dressed(game: Game, made: tuple[Card, ...], code: str) -> Component:
    """The dice as a component, each with the code that is printed on it."""
    coded = tuple(replace(die, values=MappingProxyType({**die.values, "code": code})) for die in made)
    return replace(game.components[DICE_PART], cards=coded)


def _pages(made: Strip) -> tuple[Card, ...]:
    """The pages of a strip as cards: the throws on each with their numbers, by colours."""
    starts = range(0, len(made.throws), A_PAGE)
    return tuple(Card(str(number), MappingProxyType({
        "throws": tuple((first + n + 1, tuple(throw.letters.items()))
                        for n, throw in enumerate(made.throws[first:first + A_PAGE])),
        "page": number, "pages": len(starts), "count": len(made.throws), "cubes": made.cubes}))
        for number, first in enumerate(starts, 1))


# ---- showing ------------------------------------------------------------------------------------------------------

def plain(game: Game, deck: Deck) -> Any:
    """A set of dice as their faces and the codes of their strips, a strip as its throws by colours, as plain data."""
    code = parse(deck.code or "")
    if code.kind == CUBES:
        return {"faces": {die.id: list(die.faces) for die in dice(game, code)}, "strips": strips_of(game, code)}
    made = strip(game, code)
    return {**({"dice": made.cubes} if made.cubes else {}), "throws": [dict(throw.letters) for throw in made.throws]}


def lines(game: Game, deck: Deck) -> list[str]:
    """A set of dice as a row of text for each die, a strip as one for each throw."""
    code = parse(deck.code or "")
    if code.kind == CUBES:
        told = [f"{made} ({count} throws)" for count, made in strips_of(game, code).items()]
        return [*(f"{die.id:<13} {' '.join(die.faces)}" for die in dice(game, code)), f"strips: {', '.join(told)}"]
    made = strip(game, code)
    rows = [f"{number:>2}   {'   '.join(' '.join(letters) for letters in throw.letters.values())}"
            for number, throw in enumerate(made.throws, 1)]
    return [f"with the dice {made.cubes}", *rows] if made.cubes else rows
