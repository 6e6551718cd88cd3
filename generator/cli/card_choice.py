"""The cards that `make --cards` prints: positions in a deck, ids, ranges of both, and titles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

from ..errors import (
    InputError,
    Problem,
    did_you_mean,
    fault,
    listed,
    shortened,
)
from ..fast_dataclasses import dataclass
from ..model.game import Card

NO_TITLES: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class CardChoice:
    """A list such as `3,7-12,moon`. An id takes precedence over a position with the same number, and both over a
    title."""

    items: tuple[str, ...]

    @classmethod
    def read(cls, text: str) -> CardChoice:
        """The list as typed after --cards."""
        items = tuple(dict.fromkeys(item for word in text.split(",") if (item := word.strip())))
        if not items:
            raise fault("--cards lists no cards", hint="list positions, ids or titles, for example --cards 3,7-12,moon")
        return cls(items)

    def of(
        self, decks: Mapping[str, Sequence[Card]], titles: Mapping[str, str] = NO_TITLES
    ) -> dict[str, tuple[Card, ...]]:
        """The chosen cards of each deck that has any, with all their copies. `titles` are the fields with the titles of
        the decks."""
        chosen = {}
        for name, cards in decks.items():
            ids = _Ids.of(cards, titles.get(name, ""))
            chosen_ids = {ids.ids[number] for item in _joined(self.items, [ids]) for number in ids.numbers(item)}
            if chosen_ids:
                chosen[name] = tuple(card for card in cards if card.id in chosen_ids)
        return chosen

    def refuse_unknown(self, decks: Iterable[tuple[str, Sequence[Card], str]]) -> None:
        """Raises InputError for items that none of the decks has, and for ranges that run backwards. Each deck has its
        name, its cards, and the field with their titles."""
        named_ids = [(name, _Ids.of(cards, title)) for name, cards, title in decks]
        items = _joined(self.items, [ids for _, ids in named_ids])
        problems = [problem for item in items if (problem := _problem(item, named_ids))]
        if problems:
            raise InputError(problems)

    @property
    def file_name(self) -> str:
        """The choice as part of a file name."""
        text = "+".join(self.items)
        return "".join(letter if letter.isalnum() or letter in "+-_" else "_" for letter in text)[:_MAX_FILE_NAME]


_MAX_FILE_NAME = 40
_MAX_COMMAS = 4
"""The maximum number of commas in a title."""


@dataclass(frozen=True, slots=True)
class _Ids:
    """The ids of a deck in order, without repetitions, the card (counted from 0) that each id names, also in another
    case, and the cards with each title."""

    ids: tuple[str, ...]
    exact: Mapping[str, int]
    any_case: Mapping[str, int]
    titles: Mapping[str, list[int]]

    @classmethod
    def of(cls, cards: Sequence[Card], title: str = "") -> _Ids:
        ids = tuple(dict.fromkeys(card.id for card in cards))
        exact = {name: number for number, name in enumerate(ids)}
        any_case: dict[str, int] = {}
        for name, number in exact.items():
            any_case.setdefault(name.casefold(), number)
        titles: dict[str, list[int]] = {}
        for card in {card.id: card for card in cards}.values() if title else ():
            titles.setdefault(_title(str(card.values.get(title) or "")), []).append(exact[card.id])
        return cls(ids, exact, any_case, titles)

    def __len__(self) -> int:
        return len(self.ids)

    def number(self, word: str) -> int | None:
        """The card with this id, or at this position; a position may lie beyond the end of the deck."""
        number = self.exact.get(word, self.any_case.get(word.casefold()))
        if number is not None:
            return number
        return int(word) - 1 if word.isascii() and word.isdecimal() and len(word) < 7 and int(word) else None

    def numbers(self, item: str) -> range:
        """The cards of an item, up to the end of the deck."""
        number = self.number(item)
        if number is not None:
            return range(number, min(number + 1, len(self)))
        for first, last in self.ends(item):
            return range(first, min(last + 1, len(self)))
        titled = self.titles.get(_title(item), ())
        return range(titled[0], titled[0] + 1) if len(titled) == 1 else range(0)

    def ends(self, item: str) -> Iterator[tuple[int, int]]:
        """The first and last card of an item that can be read as a range; ids may contain hyphens themselves."""
        for place, letter in enumerate(item):
            if letter in "-–":
                first, last = (self.number(word.strip()) for word in (item[:place], item[place + 1 :]))
                if first is not None and last is not None:
                    yield first, last


def _title(text: str) -> str:
    """A title as it is compared: in lower case, without the stars of **bold** words."""
    return " ".join(text.replace("*", "").split()).casefold()


def _joined(items: Sequence[str], decks: Sequence[_Ids]) -> Iterator[str]:
    """The items; those that are parts of a title with commas as one."""
    titles = {title for ids in decks for title in ids.titles if "," in title}
    start = 0
    while start < len(items):
        ends = range(min(len(items), start + _MAX_COMMAS + 1), start + 1, -1) if titles else ()
        end = next((end for end in ends if _title(", ".join(items[start:end])) in titles), start + 1)
        yield ", ".join(items[start:end])
        start = end


def _ambiguous(title: str, names: Sequence[str]) -> Problem:
    hint = f"give the positions or ids of those you want: {listed(names)}"
    return Problem(f"--cards: {len(names)} cards have the title “{shortened(title)}”", hint=hint)


def _problem(item: str, decks: Sequence[tuple[str, _Ids]]) -> Problem | None:
    backwards = False
    for _, ids in decks:
        number = ids.number(item)
        if number is not None and number < len(ids):
            return None
        for first, last in ids.ends(item):
            if first <= last < len(ids):
                return None
            backwards = backwards or last < first < len(ids)
    if backwards:
        return Problem(f"--cards: the range “{shortened(item)}” runs backwards", hint="name the earlier card first")
    titled = [[ids.ids[number] for number in ids.titles.get(_title(item), ())] for _, ids in decks]
    if any(titled):
        return _ambiguous(item, max(titled, key=len)) if not any(len(names) == 1 for names in titled) else None
    hint = did_you_mean(item, (name for _, ids in decks for name in (*ids.ids, *ids.titles)))
    if not hint.startswith("did") or item.replace("-", "").isdecimal():
        hint = ", ".join(f"{name} has {len(ids):,} different cards" for name, ids in decks)
    return Problem(f"--cards: there is no card “{shortened(item)}”", hint=hint)
