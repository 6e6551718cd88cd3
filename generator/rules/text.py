"""An answer in words, for a terminal."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import fill

from .answers import Judged
from .drawn_nouns import Drawing
from .drawn_text import drawn
from .letters import Paint, columns, filled, number, painted, unpainted
from .results import Finding, Hint, Result, Score, Verdict
from .table import tables

_INDENT = 11
_NARROW = 4
"""How far what is said under a finding stands in from the left, in a terminal of usual width and in a narrow one."""


def text(answer: Judged, colour: bool = False, width: int = 80) -> str:
    """The answer as lines of text: the score table, how it was made where that was asked, the findings with what they
    are about drawn under them, and who has won. `width` in letters."""
    paint = painted if colour else unpainted
    places = "  ".join(map(str, (answer.place, *answer.others)))
    parts = [f"{paint(answer.title, 'bold')}  {paint(places, 'quiet')}"]
    if answer.result and any(score.lines for score in answer.result.scores):
        parts += [*tables(answer.result, paint, width), *_explained(answer.result, paint, width)]
    drawings = answer.drawings or [()] * len(answer.verdict.findings)
    parts += [_finding(finding, under, paint, width)
              for finding, under in zip(answer.verdict.findings, drawings, strict=True)]
    parts += [_hint(hint, paint, width) for hint in answer.hints or ()]
    closing = [counted(answer.verdict, paint), winners(answer.result, paint) if answer.result else ""]
    return "\n\n".join([*parts, "\n".join(filter(None, closing))])


# ---- how the score was made ---------------------------------------------------------------------------------------

def _explained(result: Result, paint: Paint, width: int) -> Iterator[str]:
    for score in result.scores:
        if any(line.parts for line in score.lines):
            yield "\n".join([f"  {paint(score.player, 'bold')}", *_lines(score, width)])


def _lines(score: Score, width: int) -> Iterator[str]:
    """Each part with its points: `columns  column a: 6→1, 1→2, 2→3 = 3`."""
    left = min(max(columns(line.label) for line in score.lines), max(8, width // 3))
    for line in score.lines:
        for place, part in enumerate(line.parts):
            head = f"    {filled('' if place else line.label, left)}  "
            words = f"{part.told}\xa0=\xa0{number(part.points)}"
            yield fill(words, max(40, width), initial_indent=head, subsequent_indent=" " * (left + 8),
                       break_long_words=False).replace("\xa0", " ")


# ---- findings and the last word -----------------------------------------------------------------------------------

def _finding(finding: Finding, under: Sequence[Drawing], paint: Paint, width: int) -> str:
    facts = [paint(f"{finding.severity:<7}", finding.severity), paint(finding.rule, "bold"),
             *([finding.player] if finding.player else []), paint(str(finding.place), "quiet")]
    return "\n\n".join([_told(facts, finding.message, width),
                        *_drawn(under, paint, finding.severity, width)])


def _drawn(under: Iterable[Drawing], paint: Paint, style: str, width: int) -> Iterator[str]:
    indent = " " * _indent(width)
    for drawing in under:
        yield "\n".join((indent + line).rstrip() for line in drawn(drawing, paint, style, width - len(indent)))


def _hint(hint: Hint, paint: Paint, width: int) -> str:
    facts = [paint("hint   ", "hint"), *([hint.player] if hint.player else []), paint(str(hint.place), "quiet")]
    return _told(facts, hint.message, width)


def _told(facts: list[str], message: str, width: int) -> str:
    indent = " " * _indent(width)
    said = fill(sentence(message), max(40, width), initial_indent=indent, subsequent_indent=indent)
    return f"  {'  '.join(facts)}\n{said}"


def _indent(width: int) -> int:
    return _INDENT if width >= 60 else _NARROW


def sentence(words: str) -> str:
    """The words with a capital letter and a full stop; a box such as a3 keeps its name."""
    first = words[:1] if words[1:2].isdigit() else words[:1].title()
    return first + words[1:] + ("" if words.endswith((".", "!", "?")) else ".")


def counted(verdict: Verdict, paint: Paint = unpainted) -> str:
    """How many errors and warnings there are."""
    counts = [(sum(f.severity == severity for f in verdict.findings), severity) for severity in ("error", "warning")]
    told = [paint(f"{count} {word}{'s' * (count > 1)}", word) for count, word in counts if count]
    return f"{' and '.join(told)}." if told else paint("No rule is broken.", "good")


def winners(result: Result, paint: Paint = unpainted) -> str:
    """Who has won, and why nobody has or how a tie was broken."""
    best = [score for score in result.scores if score.player in result.winners]
    said = paint(sentence(_wins(best, len(result.scores), result.unit)), "good") if best else ""
    return " ".join(filter(None, [said, result.remark]))


def _wins(best: list[Score], players: int, unit: str) -> str:
    if not best[0].lines and len(best) == 1:
        return f"{best[0].player} wins."
    points = f"{number(best[0].total)} {unit}{'s' * (abs(best[0].total) != 1)}"
    if players == 1:
        return f"{best[0].player} has {points}."
    if len(best) == 1:
        return f"{best[0].player} wins with {points}."
    return f"{', '.join(score.player for score in best[:-1])} and {best[-1].player} win together with {points} each."
