"""Filled-in sheets as people type them → FilledSheet."""

from .lines import Line
from .nouns import FilledSheet, Mark, Reading, Value
from .parts import UnlikeError
from .plan import Plan
from .reader import heading, read
from .streams import documents, lines

__all__ = ["FilledSheet", "Line", "Mark", "Plan", "Reading", "UnlikeError", "Value", "documents", "heading", "lines",
           "read"]
