"""Scores a filled-in sheet by the score lines in its YAML, explains the score, and adds up claimed sums."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from ..errors import InputError, Place, fault
from ..expressions import Compiled, TooMuchError
from ..expressions.functions import bounded, looked_up, marked, present, total
from ..reading.sheet_rules import ClaimedSum, PointsInterval, ScoreLine, sheet_rules
from ..sheets import FilledSheet
from ..sheets.parts import words
from ..spelling import joined
from .results import Line, Part, Result, Score, number_text, ordinal, ranks

MAX_STEPS = 2_000_000
"""Values handled for one sheet: about a second."""
MAX_COMPARED = 200
"""Players who can be compared with each other."""
_MAX_LISTED = 10


rules_of = lru_cache(maxsize=50)(sheet_rules)
"""The compiled rules of a sheet; they are compiled once."""


class Table:
    """A filled-in sheet with its rules and players, as expressions see it."""

    def __init__(self, filled: FilledSheet) -> None:
        self.filled, self.rules = filled, rules_of(filled.sheet)
        self.positions = {line.key: number for number, line in reversed([*enumerate(self.rules.lines)])}
        self.shared: dict[Any, list[Any]] = {}
        self.steps = 0
        group = filled.sheet.definition.players
        entries = filled.entries.get(group, ()) if group else ()
        self.everyone = [ScoredPlayer(self, (entry.rpartition(".")[2],), entry) for entry in entries] if group else []
        if not group:
            self.everyone.append(ScoredPlayer(self, (), ""))
        self._by_entry = {player.entry: player for player in self.everyone}
        self.nobody = ScoredPlayer(self, (), "")

    @cached_property
    def drawn(self) -> Mapping[str, Sequence[Any]]:
        """The values that were drawn for the set codes on the sheet."""
        if not self.filled.game.own_draws:
            return {}
        from ..draws.own_sets import drawn_values  # not needed for sheets without random sets

        return drawn_values(self.filled.game, self.filled.codes.values())

    @cached_property
    def weights(self) -> Mapping[str, int]:
        """The points that plain score lines give for each field."""
        weights: Counter[str] = Counter()
        for line in self.rules.lines:
            for term in line.terms if line.is_plain else ():
                if term.names and term.is_name and (ids := term.names[0].ids):
                    for player in self.everyone:
                        weights.update(dict.fromkeys(ids(player), line.file.points))
        return weights

    def player(self, entry: str) -> ScoredPlayer | None:
        """The player with this entry, such as `players.2`."""
        return self._by_entry.get(entry)


class ScoredPlayer:
    """One player's part of a sheet: the environment of expressions. `parts` stands for the first stars of the names of
    fields, and `entry` is the id of the player's part."""

    def __init__(self, table: Table, parts: tuple[str, ...], entry: str) -> None:
        self.table, self.parts, self.entry = table, parts, entry
        self.marks, self.entries, self.shared = table.filled.marks, table.filled.entries, table.shared
        self.cards = table.filled.cards
        self.me = self
        self._points: list[int] = []

    @property
    def drawn(self) -> Mapping[str, Sequence[Any]]:
        return self.table.drawn

    @property
    def everyone(self) -> list[ScoredPlayer]:
        if len(self.table.everyone) > MAX_COMPARED:
            raise TooMuchError(f"more than {MAX_COMPARED} players to compare")
        return self.table.everyone

    def spend(self, steps: int) -> None:
        self.table.steps += steps
        if self.table.steps > MAX_STEPS:
            raise TooMuchError(f"more than {MAX_STEPS:,} values to calculate with")

    def with_parts(self, parts: tuple[str, ...]) -> ScoredPlayer:
        """The same player, with other parts in place of the first stars."""
        other = ScoredPlayer(self.table, parts, self.entry)
        other.me = self.me
        return other

    @property
    def name(self) -> str:
        filled = self.table.filled
        if self.entry:
            return filled.people[self.entry]
        return str(filled.marks.get("player") or filled.marks.get("name") or "player 1")

    # ---- score lines

    def line(self, key: str) -> int:
        """The points of the score line with this key."""
        number = self.table.positions[key]
        return self.first_lines(number + 1)[number]

    def first_lines(self, count: int) -> list[int]:
        """The points of the first score lines, each calculated once and in order."""
        if self.me is not self:
            return self.me.first_lines(count)
        lines = self.table.rules.lines
        while len(self._points) < count:
            self._points.append(_points(lines[len(self._points)], self))
        return self._points[:count]

    def total(self) -> int:
        return sum(self.first_lines(len(self.table.rules.lines)))


