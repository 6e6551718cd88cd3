"""Tables become cards, and what one chooses is kept in files, byte for byte where nothing changes."""

import io
import zipfile

import openpyxl
import pytest
from starlette.testclient import TestClient

from generator import paths
from generator.reading.load import load, shipped
from generator.studio.app import application
from generator.studio.projects import Projects
from generator.studio.security import Access

HOST = "127.0.0.1:8000"
ORIGIN = {"origin": f"http://{HOST}"}
LANTERNS = (
    b"\xef\xbb\xbfName;Copies;Text;Flavour\r\n"
    b'"Paper Moon";2;"Counts ""double""; at night.";It never sets.\r\n'
    b"River Light;3;Move on.;\r\n"
    b"Old Kiln;1;Draw two.;Still warm.\r\n"
)
COMMENT = "# mine: stays\n"


class Client(TestClient):
    """A page of the studio, with the folder in which it was started."""

    def ask(self, address, data=None, expected=200):
        answer = self.get(address) if data is None else self.post(address, json=data, headers=ORIGIN)
        assert answer.status_code == expected, answer.text
        return answer.json()

    def drop(self, name, data, expected=200):
        answer = self.post(f"/upload?name={name}", content=data, headers=ORIGIN)
        assert answer.status_code == expected, answer.text
        return answer.json().get("project") or answer.json()["problems"]

    def table(self, game):
        return self.ask(f"/g/{game}/table")

    def rows(self, game, at, remove, rows, expected=200, version=None):
        change = {"version": version or self.table(game)["version"], "at": at, "remove": remove, "rows": rows}
        return self.ask(f"/g/{game}/rows", change, expected)

    def choose(self, game, what, value, name="", expected=200):
        return self.ask(f"/g/{game}/choice", {"what": what, "value": value, "name": name}, expected)


