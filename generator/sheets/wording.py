"""Turns the ids of fields in messages into words: `turns.1.roll` becomes `Ann, turn 1: roll`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from ..definitions.models import FieldFile, SheetFile

_QUOTED = re.compile("(“[^”]*”)")
_NAMES_THE_PLAYER = ("name", "player")


def words(sheet: SheetFile, field: str, people: Mapping[str, str], before_name: str = ": ") -> str:
    """The words for a field or part of a sheet: whose it is and the entries it is in, then, after `before_name`, its
    own name. `people` are the players by the ids of their entries."""
    person, entries, names = "", list[str](), list[str]()
    fields: Mapping[str, FieldFile] = sheet.fields
    path, steps = "", field.split(".")
    while steps:
        key = steps.pop(0)
        spec, path = fields.get(key), f"{path}.{key}".lstrip(".")
        is_list = spec is None or spec.repeat is not None or spec.count is not None
        number = steps.pop(0) if steps and (is_list or steps[0].isdecimal()) else ""
        path = f"{path}.{number}".rstrip(".")
        is_player = spec is not None and (key == sheet.players or spec.by is not None)
        is_name = _is_name_of(field, path) or (spec is not None and not spec.fields and not spec.by)
        owner = people.get(path, "") if number and not is_name else ""
        person = owner or person
        if owner and (is_player or not number.isdecimal()):
            names += [key] if path == field or (spec and not spec.fields) else []
        elif number:
            (names if spec and not spec.fields else entries).append(_entry(key, number, spec))
        elif not (spec and spec.across):
            names.append(key)
        fields = (spec.fields if spec else None) or {}
    parts = (", ".join(filter(None, (person, *entries))), " ".join(names).replace("_", " "))
    return before_name.join(filter(None, parts))


def _is_name_of(field: str, entry: str) -> bool:
    """Whether the field holds the name by which messages call its entry, so that they cannot use it."""
    return field in (f"{entry}.name", f"{entry}.player")


def _entry(key: str, number: str, spec: FieldFile | None) -> str:
    """One entry of a list or row: `turn 3`, `card 3`, `log entry 3`."""
    noun = key.replace("_", " ")
    if noun.endswith("s"):
        return f"{noun[:-3] + 'y' if noun.endswith('ies') else noun[:-1]} {number}"
    label = spec.label if spec else f"{noun} entry"
    return f"{label[:1].lower()}{label[1:]} {number}" if label else f"{noun} {number}"


def in_words(message: str, sheet: SheetFile, keys: Iterable[str], people: Mapping[str, str]) -> str:
    """A message with words in place of the ids of fields, except in quotations. `keys` are what ids begin with."""
    ids = re.compile(rf"(?<![\w.-])(?:{'|'.join(map(re.escape, keys))})(?:\.[\w-]+)+")

    def replaced(match: re.Match[str]) -> str:
        is_label = match.string[match.end() : match.end() + 1] == ":"
        return words(sheet, match[0], people, ", " if is_label else ": ")

    return "".join(part if part.startswith("“") else ids.sub(replaced, part) for part in _QUOTED.split(message))
