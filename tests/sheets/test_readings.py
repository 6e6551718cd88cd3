"""Sheets changed as people change them keep their marks, or are refused: nothing is dropped, doubled or joined."""

import json
import random
import re
from functools import cache
from io import BytesIO
from pathlib import Path

import pytest
import yaml

from generator.errors import InputError
from generator.judging.judge import Judge, SheetView
from generator.rules import results
from generator.sheets import documents
from generator.sheets.typed_lines import sheet_text

FOLDER = Path(__file__).parents[1] / "games"
EXAMPLES = Path(__file__).parents[2] / "examples"
JUDGE = Judge()


def read(text, judge=JUDGE):
    """The marks of a sheet and what else its game reads; None if it is refused."""
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    sheet = judge.read(document, "f.yaml")
    if not isinstance(sheet, SheetView):
        return None
    return dict(sheet.filled.marks), re.sub(r"place=Place\([^)]*\)", "", repr(dict(sheet.filled.extra)))


def problems(text, judge=JUDGE):
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    read_or_not = document if isinstance(document, InputError) else judge.read(document, "f.yaml")
    return [str(problem) for problem in read_or_not.problems]


@cache
def sheets():
    """The good sheets of every game, with what is read from them."""
    files = sorted(FOLDER.glob("*/good/**/*.yaml"))
    data = [
        sheet
        for file in files
        for sheet in yaml.load_all(file.read_text("utf-8"), yaml.BaseLoader)
        if isinstance(sheet, dict)
    ]
    return [(sheet, read(sheet_text(sheet))) for sheet in data]


def rows_of(data, path=()):
    """The paths of the rows of marks in a sheet."""
    if isinstance(data, list) and len(data) > 1 and all(isinstance(mark, str) for mark in data):
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from rows_of(value, (*path, key))


def lines_of(data, path=()):
    """The paths of the groups that fit on a line."""
    if isinstance(data, dict) and path and all(isinstance(value, str) for value in data.values()):
        yield path
    for key, value in data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ():
        yield from lines_of(value, (*path, key))


def at(data, path):
    return at(data[path[0]], path[1:]) if path else data


def changed(data, path, value):
    data = json.loads(json.dumps(data))
    at(data, path[:-1])[path[-1]] = value
    return data


def keyed(group, between):
    """The parts of a group on a line, each after its key."""
    return between.join(key if value in ("true", "x") else f"{key} {value}" for key, value in group.items())


ROWS = {
    "spaces": " ".join,
    "commas": ", ".join,
    "semicolons": "; ".join,
    "slashes": " / ".join,
    "bars": "|".join,
    "dashes": " - ".join,
    "long dashes": " – ".join,
    "even gaps": "   ".join,
    "tabs": "\t".join,
    "one wide gap": lambda row: f"{row[0]}   {' '.join(row[1:])}",
    "and": lambda row: f"{', '.join(row[:-1])} and {row[-1]}",
    "wide digits": lambda row: [re.sub("[0-9]", lambda digit: chr(ord(digit[0]) + 0xFEE0), mark) for mark in row],
    "minus signs": lambda row: [re.sub("^-(?=[0-9])", "−", mark) for mark in row],
    "brackets": lambda row: f"({' '.join(row)})",
    "two in one box": lambda row: [" ".join(row[:2]), *row[2:]],
    "in a list": lambda row: [row],
    "numbered from 0": lambda row: {str(number): mark for number, mark in enumerate(row)},
}
LINES = {
    "keys and commas": lambda group: keyed(group, ", "),
    "keys and spaces": lambda group: keyed(group, " "),
    "keys and tabs": lambda group: keyed(group, "\t"),
    "keys in capitals": lambda group: keyed({key.upper(): value for key, value in group.items()}, ", "),
    "keys with colons": lambda group: ", ".join(f"{key}: {value}" for key, value in group.items()),
    "a word more": lambda group: f"{keyed(group, ', ')}, ok",
}
READ_BY_THEIR_GAME = ("blocks", "snake", "log", "hands", "deal", "swaps")


