"""Turns nodes or plain data into frozen dataclasses by their annotations, collecting every problem with its line.

Supported annotations: str, int, float, bool, Literal, Length, TypeSize, Colour, FileName, Span, Size, `X | None`,
`tuple[X, ...]` (a single value counts as a list of one), `dict[str, X]` (stored as a read-only mapping), dataclasses,
Raw (the node itself, to be read later) and `Place` (set to the line on which the object begins).
A key that is a Python keyword, such as `pass`, is stored in the field `pass_`.
"""

from __future__ import annotations

import dataclasses
import types
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from keyword import iskeyword
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from ..errors import MAX_COLLECTED, MAX_SHOWN, InputError, Place, Problem, did_you_mean, listed, shortened
from . import values
from .nodes import Listing, Mapping, Node, Scalar

T = TypeVar("T")


class _Bad:
    """Replaces a value that could not be read and whose problem has been reported."""


BAD: Any = _Bad()


@dataclass(slots=True)
class Report:
    """The problems of a document. `place` is used for values without a place of their own."""

    place: Place
    problems: list[Problem]

    def place_of(self, value: Any) -> Place:
        return value.place if isinstance(value, Scalar | Listing | Mapping) else self.place

    def bad(self, value: Any, message: str, hint: str = "", near: tuple[str, Iterable[str]] = ("", ())) -> Any:
        """Adds a problem and returns BAD; `near` is a misspelt word with the known words."""
        if near[0] and len(self.problems) < MAX_SHOWN:
            hint = did_you_mean(*near) or hint
        self.problems.append(Problem(message, self.place_of(value), hint))
        if len(self.problems) >= MAX_COLLECTED:
            raise InputError(self.problems)
        return BAD


Parse = Callable[[Any, str, Report], Any]
"""Reads a value; the name is what messages call it. Returns BAD after reporting a problem."""


def read(node: Node, kind: type[T], name: str = "") -> T:
    """Reads a node as `kind`; raises InputError with every problem. `name` is what messages call the node."""
    report = Report(node.place, [])
    made = parser(kind)(node, name, report)  # type: ignore[arg-type]
    if report.problems:
        raise InputError(report.problems)
    return made  # type: ignore[no-any-return]


@cache
def hints(kind: type) -> dict[str, Any]:
    """Field names and their annotations, in the order of the class."""
    found = get_type_hints(kind, include_extras=True)
    return {f.name: found[f.name] for f in dataclasses.fields(kind)}


def unit_of(kind: Any) -> values.Unit | None:
    return next((note for note in getattr(kind, "__metadata__", ()) if isinstance(note, values.Unit)), None)


def between_of(kind: Any) -> values.Between | None:
    return next((note for note in getattr(kind, "__metadata__", ()) if isinstance(note, values.Between)), None)


def plain_kind(kind: Any) -> Any:
    """`Annotated[X, …]` → X; anything else → itself."""
    return kind.__origin__ if hasattr(kind, "__metadata__") else kind


def optional(kind: Any) -> Any:
    """`X | None` → X; anything else → itself."""
    if get_origin(kind) in (Union, types.UnionType):
        return next(inner for inner in get_args(kind) if inner is not type(None))
    return kind


def spelt(value: Any) -> str | None:
    """The text of a single value, or None for a list or mapping. JSON has its own words for three values."""
    if isinstance(value, str):
        return str(value)
    return _JSON[value] if value is None or isinstance(value, bool) else None


_JSON = {None: "null", True: "true", False: "false"}


@cache
def parser(kind: Any) -> Parse:
    """The function that reads a value with this annotation."""
    inner = optional(kind)
    if inner is not kind:
        return _or_nothing(parser(inner))
    origin = get_origin(kind)
    if kind is values.Raw:
        return lambda value, name, report: value
    if origin is None and dataclasses.is_dataclass(kind) and kind not in (values.Span, values.Size):
        return _Object(kind)
    if origin is tuple:
        return _listing(parser(get_args(kind)[0]))
    if origin is dict:
        return _mapping(get_args(kind)[1])
    return _scalar(kind)


def _or_nothing(parse: Parse) -> Parse:
    def read(value: Any, name: str, report: Report) -> Any:
        if value is None or (type(value) is Scalar and value.blank and not value.quoted):
            return None
        return parse(value, name, report)

    return read


def _listing(parse: Parse) -> Parse:
    def read(value: Any, name: str, report: Report) -> Any:
        before = len(report.problems)
        made = tuple([parse(entry, name, report) for entry in (value if isinstance(value, list) else [value])])
        return BAD if len(report.problems) > before and BAD in made else made

    return read


