"""The page Design: what a game looks like now, what is wrong with it, and what one can download."""

import json
import shutil
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from generator import paths
from generator.studio import worker
from generator.studio.app import application
from generator.studio.drawing import NumberedProblems
from generator.studio.projects import Projects
from generator.studio.security import Access

HOST = "127.0.0.1:8000"
HERE = paths.ROOT / "benchmarks"
TEXT = "Look at the top three cards and keep one."


@pytest.fixture
def game(tmp_path):
    return shutil.copytree(paths.EXAMPLES / "sky_wonders", tmp_path / "sky_wonders")


class Page:
    """A page of a studio in this process, without a browser."""

    def __init__(self, client, project):
        self.client, self.project, self.base = client, project, f"/g/{project.key}"

    def get(self, path, **query):
        return self.client.get(f"{self.base}/{path}", params=query)

    def post(self, path, body):
        return self.client.post(f"{self.base}/{path}", json=body, headers={"origin": f"http://{HOST}"})

    def state(self, **query):
        """The state with everything drawn."""
        self.get("state", **query)
        for look in list(self.project._views.values()):
            for name in look.names:
                self.client.portal.call(worker.call, look.part, name)
        return self.get("state", **query).json()

    def saved(self, file, old, new):
        """Saves a file with a change; the state afterwards."""
        text = file.read_text("utf-8")
        assert old in text
        file.write_text(text.replace(old, new), "utf-8")
        self.client.portal.call(self.project.refresh)
        return self.state()


@pytest.fixture
def open_page(tmp_path):
    access, projects = Access(frozenset({HOST}), 8000), Projects()
    with TestClient(application(access, projects), base_url=f"http://{HOST}") as client:
        client.get(f"/?token={access.token}")
        yield lambda source: Page(client, projects.open(source))


@pytest.fixture
def page(open_page, game):
    return open_page(game)


def test_a_state_has_the_parts_and_the_cards(page):
    state = page.state()
    assert [(part["title"], part["about"], part["problems"]) for part in state["parts"]] == [
        ("Sky Wonders", "18 cards, 8 different", []),
        ("Tuck box", "1 page, to fold", []),
    ]
    kite = state["pieces"][2]
    assert (kite["title"], kite["copies"], kite["place"].rpartition("/")[2]) == ("Paper Kite", 3, "cards.csv:4")
    assert dict(zip(state["columns"], kite["row"], strict=True))["Picture"] == "kite"
    assert (kite["front"]["bleed"], kite["front"]["safe"]) == (2, 3)
    assert [file["name"] for file in state["files"]] == ["cards.csv", "game.yaml", "theme.yaml", "art"]
    assert [piece["title"] for piece in page.state(part="box")["pieces"][:2]] == ["Front", "Back"]


def test_a_picture_is_as_wide_as_asked_and_kept_for_ever(page):
    from PIL import Image

    key = page.state()["pieces"][0]["front"]["key"]
    answer = page.get(f"picture/{key}/200.png")
    assert Image.open(BytesIO(answer.content)).size == (200, 275)
    assert "immutable" in answer.headers["cache-control"]
    assert page.get("picture/0123/200.png").status_code == 204


def test_only_what_changes_gets_another_picture(page, game):
    before = page.state()["pieces"]
    after = page.saved(game / "cards.csv", "Hold on tight.", "Let go.")["pieces"]
    changed = [new["title"] for old, new in zip(before, after, strict=True) if old["front"] != new["front"]]
    assert changed == ["Paper Kite"]
    assert before[0]["back"] == after[2]["back"]


def test_what_has_changed_is_drawn_first(page, game):
    page.state()
    table = game / "cards.csv"
    table.write_text(table.read_text("utf-8").replace("Old Lighthouse", "New Lighthouse"), "utf-8")
    page.client.portal.call(page.project.refresh)
    pieces = page.get("state", first="1").json()["pieces"]
    assert [piece["title"] for piece in pieces if piece["drawn"]] == ["New Lighthouse"]
    assert all(piece["front"] for piece in pieces)


def test_a_problem_is_marked_on_the_last_good_picture(page, game):
    before = page.state()["pieces"][2]
    state = page.saved(game / "cards.csv", ",kite,", ",kyte,")
    kite, problem = state["pieces"][2], state["problems"][0]
    assert kite["front"]["key"] == before["front"]["key"]
    assert (kite["problems"], kite["front"]["flaws"][0]["numbers"], state["parts"][0]["problems"]) == ([1], [1], [1])
    x, y, width, height = kite["front"]["flaws"][0]["box"]
    assert 0 < x < x + width < 63.5
    assert 0 < y < y + height < 88.9
    assert problem["place"].endswith("cards.csv:4 (Picture)")
    assert problem["fix"] == {"column": "Picture", "was": "kyte", "value": "kite"}


