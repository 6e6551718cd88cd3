"""Filled-in sheets as people type them → FilledSheet."""

from .documents import Document, documents
from .filled_sheet import FilledSheet, Reading
from .lazy_marks import Value
from .reader import SheetReader, heading, read

__all__ = ["Document", "FilledSheet", "Reading", "SheetReader", "Value", "documents", "heading", "read"]
