"""Writes a file completely or not at all, and forgets what was read from files."""

from __future__ import annotations

import os
import signal
import stat
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any, Protocol, TypeVar

from .errors import Place, fault

T = TypeVar("T")
_OLD = 3600  # seconds after which no process writes to the part of a file any more
_remembered: list[Any] = []  # the cached functions whose results depend on the content of files


def of_files(cached: T) -> T:
    """Decorates a cached function whose results depend on the content of files, for `forget_files`."""
    _remembered.append(cached)
    return cached


def forget_files() -> None:
    """Forgets what was read from files, so that changed pictures, icons, fonts and themes are read again."""
    for cached in _remembered:
        cached.cache_clear()


class Writable(Protocol):
    """A stream that can be written to."""

    def write(self, content: bytes, /) -> object: ...


def save(content: bytes | Callable[[Writable], object], path: Path) -> None:
    """Writes the file, replacing an older one in a single step and keeping its mode; a link stays, and its target is
    written. `content` may be a function that writes to a stream. Raises InputError if the file cannot be written, or if
    a folder or a read-only file is in its place."""
    place = Place(str(path))
    try:
        target = Path(os.path.realpath(path))
        target.parent.mkdir(parents=True, exist_ok=True)
        mode = _replaceable(target, place)
        _remove_parts(target.parent)
        with _signals_blocked():
            _replace(content, target, mode)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise fault(f"cannot be written: {reason.lower()}", place) from error


@cache
def _remove_parts(folder: Path) -> None:
    """Removes what processes that were killed have left in a folder: parts of files that are older than an hour."""
    for part in folder.glob(f".{'[0-9a-f]' * 16}.part"):
        with suppress(OSError):
            if time.time() - part.stat().st_mtime > _OLD:
                part.unlink()


def _replaceable(target: Path, place: Place) -> int | None:
    """The mode of the existing file, or None if there is none. Raises InputError if it cannot be replaced."""
    try:
        mode = target.stat().st_mode
    except FileNotFoundError:
        return None
    if stat.S_ISDIR(mode):
        raise fault("is a folder", place, "name a file in it")
    if not stat.S_ISREG(mode):
        raise fault("is a device or a pipe, not a file", place, "name a file")
    if not mode & 0o222:
        raise fault("is read-only", place, "name another file, or make it writable")
    return stat.S_IMODE(mode)


def _replace(content: bytes | Callable[[Writable], object], target: Path, mode: int | None) -> None:
    part = target.with_name(f".{os.urandom(8).hex()}.part")

    def create(name: str, flags: int) -> int:
        return os.open(name, flags, 0o666 if mode is None else mode | stat.S_IWUSR)

    try:
        with open(part, "xb", opener=create) as stream:  # never readable for more users than the file
            if isinstance(content, bytes):
                stream.write(content)
            else:
                content(stream)
        if mode is not None:
            part.chmod(mode)
        part.replace(target)
    except BaseException:
        part.unlink(missing_ok=True)
        raise


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """Delays TERM and HUP until the file is complete: otherwise they would leave a partial file behind."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
