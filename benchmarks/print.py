"""Times decks of many kinds against the same decks drawn by hand: `python benchmarks/print.py [--kind art] [--runs 7]`.

Whole processes are timed, in turn with `by_hand.py`, the same deck drawn on reportlab's canvas. The ratios are medians
over the pairs of processes; below 1 is faster than by hand. With `--workers 2`, Pencilbox prints with two processes, of
which only the wall-clock time is less than that of one. Decks that nobody would draw by hand are compared with
Pencilbox's own plain deck of as many cards. All pages with a twin are rendered and compared first. Typst and cairo are
timed where they are installed, and BENCH_PYTHON names the interpreter for all that is not Pencilbox. It should have
rl_accel: without it the decks by hand take up to twice as long.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
PYTHON = os.environ.get("BENCH_PYTHON", sys.executable)
FONTS = '<?xml version="1.0"?><fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>'
NOTHING = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
TWINS = ("plain", "rich", "sheets", "art", "xlsx", "flash", "loops", "backs")
OTHERS = (
    "built-in",
    "growing",
    "icons",
    "templates",
    "sizes",
    "random:1",
    "random:2",
    "random:3",
    "random:4",
    "random:5",
)
"""Kinds without a twin; the number is a seed."""
COUNTS = (54, 540, 5400)
SAME = 0.02
"""Pages that differ by more than this share of white are different."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took: wall-clock and CPU seconds, peak memory in MiB, megabytes written."""

    wall: float
    processor: float
    memory: float
    size: float


@dataclass(frozen=True, slots=True)
class Command:
    """A command, and the file or folder that it writes."""

    arguments: list[str]
    result: Path
    root: Path = HERE.parent
    """The checkout of Pencilbox that it runs."""


@dataclass(frozen=True, slots=True)
class Bench:
    """A working folder. Every process may keep its compiled code, as an installed one does."""

    folder: Path
    workers: int = 1

    def game(self, kind: str, count: int) -> Path:
        """The folder of a deck, written if it is not there."""
        name, _, seed = kind.partition(":")
        folder = self.folder / f"{name}{seed}-{count}"
        if not folder.exists():
            output_of(HERE / "deck.py", name, folder, count, seed or 7)
        return folder

    def ours(self, kind: str, count: int, root: Path = HERE.parent) -> Command:
        game, out = self.game(kind, count), self.folder / "out"
        part = ["--component", "sheets" if kind == "sheets" else "cards"] if kind in {"plain", "rich", "sheets"} else []
        make = [sys.executable, "-P", "-m", "generator", "make", str(game), *part, "-q", "-o", str(out)]
        make += ["--workers", str(self.workers)]
        return Command(make, out, root)

    def by_hand(self, kind: str, count: int) -> Command:
        file = self.folder / "by_hand.pdf"
        return Command([PYTHON, str(HERE / "by_hand.py"), kind, str(self.game(kind, count)), str(file)], file)

    def tool(self, script: str, kind: str, count: int) -> Command:
        """The plain deck or the score sheets, printed by another tool."""
        file = self.folder / f"{script}.pdf"
        return Command([PYTHON, str(HERE / f"{script}.py"), str(count), str(file), "WS"[kind == "sheets"]], file)

    def run(self, command: Command) -> Run:
        shutil.rmtree(self.folder / "out", ignore_errors=True)
        start = time.perf_counter()
        child = os.posix_spawn(
            command.arguments[0], command.arguments, self.environment(command.root), file_actions=NOTHING
        )
        _, status, used = os.wait4(child, 0)
        wall = time.perf_counter() - start
        if status:
            raise RuntimeError(f"{' '.join(command.arguments)} failed")
        size = sum(file.stat().st_size for file in written(command)) / 1e6
        return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, size)

    def environment(self, root: Path) -> dict[str, str]:
        settings = self.folder / "fonts.conf"
        if not settings.exists():
            fonts = HERE.parent / "data/_shared/fonts"
            settings.write_text(FONTS.format(fonts=fonts, cache=self.folder / "fontcache"))
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return environment | {
            "PYTHONPYCACHEPREFIX": str(self.folder / "compiled"),
            "PYTHONPATH": os.pathsep.join(filter(None, (str(root), os.environ.get("PYTHONPATH")))),
            "XDG_CACHE_HOME": str(self.folder / "out/cache"),
            "FONTCONFIG_FILE": str(settings),
        }

    def pairs(self, command: Command, base: Command, runs: int) -> list[tuple[Run, Run]]:
        """Runs of both in turn, after one of each that is not counted."""
        return [(self.run(command), self.run(base)) for _ in range(runs + 1)][1:]

    def difference(self, kind: str) -> float:
        """How far the pages of two decks of 18 cards differ, as a share of white."""
        ours, by_hand = self.ours(kind, 18), self.by_hand(kind, 18)
        self.run(by_hand)
        self.run(ours)
        return float(output_of(HERE / "pictures.py", *written(ours), by_hand.result, 4))


def written(command: Command) -> list[Path]:
    return [*command.result.rglob("*.pdf")] if command.result.is_dir() else [command.result]


