"""Sheets with words: games 1 and 2, round by round, and the five-throw sheet, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from ...rules.results import Line, Part, Violation, line_of, number_text
from ...sheets import FilledSheet
from ...sheets.marks import is_no_word
from ...spelling import joined
from ..base import WrittenSum
from ..turns import counted
from .play import (
    EQUAL,
    PURPLE,
    UNEQUAL,
    WILDCARDS,
    PlayedWord,
    RoundRules,
    Standing,
    Throw,
    WordRules,
    letter_tiles,
    matched,
    points_of,
    read_tiles,
    read_word,
)
from .sheet import CubesSheet, Outcome, rules, word_list
from .word_lists import WordList


class WordSheet(CubesSheet):
    """A sheet of game 1 or 2, or a five-throw sheet, with all its `words`."""

    def __init__(self, sheet: FilledSheet) -> None:
        super().__init__(sheet)
        self.word_rules, self.words = WordRules(self.dice, self.rules), list[PlayedWord]()
        places = dict.fromkeys(name.rpartition(".")[0] for name in sheet.marks if ".throw." in name)
        # Every throw on the sheet, by its place.
        self.throws = {
            where: Throw(
                {colour: read_tiles(sheet.text(f"{where}.{colour}")) or "" for colour in self.rules["colours"]}
            )
            for where in places
        }

    @cached_property
    def word_list(self) -> WordList | None:
        """The word list; None if any word counts."""
        return word_list(self.sheet, self.language)

    def violations(self) -> Iterator[Violation]:
        """The rules that throws and words break. A rejected word breaks none."""
        for where, throw in self.throws.items():
            yield from (rules["throw-possible"](where, problem) for problem in self.dice.problems(throw))
        for word in self.words:
            if not word.rejected:
                yield from _tile_violations(word, self.word_rules)
                if word.tiles and word.text:
                    yield from self._spelling_violations(word)
        yield from self.language_violations(self.word_list)

    def word(self, name: str, claimed: str, throw: Throw | None = None) -> PlayedWord | int | None:
        """The word at this place: 0 if the player found none, None if nothing is typed yet. `claimed` is the field for
        its points, `throw` the one that all players share."""
        text, marks, points = self.sheet.text, self.sheet.marks, self.sheet.number(claimed)
        typed = text(f"{name}.tiles"), text(f"{name}.word")
        if marks.get(name) == 0 or any(map(is_no_word, typed)):
            return 0
        tiles, word = read_tiles(typed[0]) or "", read_word(typed[1]) or ""
        own_throw = self.throws.get(f"{name}.throw")
        ticked = {mark for mark in ("purple", "voted", "rejected", "rethrown") if f"{name}.{mark}" in marks}
        if not (tiles or word or own_throw or ticked):
            return 0 if points == 0 else None
        if not word and tiles == letter_tiles(tiles):
            word = tiles.lower()
        played = PlayedWord(
            name,
            tiles,
            word,
            own_throw or throw,
            colours=tuple(text(f"{name}.colours.{number}") for number in self.sheet.rows.get(f"{name}.colours", ())),
            purple_ticked="purple" in ticked,
            voted="voted" in ticked,
            rejected="rejected" in ticked or (points == 0 and "voted" not in ticked and not self._is_listed(word)),
        )
        self.words.append(played)
        return played

    def _is_listed(self, word: str) -> bool:
        """Whether a word counts without a vote; a blank does."""
        return not word or self.word_list is None or word in self.word_list

    def _spelling_violations(self, word: PlayedWord) -> Iterator[Violation]:
        """Tiles that cannot stand for the word, and words that do not count."""
        tiles, letters, shortest = word.tiles, word.text.upper(), self.rules["shortest"]
        if problem := _mismatch(tiles, word.text):
            yield rules["tiles-fit"]((f"{word.id}.word", f"{word.id}.tiles"), problem)
        else:
            for tile, letter in dict.fromkeys(zip(tiles, letters, strict=True)):
                if tile == EQUAL and letter not in letter_tiles(tiles):
                    yield rules["equal-copies"](
                        f"{word.id}.tiles", f"= stands for {letter}, but no letter die of {tiles} shows it"
                    )
                elif tile == UNEQUAL and letters.count(letter) > 1:
                    yield rules["unequal-differs"](
                        f"{word.id}.tiles", f"≠ stands for {letter}, but “{word.text}” has another {letter}"
                    )
        if len(word.text) < shortest:
            yield rules["shortest"](
                f"{word.id}.word", f"{word.quoted} is too short: a word has {shortest} letters or more"
            )
        elif not word.voted and not self._is_listed(word.text):
            language = self.word_list.language if self.word_list else ""
            which = f"the {language.capitalize()} word list" if language else "the word list"
            yield rules["word-list"](
                f"{word.id}.word", f"{word.quoted} is not in {which}, and the players did not vote for it"
            )


def _mismatch(tiles: str, word: str) -> str:
    """Why the tiles cannot stand for the word, for a message; empty if they can."""
    if len(tiles) != len(word):
        return f"“{word}” has {counted(len(word), 'letter')}, but {tiles} has {counted(len(tiles), 'tile')}"
    for number, (tile, letter) in enumerate(zip(tiles, word.upper(), strict=True), 1):
        if tile not in (letter, *WILDCARDS):
            return f"tile {number} of {tiles} is {tile}, but letter {number} of “{word}” is {letter}"
    return ""


def _tile_violations(word: PlayedWord, laying: WordRules) -> Iterator[Violation]:
    """Tiles that are missing, or that the dice or the throw cannot show, or not often enough or in these colours."""
    tiles, throw, faces = word.tiles, word.throw, word.throw.faces if word.throw else ""
    if not tiles:
        yield rules["tiles-written"](word.id, f"{word.quoted or 'the word'} has no tiles")
    elif not word.text:
        yield rules["tiles-written"](word.id, f"{tiles} has wildcards, so the sheet must say which word it stands for")
    missing = [tile for tile in dict.fromkeys(tiles) if throw and tiles.count(tile) > faces.count(tile)]
    for tile in missing:
        shown, count = faces.count(tile), tiles.count(tile)
        message = f"the throw shows only {'one' if shown == 1 else shown} {tile}, but the word uses {count}"
        yield rules["tiles-thrown"](f"{word.id}.tiles", message if shown else f"no die of the throw shows {tile}")
    if not (throw or laying.dice.can_lay(tiles)):
        message = f"the {len(laying.dice)} dice cannot show {' '.join(tiles)} at once"
        yield rules["tiles-possible"](f"{word.id}.tiles", message)
    elif word.all_named and not missing and matched(laying.able(word)) is None:
        rule, who = ("tiles-thrown", "the throw does") if throw else ("tiles-possible", "the dice do")
        yield rules[rule](f"{word.id}.colours", f"{who} not show {tiles} in these colours")
    if word.colours and not word.all_named:
        yield rules["colours-named"](
            f"{word.id}.colours", f"{tiles} has {len(tiles)} tiles, but {counted(len(word.colours), 'colour')}"
        )
    is_known, on_purple = word.colours or throw, any(laying.dice.showing(tile, PURPLE) for tile in tiles)
    if word.purple_ticked and tiles and not (laying.uses_purple(word) if is_known else on_purple):
        yield rules["purple-die"](f"{word.id}.purple", f"the purple die is ticked, but shows none of the tiles {tiles}")


def word_parts(word: PlayedWord, purple: bool, scoring: Mapping[str, Any]) -> Iterator[Part]:
    """The parts of the points of a word."""
    if word.rejected:
        yield Part(f"{word.quoted} was rejected", 0)
        return
    letters, points = letter_tiles(word.tiles), points_of(word.tiles, purple, scoring)
    yield Part(f"letters of {word.quoted}: {' '.join(letters) or 'none'}", points.letters)
    if wildcards := len(word.tiles) - len(letters):
        yield Part("one wildcard" if wildcards == 1 else f"{wildcards} wildcards, the first for 0", points.wildcards)
    if points.repeats:
        times = {2: "twice", 3: "three times", 4: "four times"}
        counts = Counter(letters).items()
        alike = [f"{letter} {times.get(count, f'{count} times')}" for letter, count in counts if count > 1]
        yield Part(joined(alike), points.repeats)
    if purple:
        letter = word.throw.letters[PURPLE][:1] if word.throw and not word.colours else ""
        yield Part(f"the {letter} on the purple die" if letter else "the purple die", points.purple)


class WordRound(Struct, frozen=True):
    """One round on the sheet, and the standing before it.

    `words` are all words in the round, `points` their points (0 for no word) and `bonus` the round bonus; the latter
    two contain only the players who play in this round. `ringed` is the bonus on the sheet. `missing` are the players
    with neither a word nor a 0 yet."""

    id: str
    before: Standing
    words: Mapping[int, PlayedWord]
    points: Mapping[int, int]
    bonus: Mapping[int, int]
    ringed: Mapping[int, int]
    missing: tuple[int, ...]
    full: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"


class Rounds(WordSheet):
    """A sheet of game 1 or game 2. `standing` is the one after the last round; all words of a round are from one throw
    if it `is_shared`."""

    def __init__(self, sheet: FilledSheet) -> None:
        super().__init__(sheet)
        name = sheet.sheet.name
        self.target, self.is_shared = self.target_of(name), name == "all-together"
        rounds = RoundRules(self.players, self.target, self.rules)
        self.standing, self.rounds = rounds.start, list[WordRound]()
        entries = sheet.entries.get("rounds", ())
        for entry in entries:
            played = self._round(entry, self.standing, rounds, entry == entries[-1])
            self.rounds.append(played)
            self.standing = rounds.after(self.standing, played.points, played.bonus, full=played.full)

    def _round(self, entry: str, before: Standing, rounds: RoundRules, last: bool) -> WordRound:
        throw = self.throws.get(f"{entry}.throw")
        if self.is_shared and not throw:
            throw = dict(enumerate(self.strip)).get(len(self.rounds))
        typed = {
            player: self.word(f"{entry}.words.{player}", f"{entry}.claimed.{player}", throw) for player in self.players
        }
        words = {player: word for player, word in typed.items() if isinstance(word, PlayedWord)}
        playing = () if before.won else before.still
        missing = tuple(player for player in playing if typed[player] is None)
        full = not missing or not last
        points = {player: self.word_rules.points(words[player]).total if player in words else 0 for player in playing}
        rings = {player: self.sheet.number(f"{entry}.bonus.{player}") for player in self.players}
        ringed = {player: ring for player, ring in rings.items() if ring}
        bonus = rounds.bonus(points, before) if full else {}
        if len(self.players) == 1:  # whose word is the best is on other sheets
            bonus = {player: ring for player, ring in ringed.items() if points.get(player)}
        return WordRound(entry, before, words, points, bonus=bonus, ringed=ringed, missing=missing, full=full)

    @property
    def bare_points(self) -> dict[str, str]:
        claims = (
            (f"{played.id}.claimed.{player}", played.points[player], bonus)
            for played in self.rounds
            for player, bonus in played.bonus.items()
            if player not in played.ringed
        )
        return {
            name: number_text(points) for name, points, bonus in claims if self.sheet.number(name) == points + bonus
        }

    def score_lines(self, player: int) -> Iterator[Line]:
        for played in self.rounds:
            if player in played.points and (player not in played.missing or played.full):
                word = played.words.get(player)
                parts = word_parts(word, self.word_rules.uses_purple(word), self.rules["scoring"]) if word else ()
                yield line_of(played.label, parts or [Part("no word", 0)])
            if player in played.bonus:
                others = [self.name(other) for other in played.bonus if other != player]
                shared = f", shared with {joined(others)}" if others else ""
                best = f"best word of the round with {number_text(played.points[player])}{shared}"
                best = best if len(self.players) > 1 else "ringed on the pad"
                yield line_of(f"{played.label} bonus", [Part(best, played.bonus[player])])

    def sums(self) -> Iterator[WrittenSum]:
        yield from super().sums()
        for played in self.rounds:
            for player in self.players:
                field, right = f"{played.id}.claimed.{player}", f"scores {{}} in {played.label}"
                points, bonus = played.points.get(player, 0), played.bonus.get(player, 0)
                is_included = bonus and player not in played.ringed and field in self.sheet.marks
                if is_included:
                    right += " with the bonus" if self.sheet.number(field) == points else ""
                    points += bonus
                yield self.sum_of(field, player, points, "claimed-round", right=right, shown=player in played.points)
                if played.full:
                    field, right = f"{played.id}.bonus.{player}", f"has a bonus of {{}} in {played.label}"
                    ringed = replace(self.sum_of(field, player, bonus, "claimed-bonus", right=right), shown=bonus > 0)
                    yield replace(ringed, said=f"{self.name(player)} ringed")

    @property
    def outcome(self) -> Outcome:
        standing, last = self.standing, self.rounds[-1] if self.rounds else None
        remark = f"nobody has {self.target} points yet"
        if standing.won:
            return standing.still, ""
        if last and not last.full:
            missing, has = joined([*map(self.name, last.missing)]), "has" if len(last.missing) == 1 else "have"
            remark = f"{missing} {has} not yet played {last.label}"
        elif standing.play_off:
            names, best = joined([*map(self.name, standing.still)]), number_text(max(standing.totals.values()))
            remark = f"{names} tie with {best} points and play on"
        return (), f"The game is not over: {remark}."

    def violations(self) -> Iterator[Violation]:
        yield from super().violations()
        if self.strip:
            # Throws and words that are not from the strip, counted by rounds or by turns, whichever leaves fewer.
            by_rounds = [
                (where, number)
                for number, played in enumerate(self.rounds, 1)
                for where in (
                    [played.id] if self.is_shared else [f"{played.id}.words.{player}" for player in played.points]
                )
            ]
            by_turns = [(where, number) for number, (where, _) in enumerate(by_rounds, 1)]
            words = {word.id: word for word in self.words if not word.rejected}
            yield from min((list(self._wrong_throws(used, words)) for used in (by_rounds, by_turns)), key=len)
        for played in self.rounds if self.is_shared else ():
            yield from self._throw_violations(played)
        yield from self._left_out()
        for played in self.rounds:
            if played.before.won:
                yield rules["after-the-end"](played.id, f"the game was won before {played.label}")
                return
            for player in played.missing if played.full else ():
                yield rules["everybody-plays"](
                    f"{played.id}.words", f"{self.name(player)} has neither a word nor a 0 in {played.label}"
                )
            for player, word in played.words.items():
                if played.before.play_off and player not in played.before.still:
                    yield rules["play-off"](
                        word.id, f"{self.name(player)} plays in {played.label}, which is only for the players who tied"
                    )

    def _left_out(self) -> Iterator[Violation]:
        """Blank rounds before one that is filled in."""
        for before, number in pairwise([0, *(int(played.id.rpartition(".")[2]) for played in self.rounds)]):
            if number > before + 1:
                message = f"nobody has a word or a 0 in round {before + 1}, but round {number} is filled in"
                yield rules["everybody-plays"](f"rounds.{number}", message)

    def _throw_violations(self, played: WordRound) -> Iterator[Violation]:
        """Words that cannot all be from the one throw of the round, if it is not known."""
        words = [word for word in played.words.values() if not (word.throw or word.rejected)]
        words, tiles = self.word_rules.conflict(words)
        if words:
            names = joined([word.tiles for word in words])
            message = f"{names} are not from one throw: the {len(self.dice)} dice cannot show {tiles} at once"
            yield rules["one-throw"]([f"{word.id}.tiles" for word in words], message)

    def _wrong_throws(self, used: Sequence[tuple[str, int]], words: Mapping[str, PlayedWord]) -> Iterator[Violation]:
        """The throws that differ from the throw of the strip with their number, and the words that it does not show."""
        for where, number in used:
            throw, word = self.throws.get(f"{where}.throw"), words.get(where)
            right = self.strip[number - 1] if number <= len(self.strip) else None
            if right is None and (throw or word or self.is_shared):
                yield rules["strip"](where, f"this is throw {number}, but the strip has only {len(self.strip)}")
            elif right and throw and sorted(throw.dice.dice) != sorted(right.dice.dice):
                yield rules["strip"](f"{where}.throw", f"this is not throw {number} of the strip: {right}")
            elif right and word and not throw and matched(self.word_rules.able(replace(word, throw=right))) is None:
                message = f"throw {number} of the strip does not show {word.tiles}: {right}"
                yield rules["strip"](f"{where}.tiles", message)


# Why a word does not meet a line, by the name of the line.
_REASONS = {
    "no-wildcards": "has a wildcard",
    "trio": "does not have {trio} dice of one colour",
    "full-house": "does not have {full_house[0]} dice of one colour and {full_house[1]} of another",
    "poker": "does not have {poker} dice of one colour",
    "double": "does not show a letter on two dice",
}


class Combination(Struct, frozen=True):
    """One line of a player. `word` is None for a line that is open, or that is `filled` with a 0."""

    id: str
    player: int
    name: str
    word: PlayedWord | None
    filled: bool
    rethrown: int

    @property
    def label(self) -> str:
        return self.name.replace("-", " ")


class FiveThrows(WordSheet):
    """A five-throw sheet: the five lines of each player, in the order of the sheet. `numbers` are those for it in
    game.yaml."""

    def __init__(self, sheet: FilledSheet) -> None:
        super().__init__(sheet)
        self.numbers: Mapping[str, Any] = self.rules["five_throws"]
        self.ended = sheet.ticked("ended")
        self.combinations = [
            self._combination(player, name) for player in self.players for name in self.numbers["lines"]
        ]

    def _combination(self, player: int, name: str) -> Combination:
        where = f"lines.{player}.{name}"
        entry, rethrown = self.word(where, f"{where}.claimed"), self.sheet.number(f"{where}.rethrown") or 0
        word = entry if isinstance(entry, PlayedWord) else None
        return Combination(where, player, name, word, filled=entry is not None, rethrown=rethrown if word else 0)

    def points(self, line: Combination) -> int:
        return self.word_rules.line_points(line.name, line.word, line.rethrown) if line.word else 0

    def score_lines(self, player: int) -> Iterator[Line]:
        return (line_of(line.label, self._parts(line)) for line in self.combinations if line.player == player)

    def _parts(self, line: Combination) -> list[Part]:
        if not line.word:
            return [Part("given up for 0" if line.filled else "not used" if self.ended else "still open", 0)]
        points, (meets, purple) = self.points(line), self.word_rules.best_laying(line.name, line.word)
        parts = list(word_parts(line.word, purple, self.rules["scoring"]))
        if line.word.rejected:
            return parts
        if not meets:
            return [Part(f"{line.word.quoted} does not fit this line", points)]
        if line.rethrown > 0:
            dice = f"{line.rethrown} dice" if line.rethrown > 1 else "1 die"
            parts.append(Part(f"{dice} thrown again", -int(self.numbers["penalty"]) * line.rethrown))
        raised = points - sum(part.points for part in parts)
        return [*parts, Part(f"a line never scores less than {self.numbers['least']}", raised)] if raised else parts

    def sums(self) -> Iterator[WrittenSum]:
        yield from super().sums()
        for line in self.combinations:
            field, right, points = f"{line.id}.claimed", f"scores {{}} for “{line.label}”", self.points(line)
            yield self.sum_of(field, line.player, points, "claimed-line", right=right, shown=line.filled)

    @property
    def outcome(self) -> Outcome:
        if still_open := [line for line in self.combinations if not (line.filled or self.ended)]:
            first, more = still_open[0], f" (and {len(still_open) - 1} more)" if len(still_open) > 1 else ""
            return (), f"The game is not over: {self.name(first.player)}’s line “{first.label}” is open{more}."
        best = max(self.totals.values(), default=0)
        winners = tuple(player for player, total in self.totals.items() if total == best)
        return winners, "" if winners else "The game is not over: nobody has played yet."

    def violations(self) -> Iterator[Violation]:
        yield from super().violations()
        for line in self.combinations:
            word, most = line.word, self.numbers["rethrow"]
            if word and word.tiles and not word.rejected and not self.word_rules.best_laying(line.name, word)[0]:
                reason = _REASONS[line.name].format(**self.numbers)
                yield rules["line-met"](line.id, f"{word.tiles} {reason}, so it scores 0 in the line “{line.label}”")
            if not 0 <= line.rethrown <= most:
                yield rules["rethrown"](
                    f"{line.id}.rethrown",
                    f"{line.rethrown} dice thrown again for “{line.label}”, but 0 to {most} are allowed",
                )
