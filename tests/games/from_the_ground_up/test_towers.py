"""The table sheet on paper: each card is a tower, in the order of the set."""

from pathlib import Path

import pytest
import yaml

from generator import games
from generator.pages import field_map
from generator.printing.press import Press, sheet_paper
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.games.from_the_ground_up.judging import judged

HERE = Path(__file__).parent

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


# ---- the log


def on_paper(text):
    """The same sheet with its deal and its log as they are on paper."""
    sheet = yaml.safe_load(as_towers(text))
    names = [player["name"] for player in sheet["players"]]
    for name, hand in sheet.pop("deal").items():
        for card in hand:
            sheet["towers"][card - 1]["dealt"] = names.index(name) + 1
    turns = []
    for entry in sheet.pop("log"):
        player = names.index(entry["player"]) + 1
        if "pass" in entry:
            last = next(turn for turn in reversed(turns) if turn["player"] == player)
            last["pass"] = entry["pass"]
            continue
        turn = {"player": player, "roll": entry["roll"]}
        mark = entry.get("mark", {})
        turn |= {key: mark[key] for key in ("card", "crate") if key in mark}
        if "star" in mark:
            turn["act"] = "star"
        if "tick" in mark:
            turn |= {"act": "tick", "crate": mark["tick"]}
        if "flip" in entry:
            turn |= {"act": "flip", "card": entry["flip"]}
        turns.append(turn)
    return yaml.safe_dump(sheet | {"turns": turns}, allow_unicode=True)


UNLIKE_PAPER = {"another_card", "a_second_one", "mark_and_flip", "early_pass", "which_star", "twice"}
"""Logs that cannot be written on paper, or whose cards are not all on it."""
GAMES = [HERE / "good" / f"{name}.yaml" for name in ("first_round", "whole_game", "stalled")]
LOGGED = [
    path
    for path in [*GAMES, *HERE.glob("bad/*/*.yaml")]
    if "\nlog:" in path.read_text("utf-8") and path.stem not in UNLIKE_PAPER
]


@pytest.mark.parametrize("path", LOGGED, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_log_on_paper_gets_the_same_answer(path):
    text = path.read_text("utf-8")
    findings, *others = facts(on_paper(text))
    typed, *typed_others = facts(text)
    assert others == typed_others
    assert [rule for rule, _ in findings] == [rule for rule, _ in typed]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("deal: {Ann: [4]}", "the deal is given twice"),
        ("log: [{player: Ann, roll: 5}]", "the turns are logged twice"),
        ("turns.2.roll: 4", "a turn does not say whose it is"),
        ("turns.2: {player: 2, roll: 4, crate: 2}", "a turn does not say which card"),
        ("turns.2: {player: 2, roll: 4, act: flip}", "a turn does not say which card"),
        ("turns.2: {player: 5, roll: 4}", "there is no player 5"),
    ],
)
def test_what_is_wrong_with_turns_on_paper(change, message):
    text = (
        "game: from_the_ground_up\nplayers: [{name: Ann}, {name: Ben}]\n"
        "towers.4: {dealt: 1, owner: 1, crates: [5]}\nturns.1: {player: 1, roll: 5, card: 4, crate: 1}\n"
    )
    assert message in " ".join(problem["message"] for problem in judged(text + change + "\n")["error"])
