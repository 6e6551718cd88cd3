"""The pads of several players, or several pads of one player, as the one sheet of their game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ...rules.results import Violation
from ...sheets import FilledSheet
from ..base import wrong_sums
from .sheet import CubesSheet, rules
from .word_sheets import Rounds

T = TypeVar("T")
_PLAYER = re.compile(r"((?:players|claimed|lines|rounds\.\d+\.(?:words|claimed|bonus))\.)(\d+)(?=\.|$)")
"""The start of a field id with the number of its player."""
_ROUND = re.compile(r"rounds\.(\d+)")
_SHARED = ("set", "strip", "tournament", "ended", "words_from")
"""What the pads of one game have in common."""


class Pad(Struct, frozen=True):
    """A pad, the number of its player on it and in the game (`player`), how many rounds are on earlier pads of this
    player (`before`) and up to its end (`end`), and whether it is the player's `last` one."""

    sheet: FilledSheet
    number: int
    player: int
    before: int
    end: int
    last: bool = True

    def in_game(self, name: str) -> str:
        """The id of a field of the pad on the sheet of the game."""
        name = _ROUND.sub(lambda found: f"rounds.{int(found[1]) + self.before}", name, count=1)
        return _PLAYER.sub(lambda found: f"{found[1]}{self.player}", name, count=1)

    def on_pad(self, name: str) -> str | None:
        """The id on the pad of a field of the game; None if it is on another pad. What belongs to no player is on the
        pads of the first one, the total on a player's last pad."""
        player, played = _PLAYER.match(name), _ROUND.match(name)
        if int(player[2]) != self.player if player else self.player > 1:
            return None
        if not self.last and (name.startswith("claimed.") if not played else int(played[1]) > self.end):
            return None
        if played and int(played[1]) <= self.before:
            return None
        name = _ROUND.sub(lambda found: f"rounds.{int(found[1]) - self.before}", name, count=1)
        return _PLAYER.sub(lambda found: f"{found[1]}{self.number}", name, count=1)


def joined(sheets: Sequence[CubesSheet]) -> tuple[FilledSheet, list[Pad]]:
    """The sheet of the game that these pads are from, and the pads with their players. Pads with the same name are one
    player's, in this order: their rounds follow each other."""
    numbers, pads = dict[str, int](), list[Pad]()
    for view in sheets:
        sheet, number = view.sheet, next(iter(view.players), 1)
        name = sheet.people.get(f"players.{number}", "").casefold() if "rounds" in sheet.sheet.definition.fields else ""
        player = numbers.setdefault(name or f"pad {len(pads)}", len(numbers) + 1)
        before = max((pad.end for pad in pads if pad.player == player), default=0)
        pads = [replace(pad, last=False) if pad.player == player else pad for pad in pads]
        entries = [int(entry.rpartition(".")[2]) for entry in sheet.entries.get("rounds", ())]
        pads.append(Pad(sheet, number, player, before, before + max(entries, default=0)))
    return _sheet_of(pads), pads


def _sheet_of(pads: Sequence[Pad]) -> FilledSheet:
    def all_of(part: Callable[[FilledSheet], Mapping[str, T]]) -> dict[str, T]:
        return {
            pad.in_game(name): value
            for pad in reversed(pads)
            for name, value in part(pad.sheet).items()
            if pad.last or not name.startswith("claimed.")
        }

    entries: dict[str, set[str]] = {}
    rows: dict[str, set[int]] = {}
    for pad in pads:
        for name, ids in pad.sheet.entries.items():
            entries.setdefault(pad.in_game(name), set()).update(map(pad.in_game, ids))
        for name, filled in pad.sheet.rows.items():
            places = (pad.in_game(f"{name}.{number}").rpartition(".") for number in filled)
            for row, _, number in places:
                rows.setdefault(row, set()).add(int(number))
    first = pads[0].sheet
    with_code = next((pad.sheet for pad in pads if pad.sheet.codes), first)
    return replace(
        first,
        code=with_code.code,
        codes=with_code.codes,
        marks=all_of(lambda sheet: sheet.marks),
        places=all_of(lambda sheet: sheet.places),
        people=all_of(lambda sheet: sheet.people),
        entries={name: tuple(sorted(ids, key=_order)) for name, ids in entries.items()},
        rows={name: tuple(sorted(numbers)) for name, numbers in rows.items()},
        extra=next((pad.sheet.extra for pad in pads if pad.sheet.extra), first.extra),
    )


def _order(name: str) -> tuple[int, ...]:
    return tuple(int(part) for part in name.split(".") if part.isdecimal())


class PadView(Struct, frozen=True):
    """A pad as the rules see it: together with the others of its game, whose one sheet is `game`."""

    pad: Pad
    game: CubesSheet
    first: FilledSheet

    @property
    def sheet(self) -> FilledSheet:
        return self.pad.sheet

    def violations(self, of_game: Iterable[Violation]) -> Iterator[Violation]:
        """Those violations of the game that are on this pad, and those of the pad alone."""
        for violation in of_game:
            where = [self.pad.on_pad(name) for name in violation.where or ("",)]
            if where[0] is not None:
                yield violation._replace(where=tuple(name for name in where if name))
        yield from self._differences()
        claimed = f"claimed.{self.pad.number}"
        if not self.pad.last and isinstance(game := self.game, Rounds):
            points = sum(game.points_in(self.pad.player, played) for played in game.rounds[: self.pad.end])
            total = game.sum_of(claimed, self.pad.player, points, "claimed-total", right="the points add up to {}")
            yield from wrong_sums(self.sheet, [total])

    def _differences(self) -> Iterator[Violation]:
        for name in _SHARED:
            own, other = (sheet.marks.get(name, sheet.extra.get(name)) for sheet in (self.sheet, self.first))
            if own != other:
                message = (
                    f"the sheets of a game have the same “{name.replace('_', ' ')}”, but not this one and the first"
                )
                yield rules["same-game"](name, message)

    def on_pad(self, values: Mapping[str, T]) -> dict[str, T]:
        """Those values of the game that belong on this pad, by their ids on it."""
        named = ((self.pad.on_pad(name), value) for name, value in values.items())
        return {name: value for name, value in named if name}
