"""A drawing as lines of text: what the finding is about stands in brackets, in colour too where there is some."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from .drawn_nouns import Cell, Drawing, Piece
from .letters import Paint, columns

_GAP = 2


def drawn(drawing: Drawing, paint: Paint, style: str, width: int) -> Iterator[str]:
    """The lines of a drawing, `width` columns wide where that can be: a wider table goes on below, after its first
    column once more."""
    if drawing.grid:
        yield from _grid(drawing, paint, style)
        return
    heads = [tuple((Piece(head),) for head in drawing.head)] if drawing.head else []
    rows = [*heads, *drawing.rows]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for block in _blocks(widths, width):
        if block[-1] >= len(block):
            yield ""
        for number, row in enumerate(rows):
            cells = [(row[place], widths[place]) for place in block]
            yield _line(cells, paint, "" if number or not drawing.head else "quiet", style).rstrip()


def _blocks(widths: Sequence[int], room: int) -> Iterator[list[int]]:
    """The columns that stand beside each other; every block begins with the first one, which says what the rows are."""
    block = [0]
    for place in range(1, len(widths)):
        if len(block) > 1 and sum(widths[one] + _GAP for one in block) + widths[place] > room:
            yield block
            block = [0]
        block.append(place)
    yield block


def _line(row: Sequence[tuple[Cell, int]], paint: Paint, quiet: str, style: str) -> str:
    cells = []
    for cell, width in row:
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
