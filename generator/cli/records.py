"""Records of what `make` has printed, so that files are not printed again if their input is unchanged.

They are in the file `.pencilbox/records.json` of the output folder. For each printed PDF it holds a digest of
everything that decides its bytes, and a digest of these bytes. For each command it lists the PDFs, so that a command of
which nothing has changed need not even read its games. The file can be deleted at any time.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import blake2b
from operator import attrgetter
from pathlib import Path
from stat import S_ISLNK, S_ISREG
from typing import Any, Self

from .. import __version__, paths
from ..errors import InputError, summary
from ..fast_dataclasses import dataclass
from ..files import Writable, save
from ..reading.load import shipped
from .console import echo, echo_json, problem_of, style

FOLDER = ".pencilbox"
MAX_COMMANDS = 100
MAX_FILES = 5_000
MAX_BYTES = 1_000_000_000
"""The maximum size of the folders of the games. Larger ones are not recorded: comparing them would take too long."""

_DIGEST_BYTES = 20
_SHIPPED = (f"{paths.DATA}{os.sep}", f"{paths.TEMPLATES}{os.sep}")
_UNREAD = (".pdf", ".part", "~")
"""The endings of what is printed, and of copies that editors make."""
_TEMPORARY = re.compile(r"\.~lock\..*#|~\$.*|#.*#|\..*\.sw[a-z]|\.DS_Store|Thumbs\.db|desktop\.ini")
"""Files that editors, spreadsheets and systems leave beside others."""
_SKIPPED = {FOLDER, "__pycache__", ".git", ".hg", ".svn"}
_UNUSED = ("quiet", "form", "show", "force", "replace", "watching", "workers", "scheduler", "timeout")
"""Options that do not affect the content of the files."""

Files = list[dict[str, Any]]
"""The printed files as `--format json` lists them."""


@dataclass(frozen=True, slots=True)
class Inputs:
    """The files in these folders (and the files among `roots`): a digest of the content of each, or of the state of
    one that comes with Pencilbox, and the `state` of all before they were read."""

    roots: tuple[Path, ...]
    digests: Mapping[str, str]
    state: tuple[object, ...]

    @classmethod
    def of(cls, roots: tuple[Path, ...]) -> Inputs | None:
        """None if there are too many files to compare, or if one cannot be read."""
        files, size = [], 0
        for file, status in _files(roots):
            files.append((file, status))
            size += status.st_size
            if len(files) > MAX_FILES or size > MAX_BYTES:
                return None
        try:
            digests = {file: _content(file, status) for file, status in files}
        except OSError:
            return None
        return cls(roots, digests, tuple((file, _version(status)) for file, status in files))

    @property
    def unchanged(self) -> bool:
        """Whether no file was saved in the meantime."""
        return _state(self.roots) == self.state


class Records:
    """The records of an output folder, as a command reads and adds to them. `command` is None if the same command would
    print other files the next time."""

    def __init__(self, file: Path, command: str | None, inputs: Inputs) -> None:
        self.file = file
        self._command = command
        self._inputs = inputs
        self._installation = _installation()
        self._files: dict[object, tuple[str, ...]] = {}
        self._contents: dict[object, str] = {}
        self._added: dict[str, dict[str, Any]] = {}

    @classmethod
    def of(cls, options: Mapping[str, Any]) -> Records | None:
        """The records for a command with these options; None if what it prints cannot be compared: code of your own,
        drafts, very large folders."""
        if options["trust_code"] or options["draft"]:
            return None
        inputs = Inputs.of(tuple(_roots(options["words"], options["every"], options["sets"])))
        if inputs is None:
            return None
        used = sorted((key, value) for key, value in options.items() if key not in _UNUSED)
        drawn = (options["draw"] or options["run"]) and options["seed"] is None
        command = None if drawn else digest(repr((str(Path.cwd()), used)).encode())
        return cls(options["folder"].absolute() / FOLDER / "records.json", command, inputs)

    # ---- a whole command

    def unchanged(self) -> Files | None:
        """The files that the command printed before, if neither its input nor one of them has changed since."""
        files = []
        try:
            command = self._recorded["commands"][self._command or ""]
            if command["input"] != self._input:
                return None
            for name, key in command["files"]:
                record = self._recorded["files"][str(Path(name).absolute())]
                if record["key"] != key or not _is_printed(record["printed"]) or record["pdf"] != _of_file(name):
                    return None
                files.append(record["printed"] | {"file": name})
        except (OSError, LookupError, TypeError, ValueError):  # no such record, or a file is gone
            return None
        return files

    def save(self, names: Iterable[str] | None) -> None:
        """Saves what was added, unless a file of a game was saved in the meantime. `names` are all files of the
        command; None if some could not be printed."""
        import json  # only needed if there is a record

        if not self._added or self.file.parent.is_symlink() or self.file.is_symlink() or not self._inputs.unchanged:
            return
        recorded = _read(self.file)  # another command may have saved records since
        files = {name: record for name, record in recorded["files"].items() if paths.is_file(Path(name))} | self._added
        commands = {name: command for name, command in recorded["commands"].items() if name != self._command}
        added = {name: self._added.get(str(Path(name).absolute())) for name in names or ()}
        if added and all(added.values()) and self._command:  # not if one of the files cannot be recorded
            printed = [(name, record["key"]) for name, record in added.items() if record]
            commands[self._command] = {"input": self._input, "files": printed}
        newest = dict(list(commands.items())[-MAX_COMMANDS:])
        content = json.dumps({"files": files, "commands": newest})
        with suppress(InputError, OSError):  # the files themselves are printed
            save(f"{digest(content.encode())}\n{content}".encode(), self.file)

    @cached_property
    def _recorded(self) -> dict[str, dict[str, Any]]:
        return _read(self.file)

    @property
    def _input(self) -> str:
        """A digest of all that the command may read."""
        exist = [(str(root), root.exists()) for root in self._inputs.roots]
        return digest(repr((exist, sorted(self._inputs.digests.items()), self._installation)).encode())

    # ---- a single file

    def find(self, file: Path, options: object, folders: Sequence[Path]) -> dict[str, Any] | None:
        """What was printed to a file, if it would be the same again with these options for the game in these
        folders."""
        try:
            record = self._recorded["files"][str(file.absolute())]
            key = self._key(options, folders, record["unread"], record["pictures"])
            if key is None or record["key"] != key or not _is_printed(record["printed"]):
                return None
            if record["pdf"] != _of_file(str(file)):
                return None
        except (OSError, LookupError, TypeError, ValueError):
            return None
        self._added[str(file.absolute())] = record
        printed: dict[str, Any] = record["printed"]
        return printed

    def add(
        self,
        file: Path,
        pdf: str,
        printed: Mapping[str, Any],
        options: object,
        folders: Sequence[Path],
        unread: Container[str] = (),
    ) -> None:
        """Adds what was `printed` to a file, with the digest `pdf` of its content. `unread` are the files in these
        folders that do not decide it: of these, only the names count, because a file that is looked for by its name may
        be found in several folders. If there are no pictures, not even the names of pictures count."""
        names = self.files(folders)
        pictures = any(_is_picture(name) and name not in unread for name in names)
        pictures |= any(name.endswith(f"{os.sep}icons") for name in names)  # a link: its icons are in another folder
        names = self.files(folders, pictures)
        bits = f"{sum(1 << place for place, name in enumerate(names) if name in unread):x}"
        key = self._key(options, folders, bits, pictures)
        if key:
            record = {"key": key, "unread": bits, "pictures": pictures, "pdf": pdf, "printed": dict(printed)}
            self._added[str(file.absolute())] = record

    def files(self, folders: Sequence[Path], pictures: bool = True) -> tuple[str, ...]:
        """All files in the folders of a game, in order, with or without `pictures`."""
        if (folders, pictures) not in self._files:
            inside = tuple(f"{folder.resolve()}{os.sep}" for folder in folders)
            files = sorted(file for file in self._inputs.digests if file.startswith(inside))
            self._files[folders, pictures] = tuple(file for file in files if pictures or not _is_picture(file))
        return self._files[folders, pictures]

    def _key(self, options: object, folders: Sequence[Path], unread: str, pictures: bool) -> str | None:
        """A digest of all that decides the bytes of a file; `unread` are the files that do not, by their places. None
        for a game in other folders than the command named."""
        if (folders, unread, pictures) not in self._contents:
            roots = {folder.resolve() for folder in folders}
            if not all(any(root.is_relative_to(other) for other in self._inputs.roots) for root in roots):
                return None
            bits, names, digests = int(unread, 16), self.files(folders, pictures), self._inputs.digests
            read = [digests[name] for place, name in enumerate(names) if not bits >> place & 1]
            self._contents[folders, unread, pictures] = digest(repr((names, read, self._installation)).encode())
        return digest(repr((str(Path.cwd()), options, self._contents[folders, unread, pictures])).encode())


def _is_picture(file: str) -> bool:
    """Whether a file may be a picture that is not an icon."""
    return file.lower().endswith(paths.PICTURES) and f"{os.sep}icons{os.sep}" not in file


def _read(file: Path) -> dict[str, dict[str, Any]]:
    """The recorded files and commands. There are none if the file is damaged or was changed by hand. Whoever wants to
    can write such a file, so what is in it is checked where it is used."""
    import json

    with suppress(OSError, ValueError, RecursionError):
        check, _, content = _regular(file).read_text("utf-8").partition("\n")
        recorded = json.loads(content) if check == digest(content.encode()) else None
        if isinstance(recorded, dict) and all(isinstance(recorded.get(part), dict) for part in ("files", "commands")):
            return recorded
    return {"files": {}, "commands": {}}


def _is_printed(printed: Any) -> bool:
    """Whether this has the form of what is said of a printed file."""
    return (
        _has(printed, pages=int, duplex=str | None, printer=str | None, print=str, notes=list)
        and all(_has(each, message=str, file=str | None, line=int | None, hint=str | None) for each in printed["notes"])
        and all(isinstance(each.get(key), str | None) for each in printed["notes"] for key in ("sheet", "cell"))
    )


def _has(data: Any, **types: Any) -> bool:
    """Whether data is a dictionary with values of these types."""
    return isinstance(data, dict) and all(key in data and isinstance(data[key], types[key]) for key in types)


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
    return digest(_regular(Path(name)).read_bytes())


def _regular(file: Path) -> Path:
    """The file itself. Raises OSError for a folder, a device or a pipe: reading these may never end."""
    if not S_ISREG(file.stat().st_mode):
        raise OSError("not a regular file")
    return file


def _roots(words: Sequence[str], every: bool, sets: Sequence[str]) -> Iterator[Path]:
    """The folders of every game among the words of a command, and the files of set codes. A set code names any of the
    shipped games."""
    keys = shipped()
    for key in keys:
        if every or sets or key in words:
            yield paths.DATA / key
            yield paths.TEMPLATES / key
    for word in (*words, *sets):
        with suppress(OSError, ValueError, RuntimeError):  # a set code, or a name that no file can have
            if word not in keys:
                path = Path(word).resolve()
                yield path.parent if path.is_file() and word in words else path


def _state(roots: Sequence[Path]) -> tuple[object, ...]:
    """The sizes and times of the files."""
    return tuple((file, _version(status)) for file, status in _files(roots))


def _content(file: str, status: os.stat_result) -> str:
    """A digest of the content of a file. Those that come with Pencilbox change with their state, which takes less time
    to read."""
    if file.startswith(_SHIPPED):
        return digest(repr(_version(status)).encode())
    path = Path(file)
    return digest(os.fsencode(path.readlink()) if S_ISLNK(status.st_mode) else path.read_bytes())


def _version(status: os.stat_result) -> tuple[int, ...]:
    """What changes whenever a file is saved. Programs can set the time of the last change of the content, but not that
    of the last change of the file (ctime)."""
    return status.st_size, status.st_mtime_ns + status.st_ctime_ns, status.st_ino


def _files(roots: Sequence[Path]) -> Iterator[tuple[str, os.stat_result]]:
    """Every file in these folders that printing may read, and every link to a folder, in the same order each time."""
    for root in dict.fromkeys(roots):
        if root.is_file():
            yield str(root), root.stat()
        elif root.is_dir():
            yield from _files_in(str(root), {str(other) for other in roots})


def _files_in(folder: str, known: set[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The files in a folder, and in the folders that links in it lead to, unless these are in one of the `known`
    folders, which are extended. Walking it with pathlib would take ten times as long."""
    folders = [folder]
    while folders:
        for entry in _entries(folders.pop()):
            try:
                if entry.is_dir(follow_symlinks=False):
                    folders += [entry.path] if entry.name not in _SKIPPED else []
                elif not (entry.name.endswith(_UNREAD) or _TEMPORARY.fullmatch(entry.name)):
                    status = entry.stat(follow_symlinks=not entry.is_dir())
                    if S_ISREG(status.st_mode):
                        yield entry.path, status
                    elif S_ISLNK(status.st_mode):
                        yield entry.path, status
                        folders += [entry.path] if _is_new(os.path.realpath(entry.path), known) else []
            except OSError:
                continue


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder, in order; nothing if it cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entries, key=attrgetter("name"))
    return []


def _is_new(folder: str, known: set[str]) -> bool:
    """Whether a folder is not inside one of those that are `known`, to which it is added."""
    new = not any(paths.is_inside(folder, other) for other in known)
    known.add(folder)
    return new


def _installation() -> str:
    """A digest of Pencilbox without its games, Python and the versions of all libraries."""
    libraries = []
    for folder in sys.path:
        libraries += [
            entry.name for entry in _entries(folder or ".") if entry.name.endswith((".dist-info", ".egg-info"))
        ]
    package = [Path(__file__).parents[1], paths.SHARED_DATA, paths.SHARED_TEMPLATES]
    return digest(repr((__version__, sys.version, sys.platform, sorted(libraries), _state(package))).encode())
