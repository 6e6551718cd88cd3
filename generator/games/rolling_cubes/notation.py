"""Rounds of the last die as people type them: row by row, as on paper, or letter by letter without keys.

On paper, a round has three rows: who added each letter, the letters, and what the wildcards stand for. All of these are
the same round:

    letters: [{player: Ann, letter: S}, {player: Ben, letter: =, as: S}]
    {who: [Ann, Ben], letters: [S, =], as: [., S]}
    {who: A B, letters: S=, as: S}
    letters: {who: AB, letter: S =, as: {2: S}}
    letters: [Ann S, Ben = as S]
    letters: [{Ann: S}, {Ben: = S}]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from ... import nodes
from ...errors import Problem
from ...nodes import Listing, Node, Scalar
from ...spelling import bare, matching
from ..turns import counted
from .dice import WILDCARDS, read_tiles

_BETWEEN = re.compile(r"[\s,]+")
_ROWS: Mapping[str, str] = {
    "who": "player",
    "player": "player",
    "players": "player",
    "letter": "letter",
    "letters": "letter",
    "tile": "letter",
    "tiles": "letter",
    "as": "as",
}
"""The field of each row, by the keys that people type for it."""
_FIELDS = ("player", "letter", "as")
_DASHES = ("-", "–", "—", "−")


def by_letters(node: nodes.Mapping, problems: list[Problem]) -> nodes.Mapping:
    """The document with every round as a list of letters with their keys; adds what cannot be converted to
    `problems`."""
    reader = _Rounds(_names(node), problems)
    return _mapping(node, [(key, reader.rounds(key.text, value)) for key, value in node.pairs])


def _names(node: nodes.Mapping) -> list[str]:
    listed = next((value for key, value in node.pairs if bare(key.text) == "players"), None)
    entries = listed.values() if isinstance(listed, nodes.Mapping) else listed if isinstance(listed, Listing) else ()
    return _texts(entries)


def _mapping(node: nodes.Mapping, pairs: Sequence[tuple[Scalar, Node]]) -> nodes.Mapping:
    return nodes.Mapping(pairs, node.place, node.weight)


class _Rounds:
    """Converts the rounds of a sheet with these players."""

    def __init__(self, names: Sequence[str], problems: list[Problem]) -> None:
        self.names = names
        self.problems = problems

    def rounds(self, key: str, node: Node) -> Node:
        """The value of a top-level key."""
        path = key.split(".")
        if not bare(path[0]).startswith("round"):
            return node
        if len(path) > 2:
            return self._letters(node, f"round {path[1]}") if bare(path[2]) == "letters" and len(path) == 3 else node
        return self._inside(node, bare(path[-1]).replace("_", " ") if path[-1] != "rounds" else "")

    def _inside(self, node: Node, label: str) -> Node:
        """One round, or several by number or in a list."""
        if isinstance(node, Listing):
            entries = [self._inside(entry, f"round {number}") for number, entry in enumerate(node.entries, 1)]
            return Listing(entries, node.place, node.weight)
        if not isinstance(node, nodes.Mapping):
            return node
        if any(bare(key.text) in _ROWS for key in node):
            return self._round(node, label)
        return _mapping(node, [(key, self._inside(value, f"round {key.text}")) for key, value in node.pairs])

    def _round(self, node: nodes.Mapping, label: str) -> nodes.Mapping:
        rows = {_ROWS[bare(key.text)]: (key, value) for key, value in node.pairs if bare(key.text) in _ROWS}
        others = [(key, value) for key, value in node.pairs if bare(key.text) not in _ROWS]
        if "letter" not in rows:
            return node
        key, value = rows["letter"]
        letters = self._letters(value, label) if len(rows) == 1 else self._by_rows(rows, label)
        return _mapping(node, [(Scalar("letters", key.place), letters), *others])

    # ---- the letters of a round --------------------------------------------------------------------------------------

    def _letters(self, node: Node, label: str) -> Node:
        """The letters of a round without rows beside them."""
        if isinstance(node, nodes.Mapping):
            rows = {_ROWS[bare(key.text)]: (key, value) for key, value in node.pairs if bare(key.text) in _ROWS}
            is_rows = len(rows) == len(node) and any(self._is_row(value) for _, value in rows.values())
            return self._by_rows(rows, label) if is_rows and "letter" in rows else node
        if isinstance(node, Listing):
            return Listing([self._letter(entry) for entry in node.entries], node.place, node.weight)
        return self._by_rows({"letter": (node, node)}, label)

    @staticmethod
    def _is_row(node: Node) -> bool:
        return not isinstance(node, Scalar) or len(node.text.strip()) > 1

    def _letter(self, node: Node) -> Node:
        """One letter: with its keys, as a text, or by the name of its player."""
        if isinstance(node, Listing) and len(texts := _texts(node.entries)) == len(node.entries):
            return self._written(node, " ".join(texts))
        if isinstance(node, Scalar):
            return node if node.blank else self._written(node, node.text)
        if isinstance(node, nodes.Mapping) and len(texts := _texts(node.values())) == len(node):
            named = [(key, value) for key, value in node.pairs if bare(key.text) not in _ROWS]
            others = [text for key, text in zip(node, texts, strict=True) if bare(key.text) == "as"]
            if len(named) == 1 and len(named) + len(others) == len(node) and matching(self.names, named[0][0].text):
                return self._written(node, " ".join([named[0][0].text, *_texts([named[0][1]]), *others]))
        return node

    @staticmethod
    def _written(node: Node, text: str) -> nodes.Mapping:
        """A letter written as `S`, `Ann S` or `Ann = as S`."""
        place = node.place
        words = [word for word in _BETWEEN.split(text.strip()) if bare(word) != "as"]
        count = 1 + (len(words) > 1 and bool(read_tiles(words[-2])) and words[-2] in (*WILDCARDS, "/"))
        player, marks = " ".join(words[:-count]), words[-count:]
        values = [(name, value) for name, value in zip(_FIELDS, [player, *marks], strict=False) if value]
        return nodes.Mapping([(Scalar(name, place), Scalar(value, place)) for name, value in values], place)

    # ---- row by row --------------------------------------------------------------------------------------------------

    def _by_rows(self, rows: Mapping[str, tuple[Scalar, Node]], label: str) -> Listing:
        """The letters of a round from the rows of the paper."""
        _, letter_row = rows["letter"]
        letters = self._marks(letter_row)
        columns: list[dict[str, Scalar]] = [{"letter": letter} for letter in letters]
        for field in ("player", "as"):
            if field in rows:
                key, row = rows[field]
                marks = self._marks(row) if field == "as" else self._players(row)
                wildcards = [n for n, letter in enumerate(letters) if read_tiles(letter.text) in (*WILDCARDS,)]
                only_wildcards = field == "as" and len(marks) == len(wildcards)
                places = wildcards if only_wildcards else list(range(len(letters)))
                if len(marks) > len(places):
                    self.problems.append(
                        Problem(
                            f"{f'round {label}' if label.isdecimal() else label or 'the round'} has "
                            f"{counted(len(letters), 'letter')}, but “{key.text}” has {len(marks)} entries",
                            key.place,
                            "write one entry for each letter, and a dot for a blank",
                        )
                    )
                for number, mark in zip(places, marks, strict=False):
                    columns[number][field] = Scalar(".", mark.place) if mark.text in _DASHES else mark
        place = letter_row.place
        return Listing([self._column(column) for column in columns], place)

    @staticmethod
    def _column(marks: Mapping[str, Scalar]) -> nodes.Mapping:
        place = marks["letter"].place
        return nodes.Mapping([(Scalar(field, place), marks[field]) for field in _FIELDS if field in marks], place)

    def _players(self, node: Node) -> list[Scalar]:
        """The players of a row; initials may be written together."""
        marks = self._marks(node, split=False)
        if len(marks) == 1 and not matching(self.names, marks[0].text):
            return [Scalar(letter, node.place) for letter in marks[0].text]
        return marks

    @staticmethod
    def _marks(node: Node, split: bool = True) -> list[Scalar]:
        """The marks of a row: a list, a mapping by numbers, or a text with or without spaces."""
        if isinstance(node, nodes.Mapping):
            numbered = {int(key.text): value for key, value in node.pairs if key.text.isdecimal()}
            blank = Scalar(".", node.place)
            last = min(max(numbered, default=0), 99)
            return [*_scalars([numbered.get(number, blank) for number in range(1, last + 1)])]
        if isinstance(node, Listing):
            return [*_scalars(node.entries)]
        text = node.text.strip()
        words = [word.strip() for word in text.split(",")] if "," in text else text.split()
        marks = [*words[0]] if split and len(words) == 1 else words
        return [Scalar(mark, node.place) for mark in marks]


def _texts(entries: Iterable[Node]) -> list[str]:
    return [entry.text for entry in entries if isinstance(entry, Scalar)]


def _scalars(entries: Sequence[Node]) -> Iterator[Scalar]:
    """Each entry as one mark; what is not one becomes a text that the reader refuses."""
    for entry in entries:
        yield entry if isinstance(entry, Scalar) else Scalar("?", entry.place)
