"""Changes that break a rule for certain: whichever legal game they are made to, the rule is found broken.

Every change is made to each of `GAMES` random games where it can be, at a random one of the turns it can be made at,
and at least three times. For a long run set PENCILBOX_GAMES=2000.
"""

import copy
import os
import random

import pytest

from generator.games.cosmic_consequences import play
from generator.games.cosmic_consequences.play import DECK, PILE
from tests.games.cosmic_consequences.judging import broken
from tests.games.cosmic_consequences.playing import NAMES, card_id, deck_ids, random_turn, shuffled, written_hands

GAMES = int(os.environ.get("PENCILBOX_GAMES", "12"))
CHANGES = {}


def change(*rules, cards=True):
    """Enters a change: a function of a `Game` that changes it at a turn, or says False where it cannot be made there.
    One of `rules` must be found."""
    def enter(function):
        CHANGES[function.__name__] = (function, set(rules), cards)
        return function
    return enter


class Game:
    """A legal game: its sheet, and the table before every turn."""

    def __init__(self, game, seed, cards):
        self.rng = random.Random(seed)
        self.spec = play.spec(game, cards)
        self.ways = self.spec.ways
        self.names = NAMES[:self.rng.randint(2, 5)]
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

    def without_actions(self, at, **done):
        """The turn with another action, or none, and without what follows that is not asked for then."""
        for key in self.acts(at):
            del self.turns[at][key]
        self.turns[at].update(done)
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
        return self.rng.choice([space for space in self.ways.kinds if space not in spaces])


@change("turn-order")
def another_player(game, at):
    game.turns[at]["player"] = game.rng.choice(game.others(game.turns[at]["player"]))
    return True


@change("turn-named")
def nobody(game, at):
    del game.turns[at]["player"]
    return True


@change("turn-told")
def no_roll(game, at):
    return game.turns[at].pop("roll", 0) > 0


@change("turn-told")
def no_space(game, at):
    return bool(game.turns[at].pop("to", ""))


MOVED = ("bump", "receiver-jumps", "across", "together", "first-three")
"""What can be said of a move instead, where the pawn was moved by something else before."""
MOVES = ("move", "arrow", "curved", "wormhole", "loop", "jump", *MOVED)


@change(*MOVES)
def a_space_that_the_roll_does_not_lead_to(game, at):
    _state, _seat, here = game.before(at)
    turn = game.turns[at]
    if game.acts(at) or "roll" not in turn:
        return False
    turn["to"] = game.elsewhere({*game.ways.walks(here, turn["roll"]), "big-bang"})
    return True


@change(*MOVES, cards=False)
def another_space_in_a_race(game, at):
    return a_space_that_the_roll_does_not_lead_to(game, at)


@change("loop", *MOVED)
def out_of_the_loop(game, at):
    _, _, here = game.before(at)
    turn = game.turns[at]
    if here != "left-5" or game.acts(at) or "roll" not in turn:
        return False
    turn.update(roll=4, to=game.rng.choice(["left-1", "em-1", "left-centre"]))
    return True


@change("wormhole", *MOVED)
def not_across(game, at):
    _, _, here = game.before(at)
    turn = game.turns[at]
    if here not in game.ways.wormholes or game.acts(at) or "roll" not in turn:
        return False
    side, number = here.split("-")
    turn.update(roll=1, to=f"{side}-{int(number) + 1}")
    return True


@change("arrow", *MOVED)
def past_the_arrow(game, at):
    _, _, here = game.before(at)
    turn = game.turns[at]
    if here not in game.ways.entry or game.acts(at) or "roll" not in turn:
        return False
    turn["to"] = game.ways.lap[game.ways.lap.index(here) + turn["roll"]]
    return True


@change("curved", *MOVED)
def on_past_the_exit(game, at):
    _, _, here = game.before(at)
    turn = game.turns[at]
    if here not in ("left-8", "right-8") or game.acts(at) or "roll" not in turn:
        return False
    turn.update(roll=2, to=here.replace("8", "2"))
    return True


@change("bump")
def a_bumped_pawn_that_stays(game, at):
    """The next turn of a player who was bumped begins where the pawn stood before."""
    if at + 1 >= len(game.turns) or game.acts(at + 1) or game.acts(at) or "roll" not in game.turns[at + 1]:
        return False
    before, after = game.states[at], game.states[at + 1]
    seat = after.seat
    turn = game.turns[at + 1]
    if before.at[seat] == after.at[seat] or seat == before.seat:
        return False
    ends = set(game.ways.walks(before.at[seat], turn["roll"])) - set(game.ways.walks(after.at[seat], turn["roll"]))
    ends -= {"big-bang"}
    if not ends:
        return False
    turn["to"] = game.rng.choice(sorted(ends))
    return True


