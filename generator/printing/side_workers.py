"""Draws the sides of a large deck with several processes: the same frames, problems and notes as with one.

The others are copies of this process, so they have the game already. Each draws chunks of consecutive sides and sends
them as bytes (`SideWriter`, `SideReader`). This process needs them in order, to paint them. Whenever it would wait for
a chunk, it draws a later one itself, and it draws what another process has failed to draw.
"""

from __future__ import annotations

import pickle
import sys
import threading
from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from functools import cached_property, partial
from os import getpid
from pathlib import Path
from time import process_time
from typing import TYPE_CHECKING, Any, NamedTuple, cast

from ..errors import InputError, Problem, note, noting
from ..fast_dataclasses import dataclass
from ..geometry.frame import Frame
from ..geometry.outlines import IDENTITY
from ..layout.texts import Fixed, Lettered, Text, TextBox
from ..text.lines import Fitted
from ..text.words import Line, Plain, Span, Word

if TYPE_CHECKING:  # loads multiprocessing
    from ..workers import Processes

FIRST_SIDES = 200
"""This process draws the first sides of a series before it is copied: then it has what nearly all of them share, and
knows how long they take."""
MIN_SECONDS, MIN_SIDE_SECONDS = 0.3, 150e-6
"""This process draws a series, or sides, that take less time than this: starting others takes a tenth of a second, and
sending a side up to 50 µs."""
CHUNK = 100
"""The number of sides that a process draws at a time."""
LOOK_AHEAD, MAX_WAITING = 2, 6
"""The maximum numbers of chunks for each other process that are given out at a time, and that wait to be taken."""
CHECK_SECONDS = 1.0
"""How long to wait for a chunk before looking whether the other processes are still running."""
MAX_SHARED = 20_000
"""The maximum number of objects that are sent as numbers when they come again."""


class Drawn(NamedTuple):
    """A side that was drawn, or the problems that prevent it, and the notes about it."""

    frame: Frame | None
    problems: tuple[Problem, ...] = ()
    notes: tuple[Problem, ...] = ()


class Series:
    """One side of the cards of a deck. `find` finds the positions of the cards to draw, in their order, and `draw`
    draws the side of the card at a position, or raises InputError; `length` is that of the deck."""

    def __init__(self, length: int, find: Callable[[], Sequence[int]], draw: Callable[[int], Frame]) -> None:
        self.length, self.find, self.draw = length, find, draw

    @cached_property
    def positions(self) -> Sequence[int]:
        return self.find()

    def drawn(self, begin: int, end: int) -> Iterator[Drawn]:
        return map(self.drawn_at, self.positions[begin:end])

    def drawn_at(self, position: int) -> Drawn:
        with noting() as notes:
            try:
                drawn = Drawn(self.draw(position))
            except InputError as error:
                drawn = Drawn(None, error.problems)
        return drawn._replace(notes=tuple(notes)) if notes else drawn


class Answer(NamedTuple):
    """What another process has drawn: its number, the sides, and the files that it has read so far."""

    process: int
    sides: bytes
    files: frozenset[Path]


def can_be_copied() -> bool:
    """Whether this process can safely be copied: other threads would be missing in the copy, but not the locks that
    they hold. On macOS, libraries have threads of their own."""
    return sys.platform == "linux" and threading.active_count() == 1


class SideWorkers:
    """Draws with this number of processes, or with one for each core. The others start when a series takes long.
    `read` tells which files were read so far in this process, and `files` which others have read."""

    def __init__(
        self, number: int | None, series: Mapping[Hashable, Series], read: Callable[[], frozenset[Path]] = frozenset
    ) -> None:
        self.number = number
        self.series = series
        self.read = read
        self.files: set[Path] = set()
        self.queues = {key: _Queue(self, key, each) for key, each in series.items()}
        self.processes: Processes | None = None
        self.others = 0
        self.lost = False

    def __enter__(self) -> SideWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        if self.processes:
            self.processes.executor.shutdown(wait=True, cancel_futures=True)

    def take(self, key: Hashable, position: int) -> Drawn | None:
        """The side of the card at a position, if it is the next of a series; None if nobody has drawn it."""
        return self.queues[key].take(position)

    def start(self) -> None:
        """Starts the other processes, unless they are running, or cannot."""
        if self.processes or self.lost:
            return
        from ..workers import Processes, ProcessExecutor, cores  # loads multiprocessing

        self.others = (self.number or cores()) - 1
        self.lost = not (self.others and can_be_copied())
        if not self.lost:
            with suppress(OSError, NotImplementedError, ImportError):  # a system without semaphores
                self.processes = Processes(ProcessExecutor(self.others, partial(_begin, self.series, self.read)))

    def submit(self, key: Hashable, begin: int, end: int) -> Future[Answer] | None:
        """Gives a chunk to another process; None if there is none."""
        try:
            return self.processes.executor.submit(_draw_chunk, key, begin, end) if self.processes else None
        except (OSError, RuntimeError):  # no process can be started, or one was killed
            self._end()
            return None

    def result(self, future: Future[Answer]) -> Answer | None:
        """What another process has drawn, when it is finished; None if it was killed, or failed in a way in which this
        one will fail, too."""
        try:
            while self.processes and not wait([future], CHECK_SECONDS).done:
                self.processes.check()
            return future.result(0)
        except Exception:
            if self.processes and not self.processes.executor.is_complete():
                self._end()
            return None

    def _end(self) -> None:
        if self.processes:
            self.processes.executor.end()
            self.processes.executor.shutdown(wait=True, cancel_futures=True)
        self.processes, self.lost = None, True


