"""The greedy player of solo challenges follows the rules, and the targets follow from its games."""

import os

import pytest

from generator.draws import Chance, draw
from generator.games.upwards import play
from generator.games.upwards.deal import (
    SETS,
    Challenge,
    RoundThrow,
    challenge_targets,
    greedy_game,
    greedy_move,
    greedy_points,
    recipe_of,
    rolled,
    strip,
)
from tests.games.upwards.judging import JUDGE, broken, judged
from tests.games.upwards.playing import note, sheet

GAMES = int(os.environ.get("PENCILBOX_GAMES", "6"))
OPTIONS = {"11": "rows", "12": "snake", "13": "blocks"}


def logged(known, code, rounds, option, chance):
    """A game of the greedy player as a sheet with its log; every move is one of the legal ones."""
    state, log = play.start(known), []
    for entry in rounds:
        if play.is_over(state):
            break
        state, played = play.throw(state, entry.dice, entry.event), {"entries": []}
        while state.thrown:
            move = greedy_move(state, option, chance)
            assert is_legal(state, move), move
            note(played, state, move)
            state = play.apply(state, move)
        log.append({"dice": list(entry.dice), "event": entry.event} | played)
    return state, sheet(state) | {"option": option, "event_die": True, "strip": code, "log": log}


def is_legal(state, move):
    """Whether `legal` lists the move, with its numbers in any order."""

    def sources(one):
        return one.kind, one.place, sorted(one.plus), sorted(one.minus)

    return sources(move) in map(sources, play.legal(state))


@pytest.mark.parametrize("name", OPTIONS)
def test_the_greedy_player_follows_the_rules_and_the_judge_agrees_on_points(game, known, name):
    """Every game gives a valid sheet for its strip. Its blocks score like the best blocks, which are only a hint."""
    for index in range(GAMES):
        code = draw("UP", "S", name, "player", index)
        option, rounds = OPTIONS[name], rolled(recipe_of(game, name), code.seed)[0]
        state, sheet_data = logged(known, str(code), rounds, option, Chance(index))
        result = judged(sheet_data)
        assert result["findings"] == []
        if option != "blocks":
            assert result["players"][0]["total"] == greedy_points(state, option)


@pytest.mark.parametrize("name", OPTIONS)
def test_targets_are_percentiles_of_games(game, known, name):
    code = draw("UP", "S", name, "targets")
    challenge = recipe_of(game, name).challenge
    rounds = rolled(recipe_of(game, name), code.seed)[0]
    targets = challenge_targets(known, rounds, Challenge(challenge.option, 10, {"half": 50, "most": 90}), code.seed)
    chance = Chance(code.seed)
    reached = sorted(
        greedy_points(greedy_game(known, rounds, challenge.option, chance), challenge.option) for _ in range(10)
    )
    assert targets == {"half": reached[5], "most": max(reached[9], reached[5] + 1)}


def test_targets_increase_even_if_all_games_end_with_the_same_points(known):
    rounds = (RoundThrow((1, 1, 1), "minus-only"),)
    targets = challenge_targets(known, rounds, Challenge("rows", 5, {"bronze": 50, "silver": 80, "gold": 97}), 3)
    assert list(targets.values()) == [targets["bronze"] + more for more in (0, 1, 2)]


def test_a_challenge_shows_its_targets(game):
    code = draw("UP", "S", "11", "shown")
    deck = SETS.deal(game, code)
    targets = SETS.data(game, deck)["targets"]
    assert list(targets) == ["bronze", "silver", "gold"]
    assert SETS.lines(game, deck)[0] == "points to reach with the scoring option rows: " + ", ".join(
        f"{name} {points}" for name, points in targets.items()
    )
    assert deck.components["strip"].cards[0].targets == targets == strip(game, code).targets


def test_hints_say_which_target_was_reached(game, known):
    code = draw("UP", "S", "11", "reached")
    challenge_strip = strip(game, code)
    _, filled = logged(known, str(code), challenge_strip.strips[0], "rows", Chance(2))
    total = judged(filled)["players"][0]["total"]
    reached = [name for name, points in challenge_strip.targets.items() if total >= points]
    judge = type(JUDGE)(hints=True)
    (hint,) = judged(filled, judge)["hints"]
    assert hint["message"].endswith(f"{total} points earn {reached[-1]}" if reached else "earn none of them")
    assert f"{challenge_strip.targets['gold']} for gold" in hint["message"]


# ---- logs against their strip --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def filled(game, known):
    code = draw("UP", "S", "03", "against")
    rounds = strip(game, code).strips[1]
    return logged(known, str(code), rounds, "snake", Chance(1))[1]


def test_a_log_may_be_of_any_players_strip_and_stop_anywhere(filled):
    assert broken(filled) == set()
    assert "strip" not in broken({**filled, "log": filled["log"][:2]})


def test_every_changed_die_and_event_is_reported(filled):
    for number, played in enumerate(filled["log"]):
        for change in (
            {"dice": [played["dice"][0] % 6 + 1, *played["dice"][1:]]},
            {"event": "meteorite" if played["event"] != "meteorite" else "minus-only"},
        ):
            log = [*filled["log"][:number], {**played, **change}, *filled["log"][number + 1 :]]
            result = [finding for finding in judged({**filled, "log": log})["findings"] if finding["rule"] == "strip"]
            assert [finding["where"] for finding in result] == [[f"log.{number + 1}"]]


def test_swapped_rounds_are_reported(filled):
    first, second, *others = filled["log"]
    assert "strip" in broken({**filled, "log": [second, first, *others]})


def test_more_rounds_than_throws_are_reported(filled):
    long = {**filled, "log": (filled["log"] * 3)[:25]}
    assert "strip" in broken(long)


def test_dice_may_be_written_in_any_order(filled):
    log = [{**played, "dice": played["dice"][::-1]} for played in filled["log"]]
    assert "strip" not in broken({**filled, "log": log})


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("UP-1S01-W3QWQ-J2F0Y-7Q", "is not a valid set code"),
        (str(draw("UP", "S", "09", "x")), "has no recipe “09”"),
        (str(draw("UP", "R", "01", "x")), "is for dice, but “strip” is for strips"),
    ],
)
def test_a_code_that_is_not_for_a_strip_is_reported(filled, code, message):
    result = judged({**filled, "strip": code})
    assert [message in problem["message"] for problem in result["error"]] == [True]
    assert result["error"][0]["line"] == 1
