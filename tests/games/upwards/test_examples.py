"""The worked examples of the rulebook, the examples of the project's contract for sheet files, and the decisions where
the rulebook leaves a choice."""

from pathlib import Path
from types import MappingProxyType

import pytest
import yaml
from msgspec import structs

from generator.judging.judge import Judge, game_judge
from tests.games.upwards.judging import broken, judged, lines


def rounds(*played, die=False, **more):
    """A sheet with a log; each test adds the final grid."""
    return {"option": "rows", "event_die": die, "log": list(played), **more}


class TestRulebook:
    """From the rulebook, by the names in its examples."""

    def test_dennis_combines_a_3_and_a_1(self):
        """4, 3 and 1 are rolled: he enters the 4, and 3 + 1 as another 4 beside it."""
        played = {"dice": [4, 3, 1], "entries": ["a=4", "b=3+1"]}
        assert broken(rounds(played, grid=["4 4 . ."])) == set()

    def test_eleni_saves_a_5_and_uses_a_saved_2(self):
        """4, 1 and 3 are rolled: 4 + 1 is saved, and 3 with the saved 2 goes into the grid."""
        before = {"dice": [2, 3, 3], "entries": ["r1=2", "d=3", "d=3"]}
        played = {"dice": [4, 1, 3], "entries": ["r2=4+1", "a=3+r1"]}
        assert broken(rounds(before, played, grid=[". . . 3", "5 . . 3"], reserve=["2x", "5"])) == set()
        assert "log-agrees" in broken(rounds(before, played, grid=[". . . 3", "5 . . 3"], reserve=["2", "5"]))

    def test_nele_has_three_steps(self):
        """The picture is lost; any three steps will do, here 4 5, 6 1 and 3 4 from the bottom."""
        grid = [f"{number} . . ." for number in (4, 3, 1, 6, 2, 5, 4)]
        assert lines({"option": "rows", "grid": grid})["columns"] == 3

    def test_magnus_has_two_rows_of_one_number(self):
        """Four 1s and four 3s score 5 each, a row of different numbers nothing."""
        assert lines({"option": "rows", "grid": ["2 4 2 6", "3 3 3 3", "1 1 1 1"]})["rows"] == 10

    def test_jonah_scores_only_the_longer_snake(self):
        """A snake of six 5s scores 18 points, another of four 3s nothing."""
        grid = ["5 5 4 .", "1 5 6 6", "2 3 5 4", "3 6 5 2", "3 3 1 5"]
        assert lines({"option": "snake", "grid": grid})["snake"] == 18

    def test_nina_outlines_a_square_and_a_z(self):
        """A square of 2s and a Z of 3s score 10; another square scores nothing."""
        grid = ["2 2 5 5", "2 2 5 5", "1 3 3 6", "4 5 3 3"]
        square = {"shape": "square", "cells": ["a3", "b3", "a4", "b4"]}
        z = {"shape": "z", "cells": ["b2", "c2", "c1", "d1"]}
        sheet = {"option": "blocks", "grid": grid, "blocks": [square, z]}
        assert lines(sheet)["blocks"] == 10
        assert broken(sheet) == set()
        sheet["blocks"].append({"shape": "square", "cells": ["c3", "d3", "c4", "d4"]})
        assert lines(sheet)["blocks"] == 10
        assert broken(sheet) == {"blocks-once"}

    def test_sebastian_has_three_different_numbers(self):
        """Three numbers and a meteorite in a row with an arrow score 3."""
        sheet = {"option": "rows", "event_die": True, "grid": ["2 o 5 6"], "bonus_rows": [1]}
        assert lines(sheet)["bonus"] == 3

    def test_a_1_follows_a_6(self):
        assert lines({"option": "rows", "grid": ["1 . . .", "6 . . ."]})["columns"] == 1
        assert lines({"option": "rows", "grid": ["6 . . .", "1 . . ."]})["columns"] == 0

    def test_the_most_points_win(self):
        result = judged({"option": "rows", "player": "Ann", "grid": ["1 1 1 1"]})
        assert result["winners"] == ["Ann"]


