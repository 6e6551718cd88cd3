"""Large decks are packed: they read like a tuple of cards, and their problems are those of small ones."""

import json

import pytest

from generator.definitions import limits
from generator.definitions.load import load
from generator.definitions.packed import Packed, number_of_different, packed, repeated
from generator.errors import InputError

ROWS = [(number, ["a" * (number % 7), "**bold**" if number == 700 else "plain"]) for number in range(900)]
FIELDS = "id: {kind: text}, cost: {kind: number}, parts: {kind: text, list: true}, span: {kind: range}"
GAME = """\
title: Any deck
prefix: AD
players: 1
components: {cards: {kind: deck, title: Cards, cards: cards.yaml, face: card}}
"""
TABLE = "Id,Cost,Parts,Span,Copies,Rules\n" + "".join(
    f"c{number},{number % 4},x{number}|y,1-{1 + number},{number % 3},{'long ' * 9 if number == 30 else ''}\n\n"
    for number in range(40)
)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "UNPACKED", 10)
    (tmp_path / "game.yaml").write_text(GAME)
    (tmp_path / "cards.yaml").write_text(f"fields: {{{FIELDS}}}\ntable: cards.csv")
    (tmp_path / "cards.csv").write_text(TABLE)
    return tmp_path


def part(folder):
    return load(folder).components["cards"]


def test_a_packed_list_reads_like_a_tuple():
    rows, plain = Packed(ROWS), tuple(ROWS)
    assert [*rows] == [*plain] and [*reversed(rows)] == [*reversed(plain)] and len(rows) == len(plain)
    assert rows == plain and plain == rows and rows == Packed(ROWS, compressed=True) and rows != plain[1:]
    assert [rows[at] for at in (0, 255, 256, -1, -900)] == [plain[at] for at in (0, 255, 256, -1, -900)]
    assert rows[250:900:100] == plain[250:900:100] and rows[-3:] == plain[-3:] and rows[:0] == ()
    assert ROWS[400] in rows and rows.index(ROWS[400]) == 400 and rows.count(("nothing", [])) == 0
    for outside in (900, -901):
        with pytest.raises(IndexError):
            rows[outside]


def test_two_readers_do_not_disturb_each_other():
    rows = Packed(ROWS)
    assert [*zip(rows, rows, reversed(rows), strict=True)] == [*zip(ROWS, ROWS, reversed(ROWS), strict=True)]


def test_only_blocks_with_a_text_are_searched():
    near = [*Packed(ROWS).near("**")]
    assert ROWS[700] in near and len(near) < 300
    assert not [*Packed(ROWS).near("##")]


def test_later_blocks_are_compressed(monkeypatch):
    monkeypatch.setattr("generator.definitions.packed._UNCOMPRESSED", 2)
    rows, plain = Packed(ROWS, compressed=True), Packed(ROWS)
    assert rows == plain and [*rows.packed_values()] == ROWS and [*rows.near("**")] == [*plain.near("**")]
    lengths = [[len(each._blocks.data(number)) for number in (1, 2)] for each in (rows, plain)]
    assert lengths[0][0] == lengths[1][0] and lengths[0][1] < lengths[1][1]


def test_many_blocks_are_kept_in_segments(monkeypatch):
    monkeypatch.setattr("generator.definitions.packed._SEGMENT", 5_000)
    assert [*Packed(ROWS)] == ROWS


def test_short_lists_are_not_packed():
    assert packed(iter(ROWS)) == ROWS
    assert type(packed([1] * limits.UNPACKED)) is list and type(packed([1] * (limits.UNPACKED + 1))) is Packed


def test_large_decks_hold_the_cards_of_small_ones(folder, monkeypatch):
    large = part(folder)
    monkeypatch.setattr(limits, "UNPACKED", 1_000)
    small = part(folder)
    assert type(large.cards) is Packed and type(small.cards) is tuple
    assert large.cards == small.cards and large.columns == small.columns
    assert [card.place for card in large.cards] == [card.place for card in small.cards]
    assert number_of_different(large.cards) == number_of_different(small.cards) == 26
    assert repeated(large.cards, 2) == repeated(small.cards, 2)


def test_cards_of_a_list_are_packed_as_well(folder):
    listed = json.dumps([{"name": f"Card {number}", "parts": ["a", "b"]} for number in range(20)])
    (folder / "cards.yaml").write_text(f"fields: {{parts: {{kind: text, list: true}}}}\ncards: {listed}")
    cards = part(folder).cards
    assert type(cards) is Packed
    assert cards[-1].values == {"parts": ("a", "b"), "name": "Card 19"}
    assert (cards[-1].place.line, cards[-1].id) == (2, "20")


def test_the_author_of_rules_in_python_gets_a_tuple(folder):
    (folder / "rules.py").write_text("")
    assert type(part(folder).cards) is tuple


def test_problems_of_large_decks_are_those_of_small_ones(folder, monkeypatch):
    broken = TABLE.replace("c20,0", "c19,none").replace("c30,2", "c30,#REF!")
    (folder / "cards.csv").write_text(broken)
    found = []
    for unpacked in (10, 1_000):
        monkeypatch.setattr(limits, "UNPACKED", unpacked)
        with pytest.raises(InputError) as error:
            load(folder)
        found.append([str(problem).rpartition("cards.csv:")[2] for problem in error.value.problems])
    assert found[0] == found[1]
    assert found[0] == [
        "62: the formula in this cell gives the error #REF!; correct it in the spreadsheet, and save it again",
        "42: “Cost” must be a number, not “none”",
        "42: two cards have the id “c19”; the first is on line 40",
    ]
