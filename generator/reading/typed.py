"""Converts nodes or plain data to records by their annotations, and collects every problem with its line.

Supported annotations: str, int, float, bool, Literal, Length, TypeSize, Colour, FileName, Span, Size, Room, Pixels,
`X | None`, `tuple[X, ...]` (a single value counts as a list of one), `dict[str, X]` (stored as a read-only mapping),
records, Raw (the node itself, to be read later), Expression (its text as a Scalar) and `Place` (set to the line on
which the object begins).
A record with a class variable `SHORT` may also be written as a single value, which is its field of that name.
A key that is a Python keyword, such as `pass`, is stored in the field `pass_`.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import re
import sys
import types
from collections.abc import Callable, Iterable
from functools import cache, cached_property, partial
from keyword import iskeyword
from pathlib import Path
from typing import Any, Literal, TypeVar, Union, get_args, get_origin

from msgspec import NODEFAULT, Struct

from .. import nodes, paths
from ..errors import MAX_SHOWN, Place, Problem, collect, did_you_mean, listed, refuse, shortened
from ..model import colours, values
from ..model.values import field_names
from ..nodes import Listing, Mapping, Node, Scalar

T = TypeVar("T")


BAD: Any = object()
"""Stands for a value that could not be read; its problem has been reported."""


class ProblemReport(Struct):
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


Parse = Callable[[Any, str, ProblemReport], Any]
"""Reads a value that messages call by the given name. Returns BAD after reporting a problem."""


def read(node: Node, kind: type[T], name: str = "") -> T:
    """Reads a node as `kind`; raises InputError with every problem. Messages call the node `name`."""
    report = ProblemReport(node.place, [])
    result = parser(kind)(node, name, report)  # type: ignore[arg-type]
    refuse(report.problems)
    return result  # type: ignore[no-any-return]


def read_file(path: Path, kind: type[T]) -> T:
    """Reads a YAML file as `kind`; raises InputError with every problem."""
    return read(nodes.document(nodes.read_text(path), paths.display_path(path)), kind)


# ---- annotations


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


def note_of(kind: Any, note: type[T]) -> T | None:
    """The note of this type in `Annotated[X, …]`, such as a unit."""
    return next((each for each in getattr(kind, "__metadata__", ()) if isinstance(each, note)), None)


def optional(kind: Any) -> Any:
    """`X | None` → X; anything else → itself."""
    if get_origin(kind) in (Union, types.UnionType):
        return next(inner for inner in get_args(kind) if inner is not type(None))
    return kind


def is_record(kind: Any) -> bool:
    """Whether values are read into the fields of this class: a Struct, or a dataclass of your own code."""
    return bool(field_names(kind))


def keys(kind: Any) -> dict[str, Any]:
    """The annotations of a record by field name, without those of places, which no key gives."""
    return {name: annotation for name, annotation in hints(kind).items() if optional(annotation) is not Place}


def required_keys(kind: Any) -> list[str]:
    """The fields of a record that have no default and that a key must give."""
    if issubclass(kind, Struct):
        pairs = zip(reversed(kind.__struct_fields__), reversed(kind.__struct_defaults__), strict=False)
        with_default = {name for name, default in pairs if default is not NODEFAULT}
    else:
        missing = dataclasses.MISSING
        with_default = {
            field.name for field in dataclasses.fields(kind) if not field.default is field.default_factory is missing
        }
    return [name for name in keys(kind) if name not in with_default]


# ---- values


def scalar_text(value: Any) -> str | None:
    """The text of a single value, or None for a list or mapping. JSON's null, true and false become words."""
    if isinstance(value, str):
        return str(value)
    return nodes.JSON_WORDS[value] if value is None or isinstance(value, bool) else None


