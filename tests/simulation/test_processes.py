"""Worker processes: none outlives its parent, and the report survives if one is killed."""

import json
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest

from generator import paths

GAME = "from_the_ground_up"


def start(folder, *words):
    """Starts `pencilbox balance` in a folder, with two workers, from a script in another folder as when installed."""
    script = folder / "bin" / "pencilbox.py"
    script.parent.mkdir()
    script.write_text("from generator.cli import main\n\nif __name__ == '__main__':\n    main()\n")
    return subprocess.Popen(
        [sys.executable, script, "balance", GAME, "--player", "random", "--workers", "2", *words],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": str(paths.ROOT)},
    )


def workers_of(playing, folder):
    """The processes started by a run, once its first games are saved."""
    deadline = time.monotonic() + 60
    while not list(folder.glob("saved/*.yaml")) and time.monotonic() < deadline:
        time.sleep(0.05)
    return psutil.Process(playing.pid).children(recursive=True)


def alive(processes):
    return [process for process in processes if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


@pytest.mark.usefixtures("default_signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP", "SIGKILL"])
def test_no_worker_outlives_its_parent(tmp_path, name):
    playing = start(tmp_path, "--games", "1000000", "--keep", "saved")
    workers = workers_of(playing, tmp_path)
    assert len(workers) >= 2
    playing.send_signal(getattr(signal, name))
    playing.communicate(timeout=30)
    deadline = time.monotonic() + 10
    while alive(workers) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert alive(workers) == []


def test_the_games_so_far_are_reported_if_a_worker_is_killed(tmp_path):
    playing = start(tmp_path, "--games", "1000000", "--keep", "saved", "--format", "json")
    worker = next(
        process for process in workers_of(playing, tmp_path) if "resource_tracker" not in " ".join(process.cmdline())
    )
    worker.kill()
    out, err = playing.communicate(timeout=60)
    assert 0 < json.loads(out)["games"] < 1_000_000
    assert err.splitlines() == ["error: a worker process was killed; the report covers the games that were finished"]
    assert playing.returncode == 130


def test_workers_import_nothing_from_the_working_directory(tmp_path):
    for module in ("multiprocessing", "random", "yaml", "pickle"):
        (tmp_path / f"{module}.py").write_text("open('hostile', 'w').close()\n")
    playing = start(tmp_path, "--games", "300")
    out, err = playing.communicate(timeout=60)
    assert "300 games" in out
    assert err == ""
    assert not (tmp_path / "hostile").exists()
