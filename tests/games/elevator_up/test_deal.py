"""A code always names the same deal: all fifty cards, dealt as the rulebook says."""

from collections import Counter

import pytest
import yaml
from click.testing import CliRunner

from generator import games, paths
from generator.cli import pencilbox
from generator.draws import SetCode, draw, parse
from generator.draws.own_sets import OwnSets
from generator.errors import InputError
from generator.geometry.frame import Run
from generator.printing.press import Press
from generator.reading.sizes import paper
from tests.games.elevator_up.judging import judged
from tests.games.elevator_up.playing import dealt_cards

FROZEN = yaml.safe_load((paths.ROOT / "tests/draws/frozen.yaml").read_text(encoding="utf-8"))["elevator_up"]["sets"]


def new_code(game, text, index=0, players=None):
    return games.new_code(game, text, index, "deal", {} if players is None else {"players": str(players)})


@pytest.fixture(scope="module")
def deck(game):
    return Counter(card.id for card in game.components["cards"].cards)


def test_without_a_code_all_decks_are_those_of_the_definition(game):
    standard = games.deal(game)
    assert standard.code is None
    assert dict(standard.cards) == {name: part.cards for name, part in game.components.items() if part.kind == "deck"}


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_is_dealt_three_two_and_three(game, deck, players):
    for index in range(200):
        deal = dealt_cards(game, new_code(game, "many deals", index, players))
        assert [len(part) for part in (deal.down, deal.up, deal.hands)] == [players] * 3
        assert {len(row) for row in (*deal.down, *deal.hands)} == {3}
        assert {len(row) for row in deal.up} == {2}
        assert Counter(deal.cards) == deck


def test_a_deal_prints_the_same_fifty_cards_in_the_order_they_are_dealt(game, deck):
    code = new_code(game, "in order", players=3)
    dealt, standard = games.deal(game, code), games.deal(game)
    names = [card.id for card in dealt.cards["cards"]]
    deal = dealt_cards(game, code)
    assert Counter(names) == deck
    assert names == [*sum(deal.down, ()), *sum(deal.up, ()), *sum(deal.hands, ()), *deal.deck]
    assert dealt.cards["reference"] == standard.cards["reference"]
    assert dealt.code == str(code)


def test_deals_are_shuffled_well(game):
    """Each card comes first equally often; by chance, χ² exceeds 61 once in a million times (13 degrees of freedom)."""
    first = Counter(dealt_cards(game, new_code(game, "first", index, 2)).down[0][0] for index in range(3000))
    copies = {card.id: card.copies for card in game.components["cards"].cards}
    assert sum((first[card] - 60 * n) ** 2 / (60 * n) for card, n in copies.items()) < 61


def test_new_codes(game):
    assert new_code(game, "x") == new_code(game, "x", 0, 3) == draw("EU", "D", "03", "x")
    assert new_code(game, "x", 1, 5) == draw("EU", "D", "05", "x", 1)
    assert new_code(game, None) != new_code(game, None)
    with pytest.raises(InputError, match="cannot be drawn with --players 6"):
        new_code(game, "x", players=6)


def test_a_deal_is_shown_as_text_and_as_data(game):
    code = parse("EU-1D03-7Y9CW-HTB7W-N8")
    dealt = games.deal(game, code)
    assert OwnSets().lines(game, dealt) == [
        "player 1, down   5 D 1",
        "player 1, up     2 1",
        "player 1, hand   9 L D",
        "player 2, down   7 N 8",
        "player 2, up     9 P",
        "player 2, hand   4 3 N",
        "player 3, down   2 5 9",
        "player 3, up     3 9",
        "player 3, hand   K D 5",
        "deck             5 6 L 4 P 6 8 7 3 8 4 2 7 4 6 8 K 1 1 6 7 2 N L K 3   (top card first)",
        "D: Door Closed, K: Stuck, L: Lobby, N: New Building, P: Penthouse",
    ]
    data = OwnSets().data(game, dealt)
    assert data["players"][1] == {
        "down": ["7", "new-building", "8"],
        "up": ["9", "penthouse"],
        "hand": ["4", "3", "new-building"],
    }
    assert data["deck"][:3] == ["5", "6", "lobby"]


