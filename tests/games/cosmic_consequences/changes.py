"""Legal games to change, and the list of all changes (in `move_changes` and `card_changes`)."""

import random

from generator.games.cosmic_consequences import play
from tests.games.cosmic_consequences.playing import NAMES, deck_ids, random_turn, shuffled, written_hands

CHANGES = {}


def change(*rules, cards=True):
    """Registers a change: a function that changes a `Game` at a turn, or returns False if that turn does not allow it.
    The changed game must break one of `rules`."""

    def enter(function):
        CHANGES[function.__name__] = (function, set(rules), cards)
        return function

    return enter


class Game:
    """A legal game: its sheet and the table before every turn."""

    def __init__(self, game, seed, cards):
        self.rng = random.Random(seed)
        self.spec = play.Spec(game, cards)
        self.routes = self.spec.routes
        self.names = NAMES[: self.rng.randint(2, 5)]
        deck = shuffled(self.spec, self.rng)
        self.states = [play.start(self.spec, len(self.names), deck)]
        self.turns = []
        most = self.rng.choice([25, 60, 120])
        while not play.is_over(self.states[-1]) and len(self.turns) < most:
            turn, state = random_turn(self.rng, self.names, self.states[-1])
            self.turns.append(turn)
            self.states.append(state)
        self.sheet = {"game": "cosmic_consequences", "players": self.names, "turns": self.turns, "cards": cards}
        if cards:
            self.sheet |= {"deal": {"deck": deck_ids(deck)}, "hands": written_hands(self.names, self.states[-1])}

    def before(self, at):
        state = self.states[at]
        return state, state.seat, state.at[state.seat]

    def acts(self, at):
        return [key for key in ("draw", "jump", "discard") if key in self.turns[at]]

    def without_actions(self, at, **action):
        """Replaces or removes the card action of a turn."""
        for key in self.acts(at):
            del self.turns[at][key]
        self.turns[at].update(action)
        return True

    def entries(self, at):
        forced = self.turns[at].get("forced", [])
        return forced if isinstance(forced, list) else [forced]

    def force(self, at, entries):
        self.turns[at]["forced"] = entries
        return True

    def others(self, name):
        return [other for other in self.names if other != name]

    def elsewhere(self, spaces):
        return self.rng.choice([space for space in self.routes.kinds if space not in spaces])


def number(card):
    suit, _, text = card.partition("-")
    return {"dragon": 1, "tiger": -1, "zero": 0}[suit] * int(text)
