"""A game's components → PDF."""
