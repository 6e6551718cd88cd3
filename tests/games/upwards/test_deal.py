"""Throw strips and solo challenges are fair, follow their recipes, and can be reproduced from their codes."""

import os
from itertools import pairwise, product

import pytest
from click.testing import CliRunner
from msgspec import structs

from generator import nodes, paths
from generator.cli import pencilbox
from generator.draws import SetCode, draw, parse
from generator.errors import InputError
from generator.games.upwards.deal import SETS, RoundThrow, recipe_of, rolled, strip
from generator.printing.press import Press
from generator.reading.sizes import paper
from tests.frame_dumps import dump
from tests.games.dice_law import ONE_IN_A_THOUSAND, chi_square
from tests.games.upwards.constraints import unmet_constraints

MANY = int(os.environ.get("PENCILBOX_GAMES", "50"))
EVENT_DIE = ("meteorite", "plus-or-minus", "bonus-row", "extra-reserve", "plus-or-minus", "minus-only")


def code_of(name, seed="strips", index=0):
    return draw("UP", "S", name, seed, index)


def test_all_faces_are_equally_likely(game):
    recipe = structs.replace(recipe_of(game, "01"), rounds=3000, event=tuple("ABCDEF"))
    (rounds,) = rolled(recipe, 17)
    for die in range(3):
        rolls = [throw.dice[die] for throw in rounds]
        assert chi_square(rolls, range(1, 7)) < ONE_IN_A_THOUSAND[5]
        assert chi_square(pairwise(rolls), list(product(range(1, 7), repeat=2))) < ONE_IN_A_THOUSAND[35]
        assert (
            chi_square([(throw.dice[die], throw.event) for throw in rounds], list(product(range(1, 7), "ABCDEF")))
            < ONE_IN_A_THOUSAND[35]
        )
    assert chi_square([throw.event for throw in rounds], "ABCDEF") < ONE_IN_A_THOUSAND[5]


def test_the_strip_has_the_dice_of_the_game(game):
    """If the dice ever change, their strips need new recipes."""
    number, event = (
        {die.kind: die.faces for die in game.components["dice"].cards}[kind] for kind in ("number", "event")
    )
    for name in game.sets["recipes"]:
        recipe = recipe_of(game, name)
        assert (tuple(map(str, recipe.die)), recipe.event, recipe.dice) == (number, event, game.rules["dice"])
        assert recipe.event == EVENT_DIE


@pytest.mark.parametrize("name", ["01", "02", "03", "04", "05", "06"])
def test_strips_follow_their_recipe(game, name):
    for index in range(20):
        code = code_of(name, index=index)
        deck = SETS.deal(game, code)
        assert unmet_constraints(deck, game.sets["recipes"][name]) == []
        assert len(deck.components["strip"].cards) == 2 * max(1, int(name)) if name != "01" else 2


def test_players_have_their_own_strips(game):
    strips = strip(game, code_of("06")).strips
    assert len(set(strips)) == 6
    for one, other in product(strips, repeat=2):
        if one is not other:
            assert sum(a == b for a, b in zip(one, other, strict=True)) < 4


def test_a_strip_does_not_depend_on_the_number_of_players(game):
    two, six = (rolled(recipe_of(game, name), 99) for name in ("02", "06"))
    assert six[:2] == two


def test_no_two_seeds_give_the_same_strip(game):
    many = 100_000 if MANY >= 2000 else 1000
    recipe = recipe_of(game, "01")
    assert len({rolled(recipe, code_of("01", index=index).seed) for index in range(many)}) == many


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"throws": ()}, "strip 1: the throws are not numbered from 1 to 24"),
        ({"throws": ((1, RoundThrow((1, 2), "meteorite")),)}, "strip 1: throw 1 shows 1 2"),
        ({"throws": ((1, RoundThrow((1, 2, 7), "meteorite")),)}, "strip 1: throw 1 shows 1 2 7"),
        ({"throws": ((1, RoundThrow((1, 2, 3), "comet")),)}, "strip 1: throw 1 shows the event “comet”"),
        ({"option": "rows"}, "page 1.1 does not describe the challenge"),
        ({"targets": {"gold": 5, "silver": 4}}, "the targets on page 1.1 do not increase"),
    ],
)
def test_deviations_from_the_recipe_are_reported(game, changes, message):
    code = code_of("01")
    deck = SETS.deal(game, code)
    first, *others = deck.components["strip"].cards
    changed = structs.replace(first, values={**first.values, **changes})
    part = structs.replace(deck.components["strip"], cards=(changed, *others))
    assert message in unmet_constraints(
        structs.replace(deck, components={"strip": part}), game.sets["recipes"][code.recipe]
    )


