"""The names that the expressions of a score sheet can use: its fields, its score lines, and the total."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from .. import limits
from ..errors import MAX_SHOWN, did_you_mean, shortened
from ..expressions import ExpressionError, Kind, Source
from ..model.game import FieldFile, SheetFile

MAX_HINTS = 2_000
"""The maximum number of names that a misspelt one is compared with."""
_MAX_CACHED = 200
_MANY = 1_000


class _Step(NamedTuple):
    """One step from a part of the sheet to a part of it: the `key` of a group, a `number` that was typed, every one of
    the `entries` of a repeated group, or every mark of a `row` of this `length`. `star` says which `*` of the pattern
    was typed for it, or is -1."""

    kind: Literal["key", "number", "entries", "row"]
    text: str = ""
    star: int = -1
    length: int = 0


class _Path(NamedTuple):
    steps: tuple[_Step, ...]
    spec: FieldFile


class Target:
    """The fields that a pattern such as `players.*.dice.*` stands for. With a `column`, it stands for what the cards in
    these fields have there (the name of the column, and the kind of its values).

    `is_rows` says whether the pattern names rows or groups as a whole; `across` is the width of a single grid, and
    `label` names the fields in messages."""

    def __init__(self, pattern: str, paths: Sequence[_Path], column: tuple[str, str]) -> None:
        self.pattern, self.paths, self.column = pattern, tuple(paths), column
        self.across: int | None = None
        self.is_rows, self.label = False, ""
        self.stars = pattern.split(".").count("*")
        entries = [step.star for path in self.paths for step in path.steps if step.kind == "entries"]
        self._needed = _MANY if -1 in entries else 1 + max(entries, default=-1)
        self._cache: dict[tuple[str, ...], tuple[str, ...]] = {}

    def is_many(self, bound: int) -> bool:
        """Whether it stands for a list of fields after its first `bound` stars have been replaced."""
        for path in self.paths:
            if any(step.kind in ("entries", "row") and not 0 <= step.star < bound for step in path.steps):
                return True
        return len({tuple(step for step in path.steps if not 0 <= step.star < bound) for path in self.paths}) > 1

    def ids(self, env: Any, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of the fields on a filled-in sheet, with `parts` in place of the first stars."""
        if parts in self._cache:
            return self._cache[parts]
        ids = tuple([name for path in self.paths for name in _expanded(path.steps, env, parts)])
        env.spend(len(ids))
        if len(parts) >= self._needed and len(self._cache) < _MAX_CACHED:  # the same on every sheet
            self._cache[parts] = ids
        return ids


def _expanded(steps: Sequence[_Step], env: Any, parts: tuple[str, ...]) -> list[str]:
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


