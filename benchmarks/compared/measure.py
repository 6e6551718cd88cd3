"""Measures the deck of docs/compared.md: `python benchmarks/compared/measure.py [--protograf PYTHON]`.

Prints a table with the files and lines that each tool needs besides deck.csv and art/, and the median time of whole
processes for the tools that are installed. PYTHON is an interpreter that has protograf."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
RUNS = 7
COMMENTS = ("#", ";", "//", '"""')
FACE = ["game.yaml", "theme.yaml", "templates/card.xml.j2", "templates/back.xml.j2"]
MAKE = [sys.executable, "-m", "generator", "make", "--quiet", "--force", "--output", "."]


def lines(file: Path) -> int:
    """The lines of a file that are neither empty nor comments."""
    written = map(str.strip, file.read_text(encoding="utf-8").splitlines())
    return sum(bool(line) and not line.startswith(COMMENTS) for line in written)


def seconds(command: list[str]) -> float:
    """The median time of a command, which is run in a folder that holds a copy of the sources."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    times = []
    with tempfile.TemporaryDirectory() as folder:
        copy = shutil.copytree(HERE, Path(folder) / "compared")
        for _ in range(RUNS + 1):
            start = time.perf_counter()
            subprocess.run(command, cwd=copy, env=environment, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
    return median(times[1:])  # the first run compiles modules


def main() -> None:
    protograf = sys.argv[2] if sys.argv[1:2] == ["--protograf"] else None
    tools: list[tuple[str, list[str], list[str] | None]] = [
        ("Pencilbox, built-in face", [], [*MAKE, "deck.csv"]),
        ("Pencilbox, own face", FACE, [*MAKE, "."]),
        ("reportlab, by hand", ["by_reportlab.py"], [sys.executable, str(HERE / "by_reportlab.py"), "deck.pdf"]),
        ("protograf", ["by_protograf.py"], [protograf, "by_protograf.py"] if protograf else None),
        ("Squib", ["by_squib.rb"], None),
        ("cards.py", ["cards_py/card.html", "cards_py/back.html"], None),
        ("nanDECK", ["by_nandeck.txt"], None),
    ]
    print("| tool | files | lines | seconds |\n|---|---|---|---|")
    for name, files, command in tools:
        took = f"{seconds(command):.2f}" if command else "not run"
        print(f"| {name} | {len(files)} | {sum(lines(HERE / file) for file in files)} | {took} |")


if __name__ == "__main__":
    main()
