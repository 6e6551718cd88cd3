"""A filled-in sheet: every mark by its field id, with the line on which it was typed; and what may be typed in a field,
by its kind: one mark, or a row of marks in one text.

| kind   | one mark                                   | a row in one text                                  |
|--------|--------------------------------------------|----------------------------------------------------|
| text   | anything printable                         | `Ann, Ben Lee` between commas                      |
| number | `7`, `-3`, `−3`                            | `9 -3 12` or `9, -3, 12`                           |
| die    | `1` to `6`, or the span of the field       | `6 5 4 2`, `6, 5, 4, 2` or `6542`                  |
| tick   | `x`, `yes`, `true`, `on` …; `no`, `off` …  | `x . x`, or the numbers of the boxes, `1 3`        |
| choice | one of the choices, in either case         | `2x (3) 5`, or between commas                      |
| card   | its number or name, in either case         | `5 5`, `55` or `Stuck, New Building`               |

A blank is `.`, `~`, `""` or nothing; a dash or `none` is nothing, too. Between commas, nothing is a blank. What can be
read in two ways is refused.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from ..draws import SetCode
from ..errors import Place, did_you_mean
from ..model.game import Card, FieldFile, Game, ScoreSheet
from ..model.values import Empty
from ..nodes import Scalar
from ..reading.typed import scalar_text
from ..spelling import invisible_character, joined, tidy

_WHOLE_NUMBER = re.compile("-?[0-9]{1,9}")
Value: TypeAlias = int | str
"""Numbers and dice are ints, ticks are True; names, choices and cards are texts."""


class FilledSheet(Struct, frozen=True):
    """A filled-in sheet of `game`.

    - `codes`: the set codes by the fields they were typed into; `code` is the first of them.
    - `marks`: the marks by field id, each parsed according to the kind of its field; blank fields are left out.
    - `entries`: the ids of the filled-in entries of each repeated group (`players` → `players.1`, `players.2`).
    - `rows`: the numbers of the filled-in marks of each row.
    - `extra`: the parts that are not on paper, parsed by the game's annotations.
    - `blanks`: the fields that were typed as blank rather than left out.
    - `places`: the line of every mark, group, row and entry.
    - `people`: the player that an entry belongs to.
    - `options`: options from the command line.
    - `repeated_ticks`: the boxes that a list ticks more than once.
    - `signs`: the symbols that are typed between the numbers of a row, by the id of the row.
    """

    game: Game
    sheet: ScoreSheet
    place: Place
    code: SetCode | None = None
    cards: Mapping[str, Card] = Empty
    marks: Mapping[str, Value] = Empty
    entries: Mapping[str, tuple[str, ...]] = Empty
    rows: Mapping[str, tuple[int, ...]] = Empty
    extra: Mapping[str, Any] = Empty
    places: Mapping[str, Place] = Empty
    people: Mapping[str, str] = Empty
    options: Mapping[str, str] = Empty
    blanks: frozenset[str] = frozenset()
    codes: Mapping[str, SetCode] = Empty
    repeated_ticks: tuple[str, ...] = ()
    signs: Mapping[str, Sequence[str]] = Empty

    def value(self, name: str) -> Value | None:
        """The mark in a field; None if the field is blank."""
        return self.marks.get(name)

    def spec(self, name: str) -> FieldFile | None:
        """The definition of a field; None if the sheet has no such field."""
        fields: Mapping[str, FieldFile] = self.sheet.definition.fields
        spec = None
        for part in (part for part in name.split(".") if not part.isdigit()):
            spec = fields.get(part)
            fields = (spec.fields if spec else None) or {}
        return spec

    def written(self, name: str) -> str:
        """A mark as it is written on paper: a cross for a tick, and the number of a player in a field that has room for
        a single character."""
        value, spec = self.marks[name], self.spec(name)
        if value is True:
            return "x"
        if spec is None or spec.kind != "text" or not spec.by or spec.length > 1:
            return str(value)
        entries = (at.removeprefix(f"{spec.by}.") for at, person in self.people.items() if person == value)
        return next(filter(str.isdecimal, entries), str(value))

    def number(self, name: str) -> int | None:
        """The number in a field, including a choice between numbers; None if the field is blank."""
        value, field = self.marks.get(name), self.sheet.fields.get(name)
        if isinstance(value, str):
            return int(value) if _WHOLE_NUMBER.fullmatch(value) and (not field or field.kind == "choice") else None
        return value

    def text(self, name: str) -> str:
        """The text in a field; empty if the field is blank."""
        value = self.marks.get(name)
        return value if isinstance(value, str) else ""

    def ticked(self, name: str) -> bool:
        """Whether a box is ticked."""
        return self.marks.get(name) is True

    def row(self, name: str) -> tuple[int | None, ...]:
        """The numbers of a row of marks, from 1 to the last one filled in; None is a blank."""
        last = max(self.rows.get(name, ()), default=0)
        return tuple(self.number(f"{name}.{number}") for number in range(1, last + 1))

    def ticks(self, name: str) -> frozenset[int]:
        """The numbers of the ticked boxes of a row."""
        return frozenset(self.rows.get(name, ()))

    def place_of(self, name: str) -> Place:
        """The line of this id, or of the smallest enclosing part that has one."""
        while name:
            if name in self.places:
                return self.places[name]
            name = name.rpartition(".")[0]
        return self.place

    def player_of(self, name: str) -> str | None:
        """The player whose part of the sheet contains this id. A single-player sheet belongs to its player."""
        while name:
            if name in self.people:
                return self.people[name]
            name = name.rpartition(".")[0]
        return None if self.sheet.definition.players else str(self.marks.get("player", "")) or None


# Spellings of a blank; an unquoted `null` is another.
BLANK = frozenset(("", ".", "~"))

DASHES = ("-", "‒", "–", "—", "―", "−")

# The maximum length of a text; nobody writes more in a field by hand.
MAX_LENGTH = 200

_TICKED = frozenset(["x", "✓", "✔", "☑", "☒", "check", "checked", "yes", "tick", "ticked", "y", "true", "on", "1"])
_NOT_TICKED = frozenset(("no", "n", "false", "off", "0", "-", "☐", "not ticked"))
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_SUM = re.compile(r"= ?-?[0-9]+|-?[0-9]+( ?[-+×] ?[0-9]+)+( ?= ?-?[0-9]+)?")
_SIGNED = re.compile(r"[^\w–−-]*([-–−]|minus|)[ ]?([0-9]{1,9})[^\w–−-]*(?:(?:p|pts?|points?|st|nd|rd|th)[^\w–−-]*)?")
_CORRECTED = re.compile(r".+(?:→|->|=>|>)\s*(-?[0-9]{1,9})")
_NOTHING = re.compile(r"0|[-‒–—―−]+|_+|none|nothing|nobody|no( word| one|body| cards?)?", re.IGNORECASE)
_NO_WORD = re.compile(r"0|[-‒–—―−]+|_+|no word", re.IGNORECASE)
# The maximum number of choices that a message lists.
_MAX_NAMED = 30
_IN_BRACKETS = re.compile(r"\(([0-9])\)")
# What is printed between the crates of a card, also as it is printed on terminals without these symbols.
RELATIONS = re.compile(r"\s*[▼▲=≠]\s*|(?<=[\d.])\s+[v^/]\s+(?=[\d.])")
_BETWEEN_NUMBERS = re.compile(r"(?<=[\d.])(?:\s*([▼▲=≠])\s*|\s+([v^/])\s+)(?=[\d.])")
_SEPARATOR = re.compile(r"[;|/]|(?<=[0-9])\+|\+(?=\s)")
# What is between several names, rather than in a name.
_LIST_OF_NAMES = re.compile(r"[;|→、\n]|\w[/+>]\w|\s[/+>·•]\s|^[/+·•&,:–—-]+$|[,:]\s*$|^(?i:name)[\s:]")
_NAME_AND_NUMBERS = re.compile(r"^(?:#\d+|\d+[.)])\s+\w|\d\s+\W*\d|[★☆✓✔]\s*\d*$")


class MarkError(ValueError):
    """Says what a mark must be, to complete “must be …”. The hint is looked up only on request, because that is
    slow."""

    def __init__(self, expected: str, hint: str | Callable[[], str] = "") -> None:
        super().__init__(expected)
        self.expected = expected
        self._hint = hint

    def look_up(self) -> str:
        """The hint."""
        return self._hint if isinstance(self._hint, str) else self._hint()


class LineError(ValueError):
    """A text that cannot be read, or in several ways, with a hint."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


