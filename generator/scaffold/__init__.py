"""Starts games: writes the folder of a new one, or copies an example."""