def test_a_missing_strip_is_reported(game):
    code = code_of("02")
    deck = SETS.deal(game, code)
    part = structs.replace(deck.components["strip"], cards=deck.components["strip"].cards[:2])
    assert unmet_constraints(structs.replace(deck, components={"strip": part}), game.sets["recipes"][code.recipe]) == [
        "there are 1 strips instead of 2"
    ]


# ---- codes, text, data and print ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (SetCode("RC", 1, "S", "01", 5), "does not belong to Upwards!"),
        (SetCode("UP", 1, "R", "01", 5), "Upwards! only has strips"),
        (SetCode("UP", 1, "S", "09", 5), "has no recipe “09”"),
    ],
)
def test_foreign_codes_are_refused(game, code, message):
    with pytest.raises(InputError, match=message):
        SETS.deal(game, code)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("rounds: 24", "rounds: many", "“rounds” must be a whole number, not “many”"),
        ("strips: 1", "strips: 0", "“strips” must be from 1 to 1,000, not “0”"),
        ("[1, 2, 3, 4, 5, 6]", "[1, x]", "“die” must be a whole number, not “x”"),
        ("[1, 2, 3, 4, 5, 6]", "[1, 7]", "“die” must be from 1 to 6, not “7”"),
        ("rounds: 24", "round: 24", "unknown key “round”"),
        ("rounds: 24", "challenge: 5, rounds: 24", "“challenge” must be written with its keys"),
        (
            "rounds: 24",
            "challenge: {option: bricks, games: 1, targets: {gold: 5}}, rounds: 24",
            "“option” must be one of rows, snake, blocks, not “bricks”",
        ),
    ],
)
def test_an_invalid_recipe_is_refused(game, old, new, message):
    text = (game.folder / "sets.yaml").read_text("utf-8").replace(old, new, 1)
    file = nodes.document(text, "sets.yaml")
    with pytest.raises(InputError, match=f"recipe “01”: {message}"):
        SETS.deal(structs.replace(game, sets=nodes.plain(file), sets_file=file), code_of("01"))


def test_strips_as_text_and_as_data(game):
    deck = SETS.deal(game, parse("UP-1S01-W3QWQ-J2F0Y-7P"))
    assert SETS.lines(game, deck)[:3] == [
        "round   dice    event die",
        "    1   3 5 4   meteorite",
        "    2   2 6 6   bonus-row",
    ]
    assert SETS.data(game, deck)["strips"][0][1] == {"dice": [2, 6, 6], "event": "bonus-row"}
    both = SETS.deal(game, code_of("02"))
    assert [line for line in SETS.lines(game, both) if line.startswith("player")] == ["player 1", "player 2"]


def test_every_page_shows_the_code_and_the_player(game):
    deck = SETS.deal(game, code_of("03"))
    press = Press(game, deck)
    texts = [dump(placed.frame) for page in press.pages(press.part("strip"), paper("letter")) for placed in page.placed]
    assert len(texts) == 6
    assert all(deck.code in text for text in texts)
    assert [f"Player {player}" in text for text, player in zip(texts, (1, 1, 2, 2, 3, 3), strict=True)] == [True] * 6


def test_the_documented_example_is_correct():
    documented = (paths.ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    answer = CliRunner().invoke(
        pencilbox, ["randomise", "upwards", "--kind", "challenge", "--profile", "snake", "--seed", "hello"]
    )
    assert "\n".join(answer.stdout.splitlines()[:4]) in documented
