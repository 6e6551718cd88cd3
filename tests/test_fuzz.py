"""A few hundred damaged files of every kind; `make fuzz` goes on for hours."""

import sys

import pytest

from tests import fuzz

NUMBERS = {
    "table": 12,
    "workbook": 30,
    "game": 15,
    "copied": 6,
    "cards": 6,
    "template": 8,
    "svg": 6,
    "picture": 4,
    "font": 6,
    "pdf": 8,
}
"""Six seconds together; surfaces without a number are fast."""


@pytest.mark.skipif(sys.platform == "win32", reason="no timer for CPU time")
@pytest.mark.parametrize("surface", fuzz.SURFACES)
def test_damaged_files_never_cause_a_traceback(surface, monkeypatch):
    monkeypatch.setenv("XDG_CONFIG_HOME", "")
    for number in range(NUMBERS.get(surface, 60)):
        try:
            fuzz.fuzz(surface, number)
        except BaseException as error:
            raise AssertionError(f"python -m tests.fuzz --only {surface}:{number}") from error
