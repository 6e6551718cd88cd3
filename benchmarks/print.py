"""Times large decks against other tools that print the same pages: `python benchmarks/print.py [--runs N] [--quick]`.

Whole processes are timed in turn with `by_hand.py`, the same deck drawn by hand on reportlab's canvas, and medians of
ratios are reported: below 1 is faster than by hand. Typst and cairo are timed where they are installed. PEER_FONT names
another TTF file, BENCH_PYTHON another interpreter. All pages are rendered and compared first. Use an
interpreter with rl_accel for a fair comparison: without it the deck by hand takes nearly twice as long.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from statistics import median

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

import workload  # noqa: E402

PYTHON = os.environ.get("BENCH_PYTHON", sys.executable)
FONTS = '<?xml version="1.0"?><fontconfig><dir>{fonts}</dir><cachedir>{cache}</cachedir></fontconfig>'
NOTHING = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in (0, 1, 2)]
Command = tuple[list[str], Path]
"""A command, and the PDF it writes."""


@dataclass(frozen=True, slots=True)
class Run:
    """What one process took: wall-clock and CPU seconds, peak memory in MiB, bytes written."""

    wall: float
    processor: float
    memory: float
    size: int


@dataclass(frozen=True, slots=True)
class Bench:
    """A working folder. Every process may keep its compiled code, as an installed one does."""

    folder: Path

    def ours(self, kind: str, count: int, *, rich: bool = False, accelerated: bool = True) -> Command:
        name = f"{kind}{count}{'r' * rich}".lower()
        game = self.folder / name
        if not game.exists():
            name_of_kind = "sheets" if kind == "S" else "rich" if rich else "plain"
            output_of(HERE / "deck.py", name_of_kind, game, count)
        part = "cards" if kind == "W" else "sheets"
        run = ["-m", "generator"] if accelerated else [str(HERE / "unaccelerated.py")]
        return (
            [PYTHON, *run, "make", str(game), "--component", part, "-q", "--force", "-o", str(self.folder)],
            self.folder / name / f"{part}-a4.pdf",
        )

    def other(self, script: str, kind: str, count: int, *flags: str) -> Command:
        file = self.folder / f"{script}-{kind}{count}.pdf"
        return [PYTHON, str(HERE / f"{script}.py"), str(count), str(file), kind, *flags], file

    def run(self, command: Command) -> Run:
        arguments, file = command
        start = time.perf_counter()
        child = os.posix_spawn(arguments[0], arguments, self.environment(), file_actions=NOTHING)
        _, status, used = os.wait4(child, 0)
        wall = time.perf_counter() - start
        if status:
            raise RuntimeError(f"{' '.join(arguments)} failed")
        return Run(wall, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, file.stat().st_size)

    def environment(self) -> dict[str, str]:
        settings = self.folder / "fonts.conf"
        if not settings.exists():
            settings.write_text(FONTS.format(fonts=workload.FONT.parent, cache=self.folder / "fontcache"))
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        return environment | {
            "PYTHONPYCACHEPREFIX": str(self.folder / "compiled"),
            "PYTHONPATH": str(HERE.parent),
            "FONTCONFIG_FILE": str(settings),
        }

    def compared(self, command: Command, base: Command, runs: int) -> str:
        """A line of the table: `command` compared with `base`, run in turn after one uncounted run of each."""
        pairs = [(self.run(command), self.run(base)) for _ in range(runs + 1)][1:]
        ours = [process_ for process_, _ in pairs]
        ratio, least, most = _spread([process_.wall / other.wall for process_, other in pairs])
        processor = median(process_.processor / other.processor for process_, other in pairs)
        wall = median(process_.wall for process_ in ours)
        return (
            f"{ratio:6.2f} [{least:.2f}-{most:.2f}]  cpu {processor:5.2f}  {wall:6.3f} s  "
            f"{max(process_.memory for process_ in ours):6.1f} MiB  {ours[0].size / 1e6:6.3f} MB"
        )


def output_of(script: Path, *arguments: object) -> str:
    """The output of another script. A process starts with its parent's memory, so this one stays small."""
    command = [sys.executable, str(script), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def _spread(ratios: list[float]) -> tuple[float, float, float]:
    return median(ratios), min(ratios), max(ratios)


def available(module: str) -> bool:
    if sys.executable == PYTHON:
        return find_spec(module) is not None
    return not subprocess.run([PYTHON, "-c", f"import {module}"], capture_output=True, check=False).returncode


def others() -> list[str]:
    tools = ["by_typst"] if available("typst") else []
    return tools + (["by_cairo"] if available("cairo") or available("cairocffi") else [])


def main(runs: int, sizes: tuple[int, ...], sheets: int) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(Path(scratch))
        every = [(kind, count) for kind, counts in (("W", sizes), ("S", (sheets,))) for count in counts]
        for script in others():
            same(bench, script)
        speedups = "with" if available("rl_accel") or available("_rl_accel") else "without"
        print(f"{runs} pairs each, ratio to by_hand.py [least-most], {workload.FONT.name}, {speedups} rl_accel")
        rows: list[tuple[str, Callable[[], Command], str, int]] = []
        for kind, count in every:
            rows.append((f"pencilbox {kind}({count})", lambda k=kind, c=count: bench.ours(k, c), kind, count))
            for script in others():
                rows.append(
                    (
                        f"{script[3:]} {kind}({count})",
                        lambda s=script, k=kind, c=count: bench.other(s, k, c),
                        kind,
                        count,
                    )
                )
        rows.append((f"pencilbox W({sizes[-1]}) rich", lambda: bench.ours("W", sizes[-1], rich=True), "W", sizes[-1]))
        for label, command, kind, count in rows:
            print(f"{label:<26}", bench.compared(command(), bench.other("by_hand", kind, count), runs), flush=True)
        label = f"without rl_accel W({sizes[-1]})"
        without, usual = bench.ours("W", sizes[-1], accelerated=False), bench.ours("W", sizes[-1])
        print(f"{label:<26}", bench.compared(without, usual, runs), "(ratio to pencilbox with the installed helpers)")


def same(bench: Bench, script: str = "") -> None:
    """Renders the pages drawn by hand and by Pencilbox (or by `script`), and reports how far they differ."""
    for kind, count in (("W", 18), ("S", 1)):
        pages = bench.other(script, kind, count) if script else bench.ours(kind, count)
        by_hand = bench.other("by_hand", kind, count)
        for command in (pages, by_hand):
            bench.run(command)
        share = float(output_of(HERE / "pictures.py", pages[1], by_hand[1]))
        print(f"{script or 'pencilbox'}, {kind}({count}): pages differ from those by hand by {share:.2%} of white")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("--runs", type=int, help="pairs of processes for each figure (7, or 3 with --quick)")
    parser.add_argument("--quick", action="store_true", help="leave out the largest deck")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        same(Bench(Path(place)))
    main(arguments.runs or (3 if arguments.quick else 7), (54, 540) if arguments.quick else (54, 540, 5400), 100)
