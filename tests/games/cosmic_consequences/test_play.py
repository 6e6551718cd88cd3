"""Moves: no card is lost, no state changes in place, and every roll leads where it should."""

import random
from collections import Counter
from itertools import combinations

import pytest

from generator.games.cosmic_consequences import play
from tests.games.cosmic_consequences.playing import choice, shuffled
from tests.games.cosmic_consequences.referee import Map, most
from tests.trials import seeds


@pytest.fixture(scope="module")
def spec(game):
    return play.Spec(game)


def states(spec, seed, most_steps=400, known=True):
    """The states of a random game, each with its legal moves."""
    rng = random.Random(seed)
    deck = shuffled(spec, rng)
    state = play.start(spec, rng.randint(2, 6), deck if known else None)
    for _ in range(most_steps):
        moves = play.legal(state, rng.randint(1, 6))
        yield state, moves
        if not moves:
            return
        state = play.apply(state, choice(rng, moves))


def everything(state):
    stacks = [stack for stacks_of_player in state.stacks for stack in stacks_of_player]
    return Counter(card for cards in (*state.cc, *state.loose, *stacks, state.deck, state.pile) for card in cards)


@pytest.mark.parametrize("seed", range(8))
def test_every_card_is_always_in_exactly_one_place(spec, seed):
    for state, _ in states(spec, seed, known=seed % 2 > 0):
        assert everything(state) == Counter(spec.deck)


@pytest.mark.parametrize("seed", range(8))
def test_stacks_are_zero_and_pawns_share_only_the_big_bang(spec, seed):
    for state, moves in states(spec, seed):
        assert all(sum(stack) == 0 for stacks_of_player in state.stacks for stack in stacks_of_player)
        assert all(0 not in loose for loose in state.loose)
        away = [space for space in state.at if space != "big-bang"]
        assert len(away) == len(set(away))
        assert not any(spec.routes.sends_back(space) for space in away)
        assert bool(moves) != play.is_over(state)
        assert len(set(moves)) == len(moves)
        assert {move.seat for move in moves} <= {play.mover(state)}
        for consequence in state.consequences[:1]:
            assert consequence.kind == "green" or play.can_answer(state, consequence) == (moves[0].kind != "pass")


@pytest.mark.parametrize("seed", range(10))
def test_a_move_does_not_change_the_state_before_it(spec, seed):
    for state, moves in states(spec, seed, most_steps=80):
        twin = play.State(*state)
        for move in moves:
            play.apply(state, move)
        assert state == twin


@pytest.mark.parametrize("seed", range(8))
def test_winners_have_three_stacks_or_the_most(spec, seed):
    *_, (state, _) = states(spec, seed, most_steps=3000)
    counts = [play.count(state, seat) for seat in range(len(state.at))]
    assert state.winners
    assert max(counts) == counts[state.winners[0]]
    assert max(counts) >= 3 or not state.deck


def test_every_roll_from_every_space(spec):
    """Moves on the graph agree with the referee's map everywhere."""
    board = Map()
    assert set(board.kind) == set(spec.routes.kinds)
    for space in board.kind:
        if not spec.routes.sends_back(space):
            for roll in range(1, 7):
                assert set(spec.routes.walks(space, roll)) == set(board.ends(space, roll)), (space, roll)


def test_board_and_rules_agree_about_the_arrows(game, spec):
    assert dict(spec.routes.entry) == dict(game.rules["curved"]["entry"])


def test_a_race_has_no_cards(game):
    spec = play.Spec(game, cards=False)
    for state, moves in states(spec, 5):
        assert {move.kind for move in moves} <= {"pass", "go"}
        assert state.consequences == ()
    assert len(state.winners) == 1
    assert len(state.deck) == 26


# ---- zero sums ----------------------------------------------------------------------------------------------------


@seeds(30)
def test_stacked_finds_the_most_stacks(seed):
    rng = random.Random(seed)
    cards = tuple(sorted(rng.sample([card for card in range(-12, 13) if card], rng.randint(0, 8))))
    names = frozenset(f"{'dragon' if card > 0 else 'tiger'}-{abs(card)}" for card in cards)
    stacks = play.stacked(cards)
    assert len(stacks) == most(names)
    assert [sum(stack) for stack in stacks] == [0] * len(stacks)
    assert play.holds(cards, tuple(card for stack in stacks for card in stack))


def test_the_whole_deck_makes_fourteen_stacks(spec):
    assert len(play.stacked(tuple(sorted(spec.deck)))) == 14


@pytest.mark.parametrize("seed", range(8))
def test_choices_finds_all_cards_with_a_sum(seed):
    rng = random.Random(seed)
    cards = tuple(sorted(rng.choices(range(-6, 7), k=7)))
    for total in range(-8, 9):
        slow = {chosen for size in range(1, 8) for chosen in combinations(cards, size) if sum(chosen) == total}
        assert set(play.choices(cards, total)) == slow
        assert (total in play.sums_of(cards)) == bool(slow)
