"""Sheets on the page are judged as `pencilbox score` judges their files."""

import json
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from generator import paths
from generator.judging.judge import Judge, documents
from generator.reading.load import load, shipped
from generator.rules.results import Unreadable, plain
from generator.studio.app import application
from generator.studio.projects import Projects
from generator.studio.security import Access
from tests.forms import filled
from tests.presses import form_of

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
TESTS = Path(__file__).parents[1]
EXAMPLES = ("dice_dozen", "kite_day", "potting_shed", "lantern_walk", "picnic", "star_trails")
GOOD = [(game, file) for game in shipped() for file in sorted((TESTS / "games" / game / "good").glob("*.yaml"))]
GOOD += [(f"examples/{name}", paths.EXAMPLES / name / "filled.yaml") for name in EXAMPLES]


@pytest.fixture(scope="module")
def projects():
    return Projects()


@pytest.fixture(scope="module")
def client(projects):
    access = Access(frozenset({HOST}), 8000)
    with TestClient(application(access, projects), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        client.get(f"/?token={access.token}")
        yield client


def address(projects, game):
    return f"/g/{projects.open(game if game in shipped() else paths.EXAMPLES / Path(game).name).key}/score"


def opened(client, address, file, name=None):
    return client.post(f"{address}/open", params={"name": name or file.name}, content=file.read_bytes())


@pytest.mark.parametrize(("game", "file"), GOOD, ids=lambda each: getattr(each, "stem", str(each)))
def test_a_file_that_is_opened_has_the_result_of_score(client, projects, game, file):
    at = address(projects, game)
    sheet = opened(client, at, file).json()
    answer = client.post(f"{at}/judge", json={"sheet": sheet["sheet"], "sheets": [sheet["filled"]]}).json()
    named = None if game in shipped() else str(paths.EXAMPLES / Path(game).name)
    right = plain(Judge(named, explain=True).answer(next(documents(str(file), named)), str(file)))
    findings = [(finding["rule"], finding["where"]) for finding in right["findings"]]
    assert [(problem["rule"], problem["where"]) for problem in answer["problems"]] == findings
    points = [
        (player["name"], player["total"], [(line["label"], line["points"]) for line in player["lines"]])
        for player in right["players"]
    ]
    assert [
        (player["name"], player["total"], [(line["label"], line["points"]) for line in player["lines"]])
        for player in answer["players"]
    ] == points


@pytest.mark.parametrize(("game", "file"), GOOD, ids=lambda each: getattr(each, "stem", str(each)))
def test_what_is_saved_is_the_same_sheet(client, projects, tmp_path, game, file):
    at = address(projects, game)
    sheet = opened(client, at, file).json()
    filling = {"sheet": sheet["sheet"], "sheets": [sheet["filled"]]}
    named = None if game in shipped() else str(paths.EXAMPLES / Path(game).name)
    judge = Judge(named)
    right = plain(judge.answer(next(documents(str(file), named)), str(file)))
    for kind in ("yaml", "json"):
        path = tmp_path / f"sheet.{kind}"
        path.write_bytes(client.post(f"{at}/file/{kind}", json=filling).content)
        answer = judge.answer(next(documents(str(path), named)), str(path))
        assert not isinstance(answer, Unreadable), answer
        assert plain(answer)["players"] == right["players"]
        assert [finding["rule"] for finding in plain(answer)["findings"]] == [f["rule"] for f in right["findings"]]


@pytest.mark.parametrize("game", [*shipped(), *(f"examples/{name}" for name in EXAMPLES)])
def test_every_sheet_lies_on_the_page(client, projects, game):
    at = address(projects, game)
    definition = load(game if game in shipped() else paths.EXAMPLES / Path(game).name)
    assert client.get(at).status_code == 200
    for name, sheet in definition.sheets.items():
        blank = client.get(f"{at}/sheet", params={"sheet": name}).json()
        assert [each["id"] for each in blank["fields"]] == list(sheet.fields)
        for each in blank["fields"]:
            x, y, width, height = each["box"]
            page = blank["pages"][each["page"]]
            assert 0 <= x < x + width <= page["width"]
            assert 0 <= y < y + height <= page["height"]
            assert each["name"]
        empty = client.post(f"{at}/judge", json={"sheet": name, "sheets": [{}]}).json()
        assert not empty["problems"]


def test_a_wrong_sum_can_be_put_right(client, projects):
    marks = {"grid.a1": "1", "grid.a2": "2", "option.rows": "x", "claimed.total": "9"}
    answer = client.post(f"{address(projects, 'upwards')}/judge", json={"sheet": "sheet", "sheets": [{"marks": marks}]})
    (problem,) = answer.json()["problems"]
    assert problem["fix"] == {"field": "claimed.total", "value": "1"}
    assert "total" in problem["text"].lower()


def test_a_mark_that_cannot_be_read_leaves_the_others(client, projects):
    marks = {"grid.a1": "1", "grid.a2": "2", "option.rows": "x", "claimed.total": "many"}
    at = f"{address(projects, 'upwards')}/judge"
    answer = client.post(at, json={"sheet": "sheet", "sheets": [{"marks": marks}]}).json()
    (problem,) = answer["problems"]
    assert problem["unread"]
    assert problem["where"] == ["claimed.total"]
    assert answer["players"][0]["total"] == 1


def test_several_sheets_are_the_players_of_one_game(client, projects):
    sheets = [
        {"marks": {"player": name, "option.rows": "x", "grid.a1": "1", "grid.a2": up}}
        for name, up in (("Ann", "2"), ("Ben", "5"))
    ]
    answer = client.post(
        f"{address(projects, 'upwards')}/judge", json={"sheet": "sheet", "sheets": [*sheets, {}]}
    ).json()
    assert answer["headline"] == "Ann wins with 1 point."
    assert [(player["name"], player["rank"], player["sheet"]) for player in answer["players"]] == [
        ("Ann", 1, 0),
        ("Ben", 2, 1),
    ]


def test_a_code_is_on_the_sheet(client, projects):
    at = address(projects, "examples/kite_day")
    code = client.get(f"{at}/sheet", params={"sheet": "sheet", "code": "KD-1D01-XXXXX-XXXXX-XX"})
    assert code.status_code == 422
    assert code.json()["problems"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.yaml", b"{"),
        ("a.pdf", b"%PDF-1.7\n"),
        ("a.png", b"\x89PNG"),
        ("a.yaml", b""),
        ("a.json", b'{"game": "chess"}'),
        ("../a", b"x"),
    ],
)
def test_files_that_are_no_sheets_are_refused_in_words(client, projects, name, content):
    answer = client.post(f"{address(projects, 'upwards')}/open", params={"name": name}, content=content)
    assert answer.status_code == 422
    assert all(problem["message"] and "/tmp" not in problem["place"] for problem in answer.json()["problems"])


NESTED = json.loads("[" * 300 + "]" * 300)


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"sheet": "sheet", "sheets": [{"extra": {"snake": NESTED}}]},
        {"sheet": "none"},
        {"sheet": "sheet", "sheets": [{}] * 99},
        {"sheet": "sheet", "sheets": 3},
    ],
)
def test_wrong_requests_are_refused(client, projects, body):
    assert client.post(f"{address(projects, 'upwards')}/judge", json=body).status_code in (400, 404, 422)


