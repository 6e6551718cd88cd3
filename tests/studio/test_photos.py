"""Photos on the Score page: read, asked about, and scored as if they had been typed."""

import sys
from io import BytesIO

import pytest
from PIL import Image
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from starlette.testclient import TestClient

from generator.errors import InputError
from generator.league import League
from generator.studio.app import application
from generator.studio.photos import MAX_PHOTO, pages_on
from generator.studio.projects import Projects
from generator.studio.security import FOR_PHONES, Access
from tests.photo.simulate import photo_of
from tests.studio.test_pages import PICTURES, THEMES, WIDTHS, emulate, violations

HOST = "127.0.0.1:8000"
ORIGIN = f"http://{HOST}"
GRID = {"a": "124", "b": "3356", "c": "2", "d": "445"}
MARKS = {"player": "Nele", "option.rows": "x", "claimed.columns.1": "1"}
MARKS |= {f"grid.{column}{row}": digit for column, digits in GRID.items() for row, digit in enumerate(digits, 1)}


@pytest.fixture(scope="session")
def photo():
    return photo_of("upwards", "sheet", MARKS, seed=4, kind="easy").jpeg


@pytest.fixture
def client():
    access = Access(frozenset({HOST}), 8000)
    with TestClient(application(access, Projects()), base_url=ORIGIN, headers={"origin": ORIGIN}) as client:
        client.get(f"/?token={access.token}")
        yield client


def read(client, photo, game="upwards", **query):
    return client.post(f"/g/{game}/score/photo", params={"name": "sheet.jpg"} | query, content=photo)


def test_a_photo_is_read_and_answers_count(client, photo):
    (sheet,) = read(client, photo).json()["sheets"]
    assert (sheet["game"], sheet["sheet"], sheet["here"], sheet["paper"]) == ("upwards", "sheet", True, "a4")
    assert [each["field"] for each in sheet["questions"]][-1] == "player"
    at = f"/g/upwards/score/photo/{sheet['id']}"
    picture = Image.open(BytesIO(client.get(f"{at}/1.jpg").content))
    assert picture.size == (1188, 1680)
    answered = client.post(at, json=MARKS | {"player": "Anna Marie", "grid.d8": "99", "grid.z9": "1"}).json()
    assert {name: answered["marks"][name] for name in MARKS} == MARKS | {"player": "Anna Marie"}
    confirmed = [each["field"] for each in answered["fields"] if each["confirmed"]]
    assert sorted(confirmed) == sorted(MARKS)
    again = client.post(at, json={}).json()
    assert again["marks"] == sheet["marks"]
    judged = client.post("/g/upwards/score/judge", json={"sheet": "sheet", "sheets": [{"marks": answered["marks"]}]})
    assert judged.json()["players"][0]["name"] == "Anna Marie"
    same = read(client, photo, game="elevator_up", beside=sheet["id"], name="again.jpg").json()
    assert same["completes"]
    assert not same["sheets"][0]["here"]


def test_photos_are_kept_with_their_game(client, photo, tmp_path, monkeypatch):
    monkeypatch.setenv("PENCILBOX_LEAGUE", str(tmp_path / "league.sqlite3"))
    saving = {"sheet": "sheet", "sheets": [{"marks": MARKS}], "date": "2026-11-01"}
    client.post("/g/upwards/score/save", json=saving)
    (sheet,) = read(client, photo).json()["sheets"]
    assert sheet["names"]["player"] == ["Nele"]
    saving |= {"date": "2026-11-02", "photos": [sheet["id"], "gone"], "again": True}
    saved = client.post("/g/upwards/score/save", json=saving).json()
    at = f"/league/play/{saved['number']}"
    assert f'src="{at}/0.jpg"' in client.get(at).text
    assert Image.open(BytesIO(client.get(f"{at}/0.jpg").content)).width < 800
    assert client.get(f"{at}/1.jpg").status_code == 404
    again = client.post("/g/upwards/score/save", json=saving | {"photos": []}).json()
    assert not League().photos(again["number"])


def test_photos_that_cannot_be_read_are_refused_in_words(client):
    blank = BytesIO()
    Image.new("RGB", (1600, 1200), "white").save(blank, "JPEG")
    for content in (b"no picture", blank.getvalue()):
        answer = read(client, content)
        assert answer.status_code == 422
        (problem,) = answer.json()["problems"]
        assert problem["hint"]
        assert problem["place"] == "sheet.jpg"
    assert read(client, bytes(MAX_PHOTO + 1)).json()["problems"][0]["message"] == "larger than 30 MB"
    assert client.get("/g/upwards/score/photo/0123/1.jpg").status_code == 404
    assert client.post("/g/upwards/score/photo/0123", json={}).status_code == 404


