"""Sheets for cutting machines: registration marks, slots for cards, and cut paths as DXF and SVG."""
