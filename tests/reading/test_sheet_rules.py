"""Mistakes in the rules of a score sheet, which are reported when the game is loaded."""

import random
import time

import pytest

from generator.errors import InputError
from generator.judging.judge import Judge
from generator.reading import sheet_rules
from generator.reading.load import load, shipped
from generator.reading.sheet_rules import CHECKS
from generator.rules.results import plain
from generator.rules.stated import StatedRules
from tests.trials import seeds

FIELDS = """\
title: Sheet
players: players
fields:
  round: {kind: number}
  players:
    label: Player
    repeat: 4
    fields:
      name: {kind: text}
      dice: {kind: die, count: 5}
      stars: {kind: number}
      colour: {kind: choice, choices: [red, green]}
      cards:
        repeat: 3
        fields:
          value: {kind: number}
      red-row: {kind: tick, count: 3}
      map: {kind: tick, count: 9, across: 3}
      claimed: {fields: {total: {kind: number}}}
"""
FIRST = FIELDS.count("\n") + 2
"""The line of the first rule in these tests."""


def written(tmp_path, rules):
    (tmp_path / "game.yaml").write_text(
        "title: G\nplayers: 1-4\ncomponents: {sheet: {kind: sheet, title: S, sheet: sheet.yaml, face: score_pad}}\n"
    )
    (tmp_path / "sheet.yaml").write_text(FIELDS + rules)
    return str(tmp_path)


def problems(tmp_path, rules):
    with pytest.raises(InputError) as error:
        load(written(tmp_path, rules))
    return error.value.problems


@pytest.mark.parametrize(
    ("line", "column", "message", "hint"),
    [
        ("sum: dise", 24, "unknown field “dise”", "did you mean dice?"),
        ("sum: dice.9", 24, "“dice” has no number 9 in “dice.9”", "its numbers are 1 to 5"),
        ("sum: cards.value", 24, "“cards” repeats", "write cards.*.value"),
        ("sum: cards.*.value.points", 24, "“value” is a field, so nothing can follow it", ""),
        ("sum: stars.value", 24, "“stars” is a field, so nothing can follow it", ""),
        ("sum: players.stars", 24, "“players” repeats", "write players.*.stars"),
        ("sum: colour", 24, "“sum” needs numbers, but “colour” is a text", ""),
        ("value: dice", 26, "“value” must be one number, but “dice” is a list", "sum(dice)"),
        ("value: stars + foo * 2", 34, "unknown field “foo” in “stars + foo * 2”", ""),
        ('value: "stars +"', 34, "a value is missing after “+”", ""),
        ("value: stars / 2", 0, "score line “Line” can be a fraction", "floor"),
        ("sum: stars, times: 1.5", 0, "score line “Line” can be a fraction", "floor"),
        ("sum: stars, if: stars", 35, "“if” must be yes or no", "compare it"),
        ("sum: stars, if: dice > 3", 35, "“if” must be yes or no, but “dice > 3” is a list", "any(dice > 3)"),
        ('sum: stars, if: colour == "gren"', 45, "“gren” is not one of the choices", "did you mean green?"),
        ("sum: stars, if: colour == red", 45, "unknown field “red”", 'write "red" in quotation marks'),
        ("sum: stars, count: dice", 0, "has “sum” and “count”; give only one of them", ""),
        ("points: 3", 0, "does not say what it counts", "add one of"),
        ("value: lines.later", 26, "the score line “later” is not above this one", "lines above it"),
        ("value: lines.lost", 26, "no score line “lost”", ""),
        ("value: total", 26, "unknown field “total”", "lines.*"),
        ("count: dice, table: 3", 0, "“table” must be a list", ""),
        ("count: dice, table: []", 0, "“table” has no entries", ""),
        ("count: dice, table: [1, two]", 0, "must be a whole number, not “two”", ""),
        ("count: dice, table: {0-4: 1, 3-6: 2}", 0, "two ranges of “table” contain 3", ""),
        ("count: dice, table: {5+: 1, 7: 2}", 0, "two ranges of “table” contain 7", ""),
        ("count: dice, table: {few: 1}", 0, "“few” is not a range of amounts", "write 3, 0-4 or 5+"),
        ("sum: stars, at_least: 5, at_most: 3", 0, "“at_least” is more than “at_most”", ""),
        ("sum: stars, per: 0", 0, "“per” must be from 1", ""),
        ("sum: stars, id: my line", 0, "an id has only letters, digits and _", ""),
        ("rank: {of: stars, points: []}", 0, "“rank” needs the points of at least one place", ""),
        ("rank: {of: dice, points: [5]}", 30, "“rank” must be one number", ""),
        ("value: max(stars, 3)", 0, "text of “value” before “3)”", 'value: "max(stars, 3)"'),
    ],
)
def test_mistakes_in_score_lines(tmp_path, line, column, message, hint):
    first = problems(tmp_path, f"score:\n  - {{label: Line, {line}}}\n  - {{label: Later, value: 1}}\n")[0]
    assert message in first.message
    assert hint in first.hint
    assert (first.place.line, first.place.column) == (FIRST, column)


