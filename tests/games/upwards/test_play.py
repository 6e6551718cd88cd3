"""Legal moves, compared with brute force on small sheets, and invariants of every move."""

import copy
import random
from itertools import combinations, islice, product

import pytest

from generator.games.upwards import play
from generator.games.upwards.play import METEORITE, Move, Numbers
from tests.games.upwards import referee
from tests.games.upwards.playing import sheet


def random_states(known, seed, event_die=True):
    rng = random.Random(seed)
    state = play.start(known)
    while not play.is_over(state):
        assert play.legal(state) == ()
        state = play.throw(state, [rng.randint(1, 6) for _ in range(3)], rng.choice(known.events) if event_die else "")
        while state.thrown:
            yield state
            state = play.apply(state, rng.choice(play.legal(state)))
    assert play.legal(state) == ()
    yield state


@pytest.mark.parametrize("seed", range(6))
def test_marks_are_never_changed(seed, known):
    before = play.start(known)
    for state in random_states(known, seed):
        for old, new in zip(before.columns, state.columns, strict=True):
            assert new[: len(old)] == old
            assert len(new) <= known.rows
            assert all(mark in range(METEORITE, 7) for mark in new)
        for old, new in zip(before.reserve, state.reserve, strict=True):
            assert new == old or not old or (new == -old and old > 0)
        assert before.opened & state.opened == before.opened
        assert before.arrows & state.arrows == before.arrows
        before = state


@pytest.mark.parametrize("seed", range(6))
def test_a_move_does_not_change_the_state_before_it(seed, known):
    for state in random_states(known, seed):
        copied = play.State(*state)
        for move in islice(play.legal(state), 20):
            play.apply(state, move)
        assert state == copied


@pytest.mark.parametrize("seed", range(6))
def test_a_game_ends_one_round_after_a_pass(seed, known):
    *_, last = random_states(known, seed, event_die=bool(seed % 2))
    assert last.rounds == last.last
    assert not play.free_places(last)


def test_moves_for_each_event(known):
    state = play.start(known)
    assert play.legal(play.throw(state, [1, 2, 3], "meteorite")) == tuple(Move("drop", column) for column in range(4))
    assert play.legal(play.throw(state, [1, 2, 3], "extra-reserve")) == (
        *(Move("outline", field) for field in range(3)),
        Move("skip"),
    )
    assert len(play.legal(play.throw(state, [1, 2, 3], "bonus-row"))) == 9
    full = state._replace(columns=((1,) * 8,) * 4, opened=7, arrows=255)
    for event in ("meteorite", "extra-reserve", "bonus-row"):
        assert not play.throw(full, [1, 2, 3], event).due


def test_a_player_without_room_passes(known):
    state = play.start(known)._replace(columns=((1,) * 8,) * 4, reserve=(-1, -2, 3, 4, 5, 0, 0, 0))
    thrown = play.throw(state, [1, 2, 3])
    assert play.legal(thrown) == (Move("pass"),)
    passed = play.apply(thrown, Move("pass"))
    assert tuple(play.legal(passed)) == (Move("end"),)
    assert not play.is_over(play.apply(passed, Move("end")))


@pytest.mark.parametrize("event", ["", "plus-or-minus", "minus-only"])
@pytest.mark.parametrize("seed", range(6))
def test_sums_are_complete(event, seed, known):
    """Tries every choice of signs for every die and saved number."""
    rng = random.Random(seed)
    saved = [rng.choice([0, rng.randint(1, 6), -2]) for _ in range(4)]
    state = play.start(known)._replace(reserve=(*saved, 0, 0, 0, 0))
    state = play.throw(state, [rng.randint(1, 6) for _ in range(3)], event)
    sources = [*state.dice, *(~field for field, number in enumerate(saved) if number > 0)]
    expected = set()
    for signs in product((0, 1, -1), repeat=len(sources)):
        plus = tuple(source for source, sign in zip(sources, signs, strict=True) if sign == 1)
        minus = tuple(source for source, sign in zip(sources, signs, strict=True) if sign == -1)
        values = [
            sign * (source if source > 0 else saved[~source])
            for source, sign in zip(sources, signs, strict=True)
            if sign
        ]
        allowed = {"": not minus, "plus-or-minus": True, "minus-only": len(plus) == 1}[event]
        if allowed and 1 <= sum(values) <= 6:
            expected.add((plus, minus))
    sums = play.sums(state)
    assert set(sums) == expected
    assert len(sums) == len(expected)