def test_without_the_extra_the_message_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "generator.photo.reader", None)
    with pytest.raises(InputError) as error:
        pages_on(None, "sheet.jpg", b"", "upwards", "")
    assert error.value.problems[0].hint == "install it with: pip install 'pencilbox[photo]'"


def test_phones_may_send_photos():
    assert FOR_PHONES.fullmatch("/g/upwards/score/photo")
    assert FOR_PHONES.fullmatch("/g/upwards/score/photo/0123/1.jpg")


def test_fields_that_look_alike_are_one_question(sheets, browser):
    asked = """
        const [alone, done] = [arguments[0], arguments[1]];
        const fields = Object.fromEntries(["a", "b", "c"].map((id) => [id, { sure: false }]));
        const questions = [{ field: "a", alike: ["b", "c"], marks: ["4"] }];
        const photo = { fields, questions, answers: { b: "4" }, changed: [], later: [], apart: alone ? ["a"] : [] };
        import("/static/photo.js").then(({ question }) => done(question(photo).fields));
    """
    assert browser.execute_async_script(asked, False) == ["a", "c"]
    assert browser.execute_async_script(asked, True) == ["a"]


def answer_everything(browser, wait):
    """Answers every question with its best reading, and names the player."""
    for _ in range(20):
        asked = wait("document.querySelector('.asking-head') && !document.querySelector('.question[inert]')")
        if asked and not browser.find_elements(By.ID, "asked"):
            return
        keys = Keys.ENTER if browser.find_elements(By.CSS_SELECTOR, ".choices > .primary") else f"Nele{Keys.ENTER}"
        browser.switch_to.active_element.send_keys(keys)


def test_a_photo_lies_under_its_readings(sheets, browser, wait, photo, tmp_path):
    (tmp_path / "sheet.jpg").write_bytes(photo)
    (tmp_path / "wrong.jpg").write_bytes(b"no picture")
    browser.get(sheets.at("/g/upwards/score"))
    wait("document.querySelector('.box')")
    picker = browser.find_element(By.ID, "file")
    picker.send_keys(str(tmp_path / "sheet.jpg"))
    wait("document.querySelector('.question')")
    wait("document.querySelector('.page.photo .paper').complete")
    found = []
    for size in WIDTHS:
        for theme in THEMES if size == "desktop" else THEMES[:1]:
            emulate(browser, size, theme)
            wait("document.querySelector('.crop')")
            found += violations(browser, size, theme)
            if PICTURES and (size, theme) == ("desktop", "light"):
                browser.save_screenshot(f"{PICTURES}/studio-photo.png")
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    assert found == []
    browser.find_element(By.CSS_SELECTOR, ".choices button, #said").click()
    browser.refresh()
    wait("document.querySelector('.doubt')")
    answer_everything(browser, wait)
    wait("document.querySelector('#headline').textContent.startsWith('Nele')")
    wait("document.querySelector('.asking-head').textContent.includes('confirmed by you')")
    assert wait("document.querySelector('.box[data-id=\"player\"]').getAttribute('aria-label')").endswith("by you")
    assert wait("document.querySelector('.box[data-id=\"grid.a3\"]').value") == "4"
    browser.find_element(By.ID, "show-photo").click()
    wait("!document.querySelector('.page.photo')")
    picker = browser.find_element(By.ID, "file")
    picker.send_keys(str(tmp_path / "wrong.jpg"))
    wait("document.querySelector('#refused').textContent.includes('wrong.jpg cannot be read')")
    browser.execute_script("""
        const [place, kept] = Object.entries(localStorage).find(([name]) => name.startsWith("score:"));
        const state = JSON.parse(kept);
        Object.assign(state.players[0].photo, { id: "0123", shown: true });
        localStorage.setItem(place, JSON.stringify(state));
        location.reload();
    """)
    wait("document.querySelector('.asking-head')?.textContent.includes('Add it again to see it')")
    assert (
        wait("!document.querySelector('.page.photo') && document.querySelector('.box[data-id=\"grid.a3\"]').value")
        == "4"
    )
    browser.get_log("browser")  # Chromium logs what was refused or is not there as errors
