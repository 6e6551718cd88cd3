"""The rule for a log that was played with a throw strip."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book
from .reading import bare


def names_a_strip(sheet: Judged) -> bool:
    return "strip" in sheet.filled.codes


@book.rule("strip", source="the throw strip", when=names_a_strip)
def the_throws_are_those_of_the_strip(sheet: Judged) -> Iterator[Breach]:
    """Where a sheet names its throw strip, every round that is logged shows the throw of the strip with its number, and
    there are no more rounds than throws. Where every player has a strip, it is one of them from its beginning on. A
    solo challenge is played with its scoring option and the event die."""
    from . import coded  # few sheets name a strip

    made = coded.strip_of(sheet.filled)
    assert made
    if made.option and (made.option != sheet.option or not sheet.event_die):
        yield f"the challenge is played with the option {made.option} and the event die", "strip", "option"
    rounds = coded.own(made, sheet.log)
    for number, played in enumerate(sheet.log, 1):
        if number > len(rounds):
            yield f"round {number} is played, but the strip has only {len(rounds)} throws", f"log.{number}"
            return
        if not coded.agree(rounds, number, played):
            shown = rounds[number - 1]
            yield (f"round {number} has {_said(played.dice, bare(played.event or ''))}, but the strip has "
                   f"{_said(shown.dice, shown.event if played.event else '')}", f"log.{number}")


def _said(dice: tuple[int, ...], event: str) -> str:
    return " ".join(map(str, sorted(dice))) + (f" and “{event}”" if event else "")
