"""The grammar of a typed line: `4, 4, 6 5 4 2, flipped`, `Ann 7 7`, or as in a file, `{card: 4}`; and how a whole sheet
is written into a file.

A line is read in one way, or not at all: one that can be read in two ways is refused with both readings.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct, field

from .. import nodes
from ..errors import InputError, did_you_mean
from ..nodes import Listing, Node, Scalar
from ..spelling import bare, joined, usual_signs
from .marks import DASHES, RELATIONS, LineError, as_tick, is_no_word, pieces, signs_in
from .parts import SheetPart

Plain: TypeAlias = str | list["Plain"] | dict[str, "Plain"]
LineCheck: TypeAlias = Callable[[str, Mapping[str, Any]], int | None]
"""How wrong an entry is that is typed on one line, by the path of its part: 0 if it breaks no rule, 1 for a warning, 2
for an error; None if its card is not in play (`GameRules.worst_on_line`)."""
TICKED = "true"
_QUOTES = str.maketrans("“”„", '"' * 3)
_KEYED = re.compile(r"([A-Za-z][\w-]*)\s*:(?:\s+|$)")
_NUMBER = re.compile(r"[+−-]?[0-9]{1,9}")
# How wrong an entry is that breaks a rule (`GameRules.worst_on_line`).
_ERROR = 2
# The number of words in the longest label of a part.
_LONGEST_KEY = 4


def plain(part: SheetPart, text: str, names: Sequence[str] = (), check: LineCheck | None = None) -> Plain | None:
    """The value of a part of the sheet as typed on a line; None for an empty line. `names` are the players; `check`
    decides between the readings of the numbers on a card. A line that begins with a bracket is read as in a file.
    Raises LineError."""
    text = usual_signs(text).translate(_QUOTES).expandtabs(1).strip()
    if not text:
        return None
    if text[0] == "{" or (text[0] == "[" and part.kind != "mark"):
        node = next(nodes.documents(text, "the line", keep_lines=True), None)
        if node is None or isinstance(node, InputError):
            message = node.problems[0].message if node else "not readable"
            raise LineError(message, "type it as in a file: {key: mark, key: [mark, mark]}")
        return of_node(node)
    if part.kind == "mark":
        return unquoted(text)
    if part.kind == "row" and part.by and names:
        return {**marks_by_player(text, names)}
    if part.kind in ("row", "ticks"):
        return _row(part, text)
    return "0" if part.spec.zero and is_no_word(text) else _Line(part, tuple(names), check).read(text)


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
        depth += 0 if quote else (letter in "[{") - (letter in "]}")
        if letter == at and depth <= 0 and not quote:
            pieces.append("")
        else:
            pieces[-1] += letter
    return [piece.strip() for piece in pieces]


def _closed(text: str, quote: str) -> bool:
    """Whether a quote has a closing quote; otherwise it is an apostrophe."""
    return re.search(re.escape(quote) + r"(?=[\s,\]}]|$)", text) is not None


def _row(part: SheetPart, text: str) -> Plain:
    """A row of marks, or the names of ticked boxes. On a line, texts of one word need no commas."""
    if part.kind == "row" and (part.spec.kind in ("text", None) or re.search("['\"]", text)):
        if "," in text:
            return [unquoted(piece) or "." for piece in split(text, ",")]
        return [unquoted(piece) for piece in split(text, " ") if piece]
    if part.kind == "row":  # a single number for ticks can be a box or how many there are
        return text if part.tick and text.isdecimal() else [*pieces(part.spec, text, part.cards, part.most)]
    names = [name for name in map(str.strip, text.split(",")) if name]
    names = names if len(names) > 1 or part.find(text) else text.split()
    return names[0] if len(names) == 1 else [*names]


def marks_by_player(text: str, names: Sequence[str]) -> dict[str, str]:
    """One mark per player: `Ann 9, Ben 4`, or in the players' order, `9 4`."""
    pieces = split(text, ",") if "," in text else re.split(r"\s*;\s*|\s+[/|]\s+|\s+", text)
    if all(whose(piece, names) is None for piece in pieces):
        if len(pieces) != len(names):
            if len(pieces) < len(names) == len(parts := re.split("[-/:–]", text)):
                hint = f"type “{', '.join(map(str.strip, parts))}” for one each"
                raise LineError(f"“{text}” can be one mark or {len(parts)}", hint)
            raise LineError(few_or_many(len(pieces), names), f"name the players: {names[0]} …")
        return {name: unquoted(mark) for name, mark in zip(names, pieces, strict=True) if mark not in ("", ".")}
    by_name: dict[str, str] = {}
    for name, mark in _by_name(text, names):
        if name in by_name:
            raise LineError(f"{name} has two marks, “{by_name[name]}” and “{mark}”")
        if not mark:
            raise LineError(f"{name} has no mark in “{text}”", f"type “{name} .” if it is blank")
        by_name[name] = mark
    return by_name


