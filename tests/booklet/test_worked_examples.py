"""Runs every worked example of the rules booklets through the judge.

A booklet's source has a fenced block ```check after each example. It is not printed. It holds the sheet of the example,
as a player would type it, then a line `---`, then what the judge must answer:

    valid: true                 # no problems (this is the default), or
    findings: [room-between]    # exactly these findings
    total: 18                   # the total of the only player, or
    totals: {Ann: 1, Ben: 14}   # of each player
    points: {rows: 10}          # lines of the score of the only player, or points: {Ann: {rows: 10}}
    winners: [Ben]

Totals and points must also be in the printed words of the example, so that neither can change without the other.
"""

import re
from functools import cache
from io import BytesIO

import pytest
import yaml

from generator import games
from generator.booklet import booklet
from generator.booklet.markdown import (
    Break,
    Figure,
    Heading,
    List,
    Note,
    ParagraphBlock,
    TableBlock,
    WorkedExample,
)
from generator.judging.judge import Judge
from generator.paths import ROOT
from generator.printing.press import Press
from generator.reading.load import load
from generator.rules.results import plain
from generator.sheets import documents

BOOKLETS = sorted(path.parent.name for path in (ROOT / "templates").glob("*/rules.md.j2"))
KEYS = {"valid", "findings", "total", "totals", "points", "winners"}
JUDGE = Judge()


@cache
def blocks_of(key):
    game = load(key)
    press = Press(game, games.deal(game))
    (part,) = [part for part in game.components.values() if part.kind == "booklet"]
    return booklet.read(press.templates, part, press.book_context(part))[0]


def words(block):
    """The printed words of a block; for a figure, its caption and pencil marks."""
    if isinstance(block, Figure):
        return block.source
    if isinstance(block, Heading | ParagraphBlock):
        return "".join(stretch.text for stretch in block.inline)
    if isinstance(block, Note):
        return " ".join(map(words, block.blocks))
    if isinstance(block, List):
        return " ".join(words(inner) for entry in block.entries for inner in entry)
    if isinstance(block, TableBlock):
        return " ".join(stretch.text for row in block.rows for cell in row for stretch in cell)
    return ""


def numbers(text):
    return {int(number) for number in re.findall(r"-?\d+", text.replace("−", "-"))}


def counts_points(block):
    """Whether the caption of a figure says what something scores."""
    if not isinstance(block, Figure):
        return False
    caption = str(yaml.safe_load(block.source).get("caption", ""))
    return bool(re.search(r"\bpoints?\b|=", caption) and numbers(caption))


def is_example(block):
    """Whether a block is a worked example: a figure that counts points or shows pencil marks, or a note or an italic
    paragraph with a number in it."""
    if isinstance(block, Figure):
        return counts_points(block) or bool(re.search(r"\b(marks|grid):", block.source))
    if isinstance(block, Note):
        return bool(numbers(words(block)))
    if isinstance(block, ParagraphBlock):
        return all(stretch.italic for stretch in block.inline) and bool(numbers(words(block)))
    return False


def examples(blocks):
    """Pairs of the printed words of an example and the checks that follow it, if any.

    Figures that belong together may share a check, as long as no two of them count points."""
    printed, checks, pending, counted = [], [], False, False
    for block in [*blocks, Break()]:
        if isinstance(block, WorkedExample):
            checks.append(block)
            continue
        begins = is_example(block)
        if isinstance(block, Heading | Break) or (begins and (checks or (counts_points(block) and counted))):
            if pending or checks:
                yield " ".join(map(words, printed)), tuple(checks)
            printed, checks, pending, counted = [], [], False, False
        printed.append(block)
        pending |= begins
        counted |= counts_points(block)


def checks(key):
    return [(printed, check) for printed, checks in examples(blocks_of(key)) for check in checks]


def ask(key, sheet):
    text = sheet if re.search(r"^game:", sheet, re.M) else f"game: {key}\n{sheet}"
    (document,) = documents(BytesIO(text.encode()), "example.yaml")
    return plain(JUDGE.answer(document, "example.yaml"))


def by_player(expected, answer):
    """Expected values by player's name, given for the only player or for each."""
    names = [player["name"] for player in answer["players"]]
    nested = isinstance(expected, dict) and all(isinstance(value, dict) for value in expected.values())
    return expected if nested else {names[0]: expected}


@pytest.mark.parametrize(
    ("key", "printed", "source"),
    [
        pytest.param(key, printed, check.source, id=f"{key}-{number}")
        for key in BOOKLETS
        for number, (printed, check) in enumerate(checks(key), start=1)
    ],
)
def test_the_judge_agrees_with_a_worked_example(key, printed, source):
    sheet, separator, rest = source.partition("\n---\n")
    assert separator, "the sheet, a line ---, and what the judge answers"
    expected = yaml.safe_load(rest)
    assert set(expected) <= KEYS
    answer = ask(key, sheet)
    assert "error" not in answer, answer
    assert sorted({finding["rule"] for finding in answer["findings"]}) == sorted(expected.get("findings", ())), answer
    players = {player["name"]: player for player in answer["players"]}
    totals = expected.get("totals") or (by_player(expected["total"], answer) if "total" in expected else {})
    points = by_player(expected["points"], answer) if "points" in expected else {}
    assert {name: players[name]["total"] for name in totals} == totals
    for name, expected_lines in points.items():
        lines = {line["label"]: line["points"] for line in players[name]["lines"]}
        assert {label: lines.get(label) for label in expected_lines} == expected_lines, lines
    if "winners" in expected:
        assert answer["winners"] == expected["winners"]
    counted = {*totals.values(), *(value for expected_lines in points.values() for value in expected_lines.values())}
    assert counted <= numbers(printed), f"the booklet does not print {counted - numbers(printed)}"


@pytest.mark.parametrize("key", BOOKLETS)
def test_every_worked_example_has_a_check(key):
    assert [printed for printed, own_checks in examples(blocks_of(key)) if not own_checks] == []
