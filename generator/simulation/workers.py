"""Who plays: this process, several on this machine, or a Dask cluster. The games are the same whoever plays them."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import AbstractContextManager, contextmanager
from importlib import import_module
from re import fullmatch
from typing import Any, Protocol

from ..errors import fault
from .simulate import Done, Job, play

AHEAD = 3
"""Jobs given out for each worker before the first is done."""

PATIENCE = 5
"""Seconds until a scheduler that does not answer is given up."""


class Hands(Protocol):
    """Those who play: the jobs in any order, each with what came of it. Jobs are taken only as they are needed."""

    def played(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Done]]: ...


class Alone:
    """This process plays everything by itself."""

    def played(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Done]]:
        return ((job, play(job)) for job in jobs)


class Pool:
    """Processes of this machine."""

    def __init__(self, pool: ProcessPoolExecutor, workers: int) -> None:
        self.pool, self.workers = pool, workers

    def played(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Done]]:
        left, given = iter(jobs), dict[Future[Done], Job]()
        while True:
            for job in left:
                given[self.pool.submit(play, job)] = job
                if len(given) >= AHEAD * self.workers:
                    break
            if not given:
                return
            for future in wait(given, return_when=FIRST_COMPLETED).done:
                yield given.pop(future), future.result()


class Cluster:
    """The workers of a Dask cluster. What a worker that is lost had to do is done again by another."""

    def __init__(self, client: Any, as_completed: Any) -> None:
        self.client, self.as_completed = client, as_completed

    def played(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, Done]]:
        given = {self.client.submit(play, job, pure=False): job for job in jobs}
        for future, done in self.as_completed(given, with_results=True):
            yield given.pop(future), done


def hands(workers: int, scheduler: str | None) -> AbstractContextManager[Hands]:
    """Those who play: a cluster where a scheduler is named, else so many processes; one is this process itself."""
    if scheduler:
        return _cluster(scheduler)
    return _pool(workers)


@contextmanager
def _pool(workers: int) -> Iterator[Hands]:
    if workers == 1:
        yield Alone()
        return
    pool = ProcessPoolExecutor(workers, initializer=_deaf)
    try:
        yield Pool(pool, workers)
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _deaf() -> None:
    """Ctrl-C is for the process that gives out the work; the others finish the few games in their hands."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def _cluster(address: str) -> Iterator[Hands]:
    if not fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", address):
        raise fault(f"“{address}” is no address of a scheduler", hint="such as tcp://localhost:8786")
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise fault("--scheduler needs Dask", hint="pip install 'pencilbox[cluster]'") from None
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except Exception as error:      # what answers there may speak another language altogether
        raise fault(f"no Dask scheduler answers at {address}", hint="is it running, and can it be reached?") from error
    with client:
        yield Cluster(client, distributed.as_completed)


def cores() -> int:
    """The cores this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
