"""The language of expressions: their values, and the messages about mistakes."""

import contextlib
import random
import re
import time
from fractions import Fraction

import pytest

from generator import paths
from generator.expressions import Compiler, ExpressionError, NamedValue, TooMuchError, ValueKind
from generator.expressions.compiler import FUNCTIONS as NAMES
from generator.expressions.functions import path
from generator.model.game import CheckFile, LineFile, RankFile, TieBreakerFile
from generator.reading.typed import hints

FIELDS = {
    "three": 3,
    "blank": None,
    "row": [1, None, 3, 3],
    "dice": [6, 5, 4, 3, 1],
    "colour": "red",
    "box": True,
    "boxes": [True, False, True, True],
    "symbols": ["sun", "moon", "sun", None, "star"],
}
KINDS = {
    "three": ValueKind("whole"),
    "blank": ValueKind("whole"),
    "row": ValueKind("whole", True),
    "dice": ValueKind("whole", True),
    "colour": ValueKind("text", choices=("red", "green")),
    "box": ValueKind("yes"),
    "boxes": ValueKind("yes", True, 2),
    "symbols": ValueKind("text", True),
}


class Scope:
    def __init__(self, players=False):
        self.players = players

    def source(self, name, at):
        if name == "score" and self.players:
            return NamedValue(name, ValueKind("whole"), lambda env: env.score, own=True)
        if name not in FIELDS:
            raise ExpressionError(f"unknown field “{name}”", at)
        return NamedValue(name, KINDS[name], lambda env: FIELDS[name])


class Env:
    def __init__(self, score=0, shared=None):
        self.score, self.everyone, self.me = score, [self], self
        self.shared = {} if shared is None else shared

    def spend(self, steps):
        pass


def value(text):
    return Compiler(Scope()).whole(text).run(Env())


@pytest.mark.parametrize(
    ("text", "result"),
    [
        ("1 + 2 * 3", 7),
        ("(1 + 2) * 3", 9),
        ("-2 * -3", 6),
        ("7 // 2", 3),
        ("7 / 2", Fraction(7, 2)),
        ("6 / 2", 3),
        ("7 % 3", 1),
        ("7 / 0 + 7 // 0 + 7 % 0", 0),
        ("2.5 * 2", 5),
        ("3 × 4 − 1", 11),
        ("three ≥ 3", True),
        ("1 < three <= 3", True),
        ("1 < three < 3", False),
        ("three + blank", 3),
        ("blank == 0", None),
        ("filled(blank)", False),
        ("not blank > 3", True),
        ("three == 3 and not three > 3 or box", True),
        ("if three > 2 then 5 else 1", 5),
        ("box + box", 2),
        ('colour == "red"', True),
        ("colour in ['green', 'red']", True),
        ("row * 2", [2, 0, 6, 6]),
        ("row == 3", [False, None, True, True]),
        ("if row == 3 then 10 else 1", [1, 1, 10, 10]),
        ("sum(row)", 7),
        ("sum(row, three, 1)", 11),
        ("min(row)", 1),
        ("min(blank)", 0),
        ("max(row, three, 9)", 9),
        ("count(row)", 3),
        ("count(row, 3)", 2),
        ("count(row, 1, 3)", 3),
        ("count(boxes)", 3),
        ("count(row >= 3)", 2),
        ("count(symbols, 'sun')", 2),
        ("distinct(symbols)", 3),
        ("counts(symbols)", [2, 1, 1]),
        ("sets(counts(symbols))", [3, 1]),
        ("sum(table(sets(counts(symbols)), [0, 1, 3, 6]))", 7),
        ("same(row)", 2),
        ("straight(dice)", 4),
        ("first(row)", 1),
        ("last(row)", 3),
        ("any(row > 2)", True),
        ("all(boxes)", False),
        ("all(row > 0)", False),
        ("all(dice > 0)", True),
        ("abs(-3)", 3),
        ("floor(-2.5)", -3),
        ("ceil(2.1)", 3),
        ("round(2.5)", 3),
        ("round(-2.5)", -2),
        ("table(three, [0, 1, 3, 6, 10])", 6),
        ("table(99, [0, 1])", 1),
        ("table(-1, [5, 1])", 5),
        ("highest(dice, 2)", [6, 5]),
        ("lowest(row, 2)", [1, 3]),
        ("groups(boxes)", [3]),
        ("groups(not boxes)", [1]),
        ("full_rows(boxes)", 1),
        ("path(boxes)", 3),
        ("path(not boxes)", 1),
        ("path(boxes and false)", 0),
        ("running(row)", [1, 1, 4, 7]),
        ("running(boxes)", [1, 1, 2, 3]),
        ("at(dice, 2)", 5),
        ("at(symbols, 1)", "sun"),
        ("at(dice, 0)", None),
        ("at(dice, 6)", None),
        ("at(dice, blank)", None),
        ("when(row == 3)", 3),
        ("when(running(dice) >= 11)", 2),
        ("when(dice > 6)", 0),
        ("full_columns(boxes)", 1),
    ],
)
def test_the_value_of_an_expression(text, result):
    assert value(text) == result


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("", 1, "the expression is empty"),
        ("three +", 8, "a value is missing after “+”"),
        ("+ three", 1, "“+” has no value before it"),
        ("three ** 2", 7, "“**” has no meaning in an expression"),
        ("three ^ 2", 7, "“^” has no meaning in an expression"),
        ("three = 3", 7, "“=” has no meaning in an expression"),
        ("box && box", 5, "“&” has no meaning in an expression"),
        ("(three", 1, "“(” has no “)”"),
        ("three)", 6, "“)” closes nothing"),
        ("sum(row", 4, "“(” has no “)”"),
        ("[1, 2", 1, "“[” has no “]”"),
        ("sum(row three)", 9, "no operator before “three”"),
        ("2three", 2, "“three” follows a number"),
        ("'red", 1, "the quotation mark ' is not closed"),
        ("if box then 1", 1, "“if” has no “else”"),
        ("1 if box else 2", 3, "“if” follows a value"),
        ("thre + fuor", 1, "unknown field “thre”"),
        ("1 + sun(row)", 5, "unknown function “sun”"),
        ("floor()", 1, "floor cannot have no arguments"),
        ("floor(1, 2)", 1, "floor cannot have 2 arguments"),
        ("colour + 1", 1, "“+” needs numbers, but this is a text"),
        ("three == 'red'", 10, "“==” compares a number and a text"),
        ("colour < 'red'", 8, "“<” compares numbers, not texts"),
        ("colour == 'rde'", 11, "“rde” is not one of the choices"),
        ("if three then 1 else 2", 4, "“if” needs yes or no, but this is a number"),
        ("three and box", 1, "“and” needs yes or no, but this is a number"),
        ("if box then 1 else 'x'", 20, "“then” gives a number, but “else” gives a text"),
        ("three in 3", 10, "“in” needs a list"),
        ("table(three, 3)", 14, "the second argument of table must be a list"),
        ("groups(row)", 8, "groups needs a grid"),
        ("path(row)", 6, "path needs a grid"),
        ('path(boxes, "round")', 13, 'the second argument of path can only be "diagonal"'),
        ("at(dice, row)", 10, "the second argument of at must be one number"),
        ("at(dice)", 1, "at cannot have 1 argument"),
        ("when(dice)", 6, "when needs yes or no, but this is a list of numbers"),
        ("everyone(three)", 1, "everyone compares players, but this sheet has only one"),
        ("three.", 6, "“.” has no meaning in an expression"),
    ],
)
def test_a_mistake_is_reported_with_its_column(text, column, message):
    with pytest.raises(ExpressionError) as error:
        Compiler(Scope()).whole(text)
    assert (error.value.at + 1, error.value.message) == (column, message)


