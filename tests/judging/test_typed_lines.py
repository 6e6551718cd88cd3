"""A typed line is read as the same data as a file."""

from io import BytesIO

import pytest

from generator import paths
from generator.judging.judge import Judge
from generator.judging.questions import Transcript, sheet_filler
from generator.rules.results import Judged, Unreadable
from generator.sheets import documents
from generator.sheets.marks import LineError
from generator.sheets.typed_lines import plain, split, unquoted
from tests.judging.filling import game_of

NAMES = ("Ann", "Ben", "Ann Lee")


def shape(key, path, sheet=None):
    parts = sheet_filler(game_of(key), sheet, "sheet.yaml").form.parts
    for name in path.split("."):
        part = next(part for part in reversed(parts) if part.key == name)
        parts = part.inner
    return part.single if part.kind == "list" else part


@pytest.mark.parametrize(
    "text",
    [
        "4, 4, 6 5 4 2, flipped",
        "4, 4, [6, 5, 4, 2], x",
        "4 6 5 4 2 star 4 flipped",
        "card 4, crates 6 5 4 2, star 4, flipped: x",
        "{card: 4, crates: [6, 5, 4, 2], star: 4, flipped: x}",
        "star: 4, flipped x, card: 4, crates: 6 5 4 2",
        "4 4 6542 flipped",
        "4, 4, 6542, x",
    ],
)
def test_a_card(text):
    part = plain(shape("from_the_ground_up", "players.cards"), text)
    assert part.pop("flipped") in ("true", "x")
    assert part == {"card": "4", "crates": ["6", "5", "4", "2"], "star": "4"}


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ann 5 mark 4 2", {"player": "Ann", "roll": "5", "mark": {"card": "4", "crate": "2"}}),
        ("Ann, 5, mark {card: 4, crate: 2}", {"player": "Ann", "roll": "5", "mark": {"card": "4", "crate": "2"}}),
        ("Ann Lee 5 mark 4 star", {"player": "Ann Lee", "roll": "5", "mark": {"card": "4", "star": "true"}}),
        ("Ann 6 flip 7", {"player": "Ann", "roll": "6", "flip": "7"}),
        ("Ann pass 4", {"player": "Ann", "pass": "4"}),
        ("Ann 2", {"player": "Ann", "roll": "2"}),
    ],
)
def test_a_turn_of_from_the_ground_up(text, value):
    assert plain(shape("from_the_ground_up", "log"), text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Ann 7 7", {"player": "Ann", "play": ["7", "7"]}),
        ("Ann, 7 7", {"player": "Ann", "play": ["7", "7"]}),
        ("Ben pickup", {"player": "Ben", "pickup": "true"}),
        ("Ben pile", {"player": "Ben", "pickup": "true"}),
        ("Ben flip L", {"player": "Ben", "flip": "L"}),
        ("Ben flip L pile", {"player": "Ben", "flip": "L", "pickup": "true"}),
        ("Ben -", {"player": "Ben", "pickup": "true"}),
        ("Ben –", {"player": "Ben", "pickup": "true"}),
        ("ann lee door-closed", {"player": "ann lee", "play": ["door-closed"]}),
    ],
)
def test_a_turn_of_elevator_up(text, value):
    assert plain(shape("elevator_up", "turns"), text, NAMES) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4 3 1, a=4 b=3+1", {"dice": ["4", "3", "1"], "entries": ["a=4", "b=3+1"]}),
        (
            "4 3 1, c=o d=3, meteorite, passed 1",
            {"dice": ["4", "3", "1"], "entries": ["c=o", "d=3"], "event": "meteorite", "passed": ["1"]},
        ),
        (
            "4 3 1 event bonus-row row 2 entries a=4 b=3",
            {"dice": ["4", "3", "1"], "event": "bonus-row", "row": "2", "entries": ["a=4", "b=3"]},
        ),
    ],
)
def test_a_round_of_upwards(text, value):
    assert plain(shape("upwards", "log"), text) == value


def test_a_word_of_rolling_cubes():
    word = shape("rolling_cubes", "rounds.words")
    assert plain(word, "CO=KING cooking purple") == {"tiles": "CO=KING", "word": "cooking", "purple": "true"}
    assert plain(word, "PURPLE, purple: x") == {"tiles": "PURPLE", "purple": "x"}
    assert plain(word, "0") == "0"
    throw = {"red": "AEIO", "orange": "C="}
    assert plain(word, "COKE, coke, throw AEIO C=") == {"tiles": "COKE", "word": "coke", "throw": throw}
    assert plain(word, "COKE coke throw red AEIO orange C=") == {"tiles": "COKE", "word": "coke", "throw": throw}


