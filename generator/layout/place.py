"""Lays out a face in a theme as a frame, with every box in its place and every text at the size that fits."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from msgspec.structs import replace

from ..errors import InputError, refuse
from ..faces.face import Face
from ..faces.kinds import Percent
from ..geometry.frame import Frame, Group, Item, slots
from ..geometry.outlines import ON_TRIM, Cut, Rect
from ..model.game import Theme
from ..text.lines import rounded_down, rounded_up
from . import content, measure
from .boxes import NO_SIDES, QUARTERS, Box, Builder, distribute, starts
from .flaws import Draft, Flaw, Lack, marked, note_lack, safety_flaws
from .ink import Ink, Stroke, tilted

Arrange = Callable[[Builder, Box, Rect], list[Rect]]


def _column(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    flow, gap, align = box.flow, box.get("gap", 0.0), box.get("align", "stretch")
    widths = [measure.across(child, inside.width, align) for child in flow]
    _check_each(builder, flow, widths, inside.width, how="wide")
    heights, over = distribute(
        measure.column_claims(box, inside.width, final=True), inside.height - measure.gaps(gap, len(flow))
    )
    _check(builder, box, inside.height, over, how="high")
    tops = starts(heights, inside.height, gap, box.get("justify", "start"))
    return [
        Rect(inside.x + _aligned(align, inside.width - width), inside.y + top, width, height)
        for top, width, height in zip(tops, widths, heights, strict=True)
    ]


def _row(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    flow, gap, align = box.flow, box.get("gap", 0.0), box.get("align", "stretch")
    widths, over = measure.row_widths(box, inside.width, inside.height)
    _check(builder, box, inside.width, over, how="wide")
    heights = [measure.down(child, width, inside.height, align) for child, width in zip(flow, widths, strict=True)]
    _check_each(builder, flow, heights, inside.height, how="high")
    lefts = starts(widths, inside.width, gap, box.get("justify", "start"))
    return [
        Rect(inside.x + left, inside.y + _aligned(align, inside.height - height), width, height)
        for left, width, height in zip(lefts, widths, heights, strict=True)
    ]


def _stack(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    return [_in_cell(builder, box, child, inside) for child in box.flow]


def _grid(builder: Builder, box: Box, inside: Rect) -> list[Rect]:
    between_rows, between_columns = measure.grid_gaps(box)
    widths, over = measure.column_widths(box, inside.width)
    _check(builder, box, inside.width, over, how="wide")
    heights, over = measure.row_heights(box, widths, inside.height)
    _check(builder, box, inside.height, over, how="high")
    lefts, tops = starts(widths, 0.0, between_columns, "start"), starts(heights, 0.0, between_rows, "start")
    return [
        _in_cell(builder, box, child, Rect(inside.x + left, inside.y + top, width, height))
        for row, top, height in zip(measure.cells(box), tops, heights, strict=False)
        for child, left, width in zip(row, lefts, widths, strict=False)
    ]


def _in_cell(builder: Builder, box: Box, child: Box, cell: Rect) -> Rect:
    """The box of a child in its cell of a stack or grid."""
    align, justify = box.get("align", "stretch"), box.get("justify", "stretch")
    width = measure.across(child, cell.width, justify)
    height = measure.down(child, width, cell.height, align)
    _check_each(builder, [child], [width], cell.width, how="wide")
    _check_each(builder, [child], [height], cell.height, how="high")
    return Rect(
        cell.x + _aligned(justify, cell.width - width), cell.y + _aligned(align, cell.height - height), width, height
    )


ARRANGE: Mapping[str, Arrange] = {
    "face": _column,
    "column": _column,
    "row": _row,
    "grid": _grid,
    "stack": _stack,
    "at": _stack,
}


def _aligned(word: str, left: float) -> float:
    return {"center": left / 2, "end": left}.get(word, 0.0)


def _check(builder: Builder, box: Box, room: float, over: float, how: str) -> None:
    if over > builder.tolerance:
        builder.report(
            box.element,
            f": needs {rounded_up(max(0.0, room) + over)} mm, has {rounded_down(room)} mm",
            f"its content is too {how}",
        )


def _check_each(builder: Builder, boxes: Sequence[Box], sizes: Sequence[float], room: float, how: str) -> None:
    for box, size in zip(boxes, sizes, strict=True):
        if size > max(room, 0.0) + builder.tolerance:
            builder.report(
                box.element,
                f": needs {rounded_up(size)} mm, has {rounded_down(room)} mm",
                f"too {how} for the box around it",
            )


# ---- fixed places -------------------------------------------------------------------------------------------------


def fixed_place(box: Box, inside: Rect) -> Rect:
    """The place of an `at` in the inner box of its parent."""
    x, y = _absolute(box.get("x", 0.0), inside.width), _absolute(box.get("y", 0.0), inside.height)
    width = _absolute(box.get("width", inside.width - x), inside.width)
    height = _absolute(box.get("height", inside.height - y), inside.height)
    return Rect(inside.x + x, inside.y + y, width, height)


def line_ends(box: Box, inside: Rect) -> Rect:
    """The box between the ends of a line; its width or height is negative if the line runs left or up."""
    x1, y1 = _absolute(box.get("x1", 0.0), inside.width), _absolute(box.get("y1", 0.0), inside.height)
    x2, y2 = _absolute(box.get("x2", x1), inside.width), _absolute(box.get("y2", y1), inside.height)
    return Rect(inside.x + x1, inside.y + y1, x2 - x1, y2 - y1)


def _absolute(length: float | Percent, whole: float) -> float:
    return length.of(whole) if isinstance(length, Percent) else length


def over_edges(box: Rect, around: Rect) -> str:
    """How far a box extends beyond another, for each side."""
    excess = {
        "left": around.x - box.x,
        "top": around.y - box.y,
        "right": box.right - around.right,
        "bottom": box.bottom - around.bottom,
    }
    return ", ".join(
        f"{rounded_up(length)} mm over its {side} edge" for side, length in excess.items() if length > ON_TRIM
    )


# ---- placing a face


def place(
    face: Face,
    theme: Theme,
    *,
    check: str = "",
    cut: Cut | None = None,
    draft: Draft | None = None,
    lacks: dict[str, Lack] | None = None,
) -> Frame:
    """The frame of a face.

    Raises InputError with every problem of the face: content that does not fit (in mm), colours missing from the theme,
    and with `check`, content beyond the safe area and overlapping slots; `check` is the key of game.yaml that states
    the safe area. The problems of a `draft` are marked instead. Characters that no font has are printed as boxes; they
    are added to `lacks`, or noted.
    """
    found: dict[str, Lack] = {} if lacks is None else lacks
    builder, ink = _evenly_laid_out(face, theme, draft=draft is not None, lacks=found)
    if lacks is None:
        for lack in found.values():
            note_lack(lack, face.name, lack.place)
    frame = Frame(face.name, *face.size, tuple(ink.items), face.bleed, face.safe, cut)
    flaws = list(safety_flaws(frame, face, builder.spans, check)) if check else []
    if draft is None:
        refuse(flaw.problem for flaw in flaws)
        return frame
    inside = Rect(0.0, 0.0, *face.size)
    placed = [Flaw(problem, builder.boxes.get(id(element), inside)) for element, problem in builder.problems]
    return marked(frame, [*placed, *flaws], draft, theme)


def _evenly_laid_out(face: Face, theme: Theme, *, draft: bool, lacks: dict[str, Lack]) -> tuple[Placer, Ink]:
    """Lays out a face until no text is smaller than another one of its role."""
    sizes: dict[str, float] = {}
    while True:
        builder = Placer(face, theme, draft=draft, sizes=sizes, lacks=lacks)
        ink = Ink(Rect(0.0, 0.0, *face.size), face.bleed)
        root = builder.build(face.root)
        _refuse(builder)
        builder.place(root, ink, ink.trim)
        _refuse(builder)
        if not builder.shrunk:
            return builder, ink
        sizes |= builder.shrunk


def _refuse(builder: Builder) -> None:
    if builder.problems and not builder.draft:
        raise InputError([problem for _, problem in builder.problems])


class Placer(Builder):
    """Places the boxes of a face and paints them."""

    def place(self, box: Box, ink: Ink, rect: Rect) -> None:
        """Paints a box whose edges are at `rect`, in the coordinates of `ink`, then everything inside it."""
        if is_direct(box):
            paint_box(self, box, ink, rect)
            return
        start, first_span = len(ink.items), len(self.spans)
        bleed = ink.bleed if box.turn in QUARTERS and box.get("clip", "none") == "none" else 0.0
        paint_box(self, box, replace(ink, bleed=bleed), rect)
        ink.items[start:] = as_one(self, box, ink, rect, items=ink.items[start:])
        if box.opacity < 1 or box.get("clip", "none") != "none":
            self.spans[first_span:] = [(start, start + 1, element) for _, _, element in self.spans[first_span:]]

    def arranged(self, box: Box, inside: Rect) -> list[Rect]:
        """The rectangles of the children of a box, besides those that float."""
        return ARRANGE[box.tag](self, box, inside)

    def background(self, box: Box, ink: Ink, rect: Rect) -> None:
        """Paints the fill and the outline of a box."""
        attributes = box.element.attributes
        if ("fill" in attributes or "stroke" in attributes) and box.tag not in ("line", "path"):
            look = self.look(box, rect)
            stroke = Stroke(None) if box.tag == "image" else look.stroke
            ink.box(rect, look.fill, stroke, look.radius, bleed=box.get("bleed", True))

    def content(self, box: Box, ink: Ink, inside: Rect) -> None:
        """Paints the text or the art of a box."""
        if box.tag in ("text", "line") or content.has_room(self, box, inside):
            content.CONTENT[box.tag](self, box, ink, inside)

    def line(self, box: Box, ink: Ink, ends: Rect) -> None:
        """Paints a line between two points: the top left corner of `ends` and the bottom right one."""
        start = len(ink.items)
        content.line(self, box, ink, ends)
        ink.items[start:] = _faded(ink.items[start:], box.opacity)


def is_direct(box: Box) -> bool:
    """Whether the items of a box are painted one by one: not turned together, transparent or clipped."""
    return box.turn in QUARTERS and box.opacity == 1 and box.get("clip", "none") == "none"


def as_one(builder: Builder, box: Box, ink: Ink, rect: Rect, items: list[Item]) -> list[Item]:
    """The items of a box, which have been painted upright, clipped to it, turned and faded together."""
    clip = box.get("clip", "none")
    if clip != "none" and items:
        items = [Group(tuple(items), clip=Cut(clip).turned(ink.turn).path(*ink.on_face(rect)))]
    if box.turn not in QUARTERS:
        matrix = ink.rotation(rect, box.turn)
        items = [tilted(item, matrix, box.turn) for item in items]
        if slot := next(slots(items), None):
            builder.report(box.element, f" turns the slot “{slot.id}”", "turn slots by 90, 180 or 270 degrees only")
    return _faded(items, box.opacity)


def _faded(items: list[Item], opacity: float) -> list[Item]:
    """A group of the items unless they are opaque."""
    return [Group(tuple(items), opacity)] if opacity < 1 and items else items


def paint_box(builder: Placer, box: Box, ink: Ink, rect: Rect) -> None:
    """Paints a box and everything inside it, without turning, clipping or fading it."""
    if builder.draft:
        builder.boxes[id(box.element)] = ink.on_face(rect)
    if box.padding is NO_SIDES:
        inside = rect
    else:
        top, right, bottom, left = box.padding
        inside = rect.grown(-left, -top, -right, -bottom)
    if min(inside.width, inside.height) < -ON_TRIM:
        _padding_too_large(builder, box, rect)
        return
    start, tag = len(ink.items), box.tag
    if tag == "slot":
        content.slot(builder, box, ink, rect, inside=inside)
        builder.spans.append((start, len(ink.items), box.element))
        return
    builder.background(box, ink, rect)
    outside, inner = ink.on_face(rect), ink
    if box.turn in QUARTERS[1:]:
        inner = ink.turned(inside, box.turn)
        inside = Rect(0.0, 0.0, *((inside.height, inside.width) if box.sideways else inside[2:]))
    if tag in content.CONTENT:
        builder.content(box, inner, inside)
        builder.spans.append((start, len(ink.items), box.element))
    else:
        _children(builder, box, inner, inside, outside=outside)
    if tag == "image":
        look = builder.look(box, rect)
        ink.box(rect, None, look.stroke, look.radius, bleed=False)


def _padding_too_large(builder: Builder, box: Box, rect: Rect) -> None:
    top, right, bottom, left = box.padding
    for room, padding, how in ((rect.width, left + right, "wide"), (rect.height, top + bottom, "high")):
        if padding > room + ON_TRIM:
            builder.report(
                box.element,
                f": needs {rounded_up(padding)} mm, has {rounded_down(room)} mm",
                f"its padding alone is too {how}",
            )


def _children(builder: Placer, box: Box, ink: Ink, inside: Rect, outside: Rect) -> None:
    """Lays out the children of a box. `outside` is the box itself on the face; its content may not extend beyond that,
    except into the bleed."""
    rects = iter(builder.arranged(box, inside)) if box.flow else iter(())
    edges = None
    for child in box.inner:
        if child.floats:
            edges = edges or outside.grown(*ink.reach(outside))
            place: Callable[[Box, Ink, Rect], None] = builder.line if child.tag == "line" else builder.place
            rect = line_ends(child, inside) if child.tag == "line" else fixed_place(child, inside)
            on_face = ink.on_face(rect)
            if min(rect.width, rect.height) < 0 and child.tag == "at":
                builder.report(
                    child.element, f": begins {rounded_down(-min(rect[2:]))} mm beyond the {box.tag} around it"
                )
            elif edges.holds(on_face):
                place(child, ink, rect)
            else:
                builder.report(child.element, f": leaves the {box.tag} around it", over_edges(on_face, edges))
                if builder.draft and child.tag != "line":
                    builder.place(child, ink, rect)
        else:
            builder.place(child, ink, next(rects))
