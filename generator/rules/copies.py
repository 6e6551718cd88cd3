"""The data for a scored copy of a filled-in sheet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from ..definitions.values import Empty
from ..fast_dataclasses import NamedTuple, dataclass
from ..sheets import FilledSheet

Ids: TypeAlias = tuple[tuple[str, ...], ...]


class Strokes(NamedTuple):
    """Drawings on a sheet: `lines` from field to field, `outlines` around fields, and fields `crossed` out. `marks` are
    those that look different on paper than in the file; `tells` names the extra parts of the file that the
    drawings show."""

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
        """The ids of all marks, whether on paper or not."""
        return tuple(dict.fromkeys((*self.filled.marks, *self.strokes.marks)))

    @property
    def beside(self) -> list[str]:
        """The typed parts that the paper cannot show."""
        return [name for name in self.filled.extra if name not in self.strokes.tells]