def test_a_text_can_take_the_rest_of_the_line():
    turn = shape("cosmic_consequences", "turns")
    assert plain(turn, "Ann draw deck +3 roll 2 to em-4 forced draw deck -7; Ben discard pile +4", ("Ann", "Ben")) == {
        "player": "Ann",
        "draw": "deck +3",
        "roll": "2",
        "to": "em-4",
        "forced": "draw deck -7; Ben discard pile +4",
    }
    assert plain(turn, "Ben, 5, is-2, forced draw deck +3", ("Ann", "Ben")) == {
        "player": "Ben",
        "roll": "5",
        "to": "is-2",
        "forced": "draw deck +3",
    }


def test_marks_by_player():
    points = shape("rolling_cubes", "claimed")
    for text in ("9 4", "9, 4", "Ann 9, Ben 4", "Ann 9 Ben 4", "Ann: 9, ben: 4", "[9, 4]", "{Ann: 9, Ben: 4}"):
        assert plain(points, text, ("Ann", "Ben")) in ({"Ann": "9", "Ben": "4"}, ["9", "4"])
    assert plain(points, ". 4", ("Ann", "Ben")) == {"Ben": "4"}
    with pytest.raises(LineError, match="3 marks for 2 players"):
        plain(points, "9 4 1", ("Ann", "Ben"))


def test_ticks_by_name():
    assert plain(shape("upwards", "option"), "rows") == "rows"
    assert plain(shape("upwards", "option"), "rows snake") == ["rows", "snake"]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4, 4, 6 5, x, 3", "“3” is one part too many"),
        ("4, satr: 3", "unknown key “satr”"),
        ("4, star 3, star 4", "star is given twice"),
        ("{card: 4", "not readable as YAML"),
    ],
)
def test_refuses_lines_that_cannot_be_read(text, value):
    with pytest.raises(LineError, match=value):
        plain(shape("from_the_ground_up", "players.cards"), text)


def test_blanks():
    card = shape("from_the_ground_up", "players.cards")
    assert plain(card, "  ") is None
    assert plain(card, "4, 3, , x") == {"card": "4", "star": "3", "flipped": "x"}
    assert plain(shape("upwards", "extra_reserve"), ". 3 -") == [".", "3", "-"]


def test_quotes_keep_a_text_together():
    assert split('"a, b", c', ",") == ['"a, b"', "c"]
    assert split("O'Neil 4", " ") == ["O'Neil", "4"]
    assert split("'t Hooft, Ben", ",") == ["'t Hooft", "Ben"]
    assert unquoted('"done"') == "done"


@pytest.mark.parametrize(
    ("text", "cards"),
    [
        ("Ann Door Closed", ["Door Closed"]),
        ("Ann, New Building", ["New Building"]),
        ("Ann 5 5", ["5", "5"]),
        ("player: Ann, play: stuck Stuck", ["stuck", "Stuck"]),
    ],
)
def test_names_of_cards_may_have_spaces(text, cards):
    assert plain(shape("elevator_up", "turns"), text, NAMES) == {"player": "Ann", "play": cards}


def answer(text):
    (document,) = documents(BytesIO(text.encode()), "sheet.yaml")
    return Judge(None).answer(document, "sheet.yaml")


@pytest.mark.parametrize(
    "turns", ["[Ann 4, Ben 7 7, Cat Stuck]", "{1: Ann 4, 2: Ben 7 7, 3: Cat S}", "[[Ann, 4], Ben 7 7, Cat S]"]
)
def test_a_file_may_have_entries_on_one_line(turns):
    head = "game: Elevator Up\nplayers: [Ann, Ben, Cat]\n"
    found = answer(f"{head}turns: {turns}")
    spelled = answer(f"{head}turns: [{{player: Ann, play: 4}}, {{player: Ben, play: 7 7}}, {{player: Cat, play: S}}]")
    assert isinstance(found, Judged) and found.verdict.findings == spelled.verdict.findings == ()
    race = "game: Cosmic Consequences\nplayers: Ann, Ben\ncards: without\nturns: [Ann 5 is-2, Ben 4 is-1]"
    assert isinstance(answer(race), Judged)


