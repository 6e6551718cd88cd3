"""Sheets with the worked examples of the rulebook, and for our decisions where it leaves a choice."""

import json
from io import BytesIO
from types import MappingProxyType

import pytest
from msgspec import structs

from generator.judging.judge import Judge, game_judge
from generator.reading.load import load
from generator.rules.results import plain
from generator.sheets import documents
from tests.games.from_the_ground_up.judging import answer, broken, judged

THROW = {"red": "AEIO", "orange": "C=", "green": "NSR", "light-blue": "G", "blue": "≠T", "purple": "K"}
"""The throw of game 2 in the rulebook: = S G E A N R K I C ≠ T O."""

GERMAN, ITALIAN = "RC-1R02-89KW1-44GAF-EB", "RC-1R03-51HQY-YHB5W-B8"
"""Random dice for these languages; the purple die shows Z Q J X P Y and G V Q Z F B."""


def word(tiles, said=None, **more):
    return {"tiles": tiles, "word": said or tiles.lower(), **more}


def sheet(*rounds, mode="one-by-one", players=("Ann", "Ben", "Cat"), **more):
    """A sheet of game 1 or 2; each round is a list of words in the order of the players, 0 for none."""
    listed = [{"words": dict(zip(players, words, strict=False))} for words in rounds]
    return {"game": "rolling_cubes", "mode": mode, "players": list(players), "rounds": listed, **more}


def lines(result, name="Ann"):
    found = next(player for player in result["players"] if player["name"] == name)
    return {line["label"]: line["points"] for line in found["lines"]}


def points(*words, **more):
    """The points of the first player's word, on a sheet that breaks no rule."""
    result = judged(sheet([*words], players=["Ann"], **more))
    assert result["findings"] == [], result
    return lines(result)["round 1"]


class TestRulebook:
    """In the order of the rulebook. Some of its tiles were lost in print and are restored here."""

    @pytest.mark.parametrize(
        ("tiles", "spelling", "expected"),
        [
            ("ROL=ING", "rolling", 6),  # “any letter equal to any other letter of the word”
            ("CUB≠S", "cubes", 4),  # “any letter different from any other letter of the word”
            ("PLAY", "play", 4),  # “1 point for each die used”
            ("FUN=Y", "funny", 4),  # “0 points for the first wildcard, 1 point for the others”
            ("SEA=O≠", "season", 5),
            ("BALL", "ball", 5),  # “1 bonus point for using twice the same letter”
            ("≠UNNING", "running", 8),  # “2 bonus points for using three times the same letter”
            ("≠UNNING", "cunning", 8),
            ("REA≠ING", "reading", 6),  # game 2
            ("STREA≠ING", "streaming", 8),
            ("ESTRANG=≠", "estranged", 8),
            ("POL=UTION", "pollution", 9),  # the example A of the yahtzee sheet
            ("LOVEL≠", "lovely", 6),  # the example B
        ],
    )
    def test_words(self, tiles, spelling, expected):
        assert points(word(tiles, spelling)) == expected

    def test_one_additional_point_for_a_letter_on_the_purple_die(self):
        assert points(word("KETCHUP", purple=True)) == 8
        assert points(word("KETCHUP")) == 8

    def test_cooking_is_worth_7_because_k_is_purple(self):
        assert points(word("CO=KING", "cooking", throw=THROW)) == 7
        assert broken(sheet([word("COOKING", throw=THROW)])) == {"tiles-thrown"}

    def test_gunning_would_be_an_equal(self):
        """The first tile of ?UNNING was lost in print. With = it is GUNNING, with ≠ it cannot be."""
        assert points(word("=UNNING", "gunning")) == 8
        assert broken(sheet([word("≠UNNING", "gunning")])) == {"unequal-differs"}
        assert broken(sheet([word("=UNNING", "running")])) == {"equal-copies"}

    def test_all_together(self):
        """READING 6, STREAMING 8 and 1 bonus point, COOKING 7, ESTRANGED 8 and 1 bonus point."""
        data = sheet(
            [
                word("REA≠ING", "reading"),
                word("STREA≠ING", "streaming"),
                word("CO=KING", "cooking"),
                word("ESTRANG=≠", "estranged"),
            ],
            mode="all-together",
            players=["Ann", "Ben", "Cat", "Dan"],
        )
        data["rounds"][0]["throw"] = THROW
        result = judged(data)
        assert result["findings"] == []
        assert [lines(result, name) for name in ("Ann", "Ben", "Cat", "Dan")] == [
            {"round 1": 6},
            {"round 1": 8, "round 1 bonus": 1},
            {"round 1": 7},
            {"round 1": 8, "round 1 bonus": 1},
        ]

    def test_two_points_to_a_single_player_with_the_highest_score(self):
        result = judged(sheet([word("BALL"), word("PLAY"), word("FUN=Y", "funny")]))
        assert lines(result) == {"round 1": 5, "round 1 bonus": 2}
        assert lines(result, "Ben") == {"round 1": 4}

    def test_the_yahtzee_sheet(self):
        """Paul has 9 for POLLUTION in the line POKER, Simon 6 for LOVELY in the line DOUBLE."""
        result = judged(
            {
                "game": "rolling_cubes",
                "mode": "five-throws",
                "players": ["Paul", "Simon"],
                "lines": {
                    "Paul": {"poker": word("POL=UTION", "pollution")},
                    "Simon": {"double": word("LOVEL≠", "lovely")},
                },
            }
        )
        assert result["findings"] == []
        assert lines(result, "Paul")["poker"] == 9 and lines(result, "Simon")["double"] == 6

    def test_the_end_of_game_3(self):
        """“The winner is the first to score 3 points (5 points if there are only 2 players).”"""
        assert last_die(*[["S", "P"]] * 3)["winners"] == ["Ben"]
        assert last_die(*[["S", "P"]] * 4, players=["Ann", "Ben"])["winners"] == []
        assert last_die(*[["S", "P"]] * 5, players=["Ann", "Ben"])["winners"] == ["Ben"]


