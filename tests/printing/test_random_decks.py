"""Decks of random templates: the shortest route to a card gives the same frames and bytes as the plain one."""

import pytest
from msgspec.structs import replace

from generator import games, paths
from generator.geometry.frame import ungrouped
from generator.pdf import Info, write
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.trials import seeds

if not (paths.ROOT / "benchmarks").is_dir():
    pytest.skip("benchmarks are not installed", allow_module_level=True)

from benchmarks import deck

CARDS = 10


def apart(page):
    """The page with the items of each frame one by one and no repeated frames."""
    frames = [replace(placed.frame, items=tuple(ungrouped(placed.frame.items))) for placed in page.placed]
    return replace(
        page, placed=tuple(replace(placed, frame=frame) for placed, frame in zip(page.placed, frames, strict=True))
    )


@seeds(4)
def test_both_routes_give_the_same_cards(seed, tmp_path):
    kind = "random" if seed else "art"
    game = load(deck.write(kind, tmp_path / str(seed), CARDS, seed))
    usual, plain = (Press(game, games.deal(game)) for _ in range(2))
    plain.side = plain.card
    pages = [[*map(apart, press.deck_pages(press.part("cards"), paper("a4"), "long"))] for press in (usual, plain)]
    assert pages[0] == pages[1]
    usual_pdf, plain_pdf = (write(made, usual.theme, info=Info(title="D")) for made in pages)
    assert usual_pdf == plain_pdf
