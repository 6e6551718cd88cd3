"""Notes words such as **bold** that a template prints with their asterisks, because it lacks the filter `rich`."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from ..definitions.models import Card, Component
from ..definitions.packed import Packed
from ..errors import InputError, note, shortened
from ..faces import Element, Face, Words
from ..lazy import pattern

_BOLD = pattern(r"(?<![*\w\\])\*\*(?![\s*])[^*\n]*[^*\s]\*\*(?![*\w])")
_MAX_QUOTED = 40


def note_plain_marks(part: Component, cards: Sequence[Card], build: Callable[[Card], Face], noted: set[str]) -> None:
    """Notes each column with bold words that a template prints as they were typed, once. `build` makes the face of a
    card, and `noted` are the columns that were noted before."""
    for card, name, words in _first_bold(cards):
        if name in noted:
            continue
        try:
            face = build(card)
        except InputError:  # reported when the card is drawn
            continue
        element = next((element for element in _texts(face.root) if words.casefold() in _text(element)), None)
        if element:
            noted.add(name)
            value = f"card.{name}" if name.isidentifier() else f"card['{name}']"
            row = card.place and part.columns.place_of(card.values, card.place, words)
            note(
                f"“{shortened(words, _MAX_QUOTED)}” is printed with its asterisks",
                row or card.place,
                f"write {{{{ {value} | rich }}}} in {face.place(element)} to print it in bold",
            )


def _first_bold(cards: Sequence[Card]) -> Iterator[tuple[Card, str, str]]:
    """The first card with bold words in each of its fields: the card, the field and the words."""
    bold_columns: set[str] = set()
    for card in cards.near("**") if isinstance(cards, Packed) else cards:
        for name, value in card.values.items():
            if type(value) is str and "**" in value and name not in bold_columns and (bold := _BOLD.search(value)):
                bold_columns.add(name)
                yield card, name, bold[0]


def _texts(element: Element) -> Iterator[Element]:
    if element.pieces:
        yield element
    for child in element.children:
        yield from _texts(child)


def _text(element: Element) -> str:
    return "".join(piece.text for piece in element.pieces if isinstance(piece, Words)).casefold()
