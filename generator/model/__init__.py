"""What YAML says of a game: its cards, sheets and boards as types."""
