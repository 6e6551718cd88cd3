"""The readers of all fields, and the one for a single mark."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

from ..errors import did_you_mean
from ..model.game import FieldFile
from . import marks
from .draft import Draft, quoted
from .filled_sheet import Value
from .lookups import FEW, Values
from .marks import BLANK, written


class Reader(ABC):
    """Reads the value typed for one field; `name` is the id of the field on this sheet."""

    @abstractmethod
    def read(self, draft: Draft, name: str, typed: Any) -> None:
        """Reads the value of the whole field."""

    @abstractmethod
    def read_part(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> None:
        """Reads the value of the part at `path`, typed under a `key` with dots in it."""


class Mark(Reader):
    """Reads a field with one mark."""

    def __init__(self, spec: FieldFile) -> None:
        self.spec = spec
        self.values = Values(spec) if spec.kind in (*FEW, "tick") else None
        self.names = spec.by if spec.kind == "text" else None
        self.is_text = spec.kind == "text" and spec.by is None

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        value: Value | None = None
        if type(typed) in (str, bool) and name not in draft.marks:
            if self.values is None:
                value = typed.strip() if self.is_text and _is_plain(typed) else None  # as `marks.value`, but faster
            else:
                try:
                    value = self.values[typed]
                except ValueError:
                    value = None  # the problem is reported below
        if value is None:
            self._read_unusual(draft, name, typed)
        else:
            draft.marks[name] = value

    def _read_unusual(self, draft: Draft, name: str, typed: Any) -> None:
        """Reads what is not from JSON, is blank, needs a closer look or is wrong."""
        text = self._text(draft, name, typed)
        if text is None:
            return
        if name in draft.marks:
            first = draft.places.get(name, draft.report.place)
            draft.bad(typed, f"{name} is given twice", f"first on line {first.line}")
            return
        value = self._value(draft, name, typed, text)
        if value is not None:
            draft.marks[name] = value
            if draft.located:
                draft.places[name] = typed.place

    def _text(self, draft: Draft, name: str, typed: Any) -> str | None:
        """The text; None for a blank, which is recorded, and for an invalid value, which is reported."""
        if isinstance(typed, (list, dict)):
            several = "not a list" if isinstance(typed, list) else "but has lines below it"
            draft.bad(typed, f"{name} takes one value, {several}")
            return None
        text = written(typed)
        if text is None:
            draft.blanks.add(name)
        return text

    def _value(self, draft: Draft, name: str, typed: Any, text: str) -> Value | None:
        try:
            value = marks.value(self.spec, text, draft.cards) if self.values is None else self.values[text]
        except marks.MarkError as error:
            hint = draft.hint(error.look_up)
            draft.bad(typed, f"{name} must be {error.expected}, not “{quoted(text)}”", hint)
            return None
        if self.names is None:
            return value
        names = draft.names[self.names]
        player = names.match(text) or names.by_number.get(int(text) if is_number(text) else 0)  # as numbered on paper
        if player is None and marks.is_nothing(text) and not draft.names[self.names].ambiguity(text):
            draft.blanks.add(name)
        elif player is None:
            no_name(draft, typed, name, text, self.names)
        return player

    def read_part(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> None:
        draft.bad(key, f"unknown field “{quoted(key)}”", f"{name} is a single field")


def _is_plain(typed: str | bool) -> bool:
    """Whether this is a text that means what it says, apart from spaces around it."""
    return (
        type(typed) is str
        and typed not in BLANK
        and len(typed) <= marks.MAX_LENGTH
        and typed.isascii()
        and typed.isprintable()
        and "  " not in typed
    )


def no_name(draft: Draft, typed: Any, name: str, text: str, row: str) -> None:
    names, short_text = draft.names[row], quoted(text)
    if ambiguity := names.ambiguity(short_text):
        draft.bad(typed, f"{name}: {ambiguity}", "write more of the name")
        return
    hint = did_you_mean(short_text, names.by_number.values()) or f"list them under {row}: [...]"
    draft.bad(typed, f"{name}: “{short_text}” is not one of the {row}", hint)


def is_number(text: str) -> bool:
    return text.isdecimal() and text.isascii() and len(text) <= 6
