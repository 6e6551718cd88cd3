"""The dice: tiles and their points, throws, and which dice can lay which tiles.

`=` and `≠` are wildcards. Tiles are capitals, words lower case. `scoring` is always the one in game.yaml.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import Any, TypeAlias
from unicodedata import combining, normalize

from msgspec import Struct

from ...draws.chance import Chance
from ...errors import InputError, Problem, did_you_mean, fault
from ...model.game import Card, Game
from ..turns import counted

EQUAL, UNEQUAL = "=", "≠"
WILDCARDS = EQUAL + UNEQUAL

PURPLE = "purple"
EXAMPLE = "red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K"

Faces: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The colour and faces of each die."""

_TILES = re.compile(r"[A-Za-z=≠/ ]*")
_WORD = re.compile(r"[a-z]+")
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@lru_cache(1 << 12)
def read_tiles(text: str) -> str | None:
    """Tiles as typed (`co/king`, `C O = K I N G`) in standard form (`CO=KING`); None if the text is not tiles."""
    text = normalize("NFC", text)
    return text.upper().replace(" ", "").replace("/", UNEQUAL) if _TILES.fullmatch(text) else None


def read_word(text: str) -> str | None:
    """A word in the lower-case letters a to z, as dice can lay it: `Straße` → `strasse`, `Bär` → `baer`, `città` →
    `citta`. None if the text is not a word."""
    text = text.strip().lower()
    if not text.isascii():
        spelled_out = normalize("NFC", text).translate(_SPELLED_OUT)
        text = "".join(letter for letter in normalize("NFD", spelled_out) if not combining(letter))
    return text if _WORD.fullmatch(text) else None


def letter_tiles(tiles: str) -> str:
    """The tiles without the wildcards."""
    return tiles.replace(EQUAL, "").replace(UNEQUAL, "")


class Points(Struct, frozen=True):
    """The points of one word, part by part."""

    letters: int = 0
    wildcards: int = 0
    repeats: int = 0
    purple: int = 0

    @property
    def total(self) -> int:
        return self.letters + self.wildcards + self.repeats + self.purple

    def __str__(self) -> str:
        parts = [(self.wildcards, "wildcards"), (self.repeats, "repeats"), (self.purple, "purple")]
        extras = (f" + {points} for {name}" for points, name in parts if points)
        return f"{counted(self.letters, 'letter')}{''.join(extras)}"


def points_of(tiles: str, purple: bool, scoring: Mapping[str, Any]) -> Points:
    """The points for these tiles; `purple` says whether one of them is the purple die."""
    letters = letter_tiles(tiles)
    return points_by_count(Counter(letters).values(), len(tiles) - len(letters), purple, scoring)


def points_by_count(counts: Iterable[int], wildcards: int, purple: bool, scoring: Mapping[str, Any]) -> Points:
    """The points for a number of letter dice that show each letter, and of wildcards. It does not matter which wildcard
    comes first."""
    return Points(
        sum(counts) * scoring["letter"],
        scoring["first_wildcard"] + (wildcards - 1) * scoring["wildcard"] if wildcards else 0,
        repeat_points(counts, scoring),
        scoring["purple"] * purple,
    )


def repeat_points(counts: Iterable[int], scoring: Mapping[str, Any]) -> int:
    """The bonus for repeats; `counts` are the numbers of letter dice that show each letter."""
    bonus = {1: 0, 2: scoring["twice"], 3: scoring["thrice"]}
    bonuses = [bonus.get(count, scoring["more"]) for count in counts if count]
    return sum(bonuses) if scoring["repeats"] == "per_letter" else max(bonuses, default=0)


def faces_of(dice: Iterable[Card]) -> Faces:
    """The colour and faces of each die, of which there may be several copies."""
    return tuple((die.colour, tuple(die.faces)) for die in dice for _ in range(die.copies))


