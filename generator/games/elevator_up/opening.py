"""The table before the first turn: what the deal says, by its code or card by card, and the swaps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from . import play
from .deal import dealt
from .log import Fault, Log
from .play import Cards, State
from .reading import DealEntry, SwapEntry

PARTS = ("hands", "up", "down")
_IN_WORDS = {"hands": "in hand", "up": "face up", "down": "face down"}


@dataclass(frozen=True, slots=True)
class Opening:
    """The table before the first turn, and what is wrong with how it came about. Where that is an error, or where no
    deal is told, hands are not known; `told` says whether a deal was."""

    state: State
    told: bool
    faults: tuple[Fault, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """What was dealt, as numbers: of every player in the order of play, and the deck."""

    hands: tuple[Cards, ...]
    up: tuple[Cards, ...]
    down: tuple[Cards, ...]
    deck: Cards

    def of(self, part: str) -> tuple[Cards, ...]:
        found: tuple[Cards, ...] = getattr(self, part)
        return found

    @property
    def cards(self) -> Cards:
        return sum((*self.hands, *self.up, *self.down, self.deck), ())


def opening(log: Log) -> Opening:
    """The table before the first turn of a log whose players can be told apart."""
    told = log.sheet.code is not None or log.sheet.extra.get("deal") is not None
    parts = _parts(log)
    faults = list(_deal_faults(log, parts) if parts else _other_players(log))
    swaps = list(_swap_faults(log, parts))
    if parts is None or swaps or any(fault.rule == "deal" for fault in faults):
        return Opening(play.unknown(log.spec, len(log.names)), told, (*faults, *swaps))
    for seat, swap in log.swaps.items():
        parts = _swapped(log, parts, seat, swap)
    return Opening(play.start(log.spec, parts.hands, parts.up, parts.down, parts.deck), told, tuple(faults))


# ---- the deal -----------------------------------------------------------------------------------------------------

def _parts(log: Log) -> Parts | None:
    """What was dealt; None where nothing is told of it, or a code tells of a game for others than so many players."""
    entry: DealEntry | None = log.sheet.extra.get("deal")
    if entry:
        rows = {(part, log.seat(name)): log.numbers(cards) for part, name, cards in entry.players}
        hands, up, down = (tuple(rows.get((part, seat), ()) for seat in range(len(log.names))) for part in PARTS)
        return Parts(hands, up, down, log.numbers(entry.deck))
    if log.sheet.code is None:
        return None
    made = dealt(log.sheet.game, log.sheet.code)
    if len(made.hands) != len(log.names):
        return None
    hands, up, down = (tuple(map(log.numbers, row)) for row in (made.hands, made.up, made.down))
    return Parts(hands, up, down, log.numbers(made.deck))


def _other_players(log: Log) -> Iterator[Fault]:
    if log.sheet.code:
        count = len(dealt(log.sheet.game, log.sheet.code).hands)
        yield Fault("deal", f"the code deals to {count} players, but {len(log.names)} play", ("deal",))


def _deal_faults(log: Log, parts: Parts) -> Iterator[Fault]:
    size = sum(log.spec.copies)
    count = len(parts.cards)
    wrong = [*_too_many_copies(log, parts), *_wrong_counts(log, parts, whole=count >= size)]
    yield from wrong
    if count < size and not wrong:
        yield Fault("deal-whole", f"the deal tells of {count} of the {size} cards, and is taken for the whole",
                    ("deal",))


def _too_many_copies(log: Log, parts: Parts) -> Iterator[Fault]:
    for card, count in sorted(Counter(parts.cards).items()):
        if count > log.spec.copies[card]:
            yield Fault("deal", f"{log.called((card,))} is dealt {count} times, but the deck has it only "
                                f"{log.spec.copies[card]} times", ("deal",))


def _wrong_counts(log: Log, parts: Parts, whole: bool) -> Iterator[Fault]:
    """Players with more cards than they are dealt, or with fewer where the whole deck is told of."""
    asked = log.sheet.game.rules["deal"]
    for seat, name in enumerate(log.names):
        if not any(parts.of(part)[seat] for part in PARTS):
            yield Fault("deal", f"{name} is dealt no card", ("deal",))
            continue
        for part in PARTS:
            count, right = len(parts.of(part)[seat]), asked["hand" if part == "hands" else part]
            if count > right or (whole and count < right):
                yield Fault("deal", f"{name} is dealt {_cards(count)} {_IN_WORDS[part]} instead of {right}",
                            (f"deal.{part}.{name}",))


def _cards(count: int) -> str:
    return f"{count} card{'s' * (count != 1)}"


# ---- swaps --------------------------------------------------------------------------------------------------------

def _swap_faults(log: Log, parts: Parts | None) -> Iterator[Fault]:
    for seat, swap in log.swaps.items():
        for message in _swap_wrongs(log, parts, seat, swap):
            yield Fault("swaps", f"{log.names[seat]} {message}", (f"swaps.{log.names[seat]}",))


def _swap_wrongs(log: Log, parts: Parts | None, seat: int, swap: SwapEntry) -> Iterator[str]:
    up, hand = log.numbers(swap.up), log.numbers(swap.hand)
    most = log.sheet.game.rules["deal"]["up"]
    if len(up) != len(hand):
        yield f"puts {_cards(len(up))} face up and takes {len(hand)} back"
    elif len(up) > most:
        yield f"swaps {_cards(len(up))}, but has only {most} face up"
    if parts and _missing(up, parts.hands[seat]):
        yield f"puts {log.called(up)} face up, but is dealt {log.called(parts.hands[seat])} in hand"
    if parts and _missing(hand, parts.up[seat]):
        yield f"takes {log.called(hand)} back, but is dealt {log.called(parts.up[seat])} face up"


def _missing(wanted: Cards, held: Cards) -> Counter[int]:
    return Counter(wanted) - Counter(held)


def _swapped(log: Log, parts: Parts, seat: int, swap: SwapEntry) -> Parts:
    up, hand = log.numbers(swap.up), log.numbers(swap.hand)
    return replace(parts, hands=_put(parts.hands, seat, _exchanged(parts.hands[seat], up, hand)),
                   up=_put(parts.up, seat, _exchanged(parts.up[seat], hand, up)))


def _exchanged(held: Cards, given: Cards, taken: Cards) -> Cards:
    return tuple(((Counter(held) - Counter(given)) + Counter(taken)).elements())


def _put(rows: Iterable[Cards], seat: int, row: Cards) -> tuple[Cards, ...]:
    return tuple(row if number == seat else other for number, other in enumerate(rows))
