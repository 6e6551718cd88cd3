"""Filled-in sheets as people type them → FilledSheet."""

from .nouns import FilledSheet, Mark, Reading, Value
from .reader import heading, read
from .streams import documents

__all__ = ["FilledSheet", "Mark", "Reading", "Value", "documents", "heading", "read"]
