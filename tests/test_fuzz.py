"""A few hundred damaged files of every kind; `make fuzz` goes on for hours."""

import sys

import pytest

from tests import fuzz

NUMBERS = {
    "table": 25,
    "game": 30,
    "copied": 15,
    "cards": 12,
    "template": 20,
    "svg": 15,
    "picture": 8,
    "font": 8,
    "pdf": 15,
}
"""About 30 seconds together; surfaces without a number are fast."""


@pytest.mark.skipif(sys.platform == "win32", reason="no timer for CPU time")
@pytest.mark.parametrize("surface", fuzz.SURFACES)
def test_damaged_files_never_cause_a_traceback(surface, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    for number in range(NUMBERS.get(surface, 60)):
        try:
            fuzz.fuzz(surface, number)
        except BaseException as error:
            raise AssertionError(f"python -m tests.fuzz --only {surface}:{number}") from error
