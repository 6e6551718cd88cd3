"""Games and print runs on a real Dask cluster over loopback: nothing is lost with a worker, and a lost cluster is
reported."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from importlib.util import find_spec
from threading import Thread

import pytest

from generator import paths, workers
from generator.cli import pencilbox as command_line
from generator.errors import InputError
from generator.printing import jobs
from generator.simulation import simulate
from generator.simulation.report import Job, Tally

pytestmark = pytest.mark.skipif(find_spec("distributed") is None, reason="distributed is not installed")
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(paths.ROOT), "DASK_LOGGING__DISTRIBUTED": "critical"}


def client_of(address):
    from distributed import Client  # takes half a second, also when no test here runs

    return Client(address)


class Cluster:
    """A scheduler and its workers, each a process of its own. The next test uses those that a test has not killed."""

    def __init__(self, folder):
        self.folder = folder
        self.scheduler, self.workers = None, []

    def start(self, count):
        """The address of the scheduler, when it has this number of workers."""
        if not self.is_running(self.scheduler):
            self.end()
            self.file = self.folder / "scheduler.json"
            self.file.unlink(missing_ok=True)
            ports = ("--port", "0", "--dashboard-address", ":0")
            self.scheduler = self.dask("scheduler", *ports)
        for worker in self.workers[count:]:
            worker.kill()
        self.workers = [worker for worker in self.workers[:count] if self.is_running(worker)]
        while len(self.workers) < count:
            self.workers.append(
                self.dask("worker", "--nthreads", "1", "--no-nanny", "--local-directory", str(self.folder))
            )
        while not self.file.exists() or not self.file.read_text().strip().endswith("}"):
            time.sleep(0.02)
        address = json.loads(self.file.read_text())["address"]
        with client_of(address) as client:
            while len(client.nthreads()) != count:
                time.sleep(0.02)
        return address

    def dask(self, what, *words):
        return subprocess.Popen(
            [
                *(sys.executable, "-m", "dask", what, "--scheduler-file", str(self.file)),
                *("--host", "127.0.0.1", "--no-dashboard", *words),
            ],
            cwd=paths.ROOT,
            env=ENVIRONMENT,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def is_running(self, process):
        return process is not None and process.poll() is None

    def end(self):
        for process in filter(None, [self.scheduler, *self.workers]):
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    cluster = Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.end()


def test_a_killed_worker_loses_neither_games_nor_files(cluster, pencilbox, tmp_path, monkeypatch):
    """One worker is killed while games are played, and another one while sets are printed."""
    address = cluster.start(3)
    job = Job("from_the_ground_up", ("random", "greedy"), seed="cluster", stop=60, keep=True)
    serial = simulate.play(job)
    tally, sheets = Tally(), []
    with client_of(address) as client, workers.open_workers(1, address) as opened:
        for number, (_, result) in enumerate(opened.results(simulate.play, job.parts(3))):
            tally.add(result.tally)
            sheets += result.sheets
            if number == 6:
                cluster.workers[0].kill()
        deadline = time.monotonic() + 20
        while len(client.scheduler_info()["workers"]) > 2 and time.monotonic() < deadline:
            time.sleep(0.02)  # the client hears of it somewhat later
        assert len(client.scheduler_info()["workers"]) == 2
    assert tally == serial.tally
    assert sorted(sheets, key=lambda entry: entry[0]) == serial.sheets

    saved = []

    def save_and_kill(content, file):
        saved.append(file.name)
        if len(saved) == 2:
            cluster.workers[1].kill()
        save(content, file)

    save = jobs.save
    run = ("make", "from_the_ground_up", "cards", "--print-run", "4", "--seed", "cluster")
    alone = pencilbox(*run, "-o", "alone", "--workers", "1")
    monkeypatch.setattr(jobs, "save", save_and_kill)
    code, out, err = pencilbox(*run, "-o", "cluster", "--scheduler", address, "--timeout", "20")
    assert (code, out.replace("cluster/", "alone/"), err) == alone
    files = sorted((tmp_path / "cluster/from_the_ground_up").iterdir())
    assert sorted(saved) == [file.name for file in files] and len(files) == 4
    for file in files:
        assert file.read_bytes() == (tmp_path / "alone/from_the_ground_up" / file.name).read_bytes()


@pytest.fixture
def impatient(monkeypatch):
    """Asks the scheduler more often, and waits less for the connection to close."""
    monkeypatch.setattr(workers, "CHECK_INTERVAL", 0.2)
    monkeypatch.setattr(workers, "CLOSE_TIMEOUT", 0.05)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize(
    ("victim", "message"),
    [
        ("last worker", "has had no workers for 2 seconds"),
        ("frozen scheduler", "has stopped answering"),
        ("scheduler", "is gone"),
    ],
)
def test_the_games_so_far_are_reported_when_the_cluster_is_lost(cluster, pencilbox, tmp_path, victim, message):
    address = cluster.start(1)

    def lose():
        while not list(tmp_path.glob("saved/*.yaml")):
            time.sleep(0.02)
        process = cluster.workers[0] if victim == "last worker" else cluster.scheduler
        process.send_signal(signal.SIGSTOP if victim == "frozen scheduler" else signal.SIGKILL)

    Thread(target=lose, daemon=True).start()
    game = ("from_the_ground_up", "--player", "random", "--games", "1000000", "--keep", "saved", "--format", "json")
    code, out, err = pencilbox("balance", *game, "--scheduler", address, "--timeout", "2")
    cluster.scheduler.send_signal(signal.SIGCONT)
    assert 0 < json.loads(out)["games"] < 1_000_000
    assert err == f"error: the scheduler at {address} {message}; the report covers the games that were finished\n"
    assert code == 130


def test_a_scheduler_without_workers_is_reported(cluster, pencilbox):
    address = cluster.start(0)
    code, out, err = pencilbox("balance", "upwards", "--games", "10", "--scheduler", address, "--timeout", "0.5")
    assert out == ""
    assert err == (
        f"error: the scheduler at {address} has had no workers for 0.5 seconds; "
        f"start some with `dask worker {address}`, or wait longer with --timeout\n"
    )
    assert code == 2


def test_a_port_that_never_answers_is_not_a_scheduler(pencilbox):
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"
        code, out, err = pencilbox("balance", "upwards", "--games", "10", "--scheduler", address, "--timeout", "0.2")
    assert out == ""
    assert err == f"error: no Dask scheduler answers at {address}; check that it is running and can be reached\n"
    assert code == 2


@pytest.mark.parametrize(
    ("address", "message"),
    [
        ("tcp://127.0.0.1:1", "no Dask scheduler answers"),
        ("localhost", "is not the address of a scheduler"),
        ("tcp://x y:1", "is not the address of a scheduler"),
    ],
)
def test_a_scheduler_that_cannot_be_reached_is_reported(address, message):
    words = ["balance", "upwards", "--games", "2", "--scheduler", address, "--timeout", "0.2"]
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
