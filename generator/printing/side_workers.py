"""Draws the sides of a large deck with several processes: the same bytes, problems and notes as with one.

The others are copies of this process, so they have the game and the document already. Each draws chunks of consecutive
sides, writes their texts as operators, and sends both as bytes (`SideWriter`, `SideReader`). This process needs them in
order, to put them on pages. Whenever it would wait for a chunk, it draws a later one itself. It also draws what another
process has failed to draw, and what that cannot write because its copy of the document lacks something.
"""

from __future__ import annotations

import gc
import pickle
import signal
import sys
import threading
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import InputError, Problem, note, noting
from ..fast_dataclasses import dataclass
from ..geometry.frame import Frame
from ..layout.texts import Fixed, Lettered, Written
from ..pdf import Painter, SealedError

if TYPE_CHECKING:  # loads multiprocessing
    from multiprocessing.connection import Connection

FIRST_SIDES = 200
"""This process draws the first sides of a series before it is copied: then it has what nearly all of them share, and
knows how long they take."""
MIN_SECONDS, MIN_SIDE_SECONDS = 0.1, 60e-6
"""This process draws a series, or sides, that take less time than this: starting others takes 20 ms, and sending a side
10 to 20 µs, so that nothing is gained with sides of 50 µs."""
CHUNK = 128
"""The number of sides that a process draws at a time. Large decks are packed in blocks of as many cards."""
LOOK_AHEAD, MAX_WAITING = 2, 6
"""The maximum numbers of chunks for each other process that are given out at a time, and that wait to be taken."""
MAX_UNWRITTEN = 100
"""When others have failed to write this many sides, new copies of this process replace them. It has what they lacked,
because it has drawn those sides itself."""
MAX_SHARED = 20_000
"""The maximum number of blocks that are sent as numbers when they come again."""


class Drawn(NamedTuple):
    """A side that was drawn, or the problems that prevent it, and the notes about it."""

    frame: Frame | None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


class Series:
    """One side of the cards of a deck of this `length`. `find` finds the positions of the cards to draw among those
    from one position to another, and `draw` draws the side of the card at a position, or raises InputError."""

    def __init__(self, length: int, find: Callable[[int, int], Sequence[int]], draw: Callable[[int], Frame]) -> None:
        self.length, self.find, self.draw = length, find, draw

    def drawn(self, begin: int, end: int) -> Iterator[tuple[int, Drawn]]:
        """The sides of these cards, each with its position."""
        return ((position, self.drawn_at(position)) for position in self.find(begin, end))

    def drawn_at(self, position: int) -> Drawn:
        with noting() as notes:
            try:
                drawn = Drawn(self.draw(position))
            except InputError as error:
                drawn = Drawn(None, error.problems)
        return drawn._replace(notes=tuple(notes)) if notes else drawn


def can_be_copied() -> bool:
    """Whether this process can safely be copied: other threads would be missing in the copy, but not the locks that
    they hold. On macOS, libraries have threads of their own."""
    return sys.platform == "linux" and threading.active_count() == 1


class SideWorkers:
    """Draws with this number of processes, or with one for each core. The others start when a series takes long.
    `painter` writes the texts. `read` tells which files were read so far in this process, and `files` which others have
    read."""

    def __init__(
        self,
        number: int | None,
        series: Mapping[Hashable, Series],
        painter: Painter,
        read: Callable[[], frozenset[Path]] = frozenset,
    ) -> None:
        self.number = number
        self.series = series
        self.painter = painter
        self.read = read
        self.files: set[Path] = set()
        self.queues = {key: _Queue(self, key, each) for key, each in series.items()}
        self.others: list[Other] = []
        self.finishing: list[Other] = []

    def __enter__(self) -> SideWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        for other in (*self.others, *self.finishing):
            other.end()

    def take(self, key: Hashable, position: int) -> Drawn | None:
        """The side of the card at a position, which is further on in its series than the last one; None if nobody has
        drawn it."""
        return self.queues[key].take(position)

    def start(self) -> None:
        """Starts other processes, which know what this one knows now. Those before them finish what they have."""
        from ..workers import cores  # loads multiprocessing

        for other in self.others:
            other.finish()
        self.finishing, self.others = self.finishing + self.others, []
        if can_be_copied():
            with suppress(OSError):
                for _ in range((self.number or cores()) - 1):
                    self.others.append(Other(self))