@pytest.mark.parametrize(
    "name", ["", "..", "grid", "a..b", "claimed.columns.x", "players.9999", "blocks", "log", "\ud800", "grid.a1.b"]
)
def test_marks_of_unknown_fields_are_problems(client, projects, name):
    body = json.dumps({"sheet": "sheet", "sheets": [{"marks": {name: "x", "grid.a1": "1"}}]})
    at = address(projects, "upwards")
    answer = client.post(f"{at}/judge", content=body)
    assert answer.status_code == 400 or answer.json()["problems"]
    assert client.post(f"{at}/file/yaml", content=body).status_code in (200, 400)


def test_a_scored_copy_and_a_page_to_share(client, projects):
    at = address(projects, "upwards")
    sheet = opened(client, at, TESTS / "games" / "upwards" / "good" / "rows.yaml").json()
    filling = {"sheet": "sheet", "sheets": [sheet["filled"]]}
    assert client.post(f"{at}/file/pdf", json=filling).content.startswith(b"%PDF-")
    assert "Nele" in client.post(f"{at}/file/html", json=filling).text
    assert client.post(f"{at}/file/pdf", json={"sheet": "sheet", "sheets": [{}]}).json()["problems"]


def test_a_sheet_of_another_game_opens_there(client, projects):
    file = TESTS / "games" / "elevator_up" / "good" / "tally.yaml"
    found = opened(client, address(projects, "upwards"), file).json()
    assert (found["game"], found["sheet"], found["here"]) == ("elevator_up", "tally", False)


