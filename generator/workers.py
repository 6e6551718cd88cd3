"""Where jobs are done: in this process, in several processes of this machine, or on a Dask cluster.

All three are a `concurrent.futures.Executor` and give the same results.
"""

from __future__ import annotations

import copyreg
import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    wait,
)
from contextlib import contextmanager, suppress
from functools import partial
from importlib import import_module
from itertools import islice
from logging import CRITICAL, getLogger
from math import ceil
from multiprocessing import get_context, parent_process
from pathlib import Path
from re import fullmatch
from threading import Thread
from types import MappingProxyType
from typing import Any, ParamSpec, TypeVar

from .errors import InputError, Problem, fault, noting, repeat

JOBS_PER_PROCESS = 3
"""Jobs submitted for each process before the first is done, so that no process waits while results are counted."""

JOBS_PER_CLUSTER = 1000
"""Jobs submitted to a cluster before the first is done. Its workers come and go, so their number says little."""

TIMEOUT = 30.0
"""Seconds to wait for a scheduler that does not answer, or for a cluster without workers."""

CHECK_INTERVAL = 1.0
"""Seconds without a result after which a cluster is asked for its workers."""

CLOSE_TIMEOUT = 2.0
"""Seconds to wait for the connection to a cluster to close."""

P = ParamSpec("P")
T = TypeVar("T")
JobT = TypeVar("JobT")


def _read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


copyreg.pickle(MappingProxyType, lambda mapping: (_read_only, (dict(mapping),)))
"""Jobs may contain read-only mappings."""


class WorkersLostError(Exception):
    """The workers cannot continue: a process was killed, or the cluster is gone. The message says which."""


class Workers:
    """An executor, and how many jobs it is given at a time."""

    def __init__(self, executor: Executor, look_ahead: int = 1) -> None:
        self.executor, self.look_ahead = executor, look_ahead

    def results(
        self, function: Callable[[JobT], T], jobs: Iterable[JobT], *, in_order: bool = False
    ) -> Iterator[tuple[JobT, T]]:
        """Yields every job with its result, in the order in which they finish or that of the jobs. A job is taken only
        when there is room for it, so `jobs` may be a long or endless generator. Raises WorkersLostError."""
        waiting, pending = iter(jobs), dict[Future[T], JobT]()
        try:
            while True:
                for job in islice(waiting, self.look_ahead - len(pending)):
                    pending[self.executor.submit(function, job)] = job
                if not pending:
                    return
                awaited = [next(iter(pending))] if in_order else pending
                done = wait(awaited, CHECK_INTERVAL, return_when=FIRST_COMPLETED).done
                if not done:
                    self.check()
                for future in done:
                    yield pending.pop(future), future.result()
        except BrokenExecutor:
            raise WorkersLostError("a worker process was killed") from None

    def check(self) -> bool:
        """Called while no job finishes; raises WorkersLostError if none will."""
        return True


class SerialExecutor(Executor):
    """Does each job at once in this process, so that Ctrl-C interrupts the job."""

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        future: Future[T] = Future()
        try:
            future.set_result(function(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


@contextmanager
def open_workers(processes: int, scheduler: str | None = None, timeout: float = TIMEOUT) -> Iterator[Workers]:
    """Opens the Dask cluster of a scheduler (`tcp://HOST:PORT`), or else this number of processes on this machine; a
    single process is this one. `timeout` is for the cluster, in seconds. Raises InputError if it cannot be used."""
    if scheduler:
        with _open_cluster(scheduler, timeout) as workers:
            yield workers
    elif processes == 1:
        yield Workers(SerialExecutor())
    else:
        executor = ProcessExecutor(processes)
        try:
            yield Processes(executor, JOBS_PER_PROCESS * processes)
        finally:
            executor.shutdown(wait=True, cancel_futures=True)


QUOTA = Path("/sys/fs/cgroup/cpu.max")
"""What a container may use: microseconds of one core (or `max`) within a number of microseconds."""


def cores() -> int:
    """The number of cores that this process may use."""
    count = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    with suppress(OSError, ValueError):
        quota, period = map(int, QUOTA.read_text("ascii").split())
        count = min(count, max(1, ceil(quota / period)))
    return count


# ---- processes ------------------------------------------------------------------------------------------------------


class ProcessExecutor(ProcessPoolExecutor):
    """Processes that leave Ctrl-C to this process, and end when it ends. They start as new interpreters, or with
    `fork` as copies of this process."""

    def __init__(self, processes: int, method: str = "spawn") -> None:
        with _starting_processes():  # the resource tracker of multiprocessing is a process, too
            super().__init__(processes, get_context(method), _prepare_worker, gc.get_threshold())

    def submit(self, function: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        with _starting_processes():  # submit starts a process if none is idle
            return super().submit(function, *args, **kwargs)

    def is_complete(self) -> bool:
        """Whether no process has ended."""
        return all(process.exitcode is None for process in list((self._processes or {}).values()))

    def end(self) -> None:
        """Ends all processes, and closes the pipe of their results. If a process was killed while it wrote one, the
        executor would otherwise wait for the rest for ever, because others can still write to the pipe."""
        for process in list((self._processes or {}).values()):
            process.kill()
        results: Any = self._result_queue
        if results is not None:  # it has not been shut down
            results._writer.close()


CAN_COPY = hasattr(os, "fork") and sys.platform != "darwin"
"""On macOS, libraries may fail in a copy of a process (https://bugs.python.org/issue33725)."""
_functions: Sequence[Callable[[], Any]] = ()  # what copies of this process run; they inherit it, so it is not sent


@contextmanager
def copies(functions: Sequence[Callable[[], Any]]) -> Iterator[list[Callable[[], Any]]]:
    """Runs each function in a copy of this process, which shares its memory. Yields functions that wait for the results
    and repeat the notes; None stands for a function that has failed or whose copy is lost. At the end, all copies are
    ended."""
    global _functions
    _functions = functions
    executor = ProcessExecutor(len(functions), "fork")
    try:
        futures = [executor.submit(_run_copy, number) for number in range(len(functions))]
        yield [partial(_copied, future) for future in futures]
    finally:
        executor.end()
        executor.shutdown()
        _functions = ()


def _run_copy(number: int) -> tuple[Any, list[Problem]]:
    with noting() as notes:
        return _functions[number](), list(notes)


def _copied(future: Future[tuple[Any, list[Problem]]]) -> Any:
    try:
        result, notes = future.result()
    except Exception:
        return None
    repeat(notes)
    return result


class Processes(Workers):
    """Processes of this machine."""

    executor: ProcessExecutor

    def check(self) -> bool:
        """Whether all processes are running; if not, ends the others and raises WorkersLostError."""
        if self.executor.is_complete():
            return True
        self.executor.end()
        raise WorkersLostError("a worker process was killed")


@contextmanager
def _starting_processes() -> Iterator[None]:
    """Sets what a new process inherits: Ctrl-C is blocked, so that it cannot interrupt the imports, and modules are not
    imported from the working directory, whose files may be anyone's."""
    safe_path = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT]) if hasattr(signal, "pthread_sigmask") else None
    try:
        yield
    finally:
        if safe_path is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = safe_path
        if mask is not None:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)


