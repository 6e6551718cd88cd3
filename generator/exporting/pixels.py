"""Sides as images in memory, for sheets of cards and files that hold pictures."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from hashlib import sha256
from io import BytesIO
from typing import Any, NamedTuple

from ..geometry.frame import Frame
from .canvas import Canvas
from .images import written_pages
from .raster import JPEG_QUALITY, Picture, batches, pictures_of
from .sides import BookPage, Order, Piece, Side

HASH = 10
"""How many digits of its digest the name of a picture has: programs keep pictures by their names."""


class Shown(NamedTuple):
    """A side to draw, on a canvas, in pixels."""

    side: Side
    canvas: Canvas
    back: bool
    pixels: tuple[int, int]


def drawn(order: Order, sides: Iterable[Shown]) -> Iterator[Any]:
    """The sides as Pillow images in RGB, a few at a time."""
    for batch in batches(sides):
        pages = [each.canvas.page(each.side, back=each.back) for each in batch if isinstance(each.side, Frame)]
        framed = [each for each in batch if isinstance(each.side, Frame)]
        pictures = [Picture("a picture", number, each.pixels, 0.0) for number, each in enumerate(framed)]
        images = pictures_of(written_pages(order, pages), pictures) if pages else iter(())
        for each in batch:
            if isinstance(each.side, BookPage):
                page = Picture("a page", each.side.number, each.pixels, 0.0)
                yield from pictures_of(each.side.document, [page])
            else:
                yield next(images)


def upright(canvas: Canvas) -> Canvas:
    """The canvas in portrait: cards on their side are turned."""
    if canvas.width <= canvas.height:
        return canvas
    x, y, width, height = canvas.trim
    return replace(
        canvas,
        width=canvas.height,
        height=canvas.width,
        pixels=canvas.pixels[::-1],
        trim=(y, x, height, width),
        x=canvas.y,
        y=canvas.x,
        turn=90,
    )


def fitted(canvas: Canvas, longest: int, most: float = 300 / 25.4) -> tuple[int, int]:
    """The pixels of a canvas whose longer side has at most this many, and at most this many pixels a millimetre."""
    scale = min(longest / max(canvas.width, canvas.height), most)
    return max(1, round(canvas.width * scale)), max(1, round(canvas.height * scale))


def jpeg(image: Any, quality: int = JPEG_QUALITY) -> bytes:
    stream = BytesIO()
    image.save(stream, "JPEG", quality=quality, subsampling=0)
    return stream.getvalue()


def png(image: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def hashed_name(stem: str, data: bytes, ending: str) -> str:
    """A file name that changes with the content of the file."""
    return f"{stem}-{sha256(data).hexdigest()[:HASH]}.{ending}"


def numbered(pieces: Iterable[Piece], before: Iterable[str]) -> list[Piece | None]:
    """The pieces in a lasting order: those that were in the last export keep their places (None: it is gone), and new
    ones follow."""
    by_name = {piece.name: piece for piece in pieces}
    known = list(before)
    return [by_name.get(name) for name in known] + [by_name[name] for name in by_name if name not in set(known)]
