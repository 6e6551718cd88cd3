"""What is worked out of a sheet once and kept with it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar, overload

V = TypeVar("V")
T = TypeVar("T")


class kept(Generic[T]):  # noqa: N801 - a decorator
    """A property that is worked out when it is first asked for. Unlike `functools.cached_property` of Python 3.11 it
    takes no lock, as every sheet is judged in one thread."""

    def __init__(self, function: Callable[[Any], T]) -> None:
        self.function = function
        self.name = function.__name__
        self.__doc__ = function.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, one: None, owner: type) -> kept[T]: ...
    @overload
    def __get__(self, one: object, owner: type | None = None) -> T: ...
    def __get__(self, one: object | None, owner: type | None = None) -> T | kept[T]:
        if one is None:
            return self
        made = one.__dict__[self.name] = self.function(one)
        return made


def kept_with(function: Callable[[V], T]) -> Callable[[V], T]:
    """A function of a sheet whose answer is kept with the sheet."""
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def answer(sheet: V) -> T:
        known = sheet.__dict__
        if name not in known:
            known[name] = function(sheet)
        made: T = known[name]
        return made

    return answer
