"""Pencilbox: makes the paper for pencil-and-dice games and reads it back."""

__version__ = "0.1.0"
