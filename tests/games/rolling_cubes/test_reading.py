"""What a sheet may contain, in which spellings, and the messages about everything else."""

import json

import pytest
from click.testing import CliRunner

from generator.cli import pencilbox
from generator.judging.judge import Judge
from generator.reading.load import load
from tests.games.from_the_ground_up.judging import answer, broken, judged

HEAD = "game: rolling_cubes\n"
GOOD = (
    HEAD
    + """players: [Ann, Ben]
rounds:
  - words: {Ann: {tiles: CO=KING, word: cooking, purple: true}, Ben: {tiles: FUN=Y, word: funny}}
claimed: {Ann: 9, Ben: 4}
"""
)


def problems(text):
    return [(problem["line"], problem["message"], problem["hint"]) for problem in judged(text)["error"]]


def messages(text):
    return [f"{line}: {message}" for line, message, _ in problems(text)]


def test_the_words_of_a_round_can_be_typed_under_the_names_alone():
    listed = GOOD.replace("words: {Ann:", "Ann:").replace("true}, Ben:", "true}\n    Ben:").replace("funny}}", "funny}")
    assert "words" not in listed and judged(listed) == judged(GOOD)
    assert messages(listed.replace("  - Ann:", "  - Dan:")) == ["4: round 1: unknown key “Dan”"]


def test_what_belongs_to_a_player_can_be_typed_inside_the_players_entry():
    points = GOOD.replace("purple: true}", "purple: true, points: 11}").replace("funny}", "funny, point: 3}")
    row = judged(GOOD.replace("claimed:", "rounds.1.claimed: {Ann: 11, Ben: 3}\nclaimed:"))
    assert [finding["message"] for finding in judged(points)["findings"]] == [f["message"] for f in row["findings"]]
    assert {finding["player"] for finding in row["findings"]} == {"Ann", "Ben"}
    assert judged(points.replace("claimed: {Ann: 9, Ben: 4}", "Ann: {total: 9}\nBen.total: 4")) == judged(points)
    assert messages(points.replace("point: 3", "pts: 4")) == ["4: Ben, round 1, words: unknown key “pts”"]
    nested = points.replace("{tiles: FUN=Y", "{player: Ben, tiles: FUN=Y")
    assert messages(nested) == ["4: Ben, round 1, words: unknown key “player”"]
    twice = points.replace("claimed:", "rounds.1.claimed: {Ann: 9}\nclaimed:")
    assert messages(twice) == ["5: Ann, round 1: points is given twice"]


def test_a_player_with_points_alone_has_no_word_yet():
    points = GOOD.replace("{tiles: FUN=Y, word: funny}", "{points: 4}")
    beside = GOOD.replace(", Ben: {tiles: FUN=Y, word: funny}}", "}, rounds.1.claimed: {Ben: 4}")
    beside = beside.replace("  - words", "  - {words").replace("rounds.1.", "").replace("4}\nclaimed", "4}}\nclaimed")
    assert judged(points)["findings"] == judged(beside)["findings"] != []


def test_the_marks_of_a_player_can_be_typed_under_the_name_in_a_group_of_rows():
    sheet = HEAD + "mode: tournament\nplayers: [Ann, Ben]\n"
    games = "games:\n  one-by-one: {Ann: 22, Ben: 9}\n  last-die: {Ann: 1, Ben: 2}\n"
    by_name = "games:\n  Ann: {one by one: 22, the last die: 1}\n  Ben: {one-by-one: 9, last-die: 2}\n"
    assert judged(sheet + by_name) == judged(sheet + games) and "error" not in judged(sheet + games)
    assert messages(sheet + by_name.replace("the last die", "dice")) == ["5: Ann: unknown key “dice”"]
    assert messages(sheet + "games: {Ann: 22}") == ["4: games: unknown key “Ann”"]


def test_the_star_printed_above_the_purple_boxes_is_a_key():
    assert "purple: true" in GOOD and judged(GOOD.replace("purple: true", "★: true")) == judged(GOOD)


