"""Simulates Upwards!: the dice for everyone, the value of a move, and every player's sheet at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from ...codes import parse
from ...codes.chance import Chance
from ...definitions.models import Game
from ...lazy import cached_property
from ..deck import Deck
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import blocks, play, rows, score
from .deal import Throw, recipe_of, strip
from .numbers import LIGHT, OPTIONS, Numbers, Option, numbers
from .play import METEORITE, Move, State
from .sheet import PlayerSheet, longest_snake
from .snake import Box

WITH_EVENT_DIE = "+event-die"
FULL, SCORES, DECIDES, REACHED = "full", "scores", "decides", "reached"


class UpwardsGame(SimulatedGame[Move]):
    """One game. One after another, all players enter the same dice on their own sheets. With a throw strip, the dice
    come from the strip, or from each player's own strip, and a game that outlasts it is abandoned."""

    __slots__ = ("_gains", "logs", "rounds", "simulation", "states")

    def __init__(self, simulation: UpwardsSimulation, chance: Chance, keep: bool) -> None:
        super().__init__(chance)
        self.simulation = simulation
        self.states = [play.start(simulation.numbers)] * simulation.players
        self.rounds = 0
        self.logs: list[list[LoggedRound]] | None = [[] for _ in self.states] if keep else None
        self._gains: dict[tuple[int, int], int] = {}

    def choices(self) -> Sequence[Move]:
        self._gains.clear()
        if self.rounds and not self.states[self.seat].thrown:
            self.seat = (self.seat + 1) % len(self.states)
        if not self.seat and not self.states[0].thrown:
            if any(map(play.is_over, self.states)) or self.rounds == self.simulation.rounds:
                return ()
            self._throw()
        state = self.states[self.seat]
        return _without_skip(play.effects(state)) if state.due else play.choices(state)

    def _throw(self) -> None:
        thrown = self._thrown()
        self.states = [play.throw(state, *throw) for state, throw in zip(self.states, thrown, strict=True)]
        self.rounds += 1
        for rounds, throw in zip(self.logs or (), thrown, strict=False):
            rounds.append(LoggedRound(throw, []))

    def _thrown(self) -> Sequence[Throw]:
        """The throw of every player in the next round."""
        simulation, chance = self.simulation, self.chance
        if simulation.strips:
            throws_printed = [throws[self.rounds] for throws in simulation.strips]
            return throws_printed if simulation.event_die else [throw._replace(event="") for throw in throws_printed]
        die = simulation.numbers.die
        dice = tuple(die[chance.below(len(die))] for _ in range(simulation.numbers.dice))
        return [Throw(dice, chance.choice(simulation.faces) if simulation.event_die else "")] * simulation.players

    def do(self, move: Move) -> None:
        seat = self.seat
        state = self.states[seat]
        if self.logs is not None:
            self.logs[seat][-1].moves.append((state, move))
        self.states[seat] = play.apply(state, move)

    # ---- the value of a move -----------------------------------------------------------------------------------------

    def gain(self, move: Move) -> int:
        """The points that a number adds where it is entered, or that an arrow adds for the numbers in its row. The
        future value of saved numbers does not count."""
        state = self.states[self.seat]
        if move.kind == "enter" and move.place < len(state.columns):
            result = play.total(state, move.plus, move.minus)
            if (move.place, result) not in self._gains:
                self._gains[move.place, result] = self._entering(state, move.place, result)
            return self._gains[move.place, result]
        if move.kind == "arrow":
            return self.simulation.numbers.bonus_points * rows.different(_row(state, move.place))
        return 0

    def _entering(self, state: State, column: int, result: int) -> int:
        numbers, row = self.simulation.numbers, len(state.columns[column])
        before = _row(state, row)
        after = [*before[:column], result, *before[column + 1 :]]
        gain = numbers.step_points * _is_step(state, column, result) + self._by_option(state, (column, row), after)
        if state.arrows >> row & 1:
            gain += numbers.bonus_points * (rows.different(after) - rows.different(before))
        return gain

    def _by_option(self, state: State, box: Box, row: Sequence[int | None]) -> int:
        """The points that a number in `box` adds to the scoring option; `row` is its row with the number."""
        numbers, option = self.simulation.numbers, self.simulation.option
        if option == "rows":
            return numbers.row_points * rows.is_one_number(numbers, row)
        before = {
            (column, at): number
            for column, boxes in enumerate(state.columns)
            for at, number in enumerate(boxes)
            if number == row[box[0]]
        }
        if not any((box[0] + x, box[1] + y) in before for x in (-1, 0, 1) for y in (-1, 0, 1)):
            return 0
        return self._alike({**before, box: row[box[0]] or 0}) - self._alike(before)

    def _alike(self, boxes: Mapping[Box, int]) -> int:
        """The points of boxes with one number by themselves: their longest snake, or their best blocks."""
        numbers = self.simulation.numbers
        if self.simulation.option == "snake":
            return numbers.snake_points * len(longest_snake(numbers, boxes))
        return blocks.best(boxes, numbers.shapes).points

    def is_harmful(self, move: Move) -> bool:
        """Whether the move breaks a column that was one sequence from the bottom up, or puts a second number in a row
        that had only one (scoring option rows)."""
        state = self.states[self.seat]
        if move.place >= len(state.columns) or move.kind not in ("enter", "drop"):
            return False
        result = play.total(state, move.plus, move.minus) if move.kind == "enter" else METEORITE
        boxes = state.columns[move.place]
        whole = all(self.simulation.numbers.after.get(below) == above for below, above in pairwise(boxes))
        if boxes and whole and not _is_step(state, move.place, result):
            return True
        standing = {mark for mark in _row(state, len(boxes)) if mark}
        return self.simulation.option == "rows" and bool(result) and len(standing) == 1 and result not in standing

    # ---- the end -----------------------------------------------------------------------------------------------------

    def result(self) -> FinishedGame:
        lines = [sheet.points for sheet in self._played_sheets()]
        totals = tuple(sum(line.values()) for line in lines)
        winners = score.leading(totals)
        return FinishedGame(
            self.rounds,
            totals,
            winners,
            tuple(self._fates(lines, totals, winners)),
            any(map(play.is_over, self.states)),
        )

    def _fates(
        self, lines: Sequence[Mapping[str, int]], totals: tuple[int, ...], winners: tuple[int, ...]
    ) -> list[tuple[str, str]]:
        fates = [
            *self._medals(totals),
            *(
                (f"column {name}", FULL)
                for state in self.states
                for name, boxes in zip(self.simulation.numbers.columns, state.columns, strict=True)
                if len(boxes) == self.simulation.numbers.rows
            ),
        ]
        for seat, line in enumerate(lines):
            for name, points in line.items():
                fates.append((name, ""))
                if points:
                    fates.append((name, SCORES))
                    without = (*totals[:seat], totals[seat] - points, *totals[seat + 1 :])
                    if seat in winners and score.leading(without) != winners:
                        fates.append((name, DECIDES))
        return fates

    def _medals(self, totals: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        for medal, points in self.simulation.targets.items():
            yield medal, ""
            if max(totals) >= points:
                yield medal, REACHED

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        code = {"strip": self.simulation.deck.code} if self.simulation.deck.code else {}
        return [
            {
                "game": self.simulation.game.key,
                **code,
                "player": name,
                **sheet.as_typed(),
                "log": [round_.as_typed() for round_ in rounds],
            }
            for name, sheet, rounds in zip(names, self._played_sheets(), self.logs or (), strict=True)
        ]

    def _played_sheets(self) -> list[PlayedSheet]:
        return [PlayedSheet(state, self.simulation.option, self.simulation.event_die) for state in self.states]


def _without_skip(effects: Sequence[Move]) -> Sequence[Move]:
    """The choices without skipping an effect, which is legal but never sensible."""
    return effects[:-1] if effects[-1:] == (play.SKIP,) else effects


def _row(state: State, row: int) -> list[int | None]:
    return [boxes[row] if row < len(boxes) else None for boxes in state.columns]


def _is_step(state: State, column: int, result: int) -> bool:
    boxes = state.columns[column]
    return bool(boxes) and state.numbers.after.get(boxes[-1]) == result


class PlayedSheet(PlayerSheet):
    """A sheet built from a state of play instead of typed marks. Its blocks are the best possible ones, as if the
    player had crossed out every shape and outlined whatever fits."""

    def __init__(self, state: State, option: Option, event_die: bool) -> None:
        self.state, self.numbers, self.option, self.event_die = state, state.numbers, option, event_die
        self.all_rows = rows.rows_of(self.numbers)
        columns = [(*column, *(None,) * (self.numbers.rows - len(column))) for column in state.columns]
        self.grid = self.all_rows.grid([*zip(*columns, strict=True)])
        self.arrows = tuple(row for row in range(self.numbers.rows) if state.arrows >> row & 1)
        self.drawn_snake, self.drawn_blocks = (), ()
        self.crossed_out = [shape.name for shape in self.numbers.shapes]

    @cached_property
    def points(self) -> dict[str, int]:
        """The points of every column, the scoring option and the bonus rows."""
        points = {
            f"column {letter}": steps for letter, steps in zip(self.numbers.columns, self.column_points, strict=True)
        }
        points[self.option or ""] = self.option_points
        return points | ({"bonus": self.bonus_points} if self.event_die else {})

    def as_typed(self) -> Sheet:
        """The final sheet as plain data."""
        state, numbers = self.state, self.numbers
        fields = [
            f"{abs(number)}{'x' * (number < 0)}" if number else "." if play.is_open(state, field) else "-"
            for field, number in enumerate(state.reserve)
        ]
        sheet: Sheet = {"option": self.option, "event_die": self.event_die}
        sheet["grid"] = [" ".join(map(rows.typed, row.boxes)) for row in reversed(self.grid.rows)]
        sheet["reserve"] = fields[: numbers.dark]
        if self.event_die:
            sheet |= {"extra_reserve": fields[numbers.dark :], "bonus_rows": [row + 1 for row in self.arrows]}
        if self.option == "blocks":
            sheet["blocks"] = [
                {"shape": shape, "cells": sorted(map(self.box_name, boxes))} for shape, boxes in self.fitting.blocks
            ]
        bonus = {"bonus": self.bonus_points} if self.event_die else {}
        sheet["claimed"] = {
            "columns": self.column_points,
            "option": self.option_points,
            **bonus,
            "total": sum(self.points.values()),
        }
        return sheet


class LoggedRound(NamedTuple):
    """One player's round: the throw, and the moves with the state before each."""

    throw: Throw
    moves: list[tuple[State, Move]]

    def as_typed(self) -> dict[str, Any]:
        """The round as an entry of the log."""
        dice, event = self.throw
        typed: dict[str, Any] = {"dice": list(dice)} | ({"event": event} if event else {})
        for state, move in self.moves:
            if move.kind == "outline":
                typed["outline"] = f"{LIGHT}{move.place + 1}"
            elif move.kind == "arrow":
                typed["row"] = move.place + 1
            elif move.kind == "pass":
                typed["passed"] = list(state.dice)
        entries = [_entry(state.numbers, move) for state, move in self.moves if move.kind in ("enter", "drop")]
        return typed | ({"entries": entries} if entries else {})


def _entry(numbers: Numbers, move: Move) -> str:
    def name(source: int) -> str:
        return str(source) if source > 0 else numbers.place_name(len(numbers.columns) + ~source)

    terms = "+".join(map(name, move.plus)) + "".join(f"-{name(source)}" for source in move.minus)
    return f"{numbers.place_name(move.place)}={terms or 'o'}"


class UpwardsSimulation(Simulation):
    """Games with dice or a throw strip, a scoring option, and optionally the event die. One player plays a solo
    challenge with its own option; its medals are pieces that can be reached."""

    variants = tuple(option + more for more in ("", WITH_EVENT_DIE) for option in OPTIONS)
    fates: Mapping[str, str] = {
        FULL: "filled to the top",
        SCORES: "scores points",
        DECIDES: "without its points, the winners would be different",
    }

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        named = strip(game, parse(deck.code)) if deck.code else None
        self.strips = named.strips * (players // len(named.strips)) if named else ()
        self.rounds = len(self.strips[0]) if self.strips else None
        self.targets: Mapping[str, int] = named.targets if named else {}
        self.numbers = numbers(game)
        self.event_die = variant.endswith(WITH_EVENT_DIE)
        self.pieces = {
            **dict.fromkeys(self.targets, (REACHED,)),
            **{f"column {name}": (FULL, SCORES, DECIDES) for name in self.numbers.columns},
            **dict.fromkeys((self.option, *(["bonus"] if self.event_die else [])), (SCORES, DECIDES)),
        }
        if self.targets:
            self.pieces = {
                name: tuple(fate for fate in fates if fate != DECIDES) for name, fates in self.pieces.items()
            }
            self.fates = {REACHED: "its target was reached", FULL: self.fates[FULL], SCORES: self.fates[SCORES]}
        self.faces: tuple[str, ...] = game.rules["event_die"]["faces"]

    @cached_property
    def option(self) -> Option:
        return next(option for option in OPTIONS if self.variant.startswith(option))

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """A challenge has one scoring option and uses the event die."""
        task = recipe_of(game, parse(deck.code).recipe).challenge if deck.code else None
        return (task.option + WITH_EVENT_DIE,) if task else cls.variants

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """One for a challenge; the number of strips if each player has one."""
        if not deck.code:
            return super().players_with(game, deck)
        recipe = recipe_of(game, parse(deck.code).recipe)
        if recipe.challenge:
            return (1,)
        return (recipe.strips,) if recipe.strips > 1 else super().players_with(game, deck)

    def begin(self, chance: Chance, keep: bool = False) -> UpwardsGame:
        return UpwardsGame(self, chance, keep)


SIMULATION = UpwardsSimulation
