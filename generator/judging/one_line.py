"""Rearranges a file that cannot be read as typed, where people write several parts on one line, or a card's number as a
key. The forms on the left are accepted as well as those on the right:

    turns: [Ann 7 7]                           turns: [{player: Ann, play: [7, 7]}]
    Round 2: {Ann: TRAIN train, 5 points}      rounds: {2: {words: {Ann: {tiles: TRAIN, word: train, points: 5}}}}
    1: {tiles: [TRAIN, TREE]}                  rounds: {1: {words: {Ann: {tiles: TRAIN}, Ben: {tiles: TREE}}}}
    Card 4: star 5, crates 6 5 4 2             cards: [{card: 4, star: 5, crates: [6, 5, 4, 2]}]
    players: [Mum, {card: 4}, Leo, {card: 3}]  players: [{name: Mum, cards: [{card: 4}]}, …]
"""

from __future__ import annotations

import re
from collections.abc import Container, Sequence

from msgspec import Struct
from msgspec.structs import replace

from .. import nodes
from ..errors import InputError, Problem
from ..nodes import Listing, Node, Scalar
from ..spelling import bare, matching
from .shapes import Shape
from .typed_lines import AmbiguousLineError, LineError, Plain, plain, tick_phrase

_NUMBERED = re.compile(r"(?:(.*[^\W\d_])[ _-]*)?([0-9]{1,4})")
_BETWEEN_PLAYERS = re.compile(r"\s+[/|;]\s+|\s*[,;|]\s*")


def with_entries(
    shapes: Sequence[Shape], heading: Container[str], data: nodes.Mapping, names: Sequence[str]
) -> nodes.Mapping:
    """The document with every entry that is typed on one line as a mapping. `names` are the players; the keys of the
    `heading` stay as they are. Raises InputError for lines that can be read in several ways."""
    whole, problems = Shape(key="", kind="group", inner=tuple(shapes)), list[Problem]()
    kept = [pair for pair in data.pairs if bare(pair[0]) in heading]
    typed = nodes.Mapping([pair for pair in data.pairs if pair not in kept], data.place, data.weight)
    document = _Lines(tuple(dict.fromkeys(names)), problems)._mapping(whole, typed)
    if problems:
        raise InputError(dict.fromkeys(problems))
    return nodes.Mapping([*kept, *document.pairs], data.place, data.weight)


