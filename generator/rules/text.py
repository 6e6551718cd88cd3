"""Writes an answer as text for a terminal: the score as a table, then each problem with its part of the sheet."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import fill

from msgspec import Struct

from .results import (
    Cell,
    Drawing,
    Finding,
    Judged,
    MarkedText,
    Paint,
    Result,
    Score,
    Verdict,
    columns,
    cut,
    filled,
    number_text,
    ordinal,
    unpainted,
)

_DRAWING_GAP = 2


def drawn(drawing: Drawing, paint: Paint, style: str, width: int) -> Iterator[str]:
    """The lines of a drawing, at most `width` columns wide if possible. A wider table continues below and repeats its
    first column."""
    if drawing.grid:
        yield from _grid(drawing, paint, style)
        return
    heads = [tuple((MarkedText(head),) for head in drawing.head)] if drawing.head else []
    rows = [*heads, *drawing.rows]
    widths = [max(map(_width, column)) for column in zip(*rows, strict=True)]
    for number, rest in enumerate(_blocks(widths[1:], width - widths[0] - _DRAWING_GAP, _DRAWING_GAP)):
        block = [0, *(place + 1 for place in rest)]
        if number:
            yield ""
        for index, row in enumerate(rows):
            cells = [(row[place], widths[place]) for place in block]
            yield _line(cells, paint, "" if index or not drawing.head else "quiet", style).rstrip()


def _blocks(widths: Sequence[int], room: int, gap: int) -> Iterator[list[int]]:
    """Groups the numbers of the columns that fit side by side."""
    block: list[int] = []
    for place, width in enumerate(widths):
        if block and sum(widths[other] + gap for other in block) + width > room:
            yield block
            block = []
        block.append(place)
    yield block


def _line(row: Sequence[tuple[Cell, int]], paint: Paint, quiet: str, style: str) -> str:
    cells = []
    for cell, width in row:
        words = " ".join(paint(f"[{piece.text}]", style) if piece.marked else piece.text for piece in cell)
        if quiet and words:
            words = paint(words, quiet)
        cells.append(words + " " * (width - _width(cell)))
    return (" " * _DRAWING_GAP).join(cells)


def _width(cell: Sequence[MarkedText]) -> int:
    return sum(columns(piece.text) + 2 * piece.marked for piece in cell) + max(0, len(cell) - 1)


def _grid(drawing: Drawing, paint: Paint, style: str) -> Iterator[str]:
    """Every cell as wide as the widest mark, with room for brackets on both sides."""
    left = max(columns(row[0][0].text) for row in drawing.rows)
    width = max((columns(piece.text) for row in drawing.rows for cell in row[1:] for piece in cell), default=1)
    for (label,), *cells in drawing.rows:
        squares = [(filled(piece.text, width), piece.marked) for cell in cells for piece in cell]
        line = "".join(paint(f"[{words}]", style) if marked else f" {words} " for words, marked in squares)
        yield f"{' ' * (left - columns(label.text))}{label.text} {line}".rstrip()


# ---- the score as a table

_GAP = "   "
_TABLE_INDENT = "  "
_NAME = 24

Half = tuple[str, str]


class _Column(Struct, frozen=True):
    """A column of the score: a player, or the labels of all players. Each cell has a left and a right half. An
    unfinished game has no ranks."""

    head: Half
    lines: list[Half]
    total: Half
    rank: Half | None
    min_width: int

    @property
    def width(self) -> int:
        cells = [self.head, *self.lines, self.total, *filter(None, [self.rank])]
        return max(
            self.min_width, *(columns(left) + 2 * bool(left and right) + columns(right) for left, right in cells)
        )


def tables(result: Result, paint: Paint, width: int) -> Iterator[str]:
    """The score in tables up to `width` columns wide. If the players' lines differ too much (for example, one line per
    card), each player gets a list."""
    labels = shared_labels(result.scores)
    ranked = result.over and (labels is None or len(result.scores) > 1)
    players = [
        _player(score, ordinal(rank) if ranked else "", labels)
        for score, rank in zip(result.scores, result.ranks, strict=True)
    ]
    first = []
    if labels is not None:
        rank = ("rank", "") if ranked else None
        first = [_Column(("", ""), [(label, "") for label in labels], ("total", ""), rank, min_width=5)]
        width -= first[0].width + len(_TABLE_INDENT)
    for block in _blocks([player.width for player in players], width - len(_GAP), len(_GAP)):
        yield "\n".join(_rows([*first, *(players[place] for place in block)], paint, whole=bool(first)))


def _player(score: Score, rank: str, labels: Sequence[str] | None) -> _Column:
    """The column of a player: points in the order of the labels of all, or a list with labels of its own."""
    name, total = cut(score.player, _NAME), number_text(score.total)
    if labels is None:
        lines = [(line.label, number_text(line.points)) for line in score.lines]
        return _Column((name, ""), lines, ("total", total), ("rank", rank) if rank else None, min_width=12)
    points = {line.label: number_text(line.points) for line in score.lines}
    lines = [("", points.get(label, "")) for label in labels]
    return _Column(("", name), lines, ("", total), ("", rank) if rank else None, min_width=4)


def shared_labels(scores: Sequence[Score]) -> list[str] | None:
    """The labels of a table for all players, in order; None if their lines differ too much, or if a player has two with
    the same label."""
    labels: list[str] = []
    for score in scores:
        place = 0
        if len({line.label for line in score.lines}) < len(score.lines):
            return None
        for line in score.lines:
            if line.label not in labels:
                labels.insert(place, line.label)
            place = labels.index(line.label) + 1
    by_player = [{line.label for line in score.lines} for score in scores if score.lines]
    return labels if 2 * len({*labels}.intersection(*by_player)) >= len(labels) else None


def _rows(parts: Sequence[_Column], paint: Paint, *, whole: bool) -> Iterator[str]:
    """The columns side by side, with totals and ranks aligned. The line above the totals is `whole` or has gaps."""
    widths = [part.width for part in parts]

    def row(cells: Iterable[Half], style: str = "") -> str:
        texts = []
        for (left, right), width in zip(cells, widths, strict=True):
            words = (left + " " * (width - columns(left) - columns(right)) + right).rstrip()
            painted = paint(words, style) if style and words else words
            texts.append(painted + " " * (width - columns(words)))
        return (_TABLE_INDENT + _GAP.join(texts)).rstrip()

    yield row([part.head for part in parts], "bold")
    yield from (row(cells) for cells in zip_longest(*(part.lines for part in parts), fillvalue=("", "")))
    bars = ["─" * (sum(widths) + len(_GAP) * (len(widths) - 1))] if whole else ["─" * width for width in widths]
    yield _TABLE_INDENT + _GAP.join(paint(bar, "quiet") for bar in bars)
    yield row([part.total for part in parts], "bold")
    if parts[-1].rank:
        yield row([part.rank or ("", "") for part in parts])


# ---- answers

_INDENT = 11
_NARROW = 4  # the indent of the text below a finding, in a terminal of usual width and in a narrow one


def text(answer: Judged, paint: Paint = unpainted, width: int = 80) -> str:
    """The answer as text: the winner, the score table, its explanation if requested, and each finding with a drawing of
    its part of the sheet. `width` is in columns."""
    places = "  ".join(map(str, (answer.place, *answer.others)))
    parts = [f"{paint(answer.title, 'bold')}  {paint(places, 'quiet')}"]
    if headline := winners(answer, paint):
        parts.append(headline)
    if answer.result and any(score.lines for score in answer.result.scores):
        parts += [*tables(answer.result, paint, width), *_explained(answer.result, paint, width)]
    drawings = answer.drawings or [()] * len(answer.verdict.findings)
    pairs = zip(answer.verdict.findings, drawings, strict=True)
    parts += [_remark(finding, under, paint, width) for finding, under in pairs]
    parts += [_remark(hint, (), paint, width) for hint in answer.hints or ()]
    return "\n\n".join([*parts, counted(answer.verdict, paint)])


# ---- how the score adds up ---------------------------------------------------------------------------------------


def _explained(result: Result, paint: Paint, width: int) -> Iterator[str]:
    """Each part of the lines with its points: `columns  column a: 6→1, 1→2, 2→3 = 3`."""
    for score in result.scores:
        lines = [f"  {paint(score.player, 'bold')}"]
        left = min(max([columns(line.label) for line in score.lines], default=0), max(8, width // 3))
        parts = [("" if place else line.label, part) for line in score.lines for place, part in enumerate(line.parts)]
        for label, part in parts:
            head, inner = f"    {filled(label, left)}  ", " " * (left + 8)
            words = f"{part.text}\xa0=\xa0{number_text(part.points)}"
            text = fill(words, max(40, width), initial_indent=head, subsequent_indent=inner, break_long_words=False)
            lines.append(text.replace("\xa0", " "))
        if len(lines) > 1:
            yield "\n".join(lines)


# ---- findings and the closing lines ----------------------------------------------------------------------------------


def _remark(remark: Finding, under: Sequence[Drawing], paint: Paint, width: int) -> str:
    """A finding with its drawings, or a hint."""
    style, rule = remark.severity, paint(remark.rule, "bold") if remark.rule else ""
    facts = [paint(f"{style:<7}", style), rule, remark.player or "", paint(str(remark.place), "quiet")]
    indent = " " * (_INDENT if width >= 60 else _NARROW)
    body = fill(sentence(remark.message), max(40, width), initial_indent=indent, subsequent_indent=indent)
    drawings = (drawn(drawing, paint, style, width - len(indent)) for drawing in under)
    blocks = ["\n".join((indent + line).rstrip() for line in lines) for lines in drawings]
    return "\n\n".join([f"  {'  '.join(filter(None, facts))}\n{body}", *blocks])


def sentence(words: str) -> str:
    """The text with a capital letter and a full stop. The name of a box such as a3 keeps its lower case."""
    first = words[:1] if words[1:2].isdigit() else words[:1].title()
    return first + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def counted(verdict: Verdict, paint: Paint = unpainted) -> str:
    """The number of errors and warnings."""
    counts = [(sum(f.severity == severity for f in verdict.findings), severity) for severity in ("error", "warning")]
    words = [paint(f"{count} {severity}{'s' * (count > 1)}", severity) for count, severity in counts if count]
    return f"{' and '.join(words)}." if words else paint("No problems found.", "good")


def winners(answer: Judged, paint: Paint = unpainted) -> str:
    """Who won, why nobody did, or how a tie was broken; empty if the sheet was only checked. If the sheet has errors,
    the sentence says that it takes the sheet as it stands."""
    if answer.result is None:
        return ""
    result = answer.result
    best = [score for score in result.scores if score.player in result.winners]
    if not best:
        return result.remark
    errors = any(finding.severity == "error" for finding in answer.verdict.findings)
    words = sentence(f"{'as the sheet stands, ' * errors}{_win(best, len(result.scores), result.unit)}")
    return " ".join(filter(None, [paint(words, "warning" if errors else "good"), result.remark]))


def _win(best: list[Score], players: int, unit: str) -> str:
    if not best[0].lines and len(best) == 1:
        return f"{best[0].player} wins"
    points = f"{number_text(best[0].total)} {unit}{'s' * (abs(best[0].total) != 1)}"
    if players == 1:
        return f"{best[0].player} has {points}"
    wins, win = ("comes first", "come first") if unit == "win" else ("wins", "win")  # not “wins with 2 wins”
    if len(best) == 1:
        return f"{best[0].player} {wins} with {points}"
    names = f"{', '.join(score.player for score in best[:-1])} and {best[-1].player}"
    return f"{names} {win} together with {points} each"
