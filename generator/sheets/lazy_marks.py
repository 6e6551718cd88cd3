"""Marks of which grids and rows are kept as they were typed, and written out by their fields when somebody first asks
for one of them: a game that looks at rows as a whole needs no name for every box."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeAlias

Value: TypeAlias = int | str
"""A number or a die's number is an int, a tick is True; names, choices and cards are texts."""

Rows: TypeAlias = Sequence[tuple[Value | None, ...]]
Typed: TypeAlias = tuple[int, Sequence[str], Rows]
"""A grid as it was typed: how many single marks came before it, the ids of its boxes, and its rows, the top one first.
A row of marks is a grid of one row; it may have fewer marks than ids."""


class LazyMarks(Mapping[str, Value]):
    """The marks of a sheet by field id, in the order they were typed: `single` are those beside the grids, which are
    kept by their ids."""

    __slots__ = ("_whole", "grids", "single")

    def __init__(self, single: dict[str, Value], grids: Mapping[str, Typed]) -> None:
        self.single, self.grids = single, grids
        self._whole: dict[str, Value] | None = None

    @property
    def blanks(self) -> frozenset[str]:
        """The boxes of the grids that were typed as blank."""
        return frozenset([name for _, names, rows in self.grids.values()
                          for name, value in zip(names, chain.from_iterable(rows), strict=False) if value is None])

    def __getitem__(self, name: str) -> Value:
        return self._of(name)[name]

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and name in self._of(name)

    def get(self, name: str, default: Value | None = None) -> Value | None:  # type: ignore[override]
        return self._of(name).get(name, default)

    def __iter__(self) -> Iterator[str]:
        return iter(self._written())

    def __len__(self) -> int:
        return len(self._written())

    def _of(self, name: str) -> dict[str, Value]:
        """Where the mark with this id is found: what is in no grid needs none written out."""
        return self._written() if name.rpartition(".")[0] in self.grids else self.single

    def _written(self) -> dict[str, Value]:
        if self._whole is None:
            self._whole = dict(self._in_order())
        return self._whole

    def _in_order(self) -> Iterator[tuple[str, Value]]:
        single, done = [*self.single.items()], 0
        for before, names, rows in self.grids.values():
            yield from single[done:before]
            for name, value in zip(names, chain.from_iterable(rows), strict=False):
                if value is not None:
                    yield name, value
            done = before
        yield from single[done:]
