"""The names that the expressions of a score sheet can use: its fields, what was drawn for it, its score lines, and the
total."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from itertools import chain, islice
from typing import Any, TypeAlias

from .. import limits
from ..errors import MAX_SHOWN, did_you_mean, shortened
from ..expressions import ExpressionError, NamedValue, ValueKind
from ..model.game import FieldFile, SheetFile

MAX_HINTS = 2_000
"""The maximum number of names that a misspelt one is compared with."""
Found: TypeAlias = Iterator[tuple[str, FieldFile]]


class _Sample:
    """Stands for a filled-in sheet when an expression is compiled: every group has an entry `*`."""

    class entries:  # noqa: N801 - has the name of the attribute of a sheet
        @staticmethod
        def get(name: str, default: object) -> tuple[str, ...]:
            return (f"{name}.*",)


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
        self.segments, self.fields = segments, fields
        self.pattern, self.stars = ".".join(segments), segments.count("*")
        self.column = ("", "")
        self.is_rows, self.label = False, _label(fields, segments)
        self.across: int | None = None
        found = list(islice(self._walk(fields, 0, "", _Sample, ()), limits.FIELDS + 1))
        if len(found) > limits.FIELDS:
            raise self._wrong(f"more than {limits.FIELDS:,} fields")
        self.specs = list({id(spec): spec for _, spec in found}.values())
        if self.column[0]:
            self.label += f", {self.column[0].replace('_', ' ')}"

    def sample(self, bound: int) -> set[str]:
        """Ids of the fields after the first `bound` stars have been replaced, with `*` for any other entry of a group
        and `#` for any mark of a row."""
        return {name for name, _ in self._walk(self.fields, 0, "", _Sample, ("?",) * bound)}

    def ids(self, env: Any, parts: tuple[str, ...]) -> tuple[str, ...]:
        """The ids of the fields on a filled-in sheet, with `parts` in place of the first stars."""
        return tuple([name for name, _ in self.found(env, parts)])

    def found(self, env: Any, parts: tuple[str, ...]) -> list[tuple[str, FieldFile]]:
        """The same ids, with the definitions of the fields."""
        found = []
        for each in self._walk(self.fields, 0, "", env, parts):
            env.spend(1)
            found.append(each)
        return found

    def _wrong(self, message: str, hint: str = "") -> ExpressionError:
        return ExpressionError(f"{message} in “{shortened(self.name)}”", self.at, hint)

    def _walk(
        self, fields: Mapping[str, FieldFile], depth: int, prefix: str, env: Any, parts: tuple[str, ...]
    ) -> Found:
        """The fields in a group that the segments from `depth` on stand for. Without segments, they are all of them."""
        segment = self.segments[depth] if depth < len(self.segments) else ""
        part = self._part(depth, parts) if segment == "*" else segment
        if part and part != "?":
            if part in fields:
                yield from self._field(prefix + part, fields[part], depth + 1, env, parts)
            elif segment != "*":
                raise self._wrong(f"unknown field “{shortened(part)}”", did_you_mean(part, fields))
            return
        self.is_rows = self.is_rows or not segment
        for key, spec in fields.items():
            yield from self._field(f"{prefix}{part or key}", spec, depth + 1, env, parts)

    def _field(self, name: str, spec: FieldFile, depth: int, env: Any, parts: tuple[str, ...]) -> Found:
        """The marks of a field, a row or a group, of which the segments from `depth` on name a part."""
        segment = self.segments[depth] if depth < len(self.segments) else ""
        names: Sequence[str] = [name]
        if spec.repeat is not None or spec.count is not None:
            is_column = spec.kind == "card" and segment not in ("", "*") and not segment.isdecimal()
            names = self._numbered(name, spec, "" if is_column else segment, depth, env, parts)
            self.is_rows = self.is_rows or is_column or (spec.fields is None and not segment)
            depth += not is_column
        if spec.fields is None and depth < len(self.segments):
            rest = self.segments[depth:]
            if spec.kind != "card" or len(rest) > 1:
                raise self._wrong(f"“{shortened(name.rpartition('.')[2])}” is a field, so nothing can follow it")
            if rest[0] not in self.columns:
                raise self._wrong(
                    f"the cards have no column “{shortened(rest[0])}”", did_you_mean(rest[0], self.columns)
                )
            self.column = rest[0], self.columns[rest[0]]
        for each in names:
            if spec.fields is None:
                yield each, spec
            else:
                yield from self._walk(spec.fields, depth, f"{each}.", env, parts)
        if env is _Sample and spec.repeat is None and segment in ("", "*") and (spec.fields or spec.count):
            self.across = spec.across

    def _part(self, depth: int, parts: tuple[str, ...]) -> str:
        """What stands in place of the star at `depth`; empty for everything."""
        star = self.segments[:depth].count("*")
        return parts[star] if star < len(parts) else ""

    def _numbered(
        self, name: str, spec: FieldFile, segment: str, depth: int, env: Any, parts: tuple[str, ...]
    ) -> Sequence[str]:
        """The entries of a repeated group, or the marks of a row."""
        length = spec.most or spec.count or spec.repeat or 1
        part = self._part(depth, parts) if segment == "*" else segment
        if not part:
            if spec.fields is not None:
                return env.entries.get(name, ())  # type: ignore[no-any-return]
            return [f"{name}.#"] if env is _Sample else [f"{name}.{number}" for number in range(1, length + 1)]
        if segment != "*":
            self._refuse_number(name.rpartition(".")[2], spec, segment, length)
            part = str(int(segment))
        return [f"{name}.{part}"]

    def _refuse_number(self, key: str, spec: FieldFile, segment: str, length: int) -> None:
        if not (segment.isascii() and segment.isdecimal() and len(segment) < 9):
            example = f"write {key}.*.{shortened(segment)}" if spec.fields is not None else f"write {key}.*"
            raise self._wrong(f"“{shortened(key)}” repeats, so a number or “*” must follow it", example)
        if not 1 <= int(segment) <= length:
            raise self._wrong(f"“{shortened(key)}” has no number {segment}", f"its numbers are 1 to {length}")


def _label(fields: Mapping[str, FieldFile], segments: Sequence[str]) -> str:
    """What messages call the fields: the label of the last group or field that is named, and its number."""
    label, groups, is_numbered = "", [fields], False
    for segment in segments:
        named = [group[segment] for group in groups if segment in group]
        if is_numbered:
            label, is_numbered = f"{label} {int(segment)}" if segment.isdecimal() else label, False
            continue
        if named:
            label = named[0].label or segment.replace("_", " ")
        specs = named or [spec for group in groups for spec in group.values()]
        is_numbered = any(spec.repeat is not None or spec.count is not None for spec in specs)
        groups = [spec.fields for spec in specs if spec.fields is not None]
    return label or ".".join(segments)


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
        drawn, _, number = name.rpartition(".")
        if not self.knows(first) and (name in self.columns or (drawn in self.columns and number.isdecimal())):
            return self._drawn(name, at) if name in self.columns else self._drawn(drawn, at, int(number))
        return self._field(name, self.target(name, at))

    def target(self, name: str, at: int = 0) -> FieldPattern:
        """The fields with this name; raises ExpressionError if there are none."""
        if name not in self.targets:
            segments = name.split(".")
            if segments[0] in self.own_fields and segments[0] not in self.definition.fields:
                segments = [self.group or "", "*", *segments]
            elif segments[0] not in self.definition.fields:
                raise ExpressionError(f"unknown field “{shortened(name)}”", at, self._hint(name))
            self.targets[name] = FieldPattern(name, at, segments, self.definition.fields, self.columns)
        return self.targets[name]

    def _hint(self, name: str) -> str:
        """A hint for an unknown name; only the first problems, which are printed, get one."""
        if name == "total":
            return "a score line can use the lines above it: lines.*"
        if name not in self.hints:
            names = chain(_patterns(self.own_fields), _patterns(self.definition.fields))
            fields = islice((each for each in names if each.partition(".")[0] != self.group), MAX_HINTS)
            known = [
                *fields,
                *(f"lines.{line}" for line in self.lines),
                *(each for each in self.columns if "." in each and not each.endswith("#")),
            ]
            self.hints[name] = did_you_mean(name, known) if len(self.hints) < MAX_SHOWN else ""
        return self.hints[name]

    def knows(self, name: str) -> bool:
        """Whether there is a field or group with this key, on the sheet or for each player."""
        return name in self.definition.fields or name in self.own_fields

    def _field(self, name: str, target: FieldPattern) -> NamedValue:
        is_own = bool(self.group) and target.pattern.startswith(f"{self.group}.*")
        bound = int(is_own) if self.stars is None else min(self.stars, target.stars)

        kind = _kind(target, bound)
        return NamedValue(
            name,
            kind,
            _reader(target, bound, kind.many),
            own=is_own or bool(self.stars),
            ids=lambda env: target.ids(env, env.parts if bound > 0 else ()),
            label=target.label,
            is_rows=target.is_rows,
            across=target.across,
        )

    def _drawn(self, name: str, at: int, number: int = 0) -> NamedValue:
        """The values of a column that was drawn, or one of them."""
        count = int(self.columns[f"{name}.#"])
        if number > count:
            raise ExpressionError(f"“{name}” has no number {number}", at, f"its numbers are 1 to {count}")
        draw, column = name.replace("_", " ").split(".")[-2:]
        kind, label = ValueKind(self.columns[name], not number), f"{column}{f' {number}' if number else ''} of {draw}"

        def run(env: Any) -> Any:
            values = [_of_kind(value, kind.name) for value in env.drawn.get(name, ())]
            env.spend(len(values))
            return values if not number else values[number - 1] if 0 < number <= len(values) else None

        return NamedValue(f"{name}.{number}" if number else name, kind, run, label=label, is_drawn=True)

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


def _is_of_numbers(spec: FieldFile) -> bool:
    """Whether a choice is between whole numbers, which then count as numbers."""
    return spec.kind == "choice" and all(re.fullmatch("-?[0-9]{1,9}", choice) for choice in spec.choices)


def _kind(target: FieldPattern, bound: int) -> ValueKind:
    sample = [name.split(".") for name in target.sample(bound)]
    many = len(sample) > 1 or any("*" in name or "#" in name for name in sample)
    if target.column[0]:
        return ValueKind(target.column[1], many)
    names, choices = set(), set()
    for spec in target.specs:
        is_number = spec.kind in ("number", "die") or _is_of_numbers(spec)
        names.add("whole" if is_number else "yes" if spec.kind == "tick" else "text")
        choices.add(spec.choices if spec.kind == "choice" and not is_number else ())
    name = names.pop() if len(names) == 1 else "whole" if names == {"whole", "yes"} else "any"
    across = None if any("*" in name for name in sample) else target.across
    return ValueKind(name, many, across, choices.pop() if len(choices) == 1 else ())


def _reader(target: FieldPattern, bound: int, many: bool) -> Callable[[Any], Any]:
    """The function that reads the values of the fields (ticks are True or False, and other blanks None), or of a column
    of the cards in them."""
    column, kind = target.column

    def value(env: Any, field: str, spec: FieldFile) -> Any:
        mark = env.marks.get(field)
        if column:
            card = env.cards.get(mark)
            return _of_kind(card.values.get(column), kind) if card else None
        return mark is True if are_ticks else int(mark) if mark is not None and id(spec) in numeric else mark

    are_ticks = all(spec.kind == "tick" for spec in target.specs)
    numeric = {id(spec) for spec in target.specs if _is_of_numbers(spec)}

    def values(env: Any) -> list[Any]:
        return [value(env, *found) for found in target.found(env, env.parts if bound > 0 else ())]

    return values if many else lambda env: values(env)[0]


def _of_kind(value: Any, kind: str) -> Any:
    if value is None or kind in ("yes", "number"):
        return value
    return int(value) if kind == "whole" else " ".join(map(str, value)) if isinstance(value, tuple) else str(value)
