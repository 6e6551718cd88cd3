"""Text: fonts, measured words, and lines broken where they fit."""

from __future__ import annotations

import sys
from importlib.util import LazyLoader, find_spec, module_from_spec


def put_off(name: str) -> None:
    """Has a module of a package loaded when something in it is first asked for. reportlab imports Pillow at once, which
    takes longer than a deck without pictures takes to lay out."""
    package, _, own = name.rpartition(".")
    spec = None if name in sys.modules else find_spec(name)
    if spec and spec.loader:
        spec.loader = LazyLoader(spec.loader)
        module = sys.modules[name] = module_from_spec(spec)
        spec.loader.exec_module(module)
        setattr(sys.modules[package], own, module)


put_off("PIL.Image")
