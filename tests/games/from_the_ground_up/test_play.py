"""Moves: states stay unchanged, games end, and what no move can do."""

import random

import pytest

from generator.games.from_the_ground_up import play
from generator.games.from_the_ground_up.play import Move, Spec
from generator.model.values import Span

LOW = Spec("low", Span(1, 2), ("lower",))


def random_states(specs, seed, stall=False):
    rng = random.Random(seed)
    players = rng.randint(2, 6)
    each = 3 if players < 5 else 2
    drawn = rng.sample(specs, players * each)
    state = play.start([drawn[seat * each :][:each] for seat in range(players)], rng.randrange(players), stall)
    while not play.is_over(state):
        moves = play.legal(state, rng.randint(1, 6))
        assert moves
        yield state, moves
        state = play.apply(state, rng.choice(moves))
    assert play.legal(state, 1) == ()
    yield state, ()


@pytest.mark.parametrize("seed", range(8))
def test_every_card_is_always_in_exactly_one_place(seed, specs):
    for state, _ in random_states(specs, seed):
        cards = sorted(card for hand in play.passed_on(state) for card in hand) + list(state.shared)
        assert sorted(cards) == list(range(len(state.specs)))
        assert all(play.is_full(state, card) and card not in state.flipped for card in state.shared)


@pytest.mark.parametrize("seed", range(8))
def test_nothing_written_is_ever_changed(seed, specs):
    before = None
    for state, _ in random_states(specs, seed):
        for card in range(len(state.specs) if before else 0):
            for old, new in zip(before.writing[card], state.writing[card], strict=True):
                assert old in (0, new)
        assert before is None or before.flipped <= state.flipped
        before = state


@pytest.mark.parametrize("seed", range(10))
def test_a_move_does_not_change_the_state_before_it(seed, specs):
    for state, moves in random_states(specs, seed):
        copy = play.State(*state)
        for move in moves:
            play.apply(state, move)
        assert state == copy


def test_a_round_passes_the_marked_card_clockwise():
    state = play.start([[LOW, LOW], [LOW, LOW], [LOW, LOW]], first=1)
    for seat, card in ((1, 3), (2, 4), (0, 0)):
        assert state.seat == seat
        state = play.apply(state, Move("write", seat, card, 1, 5))
    assert state.passing
    assert [play.passes(state, seat) for seat in (0, 1, 2)] == [
        (Move("pass", 0, 0),),
        (Move("pass", 1, 3),),
        (Move("pass", 2, 4),),
    ]
    for seat, card in ((0, 0), (2, 4), (1, 3)):
        state = play.apply(state, Move("pass", seat, card))
    assert state.hands == ((1, 4), (2, 0), (5, 3))
    assert (state.seat, state.passing) == (1, False)


def test_a_finished_card_is_shared_and_the_last_tick_takes_it():
    state = play.start([[LOW, LOW], [LOW, LOW]])
    for place, roll in ((1, 5), (2, 4), (play.STAR, 2)):
        state = play.apply(state, Move("write", 0, 0, place, roll))._replace(seat=0, passing=False)
    assert (state.hands[0], state.shared) == ((1,), (0,))
    state = state._replace(seat=1)
    assert Move("tick", 1, 0, 1, 5) in play.legal(state, 5)
    for place in (1, 2):
        state = play.apply(state, Move("tick", 1, 0, place, 5))._replace(seat=1, passing=False)
    assert (state.hands[1], state.shared) == ((2, 3, 0), ())


def test_a_stuck_player_flips_any_card_in_front():
    full, blank = (0, 5, 4), (0, 0, 0)
    state = play.start([[LOW, LOW], [LOW, LOW]])._replace(writing=(full, full, blank, blank))
    assert play.legal(state, 2) == (Move("write", 0, 0, 0, 2), Move("write", 0, 1, 0, 2))
    assert play.legal(state, 3) == (Move("flip", 0, 0), Move("flip", 0, 1))
    flipped = play.apply(state, Move("flip", 0, 0))._replace(seat=0, passing=True)
    assert play.passes(flipped, 0) == (Move("pass", 0, 1),)
    both = flipped._replace(flipped=frozenset({0, 1}))
    assert play.passes(both, 0) == (Move("pass", 0, 0), Move("pass", 0, 1))
    assert play.legal(both._replace(passing=False), 3) == (Move("nothing", 0, roll=3),)


def test_the_game_ends_in_the_middle_of_a_round():
    done = (2, 5, 4)
    state = play.start([[LOW], [LOW]])._replace(
        writing=(done, done), hands=((), (1,)), shared=(0,), ticks=(frozenset({1}), frozenset())
    )
    assert not play.is_over(state)
    state = play.apply(state, Move("tick", 0, 0, 2, 4))
    assert play.is_over(state)
    assert state.hands == ((0,), (1,))


def test_an_idle_round_ends_the_game_only_under_the_variant():
    done = (2, 5, 4)
    for stall in (False, True):
        state = play.start([[LOW], [LOW]], stall=stall)._replace(writing=(done, done), hands=((), (1,)), shared=(0,))
        for seat in (0, 1):
            assert play.legal(state, 6) == (Move("nothing", seat, roll=6),)
            state = play.apply(state, Move("nothing", seat, roll=6))
        assert play.is_over(state) == stall