@pytest.fixture
def client(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    access = Access(frozenset({HOST}), 8000)
    with Client(application(access, Projects()), base_url=f"http://{HOST}") as client:
        client.get(f"/?token={access.token}")
        yield client


@pytest.fixture
def game(client):
    return client.drop("lanterns.csv", LANTERNS)


def test_a_dropped_table_becomes_a_game_in_a_new_folder(client, game, tmp_path):
    assert {file.name for file in (tmp_path / "lanterns").iterdir()} == {
        "lanterns.csv",
        "game.yaml",
        "cards.yaml",
        "theme.yaml",
    }
    assert (tmp_path / "lanterns/lanterns.csv").read_bytes() == LANTERNS
    table = client.table(game)
    assert table["roles"] == ["title", "copies", "text", "flavour"]
    assert table["about"] == "3 rows, 6 cards; semicolons, UTF-8"
    client.drop("lanterns.csv", b"Name,Text\nA,b\n")
    assert (tmp_path / "lanterns/lanterns.csv").read_bytes() == LANTERNS
    assert (tmp_path / "lanterns_2").is_dir()


def test_a_changed_cell_changes_nothing_else(client, game, tmp_path):
    cells = client.table(game)["rows"][1]["cells"]
    client.rows(game, 1, 1, [[1, [cells[0], "4", *cells[2:]]]])
    written = (tmp_path / "lanterns/lanterns.csv").read_bytes()
    assert written == LANTERNS.replace(b"River Light;3", b"River Light;4")
    assert client.ask(f"/g/{game}/back/undo", {})["redo"]
    assert (tmp_path / "lanterns/lanterns.csv").read_bytes() == LANTERNS
    client.ask(f"/g/{game}/back/redo", {})
    assert (tmp_path / "lanterns/lanterns.csv").read_bytes() == written


def test_rows_come_go_and_move(client, game, tmp_path):
    table = client.rows(game, 3, 0, [[None, ["Fog Bell", "2", "", ""]]])
    assert [row["cells"][0] for row in table["rows"]] == ["Paper Moon", "River Light", "Old Kiln", "Fog Bell"]
    rows = [row["cells"] for row in table["rows"]]
    client.rows(game, 0, 2, [[1, rows[1]], [0, rows[0]]])
    table = client.rows(game, 2, 1, [])
    assert [row["cells"][0] for row in table["rows"]] == ["River Light", "Paper Moon", "Fog Bell"]
    assert "at least one card" in client.rows(game, 0, 3, [], 422)["problems"][0]["message"]


def test_a_stale_table_is_not_written(client, game, tmp_path):
    old = client.table(game)["version"]
    file = tmp_path / "lanterns/lanterns.csv"
    file.write_bytes(other := LANTERNS.replace(b"Old Kiln", b"New Kiln"))
    problems = client.rows(game, 0, 1, [[0, ["Moon", "2", "", ""]]], 409, version=old)["problems"]
    assert "was changed in another tab or program" in problems[0]["message"]
    assert file.read_bytes() == other
    client.rows(game, 0, 1, [[0, ["Moon", "2", "", ""]]])
    assert b'"Moon";2;;\r\n' in file.read_bytes()
    file.write_bytes(LANTERNS)
    assert "changed elsewhere" in client.ask(f"/g/{game}/back/undo", {}, 422)["problems"][0]["message"]


def test_choices_are_written_and_comments_stay(client, game, tmp_path):
    folder = tmp_path / "lanterns"
    for name in ("game.yaml", "cards.yaml", "theme.yaml"):
        (folder / name).write_text(COMMENT + (folder / name).read_text())
    before = {name: (folder / name).read_text() for name in ("game.yaml", "cards.yaml", "theme.yaml")}
    client.choose(game, "column", "-", "Flavour")
    client.choose(game, "column", "+", "Text")
    client.choose(game, "face", "tarot")
    client.choose(game, "size", "tarot")
    client.choose(game, "title", "17")
    client.choose(game, "colour", "#123456", "accent")
    table = client.table(game)
    assert table["roles"] == ["title", "copies", "+", "-"]
    assert table["look"]["face"] == table["look"]["size"] == "tarot"
    assert table["look"]["given"]["title"] == 17
    assert table["look"]["back"] == "#123456"
    changed = 0
    for name, text in before.items():
        now = (folder / name).read_text()
        gone = [line for line in text.splitlines() if line not in now.splitlines()]
        changed += len(gone)
        assert now.startswith(COMMENT)
        assert all(line.rpartition("#")[2] in now for line in gone)
    assert changed == 4, "face, back, size and accent"
    for _ in range(6):
        client.ask(f"/g/{game}/back/undo", {})
    assert {name: (folder / name).read_text() for name in before} == before


@pytest.mark.parametrize(
    ("what", "value", "name"),
    [
        ("face", "../../x", ""),
        ("size", "9 x 9999999", ""),
        ("column", "nothing", "Name"),
        ("title", "large", ""),
        ("colour", "}: [", "accent"),
        ("nothing", "x", ""),
        ("font", "../../../etc/passwd", ""),
    ],
)
def test_a_choice_that_cannot_be_read_is_not_kept(client, game, tmp_path, what, value, name):
    before = {file: file.read_bytes() for file in (tmp_path / "lanterns").iterdir()}
    assert client.choose(game, what, value, name, expected=422)["problems"]
    assert {file: file.read_bytes() for file in (tmp_path / "lanterns").iterdir()} == before
    assert not client.table(game)["undo"]


def test_a_wrong_cell_is_kept_and_reported_and_the_last_cards_stay(client, game):
    client.ask(f"/g/{game}/state")
    client.rows(game, 1, 1, [[1, ["River Light", "many", "", ""]]])
    state = client.ask(f"/g/{game}/state")
    assert [(problem["file"], problem["line"]) for problem in state["problems"]] == [("lanterns/lanterns.csv", 3)]
    assert len(state["pieces"]) == 3
    assert client.table(game)["rows"][1]["cells"][1] == "many"


def test_a_table_with_mistakes_is_kept_to_be_corrected(client, tmp_path):
    game = client.drop("wrong.csv", b"Name,Copies\nAxe,many\nBow,2\n")
    table = client.table(game)
    assert (table["bare"], len(table["rows"])) == (True, 2)
    client.rows(game, 0, 1, [[0, ["Axe", "3"]]])
    client.choose(game, "face", "tarot")
    assert "keep these cards as a game" in client.choose(game, "title", "12", expected=422)["problems"][0]["hint"]
    assert not (tmp_path / "wrong/game.yaml").exists()
    client.ask(f"/g/{game}/keep", {"what": "keep", "name": "wrong"})
    assert load(tmp_path / "wrong").components["cards"].definition.face == ("tarot",)
    address = client.ask(f"/g/{game}/keep", {"what": "keep", "name": "weapons"})["address"]
    assert client.table(address.split("/")[2])["look"]["face"] == "tarot"
    assert load(tmp_path / "weapons").components["cards"].definition.face == ("tarot",)
    assert (
        "already exists"
        in client.ask(f"/g/{game}/keep", {"what": "keep", "name": "weapons"}, 422)["problems"][0]["message"]
    )
    for name in ("../x", "/tmp/x", "", ".."):
        client.ask(f"/g/{game}/keep", {"what": "keep", "name": name}, 422)


def _zip_bomb():
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("content.xml", b"<a>" + b" " * 40_000_000)
    return data.getvalue()


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("a.exe", b"MZ", "not a table of cards"),
        ("a.csv", b"\x89PNG\r\n\x1a\n\x00\x00" * 9, ""),
        ("a.csv", b"Name,Text\nA\x00B,c\n", "not a text file"),
        ("a.csv", b"", ""),
        ("a.csv", b"%PDF-1.7 \n", "this is a PDF"),
        ("a.csv", b"Name,Text\n" + b"Axe,Hit.\n" * 60_000, "60,000 rows"),
        ("a.csv", b"x" * 40_000_000, "larger than 32 MB"),
        ("a.xlsx", b"PK\x03\x04 broken", "not readable as XLSX"),
        ("a.xlsx", _zip_bomb(), "unpacks to more than"),
        ("a.json", b"[" * 100_000, ""),
        ("../../evil.csv.sh", b"Name\nA\n", "not a table of cards"),
    ],
)
def test_a_hostile_file_is_refused_in_words(client, tmp_path, name, data, message):
    problems = client.drop(name, data, 422)
    assert problems[0]["file"] in ("", name)
    assert message in problems[0]["message"] and "Traceback" not in str(problems)
    assert [*tmp_path.iterdir()] == []