@change("jump", *MOVED)
def a_jump_not_gone(game, at):
    _state, _seat, here = game.before(at)
    turn = game.turns[at]
    if "jump" not in turn or "roll" not in turn:
        return False
    card = turn["jump"]["card"] if isinstance(turn["jump"], dict) else turn["jump"]
    there = game.ways.jump(here, number(card))
    ends = set(game.ways.walks(here, turn["roll"])) - set(game.ways.walks(there, turn["roll"])) - {"big-bang"}
    if not ends:
        return False
    turn["to"] = game.rng.choice(sorted(ends))
    return True


def number(card):
    suit, _, text = card.partition("-")
    return {"dragon": 1, "tiger": -1, "zero": 0}[suit] * int(text)


@change("one-action")
def two_actions(game, at):
    _state, _seat, _here = game.before(at)
    if game.acts(at) != ["draw"] or game.turns[at]["draw"]["from"] != "deck":
        return False
    game.turns[at]["jump"] = game.turns[at]["draw"]["card"]
    return True


@change("where-act")
def a_draw_where_none_is(game, at):
    state, _seat, here = game.before(at)
    if game.ways.kinds[here] == "cc":
        return False
    return game.without_actions(at, draw={"from": "deck", "card": card_id(game.rng.choice(state.deck))})


@change("where-act")
def an_action_on_green_or_orange(game, at):
    _state, seat, here = game.before(at)
    return bool(game.ways.asks(here)) and game.without_actions(
        at, discard={"card": "dragon-1", "onto": game.rng.choice(game.others(game.names[seat])), "with": "tiger-1"})


@change("in-hand")
def a_jump_with_a_card_of_somebody_else(game, at):
    state, seat, here = game.before(at)
    strange = [card for card in game.spec.deck if card not in state.cc[seat]]
    return game.ways.kinds[here] == "cc" and game.without_actions(at, jump=card_id(game.rng.choice(strange)))


@change("deck")
def a_card_that_is_not_in_the_deck(game, at):
    state, _seat, here = game.before(at)
    out = [card for card in game.spec.deck if card not in state.deck]
    if game.ways.kinds[here] != "cc" or not out:
        return False
    return game.without_actions(at, draw={"from": "deck", "card": card_id(game.rng.choice(out))})


@change("pile")
def a_card_that_is_not_on_top_of_the_pile(game, at):
    state, _seat, here = game.before(at)
    wrong = [card for card in game.spec.deck if state.pile[-1:] != (card,)]
    if game.ways.kinds[here] != "cc":
        return False
    return game.without_actions(at, draw={"from": "pile", "card": card_id(game.rng.choice(wrong))})


@change("draw-from")
def a_draw_from_a_player(game, at):
    state, seat, here = game.before(at)
    having = [other for other in range(len(game.names)) if other != seat and state.cc[other]]
    if game.ways.kinds[here] != "cc" or not having:
        return False
    other = game.rng.choice(having)
    return game.without_actions(at, draw={"from": game.names[other], "card": card_id(state.cc[other][0])})


@change("discard")
def a_discard_onto_the_pile(game, at):
    state, seat, here = game.before(at)
    return bool(state.cc[seat]) and not game.ways.asks(here) and game.without_actions(
        at, discard={"card": card_id(state.cc[seat][0]), "onto": "pile"})


@change("discard")
def a_discard_that_makes_no_zero(game, at):
    state, seat, here = game.before(at)
    pairs = [(card, other, below) for card in state.cc[seat] for other in range(len(game.names)) if other != seat
             for below in state.loose[other] if card + below]
    if game.ways.asks(here) or not pairs:
        return False
    card, other, below = game.rng.choice(pairs)
    return game.without_actions(at, discard={"card": card_id(card), "onto": game.names[other],
                                             "with": [card_id(below)]})


@change("leaving")
def no_card_on_leaving(game, at):
    _state, _seat, here = game.before(at)
    if here != "big-bang" or game.acts(at) or "forced" not in game.turns[at]:
        return False
    del game.turns[at]["forced"]
    return True


@change("leaving")
def not_the_top_card(game, at):
    state, _seat, here = game.before(at)
    if here != "big-bang" or game.acts(at) or len(set(state.deck)) < 2:
        return False
    entries = game.entries(at)
    own = [entry for entry in entries if "player" not in entry]
    wrong = [card for card in state.deck[1:] if card != state.deck[0]]
    own[0]["draw"]["card"] = card_id(game.rng.choice(wrong))
    return True


def comes_to(game, at, kind):
    """Whether nothing is asked for in the turn but by the space of this kind that the mover comes to."""
    turn = game.turns[at]
    _, _, here = game.before(at)
    alone = len(game.entries(at)) == 1 and "player" not in game.entries(at)[0] and not game.acts(at)
    return alone and "to" in turn and game.ways.asks(turn["to"]) == kind and here != "big-bang" \
        and not game.ways.walks(here, turn["roll"])[turn["to"]].leaves


