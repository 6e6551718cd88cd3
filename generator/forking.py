"""Runs functions in copies of this process, which share its memory, where the system can make copies."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import IO, Any

from .errors import noting, repeat

CAN_FORK = hasattr(os, "fork") and sys.platform != "darwin"
"""On macOS, libraries may fail in a copy of a process (https://bugs.python.org/issue33725)."""


@contextmanager
def copies(functions: Sequence[Callable[[], Any]]) -> Iterator[list[Callable[[], Any]]]:
    """Runs each function in a copy of this process. Yields functions that wait for the results and repeat the notes;
    None stands for a function that has failed. At the end, all copies are ended."""
    started: list[tuple[int, IO[bytes]]] = []
    try:
        for function in functions:
            read, write = os.pipe()
            process = os.fork()
            if not process:
                os.close(read)  # otherwise the pipe would not break if this process were killed
                _run(function, write)
            os.close(write)
            started.append((process, os.fdopen(read, "rb")))
        yield [lambda pipe=pipe: _result(pipe) for _, pipe in started]  # type: ignore[misc]
    finally:
        for process, pipe in started:
            pipe.close()
            os.kill(process, signal.SIGKILL)
            os.waitpid(process, 0)


def _run(function: Callable[[], Any], write: int) -> None:
    """Runs a function in a copy of this process, writes its result, and ends the copy without any output or cleaning
    up. Ctrl-C is for the original, which ends the copy."""
    try:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        with noting() as notes:
            result = function()
        with os.fdopen(write, "wb") as pipe:
            pipe.write(pickle.dumps((result, list(notes))))
    finally:
        os._exit(0)


def _result(pipe: IO[bytes]) -> Any:
    try:
        result, notes = pickle.load(pipe)
    except (EOFError, pickle.UnpicklingError):
        return None
    repeat(notes)
    return result