def _mapping(kind: Any) -> Parse:
    def read(value: Any, name: str, report: Report) -> Any:
        if not isinstance(value, dict):
            return report.bad(value, f"{_named(name)}must be a mapping")
        before, parse = len(report.problems), parser(kind)
        made = {str(key): parse(inner, str(key), report) for key, inner in value.items()}
        return BAD if len(report.problems) > before and BAD in made.values() else types.MappingProxyType(made)

    return read


class _Object:
    """Reads a mapping as a dataclass."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.needed, self.places = kind, _needed(kind), _places(kind)

    @cached_property
    def fields(self) -> dict[str, tuple[str, Parse]]:
        """The fields by their keys. Computed on first use, because a class may contain fields of its own type."""
        known = {name: (name, parser(hints(self.kind)[name])) for name in _keys(self.kind)}
        return known | {key: field for name, field in known.items() if iskeyword(key := name.rstrip("_"))}

    def __call__(self, value: Any, name: str, report: Report) -> Any:
        if not isinstance(value, dict):
            return report.bad(value, f"{_named(name)}must be a mapping of {', '.join(_spelt(self.kind))}")
        before, found = len(report.problems), self.values(value, report)
        for field in self.needed:
            if field not in found:
                found[field] = report.bad(value, f"{_named(name)}needs the key “{field.rstrip('_')}”")
        if len(report.problems) > before and BAD in found.values():
            return BAD
        for field in self.places:
            found[field] = report.place_of(value)
        try:
            return self.kind(**found)
        except ValueError as error:
            return report.bad(value, f"{_named(name)}{error}")

    def values(self, value: dict[str, Any], report: Report) -> dict[str, Any]:
        found, fields = {}, self.fields
        for key, inner in value.items():
            known = fields.get(key) or fields.get(key.replace("-", "_"))
            if known is None:
                report.bad(key, f"unknown key “{shortened(key)}”", near=(key, _spelt(self.kind)))
            else:
                found[known[0]] = known[1](inner, str(key), report)
        return found


def _scalar(kind: Any) -> Parse:
    convert, between = _converter(kind), between_of(kind)

    def read(value: Any, name: str, report: Report) -> Any:
        text = value if type(value) is str else spelt(value)
        if text is None:
            return report.bad(value, f"{_named(name)}must be {_wanted(kind)}, not a {_shape(value)}")
        try:
            made = convert(text)
            if between and not between.low <= made <= between.high:
                bounds = f"from {between.low:g} to {between.high:g}{' mm' if unit_of(kind) else ''}"
                return report.bad(value, f"{_named(name)}must be {bounds}, not “{shortened(text)}”")
            return made
        except ValueError as error:
            says = kind in _SAYS or unit_of(kind) is not None
            wanted = str(error) if says else _wanted(kind)
            near = (text, map(str, get_args(kind))) if get_origin(kind) is Literal else ("", ())
            return report.bad(value, f"{_named(name)}must be {wanted}, not “{shortened(text)}”", near=near)

    return read


@cache
def _keys(kind: Any) -> tuple[str, ...]:
    return tuple(name for name, annotation in hints(kind).items() if optional(annotation) is not Place)


@cache
def _places(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in hints(kind) if name not in _keys(kind))


@cache
def _needed(kind: Any) -> tuple[str, ...]:
    return tuple(
        field.name
        for field in dataclasses.fields(kind)
        if field.name in _keys(kind)
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    )


def _spelt(kind: Any) -> list[str]:
    """The keys as a person types them."""
    return [key.rstrip("_") for key in _keys(kind)]


def _named(name: str) -> str:
    return f"“{shortened(name)}” " if name else ""


def _shape(value: Any) -> str:
    return "list" if isinstance(value, list) else "mapping"


_WORDS = {str: "a text", int: "a whole number", float: "a number", bool: "true or false"}
_SAYS = (values.Span, values.Size, values.Colour)


def _wanted(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {listed(get_args(kind))}"
    return _WORDS.get(plain_kind(kind), "a single value")


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


_CONVERTERS: dict[Any, Callable[[str], Any]] = {
    str: str,
    values.FileName: str,
    int: values.whole,
    float: values.decimal,
    bool: _boolean,
    values.Colour: _colour,
    values.Span: values.span,
    values.Size: values.size,
}


def _converter(kind: Any) -> Callable[[str], Any]:
    unit = unit_of(kind)
    if unit:
        return lambda text: values.length(text, unit_needed=unit.needed)
    if get_origin(kind) is Literal:
        return _literal(kind)
    return _CONVERTERS[plain_kind(kind)]
