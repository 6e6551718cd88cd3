"""What all sheets of the game share: reading them, their word list and dice, the players and the score."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any, TypeAlias

from msgspec.structs import replace

from ... import paths
from ...errors import InputError, Problem, fault
from ...rules.results import Line, Violation
from ...sheets import FilledSheet
from ...sheets.marks import is_no_word
from ..base import WrittenSum, rule_book
from .play import Dice, Throw, dice_of, faces_of, read_tiles, read_word, target_of
from .word_lists import WordList, bundled_lists, list_in, own

rules = rule_book("rolling_cubes")
_NOUNS_CAPITALISED = ("german",)  # languages that write all nouns, not only names, with a capital letter
_CODES = ("set", "strip")
_HINT = "wildcards are = and ≠ (or /)"
# What the fields with letters must hold, and a hint.
_LETTERS = {
    "train": ("the letters A to Z", "write a wildcard as the letter named"),
    "letter": ("one letter A to Z or a wildcard", _HINT),
    "as": ("one letter A to Z", ""),
    "throw": ("the letters A to Z and wildcards", _HINT),
    "tiles": ("the letters A to Z and wildcards", f"{_HINT}; write - if the player found no word"),
    "word": ("a word in the letters A to Z", "write - if the player found no word"),
    "answer": ("a word in the letters A to Z", "write - if the player found no word"),
}


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Tiles and words that are not letters or can be read in two ways, and codes and word lists that cannot be used."""
    for name, mark in sheet.marks.items():
        place, field = sheet.place_of(name), "throw" if ".throw." in name else name.rpartition(".")[2]
        if field in _LETTERS and not _is_expected(field, str(mark)):
            yield Problem(f"{name} must be {_LETTERS[field][0]}, not “{mark}”", place, _hint(field, str(mark)))
        *tiles, word = str(mark).split() or [""]
        if field == "tiles" and any(len(piece) > 1 for piece in (*tiles, word)) and tiles and not is_no_word(str(mark)):
            both = f"the tiles {read_tiles(str(mark))}, or the tiles {''.join(tiles).upper()} and the word “{word}”"
            hint = "type the tiles without spaces, and the word under “word”"
            yield Problem(f"{name}: “{mark}” can mean {both}", place, hint)
        if field == "rejected" and f"{name.removesuffix('rejected')}voted" in sheet.marks:
            yield Problem(f"{name}: the word is accepted and rejected by vote", place, "tick “voted” or “rejected”")
    try:
        coded(sheet)
        if sheet.options.get("words") or sheet.extra.get("words_from"):
            word_list(sheet, "")
    except InputError as error:
        code = next((name for name in reversed(_CODES) if name in sheet.codes), "")
        yield from (replace(problem, place=problem.place or sheet.place_of(code)) for problem in error.problems)


def _hint(field: str, text: str) -> str:
    """How to type letters with something between or after them."""
    joined = re.sub(r"(?<=\w)[-–.·+](?=\w)", "", text)
    if joined != text and _is_expected(field, joined):
        return f"type {joined.upper()}"
    has_points = field == "word" and re.search(r"[\d→>=]", text)
    return "type the points as one number, with a space before it: BIRD 4" if has_points else _LETTERS[field][1]


def _is_expected(field: str, text: str) -> bool:
    read = read_tiles if field in ("train", "letter", "throw", "tiles") else read_word
    count = len(read(text) or "")
    return count == 1 if field in ("letter", "as") else count > 0 or is_no_word(text)


def word_list(sheet: FilledSheet, language: str, kind: str = "all", names: bool = True) -> WordList | None:
    """The list that decides which words count; None if any word does. It is the one named by `--words`, otherwise by
    `words_from`, otherwise the bundled list of this kind in the language of the dice. Without `names`, words in your
    own list that begin with a capital letter do not count. Raises InputError for a file that cannot be used."""
    capitalised = names or language in _NOUNS_CAPITALISED
    if "words" in sheet.options:
        return own(Path(sheet.options["words"]), sheet.options["words"], capitalised)
    list_name = sheet.extra.get("words_from") or ""
    if list_name.lower() == "any":
        return None
    if list_name and list_name.lower() not in bundled_lists(sheet.game):
        folder, place = Path(sheet.place.file).parent, sheet.place_of("words_from")
        try:
            path = paths.within(folder, list_name) if "\0" not in list_name else None
            if path is None:
                raise fault(
                    f"the word list “{list_name}” is outside the folder of the sheet", place, "use --words FILE"
                )
            if not path.is_file():
                raise fault(
                    f"there is no word list “{list_name}” beside the sheet",
                    place,
                    f"write a file, {', '.join(bundled_lists(sheet.game))}, or any",
                )
        except (OSError, RuntimeError) as error:
            raise fault("the name of the word list is not a valid file name", place) from error
        return own(path, list_name, capitalised)
    return list_in(sheet.game, list_name.lower() or language, kind)


