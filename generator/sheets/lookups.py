"""Caches of what marks mean, because thousands of sheets have the same few texts in the same fields, and helpers for
grids."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..model.game import FieldFile
from ..reading.typed import scalar_text
from . import marks
from .draft import Draft
from .filled_sheet import Value
from .marks import BLANK, written

MAX_CACHED = 4000
MAX_CACHED_LENGTH = 40
"""The number of texts whose values are cached, and the length of the longest."""
FEW = ("number", "die", "choice")
"""Kinds whose texts mean the same on every sheet, so that whole rows can be looked up at once."""


class Values(dict[Any, Value | None]):
    """The values of a field by their texts, cached; None stands for a blank or an explicit “no”. Looking up an invalid
    text raises MarkError, and looking up a list raises TypeError."""

    def __init__(self, spec: FieldFile) -> None:
        super().__init__()
        self.spec = spec

    def __missing__(self, typed: Any) -> Value | None:
        text = written(typed)
        value = None if text is None else marks.value(self.spec, text)
        if len(self) < MAX_CACHED and (text is None or len(text) <= MAX_CACHED_LENGTH):
            self[typed] = value
        return value


class Ids(dict[str, list[str]]):
    """The ids of the fields of a grid or row, by the id of that grid or row."""

    def __init__(self, fields: list[str]) -> None:
        super().__init__()
        self.fields = fields

    def __missing__(self, name: str) -> list[str]:
        ids = [f"{name}.{field}" for field in self.fields]
        if len(self) < MAX_CACHED:
            self[name] = ids
        return ids


class Rows(dict[str, tuple[Value | None, ...]]):
    """The values of the rows of a grid, by their texts. Looking up anything unusual raises ValueError or TypeError."""

    def __init__(self, spec: FieldFile, across: int) -> None:
        super().__init__()
        self.values_by_text, self.across = Values(spec), across

    def __missing__(self, text: Any) -> tuple[Value | None, ...]:
        if type(text) is not str or "," in text:
            raise ValueError("not a row of marks")
        pieces = text.split()
        if len(pieces) != self.across:
            pieces = [text] * self.across if text in BLANK else [*text.strip()] if len(pieces) == 1 else []
        if len(pieces) != self.across:
            raise ValueError("not a row of marks")
        values = tuple(map(self.values_by_text.__getitem__, pieces))
        if len(self) < MAX_CACHED and len(text) <= MAX_CACHED_LENGTH:
            self[text] = values
        return values


def put(draft: Draft, ids: list[str], values: Sequence[Value | None]) -> bool:
    """Adds many marks to the draft; None is a blank. False if one of the marks is already there."""
    if not draft.marks.keys().isdisjoint(ids):
        return False
    draft.marks.update({name: value for name, value in zip(ids, values, strict=True) if value is not None})
    if None in values:
        draft.blanks.update([name for name, value in zip(ids, values, strict=True) if value is None])
    return True


def lines_of(typed: Any) -> list[str]:
    """The lines of a text that are not blank."""
    return [line for line in (scalar_text(typed) or "").splitlines() if line.strip()]


def accepts(spec: FieldFile) -> tuple[Any, ...]:
    """What a field accepts; the same for fields whose marks can be looked up together."""
    return spec.kind, spec.choices, spec.span, spec.count