@pytest.mark.parametrize("change", ROWS)
def test_a_row_typed_in_another_way_keeps_its_marks_or_is_refused(change):
    random_choice = random.Random(change)
    for sheet, expected in sheets():
        paths = [path for path in rows_of(sheet) if path[0] not in READ_BY_THEIR_GAME and "-" not in at(sheet, path)]
        for path in random_choice.sample(paths, min(2, len(paths))):
            text = sheet_text(changed(sheet, path, ROWS[change](at(sheet, path))))
            assert read(text) in (expected, None), text


@pytest.mark.parametrize("change", LINES)
def test_a_group_typed_on_a_line_keeps_its_marks_or_is_refused(change):
    random_choice = random.Random(change)
    for sheet, expected in sheets():
        paths = [path for path in lines_of(sheet) if path[0] not in READ_BY_THEIR_GAME]
        for path in random_choice.sample(paths, min(2, len(paths))):
            text = sheet_text(changed(sheet, path, LINES[change](at(sheet, path))))
            assert read(text) in (expected, None), text


HEAD = "game: from_the_ground_up\n"
CARDS = f"{HEAD}players:\n  - name: Ann\n    cards:\n      - "
WORDS = "game: rolling_cubes\nplayers: [Ann, Ben]\nrounds:\n  - "
LETTERS = f"{WORDS}words: "
TURNS = "game: cosmic_consequences\nplayers: [Ann, Ben]\nturns:\n  - "
TOURNAMENT = "game: rolling_cubes\nmode: tournament\nplayers: [Ann, Ben]\n"
FIVE = "game: rolling_cubes\nsheet: five-throws\nplayers: [Ann]\nlines: "
PILE = "game: elevator_up\nplayers: [Ann, Ben]\nturns:\n  - "
GRID = "game: upwards\nplayer: Ann\n"
LOG = f"{GRID}option: rows\nlog:\n  - "
STREET = f"{HEAD}players: [Ann, Ben]\ndeal: {{Ann: 1 7 11, Ben: 4 3 10}}\nlog:\n  - "


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"{HEAD}sheet: tally\nplayers: Ann / Ben", "“Ann / Ben” can be one name or several"),
        (f"{HEAD}sheet: tally\nplayers: [Ann; Ben, Cat]", "“Ann; Ben” can be one name or several"),
        (f"{HEAD}sheet: tally\nplayers: Ann Lee Ben", "“Ann Lee Ben” can be one player or several"),
        (f"{HEAD}sheet: tally\nplayers: Ann,, Ben", "“Ann,, Ben” leaves out a name"),
        (f"{HEAD}sheet: tally\nplayers:\n  - Ann 9 -3", "“Ann 9 -3” can be a name, or Ann and game 9 -3"),
        (f"{CARDS}{{card: 4, crates: 3   2}}", "“3   2” may leave out a blank"),
        (f"{CARDS}4 4 6   4 2", "“6   4 2” may leave out a blank"),
        (f"{CARDS}{{card: 4, crates: 6 - 5 - 4}}", "“6 - 5 - 4” can mean “6 5 4” or “6 . 5 . 4”"),
        (f"{CARDS}{{card: 4, crates: {{0: ., 1: 6}}}}", "crate 0 is not on the sheet"),
        (f"{CARDS}{{card: 7, crates: 1 2 3 4 5 6 1}}", "card 7: crates has 7 marks, but there are 6 boxes"),
        (f"{WORDS}words: {{Ann: TREE}}\n    claimed: 4", "1 mark for 2 players (Ann, Ben)"),
        (f"{WORDS}words: {{Ann: TREE}}\n    claimed: [4]", "1 mark for 2 players (Ann, Ben)"),
        (f"{WORDS}words: [TREE]", "1 mark for 2 players (Ann, Ben)"),
        (f"{WORDS}words: TREE", "words cannot be read"),
        (f"{WORDS}tiles: TREE", "“tiles” is not typed for each player"),
        (f"{WORDS}words: {{Ann: TREE}}\n    claimed: Ann 4, Ann 5", "Ann has two marks, “4” and “5”"),
        (f"{WORDS}words: {{Ann: TREE}}\n    claimed: {{Ann: 3, ann: 4}}", "Ann is given twice"),
        (f"{LETTERS}{{Ann: {{tiles: TREE, word: 0}}}}", "“0” means no word, but “tiles: TREE” is one"),
        (f"{LETTERS}{{Ann: 0 tree}}", "“0” means no word, but “word: tree” is one"),
        (f"{TURNS}Ann 5 is-2 draw deck -7", "“draw deck -7” can be “draw” or “the space asks”"),
        (f"{GRID}claimed: 9", "“9” has fewer numbers than there are boxes"),
        (f"{GRID}grid: [hello]", "row 1 has 1 mark, but 4 boxes"),
        (f"{GRID}grid: [1, 1, 1, 1]", "[1, 1, 1, 1] can be one row or 4 rows"),
        (f"{GRID}grid: [., o, 7]", "[., o, 7] can be one row or 3 rows"),
        ('{"game": "upwards", "grid": [null, 2]}', "[., 2] can be one row or 2 rows"),
        ("game: elevator_up\nplayers: [Ann, Ben]\nturns:\n  - Ann - 4", "“- 4” can mean “4” or “. 4”"),
        ("game: elevator_up\nplayers: [Ann]\nturns: [{player: Ann, pickup: –}]", "ticked or blank"),
        ("game: elevator_up\nplayers: [Ann, Ben]\nturns:\n  - Ann 4 — 4", "“4 — 4” can mean “4 4” or “4 . 4”"),
        (f"{HEAD}sheet: tally\nplayers: [{{name: Ann, games: 9 – 3 – 12}}]", "can mean “9 . 3 - 12” or “9 -3 - 12”"),
        (f"{CARDS}{{card: 4, crates: 6 ― 4 2}}", "“6 ― 4 2” can mean “6 4 2” or “6 . 4 2”"),
        (f"{CARDS}{{card: 4, crates: 6.5.4}}", "“6.5.4” can mean “6 5 4” or “6 . 5 . 4”"),
        (f"{CARDS}{{card: 7, crates: [3, 2], flipped}}", "“flipped” has no “:” in these braces; type “flipped: x”"),
        (f"{CARDS}{{card: 4, crates: 6, 5, 4}}", "“5” and “4” have no “:” in these braces; a list needs square"),
        (f"{HEAD}sheet: tally\nplayers: [{{name: Ann, games: 9, 3}}]", "“3” has no “:” in these braces"),
        (f"{HEAD}sheet: tally\nplayers: Ann & Ben, Cat & Dan", "can be one name or several"),
        (f"{HEAD}sheet: tally\nplayers: Ann/Ben", "“Ann/Ben” can be one name or several"),
        (f"{HEAD}sheet: tally\nplayers: 3", "“3” can be a name or a number of players"),
        ("game: elevator_up\nplayers:\n  - Ann\n    Ben", "“Ann Ben” can be one name or several"),
        (f"{HEAD}sheet: tally\nplayers: Ann #1, Ben #2", "“#1” begins a comment, which is not read"),
        (f"{HEAD}shared: [{{card: 4, ticked: 3}}]", "“3” can mean 3 boxes or box 3; type “1 2 3” or “[3]”"),
        (f"{CARDS}7 5 32 not flipped", "“not flipped” can mean that the box is ticked or blank"),
        (f"{WORDS}Ann: BIRD not rejected", "“not rejected” can mean that the box is ticked or blank"),
        (f"{TOURNAMENT}games: {{one-by-one: Ann}}", "Ann has no mark in “Ann”; type “Ann .” if it is blank"),
        (f"{TOURNAMENT}games: {{one-by-one: Ann 24 Ben}}", "Ben has no mark in “Ann 24 Ben”"),
        (f"{TOURNAMENT}3: 9", "“3: 9” can be the name of player 3"),
        (
            f"{HEAD}players: [Ann, Ben]\n3: Cat",
            "“3: Cat” can be the name of player 3 or belong to the marks of a player",
        ),
        (f"{HEAD}sheet: tally\nplayers: [Ann, Ben]\n3: 9", "“3: 9” can be the name of player 3 or belong to game 3"),
        (f"{HEAD}sheet: tally\nplayers: [Ann, Ben]\n3: Ann 9, Ben", "Ben has no mark in “Ann 9, Ben”"),
        ("game: elevator_up\nplayers: [Ann, Ben]\n3: Cat", "or belong to turn 3; type “Player 3: …” for the name"),
        ("game: elevator_up\nplayers: [Ann, Ben 7 – 7]", "“Ben 7 – 7” can be a name, or a name and numbers"),
        ("game: elevator_up\nplayers:\n  - 1. Ann\n  - 2. Ben", "“1. Ann” can be a name, or a name and numbers"),
        (f"{HEAD}players:\n  - Ann ★4", "“Ann ★4” can be a name, or a name and numbers"),
        (f"{TURNS}Ann, 4, is-1, to is-2", "to is given twice, “is-1” and “is-2”; name each part once"),
        ("game: elevator_up\nplayers: [Ann]\nturns:\n  - 2. Ann 5", "“2” is entry 1 of this list"),
        ("game: elevator_up\nplayers:\n  - Player 2: Ann", "“Player 2” is entry 1 of this list"),
        (
            f"{FIVE}{{Ann: [BIRD, TREE]}}",
            "type no wildcards, trio, full house, poker, double, total, or each part after",
        ),
        (f'{CARDS}{{card: "4\\tx"}}', "must be a card in the game, not “4 x”"),
        (f"{GRID}blocks: square a1 b1 a2 b2; corner c1 d1 c2", "“square-corner”; type each block as an entry"),
        ("game: upwards\nplayer: Ann, Ben", "“Ann, Ben” can be one name or several; type a sheet for each player"),
        ("game: upwards\nplayers: [Ann, Ben]", "type a sheet for each player, with “---” between them"),
    ],
)
def test_two_readings_are_refused(text, message):
    assert any(message in problem for problem in problems(text)), problems(text)


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        (f"{CARDS}4, 4, 6 ▼ 5 ▼ 4 ▼ 2", f"{CARDS}4, 4, 6 5 4 2"),
        (f"{CARDS}4\t4\t6 5 4 2", f"{CARDS}4 4 6 5 4 2"),
        (f"{CARDS}CARD 4 STAR 4 FLIPPED", f"{CARDS}card 4 star 4 flipped"),
        (f"{CARDS}card=4 star=4 crates=6542", f"{CARDS}card 4 star 4 crates 6542"),
        (
            f"{HEAD}sheet: tally\nplayers: [{{name: Ann, games: 9 –3 １2}}]",
            f"{HEAD}sheet: tally\nplayers: [{{name: Ann, games: 9 -3 12}}]",
        ),
        (f"{HEAD}sheet: tally\nplayers: [Ann: 9 -3]", f"{HEAD}sheet: tally\nplayers: [{{name: Ann, games: 9 -3}}]"),
        (f"{TURNS}Ann 5 is‑2, the space asks draw deck –7", f"{TURNS}Ann 5 is-2, the space asks draw deck -7"),
        (f"{GRID}extra_reserve: '–, 3'", f"{GRID}extra_reserve: '-, 3'"),
        (
            f"{LETTERS}{{Ann: {{throw: light-blue ≠ blue ≠N}}}}",
            f"{LETTERS}{{Ann: {{throw: {{light-blue: ≠, blue: ≠N}}}}}}",
        ),
        (f"{WORDS[:-4]}  Round 1: {{Ann: TREE}}", f"{LETTERS}{{Ann: TREE}}"),
        (f"{GRID}grid: [[3, 4], [5, 6]]", f"{GRID}grid: [3 4 . ., 5 6 . .]"),
        (f"{GRID}grid: [3333, 4444]", f"{GRID}grid: [3 3 3 3, 4 4 4 4]"),
        (f"{GRID}grid:\n  - 3\n  - 4\n", f"{GRID}grid: [3 . . ., 4 . . .]"),
        (f"{GRID}A1: 3\nB 1: 4\nc1: 5", f"{GRID}grid: {{a1: 3, b1: 4, c1: 5}}"),
        (f"{LOG}{{dice: 3 4 5, entries: [a=3]}}", f"{LOG}{{dice: [3, 4, 5], entries: [a=3]}}"),
        (f'{LOG}{{dice: "3, 4,5", entries: [], passed: 3 4}}', f"{LOG}{{dice: [3, 4, 5], passed: [3, 4]}}"),
        (f"{WORDS}[TREE, BIRD]", f"{LETTERS}[TREE, BIRD]"),
        (f"{CARDS}Card 7: 5 3, star 6", f"{CARDS}{{card: 7, star: 6, crates: [5, 3]}}"),
        (f"{CARDS}4, 6 5 4 2, star 4", f"{CARDS}{{card: 4, star: 4, crates: [6, 5, 4, 2]}}"),
        (f"{PILE}1. Ann 5\n  - 2) Ben 7", f"{PILE}Ann 5\n  - Ben 7"),
        (f"{PILE}Turn 1 Ann 5\n  - '#2 Ben 7'", f"{PILE}Ann 5\n  - Ben 7"),
        (f"{PILE}{{Ann: [5, 5]}}\n  - [Ben, 7, 7]", f"{PILE}Ann 5 5\n  - Ben 7 7"),
        ("game: elevator_up\nplayers:\n  - Player 1: Ann\n  - Player 2: Ben", "game: elevator_up\nplayers: [Ann, Ben]"),
        ("game: elevator_up\nplayers: |\n  Ann #1\n  Ben", "game: elevator_up\nplayers: ['Ann #1', Ben]"),
        (f"{GRID}option: rows and snake", f"{GRID}option: [rows, snake]"),
        (f"{GRID}d: 4 5", f"{GRID}grid: {{d: 4 5}}"),
        (f"{WORDS}TREE / 0", f"{LETTERS}[TREE, 0]"),
        (
            f"{WORDS[:-12]}Round 1: [TREE, -]\nRound 2: [CO=KING cooking 7, BIRD]",
            f"{LETTERS}[TREE, -]\n  - words: [CO=KING cooking 7, BIRD]",
        ),
        (f"{HEAD}sheet: tally\nplayers: {{Ann, Ben}}", f"{HEAD}sheet: tally\nplayers: [Ann, Ben]"),
        (f"{HEAD}sheet: tally\nplayers: Ann, Ben, and Cat", f"{HEAD}sheet: tally\nplayers: [Ann, Ben, Cat]"),
        (f"{HEAD}sheet: tally\nplayers: Ann,\n Ben", f"{HEAD}sheet: tally\nplayers: [Ann, Ben]"),
        (f"{HEAD}sheet: tally\nplayers: [“Lee, Ann”, ‘Ben’]", f'{HEAD}sheet: tally\nplayers: ["Lee, Ann", Ben]'),
        (f"{GRID}reserve: {{2x, 3}}", f"{GRID}reserve: [2x, 3]"),
        (f"{CARDS}{{card: 4, star: }}", f"{CARDS}{{card: 4}}"),
        (f"{STREET}Ann 3 card 1 crate 2", f"{STREET}{{player: Ann, roll: 3, card: 1, crate: 2}}"),
    ],
)
def test_unusual_spellings_are_read(typed, plain):
    assert read(typed) == read(plain) is not None, problems(typed)


