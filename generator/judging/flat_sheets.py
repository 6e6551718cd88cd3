"""Filled-in sheets as flat marks: the text of each field by its id, as a form in a browser or a PDF has them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct, field

from .. import limits, nodes
from ..errors import Place, fault
from ..nodes import Scalar
from ..sheets import Document
from ..sheets.marks import written
from ..sheets.parts import SheetPart
from ..sheets.typed_lines import Plain, Rows
from ..spelling import bare, comparable
from .judge import SheetView
from .questions import BlankForm

BLANK = "."


class FlatSheet(Struct):
    """The `marks` of a sheet by field id, and its `extra` parts, which are not on paper, as they would be typed in a
    file. A tick is `x`, a field that says that it is blank `.`."""

    marks: dict[str, str] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def is_blank(self) -> bool:
        return not any(self.marks.values()) and not self.extra


def flattened(view: SheetView, document: Document) -> FlatSheet:
    """A sheet that was read, and the document it was read from, as flat marks. A group that has only a 0 has it in its
    first text."""
    filled = view.filled
    form, fields = BlankForm(view.judge.game, filled.sheet, view.rules, ""), filled.sheet.definition.fields
    marks = {name: BLANK for name in filled.blanks if name in filled.sheet.fields}
    for name, value in filled.marks.items():
        first = _first_of_zero(form.reader.whole, name) if value == 0 else ""
        marks[first or name] = filled.written(name)
    extra = {
        key: _as_typed(value)
        for typed_key, value in document.data.items()
        for key in form.reading.extra
        if bare(str(typed_key)) == bare(key) and key in filled.extra
        if key not in fields or isinstance(value, (list, dict))
    }
    return FlatSheet({name: text for name, text in marks.items() if text}, extra)


def _as_typed(value: Any, depth: int = 0) -> Any:
    """Nodes or plain data as texts, lists and mappings. Raises InputError for data nested too deeply."""
    if depth > limits.YAML_DEPTH:
        raise fault(f"nested more than {limits.YAML_DEPTH} levels deep")
    if isinstance(value, dict):
        return {str(key): _as_typed(inner, depth + 1) for key, inner in value.items()}
    if isinstance(value, list):
        return [_as_typed(inner, depth + 1) for inner in value]
    return str(value) if type(value) in (int, float) else written(value) or BLANK


def _first_of_zero(parts: SheetPart, name: str) -> str:
    """The first text of a group that may be 0 as a whole; empty for anything else."""
    part = _part(parts, name)
    return next((f"{name}.{inner.key}" for inner in part.inner if inner.words), "") if part and part.spec.zero else ""


def _part(parts: SheetPart, name: str) -> SheetPart | None:
    part: SheetPart | None = parts
    for step in name.split("."):
        if part and not (step.isdecimal() and part.kind in ("list", "row")):
            part = next((inner for inner in part.inner if inner.key == step and not inner.extra), None)
    return part


def document(form: BlankForm, sheet: FlatSheet, file: str) -> Document:
    """The sheet as a document. The line of a mark is its number among the marks, from 1, so that problems lead to it;
    everything else is on line 0."""
    whole = Place(file)
    pairs = [(Scalar(key, whole), Scalar(text, whole)) for key, text in form.heading.items()]
    for number, (name, text) in enumerate(_with_zeros(form, sheet.marks), 1):
        place = Place(file, number)
        pairs.append((Scalar(name, place), Scalar(text, place, text != BLANK)))
    extra: Any = [(Scalar(key, whole), nodes.from_plain(_as_typed(value), whole)) for key, value in sheet.extra.items()]
    return Document(nodes.Mapping([*pairs, *extra], whole), whole)


def _with_zeros(form: BlankForm, marks: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The marks, with the id of the group for a 0 that is all that a group has."""
    for name, text in marks.items():
        group, _, key = name.rpartition(".")
        part = _part(form.reader.whole, group) if text == "0" and key else None
        inner = part.by_key.get(key) if part and part.spec.zero else None
        alone = not any(other.startswith(f"{group}.") for other in marks if other != name)
        yield (group if inner and inner.words and alone else name), text


# ---- as a file that a person would type


def typed(form: BlankForm, sheet: FlatSheet) -> dict[str, Plain]:
    """The sheet as the document of a file, with lists, rows and groups."""
    everything = dict(_with_zeros(form, sheet.marks))
    marks = {name: text for name, text in everything.items() if _part(form.reader.whole, name)}
    parts = [part for part in form.parts if not part.extra]
    written: dict[str, Plain] = dict(form.heading)
    for part in parts:
        if part.key in sheet.extra and part.kind == "ticks":
            written |= {name: text for name, text in marks.items() if name.startswith(f"{part.key}.")}
        elif (value := _typed(part, part.key, marks)) is not None:
            written[part.key] = value
    unknown = {name: text for name, text in everything.items() if name not in marks}
    return written | unknown | {key: _as_typed(value) for key, value in sheet.extra.items()}


def _typed(part: SheetPart, name: str, marks: Mapping[str, str]) -> Plain | None:
    if name in marks:
        return marks[name]
    if not any(other.startswith(f"{name}.") for other in marks):
        return None
    if part.kind == "grid":
        across, texts = part.spec.across or 1, [marks.get(f"{name}.{box.key}", BLANK) for box in part.inner]
        return Rows([" ".join(texts[start : start + across]) for start in range(0, len(texts), across)])
    if part.kind in ("row", "list"):
        return _listed(part, name, marks)
    inner = {each.key: value for each in part.inner if (value := _typed(each, f"{name}.{each.key}", marks)) is not None}
    return list(inner) if part.kind == "ticks" and set(inner.values()) == {"x"} else inner


def _listed(part: SheetPart, name: str, marks: Mapping[str, str]) -> Plain:
    """A row of marks, the numbers of ticked boxes, or the entries of a list."""
    numbers = _numbers(name, marks)
    if part.kind == "row" and part.tick:
        return [str(number) for number in numbers]
    entries = {number: _typed(part.single, f"{name}.{number}", marks) or {} for number in numbers}
    if part.by:
        names = [marks.get(f"{part.by}.{number}", "") for number in numbers]
        keys = names if all(names) and len(set(map(comparable, names))) == len(names) else map(str, numbers)
        return dict(zip(keys, entries.values(), strict=True))
    return [entries.get(number, BLANK if part.kind == "row" else {}) for number in range(1, numbers[-1] + 1)]


def _numbers(name: str, marks: Mapping[str, str]) -> list[int]:
    """The numbers of the entries with marks."""
    depth = name.count(".") + 1
    return sorted({int(other.split(".")[depth]) for other in marks if other.startswith(f"{name}.")})
