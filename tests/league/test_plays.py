"""Which plays answers are: names, places, sheets that do not count, and sheets that are the same."""

import json
from datetime import date, timedelta
from pathlib import Path

import pytest
import yaml

from generator import games, paths
from generator.errors import InputError
from generator.league import Details, plays_of
from generator.league.plays import checked_date, checked_name
from tests import forms
from tests.league.sheets import UPWARDS, answers, plays, upwards
from tests.presses import form_of

GOOD = {
    "from_the_ground_up": "over",
    "elevator_up": "out",
    "rolling_cubes": "tournament",
    "upwards": "outlined_and_crossed_out",
    "cosmic_consequences": "race",
}
TABLE = """
game: from_the_ground_up
players:
  - {name: Ann, cards: [{card: 4, crates: [6, 5, 4, 2], star: 4}, {card: 10, crates: [3, 3, 1, 1], star: 3}]}
  - {name: Ben, cards: [{card: 3, crates: [5, 5, 5, 5, 5], star: 6}, {card: 5, crates: [1, 2, 3, 4], star: 3}]}
"""


def problems(*files, **details):
    with pytest.raises(InputError) as error:
        plays(*files, **details)
    return str(error.value)


# ---- what a play says


def test_a_play_has_the_players_in_seat_order_with_points_and_places(tmp_path):
    (play,) = plays(upwards(tmp_path, "Ben", "1 2 3 4"), upwards(tmp_path, "Ann"))
    assert [(seat.player, seat.points, seat.place) for seat in play.seats] == [("Ben", 0, 2), ("Ann", 5, 1)]
    assert (play.status, play.game, play.title, play.sheet) == ("counted", "upwards", "Upwards!", "sheet")
    assert play.seats[1].lines == (("columns", 0), ("rows", 5))
    assert play.winners == ("Ann",)


def test_players_who_tie_share_a_place(tmp_path):
    (play,) = plays(
        *(upwards(tmp_path, name, row) for name, row in [("A", "1 1 1 2"), ("B", "2 2 2 2"), ("C", "3 3 3 3")])
    )
    assert [seat.place for seat in play.seats] == [3, 1, 1]


def test_without_score_lines_there_are_no_points():
    (play,) = plays(paths.ROOT / "tests/games/cosmic_consequences/good/race.yaml")
    assert [(seat.points, seat.place) for seat in play.seats] == [(None, 1), (None, 2)]


def test_the_lowest_number_wins_where_the_game_says_so():
    (play,) = plays(paths.ROOT / "tests/games/elevator_up/good/out.yaml")
    assert play.winners == ("Eve",) and {seat.place for seat in play.seats} == {1, 2}


def test_a_sheet_that_breaks_a_rule_is_not_counted(tmp_path):
    bad = upwards(tmp_path, "Ann", "1 . 3 4")
    (tmp_path / "ann.yaml").write_text('game: upwards\nplayer: Ann\noption: rows\ngrid: ["1 . . .", ". . . ."]\n')
    (play,) = plays(bad, upwards(tmp_path, "Ben"))
    assert play.status == "broken"
    assert "a2" in play.reason and play.problems[0].startswith("error: no-gaps: ")


def test_warnings_do_not_matter(tmp_path):
    path = tmp_path / "sheet.yaml"
    path.write_text('game: upwards\nplayer: Ann\noption: snake\ngrid: ["1 1 1 ."]\nsnake: [a1, b1]\n')
    (play,) = plays(path, upwards(tmp_path, "Ben"))
    assert [each.partition(":")[0] for each in play.problems] != []
    (alone,) = plays(path)
    assert alone.problems[0].startswith("warning: ") and alone.status == "solo"


def test_a_game_that_is_not_over_is_not_counted():
    (play,) = plays(paths.ROOT / "tests/games/rolling_cubes/good/last-die.yaml")
    assert (play.status, play.winners) == ("unfinished", ())
    assert play.reason == "the game is not over: nobody has won 3 rounds yet"


