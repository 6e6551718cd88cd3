"""Parses one typed line into plain data: `4, 6 5 4 2, star 4, flipped`, or as in a file, `{card: 4}`."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from msgspec import Struct, field

from .. import nodes
from ..errors import InputError, did_you_mean
from ..nodes import Listing, Node, Scalar
from ..sheets.marks import DASHES, as_tick, card_pieces, is_nothing
from ..spelling import either, matching
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


class AmbiguousLineError(LineError):
    """A line of numbers that can be read in several ways, or in none that the rules allow."""


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
        ticks = _names_of_boxes(shape, _row(shape, text)) if "," not in text else _row(shape, text)
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


def _names_of_boxes(shape: Shape, words: list[Plain]) -> list[Plain]:
    """The boxes named by words: as many words as are one printed name belong together, such as `3 Blocks`."""
    names: list[Plain] = []
    while words:
        lengths = range(len(words), 1, -1)
        length = next((n for n in lengths if shape.part(" ".join(map(str, words[:n])))), 1)
        names.append(" ".join(map(str, words[:length])))
        words = words[length:]
    return names


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


# ---- several parts on one line --------------------------------------------------------------------------------------


class _Line(Struct):
    """Reads the parts of a group in order. Between commas, a part may contain spaces. Without commas every word is a
    mark, a row takes all marks up to the next key, and a text after its key takes all words up to the next one."""

    shape: Shape
    names: tuple[str, ...]
    place: int = 0
    values: dict[str, Plain] = field(default_factory=dict)
    skipped: Shape | None = None

    def read(self, text: str) -> dict[str, Plain]:
        pieces = split(self._with_sign(_tidied(text)), ",")
        if len(pieces) > 1 and self._is_list_of_cards(pieces):
            pieces = [" ".join(pieces)]  # `Ann 2, 2`
        pieces = self._numbers_on_a_card(pieces)
        for piece in pieces:
            if not piece:
                self.place += len(pieces) > 1
            elif len(pieces) == 1 or self._has_several(piece):
                for inner in self._pieces(piece):
                    self._take(inner)
            else:
                self._take(piece)
        self._dash()
        return self.values

    def _with_sign(self, text: str) -> str:
        """The text with a key for the sign printed above a box, if it ends with that sign: `kitchen ★`, `kitchen*`."""
        box = next((part for part in self.shape.inner if part.tick and "★" in part.also), None)
        return re.sub(r"[\s,]*[★☆*]$", f", {box.key}: x" if "," in text else f" {box.key} x", text) if box else text

    def _dash(self) -> None:
        """Ticks the box for which a dash is printed, if a dash is all that stands after the player's name."""
        marks = [*self.values.values()][1:]
        boxes = [part for part in self.shape.inner if part.tick and "–" in part.also]
        if len(boxes) == 1 and len(marks) == 1 and marks[0] in [[dash] for dash in DASHES]:
            del self.values[[*self.values][-1]]
            self.values[boxes[0].key] = TICKED

    def _numbers_on_a_card(self, pieces: list[str]) -> list[str]:
        """A card with a mark and a row of marks, such as a star and crates, as parts with their keys; any other pieces
        unchanged. Raises AmbiguousLineError."""
        card, *others = self.shape.places or (self.shape,)
        mark = next((part for part in others if part.kind == "mark" and part.dice), None)
        row = next((part for part in others if part.kind == "row" and part.dice), None)
        if not (card.card and mark and row):
            return pieces
        commas = len(pieces) > 2  # one comma is only between the card and the rest
        head, *words = [_in_brackets(piece) for piece in pieces]
        if not commas:
            head, *words = [*([head] if words else []), *self._words(" ".join(words or [head]))] or [""]
        if words and self._key([head, *words])[0] is card:  # `card 4`
            head, *words = f"{head} {words[0]}", *words[1:]
        numbers = [word or "." for word in itertools.takewhile(_DICE.fullmatch, words)]
        rest = words[len(numbers) :]
        after = [piece for piece in rest if piece] if commas else [*self._pieces(" ".join(rest))]
        named = {part for piece in after if (part := self._keyed(piece)[0])}
        box = next((part for part in others if part.tick and part.kind == "mark"), None)
        if box and after and self._keyed(after[0])[0] is None and as_tick(after[0]) is not None:
            after[0] = f"{box.key}: {after[0]}"  # `1 x`
        if not head or not {*"".join(numbers)} - {".", " "}:
            return [head, *after] if head else pieces
        if mark in named or row in named:
            return [head, f"{(mark if row in named else row).key}: {' '.join(numbers)}", *after]
        readings: dict[str, bool] = {}
        for star, crates, as_printed in _readings(numbers, commas):
            typed = ((part, " ".join(dice)) for part, dice in ((mark, star), (row, crates)) if {*dice} - {"."})
            readings.setdefault(", ".join(f"{part.key}: {dice}" for part, dice in typed), as_printed)
        return [head, *self._best(head, " ".join(numbers), readings, after), *after] if readings else pieces

    def _best(self, head: str, numbers: str, readings: dict[str, bool], after: list[str]) -> list[str]:
        """The reading of the numbers on a card that the rules allow, if it is in the order of the paper; any reading in
        this order if the card does not exist. `readings` are the parts with their keys, and whether they are in this
        order."""
        worst: dict[str, int | None] = {}
        for reading in readings:
            line = _Line(self.shape, self.names).read(", ".join([head, reading, *after]))
            worst[reading] = self.shape.worst(line) if self.shape.worst else 0
        first = next(iter(worst))
        if len(worst) == 1 or None in worst.values():
            return first.split(", ")
        least = min(wrong for wrong in worst.values() if wrong is not None)
        allowed = [reading for reading, wrong in worst.items() if wrong == least < _ERROR]
        first, *others = allowed or worst
        if allowed and not others and readings[first]:
            return first.split(", ")
        typed, hint = f"“{head} {numbers}”", f"name the parts: “{head}, {first.replace(':', '')}”"
        choices = either([f"“{reading.replace(':', '')}”" for reading in (first, *others)])
        if not allowed:
            raise AmbiguousLineError(f"{typed} breaks a rule, whether it means {choices}", hint)
        raise AmbiguousLineError(f"{typed} can {'mean' if others else 'only mean'} {choices}", hint)

    def _is_list_of_cards(self, pieces: list[str]) -> bool:
        """Whether commas are only between cards: a name with a card, and more cards."""
        person, *places = self.shape.places
        name, _, card = pieces[0].partition(" ")
        if (
            not (card and places and places[0].kind == "row" and places[0].cards and all(pieces))
            or person.kind != "mark"
        ):
            return False
        known = {bare(card) for card in places[0].cards}
        return all(bare(piece) in known for piece in (card, *pieces[1:])) and len(matching(self.names, name)) == 1

    def _has_several(self, piece: str) -> bool:
        """Whether a piece between commas is several parts: words on a sheet where no mark has spaces, or a player's
        name with something after it."""
        name = _whose(piece, self.names) if not self.place else None
        return (self.shape.zero and " " in piece) or bool(name and len(name) < len(piece.rstrip(" :")))

    def _take(self, piece: str) -> None:
        part, rest = self._keyed(piece)
        if part and part.words and part.key in self.values and piece.startswith("back "):
            self.values[part.key] = f"{self.values[part.key]}, {piece}"  # `first-2, back to the Big Bang`
            return
        if part is None and self.skipped and _NUMBER.fullmatch(piece) and self.place == len(self.shape.places):
            last = self.shape.places[-1].key  # of two numbers, the first belongs to the place that was skipped
            self.values[self.skipped.key], self.values[last] = self.values[last], piece
            self.skipped = None
            return
        self._put(part or self._next(piece), rest)

    def _put(self, part: Shape, text: str) -> None:
        value = plain(part, text, self.names)
        if value is not None and self.values.setdefault(part.key, value) is not value:
            raise LineError(f"{part.key} is given twice")
        if part in self.shape.places:
            self.place = self.shape.places.index(part) + 1

    def _next(self, piece: str) -> Shape:
        """The next place, without boxes that a piece cannot tick and texts that it cannot be."""
        places = self.shape.places[self.place :]
        if not places:
            examples = f", for example {', or '.join(self.shape.examples)}" if self.shape.examples else ""
            raise LineError(
                f"“{piece}” is one part too many",
                f"type {', '.join(self.shape.place_names)}, or each part after its name{examples}",
            )
        if places[0].number or not (numbers := [part for part in places if part.number]):
            return places[0]
        if self.values and _NUMBER.fullmatch(piece) and not is_nothing(piece) and (places[0].words or places[0].tick):
            self.skipped = numbers[0] if len(numbers) > 1 else None
            return numbers[-1]
        boxes = itertools.takewhile(lambda part: part.tick and part.kind == "mark" and as_tick(piece) is None, places)
        return (*places[len([*boxes]) :], places[0])[0]

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
        words = piece.split(" ")
        part, count = self._key(words)
        if part is None and len(words) == 2 and _NUMBER.fullmatch(words[0]):
            after = self._key(words[1:])[0]  # `4 points`
            return (after, words[0]) if after and after.number else (None, piece)
        rest = " ".join(words[count:]).strip()
        if part is None or not (rest or part.tick):
            return None, piece
        return part, rest or TICKED

    def _key(self, words: Sequence[str]) -> tuple[Shape | None, int]:
        """The part whose key the words begin with, and the number of these words."""
        skipped = next((n for n, word in enumerate(words) if word not in _BEFORE_A_KEY), 0)
        for before in dict.fromkeys((0, skipped)):
            for count in range(min(len(words) - before, _LONGEST_KEY), 0, -1):
                key = " ".join(words[before : before + count]).rstrip(":")
                if count > 1 and not words[before][:1].isalnum():
                    continue  # a mark before a key: `≠ as R`
                if key and _is_key(key, words[before + count :]) and (part := _by_verb(self.shape, key)):
                    return part, before + count
        return None, 0

    def _pieces(self, text: str) -> Iterator[str]:
        """The words of a line without commas, grouped into pieces as commas would group them."""
        words = self._words(text)
        place = self.place
        while words:
            part, count = self._key(words)
            if part is None and len(words) > 1 and _NUMBER.fullmatch(words[0]):
                after, length = self._key(words[1:])  # `4 points`
                if after and after.number and not (words[length + 1 :] and _NUMBER.fullmatch(words[length + 1])):
                    part, count, words = after, length, [*words[1 : length + 1], words[0], *words[length + 1 :]]
            count = count + self._length(part, words[count:]) if part else self._unkeyed_length(place, words)
            if part in self.shape.places and part:
                place = self.shape.places.index(part)
            yield " ".join(words[:count])
            place, words = place + 1, words[count:]

    def _words(self, text: str) -> list[str]:
        name = _whose(text, self.names)
        if name:
            return [text[: len(name)], *filter(None, split(text[len(name) :].lstrip(" :"), " "))]
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
            return int(bool(words) and not _NUMBER.fullmatch(words[0]) and as_tick(words[0]) is not None)
        if part.kind == "mark" and not part.words:
            return 1
        if part.rest:
            return len(words)
        ends = [number for number in range(1, len(words)) if self._ends(part, words[number:])]
        return min(ends, default=len(words))

    def _ends(self, part: Shape, words: Sequence[str]) -> bool:
        inside = part.kind == "group" and any(bare(words[0]) == bare(inner.key) for inner in part.inner)
        return not inside and self._key(words)[0] is not None


