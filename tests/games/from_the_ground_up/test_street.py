"""Cards laid side by side make one street."""

from generator.codes import parse
from generator.games import deal
from generator.imposition.seams import seams
from generator.printing.press import Press

SETS = None, "GU-1CFC-JTRQV-WHKKY-4A"
"""The standard cards, and a random set whose code has letters that reach below the line."""


def test_cards_of_any_set_meet_at_the_same_heights(game):
    for code in SETS:
        press = Press(game, deal(game, code and parse(code)))
        part = press.part("cards")
        found = seams(press.front_sides(part), press.back_sides(part))
        assert found.across, code
