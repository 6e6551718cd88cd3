"""Dataclasses that cost nothing before they are used: Python's own compiles six methods for each class when it is made,
which for a hundred classes takes longer than printing a deck. These compile `__init__` when several have been made.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

_NONE = dataclasses.MISSING
_FEW = 4
"""Records are made without compiled code; most classes have no more, and compiling takes as long as making twenty."""

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:
    def dataclass(*, frozen: bool = False, eq: bool = True, slots: bool = False,
                  kw_only: bool = False) -> Callable[[type], type]:
        """As `dataclasses.dataclass`."""
        def made(cls: type) -> type:
            cls.__doc__ = cls.__doc__ or cls.__name__  # else Python would parse one from the signature
            cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
            own = {"__init__": _later(cls, frozen), "__repr__": _shown}
            if eq:
                own |= _compared(cls, frozen)
            if frozen:
                own |= {"__setattr__": _refused, "__delattr__": _refused}
            if frozen and slots:
                own |= {"__getstate__": _state, "__setstate__": _restored}
            for name, method in own.items():
                if name not in vars(cls) or (name == "__hash__" and vars(cls)[name] is None):
                    setattr(cls, name, method)
            return cls

        return made


def _later(cls: type, frozen: bool) -> Callable[..., None]:
    """An `__init__` that puts the true one in its place when it is called more than a few times, or wrongly."""
    left = _FEW

    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        nonlocal left
        left -= 1
        if left < 0 or not _filled(self, values, named):
            cls.__init__ = made = _init(cls, frozen)  # type: ignore[misc]
            made(self, *values, **named)

    return __init__


def _filled(made: Any, values: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Gives the fields their values, if these are just what `__init__` takes."""
    fields = dataclasses.fields(made)
    given = dict(zip([field.name for field in fields if field.init and not field.kw_only], values, strict=False))
    known = {field.name for field in fields if field.init}
    if len(given) < len(values) or not given.keys().isdisjoint(named) or not named.keys() <= known:
        return False
    given |= named
    if not all(field.name in given or _has_default(field) for field in fields if field.init):
        return False
    for field in fields:
        if field.name in given:
            object.__setattr__(made, field.name, given[field.name])
        elif _has_default(field):
            value = field.default if field.default_factory is _NONE else field.default_factory()
            object.__setattr__(made, field.name, value)
    if hasattr(made, "__post_init__"):
        made.__post_init__()
    return True


def _has_default(field: dataclasses.Field[Any]) -> bool:
    return field.default is not _NONE or field.default_factory is not _NONE


def _init(cls: Any, frozen: bool) -> Callable[..., None]:
    known: dict[str, Any] = {"_put": object.__setattr__, "_none": _NONE}
    fields = [field for field in dataclasses.fields(cls) if field.init or _has_default(field)]
    taken = [field for field in fields if field.init]
    positional = [_parameter(field, known) for field in taken if not field.kw_only]
    named = [_parameter(field, known) for field in taken if field.kw_only]
    body = [_line(field, known, frozen) for field in fields] + ["pass"]
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    parameters = ", ".join(["self", *positional, *(["*", *named] if named else [])])
    exec(f"def __init__({parameters}):\n " + "\n ".join(body), known)
    made: Callable[..., None] = known["__init__"]
    made.__qualname__ = f"{cls.__qualname__}.__init__"
    return made


def _parameter(field: Any, known: dict[str, Any]) -> str:
    if field.default_factory is not _NONE:
        return f"{field.name}=_none"
    if field.default is _NONE:
        return str(field.name)
    known[f"_of_{field.name}"] = field.default
    return f"{field.name}=_of_{field.name}"


def _line(field: Any, known: dict[str, Any], frozen: bool) -> str:
    name = value = field.name
    if field.default_factory is not _NONE:
        known[f"_of_{name}"] = field.default_factory
        value = f"_of_{name}() if {name} is _none else {name}" if field.init else f"_of_{name}()"
    elif not field.init:
        known[f"_of_{name}"] = field.default
        value = f"_of_{name}"
    return f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}"


def _compared(cls: Any, frozen: bool) -> dict[str, Any]:
    """Equality by the fields in their order; what cannot change has a hash."""
    names = [field.name for field in dataclasses.fields(cls) if field.compare]
    values: Callable[[Any], Any] = attrgetter(*names) if names else lambda made: ()

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}


def _shown(self: Any) -> str:
    shown = ", ".join([f"{field.name}={getattr(self, field.name)!r}"
                       for field in dataclasses.fields(self) if field.repr])
    return f"{self.__class__.__qualname__}({shown})"


def _refused(self: Any, name: str, *value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restored(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
