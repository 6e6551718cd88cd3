"""Changes that break a rule about cards, hands or the end of the game."""

import copy

from generator.games.cosmic_consequences import play
from tests.games.cosmic_consequences.changes import change
from tests.games.cosmic_consequences.playing import card_id


@change("one-action")
def two_actions(game, at):
    _state, _seat, _here = game.before(at)
    if game.acts(at) != ["draw"] or game.turns[at]["draw"]["from"] != "deck":
        return False
    game.turns[at]["jump"] = game.turns[at]["draw"]["card"]
    return True


@change("where-act")
def a_draw_on_the_wrong_space(game, at):
    state, _seat, here = game.before(at)
    if game.routes.kinds[here] == "cc":
        return False
    return game.without_actions(at, draw={"from": "deck", "card": card_id(game.rng.choice(state.deck))})


@change("where-act")
def an_action_on_green_or_orange(game, at):
    _state, seat, here = game.before(at)
    return bool(game.routes.asks(here)) and game.without_actions(
        at, discard={"card": "dragon-1", "onto": game.rng.choice(game.others(game.names[seat])), "with": "tiger-1"}
    )


@change("in-hand")
def a_jump_with_another_players_card(game, at):
    state, seat, here = game.before(at)
    others = [card for card in game.spec.deck if card not in state.cc[seat]]
    return game.routes.kinds[here] == "cc" and game.without_actions(at, jump=card_id(game.rng.choice(others)))


@change("deck")
def a_card_that_is_not_in_the_deck(game, at):
    state, _seat, here = game.before(at)
    out = [card for card in game.spec.deck if card not in state.deck]
    if game.routes.kinds[here] != "cc" or not out:
        return False
    return game.without_actions(at, draw={"from": "deck", "card": card_id(game.rng.choice(out))})


@change("pile")
def a_card_that_is_not_on_top_of_the_pile(game, at):
    state, _seat, here = game.before(at)
    wrong = [card for card in game.spec.deck if state.pile[-1:] != (card,)]
    if game.routes.kinds[here] != "cc":
        return False
    return game.without_actions(at, draw={"from": "pile", "card": card_id(game.rng.choice(wrong))})


@change("draw-from")
def a_draw_from_a_player(game, at):
    state, seat, here = game.before(at)
    having = [other for other in range(len(game.names)) if other != seat and state.cc[other]]
    if game.routes.kinds[here] != "cc" or not having:
        return False
    other = game.rng.choice(having)
    return game.without_actions(at, draw={"from": game.names[other], "card": card_id(state.cc[other][0])})


@change("discard")
def a_discard_onto_the_pile(game, at):
    state, seat, here = game.before(at)
    return (
        bool(state.cc[seat])
        and not game.routes.asks(here)
        and game.without_actions(at, discard={"card": card_id(state.cc[seat][0]), "onto": "pile"})
    )


@change("discard")
def a_discard_that_makes_no_zero(game, at):
    state, seat, here = game.before(at)
    pairs = [
        (card, other, below)
        for card in state.cc[seat]
        for other in range(len(game.names))
        if other != seat
        for below in state.loose[other]
        if card + below
    ]
    if game.routes.asks(here) or not pairs:
        return False
    card, other, below = game.rng.choice(pairs)
    return game.without_actions(
        at, discard={"card": card_id(card), "onto": game.names[other], "with": [card_id(below)]}
    )


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
    """Whether the only consequence of the turn comes from the space of this kind that the mover lands on."""
    turn = game.turns[at]
    _, _, here = game.before(at)
    alone = len(game.entries(at)) == 1 and "player" not in game.entries(at)[0] and not game.acts(at)
    return (
        alone
        and "to" in turn
        and game.routes.asks(turn["to"]) == kind
        and here != "big-bang"
        and not game.routes.walks(here, turn["roll"])[turn["to"]].leaves
    )


@change("orange")
def no_card_on_orange(game, at):
    if not comes_to(game, at, "orange"):
        return False
    del game.turns[at]["forced"]
    return True