class SharedNames:
    """What all scopes of a sheet share: the `columns` of the game's cards with the kinds of their values, and the names
    that have been resolved."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self.columns = columns
        self.targets: dict[str, Target] = {}
        self.hints: dict[str, str] = {}


class SheetNames:
    """The scope of a sheet's expressions.

    `lines` maps the ids of the score lines that may be used to their labels (None if two lines have the same id);
    `line_count` is their number, and `later` the ids of lines that may not be used yet. With `positional`, the first
    stars of every name stand for the same as those of a claimed sum; otherwise only the star of the players' group
    stands for a player."""

    def __init__(
        self,
        definition: SheetFile,
        shared: SharedNames,
        lines: Mapping[str, str | None] = {},
        *,
        line_count: int = 0,
        positional: int | None = None,
        has_total: bool = True,
        later: Collection[str] = (),
    ) -> None:
        self.definition, self.lines, self.positional = definition, lines, positional
        self.line_count = line_count
        self.has_total, self.later = has_total, later
        self.shared = shared
        self.group = definition.players if definition.players and _repeats(definition) else None
        self.players = self.group is not None

    def source(self, name: str, at: int) -> Source:
        first, _, rest = name.partition(".")
        if first == "lines" and "lines" not in self.definition.fields:
            return self._line(name, rest, at)
        if name == "total" and self.has_total and not self.knows("total"):
            return Source(name, Kind("whole"), lambda env: env.total(), own=True, label="total")
        return self._field(name, self.target(name, at))

    def target(self, name: str, at: int = 0) -> Target:
        """The fields with this name; raises ExpressionError if there are none."""
        if name not in self.shared.targets:
            self.shared.targets[name] = self._resolved(name, at)
        return self.shared.targets[name]

    def _resolved(self, name: str, at: int) -> Target:
        segments = name.split(".")
        if segments[0] in self.definition.fields:
            return _Walk(name, at, self.shared.columns).target(self.definition.fields, segments)
        if self.group and segments[0] in self._own_fields:
            return _Walk(name, at, self.shared.columns).target(self.definition.fields, [self.group, "*", *segments])
        names = [*self._names(), *(f"lines.{line}" for line in self.lines)]
        hint = "a score line can use the lines above it: lines.*" if name == "total" else self._hint(name, names)
        raise ExpressionError(f"unknown field “{shortened(name)}”", at, hint)

    def _hint(self, name: str, names: list[str]) -> str:
        """A hint for an unknown name; only the first problems, which are printed, get one."""
        if name not in self.shared.hints:
            self.shared.hints[name] = did_you_mean(name, names) if len(self.shared.hints) < MAX_SHOWN else ""
        return self.shared.hints[name]

    @property
    def _own_fields(self) -> Mapping[str, FieldFile]:
        return (self.definition.fields[self.group].fields or {}) if self.group else {}

    def knows(self, name: str) -> bool:
        """Whether there is a field or group with this key, on the sheet or for each player."""
        return name in self.definition.fields or name in self._own_fields

    def _names(self) -> list[str]:
        names: list[str] = []
        for name in (*_patterns(self._own_fields), *_patterns(self.definition.fields)):
            names += [name] if name.partition(".")[0] != self.group else []
            if len(names) >= MAX_HINTS:
                break
        return names

    # ---- fields

    def _field(self, name: str, target: Target) -> Source:
        is_own = bool(self.group) and target.pattern.startswith(f"{self.group}.*")
        bound = int(is_own) if self.positional is None else min(self.positional, target.stars)
        reads_parts = bound > 0

        def ids(env: Any) -> Sequence[str]:
            return target.ids(env, env.parts if reads_parts else ())

        kind = _kind(target, bound)
        read, is_own = _reader(target, ids, kind.many), is_own or bool(self.positional)
        return Source(name, kind, read, is_own, ids, target.label, target.is_rows, target.across)

    # ---- score lines

    def _line(self, name: str, line: str, at: int) -> Source:
        if line == "*":
            count = self.line_count
            return Source(
                name, Kind("whole", True), lambda env: env.first_lines(count), own=True, label="all score lines"
            )
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
        return Source(name, Kind("whole"), lambda env: env.line(line), own=True, label=label)


def line_id(label: str) -> str:
    """The id of a score line without an `id`: its label in lower case, with `_` for all other characters."""
    return re.sub(r"\W+", "_", label.lower()).strip("_") or "line"


def _repeats(definition: SheetFile) -> bool:
    group = definition.fields.get(definition.players or "")
    return group is not None and group.fields is not None and group.repeat is not None


def _patterns(fields: Mapping[str, FieldFile], prefix: str = "") -> Iterator[str]:
    for key, spec in fields.items():
        name = f"{prefix}{key}"
        yield name
        if spec.fields is not None:
            yield from _patterns(spec.fields, f"{name}.*." if spec.repeat is not None else f"{name}.")


class _Walk:
    """Follows a pattern through the definitions of a sheet's fields and collects the paths to those it stands for."""

    def __init__(self, name: str, at: int, columns: Mapping[str, str]) -> None:
        self.name, self.at, self.columns = name, at, columns
        self.column = ""
        self.paths: list[_Path] = []
        self.is_rows = False
        self.across: int | None = None
        self.label = name

    def target(self, fields: Mapping[str, FieldFile], segments: list[str]) -> Target:
        self.group(fields, segments, 0, ())
        target = Target(".".join(segments), self.paths, (self.column, self.columns.get(self.column, "")))
        target.across, target.is_rows = self.across, self.is_rows
        target.label = f"{self.label}, {self.column.replace('_', ' ')}" if self.column else self.label
        return target

    def wrong(self, message: str, hint: str = "") -> ExpressionError:
        return ExpressionError(f"{message} in “{shortened(self.name)}”", self.at, hint)

    def group(self, fields: Mapping[str, FieldFile], segments: list[str], depth: int, steps: tuple[_Step, ...]) -> None:
        """Follows the segments from `depth` on into the fields of a group."""
        segment = segments[depth] if depth < len(segments) else ""
        if segment and segment != "*":
            if segment not in fields:
                raise self.wrong(f"unknown field “{shortened(segment)}”", did_you_mean(segment, fields))
            self.label = fields[segment].label or segment.replace("_", " ")
            self.field(segment, fields[segment], segments, depth + 1, (*steps, _Step("key", segment)))
            return
        self.is_rows = self.is_rows or not segment
        star = segments[:depth].count("*") if segment else -1
        for key, spec in fields.items():
            self.field(key, spec, segments, depth + 1, (*steps, _Step("key", key, star)))

    def field(self, key: str, spec: FieldFile, segments: list[str], depth: int, steps: tuple[_Step, ...]) -> None:
        segment = segments[depth] if depth < len(segments) else ""
        if spec.fields is None:
            self.mark(key, spec, segments, depth, steps)
        elif spec.repeat is not None:
            step = self.number(key, spec, segments, depth, "entries")
            self.group(spec.fields, segments, depth + 1, (*steps, step))
        else:
            self.group(spec.fields, segments, depth, steps)
            if segment in ("", "*"):
                self.across = spec.across

    def mark(self, key: str, spec: FieldFile, segments: list[str], depth: int, steps: tuple[_Step, ...]) -> None:
        """The end of a path: a field or a row, perhaps followed by a column of the cards in it."""
        segment = segments[depth] if depth < len(segments) else ""
        if spec.count is not None and spec.kind == "card" and segment and segment != "*" and not segment.isdecimal():
            self.is_rows, steps = True, (*steps, _Step("row", "", -1, spec.most or spec.count))
        elif spec.count is not None:
            self.across = spec.across if segment in ("", "*") else None
            self.is_rows = self.is_rows or not segment
            steps, depth = (*steps, self.number(key, spec, segments, depth, "row")), depth + 1
        if depth < len(segments):
            self.of_card(key, spec, segments[depth:])
        if len(self.paths) >= limits.FIELDS:
            raise self.wrong(f"more than {limits.FIELDS:,} fields")
        self.paths.append(_Path(steps, spec))

    def of_card(self, key: str, spec: FieldFile, rest: list[str]) -> None:
        if spec.kind != "card" or len(rest) > 1:
            raise self.wrong(f"“{shortened(key)}” is a field, so nothing can follow it")
        if rest[0] not in self.columns:
            raise self.wrong(f"the cards have no column “{shortened(rest[0])}”", did_you_mean(rest[0], self.columns))
        self.column = rest[0]

    def number(
        self, key: str, spec: FieldFile, segments: list[str], depth: int, kind: Literal["entries", "row"]
    ) -> _Step:
        """The step to the entries of a repeated group, or to the marks of a row."""
        segment = segments[depth] if depth < len(segments) else "*"
        length = spec.most or spec.count or spec.repeat or 1
        if segment == "*":
            return _Step(kind, "", segments[:depth].count("*") if depth < len(segments) else -1, length)
        if not (segment.isascii() and segment.isdecimal() and len(segment) < 9):
            example = f"write {key}.*.{shortened(segment)}" if kind == "entries" else f"write {key}.*"
            raise self.wrong(f"“{shortened(key)}” repeats, so a number or “*” must follow it", example)
        if not 1 <= int(segment) <= length:
            raise self.wrong(f"“{shortened(key)}” has no number {segment}", f"its numbers are 1 to {length}")
        self.label = f"{self.label} {int(segment)}"
        return _Step("number", str(int(segment)))


