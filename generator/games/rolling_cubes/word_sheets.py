"""Sheets with words: games 1 and 2, round by round, and the five-throw sheet, line by line."""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from ...fast_dataclasses import dataclass
from ...lazy import cached_property
from ...rules.book import Violation
from ...rules.results import Line, Part
from ...rules.terminal import number_text
from ...sheets.marks import is_nothing
from ..turns import counted, listed
from .dice import (
    EQUAL,
    PURPLE,
    UNEQUAL,
    Throw,
    letter_points,
    letter_tiles,
    mismatch,
    purple_points,
    read_tiles,
    read_word,
    repeat_points,
    wildcard_points,
    wrong_equals,
    wrong_unequals,
)
from .play import (
    Combination,
    LineRules,
    PlayedWord,
    RoundRules,
    Standing,
    WordRules,
)
from .rules import (
    AFTER_THE_END,
    CLAIMED_LINE,
    CLAIMED_ROUND,
    COLOURS_NAMED,
    EQUAL_COPIES,
    EVERYBODY_PLAYS,
    LINE_MET,
    PLAY_OFF,
    PURPLE_DIE,
    RETHROWN,
    SHORTEST,
    STRIP,
    THROW_POSSIBLE,
    TILES_FIT,
    TILES_POSSIBLE,
    TILES_THROWN,
    TILES_WRITTEN,
    UNEQUAL_DIFFERS,
    WORD_LIST,
)
from .sheet import (
    CubesSheet,
    GameOutcome,
    language_violations,
    list_language,
    no_word,
    word_list,
)
from .wordlist import WordList


class WordSheet(CubesSheet):
    """A sheet of game 1 or 2, or a five-throw sheet."""

    @cached_property
    def word_rules(self) -> WordRules:
        return WordRules(self.dice, self.rules)

    @cached_property
    def word_list(self) -> WordList | None:
        """The word list; None if any word counts."""
        return word_list(self.sheet, self.language)

    @property
    @abstractmethod
    def words(self) -> Sequence[PlayedWord]:
        """Every word on the sheet."""

    @property
    @abstractmethod
    def throws(self) -> Sequence[tuple[str, Throw]]:
        """Every throw on the sheet, with its place."""

    def violations(self) -> Iterator[Violation]:
        yield from word_violations(self)
        yield from language_violations(self)

    def word(self, name: str, player: int, throw: Throw | None = None) -> PlayedWord | None:
        """The word at this place; None if there is none. `throw` is the one that all players share."""
        own_throw, text, marks = self.throw(f"{name}.throw"), self.sheet.text, self.sheet.marks
        tiles = read_tiles(text(f"{name}.tiles")) or ""
        word = read_word(text(f"{name}.word")) or ""
        if (
            not tiles
            and not word
            and not own_throw
            and not (f"{name}.purple" in marks or f"{name}.voted" in marks or f"{name}.rethrown" in marks)
        ):
            return None
        if not word and tiles == letter_tiles(tiles):
            word = tiles.lower()
        numbers: tuple[Any, ...] = self.sheet.rows.get(f"{name}.colours", ())
        return PlayedWord(
            name,
            player,
            tiles,
            word,
            own_throw or throw,
            numbers and tuple([text(f"{name}.colours.{number}") for number in numbers]),
            f"{name}.purple" in marks,
            f"{name}.voted" in marks,
        )

    def is_nothing(self, name: str) -> bool:
        """Whether the sheet has a 0 or a dash instead of a word."""
        if self.sheet.marks.get(name) == 0:
            return True
        tiles, word = self.sheet.text(f"{name}.tiles"), self.sheet.text(f"{name}.word")
        return no_word(tiles) or no_word(word) or (tiles == "" != word and is_nothing(word))

    def throw(self, name: str) -> Throw | None:
        """The throw at this place; None if there is none."""
        return self._throws.get(name)

    @cached_property
    def _throws(self) -> Mapping[str, Throw]:
        """Every throw, by its place."""
        letters: dict[str, dict[str, str]] = {}
        for name, mark in self.sheet.marks.items():
            if ".throw." in name:
                where, _, colour = name.rpartition(".")
                letters.setdefault(where, {})[colour] = read_tiles(str(mark)) or ""
        blank = dict.fromkeys(self.rules["colours"], "")
        return {where: Throw({colour: shown.get(colour, "") for colour in blank}) for where, shown in letters.items()}


