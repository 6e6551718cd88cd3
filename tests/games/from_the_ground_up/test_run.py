"""Print runs: as many sets as possible without a shared card, as different as possible."""

from __future__ import annotations

import os
from collections import Counter
from itertools import combinations, permutations, product
from types import MappingProxyType

import pytest
from msgspec import structs

from generator import games
from generator.draws import SetCode, draw_kinds, parse
from generator.errors import InputError
from generator.games.from_the_ground_up import deal as run
from generator.games.from_the_ground_up import play as crates
from generator.games.from_the_ground_up.deal import SETS, CardLimits, Recipe, read
from generator.model.values import Span
from tests.games.books import with_sets
from tests.games.from_the_ground_up.constraints import same, unmet_constraints

LARGEST = {
    "H6": 45,
    "H9": 17,
    "HA": 17,
    "HC": 13,
    "T6": 58,
    "T9": 58,
    "TA": 29,
    "TC": 29,
    "E6": 48,
    "E9": 37,
    "EA": 32,
    "EC": 27,
}


def tiny(stars, symbols=("lower", "higher", "equal", "unequal")):
    """A recipe of short rows, small enough for brute force: (star range, crates) for each card."""
    every = Span(1, 46656)
    return Recipe(
        "TT",
        symbols,
        "neighbour",
        tuple(CardLimits(Span(*star), Span(count, count), every) for star, count in stars),
        True,
    )


def cards(recipe, sets):
    return [{(position.star, row) for position, row in zip(recipe.positions, rows, strict=True)} for rows in sets]


def alike_pairs(sets):
    """The number of pairs of alike cards (mirrored or turned over) in different sets, counted one by one."""
    return sum(same(one, other) for first, second in combinations(sets, 2) for one, other in product(first, second))


@pytest.mark.parametrize("name", LARGEST)
def test_the_largest_run_repeats_no_card(game, name):
    recipe = read(game, name)
    assert run.largest(recipe) == LARGEST[name]
    sets = run.sets(recipe, 7, LARGEST[name])
    all_cards = [card for cards_of_set in cards(recipe, sets) for card in cards_of_set]
    assert len(all_cards) == len(set(all_cards)) == LARGEST[name] * len(recipe.positions)