def test_a_line_in_a_file_that_cannot_be_read_is_reported():
    found = answer("game: elevator_up\nplayers: [Ann, Ben]\nturns:\n  - Ann 4\n  - Ben takes it\n")
    assert isinstance(found, Unreadable)
    assert {problem.place.line for problem in found.problems} == {5}


def test_a_file_may_be_typed_as_people_speak():
    head = "game: Elevator Up\nplayers: [Ann, Ben]\n"
    found = answer(f"{head}turns: [Ann 4, {{player: Ben, play: 77}}, {{player: Ann, pile: tick}}]")
    spelled = answer(f"{head}turns: [Ann 4, {{player: Ben, play: 7 7}}, {{player: Ann, pickup: x}}]")
    assert isinstance(found, Judged) and found.verdict.findings == spelled.verdict.findings
    dashes = "game: rolling_cubes\nmode: last-die\nplayers: [Ann, Ben]\n1:\n  who: A B A\n  letters: T O ≠\n  as: %s\n"
    assert isinstance(marks(dashes % "- - R"), dict) and marks(dashes % "- - R") == marks(dashes % "'- - R'")


def test_none_and_dashes_name_no_player():
    sheet = (paths.ROOT / "tests/games/rolling_cubes/good/last-die.yaml").read_text("utf-8")
    expected = answer(sheet)
    for nobody in ("none", "None", "-", "nobody", "no one"):
        judged = answer(sheet.replace("stuck: Cat", f"stuck: Cat\n    doubt: {{by: '{nobody}'}}"))
        assert isinstance(judged, Judged), nobody
        assert judged.result == expected.result and judged.verdict.findings == expected.verdict.findings
    assert isinstance(answer(sheet.replace("stuck: Cat", "stuck: Cat\n    doubt: {by: Nemo}")), Unreadable)


# ---- two spellings of the same sheet ---------------------------------------------------------------------------------


def marks(text):
    """The marks of a sheet that can be read, or its problems."""
    (document,) = documents(BytesIO(text.encode()), "sheet.yaml")
    sheet = Judge(None).read(document, "sheet.yaml")
    return [str(problem) for problem in sheet.problems] if isinstance(sheet, Unreadable) else dict(sheet.filled.marks)


def same(head, pairs):
    for typed, spelled in pairs:
        expected = marks(head + spelled)
        assert isinstance(expected, dict), expected
        assert marks(head + typed) == expected, typed


def test_cosmic_consequences_is_read_as_people_write():
    head = "game: Cosmic Consequences\nplayers: [Ann, Ben]\n"
    without = "cards: without"
    same(
        head,
        [
            *[(f"{typed}", without) for typed in ("With cards: no", "Cards: none", "with or without cards: Without")],
            *[(typed, "cards: with") for typed in ("With cards: yes", "CARDS: ✓", "with cards: x")],
            ("hands: {Ann: {cc side up: +3 -4, number side up: none}}", "hands: {Ann: {cc_up: +3 -4}}"),
            ("hands: {Ann: {cc_up: no cards, number_up: 0}}", "hands: {Ann: {number_up: 0}}"),
            (
                "turns: [{player: Ann, draw: none, roll: 5, to: is-2, the space asks: '-'}]",
                "turns: [{player: Ann, roll: 5, to: is-2}]",
            ),
        ],
    )


def test_spaces_may_be_named_in_words():
    game = "game: cosmic_consequences\ncards: without\nplayers: [Ann, Ben]\nturns: [Ann 5 "
    expected = answer(f"{game}is-2]")
    assert isinstance(expected, Judged) and not expected.verdict.findings
    for space in ("IS 2", "is2", "Intergalactic Space 2", "intergalactic space-2"):
        judged = answer(f"{game}{space}]")
        assert isinstance(judged, Judged) and not judged.verdict.findings, space
    assert isinstance(answer(f"{game}the Big Bang]"), Judged)
    assert isinstance(answer(f"{game}black hole]"), Unreadable)  # there are two


def test_nobody_may_be_out_first():
    head = "game: elevator_up\nplayers: [Ann, Ben]\nturns: [{player: Ann, play: 4}]\n"
    for nobody in ("none", "-", "nobody", "."):
        assert isinstance(answer(f"{head}Out first: '{nobody}'"), Judged), nobody
    assert isinstance(answer(f"{head}Out first: Cat"), Unreadable)


