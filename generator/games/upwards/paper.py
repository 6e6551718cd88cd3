"""A sheet as a played game leaves it: what it counts, by the judge's own rules, and how it would be typed."""

from __future__ import annotations

from functools import cached_property
from typing import Any, TypeAlias

from . import blocks, play, score
from .numbers import Numbers, Option
from .play import Move, State
from .replay import place_name
from .rows import rows_of
from .sheet import Sheet

Notes: TypeAlias = list[tuple[tuple[int, ...], str, list[tuple[State, Move]]]]
"""The rounds of a player: dice, event, and the moves with the state before each."""


class Paper(Sheet):
    """A sheet that was never typed: what the rules ask of it is known from the state of play."""

    state: State

    @cached_property
    def worth(self) -> dict[str, int]:
        """The points of every column, of the scoring option and of the bonus rows."""
        made = {f"column {letter}": score.steps(self, column) for column, letter in enumerate(self.known.columns)}
        made[self.option or ""] = score.option_points(self)
        return made | ({"bonus": score.bonus(self)} if self.event_die else {})

    @cached_property
    def typed(self) -> dict[str, Any]:
        """The paper after the last move, as plain data."""
        state, known = self.state, self.known
        fields = [f"{abs(number)}{'x' * (number < 0)}" if number else "." if play.is_open(state, field) else "-"
                  for field, number in enumerate(state.reserve)]
        made: dict[str, Any] = {"option": self.option, "event_die": self.event_die}
        made["grid"] = [" ".join(_mark(boxes, row) for boxes in state.columns)
                        for row in range(known.rows - 1, -1, -1)]
        made["reserve"] = fields[:known.dark]
        if self.event_die:
            made |= {"extra_reserve": fields[known.dark:], "bonus_rows": [row + 1 for row in self.arrows]}
        if self.option == "blocks":
            made["blocks"] = [{"shape": shape, "cells": sorted(map(self.box_name, boxes))}
                              for shape, boxes in blocks.best(self.numbered, known.shapes).blocks]
        return made | {"claimed": self._claimed()}

    def _claimed(self) -> dict[str, Any]:
        columns = [self.worth[f"column {letter}"] for letter in self.known.columns]
        bonus = {"bonus": self.worth["bonus"]} if self.event_die else {}
        return {"columns": columns, "option": self.worth[self.option or ""], **bonus, "total": sum(self.worth.values())}


def paper(state: State, option: Option, event_die: bool) -> Paper:
    """The sheet of a state; what the judge would read off its marks is filled in."""
    made = Paper.__new__(Paper)
    rows = state.numbers.rows
    columns = [(*column, *(None,) * (rows - len(column))) for column in state.columns]
    grid = rows_of(state.numbers).grid([*zip(*columns, strict=True)])
    vars(made).update(state=state, known=state.numbers, by_rows=grid, option=option, event_die=event_die,
                      arrows=tuple(row for row in range(state.numbers.rows) if state.arrows >> row & 1),
                      drawn_snake=(), drawn_blocks=(), crossed_out=[one.name for one in state.numbers.shapes])
    return made


def _mark(boxes: tuple[int, ...], row: int) -> str:
    return "." if row >= len(boxes) else str(boxes[row]) if boxes[row] else "o"


def played_rows(known: Numbers, notes: tuple[tuple[int, ...], str, list[tuple[State, Move]]]) -> dict[str, Any]:
    """A round as a log has it."""
    dice, event, moves = notes
    made: dict[str, Any] = {"dice": list(dice)} | ({"event": event} if event else {})
    for state, move in moves:
        if move.kind == "outline":
            made["outline"] = f"x{move.place + 1}"
        elif move.kind == "arrow":
            made["row"] = move.place + 1
        elif move.kind == "pass":
            made["passed"] = list(state.dice)
    entries = [_entry(known, state, move) for state, move in moves if move.kind in ("enter", "drop")]
    return made | ({"entries": entries} if entries else {})


def _entry(known: Numbers, state: State, move: Move) -> str:
    def name(source: int) -> str:
        return str(source) if source > 0 else place_name(known, len(state.columns) + ~source)

    made = "+".join(map(name, move.plus)) + "".join(f"-{name(one)}" for one in move.minus)
    return f"{place_name(known, move.place)}={made or 'o'}"
