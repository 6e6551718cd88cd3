"""What the table sheet has on paper and a file need not: towers in the order of the set, whom their cards were dealt
to, and the turns as they are written and ringed. A typed log has the same entries."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

from msgspec import Struct

from ...errors import Place, Problem
from ...sheets import FilledSheet


class MarkEntry(Struct, frozen=True, kw_only=True):
    """`mark:` in a turn: the card, and which of its places was marked. `card` is empty if the turn does not name it."""

    card: str
    crate: int | None = None
    star: bool = False
    tick: int | None = None
    place: Place


class Entry(Struct, frozen=True, kw_only=True):
    """One line of a log: a turn with its roll and what the player did with it, or a pass. `star` and `tick` can be in
    the turn itself, with or without the card."""

    player: str
    roll: int | None = None
    mark: MarkEntry | None = None
    card: str | None = None
    star: bool = False
    tick: int | None = None
    flip: str | None = None
    pass_: str | None = None
    place: Place

    @property
    def marks(self) -> tuple[MarkEntry, ...]:
        direct = MarkEntry(card=self.card or "", star=self.star, tick=self.tick, place=self.place)
        return tuple(filter(None, (self.mark, direct if self.star or self.tick is not None else None)))


def owner_of(sheet: FilledSheet, tower: str) -> str:
    """The id of the player who has the card of a tower; empty for a card in the middle."""
    owner = sheet.number(f"{tower}.owner")
    return f"players.{owner}" if owner else ""


def tower_card(sheet: FilledSheet, tower: str) -> str:
    """The number of the card that a tower of the sheet stands for; empty if the set has no such card."""
    return next(islice(sheet.cards, int(tower.rpartition(".")[2]) - 1, None), "")


def dealt_on_paper(sheet: FilledSheet) -> Mapping[str, tuple[str, ...]]:
    """The numbers of the cards dealt to each player, by name, as they are written below the towers."""
    towers = [(tower, sheet.number(f"{tower}.dealt")) for tower in sheet.entries.get("towers", ())]
    owners = dict.fromkeys(name for _, number in towers if (name := sheet.people.get(f"players.{number}")))
    return {
        name: tuple(
            tower_card(sheet, tower) for tower, number in towers if sheet.people.get(f"players.{number}") == name
        )
        for name in owners
    }


def log_on_paper(sheet: FilledSheet) -> list[tuple[str, Entry]]:
    """The entries of the log as they are written on paper, each with the id of its line. The cards that are passed on
    are written beside the turns of their round and follow its last turn, because all players pass at the same time."""
    entries, passes, turns = list[tuple[str, Entry]](), list[tuple[str, Entry]](), 0
    for line in sheet.entries.get("turns", ()):
        player, place = sheet.people.get(f"players.{sheet.number(f'{line}.player')}", ""), sheet.place_of(line)
        if any(f"{line}.{key}" in sheet.marks for key in ("roll", "card", "crate", "act")):
            if turns == len(sheet.entries.get("players", ())):
                entries, passes, turns = [*entries, *passes], [], 0
            turns += 1
            entries.append((line, _turn(sheet, line, player, place)))
        if card := sheet.text(f"{line}.pass"):
            passes.append((line, Entry(player=player, pass_=card, place=place)))
    return [*entries, *passes]


def _turn(sheet: FilledSheet, line: str, player: str, place: Place) -> Entry:
    act, card, crate = sheet.text(f"{line}.act"), sheet.text(f"{line}.card"), sheet.number(f"{line}.crate")
    flip = card if act == "flip" and card else None
    tick = crate if act == "tick" else None
    mark = MarkEntry(card=card, crate=None if tick else crate, star=act == "star", tick=tick, place=place)
    is_marked = flip is None and (card or crate or act)
    return Entry(
        player=player, roll=sheet.number(f"{line}.roll"), mark=mark if is_marked else None, flip=flip, place=place
    )


def paper_problems(sheet: FilledSheet) -> Iterator[Problem]:
    """A log or a deal that is both typed and written on paper, and lines whose player or card is missing."""
    lines, players = sheet.entries.get("turns", ()), sheet.entries.get("players", ())
    if lines and "log" in sheet.extra:
        yield Problem("the turns are logged twice, under “log” and under “turns”", sheet.place_of(lines[0]))
    dealt = [name for tower in sheet.entries.get("towers", ()) if (name := f"{tower}.dealt") in sheet.marks]
    if dealt and "deal" in sheet.extra:
        yield Problem("the deal is given twice, under “deal” and with the towers", sheet.place_of(dealt[0]))
    if lines and not dealt and "deal" not in sheet.extra:
        hint = "write below every tower to whom its card was dealt"
        yield Problem("the turns cannot be checked without the deal", sheet.place_of(lines[0]), hint)
    named = [*dealt, *(name for line in lines if (name := f"{line}.player") in sheet.marks)]
    for name in [name for name in named if f"players.{sheet.number(name)}" not in players]:
        yield Problem(f"there is no player {sheet.number(name)}", sheet.place_of(name))
    for line in lines:
        yield from _line_problems(sheet, line)


def _line_problems(sheet: FilledSheet, line: str) -> Iterator[Problem]:
    if f"{line}.player" not in sheet.marks:
        yield Problem("a turn does not say whose it is", sheet.place_of(line), "write the number of the player")
    act, is_crate = sheet.text(f"{line}.act"), f"{line}.crate" in sheet.marks
    if (act == "flip" or (is_crate and not act)) and not sheet.text(f"{line}.card"):
        yield Problem("a turn does not say which card", sheet.place_of(line), "write the number of the card")
    if act == "flip" and is_crate:
        yield Problem("a turn fills in a crate and flips a card", sheet.place_of(line), "leave one of them blank")
