"""Where the children of a box lie in it: columns, rows, grids, stacks, and fixed places."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from ..faces.kinds import Percent
from . import measure
from .boxes import Box, Builder
from .rect import ON_TRIM, Rect
from .share import shared, starts
from .text import has, needs

Arrange = Callable[[Builder, Box, Rect], list[Rect]]


def _column(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    flow, gap, align = box.flow, box.get("gap", 0.0), box.get("align", "stretch")
    widths = [measure.across(child, inside.width, align) for child in flow]
    _check_each(builder, flow, widths, inside.width, "wide")
    heights, over = shared(measure.column_claims(box, inside.width), inside.height - measure.gaps(gap, len(flow)))
    _check(builder, box, inside.height, over, "high")
    tops = starts(heights, inside.height, gap, box.get("justify", "start"))
    return [Rect(inside.x + _aligned(align, inside.width - width), inside.y + top, width, height)
            for top, width, height in zip(tops, widths, heights, strict=True)]


def _row(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    flow, gap, align = box.flow, box.get("gap", 0.0), box.get("align", "stretch")
    widths, over = measure.row_widths(box, inside.width, inside.height)
    _check(builder, box, inside.width, over, "wide")
    heights = [measure.down(child, width, inside.height, align) for child, width in zip(flow, widths, strict=True)]
    _check_each(builder, flow, heights, inside.height, "high")
    lefts = starts(widths, inside.width, gap, box.get("justify", "start"))
    return [Rect(inside.x + left, inside.y + _aligned(align, inside.height - height), width, height)
            for left, width, height in zip(lefts, widths, heights, strict=True)]


def _stack(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    return [_in_cell(builder, box, child, inside) for child in box.flow]


def _grid(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    between_rows, between_columns = measure.grid_gaps(box)
    widths, over = measure.column_widths(box, inside.width)
    _check(builder, box, inside.width, over, "wide")
    heights, over = measure.row_heights(box, widths, inside.height)
    _check(builder, box, inside.height, over, "high")
    lefts, tops = starts(widths, 0.0, between_columns, "start"), starts(heights, 0.0, between_rows, "start")
    return [_in_cell(builder, box, child, Rect(inside.x + left, inside.y + top, width, height))
            for row, top, height in zip(measure.cells(box), tops, heights, strict=False)
            for child, left, width in zip(row, lefts, widths, strict=False)]


def _in_cell(builder: Builder, box: Box, child: Box, cell: Rect) -> Rect:
    """Where a child of a stack or grid lies in its cell."""
    align, justify = box.get("align", "stretch"), box.get("justify", "stretch")
    width = measure.across(child, cell.width, justify)
    height = measure.down(child, width, cell.height, align)
    _check_each(builder, [child], [width], cell.width, "wide")
    _check_each(builder, [child], [height], cell.height, "high")
    return Rect(cell.x + _aligned(justify, cell.width - width), cell.y + _aligned(align, cell.height - height),
                width, height)


ARRANGED: Mapping[str, Arrange] = {
    "face": _column, "column": _column, "row": _row, "grid": _grid, "stack": _stack, "at": _stack,
}


def _aligned(word: str, left: float) -> float:
    return {"center": left / 2, "end": left}.get(word, 0.0)


def _check(builder: Builder, box: Box, room: float, over: float, how: str) -> None:
    if over > ON_TRIM:
        builder.bad(box.element, f": needs {needs(max(0.0, room) + over)} mm, has {has(room)} mm",
                    f"what is in it is too {how}")


def _check_each(builder: Builder, boxes: Sequence[Box], sizes: Sequence[float], room: float, how: str) -> None:
    for box, size in zip(boxes, sizes, strict=True):
        if size > max(room, 0.0) + ON_TRIM:
            builder.bad(box.element, f": needs {needs(size)} mm, has {has(room)} mm",
                        f"too {how} for the box around it")


# ---- fixed places -------------------------------------------------------------------------------------------------

def fixed_place(box: Box, inside: Rect) -> Rect:
    """Where an `at` lies, given the inner box of its parent."""
    x, y = _part(box.get("x", 0.0), inside.width), _part(box.get("y", 0.0), inside.height)
    width = _part(box.get("width", inside.width - x), inside.width)
    height = _part(box.get("height", inside.height - y), inside.height)
    return Rect(inside.x + x, inside.y + y, width, height)


def line_ends(box: Box, inside: Rect) -> Rect:
    """From the first end of a line to the other, width and height below 0 where it runs left or up."""
    x1, y1 = _part(box.get("x1", 0.0), inside.width), _part(box.get("y1", 0.0), inside.height)
    x2, y2 = _part(box.get("x2", x1), inside.width), _part(box.get("y2", y1), inside.height)
    return Rect(inside.x + x1, inside.y + y1, x2 - x1, y2 - y1)


def _part(length: float | Percent, whole: float) -> float:
    return length.of(whole) if isinstance(length, Percent) else length


def over_edges(box: Rect, around: Rect) -> str:
    """By how much a box leaves another one, side by side."""
    over = {"left": around.x - box.x, "top": around.y - box.y, "right": box.right - around.right,
            "bottom": box.bottom - around.bottom}
    return ", ".join(f"{needs(length)} mm over its {side} edge" for side, length in over.items() if length > ON_TRIM)
