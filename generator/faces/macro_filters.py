"""Filters that macros need to be as good as elements: angles, and saying what is wrong with an argument."""

from __future__ import annotations

import math
from typing import NoReturn


class RefusedError(ValueError):
    """A macro refuses what it was called with; whoever called it is to be told, not the macro's own line."""


def sin(degrees: float) -> float:
    """The sine of an angle in degrees: `30 | sin` is 0.5."""
    return math.sin(math.radians(degrees))


def cos(degrees: float) -> float:
    """The cosine of an angle in degrees: `60 | cos` is 0.5."""
    return math.cos(math.radians(degrees))


def refuse(message: str) -> NoReturn:
    """Ends the face with this message."""
    raise RefusedError(message)