def test_names_numbers_and_dotted_keys_give_the_same_answer():
    by_number = GOOD.replace("Ann: {", "1: {").replace("Ben: {", "2: {").replace("{Ann: 9, Ben: 4}", "[9, 4]")
    flat = (
        HEAD
        + """sheet: one-by-one
players.1: Ann
players.2: Ben
rounds.1.words.1.tiles: CO=KING
rounds.1.words.1.word: cooking
rounds.1.words.1.purple: x
rounds.1.words.ben.tiles: FUN=Y
rounds.1.words.2.word: funny
claimed.1: 9
claimed.Ben: 4
"""
    )
    first = judged(GOOD)
    assert first["findings"] == [] and [player["total"] for player in first["players"]] == [9, 4]
    assert judged(by_number) == first
    assert judged(flat) == first


@pytest.mark.parametrize("tiles", ["co=king", "C O = K I N G", " CO=KING ", "Co=King"])
def test_tiles_may_be_typed_in_many_ways(tiles):
    assert judged(GOOD.replace("CO=KING", f'"{tiles}"'))["findings"] == []


@pytest.mark.parametrize("tiles", ["LOVEL≠", "LOVEL/", "lovel/", "LOVEL=\u0338"])
def test_unequal_may_be_typed_in_many_ways(tiles):
    sheet = GOOD.replace("FUN=Y", tiles).replace("funny", "Lovely")
    assert judged(sheet)["players"][1]["total"] == 6


def test_mode_selects_the_sheet():
    for mode in ("all-together", "All_Together"):
        assert judged(GOOD.replace(HEAD, f"{HEAD}mode: {mode}\n"))["findings"] == []
    assert judged(GOOD.replace(HEAD, f"{HEAD}mode: five-trows\n"))["error"][0] == {
        "file": "sheet.yaml",
        "line": 2,
        "message": "rolling_cubes has no score sheet “five-trows”",
        "hint": "did you mean five-throws?",
    }
    assert messages(GOOD.replace(HEAD, f"{HEAD}mode: [five-throws]\n")) == [
        "2: “mode” names the sheet and takes nothing else"
    ]


def test_an_initial_stands_for_a_name():
    sheet = (
        HEAD
        + """mode: last-die
players: [Ann, Ben, Cat]
rounds:
  - letters: [{player: a, letter: S}, {player: B, letter: P}, {player: Cat, letter: R}]
    stuck: A
"""
    )
    result = judged(sheet)
    assert result["findings"] == [] and result["players"][2]["total"] == 1
    assert messages(sheet.replace("Ben", "Anton")) == [
        "5: round 1, letter 1, player: “a” could be Ann or Anton",
        "5: round 1, letter 2, player: “B” is not one of the players",
        "6: round 1, stuck: “A” could be Ann or Anton",
    ]


def test_an_unknown_name():
    assert problems(GOOD.replace("Ben: 4", "Bne: 4")) == [
        (5, "claimed: “Bne” is not one of the players", "did you mean Ben?")
    ]
    assert problems("\n".join(line for line in GOOD.splitlines() if "players" not in line))[0] == (
        3,
        "round 1, words: “Ann” is not one of the players",
        "list them under players: [...]",
    )


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("CO=KING", "CO=K1NG", "4: Ann, round 1: tiles must be the letters A to Z and wildcards, not “CO=K1NG”"),
        ("CO=KING", "CO#KING", "4: Ann, round 1: tiles must be the letters A to Z and wildcards, not “CO#KING”"),
        ("cooking", "c0oking", "4: Ann, round 1: word must be a word in the letters A to Z, not “c0oking”"),
        ("purple: true", "purple: 3", "4: Ann, round 1: purple must be x (ticked) or blank"),
        ("purple: true", "colours: [rot]", "4: Ann, round 1: colour 1 must be red, orange, green"),
        (
            "purple: true",
            "throw: {red: AE9O}",
            "4: Ann, round 1, throw: red must be the letters A to Z and wildcards",
        ),
        ("purple: true", "throw: {rad: AEIO}", "4: Ann, round 1, throw: unknown key “rad”"),
        ("purple: true", "purpel: true", "4: Ann, round 1, words: unknown key “purpel”"),
        ("Ben: 4", "Ben: four", "5: Ben: total must be a whole number, not “four”"),
        ("Ben: {tiles: FUN=Y, word: funny}", "Ben: 1", "4: Ben, round 1: tiles must be the letters A to Z"),
    ],
)
def test_input_that_cannot_be_read(old, new, expected):
    assert old in GOOD
    (message,) = messages(GOOD.replace(old, new))
    assert message.startswith(expected)


