"""A drawing as lines of text: what the finding is about stands in brackets, in colour too where there is some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .drawn_nouns import Cell, Drawing, Piece
from .letters import Paint, columns

_GAP = 2


def drawn(drawing: Drawing, paint: Paint, style: str, width: int) -> Iterator[str]:
    """The lines of a drawing, `width` columns wide where that can be: a wider table goes on below, column by column."""
    if drawing.grid:
        yield from _grid(drawing, paint, style)
        return
    heads = [tuple((Piece(head),) for head in drawing.head)] if drawing.head else []
    rows = [*heads, *drawing.rows]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for start, end in _blocks(widths, width):
        for number, row in enumerate(rows):
            line = _line(row[start:end], widths[start:end], paint, "" if number or not drawing.head else "quiet", style)
            yield line.rstrip()


def _blocks(widths: Sequence[int], room: int) -> Iterator[tuple[int, int]]:
    start, taken = 0, 0
    for place, width in enumerate(widths):
        if place > start and taken + width > room:
            yield start, place
            start, taken = place, 0
        taken += width + _GAP
    yield start, len(widths)


def _line(row: Sequence[Sequence[Piece]], widths: Sequence[int], paint: Paint, quiet: str, style: str) -> str:
    cells = []
    for cell, width in zip(row, widths, strict=True):
        words = " ".join(_piece(piece, paint, style) for piece in cell)
        if quiet and words:
            words = paint(words, quiet)
        cells.append(words + " " * (width - _width(cell)))
    return (" " * _GAP).join(cells)


def _width(cell: Sequence[Piece]) -> int:
    return sum(columns(piece.text) + 2 * piece.marked for piece in cell) + max(0, len(cell) - 1)


def _piece(piece: Piece, paint: Paint, style: str) -> str:
    return paint(f"[{piece.text}]", style) if piece.marked else piece.text


def _grid(drawing: Drawing, paint: Paint, style: str) -> Iterator[str]:
    """Every cell as wide as the widest mark, with room for brackets on both sides."""
    left = max(columns(row[0][0].text) for row in drawing.rows)
    width = max((columns(piece.text) for row in drawing.rows for cell in row[1:] for piece in cell), default=1)
    for first, *cells in drawing.rows:
        label = " " * (left - columns(first[0].text)) + first[0].text
        yield (label + " " + "".join(_square(cell, width, paint, style) for cell in cells)).rstrip()


def _square(cell: Cell, width: int, paint: Paint, style: str) -> str:
    piece, = cell
    words = piece.text + " " * (width - columns(piece.text))
    return paint(f"[{words}]", style) if piece.marked else f" {words} "
