"""Set codes, which name a random thing for ever, and the randomness that makes it from them."""

from .setcode import KINDS, SetCode, draw, parse

__all__ = ["KINDS", "SetCode", "draw", "parse"]
