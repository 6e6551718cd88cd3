"""The decks of the benchmark look the same whether Pencilbox prints them or they are drawn by hand."""

import re
import runpy

import pytest

from generator import games, paths
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper

HERE = paths.ROOT / "benchmarks"


@pytest.mark.skipif(not HERE.is_dir(), reason="benchmarks are not installed")
@pytest.mark.parametrize(("kind", "most"), [("plain", 0.007), ("sheets", 0.007), ("art", 0.012), ("loops", 0.007)])
def test_the_decks_of_the_benchmark_look_as_drawn_by_hand(tmp_path, kind, most):
    """Those drawn by hand are not kerned, and a few of their lines are broken at other words."""
    from benchmarks import by_hand, deck, pictures

    folder = deck.write(kind, tmp_path / "game", 9 if kind != "sheets" else 1)
    by_hand.draw(kind, folder, tmp_path / "hand.pdf")
    game = load(folder)
    part = "sheets" if kind == "sheets" else "cards"
    (tmp_path / "ours.pdf").write_bytes(Press(game, games.deal(game)).component(part, paper("a4")).pdf)
    assert pictures.difference(tmp_path / "hand.pdf", tmp_path / "ours.pdf", pages=1) < most


@pytest.mark.parametrize("name", sorted(file.stem for file in HERE.glob("*.py")))
def test_a_benchmark_finds_what_it_measures(name, monkeypatch):
    monkeypatch.syspath_prepend(HERE)
    try:
        runpy.run_path(str(HERE / f"{name}.py"), run_name=name)
    except ModuleNotFoundError as error:
        if error.name.startswith(("generator", "tests", "benchmarks")):
            raise
        pytest.skip(f"{error.name} is not installed")


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
