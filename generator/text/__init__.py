"""Text: fonts, measured words, and lines broken where they fit."""
