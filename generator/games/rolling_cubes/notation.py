"""Rounds of the last die as they stand on paper, in three rows: who added each letter, the letters, and what the
wildcards stand for. All of these are the same round:

    letters: [{player: Ann, letter: S}, {player: Ben, letter: =, as: S}]
    {who: [Ann, Ben], letters: [S, =], as: [., S]}
    {who: A B, letters: S =, as: S}
"""

from __future__ import annotations

from collections.abc import Mapping

from ... import nodes
from ...errors import Problem
from ...nodes import Listing, Node, Scalar
from ...sheets.marks import DASHES
from ...spelling import bare
from ..turns import counted
from .dice import WILDCARDS, read_tiles

_ROWS: Mapping[str, str] = {"who": "player", "player": "player", "letter": "letter", "letters": "letter", "as": "as"}
"""The field of each row, by its key."""


def by_letters(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every round as a list of letters with their keys; adds what cannot be converted to
    `problems`."""
    pairs: list[tuple[Scalar, Node]] = []
    for key, value in node.pairs:
        *path, last = key.split(".")
        label = f"round {last}" if last.isdecimal() else bare(last).replace("_", " ")
        is_round = bare(key).startswith("round") and len(path) < 2
        pairs.append((key, _rounds(value, problems, label) if is_round else value))
    return nodes.Mapping(pairs, node.place, node.weight)


def _rounds(node: Node, problems: list[Problem], label: str) -> Node:
    """One round, or several by number or in a list."""
    if isinstance(node, Listing):
        rounds = [_rounds(entry, problems, f"round {number}") for number, entry in enumerate(node.entries, 1)]
        return Listing(rounds, node.place, node.weight)
    if not isinstance(node, nodes.Mapping):
        return node
    rows = {_ROWS[bare(key)]: (key, value) for key, value in node.pairs if bare(key) in _ROWS}
    if not rows:
        pairs = [(key, _rounds(value, problems, f"round {key}")) for key, value in node.pairs]
        return nodes.Mapping(pairs, node.place, node.weight)
    key, letters = rows.get("letter", (None, None))
    if key is None or isinstance(letters, nodes.Mapping) or (len(rows) == 1 and isinstance(letters, Listing)):
        return node
    others = [(other, value) for other, value in node.pairs if bare(other) not in _ROWS]
    by_letter = (Scalar("letters", key.place), _letters(rows, problems, label))
    return nodes.Mapping([by_letter, *others], node.place, node.weight)


def _letters(rows: Mapping[str, tuple[Scalar, Node]], problems: list[Problem], label: str) -> Listing:
    """The letters of a round from its rows. The row of what wildcards stand for may have entries only for them."""
    _, tiles = rows["letter"]
    letters = [{"letter": tile} for tile in _marks(tiles, joined=True)]
    wildcards = [letter for letter in letters if read_tiles(letter["letter"]) in (*WILDCARDS,)]
    for field in [field for field in ("player", "as") if field in rows]:
        key, row = rows[field]
        marks = _marks(row, joined=field == "as")
        if len(marks) > len(letters):
            message = f"{label} has {counted(len(letters), 'letter')}, but “{key}” has {len(marks)} entries"
            problems.append(Problem(message, key.place, "write one entry for each letter, and a dot for a blank"))
        only_wildcards = field == "as" and len(marks) == len(wildcards)
        for letter, mark in zip(wildcards if only_wildcards else letters, marks, strict=False):
            letter[field] = Scalar(".", mark.place) if mark in DASHES else mark
    return Listing([_mapping(letter) for letter in letters], tiles.place)


def _mapping(letter: Mapping[str, Scalar]) -> nodes.Mapping:
    place = letter["letter"].place
    return nodes.Mapping([(Scalar(field, place), mark) for field, mark in letter.items()], place)


def _marks(row: Node, joined: bool) -> list[Scalar]:
    """The marks of a row: a list, or a text with spaces or commas between them. Letters may be `joined` without."""
    if isinstance(row, Listing):
        return [mark if isinstance(mark, Scalar) else Scalar("?", mark.place) for mark in row.entries]
    words = row.replace(",", " ").split() if isinstance(row, Scalar) else ["?"]
    return [Scalar(mark, row.place) for mark in (words[0] if joined and len(words) == 1 else words)]