@pytest.mark.parametrize(
    ("letter", "expected"),
    [
        ("{letter: ST}", "letter must be one letter A to Z or a wildcard, not “ST”"),
        ("{letter: 3}", "letter must be one letter A to Z or a wildcard, not “3”"),
        ("{letter: =, as: ST}", "as must be one letter A to Z, not “ST”"),
        ("{letter: =, as: /}", "as must be one letter A to Z, not “/”"),
    ],
)
def test_single_letters(letter, expected):
    (message,) = messages(f"{HEAD}mode: last-die\nplayers: [Ann]\nrounds: [{{letters: [{letter}]}}]\n")
    assert message == f"4: round 1, letter 1: {expected}"


@pytest.mark.parametrize("nothing", ["0", "-", "—", "–", "no word"])
def test_no_word_may_be_written_in_many_ways(nothing):
    without = judged(GOOD.replace("{tiles: FUN=Y, word: funny}", "0").replace("Ben: 4", "Ben: 0"))
    assert without["findings"] == [] and without["players"][1]["total"] == 0
    for entry in (f'"{nothing}"', f'{{word: "{nothing}"}}', f'{{tiles: ".", word: "{nothing}"}}'):
        text = GOOD.replace("{tiles: FUN=Y, word: funny}", entry).replace("Ben: 4", "Ben: 0")
        assert judged(text)["players"] == without["players"], entry
        assert judged(text)["findings"] == [], entry


@pytest.mark.parametrize("nothing", ["-", "—", "no word", "0"])
def test_a_dash_in_place_of_the_tiles_is_no_word(nothing):
    text = GOOD.replace("{tiles: FUN=Y, word: funny}", f'{{tiles: "{nothing}"}}').replace("Ben: 4", "Ben: 0")
    assert judged(text)["findings"] == []
    lines = f'{{trio: "{nothing}", poker: {{tiles: "{nothing}"}}}}'
    assert judged(f"{HEAD}mode: five-throws\nplayers: [Ann]\nlines: {{Ann: {lines}}}\n")["findings"] == []


def test_none_and_nothing_are_words_too():
    text = GOOD.replace("{tiles: FUN=Y, word: funny}", "{tiles: NONE}")
    assert judged(text)["players"][1]["total"] == 5
    text = f"{HEAD}mode: last-die\nplayers: [Ann, Ben]\nrounds: [{{letters: NO, doubt: {{by: Ann, answer: ANSWER}}}}]\n"
    assert [judged(text.replace("ANSWER", answer))["players"][1]["total"] for answer in ("none", "-", "no word")] == [
        1,
        0,
        0,
    ]


@pytest.mark.parametrize("word", ["FUN=Y funny", "{tiles: FUN=Y, word: funny}", "fun=y funny"])
def test_a_word_may_be_written_without_keys(word):
    text = GOOD.replace("{tiles: FUN=Y, word: funny}", word)
    assert judged(text) == judged(GOOD)


@pytest.mark.parametrize("word", ["T A R tar", "K I T C H E N"])
def test_letters_with_spaces_between_them_are_refused(word):
    assert "is one part too many" in messages(GOOD.replace("{tiles: FUN=Y, word: funny}", word))[0]


def test_none_is_a_word_wherever_a_word_is_expected():
    text = GOOD.replace("{tiles: FUN=Y, word: funny}", "NONE").replace("Ben: 4", "Ben: 5")
    assert judged(text)["players"][1]["total"] == 5


