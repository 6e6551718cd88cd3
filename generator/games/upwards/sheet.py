"""A player's filled-in sheet: the grid, the reserve, the arrows, the snake and blocks, and the points."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, compress, pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from ...errors import InputError, Place, Problem, did_you_mean
from ...fast_dataclasses import dataclass
from ...lazy import cached_property, pattern
from ...rules.book import Rule, Violation
from ...rules.results import Line
from ...sheets import FilledSheet, Reading
from ..turns import listed
from . import blocks, rules, snake
from .numbers import OPTIONS, Numbers, Option, numbers
from .replay import Replay, Round, bare, round_problems
from .rows import NO_NUMBER, Column, Grid, rows_of
from .snake import Box

if TYPE_CHECKING:
    from .deal import Strip

_CLOSED, _CROSSED, _METEORITE = "-", "x", "o"
_OPTIONS = tuple((option, f"option.{option}") for option in OPTIONS)
_BETWEEN_NAMES = pattern(r"[\s,;/>→–—-]+")
_BOX_NAME = pattern(r"[a-z]+[0-9]+")
_MAX_CACHED_LENGTH = 40
"""The longest entry of `blocks:`, in letters, whose meaning is cached."""


# ---- snakes and blocks as typed --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class BlockEntry:
    """One entry of `blocks:`, an outlined block."""

    RECURS: ClassVar = True

    shape: str
    cells: tuple[str, ...]


class Outline(NamedTuple):
    """An outlined block: its shape, its boxes (also as `bits` of a plane), and whether they form the shape, turned or
    mirrored. `unknown` are names of boxes that do not exist."""

    shape: str
    boxes: tuple[Box, ...]
    bits: int
    formed: bool
    unknown: tuple[str, ...] = ()


def names_in(text: str) -> tuple[str, ...]:
    """The names of boxes in a text."""
    return tuple(filter(None, _BETWEEN_NAMES.split(text.lower())))


def outline(numbers: Numbers, entry: BlockEntry) -> Outline:
    """An entry of `blocks:` on the grid."""
    cells = " ".join(entry.cells)
    short = len(entry.shape) + len(cells) <= _MAX_CACHED_LENGTH
    return (_cached_outline if short else _outline)(numbers, entry.shape, cells)


def _outline(numbers: Numbers, shape: str, cells: str) -> Outline:
    typed = names_in(cells)
    named = tuple(word for word in typed if word in numbers.named or _BOX_NAME.fullmatch(word))
    words = [word for word in typed if word not in named]  # a name of several words, typed on one line with the boxes
    if shape.lower() in numbers.named:  # boxes without a name
        named = (shape.lower(), *named)
    else:
        words.insert(0, bare(shape))
    boxes = tuple(numbers.named[box] for box in named if box in numbers.named)
    name = numbers.shape_called("-".join(words).replace(" ", "-"), boxes)
    formed = (
        bool(boxes)
        and len({*boxes}) == len(boxes)
        and name in numbers.shape
        and (blocks.cornered(boxes) in numbers.shape[name].orientations)
    )
    wide = rows_of(numbers).wide
    bits = sum({1 << row * wide + column for column, row in boxes})
    return Outline(name, boxes, bits, formed, tuple(box for box in named if box not in numbers.named))


_cached_outline = lru_cache(1 << 12)(_outline)


class OutlinedBlock(NamedTuple):
    """A block on the grid: the id of its entry, its shape and boxes, its violations, and whether it scores."""

    id: str
    shape: str
    boxes: tuple[Box, ...]
    violations: tuple[Violation, ...]
    counts: bool


# ---- reading ---------------------------------------------------------------------------------------------------------


def problems(sheet: FilledSheet) -> Iterable[Problem]:
    """Entries that make no sense: unknown boxes, shapes and fields, impossible numbers, unreadable text, and unknown
    strip codes."""
    return _problems(sheet) if sheet.extra or sheet.codes else ()


def _problems(sheet: FilledSheet) -> Iterator[Problem]:
    settings = numbers(sheet.game)
    if sheet.extra:
        yield from _drawing_problems(sheet, settings)
    for played in sheet.extra.get("log") or ():
        yield from round_problems(settings, played)
    try:
        strip_of(sheet)
    except InputError as error:
        yield from (Problem(each.message, sheet.place_of("strip"), each.hint) for each in error.problems)


def _drawing_problems(sheet: FilledSheet, numbers: Numbers) -> Iterator[Problem]:
    """Boxes and shapes that do not exist."""
    snake = sheet.extra.get("snake") or ()
    if not numbers.named.keys() >= {*snake}:
        for number, text in enumerate(snake, 1):
            unknown = tuple(name for name in names_in(text) if name not in numbers.named)
            yield from _box_problems(numbers, unknown, sheet.place_of(f"snake.{number}"))
    entries = sheet.extra.get("blocks") or ()
    if len(entries) > len(numbers.boxes):
        yield Problem(f"there are {len(entries)} blocks, more than the grid has boxes", sheet.place_of("blocks"))
    for number, entry in enumerate(entries, 1):
        block = outline(numbers, entry)
        if not block.formed or block.unknown:
            yield from _block_problems(numbers, block, sheet.place_of(f"blocks.{number}"))


def _box_problems(numbers: Numbers, unknown: tuple[str, ...], place: Place) -> Iterator[Problem]:
    for name in unknown:
        yield Problem(
            f"there is no box “{name}” in the grid",
            place,
            f"{numbers.columns[0]}1 to {numbers.columns[-1]}{numbers.rows}, row 1 at the bottom",
        )


def _block_problems(numbers: Numbers, block: Outline, place: Place) -> Iterator[Problem]:
    if block.shape not in numbers.shape:
        yield Problem(f"there is no shape “{block.shape}”", place, did_you_mean(block.shape, numbers.shape))
    if (count := len(block.boxes) + len(block.unknown)) > len(numbers.boxes):
        yield Problem(f"the block has {count} boxes, more than the grid", place)
    yield from _box_problems(numbers, block.unknown, place)


def strip_of(sheet: FilledSheet, targets: bool = False) -> Strip | None:
    """The throw strip with the code under `strip:`; None if there is no code."""
    code = sheet.codes.get("strip")
    if not code:
        return None
    from .deal import strip  # few sheets name a strip, and judging the others does not load dealing

    return strip(sheet.game, code, targets)


EXTRA: Mapping[str, object] = MappingProxyType(
    {"log": tuple[Round, ...], "snake": tuple[str, ...], "blocks": tuple[BlockEntry, ...]}
)
GRIDS = frozenset({"grid", "reserve", "extra_reserve", "claimed.columns"})
READING = Reading(extra=EXTRA, problems=problems, grids=GRIDS)


# ---- the sheet -------------------------------------------------------------------------------------------------------


class SavedNumber(NamedTuple):
    """A field of the reserve as the sheet shows it: the number in it (0 if there is none), whether that is crossed out,
    whether the field may be used (a light one only if it is outlined), and whether it holds a meteorite."""

    id: str
    name: str
    number: int
    crossed: bool
    open: bool
    meteorite: bool = False

    @property
    def shown(self) -> str:
        if self.meteorite:
            return "a meteorite"
        if not self.open:
            return "not outlined"
        return f"{self.number}{_CROSSED if self.crossed else ''}" if self.number else "empty"


class PlayerSheet:
    """A filled-in sheet as the rules see it. A box is a column and a row, both from 0. `options` are the ticked scoring
    options; `option` is None unless exactly one is ticked. `arrows` are the rows with an arrow, from 0. `grid` holds
    the marks in the boxes, row by row from the bottom; `single` and `typed` are the marks as in the filled-in sheet."""

    def __init__(self, filled: FilledSheet, numbers: Numbers) -> None:
        self.filled, self.numbers, self.single, self.typed = filled, numbers, filled.single, filled.grids
        self.all_rows = rows_of(numbers)
        marks = self.single
        self.options: list[Option] = [option for option, name in _OPTIONS if name in marks]
        self.option: Option | None = self.options[0] if len(self.options) == 1 else None
        self.event_die = marks.get("event_die") is True
        self.arrows: Sequence[int] = [number - 1 for number in filled.rows.get("bonus_rows", ())]
        self.log: tuple[Round, ...] = filled.extra.get("log") or ()
        self.grid = self._grid()

    @property
    def name(self) -> str:
        return str(self.single.get("player") or "player 1")

    @cached_property
    def replay(self) -> Replay | None:
        """The log, replayed; None without one."""
        return Replay(self.numbers, self.log) if self.log else None

    # ---- the grid ---------------------------------------------------------------------------------------------------

    def _grid(self) -> Grid:
        typed = self.typed.get("grid")
        if typed:
            return self.all_rows.grid(typed[2][::-1])
        marks = map(self.filled.marks.get, self.numbers.box_ids)
        return self.all_rows.grid([*zip(*[marks] * len(self.numbers.columns), strict=True)])

    @property
    def _boxes(self) -> Column:
        """The marks in the boxes, in the order of `numbers.boxes`."""
        return tuple(chain.from_iterable([row.boxes for row in self.grid.rows]))

    @cached_property
    def columns(self) -> tuple[Column, ...]:
        """The marks in the boxes, column by column from the bottom."""
        marks, across = self._boxes, len(self.numbers.columns)
        return tuple([marks[column::across] for column in range(across)])

    @cached_property
    def marks(self) -> dict[Box, int]:
        """The marks in the boxes that are not empty."""
        return {place: mark for place, mark in zip(self.numbers.places, self._boxes, strict=True) if mark is not None}

    @cached_property
    def numbered(self) -> dict[Box, int]:
        """The boxes with a number."""
        marks = self._boxes
        return dict(zip(compress(self.numbers.places, marks), filter(None, marks), strict=True))

    @property
    def has_gaps(self) -> bool:
        """Whether a box is filled above an empty one."""
        return self.all_rows.has_gaps(self.grid.bits)

    @property
    def has_meteorites(self) -> bool:
        return self.all_rows.has_meteorites(self.grid.bits)

    def marks_in(self, boxes: Iterable[Box]) -> set[int | None]:
        """The different marks in these boxes."""
        rows = self.grid.rows
        return {rows[row].boxes[column] for column, row in boxes}

    def holds_one_number(self, block: Outline) -> bool:
        """Whether the boxes form the shape of the block and hold one number."""
        if not block.formed:
            return False
        column, row = block.boxes[0]
        number = self.grid.rows[row].boxes[column]
        return bool(number) and self.all_rows.hold(self.grid, number or 0, block.bits)

    def column(self, number: int) -> Column:
        return self.columns[number]

    def row(self, number: int) -> Column:
        return self.grid.rows[number].boxes

    def box_name(self, place: Box) -> str:
        return f"{self.numbers.columns[place[0]]}{place[1] + 1}"

    def box_id(self, place: Box) -> str:
        return f"grid.{self.box_name(place)}"

    # ---- the reserve ------------------------------------------------------------------------------------------------

    @cached_property
    def reserve(self) -> tuple[SavedNumber, ...]:
        """Every field of the reserve, dark fields first."""
        return (*(self._saved(*field, True) for field in self.numbers.dark_fields), *self.light)

    @cached_property
    def light(self) -> tuple[SavedNumber, ...]:
        """The light fields of the reserve."""
        return tuple([self._saved(*field, False) for field in self.numbers.light_fields])

    @property
    def touches_light(self) -> bool:
        """Whether anything is typed for a light field."""
        typed = self.typed.get("extra_reserve")
        if typed:
            return typed[2] != ((),)
        marks, blanks = self.single, self.filled.single_blanks
        return any([name in marks or name in blanks for name, _ in self.numbers.light_fields])

    @cached_property
    def saved_meteorites(self) -> list[str]:
        """The fields of the reserve with a meteorite in them."""
        typed = [self.typed[name][2][0] for name in ("reserve", "extra_reserve") if name in self.typed]
        if _METEORITE in chain(self.single.values(), *typed):
            return [field.id for field in self.reserve if field.meteorite]
        return []

    @property
    def needs_event_die(self) -> bool:
        """Whether anything is on the sheet that only comes from the event die."""
        return bool(self.arrows or self.log or self.saved_meteorites) or self.touches_light or self.has_meteorites

    def _saved(self, field: str, name: str, dark: bool) -> SavedNumber:
        mark = self.filled.marks.get(field)
        if mark is None:
            return SavedNumber(field, name, 0, False, dark or field in self.filled.blanks)
        if mark == _METEORITE:
            return SavedNumber(field, name, 0, False, True, meteorite=True)
        mark = str(mark)
        number = 0 if mark == _CLOSED else int(mark.rstrip(_CROSSED))
        return SavedNumber(field, name, number, mark.endswith(_CROSSED), dark or bool(number))

    # ---- the snake --------------------------------------------------------------------------------------------------

    @cached_property
    def drawn_snake(self) -> tuple[tuple[str, Box], ...]:
        """The boxes of the snake along its line, each with the id of its entry."""
        entries: tuple[str, ...] = self.filled.extra.get("snake") or ()
        named = self.numbers.named  # `problems` has refused all other names
        return tuple(
            [
                (f"snake.{number}", named[name])
                for number, typed in enumerate(entries, 1)
                for name in ((typed,) if typed in named else names_in(typed))
            ]
        )

    @cached_property
    def snake_violations(self) -> tuple[Violation, ...]:
        """Why the drawn line is not a snake."""
        return tuple(_snake_violations(self))

    @cached_property
    def counted_snake(self) -> tuple[Box, ...]:
        """The boxes of the snake that scores: the drawn one if it is valid, or the longest possible one if none is
        drawn."""
        if not self.drawn_snake:
            return self.longest_snake(self.numbers.snake_shortest)
        return () if self.snake_violations else tuple([place for _, place in self.drawn_snake])

    def longest_snake(self, least: int) -> tuple[Box, ...]:
        """The boxes of a longest possible snake; none if it has fewer than `least` boxes."""
        if not self.numbers.snake_line:
            patch = longest_snake(self.numbers, self.numbered)
            return patch if len(patch) >= least else ()
        rows = self.all_rows
        return snake.longest_of(
            rows.by_number(self.grid.bits), rows.wide, self.numbers.diagonal, max(least, self.numbers.snake_shortest)
        )

    def is_connected(self, boxes: tuple[Box, ...]) -> bool:
        """Whether each box touches the one before or, if the game says so, all boxes form one patch."""
        if not self.numbers.snake_line:
            return len(snake.patches(boxes, self.numbers.diagonal)) == 1
        diagonal = self.numbers.diagonal
        return all([after in snake.neighbours(before, diagonal) for before, after in pairwise(boxes)])

    # ---- blocks -----------------------------------------------------------------------------------------------------

    @cached_property
    def drawn_blocks(self) -> tuple[tuple[str, Outline], ...]:
        """The blocks as typed, each with the id of its entry."""
        entries: tuple[BlockEntry, ...] = self.filled.extra.get("blocks") or ()
        return tuple([(f"blocks.{number}", outline(self.numbers, entry)) for number, entry in enumerate(entries, 1)])

    @cached_property
    def outlined(self) -> list[OutlinedBlock]:
        """The outlined blocks, each with its violations."""
        return _outlined_blocks(self)

    @cached_property
    def crossed_out(self) -> list[str]:
        """The shapes crossed out in the list."""
        marks = self.single
        if self.numbers.shape_ids.isdisjoint(marks):
            return []
        return [name for name, field in self.numbers.shape_fields if field in marks]

    @cached_property
    def fitting(self) -> blocks.Best:
        """The best way to outline crossed-out shapes together."""
        return blocks.best(self.numbered, [shape for shape in self.numbers.shapes if shape.name in self.crossed_out])

    @property
    def counted_shapes(self) -> list[str]:
        """The shapes that score: the correctly outlined ones or, if shapes are only crossed out in the list, those that
        fit into the grid together."""
        if self.drawn_blocks:
            return [block.shape for block in self.outlined if block.counts]
        return [shape for shape, _ in self.fitting.blocks] if self.crossed_out else []

    # ---- points -----------------------------------------------------------------------------------------------------

    @cached_property
    def column_points(self) -> list[int]:
        points = self.numbers.step_points
        return [points * steps for steps in self.all_rows.steps(self.grid)]

    @cached_property
    def option_points(self) -> int:
        """The points of the ticked option; 0 unless exactly one is ticked."""
        if self.option == "rows":
            return self.numbers.row_points * sum([row.alike for row in self.grid.rows])
        if self.option == "snake":
            return self.numbers.snake_points * len(self.counted_snake)
        return sum(map(self.numbers.points, self.counted_shapes)) if self.option == "blocks" else 0

    @property
    def bonus_points(self) -> int:
        if not self.event_die:
            return 0
        rows = self.grid.rows
        return self.numbers.bonus_points * sum([rows[row].different for row in self.arrows])

    @cached_property
    def score_lines(self) -> tuple[Line, ...]:
        """A line for each kind of circle on paper: columns, scoring option, and bonus rows with the event die."""
        lines = [Line("columns", self.numbers.step_points * self.grid.steps.bit_count())]
        if self.option:
            lines.append(Line(self.option, self.option_points))
        if self.event_die:
            lines.append(Line("bonus", self.bonus_points))
        return tuple(lines)

    @property
    def total(self) -> int:
        return sum([line.points for line in self.score_lines])


def longest_snake(numbers: Numbers, numbered: Mapping[Box, int]) -> tuple[Box, ...]:
    """The boxes of a longest snake among boxes with their numbers; none if no two boxes with the same number touch."""
    if numbers.snake_line:
        return snake.longest_numbered(numbered, len(numbers.columns), numbers.diagonal, numbers.snake_shortest)
    patches = [
        sorted(patch)
        for number in sorted({*numbered.values()})
        for patch in snake.patches([box for box, mark in numbered.items() if mark == number], numbers.diagonal)
    ]
    best = max(patches, key=len, default=[])
    return tuple(best) if len(best) >= numbers.snake_shortest else ()


# ---- why a snake or a block does not score ---------------------------------------------------------------------------


def _snake_violations(sheet: PlayerSheet) -> Iterator[Violation]:
    """Why the drawn line is not a snake; only the first reason of each kind."""
    line = sheet.drawn_snake
    boxes = tuple(place for _, place in line)
    yield from _mixed_marks(sheet, boxes, "the snake", line[0][0], rules.SNAKE_LINE)
    if len({*boxes}) < len(boxes):
        where, place = next(entry for number, entry in enumerate(line) if entry[1] in boxes[:number])
        yield rules.SNAKE_LINE((where, sheet.box_id(place)), f"the snake goes through {sheet.box_name(place)} twice")
        return
    if len(boxes) < sheet.numbers.snake_shortest:
        yield rules.SNAKE_LINE(
            (line[0][0], *map(sheet.box_id, boxes)), f"a snake needs at least {sheet.numbers.snake_shortest} boxes"
        )
    elif not sheet.is_connected(boxes):
        where, start, landing = _first_jump(sheet, line)
        yield rules.SNAKE_LINE(
            (where, sheet.box_id(start), sheet.box_id(landing)),
            f"the snake jumps from {sheet.box_name(start)} to {sheet.box_name(landing)}, which do not touch",
        )


def _first_jump(sheet: PlayerSheet, line: tuple[tuple[str, Box], ...]) -> tuple[str, Box, Box]:
    """The first jump of the line: the id of the entry it jumps to, and both boxes."""
    for (_, start), (where, landing) in pairwise(line):
        if not sheet.is_connected((start, landing)):
            return where, start, landing
    return line[-1][0], line[0][1], line[-1][1]


def _mixed_marks(sheet: PlayerSheet, boxes: tuple[Box, ...], what: str, where: str, rule: Rule) -> Iterator[Violation]:
    """Boxes that do not all hold the same number: empty ones, meteorites, different numbers."""
    marks = sheet.marks_in(boxes)
    if len(marks) == 1 and marks.isdisjoint(NO_NUMBER):
        return
    unnumbered = next((place for place in boxes if place not in sheet.numbered), None)
    if unnumbered is not None:
        content = "holds a meteorite" if unnumbered in sheet.marks else "is empty"
        yield rule((where, sheet.box_id(unnumbered)), f"{what} includes {sheet.box_name(unnumbered)}, which {content}")
        return
    different = sorted({sheet.numbered[place] for place in boxes})
    if len(different) > 1:
        yield rule(
            (where, *map(sheet.box_id, boxes)),
            f"{what} holds {listed(list(map(str, different)))}, but must hold only one number",
        )


def _outlined_blocks(sheet: PlayerSheet) -> list[OutlinedBlock]:
    """The blocks in the order in which they are listed. Of two blocks that cannot both score, the first one does."""
    result: list[OutlinedBlock] = []
    taken, shapes = 0, set[str]()
    for where, block in sheet.drawn_blocks:
        found = () if sheet.holds_one_number(block) else tuple(_own_violations(sheet, block, where))
        counts = not found
        if taken & block.bits or block.shape in shapes:
            held = {*block.boxes}
            rivals = [other for other in result if block.shape == other.shape or not held.isdisjoint(other.boxes)]
            found += tuple([each for other in rivals for each in _violations_against(sheet, block, where, other)])
            counts = counts and not any([other.counts for other in rivals])
        result.append(OutlinedBlock(where, block.shape, block.boxes, found, counts))
        taken |= block.bits
        shapes.add(block.shape)
    return result


def _own_violations(sheet: PlayerSheet, block: Outline, where: str) -> Iterator[Violation]:
    shape, boxes = block.shape, block.boxes
    if not block.formed:
        named = " ".join(map(sheet.box_name, boxes)) or "none"
        yield rules.BLOCK_SHAPE(
            (where, *map(sheet.box_id, boxes)),
            f"the boxes {named} do not form the shape {shape}, turned or mirrored",
        )
    yield from _mixed_marks(sheet, boxes, f"the {shape}", where, rules.BLOCK_NUMBERS)


def _violations_against(sheet: PlayerSheet, block: Outline, where: str, other: OutlinedBlock) -> Iterator[Violation]:
    if block.shape == other.shape:
        yield rules.BLOCKS_ONCE((where, other.id), f"there is a second {block.shape}, but each shape scores only once")
    shared = [place for place in block.boxes if place in other.boxes]
    if shared:
        yield rules.BLOCKS_APART(
            (where, other.id, *map(sheet.box_id, dict.fromkeys(shared))),
            f"the {block.shape} and the {other.shape} share {sheet.box_name(shared[0])}",
        )