class Dice(Struct, frozen=True):
    """Dice, and what they can show. A throw is such dice, too, each with a single face."""

    dice: Faces

    def __len__(self) -> int:
        return len(self.dice)

    @property
    def colours(self) -> list[str]:
        return [colour for colour, _ in self.dice]

    def showing(self, face: str, colour: str = "") -> list[int]:
        """The numbers of the dice that have this face; with a colour, only those of them that have it."""
        return [
            number for number, (own, faces) in enumerate(self.dice) if face in faces and (not colour or own == colour)
        ]

    def can_lay(self, tiles: str, colours: Sequence[str] = ()) -> bool:
        """Whether different dice can show these tiles, those with a colour in this colour."""
        return matched([self.showing(*tile) for tile in zip_longest(tiles, colours, fillvalue="")]) is not None

    def problems(self, throw: Throw) -> Iterator[str]:
        """Why these dice cannot show a throw, as messages."""
        for colour, count in Counter(self.colours).items():
            name, letters = colour.replace("-", " "), throw.letters.get(colour, "")
            if len(letters) != count:
                there = f"is 1 {name} die" if count == 1 else f"are {count} {name} dice"
                yield f"{name} shows {letters or 'no letter'}, but there {there}"
            elif not self.can_lay(letters, [colour] * count):
                yield f"the {f'{name} die' if count == 1 else f'{count} {name} dice'} cannot show {letters}"


def matched(able: Sequence[Sequence[int]]) -> dict[int, int] | None:
    """A different one of its numbers for each entry, as a mapping from number to entry; None if that is impossible.
    Finds augmenting paths (https://en.wikipedia.org/wiki/Maximum_cardinality_matching)."""
    owners: dict[int, int] = {}

    def has_place(entry: int, tried: set[int]) -> bool:
        for number in able[entry]:
            if number not in tried:
                tried.add(number)
                if number not in owners or has_place(owners[number], tried):
                    owners[number] = entry
                    return True
        return False

    return owners if all(has_place(entry, set()) for entry in range(len(able))) else None


def dice_of(game: Game) -> Dice:
    """The dice of a game."""
    return Dice(faces_of(game.components["dice"].cards))


class Throw(Struct, frozen=True):
    """A throw: the letters that the dice of each colour show."""

    letters: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{colour.replace('-', ' ')} {letters}" for colour, letters in self.letters.items())

    @property
    def faces(self) -> str:
        return "".join(self.letters.values())

    @property
    def dice(self) -> Dice:
        """The thrown dice with only the faces that they show."""
        return Dice(tuple((colour, (face,)) for colour, shown in self.letters.items() for face in shown))

    def showing(self, face: str) -> list[str]:
        """The colours of the dice that show a face, purple first because it scores best."""
        colours = [colour for colour, letters in self.letters.items() for _ in range(letters.count(face))]
        return sorted(colours, key=lambda colour: colour != PURPLE)


def thrown(colours: Iterable[str], faces: Iterable[str]) -> Throw:
    """The throw of dice of these colours that show these faces."""
    letters: dict[str, str] = {}
    for colour, face in zip(colours, faces, strict=True):
        letters[colour] = letters.get(colour, "") + face
    return Throw(letters)


def throw_dice(dice: Faces, chance: Chance) -> Throw:
    """A random throw of the dice."""
    return thrown((colour for colour, _ in dice), (chance.choice(faces) for _, faces in dice))


def read_throw(text: str, dice: Dice) -> Throw:
    """A throw by colour as on a sheet (`red: AEIO, orange: C=, …`, also with `=` for the colon), or as letters alone
    (`AEIOC=NSRG/TK`), which are then assigned to dice. Raises InputError with all problems."""
    text, letters, problems = text.strip().strip("{}"), dict.fromkeys(dice.colours, ""), list[Problem]()
    if not re.search("[,;:]", text):
        return _by_letters(text, dice)
    for part in filter(str.strip, re.split("[,;]", text)):
        name, _, typed = re.sub("[=:]", ":", part.strip(), count=1).partition(":")
        colour, shown = re.sub("[ _]", "-", name.strip().lower()), read_tiles(typed)
        if colour not in letters:
            problems.append(Problem(f"there are no “{name}” dice", None, did_you_mean(colour, letters)))
        elif not shown:
            hint = f"for example {EXAMPLE}"
            problems.append(Problem(f"“{part.strip()}” is not a colour with letters and wildcards", None, hint))
        else:
            letters[colour] += shown
    problems = problems or [Problem(f"{text}: {problem}") for problem in dice.problems(Throw(letters))]
    if problems:
        raise InputError(problems)
    return Throw(letters)


def _by_letters(text: str, dice: Dice) -> Throw:
    letters = read_tiles(text)
    if not letters or len(letters) != len(dice):
        raise fault(f"“{text}” is not a throw of {len(dice)} dice", hint=f"for example {EXAMPLE}")
    shown = matched([dice.showing(letter) for letter in letters])
    if shown is None:
        raise fault(f"the {len(dice)} dice cannot show {letters} at once")
    return thrown(dice.colours, (letters[shown[number]] for number in range(len(dice))))
