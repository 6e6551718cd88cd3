"""What a player could have had."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from . import blocks, score
from .sheet import Sheet


def hints(sheet: Sheet) -> Iterator[Breach]:
    """With the option blocks, the best that could be outlined, where it is more than what is; with a solo challenge,
    what was to be reached."""
    yield from _challenge_hints(sheet)
    if sheet.option != "blocks":
        return
    found = blocks.best(sheet.numbered, sheet.known.shapes)
    if found.points <= score.option_points(sheet) and found.exact:
        yield f"no blocks make more than these {found.points} points", "blocks"
        return
    named = ", ".join(f"{shape} {' '.join(map(sheet.box_name, sorted(boxes)))}" for shape, boxes in found.blocks)
    most = "the best blocks make" if found.exact else "there are blocks that make at least"
    yield (f"{most} {found.points} points: {named}", "blocks",
           *(sheet.box_id(place) for _, boxes in found.blocks for place in sorted(boxes)))


def _challenge_hints(sheet: Sheet) -> Iterator[Breach]:
    if "strip" not in sheet.filled.codes:
        return
    from . import coded  # few sheets name a strip

    made = coded.strip_of(sheet.filled, targets=True)
    if made and made.targets:
        total = score.score_of(sheet, sheet.name).total
        reached = [name for name, points in made.targets.items() if total >= points]
        asked = ", ".join(f"{points} for {name}" for name, points in made.targets.items())
        earned = f"earn {reached[-1]}" if reached else "earn none of them"
        yield f"the challenge asks for {asked}: {total} points {earned}", "strip"
