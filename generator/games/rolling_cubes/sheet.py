"""What all sheets of the game share: reading them, their word list and dice, the players and the score."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from ... import paths
from ...errors import InputError, Problem, fault
from ...model.game import Card
from ...rules.book import Violation
from ...rules.results import Line, Part
from ...sheets import FilledSheet
from ...sheets.marks import is_no_word
from ..base import WrittenSum, rule_book
from .dice import Dice, dice_of, faces_of, read_tiles, read_word
from .word_lists import WordList, bundled_lists, list_in, own

if TYPE_CHECKING:
    from .deal import Strip

rules = rule_book("rolling_cubes")
_ANY_WORD = "any"
_NOUNS_CAPITALISED = ("german",)
"""Languages that write all nouns, not only names, with a capital letter."""
_CODES = ("set", "strip")
_TILES, _NO_WORD = "wildcards are = and ≠ (or /)", "write - if the player found no word"


def problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Tiles and words that are not letters or can be read in two ways, and codes and word lists that cannot be used."""
    for name, mark in sheet.marks.items():
        expected, hint = _expected(name, mark) if isinstance(mark, str) else ("", "")
        if expected:
            yield Problem(f"{name} must be {expected}, not “{mark}”", sheet.place_of(name), hint)
        if not is_no_word(str(mark)):
            yield from _double_meanings(sheet, name, str(mark).split())
    yield from _code_problems(sheet)
    try:
        if sheet.options.get("words") or sheet.extra.get("words_from"):
            word_list(sheet, "")
    except InputError as error:
        yield from error.problems


def _expected(name: str, text: str) -> tuple[str, str]:
    """What a field with letters must hold instead of this text, and a hint; empty if it may hold the text."""
    last, tiles, word = name.rpartition(".")[2], read_tiles(text) or "", read_word(text) or ""
    if last == "letter":
        return ("", "") if len(tiles) == 1 else ("one letter A to Z or a wildcard", _TILES)
    if last == "as":
        return ("", "") if len(word) == 1 else ("one letter A to Z", "")
    if is_no_word(text):
        return "", ""
    if last == "tiles":
        return ("", "") if tiles else ("the letters A to Z and wildcards", f"{_TILES}; {_NO_WORD}")
    if ".throw." in name:
        return ("", "") if tiles else ("the letters A to Z and wildcards", _TILES)
    return ("a word in the letters A to Z", _NO_WORD) if last in ("word", "answer") and not word else ("", "")


def _double_meanings(sheet: FilledSheet, name: str, pieces: Sequence[str]) -> Iterator[Problem]:
    """Tiles that may include the word (`T A R tar`), and words with the results of two votes."""
    group, _, last = name.rpartition(".")
    if last == "tiles" and {len(piece) for piece in pieces} - {1} and len(pieces) > 1:
        *tiles, word = pieces
        readings = f"the tiles {''.join(pieces).upper()}, or the tiles {''.join(tiles).upper()} and the word “{word}”"
        message = f"{name}: “{' '.join(pieces)}” can mean {readings}"
        yield Problem(message, sheet.place_of(name), "type the tiles without spaces, and the word under “word”")
    elif last == "rejected" and f"{group}.voted" in sheet.marks:
        message = f"{group}: the word is both accepted and rejected by vote"
        yield Problem(message, sheet.place_of(name), "tick “voted” or “rejected”")


def _code_problems(sheet: FilledSheet) -> Iterator[Problem]:
    """Codes with unknown recipes, and a strip for different dice."""
    try:
        named = code_contents(sheet)
    except InputError as error:
        where = next(name for name in reversed(_CODES) if name in sheet.codes)
        yield from (Problem(problem.message, sheet.place_of(where), problem.hint) for problem in error.problems)
        return
    if named.dice and named.strip and _sorted_faces(named.dice) != _sorted_faces(named.strip.dice):
        yield Problem(
            "the strip is not for the dice of the set code",
            sheet.place_of("strip"),
            f"it is for {named.strip.cubes or 'the standard dice: leave out the set code'}",
        )


def _sorted_faces(dice: Sequence[Card]) -> list[list[str]]:
    return [sorted(die.faces) for die in dice]


def word_list(sheet: FilledSheet, language: str, kind: str = "all", names: bool = True) -> WordList | None:
    """The list that decides which words count; None if any word does. It is the one named by `--words`, otherwise by
    `words_from`, otherwise the bundled list of this kind in the language of the dice. Without `names`, words in your
    own list that begin with a capital letter do not count. Raises InputError for a file that cannot be used."""
    capitalised = names or language in _NOUNS_CAPITALISED
    if "words" in sheet.options:
        return own(Path(sheet.options["words"]), sheet.options["words"], capitalised)
    list_name = sheet.extra.get("words_from") or ""
    if list_name.lower() == _ANY_WORD:
        return None
    if list_name and list_name.lower() not in bundled_lists(sheet.game):
        return own(_file_beside(sheet, list_name), list_name, capitalised)
    return list_in(sheet.game, list_name.lower() or language, kind)


