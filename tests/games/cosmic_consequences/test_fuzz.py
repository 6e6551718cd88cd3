"""Nonsense logs are judged or are input errors; they never raise another exception."""

import json
import random

import pytest

from generator.rules.results import Unreadable
from tests.games.cosmic_consequences.judging import answer, judged
from tests.trials import seeds

WORDS = [
    "",
    ".",
    "deck",
    "pile",
    "Ann",
    "Ben",
    "draw",
    "discard",
    "with",
    "onto",
    ";",
    "+3",
    "−3",
    "-12",
    "0",
    "dragon-4",
    "tiger-4",
    "zero-1",
    "99",
    "lion",
    "is-1",
    "left-5",
    "big-bang",
    "\u0000",
    "💫",
    "1" * 40,
]


def anything(rng, depth=0):
    kind = rng.random()
    if kind < 0.6 or depth > 2:
        return " ".join(rng.choices(WORDS, k=rng.choice([1, 1, 2, 3, 4])))
    if kind < 0.75:
        return [anything(rng, depth + 1) for _ in range(rng.randint(0, 3))]
    if kind < 0.95:
        keys = rng.sample(["from", "card", "onto", "with", "draw", "discard", "player", "stacks", "cc_up"], 3)
        return {key: anything(rng, depth + 1) for key in keys}
    return rng.choice([None, True, False, 3, -3, 10**30, 1.5])


def any_turn(rng):
    turn = {
        "player": rng.choice(["Ann", "Ben"]),
        "roll": rng.randint(1, 6),
        "to": rng.choice(["is-1", "is-5", "em-3", "left-5", "first-2", "big-bang", "weak-2"]),
    }
    for key in rng.sample(["player", "draw", "jump", "discard", "roll", "to", "forced"], rng.randint(0, 3)):
        turn[key] = anything(rng)
    return turn


@seeds(60)
def test_any_log_gets_an_answer(seed):
    rng = random.Random(seed)
    sheet = {
        "game": "cosmic_consequences",
        "players": ["Ann", "Ben"],
        "turns": [any_turn(rng) for _ in range(rng.randint(0, 6))],
    }
    for key in rng.sample(["players", "hands", "deal", "cards", "turns"], rng.choice([0, 0, 1])):
        sheet[key] = anything(rng)
    answer = judged(sheet)
    assert "error" in answer or "findings" in answer


@seeds(20)
def test_any_readable_log_is_judged(seed):
    """Readable lines get an answer, whatever they say."""
    rng = random.Random(seed)
    cards = ["+3", "-3", "+4", "-4", "+7", "-7", "0", "+1", "-12"]
    turns = []
    for number in range(40):
        turn = {
            "player": ["Ann", "Ben"][number % 2],
            "roll": rng.randint(1, 6),
            "to": rng.choice(["is-1", "is-2", "is-5", "em-3", "left-5", "left-2", "first-2", "big-bang", "weak-2"]),
        }
        for key, places in (("draw", ["deck", "pile", "Ann"]), ("discard", ["pile", "Ann", "Ben"]), ("jump", [""])):
            if rng.random() < 0.3:
                turn[key] = f"{rng.choice(places)} {some_cards(rng, cards, most=3 if key == 'discard' else 1)}".strip()
        if rng.random() < 0.5:
            verb = rng.choice(["draw Ann", "draw deck", "discard pile", "discard Ben"])
            turn["forced"] = " ".join(
                [rng.choice(["Ann", "Ben", ""]), verb, some_cards(rng, cards, most=3 if "discard" in verb else 1)]
            )
        turns.append(turn)
    answer = judged({"game": "cosmic_consequences", "players": ["Ann", "Ben"], "turns": turns})
    assert not answer["valid"]
    assert answer["findings"]


def some_cards(rng, cards, most):
    """Cards, in half of all lines with those they are stacked with."""
    onto = rng.choice([[], [], ["with"], ["onto"]])
    stacked = rng.choices(cards, k=rng.randint(1, 3)) if onto else rng.choices(cards, k=rng.randint(0, 2))
    return " ".join([*rng.choices(cards, k=rng.randint(1, most)), *onto, *stacked])


PLAYERS = ["Ann", "Ann Lee", "draw it", "0", "Ben"]
"""Names with spaces, that begin with one another, or that look like something else."""


@pytest.mark.parametrize("part", ["draw", "jump", "discard", "forced"])
@seeds(30)
def test_any_line_is_judged_or_a_problem_with_its_field(part, seed):
    """Any text where a card action belongs is judged, or is a problem with the name of its field and its line."""
    rng = random.Random(f"{part} {seed}")
    words = [*WORDS, *PLAYERS, "with", "onto", ",", ";", "WITH", "Deck", "+3,-3", "−", "+", "--3", "draw", "discard"]
    sheet = {
        "players": PLAYERS,
        "turns": [
            {
                "player": PLAYERS[number % 5],
                "roll": 4,
                "to": "is-1",
                part: " ".join(rng.choices(words, k=rng.randint(1, 8))),
            }
            for number in range(5)
        ],
    }
    text = "game: cosmic_consequences\n" + "".join(
        f"{key}:\n" + "".join(f"  - {json.dumps(entry, ensure_ascii=False)}\n" for entry in entries)
        for key, entries in sheet.items()
    )
    result = answer(text)
    if isinstance(result, Unreadable):
        for problem in result.problems:
            number = problem.place.line - 8
            label = "“The space asks”" if part == "forced" else part
            starts = f"turn {number}, {label}: ", f"turn {number}: {label} must be"
            assert any(start in problem.message for start in starts), problem
            assert problem.place.file == "sheet.yaml"


def test_hands_may_hold_all_cards():
    numbers = [f"{sign}{number}" for sign in "+-" for number in range(1, 13)]
    sheet = {
        "game": "cosmic_consequences",
        "players": ["Ann", "Ben"],
        "hands": {"Ann": {"number_up": numbers}, "Ben": {"cc_up": ["zero-1", "zero-2"]}},
    }
    assert judged(sheet)["findings"] == []
