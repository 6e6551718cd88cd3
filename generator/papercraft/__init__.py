"""Nets of dice, tuck boxes and pawns, and packing them onto pages."""
