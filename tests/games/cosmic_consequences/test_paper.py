"""The printed parts: the board and its cards, the tiles of the board, pawns, the die and the booklet."""

from collections import Counter

import pytest
from msgspec.structs import replace

from generator.geometry.frame import Group, Icon, Run, Shape
from generator.geometry.outlines import Rect
from generator.layout.flaws import box_of
from generator.pages.assembly import fold
from generator.printing import pieces
from generator.printing.press import Press
from generator.reading.board_graph import reachable
from generator.reading.sizes import paper
from tests.page_texts import page_texts
from tests.presses import press_of, with_settings

REGIONS = ("is", "em", "weak", "hd", "bh", "ap")


@pytest.fixture(scope="module")
def press():
    return press_of("cosmic_consequences")


@pytest.fixture(scope="module")
def board(press):
    return press.game.components["board"].board


def test_the_board_has_all_spaces(board):
    expected = {
        "big-bang",
        *(f"first-{n}" for n in (1, 2, 3)),
        *(f"{r}-{n}" for r in REGIONS for n in range(1, 7)),
        *(f"{side}-{n}" for side in ("left", "right") for n in range(1, 9)),
        "left-centre",
        "right-centre",
    }
    assert set(board.spaces) == expected


def test_every_region_has_four_number_spaces_with_their_cards(board, press):
    cc = {space.id: space for space in board.spaces.values() if space.kind == "cc"}
    assert Counter(space.region for space in cc.values()) == dict.fromkeys(REGIONS, 4)
    cards = {card.id: card for card in press.deck.cards["cards"] if card.suit != "zero"}
    bound = {space.values["card"]: name for name, space in cc.items()}
    assert bound == {name: card.space for name, card in cards.items()}
    assert all(board.spaces[card.space].region == card.region for card in cards.values())


def test_the_deck_has_two_suits_and_two_zero_cards(press):
    cards = press.deck.cards["cards"]
    assert sorted(card.number for card in cards if card.suit == "dragon") == list(range(1, 13))
    assert sorted(card.number for card in cards if card.suit == "tiger") == list(range(-12, 0))
    assert [card.number for card in cards if card.suit == "zero"] == [0, 0]


def test_every_space_and_region_can_be_reached(board):
    reached = reachable("big-bang", board.edges)
    assert reached == set(board.spaces)
    assert {board.spaces[name].region for name in reached} >= set(REGIONS)


def test_a_lap_leads_through_all_regions_and_back(board):
    at, lap = "first-1", []
    for _ in range(39):
        lap.append(at)
        at = next(space for space in board.steps(at) if space not in lap and not space.startswith(("left", "right")))
    assert at == "big-bang"
    assert lap == ["first-1", "first-2", "first-3", *(f"{region}-{n}" for region in REGIONS for n in range(1, 7))]


def test_holes_are_opposite_each_other(board):
    for side in ("left", "right"):
        numbers = {
            space.kind: int(name.rpartition("-")[2])
            for name, space in board.spaces.items()
            if space.region == side and space.kind.startswith("hole")
        }
        assert abs(numbers["hole-white"] - numbers["hole-black"]) == 4


@pytest.mark.parametrize(("name", "pages"), [("a4", 4), ("letter", 4), ("a3", 1), ("a2", 1)])
def test_no_space_or_word_lies_across_a_seam(press, board, name, pages):
    part = press.game.components["board"]
    tiled = [page for page in press.pages(part, paper(name)) if page.placed]
    assert len(tiled) == pages
    if pages == 1:
        return
    frame = tiled[0].placed[0].frame
    windows = []
    for page in tiled:
        (placed,) = page.placed
        left, top, right, bottom = placed.clip
        windows.append((-left, -top, frame.width + right, frame.height + bottom))
    from generator.art.board_plan import lay_out

    places = {
        space.id: Rect(space.x - space.size / 2, space.y - space.size / 2, space.size, space.size)
        for space in lay_out(board).spaces.values()
    }
    places |= {f"“{run.text}”": box_of(run) for run in frame.items if isinstance(run, Run)}
    for what, place in places.items():
        assert any(
            x0 <= place.x and place.right <= x1 and y0 <= place.y and place.bottom <= y1 for x0, y0, x1, y1 in windows
        ), f"{what} lies across a seam"


def test_no_star_lies_under_a_word_of_the_board(press):
    frame = press.board(press.game.components["board"])
    stars = [shape for shape in frame.items if isinstance(shape, Shape) and len(shape.path) > 300]
    corners = [segment[-2:] for star in stars for segment in star.path if len(segment) > 2]
    words = [box_of(item) for item in frame.items if isinstance(item, Run)]
    assert len(stars) == 2
    assert len(words) > 100
    assert not [(x, y) for x, y in corners for box in words if box.holds(Rect(x, y, 0, 0))]


@pytest.mark.parametrize("bleed", [2.0, 3.0, 3.175, 5.0])
def test_the_art_of_cards_covers_any_bleed(press, bleed):
    part = press.game.components["cards"]
    wider = replace(part, definition=replace(part.definition, bleed=bleed))
    press = Press(replace(press.game, components={**press.game.components, "cards": wider}), press.deck)
    whole = Rect(-bleed, -bleed, part.size.width + 2 * bleed, part.size.height + 2 * bleed)
    cards = {card.id: card for card in part.cards}
    for card, template in (("dragon-1", "number"), ("tiger-1", "number"), ("zero-1", "cc"), ("dragon-3", "cc")):
        items = press.card(wider, cards[card], template).items
        inner = [part for item in items for part in (item.items if isinstance(item, Group) else [item])]
        art = [item for item in inner if isinstance(item, Icon) and item.name.startswith("art-")]
        assert [Rect(icon.x, icon.y, icon.width, icon.height).grown(*[0.001] * 4).holds(whole) for icon in art] == [
            True
        ]


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_pieces_and_their_box_share_a_page_and_fold(press, name):
    part = press.game.components["pawns"]
    assert len(press.pages(part, paper(name))) == 1
    nets = [net for net in pieces.net_pieces(press, part)]
    assert len(nets) == 8
    assert all(fold(net) for net in nets)
    assert len(press.pages(press.game.components["box"], paper(name))) == 1


def test_the_booklet_shows_the_whole_board(press, board):
    """Across the two pages in the middle, with every value and every region."""
    pages = page_texts(with_settings(press, folded=False).component("rules", paper("a4")).pdf)
    text = pages[len(pages) // 2]
    values = [space.label for space in board.spaces.values() if space.kind == "cc"]
    assert {value: text.count(value.replace("-", "−")) > 0 for value in values} == dict.fromkeys(values, True)
    assert all(word in text for word in ("Intergalactic", "Electromagnetic", "Weak", "Hidden", "Anthropic"))