def few_or_many(count: int, names: Sequence[str]) -> str:
    """The message that there is not one mark for each player."""
    return f"{count} {'mark' if count == 1 else 'marks'} for {len(names)} players ({', '.join(names)})"


def _by_name(text: str, names: Sequence[str]) -> Iterator[tuple[str, str]]:
    for piece in re.split("[,;]", text) if re.search("[,;]", text) else re.findall(r"\S+\s+\S+|\S+", text):
        piece = piece.strip()
        name = whose(piece, names)
        if name is None:
            raise LineError(f"“{piece}” does not begin with a player’s name", did_you_mean(piece, names))
        yield name, unquoted(piece[len(name) :].lstrip(" :"))


def whose(text: str, names: Sequence[str]) -> str | None:
    """The longest name that the text begins with."""
    begun = [name for name in names if re.match(re.escape(name) + r"(?=[\s:]|$)", text, re.IGNORECASE)]
    return max(begun, key=len, default=None)


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
    mark, a row takes all marks up to the next key, and a text after its key takes all words up to the next one.
    `numbers` are numbers without a key that come before the part for them; `later` are the keys of dice after commas,
    which take no place."""

    part: SheetPart
    names: tuple[str, ...]
    check: LineCheck | None
    place: int = 0
    values: dict[str, Plain] = field(default_factory=dict)
    numbers: list[str] = field(default_factory=list)
    loose: set[str] = field(default_factory=set)
    later: set[str] = field(default_factory=set)
    text: str = ""

    def read(self, text: str) -> dict[str, Plain]:
        row, typed = next((part.key for part in self.part.inner if part.kind == "row" and part.dice), ""), text
        self.text = text = RELATIONS.sub(" ", text) if row else text
        pieces = self._with_numbers_on_a_card(split(text, ","))
        named = (self._keyed(piece)[0] for piece in pieces[1:] if piece)
        self.later = {part.key for part in named if part and part.dice}
        for piece in pieces:
            if not piece:
                self.place += len(pieces) > 1
            elif len(pieces) == 1 or self._has_several(piece):
                for inner in self._pieces(self._words(piece)):
                    self._take(inner)
            else:
                self._take(piece)
        self._put_numbers()
        self._refuse_missing_numbers(pieces)
        found = self.values.get(row)
        if isinstance(found, list) and (signs := signs_in(typed, len(found))):  # they are compared with the card
            self.values[row] = " ".join(map(str, [*itertools.chain(*zip(found, signs, strict=False)), found[-1]]))
        return self.values

    def _has_several(self, piece: str) -> bool:
        """Whether a piece between commas is several parts: words on a sheet where no mark has spaces, or a player's
        name with something after it."""
        name = whose(piece, self.names) if not self.place else None
        return (self.part.spec.zero and " " in piece) or bool(name and len(name) < len(piece.rstrip(" :")))

    # ---- words -------------------------------------------------------------------------------------------------------

    def _words(self, text: str) -> list[str]:
        if name := whose(text, self.names):
            return [text[: len(name)], *filter(None, split(text[len(name) :].lstrip(" :"), " "))]
        return list(filter(None, split(text, " ")))

    def _pieces(self, words: list[str]) -> Iterator[str]:
        """The words of a line without commas, grouped into pieces as commas would group them."""
        places, place = self.part.places, self.place
        while words:
            part, count = self._key(words)
            box = self._key(words[1:])[0] if words[0].lower() in ("not", "no") else None
            if box and box.box:
                said = f"“{' '.join(words[:2])}” can mean that the box is ticked or blank"
                raise LineError(said, f"type “{box.key}” or “{box.key} no”")
            if part is None and len(words) > 1 and _NUMBER.fullmatch(words[0]):
                after, length = self._key(words[1:])  # `4 points`
                if after and after.number and not (words[length + 1 :] and _NUMBER.fullmatch(words[length + 1])):
                    part, count, words = after, length, [*words[1 : length + 1], words[0], *words[length + 1 :]]
            count = count + self._length(part, words[count:]) if part else self._unkeyed_length(places[place:], words)
            place = places.index(part) if part in places and part else place
            yield " ".join(words[:count])
            place, words = place + 1, words[count:]

    def _unkeyed_length(self, places: Sequence[SheetPart], words: list[str]) -> int:
        """How many words belong to the part in the next place."""
        if len(places) == 1 and places[0].words:  # nothing else can follow
            return self._length(places[0], words)
        if not places or places[0].kind == "mark" or (places[0].dice and re.fullmatch("[1-9.]{2,}", words[0])):
            return 1
        return max(1, self._length(places[0], words))

    def _length(self, part: SheetPart, words: list[str]) -> int:
        """How many of the words belong to the part."""
        if part.box:
            return int(bool(words) and not _NUMBER.fullmatch(words[0]) and as_tick(words[0]) is not None)
        if part.kind == "mark" and not part.words:
            return 1
        if part.rest:
            return len(words)
        return next((number for number in range(1, len(words)) if self._ends(part, words[number:])), len(words))

    def _ends(self, part: SheetPart, words: Sequence[str]) -> bool:
        inside = part.kind == "group" and any(bare(words[0]) == bare(inner.key) for inner in part.inner)
        return not inside and self._key(words)[0] is not None

    def _key(self, words: Sequence[str]) -> tuple[SheetPart | None, int]:
        """The part whose key the words begin with, and the number of these words. Where words are written down, one in
        capitals may be a mark."""
        for count in range(min(len(words), _LONGEST_KEY), 0, -1):
            key, after = " ".join(words[:count]).rstrip(":"), words[count:]
            is_capital = self.part.spec.zero and key != key.lower()
            is_key = not is_capital or (key == key.capitalize() and after and _NUMBER.fullmatch(after[0]))
            are_words = count == 1 or all(word[:1].isalnum() for word in words[:count])
            if key and is_key and are_words and (part := self.part.on_a_line(key)):
                return part, count
        return None, 0

    # ---- pieces ------------------------------------------------------------------------------------------------------

    def _keyed(self, piece: str) -> tuple[SheetPart | None, str]:
        """The part whose key the piece begins with, and the rest of the piece."""
        if match := _KEYED.match(piece):
            part = self.part.on_a_line(match[1], whole=False)
            if part is None:
                known = [part.key for part in self.part.inner]
                raise LineError(f"unknown key “{match[1]}”", did_you_mean(match[1], known))
            return part, piece[match.end() :]
        words = piece.split(" ")
        part, count = self._key(words)
        if part is None and len(words) == 2 and _NUMBER.fullmatch(words[0]):
            after = self._key(words[1:])[0]  # `4 points`
            return (after, words[0]) if after and after.number else (None, piece)
        rest = " ".join(words[count:]).strip()
        return (part, rest or TICKED) if part and (rest or part.tick) else (None, piece)

    def _take(self, piece: str) -> None:
        part, rest = self._keyed(piece)
        places = [part for part in self.part.places[self.place :] if part.key not in self.later]
        last = next((other for other in self.part.inner if other.rest and other is not part), None)
        if part and last and not (part.placed or places or _KEYED.match(piece)):
            message = f"“{piece}” can be “{part.label.lower()}” or “{last.label.lower()}”"
            raise LineError(
                message, f"type “{part.key}” before “{self.part.places[0].key}”, or “{last.label.lower()} {piece}”"
            )
        dash = [part for part in self.part.inner if part.box and "–" in part.spec.also]
        if part is None and self.values and piece in DASHES and dash:
            part, rest = dash[0], TICKED  # a dash is printed for the box
        later = bool(places) and (places[0].words or places[0].box) and any(place.number for place in places)
        if part is None and self.values and later and _NUMBER.fullmatch(piece):
            self.numbers.append(piece)
        elif part or places:
            if part is None:
                part = next((part for part in places if _can_be(part, piece)), places[0])
                self.loose.add(part.key)
            self._put(part, rest)
        elif (row := self.part.places[-1:]) and row[0].kind == "row" and row[0].card and row[0].key in self.loose:
            self.values[row[0].key] = [*self.values[row[0].key], *pieces(row[0].spec, piece, row[0].cards)]
        else:
            raise self._too_many(piece)

    def _refuse_missing_numbers(self, pieces: list[str]) -> None:
        """Raises LineError if it is not clear to which parts the numbers without a key belong, because there are fewer
        of them than boxes. A comma at the end, like a dot, says that the rest is blank."""
        numbers = [part for part in self.part.places if part.number and not part.spec.by]
        loose = [part for part in numbers if part.key in self.loose]
        last = numbers[-1] if numbers else self.part
        short = [
            part for part in loose if part is not last and part.kind == "row" and len(self.values[part.key]) < part.most
        ]
        is_given = last.kind == "row" or last.key in self.values or last in self.part.places[: self.place]
        is_whole = is_given or len(self.loose) < len(self.values) or not pieces[-1]
        if len(numbers) > 1 and loose and (short or not is_whole) and not any(part.words for part in self.part.places):
            hint = f"type a dot for each blank, or name the parts: {numbers[-1].key} {pieces[-1].split()[-1]}"
            raise LineError(f"“{self.text}” has fewer numbers than there are boxes", hint)

    def _put(self, part: SheetPart, text: str) -> None:
        if part.kind == "row" and "  " in self.text:  # words are joined by single spaces
            typed = re.search(r"\s+".join(map(re.escape, text.split())), self.text)
            text = typed[0] if typed else text
        value = plain(part, text, self.names, self.check)
        if value is not None and self.values.setdefault(part.key, value) is not value:
            first = flow(self.values[part.key])
            raise LineError(f"{part.key} is given twice, “{first}” and “{flow(value)}”", "name each part once")
        if part in self.part.places:
            self.place = self.part.places.index(part) + 1

    def _put_numbers(self) -> None:
        """Puts numbers without a key into the parts for numbers, if there are as many."""
        names = dict(zip(self.part.places, self.part.place_names, strict=True))
        parts = [part for part in names if part.number and part.key not in self.values]
        if len(self.numbers) > len(parts):
            raise self._too_many(self.numbers[-1])
        if 0 < len(self.numbers) < len(parts):
            choices = [f"“{names[part]} {self.numbers[0]}”" for part in parts]
            raise LineError(f"“{self.numbers[0]}” can mean {joined(choices, 'or')}", f"name the part: {choices[0]}")
        for part, number in zip(parts, self.numbers, strict=False):
            self._put(part, number)

    def _too_many(self, piece: str) -> LineError:
        examples = f", for example {', or '.join(self.part.examples)}" if self.part.examples else ""
        groups = [part for part in self.part.inner if part.kind == "group" and part.spec.zero]
        names = ", ".join([*map(self.part.name_of, groups), *self.part.place_names])
        return LineError(f"“{piece}” is one part too many", f"type {names}, or each part after its name{examples}")

    # ---- the numbers on a card ---------------------------------------------------------------------------------------

    def _with_numbers_on_a_card(self, pieces: list[str]) -> list[str]:
        """A card with a mark and a row of marks, such as a star and crates, as parts with their keys; any other pieces
        unchanged. Commas show which of them is which."""
        card, *others = self.part.places or (self.part,)
        mark = next((part for part in others if part.kind == "mark" and part.dice), None)
        row = next((part for part in others if part.kind == "row" and part.dice), None)
        if len(pieces) > 2 or not (card.card and mark and row):
            return pieces  # a single comma is only between the card and the rest
        head, *rest = self._words(" ".join(pieces)) or [""]
        if rest and self._key([head, *rest])[0] is card:  # `card 4`
            head, *rest = f"{head} {rest[0]}", *rest[1:]
        numbers = [*itertools.takewhile(re.compile("[1-9.]+").fullmatch, rest)]
        after = [*self._pieces(rest[len(numbers) :])]
        dice = "".join(numbers)
        if not {*dice} - {"."}:
            return [head, *after]
        named = {self._keyed(piece)[0] for piece in after}
        if mark in named or row in named:
            return [head, f"{(mark if row in named else row).key}: {' '.join(dice)}", *after]
        readings = [(dice[:1], dice[1:]), ("", dice), *([(dice[-1:], dice[:-1])] if dice[-1] != "." else [])]
        if len(numbers) < 3 and len(numbers[-1]) > 1 and (len(numbers) == 1 or len(numbers[0]) == 1):
            readings = readings[2 - len(numbers) :][:1]  # `6542` or `4 6542`: it is clear which of them is the row
        texts = [
            ", ".join(f"{part.key}: {' '.join(text)}" for part, text in ((mark, one), (row, many)) if {*text} - {"."})
            for one, many in readings
        ]
        return [head, *self._allowed(head, " ".join(numbers), [*dict.fromkeys(texts)], after), *after]

    def _allowed(self, head: str, numbers: str, readings: list[str], after: list[str]) -> list[str]:
        """The reading of the numbers that the rules allow, if it is the first one, which is in the order of the paper;
        also the first one if the card does not exist. Raises LineError if the rules allow another or none."""
        first, *others = readings
        if not others:
            return first.split(", ")
        lines = {
            reading: _Line(self.part, self.names, None).read(", ".join([head, reading, *after])) for reading in readings
        }
        worst = {reading: self.check(self.part.path, line) if self.check else 0 for reading, line in lines.items()}
        known = [wrong for wrong in worst.values() if wrong is not None]
        allowed = [reading for reading in readings if worst[reading] == min(known, default=0) < _ERROR]
        if len(known) < len(readings) or allowed == [first]:
            return first.split(", ")
        first, *others = allowed or readings
        typed, hint = f"“{head} {numbers}”", f"name the parts: “{head}, {first.replace(':', '')}”"
        choices = joined([f"“{reading.replace(':', '')}”" for reading in (first, *others)], "or")
        if not allowed:
            raise LineError(f"{typed} breaks a rule, whether it means {choices}", hint)
        raise LineError(f"{typed} can {'mean' if others else 'only mean'} {choices}", hint)


def _can_be(part: SheetPart, piece: str) -> bool:
    """Whether a piece without a key can be this part: only a tick ticks a box, and only dice are in a row of dice."""
    is_tick = as_tick(piece) is not None
    return is_tick if part.box else not (part.dice and is_tick) or bool(_NUMBER.fullmatch(piece))


# ---- writing a sheet -------------------------------------------------------------------------------------------------


WIDTH = 116
_PLAIN = re.compile(r"(?:[^\W_]|[=≠/✓✔]|\./)(?:[\w=≠/+.'’ -]*[\w=≠/+.'’-])?|-?[0-9]+")
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n", "\t": r"\t", "\r": r"\r", "\b": r"\b", "\f": r"\f"})


class Rows(list[Plain]):
    """The rows of a grid, each on a line of its own."""


def sheet_text(document: Mapping[str, Plain]) -> str:
    """The document as YAML, with short values on one line."""
    return "".join(f"{line}\n" for line in _block(document))


def scalar(text: str) -> str:
    """A text as YAML, quoted if it would mean something else."""
    return text if text == "." or (_PLAIN.fullmatch(text) and text != "null") else _in_quotes(text)


def _in_quotes(text: str) -> str:
    letters = (letter if letter.isprintable() else _escaped(letter) for letter in text.translate(_ESCAPES))
    return f'"{"".join(letters)}"'


def _escaped(letter: str) -> str:
    number = ord(letter)
    return f"\\U{number:08x}" if number > 0xFFFF else f"\\u{number:04x}"


def flow(value: Plain) -> str:
    """The value on one line."""
    if isinstance(value, str):
        return scalar(value)
    if isinstance(value, list):
        return f"[{', '.join(map(flow, value))}]"
    return "{" + ", ".join(f"{scalar(key)}: {flow(inner)}" for key, inner in value.items()) + "}"


def _block(document: Mapping[str, Plain]) -> Iterator[str]:
    for key, value in document.items():
        name = f"{scalar(key)}:"
        if _short(value):
            yield f"{name} {flow(value)}"
        elif isinstance(value, dict):
            yield name
            yield from (f"  {line}" for line in _block(value))
        else:
            yield name
            for entry in value:
                yield from _entry(entry, isinstance(value, Rows))


def _short(value: Plain) -> bool:
    """Whether the value stands on the line of its key: a text, a row of texts, or a group of them."""
    if isinstance(value, str) or _is_row(value):
        return True
    return isinstance(value, dict) and all(map(_flat, value.values())) and len(flow(value)) <= WIDTH


def _flat(value: Plain) -> bool:
    return isinstance(value, str) or _is_row(value)


def _is_row(value: Plain) -> bool:
    return isinstance(value, list) and not isinstance(value, Rows) and all(isinstance(item, str) for item in value)


def _entry(entry: Plain, quoted: bool) -> Iterator[str]:
    if isinstance(entry, str):
        yield f"  - {_in_quotes(entry) if quoted else scalar(entry)}"
    elif isinstance(entry, dict) and entry and (len(flow(entry)) > WIDTH or not all(map(_group, entry.values()))):
        first, *rest = _block(entry)
        yield f"  - {first}"
        yield from (f"    {line}" for line in rest)
    else:
        yield f"  - {flow(entry)}"


def _group(value: Plain) -> bool:
    if not isinstance(value, dict):
        return _flat(value)
    return all(map(_flat, value.values())) or (len(value) == 1 and all(map(_group, value.values())))