@cache
def parser(kind: Any) -> Parse:
    """The function that reads a value with this annotation."""
    inner, origin = optional(kind), get_origin(kind)
    if inner is not kind:
        return _nullable(parser(inner))
    if kind is values.Raw:
        return lambda value, name, report: value
    if kind is values.Expression:
        return _expression
    if is_record(kind) and kind not in _SCALARS:
        return _RecordReader(kind)
    if origin in (tuple, frozenset):
        return _listing(parser(get_args(kind)[0]), origin, get_args(kind)[0] is int)
    return _mapping(get_args(kind)[1]) if origin in (dict, collections.abc.Mapping) else _scalar(kind)


def _expression(value: Any, name: str, report: ProblemReport) -> Any:
    text = scalar_text(value)
    if text is None:
        return report.bad(value, f"{_subject(name)}must be an expression, not {_shape(value)}")
    return value if isinstance(value, Scalar) else Scalar(text, report.place_of(value))


def _nullable(parse: Parse) -> Parse:
    def read(value: Any, name: str, report: ProblemReport) -> Any:
        if value is None or (type(value) is Scalar and value.blank and not value.quoted):
            return None
        return parse(value, name, report)

    return read


_NUMBERS = re.compile(r"[0-9]+(?:(?:\s|\s*,)\s*[0-9]+)+")


def _listing(parse: Parse, kind: Any, of_numbers: bool = False) -> Parse:
    def read(value: Any, name: str, report: ProblemReport) -> Any:
        before, listed = len(report.problems), value if isinstance(value, list) else [value]
        if of_numbers and isinstance(value, str) and _NUMBERS.fullmatch(value):
            listed = [Scalar(number, report.place_of(value)) for number in re.findall("[0-9]+", value)]
        entries = kind([parse(entry, name, report) for entry in listed])
        return entries if len(report.problems) == before else BAD

    return read


def _mapping(kind: Any) -> Parse:
    def read(value: Any, name: str, report: ProblemReport) -> Any:
        if not isinstance(value, dict):
            return report.bad(value, f"{_subject(name)}must be written with keys, such as “name: value”")
        before, parse = len(report.problems), parser(kind)
        entries = {str(key): parse(inner, str(key), report) for key, inner in value.items()}
        return types.MappingProxyType(entries) if len(report.problems) == before else BAD

    return read


class _RecordReader:
    """Reads a mapping as a record."""

    def __init__(self, kind: Any) -> None:
        self.kind, self.required, self.short = kind, required_keys(kind), getattr(kind, "SHORT", "")
        self.places = [name for name in hints(kind) if name not in keys(kind)]
        self.keys = [name.rstrip("_") for name in keys(kind)]
        """The keys as they are written in YAML."""

    @cached_property
    def fields(self) -> dict[str, tuple[str, Parse]]:
        """The fields by their keys. Computed on first use, because a class may contain fields of its own type."""
        by_name = {name: (name, parser(annotation)) for name, annotation in keys(self.kind).items()}
        return by_name | {key: field for name, field in by_name.items() if iskeyword(key := name.rstrip("_"))}

    def __call__(self, value: Any, name: str, report: ProblemReport) -> Any:
        if self.short and isinstance(value, Scalar):
            value = Mapping([(Scalar(self.short, value.place), value)], value.place)
        if not isinstance(value, dict):
            either = f"be a single {self.short} or " if self.short else ""
            message = f"{_subject(name)}must {either}be written with its keys: {', '.join(self.keys)}"
            return report.bad(value, message)
        before, arguments = len(report.problems), self._arguments(value, report)
        for required in self.required:
            if required not in arguments:
                report.bad(value, f"{_subject(name)}needs the key “{required.rstrip('_')}”")
        if len(report.problems) > before:
            return BAD
        arguments |= dict.fromkeys(self.places, report.place_of(value))
        try:
            return self.kind(**arguments)
        except ValueError as error:
            return report.bad(value, f"{_subject(name)}{error}")

    def _arguments(self, value: dict[str, Any], report: ProblemReport) -> dict[str, Any]:
        arguments, fields, before = {}, self.fields, ""
        for key, inner in value.items():
            field = fields.get(key) or fields.get(key.replace("-", "_"))
            if field:
                arguments[field[0]] = field[1](inner, str(key), report)
                before = key if isinstance(inner, Scalar) else ""
            elif not before or not _ends_a_text(key, inner, report.place_of(value.get(before))):
                hint, near = self._belongs(key, value), (key, self.keys)
                report.bad(key, f"unknown key “{shortened(key)}”", hint, near=near if not hint else ("", ()))
            else:
                message = f"a comma ends the text of “{before}” before “{shortened(key)}”"
                report.bad(key, message, f'put it in quotes: {before}: "{shortened(f"{value[before]}, {key}")}"')
                before = ""
        return arguments

    def _belongs(self, key: str, value: dict[str, Any]) -> str:
        """A hint for a key of a record that is in this one."""
        inner = {name: optional(annotation) for name, annotation in keys(self.kind).items()}
        owners = [name for name, kind in inner.items() if is_record(kind) and key in keys(kind)]
        if len(owners) != 1:
            return ""
        short = getattr(inner[owners[0]], "SHORT", "")
        given = value.get(owners[0])
        whole = f"{short}: {shortened(given) if isinstance(given, Scalar) else '…'}, " if short else ""
        return f"it belongs to “{owners[0]}”: write {owners[0]}: {{{whole}{key}: …}}"