@change("orange-ways", "locked", "in-hand")
def a_card_that_one_cannot_take_on_orange(game, at):
    """A cc-side card although the player has one, or a number-side card that does not make zero."""
    if not comes_to(game, at, "orange"):
        return False
    state, seat, _ = game.before(at)
    others = [other for other in range(len(game.names)) if other != seat]
    wrong = [(other, card) for other in others for card in state.cc[other] if state.cc[seat]]
    wrong += [
        (other, card) for other in others for card in state.loose[other] if not play.choices(state.loose[seat], -card)
    ]
    wrong += [
        (other, card)
        for other in others
        for stack in state.stacks[other]
        for card in stack
        if card and card not in state.cc[other]
    ]
    if not wrong:
        return False
    other, card = game.rng.choice(wrong)
    return game.force(at, {"draw": {"from": game.names[other], "card": card_id(card)}})


@change("green-ways")
def a_cc_side_card_to_a_player_who_has_one(game, at):
    state, seat, _ = game.before(at)
    having = [other for other in range(len(game.names)) if other != seat and state.cc[other]]
    if not comes_to(game, at, "green") or not having or not state.cc[seat]:
        return False
    return game.force(at, {"discard": {"card": card_id(state.cc[seat][0]), "onto": game.names[having[0]]}})


@change("green-ways")
def a_number_that_makes_no_zero(game, at):
    state, seat, _ = game.before(at)
    wrong = [
        (card, other)
        for card in state.loose[seat]
        for other in range(len(game.names))
        if other != seat and not play.choices(state.loose[other], -card)
    ]
    if not comes_to(game, at, "green") or not wrong:
        return False
    card, other = game.rng.choice(wrong)
    return game.force(at, {"discard": {"card": card_id(card), "onto": game.names[other]}})


@change("in-hand")
def a_discard_of_a_card_that_is_not_there(game, at):
    state, seat, _ = game.before(at)
    mine = state.cc[seat] + state.loose[seat] + sum(state.stacks[seat], ())
    others = [card for card in game.spec.deck if card not in mine and card]
    return comes_to(game, at, "green") and game.force(
        at, {"discard": {"card": card_id(game.rng.choice(others)), "onto": "pile"}}
    )


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
def an_extra_card_in_a_hand(game, at):
    name = game.rng.choice(game.names)
    hand = game.sheet["hands"][name]
    free = [card for card in game.states[-1].deck if card]
    if not free:
        return False
    hand[game.rng.choice(["cc_up", "number_up"])].append(card_id(game.rng.choice(free)))
    return True


def somebody_with_cards_cc_side_up(game):
    """A random player with cards cc side up at the end; None if there is none."""
    having = [name for name in game.names if game.sheet["hands"][name]["cc_up"]]
    return game.rng.choice(having) if having else None


@change("hands-agree")
def a_card_turned_over_in_a_hand(game, at):
    name = somebody_with_cards_cc_side_up(game)
    if name is None:
        return False
    hand = game.sheet["hands"][name]
    hand["number_up"].append(hand["cc_up"].pop())
    return True


@change("stack-zero")
def a_stack_that_is_not_zero(game, at):
    having = [(name, stack) for name in game.names for stack in game.sheet["hands"][name]["stacks"] if len(stack) > 1]
    if not having:
        return False
    game.rng.choice(having)[1].pop()
    return True


@change("card-once")
def a_card_in_two_hands(game, at):
    name = somebody_with_cards_cc_side_up(game)
    if name is None:
        return False
    card = game.sheet["hands"][name]["cc_up"][0]
    other = game.sheet["hands"][game.rng.choice(game.others(name))]
    other["number_up"] += [card] * (2 if card.startswith("zero") else 1)
    return True


@change("claimed-stacks")
def a_wrong_claim(game, at):
    name = game.rng.choice(game.names)
    hand = game.sheet["hands"][name]
    hand["claimed"] = {"stacks": len(hand["stacks"]) + 1}
    return True