def test_a_phone_opens_the_same_sheet(projects):
    access = Access(frozenset({HOST}), 8000, "http://192.0.2.7:8000")
    with TestClient(application(access, projects), base_url=ORIGIN) as client:
        client.get(f"/?token={access.token}")
        assert client.get("/g/upwards/score/phone.svg", params={"sheet": "sheet"}).text.startswith("<svg")
        answer = client.get(f"/g/upwards/score?sheet=sheet&token={access.token}", follow_redirects=False)
        assert answer.headers["location"] == "/g/upwards/score?sheet=sheet"


def test_a_game_is_saved_once(client, projects, tmp_path, monkeypatch):
    monkeypatch.setenv("PENCILBOX_LEAGUE", str(tmp_path / "league.sqlite3"))
    at = f"{address(projects, 'upwards')}/save"
    marks = {"option.rows": "x", "grid.a1": "1", "grid.a2": "2"}
    sheets = [{"marks": marks | {"player": name}} for name in ("Ann", "Ben")]
    filling = {"sheet": "sheet", "sheets": sheets, "date": "2026-11-21"}
    first, second, third = (client.post(at, json=each).json() for each in (filling, filling, filling | {"again": True}))
    assert (first["new"], first["counted"], first["date"]) == (True, True, "2026-11-21")
    assert (second["new"], second["number"]) == (False, first["number"])
    assert third["new"]
    sheets[0]["marks"]["grid.b2"] = "3"
    wrong = client.post(at, json=filling).json()
    assert (wrong["new"], wrong["counted"]) == (True, False)
    assert wrong["reason"]
    nameless = client.post(at, json={"sheet": "sheet", "sheets": [{"marks": marks}], "date": "2026-11-21"}).json()
    assert "--" not in nameless["problems"][0]["hint"]
    assert client.post(at, json={"sheet": "sheet", "sheets": [{}]}).json()["problems"]


def test_a_filled_in_form_opens(client, projects):
    form = filled(form_of("upwards", "sheet"), {"player": "Nele", "grid.a1": "4", "option.rows": "/Yes"})
    at = address(projects, "elevator_up")
    found = client.post(f"{at}/open", params={"name": "nele.pdf"}, content=form).json()
    assert (found["game"], found["sheet"], found["here"]) == ("upwards", "sheet", False)
    assert found["filled"]["marks"] == {"player": "Nele", "grid.a1": "4", "option.rows": "x"}


# ---- in a browser

MISTAKES = {  # typed in the order of the names of the fields; the last part is not checked before one goes on
    "upwards": ({"player": "Nele", "option.rows": True, "grid.a3": "3", "reserve.1": "2"}, "grid.a3"),
    "elevator_up": (
        {"players.1": "Ann", "players.2": "Ben", "turns.1.player": "Ann", "turns.1.play.1": "4"}
        | {"turns.2.player": "Ann", "turns.2.play.1": "5", "turns.3.player": "Ann"},
        "turns.2.player",
    ),
    "from_the_ground_up": (
        {"players.1.name": "Ann", "towers.4.owner": "1", "towers.4.crates.1": "1"}
        | {"towers.4.crates.2": "6", "players.2.name": "Ben", "towers.5.crates.1": "2"},
        "towers.4.crates.2",
    ),
    "rolling_cubes": (
        {"players.1": "Ann", "rounds.1.words.1.tiles": "CAT", "rounds.1.words.1.word": "dog"}
        | {"rounds.2.words.1.tiles": "D"},
        "rounds.1.words.1.word",
    ),
    "cosmic_consequences": (
        {"players.1": "Ann", "players.2": "Ben", "turns.1.player": "2", "turns.1.roll": "5", "turns.2.player": "1"},
        "turns.1.player",
    ),
}
TYPE = """
for (const [id, text] of Object.entries(arguments[0])) {
  const box = document.querySelector(`.box[data-id="${id}"]`);
  box.focus();
  if (text === true) box.click();
  else { box.value = text; box.dispatchEvent(new Event("input", { bubbles: true })); }
}
"""


def test_a_mistake_on_a_sheet_of_each_game_is_circled(sheets, browser, wait):
    for game, (marks, wrong) in MISTAKES.items():
        browser.get(sheets.at(f"/g/{game}/score"))
        wait("document.querySelector('.box')")
        browser.execute_script(TYPE, marks)
        wait("document.querySelector('.rings .pen')")
        box = f"document.querySelector('.box[data-id=\"{wrong}\"]')"
        label = wait(f"{box}.getAttribute('aria-invalid') === 'true' && {box}.getAttribute('aria-label')")
        assert "problem" in label