def _ends_a_text(key: str, value: Any, before: Place) -> bool:
    """Whether a key without a value is the end of the text before it, in braces and with a comma but without quotes."""
    return isinstance(key, Scalar) and isinstance(value, Scalar) and value.blank and key.place == before


def _scalar(kind: Any) -> Parse:
    convert, expected = _converter(kind)
    between, unit = note_of(kind, values.Between), note_of(kind, values.Unit)
    choices = [str(choice) for choice in get_args(kind)] if get_origin(kind) is Literal else []

    def read(value: Any, name: str, report: ProblemReport) -> Any:
        text = value if type(value) is str else scalar_text(value)
        if text is None:
            return report.bad(value, f"{_subject(name)}must be {expected or 'a single value'}, not {_shape(value)}")
        try:
            converted = convert(text)
        except (ValueError, KeyError) as error:
            message = f"{_subject(name)}must be {expected or error}, not “{shortened(text)}”"
            return report.bad(value, message, near=(text if choices else "", choices))
        if between and not between.low <= converted <= between.high:
            bounds = f"{between.low:g} to {between.high:g} mm" if unit else f"{between.low:,g} to {between.high:,g}"
            return report.bad(value, f"{_subject(name)}must be from {bounds}, not “{shortened(text)}”")
        return converted

    return read


def _subject(name: str) -> str:
    return f"“{shortened(name)}” " if name else ""


def _shape(value: Any) -> str:
    return "a list" if isinstance(value, list) else "keys with values"


def _colour(text: str) -> str:
    return colours.parsed(text) if colours.is_notation(text) else text


# How single values are read, and what messages expect; “” if the ValueError says it.
_SCALARS: dict[Any, tuple[Callable[[str], Any], str]] = {
    str: (str, "text"),
    values.FileName: (values.file_name, ""),
    int: (values.whole, "a whole number"),
    float: (values.decimal, "a number"),
    bool: (values.boolean, "true or false"),
    values.Colour: (_colour, ""),
    values.Span: (values.span, ""),
    values.Size: (values.size, ""),
    values.Room: (values.room, ""),
    values.Pixels: (values.pixels, ""),
}


def _converter(kind: Any) -> tuple[Callable[[str], Any], str]:
    if unit := note_of(kind, values.Unit):
        return partial(values.length, unit_needed=unit.needed), ""
    if get_origin(kind) is Literal:
        return {str(choice): choice for choice in get_args(kind)}.__getitem__, f"one of {listed(get_args(kind))}"
    return _SCALARS[kind.__origin__ if hasattr(kind, "__metadata__") else kind]  # `Annotated[X, …]` → X
