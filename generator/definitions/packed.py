"""Long lists in little memory: their items are packed in blocks, and unpacked when they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from operator import itemgetter
from typing import Any, TypeVar, cast, overload

from . import limits
from .models import Card

T = TypeVar("T")
_BLOCK = 128
_UNCOMPRESSED = 64
"""How many blocks are never compressed: the memory of so few does not matter."""
_SEGMENT = 1 << 20
_UNPACKED = 4
"""How many blocks stay unpacked: a deck is read at several places at the same time, for fronts and for backs."""


class Packed(Sequence[T]):
    """A sequence that cannot be changed. Its items are made from plain values (texts, numbers, tuples and lists of
    them), a block at a time, by `unpack`; by default they are these values. If `compressed`, all blocks but the first
    are compressed.

    Reading an item again may give another, equal object."""

    def __init__(
        self, values: Iterable[Any], unpack: Callable[[list[Any]], list[T]] | None = None, *, compressed: bool = False
    ) -> None:
        self._unpack, self._compressed = unpack, compressed
        self._blocks = _Blocks()
        self._length = 0
        self._recent: dict[int, list[T]] = {}
        remaining = iter(values)
        while block := list(islice(remaining, _BLOCK)):
            self._length += len(block)
            self._blocks.add(_pack(block, compress=compressed and len(self._blocks) >= _UNCOMPRESSED))

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> tuple[T, ...]: ...
    def __getitem__(self, index: int | slice) -> T | tuple[T, ...]:
        if isinstance(index, slice):
            return tuple([self[number] for number in range(*index.indices(self._length))])
        block, position = divmod(range(self._length)[index], _BLOCK)
        return self._block(block)[position]

    def __iter__(self) -> Iterator[T]:
        return chain.from_iterable(map(self._block, range(len(self._blocks))))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Packed | tuple):
            return NotImplemented
        return self is other or (
            len(self) == len(other) and all(mine == theirs for mine, theirs in zip(self, other, strict=True))
        )

    __hash__ = None  # type: ignore[assignment]

    def packed_values(self) -> Iterator[Any]:
        """The values that the items are made from."""
        return chain.from_iterable(map(_values, map(self._blocks.data, range(len(self._blocks)))))

    def with_values(self, values: Iterable[Any]) -> Packed[T]:
        """A sequence of items made from other values."""
        return Packed(values, self._unpack, compressed=self._compressed)

    def near(self, text: str) -> Iterator[T]:
        """The items of every block in which a text occurs."""
        for number in range(len(self._blocks)):
            if text.encode() in _data(self._blocks.data(number)):
                yield from self._block(number)

    def _block(self, number: int) -> list[T]:
        items = self._recent.pop(number, None)
        if items is None:
            values = _values(self._blocks.data(number))
            items = self._unpack(values) if self._unpack else values
            if len(self._recent) >= _UNPACKED:
                del self._recent[next(iter(self._recent))]
        self._recent[number] = items  # the last one
        return items


class _Blocks:
    """Blocks of bytes in segments of memory that the system gets back as soon as they are not needed. Python's own
    memory would be left full of holes."""

    def __init__(self) -> None:
        self._segments: list[Any] = []
        self._last = bytearray()
        self._places: list[tuple[int, int, int]] = []

    def __len__(self) -> int:
        return len(self._places)

    def add(self, data: bytes) -> None:
        if self._last and len(self._last) + len(data) > _SEGMENT:
            from mmap import mmap  # only long lists need it

            segment = mmap(-1, len(self._last))
            segment.write(self._last)
            self._segments.append(segment)
            self._last.clear()
        start = len(self._last)
        self._last += data
        self._places.append((len(self._segments), start, start + len(data)))

    def data(self, number: int) -> bytes:
        """The bytes of a block."""
        segment, start, end = self._places[number]
        held = self._segments[segment] if segment < len(self._segments) else self._last
        return bytes(held[start:end])


def _pack(values: list[Any], *, compress: bool) -> bytes:
    import zlib  # only long lists need these two
    from pickle import dumps

    data = dumps(values, 5)
    return zlib.compress(data, 1) if compress else data


def _data(block: bytes) -> bytes:
    from pickle import PROTO
    from zlib import decompress

    return block if block.startswith(PROTO) else decompress(block)


def _values(block: bytes) -> list[Any]:
    from pickle import loads

    values: list[Any] = loads(_data(block))
    return values


def packed(values: Iterable[T]) -> Sequence[T]:
    """The values as a list if there are few, otherwise packed."""
    remaining = iter(values)
    first = list(islice(remaining, limits.UNPACKED + 1))
    return first if len(first) <= limits.UNPACKED else Packed(chain(first, remaining))


# ---- cards: their values begin with the id, the values of the fields and the number of copies (`tables.CardValues`)


def number_of_different(cards: Sequence[Card]) -> int:
    """How many different cards there are."""
    if isinstance(cards, Packed):  # the copies of a card are adjacent
        return sum(1 for _ in groupby(map(itemgetter(0), cards.packed_values())))
    return len({card.id for card in cards})


def copies(cards: Sequence[Card]) -> Iterator[int]:
    """The number of copies of each card."""
    if isinstance(cards, Packed):
        return map(itemgetter(2), cards.packed_values())
    return (card.copies for card in cards)


def repeated(cards: tuple[Card, ...], times: int) -> tuple[Card, ...]:
    """Each card with all its copies, `times` over; the copies of a card are adjacent."""
    deck: Sequence[Card] = cards
    if isinstance(deck, Packed):
        values = (values for values in deck.packed_values() for _ in range(values[2] * times))
        return cast(tuple[Card, ...], deck.with_values(values))
    return tuple(card for card in cards for _ in range(card.copies * times))
