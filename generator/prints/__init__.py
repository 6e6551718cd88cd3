"""Printed PDFs, read back: what stands on their pages and where; nothing that a file says of itself is asked."""

from .ink import Drawn, Ink, Sheet, Written, sheets

__all__ = ["Drawn", "Ink", "Sheet", "Written", "sheets"]