def test_cards_may_be_named_by_the_key():
    head = "game: From the Ground Up\n"
    spelled = (
        "players: [{name: Mum, cards: [{card: 4, star: 4, crates: [6, 5, 4, 2]}, {card: 7, flipped: x}]}, {name: Leo}]"
    )
    line = "star 4, crates 6 5 4 2"
    same(
        head,
        [
            (f"players: {{Mum: {{cards: ['Card 4': '{line}', 'Card 7': flipped]}}, Leo: }}", spelled),
            (f"Player 1: {{name: Mum, card 4: '{line}', Card 7: flipped}}\nPlayer 2: Leo", spelled),
            (f"players: {{Mum: {{cards: {{4: '{line}', 7: flipped}}}}, Leo: }}", spelled),
            (f"1: {{name: Mum, cards: ['Card 4, {line}', 'Card 7 flipped']}}\n2: Leo", spelled),
        ],
    )


def test_words_may_be_typed_on_one_line():
    head = "game: Rolling Cubes · One by one\nplayers: [Ann, Ben]\n"
    spelled = "rounds: [{words: {Ann: {tiles: TRAI≠, word: train}, Ben: {tiles: SLEEP}}, claimed: {Ann: 4, Ben: 6}}]"
    same(
        head,
        [
            ("Round 1: {Ann: 'TRAI≠ train, 4 points', Ben: 'SLEEP, points 6'}", spelled),
            ("Round 1: {Ann: TRAI≠ train 4, Ben: SLEEP 6}", spelled),
            ("1: {tiles: [TRAI≠, SLEEP], word: [train, .], points: 4 / 6}", spelled),
            ("1: {tiles: TRAI≠ | SLEEP, word: {Ann: train}, points: 4 6}", spelled),
            ("rounds: [{Ann: [TRAI≠, train, 4], Ben: 'tiles SLEEP, 6 points'}]", spelled),
        ],
    )
    head = "game: Rolling Cubes\nsheet: five throws\nplayers: Ann\n"
    spelled = "lines: {Ann: {poker: {tiles: OUTSIDE, word: outside, rethrown: 2, claimed: 5}, trio: 0}}"
    same(
        head,
        [
            ("Poker: OUTSIDE outside again 2 points 5\nTrio: '-'", spelled),
            ("Poker: OUTSIDE outside 2 5\ntrio: no word", spelled),
            ("POKER: OUTSIDE, outside, again 2, points 5\ntrio: 0", spelled),
        ],
    )


def test_turns_may_be_typed_on_one_line():
    head = "game: Elevator Up\nplayers: Ann, Ben\n"
    spelled = "turns: [{player: Ann, play: 5}, {player: Ben, pickup: x}]"
    same(
        head,
        [
            ("turns: {1: Ann 5, 2: Ben pile}", spelled),
            ("turns: [Ann: 5, Ben -]", spelled),
            ("turns: |\n  Ann 5\n  Ben pick-up\n", spelled),
            ("turn 1: Ann 5\nturn 2: Ben pile", spelled),
        ],
    )
    head = "game: Cosmic Consequences\nplayers: Ann, Ben\ncards: without\n"
    spelled = "turns: [{player: Ann, roll: 5, to: is-2}, {player: Ben, roll: 2, to: big-bang}]"
    same(head, [("turns: [Ann roll 5 to is-2, Ben: 2 big-bang]", spelled)])


def test_a_number_that_can_be_two_parts_is_refused():
    head = "game: Rolling Cubes\nsheet: five throws\nplayers: Ann\n"
    assert "“2” can mean “again 2” or “points 2”" in str(marks(f"{head}Poker: OUTSIDE outside 2"))


def test_the_sheet_need_not_be_named_if_it_is_clear():
    same(
        "game: From the Ground Up\n",
        [("players: [{name: Ann, games: 9 -3}]", "sheet: tally\nplayers: [{name: Ann, games: 9 -3}]")],
    )
    same(
        "game: Rolling Cubes\nplayers: Ann\n",
        [
            ("Trio: {tiles: BIRD}", "sheet: five throws\nTrio: {tiles: BIRD}"),
        ],
    )