def last_die(*rounds, players=("Ann", "Ben", "Cat"), **ending):
    """Rounds of letters, each started by the first player. Unless `ending` says otherwise, the next player is stuck."""
    data = []
    for letters in rounds:
        typed = [
            {"player": players[n % len(players)], "letter": text[0], **({"as": text[1]} if len(text) > 1 else {})}
            for n, text in enumerate(letters)
        ]
        data.append({"letters": typed, **(ending or {"stuck": players[len(letters) % len(players)]})})
    return judged({"game": "rolling_cubes", "mode": "last-die", "players": list(players), "rounds": data})


def rules_of(result):
    return {finding["rule"] for finding in result["findings"]}


def with_rules(document, **changed):
    """The answer with changed numbers in the game's YAML; `a__b` is the key b in a."""
    game = load("rolling_cubes")
    rules = dict(game.rules)
    for name, value in changed.items():
        group, _, key = name.partition("__")
        rules[group] = MappingProxyType(dict(rules[group]) | {key: value}) if key else value
    judge = Judge()
    judge.games["rolling_cubes"] = structs.replace(
        game_judge(game), game=structs.replace(game, rules=MappingProxyType(rules))
    )
    (node,) = documents(BytesIO(json.dumps(document).encode()), "sheet.yaml")
    return plain(judge.answer(node, "sheet.yaml"))