def _in_brackets(piece: str) -> str:
    """A row of marks in brackets as one between spaces: `[6, 5]` as `6 5`."""
    return " ".join(re.split(r"[\s,]+", piece[1:-1])) if piece[:1] == "[" and piece[-1] == "]" else piece


def _readings(numbers: list[str], commas: bool) -> Iterator[tuple[list[str], list[str], bool]]:
    """The ways to read numbers as a mark and a row of marks, and whether each is in the order of the paper: first the
    mark. That is not the question where it is clear which of them is the row."""
    groups = [number.split() if " " in number else [*number] for number in numbers]
    single, several = ([group for group in groups if (len(group) > 1) == many] for many in (False, True))
    if len(several) == 1 and len(single) < 2 and (single or " " not in numbers[0]):
        yield single[0] if single else [], several[0], True  # `4, 6 5 4 2` or `4 6542`
    elif not several or len(numbers) == 1:
        dice = [*itertools.chain.from_iterable(groups)]
        yield dice[:1], dice[1:], True
        if not (commas and len(dice) == 2):
            yield [], dice, True
        if len(dice) > 1 and dice[-1] != ".":
            yield dice[-1:], dice[:-1], False


_NUMBER = re.compile(r"[+−-]?[0-9]{1,9}")
_DICE = re.compile(r"[1-9.]*(?: [1-9.])*")
_ERROR = 2
"""How wrong an entry is that breaks a rule (`GameRules.worst_on_line`)."""
_LONGEST_KEY = 4
"""The number of words in the longest label of a part."""
_BEFORE_A_KEY = ("and", "then", "back", "goes", "moves", "lands")
_TAKES = ("takes", "take", "took", "gets", "picks", "pick", "up", "the")


