"""Limits on a game's files and on what they describe. Each is checked before anything of that size is built.

Without them a three-line file could ask for gigabytes. They are far higher than any real game needs.
"""

from __future__ import annotations

# ---- files

TEXT_BYTES = 4_000_000
"""A YAML file."""
TABLE_BYTES = 32_000_000
"""A CSV file."""
YAML_VALUES = 200_000
"""Values in one YAML document, including those that aliases repeat."""
YAML_DEPTH = 40
WORKBOOK_BYTES = 32_000_000
"""The files inside an XLSX file, unpacked."""
WORKBOOK_ELEMENTS = 250_000
"""XML elements in those files: a text cell takes four."""
FONT_BYTES = 32_000_000
FILES_COMPARED = 500
"""Files in a folder that a misspelt file name is compared with."""

# ---- tables

ROWS = 100_000
COLUMNS = 200
CELL_CHARACTERS = 131_072
"""Characters in the cell of a table."""
CELLS = 1_000_000
"""Rows × columns."""

# ---- components

COPIES = 1_000
"""Copies of one card or one component."""
CARDS = 100_000
"""Cards in a deck, including copies."""
PIECES = 1_000
"""Dice or pawns in a component, including copies. Each has its own net."""
PAD_SHEETS = 1_000
"""Sheets in a pad."""

DRAWN_ROWS = 2_000
"""Rows of a random set."""
BAG = 20_000
"""Values in a bag that rows are drawn from."""

BOOKLET_CHARACTERS = 100_000
TABLE_COLUMNS = 12
"""Columns in a table of a booklet."""

# ---- score sheets

ENTRIES = 500
"""Marks in a row (`count`) and repetitions of a group on paper (`repeat`)."""
ENTRIES_IN_A_FILE = 20_000
"""Repetitions of a group in a filled-in file (`most`)."""
MARK_CHARACTERS = 1_000
"""Characters in a field (`length`)."""
FIELDS = 5_000
"""Fields on a sheet, with every `count` and `repeat` multiplied out."""
TERMS = 1_000
"""Expressions in all `sums`, score lines, checks and tie-breakers together."""
EXPRESSION_LETTERS = 50_000
"""Characters in all of them."""
LOOK_UPS = 1_000_000
"""Terms × fields: each term is compared with each field."""
MIN_RIDGE = 6.0
"""The minimum length of the fold between the two faces of a pawn with round shoulders, in mm."""


def max_shoulder(width: float, height: float) -> float:
    """The largest radius of the upper corners of a pawn, in mm."""
    return min((width - MIN_RIDGE) / 2, height / 2)