def test_messages_say_whose_word_it_is():
    text = GOOD.replace("claimed", "  - words: {Ann: 0, Ben: {tiles: K1T, word: kit}}\nclaimed")
    assert messages(text) == ["5: Ben, round 2: tiles must be the letters A to Z and wildcards, not “K1T”"]
    five = f"{HEAD}mode: five-throws\nplayers: [Ann]\nlines: {{Ann: {{full-house: {{tiles: KIT, word: k1t}}}}}}\n"
    assert messages(five) == ["4: Ann, full house: word must be a word in the letters A to Z, not “k1t”"]


LAST_DIE = f"{HEAD}mode: last-die\nplayers: [Ann, Ben, Cat]\nrounds:\n  - stuck: Ann\n"
LETTERS = "[{player: Ann, letter: S}, {player: Ben, letter: P}, {player: Cat, letter: =, as: S}]"


@pytest.mark.parametrize(
    "rows",
    [
        "who: [Ann, Ben, Cat]; letters: [S, P, =]; as: [., ., S]",
        "who: [A, B, C]; letter: [S, P, =]; as: S",
        "WHO: A B C; Letter: S P =; As: . . S",
        "who: Ann, Ben, Cat; letters: S, P, =; as: ., ., S",
        "letters: SP=; as: S",
    ],
)
def test_the_last_die_by_rows_as_on_paper(rows):
    expected = judged(LAST_DIE + f"    letters: {LETTERS}\n")
    assert [finding["rule"] for finding in expected["findings"]] == [] and expected["players"][2]["total"] == 1
    result = judged(LAST_DIE + "".join(f"    {row}\n" for row in rows.split("; ")))
    assert result == expected


def test_the_last_die_by_rows_in_json_and_by_number():
    text = json.dumps(
        {
            "game": "rolling_cubes",
            "mode": "last-die",
            "players": ["Ann", "Ben", "Cat"],
            "rounds": [{"stuck": "Ann", "who": ["A", "B", "C"], "letters": ["S", "P", "="], "as": [None, None, "S"]}],
        }
    )
    assert judged(text)["players"][2]["total"] == 1
    text = f"{HEAD}mode: last-die\nplayers: [Ann, Ben]\nRound 1: {{who: A B, letters: S P, stuck: Ann}}\n"
    assert judged(text)["players"][1]["total"] == 1


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        (
            "who: [A, B, C, A]; letters: [S, P, R]",
            ["6: this round has 3 letters, but “who” has 4 entries"],
        ),
        (
            "who: [A, X, C]; letters: [S, PT, R]",
            [
                "6: round 1, letter 2, player: “X” is not one of the players",
                "7: round 1, letter 2: letter must be one letter A to Z or a wildcard, not “PT”",
            ],
        ),
        ("who: [A, B]", ["6: round 1: unknown key “who”"]),
    ],
)
def test_rows_of_the_last_die_that_cannot_be_read(rows, expected):
    found = messages(LAST_DIE + "".join(f"    {row}\n" for row in rows.split("; ")))
    assert [message[: len(start)] for message, start in zip(found, expected, strict=True)] == expected


def test_all_problems_are_reported_at_once():
    assert len(problems(GOOD.replace("CO=KING", "C0").replace("funny", "f-y").replace("Ben: 4", "Eve: 4"))) == 3


