"""How long it takes from saving a file to the decoded picture on the page of `pencilbox studio`, in headless Chromium.

Saves a cell of a table, a template and a picture of a deck of 54 cards, each a number of times, and prints the median
of each and the slowest.

    python benchmarks/studio.py [SAVES]
"""

import csv
import shutil
import sys
import time
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "studio")]

from conftest import ARGUMENTS, BROWSER, DRIVER, Studio  # noqa: E402
from PIL import Image  # noqa: E402

from generator import paths  # noqa: E402

CARDS = 54
PAUSE = 0.6
"""Seconds between two saves."""
LIMIT = 10.0
FACE = """<face fill="paper" padding="4" gap="3">
  <text font-size="{size}pt">{{{{ card.name }}}}</text>
  <image file="{{{{ card.picture }}}}" grow="1"/>
  <text>{{{{ card.text | rich }}}}</text>
</face>
"""


def make_game(folder: Path, cards: int = CARDS) -> Path:
    """A copy of the example Sky Wonders with this many different cards."""
    game = folder / "deck"
    shutil.copytree(paths.EXAMPLES / "sky_wonders", game)
    table = game / "cards.csv"
    with table.open(encoding="utf-8", newline="") as stream:
        head, *rows = csv.reader(stream)
    rows = [[f"{row[0]} {number}", *row[1:]] for number in range(cards) for row in [rows[number % len(rows)]]]
    with table.open("w", encoding="utf-8", newline="") as stream:
        csv.writer(stream).writerows([head, *rows])
    return game


def open_browser(address: str):
    """Chromium with the page open, which notes when changes are shown."""
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = BROWSER
    for argument in (*ARGUMENTS, "--window-size=1440,900"):
        options.add_argument(argument)
    browser = webdriver.Chrome(options=options, service=Service(DRIVER))
    browser.get(address)
    while not browser.execute_script("return document.querySelectorAll('#pieces img').length"):
        time.sleep(0.05)
    browser.execute_script("document.addEventListener('shown', () => { window.shownAt = Date.now() / 1000; })")
    time.sleep(2 * PAUSE)
    return browser


def seconds(browser, save) -> float:
    """The time from the end of a save until its pictures are shown."""
    time.sleep(PAUSE)
    browser.execute_script("window.shownAt = 0")
    save()
    saved = time.time()
    while not (shown := browser.execute_script("return window.shownAt")):
        if time.time() - saved > LIMIT:
            raise SystemExit("the page has not changed")
        time.sleep(0.005)
    return shown - saved


def main(saves: int) -> None:
    with TemporaryDirectory() as scratch:
        game = make_game(Path(scratch))
        table, template, picture = game / "cards.csv", game / "templates" / "own.xml.j2", game / "art" / "kite.jpg"
        studio = Studio(game, cwd=scratch)
        browser = open_browser(studio.address)
        text, image = table.read_text("utf-8"), Image.open(picture).copy()

        def save_cell(number: int) -> None:
            table.write_text(text.replace("Paper Kite 2", f"Paper Kite {number + 100}"), "utf-8")

        def save_template(number: int) -> None:
            template.write_text(FACE.format(size=14 + number % 4), "utf-8")

        def save_picture(number: int) -> None:
            image.rotate(90 * number).save(picture, quality=90)

        try:
            for label, save in (("cell", save_cell), ("picture", save_picture), ("template", save_template)):
                if save is save_template:
                    template.parent.mkdir()
                    save_template(3)
                    settings = game / "game.yaml"
                    settings.write_text(settings.read_text("utf-8").replace("face: standard ", "face: own "), "utf-8")
                    time.sleep(4 * PAUSE)
                times = [1000 * seconds(browser, partial(save, number)) for number in range(saves)]
                print(f"{label:>10}: median {median(times):4.0f} ms, slowest {max(times):4.0f} ms")
        finally:
            browser.quit()
            studio.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 20)
