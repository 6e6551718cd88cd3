"""Measures the widths and heights of boxes. Widths come first, because heights depend on them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum

from ..faces.face import MISSING
from ..faces.kinds import Track
from ..text.lines import fitted, floored, height, min_height
from .boxes import EPSILON, Box, Claim, Extent, distribute, even_out, total

_ZERO = Extent(0.0, 0.0)
RULE = 0.25


# ---- one box ------------------------------------------------------------------------------------------------------


def widths(box: Box, room: float | None = None) -> Extent:
    """The width of a box with its padding. `room` is its height, if already known: it determines the width of art."""
    extent = box.widths.get(room)
    if extent is None:
        extent = box.widths[room] = _widths(box, room)
    return extent


def _widths(box: Box, room: float | None) -> Extent:
    fixed = fixed_width(box)
    if fixed is not None:
        return Extent(fixed, fixed)
    top, right, bottom, left = box.padding
    if box.sideways:
        inside = _heights_inside(box, _widths_inside(box, None).natural)
    else:
        height = fixed_height(box) if room is None else room
        inside = _widths_inside(box, None if height is None else height - top - bottom)
    return Extent(inside.natural + left + right, inside.minimum + left + right)


def heights(box: Box, width: float) -> Extent:
    """The height of a box with its padding, at this width."""
    extent = box.heights.get(width)
    if extent is None:
        extent = box.heights[width] = _heights(box, width)
    return extent


def _heights(box: Box, width: float) -> Extent:
    fixed = fixed_height(box)
    if fixed is not None:
        return Extent(fixed, fixed)
    top, right, bottom, left = box.padding
    inside = _widths_inside(box, None) if box.sideways else _heights_inside(box, width - left - right)
    return Extent(inside.natural + top + bottom, inside.minimum + top + bottom)


def fixed_width(box: Box) -> float | None:
    """The fixed width of a box: its `width` or its `size`."""
    width: float | None = box.get("width", box.get("size"))
    return width


def fixed_height(box: Box) -> float | None:
    height: float | None = box.get("height", box.get("size"))
    return height


def _widths_inside(box: Box, room: float | None) -> Extent:
    measure = _WIDTHS.get(box.tag)
    return measure(box, room) if measure else _ZERO


def _heights_inside(box: Box, width: float) -> Extent:
    measure = _HEIGHTS.get(box.tag)
    return measure(box, width) if measure else _ZERO


def _widest(extents: Sequence[Extent]) -> Extent:
    if not extents:
        return _ZERO
    return Extent(max([extent.natural for extent in extents]), max([extent.minimum for extent in extents]))


def across(child: Box, room: float, align: str) -> float:
    """The width of a child in a column, stack or cell that is `room` wide."""
    fixed = fixed_width(child)
    if fixed is not None:
        return fixed
    return room if align == "stretch" or child.tag == "line" else min(room, widths(child).natural)


def down(child: Box, width: float, room: float, align: str) -> float:
    """The height of a child in a row, stack or cell that is `room` high."""
    fixed = fixed_height(child)
    if fixed is not None:
        return fixed
    return room if align == "stretch" or child.tag == "line" else min(room, heights(child, width).natural)


# ---- rows and columns ---------------------------------------------------------------------------------------------


def row_claims(box: Box, room: float | None, *, final: bool = False) -> list[Claim]:
    """The claims of a row's children on its width; `final` if they then get their width."""
    flow = box.flow
    is_fixed = final and _leaves_the_rest(flow, fixed_width)
    return [
        _claim(child, _ZERO if is_fixed and child.grow else widths(child, room), fixed_width(child)) for child in flow
    ]


def _leaves_the_rest(flow: Sequence[Box], fixed: Callable[[Box], float | None]) -> bool:
    """Whether boxes that grow get what is left by others with fixed lengths, whatever is in them. Not measuring these
    saves a tenth of the time of a deck of 540 cards."""
    return all([child.grow or fixed(child) is not None for child in flow])


def column_claims(box: Box, width: float, *, final: bool = False) -> list[Claim]:
    """The claims of a column's children on its height, when the column is `width` wide; `final` if they then get their
    height."""
    align, flow = box.get("align", "stretch"), box.flow
    is_fixed = final and _leaves_the_rest(flow, fixed_height)
    return [
        _claim(
            child,
            _ZERO if is_fixed and child.grow else heights(child, across(child, width, align)),
            fixed_height(child),
        )
        for child in flow
    ]


def _claim(child: Box, extent: Extent, fixed: float | None) -> Claim:
    return Claim(extent, child.grow, fixed or 0.0, yields=child.tag == "text" and fixed is None)


def row_widths(box: Box, width: float, room: float | None) -> tuple[list[float], float]:
    """The widths of a row's children, and by how much they are too wide for it."""
    claims = row_claims(box, room, final=True)
    return distribute(claims, width - gaps(box.get("gap", 0.0), len(claims)))


def gaps(gap: float, count: int) -> float:
    return gap * max(0, count - 1)


def _row_heights(box: Box, width: float) -> Extent:
    sizes, _ = row_widths(box, width, None)
    return _widest([heights(child, size) for child, size in zip(box.flow, sizes, strict=True)])


def _column_widths(box: Box, _: float | None) -> Extent:
    return _widest([widths(child) for child in box.flow])


def _stack_heights(box: Box, width: float) -> Extent:
    justify = box.get("justify", "stretch")
    return _widest([heights(child, across(child, width, justify)) for child in box.flow])


