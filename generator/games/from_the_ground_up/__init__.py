"""From the Ground Up."""

DECK = "cards"
"""The component with the cards of the game."""
