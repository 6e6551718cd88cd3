"""The numbers of the game, read from game.yaml, the rules of play on one player's sheet, and the points of a sheet.

`legal` lists the moves in a state, and `apply` gives the state after a move. A round begins when the dice are rolled
(`throw`) and ends with the move “end”. A state consists of tuples of small numbers, because simulations play thousands
of games. The places for a number are numbered: first the columns, then the fields of the reserve, dark fields first.

Filled-in sheets, simulated games and solo challenges all have a `Position`, which is scored.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple, TypeAlias

from msgspec import Struct

from ...expressions.functions import Box, longest, patches
from ...model.game import Game
from ...model.values import Empty
from ...rules.results import Part
from ...sheets import FilledSheet
from ..turns import counted, replaced

Option = Literal["rows", "snake", "blocks"]
DARK, LIGHT = "r", "x"
OPTIONS: tuple[Option, ...] = ("rows", "snake", "blocks")


# ---- the shapes of blocks -------------------------------------------------------------------------------------------

Boxes = frozenset[Box]
# The number of positions after which the search gives up; it takes well under a second.
MAX_POSITIONS = 200_000


class BlockShape(Struct, frozen=True):
    """A block shape: its points, its boxes in every orientation, moved to the bottom left corner or (`offsets`) seen
    from the leftmost box of the lowest row, and its `label` as printed."""

    name: str
    points: int
    orientations: frozenset[Boxes]
    offsets: tuple[tuple[Box, ...], ...]
    label: str = ""

    @property
    def size(self) -> int:
        return len(next(iter(self.orientations)))


def shape(
    name: str, points: int, drawn: tuple[str, ...], turned: bool = True, mirrored: bool = True, label: str = ""
) -> BlockShape:
    """A shape from its drawing with `#`, top row first. `turned` and `mirrored` say whether it may be."""
    boxes = frozenset(
        (column, -row) for row, line in enumerate(drawn) for column, sign in enumerate(line) if sign == "#"
    )
    ways = {boxes, frozenset((-column, row) for column, row in boxes)} if mirrored else {boxes}
    for _ in range(3 if turned else 0):
        ways |= {frozenset((row, -column) for column, row in way) for way in ways}
    orientations = frozenset(map(cornered, ways))
    offsets = [
        tuple((column - left, row - low) for column, row in way)
        for way in sorted(map(sorted, orientations))
        for left, low in [min(way, key=lambda box: box[::-1])]
    ]
    return BlockShape(name, points, orientations, tuple(offsets), label=label)


@lru_cache(1 << 12)
def cornered(boxes: Collection[Box]) -> Boxes:
    """The boxes moved to the bottom left corner."""
    left, low = min([column for column, _ in boxes]), min([row for _, row in boxes])
    return frozenset([(column - left, row - low) for column, row in boxes])


class BestBlocks(Struct, frozen=True):
    """The best blocks found, by shape, and their points; `exact` if no others can score more."""

    points: int
    blocks: tuple[tuple[str, Boxes], ...]
    exact: bool


def best_blocks(numbers: Mapping[Box, int], shapes: Iterable[BlockShape]) -> BestBlocks:
    """The blocks with the most points: each of one number, every shape at most once, no box in two blocks."""
    search = BlockSearch(numbers, tuple(sorted(shapes, key=lambda each: (-each.points, each.size, each.name))))
    search.visit(0, 0, 0, ())
    return BestBlocks(
        search.points,
        tuple(
            (search.shapes[shape].name, frozenset(box for box in numbers if mask & search.bit(box)))
            for mask, shape in search.blocks
        ),
        search.positions <= MAX_POSITIONS,
    )


class BlockSearch:
    """A depth-first branch and bound (https://en.wikipedia.org/wiki/Branch_and_bound). Goes through the boxes in order,
    row by row, and either covers each with a block that starts there or leaves it out.

    Sets of boxes and shapes are bits. Skips positions reached before with as many points, and positions from which the
    remaining shapes cannot beat the best result even if all of them fit."""

    def __init__(self, numbers: Mapping[Box, int], shapes: tuple[BlockShape, ...]) -> None:
        self.shapes = shapes
        widest = max([abs(column) for each in shapes for offsets in each.offsets for column, _ in offsets], default=0)
        self.stride = 1 + max([column for column, _ in numbers], default=0) + widest  # no block reaches the next row
        self.starts: dict[int, list[tuple[int, int]]] = {}
        self.useful = 0
        self.values = tuple([(shape.points, shape.size) for shape in shapes])
        masks, alike = _masks(shapes, self.stride), dict[int, int]()
        for box, number in numbers.items():
            alike[number] = alike.get(number, 0) | self.bit(box)
        for box, number in numbers.items():
            first, own = self.bit(box), alike[number]
            self.starts[first] = [(block, shape) for mask, shape in masks if (block := mask * first) & own == block]
            for block, _ in self.starts[first]:
                self.useful |= block
        self.points, self.positions = 0, 0
        self.blocks: tuple[tuple[int, int], ...] = ()
        self.seen: dict[tuple[int, int], int] = {}

    def bit(self, box: Box) -> int:
        return 1 << box[1] * self.stride + box[0]

    def visit(self, taken: int, used: int, points: int, blocks: tuple[tuple[int, int], ...]) -> None:
        """Visits a position: `taken` are the boxes covered or left out so far, `used` the shapes in `blocks`."""
        if points > self.points:
            self.points, self.blocks = points, blocks
        left = self.useful & ~taken
        if points + _most(self.values, used, left.bit_count()) <= self.points or self.positions > MAX_POSITIONS:
            return
        self.positions += 1
        if self.seen.get((left, used), -1) >= points:
            return
        self.seen[left, used] = points
        first = left & -left
        for mask, shape in self.starts[first]:
            if not mask & taken and not used >> shape & 1:
                self.visit(
                    taken | mask, used | 1 << shape, points + self.shapes[shape].points, (*blocks, (mask, shape))
                )
        self.visit(taken | first, used, points, blocks)


@lru_cache(16)
def _masks(shapes: tuple[BlockShape, ...], stride: int) -> list[tuple[int, int]]:
    """Every orientation of the shapes as bits, with its first box in the first place, and the index of the shape."""
    return [
        (sum(1 << row * stride + column for column, row in offsets), number)
        for number, shape in enumerate(shapes)
        for offsets in shape.offsets
    ]


@cache
def _most(values: tuple[tuple[int, int], ...], used: int, boxes: int) -> int:
    """The most points that the unused shapes can score with this many boxes. `values` has their points and sizes."""
    return max(
        [
            points + _most(values, used | 1 << number, boxes - size)
            for number, (points, size) in enumerate(values)
            if not used >> number & 1 and size <= boxes
        ],
        default=0,
    )


# ---- the game --------------------------------------------------------------------------------------------------------


class Numbers:
    """The `rules` of game.yaml, prepared for play. `columns` are letters, `rows` is their height; `named` are the boxes
    by their names (`a1` is the lowest box of the first column), row by row from the bottom. A box takes a number from
    `least` to `most`. The first `dark` of the `fields` of the reserve are always open, the event die opens the others.
    `after` maps a number to the one that makes a step above it."""

    def __init__(self, rules: Mapping[str, Any]) -> None:
        self.rules = rules
        low, high = map(int, str(rules["die"]).split("-"))
        self.die = range(low, high + 1)
        self.least, self.most = int(rules["least"]), int(rules["most"])
        self.columns, self.rows = tuple(map(str, rules["columns"])), int(rules["rows"])
        self.dark, self.light = int(rules["reserve"]), int(rules["extra_reserve"])
        self.after = {int(number): following for number, following in rules["sequences"]["next"].items()}
        self.events: tuple[str, ...] = tuple(dict.fromkeys(rules["event_die"]["faces"]))
        # The points of a step, of a row, of a box of the snake, and of a different number in a bonus row.
        self.points: dict[str, int] = {
            "step": rules["sequences"]["points"],
            "row": rules["rows_scoring"]["points"],
            "snake": rules["snake"]["points"],
            "bonus": rules["bonus_row"]["points"],
        }
        self.diagonal = rules["snake"]["neighbours"] == 8
        ways = rules["blocks"]["turned"], rules["blocks"]["mirrored"]
        self.shapes = tuple(
            shape(name, each["points"], each["boxes"], *ways, each.get("name", name))
            for name, each in rules["blocks"]["shapes"].items()
        )
        self.shape = {each.name: each for each in self.shapes}
        self.named: dict[str, Box] = {
            f"{letter}{row + 1}": (column, row)
            for row in range(self.rows)
            for column, letter in enumerate(self.columns)
        }
        # The fields of the reserve, dark ones first: their field ids, and their names in a log.
        self.fields = (
            *((f"reserve.{number}", f"{DARK}{number}") for number in range(1, self.dark + 1)),
            *((f"extra_reserve.{number}", f"{LIGHT}{number}") for number in range(1, self.light + 1)),
        )
        self.place_names = (*self.columns, *(name for _, name in self.fields))
        """The names of the places for a number (`a`, `r1`, `x2`), which are numbered: first the columns, then the
        fields of the reserve."""

    def shape_called(self, name: str, boxes: Collection[Box]) -> str:
        """The name of the shape that is typed as a name, as printed (with `-` between its words) or by its boxes alone;
        the typed name if there is none."""
        if not name and boxes:
            return next((each.name for each in self.shapes if cornered(tuple(boxes)) in each.orientations), name)
        return next((each.name for each in self.shapes if name == each.label.lower().replace(" ", "-")), name)

    def box_name(self, box: Box) -> str:
        return f"{self.columns[box[0]]}{box[1] + 1}"

    def place_number(self, name: str) -> int:
        """The number of a place by its name; −1 for any other name."""
        name = name[:1] + name[1:].lstrip("0")
        return self.place_names.index(name) if name in self.place_names else -1


_latest: Numbers | None = None


def numbers(game: Game) -> Numbers:
    """The numbers of a game. Those of the latest game are cached, because most sheets come from the same game."""
    global _latest
    if _latest is None or _latest.rules is not game.rules:
        _latest = Numbers(game.rules)
    return _latest


Sum: TypeAlias = tuple[tuple[int, ...], tuple[int, ...]]
"""The terms of a total: those added, and those subtracted."""

METEORITE = 0
NONE = -1
DROP, OUTLINE, ARROW, PLUS_OR_MINUS, MINUS_ONLY = (
    "meteorite",
    "extra-reserve",
    "bonus-row",
    "plus-or-minus",
    "minus-only",
)


class Move(NamedTuple):
    """A move of a player.

    - `drop` a meteorite into the column `place`, `outline` the light field `place`, mark the row `place` with an
      `arrow` (from 0, the lowest), or `skip` one of the last two;
    - `enter` a total at `place`: `plus` and `minus` are its terms, each the number on a die, or ~field for a number
      saved in a field;
    - `pass` with all remaining dice; `end` the round."""

    kind: str
    place: int = NONE
    plus: tuple[int, ...] = ()
    minus: tuple[int, ...] = ()


PASS, END, SKIP = Move("pass"), Move("end"), Move("skip")


class State(NamedTuple):
    """A sheet between two moves.

    `columns` from the bottom up; `reserve` by field: 0 is empty, a used number is negative. `opened` (light
    fields) and `arrows` are bits. `dice` are still to be used; `due` means that the effect of the event still has to be
    carried out; `thrown` is False between rounds. `rounds` have been played, and the game ends after `last` of them (0
    until a player passes)."""

    numbers: Numbers
    columns: tuple[tuple[int, ...], ...]
    reserve: tuple[int, ...]
    opened: int = 0
    arrows: int = 0
    dice: tuple[int, ...] = ()
    event: str = ""
    due: bool = False
    thrown: bool = False
    rounds: int = 0
    last: int = 0


def start(numbers: Numbers) -> State:
    """An empty sheet."""
    return State(numbers, ((),) * len(numbers.columns), (0,) * len(numbers.fields))


def throw(state: State, dice: Sequence[int], event: str = "") -> State:
    """The start of a round. An effect that is impossible is not due."""
    thrown = state._replace(dice=tuple(sorted(dice)), event=event, due=False, thrown=True)
    return thrown._replace(due=True) if event and effects(thrown) else thrown


def is_over(state: State) -> bool:
    return 0 < state.last <= state.rounds


def is_open(state: State, field: int) -> bool:
    """Whether the field may be used: all dark fields, and light ones that have been opened."""
    return field < state.numbers.dark or bool(state.opened >> field - state.numbers.dark & 1)


def free_places(state: State) -> list[int]:
    """Every place where a number can be entered: columns that are not full, and empty fields that may be used."""
    columns = len(state.columns)
    blank = [columns + field for field, number in enumerate(state.reserve) if not number and is_open(state, field)]
    return _free_columns(state) + blank


def _free_columns(state: State) -> list[int]:
    return [column for column, boxes in enumerate(state.columns) if len(boxes) < state.numbers.rows]


def row(state: State, row: int) -> list[int | None]:
    return [boxes[row] if row < len(boxes) else None for boxes in state.columns]


def is_step(state: State, column: int, result: int) -> bool:
    """Whether a number would be a step in the column."""
    boxes = state.columns[column]
    return bool(boxes) and state.numbers.after.get(boxes[-1]) == result


def saved(state: State) -> list[int]:
    """The numbers in the reserve that can be used, each as ~field."""
    return [~field for field, number in enumerate(state.reserve) if number > 0]


def total(state: State, plus: Sequence[int], minus: Sequence[int]) -> int:
    reserve, result = state.reserve, 0
    for source in plus:
        result += source if source > 0 else reserve[~source]
    for source in minus:
        result -= source if source > 0 else reserve[~source]
    return result


def is_enterable(numbers: Numbers, result: int) -> bool:
    """Whether a number may be entered in a box or field."""
    return numbers.least <= result <= numbers.most


def may_combine(event: str, plus: Sequence[int], minus: Sequence[int]) -> bool:
    """Whether the event allows combining numbers in this way: adding unless it is “minus only”, subtracting if it says
    so."""
    if minus and event not in (PLUS_OR_MINUS, MINUS_ONLY):
        return False
    return len(plus) == 1 or (len(plus) > 1 and event != MINUS_ONLY)


def legal(state: State) -> Sequence[Move]:
    """Every legal move; none between rounds and after the end."""
    if not state.thrown or is_over(state):
        return ()
    if state.due:
        return effects(state)
    totals, places = sums(state), free_places(state)
    if state.dice and not (totals and places):
        return (PASS,)
    entries = [Move("enter", place, *terms) for place in places for terms in totals]
    return entries if state.dice else [*entries, END]


def effects(state: State) -> tuple[Move, ...]:
    """The moves for the event, before any number is entered. A meteorite must be dropped; the others may be skipped."""
    if state.event == DROP:
        return tuple([Move("drop", column) for column in _free_columns(state)])
    if state.event == OUTLINE:
        return _left("outline", state.opened, state.numbers.light)
    return _left("arrow", state.arrows, state.numbers.rows) if state.event == ARROW else ()


@lru_cache(maxsize=1 << 10)
def _left(kind: str, done: int, many: int) -> tuple[Move, ...]:
    """A move for each of `many` marks that is not yet made, and a skip; none if all are made."""
    left = [Move(kind, number) for number in range(many) if not done >> number & 1]
    return (*left, SKIP) if left else ()


def sums(state: State) -> tuple[Sum, ...]:
    """Every total of dice and saved numbers, as terms added and subtracted. Dice with the same number are
    interchangeable."""
    usable = tuple(max(0, number) for number in state.reserve)
    return _sums(state.dice, usable, state.event, state.numbers.least, most=state.numbers.most)


@lru_cache(maxsize=1 << 14)
def _sums(dice: tuple[int, ...], reserve: tuple[int, ...], event: str, least: int, most: int) -> tuple[Sum, ...]:
    """Every total between `least` and `most`; 0 in `reserve` is a field without a usable number."""
    subtracts = event in (PLUS_OR_MINUS, MINUS_ONLY)
    sources = (*((die, die) for die in dice), *((~field, number) for field, number in enumerate(reserve) if number))
    results: dict[Sum, int] = {((), ()): 0}
    for source, value in sources:
        for (plus, minus), result in tuple(results.items()):
            if (subtracts or result + value <= most) and not (plus and event == MINUS_ONLY):
                results[(*plus, source), minus] = result + value
            if subtracts:
                results[plus, (*minus, source)] = result - value
    return tuple(way for way, result in results.items() if least <= result <= most and may_combine(event, *way))


def apply(state: State, move: Move) -> State:
    """The sheet after a move, which is not checked for being legal."""
    return _MOVES[move.kind](state, move)


def _entered(state: State, move: Move) -> State:
    result, dice, reserve = total(state, move.plus, move.minus), list(state.dice), list(state.reserve)
    for source in move.plus + move.minus:
        if source < 0:
            reserve[~source] = -abs(reserve[~source])
        elif source in dice:
            dice.remove(source)
    columns, field = state.columns, move.place - len(state.columns)
    if field < 0:
        columns = _on_top(columns, move.place, result)
    else:
        reserve[field] = result
    return state._replace(columns=columns, reserve=tuple(reserve), dice=tuple(dice))


def _on_top(columns: tuple[tuple[int, ...], ...], column: int, number: int) -> tuple[tuple[int, ...], ...]:
    return replaced(columns, column, (*columns[column], number))


# What each kind of move does.
_MOVES: Mapping[str, Callable[[State, Move], State]] = {
    "enter": _entered,
    "drop": lambda state, move: state._replace(columns=_on_top(state.columns, move.place, METEORITE), due=False),
    "outline": lambda state, move: state._replace(opened=state.opened | 1 << move.place, due=False),
    "arrow": lambda state, move: state._replace(arrows=state.arrows | 1 << move.place, due=False),
    "skip": lambda state, move: state._replace(due=False),
    "pass": lambda state, move: state._replace(
        dice=(), last=state.last or state.rounds + 1 + state.numbers.rules["end"]["rounds_more"]
    ),
    "end": lambda state, move: state._replace(dice=(), event="", due=False, thrown=False, rounds=state.rounds + 1),
}


BLANK, CLOSED, CROSSED, TYPED_METEORITE = ".", "-", "x", "o"


def typed(mark: int | None) -> str:
    """A mark as it is typed in the grid."""
    return "." if mark is None else TYPED_METEORITE if mark == METEORITE else str(mark)


def mark_of(text: object) -> int:
    """The number of a mark in the grid; METEORITE for `o`."""
    return METEORITE if text == TYPED_METEORITE else int(str(text))


def different(boxes: Iterable[int | None]) -> list[int]:
    """The different numbers in a row, in order."""
    return sorted({mark for mark in boxes if mark})


def is_one_number(numbers: Numbers, boxes: Sequence[int | None]) -> bool:
    """Whether a row scores: it is full and holds only one number."""
    return len(different(boxes)) == 1 and not (numbers.rules["rows_scoring"]["full"] and None in boxes)


def longest_snake(numbers: Numbers, numbered: Mapping[Box, int], least: int = 0) -> tuple[Box, ...]:
    """The boxes of a longest snake among boxes with their numbers; none if it has fewer than `least` boxes."""
    least = max(least, numbers.rules["snake"]["shortest"])
    alike = [[box for box, mark in numbered.items() if mark == number] for number in sorted({*numbered.values()})]
    if numbers.rules["snake"]["shape"] == "line":
        snakes = [longest(boxes, numbers.diagonal) for boxes in alike]
    else:
        snakes = [tuple(sorted(patch)) for boxes in alike for patch in patches(boxes, numbers.diagonal)]
    best = max(snakes, key=len, default=())
    return best if len(best) >= least else ()


Outlined: TypeAlias = tuple[str, Sequence[Box], bool]
"""A block on the grid: its shape, its boxes, and whether it scores."""


class Position:
    """A sheet. `marks` are those in the boxes that are not empty: numbers and meteorites. `arrows` are the rows with an
    arrow, from 0. `option` is None unless exactly one is ticked. Without a drawn snake or blocks, the snake is the
    longest one, and the blocks are the best ones of the `crossed_out` shapes. `reserve` has the mark in every field as
    it is typed: a number (`2`; `2x` if it is used), BLANK, CLOSED for a light field that is not open, or a
    meteorite. `filled` is the sheet itself, if a person
    filled it in."""

    filled: FilledSheet | None = None
    drawn_snake: Sequence[tuple[str, Box]] = ()
    option: Option | None = None
    event_die = False
    arrows: Sequence[int] = ()
    reserve: Mapping[str, str] = Empty
    crossed_out: Sequence[str] = ()

    def __init__(self, numbers: Numbers, marks: Mapping[Box, int]) -> None:
        self.numbers, self.marks = numbers, marks
        self.numbered = {box: mark for box, mark in marks.items() if mark != METEORITE}

    def column(self, column: int) -> list[int | None]:
        """The marks in a column from the bottom."""
        return [self.marks.get((column, row)) for row in range(self.numbers.rows)]

    def row(self, row: int) -> list[int | None]:
        return [self.marks.get((column, row)) for column in range(len(self.numbers.columns))]

    def steps(self, column: int) -> list[tuple[int, int]]:
        """The numbers of a column that are a step above the box below them, each after the number there."""
        after, pairs = self.numbers.after, pairwise(self.column(column))
        return [(below, above) for below, above in pairs if below and above and above == after.get(below)]

    @cached_property
    def counted_snake(self) -> tuple[Box, ...]:
        """The boxes of the snake that scores."""
        return longest_snake(self.numbers, self.numbered)

    @cached_property
    def fitting(self) -> BestBlocks:
        """The best way to outline crossed-out shapes together."""
        shapes = [self.numbers.shape[name] for name in self.crossed_out]
        return best_blocks(self.numbered if shapes else {}, shapes)

    @property
    def outlined(self) -> Sequence[Outlined]:
        """The blocks, in the order of the list."""
        return [(shape, sorted(boxes), True) for shape, boxes in self.fitting.blocks]

    def box_names(self, boxes: Iterable[Box]) -> str:
        return " ".join(map(self.numbers.box_name, boxes))


def position_of(state: State, option: Option | None, event_die: bool) -> Position:
    """The sheet in a state of play, as if the player had crossed out every shape."""
    numbers, marked = state.numbers, enumerate(state.columns)
    position = Position(numbers, {(column, row): mark for column, boxes in marked for row, mark in enumerate(boxes)})
    position.option, position.event_die = option, event_die
    position.arrows = [row for row in range(numbers.rows) if state.arrows >> row & 1]
    position.reserve = {
        name: f"{abs(number)}{CROSSED * (number < 0)}" if number else BLANK if is_open(state, field) else CLOSED
        for field, ((name, _), number) in enumerate(zip(numbers.fields, state.reserve, strict=True))
    }
    position.crossed_out = [shape.name for shape in numbers.shapes]
    return position


def score_parts(position: Position) -> dict[str, list[Part]]:
    """The parts of every line of the score by its label."""
    lines = {"columns": column_parts(position)}
    if position.option:
        lines[position.option] = _OPTION_PARTS[position.option](position)
    if position.event_die:
        lines["bonus"] = [_bonus_part(position, row) for row in position.arrows] or [Part("no row has an arrow", 0)]
    return lines


def score_lines(position: Position) -> dict[str, int]:
    """The points of every line of the score by its label."""
    return {label: sum([part.points for part in parts]) for label, parts in score_parts(position).items()}


def column_parts(position: Position) -> list[Part]:
    """The parts of the first line, one for each column."""
    parts = []
    for number, letter in enumerate(position.numbers.columns):
        steps = position.steps(number)
        named = ", ".join(f"{below}→{above}" for below, above in steps) or "no step"
        parts.append(Part(f"column {letter}: {named}", position.numbers.points["step"] * len(steps)))
    return parts


def _row_parts(position: Position) -> list[Part]:
    rows = [(number, position.row(number - 1)) for number in range(1, position.numbers.rows + 1)]
    parts = [
        Part(f"row {number}: {' '.join(map(typed, row))}", position.numbers.points["row"])
        for number, row in rows
        if is_one_number(position.numbers, row)
    ]
    return parts or [Part("no full row of one number", 0)]


def _snake_parts(position: Position) -> list[Part]:
    line, drawn, each = position.counted_snake, position.drawn_snake, position.numbers.points["snake"]
    if not line:
        return [Part("the line is not a snake" if drawn else "no two boxes with the same number touch", 0)]
    boxes, how = f"{len(line)} boxes of {position.numbered[line[0]]}", "as drawn" if drawn else "the longest possible"
    return [Part(f"{boxes}, {how}, {each} each: {position.box_names(line)}", each * len(line))]


def _block_parts(position: Position) -> list[Part]:
    parts = []
    for name, boxes, counts in position.outlined:
        named, points = f"{name} at {position.box_names(boxes)}", position.numbers.shape[name].points
        parts.append(Part(named, points) if counts else Part(f"{named}, which does not score", 0))
    return parts or [Part("no block is outlined", 0)]


_OPTION_PARTS = {"rows": _row_parts, "snake": _snake_parts, "blocks": _block_parts}


def _bonus_part(position: Position, row: int) -> Part:
    numbers = different(position.row(row))
    shown = f"{' '.join(map(str, numbers))}, {counted(len(numbers), 'different number')}" if numbers else "no number"
    return Part(f"row {row + 1}: {shown}", position.numbers.points["bonus"] * len(numbers))