# ---- a small game, explored twice -------------------------------------------------------------------------------

ROUNDS = [
    ([1, 1, 2], ""),
    ([2, 3, 5], ""),
    ([1, 2, 6], "plus-or-minus"),
    ([3, 4, 6], "minus-only"),
    ([1, 5, 6], "meteorite"),
    ([2, 2, 2], "extra-reserve"),
    ([4, 5, 6], "bonus-row"),
]


def ends_by_play(state):
    """Every sheet that a round can end with, by the game's own moves."""
    ends, seen, todo = set(), set(), [state]
    while todo:
        now = todo.pop()
        if now in seen:
            continue
        seen.add(now)
        if not now.thrown:
            ends.add(str(sheet(now)))
        else:
            todo += [play.apply(now, move) for move in play.legal(now) if move.kind != "skip"]
    return ends


def ends_by_referee(paper, dice, event):
    """The same sheets, found by the referee, who tries every effect and every possible entry."""
    ends, seen = set(), set()
    todo = [(begun, tuple(dice)) for begun in begun_with(paper, event)]
    while todo:
        now, left = todo.pop()
        key = str((now.as_typed(), sorted(left)))
        if key in seen:
            continue
        seen.add(key)
        if not left or not now.any_room():
            ends.add(str(now.as_typed()))
        for target, formula in product([*referee.COLUMNS, "r1", "x1"], formulas(now, left)):
            after, rest = copy.deepcopy(now), list(left)
            if allowed(after.enter, target, formula, event, rest):
                todo.append((after, tuple(rest)))
    return ends


def begun_with(paper, event):
    effects = {"extra-reserve": [{"outline": "x1"}], "bonus-row": [{"row": row} for row in (1, 2, 3)]}
    for effect in effects.get(event, [{}]):
        for target in referee.COLUMNS if event == "meteorite" else [None]:
            begun = copy.deepcopy(paper)
            begun.effect(effect, event)
            if target is None or allowed(begun.meteorite, target, event, True):
                yield begun


def allowed(action, *arguments):
    try:
        action(*arguments)
    except referee.Complaint:
        return False
    return True


def formulas(paper, dice):
    sources = [*map(str, dice), *sorted(set(paper.saved) - paper.crossed)]
    for count in range(1, len(sources) + 1):
        for chosen in combinations(sources, count):
            for signs in product("+-", repeat=count):
                yield "".join(sign + source for sign, source in zip(signs, chosen, strict=True))


@pytest.mark.parametrize(("dice", "event"), ROUNDS)
def test_every_way_to_play_a_round_on_a_grid_of_2_by_3(dice, event, known, monkeypatch):
    small = Numbers({**known.rules, "columns": ["a", "b"], "rows": 3, "reserve": 1, "extra_reserve": 1})
    for name, value in (("COLUMNS", "ab"), ("ROWS", 3), ("DARK", ["r1"]), ("LIGHT", ["x1"])):
        monkeypatch.setattr(referee, name, value)
    for first in ((), (4, 2)):
        paper, state = referee.Paper(bool(event)), play.start(small)
        for number in first:
            paper.enter("a", str(number), None, [number])
            state = play.apply(state, Move("enter", 0, (number,)))
        expected = ends_by_referee(paper, dice, event)
        assert ends_by_play(play.throw(state, dice, event)) == expected
        assert len(expected) > 1


def test_places_are_named_as_on_paper(known):
    assert [*known.place_names] == ["a", "b", "c", "d", "r1", "r2", "r3", "r4", "r5", "x1", "x2", "x3"]
