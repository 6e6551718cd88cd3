"""Random legal games as sheets with their log, as plain data."""

import random

from generator.games.from_the_ground_up import play

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]


def random_sheet(specs, seed, most_entries=None, stall=False):
    """A game with 2 to 6 players up to its end or `most_entries`; all choices depend on the seed."""
    rng = random.Random(seed)
    players = rng.randint(2, 6)
    each = 3 if players < 5 else 2
    drawn = rng.sample(specs, players * each)
    hands = [drawn[seat * each : (seat + 1) * each] for seat in range(players)]
    state = play.start(hands, rng.randrange(players), stall)
    log = []
    while not play.is_over(state) and (most_entries is None or len(log) < most_entries):
        roll = rng.randint(1, 6)
        move = _choice(rng, state, roll)
        log.append(entry(state, move, roll))
        state = play.apply(state, move)
    deal = {NAMES[seat]: [spec.name for spec in hand] for seat, hand in enumerate(hands)}
    return sheet(state, deal, log) | ({"variant": "stall"} if stall else {})


def _choice(rng, state, roll):
    moves = play.legal(state, roll)
    if state.passing:  # everybody passes at the same time, so any order will do
        waiting = [seat for seat, hand in enumerate(state.hands) if hand and state.passed[seat] == play.NONE]
        moves = play.passes(state, rng.choice(waiting))
    return rng.choice(moves)


def entry(state, move, roll):
    """A move as an entry of a log."""
    name = state.specs[move.card].name if move.card != play.NONE else ""
    if move.kind == "pass":
        return {"player": NAMES[move.seat], "pass": name}
    turn = {"player": NAMES[move.seat], "roll": roll}
    if move.kind == "flip":
        return turn | {"flip": name}
    if move.kind == "nothing":
        return turn
    where = {"tick": move.place} if move.kind == "tick" else {"crate": move.place} if move.place else {"star": True}
    return turn | {"mark": {"card": name, **where}}


def sheet(state, deal, log):
    hands = play.passed_on(state)
    players = [
        {"name": name, "cards": [card(state, number) for number in hand]}
        for name, hand in zip(deal, hands, strict=True)
    ]
    shared = [card(state, number) | {"ticked": sorted(state.ticks[number])} for number in state.shared]
    return {"game": "from_the_ground_up", "players": players, "shared": shared, "deal": deal, "log": log}


def card(state, number):
    star, *crates = state.writing[number]
    typed = {"card": state.specs[number].name, "crates": [value or None for value in crates]}
    if star:
        typed["star"] = star
    return typed | ({"flipped": True} if number in state.flipped else {})