def test_a_larger_run_would_need_more_rows_than_there_are(game):
    """29 sets of two cards need all 58 rows for 1-2 stars; 30 sets would need 60."""
    recipe = read(game, "TC")
    pools = {
        position.star: {row for row in product(recipe.symbols, repeat=position.crates.high - 1)}
        | {row for row in product(recipe.symbols, repeat=position.crates.low - 1)}
        for position in recipe.positions
    }
    suits = {
        star: sum(crates.ways(row) in next(p for p in recipe.positions if p.star == star).ways for row in rows)
        for star, rows in pools.items()
    }
    needs = {star: sum(position.star == star for position in recipe.positions) for star in suits}
    assert min(suits[star] // needs[star] for star in suits) == 29


@pytest.mark.parametrize("size", [2, 5])
@pytest.mark.parametrize("name", LARGEST)
def test_every_set_of_a_run_follows_its_recipe(game, name, size):
    first = draw_kinds.new_code(game, "kept", 0, "cards", {"run": "yes"})
    codes = SETS.run(game, structs.replace(first, recipe=name), size)
    assert len(set(codes)) == size
    for code in codes:
        assert unmet_constraints(game, games.deal(game, code), code) == []


# ---- compared with every possible run -----------------------------------------------------------------------


def choices(recipe):
    """Every set of a recipe: a row for each card, no two alike."""
    rows = [
        [row for row in product(recipe.symbols, repeat=position.crates.low - 1) if crates.ways(row)]
        for position in recipe.positions
    ]
    return [choice for choice in product(*rows) if not any(same(*pair) for pair in combinations(choice, 2))]


def best(recipe, size):
    """The fewest pairs of alike cards over all runs of this size, by brute force; None if there is no run."""
    every = choices(recipe)
    pairs = [
        alike_pairs(sets)
        for sets in combinations(every, size)
        if not any(one & other for one, other in combinations(cards(recipe, sets), 2))
    ]
    return min(pairs, default=None)


TINY = [
    ([((5, 6), 2)], 4),
    ([((5, 6), 2), ((1, 2), 2)], 3),
    ([((5, 6), 2), ((5, 6), 2)], 3),
    ([((5, 6), 3)], 3),
    ([((5, 6), 2), ((1, 2), 2), ((3, 4), 2)], 3),
]


@pytest.mark.parametrize(("stars", "most"), TINY)
def test_runs_are_as_large_and_as_different_as_possible(stars, most):
    recipe = tiny(stars)
    bound = run.largest(recipe)
    for size in range(1, most + 1):
        fewest = best(recipe, size)
        assert (size <= bound) == (fewest is not None)
        if fewest is not None:
            for seed in range(5):
                sets = run.sets(recipe, seed, size)
                assert not any(one & other for one, other in combinations(cards(recipe, sets), 2))
                assert set(sets) <= set(choices(recipe))
                assert alike_pairs(sets) == fewest


def alike_pairs_by_kind(sets):
    """The same number, counted kind by kind."""
    uses = Counter(crates.alike(row) for rows in sets for row in rows)
    return sum(count * (count - 1) // 2 for count in uses.values())


def test_pairs_are_counted_as_cards_are(game):
    sets = run.sets(read(game, "TC"), 3, 20)
    assert alike_pairs_by_kind(sets) == alike_pairs(sets)


@pytest.mark.parametrize("size", [1, 2, 3, 4, 5, 6])
def test_few_sets_have_no_alike_cards(game, size):
    assert alike_pairs(run.sets(read(game, "TC"), 11, size)) == 0


# ---- codes --------------------------------------------------------------------------------------------------------


def test_a_code_contains_its_place_in_the_run(game):
    first = draw_kinds.new_code(game, "a run", 0, None, {"run": "yes"})
    codes = SETS.run(game, first, 4)
    assert [run.seed_parts(code.seed).number for code in codes] == [0, 1, 2, 3]
    assert {run.seed_parts(code.seed).size for code in codes} == {4}
    assert len({run.seed_parts(code.seed).seed for code in codes}) == 1
    assert all(parse(str(code)) == code for code in codes)


def test_runs_of_different_seeds_differ(game):
    firsts = [draw_kinds.new_code(game, f"run {number}", 0, None, {"run": "yes"}) for number in range(20)]
    rows = {games.deal(game, SETS.run(game, first, 2)[0]).cards["cards"][0].symbols for first in firsts}
    assert len(rows) > 5


def test_an_impossible_run_is_refused_with_the_largest_size(game):
    first = draw_kinds.new_code(game, "x", 0, None, {"run": "yes"})
    with pytest.raises(
        InputError, match="recipe “TC” has no print run of 30 sets without a shared card; the largest has 29"
    ):
        SETS.run(game, first, 30)
    assert len(SETS.run(game, first, 29)) == 29


@pytest.mark.parametrize(("number", "size"), [(5, 5), (0, 30), (127, 128)])
def test_a_code_outside_its_run_is_refused(game, number, size):
    code = SetCode("GU", 1, "C", "TC", (9 << 7 | size - 1) << 7 | number)
    with pytest.raises(InputError, match=f"is for set {number + 1} of a print run of {size}, which does not exist"):
        games.deal(game, code)


def test_a_run_of_a_wrong_recipe_is_refused(game):
    recipes = game.sets["recipes"]

    def refusal(**changes):
        changed = with_sets(game, {**game.sets, "recipes": {**recipes, **changes}})
        with pytest.raises(InputError) as caught:
            read(changed, "TC")
        return str(caught.value)

    assert "recipe “T6”: unknown key “run”" in refusal(TC=MappingProxyType({"run": "T6"}))
    mixed = MappingProxyType(
        {
            **recipes["01"],
            "cards": (MappingProxyType({"star": "5-6", "crates": 5}), MappingProxyType({"star": "5-6", "crates": 6})),
        }
    )
    assert "all cards with one star range need the same limits" in refusal(**{"01": mixed})


@pytest.mark.skipif("PENCILBOX_GAMES" not in os.environ, reason="every size of every recipe takes a minute")
@pytest.mark.parametrize("name", LARGEST)
def test_runs_of_every_size(game, name):
    recipe = read(game, name)
    shares = []
    for size in range(1, LARGEST[name] + 1):
        sets = run.sets(recipe, size, size)
        assert not any(one & other for one, other in combinations(cards(recipe, sets), 2))
        shares.append(alike_pairs_by_kind(sets))
    assert shares == sorted(shares)


def test_colours_of_edges_never_meet():
    """Every way to join three cards and three kinds at most twice, coloured with as few sets as possible."""
    for rows in permutations(range(3)):
        edges = [(card, ("a", str(kind)), ("r", str(kind))) for card in range(3) for kind in (rows[card], card)]
        colours = run._coloured(edges, 3)
        for one, other in combinations(range(len(edges)), 2):
            if colours[one] == colours[other]:
                assert edges[one][0] != edges[other][0]
                assert edges[one][1] != edges[other][1]
