"""Every deck of every game: each back is behind its front, in every duplex mode and on both papers."""

import pytest

from generator import games
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.presses import press_of

DECKS = [
    (key, name)
    for key in games.SHIPPED
    for name, part in load(key).components.items()
    if part.kind == "deck" and part.definition.back
]


def box(placed):
    return tuple(
        round(length, 6) for length in (placed.x, placed.y, placed.x + placed.box[0], placed.y + placed.box[1])
    )


def mirrored(placed, page, mode):
    """The position of a back, seen from the front, after the page is turned over."""
    x0, y0, x1, y1 = box(placed)
    portrait = page.width <= page.height
    if (mode == "long") == portrait:
        return tuple(round(length, 6) for length in (page.width - x1, y0, page.width - x0, y1))
    return tuple(round(length, 6) for length in (x0, page.height - y1, x1, page.height - y0))


@pytest.mark.parametrize("mode", ["long", "short"])
@pytest.mark.parametrize("name", ["a4", "letter"])
@pytest.mark.parametrize(("key", "deck"), DECKS)
def test_backs_are_behind_their_fronts(key, deck, name, mode):
    press = press_of(key)
    part = press.part(deck)
    fronts = [frame.name for other in (part, *map(press.part, part.definition.with_)) for frame in press.fronts(other)]
    pages = press.deck_pages(part, paper(name), mode)
    backs = []
    for front, back in zip(pages[::2], pages[1::2], strict=True):
        behind = {mirrored(placed, back, mode): placed.frame for placed in back.placed}
        assert set(behind) == set(map(box, front.placed))
        one_for_all = len(set(map(id, behind.values()))) == 1
        assert one_for_all or all(behind[box(placed)].name == placed.frame.name for placed in front.placed)
        backs += [placed.frame.name for placed in front.placed]
    assert backs == fronts
