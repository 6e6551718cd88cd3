"""Changes that break a rule for certain: whichever legal game they are made to, the rule is found broken.

Every change is made to each of `GAMES` random games where it can be, at a random one of the turns it can be made at,
and at least three times. For a long run set PENCILBOX_GAMES=2000.
"""

import os

import pytest

from generator.games.cosmic_consequences.play import DECK, PILE
from tests.games.cosmic_consequences import card_changes, move_changes
from tests.games.cosmic_consequences.changes import CHANGES, Game
from tests.games.cosmic_consequences.judging import broken
from tests.games.cosmic_consequences.playing import NAMES

GAMES = int(os.environ.get("PENCILBOX_GAMES", "12"))
assert move_changes and card_changes  # which enter themselves


@pytest.mark.parametrize("name", CHANGES)
def test_the_change_is_always_found(game, name):
    function, rules, cards = CHANGES[name]
    made = 0
    for seed in range(50 * GAMES):
        if seed >= GAMES and made >= 3:
            break
        legal = Game(game, seed, cards)
        places = list(range(len(legal.turns)))
        legal.rng.shuffle(places)
        if any(function(legal, at) for at in places):
            made += 1
            assert rules & broken(legal.sheet), seed
    assert made >= 3


def test_the_deck_and_the_pile_are_no_seats():
    assert {DECK, PILE} & set(range(len(NAMES))) == set()