def coded(sheet: FilledSheet) -> tuple[Dice, Sequence[Throw], str]:
    """The dice, the throws of a strip and the language that the codes of a sheet stand for; without a code, the
    standard dice and no throws. A strip code also determines the dice. Raises InputError for an unknown recipe, and for
    a strip that is for other dice than those of the set code."""
    game, usual = sheet.game, str(sheet.game.rules["language"])
    if not sheet.codes:
        return dice_of(game), (), usual
    from . import deal  # imported only for sheets with codes

    cubes, strip_code = (sheet.codes.get(name) for name in _CODES)
    strip = deal.strip(game, strip_code) if strip_code else None
    dice = deal.dice(game, cubes) if cubes else strip.dice if strip else ()
    if strip and [sorted(die.faces) for die in dice] != [sorted(die.faces) for die in strip.dice]:
        hint = f"it is for {strip.cubes or 'the standard dice: leave out the set code'}"
        raise fault("the strip is not for the dice of the set code", None, hint)
    language = deal.language(game, sheet.codes["set" if cubes else "strip"])
    return Dice(faces_of(dice)), strip.throws if strip else (), language or usual


Outcome: TypeAlias = tuple[tuple[int, ...], str]
"""The numbers of the winners (empty if the game is not over), and a remark about that or about how a tie was broken."""


class CubesSheet(ABC):
    """A sheet of any of the games. Players are identified by number. `unit` is what a total counts."""

    unit = "point"

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet
        self.rules: Mapping[str, Any] = sheet.game.rules
        self.dice, self.strip, self.language = coded(sheet)

    def target_of(self, game: str) -> int:
        """The target of a game, lower if the sheet is part of a tournament."""
        in_tournament = self.sheet.ticked("tournament") or self.sheet.sheet.name == "tournament"
        return target_of(self.rules, game, len(self.players), in_tournament)

    @property
    def lacks_players(self) -> bool:
        """Whether there is only one player, in a game for two or more."""
        return len(self.players) == 1 and self.sheet.sheet.name in ("last-die", "tournament")

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The numbers of the players: all those with a name or anything else on the sheet."""
        by_player = ("players", "claimed", "games", "awarded")
        rows = (numbers for name, numbers in self.sheet.rows.items() if name.partition(".")[0] in by_player)
        groups = (entries for name, entries in self.sheet.entries.items() if name.endswith(("words", "lines", "cubes")))
        return tuple(sorted({*chain(*rows), *(int(entry.rpartition(".")[2]) for entry in chain(*groups))}))

    def name(self, player: int) -> str:
        return self.sheet.people.get(f"players.{player}") or f"player {player}"

    @cached_property
    def lines(self) -> Mapping[int, list[Line]]:
        """The lines of every player's score, with the parts that explain them."""
        return {player: list(self.score_lines(player)) for player in self.players}

    @property
    def totals(self) -> dict[int, int]:
        return {player: sum(line.points for line in lines) for player, lines in self.lines.items()}

    @abstractmethod
    def violations(self) -> Iterator[Violation]:
        """The violations of the rules for this kind of sheet, other than wrong sums."""

    @abstractmethod
    def score_lines(self, player: int) -> Iterator[Line]:
        """The lines of a player's score with their parts."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome:
        """The winners, or why there are none yet."""

    @property
    def bare_points(self) -> dict[str, str]:
        """Points that were written with a bonus, without it: on paper, the bonus is ringed."""
        return {}

    @property
    def no_words(self) -> list[str]:
        """The ids of words and lines for which a 0 was typed."""
        groups = chain.from_iterable(
            entries for name, entries in self.sheet.entries.items() if name.endswith(("words", "lines"))
        )
        lines = ((entry, f"{entry}.{line}") for entry in groups for line in self.rules["five_throws"]["lines"])
        return [name for name in chain.from_iterable(lines) if self.sheet.marks.get(name) == 0]

    def sums(self) -> Iterator[WrittenSum]:
        """The sums that players may write down."""
        for player, total in self.totals.items():
            yield self.sum_of(f"claimed.{player}", player, total, "claimed-total", right="the points add up to {}")

    def sum_of(self, field: str, player: int, points: int, rule: str, right: str, shown: bool = True) -> WrittenSum:
        return WrittenSum(field, points, rules[rule], f"{self.name(player)} wrote", right=right, shown=shown)

    def language_violations(self, words: WordList | None) -> Iterator[Violation]:
        """A warning if the words are looked up in a different language from that of the dice."""
        if words and words.language not in ("", self.language):
            where, dice_language = next(iter(self.sheet.codes), ""), self.language.capitalize()
            yield rules["list-language"](
                where,
                f"the dice are {dice_language}, but the words were looked up in the "
                f"{words.language.capitalize()} list; name a list in {dice_language}: --words FILE",
            )