# ---- the points of a line -------------------------------------------------------------------------------------------


def _points(line: ScoreLine, player: ScoredPlayer) -> int:
    try:
        return int(_steps(line, player)[-1][1])
    except TooMuchError as error:
        raise too_much(error, f"the score line “{line.file.label}”", line.file.place) from error


def too_much(error: TooMuchError, what: str, place: Place) -> InputError:
    return fault(f"{what} has {error}", place)


class _LineKey(NamedTuple):
    """A key of a line: the amount that it gives, or that it makes of the amount before (None: the same); how that is
    explained, with the new amount; how the rule states it; and whether a line has the key."""

    run: Callable[[ScoreLine, ScoredPlayer, Any], Any]
    explained: Callable[[ScoreLine, ScoredPlayer, Any], str]
    stated: Callable[[ScoreLine], str]
    is_used: Callable[[ScoreLine], bool] = lambda line: True


def _steps(line: ScoreLine, player: ScoredPlayer) -> list[tuple[_LineKey, Any]]:
    """How the points of a line are calculated: each step, and the number after it."""
    if line.condition and not line.condition.run(player):
        return [(_UNMET, 0)]
    amount = _AMOUNTS[line.kind]
    steps = [(amount, bounded(amount.run(line, player, 0)))]
    for step in _CHANGES:
        if step.is_used(line) and (changed := step.run(line, player, steps[-1][1])) is not None:
            steps.append((step, bounded(changed)))
    return steps


def all_values(terms: Iterable[Compiled], player: ScoredPlayer) -> list[Any]:
    """The values of some expressions, with the entries of lists one by one."""
    return [value for term in terms for value in (term.run(player) if term.kind.many else [term.run(player)])]


def _from_table(table: Sequence[int] | Sequence[PointsInterval], amount: Any) -> int:
    if not isinstance(table[0], PointsInterval):
        return int(looked_up(amount, table))
    for low, high, points in table:  # type: ignore[misc]
        if low <= amount // 1 and (high is None or amount // 1 <= high):
            return points
    return 0


# ---- comparisons between players


def _rank_points(line: ScoreLine, player: ScoredPlayer) -> int:
    """The points for a player's place among those for whom the line's condition holds."""
    place, tied = _place(line, player)
    assert line.file.rank
    if not tied:
        return 0
    points, ties = line.file.rank.points, line.file.rank.ties
    if tied > 1 and ties == "none":
        return 0
    if tied > 1 and ties == "share":
        return sum(points[place - 1 : place - 1 + tied]) // tied
    return points[place - 1] if place <= len(points) else 0


def _place(line: ScoreLine, player: ScoredPlayer) -> tuple[int, int]:
    """The place of a player, and how many share it; 0 if the player takes no part. A player with none of something
    never has the most of it."""
    key = "rank", id(line)
    if key not in player.shared:
        assert line.file.rank
        is_lowest = line.file.rank.lowest
        players = [each for each in player.everyone if not line.condition or line.condition.run(each)]
        amounts = [(each.entry, line.terms[0].run(each) or 0) for each in players]
        player.shared[key] = [
            (entry, -amount if is_lowest else amount) for entry, amount in amounts if amount or is_lowest
        ]
    player.spend(len(player.shared[key]))
    amounts_by_entry = dict(player.shared[key])
    own, others = amounts_by_entry.get(player.entry), amounts_by_entry.values()
    return (0, 0) if own is None else (1 + sum(other > own for other in others), sum(other == own for other in others))


# ---- the score ------------------------------------------------------------------------------------------------------


def score(sheet: FilledSheet) -> Result:
    """The score by the lines of the definition, and the winners. Without score lines there is no score."""
    definition = sheet.sheet.definition
    if not definition.score:
        return Result(remark="This sheet has no score lines.")
    table = Table(sheet)
    labels = [line.file.label for line in table.rules.lines]
    scores = tuple(
        Score(player.name, tuple(map(Line, labels, player.first_lines(len(labels))))) for player in table.everyone
    )
    sign = 1 if definition.highest_wins else -1
    keys = [(sign * each.total, *_tie_key(player)) for each, player in zip(scores, table.everyone, strict=True)]
    places = ranks(keys)
    winners = tuple(each.player for each, place in zip(scores, places, strict=True) if place == 1)
    return Result(scores, places, winners, _remark(table, scores, places), unit=definition.unit)


def _tie_key(player: ScoredPlayer) -> Iterator[Any]:
    for tie in player.table.rules.tie_breakers:
        try:
            value = tie.term.run(player) or 0
        except TooMuchError as error:
            raise too_much(error, f"the tie-breaker “{tie.file.label}”", tie.file.place) from error
        yield -value if tie.file.most is None else value


