"""What a cut that strays by 0.7 mm leaves on a card: nothing of its neighbours, and no mark."""

from __future__ import annotations

from random import Random

import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import ImageChops

from generator import games, paths
from generator.geometry import outlines
from generator.geometry.frame import (
    Frame,
    Group,
    Icon,
    Image,
    Page,
    Placed,
    Shape,
)
from generator.model.game import Theme
from generator.pages.nup import deck_pages
from generator.pages.seams import border, seams
from generator.pdf import Info, write
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.presses import press_of

THEME = Theme({}, {"regular": paths.SHARED_DATA / "fonts" / "Lato-Regular.ttf"}, {}, ())
SCALE = 3
"""Pixels to a millimetre."""
ASTRAY = 0.7
VISIBLE = 40
"""By how much of 255 a colour must differ to be foreign, on strips that are partly one pixel wide."""


def pictures(pages, theme):
    document = pypdfium2.PdfDocument(write(pages, theme, info=Info(title="seams")))
    try:
        return [page.render(scale=SCALE * 25.4 / 72).to_pil().convert("RGB") for page in document]
    finally:
        document.close()


def alone(page: Page):
    """Four pages with a quarter of the cards each, none beside another one, with all of their bleed and no marks
    except borders."""
    columns, rows = (sorted({round(card.x if i == 0 else card.y, 3) for card in page.placed}) for i in (0, 1))
    borders = tuple(mark for mark in page.marks if mark.even_odd)
    for down in 0, 1:
        for across in 0, 1:
            chosen = tuple(
                replace(card, clip=(card.frame.bleed,) * 4)
                for card in page.placed
                if columns.index(round(card.x, 3)) % 2 == across and rows.index(round(card.y, 3)) % 2 == down
            )
            if chosen:
                yield chosen, Page(page.width, page.height, chosen, borders)


def foreign(pages, theme) -> list[str]:
    """The cards that a cut 0.7 mm off leaves with a foreign colour."""
    quarters = [(number, *quarter) for number, page in enumerate(pages) for quarter in alone(page)]
    seen = pictures([*pages, *(page for _, _, page in quarters)], theme)
    names = []
    for (number, cards, _), own in zip(quarters, seen[len(pages) :], strict=True):
        for card in cards:
            box = outlines.Rect(card.x, card.y, *card.box).grown(*[ASTRAY] * 4)
            pixels = tuple(round(edge * SCALE) for edge in (box.x, box.y, box.right, box.bottom))
            differing = ImageChops.difference(seen[number].crop(pixels), own.crop(pixels))
            if max(high for _, high in differing.getextrema()) > VISIBLE:
                names.append(f"{card.frame.name} on {pages[number].label}")
    return names


DECKS = [(key, name) for key in games.SHIPPED for name, part in load(key).components.items() if part.kind == "deck"]


@pytest.mark.parametrize(("key", "deck"), DECKS)
def test_a_cut_that_strays_leaves_no_foreign_colour_on_shipped_cards(key, deck):
    press = press_of(key)
    for on, part in (("a4", slice(0, 2)), ("letter", slice(-2, None))):
        pages = press.deck_pages(press.part(deck), paper(on), "long")[part]
        assert not foreign(pages, press.theme)


def art(random: Random, width: float, height: float, kind: str):
    """Art that reaches the edges of a card with a bleed of 2 mm."""
    whole = -2, -2, width + 4, height + 4
    colours = [f"#{random.randrange(1 << 24):06x}" for _ in range(6)]
    yield Shape(outlines.rect(*whole), colours[0])
    if kind == "bands":
        yield Shape(outlines.rect(-2, height * 0.7, width + 4, height * 0.3 + 2), colours[1])
    elif kind == "blobs":
        for colour in colours[1:]:
            x, y = random.uniform(-9, width), random.uniform(-9, height)
            yield Shape(outlines.ellipse(x, y, random.uniform(5, 30), random.uniform(5, 30)), colour)
    elif kind == "glass":
        box = outlines.rect(-2, random.uniform(5, 30), width + 4, 12)
        yield Group((Shape(box, colours[1]), Shape(outlines.line(0, 0, width, height), stroke=colours[2])), 0.5)


