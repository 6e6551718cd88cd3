"""Notes words such as **bold** that a template prints with their asterisks, because it lacks the filter `rich`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from ..errors import InputError, note, shortened
from ..faces import Element, Face, Words
from ..model.game import Card, Component

_BOLD = re.compile(r"(?<![*\w\\])\*\*(?![\s*])[^*\n]*[^*\s]\*\*(?![*\w])")
_MAX_QUOTED = 40


class Bold(NamedTuple):
    """Bold words in a field of a card, such as `**Draw:**`."""

    card: Card
    field: str
    words: str


def first_bold(cards: Sequence[Card]) -> Iterator[Bold]:
    """The first bold words in each field of cards."""
    found: set[str] = set()
    for card in cards:
        for name, value in card.values.items():
            if type(value) is str and "**" in value and name not in found and (bold := _BOLD.search(value)):
                found.add(name)
                yield Bold(card, name, bold[0])


def note_plain_marks(part: Component, every: Iterable[Bold], build: Callable[[Card], Face]) -> list[Bold]:
    """Notes bold words that a template prints as they were typed; returns all others. `build` makes the face of a
    card."""
    return [bold for bold in every if not _is_noted(part, bold, build)]


def _is_noted(part: Component, bold: Bold, build: Callable[[Card], Face]) -> bool:
    card, name, words = bold
    try:
        face = build(card)
    except InputError:  # reported when the card is drawn
        return False
    element = next((element for element in _texts(face.root) if words.casefold() in _text(element)), None)
    if element:
        value = f"card.{name}" if name.isidentifier() else f"card['{name}']"
        row = card.place and part.columns.place_of(card.values, card.place, words)
        note(
            f"“{shortened(words, _MAX_QUOTED)}” is printed with its asterisks",
            row or card.place,
            f"write {{{{ {value} | rich }}}} in {face.place(element)} to print it in bold",
        )
    return element is not None


def _texts(element: Element) -> Iterator[Element]:
    if element.pieces:
        yield element
    for child in element.children:
        yield from _texts(child)


def _text(element: Element) -> str:
    return "".join(piece.text for piece in element.pieces if isinstance(piece, Words)).casefold()
