"""Measures what the project promises about random sets, on one core: `python benchmarks/random_sets.py [--twins N]`.

`--twins N` draws N sets of every kind (100000 for the promised check) and counts those that equal another.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from statistics import median

from generator import games
from generator.draws import Deck, draw_kinds
from generator.games.from_the_ground_up import deal
from generator.games.from_the_ground_up.deal import SETS
from generator.model.game import Game
from generator.printing.verify import verify_code
from generator.reading.load import load

RUNS = 5
DRAWN = [(key, draw) for key in games.SHIPPED for draw in load(key).draws]


def seconds(work: Callable[[], object]) -> float:
    """The median CPU time of several runs, after a first one that is not counted."""
    times = []
    for _ in range(RUNS + 1):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return median(times[1:])


def deal_sets(game: Game, draw: str, count: int) -> Iterator[Deck]:
    return (games.deal(game, games.new_code(game, "measured", index, draw)) for index in range(count))


def sets() -> None:
    game = load("from_the_ground_up")
    took = seconds(lambda: [*deal_sets(game, "cards", 1000)])
    print(f"1,000 sets of From the Ground Up: {took:.2f} s (promised: 1)")
    for key, draw in DRAWN:
        other = load(key)
        took = seconds(lambda other=other, draw=draw: [*deal_sets(other, draw, 100)])  # type: ignore[misc]
        print(f"  {key}, {draw}: {100 / took:,.0f} per second")


def runs() -> None:
    game = load("from_the_ground_up")
    for name, about in game.draws["cards"].recipes.items():
        if "run" in about:
            definition = deal.read(game, name)
            size = deal.largest(definition)
            took = seconds(lambda definition=definition, size=size: deal.sets.__wrapped__(definition, 1, size))  # type: ignore[misc]
            print(f"a run of all {size} sets of {name}: {took:.2f} s")
    first = draw_kinds.new_code(game, "measured", 0, "cards", {"run": "yes"})
    code = SETS.run(game, first, 20)[0]
    print(f"checking a set of a run of 20 against its recipe: {seconds(lambda: verify_code(str(code), game)):.3f} s")


def twins(count: int) -> None:
    for key, draw in DRAWN:
        game = load(key)
        seen = {hash(repr(games.random_sets(game).data(game, deck))) for deck in deal_sets(game, draw, count)}
        print(f"{count:,} sets of {key}, {draw}: {count - len(seen)} equal another one (promised: 0)")


def main() -> None:
    print(f"Python {sys.version.split()[0]}")
    sets()
    runs()
    if "--twins" in sys.argv:
        twins(int(sys.argv[sys.argv.index("--twins") + 1]))


if __name__ == "__main__":
    main()