def test_all_unknown_names_are_reported_together():
    with pytest.raises(ExpressionError) as error:
        Compiler(Scope()).whole("a + sum(b, 'x') + three")
    assert [(each.at, each.message) for each in error.value.all] == [
        (0, "unknown field “a”"),
        (8, "unknown field “b”"),
        (11, "sum needs numbers, but this is a text"),
    ]


def test_players_are_compared():
    players = [Env(score) for score in (5, 9, 5)]
    for player in players:
        player.everyone, player.shared = players, players[0].shared
    results = {
        text: [Compiler(Scope(players=True)).whole(text).run(player) for player in players]
        for text in ("max(others(score))", "score == max(everyone(score))", "place(score)", "count(everyone(score), 5)")
    }
    assert results == {
        "max(others(score))": [9, 5, 9],
        "score == max(everyone(score))": [False, True, False],
        "place(score)": [2, 1, 2],
        "count(everyone(score), 5)": [2, 2, 2],
    }


def test_comparisons_between_players_do_not_nest():
    with pytest.raises(ExpressionError, match="cannot be used inside"):
        Compiler(Scope(players=True)).whole("place(sum(others(score)))")


# ---- random expressions, with Python as the reference ------------------------------------------------------------


OPERATORS = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: Fraction(x) / Fraction(y) if y else 0,
    "//": lambda x, y: x // y if y else 0,
    "%": lambda x, y: x % y if y else 0,
}
FUNCTIONS = {"min": min, "max": max, "sum": lambda x, y: x + y}


def random_number(rng, depth):
    """(expression, value by Python's own arithmetic) of a number."""
    if depth == 0 or rng.random() < 0.2:
        name = rng.choice(["three", "blank", *map(str, range(10))])
        return name, (FIELDS.get(name) or 0) if name in FIELDS else int(name)
    a, x = random_number(rng, depth - 1)
    b, y = random_number(rng, depth - 1)
    kind = rng.choice([*OPERATORS, *FUNCTIONS, "negative", "if", "floor"])
    if kind in OPERATORS:
        return f"({a} {kind} {b})", OPERATORS[kind](x, y)
    if kind in FUNCTIONS:
        return f"{kind}({a} + 0, {b} + 0)", FUNCTIONS[kind](x, y)
    if kind == "if":
        condition, holds = random_condition(rng, depth - 1)
        return f"(if {condition} then {a} + 0 else {b} + 0)", x if holds else y
    return (f"-({a})", -x) if kind == "negative" else (f"floor({a})", x.__floor__())


