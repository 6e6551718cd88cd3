"""Filled-in sheets as people type them → FilledSheet."""

from .lines import BLANK, Line, UnlikeError
from .nouns import FilledSheet, Reading, Value
from .reader import heading, read
from .streams import documents, lines

__all__ = ["BLANK", "FilledSheet", "Line", "Reading", "UnlikeError", "Value", "documents", "heading", "lines",
           "read"]
