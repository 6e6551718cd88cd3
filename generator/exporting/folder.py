"""A folder that is written completely or not at all, and its list of files."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ..errors import Place, fault
from ..fast_dataclasses import dataclass

RECORD = "export.json"
"""What an export leaves in its folder: its files, and the order of the cards, which later exports keep."""
Record = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class NewFolder:
    """A folder that is being written: `path` is a temporary one beside `target`, which it replaces at the end. `old` is
    the record of the export that it replaces."""

    path: Path
    target: Path
    old: Record

    def files(self) -> list[str]:
        """The names of the files written so far, with `/`, in alphabetical order."""
        return sorted(file.relative_to(self.path).as_posix() for file in self.path.rglob("*") if file.is_file())

    def record(self, more: Record) -> None:
        """Writes the record of the export."""
        data = {**more, "files": self.files()}
        (self.path / RECORD).write_text(json.dumps(data, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


@contextmanager
def new_folder(target: Path) -> Iterator[NewFolder]:
    """Yields a folder to write into. If nothing goes wrong, it replaces the files of the last export in `target`; all
    other files there stay. Raises InputError if it cannot be written, or would replace a file that is not from an
    export."""
    old = _record(target)
    path = target.with_name(f".{target.name}-{os.urandom(4).hex()}.part")
    try:
        path.mkdir(parents=True)
        yield NewFolder(path, target, old)
        _replace(path, target, old)
    except OSError as error:
        reason = (error.strerror or str(error)).lower()
        raise fault(f"cannot be written: {reason}", Place(str(error.filename or target))) from error
    finally:
        shutil.rmtree(path, ignore_errors=True)


def _record(folder: Path) -> Record:
    """The record in a folder; an empty one if there is none, or if it is damaged."""
    try:
        data = json.loads((folder / RECORD).read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError):
        return {}
    files = data.get("files") if isinstance(data, dict) else None
    return data if isinstance(files, list) and all(isinstance(name, str) for name in files) else {}


def _replace(path: Path, target: Path, old: Record) -> None:
    """Moves files of others from the old folder to the new one, and then the new one into its place."""
    if target.is_symlink() or (target.exists() and not target.is_dir()):
        raise fault("is not a folder", Place(str(target)), "name another folder with -o")
    if target.is_dir():
        ours = {*old.get("files", ()), RECORD}
        others = [file for file in target.rglob("*") if not file.is_dir() and _name(file, target) not in ours]
        in_the_way = [file for file in others if (path / _name(file, target)).exists()]
        if in_the_way:
            raise fault(
                "is not from an earlier export, and would be replaced",
                Place(str(in_the_way[0])),
                "move it, or choose another folder with -o",
            )
        for file in others:
            copy = path / _name(file, target)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(file, copy, follow_symlinks=False)
        away = target.with_name(f".{target.name}-{os.urandom(4).hex()}.old")
        target.rename(away)
        try:
            path.rename(target)
        except OSError:
            away.rename(target)
            raise
        shutil.rmtree(away, ignore_errors=True)
    else:
        path.rename(target)


def _name(file: Path, folder: Path) -> str:
    return file.relative_to(folder).as_posix()
