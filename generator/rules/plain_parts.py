"""How the score of a sheet that is judged from YAML alone was made, field by field, and the sums it should have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from ..definitions.models import LineFile
from ..sheets import FilledSheet
from . import plain
from .nouns import Part


def explain(sheet: FilledSheet) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines: a part for each field that counts."""
    definition = sheet.sheet.definition
    for numbers in _players(sheet):
        yield [list(_parts(sheet, line, numbers)) for line in definition.score]


def _players(sheet: FilledSheet) -> list[list[str]]:
    """For every player what the first star of a pattern stands for."""
    group = sheet.sheet.definition.players
    return [[entry.rpartition(".")[2]] for entry in sheet.entries.get(group, ())] if group else [[]]


def _parts(sheet: FilledSheet, line: LineFile, numbers: list[str]) -> Iterator[Part]:
    names = [name for name in plain.bound(sheet, line.of, numbers) if sheet.number(name)]
    for name in names:
        yield Part(_told(sheet, name, line.points), line.points * int(sheet.number(name) or 0))
    if not names:
        yield Part("nothing is filled in", 0)


def _told(sheet: FilledSheet, name: str, points: int) -> str:
    field = sheet.sheet.fields.get(name)
    label = field.label.rpartition(", ")[2] if field else name
    if sheet.ticked(name):
        return f"{label} ticked"
    return f"{label}: {sheet.number(name)}" + (f" × {points}" if points != 1 else "")


def sums(sheet: FilledSheet) -> Mapping[str, int]:
    """Every sum that the definition knows of, where something is filled in that it adds up; by the id of its field."""
    found: dict[str, int] = {}
    for claim in sheet.sheet.definition.sums:
        for name in _totals(sheet, claim.total):
            parts = list(plain.bound(sheet, claim.of, re.findall(r"(?<=\.)\d+(?=\.|$)", name)))
            if parts:
                found[name] = sum(int(sheet.number(part) or 0) for part in parts)
    return found


def _totals(sheet: FilledSheet, pattern: str) -> list[str]:
    """The fields of a pattern, on the paper or typed."""
    wanted = re.compile(re.escape(pattern).replace(r"\*", r"\d+"))
    return [name for name in dict.fromkeys([*sheet.sheet.fields, *sheet.marks]) if wanted.fullmatch(name)]
