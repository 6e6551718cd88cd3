"""The games that are open: each is read and drawn again whenever one of its files is saved."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from hashlib import blake2b
from pathlib import Path
from typing import Any

from .. import paths
from ..errors import InputError, Problem, fault, shortened
from ..files import forget_files
from ..reading.load import shipped
from ..reading.table_game import DEFAULT_LOOK, TableLook, is_table
from . import worker
from .drawing import SideView, Snapshot, Switches, shown, snapshot
from .events import Channel

HALF_SAVED = 0.5
"""Seconds for which a file that cannot be read may be one that is being saved."""
MAX_SIDES = 4_000
"""How many sides stay known by their keys, for pages that still show them."""
TABLE_FILES = (*paths.PICTURES, ".ttf", ".otf", ".ttc", ".otc", ".woff")
"""Besides the table itself, the files beside a bare table that its cards may use."""


class Project:
    """One open game: a shipped one by its key, a folder, or a bare table of cards."""

    def __init__(self, source: str | Path, *, trust_code: bool = False) -> None:
        self.source = source
        self.trust_code = trust_code
        self.key = str(source) if source in shipped() else _key(Path(source))
        self.look = Switches()
        self.table_look: TableLook = DEFAULT_LOOK
        self.channel = Channel()
        self.snapshot: Snapshot | None = None
        """The last state that could be read; pages go on showing it."""
        self.problems: list[Problem] = []
        """Why the present state cannot be read."""
        self.version = 0
        self.saved_at = 0.0
        """When the last change was noticed, in the seconds of `time.time`."""
        self._sides: dict[str, SideView] = {}
        self._task: asyncio.Task[None] | None = None

    @property
    def folders(self) -> list[Path]:
        """Where the files of the game are."""
        if self.source in shipped():
            return [paths.DATA / str(self.source), paths.TEMPLATES / str(self.source)]
        path = Path(self.source)
        return [path.parent if is_table(path) else path]

    @property
    def folder(self) -> Path:
        """The folder of the game, or of its table."""
        return self.folders[0]

    @property
    def is_shipped(self) -> bool:
        """Whether the game comes with Pencilbox, so that its files stay as they are."""
        return self.source in shipped()

    @property
    def title(self) -> str:
        return self.snapshot.game.title if self.snapshot else Path(self.source).name

    async def refresh(self) -> None:
        """Reads the game again and tells the pages."""
        self.version += 1
        try:
            self.snapshot = await worker.call(
                snapshot, self.source, self.look, self.table_look, trust_code=self.trust_code
            )
            self.problems = []
        except InputError as error:
            self.problems = list(error.problems)
        self.channel.send("changed", {"version": self.version, "at": self.saved_at})

    async def current(self) -> Snapshot | None:
        """The last state that could be read; reads the game if that has not been tried."""
        if not self.version:
            await self.refresh()
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        return self.snapshot

    def listed_problems(self) -> list[Problem]:
        """What is wrong now: why the game cannot be read, or else what its parts have wrong."""
        return shown([*self.problems, *(self.snapshot.problems if self.snapshot and not self.problems else ())])

    def remember(self, side: SideView) -> str:
        """Keeps a side so that its picture can be asked for; returns its key."""
        self._sides.pop(side.key, None)
        self._sides[side.key] = side
        while len(self._sides) > MAX_SIDES:
            del self._sides[next(iter(self._sides))]
        return side.key

    def side(self, key: str) -> SideView | None:
        """The side with this key, if a page may still show it."""
        return self._sides.get(key)

    async def _watch(self) -> None:
        from watchfiles import awatch  # starts a thread

        async for changes in awatch(*self.folders, debounce=50, step=10, recursive=not is_table(Path(self.source))):
            files = [Path(name) for _, name in changes]
            if not any(map(self._matters, files)):
                continue
            self.saved_at = time.time()
            await worker.call(forget_files)
            before = self.problems
            await self.refresh_settled(before)

    async def refresh_settled(self, before: list[Problem]) -> None:
        """Reads the game again; if it cannot be read, once more a little later: the file may have been saved half."""
        start = time.monotonic()
        await self.refresh()
        while self.problems and self.problems != before and time.monotonic() - start < HALF_SAVED:
            await asyncio.sleep(HALF_SAVED / 5)
            await self.refresh()

    def _matters(self, file: Path) -> bool:
        if any(part.startswith((".", "__")) for part in file.parts[len(self.folder.parts) :]):
            return False
        path = Path(self.source)
        return not is_table(path) or file.name == path.name or file.suffix.lower() in TABLE_FILES

    def close(self) -> None:
        """Stops watching."""
        if self._task:
            self._task.cancel()


def _key(path: Path) -> str:
    """A short name for addresses: from the name of the file, and different for every path."""
    name = re.sub("[^a-z0-9]+", "-", path.stem.lower()).strip("-") or "game"
    return f"{name[:30]}-{blake2b(str(path.resolve()).encode(), digest_size=4).hexdigest()}"


class Projects:
    """The open games by their keys. Shipped games open themselves."""

    def __init__(self, *, trust_code: bool = False) -> None:
        self.trust_code = trust_code
        self.home = Path.cwd()
        self._open: dict[str, Project] = {}

    def __iter__(self) -> Iterator[Project]:
        return iter(self._open.values())

    def open(self, source: str | Path) -> Project:
        """Opens a game, or returns it if it is open. Raises InputError if there is none."""
        path = Path(source)
        if source not in shipped() and not (is_table(path) or paths.is_file(path / "game.yaml")):
            hint = "name a folder with a game.yaml, or a table of cards"
            raise fault(f"there is no game “{shortened(source)}”", hint=hint)
        project = Project(source if source in shipped() else path, trust_code=self.trust_code)
        return self._open.setdefault(project.key, project)

    def open_inside(self, name: str) -> Project:
        """Opens a game that a page asks for: a shipped one, or one in the folder in which the studio was started.
        Raises InputError for others."""
        if name not in shipped() and paths.within(self.home, name) is None:
            hint = "start the studio in another folder, or with: pencilbox studio FOLDER"
            raise fault(f"“{shortened(name)}” is outside the folder in which the studio was started", hint=hint)
        return self.open(name if name in shipped() else self.home / name)

    def get(self, key: str) -> Project | None:
        """The open game with this key."""
        return self.open(key) if key in shipped() else self._open.get(key)

    def close(self) -> None:
        """Stops watching all games."""
        for project in self:
            project.close()


def problem_data(problem: Problem) -> dict[str, Any]:
    """A problem as pages get it."""
    place = problem.place
    return {
        "message": problem.message,
        "hint": problem.hint,
        "place": str(place) if place else "",
        "file": place.file if place else "",
        "line": place.line if place else 0,
    }