def _remark(table: Table, scores: Sequence[Score], places: Sequence[int]) -> str:
    """How the tie for the first place was broken; empty if there was none."""
    if not table.rules.tie_breakers or 1 not in places:
        return ""
    best = scores[places.index(1)].total
    tied = [player for player, each in zip(table.everyone, scores, strict=True) if each.total == best]
    for tie, values in zip(table.rules.tie_breakers, zip(*map(_tie_key, tied), strict=True), strict=True):
        if len({*values}) > 1:
            sign = -1 if tie.file.most is None else 1
            amounts = [f"{player.name} {number_text(sign * value)}" for player, value in zip(tied, values, strict=True)]
            return f"The tie is broken by {tie.file.label}: {', '.join(amounts)}."
    return ""


# ---- explanations ---------------------------------------------------------------------------------------------------


def explain(sheet: FilledSheet) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines."""
    if sheet.sheet.definition.score:
        table = Table(sheet)
        yield from ([_parts(line, player) for line in table.rules.lines] for player in table.everyone)


def _parts(line: ScoreLine, player: ScoredPlayer) -> list[Part]:
    if line.is_plain:
        parts = [part for term in line.terms for part in _plain_parts(term, line.file.points, player)]
        return parts or [Part("nothing is filled in", 0)]
    steps = _steps(line, player)
    words = ", ".join(step.explained(line, player, number) for step, number in steps)
    return [Part(words, int(steps[-1][1]))]


def _plain_parts(term: Compiled, points: int, player: ScoredPlayer) -> Iterator[Part]:
    """A part for each field that counts, or one for an expression."""
    values = all_values([term], player)
    ids = term.names[0].ids if term.is_name else None
    if ids:
        for name, value in zip(ids(player), values, strict=True):
            if value:
                yield Part(described(player.table.filled, name, points), points * value)
    elif any(values):
        factor = f" × {number_text(points)}" if points != 1 else ""
        yield Part(f"{readable(term, player)}{factor}", points * int(total(values)))


def described(sheet: FilledSheet, name: str, points: int = 1) -> str:
    """A field with its mark, as an explanation of points names it."""
    if sheet.marks.get(name) is True:
        return f"{label_of(sheet, name)} ticked"
    factor = f" × {number_text(points)}" if points != 1 else ""
    return f"{label_of(sheet, name)}: {mark_text(sheet.value(name))}{factor}"


def label_of(sheet: FilledSheet, name: str) -> str:
    """The label of a box; for one that is not printed, the words for it."""
    field = sheet.sheet.fields.get(name)
    about = words(sheet.sheet.definition, name, sheet.people, ", ", sheet.marks)
    return field.label.rpartition(", ")[2] if field else about


def readable(term: Compiled, player: ScoredPlayer | None = None) -> str:
    """An expression with the labels of its names, and with their values if a player is given, as in `Upper section (62)
    ≥ 63`. A short list is shown as its values alone."""
    labels = {source.name: source for source in term.names}
    pieces, end = [], 0
    own = list(term.node.nodes(("everyone", "others", "place")))
    for node in sorted((each for each in term.node.nodes() if each.kind == "name"), key=lambda each: each.at):
        source = labels[node.value]
        label = f"“{source.label}”" if player is None else source.label
        if player and any(node is each for each in own):
            value = source.run(player)
            label = _in_a_list(value, label) if source.kind.many else f"{label} ({mark_text(value)})"
        pieces += [_signs(term.text[end : node.at]), label]
        end = node.at + len(node.value) + 2 * (term.text[node.at : node.at + 1] == "`")
    return "".join([*pieces, _signs(term.text[end:])])


def _in_a_list(values: Sequence[Any], label: str) -> str:
    """A list inside an expression: its values, or its label if they are many."""
    filled = present(values)
    return label if len(filled) > _MAX_LISTED and not isinstance(filled[0], bool) else list_text(values)


def list_text(values: Sequence[Any]) -> str:
    """A list of values as people write it: those that are filled in, or how many are ticked."""
    filled = present(values)
    if filled and all(isinstance(value, bool) for value in filled):
        return f"{sum(filled)} ticked"
    return values_text(filled)


_QUOTED = re.compile(r"\"([^\"]*)\"|'([^']*)'")
_PRINTED = {">=": "≥", "<=": "≤", "!=": "is not", "==": "is", "*": "×"}


def _signs(text: str) -> str:
    """The operators and quotation marks of an expression as people write them."""
    words = re.sub(r">=|<=|!=|==|\*", lambda match: _PRINTED[match[0]], text)
    return _QUOTED.sub(lambda match: f"“{match[1] or match[2] or ''}”", words)


def values_text(values: Sequence[Any]) -> str:
    """A list of values as people write it."""
    words = [mark_text(value) for value in values[:_MAX_LISTED]]
    return " ".join(words) + (" …" if len(values) > _MAX_LISTED else "") if words else "nothing"


def mark_text(value: Any) -> str:
    if value is None or value is False:
        return "blank" if value is None else "not ticked"
    return "ticked" if value is True else value if isinstance(value, str) else number_text(value)


# ---- how a line is scored, in words ---------------------------------------------------------------------------------


def line_text(line: ScoreLine) -> str:
    """How a score line is scored, in one sentence."""
    changes = (step.stated(line) for step in _CHANGES if step.is_used(line))
    condition = [f"if {readable(line.condition)}"] if line.condition else []
    return f"{line.file.label}: {', '.join([_AMOUNTS[line.kind].stated(line), *changes, *condition])}."


def sum_text(terms: Sequence[Compiled], in_words: Callable[[Compiled], str] = readable) -> str:
    """A sum in words: `the number of ticks in “Game”`, `the sum of the numbers in “Round”`."""
    words = joined(list(dict.fromkeys(map(in_words, terms))))
    if are_ticks(terms):
        return f"the number of ticks in {words}"
    is_row = len(terms) == 1 and terms[0].is_name and terms[0].kind.many and terms[0].names[0].ids
    return f"the sum of {'the numbers in ' if is_row else ''}{words}"


def are_ticks(terms: Sequence[Compiled]) -> bool:
    """Whether all terms are boxes to tick."""
    return all(term.is_name and term.kind.name == "yes" for term in terms)


def _entry_text(entry: int | PointsInterval) -> str:
    if not isinstance(entry, PointsInterval):
        return number_text(entry)
    low, high, points = entry
    least = number_text(low)
    amounts = f"{least}+" if high is None else least if low == high else f"{least}–{number_text(high)}"
    return f"{amounts}: {number_text(points)}"


# ---- the keys of a line


def _placed(line: ScoreLine, player: ScoredPlayer, points: Any) -> str:
    place, tied = _place(line, player)
    shared = f", shared by {tied}" if tied > 1 else ""
    return f"{readable(line.terms[0], player)}: {f'{ordinal(place)} place{shared}' if tied else 'no place'}"


def _rank_text(line: ScoreLine) -> str:
    rank = line.file.rank
    assert rank
    points = joined([number_text(points) for points in rank.points])
    ties = {"same": "", "share": " (ties share the points)", "none": " (ties score nothing)"}[rank.ties]
    return f"{points} points for the {'least' if rank.lowest else 'most'} {readable(line.terms[0])}{ties}"


def _valued(line: ScoreLine, player: ScoredPlayer, value: Any) -> str:
    if line.condition and not line.terms[0].names:
        return f"because {readable(line.condition, player)}"
    return readable(line.terms[0], player)


def _summed(line: ScoreLine, player: ScoredPlayer, amount: Any) -> str:
    values = [value for value in all_values(line.terms, player) if value]
    return " + ".join(map(number_text, values)) if 1 < len(values) <= _MAX_LISTED else number_text(amount)


def _counted(line: ScoreLine, player: ScoredPlayer, amount: Any) -> str:
    what = "ticked" if all(term.kind.name == "yes" for term in line.terms) else "filled in"
    if not _names_fields(line):
        what = f"with {' or '.join(map(readable, line.terms))}"
    return f"{number_text(amount)} {what}"


def _names_fields(line: ScoreLine) -> bool:
    return all(term.is_name for term in line.terms)


def _extreme(function: Callable[..., Any], word: str) -> _LineKey:
    """The smallest or the largest of all values."""

    def explained(line: ScoreLine, player: ScoredPlayer, amount: Any) -> str:
        values = present(all_values(line.terms, player))
        return f"{number_text(amount)}{f', the {word} of {values_text(values)}' if len(values) > 1 else ''}"

    return _LineKey(
        lambda line, player, _: function(present(all_values(line.terms, player)), default=0),
        explained,
        lambda line: f"the {word} of {joined(list(map(readable, line.terms)))}",
    )


_UNMET = _LineKey(
    lambda line, player, _: 0,
    lambda line, player, _: f"only if {readable(line.condition, player)}" if line.condition else "",
    lambda line: "",
)
# The keys that give a line its amount.
_AMOUNTS: dict[str, _LineKey] = {
    "sum": _LineKey(
        lambda line, player, _: total(all_values(line.terms, player)), _summed, lambda line: sum_text(line.terms)
    ),
    "count": _LineKey(
        lambda line, player, _: sum(map(marked, all_values(line.terms, player))),
        _counted,
        lambda line: (
            f"the number of boxes {'marked in' if _names_fields(line) else 'with'} "
            f"{joined(list(map(readable, line.terms)))}"
        ),
    ),
    "min": _extreme(min, "smallest"),
    "max": _extreme(max, "largest"),
    "value": _LineKey(
        lambda line, player, _: line.terms[0].run(player) or 0,
        _valued,
        lambda line: f"{readable(line.terms[0])}{'' if line.terms[0].names else ' points'}",
    ),
    "rank": _LineKey(lambda line, player, _: _rank_points(line, player), _placed, _rank_text),
}


def _multiplied(line: ScoreLine, player: ScoredPlayer, amount: Any) -> str:
    assert line.times
    return f"× {readable(line.times, player) if line.times.is_name else number_text(line.times.run(player) or 0)}"


# The keys that change the amount, in this order: per, table, times, points, at_least, at_most.
_CHANGES = (
    _LineKey(
        lambda line, player, amount: amount // line.file.per,
        lambda line, player, number: f"{number} set{'s' * (number != 1)} of {line.file.per}",
        lambda line: f"counted in sets of {line.file.per}",
        lambda line: bool(line.file.per),
    ),
    _LineKey(
        lambda line, player, amount: _from_table(line.table, amount),
        lambda line, player, number: f"{number_text(number)} in the table",
        lambda line: f"looked up in the table {', '.join(map(_entry_text, line.table))}",
        lambda line: bool(line.table),
    ),
    _LineKey(
        lambda line, player, amount: amount * (line.times.run(player) or 0) if line.times else None,
        _multiplied,
        lambda line: f"times {readable(line.times)}" if line.times else "",
        lambda line: line.times is not None,
    ),
    _LineKey(
        lambda line, player, amount: amount * line.file.points,
        lambda line, player, number: f"× {number_text(line.file.points)}",
        lambda line: f"times {number_text(line.file.points)}",
        lambda line: line.file.points != 1,
    ),
    _LineKey(
        lambda line, player, amount: line.file.at_least if amount < line.file.at_least else None,
        lambda line, player, number: f"at least {number_text(number)}",
        lambda line: f"at least {number_text(line.file.at_least)}",
        lambda line: line.file.at_least is not None,
    ),
    _LineKey(
        lambda line, player, amount: line.file.at_most if amount > line.file.at_most else None,
        lambda line, player, number: f"at most {number_text(number)}",
        lambda line: f"at most {number_text(line.file.at_most)}",
        lambda line: line.file.at_most is not None,
    ),
)


# ---- claimed sums ---------------------------------------------------------------------------------------------------


def correct_sum(table: Table, claim: ClaimedSum, name: str) -> int | None:
    """The correct sum for the field `name`, or None if there is nothing to add up. Fields are multiplied by the points
    that plain score lines give for them, unless the sum is declared with `count` or a score line counts the sum
    itself."""
    pattern = claim.target.pattern.split(".")
    parts = tuple(part for star, part in zip(pattern, name.split("."), strict=False) if star == "*")
    player = table.nobody
    if claim.is_own and table.filled.sheet.definition.players:
        player = table.player(".".join(name.split(".")[:2])) or player
    elif claim.is_own:
        player = table.everyone[0]
    player = player.with_parts(parts)
    weights = {} if claim.file.count or name in table.weights else table.weights
    try:
        terms = [list(_summands(term, player, weights)) for term in claim.terms]
    except TooMuchError as error:
        raise too_much(error, f"the sum “{claim.file.total}”", claim.file.place) from error
    return sum(map(sum, terms)) if any(terms) else None


def _summands(term: Compiled, player: ScoredPlayer, weights: Mapping[str, int]) -> Iterator[int]:
    values = all_values([term], player)
    ids = term.names[0].ids if term.names and term.is_name else None
    if ids is None:
        yield from (int(value or 0) for value in values)
        return
    for name, value in zip(ids(player), values, strict=True):
        if value is not None and value is not False:
            yield value * weights.get(name, 1)


def sums(sheet: FilledSheet) -> Mapping[str, int]:
    """The correct value of every declared sum with at least one mark to add up, by the id of the sum's field."""
    table = Table(sheet)
    values = {
        name: correct_sum(table, claim, name)
        for claim in table.rules.claims
        for name in claim.target.ids(table.nobody, ())
    }
    return {name: value for name, value in values.items() if value is not None}
