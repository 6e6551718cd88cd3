"""Changes that are certain to break a rule, in whatever legal game they are made.

Each change is made in each of `GAMES` random games that allows it, at a random turn that allows it, and at least
three times. For a long run set PENCILBOX_GAMES=2000.
"""

import os

import pytest

from generator.games.cosmic_consequences import play
from generator.games.cosmic_consequences.play import DECK, PILE
from tests.games.cosmic_consequences import card_changes, move_changes
from tests.games.cosmic_consequences.changes import CHANGES, Game
from tests.games.cosmic_consequences.judging import broken
from tests.games.cosmic_consequences.playing import NAMES

GAMES = int(os.environ.get("PENCILBOX_GAMES", "2"))
assert move_changes and card_changes  # imported to register their changes


@pytest.mark.parametrize("name", CHANGES)
def test_every_change_is_reported(game, name):
    function, rules, cards = CHANGES[name]
    count = 0
    for seed in range(600 + GAMES):
        if seed >= GAMES and count >= 3:
            break
        legal = Game(game, seed, cards)
        places = list(range(len(legal.turns)))
        legal.rng.shuffle(places)
        if any(function(legal, at) for at in places):
            count += 1
            assert rules & broken(legal.sheet), seed
    assert count >= 3


def test_the_deck_and_the_pile_are_not_seats():
    assert {DECK, PILE} & set(range(len(NAMES))) == set()


def test_hands_may_say_that_the_game_ended_in_a_turn_without_a_roll(game):
    """C31: a stack exists when `hands:` says so. With three of them, the turn that made the last is the end."""
    legal = Game(game, 104, cards=True)
    assert play.is_over(legal.states[-1]) and "roll" not in legal.turns[-1]
    assert broken(legal.sheet) == set()
    legal.turns.append({"player": legal.names[0], "roll": 1, "to": "is-1"})
    assert broken(legal.sheet) == {"after-the-end"}
    del legal.sheet["hands"]
    assert broken(legal.sheet) == {"turn-told"}
