"""Reads PDF files within limits of size, time and memory: every PDF that may come from elsewhere is read here.

A small file can decompress into a huge one, contain references to itself, or keep a reader busy forever. It is
therefore read in a process of its own, which the operating system ends when its time or memory is used up.
"""

from __future__ import annotations

import logging
import os
import signal
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from functools import cache
from io import BytesIO
from multiprocessing.util import Finalize
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ..errors import InputError, Place, fault
from ..workers import ProcessExecutor

if sys.platform != "win32":
    import resource
if TYPE_CHECKING:  # loaded in the other process only
    from pypdf import PdfReader

T = TypeVar("T")
MAX_OBJECTS = 30_000
"""Objects in each 20 MB of a file."""
_MEMORY = 200_000_000  # bytes that reading a file may take, in addition to `_MEMORY_PER_BYTE`
_MEMORY_PER_BYTE = 4
# How long to wait for the other process, in seconds by the clock: longer than its limit, since others may delay it.
_WAIT, _BYTES_PER_SECOND = 20.0, 100_000
_UNLIMITED = 1 << 40
_METERS = ("zlib", "lzw", "run_length", "brotli", "jbig2", "array_based_stream")


class Limits(Struct, frozen=True):
    """Limits for reading a file: CPU `seconds`, the size of the file, the number of bytes that one part and one content
    stream may decompress into, the number of pages, and that of operators and operands in one content stream and on all
    pages (those of a form count every time it is drawn). Every page that has been read extends the time by
    `byte_seconds` for each byte of its compressed content, but at most by `page_seconds`, so that long files can be
    read while small ones are refused early. In messages, `what` says what the file should be, and `hint` how to fix
    it."""

    what: str
    seconds: float
    decompressed: int
    hint: str = ""
    max_bytes: int = 20_000_000
    pages: int = 500
    stream_bytes: int = 1_000_000
    stream_tokens: int = 150_000
    tokens: int = 2_500_000
    page_seconds: float = 0.04
    byte_seconds: float = 10e-6


OWN = Limits(
    "a PDF", 0.0, _UNLIMITED, pages=_UNLIMITED, stream_bytes=_UNLIMITED, stream_tokens=_UNLIMITED, tokens=_UNLIMITED
)
"""For a PDF that this program has just written."""


def read(source: Path | bytes, place: Place, limits: Limits, reader: Callable[..., T], *arguments: object) -> T:
    """The result of `reader(pdf, *arguments)` for a PDF (a file, or its bytes), in another process. Raises InputError
    for a file that cannot be read, is not a PDF, is damaged, encrypted, too large or too complex."""
    executor = _process()
    try:
        where = source if isinstance(source, bytes) else source.absolute()
        size = len(where) if isinstance(where, bytes) else where.stat().st_size
        if not isinstance(where, bytes) and not (where.is_file() or where.is_dir()):
            raise fault("is a device or a pipe, not a file", place)
        wait = _WAIT + size / _BYTES_PER_SECOND
        return executor.submit(_job, where, size, place, limits, reader, arguments).result(wait)
    except (BrokenExecutor, TimeoutError):
        _process.cache_clear()
        executor.end()
        raise _too_much(place, limits) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "no such name"
        raise fault(f"cannot be read: {reason.lower()}", place) from None


def read_own(content: bytes, reader: Callable[..., T], *arguments: object) -> T:
    """The result of `reader(pdf, *arguments)` for a PDF that this program has just written, in this process."""
    with _configured(OWN) as pdf_reader:
        return reader(pdf_reader(BytesIO(content)), *arguments)


def too_much() -> BaseException:
    """The exception that a reader raises if a file exceeds its limits."""
    return _TooMuchError()


def allow_more_time(seconds: float) -> None:
    """Extends the time limit, for a part of the file that turned out to be harmless."""
    if hasattr(signal, "setitimer") and (left := signal.getitimer(signal.ITIMER_PROF)[0]):
        signal.setitimer(signal.ITIMER_PROF, left + seconds)


def entry(dictionary: Any, key: str, default: Any = None) -> Any:
    """An entry of a PDF dictionary, with references resolved. Raises ValueError for what is not a dictionary."""
    if not isinstance(dictionary, dict):
        raise ValueError(f"not a dictionary that could have {key}")
    value = dictionary.get(key)
    resolved = None if value is None else value.get_object()
    return default if resolved is None or type(resolved).__name__ == "NullObject" else resolved


