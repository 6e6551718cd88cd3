"""Draw: sets as `randomise` draws them, their pictures and PDFs, and games that are played while one watches."""

import json

import pytest
from selenium.webdriver.common.by import By
from starlette.testclient import TestClient

from generator import games
from generator.draws import parse
from generator.reading.load import load
from generator.studio.app import application
from generator.studio.projects import Projects
from generator.studio.security import Access

ORIGIN = "http://127.0.0.1:8000"


@pytest.fixture(scope="module")
def client():
    access = Access(frozenset({"127.0.0.1:8000"}), 8000)
    with TestClient(application(access, Projects()), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        client.get(f"/?token={access.token}")
        yield client


def drawn(client, game, **order):
    answer = client.post(f"/g/{game}/draw/sets", json=order)
    assert answer.status_code == 200, answer.text
    return answer.json()["codes"]


@pytest.mark.parametrize(("key", "kind"), [(key, kind) for key in games.SHIPPED for kind in load(key).draws])
def test_every_kind_of_set_is_drawn_and_shown(client, key, kind):
    game = load(key)
    [code] = drawn(client, key, kind=kind, seed="Tuesday")
    assert code == str(games.new_code(game, "Tuesday", 0, kind))
    shown = client.get(f"/g/{key}/draw/set/{code}").json()
    assert shown["code"] == code
    assert shown["problems"] == []
    assert {part["name"] for part in shown["parts"]} == set(games.deal(game, parse(code)).changes(game))
    pieces = [piece for part in shown["parts"] for piece in part["pieces"]]
    picture = client.get(f"/g/{key}/picture/{pieces[0]['front']['key']}/90.png")
    assert picture.headers["content-type"].startswith("image/")
    printed = client.get(f"/g/{key}/draw/set/{code}/{shown['parts'][0]['name']}.pdf?paper=letter")
    assert printed.content.startswith(b"%PDF")


def test_options_reach_the_draw(client):
    game = load("from_the_ground_up")
    options = {"profile": "fierce", "players": "2"}
    codes = drawn(client, "from_the_ground_up", options=options, seed="x", count=3)
    assert codes == [str(games.new_code(game, "x", index, options=options)) for index in range(3)]
    run = drawn(client, "from_the_ground_up", seed="x", count=2, no_common_cards=True)
    decks = [{card.values["symbols"] for card in games.deal(game, parse(code)).cards["cards"]} for code in run]
    assert not decks[0] & decks[1]


@pytest.mark.parametrize(
    "order",
    [
        {"kind": "nothing"},
        {"options": {"players": "9"}},
        {"options": {"colour": "red"}},
        {"kind": "cards", "options": {"profile": "gentle", "players": "7"}},
    ],
)
def test_what_cannot_be_drawn_is_explained(client, order):
    answer = client.post("/g/from_the_ground_up/draw/sets", json=order)
    assert answer.status_code == 422
    assert all(problem["message"] for problem in answer.json()["problems"])


@pytest.mark.parametrize("order", [{"count": 0}, {"count": 101}, {"count": "3"}, {"options": []}])
def test_a_malformed_order_is_refused(client, order):
    assert client.post("/g/from_the_ground_up/draw/sets", json=order).status_code == 400


@pytest.mark.parametrize("code", ["GU-1C01-AAAAA-AAAAA-AA", "UP-1S01-0", "x" * 500])
def test_a_wrong_code_is_explained(client, code):
    for end in ("", "/qr.svg", "/cards.pdf"):
        answer = client.get(f"/g/from_the_ground_up/draw/set/{code}{end}")
        assert answer.status_code in (404, 422), answer.text


def test_the_qr_code_is_a_picture(client):
    [code] = drawn(client, "elevator_up")
    answer = client.get(f"/g/elevator_up/draw/set/{code}/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert b"<path" in answer.content


def test_games_are_played_and_counted(client):
    [code] = drawn(client, "elevator_up", seed="x", options={"players": "3"})
    with client.stream("GET", f"/g/elevator_up/draw/balance?code={code}&games=40") as answer:
        events = [line for line in answer.iter_lines() if line]
    kinds = [line.removeprefix("event: ") for line in events if line.startswith("event")]
    assert kinds[-1] == "done"
    state = json.loads(events[-3].removeprefix("data: "))
    assert (state["played"], state["total"]) == (40, 40)
    assert "<svg" in state["html"]


def test_what_cannot_be_played_is_explained(client):
    with client.stream("GET", "/g/elevator_up/draw/balance?players=9") as answer:
        assert "event: problems" in list(answer.iter_lines())
    assert client.get("/g/elevator_up/draw/balance?players=x").status_code == 400


def test_a_set_is_drawn_in_the_browser(upwards, browser, wait):
    browser.get(upwards.first("/g/from_the_ground_up/draw"))
    browser.find_element(By.CSS_SELECTOR, "[data-value=gentle]").click()
    browser.find_element(By.ID, "another").click()
    code = wait("document.querySelector('#code').textContent")
    wait("document.querySelectorAll('#parts .picture img').length >= 12")
    wait("document.querySelector('#parts .picture img').complete")
    browser.find_element(By.ID, "play").click()
    wait("document.querySelector('#balance svg')")
    browser.find_element(By.ID, "play").click()
    assert wait("document.querySelector('#played').textContent").startswith("Stopped after")
    assert wait("document.querySelector('#balance svg') !== null")
    browser.refresh()
    wait("document.querySelector('#code').textContent === arguments[0]", code)
    assert code in wait("document.querySelector('#drawn').textContent")