def test_a_name_after_its_key_is_one_name():
    head = f"{HEAD}sheet: tally\n"
    for name in ("Ann / Ben", "Smith, John", "Ann 9 -3"):
        for text in (f"players: [{{name: '{name}'}}]", f"players.1.name: {name}"):
            assert read(head + text)[0] == {"players.1.name": name}, text


def test_escapes_in_json_are_read_as_what_they_encode():
    typed = '{"game": "from_the_ground_up", "sheet": "tally", "players": [{"name": "Ann", "games": "9 \\u20133"}]}'
    assert read(typed)[0]["players.1.games.2"] == -3


@pytest.mark.parametrize("key", ["three", "Three", "five"])
@pytest.mark.parametrize("player", ["players: {Ada: {%s: 9}}", "players: [{name: Ada, %s: 9}]", "players: Ada\n%s: 9"])
def test_a_key_of_a_group_is_not_taken_for_the_singular_of_another(key, player):
    judge = Judge(str(Path(__file__).parents[2] / "examples" / "dice_dozen"))
    (problem,) = problems(f"game: dice_dozen\n{player % key}\n", judge)
    assert f"unknown key “{key}”" in problem


def test_fewer_numbers_than_boxes_on_a_line_of_your_own_game():
    judge = Judge(str(Path(__file__).parents[2] / "examples" / "dice_dozen"))
    for line, expected in (("41", None), ("1, 2, 3, 41", 41), ("total 41", 41), (". . . 41", 41)):
        read_sheet = read(f"players:\n  - name: Ann\n    claimed: {line}", judge)
        assert (read_sheet[0]["players.1.claimed.total"] if read_sheet else None) == expected, line