def _prepare_worker(*gc_thresholds: int) -> None:
    """Runs in each process before its first job. Garbage is collected as seldom as in the parent process."""
    gc.set_threshold(*gc_thresholds)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # for Windows, where signals cannot be blocked
    Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    """Ends this process as soon as its parent has ended, however it ended."""
    if parent := parent_process():
        parent.join()
    os._exit(1)


# ---- a Dask cluster -------------------------------------------------------------------------------------------------


class Cluster(Workers):
    """A Dask cluster. Dask repeats the jobs of a lost worker on another one, but waits endlessly if there is none."""

    def __init__(self, client: Any, address: str, timeout: float) -> None:
        # pure=False: the same job submitted twice is done twice.
        super().__init__(client.get_executor(pure=False), JOBS_PER_CLUSTER)
        self.client, self.address, self.timeout = client, address, timeout
        self.alive = time.monotonic()

    def results(
        self, function: Callable[[JobT], T], jobs: Iterable[JobT], *, in_order: bool = False
    ) -> Iterator[tuple[JobT, T]]:
        try:
            for job, result in super().results(function, jobs, in_order=in_order):
                self.alive = time.monotonic()
                yield job, result
        except (InputError, WorkersLostError):
            raise
        except Exception as error:
            if isinstance(error, (CancelledError, OSError)) or self.client.status != "running":
                raise WorkersLostError(f"the scheduler at {self.address} is gone") from None
            # raised by a worker with a different version of Pencilbox, or one that its jobs kill
            reason = str(error).partition("\n")[0]
            raise WorkersLostError(f"the workers of {self.address} fail: {type(error).__name__}: {reason}") from error

    def check(self) -> bool:
        """Whether the cluster has workers; raises WorkersLostError if it has had none for as long as the time-out."""
        try:
            workers = _within(self.timeout, self.client.nthreads)
        except (TimeoutError, OSError):
            raise WorkersLostError(f"the scheduler at {self.address} has stopped answering") from None
        if workers:
            self.alive = time.monotonic()
        elif time.monotonic() - self.alive > self.timeout:
            raise WorkersLostError(f"the scheduler at {self.address} has had no workers for {self.timeout:g} seconds")
        return bool(workers)


@contextmanager
def _open_cluster(address: str, timeout: float) -> Iterator[Workers]:
    if not fullmatch(r"(tcp|tls)://[^\s/]+:\d{1,5}", address):
        raise fault(f"“{address}” is not the address of a scheduler", hint="write it like tcp://localhost:8786")
    client = _connect(address, timeout)
    try:
        cluster = Cluster(client, address, timeout)
        while not cluster.check():
            time.sleep(0.1)
        yield cluster
    except WorkersLostError as error:
        raise fault(
            str(error), hint=f"start some with `dask worker {address}`, or wait longer with --timeout"
        ) from None
    finally:
        # Closing the client cancels its jobs. Shutting down the executor instead would wait for them.
        with suppress(Exception):
            _within(CLOSE_TIMEOUT, client.close)


def _connect(address: str, timeout: float) -> Any:
    """A Dask client."""
    try:
        distributed: Any = import_module("distributed")
    except ModuleNotFoundError:
        raise fault("--scheduler needs Dask", hint="pip install 'pencilbox[cluster]'") from None
    for name in ("distributed.client", "distributed.core", "distributed.comm", "tornado.application"):
        getLogger(name).setLevel(CRITICAL)  # they print tracebacks in addition to our message
    try:
        return _within(timeout + 1, lambda: distributed.Client(address, timeout=timeout))
    except Exception as error:  # whatever listens there may use a different protocol
        raise fault(
            f"no Dask scheduler answers at {address}", hint="check that it is running and can be reached"
        ) from error


def _within(seconds: float, action: Callable[[], T]) -> T:
    """The result of an action. Raises TimeoutError after `seconds`; a thread that never returns ends with this
    process."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(action())
        except BaseException as error:
            result.set_exception(error)

    Thread(target=run, daemon=True).start()
    return result.result(seconds)
