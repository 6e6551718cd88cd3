"""The two pages of a calibration sheet: where its scales are. The template `calibration` draws it.

Each of the four spots near the corners has two scales, one along each edge: eight in all, numbered clockwise. A scale
is a comb with its pointer. The lines of the comb on the front are farther apart than those on the back by 0.1 mm, so
that a line of one comb continues a line of the other at one place only, as on a vernier: its letter is the offset to
0.1 mm, but not how many times the distance of the lines to add. That is what the pointer on the back says, which points
at a scale in millimetres on the front. An answer, such as `B7`, is the letter of the comb and the number of the scale.

The edges are cut through the lines on the back and folded to the front, so that both combs are seen side by side.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import floor
from typing import Any

from msgspec import Struct

from .. import paths, pdf
from ..errors import fault
from ..faces import Templates, build
from ..geometry.frame import Page, Placed
from ..geometry.outlines import IDENTITY, Matrix
from ..layout.place import place
from ..model.game import Theme
from ..reading.sizes import Paper
from ..reading.theme import theme
from .correction import MODE_WORDS, page_size

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
_BETWEEN = 6.0
"""Between a comb and its millimetre scale."""


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
        for index in range(first, last + self.pitch.around):
            yield self.comb + index * self.pitch.back

    def numbers(self) -> Iterator[tuple[int, float]]:
        """Each number of the millimetre scale and where its line is."""
        for number in NUMBERS:
            yield number, self.pointer + number - MIDDLE_NUMBER


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
_EXAMPLE = 6
"""The offset in the example, in tenths of a millimetre."""


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
