"""The content of a game's YAML files as types: its cards, sheets and boards."""
