"""Plays games with simulated players, and reports the results."""