class TestWords:
    def test_r1_every_letter_that_repeats_counts(self):
        assert points(word("COFFEE", voted=True)) == 8
        once = with_rules(sheet([word("COFFEE")], players=["Ann"]), scoring__repeats="per_word")
        assert lines(once)["round 1"] == 7

    def test_r1_tattoo(self):
        assert points(word("TATTOO")) == 9

    def test_r2_four_of_a_letter_count_as_three(self):
        assert points(word("SASSES")) == 6 + 2

    def test_r3_wildcards_are_not_repeats(self):
        assert points(word("BAL=", "ball")) == 3
        assert points(word("LE==", "leel", voted=True)) == 3

    def test_r4_all_wildcards_but_one_score(self):
        assert points(word("≠UN=Y", "sunny")) == 3 + 1
        assert points(word("BU≠≠LE", "bustle", voted=True)) == 4 + 1

    def test_r5_two_equals_may_stand_for_the_same_letter(self):
        assert broken(sheet([word("TAT==", "tattt", voted=True)], players=["Ann"])) == set()

    def test_r5_equal_does_not_copy_a_wildcard(self):
        assert broken(sheet([word("BA≠=", "ball")], players=["Ann"])) == {"equal-copies", "unequal-differs"}

    def test_r6_unequal_differs_from_other_wildcards(self):
        assert broken(sheet([word("BAL=≠", "balll", voted=True)], players=["Ann"])) == {"unequal-differs"}

    def test_r7_purple_without_a_throw(self):
        """R29: a letter that is on no other die must be on the purple one; with a tick it is not counted twice."""
        assert points(word("WATER")) == points(word("WATER", purple=True)) == 6
        assert points(word("LATER")) == 5
        claimed = judged({**sheet([word("WATER"), word("BIRD"), 0]), "claimed": {"Ann": 8, "Ben": 4, "Cat": 0}})
        assert claimed["findings"] == []
        assert points(word("WATER", colours=["purple", "red", "green", "red", "green"])) == 6

    def test_r29_purple_is_deduced_from_the_dice_in_play(self):
        """On the standard dice W is purple and P is not; on these German dice it is the other way round."""

        def total(tiles, **more):
            return lines(judged(sheet([word(tiles)], players=["Ann"], words_from="any", **more)))["round 1"]

        assert (total("PROST"), total("WARE")) == (5, 5)
        assert (total("PROST", set=GERMAN), total("WARE", set=GERMAN)) == (6, 4)

    def test_r29_purple_is_deduced_on_the_five_throw_sheet(self):
        result = five(no_wildcards=word("WATER"), trio=word("AUDIO"))
        assert result["findings"] == [] and lines(result)["no wildcards"] == 6 and lines(result)["trio"] == 5

    def test_r8_voted_in_or_any_word(self):
        assert broken(sheet([word("RIAN")], players=["Ann"])) == {"word-list"}
        assert broken(sheet([word("RIAN", voted=True)], players=["Ann"])) == set()
        assert broken(sheet([word("RIAN")], players=["Ann"], words_from="any")) == set()
        assert broken(sheet([word("A", voted=True)], players=["Ann"])) == {"shortest"}

    def test_r26_tiles_that_the_dice_cannot_show(self):
        assert broken(sheet([word("JINX", voted=True)], players=["Ann"])) == {"tiles-possible"}
        assert broken(sheet([word("AUDIO")], players=["Ann"])) == set()
        assert broken(sheet([word("OUTSIDER")], players=["Ann"])) == set()
        assert broken(sheet([word("SEQUOIA")], players=["Ann"])) == {"tiles-possible"}

    @pytest.mark.parametrize("tiles", ["AMICE", "CARIBE"])
    def test_the_die_that_scores_best_is_used(self, tiles):
        """A full house: the C of AMICE is the blue one, beside M; that of CARIBE the orange one, beside B."""
        throw = {"red": "AEIO", "orange": "CB", "green": "NSR", "light-blue": "H", "blue": "MC", "purple": "K"}
        assert five(full_house=word(tiles, throw=throw))["findings"] == []
        assert rules_of(five(full_house=word("ACHE", throw=throw))) == {"line-met"}

    def test_points_count_the_tiles_as_written(self):
        """One mistake is one violation: sums that count a word missing from the list are not wrong."""
        result = judged(sheet([word("RIAN")], players=["Ann"], claimed={"Ann": 4}))
        assert rules_of(result) == {"word-list"} and lines(result) == {"round 1": 4}


