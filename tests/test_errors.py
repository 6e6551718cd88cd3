"""Problems: long words are cut, misspelt ones get a suggestion, and long lists are summed up."""

import time

import pytest

from generator.errors import (
    Place,
    Problem,
    did_you_mean,
    listed,
    note,
    noting,
    shortened,
    summary,
)


def lines(*problems):
    return [str(problem) for problem in summary(problems)]


def test_the_same_problem_on_many_cards_is_one_message():
    cards = [
        Problem(
            f"card a{n}, text: needs 3.1 mm, has 2.0 mm (line {n} as rendered: <text>{n}</text>)", Place("card.xml.j2")
        )
        for n in range(1, 40)
    ]
    assert lines(*cards) == ["card.xml.j2: 39 cards (a1, a2, a3, …): text: needs 3.1 mm, has 2.0 mm"]
    assert lines(*cards[:2]) == ["card.xml.j2: 2 cards (a1, a2): text: needs 3.1 mm, has 2.0 mm"]
    assert lines(cards[0]) == [str(cards[0])]


def test_problems_that_differ_between_cards_are_one_message_with_the_largest_number():
    style, place = "text in style “rule” needs up to {} mm more", Place("card.xml.j2", 7)
    cards = [
        Problem(f"card a{n} of “lanterns”, text “{n}”: needs 5.{n} mm, has 5.0 mm", place, "too high", style, n / 10)
        for n in (1, 3, 2)
    ]
    assert lines(*cards, *cards) == [
        "card.xml.j2:7: 3 cards of “lanterns” (a1, a3, a2): text in style “rule” needs up to 0.3 mm more; too high"
    ]
    other_line = Problem(cards[0].message, Place("card.xml.j2", 8), "", style, 0.1)
    other_deck = Problem("card a1 of “words”, text “1”: needs 5.1 mm, has 5.0 mm", place, "", style, 0.1)
    assert len(lines(*cards, other_line, other_deck)) == 3
    same = [
        Problem(f"card {n}, text “Go”: needs 5.1 mm, has 5.0 mm", place, "", style, 0.1) for n in ("old ferry", "b")
    ]
    assert lines(*same) == ["card.xml.j2:7: 2 cards (old ferry, b): text “Go”: needs 5.1 mm, has 5.0 mm"]
    pictures = [
        Problem(f"card {n}: no picture “{n}.png”", place, "", "no such pictures, for example “{}”", f"{n}.png")
        for n in (1, 2)
    ]
    assert lines(*pictures) == ["card.xml.j2:7: 2 cards (1, 2): no such pictures, for example “1.png”"]


def test_the_same_problem_on_many_lines_is_one_message():
    rows = [Problem("“light” must be a number", Place("cards.csv", n), "write 1") for n in (2, *range(11, 20), 25)]
    assert lines(*rows) == [
        "cards.csv:2: “light” must be a number (also on lines 11, 12, 13, 14, 15, 16, 17, 18 and 2 more); write 1"
    ]
    assert lines(*rows[:2]) == ["cards.csv:2: “light” must be a number (also on line 11); write 1"]


def test_different_problems_stay_apart():
    problems = [
        Problem("card 1: no icon “a”", Place("card.xml.j2")),
        Problem("card 1: no icon “b”", Place("card.xml.j2")),
        Problem("card 2: no icon “a”", Place("other.xml.j2")),
        Problem("die 1, side 2: no icon “a”", Place("card.xml.j2")),
        Problem("no icon “a”", Place("card.xml.j2")),
        Problem("no icon “a”"),
    ]
    assert lines(*problems) == list(map(str, problems))


def test_a_long_list_is_cut():
    messages = lines(*(Problem(f"problem {n}", Place("a", n)) for n in range(500)))
    assert len(messages) == 20 and messages[0] == "a: problem 0" and messages[-1] == "and 481 more problems"


def test_a_long_message_is_cut():
    assert len(lines(Problem("x" * 5_000, Place("a", 1), "y" * 5_000))[0]) < 1_300


def test_words_are_quoted_short_and_without_control_characters():
    assert shortened("a\x1b[2Jb\u202ec") == "a�[2Jb�c"
    assert shortened("x" * 60) == "x" * 60 and shortened("x" * 61) == "x" * 59 + "…"
    assert listed(range(3)) == "0, 1, 2"
    assert listed(range(100)) == "0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 88 more"


@pytest.mark.parametrize(
    ("word", "choices", "hint"),
    [
        ("titel", ["title", "id"], "did you mean title?"),
        ("ab", ["abcd", "xy"], "did you mean abcd?"),
        ("x", ["title", "id"], "known: id, title"),
        ("x", [f"name{n}" for n in range(50)], ""),
        ("titel", ["title", *(f"n{n}" * 20 for n in range(50))], "did you mean title?"),
    ],
)
def test_did_you_mean(word, choices, hint):
    assert did_you_mean(word, choices) == hint


def test_a_suggestion_is_quick():
    start = time.process_time()
    did_you_mean("x" * 1_000_000, [f"name{n}" for n in range(3_000)])
    did_you_mean("name", ["y" * 100_000] * 100)
    did_you_mean("name123", [f"name{n}" for n in range(200_000)])
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("word", "choices", "hint"),
    [
        ("zzz", ["11", "2", "1", "10"], "known: 1, 2, 10, 11"),
        ("zzz", ["hex10", "b", "hex9", "a"], "known: a, b, hex9, hex10"),
        ("zzz", ["7" * 5000, "8"], "known: 8"),
    ],
)
def test_hints_list_words_in_natural_order(word, choices, hint):
    assert did_you_mean(word, choices) == hint


def test_each_caller_collects_notes_once():
    note("unheard")
    with noting() as outer:
        note("a picture", Place("a.png"))
        with noting() as inner:
            note("a drawing")
            note("a drawing")
    assert list(map(str, outer)) == ["a.png: a picture"]
    assert list(map(str, inner)) == ["a drawing"]