def test_a_text_that_does_not_fit_is_marked(page, game):
    state = page.saved(game / "cards.csv", TEXT, TEXT * 40)
    lighthouse = state["pieces"][6]
    assert lighthouse["problems"]
    assert lighthouse["front"]["flaws"]


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [("game.yaml", "components:", "components: ["), ("cards.csv", "Hold on tight.", '"Hold on tight.')],
)
def test_pictures_stay_while_a_file_cannot_be_read(page, game, file, old, new):
    before = page.state()["pieces"]
    state = page.saved(game / file, old, new)
    assert [piece["front"] for piece in state["pieces"]] == [piece["front"] for piece in before]
    assert file in state["problems"][0]["place"]
    assert page.saved(game / file, new, old)["problems"] == []


def test_the_same_problem_of_many_cards_has_one_number(page, game):
    text = (game / "cards.csv").read_text("utf-8")
    state = page.saved(game / "cards.csv", text, text.replace(",ship,", ",shop,").replace(",whale,", ",shop,"))
    assert [piece["problems"] for piece in state["pieces"][3:6]] == [[], [1], [1]]
    assert len(state["problems"]) == 1
    assert NumberedProblems(()).numbers(page.project.snapshot.found) == []


def test_each_page_has_its_own_switches(page):
    usual, pale = page.state()["pieces"][0]["front"]["key"], page.state(low_ink="1")["pieces"][0]["front"]["key"]
    assert usual != pale
    assert page.state()["pieces"][0]["front"]["key"] == usual
    assert page.get(f"picture/{usual}/80.png").content != page.get(f"picture/{pale}/80.png").content
    wrong = page.get("state", paper="a44")
    assert wrong.status_code == 422
    assert "no paper" in wrong.json()["problems"][0]["message"]


def test_pages_are_as_printed(page):
    a4, letter = (page.get("pages", part="cards", paper=name).json()["pages"] for name in ("a4", "letter"))
    assert len(a4) == 4
    assert round(a4[0]["width"]) == 210
    assert round(letter[0]["height"]) == 279
    assert page.get("pages", part="nothing").status_code == 404


def test_a_value_is_written_into_its_cell(page, game):
    page.state()
    before = (game / "cards.csv").read_text("utf-8")
    assert page.get("cell/cards/3/2").json() == {"value": "kite"}
    assert page.post("cell/cards/3/2", {"was": "kite", "value": "comet"}).status_code == 200
    assert (game / "cards.csv").read_text("utf-8") == before.replace("3,1,kite,", "3,1,comet,")
    late = page.post("cell/cards/3/2", {"was": "kite", "value": "ship"})
    assert late.status_code == 422
    assert "changed meanwhile" in late.json()["problems"][0]["message"]


@pytest.mark.parametrize("cell", ["cards/3/99", "cards/99/0", "box/Front/0", "nothing/1/0"])
def test_nothing_else_is_written(page, game, cell):
    page.state()
    before = (game / "cards.csv").read_bytes()
    assert page.post(f"cell/{cell}", {"was": "", "value": "x"}).status_code == 422
    assert (game / "cards.csv").read_bytes() == before


def test_a_shipped_game_stays_as_it_is(open_page):
    page = open_page("elevator_up")
    piece = page.get("state").json()["pieces"][0]
    assert not piece["editable"]
    assert page.post(f"cell/cards/{piece['name']}/0", {"was": "", "value": "x"}).status_code == 422


def download(page, **order):
    """The lines of a download."""
    return [json.loads(line) for line in page.post("downloads", order).text.splitlines()]


def test_a_pdf_and_an_export_are_downloaded_once(page, game):
    page.saved(game / "cards.csv", ",kite,", ",kyte,")
    *steps, last = download(page, part="cards")
    assert [list(step) for step in steps] == [["progress"]] * len(steps)
    assert last["done"]["about"] == "4 pages, as a draft: 1 problem is marked."
    answer = page.client.get(last["done"]["address"])
    assert answer.content.startswith(b"%PDF")
    assert "sky_wonders-cards-a4.pdf" in answer.headers["content-disposition"]
    assert page.client.get(last["done"]["address"]).status_code == 404
    refused = download(page, part="cards", target="png")[-1]["problems"]
    assert "kyte" in refused[0]["message"]
    page.saved(game / "cards.csv", ",kyte,", ",kite,")
    done = download(page, part="cards", target="png", dpi=30)[-1]["done"]
    names = zipfile.ZipFile(BytesIO(page.client.get(done["address"]).content)).namelist()
    assert "manifest.csv" in names
    assert sum(name.endswith(".png") for name in names) == 9


