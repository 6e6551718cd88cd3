"""Lays cards and nets out on sheets for a cutting machine: marks for its camera, slots, and the paths that it cuts.

Every sheet of a deck has the same slots in the middle of the page, so one cut file is for all of them, and a program
that centres it on the page puts it in the right place.

Cut paths are lines and arcs in mm from the top left corner of the page, y down; they are written as DXF (R12, which
every program reads) and as SVG. An arc is a `bulge`, as in DXF: the tangent of a quarter of its angle, positive if it
turns clockwise on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, product
from math import cos, hypot, pi, sin, tan
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from ..errors import fault
from ..geometry.frame import Frame, Page, Placed, Shape
from ..geometry.outlines import Cut, Matrix, Path, Rect, line, moved, rect
from ..reading.sizes import Paper
from ..reading.targets import CutterFile
from .nets import Net
from .nup import axis_of, behind, honeycombs
from .packing import Piece, PlacedPiece, centred, pack, ways

CUT, SCORE, PERF = "CUT", "SCORE", "PERF"
LAYERS = (CUT, SCORE, PERF)
"""What a machine does along a path: it cuts through, presses a fold, or cuts a dashed line."""
_QUARTER = tan(pi / 8)
_STEPS = 64  # the arcs of an ellipse that is not a circle: they are off by less than a thousandth of a millimetre
_NEAR = 0.005


class Vertex(NamedTuple):
    """A point of a path, and the bulge of the arc to the next one (0: a straight line)."""

    x: float
    y: float
    bulge: float = 0.0


class CutPath(Struct, frozen=True):
    """One movement of the knife; a closed one returns to its first point."""

    vertices: tuple[Vertex, ...]
    closed: bool = True
    layer: str = CUT


def card_path(cut: Cut | None, x: float, y: float, width: float, height: float, corner: float = 0.0) -> CutPath:
    """The outline of a card whose trim is this box. The corners of rectangles are rounded by `corner`."""
    if cut and cut.is_hex:
        return CutPath(tuple(Vertex(*point) for point in cut.corners(x, y, width, height)))
    if cut and cut.shape == "round":
        return CutPath(tuple(_ellipse(x, y, width, height)))
    return CutPath(tuple(_rounded(x, y, width, height, radius=cut.radius if cut else corner)))


def _rounded(x: float, y: float, width: float, height: float, radius: float) -> Iterable[Vertex]:
    radius, right, bottom = min(radius, width / 2, height / 2), x + width, y + height
    if radius <= 0:
        return [Vertex(x, y), Vertex(right, y), Vertex(right, bottom), Vertex(x, bottom)]
    corners = [
        Vertex(x + radius, y),
        Vertex(right - radius, y, _QUARTER),
        Vertex(right, y + radius),
        Vertex(right, bottom - radius, _QUARTER),
        Vertex(right - radius, bottom),
        Vertex(x + radius, bottom, _QUARTER),
        Vertex(x, bottom - radius),
        Vertex(x, y + radius, _QUARTER),
    ]
    # Straight lines of no length are left out, as between two corners that share a side.
    after = [*corners[1:], corners[0]]
    return [
        vertex
        for vertex, other in zip(corners, after, strict=True)
        if vertex.bulge or hypot(other.x - vertex.x, other.y - vertex.y) > 1e-9
    ]


def _ellipse(x: float, y: float, width: float, height: float) -> Iterable[Vertex]:
    a, b = width / 2, height / 2
    steps = 4 if abs(a - b) < 1e-6 else _STEPS
    angles = [2 * pi * step / steps for step in range(steps + 1)]
    for angle, after in pairwise(angles):
        start, middle, end = ((a * cos(t), b * sin(t)) for t in (angle, (angle + after) / 2, after))
        chord = hypot(end[0] - start[0], end[1] - start[1])
        height_ = hypot(middle[0] - (start[0] + end[0]) / 2, middle[1] - (start[1] + end[1]) / 2)
        yield Vertex(x + a + start[0], y + b + start[1], 2 * height_ / chord)


def lines(path: Path, matrix: Matrix, layer: str) -> list[CutPath]:
    """The straight lines of a path, transformed by a matrix, joined wherever they meet."""
    chains: list[list[tuple[float, float]]] = []
    for name, *numbers in path:
        point = moved(matrix, float(numbers[-2]), float(numbers[-1])) if numbers else chains[-1][0]
        if name == "M":
            chains.append([point])
        else:
            chains[-1].append(point)
    return [_path(chain, layer) for chain in joined(chains)]


def joined(chains: Iterable[Sequence[tuple[float, float]]]) -> list[list[tuple[float, float]]]:
    """Chains of points, joined at their ends: the knife is lifted as rarely as possible."""
    rest = [list(chain) for chain in chains if len(chain) > 1]
    done = []
    while rest:
        chain = rest.pop(0)
        while not _meet(chain[0], chain[-1]):
            other = next((other for other in rest if any(_meet(chain[-1], end) for end in (other[0], other[-1]))), None)
            if other is not None:
                rest.remove(other)
                chain += other[1:] if _meet(chain[-1], other[0]) else other[-2::-1]
                continue
            other = next((other for other in rest if any(_meet(chain[0], end) for end in (other[0], other[-1]))), None)
            if other is None:
                break
            rest.remove(other)
            chain = [*(other[:-1] if _meet(chain[0], other[-1]) else other[:0:-1]), *chain]
        done.append(chain)
    return done


def _meet(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return abs(one[0] - other[0]) < _NEAR and abs(one[1] - other[1]) < _NEAR


def _path(chain: Sequence[tuple[float, float]], layer: str) -> CutPath:
    closed = len(chain) > 3 and _meet(chain[0], chain[-1])
    return CutPath(tuple(Vertex(x, y) for x, y in (chain[:-1] if closed else chain)), closed, layer)


# The colour of each layer: its number in DXF, and in SVG. Programs tell layers apart by them.
_COLOURS = {CUT: (1, "#ff0000"), SCORE: (5, "#0000ff"), PERF: (3, "#00ff00")}
_LINE = 0.1  # the width of a line in SVG, in mm


def cut_file(kind: str, paths: Sequence[CutPath], width: float, height: float) -> bytes:
    """Cut paths on a page of this size in mm, as a file of a kind (dxf or svg)."""
    return (svg if kind == "svg" else dxf)(paths, width, height)


def dxf(paths: Sequence[CutPath], width: float, height: float) -> bytes:
    """Cut paths on a page of this size in mm, as a DXF file. Its y axis points up, from the lower edge of the page.

    The tags are those of the DXF Reference for Release 12, sections HEADER, TABLES and ENTITIES."""
    corners = f"9|$EXTMIN|10|0|20|0|30|0.0|9|$EXTMAX|10|{_number(width)}|20|{_number(height)}|30|0.0"
    layers = "|".join(f"0|LAYER|2|{layer}|70|0|62|{_COLOURS[layer][0]}|6|CONTINUOUS" for layer in LAYERS)
    line = "0|LTYPE|2|CONTINUOUS|70|64|3|Solid line|72|65|73|0|40|0.0"
    head = (
        f"0|SECTION|2|HEADER|9|$ACADVER|1|AC1009|9|$INSUNITS|70|4|9|$MEASUREMENT|70|1|{corners}|0|ENDSEC|"
        f"0|SECTION|2|TABLES|0|TABLE|2|LTYPE|70|1|{line}|0|ENDTAB|"
        f"0|TABLE|2|LAYER|70|{len(LAYERS)}|{layers}|0|ENDTAB|0|ENDSEC|0|SECTION|2|ENTITIES"
    )
    tags = head.split("|")
    for path in paths:
        tags += ["0", "POLYLINE", "8", path.layer, "66", "1", "70", "1" if path.closed else "0"]
        tags += ["10", "0.0", "20", "0.0", "30", "0.0"]
        for x, y, bulge in path.vertices:
            tags += ["0", "VERTEX", "8", path.layer, "10", _number(x), "20", _number(height - y), "30", "0.0"]
            tags += ["42", f"{-bulge:.8f}"] if bulge else []
        tags += ["0", "SEQEND", "8", path.layer]
    return "\r\n".join([*tags, "0", "ENDSEC", "0", "EOF", ""]).encode("ascii")


def svg(paths: Sequence[CutPath], width: float, height: float) -> bytes:
    """Cut paths on a page of this size in mm, as an SVG file with a group for each layer."""
    groups = (_group(layer, [path for path in paths if path.layer == layer]) for layer in LAYERS)
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{_number(width)}mm" height="{_number(height)}mm" '
        f'viewBox="0 0 {_number(width)} {_number(height)}">\n{"".join(groups)}</svg>\n'
    ).encode()


def _group(layer: str, paths: Iterable[CutPath]) -> str:
    written = "".join(f'<path d="{_data(path)}"/>\n' for path in paths)
    if not written:
        return ""
    return f'<g id="{layer}" fill="none" stroke="{_COLOURS[layer][1]}" stroke-width="{_LINE}">\n{written}</g>\n'


def _data(path: CutPath) -> str:
    first, rest = path.vertices[0], [*path.vertices[1:]]
    commands = [f"M{_number(first.x)} {_number(first.y)}"]
    ends = [*rest, first] if path.closed else rest
    for start, end in zip(path.vertices, ends, strict=False):
        if start.bulge:
            chord = hypot(end.x - start.x, end.y - start.y)
            radius = _number(chord * (1 + start.bulge**2) / (4 * abs(start.bulge)))
            commands.append(f"A{radius} {radius} 0 0 {int(start.bulge > 0)} {_number(end.x)} {_number(end.y)}")
        elif end is not first or not path.closed:
            commands.append(f"L{_number(end.x)} {_number(end.y)}")
    return " ".join(commands) + ("Z" if path.closed else "")


def _number(length: float) -> str:
    text = f"{length:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


# ---- the sheets


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
        return cls(about, about.page.width, about.page.height) if about.page else cls(about, paper.width, paper.height)

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
        return not any(box.overlaps(corner, _SLACK) for corner in keep_outs)

    across, down = machine.width - slots.width, machine.height - slots.height
    kept = ((x, y) for x, y in slots.places if is_free(x, y) and is_free(across - x, down - y))
    return replace(slots, places=tuple(kept))


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
    machine: Machine, slots: Slots, used: Sequence[int], fronts: Sequence[Frame], backs: Sequence[Frame], duplex: str
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