def written(value: Any) -> str | None:
    """The text of a single value; None for a blank. Raises ValueError for a list or mapping."""
    if value is None or (type(value) is Scalar and value.blank) or value in BLANK:
        return None
    text = scalar_text(value)
    if text is None:
        raise ValueError("not a single value")
    return text


def is_blank(value: Any) -> bool:
    """Whether the value is blank."""
    return value is None or (isinstance(value, str) and written(value) is None)


def is_nothing(text: str) -> bool:
    """Whether the text says that a player has nothing to write: `0`, `-`, `—`, `none`, `no word`."""
    return _NOTHING.fullmatch(text.strip()) is not None


def is_no_word(text: str) -> bool:
    """Whether the text says that a player found no word: `0`, `-` or `no word`. NONE is a word."""
    return _NO_WORD.fullmatch(text.strip()) is not None


# ---- one mark --------------------------------------------------------------------------------------------------------


def value(spec: FieldFile, text: str, cards: Collection[str] = ()) -> Value | None:
    """The value of a mark that is not blank; None for a tick box marked “no”, and for `-` or `none` in other fields.
    Raises MarkError."""
    text = tidy(text)
    text = "-" if text in DASHES and spec.kind != "text" else text
    if len(text) > MAX_LENGTH:
        raise MarkError(f"a text of at most {MAX_LENGTH} characters")
    if not text.isprintable() and (invisible := invisible_character(text)):
        raise MarkError("a text without invisible characters", f"delete the {invisible}")
    if spec.kind == "text" or text in spec.choices:
        return text
    if spec.kind != "tick" and text != "0" and is_nothing(text):
        return None
    if spec.kind in ("number", "die"):
        return _number(spec, text)
    if spec.kind == "tick":
        return _tick(text)
    return text if spec.kind == "code" else card(text, cards) if spec.kind == "card" else _choice(spec, text)


