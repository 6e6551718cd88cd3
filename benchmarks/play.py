"""Measures what the project promises about simulated play: `python benchmarks/play.py`.

Four random players, in CPU seconds of one process; then the same games played by one process and by two, in turn, in
wall-clock seconds, with the median of the ratios. Run nothing else meanwhile; the load printed before and
after shows whether the machine was idle.
"""

from __future__ import annotations

import os
import sys
import time
from statistics import median

from generator.simulation import simulate
from generator.simulation.report import Job
from generator.workers import open_workers

PROMISED = {"from_the_ground_up": 800, "upwards": 500}
VARIANTS = [
    ("from_the_ground_up", "standard"),
    ("from_the_ground_up", "stall"),
    *(("upwards", option + more) for option in ("rows", "snake", "blocks") for more in ("", "+event-die")),
    ("elevator_up", "standard"),
    ("rolling_cubes", "one-by-one"),
    ("rolling_cubes", "all-together"),
    ("rolling_cubes", "five-throws"),
    ("cosmic_consequences", "standard"),
    ("cosmic_consequences", "race"),
]
GAMES = {"from_the_ground_up": 600, "upwards": 300, "elevator_up": 300, "rolling_cubes": 40, "cosmic_consequences": 200}
RUNS = 3
PAIRS = 9


def rate(game: str, variant: str, mind: str = "random") -> float:
    """Games per second of CPU time: the median of several runs over different games."""
    count = GAMES[game] // (1 if mind == "random" else 20)
    job = Job(game, (mind,) * 4, variant=variant, seed="warm", stop=count)
    simulate.play(job)
    rates = []
    for run in range(RUNS):
        start = time.process_time()
        simulate.play(Job(game, (mind,) * 4, variant=variant, seed=f"run {run}", stop=count))
        rates.append(count / (time.process_time() - start))
    return median(rates)


def clock(workers: int, count: int) -> float:
    job = Job("from_the_ground_up", ("random",) * 4, seed="workers", stop=count)
    with open_workers(workers) as at_work:
        for _ in at_work.results(simulate.play, Job("from_the_ground_up", job.strategies, stop=workers * 40).parts(40)):
            pass  # every process has loaded the game
        start = time.perf_counter()
        for _ in at_work.results(simulate.play, job.parts(25)):
            pass
        return time.perf_counter() - start


def load() -> str:
    return " ".join(f"{average:.1f}" for average in os.getloadavg())


if __name__ == "__main__":
    print(f"games per second on one core, four players, Python {sys.version.split()[0]}; load {load()}")
    for game, variant in VARIANTS:
        promised = f"   (promised: {PROMISED[game]})" if game in PROMISED else ""
        minds = "".join(
            f"  {mind} {rate(game, variant, mind):7,.0f}"
            for mind in simulate.STRATEGIES
            if mind == "random" or variant != "all-together"
        )  # if all players knew the best word, they would tie endlessly
        print(f"{game + ' ' + variant:<34}{minds}{promised}", flush=True)
    ratios = []
    for pair in range(PAIRS):
        times = {workers: clock(workers, 2000) for workers in ((1, 2) if pair % 2 else (2, 1))}
        ratios.append(times[1] / times[2])
    print(
        f"two cores: {median(ratios):.2f} times one (promised: 1.7); "
        f"{min(ratios):.2f} to {max(ratios):.2f} in {PAIRS} pairs, load {load()}"
    )
