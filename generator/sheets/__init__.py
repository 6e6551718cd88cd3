"""Filled-in sheets as people type them → FilledSheet."""

from .late import Value
from .lines import BLANK, Line, UnlikeError
from .nouns import FilledSheet, Reading
from .reader import heading, read
from .streams import documents, lines

__all__ = ["BLANK", "FilledSheet", "Line", "Reading", "UnlikeError", "Value", "documents", "heading", "lines",
           "read"]
