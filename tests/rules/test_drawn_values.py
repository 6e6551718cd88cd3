"""What was drawn for a score sheet, in its rules and its template."""

from pathlib import Path

import pytest

from generator import games
from generator.draws.own_sets import drawn_rows
from generator.errors import InputError
from generator.judging.judge import Judge
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.page_texts import page_texts

SHEET = """\
title: S
players: players
fields:
  set: {kind: code, label: Set}
  players:
    repeat: 2
    fields:
      name: {kind: text}
      red: {kind: tick, count: 4}
"""
GAME = """\
title: Mixed Rows
players: 1-4
components:
  sheet: {kind: sheet, title: S, sheet: sheet.yaml, face: sheet}
  cards: {kind: deck, title: C, cards: cards.csv, face: standard}
draws:
  mixed: {into: sheet, rows: 4, columns: {red: {bag: {1: 1, 2: 1, 3: 1, 4: 1}}, half: [0.5], wind: [east, west]}}
  market: {pick: cards, count: 3}
  deal: {shuffle: cards, then: {row: 2}}
"""
FACE = (
    '{% extends "sheet_page.xml.j2" %}{% block body %}<column><slot id="set" height="8"/>'
    "<text>{% for row in drawn.mixed %}{{ row.red }}{{ row.wind }} {% endfor %}{{ drawn.market | length }}</text>"
    '{% for p in (1, 2) %}<slot id="players.{{ p }}.name" height="8"/>'
    '{% for n in range(1, 5) %}<slot id="players.{{ p }}.red.{{ n }}" height="8"/>{% endfor %}{% endfor %}'
    "</column>{% endblock %}"
)


@pytest.fixture
def game(tmp_path):
    def write(rules="", game=GAME, sheet=SHEET):
        (tmp_path / "game.yaml").write_text(game)
        (tmp_path / "sheet.yaml").write_text(sheet + rules)
        (tmp_path / "cards.csv").write_text("id,title,worth\na,A,1\nb,B,2\nc,C,4\nd,D,8\n")
        (tmp_path / "templates").mkdir(exist_ok=True)
        (tmp_path / "templates" / "sheet.xml.j2").write_text(FACE)
        return str(tmp_path)

    return write


def judged(folder, code, red):
    path = Path(folder) / "filled.yaml"
    path.write_text(f"{{game: ./, {f'set: {code}, ' if code else ''}players: [{{name: Ann, red: {red}}}]}}\n")
    (answer,) = Judge(explain=True).answers([str(path)])
    return answer


def test_scores_and_checks_use_the_values_of_the_set_on_the_sheet(game):
    folder = game(
        "score: [{label: A, sum: red * mixed.red}, {label: B, value: 'mixed.red.2 + floor(sum(mixed.half))'}]\n"
        "checks: [{id: low, check: 'not any(red and mixed.red > 2)'}]\n"
    )
    code = games.new_code(load(folder), "a", draw_name="mixed")
    rows = drawn_rows(load(folder), code)["mixed"]
    numbers = [row["red"] for row in rows]
    assert sorted(numbers) == [1, 2, 3, 4]
    for place, number in enumerate(numbers, 1):
        answer = judged(folder, code, [place])
        assert [line.points for line in answer.result.scores[0].lines] == [number, numbers[1] + 2]
        assert answer.verdict.valid is (number <= 2)


def test_without_a_code_checks_wait_and_there_is_nothing_to_add_up(game):
    checks = "checks: [{check: mixed.red.1 == 9}, {check: all(mixed.red > 9)}]\n"
    folder = game("score: [{label: A, sum: red * mixed.red}]\n" + checks)
    answer = judged(folder, "", [1, 2])
    assert answer.verdict.valid and answer.result.scores[0].total == 0


@pytest.mark.parametrize(("kind", "name", "total"), [("market", "market.worth", 3), ("deal", "deal.row.worth", 2)])
def test_cards_that_were_picked_or_dealt(game, kind, name, total):
    folder = game(f"score: [{{label: Cards, value: 'count({name})'}}, {{label: Worth, sum: {name}}}]\n")
    code = games.new_code(load(folder), "a", draw_name=kind)
    count, worth = (line.points for line in judged(folder, code, [1]).result.scores[0].lines)
    cards = [row["worth"] for row in drawn_rows(load(folder), code)[name.rpartition(".")[0]]]
    assert count == total == len(cards) and worth == sum(cards)


@pytest.mark.parametrize(
    ("rules", "game_file", "message"),
    [
        ("score: [{label: A, sum: mixed.rad}]\n", GAME, "unknown field “mixed.rad”; did you mean mixed.red"),
        ("score: [{label: A, sum: mixed.wind}]\n", GAME, "“sum” needs numbers, but “mixed.wind” is a list of texts"),
        ("score: [{label: A, value: mixed.red.5}]\n", GAME, "has no number 5 in “mixed.red.5”; its numbers are 1 to 4"),
        ("", GAME.replace("into: sheet", "into: sheet, field: code"), "has no field for the code of the set"),
    ],
)
def test_what_cannot_be_right(game, rules, game_file, message):
    with pytest.raises(InputError) as error:
        load(game(rules, game_file))
    assert message in str(error.value)


def test_the_template_shows_the_rows_of_the_set(game, tmp_path):
    loaded = load(game())
    code = games.new_code(loaded, "a", draw_name="mixed")
    for deck, rows in ((games.deal(loaded, code), drawn_rows(loaded, code)["mixed"]), (games.deal(loaded), ())):
        printed = Press(loaded, deck).component("sheet", paper("a4"))
        words = " ".join([*(f"{row['red']}{row['wind']}" for row in rows), "0"])
        assert words in " ".join(page_texts(printed.pdf))
