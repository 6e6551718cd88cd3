"""A folder that is written completely or not at all, and its list of files."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import sys
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from msgspec import Struct, field

from ..errors import InputError, Place, fault
from ..paths import within

if sys.platform != "win32":
    import fcntl

RECORD = "export.json"
"""What an export leaves in its folder: its files, and the order of the cards, which later exports keep."""
Record = Mapping[str, Any]
# The file in an unfinished folder that its export keeps locked: the system unlocks it however the export ends.
_LOCK = "lock"


class NewFolder(Struct, frozen=True):
    """A folder that is being written: `path` is a temporary one beside `target`, which it replaces at the end. `old` is
    the record of the export that it replaces, and `state` what later exports need to know."""

    path: Path
    target: Path
    old: Record
    state: dict[str, Any] = field(default_factory=dict)

    def files(self) -> list[str]:
        """The names of the files written so far, with `/`, in alphabetical order."""
        return _names(self.path)

    def record(self, more: Record) -> None:
        """Writes the record of the export."""
        data = {**more, **self.state, "files": self.files()}
        (self.path / RECORD).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@contextmanager
def new_folder(target: Path) -> Iterator[NewFolder]:
    """Yields a folder to write into. If nothing goes wrong, its files take the places of those of the last export in
    `target`; all other files there stay. Raises InputError if they cannot be written, or would replace a file that is
    not from an export."""
    old = _record(target)
    there = target.is_dir()
    try:
        if target.exists() and not there:
            raise fault("is not a folder", Place(str(target)), "name another folder with -o")
        target.parent.mkdir(parents=True, exist_ok=True)
        beside = target if there else target.parent
        _remove_unfinished(beside, target.name)
        path = beside / f".{target.name}-{os.urandom(4).hex()}.part"
        path.mkdir()
    except OSError as error:
        raise _unwritable(error, target) from error
    try:
        with _ended_by_signals(), (path / _LOCK).open("wb") as lock:
            _lock(lock)
            yield NewFolder(path, target, old)
        (path / _LOCK).unlink()
        if target.is_dir():  # perhaps from an export that ran at the same time
            _move(path, target, _record(target))
        else:
            path.rename(target)
    except OSError as error:
        raise _unwritable(error, target) from error
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _remove_unfinished(folder: Path, name: str) -> None:
    """Removes the remains of killed exports."""
    for part in folder.glob(".*.part"):
        if re.fullmatch(rf"\.{re.escape(name)}-[0-9a-f]{{8}}\.part", part.name) and part.is_dir():
            with suppress(OSError), (part / _LOCK).open("rb") as lock:
                if _lock(lock):
                    shutil.rmtree(part, ignore_errors=True)


def _lock(file: IO[bytes]) -> bool:
    """Locks a file until it is closed, where the system can. Raises OSError if another process has locked it."""
    if sys.platform == "win32":
        return False
    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    return True


@contextmanager
def _ended_by_signals() -> Iterator[None]:
    """SIGTERM interrupts the export like Ctrl-C, so that it ends its processes and removes its files."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def _unwritable(error: OSError, target: Path) -> InputError:
    reason = (error.strerror or str(error)).lower()
    return fault(f"cannot be written: {reason}", Place(str(error.filename or target)))


def _record(folder: Path) -> Record:
    """The record in a folder; an empty one if there is none, or if it is damaged."""
    try:
        data = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    files = data.get("files") if isinstance(data, dict) else None
    return data if isinstance(files, list) and all(isinstance(name, str) for name in files) else {}


def _move(path: Path, target: Path, old: Record) -> None:
    """Moves the new files to the folder, and removes those of the last export that are not among them."""
    ours, new = {*old.get("files", ()), RECORD}, sorted(_names(path), key=lambda name: name == RECORD)
    foreign = next((target / name for name in new if name not in ours and (target / name).exists()), None)
    if foreign:
        message = "is not from an earlier export, and would be replaced"
        raise fault(message, Place(str(foreign)), "move it, or choose another folder with -o")
    for name in new:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).replace(target / name)
    for name in ours - set(new):
        file = within(target, name)
        if file and file.is_file():
            file.unlink()
            with suppress(OSError):  # the folder is not empty
                file.parent.rmdir()


def _names(folder: Path) -> list[str]:
    """The names of the files in a folder, with `/`, in alphabetical order."""
    names = (file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
    return sorted(name for name in names if name != _LOCK)
