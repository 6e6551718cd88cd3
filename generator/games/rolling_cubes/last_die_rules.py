"""The rules of the last die."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import LAST_DIE, book
from .last_die import LastDie


def _faults(played: LastDie, rule: str) -> Iterator[Breach]:
    for each in played.rounds:
        yield from ((fault.message, fault.where) for fault in each.faults if fault.rule == rule)


@book.rule("turn-order", source="rulebook, game 3; R19", sheets=LAST_DIE)
def players_add_letters_in_turn(played: LastDie) -> Iterator[Breach]:
    """Players add one letter each at the end of the word, in the order of the sheet; then the next one is stuck or
    doubts."""
    yield from _faults(played, "turn-order")


@book.rule("letter-written", source="the score sheet", sheets=LAST_DIE)
def every_turn_has_its_letter(played: LastDie) -> Iterator[Breach]:
    """Every turn that is written down has its letter."""
    yield from _faults(played, "letter-written")


@book.rule("tiles-possible", source="the dice; R26", sheets=LAST_DIE)
def a_die_is_used_once(played: LastDie) -> Iterator[Breach]:
    """There is a different die for every letter of a round."""
    yield from _faults(played, "tiles-possible")


@book.rule("wildcard-from", source="rulebook, game 3; R21", sheets=LAST_DIE)
def a_word_does_not_begin_with_a_wildcard(played: LastDie) -> Iterator[Breach]:
    """Wildcards may be used from the second die on."""
    yield from _faults(played, "wildcard-from")


@book.rule("wildcard-said", source="rulebook, game 3; R21", sheets=LAST_DIE)
def a_wildcard_says_what_it_stands_for(played: LastDie) -> Iterator[Breach]:
    """Whoever adds a wildcard says which letter it stands for; any other tile stands for what it shows."""
    yield from _faults(played, "wildcard-said")


@book.rule("equal-copies", source="rulebook; R5, R21", sheets=LAST_DIE)
def an_equal_copies_a_letter_before_it(played: LastDie) -> Iterator[Breach]:
    """The wildcard = stands for a letter that a letter die before it shows."""
    yield from _faults(played, "equal-copies")


@book.rule("unequal-differs", source="rulebook; R6, R21", sheets=LAST_DIE)
def an_unequal_differs_from_all_before_it(played: LastDie) -> Iterator[Breach]:
    """The wildcard ≠ stands for a letter that no tile before it stands for. Later letters do not undo it."""
    yield from _faults(played, "unequal-differs")


@book.rule("complete", source="rulebook, game 3; R22, R23", sheets=LAST_DIE)
def nobody_completes_a_word(played: LastDie) -> Iterator[Breach]:
    """No letter may be added that completes a word of three or more letters; the list of common words decides. The
    round goes to whoever added the letter before."""
    yield from _faults(played, "complete")


@book.rule("round-ended", source="rulebook, game 3", sheets=LAST_DIE)
def a_round_ends_once(played: LastDie) -> Iterator[Breach]:
    """Before the next round begins, one player is stuck or one doubts the last letter, not both."""
    yield from _faults(played, "round-ended")


@book.rule("answer", source="rulebook, game 3; R20, R22, R23", sheets=LAST_DIE)
def a_doubt_is_answered_with_a_word(played: LastDie) -> Iterator[Breach]:
    """A doubt is answered with a word that begins with the letters on the table. It may be on the long list of words as
    well as on that of common ones."""
    yield from _faults(played, "answer")