# ---- entries with their numbers ------------------------------------------------------------------------------------

ELEVATOR = "game: elevator_up\nplayers: [Ann, Ben]\nturns:"
TURNS = read(f"{ELEVATOR}\n  - Ann 4\n  - Ben 7 7\n  - Ann 8\n")


@pytest.mark.parametrize(
    "turns",
    [
        '\n  - "Turn 1: Ann 4"\n  - "Turn 2: Ben 7 7"\n  - "Turn 3: Ann 8"\n',
        "\n  - Turn 1: Ann 4\n  - Turn 2: Ben 7 7\n  - Turn 3: Ann 8\n",
        '\n  - "1: Ann 4"\n  - Ben 7 7\n  - "3: Ann 8"\n',
        '\n  - "Round 1: Ann 4"\n  - "round 2: Ben 7 7"\n  - "MOVE 3: Ann: 8"\n',
        "\n  - Turn 1: {player: Ann, play: [4]}\n  - Turn 2: {player: Ben, play: 7 7}\n  - Turn 3: Ann 8\n",
        " |\n  Turn 1: Ann 4\n  Turn 2: Ben 7 7\n  Turn 3: Ann 8\n",
    ],
)
def test_an_entry_may_be_typed_with_its_number(turns):
    assert read(ELEVATOR + turns) == TURNS


