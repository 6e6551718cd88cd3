"""Changes that always break a rule, made to random legal games: the judge must find the broken rule.

Each change is made to each of `GAMES` random games, at a random turn that allows it. For a long run, set
PENCILBOX_GAMES=2000.
"""

import os
import random
from collections import Counter

import pytest

from generator.games.elevator_up import play
from tests.games.elevator_up.judging import broken
from tests.games.elevator_up.playing import opening, random_sheet, spec_of

GAMES = int(os.environ.get("PENCILBOX_GAMES", "4"))
ORDER = {"turn-order", "skips", "new-building", "four-of-a-kind"}
CHANGES = {}


def change(*rules, without_deal=True):
    """Registers a change: a function that changes a `Game` at a turn, or returns False if it cannot. The judge must
    find one of `rules`, also without the deal if `without_deal` is true."""

    def enter(function):
        CHANGES[function.__name__] = (function, set(rules), without_deal)
        return function

    return enter


class Game:
    """A legal game: its sheet, and the table before each turn."""

    def __init__(self, game, seed):
        self.rng = random.Random(seed)
        self.spec = spec_of(game)
        self.sheet = random_sheet(game, seed, most_turns=self.rng.choice([20, 60, 250]))
        self.turns = self.sheet["turns"]
        self.states = [opening(self.spec, self.sheet["deal"], self.sheet["swaps"])]
        for turn in self.turns:
            self.states.append(play.apply(self.states[-1], self.move(turn)))

    def move(self, turn):
        seat = self.sheet["players"].index(turn["player"])
        if "pickup" in turn:
            return play.Move("pickup", seat)
        cards = turn.get("play") or [turn["flip"]]
        return play.Move("play" if "play" in turn else "flip", seat, tuple(map(self.spec.names.index, cards)))

    def instead(self, at, **done):
        self.turns[at] = {"player": self.turns[at]["player"], **done}
        return True

    def names(self, cards):
        return [self.spec.names[card] for card in cards]

    def others(self, name):
        return [other for other in self.sheet["players"] if other != name]


@change(*ORDER, "after-the-end")
def another_player(game, at):
    """If the winner's last turn is changed and hands are not known, the game seems to be over before it."""
    game.turns[at]["player"] = game.rng.choice(game.others(game.turns[at]["player"]))
    return True


@change("turn-order")
def an_extra_turn(game, at):
    """Another turn after one that gives no extra turn."""
    turn, after = game.turns[at], game.states[at + 1]
    if after.winner != play.NONE or game.sheet["players"][after.seat] == turn["player"]:
        return False
    if game.spec.door_closed in after.pile[-1:]:
        return False
    fails = "flip" in turn and not play.stays(game.states[at], game.move(turn))
    game.turns.insert(
        at + 1,
        {"player": turn["player"], "play": ["penthouse"]} if fails else {"player": turn["player"], "pickup": True},
    )
    return True


@change("beats")
def a_lower_floor(game, at):
    below = play.to_beat(game.spec, game.states[at].pile)
    floor = game.spec.floors[below] if below != play.NONE else 0
    return floor > 1 and game.instead(at, play=[str(game.rng.randint(1, floor - 1))])


@change("beats")
def a_floor_on_a_penthouse(game, at):
    below = play.to_beat(game.spec, game.states[at].pile)
    return below != play.NONE and game.spec.names[below] == "penthouse" and game.instead(at, play=["9"])


@change("door-closed")
def door_closed_on_a_special_card(game, at):
    pile = game.states[at].pile
    return bool(pile) and not game.spec.floors[pile[-1]] and game.instead(at, play=["door-closed"])


@change("same-cards")
def two_different_cards(game, at):
    one, other = game.rng.sample(game.spec.names, 2)
    return game.instead(at, play=[one, other])


@change("one-thing")
def nothing_done(game, at):
    return game.instead(at)


@change("one-thing")
def two_things_done(game, at):
    return game.instead(at, play=["1"], **game.rng.choice([{"flip": "1"}, {"pickup": True}]))


@change("pickup")
def taking_a_pile_that_is_not_there(game, at):
    return not game.states[at].pile and game.instead(at, pickup=True)


@change("pickup", without_deal=False)
def taking_the_pile_instead_of_playing(game, at):
    return "pickup" not in game.turns[at] and game.instead(at, pickup=True)


@change("beats", "door-closed", without_deal=False)
def playing_instead_of_taking_the_pile(game, at):
    state = game.states[at]
    held = state.hands[state.seat] or state.up[state.seat]
    return "pickup" in game.turns[at] and game.instead(at, play=game.names([game.rng.choice(held)]))


