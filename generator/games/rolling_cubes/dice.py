"""The dice: which throws they can show, and which of them can have laid which tiles."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import TypeAlias

from ...definitions.models import Card, Game

PURPLE = "purple"

Lying: TypeAlias = Mapping[str, tuple[str, ...]]
"""For each face among some tiles the colours of the dice that show it, one for each such tile."""


@dataclass(frozen=True, slots=True)
class Throw:
    """The dice as they fell: the letters of each colour that was written down."""

    letters: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{colour.replace('-', ' ')} {letters}" for colour, letters in self.letters.items())

    @property
    def faces(self) -> str:
        return "".join(self.letters.values())

    def showing(self, face: str) -> list[str]:
        """The colours of the dice that show a face, the purple one first as it scores best."""
        found = [colour for colour, letters in self.letters.items() for _ in range(letters.count(face))]
        return sorted(found, key=lambda colour: colour != PURPLE)


class Dice:
    """The dice of a game; every answer is worked out once."""

    def __init__(self, dice: tuple[tuple[str, frozenset[str]], ...]) -> None:
        self.by_colour: dict[str, tuple[frozenset[str], ...]] = {}
        for colour, faces in dice:
            self.by_colour[colour] = (*self.by_colour.get(colour, ()), faces)
        self.fits: Callable[[str, str], bool] = lru_cache(1 << 14)(self._fits)
        self.lays: Callable[[str], bool] = lru_cache(1 << 14)(self._lays)
        self.wrongs: Callable[[str, str], str] = lru_cache(1 << 12)(self._wrong)

    def __len__(self) -> int:
        return sum(map(len, self.by_colour.values()))

    def colours_of(self, face: str) -> list[str]:
        return [colour for colour, dice in self.by_colour.items() if any(face in die for die in dice)]

    def _fits(self, colour: str, letters: str) -> bool:
        """Whether different dice of the colour show these letters."""
        return _matched(letters, self.by_colour.get(colour, ()))

    def _lays(self, tiles: str) -> bool:
        """Whether different dice show these tiles (in the order of the alphabet)."""
        return next(self.layings(tiles), None) is not None

    def can_lay(self, tiles: str) -> bool:
        return self.lays("".join(sorted(tiles)))

    def wrong(self, throw: Throw) -> Iterator[str]:
        """What in a throw these dice cannot show, each in a sentence without a subject's article."""
        for colour in self.by_colour:
            found = self.wrongs(colour, throw.letters.get(colour, ""))
            if found:
                yield found

    def _wrong(self, colour: str, letters: str) -> str:
        """Why the dice of a colour cannot show these letters and no others; empty where they can."""
        dice, name = self.by_colour[colour], colour.replace("-", " ")
        if len(letters) != len(dice):
            return f"{name} shows {letters or 'nothing'}, but there {_are(len(dice), name)}"
        fits = self.fits(colour, "".join(sorted(letters)))
        return "" if fits else f"the {_dice(len(dice), name)} cannot show {letters}"

    def layings(self, tiles: str) -> Iterator[Lying]:
        """Every way the tiles can have been laid with different dice, as colours."""
        def choices(face: str, count: int) -> Iterator[tuple[str, ...]]:
            return combinations_with_replacement(self.colours_of(face), count)
        return _layings(list(Counter(tiles).items()), choices, {}, self.all_fit)

    def all_fit(self, lying: Lying) -> bool:
        """Whether different dice can lie so."""
        shown: dict[str, str] = {}
        for face, colours in lying.items():
            for colour in colours:
                shown[colour] = shown.get(colour, "") + face
        return all(self.fits(colour, "".join(sorted(letters))) for colour, letters in shown.items())


def thrown_layings(tiles: str, throw: Throw) -> Iterator[Lying]:
    """Every way the tiles can have been laid with the dice of a throw, those with the purple die first."""
    def choices(face: str, count: int) -> Iterator[tuple[str, ...]]:
        return iter(dict.fromkeys(combinations(throw.showing(face), count)))
    return _layings(list(Counter(tiles).items()), choices, {}, lambda lying: True)


def _layings(faces: list[tuple[str, int]], choices: Callable[[str, int], Iterator[tuple[str, ...]]],
             lying: dict[str, tuple[str, ...]], fit: Callable[[Lying], bool]) -> Iterator[Lying]:
    if not faces:
        yield lying
        return
    (face, count), *rest = faces
    for colours in choices(face, count):
        more = lying | {face: colours}
        if fit(more):
            yield from _layings(rest, choices, more, fit)


def _matched(letters: str, dice: tuple[frozenset[str], ...]) -> bool:
    if not letters:
        return True
    return any(letters[0] in die and _matched(letters[1:], dice[:number] + dice[number + 1:])
               for number, die in enumerate(dice))


def _dice(count: int, name: str) -> str:
    return f"{name} die" if count == 1 else f"{count} {name} dice"


def _are(count: int, name: str) -> str:
    return f"is 1 {name} die" if count == 1 else f"are {count} {name} dice"


def dice_of(game: Game) -> Dice:
    """The dice of a game, made once for the same faces."""
    return dice_made(die for die in game.components["dice"].cards for _ in range(die.copies))


def dice_made(dice: Iterable[Card]) -> Dice:
    """These dice, made once for the same faces."""
    return _made(tuple((die.colour, frozenset(die.faces)) for die in dice))


@lru_cache(8)
def _made(dice: tuple[tuple[str, frozenset[str]], ...]) -> Dice:
    return Dice(dice)
