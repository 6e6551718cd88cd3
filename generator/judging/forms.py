"""A score sheet as a form to fill in: its parts in the order of the questions, and how the file names it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property
from typing import Any

from msgspec import Struct

from .. import draws
from ..errors import InputError
from ..games.base import GameRules
from ..model.game import Card, Game, ScoreSheet
from ..sheets import Asking, Reading, SheetReader
from ..sheets.parts import Part
from ..sheets.typed_lines import LineCheck


class Form(Struct, frozen=True, dict=True):
    """A sheet to fill in: its game (`named` is how the file names it), and what the game says about it."""

    game: Game
    sheet: ScoreSheet
    rules: GameRules[Any]
    named: str

    @cached_property
    def asking(self) -> Asking:
        return asking_of(self.rules, self.sheet)

    @cached_property
    def reading(self) -> Reading:
        return reading_of(self.rules, self.sheet)

    @cached_property
    def reader(self) -> SheetReader:
        return sheet_reader(self.game, self.sheet, self.rules)

    @property
    def parts(self) -> tuple[Part, ...]:
        return self.reader.whole.inner

    @property
    def heading(self) -> dict[str, str]:
        """The first keys of the file: the game, and the sheet unless it is the game's default one."""
        heading = {"game": self.named}
        if self.reading.selects:
            heading[self.reading.selects] = self.sheet.name
        elif self.sheet.name != self.game.judged:
            heading["sheet"] = self.sheet.name
        return heading

    @property
    def other_sheets(self) -> tuple[str, ...]:
        """The names of the game's other score sheets."""
        return tuple(name for name in self.game.sheets if name != self.sheet.name)

    def line_check(self, typed_codes: Iterable[str]) -> LineCheck | None:
        """How wrong an entry typed on one line is, with the cards of the first set code that is typed on the sheet."""
        return self.reader.line_check(self._cards(typed_codes))

    def _cards(self, typed_codes: Iterable[str]) -> Mapping[str, Card]:
        for text in typed_codes:
            with suppress(InputError):
                return self.reading.cards(self.game, draws.parse(text, prefix=self.game.definition.prefix))
        return self.reading.cards(self.game, None)

    @property
    def unprinted(self) -> list[Part]:
        """The fields that are not on the paper, such as set codes."""
        return [part for part in self.parts if not part.paper and not part.extra]

    @cached_property
    def players(self) -> Part | None:
        """The part with the players' names: a group for each of them, a row, or the name of the only one."""
        listed_by = sorted({part.by for top in self.parts for part in (top, *top.inner) if part.by})
        keys = [self.sheet.definition.players or "players", *listed_by, "player", "name"]
        return next((part for key in keys for part in self.parts if part.key == key), None)


def reading_of(rules: GameRules[Any], sheet: ScoreSheet) -> Reading:
    """How the game customises the reading of this sheet."""
    return rules.reading_of(sheet) if rules.covers(sheet) else Reading(cards=rules.reading.cards)


def asking_of(rules: GameRules[Any], sheet: ScoreSheet) -> Asking:
    """The order and wording of the questions: those of the rules, or else those in the sheet's YAML."""
    asking = rules.asking() if rules.covers(sheet) else Asking()
    return sheet.definition.questions if asking == Asking() else asking


def sheet_reader(game: Game, sheet: ScoreSheet, rules: GameRules[Any]) -> SheetReader:
    """The reader of the sheets of one kind."""
    return SheetReader(game, sheet, reading_of(rules, sheet), asking_of(rules, sheet), rules.worst_on_line)
