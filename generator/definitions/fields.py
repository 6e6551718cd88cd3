"""The fields of a score sheet: the tree as YAML writes it → every printed mark, by id, in reading order."""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType

from ..errors import InputError, Problem
from .models import Field, FieldFile, ScoreSheet, SheetFile


def score_sheet(name: str, definition: SheetFile) -> ScoreSheet:
    """Expands groups, rows and repeats; raises InputError where the definition contradicts itself."""
    problems = [problem for key, field in definition.fields.items() for problem in _problems(key, field, definition)]
    if problems:
        raise InputError(problems)
    fields = {field.id: field for key, top in definition.fields.items() for field in _expand(key, top, ())}
    return ScoreSheet(name, definition, MappingProxyType(fields))


def _problems(key: str, field: FieldFile, sheet: SheetFile) -> Iterator[Problem]:
    if (field.kind is None) == (field.fields is None):
        yield Problem(f"field “{key}” needs either a kind or fields of its own", field.place)
    if field.kind == "choice" and not field.choices:
        yield Problem(f"field “{key}” needs its choices", field.place)
    if field.repeat is not None and field.fields is None:
        yield Problem(f"field “{key}” repeats but is no group", field.place, "use count for a row of marks")
    for number, limit in ((field.count, 500), (field.repeat, 500), (field.most, 20_000)):
        if number is not None and not 1 <= number <= limit:
            yield Problem(f"field “{key}” stands {number} times", field.place, f"from 1 to {limit}")
    if field.by and (field.by not in sheet.fields or not sheet.fields[field.by].count):
        yield Problem(f"field “{key}” is by “{field.by}”, which is no row of names", field.place)
    for inner_key, inner in (field.fields or {}).items():
        yield from _problems(f"{key}.{inner_key}", inner, sheet)


def _expand(prefix: str, field: FieldFile, labels: tuple[str, ...]) -> Iterator[Field]:
    if not field.paper:
        return
    if field.fields is None:
        yield from _marks(prefix, field, labels)
        return
    for stem, label in _repeats(prefix, field):
        for key, inner in field.fields.items():
            yield from _expand(f"{stem}.{key}", inner, (*labels, label) if label else labels)


def _repeats(prefix: str, field: FieldFile) -> Iterator[tuple[str, str]]:
    if field.repeat is None:
        yield prefix, field.label
        return
    for number in range(1, field.repeat + 1):
        yield f"{prefix}.{number}", f"{field.label or prefix.rpartition('.')[2]} {number}"


def _marks(prefix: str, field: FieldFile, labels: tuple[str, ...]) -> Iterator[Field]:
    label = field.label or prefix.rpartition(".")[2]
    if field.count is None:
        yield _field(prefix, field, ", ".join((*labels, label)))
        return
    for number in range(1, field.count + 1):
        yield _field(f"{prefix}.{number}", field, ", ".join((*labels, f"{label} {number}")))


def _field(name: str, field: FieldFile, label: str) -> Field:
    assert field.kind is not None
    tip = f"{label}: {field.tip}" if field.tip else label
    return Field(name, field.kind, label, tip, field.span, field.length, field.choices, field.required)
