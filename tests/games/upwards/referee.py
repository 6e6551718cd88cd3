"""A second, slow and simple implementation of the rulebook. It shares no code with the judge.

It takes a sheet as plain data, the way `playing` writes it: `complaints` holds its log against the rules and against
the sheet, and gives (number of the round, or 0 for the sheet itself, what is wrong), only the first one about the log;
`points` counts it.
"""

import re
from itertools import combinations, product

COLUMNS = "abcd"
ROWS = 8
DARK = ["r1", "r2", "r3", "r4", "r5"]
LIGHT = ["x1", "x2", "x3"]


class Complaint(Exception):  # noqa: N818
    pass


class Paper:
    def __init__(self, event_die):
        self.event_die = event_die
        self.columns = {letter: [] for letter in COLUMNS}
        self.saved = {}  # field → number
        self.crossed = set()
        self.outlined = set()
        self.arrows = set()
        self.pass_round = None

    def room(self, target):
        if target in COLUMNS:
            return len(self.columns[target]) < ROWS
        return target not in self.saved and (target in DARK or target in self.outlined)

    def any_room(self):
        return any(self.room(target) for target in [*COLUMNS, *DARK, *LIGHT])

    def play(self, number, entry):
        if self.pass_round is not None and number > self.pass_round + 1:
            raise Complaint("the game was over")
        event = entry.get("event")
        if (event is None) == self.event_die:
            raise Complaint("an event in every round with the event die, and in no other")
        self.effect(entry, event)
        dice = list(entry["dice"])
        meteorites = numbers = 0
        for text in entry.get("entries", []):
            target, formula = text.replace(" ", "").split("=")
            if formula == "o":
                meteorites += 1
                self.meteorite(target, event, first=not numbers and meteorites == 1)
            else:
                numbers += 1
                self.enter(target, formula, event, dice)
        if event == "meteorite" and not meteorites and self.had_room:
            raise Complaint("no meteorite")
        self.finish(number, dice, entry.get("passed", []))

    def effect(self, entry, event):
        self.had_room = any(len(boxes) < ROWS for boxes in self.columns.values())
        for key, needed, done in (("outline", "extra-reserve", self.outlined), ("row", "bonus-row", self.arrows)):
            if key in entry:
                if event != needed or entry[key] in done:
                    raise Complaint(f"{key} out of place")
                done.add(entry[key])

    def meteorite(self, target, event, first):
        if event != "meteorite" or not first or target not in COLUMNS or not self.room(target):
            raise Complaint("the meteorite does not belong there")
        self.columns[target].append("o")

    def enter(self, target, formula, event, dice):
        terms = re.findall(r"([+-]?)(\w+)", formula)
        values = []
        for sign, source in terms:
            values.append((-1 if sign == "-" else 1) * self.take(source, dice))
        added = sum(value > 0 for value in values)
        if added < len(values) and event not in ("plus-or-minus", "minus-only"):
            raise Complaint("no minus in this round")
        if added > 1 and event == "minus-only":
            raise Complaint("no plus in this round")
        if not 1 <= sum(values) <= 6:
            raise Complaint("1 to 6")
        if not self.room(target):
            raise Complaint("no room")
        if target in COLUMNS:
            self.columns[target].append(str(sum(values)))
        else:
            self.saved[target] = sum(values)

    def take(self, source, dice):
        if source.isdigit():
            if int(source) not in dice:
                raise Complaint("not that die")
            dice.remove(int(source))
            return int(source)
        if source not in self.saved or source in self.crossed:
            raise Complaint("nothing saved there")
        self.crossed.add(source)
        return self.saved[source]

    def finish(self, number, dice, passed):
        if sorted(dice) != sorted(passed):
            raise Complaint("not every die is used once")
        if passed:
            if self.any_room():
                raise Complaint("no reason to pass")
            self.pass_round = self.pass_round or number

    def as_typed(self):
        grid = [
            " ".join(boxes[row] if row < len(boxes) else "." for boxes in self.columns.values())
            for row in range(ROWS - 1, -1, -1)
        ]

        def field(name):
            if name in self.saved:
                return str(self.saved[name]) + ("x" if name in self.crossed else "")
            return "." if name in DARK or name in self.outlined else "-"

        return {
            "grid": grid,
            "reserve": [field(name) for name in DARK],
            "extra_reserve": [field(name) for name in LIGHT],
            "bonus_rows": sorted(self.arrows),
        }


