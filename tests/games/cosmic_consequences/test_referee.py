"""Random legal games break no rule, changed games do, and an independent referee agrees, turn by turn."""

import copy
import json
import random
import re

import pytest

from tests.games.cosmic_consequences.judging import judged
from tests.games.cosmic_consequences.playing import NAMES, card_id, random_sheet
from tests.games.cosmic_consequences.referee import CARDS, Map, complaints, played
from tests.trials import seeds


def agree(sheet):
    """Judge and referee report the same first wrong turn, or none."""
    table, wrong = played(sheet)
    answer = judged(sheet)
    assert "error" not in answer, answer
    turns = [
        int(finding["where"][0].split(".")[1])
        for finding in answer["findings"]
        if finding["where"][0].startswith("turns.")
    ]
    assert bool(turns) == bool(wrong), (wrong, answer["findings"])
    if wrong:
        assert min(turns) == wrong[0][0], (wrong, answer["findings"])
    return answer, table


@seeds(15)
def test_a_legal_game_breaks_no_rule(game, seed):
    sheet = random_sheet(game, seed, with_deck=seed % 3 > 0)
    assert agree(sheet)[0]["findings"] == []


@seeds(10)
def test_nobody_has_to_stack(game, seed):
    """Play may go on although a player could have won; the hands at the end say that the cards are loose."""
    sheet = random_sheet(game, seed, with_deck=seed % 2 > 0, hands=seed % 3 > 0, eager=False)
    answer, table = agree(sheet)
    assert answer["findings"] == []
    if "hands" in sheet:
        assert (answer["winners"] != []) == bool(table.won)


@pytest.mark.parametrize("seed", range(6))
def test_the_referee_agrees_about_winners_and_stacks(game, seed):
    sheet = random_sheet(game, seed, hands=False)
    answer, table = agree(sheet)
    assert answer["winners"] == table.winners()
    assert {player["name"]: player["total"] for player in answer["players"]} == {
        name: table.stacks_of(name) for name in sheet["players"]
    }


@pytest.mark.parametrize("seed", range(8))
def test_a_race_breaks_no_rule(game, seed):
    sheet = random_sheet(game, seed, cards=False)
    answer, table = agree(sheet)
    assert answer["findings"] == []
    assert answer["winners"] == table.winners()
    assert [player["lines"] for player in answer["players"]] == [[]] * len(sheet["players"])


@pytest.mark.parametrize("seed", range(8))
def test_a_log_may_stop_anywhere(game, seed):
    assert agree(random_sheet(game, seed, most_turns=seed * 3))[0]["findings"] == []


# ---- laws ---------------------------------------------------------------------------------------------------------


def renamed(sheet, names):
    text = json.dumps(sheet)
    for old, new in names.items():
        text = text.replace(f'"{old}"', f'"{new}"')
    return json.loads(text)


@pytest.mark.parametrize("seed", range(6))
def test_other_names_change_nothing(game, seed):
    """Even if names are alike, contain spaces or begin with one another."""
    sheet = changed_log(random.Random(seed), random_sheet(game, seed, most_turns=40))
    names = dict(zip(NAMES, ["Al", "Al B", "al b c", "3", "draw it", "Æ"], strict=True))
    before, after = judged(sheet), judged(renamed(sheet, names))
    assert [finding["rule"] for finding in before["findings"]] == [finding["rule"] for finding in after["findings"]]
    assert [player["total"] for player in before["players"]] == [player["total"] for player in after["players"]]
    assert [names[name] for name in before["winners"]] == after["winners"]
    for player in after["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])


@pytest.mark.parametrize("seed", range(6))
def test_the_order_of_keys_and_the_spelling_change_nothing(game, seed):
    """Keys in reverse order, cards as values."""
    sheet = changed_log(random.Random(seed), random_sheet(game, seed, most_turns=40))
    other = {key: sheet[key] for key in reversed(sheet)}
    other["turns"] = [{key: turn[key] for key in reversed(turn)} for turn in sheet["turns"]]
    values = json.loads(
        re.sub(
            r'"(dragon|tiger)-([0-9]+)"',
            lambda match: f'"{"+" if match[1] == "dragon" else "-"}{match[2]}"',
            json.dumps(other),
        )
    )
    answer = judged(sheet)
    for variant in (other, values):
        assert {**judged(variant), "findings": len(judged(variant)["findings"])} == {
            **answer,
            "findings": len(answer["findings"]),
        }


# ---- changed logs -------------------------------------------------------------------------------------------------


@seeds(40)
def test_the_referee_agrees_about_changed_logs(game, seed):
    rng = random.Random(seed)
    sheet = random_sheet(game, seed, most_turns=rng.choice([8, 25, 120]), with_deck=seed % 2 > 0, hands=False)
    agree(changed_log(rng, sheet))


def changed_log(rng, sheet):
    """The log with one turn changed, dropped, doubled or moved; the result may be legal."""
    sheet = copy.deepcopy(sheet)
    turns = sheet["turns"]
    number = rng.randrange(len(turns))
    kind = rng.choice(["drop", "double", "swap", "player", "roll", "to", "action", "forced", "forced", "card"])
    if kind == "drop" and len(turns) > 1:
        del turns[number]
    elif kind == "double":
        turns.insert(number, copy.deepcopy(turns[number]))
    elif kind == "swap":
        other = rng.randrange(len(turns))
        turns[number], turns[other] = turns[other], turns[number]
    else:
        change_turn(rng, sheet["players"], turns[number], kind)
    return sheet


def change_turn(rng, players, turn, kind):
    """Replaces one part of a turn."""
    if kind == "player":
        turn["player"] = rng.choice(players)
    elif kind == "roll":
        turn["roll"] = rng.randint(1, 6)
    elif kind == "to":
        turn["to"] = rng.choice(list(Map().kind))
    elif kind == "action":
        for key in ("draw", "jump", "discard"):
            turn.pop(key, None)
        turn.update(any_action(rng, players))
    elif kind == "forced":
        turn.pop("forced", None)
        if rng.random() < 0.8:
            turn["forced"] = [any_forced(rng, players) for _ in range(rng.choice([1, 1, 2]))]
    else:
        change_card(rng, turn)


def any_action(rng, players):
    action = rng.choice(["draw", "jump", "discard", ""])
    if action == "jump":
        return {"jump": rng.choice(CARDS)}
    return {action: any_card_move(rng, players, action)} if action else {}


def any_forced(rng, players):
    verb = rng.choice(["draw", "discard"])
    return {**({"player": rng.choice(players)} if rng.random() < 0.4 else {}), verb: any_card_move(rng, players, verb)}


def any_card_move(rng, players, verb):
    card = rng.randint(-12, 12)
    if verb == "draw":
        return {"from": rng.choice(["deck", "deck", "pile", *players]), "card": card_id(card)}
    stacked = {"with": [card_id(-card)]} if rng.random() < 0.6 else {}
    return {"card": card_id(card), "onto": rng.choice(["pile", *players]), **stacked}


def change_card(rng, turn):
    """Changes a card in a draw or discard, if there is one."""
    forced = turn.get("forced", [])
    entries = [turn, *(forced if isinstance(forced, list) else [forced])]
    moves = [entry[key] for entry in entries for key in ("draw", "discard") if key in entry]
    if moves:
        rng.choice(moves)["card"] = rng.choice(CARDS)


def test_the_referee_complains():
    sheet = {"players": NAMES[:2], "turns": [{"player": "Ann", "roll": 5, "to": "em-2"}]}
    assert complaints(sheet) == [(1, "the roll does not lead there")]