# ---- violations of throws and words ---------------------------------------------------------------------------------


def word_violations(sheet: WordSheet) -> Iterator[Violation]:
    """The rules that the throws and words of a sheet break."""
    rules = sheet.word_rules
    for where, throw in sheet.throws:
        for problem in rules.dice.problems(throw):
            yield THROW_POSSIBLE(where, problem)
    for word in sheet.words:
        yield from _tile_violations(word, rules)
        if word.tiles and word.text:
            yield from _spelling_violations(word, sheet)


def _tile_violations(word: PlayedWord, rules: WordRules) -> Iterator[Violation]:
    """Tiles that are missing, or that the dice cannot show."""
    if not word.tiles:
        yield TILES_WRITTEN(word.id, f"{word.quoted or 'the word'} has no tiles")
    elif not word.text:
        yield TILES_WRITTEN(word.id, f"{word.tiles} has wildcards, so the sheet must say which word it stands for")
    if word.throw:
        yield from _throw_violations(word, word.throw, rules)
    elif word.tiles and not rules.dice.can_lay(word.tiles):
        yield TILES_POSSIBLE(
            f"{word.id}.tiles", f"the {len(rules.dice)} dice cannot show {' '.join(word.tiles)} at once"
        )
    elif word.tiles and word.all_named and not rules.can_be_laid(word):
        yield TILES_POSSIBLE(f"{word.id}.colours", f"dice of these colours cannot show {' '.join(word.tiles)}")
    if word.colours and not word.all_named:
        yield COLOURS_NAMED(
            f"{word.id}.colours",
            f"{word.tiles} has {len(word.tiles)} tiles, but {counted(len(word.colours), 'colour')}",
        )
    if word.purple_ticked and word.tiles and not rules.can_use_purple(word):
        yield PURPLE_DIE(f"{word.id}.purple", f"the purple die is ticked, but shows none of the tiles {word.tiles}")


def _throw_violations(word: PlayedWord, throw: Throw, rules: WordRules) -> Iterator[Violation]:
    """Tiles that the throw does not show, or does not show often enough or in these colours."""
    faces, used = throw.faces, word.tiles
    missing_tiles = [tile for tile in dict.fromkeys(used) if used.count(tile) > faces.count(tile)]
    for tile in missing_tiles:
        shown = faces.count(tile)
        yield TILES_THROWN(
            f"{word.id}.tiles",
            f"the throw shows only {'one' if shown == 1 else shown} {tile}, but the word uses {used.count(tile)}"
            if shown
            else f"no die of the throw shows {tile}",
        )
    if not missing_tiles and word.all_named and not rules.can_be_laid(word):
        yield TILES_THROWN(f"{word.id}.colours", f"the throw does not show {word.tiles} in these colours")


