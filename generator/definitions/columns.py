"""What the columns of a table mean: their roles (title, cost, rules text, …) and their names in templates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from .values import empty_mapping

ROLES: Mapping[str, tuple[str, ...]] = {
    "id": ("id", "key", "ref", "no", "nr", "card id", "card no", "card nr", "card number", "#"),
    "copies": ("copies", "qty", "quantity", "number of copies", "no of copies", "count", "amount", "x"),
    "title": ("title", "name", "card", "card name", "card title"),
    "front": ("front", "question", "term", "word"),
    "back": ("back", "answer", "definition", "translation"),
    "image": ("image", "art", "artwork", "picture", "illustration", "photo"),
    "cost": ("cost", "price", "mana", "mana cost", "number", "value"),
    "type": ("type", "kind", "category", "class", "type line"),
    "rules": ("rules", "text", "rule", "rules text", "effect", "ability", "description", "body"),
    "flavour": ("flavour", "flavor", "flavour text", "flavor text", "quote"),
    "footer": ("footer", "credit", "artist", "set"),
    "suit": ("suit",),
    "rank": ("rank",),
    "colour": ("colour", "color"),
}
"""Each role and the headings that stand for it. If two columns match, the one whose heading is listed first has it."""
COUNTS_COPIES = ("copies", "qty", "quantity", "numberofcopies", "noofcopies")
"""The folded headings that mean the number of copies even where a game declares them as fields."""
_PAIRS = (("front", "back"), ("question", "answer"), ("term", "definition"), ("word", "translation"))
_NOT_IDENTIFIER = re.compile(r"\W+")


@dataclass(frozen=True, slots=True)
class Column:
    """A column without a role: its field name in templates and its heading as typed."""

    name: str
    label: str


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


NO_COLUMNS = Columns()
FACE_ROLES = ("title", "front", "back", "cost", "suit", "rank", "image", "type", "rules", "flavour", "footer")
"""The roles that the built-in faces print."""


def folded(heading: str) -> str:
    """A heading in lower case, without accents, spaces and punctuation: `Flavour-Text` → `flavourtext`."""
    if not heading.isascii():
        decomposed = unicodedata.normalize("NFKD", heading)
        heading = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return "".join(filter(str.isalnum, heading.casefold())) or heading.strip()


@cache
def _meanings() -> Mapping[str, tuple[tuple[str, int], ...]]:
    """Folded headings → the roles they may mean, each with the position of the heading in its list."""
    meanings: dict[str, tuple[tuple[str, int], ...]] = {}
    for role, headings in ROLES.items():
        for position, heading in enumerate(headings):
            meanings[folded(heading)] = (*meanings.get(folded(heading), ()), (role, position))
    return meanings


def meaning(heading: str) -> tuple[str, int]:
    """The role that a heading means, in the singular or plural, and its position in the list; ("", 0) for none."""
    word, meanings = folded(heading), _meanings()
    for form in (word, word.removesuffix("s"), word.removesuffix("es")):
        if form in meanings:
            return meanings[form][0]
    return "", 0


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


def assigned(fields: Mapping[str, str], declared: Iterable[str] = (), hidden: Iterable[str] = ()) -> Columns:
    """The roles of fields by their names, given as field name → heading in the order of the table. `declared` are the
    fields that the game declares; `rest` leaves out the `hidden` ones."""
    best: dict[str, tuple[int, str]] = {}
    for name in fields:
        role, position = meaning(name)
        if role and (role not in best or position < best[role][0]):
            best[role] = position, name
    roles = {role: name for role, (_, name) in best.items() if role not in ("id", "copies", "front", "back")}
    pair = _pair(fields)
    for role, name in pair.items():
        roles = {other: field for other, field in roles.items() if field != name}
        roles[role] = name
    if "suit" in roles and "rank" not in roles and folded(roles.get("cost", "")) in ("number", "value"):
        roles["rank"] = roles.pop("cost")
    names = [name for name in fields if name not in roles.values() and name not in hidden]
    if not pair and len(names) == 2 and not roles:
        roles |= {"front": names.pop(0), "back": names.pop(0)}
    elif names and not ({"title", "front"} & {*roles} or {"suit", "rank"} <= {*roles}):
        roles["title"] = names.pop(0)
    rest = tuple(Column(name, fields[name]) for name in names)
    own_back = "back" in set(declared) and roles.get("back") != "back"
    return Columns(**roles, rest=rest, headings=dict(fields), own_back=own_back)


def _pair(fields: Mapping[str, str]) -> dict[str, str]:
    """The two columns of flash cards, if the table has both."""
    names = {folded(name).removesuffix("s"): name for name in reversed([*fields])}
    for front, back in _PAIRS:
        if front in names and back in names:
            return {"front": names[front], "back": names[back]}
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
    if present == {"title"} and not columns.rest:
        return "word"
    return "standard"
