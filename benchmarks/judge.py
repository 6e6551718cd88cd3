"""How many sheets per second the judge reads, checks and scores: `python benchmarks/judge.py [SHEETS] [--large N]`.

Random Upwards! sheets (all three options, with and without the event die, with drawn snakes and blocks; half of them
with claimed sums, some of which are wrong) and Rolling Cubes games of several rounds with their throws are written as
JSON Lines. Whole processes of `pencilbox score --format jsonl` judge them on one core; the time for a file with a
single sheet is reported separately as the start-up. Every figure is the median of five runs. `--large` also judges one
file of many sheets, and compares its peak memory with that of a tenth of them.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import Any

from generator import paths
from generator.expressions.functions import Box
from generator.games.rolling_cubes.play import Throw
from generator.games.rolling_cubes.word_lists import best, bundled
from generator.games.upwards.play import BlockShape, Boxes, Numbers, longest_snake, numbers
from generator.judging.judge import Judge
from generator.reading.load import load
from generator.rules.results import plain

SHEETS = 20_000
RUNS = 5
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"} | {
    "PYTHONPATH": str(paths.ROOT)
}
"""As in `measure.py`: processes keep their compiled code."""
AIMS = {"Upwards! sheets": 12_000, "Rolling Cubes words": 20_000}
NAMES = ["Ann", "Ben", "Cat", "Dan", "Eve", "Fay", "Gil", "Ida", "Jon", "Kay", "Liz", "Max"]
Sheet = dict[str, Any]


# ---- Upwards! -----------------------------------------------------------------------------------------------------


def upwards(rules: Numbers, rng: random.Random) -> Sheet:
    """A sheet as it may look at the end of a game."""
    event_die, option = rng.random() < 0.5, rng.choice(["rows", "snake", "blocks"])
    columns = [column(rules, rng, event_die) for _ in rules.columns]
    boxes = {(number, row): mark for number, marks in enumerate(columns) for row, mark in enumerate(marks)}
    numbered = {place: mark for place, mark in boxes.items() if mark != "o"}
    grid = [
        " ".join(str(boxes.get((number, row), ".")) for number in range(len(columns)))
        for row in range(rules.rows - 1, -1, -1)
    ]
    sheet: Sheet = {
        "game": "upwards",
        "player": rng.choice(NAMES),
        "option": option,
        "grid": grid,
        "reserve": [saved(rng) for _ in range(rng.randint(0, rules.dark))],
    }
    if event_die:
        sheet |= {
            "event_die": True,
            "extra_reserve": [rng.choice(["-", ".", saved(rng)]) for _ in range(rules.light)],
            "bonus_rows": sorted(rng.sample(range(1, rules.rows + 1), rng.randint(0, 3))),
        }
    if option == "snake" and rng.random() < 0.5:
        sheet["snake"] = [box_name(rules, place) for place in longest_snake(rules, numbered)]
    if option == "blocks":
        sheet["blocks"] = [
            {"shape": shape, "cells": [box_name(rules, place) for place in sorted(block)]}
            for shape, block in outlined(rules, numbered, rng)
        ]
    return sheet


def column(rules: Numbers, rng: random.Random, event_die: bool) -> list[Any]:
    """A column filled from the bottom, often in steps, with an occasional meteorite."""
    marks: list[Any] = [rng.randint(1, 6)]
    while len(marks) < rules.rows and rng.random() < 0.93:
        before = marks[-1] if marks[-1] != "o" else rng.randint(1, 6)
        number = rng.choice([rules.after[before], before, rng.randint(1, 6)])
        marks.append("o" if event_die and rng.random() < 0.08 else number)
    return marks


def saved(rng: random.Random) -> str:
    return f"{rng.randint(1, 6)}{rng.choice(['', 'x'])}"


def outlined(rules: Numbers, numbered: Mapping[Box, int], rng: random.Random) -> Iterator[Any]:
    """Blocks, one after another, for as long as one fits."""
    taken: set[Box] = set()
    for shape in rng.sample(rules.shapes, len(rules.shapes)):
        free = [block for block in placings(shape, numbered) if not block & taken]
        if free:
            taken |= (block := rng.choice(free))
            yield shape.name, block


def placings(shape: BlockShape, numbers: Mapping[Box, int]) -> Iterator[Boxes]:
    """Every way to lay the shape on boxes of one number."""
    for way in sorted(map(sorted, shape.orientations)):
        (a, b), *others = way
        for (column, row), number in numbers.items():
            if all(numbers.get((column - a + c, row - b + r)) == number for c, r in others):
                yield frozenset((column - a + c, row - b + r) for c, r in way)


def box_name(rules: Numbers, place: Box) -> str:
    return f"{rules.columns[place[0]]}{place[1] + 1}"


def claimed(rules: Numbers, sheet: Sheet, player: Mapping[str, Any], rng: random.Random) -> Sheet:
    """The sheet with all claimed sums filled in; one total in twenty is wrong."""
    points = {line["label"]: line["points"] for line in player["lines"]}
    rows = [row.split() for row in reversed(sheet["grid"])]
    marks = [[row[number] for row in rows] for number in range(len(rules.columns))]
    steps = [
        sum(below in "123456" and above == str(rules.after[int(below)]) for below, above in pairwise(column))
        for column in marks
    ]
    sums = {"columns": steps, "option": points[sheet["option"]], "total": player["total"] + (rng.random() < 0.05)}
    return sheet | {"claimed": sums | ({"bonus": points["bonus"]} if "bonus" in points else {})}


# ---- Rolling Cubes ------------------------------------------------------------------------------------------------


def found_words(rng: random.Random, throws: int = 400) -> list[tuple[dict[str, str], list[Any]]]:
    """Throws of all dice, each with its best words."""
    game = load("rolling_cubes")
    words = bundled(game.folder / game.rules["words"]["all"])
    dice = [(die.colour, die.faces) for die in game.components["dice"].cards for _ in range(die.copies)]
    throws_and_words = []
    for _ in range(throws):
        letters: dict[str, str] = {}
        for colour, faces in dice:
            letters[colour] = letters.get(colour, "") + rng.choice(faces)
        throws_and_words.append((letters, best(Throw(letters), words, game.rules, 12)))
    return throws_and_words


def rolling_cubes(pool: list[tuple[dict[str, str], list[Any]]], rng: random.Random) -> Sheet:
    """Two to four players and four to eight rounds; in half of the games, each player has their own throw."""
    players = rng.sample(NAMES, rng.randint(2, 4))
    alone = rng.random() < 0.5
    rounds: list[Sheet] = []
    for _ in range(rng.randint(4, 8)):
        shared = rng.choice(pool)
        words = {name: written(rng, *(rng.choice(pool) if alone else shared), alone) for name in players}
        rounds.append({"words": words} if alone else {"throw": shuffled(rng, shared[0]), "words": words})
    return {
        "game": "rolling_cubes",
        "mode": "one-by-one" if alone else "all-together",
        "players": players,
        "rounds": rounds,
    }


def written(rng: random.Random, throw: dict[str, str], words: list[Any], alone: bool) -> Any:
    if not words:
        return 0
    word = rng.choice(words)
    return ({"throw": shuffled(rng, throw)} if alone else {}) | {"tiles": word.tiles, "word": word.word}


def shuffled(rng: random.Random, throw: dict[str, str]) -> dict[str, str]:
    return {colour: "".join(rng.sample(letters, len(letters))) for colour, letters in throw.items()}


def words_in(sheet: Sheet) -> int:
    return sum(word != 0 for round_ in sheet["rounds"] for word in round_["words"].values())


# ---- measuring ----------------------------------------------------------------------------------------------------


def answers(file: Path) -> Iterator[dict[str, Any]]:
    return map(plain, Judge().answers([str(file)]))


def write(file: Path, sheets: list[Sheet]) -> None:
    file.write_text("".join(json.dumps(sheet, ensure_ascii=False) + "\n" for sheet in sheets), "utf-8")


def process(file: Path) -> tuple[float, float]:
    """Processor time and peak memory in MiB of a whole process that judges the file."""
    arguments = [sys.executable, "-P", "-m", "generator", "score", "--format", "jsonl", str(file)]
    quiet = [(os.POSIX_SPAWN_OPEN, 1, os.devnull, os.O_WRONLY, 0)]
    child = os.posix_spawn(arguments[0], arguments, ENVIRONMENT, file_actions=quiet)
    _, _, used = os.wait4(child, 0)
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def measured(folder: Path, what: str, sheets: list[Sheet], count: int) -> None:
    """One line: how many of `count` things on these sheets are judged per second, with and without start-up."""
    single, whole = folder / "one.jsonl", folder / "all.jsonl"
    write(single, sheets[:1])
    write(whole, sheets)
    starts, wholes = zip(*((process(single)[0], process(whole)[0]) for _ in range(RUNS)), strict=True)
    start, whole = median(starts), median(wholes)
    print(
        f"{count:,} {what} on {len(sheets):,} sheets: {whole:.2f} s, of them {start:.2f} s start-up; "
        f"{count / whole:,.0f} a second, {count / (whole - start):,.0f} once started (aim: {AIMS[what]:,})"
    )


def large(folder: Path, sheets: list[Sheet], count: int) -> None:
    """How fast, and in how much memory, a file of `count` sheets is judged: these again and again, by other players."""
    used = {}
    for number in (count // 10, count):
        file = folder / "large.jsonl"
        with file.open("w", encoding="utf-8") as stream:
            for at in range(number):
                stream.write(json.dumps(sheets[at % len(sheets)] | {"player": f"Player {at}"}) + "\n")
        used[number] = process(file)
    (_, few), (took, many) = used.values()
    print(
        f"{count:,} sheets in one file: {count / took:,.0f} a second, at most {many:.1f} MiB; {few:.1f} MiB for a tenth"
    )


def upwards_sheets(folder: Path, count: int, rng: random.Random) -> list[Sheet]:
    rules = numbers(load("upwards"))
    drafts = [upwards(rules, rng) for _ in range(count)]
    write(folder / "drafts.jsonl", drafts)
    verdicts = list(answers(folder / "drafts.jsonl"))
    invalid = [answer for answer in verdicts if not answer["valid"]]
    assert not invalid, invalid[0]
    return [
        claimed(rules, sheet, answer["players"][0], rng) if rng.random() < 0.5 else sheet
        for sheet, answer in zip(drafts, verdicts, strict=True)
    ]


def main(count: int, many: int) -> None:
    rng = random.Random("the judge")
    start = time.perf_counter()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        grids = upwards_sheets(folder, count, rng)
        pool = found_words(rng)
        games = [rolling_cubes(pool, rng) for _ in range(count // 8)]
        print(f"Python {sys.version.split()[0]}; the sheets were created in {time.perf_counter() - start:.0f} s")
        measured(folder, "Upwards! sheets", grids, len(grids))
        measured(folder, "Rolling Cubes words", games, sum(map(words_in, games)))
        if many:
            large(folder, grids, many)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition(":")[0])
    parser.add_argument("sheets", type=int, nargs="?", default=SHEETS, help="Upwards! sheets to judge")
    parser.add_argument("--large", type=int, default=0, metavar="SHEETS", help="also judge one file of this many")
    options = parser.parse_args()
    main(options.sheets, options.large)
