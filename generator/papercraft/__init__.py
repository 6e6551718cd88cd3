"""Nets of dice, boxes, trays and pawns, and packing them onto pages."""
