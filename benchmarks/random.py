"""What was promised of random sets, measured on one core: `python benchmarks/random.py [--twins N]`.

`--twins N` draws N sets of every kind (100000 was promised) and counts those that are the same as another.
"""

from __future__ import annotations

import sys

if __name__ == "random":  # a script of this folder, this one too, that wants the standard library's finds this first
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