@dataclass(slots=True, eq=False)
class _Chunk:
    """Consecutive sides that another process draws (`future`), or this one has `drawn`."""

    begin: int
    end: int
    future: Future[Answer] | None = None
    drawn: list[Drawn] | None = None


class _Queue:
    """The chunks of a series that wait to be taken."""

    def __init__(self, workers: SideWorkers, key: Hashable, series: Series) -> None:
        self.workers, self.key, self.series = workers, key, series
        self.chunks: deque[_Chunk] = deque()
        self.first, self.seconds, self.is_shared = 0, 0.0, False
        self.taken, self.assigned = 0, 0
        self.current: Iterator[Drawn] = iter(())
        self.readers: dict[int, SideReader] = {}

    def take(self, position: int) -> Drawn | None:
        if self.first < FIRST_SIDES:
            drawn = self._first_side(position)
        elif not self.is_shared or self.taken == self.length or self.series.positions[self.taken] != position:
            return None
        else:
            self.taken += 1
            drawn = next(self.current, None) or self._begin_chunk()
        for problem in drawn.notes:
            note(problem.message, problem.place, problem.hint)
        return drawn

    @property
    def length(self) -> int:
        return len(self.series.positions)

    def _first_side(self, position: int) -> Drawn:
        """Draws one of the first sides. After the last, decides whether other processes draw as well."""
        start = process_time()
        drawn = self.series.drawn_at(position)
        self.first += 1
        if self.first > FIRST_SIDES * 3 // 4:
            self.seconds += process_time() - start
        if self.first == FIRST_SIDES:
            seconds = self.seconds / (FIRST_SIDES - FIRST_SIDES * 3 // 4)
            if seconds > MIN_SIDE_SECONDS and seconds * (self.series.length - position) > MIN_SECONDS:
                self.workers.start()
            self.is_shared = self.workers.processes is not None and seconds > MIN_SIDE_SECONDS
        if self.is_shared:
            self.taken = self.assigned = bisect_right(self.series.positions, position)
        return drawn

    def _begin_chunk(self) -> Drawn:
        self.current = iter(self._next_chunk())
        return next(self.current)

    def _next_chunk(self) -> Iterable[Drawn]:
        self._assign()
        chunk = self.chunks.popleft() if self.chunks else self._chunk()
        if chunk.future is None:
            return chunk.drawn or self.series.drawn(chunk.begin, chunk.end)
        limit = MAX_WAITING * self.workers.others
        while not chunk.future.done() and self.assigned < self.length and len(self.chunks) < limit:
            later = self._chunk()
            later.drawn = [*self.series.drawn(later.begin, later.end)]
            self.chunks.append(later)
            self._assign()
        result = self.workers.result(chunk.future)
        if result is None:
            return self.series.drawn(chunk.begin, chunk.end)
        self.workers.files |= result.files
        return self.readers.setdefault(result.process, SideReader()).read(result.sides)

    def _chunk(self) -> _Chunk:
        begin = self.assigned
        self.assigned = min(begin + CHUNK, self.length)
        return _Chunk(begin, self.assigned)

    def _assign(self) -> None:
        """Gives as many chunks to other processes as they have room for."""
        count = self.workers.others
        given = sum(chunk.future is not None and not chunk.future.done() for chunk in self.chunks)
        free = min(LOOK_AHEAD * count - given, MAX_WAITING * count - len(self.chunks))
        while free > 0 and self.assigned < self.length:
            begin, free = self.assigned, free - 1
            future = self.workers.submit(self.key, begin, min(begin + CHUNK, self.length))
            if future is None:
                return
            chunk = self._chunk()
            chunk.future = future
            self.chunks.append(chunk)


# ---- in another process ---------------------------------------------------------------------------------------------


class Copy:
    """What a copy of this process does."""

    def __init__(self, series: Mapping[Hashable, Series], read: Callable[[], frozenset[Path]] = frozenset) -> None:
        self.series = series
        self.read = read
        self.writers = {key: SideWriter() for key in series}

    def chunk(self, key: Hashable, begin: int, end: int) -> bytes:
        """Some sides of a series."""
        return self.writers[key].written(self.series[key].drawn(begin, end))


_copies: list[Copy] = []


def _begin(series: Mapping[Hashable, Series], read: Callable[[], frozenset[Path]]) -> None:
    _copies[:] = [Copy(series, read)]


def _draw_chunk(key: Hashable, begin: int, end: int) -> Answer:
    """Some sides of a series."""
    copy = _copies[0]
    return Answer(getpid(), copy.chunk(key, begin, end), copy.read())


# ---- frames as bytes ------------------------------------------------------------------------------------------------
# The frames of a deck have most blocks, text boxes and words in common. Each is sent once, and then as its number.


class SideWriter:
    """Writes sides for a `SideReader`, which must read all of them in this order."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}
        self.shared: list[object] = []  # also keeps these objects alive: the numbers are found by their identity
        self.new: list[tuple[int, Any]] = []

    def written(self, sides: Iterable[Drawn]) -> bytes:
        begins_again = len(self.shared) > MAX_SHARED
        if begins_again:
            self.numbers.clear()
            self.shared.clear()
        self.new = []
        return pickle.dumps((begins_again, self.new, [*map(self._side, sides)]), pickle.HIGHEST_PROTOCOL)

    def _side(self, side: Drawn) -> tuple[Any, ...]:
        frame = side.frame
        if frame is None or not isinstance(frame.items, Lettered):
            return side
        blocks, texts = frame.items.blocks, []
        numbers = [*map(self.numbers.get, map(id, blocks))]
        if None in numbers:
            for place, block in enumerate(blocks):
                if numbers[place] is not None:
                    continue
                if isinstance(block, Fixed):
                    numbers[place] = self._number(block, _FIXED, block.items)
                elif block.written is not None:
                    numbers[place] = self._number(block, _TEXT, self._text(block))
                else:
                    numbers[place] = 0
                    texts.append((place, self._text(block)))
        return frame.name, frame.width, frame.height, numbers, texts, frame.bleed, frame.safe, frame.cut, side.notes

    def _text(self, text: Text) -> tuple[Any, ...]:
        fitted, lines, last = text.fitted, list[Any](), None
        for line, begin, end in fitted.lines:
            content = None if line is last else tuple(line) if isinstance(line, Plain) else self._words(line)
            lines.append((content, begin, end))
            last = line
        return self._box(text.box), fitted.size, lines, fitted.across, text.written

    def _words(self, line: tuple[Word, ...]) -> list[int]:
        numbers = [*map(self.numbers.get, map(id, line))]
        if None in numbers:
            return [
                self._number(word, _WHOLE, word) if (number := self.numbers.get(id(word))) is None else number
                for word in line
            ]
        return cast("list[int]", numbers)

    def _box(self, box: TextBox) -> int:
        number = self.numbers.get(id(box))
        if number is None:
            style = self.numbers.get(id(box.style))
            if style is None:
                style = self._number(box.style, _WHOLE, box.style)
            matrix = None if box.matrix is IDENTITY else box.matrix
            number = self._number(box, _BOX, (style, box.inside, box.turn, matrix))
        return number

    def _number(self, shared: object, kind: int, content: Any) -> int:
        """The number of an object that is sent for the first time."""
        number = self.numbers[id(shared)] = len(self.shared)
        self.shared.append(shared)
        self.new.append((kind, content))
        return number


class SideReader:
    """Reads what a `SideWriter` has written."""

    def __init__(self) -> None:
        self.shared: list[Any] = []

    def read(self, data: bytes) -> list[Drawn]:
        begins_again, new, sides = pickle.loads(data)  # from a copy of this process
        if begins_again:
            self.shared.clear()
        for kind, content in new:
            self.shared.append(_READ[kind](self.shared, content))
        return [*map(self._side, sides)]

    def _side(self, side: tuple[Any, ...]) -> Drawn:
        if isinstance(side, Drawn):
            return side
        name, width, height, numbers, texts, bleed, safe, cut, notes = side
        blocks = [*map(self.shared.__getitem__, numbers)]
        for place, text in texts:
            blocks[place] = _text(self.shared, text)
        return Drawn(Frame(name, width, height, Lettered(blocks), bleed, safe, cut), (), notes)


def _text(shared: Sequence[Any], content: tuple[Any, ...]) -> Text:
    box, size, numbered, across, written = content
    spans, line = list[Span](), cast(Line, ())
    for line_content, begin, end in numbered:
        if line_content.__class__ is tuple:
            line = Plain(*line_content)
        elif line_content is not None:
            line = tuple([*map(shared.__getitem__, line_content)])
        spans.append((line, begin, end))
    return Text(shared[box], Fitted(size, spans, across), written)


def _box(shared: Sequence[Any], content: tuple[Any, ...]) -> TextBox:
    style, inside, turn, matrix = content
    return TextBox(shared[style], inside, turn, matrix or IDENTITY)


_WHOLE, _FIXED, _TEXT, _BOX = range(4)
_READ: tuple[Callable[[Sequence[Any], Any], Any], ...] = (
    lambda _, content: content,
    lambda _, items: Fixed(items),
    _text,
    _box,
)
