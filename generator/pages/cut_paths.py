"""Cut paths: lines and arcs in mm from the top left corner of the page, y down; written as DXF (R12, which every
program reads) and as SVG.

An arc is a `bulge`, as in DXF: the tangent of a quarter of its angle, positive if it turns clockwise on paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, hypot, pi, sin, tan
from typing import NamedTuple

from msgspec import Struct

from ..geometry.outlines import Cut, Matrix, Path, moved

CUT, SCORE, PERF = "CUT", "SCORE", "PERF"
LAYERS = (CUT, SCORE, PERF)
"""What a machine does along a path: it cuts through, presses a fold, or cuts a dashed line."""
_QUARTER = tan(pi / 8)
_STEPS = 64
"""The arcs of an ellipse that is not a circle: they are off by less than a thousandth of a millimetre."""
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
    return _without_doubles(corners)


def _without_doubles(vertices: Sequence[Vertex]) -> list[Vertex]:
    """The vertices without straight lines of no length, as between two corners that share a side."""
    after = [*vertices[1:], vertices[0]]
    return [
        vertex
        for vertex, other in zip(vertices, after, strict=True)
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


_COLOURS = {CUT: (1, "#ff0000"), SCORE: (5, "#0000ff"), PERF: (3, "#00ff00")}
"""The colour of each layer: its number in DXF, and in SVG. Programs tell layers apart by them."""
_LINE = 0.1
"""The width of a line in SVG, in mm."""


def cut_file(kind: str, paths: Sequence[CutPath], width: float, height: float) -> bytes:
    """Cut paths on a page of this size in mm, as a file of a kind (dxf or svg)."""
    return (svg if kind == "svg" else dxf)(paths, width, height)


def dxf(paths: Sequence[CutPath], width: float, height: float) -> bytes:
    """Cut paths on a page of this size in mm, as a DXF file. Its y axis points up, from the lower edge of the page.

    The tags are those of the DXF Reference for Release 12, sections HEADER, TABLES and ENTITIES."""
    tags = [*_header(width, height), *_tables(), "0", "SECTION", "2", "ENTITIES"]
    for path in paths:
        tags += ["0", "POLYLINE", "8", path.layer, "66", "1", "70", "1" if path.closed else "0"]
        tags += ["10", "0.0", "20", "0.0", "30", "0.0"]
        for x, y, bulge in path.vertices:
            tags += ["0", "VERTEX", "8", path.layer, "10", _number(x), "20", _number(height - y), "30", "0.0"]
            tags += ["42", f"{-bulge:.8f}"] if bulge else []
        tags += ["0", "SEQEND", "8", path.layer]
    return "\r\n".join([*tags, "0", "ENDSEC", "0", "EOF", ""]).encode("ascii")


def _header(width: float, height: float) -> list[str]:
    corners = f"9 $EXTMIN 10 0 20 0 30 0.0 9 $EXTMAX 10 {_number(width)} 20 {_number(height)} 30 0.0"
    return f"0 SECTION 2 HEADER 9 $ACADVER 1 AC1009 9 $INSUNITS 70 4 9 $MEASUREMENT 70 1 {corners} 0 ENDSEC".split()


def _tables() -> list[str]:
    """The line type and the layers."""
    kinds = [*["0", "TABLE", "2", "LTYPE", "70", "1", "0", "LTYPE", "2", "CONTINUOUS", "70", "64", "3"], "Solid line"]
    kinds += ["72", "65", "73", "0", "40", "0.0", "0", "ENDTAB"]
    layers = "".join(f" 0 LAYER 2 {layer} 70 0 62 {_COLOURS[layer][0]} 6 CONTINUOUS" for layer in LAYERS)
    return [
        *["0", "SECTION", "2", "TABLES"],
        *kinds,
        *f"0 TABLE 2 LAYER 70 {len(LAYERS)}{layers} 0 ENDTAB 0 ENDSEC".split(),
    ]


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
