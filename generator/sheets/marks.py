"""Reads one mark according to the kind of its field. A MarkError says what the mark must be."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from functools import lru_cache
from typing import Any

from ..errors import did_you_mean
from ..model.game import FieldFile
from ..nodes import Scalar
from ..reading.typed import scalar_text
from ..spelling import bare, either, invisible_character, tidy
from .filled_sheet import Value

BLANK = frozenset(("", ".", "~"))
"""Spellings of a blank; an unquoted `null` is another."""

DASHES = ("-", "–", "—", "−")

MAX_LENGTH = 200
"""The maximum length of a text; nobody writes more in a field by hand."""

_TICKS = {
    "x": True,
    "✓": True,
    "✔": True,
    "☑": True,
    "☒": True,
    "check": True,
    "checked": True,
    "yes": True,
    "tick": True,
    "ticked": True,
    "y": True,
    "true": True,
    "on": True,
    "1": True,
    "no": False,
    "n": False,
    "false": False,
    "off": False,
    "0": False,
    "-": False,
    "☐": False,
    "not ticked": False,
}
_NUMBER = re.compile(r"[+-]?[0-9]{1,9}")
_NOTHING = re.compile(r"0|[-–—−]+|_+|none|nothing|nobody|no( word| one|body| cards?)?", re.IGNORECASE)
_CALLED = re.compile(r"^(?:card\s*)?(?:no\.?\s*|#\s*)?(?=[0-9]+$)", re.IGNORECASE)
"""Words before the number of a card: `card 9`, `#4`."""
_MAX_NAMED = 30
"""The maximum number of choices that a message lists."""
_BETWEEN = re.compile(r"\s+[/|;]\s+|[\s,]+")
_CROSSED_OUT = re.compile(
    r"(?<=[0-9])\s*(?:[x×✗✕/]|\(?(?:crossed(?: out)?|struck out|used)\)?)(?![\w/])", re.IGNORECASE
)
_IN_BRACKETS = re.compile(r"\(([0-9])\)")
_CIRCLES = str.maketrans("○◯⚪●⚫", "ooooo")


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


def written(value: Any) -> str | None:
    """The text of a single value; None for a blank. Raises ValueError for a list or mapping."""
    if type(value) is str:
        return None if value in BLANK else value
    if value is None or (type(value) is Scalar and value.blank):
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


def value(spec: FieldFile, text: str, cards: Collection[str] = ()) -> Value | None:
    """The value of a mark that is not blank; None for a tick box marked “no”, and for `-` or `none` in other fields.
    Raises MarkError."""
    text = tidy(text)
    if len(text) > MAX_LENGTH:
        raise MarkError(f"a text of at most {MAX_LENGTH} characters")
    if not text.isprintable():
        raise MarkError("a text without invisible characters", f"delete the {invisible_character(text)}")
    if spec.kind == "text":
        return text
    if spec.kind != "tick" and text not in spec.choices and text != "0" and is_nothing(text):
        return None
    if spec.kind in ("number", "die"):
        return _number(spec, text)
    if spec.kind == "tick":
        return _tick(text)
    if spec.kind == "card":
        return card(text, cards)
    return _choice(spec, text) if spec.kind == "choice" else text


def _number(spec: FieldFile, text: str) -> int:
    plain = text.replace("−", "-")
    number = int(plain) if _NUMBER.fullmatch(plain) else None
    if spec.kind == "die":
        low, high = (spec.span.low, spec.span.high) if spec.span else (1, 6)
        if number is None or not low <= number <= high:
            raise MarkError(f"a number from {low} to {high}")
    if number is None:
        raise MarkError("a whole number")
    return number


def is_tick(text: str) -> bool:
    """Whether the text says that a box is or is not ticked."""
    return as_tick(text) is not None


def as_tick(text: str) -> bool | None:
    """Whether the text ticks a box or leaves it blank; None if it does neither."""
    text = text.strip().lower()
    return _TICKS[text] if text in _TICKS else False if is_nothing(text) else None


def _tick(text: str) -> bool | None:
    ticked = as_tick(text)
    if ticked is None:
        raise MarkError("x (ticked) or blank")
    return ticked or None


def card(text: str, cards: Collection[str]) -> str:
    """The id of a card in the game, in either case and with or without leading zeros. Raises MarkError."""
    if text in cards:
        return text
    plain = _bare(_CALLED.sub("", text))
    matches = [name for name in cards if _bare(name) == plain]
    if len(matches) != 1:
        raise MarkError("a card in the game", lambda: near_cards(text, cards))
    return matches[0]


def near_cards(text: str, cards: Collection[str]) -> str:
    """A hint for an unknown card. Numbered cards are all listed, because a similar number does not help."""
    return f"known: {', '.join(cards)}" if text.isdecimal() and len(cards) <= 40 else did_you_mean(text, cards)


def _bare(text: str) -> str:
    return "-".join(text.lower().replace("_", "-").split()).lstrip("0") or "0"


def card_pieces(text: str, cards: Collection[str]) -> list[str]:
    """The cards in a text: `5 5`, `55`, `Door Closed` or `Stuck, New Building`."""
    if "," in text:
        return by_commas(text)
    words, known = (
        [word for word in text.split() if word not in ("and", "&", "+", "/")],
        {_bare(name) for name in cards},
    )
    found: list[str] = []
    while words:
        length = next((n for n in range(len(words), 1, -1) if _bare(" ".join(words[:n])) in known), 1)
        piece = " ".join(words[:length])
        is_run = piece.isdecimal() and len({*piece}) == 1 and _bare(piece) not in known and piece[0] in known
        found += [*piece] if is_run else [piece]
        del words[:length]
    return found


def _choice(spec: FieldFile, text: str) -> str:
    if text in spec.choices:
        return text
    text = _plainly(spec, text)
    choice = _by_key(spec.choices).get(_key(text)) or _choice_in(spec, text)
    if choice is None:
        raise MarkError(one_of(spec.choices), lambda: near(text, spec.choices))
    return choice


def _plainly(spec: FieldFile, text: str) -> str:
    """The text with `x` for signs and words that say that a number is crossed out, and `o` for a circle, if these are
    choices of the field."""
    if "1x" in spec.choices:
        text = _CROSSED_OUT.sub("x", _IN_BRACKETS.sub(r"\1x", text))
    return text.translate(_CIRCLES) if "o" in spec.choices else text


def _choice_in(spec: FieldFile, text: str) -> str | None:
    """The only choice among the words of a text whose other words are those of the label: `without cards`."""
    words = bare(text).split("_")
    chosen = [choice for word in words if (choice := _by_key(spec.choices).get(word)) and len(word) > 1]
    label = {word for label in (spec.label, *spec.also) for word in bare(label).split("_")}
    return chosen[0] if len(chosen) == 1 and {*words} <= {*label, _key(chosen[0])} else None


@lru_cache(64)
def _by_key(choices: tuple[str, ...]) -> dict[str, str]:
    return {_key(choice): choice for choice in reversed(choices)}


def one_of(words: Sequence[str]) -> str:
    """What a choice must be: the words of a short list, or the number of choices."""
    return either(words) if len(words) <= _MAX_NAMED else f"one of its {len(words):,} choices"


def near(text: str, words: Collection[str]) -> str:
    """A hint for an unknown choice, if another is spelt similarly. A single letter never gets one."""
    hint = did_you_mean(text, words) if len(text) > 1 else ""
    return hint if hint.endswith("?") else ""


def _key(text: str) -> str:
    """The form in which choices are compared: lower case, `_` for `-`, numbers without leading zeros."""
    return (text.lstrip("0") or "0") if text.isdecimal() else text.lower().replace("-", "_")


def pieces(spec: FieldFile, text: str) -> list[str]:
    """Splits a row of marks typed as one text: `6 5 4 2`, `2x 3`, or for dice also `6542`."""
    text = text.strip()
    if spec.kind == "choice":
        text = _plainly(spec, text)
    parts = [part for part in _BETWEEN.split(text) if part not in ("and", "&")]
    if spec.kind == "choice":
        return by_commas(text) if any(_BETWEEN.search(choice) for choice in spec.choices) else parts
    if spec.kind == "text":
        return by_commas(text)
    if spec.kind == "die" and re.fullmatch("[1-9](-[1-9])+", text):
        return text.split("-")
    if spec.kind in ("die", "number") and re.fullmatch("[+−-]?[0-9]+(/[+−-]?[0-9]+)+", text):
        return text.split("/")
    if spec.kind == "die" and len(parts) == 1 and _is_run_of_dice(spec, text):
        return [*text]
    return parts if spec.kind in ("die", "number", "tick", "card") else [text]


def by_commas(text: str) -> list[str]:
    """Splits a row of texts with spaces in them, such as names: `Ann, Ben and Cat`."""
    *parts, last = re.split(r"[,\n]", text)
    return [part for part in map(str.strip, (*parts, *re.split(r"\s+(?:and|&)\s+", last))) if part] or [text]


def _is_run_of_dice(spec: FieldFile, text: str) -> bool:
    """Whether a text consists of several dice, one digit each, without separators; a dot is a blank."""
    one_digit = spec.span is None or 0 < spec.span.high < 10
    return one_digit and len(text) > 1 and not text.startswith("0") and bool(re.fullmatch("[0-9.]+", text))


def is_number(text: str) -> bool:
    """Whether the text can be the number of a ticked box rather than a tick itself."""
    return re.fullmatch("[0-9]{1,4}", text) is not None


# ---- grids whose fields are named by column and row (`a1`) -----------------------------------------------------------

_SQUARE = re.compile(r"[a-z]+([0-9]+)")


def numbered_rows(names: list[str], across: int) -> dict[str, list[str]]:
    """The names of each row of a grid by the number printed beside it, if every field is named by the letter of its
    column and the number of its row (`a1`); otherwise none."""
    rows: dict[str, list[str]] = {}
    for start in range(0, len(names), across):
        row = names[start : start + across]
        numbers = {square[1] if (square := _SQUARE.fullmatch(field)) else "" for field in row}
        number = numbers.pop()
        if numbers or not number or number in rows:
            return {}
        rows[number] = row
    return rows


def lettered_columns(names: list[str]) -> dict[str, list[str]]:
    """The names of each column of a grid by its letter, from the bottom."""
    columns: dict[str, list[str]] = {}
    for name in reversed(names):
        columns.setdefault(name.rstrip("0123456789"), []).append(name)
    return dict(sorted(columns.items()))
