"""The small theme and the elements of `tests/layout_fixtures.py`."""

from tests.layout_fixtures import el, faults, filled, lay, runs, svg, theme

__all__ = ["el", "faults", "filled", "lay", "runs", "svg", "theme"]
