"""The rules of the five-throw sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import FIVE_THROWS, book
from .five_throws import Combination, FiveThrows

_LACKS = {"no-wildcards": "a wildcard in it", "trio": "fewer than {trio} dice of one colour",
          "full-house": "no {full_house[0]} dice of one colour and {full_house[1]} of another",
          "poker": "fewer than {poker} dice of one colour", "double": "no two letter dice that show the same"}


@book.rule("line-met", source="rulebook, yahtzee; R14, R15, R27", severity="warning", sheets=FIVE_THROWS)
def a_word_is_what_its_line_asks_for(played: FiveThrows) -> Iterator[Breach]:
    """A word that is not what its line asks for scores nothing. Trio, full house and poker ask for at least so many
    dice of a colour, wildcards among them; a double is two letter dice with the same letter."""
    for line in played.combinations:
        if line.word and line.word.tiles and not played.meets(line):
            yield f"{line.word.tiles} has {_lacking(played, line)}, so it scores 0 in the line “{line.label}”", line.id


def _lacking(played: FiveThrows, line: Combination) -> str:
    return _LACKS[line.name].format(**played.rules["five_throws"])


@book.rule("rethrown", source="rulebook, yahtzee; R16, R27", sheets=FIVE_THROWS)
def only_some_dice_are_thrown_again(played: FiveThrows) -> Iterator[Breach]:
    """Up to five dice may be thrown again, once."""
    most = played.rules["five_throws"]["rethrow"]
    for line in played.combinations:
        if not 0 <= line.rethrown <= most:
            yield f"{line.rethrown} dice are thrown again for the {line.label}, but 0 to {most} may be", \
                f"{line.id}.rethrown"


@book.rule("claimed-line", source="rulebook, yahtzee", sheets=FIVE_THROWS)
def the_points_of_a_line_are_right(played: FiveThrows) -> Iterator[Breach]:
    """Where a player wrote the points of a line, they are those of its word, less one for each die thrown again."""
    for line in played.combinations:
        claimed, points = played.sheet.number(f"{line.id}.claimed"), played.points_of(line)
        if claimed is not None and claimed != points:
            yield f"{played.name(line.player)} claims {claimed}, but the {line.label} brings {points}", \
                f"{line.id}.claimed"
