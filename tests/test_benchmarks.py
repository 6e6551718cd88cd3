"""The benchmark's deck looks the same whether Pencilbox prints it or it is drawn by hand."""

import os
import re
import runpy
import subprocess
import sys

import pytest

from generator import games, paths
from generator.definitions.load import load
from generator.definitions.sizes import paper
from generator.printing.press import Press

HERE = paths.ROOT / "benchmarks"


def run(script, *arguments):
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PEER_")}
    result = subprocess.run(
        [sys.executable, str(HERE / f"{script}.py"), *map(str, arguments)],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return result.stdout


@pytest.mark.skipif(not HERE.is_dir(), reason="benchmarks are not installed")
@pytest.mark.parametrize(("kind", "part"), [("W", "cards"), ("S", "sheets")])
def test_the_deck_of_the_benchmark_looks_as_drawn_by_hand(tmp_path, kind, part):
    run("deck", "plain" if kind == "W" else "sheets", tmp_path / "game", 11 if kind == "W" else 1)
    run("by_hand", 11 if kind == "W" else 1, tmp_path / "hand.pdf", kind)
    game = load(tmp_path / "game")
    printed = Press(game, games.deal(game)).component(part, paper("a4"))
    (tmp_path / "ours.pdf").write_bytes(printed.pdf)
    assert printed.pages == (4 if kind == "W" else 1)
    difference = float(run("pictures", tmp_path / "hand.pdf", tmp_path / "ours.pdf", 4))
    assert difference < 0.007  # the one drawn by hand is not kerned


@pytest.mark.skipif(not HERE.is_dir(), reason="benchmarks are not installed")
def test_the_comparison_page_agrees_with_the_script():
    """And the deck prints in its own face."""
    compared = HERE / "compared"
    lines = runpy.run_path(str(compared / "measure.py"))["lines"]
    files = {
        "Pencilbox, own face": ["game.yaml", "theme.yaml", "templates/card.xml.j2", "templates/back.xml.j2"],
        "reportlab 5.1, by hand": ["by_reportlab.py"],
        "protograf 0.5.2": ["by_protograf.py"],
        "Squib 0.19": ["by_squib.rb"],
        "cards.py": ["cards_py/card.html", "cards_py/back.html"],
        "nanDECK 1.27": ["by_nandeck.txt"],
    }
    rows = re.findall(
        r"^\| (.+?) \| (\d+) \| (\d+) \|", (paths.ROOT / "docs/compared.md").read_text("utf-8"), re.MULTILINE
    )
    counted = [
        (tool, str(len(names)), str(sum(lines(compared / name) for name in names))) for tool, names in files.items()
    ]
    assert rows[1:] == counted
    game = load(compared)
    assert Press(game, games.deal(game)).component("cards", paper("a4")).pages == 4
