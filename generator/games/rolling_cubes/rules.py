"""The rule book of all five sheets, in the order it is read out: words, rounds, lines, letters, places, the count."""

from . import word_rules  # noqa: I001 - the order of these lines is the order of the rules
from . import strip_rules
from . import round_rules
from . import five_rules
from . import last_die_rules
from . import tournament_rules
from . import score
from .book import book

__all__ = ["book", "five_rules", "last_die_rules", "round_rules", "score", "strip_rules", "tournament_rules",
           "word_rules"]