class TestWordsFrom:
    @pytest.fixture
    def sheet(self, tmp_path):
        (tmp_path / "own.txt").write_text("Gnorf\n  RIAN \n\nit's\nMarc\n\u00e9t\u00e9\n", "utf-8")
        (tmp_path / "inner").mkdir()
        (tmp_path / "inner" / "own.txt").write_text("gnorf\n")
        return tmp_path / "sheet.yaml"

    def test_a_file_beside_the_sheet(self, sheet):
        for where in ("own.txt", "inner/own.txt"):
            sheet.write_text(
                HEAD
                + f"""players: [Ann]
words_from: {where}
rounds:
  - words: {{Ann: {{tiles: GNORF, word: gnorf}}}}
"""
            )
            assert not next(iter(Judge().answers([str(sheet)]))).verdict.findings
        assert broken(HEAD + "players: [Ann]\nrounds: [{words: {Ann: {tiles: GNORF}}}]\n") == {"word-list"}

    def test_the_option_overrides_the_sheet(self, sheet):
        own = str(sheet.with_name("own.txt"))
        text = HEAD + "players: [Ann]\nwords_from: any\nrounds: [{words: {Ann: {tiles: BALL}}}]\n"
        sheet.write_text(text)
        assert not next(iter(Judge().answers([str(sheet)]))).verdict.findings
        (found,) = next(iter(Judge(options={"words": own}).answers([str(sheet)]))).verdict.findings
        assert found.rule == "word-list"

    @pytest.mark.parametrize("command", ["score", "check"])
    def test_on_the_command_line(self, sheet, command):
        sheet.write_text(HEAD + "players: [Ann]\nrounds: [{words: {Ann: {tiles: RIAN}}}]\n")
        assert CliRunner().invoke(pencilbox, [command, str(sheet)]).exit_code == 1
        own = str(sheet.with_name("own.txt"))
        assert CliRunner().invoke(pencilbox, [command, str(sheet), "--words", own]).exit_code == 0
        assert CliRunner().invoke(pencilbox, [command, str(sheet), "--words", "none.txt"]).exit_code == 2

    @pytest.mark.parametrize(
        ("name", "expected"),
        [
            ("../own.txt", "is outside the folder of the sheet"),
            ("/etc/passwd", "is outside the folder of the sheet"),
            ("none.txt", "there is no word list “none.txt” beside the sheet"),
            ("inner", "there is no word list “inner” beside the sheet"),
            ('"a\\0b"', "is outside the folder of the sheet"),
            ("x" * 400, "is not a valid file name"),
            ("sheet.yaml", None),
            ("[a, b]", "must be text"),
        ],
    )
    def test_files_that_cannot_be_used(self, sheet, name, expected):
        sheet.write_text(f"{HEAD}players: [Ann]\nwords_from: {name}\nrounds: [{{words: {{Ann: {{tiles: BALL}}}}}}]\n")
        answered = next(iter(Judge().answers([str(sheet)])))
        if expected is None:  # no line of it is a word
            assert [problem.message for problem in answered.problems] == ["the word list has no words"]
        else:
            (problem,) = answered.problems
            assert expected in problem.message and problem.place.line == 3

    def test_a_list_that_cannot_be_read(self, sheet):
        sheet.write_text(GOOD)
        for path in (sheet.parent, sheet.with_name("none.txt"), "x" * 4000):
            (problem,) = next(iter(Judge(options={"words": str(path)}).answers([str(sheet)]))).problems
            assert problem.message.startswith("cannot be read: ")

    def test_the_bundled_lists_by_their_languages(self):
        """The standard dice are English; a list in another language is named, and the answer says so."""
        text = HEAD + "players: [Ann]\nwords_from: LANGUAGE\nrounds: [{words: {Ann: {tiles: GATTI}}}]\n"
        assert broken(text.replace("LANGUAGE", "English")) == {"word-list"}
        assert broken(text.replace("LANGUAGE", "Italian")) == {"list-language"}
        assert broken(text.replace("LANGUAGE", "german")) == {"word-list", "list-language"}

    @pytest.mark.parametrize(
        ("code", "language"), [("", "English"), ("set: RC-1R02-89KW1-44GAF-EB\n", "German")], ids=["standard", "German"]
    )
    def test_a_missing_word_names_the_list(self, code, language):
        result = judged(f"{HEAD}{code}players: [Ann]\nrounds: [{{words: {{Ann: {{tiles: NGRSO}}}}}}]\n")
        assert [finding["message"] for finding in result["findings"]] == [
            f"“ngrso” is not in the {language} word list, and the players did not vote for it"
        ]

    def test_umlauts_and_accents_in_your_own_list_are_spelled_out(self, sheet):
        (sheet.parent / "deutsch.txt").write_text("Bär\nKafé\n", "utf-8")
        for tiles in ("BAER", "CAFE"):
            sheet.write_text(
                f"{HEAD}players: [Ann]\nwords_from: deutsch.txt\nrounds: [{{words: {{Ann: {{tiles: {tiles}}}}}}}]\n"
            )
            found = next(iter(Judge().answers([str(sheet)]))).verdict.findings
            assert [finding.rule for finding in found] == ([] if tiles == "BAER" else ["word-list"])

    def test_german_nouns_of_your_own_list_are_words_in_the_last_die(self, sheet):
        """A capital letter marks a name in English, but any noun in German."""
        (sheet.parent / "deutsch.txt").write_text("Maus\nlos\n", "utf-8")
        text = f"{HEAD}mode: last-die\nwords_from: deutsch.txt\nplayers: [Ann, Ben]\n" + (
            "rounds: [{letters: [{letter: M}, {letter: A}, {letter: U}, {letter: S}]}]\n"
        )
        for code, rules in (("", []), ("set: RC-1R02-89KW1-44GAF-EB\n", ["complete"])):
            sheet.write_text(text.replace("mode:", f"{code}mode:"))
            assert [finding.rule for finding in next(iter(Judge().answers([str(sheet)]))).verdict.findings] == rules

    def test_proper_nouns_count_in_the_last_die_only_if_allowed(self, sheet):
        """MARC is in the list as a name. In games 1 and 2, all words in your list count; R23 excludes names."""
        text = (
            HEAD
            + """mode: last-die
words_from: own.txt
players: [Ann, Ben]
rounds: [{letters: [{letter: M}, {letter: A}, {letter: R}, {letter: C}], stuck: Ann}]
"""
        )
        sheet.write_text(text)
        assert not next(iter(Judge().answers([str(sheet)]))).verdict.findings
        for name, word in zip("MARC", "RIAN", strict=True):
            text = text.replace(f"letter: {name}", f"letter: {word.lower()}")
        sheet.write_text(text)
        (found,) = next(iter(Judge().answers([str(sheet)]))).verdict.findings
        assert found.rule == "complete"
        sheet.write_text(HEAD + "players: [Ann]\nwords_from: own.txt\nrounds: [{words: {Ann: {tiles: MARC}}}]\n")
        assert not next(iter(Judge().answers([str(sheet)]))).verdict.findings


