"""Filled-in sheets as people type them → FilledSheet."""

from .lines import Line
from .nouns import FilledSheet, Mark, Reading, Value
from .parts import UnlikeError
from .plan import Plan
from .reader import heading, read
from .steps import BLANK
from .streams import documents, lines

__all__ = ["BLANK", "FilledSheet", "Line", "Mark", "Plan", "Reading", "UnlikeError", "Value", "documents", "heading",
           "lines", "read"]
