"""Two fields of a group with the same name, on paper or in a file: what is typed beside them tells which is meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from .. import nodes
from ..model.game import FieldFile
from ..reading.typed import scalar_text
from ..spelling import bare
from .draft import Draft


class Namesakes:
    """The fields of a group that share a name.

    A field may have the same key as one in a group inside: the purple die that is ticked, and that of a throw. The
    inner one is meant if others of its group, but not the field itself, are typed beside it: `red: AEIO, purple: K`.
    The key of a row of ticks may be the printed label of a number inside: `wins` are the games that a player has won,
    but “Wins” is printed beside their number. A single number is ambiguous unless both are typed."""

    def __init__(self, specs: Mapping[str, FieldFile]) -> None:
        self.specs = specs
        inside = {name: {*spec.fields} & {*specs} for name, spec in specs.items() if spec.fields and not spec.repeat}
        self.keys = {name: keys for name, keys in inside.items() if keys}
        labels = {
            bare(part.label): f"{name}.{key}"
            for name, spec in specs.items()
            for key, part in (spec.fields or {}).items()
            if part.kind == "number" and not spec.repeat
        }
        ticks = [name for name, spec in specs.items() if spec.kind == "tick" and spec.count]
        self.rows = {name: labels[bare(name)] for name in ticks if bare(name) in labels}
        self.single = {*specs}.difference(*self.keys.values(), self.rows)
        """The keys that only one field has."""

    def __bool__(self) -> bool:
        return bool(self.keys or self.rows)

    def resolved(self, draft: Draft, name: str, typed: dict[Any, Any], find: Callable[[str], str]) -> dict[Any, Any]:
        """The parts of the group with the ids of the fields that are meant. `find` returns the field that a key stands
        for by itself."""
        if typed.keys() <= self.single:
            return typed
        found = {key: find(key) for key in typed}
        ids = {key: key for key in typed}
        for group, keys in self.keys.items():
            if any(field.startswith(f"{group}.") for field in found.values()):
                missing = {field for field in keys if f"{group}.{field}" not in found.values()}
                ids |= {key: f"{group}.{field}" for key, field in found.items() if field in missing}
        for key in typed:
            if bare(key) in self.rows:
                ids[key] = self._row_or_number(draft, name, typed, key, found)
        if all(key == field for key, field in ids.items()):
            return typed
        pairs = [(draft.scalar(field, key), typed[key]) for key, field in ids.items() if field]
        return nodes.Mapping(pairs, draft.report.place_of(typed)) if draft.located else dict(pairs)

    def _row_or_number(self, draft: Draft, name: str, typed: dict[Any, Any], key: str, found: dict[str, str]) -> str:
        """The key or id by which the key of a row of ticks is read; empty if that is ambiguous, which is reported."""
        row, number = bare(key), (scalar_text(typed[key]) or "").strip()
        if not number.isdecimal():
            return key
        if any(other != key and (found[other] == row or other.isdecimal()) for other in typed):
            return self.rows[row]
        if self.rows[row] in found.values():
            return key
        label = self.specs[row].label
        message = f"{name}: “{key}: {number}” can mean {number} in all or {label.lower()} {number}"
        draft.bad(key, message, f"type “Total: {number}” or “{label}: [{number}]”")
        return ""
