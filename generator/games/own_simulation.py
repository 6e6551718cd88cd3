"""Simulates your own game as far as its score sheet allows: every box is filled in at random, within the rules in YAML.

Players make no decisions in such a game. It shows how the score lines compare, how far apart the players finish, and
how often they tie. First a sheet is filled in at random, and rows that must rise or fall are sorted; then boxes that
break a check are filled in again until none does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ..draws import Chance, Deck
from ..errors import Place, Problem, fault, refuse
from ..model.game import FieldFile, Game, ScoreSheet
from ..model.values import Span
from ..rules import scoring
from ..rules.stated import StatedRules
from ..sheets import FilledSheet
from .own_code import own_simulation_class
from .simulation import FinishedGame, Sheet, SimulatedGame, Simulation

_PLAYERS = 4  # the maximum number of players if neither the game nor its sheet states one

REPAIRS = 150
"""How many times boxes of a sheet are filled in again before the game is abandoned."""
TRIED = 10
"""Sheets that are tried before any game is played."""
DIE = range(1, 7)
MAX_SPAN = 1_000_000
Marks = dict[str, Any]


class OwnGame(SimulatedGame[bool]):
    """One sheet. Its only move is to fill it in."""

    def __init__(self, simulation: OwnSimulation, chance: Chance) -> None:
        super().__init__(chance)
        self.simulation = simulation
        self.filled: FilledSheet | None = None

    def choices(self) -> Sequence[bool]:
        return () if self.filled else (True,)

    def do(self, move: bool) -> None:
        self.filled, self.broken = self.simulation.fill_in(self.chance)

    def gain(self, move: bool) -> int:
        return 0

    def result(self) -> FinishedGame:
        if self.filled is None or self.broken:
            return FinishedGame(0, (0,) * self.simulation.players, (), ended=False)
        scored = scoring.score(self.filled)
        winners = tuple(seat for seat, rank in enumerate(scored.ranks) if rank == 1)
        counts = tuple((line.label, line.points) for score in scored.scores for line in score.lines)
        return FinishedGame(1, tuple(score.total for score in scored.scores), winners, counts=counts)

    def sheets(self, names: Sequence[str]) -> list[Sheet]:
        assert self.filled
        marks = {**self.filled.marks, **self.simulation.names(names)}
        plain = {key: self.simulation.plain(key, spec, marks) for key, spec in self.simulation.fields.items()}
        return [{"sheet": self.simulation.sheet.name, **plain}]


class OwnSimulation(Simulation):
    """A score sheet of your own game, filled in at random."""

    unit = "filled-in sheet"
    variants = ("random-sheets",)
    has_turns = False
    strategies = ("random",)

    def __init__(self, game: Game, deck: Deck, players: int, variant: str) -> None:
        super().__init__(game, deck, players, variant)
        self.sheet = game.sheets[game.judged or ""]
        self.fields = self.sheet.definition.fields
        self.counts = tuple(dict.fromkeys(line.label for line in self.sheet.definition.score))
        self.stated = StatedRules(self.sheet)
        patterns = [re.escape(claim.target.pattern) for claim in scoring.rules_of(self.sheet).claims]
        self.claimed = re.compile("|".join(patterns).replace(r"\*", r"[^.]*"))
        self.cards = tuple(card.id for name in deck.cards for card in deck.cards[name])
        self.by_id = {card.id: card for cards in deck.cards.values() for card in cards}
        self.entries: dict[str, tuple[str, ...]] = {}
        self.boxes = dict(box for key, spec in self.fields.items() for box in self.expanded(key, spec))
        self.fixed = self.names([f"Player {number}" for number in range(1, players + 1)])
        for name in self.fixed:
            self.boxes.pop(name, None)
        self.refuse_impossible()

    @classmethod
    def players_with(cls, game: Game, deck: Deck) -> tuple[int, ...]:
        definition = game.sheets[game.judged or ""].definition
        group = definition.fields.get(definition.players or "")
        most = group.most or group.repeat if group else 1
        span = game.definition.players or Span(1, most or _PLAYERS)
        return tuple(range(span.low, min(span.high, most or span.high) + 1)) if group else (1,)

    def begin(self, chance: Chance, keep: bool = False) -> OwnGame:
        return OwnGame(self, chance)

    # ---- the boxes

    def expanded(self, name: str, spec: FieldFile) -> Iterator[tuple[str, FieldFile]]:
        """The boxes of a part of the sheet by their ids; those of totals that players write stay blank."""
        if name.split(".")[-1] == "claimed":
            return
        if spec.fields is None:
            numbers = range(1, spec.count + 1) if spec.count else ()
            yield from [(f"{name}.{number}", spec) for number in numbers] or [(name, spec)]
            return
        parts = [name]
        if spec.repeat is not None:
            is_players = name == self.sheet.definition.players
            parts = [f"{name}.{number}" for number in range(1, (self.players if is_players else spec.repeat) + 1)]
            self.entries[name] = tuple(parts)
        for part in parts:
            for key, inner in spec.fields.items():
                yield from self.expanded(f"{part}.{key}", inner)

    def names(self, names: Sequence[str]) -> dict[str, str]:
        """The players' names by the boxes that hold them."""
        group = self.entries.get(self.sheet.definition.players or "", ())
        return {f"{entry}.name": name for entry, name in zip(group, names, strict=False)}

    def fill_in(self, chance: Chance) -> tuple[FilledSheet, Counter[str]]:
        """A sheet filled in at random, and how often each rule was broken if it is still broken at the end."""
        marks: Marks = dict(self.fixed)
        cards = iter(chance.shuffled(self.cards))
        for name, spec in self.boxes.items():
            if not self.claimed.fullmatch(name):
                value = next(cards, None) if spec.kind == "card" else drawn_mark(spec, chance)
                if value is not None:
                    marks[name] = value
        broken: Counter[str] = Counter()
        for _ in range(REPAIRS):
            self.sort_rows(marks)
            filled = self.filled(marks)
            faults = [each for each in self.stated.violations(filled) if each.rule.severity == "error"]
            if not faults:
                return filled, Counter()
            broken.update(each.rule.id for each in faults)
            for each in faults:
                self.repair(marks, each.where, chance)
        return self.filled(marks), broken

    def sort_rows(self, marks: Marks) -> None:
        """Sorts the numbers of rows that must rise or fall."""
        checks = [check for check in scoring.rules_of(self.sheet).checks if check.kind in ("rising", "falling")]
        if not checks:
            return
        table = scoring.Table(self.filled(marks))
        for check in checks:
            for player in table.everyone:
                for term in check.terms:
                    names = [name for name in term.ids(player) if name in self.boxes and name in marks]
                    numbers = sorted([marks[name] for name in names], reverse=check.kind == "falling")
                    marks.update(zip(names, numbers, strict=True))

    def repair(self, marks: Marks, where: Sequence[str], chance: Chance) -> None:
        """Fills in again one of the boxes that a broken rule names, or all if it names none that can be filled in."""
        ids = [name for name in where if name in self.boxes and self.boxes[name].kind != "card"]
        ids = ids or [name for part in where for name in self.boxes if name.startswith(f"{part}.")]
        for name in [chance.choice(ids)] if ids else self.boxes:
            if name in marks or self.boxes[name].kind == "tick":
                value = drawn_mark(self.boxes[name], chance)
                marks.pop(name, None)
                if value is not None:
                    marks[name] = value

    def filled(self, marks: Marks) -> FilledSheet:
        rows: dict[str, list[int]] = {}
        for name in marks:
            if name in self.boxes and self.boxes[name].count:
                row, _, number = name.rpartition(".")
                rows.setdefault(row, []).append(int(number))
        people = {name.removesuffix(".name"): str(marks[name]) for name in self.fixed}
        return FilledSheet(
            self.game,
            self.sheet,
            Place(""),
            cards=self.by_id,
            marks=dict(marks),
            entries=self.entries,
            rows={name: tuple(sorted(numbers)) for name, numbers in rows.items()},
            people=people,
        )

    def refuse_impossible(self) -> None:
        """Raises InputError if no legal sheet is found."""
        broken: Counter[str] = Counter()
        for seed in range(TRIED):
            faults = self.fill_in(Chance(seed))[1]
            if not faults:
                return
            broken += faults
        rule = next(each for each in self.stated.rules.rules if each.id == broken.most_common(1)[0][0])
        raise fault(
            f"{self.game.title} cannot be simulated: no sheet filled in at random meets its checks",
            None,
            f"the rule that is broken most often is “{rule.id}”: {rule.text}",
        )

    def plain(self, name: str, spec: FieldFile, marks: Mapping[str, Any]) -> Any:
        """A part of a filled-in sheet as it is typed."""
        if spec.fields is not None:
            groups = [
                {key: self.plain(f"{part}.{key}", inner, marks) for key, inner in spec.fields.items()}
                for part in self.entries.get(name, (name,))
            ]
            return groups if name in self.entries else groups[0]
        if spec.count:
            return [_typed(marks.get(f"{name}.{number}")) for number in range(1, spec.count + 1)]
        return _typed(marks.get(name))


