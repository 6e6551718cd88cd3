"""What a scored copy of a filled-in sheet needs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ..definitions.values import Empty
from ..sheets import FilledSheet

Ids: TypeAlias = tuple[tuple[str, ...], ...]


class Strokes(NamedTuple):
    """What was drawn on a sheet: `lines` from field to field, `outlines` round fields, fields `crossed` out; `marks`
    where a pencil writes something else than is typed; and which parts beside the paper's fields all that `tells`."""

    lines: Ids = ()
    outlines: Ids = ()
    crossed: tuple[str, ...] = ()
    marks: Mapping[str, str] = Empty
    tells: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Copied:
    """A filled-in sheet, the right `sums` by the ids of their fields, and what was drawn on it."""

    filled: FilledSheet
    sums: Mapping[str, int] = field(default_factory=lambda: Empty)
    strokes: Strokes = Strokes()

    @property
    def marks(self) -> tuple[str, ...]:
        """The ids of all marks on the paper and off it."""
        return tuple(dict.fromkeys((*self.filled.marks, *self.strokes.marks)))

    @property
    def beside(self) -> list[str]:
        """What was typed and cannot be seen on the paper."""
        return [name for name in self.filled.extra if name not in self.strokes.tells]
