"""Where games are played: in this process, in several on this machine, or on a Dask cluster.

All three are a `concurrent.futures.Executor`, and the games are the same whichever plays them.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Executor, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from itertools import islice
from re import fullmatch
from typing import Any, ParamSpec, TypeVar

from ..errors import fault
from .simulate import Job, JobResult, play

JOBS_PER_PROCESS = 3
"""Jobs submitted for each process before the first is done: none waits for work while results are counted."""

JOBS_PER_CLUSTER = 1000
"""Jobs submitted to a cluster before the first is done. Its workers come and go, so their number says little."""

CONNECT_TIMEOUT = 5
"""Seconds until a scheduler that does not answer is given up."""

P = ParamSpec("P")
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Workers:
    """An executor, and how many jobs it is given at a time."""

    executor: Executor
    look_ahead: int = 1

    def results(self, jobs: Iterable[Job]) -> Iterator[tuple[Job, JobResult]]:
        """Every job with its result, in the order in which they are done. Takes a job only when there is room for it,
        so `jobs` may be a long or endless generator."""
        waiting, pending = iter(jobs), dict[Future[JobResult], Job]()
        while True:
            for job in islice(waiting, self.look_ahead - len(pending)):
                pending[self.executor.submit(play, job)] = job
            if not pending:
                return
            for future in wait(pending, return_when=FIRST_COMPLETED).done:
                yield pending.pop(future), future.result()


class SerialExecutor(Executor):
    """Does everything at once in this process, so that Ctrl-C lands in the game that is being played."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def open_workers(processes: int, scheduler: str | None = None) -> Iterator[Workers]:
    """The Dask cluster of a scheduler where one is named (`tcp://HOST:PORT`), else so many processes of this machine;
    one process is this one. Raises InputError for a scheduler that cannot be reached."""
    if scheduler:
        with _connect(scheduler) as client:
            # The executor is not shut down: that would wait for jobs that Ctrl-C has given up. Closing the client
            # cancels them. pure=False: the same job submitted twice is played twice.
            yield Workers(client.get_executor(pure=False), JOBS_PER_CLUSTER)
    elif processes == 1:
        yield Workers(SerialExecutor())
    else:
        executor = ProcessPoolExecutor(processes, initializer=_ignore_interrupts)
        try:
            yield Workers(executor, JOBS_PER_PROCESS * processes)
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


def _ignore_interrupts() -> None:
    """Ctrl-C goes to every process of the terminal. Only the one that counts the results heeds it; the others finish
    the job they are playing."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _connect(address: str) -> Any:
    """A Dask client. What a lost worker had to do is done again by another: the scheduler sees to that."""
    if not fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", address):
        raise fault(f"“{address}” is no address of a scheduler", hint="such as tcp://localhost:8786")
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise fault("--scheduler needs Dask", hint="pip install 'pencilbox[cluster]'") from None
    try:
        return distributed.Client(address, timeout=CONNECT_TIMEOUT)
    except Exception as error:  # whatever listens there may speak another protocol altogether
        raise fault(f"no Dask scheduler answers at {address}", hint="is it running, and can it be reached?") from error


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