# ---- grids --------------------------------------------------------------------------------------------------------


def cells(box: Box) -> list[Sequence[Box]]:
    """The children of a grid, row by row."""
    flow, count = box.flow, len(box.get("columns"))
    return [flow[i : i + count] for i in range(0, len(flow), count)]


def grid_gaps(box: Box) -> tuple[float, float]:
    """The gaps between rows and between columns."""
    gap: tuple[float, float] = box.get("gap", (0.0, 0.0))
    return gap


def track_sizes(tracks: Sequence[Track], room: float) -> tuple[list[float], float]:
    """The size of each track in `room` (without the gaps), and by how much the tracks are too long for it."""
    left = room - fsum([track.length for track in tracks])
    shares = fsum([track.share for track in tracks])
    per_share = max(0.0, left) / shares if shares else 0.0
    return [track.length + track.share * per_share for track in tracks], max(0.0, -left)


def column_widths(box: Box, width: float) -> tuple[list[float], float]:
    tracks = box.get("columns")
    return track_sizes(tracks, width - gaps(grid_gaps(box)[1], len(tracks)))


def row_heights(box: Box, columns: Sequence[float], room: float) -> tuple[list[float], float]:
    """The heights of the rows of a grid that is `room` high: those of its tracks if it has any, otherwise heights as
    equal as the content allows."""
    tracks, row_gap = box.get("rows"), grid_gaps(box)[0]
    if tracks:
        return track_sizes(tracks, room - gaps(row_gap, len(tracks)))
    extents = [_row_of_cells(box, row, columns) for row in cells(box)]
    left = room - gaps(row_gap, len(extents))
    sizes, over = distribute([Claim(extent) for extent in extents], left)
    return (sizes, over) if over > EPSILON or fsum(sizes) > left - EPSILON else (even_out(sizes, left), 0.0)


def _row_of_cells(box: Box, row: Sequence[Box], columns: Sequence[float]) -> Extent:
    justify = box.get("justify", "stretch")
    return _widest([heights(child, across(child, width, justify)) for child, width in zip(row, columns, strict=False)])


def _grid_widths(box: Box, _: float | None) -> Extent:
    columns = [_widest([widths(row[i]) for row in cells(box) if i < len(row)]) for i in range(len(box.get("columns")))]
    return total(_track_claims(box.get("columns"), columns), grid_gaps(box)[1])


def _grid_heights(box: Box, width: float) -> Extent:
    columns, _ = column_widths(box, width)
    rows = [_row_of_cells(box, row, columns) for row in cells(box)]
    tracks = box.get("rows")
    claims = _track_claims(tracks, rows) if tracks else [Claim(row) for row in rows]
    return total(claims, grid_gaps(box)[0])


def _track_claims(tracks: Sequence[Track], contents: Sequence[Extent]) -> list[Claim]:
    contents = [*contents, *[_ZERO] * (len(tracks) - len(contents))]
    return [
        Claim(content if track.share else Extent(track.length, track.length), track.share)
        for track, content in zip(tracks, contents, strict=False)
    ]


# ---- text, art and rules ------------------------------------------------------------------------------------------


def _text_widths(box: Box, _: float | None) -> Extent:
    text, style = box.text, box.style
    if not text or not style:
        return _ZERO
    narrowest = 0.0 if style.breaks_words else text.widest_word if style.wrap else text.widest_line
    return Extent(text.widest_line * style.size, narrowest * style.floor)


def _text_heights(box: Box, width: float) -> Extent:
    text, style = box.text, box.style
    if not text or not style:
        return _ZERO
    best = fitted(text, style, width)
    fewest = len(best.lines)
    if fewest > 1 and best.size > style.floor:
        fewest = len(floored(text, style, width).lines)
    return Extent(height(len(best.lines), style, best.size), min_height(fewest, style, style.floor))


def _art_widths(box: Box, room: float | None) -> Extent:
    natural = (room or 0.0) * box.aspect
    return Extent(natural, 0.0 if fixed_height(box) is None else natural)


def _art_heights(box: Box, width: float) -> Extent:
    aspect = box.aspect
    natural = max(0.0, width) / aspect if aspect else 0.0
    return Extent(natural, 0.0 if fixed_width(box) is None else natural)


def _rule(box: Box, _: float | None) -> Extent:
    thickness = box.get("stroke_width", RULE)
    return Extent(thickness, thickness)


_WIDTHS: Mapping[str, Callable[[Box, float | None], Extent]] = {
    "face": _column_widths,
    "column": _column_widths,
    "stack": _column_widths,
    "at": _column_widths,
    "row": lambda box, room: total(row_claims(box, room), box.get("gap", 0.0)),
    "grid": _grid_widths,
    "text": _text_widths,
    "icon": _art_widths,
    "image": _art_widths,
    "path": _art_widths,
    "qr": _art_widths,
    MISSING: _art_widths,
    "line": _rule,
}
_HEIGHTS: Mapping[str, Callable[[Box, float], Extent]] = {
    "face": lambda box, width: total(column_claims(box, width), box.get("gap", 0.0)),
    "column": lambda box, width: total(column_claims(box, width), box.get("gap", 0.0)),
    "row": _row_heights,
    "grid": _grid_heights,
    "stack": _stack_heights,
    "at": _stack_heights,
    "text": _text_heights,
    "icon": _art_heights,
    "image": _art_heights,
    "path": _art_heights,
    "qr": _art_heights,
    MISSING: _art_heights,
    "line": _rule,
}
