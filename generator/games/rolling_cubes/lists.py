"""Which list of words counts for a sheet: one given beside it, one it names, or one that came with the game."""

from __future__ import annotations

from pathlib import Path

from ... import paths
from ...errors import fault
from ...sheets import FilledSheet
from .wordlist import WordList, bundled, own

ANY = "any"


def words(sheet: FilledSheet, name: str = "all", proper_nouns: bool = True) -> WordList | None:
    """The list that counts, or None where any word does: that of `--words`, else that of `words_from`, else the one
    that the game calls `name`. Raises InputError for a file that cannot be used."""
    if "words" in sheet.beside:
        return own(Path(sheet.beside["words"]), sheet.beside["words"], proper_nouns)
    said = sheet.extra.get("words_from") or ""
    if said:
        return None if said.lower() == ANY else own(_beside(sheet, said), said, proper_nouns)
    return bundled(sheet.game.folder / sheet.game.rules["words"][name])


def _beside(sheet: FilledSheet, name: str) -> Path:
    """A file in the folder of the sheet or below."""
    folder, place = Path(sheet.place.file).parent, sheet.place_of("words_from")
    try:
        found = paths.within(folder, name) if "\0" not in name else None
        if found is None:
            raise fault(f"the word list “{name}” leads out of the sheet's folder", place, "give it with --words FILE")
        if not found.is_file():
            raise fault(f"no word list “{name}” beside the sheet", place, "words_from: any takes every word")
    except (OSError, RuntimeError) as error:
        raise fault("no file can have the name of this word list", place) from error
    return found