class TestRounds:
    def test_r9_no_bonus_if_nobody_scores_or_for_a_single_player(self):
        assert lines(judged(sheet([0, 0, 0]))) == {"round 1": 0}
        assert lines(judged(sheet([word("BALL")], players=["Ann"]))) == {"round 1": 5}

    def test_r9_only_after_a_full_round(self):
        result = judged(sheet([word("BALL"), word("PLAY")]))
        assert result["findings"] == []
        assert lines(result) == {"round 1": 5} and lines(result, "Cat") == {}

    def test_r10_tested_at_the_end_of_a_round_bonus_included(self):
        """27 points and two bonuses reach the target of 31; the higher total in the same round wins."""
        nine = word("POL=UTION", "pollution")
        assert judged(sheet(*[[nine, 0, 0]] * 2))["winners"] == []
        assert judged(sheet(*[[nine, 0, 0]] * 3))["winners"] == ["Ann"]
        ten = word("POLL≠TION", "pollution")
        assert judged(sheet(*[[nine, ten, 0]] * 3))["winners"] == ["Ben"]

    def test_r10_an_unfinished_round_decides_nothing(self):
        ten = word("POLL≠TION", "pollution")
        assert judged(sheet(*[[ten, 0, 0]] * 2, [ten, 0]))["winners"] == []

    def test_r25_play_off(self):
        nine = word("POL=UTION", "pollution")
        tied = [[nine, nine, 0]] * 4
        assert judged(sheet(*tied))["winners"] == []
        result = judged(sheet(*tied, [word("BALL"), word("PLAY")]))
        assert result["findings"] == [] and result["winners"] == ["Ann"]
        assert lines(result)["round 5"] == 5 and "round 5 bonus" not in lines(result)
        again = judged(sheet(*tied, [word("BALL"), word("SLEEP")], [word("PLAY"), 0]))
        assert rules_of(again) == {"after-the-end"} and again["winners"] == ["Ben"]

    def test_a_zero_for_another_player_is_allowed_in_a_play_off(self):
        nine = word("POL=UTION", "pollution")
        result = judged(sheet(*[[nine, nine, 0]] * 4, [word("BALL"), word("PLAY"), 0]))
        assert result["findings"] == [] and result["winners"] == ["Ann"]

    def test_targets(self):
        nine = word("POL=UTION", "pollution")
        two = sheet(*[[nine, 0, 0]] * 2)
        assert judged(two)["winners"] == []
        assert judged(two | {"tournament": True})["winners"] == ["Ann"]
        eight = word("STREA≠ING", "streaming")
        assert judged(sheet(*[[eight, 0, 0]] * 2, mode="all-together"))["winners"] == []
        assert judged(sheet(*[[eight, 0, 0]] * 2, mode="all-together", tournament=True))["winners"] == ["Ann"]
        assert judged(sheet(*[[eight, 0, 0]] * 3, mode="all-together"))["winners"] == ["Ann"]


class TestLastDie:
    def test_the_round_goes_to_the_last_good_letter(self):
        assert last_die(["S", "P", "R", "I", "N"])["players"][1]["total"] == 1

    def test_r20_doubt(self):
        defended = last_die(["S", "P", "R"], doubt={"by": "Ann", "answer": "spring"})
        assert defended["findings"] == [] and defended["players"][2]["total"] == 1
        bluff = last_die(["S", "P", "X"], doubt={"by": "Ann", "answer": "."})
        assert bluff["findings"] == [] and bluff["players"][0]["total"] == 1

    def test_r20_an_answer_from_the_long_list_will_do(self):
        assert last_die(["S", "P", "H"], doubt={"by": "Ann", "answer": "sphygmographs"})["findings"] == []

    def test_r21_tested_when_declared(self):
        """A later S does not undo a ≠ that stood for S."""
        assert last_die(["P", "≠S", "S"])["findings"] == []
        assert rules_of(last_die(["≠S", "P"])) == {"wildcard-from"}

    def test_r21_equal_does_not_copy_a_wildcard(self):
        assert rules_of(last_die(["P", "≠S", "=S"])) == {"equal-copies"}

    def test_r22_a_letter_that_completes_a_word(self):
        """IN has two letters; INN is complete, so the player who added the letter before wins the round."""
        result = last_die(["I", "N", "N"])
        assert rules_of(result) == {"complete"}
        assert [player["total"] for player in result["players"]] == [0, 1, 0]

    def test_r22_the_common_words_decide(self):
        """“Cwm” is a word, but not a common one; the full list can be chosen in the game's YAML."""
        rare = {
            "game": "rolling_cubes",
            "mode": "last-die",
            "players": ["Ann", "Ben", "Cat"],
            "rounds": [
                {
                    "letters": [
                        {"player": name, "letter": letter}
                        for name, letter in zip(["Ann", "Ben", "Cat"], "CWM", strict=True)
                    ],
                    "stuck": "Ann",
                }
            ],
        }
        assert judged(rare)["findings"] == []
        assert rules_of(with_rules(rare, last_die__words="all")) == {"complete"}

    def test_r13_two_rounds_in_a_tournament(self):
        for players in (["Ann", "Ben"], ["Ann", "Ben", "Cat"]):
            typed = [
                {
                    "letters": [{"player": "Ann", "letter": "S"}, {"player": "Ben", "letter": "P"}],
                    "stuck": players[2 % len(players)],
                }
            ] * 2
            data = {"game": "rolling_cubes", "mode": "last-die", "players": players, "rounds": typed}
            assert judged(data)["winners"] == []
            assert judged(data | {"tournament": True})["winners"] == ["Ben"]

    def test_any_word_completes_nothing(self):
        data = {
            "game": "rolling_cubes",
            "mode": "last-die",
            "players": ["Ann", "Ben"],
            "words_from": "any",
            "rounds": [
                {
                    "letters": [
                        {"player": "Ann", "letter": "I"},
                        {"player": "Ben", "letter": "N"},
                        {"player": "Ann", "letter": "N"},
                    ],
                    "doubt": {"by": "Ben", "answer": "innxyz"},
                }
            ],
        }
        assert judged(data)["findings"] == []


