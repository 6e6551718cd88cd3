"""How much a game's files may ask for. Each number is checked before anything of that size is made.

Without these limits a three-line file could ask for gigabytes. They lie far above what a game that people play needs.
"""

from __future__ import annotations

# ---- files

TEXT_BYTES = 4_000_000
"""A YAML or CSV file."""
YAML_VALUES = 200_000
"""Values in one YAML document, those that aliases repeat included."""
YAML_DEPTH = 40
WORKBOOK_BYTES = 32_000_000
"""The files inside an XLSX file, unpacked."""
WORKBOOK_ELEMENTS = 250_000
"""XML elements of these files: a cell with a text takes four."""
FONT_BYTES = 32_000_000
SHOWN_FOLDER = 500
"""Files of a folder that a misspelt file name is compared with."""

# ---- tables

ROWS = 20_000
COLUMNS = 200
CELLS = 1_000_000
"""Rows × columns."""

# ---- components

COPIES = 1_000
"""Copies of one card, and of a component."""
CARDS = 20_000
"""Cards of a deck, copies included."""
PIECES = 1_000
"""Dice or pawns of a component, copies included: each is a net of its own."""
PAD_SHEETS = 1_000
"""Sheets of a pad."""

BOOKLET_CHARACTERS = 100_000
TABLE_COLUMNS = 12
"""Columns of a table in a booklet."""

# ---- score sheets

ENTRIES = 500
"""Marks in a row (`count`) and repetitions of a group on paper (`repeat`)."""
ENTRIES_IN_A_FILE = 20_000
"""Repetitions of a group in a filled-in file (`most`)."""
FIELDS = 5_000
"""Fields of a sheet, with every `count` and `repeat` multiplied out."""
TERMS = 1_000
"""Patterns of all `sums` and score lines together."""
LOOK_UPS = 1_000_000
"""Terms × fields: each term is compared with each field."""