class _Lines(Struct, frozen=True):
    names: tuple[str, ...]
    problems: list[Problem]

    # ---- the parts of a group ----------------------------------------------------------------------------------------

    def _mapping(self, group: Shape, node: nodes.Mapping) -> nodes.Mapping:
        pairs: list[tuple[Scalar, Node]] = []
        owned: dict[str, list[Node]] = {}
        for key, value in node.pairs:
            part = group.part(key)
            if part is None and (columns := self._by_player(group, key, value)):
                pairs += columns
                continue
            part = part or group.part(key, whole=False)
            if part is not None:
                pairs.append(self._tick_instead(group, part, key, value) or (key, self._value(group, part, value)))
            elif (at := self._at(group, key)) is not None:
                entry = self._owned(at[0], Scalar(at[1], key.place), value)
                if entry is None:
                    name = Scalar(f"{at[0].key}.{key}", key.place) if key.isdecimal() else key
                    pairs.append((name, self._entry(_entry_of(group, at[0]), value)))
                    continue
                if at[0].key not in owned:
                    pairs.append((Scalar(at[0].key, key.place), key))  # the list takes its place below
                owned.setdefault(at[0].key, []).append(entry)
            else:
                pairs.append((key, self._at_path(group, key.split("."), value) if "." in key else value))
        pairs = [
            (key, Listing(owned[key], key.place)) if isinstance(value, Scalar) and key in owned else (key, value)
            for key, value in pairs
        ]
        return nodes.Mapping(pairs, node.place, node.weight) if len(dict(pairs)) == len(pairs) else node

    def _at(self, group: Shape, key: Scalar) -> tuple[Shape, str] | None:
        """The list that a key names an entry of, and which entry: `Round 2`, or a player's name."""
        numbered = _NUMBERED.fullmatch(key)
        if numbered and numbered[1]:
            part = group.part(numbered[1], whole=False)
            return (part, numbered[2]) if part and part.kind == "list" else None
        part = _columns(group)
        is_number = bool(group.key) and key.isdecimal() and 1 <= int(key) <= len(self.names)
        return (part, key) if part and (is_number or len(matching(self.names, key)) == 1) else None

    def _at_path(self, group: Shape, path: list[str], value: Node) -> Node:
        """What was typed under a key with dots in it."""
        part = group.part(path[0], whole=False)
        if part is None or len(path) == 1:
            return value if part is None else self._value(group, part, value)
        if part.kind != "list":
            return self._at_path(part, path[1:], value)
        entry = _entry_of(group, part)
        return self._entry(entry, value) if len(path) == 2 else self._at_path(entry, path[2:], value)

    def _value(self, group: Shape, part: Shape, value: Node) -> Node:
        if part.kind == "group":
            return self._entry(part, value)
        return self._entries(group, part, value) if part.kind == "list" else value

    def _entries(self, group: Shape, part: Shape, value: Node) -> Node:
        """The entries of a list."""
        entry = _entry_of(group, part)
        if isinstance(value, Scalar):
            lines = [line for line in map(str.strip, re.split(r"[\n;]", value)) if line]
            pieces = [piece.strip() for piece in value.split(",")]
            if part.by and len(lines) == 1 < len(pieces) == len(self.names):
                lines = pieces  # `train, tree`
            if len(lines) == 1 and all(" " in piece and matching(self.names, piece.split()[0]) for piece in pieces):
                lines = pieces  # `Ann 4, Ben 7`
            if value.blank or (len(lines) < 2 and _has_name(part)):
                return value
            return Listing([self._entry(entry, Scalar(line, value.place)) for line in lines], value.place)
        if isinstance(value, Listing):
            listed = self._with_own_lists(part, value)
            return Listing([self._listed(part, entry, inner) for inner in listed], value.place, value.weight)
        cards = [self._owned(part, Scalar(number, key.place), inner) for key, number, inner in _numbered(part, value)]
        if cards and None not in cards and len(cards) == len(value):
            return Listing([card for card in cards if card is not None], value.place)
        if part.extra and not part.by:  # `blocks: {square: a1 a2 b1 b2}`
            whole = [nodes.Mapping([pair], pair[0].place) for pair in value.pairs]
            listed = [self._listed(part, entry, one) for one in whole]
            return value if any(one in whole for one in listed) else Listing(listed, value.place)
        named = _has_name(part)  # a text beside a name does not say what it is
        return nodes.Mapping(
            [
                (key, inner if named and isinstance(inner, Scalar) else self._entry(entry, inner))
                for key, inner in value.pairs
            ],
            value.place,
        )

    def _listed(self, part: Shape, entry: Shape, value: Node) -> Node:
        if isinstance(value, nodes.Mapping) and len(value) == 1:
            ((key, inner),) = value.pairs
            for _, number, _ in _numbered(part, value):
                card = self._owned(part, Scalar(number, key.place), inner)
                return value if card is None else card
            begins = part.extra or matching(self.names, key)  # with a name: `Ann: 4 4`, `square: a1 a2 b1 b2`
            if isinstance(inner, Scalar) and entry.part(key, whole=False) is None and begins:
                rest = inner.replace(",", " ") if part.extra else inner
                comma = "," if "," in rest else ""
                return self._line(entry, Scalar(f"{key}{comma} {rest}", key.place), value)
        return self._entry(entry, value)

    def _with_own_lists(self, part: Shape, value: Listing) -> list[Node]:
        """The entries of a list in which a player's name is followed by that player's cards."""
        lists = [inner for inner in part.inner if inner.kind == "list"]
        if len(lists) != 1 or not isinstance(value[0] if value else None, Scalar):
            return value.entries
        own, people = lists[0], list[Node]()
        for entry in value.entries:
            if isinstance(entry, Scalar):
                person = self._line(_entry_of(part, part), entry, entry)
                people.append(person if isinstance(person, nodes.Mapping) else entry)
            elif isinstance(entry, nodes.Mapping) and isinstance(people[-1], nodes.Mapping) and "name" not in entry:
                pairs = dict(people[-1].pairs)
                pairs[Scalar(own.key, entry.place)] = Listing([*pairs.get(own.key, ()), entry], entry.place)  # type: ignore[call-overload]
                people[-1] = nodes.Mapping(pairs.items(), people[-1].place)
            else:
                return value.entries
        return people

    # ---- one entry ---------------------------------------------------------------------------------------------------

    def _entry(self, shape: Shape, value: Node) -> Node:
        if isinstance(value, nodes.Mapping):
            return self._mapping(shape, value)
        if (part := _columns(shape)) and len(columns := _per_player(value, len(self.names))) > 1:
            pairs = [(Scalar(str(n), value.place), column) for n, column in enumerate(columns, 1)]
            whole = nodes.Mapping([(Scalar(part.key, value.place), nodes.Mapping(pairs, value.place))], value.place)
            return self._mapping(shape, whole)
        if isinstance(value, Listing):
            if not value or not all(isinstance(mark, Scalar) for mark in value):
                return value
            return self._line(shape, Scalar(", ".join(value), value.place), value)
        return self._line(shape, value, value)

    def _line(self, shape: Shape, line: Scalar, otherwise: Node) -> Node:
        """The parts on a line; the original value if they cannot be read."""
        if line.blank:
            return otherwise
        entry: Plain | None
        if _all_texts(shape) and len(line.split()) > len(shape.places):
            entry = _named_pieces(shape, line.text)
        else:
            try:
                entry = plain(shape, line.text, self.names)
            except AmbiguousLineError as error:
                self.problems.append(Problem(str(error), line.place, error.hint))
                return otherwise
            except LineError:
                return otherwise
        return nodes.from_plain(entry, line.place) if isinstance(entry, dict) else otherwise

    def _owned(self, part: Shape, number: Scalar, value: Node) -> Node | None:
        """The entry of a list of cards whose card is named by the key; None if the entry names its card itself."""
        if not _has_card(part):
            return None
        card, *others = part.inner
        if isinstance(value, nodes.Mapping):
            content = self._mapping(replace(_entry_of(part, part), inner=tuple(others)), value)
            if any(_is_part(card, key) for key in content):
                return None
            return nodes.Mapping([(Scalar(card.key, number.place), number), *content.pairs], number.place)
        marks = value if isinstance(value, Listing) else [value]
        if not all(isinstance(mark, Scalar) for mark in marks):
            return None
        between = ", " if any(mark in other for other in marks for mark in ", ") else " "
        line = between.join([number, *(mark or "." for mark in marks)]).rstrip(" .")
        entry = self._line(_entry_of(part, part), Scalar(line, value.place), value)
        return entry if isinstance(entry, nodes.Mapping) else None

    def _tick_instead(self, group: Shape, part: Shape, key: Scalar, value: Node) -> tuple[Scalar, Node] | None:
        """A box that is ticked in words where cards belong: `Cards played: takes the pile`."""
        if not (part.card and isinstance(value, Scalar) and not value.blank):
            return None
        box = tick_phrase(group, value.text)
        return (Scalar(box.key, key.place), Scalar("x", value.place)) if box else None

    def _by_player(self, group: Shape, key: Scalar, value: Node) -> list[tuple[Scalar, Node]]:
        """A line across the columns of the players, such as the tiles of all: one value for each player. Empty if there
        are not as many values."""
        part = _columns(group)
        if part is None or not part.part(key):
            return []
        if isinstance(value, nodes.Mapping):
            numbers = [matching(self.names, name) for name in value]
            if not all(len(found) == 1 for found in numbers):
                return []
            by_number = [(found[0] + 1, inner) for found, inner in zip(numbers, value.values(), strict=True)]
        else:
            by_number = [*enumerate(_per_player(value, len(self.names)), 1)]
        return [
            (Scalar(f"{part.key}.{number}.{key}", key.place), inner)
            for number, inner in by_number
            if not (isinstance(inner, Scalar) and inner.blank)
        ]