# ---- values ---------------------------------------------------------------------------------------------------------


def _is_of_numbers(spec: FieldFile) -> bool:
    """Whether a choice is between whole numbers, which then count as numbers."""
    return spec.kind == "choice" and all(re.fullmatch("-?[0-9]{1,9}", choice) for choice in spec.choices)


def _kind(target: Target, bound: int) -> Kind:
    names, choices = set(), set()
    if target.column[0]:
        return Kind(target.column[1], target.is_many(bound))
    for _, spec in target.paths:
        is_number = spec.kind in ("number", "die") or _is_of_numbers(spec)
        names.add("whole" if is_number else "yes" if spec.kind == "tick" else "text")
        choices.add(spec.choices if spec.kind == "choice" and not is_number else ())
    name = names.pop() if len(names) == 1 else "whole" if names == {"whole", "yes"} else "any"
    is_one_grid = all(step.kind != "entries" or 0 <= step.star < bound for path in target.paths for step in path.steps)
    across = target.across if is_one_grid else None
    return Kind(name, target.is_many(bound), across, choices.pop() if len(choices) == 1 else ())


def _reader(target: Target, ids: Callable[[Any], Sequence[str]], many: bool) -> Callable[[Any], Any]:
    """The function that reads the values of the fields: ticks are True or False, and other blanks None."""
    convert: Callable[[Any], Any] | None = None
    if target.column[0]:
        return _card_reader(target, ids, many)
    if all(spec.kind == "tick" for _, spec in target.paths):
        convert = lambda value: value is True  # noqa: E731
    elif any(_is_of_numbers(spec) for _, spec in target.paths):
        convert = lambda value: int(value) if isinstance(value, str) else value  # noqa: E731

    def values(env: Any) -> list[Any]:
        marks = [env.marks.get(name) for name in ids(env)]
        return [convert(mark) for mark in marks] if convert else marks

    return values if many else lambda env: values(env)[0]


def _card_reader(target: Target, ids: Callable[[Any], Sequence[str]], many: bool) -> Callable[[Any], Any]:
    """The function that reads a column of the cards in the fields."""
    name, kind = target.column

    def values(env: Any) -> list[Any]:
        cards = [env.cards.get(env.marks.get(field)) for field in ids(env)]
        return [_of_kind(card.values.get(name), kind) if card else None for card in cards]

    return values if many else lambda env: values(env)[0]


def _of_kind(value: Any, kind: str) -> Any:
    if value is None or kind == "yes":
        return value
    if kind == "whole":
        return int(value)
    return " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
