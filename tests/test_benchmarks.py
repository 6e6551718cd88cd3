"""The benchmark's deck looks the same whether Pencilbox prints it or it is drawn by hand."""

import os
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
    run("print_game", tmp_path / "game", 11, 1)
    run("by_hand", 11 if kind == "W" else 1, tmp_path / "hand.pdf", kind)
    game = load(tmp_path / "game")
    printed = Press(game, games.deal(game)).component(part, paper("a4"))
    (tmp_path / "ours.pdf").write_bytes(printed.pdf)
    assert printed.pages == (4 if kind == "W" else 1)
    difference = float(run("pictures", tmp_path / "hand.pdf", tmp_path / "ours.pdf", 4))
    assert difference < 0.007  # the one drawn by hand is not kerned