def _spelling_violations(word: PlayedWord, sheet: WordSheet) -> Iterator[Violation]:
    """Tiles that cannot stand for the word, and words that do not count."""
    if problem := mismatch(word.tiles, word.text):
        yield TILES_FIT((f"{word.id}.word", f"{word.id}.tiles"), problem)
    else:
        if EQUAL in word.tiles:
            for letter in dict.fromkeys(wrong_equals(word.tiles, word.text)):
                yield EQUAL_COPIES(
                    f"{word.id}.tiles", f"= stands for {letter}, but no letter die of {word.tiles} shows it"
                )
        if UNEQUAL in word.tiles:
            for letter in dict.fromkeys(wrong_unequals(word.tiles, word.text)):
                yield UNEQUAL_DIFFERS(
                    f"{word.id}.tiles", f"≠ stands for {letter}, but “{word.text}” has another {letter}"
                )
    if len(word.text) < sheet.rules["shortest"]:
        yield SHORTEST(
            f"{word.id}.word", f"{word.quoted} is too short: a word has {sheet.rules['shortest']} letters or more"
        )
    elif not word.voted and sheet.word_list is not None and word.text not in sheet.word_list:
        language = list_language(sheet.sheet, sheet.language)
        which = f"the {language.capitalize()} word list" if language else "the word list"
        yield WORD_LIST(f"{word.id}.word", f"{word.quoted} is not in {which}, and the players did not vote for it")


# ---- explaining the points of a word --------------------------------------------------------------------------------

_TIMES = {2: "twice", 3: "three times", 4: "four times"}


