"""The table sheet on paper: each card is a tower, in the order of the set."""

import pytest
import yaml

from generator import games
from generator.pages import field_map
from generator.printing.press import Press, sheet_paper
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.games.from_the_ground_up.judging import judged

CARDS = """
game: from_the_ground_up
players:
  - name: Ann
    cards:
      - {card: 4, crates: [6, 5, 4, 2], star: 4}
      - {card: 7, crates: [3, 2, ., ., .], star: 5, flipped: true}
      - {card: 11, crates: [5, 2, 4], star: 2}
    claimed: {total: 1}
  - name: Ben
    cards:
      - {card: 3, crates: [5, 5, 5, 5, 5], star: 6}
      - {card: 10, crates: [3, 3, 1, 1], star: 3}
shared:
  - {card: 1, crates: [6, 5, 4, 3, 2, 1], star: 6}
"""


def as_towers(text):
    """The same sheet with towers instead of lists of cards."""
    sheet = yaml.safe_load(text)
    towers = [{} for _ in range(12)]
    for number, player in enumerate(sheet["players"], 1):
        for card in player.pop("cards"):
            tower = card.pop("card") - 1
            towers[tower] = card | {"owner": number}
        if gone := player.pop("discarded", 0):
            towers[gone - 1]["discarded"] = True
    for card in sheet.pop("shared", ()):
        tower = card.pop("card") - 1
        towers[tower] = card
    return yaml.safe_dump(sheet | {"towers": towers}, allow_unicode=True)


def facts(text):
    answer = judged(text)
    findings = sorted((finding["rule"], finding["message"]) for finding in answer["findings"])
    lines = [sorted((line["label"], line["points"]) for line in player["lines"]) for player in answer["players"]]
    return findings, lines, answer["winners"]


STALLED = CARDS.replace("players:", "variant: stall\nplayers:", 1)


@pytest.mark.parametrize(
    "text",
    [
        CARDS,
        CARDS.replace("[6, 5, 4, 2]", "[6, 6, 4, 2]"),
        STALLED.replace("    claimed", "    discarded: 7\n    claimed"),
        STALLED,
        CARDS.replace("    claimed", "    discarded: 7\n    claimed"),
    ],
)
def test_towers_and_cards_get_the_same_answer(text):
    assert facts(as_towers(text)) == facts(text)


def test_findings_name_the_tower():
    answer = judged(as_towers(CARDS.replace("[6, 5, 4, 2]", "[6, 6, 4, 2]")))
    assert ["towers.4.crates.2", "towers.4.crates.1"] in [finding["where"] for finding in answer["findings"]]


def test_a_card_listed_and_drawn_is_on_the_sheet_twice():
    answer = judged(CARDS + "towers: [{}, {}, {star: 6, owner: 1}]\n")
    assert "cards-once" in {finding["rule"] for finding in answer["findings"]}


@pytest.mark.parametrize(("gone", "reason"), [("owner: 1", "gives up only one"), ("star: 1", "in the shared area")])
def test_only_one_card_of_a_player_is_given_up(gone, reason):
    towers = "[{}, {}, {}, {crates: [6, 5, 4, 2], star: 4, owner: 1, discarded: x}, {GONE, flipped: x, discarded: x}]"
    text = f"game: from_the_ground_up\nvariant: stall\nplayers: [{{name: Ann}}, {{name: Ben}}]\ntowers: {towers}"
    messages = [f["message"] for f in judged(text.replace("GONE", gone))["findings"] if f["rule"] == "given-up"]
    assert len(messages) == 1 and reason in messages[0]


def test_a_ring_for_a_player_who_is_not_there_is_refused():
    answer = judged(CARDS + "towers: [{}, {crates: [1], owner: 5}]\n")
    assert "there is no player 5" in answer["error"][0]["message"]


def test_layouts_are_the_same_for_every_set():
    game = load("from_the_ground_up")
    code = games.new_code(game, "towers")
    maps = []
    for deck in (games.deal(game), games.deal(game, code)):
        press, on = Press(game, deck), paper("a4")
        part = game.components["table"]
        frames = press.sheet(part, sheet_paper(part, on))
        maps.append(field_map.layout_id(field_map.map_fields(frames, part.sheet, on, game)))
    assert maps[0] == maps[1]