def random_condition(rng, depth):
    a, x = random_number(rng, depth)
    b, y = random_number(rng, depth)
    sign = rng.choice(["<", "<=", "==", "!=", ">", ">="])
    holds = {"<": x < y, "<=": x <= y, "==": x == y, "!=": x != y, ">": x > y, ">=": x >= y}[sign]
    text = f"({a} + 0) {sign} ({b} + 0)"
    if depth and rng.random() < 0.4:
        other, also = random_condition(rng, depth - 1)
        return rng.choice([(f"({text} and {other})", holds and also), (f"({text} or {other})", holds or also)])
    return (f"not {text}", not holds) if rng.random() < 0.2 else (text, holds)


@pytest.mark.parametrize("seed", range(20))
def test_random_expressions_equal_python(seed):
    rng, compared = random.Random(seed), 0
    while compared < 40:
        text, expected = random_number(rng, rng.randrange(1, 5))
        try:
            result = value(f"{text} + 0")
        except (ExpressionError, TooMuchError):
            continue
        assert result == expected, text
        compared += 1


# ---- hostile expressions ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * 1000, "nested more than 30 levels deep"),
        ("not " * 200 + "box", "nested more than 30 levels deep"),
        ("-" * 900 + "1", "nested more than 30 levels deep"),
        ("1+" * 400 + "1", "more than 300 values and operators"),
        ("1" * 13, "a number of more than 12 digits"),
        ("x" * 1001, "this expression has 1,001 characters"),
        ("[" * 500 + "]" * 500, "nested more than 30 levels deep"),
        ("if box then " * 80 + "1", "nested more than 30 levels deep"),
    ],
)
def test_enormous_expressions_are_refused_at_once(text, message):
    start = time.process_time()
    with pytest.raises(ExpressionError) as error:
        Compiler(Scope()).whole(text)
    assert message in error.value.message
    assert time.process_time() - start < 0.5


@pytest.mark.parametrize("text", ["9" * 12 + " * " + "9" * 12, "*".join(["99999"] * 60), "sets(99999999)"])
def test_results_are_bounded(text):
    with pytest.raises(TooMuchError):
        value(text)


def test_any_text_gives_a_value_or_an_error():
    rng = random.Random(1)
    pieces = [
        *"()[]+-*/%<>=!,.'\"` ",
        "==",
        "and",
        "not",
        "if",
        "then",
        "else",
        "3",
        *FIELDS,
        *NAMES,
        "in",
        "\n",
        "é",
        "²",
    ]
    for _ in range(3000):
        text = "".join(rng.choice(pieces) + rng.choice(["", " "]) for _ in range(rng.randrange(12)))
        with contextlib.suppress(ExpressionError, TooMuchError):
            value(text)


def test_the_longest_path_is_that_of_a_plain_search():
    rng = random.Random(3)

    def longest(squares, across, diagonal, square, visited):
        near = [other for other in squares - visited if _touch(square, other, across, diagonal)]
        return 1 + max((longest(squares, across, diagonal, other, visited | {other}) for other in near), default=0)

    for _ in range(150):
        across, diagonal = rng.randint(1, 4), rng.random() < 0.3
        marks = [rng.random() < 0.7 for _ in range(rng.randint(1, 11))]
        squares = {number for number, mark in enumerate(marks) if mark}
        expected = max((longest(squares, across, diagonal, start, {start}) for start in squares), default=0)
        assert path(marks, across, diagonal, lambda steps: None) == expected


def _touch(square, other, across, diagonal):
    rows, columns = (abs(a - b) for a, b in zip(divmod(square, across), divmod(other, across), strict=True))
    return max(rows, columns) == 1 and (diagonal or rows + columns == 1)


def test_a_search_for_a_path_is_bounded():
    spent = []

    def spend(steps):
        spent.append(steps)
        if sum(spent) > 300_000:
            raise TooMuchError("too many steps")

    rng = random.Random(7)
    with pytest.raises(TooMuchError, match="too many steps"):
        path([rng.random() < 0.9 for _ in range(100)], 10, False, spend)
    with pytest.raises(TooMuchError, match="more than 150 connected squares"):
        path([True] * 400, 20, False, spend)


# ---- the documentation ----------------------------------------------------------------------------------------------


def test_every_function_and_key_is_documented():
    page = (paths.ROOT / "docs/rules_in_yaml.md").read_text("utf-8")
    documented = set(re.findall(r"`(\w+)\(", page))
    assert set(NAMES) - documented == set()
    keys = {key.rstrip("_") for kind in (LineFile, RankFile, CheckFile, TieBreakerFile) for key in hints(kind)}
    words = set(re.findall(r"\w+", " ".join(re.findall(r"`[^`\n]+`", page)) + page.partition("```console")[0]))
    assert keys - words - {"place"} == set()
