"""Writes cut paths as DXF (R12, which every program reads) and as SVG."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import hypot

from .cut_paths import (
    CUT,
    LAYERS,
    PERF,
    SCORE,
    CutPath,
    Vertex,
)

_COLOURS = {CUT: (1, "#ff0000"), SCORE: (5, "#0000ff"), PERF: (3, "#00ff00")}
"""The colour of each layer: its number in DXF, and in SVG. Programs tell layers apart by them."""
_LINE = 0.1
"""The width of a line in SVG, in mm."""


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


def _header(width: float, height: float) -> Iterator[str]:
    yield from ("0", "SECTION", "2", "HEADER", "9", "$ACADVER", "1", "AC1009")
    yield from ("9", "$INSUNITS", "70", "4", "9", "$MEASUREMENT", "70", "1")
    for name, x, y in (("$EXTMIN", 0.0, 0.0), ("$EXTMAX", width, height)):
        yield from ("9", name, "10", _number(x), "20", _number(y), "30", "0.0")
    yield from ("0", "ENDSEC")


def _tables() -> Iterator[str]:
    yield from ("0", "SECTION", "2", "TABLES")
    yield from ("0", "TABLE", "2", "LTYPE", "70", "1", "0", "LTYPE", "2", "CONTINUOUS", "70", "64", "3", "Solid line")
    yield from ("72", "65", "73", "0", "40", "0.0", "0", "ENDTAB")
    yield from ("0", "TABLE", "2", "LAYER", "70", str(len(LAYERS)))
    for layer in LAYERS:
        yield from ("0", "LAYER", "2", layer, "70", "0", "62", str(_COLOURS[layer][0]), "6", "CONTINUOUS")
    yield from ("0", "ENDTAB", "0", "ENDSEC")


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
            radius = _number(_radius(start, end))
            commands.append(f"A{radius} {radius} 0 0 {int(start.bulge > 0)} {_number(end.x)} {_number(end.y)}")
        elif end is not first or not path.closed:
            commands.append(f"L{_number(end.x)} {_number(end.y)}")
    return " ".join(commands) + ("Z" if path.closed else "")


def _radius(start: Vertex, end: Vertex) -> float:
    chord = hypot(end.x - start.x, end.y - start.y)
    return chord * (1 + start.bulge**2) / (4 * abs(start.bulge))


def _number(length: float) -> str:
    text = f"{length:.4f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text