@dataclass(slots=True, eq=False)
class _Chunk:
    """The sides of consecutive cards, by their positions, which are drawn here or by another process; None for one that
    could not be written there."""

    begin: int
    end: int
    other: Other | None = None
    sides: dict[int, Drawn | None] = field(default_factory=dict)

    def has_arrived(self, *, wait: bool = False) -> bool:
        """Whether no other process is drawing it any more."""
        while self.other and (wait or self.other.connection.poll()):
            self.other.receive()
        return not self.other


class _Queue:
    """The chunks of a series that wait to be taken."""

    def __init__(self, workers: SideWorkers, key: Hashable, series: Series) -> None:
        self.workers, self.key, self.series = workers, key, series
        self.first, self.seconds, self.is_shared = 0, 0.0, False
        self.chunks: deque[_Chunk] = deque()
        self.current = _Chunk(0, 0)
        self.assigned, self.unwritten = 0, 0

    def take(self, position: int) -> Drawn | None:
        drawn: Drawn | None = None
        if self.first < FIRST_SIDES:
            drawn = self._first_side(position)
        elif self.is_shared:
            while self.current.end <= position:
                self.current = self._next_chunk()
            drawn = self.current.sides.pop(position, None)
        for problem in drawn.notes if drawn else ():
            note(problem.message, problem.place, problem.hint)
        return drawn

    def _first_side(self, position: int) -> Drawn:
        """Draws one of the first sides. After the last, decides whether other processes draw as well."""
        start = process_time()
        drawn = self.series.drawn_at(position)
        if drawn.frame:
            self.workers.painter.written(drawn.frame)
        self.first += 1
        if self.first > FIRST_SIDES * 3 // 4:
            self.seconds += process_time() - start
        if self.first == FIRST_SIDES:
            self._decide(position + 1, self.seconds / (FIRST_SIDES - FIRST_SIDES * 3 // 4))
        return drawn

    def _decide(self, position: int, seconds: float) -> None:
        """Shares the sides from a position on if each of them takes long enough, and all of them: some cards have
        copies, which take no time."""
        left = (self.series.length - position) * FIRST_SIDES / position
        if seconds > MIN_SIDE_SECONDS and seconds * left > MIN_SECONDS:
            self.workers.start()
            self.is_shared, self.assigned = bool(self.workers.others), position

    def _next_chunk(self) -> _Chunk:
        self._assign()
        chunk = self.chunks.popleft() if self.chunks else self._chunk()
        limit = MAX_WAITING * len(self.workers.others)
        while not chunk.has_arrived() and self.assigned < self.series.length and len(self.chunks) < limit:
            later = self._chunk()
            later.sides.update(self.series.drawn(later.begin, later.end))
            self.chunks.append(later)
            self._assign()
        chunk.has_arrived(wait=True)
        self.unwritten += [*chunk.sides.values()].count(None)
        if self.unwritten > MAX_UNWRITTEN:
            self.unwritten = 0
            self.workers.start()
        return chunk

    def _chunk(self) -> _Chunk:
        begin = self.assigned
        self.assigned = min(begin + CHUNK - begin % CHUNK, self.series.length)
        return _Chunk(begin, self.assigned)

    def _assign(self) -> None:
        """Gives as many chunks to other processes as they have room for."""
        limit = MAX_WAITING * len(self.workers.others)
        for other in [*self.workers.others]:
            while self.assigned < self.series.length and len(self.chunks) < limit and other.has_room():
                self.chunks.append(self._chunk())
                other.give(self.key, self.chunks[-1])


class Other:
    """Another process, a copy of this one, and the chunks that it is drawing, in order."""

    def __init__(self, workers: SideWorkers) -> None:
        from multiprocessing import Pipe, get_context

        self.workers = workers
        self.chunks: deque[_Chunk] = deque()
        self.reader = SideReader()
        self.connection, there = Pipe()
        not_its_own = [self.connection, *(other.connection for other in (*workers.others, *workers.finishing))]
        self.process = get_context("fork").Process(target=_draw, args=(workers, there, not_its_own), daemon=True)
        mask = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])  # leaves Ctrl-C to this process
        try:
            self.process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            there.close()

    def has_room(self) -> bool:
        """Whether it should be given another chunk, because it may soon have nothing to do."""
        if self.chunks:
            self.chunks[-1].has_arrived()
        return len(self.chunks) < LOOK_AHEAD and self in self.workers.others

    def give(self, key: Hashable, chunk: _Chunk) -> None:
        with suppress(OSError):  # it was killed, as will be seen when the chunk is received
            self.connection.send((key, chunk.begin, chunk.end))
        chunk.other = self
        self.chunks.append(chunk)

    def receive(self) -> None:
        """Waits for the next chunk."""
        try:
            files, codes, *sides = pickle.loads(self.connection.recv_bytes())  # from a copy of this process
        except (EOFError, OSError):  # it was killed, or failed in a way in which this process will fail, too
            self.end()
            return
        if not self.workers.painter.add_codes(codes):
            self.end()
            return
        self.workers.files |= files
        chunk = self.chunks.popleft()
        chunk.other, chunk.sides = None, self.reader.read(*sides)

    def finish(self) -> None:
        """Lets it end after the chunks that it was given."""
        with suppress(OSError):
            self.connection.send(None)

    def end(self) -> None:
        """Ends it at once; what it has not drawn is drawn by this process."""
        self.process.kill()
        self.process.join()
        self.connection.close()
        for chunk in self.chunks:
            chunk.other = None
        self.chunks.clear()
        if self in self.workers.others:
            self.workers.others.remove(self)