@pytest.mark.parametrize(
    ("check", "message"),
    [
        ("rising: colour", "“rising” needs numbers, but “colour” is a text"),
        ("at_most: 3", "this check does not say what it checks"),
        ("value: stars", "the check “value” has no bound"),
        ("value: stars, at_least: 10, at_most: -5", "“at_least” is more than “at_most”"),
        ("check: stars > 1, at_most: 3", "“at_most” is only for “value”, “sum” and “count”"),
        ("check: stars", "“check” must be yes or no, but “stars” is a number"),
        ("connected: dice", "“connected” needs a grid, but “dice” is not one"),
        ("connected: stars", "“connected” needs a row of fields"),
        ("distinct: dice, strict: false", "“strict” is only for “rising” and “falling”"),
        ("distinct: dice, diagonal: true", "“diagonal” is only for “connected”"),
        ("distinct: dice, rising: dice", "this check has “rising” and “distinct”"),
        ("distinct: dice, id: names", "another rule of this sheet is called “names”"),
        ("distinct: dice, id: My Rule", "the id of a check has only lower-case letters"),
        ("distinct: dice, message: 'the {stars'", "a brace of “message” is not closed"),
        ("distinct: dice, message: 'the {starz}'", "unknown field “starz”"),
    ],
)
def test_mistakes_in_checks(tmp_path, check, message):
    (first, *_) = problems(tmp_path, f"checks:\n  - {{{check}}}\n")
    assert message in first.message
    assert first.place.line == FIRST


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("sums: [{total: claimed.totl, of: [stars]}]", "“total”: unknown field “totl”"),
        ("sums: [{total: claimed.total, of: [colour]}]", "“of” needs numbers, but “colour” is a text"),
        ("sums: [{total: claimed.total, of: [stars / 2]}]", "“stars / 2” can be a fraction"),
        ("sums: [{total: round, of: [lines.*]}]", "“lines.*” is one player’s, but “round” belongs to no player"),
        ("tie_breakers: [{label: x}]", "tie-breaker “x” needs either “most” or “fewest”"),
        ("tie_breakers: [{label: x, most: dice}]", "“most” must be one number"),
    ],
)
def test_mistakes_in_sums_and_tie_breakers(tmp_path, rules, message):
    assert message in problems(tmp_path, rules)[0].message


def test_players_must_repeat_to_be_scored(tmp_path):
    written(tmp_path, "score:\n  - {label: A, sum: round}\n")
    (tmp_path / "sheet.yaml").write_text((tmp_path / "sheet.yaml").read_text().replace("    repeat: 4\n", "", 1))
    with pytest.raises(InputError, match="which does not repeat, so nobody can be scored"):
        load(str(tmp_path))


def test_all_mistakes_are_reported_together(tmp_path):
    rules = (
        "score:\n  - {label: A, sum: starz}\n  - {label: B, value: dise.1 + fo}\nchecks:\n  - {distinct: dic}\n"
        "tie_breakers:\n  - {label: c, most: lines.d}\n"
    )
    assert [
        (problem.place.line - FIRST, problem.message.partition(" in ")[0]) for problem in problems(tmp_path, rules)
    ] == [
        (0, "unknown field “starz”"),
        (1, "unknown field “dise.1”"),
        (1, "unknown field “fo”"),
        (3, "unknown field “dic”"),
        (5, "no score line “d”"),
    ]


