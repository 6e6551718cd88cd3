"""What templates can use of a whole deck: a colour and an icon for each card, and the longest texts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache, cached_property
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .. import nodes, paths
from ..faces.card_plans import word_width
from ..layout.boxes import SUITS
from ..model.colours import NAMES, channels, contrast, find, is_notation
from ..model.columns import Columns
from ..model.game import Card, Theme

T = TypeVar("T")
ACCENT = "accent"
COLOURS = ("colour", "suit", "type")
"""The roles of columns that colour a card, the first one present first."""
ICONS = ("suit", "type", "colour")
"""The roles of columns that give a card its icon."""
PALETTE = tuple(f"card-{number}" for number in range(1, 13))
"""Colours of the theme, for values in the order of their first appearance in the deck."""
_DIVIDER = re.compile(r"\s*(?:\s[-/|]\s|[–—:·(]).*", re.DOTALL)
_CONTRAST = 4.5  # the contrast between text and background (WCAG 2.2, success criterion 1.4.3)


class _SignWords(Struct, frozen=True):
    """The words of data/_shared/signs.yaml: the numbers in the palette that words suggest, all colours of the theme
    that they suggest, the icons that they suggest, and the icons of other values in order."""

    numbers: Mapping[str, int]
    colours: Mapping[str, str]
    icons: Mapping[str, str]
    shapes: Sequence[str]


@cache
def _known_words() -> _SignWords:
    path = paths.SHARED_DATA / "signs.yaml"
    lists = nodes.plain(nodes.document(nodes.read_text(path), path.name))
    numbers = {word: number for number, words in enumerate(lists["palette"]) for word in words.split(", ")}
    colours = {
        **dict.fromkeys(lists["light"].split(", "), "card-white"),
        **dict.fromkeys(lists["dark"].split(", "), "ink"),
        **{word: PALETTE[number] for word, number in numbers.items()},
    }
    icons = {word: icon for icon, words in lists["icons"].items() for word in words.split(", ")}
    return _SignWords(numbers, colours, icons, lists["shapes"].split(", "))


class Sign(Struct, frozen=True):
    """The colour and the icon of a card. `on` is the colour of text on a background of `colour`, and `ink` is `colour`,
    darkened if necessary, for text on paper. Without a column to go by, `icon` is empty and `colour` the accent. The
    `emblem` is the icon if its name says what it means, as for a suit; otherwise it is empty. `number` counts what
    colours the cards, from 0, for patterns."""

    colour: str
    on: str
    ink: str
    icon: str = ""
    emblem: str = ""
    number: int = 0


def signs(cards: Sequence[Card], columns: Columns, theme: Theme) -> Mapping[str, Sign]:
    """The sign of each card by its id; that of the deck, for its backs, is under ""."""
    colour_field, icon_field = _field(columns, COLOURS), _field(columns, ICONS)
    colours = _numbered(cards, colour_field)
    different, available = _numbered(cards, icon_field), paths.picture_names(theme.icon_folders)
    named = {value: icon for value in different if (icon := _named_icon(value, available))}
    icons = _icons(different, named)
    emblems = icons if icon_field == columns.suit else named if len(named) == len(different) else {}
    names = NAMES if colour_field == columns.colour else {}
    shared: dict[tuple[str, str], Sign] = {}

    def sign(card: Card) -> Sign:
        key = _value(card, colour_field), _value(card, icon_field)
        if key not in shared:
            colour = _colour(key[0], colours, theme, names)
            shared[key] = replace(
                _sign(colour, theme, icons.get(key[1], ""), emblems.get(key[1], "")), number=colours.get(key[0], 0)
            )
        return shared[key]

    deck = _sign(theme.colours[ACCENT], theme)
    return {"": deck, **{card.id: sign(card) for card in cards}}


def coloured_values(cards: Iterable[Card], columns: Columns) -> dict[str, str]:
    """The values by which cards are coloured, as a theme can name them, and as they are first written."""
    name = _field(columns, COLOURS)
    values: dict[str, str] = {}
    for card in cards if name else ():
        values.setdefault(_value(card, name), str(card.values.get(name)))
    values.pop("", None)
    return values


def _field(columns: Columns, roles: Sequence[str]) -> str:
    """The field with the first of these roles that a column has."""
    return next((name for role in roles if (name := getattr(columns, role))), "")


def _value(card: Card, name: str) -> str:
    """The value of a field in lower case: the first of a list, and only the first part of `Creature – Elf`."""
    value = card.values.get(name)
    if isinstance(value, tuple | list):
        value = value[0] if value else None
    text = "" if value is None else str(value).strip()
    return (text if is_notation(text) else _DIVIDER.split(text)[0]).lower()


def _numbered(cards: Sequence[Card], name: str) -> Mapping[str, int]:
    """The different values of a field, numbered in the order in which they first appear."""
    different = dict.fromkeys(_value(card, name) for card in cards)
    different.pop("", None)
    return {value: number for number, value in enumerate(different)}


class OnDemand(Mapping[str, T]):
    """A mapping that is made when a template first asks for it, because most templates never do."""

    def __init__(self, make: Callable[[], Mapping[str, T]]) -> None:
        self._make = make

    @cached_property
    def _made(self) -> Mapping[str, T]:
        return self._make()

    def __getitem__(self, key: str) -> T:
        return self._made[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._made)

    def __len__(self) -> int:
        return len(self._made)


# ---- texts


class Longest(Struct, frozen=True):
    """The longest text of a field in a deck, and the widest word, so that all cards can share one type size."""

    text: str
    word: str


def longest(cards: Iterable[Card], columns: Columns) -> Mapping[str, Longest]:
    """The longest texts by field name. A field without texts has empty ones."""
    texts: dict[str, set[str]] = {name: {""} for name in columns.headings}
    for card in cards:
        for name, value in card.values.items():
            if isinstance(value, str):
                texts.setdefault(name, {""}).add(value)
    return {name: _longest(values) for name, values in texts.items()}


def _longest(texts: Iterable[str]) -> Longest:
    """The longest text, and the widest word; the first in alphabetical order, if several are equal."""
    ordered = sorted(texts)
    words = sorted({word for text in ordered for word in text.split()})
    return Longest(max(ordered, key=len), max(words, key=word_width, default=""))


# ---- icons


def _icons(numbered: Iterable[str], named: dict[str, str]) -> Mapping[str, str]:
    """An icon for each value: the one of its name if there is one, otherwise one that no other value has."""
    shapes = _known_words().shapes
    free = [shape for shape in shapes if shape not in named.values()] or shapes
    rest = (value for value in numbered if value not in named)
    return named | {value: free[number % len(free)] for number, value in enumerate(rest)}


def _named_icon(value: str, available: frozenset[str]) -> str:
    if value[:1] in SUITS:
        return SUITS[value[0]]
    words = [re.sub(r"[\s_]+", "-", value), *_words(value)]
    return next((icon for word in words if (icon := _known_words().icons.get(word, word)) in available), "")


def _words(value: str) -> Iterator[str]:
    """The words of a value, each also in the singular."""
    for word in re.findall(r"\w+", value):
        yield word
        yield re.sub(r"ves$", "f", word) if word.endswith("ves") else word.removesuffix("s")


# ---- colours


def _colour(value: str, numbered: Mapping[str, int], theme: Theme, names: Mapping[str, str]) -> str:
    """The colour of a value as `#rrggbb`. `names` are the colours of CSS if the column is one of colours."""
    if not value:
        return theme.colours[ACCENT]
    if value in theme.colours or is_notation(value):
        with suppress(ValueError):
            return find(value, theme.colours)
    known = _known_words()
    words = [SUITS[value[0]]] if value[0] in SUITS else [known.icons.get(value, value), *_words(value)]
    suggested = next((known.colours[word] for word in words if word in known.colours), "")
    if suggested or value in names:
        return theme.colours[suggested] if suggested else names[value]
    used = {known.numbers[word] for other in numbered for word in _words(other) if word in known.numbers}
    free = [number for number in range(len(PALETTE)) if number not in used] or [*range(len(PALETTE))]
    rest = [other for other in numbered if not any(word in known.numbers for word in _words(other))]
    return theme.colours[PALETTE[free[rest.index(value) % len(free)]]]


def _sign(colour: str, theme: Theme, icon: str = "", emblem: str = "") -> Sign:
    paper, ink = theme.colours["paper"], theme.colours["ink"]
    on = paper if contrast(colour, paper) >= min(_CONTRAST, contrast(colour, ink)) else ink
    shades = (
        "#" + "".join(f"{round(c * share / 20):02x}" for c in channels(colour)[:3]) for share in range(20, -1, -1)
    )
    on_paper = next((shade for shade in shades if contrast(shade, paper) >= _CONTRAST), colour)
    return Sign(colour, on, on_paper, icon, emblem)
