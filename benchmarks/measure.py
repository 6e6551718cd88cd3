"""Measures what the project promises about speed: `python benchmarks/measure.py`.

Whole processes are timed in pairs, one of each in turn, and medians are reported: ratios vary less than times.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # for the tests
from generator import games
from generator.reading.load import load
from tests.games.from_the_ground_up.constraints import unmet_card_constraints

ROOT = Path(__file__).resolve().parent.parent
RUNS = 7
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Compiled modules are kept, as after an installation; otherwise compiling would be timed as well."""
Run = Callable[[], object]


def process(*args: str) -> Run:
    return lambda: subprocess.run([sys.executable, *args], capture_output=True, check=False, cwd=ROOT, env=ENVIRONMENT)


def seconds(run: Run) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def paired(run: Run, other: Run) -> tuple[float, float]:
    """Median time of `run`, and the median ratio to `other`."""
    pairs = [(seconds(run), seconds(other)) for _ in range(RUNS + 1)][1:]
    return median(a for a, _ in pairs), median(a / b for a, b in pairs)


def start_up() -> None:
    took, ratio = paired(process("-m", "generator", "--help"), process("-c", "import click"))
    print(f"pencilbox --help: {took:.3f} s, {ratio:.2f} times a bare import of click (promised: 2)")


SHEETS = (
    "from_the_ground_up/good/first_round",
    "elevator_up/good/out",
    "rolling_cubes/good/whole-game",
    "upwards/good/rows",
)


def judging() -> None:
    """How much longer judging one sheet takes than starting an empty interpreter."""
    for sheet in SHEETS:
        run, empty = process("-m", "generator", "score", f"tests/games/{sheet}.yaml"), process("-c", "pass")
        pairs = [(seconds(run), seconds(empty)) for _ in range(RUNS + 1)][1:]
        more = median(single - bare for single, bare in pairs)
        print(f"score {sheet.partition('/')[0]}: {more:.3f} s longer than an empty interpreter (promised: 0.150)")


def printing(folder: str) -> None:
    single = median(
        seconds(process("-m", "generator", "make", "from_the_ground_up", "--force", "-o", folder)) for _ in range(RUNS)
    )
    print(f"make from_the_ground_up: {single:.2f} s (promised: 1.5)")
    papers = ("-p", "a4", "-p", "letter")
    every = median(
        seconds(process("-m", "generator", "make", "--all", "--force", *papers, "-o", folder)) for _ in range(3)
    )
    print(f"make --all on both papers: {every:.1f} s (promised: 12)")


def random_sets() -> None:
    game = load("from_the_ground_up")
    games.deal(game, games.new_code(game, "warm"))
    start = time.perf_counter()
    decks = [games.deal(game, games.new_code(game, "measure", index)) for index in range(1000)]
    took = time.perf_counter() - start
    broken = sum(bool(unmet_card_constraints(game, deck.cards["cards"], game.sets["default"])) for deck in decks)
    print(
        f"1,000 random sets: {took:.2f} ms each (promised: 1), {broken} break a constraint, "
        f"{len({deck.code for deck in decks})} codes"
    )


HOSTILE = {
    "an endless loop": "<face>{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}</face>",
    "growth without end": "<face>{% for a in range(9000) %}<row>{{ 'x' * 900 }}</row>{% endfor %}</face>",
    "Python's internals": "<face>{{ ''.__class__.__mro__ }}</face>",
    "an entity": "<!DOCTYPE face [<!ENTITY a 'aa'>]><face>&a;</face>",
}


def hostile(folder: Path) -> None:
    (folder / "templates").mkdir()
    (folder / "game.yaml").write_text(
        "title: x\nprefix: XX\nplayers: 2\ncomponents:\n"
        "  cards: {kind: deck, title: x, cards: cards.yaml, face: card}\n"
    )
    (folder / "cards.yaml").write_text("cards: [{id: a}]")
    for name, template in HOSTILE.items():
        (folder / "templates" / "card.xml.j2").write_text(template)
        took = median(seconds(process("-m", "generator", "make", str(folder), "-o", str(folder))) for _ in range(3))
        print(f"refused, {name}: {took:.2f} s (promised: 2)")
    huge = folder / "huge.yaml"
    huge.write_bytes(b"game: from_the_ground_up\nplayers:\n" + b"  - {name: A}\n" * 7_200_000)
    took = seconds(process("-m", "generator", "score", str(huge)))
    print(f"refused, a sheet of {huge.stat().st_size / 1e6:.0f} MB: {took:.2f} s (promised: 2)")


if __name__ == "__main__":
    print(f"{len(games.SHIPPED)} games, Python {sys.version.split()[0]}")
    start_up()
    judging()
    random_sets()
    with tempfile.TemporaryDirectory() as scratch:
        printing(scratch)
    with tempfile.TemporaryDirectory() as scratch:
        hostile(Path(scratch))