def scored(tmp_path, rules, sheet):
    folder = written(tmp_path, rules)
    (tmp_path / "filled.yaml").write_text(sheet)
    (result,) = Judge(named=folder, explain=True).answers([str(tmp_path / "filled.yaml")])
    return plain(result)


@pytest.mark.parametrize("key", shipped())
def test_the_rules_of_shipped_games_have_no_mistakes(key):
    """They are not checked whenever a game is loaded."""
    assert [sheet_rules.problems(sheet) for sheet in load(key).sheets.values() if sheet.has_rules] in ([], [[]])


ONE = "players: [{name: A, dice: 6 5 4, stars: 4, red-row: [1, 3], cards: [{value: 3}, {value: 5}]}]\n"


@pytest.mark.parametrize(
    ("line", "points"),
    [
        ("sum: dice", 15),
        ("sum: [dice, stars]", 19),
        ("of: players.*.dice.*", 15),
        ("sum: dice.1", 6),
        ("sum: cards.*.value", 8),
        ("sum: cards.2.value", 5),
        ("count: dice", 3),
        ("count: red-row", 2),
        ("count: red-row.3", 1),
        ("count: dice >= 5", 2),
        ("count: [dice == 4, stars]", 2),
        ("min: dice", 4),
        ("max: [dice, 9]", 9),
        ("min: cards.3.value", 0),
        ("value: stars * 2 - 1", 7),
        ("value: stars > 3", 1),
        ("sum: dice, per: 4", 3),
        ("sum: dice, per: 4, points: 5", 15),
        ("count: dice, table: [0, 1, 3, 6, 10]", 6),
        ("sum: dice, table: [0, 1]", 1),
        ("sum: dice, table: {0-14: 0, 15: 7, 16+: 9}", 7),
        ("sum: dice, table: {16+: 9}", 0),
        ("value: 0 - stars, table: {-9--3: 2, -2+: 1}", 2),
        ("sum: stars, times: count(`red-row`)", 8),
        ("sum: stars, points: -5, at_least: -12", -12),
        ("sum: dice, at_most: 10", 10),
        ("sum: dice, if: stars == 4", 15),
        ("sum: dice, if: stars == 5", 0),
        ("sum: dice, if: not filled(colour)", 15),
    ],
)
def test_the_points_of_a_score_line(tmp_path, line, points):
    (player,) = scored(tmp_path, f"score:\n  - {{label: Line, {line.replace('`red-row.3`', 'red-row.3')}}}\n", ONE)[
        "players"
    ]
    assert player["total"] == points
    assert sum(part["points"] for part in player["lines"][0]["explain"]) == points


@pytest.mark.parametrize(
    ("rank", "points"),
    [
        ("points: [5, 3, 1]", {"A": 5, "B": 5, "C": 1, "D": 0}),
        ("points: [5, 3, 1], ties: share", {"A": 4, "B": 4, "C": 1, "D": 0}),
        ("points: [5, 3, 1], ties: none", {"A": 0, "B": 0, "C": 1, "D": 0}),
        ("points: [5, 3, 1], lowest: true", {"A": 1, "B": 1, "C": 3, "D": 5}),
        ("points: [5, 4, 3, 2]", {"A": 5, "B": 5, "C": 3, "D": 0}),
    ],
)
def test_places_among_the_players(tmp_path, rank, points):
    sheet = "players: [{name: A, stars: 4}, {name: B, stars: 4}, {name: C, stars: 2}, {name: D}]\n"
    result = scored(tmp_path, f"score:\n  - {{label: Most stars, rank: {{of: stars, {rank}}}}}\n", sheet)
    assert {player["name"]: player["total"] for player in result["players"]} == points


def test_only_players_who_meet_the_condition_are_ranked(tmp_path):
    sheet = "players: [{name: A, stars: 4}, {name: B, stars: 9}, {name: C, stars: 2}]\n"
    line = "{label: Most, rank: {of: stars, points: [5, 3]}, if: stars < 9}"
    result = scored(tmp_path, f"score:\n  - {line}\n", sheet)
    assert [player["total"] for player in result["players"]] == [5, 0, 3]


