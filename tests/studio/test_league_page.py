"""League: the table, and what changes it."""

import datetime
import json
from itertools import pairwise

import pytest
from starlette.testclient import TestClient

from generator.league import League, Play, Seat, league_file
from generator.studio.app import application
from generator.studio.league_page import LABEL_HEIGHT, ChartLine, _place_labels
from generator.studio.projects import Projects
from generator.studio.security import Access

ORIGIN = "http://127.0.0.1:8000"


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.setenv("PENCILBOX_LEAGUE", str(tmp_path / "league.sqlite"))
    access = Access(frozenset({"127.0.0.1:8000"}), 8000)
    with TestClient(application(access, Projects()), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        client.get(f"/?token={access.token}")
        yield client


def play(number, *results, status="counted", date="2026-11-21", title="Upwards!"):
    places = {points: place for place, points in enumerate(sorted({points for _, points in results}, reverse=True), 1)}
    seats = tuple(Seat(name, points, places[points], (("Columns", points),)) for name, points in results)
    reason = "" if status == "counted" else "d3 is filled but d2 below it is empty"
    problems = () if status == "counted" else (f"error: gravity: {reason}",)
    return Play(
        date=date,
        game="upwards",
        title=title,
        sheet="sheet",
        seats=seats,
        status=status,
        digest=f"digest {number}",
        reason=reason,
        problems=problems,
    )


def save(*plays):
    League(league_file()).save(plays)


def test_an_empty_league_says_what_to_do(client):
    text = client.get("/league").text
    assert "Save a scored sheet and the table starts here." in text
    assert client.get("/league/play/1").status_code == 422


def test_the_table_shows_who_has_won(client):
    save(play(1, ("Nele", 23), ("Nina", 15)), play(2, ("Nele", 3), ("Nina", 9), status="broken"))
    text = client.get("/league?project=upwards").text
    assert "1 not counted" in text
    assert text.index(">Nele</a>") < text.index(">Nina</a>")
    assert 'class="band"' in text
    assert "/g/upwards/score" in text


def test_text_of_players_is_never_markup(client):
    save(play(1, ("<b>Ann</b>", 23), ('"><script>', 15), title="<i>Up</i>"))
    for address in ("/league", "/league/play/1"):
        text = client.get(address).text
        assert "<b>Ann</b>" not in text
        assert '"><script>' not in text
        assert "<i>Up</i>" not in text


@pytest.mark.parametrize("query", ["game=nothing", "period=month", "period=x", "game=%00", "player=Nobody", "all=1"])
def test_every_filter_has_an_answer(client, query):
    save(play(1, ("Nele", 23), ("Nina", 15), date="2020-02-29"))
    assert client.get(f"/league?{query}").status_code == 200


def test_players_are_renamed_and_merged(client):
    save(play(1, ("Nele", 23), ("Nina", 15)), play(2, ("Nelly", 23), ("Nina", 15)))
    tried = client.post("/league/merge?try", json={"player": "Nelly", "to": "Nele"})
    assert tried.json()["said"] == "1 game of Nelly will be Nele’s."
    assert ">Nelly</a>" in client.get("/league").text
    assert client.post("/league/merge", json={"player": "Nelly", "to": "Nele"}).status_code == 200
    assert (
        client.post("/league/rename", json={"player": "Nina", "to": "Nina B"}).json()["said"] == "Nina is now Nina B."
    )
    text = client.get("/league").text
    assert ">Nelly</a>" not in text
    assert ">Nina B</a>" in text


@pytest.mark.parametrize(
    "names", [{"player": "Nobody", "to": "x"}, {"player": "Nele", "to": ""}, {"player": "Nele", "to": "Nina"}]
)
def test_what_cannot_be_changed_is_explained(client, names):
    save(play(1, ("Nele", 23), ("Nina", 15)))
    deed = "merge" if names["to"] == "Nina" else "rename"
    answer = client.post(f"/league/{deed}", json=names)
    assert answer.status_code == 422
    assert answer.json()["problems"][0]["message"]


def test_a_game_is_shown_shared_and_deleted(client):
    save(play(1, ("Nele", 23), ("Nina", 15), status="broken"))
    text = client.get("/league/play/1").text
    assert "Not counted:" in text
    assert "https://app.bgstatsapp.com/createPlay.html?data=" in text
    assert client.get("/league/play/1/qr.svg").headers["content-type"].startswith("image/svg+xml")
    assert client.post("/league/play/1/forget").status_code == 200
    assert client.get("/league/play/1").status_code == 422


def test_exports_download(client):
    save(play(1, ("Nele", 23), ("Nina", 15)))
    assert json.loads(client.get("/league/league.json").content)
    assert json.loads(client.get("/league/league.bgsplay").content)["plays"]
    assert "Nele" in client.get("/league/league.csv").text
    assert client.get("/league/league.exe").status_code == 404


def test_a_file_that_is_no_league_is_explained(client, tmp_path):
    (tmp_path / "league.sqlite").write_bytes(b"not a database" * 100)
    answer = client.get("/league")
    assert "league.sqlite" in answer.text


def test_labels_of_lines_do_not_overlap():
    lines = [ChartLine(str(number), "", (0.0, 248.0), 0.0) for number in range(6)]
    _place_labels(lines)
    heights = sorted(line.label for line in lines)
    assert all(after - before >= LABEL_HEIGHT for before, after in pairwise(heights))
    assert heights[-1] <= 250


def test_periods_begin_before_today(client):
    today = str(datetime.date.today())
    save(play(1, ("Nele", 23), ("Nina", 15), date=today))
    for period in ("", "year", "quarter", "month"):
        assert ">Nele</a>" in client.get(f"/league?period={period}").text
