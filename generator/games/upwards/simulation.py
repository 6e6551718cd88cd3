"""Simulates Upwards!: the dice for everyone, the value of a move, and every player's sheet at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from ...draws import Chance, Deck, parse
from ...expressions.functions import Box
from ...model.game import Game
from ..simulation import FinishedGame, Sheet, SimulatedGame, Simulation
from . import play
from .deal import RoundThrow, recipe_of, strip
from .play import (
    LIGHT,
    METEORITE,
    OPTIONS,
    Move,
    Option,
    Position,
    State,
    best_blocks,
    column_parts,
    different,
    is_one_number,
    longest_snake,
    numbers,
    position_of,
    score_lines,
    typed,
)

WITH_EVENT_DIE = "+event-die"
FULL, SCORES, DECIDES, REACHED = "full", "scores", "decides", "reached"


class UpwardsGame(SimulatedGame[Move]):
    """One game. One after another, all players enter the same dice on their own sheets. With a throw strip, the dice
    come from the strip, or from each player's own strip, and a game that outlasts it is abandoned."""

    def __init__(self, simulation: UpwardsSimulation, chance: Chance, keep: bool) -> None:
        super().__init__(chance)
        self.simulation = simulation
        self.states = [play.start(simulation.numbers)] * simulation.players
        self.rounds = 0
        self.logs: list[list[Sheet]] | None = [[] for _ in self.states] if keep else None

    def choices(self) -> Sequence[Move]:
        if self.rounds and not self.states[self.seat].thrown:
            self.seat = (self.seat + 1) % len(self.states)
        if not self.seat and not self.states[0].thrown:
            if any(map(play.is_over, self.states)) or self.rounds == self.simulation.rounds:
                return ()
            thrown = self._thrown()
            self.states = [play.throw(state, *throw) for state, throw in zip(self.states, thrown, strict=True)]
            self.rounds += 1
            for rounds, throw in zip(self.logs or (), thrown, strict=False):
                rounds.append({"dice": list(throw.dice)} | ({"event": throw.event} if throw.event else {}))
        state = self.states[self.seat]
        moves = play.legal(state)
        return moves[:-1] if state.due and moves[-1] == play.SKIP else moves  # skipping is legal, but never sensible

    def _thrown(self) -> Sequence[RoundThrow]:
        """The throw of every player in the next round."""
        simulation, chance = self.simulation, self.chance
        if simulation.strips:
            throws_printed = [throws[self.rounds] for throws in simulation.strips]
            return throws_printed if simulation.event_die else [throw._replace(event="") for throw in throws_printed]
        die = simulation.numbers.die
        dice = tuple(die[chance.below(len(die))] for _ in range(simulation.numbers.rules["dice"]))
        return [RoundThrow(dice, chance.choice(simulation.faces) if simulation.event_die else "")] * simulation.players

    def do(self, move: Move) -> None:
        seat = self.seat
        state = self.states[seat]
        if self.logs is not None:
            _log(self.logs[seat][-1], state, move)
        self.states[seat] = play.apply(state, move)

    def gain(self, move: Move) -> int:
        """The points that a number adds where it is entered, or that an arrow adds for the numbers in its row. The
        future value of saved numbers does not count."""
        state = self.states[self.seat]
        if move.kind == "enter" and move.place < len(state.columns):
            return self._entering(state, move.place, play.total(state, move.plus, move.minus))
        if move.kind == "arrow":
            return self.simulation.numbers.points["bonus"] * len(different(play.row(state, move.place)))
        return 0

    def _entering(self, state: State, column: int, result: int) -> int:
        numbers, row = self.simulation.numbers, len(state.columns[column])
        before = play.row(state, row)
        after = [*before[:column], result, *before[column + 1 :]]
        gain = numbers.points["step"] * play.is_step(state, column, result) + self._by_option(
            state, (column, row), after
        )
        if state.arrows >> row & 1:
            gain += numbers.points["bonus"] * (len(different(after)) - len(different(before)))
        return gain

    def _by_option(self, state: State, box: Box, row: Sequence[int | None]) -> int:
        """The points that a number in `box` adds to the scoring option; `row` is its row with the number."""
        numbers, option = self.simulation.numbers, self.simulation.option
        if option == "rows":
            return numbers.points["row"] * is_one_number(numbers, row)
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
            return numbers.points["snake"] * len(longest_snake(numbers, boxes))
        return best_blocks(boxes, numbers.shapes).points

    def is_harmful(self, move: Move) -> bool:
        """Whether the move breaks a column that was one sequence from the bottom up, or puts a second number in a row
        that had only one (scoring option rows)."""
        state = self.states[self.seat]
        if move.place >= len(state.columns) or move.kind not in ("enter", "drop"):
            return False
        result = play.total(state, move.plus, move.minus) if move.kind == "enter" else METEORITE
        boxes = state.columns[move.place]
        whole = all(self.simulation.numbers.after.get(below) == above for below, above in pairwise(boxes))
        if boxes and whole and not play.is_step(state, move.place, result):
            return True
        standing = {mark for mark in play.row(state, len(boxes)) if mark}
        return self.simulation.option == "rows" and bool(result) and len(standing) == 1 and result not in standing

    def result(self) -> FinishedGame:
        lines = [self._pieces(position) for position in self._positions()]
        totals = tuple(sum(line.values()) for line in lines)
        ended = any(map(play.is_over, self.states))
        return FinishedGame(self.rounds, totals, leading(totals), tuple(self._fates(lines, totals)), ended=ended)

    def _positions(self) -> list[Position]:
        return [position_of(state, self.simulation.option, self.simulation.event_die) for state in self.states]

    def _pieces(self, position: Position) -> dict[str, int]:
        """The points of every column, the scoring option and the bonus rows."""
        _, *lines = score_lines(position).items()
        columns = zip(position.numbers.columns, column_parts(position), strict=True)
        return {**{f"column {letter}": part.points for letter, part in columns}, **dict(lines)}

    def _fates(self, lines: Sequence[Mapping[str, int]], totals: tuple[int, ...]) -> Iterator[tuple[str, str]]:
        numbers, winners = self.simulation.numbers, leading(totals)
        for medal, target in self.simulation.targets.items():
            yield from [(medal, ""), (medal, REACHED)][: 1 + (max(totals) >= target)]
        for state in self.states:
            columns = zip(numbers.columns, state.columns, strict=True)
            yield from ((f"column {name}", FULL) for name, boxes in columns if len(boxes) == numbers.rows)
        for seat, line in enumerate(lines):
            for name, points in line.items():
                yield name, ""
                if points:
                    yield name, SCORES
                    without = (*totals[:seat], totals[seat] - points, *totals[seat + 1 :])
                    if seat in winners and leading(without) != winners:
                        yield name, DECIDES

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        code = {"strip": self.simulation.deck.code} if self.simulation.deck.code else {}
        head = {"game": self.simulation.game.key, **code}
        return [
            {**head, "player": name, **_typed_position(position), "log": log}
            for name, position, log in zip(names, self._positions(), self.logs or (), strict=True)
        ]


