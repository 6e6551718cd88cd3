"""Filled-in sheets of any of the games: what may be typed, the words and dice that count, and who plays."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ... import paths
from ...definitions.models import Card
from ...errors import InputError, Problem, fault
from ...rules.book import Violation
from ...rules.results import Line, Part, Result, Score, ranks
from ...sheets import FilledSheet
from .dice import Dice, dice_of, dice_with, faces_of, read_tiles, read_word
from .rules import CLAIMED_TOTAL, LIST_LANGUAGE, NAMES
from .wordlist import WordList, bundled_lists, list_in, own

if TYPE_CHECKING:
    from .deal import Strip

NOTHING = "0"
"""What is typed instead of tiles where a player had no word."""

_ANY_WORD = "any"
_NOUNS_CAPITALISED = ("german",)
"""Languages in which a capital letter does not tell a name from any other noun."""
_CODES = ("set", "strip")
_ONE_LETTER = (".letter", ".as")

# ---- what cannot be read --------------------------------------------------------------------------------------------


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Tiles and words with other letters than A to Z, codes and a word list that cannot be used."""
    for name, mark in sheet.marks.items():
        if isinstance(mark, str) and not (mark.isascii() and mark.isalpha() and not name.endswith(_ONE_LETTER)):
            yield from _letter_problems(sheet, name, mark)
    if sheet.codes:
        yield from _code_problems(sheet)
    try:
        if sheet.beside.get("words") or sheet.extra.get("words_from"):
            word_list(sheet, "")
    except InputError as error:
        yield from error.problems


def _letter_problems(sheet: FilledSheet, name: str, text: str) -> Iterator[Problem]:
    last, wanted = name.rpartition(".")[2], ""
    if last == "tiles" or ".throw." in name:
        wanted = "" if text == NOTHING or read_tiles(text) else "the letters A to Z and wildcards"
    elif last == "letter":
        wanted = "" if len(read_tiles(text) or "") == 1 else "one letter A to Z or a wildcard"
    elif last in ("word", "answer"):
        wanted = "" if text == NOTHING or read_word(text) else "a word of the letters A to Z"
    elif last == "as":
        wanted = "" if len(read_word(text) or "") == 1 else "one letter A to Z"
    if wanted:
        hint = "wildcards are = and ≠, the latter also typed /" if "wildcard" in wanted else ""
        yield Problem(f"{name} must be {wanted}, not “{text}”", sheet.place_of(name), hint)


