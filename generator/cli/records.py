"""Records of what `make` has printed, so that files are not printed again if their input is unchanged.

A record is a small file in the folder `.pencilbox` of the output folder. It holds a digest of everything that decides
the bytes of the printed files, and a digest of each of these files. All records can be deleted at any time.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG
from typing import Any, Self

from .. import __version__, paths
from ..errors import InputError, summary
from ..fast_dataclasses import dataclass
from ..files import Writable, save
from .console import echo, echo_json, problem_of, style

FOLDER = ".pencilbox"
MAX_RECORDS = 500
MAX_FILES = 5_000
MAX_BYTES = 1_000_000_000
"""The maximum size of the folders of the games. Larger ones are not recorded: comparing them would take too long."""

_DIGEST_BYTES = 20
_OUTPUT = (".pdf", ".part")
_SKIPPED = {FOLDER, "__pycache__", ".git", ".hg", ".svn"}
_UNUSED = ("quiet", "form", "show", "force", "watching", "workers", "scheduler", "timeout")
"""Options that do not affect the content of the files."""

Files = list[dict[str, Any]]
"""The printed files as `--format json` lists them."""


@dataclass(frozen=True, slots=True)
class Record:
    """The record of one command: its `file`, and the `digest` of its input before anything was read. `state` tells
    whether a file was saved in the meantime, and `roots` are the files and folders of the games."""

    file: Path
    digest: str
    state: str
    roots: tuple[Path, ...]

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Record | None:
        """The record of a command with these options; None if its input cannot be compared: new random sets, code of
        your own, drafts, very large folders."""
        if (
            ((options["draw"] or options["run"]) and options["seed"] is None)
            or options["trust_code"]
            or options["draft"]
        ):
            return None
        folder: Path = options["folder"].absolute()
        roots = tuple(_roots(options["words"], options["sets"]))
        contents = _contents(roots)
        if contents is None:
            return None
        command = repr((str(Path.cwd()), sorted((k, v) for k, v in options.items() if k not in _UNUSED)))
        name = digest(f"{folder} {command}".encode())
        state = _state(roots)
        return cls(folder / FOLDER / f"{name}.json", digest(f"{contents} {_installation()}".encode()), state, roots)

    def unchanged(self) -> Files | None:
        """The files that the command printed before, if neither its input nor one of them has changed since."""
        import json  # only needed if there is a record

        try:
            check, _, content = self.file.read_text("utf-8").partition("\n")
            if check != digest(content.encode()):  # damaged, or changed by hand
                return None
            record = json.loads(content)
            if record["input"] != self.digest or record["pdfs"] != [_of_file(file["file"]) for file in record["files"]]:
                return None
            files: Files = record["files"]
            return files
        except (OSError, ValueError):  # no record yet, or a file is gone
            return None

    def save(self, files: Files, pdfs: Sequence[str]) -> None:
        """Remembers the files that the command has printed, with the digests `pdfs` of their contents, unless a file of
        a game was saved in the meantime."""
        import json

        folder = self.file.parent
        if folder.is_symlink() or _state(self.roots) != self.state:
            return
        content = json.dumps({"input": self.digest, "files": files, "pdfs": list(pdfs)})
        with suppress(InputError, OSError):  # the files themselves are printed
            save(f"{digest(content.encode())}\n{content}".encode(), self.file)
            records = sorted(folder.glob(f"{'[0-9a-f]' * 40}.json"), key=lambda file: file.stat().st_mtime_ns)
            for old in records[:-MAX_RECORDS]:
                old.unlink()


def report_unchanged(files: Files, *, quiet: bool, form: str) -> None:
    """Lists files that need not be printed again, and what was noted when they were printed."""
    files = [file | {"unchanged": True} for file in files]
    if form == "json":
        echo_json(files)
    elif not quiet:
        list_files(files)
        notes = [problem_of(note) for file in files for note in file["notes"]]
        for problem in summary(dict.fromkeys(notes)):
            echo(f"{style('note', 'bold')}: {problem!s}".replace("\n", " "), err=True)
        echo("\nNothing has changed since these files were printed; --force prints them again.", err=True)


def list_files(files: Files) -> None:
    """Lists each file with how to print it."""
    width = max((len(file["file"]) for file in files), default=0)
    for file in files:
        pages = f"{file['pages']} page{'s' if file['pages'] > 1 else ''}"
        echo(f"{file['file']:<{width}}  {pages:<8}  {'unchanged; ' if file['unchanged'] else ''}{file['print']}")


def digest(content: bytes) -> str:
    return blake2b(content, digest_size=_DIGEST_BYTES).hexdigest()


class Digested:
    """Passes on what is written to a stream, and computes its digest."""

    def __init__(self) -> None:
        self._digest = blake2b(digest_size=_DIGEST_BYTES)
        self._stream: Writable | None = None

    def to(self, stream: Writable) -> Self:
        """Itself, for this stream."""
        self._stream = stream
        return self

    def write(self, content: bytes) -> None:
        assert self._stream
        self._digest.update(content)
        self._stream.write(content)

    @property
    def digest(self) -> str:
        return self._digest.hexdigest()


def _of_file(name: str) -> str:
    return digest(Path(name).read_bytes())


def _roots(words: Sequence[str], sets: Sequence[str]) -> Iterator[Path]:
    """The folder of every game among the words of a command, and the files of set codes."""
    for word in (*words, *sets):
        with suppress(OSError, ValueError, RuntimeError):  # a set code, or a name that no file can have
            path = Path(word).resolve()
            yield path.parent if path.is_file() and word in words else path


def _contents(roots: Sequence[Path]) -> str | None:
    """A digest of the names and contents of all files; None if there are too many."""
    roots_there = repr([(str(root), root.exists()) for root in roots])
    contents, size = blake2b(roots_there.encode(), digest_size=_DIGEST_BYTES), 0
    for number, (file, status) in enumerate(_files(roots)):
        size += status.st_size
        if number >= MAX_FILES or size > MAX_BYTES:
            return None
        try:
            content = Path(file).read_bytes()
        except OSError:
            return None
        contents.update(repr((file, len(content))).encode())
        contents.update(content)
    return contents.hexdigest()


def _state(roots: Sequence[Path]) -> str:
    """A digest of the sizes and times of the files, which take much less time to read than their contents."""
    return digest(repr([(file, *_version(status)) for file, status in _files(roots)]).encode())


def _version(status: os.stat_result) -> tuple[int, ...]:
    """What changes whenever a file is saved. Programs can set the time of the last change of the content, but not that
    of the last change of the file (ctime)."""
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def _files(roots: Sequence[Path]) -> Iterator[tuple[str, os.stat_result]]:
    """Every file in these folders that printing may read, in the same order each time. Walking the folders with pathlib
    would take ten times as long."""
    folders = []
    for root in dict.fromkeys(roots):
        if root.is_file():
            yield str(root), root.stat()
        elif root.is_dir():
            folders.append(str(root))
    while folders:
        with suppress(OSError), os.scandir(folders.pop()) as entries:
            for entry in sorted(entries, key=lambda entry: entry.name):
                with suppress(OSError):
                    if entry.is_dir(follow_symlinks=False):
                        folders += [entry.path] if entry.name not in _SKIPPED else []
                    elif not entry.name.endswith(_OUTPUT) and S_ISREG((status := entry.stat()).st_mode):
                        yield entry.path, status


def _installation() -> str:
    """A digest of Pencilbox, its shipped games, Python and the versions of all libraries."""
    libraries = []
    for folder in sys.path:
        with suppress(OSError), os.scandir(folder or ".") as entries:
            libraries += [entry.name for entry in entries if entry.name.endswith((".dist-info", ".egg-info"))]
    shipped = [Path(__file__).parents[1], paths.DATA, paths.TEMPLATES]
    return digest(repr((__version__, sys.version, sys.platform, sorted(libraries), _state(shipped))).encode())
