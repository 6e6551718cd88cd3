"""The two pages of a calibration sheet: where everything is, and how it is drawn.

Each of the four spots near the corners has two scales, one along each edge: eight in all, numbered clockwise. A scale
is a comb with its pointer. The lines of the comb on the front are farther apart than those on the back by 0.1 mm, so
that a line of one comb continues a line of the other at one place only, as on a vernier: its letter is the offset to
0.1 mm, but not how many times the distance of the lines to add. That is what the pointer on the back says, which points
at a scale in millimetres on the front. An answer, such as `B7`, is the letter of the comb and the number of the scale.

The edges are cut through the lines on the back and folded to the front, so that both combs are seen side by side.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import floor

from msgspec import Struct, field
from msgspec.structs import replace

from .. import paths, pdf
from ..errors import fault
from ..faces.face import Words
from ..geometry.frame import Frame, Page, Placed, Run, Shape
from ..geometry.outlines import (
    IDENTITY,
    Matrix,
    Path,
    Rect,
    ellipse,
    line,
    moved,
    rect,
    rounded_rect,
)
from ..layout.ink import Ink, write
from ..model.game import Theme
from ..reading.sizes import Paper
from ..reading.theme import theme
from ..text import fonts
from ..text.lexicon import paragraph
from ..text.lines import POINT, LineSetting, fitted, height, setting
from .correction import MODE_WORDS, mirror, page_size

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

    @property
    def mirror(self) -> Matrix:
        """From the coordinates of the front to those of the back."""
        return mirror(self.mode, self.width, self.height)

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


INK, QUIET, ACCENT = "#000000", "#5c6670", "#24507a"
FINE, POINTER = 0.13, 0.5
"""The widths of the lines of a comb and of a pointer, in mm."""
_RULE = 100
_SMALL_ROW = 2.6
_BADGE = 2.1
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
    front, back = _PageItems(sheet, theme), _PageItems(sheet, theme)
    _front(front, wording)
    _back(back, wording)
    return [
        Page(sheet.width, sheet.height, (front.placed("front"),), label="front"),
        Page(sheet.width, sheet.height, (back.placed("back"),), label="back", back=True),
    ]


class _PageItems(Struct):
    """The items of a page, and ways to add lines and texts."""

    sheet: CalibrationSheet
    theme: Theme
    ink: Ink = field(default_factory=lambda: Ink(Rect(0.0, 0.0, 0.0, 0.0), 0.0))

    def placed(self, name: str) -> Placed:
        return Placed(Frame(name, self.sheet.width, self.sheet.height, tuple(self.ink.items)), 0.0, 0.0)

    def lines(self, paths: Sequence[Path], width: float, colour: str = INK, dash: tuple[float, ...] = ()) -> None:
        segments = tuple(segment for path in paths for segment in path)
        self.ink.items.append(Shape(segments, stroke=colour, stroke_width=width, dash=dash))

    def word(
        self,
        text: str,
        x: float,
        y: float,
        size: float,
        *,
        font: str = "regular",
        colour: str = INK,
        share: float = 0.0,
        turn: float = 0.0,
    ) -> None:
        """One line of text at a baseline, of which `share` is to the left of x; the size is in points."""
        width = fonts.width(text, fonts.load(self.theme.fonts[font]), size * POINT)
        back = width * share
        dx, dy = {0.0: (back, 0.0), 90.0: (0.0, back), 270.0: (0.0, -back)}[turn]
        self.ink.items.append(
            Run(x - dx, y - dy, text, font=font, size=size * POINT, colour=colour, width=width, turn=turn)
        )

    def text(self, style: LineSetting, text: str, x: float, y: float, width: float) -> float:
        """A paragraph with **bold** words; returns how far down it reaches."""
        pieces = tuple(Words(part, bold=number % 2 == 1) for number, part in enumerate(text.split("**")) if part)
        words = paragraph(pieces, style.family, style.tracking, upper=style.upper, icons=self.theme.icon_folders)
        fit = fitted(words, style, width)
        deep = height(len(fit.lines), style, fit.size)
        write(self.ink, fit, style, Rect(x, y, width, deep))
        return y + deep

    def style(self, size: float, colour: str = INK, font: str = "regular", leading: float = 1.32) -> LineSetting:
        style = setting({"style": "body"}, self.theme)
        points = size * POINT
        bold = setting({"style": "heading"}, self.theme).family if font == "bold" else style.family
        return replace(style, family=bold, size=points, floor=points, colour=colour, leading=leading)


def _front(page: _PageItems, wording: Wording) -> None:
    sheet = page.sheet
    _edges(page)
    page.lines(
        [_tick(sheet, s, at, away=sheet.fold, length=FRONT_LINE) for s in sheet.scales for _, at in s.front_lines()],
        FINE,
    )
    page.lines(
        [
            _tick(sheet, scale, at, away=sheet.fold, length=FRONT_LINE + _SMALL_ROW * (number % 2 == 0))
            for scale in sheet.scales
            for number, at in scale.numbers()
        ],
        FINE,
    )
    for scale in sheet.scales:
        size = 7.0 if scale.pitch.front > 2.2 else 6.0
        for letter, at in scale.front_lines():
            _label(page, scale, letter, at=at, away=sheet.fold + FRONT_LINE, size=size)
        for number, at in scale.numbers():
            away = sheet.fold + FRONT_LINE + _SMALL_ROW * (number % 2 == 0)
            _label(
                page,
                scale,
                str(number),
                at=at,
                away=away,
                size=6.0,
                font="bold" if number == MIDDLE_NUMBER else "regular",
            )
        _badge(page, scale)
    _instructions(page, wording)


def _tick(sheet: CalibrationSheet, scale: Scale, at: float, away: float, length: float) -> Path:
    return line(*sheet.point(scale, at, away), *sheet.point(scale, at, away + length))


def _label(
    page: _PageItems, scale: Scale, text: str, at: float, away: float, size: float, font: str = "regular"
) -> None:
    """A letter or number at the inner end of a line."""
    capital = 0.72 * size * POINT
    if scale.across:
        down = 0.7 + (capital if scale.edge == "top" else 0.0)
        page.word(text, *page.sheet.point(scale, at, away + down), size, font=font, share=0.5)
    else:
        x, y = page.sheet.point(scale, at, away + 0.8)
        page.word(text, x, y + capital / 2, size, font=font, share=0.0 if scale.edge == "left" else 1.0)


def _badge(page: _PageItems, scale: Scale) -> None:
    """The number of a scale, between its comb and its pointer."""
    beside = scale.pointer + (8 if scale.comb > scale.pointer else -8)
    x, y = page.sheet.point(scale, beside, page.sheet.fold + FRONT_LINE + 1)
    page.ink.items.append(
        Shape(ellipse(x - _BADGE, y - _BADGE, 2 * _BADGE, 2 * _BADGE), fill=ACCENT),
    )
    page.word(str(scale.number), x, y + 1.05, 8.5, font="bold", colour="#ffffff", share=0.5)


def _edges(page: _PageItems) -> None:
    """Where to cut and to fold."""
    sheet, ends = page.sheet, page.sheet.start - 0.8
    frame = rect(sheet.cut, sheet.cut, sheet.width - 2 * sheet.cut, sheet.height - 2 * sheet.cut)
    page.lines([frame], 0.3)
    folds = []
    for at in (sheet.fold, sheet.width - sheet.fold):
        folds.append(line(at, ends, at, sheet.height - ends))
    for at in (sheet.fold, sheet.height - sheet.fold):
        folds.append(line(ends, at, sheet.width - ends, at))
    page.lines(folds, 0.2, dash=(2.5, 1.6))
    for scale in sheet.scales[::2]:
        along = (sheet.width if scale.across else sheet.height) / 2
        turn = {"left": 270.0, "right": 90.0}.get(scale.edge, 0.0)
        deep = {"bottom": 0.0, "top": 1.6, "left": 1.6, "right": 1.6}[scale.edge]
        for words, away in (("cut", sheet.cut + 0.9 + deep), ("fold towards you", sheet.fold - 2.9 + deep)):
            x, y = sheet.point(scale, along, away)
            page.word(words, x, y, 6.0, colour=QUIET, share=0.5, turn=turn)


def _back(page: _PageItems, wording: Wording) -> None:
    sheet = page.sheet
    for pointers in False, True:
        paths = []
        for scale in sheet.scales:
            for at in [scale.pointer] if pointers else scale.back_lines():
                ends = (sheet.point(scale, at, away) for away in (sheet.start, sheet.fold - 0.5))
                (x1, y1), (x2, y2) = (moved(sheet.mirror, *end) for end in ends)
                paths.append(line(x1, y1, x2, y2))
        page.lines(paths, POINTER if pointers else FINE)
    area = _area(sheet)
    x, y, width = area.x + 8, area.y + 10, area.width - 40
    y = page.text(page.style(18, ACCENT, "bold", 1.15), "Back", x, y=y, width=width) + 2.5
    about = f"{_paper(sheet)} · {MODE_WORDS[sheet.mode]}"
    if wording.printer:
        about += f" · {wording.printer}"
    y = page.text(page.style(9, QUIET), about, x, y=y, width=width) + 5
    page.text(
        page.style(9.5),
        "The rulers are for comparing: they are as long as those on the front, unless the printer scales its backs. "
        "The lines at the edges are for the scales on the front.",
        x,
        y=y,
        width=min(width, 105),
    )
    _rulers(page, area)


def _area(sheet: CalibrationSheet) -> Rect:
    """The area within the scales."""
    inside = sheet.inside + 1
    return Rect(inside, inside, sheet.width - 2 * inside, sheet.height - 2 * inside)


def _paper(sheet: CalibrationSheet) -> str:
    name = sheet.paper.name
    return name.upper() if len(name) == 2 else name.capitalize()


def _rulers(page: _PageItems, area: Rect) -> None:
    """Two rulers of 100 mm, near the lower and the right edge of an area."""
    x, y = area.x + (area.width - _RULE) / 2, area.bottom - 8
    if area.width > 150:
        x = area.right - 24 - _RULE
    across = [line(x + mm, y, x + mm, y - _tall(mm)) for mm in range(_RULE + 1)]
    page.lines([*across, line(x, y, x + _RULE, y)], 0.18)
    right, top = area.right - 6, area.y + (area.height - _RULE) / 2 - (12 if area.height > 150 else 8)
    down = [line(right, top + mm, right - _tall(mm), top + mm) for mm in range(_RULE + 1)]
    page.lines([*down, line(right, top, right, top + _RULE)], 0.18)
    for mm in range(0, _RULE + 1, 10):
        page.word(str(mm), x + mm, y - 5.2, 6.5, share=0.5)
        page.word(str(mm), right - 5.0, top + mm + 0.8, 6.5, share=1.0)
    page.word("mm", x + _RULE + 3.2, y - 5.2, 6.5)
    page.word("mm", right - 5.0, top + _RULE + 4.2, 6.5, share=1.0)


def _tall(mm: int) -> float:
    return 4.2 if mm % 10 == 0 else 3.0 if mm % 5 == 0 else 1.8


def _steps(wording: Wording, sheet: CalibrationSheet) -> Iterator[str]:
    perfect, example = _label_of(sheet.scales[0].pitch, 0), _label_of(sheet.scales[0].pitch, _EXAMPLE)
    yield (
        "Measure both rulers. **Each is 100 mm long.** If not, choose 100% or “actual size” in the print dialog, not "
        "“fit to page”, and print the sheet again."
    )
    yield "**Cut** along the solid line all around. It need not be exact."
    yield (
        "**Fold** one edge towards you, exactly along the dashed line, so that the lines on its back lie next to those "
        "on the front. Crease it along a ruler."
    )
    yield (
        "Read two things at each scale on this edge. **Letter:** at which one does a line of the flap continue a line "
        "of the sheet? If two do equally well, note both. **Number:** to which one does the thick line point? Note "
        f"them below, such as {example}. Unfold the edge and fold the next one."
    )
    if wording.check:
        yield f"**{perfect} everywhere is perfect.** The letters next to {perfect[0]} are good, too. Type:"
    else:
        yield "Type this, and answer with your eight readings:"


def _label_of(pitch: Pitch, shift: int) -> str:
    """The label that a back shifted by this many tenths of a millimetre reads."""
    return f"{pitch.letters[pitch.middle + shift]}{MIDDLE_NUMBER + round(shift * STEP)}"


def _instructions(page: _PageItems, wording: Wording) -> None:
    sheet, area = page.sheet, _area(page.sheet)
    tall = area.height > 150
    x, y, width = area.x + 8, area.y + (14 if tall else 5), min(area.width - 32, 132)
    title = "Check sheet" if wording.check else "Calibration sheet"
    y = page.text(page.style(20, ACCENT, "bold", 1.15), title, x, y=y, width=width) + 1.5
    about = f"{_paper(sheet)} · {MODE_WORDS[sheet.mode]} · print at 100%, double-sided"
    if wording.printer:
        about = f"{wording.printer} · {about}"
    y = page.text(page.style(9, QUIET), about, x, y=y, width=width) + (6 if tall else 3)
    body = page.style(9.5)
    for number, step in enumerate(_steps(wording, sheet), start=1):
        page.text(page.style(9.5, ACCENT, "bold"), str(number), x, y=y, width=5)
        y = page.text(body, step, x + 6, y=y, width=width - 6) + (2.6 if tall else 1.5)
    _command(page, wording.command, x + 6, y=y - 0.6, width=width - 6)
    y += 13 if tall else 10.5
    _notes(page, x + 6, y, width - 6)
    _example(page, x + 6, y + (18 if tall else 13), width - 6)
    _rulers(page, area)


def _command(page: _PageItems, command: str, x: float, y: float, width: float) -> None:
    page.ink.items.append(Shape(rounded_rect(x, y, width, 7.4, radii=(1.2,) * 4), fill="#eef1f4"))
    size = 9.0
    long = fonts.width(command, fonts.load(page.theme.fonts["bold"]), size * POINT)
    page.word(command, x + 2.5, y + 4.8, min(size, size * (width - 5) / long), font="bold")


def _notes(page: _PageItems, x: float, y: float, width: float) -> None:
    """Eight boxes to note the readings in."""
    gap, high = 2.0, 9.0
    wide = (width - 7 * gap) / 8
    for scale in page.sheet.scales:
        left = x + (scale.number - 1) * (wide + gap)
        page.ink.items.append(
            Shape(rounded_rect(left, y, wide, high, radii=(1.2,) * 4), stroke="#8a8a8a", stroke_width=0.25)
        )
        page.word(str(scale.number), left + 1.2, y + 2.8, 7.0, font="bold", colour=ACCENT)


def _example(page: _PageItems, x: float, y: float, width: float) -> None:
    """A folded edge, larger than it is, and what it reads."""
    pitch, larger, flap, deep = page.sheet.scales[0].pitch, 1.5, 10.0, 9.0
    shift, label = _EXAMPLE, _label_of(pitch, _EXAMPLE)
    first, last = pitch.middle + shift - 4, pitch.middle + shift + 3
    start, pointer = x + 4, x + 4 + ((last - first) * pitch.front + 9 + 4) * larger
    right = pointer + 7 * larger
    page.ink.items.append(Shape(rect(x, y, right - x, flap), fill="#eef1f4"))
    page.lines([line(x, y, right, y)], 0.2, dash=(2.5, 1.6))
    page.lines([line(x, y + flap, right, y + flap)], 0.15, QUIET)
    for index in range(first, last + 1):
        letter, meets = pitch.letters[index], index == pitch.middle + shift
        front = start + (index - first) * pitch.front * larger
        back = front + (pitch.middle + shift - index) * STEP * larger
        colour, thick = (ACCENT, 0.45) if meets else (INK, 0.15)
        page.lines([line(back, y + 1, back, y + flap), line(front, y + flap, front, y + flap + deep)], thick, colour)
        font = "bold" if meets else "regular"
        page.word(letter, front, y + flap + deep + 3.2, 9, font=font, colour=colour, share=0.5)
    for each in NUMBERS:
        at = pointer + (each - MIDDLE_NUMBER) * larger
        points, more = str(each) == label[1], 3.4 * (each % 2 == 0)
        page.lines([line(at, y + flap, at, y + flap + deep + more)], 0.15)
        page.word(
            str(each), at, y + flap + deep + more + 3.0, 8,
            font="bold" if points else "regular", colour=ACCENT if points else INK, share=0.5,
        )  # fmt: skip
    at = pointer + (shift * STEP) * larger
    page.lines([line(at, y + 1, at, y + flap)], POINTER * larger)
    caption = (
        f"**This scale reads {label}.** The flap is shown grey. You can also read thin paper uncut, against a window."
    )
    page.text(page.style(9), caption, right + 5, y=y + 4, width=x + width - right - 5)
