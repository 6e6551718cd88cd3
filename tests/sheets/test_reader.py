"""Reading nodes as marks: the ways to type them, and the messages for what cannot be read."""

from io import BytesIO

import pytest

from generator.draws import draw
from generator.errors import InputError, Place, fault
from generator.model.game import Card
from generator.nodes import Mapping, Scalar
from generator.reading.load import load
from generator.sheets import (
    Document,
    FilledSheet,
    Reading,
    documents,
    heading,
)
from tests.sheet_reading import read

GAME = load("from_the_ground_up")


def filled(text: str, sheet: str = "table", reading: Reading | None = None) -> FilledSheet:
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    if isinstance(document, InputError):
        raise document
    return read(document, GAME, GAME.sheets[sheet], reading or Reading())


def marks(text: str, sheet: str = "table") -> dict[str, object]:
    return dict(filled(text, sheet).marks)


def problems(text: str, sheet: str = "table", reading: Reading | None = None) -> list[str]:
    with pytest.raises(InputError) as caught:
        filled(text, sheet, reading)
    return [str(problem) for problem in caught.value.problems]


def test_nested_keys_join_with_dots_and_lists_count_from_1() -> None:
    text = "players:\n- name: Ann\n- name: Ben\n  cards:\n  - {card: 4, crates: [6, ., 4]}\n"
    assert marks(text) == {
        "players.1.name": "Ann",
        "players.2.name": "Ben",
        "players.2.cards.1.card": "4",
        "players.2.cards.1.crates.1": 6,
        "players.2.cards.1.crates.3": 4,
    }


@pytest.mark.parametrize(
    "text",
    [
        "players.1.cards.1.crates.2: 5",
        "players.1: {cards.1.crates.2: 5}",
        "players: [{cards: [{crates: [., 5]}]}]",
        "players: {1: {cards: {1: {crates: {2: 5}}}}}",
        "players: {cards: {crates: . 5}}",
        "PLAYERS: [{Cards: [{CRATES: '. 5'}]}]",
        '{"players": [{"cards": [{"crates": [null, 5]}]}]}',
        '{\n\t"players": [\n\t\t{"cards": [{"crates": ["", "5"]}]}\n\t]\n}',
    ],
)
def test_many_ways_to_type_one_mark(text: str) -> None:
    assert marks(text) == {"players.1.cards.1.crates.2": 5}


@pytest.mark.parametrize("blank", [".", "~", '""', "null", ""])
def test_blanks(blank: str) -> None:
    assert marks(f"date: {blank}", "tally") == {}


@pytest.mark.parametrize("typed", ["no", "on", "=", "010", "1:30", "1e3", "0x10", "2026-01-01", "true"])
def test_texts_are_read_as_typed(typed: str) -> None:
    assert marks(f"date: {typed}", "tally") == {"date": typed}


@pytest.mark.parametrize(("typed", "number"), [("7", 7), ("-3", -3), ("−3", -3), ("+4", 4), ("010", 10)])
def test_numbers(typed: str, number: int) -> None:
    assert marks(f"players: [{{games: ['{typed}']}}]", "tally") == {"players.1.games.1": number}


@pytest.mark.parametrize("typed", ["x", "3.5", "1_0", "³", "1e3", "0x10", "9999999999", "true", "--1"])
def test_invalid_numbers(typed: str) -> None:
    (problem,) = problems(f"players: [{{games: ['{typed}']}}]", "tally")
    assert problem == f"f.yaml:1: player 1: game 1 must be a whole number, not “{typed}”"


@pytest.mark.parametrize("typed", ["0", "7", "-1", "x", "1.0"])
def test_invalid_numbers_on_a_die(typed: str) -> None:
    (problem,) = problems(f"shared: [{{star: {typed}}}]")
    assert problem == f"f.yaml:1: shared card entry 1: star must be a number from 1 to 6, not “{typed}”"