def _check_content(content: bytes, place: Place, limits: Limits) -> None:
    """Checks that need no parsing."""
    if b"%PDF-" not in content[:1024]:
        raise fault("is not a PDF", place)
    if len(content) > limits.max_bytes:
        raise fault(f"is larger than {limits.max_bytes // 1_000_000} MB", place, limits.hint)
    if b"startxref" not in content[-2048:]:
        raise fault("its end is missing", place, "copy or save it again")
    if content.count(b" obj") > MAX_OBJECTS * max(1.0, len(content) / 20_000_000):
        raise _too_much(place, limits) from None


def _too_much(place: Place, limits: Limits) -> InputError:
    return fault(f"is too large or too complex to be {limits.what}", place, limits.hint)


def _encrypted(place: Place) -> InputError:
    return fault("is encrypted", place, "save it without a password")


# ---- the process that reads ---------------------------------------------------------------------------------------


class _TooMuchError(BaseException):
    """Raised if a limit is exceeded. Not an Exception, because pypdf catches every Exception while it repairs files."""


@cache
def _process() -> ProcessExecutor:
    executor = ProcessExecutor(1)
    Finalize(None, _end, (executor,), exitpriority=1)  # a worker would otherwise wait for its own process for ever
    return executor


def _end(executor: ProcessExecutor) -> None:
    executor.end()
    executor.shutdown()  # waits for its thread, whose pipe Python would otherwise write to while it is being closed


def _job(
    source: Path | bytes,
    size: int,
    place: Place,
    limits: Limits,
    reader: Callable[..., T],
    arguments: tuple[object, ...],
) -> T:
    """Runs in the other process."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)  # for what libraries print when there is no memory left
    content = b""
    try:
        with _configured(limits) as pdf_reader, _limited_process(limits.seconds, _MEMORY + _MEMORY_PER_BYTE * size):
            content = source if isinstance(source, bytes) else _read(source, min(size, limits.max_bytes) + 1)
            _check_content(content, place, limits)
            stream = BytesIO(content)
            pdf = pdf_reader(stream, root_object_recovery_limit=1_000, xref_stream_maximum_entries=MAX_OBJECTS)
            if pdf.is_encrypted:
                raise _encrypted(place)
            return reader(pdf, *arguments)
    except (_TooMuchError, RecursionError, MemoryError):
        raise _too_much(place, limits) from None
    except (InputError, OSError):
        raise
    except Exception:  # for a damaged file, pypdf may raise any exception
        encrypted = b"/Encrypt" in content
        raise _encrypted(place) if encrypted else fault("is damaged and cannot be read", place, limits.hint) from None


def _read(file: Path, size: int) -> bytes:
    with file.open("rb") as stream:
        return stream.read(size)


@contextmanager
def _configured(limits: Limits) -> Iterator[type[PdfReader]]:
    """Limits what pypdf may decompress, stops it from starting other programs, and silences its log."""
    import pypdf  # takes 0.1 s to load, and usually only the other process needs it

    output_limits: dict[str, Any] = {f"{name}_maximum_output_length": limits.decompressed for name in _METERS}
    log = logging.getLogger("pypdf")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        with pypdf.apply_configuration(
            **output_limits,
            zlib_maximum_recovery_input_length=100_000,
            maximum_declared_stream_length=max(limits.max_bytes, limits.decompressed),
            stream_filters_maximum_length=2,
            stream_decoding_work_maximum_length=4 * limits.decompressed,
            stream_parsing_work_maximum_count=limits.stream_tokens,
            jbig2dec_binary=None,
        ):
            yield pypdf.PdfReader
    except pypdf.errors.LimitReachedError:
        raise _TooMuchError from None
    finally:
        log.setLevel(before)


@contextmanager
def _limited_process(seconds: float, memory: int) -> Iterator[None]:
    """Has the system end this process after some seconds of CPU time, and give it no more memory than this. Windows can
    do neither: there, the other process waits for a while and ends this one."""
    if sys.platform == "win32":
        yield
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    if sys.platform == "linux":
        used = int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
        limit = used + memory if hard == resource.RLIM_INFINITY else min(used + memory, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0.0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
