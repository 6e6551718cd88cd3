"""Random legal games break no rule, changed ones do, and an independent referee agrees turn by turn."""

import copy
import os
import random

import pytest

from tests.games.elevator_up.judging import JUDGE, judge_with, judged
from tests.games.elevator_up.playing import NAMES, random_sheet
from tests.games.elevator_up.referee import FLOORS, cards_left, complaints, played

OPTIONS = [
    {"penthouse_on_penthouse": False},
    {"specials_singly": True},
    {"draw_before_extra_turn": False},
    {"finish_on_special": False},
]
GAMES = int(os.environ.get("PENCILBOX_GAMES", "6"))
"""The number of random games; three times as many changed ones."""
CARDS = [*FLOORS, "penthouse", "new-building", "stuck", "lobby", "door-closed"]


def without_deal(sheet):
    return {key: value for key, value in sheet.items() if key not in ("deal", "swaps")}


def agree(sheet, judge=JUDGE, **options):
    """Judge and referee find the same first wrong turn, or none."""
    table, violations = played(sheet, **options)
    answer = judged(sheet, judge)
    assert "error" not in answer
    assert answer["valid"] == (not violations), (violations, answer["findings"])
    in_turns = [
        int(finding["where"][0].split(".")[1])
        for finding in answer["findings"]
        if finding["where"][0].startswith("turns.")
    ]
    if violations and violations[0][0]:
        assert min(in_turns) == violations[0][0], (violations, answer["findings"])
    else:
        assert not in_turns
        if table.known:
            assert {player["name"]: player["total"] for player in answer["players"]} == cards_left(table)
    return answer, table


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_legal_game_breaks_no_rule(game, seed):
    sheet = random_sheet(game, seed)
    answer, table = agree(sheet)
    assert answer["findings"] == []
    assert answer["winners"] == ([table.out] if table.out else [])
    assert [player["lines"][0]["label"] for player in answer["players"]] == ["cards left"] * len(sheet["players"])


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_legal_game_without_its_deal_breaks_no_rule(game, seed):
    sheet = without_deal(random_sheet(game, seed))
    answer, _ = agree(sheet)
    assert answer["findings"] == []
    assert answer["winners"] == ([sheet["out"]] if "out" in sheet else [])
    assert [player["lines"] for player in answer["players"]] == [[]] * len(sheet["players"])


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_log_may_stop_anywhere(game, seed):
    sheet = random_sheet(game, seed, most_turns=seed % 20 * 6)
    assert agree(sheet)[0]["findings"] == []


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: next(iter(options)))
@pytest.mark.parametrize("seed", range(GAMES // 4))
def test_options_are_judged_as_they_are_played(game, seed, options):
    judge = judge_with(**options)
    sheet = random_sheet(game, seed, **options)
    assert agree(sheet, judge, **options)[0]["findings"] == []
    assert agree(without_deal(sheet), judge, **options)[0]["findings"] == []
    for change in range(4):
        agree(changed_log(random.Random(change), sheet), judge, **options)


@pytest.mark.parametrize("seed", range(3 * GAMES))
def test_judge_and_referee_agree_on_changed_logs(game, seed):
    rng = random.Random(seed)
    sheet = changed_log(rng, random_sheet(game, seed, most_turns=rng.choice([10, 60, 250])))
    agree(sheet if seed % 3 else without_deal(sheet))


def changed_log(rng, sheet):
    """The log with one turn changed, removed, repeated or moved. The result is sometimes legal."""
    sheet = copy.deepcopy(sheet)
    turns = sheet["turns"]
    number = rng.randrange(len(turns))
    turn = turns[number]
    kind = rng.choice(["player", "card", "count", "drop", "double", "swap", "pickup", "flip", "out"])
    if kind == "drop" and len(turns) > 1:
        del turns[number]
    elif kind == "double":
        turns.insert(number, copy.deepcopy(turn))
    elif kind == "swap":
        other = rng.randrange(len(turns))
        turns[number], turns[other] = turns[other], turns[number]
    elif kind == "out":
        sheet["out"] = rng.choice(sheet["players"])
    elif kind == "player":
        turn["player"] = rng.choice(sheet["players"])
    else:
        turns[number] = {"player": turn["player"], **_done(rng, turn, kind)}
    return sheet


def _done(rng, turn, kind):
    if kind == "pickup":
        return {"pickup": True}
    if kind == "flip":
        return {"flip": rng.choice(turn.get("play", CARDS))}
    if kind == "count":
        return {"play": [*turn.get("play", [rng.choice(CARDS)]), rng.choice(CARDS)][:4]}
    return {"play": [rng.choice(CARDS)] * len(turn.get("play", [1]))}


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_changed_deal_disagrees_with_its_log(game, seed):
    """A card in a hand is swapped with one in the deck; the log may still be legal by chance."""
    rng = random.Random(seed)
    sheet = random_sheet(game, seed)
    hand, deck = rng.choice(list(sheet["deal"]["hands"].values())), sheet["deal"]["deck"]
    mine, other = rng.randrange(3), rng.randrange(len(deck))
    hand[mine], deck[other] = deck[other], hand[mine]
    sheet["swaps"] = {name: swap for name, swap in sheet["swaps"].items() if sheet["deal"]["hands"][name] is not hand}
    if not [name for name in sheet["swaps"] if set(sheet["swaps"][name]["up"]) - set(sheet["deal"]["hands"][name])]:
        agree(sheet)


def test_there_is_a_name_for_each_player(game):
    assert len(NAMES) == game.definition.players.high


def test_the_referee_complains():
    sheet = {"players": ["Ann", "Ben"], "turns": [{"player": "Ann", "play": ["5"]}, {"player": "Ben", "play": ["4"]}]}
    assert complaints(sheet) == [(2, "does not beat the pile")]
