"""Game 3, the last die: its rounds as they stand on the sheet, replayed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ...rules.kept import kept
from ...rules.results import Line
from . import lists, tiles
from .play import UNKNOWN, Letter, Settings, State, added, doubted, stuck, wrong_answer, wrongs
from .played import Outcome, Played


@dataclass(frozen=True, slots=True)
class Fault:
    """Something in a round against a rule: the rule's name, one sentence, and where it is."""

    rule: str
    message: str
    where: str


@dataclass(frozen=True, slots=True)
class Round:
    """A round, played through. `winner` is a player's number, or None for a round that is not over; `late` is one after
    somebody has won the game."""

    id: str
    faults: tuple[Fault, ...]
    winner: int | None
    late: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"


class LastDie(Played):
    """A sheet of game 3."""

    words = ()

    def target(self) -> int:
        """The first to win three rounds wins, with two players the first to win five; in a tournament two are enough
        for any number of players."""
        targets = self.rules["tournament"]["targets"] if self.sheet.ticked("tournament") else self.rules["targets"]
        return int(targets["last-die-for-two" if len(self.players) == 2 else "last-die"])

    @kept
    def settings(self) -> Settings:
        asks = self.rules["last_die"]
        names = "proper-nouns" in asks["allow"]
        return Settings(self.dice, asks["complete"], asks["wildcards_from"],
                        lists.words(self.sheet, asks["words"], names), lists.words(self.sheet, proper_nouns=names))

    @kept
    def rounds(self) -> tuple[Round, ...]:
        rounds: list[Round] = []
        entries = self.sheet.entries.get("rounds", ())
        for entry in entries:
            rounds.append(self._round(entry, any(self.won(player, rounds) >= self.target() for player in self.players),
                                      entry == entries[-1]))
        return tuple(rounds)

    def won(self, player: int, rounds: Sequence[Round]) -> int:
        """A round counts 1 point: for whoever added the last letter that may be added, when the next player is stuck or
        the letter completes a word; after a doubt for whoever added the last letter and names a word that begins so,
        else for the player who doubted."""
        return sum(each.winner == player and not each.late for each in rounds)

    @property
    def late_rounds(self) -> list[Round]:
        """The rounds after somebody has won the game."""
        return [each for each in self.rounds if each.late]

    def lines_of(self, player: int) -> Iterator[Line]:
        for each in self.rounds:
            if each.winner is not None and not each.late:
                yield Line(each.label, int(each.winner == player))

    @property
    def outcome(self) -> Outcome:
        winners = tuple(player for player in self.players if self.won(player, self.rounds) >= self.target())
        return Outcome(winners, "" if winners else f"The game is not over: nobody has won {self.target()} rounds yet.")

    def seat(self, name: str) -> int | None:
        """The seat of the player whose name stands there, from 0; None where it is blank."""
        wanted = self.sheet.text(name)
        return next((seat for seat, player in enumerate(self.players) if self.name(player) == wanted), None)

    # ---- one round -------------------------------------------------------------------------------------------------

    def _round(self, entry: str, late: bool, last: bool) -> Round:
        faults: list[Fault] = []
        state = self._letters(entry, faults)
        faults += self._turns(entry, state)
        if state.letters:
            faults += self._ending(entry, state, last)
            state = self._ended(entry, state)
        else:
            faults.append(Fault("round-ended", "the round has no letter", entry))
        return Round(entry, tuple(faults), None if state.winner is None else self.players[state.winner], late)

    def _letters(self, entry: str, faults: list[Fault]) -> State:
        listed = self.sheet.entries.get(f"{entry}.letters", ())
        state = State(max(len(self.players), 1), self._first(listed))
        for where in listed:
            letter = self._letter(where, state)
            if letter is None:
                faults.append(Fault("letter-written", "a player is written without a letter", where))
                continue
            if state.winner is None:
                told = {fault.rule for fault in faults} & {"tiles-possible"}    # once short of dice, always short
                faults += [Fault(rule, message, where) for rule, message in wrongs(state, letter, self.settings)
                           if rule not in told]
            state = added(state, letter, self.settings)
        return state

    def _first(self, listed: tuple[str, ...]) -> int:
        """The seat that began: that of the first letter, or what follows from the first one with a name."""
        named = ((number, seat) for number, where in enumerate(listed) if (seat := self._who(where)) is not None)
        return next(((seat - number) % len(self.players) for number, seat in named), 0)

    def _who(self, where: str) -> int | None:
        return self.seat(f"{where}.player")

    def _letter(self, where: str, state: State) -> Letter | None:
        tile = tiles.tiles(self.sheet.text(f"{where}.letter")) or ""
        said = self.sheet.text(f"{where}.as").strip().upper()
        seat = self._who(where)
        stands = said or (UNKNOWN if tile in tiles.WILDCARDS else tile)
        return Letter(state.seat if seat is None else seat, tile, stands) if tile else None

    def _turns(self, entry: str, state: State) -> Iterator[Fault]:
        """The first turn that is taken by the wrong player: of a letter, or of what ends the round."""
        listed = self.sheet.entries.get(f"{entry}.letters", ())
        taken = [(f"{where}.player", self._who(where)) for where in listed]
        for number, (where, seat) in enumerate(taken):
            expected = (state.first + number) % state.players
            if seat is not None and seat != expected:
                yield Fault("turn-order", self._not_their_turn(seat, expected, "adds a letter"), where)
                return
        for name, does in (("stuck", "is stuck"), ("doubt.by", "doubts")):
            seat = self.seat(f"{entry}.{name}")
            if state.letters and seat is not None and seat != state.seat:
                yield Fault("turn-order", self._not_their_turn(seat, state.seat, does), f"{entry}.{name}")
                return

    def _not_their_turn(self, seat: int, expected: int, does: str) -> str:
        return f"{self.name(self.players[seat])} {does}, but it is {self.name(self.players[expected])}'s turn"

    def _ending(self, entry: str, state: State, last: bool) -> Iterator[Fault]:
        is_stuck, by, answer = (self.sheet.text(f"{entry}.{name}") for name in ("stuck", "doubt.by", "doubt.answer"))
        if is_stuck and (by or answer):
            yield Fault("round-ended", "the round ends twice, with a player stuck and a doubt", f"{entry}.stuck")
        elif answer and not by:
            yield Fault("round-ended", f"“{answer}” is named, but nobody doubts", f"{entry}.doubt.answer")
        elif not is_stuck and not by and not last and state.winner is None:
            yield Fault("round-ended", "nobody is stuck and nobody doubts, but another round follows", entry)
        if answer and (wrong := wrong_answer(state, answer.lower(), self.settings)):
            yield Fault("answer", wrong, f"{entry}.doubt.answer")

    def _ended(self, entry: str, state: State) -> State:
        doubter = self.seat(f"{entry}.doubt.by")
        if self.sheet.text(f"{entry}.stuck"):
            return stuck(state)
        if doubter is not None:
            return doubted(state, doubter, self.sheet.text(f"{entry}.doubt.answer").lower(), self.settings)
        return state