def _number(spec: FieldFile, text: str) -> int:
    number = int(text) if _NUMBER.fullmatch(text) else None
    if spec.kind == "die":
        low, high = (spec.span.low, spec.span.high) if spec.span else (1, 6)
        if number is None or not low <= number <= high:
            raise MarkError(f"a number from {low} to {high}", "" if number is not None else _number_hint(text))
    if number is None:
        raise MarkError("a whole number", _number_hint(text))
    return number


def _number_hint(text: str) -> str:
    """How to type what may be a sum, a corrected number, or a number with signs around it."""
    if _SUM.fullmatch(text):
        return "type only the result"
    if corrected := _CORRECTED.fullmatch(text):
        return f"type only the new number: {corrected[1]}"
    if text.lower() in ("points", "point", "pts", "p"):
        return "type a number in digits before it"
    inside = _SIGNED.fullmatch(text)
    return f"type only the number: {'-' if inside[1] else ''}{inside[2]}" if inside else ""


def as_tick(text: str) -> bool | None:
    """Whether the text ticks a box or leaves it blank; None if it does neither."""
    text = text.strip().lower()
    return True if text in _TICKED else False if text in _NOT_TICKED or is_nothing(text) else None


def _tick(text: str) -> bool | None:
    ticked = as_tick(text)
    if ticked is None:
        raise MarkError("x (ticked) or blank")
    return ticked or None


def card(text: str, cards: Collection[str]) -> str:
    """The id of a card in the game, in either case and with or without leading zeros. Raises MarkError."""
    if text in cards:
        return text
    matches = [name for name in cards if _bare(name) == _bare(text)]
    if len(matches) != 1:
        raise MarkError("a card in the game", lambda: near_cards(text, cards))
    return matches[0]


def near_cards(text: str, cards: Collection[str]) -> str:
    """A hint for an unknown card. Numbered cards are all listed, because a similar number does not help."""
    return f"known: {', '.join(cards)}" if text.isdecimal() and len(cards) <= 40 else did_you_mean(text, cards)


def _bare(text: str) -> str:
    return "-".join(text.lower().replace("_", "-").split()).lstrip("0") or "0"


def _choice(spec: FieldFile, text: str) -> str:
    if "1x" in spec.choices:
        text = _IN_BRACKETS.sub(r"\1x", text)  # a number in brackets is crossed out
    same = (choice for choice in spec.choices if _key(choice) == _key(text))
    choice = text if text in spec.choices else next(same, None)
    if choice is None:
        raise MarkError(one_of(spec.choices), lambda: near(text, spec.choices))
    return choice


def _key(text: str) -> str:
    """The form in which choices are compared: lower case, `_` for `-`, numbers without leading zeros."""
    return (text.lstrip("0") or "0") if text.isdecimal() else text.lower().replace("-", "_")


def one_of(words: Sequence[str]) -> str:
    """What a choice must be: the words of a short list, or the number of choices."""
    return joined(words, "or") if len(words) <= _MAX_NAMED else f"one of its {len(words):,} choices"


def near(text: str, words: Collection[str]) -> str:
    """A hint for an unknown choice, if another is spelt similarly. A single letter never gets one."""
    hint = did_you_mean(text, words) if len(text) > 1 else ""
    return hint if hint.endswith("?") else ""


# ---- a row of marks in one text --------------------------------------------------------------------------------------