def _is_key(text: str, after: Sequence[str]) -> bool:
    """Whether words can be a key: in small letters, or as printed before a number, `Card 4`. In capitals the same word
    may be a mark."""
    return text == text.lower() or (text == text.capitalize() and bool(after) and bool(_NUMBER.fullmatch(after[0])))


def _by_verb(shape: Shape, key: str) -> Shape | None:
    """The part with this key or label, also as a verb: `rolls` for `roll`, `takes the pile` for `pile`."""
    first, _, rest = key.partition(" ")
    rest = f" {rest}" if rest else ""
    found = (shape.part(verb + rest) for verb in (first, first.removesuffix("s"), first.removesuffix("es")))
    return next(filter(None, found), None) or (tick_phrase(shape, key) if first in _TAKES else None)


def tick_phrase(shape: Shape, text: str) -> Shape | None:
    """The box that a text says is ticked: `pile`, `picks up the pile`."""
    words = text.lower().split()
    while words and words[0] in _TAKES and len(words) > 1:
        part = shape.part(" ".join([words[0].removesuffix("s"), *words[1:]]))
        if part and part.tick:
            return part
        del words[0]
    part = shape.part(" ".join(words)) if words else None
    return part if part and part.tick and part.kind == "mark" else None


def _tidied(text: str) -> str:
    """A line without signs that people draw between parts: arrows, brackets round a word, bars between columns."""
    if "'" in text or '"' in text:
        return text
    text = re.sub(r"^(\S{2,})\s+=\s+([^\W\d_]{2,})$", r"\1 \2", text)  # `TRAI≠ = train`
    text = re.sub(r"^((?:card )?[0-9]+):\s+", r"\1, ", text, flags=re.IGNORECASE)
    return re.sub(r"\s*\|\s*", ", ", re.sub(r"(?<!\S)\(([^()]*)\)", r"\1", re.sub(r"\s*(?:→|->|=>)\s*", " ", text)))