def _code_problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Codes of recipes nobody knows, and a strip of other dice."""
    try:
        named = named_by_codes(sheet)
    except InputError as error:
        where = next(name for name in reversed(_CODES) if name in sheet.codes)
        yield from (Problem(problem.message, sheet.place_of(where), problem.hint) for problem in error.problems)
        return
    if named.dice and named.strip and _sorted_faces(named.dice) != _sorted_faces(named.strip.dice):
        yield Problem(
            "the strip is not of these dice",
            sheet.place_of("strip"),
            f"it is of {named.strip.cubes or 'the standard ones'}",
        )


def _sorted_faces(dice: Sequence[Card]) -> list[list[str]]:
    return [sorted(die.faces) for die in dice]


# ---- the words and dice that count ----------------------------------------------------------------------------------


def word_list(sheet: FilledSheet, language: str, kind: str = "all", names: bool = True) -> WordList | None:
    """The list that decides which words count, or None if any word does: that of `--words`, else that of `words_from`,
    else the bundled one of this kind in the language of the dice. Without `names`, words of your own list that begin
    with a capital letter do not count. Raises InputError for a file that cannot be used."""
    capitalised = names or language in _NOUNS_CAPITALISED
    if "words" in sheet.beside:
        return own(Path(sheet.beside["words"]), sheet.beside["words"], capitalised)
    wanted = sheet.extra.get("words_from") or ""
    if wanted.lower() == _ANY_WORD:
        return None
    if wanted and wanted.lower() not in bundled_lists(sheet.game):
        return own(_file_beside(sheet, wanted), wanted, capitalised)
    return list_in(sheet.game, wanted.lower() or language, kind)


def list_language(sheet: FilledSheet, language: str) -> str:
    """The language of the bundled list that decides for dice in this language; empty for your own list, or for none."""
    lists = bundled_lists(sheet.game)
    wanted = (sheet.extra.get("words_from") or "").lower() or language
    if "words" in sheet.beside or (wanted != language and wanted not in lists):
        return ""
    return wanted if wanted in lists else next(iter(lists))


def _file_beside(sheet: FilledSheet, name: str) -> Path:
    """A word list in the folder of the sheet or below."""
    folder, place = Path(sheet.place.file).parent, sheet.place_of("words_from")
    try:
        path = paths.within(folder, name) if "\0" not in name else None
        if path is None:
            raise fault(f"the word list “{name}” leads out of the sheet's folder", place, "give it with --words FILE")
        if not path.is_file():
            raise fault(
                f"there is no word list “{name}” beside the sheet",
                place,
                f"write a file, {', '.join(bundled_lists(sheet.game))}, or any",
            )
    except (OSError, RuntimeError) as error:
        raise fault("no file can have the name of this word list", place) from error
    return path


@dataclass(frozen=True, slots=True)
class NamedByCodes:
    """The dice and the strip that a sheet was played with; None where its codes name no such thing."""

    dice: tuple[Card, ...] | None = None
    strip: Strip | None = None
    language: str = ""


def named_by_codes(sheet: FilledSheet) -> NamedByCodes:
    """What the codes under `set` and `strip` name. A strip brings its dice with it. Raises InputError for a recipe
    nobody knows."""
    from . import deal  # few sheets name their dice

    dice_code, strip_code = (sheet.codes.get(name) for name in _CODES)
    dice = deal.dice(sheet.game, dice_code) if dice_code else None
    strip = deal.strip(sheet.game, strip_code) if strip_code else None
    named = dice_code or strip_code
    return NamedByCodes(
        dice or (strip.dice if strip else None), strip, deal.language(sheet.game, named) if named else ""
    )


# ---- a sheet as its rules look at it --------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Outcome:
    """The numbers of the winners, none while the game goes on; and a sentence on that, or on how a tie was broken."""

    winners: tuple[int, ...] = ()
    remark: str = ""


_PLAYER_ROWS = ("players", "claimed", "games", "awarded")
_PLAYER_GROUPS = ("words", "lines")


class CubesSheet(ABC):
    """A sheet of any of the games. Players are known by their numbers."""

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet
        self.rules: Mapping[str, Any] = sheet.game.rules

    @cached_property
    def named(self) -> NamedByCodes:
        """What its codes name."""
        return named_by_codes(self.sheet) if self.sheet.codes else NamedByCodes()

    @property
    def language(self) -> str:
        """The language of the dice."""
        return self.named.language or str(self.rules["language"])

    @property
    def targets(self) -> Mapping[str, Any]:
        """What wins each game: lower in a tournament, where the sheet says that it is part of one."""
        rules: Mapping[str, Any] = self.rules["tournament"] if self.sheet.ticked("tournament") else self.rules
        targets: Mapping[str, Any] = rules["targets"]
        return targets

    @cached_property
    def dice(self) -> Dice:
        """The dice it was played with."""
        named = self.named.dice
        return dice_with(faces_of(named)) if named else dice_of(self.sheet.game)

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The numbers of the players: those with a name, and those with anything else on the sheet."""
        rows = (numbers for name, numbers in self.sheet.rows.items() if name.partition(".")[0] in _PLAYER_ROWS)
        entries = (
            entry for group, listed in self.sheet.entries.items() if group.endswith(_PLAYER_GROUPS) for entry in listed
        )
        return tuple(sorted({*chain(*rows), *(int(entry.rpartition(".")[2]) for entry in entries)}))

    def name(self, player: int) -> str:
        return self.sheet.people.get(f"players.{player}") or f"player {player}"

    def total(self, player: int) -> int:
        return sum(line.points for line in self.score_lines(player))

    # ---- what each game says of its sheet ----------------------------------------------------------------------------

    @abstractmethod
    def violations(self) -> Iterator[Violation]:
        """What breaks the rules of this sheet alone."""

    @abstractmethod
    def score_lines(self, player: int) -> Iterator[Line]:
        """What the sheet brings a player, line by line."""

    @abstractmethod
    def line_parts(self, player: int) -> Iterator[list[Part]]:
        """How the points of each of these lines were made."""

    @property
    @abstractmethod
    def outcome(self) -> Outcome:
        """Who has won, or why nobody has yet."""

    def inner_sums(self) -> Iterator[tuple[str, int]]:
        """The sums on the paper beside the players' totals, by the ids of their fields."""
        return iter(())


def player_violations(sheet: CubesSheet) -> Iterator[Violation]:
    """What is wrong with the players of any sheet: names that two share, and claimed totals."""
    first: dict[str, int] = {}
    for player in sheet.sheet.rows.get("players", ()):
        name = sheet.name(player)
        other = first.setdefault(name.casefold(), player)
        if other != player:
            yield NAMES((f"players.{player}", f"players.{other}"), f"two players are called {name}")
    for player in sheet.players:
        claimed = sheet.sheet.number(f"claimed.{player}")
        if claimed is not None and claimed != (total := sheet.total(player)):
            yield CLAIMED_TOTAL(
                f"claimed.{player}", f"{sheet.name(player)} claims {claimed}, but it adds up to {total}"
            )


def language_violations(sheet: CubesSheet) -> Iterator[Violation]:
    """Whether the words are looked up in another language than that of the dice."""
    language = list_language(sheet.sheet, sheet.language)
    if language and language != sheet.language:
        where = next((name for name in _CODES if name in sheet.sheet.codes), "")
        yield LIST_LANGUAGE(
            where,
            f"the dice are {sheet.language.capitalize()}, but the words were looked up in the "
            f"{language.capitalize()} list; name a list in {sheet.language.capitalize()}: --words FILE",
        )


# ---- the score ------------------------------------------------------------------------------------------------------


def score(sheet: CubesSheet) -> Result:
    """The score of every player, and the winners where there are any."""
    scores = tuple(Score(sheet.name(player), tuple(sheet.score_lines(player))) for player in sheet.players)
    outcome = sheet.outcome
    won = [player in outcome.winners for player in sheet.players]  # of a tie, the winner is ranked first
    places = ranks((each.total, ahead) for each, ahead in zip(scores, won, strict=True))
    return Result(scores, places, tuple(map(sheet.name, outcome.winners)), outcome.remark)


def sums(sheet: CubesSheet) -> Mapping[str, int]:
    """The sums of every player, by the id of their fields."""
    return {**dict(sheet.inner_sums()), **{f"claimed.{player}": sheet.total(player) for player in sheet.players}}