def own_simulation(game: Game) -> type[Simulation]:
    """The simulation of your own game: the one in its rules.py, if that is trusted, or else one that follows its YAML.
    Raises InputError with every reason why it is impossible."""
    if own := own_simulation_class(game):
        return own
    refuse(_obstacles(game))
    return OwnSimulation


def drawn_mark(spec: FieldFile, chance: Chance) -> Any:
    """A random mark that the box can hold, all equally likely; None for a blank."""
    if spec.kind == "tick":
        return chance.below(2) == 1 or None
    if spec.kind == "choice":
        return chance.choice(spec.choices)
    if spec.kind in ("number", "die"):
        return chance.choice(range(spec.span.low, spec.span.high + 1) if spec.span else DIE)
    return None


# ---- why a game cannot be simulated ----------------------------------------------------------------------------------


def _obstacles(game: Game) -> Iterator[Problem]:
    """Why no legal sheet of a game can be filled in at random."""
    title = f"{game.title} cannot be simulated"
    if (game.folder / "rules.py").is_file():
        hint = "if it also defines a Simulation, add --trust-code"
        if game.trusted_code:
            hint = "define a class that extends Simulation in it; docs/python_rules.md shows how"
        yield Problem(f"{title}: its rules are in rules.py", hint=hint)
        return
    sheet = game.sheets.get(game.judged or "")
    if sheet is None:
        yield Problem(f"{title}: it has no score sheet", hint="simulated games fill one in at random")
        return
    if not sheet.definition.score:
        yield Problem(f"{title}: its score sheet has no “score”", sheet.definition.place)
    for name, spec in _plain_fields(sheet.definition.fields, ""):
        yield from _obstacle(title, name, spec, sheet, game=game)


