"""A face and a theme → a frame: every box at its place, every text at the size that fits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from ..definitions.models import Theme
from ..errors import InputError, Place, Problem
from ..faces.nouns import Face
from ..records import dataclass
from . import content
from .arrange import ARRANGED, fixed_place, line_ends, over_edges
from .boxes import NO_SIDES, Asked, Box, Builder, Opening
from .frame import Frame
from .ink import Ink, Stroke
from .pencil import pencilled
from .rect import ON_TRIM, Rect
from .share import Extent
from .text import has, needs

_NO_MARKS: Mapping[str, str] = MappingProxyType({})
_NO_RINGS: Mapping[str, int] = MappingProxyType({})


def place(face: Face, theme: Theme, *, marks: Mapping[str, str] = _NO_MARKS,
          rings: Mapping[str, int] = _NO_RINGS) -> Frame:
    """The frame of a face.

    `marks` are written into the slots of those ids (`"x"` is drawn as a cross), numbered `rings` drawn round them.
    Raises InputError with every problem of the face: what does not fit (in mm), what a font or the theme does not
    have, ids without a slot.
    """
    builder = Builder(face, theme)
    ink = _inked(builder)
    builder.problems += pencilled(ink, theme, face, marks, rings)
    _raise(builder)
    return Frame(face.name, *face.size, tuple(ink.items), face.bleed, face.safe)


@dataclass(frozen=True, slots=True)
class Laid:
    """The frame of a stencil with the values of one card, where it can be filled anew, and what was asked of the texts
    there before it was known where they lie."""

    frame: Frame
    openings: list[Opening]
    asked: list[tuple[Asked, Extent]]


def laid(face: Face, theme: Theme, values: Sequence[str]) -> Laid:
    """The face of a stencil laid out with the values of one card; raises InputError as `place` does, and ValueError
    where a value is no running text."""
    builder = Builder(face, theme, values)
    ink = _inked(builder)
    frame = Frame(face.name, *face.size, tuple(ink.items), face.bleed, face.safe)
    return Laid(frame, builder.openings, builder.asked)


def _inked(builder: Builder) -> Ink:
    """Everything on the builder's face at its place."""
    face = builder.face
    root = builder.build(face.root)
    _raise(builder)
    trim = Rect(0.0, 0.0, *face.size)
    ink = Ink(trim, face.bleed)
    _lay(builder, root, ink, trim)
    _raise(builder)
    return ink


def _raise(builder: Builder) -> None:
    if builder.problems:
        where = Place(builder.face.template)
        raise InputError([Problem(problem.message, problem.place or where, problem.hint)
                          for problem in builder.problems])


def _lay(builder: Builder, box: Box, ink: Ink, rect: Rect) -> None:
    """A box, its edges at `rect` in the coordinates of `ink`, and everything in it, in the order it is painted."""
    top, right, bottom, left = box.padding
    inside = rect.grown(-left, -top, -right, -bottom) if box.padding is not NO_SIDES else rect
    if min(inside.width, inside.height) < -ON_TRIM:
        _padding_too_large(builder, box, rect)
        return
    if box.tag == "slot":
        content.slot(builder, box, ink, rect, inside)
        return
    _background(builder, box, ink, rect)
    outside, inner = ink.on_face(rect), ink
    if box.turn:
        inner = ink.turned(inside, box.turn)
        inside = Rect(0.0, 0.0, *((inside.height, inside.width) if box.sideways else inside[2:]))
    if box.tag in content.CONTENT:
        content.CONTENT[box.tag](builder, box, inner, inside)
    else:
        _children(builder, box, inner, inside, outside)
    if box.tag == "image":
        look = builder.look(box)
        ink.box(rect, None, look.stroke, look.radius, bleed=False)


def _padding_too_large(builder: Builder, box: Box, rect: Rect) -> None:
    top, right, bottom, left = box.padding
    for room, padding, how in ((rect.width, left + right, "wide"), (rect.height, top + bottom, "high")):
        if padding > room + ON_TRIM:
            builder.bad(box.element, f": needs {needs(padding)} mm, has {has(room)} mm",
                        f"its padding alone is too {how}")


def _background(builder: Builder, box: Box, ink: Ink, rect: Rect) -> None:
    attributes = box.element.attributes
    if ("fill" in attributes or "stroke" in attributes) and box.tag not in ("line", "path"):
        look = builder.look(box)
        stroke = Stroke(None) if box.tag == "image" else look.stroke
        ink.box(rect, look.fill, stroke, look.radius, bleed=box.get("bleed", True))


def _children(builder: Builder, box: Box, ink: Ink, inside: Rect, outside: Rect) -> None:
    """The children of a box; `outside` are the box's own edges on the face, which nothing in it may leave (but for
    the bleed)."""
    rects = iter(ARRANGED[box.tag](builder, box, inside) if box.inner else ())
    edges = outside.grown(*ink.reach(outside))
    for child in box.inner:
        if not child.floats:
            _lay(builder, child, ink, next(rects))
            continue
        rect = line_ends(child, inside) if child.tag == "line" else fixed_place(child, inside)
        on_face = ink.on_face(rect)
        if min(rect.width, rect.height) < 0 and child.tag == "at":
            builder.bad(child.element, f": begins {has(-min(rect[2:]))} mm beyond the {box.tag} around it")
        elif not edges.holds(on_face):
            builder.bad(child.element, f": leaves the {box.tag} around it", over_edges(on_face, edges))
        elif child.tag == "line":
            content.line(builder, child, ink, rect)
        else:
            _lay(builder, child, ink, rect)
