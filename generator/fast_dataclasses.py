"""Dataclasses that are fast to define.

Python's own `dataclass` compiles six methods for each class, which for the hundred classes of a small deck takes a
fifth of the time. This one compiles `__init__` when the first object is made; all classes share the other methods.
"""

from __future__ import annotations

import dataclasses
from operator import attrgetter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, kw_only=False):
        """Like `dataclasses.dataclass`."""

        def define(cls):
            cls.__doc__ = cls.__doc__ or cls.__name__ + "()"  # Python's would write the signature, which is slow
            cls = dataclasses.dataclass(cls, init=False, repr=False, eq=False, slots=slots, kw_only=kw_only)
            methods = {"__init__": _first_init(cls, frozen), "__repr__": _repr, "__signature__": _Signature()}
            if eq:
                methods |= _comparison(cls, frozen)
            if frozen:
                methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
                methods |= {"__getstate__": _state, "__setstate__": _restore} if slots else {}
            for name, method in methods.items():
                if name not in vars(cls) or (name == "__hash__" and "__eq__" not in vars(cls)):
                    setattr(cls, name, method)
            return cls

        return define if cls is None else define(cls)


def _first_init(cls: Any, frozen: bool) -> Any:
    """An `__init__` that replaces itself when the first object is made."""

    def compiled() -> Any:
        cls.__init__ = _init(cls, frozen)
        return cls.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        compiled()(self, *args, **kwargs)

    __init__.compiled = compiled  # type: ignore[attr-defined]
    return __init__


class _Signature:
    """The signature of a class, also before its `__init__` is compiled."""

    def __get__(self, instance: object, cls: Any) -> Any:
        from inspect import signature  # slow to load, and only documentation needs it

        init = cls.__init__
        whole = signature(init.compiled() if hasattr(init, "compiled") else init)
        return whole.replace(parameters=[*whole.parameters.values()][1:])


def _init(cls: Any, frozen: bool) -> Any:
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    parameters, body = ["self"], ["pass"]
    for field in sorted(dataclasses.fields(cls), key=lambda field: bool(field.kw_only)):
        name, makes_default = field.name, field.default_factory is not dataclasses.MISSING
        default = names[f"_{name}"] = field.default_factory if makes_default else field.default
        value = f"_{name}()" if makes_default else f"_{name}"
        if field.init:
            if field.kw_only and "*" not in parameters:
                parameters.append("*")
            given = "" if default is dataclasses.MISSING else "=_missing" if makes_default else f"=_{name}"
            parameters.append(name + given)
            value = f"{value} if {name} is _missing else {name}" if makes_default else name
        if field.init or default is not dataclasses.MISSING:
            body.append(f"_set(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        body.append("self.__post_init__()")
    exec(f"def __init__({', '.join(parameters)}):\n " + "\n ".join(body), names)
    init = names["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    init.__annotations__ = {field.name: field.type for field in dataclasses.fields(cls) if field.init} | {
        "return": None
    }
    return init


def _comparison(cls: Any, frozen: bool) -> dict[str, Any]:
    fields = [field.name for field in dataclasses.fields(cls) if field.compare]
    values: Any = attrgetter(*fields) if fields else lambda _: ()

    def __eq__(self: Any, other: object) -> Any:  # noqa: N807
        return values(self) == values(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:  # noqa: N807
        return hash(values(self))

    return {"__eq__": __eq__, "__hash__": __hash__ if frozen else None}


def _repr(self: Any) -> str:
    fields = [f"{field.name}={getattr(self, field.name)!r}" for field in dataclasses.fields(self) if field.repr]
    return f"{self.__class__.__qualname__}({', '.join(fields)})"


def _refuse(self: Any, name: str, *value: object) -> None:
    raise dataclasses.FrozenInstanceError(f"cannot {'assign to' if value else 'delete'} field {name!r}")


def _state(self: Any) -> list[Any]:
    return [getattr(self, field.name) for field in dataclasses.fields(self)]


def _restore(self: Any, state: list[Any]) -> None:
    for field, value in zip(dataclasses.fields(self), state, strict=True):
        object.__setattr__(self, field.name, value)