def list_language(sheet: FilledSheet, language: str) -> str:
    """The language of the bundled list used for dice in this language; empty for your own list, or without a list."""
    lists = bundled_lists(sheet.game)
    list_name = (sheet.extra.get("words_from") or "").lower() or language
    if "words" in sheet.options or (list_name != language and list_name not in lists):
        return ""
    return list_name if list_name in lists else next(iter(lists))


def _file_beside(sheet: FilledSheet, name: str) -> Path:
    """The path of a word list in the folder of the sheet or below it."""
    folder, place = Path(sheet.place.file).parent, sheet.place_of("words_from")
    try:
        path = paths.within(folder, name) if "\0" not in name else None
        if path is None:
            raise fault(f"the word list “{name}” is outside the folder of the sheet", place, "use --words FILE")
        if not path.is_file():
            raise fault(
                f"there is no word list “{name}” beside the sheet",
                place,
                f"write a file, {', '.join(bundled_lists(sheet.game))}, or any",
            )
    except (OSError, RuntimeError) as error:
        raise fault("the name of the word list is not a valid file name", place) from error
    return path


class CodeContents(Struct, frozen=True):
    """The dice, strip and language that the codes of a sheet stand for; None or empty without such a code."""

    dice: tuple[Card, ...] | None = None
    strip: Strip | None = None
    language: str = ""


def code_contents(sheet: FilledSheet) -> CodeContents:
    """What the codes under `set` and `strip` stand for. A strip code also determines the dice. Raises InputError for an
    unknown recipe."""
    if not sheet.codes:
        return CodeContents()
    from . import deal  # imported only for sheets with codes

    dice_code, strip_code = (sheet.codes.get(name) for name in _CODES)
    dice = deal.dice(sheet.game, dice_code) if dice_code else None
    strip = deal.strip(sheet.game, strip_code) if strip_code else None
    named = dice_code or strip_code
    return CodeContents(
        dice or (strip.dice if strip else None), strip, deal.language(sheet.game, named) if named else ""
    )


class GameOutcome(Struct, frozen=True):
    """The numbers of the winners (empty if the game is not over), and a remark about that or about how a tie was
    broken."""

    winners: tuple[int, ...] = ()
    remark: str = ""


_PLAYER_ROWS = ("players", "claimed", "games", "awarded")
_PLAYER_GROUPS = ("words", "lines")


class CubesSheet(ABC):
    """A sheet of any of the games. Players are identified by number. `unit` is what a total counts."""

    unit = "point"

    def __init__(self, sheet: FilledSheet) -> None:
        self.sheet = sheet
        self.rules: Mapping[str, Any] = sheet.game.rules
        self.coded = code_contents(sheet)
        self.language = self.coded.language or str(self.rules["language"])
        self.dice = Dice(faces_of(self.coded.dice)) if self.coded.dice else dice_of(sheet.game)

    @property
    def targets(self) -> Mapping[str, Any]:
        """The target of each game, lower if the sheet is part of a tournament."""
        rules: Mapping[str, Any] = self.rules["tournament"] if self.sheet.ticked("tournament") else self.rules
        targets: Mapping[str, Any] = rules["targets"]
        return targets

    @property
    def lacks_players(self) -> bool:
        """Whether there is only one player, in a game for two or more."""
        return len(self.players) == 1 and self.sheet.sheet.name in ("last-die", "tournament")

    @cached_property
    def players(self) -> tuple[int, ...]:
        """The numbers of the players: all those with a name or anything else on the sheet."""
        rows = (numbers for name, numbers in self.sheet.rows.items() if name.partition(".")[0] in _PLAYER_ROWS)
        entries = (
            entry for group, listed in self.sheet.entries.items() if group.endswith(_PLAYER_GROUPS) for entry in listed
        )
        return tuple(sorted({*chain(*rows), *(int(entry.rpartition(".")[2]) for entry in entries)}))

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
    def outcome(self) -> GameOutcome:
        """The winners, or why there are none yet."""

    def inner_sums(self) -> Iterator[WrittenSum]:
        """The sums on the sheet other than the totals."""
        return iter(())

    def sum_of(self, field: str, player: int, points: int, rule: str, right: str, shown: bool = True) -> WrittenSum:
        """A sum that a player may write down; see `WrittenSum`."""
        return WrittenSum(field, points, rules[rule], f"{self.name(player)} wrote", right=right, shown=shown)


def line_of(label: str, parts: Iterable[Part]) -> Line:
    """A line of the score, whose points are the sum of its parts."""
    parts = tuple(parts)
    return Line(label, sum(part.points for part in parts), parts)


def language_violations(sheet: CubesSheet) -> Iterator[Violation]:
    """A warning if the words are looked up in a different language from that of the dice."""
    language = list_language(sheet.sheet, sheet.language)
    if language and language != sheet.language:
        where = next((name for name in _CODES if name in sheet.sheet.codes), "")
        yield rules["list-language"](
            where,
            f"the dice are {sheet.language.capitalize()}, but the words were looked up in the "
            f"{language.capitalize()} list; name a list in {sheet.language.capitalize()}: --words FILE",
        )
