"""Sharing out a length among boxes in a line: what they ask for, what they can do with, and who gets the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ..records import dataclass

EPSILON = 1e-6


class Extent(NamedTuple):
    """What a box takes where there is room, and the least it can do with (its texts at their floor)."""

    natural: float
    least: float


@dataclass(frozen=True, slots=True)
class Claim:
    """One box's claim on a row or column: its extent, its share of what is left over, and the fixed size a growing
    box starts from. A text `yields` even what it needs, and says so itself, in numbers, when it is set."""

    extent: Extent
    grow: float = 0.0
    basis: float = 0.0
    yields: bool = False


def total(claims: Sequence[Claim], gap: float) -> Extent:
    """The length at which every claim is met."""
    gaps = gap * max(0, len(claims) - 1)
    return Extent(*(gaps + _together(claims, which) for which in (0, 1)))


def _together(claims: Sequence[Claim], which: int) -> float:
    return sum([claim.basis if claim.grow else claim.extent[which] for claim in claims]) + _growth(claims, which)


def _growth(claims: Sequence[Claim], which: int) -> float:
    """The room left over that gives every growing box enough. Shares stay exact, so the neediest one decides."""
    growing = [claim for claim in claims if claim.grow]
    each = max((max(0.0, claim.extent[which] - claim.basis) / claim.grow for claim in growing), default=0.0)
    return each * sum([claim.grow for claim in growing])


def shared(claims: Sequence[Claim], room: float) -> tuple[list[float], float]:
    """The length each claim gets of `room` (gaps taken off already), and by how much the boxes are too long for it
    all the same.

    Boxes that do not grow get what they ask for, growing ones their shares of the rest. Where that is too little,
    the first give way, down to the least they can do with.
    """
    growing = sum([claim.grow for claim in claims])
    sizes = [claim.basis if claim.grow else claim.extent.natural for claim in claims]
    short = sum(sizes) + (_growth(claims, 1) if growing else 0.0) - room
    if short > EPSILON:
        _take(sizes, [0.0 if claim.grow else claim.extent.natural - claim.extent.least for claim in claims], short)
        _take(sizes, [size if claim.yields and not claim.grow else 0.0
                      for size, claim in zip(sizes, claims, strict=True)], sum(sizes) - room)
    left = max(0.0, room - sum(sizes))
    if growing:
        sizes = [size + left * claim.grow / growing for size, claim in zip(sizes, claims, strict=True)]
    return sizes, max(0.0, sum(sizes) - room)


def _take(sizes: list[float], slack: Sequence[float], short: float) -> None:
    """Takes `short`, or as much of it as there is slack, off `sizes`."""
    whole = sum(slack)
    if whole > 0 and short > 0:
        part = min(1.0, short / whole)
        for i, room in enumerate(slack):
            sizes[i] -= room * part


def levelled(naturals: Sequence[float], room: float) -> list[float]:
    """`room` shared evenly, except that nobody gets less than they ask for (which must fit)."""
    sizes = list(naturals)
    open_ = list(range(len(sizes)))
    while open_:
        level = (room - sum([size for i, size in enumerate(sizes) if i not in open_])) / len(open_)
        high = [i for i in open_ if naturals[i] > level + EPSILON]
        if not high:
            for i in open_:
                sizes[i] = level
            break
        open_ = [i for i in open_ if i not in high]
    return sizes


def starts(sizes: Sequence[float], room: float, gap: float, justify: str) -> list[float]:
    """Where each box begins. `between` widens the gaps; the other words move all boxes together."""
    left = max(0.0, room - sum(sizes) - gap * (len(sizes) - 1))
    at = {"center": left / 2, "end": left}.get(justify, 0.0)
    if justify == "between" and len(sizes) > 1:
        gap += left / (len(sizes) - 1)
    begins = []
    for size in sizes:
        begins.append(at)
        at += size + gap
    return begins
