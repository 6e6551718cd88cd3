"""What a sheet of this game has beside its paper, and what no pencil could have meant on it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from ...errors import InputError, Problem
from ...sheets import FilledSheet, Reading
from . import lists, tiles

EXTRA: Mapping[str, object] = MappingProxyType({"words_from": str})
NOTHING = "0"
"""What is typed instead of tiles where a player had no word."""

_ONE_LETTER = (".letter", ".as")
_HINT = "wildcards are = and ≠, the latter also typed /"


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Tiles and words with other letters than A to Z, and a word list that cannot be used."""
    for name, mark in sheet.marks.items():
        if isinstance(mark, str) and not (mark.isascii() and mark.isalpha() and not name.endswith(_ONE_LETTER)):
            yield from _wrong_letters(sheet, name, mark)
    if sheet.codes:
        from . import coded  # few sheets name their dice
        yield from coded.problems(sheet)
    try:
        if sheet.beside.get("words") or sheet.extra.get("words_from"):
            lists.words(sheet)
    except InputError as error:
        yield from error.problems


def _wrong_letters(sheet: FilledSheet, name: str, text: str) -> Iterator[Problem]:
    last, wanted = name.rpartition(".")[2], ""
    if last == "tiles" or ".throw." in name:
        wanted = "" if text == NOTHING or tiles.tiles(text) else "the letters A to Z and wildcards"
    elif last == "letter":
        wanted = "" if len(tiles.tiles(text) or "") == 1 else "one letter A to Z or a wildcard"
    elif last in ("word", "answer"):
        wanted = "" if text == NOTHING or tiles.word(text) else "a word of the letters A to Z"
    elif last == "as":
        wanted = "" if len(tiles.word(text) or "") == 1 else "one letter A to Z"
    if wanted:
        hint = _HINT if "wildcard" in wanted else ""
        yield Problem(f"{name} must be {wanted}, not “{text}”", sheet.place_of(name), hint)


READING = Reading(extra=EXTRA, problems=problems, selects="mode")
