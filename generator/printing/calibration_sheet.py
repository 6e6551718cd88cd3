"""The two pages of a calibration sheet: where its scales are. The template `calibration` draws it.

Each of the four spots near the corners has two scales, one along each edge: eight in all, numbered clockwise. A scale
is a comb with its pointer. The lines of the comb on the front are farther apart than those on the back by 0.1 mm, so
that a line of one comb continues a line of the other at one place only, as on a vernier: its letter is the offset to
0.1 mm, but not how many times the distance of the lines to add. That is what the pointer on the back says, which points
at a scale in millimetres on the front. An answer, such as `B7`, is the letter of the comb and the number of the scale.

The edges are cut through the lines on the back and folded to the front, so that both combs are seen side by side.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import degrees, floor
from typing import Any

from msgspec import Struct

from .. import paths, pdf
from ..errors import InputError, Problem, collecting, fault, refuse, shortened
from ..faces import Templates, build
from ..geometry.frame import Page, Placed
from ..geometry.outlines import IDENTITY, Matrix, multiplied
from ..layout.place import place
from ..model.game import Theme
from ..reading.sizes import Paper
from ..reading.theme import theme
from .printers import MODE_WORDS, Shift, page_size

SPOTS = ("top left", "top right", "bottom right", "bottom left")
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ"
"""The letters of a comb, without I and O, which look like numbers."""
STEP = 0.1
"""The difference of the distances between lines on the front and on the back, in mm: the precision of a reading."""
NUMBERS = range(1, 10)
MIDDLE_NUMBER = 5
"""The numbers of the millimetre scale, and the one that means no offset."""
RANGE = 4.5
"""The largest offset that can be read, in mm."""
MIN_SIDE = 180.0
"""The shortest side of a paper with room for the sheet."""

INSET, CUT, FOLD = 0.8, 4.0, 11.0
"""The lines on the back begin `INSET` mm from the edge of what can be printed; from there to the cut and to the fold.
The flap that is folded over is short, so that a slightly crooked fold changes no reading."""
FRONT_LINE = 12.0
"""The length of a line on the front, which begins at the fold. The flap covers half of it."""
_CORNER = 3.0
_LABELS = 5.0
_BETWEEN = 6.0  # between a comb and its millimetre scale


class Pitch(Struct, frozen=True):
    """The distance of the lines of a comb on the front and on the back, and the letters of the lines on the front.
    These are enough for every offset to have a letter, with two to spare for backs that are scaled."""

    front: float
    back: float
    letters: str = LETTERS

    @property
    def middle(self) -> int:
        """The index of the letter that means no offset."""
        return len(self.letters) // 2

    @property
    def around(self) -> int:
        """How many lines the back needs on either side of those with letters."""
        return floor(RANGE / self.back + 0.5)

    @property
    def width(self) -> float:
        """The width of the lines on the back."""
        return (len(self.letters) - 1 + 2 * self.around) * self.back


PITCHES = (Pitch(2.3, 2.2), Pitch(2.0, 1.9))
"""From the most legible one to the one for narrow papers."""


class Scale(Struct, frozen=True):
    """A comb with its millimetre scale along an edge of the sheet. `comb` and `pointer` are where the middle letter and
    the middle number are along that edge, in mm on the front of the page."""

    number: int
    edge: str
    spot: str
    pitch: Pitch
    comb: float
    pointer: float

    @property
    def across(self) -> bool:
        """Whether it measures an offset across the page, rather than down."""
        return self.edge in ("top", "bottom")

    def front_lines(self) -> Iterator[tuple[str, float]]:
        """Each letter and where its line is."""
        for index, letter in enumerate(self.pitch.letters):
            yield letter, self.comb + (index - self.pitch.middle) * self.pitch.front

    def back_lines(self) -> Iterator[float]:
        """Where the lines on the back are if nothing is shifted."""
        first, last = -self.pitch.middle - self.pitch.around, len(self.pitch.letters) - self.pitch.middle
        yield from (self.comb + index * self.pitch.back for index in range(first, last + self.pitch.around))

    def numbers(self) -> Iterator[tuple[int, float]]:
        """Each number of the millimetre scale and where its line is."""
        yield from ((number, self.pointer + number - MIDDLE_NUMBER) for number in NUMBERS)


class CalibrationSheet(Struct, frozen=True):
    """The calibration sheet for a paper and mode: the size of its pages, and its scales. `start` is how far from the
    edge of the paper the lines on the back begin."""

    paper: Paper
    mode: str
    width: float
    height: float
    start: float
    scales: tuple[Scale, ...]

    @property
    def cut(self) -> float:
        return self.start + CUT

    @property
    def fold(self) -> float:
        return self.start + FOLD

    @property
    def inside(self) -> float:
        """How far from the edge the area within the scales begins."""
        return self.fold + FRONT_LINE + _LABELS

    def point(self, scale: Scale, along: float, away: float) -> tuple[float, float]:
        """The point of the page at a place along the edge of a scale, this far from the edge."""
        return {
            "top": (along, away),
            "right": (self.width - away, along),
            "bottom": (along, self.height - away),
            "left": (away, along),
        }[scale.edge]


def sheet(paper: Paper, mode: str) -> CalibrationSheet:
    """The calibration sheet for a paper; raises InputError if the paper is too small."""
    if min(paper.width, paper.height) < MIN_SIDE:
        raise fault(
            f"{paper.name} is too small for the calibration sheet",
            hint=f"both sides must be at least {MIN_SIDE:g} mm; print cards on larger paper, such as a4 or letter",
        )
    width, height = page_size(paper, mode)
    start = paper.margin + INSET
    return CalibrationSheet(paper, mode, width, height=height, start=start, scales=tuple(_scales(width, height, start)))


def _scales(width: float, height: float, start: float) -> Iterator[Scale]:
    """The scales, clockwise from the left one at the top. Those along the shorter edges may use the corners."""
    corner, inside = start + FOLD + _CORNER, start + FOLD + FRONT_LINE + _LABELS + _CORNER
    across, down = (corner, inside) if width <= height else (inside, corner)
    number = 0
    for edge, length, free, ends in (
        ("top", width, across, (0, 1)),
        ("right", height, down, (1, 2)),
        ("bottom", width, across, (2, 3)),
        ("left", height, down, (3, 0)),
    ):
        pitch = next((pitch for pitch in PITCHES if 2 * (free + _length(pitch)) <= length), PITCHES[-1])
        for spot in ends:
            number += 1
            low = SPOTS[spot].endswith("left") if edge in ("top", "bottom") else SPOTS[spot].startswith("top")
            first = free + (pitch.middle + pitch.around) * pitch.back
            last = length - free - (len(pitch.letters) - 1 - pitch.middle + pitch.around) * pitch.back
            beside = _BETWEEN + RANGE - 0.5
            comb = first if low else last
            pointer = free + pitch.width + beside if low else length - free - pitch.width - beside
            yield Scale(number, edge, SPOTS[spot], pitch=pitch, comb=comb, pointer=pointer)


def _length(pitch: Pitch) -> float:
    """The length of a comb with its millimetre scale."""
    return pitch.width + _BETWEEN + len(NUMBERS)


POINTER = 0.5
"""The width of a pointer, in mm. The lines of a comb are thinner."""
_EXAMPLE = 6  # the offset in the example, in tenths of a millimetre


class Wording(Struct, frozen=True):
    """What is different from sheet to sheet: the command that takes the readings, the printer (“” for any), and whether
    its correction is applied, to be checked."""

    command: str
    printer: str = ""
    check: bool = False


def sheet_pdf(sheet: CalibrationSheet, wording: Wording, backs: Matrix | None = None) -> bytes:
    """The sheet as a PDF, with its back moved by the matrix that corrects a printer."""
    theme_ = theme(paths.SHARED_DATA, "theme.yaml")
    info = pdf.Info(title="Check sheet" if wording.check else "Calibration sheet")
    duplex = "long" if sheet.mode == "long" else "short"
    return pdf.write(pages(sheet, theme_, wording), theme_, info=info, duplex=duplex, backs=backs or IDENTITY)


def pages(sheet: CalibrationSheet, theme: Theme, wording: Wording) -> list[Page]:
    """The front and the back of the sheet."""
    templates, name = Templates((), theme), sheet.paper.name
    context = {
        "width": sheet.width,
        "height": sheet.height,
        "start": sheet.start,
        "cut": sheet.cut,
        "fold": sheet.fold,
        "inside": sheet.inside + 1,
        "scales": [_plain(scale) for scale in sheet.scales],
        "paper_name": name.upper() if len(name) == 2 else name.capitalize(),
        "mode": MODE_WORDS[sheet.mode],
        "command": wording.command,
        "printer": wording.printer,
        "check": wording.check,
        "perfect_label": _label_of(sheet.scales[0].pitch, 0),
        "example_shift": _EXAMPLE,
        "example_label": (label := _label_of(sheet.scales[0].pitch, _EXAMPLE)),
        "example_number": int(label[1]),
    }
    drawn = []
    for side, turned in (("front", ""), ("back", "down" if sheet.mode == "short" else "across")):
        variables = {**context, "turned": turned}
        face = build(templates, "calibration", variables, name=side, size=(sheet.width, sheet.height))
        placed = Placed(place(face, theme), 0.0, 0.0)
        drawn.append(Page(sheet.width, sheet.height, (placed,), label=side, back=bool(turned)))
    return drawn


def _plain(scale: Scale) -> dict[str, Any]:
    """A scale for the template; its `badge` with its number is between its comb and its pointer."""
    return {
        "number": scale.number,
        "edge": scale.edge,
        "pitch": scale.pitch.front,
        "letters": list(scale.front_lines()),
        "numbers": list(scale.numbers()),
        "back": list(scale.back_lines()),
        "pointer": scale.pointer,
        "badge": scale.pointer + (8 if scale.comb > scale.pointer else -8),
    }


def _label_of(pitch: Pitch, shift: int) -> str:
    """The label that a back shifted by this many tenths of a millimetre reads."""
    return f"{pitch.letters[pitch.middle + shift]}{MIDDLE_NUMBER + round(shift * STEP)}"


# ---- from the readings of a sheet to the shift of the backs
#
# Eight readings say how far the back is shifted in one direction at one place. Five numbers follow from them by least
# squares (an offset across and down, an angle, a scale across and down), so readings that contradict each other show.


PASSED = 0.1
"""A check sheet is right if every reading is within this of 0, in mm."""
RULER = 100.0
MIN_RULER, MAX_RULER = 99.5, 100.5
"""A ruler outside these was not printed at 100%."""
_READABLE_RULER = 50.0, 150.0
_COUNT = 8
_APART = 0.85  # how far the pointer and the comb may disagree, in mm: the pointer is read to the nearest half
# How far a reading may be off, in mm, before it contradicts the others: one line of the comb, and a little for the
# fold.
_NOISE = 0.16
# One reading is the wrong one if without it the others agree, and this much better than without any other.
_CLEARLY = 0.6
_LABEL = re.compile(r"([A-Z])([A-Z]?)([0-9])|([0-9])([A-Z])([A-Z]?)")


class ScaleReading(Struct, frozen=True):
    """What was read at a scale: by how much the back is shifted along its edge, and the place (x, y) where the lines
    met, in mm from the middle of the page."""

    scale: Scale
    label: str
    offset: float
    x: float
    y: float


def read(label: str, scale: Scale, sheet: CalibrationSheet) -> ScaleReading:
    """The reading that a label such as `B7` or, between two lines, `BC7` stands for. Raises InputError for what is not
    a label of this scale."""
    letters, number = _parts(label, scale)
    pitch = scale.pitch
    line = _line(label, letters, scale)
    coarse = float(number - MIDDLE_NUMBER)
    fine = (line - pitch.middle) * STEP
    period = pitch.back
    turns = round((coarse - fine) / period)
    offset = fine + turns * period
    if abs(offset - coarse) > _APART:
        near = ", ".join(str(other) for other in NUMBERS if _fits(line, other, scale))
        raise fault(
            f"scale {scale.number}: {_shown(label)} is not possible, letter and number do not belong together",
            hint=f"read both again: with {letters} the pointer is near {near}",
        )
    x, y = sheet.point(scale, scale.comb + (line - pitch.middle) * pitch.front - offset, sheet.cut)
    return ScaleReading(scale, label, offset, x=x - sheet.width / 2, y=y - sheet.height / 2)


def _fits(line: float, number: int, scale: Scale) -> bool:
    away = (number - MIDDLE_NUMBER - (line - scale.pitch.middle) * STEP) / scale.pitch.back
    return abs(away - round(away)) * scale.pitch.back <= 0.5


def _parts(label: str, scale: Scale) -> tuple[str, int]:
    match = _LABEL.fullmatch("".join(label.split()).upper())
    if not match:
        raise fault(
            f"scale {scale.number}: “{shortened(label)}” is not a label",
            hint="type the letter of the comb and the number of the pointer, such as N5",
        )
    letters = (match[1] or match[5]) + (match[2] or match[6] or "")
    number = int(match[3] or match[4])
    problems = []
    wrong = [letter for letter in letters if letter not in scale.pitch.letters]
    if wrong:
        last = scale.pitch.letters[-1]
        hint = "the sheet has no I and no O" if wrong[0] in "IO" else f"its letters are A to {last}"
        problems.append(Problem(f"scale {scale.number}: there is no line {wrong[0]}", hint=hint))
    if number not in NUMBERS:
        hint = (
            f"its numbers are {NUMBERS[0]} to {NUMBERS[-1]}; if the pointer is outside them, the back is off by more "
            "than 4 mm: check the paper size and that the guides of the tray touch the paper, and print the sheet again"
        )
        problems.append(Problem(f"scale {scale.number}: there is no number {number}", hint=hint))
    refuse(problems)
    return letters, number


def _line(label: str, letters: str, scale: Scale) -> float:
    """The index of a line, or between two that are next to each other."""
    indexes = [scale.pitch.letters.index(letter) for letter in letters]
    if len(indexes) == 2 and abs(indexes[1] - indexes[0]) != 1:
        raise fault(
            f"scale {scale.number}: {_shown(label)} names two lines that are not next to each other",
            hint="type two letters only for neighbouring lines that meet equally well; of lines far apart, take one",
        )
    return sum(indexes) / len(indexes)


def _shown(label: str) -> str:
    return shortened("".join(label.split()).upper(), 8)


def read_all(labels: Sequence[str], sheet: CalibrationSheet) -> list[ScaleReading]:
    """The readings of all scales, in order. Raises InputError with every problem, and if readings are missing."""
    if len(labels) != _COUNT:
        missing = [f"{scale.number} ({scale.spot}, {scale.edge} edge)" for scale in sheet.scales[len(labels) :]]
        if missing:
            raise fault(
                f"{len(labels)} of {_COUNT} readings: those of {', '.join(missing)} are missing",
                hint="give the readings of scales 1 to 8 in order",
            )
        raise fault(f"{len(labels)} readings, but the sheet has {_COUNT} scales")
    readings: list[ScaleReading] = []
    problems: list[Problem] = []
    for label, scale in zip(labels, sheet.scales, strict=True):
        with collecting(problems):
            readings.append(read(label, scale, sheet))
    refuse(problems)
    return readings


class ContradictionError(InputError):
    """Readings that cannot all be right, and the numbers of the scales to read again."""

    def __init__(self, numbers: Sequence[int], worst: float) -> None:
        self.numbers = tuple(numbers)
        *first, last = map(str, numbers)
        names = f"scales {', '.join(first)} and {last}" if first else f"scale {last}"
        super().__init__(
            [
                Problem(
                    f"the readings contradict each other by {2 * worst:.1f} mm",
                    hint=f"read {names} again; if the reading is the same, fold the edge again, exactly along the "
                    "dashed line",
                )
            ]
        )


def shift_of(readings: Sequence[ScaleReading]) -> Shift:
    """The shift that fits the readings best. Raises ContradictionError if they do not fit each other."""
    solution = _solved(readings)
    worst = _worst(readings, solution)
    if worst > _NOISE:
        raise ContradictionError(_suspects(readings), worst)
    across, down, turn, stretch_x, stretch_y = solution
    return Shift(across, down, degrees(turn), scale_x=1 + stretch_x, scale_y=1 + stretch_y)


def after(before: Shift, rest: Shift, sheet: CalibrationSheet) -> Shift:
    """The shift of a printer whose sheet, corrected for the shift `before`, still reads `rest`."""
    size = sheet.width, sheet.height
    return Shift.of(multiplied(rest.matrix(*size), before.matrix(*size)), *size)


def _suspects(readings: Sequence[ScaleReading]) -> list[int]:
    """The scales without which the other readings agree: those that explain it best, or all if none does."""
    without = []
    for number in range(len(readings)):
        others = [*readings[:number], *readings[number + 1 :]]
        without.append((_worst(others, _solved(others)), readings[number].scale.number))
    best = min(without)[0]
    if best <= _NOISE:
        return [number for worst, number in without if worst <= max(best / _CLEARLY, best + STEP / 4)]
    for pair in combinations(range(len(readings)), 2):
        others = [reading for number, reading in enumerate(readings) if number not in pair]
        if _worst(others, _solved(others)) <= _NOISE / 2:
            return [readings[number].scale.number for number in pair]
    return [reading.scale.number for reading in readings]


def _worst(readings: Sequence[ScaleReading], solution: Sequence[float]) -> float:
    return max(
        abs(reading.offset - sum(a * b for a, b in zip(_row(reading), solution, strict=True))) for reading in readings
    )


def _row(reading: ScaleReading) -> tuple[float, float, float, float, float]:
    """How the offset of a reading depends on the offset across and down, the angle, and the scale across and down."""
    return (1.0, 0.0, -reading.y, reading.x, 0.0) if reading.scale.across else (0.0, 1.0, reading.x, 0.0, reading.y)


def _solved(readings: Sequence[ScaleReading]) -> list[float]:
    """Least squares by the normal equations, solved by elimination. Lengths are in units of 100 mm meanwhile."""
    size = 5
    scale = (1.0, 1.0, RULER, RULER, RULER)
    rows = [[a / b for a, b in zip(_row(reading), scale, strict=True)] for reading in readings]
    table = [
        [
            *(sum(row[i] * row[j] for row in rows) + (1e-9 if i == j else 0.0) for j in range(size)),
            sum(row[i] * reading.offset for row, reading in zip(rows, readings, strict=True)),
        ]
        for i in range(size)
    ]
    for i in range(size):
        pivot = max(range(i, size), key=lambda line: abs(table[line][i]))
        table[i], table[pivot] = table[pivot], table[i]
        for line in range(size):
            if line != i:
                factor = table[line][i] / table[i][i]
                table[line] = [a - factor * b for a, b in zip(table[line], table[i], strict=True)]
    return [table[i][size] / table[i][i] / scale[i] for i in range(size)]


def ruler_problem(across: float, down: float) -> Problem | None:
    """What is wrong if the rulers of the sheet are not 100 mm long."""
    shortest, longest = min(across, down) / RULER, max(across, down) / RULER
    if shortest < MIN_RULER / RULER:
        return Problem(
            f"the sheet was printed at {100 * shortest:.4g}%: “fit to page” was on",
            hint="choose 100% or “actual size” in the print dialog and print the sheet again; if your printer cannot, "
            "add --accept-scale: backs then meet their fronts, but everything is too small",
        )
    if longest > MAX_RULER / RULER:
        return Problem(
            f"the sheet was printed at {100 * longest:.4g}%",
            hint="choose 100% or “actual size” in the print dialog and print the sheet again, or add --accept-scale",
        )
    return None


def ruler_length(text: str) -> float:
    """The length of a printed ruler in mm; raises InputError for a length that it cannot have."""
    try:
        length = float(text.replace(",", ".").removesuffix("mm"))
    except ValueError:
        length = 0.0
    low, high = _READABLE_RULER
    if not low <= length <= high:
        raise fault(
            f"“{shortened(text)}” is not the length of a ruler", hint="type its length in mm, such as 100 or 97.5"
        )
    return length


def described(shift: Shift) -> Iterator[str]:
    """A shift in words, as seen from the front."""
    yield f"{abs(shift.x):.2f} mm to the {'right' if shift.x >= 0 else 'left'}"
    yield f"{abs(shift.y):.2f} mm {'down' if shift.y >= 0 else 'up'}"
    yield f"turned {abs(shift.angle):.2f}° {'clockwise' if shift.angle >= 0 else 'anticlockwise'}"
    yield f"scaled to {100 * shift.scale_x:.2f}% × {100 * shift.scale_y:.2f}%"
