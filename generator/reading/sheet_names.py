"""The names that the expressions of a score sheet can use: its fields, its score lines, and the total."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain, islice
from typing import Any, Literal, NamedTuple

from .. import limits
from ..errors import MAX_SHOWN, did_you_mean, shortened
from ..expressions import ExpressionError, NamedValue, ValueKind
from ..model.game import FieldFile, SheetFile

MAX_HINTS = 2_000
"""The maximum number of names that a misspelt one is compared with."""


class _PathStep(NamedTuple):
    """One step from a part of the sheet to a part of it: the `key` of a group, a `number` that was typed, every one of
    the `entries` of a repeated group, or every mark of a `row` of this `length`. `star` says which `*` of the pattern
    was typed for it, or is -1."""

    kind: Literal["key", "number", "entries", "row"]
    text: str = ""
    star: int = -1
    length: int = 0


class _Path(NamedTuple):
    steps: tuple[_PathStep, ...]
    spec: FieldFile


class FieldPattern:
    """The fields that a pattern such as `players.*.dice.*` stands for. With a `column`, it stands for what the cards in
    these fields have there (the name of the column, and the kind of its values).

    `is_rows` says whether the pattern names rows or groups as a whole; `across` is the width of a single grid, and
    `label` names the fields in messages."""

    def __init__(
        self, name: str, at: int, segments: list[str], fields: Mapping[str, FieldFile], columns: Mapping[str, str]
    ) -> None:
        """`name` and its position `at` are for messages; `columns` are those of the game's cards, with their kinds.
        Raises ExpressionError if there are no such fields."""
        self.name, self.at, self.columns = name, at, columns
        self.pattern, self.stars = ".".join(segments), segments.count("*")
        self.column = ("", "")
        self.paths: list[_Path] = []
        self.is_rows, self.label = False, name
        self.across: int | None = None
        self._group(fields, segments, 0, ())
        if self.column[0]:
            self.label += f", {self.column[0].replace('_', ' ')}"

    def is_many(self, bound: int) -> bool:
        """Whether it stands for a list of fields after its first `bound` stars have been replaced."""
        for path in self.paths:
            if any(step.kind in ("entries", "row") and not 0 <= step.star < bound for step in path.steps):
                return True
        return len({tuple(step for step in path.steps if not 0 <= step.star < bound) for path in self.paths}) > 1

    def ids(self, env: Any, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of the fields on a filled-in sheet, with `parts` in place of the first stars."""
        return tuple([name for path in self.paths for name in _expanded(path.steps, env, parts)])

    def _wrong(self, message: str, hint: str = "") -> ExpressionError:
        return ExpressionError(f"{message} in “{shortened(self.name)}”", self.at, hint)

    def _group(
        self, fields: Mapping[str, FieldFile], segments: list[str], depth: int, steps: tuple[_PathStep, ...]
    ) -> None:
        """Follows the segments from `depth` on into the fields of a group."""
        segment = segments[depth] if depth < len(segments) else ""
        if segment and segment != "*":
            if segment not in fields:
                raise self._wrong(f"unknown field “{shortened(segment)}”", did_you_mean(segment, fields))
            self.label = fields[segment].label or segment.replace("_", " ")
            self._field(segment, fields[segment], segments, depth + 1, steps=(*steps, _PathStep("key", segment)))
            return
        self.is_rows = self.is_rows or not segment
        star = segments[:depth].count("*") if segment else -1
        for key, spec in fields.items():
            self._field(key, spec, segments, depth + 1, steps=(*steps, _PathStep("key", key, star)))

    def _field(self, key: str, spec: FieldFile, segments: list[str], depth: int, steps: tuple[_PathStep, ...]) -> None:
        segment = segments[depth] if depth < len(segments) else ""
        if spec.fields is None:
            self._mark(key, spec, segments, depth, steps=steps)
        elif spec.repeat is not None:
            step = self._number(key, spec, segments, depth, kind="entries")
            self._group(spec.fields, segments, depth + 1, (*steps, step))
        else:
            self._group(spec.fields, segments, depth, steps)
            if segment in ("", "*"):
                self.across = spec.across

    def _mark(self, key: str, spec: FieldFile, segments: list[str], depth: int, steps: tuple[_PathStep, ...]) -> None:
        """The end of a path: a field or a row, perhaps followed by a column of the cards in it."""
        segment = segments[depth] if depth < len(segments) else ""
        if spec.count is not None and spec.kind == "card" and segment and segment != "*" and not segment.isdecimal():
            self.is_rows, steps = True, (*steps, _PathStep("row", "", -1, spec.most or spec.count))
        elif spec.count is not None:
            self.across = spec.across if segment in ("", "*") else None
            self.is_rows = self.is_rows or not segment
            steps, depth = (*steps, self._number(key, spec, segments, depth, kind="row")), depth + 1
        if depth < len(segments):
            self._read_column(key, spec, segments[depth:])
        if len(self.paths) >= limits.FIELDS:
            raise self._wrong(f"more than {limits.FIELDS:,} fields")
        self.paths.append(_Path(steps, spec))

    def _read_column(self, key: str, spec: FieldFile, rest: list[str]) -> None:
        if spec.kind != "card" or len(rest) > 1:
            raise self._wrong(f"“{shortened(key)}” is a field, so nothing can follow it")
        if rest[0] not in self.columns:
            raise self._wrong(f"the cards have no column “{shortened(rest[0])}”", did_you_mean(rest[0], self.columns))
        self.column = rest[0], self.columns[rest[0]]

    def _number(
        self, key: str, spec: FieldFile, segments: list[str], depth: int, kind: Literal["entries", "row"]
    ) -> _PathStep:
        """The step to the entries of a repeated group, or to the marks of a row."""
        segment = segments[depth] if depth < len(segments) else "*"
        length = spec.most or spec.count or spec.repeat or 1
        if segment == "*":
            return _PathStep(kind, "", segments[:depth].count("*") if depth < len(segments) else -1, length)
        if not (segment.isascii() and segment.isdecimal() and len(segment) < 9):
            example = f"write {key}.*.{shortened(segment)}" if kind == "entries" else f"write {key}.*"
            raise self._wrong(f"“{shortened(key)}” repeats, so a number or “*” must follow it", example)
        if not 1 <= int(segment) <= length:
            raise self._wrong(f"“{shortened(key)}” has no number {segment}", f"its numbers are 1 to {length}")
        self.label = f"{self.label} {int(segment)}"
        return _PathStep("number", str(int(segment)))