def cup(one, two, three, players=("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")):
    games = {
        name: dict(zip(players, reached, strict=False))
        for name, reached in zip(["one-by-one", "all-together", "last-die"], [one, two, three], strict=True)
    }
    return judged({"game": "rolling_cubes", "mode": "tournament", "players": list(players[: len(one)]), "games": games})


class TestTournament:
    def test_points_for_places(self):
        result = cup([26, 20, 15, 12, 8, 3], [20, 16, 12, 9, 6, 3], [2, 1, 1, 1, 0, 0])
        assert result["findings"] == []
        assert [lines(result, name)["one by one"] for name in ("Ann", "Ben", "Cat", "Dan", "Eve", "Fay")] == [
            10,
            7,
            6,
            5,
            4,
            3,
        ]

    def test_r11_ties_share_the_higher_place(self):
        """1, 2, 2, 4: the third place is skipped."""
        result = cup([26, 20, 20, 12], [20, 16, 12, 9], [2, 0, 0, 0])
        assert [lines(result, name)["one by one"] for name in ("Ann", "Ben", "Cat", "Dan")] == [10, 7, 7, 5]
        assert [lines(result, name)["last die"] for name in ("Ann", "Ben", "Cat", "Dan")] == [10, 7, 7, 7]

    def test_r12_a_draw_goes_to_the_winner_of_game_2(self):
        """Ann 10 + 7 + 7, Ben 7 + 10 + 7, Cat 6 + 6 + 10."""
        result = cup([24, 20, 12], [12, 18, 9], [1, 1, 2])
        assert [player["total"] for player in result["players"]] == [24, 24, 22]
        assert result["winners"] == ["Ben"]
        assert [player["rank"] for player in result["players"]] == [2, 1, 3]

    def test_r12_or_to_the_higher_place_there(self):
        """Ann 10 + 5 + 7 and Ben 6 + 6 + 10 tie; Dan, who won game 2, has 5 + 10 + 5. Ben was third there."""
        result = cup([24, 18, 20, 17], [10, 14, 15, 18], [1, 2, 1, 0])
        assert [player["total"] for player in result["players"]] == [22, 22, 21, 20]
        assert result["winners"] == ["Ben"]

    def test_r24_one_winner_who_reached_the_target(self):
        assert rules_of(cup([24, 24], [18, 2], [2, 0])) == {"one-winner"}
        assert rules_of(cup([20, 19], [18, 2], [2, 0])) == {"target-reached"}
        assert rules_of(cup([21, 19], [17, 2], [2, 0])) == set()

    def test_not_over(self):
        data = {
            "game": "rolling_cubes",
            "mode": "tournament",
            "players": ["Ann", "Ben"],
            "games": {"one-by-one": {"Ann": 24, "Ben": 9}},
        }
        result = judged(data)
        assert result["findings"] == [] and result["winners"] == []
        assert lines(result) == {"one by one": 10, "all together": 0, "last die": 0}
        assert answer(data).result.remark == "The tournament is not over: “all together” has no final result yet."