def test_if_all_lose_nobody_has_a_place(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_text(TABLE)
    (play,) = plays(path)
    if not play.winners:
        assert {seat.place for seat in play.seats} == {None}


# ---- names


def test_a_player_without_a_name_needs_one(tmp_path):
    path = upwards(tmp_path, '""')
    message = problems(path)
    assert "player 1 has no name" in message and "--player NAME" in message
    (play,) = plays(path, players=(" Ann  Lee ",))
    assert play.players == ("Ann Lee",)


def test_names_are_given_in_seat_order(tmp_path):
    files = upwards(tmp_path, '""', file="1.yaml"), upwards(tmp_path, "Ben"), upwards(tmp_path, '""', file="3.yaml")
    assert "player 3 has no name" in problems(*files, players=("Ann",))
    (play,) = plays(*files, players=("Ann", "Cat"))
    assert play.players == ("Ann", "Ben", "Cat")
    assert "--player is given for 3, but 2 lack a name" in problems(*files, players=("Ann", "Cat", "Dan"))


def test_a_name_on_the_sheet_is_not_replaced(tmp_path):
    assert "league rename" in problems(upwards(tmp_path, "Ann"), players=("Ben",))


@pytest.mark.parametrize(
    "names", [("Zoë", "Zoe\u0308"), ("Ann", "ANN"), ("Straße", "STRASSE"), ("Ann Lee", "Ann  Lee")]
)
def test_one_player_cannot_sit_in_two_seats(tmp_path, names):
    files = [
        upwards(tmp_path, name, row, f"{row[0]}.yaml") for name, row in zip(names, ("1 1 1 1", "2 2 2 2"), strict=True)
    ]
    assert "is named for two seats" in problems(*files)


@pytest.mark.parametrize("name", ["", "  ", "x" * 61, "Ann\x07", "Ann\u202eeB", "a\x00b"])
def test_impossible_names_are_refused(name):
    with pytest.raises(InputError):
        checked_name(name)


@pytest.mark.parametrize("name", ["x" * 60, "O’Brien", "花子", "می\u200cخواهم", "=1+1", "Robert'); DROP TABLE play;--"])
def test_unusual_names_are_names(name):
    assert checked_name(f" {name} ") == name


# ---- one play or several


def test_several_sheets_with_one_player_each_are_one_play_or_several(tmp_path):

    path = tmp_path / "sheets.yaml"
    path.write_text("---\n".join([UPWARDS.format("Ann", "1 1 1 1"), UPWARDS.format("Ben", "2 1 2 2")]))
    message = problems(path)
    assert "one player each" in message and "--together" in message and "--separately" in message
    assert [play.status for play in plays(path, together=False)] == ["solo", "solo"]
    (play,) = plays(path, together=True)
    assert (play.status, play.winners, [seat.place for seat in play.seats]) == ("counted", ("Ann",), [1, 2])


def test_sheets_of_one_player_are_several_games(tmp_path):
    path = tmp_path / "sheets.yaml"
    path.write_text("---\n".join(UPWARDS.format("Ann", row) for row in ("1 1 1 1", "2 1 1 1")))
    assert len(plays(path)) == 2
    assert "two seats" in problems(path, together=True)


def test_player_needs_a_single_play():
    race = paths.ROOT / "tests/games/cosmic_consequences/good/race.yaml"
    assert "--player works for one play" in problems(race, race, players=("Ann",))


# ---- the same sheet


@pytest.mark.parametrize("key", games.SHIPPED)
def test_a_sheet_is_the_same_as_yaml_json_and_a_form(key, tmp_path):
    typed = paths.ROOT / f"tests/games/{key}/good/{GOOD[key]}.yaml"
    (answer,) = answers(typed)
    (filled,) = (copy.filled for copy in answer.copied)
    data = yaml.load(typed.read_text("utf-8"), yaml.BaseLoader)
    (tmp_path / "sheet.json").write_text(json.dumps(dict(reversed(data.items()))), "utf-8")
    files = [typed, tmp_path / "sheet.json"]
    if not filled.sheet.fields.keys() >= filled.marks.keys():  # on paper, it is filled in otherwise
        assert len({play.digest for file in files for play in plays(file)}) == 1
        return
    form = form_of(key, filled.sheet.name)
    marks = {name: "/Yes" if mark is True else str(mark) for name, mark in filled.marks.items()}
    (tmp_path / "form.pdf").write_bytes(forms.filled(form, marks))
    digests = {play.digest for file in (*files, tmp_path / "form.pdf") for play in plays(file)}
    assert len(digests) == 1


def test_neither_the_order_of_files_nor_the_spelling_of_names_matters(tmp_path):
    ann, ben = upwards(tmp_path, "Ann"), upwards(tmp_path, "Ben", "2 1 2 2")
    loud = upwards(tmp_path, "ANN", file="loud.yaml")
    assert len({plays(*files)[0].digest for files in [(ann, ben), (ben, ann), (ben, loud)]}) == 1


def test_other_marks_are_another_play(tmp_path):
    digests = {plays(upwards(tmp_path, "Ann", row))[0].digest for row in ("1 1 1 1", "1 1 1 2")}
    digests |= {plays(upwards(tmp_path, '""'), players=(name,))[0].digest for name in ("Ann", "Ben")}
    assert len(digests) == 4


def test_what_is_not_on_paper_matters(tmp_path):
    hands = "game: cosmic_consequences\nplayers: [Ann, Ben]\nhands:\n  Ann: {{cc_up: [], number_up: [{}]}}\n"
    digests = set()
    for card in ("tiger-3", "tiger-4"):
        (tmp_path / "hands.yaml").write_text(hands.format(card))
        digests.add(plays(tmp_path / "hands.yaml")[0].digest)
    assert len(digests) == 2


# ---- dates and texts


def test_dates():
    assert checked_date("2024-02-29") == "2024-02-29"
    tomorrow = str(date.today() + timedelta(1))
    assert checked_date(tomorrow, future=True) == tomorrow
    for wrong in ("2026-02-29", "26-01-01", "20261121", "2026-W01-1", "tomorrow", "", tomorrow, "２０２６-11-21"):
        with pytest.raises(InputError):
            checked_date(wrong)


def test_the_date_is_today_by_default(tmp_path):
    ((play, indices),) = plays_of(answers(upwards(tmp_path, "Ann")), Details(event=" Kitchen  table "))
    assert (play.date, play.event, indices) == (str(date.today()), "Kitchen table", [0])


def test_all_problems_are_reported_at_once(tmp_path):
    race = "game: cosmic_consequences\nplayers: [., .]\ncards: without\n"
    (tmp_path / "a.yaml").write_text(race)
    one, two = upwards(tmp_path, '""', file="1.yaml"), tmp_path / "sheets.jsonl"
    line = json.dumps(yaml.safe_load(Path(one).read_text("utf-8")))
    two.write_text(f"{line}\n{line}\n")
    message = problems(two, together=False)
    assert message.count("has no name") == 2 and ":2" in message


def test_a_name_that_is_too_long_is_reported_with_its_place(tmp_path):
    assert "ann.yaml:1: “" in problems(upwards(tmp_path, "x" * 61, file="ann.yaml"))
