"""From the readings of a calibration sheet to the shift of the backs.

Eight readings say how far the back is shifted in one direction at one place. Five numbers follow from them by least
squares (an offset across and down, an angle, a scale across and down), so readings that contradict each other show.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from math import degrees

from msgspec import Struct

from ..errors import InputError, Problem, fault, shortened
from ..geometry.outlines import multiplied
from .calibration_sheet import MIDDLE_NUMBER, NUMBERS, STEP, CalibrationSheet, Scale
from .correction import Shift

PASSED = 0.1
"""A check sheet is right if every reading is within this of 0, in mm."""
RULER = 100.0
MIN_RULER, MAX_RULER = 99.5, 100.5
"""A ruler outside these was not printed at 100%."""
_READABLE_RULER = 50.0, 150.0
_COUNT = 8
_APART = 0.85
"""How far the pointer and the comb may disagree, in mm: the pointer is read to the nearest half."""
_NOISE = 0.16
"""How far a reading may be off, in mm, before it contradicts the others: one line of the comb, and a little for the
fold."""
_CLEARLY = 0.6
"""One reading is the wrong one if without it the others agree, and this much better than without any other."""
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
    if problems:
        raise InputError(problems)
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
        try:
            readings.append(read(label, scale, sheet))
        except InputError as error:
            problems += error.problems
    if problems:
        raise InputError(problems)
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


def shift_of(readings: Sequence[ScaleReading], sheet: CalibrationSheet) -> Shift:
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
    if reading.scale.across:
        return 1.0, 0.0, -reading.y, reading.x, 0.0
    return 0.0, 1.0, reading.x, 0.0, reading.y


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


def largest(readings: Sequence[ScaleReading]) -> float:
    """The largest offset that was read, in mm."""
    return max(abs(reading.offset) for reading in readings)


def described(shift: Shift) -> Iterator[str]:
    """A shift in words, as seen from the front."""
    yield f"{abs(shift.x):.2f} mm to the {'right' if shift.x >= 0 else 'left'}"
    yield f"{abs(shift.y):.2f} mm {'down' if shift.y >= 0 else 'up'}"
    yield f"turned {abs(shift.angle):.2f}° {'clockwise' if shift.angle >= 0 else 'anticlockwise'}"
    yield f"scaled to {100 * shift.scale_x:.2f}% × {100 * shift.scale_y:.2f}%"
