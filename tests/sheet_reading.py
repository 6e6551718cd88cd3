"""Reads documents as sheets without a judge."""

from generator.sheets import SheetReader


def read(document, game, sheet, reading, options=None):
    """The document as a filled-in sheet; raises InputError with everything that cannot be read."""
    return SheetReader(game, sheet, reading).read(document, options or {})
