"""The files that commands write: asks before replacing one, and opens them in a viewer."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import click

from .. import paths
from ..errors import InputError, Place, Problem, fault
from .console import echo, escaped

OUTPUT = Path("output")
"""The default folder for printed files. Older files in it are replaced without asking."""

_MAX_NAMES = 5


def refuse_overwriting(path: Path, force: bool) -> None:
    """Raises InputError if the file already exists, unless the user agrees to replace it."""
    may_write([path], force)


def may_write(files: Sequence[Path], force: bool, *outputs: Path) -> None:
    """Asks before replacing files outside the output folders (`output/` and `outputs`). Raises InputError if the answer
    is no, if there is no terminal to ask on, and for every path that is a folder."""
    folders = [Problem("is a folder", Place(str(file)), "name a file in it") for file in files if paths.is_dir(file)]
    if folders:
        raise InputError(folders)
    if force:
        return
    output_folders = [folder.resolve() for folder in (OUTPUT, *outputs)]
    existing = [
        file
        for file in files
        if paths.is_file(file) and not any(file.absolute().is_relative_to(folder) for folder in output_folders)
    ]
    if not existing:
        return
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        raise _already_there(existing)
    if not _user_agrees(existing):
        raise fault("nothing was written", hint="name another file or folder, or add --force")


def _already_there(files: Sequence[Path]) -> InputError:
    """The error that these files exist: one message, with the names of the first few."""
    if len(files) == 1:
        return fault("file already exists", Place(str(files[0])), "--force replaces it")
    names = ", ".join(map(str, files[:_MAX_NAMES]))
    more = f" and {len(files) - _MAX_NAMES} more" if len(files) > _MAX_NAMES else ""
    return fault(f"{len(files)} files already exist: {names}{more}", hint="--force replaces them")


def _user_agrees(files: Sequence[Path]) -> bool:
    for file in files[:_MAX_NAMES]:
        echo(f"{file} already exists.", err=True)
    if len(files) > _MAX_NAMES:
        echo(f"So do {len(files) - _MAX_NAMES} more files.", err=True)
    return click.confirm("Replace it?" if len(files) == 1 else "Replace them?", default=False, err=True)


def open_in_viewer(path: Path) -> None:
    """Opens a file or a folder with the system's viewer."""
    try:
        failed = click.launch(str(path))
    except OSError:
        failed = 1
    if failed:
        raise fault("cannot be opened: no viewer found", Place(escaped(str(path))), "open it by hand")
