"""Rules as objects, and what the judge answers: findings with drawings, hints, the score with its lines, and the data
for a scored copy; its JSON, and how numbers and texts are written.

Code that finds a breach calls the rule and yields the violation:

FAILED_FLIP = rules.add("failed-flip", "A flipped card that may not be played goes to the hand …", source="E10")
...
yield FAILED_FLIP(turn.done, f"{name} has already taken the pile with the flipped card")
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple, TypeAlias, TypeVar
from unicodedata import combining, east_asian_width

from msgspec import Struct, field
from msgspec.structs import replace

from ..errors import Place, Problem
from ..model.values import Empty
from ..sheets import FilledSheet

Severity: TypeAlias = Literal["error", "warning"]
F = TypeVar("F", bound=Callable[..., Any])


class Rule(Struct, frozen=True, eq=False):
    """A rule that a sheet can break. `text` is the rule in plain words, `source` its origin. `sheets` lists the score
    sheets it applies to (empty: all sheets of the book). `order` is its position in the book."""

    id: str
    text: str
    source: str = ""
    severity: Severity = "error"
    sheets: tuple[str, ...] = ()
    order: int = 0

    def __call__(self, where: str | Iterable[str], message: str, player: str | None = None) -> Violation:
        """A violation of this rule: one sentence and the ids of the fields concerned, the most important first, or none
        for the whole sheet. `player` is needed only if those fields belong to another player."""
        fields = tuple(where) if not isinstance(where, str) else (where,) if where else ()
        return Violation(self, fields, message, player)


class ScoringRule(Struct, frozen=True, eq=False):
    """A rule about how points are counted. A sheet cannot break it."""

    id: str
    text: str
    source: str = ""
    sheets: tuple[str, ...] = ()


class Violation(NamedTuple):
    """A breach of a rule: the rule, the ids of the fields concerned, one sentence, and the player who broke the rule if
    the fields belong to another player."""

    rule: Rule
    where: tuple[str, ...]
    message: str
    player: str | None = None


class Suggestion(NamedTuple):
    """What a player could have done better: the ids of the fields concerned, and one sentence."""

    where: tuple[str, ...]
    message: str


def by_order(violations: Iterable[Violation]) -> list[Violation]:
    """The violations sorted by the order of their rules in the book; those of one rule keep their order."""
    return sorted(violations, key=lambda violation: violation.rule.order)


class RuleBook:
    """The rules of a game in the order in which `pencilbox rules` lists them.

    `add` returns a rule; call it to report a violation. For a few simple rules, register functions instead,
    with the decorators `rule` and `counts`: the docstring is the text of the rule, and the function yields tuples of a
    sentence and the ids of the fields concerned."""

    def __init__(self) -> None:
        self.rules: list[Rule] = []
        self.scoring_rules: list[ScoringRule] = []
        self._checks: list[tuple[Rule, Callable[[Any], Iterable[tuple[str, ...] | str]]]] = []

    def __getitem__(self, name: str) -> Rule:
        """The rule with this id; `sheet/id` if a rule of another sheet has the same one. Raises KeyError."""
        sheet, _, identifier = name.rpartition("/")
        for rule in self.rules:
            if rule.id == identifier and (not sheet or sheet in rule.sheets):
                return rule
        raise KeyError(f"no rule “{name}”")

    @property
    def listed(self) -> list[Rule | ScoringRule]:
        """Every rule; scoring rules come last."""
        return [*self.rules, *self.scoring_rules]

    def add(
        self,
        id: str,  # noqa: A002 - rules have ids
        text: str,
        *,
        source: str = "",
        severity: Severity = "error",
        sheets: tuple[str, ...] = (),
    ) -> Rule:
        """Adds a rule. Raises ValueError if one of the sheets already has a rule with this id."""
        self._refuse_duplicate(id, sheets)
        rule = Rule(id, text, source, severity, sheets=sheets, order=len(self.rules))
        self.rules.append(rule)
        return rule

    def scoring(
        self,
        id: str,  # noqa: A002 - rules have ids
        text: str,
        *,
        source: str = "",
        sheets: tuple[str, ...] = (),
    ) -> ScoringRule:
        """Adds a rule about counting points, so that `pencilbox rules` can explain the score."""
        self._refuse_duplicate(id, sheets)
        rule = ScoringRule(id, text, source, sheets)
        self.scoring_rules.append(rule)
        return rule

    def rule(
        self, name: str, *, source: str = "", severity: Severity = "error", sheets: tuple[str, ...] = ()
    ) -> Callable[[F], F]:
        """Adds a function that yields breaches of a rule. Its docstring is the text of the rule."""

        def register(function: F) -> F:
            self._checks.append(
                (self.add(name, _text(function), source=source, severity=severity, sheets=sheets), function)
            )
            return function

        return register

    def counts(self, name: str, *, source: str = "", sheets: tuple[str, ...] = ()) -> Callable[[F], F]:
        """Adds a function that scores. Its docstring is the text of the scoring rule."""

        def register(function: F) -> F:
            self.scoring(name, _text(function), source=source, sheets=sheets)
            return function

        return register

    def check(self, view: Any, sheet: str) -> Iterator[Violation]:
        """The violations that the added functions find on a score sheet with this name."""
        for rule, function in self._checks:
            if not rule.sheets or sheet in rule.sheets:
                for breach in function(view):
                    message, *where = (breach,) if isinstance(breach, str) else breach
                    yield rule(where, message)

    def _refuse_duplicate(self, identifier: str, sheets: tuple[str, ...]) -> None:
        for other in self.listed:
            if other.id == identifier and (not sheets or not other.sheets or set(sheets) & set(other.sheets)):
                raise ValueError(f"the rule book already has a rule {identifier!r}")


def _text(function: Callable[..., Any]) -> str:
    words = (function.__doc__ or "").split()
    if not words:
        raise ValueError(f"the rule {function.__name__} has no docstring; write the rule there")
    return " ".join(words)


class Finding(Struct, frozen=True):
    """A violation with its place on a sheet: the rule's id, the severity, one sentence, the ids of the fields, the
    player they belong to, and the line. What a player could have done better is a `hint`, without a rule."""

    rule: str
    severity: Severity | Literal["hint"]
    message: str
    where: tuple[str, ...]
    player: str | None
    place: Place


class Verdict(Struct, frozen=True):
    """All findings on one sheet, in the order of its lines."""

    findings: tuple[Finding, ...] = ()

    @property
    def valid(self) -> bool:
        """Whether there is no error. Warnings do not count."""
        return not self.findings or all(finding.severity != "error" for finding in self.findings)


class Part(NamedTuple):
    """One part of a score line: a short description and its points."""

    text: str
    points: int


class Line(Struct, frozen=True):
    """One line of a score, labelled as on the paper. `parts` explain its points if requested, and add up to them."""

    label: str
    points: int
    parts: tuple[Part, ...] = ()


def line_of(label: str, parts: Iterable[Part]) -> Line:
    """A line whose points are the sum of its parts."""
    parts = tuple(parts)
    return Line(label, sum([part.points for part in parts]), parts)


class Score(NamedTuple):
    """One player's score: lines in the order of the paper. The total is their sum."""

    player: str
    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> int:
        """The sum of the lines."""
        return sum([line.points for line in self.lines])


