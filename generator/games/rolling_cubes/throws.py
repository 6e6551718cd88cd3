"""A throw as it is typed on the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ...errors import InputError, Problem, did_you_mean
from . import tiles
from .dice import Dice, Throw

_COLOUR = re.compile(r"\s*([A-Za-z][A-Za-z _-]*?)\s*[=:](.*)", re.DOTALL)
EXAMPLE = "red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K"


def typed(text: str, dice: Dice) -> Throw:
    """A throw by its colours as a sheet has it (`red: AEIO, orange: C=, …`, also with `=` for the colon), or only its
    letters (`AEIOC=NSRG/TK`), as only dice of one colour can show them. Raises InputError with all that is wrong."""
    text = text.strip().removeprefix("{").removesuffix("}")
    problems: list[Problem] = []
    throw = _by_colours(text, dice, problems) if re.search("[,;:]", text) else _by_letters(text, dice, problems)
    if not problems:
        problems += (Problem(f"{text}: {wrong}") for wrong in dice.wrong(throw))
    if problems:
        raise InputError(problems)
    return throw


def _by_colours(text: str, dice: Dice, problems: list[Problem]) -> Throw:
    found: dict[str, str] = {}
    for part in filter(str.strip, re.split("[,;]", text)):
        for problem in _read(part, dice, found):
            problems.append(problem)
    return Throw({colour: found[colour] for colour in dice.by_colour if colour in found})


def _read(part: str, dice: Dice, found: dict[str, str]) -> Iterator[Problem]:
    match = _COLOUR.fullmatch(part)
    if not match:
        yield Problem(f"“{part.strip()}” is no colour with its letters", None, f"such as {EXAMPLE}")
        return
    colour, letters = re.sub("[ _]", "-", match[1].lower()), tiles.tiles(match[2])
    if colour not in dice.by_colour:
        yield Problem(f"no dice are “{match[1]}”", None, did_you_mean(colour, dice.by_colour))
    elif colour in found:
        yield Problem(f"{match[1]} is given twice")
    elif letters is None:
        yield Problem(f"“{match[2].strip()}” must be letters A to Z and wildcards", None, "= and ≠, also typed /")
    else:
        found[colour] = letters


def _by_letters(text: str, dice: Dice, problems: list[Problem]) -> Throw:
    letters = tiles.tiles(text)
    if not letters or len(letters) != len(dice):
        problems.append(Problem(f"“{text}” is no throw of {len(dice)} dice", None, f"such as {EXAMPLE}"))
        return Throw({})
    lying = next(dice.layings(letters), None)
    if lying is None:
        problems.append(Problem(f"the {len(dice)} dice cannot show {letters} at once"))
        return Throw({})
    return Throw({colour: "".join(face * colours.count(colour) for face, colours in lying.items())
                  for colour in dice.by_colour})
