"""A player's filled-in sheet: its grid, reserve and arrows, its log, and the snake and blocks drawn on it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import Struct

from ...errors import InputError, Place, Problem, did_you_mean
from ...rules.book import Rule, Violation
from ...sheets import FilledSheet, Reading
from ..turns import listed
from .play import OPTIONS, Numbers, Option, numbers
from .position import BLANK, CLOSED, Outlined, Position, longest_snake, mark_of
from .replay import LoggedRound, UpwardsReplay, bare, round_problems, rules
from .shapes import Box, cornered, neighbours, patches

if TYPE_CHECKING:
    from .deal import ThrowStrip

_BETWEEN_NAMES = re.compile(r"[\s,;/>→–—-]+")
_BOX_NAME = re.compile(r"[a-z]+[0-9]+")


class BlockEntry(Struct, frozen=True, kw_only=True):
    """One entry of `blocks:`, an outlined block."""

    shape: str
    cells: tuple[str, ...]


class DrawnBlock(Struct, frozen=True):
    """An outlined block: the id of its entry, its shape, its boxes, and whether they form the shape, turned or
    mirrored. `unknown` are names of boxes that do not exist."""

    id: str
    shape: str
    boxes: tuple[Box, ...]
    formed: bool
    unknown: tuple[str, ...]


def names_in(texts: Iterable[str]) -> list[str]:
    """The names of boxes in texts."""
    return [name for text in texts for name in _BETWEEN_NAMES.split(text.lower()) if name]


def drawn_blocks(sheet: FilledSheet, numbers: Numbers) -> list[DrawnBlock]:
    """The entries of `blocks:` on the grid."""
    entries: tuple[BlockEntry, ...] = sheet.extra.get("blocks") or ()
    return [_drawn_block(numbers, f"blocks.{number}", entry) for number, entry in enumerate(entries, 1)]


def _drawn_block(numbers: Numbers, where: str, entry: BlockEntry) -> DrawnBlock:
    typed = names_in(entry.cells)
    named = [word for word in typed if word in numbers.named or _BOX_NAME.fullmatch(word)]
    words = [word for word in typed if word not in named]  # a name of several words, typed on one line with the boxes
    if entry.shape.lower() in numbers.named:  # boxes without a name
        named.insert(0, entry.shape.lower())
    else:
        words.insert(0, bare(entry.shape))
    boxes = tuple(numbers.named[box] for box in named if box in numbers.named)
    name = numbers.shape_called("-".join(words).replace(" ", "-"), boxes)
    is_shape = name in numbers.shape and len(boxes) == len({*boxes}) > 0
    formed = is_shape and cornered(boxes) in numbers.shape[name].orientations
    return DrawnBlock(where, name, boxes, formed, unknown=tuple(box for box in named if box not in numbers.named))


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Entries that make no sense: unknown boxes, shapes and fields, impossible numbers, unreadable text, and unknown
    strip codes."""
    settings = numbers(sheet.game)
    boxes = len(settings.named)
    for number, text in enumerate(sheet.extra.get("snake") or (), 1):
        unknown = [name for name in names_in([text]) if name not in settings.named]
        yield from _box_problems(settings, unknown, sheet.place_of(f"snake.{number}"))
    drawn = drawn_blocks(sheet, settings)
    if len(drawn) > boxes:
        yield Problem(f"there are {len(drawn)} blocks, more than the grid has boxes", sheet.place_of("blocks"))
    for block in drawn:
        place, count = sheet.place_of(block.id), len(block.boxes) + len(block.unknown)
        if block.shape not in settings.shape:
            yield Problem(f"there is no shape “{block.shape}”", place, did_you_mean(block.shape, settings.shape))
        if count > boxes:
            yield Problem(f"the block has {count} boxes, more than the grid", place)
        yield from _box_problems(settings, block.unknown, place)
    for played in sheet.extra.get("log") or ():
        yield from round_problems(settings, played)
    try:
        strip_of(sheet)
    except InputError as error:
        yield from (Problem(each.message, sheet.place_of("strip"), each.hint) for each in error.problems)


