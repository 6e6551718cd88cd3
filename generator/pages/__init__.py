"""Frames → pages: cards on sheets, posters in tiles, nets, cutting paths, and the fields of score sheets."""
