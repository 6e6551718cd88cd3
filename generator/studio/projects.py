"""The games that are open: each is read and drawn again whenever one of its files is saved."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from .. import paths
from ..errors import InputError, Problem, fault, noting, shortened
from ..exporting.raster import encoded
from ..files import forget_files
from ..model.game import Game
from ..reading.load import load, shipped
from ..reading.table_game import DEFAULT_LOOK, TableLook, is_table, table_at
from . import worker
from .drawing import NumberedProblems, PartView, SideView, Snapshot, Switches, image, snapshot
from .events import Channel

HALF_SAVED = 0.5
"""Seconds for which a file that cannot be read may be one that is being saved."""
JUST_SAVED = 5.0
"""The age in seconds up to which the time of a file is the time at which it was saved."""
MAX_VIEWS = 4
"""How many choices of switches are kept drawn."""
MAX_PICTURES = 48 * 2**20
"""How many bytes of pictures are kept."""
SLICE, PAUSE = 0.012, 0.08
"""Seconds for which pieces are drawn before pictures that pages wait for get their turn, and before the first slice."""
MAX_LISTED, MAX_COUNTED = 40, 1000
"""How many files of a folder are listed, and counted in a folder in it."""
UNREAD = (".csv", ".tsv", ".j2", ".md")
"""Files of which nothing is remembered between two states."""
TABLE_FILES = (*paths.PICTURES, ".ttf", ".otf", ".ttc", ".otc", ".woff")
"""Besides the table itself, the files beside a bare table that its cards may use."""


class Project:
    """One open game: a shipped one by its key, a folder, or a bare table of cards."""

    def __init__(self, source: str | Path, *, trust_code: bool = False) -> None:
        self.source = source
        self.trust_code = trust_code
        self.key = str(source) if source in shipped() else _key(Path(source))
        self.table_look: TableLook = DEFAULT_LOOK
        self.channel = Channel()
        self.game: Game | None = None
        """The last state that could be read; pages go on showing it."""
        self.problems: list[Problem] = []
        """Why the present state cannot be read."""
        self.version = 0
        self.saved: Path | None = None
        """The file that was saved last."""
        self.saved_at = 0.0
        """When it was saved, in the seconds of `time.time`."""
        self._notes: list[Problem] = []
        self._views: dict[Switches, Snapshot] = {}
        self._old_views: dict[Switches, Snapshot] = {}
        self._sides: dict[str, tuple[SideView, Any]] = {}
        self._old_sides: dict[str, tuple[SideView, Any]] = {}
        self._pictures: dict[tuple[str, int], bytes] = {}
        self._pending: dict[tuple[str, int], asyncio.Task[bytes]] = {}
        self._drawing: dict[Switches, tuple[Snapshot, asyncio.Task[None]]] = {}
        self._task: asyncio.Task[None] | None = None
        self._first = asyncio.Lock()

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
        return self.game.title if self.game else Path(self.source).name

    @property
    def snapshot(self) -> Snapshot | None:
        """The last state that could be read, as it is shown without switches."""
        return self._views.get(Switches())

    async def refresh(self, *, patient: bool = False) -> None:
        """Reads the game again and tells the pages. If it is `patient`, a file that cannot be read is read again for a
        while: it may be half saved."""
        self.version += 1
        was_faulty = bool(self.problems or (self.game and self.game.problems))
        until = time.monotonic() + (HALF_SAVED if patient and not was_faulty else 0)
        read, problems = await worker.call(self._read)
        while (problems or (read and read.problems)) and time.monotonic() < until:
            await asyncio.sleep(HALF_SAVED / 5)
            read, problems = await worker.call(self._read)
        self.problems = problems
        if read:
            self.game, self._notes = read.game, list(read.notes)
            self._old_views |= self._views
            self._views = {read.look: read}
            self._old_sides, self._sides = self._sides, {}
            self._pictures = {place: data for place, data in self._pictures.items() if place[0] in self._old_sides}
        self.channel.send("changed", {"version": self.version, "at": self.saved_at})

    def _read(self) -> tuple[Snapshot | None, list[Problem]]:
        """The present state, or why it cannot be read."""
        try:
            with noting() as notes:
                game = load(self.source, self.table_look, self.trust_code, partial=True)
            return snapshot(game, Switches(), notes, self._before(Switches())), []
        except InputError as error:
            return None, list(error.problems)

    def _before(self, look: Switches) -> dict[str, PartView]:
        view = self._views.get(look) or self._old_views.get(look)
        return view.last_views() if view else {}

    async def current(self) -> Snapshot | None:
        """The last state that could be read; reads the game if that has not been tried."""
        async with self._first:
            if not self.version:
                await self.refresh()
        if self._task is None:
            self._task = asyncio.create_task(self._watch())
        return self.snapshot

    async def readable(self) -> Snapshot:
        """The last state that could be read. Raises InputError if there is none."""
        if (snapshot := await self.current()) is None:
            raise InputError(self.problems)
        return snapshot

    async def view(self, look: Switches) -> Snapshot | None:
        """The last state that could be read, with these switches."""
        await self.current()
        while self.game and look not in self._views:
            version = self.version
            view = await worker.call(snapshot, self.game, look, self._notes, self._before(look))
            if version == self.version:
                self._views[look] = view
        for views in (self._views, self._old_views):
            while len(views) > MAX_VIEWS:
                del views[next(other for other in views if other not in (look, Switches()))]
        return self._views.get(look)

    def draw_on(self, view: Snapshot, name: str) -> None:
        """Draws the rest of a state, beginning with this component, in the background; tells the pages of it."""
        drawn, task = self._drawing.get(view.look, (None, None))
        if view.waiting and (drawn is not view or task is None or task.done()):
            self._drawing[view.look] = view, asyncio.create_task(self._draw(view, name))

    async def _draw(self, view: Snapshot, name: str) -> None:
        await asyncio.sleep(PAUSE)
        told = time.monotonic()
        for each in dict.fromkeys([name, *view.waiting]):
            while not await worker.call(view.draw, each, seconds=SLICE):
                if view is not self._views.get(view.look):
                    return
                if time.monotonic() - told > 10 * SLICE:
                    told = time.monotonic()
                    self.channel.send("drawn", {"version": self.version})
        self.channel.send("drawn", {"version": self.version})

    def files(self) -> list[dict[str, Any]]:
        """The files and folders of the game, and the one that was saved last."""
        folders = [folder for folder in self.folders if folder.is_dir()]
        found = [file for folder in folders for file in sorted(folder.iterdir()) if self._matters(file)]
        return [
            {
                "name": file.name,
                "count": len([*islice(file.rglob("*.*"), MAX_COUNTED)]) if file.is_dir() else None,
                "saved": self.saved_at if self.saved and file in (self.saved, *self.saved.parents) else None,
            }
            for file in sorted(found, key=Path.is_dir)[:MAX_LISTED]
        ]

    def listing(self, view: Snapshot | None) -> NumberedProblems:
        """What is wrong now: why the game cannot be read, or else what its parts have wrong."""
        return NumberedProblems(self.problems or (view.found if view else ()))

    def remember(self, side: SideView, theme: Any = None) -> str:
        """Keeps a side so that its picture can be asked for until the game has changed twice; returns its key."""
        self._sides[side.key] = side, theme or (self.snapshot and self.snapshot.press.theme)
        return side.key

    async def picture(self, key: str, width: int) -> bytes:
        """The picture of a side as WebP; empty if no page can show it any more."""
        place = key, width
        if place in self._pictures:
            return self._pictures[place]
        known = self._sides.get(key) or self._old_sides.get(key)
        if place not in self._pending and known:
            self._pending[place] = asyncio.create_task(self._draw_picture(place, *known))
        return await asyncio.shield(self._pending[place]) if place in self._pending else b""

    async def _draw_picture(self, place: tuple[str, int], side: SideView, theme: Any) -> bytes:
        try:
            drawn = await worker.call(image, side, theme, place[1])
            options = {"lossless": True, "method": 0, "quality": 0}
            data = await asyncio.to_thread(encoded, drawn, "WEBP", **options)  # beside the next picture
        finally:
            del self._pending[place]
        self._pictures[place] = data
        while sum(map(len, self._pictures.values())) > MAX_PICTURES:
            del self._pictures[next(iter(self._pictures))]
        return data

    async def _watch(self) -> None:
        from watchfiles import awatch  # starts a thread

        async for changes in awatch(*self.folders, debounce=50, step=10, recursive=not is_table(Path(self.source))):
            files = [file for _, name in changes if self._matters(file := Path(name))]
            if not files:
                continue
            self.saved_at, self.saved = time.time(), files[-1]
            with suppress(OSError):  # it may be gone already
                written = self.saved.stat().st_mtime
                self.saved_at = written if 0 <= self.saved_at - written < JUST_SAVED else self.saved_at
            if any(file.suffix.lower() not in UNREAD for file in files):
                await worker.call(forget_files)
            await self.refresh(patient=True)

    def _matters(self, file: Path) -> bool:
        if any(part.startswith((".", "__")) for part in file.parts[len(self.folder.parts) :]):
            return False
        path = Path(self.source)
        return not is_table(path) or file.name == path.name or file.suffix.lower() in TABLE_FILES

    def close(self) -> None:
        """Stops watching."""
        for task in (*([self._task] if self._task else ()), *(task for _, task in self._drawing.values())):
            task.cancel()


def _game_at(path: Path) -> Path | None:
    """The folder of a game.yaml, or a table of cards; None if there is neither."""
    if path.name == "game.yaml" and paths.is_file(path):
        return path.parent
    return path if paths.is_file(path / "game.yaml") else table_at(path)


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
        self._scratch: TemporaryDirectory[str] | None = None

    def __iter__(self) -> Iterator[Project]:
        return iter(self._open.values())

    def open(self, source: str | Path) -> Project:
        """Opens a game, or returns it if it is open. Raises InputError if there is none."""
        found: str | Path | None = source if source in shipped() else _game_at(Path(source))
        if found is None:
            load(str(source))  # raises InputError with similar names
        project = Project(found or source, trust_code=self.trust_code)
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
        """Stops watching all games, and removes downloads that nobody fetched."""
        for project in self:
            project.close()
        if self._scratch:
            self._scratch.cleanup()

    def scratch(self) -> Path:
        """The folder for downloads until they are fetched."""
        self._scratch = self._scratch or TemporaryDirectory(prefix="pencilbox-")
        return Path(self._scratch.name)


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
