"""Filled-in sheets of every game, as simulated players write them, by the ids of the fields on paper.

A game is played by its rules; what `scored_copies` would draw onto its sheets is what its players wrote. They add up
some of the sums, a few of them wrongly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
from msgspec import Struct
from numpy.random import Generator

from generator import nodes
from generator.draws import Chance
from generator.errors import Place
from generator.games.simulation import as_typed
from generator.judging.judge import Judge
from generator.pages.field_map import FieldMap, MappedField
from generator.printing.scored_copies import copy
from generator.rules.results import Judged
from generator.sheets import Document
from generator.simulation.simulate import STRATEGIES, prepare, seed_of
from tests.photo.hands import Hand, Line

SHEETS: dict[tuple[str, str], tuple[str, ...]] = {
    ("cosmic_consequences", "log"): ("standard", "race"),
    ("elevator_up", "log"): ("standard",),
    ("elevator_up", "tally"): (),
    ("from_the_ground_up", "table"): ("standard", "stall"),
    ("from_the_ground_up", "tally"): (),
    ("rolling_cubes", "one-by-one"): ("one-by-one",),
    ("rolling_cubes", "all-together"): ("all-together",),
    ("rolling_cubes", "five-throws"): ("five-throws",),
    ("rolling_cubes", "last-die"): ("last-die",),
    ("rolling_cubes", "tournament"): ("tournament",),
    ("upwards", "sheet"): ("rows", "snake", "blocks", "rows+event-die", "snake+event-die", "blocks+event-die"),
}
"""The sheets that come with Pencilbox, with the variants of the games that fill them in; tallies need none."""
_NAMES = """
    Ann Ben Cat Dan Eva Finn Gül Ida Jon Kim Lea Max Nora Olaf Pia Quinn Rosa Sam Tim Uwe Vera Will Yara Zoe Anna Marie
    Jonas Felix Greta Oskar Paul Luisa Emil Clara Hugo Frida Anton Lotte Theo Mila David Sarah Thomas Sabine Martin
    Mama Papa Oma Opa Steffi Chris Alex