def _expanded(steps: Sequence[_PathStep], env: Any, parts: tuple[str, ...]) -> list[str]:
    ids = [""]
    for kind, text, star, length in steps:
        if 0 <= star < len(parts):
            if kind == "key" and parts[star] != text:
                return []
            ids = [f"{start}.{parts[star]}" for start in ids]
        elif kind in ("key", "number"):
            ids = [f"{start}.{text}" if start else text for start in ids]
        elif kind == "row":
            ids = [f"{start}.{number}" for start in ids for number in range(1, length + 1)]
        else:
            ids = [entry for start in ids for entry in env.entries.get(start, ())]
        env.spend(len(ids))
    return ids


class SheetNames:
    """The scope of a sheet's expressions. `columns` are those of the game's cards, each with the kind of its values."""

    def __init__(self, definition: SheetFile, columns: Mapping[str, str]) -> None:
        group = definition.fields.get(definition.players or "")
        self.definition, self.columns = definition, columns
        self.players = group is not None and group.fields is not None and group.repeat is not None
        self.group = definition.players if self.players else None
        self.own_fields: Mapping[str, FieldFile] = (group.fields or {}) if group and self.players else {}
        self.targets: dict[str, FieldPattern] = {}
        self.hints: dict[str, str] = {}
        self.stars: int | None = None
        self.lines: Mapping[str, str | None] = {}
        self.line_count, self.later, self.has_total = 0, frozenset[str](), True

    def with_lines(
        self, lines: Mapping[str, str | None], count: int, later: Iterable[str] = (), *, has_total: bool = True
    ) -> SheetNames:
        """The same names and those of the first `count` score lines. `lines` maps their ids to their labels (None if
        two lines have the same id); `later` are the ids of lines that may not be used yet."""
        other = copy(self)
        other.lines, other.line_count, other.later, other.has_total = dict(lines), count, frozenset(later), has_total
        return other

    def with_stars(self, stars: int) -> SheetNames:
        """The same names, of which the first `stars` stars stand for the same as those of a claimed sum. Otherwise only
        the star of the players' group stands for a player."""
        other = copy(self)
        other.stars = stars
        return other

    def source(self, name: str, at: int) -> NamedValue:
        first, _, rest = name.partition(".")
        if first == "lines" and "lines" not in self.definition.fields:
            return self._line(name, rest, at)
        if name == "total" and self.has_total and not self.knows("total"):
            return NamedValue(name, ValueKind("whole"), lambda env: env.total(), own=True, label="total")
        return self._field(name, self.target(name, at))

    def target(self, name: str, at: int = 0) -> FieldPattern:
        """The fields with this name; raises ExpressionError if there are none."""
        if name not in self.targets:
            segments = name.split(".")
            if segments[0] in self.own_fields and segments[0] not in self.definition.fields:
                segments = [self.group or "", "*", *segments]
            elif segments[0] not in self.definition.fields:
                raise ExpressionError(f"unknown field “{shortened(name)}”", at, self._hint(name))
            self.targets[name] = FieldPattern(name, at, segments, self.definition.fields, columns=self.columns)
        return self.targets[name]

    def _hint(self, name: str) -> str:
        """A hint for an unknown name; only the first problems, which are printed, get one."""
        if name == "total":
            return "a score line can use the lines above it: lines.*"
        if name not in self.hints:
            names = chain(_patterns(self.own_fields), _patterns(self.definition.fields))
            fields = islice((each for each in names if each.partition(".")[0] != self.group), MAX_HINTS)
            known = [*fields, *(f"lines.{line}" for line in self.lines)]
            self.hints[name] = did_you_mean(name, known) if len(self.hints) < MAX_SHOWN else ""
        return self.hints[name]

    def knows(self, name: str) -> bool:
        """Whether there is a field or group with this key, on the sheet or for each player."""
        return name in self.definition.fields or name in self.own_fields

    def _field(self, name: str, target: FieldPattern) -> NamedValue:
        is_own = bool(self.group) and target.pattern.startswith(f"{self.group}.*")
        bound = int(is_own) if self.stars is None else min(self.stars, target.stars)

        def ids(env: Any) -> Sequence[str]:
            return target.ids(env, env.parts if bound > 0 else ())

        kind = _kind(target, bound)
        return NamedValue(
            name,
            kind,
            _reader(target, ids, kind.many),
            own=is_own or bool(self.stars),
            ids=ids,
            label=target.label,
            is_rows=target.is_rows,
            across=target.across,
        )

    def _line(self, name: str, line: str, at: int) -> NamedValue:
        if line == "*":
            count, kind = self.line_count, ValueKind("whole", True)
            return NamedValue(name, kind, lambda env: env.first_lines(count), own=True, label="all score lines")
        if not line:
            raise ExpressionError("“lines” needs the id of a score line", at, "write lines.ID, or lines.* for all")
        if line in self.later and line not in self.lines:
            message = f"the score line “{shortened(line)}” is not above this one"
            raise ExpressionError(message, at, "a line can only use the lines above it")
        if line not in self.lines:
            hint = did_you_mean(line, self.lines) if self.lines else ""
            raise ExpressionError(f"no score line “{shortened(line)}”", at, hint)
        label = self.lines[line]
        if label is None:
            raise ExpressionError(f"two score lines are called “{shortened(line)}”", at, "give one of them an “id”")
        return NamedValue(name, ValueKind("whole"), lambda env: env.line(line), own=True, label=label)


