"""Executors: all play the same games, and none takes more jobs than it has room for."""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import count

import pytest

from generator import workers
from generator.errors import InputError
from generator.simulation import simulate
from generator.simulation.simulate import Job
from generator.workers import (
    Processes,
    ProcessExecutor,
    SerialExecutor,
    Workers,
    WorkersLostError,
    open_workers,
)

JOB = Job("elevator_up", ("random",) * 3, seed="workers", stop=24)


@pytest.mark.parametrize("processes", [1, 2])
def test_every_executor_plays_the_same_games(processes):
    tally = simulate.Tally()
    with open_workers(processes) as workers:
        jobs = []
        for job, result in workers.results(simulate.play, JOB.parts(5)):
            jobs.append((job.first, job.stop))
            tally.add(result.tally)
    assert sorted(jobs) == [(0, 5), (5, 10), (10, 15), (15, 20), (20, 24)]
    assert tally == simulate.play(JOB).tally


@pytest.mark.parametrize(("executor", "look_ahead"), [(SerialExecutor(), 1), (ThreadPoolExecutor(2), 6)])
def test_jobs_are_taken_only_when_there_is_room(executor, look_ahead):
    """Ten results from an endless generator take no more than ten jobs and those submitted ahead."""
    taken = []

    def jobs():
        for number in count():
            taken.append(number)
            yield Job("elevator_up", ("random",), first=number, stop=number + 1)

    results = Workers(executor, look_ahead).results(lambda job: job.first, jobs())
    for _ in range(10):
        job, result = next(results)
        assert job.first == result
    results.close()
    executor.shutdown()
    assert 10 <= len(taken) <= 10 + 2 * look_ahead


def test_the_error_of_a_job_is_raised_with_its_result():
    job = Job("elevator_up", ("random",) * 9, stop=1)
    for processes in (1, 2):
        with open_workers(processes) as workers, pytest.raises(InputError, match="is for 2-5 players"):
            list(workers.results(simulate.play, [job]))


def test_a_killed_process_is_noticed_without_a_result(monkeypatch):
    """Its result may be half written. The executor reads the rest for ever, unless the pipe is closed."""
    killed = []

    class Process:
        def __init__(self, exitcode):
            self.exitcode, self.kill = exitcode, lambda: killed.append(self.exitcode)

    executor = ProcessExecutor(2)
    monkeypatch.setattr(executor, "_processes", {1: Process(None), 2: Process(None)})
    assert Processes(executor).check()
    executor._processes[2].exitcode = -9
    os.write(executor._result_queue._writer.fileno(), b"\0\0\0\x09half")
    with pytest.raises(WorkersLostError, match="a worker process was killed"):
        Processes(executor).check()
    assert killed == [None, -9]
    with pytest.raises(OSError, match="got end of file"):
        executor._result_queue.get()


@pytest.mark.parametrize(("quota", "count"), [("max 100000", 8), ("150000 100000", 2), ("50000 100000", 1), ("", 8)])
def test_containers_may_use_fewer_cores(quota, count, tmp_path, monkeypatch):
    (tmp_path / "cpu.max").write_text(quota)
    monkeypatch.setattr(workers, "QUOTA", tmp_path / "cpu.max")
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: set(range(8)), raising=False)
    assert workers.cores() == count
