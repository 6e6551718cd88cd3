"""Cards that share an artwork look and read like cards painted item by item."""

from io import BytesIO

import pypdfium2
import pytest
from msgspec.structs import replace
from PIL import ImageChops, ImageStat

from generator import games, paths
from generator.geometry.frame import ungrouped
from generator.pdf import Info, write
from generator.pdf.fonts import Codes, DocumentFonts
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.text.fonts import load as load_font

GAME = """\
title: D
prefix: DD
players: 1
components: {cards: {kind: deck, title: D, cards: cards.yaml, face: card, size: a6}}
"""
FACE = """\
<face padding="4" fill="{{ card.tint }}"><icon name="star" size="9"/>
  <text style="title" align="center" wrap="false">{{ card.title }}</text><text style="label">{{ card.title }}</text>
  <text style="body" align="right">{{ card.words | rich }}</text>
  <text style="body" turn="90" height="15">{{ card.title }}</text><line/>
  <text style="body">{{ card.words | rich }}</text>
</face>
"""
LATO = load_font(paths.SHARED_DATA / "fonts/Lato-Regular.ttf")
MANY = "".join(letter for letter in map(chr, range(0xA1, 0x24F)) if letter.isalpha() and LATO.has(letter))


@pytest.fixture
def deck(tmp_path):
    (tmp_path / "templates").mkdir()
    (tmp_path / "templates/card.xml.j2").write_text(FACE)
    (tmp_path / "game.yaml").write_text(GAME)
    words = [
        "one **two** three",
        "a :star: *b* c",
        "(round) \\\\ brackets\nand a line",
        " ".join(MANY[at : at + 12] for at in range(0, len(MANY), 12)),
        "**bold** :die-3:, and then " + "long words " * 9,
    ]
    rows = "".join(f"  - {{title: Card {n} (x), tint: '#f{n}eedd', words: {text!r}}}\n" for n, text in enumerate(words))
    (tmp_path / "cards.yaml").write_text("fields: {title: {}, tint: {kind: colour}, words: {}}\ncards:\n" + rows)
    game = load(tmp_path)
    return Press(game, games.deal(game))


def document(pages, theme):
    return pypdfium2.PdfDocument(BytesIO(write(pages, theme, info=Info(title="D"))))


def painted_whole(page):
    return replace(
        page,
        placed=tuple(
            replace(placed_frame, frame=replace(placed_frame.frame, items=tuple(ungrouped(placed_frame.frame.items))))
            for placed_frame in page.placed
        ),
    )


@pytest.mark.parametrize("own", [False, True])
def test_pages_from_artworks_look_and_read_like_painted_ones(deck, own):
    game = load(str(paths.ROOT / "examples/lantern_walk"))
    press = deck if own else Press(game, games.deal(game))
    pages = press.deck_pages(press.part("cards"), paper("a4"), "long")
    lettered, whole = document(pages, press.theme), document(list(map(painted_whole, pages)), press.theme)
    for number in range(len(pages)):
        placed_frame, painted = (each[number].render(scale=2).to_pil().convert("L") for each in (lettered, whole))
        assert ImageStat.Stat(ImageChops.difference(placed_frame, painted)).mean[0] < 0.1
        texts = [each[number].get_textpage().get_text_bounded().split() for each in (lettered, whole)]
        assert texts[0] == texts[1]


def test_fixed_items_are_written_once(deck):
    part = deck.part("cards")
    few = len(write(deck.deck_pages(part, paper("a4"), "none"), deck.theme, info=Info(title="D")))
    deck.deck = replace(deck.deck, cards={"cards": deck.deck.cards["cards"] * 40})
    many = len(write(deck.deck_pages(part, paper("a4"), "none"), deck.theme, info=Info(title="D")))
    assert many < few * 5


def test_the_same_cards_give_the_same_bytes(deck):
    part = deck.part("cards")
    first = deck.component("cards", paper("a4")).pdf
    again = Press(deck.game, deck.deck)
    again.deck_pages(part, paper("letter"), "none")
    assert again.component("cards", paper("a4")).pdf == first


def test_codes_of_letters_do_not_depend_on_their_order():
    """Any process can therefore write them."""
    words = ["Office", "“Größe”", "…and –", "(a\\b)", MANY]

    def written(order):
        codes = Codes(DocumentFonts(), LATO)
        return {word: codes[word] for word in order}

    assert written(words) == written(words[::-1])
    assert written(["HH"])["HH"] == " H H"
