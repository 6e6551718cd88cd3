"""Faces: a Jinja2 template and a component's values → XML → a checked tree without coordinates."""

from ..lazy import load_later, load_quickly

load_later("bz2", "lzma")  # for archives; Jinja2 imports them by way of shutil
load_quickly("jinja2")
from .check import build  # noqa: E402
from .face import Element, Face, Glyph, Piece, Words, missing  # noqa: E402
from .templates import Templates  # noqa: E402

__all__ = ["Element", "Face", "Glyph", "Piece", "Templates", "Words", "build", "missing"]
