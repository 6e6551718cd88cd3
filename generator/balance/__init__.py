"""Balance: games counted together, and what the counts say, with how far they can be trusted."""

from .report import Report, Setting, plain, report
from .scoring import Scale, scale
from .tally import Tally
from .text import text

__all__ = ["Report", "Scale", "Setting", "Tally", "plain", "report", "scale", "text"]