def complaints(sheet):
    paper = Paper(sheet["event_die"])
    for number, entry in enumerate(sheet["log"], 1):
        try:
            paper.play(number, entry)
        except Complaint as complaint:
            return [(number, str(complaint))]
    typed = paper.as_typed()
    return [(0, f"another {key}") for key in typed if typed[key] != sheet[key]]


# ---- points ---------------------------------------------------------------------------------------------------------


def boxes_of(sheet):
    """{(column, row): mark}, both from 0, for the boxes that are filled."""
    rows = [row.split() for row in reversed(sheet["grid"])]
    return {(column, row): mark for row, marks in enumerate(rows) for column, mark in enumerate(marks) if mark != "."}


def points(sheet):
    """The score lines, the option without its drawing: the longest snake; no blocks."""
    boxes = boxes_of(sheet)
    lines = {"columns": sum(column_points(boxes, column) for column in range(4))}
    if sheet["option"] == "rows":
        lines["rows"] = sum(row_points(boxes, row) for row in range(ROWS))
    if sheet["option"] == "snake":
        lines["snake"] = 3 * longest_snake(boxes)
    if sheet["event_die"]:
        lines["bonus"] = sum(bonus_points(boxes, row - 1) for row in sheet["bonus_rows"])
    return lines


def column_points(boxes, column):
    return sum(
        boxes.get((column, row)) + boxes.get((column, row + 1)) in ("12", "23", "34", "45", "56", "61")
        for row in range(ROWS - 1)
        if (column, row) in boxes and (column, row + 1) in boxes
    )


def row_points(boxes, row):
    marks = [boxes.get((column, row)) for column in range(4)]
    numbers = {mark for mark in marks if mark not in (None, "o")}
    return 5 if None not in marks and len(numbers) == 1 else 0


def bonus_points(boxes, row):
    return len({boxes.get((column, row), "o") for column in range(4)} - {"o"})


def longest_snake(boxes):
    """Tries every line from every box."""

    def beside(place):
        column, row = place
        return [
            (column + x, row + y)
            for x, y in product((-1, 0, 1), repeat=2)
            if (x, y) != (0, 0) and boxes.get((column + x, row + y)) == boxes[place]
        ]

    def onward(line):
        return max([len(line), *(onward([*line, place]) for place in beside(line[-1]) if place not in line)])

    longest = max((onward([place]) for place, mark in boxes.items() if mark != "o"), default=0)
    return longest if longest > 1 else 0


SHAPES = {
    "line-3": (4, "XXX"),
    "corner-3": (4, "XX/X."),
    "line-4": (5, "XXXX"),
    "square": (5, "XX/XX"),
    "t": (5, "XXX/.X."),
    "l": (5, "XXX/X.."),
    "z": (5, "XX./.XX"),
    "p": (6, "XX/XX/X."),
    "u": (6, "X.X/XXX"),
}


def lies_as(shape):
    """Every orientation of a shape, as frozen sets of boxes whose lowest column and row are 0."""
    rows = SHAPES[shape][1].split("/")
    drawn = [(x, y) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign == "X"]
    ways = set()
    for swap, flip_x, flip_y in product((False, True), repeat=3):
        turned = [(y, x) if swap else (x, y) for x, y in drawn]
        turned = [(-x if flip_x else x, -y if flip_y else y) for x, y in turned]
        left, low = min(x for x, _ in turned), min(y for _, y in turned)
        ways.add(frozenset((x - left, y - low) for x, y in turned))
    return ways


def blocks_in(boxes):
    """Every possible block: (shape, its boxes)."""
    return [
        (shape, frozenset(block))
        for shape in SHAPES
        for way in lies_as(shape)
        for left, low in product(range(4), range(ROWS))
        for block in [[(left + x, low + y) for x, y in way]]
        if len({boxes.get(place, "o") for place in block}) == 1 and boxes.get(block[0], "o") != "o"
    ]


def best_blocks(boxes):
    """The most points of blocks that do not overlap, by brute force."""
    candidates = blocks_in(boxes)
    best = 0
    for count in range(1, len(SHAPES) + 1):
        fitting = [
            chosen
            for chosen in combinations(candidates, count)
            if len({shape for shape, _ in chosen}) == count
            and sum(len(block) for _, block in chosen) == len(frozenset().union(*(b for _, b in chosen)))
        ]
        if not fitting:
            break
        best = max(best, *(sum(SHAPES[shape][0] for shape, _ in chosen) for chosen in fitting))
    return best
