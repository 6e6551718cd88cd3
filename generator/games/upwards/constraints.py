"""Whether strips keep their recipe; asks nothing of the way they are thrown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...codes import SetCode
from ...definitions.models import Card, Game
from ..deck import Deck


def broken(game: Game, deck: Deck, code: SetCode) -> list[str]:
    """What the strips of a deck break of the recipe of their code, in words; empty where they keep all of it."""
    asked: Mapping[str, Any] = game.sets["recipes"][code.recipe]
    pages = deck.components["strip"].cards
    by_player: dict[str, list[Card]] = {}
    for page in pages:
        by_player.setdefault(page.id.partition(".")[0], []).append(page)
    wrong = [f"there are {len(by_player)} strips instead of {asked['strips']}"] * (len(by_player) != asked["strips"])
    for player, own in by_player.items():
        wrong += [f"strip {player}: {one}" for one in _wrong_strip(own, asked)]
    return [*wrong, *_wrong_challenge(pages, asked)]


def _wrong_strip(pages: Sequence[Card], asked: Mapping[str, Any]) -> Iterator[str]:
    throws = [throw for page in pages for throw in page.throws]
    if [number for number, _ in throws] != list(range(1, asked["rounds"] + 1)):
        yield f"the throws are not numbered from 1 to {asked['rounds']}"
    for number, (dice, event) in throws:
        if len(dice) != asked["dice"] or not set(dice) <= set(asked["die"]):
            yield f"throw {number} shows {' '.join(map(str, dice))}"
        if event not in asked["event"]:
            yield f"throw {number} shows the event “{event}”"


def _wrong_challenge(pages: Sequence[Card], asked: Mapping[str, Any]) -> Iterator[str]:
    task = asked.get("challenge")
    for page in pages:
        option, targets = (task["option"], list(task["targets"])) if task else ("", [])
        if page.option != option or list(page.targets) != targets:
            yield f"page {page.id} does not say what the challenge is"
        if list(page.targets.values()) != sorted(set(page.targets.values())):
            yield f"the targets on page {page.id} do not rise"