@pytest.mark.parametrize(
    "turns",
    [
        '\n  - "Turn 1: Ann 4"\n  - "Turn 3: Ben 7 7"\n',
        "\n  - Turn 1: Ann 4\n  - Turn 3: Ben 7 7\n",
        '\n  - Ann 4\n  - "3: Ben 7 7"\n',
        " |\n  Turn 1: Ann 4\n  Turn 3: Ben 7 7\n",
    ],
)
def test_a_number_that_is_not_that_of_the_entry_is_refused(turns):
    (problem,) = problems(ELEVATOR + turns)
    assert re.search("3” is entry 2 of this list; correct the number, or leave out all numbers", problem)


def test_what_belongs_above_a_list_is_not_an_entry():
    sheet = "game: from_the_ground_up\nplayers:\n  - name: Ann\n    cards: |\n      card 4 star 4\n      total: 1\n"
    assert problems(sheet) == ["f.yaml:6: “total” is not part of this list; type it above or below “cards”"]


def test_a_line_of_a_log_that_cannot_be_read_is_reported_once():
    cards = "players: [{name: Ann, cards: [{card: 4}]}, {name: Ben, cards: [{card: 3}]}]\n"
    deal = "deal: {Ann: [4, 7, 11], Ben: [3, 10, 1]}\n"
    (problem,) = problems(f"game: from_the_ground_up\n{cards}{deal}log: [Ben 5 box 2]\n")
    assert "“box” is one part too many" in problem


