"""The rules of Rolling Cubes for the judge: a view of each of five sheets, one of them that of the tournament. The pads
of several players, or several pads of one player, are joined into the one sheet of their game."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from ...model.game import Game, ScoreSheet
from ...rules.results import Line, Part, Result, Score, Strokes, Violation, line_of, number_text, ordinal, ranks
from ...sheets import FilledSheet, Reading
from ...spelling import joined
from ..base import GameRules, WrittenSum, wrong_sums
from .last_die import LastDie, by_letters
from .play import read_tiles, tournament_points, tournament_winners
from .sheet import CubesSheet, Outcome, problems, rules
from .word_lists import list_in
from .word_sheets import FiveThrows, Rounds

T = TypeVar("T")
# The start of a field id with the number of its player.
_PLAYER = re.compile(r"((?:players|claimed|lines|rounds\.\d+\.(?:words|claimed|bonus))\.)(\d+)(?=\.|$)")
_ROUND = re.compile(r"rounds\.(\d+)")
_SHARED = ("set", "strip", "tournament", "ended", "words_from")  # what the pads of one game have in common


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


def one_game(sheets: Sequence[CubesSheet]) -> tuple[FilledSheet, list[Pad]]:
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
        entries={
            name: tuple(sorted(ids, key=lambda entry: [int(part) for part in entry.split(".") if part.isdecimal()]))
            for name, ids in entries.items()
        },
        rows={name: tuple(sorted(numbers)) for name, numbers in rows.items()},
        extra=next((pad.sheet.extra for pad in pads if pad.sheet.extra), first.extra),
    )


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
            player, rounds = self.pad.player, game.rounds[: self.pad.end]
            points = sum(played.points.get(player, 0) + played.bonus.get(player, 0) for played in rounds)
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


class GameResults(Struct, frozen=True):
    """The results of one game of the tournament by player, with the places and points for them, and the players without
    a result. Players who share a place get the points of the higher one."""

    id: str
    label: str
    results: Mapping[int, int]
    places: Mapping[int, int]
    points: Mapping[int, int]
    missing: list[int]

    @property
    def over(self) -> bool:
        return bool(self.results) and not self.missing


class Tournament(CubesSheet):
    """A tournament sheet, with its three games by name."""

    @cached_property
    def games(self) -> dict[str, GameResults]:
        return {name: self._game(name) for name in ("one-by-one", "all-together", "last-die")}

    def _game(self, name: str) -> GameResults:
        numbers = {player: self.sheet.number(f"games.{name}.{player}") for player in self.players}
        results = {player: points for player, points in numbers.items() if points is not None}
        places = dict(zip(results, ranks((points,) for points in results.values()), strict=True))
        points = tournament_points(places, self.rules["tournament"]["points"])
        missing = [player for player, number in numbers.items() if number is None]
        return GameResults(f"games.{name}", name.replace("-", " "), results, places, points=points, missing=missing)

    def score_lines(self, player: int) -> Iterator[Line]:
        for game in self.games.values():
            text = "not played yet"
            if place := game.places.get(player):
                text = f"{ordinal(place)} place with {number_text(game.results[player])}"
            yield line_of(game.label, [Part(text, game.points.get(player, 0))])

    def sums(self) -> Iterator[WrittenSum]:
        yield from super().sums()
        for name, game in self.games.items():
            for player in self.players:
                field, right = f"awarded.{name}.{player}", f"scores {{}} for “{game.label}”"
                points, shown = game.points.get(player, 0), player in game.results
                yield self.sum_of(field, player, points, "claimed-awarded", right=right, shown=shown)

    @property
    def outcome(self) -> Outcome:
        if unfinished := next((game for game in self.games.values() if not game.over), None):
            return (), f"The tournament is not over: “{unfinished.label}” has no final result yet."
        game = self.games[self.rules["tournament"]["decided_by"]]
        winners, top = tournament_winners(self.totals, game.places), max(self.totals.values())
        others = [player for player, total in self.totals.items() if total == top and player not in winners]
        names = joined([*map(self.name, others)])
        return winners, f"The tie with {names} is decided by “{game.label}”." if others else ""

    def violations(self) -> Iterator[Violation]:
        for number, (name, game) in enumerate(self.games.items()):
            if game.over:
                target, best = self.target_of(name), max(game.results.values())
                leaders = [player for player, points in game.results.items() if points == best]
                where, won = f"{game.id}.{leaders[0]}", f"“{game.label}” is won with {number_text(best)}"
                if len(leaders) > 1:
                    names, fields = joined([*map(self.name, leaders)]), [f"{game.id}.{player}" for player in leaders]
                    yield rules["one-winner"](fields, f"{names} share the best result in “{game.label}”")
                if best < target:
                    yield rules["target-reached"](where, f"{won}, but its target is {target}")
                if name == "last-die" and best > target:
                    yield rules["played-on"](where, f"{won}, but it ends when a player has {target}")
            elif game.results:
                names, verb = joined([*map(self.name, game.missing)]), "has" if len(game.missing) == 1 else "have"
                yield rules["games-complete"](game.id, f"{names} {verb} no result in “{game.label}”")
            elif any(later.results for later in [*self.games.values()][number:]):
                yield rules["games-complete"](game.id, f"“{game.label}” is blank, but a later game is not")


_VIEWS: Mapping[str, type[CubesSheet]] = MappingProxyType(
    {
        "one-by-one": Rounds,
        "all-together": Rounds,
        "last-die": LastDie,
        "five-throws": FiveThrows,
        "tournament": Tournament,
    }
)


_FOR_ONE = ("one-by-one", "five-throws")  # the sheets that each player has a pad of


class RollingCubesRules(GameRules[CubesSheet | PadView]):
    rules = rules
    reading = Reading(extra=MappingProxyType({"words_from": str}), problems=problems, selects="mode")

    def words(self, game: Game) -> Mapping[int, bytes]:
        return list_in(game, "").blocks

    def reading_of(self, sheet: ScoreSheet) -> Reading:
        return replace(self.reading, paper=by_letters) if sheet.name == "last-die" else self.reading

    def read(self, sheet: FilledSheet) -> CubesSheet:
        return _VIEWS[sheet.sheet.name](sheet)

    def is_joint(self, view: CubesSheet | PadView) -> bool:
        return view.sheet.sheet.name in _FOR_ONE and isinstance(view, CubesSheet) and len(view.players) < 2

    def together(self, views: Sequence[CubesSheet | PadView]) -> Sequence[CubesSheet | PadView]:
        sheet, pads = one_game([view for view in views if isinstance(view, CubesSheet)])
        game = self.read(sheet)
        return [PadView(pad, game, pads[0].sheet) for pad in pads]

    def joint_score(self, views: Sequence[CubesSheet | PadView]) -> Result:
        return self.score(views[0])

    def violations(self, view: CubesSheet | PadView) -> Iterator[Violation]:
        if isinstance(view, PadView):
            yield from view.violations(self.violations(view.game))
            return
        yield from view.violations()
        if view.lacks_players:
            yield rules["two-players"](
                "players", f"{view.name(view.players[0])} is the only player, but this game needs two"
            )
        listed = view.sheet.rows.get("players", ())
        for player in listed:
            first = next(other for other in listed if view.name(other).casefold() == view.name(player).casefold())
            if first != player:
                fields = f"players.{player}", f"players.{first}"
                yield rules["names"](fields, f"two players are called {view.name(player)}")
        yield from wrong_sums(view.sheet, view.sums())

    def score(self, view: CubesSheet | PadView) -> Result:
        view = view.game if isinstance(view, PadView) else view
        scores = tuple(Score(view.name(player), tuple(lines)) for player, lines in view.lines.items())
        winners, remark = ((), "This game needs two or more players.") if view.lacks_players else view.outcome
        won = [player in winners for player in view.players]  # the winner of a tie is ranked first
        places = ranks((each.total, ahead) for each, ahead in zip(scores, won, strict=True))
        return Result(scores, places, tuple(map(view.name, winners)), remark, unit=view.unit, over=bool(winners))

    def sums(self, view: CubesSheet | PadView) -> Mapping[str, int]:
        if isinstance(view, PadView):
            return view.on_pad(self.sums(view.game))
        return {each.field: each.points for each in view.sums() if each.shown}

    def strokes(self, view: CubesSheet | PadView) -> Strokes:
        """Tiles are drawn as capitals and ≠, however they were typed, no word as a dash, points without a ringed bonus,
        and the letters of the last die on its trains."""
        if isinstance(view, PadView):
            return Strokes(marks=view.on_pad(self.strokes(view.game).marks))
        typed = (
            (name, view.sheet.text(name))
            for name in view.sheet.marks
            if name.rpartition(".")[2] in ("tiles", "letter") or ".throw." in name
        )
        rounds = view.rounds if isinstance(view, LastDie) else ()
        trains = {f"{played.id}.train": played.letters for played in rounds if played.letters}
        tiles = {name: read_tiles(text) or text for name, text in typed}
        return Strokes(marks=trains | tiles | view.bare_points | dict.fromkeys(view.no_words, "–"))


RULES: GameRules[CubesSheet | PadView] = RollingCubesRules()
