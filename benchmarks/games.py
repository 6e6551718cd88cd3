"""The full proof of the judge: `python benchmarks/games.py [GAMES]`, or `make proof`.

The test suite tries every rule-breaking change on a few random legal games. This script tries them on 2,000 games of
each kind, and the tests' independent referees check each answer. It takes a while.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time

from generator import paths

GAMES = 2000
PROOFS = {
    "from_the_ground_up": "tests/games/from_the_ground_up/test_referee.py",
    "elevator_up": "tests/games/elevator_up/test_changes.py",
    "rolling_cubes": "tests/games/rolling_cubes/test_referee.py",
    "upwards": "tests/games/upwards/test_referee.py",
    "cosmic_consequences": "tests/games/cosmic_consequences/test_changes.py",
}


def prove(key: str, games: int) -> bool:
    start = time.perf_counter()
    result = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-n", "0", "-x", PROOFS[key]],
        cwd=paths.ROOT,
        check=False,
        capture_output=True,
        text=True,
        env=os.environ | {"PENCILBOX_GAMES": str(games)},
    )
    summary = result.stdout.strip().splitlines()[-1] if result.returncode == 0 else result.stdout
    print(f"{key}, {games:,} games: {summary} ({time.perf_counter() - start:.0f} s)", flush=True)
    return result.returncode == 0


if __name__ == "__main__":
    count = int(sys.argv[1]) if len(sys.argv) > 1 else GAMES
    sys.exit(0 if all([prove(key, count) for key in PROOFS]) else 1)