@pytest.mark.parametrize("line", ["{player: Ann, roll: 3, card: 1}", "Ann 3 card 1", "Ann 3 card 1 crate 2 star"])
def test_a_card_in_a_turn_is_not_dropped(line):
    (problem,) = problems(f"{STREET}{line}")
    assert "a mark needs exactly one of crate, star and tick" in problem


def test_a_pass_with_a_mark_is_refused():
    (problem,) = problems(f"{STREET}{{player: Ann, pass: 1, card: 7, crate: 1}}")
    assert "an entry is either a turn or a pass" in problem


def answer(text):
    """The answer to a sheet, as JSON."""
    (document,) = documents(BytesIO(text.encode()), "f.yaml")
    return results.plain(JUDGE.answer(document, "f.yaml"))


@pytest.mark.parametrize("entries", ['"a=3 b=4 c=5"', '"a=3, b=4, c=5"', '"a = 3,b=4 c= 5"', "[a=3, b=4 c=5]"])
def test_the_entries_of_a_round_may_be_one_text(entries):
    sheet = f"{GRID}option: rows\ngrid: [3 4 5 .]\nlog:\n  - {{dice: 3 4 5, entries: {entries}}}\n"
    assert answer(sheet)["findings"] == []


@pytest.mark.parametrize("hands", ["Ann: 5 5 K, Ben: [4, L]", "Ann: 55 K, Ben: '4, lobby'", "Ann: 5 5 stuck, Ben: 4 L"])
def test_the_cards_of_a_deal_may_be_one_text(hands):
    sheet = "game: elevator_up\nplayers: [Ann, Ben]\ndeal: {hands: {%s}, deck: %s}\nturns: [Ann 5 5]\n"
    listed = answer(sheet % ("Ann: [5, 5, stuck], Ben: [4, lobby]", "[1, 2, new-building]"))
    assert listed["players"] and answer(sheet % (hands, "1 2 New Building")) == listed


