"""What an answer tells only where it was asked for: how points were made, drawings under findings, scored copies."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import Any

from ..sheets import FilledSheet
from . import parts, plain_parts
from .copied import Copied, Strokes
from .drawing import under
from .drawn_nouns import Drawing, Signs
from .nouns import Result, Verdict


def explained(result: Result, filled: FilledSheet, views: Iterable[Any],
              own: Callable[[Any], parts.Told] | None, *, plain: bool) -> Result:
    """The result with the parts of its lines: as the sheet's YAML adds them up (`plain`), as the game's `own`
    explanation tells them, or without where it has none."""
    if plain:
        return parts.explained(result, plain_parts.explain(filled) if result.scores else ())
    return parts.explained(result, chain.from_iterable(map(own, views))) if own else result


def drawn(found: Verdict, sheets: Sequence[FilledSheet], signs: Signs | None) -> tuple[tuple[Drawing, ...], ...]:
    """What each finding is about, drawn from the sheet it lies in."""
    return tuple(tuple(under(finding, sheets, signs)) for finding in found.findings)


def copied(filled: FilledSheet, view: Any, sums: Callable[[Any], Mapping[str, int]] | None,
           strokes: Callable[[Any], Strokes] | None, *, plain: bool) -> Copied:
    """The sheet with its right sums and what is drawn on it."""
    if plain:
        return Copied(filled, plain_parts.sums(filled))
    return Copied(filled, sums(view) if sums else {}, strokes(view) if strokes else Strokes())
