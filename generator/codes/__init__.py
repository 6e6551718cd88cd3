"""Set codes, which identify random sets permanently, and the random generator that makes the sets from them."""

from .setcode import KINDS, SetCode, draw, parse

__all__ = ["KINDS", "SetCode", "draw", "parse"]