@pytest.mark.parametrize(
    ("card", "signs"),
    [
        ("{card: 4, crates: 6 ▲ 5 ▼ 4 ▼ 2}", "▼ ▼ ▼ between its crates, not ▲ ▼ ▼"),
        ("4, 4, 6 ▼ 5 ▼ 4 = 2", "▼ ▼ ▼ between its crates, not ▼ ▼ ="),
        ("5 3 1 ^ 3 v 4 ^ 5", "▲ ▲ ▲ between its crates, not ▲ ▼ ▲"),
        ("card=11 star=2 crates=5 ▼ 2 = 4", "▼ ≠ between its crates, not ▼ ="),
        ("{card: 10, crates: 3 / 3 = 1 = 1}", "= ≠ = between its crates, not ≠ = ="),
        ("card 6 crates 2=2=2≠.", "= = = between its crates, not = = ≠"),
    ],
)
def test_symbols_that_are_not_those_of_the_card_are_refused(card, signs):
    (problem,) = problems(CARDS + card)
    assert f"has {signs}" in problem


@pytest.mark.parametrize(
    "card", ["card=11 star=2 crates=524", "11 2 5 ▼ 2 ≠ 4", "{card: 11, star: 2, crates: 5 2 ≠ 4}"]
)
def test_symbols_of_the_card_and_other_signs_are_no_marks(card):
    assert read(CARDS + card)[0] == read(f"{CARDS}card 11 star 2 crates 5 2 4")[0]


@pytest.mark.parametrize("rounds", ["{2: {Ann: PLAY, Ben: BIRD}}", "[{Ann: 0, Ben: 0}, {}, {Ann: PLAY, Ben: BIRD}]"])
def test_a_round_is_not_left_out(rounds):
    (finding,) = answer(f"game: rolling_cubes\nplayers: [Ann, Ben]\nrounds: {rounds}\n")["findings"]
    assert finding["rule"] == "everybody-plays" and "nobody has a word or a 0 in round" in finding["message"]


def test_all_unknown_cards_of_a_list_are_named():
    hands = "hands: {Ann: {cc_up: [d4, +3, t5], number_up: q, stacks: [[+14, -14]]}}\n"
    said = problems(f"game: cosmic_consequences\nplayers: [Ann, Ben]\n{hands}")
    assert [problem.split(": ", 2)[2].split(";")[0] for problem in said] == [
        "“d4” and “t5” are not cards in the game",
        "no card “q” in the game",
        "“+14” and “-14” are not cards in the game",
    ]


