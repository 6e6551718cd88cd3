"""What is drawn on a sheet: the snake as a line, the blocks with an outline each, and the reserve as it was used."""

from __future__ import annotations

from ...rules.copies import Strokes
from .book import Judged


def drawn(sheet: Judged) -> Strokes:
    """A line through the boxes of the snake, outlines round those of the blocks and round the light fields that are
    open, used numbers of the reserve crossed out; by the ids of the fields."""
    snake = tuple(sheet.box_id(place) for _, place in sheet.drawn_snake)
    blocks = tuple(tuple(map(sheet.box_id, block.boxes)) for _, block in sheet.drawn_blocks)
    light = tuple((saved.id,) for saved in sheet.reserve[sheet.known.dark:] if saved.open)
    crossed = tuple(saved.id for saved in sheet.reserve if saved.crossed)
    marks = {saved.id: str(saved.number or "") for saved in sheet.reserve if saved.crossed or not saved.open}
    return Strokes((snake,) if snake else (), blocks + light, crossed, marks, ("snake", "blocks"))
