"""Presses that tests share, and presses with other settings."""

from copy import copy
from functools import cache

from msgspec.structs import replace

from generator import games
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper


@cache
def press_of(name, code=None, number=1):
    """The press of a game with its standard deck, or with the set of a code. All tests share what it has drawn; presses
    of other numbers share nothing with it."""
    game = load(name)
    return Press(game, games.deal(game, code))


@cache
def form_of(name, sheet):
    """A score sheet on A4 as a PDF with form fields."""
    return press_of(name).fillable(sheet, paper("a4")).pdf


def with_settings(press, **changes):
    """A press with changed settings, which shares everything that the other has drawn."""
    other = copy(press)
    other.settings = replace(press.settings, **changes)
    return other
