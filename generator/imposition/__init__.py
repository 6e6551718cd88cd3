"""Frames → pages: cards on sheets with backs behind their fronts, and posters in tiles."""
