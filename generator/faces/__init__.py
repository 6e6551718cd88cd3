"""Faces: a Jinja2 template and a component's values → XML → a checked tree without coordinates."""

from .check import build
from .face import (
    Element,
    Face,
    InlineIcon,
    Piece,
    Words,
    missing,
)
from .templates import Templates

__all__ = ["Element", "Face", "InlineIcon", "Piece", "Templates", "Words", "build", "missing"]
