"""Upwards! at the table: the dice for everybody, what a move is worth now, and every player's sheet at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise

from ...codes import parse
from ...codes.chance import Chance
from ...definitions.models import Game
from ..deck import Deck
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import blocks, play, rows, score
from . import recipe as recipes
from . import sheet as sheets
from .deal import strip
from .numbers import OPTIONS, Option, numbers
from .paper import Notes, paper, played_rows
from .play import METEORITE, Move, State
from .snake import Box
from .strips import Round

WITH_EVENT_DIE = "+event-die"
FULL, SCORES, DECIDES, REACHED = "full", "scores", "decides", "reached"


class Rising(SimulatedGame[Move]):
    """One game. Everybody enters the same dice on a sheet of their own, one player after the other. With a throw strip
    they are the strip's, or those of the player's own strip; a game that outlasts it is broken off."""

    __slots__ = ("_gains", "notes", "rounds", "seats", "states")

    def __init__(self, seats: Upwards, chance: Chance, keep: bool) -> None:
        super().__init__(chance)
        self.seats = seats
        self.states = [play.start(seats.known)] * seats.players
        self.rounds = 0
        self.notes: list[Notes] | None = [[] for _ in self.states] if keep else None
        self._gains: dict[tuple[int, int], int] = {}

    def choices(self) -> Sequence[Move]:
        self._gains.clear()
        if self.rounds and not self.states[self.seat].thrown:
            self.seat = (self.seat + 1) % len(self.states)
        if not self.seat and not self.states[0].thrown:
            if any(map(play.is_over, self.states)) or self.rounds == self.seats.rounds:
                return ()
            self._throw()
        state = self.states[self.seat]
        return _used(play.effects(state)) if state.due else play.choices(state)

    def _throw(self) -> None:
        thrown = self._thrown()
        self.states = [play.throw(state, one.dice, one.event) for state, one in zip(self.states, thrown, strict=True)]
        self.rounds += 1
        for notes, one in zip(self.notes or (), thrown, strict=False):
            notes.append((one.dice, one.event, []))

    def _thrown(self) -> Sequence[Round]:
        """What every player enters in the next round."""
        seats, chance = self.seats, self.chance
        if seats.strips:
            shown = [rounds[self.rounds] for rounds in seats.strips]
            return shown if seats.event_die else [one._replace(event="") for one in shown]
        dice = tuple(seats.known.die[chance.below(len(seats.known.die))] for _ in range(seats.known.dice))
        return [Round(dice, chance.choice(seats.faces) if seats.event_die else "")] * seats.players

    def do(self, move: Move) -> None:
        seat = self.seat
        state = self.states[seat]
        if self.notes is not None:
            self.notes[seat][-1][2].append((state, move))
        self.states[seat] = play.apply(state, move)

    # ---- what a move is worth ----------------------------------------------------------------------------------------

    def gain(self, move: Move) -> int:
        """The points a number adds where it is entered, or an arrow with the numbers in its row. What the reserve is
        good for later is not counted."""
        state = self.states[self.seat]
        if move.kind == "enter" and move.place < len(state.columns):
            result = play.total(state, move.plus, move.minus)
            if (move.place, result) not in self._gains:
                self._gains[move.place, result] = self._entering(state, move.place, result)
            return self._gains[move.place, result]
        if move.kind == "arrow":
            return self.seats.known.bonus_points * rows.different(_row(state, move.place))
        return 0

    def _entering(self, state: State, column: int, result: int) -> int:
        known, row = self.seats.known, len(state.columns[column])
        before = _row(state, row)
        after = [*before[:column], result, *before[column + 1:]]
        gain = known.step_points * _is_step(state, column, result) + self._by_option(state, (column, row), after)
        if state.arrows >> row & 1:
            gain += known.bonus_points * (rows.different(after) - rows.different(before))
        return gain

    def _by_option(self, state: State, box: Box, row: Sequence[int | None]) -> int:
        """What a number in `box` adds by the scoring option; `row` is its row with the number."""
        known, option = self.seats.known, self.seats.option
        if option == "rows":
            return known.row_points * rows.is_one_number(known, row)
        before = {(column, at): number for column, boxes in enumerate(state.columns) for at, number in enumerate(boxes)
                  if number == row[box[0]]}
        if not any((box[0] + x, box[1] + y) in before for x in (-1, 0, 1) for y in (-1, 0, 1)):
            return 0
        return self._alike({**before, box: row[box[0]] or 0}) - self._alike(before)

    def _alike(self, boxes: Mapping[Box, int]) -> int:
        """What boxes of one number are worth by themselves: their longest snake, or their best blocks."""
        known = self.seats.known
        if self.seats.option == "snake":
            return known.snake_points * len(sheets.longest_snake(known, boxes))
        return blocks.best(boxes, known.shapes).points

    def spoils(self, move: Move) -> bool:
        """Whether it breaks a column that was one sequence from its foot up, or puts a second number into a row that
        had only one (scoring option rows)."""
        state = self.states[self.seat]
        if move.place >= len(state.columns) or move.kind not in ("enter", "drop"):
            return False
        result = play.total(state, move.plus, move.minus) if move.kind == "enter" else METEORITE
        boxes = state.columns[move.place]
        whole = all(self.seats.known.after.get(below) == above for below, above in pairwise(boxes))
        if boxes and whole and not _is_step(state, move.place, result):
            return True
        standing = {mark for mark in _row(state, len(boxes)) if mark}
        return self.seats.option == "rows" and bool(result) and len(standing) == 1 and result not in standing

    # ---- the end -----------------------------------------------------------------------------------------------------

    def played(self) -> FinishedGame:
        lines = [paper(state, self.seats.option, self.seats.event_die).worth for state in self.states]
        totals = tuple(sum(line.values()) for line in lines)
        winners = score.leading(totals)
        return FinishedGame(self.rounds, totals, winners, tuple(self._fates(lines, totals, winners)),
                      any(map(play.is_over, self.states)))

    def _fates(self, lines: Sequence[Mapping[str, int]], totals: tuple[int, ...],
               winners: tuple[int, ...]) -> list[tuple[str, str]]:
        found = [*self._medals(totals), *((f"column {name}", FULL) for state in self.states
                 for name, boxes in zip(self.seats.known.columns, state.columns, strict=True)
                 if len(boxes) == self.seats.known.rows)]
        for seat, line in enumerate(lines):
            for name, points in line.items():
                found.append((name, ""))
                if points:
                    found.append((name, SCORES))
                    without = (*totals[:seat], totals[seat] - points, *totals[seat + 1:])
                    if seat in winners and score.leading(without) != winners:
                        found.append((name, DECIDES))
        return found

    def _medals(self, totals: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        for medal, points in self.seats.targets.items():
            yield medal, ""
            if max(totals) >= points:
                yield medal, REACHED

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        code = {"strip": self.seats.deck.code} if self.seats.deck.code else {}
        return [{"game": self.seats.game.key, **code, "player": name,
                 **paper(state, self.seats.option, self.seats.event_die).typed,
                 "log": [played_rows(state.numbers, one) for one in notes]}
                for name, state, notes in zip(names, self.states, self.notes or (), strict=True)]


def _used(effects: Sequence[Move]) -> Sequence[Move]:
    """The choices without leaving an effect unused, which is allowed, but nobody does."""
    return effects[:-1] if effects[-1:] == (play.SKIP,) else effects


def _row(state: State, row: int) -> list[int | None]:
    return [boxes[row] if row < len(boxes) else None for boxes in state.columns]


def _is_step(state: State, column: int, result: int) -> bool:
    boxes = state.columns[column]
    return bool(boxes) and state.numbers.after.get(boxes[-1]) == result


class Upwards(Simulation):
    """The dice or a throw strip, the scoring option, and whether the event die is thrown too. A solo challenge is
    played with its own option, by one player; its medals are pieces to be reached."""

    variants = tuple(option + more for more in ("", WITH_EVENT_DIE) for option in OPTIONS)
    fates: Mapping[str, str] = {FULL: "filled to the top", SCORES: "brings points",
                                DECIDES: "without its points others would have won"}

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        made = strip(game, parse(deck.code)) if deck.code else None
        self.strips = made.strips * (players // len(made.strips)) if made else ()
        self.rounds = len(self.strips[0]) if self.strips else None
        self.targets: Mapping[str, int] = made.targets if made else {}
        self.known = numbers(game)
        self.event_die = variant.endswith(WITH_EVENT_DIE)
        self.pieces = {**dict.fromkeys(self.targets, (REACHED,)),
                       **{f"column {name}": (FULL, SCORES, DECIDES) for name in self.known.columns},
                       **dict.fromkeys((self.option, *(["bonus"] if self.event_die else [])), (SCORES, DECIDES))}
        if self.targets:
            self.pieces = {name: tuple(fate for fate in fates if fate != DECIDES)
                           for name, fates in self.pieces.items()}
            self.fates = {REACHED: "the points for it were reached", FULL: self.fates[FULL],
                          SCORES: self.fates[SCORES]}
        self.faces: tuple[str, ...] = game.rules["event_die"]["faces"]

    @cached_property
    def option(self) -> Option:
        return next(option for option in OPTIONS if self.variant.startswith(option))

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """A challenge is for one scoring option, with the event die."""
        task = recipes.read(game, parse(deck.code).recipe).challenge if deck.code else None
        return (task.option + WITH_EVENT_DIE,) if task else cls.variants

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """One for a challenge, and as many as there are strips where everybody has one."""
        if not deck.code:
            return super().players_with(game, deck)
        recipe = recipes.read(game, parse(deck.code).recipe)
        if recipe.challenge:
            return (1,)
        return (recipe.strips,) if recipe.strips > 1 else super().players_with(game, deck)

    def begin(self, chance: Chance, keep: bool = False) -> Rising:
        return Rising(self, chance, keep)


SEATS = Upwards
