"""Faces without transparency: transparent items and all that is under them become a picture. What is above them or
beside them, such as most texts, stays as it is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, field
from msgspec.structs import replace

from .. import pdf
from ..errors import noting
from ..geometry.frame import (
    Frame,
    Gradient,
    Group,
    Icon,
    Image,
    Item,
    Page,
    Paint,
    Placed,
    Run,
    Shape,
    leaves,
    ungrouped,
)
from ..geometry.outlines import Rect, bounds, rect, transformed
from ..layout.safety import box_of
from ..model.game import Theme
from ..pdf import Info
from ..reading.targets import MM_PER_INCH
from .raster import PagePicture, pictures_of

DPI = 350
"""The resolution of the pictures: sharp enough for edges of art, too."""
MAX_PIXELS = 45_000_000
"""The size of the largest picture: large boards get a lower resolution."""
_LETTERS = 0.35
"""How far letters may reach beyond the box of their text, in type sizes."""
_TRANSPARENT = re.compile(rb"/SMask|/ca [\d.]+/CA")


class Flattener(Struct):
    """Flattens the faces of one export. Pictures go into `folder`, which must last until the PDF is written; `count` is
    how many there are."""

    theme: Theme
    folder: Path
    count: int = 0
    known: dict[tuple[str, str, str], bool] = field(default_factory=dict)

    def flat(self, frame: Frame) -> Frame:
        """The frame without transparency."""
        items = tuple(ungrouped(frame.items))
        drawn = self._to_draw(items)
        if not drawn:
            return frame
        picture = self._picture(replace(frame, items=tuple(items[number] for number in sorted(drawn))))
        return replace(frame, items=(picture, *(item for number, item in enumerate(items) if number not in drawn)))

    def _to_draw(self, items: Sequence[Item]) -> set[int]:
        """The numbers of the items for the picture: transparent ones, and those that are under one of the picture. The
        picture is painted first, so nothing else may be under it."""
        transparent = {number for number, item in enumerate(items) if self._is_transparent(item)}
        if not transparent:
            return transparent
        boxes = [_box(item) for item in items]
        drawn: set[int] = set()
        for number in reversed(range(len(items))):
            if number in transparent or any(_overlap(boxes[number], boxes[above]) for above in drawn):
                drawn.add(number)
        return drawn

    def _picture(self, frame: Frame) -> Image:
        bleed = frame.bleed
        width, height = frame.width + 2 * bleed, frame.height + 2 * bleed
        page = Page(width, height, (Placed(frame, bleed, bleed, turn=0, clip=(bleed,) * 4),))
        document = pdf.write([page], self.theme, info=Info(title="art"), max_dpi=2 * DPI)
        scale = min(DPI / MM_PER_INCH, (MAX_PIXELS / (width * height)) ** 0.5)
        pixels = round(width * scale), round(height * scale)
        (image,) = pictures_of(document, [PagePicture(frame.name, 0, pixels)])
        self.count += 1
        file = self.folder / f"art-{self.count}.png"
        image.save(file, compress_level=1)
        return Image(str(file), -bleed, -bleed, width=width, height=height)

    def _is_transparent(self, item: Item) -> bool:
        if isinstance(item, Group):
            return 0 < item.opacity < 1 or any(map(self._is_transparent, item.items))
        if isinstance(item, Shape):
            return _has_alpha(item.fill) or _has_alpha(item.stroke)
        if isinstance(item, Image):
            return self._drawn_with_alpha(replace(item, clip=None), ("image", item.file, ""))
        if isinstance(item, Icon):
            return _has_alpha(item.colour) or self._drawn_with_alpha(item, ("icon", item.name, item.colour))
        return isinstance(item, Run) and _has_alpha(item.colour)

    def _drawn_with_alpha(self, item: Icon | Image, key: tuple[str, str, str]) -> bool:
        """Whether the file of an icon or picture is drawn with transparency: it is tried once."""
        if key not in self.known:
            small = replace(item, x=0.0, y=0.0, width=10.0, height=10.0)
            page = Page(10.0, 10.0, (Placed(Frame(key[1], 10.0, 10.0, (small,)), 0.0, 0.0),))
            with noting():  # the picture is not this small in print
                document = pdf.write([page], self.theme, info=Info(title=key[1]))
            self.known[key] = bool(_TRANSPARENT.search(document))
        return self.known[key]


def _box(item: Item) -> Rect:
    """A box around an item and its stroke."""
    boxes: list[tuple[float, float, float, float]] = []
    for leaf, matrix in leaves([item]):
        if isinstance(leaf, Shape):
            reach = leaf.stroke_width * 2 if leaf.stroke else 0.0
            left, top, right, bottom = bounds(leaf.path)
            box = Rect(left - reach, top - reach, right - left + 2 * reach, bottom - top + 2 * reach)
        elif isinstance(leaf, Image):
            box = Rect(*(leaf.clip or (leaf.x, leaf.y, leaf.width, leaf.height)))
        else:
            box = box_of(leaf)
            more = _LETTERS * leaf.size + leaf.outline if isinstance(leaf, Run) else 0.0
            box = box.grown(more, more, more, more)
        boxes.append(bounds(transformed(rect(*box), matrix)))
    if not boxes:
        return Rect(0.0, 0.0, 0.0, 0.0)
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    return Rect(left, top, max(box[2] for box in boxes) - left, max(box[3] for box in boxes) - top)


def _overlap(first: Rect, second: Rect) -> bool:
    return first.x < second.right and second.x < first.right and first.y < second.bottom and second.y < first.bottom


def _has_alpha(paint: Paint | None) -> bool:
    colours = [stop.colour for stop in paint.stops] if isinstance(paint, Gradient) else [paint or ""]
    return any(len(colour) == 9 and colour[7:].lower() != "ff" for colour in colours)
