"""Puts off what may never be needed: loading modules and working out properties."""

from __future__ import annotations

import sys
import threading
from importlib.util import find_spec, module_from_spec
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from functools import cached_property as cached_property
else:
    _set = object.__setattr__

    class cached_property:  # noqa: N801 - as in functools
        """Like `functools.cached_property`, but without the lock that it has before Python 3.12: taking that costs more
        than everything else. Two threads may both work out a value."""

        def __init__(self, method):
            self.method, self.name, self.__doc__ = method, method.__name__, method.__doc__

        def __get__(self, owner, cls=None):
            if owner is None:
                return self
            value = self.method(owner)
            _set(owner, self.name, value)  # with `owner.__dict__`, all attributes of the object would become slower
            return value


class _LaterModule(ModuleType):
    """A module that is loaded when one of its names is first used. Python's own `LazyLoader` loads it as soon as it is
    imported twice."""

    def __getattr__(self, name: str) -> Any:
        with _loading:  # another thread waits until the module is complete
            spec = vars(self).pop("_later", None)
            if spec:
                try:
                    spec.loader.exec_module(self)
                except BaseException:
                    vars(self)["_later"] = spec
                    raise
                self.__class__ = ModuleType  # type: ignore[assignment]
        return ModuleType.__getattribute__(self, name)


_loading = threading.RLock()


def load_later(*names: str) -> None:
    """Loads these modules when one of their names is first used, although a library imports them before."""
    for name in names:
        spec = None if name in sys.modules else find_spec(name)
        if spec:
            module = sys.modules[name] = module_from_spec(spec)
            vars(module)["_later"] = spec
            module.__class__ = _LaterModule
            package, _, last = name.rpartition(".")
            if package:
                setattr(sys.modules[package], last, module)
