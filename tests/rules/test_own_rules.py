"""The class GameRules in the rules.py of a user's own game."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox

CLASS = """
from __future__ import annotations
from dataclasses import dataclass
from generator.api import *
from .helpers import twice

book = RuleBook()
EVEN = book.add("even", "Every walker takes an even number of steps.", source="the trail")
MOST = book.add("most", "Nobody takes more than 30 steps.", severity="warning")
book.scoring("steps-twice", "Every step counts double.")


@dataclass
class Walker:
    id: str
    name: str
    steps: tuple[int, ...]


class Rules(GameRules):
    rules = book
    reading = Reading(extra={"weather": str})

    def read(self, sheet):
        return [
            Walker(walker, sheet.text(f"{walker}.name"), tuple(n or 0 for n in sheet.row(f"{walker}.steps")))
            for walker in sheet.entries["walkers"]
        ]

    def violations(self, walkers):
        for walker in walkers:
            if sum(walker.steps) % 2:
                yield EVEN(f"{walker.id}.steps", f"{walker.name} takes {sum(walker.steps)} steps")

    def score(self, walkers):
        scores = tuple(Score(w.name, (Line("steps", twice(sum(w.steps))),)) for w in walkers)
        places = ranks((score.total,) for score in scores)
        return Result(scores, places, tuple(s.player for s, rank in zip(scores, places) if rank == 1))

    def explain(self, walkers):
        return [[[Part(f"{n} steps", twice(n)) for n in walker.steps]] for walker in walkers]

    def hints(self, walkers):
        yield Suggestion((f"{walkers[0].id}.steps",), "one more step was possible")

    def sums(self, walkers):
        return {f"{w.id}.claimed.steps": sum(w.steps) for w in walkers}
"""


def run(*args: object):
    return CliRunner().invoke(pencilbox, [str(arg) for arg in args])


@pytest.fixture
def game(trail: Path) -> Path:
    (trail / "rules.py").write_text(CLASS)
    (trail / "helpers.py").write_text("def twice(number):\n    return 2 * number\n")
    return trail


def score(game: Path, *options: str):
    return run("score", game / "filled.yaml", "--game", game, "--trust-code", *options)


def test_a_class_judges_scores_explains_and_hints(game):
    (game / "filled.yaml").write_text((game / "filled.yaml").read_text() + "weather: fine\n")
    answer = json.loads(score(game, "--format", "json", "--explain", "--hints").stdout)
    assert [(finding["rule"], finding["player"]) for finding in answer["findings"]] == [("even", "Bo")]
    assert [player["total"] for player in answer["players"]] == [12, 22]
    (line,) = answer["players"][0]["lines"]
    assert [part["points"] for part in line["explain"]] == [2, 4, 6]
    assert answer["winners"] == ["Bo"]
    assert [hint["message"] for hint in answer["hints"]] == ["one more step was possible"]


def test_rules_lists_the_book_of_a_class(game):
    text = run("rules", game, "--trust-code").stdout
    assert "most  warning" in text and "Every step counts double." in text


def test_what_a_class_leaves_out_is_taken_from_the_yaml(game):
    (game / "rules.py").write_text(
        "from generator.api import GameRules, RuleBook\nbook = RuleBook()\n"
        "@book.rule('never')\ndef never(sheet):\n    'Never.'\n    yield 'of course', 'walkers.1.steps'\n"
        "class Rules(GameRules):\n    rules = book\n"
    )
    answer = json.loads(score(game, "--format", "json", "--explain").stdout)
    assert [finding["rule"] for finding in answer["findings"]] == ["never"]
    assert [line["label"] for line in answer["players"][0]["lines"]] == ["steps", "flags"]


def test_a_new_version_of_the_file_is_run(game):
    assert score(game).exit_code == 1
    (game / "rules.py").write_text(CLASS.replace("% 2", "% 1"))
    assert score(game).exit_code == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "return Result(scores, places, tuple(",
            "return str(tuple(",
            "rules.py:35: score must return a Result, not str",
        ),
        ("            if sum(walker.steps) % 2:", "            if walker.nothing:", ":32: fails with AttributeError"),
        ("yield EVEN(", "yield (", ":30: violations must yield violations such as RULE(field, sentence), not "),
        ("        for walker in walkers:", "        return\n        for walker in walkers:", ""),
        ("return [[[Part(", "return [[[(", "explain must give, for every player, the Parts of every line"),
        ("twice(n)) for n", "n) for n", "explain does not fit the score: steps has 12, but its parts do not add up"),
        ('(f"{walkers[0].id}.steps",)', "()", "hints must yield Suggestion((field, …), sentence), not Suggestion"),
        (
            '.steps", f"{walker.name}',
            '.step", f"{walker.name}',
            ":30: violations names “walkers.2.step”, which is not a field",
        ),
        ("    def score(self, walkers)", "    def score(self)", ":35: fails with TypeError: Rules.score() takes 1"),
        ('{"weather": str}', '{"weather": 3}', "“extra” of the Reading has no kind of value for “weather”"),
        ("rules = book", "rules = 'book'", "“rules” must be a RuleBook, not str"),
        ("rules = book", "rules = book\n    sheets = 'sheet'", "“sheets” must be a tuple of names"),
        ("rules = book", "rules = book\n    sheets = ('shet',)", "the game has no such sheet; did you mean sheet?"),
        ("import twice", "import thrice", "fails with ImportError: cannot import name 'thrice'"),
        (
            "class Rules(GameRules)",
            "class Other(GameRules): ...\nclass Rules(GameRules)",
            "two classes extend GameRules",
        ),
        ("book = RuleBook()", "book = RuleBook()\nexit(3)", "rules.py:8: fails with SystemExit: 3"),
        ("sum(w.steps))),)", "sum(w.steps) / 3)),)", "score must return Lines with a text and whole points, not 4.0"),
    ],
)
def test_mistakes_of_a_class_are_reported(game, old, new, message):
    assert old in CLASS
    (game / "rules.py").write_text(CLASS.replace(old, new, 1))
    result = score(game, "--explain", "--hints")
    if message:
        assert result.exit_code == 2, result.output
        assert result.stderr.startswith(f"error: {game / 'rules.py'}") and message in result.stderr
        assert len(result.stderr.splitlines()) == 1
    else:
        assert result.exit_code == 0


def test_an_error_in_a_helper_is_located_there(game):
    (game / "helpers.py").write_text("def twice(number):\n    return number / 0\n")
    assert score(game).stderr.startswith(f"error: {game / 'helpers.py'}:2: fails with ZeroDivisionError")
    (game / "helpers.py").write_text("def twice(:\n")
    (game / "rules.py").write_text(CLASS + "\n")
    assert score(game).stderr.startswith(f"error: {game / 'helpers.py'}:1: fails with SyntaxError")
