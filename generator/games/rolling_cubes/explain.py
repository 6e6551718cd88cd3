"""How the points of a player's lines were made, die by die, and the sums that belong on the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...rules.results import Part
from . import points, tiles
from .dice import PURPLE
from .five_throws import Combination, FiveThrows
from .last_die import LastDie
from .last_die import Round as DieRound
from .played import Laid, Played, listed
from .rounds import Round, Rounds
from .tournament import GamePlayed, Tournament

_TIMES = {2: "twice", 3: "three times", 4: "four times"}
_PLACES = ("1st", "2nd", "3rd")


def explain(played: Played) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines."""
    for player in played.players:
        yield list(_PARTS[type(played)](played, player))


# ---- a word ---------------------------------------------------------------------------------------------------------

def word_parts(laid: Laid, purple: bool, scoring: Mapping[str, Any]) -> Iterator[Part]:
    """What a word is worth, as `points.points` adds it up."""
    shown = tiles.letters(laid.tiles)
    wild = len(laid.tiles) - len(shown)
    yield Part(f"letters of {laid.said}: {' '.join(shown) or 'none'}", points.letters(len(shown), scoring))
    if wild:
        yield Part(_wild(wild), points.wildcards(wild, scoring))
    yield from _repeats(Counter(shown), scoring)
    if purple:
        yield Part(_purple(laid), points.on_purple(purple, scoring))


def _wild(count: int) -> str:
    return "one wildcard" if count == 1 else f"{count} wildcards, the first of them nothing"


def _purple(laid: Laid) -> str:
    letter = laid.throw.letters[PURPLE][:1] if laid.throw and not laid.colours else ""
    return f"the {letter} on the purple die" if letter else "the purple die"


def _repeats(counts: Counter[str], scoring: Mapping[str, Any]) -> list[Part]:
    """A part for each letter that repeats; where only the best of them counts, for that one."""
    each = [Part(f"{letter} {_TIMES.get(count, f'{count} times')}", points.repeats([count], scoring))
            for letter, count in counts.items() if count > 1]
    whole = points.repeats(counts.values(), scoring)
    if sum(part.points for part in each) == whole:
        return each
    return [next(part for part in each if part.points == whole)]


# ---- games 1 and 2 --------------------------------------------------------------------------------------------------

def _rounds(played: Rounds, player: int) -> Iterator[list[Part]]:
    for each in played.rounds:
        if player in each.points and (player not in each.missing or each.full):
            yield _round(played, each, player)
        if player in each.bonus:
            yield [Part(_best(played, each, player), each.bonus[player])]


def _round(played: Rounds, each: Round, player: int) -> list[Part]:
    word = each.words.get(player)
    if word is None:
        return [Part("no word", 0)]
    return list(word_parts(word, played.uses_purple(word), played.rules["scoring"]))


def _best(played: Rounds, each: Round, player: int) -> str:
    others = [played.name(other) for other in each.bonus if other != player]
    shared = f", shared with {listed(others)}" if others else ""
    return f"best word of the round with {each.points[player]}{shared}"


# ---- the five-throw sheet -------------------------------------------------------------------------------------------

def _five_throws(played: FiveThrows, player: int) -> Iterator[list[Part]]:
    return (_combination(played, line) for line in played.combinations if line.player == player)


def _combination(played: FiveThrows, line: Combination) -> list[Part]:
    asks, right = played.rules["five_throws"], played.points_of(line)
    if not line.word:
        return [Part("a zero taken on purpose" if line.zero else "still open", 0)]
    if not played.meets(line):
        return [Part(f"{line.word.said} is not what the line asks for", right)]
    parts = list(word_parts(line.word, played.counts_purple(line), played.rules["scoring"]))
    if line.rethrown > 0:
        many = f"{line.rethrown} dice" if line.rethrown > 1 else "1 die"
        parts.append(Part(f"{many} thrown again", -int(asks["penalty"]) * line.rethrown))
    short = right - sum(part.points for part in parts)
    return [*parts, Part(f"a line never brings less than {asks['least']}", short)] if short else parts


# ---- the last die, and the tournament -------------------------------------------------------------------------------

def _last_die(played: LastDie, player: int) -> Iterator[list[Part]]:
    for each in played.rounds:
        if each.winner is not None and not each.late:
            yield [Part(_ended(played, each), int(each.winner == player))]


def _ended(played: LastDie, each: DieRound) -> str:
    winner = played.name(each.winner or 0)
    stuck, doubter = (played.sheet.text(f"{each.id}.{name}") for name in ("stuck", "doubt.by"))
    if stuck:
        return f"{stuck} is stuck, so it goes to {winner}"
    if doubter:
        return f"{doubter} doubts, and it goes to {winner}"
    return f"a word is complete, so it goes to {winner}"


def _tournament(played: Tournament, player: int) -> Iterator[list[Part]]:
    return ([Part(_place(game, player), played.points_of(game, player))] for game in played.games)


def _place(game: GamePlayed, player: int) -> str:
    if player not in game.reached:
        return "not played yet"
    place = game.places[player]
    return f"{(*_PLACES, f'{place}th')[min(place, 4) - 1]} place with {game.reached[player]}"


_PARTS: Mapping[type[Played], Any] = {Rounds: _rounds, FiveThrows: _five_throws, LastDie: _last_die,
                                      Tournament: _tournament}


# ---- sums -----------------------------------------------------------------------------------------------------------

def sums(played: Played) -> Mapping[str, int]:
    """The sums of every player, by the id of their fields."""
    totals = ((f"claimed.{player}", played.total(player)) for player in played.players)
    return dict([*_inner_sums(played), *totals])


def _inner_sums(played: Played) -> Iterable[tuple[str, int]]:
    if isinstance(played, Rounds):
        return [(f"{each.id}.claimed.{player}", each.of(player)) for each in played.rounds for player in each.points]
    if isinstance(played, FiveThrows):
        return [(f"{line.id}.claimed", played.points_of(line)) for line in played.combinations if line.filled]
    if isinstance(played, Tournament):
        return [(f"awarded.{game.name}.{player}", played.points_of(game, player)) for game in played.games
                for player in game.reached]
    return []
