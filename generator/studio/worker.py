"""Where the work is done: short calls in one thread, because PDFium is not thread-safe and notes are collected for one
call at a time; and jobs that take seconds each in a process of its own, which can be ended."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from multiprocessing import get_context
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ..errors import InputError, Problem

T = TypeVar("T")
_thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pencilbox")
_processes = get_context("spawn")  # a copy of this process would lack its other threads
LOST = Problem("the work was ended before it was done", hint="try again")


async def call(function: Callable[..., T], *values: Any, **options: Any) -> T:
    """The result of a function that runs in the thread."""
    return await asyncio.get_running_loop().run_in_executor(_thread, partial(function, *values, **options))


class Background:
    """A function of a module that runs in a process of its own. Its first argument is `report`, which sends its
    progress; everything it gets and returns must be picklable."""

    def __init__(self, function: Callable[..., Any], *values: Any) -> None:
        self._receiver, sender = _processes.Pipe(duplex=False)
        self._process = _processes.Process(target=_run, args=(sender, function, values), daemon=True)
        self._process.start()
        sender.close()

    async def messages(self) -> AsyncIterator[tuple[str, Any]]:
        """Pairs of “progress” and what the function reports; the last one is “done” and the result. Raises InputError
        if the function does, or if it is cancelled."""
        try:
            while True:
                kind, value = await asyncio.to_thread(self._receiver.recv)
                if kind == "failed":
                    raise InputError(value)
                yield kind, value
                if kind == "done":
                    return
        except (EOFError, OSError):
            raise InputError([LOST]) from None
        finally:
            self.cancel()

    def cancel(self) -> None:
        """Ends the process; does nothing if it has ended."""
        self._process.terminate()


def _run(sender: Connection, function: Callable[..., Any], values: tuple[Any, ...]) -> None:
    """Runs in the process of the job."""
    try:
        sender.send(("done", function(lambda value: sender.send(("progress", value)), *values)))
    except InputError as error:
        sender.send(("failed", error.problems))
    except BrokenPipeError:  # nobody waits any more
        pass
