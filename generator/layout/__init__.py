"""Faces → frames: boxes measured, then placed."""
