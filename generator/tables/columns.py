"""What the columns of a table mean: their roles (title, cost, rules text, …) and their names in templates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from ..errors import Place, shortened
from ..fast_dataclasses import dataclass
from ..model.values import empty_mapping
from .headings import LANGUAGE_NAMES, NUMBERS, folded, meaning, pairs

_NOT_IDENTIFIER = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Column:
    """A column without a role: its field name in templates, its heading as typed, and whether some card has a `long`
    text there."""

    name: str
    label: str
    long: bool = False


@dataclass(frozen=True, slots=True)
class Columns:
    """The field names of a deck by role, as templates see them: a value is `card[columns.title]`. A role without a
    column is None. `rest` lists the other fields. `own_back` says that each card names the template of its back."""

    title: str | None = None
    cost: str | None = None
    image: str | None = None
    rules: str | None = None
    type: str | None = None
    flavour: str | None = None
    footer: str | None = None
    front: str | None = None
    back: str | None = None
    suit: str | None = None
    rank: str | None = None
    colour: str | None = None
    rest: tuple[Column, ...] = ()
    headings: Mapping[str, str] = empty_mapping()
    """The headings as typed, by field name."""
    own_back: bool = False
    letters: Mapping[str, str] = empty_mapping()
    """The columns of a table as spreadsheets count them (`B`), by field name."""

    def place_of(self, values: Mapping[str, Any], row: Place, *texts: str) -> Place | None:
        """The place of the first value of a card that contains all these texts, in the row of a table: its cell in a
        spreadsheet."""
        wanted = [_comparable(text) for text in texts]
        for name in self.headings:
            value = _comparable(values.get(name))
            if value and all(text in value for text in wanted):
                return self._place_in(row, name)
        return None

    def _place_in(self, row: Place, name: str) -> Place:
        if name not in self.letters:
            return row
        if row.sheet:
            return replace(row, cell=f"{self.letters[name]}{row.line}")
        return replace(row, field=shortened(self.headings[name]))


def _comparable(value: object) -> str:
    """A value as a text without case, white space, and the stars of **bold** words."""
    text = ", ".join(map(str, value)) if isinstance(value, tuple | list) else "" if value is None else str(value)
    return "".join(text.replace("*", "").split()).casefold()


NO_COLUMNS = Columns()
FACE_ROLES = ("title", "front", "back", "cost", "suit", "rank", "image", "type", "rules", "flavour", "footer")
"""The roles that the built-in faces print."""
_ALONE = {"cost", "type", "rules"}
"""The roles of a column that is the title if it is the only one."""
_FEW_WORDS = {"title", "cost", "type", "footer"}
"""The roles of cards without a longer text, whose titles are as large as fits."""


def identifier(heading: str, taken: Iterable[str] = ()) -> str:
    """A field name for a heading: in lower case, `_` for other characters, and different from the names in `taken`."""
    base = _NOT_IDENTIFIER.sub("_", unicodedata.normalize("NFKC", heading).lower()).strip("_") or "column"
    name = base if not base[0].isdigit() else f"n_{base}"
    number = 1
    others = set(taken)
    unique = name
    while unique in others:
        number += 1
        unique = f"{name}_{number}"
    return unique


def assigned(
    fields: Mapping[str, str], declared: Iterable[str] = (), hidden: Iterable[str] = (), language: str = ""
) -> Columns:
    """The roles of fields by their names, given as field name → heading in the order of the table. `declared` are the
    fields that the game declares; `rest` leaves out the `hidden` ones. `language` is that of the headings."""
    roles = _roles(fields, language)
    pair = _pair(fields, language)
    for role, name in pair.items():
        roles = {other: field for other, field in roles.items() if field != name}
        roles[role] = name
    numbered = folded(roles.get("cost", "")) in NUMBERS
    if {*roles} == {"colour", "rank"} or (numbered and {*roles} == {"colour", "cost"} and len(roles) == len(fields)):
        roles["suit"] = roles.pop("colour")
    if "suit" in roles and "rank" not in roles and numbered:
        roles["rank"] = roles.pop("cost")
    names = [name for name in fields if name not in roles.values() and name not in hidden]
    if not pair and len(names) == 2 and not roles:
        roles |= {"front": names.pop(0), "back": names.pop(0)}
    elif names and not ({"title", "front"} & {*roles} or {"suit", "rank"} <= {*roles}):
        roles["title"] = names.pop(0)
    if len(roles) == 1 and not names and not roles.keys().isdisjoint(_ALONE):
        roles = {"title": next(iter(roles.values()))}
    rest = tuple(Column(name, fields[name]) for name in names)
    own_back = "back" in set(declared) and roles.get("back") != "back"
    return Columns(**roles, rest=rest, headings=dict(fields), own_back=own_back)


def _roles(fields: Mapping[str, str], language: str) -> dict[str, Any]:
    """The fields with each role; of several, the one whose heading is listed first."""
    best: dict[str, tuple[int, str]] = {}
    for name, heading in fields.items():
        role, position = meaning(heading if folded(name) == folded(heading) else name, language)
        if role and (role not in best or position < best[role][0]):
            best[role] = position, name
    return {role: name for role, (_, name) in best.items() if role not in ("id", "copies", "front", "back")}


def _pair(fields: Mapping[str, str], language: str) -> dict[str, str]:
    """The two columns of flash cards, if the table has both: a pair of headings, or without a title, the names of two
    languages."""
    names = {form: name for name in reversed([*fields]) for form in (folded(name).removesuffix("s"), folded(name))}
    for front, back in pairs():
        if front in names and back in names:
            return {"front": names[front], "back": names[back]}
    languages = [name for name in fields if folded(name) in LANGUAGE_NAMES]
    if len(languages) > 1 and not any(meaning(name, language)[0] == "title" for name in fields):
        return dict(zip(("front", "back"), languages, strict=False))
    return {}


def template_for(columns: Columns) -> str:
    """The built-in face that fits the columns."""
    present = {role for role in FACE_ROLES if getattr(columns, role)}
    if {"front", "back"} <= present:
        return "flash"
    if {"suit", "rank"} & present and not {"rules", "image"} & present:
        return "number_and_suit"
    if "image" in present and present <= {"image", "title"} and not columns.rest:
        return "picture"
    if present <= _FEW_WORDS and not any(column.long for column in columns.rest):
        return "word"
    return "standard"
