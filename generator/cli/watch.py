"""make --watch: prints again whenever a file of a game is saved.

It checks the files twice a second, which is quick because a game has few of them, and works on every system and network
drive. Each print runs in its own process, so that changed pictures, icons and fonts are read again. Like any `make`, it
prints only the components that have changed."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import click

from .. import paths
from ..errors import fault
from ..reading.load import shipped
from .console import echo, style

INTERVAL = 0.5
"""Seconds between two checks of the files."""
SETTLED = 0.1
"""Seconds without a change after which a file counts as saved completely."""
MAX_FILES = 5_000
_IGNORED = (".pdf", ".part", ".tmp", ".swp", "~")
_RUN = "import sys; from generator.__main__ import run; sys.argv[0] = 'pencilbox'; run()"

Snapshot = dict[str, tuple[int, int]]
"""The time and size of each file."""


def watch(args: Sequence[str], words: Sequence[str], output: Path) -> None:
    """Runs `make` with these arguments now and after every change to the games among `words`, until Ctrl-C. Raises
    InputError if none of them can be watched."""
    roots = list(_roots(words))
    if not roots:
        raise fault(
            "--watch needs a game or a table", hint="name its folder or file, for example: make my_game --watch"
        )
    arguments = [arg for arg in args if arg != "--watch"]
    try:
        _loop(arguments, roots, output)
    except KeyboardInterrupt:
        echo("", err=True)


def _loop(arguments: list[str], roots: list[Path], output: Path) -> None:
    while True:
        seen = _snapshot(roots, output)
        if sys.stdout.isatty():
            click.clear()
        code = _print(arguments)
        arguments = [arg for arg in arguments if arg != "--open"]
        if code == 0:  # this command wrote the files, so it may replace them
            arguments = ["--replace", *(arg for arg in arguments if arg not in ("--force", "--replace"))]
        done = style("printed", "good") if code == 0 else style("not everything could be printed", "error")
        names = ", ".join(paths.display_path(root) for root in roots)
        echo(f"\n{time.strftime('%H:%M:%S')}  {done}. Waiting for changes in {names}; Ctrl-C stops.", err=True)
        _wait(seen, roots, output)


def _print(arguments: list[str]) -> int:
    """Runs `make` in another process; returns its exit code."""
    sys.stdout.flush()
    command = [sys.executable, "-P", "-c", _RUN, "make", *arguments]
    package = str(Path(__file__).parents[2])
    places = [package, *filter(None, [os.environ.get("PYTHONPATH")])]
    return subprocess.run(command, env={**os.environ, "PYTHONPATH": os.pathsep.join(places)}, check=False).returncode


def _wait(seen: Snapshot, roots: Iterable[Path], output: Path) -> None:
    """Waits until a file has changed, and then until no file changes any more."""
    roots = list(roots)
    while (now := _snapshot(roots, output)) == seen:
        time.sleep(INTERVAL)
    while now != seen:
        time.sleep(SETTLED)
        seen, now = now, _snapshot(roots, output)


def _roots(words: Iterable[str]) -> Iterator[Path]:
    """The folders of the games and the tables among the words of the command."""
    for word in words:
        path = Path(word)
        if word in shipped():
            yield paths.DATA / word
            yield paths.TEMPLATES / word
        elif paths.is_dir(path):
            yield path
        elif paths.is_file(path):
            yield path.parent if path.name == "game.yaml" else path


def _snapshot(roots: Iterable[Path], output: Path) -> Snapshot:
    """The state of all files of the games; of a table, also of the pictures beside it."""
    states: Snapshot = {}
    for root in roots:
        is_table = paths.is_file(root)
        for file in _files(root.parent if is_table else root, output.absolute()):
            if len(states) >= MAX_FILES:
                return states
            if not is_table or file.suffix.lower() in paths.PICTURES or file.name == root.name:
                state = _state(file)
                if state:
                    states[str(file)] = state
    return states


def _files(folder: Path, output: Path) -> Iterator[Path]:
    for here, folders, names in os.walk(folder):
        inside = Path(here)
        folders[:] = sorted(
            name for name in folders if not name.startswith((".", "__")) and (inside / name).absolute() != output
        )
        yield from (inside / name for name in sorted(names) if not name.startswith(".") and not name.endswith(_IGNORED))


def _state(file: Path) -> tuple[int, int] | None:
    try:
        state = file.stat()
    except OSError:  # deleted meanwhile
        return None
    return state.st_mtime_ns, state.st_size