class Result(Struct, frozen=True):
    """The scores in the order of the sheet, each player's rank, and the winners.

    `winners` is empty if everybody loses or the game is not over. `remark` is a sentence that says why, or how a tie
    was broken; it may be empty. `unit` names what a total counts, in one word. Ranks are not shown before the game is
    `over`."""

    scores: tuple[Score, ...] = ()
    ranks: tuple[int, ...] = ()
    winners: tuple[str, ...] = ()
    remark: str = ""
    unit: str = "point"
    over: bool = True

    def __post_init__(self) -> None:
        if len(self.ranks) != len(self.scores):
            raise ValueError(f"{len(self.scores)} scores and {len(self.ranks)} ranks")


Explanation: TypeAlias = Iterable[Iterable[Sequence[Part]]]
"""The parts of every line, for every player, in the order of the score."""


def without_parts(result: Result) -> Result:
    """The result without the parts of its lines."""
    scores = [Score(name, tuple([Line(line.label, line.points) for line in lines])) for name, lines in result.scores]
    return replace(result, scores=tuple(scores))


def with_parts(result: Result, explanation: Explanation) -> Result:
    """The result with the parts of its lines; raises ValueError if they do not belong to this score."""
    scores = []
    for score, explained in zip(result.scores, explanation, strict=True):
        lines = [replace(line, parts=tuple(parts)) for line, parts in zip(score.lines, explained, strict=True)]
        for line in lines:
            if sum(part.points for part in line.parts) != line.points:
                raise ValueError(f"{line.label} has {line.points}, but its parts do not add up to that: {line.parts}")
        scores.append(Score(score.player, tuple(lines)))
    return replace(result, scores=tuple(scores))


def ranks(keys: Iterable[tuple[int, ...]]) -> tuple[int, ...]:
    """The rank of each key, the highest first; equal keys share the higher rank, and the next ranks are skipped."""
    all_keys = tuple(keys)
    by_key: dict[tuple[int, ...], int] = {}
    for rank, key in enumerate(sorted(all_keys, reverse=True), 1):
        by_key.setdefault(key, rank)
    return tuple(by_key[key] for key in all_keys)


class Strokes(Struct, frozen=True):
    """Drawings on a sheet: `lines` from field to field, `outlines` around fields, and fields `crossed` out. `marks` are
    those that look different on paper than in the file; `tells` names the extra parts of the file that the
    drawings show."""

    lines: tuple[tuple[str, ...], ...] = ()
    outlines: tuple[tuple[str, ...], ...] = ()
    crossed: tuple[str, ...] = ()
    marks: Mapping[str, str] = Empty
    tells: tuple[str, ...] = ()