@pytest.mark.parametrize(
    ("check", "sheet", "findings"),
    [
        ("stars > max(others(stars))", "[{name: A, stars: 3}, {name: B}]", []),
        ("stars >= max(others(stars))", "[{name: A, stars: 3}, {name: B, stars: 2}]", ["B"]),
        ("filled(stars)", "[{name: A, stars: 3}, {name: B}]", ["B"]),
        ("sum(everyone(stars)) <= round", "[{name: A, stars: 3}, {name: B}]", [None]),
        ("sum(everyone(stars)) <= round", "[]", []),
        ("any(red-row) or stars > 1", "[{name: A}, {name: B, stars: 1}]", ["B"]),
    ],
)
def test_a_check_waits_for_blank_fields_unless_it_is_about_them(tmp_path, check, sheet, findings):
    check = check.replace("red-row", "`red-row`")
    result = scored(tmp_path, f'checks:\n  - {{check: "{check}"}}\n', f"round: 2\nplayers: {sheet}\n")
    assert [finding["player"] for finding in result["findings"]] == findings


def test_sums_can_name_score_lines(tmp_path):
    rules = (
        "score:\n  - {label: Stars, sum: stars, points: 3}\n  - {label: Dice, count: dice, table: [0, 1, 3]}\n"
        "sums:\n  - {total: claimed.total, of: [lines.*]}\n"
    )
    result = scored(tmp_path, rules, "players: [{name: A, dice: 1 2, stars: 2, claimed: {total: 8}}]")
    assert [finding["message"] for finding in result["findings"]] == ["“total” says 8, but the points add up to 9"]


def test_a_sum_of_an_entry_can_use_score_lines(tmp_path):
    """The star of the entry does not change what the line adds up."""
    rules = "score:\n  - {label: Cards, sum: cards.*.value}\nsums:\n  - {total: cards.*.value, of: [lines.cards]}\n"
    result = scored(tmp_path, rules, "players: [{name: A, cards: [{value: 3}, {value: 5}]}]")
    assert [finding["message"] for finding in result["findings"]] == [
        "“value” says 3, but the points add up to 8",
        "“value” says 5, but the points add up to 8",
    ]


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("score:\n" + '  - {label: A, value: "%s1"}\n' % ("(" * 500), "nested more than 30 levels deep"),
        ("score:\n" + '  - {label: A, value: "%s1"}\n' % ("1+" * 600), "characters; at most 1,000"),
        (
            "score:\n" + '  - {label: A, value: "%s"}\n' * 60 % (("dice.1+" * 120 + "1",) * 60),
            "more than 50,000 characters",
        ),
        (
            "score:\n"
            + "".join(f'  - {{label: A{n}, value: "{"+".join(f"x{n}y{m}" for m in range(80))}"}}\n' for n in range(90)),
            "unknown field",
        ),
        ("score:\n  - {label: A, count: dice, table: [" + "1, " * 9999 + "1]}\n", "this table has 10,000 entries"),
        ("checks:\n" + "  - {distinct: dice}\n" * 1200, "the rules of this sheet have"),
    ],
)
def test_enormous_rules_are_refused_at_once(tmp_path, rules, message):
    start = time.process_time()
    assert any(message in problem.message for problem in problems(tmp_path, rules))
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        (
            "  - {label: L0, value: 999999}\n"
            + "".join(f"  - {{label: L{n}, value: lines.l{n - 1} * lines.l{n - 1}}}\n" for n in range(1, 300)),
            "the score line “L2” has a number larger than",
        ),
        (
            "".join(
                f'  - {{label: L{n}, value: "{"+".join(["sum(cards.*.value * cards.*.value)"] * 20)}"}}\n'
                for n in range(60)
            ),
            "values to calculate with",
        ),
    ],
)
def test_enormous_calculations_are_refused_at_once(tmp_path, rules, message):
    folder = written(tmp_path, "score:\n" + rules)
    text = (tmp_path / "sheet.yaml").read_text().replace("repeat: 3", "repeat: 3\n        most: 20000")
    (tmp_path / "sheet.yaml").write_text(text)
    cards = ", ".join(["{value: 3}"] * 2000)
    (tmp_path / "filled.yaml").write_text(f"players: [{{name: A, cards: [{cards}]}}]")
    start = time.process_time()
    (result,) = Judge(named=folder).answers([str(tmp_path / "filled.yaml")])
    assert message in plain(result)["error"][0]["message"]
    assert time.process_time() - start < 3


