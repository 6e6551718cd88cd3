"""Exports and imports of the league, and what BG Stats reads."""

import csv
import io
import json
from urllib.parse import unquote

import msgspec
import pytest

from generator.errors import InputError
from generator.league import League, plays
from generator.league.plays import lowest_win
from tests.league.sheets import play

PLAYS = [
    play(
        "Ann 5, Ben 3", event="Kitchen table", comment="=HYPERLINK(1)", sheets=({"marks": {"a": 1}},), problems=("x",)
    ),
    play("Ben 5, Cat 5, Ann -3", "2026-11-22"),
    play("Ann 1, Ben 2", "2026-11-23", status="broken", reason="a gap"),
]


@pytest.fixture
def league(tmp_path):
    league = League(tmp_path / "league.sqlite3")
    league.save(PLAYS)
    return league


def data_of(link):
    return json.loads(unquote(link.partition("data=")[2]))


# ---- JSON


def test_an_export_is_imported_once(league, tmp_path):
    whole, file = league.plays(whole=True), tmp_path / "league.json"
    file.write_bytes(plays.json_export(whole))
    other = League(tmp_path / "other.sqlite3")
    assert [other.add(plays.imported(file)) for _ in range(2)] == [3, 0]
    assert other.plays(whole=True) == whole
    assert plays.json_export(other.plays(whole=True)) == file.read_bytes()
    league.forget(2)
    assert league.add(plays.imported(file)) == 1


def changed(league, tmp_path, **changes):
    """The problems of an export with one play that was changed by hand."""
    data = json.loads(plays.json_export(league.plays(whole=True)))
    data["plays"][1] |= changes
    file = tmp_path / "changed.json"
    file.write_text(json.dumps(data))
    with pytest.raises(InputError) as error:
        plays.imported(file)
    return str(error.value)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"date": "2026-02-30"}, "play 2: “2026-02-30” is not a date"),
        ({"date": "9999-01-01"}, "in the future"),
        ({"uuid": ""}, "no uuid"),
        ({"seats": []}, "no seats"),
        ({"seats": [{"player": "Ann"}, {"player": "ANN"}]}, "two seats"),
        ({"seats": [{"player": "A\u202e"}]}, "invisible"),
        ({"seats": [{"player": "Ann", "place": 0}]}, "place"),
        ({"seats": [{"player": "Ann", "points": 10**18}]}, "points"),
        ({"seats": [{"player": "Ann", "points": "5"}]}, "“plays[1].seats[0].points” cannot be read"),
        ({"status": "excellent"}, "“plays[1].status” cannot be read"),
        ({"comment": "x" * 501}, "too long"),
    ],
)
def test_a_changed_export_is_refused(league, tmp_path, changes, message):
    if changes.get("seats") == [{"player": "Ann", "place": 0}]:
        changes = {"seats": [{"player": "Ann", "place": 2}]}
    assert message in changed(league, tmp_path, **changes)


@pytest.mark.parametrize("content", [b"", b"{", b"[" * 100_000, b"[]", b'{"plays": []}', b"\xff\xfe"])
def test_other_files_are_refused(tmp_path, content):
    (tmp_path / "x.json").write_bytes(content)
    with pytest.raises(InputError):
        plays.imported(tmp_path / "x.json")
    with pytest.raises(InputError):
        plays.imported(tmp_path / "missing.json")


def test_an_export_of_a_newer_version_is_refused(tmp_path):
    (tmp_path / "x.json").write_text('{"format": "pencilbox-league", "version": 2, "plays": []}')
    with pytest.raises(InputError, match="newer"):
        plays.imported(tmp_path / "x.json")


# ---- CSV


def test_csv_has_a_row_for_each_player_and_no_formula(league):
    league.rename("Cat", "+Cat")
    content = plays.csv_export(league.plays(whole=True))
    rows = list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"))))
    assert len(rows) == 7 and content.startswith(b"\xef\xbb\xbf")
    assert rows[0]["comment"] == "'=HYPERLINK(1)" and rows[3]["player"] == "'+Cat"
    assert (rows[4]["points"], rows[4]["place"]) == ("-3", "3"), "a number is a number"
    assert (rows[5]["counted"], rows[5]["reason"]) == ("no", "a gap")


@pytest.mark.parametrize("cell", ["=1+1", "+1", "-1", "@SUM", "\tx", "\rx"])
def test_cells_that_may_be_formulas(cell):
    assert next(csv.reader([plays.csv_text([cell], [[cell]]).split("\r\n")[1]]))[0][:1] in ("'", "")


# ---- BG Stats


def test_the_link_has_what_the_app_needs(league):
    data = data_of(plays.share_link(league.play(1)))
    assert data["playDate"] == "2026-11-21 12:00:00"
    assert data["sourceName"] and data["sourcePlayId"] and data["comments"] == "=HYPERLINK(1)"
    assert data["game"] == {"name": "Upwards!", "sourceGameId": "upwards"}
    first = {"name": "Ann", "sourcePlayerId": "ann", "startPlayer": False, "winner": True, "score": "5", "rank": 1}
    assert data["players"][0] == first and not data["players"][1]["winner"]


def test_links_of_unusual_games():
    data = data_of(plays.share_link(play("花子, Zoë", uuid="x" * 36), lowest_wins=True))
    assert data["game"]["highestWins"] is False and data["game"]["noPoints"] is True
    assert data["players"][0] == {"name": "花子", "sourcePlayerId": "花子", "startPlayer": False, "winner": False}
    assert plays.share_link(play("Ann&Ben#1? 3")).isascii()


def test_the_lowest_number_wins_if_it_did():
    low = msgspec.structs.replace(play("Ann 5, Ben 3"), seats=tuple(reversed(play("Ben 5, Ann 3").seats)))
    seats = tuple(msgspec.structs.replace(seat, place=3 - seat.place) for seat in low.seats)
    assert lowest_win([msgspec.structs.replace(low, seats=seats)]) == {("upwards", "sheet")}
    assert lowest_win(PLAYS) == set()


def test_bgsplay(league):
    data = json.loads(plays.bgsplay_export(league.plays(whole=True)))
    players = {each["id"]: each["name"] for each in data["players"]}
    assert [len(play["playerScores"]) for play in data["plays"]] == [2, 3, 2]
    assert [play["ignored"] for play in data["plays"]] == [False, False, True]
    assert data["plays"][1]["playDateYmd"] == 20261122
    scores = [(players[s["playerRefId"]], s["score"], s["winner"], s["rank"]) for s in data["plays"][1]["playerScores"]]
    assert scores == [("Ben", "5", True, 1), ("Cat", "5", True, 1), ("Ann", "-3", False, 3)]
    assert {each["uuid"] for each in data["plays"]} == {each.uuid for each in league.plays(whole=True)}
    assert data["games"][0]["name"] == "Upwards!" and data["userInfo"] == {}
