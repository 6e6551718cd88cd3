"""What is folded: the nets of dice, tuck boxes and pawns, their panels drawn by faces."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .definitions.models import Card, Component
from .layout import nets as folded
from .layout.frame import Frame
from .layout.net_parts import Net

if TYPE_CHECKING:
    from .press import Press


def pieces(press: Press, part: Component) -> list[Net | Frame]:
    """The nets of a component and of those printed with it, and the fronts of decks among these."""
    found: list[Net | Frame] = list(nets(press, part))
    for other in map(press.part, part.definition.with_):
        found += press.fronts(other) if other.kind == "deck" else nets(press, other)
    return found


def nets(press: Press, part: Component) -> list[Net]:
    """The nets of a component, every copy by itself."""
    if part.kind == "box":
        return [_box(press, part)]
    make = _die if part.kind == "dice" else _pawn
    made = {name: make(press, part, card) for name, card in {card.id: card for card in part.cards}.items()}
    return [made[card.id] for card in part.cards]


def side(press: Press, part: Component, die: Card, number: int) -> Frame:
    """One side (1 to 6) of a die."""
    assert part.size
    edge = part.size.width
    return press.panel(part, part.definition.face[0], (edge, edge), f"die {die.id}, side {number}", die=die,
                       side=number, shown=die.faces[number - 1], edge=edge)


def _die(press: Press, part: Component, die: Card) -> Net:
    assert part.size
    sides = [side(press, part, die, number) for number in range(1, 7)]
    press.step()
    return folded.cube_net(part.size.width, sides, name=f"die {die.id}")


def _pawn(press: Press, part: Component, card: Card) -> Net:
    about = part.definition
    front, back = (press.card(part, card, template) for template in (about.face[0], about.back))
    press.step()
    return folded.pawn_net(front, back, about.base, name=f"pawn {card.id}")


def _box(press: Press, part: Component) -> Net:
    """A tuck box that holds all the cards of its decks."""
    about = part.definition
    trims = [trim for deck in about.decks if (trim := press.part(deck).size)]
    card = max(trim.width for trim in trims), max(trim.height for trim in trims)
    count = sum(len(press.deck.cards[deck]) for deck in about.decks)
    box = folded.tuck_box_size(card, count, about.stock, clearance=about.clearance)
    sizes = folded.panel_sizes(box.width, box.height, box.depth)
    panels = {panel: press.panel(part, template, sizes[panel], f"{part.name}, {panel}", panel=panel,
                                 width=sizes[panel][0], height=sizes[panel][1])
              for panel, template in about.panels.items()}
    press.step()
    return folded.box_net(box.width, box.height, box.depth, panels, name=part.name)
