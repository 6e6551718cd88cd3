"""What the tests of several packages share."""

import gc
import os
import shutil
import signal
import sys
import tempfile
from functools import cache
from pathlib import Path

import pytest
import yaml

from generator import paths
from generator.games.upwards import deal
from generator.reading import load

gc.disable()  # while tests are collected
MEMORY = Path("/dev/shm")
"""A file system in memory, on Linux. Files on a disk take longer, and tests write tens of thousands."""
if (
    "TMPDIR" not in os.environ
    and MEMORY.is_dir()
    and shutil.disk_usage(MEMORY).free > 2 << 30
    and not os.statvfs(MEMORY).f_flag & os.ST_NOEXEC  # some tests write programs
):
    os.environ["TMPDIR"] = tempfile.tempdir = str(MEMORY)
HOME = tempfile.TemporaryDirectory(prefix="pencilbox-tests-")
if "PYTEST_XDIST_WORKER" not in os.environ:
    os.environ["XDG_CACHE_HOME"] = HOME.name  # of all processes: compiled templates are kept there
os.environ["XDG_DATA_HOME"] = HOME.name  # where a league would be
os.environ["OPENPYXL_LXML"] = "False"  # as generator/tables/workbooks.py sets it
os.environ["OPENBLAS_NUM_THREADS"] = "1"  # of numpy, whose threads would wait busily for the core of the other tests
yaml.SafeLoader = yaml.CSafeLoader  # for yaml.safe_load: the loader in Python takes ten times as long
yaml.SafeDumper = yaml.CSafeDumper
yaml.BaseLoader = yaml.CBaseLoader

read_game, read_once = load.read_game, cache(load.read_game)


def read_shipped_games_once(folder, templates, **options):
    """Nothing changes a game once it is read, and reading the shipped ones again for each test takes a tenth of the
    time. How they are read is tested by reading their files in other folders, and in other processes."""
    read = read_once if folder.parent == paths.DATA and not options else read_game
    return read(folder, templates, **options)


load.read_game = read_shipped_games_once

compute_targets, computed = deal.challenge_targets, dict[str, dict[str, int]]()


def compute_targets_once(*arguments):
    """The targets of a challenge take half a second, and many tests draw the same ones."""
    key = repr(arguments)
    if key not in computed:
        computed[key] = compute_targets(*arguments)
    return dict(computed[key])


deal.challenge_targets = compute_targets_once


def pytest_collection_finish():
    """Spares the garbage collector the thousands of tests, which stay until the end."""
    gc.collect()
    gc.freeze()
    gc.enable()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture
def default_signals():
    """Commands started by the test obey Ctrl-C and a hangup, even if the tests run under nohup or in the background."""
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGHUP)}
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


@pytest.fixture
def pencilbox(tmp_path, monkeypatch, capsys):
    """Runs a command in an empty folder; returns its exit code, standard output and standard error."""
    from generator.cli import main  # most tests run no command

    monkeypatch.chdir(tmp_path)

    def run(*words):
        monkeypatch.setattr(sys, "argv", ["pencilbox", *map(str, words)])
        with pytest.raises(SystemExit) as end:
            main()
        printed = capsys.readouterr()
        return end.value.code, printed.out, printed.err

    return run
