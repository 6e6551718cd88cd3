"""Random sets of your own game, as `draws` in game.yaml says."""

from collections import Counter

import pytest

from generator import games
from generator.draws import draw, draw_kinds, parse
from generator.errors import InputError
from generator.reading.load import load
from tests.games.own_sets_check import unmet_constraints

CARDS = """\
id,title,colour,light,copies
moon,Paper Moon,red,6,2
river,River Light,blue,3,2
kiln,Kiln,red,4,2
tower,Tower,gold,5,2
bridge,Bridge,gold,2,2
boat,Boat,blue,1,2
"""
GAME = """\
title: Paper Moon
players: 2-4
components:
  cards: {kind: deck, title: Lanterns, cards: cards.csv, face: standard, back: standard_back}
  dealer: {kind: page, title: Deal, face: drawn}
  strip: {kind: page, title: Strip, face: drawn}
"""
FILLED = {
    "orders": "  orders: {kind: deck, title: Orders, face: standard, back: standard_back}\n",
    "dice": "  dice: {kind: dice, title: Dice, face: die}\n",
}
"""Components that draws fill."""
DRAWS = {
    "deal": "shuffle: cards, hands: {down: 1, hand: 1}, then: {market: 3}, rest: stock, "
    "check: 'count(market.colour, \"red\") <= 1', into: dealer",
    "market": "pick: cards, count: 1 + players, weight: light, unique: title, at_least: {colour: {red: 1, blue: 1}}, "
    "at_most: {colour: {gold: 1}}, check: 'sum(light) <= 20'",
    "strip": "rows: 12, columns: {red: d6, white: 2d6, letter: [A, B, C], gem: {bag: {gold: 2, silver: 10}}}, "
    "where: 'red != 6 or letter == \"A\"', unique: [red, white], at_least: {letter: {A: 5}}",
    "orders": "rows: 8, columns: {a: 2-9, b: {3: 1, 4: 2.5}, title: '{a} × {b}', cost: '{a * b}'}, where: a >= b",
    "dice": "dice: 3, faces: {A: 3, B: 2, C: 1}, where: distinct(faces) >= 2, at_most: {faces: {C: 4}}",
}


@pytest.fixture
def own(tmp_path):
    """A game in a folder with these draws (name → its keys) and cards; loaded."""

    def write(definitions=DRAWS, cards=CARDS, game=GAME):
        folder = tmp_path / "moon"
        (folder / "templates").mkdir(parents=True, exist_ok=True)
        (folder / "cards.csv").write_text(cards)
        components = "".join(line for name, line in FILLED.items() if any(name in key for key in definitions))
        (folder / "game.yaml").write_text(
            f"{game}{components}draws:\n" + "".join(f"  {name}: {{{keys}}}\n" for name, keys in definitions.items())
        )
        (folder / "templates/die.xml.j2").write_text("<face><text>{{ shown }}</text></face>")
        return load(folder)

    return write


def data(game, code):
    return games.random_sets(game).data(game, games.deal(game, code))


def codes(game, kind, count, **options):
    return [games.new_code(game, f"seed {number}", 0, kind, options) for number in range(count)]


@pytest.mark.parametrize("kind", DRAWS)
def test_every_set_meets_its_conditions(own, kind):
    game = own()
    for code in codes(game, kind, 50):
        deck = games.deal(game, code)
        assert unmet_constraints(game, deck, code) == []


def test_every_card_is_dealt_once(own):
    game = own()
    there = Counter(card.id for card in game.components["cards"].cards)
    for players in "234":
        for code in codes(game, "deal", 20, players=players):
            dealt = data(game, code)
            assert len(dealt["players"]) == int(players)
            assert all(map(len, (dealt["market"], dealt["players"][0]["hand"], dealt["players"][1]["down"])))
            cards = [name for hand in dealt["players"] for kind in hand.values() for name in kind]
            assert Counter([*cards, *dealt["market"], *dealt["stock"]]) == there


