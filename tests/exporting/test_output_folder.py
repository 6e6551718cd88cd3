"""A folder that is written completely or not at all, however its export ends."""

import signal
import subprocess
import sys

import pytest

from generator.exporting.output_folder import _remove_unfinished, new_folder

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no signals, and no locks that end with a process")
EXPORT = """
import os, signal, sys
from pathlib import Path
from generator.exporting.output_folder import new_folder

with new_folder(Path(sys.argv[1])) as new:
    (new.path / "a.txt").write_text("")
    os.kill(os.getpid(), int(sys.argv[2]))
    input()
"""


def ended(target, number):
    """Ends an export by a signal; returns what it printed."""
    words = [sys.executable, "-c", EXPORT, str(target), str(int(number))]
    return subprocess.run(words, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False).stderr


@pytest.mark.parametrize("exists", [False, True])
def test_an_export_that_is_ended_leaves_nothing(tmp_path, exists):
    target = tmp_path / "out"
    if exists:
        target.mkdir()
    assert "KeyboardInterrupt" in ended(target, signal.SIGTERM)
    assert list(tmp_path.rglob("*")) == [target] * exists


@pytest.mark.parametrize("exists", [False, True])
def test_the_next_export_removes_what_a_killed_one_has_left(tmp_path, exists):
    target = tmp_path / "out"
    if exists:
        target.mkdir()
    ended(target, signal.SIGKILL)
    (left,) = tmp_path.rglob(".out-*.part")
    for name in (".out-12345678.part", ".out-1234567.part", ".other-12345678.part"):
        (left.parent / name).mkdir()
    with new_folder(target) as new:
        assert not left.exists()
        (new.path / "b.txt").write_text("")
        _remove_unfinished(left.parent, "out")
        assert new.path.is_dir(), "it is still being written"
    assert (target / "b.txt").is_file()
    assert not list(target.rglob("lock"))
    kept = {".out-12345678.part", ".out-1234567.part", ".other-12345678.part"}
    assert {path.name for path in tmp_path.rglob("*.part")} == kept, "they are not from an export"


def test_of_two_exports_at_once_the_later_one_stays(tmp_path):
    target = tmp_path / "out"
    with new_folder(target) as later:
        (later.path / "b.txt").write_text("later")
        later.record({})
        with new_folder(target) as first:
            (first.path / "a.txt").write_text("first")
            (first.path / "b.txt").write_text("first")
            first.record({})
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["b.txt", "export.json", "out"]
    assert (target / "b.txt").read_text() == "later"


def test_a_signal_handler_is_set_back(tmp_path):
    before = signal.getsignal(signal.SIGTERM)
    with new_folder(tmp_path / "out"):
        assert signal.getsignal(signal.SIGTERM) != before
    assert signal.getsignal(signal.SIGTERM) == before
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