def word_parts(word: PlayedWord, purple: bool, scoring: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of the points of a word, as in `dice.points_of`."""
    letters = letter_tiles(word.tiles)
    wildcards = len(word.tiles) - len(letters)
    yield Part(f"letters of {word.quoted}: {' '.join(letters) or 'none'}", letter_points(len(letters), scoring))
    if wildcards:
        text = "one wildcard" if wildcards == 1 else f"{wildcards} wildcards, the first for 0"
        yield Part(text, wildcard_points(wildcards, scoring))
    yield from _repeat_parts(Counter(letters), scoring)
    if purple:
        letter = word.throw.letters[PURPLE][:1] if word.throw and not word.colours else ""
        yield Part(f"the {letter} on the purple die" if letter else "the purple die", purple_points(purple, scoring))


def _repeat_parts(counts: Counter[str], scoring: Mapping[str, Any]) -> list[Part]:
    """A part for each letter that repeats, or only for the best of them if the others do not count."""
    parts = [
        Part(f"{letter} {_TIMES.get(count, f'{count} times')}", repeat_points([count], scoring))
        for letter, count in counts.items()
        if count > 1
    ]
    total = repeat_points(counts.values(), scoring)
    if sum(part.points for part in parts) == total:
        return parts
    return [next(part for part in parts if part.points == total)]


# ---- games 1 and 2 --------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class WordRound:
    """One round on the sheet, and the standing before it.

    `words` are all words in the round, `points` their points (0 for no word) and `bonus` the round bonus; the latter
    two contain only the players who play in this round. `missing` are the players with neither a word nor a 0 yet."""

    id: str
    before: Standing
    words: Mapping[int, PlayedWord]
    points: Mapping[int, int]
    bonus: Mapping[int, int]
    missing: tuple[int, ...]
    full: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"

    def points_with_bonus(self, player: int) -> int:
        return self.points.get(player, 0) + self.bonus.get(player, 0)

    def has_line(self, player: int) -> bool:
        """Whether the player has a line in the score."""
        return player in self.points and (player not in self.missing or self.full)


class Rounds(WordSheet):
    """A sheet of game 1 or game 2."""

    @cached_property
    def target(self) -> int:
        return int(self.targets[self.sheet.sheet.name])

    @property
    def rounds(self) -> tuple[WordRound, ...]:
        return self._played[0]

    @property
    def standing(self) -> Standing:
        """The standing after the last round."""
        return self._played[1]

    @cached_property
    def words(self) -> tuple[PlayedWord, ...]:
        return tuple(word for game_round in self.rounds for word in game_round.words.values())

    @cached_property
    def throws(self) -> tuple[tuple[str, Throw], ...]:
        """The throws of each player in game 1, the shared throws in game 2."""
        names = (
            *(f"{game_round.id}.throw" for game_round in self.rounds),
            *(f"{word.id}.throw" for word in self.words),
        )
        return tuple((name, throw) for name in names if (throw := self.throw(name)))

    @cached_property
    def _played(self) -> tuple[tuple[WordRound, ...], Standing]:
        rules = RoundRules(self.players, self.target, self.rules)
        standing = rules.start
        rounds: list[WordRound] = []
        entries = self.sheet.entries.get("rounds", ())
        for entry in entries:
            game_round = self._round(entry, standing, rules, entry == entries[-1])
            rounds.append(game_round)
            standing = rules.after(standing, game_round.points, game_round.bonus, full=game_round.full)
        return tuple(rounds), standing

    def _round(self, entry: str, before: Standing, rules: RoundRules, last: bool) -> WordRound:
        throw = self.throw(f"{entry}.throw")
        zeros = [player for player in self.players if self._is_zero(entry, player)]
        words = {
            player: word
            for player in self.players
            if player not in zeros and (word := self.word(f"{entry}.words.{player}", player, throw))
        }
        playing = () if before.won else before.still
        missing = tuple(player for player in playing if player not in words and player not in zeros)
        full = not missing or not last
        points = {player: self.word_rules.points(words[player]).total if player in words else 0 for player in playing}
        return WordRound(entry, before, words, points, rules.bonus(points, before) if full else {}, missing, full)

    def _is_zero(self, entry: str, player: int) -> bool:
        """Whether a player found no word: a 0 in its place, or 0 points and nothing else."""
        name = f"{entry}.words.{player}"
        return self.is_nothing(name) or (
            self.sheet.marks.get(f"{entry}.claimed.{player}") == 0
            and name not in self.sheet.entries.get(f"{entry}.words", ())
        )

    # ---- the score ---------------------------------------------------------------------------------------------------

    def score_lines(self, player: int) -> Iterator[Line]:
        for game_round in self.rounds:
            if game_round.has_line(player):
                yield Line(game_round.label, game_round.points[player])
            if player in game_round.bonus:
                yield Line(f"{game_round.label} bonus", game_round.bonus[player])

    def line_parts(self, player: int) -> Iterator[list[Part]]:
        for game_round in self.rounds:
            if game_round.has_line(player):
                word = game_round.words.get(player)
                yield (
                    list(word_parts(word, self.word_rules.uses_purple(word), self.rules["scoring"]))
                    if word
                    else [Part("no word", 0)]
                )
            if player in game_round.bonus:
                others = [self.name(other) for other in game_round.bonus if other != player]
                shared = f", shared with {listed(others)}" if others else ""
                yield [
                    Part(
                        f"best word of the round with {number_text(game_round.points[player])}{shared}",
                        game_round.bonus[player],
                    )
                ]

    def inner_sums(self) -> Iterator[tuple[str, int]]:
        return (
            (f"{game_round.id}.claimed.{player}", game_round.points_with_bonus(player))
            for game_round in self.rounds
            for player in game_round.points
        )

    @property
    def outcome(self) -> GameOutcome:
        standing = self.standing
        last = self.rounds[-1] if self.rounds else None
        if standing.won:
            return GameOutcome(standing.still)
        if last and not last.full:
            missing = listed([self.name(player) for player in last.missing])
            has = "has" if len(last.missing) == 1 else "have"
            return GameOutcome(remark=f"The game is not over: {missing} {has} not yet played {last.label}.")
        if standing.play_off:
            names = listed([self.name(player) for player in standing.still])
            best = max(standing.totals.values())
            return GameOutcome(remark=f"The game is not over: {names} tie with {number_text(best)} points and play on.")
        return GameOutcome(remark=f"The game is not over: nobody has {self.target} points yet.")

    # ---- the rules ---------------------------------------------------------------------------------------------------

    def violations(self) -> Iterator[Violation]:
        yield from super().violations()
        if self.coded.strip:
            yield from _strip_violations(self, self.coded.strip.throws)
        extra = next((game_round for game_round in self.rounds if game_round.before.won), None)
        if extra:
            yield AFTER_THE_END(extra.id, f"the game was won before {extra.label}")
        for game_round in self.rounds:
            yield from self._round_violations(game_round)

    def _round_violations(self, game_round: WordRound) -> Iterator[Violation]:
        """Players who are missing, players who should not play, and wrong claims."""
        for player in game_round.missing if game_round.full else ():
            yield EVERYBODY_PLAYS(
                f"{game_round.id}.words", f"{self.name(player)} has neither a word nor a 0 in {game_round.label}"
            )
        if game_round.before.play_off and not game_round.before.won:
            for player, word in game_round.words.items():
                if player not in game_round.before.still:
                    yield PLAY_OFF(
                        word.id,
                        f"{self.name(player)} plays in {game_round.label}, which is only for the players who tied",
                    )
        for player in self.players:
            where, points = f"{game_round.id}.claimed.{player}", game_round.points_with_bonus(player)
            claimed = self.sheet.number(where)
            if claimed is not None and claimed != points:
                yield CLAIMED_ROUND(
                    where,
                    f"{self.name(player)} wrote {number_text(claimed)}, but scores {number_text(points)} "
                    f"in {game_round.label}",
                )


# ---- games with a throw strip ---------------------------------------------------------------------------------------


class UsedThrow(NamedTuple):
    """A throw on the sheet: its place, the number of its round, and the number of its turn among the turns of all
    players; both from 1."""

    where: str
    throw: Throw
    round: int
    turn: int


def _strip_violations(sheet: Rounds, strip: Sequence[Throw]) -> Iterator[Violation]:
    """Throws that are not on the strip, counted by rounds or by turns, whichever leaves fewer."""
    used = tuple(_used_throws(sheet))
    ways = [
        [(used_throw, used_throw.round) for used_throw in used],
        [(used_throw, used_throw.turn) for used_throw in used],
    ]
    yield from min((list(_wrong_throws(strip, way)) for way in ways), key=len)


def _wrong_throws(strip: Sequence[Throw], used: Sequence[tuple[UsedThrow, int]]) -> Iterator[Violation]:
    """The throws that differ from the throw of the strip with their number."""
    for used_throw, number in used:
        if number > len(strip):
            yield STRIP(used_throw.where, f"this is throw {number}, but the strip has only {len(strip)}")
        elif not used_throw.throw.equals(strip[number - 1]):
            yield STRIP(used_throw.where, f"this is not throw {number} of the strip: {strip[number - 1]}")


def _used_throws(sheet: Rounds) -> Iterator[UsedThrow]:
    turn = 0
    for number, game_round in enumerate(sheet.rounds, 1):
        shared = sheet.throw(f"{game_round.id}.throw")
        if shared:
            yield UsedThrow(f"{game_round.id}.throw", shared, number, number)
        for player in game_round.points:
            turn += 1
            word = game_round.words.get(player)
            own = sheet.throw(f"{word.id}.throw") if word else None
            if word and own:
                yield UsedThrow(f"{word.id}.throw", own, number, number if shared else turn)


# ---- the five-throw sheet -------------------------------------------------------------------------------------------

_REASONS = {
    "no-wildcards": "has a wildcard",
    "trio": "does not have {trio} dice of one colour",
    "full-house": "does not have {full_house[0]} dice of one colour and {full_house[1]} of another",
    "poker": "does not have {poker} dice of one colour",
    "double": "does not show a letter on two dice",
}
"""Why a word does not meet a line, by the name of the line."""


class FiveThrows(WordSheet):
    """A five-throw sheet."""

    @cached_property
    def line_rules(self) -> LineRules:
        return LineRules(self.word_rules)

    @cached_property
    def combinations(self) -> tuple[Combination, ...]:
        """The five lines of each player, in the order of the sheet."""
        names = self.rules["five_throws"]["lines"]
        return tuple(self._combination(player, name) for player in self.players for name in names)

    def _combination(self, player: int, name: str) -> Combination:
        where = f"lines.{player}.{name}"
        if self.is_nothing(where):
            return Combination(where, player, name, zero=True)
        word = self.word(where, player)
        zero = word is None and self.sheet.number(f"{where}.claimed") == 0
        return Combination(where, player, name, word, zero, self.sheet.number(f"{where}.rethrown") or 0)

    @cached_property
    def words(self) -> tuple[PlayedWord, ...]:
        return tuple(line.word for line in self.combinations if line.word)

    @cached_property
    def throws(self) -> tuple[tuple[str, Throw], ...]:
        return tuple((f"{word.id}.throw", word.throw) for word in self.words if word.throw)

    # ---- the score ---------------------------------------------------------------------------------------------------

    def score_lines(self, player: int) -> Iterator[Line]:
        for line in self.combinations:
            if line.player == player:
                yield Line(line.label, self.line_rules.points(line))

    def line_parts(self, player: int) -> Iterator[list[Part]]:
        return (self._parts(line) for line in self.combinations if line.player == player)

    def _parts(self, line: Combination) -> list[Part]:
        numbers, points = self.line_rules.numbers, self.line_rules.points(line)
        if not line.word:
            return [Part("given up for 0" if line.zero else "still open", 0)]
        if not self.line_rules.meets(line):
            return [Part(f"{line.word.quoted} does not meet the line", points)]
        parts = list(word_parts(line.word, self.line_rules.counts_purple(line), self.rules["scoring"]))
        if line.rethrown > 0:
            dice = f"{line.rethrown} dice" if line.rethrown > 1 else "1 die"
            parts.append(Part(f"{dice} thrown again", -int(numbers["penalty"]) * line.rethrown))
        raised = points - sum(part.points for part in parts)
        return [*parts, Part(f"a line never scores less than {numbers['least']}", raised)] if raised else parts

    def inner_sums(self) -> Iterator[tuple[str, int]]:
        return ((f"{line.id}.claimed", self.line_rules.points(line)) for line in self.combinations if line.filled)

    @property
    def outcome(self) -> GameOutcome:
        still_open = [line for line in self.combinations if not line.filled]
        if still_open:
            first, others = still_open[0], counted(len(still_open) - 1, "other line")
            also = f", and so {'is' if len(still_open) == 2 else 'are'} {others}" if len(still_open) > 1 else ""
            return GameOutcome(
                remark=f"The game is not over: {self.name(first.player)}’s line “{first.label}” is open{also}."
            )
        totals = {player: self.total(player) for player in self.players}
        best = max(totals.values(), default=0)
        return GameOutcome(
            tuple(player for player, total in totals.items() if total == best),
            "" if totals else "The game is not over: nobody has played yet.",
        )

    # ---- the rules ---------------------------------------------------------------------------------------------------

    def violations(self) -> Iterator[Violation]:
        yield from super().violations()
        numbers = self.line_rules.numbers
        for line in self.combinations:
            word = line.word
            if word and word.tiles and not self.line_rules.meets(line):
                reason = _REASONS[line.name].format(**numbers)
                yield LINE_MET(line.id, f"{word.tiles} {reason}, so it scores 0 in the line “{line.label}”")
            if not 0 <= line.rethrown <= numbers["rethrow"]:
                yield RETHROWN(
                    f"{line.id}.rethrown",
                    f"{line.rethrown} dice thrown again for “{line.label}”, but 0 to {numbers['rethrow']} are allowed",
                )
            claimed = self.sheet.number(f"{line.id}.claimed")
            if claimed is not None and claimed != (points := self.line_rules.points(line)):
                yield CLAIMED_LINE(
                    f"{line.id}.claimed",
                    f"{self.name(line.player)} wrote {number_text(claimed)}, but scores {number_text(points)} "
                    f"for “{line.label}”",
                )
