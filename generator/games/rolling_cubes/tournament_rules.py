"""The rules of the tournament sheet."""

from __future__ import annotations

from collections.abc import Iterator

from ..legacy import Breach
from .book import TOURNAMENT, book
from .tournament import GamePlayed, Tournament


@book.rule("games-complete", source="rulebook, the tournament", sheets=TOURNAMENT)
def the_games_are_played_in_their_order(played: Tournament) -> Iterator[Breach]:
    """The three games are played one after another, and everybody plays in all of them."""
    begun = [bool(game.reached) for game in played.games]
    for number, game in enumerate(played.games):
        if game.reached and game.missing:
            names = " and ".join(map(played.name, game.missing))
            yield f"{names} {'has' if len(game.missing) == 1 else 'have'} no points in {game.label}", game.id
        elif not game.reached and any(begun[number:]):
            yield f"{game.label} is blank, but a later game is not", game.id


@book.rule("one-winner", source="rulebook, the tournament; R24", sheets=TOURNAMENT)
def every_game_has_one_winner(played: Tournament) -> Iterator[Breach]:
    """Every game has a single winner; only other places are shared."""
    for game in _over(played):
        if len(game.first) > 1:
            yield f"{' and '.join(map(played.name, game.first))} share the best result of {game.label}", \
                *(f"{game.id}.{player}" for player in game.first)


@book.rule("target-reached", source="rulebook, the tournament; R13, R24", sheets=TOURNAMENT)
def the_winner_has_reached_the_target(played: Tournament) -> Iterator[Breach]:
    """The winner of a game has reached its target in the tournament, which is the same for two players as for more."""
    for game in _over(played):
        reached, target = max(game.reached.values()), played.target(game)
        if reached < target:
            yield f"{game.label} is won with {reached}, but it goes on until {target} are reached", \
                f"{game.id}.{game.first[0]}"


@book.rule("played-on", source="rulebook, the tournament; R25", severity="warning", sheets=TOURNAMENT)
def the_last_die_ends_at_its_target(played: Tournament) -> Iterator[Breach]:
    """A round of the last die brings one point, so the game ends with exactly its target."""
    for game in _over(played):
        reached, target = max(game.reached.values()), played.target(game)
        if game.name == "last-die" and reached > target:
            yield f"{game.label} is won with {reached}, but it ends when somebody has {target}", \
                f"{game.id}.{game.first[0]}"


@book.rule("claimed-awarded", source="rulebook, the tournament; R11", sheets=TOURNAMENT)
def the_points_for_places_are_right(played: Tournament) -> Iterator[Breach]:
    """Where a player wrote the points for a game, they are those of the place."""
    for game in played.games:
        for player in played.players:
            claimed, points = played.sheet.number(f"awarded.{game.name}.{player}"), played.points_of(game, player)
            if claimed is not None and claimed != points:
                yield f"{played.name(player)} claims {claimed}, but {game.label} brings {points}", \
                    f"awarded.{game.name}.{player}"


def _over(played: Tournament) -> Iterator[GamePlayed]:
    """The games with a number for everybody."""
    return (game for game in played.games if game.reached and not game.missing)
