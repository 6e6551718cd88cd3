"""An answer in words, for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from textwrap import fill
from unicodedata import combining, east_asian_width

from .answers import Judged
from .nouns import Finding, Hint, Result, Score, Verdict

_CODES = {"bold": "1", "quiet": "2", "error": "1;31", "warning": "1;33", "good": "1;32", "hint": "1;36"}
_GAP = "   "
_INDENT = " " * 11

Paint = Callable[[str, str], str]


def text(answer: Judged, colour: bool = False, width: int = 80) -> str:
    """The answer as lines of text: the score table, the findings, and who has won. `width` in letters."""
    paint: Paint = _painted if colour else lambda words, style: words
    places = "  ".join(map(str, (answer.place, *answer.others)))
    parts = [f"{paint(answer.title, 'bold')}  {paint(places, 'quiet')}"]
    if answer.result and any(score.lines for score in answer.result.scores):
        parts += [_table(row, paint) for row in _rows(_blocks(answer.result), width)]
    parts += [_finding(finding, paint, width) for finding in answer.verdict.findings]
    parts += [_hint(hint, paint, width) for hint in answer.hints or ()]
    closing = [_counted(answer.verdict, paint), _winners(answer.result, paint) if answer.result else ""]
    return "\n\n".join([*parts, "\n".join(filter(None, closing))])


def _painted(words: str, style: str) -> str:
    return f"\x1b[{_CODES[style]}m{words}\x1b[0m"


# ---- the table ----------------------------------------------------------------------------------------------------

def _blocks(result: Result) -> list[list[tuple[str, str]]]:
    """For each player the name and rank, the lines and the total, each as left and right half."""
    return [[(score.player, _ordinal(rank)), *((line.label, _number(line.points)) for line in score.lines),
             ("total", _number(score.total))]
            for score, rank in zip(result.scores, result.ranks, strict=True)]


def _rows(blocks: Sequence[list[tuple[str, str]]], width: int) -> Iterator[list[list[tuple[str, str]]]]:
    """As many players beside each other as the width takes."""
    row: list[list[tuple[str, str]]] = []
    for block in blocks:
        if row and sum(_block_width(b) + len(_GAP) for b in [*row, block]) > width:
            yield row
            row = []
        row.append(block)
    if row:
        yield row


def _block_width(block: list[tuple[str, str]]) -> int:
    return max(12, *(_letters(left) + 2 + _letters(right) for left, right in block))


def _table(blocks: list[list[tuple[str, str]]], paint: Paint) -> str:
    """Heads, lines and totals of the players beside each other; totals stand in one row."""
    widths = list(map(_block_width, blocks))
    body = zip_longest(*(block[1:-1] for block in blocks), fillvalue=("", ""))
    rule = ["─" * width for width in widths]
    return "\n".join([
        _joined([paint(_halves(block[0], width), "bold") for block, width in zip(blocks, widths, strict=True)]),
        *(_joined(map(_halves, row, widths)) for row in body),
        _joined([paint(line, "quiet") for line in rule]),
        _joined([paint(_halves(block[-1], width), "bold") for block, width in zip(blocks, widths, strict=True)])])


def _joined(cells: Iterator[str] | Sequence[str] | map[str]) -> str:
    return ("  " + _GAP.join(cells)).rstrip()


def _halves(pair: tuple[str, str], width: int) -> str:
    left, right = pair
    return left + " " * (width - _letters(left) - _letters(right)) + right


def _letters(words: str) -> int:
    """Columns of a terminal that the words take."""
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in words)


def _number(points: int) -> str:
    return str(points).replace("-", "−")


def _ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"


# ---- findings and the last word -----------------------------------------------------------------------------------

def _finding(finding: Finding, paint: Paint, width: int) -> str:
    facts = [paint(f"{finding.severity:<7}", finding.severity), paint(finding.rule, "bold"),
             *([finding.player] if finding.player else []), paint(str(finding.place), "quiet")]
    return _told(facts, finding.message, width)


def _hint(hint: Hint, paint: Paint, width: int) -> str:
    facts = [paint("hint   ", "hint"), *([hint.player] if hint.player else []), paint(str(hint.place), "quiet")]
    return _told(facts, hint.message, width)


def _told(facts: list[str], message: str, width: int) -> str:
    said = fill(sentence(message), max(40, width), initial_indent=_INDENT, subsequent_indent=_INDENT)
    return f"  {'  '.join(facts)}\n{said}"


def sentence(words: str) -> str:
    """The words with a capital letter and a full stop."""
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def _counted(verdict: Verdict, paint: Paint) -> str:
    counts = [(sum(f.severity == severity for f in verdict.findings), severity) for severity in ("error", "warning")]
    told = [paint(f"{count} {word}{'s' * (count > 1)}", word) for count, word in counts if count]
    return f"{' and '.join(told)}." if told else paint("No rule is broken.", "good")


def _winners(result: Result, paint: Paint) -> str:
    best = [score for score in result.scores if score.player in result.winners]
    said = paint(_wins(best, len(result.scores), result.unit), "good") if best else ""
    return " ".join(filter(None, [said, result.remark]))


def _wins(best: list[Score], players: int, unit: str) -> str:
    if not best[0].lines and len(best) == 1:
        return f"{best[0].player} wins."
    points = f"{_number(best[0].total)} {unit}{'s' * (abs(best[0].total) != 1)}"
    if players == 1:
        return f"{best[0].player} has {points}."
    if len(best) == 1:
        return f"{best[0].player} wins with {points}."
    return f"{', '.join(score.player for score in best[:-1])} and {best[-1].player} win together with {points} each."
