"""Twenty pages of `pencilbox studio` while a file is saved ten times a second: does memory stay flat, and does every
page end with the last picture? Pages are HTTP clients that do what a page does: they listen to events, ask for the
state, and fetch the pictures that have changed.

    python benchmarks/studio_load.py [SECONDS]
"""

import sys
import time
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests" / "studio")]

import httpx2 as httpx  # noqa: E402
from conftest import Studio  # noqa: E402

from benchmarks.studio import make_game  # noqa: E402
from generator.reading.load import load  # noqa: E402
from generator.studio.drawing import Switches, snapshot  # noqa: E402

CLIENTS = 20
SAVES = 10
"""Saves a second."""
PATIENCE = 20.0


class Page(Thread):
    """A page that is open. It knows the last `title` of the third card, and the bytes of its `picture`."""

    def __init__(self, studio) -> None:
        super().__init__(daemon=True)
        self.studio = studio
        self.title, self.picture, self.key, self.fetched = "", b"", "", 0

    def run(self) -> None:
        with suppress(httpx.HTTPError):  # when the studio ends
            self.listen()

    def listen(self) -> None:
        base = f"{self.studio.host}/g/{self.studio.project}"
        with httpx.Client(timeout=60, follow_redirects=True) as client:
            client.get(self.studio.address)
            with client.stream("GET", f"{base}/events") as events:
                self.fetch(client, base)
                for line in events.iter_lines():
                    if line.startswith("event:"):
                        self.fetch(client, base)

    def fetch(self, client, base: str) -> None:
        state = client.get(f"{base}/state?part=cards&first=1,2,3").json()
        for piece in state["pieces"][:9]:
            if piece["name"] != "3" or not piece["front"] or piece["front"]["key"] == self.key:
                continue
            answer = client.get(f"{base}/picture/{piece['front']['key']}/320.png")
            if answer.status_code == 200:  # otherwise the card has changed again, and the next event is on its way
                self.key, self.picture, self.title = piece["front"]["key"], answer.content, piece["title"]
                self.fetched += 1


def memory(studio) -> float:
    """The memory of the studio in MB."""
    status = Path(f"/proc/{studio.process.pid}/status").read_text()
    return int(status.split("VmRSS:")[1].split()[0]) / 1024


def run(folder: Path, seconds: float, clients: int = CLIENTS, cards: int = 54) -> tuple[list[Page], list[float], str]:
    """Saves for this long; returns the pages, the memory in MB after each second, and the key of the right picture."""
    game = make_game(folder, cards)
    table = game / "cards.csv"
    text = table.read_text("utf-8")
    studio = Studio(game, cwd=folder)
    try:
        pages = [Page(studio) for _ in range(clients)]
        for page in pages:
            page.start()
        used, start = [], time.monotonic()
        for number in range(round(seconds * SAVES)):
            table.write_text(text.replace("Paper Kite 2", f"Paper Kite {number + 1000}"), "utf-8")
            time.sleep(max(0.0, start + (number + 1) / SAVES - time.monotonic()))
            if number % SAVES == SAVES - 1:
                used.append(memory(studio))
        right = snapshot(load(game), Switches()).part("cards").pieces[2].front.key
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and any(page.key != right for page in pages):
            time.sleep(0.1)
        return pages, used, right
    finally:
        studio.stop()


def main(seconds: float) -> None:
    with TemporaryDirectory() as scratch:
        pages, used, right = run(Path(scratch), seconds)
    third = max(1, len(used) // 3)
    print(f"{sum(page.fetched for page in pages):,} pictures for {len(pages)} pages")
    print(f"{sum(page.key == right for page in pages)} of {len(pages)} pages show the last picture")
    print(f"memory: {max(used[:third]):.0f} MB in the first third, {max(used[-third:]):.0f} MB in the last one")


if __name__ == "__main__":
    main(float(sys.argv[1]) if len(sys.argv) > 1 else 60.0)
