"""Calibrates how a printer places backs behind their fronts: the sheet, its readings, and the correction."""