@pytest.mark.parametrize(
    "address", ["/downloads/../app.py", "/downloads/%2e%2e/x", "/downloads/..%2f../x", "/downloads/a/b"]
)
def test_no_other_file_is_downloaded(page, address):
    assert page.client.get(address).status_code == 404


def test_every_target_says_what_it_needs(page):
    known = {target["name"]: target for target in page.get("targets").json()}
    assert known["png"]["dpi"] == 300
    assert known["the-game-crafter"]["products"]
    assert any(target["surname"] for target in known.values())
    assert any(target["skip"] for target in known.values())


def test_a_large_deck_is_not_waited_for(page, game):
    from benchmarks.studio import make_game

    shutil.rmtree(game)
    make_game(game.parent, 540).rename(game)
    pieces = page.get("state").json()["pieces"]
    assert len(pieces) == 540
    assert sum(piece["drawn"] for piece in pieces) < 100


# ---- in a browser


def test_a_saved_table_changes_the_card(studio, browser, wait, game):
    browser.get(studio(game).address)
    picture = "document.querySelector('#pieces li:nth-child(3) img')?.src"
    before = wait(picture)
    table = game / "cards.csv"
    table.write_text(table.read_text("utf-8").replace("Paper Kite", "Paper Dragon"), "utf-8")
    wait("document.querySelector('#pieces li:nth-child(3)').textContent.includes('Paper Dragon')")
    wait(f"{picture} !== arguments[0]", before)
    wait("/^Shown \\d+ ms after saving$/.test(document.querySelector('#status').textContent)")


def test_walk_through_the_page(studio, browser, wait, game):
    """By keyboard: find a card, go on, choose, flip, see its problem, correct it."""
    from selenium.webdriver.common.keys import Keys

    table = game / "cards.csv"
    table.write_text(table.read_text("utf-8").replace(",kite,", ",kyte,"), "utf-8")
    browser.get(studio(game).address)
    wait("document.querySelectorAll('#pieces img').length >= 6 && document.querySelector('#problems .number')")

    def press(*keys):
        browser.switch_to.active_element.send_keys(*keys)

    press("/")
    press("kyt")
    wait("document.querySelector('#pieces li:not([hidden]) .words').textContent === 'Paper Kite'")
    press("x")
    wait("document.querySelector('#empty').innerText.startsWith('No card has ‘kytx’.')")
    press(Keys.ESCAPE)
    press(Keys.TAB)
    browser.execute_script("document.querySelector('.piece').focus()")
    press(Keys.ARROW_RIGHT)
    press(Keys.ENTER)
    wait("document.querySelector('#chosen h2').textContent === 'Great Comet'")
    wait("document.querySelector('#chosen .segments')")  # once its back is drawn, too
    press("f")
    wait("document.querySelector('#chosen .segments [aria-pressed=true]').textContent === 'Back'")
    press(Keys.F8)
    wait("document.querySelector('#chosen h2').textContent === 'Paper Kite'")
    assert wait("document.querySelector('[aria-current] .pin').dataset.number") == "1"
    assert wait("document.querySelector('#chosen .wrong td').innerText").startswith("kyte")
    browser.execute_script("document.querySelector('#problems .button').click()")
    wait("document.querySelector('#problems').hidden")
    assert ",kite," in table.read_text("utf-8")
    press("+")
    wait("document.querySelector('#size').textContent === '125%'")
    press("0")
    browser.execute_script("document.querySelector('[data-view=pages]').click()")
    wait("document.querySelectorAll('#pieces li').length === 4 && document.querySelector('#pieces img')")


@pytest.mark.skipif(not HERE.is_dir(), reason="benchmarks are not installed")
@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="needs /proc")
def test_memory_is_flat_while_a_file_is_saved_all_the_time(tmp_path):
    from benchmarks.studio_load import run

    pages, used, right = run(tmp_path, 4.0, clients=4, cards=8)
    assert {page.key for page in pages} == {right}
    assert used[-1] - used[1] < 25
