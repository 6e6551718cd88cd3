"""The steps that take single marks of a sheet from plain data (`lines`) to their values; `steps` puts them together."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ..definitions.models import Empty, FieldFile
from ..errors import Place
from . import marks
from .lines import BLANK, UnlikeError, spelt
from .written import Written

NOTHING_WRITTEN = object()
MOST_KNOWN = 4000
LONGEST_KNOWN = 40
"""Letters of a text that is kept with what it means."""
FEW = ("number", "die", "choice")
"""Kinds of which few texts can be read."""


@dataclass(slots=True, kw_only=True)
class Into(Written):
    """What has been read so far; `place` is that of the line, `apart` are the grids and rows that are kept as typed."""

    place: Place
    apart: frozenset[str]


Step = Callable[[Into, str, Any], None]
"""Reads the value of a field with this id."""


def is_blank(value: Any) -> bool:
    return value is None or (type(value) is str and value in BLANK)


def mark(spec: FieldFile) -> Step:
    if spec.kind in FEW or spec.kind == "tick":
        return _known(spec)
    return _text(spec) if spec.kind == "text" else _free(spec)


def _value(spec: FieldFile, value: Any, cards: Mapping[str, Any]) -> Any:
    """The value of a mark; of one that cannot be read UnlikeError."""
    if is_blank(value):
        return NOTHING_WRITTEN
    text = spelt(value)
    if text is None:
        raise UnlikeError
    try:
        return marks.value(spec, text, cards)
    except marks.MarkError:
        raise UnlikeError


class Values(dict[Any, Any]):
    """The values that few texts of one field can have, by those that were seen, and `nothing` for blanks. A list asked
    for is a TypeError."""

    def __init__(self, spec: FieldFile, nothing: object = NOTHING_WRITTEN) -> None:
        super().__init__()
        self.spec, self.nothing = spec, nothing

    def __missing__(self, typed: Any) -> Any:
        value = _value(self.spec, typed, Empty)
        if value is NOTHING_WRITTEN:
            value = self.nothing
        if len(self) < MOST_KNOWN and (type(typed) is not str or len(typed) <= LONGEST_KNOWN):
            self[typed] = value
        return value


def _known(spec: FieldFile) -> Step:
    """Of a number, a choice, or a tick, which says no by a value of None."""
    values = Values(spec)

    def read(into: Into, name: str, typed: Any) -> None:
        try:
            value = values[typed]
        except TypeError:
            raise UnlikeError
        if value is NOTHING_WRITTEN:
            into.blanks.add(name)
        elif name in into.marks:
            raise UnlikeError
        elif value is not None:
            into.marks[name] = value

    return read


def _text(spec: FieldFile) -> Step:
    by = spec.by

    def read(into: Into, name: str, typed: Any) -> None:
        if type(typed) is not str or typed in BLANK:
            typed = _value(spec, typed, Empty)
        if typed is NOTHING_WRITTEN:
            into.blanks.add(name)
            return
        text = typed.strip()
        if len(text) > marks.LONGEST or not text.isprintable() or name in into.marks:
            raise UnlikeError
        meant = into.names[by].meant(typed) if by else text
        if meant is None:
            raise UnlikeError
        into.marks[name] = meant

    return read


def _free(spec: FieldFile) -> Step:
    """Of cards, which depend on the set, and of set codes."""
    def read(into: Into, name: str, typed: Any) -> None:
        value = _value(spec, typed, into.cards)
        if value is NOTHING_WRITTEN:
            into.blanks.add(name)
        elif name in into.marks:
            raise UnlikeError
        else:
            into.marks[name] = value

    return read
