"""Faces → frames: measures boxes, then places them."""
