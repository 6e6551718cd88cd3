"""Dataclasses and named tuples that are fast to define.

Python's own `dataclass` compiles six methods for each class, which for the hundred classes of a small deck takes a
fifth of the time. Here, a class compiles `__init__` once it makes more than a few objects; all share the other methods.
`typing.NamedTuple` compiles every annotation; here, they stay as they are written.
"""

from __future__ import annotations

import dataclasses
from collections import namedtuple
from collections.abc import Callable
from operator import attrgetter
from types import MemberDescriptorType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
    from typing import NamedTuple as NamedTuple
else:

    class _Definition(type):
        """Makes a named tuple of the class that is defined."""

        def __new__(cls, name, bases, names):
            if not bases:
                return super().__new__(cls, name, bases, names)
            fields = names.get("__annotations__", {})
            defaults = [names[field] for field in fields if field in names]
            made = namedtuple(name, fields, defaults=defaults, module=names["__module__"])
            made.__annotations__ = made.__new__.__annotations__ = dict(fields)
            for name, value in names.items():
                if name not in fields and name != "__annotations__":
                    setattr(made, name, value)
            return made

    NamedTuple = _Definition("NamedTuple", (), {"__doc__": "Like `typing.NamedTuple`."})

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True, kw_only=False):
        """Like `dataclasses.dataclass`."""

        def define(cls):
            cls.__doc__ = cls.__doc__ or cls.__name__ + "()"  # Python's would write the signature, which is slow
            _add_fields(cls, kw_only)
            methods = {"__init__": _first_init(lambda: cls, frozen), "__repr__": _repr, "__signature__": _Signature()}
            if eq:
                methods |= _comparison(cls, frozen)
            if frozen:
                methods |= {"__setattr__": _refuse, "__delattr__": _refuse}
                methods |= {"__getstate__": _state, "__setstate__": _restore} if slots else {}
            own = vars(cls)
            for name in [*methods]:
                if name in own and (name != "__hash__" or "__eq__" in own):
                    del methods[name]
            if slots:
                cls = _with_slots(cls, methods)
            else:
                for name, method in methods.items():
                    setattr(cls, name, method)
            return cls

        return define if cls is None else define(cls)


def _add_fields(cls: Any, kw_only: bool) -> None:
    """Adds what `dataclasses.fields`, `replace` and `match` look for."""
    fields: dict[str, Any] = {}
    for base in cls.__mro__[:0:-1]:
        fields |= vars(base).get("__dataclass_fields__", {})
    for name, annotation in cls.__annotations__.items():
        if "ClassVar" in str(annotation):
            continue
        default = vars(cls).get(name, dataclasses.MISSING)
        field: Any = default if isinstance(default, dataclasses.Field) else dataclasses.field(default=default)
        if field is default:
            if field.default is dataclasses.MISSING:
                delattr(cls, name)
            else:
                setattr(cls, name, field.default)
        field.name, field.type, field._field_type = name, annotation, dataclasses._FIELD  # type: ignore[attr-defined]
        if field.kw_only is dataclasses.MISSING:
            field.kw_only = kw_only
        fields[name] = field
    cls.__dataclass_fields__ = fields
    positional = [field.name for field in fields.values() if field.init and not field.kw_only]
    cls.__match_args__ = tuple(positional)  # type: ignore[misc]


def _with_slots(cls: Any, methods: dict[str, Any]) -> Any:
    """The same class with these methods and with slots for its own fields: Python cannot add slots to a class. Adding
    methods to an existing class would take longer, too."""
    names = vars(cls) | methods
    inherited = {slot for base in cls.__mro__[1:-1] for slot in vars(base).get("__slots__", ())}
    names["__slots__"] = tuple([name for name in cls.__dataclass_fields__ if name not in inherited])
    for name in (*cls.__dataclass_fields__, "__dict__", "__weakref__"):
        names.pop(name, None)
    slotted: Any = type(cls)(cls.__name__, cls.__bases__, names)
    slotted.__qualname__ = cls.__qualname__
    return slotted


_FEW = 8
"""Up to this many objects of a class are made faster without a compiled `__init__` than it takes to compile one."""


def _first_init(owner: Callable[[], Any], frozen: bool) -> Any:
    """An `__init__` that replaces itself by a compiled one when there are more than a few objects. `owner` returns its
    class."""
    left = _FEW

    def compiled() -> Any:
        cls = owner()
        cls.__init__ = _init(cls, frozen)
        return cls.__init__

    def __init__(self: Any, *args: Any, **kwargs: Any) -> None:  # noqa: N807
        nonlocal left
        left -= 1
        if left < 0 or not _set_fields(owner(), self, args, kwargs):
            compiled()(self, *args, **kwargs)

    __init__.compiled = compiled  # type: ignore[attr-defined]
    return __init__


def _set_fields(cls: Any, self: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Does what the compiled `__init__` does. Returns False if that is to report wrong arguments."""
    values = dict(zip(cls.__match_args__, args, strict=False)) | kwargs
    if len(values) < len(args) + len(kwargs):
        return False
    for name, field in cls.__dataclass_fields__.items():
        if field.init and name in values:
            value = values.pop(name)
        elif field.default_factory is not dataclasses.MISSING:
            value = field.default_factory()
        else:
            value = field.default
        if value is not dataclasses.MISSING:
            object.__setattr__(self, name, value)
        elif field.init:
            return False
    if not values and hasattr(cls, "__post_init__"):
        self.__post_init__()
    return not values


class _Signature:
    """The signature of a class, also before its `__init__` is compiled."""

    def __get__(self, instance: object, cls: Any) -> Any:
        from inspect import signature  # slow to load, and only documentation needs it

        init = cls.__init__
        whole = signature(init.compiled() if hasattr(init, "compiled") else init)
        return whole.replace(parameters=[*whole.parameters.values()][1:])


_LITERALS: dict[Any, str] = {dict: "{}", list: "[]"}
"""Code for new objects that is faster than calling their class."""


def _init(cls: Any, frozen: bool) -> Any:
    names: dict[str, Any] = {"_set": object.__setattr__, "_missing": dataclasses.MISSING}
    parameters, body = ["self"], ["pass"]
    for field in sorted(dataclasses.fields(cls), key=lambda field: bool(field.kw_only)):
        name, makes_default = field.name, field.default_factory is not dataclasses.MISSING
        default = names[f"_{name}"] = field.default_factory if makes_default else field.default
        value = _LITERALS.get(default, f"_{name}()") if makes_default else f"_{name}"
        if field.init:
            if field.kw_only and "*" not in parameters:
                parameters.append("*")
            given = "" if default is dataclasses.MISSING else "=_missing" if makes_default else f"=_{name}"
            parameters.append(name + given)
            value = f"{value} if {name} is _missing else {name}" if makes_default else name
        if field.init or default is not dataclasses.MISSING:
            if not frozen:
                body.append(f"self.{name} = {value}")
            elif type(slot := getattr(cls, name, None)) is MemberDescriptorType:
                names[f"_set_{name}"] = slot.__set__  # takes a third of the time of object.__setattr__
                body.append(f"_set_{name}(self, {value})")
            else:
                body.append(f"_set(self, {name!r}, {value})")
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
