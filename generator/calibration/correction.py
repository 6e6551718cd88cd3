"""How a printer places backs, and the matrix that corrects it.

Coordinates are those of the front of a page, in mm from its top left corner, y down: what is seen when the paper is
transparent. `Shift` maps the point where a back should be to the point where the printer puts it.
"""

from __future__ import annotations

from math import cos, degrees, radians, sin

from msgspec import Struct

from ..errors import Place
from ..geometry.outlines import Matrix, inverse, moved, multiplied
from ..reading.sizes import Paper

MODES = ("long", "short", "booklet")
"""The ways to print two-sided that are calibrated: portrait pages turned over on the long edge or on the short one, and
landscape pages turned over on the short edge."""
MODE_WORDS = {
    "long": "flip on the long edge",
    "short": "flip on the short edge",
    "booklet": "booklets (landscape, flip on the short edge)",
}
MAX_OFFSET, MAX_ANGLE, MAX_STRETCH = 10.0, 3.0, 0.05
"""The limits of a shift in mm, degrees, and as a share of the length. Printers are within a tenth of these."""


class Shift(Struct, frozen=True):
    """A back that is scaled, then turned clockwise by `angle` degrees, both about the middle of the page, and then
    moved by `x` mm to the right and `y` mm down."""

    x: float = 0.0
    y: float = 0.0
    angle: float = 0.0
    scale_x: float = 1.0
    scale_y: float = 1.0

    def matrix(self, width: float, height: float) -> Matrix:
        """From where a back should be to where it is, on a page of this size."""
        c, s = cos(radians(self.angle)), sin(radians(self.angle))
        linear = c * self.scale_x, s * self.scale_x, -s * self.scale_y, c * self.scale_y
        return _about(linear, self.x, self.y, x=width / 2, y=height / 2)

    @classmethod
    def of(cls, matrix: Matrix, width: float, height: float) -> Shift:
        """The shift of a matrix on a page of this size, without its skew."""
        a, b, c, d, *_ = matrix
        x, y = moved(matrix, width / 2, height / 2)
        return cls(x - width / 2, y - height / 2, degrees((b / a - c / d) / 2), a, d)


def _about(linear: tuple[float, float, float, float], dx: float, dy: float, x: float, y: float) -> Matrix:
    a, b, c, d = linear
    return a, b, c, d, x + dx - a * x - c * y, y + dy - b * x - d * y


class Calibration(Struct, frozen=True):
    """The shift of a printer for one tray (“” if it does not matter), paper and mode, and where it is stored."""

    printer: str
    tray: str
    paper: Paper
    mode: str
    shift: Shift
    place: Place | None = None

    @property
    def key(self) -> tuple[str, str, str, str]:
        return self.printer, self.tray, self.paper.name, self.mode

    def backs(self) -> Matrix:
        """The matrix that corrects the backs: it is applied to what is drawn on the back of a page."""
        width, height = page_size(self.paper, self.mode)
        return correction(self.shift, width, height, mirror(self.mode, width, height))


def page_size(paper: Paper, mode: str) -> tuple[float, float]:
    """Width and height of a page, which is landscape in a booklet."""
    return (paper.height, paper.width) if mode == "booklet" else (paper.width, paper.height)


def mirror(mode: str, width: float, height: float) -> Matrix:
    """From the coordinates of a back to those of its front, and the other way round: the paper is turned over about a
    vertical line, or portrait pages on the short edge about a horizontal one."""
    if mode == "short":
        return 1.0, 0.0, 0.0, -1.0, 0.0, height
    return -1.0, 0.0, 0.0, 1.0, width, 0.0


def correction(shift: Shift, width: float, height: float, mirrored: Matrix) -> Matrix:
    """Undoes a shift in the coordinates of the back, which `mirrored` leads to those of the front."""
    undone = inverse(shift.matrix(width, height))
    assert undone  # scales are near 1
    return multiplied(mirrored, multiplied(undone, mirrored))


class Printer(Struct, frozen=True):
    """A printer that has been calibrated, with one tray or with whatever tray is calibrated."""

    name: str
    calibrations: tuple[Calibration, ...]

    def calibration(self, paper: Paper, mode: str) -> Calibration | None:
        """The calibration for this paper and mode, if there is one."""
        for calibration in self.calibrations:
            if calibration.mode == mode and _same_size(calibration.paper, paper):
                return calibration
        return None

    def backs(self, paper: Paper, mode: str) -> Matrix | None:
        """The matrix that corrects backs; None if this paper and mode are not calibrated."""
        calibration = self.calibration(paper, mode)
        return calibration.backs() if calibration else None

    def lacks(self, paper: Paper, mode: str) -> str:
        """A message that this paper and mode are not calibrated."""
        what = f"booklets on {paper.name}" if mode == "booklet" else f"{paper.name} flipped on the {mode} edge"
        return f"{self.name} is not calibrated for {what}"

    def hint(self, paper: Paper, mode: str) -> str:
        """The command that prints the sheet for this paper and mode."""
        duplex = "" if mode == "long" else f" --duplex {mode}"
        return f"pencilbox calibrate --printer {self.name} --paper {paper.name}{duplex}"


def _same_size(one: Paper, other: Paper) -> bool:
    return abs(one.width - other.width) + abs(one.height - other.height) < 0.1
