"""Random legal games as travel logs (plain data)."""

import random

from generator.games.cosmic_consequences import play
from generator.games.cosmic_consequences.play import DECK, PILE

NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay"]


def card_id(number, zeros=("zero-1", "zero-2")):
    return zeros[0] if number == 0 else f"{'dragon' if number > 0 else 'tiger'}-{abs(number)}"


def shuffled(spec, rng):
    deck = list(spec.deck)
    rng.shuffle(deck)
    return deck


def deck_ids(deck):
    zeros = iter(("zero-1", "zero-2"))
    return [card_id(card) if card else next(zeros) for card in deck]


def choice(rng, moves):
    """A random move: first a kind of move, then a move of that kind, each equally likely."""
    kind = rng.choice(sorted({(move.kind, move.place if move.place < 0 else 0) for move in moves}))
    return rng.choice([move for move in moves if (move.kind, move.place if move.place < 0 else 0) == kind])


def random_sheet(game, seed, most_turns=120, cards=True, with_deck=True, hands=True, deck=None, eager=True):
    """A game of 2 to 6 players played to its end (or to `most_turns`), all choices depending on the seed. Players who
    are not `eager` leave cards loose that they could stack, and play on."""
    rng = random.Random(seed)
    spec = play.Spec(game, cards, eager=eager)
    names = NAMES[: rng.randint(2, 6)]
    deck = deck or shuffled(spec, rng)
    state = play.start(spec, len(names), deck)
    turns = []
    while not play.is_over(state) and len(turns) < most_turns:
        turn, state = random_turn(rng, names, state)
        turns.append(turn)
    sheet = {"game": "cosmic_consequences", "players": names, "turns": turns}
    if not cards:
        return sheet | {"cards": False}
    if with_deck:
        sheet["deal"] = {"deck": deck_ids(deck)}
    return sheet | ({"hands": written_hands(names, state)} if hands else {})


def random_turn(rng, names, state):
    """A random turn as in a log, and the table after it."""
    seat, roll = state.seat, rng.randint(1, 6)
    turn, forced = {"player": names[seat]}, []
    while not play.is_over(state) and state.seat == seat:
        consequence = state.consequences[0] if state.consequences else None
        move = choice(rng, play.legal(state, roll))
        state = play.apply(state, move)
        if move.kind == "go":
            turn |= {"roll": roll, "to": move.to}
        elif move.kind != "pass":
            entry = written(names, move)
            if consequence is None:
                turn |= entry
            else:
                forced.append(entry if consequence.seat == seat else {"player": names[consequence.seat], **entry})
        if consequence is None and move.kind == "go" and not state.consequences:
            break
        if turn.get("to") and not state.consequences:
            break
    return turn | ({"forced": forced if len(forced) > 1 else forced[0]} if forced else {}), state


def written(names, move):
    """A move with cards, key by key."""
    stacked = {"with": [card_id(card) for card in move.onto]} if move.onto else {}
    ids = [card_id(card) for card in move.cards]
    where = {DECK: "deck", PILE: "pile"}.get(move.place) or names[move.place]
    if move.kind == "jump":
        return {"jump": {"card": ids[0], **stacked} if stacked else ids[0]}
    if move.kind == "discard":
        return {"discard": {"card": ids if len(ids) > 1 else ids[0], "onto": where, **stacked}}
    return {"draw": {"from": where, "card": ids[0], **stacked}}


def written_hands(names, state):
    zeros = iter(("zero-1", "zero-2"))

    def ids(cards):
        return [card_id(card) if card else next(zeros) for card in cards]

    hands = {}
    for seat, name in enumerate(names):
        new = play.stacked(state.loose[seat]) if seat in state.winners and state.spec.eager else ()
        hands[name] = {
            "cc_up": ids(state.cc[seat]),
            "number_up": ids(play.without(state.loose[seat], sum(new, ()))),
            "stacks": [ids(stack) for stack in state.stacks[seat] + new],
        }
    return hands