NELE = {
    "player": "Nele",
    "option": "rows",
    "event_die": True,
    "grid": [". . . .", ". . . .", "3 . . .", "2 . . 6", "1 o . 5", "6 2 . 4", "3 3 3 3", "1 1 1 1"],
    "reserve": ["2x", "3"],
    "extra_reserve": [".", "-"],
    "bonus_rows": [1, 4],
    "claimed": {"columns": [3, 0, 0, 3], "option": 10, "bonus": 3, "total": 19},
}
LOG = {
    "option": "snake",
    "event_die": True,
    "grid": ["4 6 . .", "4 4 o 3"],
    "reserve": ["5x"],
    "extra_reserve": ["."],
    "log": [
        {"dice": [4, 3, 1], "event": "extra-reserve", "outline": "x1", "entries": ["a=4", "b=3+1"]},
        {"dice": [4, 1, 3], "event": "meteorite", "entries": ["c=o", "r1=4+1", "d=3"]},
        {"dice": [6, 2, 1], "event": "plus-or-minus", "entries": ["a=6-2", "b=1+r1"]},
    ],
}


class TestContract:
    """The examples of the contract for sheet files, also in docs/sheets.md."""

    def test_nele(self):
        result = judged(NELE)
        assert result["findings"] == []
        assert result["players"] == [
            {
                "name": "Nele",
                "total": 19,
                "rank": 1,
                "lines": [
                    {"label": "columns", "points": 6},
                    {"label": "rows", "points": 10},
                    {"label": "bonus", "points": 3},
                ],
            }
        ]
        assert result["winners"] == ["Nele"]

    def test_nele_with_a_gap(self):
        """Key by key as the contract prints it."""
        grid = [*NELE["grid"][:4], "1 o 5 5", *NELE["grid"][5:]]
        result = judged(NELE | {"grid": grid})
        assert result["findings"] == [
            {
                "rule": "no-gaps",
                "severity": "error",
                "player": "Nele",
                "where": ["grid.c4"],
                "message": "c4 is filled but c3 below it is empty",
                "file": "sheet.yaml",
                "line": 1,
            }
        ]
        assert list(result) == ["game", "valid", "findings", "players", "winners"]

    def test_boxes_that_float_side_by_side_are_one_finding(self):
        result = judged({"option": "rows", "grid": ["1 . . .", ". 2 2 2", ". . 3 ."]})
        assert [(finding["where"], finding["message"]) for finding in result["findings"]] == [
            (["grid.b2", "grid.d2"], "b2 and d2 are filled but b1 and d1 below them are empty"),
            (["grid.a3"], "a3 is filled but a2 below it is empty"),
        ]

    def test_a_log(self):
        assert judged(LOG)["findings"] == []
        assert lines(LOG) == {"columns": 0, "snake": 9, "bonus": 0}

    def test_bonus_is_printed_with_the_event_die_only(self):
        assert list(lines(NELE | {"bonus_rows": []})) == ["columns", "rows", "bonus"]
        assert list(lines({"option": "snake", "grid": ["1 1 2 3"]})) == ["columns", "snake"]