def test_the_number_of_cards_may_depend_on_the_players(own):
    game = own()
    assert [len(data(game, code)) for players in "234" for code in codes(game, "market", 1, players=players)] == [
        3,
        4,
        5,
    ]


def test_weights_and_constraints_hold(own):
    game = own()
    picks = [data(game, code) for code in codes(game, "market", 60, players="2")]
    counts = Counter(name for pick in picks for name in pick)
    assert counts["moon"] > counts["boat"] * 1.2
    rows = [row for code in codes(game, "strip", 20) for row in data(game, code)]
    assert {row["red"] for row in rows} == {1, 2, 3, 4, 5, 6}
    assert Counter(row["gem"] for row in rows) == {"gold": 40, "silver": 200}
    assert all(2 <= row["white"] <= 12 for row in rows)
    orders = [row for code in codes(game, "orders", 10) for row in data(game, code)]
    assert all(row["title"] == f"{row['a']} × {row['b']}" and row["cost"] == str(row["a"] * row["b"]) for row in orders)


# ---- codes stay valid ------------------------------------------------------------------------------------------------


def row(**values):
    return values


FROZEN = {
    "PM-1D12-TKY62-STNEZ-A3": {
        "players": [{"down": ["boat"], "hand": ["moon"]}, {"down": ["tower"], "hand": ["kiln"]}],
        "market": ["river", "kiln", "river"],
        "stock": ["boat", "moon", "tower", "bridge", "bridge"],
    },
    "PM-1C22-R1CR3-RV03K-AT": ["kiln", "river", "tower"],
    "PM-1S30-K5TQG-PKVAR-RR": [
        row(red=3, white=10, letter="C", gem="gold"),
        row(red=2, white=10, letter="A", gem="silver"),
        row(red=2, white=11, letter="B", gem="silver"),
        row(red=1, white=7, letter="C", gem="silver"),
    ],
    "PM-1C40-EMPMF-NM7B1-8D": [
        row(a=7, b=4, title="7 × 4", cost="28"),
        row(a=8, b=4, title="8 × 4", cost="32"),
        row(a=7, b=4, title="7 × 4", cost="28"),
        row(a=5, b=4, title="5 × 4", cost="20"),
    ],
    "PM-1R50-BA096-25P6M-J8": [
        {"faces": ["B", "C", "A", "A", "A", "A"]},
        {"faces": ["C", "C", "B", "B", "A", "A"]},
        {"faces": ["C", "A", "B", "B", "B", "B"]},
    ],
}
"""Codes with what they draw, or how it begins. Printed codes depend on this: never change it."""


@pytest.mark.parametrize("code", FROZEN)
def test_a_code_always_draws_the_same_set(own, code):
    found = data(own(), parse(code))
    assert (found if isinstance(found, dict) else found[: len(FROZEN[code])]) == FROZEN[code]


def test_codes_survive_changes_that_do_not_concern_them(own):
    game = own()
    before = {kind: games.new_code(game, "hello", 0, kind) for kind in DRAWS}
    sets = {kind: data(game, code) for kind, code in before.items()}
    header, *rows = CARDS.splitlines()
    reworded = "\n".join([header + ",text", *(f"{row.replace('River', 'Lake')},New" for row in reversed(rows))])
    renamed = {f"old-{name}": f"{keys}, about: Changed, into: {name}" if name in ("strip", "orders", "dice") else keys
               for name, keys in reversed(DRAWS.items())}  # fmt: skip
    changed = own(renamed, reworded)
    assert {kind: data(changed, code) for kind, code in before.items()} == sets
    assert draw_kinds.draw_of(changed, before["deal"]) == "old-deal"


