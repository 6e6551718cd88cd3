"""Starts your own game in a new folder, and changes its table and its YAML files in place."""
