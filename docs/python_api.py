"""Writes the reference on docs/python_rules.md from the docstrings of `generator.api` (`make answers`).

`python docs/python_api.py --record` also records the interface in tests/api.txt. It refuses a change that would break
somebody's rules.py, unless the major version in `generator.api` is raised.
"""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Callable, Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from generator import api

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/python_rules.md"
RECORD = ROOT / "tests/api.txt"
START, END = "<!-- reference: docs/python_api.py writes it -->\n", "<!-- end of the reference -->"

READ: dict[str, tuple[str, ...]] = {
    "Card": ("id", "values", "copies", "__getitem__"),
    "Component": ("name", "kind", "cards", "sheet"),
    "Field": ("id", "kind", "label", "choices", "required"),
    "FilledSheet": (
        *("game", "sheet", "place", "code", "cards", "marks", "entries", "rows", "extra", "options", "blanks"),
        *("value", "number", "text", "ticked", "row", "ticks", "place_of", "player_of"),
    ),
    "Game": ("key", "title", "folder", "components", "sheets", "rules", "sets"),
    "Place": ("file", "line"),
    "InputError": ("problems",),
    "Rule": ("id", "text", "source", "severity", "sheets", "__call__"),
    "RuleBook": ("add", "scoring", "rule", "counts"),
    "ScoreSheet": ("name", "fields"),
    "ScoringRule": ("id", "text", "source", "sheets"),
    "SetCode": ("prefix", "kind", "recipe", "seed"),
}
"""Classes that Pencilbox creates, with the members that are promised."""

NOT_PROMISED = {
    "Problem": ("alike", "detail", "in_cards"),
    "Deck": ("dress", "changes", "components_of"),
    "Reading": ("cards", "paper", "grids"),
}
"""Members of other classes that may change."""

GROUPS = {
    "Rules": ("GameRules", "RuleBook", "Rule", "ScoringRule", "Violation", "Suggestion"),
    "Scores": ("Result", "Score", "Line", "Part", "ranks"),
    "Filled-in sheets": ("FilledSheet", "Reading", "Asking", "Strokes"),
    "The game": ("Game", "Component", "Card", "ScoreSheet", "Field"),
    "Random sets": ("RandomSets", "Deck", "SetCode", "Chance", "standard_cards"),
    "Simulation": ("Simulation", "SimulatedGame", "FinishedGame"),
    "Errors": ("fault", "InputError", "Problem", "Place"),
}


# ---- names and signatures


def listing() -> str:
    """Every name with its members and signatures, one a line."""
    lines = [f"version {api.VERSION}"]
    for name in api.__all__:
        if name != "VERSION":
            lines += [name + signature(name), *(f"{name}.{member}" for member, _ in members(name))]
    return "\n".join(lines) + "\n"


def signature(name: str) -> str:
    """The parameters of a function or of the constructor of a class; empty for a class that users do not create."""
    value = getattr(api, name)
    own_init = not isinstance(value, type) or {"__init__", "__new__"} & vars(value).keys()
    if name in READ or not (own_init or hasattr(value, "__struct_fields__")):
        return ""
    given = inspect.signature(value)
    if hasattr(value, "__struct_fields__"):  # its signature has evaluated annotations
        written = [part.replace(annotation=value.__annotations__[key]) for key, part in given.parameters.items()]
        given = given.replace(parameters=written)
    return _parameters(given, NOT_PROMISED.get(name, ()))


def members(name: str) -> Iterator[tuple[str, Any]]:
    """The public attributes and methods of a class, each with its annotation or signature."""
    value = getattr(api, name)
    if not isinstance(value, type):
        return
    annotations = vars(value).get("__annotations__", {})
    for member in filter(_promised(name), dict.fromkeys([*annotations, *vars(value)])):
        found = vars(value).get(member)
        if isinstance(found, property | cached_property):
            function = found.fget if isinstance(found, property) else found.func
            yield f"{member}: {inspect.signature(function).return_annotation}", function
        elif isinstance(found, classmethod):
            yield f"{member}{_parameters(inspect.signature(found.__func__))}", found.__func__
        elif inspect.isfunction(found):
            yield f"{member}{_parameters(inspect.signature(found))}", found
        elif member in annotations:
            yield f"{member}: {_annotation(annotations[member])}", None


