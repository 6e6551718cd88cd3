"""Functions that run in copies of this process."""

import os
import signal
import time

import pytest

from generator.errors import note, noting
from generator.forking import CAN_FORK, copies

pytestmark = pytest.mark.skipif(not CAN_FORK, reason="this system cannot copy a process")


def fails():
    raise RuntimeError


def is_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def notes():
    note("a picture is coarse")
    return 3


def test_results_come_with_their_notes_and_without_those_of_failures(capfd):
    with noting() as noted, copies([notes, fails, is_killed, lambda: os.getpid() != parent]) as results:
        assert [result() for result in results] == [3, None, None, True]
    assert [problem.message for problem in noted] == ["a picture is coarse"]
    assert capfd.readouterr() == ("", "")


parent = os.getpid()


def test_copies_are_ended(tmp_path):
    copy = tmp_path / "copy"
    with pytest.raises(KeyboardInterrupt), copies([lambda: copy.write_text(f"{os.getpid()}.") and signal.pause()]):
        while not copy.exists() or not copy.read_text().endswith("."):
            time.sleep(0.01)
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(int(copy.read_text()[:-1]), 0)