def test_typing_saving_and_dropping(sheets, browser, wait, tmp_path):
    """By keyboard: marks move on, arrows, F8, the snake; then a reload, and a file that is dropped."""
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.keys import Keys

    def press(*keys):
        ActionChains(browser).send_keys(*keys).perform()

    browser.get(sheets.at("/g/upwards/score"))
    wait("document.querySelector('.box[data-id=\"grid.d1\"]')")
    browser.execute_script("document.querySelector('.box').focus()")
    press("Nele", Keys.TAB, Keys.TAB, Keys.TAB, Keys.SPACE)
    browser.execute_script("document.querySelector('.box[data-id=\"grid.a2\"]').focus()")
    press("44")
    assert wait("document.activeElement.dataset.id") == "grid.c2"
    assert wait("document.activeElement.getAttribute('aria-label')") == "c2, empty, takes 1 to 6 or o"
    press(Keys.ARROW_DOWN, "9")
    assert wait("document.activeElement.value === '' && document.activeElement.dataset.id") == "grid.c1"
    press("5")
    browser.execute_script("document.querySelector('.box[data-id=\"claimed.total\"]').focus()")
    press("99", Keys.TAB)
    wait("document.querySelector('#problem-title').textContent.startsWith('2 problems')")
    press(Keys.F8)
    assert wait("document.activeElement.dataset.id") == "grid.a2"
    wait("document.querySelector('#drawings .button')").click()
    press(Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER, Keys.ESCAPE)
    wait("document.querySelector('.ink .line')")
    for option in ("snake", "blocks"):
        browser.execute_script(f"document.querySelector('.box[data-id=\"option.{option}\"]').click()")
    wait("document.querySelectorAll('#drawings .button')[1]").click()
    browser.execute_script("document.querySelector('.box[data-id=\"grid.a2\"]').focus()")
    press(Keys.ENTER, Keys.ARROW_DOWN, Keys.ENTER, Keys.ARROW_RIGHT, Keys.ENTER)
    wait(
        "[...document.querySelectorAll('#drawings .button')].find((each) => each.textContent === 'Add this block')"
    ).click()
    wait("document.querySelector('#drawings').textContent.includes('small corner: a2 a1 b1')")
    browser.refresh()
    wait("document.querySelector('.ink .line')")
    assert wait("document.querySelector('.box').value") == "Nele"
    wait(
        "[...document.querySelectorAll('.problem .button')].find((each) => each.textContent.startsWith('Write'))"
    ).click()
    wait("!document.querySelector('#problems').textContent.includes('99')")
    browser.find_element("id", "file").send_keys(str(TESTS / "games" / "upwards" / "good" / "rows.yaml"))
    wait("document.querySelector('#headline').textContent.includes('Nele')")
    browser.find_element("id", "save").click()
    wait("document.querySelector('#save').textContent.startsWith('Saved')")
    wait("document.querySelector('#save-note').textContent.startsWith('Saved, but not counted')")
    (tmp_path / "wrong.yaml").write_text("game: upwards\nplayr: Nele\n")
    browser.find_element("id", "file").send_keys(str(tmp_path / "wrong.yaml"))
    wait("document.querySelector('#refused').textContent.includes('playr')")
    browser.get_log("browser")  # Chromium logs the refusal as an error


def test_a_phone_has_keys_for_the_marks(sheets, browser, wait):
    browser.set_window_size(500, 844)
    browser.get(sheets.at("/g/upwards/score"))
    wait("document.querySelector('.box[data-id=\"grid.a1\"]')")
    browser.execute_script("document.querySelector('.box[data-id=\"grid.a1\"]').focus()")
    wait("document.querySelectorAll('#pad-keys button').length === 8")
    assert wait("document.activeElement.inputMode") == "none"
    wait("document.querySelector('#pad-keys button')").click()
    assert wait("document.activeElement.dataset.id") == "grid.b1"
    assert wait("document.querySelector('.box[data-id=\"grid.a1\"]').value") == "1"
    assert wait("document.querySelector('#pages').style.transform.includes('scale')")
    browser.set_network_conditions(offline=True, latency=0, throughput=0)
    try:
        wait("document.querySelector('#pad-keys button')").click()
        wait("document.querySelector('#status').textContent === 'Kept on this phone until the table is back.'")
        wait("localStorage.getItem('score:upwards:sheet').includes('grid.b1')")
    finally:
        browser.delete_network_conditions()
    wait("document.querySelector('#status').textContent.startsWith('All changes')")
    browser.get_log("browser")  # Chromium logs that the server was not reached
