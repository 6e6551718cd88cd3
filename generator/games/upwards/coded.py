"""The strip that a sheet was played with, by the code under `strip:`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...errors import InputError, Problem
from ...sheets import FilledSheet
from .deal import strip
from .reading import Round as Played
from .reading import bare
from .strips import Round, Strip, agrees


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """A code of a recipe nobody knows."""
    try:
        strip_of(sheet)
    except InputError as error:
        yield from (Problem(one.message, sheet.place_of("strip"), one.hint) for one in error.problems)


def strip_of(sheet: FilledSheet, targets: bool = False) -> Strip | None:
    """The strip that a sheet names; None where it names none."""
    code = sheet.codes.get("strip")
    return strip(sheet.game, code, targets) if code else None


def own(made: Strip, log: Sequence[Played]) -> tuple[Round, ...]:
    """The rounds of the strip that a log was played with: where each player has one, the one most rounds agree with."""
    return max(made.strips, key=lambda rounds: sum(
        agree(rounds, number, played) for number, played in enumerate(log[:len(rounds)], 1)))


def agree(rounds: Sequence[Round], number: int, played: Played) -> bool:
    return agrees(rounds, number, played.dice, bare(played.event or ""))