@pytest.mark.parametrize(
    ("typed", "ticked"),
    [
        ("[1, 3]", {1, 3}),
        ("1 3", {1, 3}),
        ("[3]", {3}),
        ("1", {1}),
        ("[x, ., x]", {1, 3}),
        ("[yes, no, on]", {1, 3}),
        ("[]", set()),
        ("{1: x, 3: X}", {1, 3}),
        (".", set()),
        ("[true, false, true]", {1, 3}),
    ],
)
def test_ticks_by_their_numbers_or_one_by_one(typed: str, ticked: set[int]) -> None:
    assert filled(f"shared: [{{card: 4, ticked: {typed}}}]").ticks("shared.1.ticked") == ticked


@pytest.mark.parametrize("typed", ["1 x", "[x, 3]", ". 1 .", "1-3", "xxx", "2 of 3", "[., 2]", "all"])
def test_what_is_neither_ticks_nor_numbers_is_refused(typed: str) -> None:
    (problem,) = problems(f"shared: [{{card: 4, ticked: {typed}}}]")
    assert "1, 3" in problem
    assert "an x or a dot" in problem


def test_a_single_tick() -> None:
    assert marks("players: [{cards: [{flipped: 1}, {flipped: no}, {flipped: ✓}]}]") == {
        "players.1.cards.1.flipped": True,
        "players.1.cards.3.flipped": True,
    }


def test_choices_and_cards_in_either_case() -> None:
    assert marks("{variant: STALL, shared: [{card: 04}]}") == {"variant.stall": True, "shared.1.card": "4"}


def test_a_set_code_is_read_before_the_cards() -> None:
    code = draw("GU", "C", "01", "x")
    seen = []
    reading = Reading(cards=lambda game, code: seen.append(code) or {"9": None})  # type: ignore[func-returns-value]
    assert filled(f"shared: [{{card: 9}}]\nset: {str(code).lower()}", reading=reading).code == code
    assert seen[-1] == code


def test_a_set_code_without_cards_is_reported_with_its_line() -> None:
    def no_cards(game: object, code: object) -> dict[str, Card]:
        if code:
            raise fault("no recipe “09”")
        return {}

    code = draw("GU", "C", "09", "x")
    assert problems(f"variant: stall\nset: {code}", reading=Reading(cards=no_cards)) == ["f.yaml:2: no recipe “09”"]


def test_all_problems_are_reported_in_order_of_lines() -> None:
    messages = problems(
        "players:\n- nmae: Ann\n- name: [Ben]\n  cards: [[]]\n- {claimed: {total: x}}\nset: GU-1\n"
        "variant: stal\nshared:\n- {card: 99, crates: [7]}\nplayers.9.name: Zoe\n"
    )
    assert [int(problem.split(":")[1]) for problem in messages] == [2, 3, 4, 5, 6, 7, 9, 9, 10]
    assert messages[0] == "f.yaml:2: player 1: unknown key “nmae”; did you mean name?"
    assert messages[2] == "f.yaml:4: player 2, card entry 1 cannot be read; name its parts: Card, Star, Crates, Flipped"
    assert messages[5] == "f.yaml:7: variant must be stall, not “stal”; did you mean stall?"
    assert messages[8] == "f.yaml:10: at most 6 players can play"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("players.1.name: Ann\nplayers: [{name: Bob}]", "f.yaml:2: player 1: name is given twice; first on line 1"),
        (
            "players.1.name.x: Ann",
            "f.yaml:1: unknown field “players.1.name.x”; player 1: name is a single field",
        ),
        ("players.x: Ann", "f.yaml:1: players has no “x”; type a number from 1 to 6"),
        (
            "shared: [{card: 4, ticked: [1], ticked.1: x}]",
            "f.yaml:1: shared card 4: ticked 1 is given twice; first on line 1",
        ),
        (
            "shared: [{card: 4, ticked: 7}]",
            "f.yaml:1: shared card 4: ticked 7 is not on the sheet; type a number from 1 to 6",
        ),
        ("players: {}\nPlayers: [{name: [a]}]", "f.yaml:2: player 1: name takes one value, not a list"),
    ],
)
def test_messages(text: str, message: str) -> None:
    assert problems(text) == [message]


