"""Turns the ids of fields in messages into words: `turns.1.roll` becomes `Ann, turn 1: roll`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping

from ..model.game import FieldFile, SheetFile
from ..model.values import Empty
from .filled_sheet import Value


def words(
    sheet: SheetFile,
    field: str,
    people: Mapping[str, str],
    before_name: str = ": ",
    marks: Mapping[str, Value] = Empty,
) -> str:
    """The words for a field or part of a sheet: whose it is and the entries it is in, then, after `before_name`, its
    own name, as printed. `people` are the players by the ids of their entries. An entry for a card is called by the
    number of the card, if it is among the `marks`."""
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
            if spec and not spec.fields:
                names.append(_label(key, spec))
            elif path == field and key != sheet.players:
                names.append(key.replace("_", " "))
        elif number:
            (names if spec and not spec.fields else entries).append(
                _entry(key, _card(path, spec, marks) or number, spec)
            )
        elif path == field:
            names.append(key.replace("_", " ") if is_list else _label(key, spec))
        elif not (spec and spec.across):
            entries.append(_noun(key, spec))
        fields = (spec.fields if spec else None) or {}
    parts = (", ".join(filter(None, (person, *entries))), " ".join(names))
    return before_name.join(filter(None, parts))


def _card(entry: str, spec: FieldFile | None, marks: Mapping[str, Value]) -> str:
    """The number printed on the card that an entry is about; `entry 2` if it is not known, empty for other entries."""
    first, about = next(iter(((spec and spec.fields) or {}).items()), ("", None))
    if about is None or about.kind != "card" or about.count is not None:
        return ""
    return str(marks.get(f"{entry}.{first}") or f"entry {entry.rpartition('.')[2]}")


def _is_name_of(field: str, entry: str) -> bool:
    """Whether the field holds the name by which messages call its entry, so that they cannot use it."""
    return field in (f"{entry}.name", f"{entry}.player")


def _label(key: str, spec: FieldFile | None) -> str:
    """The label as printed: a single word in lower case unless it is an abbreviation, several words in quotation marks;
    the key if there is no label."""
    label = spec.label if spec else ""
    if " " in label:
        return f"“{label}”"
    return (label if label[1:2].isupper() else label.lower()) or key.replace("_", " ")


def _entry(key: str, number: str, spec: FieldFile | None) -> str:
    """One entry of a list or row: `turn 3`, `card 3`, `log entry 3`."""
    noun = _noun(key if spec or key.endswith("s") else f"{key} entry", spec)
    if noun.endswith("s") and not noun.endswith(("ss", "us")):
        noun = noun[:-3] + "y" if noun.endswith("ies") else noun[:-1]
    return f"{noun} {number}"


def _noun(key: str, spec: FieldFile | None) -> str:
    """The label without quotation marks, in lower case unless it is an abbreviation."""
    noun = _label(key, spec).strip("“”")
    return noun if noun[1:2].isupper() else noun[:1].lower() + noun[1:]


def in_words(
    message: str, sheet: SheetFile, keys: Iterable[str], people: Mapping[str, str], marks: Mapping[str, Value] = Empty
) -> str:
    """A message with words in place of the ids of fields, except in quotations. `keys` are what ids begin with. A key
    alone is replaced only where the message begins with what is wrong with it; elsewhere it may be an ordinary word."""
    key = "|".join(map(re.escape, keys))
    ids = re.compile(rf"“[^”]*”|(?<![\w.-])(?:{key})(?:\.[\w-]+)+|^(?:{key})(?= (?:must|takes|is given|has) |: “)")

    def replaced(match: re.Match[str]) -> str:
        if match[0].startswith("“"):
            return match[0]
        is_label = match.string[match.end() : match.end() + 1] == ":"
        return words(sheet, match[0], people, ", " if is_label else ": ", marks)

    return ids.sub(replaced, message)


# ---- what is printed -------------------------------------------------------------------------------------------------


def printed_words(specs: Mapping[str, FieldFile]) -> Iterator[str]:
    """What stands on the paper for each field: its label, those in a group without a label of its own, or else its key.
    Fields that are not printed come last."""
    for name, spec in sorted(specs.items(), key=lambda field: not field[1].paper):
        if spec.fields and not spec.label and spec.repeat is None:
            yield from printed_words(spec.fields)
        else:
            yield spec.label or name


def parts_in_words(specs: Mapping[str, FieldFile]) -> Iterator[str]:
    """The words for the fields of a group, each followed by those for its own parts in brackets."""
    for name, spec in specs.items():
        parts = f" ({', '.join(printed_words(spec.fields))})" if spec.fields and spec.label else ""
        yield ", ".join(printed_words({name: spec})) + parts
