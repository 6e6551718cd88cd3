"""What the cards in front of the players count, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ...rules.results import Line, Result, Score, ranks
from .book import book
from .table import Lying, Table


@book.counts("finished-cards", source="rulebook; F5, F8")
def finished(table: Table, card: Lying) -> int:
    """A finished card counts the number in its star for the player it lies in front of when the game ends. A card that
    is still to be built counts nothing, nor does one whose star was never marked, nor one that is shared."""
    if card.star is None and not card.blanks:
        return int(table.sheet.game.rules["unstarred"])
    return card.star if card.built and card.star else 0


@book.counts("flipped-cards", source="rulebook; F6")
def flipped(table: Table, card: Lying) -> int:
    """A flipped card counts minus the number in its star, finished or not; where the star is blank, minus the lowest
    number of its range."""
    return flipped_worth(card.star, card.card.star.low)


def flipped_worth(star: int | None, lowest: int) -> int:
    """What a flipped card counts, by the number in its star and the lowest one of its range."""
    return -(star or lowest)


@book.counts("given-up-cards", source="rulebook; F12")
def counted(table: Table, player: str) -> list[Lying]:
    """Where the game ended by the stall variant, the card a player gives up does not count; it stays on the sheet."""
    given_up = table.discarded(player)
    return [card for card in table.in_front_of(player) if card is not given_up]


def score_of(table: Table, player: str) -> Score:
    """One line for each card in front of the player."""
    return Score(table.name(player), tuple(
        Line(card.name, flipped(table, card) if card.flipped else finished(table, card))
        for card in counted(table, player)))


@book.counts("the-end", source="rulebook; F9")
def still_going(table: Table) -> Iterator[str]:
    """The game is over when no card is shared any more and every card is finished or flipped; with the stall variant
    also after a full round in which nobody marks or flips anything. Before that nobody has won."""
    if table.stall:
        return
    for card in table.cards:
        if not card.owner:
            yield f"{card.name} is still shared"
        elif not card.flipped and card.blanks:
            yield f"{card.name} is still to be built"
        elif not card.scoring:
            yield f"the star of {card.name} is still blank"
    if not table.cards:
        yield "no card is on the table"


@book.counts("tie-break", source="rulebook; F10")
def standing(scores: tuple[Score, ...]) -> tuple[tuple[int, ...], ...]:
    """The highest total wins. Of players with the same total the one with the highest card is ahead, then the one with
    the highest second card, and so on; who has fewer cards fills up with noughts. Still equal, they share the place."""
    return order([[line.points for line in score.lines] for score in scores])


def order(points: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """The total and the single cards, highest first, of every player, by the points of the cards of each."""
    most = max(map(len, points), default=0)
    return tuple((sum(cards), *sorted((*cards, *[0] * (most - len(cards))), reverse=True)) for cards in points)


@book.counts("all-lose", source="rulebook; F11")
def all_lose(scores: tuple[Score, ...]) -> bool:
    """When even the highest total is below zero, all players lose together."""
    return none_wins([score.total for score in scores])


def none_wins(totals: Sequence[int]) -> bool:
    return max(totals, default=0) < 0


def winning(points: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The places in the list of those who win a finished game, by the points of the cards of each; none if all lose."""
    standings = order(points)
    best = max(standings, default=())
    if none_wins([standing[0] for standing in standings]):
        return ()
    return tuple(seat for seat, standing in enumerate(standings) if standing == best)


def score(table: Table) -> Result:
    """The score of every player, and the winners where there are any."""
    scores = tuple(score_of(table, player) for player in table.players)
    places = ranks(standing(scores))
    reasons = list(still_going(table))
    if reasons:
        return Result(scores, places, remark=f"The game is not over: {reasons[0]}{_and_more(reasons)}.")
    if all_lose(scores):
        return Result(scores, places, remark="All players lose together, as no total reaches zero.")
    winners = tuple(each.player for each, place in zip(scores, places, strict=True) if place == 1)
    return Result(scores, places, winners, _tie(scores, winners))


def _and_more(reasons: list[str]) -> str:
    return f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""


def _tie(scores: tuple[Score, ...], winners: tuple[str, ...]) -> str:
    best = max((each.total for each in scores), default=0)
    tied = [each.player for each in scores if each.total == best]
    if len(tied) == len(winners):
        return ""
    others = " and ".join(name for name in tied if name not in winners)
    return f"The tie with {others} is broken by the higher cards."