@pytest.mark.parametrize("text", ["shared: [{card: 4, ticked: [1, 2, 1, 1]}]", "shared: [{card: 4, ticked: 1 2 1}]"])
def test_a_box_that_a_list_ticks_twice_is_readable(text: str) -> None:
    sheet = filled(text)
    assert sheet.ticks("shared.1.ticked") == {1, 2}
    assert sheet.repeated_ticks == ("shared.1.ticked.1",)


def test_texts_with_control_characters_are_refused() -> None:
    (problem,) = problems('players: [{name: "a\\e[31mb"}]')
    assert "\x1b" not in problem
    assert problems(f"players: [{{name: {'n' * 201}}}]")


def test_entries_are_those_with_a_mark() -> None:
    sheet = filled("players: [{name: Ann}, {name: .}, {cards: [{card: .}]}, ., {cards: [{star: 3}]}]")
    assert sheet.entries == {"players": ("players.1", "players.5"), "players.5.cards": ("players.5.cards.1",)}
    assert sheet.row("players.5.cards.1.crates") == ()


def test_rows_include_blanks() -> None:
    assert filled("shared: [{crates: [., 5, ., 6, .]}]").row("shared.1.crates") == (None, 5, None, 6)


def test_places_and_people() -> None:
    sheet = filled("players:\n- name: Ann\n  cards:\n  - card: 4\n    crates:\n    - 6\n- cards: [{card: 5}]\n")
    assert sheet.place_of("players.1.cards.1.crates.1").line == 6
    assert sheet.place_of("players.1.cards.1.crates.3").line == 6
    assert sheet.place_of("players.1.cards.1.star").line == 4
    assert sheet.place_of("nowhere").line == 1
    assert sheet.player_of("players.1.cards.1.star") == "Ann"
    assert sheet.player_of("players.2.cards.1") == "player 2"
    assert sheet.player_of("shared.1") is None


def test_extra_parts_are_typed_entry_by_entry() -> None:
    reading = Reading(extra={"log": tuple[int, ...], "deal": dict[str, int]})
    sheet = filled("log: [1, 2]\ndeal: {Ann: 3}", reading=reading)
    assert sheet.extra == {"log": (1, 2), "deal": {"Ann": 3}}
    assert sheet.place_of("deal.Ann").line == 2
    assert sheet.player_of("deal.Ann") == "Ann"
    assert problems("log: [1, x]\ndeal: {Ann: y}\nname: 3", reading=reading) == [
        "f.yaml:1: log entry 2 must be a whole number, not “x”",
        "f.yaml:2: Ann: deal must be a whole number, not “y”",
        "f.yaml:3: “name” is not typed for each player; name them: name: {Ann: …}",
    ]


@pytest.mark.parametrize("text", ["hello", "- a", "[]", "3"])
def test_a_sheet_is_a_mapping(text: str) -> None:
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    assert not isinstance(document, InputError)
    with pytest.raises(InputError, match="this is not a filled-in sheet"):
        heading(document)


def test_a_problem_in_a_form_does_not_repeat_the_label_of_its_field() -> None:
    cubes = load("rolling_cubes")
    typed = {"players.1": "Ann", "rounds.1.stuck": "Zoe"}
    place = Place("form.pdf", field="Round 1, Stuck")
    form = Mapping([(Scalar(key, place), Scalar(text, place)) for key, text in typed.items()], place)
    with pytest.raises(InputError) as caught:
        read(Document(form, place), cubes, cubes.sheets["last-die"], Reading())
    assert [str(problem) for problem in caught.value.problems] == [
        "form.pdf (Round 1, Stuck): “Zoe” is not one of the players; known: Ann"
    ]
