"""The parts of a sheet that are not on the paper, from plain data: what `extras` does with nodes, by readers that are
made once for each annotation. Whatever is not just as it should be is `UnlikeError`, and left to `extras`."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from keyword import iskeyword
from types import MappingProxyType
from typing import Any, Literal, get_args, get_origin

from ..definitions import values
from ..definitions.typed import hints, optional
from ..errors import Place
from .lines import UnlikeError, spelt

LONGEST_KEY = 80
"""Letters of a key; YAML takes no key of more than a thousand, however they are written."""

Parse = Callable[[Any, Place], Any]


def part(name: str, kind: Any) -> Callable[[Any, Place, dict[str, str]], Any]:
    """The reader of a part: gives its value, and notes whose its entries are."""
    origin = get_origin(kind)
    if origin is tuple:
        return _entries(name, parser(get_args(kind)[0]))
    if origin is dict:
        return _named(name, parser(get_args(kind)[1]))
    whole = parser(kind)
    return lambda value, place, people: whole(value, place)


def _entries(name: str, parse: Parse) -> Callable[[Any, Place, dict[str, str]], Any]:
    def read(value: Any, place: Place, people: dict[str, str]) -> Any:
        entries = value if type(value) is list else [value]
        for number, entry in enumerate(entries, 1):
            if (player := _player(entry)) is not None:
                people[f"{name}.{number}"] = player
        return tuple([made for entry in entries if (made := parse(entry, place)) is not None])
    return read


def _named(name: str, parse: Parse) -> Callable[[Any, Place, dict[str, str]], Any]:
    def read(value: Any, place: Place, people: dict[str, str]) -> Any:
        if type(value) is not dict:
            raise UnlikeError
        for key, entry in value.items():
            player = _player(entry)
            people[f"{name}.{_short(key)}"] = key if player is None else player
        return {key: made for key, entry in value.items() if (made := parse(entry, place)) is not None}
    return read


def _player(entry: Any) -> str | None:
    if type(entry) is not dict or "player" not in entry:
        return None
    return "null" if entry["player"] is None else spelt(entry["player"])


def _short(key: str) -> str:
    if len(key) > LONGEST_KEY:
        raise UnlikeError
    return key


# ---- by annotation -------------------------------------------------------------------------------------------------

def parser(kind: Any) -> Parse:
    """The reader of one annotation, as `definitions.typed` understands them; of those it does not know, one that takes
    nothing."""
    inner = optional(kind)
    made = _parser(inner)
    if inner is kind:
        return made
    return lambda value, place: None if value is None else made(value, place)


def _parser(kind: Any) -> Parse:
    origin = get_origin(kind)
    if kind in (values.Span, values.Size):
        return _nothing
    if dataclasses.is_dataclass(kind):
        return _object(kind) if all(map(_is_known, hints(kind).values())) else _nothing  # type: ignore[arg-type]
    if origin is tuple:
        return _tuple(parser(get_args(kind)[0]))
    if origin is dict:
        return _mapping(parser(get_args(kind)[1]))
    if origin is Literal:
        choices = {str(choice): choice for choice in get_args(kind)}
        return lambda value, place: _chosen(choices, value)
    return {str: _text, int: _whole, bool: _boolean}.get(kind, _nothing)


def _is_known(kind: Any) -> bool:
    return optional(kind) is Place or _parser(optional(kind)) is not _nothing


def _nothing(value: Any, place: Place) -> Any:
    raise UnlikeError


def _text(value: Any, place: Place) -> str:
    if type(value) is str:
        return value
    text = "null" if value is None else spelt(value)
    if text is None:
        raise UnlikeError
    return text


def _whole(value: Any, place: Place) -> int:
    try:
        return int(_text(value, place))
    except ValueError:
        raise UnlikeError


def _boolean(value: Any, place: Place) -> bool:
    return bool(_chosen({"true": True, "false": False}, value))


def _chosen(choices: dict[str, Any], value: Any) -> Any:
    text = _text(value, None)  # type: ignore[arg-type]
    if text not in choices:
        raise UnlikeError
    return choices[text]


def _tuple(parse: Parse) -> Parse:
    return lambda value, place: tuple(
        [parse(entry, place) for entry in (value if type(value) is list else [value])])


def _mapping(parse: Parse) -> Parse:
    def read(value: Any, place: Place) -> Any:
        if type(value) is not dict:
            raise UnlikeError
        return MappingProxyType({_short(key): parse(entry, place) for key, entry in value.items()})
    return read


def _object(kind: type) -> Parse:
    """Of a dataclass; a key that it does not have, or one that it needs and is not there, is UnlikeError."""
    places = [name for name, inner in hints(kind).items() if optional(inner) is Place]
    parsers = {name: parser(inner) for name, inner in hints(kind).items() if name not in places}
    needed = {field.name for field in dataclasses.fields(kind) if field.name in parsers
              and field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING}

    def read(value: Any, place: Place) -> Any:
        if type(value) is not dict:
            raise UnlikeError
        found: dict[str, Any] = {}
        for key, inner in value.items():
            name = key if key in parsers and not iskeyword(key) else _field(key)
            if name not in parsers:
                raise UnlikeError
            found[name] = parsers[name](inner, place)
        if not found.keys() >= needed:
            raise UnlikeError
        for name in places:
            found[name] = place
        try:
            return kind(**found)
        except ValueError:
            raise UnlikeError

    return read


def _field(key: str) -> str:
    name = _short(key).replace("-", "_")
    return name + "_" * iskeyword(name)
