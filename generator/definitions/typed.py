"""Nodes → frozen dataclasses, by their annotations; every problem of a file is collected with its line.

Understood: str, int, float, bool, Literal, Length, TypeSize, Colour, FileName, Span, Size, `X | None`,
`tuple[X, ...]` (one value may stand for a list of one), `dict[str, X]` (held as a read-only mapping), dataclasses,
Raw (the node itself, read later with more knowledge) and `Place` (filled in with the line the object begins at).
A key that is a word of Python's, such as `pass`, is the field `pass_`.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from keyword import iskeyword
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..errors import InputError, Place, Problem, did_you_mean
from . import values
from .nodes import Listing, Mapping, Node, Scalar

T = TypeVar("T")


class _Bad:
    """Stands where a value could not be read; its problem is on the list already."""


_BAD: Any = _Bad()


def read(node: Node, kind: type[T], name: str = "") -> T:
    """The node as `kind`; raises InputError with every problem found. `name` is what messages call the node."""
    reader = _Reader([])
    made = reader.value(node, kind, name)
    if reader.problems:
        raise InputError(reader.problems)
    return made  # type: ignore[no-any-return]


@cache
def hints(kind: type) -> dict[str, Any]:
    """Field name → annotation, in the order written."""
    found = get_type_hints(kind, include_extras=True)
    return {f.name: found[f.name] for f in dataclasses.fields(kind)}


def unit_of(kind: Any) -> values.Unit | None:
    return next((note for note in getattr(kind, "__metadata__", ()) if isinstance(note, values.Unit)), None)


def optional(kind: Any) -> Any:
    """`X | None` → X; anything else → itself."""
    if get_origin(kind) in (Union, types.UnionType):
        return next(inner for inner in get_args(kind) if inner is not type(None))
    return kind


@cache
def _told_apart(kind: Any) -> tuple[bool, Any]:
    """Whether nothing may be written for it, and what else is."""
    inner = optional(kind)
    return inner is not kind, inner


@dataclass(slots=True)
class _Reader:
    problems: list[Problem]

    def bad(self, node: Node, message: str, hint: str = "") -> Any:
        self.problems.append(Problem(message, node.place, hint))
        return _BAD

    def value(self, node: Node, kind: Any, name: str) -> Any:
        may_lack, kind = _told_apart(kind)
        if may_lack and isinstance(node, Scalar) and node.blank and not node.quoted:
            return None
        if kind is values.Raw:
            return node
        origin = get_origin(kind)
        if origin is None and dataclasses.is_dataclass(kind) and kind not in (values.Span, values.Size):
            return self.object(node, kind, name)
        if origin is tuple:
            return self.listing(node, get_args(kind)[0], name)
        if origin is dict:
            return self.mapping(node, get_args(kind)[1], name)
        if not isinstance(node, Scalar):
            return self.bad(node, f"{_named(name)}must be {_wanted(kind)}, not a {_shape(node)}")
        return self.scalar(node, kind, name)

    def object(self, node: Node, kind: Any, name: str) -> Any:
        if not isinstance(node, Mapping):
            return self.bad(node, f"{_named(name)}must be a mapping of {', '.join(_spelt(kind))}")
        found: dict[str, Any] = {}
        for key, inner in node.pairs:
            self._entry(found, kind, key, inner)
        self._missing(node, kind, name, found)
        if any(value is _BAD for value in found.values()):
            return _BAD
        for field in _places(kind):
            found[field] = node.place
        try:
            return kind(**found)
        except ValueError as error:
            return self.bad(node, f"{_named(name)}{error}")

    def _entry(self, found: dict[str, Any], kind: Any, key: Scalar, inner: Node) -> None:
        field = key.text.replace("-", "_")
        field += "_" * iskeyword(field)
        if field not in _keys(kind):
            self.bad(key, f"unknown key “{key.text}”", did_you_mean(key.text, _spelt(kind)))
        else:
            found[field] = self.value(inner, hints(kind)[field], key.text)

    def _missing(self, node: Node, kind: Any, name: str, found: dict[str, Any]) -> None:
        for field in _needed(kind):
            if field not in found:
                self.bad(node, f"{_named(name)}needs the key “{field.rstrip('_')}”")
                found[field] = _BAD

    def listing(self, node: Node, kind: Any, name: str) -> Any:
        entries = node.entries if isinstance(node, Listing) else [node]
        made = tuple(self.value(entry, kind, name) for entry in entries)
        return _BAD if any(entry is _BAD for entry in made) else made

    def mapping(self, node: Node, kind: Any, name: str) -> Any:
        if not isinstance(node, Mapping):
            return self.bad(node, f"{_named(name)}must be a mapping")
        made = {key.text: self.value(inner, kind, key.text) for key, inner in node.pairs}
        return _BAD if any(entry is _BAD for entry in made.values()) else types.MappingProxyType(made)

    def scalar(self, node: Scalar, kind: Any, name: str) -> Any:
        try:
            return _parser(kind)(node.text)
        except ValueError as error:
            says = kind in _SAYS or unit_of(kind) is not None
            wanted = str(error) if says else _wanted(kind)
            hint = did_you_mean(node.text, map(str, get_args(kind))) if get_origin(kind) is Literal else ""
            return self.bad(node, f"{_named(name)}must be {wanted}, not “{node.text}”", hint)


@cache
def _keys(kind: Any) -> tuple[str, ...]:
    return tuple(name for name, annotation in hints(kind).items() if optional(annotation) is not Place)


@cache
def _places(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in hints(kind) if name not in _keys(kind))


@cache
def _needed(kind: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(kind) if field.name in _keys(kind)
                 and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING)


def _spelt(kind: Any) -> list[str]:
    """The keys as they are typed."""
    return [key.rstrip("_") for key in _keys(kind)]


def _named(name: str) -> str:
    return f"“{name}” " if name else ""


def _shape(node: Node) -> str:
    return "list" if isinstance(node, Listing) else "mapping"


_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_SAYS = (values.Span, values.Size, values.Colour)


def _wanted(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return "one of " + ", ".join(map(str, get_args(kind)))
    return _WORDS.get(kind, "a single value")


def _boolean(text: str) -> bool:
    if text not in ("true", "false"):
        raise ValueError
    return text == "true"


def _colour(text: str) -> str:
    return values.colour(text) if text.startswith("#") else text


def _literal(kind: Any) -> Callable[[str], Any]:
    choices = {str(choice): choice for choice in get_args(kind)}

    def parse(text: str) -> Any:
        if text not in choices:
            raise ValueError
        return choices[text]

    return parse


_PARSERS: dict[Any, Callable[[str], Any]] = {
    str: str, values.FileName: str, int: int, float: float, bool: _boolean,
    values.Colour: _colour, values.Span: values.span, values.Size: values.size,
}


@cache
def _parser(kind: Any) -> Callable[[str], Any]:
    unit = unit_of(kind)
    if unit:
        return lambda text: values.length(text, unit_needed=unit.needed)
    if get_origin(kind) is Literal:
        return _literal(kind)
    return _PARSERS[kind]
