"""Dice, pawns and boxes of any form as print shops want them: each net flat on a page of its own, with the die lines of
its cuts and folds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

from ..fast_dataclasses import dataclass
from ..geometry.frame import Frame, Page
from ..geometry.outlines import Matrix, Path, Segment, line, transformed
from ..model.game import Component
from ..model.values import Size
from ..pages.cut_paths import CUT as THROUGH
from ..pages.cut_paths import lines
from ..pages.nets import SPREAD, Net
from .canvas import canvas
from .flatten import Flattener
from .pdfx import CREASE, CUT, Dies
from .sides import Order, Piece, press_for

KINDS = ("box", "dice", "pawns")
"""Kinds of components that are cut out, folded and glued."""
_BESIDE = 5.0
"""The paper beside the bleed of a net, in mm."""


@dataclass(frozen=True, slots=True)
class FlatNets:
    """The nets of a component: a piece for each one that differs, and the nets of all copies in their order."""

    pieces: tuple[Piece, ...]
    nets: tuple[Net, ...]


def is_net(order: Order, part: Component) -> bool:
    """Whether a component goes to this target as nets. A service with dice of its own wants their sides."""
    folded = part.kind == "box" or (part.kind in KINDS and not order.target.products_for(part.kind))
    return folded and order.target.definition.cut_lines


def flat_nets(order: Order, part: Component) -> FlatNets:
    """Draws the nets of a component. Raises InputError with the problems of their faces."""
    from ..printing import pieces as printed  # few games have nets

    press = press_for(order, part, order.target.definition.bleed)
    part = press.part(part.name)
    nets = printed.nets(press, part)
    ids = [card.id for card in part.cards] or [""]
    copies, first = Counter(ids), dict(zip(reversed(ids), reversed(nets), strict=True))
    pieces = tuple(_piece(order, part, name, n, copies[name], first[name]) for n, name in enumerate(copies, start=1))
    return FlatNets(pieces, tuple(nets))


def _piece(order: Order, part: Component, name: str, number: int, copies: int, net: Net) -> Piece:
    """A net as the list of all cards has it."""
    where = canvas(part, Size(net.width, net.height), order.target)
    return Piece(
        part, name, name or part.definition.title, number, copies, where, Frame(net.name, net.width, net.height, ())
    )


def pages(nets: FlatNets, flattener: Flattener, bleed: float, dies: list[Dies]) -> Iterator[Page]:
    """A page for each net, without transparency; adds the die lines of each to the list."""
    drawn: dict[int, Page] = {}
    for net in nets.nets:
        if id(net) not in drawn:
            drawn[id(net)] = _page(net, flattener, bleed)
        aside = _BESIDE + bleed
        dies.append(Dies(die_lines(net, aside), (aside, aside, net.width, net.height), bleed))
        yield drawn[id(net)]


def _page(net: Net, flattener: Flattener, bleed: float) -> Page:
    aside = _BESIDE + bleed
    placed = tuple(
        replace(
            each, frame=flattener.flat(each.frame), x=each.x + aside, y=each.y + aside, clip=_wider(each.clip, bleed)
        )
        for each in net.placed
    )
    return Page(net.width + 2 * aside, net.height + 2 * aside, placed, label=net.name, cut=True)


def die_lines(net: Net, aside: float) -> dict[str, Path]:
    """The cuts and the folds of a net by their spot colours, `aside` mm from the left and upper edge of the page."""
    at: Matrix = (1.0, 0.0, 0.0, 1.0, aside, aside)
    folds = tuple(segment for fold in net.folds for segment in line(*fold.start, *fold.end))
    return {CUT: tuple(_cuts(net, at)), CREASE: transformed(folds, at)}


def _cuts(net: Net, at: Matrix) -> Iterator[Segment]:
    """The outline of a net, each line once, joined wherever lines meet."""
    for cut in lines(net.cuts[-1].path, at, THROUGH):
        for number, vertex in enumerate(cut.vertices):
            yield "L" if number else "M", vertex.x, vertex.y
        if cut.closed:
            yield ("Z",)


def _wider(clip: tuple[float, float, float, float], bleed: float) -> tuple[float, float, float, float]:
    """The bleed of a face of a net: as wide as the shop wants it where it is as wide as nets have it."""
    left, top, right, bottom = (bleed if side >= SPREAD - 0.01 else side for side in clip)
    return left, top, right, bottom
