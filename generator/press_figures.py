"""Figures of a booklet: cards, dice and pictures drawn by the same faces as the things themselves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING, Any, cast

from . import press_nets
from .definitions.models import Card
from .definitions.nodes import Node
from .definitions.plain import plain
from .errors import did_you_mean, fault
from .layout.frame import Frame

if TYPE_CHECKING:
    from .booklet.figures import CardFile, FigureFile, PictureFile
    from .press import Press

Wanted = tuple[str, str | None]
"""The side a die shows, and its colour where that matters."""


def pieces(press: Press, wanted: FigureFile) -> list[Frame]:
    """The pieces of a figure, from left to right."""
    if wanted.dice:
        return _thrown(press, wanted)
    if wanted.faces:
        return [_picture(press, picture) for picture in wanted.faces]
    return [_card(press, card) for card in wanted.cards]


def _card(press: Press, wanted: CardFile) -> Frame:
    part = press.part(wanted.component)
    cards = {card.id: card for card in part.cards}  # the standard ones: examples hold for no random set
    if wanted.card not in cards:
        raise fault(f"a figure shows card “{wanted.card}”, which is not in {wanted.component}",
                    hint=did_you_mean(wanted.card, cards))
    template = part.definition.back if wanted.back else part.definition.face[0]
    return press.card(part, cards[wanted.card], template, wanted.marks or {})


def _picture(press: Press, wanted: PictureFile) -> Frame:
    shows: Any = plain(cast(Node, wanted.shows)) if wanted.shows else {}
    return press.picture(wanted.face, (wanted.size.width, wanted.size.height), shows)


def _thrown(press: Press, wanted: FigureFile) -> list[Frame]:
    part = next((one for one in press.given.components.values() if one.kind == "dice"), None)
    if part is None:
        raise fault("a figure shows dice, but the game has none")
    if len(wanted.colours) > len(wanted.dice):
        raise fault(f"a figure names {len(wanted.colours)} colours for {len(wanted.dice)} dice")
    sides = list(zip_longest(wanted.dice, wanted.colours))
    dice = _assigned(sides, part.cards)
    if dice is None:
        raise fault(f"a figure shows {' '.join(wanted.dice)}, which the dice cannot show")
    return [press_nets.side(press, part, die, die.faces.index(shown) + 1)
            for die, (shown, _) in zip(dice, sides, strict=True)]


def _assigned(sides: Sequence[Wanted], dice: Sequence[Card]) -> list[Card] | None:
    """A die for each side, none used twice; None where there is no such choice. Augmenting paths: a die that is
    taken moves on to another side's die where that helps."""
    taken: dict[int, int] = {}

    def place(side: int, tried: set[int]) -> bool:
        for number, die in enumerate(dice):
            if number not in tried and _can_show(die, sides[side]):
                tried.add(number)
                if number not in taken or place(taken[number], tried):
                    taken[number] = side
                    return True
        return False

    if not all(place(side, set()) for side in range(len(sides))):
        return None
    return [dice[number] for number, _ in sorted(taken.items(), key=lambda pair: pair[1])]


def _can_show(die: Card, wanted: Wanted) -> bool:
    shown, colour = wanted
    return shown in die.faces and colour in (None, die.values.get("colour"))
