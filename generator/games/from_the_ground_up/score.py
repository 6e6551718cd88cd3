"""What the cards in front of the players count, how that is made up, and who has won."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ...rules.results import Line, Part, Result, Score, ranks
from ..turns import listed
from .sheet import Table, TableCard


def score(table: Table) -> Result:
    """The score of every player, and the winners if the game is over."""
    scores = tuple(score_of(table, player) for player in table.players)
    places = ranks(standings([[line.points for line in each.lines] for each in scores]))
    reasons = list(_still_going(table))
    if reasons:
        more = f" (and {len(reasons) - 1} more)" if len(reasons) > 1 else ""
        return Result(scores, places, remark=f"The game is not over: {reasons[0]}{more}.", over=False)
    if all_lose([each.total for each in scores]):
        return Result(scores, places, remark="All players lose together, as no total reaches zero.")
    winners = tuple(each.player for each, place in zip(scores, places, strict=True) if place == 1)
    return Result(scores, places, winners, _tie(scores, winners))


def score_of(table: Table, player: str) -> Score:
    """The player's score, with one line for each card."""
    return Score(
        table.name(player), tuple(Line(card.name, card_points(table, card)) for card in counting_cards(table, player))
    )


def counting_cards(table: Table, player: str) -> list[TableCard]:
    """A player's cards without the one given up under the stall variant."""
    given_up = table.given_up(player)
    return [card for card in table.in_front_of(player) if card is not given_up]


def card_points(table: Table, card: TableCard) -> int:
    if card.flipped:
        return flipped_points(card.star, card.card.star.low)
    if card.star is None and not card.blanks:
        return int(table.sheet.game.rules["unstarred"])
    return card.star if card.built and card.star else 0


def flipped_points(star: int | None, lowest: int) -> int:
    """The points of a flipped card, from the number in its star and the lowest number of its range."""
    return -(star or lowest)


# ---- who has won -----------------------------------------------------------------------------------------------------


def standings(points: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """For every player the total and then the points of each card, highest first, filled up with zeros."""
    most = max(map(len, points), default=0)
    return tuple((sum(cards), *sorted((*cards, *[0] * (most - len(cards))), reverse=True)) for cards in points)


def winning(points: Sequence[Sequence[int]]) -> tuple[int, ...]:
    """The indices of the winners of a finished game, given the points of every player's cards; empty if all lose."""
    order = standings(points)
    best = max(order, default=())
    if all_lose([standing[0] for standing in order]):
        return ()
    return tuple(seat for seat, standing in enumerate(order) if standing == best)


def all_lose(totals: Sequence[int]) -> bool:
    return max(totals, default=0) < 0


def _still_going(table: Table) -> Iterator[str]:
    """Why the game is not over."""
    if table.stall:
        return
    for card in table.cards:
        if not card.owner:
            yield f"{card.name} is still shared"
        elif not card.flipped and card.blanks:
            yield f"{card.name} is unfinished"
        elif not card.scoring:
            yield f"the star of {card.name} is empty"
    if not table.cards:
        yield "there are no cards on the sheet"


def _tie(scores: tuple[Score, ...], winners: tuple[str, ...]) -> str:
    best = max((each.total for each in scores), default=0)
    tied = [each.player for each in scores if each.total == best]
    if len(tied) == len(winners):
        return ""
    others = " and ".join(name for name in tied if name not in winners)
    return f"The tie with {others} is broken by the higher cards."


# ---- how the points add up --------------------------------------------------------------------------------------


def explain(table: Table) -> Iterator[list[list[Part]]]:
    """The parts of every player's lines; each card is a line with one part."""
    for player in table.players:
        yield [[Part(_described(card), card_points(table, card))] for card in counting_cards(table, player)]


def _described(card: TableCard) -> str:
    star = card.card.star
    if card.flipped and card.star is None:
        return f"flipped, star empty: minus {star.low}, the lowest of {star}"
    if card.flipped:
        return f"flipped: minus the {card.star} in its star"
    if len(card.blanks) == 1:
        return f"unfinished: crate {card.blanks[0]} is empty"
    if card.blanks:
        return f"unfinished: crates {listed(list(map(str, card.blanks)))} are empty"
    if card.star is None:
        return "unfinished: the star is empty"
    return f"finished: the {card.star} in its star"


def sums(table: Table) -> Mapping[str, int]:
    """The total of every player, by the id of its field."""
    return {f"{player}.claimed.total": score_of(table, player).total for player in table.players}
