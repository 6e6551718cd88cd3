"""How the process of a command ends."""

import atexit
import os
import sys
import threading

import pytest

from generator import cli


@pytest.fixture
def leave(monkeypatch, capsys):
    """Runs a command as its own process would; returns how it ends, with its exit code, and what was called before."""
    called = []

    def leave_at_once(code):
        called.append(f"left with {code}")
        raise KeyboardInterrupt  # this process stays

    monkeypatch.setattr(atexit, "_run_exitfuncs", lambda: called.append("exit functions"))
    monkeypatch.setattr(os, "_exit", leave_at_once)

    def run(*words):
        called.clear()
        monkeypatch.setattr(sys, "argv", ["pencilbox", *words])
        with pytest.raises((SystemExit, KeyboardInterrupt)) as end:
            cli.run()
        return called if end.type is KeyboardInterrupt else end.value.code

    return run


def test_a_command_leaves_its_memory_to_the_system(leave, monkeypatch):
    monkeypatch.setattr(threading, "active_count", lambda: 1)  # other tests may have left threads
    assert leave("--version") == ["exit functions", "left with 0"]
    assert leave("no-such-command") == ["exit functions", "left with 2"]


def test_profilers_and_threads_see_the_end_of_a_command(leave):
    sys.setprofile(lambda *_: None)
    try:
        assert leave("--version") == 0
    finally:
        sys.setprofile(None)
    stop = threading.Event()
    thread = threading.Thread(target=stop.wait)
    thread.start()
    try:
        assert leave("no-such-command") == 2
    finally:
        stop.set()
        thread.join()
