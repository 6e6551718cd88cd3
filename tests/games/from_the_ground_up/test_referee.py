"""Random legal games break no rule, changed games do, and an independent referee agrees entry by entry."""

import copy
import os
import random

import pytest

from tests.games.from_the_ground_up.breaking import CHANGES
from tests.games.from_the_ground_up.judging import judged
from tests.games.from_the_ground_up.playing import NAMES, random_sheet
from tests.games.from_the_ground_up.referee import complaints, possible, totals, winners
from tests.trials import seeds

GAMES = int(os.environ.get("PENCILBOX_GAMES", "5"))
"""Number of random games, unchanged and with each change; 2000 for the full test."""


@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_broken_rule_is_always_reported(change, specs, printed):
    tried = 0
    for seed in range(GAMES):
        rng = random.Random(f"{change.__name__} {seed}")
        sheet = random_sheet(specs, seed, most_entries=rng.choice([20, 60, None]))
        expected = change(rng, sheet, printed)
        if expected:
            tried += 1
            answer = judged(sheet)
            assert "error" not in answer, (seed, answer)
            result = {finding["rule"] for finding in answer["findings"] if finding["severity"] == "error"}
            assert result & expected, (seed, result, expected)
    assert tried >= max(1, GAMES // 10)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_legal_game_breaks_no_rule(seed, specs, printed):
    sheet = random_sheet(specs, seed)
    answer = judged(sheet)
    assert [finding for finding in answer["findings"] if finding["severity"] == "error"] == []
    assert complaints(sheet, printed) == []
    points = totals(sheet, printed)
    assert [player["total"] for player in answer["players"]] == [sum(points[p["name"]]) for p in answer["players"]]
    assert answer["winners"] == winners(points)


@pytest.mark.parametrize("seed", range(GAMES))
def test_a_game_may_stop_anywhere(seed, specs, printed):
    sheet = random_sheet(specs, seed, most_entries=seed % 20 * 6 + 1)
    assert judged(sheet)["valid"]
    assert complaints(sheet, printed) == []


@pytest.mark.parametrize("seed", range(3 * GAMES))
def test_the_referee_agrees_on_changed_logs(seed, specs, printed):
    rng = random.Random(seed)
    sheet = changed_log(rng, random_sheet(specs, seed, most_entries=rng.choice([8, 30, 120])))
    result = complaints(sheet, printed)
    answer = judged(sheet)
    assert "error" not in answer
    in_the_log = [finding for finding in answer["findings"] if finding["where"][0].startswith("log.")]
    assert answer["valid"] == (not result), (result, answer["findings"])
    if result and result[0][0]:
        assert min(int(finding["where"][0][4:]) for finding in in_the_log) == result[0][0], (result, in_the_log)
    else:
        assert not in_the_log


def changed_log(rng, sheet):
    """The sheet with one entry of its log changed, dropped, doubled or moved (the result is sometimes legal)."""
    sheet = copy.deepcopy(sheet)
    log = sheet["log"]
    number = rng.randrange(len(log))
    entry = log[number]
    kind = rng.choice(["roll", "player", "card", "place", "drop", "double", "swap", "undo"])
    if kind == "drop" and len(log) > 1:
        del log[number]
    elif kind == "double":
        log.insert(number, copy.deepcopy(entry))
    elif kind == "swap":
        other = rng.randrange(len(log))
        log[number], log[other] = log[other], log[number]
    elif kind == "undo" and "roll" in entry:
        log[number] = {"player": entry["player"], "roll": entry["roll"]}
    elif kind == "player":
        entry["player"] = rng.choice([player["name"] for player in sheet["players"]])
    else:
        _change(rng, entry, kind)
    return sheet


def _change(rng, entry, kind):
    card = str(rng.randint(1, 12))
    if "pass" in entry:
        entry["pass"] = card
    elif "flip" in entry:
        entry["flip"] = card
    elif kind == "card" and "mark" in entry:
        entry["mark"]["card"] = card
    elif kind == "place" and "mark" in entry:
        entry["mark"] = {
            "card": entry["mark"]["card"],
            **rng.choice([{"star": True}, {"crate": rng.randint(1, 6)}, {"tick": rng.randint(1, 6)}]),
        }
    else:
        entry["roll"] = rng.randint(1, 6)


@seeds(20)
def test_a_changed_sheet_disagrees_with_its_log(seed, specs, printed):
    rng = random.Random(seed)
    sheet = random_sheet(specs, seed, most_entries=rng.choice([30, 120, None]))
    owner = rng.choice([player for player in sheet["players"] if player["cards"]])
    card = rng.choice(owner["cards"])
    kind = rng.choice(["crate", "star", "flip", "owner"])
    if kind == "crate":
        place = rng.randrange(len(card["crates"]))
        card["crates"][place] = (card["crates"][place] or 0) % 6 + 1
    elif kind == "star":
        card["star"] = card.get("star", 0) % 6 + 1
    elif kind == "flip":
        card["flipped"] = not card.get("flipped", False)
    else:
        owner["cards"].remove(card)
        sheet["players"][NAMES.index(owner["name"]) - 1]["cards"].append(card)
    assert "log-agrees" in {finding["rule"] for finding in judged(sheet)["findings"]}
    assert complaints(sheet, printed)


@pytest.mark.parametrize("seed", range(6))
def test_the_stall_variant_ends_with_an_idle_round(seed, specs, printed):
    sheet = random_sheet(specs, seed, stall=True)
    for player in sheet["players"]:
        if player["cards"]:
            player["discarded"] = player["cards"][0]["card"]
    answer = judged(sheet)
    assert answer["findings"] == []
    assert complaints(sheet, printed) == []


def test_the_referee_knows_room_between():
    assert not possible(["lower", "lower"], [3, None, 2])
    assert possible(["lower", "lower"], [3, None, 1])
    assert possible(["lower", "lower"], [1, None, -4])
