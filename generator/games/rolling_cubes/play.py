"""The game without a sheet: tiles and their points, throws, which dice can lay which tiles, and who wins.

`=` and `≠` are wildcards. Tiles are capitals, words lower case. `scoring` is always the one in game.yaml.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, combinations, permutations, product, zip_longest
from typing import Any, TypeAlias, TypeVar
from unicodedata import combining, normalize

from msgspec import Struct

from ...draws import Chance
from ...errors import Problem, did_you_mean, fault, refuse
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
        """The numbers of the dice that have this face, or one of several; with a colour, only those of them that have
        it."""
        return [
            number
            for number, (own, faces) in enumerate(self.dice)
            if not colour or own == colour
            if any(one in faces for one in face)
        ]

    def can_lay(self, tiles: Sequence[str], colours: Sequence[str] = ()) -> bool:
        """Whether different dice can show these tiles, those with a colour in this colour. A tile may be a choice
        between several."""
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
    return thrown((colour for colour, _ in dice), (chance.choice(faces) for _, faces in dice))


def read_throw(text: str, dice: Dice) -> Throw:
    """A throw by colour as on a sheet (`red: AEIO, orange: C=, …`, also with `=` for the colon), or as letters alone
    (`AEIOC=NSRG/TK`), which are then assigned to dice. Raises InputError with all problems."""
    text, letters, problems = text.strip().strip("{}"), dict.fromkeys(dice.colours, ""), list[Problem]()
    if not re.search("[,;:]", text):
        faces = read_tiles(text)
        if not faces or len(faces) != len(dice):
            raise fault(f"“{text}” is not a throw of {len(dice)} dice", hint=f"for example {EXAMPLE}")
        face_of_die = matched([dice.showing(face) for face in faces])
        if face_of_die is None:
            raise fault(f"the {len(dice)} dice cannot show {faces} at once")
        return thrown(dice.colours, (faces[face_of_die[number]] for number in range(len(dice))))
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
    refuse(problems)
    return Throw(letters)


T = TypeVar("T")


class PlayedWord(Struct, frozen=True):
    """A word on a sheet; `id` is its place. `text` is the word that the tiles stand for; if it is blank and there is no
    wildcard, it is taken from the tiles. `colours` are those of the dice, tile by tile. The players accepted a `voted`
    word, and `rejected` others, which score nothing."""

    id: str
    tiles: str
    text: str
    throw: Throw | None = None
    colours: tuple[str, ...] = ()
    purple_ticked: bool = False
    voted: bool = False
    rejected: bool = False

    @property
    def quoted(self) -> str:
        return f"“{self.text}”" if self.text else self.tiles

    @property
    def all_named(self) -> bool:
        """Whether each tile has a colour."""
        return bool(self.colours) and len(self.colours) == len(self.tiles)


class WordRules(Struct, frozen=True):
    """Assigns dice to words, and scores them. `rules` are those in game.yaml."""

    dice: Dice
    rules: Mapping[str, Any]

    def able(self, word: PlayedWord) -> list[list[int]]:
        """For each tile of a word, the dice that can show it: those of the throw if it is known, otherwise any, in the
        colour that is written down."""
        dice = word.throw.dice if word.throw else self.dice
        return [dice.showing(*tile) for tile in zip_longest(word.tiles, word.colours, fillvalue="")]

    def conflict(self, words: list[PlayedWord]) -> tuple[list[PlayedWord], str]:
        """The fewest of these words that no single throw can show, and the fewest of their tiles; none if there is such
        a throw. Words that no throw can show by themselves are left out."""
        words = [word for word in words if not self._conflicts([word])]
        if not self._conflicts(words):
            return [], ""
        words = _fewest(words, self._conflicts)
        faces = _fewest(next(self._needed(words)), self._is_impossible)
        return words, " ".join(f"{face} ({colour})" if colour else face for face, colour in faces)

    def _conflicts(self, words: list[PlayedWord]) -> bool:
        return all(map(self._is_impossible, self._needed(words)))

    def _is_impossible(self, faces: list[tuple[str, str]]) -> bool:
        return matched([self.dice.showing(*face) for face in faces]) is None

    def _needed(self, words: list[PlayedWord]) -> Iterator[list[tuple[str, str]]]:
        """What a throw must show at least for all of these words, each face with its colour (empty for any); for every
        choice of the letters on the purple die, where it is ticked."""
        named, others, purple = Counter[tuple[str, str]](), Counter[str](), list[set[str]]()
        for word in words:
            if word.all_named:
                named |= Counter(zip(word.tiles, word.colours, strict=True))
            else:
                others |= Counter(word.tiles)
                purple += [{tile for tile in word.tiles if self.dice.showing(tile, PURPLE)}] * word.purple_ticked
        for letters in dict.fromkeys(map(frozenset, product(*purple))):
            coloured = named | Counter((letter, PURPLE) for letter in letters)
            counted = Counter(face for face, _ in coloured.elements())
            yield [*coloured.elements(), *((face, "") for face in (others - counted).elements())]

    def uses_purple(self, word: PlayedWord) -> bool:
        """Whether the purple die is in the word, by the best choice of dice. Without colours or a throw, it counts
        if it is ticked, or if a letter is on no other die."""
        if word.colours:
            return PURPLE in word.colours
        if word.throw:
            letter = word.throw.letters[PURPLE][:1]
            return bool(letter) and letter not in WILDCARDS and letter in word.tiles
        letters = letter_tiles(word.tiles)
        dice = self.dice
        return word.purple_ticked or any(dice.showing(tile) == dice.showing(tile, PURPLE) != [] for tile in letters)

    def points(self, word: PlayedWord) -> Points:
        """The points for the tiles as written."""
        return Points() if word.rejected else points_of(word.tiles, self.uses_purple(word), self.rules["scoring"])

    def best_laying(self, line: str, word: PlayedWord) -> tuple[bool, bool]:
        """Whether a word meets a line of the five-throw sheet, and whether the purple die is in it, by the best choice
        of dice. Tiles that cannot be laid, or a throw of too many dice, break another rule and count as meeting it."""
        purple, numbers, able = self.uses_purple(word), self.rules["five_throws"], self.able(word)
        colours, named = (word.throw.dice if word.throw else self.dice).colours, not word.colours or word.all_named
        if not (able and named and len(colours) <= len(self.dice) and matched(able)):
            return True, purple
        if line == "no-wildcards":
            return not set(word.tiles) & set(WILDCARDS), purple
        if line == "double":
            return max(Counter(letter_tiles(word.tiles)).values(), default=0) >= int(numbers["double"]), purple
        # If there is a die for each tile, and a tile for each die of a group, there is a way with both: N. Mendelsohn,
        # A. Dulmage, Some generalizations of the problem of distinct representatives, 1958, theorem 1.
        tiles = [[tile for tile, dice in enumerate(able) if die in dice] for die in range(len(colours))]
        groups = _groups(colours, numbers["full_house"] if line == "full-house" else [numbers[line]])
        met = [group for group in groups if matched([tiles[die] for die in group]) is not None]
        if purple and any(matched([tiles[die] for die in {*group, colours.index(PURPLE)}]) for group in met):
            return True, True
        return bool(met) and not (purple and not word.throw), purple and not word.throw

    def line_points(self, line: str, word: PlayedWord, rethrown: int) -> int:
        """The points of a word in a line, after throwing this many dice again. If several dice show the same letter,
        those that score best are used."""
        numbers, (meets, purple) = self.rules["five_throws"], self.best_laying(line, word)
        if word.rejected or not meets:
            return int(numbers["no_match"])
        points = points_of(word.tiles, purple, self.rules["scoring"]).total
        return max(int(numbers["least"]), points - int(numbers["penalty"]) * max(rethrown, 0))


def _fewest(items: list[T], fail: Callable[[list[T]], bool]) -> list[T]:
    """The items without those that can be left out so that the others still fail."""
    for number in reversed(range(len(items))):
        rest = [*items[:number], *items[number + 1 :]]
        items = rest if fail(rest) else items
    return items


def _groups(colours: Sequence[str], counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """Every group of dice with this many of one colour, and of another; the dice are numbered by their `colours`."""
    numbers = {colour: [number for number, own in enumerate(colours) if own == colour] for colour in colours}
    for chosen in permutations(numbers.values(), len(counts)):
        for group in product(*map(combinations, chosen, counts)):
            yield tuple(chain(*group))


class Standing(Struct, frozen=True):
    """The standing after some rounds. `still` are the players who can still win: all players, in a play-off those who
    tie for the best total, and at the end the winner."""

    totals: Mapping[int, int]
    still: tuple[int, ...]
    play_off: bool = False
    won: bool = False


class RoundRules(Struct, frozen=True):
    """Games 1 and 2 with these players and this target. `rules` are those in game.yaml."""

    players: tuple[int, ...]
    target: int
    rules: Mapping[str, Any]

    @property
    def start(self) -> Standing:
        return Standing(dict.fromkeys(self.players, 0), self.players)

    def bonus(self, points: Mapping[int, int], before: Standing) -> dict[int, int]:
        """The round bonus by player; `points` are those of the words."""
        best = max(points.values(), default=0)
        if not best or len(self.players) == 1 or (before.play_off and not self.rules["play_off_bonus"]):
            return {}
        leaders = [player for player, score in points.items() if score == best]
        return dict.fromkeys(leaders, self.rules["round_bonus"]["shared" if len(leaders) > 1 else "alone"])

    def after(self, before: Standing, *points: Mapping[int, int], full: bool = True) -> Standing:
        """The standing after a round with these points. The target is tested only if the round is `full`."""
        totals = {
            player: total + sum(scores.get(player, 0) for scores in points) for player, total in before.totals.items()
        }
        best = max((totals[player] for player in before.still), default=0)
        if before.won or not full or best < self.target:
            return Standing(totals, before.still, before.play_off, before.won)
        leaders = tuple(player for player in before.still if totals[player] == best)
        return Standing(totals, leaders, True, len(leaders) == 1)


def target_of(rules: Mapping[str, Any], game: str, players: int, in_tournament: bool) -> int:
    """The points or rounds that win a game with this number of players. `rules` are those in game.yaml."""
    targets = (rules["tournament"] if in_tournament else rules)["targets"]
    return int(targets.get(f"{game}-for-two", targets[game]) if players == 2 else targets[game])


def tournament_points(places: Mapping[int, int], points: Sequence[int]) -> dict[int, int]:
    """The points of the players for their places in one game. Players who share a place get those of the higher one."""
    return {player: points[place - 1] for player, place in places.items()}


def tournament_winners(totals: Mapping[int, int], places: Mapping[int, int]) -> tuple[int, ...]:
    """The players with the highest total; among those who tie, those with the highest of the places in the game that
    decides."""
    top = max(totals.values(), default=0)
    best = [player for player, total in totals.items() if total == top]
    highest = min((places[player] for player in best), default=0)
    return tuple(player for player in best if places[player] == highest)