def leading(totals: Sequence[int]) -> tuple[int, ...]:
    """The indices of the winners of a finished game."""
    return tuple(seat for seat, total in enumerate(totals) if total == max(totals))


def _typed_position(position: Position) -> Sheet:
    """A sheet with this position and its points as plain data."""
    numbers, lines, fields = position.numbers, score_lines(position), [*position.reserve.values()]
    grid = [" ".join(map(typed, position.row(row))) for row in reversed(range(numbers.rows))]
    columns = [part.points for part in column_parts(position)]
    claimed = {"columns": columns, "option": lines[position.option or ""], "total": sum(lines.values())}
    sheet: Sheet = {"option": position.option, "event_die": position.event_die, "grid": grid}
    sheet["reserve"] = fields[: numbers.dark]
    if position.event_die:
        claimed["bonus"] = lines["bonus"]
        sheet |= {"extra_reserve": fields[numbers.dark :], "bonus_rows": [row + 1 for row in position.arrows]}
    if position.option == "blocks":
        named = [(shape, sorted(map(numbers.box_name, boxes))) for shape, boxes, _ in position.outlined]
        sheet["blocks"] = [{"shape": shape, "cells": cells} for shape, cells in named]
    return {**sheet, "claimed": claimed}


def _log(played: Sheet, state: State, move: Move) -> None:
    """Adds a move to the round that a player logs."""
    names = state.numbers.place_names
    if move.kind == "outline":
        played["outline"] = f"{LIGHT}{move.place + 1}"
    elif move.kind == "arrow":
        played["row"] = move.place + 1
    elif move.kind == "pass":
        played["passed"] = list(state.dice)
    elif move.kind in ("enter", "drop"):
        terms = [(sign, source) for sign, sources in (("+", move.plus), ("-", move.minus)) for source in sources]
        text = [sign + (str(source) if source > 0 else names[len(state.columns) + ~source]) for sign, source in terms]
        entry = f"{names[move.place]}={''.join(text).removeprefix('+') or 'o'}"
        played["entries"] = [*played.get("entries", ()), entry]


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
        self.option: Option = next(option for option in OPTIONS if variant.startswith(option))
        self.event_die = variant.endswith(WITH_EVENT_DIE)
        self.pieces = {
            **dict.fromkeys(self.targets, (REACHED,)),
            **{f"column {name}": (FULL, SCORES, DECIDES) for name in self.numbers.columns},
            **dict.fromkeys((self.option, *(["bonus"] if self.event_die else [])), (SCORES, DECIDES)),
        }
        if self.targets:
            self.fates = {REACHED: "its target was reached", FULL: self.fates[FULL], SCORES: self.fates[SCORES]}
            self.pieces = {name: tuple(filter(self.fates.get, fates)) for name, fates in self.pieces.items()}
        self.faces: tuple[str, ...] = game.rules["event_die"]["faces"]

    @classmethod
    def variants_with(cls, game: Game, deck: Deck) -> tuple[str, ...]:
        """A challenge has one scoring option and uses the event die."""
        task = recipe_of(game, parse(deck.code).recipe).challenge if deck.code else None
        return (task.option + WITH_EVENT_DIE,) if task else cls.variants

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        """One for a challenge; the number of strips if each player has one."""
        recipe = recipe_of(game, parse(deck.code).recipe) if deck.code else None
        if recipe and (recipe.challenge or recipe.strips > 1):
            return (recipe.strips,)
        return super().players_with(game, deck)

    def begin(self, chance: Chance, keep: bool = False) -> UpwardsGame:
        return UpwardsGame(self, chance, keep)


SIMULATION = UpwardsSimulation
