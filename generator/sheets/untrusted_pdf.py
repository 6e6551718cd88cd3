"""Reading PDF files that a stranger may have sent, within limits of size, time and memory.

A small file can decompress into a large one, refer back to itself, or keep a reader busy without end. So its size and
its decompressed size are limited, and every read checks the clock.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import InputError, Place, fault

if TYPE_CHECKING:  # loaded when there is a PDF to read: a sheet in YAML needs none of it
    from pypdf import PdfReader
    from pypdf.generic import PdfObject

T = TypeVar("T")
MOST_BYTES = 20_000_000
MOST_OBJECTS = 30_000
_READS_BETWEEN_LOOKS = 100


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a file may take (seconds of this thread's time) and how many bytes one part of it may decompress into.
    `what` the file should be and `hint` are for messages."""

    what: str
    seconds: float
    unfolded: int
    hint: str = ""


def read(source: Path | bytes, place: Place, limits: Limits, reader: Callable[[PdfReader], T]) -> T:
    """The result of `reader` for a PDF (a file, or its bytes). Raises InputError for a file that cannot be read, is not
    a PDF, is damaged, encrypted, too large or too tangled."""
    content = source if isinstance(source, bytes) else _content(source, place)
    _refuse_from_outside(content, place, limits)
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
    except Exception as error:  # pypdf promises no more than that: broken files may cause any exception
        raise _broken(content, error, place, limits) from None


def too_much() -> BaseException:
    """The exception that a reader raises if a file has more than it is willing to read."""
    return _TooMuchError()


def look(opened: PdfReader) -> None:
    """To be called now and then by a reader that works long without reading the file: ends it when its time is up."""
    file = opened.stream
    assert isinstance(file, _Watched)
    file.look()


def _content(path: Path, place: Place) -> bytes:
    try:
        with path.open("rb") as stream:
            return stream.read(MOST_BYTES + 1)
    except OSError as error:
        raise fault(f"cannot be read: {(error.strerror or 'error').lower()}", place) from None


def _refuse_from_outside(content: bytes, place: Place, limits: Limits) -> None:
    """Checks that need no parsing."""
    if b"%PDF-" not in content[:1024]:
        raise fault("is not a PDF", place)
    if len(content) > MOST_BYTES:
        raise fault(f"is larger than {MOST_BYTES // 1_000_000} MB", place, limits.hint)
    if b"startxref" not in content[-2048:]:
        raise fault("its end is missing", place, "copy or save it again")
    if content.count(b" obj") > MOST_OBJECTS:
        raise _too_much(place, limits)


def _too_much(place: Place, limits: Limits) -> InputError:
    return fault(f"is too large or too tangled to be {limits.what}", place, limits.hint)


def _broken(content: bytes, error: Exception, place: Place, limits: Limits) -> InputError:
    from pypdf.errors import LimitReachedError

    if isinstance(error, LimitReachedError | RecursionError | MemoryError):
        return _too_much(place, limits)
    return _encrypted(place) if b"/Encrypt" in content else fault("is damaged and cannot be read", place, limits.hint)


def _encrypted(place: Place) -> InputError:
    return fault("is encrypted", place, "save it without a password")


# ---- limits


class _TooMuchError(BaseException):
    """A limit is reached. Not an Exception, because pypdf repairs files by trial and continues after any Exception."""


class _Watched(BytesIO):
    """A file that checks the clock now and then while it is read."""

    def __init__(self, content: bytes, seconds: float) -> None:
        super().__init__(content)
        self.ends = time.thread_time() + seconds
        self.reads = 0

    def read(self, size: int | None = -1, /) -> bytes:
        self.reads += 1
        if self.reads % _READS_BETWEEN_LOOKS == 0:
            self.look()
        return BytesIO.read(self, size)

    def getbuffer(self) -> memoryview:
        """The whole file, which pypdf searches for an object that is not in its place."""
        self.look()
        return super().getbuffer()

    def look(self) -> None:
        if time.thread_time() > self.ends:
            raise _TooMuchError


@contextmanager
def _within(limits: Limits) -> Iterator[None]:
    """Limits what pypdf decompresses, keeps it from starting other programs, and silences its log."""
    import pypdf

    packings = ("zlib", "lzw", "run_length", "brotli", "jbig2", "array_based_stream")
    unfolded: dict[str, Any] = {f"{packing}_maximum_output_length": limits.unfolded for packing in packings}
    log = logging.getLogger("pypdf")
    before = log.level
    log.setLevel(logging.CRITICAL + 1)
    try:
        with pypdf.apply_configuration(
            **unfolded,
            zlib_maximum_recovery_input_length=100_000,
            maximum_declared_stream_length=MOST_BYTES,
            stream_filters_maximum_length=2,
            stream_decoding_work_maximum_length=4 * limits.unfolded,
            jbig2dec_binary=None,
        ):
            yield
    finally:
        log.setLevel(before)


def _opened(content: bytes, limits: Limits) -> PdfReader:
    import pypdf

    file = _Watched(content, limits.seconds)

    class Reader(pypdf.PdfReader):
        """Also checks the clock for objects of a compressed stream, which are not read from the file itself."""

        def cache_get_indirect_object(self, generation: int, idnum: int) -> PdfObject | None:
            file.look()
            return super().cache_get_indirect_object(generation, idnum)

    return Reader(file, root_object_recovery_limit=1_000, xref_stream_maximum_entries=MOST_OBJECTS)
