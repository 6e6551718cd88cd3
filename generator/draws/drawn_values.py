"""The values of cards and drawn rows, as expressions and constraints see them, and the columns that rows are
drawn from: `d6`, `1-20`, `[red, blue]`, `{red: 3, blue: 1}`, `{bag: {red: 3, blue: 1}}`.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from .. import limits
from ..errors import fault, shortened
from ..expressions import TooMuchError, ValueKind
from ..model.draws import DrawnColumn, DrawnPart
from ..model.game import Card
from ..nodes import Mapping as MappingNode
from ..nodes import Scalar

# The maximum number of different texts of a field with which the texts in an expression are compared.
_MAX_CHOICES = 50
_WHOLE = re.compile(r"-?[0-9]{1,15}")
_DECIMAL = re.compile(r"-?[0-9]{1,15}\.[0-9]{1,6}")

_RANGE = re.compile(r"(-?[0-9]{1,9})\s*(?:-|–|to)\s*(-?[0-9]{1,9})")
_DICE = re.compile(r"([0-9]{0,2})[dD]([0-9]{1,4})")
_DRAWN_DECIMAL = re.compile(r"-?[0-9]{1,12}\.[0-9]{1,6}")
_WEIGHT = re.compile(r"[0-9]{1,6}(?:\.[0-9]{1,3})?")
MAX_DICE = 20
MAX_VALUES = 10_000
_FORMS = "write a die (d6), a range (1-20), a list ([red, blue]), weights ({red: 3, blue: 1}) or a bag ({bag: …})"


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


def kind_of(values: Sequence[Any]) -> ValueKind:
    """The kind of a field, from its values on all cards. A column of a table that holds only numbers is a number."""
    if any(isinstance(value, tuple) for value in values):
        inner = kind_of([each for value in values if value is not None for each in value])
        return ValueKind(inner.name, True, None, inner.choices)
    present = [value for value in values if value is not None]
    if present and all(isinstance(value, bool) for value in present):
        return ValueKind("yes")
    numbers = [_number(value) for value in present]
    if present and None not in numbers:
        return ValueKind("whole" if all(isinstance(number, int) for number in numbers) else "number")
    return ValueKind("text", choices=choices_of([str(value) for value in present]))


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


def value_of(value: Any, kind: ValueKind) -> Any:
    """The value of a card's field as expressions see it."""
    if value is None:
        return () if kind.many else None
    if kind.many:
        return tuple(value_of(each, kind._replace(many=False)) for each in value)
    return value if kind.name == "yes" else _number(value) if kind.is_number else str(value)


def kind_of_column(column: DrawnColumn) -> ValueKind:
    if column.text:
        return ValueKind("text")
    values = [*column.bag, *(value for part in column.parts for value in part.values)]
    if all(isinstance(value, int) for value in values):
        return ValueKind("whole")
    if all(isinstance(value, int | float) for value in values):
        return ValueKind("number")
    return ValueKind("text", choices=choices_of(map(str, values)))


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


def drawn_column(name: str, node: Any) -> DrawnColumn:
    """The column that a value of `columns` or `faces` describes. The message of an InputError follows the name of the
    column."""
    if isinstance(node, Scalar):
        return DrawnColumn(name, _dice_or_range(node))
    if isinstance(node, MappingNode) and list(node) == ["bag"] and not isinstance(node["bag"], Scalar):
        return DrawnColumn(name, bag=_bag(node["bag"]))
    entries = node.pairs if isinstance(node, MappingNode) else [(entry, None) for entry in node]
    if not 1 <= len(entries) <= MAX_VALUES:
        raise fault(f" has {len(entries):,} values; it can have 1 to {MAX_VALUES:,}", node.place)
    pairs = []
    for entry, weight in entries:
        if not isinstance(entry, Scalar):
            raise fault(": each value must be a single text or number, not a list or mapping", node.place, _FORMS)
        if weight is not None and not (isinstance(weight, Scalar) and _WEIGHT.fullmatch(weight.text)):
            word = f"“{shortened(weight)}”" if isinstance(weight, Scalar) else "a list or mapping"
            message = f": the weight of “{shortened(entry)}” must be a number such as 3 or 0.5, not {word}"
            raise fault(message, entry.place)
        pairs.append((_value(entry), 1 if weight is None else round(float(weight) * 1000)))  # in thousandths
    if not any(weight for _, weight in pairs):
        raise fault(": all weights are 0", node.place)
    pairs = [pair for pair in pairs if pair[1]]
    weights = tuple(weight for _, weight in pairs)
    values = tuple(value for value, _ in pairs)
    return DrawnColumn(name, (DrawnPart(values, weights if len(set(weights)) > 1 else ()),))


def _dice_or_range(node: Scalar) -> tuple[DrawnPart, ...]:
    """The parts of a column written as a word."""
    text = node.text.strip()
    if dice := _DICE.fullmatch(text):
        number, sides = int(dice[1] or 1), int(dice[2])
        if 1 <= number <= MAX_DICE and 2 <= sides <= MAX_VALUES:
            return (DrawnPart(range(1, sides + 1)),) * number
        raise fault(f": from 1 to {MAX_DICE} dice with 2 to {MAX_VALUES:,} sides, not {text}", node.place)
    if span := _RANGE.fullmatch(text):
        low, high = int(span[1]), int(span[2])
        if low <= high < low + MAX_VALUES:
            return (DrawnPart(range(low, high + 1)),)
        problem = f"has more than {MAX_VALUES:,} numbers" if low <= high else "begins with its larger number"
        raise fault(f": the range {text} {problem}", node.place)
    raise fault(f" cannot be drawn from “{shortened(text)}”", node.place, _FORMS)


def _bag(node: Any) -> tuple[Any, ...]:
    """The values of a bag, each as often as the bag holds it."""
    values: list[Any] = []
    entries = node.pairs if isinstance(node, MappingNode) else [(entry, Scalar("1", node.place)) for entry in node]
    for entry, number in entries:
        if not isinstance(entry, Scalar) or not isinstance(number, Scalar) or not re.fullmatch("[0-9]{1,5}", number):
            message = ": a bag must be a list, or a mapping of values to whole numbers"
            raise fault(message, node.place, "such as {bag: {red: 3, blue: 1}}")
        if len(values) + int(number) > limits.BAG:
            raise fault(f": its bag has more than {limits.BAG:,} values", node.place)
        values += [_value(entry)] * int(number)
    if not values:
        raise fault(": its bag is empty", node.place)
    return tuple(values)


def _value(node: Scalar) -> Any:
    """A whole number, a decimal or a text."""
    text = node.text
    if not node.quoted and _WHOLE.fullmatch(text):
        return int(text)
    return float(text) if not node.quoted and _DRAWN_DECIMAL.fullmatch(text) else text
