"""Suggests a declaration for each field from the values in its column."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from ..model import colours
from ..model.columns import COLUMN_TYPES, ColumnFile
from ..model.game import Component
from ..tables.headings import folded

BLANK = (None, "", ".", "~", "null")
"""Values that a declared field reads as blank."""
_MAX_CHOICES = 8
_MAX_CHOICE_LENGTH = 24
_PROSE = ("title", "front", "back", "rules", "flavour", "footer")
"""The roles of columns that are texts whatever they contain."""


def declarations(deck: Component) -> list[str]:
    """A line of YAML for each field of a deck: `cost: {kind: number, span: 1-4}`."""
    cards = list({card.id: card for card in deck.cards}.values())
    roles = {getattr(deck.columns, role): role for role in (*_PROSE, "image")}
    lines = []
    for name, heading in deck.columns.headings.items():
        texts = [str(value) for card in cards if (value := card.values[name]) not in BLANK]
        required = ", required: true" if len(texts) == len(cards) else ""
        key = name if folded(name) == folded(heading) else heading
        lines.append(f"{quoted(key)}: {{{_kind(texts, roles.get(name, ''))}{required}}}")
    return lines


def quoted(text: str) -> str:
    """A text as a YAML value, in quotation marks if it needs them."""
    if re.fullmatch(r"[^\W\d_]([\w \-’().]*[\w)])?", text) and text != "null":
        return text
    return json.dumps(text, ensure_ascii=False)


def _kind(texts: Sequence[str], role: str) -> str:
    """The kind that fits all texts, with its span or choices."""
    if role == "image":
        return "kind: image"
    if role in _PROSE or not texts:
        return "kind: text"
    numbers = [_number(text) for text in texts]
    if None not in numbers:
        return f"kind: number{_span(numbers)}"
    if all(map(colours.is_notation, texts)) and _fit("colour", texts):
        return "kind: colour"
    different = list(dict.fromkeys(texts))
    if len(different) == 2 and _fit("tick", texts):
        return "kind: tick"
    if all(re.fullmatch(r"\d{1,6}(-\d{1,6})?", text) for text in texts) and _fit("range", texts):
        return "kind: range"
    if len(different) <= min(_MAX_CHOICES, len(texts) // 2) and max(map(len, different)) <= _MAX_CHOICE_LENGTH:
        return f"kind: choice, choices: [{', '.join(map(quoted, different))}]"
    return "kind: text"


def _number(text: str) -> float | None:
    """A number that prints as it was typed; not `007` or `2.50`."""
    if not re.fullmatch(r"-?(0|[1-9]\d{0,8})(\.\d{0,5}[1-9])?", text):
        return None
    return float(text)


def _span(numbers: Sequence[float | None]) -> str:
    """The span of whole numbers."""
    whole = [int(number) for number in numbers if number is not None and number == int(number)]
    return f", span: {min(whole)}-{max(whole)}" if len(whole) == len(numbers) else ""


def _fit(kind: str, texts: Sequence[str]) -> bool:
    """Whether a column of this type can hold the texts."""
    try:
        return all(COLUMN_TYPES[kind](text, ColumnFile()) is not None for text in texts)
    except ValueError:
        return False
