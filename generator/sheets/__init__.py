"""Filled-in sheets as people type them → FilledSheet."""

from ..model.game import Asking
from .documents import Document, documents
from .marks import FilledSheet, Value
from .reader import NEW_SHEET, Reading, SheetReader, heading

__all__ = [
    "NEW_SHEET",
    "Asking",
    "Document",
    "FilledSheet",
    "Reading",
    "SheetReader",
    "Value",
    "documents",
    "heading",
]
