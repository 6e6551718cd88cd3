"""Reads PDF files from untrusted sources within limits of size, time and memory.

A small file can decompress into a huge one, contain references to itself, or keep a reader busy forever. The size of a
file and of what it decompresses into are therefore limited, and the time is checked while it is read.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec import Struct

from ..errors import InputError, Place, fault

if TYPE_CHECKING:  # only loaded to read a PDF; a sheet in YAML does not need it
    from pypdf import PdfReader
    from pypdf.generic import PdfObject

T = TypeVar("T")
MAX_BYTES = 20_000_000
MAX_OBJECTS = 30_000
_READS_BETWEEN_CHECKS = 100


class Limits(Struct, frozen=True):
    """Limits for reading a file: CPU `seconds` of this thread, and the number of bytes that one part may decompress
    into. In messages, `what` says what the file should be, and `hint` how to fix it."""

    what: str
    seconds: float
    decompressed: int
    hint: str = ""


def read(source: Path | bytes, place: Place, limits: Limits, reader: Callable[[PdfReader], T]) -> T:
    """The result of `reader` for a PDF (a file, or its bytes). Raises InputError for a file that cannot be read, is not
    a PDF, is damaged, encrypted, too large or too complex."""
    content = source if isinstance(source, bytes) else _content(source, place)
    _check_content(content, place, limits)
    try:
        with _within(limits):
            opened = _opened(content, limits)
            if opened.is_encrypted:
                raise _encrypted(place)
            return reader(opened)
    except _TooMuchError:
        raise _too_much(place, limits) from None
    except InputError:
        raise
    except Exception as error:  # for a damaged file, pypdf may raise any exception
        raise _damaged(content, error, place, limits) from None


def too_much() -> BaseException:
    """The exception that a reader raises if a file exceeds its limits."""
    return _TooMuchError()


def check_time(opened: PdfReader) -> None:
    """Raises an exception if the time is up. Call this during long work that does not read the file."""
    file = opened.stream
    assert isinstance(file, _Watched)
    file.check_time()


def allow_more_time(opened: PdfReader, seconds: float) -> None:
    """Extends the time limit, for a part of the file that turned out to be harmless."""
    file = opened.stream
    assert isinstance(file, _Watched)
    file.ends += seconds


def _content(path: Path, place: Place) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", place) from None


def _check_content(content: bytes, place: Place, limits: Limits) -> None:
    """Checks that need no parsing."""
    if b"%PDF-" not in content[:1024]:
        raise fault("is not a PDF", place)
    if len(content) > MAX_BYTES:
        raise fault(f"is larger than {MAX_BYTES // 1_000_000} MB", place, limits.hint)
    if b"startxref" not in content[-2048:]:
        raise fault("its end is missing", place, "copy or save it again")
    if content.count(b" obj") > MAX_OBJECTS:
        raise _too_much(place, limits)


def _too_much(place: Place, limits: Limits) -> InputError:
    return fault(f"is too large or too complex to be {limits.what}", place, limits.hint)


def _damaged(content: bytes, error: Exception, place: Place, limits: Limits) -> InputError:
    from pypdf.errors import LimitReachedError

    if isinstance(error, LimitReachedError | RecursionError | MemoryError):
        return _too_much(place, limits)
    return _encrypted(place) if b"/Encrypt" in content else fault("is damaged and cannot be read", place, limits.hint)


def _encrypted(place: Place) -> InputError:
    return fault("is encrypted", place, "save it without a password")


# ---- limits


class _TooMuchError(BaseException):
    """Raised if a limit is exceeded. Not an Exception, because pypdf catches every Exception while it repairs files."""


class _Watched(BytesIO):
    """A file that regularly checks the time while it is read."""

    def __init__(self, content: bytes, seconds: float) -> None:
        super().__init__(content)
        self.ends = time.thread_time() + seconds
        self.reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        if self.reads % _READS_BETWEEN_CHECKS == 0:
            self.check_time()
        return BytesIO.read(self, size)

    def getbuffer(self) -> memoryview:
        """The whole file, which pypdf searches if an object is not where it should be."""
        self.check_time()
        return super().getbuffer()

    def check_time(self) -> None:
        if time.thread_time() > self.ends:
            raise _TooMuchError


@contextmanager
def _within(limits: Limits) -> Iterator[None]:
    """Limits what pypdf may decompress, stops it from starting other programs, and silences its log."""
    import pypdf

    filters = ("zlib", "lzw", "run_length", "brotli", "jbig2", "array_based_stream")
    output_limits: dict[str, Any] = {f"{name}_maximum_output_length": limits.decompressed for name in filters}
    log = logging.getLogger("pypdf")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        with pypdf.apply_configuration(
            **output_limits,
            zlib_maximum_recovery_input_length=100_000,
            maximum_declared_stream_length=MAX_BYTES,
            stream_filters_maximum_length=2,
            stream_decoding_work_maximum_length=4 * limits.decompressed,
            jbig2dec_binary=None,
        ):
            yield
    finally:
        log.setLevel(before)


def _opened(content: bytes, limits: Limits) -> PdfReader:
    import pypdf

    file = _Watched(content, limits.seconds)

    class TimedReader(pypdf.PdfReader):
        """Also checks the time for objects in a compressed stream, because they are not read from the file itself."""

        def cache_get_indirect_object(self, generation: int, idnum: int) -> PdfObject | None:
            file.check_time()
            return super().cache_get_indirect_object(generation, idnum)

    return TimedReader(file, root_object_recovery_limit=1_000, xref_stream_maximum_entries=MAX_OBJECTS)
