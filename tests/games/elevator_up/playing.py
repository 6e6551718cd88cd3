"""Random legal games as logs with their deal, as plain data."""

import random

from msgspec import structs

from generator import games
from generator.draws.own_sets import drawn_set
from generator.games.elevator_up import play

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve"]


def spec_of(game, **options):
    return play.Spec(structs.replace(game, rules={**game.rules, **options}))


def dealt_cards(game, code):
    """The deal of a code by the names of the cards."""
    dealt = drawn_set(game, code)[2]
    down, up, hands = (tuple(hand[part] for hand in dealt.hands) for part in ("down", "up", "hand"))
    return play.DealtCards(down, up, hands, dealt.piles["deck"])


def random_sheet(game, seed, most_turns=250, **options):
    """A game with 2 to 5 players up to its end or `most_turns`; all choices depend on the seed."""
    rng = random.Random(seed)
    spec = spec_of(game, **options)
    dealt = dealt_cards(game, games.new_code(game, f"game {seed}", options={"players": str(rng.randint(2, 5))}))
    names = NAMES[: len(dealt.hands)]
    dealt_names = {"deck": list(dealt.deck)}
    for part, rows in (("hands", dealt.hands), ("up", dealt.up), ("down", dealt.down)):
        dealt_names[part] = {name: list(row) for name, row in zip(names, rows, strict=True)}
    swaps = {
        name: swap for name in names if (swap := random_swap(rng, dealt_names["hands"][name], dealt_names["up"][name]))
    }
    state = opening(spec, dealt_names, swaps)
    turns = []
    while state.winner == play.NONE and len(turns) < most_turns:
        move = choice(rng, state)
        turns.append(turn(spec, names, move))
        state = play.apply(state, move)
    sheet = {"game": "elevator_up", "players": names, "deal": dealt_names, "swaps": swaps, "turns": turns}
    return sheet | ({"out": names[state.winner]} if state.winner != play.NONE else {})


def random_swap(rng, hand, up):
    count = rng.randint(0, 2)
    return {"up": rng.sample(hand, count), "hand": rng.sample(up, count)} if count else None


def opening(spec, dealt_names, swaps):
    """The state after a deal and swaps, with cards by name."""
    hands, up = ({name: list(row) for name, row in dealt_names[part].items()} for part in ("hands", "up"))
    for name, swap in swaps.items():
        for source, target, cards in ((hands, up, swap["up"]), (up, hands, swap["hand"])):
            for card in cards:
                source[name].remove(card)
                target[name].append(card)
    rows = [[tuple(map(spec.names.index, row)) for row in part.values()] for part in (hands, up, dealt_names["down"])]
    hands, up, down = map(tuple, rows)
    return play.start(spec, play.DealtCards(down, up, hands, tuple(map(spec.names.index, dealt_names["deck"]))))


def choice(rng, state):
    moves = play.legal(state)
    if moves[0].kind == "flip":  # each face-down card is equally likely, even if several are the same
        return play.Move("flip", state.seat, (rng.choice(state.down[state.seat]),))
    return rng.choice(moves)


def turn(spec, names, move):
    """A move as a turn of a log."""
    plain = {"player": names[move.seat]}
    if move.kind == "pickup":
        return plain | {"pickup": True}
    cards = [spec.names[card] for card in move.cards]
    return plain | ({"play": cards} if move.kind == "play" else {"flip": cards[0]})