@pytest.mark.parametrize(
    ("kind", "change"),
    [
        ("deal", ("down: 1, hand: 1", "hand: 1")),
        ("deal", ("market: 3", "market: 2")),
        ("deal", ("<= 1'", "<= 2'")),
        ("market", ("count: 1 + players", "count: players")),
        ("market", ("weight: light", "weight: light + 1")),
        ("market", ("sum(light) <= 20", "sum(light) <= 21")),
        ("market", ("unique: title, ", "")),
        ("strip", ("2d6", "d12")),
        ("strip", ("gold: 2", "gold: 3")),
        ("orders", ("2.5", "2.4")),
        ("orders", ("a >= b", "a > b")),
        ("dice", ("C: 4", "C: 5")),
    ],
)
def test_a_code_of_another_version_is_refused(own, kind, change):
    code = games.new_code(own(), "hello", 0, kind)
    changed = own({**DRAWS, kind: DRAWS[kind].replace(*change)})
    with pytest.raises(InputError, match=f"{code} was drawn from another version of draw “{kind}” of Paper Moon"):
        games.deal(changed, code)


def test_a_new_card_changes_the_deals(own):
    code = games.new_code(own(), "hello", 0, "deal")
    with pytest.raises(InputError, match="another version"):
        games.deal(own(cards=CARDS + "star,Star,gold,4,1\n"), code)


def test_an_old_draw_under_another_name_keeps_its_codes(own):
    game = own()
    code = games.new_code(game, "hello", 0, "deal")
    before = data(game, code)
    both = own(
        {"deal": "shuffle: cards, hands: 4, players: 2", "deal-1": DRAWS["deal"] + ', where: id != "star"'},
        CARDS + "star,Star,gold,4,1\n",
    )
    assert data(both, code) == before
    assert draw_kinds.draw_of(both, code) == "deal-1"