class Copied(Struct, frozen=True):
    """A filled-in sheet, the right `sums` by the ids of their fields, and what was drawn on it."""

    filled: FilledSheet
    sums: Mapping[str, int] = field(default_factory=lambda: Empty)
    strokes: Strokes = Strokes()

    @property
    def marks(self) -> tuple[str, ...]:
        """The ids of all marks, whether on paper or not."""
        return tuple(dict.fromkeys((*self.filled.marks, *self.strokes.marks)))

    @property
    def beside(self) -> list[str]:
        """The typed parts that the paper cannot show."""
        return [name for name in self.filled.extra if name not in self.strokes.tells]


class MarkedText(Struct, frozen=True):
    """One mark or word, and whether the finding is about it."""

    text: str
    marked: bool = False


Cell: TypeAlias = tuple[MarkedText, ...]


class Drawing(Struct, frozen=True):
    """Rows of cells with the heads of their columns, if they have any. The cells of a `grid` have the same width."""

    head: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    grid: bool = False


class Judged(NamedTuple):
    """The answer for a sheet that could be read: its game, the problems found, and the score and hints if requested.
    `others` are the places of other players' sheets that were judged with it. `drawings` holds the drawings below each
    finding, if requested, and `copied` the data for a scored copy of every sheet."""

    game: str
    title: str
    place: Place
    verdict: Verdict
    result: Result | None = None
    others: tuple[Place, ...] = ()
    hints: tuple[Finding, ...] | None = None
    drawings: tuple[tuple[Drawing, ...], ...] = ()
    copied: tuple[Copied, ...] = ()


class Unreadable(Struct, frozen=True):
    """The answer for a sheet that cannot be read, with every reason."""

    problems: tuple[Problem, ...]


Answer: TypeAlias = Judged | Unreadable


def plain(answer: Answer) -> dict[str, Any]:
    """The answer as plain data for JSON, with its keys in order."""
    if isinstance(answer, Unreadable):
        errors = [
            {**_place(problem.place), "message": problem.message, "hint": problem.hint or None}
            for problem in answer.problems
        ]
        return {"error": errors, "valid": False}
    data: dict[str, Any] = {
        "game": answer.game,
        "valid": answer.verdict.valid,
        "findings": [
            {"rule": finding.rule, "severity": finding.severity, **_remark(finding)}
            for finding in answer.verdict.findings
        ],
    }
    if result := answer.result:
        data["players"] = [
            {"name": score.player, "lines": list(map(_line, score.lines)), "total": score.total, "rank": rank}
            for score, rank in zip(result.scores, result.ranks, strict=True)
        ]
        data["winners"] = list(result.winners)
        if not result.over:
            data["over"] = False
    if answer.hints is not None:
        data["hints"] = list(map(_remark, answer.hints))
    return data


def line(answer: Answer) -> str:
    """The answer as one line of JSON."""
    import json  # not needed for answers as text

    return json.dumps(plain(answer), ensure_ascii=False)


def _place(place: Place | None) -> dict[str, Any]:
    return {"file": place.file if place else None, "line": (place.line or None) if place else None}


def _remark(remark: Finding) -> dict[str, Any]:
    words = {"player": remark.player, "where": list(remark.where), "message": remark.message}
    return {**words, **_place(remark.place)}


def _line(line: Line) -> dict[str, Any]:
    parts = [{"told": part.text, "points": part.points} for part in line.parts]
    return {"label": line.label, "points": line.points, **({"explain": parts} if parts else {})}


Paint = Callable[[str, str], str]
"""Takes words and a style (bold, quiet, error, warning, good, hint); returns the words as printed."""


def unpainted(words: str, style: str) -> str:
    return words


def columns(words: str) -> int:
    """The width of a text in columns of the terminal."""
    return sum(0 if combining(letter) else 1 + (east_asian_width(letter) in "WF") for letter in words)


def filled(words: str, width: int) -> str:
    """The text, padded with spaces to `width` columns."""
    return words + " " * (width - columns(words))


def cut(words: str, width: int) -> str:
    """The text, shortened to at most `width` columns."""
    if columns(words) <= width:
        return words
    while words and columns(words) > width - 1:
        words = words[:-1]
    return words.rstrip() + "…"


def number_text(value: Any) -> str:
    """A number with a real minus sign; a fraction has at most two decimals."""
    if isinstance(value, int) or value.denominator == 1:
        return str(int(value)).replace("-", "−")
    return f"{float(value):.2f}".rstrip("0").replace("-", "−")


def ordinal(rank: int) -> str:
    ending = "th" if rank % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(rank % 10, "th")
    return f"{rank}{ending}"