def line_id(label: str) -> str:
    """The id of a score line without an `id`: its label in lower case, with `_` for all other characters."""
    return re.sub(r"\W+", "_", label.lower()).strip("_") or "line"


def _patterns(fields: Mapping[str, FieldFile], prefix: str = "") -> Iterator[str]:
    for key, spec in fields.items():
        name = f"{prefix}{key}"
        yield name
        if spec.fields is not None:
            yield from _patterns(spec.fields, f"{name}.*." if spec.repeat is not None else f"{name}.")


# ---- values ---------------------------------------------------------------------------------------------------------


def _is_of_numbers(spec: FieldFile) -> bool:
    """Whether a choice is between whole numbers, which then count as numbers."""
    return spec.kind == "choice" and all(re.fullmatch("-?[0-9]{1,9}", choice) for choice in spec.choices)


def _kind(target: FieldPattern, bound: int) -> ValueKind:
    if target.column[0]:
        return ValueKind(target.column[1], target.is_many(bound))
    names, choices = set(), set()
    for _, spec in target.paths:
        is_number = spec.kind in ("number", "die") or _is_of_numbers(spec)
        names.add("whole" if is_number else "yes" if spec.kind == "tick" else "text")
        choices.add(spec.choices if spec.kind == "choice" and not is_number else ())
    name = names.pop() if len(names) == 1 else "whole" if names == {"whole", "yes"} else "any"
    is_one_grid = all(step.kind != "entries" or 0 <= step.star < bound for path in target.paths for step in path.steps)
    across = target.across if is_one_grid else None
    return ValueKind(name, target.is_many(bound), across, choices.pop() if len(choices) == 1 else ())


def _reader(target: FieldPattern, ids: Callable[[Any], Sequence[str]], many: bool) -> Callable[[Any], Any]:
    """The function that reads the values of the fields (ticks are True or False, and other blanks None), or of a column
    of the cards in them."""
    column, kind = target.column

    def value(env: Any, field: str) -> Any:
        mark = env.marks.get(field)
        if column:
            card = env.cards.get(mark)
            return _of_kind(card.values.get(column), kind) if card else None
        if are_ticks:
            return mark is True
        return int(mark) if has_number_choices and isinstance(mark, str) else mark

    are_ticks = all(spec.kind == "tick" for _, spec in target.paths)
    has_number_choices = any(_is_of_numbers(spec) for _, spec in target.paths)
    if many:
        return lambda env: [value(env, field) for field in ids(env)]
    return lambda env: value(env, ids(env)[0])


def _of_kind(value: Any, kind: str) -> Any:
    if value is None or kind == "yes":
        return value
    if kind == "whole":
        return int(value)
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
