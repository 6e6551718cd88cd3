"""Sheets of game 3, the last die: its rounds, replayed letter by letter."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from ...rules.book import Violation
from ...rules.results import Line, Part
from . import play
from .play import UNKNOWN, Letter, Settings, State
from .rules import AFTER_THE_END, ANSWER, DIE_LEFT, LETTER_WRITTEN, ROUND_ENDED, TURN_ORDER
from .sheet import CubesSheet, Outcome, word_list
from .tiles import WILDCARDS, read_tiles


@dataclass(frozen=True, slots=True)
class Round:
    """A round, played through. `winner` is a player's number, or None for a round that is not over; `late` is one after
    somebody has won the game."""

    id: str
    violations: tuple[Violation, ...]
    winner: int | None
    late: bool

    @property
    def label(self) -> str:
        return f"round {self.id.rpartition('.')[2]}"


class LastDie(CubesSheet):
    """A sheet of game 3."""

    @cached_property
    def target(self) -> int:
        """How many rounds win the game."""
        targets = self.rules["tournament"]["targets"] if self.sheet.ticked("tournament") else self.rules["targets"]
        return int(targets["last-die-for-two" if len(self.players) == 2 else "last-die"])

    @cached_property
    def settings(self) -> Settings:
        rules = self.rules["last_die"]
        names = "proper-nouns" in rules["allow"]
        return Settings(self.dice, rules["complete"], rules["wildcards_from"],
                        word_list(self.sheet, rules["words"], names), word_list(self.sheet, proper_nouns=names))

    @cached_property
    def rounds(self) -> tuple[Round, ...]:
        rounds: list[Round] = []
        entries = self.sheet.entries.get("rounds", ())
        for entry in entries:
            rounds.append(self._round(entry, bool(self._winners(rounds)), entry == entries[-1]))
        return tuple(rounds)

    def _winners(self, rounds: Sequence[Round]) -> tuple[int, ...]:
        """The players who have won the game after these rounds."""
        return tuple(player for player in self.players if self.target <= sum(
            each.winner == player and not each.late for each in rounds))

    # ---- the score ---------------------------------------------------------------------------------------------------

    @property
    def _counted(self) -> Iterator[tuple[Round, int]]:
        """The rounds that bring somebody a point, and who that is."""
        return ((each, each.winner) for each in self.rounds if each.winner is not None and not each.late)

    def score_lines(self, player: int) -> Iterator[Line]:
        return (Line(each.label, int(winner == player)) for each, winner in self._counted)

    def line_parts(self, player: int) -> Iterator[list[Part]]:
        for each, winner in self._counted:
            stuck, doubter = (self.sheet.text(f"{each.id}.{name}") for name in ("stuck", "doubt.by"))
            end = f"{stuck} is stuck, so it goes" if stuck else f"{doubter} doubts, and it goes" if doubter else \
                "a word is complete, so it goes"
            yield [Part(f"{end} to {self.name(winner)}", int(winner == player))]

    @property
    def outcome(self) -> Outcome:
        winners = self._winners(self.rounds)
        return Outcome(winners, "" if winners else f"The game is not over: nobody has won {self.target} rounds yet.")

    # ---- the rules ---------------------------------------------------------------------------------------------------

    def violations(self) -> Iterator[Violation]:
        late = next((each for each in self.rounds if each.late), None)
        if late:
            yield AFTER_THE_END(late.id, f"the game is won before {late.label}")
        for each in self.rounds:
            yield from each.violations

    def _round(self, entry: str, late: bool, last: bool) -> Round:
        violations: list[Violation] = []
        state = self._letters(entry, violations)
        violations += self._turn_violations(entry, state)
        if state.letters:
            violations += self._ending_violations(entry, state, last)
            state = self._ended(entry, state)
        else:
            violations.append(ROUND_ENDED(entry, "the round has no letter"))
        return Round(entry, tuple(violations), None if state.winner is None else self.players[state.winner], late)

    def _letters(self, entry: str, violations: list[Violation]) -> State:
        """The round after its letters; what is wrong with them goes to the violations."""
        places = self.sheet.entries.get(f"{entry}.letters", ())
        state = State(max(len(self.players), 1), self._first_seat(places))
        short_of_dice = False                               # once short of dice, always short
        for where in places:
            letter = self._letter(where, state)
            if letter is None:
                violations.append(LETTER_WRITTEN(where, "a player is written without a letter"))
                continue
            if state.winner is None:
                wrong = list(play.letter_violations(state, letter, self.settings, where))
                violations += [one for one in wrong if not (short_of_dice and one.rule is DIE_LEFT)]
                short_of_dice = short_of_dice or any(one.rule is DIE_LEFT for one in wrong)
            state = play.added(state, letter, self.settings)
        return state

    def _first_seat(self, places: Sequence[str]) -> int:
        """The seat that began: that of the first letter, or what follows from the first one with a name."""
        for number, where in enumerate(places):
            seat = self._seat(f"{where}.player")
            if seat is not None:
                return (seat - number) % len(self.players)
        return 0

    def _seat(self, name: str) -> int | None:
        """The seat of the player whose name stands there, from 0; None where it is blank."""
        wanted = self.sheet.text(name)
        return next((seat for seat, player in enumerate(self.players) if self.name(player) == wanted), None)

    def _letter(self, where: str, state: State) -> Letter | None:
        tile = read_tiles(self.sheet.text(f"{where}.letter")) or ""
        stands = self.sheet.text(f"{where}.as").strip().upper() or (UNKNOWN if tile in WILDCARDS else tile)
        seat = self._seat(f"{where}.player")
        return Letter(state.seat if seat is None else seat, tile, stands) if tile else None

    def _turn_violations(self, entry: str, state: State) -> Iterator[Violation]:
        """The first turn that is taken by the wrong player: of a letter, or of what ends the round."""
        turns = [(f"{where}.player", (state.first + number) % state.players, "adds a letter")
                 for number, where in enumerate(self.sheet.entries.get(f"{entry}.letters", ()))]
        if state.letters:
            turns += [(f"{entry}.stuck", state.seat, "is stuck"), (f"{entry}.doubt.by", state.seat, "doubts")]
        for where, expected, does in turns:
            seat = self._seat(where)
            if seat is not None and seat != expected:
                yield TURN_ORDER(where, f"{self.name(self.players[seat])} {does}, but it is "
                                        f"{self.name(self.players[expected])}'s turn")
                return

    def _ending_violations(self, entry: str, state: State, last: bool) -> Iterator[Violation]:
        stuck, doubter, answer = (self.sheet.text(f"{entry}.{name}") for name in ("stuck", "doubt.by", "doubt.answer"))
        if stuck and (doubter or answer):
            yield ROUND_ENDED(f"{entry}.stuck", "the round ends twice, with a player stuck and a doubt")
        elif answer and not doubter:
            yield ROUND_ENDED(f"{entry}.doubt.answer", f"“{answer}” is named, but nobody doubts")
        elif not stuck and not doubter and not last and state.winner is None:
            yield ROUND_ENDED(entry, "nobody is stuck and nobody doubts, but another round follows")
        if answer and (wrong := play.wrong_answer(state, answer.lower(), self.settings)):
            yield ANSWER(f"{entry}.doubt.answer", wrong)

    def _ended(self, entry: str, state: State) -> State:
        doubter = self._seat(f"{entry}.doubt.by")
        if self.sheet.text(f"{entry}.stuck"):
            return play.stuck(state)
        if doubter is not None:
            return play.doubted(state, doubter, self.sheet.text(f"{entry}.doubt.answer").lower(), self.settings)
        return state
