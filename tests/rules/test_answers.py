"""Answers as JSON."""

import json

import pytest

from generator.errors import Place
from generator.rules.results import (
    Finding,
    Judged,
    Line,
    Part,
    Result,
    Score,
    Verdict,
    line,
    plain,
)

HERE = Place("a.yaml", 3)
NAMES = ["Ann", 'Jörg "Jo" \\', "\u2028\t", "🎲", ""]
SCORES = tuple(
    Score(name, (Line("columns", number), Line('ro"ws', -number, (Part("a→b", -number),))))
    for number, name in enumerate(NAMES)
)
FOUND = Verdict((Finding("no-gaps", "warning", "a gap", ("grid.a1",), "Ann", HERE),))


@pytest.mark.parametrize(
    "answer",
    [
        Judged("upwards", "Upwards!", HERE, Verdict(), Result(SCORES, (1, 2, 3, 3, 5), ("Ann", "🎲"))),
        Judged("upwards", "Upwards!", HERE, Verdict(), Result(SCORES[:1], (1,))),
        Judged("own", "", HERE, Verdict()),
        Judged('ö"n', "", HERE, Verdict(), Result()),
        Judged("own", "", HERE, FOUND, Result(SCORES[:1], (1,))),
        Judged("own", "", HERE, Verdict(), Result(), hints=(Finding("", "hint", "better", ("a",), None, HERE),)),
        Judged("own", "", HERE, Verdict(), Result(), hints=()),
    ],
)
def test_a_line_keeps_letters_outside_ascii(answer):
    assert line(answer) == json.dumps(plain(answer), ensure_ascii=False)