def _box_problems(numbers: Numbers, unknown: Iterable[str], place: Place) -> Iterator[Problem]:
    first, *_, last = numbers.named
    for name in unknown:
        yield Problem(f"there is no box “{name}” in the grid", place, f"{first} to {last}, row 1 at the bottom")


def strip_of(sheet: FilledSheet, targets: bool = False) -> ThrowStrip | None:
    """The throw strip with the code under `strip:`; None if there is no code."""
    code = sheet.codes.get("strip")
    if not code:
        return None
    from .deal import strip  # few sheets name a strip, and judging the others does not load dealing

    return strip(sheet.game, code, targets)


EXTRA: Mapping[str, object] = MappingProxyType(
    {"log": tuple[LoggedRound, ...], "snake": tuple[str, ...], "blocks": tuple[BlockEntry, ...]}
)
READING = Reading(extra=EXTRA, problems=problems)


class PlayerSheet(Position):
    """A filled-in sheet as the rules see it. `options` are the ticked scoring options."""

    filled: FilledSheet

    def __init__(self, filled: FilledSheet, numbers: Numbers) -> None:
        marks = filled.marks
        typed = ((box, marks.get(f"grid.{name}")) for name, box in numbers.named.items())
        super().__init__(numbers, {box: mark_of(mark) for box, mark in typed if mark is not None})
        self.filled = filled
        self.options: list[Option] = [option for option in OPTIONS if f"option.{option}" in marks]
        self.option = self.options[0] if len(self.options) == 1 else None
        self.event_die = filled.ticked("event_die")
        self.arrows = [number - 1 for number in filled.rows.get("bonus_rows", ())]
        self.log: tuple[LoggedRound, ...] = filled.extra.get("log") or ()
        self.reserve = {
            name: str(marks.get(name, BLANK if field < numbers.dark or name in filled.blanks else CLOSED))
            for field, (name, _) in enumerate(numbers.fields)
        }
        self.crossed_out = [name for name in numbers.shape if f"blocks.{name}" in marks]
        snake: tuple[str, ...] = filled.extra.get("snake") or ()
        self.drawn_snake = [
            (f"snake.{number}", numbers.named[name])  # `problems` has refused all other names
            for number, text in enumerate(snake, 1)
            for name in names_in([text])
        ]
        self.drawn_blocks = drawn_blocks(filled, numbers)

    @property
    def name(self) -> str:
        return self.filled.text("player") or "player 1"

    @cached_property
    def replay(self) -> UpwardsReplay | None:
        """The log, replayed; None without one."""
        return UpwardsReplay(self.numbers, self.log) if self.log else None

    def box_id(self, place: Box) -> str:
        return f"grid.{self.numbers.box_name(place)}"

    @cached_property
    def counted_snake(self) -> tuple[Box, ...]:
        """The boxes of the snake that scores: the drawn one if it is valid, or the longest possible one if none is
        drawn."""
        if not self.drawn_snake:
            return longest_snake(self.numbers, self.numbered)
        return () if any(self.snake_violations()) else tuple(place for _, place in self.drawn_snake)

    def snake_violations(self) -> Iterator[Violation]:
        """Why the drawn line is not a snake; only the first reason of each kind."""
        line, name, shortest = self.drawn_snake, self.numbers.box_name, self.numbers.rules["snake"]["shortest"]
        boxes = [place for _, place in line]
        yield from self._mixed_marks(boxes, "the snake", line[0][0], rules["snake-line"])
        if len({*boxes}) < len(boxes):
            where, place = next(entry for number, entry in enumerate(line) if entry[1] in boxes[:number])
            yield rules["snake-line"]((where, self.box_id(place)), f"the snake goes through {name(place)} twice")
        elif len(boxes) < shortest:
            fields = (line[0][0], *map(self.box_id, boxes))
            yield rules["snake-line"](fields, f"a snake needs at least {shortest} boxes")
        elif not self._is_connected(boxes):
            jumps = ((*landing, start) for (_, start), landing in pairwise(line))
            where, landing, start = next(
                (jump for jump in jumps if not self._is_connected(jump[1:])), (line[-1][0], boxes[-1], boxes[0])
            )
            yield rules["snake-line"](
                (where, self.box_id(start), self.box_id(landing)),
                f"the snake jumps from {name(start)} to {name(landing)}, which do not touch",
            )

    def _is_connected(self, boxes: Iterable[Box]) -> bool:
        """Whether each box touches the one before or, if the game says so, all boxes form one patch."""
        diagonal = self.numbers.diagonal
        if self.numbers.rules["snake"]["shape"] != "line":
            return len(patches([*boxes], diagonal)) == 1
        return all(after in neighbours(before, diagonal) for before, after in pairwise(boxes))

    def _mixed_marks(self, boxes: Iterable[Box], what: str, where: str, rule: Rule) -> Iterator[Violation]:
        """Boxes that do not all hold the same number: empty ones, meteorites, different numbers."""
        numbered, name = self.numbered, self.numbers.box_name
        unnumbered = next((place for place in boxes if place not in numbered), None)
        if unnumbered is not None:
            content = "holds a meteorite" if unnumbered in self.marks else "is empty"
            yield rule((where, self.box_id(unnumbered)), f"{what} includes {name(unnumbered)}, which {content}")
            return
        different = sorted({numbered[place] for place in boxes})
        if len(different) > 1:
            yield rule(
                (where, *map(self.box_id, boxes)),
                f"{what} holds {listed(list(map(str, different)))}, but must hold only one number",
            )

    @property
    def outlined(self) -> Sequence[Outlined]:
        """The outlined blocks or, if shapes are only crossed out in the list, those that fit into the grid together."""
        if not self.drawn_blocks:
            return super().outlined
        return [block for block, _ in self.checked_blocks]

    @cached_property
    def checked_blocks(self) -> list[tuple[Outlined, list[Violation]]]:
        """The outlined blocks in the order in which they are listed, and why they do not score. Of two blocks that
        cannot both score, the first one does."""
        checked: list[tuple[Outlined, list[Violation]]] = []
        for number, block in enumerate(self.drawn_blocks):
            violations = [*self._own_violations(block)]
            counts = not violations
            for other, (earlier, _) in zip(self.drawn_blocks[:number], checked, strict=True):
                conflicts = [*self._conflicts(block, other)]
                violations += conflicts
                counts = counts and not (conflicts and earlier[2])
            checked.append(((block.shape, block.boxes, counts), violations))
        return checked

    def _own_violations(self, block: DrawnBlock) -> Iterator[Violation]:
        if not block.formed:
            yield rules["block-shape"](
                (block.id, *map(self.box_id, block.boxes)),
                f"the boxes {self.box_names(block.boxes) or 'none'} do not form the shape {block.shape}, turned or "
                "mirrored",
            )
        yield from self._mixed_marks(block.boxes, f"the {block.shape}", block.id, rules["block-numbers"])

    def _conflicts(self, block: DrawnBlock, other: DrawnBlock) -> Iterator[Violation]:
        """Why a block cannot score beside an earlier one."""
        if block.shape == other.shape:
            yield rules["blocks-once"](
                (block.id, other.id), f"there is a second {block.shape}, but each shape scores only once"
            )
        shared = [place for place in block.boxes if place in other.boxes]
        if shared:
            yield rules["blocks-apart"](
                (block.id, other.id, *map(self.box_id, dict.fromkeys(shared))),
                f"the {block.shape} and the {other.shape} share {self.numbers.box_name(shared[0])}",
            )
