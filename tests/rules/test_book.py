"""The rule book itself, ranks, and the answer in words."""

import pytest

from generator.errors import Place
from generator.rules.results import (
    Finding,
    Judged,
    Line,
    Part,
    Result,
    RuleBook,
    Score,
    Unreadable,
    Verdict,
    Violation,
    by_order,
    plain,
    ranks,
)
from generator.rules.text import text


def test_calling_a_rule_gives_its_place_and_message() -> None:
    book = RuleBook()
    first, second = book.add("first", "One."), book.add("second", "Two.", source="E1", severity="warning")
    assert [rule.order for rule in book.rules] == [0, 1]
    assert (second.id, second.text, second.source, second.severity) == ("second", "Two.", "E1", "warning")
    assert first("turns.1", "It is so.") == Violation(first, ("turns.1",), "It is so.")
    assert first(["a", "b"], "So.").where == ("a", "b")
    assert first("", "So.").where == first((), "So.").where == ()
    found = [second("a", "."), first("b", "."), second("c", "."), first("d", ".")]
    assert [violation.where for violation in by_order(found)] == [("b",), ("d",), ("a",), ("c",)]


def test_the_docstring_is_the_rule() -> None:
    book = RuleBook()

    @book.rule("touching", source="page 3", severity="warning")
    def each_touches(sheet: object) -> list[tuple[str, ...]]:
        """Every number
        touches the one before."""
        return []

    (rule,) = book.rules
    assert (rule.id, rule.text, rule.source, rule.severity) == (
        "touching",
        "Every number touches the one before.",
        "page 3",
        "warning",
    )


def test_a_rule_needs_a_text_and_a_unique_name() -> None:
    book = RuleBook()

    def silent(sheet: object) -> list[tuple[str, ...]]:
        return []

    with pytest.raises(ValueError, match="no docstring"):
        book.rule("silent")(silent)
    silent.__doc__ = "Something."
    book.rule("silent")(silent)
    with pytest.raises(ValueError, match="already"):
        book.counts("silent")(silent)
    with pytest.raises(ValueError, match="already"):
        book.add("silent", "Something.")


def test_a_rule_may_be_about_some_of_the_sheets() -> None:
    book = RuleBook()

    def rule(sheet: object) -> list[tuple[str, ...]]:
        """Never so."""
        return [("It is so.",)]

    book.rule("so", sheets=("one", "two"))(rule)
    book.rule("so", sheets=("three",))(rule)
    for sheets in ((), ("two", "four")):
        with pytest.raises(ValueError, match="already"):
            book.counts("so", sheets=sheets)(rule)
    book.rule("tied", sheets=("tournament",))(rule)
    for name, found in (("tournament", ["tied"]), ("last-die", [])):
        assert [violation.rule.id for violation in book.check(None, name)] == found


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ([], ()),
        ([(3,)], (1,)),
        ([(3,), (3,)], (1, 1)),
        ([(1,), (3,), (3,), (2,)], (4, 1, 1, 3)),
        ([(3, 1), (3, 2)], (2, 1)),
        ([(-3,), (0,)], (2, 1)),
    ],
)
def test_ranks(keys: list[tuple[int, ...]], expected: tuple[int, ...]) -> None:
    assert ranks(keys) == expected


FINDING = Finding(
    "no-gaps", "error", "c4 is filled but c3 below it is empty", ("grid.c4",), "Nele", Place("nele.yaml", 8)
)
SCORE = Score("Nele", (Line("columns", 6), Line("rows", 10), Line("bonus", 3)))


def test_the_json_of_the_contract() -> None:
    """The example of docs/sheets.md, key by key in order."""
    result = Result((SCORE,), (1,), ("Nele",))
    answer = Judged("upwards", "Upwards!", Place("nele.yaml", 1), Verdict((FINDING,)), result)
    assert repr(plain(answer)) == repr(
        {
            "game": "upwards",
            "valid": False,
            "findings": [
                {
                    "rule": "no-gaps",
                    "severity": "error",
                    "player": "Nele",
                    "where": ["grid.c4"],
                    "message": "c4 is filled but c3 below it is empty",
                    "file": "nele.yaml",
                    "line": 8,
                }
            ],
            "players": [
                {
                    "name": "Nele",
                    "lines": [
                        {"label": "columns", "points": 6},
                        {"label": "rows", "points": 10},
                        {"label": "bonus", "points": 3},
                    ],
                    "total": 19,
                    "rank": 1,
                }
            ],
            "winners": ["Nele"],
        }
    )


def test_a_warning_leaves_a_sheet_valid() -> None:
    assert Verdict().valid
    assert Verdict((Finding("r", "warning", "m", (), None, Place("f")),)).valid
    assert not Verdict((FINDING,)).valid


def test_an_unreadable_sheet() -> None:
    assert plain(Unreadable(())) == {"error": [], "valid": False}


def said(result: Result, findings: tuple[Finding, ...] = (), **how: object) -> str:
    return text(Judged("g", "Game", Place("f.yaml", 3), Verdict(findings), result), **how)  # type: ignore[arg-type]


def test_the_words() -> None:
    result = Result(
        (Score("Ann", (Line("card 4", 4), Line("card 7", -5))), Score("Bartholomew", (Line("card 3", 6),))),
        (2, 1),
        ("Bartholomew",),
    )
    assert (
        said(result, (FINDING,))
        == """\
Game  f.yaml:3

As the sheet stands, Bartholomew wins with 6 points.

  Ann            Bartholomew
  card 4     4   card 3     6
  card 7    −5
  ────────────   ────────────
  total     −1   total      6
  rank     2nd   rank     1st

  error    no-gaps  Nele  nele.yaml:8
           c4 is filled but c3 below it is empty.

1 error."""
    )


