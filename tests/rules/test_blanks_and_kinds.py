"""Expressions of rules with blank fields, and with every kind of field."""

import pytest

from generator.errors import InputError
from generator.expressions.compiler import FUNCTIONS as NAMES
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import Unreadable

GAME = "title: G\nplayers: 1-4\ncomponents: {pad: {kind: sheet, title: S, sheet: sheet.yaml, face: score_pad}}\n"
FIELDS = """
      name: {kind: text}
      bid: {kind: number, span: 0-9}
      won: {kind: number, span: 0-9}
      bonus: {kind: choice, choices: ["0", "25"]}
      colour: {kind: choice, choices: [red, blue]}
      die: {kind: die}
      luck: {kind: tick}
      text: {kind: text, count: 2}
      number: {kind: number, count: 3}
      numbers: {kind: choice, choices: ["1", "2"], count: 2}
      colours: {kind: choice, choices: [red, blue], count: 2}
      dice: {kind: die, count: 2}
      ticks: {kind: tick, count: 4, across: 2}
      map: {across: 2, fields: {a: {kind: number}, b: {kind: tick}, c: {kind: text}, d: {kind: choice, choices: ["7"]}}}
      turns: {repeat: 3, fields: {move: {kind: number}, note: {kind: text}}}
"""
NAMES_OF_FIELDS = [line.split(":")[0].strip() for line in FIELDS.strip().splitlines()]
FULL = """name: Ann, bid: 3, won: 2, bonus: 25, colour: red, die: 4, luck: x, text: [a, "7"],
  number: [1, ., 3], numbers: [1, 2], colours: [red, .], dice: [1, 6], ticks: [1, 4], map: {a: 1, b: x, c: "2", d: 7},
  turns: [{move: 1, note: b}, {note: c}]"""


def written(tmp_path, rules, players="players", filled=FULL):
    (tmp_path / "game.yaml").write_text(GAME)
    head = f"title: S\nplayers: {players}\n" if players else "title: S\n"
    group = "fields:\n  players:\n    repeat: 3\n    fields:"
    fields = f"{group}{FIELDS}" if players else "fields:\n" + FIELDS.replace("      ", "  ")
    (tmp_path / "sheet.yaml").write_text(head + fields + rules)
    entry = f"players: [{{{filled}}}, {{name: Bo, bid: 1}}]" if players else "\n".join(filled.split("|"))
    (tmp_path / "filled.yaml").write_text(f"game: ./\n{entry}\n" if players else f"{{game: ./, {filled}}}\n")
    return tmp_path


def findings(tmp_path, check, filled):
    written(tmp_path, f"checks: [{check}]\n", filled=filled)
    (answer,) = Judge(explain=True).answers([str(tmp_path / "filled.yaml")])
    return [finding.message for finding in answer.verdict.findings if finding.player == "Ann"]


@pytest.mark.parametrize(
    ("check", "filled", "breaks"),
    [
        ("{check: won <= bid}", "name: Ann, won: 2", False),
        ("{check: won <= bid}", "name: Ann, bid: 1, won: 2", True),
        ("{check: filled(bid)}", "name: Ann, won: 2", True),
        ("{check: filled(bid), if: won > 0}", "name: Ann, won: 2", True),
        ("{check: filled(bid), if: won > 0}", "name: Ann", False),
        ("{check: filled(bid) == filled(won)}", "name: Ann, won: 2", True),
        ("{check: filled(bid) or won == 0}", "name: Ann, won: 2", True),
        ("{check: filled(bid) or won == 0}", "name: Ann, won: 0", False),
        ("{check: not filled(bonus) or bonus == 25}", "name: Ann, bonus: 0", True),
        ("{check: not filled(bonus) or bonus == 25}", "name: Ann", False),
        ("{check: not filled(won), if: not filled(bid)}", "name: Ann, won: 1", True),
        ("{value: won, at_most: if filled(bid) then bid else 1}", "name: Ann, won: 2", True),
        ("{value: won, at_most: if filled(bid) then bid else 1}", "name: Ann, won: 1", False),
        ("{count: number, at_least: 1, if: filled(bid)}", "name: Ann, bid: 1", True),
    ],
)
def test_a_check_waits_for_blanks_unless_it_asks_about_them(tmp_path, check, filled, breaks):
    assert bool(findings(tmp_path, check, filled)) is breaks


KINDS_OF_RULES = (
    "score: [{{label: L, value: '{0}'}}]",
    "score: [{{label: L, sum: '{0}'}}]",
    "score: [{{label: L, count: '{0}', table: [0, 5]}}]",
    "score: [{{label: L, max: '{0}', points: 2}}]",
    "score: [{{label: L, value: 1, if: '{0}'}}]",
    "score: [{{label: L, rank: {{of: '{0}', points: [3]}}}}]",
    "score: [{{label: L, value: 1}}]\ntie_breakers: [{{label: T, most: '{0}'}}]",
    "checks: [{{check: '{0}'}}]",
    "checks: [{{rising: '{0}'}}]",
    "checks: [{{distinct: '{0}'}}]",
    "checks: [{{equal: '{0}', message: 'is {{{0}}}'}}]",
    "checks: [{{no_gaps: '{0}'}}]",
    "checks: [{{connected: '{0}'}}]",
    "checks: [{{value: '{0}', at_most: 0}}]",
    "checks: [{{count: '{0}', exactly: '{0}'}}]",
)


FUNCTIONS = [*NAMES, "", "-", "not "]


@pytest.mark.parametrize("players", ["players", ""])
@pytest.mark.parametrize("function", FUNCTIONS)
def test_every_function_takes_or_refuses_every_kind_of_field(tmp_path, function, players):
    """Each combination is scored and explained, or refused when the game is loaded, with the line of the rule."""
    extra = {"table": ", [1, 2]", "highest": ", 2", "lowest": ", 1"}.get(function, "")
    fields = [*NAMES_OF_FIELDS, "turns.*.move", "turns.*.note", "players" if players else "map", "map.*"]
    first = FUNCTIONS.index(function) + 7 * bool(players)
    for number, field in [*enumerate(fields, first)][first % 2 :: 2]:  # a field for each player, or one for all
        term = f"{function}({field}{extra})"
        rule = KINDS_OF_RULES[number % len(KINDS_OF_RULES)]  # all of them for each field take minutes
        written(tmp_path, rule.format(term) + "\n", players)
        try:
            load(str(tmp_path))
        except InputError as error:
            assert all(problem.place.line for problem in error.problems), (term, error)
            continue
        (answer,) = Judge(explain=True).answers([str(tmp_path / "filled.yaml")])
        assert not isinstance(answer, Unreadable), (term, answer)


def test_numbers_among_texts_stay_numbers(tmp_path):
    amount = "count(map, 7) + 10 * count(players, 25) + 100 * count(players, 2)"
    written(tmp_path, f"score: [{{label: Q, value: '{amount}'}}]\n")
    (answer,) = Judge(explain=True).answers([str(tmp_path / "filled.yaml")])
    assert [score.total for score in answer.result.scores] == [211, 210]
