"""Records of what `make` has printed, so that files are not printed again if their input is unchanged.

They are in the file `.pencilbox/records.json` of the output folder. For each printed PDF it holds a digest of
everything that decides its bytes, and a digest of these bytes. For each command it lists the PDFs, so that a command of
which nothing has changed need not even read its games. The file can be deleted at any time.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from pathlib import Path
from stat import S_ISREG
from typing import TYPE_CHECKING
from unicodedata import normalize

from msgspec import DecodeError, Struct, json, structs

from .. import __version__, paths
from ..errors import InputError, Problem
from ..files import save
from ..reading.load import shipped

if TYPE_CHECKING:  # what is printed is planned only if it has changed
    from ..model.game import Game
    from .plan import PlannedFile

FOLDER = ".pencilbox"
MAX_COMMANDS = 100
MAX_FILES = 5_000
MAX_BYTES = 1_000_000_000
"""The maximum size of the folders of the games. Larger ones are not recorded: comparing them would take too long."""

_SHIPPED = (f"{paths.DATA}{os.sep}", f"{paths.TEMPLATES}{os.sep}")
# What is printed, and files that editors, spreadsheets and systems leave beside others.
_UNREAD = re.compile(
    r".*(\.pdf|\.part|~)|\.~lock\..*#|~\$.*|#.*#|\..*\.sw[a-z]|\.DS_Store|Thumbs\.db|desktop\.ini", re.DOTALL
)
_SKIPPED = {FOLDER, "__pycache__", ".git", ".hg", ".svn"}


class PrintedFile(Struct, frozen=True):
    """A file that was printed, now or (`unchanged`) by an earlier command: its game, component, paper and set code; its
    number of pages, the duplex mode it is made for, and how to print it. Its backs are corrected for a `printer`.
    `notes` say what may not look as expected."""

    game: str
    component: str
    paper: str
    file: str
    pages: int
    duplex: str | None
    printer: str | None
    print: str
    fillable: bool
    set: str | None
    unchanged: bool = False
    notes: tuple[Problem, ...] = ()


class FileRecord(Struct):
    """A printed file: digests of what decides its bytes (`key`) and of these bytes (`pdf`). Of the files `unread`, only
    the names decide them; if it has no `pictures`, not even the names of pictures."""

    key: str
    unread: list[str]
    pictures: bool
    pdf: str
    printed: PrintedFile


class CommandRecord(Struct):
    """A command: a digest of all that it may read, and the keys of the files that it printed."""

    input: str
    files: dict[str, str]


class Recorded(Struct):
    """The content of the file."""

    files: dict[str, FileRecord] = {}
    commands: dict[str, CommandRecord] = {}


class Records:
    """The records of an output folder, as a command reads and adds to them. `roots` are the folders that it reads, and
    `command` are its options; None if the same command would print other files the next time."""

    def __init__(self, folder: Path, roots: Iterable[Path], command: object | None, look: object = None) -> None:
        self.file = folder.absolute() / FOLDER / "records.json"
        self._roots = tuple(roots)
        self._command = None if command is None else digest((Path.cwd(), command))
        self._look = look
        files = list(files_in(self._roots))
        size = sum(status.st_size for _, status in files)
        self.usable = len(files) <= MAX_FILES and size <= MAX_BYTES
        self._states = _states(files)
        self._digests = {file: _content(file, status) for file, status in files} if self.usable else {}
        self._installation = _installation()
        exist = [(str(root), root.exists()) for root in self._roots]
        self._input = digest((exist, sorted(self._digests.items()), self._installation))
        self._contents: dict[object, str] = {}
        self._added: dict[str, FileRecord] = {}
        self._recorded = _read(self.file)

    def unchanged(self) -> list[PrintedFile] | None:
        """The files that the command printed before, if neither its input nor one of them has changed since."""
        command = self._recorded.commands.get(self._command or "")
        if command is None or command.input != self._input:
            return None
        files = []
        for name, key in command.files.items():
            record = self._recorded.files.get(str(Path(name).absolute()))
            if record is None or record.key != key or record.pdf != of_file(Path(name)):
                return None
            files.append(_unchanged(record.printed, name))
        return files

    def find(self, planned: PlannedFile) -> PrintedFile | None:
        """What was printed to a file, if it would be the same again."""
        record = self._recorded.files.get(str(planned.path.absolute()))
        if record is None or record.key != self._key(planned, record.unread, record.pictures):
            return None
        if record.pdf != of_file(planned.path):
            return None
        self._added[str(planned.path.absolute())] = record
        return _unchanged(record.printed, str(planned.path))

    def add(self, planned: PlannedFile, printed: PrintedFile, read: Collection[Path], *, elsewhere: bool) -> None:
        """Adds a file that was printed, from the files that were `read`. Templates, pictures and the files of other
        components that were not read do not decide it, except for their names: a file that is looked for by its name
        may be found in several folders. Where other machines have these files is not known (`elsewhere`)."""
        folders, names = _folders(planned.game), self._names(planned.game)
        known, paths_read = {*map(_folded, names)}, {_folded(str(path)) for path in read}
        own = (path for path in read if any(map(path.is_relative_to, map(Path.resolve, folders))))
        if not self.usable or any(_folded(str(path)) not in known for path in own):
            return  # it was printed from a file that is never compared, such as one in .git
        unread = [name for name in _read_by_some(planned.game, names) if not (elsewhere or _folded(name) in paths_read)]
        pictures = any(_is_picture(name) and name not in unread for name in names)
        pictures |= any(name.endswith(f"{os.sep}icons") for name in names)  # a link: its icons are in another folder
        if not pictures:
            unread = [name for name in unread if not _is_picture(name)]
        key, pdf = self._key(planned, unread, pictures), of_file(planned.path)
        if key and pdf:
            self._added[str(planned.path.absolute())] = FileRecord(key, unread, pictures, pdf, printed=printed)

    def save(self, names: Iterable[str] | None) -> None:
        """Saves what was added, unless a file of a game was saved in the meantime. `names` are all files of the
        command; None if some could not be printed."""
        if not self._added or self.file.parent.is_symlink() or self.file.is_symlink():
            return
        if _states(files_in(self._roots)) != self._states:
            return
        recorded = _read(self.file)  # another command may have saved records since
        files = {name: record for name, record in recorded.files.items() if paths.is_file(Path(name))} | self._added
        commands = {name: command for name, command in recorded.commands.items() if name != self._command}
        printed = {name: record.key for name in names or () if (record := self._added.get(str(Path(name).absolute())))}
        if printed and self._command and len(printed) == len([*(names or ())]):
            commands[self._command] = CommandRecord(self._input, printed)
        newest = dict(list(commands.items())[-MAX_COMMANDS:])
        with suppress(InputError, OSError, ValueError):  # the files themselves are printed
            save(json.encode(Recorded(files, newest)), self.file)

    def _names(self, game: Game) -> list[str]:
        """All files in the folders of a game, in order."""
        inside = tuple(f"{folder.resolve()}{os.sep}" for folder in _folders(game))
        return sorted(file for file in self._digests if file.startswith(inside))

    def _key(self, planned: PlannedFile, unread: Sequence[str], pictures: bool) -> str | None:
        """A digest of all that decides the bytes of a file. None for a game in other folders than the command named."""
        folders = tuple(folder.resolve() for folder in _folders(planned.game))
        content = folders, tuple(unread), pictures
        if content not in self._contents:
            if not all(any(folder.is_relative_to(root) for root in self._roots) for folder in folders):
                return None
            not_read = {*unread}
            self._contents[content] = digest(
                [
                    (name, "" if name in not_read else self._digests[name])
                    for name in self._names(planned.game)
                    if pictures or not _is_picture(name)
                ]
            )
        return digest((Path.cwd(), planned.deciding, self._look, self._installation, self._contents[content]))


def _unchanged(printed: PrintedFile, name: str) -> PrintedFile:
    return structs.replace(printed, unchanged=True, file=name)


def _read(file: Path) -> Recorded:
    """The recorded files and commands; none if the file is damaged."""
    try:
        return json.decode(_regular(file).read_bytes(), type=Recorded)
    except (OSError, DecodeError, RecursionError):
        return Recorded()


# ---- what decides a file


def _folders(game: Game) -> tuple[Path, ...]:
    """The folders with the files of a game; a table has no templates of its own."""
    return (game.folder,) if game.table else (game.folder, game.templates[0])


def _read_by_some(game: Game, files: Iterable[str]) -> Iterator[str]:
    """The files of a game of which it is known for which components they are read: those that describe a component,
    templates and pictures. Not icons, and nothing that links lead to, because it is read by another name."""
    described = {_folded(str(file)) for part in game.components.values() for file in part.files}
    icons = tuple(f"{folder.resolve()}{os.sep}" for folder in game.theme.icon_folders)
    real = cache(os.path.realpath)
    for file in files:
        drawn = file.endswith(".j2") or (file.lower().endswith(paths.PICTURES) and not file.startswith(icons))
        folder = file.rpartition(os.sep)[0]
        if (drawn or _folded(file) in described) and real(folder) == folder and not Path(file).is_symlink():
            yield file


def _folded(file: str) -> str:
    """The same for all names of a file on systems that take no account of case."""
    return normalize("NFC", file).casefold()


def _is_picture(file: str) -> bool:
    """Whether a file may be a picture that is not an icon."""
    return file.lower().endswith(paths.PICTURES) and f"{os.sep}icons{os.sep}" not in file


def roots_of(words: Sequence[str], every: bool, sets: Sequence[str]) -> Iterator[Path]:
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


def files_in(roots: Iterable[Path]) -> Iterator[tuple[str, os.stat_result]]:
    """Every file in these folders that printing may read, and every link to a folder, in the same order each time."""
    visited: set[str] = set()
    for root in dict.fromkeys(roots):
        if paths.is_file(root):
            yield str(root), root.stat()
        else:
            yield from _files_in(str(root), visited)


def _files_in(folder: str, visited: set[str]) -> Iterator[tuple[str, os.stat_result]]:
    """The files in a folder. Walking it with pathlib would take ten times as long."""
    real = os.path.realpath(folder)
    if real in visited:
        return
    visited.add(real)
    for entry in _entries(folder):
        with suppress(OSError):  # deleted meanwhile, or a link to nothing
            if entry.is_dir():
                if entry.name not in _SKIPPED:
                    if entry.is_symlink():
                        yield entry.path, entry.stat(follow_symlinks=False)
                    yield from _files_in(entry.path, visited)
            elif entry.is_file() and not _UNREAD.fullmatch(entry.name):
                yield entry.path, entry.stat()


def _entries(folder: str) -> list[os.DirEntry[str]]:
    """What is in a folder, in order; nothing if it cannot be read."""
    with suppress(OSError), os.scandir(folder) as entries:
        return sorted(entries, key=lambda entry: entry.name)
    return []


def _states(files: Iterable[tuple[str, os.stat_result]]) -> list[tuple[object, ...]]:
    """The sizes and times of files, which change whenever they are saved. Programs can set the time of the last change
    of the content, but not that of the last change of the file (ctime)."""
    return [(file, status.st_size, status.st_mtime_ns + status.st_ctime_ns, status.st_ino) for file, status in files]


def _content(file: str, status: os.stat_result) -> str:
    """A digest of the content of a file. Those that come with Pencilbox change with their state, which takes less time
    to read; a link to a folder is where it leads."""
    if file.startswith(_SHIPPED):
        return digest(_states([(file, status)]))
    return of_file(Path(file)) or digest(os.path.realpath(file))


def of_file(file: Path) -> str | None:
    """A digest of the content of a file; None if it cannot be read."""
    try:
        return blake2b(_regular(file).read_bytes(), digest_size=20).hexdigest()
    except OSError:
        return None


def digest(content: object) -> str:
    return blake2b(repr(content).encode(), digest_size=20).hexdigest()


def _regular(file: Path) -> Path:
    """The file itself. Raises OSError for a folder, a device or a pipe: reading these may never end."""
    if not S_ISREG(file.stat().st_mode):
        raise OSError("not a regular file")
    return file


def _installation() -> str:
    """A digest of Pencilbox without its games, Python and the versions of all libraries."""
    libraries = [
        entry.name
        for folder in sys.path
        for entry in _entries(folder or ".")
        if entry.name.endswith((".dist-info", ".egg-info"))
    ]
    package = [Path(__file__).parents[1], paths.SHARED_DATA, paths.SHARED_TEMPLATES]
    return digest((__version__, sys.version, sys.platform, sorted(libraries), _states(files_in(package))))
