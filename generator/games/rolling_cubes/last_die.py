"""Game 3, the last die: reading its rounds, playing a round letter by letter, and the sheet.

On paper, a round is a train of letters, a wildcard as the letter named, with a ring around its winner. A second sheet
says who added each letter, which were wildcards, and how the round ended. All of these are the same round:

    {train: SS, who: A B, letters: . =}
    letters: [{player: Ann, letter: S}, {player: Ben, letter: =, as: S}]
    {who: [Ann, Ben], letters: [S, =], as: [., S]}
    {who: A B, letters: S =, as: S}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain

from msgspec import Struct
from msgspec.structs import replace

from ... import nodes
from ...errors import Problem
from ...nodes import Listing, Node, Scalar
from ...rules.results import Line, Part, Violation
from ...sheets import FilledSheet
from ...sheets.marks import DASHES, is_no_word
from ...spelling import bare
from ..base import WrittenSum
from ..turns import counted
from .play import EQUAL, UNEQUAL, WILDCARDS, Dice, letter_tiles, read_tiles
from .sheet import CubesSheet, Outcome, rules, word_list
from .word_lists import ALPHABET, WordList

# What a wildcard stands for if the sheet does not say.
UNKNOWN = "?"


class Settings(Struct, frozen=True):
    """The dice, numbers and words for a round. `words` decides what is complete; a doubt may be answered with one of
    `words` or `answers`. None accepts any word, so that nothing is complete."""

    dice: Dice
    complete: int
    wildcards_from: int
    words: WordList | None
    answers: WordList | None

    def is_complete(self, letters: str) -> bool:
        return self.words is not None and len(letters) >= self.complete and letters.lower() in self.words

    def answer(self, letters: str) -> str:
        """A word that begins with these letters; empty if there is none."""
        lists = filter(None, (self.words, self.answers))
        return next(chain.from_iterable(words.beginning(letters.lower(), self.complete) for words in lists), "")


class Letter(Struct, frozen=True):
    """A letter that a player added: the tile, and the letter it stands for (`?` if unknown). If the sheet does not say
    which tile it was, `tile` is all those that it may have been, the letter first."""

    seat: int
    tile: str
    stands: str


class RoundState(Struct, frozen=True):
    """A round so far. `first` is the seat that started; seats count from 0. `winner` is a seat, or None before the
    end of the round."""

    players: int
    first: int
    letters: tuple[Letter, ...] = ()
    winner: int | None = None

    @property
    def seat(self) -> int:
        """The seat whose turn it is: the one after the player who added the last letter."""
        return (self.letters[-1].seat + 1) % self.players if self.letters else self.first

    @property
    def tiles(self) -> str:
        return "".join(letter.tile[0] for letter in self.letters)

    @property
    def spelling(self) -> str:
        return "".join(letter.stands for letter in self.letters)


def letter_violations(state: RoundState, letter: Letter, settings: Settings, where: str = "") -> Iterator[Violation]:
    """The rules that a letter breaks; `where` is its place on the sheet."""
    yield from _wildcard_violations(state, letter, settings, where)
    if not settings.dice.can_lay([added.tile for added in (*state.letters, letter)]):
        yield rules["last-die/tiles-possible"](
            where, f"none of the remaining dice can show {letter.tile[0]} after {' '.join(state.tiles)}"
        )
    spelling = state.spelling + letter.stands
    if settings.is_complete(spelling):
        yield rules["complete"](where, f"{letter.stands} completes the word “{spelling.lower()}”")


def _wildcard_violations(state: RoundState, letter: Letter, settings: Settings, where: str) -> Iterator[Violation]:
    tile, stands, number, first = letter.tile, letter.stands, len(state.letters) + 1, settings.wildcards_from
    if tile not in WILDCARDS:
        if stands != tile[0]:
            yield rules["wildcard-said"](where, f"the tile shows {tile} and cannot stand for {stands}")
        return
    if stands == UNKNOWN:
        yield rules["wildcard-said"](where, f"the sheet does not say what {tile} stands for")
    if number < first:
        yield rules["wildcard-from"](
            where, f"letter {number} is a wildcard, but wildcards are allowed from letter {first} on"
        )
    elif tile == EQUAL and stands not in (*letter_tiles(state.tiles), UNKNOWN):
        yield rules["last-die/equal-copies"](where, f"= stands for {stands}, but no earlier letter die shows {stands}")
    elif tile == UNEQUAL and stands != UNKNOWN and stands in state.spelling:
        yield rules["last-die/unequal-differs"](
            where, f"≠ stands for {stands}, but {state.spelling} already has {stands}"
        )


def after_letter(state: RoundState, letter: Letter, settings: Settings) -> RoundState:
    """The round after a letter. If it completes a word, the player who added the letter before wins the round."""
    is_won = state.winner is None and state.letters and settings.is_complete(state.spelling + letter.stands)
    winner = state.letters[-1].seat if is_won else state.winner
    return replace(state, letters=(*state.letters, letter), winner=winner)


def answer_problem(state: RoundState, answer: str, settings: Settings) -> str:
    """Why an answer to a doubt does not count, for a message; empty if it does."""
    spelling = state.spelling.lower()
    if UNKNOWN not in spelling and not answer.startswith(spelling):
        return f"“{answer}” does not begin with {state.spelling}"
    lists = [words for words in (settings.words, settings.answers) if words is not None]
    if len(answer) < settings.complete or not (len(lists) < 2 or any(answer in words for words in lists)):
        return f"“{answer}” is not in the word list"
    return ""


def legal_letters(state: RoundState, faces: Iterable[str], settings: Settings) -> list[Letter]:
    """Every letter that the player whose turn it is may add with these faces."""
    letters = [
        Letter(state.seat, tile, stands)
        for tile in dict.fromkeys(faces)
        for stands in (ALPHABET if tile in WILDCARDS else tile)
    ]
    return [letter for letter in letters if not any(letter_violations(state, letter, settings))]


class Turn(Struct, frozen=True):
    """A letter as it stands on the sheet: its place, the seat of the player who added it (None if the sheet does not
    say), the tile (as in `Letter`), what it stands for, and what is `named` in the train."""

    where: str
    seat: int | None
    tile: str
    stands: str
    named: str


class LetterRound(Struct, frozen=True):
    """A replayed round of the sheet. `winner` is the number of a player, or None if the round is not over; `end` says
    how it ended, if the sheet does, and `letters` what was spelled. `after_end` says whether the game was won before
    it."""

    id: str
    violations: Sequence[Violation]
    winner: int | None
    end: str
    letters: str
    after_end: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"


class LastDie(CubesSheet):
    """A sheet of game 3. `target` is the number of rounds that wins the game."""

    unit = "round"

    def __init__(self, sheet: FilledSheet) -> None:
        super().__init__(sheet)
        self.target, numbers = self.target_of("last-die"), self.rules["last_die"]
        names = "proper-nouns" in numbers["allow"]
        words = word_list(sheet, self.language, numbers["words"], names)
        answers = word_list(sheet, self.language, names=names)
        self.settings = Settings(self.dice, numbers["complete"], numbers["wildcards_from"], words, answers=answers)
        self.rounds: list[LetterRound] = []
        entries = sheet.entries.get("rounds", ())
        for entry in entries:
            self.rounds.append(self._round(entry, entry == entries[-1]))

    @property
    def winners(self) -> tuple[int, ...]:
        """The players who have won the game after the rounds so far."""
        won = [played.winner for played in self.rounds if not played.after_end]
        return tuple(player for player in self.players if won.count(player) >= self.target)

    def score_lines(self, player: int) -> Iterator[Line]:
        for played in self.rounds:
            if played.winner is not None and not played.after_end:
                won = f"won by {self.name(played.winner)}"
                part = Part(f"{played.end}: {won}" if played.end else won, int(played.winner == player))
                yield Line(played.label, part.points, (part,))

    def sums(self) -> Iterator[WrittenSum]:
        """The totals, and the winners to ring."""
        yield from super().sums()
        for played in self.rounds:
            if (player := played.winner) is not None:
                yield self.sum_of(f"{played.id}.winner", player, points=player, rule="winner", right="")

    @property
    def outcome(self) -> Outcome:
        remark = f"The game is not over: nobody has won {self.target} rounds yet."
        return self.winners, "" if self.winners else remark

    def violations(self) -> Iterator[Violation]:
        if extra := next((played for played in self.rounds if played.after_end), None):
            yield rules["after-the-end"](extra.id, f"the game was won before {extra.label}")
        for played in self.rounds:
            yield from played.violations
        crossed = {player: self.sheet.ticks(f"cubes.{player}.crossed") for player in self.players}
        for player, cubes in crossed.items() if any(crossed.values()) else ():
            if (won := self.totals[player]) not in (len(cubes), max(cubes, default=0)):  # perhaps only the last one
                count = f"{self.name(player)} has crossed out {counted(len(cubes), 'cube')}"
                yield rules["cubes"](f"cubes.{player}.crossed", f"{count}, but has won {counted(won, 'round')}")
        yield from self.language_violations(self.settings.words)

    def _round(self, entry: str, last: bool) -> LetterRound:
        """Replays a round. The player who added the last letter wins it if another is stuck, or after a doubt with a
        good answer; with another answer, the player who doubted wins. If the sheet does not say who added the letters,
        the player who is ringed wins."""
        turns, text, ringed = self._turns(entry), self.sheet.text, self._seat(f"{entry}.winner")
        stuck, doubter = text(f"{entry}.stuck"), text(f"{entry}.doubt.by")
        on_paper = ringed is not None or bool(text(f"{entry}.train"))
        ending = self._seat(f"{entry}.stuck" if stuck else f"{entry}.doubt.by") if on_paper else None
        seats = enumerate((*(turn.seat for turn in turns), ending))
        first = next(((seat - n) % len(self.players) for n, seat in seats if seat is not None), None)
        state, violations = self._letters(turns, first or 0)
        violations += self._turn_violations(entry, turns, state)
        answer = self._answer(entry)
        problem = answer_problem(state, answer, self.settings) if answer else ""
        violations += self._ending_violations(entry, state, problem, is_open=last or ringed is not None)
        seat = None if on_paper and first is None else state.winner
        if seat is None and state.letters and (stuck or doubter):
            is_last = stuck or (answer and not problem)
            seat = state.letters[-1].seat if is_last else self._seat(f"{entry}.doubt.by")
        end = f"{stuck} is stuck" if stuck else f"{doubter} doubts" if doubter else "a word is complete"
        if seat is None:
            seat, end = ringed, ""
        winner = None if seat is None else self.players[seat]
        if winner and ringed not in (None, seat):
            message = f"{text(f'{entry}.winner')} is ringed, but {end}, so {self.name(winner)} wins the round"
            violations.append(rules["winner"](f"{entry}.winner", message))
        return LetterRound(entry, violations, winner, end, letters=state.spelling, after_end=bool(self.winners))

    def _answer(self, entry: str) -> str:
        """The answer to the doubt; empty if there was none."""
        answer = self.sheet.text(f"{entry}.doubt.answer").lower()
        return "" if is_no_word(answer) else answer

    def _ending_violations(self, entry: str, state: RoundState, problem: str, is_open: bool) -> Iterator[Violation]:
        """The rules that the end of a round breaks. `problem` is that of the answer to the doubt; a round that
        `is_open` need not say how it ended."""
        stuck, doubter = self.sheet.text(f"{entry}.stuck"), self.sheet.text(f"{entry}.doubt.by")
        answer = self._answer(entry)
        if not state.letters:
            yield rules["round-ended"](entry, "the round has no letters")
            return
        if stuck and (doubter or answer):
            message = "the round has two endings: a player is stuck, and another doubts"
            yield rules["round-ended"](f"{entry}.stuck", message)
        elif answer and not doubter:
            message = f"the sheet has the answer “{answer}”, but nobody doubts"
            yield rules["round-ended"](f"{entry}.doubt.answer", message)
        elif not (stuck or doubter or is_open) and state.winner is None:
            yield rules["round-ended"](entry, "the round has no ending, but another round follows")
        if problem:
            yield rules["answer"](f"{entry}.doubt.answer", problem)

    def _turns(self, entry: str) -> list[Turn]:
        """The letters of a round, from the train and from the second sheet."""
        logged, text = self.sheet.entries.get(f"{entry}.letters", ()), self.sheet.text
        train, places = read_tiles(text(f"{entry}.train")) or "", logged
        if train:
            last = max((int(where.rpartition(".")[2]) for where in logged), default=0)
            places = tuple(f"{entry}.letters.{number}" for number in range(1, max(len(train), last) + 1))
        turns = []
        for number, where in enumerate(places):
            tile, named = read_tiles(text(f"{where}.letter")) or "", train[number : number + 1]
            stands = text(f"{where}.as").strip().upper() or (tile if tile not in WILDCARDS else named)
            stands = stands if stands and stands not in WILDCARDS else UNKNOWN
            may_be = EQUAL if named in train[:number] else UNEQUAL
            is_open = not tile and number + 1 >= self.settings.wildcards_from and named not in WILDCARDS
            here = where if where in logged else f"{entry}.train"
            player = self._seat(f"{where}.player")
            turns.append(Turn(here, player, (tile or named) + may_be * is_open, stands, named if train else stands))
        return turns

    def _letters(self, turns: Sequence[Turn], first: int) -> tuple[RoundState, list[Violation]]:
        """The round after its letters, and the rules that they break. Of the letters without a die, only the first is
        reported."""
        state, violations = RoundState(max(len(self.players), 1), first), dict[object, Violation]()
        for number, turn in enumerate(turns, 1):
            where = turn.where
            if not turn.tile:
                violations[where] = rules["letter-written"](where, "this turn has no letter")
                continue
            if turn.named not in (turn.stands, *WILDCARDS):
                written = f"the train has {turn.named or 'no letter'} for letter {number}"
                message = f"{written}, but the second sheet has {turn.stands}"
                violations.setdefault("train", rules["train"](where, message))
            letter = Letter(state.seat if turn.seat is None else turn.seat, turn.tile, turn.stands)
            for violation in letter_violations(state, letter, self.settings, where) if state.winner is None else ():
                is_short_of_dice = violation.rule is rules["last-die/tiles-possible"]
                violations.setdefault("dice" if is_short_of_dice else (where, violation.rule.id), violation)
            state = after_letter(state, letter, self.settings)
        return state, [*violations.values()]

    def _seat(self, name: str) -> int | None:
        """The seat of the player named in a field, from 0; None if it is blank."""
        typed_name = self.sheet.text(name)
        return next((seat for seat, player in enumerate(self.players) if self.name(player) == typed_name), None)

    def _turn_violations(self, entry: str, letters: Sequence[Turn], state: RoundState) -> Iterator[Violation]:
        """The first turn that the wrong player takes: to add a letter, or to end the round."""
        turns = [
            (f"{letter.where}.player", (state.first + number) % state.players, "adds a letter")
            for number, letter in enumerate(letters)
        ]
        if state.letters:
            turns += [(f"{entry}.stuck", state.seat, "is stuck"), (f"{entry}.doubt.by", state.seat, "doubts")]
        for where, expected, does in turns:
            seat = self._seat(where)
            if seat is not None and seat != expected:
                name, other = self.name(self.players[seat]), self.name(self.players[expected])
                yield rules["turn-order"](where, f"{name} {does}, but it is {other}’s turn")
                return


_TRAIN = frozenset(("train", "wagons"))
# The field of each row, by its key.
_ROWS: Mapping[str, str] = {"who": "player", "player": "player", "letter": "letter", "letters": "letter", "as": "as"}


def by_letters(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every round as a list of letters with their keys, and the cubes of each player under theirs;
    adds what cannot be converted to `problems`."""
    pairs = [(key, _rounds(value, problems) if bare(key).startswith("round") else value) for key, value in node.pairs]
    return nodes.Mapping([_cubes(key, value) for key, value in pairs], node.place, node.weight)


