"""The pages of the shipped booklets: how full they are, and what is printed on them."""

import re
from io import BytesIO

import pypdfium2
import pytest
import yaml
from PIL import ImageOps
from pypdf import PdfReader

from generator import games
from generator.booklet import booklet
from generator.booklet.booklet import COLUMN, half
from generator.booklet.figures import figure as read_figure
from generator.booklet.markdown import Figure, InlineText, RulesSource, blocks, typographic
from generator.booklet.pages import CAPTION_WIDTH, LEAST_FILL
from generator.booklet.setting import Typesetter
from generator.reading.sizes import paper
from generator.text.words import cut, stretches
from tests.page_texts import page_texts
from tests.presses import press_of
from tests.printing.test_games import check, printed

SCALE = 0.5


def pages_of(key, size):
    """The booklet page by page."""
    return printed(key, "rules", size, folded=False)[0].pdf


def fills(pdf, size):
    """How full the column of each page is, between the highest and the lowest of what is printed there."""
    _, height = half(paper(size))
    top = (height - COLUMN[1]) / 2 - 2
    document = pypdfium2.PdfDocument(pdf)
    try:
        for page in document:
            picture = page.render(scale=SCALE).to_pil().convert("L")
            unit = picture.height / height
            column = picture.crop((0, int(top * unit), picture.width, int((top + COLUMN[1] + 1) * unit)))
            box = ImageOps.invert(column).point(lambda shade: 255 * (shade > 60)).getbbox()
            yield box[3] / (COLUMN[1] * unit) if box else 0.0
    finally:
        document.close()


@pytest.mark.parametrize(("key", "size"), [*((key, "a4") for key in games.SHIPPED), ("from_the_ground_up", "letter")])
def test_the_pages_are_full(key, size):
    """On both papers, pages have columns of one size, and break at the same words."""
    if size == "a4":
        check(key, "rules", size, folded=False)
    pdf = pages_of(key, size)
    found = list(fills(pdf, size))
    assert min(found) >= LEAST_FILL, [round(fill, 2) for fill in found]
    pages = PdfReader(BytesIO(pdf)).pages
    wide = [number for number, page in enumerate(pages) if page.mediabox.width > 1.5 * pages[0].mediabox.width]
    assert wide == [len(pages) // 2], "the spread is in the middle"
    assert (len(pages) + 1) % 4 == 0, "all pages of the sheets are in use"


def words(key, size):
    """The words of each page."""
    return [text.split() for text in page_texts(pages_of(key, size))]


def test_page_breaks_are_the_same_on_both_papers():
    assert words("from_the_ground_up", "a4") == words("from_the_ground_up", "letter")


def test_numbers_come_from_yaml_and_examples_from_cards():
    text = " ".join(word for page in words("from_the_ground_up", "a4") for word in page)
    assert "the 12 cards" in text
    assert "totals:" not in text and "crates:" not in text, "checks are not printed"
    assert "6 2 12" in text, "six players, two cards each, twelve in the game"
    assert "6 5 4 2" in text, "card 4 as it is written on in the example"


TYPED = r"['\"]|(?<![\w–-])-\d|\b\d+-\d+\b|\.\.\.| - "
"""What is typed instead of apostrophes, quotation marks, minus signs, dashes and ellipses."""


@pytest.mark.parametrize("key", games.SHIPPED)
def test_booklets_have_printers_signs_and_no_short_last_lines(key):
    press = press_of(key)
    game = press.game
    rules, source = booklet.read(press.templates, press.part("rules"), press.book_context(press.part("rules")))
    assert [" ".join(page) for page in words(key, "a4") if re.search(TYPED, " ".join(page))] == []
    typesetter = Typesetter(game.theme, None, COLUMN, source)
    for figure in rules:
        if isinstance(figure, Figure):
            caption = typographic(yaml.safe_load(figure.source).get("caption", ""))
            lines = typesetter.lines((InlineText(caption),), "book-caption").lines_in(CAPTION_WIDTH)
            last = "".join(part.text for part in stretches(cut(lines[-1]))) if lines else ""
            assert len(lines) < 2 or len(last.split()) > 3, caption


def test_what_a_keyboard_has_is_printed_as_it_should_be():
    typed = "Don't take the players' cards 2-6, 1990-2001 or -3 (-4) ... never is-2, 3-4-5, 2026-11-22 or EU1-7Q"
    assert typographic(typed) == (
        "Don’t take the players’ cards 2–6, 1990–2001 or −3 (−4) … never is-2, 3-4-5, 2026-11-22 or EU1-7Q"
    )
    assert typographic("a die: 6 + 6 - 1 = 11 points") == "a die: 6\u00a0+\u00a06 - 1\u00a0=\u00a011 points"
    (paragraph,) = blocks(RulesSource("It isn't `a-1 'x' -3`.", "f"))
    assert [stretch.text for stretch in paragraph.inline] == ["It isn’t ", "a-1 'x' -3", "."]


@pytest.mark.parametrize("key", games.SHIPPED)
def test_pieces_cut_out_of_sheets_show_all_their_marks(key):
    press = press_of(key)
    rules, source = booklet.read(press.templates, press.part("rules"), press.book_context(press.part("rules")))
    for block in rules:
        marks, shown = set(), set()
        faces = read_figure(block.source, source.file).faces if isinstance(block, Figure) else ()
        for cutout in (face for face in faces if face.face == "cutout"):
            piece, size = cutout.pieces[0], cutout.size
            part = press.part(piece.sheet)
            page = press.blank_corners(part, press.paper_of(part, paper("a4")), False)[piece.page - 1]
            left = page.width / 2 - piece.x - size.width / 2
            top = page.height / 2 - piece.y - size.height / 2
            marks |= set(piece.marks)
            for slot in page.slots():
                mark = piece.marks.get(slot.id, "")
                boxes = (slot.boxes or (slot.box,))[: len(mark) if len(slot.boxes) > 6 else None]
                if mark and all(
                    left < box.x + box.width / 2 < left + size.width
                    and top < box.y + box.height / 2 < top + size.height
                    for box in boxes
                ):
                    shown.add(slot.id)
        assert marks <= shown