@pytest.mark.parametrize(
    ("text", "label"),
    [
        (f"{HEAD}players: [Ann, Ben]\nshared: [{{card: 6, ticked: [2, 2]}}]\n", "shared card 6, ticked 2"),
        ("game: elevator_up\nsheet: tally\nplayers: {Ann: 1 3 1, Ben: 2}\n", "Game 1"),
        (f"{GRID}option: rows\nevent_die: x\nbonus_rows: [4, 4]\n", "Bonus row 4"),
    ],
)
def test_a_box_that_is_ticked_twice_has_a_name(text, label):
    messages = [finding["message"] for finding in answer(text)["findings"] if finding["rule"] == "ticked-once"]
    assert messages == [f"the box “{label}” is ticked more than once"]


def test_turns_of_cosmic_consequences_as_a_text():
    lines = ["Ann 5 is-2", "Ben 2 first-2"]
    start = "game: cosmic_consequences\nplayers: [Ann, Ben]\nturns:"
    as_list = read(start + "".join(f"\n  - {line}" for line in lines) + "\n")
    assert as_list and read(start + " |\n" + "".join(f"  {line}\n" for line in lines)) == as_list
    assert "turn 2 cannot be read" in problems(f"{start} |\n  Ann 5 is-2\n  rolls two\n")[0]


def test_taking_the_pile_in_words():
    pile = read(f"{ELEVATOR}\n  - Ann 4\n  - {{player: Ben, pickup: true}}\n")
    for words in ("picks up", "takes the pile", "picked up", "pickup"):
        assert read(f"{ELEVATOR}\n  - Ann 4\n  - Ben {words}\n") == pile


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Turn 1 Ann 5", "this line has no “:”; write “Turn 1: Ann 5”"),
        ("turns = Ann 5", "write “turns: Ann 5”"),
        ("turns： Ann 5", "write “turns: Ann 5”"),
        ("turns: {Ann: 5, Ben: 7}", "turns has no “Ann”; type “- Ann: …”"),
        ("Ann: 5", "unknown key “Ann”; Ann is a player; type “- Ann: …” in a list of turns or rounds"),
        ("turns: [{play: 5, Ann: 7}]", "Ann is a player"),
    ],
)
def test_a_message_shows_how_to_type_a_line(text, message):
    assert message in problems(f"game: elevator_up\nplayers: [Ann, Ben]\n{text}\n")[0]


def test_a_line_that_cannot_be_read_says_why():
    head = "game: cosmic_consequences\ncards: no\nturns:"
    (problem,) = problems(f"{head}\n  - B 4 is-1\nplayers: [Ben, Bea]\n")
    assert "turn 1: “B” could be Ben or Bea; write more of the name" in problem
    (problem,) = problems(f"{head}\n  - 4 is-1\nplayers: [Ann, Ben]\n")
    assert "turn 1 cannot be read; type it like “Ann" in problem


def test_a_column_that_can_mean_two_things_is_reported_once():
    both = problems(f"{GRID}a: 1 2 3\nb: 1 2\nd: 4 5\n")
    assert len(both) == 2 and all("of the grid or “" in problem for problem in both)


@pytest.mark.parametrize("points", ["8->10", "8+2", "=8", "4pts", "→ 8"])
def test_points_after_a_word_are_one_number(points):
    (problem,) = problems(f"{WORDS}{{Ann: {points}}}".replace("{Ann: ", "{Ann: KITCHEN "))
    assert problem.endswith("type the points as one number, with a space before it: BIRD 4")


def test_one_total_for_each_player_needs_commas():
    (problem,) = problems("game: rolling_cubes\nmode: tournament\nplayers: [Ann, Ben]\ngames: {one-by-one: 24/19}\n")
    assert "“24/19” can be one mark or 2; type “24, 19” for one each" in problem


def test_letters_with_dashes_between_them():
    (problem,) = problems(
        "game: rolling_cubes\nplayers: [Ann]\nrounds: [{words: {Ann: {tiles: B-I-R-D, word: bird}}}]\n"
    )
    assert problem.endswith("not “B-I-R-D”; type BIRD")


def test_an_unknown_key_of_a_player_lists_the_fields_in_groups():
    (problem,) = problems("players: [{name: Ann, pairs: 50}]\n", Judge(named=str(EXAMPLES / "dice_dozen")))
    assert problem.startswith("f.yaml:1: Ann: unknown key “pairs”; known: Name, Ones, Twos, ")
