"""Cards laid side by side make one street, and their texts stand out."""

from generator.draws import parse
from generator.games import deal
from generator.geometry.frame import Icon
from generator.model.colours import brightness
from generator.pages.seams import seams
from generator.printing.press import Press

GROUND = 41.2
SETS = None, "GU-1CFC-JTRQV-WHKKY-4A", "GU-1CF6-3CC9K-ZCDG4-NV"
"""The standard cards, a random set whose code has letters that reach below the line, and one with high scaffolding."""


def test_cards_of_any_set_meet_and_buildings_stand_between_crates_and_ground(game):
    for code in SETS:
        press = Press(game, deal(game, code and parse(code)))
        fronts, backs = (list(sides(press.part("cards"))) for sides in (press.front_sides, press.back_sides))
        assert seams(fronts, backs).across, code
        for front in fronts:
            crates = max(slot.y + slot.height for slot in front.slots() if slot.id != "star")
            for item in front.items:
                if isinstance(item, Icon) and item.name.startswith(("tower", "house", "cottage", "scaffolding")):
                    assert item.y > crates and item.y + item.height > GROUND - 0.01, (code, front.name)


def test_texts_on_cards_and_boxes_stand_out(game):
    on = {"badge": "top high low", "on-earth": "earth soil clay", "on-sign": "sign", "ink": "sand", "top": "sand paper"}
    for theme in game.theme, game.low_ink:
        colours = theme.colours
        for text, grounds in on.items():
            for ground in grounds.split():
                levels = sorted((brightness(colours[text]), brightness(colours[ground])))
                assert levels[1] / levels[0] >= 4.5, (text, ground)
