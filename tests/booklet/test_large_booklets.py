"""Booklets in large print: no text of their own is smaller than 14 pt, and no page is a quarter empty.

What is printed on the components in their pictures may be; captions and the text say what it is."""

from collections.abc import Iterable, Iterator

import pytest
from msgspec.structs import replace

from generator import games
from generator.booklet import booklet
from generator.geometry.frame import Frame, Group, Item, Run
from generator.model.print_settings import PrintSettings
from generator.printing import pieces
from generator.printing.game_faces import GameFaces
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.text.lines import POINT

GAMES = (
    "rolling_cubes",
    "from_the_ground_up",
    "elevator_up",
    "upwards",
    "cosmic_consequences",
    "examples/harbour_lights",
)


def type_sizes(items: Iterable[Item], scale: float = 1.0) -> Iterator[tuple[float, str]]:
    """The type size (pt) and the text of every run."""
    for item in items:
        if isinstance(item, Group):
            a, b = item.transform[:2]
            yield from type_sizes(item.items, scale * (a * a + b * b) ** 0.5)
        elif isinstance(item, Run) and item.text.strip():
            yield round(item.size * scale / POINT, 2), item.text


def without_items(frame: Frame) -> Frame:
    return replace(frame, items=())


@pytest.fixture
def without_components(monkeypatch):
    """Components in the pictures of booklets have no texts."""
    cards, boards, picture, dice = pieces._card, GameFaces.board, GameFaces.picture, pieces._dice_showing

    def shown(faces, template, size, shows, least_type=0.0, **more):
        frame = picture(faces, template, size, shows, least_type, **more)
        return frame if least_type else without_items(frame)

    monkeypatch.setattr(pieces, "_card", lambda faces, file: without_items(cards(faces, file)))
    monkeypatch.setattr(pieces, "_dice_showing", lambda *args: [without_items(frame) for frame in dice(*args)])
    monkeypatch.setattr(GameFaces, "board", lambda faces, part: without_items(boards(faces, part)))
    monkeypatch.setattr(GameFaces, "picture", shown)
    monkeypatch.setattr(Press, "sheet", lambda *_: [Frame("", 100.0, 140.0, ())] * 4)


@pytest.fixture
def fills(monkeypatch):
    """How full each page of text is."""
    found, best_pages = [], booklet.best_pages

    def recorded(*args):
        pages = best_pages(*args)
        found.extend(max(y + item.height(width) for item, y, width in page) / booklet.COLUMN[1] for page in pages)
        return pages

    monkeypatch.setattr(booklet, "best_pages", recorded)
    return found


@pytest.mark.parametrize(
    ("name", "size"), [*((name, "a4") for name in GAMES), *((name, "letter") for name in games.SHIPPED)]
)
def test_booklets_in_large_print_have_full_pages_and_no_text_smaller_than_14_pt(name, size, without_components, fills):
    game = load(name)
    press = Press(game, games.deal(game), PrintSettings(large_print=True))
    pages, _ = press.book(game.components["rules"], paper(size))
    found = [run for page in pages for placed in page.placed for run in type_sizes(placed.frame.items)]
    assert len(found) > 30 and [run for run in found if run[0] < 14] == []
    assert name not in games.SHIPPED or min(fills) > 0.75, [round(fill, 2) for fill in fills]
