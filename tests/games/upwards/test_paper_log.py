"""The reserve and the round log as they are ticked, ringed and written on paper."""

import re

import pytest

from generator.simulation.report import Job
from generator.simulation.simulate import play
from tests.games.upwards.judging import judged

HEAD = {"game": "upwards", "option": "rows", "event_die": "x"}


def field_number(name):
    return int(name[1:]) + 5 * (name[0] == "x")


def on_paper(log):
    """A log as marks on paper. Rounds with more than four numbers use the lines for further ones."""
    marks, more = {}, 0
    for number, played in enumerate(log, 1):
        at, lines = f"rounds.{number}", []
        marks |= {f"{at}.{key}": str(played[key]) for key in ("event", "row") if key in played}
        if "outline" in played:
            marks[f"{at}.opened"] = str(field_number(played["outline"]))
        for entry in played.get("entries", ()):
            target, _, terms = entry.partition("=")
            if terms == "o":
                marks[f"{at}.column"] = target
                continue
            for index, (sign, name) in enumerate(re.findall(r"([+-]?)([rx]?[0-9]+)", terms)):
                line = {"number": name if name.isdecimal() else str(field_number(name))}
                line |= {} if name.isdecimal() else {"saved": "x"}
                line |= {"sign": sign} if sign and (index or sign == "-") else {}
                to = {"to": target} if len(target) == 1 else {"field": str(field_number(target))}
                lines.append(line | ({} if index else to))
        lines += [{"number": str(die)} for die in played.get("passed", ())]
        for index, line in enumerate(lines, 1):
            place = f"{at}.numbers.{index}"
            if index > 4:
                more += 1
                place = f"more.{more}"
                marks[f"{place}.round"] = str(number)
            marks |= {f"{place}.{key}": mark for key, mark in line.items()}
    return marks


def answer(sheet):
    """The rules that a sheet breaks, and its score lines; or its problems."""
    plain = judged({**HEAD, **sheet})
    if "error" in plain:
        return [error["message"] for error in plain["error"]], None
    return [(finding["rule"], finding["message"]) for finding in plain["findings"]], plain["players"]


LOG = [
    {"dice": [4, 3, 1], "event": "extra-reserve", "outline": "x1", "entries": ["a=4", "b=3+1"]},
    {"dice": [4, 1, 3], "event": "meteorite", "entries": ["c=o", "r1=4+1", "d=3"]},
    {"dice": [6, 2, 1], "event": "plus-or-minus", "entries": ["a=6-2", "b=1+r1"]},
]
END = {"grid": ["4 6 . .", "4 4 o 3"]}


def test_a_log_on_paper_is_the_log_in_a_file():
    paper = {**END, "reserve.1": "5", "used.r1": "x", "opened.x1": "x", **on_paper(LOG)}
    assert paper["rounds.3.numbers.4.saved"] == "x"
    typed = {**END, "reserve": ["5x"], "extra_reserve": ["."], "log": LOG}
    assert answer(paper) == answer(typed) == ([], answer(typed)[1])


def test_ticks_beside_the_reserve_are_what_is_typed():
    typed = {**END, "reserve": ["5x", 3], "extra_reserve": [".", "4x", "-"]}
    ticked = {**END, "reserve": [5, 3], "extra_reserve.2": "4", "used": ["r1", "x2"], "opened": "x1, x2"}
    assert answer(typed) == answer(ticked)


def test_an_empty_field_cannot_be_used():
    findings, _ = answer({**END, "used": ["r2"]})
    assert findings == [("reserve-number", "field r2 is ticked as used, but holds no number")]


def test_the_log_finds_a_forgotten_tick():
    findings, _ = answer({**END, "reserve": [5], "extra_reserve": ["."], "log": LOG})
    assert [rule for rule, _ in findings] == ["log-agrees"]


@pytest.mark.parametrize(
    ("marks", "problem"),
    [
        ({"rounds.2.numbers.1.number": "4"}, "round 1 is blank, but a later one is not"),
        ({"rounds.1.numbers.1.to": "a"}, "round 1 has a line without a number"),
        ({"rounds.1.numbers.1.number": "2", "rounds.1.numbers.1.saved": "x"}, "a saved number that goes nowhere"),
        (
            {"rounds.1.numbers.1.number": "2", "rounds.1.numbers.1.to": "a", "rounds.1.numbers.1.field": "1"},
            "round 1 has a number that goes to two places",
        ),
        ({"rounds.1.numbers.1.number": "7", "rounds.1.numbers.1.to": "a"}, "“7” is not a number on the die"),
        ({**on_paper(LOG), "log": LOG}, "the rounds are logged twice"),
        ({**on_paper(LOG), "more.1.number": "4"}, "a further number belongs to none of the rounds"),
        ({"extra_reserve": ["-"], "opened": ["x1"]}, "field x1 is ticked as open, but"),
    ],
)
def test_what_makes_no_sense_on_paper(marks, problem):
    problems, _ = answer({**END, **marks})
    assert any(problem in text for text in problems), problems


@pytest.mark.parametrize("seed", range(6))
def test_simulated_games_on_paper_score_the_same(seed):
    """Every game that fits on the pages."""
    job = Job("upwards", ("careful", "greedy"), variant="snake+event-die", seed=str(seed), stop=3, keep=True)
    compared = 0
    for sheet in (sheet for _, sheets in play(job).sheets for sheet in sheets):
        marks = {key: value for key, value in sheet.items() if key not in ("log", "claimed")}
        rounds = on_paper(sheet["log"])
        if "more.5.round" not in rounds:
            compared += 1
            assert answer({**marks, **rounds}) == answer({**marks, "log": sheet["log"]})
    assert compared
