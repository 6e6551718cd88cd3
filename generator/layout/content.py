"""Draws the content of boxes: text, icons, pictures, drawings, rules and slots."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache

from ..art.picture_files import cut_out
from ..art.svg_values import segments
from ..faces.face import MISSING
from ..geometry import outlines
from ..geometry.frame import Group, Shape, Slot
from ..geometry.outlines import ON_TRIM, Rect
from ..model import colours
from ..text.lines import colour, fitted, rounded_down, rounded_up
from . import flaws
from .boxes import NO_SIDES, VIEW_BOX, Box, Builder
from .ink import NO_REACH, Ink, Stroke, write

Content = Callable[[Builder, Box, Ink, Rect], None]
MAX_CROPPED, MAX_CROPPED_CUT_OUT = 0.6, 0.1
"""The largest share of a picture with `fit="auto"` that may be cropped; less of one without a background."""
QR_BYTES = {"L": 2953, "M": 2331, "Q": 1663, "H": 1273}
"""The capacity of the largest QR code (ISO/IEC 18004:2015, table 7)."""
MIN_MODULE = 0.25
"""The smallest module, in mm, that phones can read from an ordinary printer's output."""
MIN_CONTRAST = 3.0


# ---- text ---------------------------------------------------------------------------------------------------------


