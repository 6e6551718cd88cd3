"""Parses one typed line into plain data: `4, 6 5 4 2, star 4, flipped`, or as in a file, `{card: 4}`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from ..definitions import nodes
from ..definitions.nodes import Listing, Node, Scalar
from ..errors import InputError, did_you_mean
from ..sheets.marks import card_pieces, is_nothing
from .shapes import Shape, bare

Plain: TypeAlias = str | list["Plain"] | dict[str, "Plain"]
TICKED = "true"
_KEYED = re.compile(r"([A-Za-z][\w-]*)\s*:(?:\s+|$)")
_RUN_OF_DICE = re.compile(r"[1-9.]{2,}")
_OPEN, _CLOSED = "[{", "]}"


class LineError(ValueError):
    """A line that cannot be understood, with a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def plain(shape: Shape, text: str, names: Sequence[str] = ()) -> Plain | None:
    """The value of a part of the sheet as typed on a line; None for an empty line. `names` are the players. A line that
    begins with a bracket is read as in a file. Raises LineError."""
    text = text.strip()
    if not text:
        return None
    if text[0] == "{" or (text[0] == "[" and shape.kind != "mark"):
        return _flow(text)
    if shape.kind == "mark":
        return unquoted(text)
    if shape.kind == "row":
        return _named_row(shape, text, names) if shape.by and names else _row(shape, text)
    if shape.kind == "ticks":
        ticks: list[Plain] = list(_row(shape, text))
        return ticks[0] if len(ticks) == 1 else ticks
    return "0" if shape.zero and is_nothing(text) else dict(_Line(shape, tuple(names)).read(text))


def unquoted(text: str) -> str:
    """A text without the quotes around it."""
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def split(text: str, at: str) -> list[str]:
    """The pieces between commas or spaces outside brackets and quotes."""
    pieces, depth, quote = [""], 0, ""
    for number, letter in enumerate(text):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"" and not pieces[-1].strip() and _closed(text[number + 1 :], letter):
            quote = letter
        depth += 0 if quote else (letter in _OPEN) - (letter in _CLOSED)
        if letter == at and depth <= 0 and not quote:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces]


def _closed(text: str, quote: str) -> bool:
    """Whether a quote has a closing quote; otherwise it is an apostrophe."""
    return re.search(re.escape(quote) + r"(?=[\s,\]}]|$)", text) is not None


def _row(shape: Shape, text: str) -> list[Plain]:
    if shape.dice and _RUN_OF_DICE.fullmatch(text):
        return [*text]
    if shape.cards:
        return [unquoted(piece) for piece in card_pieces(text, shape.cards)]
    pieces = split(text, "," if "," in text else " ")
    marks = [piece or "." for piece in pieces] if "," in text else list(filter(None, pieces))
    return [unquoted(mark) for mark in marks]


def _named_row(shape: Shape, text: str, names: Sequence[str]) -> Plain:
    """One mark per player: `Ann 9, Ben 4`, or in the players' order, `9 4`."""
    pieces = _row(shape, text)
    if all(isinstance(piece, str) and _whose(piece, names) is None for piece in pieces):
        if len(pieces) > len(names):
            raise LineError(f"{len(pieces)} marks, but there are {len(names)} players", " ".join(names))
        return {name: piece for name, piece in zip(names, pieces, strict=False) if piece != "."}
    return dict(_by_name(" ".join(map(str, pieces)) if "," not in text else text, names))


def _by_name(text: str, names: Sequence[str]) -> Iterator[tuple[str, Plain]]:
    for piece in split(text, ",") if "," in text else re.findall(r"\S+\s+\S+|\S+", text):
        name = _whose(piece, names)
        if name is None:
            raise LineError(f"“{piece}” does not begin with a player’s name", did_you_mean(piece, names))
        yield name, unquoted(piece[len(name) :].lstrip(" :"))


def _whose(piece: str, names: Sequence[str]) -> str | None:
    """The longest name that the piece begins with."""
    begun = [name for name in names if re.match(re.escape(name) + r"(?=[\s:]|$)", piece, re.IGNORECASE)]
    return max(begun, key=len, default=None)


def _flow(text: str) -> Plain:
    node = next(nodes.documents(text, "the line"), None)
    if node is None or isinstance(node, InputError):
        message = node.problems[0].message if node else "not readable"
        raise LineError(message, "type it as in a file: {key: mark, key: [mark, mark]}")
    return of_node(node)


def of_node(node: Node) -> Plain:
    """A node of a file as plain data; a blank becomes a dot."""
    if isinstance(node, Scalar):
        return "." if node.blank and not (node.quoted and node.text) else node.text
    if isinstance(node, Listing):
        return [of_node(entry) for entry in node.entries]
    return {key.text: of_node(value) for key, value in node.pairs}


# ---- lines in files --------------------------------------------------------------------------------------------------


def with_entries(shapes: Sequence[Shape], data: nodes.Mapping) -> nodes.Mapping | None:
    """The data of a file with every entry that is typed on one line, such as `turns: [Ann 7 7]`, as a mapping. None if
    no line can be read so."""
    parts = {bare(shape.key): shape for shape in shapes if shape.kind == "list" and shape.line and not shape.by}
    players = next((value for key, value in data.pairs if bare(key) == "players"), None)
    texts = players.entries if isinstance(players, Listing) else () if players is None else [players]
    names = [name for text in texts if isinstance(text, Scalar) for name in re.split(r"\s*,\s*", text.text)]
    pairs = [(key, _with_entries(parts.get(bare(key)), value, names)) for key, value in data.pairs]
    changed = any(new is not old for (_, new), (_, old) in zip(pairs, data.pairs, strict=True))
    return nodes.Mapping(pairs, data.place, data.weight) if changed else None


