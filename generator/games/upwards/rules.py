"""The rule book of a player's sheet, in the order it is read out: the sheet, the log, the count."""

from . import sheet_rules  # noqa: I001 - the order of these lines is the order of the rules
from . import log_rules
from . import strip_rules
from . import score
from .book import book

__all__ = ["book", "log_rules", "score", "sheet_rules", "strip_rules"]