def test_grids_may_be_typed_in_columns_and_short_rows():
    head = "game: Upwards!\nplayer: Ann\n"
    spelled = "option: rows\ngrid: [3 . . ., 2 . . 6, 1 o . 5, 6 2 . 4]"
    same(
        head,
        [
            ("We score: 1\n4: 3\n3: 2 . . 6\n2: 1 o . 5\n1: 6 2 . 4", spelled),
            ("option: rows\ngrid: {a: 6 1 2 3, b: 2 o, d: 4 5 6}", spelled),
            ("option: rows\ngrid: {a: [6, 1, 2, 3], b: 2o, c: , d: 456}", spelled),
            ("scoring: rows\ngrid: {a: . . . . 3 2 1 6, b: 2 o, d: 4 5 6}", spelled),
            ("option: snake\ngrid: [12, 5]", "option: snake\ngrid: [1 2 . ., 5 . . .]"),
            ("A: 4 0 0 2\nB: 10", "claimed: {columns: [4, 0, 0, 2], option: 10}"),
            ("a1: 6\nd1: 4", "grid: {a1: 6, d1: 4}"),
        ],
    )
    assert "column a of grid has 9 marks, but 8 boxes" in str(marks(f"{head}grid: {{a: 1 2 3 4 5 6 1 2 3, d: 1}}"))
    assert "row 1 has 3 marks, but 4 boxes" in str(marks(f"{head}1: 1 . 3"))
    assert "“a” can mean column a of the grid or “Column”" in str(marks(f"{head}a: 6 1 2 3"))


def test_blanks_in_a_row_are_never_guessed():
    head = "game: Upwards!\nplayer: Ann\n"
    for row in ("2   4 2", "2\t4 2"):
        assert "may leave out a blank" in str(marks(f'{head}grid: ["{row}"]')), row
    same(head, [("grid: ['2,,4,2']", "grid: [2 . 4 2]"), ("grid: ['1  2  3  4']", "grid: [1 2 3 4]")])
    same(
        "game: From the Ground Up\n",
        [("shared: [{card: 3, crates: '3,,2'}]", "shared: [{card: 3, crates: [3, ., 2]}]")],
    )
    assert "can begin at the top or at the bottom" in str(marks(f"{head}bonus_rows: . . . . . . . x"))
    tally = "game: From the Ground Up\nsheet: tally\nplayers: [{name: Ann, games: 9 - 3 12}]"
    assert "“9 - 3 12” can mean “9 . 3 12” or “9 -3 12”" in str(marks(tally))
    assert "put commas between names" in str(marks("game: elevator_up\nplayers: Ann; Ben; Cat"))


def test_blocks_and_crossed_out_numbers_may_be_typed_on_a_line():
    head = "game: Upwards!\noption: blocks\ngrid: [1 1 1 1, 1 1 1 1]\n"
    filled = "blocks: [{shape: square, cells: [a1, a2, b1, b2]}, {shape: corner-3, cells: [c1, d1, c2]}]"
    assert shapes_of(f"{head}blocks: [square a1 a2 b1 b2, corner-3 c1 d1 c2]") == shapes_of(head + filled)
    same("game: Upwards!\noption: snake\n", [("reserve: (4) 5 3x", "reserve: [4x, 5, 3x]")])
    assert plain(shape("upwards", "option"), "3 blocks") == "3 blocks"


def shapes_of(text):
    """The outlined blocks of a sheet of Upwards!, with their boxes."""
    (document,) = documents(BytesIO(text.encode()), "sheet.yaml")
    return [
        (block.shape, block.boxes, block.formed) for block in Judge().read(document, "sheet.yaml").view.drawn_blocks
    ]


def test_tallies_may_be_typed_game_by_game():
    head = "game: Elevator Up\nsheet: tally\n"
    spelled = "players: [{name: Ann, wins: [1, 3]}, {name: Ben, wins: [2]}]"
    same(
        head,
        [
            ("players: Ann, Ben\n1: Ann\n2: Ben\n3: Ann\n4: none", spelled),
            ("1: Ann\n2: Ben\n3: Ann", spelled),
            ("players: [Ann, Ben]\nGame 1: Ann\nGame 2: B\ngame 3: ann", spelled),
            ("1: Ann\n2: Ben", "players: [{name: Ann}, {name: Ben}]"),
        ],
    )
    head = "game: From the Ground Up\nsheet: tally\n"
    spelled = "players: [{name: Ann, games: [5, 9]}, {name: Ben, games: [-3, 4]}]"
    same(
        head,
        [
            ("players: Ann, Ben\n1: Ann 5, Ben -3\n2: 9 4", spelled),
            ("players: [Ann, Ben]\nGame 1: {Ann: 5, Ben: -3}\nGame 2: [9, 4]", spelled),
        ],
    )
    assert isinstance(marks(f"{head}players: [Ann, Ben]\n1: Cat 5, Ben 4"), list)


