"""Functions that run in copies of this process."""

import os
import signal
import time
from pathlib import Path

import pytest

from generator.errors import note, noting
from generator.workers import CAN_COPY, copies

pytestmark = pytest.mark.skipif(not CAN_COPY, reason="this system cannot copy a process")


def fails():
    raise RuntimeError


def is_killed():
    os.kill(os.getpid(), signal.SIGKILL)


def notes():
    note("a picture is coarse")
    return 3


def test_results_come_with_their_notes_and_without_those_of_failures(capfd):
    with noting() as noted, copies([notes, fails, lambda: os.getpid() != parent]) as results:
        assert [result() for result in results] == [3, None, True]
    assert [problem.message for problem in noted] == ["a picture is coarse"]
    with copies([is_killed, signal.pause]) as results:
        assert [result() for result in results] == [None, None]
    assert capfd.readouterr() == ("", "")


parent = os.getpid()


def test_a_copy_does_not_outlive_the_process(tmp_path):
    """The copy has more to write than a pipe holds."""
    process = os.fork()
    if not process:
        with copies([lambda: (tmp_path / "copy").write_text(str(os.getpid())) and bytes(1_000_000)]):
            while not (tmp_path / "copy").exists() or not (tmp_path / "copy").read_text():
                time.sleep(0.01)
            time.sleep(0.2)
            os._exit(0)
    os.waitpid(process, 0)
    copy = int((tmp_path / "copy").read_text())
    for _ in range(200):
        try:
            os.kill(copy, 0)
        except ProcessLookupError:
            return
        if Path(f"/proc/{copy}/stat").is_file() and " Z " in Path(f"/proc/{copy}/stat").read_text():
            return
        time.sleep(0.05)
    raise AssertionError("the copy is still there")


def test_copies_are_ended(tmp_path):
    copy = tmp_path / "copy"
    with pytest.raises(KeyboardInterrupt), copies([lambda: copy.write_text(f"{os.getpid()}.") and signal.pause()]):
        while not copy.exists() or not copy.read_text().endswith("."):
            time.sleep(0.01)
        raise KeyboardInterrupt
    with pytest.raises(ProcessLookupError):
        os.kill(int(copy.read_text()[:-1]), 0)
