"""What the headings of a table mean, in English and five other languages: the roles of its columns (title, cost, rules
text, …) and their names in templates."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from .. import nodes, paths
from ..model.columns import Column, Columns
from ..spelling import numbered

_NOT_IDENTIFIER = re.compile(r"\W+")
_IN_BRACKETS = re.compile(r"[(\[].*?[)\]]")
"""A unit or remark: `Cost (gold)`."""
_LETTERS = str.maketrans({"œ": "oe", "æ": "ae", "ø": "o", "°": "o"})
_ALONE = {"cost", "type", "rules"}
"""The roles of a column that is the title if it is the only one."""


def folded(heading: str) -> str:
    """A heading in lower case, without accents, spaces and punctuation: `Flavour-Text` → `flavourtext`."""
    if not heading.isascii():
        decomposed = unicodedata.normalize("NFKD", heading.translate(_LETTERS))
        heading = "".join(letter for letter in decomposed if not unicodedata.combining(letter))
    return "".join(filter(str.isalnum, heading.casefold())) or heading.strip()


def identifier(heading: str, taken: Iterable[str] = ()) -> str:
    """A field name for a heading: in lower case, `_` for other characters, and different from the names in `taken`."""
    base = _NOT_IDENTIFIER.sub("_", unicodedata.normalize("NFKC", heading).lower()).strip("_") or "column"
    return numbered(f"n_{base}" if base[0].isdigit() else base, set(taken))


# ---- words


@cache
def _lists() -> Mapping[str, Any]:
    path = paths.SHARED_DATA / "headings.yaml"
    lists: Mapping[str, Any] = nodes.plain(nodes.document(nodes.read_text(path), path.name))
    return lists


@cache
def _folded_words(name: str) -> frozenset[str]:
    """A list of words, folded."""
    return frozenset(map(folded, _lists()[name].split(", ")))


@cache
def _meanings(language: str) -> Mapping[str, tuple[str, int]]:
    """The folded headings of a language, each with the role it means and its position in the list."""
    words: dict[str, tuple[str, int]] = {}
    for role, headings in _lists()["roles"][language].items():
        for position, heading in enumerate(headings.split(", ")):
            words.setdefault(folded(heading), (role, position))
    return words


@cache
def _count_words() -> frozenset[str]:
    lists = [words["copies"].split(", ") for words in _lists()["roles"].values()]
    words = {folded(heading) for headings in lists for heading in headings if " " not in heading}
    return frozenset(words - _folded_words("copies_only_alone")) | {"copy"}


def meaning(heading: str, language: str = "") -> tuple[str, int]:
    """The role that a heading means, in the singular or plural and without a unit in brackets, and its position in the
    list; ("", 0) for none. Words of `language`, if given, take precedence over English ones."""
    forms = dict.fromkeys((folded(heading), folded(_IN_BRACKETS.sub("", heading))))
    for words in map(_meanings, filter(None, (language, "English"))):
        for word in forms:
            for form in (word, word.removesuffix("s"), word.removesuffix("es")):
                if form in words:
                    return words[form]
    return "", 0


def has_meaning(heading: str) -> bool:
    """Whether a heading means a role in any language."""
    return any(meaning(heading, language)[0] for language in _lists()["roles"])


def language_of(headings: Iterable[str]) -> str:
    """The language of a table: the one that explains most of its non-English headings, or “” for English."""
    unknown = [folded(_IN_BRACKETS.sub("", heading)) for heading in headings if not meaning(heading)[0]]
    if not unknown:
        return ""
    counts = {
        language: sum(word in _meanings(language) for word in unknown)
        for language in _lists()["roles"]
        if language != "English"
    }
    best = max(counts, key=counts.__getitem__)
    return best if counts[best] else ""


def always_means_copies(heading: str) -> bool:
    """Whether a heading means the number of copies even if a game declares it as a field."""
    return folded(heading) in _folded_words("always_copies")


def names_a_count(heading: str) -> bool:
    """Whether a heading contains a word for a quantity: `Card Count`, `Anzahl im Stapel`."""
    return any(folded(word) in _count_words() for word in re.findall(r"\w+", heading))


# ---- roles


def assigned(
    fields: Mapping[str, str], declared: Iterable[str] = (), hidden: Iterable[str] = (), language: str = ""
) -> Columns:
    """The roles of fields by their names, given as field name → heading in the order of the table. `declared` are the
    fields that the game declares; `rest` leaves out the `hidden` ones. `language` is that of the headings."""
    roles = _roles(fields, language)
    pair = _pair(fields, language)
    roles = {role: name for role, name in roles.items() if name not in pair.values()} | pair
    has_number = folded(roles.get("cost", "")) in _folded_words("numbers")
    if {*roles} == {"colour", "rank"} or (has_number and {*roles} == {"colour", "cost"} and len(roles) == len(fields)):
        roles["suit"] = roles.pop("colour")
    if "suit" in roles and "rank" not in roles and has_number:
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
    for pair in _lists()["pairs"].split(", "):
        front, back = map(folded, pair.split())
        if front in names and back in names:
            return {"front": names[front], "back": names[back]}
    languages = [name for name in fields if folded(name) in _folded_words("languages")]
    if len(languages) > 1 and not any(meaning(name, language)[0] == "title" for name in fields):
        return dict(zip(("front", "back"), languages, strict=False))
    return {}
