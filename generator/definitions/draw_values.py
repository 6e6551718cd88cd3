"""The values of cards and drawn rows, as expressions and constraints see them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from ..expressions import Kind, TooMuchError
from . import limits
from .models import Card
from .own_draws import DrawnColumn

_MAX_CHOICES = 50
"""The maximum number of different texts of a field with which the texts in an expression are compared."""
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,6}")


class Values:
    """What an expression about a draw can see: values by name. Stops calculations that take too long."""

    everyone: tuple[Any, ...] = ()
    me = None

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.values = values
        self.budget = limits.LOOK_UPS
        self.shared: dict[Any, Any] = {}

    def spend(self, number: int) -> None:
        self.budget -= number
        if self.budget < 0:
            raise TooMuchError("a calculation with too many values")


def texts_of(value: Any) -> tuple[str, ...]:
    """A value as the texts that `at_least` and `at_most` count; several for a list."""
    if value is None:
        return ()
    if isinstance(value, tuple | list):
        return tuple(text for each in value for text in texts_of(each))
    return ("yes" if value else "no",) if isinstance(value, bool) else (str(value),)


def kind_of(values: Sequence[Any]) -> Kind:
    """The kind of a field, from its values on all cards. A column of a table that holds only numbers is a number."""
    if any(isinstance(value, tuple) for value in values):
        inner = kind_of([each for value in values if value is not None for each in value])
        return Kind(inner.name, True, None, inner.choices)
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, bool) for value in present):
        return Kind("yes")
    numbers = [_number(value) for value in present]
    if present and None not in numbers:
        return Kind("whole" if all(isinstance(number, int) for number in numbers) else "number")
    return Kind("text", choices=choices_of([str(value) for value in present]))


def choices_of(texts: Iterable[str]) -> tuple[str, ...]:
    different = tuple(dict.fromkeys(texts))
    return different if len(different) <= _MAX_CHOICES else ()


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    return float(value) if isinstance(value, str) and _DECIMAL.fullmatch(value) else None


def value_of(value: Any, kind: Kind) -> Any:
    """The value of a card's field as expressions see it."""
    if value is None:
        return () if kind.many else None
    if kind.many:
        return tuple(value_of(each, kind._replace(many=False)) for each in value)
    if kind.name == "yes":
        return value
    return _number(value) if kind.is_number else str(value)


def kind_of_column(column: DrawnColumn) -> Kind:
    if column.text:
        return Kind("text")
    values = [*column.bag, *(value for part in column.parts for value in part.values)]
    if all(isinstance(value, int) for value in values):
        return Kind("whole")
    if all(isinstance(value, int | float) for value in values):
        return Kind("number")
    return Kind("text", choices=choices_of(map(str, values)))


def possible_values(column: DrawnColumn) -> Sequence[Any]:
    """The values that a column without a text can have; a value that a bag holds twice is in the list twice."""
    if len(column.parts) > 1:
        low, high = (sum(limit(part.values) for part in column.parts) for limit in (min, max))
        return range(low, high + 1)
    return column.bag or [value for part in column.parts for value in part.values]


def possible_texts(column: DrawnColumn) -> Counter[str]:
    """The same values, counted as texts."""
    return Counter(map(str, possible_values(column)))


def identities_of(cards: Sequence[Card]) -> dict[str, str]:
    """What a card is recognised by: its id, or its first text if its id is only its position in the table."""
    if [card.id for card in cards] != [str(number) for number in range(1, len(cards) + 1)]:
        return {card.id: card.id for card in cards}
    texts = [next((str(value) for value in card.values.values() if value is not None), card.id) for card in cards]
    return {card.id: text for card, text in zip(cards, texts, strict=True)}