def _named_pieces(shape: Shape, text: str) -> Plain | None:
    """Pieces between commas that each begin with the name of a mark; letters with spaces between them belong together:
    `red a e i o, light blue t`. None if they are anything else."""
    entry: dict[str, Plain] = {}
    for piece in map(str.split, text.split(",")):
        part, length = next(
            ((part, n) for n in range(len(piece) - 1, 0, -1) if (part := shape.part(" ".join(piece[:n])))), (None, 0)
        )
        if part is None or part.kind != "mark" or part.key in entry:
            return None
        marks = piece[length:]
        entry[part.key] = ("" if max(map(len, marks)) == 1 else " ").join(marks)
    return entry


def _columns(group: Shape) -> Shape | None:
    """The columns of the players in a group, such as the words of a round; None if there are none or several."""
    lists = [part for part in group.inner if part.kind == "list" and part.by]
    return lists[0] if len(lists) == 1 else None


def _per_player(value: Scalar | Listing, count: int) -> list[Node]:
    """The values of a list or text for as many players, between separators or else between spaces; empty if there are
    more or less."""
    if isinstance(value, Listing):
        return value.entries if len(value) == count else []
    for pieces in (_BETWEEN_PLAYERS.split(value.strip()), value.split()):
        if len(pieces) == count:
            return [Scalar(piece, value.place) for piece in pieces]
    return []


def _numbered(part: Shape, value: nodes.Mapping) -> list[tuple[Scalar, str, Node]]:
    """The entries of a mapping whose keys are numbers, or numbers after the label of the list: `4`, `Card 4`."""
    if not _has_card(part):
        return []
    matches = ((key, _NUMBERED.fullmatch(key), inner) for key, inner in value.pairs)
    return [
        (key, match[2], inner)
        for key, match, inner in matches
        if match and (match[1] is None or _is_part(part, match[1]) or _is_part(part.inner[0], match[1]))
    ]


def _is_part(part: Shape, key: str) -> bool:
    return Shape(key="", kind="group", inner=(part,)).part(key, whole=False) is not None


def _has_card(part: Shape) -> bool:
    """Whether each entry of a list begins with the number of a card."""
    return part.kind == "list" and bool(part.inner) and part.inner[0].card and part.inner[0].kind == "mark"


def _has_name(part: Shape) -> bool:
    return bool(part.inner) and part.inner[0].key == "name"


def _entry_of(group: Shape, part: Shape) -> Shape:
    """One entry of a list. A player's entry includes the marks beside it, such as the points of a round."""
    beside = [
        replace(row, kind="mark", most=1, by="")
        for row in group.inner
        if part.by and row.kind == "row" and row.by == part.by
    ]
    return replace(part, kind="group", by="", extra=False, inner=(*part.inner, *beside))


def _all_texts(shape: Shape) -> bool:
    return all(part.kind == "mark" and part.words for part in shape.inner)
