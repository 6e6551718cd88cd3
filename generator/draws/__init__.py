"""Set codes, which identify random sets permanently, and the random generator that makes the sets from them."""

from .setcode import KINDS, SetCode, draw, parse, plural

__all__ = ["KINDS", "SetCode", "draw", "parse", "plural"]
