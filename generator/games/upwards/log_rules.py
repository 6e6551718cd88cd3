"""The rules a log of rounds is held against, after it was played through (`replay`)."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import Judged, book
from .replay import differences


def has_log(sheet: Judged) -> bool:
    return bool(sheet.log)


def _faults(sheet: Judged, rule: str) -> Iterator[Breach]:
    for fault in sheet.replay.faults if sheet.replay else ():
        if fault.rule == rule:
            yield fault.message, fault.where


@book.rule("event-each-round", source="rulebook, event die", when=has_log)
def every_round_has_its_event(sheet: Judged) -> Iterator[Breach]:
    """With the event die, all four dice are rolled in every round."""
    for number, played in enumerate(sheet.log, 1):
        if sheet.event_die and played.event is None:
            yield f"round {number} does not say what the event die shows", f"log.{number}"


@book.rule("all-dice", source="rulebook", when=has_log)
def every_die_is_used(sheet: Judged) -> Iterator[Breach]:
    """All three dice are used in every round, each once: entered, alone or in a total, or passed."""
    yield from _faults(sheet, "all-dice")


@book.rule("one-to-six", source="rulebook; U6, U22", when=has_log)
def totals_are_one_to_six(sheet: Judged) -> Iterator[Breach]:
    """A total that is entered is from 1 to 6. Of a sum with plus and minus only the result must be."""
    yield from _faults(sheet, "one-to-six")


@book.rule("plus-minus", source="rulebook, event die; U8", when=has_log)
def numbers_are_put_together_as_the_event_allows(sheet: Judged) -> Iterator[Breach]:
    """Numbers of dice and of the reserve may be added; with “plus or minus” they may be subtracted too, with “minus
    only” they may only be subtracted."""
    yield from _faults(sheet, "plus-minus")


@book.rule("column-room", source="rulebook", when=has_log)
def a_full_column_takes_nothing(sheet: Judged) -> Iterator[Breach]:
    """Nothing can be entered in a column that is full."""
    yield from _faults(sheet, "column-room")


@book.rule("reserve-room", source="rulebook; U7, U18, U22", when=has_log)
def a_number_is_saved_in_a_free_field(sheet: Judged) -> Iterator[Breach]:
    """A number or a total, also one made with a saved number, is saved in a field without a number, in any order: a
    dark one, or a light one that is outlined. A field whose number was crossed out stays used."""
    yield from _faults(sheet, "reserve-room")


@book.rule("reserve-number", source="rulebook; U7, U22", when=has_log)
def a_saved_number_is_used_once(sheet: Judged) -> Iterator[Breach]:
    """A number in the reserve is used once and crossed out then, in any round from the one it was saved in."""
    yield from _faults(sheet, "reserve-number")


@book.rule("meteorite", source="rulebook, event die; U9, U17", when=has_log)
def a_meteorite_is_dropped(sheet: Judged) -> Iterator[Breach]:
    """When the event die shows a meteorite, one is dropped into a column before any number is entered, and never into
    the reserve; with every column full it has no effect."""
    yield from _faults(sheet, "meteorite")


@book.rule("extra-reserve", source="rulebook, event die", when=has_log)
def a_light_field_is_outlined(sheet: Judged) -> Iterator[Breach]:
    """A light field is outlined when the event die shows “extra reserve”, one that is not outlined yet."""
    yield from _faults(sheet, "extra-reserve")


@book.rule("bonus-row", source="rulebook, event die; U14", when=has_log)
def a_row_is_marked(sheet: Judged) -> Iterator[Breach]:
    """A row gets its arrow when the event die shows “bonus row”, and no row gets two."""
    yield from _faults(sheet, "bonus-row")


@book.rule("effect-unused", source="rulebook, event die; U17", when=has_log, severity="warning")
def an_effect_is_used(sheet: Judged) -> Iterator[Breach]:
    """A light field is outlined or a row marked when the event die allows it and one is left."""
    yield from _faults(sheet, "effect-unused")


@book.rule("pass", source="rulebook; U16", when=has_log)
def only_what_fits_nowhere_is_passed(sheet: Judged) -> Iterator[Breach]:
    """A number is passed only when every column is full and no field of the reserve is free."""
    yield from _faults(sheet, "pass")


@book.rule("after-the-end", source="rulebook; U16, U19", when=has_log)
def one_round_follows_a_pass(sheet: Judged) -> Iterator[Breach]:
    """The round after the first one in which a number was passed is the last."""
    yield from _faults(sheet, "after-the-end")


@book.rule("log-agrees", source="the log", when=has_log)
def the_log_ends_in_this_sheet(sheet: Judged) -> Iterator[Breach]:
    """Played through from an empty sheet, the log ends in exactly this one."""
    if sheet.replay and sheet.replay.state:
        yield from differences(sheet, sheet.replay.state)