# ---- in another process ---------------------------------------------------------------------------------------------


def _draw(workers: SideWorkers, connection: Connection, not_its_own: Iterable[Connection]) -> None:
    """Draws chunks until there are no more, or until nobody waits for them."""
    for other in not_its_own:  # otherwise that could not end
        other.close()
    gc.freeze()  # what a copy does not touch stays in memory that both processes share
    painter, read = workers.painter, workers.read()
    painter.seal()
    writer = SideWriter(painter)
    with suppress(Exception):
        while job := connection.recv():
            key, begin, end = job
            sides = writer.written(workers.series[key].drawn(begin, end))
            answer = workers.read() - read, painter.new_codes(), *sides
            connection.send_bytes(pickle.dumps(answer, pickle.HIGHEST_PROTOCOL))


# ---- sides as bytes -------------------------------------------------------------------------------------------------
# The frames of a deck have most blocks in common. Each is sent once, and then as its number.


class SideWriter:
    """Makes sides ready for a `SideReader`, which must read all of them in this order."""

    def __init__(self, painter: Painter) -> None:
        self.painter = painter
        self.numbers: dict[int, int] = {}
        self.shared: list[Fixed] = []  # also keeps these objects alive: the numbers are found by their identity
        self.new: list[Any] = []

    def written(self, sides: Iterable[tuple[int, Drawn]]) -> tuple[bool, list[Any], list[Any]]:
        """Whether numbers begin again, the blocks that get numbers, and the sides."""
        begins_again = len(self.shared) > MAX_SHARED
        if begins_again:
            self.numbers.clear()
            self.shared.clear()
        self.new = []
        return begins_again, self.new, [(position, self._side(side)) for position, side in sides]

    def _side(self, side: Drawn) -> tuple[Any, ...] | None:
        """A side for the reader; None if it cannot be written here."""
        frame = side.frame
        if not frame:
            return side
        try:
            written = self.painter.written(frame)
        except SealedError:
            return None
        if written is None:
            return side
        blocks = [
            self.numbers.get(id(block)) or self._number(block) if isinstance(block, Fixed) else _sent(block)
            for block in written
        ]
        return frame.name, frame.width, frame.height, blocks, frame.bleed, frame.safe, frame.cut, side.notes

    def _number(self, block: Fixed) -> int:
        """The number of a block that is sent for the first time. The first one is 1."""
        self.shared.append(block)
        self.new.append(block.items)
        number = self.numbers[id(block)] = len(self.shared)
        return number


def _sent(text: Any) -> str | tuple[str, Any]:
    """Texts as they are sent: most have no XObjects."""
    return tuple(text) if text.xobjects else text.code


class SideReader:
    """Reads what a `SideWriter` has written."""

    def __init__(self) -> None:
        self.shared: list[Fixed] = []

    def read(self, begins_again: bool, new: Iterable[Any], sides: Iterable[Any]) -> dict[int, Drawn | None]:
        if begins_again:
            self.shared.clear()
        self.shared += map(Fixed, new)
        return {position: self._side(side) for position, side in sides}

    def _side(self, side: Any) -> Drawn | None:
        if side is None or isinstance(side, Drawn):
            return side
        name, width, height, sent, bleed, safe, cut, notes = side
        blocks = [
            self.shared[block - 1]
            if isinstance(block, int)
            else Written(block)
            if isinstance(block, str)
            else Written(*block)
            for block in sent
        ]
        return Drawn(Frame(name, width, height, Lettered(blocks), bleed, safe, cut), (), notes)
