"""The cards that `make --cards` prints: positions in a deck, ids, ranges of both, and titles.

A choice is a list of items such as `3`, `7-12` and `moon`. An id takes precedence over a position with the same number,
and both over a title."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct

from ..errors import InputError, Problem, did_you_mean, fault, listed, shortened
from ..model.game import Card

Choice = tuple[str, ...]
_MAX_FILE_NAME = 40
_MAX_COMMAS = 4
"""The maximum number of commas in a title."""


def read_choice(text: str) -> Choice:
    """The list as typed after --cards."""
    items = tuple(dict.fromkeys(item for word in text.split(",") if (item := word.strip())))
    if not items:
        raise fault("--cards lists no cards", hint="list positions, ids or titles, for example --cards 3,7-12,moon")
    return items


def file_name(choice: Choice) -> str:
    """The choice as part of a file name."""
    return "".join(letter if letter.isalnum() or letter in "+-_" else "_" for letter in "+".join(choice))[
        :_MAX_FILE_NAME
    ]


def chosen_cards(choice: Choice, cards: Sequence[Card], title_field: str = "") -> tuple[Card, ...]:
    """The chosen cards of a deck, with all their copies."""
    index = _index(cards, title_field)
    ids = {index.ids[number] for item in _joined(choice, [index]) for number in index.numbers(item)}
    return tuple(card for card in cards if card.id in ids)


def refuse_unknown(choice: Choice, decks: Iterable[tuple[str, Sequence[Card], str]]) -> None:
    """Raises InputError for items that none of the decks has, and for ranges that run backwards. Each deck has its
    name, its cards, and the field with their titles."""
    indices = {name: _index(cards, title_field) for name, cards, title_field in decks}
    items = _joined(choice, [*indices.values()])
    problems = [problem for item in items if (problem := _problem(item, indices))]
    if problems:
        raise InputError(problems)


class _Index(Struct, frozen=True):
    """The ids of a deck in order, without repetitions, the card (counted from 0) of each id, also in lower case, and
    the cards with each title."""

    ids: list[str]
    by_id: Mapping[str, int]
    by_title: Mapping[str, list[int]]

    def number(self, word: str) -> int | None:
        """The card with this id, or at this position; a position may lie beyond the end of the deck."""
        number = self.by_id.get(word, self.by_id.get(word.casefold()))
        if number is not None:
            return number
        return int(word) - 1 if word.isascii() and word.isdecimal() and len(word) < 7 and int(word) else None

    def numbers(self, item: str) -> range:
        """The cards of an item, up to the end of the deck."""
        for first, last in self.ends(item):
            return range(first, min(last + 1, len(self.ids)))
        titled = self.by_title.get(_title(item), ())
        return range(titled[0], titled[0] + 1) if len(titled) == 1 else range(0)

    def ends(self, item: str) -> Iterator[tuple[int, int]]:
        """The first and last card of an item: a single one, or a range; ids may contain hyphens themselves."""
        single = self.number(item)
        if single is not None:
            yield single, single
        for place, letter in enumerate(item):
            if letter in "-–":
                first, last = (self.number(word.strip()) for word in (item[:place], item[place + 1 :]))
                if first is not None and last is not None:
                    yield first, last


def _index(cards: Sequence[Card], title_field: str) -> _Index:
    unique = {card.id: card for card in cards}
    ids = list(unique)
    by_id = {name.casefold(): number for number, name in reversed([*enumerate(ids)])}
    by_id |= {name: number for number, name in enumerate(ids)}
    by_title: dict[str, list[int]] = {}
    for number, card in enumerate(unique.values()) if title_field else ():
        by_title.setdefault(_title(str(card.values.get(title_field) or "")), []).append(number)
    return _Index(ids, by_id, by_title)


def _title(text: str) -> str:
    """A title as it is compared: in lower case, without the stars of **bold** words."""
    return " ".join(text.replace("*", "").split()).casefold()


def _joined(items: Choice, decks: Sequence[_Index]) -> Iterator[str]:
    """The items; those that are parts of a title with commas as one."""
    titles = {title for index in decks for title in index.by_title if "," in title}
    start = 0
    while start < len(items):
        ends = range(min(len(items), start + _MAX_COMMAS + 1), start + 1, -1) if titles else ()
        end = next((end for end in ends if _title(", ".join(items[start:end])) in titles), start + 1)
        yield ", ".join(items[start:end])
        start = end


def _problem(item: str, decks: Mapping[str, _Index]) -> Problem | None:
    ends = [(first, last, len(index.ids)) for index in decks.values() for first, last in index.ends(item)]
    if any(first <= last < count for first, last, count in ends):
        return None
    if any(last < first < count for first, last, count in ends):
        return Problem(f"--cards: the range “{shortened(item)}” runs backwards", hint="name the earlier card first")
    titled = [[index.ids[number] for number in index.by_title.get(_title(item), ())] for index in decks.values()]
    if any(titled):
        if any(len(names) == 1 for names in titled):
            return None
        names = max(titled, key=len)
        message = f"--cards: {len(names)} cards have the title “{shortened(item)}”"
        return Problem(message, hint=f"give the positions or ids of those you want: {listed(names)}")
    hint = did_you_mean(item, (name for index in decks.values() for name in (*index.ids, *index.by_title)))
    if not hint.startswith("did") or item.replace("-", "").isdecimal():
        hint = ", ".join(f"{name} has {len(index.ids):,} different cards" for name, index in decks.items())
    return Problem(f"--cards: there is no card “{shortened(item)}”", hint=hint)
