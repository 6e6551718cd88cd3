"""The rule book of the table sheet, in the order it is read out: the table, the log, the count."""

from . import table_rules  # noqa: I001 - the order of these lines is the order of the rules
from . import log_rules
from . import score
from .book import book

__all__ = ["book", "log_rules", "score", "table_rules"]
