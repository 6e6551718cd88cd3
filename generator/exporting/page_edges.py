"""What is seen along the cut of a page: art that ends there, and texts that are too close to it. Drawn by pdfium."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from ..errors import shortened
from .raster import pdfium

Box: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top in points."""
Points: TypeAlias = tuple[tuple[float, float], ...]
Rim: TypeAlias = Sequence[tuple[tuple[float, float], tuple[float, float]]]
"""Points just inside the outline of a card, each with the point in the bleed beside it."""
_SHARE = 0.03
_DPI = 100
_MAX_PIXELS = 30_000_000
"""The size of the image of a page: very large ones are drawn with less resolution."""
_WHITE = 250
_INSIDE, _OUTSIDE = 0.4, 0.5
"""How far inside the cut and how far inside the outer edge of the bleed is looked, in mm."""
_NOTHING = 1e6
"""Far beyond the page, where everything is white."""
_LEAST = 1.5
"""The shortest part of an edge that counts, in mm: a line that ends at the cut is shorter."""
_POINTS = 72 / 25.4
_TOLERANCE = 0.15
"""How far a text may reach out of the safe area, in mm: pdfium's boxes are a little larger than letters."""
_MAX_TEXTS = 20
"""The most texts of a page that are reported."""


class Edge(NamedTuple):
    """A part of an edge without bleed: its place in words, and its ends in points."""

    where: str
    points: Points


class OutsideText(NamedTuple):
    """A text beyond the safe area."""

    text: str
    message: str
    points: Points


def bare_edges(
    data: bytes, boxes: Sequence[tuple[Box, Box, Box]], bleed: float, shapes: Mapping[int, Rim] | None = None
) -> Iterator[tuple[int, Edge]]:
    """The parts of edges where art ends at the cut: coloured inside, white in the bleed. `boxes` are the trim box, the
    bleed box and the media box of each page, and `bleed` is how wide it should be, in points. Each comes with the index
    of its page. Pages that are cut to another shape have their `shapes`."""
    document = pdfium().PdfDocument(data)
    try:
        for number, (trim, box, media) in enumerate(boxes):
            page = document[number]
            dpi = min(_DPI, 72 * (_MAX_PIXELS / max(1.0, page.get_width() * page.get_height())) ** 0.5)
            image = page.render(scale=dpi / 72, draw_annots=False).to_pil().convert("L")
            page.close()
            drawn = _Drawn(image, media, dpi)
            rim = shapes.get(number) if shapes else None
            for edge in _bare_rim(drawn, rim) if rim else _bare(drawn, trim, box, bleed):
                yield number, edge
    finally:
        document.close()


class _Drawn(NamedTuple):
    """A page as it is seen: its image in grey, its media box, and the resolution."""

    image: Any
    media: Box
    dpi: float

    def level(self, across: float, along: float, upright: bool) -> int:
        """The grey level at a point of the page; white outside it."""
        x, y = (across, along) if upright else (along, across)
        column, row = int((x - self.media[0]) * self.dpi / 72), int((self.media[3] - y) * self.dpi / 72)
        if not (0 <= column < self.image.width and 0 <= row < self.image.height):
            return 255
        return int(self.image.getpixel((column, row)))


def _bare(drawn: _Drawn, trim: Box, box: Box, bleed: float) -> Iterator[Edge]:
    left, bottom, right, top = trim
    inside, outside = _INSIDE * _POINTS, _OUTSIDE * _POINTS
    margins = (left - box[0], bottom - box[1], box[2] - right, box[3] - top)
    beyond = [bleed - outside if margin > bleed - outside else _NOTHING for margin in margins]
    sides = (
        ("on the left", True, left + inside, left - beyond[0]),
        ("at the bottom", False, bottom + inside, bottom - beyond[1]),
        ("on the right", True, right - inside, right + beyond[2]),
        ("at the top", False, top - inside, top + beyond[3]),
    )
    for where, upright, near, far in sides:
        start, end = (bottom, top) if upright else (left, right)
        steps = max(2, round((end - start) / _POINTS / 0.5))
        run: list[float] = []
        for step in range(steps + 1):
            along = start + inside + (end - start - 2 * inside) * step / steps
            bare = drawn.level(near, along, upright) < _WHITE <= drawn.level(far, along, upright)
            if bare:
                run.append(along)
            if run and (not bare or step == steps):
                if run[-1] - run[0] >= _LEAST * _POINTS:
                    yield Edge(where, _ends(run, near, upright))
                    break
                run = []


def _bare_rim(drawn: _Drawn, rim: Rim) -> Iterator[Edge]:
    """The part of another outline where art ends, if it is more than a few points."""
    bare = [near for near, far in rim if drawn.level(*near, True) < _WHITE <= drawn.level(*far, True)]
    if len(bare) > len(rim) * _SHARE:
        yield Edge("along the outline", tuple(bare))


def _ends(run: Sequence[float], at: float, upright: bool) -> Points:
    return ((at, run[0]), (at, run[-1])) if upright else ((run[0], at), (run[-1], at))


def outside_texts(data: bytes, boxes: Sequence[tuple[Box, Box, Box]], safe: float) -> Iterator[tuple[int, OutsideText]]:
    """The texts that reach out of the safe area, `safe` points inside the trim."""
    document = pdfium().PdfDocument(data)
    try:
        for number, (trim, _, _) in enumerate(boxes):
            page = document[number]
            texts = page.get_textpage()
            for count, found in enumerate(_outside(texts, trim, safe)):
                if count < _MAX_TEXTS:
                    yield number, found
            texts.close()
            page.close()
    finally:
        document.close()


def _outside(texts: Any, trim: Box, safe: float) -> Iterator[OutsideText]:
    for number in range(texts.count_rects()):
        left, bottom, right, top = texts.get_rect(number)
        excess = {
            "left": trim[0] + safe - left,
            "bottom": trim[1] + safe - bottom,
            "right": right - (trim[2] - safe),
            "top": top - (trim[3] - safe),
        }
        side, most = max(excess.items(), key=lambda pair: pair[1])
        if most <= _TOLERANCE * _POINTS:
            continue
        text = " ".join(texts.get_text_bounded(left, bottom, right, top).split())
        if not text:
            continue
        room = (safe - most) / _POINTS
        place = f"at the {side}" if side in ("top", "bottom") else f"on the {side}"
        message = f"{room:.1f} mm from the cut {place}" if room >= 0 else f"cut off {place}"
        yield OutsideText(shortened(text, 40), message, ((left, bottom), (right, top)))