# ---- random rules ---------------------------------------------------------------------------------------------------

PIECES = [
    "dice",
    "stars",
    "colour",
    "cards.*.value",
    "red-row",
    "map",
    "dice.2",
    "round",
    "lines.l0",
    "lines.*",
    "total",
]
TEMPLATES = [
    "{a}",
    "{a} + {b}",
    "{a} * {b}",
    "{a} / {b}",
    "{a} >= {b}",
    "{a} == {b}",
    '{a} == "red"',
    "not {a}",
    "sum({a})",
    "count({a}, {b})",
    "same({a})",
    "straight({a})",
    "sets({a})",
    "max(groups({a}))",
    "full_rows({a})",
    "first({a})",
    "highest({a}, {b})",
    "table({a}, [3, 1, 4])",
    "if {a} > 2 then {b} else 1",
    "max(others({a}))",
    "place({a})",
    "filled({a})",
    "distinct({a}) - {b}",
    "{a} in [1, 2, {b}]",
    "round({a} / 2)",
    "{a} and {b}",
]


def random_expression(rng, depth=2):
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([*PIECES, "3", "2.5", '"red"', "true"])
    inner = [random_expression(rng, depth - 1) for _ in "ab"]
    return rng.choice(TEMPLATES).format(a=f"({inner[0]})" if rng.random() < 0.3 else inner[0], b=inner[1])


def random_rules(rng):
    lines = ["  - {label: L0, sum: dice}"]
    for number in range(1, 6):
        key = rng.choice(["sum", "count", "min", "max", "value", "value"])
        extra = rng.choice(
            ["", ", per: 2", ", table: [5, 3, 9]", ", table: {0-3: 1, 4+: 2}", ", points: -2", ", at_most: 5"]
        )
        lines.append(f"  - {{label: L{number}, {key}: '{random_expression(rng)}'{extra}}}")
    row, amount = (rng.choice(keys) for keys in (CHECKS[1:7], CHECKS[7:]))
    checks = [
        f"  - {{{row}: '{random_expression(rng, 1)}'}}",
        f"  - {{check: '{random_expression(rng)}'}}",
        f"  - {{{amount}: '{random_expression(rng, 1)}', at_most: '{random_expression(rng, 1)}'}}",
    ]
    return lines, checks


def without_mistakes(tmp_path, lines, checks):
    """The rules without those that have mistakes, each of which is reported with its line."""
    while True:
        rules = "\n".join(["score:", *lines, *(["checks:", *checks] if checks else [])]) + "\n"
        try:
            load(written(tmp_path, rules))
        except InputError as error:
            wrong = {problem.place.line - FIRST for problem in error.problems}
            assert all(0 <= line <= len(lines) + len(checks) + 1 for line in wrong), error
            checks = [check for number, check in enumerate(checks) if number + len(lines) + 1 not in wrong]
            lines = [line for number, line in enumerate(lines) if number not in wrong]
            continue
        return rules


RANDOM_SHEET = """\
round: 2
players:
  - {name: A, dice: 6 5 4 4 1, stars: 4, colour: red, red-row: [1, 3], cards: [{value: 3}, {value: 5}], map: [1, 2, 9]}
  - {name: B, dice: 1 . 3, stars: -2, map: [1, 2, 3, 4]}
  - {name: C}
"""


@seeds(40)
def test_random_rules_give_a_score_that_adds_up(seed, tmp_path):
    """Whatever passes the check when the game is loaded can be calculated, explained and listed in words."""
    rules = without_mistakes(tmp_path, *random_rules(random.Random(seed)))
    result = scored(tmp_path, rules, RANDOM_SHEET)
    assert [player["name"] for player in result["players"]] == ["A", "B", "C"]
    for player in result["players"]:
        assert player["total"] == sum(line["points"] for line in player["lines"])
        for line in player["lines"]:
            assert line["points"] == sum(part["points"] for part in line["explain"])
    assert all(rule.text for rule in StatedRules(load(str(tmp_path)).sheets["sheet"]).rules.listed)
