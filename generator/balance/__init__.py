"""Balance: games counted together, and what the counts say, with how far they can be trusted."""

from .report import Report, Setting, plain, report
from .scoring import scale, score
from .tally import Tally
from .text import text

__all__ = ["Report", "Setting", "Tally", "plain", "report", "scale", "score", "text"]
