"""A folder that is written completely or not at all, and its list of files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from ..errors import InputError, Place, fault
from ..paths import within

RECORD = "export.json"
"""What an export leaves in its folder: its files, and the order of the cards, which later exports keep."""
Record = Mapping[str, Any]


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
        path = (target if there else target.parent) / f".{target.name}-{os.urandom(4).hex()}.part"
        path.mkdir()
    except OSError as error:
        raise _unwritable(error, target) from error
    try:
        yield NewFolder(path, target, old)
        if there:
            _move(path, target, old)
        else:
            path.rename(target)
    except OSError as error:
        raise _unwritable(error, target) from error
    finally:
        shutil.rmtree(path, ignore_errors=True)


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
    return sorted(file.relative_to(folder).as_posix() for file in folder.rglob("*") if file.is_file())
