"""Converts nodes or plain data to records by their annotations, and collects every problem with its line.

Supported annotations: str, int, float, bool, Literal, Length, TypeSize, Colour, FileName, Span, Size, Room, Pixels,
`X | None`, `tuple[X, ...]` (a single value counts as a list of one), `dict[str, X]` (stored as a read-only mapping),
dataclasses, Raw (the node itself, to be read later), Expression (its text as a Scalar) and `Place` (set to the line on
which the object begins).
A record with a class variable `SHORT` may also be written as a single value, which is its field of that name.
A key that is a Python keyword, such as `pass`, is stored in the field `pass_`.
"""

from __future__ import annotations

import dataclasses
import sys
import types
from collections.abc import Callable, Iterable
from functools import cache, cached_property
from keyword import iskeyword
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct

from .. import nodes, paths
from ..errors import (
    MAX_SHOWN,
    InputError,
    Place,
    Problem,
    collect,
    did_you_mean,
    listed,
    shortened,
)
from ..model import colours, values
from ..model.values import field_names
from ..nodes import Listing, Mapping, Node, Scalar

T = TypeVar("T")


class _Bad:
    """Stands for a value that could not be read; its problem has been reported."""


BAD: Any = _Bad()


class Report(Struct):
    """The problems of a document. `place` is used for values without a place of their own."""

    place: Place
    problems: list[Problem]

    def place_of(self, value: Any) -> Place:
        return value.place if isinstance(value, (Scalar, Listing, Mapping)) else self.place

    def bad(self, value: Any, message: str, hint: str = "", near: tuple[str, Iterable[str]] = ("", ())) -> Any:
        """Adds a problem and returns BAD; `near` is a misspelt word and the valid words."""
        if near[0] and len(self.problems) < MAX_SHOWN:
            hint = did_you_mean(*near) or hint
        collect(self.problems, Problem(message, self.place_of(value), hint))
        return BAD


Parse = Callable[[Any, str, Report], Any]
"""Reads a value that messages call by the given name. Returns BAD after reporting a problem."""


def read(node: Node, kind: type[T], name: str = "") -> T:
    """Reads a node as `kind`; raises InputError with every problem. Messages call the node `name`."""
    report = Report(node.place, [])
    result = parser(kind)(node, name, report)  # type: ignore[arg-type]
    if report.problems:
        raise InputError(report.problems)
    return result  # type: ignore[no-any-return]


def read_file(path: Path, kind: type[T]) -> T:
    """Reads a YAML file as `kind`; raises InputError with every problem."""
    return read(nodes.document(nodes.read_text(path), paths.display_path(path)), kind)


@cache
def hints(kind: type) -> dict[str, Any]:
    """The annotations of a record by field name, in order."""
    written = {
        name: (annotation, base.__module__)
        for base in kind.__mro__[::-1]
        for name, annotation in getattr(base, "__annotations__", {}).items()
    }
    return {name: _evaluated(*written[name]) for name in field_names(kind)}


@cache
def _evaluated(annotation: Any, module: str) -> Any:
    """An annotation as it is written in a module. `typing.get_type_hints` would compile equal ones again and again."""
    return eval(annotation, vars(sys.modules[module])) if isinstance(annotation, str) else annotation


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


def scalar_text(value: Any) -> str | None:
    """The text of a single value, or None for a list or mapping. JSON's null, true and false become words."""
    if isinstance(value, str):
        return str(value)
    return _JSON[value] if value is None or isinstance(value, bool) else None


_JSON = {None: "null", True: "true", False: "false"}


@cache
def parser(kind: Any) -> Parse:
    """The function that reads a value with this annotation."""
    inner = optional(kind)
    if inner is not kind:
        return _nullable(parser(inner))
    origin = get_origin(kind)
    if kind is values.Raw:
        return lambda value, name, report: value
    if kind is values.Expression:
        return _expression
    if origin is None and is_record(kind) and kind not in (values.Span, values.Size):
        return _Object(kind)
    if origin is tuple:
        return _listing(parser(get_args(kind)[0]))
    if origin is dict:
        return _mapping(get_args(kind)[1])
    return _scalar(kind)


def _expression(value: Any, name: str, report: Report) -> Any:
    text = scalar_text(value)
    if text is None:
        return report.bad(value, f"{_subject(name)}must be an expression, not {_shape(value)}")
    return value if isinstance(value, Scalar) else Scalar(text, report.place_of(value))


def _nullable(parse: Parse) -> Parse:
    def read(value: Any, name: str, report: Report) -> Any:
        if value is None or (type(value) is Scalar and value.blank and not value.quoted):
            return None
        return parse(value, name, report)

    return read


def _listing(parse: Parse) -> Parse:
    def read(value: Any, name: str, report: Report) -> Any:
        problems_before = len(report.problems)
        entries = tuple([parse(entry, name, report) for entry in (value if isinstance(value, list) else [value])])
        return BAD if len(report.problems) > problems_before and BAD in entries else entries

    return read


def _mapping(kind: Any) -> Parse:
    def read(value: Any, name: str, report: Report) -> Any:
        if not isinstance(value, dict):
            return report.bad(value, f"{_subject(name)}must be written with keys, such as “name: value”")
        problems_before, parse = len(report.problems), parser(kind)
        entries = {str(key): parse(inner, str(key), report) for key, inner in value.items()}
        return (
            BAD
            if len(report.problems) > problems_before and BAD in entries.values()
            else types.MappingProxyType(entries)
        )

    return read


