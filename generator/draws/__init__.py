"""Set codes, which identify random sets permanently, and the random generator that makes the sets from them."""

from .deck import Chance, Deck, RandomSets
from .setcode import KINDS, SetCode, draw, parse, plural

__all__ = ["KINDS", "Chance", "Deck", "RandomSets", "SetCode", "draw", "parse", "plural"]
