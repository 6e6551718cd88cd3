"""Pencilbox: prints cards, score sheets and boards, and checks and scores filled-in sheets."""

__version__ = "0.1.0"