class _Object:
    """Reads a mapping as a record."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.required, self.places = kind, _required(kind), _places(kind)
        self.short = getattr(kind, "SHORT", "")

    @cached_property
    def fields(self) -> dict[str, tuple[str, Parse]]:
        """The fields by their keys. Computed on first use, because a class may contain fields of its own type."""
        by_name = {name: (name, parser(hints(self.kind)[name])) for name in _keys(self.kind)}
        return by_name | {key: field for name, field in by_name.items() if iskeyword(key := name.rstrip("_"))}

    def __call__(self, value: Any, name: str, report: Report) -> Any:
        if self.short and isinstance(value, Scalar):
            value = Mapping([(Scalar(self.short, value.place), value)], value.place)
        if not isinstance(value, dict):
            either = f"be a single {self.short} or " if self.short else ""
            keys = ", ".join(_yaml_keys(self.kind))
            return report.bad(value, f"{_subject(name)}must {either}be written with its keys: {keys}")
        problems_before, arguments = len(report.problems), self.values(value, report)
        for field in self.required:
            if field not in arguments:
                arguments[field] = report.bad(value, f"{_subject(name)}needs the key “{field.rstrip('_')}”")
        if len(report.problems) > problems_before and BAD in arguments.values():
            return BAD
        for field in self.places:
            arguments[field] = report.place_of(value)
        try:
            return self.kind(**arguments)
        except ValueError as error:
            return report.bad(value, f"{_subject(name)}{error}")

    def values(self, value: dict[str, Any], report: Report) -> dict[str, Any]:
        arguments, fields = {}, self.fields
        for key, inner in value.items():
            field = fields.get(key) or fields.get(key.replace("-", "_"))
            if field is None:
                hint = "put quotes around a text with a comma or brackets" if key.endswith((")", "]")) else ""
                report.bad(key, f"unknown key “{shortened(key)}”", hint, near=(key, _yaml_keys(self.kind)))
            else:
                arguments[field[0]] = field[1](inner, str(key), report)
        return arguments


def _scalar(kind: Any) -> Parse:
    convert, between = _converter(kind), between_of(kind)

    def read(value: Any, name: str, report: Report) -> Any:
        text = value if type(value) is str else scalar_text(value)
        if text is None:
            return report.bad(value, f"{_subject(name)}must be {_expected(kind)}, not {_shape(value)}")
        try:
            converted = convert(text)
            if between and not between.low <= converted <= between.high:
                is_length = bool(unit_of(kind))
                low, high = (f"{bound:g}" if is_length else f"{bound:,g}" for bound in (between.low, between.high))
                bounds = f"from {low} to {high}{' mm' if is_length else ''}"
                return report.bad(value, f"{_subject(name)}must be {bounds}, not “{shortened(text)}”")
            return converted
        except ValueError as error:
            explains = kind in _SELF_EXPLANATORY or unit_of(kind) is not None
            expected = str(error) if explains else _expected(kind)
            near = (text, map(str, get_args(kind))) if get_origin(kind) is Literal else ("", ())
            return report.bad(value, f"{_subject(name)}must be {expected}, not “{shortened(text)}”", near=near)

    return read


@cache
def _keys(kind: Any) -> tuple[str, ...]:
    return tuple(name for name, annotation in hints(kind).items() if optional(annotation) is not Place)


@cache
def _places(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in hints(kind) if name not in _keys(kind))


@cache
def _required(kind: Any) -> tuple[str, ...]:
    return tuple(name for name in required_fields(kind) if name in _keys(kind))


def is_record(kind: Any) -> bool:
    """Whether values are read into the fields of this class: a Struct, or a dataclass of your own code."""
    return bool(field_names(kind))


def required_fields(kind: Any) -> list[str]:
    """The fields of a record that have no default."""
    if issubclass(kind, Struct):
        names, defaults = kind.__struct_fields__, kind.__struct_defaults__
        known = dict(zip(reversed(names), reversed(defaults), strict=False))
        return [name for name in names if known.get(name, NODEFAULT) is NODEFAULT]
    missing = dataclasses.MISSING
    return [field.name for field in dataclasses.fields(kind) if field.default is field.default_factory is missing]


def _yaml_keys(kind: Any) -> list[str]:
    """The keys as they are written in YAML."""
    return [key.rstrip("_") for key in _keys(kind)]


def _subject(name: str) -> str:
    return f"“{shortened(name)}” " if name else ""


def _shape(value: Any) -> str:
    return "a list" if isinstance(value, list) else "keys with values"


_WORDS = {str: "text", int: "a whole number", float: "a number", bool: "true or false"}
_SELF_EXPLANATORY = (values.Span, values.Size, values.Colour, values.Room, values.Pixels)


def _expected(kind: Any) -> str:
    if get_origin(kind) is Literal:
        return f"one of {listed(get_args(kind))}"
    return _WORDS.get(plain_kind(kind), "a single value")


def _colour(text: str) -> str:
    return colours.parsed(text) if colours.is_notation(text) else text


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
    bool: values.boolean,
    values.Colour: _colour,
    values.Span: values.span,
    values.Size: values.size,
    values.Room: values.room,
    values.Pixels: values.pixels,
}


def _converter(kind: Any) -> Callable[[str], Any]:
    unit = unit_of(kind)
    if unit:
        return lambda text: values.length(text, unit_needed=unit.needed)
    if get_origin(kind) is Literal:
        return _literal(kind)
    return _CONVERTERS[plain_kind(kind)]
