"""Generates JSON Schemas for the definition files, which editors use for completion, from the annotations that
also read the files."""

from __future__ import annotations

import collections.abc
import inspect
import json
import sys
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

from generator.model import values
from generator.model.board import BoardFile
from generator.model.game import (
    BalanceFile,
    CardsFile,
    DiceFile,
    GameFile,
    SetsFile,
    SheetFile,
    ThemeFile,
)
from generator.reading.targets import TargetsFile
from generator.reading.typed import hints, keys, note_of, optional, required_keys

PUBLISHED: dict[str, type] = {
    "game": GameFile,
    "cards": CardsFile,
    "sheet": SheetFile,
    "theme": ThemeFile,
    "dice": DiceFile,
    "board": BoardFile,
    "sets": SetsFile,
    "balance": BalanceFile,
    "targets": TargetsFile,
}
_DRAFT = "https://json-schema.org/draft/2020-12/schema"
_TEXT_OR_NUMBER = ["string", "number"]
_SIMPLE: dict[Any, dict[str, Any]] = {
    str: {"type": ["string", "number", "boolean"]},
    int: {"type": "integer"},
    float: {"type": "number"},
    bool: {"type": "boolean"},
    values.Colour: {
        "type": "string",
        "description": "a colour such as #24405f, rgb(36 64 95) or navy, or the name of a theme colour",
    },
    values.FileName: {"type": "string", "description": "a file in the game's folder"},
    values.Span: {
        "type": ["string", "integer"],
        "pattern": r"^-?\d+(\s*(-|–|to)\s*-?\d+)?$",
        "description": "a range such as 3-5",
    },
    values.Size: {"type": "string", "description": "width x height, such as 63.5 x 88.9 or 2.5in x 3.5in"},
    values.Room: {"type": "string", "description": "width x height x depth, such as 33 x 33 x 17"},
    values.Pixels: {"type": "string", "description": "width x height in pixels, such as 825 x 1125"},
    values.Raw: {},
    values.Expression: {
        "type": ["string", "number", "boolean"],
        "description": "an expression, such as sum(dice) >= 20; docs/rules_in_yaml.md lists what it can use",
    },
}


def schema(name: str) -> dict[str, Any]:
    """The schema of one kind of definition file (a key of PUBLISHED)."""
    parts: dict[str, Any] = {}
    reference = _of(PUBLISHED[name], parts)
    return {"$schema": _DRAFT, "title": f"Pencilbox {name}.yaml", **reference, "$defs": dict(sorted(parts.items()))}


def _of(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    inner = optional(kind)
    if inner is not kind:
        return {"anyOf": [_of(inner, parts), {"type": "null"}]}
    unit, between = note_of(kind, values.Unit), note_of(kind, values.Between)
    if unit:
        return _length(unit, between)
    if between:
        return {**_of(kind.__origin__, parts), "minimum": between.low, "maximum": between.high}
    if kind in _SIMPLE:
        return dict(_SIMPLE[kind])
    origin = get_origin(kind)
    if origin is Literal:
        return {"enum": list(get_args(kind))}
    if origin in (tuple, frozenset):
        entry = _of(get_args(kind)[0], parts)
        return {"anyOf": [{"type": "array", "items": entry}, entry]}
    if origin in (dict, collections.abc.Mapping):
        return {"type": "object", "additionalProperties": _of(get_args(kind)[1], parts)}
    return _object(kind, parts)


def _length(unit: values.Unit, between: values.Between | None) -> dict[str, Any]:
    bounds = f", from {between.low:g} to {between.high:g} mm" if between else ""
    if unit.needed:
        return {
            "type": "string",
            "pattern": r"^-?(\d+(\.\d+)?|\.\d+)\s*(mm|cm|in|pt|px)$",
            "description": f"a size with its unit, such as 9pt or 3.2mm{bounds}",
        }
    return {"type": _TEXT_OR_NUMBER, "description": f"a length; a bare number is millimetres{bounds}"}


def _object(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    name = kind.__name__.removesuffix("File")
    if name not in parts:
        parts[name] = {}
        parts[name].update(_members(kind, parts))
    reference = {"$ref": f"#/$defs/{name}"}
    short = getattr(kind, "SHORT", "")
    return {"anyOf": [_of(hints(kind)[short], parts), reference]} if short else reference


def _members(kind: Any, parts: dict[str, Any]) -> dict[str, Any]:
    result: dict[str, Any] = {
        "type": "object",
        "properties": {field.rstrip("_"): _of(annotation, parts) for field, annotation in keys(kind).items()},
        "required": [name.rstrip("_") for name in required_keys(kind)],
        "additionalProperties": False,
    }
    if kind.__doc__ and not kind.__doc__.startswith(kind.__name__ + "("):
        result["description"] = inspect.cleandoc(kind.__doc__)
    return result


def publish(folder: Path) -> None:
    """Writes every published schema into `folder`."""
    for name in PUBLISHED:
        text = json.dumps(schema(name), indent=2, ensure_ascii=False) + "\n"
        (folder / f"{name}.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    publish(Path(sys.argv[1]))
