"""What the players have, who has won, how the points of a word were made, and the sums that belong on the sheet."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from ...rules.results import Part, Result, Score, ranks
from .dice import PURPLE
from .tiles import letter_points, letter_tiles, purple_points, repeat_points, wildcard_points

if TYPE_CHECKING:
    from .sheet import CubesSheet
    from .words import Word


def score(sheet: CubesSheet) -> Result:
    """The score of every player, and the winners where there are any."""
    scores = tuple(Score(sheet.name(player), tuple(sheet.score_lines(player))) for player in sheet.players)
    outcome = sheet.outcome
    tied_apart = [player in outcome.winners for player in sheet.players]
    places = ranks((each.total, ahead) for each, ahead in zip(scores, tied_apart, strict=True))
    return Result(scores, places, tuple(map(sheet.name, outcome.winners)), outcome.remark)


def sums(sheet: CubesSheet) -> Mapping[str, int]:
    """The sums of every player, by the id of their fields."""
    return {**dict(sheet.inner_sums()), **{f"claimed.{player}": sheet.total(player) for player in sheet.players}}


# ---- how the points of a word were made -----------------------------------------------------------------------------

_TIMES = {2: "twice", 3: "three times", 4: "four times"}


def word_parts(word: Word, purple: bool, scoring: Mapping[str, Any]) -> Iterator[Part]:
    """What a word is worth, as `tiles.points_of` adds it up."""
    shown = letter_tiles(word.tiles)
    wildcards = len(word.tiles) - len(shown)
    yield Part(f"letters of {word.quoted}: {' '.join(shown) or 'none'}", letter_points(len(shown), scoring))
    if wildcards:
        text = "one wildcard" if wildcards == 1 else f"{wildcards} wildcards, the first of them nothing"
        yield Part(text, wildcard_points(wildcards, scoring))
    yield from _repeat_parts(Counter(shown), scoring)
    if purple:
        letter = word.throw.letters[PURPLE][:1] if word.throw and not word.colours else ""
        yield Part(f"the {letter} on the purple die" if letter else "the purple die", purple_points(purple, scoring))


def _repeat_parts(counts: Counter[str], scoring: Mapping[str, Any]) -> list[Part]:
    """A part for each letter that repeats; where only the best of them counts, for that one."""
    each = [Part(f"{letter} {_TIMES.get(count, f'{count} times')}", repeat_points([count], scoring))
            for letter, count in counts.items() if count > 1]
    whole = repeat_points(counts.values(), scoring)
    if sum(part.points for part in each) == whole:
        return each
    return [next(part for part in each if part.points == whole)]