def _obstacle(title: str, name: str, spec: FieldFile, sheet: ScoreSheet, game: Game) -> Iterator[Problem]:
    if name.split(".")[0] == sheet.definition.players and name.split(".")[1:] == ["name"]:
        return
    is_claimed = name in [total.total.replace(".*", "") for total in sheet.definition.sums]
    if spec.kind == "number" and spec.span is None and not is_claimed:
        yield Problem(f"{title}: “{name}” may be any number", spec.place, "give it a “span” such as 0-30")
    elif spec.kind == "number" and spec.span and spec.span.high - spec.span.low > MAX_SPAN:
        yield Problem(f"{title}: the span of “{name}” has more than {MAX_SPAN:,} numbers", spec.place)
    elif spec.kind in ("text", "code") and spec.required:
        hint = "make it a choice, or leave out “required” so that it may stay blank"
        yield Problem(f"{title}: “{name}” is a required text, which cannot be filled in at random", spec.place, hint)
    elif spec.kind == "card" and not any(part.kind == "deck" for part in game.components.values()):
        yield Problem(f"{title}: “{name}” needs a card, but the game has no deck", spec.place)


def _plain_fields(fields: Mapping[str, FieldFile], prefix: str) -> Iterator[tuple[str, FieldFile]]:
    for key, spec in fields.items():
        if spec.fields is None:
            yield prefix + key, spec
        elif key != "claimed":
            yield from _plain_fields(spec.fields, f"{prefix}{key}.")


def _typed(value: Any) -> Any:
    return "." if value is None else "x" if value is True else value