@pytest.mark.parametrize(
    ("result", "first"),
    [
        (Result((Score("Ann", (Line("a", 1),)),), (1,), ("Ann",)), "Ann has 1 point."),
        (Result((SCORE, Score("Ann")), (1, 2), ("Nele",), "A remark."), "Nele wins with 19 points. A remark."),
        (
            Result((Score("A"), Score("B"), Score("C")), (1, 1, 1), ("A", "B", "C")),
            "A, B and C win together with 0 points each.",
        ),
        (Result((Score("A"), Score("B")), (1, 1), (), "All lose."), "All lose."),
        (Result((SCORE, Score("Ann")), (1, 2), ("Nele",), unit="round"), "Nele wins with 19 rounds."),
        (Result((SCORE, Score("Ann")), (1, 2), ("Nele",), unit="win"), "Nele comes first with 19 wins."),
    ],
)
def test_the_winner_comes_first(result: Result, first: str) -> None:
    lines = said(result).splitlines()
    assert (lines[2], lines[-1]) == (first, "No problems found.")


def test_a_win_on_a_sheet_with_errors_takes_the_sheet_as_it_stands() -> None:
    result = Result((SCORE, Score("Ann")), (1, 2), ("Nele",), "A remark.")
    first = said(result, (FINDING, FINDING, FINDING)).splitlines()[2]
    assert first == "As the sheet stands, Nele wins with 19 points. A remark."
    warning = Finding("r", "warning", "m", (), None, Place("f"))
    lines = said(result, (warning,)).splitlines()
    assert (lines[2], lines[-1]) == ("Nele wins with 19 points. A remark.", "1 warning.")
    assert said(Result((SCORE,), (1,), (), "All lose."), (FINDING,)).splitlines()[2] == "All lose."


def test_the_rule_is_above_the_totals_of_an_unfinished_game() -> None:
    ann = Score("Ann", (Line("card 4", 0), Line("card 7", -5), Line("card 11", 2)))
    ben = Score("Ben", (Line("card 3", 6), Line("card 10", 3)))
    assert said(Result((ann, ben), (2, 1), over=False)).splitlines()[2:8] == [
        "  Ann            Ben",
        "  card 4     0   card 3     6",
        "  card 7    −5   card 10    3",
        "  card 11    2",
        "  ────────────   ────────────",
        "  total     −3   total      9",
    ]


def test_players_who_do_not_fit_side_by_side_are_printed_below() -> None:
    result = Result(tuple(Score(f"Player {n}", (Line("card", n),)) for n in range(6)), (1,) * 6)
    assert max(map(len, said(result, width=40).splitlines())) <= 40
    assert said(result, width=40).count("Player") == 6


def test_wide_letters_keep_the_columns_straight() -> None:
    result = Result((Score("明美", (Line("card 4", 4),)), Score("Zoë", (Line("card 4", 4),))), (1, 2), ("明美",))
    head, line = said(result).splitlines()[4:6]
    assert len(head) + 2 == len(line)


def test_players_with_the_same_lines_share_a_table() -> None:
    ann = Score("Ann", (Line("round 1", 9), Line("round 1 bonus", 2), Line("round 2", 0)))
    ben = Score("Ben", (Line("round 1", 4), Line("round 2", -1), Line("round 2 bonus", 2)))
    assert said(Result((ann, ben), (1, 2))).splitlines()[2:9] == [
        "                   Ann    Ben",
        "  round 1            9      4",
        "  round 1 bonus      2",
        "  round 2            0     −1",
        "  round 2 bonus             2",
        "  ───────────────────────────",
        "  total             11      5",
    ]


def test_two_lines_with_the_same_label_are_printed_separately() -> None:
    twice = Score("Ann", (Line("card 4", 4), Line("card 4", 4)))
    assert said(Result((twice, twice), (1, 1))).count("card 4") == 4


def test_a_long_name_is_cut_in_the_table_and_given_in_full_above() -> None:
    name = "Wolfgang Amadeus Theophilus Mozart"
    text = said(Result((Score(name, (Line("a", 1),)),), (1,), (name,)))
    assert text.splitlines()[2] == f"{name} has 1 point."
    assert "Wolfgang Amadeus Theoph…" in text.splitlines()[4]


def test_an_explanation_shows_how_points_were_made() -> None:
    parts = (Part("column a: 6→1, 1→2, 2→3", 3), Part("column b: no step", 0))
    text = said(Result((Score("Nele", (Line("columns", 3, parts),)),), (1,), ("Nele",)), width=40)
    assert (
        text.split("\n\n")[3]
        == """\
  Nele
    columns  column a: 6→1, 1→2, 2→3 = 3
             column b: no step = 0"""
    )


def test_colour_is_used_only_on_request() -> None:
    result = Result((SCORE,), (1,), ("Nele",))
    assert "\x1b" not in said(result, (FINDING,))
    assert "<error>error" in said(result, (FINDING,), paint=lambda words, style: f"<{style}>{words}")


def test_an_unknown_rule_is_named():
    with pytest.raises(KeyError, match="no rule “no-such-rule”"):
        RuleBook()["no-such-rule"]