class TestDecisions:
    def test_a_snake_is_a_line_not_a_patch(self, game):
        """U1; `shape: patch` is the other reading."""
        grid = ["6 . 6 .", "1 6 1 .", "6 1 6 ."]  # five 6s that touch in the middle
        sheet = {"option": "snake", "grid": grid}
        assert lines(sheet)["snake"] == 9
        rules = MappingProxyType({**game.rules, "snake": MappingProxyType({**game.rules["snake"], "shape": "patch"})})
        judge = Judge(games={"upwards": game_judge(structs.replace(game, rules=rules))})
        assert judged(sheet, judge)["players"][0]["lines"][1] == {"label": "snake", "points": 15}
        drawn = sheet | {"snake": ["a1", "c3", "b2"]}
        assert {finding["rule"] for finding in judged(drawn, judge)["findings"]} == {"longest-snake"}

    def test_the_shortest_snake_has_two_boxes(self):
        """U2"""
        assert lines({"option": "snake", "grid": ["1 2 3 3"]})["snake"] == 6
        assert lines({"option": "snake", "grid": ["1 2 3 4"]})["snake"] == 0

    @pytest.mark.parametrize(
        ("row", "points"),
        [("4 o 4 4", 5), ("o o o 4", 5), ("o o o o", 0), ("4 o 5 4", 0), ("4 4 4 .", 0), ("4 o . 4", 0)],
    )
    def test_rows_with_meteorites_and_gaps(self, row, points):
        """U3, U4"""
        assert lines({"option": "rows", "event_die": True, "grid": [row]})["rows"] == points

    def test_a_bonus_row_need_not_be_full(self):
        """U4, U14: it adds to every option."""
        for option in ("rows", "snake", "blocks"):
            sheet = {"option": option, "event_die": True, "grid": ["3 . . .", "1 1 2 ."], "bonus_rows": [1, 2, 7]}
            assert lines(sheet)["bonus"] == 3

    def test_steps_are_broken_by_meteorites_and_gaps(self):
        """U5, and steps of several runs add up."""
        column = ["4", "3", "o", "2", "1", "o", ".", "6"]
        grid = [f"{mark} . . ." for mark in column]
        assert lines({"option": "rows", "event_die": True, "grid": grid})["columns"] == 2

    def test_only_the_result_must_be_1_to_6(self):
        """U6, U22: 6 + 5 − 4 passes 11 on its way."""
        played = {"dice": [6, 5, 4], "event": "plus-or-minus", "entries": ["a=6+5-4"]}
        assert broken(rounds(played, die=True)) == {"one-to-six"}
        played["entries"] = ["a=6-5+4"]
        assert broken(rounds(played, die=True, grid=["5 . . ."])) == set()
        played["entries"] = ["a=-5+6+4"]
        assert broken(rounds(played, die=True, grid=["5 . . ."])) == set()

    def test_events_bind_saved_numbers_too(self):
        """U8"""
        first = {"dice": [2, 2, 6], "event": "bonus-row", "row": 1, "entries": ["r1=2", "r2=2", "a=6"]}
        last = {"dice": [6, 6, 6], "event": "minus-only", "entries": ["b=6-r1-r2", "c=6", "d=6"]}
        sheet = rounds(first, last, die=True, grid=["6 2 6 6"], reserve=["2x", "2x"], bonus_rows=[1])
        assert broken(sheet) == set()
        last["event"] = "extra-reserve"
        last["outline"] = "x3"
        assert broken(sheet | {"extra_reserve": ["-", "-", "."]}) == {"plus-minus"}

    def test_a_meteorite_without_room_has_no_effect(self):
        """U9"""
        column = [f"{letter}={number}" for letter in "abcd" for number in (1, 2, 1, 2, 1, 2, 1, 2)]
        log = [
            {
                "dice": [int(mark[-1]) for mark in column[at : at + 3]],
                "event": "minus-only",
                "entries": column[at : at + 3],
            }
            for at in range(0, 30, 3)
        ]
        log.append({"dice": [1, 2, 5], "event": "minus-only", "entries": ["d=1", "d=2", "r1=5"]})
        log.append({"dice": [3, 3, 3], "event": "meteorite", "entries": ["r2=3", "r3=3", "r4=3"]})
        sheet = rounds(*log, die=True, grid=["2 2 2 2", "1 1 1 1"] * 4, reserve=["5", "3", "3", "3"])
        assert broken(sheet) == set()

    def test_blocks_score_as_drawn(self):
        """U10, U11: not the best possible ones; of two that clash, the first one listed."""
        grid = ["2 2 2 2", "2 2 2 2"]
        sheet = {"option": "blocks", "grid": grid}
        assert lines(sheet)["blocks"] == 0
        assert judged(sheet)["valid"]
        clash = [{"shape": "square", "cells": "a1 a2 b1 b2"}, {"shape": "line-3", "cells": "b1 c1 d1"}]
        assert lines(sheet | {"blocks": clash})["blocks"] == 5
        assert lines(sheet | {"blocks": clash[::-1]})["blocks"] == 4

    def test_a_broken_block_frees_its_shape_for_the_next(self):
        grid = ["2 2 3 2", "2 2 2 2"]
        twice = [{"shape": "square", "cells": "c1 c2 d1 d2"}, {"shape": "square", "cells": "a1 a2 b1 b2"}]
        assert lines({"option": "blocks", "grid": grid, "blocks": twice})["blocks"] == 5

    def test_crossed_out_shapes_that_fit_score(self):
        """You cannot outline anything in a form."""
        sheet = {"option": "blocks", "grid": ["2 2 2 2", "2 2 2 2"], "blocks": {"square": "x", "corner-3": "x"}}
        assert lines(sheet)["blocks"] == 9
        assert broken(sheet) == set()
        sheet["blocks"] = ["square", "line-3"]
        assert lines(sheet)["blocks"] == 5
        assert broken(sheet) == {"blocks-crossed"}

    def test_numbers_left_in_the_reserve_score_nothing(self):
        """U13"""
        assert lines({"option": "rows", "reserve": [6, 6, 6, 6, 6]}) == {"columns": 0, "rows": 0}

    def test_a_total_with_a_saved_number_may_be_saved_again(self):
        """U18, U22: in the round the number was saved in, and in any field."""
        played = {"dice": [1, 2, 3], "entries": ["r5=1", "r2=2+r5", "a=3+r2"]}
        assert broken(rounds(played, grid=["6 . . ."], reserve=[".", "3x", ".", ".", "1x"])) == set()

    def test_saved_numbers_may_be_used_when_the_dice_are(self):
        """“At any time”: alone, and with one another."""
        played = {"dice": [1, 2, 3], "entries": ["r1=1", "r2=2", "r3=3", "a=r1+r2", "b=r3"]}
        assert broken(rounds(played, grid=["3 3 . ."], reserve=["1x", "2x", "3x"])) == set()

    def test_a_light_field_is_used_when_it_is_outlined(self):
        played = {"dice": [1, 2, 3], "event": "extra-reserve", "outline": "x2", "entries": ["x2=1", "a=2+x2", "b=3"]}
        sheet = rounds(played, die=True, grid=["3 3 . ."], extra_reserve=["-", "1x"])
        assert broken(sheet) == set()

    def test_effects_with_nothing_left_may_be_omitted(self):
        """U17: no warning when all fields are outlined."""
        played = {"dice": [1, 1, 1], "event": "extra-reserve", "entries": ["a=1+1+1"]}
        log = [*(played | {"outline": f"x{number}"} for number in (3, 1, 2)), played | {"event": "Extra_reserve"}]
        sheet = rounds(*log, die=True, grid=["3 . . ."] * 4, extra_reserve=[".", ".", "."])
        assert broken(sheet) == set()

    def test_a_drawn_snake_scores_as_drawn(self):
        """U20"""
        sheet = {"option": "snake", "grid": ["5 5 . .", "1 5 5 ."]}
        assert lines(sheet | {"snake": ["a2", "b1"]})["snake"] == 6
        assert judged(sheet | {"snake": ["a2", "b1"]})["valid"]
        assert lines(sheet | {"snake": ["a2", "c1"]})["snake"] == 0
        assert lines(sheet | {"snake": ["a2", "b2", "b1", "c1"]})["snake"] == 12

    def test_marks_of_the_event_die_without_it(self):
        """U21: reported, and still scored if they do not need the die."""
        sheet = {"option": "rows", "grid": ["3 3 o 3"], "bonus_rows": [1]}
        assert broken(sheet) == {"event-die"}
        assert lines(sheet) == {"columns": 0, "rows": 5}

    def test_a_game_is_not_over_in_the_round_of_the_pass(self):
        """U16, U19"""
        sheet = yaml.safe_load((Path(__file__).parent / "good/whole_game.yaml").read_text())
        assert judged(sheet)["winners"] == ["Nele"]
        sheet["log"].pop()
        assert judged(sheet)["findings"] == []
        assert judged(sheet)["winners"] == []
        sheet["log"].pop()
        assert broken(sheet) == {"log-agrees"}

    def test_a_log_that_ends_in_another_sheet_is_one_problem(self):
        played = {"dice": [4, 3, 1], "event": "extra-reserve", "outline": "x1", "entries": ["a=4", "r1=3+1"]}
        sheet = {"option": "rows", "event_die": True, "grid": ["5 3 . ."], "reserve": ["3"], "bonus_rows": [2]}
        (finding,) = judged(sheet | {"extra_reserve": ["."], "log": [played]})["findings"]
        assert (finding["rule"], finding["where"]) == (
            "log-agrees",
            ["grid.a1", "grid.b1", "reserve.1", "bonus_rows.2"],
        )
        assert finding["message"] == (
            "after the log, a1 is 4 (on the sheet: 5), b1 is empty (on the sheet: 3), field r1 is 4 (on the sheet: 3) "
            "and row 2 has no arrow (on the sheet: an arrow)"
        )


class TestHints:
    def hint(self, sheet):
        (hint,) = judged({"option": "blocks"} | sheet, Judge(hints=True))["hints"]
        return hint

    def test_the_best_blocks(self):
        result = self.hint({"player": "Nina", "grid": ["2 2 . .", "2 2 4 .", "3 1 4 4"]})
        assert result["message"] == "the best blocks score 9 points: corner-3 c1 c2 d1, square a2 a3 b2 b3"
        assert result["where"][1:] == ["grid.c1", "grid.c2", "grid.d1", "grid.a2", "grid.a3", "grid.b2", "grid.b3"]
        assert result["player"] == "Nina"

    def test_nothing_better(self):
        blocks = [{"shape": "line-4", "cells": "a1 b1 c1 d1"}]
        result = self.hint({"grid": ["2 2 2 2"], "blocks": blocks})
        assert result["message"] == "no other blocks score more than these 5 points"

    def test_hints_are_optional(self):
        assert "hints" not in judged({"option": "blocks", "grid": ["2 2 2 2"]})

    def test_other_options_have_none(self):
        assert judged({"option": "rows"}, Judge(hints=True))["hints"] == []