def five(**combinations):
    typed = {name.replace("_", "-"): data for name, data in combinations.items()}
    return judged({"game": "rolling_cubes", "mode": "five-throws", "players": ["Ann"], "lines": {"Ann": typed}})


class TestFiveThrows:
    def test_r14_at_least_that_many(self):
        assert five(trio=word("OUTSIDE"))["findings"] == []  # four red dice are three as well
        assert five(full_house=word("OUTSIDER", voted=True))["findings"] == []

    def test_r14_wildcards_count_for_their_colour(self):
        """A, I and O are red, C and = are orange: a full house. With T instead of =, it is not."""
        throw = {"red": "AEIO", "orange": "C=", "green": "NSR", "light-blue": "G", "blue": "≠T", "purple": "K"}
        assert five(full_house=word("AC=IO", "accio", throw=throw, voted=True))["findings"] == []
        assert five(full_house=word("ACTIO", throw=throw, voted=True))["findings"] != []

    def test_r14_unknown_colours_may_meet_the_line(self):
        """N, T and D may all be green."""
        assert five(trio=word("TIDN", voted=True))["findings"] == []
        named = word("TIDN", voted=True, colours=["light-blue", "red", "blue", "green"])
        assert rules_of(five(trio=named)) == {"line-met"}

    def test_r15_an_equal_does_not_make_a_double(self):
        assert rules_of(five(double=word("FUN=Y", "funny"))) == {"line-met"}
        assert five(double=word("LOVEL≠", "lovely"))["findings"] == []

    @pytest.mark.parametrize(("rethrown", "expected"), [(0, 4), (1, 3), (4, 0), (5, 0)])
    def test_r16_a_point_less_for_each_die_but_never_below_zero(self, rethrown, expected):
        result = five(no_wildcards=word("PLAY", rethrown=rethrown))
        assert result["findings"] == [] and lines(result)["no wildcards"] == expected

    def test_r17_no_round_bonus(self):
        assert set(lines(five(double=word("BALL")))) == {"no wildcards", "trio", "full house", "poker", "double"}

    def test_r18_a_line_given_up_for_0(self):
        for zero in (0, {"tiles": 0}, {"claimed": 0}):
            result = five(no_wildcards=zero, trio=zero, full_house=zero, poker=zero, double=word("BALL"))
            assert result["findings"] == [] and result["winners"] == ["Ann"]

    def test_r27_a_word_that_does_not_meet_its_line_scores_0(self):
        result = five(poker=word("PLAY"))
        assert rules_of(result) == {"line-met"} and result["valid"]
        assert lines(result)["poker"] == 0

    def test_messages_about_lines_and_tiles(self):
        result = five(no_wildcards=word("BOO=", "boob", voted=True), full_house=word("PLAY"), double=word("BALL", "a"))
        assert {finding["message"] for finding in result["findings"]} == {
            "BOO= has a wildcard, so it scores 0 in the line “no wildcards”",
            "PLAY does not have 3 dice of one colour and 2 of another, so it scores 0 in the line “full house”",
            "“a” has 1 letter, but BALL has 4 tiles",
            "“a” is too short: a word has 2 letters or more",
        }

    def test_r27_winners_when_every_line_is_filled(self):
        full = {"no-wildcards": word("PLAY"), "trio": 0, "full-house": 0, "poker": 0, "double": 0}
        data = {
            "game": "rolling_cubes",
            "mode": "five-throws",
            "players": ["Ann", "Ben"],
            "lines": {"Ann": full, "Ben": dict(full)},
        }
        assert judged(data)["winners"] == ["Ann", "Ben"]
        del data["lines"]["Ben"]["double"]
        assert judged(data)["winners"] == []