def _cubes(key: Scalar, value: Node) -> tuple[Scalar, Node]:
    """The cubes that a player has crossed out with their key, if they are typed under the player: `cubes: {Ann: 2}`."""
    if isinstance(value, nodes.Mapping) or not re.fullmatch(r"cubes\.[^.]+", key):
        return key, value
    is_last = isinstance(value, Scalar) and value.isdecimal()
    return Scalar(f"{key}.crossed", key.place), Listing([value], value.place) if is_last else value


def _rounds(node: Node, problems: list[Problem]) -> Node:
    """One round, or several by number or in a list."""
    if isinstance(node, Listing):
        return Listing([_rounds(entry, problems) for entry in node.entries], node.place, node.weight)
    if not isinstance(node, nodes.Mapping):
        return node
    rows = {_ROWS[bare(key)]: (key, value) for key, value in node.pairs if bare(key) in _ROWS}
    if not rows:
        return nodes.Mapping([(key, _rounds(value, problems)) for key, value in node.pairs], node.place, node.weight)
    has_train = any(bare(key) in _TRAIN for key in node)
    if has_train and {*rows} & {"player", "as"}:
        rows.setdefault("letter", (Scalar("letters", node.place), Scalar("", node.place)))
    key, letters = rows.get("letter", (None, None))
    if key is None or isinstance(letters, nodes.Mapping) or (len(rows) == 1 and isinstance(letters, Listing)):
        return node
    others = [(other, value) for other, value in node.pairs if bare(other) not in _ROWS]
    return nodes.Mapping(
        [(Scalar("letters", key.place), _letters(rows, has_train, problems)), *others], node.place, node.weight
    )


