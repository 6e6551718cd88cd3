"""What was promised of play, measured: `python benchmarks/play.py`.

Four random players, every legal move possible, in CPU seconds of one process; then whole games by one process and by
two in turn, in seconds on the clock, the median of the ratios. Machines are noisy: nothing else should run.
"""

from __future__ import annotations

import sys
import time
from statistics import median

from generator import table
from generator.table import Job
from generator.table_workers import hands

PROMISED = {("from_the_ground_up", ""): 800, ("upwards", "rows"): 500}
OTHERS = [("upwards", "rows+event-die"), ("elevator_up", ""), ("rolling_cubes", ""),
          ("cosmic_consequences", "")]
GAMES = {"from_the_ground_up": 1500, "upwards": 800, "elevator_up": 400, "rolling_cubes": 40,
         "cosmic_consequences": 800}
RUNS = 5


def rate(game: str, variant: str, mind: str = "random") -> float:
    """Games a second of CPU time; the median of several runs over different games."""
    count = GAMES[game] // (1 if mind == "random" else 5)
    job = Job(game, (mind,) * 4, variant=variant, seed="warm", stop=count)
    table.play(job)
    rates = []
    for run in range(RUNS):
        start = time.process_time()
        table.play(Job(game, (mind,) * 4, variant=variant, seed=f"run {run}", stop=count))
        rates.append(count / (time.process_time() - start))
    return median(rates)


def clock(workers: int, count: int) -> float:
    job = Job("from_the_ground_up", ("random",) * 4, seed="workers", stop=count)
    with hands(workers, None) as players:
        for _ in players.played(Job("from_the_ground_up", job.minds, stop=workers * 40).parts(40)):
            pass                                            # everybody has read the game
        start = time.perf_counter()
        for _ in players.played(job.parts(25)):
            pass
        return time.perf_counter() - start


if __name__ == "__main__":
    print(f"games a second on one core, four players, Python {sys.version.split()[0]}")
    for game, variant in [*PROMISED, *OTHERS]:
        wanted = PROMISED.get((game, variant))
        promised = f"   (promised: {wanted})" if wanted else ""
        minds = "".join(f"  {mind} {rate(game, variant, mind):7,.0f}" for mind in table.MINDS)
        print(f"{game + ' ' + variant:<32}{minds}{promised}", flush=True)
    ratios = [clock(1, 2000) / clock(2, 2000) for _ in range(RUNS)]
    print(f"two cores: {median(ratios):.2f} times one (promised: 1.7)")