@change("orange")
def no_card_on_orange(game, at):
    if not comes_to(game, at, "orange"):
        return False
    del game.turns[at]["forced"]
    return True


@change("orange-ways", "locked", "in-hand")
def a_card_that_one_cannot_take_on_orange(game, at):
    """A cc-side card with own ones there, or a number-side one that makes no zero."""
    if not comes_to(game, at, "orange"):
        return False
    state, seat, _ = game.before(at)
    others = [other for other in range(len(game.names)) if other != seat]
    wrong = [(other, card) for other in others for card in state.cc[other] if state.cc[seat]]
    wrong += [(other, card) for other in others for card in state.loose[other]
              if not play.choices(state.loose[seat], -card)]
    wrong += [(other, card) for other in others for stack in state.stacks[other] for card in stack
              if card and card not in state.cc[other]]
    if not wrong:
        return False
    other, card = game.rng.choice(wrong)
    return game.force(at, {"draw": {"from": game.names[other], "card": card_id(card)}})


@change("green-ways")
def a_cc_card_to_who_has_one(game, at):
    state, seat, _ = game.before(at)
    having = [other for other in range(len(game.names)) if other != seat and state.cc[other]]
    if not comes_to(game, at, "green") or not having or not state.cc[seat]:
        return False
    return game.force(at, {"discard": {"card": card_id(state.cc[seat][0]), "onto": game.names[having[0]]}})


@change("green-ways")
def a_number_that_makes_no_zero(game, at):
    state, seat, _ = game.before(at)
    wrong = [(card, other) for card in state.loose[seat] for other in range(len(game.names))
             if other != seat and not play.choices(state.loose[other], -card)]
    if not comes_to(game, at, "green") or not wrong:
        return False
    card, other = game.rng.choice(wrong)
    return game.force(at, {"discard": {"card": card_id(card), "onto": game.names[other]}})


@change("in-hand")
def a_card_discarded_that_one_has_not(game, at):
    state, seat, _ = game.before(at)
    mine = state.cc[seat] + state.loose[seat] + sum(state.stacks[seat], ())
    strange = [card for card in game.spec.deck if card not in mine and card]
    return comes_to(game, at, "green") and game.force(
        at, {"discard": {"card": card_id(game.rng.choice(strange)), "onto": "pile"}})


@change("not-asked", "after-the-end")
def a_card_too_many(game, at):
    entries = [*game.entries(at), {"draw": {"from": "deck", "card": "dragon-1"}}]
    return game.force(at, [*entries, copy.deepcopy(entries[-1])])


@change("after-the-end")
def a_turn_after_the_end(game, at):
    if not play.is_over(game.states[-1]):
        return False
    game.turns.append({"player": game.names[0], "roll": 1, "to": "is-1"})
    return True


@change("after-the-end", cards=False)
def a_turn_after_the_race(game, at):
    return a_turn_after_the_end(game, at)


@change("race", cards=False)
def a_card_in_a_race(game, at):
    game.turns[at].update(game.rng.choice([{"draw": "deck +3"}, {"jump": "0"}, {"forced": "draw deck +3"}]))
    return True


@change("deal")
def a_card_twice_in_the_deck(game, at):
    deck = game.sheet["deal"]["deck"]
    deck[0] = deck[1] if not deck[1].startswith("zero") else deck[2] if not deck[2].startswith("zero") else deck[3]
    return True


@change("hands-agree")
def a_card_more_in_a_hand(game, at):
    name = game.rng.choice(game.names)
    held = game.sheet["hands"][name]
    free = [card for card in game.states[-1].deck if card]
    if not free:
        return False
    held[game.rng.choice(["cc_up", "number_up"])].append(card_id(game.rng.choice(free)))
    return True


@change("hands-agree")
def a_card_turned_over_in_a_hand(game, at):
    having = [name for name in game.names if game.sheet["hands"][name]["cc_up"]]
    if not having:
        return False
    held = game.sheet["hands"][game.rng.choice(having)]
    held["number_up"].append(held["cc_up"].pop())
    return True


@change("stack-zero")
def a_stack_that_is_none(game, at):
    having = [(name, stack) for name in game.names for stack in game.sheet["hands"][name]["stacks"] if len(stack) > 1]
    if not having:
        return False
    game.rng.choice(having)[1].pop()
    return True


@change("card-once")
def a_card_in_two_hands(game, at):
    having = [name for name in game.names if game.sheet["hands"][name]["cc_up"]]
    if not having:
        return False
    name = game.rng.choice(having)
    card = game.sheet["hands"][name]["cc_up"][0]
    other = game.sheet["hands"][game.rng.choice(game.others(name))]
    other["number_up"] += [card] * (2 if card.startswith("zero") else 1)
    return True


@change("claimed-stacks")
def a_wrong_claim(game, at):
    name = game.rng.choice(game.names)
    held = game.sheet["hands"][name]
    held["claimed"] = {"stacks": len(held["stacks"]) + 1}
    return True


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