def test_players_and_lines_may_be_typed_where_families_put_them():
    tally = "game: From the Ground Up\nsheet: tally\nplayers: [Ann, Ben]\n1: Ann 3, Ben 4\n"
    total = "players.1.claimed.total: 1\nplayers.2.claimed.total: 0"
    same(tally, [(typed, total) for typed in ("Total: 1 0", "Total: 1 / 0", "Total: {Ann: 1, Ben: 0}")])
    table = "game: From the Ground Up\nplayers: [Ann, Ben]\n"
    cards = "players.1.cards: [{card: 4, star: 4, crates: 6 5 4 2}]"
    same(
        table,
        [
            ("Ann: [{card: 4, star: 4, crates: 6542, flipped: '-'}]", cards),
            ("Ann: {cards: [{card: 4, star: 4, crates: 6 5 4 2}], given up: none}\nset code: none", cards),
        ],
    )
    same(
        "game: From the Ground Up\n",
        [
            (
                "sheet: tally\nAnn: 9 -3\nBen: 4",
                "sheet: tally\nplayers: [{name: Ann, games: [9, -3]}, {name: Ben, games: 4}]",
            ),
        ],
    )
    grid = "game: Upwards!\nname: Nele\nwith event die: no\n"
    same(grid, [("reserve: 3, -, none", "reserve: [3]")])


def test_numbers_on_a_card_are_read_in_the_order_of_the_paper_if_the_rules_allow_no_other():
    head = "game: From the Ground Up\nplayers:\n- name: Mum\n  cards: ['%s']\n- name: Leo"
    whole = "{card: %s, star: %s, crates: [%s]%s}"
    for line, (card, star, crates, flipped) in {
        "4 4 6 5 3 1": (4, 4, "6, 5, 3, 1", ""),
        "7 5 3 2 . . . x": (7, 5, "3, 2", ", flipped: x"),
        "1 . . 5 . . . . x": (1, ".", "., 5", ", flipped: x"),
        "4 6 5 4 2 star 4": (4, 4, "6, 5, 4, 2", ""),
        "1 x": (1, ".", "", ", flipped: x"),
    }.items():
        spelled = (head % "").replace("''", whole % (card, star, crates, flipped))
        assert marks(head % line) == marks(spelled), line
    for line, message in {
        "12 2 1 2": "“12 2 1 2” can mean “star 2, crates 1 2” or “star 2, crates 2 1”",
        "10 3": "“10 3” can mean “star 3” or “crates 3”; name the parts: “10, star 3”",
        "4 6 5 4 2 4": "“4 6 5 4 2 4” can only mean “star 4, crates 6 5 4 2”",
        "4 6 6 5 3 1": "“4 6 6 5 3 1” breaks a rule, whether it means “star 6, crates 6 5 3 1”",
        "13 2 2 2": "card must be a card in the game, not “13”",
    }.items():
        assert message in str(marks(head % line)), line
    by_number = "game: From the Ground Up\nplayers: {Mum: {cards: %s}, Leo: }"
    listed = marks(by_number % "[{card: 4, star: 4}, {card: 7, crates: [3]}]")
    assert marks(by_number % "{4: {star: 4}, 7: {crates: [3]}}") == listed
    assert marks(by_number % "{1: {card: 4, star: 4}, 2: {card: 7, crates: [3]}}") == listed


def test_numbers_on_a_card_of_a_random_set_are_compared_with_that_card():
    set_code = "GU-1C01-9CZA0-315RK-CS"  # card 10: 1-3, three crates, each lower than the one before
    line = "10 3 5 4 2"
    head = "game: From the Ground Up\n%splayers: {Mum: {cards: ['%s']}, Leo: }"
    assert "breaks a rule" in str(marks(head % ("", line)))
    read = marks(head % (f"set: {set_code}\n", line))
    assert isinstance(read, dict) and read["players.1.cards.1.star"] == 3
    filler = sheet_filler(game_of("from_the_ground_up"), None, "sheet.yaml")
    transcript = Transcript(filler.form)
    for answer in (set_code, "no", "Mum", line):
        transcript = transcript.answered(answer)
    assert transcript.progress().document["players"][0]["cards"][0]["star"] == "3"


