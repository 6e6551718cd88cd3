"""Filled-in sheets as people type them → FilledSheet."""

from .documents import Document, documents
from .filled_sheet import FilledSheet, Value
from .per_game import Asking, Reading
from .reader import SheetReader, heading, read

__all__ = ["Asking", "Document", "FilledSheet", "Reading", "SheetReader", "Value", "documents", "heading", "read"]