@pytest.mark.parametrize("kind", ["plain", "bands", "blobs", "glass"])
def test_a_cut_that_strays_leaves_no_foreign_colour_on_cards_with_any_art(kind):
    random = Random(kind)
    for on, size in ("letter", (63.5, 88.9)), ("a4", (66, 94)), ("a4", (50, 50)), ("a5", (74, 105)):
        same = random.choice([True, False])
        faces = [
            Frame(f"{side} {number}", *size, tuple(art(Random(kind) if same else random, *size, kind)), 2.0, 3.0)
            for side in ("front", "back")
            for number in range(7)
        ]
        pages = deck_pages(faces[:7], faces[7:], paper(on), duplex="long", margin=4.2)
        assert not foreign(pages[:2], THEME), (on, size, same)


def test_without_gutters_a_cut_that_strays_does_leave_a_foreign_colour():
    faces = [Frame(f"card {n}", 60, 80, (filled(f"#{n * 4}01080"),), 2.0, 3.0) for n in range(4)]
    assert len(foreign(deck_pages(faces, None, paper("a4"), gutter=0, duplex="none", margin=4.2), THEME)) == 4


# ---- what is seen at the edges


def card(*items, width=60.0, height=80.0):
    return Frame("card", width, height, items, 2.0, 3.0)


def filled(colour, x=-2.0, y=-2.0, width=64.0, height=84.0):
    return Shape(outlines.rect(x, y, width, height), colour)


def agree(*cards_):
    found = seams(cards_, ())
    return found.across, found.down, found.turned_across, found.turned_down


def test_edges_of_one_colour_are_alike_and_so_are_similar_ones():
    assert agree(card(filled("#102040")), card(filled("#102040"), filled("#ff0000", 5, 5, 20, 20))) == (True,) * 4
    assert agree(card(filled("#102040")), card(filled("#142444"))) == (True,) * 4
    assert agree(card(filled("#102040")), card(filled("#702040"))) == (False,) * 4
    assert agree(card(), card()) == (True,) * 4, "blank paper"


def test_a_band_at_the_foot_meets_another_if_rows_are_turned():
    banded = card(filled("#ffffee"), filled("#503010", y=60))
    assert agree(banded, banded) == (True, False, False, True)
    corner = card(filled("#ffffee"), filled("#503010", x=40, y=60))
    assert agree(corner, corner) == (False,) * 4
    side = card(filled("#ffffee"), filled("#503010", width=12))
    assert agree(side) == (False, True, True, False)


def test_what_lies_below_other_art_or_beyond_the_trim_is_not_seen():
    covered = card(filled("#ff0000"), filled("#102040"), filled("#00ff00", x=-2, width=1.9))
    assert agree(covered, card(filled("#102040"))) == (True,) * 4


def test_glass_mixes_colours_and_pictures_may_have_any():
    glass = Group((filled("#ffffff", width=20),), opacity=0.5)
    assert agree(card(filled("#000000"), glass))[0] is False
    assert agree(card(filled("#000000"), replace(glass, opacity=0.05)))[0] is True
    assert agree(card(Image("any.png", -2, -2, 64, 84))) == (False,) * 4
    assert agree(card(Image("any.png", 3, 3, 54, 74))) == (True,) * 4


@pytest.mark.parametrize(("safe", "width"), [(0, 1), (3, 2)])
def test_borders_leave_a_third_of_the_safe_margin(safe, width):
    path = border(Placed(replace(card(), safe=safe), 0, 0))
    assert outlines.bounds(path[5:])[:2] == (width, width)


def test_borders_have_the_colour_of_the_ground_behind_drawings():
    drawn = card(filled("#102040"), Icon("scales", -2, -2, 64, 84, "#ffd000"))
    assert seams([drawn], ()).front == "#102040"
    assert seams([card(Icon("scales", -2, -2, 64, 84, "#ffd000"))], ()).front == "#ffffff"


def test_borders_have_the_colour_of_most_edges_or_their_mean_or_white():
    def common(*colours):
        return seams([card(filled(colour)) for colour in colours], ()).front

    assert seams([card(filled("#102040")), card(filled("#102040"), filled("#d00000", y=70))], ()).front == "#102040"
    assert common("#100000", "#300000") == "#200000"
    assert common("#100000", "#300000", "#ffd000") == "#200000", "of most, though not of all"
    assert common("#102040", "#d00000") == "#ffffff"
