"""Starts your own game: writes a new folder, or copies an example."""
