"""The files of games that are shown on a page: keeps those that are dropped on it (a table in a new folder of its own,
as a game if its cards can be read, and fonts and pictures beside it), and takes back changes to files."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from .. import limits, paths
from ..errors import InputError, fault, shortened
from ..files import forget_files, save
from ..reading.card_tables import TABLES, TEXTS
from ..reading.load import load, shipped
from ..reading.table_game import DEFAULT_LOOK, FONTS, TableLook, is_table
from ..tables.delimited import grid_of
from . import new_game

DROPPED = (*TABLES, ".json")
EMPTY = "Name,Copies,Cost,Type,Text,Flavour\nFirst card,1,1,Place,What this card does.,\n"
MAX_PICTURE = 32_000_000
MAX_LISTED = 60
MAX_ROWS = 5_000
"""The rows of a table that can be shown and changed."""


def keep_table(home: Path, name: str, data: bytes) -> Path:
    """Keeps a table in a new folder in `home`, and returns the folder of the game. If its cards have mistakes, no files
    of a game are written, and the table is returned. Raises InputError if it is not a table."""
    path = Path(Path(name.replace("\\", "/")).name)
    if path.suffix.lower() not in DROPPED or len(path.name) > 100:
        hint = (
            "save it as .xlsx, .ods or .csv"
            if path.suffix
            else "a table is a .csv, .tsv, .txt, .md, .xlsx, .ods or .json file"
        )
        raise fault(f"“{shortened(path.name)}” is not a table of cards that can be read", hint=hint)
    if len(data) > limits.TABLE_BYTES:
        raise fault(f"“{shortened(path.name)}” is larger than {limits.TABLE_BYTES / 1e6:g} MB")
    place = home / new_game.usable_name(path.stem)
    place = new_game.free(place) if os.path.lexists(place) else place
    place.mkdir()
    try:
        table = place / f"{new_game.usable_name(path.stem)}{path.suffix.lower()}"
        save(data, table)
        _check(table, data)
    except InputError as error:
        shutil.rmtree(place)
        raise InputError(
            replace(problem, place=replace(problem.place, file=path.name)) if problem.place else problem
            for problem in error.problems  # with the file, under the name that somebody knows
        ) from None
    try:
        _write_beside(table, DEFAULT_LOOK)
    except InputError:
        return table
    return table.parent


def _check(table: Path, data: bytes) -> None:
    """Raises InputError unless the file is a table that the page can show. Mistakes in cells are not counted."""
    try:
        game = load(table)
    except InputError:
        if table.suffix.lower() not in TEXTS:
            raise
        grid, _ = grid_of(data, table.name)
        rows = len(grid.rows)
        if rows < 2 or max(len(row) for _, row in grid.rows) < 2:
            raise
    else:
        rows = len({card.id for card in game.components["cards"].cards})
    if rows > MAX_ROWS:
        hint = f"print it with: pencilbox make {table.name}"
        raise fault(f"this table has {rows:,} rows; the studio shows up to {MAX_ROWS:,}", hint=hint)


def _write_beside(table: Path, look: TableLook) -> None:
    content = new_game.files(table.parent, new_game.source(str(table), look), (), own_face=False)
    for name, text in content.items():
        if isinstance(text, str) and not (table.parent / name).exists():
            save(text.encode(), table.parent / name)


def keep_game(home: Path, name: str, source: str | Path, look: TableLook) -> Path:
    """Writes a bare table with this look as a game with a built-in face, or copies a game that comes with Pencilbox,
    into a new folder in `home` or that of the table. Raises InputError if it cannot be written."""
    folder, table = home / name.strip(), Path(source)
    if "/" in name or "\\" in name:
        raise fault("the name of a folder has no “/” and no “\\”")
    if source in shipped():
        new_game.copy_shipped(str(source), folder)
    elif not is_table(table):
        raise fault("these cards are a game already")
    elif folder.resolve() == table.parent.resolve():
        _write_beside(table, look)
    else:
        start = new_game.source(str(table), look)
        new_game.write(folder, new_game.files(folder, start, (), own_face=False))
    return folder


def keep_example(home: Path, name: str) -> Path:
    """Copies an example into a new folder in `home`; returns what to open."""
    folder = home / name
    folder = new_game.free(folder) if os.path.lexists(folder) else folder
    new_game.copy_example(name, folder)
    return folder if (folder / "game.yaml").exists() else next(filter(is_table, sorted(folder.iterdir())))


def to_open(home: Path) -> list[dict[str, str]]:
    """The games and tables in a folder."""
    shown = [path for path in sorted(home.iterdir()) if not path.name.startswith((".", "~"))]
    games = [path for path in shown if paths.is_file(path / "game.yaml")]
    tables = [path for path in shown if path.suffix.lower() in DROPPED and is_table(path)]
    return [
        *({"path": path.name, "about": "a game"} for path in games[:MAX_LISTED]),
        *({"path": path.name, "about": "a table of cards"} for path in tables[:MAX_LISTED]),
    ]


@cache
def described_examples() -> list[dict[str, str]]:
    """The examples with their titles and what they are."""
    games = {name: load(paths.EXAMPLES / name) for name in paths.examples()}
    return [{"name": key, "title": game.title, "about": game.definition.tagline or ""} for key, game in games.items()]


def keep_file(folder: Path, name: str, data: bytes) -> str:
    """Keeps a font in `fonts/` or a picture beside the table, without replacing another file. Returns its path in the
    folder. Raises InputError for anything else."""
    path = Path(Path(name.replace("\\", "/")).name)
    ending = path.suffix.lower()
    if ending not in (*FONTS, *paths.PICTURES) or len(path.name) > 100 or path.name.startswith("."):
        raise fault(f"“{shortened(path.name)}” is neither a font nor a picture", hint="drop .ttf, .otf, .png, .svg …")
    if len(data) > MAX_PICTURE:
        raise fault(f"“{shortened(path.name)}” is larger than {MAX_PICTURE / 1e6:g} MB")
    relative = (
        Path("fonts", path.name) if ending in FONTS else Path("art" if (folder / "art").is_dir() else "", path.name)
    )
    target = paths.within(folder, str(relative))
    if target is None:
        raise fault(f"“{shortened(path.name)}” is outside the game’s folder")
    if target.exists():
        if target.read_bytes() == data:
            return relative.as_posix()
        raise fault(f"there is another file “{relative.as_posix()}”", hint="rename the new one")
    save(data, target)
    return relative.as_posix()


T = TypeVar("T")
MAX_EDITS = 200


class Edit(Struct, Generic[T], frozen=True):
    """A change: files before and after it, each None if there is none, and choices that are in no file."""

    files: Mapping[Path, tuple[bytes | None, bytes | None]]
    choices: tuple[T, T]

    def reversed(self) -> Edit[T]:
        files = {path: (after, before) for path, (before, after) in self.files.items()}
        return Edit(files, (self.choices[1], self.choices[0]))


class History(Struct, Generic[T]):
    """The changes made so far, and the present `choices`, which are in no file."""

    choices: T
    done: list[Edit[T]] = field(default_factory=list)
    undone: list[Edit[T]] = field(default_factory=list)

    def write(self, files: Mapping[Path, bytes], choices: T) -> None:
        """Makes a change. Raises InputError if a file cannot be written."""
        edit = Edit({path: (_content(path), data) for path, data in files.items()}, (self.choices, choices))
        self._apply(edit)
        self.done, self.undone = [*self.done[-MAX_EDITS:], edit], []

    def undo(self) -> None:
        """Takes the last change back, if there is one. Raises InputError if a file has changed since."""
        if self.done:
            self._apply(self.done[-1].reversed())
            self.undone.append(self.done.pop())

    def discard(self) -> None:
        """Takes the last change back, not to be made again."""
        self.undo()
        self.undone.pop()

    def redo(self) -> None:
        if self.undone:
            self._apply(self.undone[-1])
            self.done.append(self.undone.pop())

    def _apply(self, edit: Edit[T]) -> None:
        for path, (before, _) in edit.files.items():
            if _content(path) != before:
                hint = "undo that change in the program that made it"
                raise fault(f"{paths.display_path(path)} was changed elsewhere", hint=hint)
        for path, (_, after) in edit.files.items():
            if after is None:
                path.unlink()
            else:
                save(after, path)
        self.choices = edit.choices[1]
        forget_files()


def _content(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None
