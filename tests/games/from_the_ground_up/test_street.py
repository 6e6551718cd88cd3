"""Cards laid side by side make one street, and their texts stand out."""

from generator.codes import parse
from generator.definitions.colours import brightness
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


def test_texts_on_cards_and_boxes_stand_out(game):
    on = {"badge": "top high low", "on-earth": "earth soil clay", "on-sign": "sign", "ink": "sand", "top": "sand paper"}
    for theme in game.theme, game.low_ink:
        colours = theme.colours
        for text, grounds in on.items():
            for ground in grounds.split():
                levels = sorted((brightness(colours[text]), brightness(colours[ground])))
                assert levels[1] / levels[0] >= 4.5, (text, ground)