def test_tallies_may_be_typed_by_player():
    head = "game: Elevator Up\nsheet: tally\n"
    spelled = "players: [{name: Ann, wins: [1, 4]}, {name: Ben, wins: [2]}]"
    claimed = "players: [{name: Ann, wins: [1, 4], claimed: {total: 2}}, {name: Ben, wins: [2], claimed: {total: 1}}]"
    same(
        head,
        [
            ("players: {Ann: 1 4, Ben: 2}", spelled),
            ("players: {Ann: x . . x, Ben: . x}", spelled),
            ("players: [{name: Ann, wins: [1, 4], total: 2}, {name: Ben, wins: [2], Wins total: 1}]", claimed),
        ],
    )
    assert isinstance(marks(f"{head}players: {{Ann: 2, Ben: 1}}"), list)  # wins, or numbers of games
    for game in ("From the ground up tally", "from the ground up, tally sheet"):
        same("", [(f"game: {game}\nplayers: {{Ann: 9}}", "game: From the Ground Up\nsheet: tally\nplayers: {Ann: 9}")])


def test_the_players_of_rolling_cubes_may_be_typed_as_columns():
    head = "game: Rolling Cubes one by one\nplayers: [Ann, Ben]\n"
    spelled = "rounds: [{words: {Ann: {tiles: TRAIN}, Ben: {tiles: SLEEP}}}]"
    same(
        head,
        [
            ("rounds: [{words: 'TRAIN, SLEEP'}]", spelled),
            ("rounds: [{1: TRAIN, 2: SLEEP}]", spelled),
            ("players: Ann Ben\n".replace("players: Ann Ben\n", "") + "Round 1: {Ann: TRAIN, Ben: SLEEP}", spelled),
        ],
    )
    assert "can be one player or several" in str(marks("game: Rolling Cubes\nplayers: Ann Ben\n"))


def test_lines_and_colours_of_rolling_cubes_may_be_typed_as_printed():
    head = "game: Rolling Cubes\nsheet: five throws\nplayers: [Ann, Ben]\n"
    spelled = "lines: {%s: {trio: {throw: {red: AEIO, purple: X}, tiles: TRAIN}}}"
    line = "{throw: {red: AEIO, purple: X}, tiles: TRAIN}"
    same(head, [(f"Lines: {{Trio: {{Ben: {line}}}}}", spelled % "Ben"), (f"Trio: {{Ben: {line}}}", spelled % "Ben")])
    same(
        head, [("lines: {Ann: {trio: {red: AEIO, tiles: A}}}", "lines: {Ann: {trio: {throw: {red: AEIO}, tiles: A}}}")]
    )
    both = marks(f"{head}lines: {{Ann: {{trio: {{red: AEIO, purple: X, tiles: TRAIN}}}}}}")
    assert "“purple: X” can mean two things beside “throw”" in str(both)


def test_rows_of_upwards_may_be_typed_by_their_numbers():
    same(
        "game: Upwards!\noption: rows\n", [("bonus rows: 2 4", "bonus_rows: [2, 4]"), ("Arrow 2: x", "bonus_rows: [2]")]
    )
    assert "type a dot for an empty box: . 6 . ." in str(marks("game: Upwards!\ngrid: ['. 6']"))


def test_dashes_need_no_quotation_marks():
    head = (
        "game: From the Ground Up\nplayers:\n- name: Ann\n  given up: -\n  cards: [{card: 1, crates: - 5 - -, star: -}]"
    )
    assert marks(head) == marks(head.replace("- 5 - -, star: -", "[., 5]").replace("up: -", "up:"))


def test_wins_are_the_number_or_the_games_if_that_is_clear():
    head = "game: Elevator Up\nsheet: tally\n"
    spelled = "players: [{name: Ann, wins: [1, 3], claimed: {total: 2}}]"
    same(
        head,
        [
            ("Player 1: {name: Ann, Games: [1, 3], Wins: 2}", spelled),
            ("Player 1: {Name: Ann, 1: x, 3: x, Wins: 2}", spelled),
            ("players: [{name: Ann, wins: 1 3, total: 2}]", spelled),
            ("players: [{name: Ann, wins: 3, total: 1}]", "players: [{name: Ann, wins: [3], claimed: {total: 1}}]"),
        ],
    )
    message = "“wins: 2” can mean 2 in all or game 2; type “Total: 2” or “Game: [2]”"
    assert message in str(marks(f"{head}players: [{{name: Ann, wins: 2}}]"))
    same(
        "game: From the Ground Up tally\n",
        [("Player 1: {name: Ann, 1: 6, 2: -3}", "players: [{name: Ann, games: [6, -3]}]")],
    )


