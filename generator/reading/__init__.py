"""YAML → a game: every problem at once, each with file and line."""