"""
NAMES = _NAMES.split()
_SIGNS = str.maketrans({"−": "-", "–": "-", "○": "o"})


class FilledIn(Struct, frozen=True):
    """A filled-in sheet: its `marks` by field, lines drawn from field to field and outlines drawn around fields."""

    game: str
    sheet: str
    marks: dict[str, str]
    lines: tuple[tuple[str, ...], ...] = ()
    outlines: tuple[tuple[str, ...], ...] = ()

    def drawn(self, page: int) -> Callable[[Hand, FieldMap], list[Line]]:
        """Draws its lines and outlines on a page."""

        def drawing(hand: Hand, fields: FieldMap) -> list[Line]:
            boxes = {field.id: field for field in fields.fields if field.page == page}
            lines = [name for name in self.lines if name[0] in boxes]
            middles = [[_middle(boxes[name]) for name in line] for line in lines]
            shapes = [[boxes[name] for name in outline] for outline in self.outlines if outline[0] in boxes]
            return [
                *(stroke for points in middles for stroke in hand.drawn(points)),
                *(stroke for shape in shapes for points in _around(shape) for stroke in hand.drawn(points, True)),
            ]

        return drawing


def _middle(box: MappedField) -> tuple[float, float]:
    return box.x + box.width / 2, box.y + box.height / 2


def _around(boxes: Sequence[MappedField]) -> Iterator[list[tuple[float, float]]]:
    """The outline of boxes of a grid that touch each other, a little inside their edges."""
    width, height = boxes[0].width, boxes[0].height
    left, top = min(box.x for box in boxes), min(box.y for box in boxes)
    places = {(round((box.x - left) / width), round((box.y - top) / height)) for box in boxes}
    edges = {}
    for x, y in places:
        for start, end, beyond in (
            ((x, y), (x + 1, y), (x, y - 1)),
            ((x + 1, y), (x + 1, y + 1), (x + 1, y)),
            ((x + 1, y + 1), (x, y + 1), (x, y + 1)),
            ((x, y + 1), (x, y), (x - 1, y)),
        ):
            if beyond not in places:
                edges[start] = end
    while edges:
        start = next(iter(edges))
        path = [start]
        while (following := edges.pop(path[-1], None)) and following != start:
            path.append(following)
        yield [(left + x * width, top + y * height) for x, y in path]


def filled_in(game: str, sheet: str, seed: int, *, mistakes: float = 0.05, share: float = 1.0) -> FilledIn:
    """A sheet as it is when a game is over, or only the first `share` of its marks. A sum is wrong with the probability
    `mistakes`."""
    rng = np.random.default_rng((seed, 11))
    variants = SHEETS[game, sheet]
    if not variants:
        return _tally(game, sheet, rng, mistakes)
    return _played(game, sheet, str(rng.choice(variants)), rng, mistakes, share)


def _played(game: str, sheet: str, variant: str, rng: Generator, mistakes: float, share: float) -> FilledIn:
    kind = prepare(game, None, 2, variant)
    allowed = kind.players_with(kind.game, kind.deck)
    players = max(int(rng.choice(allowed)), min(2, allowed[-1]))
    simulation = prepare(game, None, players, variant)
    played = simulation.begin(Chance(seed_of(str(rng.integers(1 << 30)), 1)), True)
    strategy = STRATEGIES[str(rng.choice(simulation.strategies))]
    for _ in range(min(simulation.longest, 200)):
        choices = played.choices()
        if not choices:
            break
        played.do(strategy(played, choices, played.chance))
    names = list(rng.choice(NAMES, players, replace=False))
    typed = played.sheets(names)
    answer = _answer(as_typed(typed[int(rng.integers(len(typed)))]))
    copies = [each for each in copy(answer).sheets if each[0] == sheet]
    _, writing = copies[int(rng.integers(len(copies)))]
    strokes = answer.copied[0].strokes
    sums = _added_up(writing.sums, rng)
    marks = {name: _on_paper(name, text, names) for name, text in (*writing.marks.items(), *sums.items())}
    marks = {name: text for name, text in marks.items() if text and not (name.endswith("rethrown") and text == "0")}
    if share < 1:
        marks = dict(list(marks.items())[: round(len(marks) * share)])
    return FilledIn(game, sheet, _with_mistakes(marks, rng, mistakes), strokes.lines, strokes.outlines)


def _answer(sheet: dict[str, Any]) -> Judged:
    judge, place = Judge(copies=True), Place("sheet")
    if sheet.get("option") == "snake":
        view: Any = judge.read(_document(sheet), "").view  # type: ignore[union-attr]
        sheet = {**sheet, "snake": [view.numbers.box_name(box) for box in view.counted_snake]}
    answer = judge.answer(_document(sheet), place.file)
    assert isinstance(answer, Judged), answer
    return answer


def _document(sheet: Mapping[str, Any]) -> Document:
    place = Place("sheet")
    return Document(nodes.from_plain(_texts(sheet), place), place)


def _texts(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _texts(inner) for key, inner in value.items() if inner not in ("", [], {})}
    if isinstance(value, list | tuple):
        return [_texts(inner) for inner in value]
    return value if value is None or isinstance(value, bool | str) else str(value)


def _added_up(sums: Mapping[str, str], rng: Generator) -> dict[str, str]:
    """The sums that the players wrote: most write all of them, some none."""
    kept = rng.choice([1.0, 0.6, 0.0], p=[0.75, 0.15, 0.1])
    return {name: text for name, text in sums.items() if rng.random() < kept or not _is_sum(name)}


def _is_sum(name: str) -> bool:
    return "claimed" in name or name.startswith("awarded")


def _on_paper(name: str, text: str, names: Sequence[str]) -> str:
    """A mark as it is written on paper: a player in a small box by the number."""
    text = text.translate(_SIGNS)
    is_seat = name.rpartition(".")[2] in ("player", "by", "stuck", "winner") and "." in name
    return str(names.index(text) + 1) if is_seat and text in names else text


def _with_mistakes(marks: dict[str, str], rng: Generator, mistakes: float) -> dict[str, str]:
    return {
        name: _wrong(text, rng) if _is_sum(name) and rng.random() < mistakes else text for name, text in marks.items()
    }


def _wrong(text: str, rng: Generator) -> str:
    if not text.lstrip("-").isdecimal():
        return text
    wrong = [str(int(text) + slip) for slip in (-10, -2, -1, 1, 2, 10)]
    alike = [other for other in wrong if len(other) == len(text) and other.startswith("-") == text.startswith("-")]
    return str(rng.choice(alike)) if alike else text


def _tally(game: str, sheet: str, rng: Generator, mistakes: float) -> FilledIn:
    """Results of several games."""
    is_elevator = game == "elevator_up"
    players, games = int(rng.integers(2, 6)), int(rng.integers(1, 16 if is_elevator else 11))
    names = rng.choice(NAMES, players, replace=False)
    marks = {f"players.{number}.name": str(name) for number, name in enumerate(names, 1)}
    day, month = rng.integers(1, 29), rng.integers(1, 13)
    marks["date"] = f"{day}.{month}.26"
    totals = dict.fromkeys(range(1, players + 1), 0)
    for number in range(1, games + 1):
        winner = int(rng.integers(1, players + 1))
        for player in totals:
            points = int(rng.normal(-8, 9)) if player != winner else int(rng.integers(0, 15))
            if is_elevator and player == winner:
                marks[f"players.{player}.wins.{number}"] = "x"
                totals[player] += 1
            elif not is_elevator:
                marks[f"players.{player}.games.{number}"] = str(max(points, -60))
                totals[player] += max(points, -60)
    marks |= {f"players.{player}.claimed.total": str(total) for player, total in totals.items()}
    return FilledIn(game, sheet, _with_mistakes(marks, rng, mistakes))