def _promised(name: str) -> Callable[[str], bool]:
    """Whether a member of this class is promised."""
    if name in READ:
        return READ[name].__contains__
    return lambda member: not member.startswith("_") and member not in NOT_PROMISED.get(name, ())


def _parameters(given: inspect.Signature, left_out: tuple[str, ...] = ()) -> str:
    """A signature without self, with plain defaults."""
    parts, star = [], False
    for parameter in given.parameters.values():
        if parameter.name in ("self", "cls", "_cls", *left_out):
            continue
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
            star = True
        text = {parameter.VAR_POSITIONAL: "*", parameter.VAR_KEYWORD: "**"}.get(parameter.kind, "") + parameter.name
        if parameter.annotation is not parameter.empty:
            text += f": {_annotation(parameter.annotation)}"
        if parameter.default is not parameter.empty:
            plain = isinstance(parameter.default, str | int | tuple | None)
            text += f" = {parameter.default!r}" if plain else " = ..."
        parts.append(text)
    result = given.return_annotation
    return f"({', '.join(parts)})" + (f" -> {_annotation(result)}" if result not in (given.empty, "None", None) else "")


def _annotation(value: Any) -> str:
    """An annotation as written in the source."""
    return (
        value if isinstance(value, str) else getattr(value, "__forward_arg__", None) or inspect.formatannotation(value)
    )


# ---- the page


def page(text: str) -> str:
    """The page with its reference as it should be."""
    before, _, rest = text.partition(START)
    return f"{before}{START}\n{reference()}\n{END}{rest.partition(END)[2]}"


def reference() -> str:
    """Every name, grouped by subject, with its documentation."""
    return "\n".join(line for title, names in GROUPS.items() for line in (f"### {title}\n", *map(_entry, names)))


def _entry(name: str) -> str:
    value = getattr(api, name)
    kind = "class " if isinstance(value, type) else ""
    lines = [f"#### {name}\n", f"```python\n{_wrapped(kind + name + signature(name))}\n```\n", _prose(value), ""]
    for member, function in members(name):
        text = f": {' '.join(_prose(function).split())}" if function and function.__doc__ else ""
        lines.append(f"- `{member}`{text}")
    return "\n".join(lines).rstrip() + "\n"


def _wrapped(text: str) -> str:
    """A long signature with a parameter on each line."""
    if len(text) <= 100:
        return text
    head, _, rest = text.partition("(")
    inner, _, tail = rest.rpartition(")")
    parts = re.split(r", (?=\*|\w+(?::| =))", inner)
    return f"{head}(\n" + "".join(f"    {part},\n" for part in parts) + f"){tail}"


def _prose(value: object) -> str:
    return inspect.cleandoc(getattr(value, "__doc__", None) or "")


# ---- recording


def broken(old: str, new: str) -> list[str]:
    """The lines of the old interface that the new one lacks; none if its major version is higher."""
    if _major(old) != _major(new):
        return []
    lines = new.splitlines()
    return [line for line in old.splitlines()[1:] if not any(_serves(line, other) for other in lines)]


def _serves(old: str, new: str) -> bool:
    """Whether code written for the old line works with the new one: it may have more keyword arguments."""
    keywords, more = (line.removesuffix(")").split("(*, ", 1) for line in (old, new))
    if old == new or len(keywords) < 2 or len(more) < 2 or keywords[0] != more[0]:
        return old == new
    parts, others = (re.split(r", (?=\w+(?::| =))", arguments) for arguments in (keywords[1], more[1]))
    return {*parts} <= {*others} and all(" = " in part for part in {*others} - {*parts})


def _major(text: str) -> str:
    return text.split("\n", 1)[0].partition(".")[0]


def main(words: list[str]) -> None:
    if "--record" in words:
        new = listing()
        if RECORD.exists() and (lines := broken(RECORD.read_text("utf-8"), new)):
            sys.exit(
                "this breaks the rules.py of users; raise the major version in generator/api.py:\n" + "\n".join(lines)
            )
        RECORD.write_text(new, encoding="utf-8")
    PAGE.write_text(page(PAGE.read_text("utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
