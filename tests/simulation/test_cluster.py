"""Games and print runs on a real Dask cluster over loopback: nothing is lost with a worker, and a lost cluster is
reported."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from threading import Thread

import pytest

from generator import paths
from generator.cli import pencilbox as command_line
from generator.cli import printed
from generator.errors import InputError
from generator.simulation import simulate
from generator.simulation.simulate import Job
from generator.workers import open_workers

distributed = pytest.importorskip("distributed")
ENVIRONMENT = {
    **os.environ,
    "PYTHONPATH": str(paths.ROOT),
    "DASK_LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "5s",
}


def start_dask(*words):
    return subprocess.Popen(
        [sys.executable, "-m", "dask", *words],
        cwd=paths.ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def start_scheduler(file):
    return start_dask(
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


def start_worker(file, folder):
    return start_dask(
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
        str(folder),
    )


def address_in(file):
    """The address that a scheduler writes to its file when it is ready."""
    for _ in range(1200):
        if file.exists() and file.read_text().strip().endswith("}"):
            break
        time.sleep(0.05)
    return json.loads(file.read_text())["address"]


def end(processes):
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def scheduler(tmp_path):
    """A scheduler without workers: its process, and the file with its address."""
    file = tmp_path / "scheduler.json"
    process = start_scheduler(file)
    yield process, file
    end([process])


@pytest.fixture
def cluster(scheduler, tmp_path, request):
    """The address of a scheduler, its process, and its workers: two, or as many as the test says."""
    process, file = scheduler
    count = getattr(request, "param", 2)
    workers = [start_worker(file, tmp_path / f"worker-{number}") for number in range(1, count + 1)]
    yield address_in(file), process, workers
    end(workers)


def balance(*words):
    """Starts `pencilbox balance` in its own process."""
    return subprocess.Popen(
        [sys.executable, "-m", "generator", "balance", "from_the_ground_up", "--player", "random", *words],
        cwd=paths.ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("victim", ["scheduler", "last worker", "frozen scheduler"])
@pytest.mark.parametrize("cluster", [1], indirect=True)
def test_the_games_so_far_are_reported_when_the_cluster_is_lost(cluster, tmp_path, victim):
    address, scheduler, workers = cluster
    playing = balance(
        "--games",
        "1000000",
        "--scheduler",
        address,
        "--timeout",
        "2",
        "--format",
        "json",
        "--keep",
        str(tmp_path / "saved"),
    )
    try:
        deadline = time.monotonic() + 120
        while not list(tmp_path.glob("saved/*.yaml")) and time.monotonic() < deadline:
            time.sleep(0.05)
        if victim == "last worker":
            end(workers)
        else:
            scheduler.send_signal(signal.SIGSTOP if victim == "frozen scheduler" else signal.SIGKILL)
        out, err = playing.communicate(timeout=60)
    finally:
        playing.kill()
    assert 0 < json.loads(out)["games"] < 1_000_000
    messages = {
        "scheduler": "is gone",
        "frozen scheduler": "has stopped answering",
        "last worker": "has had no workers for 2 seconds",
    }
    assert err == (
        f"error: the scheduler at {address} {messages[victim]}; the report covers the games that were finished\n"
    )
    assert playing.returncode == 130


def test_a_scheduler_without_workers_is_reported(scheduler):
    address = address_in(scheduler[1])
    playing = balance("--games", "10", "--scheduler", address, "--timeout", "0.5")
    out, err = playing.communicate(timeout=60)
    assert out == ""
    assert err == (
        f"error: the scheduler at {address} has had no workers for 0.5 seconds; "
        f"start some with `dask worker {address}`, or wait longer with --timeout\n"
    )
    assert playing.returncode == 2


def test_a_port_that_never_answers_is_not_a_scheduler():
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        playing = balance("--games", "10", "--scheduler", address, "--timeout", "0.5")
        out, err = playing.communicate(timeout=60)
    assert out == ""
    assert err == f"error: no Dask scheduler answers at {address}; check that it is running and can be reached\n"
    assert playing.returncode == 2


def test_a_killed_worker_loses_neither_games_nor_files(cluster, scheduler, pencilbox, tmp_path, monkeypatch):
    """One worker is killed while games are played, and another one while sets are printed."""
    address, _, workers = cluster
    workers.append(start_worker(scheduler[1], tmp_path / "worker-3"))
    job = Job("from_the_ground_up", ("random", "greedy"), seed="cluster", stop=150, keep=True)
    serial = simulate.play(job)
    tally, sheets = simulate.Tally(), []
    with distributed.Client(address) as client, open_workers(1, address) as cluster_workers:
        client.wait_for_workers(3, timeout=60)
        for number, (_, result) in enumerate(cluster_workers.results(simulate.play, job.parts(6))):
            tally.add(result.tally)
            sheets += result.sheets
            if number == 8:
                workers[0].send_signal(signal.SIGKILL)
        assert len(client.scheduler_info()["workers"]) == 2
    assert tally == serial.tally
    assert sorted(sheets, key=lambda entry: entry[0]) == serial.sheets

    saved = []

    def save_and_kill(content, file):
        saved.append(file.name)
        if len(saved) == 2:
            workers[1].send_signal(signal.SIGKILL)
        save(content, file)

    save = printed.save
    run = ("make", "from_the_ground_up", "cards", "--print-run", "6", "--seed", "cluster")
    alone = pencilbox(*run, "-o", "alone", "--workers", "1")
    monkeypatch.setattr(printed, "save", save_and_kill)
    code, out, err = pencilbox(*run, "-o", "cluster", "--scheduler", address, "--timeout", "20")
    assert (code, out.replace("cluster/", "alone/"), err) == alone
    files = sorted((tmp_path / "cluster/from_the_ground_up").iterdir())
    assert sorted(saved) == [file.name for file in files] and len(files) == 6
    for file in files:
        assert file.read_bytes() == (tmp_path / "alone/from_the_ground_up" / file.name).read_bytes()


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers"),
        ("localhost", "is not the address of a scheduler"),
        ("tcp://x y:1", "is not the address of a scheduler"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_reported(address, message):
    words = ["balance", "upwards", "--games", "2", "--scheduler", address, "--timeout", "1"]
    with pytest.raises(InputError, match=message):
        command_line.main(words, standalone_mode=False)


def test_another_server_is_not_a_scheduler():
    with socket.create_server(("127.0.0.1", 0)) as server:
        Thread(target=lambda: server.accept()[0].sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n" * 9), daemon=True).start()
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(InputError, match="no Dask scheduler answers"):
            command_line.main(
                ["balance", "upwards", "--games", "2", "--scheduler", address, "--timeout", "2"], standalone_mode=False
            )


def test_the_message_names_the_extra_that_installs_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"pencilbox\[cluster\]"):
        command_line.main(
            ["balance", "upwards", "--games", "2", "--scheduler", "tcp://localhost:8786"], standalone_mode=False
        )
