"""Functions that run in copies of this process."""

import os
import signal

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


def test_copies_are_ended():
    with pytest.raises(KeyboardInterrupt), copies([signal.pause]):
        raise KeyboardInterrupt
    with pytest.raises(ChildProcessError):
        os.wait()
