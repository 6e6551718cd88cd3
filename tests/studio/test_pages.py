"""Every page in a real browser: axe-core finds no violation in either theme, and nothing is wider than the window.

`make studio-pictures` runs these tests with STUDIO_PICTURES set; then they also write the pictures of docs/studio.md.
"""

import os
import shutil
from pathlib import Path

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

from generator import paths
from generator.league import League, Play, Seat
from tests.studio.conftest import Studio

AXE = Path(__file__).parents[1] / "viewers" / "node_modules" / "axe-core" / "axe.min.js"
PICTURES = os.environ.get("STUDIO_PICTURES")
needs_axe = pytest.mark.skipif(not AXE.is_file(), reason="needs axe-core: `npm ci --prefix tests/viewers`")
PICTURED = {
    ("first", "desktop", "light"): "first",
    ("design", "desktop", "light"): "design",
    ("design", "desktop", "dark"): "design-dark",
    ("shape", "desktop", "light"): "shape",
    ("draw", "desktop", "light"): "draw",
    ("score", "desktop", "light"): "score",
    ("score", "phone", "light"): "phone",
    ("league", "desktop", "light"): "league",
}
WIDTHS = {"phone": (390, 844), "tablet": (820, 1100), "desktop": (1440, 900)}
THEMES = ("light", "dark")
LOADED = {("phone", "light"), ("desktop", "light")}
"""How a page is loaded. Its window then becomes that of a tablet, or its theme dark."""


def emulate(browser, size, theme):
    width, height = WIDTHS[size]
    values = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": size == "phone"}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", values)
    media = {"features": [{"name": "prefers-color-scheme", "value": theme}]}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", media)


@pytest.fixture
def emulated(browser):
    yield lambda size, theme: emulate(browser, size, theme)
    browser.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": []})


def draw_a_set(browser, wait, game):
    browser.find_element(By.ID, "another").click()
    wait("document.querySelector('#code').textContent")
    wait("document.querySelector('#parts .picture img').complete")


def see_a_problem(browser, wait, game):
    """The cards, one of which names a picture that does not exist."""
    wait("document.querySelector('#pieces img') && document.querySelector('#pieces img').complete")
    table = game / "cards.csv"
    table.write_text(table.read_text().replace(",kite,", ",kyte,"))
    wait("document.querySelector('#problems li')")
    browser.find_element(By.TAG_NAME, "body").send_keys(Keys.F8)
    wait("document.querySelector('#chosen').textContent.includes('kyte')")


def save_games(file):
    """Saves a few games in a league."""
    league = League(file)
    for day, (first, second) in enumerate([("Nele", "Otto"), ("Otto", "Nina"), ("Nele", "Nina"), ("Nele", "Otto")], 3):
        seats = Seat(first, 23, 1, (("Columns", 20), ("Bonus", 3))), Seat(second, 15, 2, (("Columns", 15),))
        about = {"date": f"2026-11-{day:02}", "game": "upwards", "title": "Upwards!", "sheet": "sheet"}
        league.save([Play(**about, seats=seats, status="counted", digest=str(day))])


def see_the_covers(browser, wait, game):
    wait("[...document.querySelectorAll('.shelf img')].every((each) => each.naturalWidth)")


def nothing(browser, wait, game):
    pass


def see_the_table(browser, wait, game):
    wait("[...document.querySelectorAll('#cards img')].some((each) => each.naturalWidth)")


def open_a_sheet(browser, wait, game):
    wait("document.querySelector('.box')")
    browser.find_element(By.CSS_SELECTOR, "input[type=file]").send_keys(str(SHEET))
    wait("document.querySelector('.rings .pen')")


SHEET = paths.ROOT / "docs" / "examples" / "upwards_ringed.yaml"
PAGES = {
    "first": ("/", see_the_covers),
    "design": ("/g/{own}/design", see_a_problem),
    "shape": ("/g/{own}/shape", see_the_table),
    "draw": ("/g/from_the_ground_up/draw", draw_a_set),
    "score": ("/g/upwards/score", open_a_sheet),
    "league": ("/league?project={own}", nothing),
    "play": ("/league/play/1", nothing),
}


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """A game, and a studio that has opened it and knows a few games of a league."""
    folder = tmp_path_factory.mktemp("games")
    game = shutil.copytree(paths.EXAMPLES / "sky_wonders", folder / "sky_wonders")
    save_games(file := folder / "league.sqlite")
    started = Studio(game, cwd=folder, env={"PENCILBOX_LEAGUE": str(file), "XDG_CONFIG_HOME": str(folder / "config")})
    yield game, started
    started.stop()


@pytest.mark.parametrize("page", PAGES)
def test_pages_are_accessible_and_fit(opened, studio, browser, wait, emulated, page):
    game, started = opened
    started, table = studio() if page == "first" else started, (game / "cards.csv").read_text("utf-8")
    address, prepare = PAGES[page]
    problems = []
    for size in WIDTHS:
        for theme in THEMES if size == "desktop" else THEMES[:1]:
            emulated(size, theme)
            if (size, theme) in LOADED:
                browser.get(started.first(address.format(own=started.project)))
                wait("document.readyState === 'complete'")
                prepare(browser, wait, game)
            if PICTURES and (page, size, theme) in PICTURED:
                browser.save_screenshot(f"{PICTURES}/studio-{PICTURED[page, size, theme]}.png")
            too_wide = browser.execute_script("return document.documentElement.scrollWidth - innerWidth")
            if too_wide > 0:
                problems.append(f"{size}: {too_wide} px wider than the window")
            problems += [f"{size}, {theme}: {found}" for found in violations(browser, size, theme)]
    (game / "cards.csv").write_text(table, "utf-8")
    assert problems == []


def violations(browser, size="desktop", theme="light"):
    """What axe-core finds, a line for each element. On a tablet, nothing is shown that is not shown elsewhere; in the
    dark theme, only the colours are different."""
    if not AXE.is_file() or size == "tablet":
        return []
    if not browser.execute_script("return 'axe' in window"):
        browser.execute_script(AXE.read_text("utf-8"))
    rules = {"runOnly": ["color-contrast", "link-in-text-block"]} if theme == "dark" else {}
    run = "axe.run(arguments[0]).then((result) => arguments[1](result.violations))"
    found = browser.execute_async_script(run, rules)
    return [f"{rule['id']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]


@needs_axe
def test_axe_finds_what_is_wrong(upwards, browser, wait):
    browser.get(upwards.first("/league?project=upwards"))
    wait("document.readyState === 'complete'")
    browser.execute_script("document.querySelector('main').append(document.createElement('img'))")
    assert any(found.startswith("image-alt") for found in violations(browser))
