"""Measures what the project promises about random sets, on one core: `python benchmarks/random.py [--twins N]`.

`--twins N` draws N sets of every kind (100000 for the promised check) and counts those that equal another.
"""

from __future__ import annotations

import sys

if (
    __name__ == "random"
):  # scripts in this folder, this one included, find this file before the standard library's module
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    spec = PathFinder.find_spec("random", sys.path[1:])
    assert spec
    assert spec.loader
    sys.modules["random"] = module_from_spec(spec)
    spec.loader.exec_module(sys.modules["random"])
else:
    import random_sets

    random_sets.main()
