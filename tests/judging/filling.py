"""Turns filled-in sheets back into the answers that a person would type."""

from __future__ import annotations

from functools import cache
from io import BytesIO
from pathlib import Path

from generator import games
from generator.judging.questions import Transcript, sheet_filler
from generator.reading.load import load
from generator.sheets import documents
from generator.sheets.typed_lines import flow, of_node

GOOD = sorted(
    path for key in games.SHIPPED for path in (Path(__file__).parents[1] / "games" / key / "good").rglob("*.yaml")
)
STYLES = ["flow", "keyed", "placed"]


def document(path):
    """The file as plain data, with dotted keys expanded."""
    (sheet,) = documents(BytesIO(path.read_bytes()), str(path))
    data = of_node(sheet.data)
    first_keys = set(data)
    for key in [key for key in data if "." in key and key.split(".")[0] not in first_keys]:
        first, *inner, last = key.split(".")
        place = data.setdefault(first, {})
        for step in inner:
            place = place.setdefault(step, {})
        place[last] = data.pop(key)
    return data


@cache
def game_of(key):
    return load(key)


def filler_of(data, path="sheet.yaml"):
    game = game_of(data["game"])
    return sheet_filler(game, data.get("sheet") or data.get("mode"), str(path))


def transcript(filler, data, style="flow", look=lambda before, text: None):
    """Answers every question from the document; calls `look` before each answer."""
    typed_so_far = Transcript(filler.form)
    while (question := typed_so_far.progress().question) is not None:
        text = answer(question, data, style)
        look(typed_so_far, text)
        typed_so_far = typed_so_far.answered(text)
    return typed_so_far


def answer(question, data, style):
    """The answer to a question, typed in one of the styles."""
    value = value_for(question, data)
    if question.kind == "more":
        return "" if value is None else "y"
    if question.kind == "row":
        return grid_row(question, value)
    if value is None or value == []:
        return ""
    part = question.part
    if part.kind == "row" and part.tick and len(value) == 1:
        return flow(value)
    if part.kind in ("row", "ticks") and isinstance(value, list):
        return ", ".join(map(quoted, value)) if style == "flow" else " ".join(map(quoted, value))
    if isinstance(value, str):
        is_box = value.isdecimal() and any(each.kind == "row" and each.tick for each in (part, *part.inner))
        return f"[{value}]" if is_box else value
    return flow(value) if style == "flow" or part.kind != "group" else line(part, value, style)


def value_for(question, data):
    """The value in the document for a question; ticks and outlined blocks share a key."""
    value = data
    for step in (question.part.key,) if question.part.kind == "ticks" else question.at:
        if isinstance(value, list):
            value = value[step - 1] if isinstance(step, int) and step <= len(value) else None
        else:
            names = data.get("players", [])
            number = str(names.index(step) + 1) if step in names else ""
            value = value.get(str(step), value.get(number)) if isinstance(value, dict) else None
        if isinstance(value, list) and question.part.key == "blocks":
            kind = str if question.part.kind == "ticks" else dict
            value = [entry for entry in value if isinstance(entry, kind)] or None
    ticked = [key.partition(".")[2] for key in data if key.startswith(f"{question.part.key}.")]
    return ticked or None if question.part.kind == "ticks" and ticked else value


def grid_row(question, value):
    part = question.part
    rows = len(part.inner) // part.spec.across
    number = [part.key for part in part.inner].index(question.id.rpartition(".")[2]) // part.spec.across
    typed = [""] * (rows - len(value or [])) + (value or [])
    return typed[number]


def line(part, value, style):
    """The parts of a line: all with their keys, or first the parts that need none."""
    places = [part.key for part in part.places]
    last = max((places.index(key) for key in value if key in places and value[key] != []), default=-1)
    placed = places[: last + 1] if style == "placed" else []
    loose = [marks(part[key], value.get(key, "")) for key in placed]
    keyed = [f"{key}: {marks(part[key], mark)}" for key, mark in value.items() if key not in placed]
    return ", ".join([*loose, *keyed, ""])


def marks(part, value):
    if part.kind == "row" and isinstance(value, str):
        return value
    if (
        isinstance(value, list)
        and all(isinstance(entry, str) for entry in value)
        and not (part.tick and len(value) == 1)
    ):
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
    """A filler for the sheet of your own game in this folder, with fields of every kind."""
    (folder / "game.yaml").write_text(ORCHARD_GAME)
    (folder / "sheet.yaml").write_text(ORCHARD_SHEET)
    return sheet_filler(load(folder), None, str(folder / "filled.yaml"))