# ---- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ("shuffle: card", "game.yaml:8: draw “x”: there is no deck “card”; did you mean cards?"),
        ("shuffle: cards, hands: 4", "it deals 16 cards to 4 players, but “cards” has 12"),
        ("shuffle: cards, hands: many", "unknown name “many”"),
        ("shuffle: cards, hands: -1", "“hand” must be a whole number from 0 to 100,000, not -1"),
        (
            "shuffle: cards, hands: players / 3",
            "“hand” must be a whole number from 0 to 100,000, not 0.666666666666667 with 2 players",
        ),
        ("shuffle: cards, hands: 1, players: 2-5", "it is for 2-5 players, but the game is for 2-4"),
        ("shuffle: cards, then: {deck: 2}", "two piles are called “deck”"),
        ("shuffle: cards, count: 2", "“count” has no effect on “shuffle”; it belongs to pick"),
        ("shuffle: cards, pick: cards", "it has shuffle, pick; give only one of them"),
        ("hands: 2", "it does not say what it draws; add one of shuffle, pick, rows, dice"),
        ("pick: cards", "“pick” needs “count”"),
        ("pick: cards, count: 13", "it picks 13 cards, but “cards” has 12"),
        ("pick: cards, count: 5, where: light > 4", "it picks 5 cards, but “cards” has 4 that meet “where”"),
        ("pick: cards, count: 7, unique: title", "it picks 7 cards with different “title”, but there are only 6"),
        ("pick: cards, count: 2, where: ligth > 4", "unknown name “ligth” in “ligth > 4”; did you mean light?"),
        ("pick: cards, count: 2, where: light", "“where” must be yes or no, but “light” is a number"),
        ("pick: cards, count: 2, where: light > 6", "no card in “cards” meets “where”"),
        (
            "pick: cards, count: 2, where: 'colour == \"rde\"'",
            '“rde” is not one of the choices in “colour == "rde"”; did you mean red',
        ),
        ("pick: cards, count: 2, unique: tilte", "“unique”: there is no field “tilte”; did you mean title?"),
        ("pick: cards, count: 2, at_least: {colour: {rde: 1}}", "“at_least”: no “colour” is “rde”; did you mean red?"),
        (
            "pick: cards, count: 2, at_least: {colour: {red: 5}}",
            "at least 5 “red” in “colour” are needed, but “cards” has only 4",
        ),
        (
            "pick: cards, count: 2, at_least: {colour: {red: 2, blue: 1}}",
            "“at_least” needs 3 cards by “colour”, but only 2 are drawn",
        ),
        (
            "pick: cards, count: 9, at_most: {colour: {red: 0}}",
            "“at_most” leaves only 8 cards by “colour”, but it picks 9",
        ),
        (
            "pick: cards, count: 9, at_least: {colour: {red: 2}}, at_most: {colour: {red: 1}}",
            "“at_least” asks for 2 “red” in “colour”, but “at_most” allows 1",
        ),
        ("pick: cards, count: 2, weight: light - 2", "the weight of card “boat” must be from 0 to 1,000,000, not -1"),
        (
            "pick: cards, count: 2, into: cards",
            "“into” must name a page; “cards” is not one; known: dealer, strip",
        ),
        ("rows: 12", "it needs a deck or page or sheet to be printed on; add “into”: cards, dealer, strip"),
        ("rows: 12, into: strip", "“rows” needs “columns”"),
        ("rows: 12, into: strip, columns: {a: 6d}", "column “a” cannot be drawn from “6d”; write a die (d6), a range"),
        ("rows: 12, into: strip, columns: {a: 6-1}", "column “a”: the range 6-1 begins with its larger number"),
        (
            "rows: 12, into: strip, columns: {a: {x: many}}",
            "column “a”: the weight of “x” must be a number such as 3 or 0.5, not “many”",
        ),
        ("rows: 12, into: strip, columns: {a: {bag: [x, y]}}", "the bag of “a” has 2 values, but 12 are drawn"),
        (
            "rows: 12, into: strip, columns: {a: d6}, unique: a",
            "it draws 12 rows with different “a”, but there are only 6",
        ),
        ("rows: 12, into: strip, columns: {a: '{b} x'}", "unknown name “b”"),
        ("rows: 12, into: strip, columns: {a: '{2 + 3'}", "a brace of column “a” is not closed"),
        ("rows: 12, into: strip, columns: {a: d6, b: 2d6}, where: [a > 2, a + b > 18]", "no row can meet “a + b > 18”"),
        ("rows: 5000, into: strip, columns: {a: d6}", "from 1 to 2,000 can be drawn, not 5,000"),
        ("rows: 12, into: strip, columns: {a: d6}, where: a >", "a value is missing after “>”"),
        ("dice: 3, faces: [a], into: strip", "“into” must name a dice; “strip” is not one"),
    ],
)
def test_mistakes_are_reported_with_their_place(own, keys, message):
    with pytest.raises(InputError) as refused:
        own({"x": keys})
    assert message in "; ".join(map(str, refused.value.problems))


def test_a_draw_that_finds_no_set_ends(own):
    game = own({"strip": "rows: 12, columns: {a: d6}, check: sum(a) > 72"})
    code = games.new_code(game, "hello", 0, "strip")
    with pytest.raises(InputError, match="no set was found that meets all its conditions"):
        games.deal(game, code)


def test_a_prefix_is_derived_from_the_title(own):
    assert own().definition.prefix == "PM"
    assert own(game=GAME.replace("Paper Moon", "Rolling Cards")).definition.prefix == "RO"
    assert own(game=GAME.replace("Paper Moon", "Étoile")).definition.prefix == "ET"
    assert len(own(game=GAME.replace("Paper Moon", "月")).definition.prefix) == 2
    with pytest.raises(InputError, match="“prefix: RC” belongs to rolling_cubes"):
        own(game="prefix: RC\n" + GAME)


def test_a_draw_with_a_recipe_has_codes_without_a_fingerprint(own):
    game = own({"deal": "shuffle: cards, hands: 2, recipe: Z, default: 3"})
    code = draw_kinds.new_code(game, "x")
    assert code == draw(code.prefix, "D", "Z3", "x")
    assert draw_kinds.own_draw_of(game, code)[1].players == 3
    with pytest.raises(InputError, match="has no recipe “Z9” for a deal"):
        games.deal(game, draw(code.prefix, "D", "Z9", "x"))
