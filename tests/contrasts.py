"""The contrast of texts and outlines with what lies behind them."""

from typing import NamedTuple

from generator.geometry.frame import Run
from generator.printing.variants import Colours, Grounds, _seen, fields


class Text(NamedTuple):
    """A text, its colour, and its ground."""

    run: Run
    colour: str
    ground: Colours


class Outline(NamedTuple):
    """The outline of a field: its colour, and what is inside and outside it."""

    slot: str
    colour: str
    inside: Colours
    outside: Colours


def texts(frame, icons):
    """The texts of a frame; `icons` are the folders of its icons."""
    for sign in Grounds(frame, icons).signs():
        if isinstance(sign.item, Run) and not sign.item.outline:
            yield Text(sign.item, sign.item.colour[:7], sign.ground)


def outlines(frame, icons):
    """The outlines of the fields of a score sheet, those that are drawn around them."""
    grounds = Grounds(frame, icons)
    for slot, area in fields(grounds, frame):
        yield Outline(slot.id, area.stroke, *grounds.sides(area))


def ground_at(grounds, point):
    """What can be seen at a point."""
    return _seen(grounds._over(point, len(grounds.areas)))