def output_of(script: Path, *arguments: object) -> str:
    """The output of another script. A process starts with its parent's memory, so this one stays small."""
    command = [sys.executable, str(script), *map(str, arguments)]
    environment = os.environ | {"PYTHONPATH": str(HERE.parent)}
    return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout.strip()


def available(*modules: str) -> bool:
    runs = (subprocess.run([PYTHON, "-c", f"import {name}"], capture_output=True, check=False) for name in modules)
    return any(not run.returncode for run in runs)


# ---- tables


HEAD = "deck              cards    CPU  least-most   wall  memory   CPU s   MiB     MB"


def row(label: str, count: int, pairs: Sequence[tuple[Run, Run]]) -> str:
    """A line of the table: ratios to the other of each pair, then seconds, memory and size."""
    ratios = [ours.processor / base.processor for ours, base in pairs]
    wall = median(ours.wall / base.wall for ours, base in pairs)
    memory = median(ours.memory / base.memory for ours, base in pairs)
    seconds, most = median(ours.processor for ours, _ in pairs), max(ours.memory for ours, _ in pairs)
    return (
        f"{label:<16} {count:>6}  {median(ratios):5.2f} {min(ratios):5.2f}-{max(ratios):<5.2f}  {wall:5.2f}  "
        f"{memory:6.2f}  {seconds:6.2f} {most:5.0f} {pairs[0][0].size:6.2f}"
    )


def measure(bench: Bench, kinds: Sequence[str], counts: Sequence[int], runs: int, other: Path | None) -> None:
    """Prints a line for every deck and number of cards, and what a card costs beyond the fixed costs of its deck."""
    costs = {}
    for kind in kinds:
        twin = kind in TWINS
        for count in counts:
            if other:
                base, note = bench.ours(kind, count, other), f" to {other}"
            elif twin:
                base, note = bench.by_hand(kind, count), ""
            else:
                base, note = bench.ours("plain", count), " to the plain deck"
            pairs = bench.pairs(bench.ours(kind, count), base, runs)
            print(row(kind, count, pairs) + note, flush=True)
            costs[kind, count] = median(ours.processor for ours, _ in pairs)
            if not twin and not other:
                costs.setdefault(("plain", count), median(base.processor for _, base in pairs))
    few, many = min(counts), max(counts)
    if few < many and ("plain", many) in costs:
        cost = {kind: (costs[kind, many] - costs[kind, few]) / (many - few) for kind in ("plain", *kinds)}
        print(f"\nCPU time of a card (from {few} to {many} cards), and its ratio to that of the plain deck:")
        for kind, seconds in cost.items():
            print(f"{kind:<16} {seconds * 1e3:7.3f} ms  {seconds / cost['plain']:5.2f}")


def tools(bench: Bench, counts: Sequence[int], runs: int) -> None:
    """Prints a line for every other tool that is installed."""
    scripts = ["by_typst"] if available("typst") else []
    for script in scripts + (["by_cairo"] if available("cairo", "cairocffi") else []):
        for kind in ("plain", "sheets"):
            for count in counts:
                pairs = bench.pairs(bench.tool(script, kind, count), bench.by_hand(kind, count), runs)
                print(row(f"{script[3:]} {kind}", count, pairs), flush=True)


def large(bench: Bench, kinds: Sequence[str], count: int) -> None:
    """Prints how much longer, and with how much more memory, a deck of ten times as many cards is made."""
    for kind in kinds:
        few, many = (bench.run(bench.ours(kind, number)) for number in (count // 10, count))
        print(
            f"{kind:<16} {count:>6} cards: {many.processor / few.processor:5.1f} times the time of a tenth, "
            f"{many.memory / few.memory:.2f} times the memory ({many.processor:.0f} s, {many.memory:.0f} MiB)",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    kinds = [*TWINS, *OTHERS]
    parser.add_argument("--kind", nargs="+", default=kinds, help=f"which decks: {', '.join(kinds)}, or random:SEED")
    parser.add_argument("--cards", nargs="+", type=int, default=COUNTS, help="decks of how many cards")
    parser.add_argument("--runs", type=int, default=7, help="pairs of processes for each figure")
    parser.add_argument(
        "--large", type=int, metavar="CARDS", help="instead, compare decks of CARDS with a tenth of them"
    )
    parser.add_argument("--workers", type=int, default=1, help="the processes with which Pencilbox prints")
    parser.add_argument("--against", type=Path, metavar="FOLDER", help="instead, compare with another checkout")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch), options.workers)
        if options.large:
            large(bench, options.kind, options.large)
            return
        speedups = "with" if available("rl_accel", "_rl_accel") else "without"
        print(f"{options.runs} pairs each, ratios to {options.against or f'by_hand.py {speedups} rl_accel'}")
        for kind in options.kind:
            if kind in TWINS and not options.against and (share := bench.difference(kind)) > SAME:
                print(f"{kind}: pages differ from those by hand by {share:.1%} of white")
        print(HEAD)
        measure(bench, options.kind, options.cards, options.runs, options.against)
        if "plain" in options.kind and not options.against:
            tools(bench, options.cards, options.runs)


if __name__ == "__main__":
    main()
