"""The moves: no card is lost, states do not change, and small games have the right number of lines of play."""

import random
from collections import Counter
from itertools import permutations

import pytest

from generator import games
from generator.games.elevator_up import play
from generator.games.elevator_up.play import NONE, Move
from tests.games.elevator_up.playing import NAMES, choice, dealt_cards, opening, spec_of
from tests.games.elevator_up.referee import complaints


@pytest.fixture(scope="module")
def spec(game):
    return spec_of(game)


def random_states(game, spec, seed, most=300):
    rng = random.Random(seed)
    dealt = dealt_cards(game, games.new_code(game, f"state {seed}", options={"players": str(rng.randint(2, 5))}))
    rows = [[tuple(map(spec.names.index, row)) for row in part] for part in (dealt.down, dealt.up, dealt.hands)]
    state = play.start(spec, play.DealtCards(*map(tuple, rows), tuple(map(spec.names.index, dealt.deck))))
    for _ in range(most):
        moves = play.legal(state)
        yield state, moves
        if not moves:
            return
        state = play.apply(state, choice(rng, state))


def everything(state):
    rows = [*state.hands, *state.up, *state.down, state.deck[state.drawn :], state.pile, state.gone]
    return Counter(card for row in rows for card in row)


@pytest.mark.parametrize("seed", range(8))
def test_every_card_is_always_in_one_place(game, spec, seed):
    for state, _ in random_states(game, spec, seed):
        assert everything(state) == Counter(dict(enumerate(spec.copies)))


@pytest.mark.parametrize("seed", range(8))
def test_players_draw_while_the_deck_lasts(game, spec, seed):
    for state, moves in random_states(game, spec, seed):
        if state.drawn < len(state.deck):
            assert min(map(len, state.hands)) >= 3
        assert bool(moves) == (state.winner == NONE)
        assert state.winner == NONE or play.cards_left(state, state.winner) == 0


@pytest.mark.parametrize("seed", range(10))
def test_a_move_does_not_change_its_state(game, spec, seed):
    for state, moves in random_states(game, spec, seed, most=80):
        copy = play.State(*state)
        for move in moves:
            play.apply(state, move)
        assert state == copy


@pytest.mark.parametrize("seed", range(10))
def test_a_player_who_can_play_must_play(game, spec, seed):
    for state, moves in random_states(game, spec, seed):
        kinds = {move.kind for move in moves}
        assert len(kinds) <= 1
        assert len(set(moves)) == len(moves)
        if kinds == {"pickup"}:
            assert state.pile
            assert len(moves) == 1


def test_the_first_move_may_be_any_card_in_hand(spec):
    dealt = play.DealtCards(((7, 7, 7), (8, 8, 8)), ((5, 5), (6, 6)), ((0, 4, 4), (1, 2, 3)), (1, 2, 3))
    state = play.start(spec, dealt)
    assert play.legal(state) == (Move("play", 0, (0,)), Move("play", 0, (4,)), Move("play", 0, (4, 4)))
    state = play.apply(state, Move("play", 0, (4, 4)))
    assert (state.hands[0], state.drawn, state.seat, state.pile) == ((0, 1, 2), 2, 1, (4, 4))


# ---- counting -----------------------------------------------------------------------------------------------------


def counted_by_moves(state, depth):
    """The number of possible games by length, using `legal` and `apply`."""
    counts = Counter()

    def walk(state, played):
        counts[played] += 1
        if played < depth:
            for move in play.legal(state):
                walk(play.apply(state, move), played + 1)

    walk(state, 0)
    return counts


def counted_by_trying(sheet, cards, depth, options):
    """The same, with the referee checking every turn that a log could contain."""
    names = sorted(set(cards))
    actions = [
        {"pickup": True},
        *({"flip": card} for card in names),
        *({"play": list(pair)} for pair in permutations(names, 2)),
        *({"play": [card] * count} for card in names for count in range(1, 5)),
    ]
    turns = [{"player": name, **action} for name in sheet["players"] for action in actions]
    counts = Counter()

    def walk(log):
        counts[len(log)] += 1
        if len(log) < depth:
            for turn in turns:
                if not complaints({**sheet, "turns": [*log, turn]}, **options):
                    walk([*log, turn])

    walk([])
    return counts


FOURS = [
    ("1", "2", "stuck", "door-closed"),
    ("1", "1", "2", "penthouse"),
    ("3", "lobby", "door-closed", "door-closed"),
    ("2", "new-building", "new-building", "5"),
    ("penthouse", "penthouse", "stuck", "9"),
]
DEPTH = 7
SHAPES = [[(1, 0, 1), (1, 0, 1)], [(2, 0, 0), (1, 1, 0)], [(1, 1, 0), (1, 0, 0)], [(0, 1, 1), (0, 2, 0)]]
"""For each player the cards in hand, face up and face down; what is left of the four is the deck."""


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("cards", FOURS, ids=" ".join)
def test_both_counts_of_games_with_four_cards_agree(game, cards, shape):
    for order in sorted(set(permutations(cards)))[::3]:
        sheet = few_cards(order, shape)
        state = opening(spec_of(game), sheet["deal"], {})
        assert counted_by_moves(state, DEPTH) == counted_by_trying(sheet, cards, DEPTH, {})


@pytest.mark.parametrize(
    "options",
    [
        {"penthouse_on_penthouse": False},
        {"specials_singly": True},
        {"draw_before_extra_turn": False},
        {"finish_on_special": False},
    ],
    ids=lambda options: next(iter(options)),
)
@pytest.mark.parametrize("cards", FOURS, ids=" ".join)
def test_both_counts_of_games_with_each_option_agree(game, cards, options):
    for shape in SHAPES:
        sheet = few_cards(cards, shape)
        state = opening(spec_of(game, **options), sheet["deal"], {})
        assert counted_by_moves(state, DEPTH) == counted_by_trying(sheet, cards, DEPTH, options)


EIGHTS = [
    ("1", "2", "2", "9", "stuck", "door-closed", "penthouse", "4"),
    ("3", "3", "3", "3", "lobby", "new-building", "5", "5"),
    ("1", "penthouse", "penthouse", "door-closed", "door-closed", "stuck", "7", "8"),
    ("6", "6", "6", "6", "new-building", "new-building", "stuck", "door-closed"),
]


@pytest.mark.parametrize(
    "shape",
    [[(3, 1, 0), (3, 1, 0)], [(2, 0, 2), (2, 1, 1)], [(2, 1, 0), (2, 0, 1)], [(1, 0, 1), (1, 1, 0), (2, 0, 1)]],
    ids=str,
)
@pytest.mark.parametrize("cards", EIGHTS, ids=" ".join)
def test_both_counts_of_games_with_eight_cards_agree(game, cards, shape):
    order = random.Random(str(shape)).sample(cards, 8)
    sheet = few_cards(order, shape)
    state = opening(spec_of(game), sheet["deal"], {})
    counts = counted_by_moves(state, 5)
    assert counts == counted_by_trying(sheet, cards, 5, {})
    assert sum(counts.values()) > 5


def few_cards(order, shape):
    cards = iter(order)
    names = NAMES[: len(shape)]
    dealt = {
        part: {name: [next(cards) for _ in range(count)] for name, count in zip(names, counts, strict=True)}
        for part, counts in zip(("hands", "up", "down"), zip(*shape, strict=True), strict=True)
    }
    return {"players": names, "deal": {**dealt, "deck": list(cards)}, "turns": []}