def _text(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    text, style = box.text, box.style
    if not text or not style:
        return
    if text.lines:
        fit = fitted(text, style, inside.width, inside.height)
        if fit.shortfall:
            builder.report(box.element, f": {fit.shortfall}", fit.hint)
            if builder.draft:
                flaws.cut_to(ink, fit, style, inside)
        else:
            if style.role and fit.size < style.size:
                builder.shrunk[style.role] = min(fit.size, builder.shrunk.get(style.role, fit.size))
            write(ink, fit, style, inside)


# ---- art ----------------------------------------------------------------------------------------------------------


def _icon(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    paint, start = colour(box.get("colour", "ink"), builder.theme), len(ink.items)
    drawing = contained(box.aspect, inside, covering=box.get("fit", "contain") == "cover")
    ink.icon(box.get("name"), drawing, paint)
    if not inside.holds(drawing):
        ink.items[start:] = [Group(tuple(ink.items[start:]), clip=outlines.rect(*ink.on_face(inside)))]


def _image(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    file, radius = str(box.get("file")), box.get("radius", NO_SIDES)
    fit, focus = box.get("fit", "contain"), box.get("focus", (0.5, 0.5))
    top, right, bottom, left = box.padding
    outer = inside.grown(left, top, right, bottom) if fit == "auto" else inside
    if beyond := _bleed_of(builder, box, ink, outer):
        picture = contained(box.aspect, outer.grown(*[beyond] * 4), covering=True)
        within, rest = min(beyond, ink.bleed), max(0.0, ink.bleed - beyond)
        ink.image(file, picture, outer.grown(*[within] * 4), (rest,) * 4)
        return
    covering = fit == "cover" or (fit == "auto" and _covers(box, inside))
    inside = outer if covering else inside
    picture = inside if fit == "fill" else contained(box.aspect, inside, covering=covering, focus=focus)
    reach = ink.reach(ink.on_face(picture.common(inside))) if box.get("bleed", True) else NO_REACH
    ink.image(file, picture, inside, reach, radius)


USUAL_BLEEDS = (3.0, 3.175)
"""The bleeds of art in mm: 3 mm and ⅛ in."""
_SAME_ASPECT = 0.0025  # proportions that differ by less than this share are the same: sizes in pixels are rounded


def _bleed_of(builder: Builder, box: Box, ink: Ink, outer: Rect) -> float:
    """The bleed that is part of a picture which fills the face, in mm; 0 if it has none or its proportions do not
    say."""
    stated, face = box.get("bleed"), ink.on_face(outer)
    fills = ink.trim.holds(face) and face.holds(ink.trim)
    if stated == "included" and not fills:
        builder.report(box.element, " has bleed=“included”, but does not fill the face", "remove its bleed")
    if stated not in (None, "included") or not fills:
        return 0.0
    bleeds = (*filter(None, [ink.bleed]), *USUAL_BLEEDS)
    errors = {bleed: _mismatch(box.aspect, outer.grown(*[bleed] * 4)) for bleed in bleeds}
    best = min(errors, key=errors.__getitem__)
    if stated:
        return best
    return best if errors[best] < _SAME_ASPECT and _mismatch(box.aspect, outer) > 2 * _SAME_ASPECT else 0.0


def _mismatch(aspect: float, box: Rect) -> float:
    """The relative difference between these proportions and those of a box."""
    return abs(aspect * box.height / box.width - 1)


def _covers(box: Box, inside: Rect) -> bool:
    """Whether a picture with `fit="auto"` covers its box."""
    aspect = inside.width / inside.height
    lost = 1 - min(box.aspect / aspect, aspect / box.aspect)
    return lost <= MAX_CROPPED_CUT_OUT or (lost <= MAX_CROPPED and not cut_out(str(box.get("file"))))


def contained(aspect: float, box: Rect, *, covering: bool = False, focus: tuple[float, float] = (0.5, 0.5)) -> Rect:
    """The largest box of this aspect that fits inside another; if `covering`, the smallest around it. The point of it
    at `focus` (shares of its width and height) is at the same place in the other."""
    wide = box.width > box.height * aspect
    width, height = (box.width, box.width / aspect) if wide == covering else (box.height * aspect, box.height)
    return Rect(box.x + (box.width - width) * focus[0], box.y + (box.height - height) * focus[1], width, height)


def _missing(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    flaws.crossed(ink, inside, box.get("label"), builder.theme)


def _path(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    left, top, width, _ = box.get("viewbox", VIEW_BOX)
    area = contained(box.aspect, inside)
    scale = area.width / width
    try:
        path = segments(box.get("d"))
    except ValueError as error:
        builder.report(box.element, f": {error}")
        return
    look = builder.look(box, area, fill=None if box.get("stroke") else "ink")
    matrix = (scale, 0.0, 0.0, scale, area.x - left * scale, area.y - top * scale)
    ink.shape(outlines.transformed(path, matrix), look.fill, look.stroke)


def _qr(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    """Draws a QR code; its modules are one path, and its text can be extracted."""
    text, level, quiet = box.get("text"), box.get("error", "M"), box.get("quiet", 4.0)
    rows = modules(text, level)
    if rows is None:
        room = f"at most {QR_BYTES[level]:,} bytes at error level {level}"
        builder.report(
            box.element, f": {len(text.encode()):,} bytes of text, {room}", "shorten it, or choose a lower error="
        )
        return
    area = contained(1.0, inside)
    module = area.width / (len(rows) + 2 * quiet)
    if module < MIN_MODULE:
        needed = rounded_up(MIN_MODULE * (len(rows) + 2 * quiet))
        hint = f"its {len(rows)} modules would be narrower than {MIN_MODULE:g} mm; make it larger, or shorten its text"
        builder.report(box.element, f": needs {needed} mm, has {rounded_down(area.width)} mm", hint)
        return
    left, top = area.x + quiet * module, area.y + quiet * module
    path = tuple(
        segment
        for y, row in enumerate(rows)
        for dark in re.finditer(b"\1+", row)
        for segment in outlines.rect(left + dark.start() * module, top + y * module, len(dark[0]) * module, module)
    )
    paint, background = colour(box.get("colour", "black"), builder.theme), builder.look(box, area, fill="white").fill
    if isinstance(background, str) and colours.brightness(background) < MIN_CONTRAST * colours.brightness(paint):
        builder.report(box.element, " has too little contrast to be read", "make colour= darker, or fill= lighter")
    if "fill" not in box.element.attributes:
        ink.shape(outlines.rect(*area), background, Stroke(None))
    ink.items.append(Group((Shape(outlines.transformed(path, ink.matrix), paint),), alt=text))


@lru_cache(maxsize=256)
def modules(text: str, level: str) -> tuple[bytes, ...] | None:
    """The modules of a QR code, row by row: 1 is dark. None if the text is too long for the error level."""
    import segno  # few faces have QR codes

    try:
        return tuple(map(bytes, segno.make(text, error=level, micro=False).matrix))
    except segno.DataOverflowError:
        return None


def _rule(builder: Builder, box: Box, ink: Ink, inside: Rect) -> None:
    """Draws a rule through its box: vertical in a row, horizontal in a column, otherwise along the longer side."""
    vertical = box.parent == "row" or (box.parent not in ("face", "column") and inside.height > inside.width)
    x, y = inside.x + inside.width / 2, inside.y + inside.height / 2
    ends = Rect(x, inside.y, 0.0, inside.height) if vertical else Rect(inside.x, y, inside.width, 0.0)
    line(builder, box, ink, ends)


def line(builder: Builder, box: Box, ink: Ink, ends: Rect) -> None:
    """Draws a straight line from the top left corner of `ends` to the bottom right one."""
    around = Rect(min(ends.x, ends.right), min(ends.y, ends.bottom), abs(ends.width), abs(ends.height))
    look = builder.look(box, around, stroke="line")
    ink.shape(outlines.line(ends.x, ends.y, ends.right, ends.bottom), None, look.stroke)


# ---- slots --------------------------------------------------------------------------------------------------------


_PILL = 0.45  # the least radius of a box that is ringed, as a share of its height: that of a pill is half of it


def slot(builder: Builder, box: Box, ink: Ink, rect: Rect, inside: Rect) -> None:
    """Draws the outline of a slot at `rect` and adds the slot itself, which excludes its padding."""
    if not has_room(builder, box, inside):
        return
    look, shape, marks = builder.look(box, rect, stroke="line"), box.get("shape", "box"), box.get("marks", ())
    boxes = _boxes(inside, box.get("letters", 0) or len(marks), box.get("columns", 0), box.get("gap", (0.0, 0.0)))
    if min((side for each in boxes for side in (each.width, each.height)), default=1.0) < ON_TRIM:
        builder.report(box.element, ": its boxes have no room", "make the slot larger, or its gap smaller")
        return
    for each in boxes or (rect,):
        if shape == "circle":
            ink.shape(outlines.ellipse(*contained(1.0, each)), look.fill, look.stroke)
        else:
            outline = look.stroke if shape == "box" else Stroke(None)
            ink.box(each, look.fill, outline, look.radius, bleed=box.get("bleed", True))
        if shape == "line":
            ink.shape(outlines.line(each.x, each.bottom, each.right, each.bottom), None, look.stroke)
    pills = marks and min(look.radius) > _PILL * boxes[0].height
    ink.slot(Slot(box.get("id"), *inside, boxes, marks, is_round=bool(shape == "circle" or pills)))


def _boxes(inside: Rect, count: int, columns: int, gaps: tuple[float, float]) -> tuple[Rect, ...]:
    """The boxes of a slot row by row, in equal `columns` (0: in one row); `gaps` are between rows and columns."""
    across = columns or max(count, 1)
    down, (row_gap, column_gap) = -(-count // across), gaps
    if not count:
        return ()
    width, height = (inside.width + column_gap) / across, (inside.height + row_gap) / down
    return tuple(
        Rect(inside.x + n % across * width, inside.y + n // across * height, width - column_gap, height - row_gap)
        for n in range(count)
    )


def has_room(builder: Builder, box: Box, inside: Rect) -> bool:
    """Whether there is room inside a box; reports it if not."""
    if min(inside.width, inside.height) > ON_TRIM:
        return True
    builder.report(
        box.element,
        f": needs a width and a height, has {rounded_down(inside.width)} × {rounded_down(inside.height)} mm",
        "set width and height, or grow",
    )
    return False


CONTENT: Mapping[str, Content] = {
    "text": _text,
    "icon": _icon,
    "image": _image,
    "path": _path,
    "qr": _qr,
    "line": _rule,
    MISSING: _missing,
}