def test_hostile_tiles_are_judged_quickly():
    """Hundreds of tiles and throws with hundreds of letters are reported without searching."""
    many = "A" * 190
    throw = "{red: %s, orange: %s, green: %s, light-blue: %s, blue: %s, purple: %s}" % (("ABCDEFGHIJKLM" * 14,) * 6)
    sheet = (
        HEAD
        + f"""mode: five-throws
players: [Ann, Ben]
lines:
  Ann: {{trio: {{tiles: {many}, word: {many}}}, poker: {{tiles: ABCDEFGHIJKLM, word: abc, throw: {throw}}}}}
  Ben:
    full-house: {{tiles: NSTLDCGHBFMPY, word: abc}}
    trio: {{tiles: {many}, word: a, throw: {throw}, rethrown: -3}}
"""
    )
    assert {"tiles-possible", "throw-possible", "rethrown", "tiles-fit"} <= broken(sheet)


def test_an_empty_sheet():
    for mode in ("one-by-one", "all-together", "last-die", "tournament", "five-throws"):
        answered = answer(f"{HEAD}mode: {mode}\n")
        assert not answered.verdict.findings and not answered.result.scores and not answered.result.winners
        assert "not over" in answered.result.remark


def test_fill_asks_for_a_word_list_only_with_random_dice():
    """The paper has no place for one, and the standard dice have theirs."""
    sheets = load("rolling_cubes").sheets
    assert {sheet.definition.questions.when["words_from"] for sheet in sheets.values()} == {("set", "")}


def test_a_word_without_its_player_is_refused_where_there_are_two():
    sheet = HEAD + "mode: all-together\nplayers: [Ann, Ben]\nrounds:\n- words: {tiles: RAIN, word: rain}\n"
    assert messages(sheet) == ["5: “tiles” is not typed for each player", "5: “word” is not typed for each player"]