def pieces(spec: FieldFile, text: str, cards: Collection[str] = (), most: int | None = None) -> list[str]:
    """The marks of a row of at most `most` that is typed as one text. Raises LineError if it can be read in two
    ways."""
    text = text.strip()
    if spec.kind == "text":
        return names_in(text)
    if spec.kind == "die":
        text = RELATIONS.sub(" ", text)
    if "," in text:
        return [piece.strip() or "." for piece in text.removesuffix(",").split(",")]
    if (separator := _SEPARATOR.search(text)) and not _SEPARATOR.search("".join((*spec.choices, *cards))):
        raise LineError(f"“{text}” has “{separator[0]}” between marks", "type spaces or commas instead")
    marks = ["-" if mark in DASHES else mark for mark in text.split()]
    _refuse_dashes(spec, text, marks)
    if spec.kind == "card":
        return _cards_in(marks, cards)
    one_digit = spec.span is None or 0 < spec.span.high < 10
    if spec.kind == "die" and one_digit and re.fullmatch("[1-9.][0-9.]+", text):
        return [*text]
    gaps = {*re.findall(r"\s+", text)}
    if len(marks) != most and (len(gaps) > 1 or (len(marks) == 2 and not gaps & {" ", "\t"})):
        raise LineError(f"“{text}” may leave out a blank between the marks", "type a dot for each blank")
    return marks


def signs_in(text: str, count: int) -> list[str]:
    """The symbols typed between the `count` numbers of a row; empty unless there is one between any two."""
    signs = [sign or {"v": "▼", "^": "▲", "/": "≠"}[letter] for sign, letter in _BETWEEN_NUMBERS.findall(text)]
    return signs if len(signs) == count - 1 else []


def _refuse_dashes(spec: FieldFile, text: str, marks: list[str]) -> None:
    """Raises LineError for a row in which a dash may be a blank, or a minus sign, or between two marks: `9 - 3`. A dot
    may be a blank or between two marks: `6.5`."""
    between = [number for number in range(spec.kind != "card", len(marks) - 1) if marks[number] == "-"]
    digits = [number for number in range(len(marks) - 1) if marks[number] == "-" and marks[number + 1].isdecimal()]
    if spec.kind == "die" and re.fullmatch(r"[0-9](\.[0-9])+", text):
        readings = [text.split("."), [*text]]
    elif spec.kind == "number" and digits:
        before, after = marks[: digits[0]], marks[digits[0] + 1 :]
        readings = [[*before, ".", *after], [*before, f"-{after[0]}", *after[1:]]]
    elif between and "-" not in spec.choices and (spec.kind == "card" or between == [*range(1, len(marks) - 1, 2)]):
        readings = [[mark for mark in marks if mark != "-"], ["." if mark == "-" else mark for mark in marks]]
    else:
        return
    choices = joined([f"“{' '.join(reading)}”" for reading in readings], "or")
    raise LineError(f"“{text}” can mean {choices}", "type spaces between marks, and a dot for a blank")


def names_in(text: str) -> list[str]:
    """The names in a text, which may have spaces in them: `Ann, Ben and Cat`. Raises LineError for semicolons, which
    are not part of a name."""
    *parts, last = re.split(r"[,\n]", re.sub(r",\s*\n|,\s*(?:and|&)\s", ",", text.strip().removesuffix(",")))
    names = [*map(str.strip, (*parts, *re.split(r"\s+(?:and|&)\s+", last)))]
    if "" in names and len(names) > 1:
        raise LineError(f"“{text}” leaves out a name", "type a dot for a blank")
    several = any(map(more_than_a_name, names)) or any(re.search(r"\s(?:and|&)\s", part) for part in parts)
    if several or re.search(r"\s[-–—]\s", text):
        raise LineError(f"“{text}” can be one name or several", "put commas between names")
    return names


def more_than_a_name(name: str, is_quoted: bool = True) -> str:
    """What a text can be that may be several names, or less than one, or if it is not quoted, a name with its number or
    marks; empty for a name."""
    if not is_quoted and _NAME_AND_NUMBERS.search(name):
        return "can be a name, or a name and numbers"
    is_list = _LIST_OF_NAMES.search(name) or (not is_quoted and "," in name)
    return "can be one name or several" if is_list else ""


def _cards_in(words: list[str], cards: Collection[str]) -> list[str]:
    """The cards in a text: `5 5`, `55` or `Door Closed`."""
    known, found, words = {_bare(name) for name in cards}, list[str](), [*words]
    while words:
        length = next((n for n in range(len(words), 1, -1) if _bare(" ".join(words[:n])) in known), 1)
        piece = " ".join(words[:length])
        is_run = piece.isdecimal() and len({*piece}) == 1 and _bare(piece) not in known and piece[0] in known
        found += [*piece] if is_run else [piece]
        del words[:length]
    return found


def is_number(text: str) -> bool:
    """Whether the text can be the number of an entry, or of a ticked box."""
    return re.fullmatch("[0-9]{1,6}", text) is not None
