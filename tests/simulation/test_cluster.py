"""Games played on a real Dask cluster over loopback: one of two workers is killed half-way, and nothing is lost."""

import json
import os
import signal
import socket
import subprocess
import sys
import threading
import time

import pytest

from generator import paths
from generator.cli import pencilbox
from generator.errors import InputError
from generator.simulation import executors, simulate
from generator.simulation.executors import open_workers
from generator.simulation.simulate import Job

distributed = pytest.importorskip("distributed")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(paths.ROOT),
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
}


def started(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        cwd=paths.ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture
def cluster(tmp_path):
    """The address of a scheduler, and its two workers."""
    file = tmp_path / "scheduler.json"
    scheduler = started(
        "scheduler",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--no-dashboard",
        "--dashboard-address",
        ":0",
        "--scheduler-file",
        str(file),
    )
    workers = [
        started(
            "worker",
            "--scheduler-file",
            str(file),
            "--host",
            "127.0.0.1",
            "--nthreads",
            "1",
            "--no-nanny",
            "--no-dashboard",
            "--local-directory",
            str(tmp_path / f"worker-{number}"),
        )
        for number in (1, 2)
    ]
    try:
        for _ in range(600):
            if file.exists() and file.read_text().strip().endswith("}"):
                break
            time.sleep(0.05)
        yield json.loads(file.read_text())["address"], workers
    finally:
        for one in (*workers, scheduler):
            one.kill()
            one.wait()


def test_a_killed_worker_loses_no_game(cluster):
    address, workers = cluster
    job = Job("from_the_ground_up", ("random", "greedy"), seed="cluster", stop=240, keep=True)
    alone = simulate.play(job)
    tally, sheets = simulate.Tally(), []
    with distributed.Client(address) as client, open_workers(1, address) as at_work:
        client.wait_for_workers(2, timeout=60)
        for number, (_, result) in enumerate(at_work.results(job.parts(6))):
            tally.add(result.tally)
            sheets += result.sheets
            if number == 8:
                workers[0].send_signal(signal.SIGKILL)
        assert len(client.scheduler_info()["workers"]) == 1
    assert tally == alone.tally
    assert sorted(sheets, key=lambda kept: kept[0]) == alone.sheets


@pytest.mark.parametrize(
    ("address", "says"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers"),
        ("localhost", "no address of a scheduler"),
        ("tcp://x y:1", "no address of a scheduler"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_named(monkeypatch, address, says):
    monkeypatch.setattr(executors, "CONNECT_TIMEOUT", 1)
    with pytest.raises(InputError, match=says):
        pencilbox.main(["balance", "upwards", "--games", "2", "--scheduler", address], standalone_mode=False)


def test_something_else_that_answers_is_no_scheduler(monkeypatch):
    monkeypatch.setattr(executors, "CONNECT_TIMEOUT", 2)
    with socket.create_server(("127.0.0.1", 0)) as server:
        threading.Thread(
            target=lambda: server.accept()[0].sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9), daemon=True
        ).start()
        with pytest.raises(InputError, match="no Dask scheduler answers"):
            pencilbox.main(
                ["balance", "upwards", "--games", "2", "--scheduler", f"tcp://127.0.0.1:{server.getsockname()[1]}"],
                standalone_mode=False,
            )


def test_without_dask_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pencilbox\[cluster\]"):
        pencilbox.main(
            ["balance", "upwards", "--games", "2", "--scheduler", "tcp://localhost:8786"], standalone_mode=False
        )