def test_the_command_shows_a_deal():
    answer = CliRunner().invoke(pencilbox, ["randomise", "elevator_up", "--seed", "hello"])
    assert answer.stdout.splitlines()[:2] == [
        "EU-1D03-7Y9CW-HTB7W-N8",
        "player 1, down   5 D 1",
    ]


@pytest.mark.parametrize("entry", FROZEN, ids=lambda entry: entry["code"])
def test_the_judge_deals_the_frozen_codes(game, entry):
    """A log with the code gets the same answer as one with the cards."""
    deal = dealt_cards(game, parse(entry["code"]))
    names = ["Ann", "Ben", "Cat", "Dan", "Eve"][: len(deal.hands)]
    order = iter(entry["cards"])
    card_by_card = {
        part: {name: [next(order) for _ in range(count)] for name in names}
        for part, count in (("down", 3), ("up", 2), ("hands", 3))
    }
    card_by_card["deck"] = list(order)
    turns = [{"player": "Ann", "play": [card_by_card["hands"]["Ann"][0]]}]
    answers = [
        judged({"game": "elevator_up", "players": names, "deal": deal, "turns": turns})
        for deal in (entry["code"], card_by_card)
    ]
    assert answers[0]["findings"] == []
    assert answers[0] == answers[1]


# ---- codes that cannot be dealt -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("code", "message"),
    [
        (SetCode("GU", 1, "D", "03", 5), "does not belong to Elevator Up"),
        (SetCode("EU", 1, "C", "03", 5), "is for card sets, but Elevator Up only has deals"),
        (SetCode("EU", 1, "D", "09", 5), "has no recipe “09” for a deal"),
    ],
)
def test_foreign_codes_are_refused(game, code, message):
    with pytest.raises(InputError, match=message):
        games.deal(game, code)
    if code.prefix == "EU":
        answer = judged({"game": "elevator_up", "players": ["Ann", "Ben"], "deal": str(code)})
        assert message.split(", but")[0] in answer["error"][0]["message"]
        assert answer["error"][0]["line"] == 1


def test_the_example_in_the_documentation_is_current():
    documented = (paths.ROOT / "docs/recipes.md").read_text(encoding="utf-8")
    assert CliRunner().invoke(pencilbox, ["randomise", "elevator_up", "--seed", "hello"]).stdout in documented


# ---- the dealer's sheet -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [2, 5])
@pytest.mark.parametrize("size", ["a4", "letter"])
def test_the_dealers_sheet_names_every_card_in_the_order_of_dealing(game, players, size):
    """Each card has its number below it; in this order, the cards are those of the code."""
    code = new_code(game, "for the dealer", players=players)
    press = Press(game, games.deal(game, code))
    (frame,) = (placed.frame for page in press.pages(press.part("dealer"), paper(size)) for placed in page.placed)
    runs = [run for run in frame.items if isinstance(run, Run)]
    by_letter = {card.letter: card.id for card in game.components["cards"].cards}
    numbers = {int(run.text): run for run in runs if run.text.isdecimal() and run.size < 2.9}
    letters = [run for run in runs if run.text in by_letter and run not in numbers.values()]
    dealt = {}
    for number, run in numbers.items():
        above = [letter for letter in letters if abs(letter.x - run.x) < 8 and 0 < run.y - letter.y < 12]
        dealt[number] = by_letter[min(above, key=lambda letter: run.y - letter.y + abs(letter.x - run.x)).text]
    assert [dealt[number] for number in range(1, 51)] == list(dealt_cards(game, code).cards)
    assert str(code) in {run.text for run in runs}


def test_a_standard_deck_has_no_dealers_sheet(game):
    press = Press(game, games.deal(game))
    with pytest.raises(InputError, match="“dealer” of Elevator Up needs a random set; add --random"):
        press.component("dealer", paper("a4"))
