"""The calibrated printers of the user, in calibration.toml beside the user's configuration file: how each places backs,
and the matrix that corrects it.

Coordinates are those of the front of a page, in mm from its top left corner, y down: what is seen when the paper is
transparent. `Shift` maps the point where a back should be to the point where the printer puts it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from math import cos, degrees, radians, sin
from pathlib import Path
from typing import Any

from msgspec import Struct

from ..errors import Place, Problem, collecting, did_you_mean, fault, listed, refuse, shortened
from ..files import save
from ..geometry.outlines import Matrix, inverse, moved, multiplied
from ..reading.sizes import Paper, paper
from ..reading.user_settings import checked_table, line_of, read_toml, user_file

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
    return (1.0, 0.0, 0.0, -1.0, 0.0, height) if mode == "short" else (-1.0, 0.0, 0.0, 1.0, width, 0.0)


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
            size = calibration.paper
            if calibration.mode == mode and abs(size.width - paper.width) + abs(size.height - paper.height) < 0.1:
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


NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
NO_PRINTER = "none"
"""As the name of a printer: no correction."""
_TABLE = "calibration"
_HEAD = """\
# How printers place backs behind their fronts. “pencilbox calibrate --enter” writes this file,
# “pencilbox calibrate --forget” removes a printer from it.
# x and y: how far a back lies too far to the right and too low, in mm, seen from the front;
# angle: by how much it is turned clockwise, in degrees; scale_x, scale_y: its size as a share of the front's.
"""


def calibration_file() -> Path:
    """The file with the calibrations, such as ~/.config/pencilbox/calibration.toml."""
    return user_file().with_name("calibration.toml")


def calibrations() -> tuple[Calibration, ...]:
    """All calibrations. Raises InputError with every problem of the file."""
    file = calibration_file()
    content, lines = read_toml(file)
    tables = content.pop(_TABLE, [])
    entry = f"begin each entry with [[{_TABLE}]]"
    problems = [
        Problem(f"unknown key “{shortened(key)}”", Place(str(file), line_of(lines, key)), entry) for key in content
    ]
    if not isinstance(tables, list) or not all(isinstance(table, dict) for table in tables):
        problems.append(Problem(f"“{_TABLE}” is not a list", Place(str(file)), entry))
        tables = []
    start, by_key = 0, dict[tuple[str, ...], Calibration]()
    for table in tables:
        start = line_of(lines, _TABLE, start)
        with collecting(problems):
            calibration = _calibration(table, lines, Place(str(file), start))
            other = by_key.setdefault(calibration.key, calibration)
            if other is not calibration:
                raise fault(f"{described(calibration)} is calibrated twice", calibration.place, f"see {other.place}")
    refuse(problems)
    return tuple(by_key.values())


def printer(name: str, tray: str | None = None) -> Printer:
    """The printer with this name, and the calibrations of a tray: the named one, or the only one. Raises InputError for
    a printer or tray without a calibration."""
    every = calibrations()
    mine = [calibration for calibration in every if calibration.printer == name]
    if not mine:
        names = sorted({calibration.printer for calibration in every})
        how = f"“pencilbox calibrate --printer {name}” prints the sheet"
        hint = did_you_mean(name, names) if names else ""
        raise fault(f"no calibration of a printer “{shortened(name)}”", hint="; ".join(filter(None, [hint, how])))
    trays = list(dict.fromkeys(calibration.tray for calibration in mine))
    if tray is None and len(trays) > 1 and "" not in trays:
        raise fault(f"{name} is calibrated for several trays: {listed(trays)}", hint="choose one with --tray")
    chosen = tray if tray is not None else "" if "" in trays else trays[0]
    if chosen not in trays:
        known = [each for each in trays if each]
        hint = f"known: {listed(known)}" if known else "it is calibrated without a tray: leave out --tray"
        raise fault(f"{name} has no calibration of a tray “{shortened(chosen)}”", hint=hint)
    return Printer(name, tuple(calibration for calibration in mine if calibration.tray == chosen))


def chosen_printer(name: str | None, tray: str | None) -> Printer | None:
    """The printer of an option or setting; None if there is none, or if it is “none”."""
    if name is None or name == NO_PRINTER:
        if tray:
            raise fault("--tray needs --printer")
        return None
    return printer(name, tray)


def store(calibration: Calibration) -> None:
    """Saves a calibration, in place of an older one for the same printer, tray, paper and mode."""
    write([*(other for other in calibrations() if other.key != calibration.key), calibration])


def write(entries: Iterable[Calibration]) -> None:
    """Replaces the file."""
    text = "\n".join([_HEAD, *map(_entry, sorted(entries, key=lambda entry: entry.key))])
    save(text.encode(), calibration_file())


def described(calibration: Calibration) -> str:
    tray = f", tray {calibration.tray}" if calibration.tray else ""
    return f"{calibration.printer}{tray}, {calibration.paper.name}, {calibration.mode}"


def checked_name(value: str, what: str) -> str:
    """The name of a printer or tray; raises InputError."""
    if not NAME.fullmatch(value) or value == NO_PRINTER:
        raise fault(
            f"“{shortened(value)}” is not a name for a {what}",
            hint="use up to 40 letters (a-z), digits, dots, dashes and underscores, such as office-2",
        )
    return value


def _entry(calibration: Calibration) -> str:
    shift = calibration.shift
    tray = f'tray = "{calibration.tray}"\n' if calibration.tray else ""
    return (
        f'[[{_TABLE}]]\nprinter = "{calibration.printer}"\n{tray}paper = "{calibration.paper.name}"\n'
        f'duplex = "{calibration.mode}"\nx = {shift.x:.3f}\ny = {shift.y:.3f}\nangle = {shift.angle:.4f}\n'
        f"scale_x = {shift.scale_x:.6f}\nscale_y = {shift.scale_y:.6f}\n"
    )


def _calibration(table: dict[str, Any], lines: Sequence[str], place: Place) -> Calibration:
    """An entry that begins at a place."""
    problems = [
        Problem(f"lacks {', '.join(missing)}", place)
        for missing in [[key for key in _KEYS if key not in table and key != "tray"]]
        if missing
    ]
    places = {key: Place(place.file, line_of(lines, key, place.line)) for key in table}
    with collecting(problems):
        values = checked_table(table, _KEYS, places)
    refuse(problems)
    shift = Shift(*(values[key] for key in ("x", "y", "angle", "scale_x", "scale_y")))
    return Calibration(
        values["printer"], values.get("tray", ""), values["paper"], mode=values["duplex"], shift=shift, place=place
    )


def _name(what: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if not isinstance(value, str):
            raise fault("must be a text in quotation marks")
        return checked_name(value, what)

    return read


def _paper(value: object) -> Paper:
    if not isinstance(value, str):
        raise fault('must be a paper such as "a4"')
    return paper(value)


def _mode(value: object) -> str:
    if value not in MODES:
        raise fault(f"must be one of {', '.join(MODES)}")
    return str(value)


def _number(low: float, high: float, unit: str) -> Callable[[object], float]:
    def read(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault("must be a number")
        if not low <= value <= high:
            raise fault(f"is {shortened(value)}", hint=f"it must be from {low:g} to {high:g}{unit}")
        return float(value)

    return read


_KEYS: dict[str, Callable[[object], Any]] = {
    "printer": _name("printer"),
    "tray": _name("tray"),
    "paper": _paper,
    "duplex": _mode,
    "x": _number(-MAX_OFFSET, MAX_OFFSET, " mm"),
    "y": _number(-MAX_OFFSET, MAX_OFFSET, " mm"),
    "angle": _number(-MAX_ANGLE, MAX_ANGLE, "°"),
    "scale_x": _number(1 - MAX_STRETCH, 1 + MAX_STRETCH, ""),
    "scale_y": _number(1 - MAX_STRETCH, 1 + MAX_STRETCH, ""),
}