def test_rounds_of_rolling_cubes_may_be_typed_by_column_and_by_sign():
    head = "game: Rolling Cubes\n"
    spelled = "players: [Ann, Ben]\nrounds: {2: {words: {Ann: {tiles: TRAIN, purple: x}, Ben: {tiles: SLEEP}}}}"
    same(
        head,
        [
            ("Player 1: {Name: Ann, 2: {Tiles: TRAIN, ★: x}}\nPlayer 2: {Name: Ben, 2: {Tiles: SLEEP}}", spelled),
            ("players: [Ann, Ben]\nAnn: {2: {tiles: TRAIN, ★: x}}\nBen: {Round 2: {tiles: SLEEP}}", spelled),
        ],
    )
    head = "game: Rolling Cubes\nsheet: all together\nplayers: [Ann, Ben]\n"
    throw = "rounds: [{throw: {red: AEIO, light-blue: T, purple: K}}]"
    same(
        head,
        [
            (f"rounds: [{{throw: {{{signs}}}}}]", throw)
            for signs in ("♥: AEIO, 💧: T, ★: K", "heart: AEIO, drop: T, star: K")
        ],
    )
    assert isinstance(marks(f"{head}rounds: [{{♣: A}}]"), list)


def test_players_may_be_named_by_their_number_on_paper():
    head = "game: Elevator Up\nplayers: [Ann, Ben]\n"
    named = answer(f"{head}turns: [{{player: Ann, play: 4}}, {{player: Ben, play: 7}}]\nout: Ben")
    numbered = answer(f"{head}turns: [{{player: 1, play: 4}}, {{player: 2, play: 7}}]\nout: 2")
    assert isinstance(named, Judged) and named.verdict.findings == numbered.verdict.findings
    head = "game: Rolling Cubes\nsheet: the last die\nplayers: [Ann, Ben]\n"
    same(head, [("1: {who: 1 2, letters: T O, stuck: 2}", "1: {who: Ann Ben, letters: T O, stuck: Ben}")])


def test_lines_below_a_key_stay_lines():
    head = "game: From the Ground Up\nplayers:\n"
    typed = "- Mum\n    4 4 6531\n    11 2 524\n- Leo\n    10 3 3311\n"
    spelled = "- name: Mum\n  cards: [4 4 6531, 11 2 524]\n- name: Leo\n  cards: [10 3 3311]\n"
    same(head, [(typed, spelled)])
    assert "sheet.yaml:7: “10 3” can mean" in str(marks(head + typed.replace("10 3 3311", "10 3")))
    same(
        "game: Elevator Up\n",
        [("players: Ann\n  Ben\nturns:\n  Ann 4\n  Ben 77", "players: [Ann, Ben]\nturns: [Ann 4, Ben 77]")],
    )
    same("game: Upwards!\nplayer: Ann\n  Lee\n", [("grid:\n  1 . 2 .\n  2 2 2 2", "grid: [1 . 2 ., 2 2 2 2]")])


def test_the_sum_of_the_columns_is_not_the_circle_of_the_first():
    grid = "game: Upwards!\noption: rows\ngrid: [. 2 . ., 2 1 . ., 1 1 1 1]\nA: %s"
    assert not answer(grid % "1 1 0 0").verdict.findings
    (finding,) = answer(grid % 2).verdict.findings
    assert finding.message == "2 is the sum of the columns; write the steps of each: 1 1 0 0"


@pytest.mark.parametrize("sign", ["/", "≠", "="])
def test_a_wildcard_before_a_key_is_a_mark(sign: str) -> None:
    letters = shape("rolling_cubes", "rounds.letters", "last-die")
    line = plain(letters, f"Ben {sign} as R", ("Ann", "Ben"))
    assert line == {"player": "Ben", "letter": sign, "as": "R"}


def test_a_number_beside_the_field_of_the_same_name_leaves_that_field_alone():
    same(
        "game: Cosmic Consequences\nWith or without cards: with\nplayers: [Ann, Ben]\n",
        [
            (
                "hands: {Ann: {CC side up: +9, Zero stacks: [+7 -7, 0], Locked stacks: 2}}",
                "hands: {Ann: {cc_up: +9, stacks: [+7 -7, 0], claimed: {stacks: 2}}}",
            ),
        ],
    )


def test_a_sum_may_be_named_as_on_the_paper() -> None:
    line = plain(shape("cosmic_consequences", "hands"), "cc side up +9, locked stacks 1", ("Ann", "Ben"))
    assert line == {"cc_up": "+9", "claimed": {"stacks": "1"}}
