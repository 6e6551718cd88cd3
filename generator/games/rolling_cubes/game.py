"""The rules of Rolling Cubes for the judge: five sheets, each with its own view."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from msgspec.structs import replace

from ...model.game import ScoreSheet
from ...rules.book import Violation
from ...rules.results import Explanation, Line, Result, Score, Strokes, ranks
from ...sheets import FilledSheet, Reading
from ..base import GameRules, wrong_sums
from .last_die import LastDie, by_letters
from .play import read_tiles
from .sheet import CubesSheet, problems, rules
from .tournament import Tournament
from .word_sheets import FiveThrows, Rounds

_VIEWS: Mapping[str, type[CubesSheet]] = MappingProxyType(
    {
        "one-by-one": Rounds,
        "all-together": Rounds,
        "last-die": LastDie,
        "five-throws": FiveThrows,
        "tournament": Tournament,
    }
)


class RollingCubesRules(GameRules[CubesSheet]):
    """The rules of all five sheets."""

    rules = rules
    reading = Reading(extra=MappingProxyType({"words_from": str}), problems=problems, selects="mode")

    def reading_of(self, sheet: ScoreSheet) -> Reading:
        return replace(self.reading, paper=by_letters) if sheet.name == "last-die" else self.reading

    def read(self, sheet: FilledSheet) -> CubesSheet:
        return _VIEWS[sheet.sheet.name](sheet)

    def violations(self, view: CubesSheet) -> Iterator[Violation]:
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

    def score(self, view: CubesSheet) -> Result:
        scores = tuple(
            Score(view.name(player), tuple(Line(line.label, line.points) for line in lines))
            for player, lines in view.lines.items()
        )
        winners, remark = ((), "This game needs two or more players.") if view.lacks_players else view.outcome
        won = [player in winners for player in view.players]  # the winner of a tie is ranked first
        places = ranks((each.total, ahead) for each, ahead in zip(scores, won, strict=True))
        return Result(scores, places, tuple(map(view.name, winners)), remark, unit=view.unit, over=bool(winners))

    def explain(self, view: CubesSheet) -> Explanation:
        return ([line.parts for line in lines] for lines in view.lines.values())

    def sums(self, view: CubesSheet) -> Mapping[str, int]:
        return {each.field: each.points for each in view.sums() if each.shown}

    def strokes(self, view: CubesSheet) -> Strokes:
        """Tiles are drawn as capitals and ≠, however they were typed."""
        typed = (
            (name, view.sheet.text(name))
            for name in view.sheet.marks
            if name.rpartition(".")[2] in ("tiles", "letter") or ".throw." in name
        )
        return Strokes(marks={name: read_tiles(text) or text for name, text in typed})


RULES: GameRules[CubesSheet] = RollingCubesRules()
