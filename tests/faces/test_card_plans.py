"""What the built-in faces work out from texts: estimates that need no layout."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from generator.faces.card_plans import (
    CardTexts,
    StandardPlan,
    fact,
    fact_groups,
    facts_height,
    filled,
    lines,
    offered,
    parted,
    poster,
    shared_size,
    tiles,
    tiles_of,
    type_size,
    with_unit,
)
from generator.model.columns import Column, Columns

REST = (Column("power", "Power"), Column("home", "Home"), Column("story", "Story", long=True))


def test_long_texts_take_more_lines_and_smaller_type() -> None:
    short, long = "Draw a card.", "Draw a card. " * 20
    assert lines(short, 50, 8) == 1 < lines(long, 50, 8) < lines(long + "\n\n", 50, 8)
    assert type_size(short, 50, 40, (12, 10, 8)) == 12
    assert type_size(long, 50, 44, (12, 10, 8)) == 10
    assert type_size(long, 50, 4, (12, 10, 8)) == 8
    deck = SimpleNamespace(text=long, word="Draw")
    assert shared_size(short, deck, 50, 50, (12, 10, 8), 9, 11) == 10
    assert shared_size(short, deck, 50, 50, (12, 10, 8), 11, 11.5) == 11.5
    words = SimpleNamespace(text="WATERMELON", word="WATERMELON")
    assert shared_size("FIG", words, 30, 44, (20, 16, 12, 10), 16, 20) == 10


def test_the_lines_of_a_poster_fill_its_width_and_height() -> None:
    assert poster("", 50, 80, 60) == []
    ((word, size),) = poster("ocean", 50, 80, 110)
    assert word == "ocean" and size > 40
    assert poster("ocean", 50, 8, 110)[0][1] < 25
    tall, low = (poster("What did the ocean say to the beach?", 50, room, 60) for room in (80, 14))
    assert len(tall) > len(low) > 1
    for lines_, room in ((tall, 80), (low, 14)):
        sizes = [size for _, size in lines_]
        assert " ".join(line for line, _ in lines_) == "What did the ocean say to the beach?"
        assert sum(sizes) * 0.353 * 0.97 <= room + 0.01 and max(sizes) <= 2 * min(sizes) + 0.01


def test_the_lines_of_a_verse_stay_apart_on_a_poster() -> None:
    assert [line for line, _ in poster("O snail\nclimb", 50, 12, 60)] == ["O snail", "climb"]


def test_words_in_heavy_type_are_as_large_as_they_fit() -> None:
    sizes = (54, 46, 40, 34, 28, 24)
    assert type_size("elephant", 48, 80, sizes, heavy=True) == 28 <= type_size("illicit", 48, 80, sizes, heavy=True)
    assert type_size("WILDWOOD", 48, 80, sizes, heavy=True) == 24 < type_size("elephant", 56, 80, sizes, heavy=True)
    assert type_size("7", 48, 80, sizes, heavy=True) == 54


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        *(
            ('["Taunt", "Armour"]', "Taunt, Armour"),
            ("['a', 'b']", "a, b"),
            ("[holy, plaza]", "holy, plaza"),
            ('{"fire": 2, "ice": 1}', "fire: 2, ice: 1"),
        ),
        *(("red;blue|green", "red, blue, green"), ("TRUE", '<icon name="tick"/>'), ("[It's a trap]", "[It's a trap]")),
        *(("Wait; what?", "Wait; what?"), ("iron_wall;dash", "iron wall, dash"), ("a [b]", "a [b]")),
    ],
)
def test_values_of_programs_are_printed_as_texts(value: str, printed: str) -> None:
    assert str(fact(value)).replace("&#39;", "'") == printed


@pytest.mark.parametrize("value", ["none", "NULL", "n/a", "-", "—", "[]", "False", "nan"])
def test_what_stands_for_no_value_is_not_printed(value: str) -> None:
    assert filled({"power": value, "home": "x", "story": "A long story."}, REST) == [1]


def test_only_columns_with_a_value_are_printed() -> None:
    assert filled({"power": 0, "home": " ", "story": "A long story."}, REST) == [0]
    assert filled({"power": None, "home": ("a",), "story": "A long story."}, REST) == [1]
    assert filled({"power": 1, "home": "x", "story": "A long story."}, REST, long=True) == [2]
    assert [fact(value) for value in (True, False, ("a", "*b*"), 7, None)] == [
        '<icon name="tick"/>',
        "–",
        "a, <i>b</i>",
        "7",
        "",
    ]


@pytest.mark.parametrize(
    ("width", "count", "room", "arranged"),
    [(10, 3, 50, 3), (10, 6, 50, 3), (30, 3, 50, -1), (30, 4, 70, 2), (80, 5, 70, -2)],
)
def test_facts_stand_side_by_side_or_in_rows(width: float, count: int, room: float, arranged: int) -> None:
    assert tiles_of(width, count, room) == arranged
    assert facts_height(0, 0, 1, 1) == 0 < facts_height(count, arranged, 1, 1)


def test_a_picture_is_lower_above_many_words() -> None:
    columns = Columns(title="name", rules="text", image="art", headings={})
    longest = {"text": SimpleNamespace(text="", word="")}

    def height(words: int) -> float:
        values = {"name": "Fox", "text": "word " * words, "art": "fox.png"}
        return StandardPlan(values, columns, longest, 63.5, 88.9, 1.5, "").picture_height

    assert height(5) > height(70) > height(120) > 10


def test_many_short_facts_are_in_pairs() -> None:
    rest = [Column(name, name.title()) for name in ("size", "speed", "might", "wit", "luck", "home", "foes")]
    longest = {column.name: SimpleNamespace(text="Medium", word="Medium") for column in rest}
    longest["foes"] = SimpleNamespace(text="goblins and trolls of the north", word="goblins")
    values = {name: each.text for name, each in longest.items()}
    assert fact_groups(values, rest, [*range(7)], 54, 1, longest) == [(-2, [0, 1, 2, 3, 4, 5]), (-1, [6])]
    assert fact_groups(values, rest, [4, 5, 6], 54, 1, longest) == [(-1, [4, 5, 6])]
    assert fact_groups(values, rest[:2], [0, 1], 54, 1, longest) == [(2, [0, 1])]


@pytest.mark.parametrize(
    ("heading", "cost", "printed"),
    [
        ("Price (€)", "12,90", "12,90\u00a0€"),
        ("Price [$]", "5", "$5"),
        ("Cost ($M)", "865", "$865M"),
        ("Cost (gp)", "450", "450\u00a0gp"),
        ("Price (€)", "free", "free"),
        ("Cost (in wood)", "3", "3"),
    ],
)
def test_a_cost_has_the_unit_of_its_heading(heading: str, cost: str, printed: str) -> None:
    columns = Columns(cost="cost", headings={"cost": heading})
    assert CardTexts({"cost": cost}, columns, {}).cost == printed


def test_cards_that_lack_a_fact_arrange_the_others_alike() -> None:
    rest = [Column(name, name.title()) for name in ("cost", "gain", "size", "rare")]
    longest = {column.name: SimpleNamespace(text="Medium", word="Medium") for column in rest}
    values = {"cost": "1", "gain": "2", "size": "Medium", "rare": None}
    assert tiles(values, rest, [0, 1, 2, 3], 40, 1, longest) == tiles(values, rest, [0, 1, 2], 40, 1, longest) == 2
    assert tiles(values, rest, [0], 40, 1, longest) == 1


def test_the_right_answer_is_offered_with_wrong_ones() -> None:
    options = tuple(Column(name, "") for name in ("one", "two"))
    values = {"one": "Salt", "two": "Oxygen", "right": "Water"}
    columns = Columns(back="right", options=options, headings={"one": "Wrong answer 1", "two": "Wrong answer 2"})
    assert offered(values, columns) == ["Oxygen", "Salt", "Water"]
    columns = Columns(back="right", options=options, headings={"one": "Option A", "two": "Option B"})
    assert offered(values, columns) == ["Salt", "Oxygen"]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Largest? a) Mars b) Venus c) Moon", ["Largest?", "Mars", "Venus", "Moon"]),
        ("Largest?\n(A) Mars\n(B) Venus", ["Largest?", "Mars", "Venus"]),
        ("Largest?\nA. Mars\nB. Venus", ["Largest?", "Mars", "Venus"]),
        ("Team a: 3, team b: 4. Who wins?", None),
        ("Who was A. B. Smith?", None),
        ("What is vitamin a) good for?", None),
        ("Choose b) or c) today", None),
    ],
)
def test_options_in_a_question(text, parts):
    assert parted(text) == (parts or [text])


@pytest.mark.parametrize(
    ("value", "heading", "shown"),
    [
        ("5", "Weight (kg)", ("Weight", "5\u00a0kg")),
        (-40, "Low [°C]", ("Low", "-40\u00a0°C")),
        ("3", "Price ($)", ("Price", "$3")),
        ("unknown", "Weight (kg)", ("Weight (kg)", "unknown")),
        ("5", "Taste (1-10)", ("Taste (1-10)", "5")),
        (None, "Weight (kg)", ("Weight (kg)", None)),
    ],
)
def test_a_unit_is_beside_its_number(value, heading, shown):
    assert with_unit(value, heading) == shown
