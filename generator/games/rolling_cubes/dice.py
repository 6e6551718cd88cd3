"""The dice: tiles and their points, throws, and which dice can lay which tiles.

`=` and `≠` are wildcards. Tiles are capitals, words lower case. `scoring` is always the one in game.yaml.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations, combinations_with_replacement
from typing import Any, NamedTuple, TypeAlias
from unicodedata import combining, normalize

from ...draws.chance import Chance
from ...errors import InputError, Problem, did_you_mean
from ...fast_dataclasses import dataclass
from ...model.game import Card, Game
from ..turns import counted

EQUAL, UNEQUAL = "=", "≠"
WILDCARDS = EQUAL + UNEQUAL

PURPLE = "purple"
EXAMPLE = "red=AEIO,orange=C=,green=NSR,light-blue=G,blue=/T,purple=K"

Assignment: TypeAlias = Mapping[str, tuple[str, ...]]
"""For each different face among some tiles, the colours of the dice that show it, one for each such tile."""

Faces: TypeAlias = tuple[tuple[str, tuple[str, ...]], ...]
"""The colour and faces of each die."""

_TILES = re.compile(r"[A-Za-z=≠/ ]*")
_WORD = re.compile(r"[a-z]+")
_SPELLED_OUT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})


@lru_cache(1 << 12)
def read_tiles(text: str) -> str | None:
    """Tiles as typed (`co/king`, `C O = K I N G`) in standard form (`CO=KING`); None if the text is not tiles."""
    text = normalize("NFC", text)
    if not _TILES.fullmatch(text):
        return None
    return text.upper().replace(" ", "").replace("/", UNEQUAL)


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


# ---- tiles and the word they stand for ------------------------------------------------------------------------------


def mismatch(tiles: str, word: str) -> str:
    """Why the tiles cannot stand for the word, for a message; empty if they can."""
    if tiles == word.upper():
        return ""
    if len(tiles) != len(word):
        return f"“{word}” has {counted(len(word), 'letter')}, but {tiles} has {counted(len(tiles), 'tile')}"
    for number, (tile, letter) in enumerate(zip(tiles, word.upper(), strict=True), 1):
        if tile not in (letter, *WILDCARDS):
            return f"tile {number} of {tiles} is {tile}, but letter {number} of “{word}” is {letter}"
    return ""


def wrong_equals(tiles: str, word: str) -> list[str]:
    """The letters that an `=` stands for although no letter die of the word shows them."""
    letters = letter_tiles(tiles)
    return [letter for tile, letter in zip(tiles, word.upper(), strict=True) if tile == EQUAL and letter not in letters]


def wrong_unequals(tiles: str, word: str) -> list[str]:
    """The letters that a `≠` stands for although another tile of the word stands for them too."""
    letters = word.upper()
    return [
        letter for tile, letter in zip(tiles, letters, strict=True) if tile == UNEQUAL and letters.count(letter) > 1
    ]


# ---- points ---------------------------------------------------------------------------------------------------------


class Points(NamedTuple):
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
    counts = map(letters.count, set(letters)) if len(set(letters)) < len(letters) else ()
    return points_by_count(len(letters), len(tiles) - len(letters), counts, purple, scoring)


def points_by_count(
    dice: int, wildcards: int, counts: Iterable[int], purple: bool, scoring: Mapping[str, Any]
) -> Points:
    """The points for a number of letter dice and wildcards; `counts` are the numbers of dice that show each letter."""
    return Points(
        letter_points(dice, scoring),
        wildcard_points(wildcards, scoring),
        repeat_points(counts, scoring),
        purple_points(purple, scoring),
    )


def letter_points(count: int, scoring: Mapping[str, Any]) -> int:
    return int(count * scoring["letter"])


def wildcard_points(count: int, scoring: Mapping[str, Any]) -> int:
    """The points for wildcards. It does not matter which one comes first."""
    return int(scoring["first_wildcard"] + (count - 1) * scoring["wildcard"]) if count else 0


def repeat_points(counts: Iterable[int], scoring: Mapping[str, Any]) -> int:
    """The bonus for repeats; `counts` are the numbers of letter dice that show each letter."""
    bonus = {1: 0, 2: scoring["twice"], 3: scoring["thrice"]}
    bonuses = [bonus.get(count, scoring["more"]) for count in counts if count]
    return sum(bonuses) if scoring["repeats"] == "per_letter" else max(bonuses, default=0)


def purple_points(used: bool, scoring: Mapping[str, Any]) -> int:
    return int(scoring["purple"]) * used


# ---- dice and their throws ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Throw:
    """A throw: the letters that the dice of each colour show."""

    letters: Mapping[str, str]

    def __str__(self) -> str:
        return ", ".join(f"{colour.replace('-', ' ')} {letters}" for colour, letters in self.letters.items())

    @property
    def faces(self) -> str:
        return "".join(self.letters.values())

    def showing(self, face: str) -> list[str]:
        """The colours of the dice that show a face, purple first because it scores best."""
        colours = [colour for colour, letters in self.letters.items() for _ in range(letters.count(face))]
        return sorted(colours, key=lambda colour: colour != PURPLE)

    def equals(self, other: Throw) -> bool:
        """Whether both throws show the same letters in each colour, in any order."""
        return {colour: sorted(shown) for colour, shown in self.letters.items()} == {
            colour: sorted(shown) for colour, shown in other.letters.items()
        }


def faces_of(dice: Iterable[Card]) -> Faces:
    return tuple((die.colour, tuple(die.faces)) for die in dice)


def throw_dice(dice: Faces, chance: Chance) -> Throw:
    """A random throw of the dice."""
    letters: dict[str, str] = {}
    for colour, faces in dice:
        letters[colour] = letters.get(colour, "") + chance.choice(faces)
    return Throw(letters)


class Dice:
    """The dice of a game. What they can show is cached."""

    def __init__(self, dice: Faces) -> None:
        self.by_colour: dict[str, tuple[frozenset[str], ...]] = {}
        for colour, faces in dice:
            self.by_colour[colour] = (*self.by_colour.get(colour, ()), frozenset(faces))
        self._fits: Callable[[str, str], bool] = lru_cache(1 << 14)(self._fit)
        self._lays: Callable[[str], bool] = lru_cache(1 << 14)(self._lay)
        self._problem: Callable[[str, str], str] = lru_cache(1 << 12)(self._colour_problem)

    def __len__(self) -> int:
        return sum(map(len, self.by_colour.values()))

    def colours_of(self, face: str) -> list[str]:
        return [colour for colour, dice in self.by_colour.items() if any(face in die for die in dice)]

    def needs_purple(self, tiles: str) -> bool:
        """Whether a letter among the tiles is on the purple die and on no other."""
        return any(self.colours_of(letter) == [PURPLE] for letter in letter_tiles(tiles))

    def _fit(self, colour: str, letters: str) -> bool:
        """Whether different dice of the colour can show these letters."""
        return _matched(letters, self.by_colour.get(colour, ()))

    def _lay(self, tiles: str) -> bool:
        return next(self.assignments(tiles), None) is not None

    def can_lay(self, tiles: str) -> bool:
        """Whether different dice can show these tiles."""
        return self._lays("".join(sorted(tiles)))

    def problems(self, throw: Throw) -> Iterator[str]:
        """Why these dice cannot show a throw, as messages."""
        for colour in self.by_colour:
            problem = self._problem(colour, throw.letters.get(colour, ""))
            if problem:
                yield problem

    def _colour_problem(self, colour: str, letters: str) -> str:
        """Why the dice of a colour cannot show these letters, for a message; empty if they can."""
        count, name = len(self.by_colour[colour]), colour.replace("-", " ")
        if len(letters) != count:
            there = f"is 1 {name} die" if count == 1 else f"are {count} {name} dice"
            return f"{name} shows {letters or 'no letter'}, but there {there}"
        if self._fits(colour, "".join(sorted(letters))):
            return ""
        return f"the {f'{name} die' if count == 1 else f'{count} {name} dice'} cannot show {letters}"

    def assignments(self, tiles: str) -> Iterator[Assignment]:
        """Every way to lay the tiles with different dice, as colours."""

        def choices(face: str, count: int) -> Iterator[tuple[str, ...]]:
            return combinations_with_replacement(self.colours_of(face), count)

        return _assignments(list(Counter(tiles).items()), choices, {}, self.allow)

    def allow(self, assignment: Assignment) -> bool:
        """Whether the dice allow this assignment."""
        shown: dict[str, str] = {}
        for face, colours in assignment.items():
            for colour in colours:
                shown[colour] = shown.get(colour, "") + face
        return all(self._fits(colour, "".join(sorted(letters))) for colour, letters in shown.items())


def thrown_assignments(tiles: str, throw: Throw) -> Iterator[Assignment]:
    """Every way to lay the tiles with the dice of a throw, those with the purple die first."""

    def choices(face: str, count: int) -> Iterator[tuple[str, ...]]:
        return iter(dict.fromkeys(combinations(throw.showing(face), count)))

    return _assignments(list(Counter(tiles).items()), choices, {}, lambda assignment: True)


def _assignments(
    faces: Sequence[tuple[str, int]],
    choices: Callable[[str, int], Iterator[tuple[str, ...]]],
    assignment: dict[str, tuple[str, ...]],
    allowed: Callable[[Assignment], bool],
) -> Iterator[Assignment]:
    """Completes an assignment by choosing colours for each face (backtracking search)."""
    if not faces:
        yield assignment
        return
    (face, count), *rest = faces
    for colours in choices(face, count):
        extended = assignment | {face: colours}
        if allowed(extended):
            yield from _assignments(rest, choices, extended, allowed)


def _matched(letters: str, dice: tuple[frozenset[str], ...]) -> bool:
    """Whether there is a different die for each letter. Simple backtracking is enough for the few dice of a colour."""
    if not letters:
        return True
    return any(
        letters[0] in die and _matched(letters[1:], dice[:number] + dice[number + 1 :])
        for number, die in enumerate(dice)
    )


def dice_of(game: Game) -> Dice:
    """The dice of a game."""
    return dice_with(faces_of(die for die in game.components["dice"].cards for _ in range(die.copies)))


@lru_cache(8)
def dice_with(faces: Faces) -> Dice:
    """Dice with these faces. They are cached, together with what they can show."""
    return Dice(faces)


# ---- throws on the command line --------------------------------------------------------------------------------------

_COLOUR = re.compile(r"\s*([A-Za-z][A-Za-z _-]*?)\s*[=:](.*)", re.DOTALL)


def read_throw(text: str, dice: Dice) -> Throw:
    """A throw by colour as on a sheet (`red: AEIO, orange: C=, …`, also with `=` for the colon), or as letters alone
    (`AEIOC=NSRG/TK`), which are then assigned to dice. Raises InputError with all problems."""
    text = text.strip().removeprefix("{").removesuffix("}")
    problems: list[Problem] = []
    throw = _by_colours(text, dice, problems) if re.search("[,;:]", text) else _by_letters(text, dice, problems)
    if not problems:
        problems += (Problem(f"{text}: {problem}") for problem in dice.problems(throw))
    if problems:
        raise InputError(problems)
    return throw


def _by_colours(text: str, dice: Dice, problems: list[Problem]) -> Throw:
    letters: dict[str, str] = {}
    for part in filter(str.strip, re.split("[,;]", text)):
        problems += _read_colour(part, dice, letters)
    return Throw({colour: letters[colour] for colour in dice.by_colour if colour in letters})


def _read_colour(part: str, dice: Dice, letters: dict[str, str]) -> Iterator[Problem]:
    match = _COLOUR.fullmatch(part)
    if not match:
        yield Problem(f"“{part.strip()}” is not a colour with its letters", None, f"for example {EXAMPLE}")
        return
    colour, shown = re.sub("[ _]", "-", match[1].lower()), read_tiles(match[2])
    if colour not in dice.by_colour:
        yield Problem(f"there are no “{match[1]}” dice", None, did_you_mean(colour, dice.by_colour))
    elif colour in letters:
        yield Problem(f"the throw has {match[1]} twice", None, "write all letters of a colour together")
    elif shown is None:
        yield Problem(f"“{match[2].strip()}” is not letters A to Z and wildcards", None, "wildcards are = and ≠ (or /)")
    else:
        letters[colour] = shown


def _by_letters(text: str, dice: Dice, problems: list[Problem]) -> Throw:
    letters = read_tiles(text)
    if not letters or len(letters) != len(dice):
        problems.append(Problem(f"“{text}” is not a throw of {len(dice)} dice", None, f"for example {EXAMPLE}"))
        return Throw({})
    assignment = next(dice.assignments(letters), None)
    if assignment is None:
        problems.append(Problem(f"the {len(dice)} dice cannot show {letters} at once"))
        return Throw({})
    return Throw(
        {
            colour: "".join(face * colours.count(colour) for face, colours in assignment.items())
            for colour in dice.by_colour
        }
    )