def _letters(rows: Mapping[str, tuple[Scalar, Node]], has_train: bool, problems: list[Problem]) -> Listing:
    """The letters of a round from its rows. The row of what wildcards stand for may have entries only for them. The
    letters of a round that `has_train` need not be repeated."""
    _, tiles = rows["letter"]
    written = _marks(tiles, joined=True)
    if has_train:
        longest = max(len(_marks(row, joined=field != "player")) for field, (_, row) in rows.items())
        written += [Scalar(".", tiles.place)] * (longest - len(written))
    letters = [{"letter": tile} for tile in written]
    wildcards = [letter for letter in letters if read_tiles(letter["letter"]) in (*WILDCARDS,)]
    for field in [field for field in ("player", "as") if field in rows]:
        key, row = rows[field]
        marks = _marks(row, joined=field == "as")
        if len(marks) > len(letters):
            message = f"this round has {counted(len(letters), 'letter')}, but “{key}” has {len(marks)} entries"
            problems.append(Problem(message, key.place, "write one entry for each letter, and a dot for a blank"))
        only_wildcards = field == "as" and len(marks) == len(wildcards)
        for letter, mark in zip(wildcards if only_wildcards else letters, marks, strict=False):
            letter[field] = Scalar(".", mark.place) if mark in DASHES else mark
    entries = [
        nodes.Mapping([(Scalar(field, tiles.place), mark) for field, mark in letter.items()], tiles.place)
        for letter in letters
    ]
    return Listing(entries, tiles.place)


def _marks(row: Node, joined: bool) -> list[Scalar]:
    """The marks of a row: a list, or a text with spaces or commas between them. Letters may be `joined` without."""
    if isinstance(row, Listing):
        return [mark if isinstance(mark, Scalar) else Scalar("?", mark.place) for mark in row.entries]
    words = (row.replace(",", " ").split() or [""]) if isinstance(row, Scalar) else ["?"]
    return [Scalar(mark, row.place) for mark in (words[0] if joined and len(words) == 1 else words)]