def _with_entries(shape: Shape | None, value: Node, names: Sequence[str]) -> Node:
    if shape is None or isinstance(value, Scalar):
        return value
    numbered = isinstance(value, nodes.Mapping) and all(key.isdecimal() for key in value)
    lines = value.entries if isinstance(value, Listing) else list(value.values()) if numbered else []
    entry = replace(shape, kind="group", by="", extra=False)
    entries = [_entry(entry, line, names) if isinstance(line, Scalar) else line for line in lines]
    if all(new is old for new, old in zip(entries, lines, strict=True)):
        return value
    return Listing(entries, value.place, value.weight)


def _entry(shape: Shape, line: Scalar, names: Sequence[str]) -> Node:
    try:
        entry = None if line.blank else plain(shape, line.text, names)
    except LineError:
        return line
    return nodes.from_plain(entry, line.place) if isinstance(entry, dict) else line


# ---- several parts on one line --------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Line:
    """Reads the parts of a group in order. Between commas, a part may contain spaces. Without commas every word is a
    mark, a row takes all marks up to the next key, and a text after its key takes all words up to the next one."""

    shape: Shape
    names: tuple[str, ...]
    place: int = 0
    values: dict[str, Plain] = field(default_factory=dict)

    def read(self, text: str) -> dict[str, Plain]:
        pieces = split(text, ",")
        for piece in pieces if len(pieces) > 1 else self._pieces(text):
            if not piece:
                self.place += 1
                continue
            part, rest = self._keyed(piece)
            self._put(part or self._next(piece), rest)
        return self.values

    def _put(self, part: Shape, text: str) -> None:
        value = plain(part, text, self.names)
        if value is not None and self.values.setdefault(part.key, value) is not value:
            raise LineError(f"{part.key} is given twice")
        if part in self.shape.places:
            self.place = self.shape.places.index(part) + 1

    def _next(self, piece: str) -> Shape:
        places = self.shape.places
        if self.place >= len(places):
            keys = [part.key for part in self.shape.inner]
            raise LineError(
                f"“{piece}” is one part too many after {', '.join(self.shape.place_names)}",
                did_you_mean(piece.split()[0], keys),
            )
        return places[self.place]

    def _keyed(self, piece: str) -> tuple[Shape | None, str]:
        """The part whose key the piece begins with, and the rest of the piece."""
        match = _KEYED.match(piece)
        if match:
            part = self.shape.part(match[1], whole=False)
            if part is None:
                raise LineError(
                    f"unknown key “{match[1]}”", did_you_mean(match[1], [part.key for part in self.shape.inner])
                )
            return part, piece[match.end() :]
        first, _, rest = piece.partition(" ")
        part = self._key(first)
        if part is None or not (rest.strip() or part.tick):
            return None, piece
        return part, rest.strip() or TICKED

    def _key(self, word: str) -> Shape | None:
        """The part with this key. Keys are in small letters: in capitals the same word may be a mark."""
        if word != word.lower():
            return None
        verbs = (word, word.removesuffix("s"), word.removesuffix("es"))  # `rolls` for `roll`
        return next((part for verb in verbs if (part := self.shape.part(verb))), None)

    def _pieces(self, text: str) -> Iterator[str]:
        """The words of a line without commas, grouped into pieces as commas would group them."""
        words = self._words(text)
        place = self.place
        while words:
            part = self._key(words[0].rstrip(":"))
            count = 1 + self._length(part, words[1:]) if part else self._unkeyed_length(place, words)
            if part in self.shape.places and part:
                place = self.shape.places.index(part)
            yield " ".join(words[:count])
            place, words = place + 1, words[count:]

    def _words(self, text: str) -> list[str]:
        name = _whose(text, self.names)
        if name and " " in name:
            return [text[: len(name)], *filter(None, split(text[len(name) :], " "))]
        return list(filter(None, split(text, " ")))

    def _unkeyed_length(self, place: int, words: list[str]) -> int:
        places = self.shape.places
        if place == len(places) - 1 and places[place].words:  # nothing else can follow: `Ben 2 Big Bang`
            return self._length(places[place], words)
        row = place < len(places) and places[place].kind != "mark"
        if row and places[place].dice and _RUN_OF_DICE.fullmatch(words[0]):
            return 1
        return max(1, self._length(places[place], words)) if row else 1

    def _length(self, part: Shape, words: list[str]) -> int:
        """How many of the words belong to the part."""
        if part.tick and part.kind == "mark":
            return int(bool(words) and words[0].lower() in (TICKED, "false", "yes", "no", "x", "tick", "ticked"))
        if part.kind == "mark" and not part.words:
            return 1
        if part.rest:
            return len(words)
        ends = [number for number, word in enumerate(words) if number and self._ends(part, word)]
        return min(ends, default=len(words))

    def _ends(self, part: Shape, word: str) -> bool:
        inside = part.kind == "group" and any(bare(word) == bare(inner.key) for inner in part.inner)
        return not inside and self._key(word.rstrip(":")) is not None
