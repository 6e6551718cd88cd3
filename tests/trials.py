"""Random trials: one test for many seeds, because a test for each takes longer than most trials. With
PENCILBOX_GAMES=2000, each has that many."""

import functools
import inspect
import os

import pytest

BATCH = 20
LEAST = int(os.environ.get("PENCILBOX_GAMES", "0"))


def seeds(count):
    """Runs a test that has a parameter `seed` with every number below `count`. A failure says with which."""
    count = max(count, LEAST)

    def decorate(test):
        signature = inspect.signature(test)

        @functools.wraps(test)
        def run(batch, **fixtures):
            for seed in batch:
                try:
                    test(seed=seed, **fixtures)
                except Exception as error:
                    error.add_note(f"with seed {seed}")
                    raise

        parameters = [
            each.replace(name="batch") if each.name == "seed" else each for each in signature.parameters.values()
        ]
        run.__signature__ = signature.replace(parameters=parameters)
        batches = [range(first, min(first + BATCH, count)) for first in range(0, count, BATCH)]
        return pytest.mark.parametrize("batch", batches, ids=lambda batch: f"seeds {batch[0]} to {batch[-1]}")(run)

    return decorate