@change("in-hand", without_deal=False)
def a_card_of_somebody_else(game, at):
    state = game.states[at]
    own = {*state.hands[state.seat], *state.up[state.seat], *state.down[state.seat]}
    foreign = [card for card in range(len(game.spec.names)) if card not in own]
    return bool(foreign) and game.instead(at, play=game.names([game.rng.choice(foreign)]))


@change("in-hand", without_deal=False)
def one_card_more_than_held(game, at):
    state, turn = game.states[at], game.turns[at]
    if "play" not in turn:
        return False
    card = game.move(turn).cards[0]
    count = [*state.hands[state.seat], *state.up[state.seat], *state.down[state.seat]].count(card)
    return count < 4 and game.instead(at, play=game.names([card] * (count + 1)))


@change("phases", without_deal=False)
def a_face_up_card_too_early(game, at):
    state = game.states[at]
    hand, up = state.hands[state.seat], state.up[state.seat]
    early = [card for card in up if card not in hand]
    return bool(hand and early) and game.instead(at, play=game.names([game.rng.choice(early)]))


@change("phases", without_deal=False)
def a_flip_too_early(game, at):
    state = game.states[at]
    down = state.down[state.seat]
    return (
        bool(down)
        and play.next_part(state, state.seat) != "down"
        and game.instead(at, flip=game.spec.names[game.rng.choice(down)])
    )


@change("flip", without_deal=False)
def a_flip_of_no_hidden_card(game, at):
    state = game.states[at]
    strange = [card for card in range(len(game.spec.names)) if card not in state.down[state.seat]]
    return "flip" in game.turns[at] and game.instead(at, flip=game.spec.names[game.rng.choice(strange)])


@change("failed-flip")
def a_pick_up_after_a_failed_flip(game, at):
    turn = game.turns[at]
    if "flip" not in turn or play.stays(game.states[at], game.move(turn)):
        return False
    game.turns.insert(at + 1, {"player": turn["player"], "pickup": True})
    return True


@change("copies", "in-hand", "phases")
def more_copies_than_there_are(game, at):
    """Without the deal: with the cards already played, more cards of one kind are played than the deck has."""
    state = game.states[at]
    seen = Counter(state.pile + state.gone)
    card = next(
        (card for card in sorted(seen, key=seen.get, reverse=True) if seen[card] + 4 > game.spec.copies[card]), None
    )
    return card is not None and game.instead(at, play=game.names([card] * 4))


@change("after-the-end")
def a_turn_after_the_end(game, at):
    if "out" not in game.sheet:
        return False
    game.turns.append({"player": game.rng.choice(game.others(game.sheet["out"])), "play": ["penthouse"]})
    return True


@change("out", "after-the-end")
def another_player_out(game, at):
    last = game.turns[-1]["player"]
    game.sheet["out"] = game.rng.choice(game.others(last))
    return True


@change("deal", without_deal=False)
def a_card_dealt_once_too_often(game, at):
    deck = game.sheet["deal"]["deck"]
    place = game.rng.randrange(len(deck))
    deck[place] = game.rng.choice([name for name in game.spec.names if name != deck[place]])
    return True


@change("deal", without_deal=False)
def a_card_dealt_to_the_wrong_place(game, at):
    part = game.sheet["deal"][game.rng.choice(["hands", "up", "down"])]
    game.sheet["deal"]["deck"].append(part[game.rng.choice(game.sheet["players"])].pop())
    return True


@change("swaps", without_deal=False)
def a_swap_with_the_deck(game, at):
    name = game.rng.choice(game.sheet["players"])
    up = game.sheet["deal"]["up"][name]
    strange = [card for card in game.spec.names if card not in game.sheet["deal"]["hands"][name]]
    game.sheet["swaps"][name] = {"up": [game.rng.choice(strange)], "hand": up[:1]}
    return True


@pytest.mark.parametrize("name", CHANGES)
def test_the_change_is_always_found(game, name):
    function, rules, without_deal = CHANGES[name]
    changes = 0
    for seed in range(GAMES):
        legal = Game(game, seed)
        places = list(range(len(legal.turns)))
        legal.rng.shuffle(places)
        if any(function(legal, at) for at in places):
            changes += 1
            assert rules & broken(legal.sheet), seed
            without = {key: value for key, value in legal.sheet.items() if key not in ("deal", "swaps")}
            assert not without_deal or rules & broken(without), seed
    assert changes >= GAMES // 12
