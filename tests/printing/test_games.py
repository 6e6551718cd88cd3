"""Every component of every shipped game, and of the example, on both papers."""

from functools import cache
from io import BytesIO

import pytest
from pypdf import PdfReader

from generator import games, paths, pdf
from generator.geometry.frame import Run, leaves
from generator.printing import press as press_module
from generator.reading.load import load
from generator.reading.sizes import paper
from tests.frame_dumps import dump
from tests.presses import press_of, with_settings

OWN = str(paths.ROOT / "examples" / "lantern_walk")
game_of = cache(load)
PARTS = [(name, part) for name in (*games.SHIPPED, OWN) for part in game_of(name).components]


def press_for(name, part=None, number=1):
    """A press with the standard deck of the game, or with a deck for components that the standard one does not have."""
    return press_of(name, only_drawn(game_of(name), part), number)


def only_drawn(game, name):
    """The code of a set that a component needs; None for a component that needs no set."""
    part = game.components.get(name)
    if part is None or part.kind != "page" or part.cards:
        return None
    codes = [games.new_code(game, "printed", draw_name=what) for what in game.draws]
    return next(code for code in codes if games.deal(game, code).components_of(game)[name].cards)


@cache
def printed(game, part, sheet, folded=True):
    """A component, and the size of its smallest text in points."""
    smallest, paint, press = 100.0, pdf.painted, press_for(game, part)
    with pytest.MonkeyPatch.context() as patch:

        def painted(page, *args):
            nonlocal smallest
            if press.part(part).kind != "booklet":  # cards in figures are smaller
                smallest = min(smallest, *text_sizes([page]))
            return paint(page, *args)

        patch.setattr(press_module.pdf, "painted", painted)
        return with_settings(press, folded=folded).component(part, paper(sheet)), smallest


def text_sizes(pages):
    """The type sizes of all texts on some pages, in points."""
    for frame in {id(placed.frame): placed.frame for page in pages for placed in (*page.placed, *page.notes)}.values():
        for item, (a, b, c, d, _, _) in leaves(frame.items):
            if isinstance(item, Run):
                yield item.size * abs(a * d - b * c) ** 0.5 * 72 / 25.4


ON_PAPER = [
    (name, part, sheet)
    for name, part in PARTS
    for sheet in ("a4", "letter")
    if game_of(name).components[part].kind != "booklet" or (name, sheet) == ("from_the_ground_up", "a4")
]
"""Other booklets are printed, page by page, by tests/booklet/test_full_pages.py."""
OF_EACH_KIND = {
    game_of(name).components[part].kind: (name, part, "a4") for name, part, _ in reversed(ON_PAPER)
}.values()
"""A component of each kind, which is printed twice."""


@pytest.mark.parametrize(("game", "part", "sheet"), ON_PAPER, ids=lambda value: value.rpartition("/")[2])
def test_component_prints(game, part, sheet):
    check(game, part, sheet)
    if (game, part, sheet) in OF_EACH_KIND:
        again = press_for(game, part, 2).component(part, paper(sheet))
        assert again.pdf == printed(game, part, sheet)[0].pdf, "the same input gives other bytes"


def check(game, part, sheet, folded=True):
    component, smallest = printed(game, part, sheet, folded)
    read = PdfReader(BytesIO(component.pdf))
    assert len(read.pages) == component.pages
    assert read.metadata.title.startswith(game_of(game).title)
    assert read.trailer["/Root"]["/ViewerPreferences"]["/PrintScaling"] == "/None"
    assert smallest > 5.99, "no text is smaller than 6 pt"
    for page in read.pages:
        fonts = page.get("/Resources", {}).get("/Font", {})
        for font in fonts.values():
            descriptor = font.get("/DescendantFonts", [font])[0]["/FontDescriptor"]
            assert "/FontFile2" in descriptor, "a font is not embedded"
            assert "+" in descriptor["/FontName"], "a font is not subset"


def test_no_style_lets_texts_shrink_below_6_pt():
    """Not even on set codes, which the tests above do not print. `mark` is for what players write, and `code` shrinks
    only on small cards of your own game: the shipped games have room for it."""
    small = [
        f"{name}: {style}"
        for name in games.SHIPPED
        for style, setting in game_of(name).theme.styles.items()
        for size in (setting.size, setting.floor if style != "code" else None)
        if style != "mark" and (size or 100) < 5.99 * 25.4 / 72
    ]
    assert not small


def test_both_papers_show_the_same_cards():
    press = press_of("from_the_ground_up")
    part = press.game.components["cards"]
    on = {name: press.deck_pages(part, paper(name), "long") for name in ("a4", "letter")}
    assert [len(page.placed) for page in on["a4"]] == [len(page.placed) for page in on["letter"]] == [12, 12]
    for a4, letter in zip(on["a4"], on["letter"], strict=True):
        assert [dump(placed.frame) for placed in a4.placed] == [dump(placed.frame) for placed in letter.placed]


def test_twelve_square_cards_have_measured_positions_on_letter():
    press = press_of("from_the_ground_up")
    front = press.deck_pages(press.game.components["cards"], paper("letter"), "long")[0]
    assert {round(placed.x, 3) for placed in front.placed} == {12.7, 76.2, 139.7}
    assert {round(placed.y, 3) for placed in front.placed} == {9.2, 75.033, 140.867, 206.7}
