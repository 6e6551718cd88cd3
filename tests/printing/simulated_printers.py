"""Simulated printers, and a person who reads what they print.

The person sees only what is drawn: lines with their widths and letters beside them. Nothing is taken from the module
that knows where the scales are, besides how far from the edge to cut and to fold.
"""

from bisect import bisect_left
from dataclasses import dataclass
from functools import cache

from generator import paths
from generator.geometry.frame import Run, Shape, leaves
from generator.geometry.outlines import inverse, moved, multiplied
from generator.printing.calibration_sheet import POINTER, Wording, pages, sheet
from generator.printing.printers import Shift, mirror, page_size
from generator.reading.sizes import paper
from generator.reading.theme import theme

EDGES = ("top", "top", "right", "right", "bottom", "bottom", "left", "left")
PAPERS = ("a4", "letter", "executive")
MODES = ("long", "short", "booklet")


@cache
def drawn(name, mode):
    """The layout of a sheet and the items of its pages."""
    layout = sheet(paper(name), mode)
    look = theme(paths.SHARED_DATA, "theme.yaml")
    sides = pages(layout, look, Wording("pencilbox calibrate --enter"))
    return layout, *([item for item, _ in leaves(page.placed[0].frame.items)] for page in sides)


@dataclass(frozen=True)
class Machine:
    """A printer: how it moves, turns and scales the fronts and the backs on the paper, seen from the front. Each is a
    Shift. ScaleReading is off by `noise` mm, in turn to either side."""

    front: Shift
    back: Shift
    noise: float = 0.0

    def seen(self, mode, width, height, backs):
        """From what is drawn on a back, corrected by the matrix `backs`, to where it is on the front as printed."""
        turned = multiplied(self.back.matrix(width, height), mirror(mode, width, height))
        return multiplied(multiplied(inverse(self.front.matrix(width, height)), turned), backs)


def segments(items, wide):
    """The straight lines among items that are as thick as a pointer, or thinner."""
    for item in items:
        if isinstance(item, Shape) and item.stroke and item.fill is None and (item.stroke_width >= POINTER) == wide:
            for first, second in zip(item.path[::2], item.path[1::2], strict=False):
                if first[0] == "M" and second[0] == "L" and len(item.path) > 20 - 18 * wide:
                    yield first[1:], second[1:]


@cache
def front_lines(name, mode):
    """For every edge the letters and the numbers, each with the place of its line along the edge."""
    layout, front, _ = drawn(name, mode)
    labels = [item for item in front if isinstance(item, Run) and len(item.text) == 1]
    deep = 2 * layout.fold - layout.cut
    found = {edge: ({}, {}) for edge in EDGES}
    near_edge = {
        edge: [(place(layout, edge, *middle(run)), run.text) for run in labels if is_near(layout, edge, run)]
        for edge in found
    }
    for start, end in segments(front, wide=False):
        for edge in found:
            (along, near), (other, far) = (place(layout, edge, *point) for point in (start, end))
            if abs(along - other) < 1e-6 and min(near, far) < deep < max(near, far) < layout.inside:
                tip = max(near, far)
                text = min(near_edge[edge], key=lambda label: distance(label[0], (along, tip + 1.5)))[1]
                found[edge][text.isdigit()][along] = text
    return found


def is_near(layout, edge, run):
    return layout.fold < place(layout, edge, *middle(run))[1] < layout.inside + 1


@cache
def back_lines(name, mode):
    """For every edge the lines on the back and the pointers, as they are drawn: pairs of points."""
    layout, _, back = drawn(name, mode)
    flip = mirror(mode, layout.width, layout.height)
    found = {edge: ([], []) for edge in EDGES}
    for wide in False, True:
        for start, end in segments(back, wide):
            for edge, kinds in found.items():
                (along, near), (other, far) = (place(layout, edge, *moved(flip, *point)) for point in (start, end))
                if abs(along - other) < 1e-6 and max(near, far) < layout.fold:
                    kinds[wide].append((start, end))
    return found


def middle(run):
    return run.x + run.width / 2, run.y - 0.36 * run.size


def distance(one, other):
    return abs(one[0] - other[0]) * 3 + abs(one[1] - other[1])


def place(layout, edge, x, y):
    """Where a point is along an edge, and how far from it."""
    return {"top": (x, y), "bottom": (x, layout.height - y), "left": (y, x), "right": (y, layout.width - x)}[edge]


def read(machine, name, mode, backs):
    """The labels of the eight scales, as a person reads them after cutting and folding."""
    layout = drawn(name, mode)[0]
    cut = layout.cut
    seen = machine.seen(mode, layout.width, layout.height, backs)
    lines = {edge: ([], []) for edge in EDGES}
    for edge, kinds in back_lines(name, mode).items():
        x0, y0 = place(layout, edge, *moved(seen, 0, 0))
        (ax, ay), (bx, by) = (place(layout, edge, *moved(seen, *unit)) for unit in ((1, 0), (0, 1)))
        ax, ay, bx, by = ax - x0, ay - y0, bx - x0, by - y0  # a linear map: much faster than moving every point
        for wide, ends in enumerate(kinds):
            for (x, y), (v, w) in ends:
                near, far = y0 + ay * x + by * y, y0 + ay * v + by * w
                assert (near < cut) != (far < cut), "the line does not reach the cut"
                along, other = x0 + ax * x + bx * y, x0 + ax * v + bx * w
                lines[edge][wide].append(along + (other - along) * (cut - near) / (far - near))
    labels = []
    for number, edge in enumerate(EDGES):
        low = (number in (0, 7)) if edge in ("top", "left") else number in (2, 5)
        half = (layout.width if edge in ("top", "bottom") else layout.height) / 2
        noise = machine.noise * (1 if number % 2 else -1)
        here = [sorted(at + noise for at in kind if (at < half) == low) for kind in lines[edge]]
        letters, numbers = (
            {at: n for at, n in kind.items() if (at < half) == low} for kind in front_lines(name, mode)[edge]
        )
        assert len(numbers) == 9 and len(letters) == 24, (name, mode, edge)
        labels.append(letter(letters, here[0]) + numbers[min(numbers, key=lambda at: abs(at - here[1][0]))])
    return labels


def letter(letters, backs):
    """The letter of the line that a line on the back continues, or the letters of two neighbours."""
    misfits = [(misfit(at, backs), name) for at, name in sorted(letters.items())]
    number = misfits.index(min(misfits))
    (best, first), beside = misfits[number], misfits[max(0, number - 1) : number + 2]
    also = [name for other, name in beside if name != first and other - best < 0.05]
    return "".join(sorted([first, *also[:1]]))


def misfit(at, backs):
    after = bisect_left(backs, at)
    return min(abs(at - back) for back in backs[max(0, after - 1) : after + 1])


def size(name, mode):
    return page_size(paper(name), mode)