def test_names_of_files_stay_inside(client, tmp_path):
    client.drop("../../evil .. name;rm.csv", b"Name,Text\nA,b\n")
    assert [folder.name for folder in tmp_path.iterdir()] == ["evil_name_rm"]


def test_fonts_and_pictures_are_kept_beside_the_table(client, game, tmp_path):
    font = (paths.SHARED_DATA / "fonts/Lato-Black.ttf").read_bytes()

    def keep(name, data):
        return client.post(f"/g/{game}/file?name={name}", content=data, headers=ORIGIN)

    assert keep("My Font.ttf", font).json()["look"]["font"] == "fonts/My Font.ttf"
    assert (tmp_path / "lanterns/fonts/My Font.ttf").read_bytes() == font
    assert keep("moon.svg", b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'/>").status_code == 200
    assert "another file" in keep("moon.svg", b"other").text
    for name in ("game.yaml", "rules.py", ".hidden.png", "a.html"):
        assert keep(name, b"x").status_code == 422
    assert "not a TrueType" in keep("broken.ttf", b"not a font").text
    assert client.table(game)["look"]["font"] == "fonts/My Font.ttf"


def test_a_spreadsheet_is_shown_and_not_changed(client, tmp_path):
    book = openpyxl.Workbook()
    for row in (["Name", "Text"], ["Axe", 2.5], ["Bow", "Shoot."]):
        book.active.append(row)
    book.create_sheet("Other").append(["x"])
    data = io.BytesIO()
    book.save(data)
    game = client.drop("weapons.xlsx", data.getvalue())
    table = client.table(game)
    assert "Change this XLSX file in a spreadsheet program" in table["fixed"]
    assert table["sheets"] == ["Sheet", "Other"]
    assert [row["cells"] for row in table["rows"]] == [["Axe", "2.5"], ["Bow", "Shoot."]]
    client.rows(game, 0, 1, [[0, ["Club", ""]]], 422)
    assert (tmp_path / "weapons/weapons.xlsx").read_bytes() == data.getvalue()
    assert client.choose(game, "column", "title", "Text")["roles"] == ["+", "title"]
    table = client.choose(game, "csv", None)
    assert (table["file"], table["fixed"], table["roles"]) == ("weapons/weapons.csv", "", ["+", "title"])
    assert (tmp_path / "weapons/weapons.csv").read_bytes() == b"Name,Text\nAxe,2.5\nBow,Shoot.\n"
    client.rows(game, 0, 1, [[0, ["Club", "2"]]])
    client.ask(f"/g/{game}/back/undo", {})
    client.ask(f"/g/{game}/back/undo", {})
    assert not (tmp_path / "weapons/weapons.csv").exists()


@pytest.mark.parametrize("key", shipped())
def test_shipped_games_are_copied_to_be_changed(client, tmp_path, key):
    table = client.table(key)
    assert table["fixed"]
    client.choose(key, "face", "tarot", expected=422)
    client.ask(f"/g/{key}/keep", {"what": "keep", "name": "mine"})
    assert [*load(tmp_path / "mine").components] == [*load(key).components]


def test_games_of_all_kinds_say_what_can_be_shaped(client, tmp_path):
    for name in client.ask("/choices")["examples"]:
        address = client.ask("/examples", {"path": name["name"]})["address"]
        table = client.table(address.split("/")[2])
        assert table["rows"] or table["fixed"], name
        assert client.get(f"/g/{address.split('/')[2]}/faces?part={table['part']}").status_code == 200


def test_a_deck_whose_table_is_named_in_game_yaml_gets_a_cards_yaml(client, tmp_path):
    (folder := tmp_path / "zoo").mkdir()
    (folder / "zoo.csv").write_text("Name,Laut\nMaus,Piep\nLaus,Zirp\n")
    text = "title: Zoo\ncomponents:\n  all: {kind: deck, title: All, cards: zoo.csv, face: standard}  # ours\n"
    (folder / "game.yaml").write_text(text)
    game = client.ask("/open", {"path": "zoo"})["address"].split("/")[2]
    assert client.choose(game, "column", "flavour", "Laut")["roles"] == ["title", "flavour"]
    assert (folder / "game.yaml").read_text() == text.replace("zoo.csv", "cards.yaml")
    assert (folder / "cards.yaml").read_text() == "table: zoo.csv\ncolumns: {Laut: flavour}\n"
    assert client.choose(game, "headings", "no")["labelled"] is False
    client.ask(f"/g/{game}/back/undo", {})
    client.ask(f"/g/{game}/back/undo", {})
    assert (folder / "game.yaml").read_text() == text and not (folder / "cards.yaml").exists()


def test_the_first_page_opens_folders_codes_and_examples(client, tmp_path):
    (tmp_path / "deck.csv").write_text("Name,Text\nA,b\n")
    assert client.ask("/choices")["entries"] == [{"path": "deck.csv", "about": "a table of cards"}]
    assert client.ask("/open", {"path": "deck.csv"})["address"].endswith("/shape")
    assert client.ask("/code", {"path": "nonsense"}, 422)["problems"]
    assert client.ask("/examples", {"path": "../../etc"}, 422)["problems"]
    assert client.get("/pictures/0.png").content.startswith(b"\x89PNG")
    assert client.get("/pictures/7.png").status_code == 204
    assert client.post("/upload", content=b"", headers=ORIGIN).json()["address"].endswith("/shape")
    assert client.get("/").status_code == 200


# ---- in a browser

UNTIL_STILL = """
const done = arguments[0];
let timer = setTimeout(done, 400);
new MutationObserver(() => { clearTimeout(timer); timer = setTimeout(done, 400); })
  .observe(document.querySelector("main"), { childList: true, subtree: true, characterData: true });
"""
"""Ends when nothing on the page has changed for 0.4 seconds."""


def test_a_table_is_dropped_and_shaped(studio, browser, wait, tmp_path):
    from selenium.webdriver.common.by import By
    from selenium.webdriver.common.keys import Keys
    from selenium.webdriver.support.ui import Select

    (tmp_path / "drop").mkdir()
    (tmp_path / "drop/lanterns.csv").write_bytes(LANTERNS)
    running = studio()
    browser.get(running.address)
    browser.find_element(By.ID, "file").send_keys(str(tmp_path / "drop/lanterns.csv"))
    wait("[...document.querySelectorAll('#cards img')].filter((each) => each.naturalWidth).length === 3")
    Select(browser.find_elements(By.CSS_SELECTOR, "#grid thead select")[3]).select_by_value("-")
    wait("document.querySelector('#grid tbody td:nth-child(5)').classList.contains('left-out')")
    browser.execute_async_script(UNTIL_STILL)  # the choice is written, and the rows are shown again
    browser.find_elements(By.CSS_SELECTOR, "#grid tbody td")[1].click()
    browser.switch_to.active_element.send_keys("many", Keys.ENTER)
    wait("document.querySelector('td.wrong')?.textContent === 'many' && !document.querySelector('#problems').hidden")
    assert wait("document.activeElement.textContent") == "3"
    browser.switch_to.active_element.send_keys(Keys.CONTROL, "z")
    wait("document.querySelector('#grid tbody td:nth-child(3)').textContent === '2'")
    wait("!document.querySelector('td.wrong')")
    browser.refresh()
    wait("document.querySelectorAll('#grid thead select')[3]?.value === '-'")
    assert (tmp_path / "lanterns/lanterns.csv").read_bytes() == LANTERNS
