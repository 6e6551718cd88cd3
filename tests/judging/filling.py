"""Filled-in sheets, turned back into the answers that a person would type for them."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from generator import games
from generator.definitions.load import load
from generator.judging.filler import sheet_filler
from generator.judging.questions import Transcript
from generator.judging.typed_lines import of_node
from generator.judging.writing import flow
from generator.sheets import documents

GOOD = sorted(
    path for key in games.SHIPPED for path in (Path(__file__).parents[1] / "games" / key / "good").rglob("*.yaml")
)
STYLES = ["flow", "keyed", "placed"]


def document(path):
    """The file as plain data, dotted keys in their places."""
    (found,) = documents(BytesIO(path.read_bytes()), str(path))
    said = of_node(found.data)
    first_keys = set(said)
    for key in [key for key in said if "." in key and key.split(".")[0] not in first_keys]:
        first, *inner, last = key.split(".")
        place = said.setdefault(first, {})
        for step in inner:
            place = place.setdefault(step, {})
        place[last] = said.pop(key)
    return said


@cache
def game_of(key):
    return load(key)


def filler_of(said, path="sheet.yaml"):
    game = game_of(said["game"])
    return sheet_filler(game, said.get("sheet") or said.get("mode"), str(path))


def transcript(taker, said, style="flow", look=lambda before, text: None):
    """Answers every question from the document; `look` is asked before each of them is given."""
    made = Transcript(taker.form)
    while (question := made.progress().question) is not None:
        text = answer(question, said, style)
        look(made, text)
        made = made.answered(text)
    return made


def answer(question, said, style):
    """What is typed for a question, in one of the ways to type it."""
    found = looked_up(question, said)
    if question.kind == "more":
        return "" if found is None else "y"
    if question.kind == "row":
        return grid_row(question, found)
    if found is None or found == []:
        return ""
    shape = question.shape
    if shape.kind in ("row", "ticks") and isinstance(found, list):
        return ", ".join(map(quoted, found)) if style == "flow" else " ".join(map(quoted, found))
    if isinstance(found, str):
        return found
    return flow(found) if style == "flow" or shape.kind != "group" else line(shape, found, style)


def looked_up(question, said):
    """What the document has where the answer goes; ticks and outlined blocks share a key."""
    found = said
    for step in (question.shape.key,) if question.shape.kind == "ticks" else question.at:
        if isinstance(found, list):
            found = found[step - 1] if isinstance(step, int) and step <= len(found) else None
        else:
            names = said.get("players", [])
            number = str(names.index(step) + 1) if step in names else ""
            found = found.get(str(step), found.get(number)) if isinstance(found, dict) else None
        if isinstance(found, list) and question.shape.key == "blocks":
            wanted = str if question.shape.kind == "ticks" else dict
            found = [one for one in found if isinstance(one, wanted)] or None
    ticked = [key.partition(".")[2] for key in said if key.startswith(f"{question.shape.key}.")]
    return ticked or None if question.shape.kind == "ticks" and ticked else found


def grid_row(question, found):
    shape = question.shape
    rows = len(shape.inner) // shape.across
    number = [part.key for part in shape.inner].index(question.id.rpartition(".")[2]) // shape.across
    typed = [""] * (rows - len(found or [])) + (found or [])
    return typed[number]


def line(shape, found, style):
    """The parts of a line: all with their keys, or first those that need none."""
    places = [part.key for part in shape.places]
    last = max((places.index(key) for key in found if key in places and found[key] != []), default=-1)
    placed = places[: last + 1] if style == "placed" else []
    loose = [marks(shape.part(key), found.get(key, "")) for key in placed]
    keyed = [f"{key}: {marks(shape.part(key), value)}" for key, value in found.items() if key not in placed]
    return ", ".join([*loose, *keyed, ""])


def marks(shape, value):
    if shape.kind == "row" and isinstance(value, str):
        return value
    if isinstance(value, list) and all(isinstance(one, str) for one in value):
        return " ".join(map(quoted, value))
    return quoted(value) if isinstance(value, str) else flow(value)


def quoted(text):
    return f'"{text}"' if " " in text or "," in text else text


ORCHARD_GAME = """
title: Orchard
prefix: OR
players: 1-4
components:
  sheet: {kind: sheet, title: Sheet, sheet: sheet.yaml, face: sheet}
"""
ORCHARD_SHEET = """
title: Orchard sheet
fields:
  names: {kind: text, label: Gardener, count: 3}
  weather: {kind: choice, choices: [sun, rain]}
  map:
    across: 3
    fields: {a2: {kind: choice, choices: [x, o]}, b2: {kind: die}, c2: {kind: number},
             a1: {kind: choice, choices: [x, o]}, b1: {kind: die}, c1: {kind: number}}
  trees:
    repeat: 4
    fields:
      kind: {kind: text, required: true}
      years:
        repeat: 3
        fields: {year: {kind: number, span: 1-9}, fruit: {kind: number, count: 4}, rotten: {kind: tick, paper: false}}
  visits:
    repeat: 3
    fields:
      weeks: {repeat: 2, fields: {day: {kind: number}, rain: {kind: tick}}}
      points: {kind: number, count: 3, by: names}
  store: {by: names, repeat: 3, fields: {apples: {kind: number}, plums: {kind: number}}}
  tools: {fields: {rake: {kind: tick}, saw: {kind: tick}}}
  secret: {kind: text, paper: false}
  claimed: {fields: {total: {kind: number}}}
"""


def orchard(folder):
    """Who takes down the sheet of a person's own game, with fields of every kind, in this folder."""
    (folder / "game.yaml").write_text(ORCHARD_GAME)
    (folder / "sheet.yaml").write_text(ORCHARD_SHEET)
    return sheet_filler(load(folder), None, str(folder / "filled.yaml"))
