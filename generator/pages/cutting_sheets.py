"""Lays cards and nets out on sheets for a cutting machine: marks for its camera, slots, and the paths that it cuts.

Every sheet of a deck has the same slots in the middle of the page, so one cut file is for all of them, and a program
that centres it on the page puts it in the right place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product

from msgspec import Struct
from msgspec.structs import replace

from ..errors import fault
from ..geometry.frame import Frame, Page, Placed, Shape
from ..geometry.outlines import Cut, Path, Rect, line, rect
from ..reading.sizes import Paper
from ..reading.targets import CutterFile
from .cut_paths import CUT, PERF, SCORE, CutPath, card_path, lines
from .nets import Net
from .nup import axis_of, behind, honeycombs
from .packing import Piece, PlacedPiece, centred, pack, ways

_INK = "#000000"
_SLACK = 1e-6
NET_GAP = 4.0


class Machine(Struct, frozen=True):
    """A cutting machine, and the size of its sheets in mm."""

    about: CutterFile
    width: float
    height: float

    @classmethod
    def of(cls, about: CutterFile, paper: Paper) -> Machine:
        """A machine with its own size of sheets, or else with this paper."""
        if about.page:
            return cls(about, about.page.width, about.page.height)
        return cls(about, paper.width, paper.height)

    @property
    def bleed(self) -> float:
        """How far art extends beyond a card: half of the gap."""
        return self.about.gap / 2

    @property
    def page(self) -> Rect:
        return Rect(0, 0, self.width, self.height)

    @property
    def area(self) -> Rect:
        """What can be cut: the area within the marks, or all but room for the bleed."""
        edge = self.about.inset if self.about.marks != "none" else self.bleed
        return self.page.inset(*[edge] * 4)

    def keep_outs(self) -> list[Rect]:
        """The corners with marks, where nothing else may be printed."""
        about = self.about
        side = about.inset + max(about.length, about.square) + about.padding
        right, bottom = self.width - side, self.height - side
        corners = [Rect(0, 0, side, side), Rect(right, 0, side, side), Rect(0, bottom, side, side)]
        if about.marks == "none":
            return []
        return corners if about.marks == "three" else [*corners, Rect(right, bottom, side, side)]

    def marks(self) -> tuple[Shape, ...]:
        """The registration marks: lines at the corners of the area, or with three marks a square at the top left."""
        about = self.about
        if about.marks == "none":
            return ()
        left, top, right, bottom = about.inset, about.inset, self.width - about.inset, self.height - about.inset
        corners = [(right, top, -1, 1), (left, bottom, 1, -1)]
        if about.marks == "four":
            corners += [(left, top, 1, 1), (right, bottom, -1, -1)]
        path: list[Path] = [
            (("M", x + across * about.length, y), ("L", x, y), ("L", x, y + down * about.length))
            for x, y, across, down in corners
        ]
        shapes = [Shape(tuple(segment for part in path for segment in part), stroke=_INK, stroke_width=about.thickness)]
        if about.marks == "three":
            square = rect(left, top, about.square, about.square)
            shapes.append(Shape(square, fill=_INK, stroke=_INK, stroke_width=about.thickness))
        return tuple(shapes)


class Slots(Struct, frozen=True):
    """The slots of a sheet, row by row: the top left corner of each, the size of a card on it and its turn."""

    places: tuple[tuple[float, float], ...]
    width: float
    height: float
    turn: int
    cut: Cut | None

    def paths(self, corner: float) -> list[CutPath]:
        """The outlines of all cards; those of rectangles are rounded by `corner`."""
        return [card_path(self.cut, x, y, width=self.width, height=self.height, corner=corner) for x, y in self.places]


def slots(machine: Machine, card: Frame) -> Slots:
    """The arrangement with the most slots, preferably for upright cards. Raises InputError if none fits."""
    free = [_free(arrangement, machine) for arrangement in _arrangements(machine, card)]
    best = max(free, key=lambda slots: (len(slots.places), slots.turn == 0), default=None)
    if best is None or not best.places:
        area = machine.area
        raise fault(
            f"{card.name} does not fit on the sheet: needs {card.width:.1f} × {card.height:.1f} mm, "
            f"has {area.width:.1f} × {area.height:.1f} mm without the corners",
            hint="choose a larger paper",
        )
    return best


def _arrangements(machine: Machine, card: Frame) -> Iterator[Slots]:
    area, gap = machine.area, machine.about.gap
    if card.cut and card.cut.is_hex:
        for comb in honeycombs(area, card.width, card.height, gutter=gap, cut=card.cut):
            yield Slots(comb.places, comb.width, comb.height, turn=comb.turn, cut=comb.cut)
        return
    for turn in (0, 90) if abs(card.width - card.height) > _SLACK else (0,):
        width, height = (card.width, card.height) if turn == 0 else (card.height, card.width)
        columns = int((area.width + gap + _SLACK) / (width + gap))
        rows = int((area.height + gap + _SLACK) / (height + gap))
        for across, down in product((columns, columns - 1), (rows, rows - 1)):
            left = (machine.width - across * (width + gap) + gap) / 2
            top = (machine.height - down * (height + gap) + gap) / 2
            cells = product(range(down), range(across))
            places = tuple((left + column * (width + gap), top + row * (height + gap)) for row, column in cells)
            yield Slots(places, width, height, turn=turn, cut=card.cut)


def _free(slots: Slots, machine: Machine) -> Slots:
    """The slots that stay clear of the marks; those opposite are left out as well, so that the rest is centred."""
    bleed, keep_outs = machine.bleed, machine.keep_outs()

    def is_free(x: float, y: float) -> bool:
        box = Rect(x, y, slots.width, slots.height).grown(*[bleed] * 4)
        return not any(_overlap(box, corner) for corner in keep_outs)

    def is_kept(x: float, y: float) -> bool:
        return is_free(x, y) and is_free(machine.width - x - slots.width, machine.height - y - slots.height)

    return replace(slots, places=tuple(place for place in slots.places if is_kept(*place)))


def _overlap(one: Rect, other: Rect) -> bool:
    common = one.common(other)
    return min(common.width, common.height) > _SLACK


def used_slots(slots: Slots, skipped: Sequence[int]) -> list[int]:
    """The indexes of the slots that are printed. Raises InputError for slots that the sheet does not have."""
    count = len(slots.places)
    unknown = [number for number in skipped if not 1 <= number <= count]
    if unknown:
        raise fault(f"there is no slot {unknown[0]} to skip", hint=f"the sheet has slots 1 to {count}, row by row")
    used = [index for index in range(count) if index + 1 not in skipped]
    if not used:
        raise fault("all slots of the sheet are skipped", hint="leave at least one")
    return used


def card_pages(
    machine: Machine,
    slots: Slots,
    used: Sequence[int],
    fronts: Sequence[Frame],
    backs: Sequence[Frame],
    duplex: str,
) -> list[Page]:
    """The pages of a deck: fronts with registration marks, and each back behind its front if there are `backs`."""
    page, axis, marks = machine.page, axis_of(machine.width, machine.height, duplex), machine.marks()
    pages = []
    for number, start in enumerate(range(0, len(fronts), len(used)), start=1):
        cards = zip(fronts[start : start + len(used)], used, strict=False)
        placed = tuple(_in_slot(frame, slots, index, machine.bleed) for frame, index in cards)
        pages.append(Page(page.width, page.height, placed, marks, label=f"front {number}", cut=True))
        if backs:
            pairs = zip(placed, backs[start : start + len(used)], strict=True)
            under = tuple(behind(front, back, page, axis) for front, back in pairs)
            pages.append(Page(page.width, page.height, under, label=f"back {number}", cut=True, back=True))
    return pages


def _in_slot(frame: Frame, slots: Slots, index: int, bleed: float) -> Placed:
    x, y = slots.places[index]
    reach = min(bleed, frame.bleed)
    outline = slots.cut.path(x, y, slots.width, slots.height, grown=reach) if slots.cut else ()
    return Placed(frame, x, y, turn=slots.turn, clip=(reach,) * 4, outline=outline)


class NetSheet(Struct, frozen=True):
    """A page of nets, the names of the pieces on it, and its paths: cuts, and folds to score."""

    page: Page
    names: tuple[str, ...]
    paths: tuple[CutPath, ...]


def net_sheets(machine: Machine, pieces: Sequence[Piece]) -> list[NetSheet]:
    """The sheets of nets, packed closely. Raises InputError for pieces that do not fit."""
    tries = ((area, pack(pieces, area, NET_GAP)) for area in _net_areas(machine, pieces))
    area, packed = min(tries, key=lambda each: len(each[1]))
    return [_net_sheet(machine, number, centred(placed, area)) for number, placed in enumerate(packed, start=1)]


def _net_areas(machine: Machine, pieces: Sequence[Piece]) -> list[Rect]:
    """The areas between the marks, across and down, that have room for every piece; the larger one if none has."""
    area = machine.area.inset(*[NET_GAP / 2] * 4)
    corner = max((keep_out.width for keep_out in machine.keep_outs()), default=0.0) - machine.about.inset
    if corner < 0:
        return [area]
    areas = [area.inset(0, corner, 0, corner), area.inset(corner, 0, corner, 0)]
    return [each for each in areas if all(ways(piece, each) for piece in pieces)] or areas[:1]


def _net_sheet(machine: Machine, number: int, pieces: Sequence[PlacedPiece]) -> NetSheet:
    glue: list[Shape] = []
    paths: list[CutPath] = []
    for each in pieces:
        if isinstance(each.piece, Net):
            glue += each.moved(each.piece.glue)
            paths += lines(each.piece.cuts[-1].path, each.matrix, CUT)
            folds = tuple(segment for fold in each.piece.folds for segment in line(*fold.start, *fold.end))
            paths += lines(folds, each.matrix, PERF if machine.about.folds == "perf" else SCORE)
        else:
            box = each.x, each.y, each.right - each.x, each.bottom - each.y
            paths.append(card_path(each.cut, *box, machine.about.corner))
    placed = tuple(face for each in pieces for face in each.placed(NET_GAP / 2))
    marks = (*glue, *machine.marks())
    page = Page(machine.width, machine.height, placed, marks, label=f"pieces {number}", cut=True)
    return NetSheet(page, tuple(each.piece.name for each in pieces), tuple(paths))
