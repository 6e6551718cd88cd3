"""Rules booklets: page order, page breaks, and what cannot be printed."""

import shutil
import subprocess
import sys
from io import BytesIO

import pytest
from msgspec.structs import replace
from PIL import Image
from pypdf import PdfReader
from pypdfium2 import PdfDocument

from generator import games, paths
from generator.booklet.booklet import half, sides
from generator.booklet.figures import PieceFile, with_pieces
from generator.booklet.markdown import (
    Figure,
    InlineText,
    Note,
    ParagraphBlock,
    RulesSource,
    blocks,
)
from generator.booklet.setting import Typesetter, language
from generator.errors import InputError, Place, noting
from generator.layout.flaws import Draft
from generator.model.print_settings import PrintSettings
from generator.printing.pieces import spread_piece
from generator.printing.press import Press
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.text.words import cut, stretches
from tests.page_texts import page_texts
from tests.presses import with_settings


@pytest.mark.parametrize("pages", [1, 3, 4, 5, 8, 11, 12])
def test_pages_are_in_order_after_folding(pages):
    """Stacks the sides like a printer, folds them, and reads the pages."""
    pile = list(sides(pages))
    fronts, backs = pile[::2], pile[1::2]
    reading = [page for front, back in zip(fronts, backs, strict=True) for page in (front[1], back[0])]
    reading += [page for front, back in reversed(list(zip(fronts, backs, strict=True))) for page in (back[1], front[0])]
    assert [page for page in reading if page is not None] == list(range(pages))
    assert len(reading) % 4 == 0


@pytest.mark.parametrize("name", ["a4", "letter"])
def test_a_page_is_half_the_paper(name):
    width, height = half(paper(name))
    assert (2 * width, height) == (paper(name).height, paper(name).width)


def printed(folder, name="a4"):
    game = load(str(folder))
    return Press(game, games.deal(game)).component("rules", paper(name))


def words(booklet):
    return [text.split() for text in page_texts(booklet.pdf)]


@pytest.fixture
def own(tmp_path):
    folder = shutil.copytree(paths.ROOT / "examples" / "lantern_walk", tmp_path / "own")
    game = folder / "game.yaml"
    booklet = "  rules: {kind: booklet, title: Rules, text: rules}\n"
    game.write_text(game.read_text().replace("rules:\n", f"{booklet}rules:\n"))
    return folder


def rules(own, text):
    (own / "templates" / "rules.md.j2").write_text(text)
    return own


def test_a_booklet_of_your_own(own):
    booklet = printed(
        rules(
            own,
            "# {{ game.title }}\n\nA & B < C, {{ rules.streets }} streets.\n\n```figure\n"
            'cards: [{card: "7"}]\ncaption: A *market*.\n```\n',
        )
    )
    text = " ".join(words(booklet)[0])
    assert booklet.pages == 2
    assert "A & B < C, 3 streets." in text and "Night Market" in text


PLAIN = "This is text.\n\n"
UNPRINTABLE = {
    "![a](b.png)": "rules.md.j2:3: no picture “b.png” in the game’s folder",
    "![a](../b.png)": "rules.md.j2:3: picture “../b.png” is outside the game’s folder",
    "![a](https://example.org/b.png)": "rules.md.j2:3: booklets cannot contain a picture from the web; save it",
    "See ![a](b.png)": "rules.md.j2:3: booklets cannot contain a picture within a text (“a”); put it in a paragraph",
    "[![a](b.png)](x)": "rules.md.j2:3: booklets cannot contain a picture within a text (“a”)",
    "`x`\n\n```python\nx = 1\n```": "rules.md.j2:5: booklets cannot contain a block of code (“x = 1”)",
    "    indented": "rules.md.j2:3: booklets cannot contain a block of code (“indented”)",
    "a <b>x</b>": "rules.md.j2:3: booklets cannot contain HTML (“<b>”)",
    "<div>\nx\n</div>": "rules.md.j2:3: booklets cannot contain HTML (“<div>”)",
    "> ```python\n> x\n> ```": "rules.md.j2:3: booklets cannot contain a block of code",
    "{{ '<b>' }} {{ 1 }}": "(line 3 as rendered: <b> 1)",
    # lists
    "- a\n-\n- c": "rules.md.j2:3: entry 2 of this list is empty; begin each entry with text",
    "- > note": "rules.md.j2:3: entry 1 of this list does not begin with text",
    "- - x": "rules.md.j2:3: entry 1 of this list does not begin with text",
    "- # x": "rules.md.j2:3: entry 1 of this list does not begin with text",
    "1. ---": "rules.md.j2:3: entry 1 of this list does not begin with text",
    # tables
    "|a|b|\n|-|-|": "rules.md.j2:3: this table has a head but no rows",
    "|a|b|\n|-|-|\n|1|": "rules.md.j2:3: some rows of this table have more or fewer cells than its head",
    "|a|b|\n|-|-|\n|1|2|3|": "rules.md.j2:3: some rows of this table have more or fewer cells than its head",
    "|a|b|\n|-|\n|1|2|": "rules.md.j2:3: some rows of this table have more or fewer cells than its head",
    "|a" * 50 + "|\n" + "|-" * 50 + "|\n" + "|1" * 50 + "|": "rules.md.j2:3: this table has 50 columns; at most 12",
    "|wonderfully|" + "wonderfully|" * 11 + "\n" + "|-" * 12 + "|\n" + "|1" * 12 + "|": "is wider than the text",
    # what does not fit
    "x" * 300: "rules.md.j2:3: “xxxxxxxxxxxxxxxxxxxxxxxxxxxxx…” is wider than the text: needs ",
    "> " + "word " * 5_000: "rules.md.j2:3: this note is larger than a page of the booklet (120 × 178 mm)",
    '```figure\ncards: [{card: "1"}]\nwidth: 400\n```': "rules.md.j2:3: this figure is larger than a page",
    '```figure\ncards: [{card: "1"}, {card: "2"}, {card: "3"}]\nwidth: 50\n```': "this figure is larger than a page",
    # names
    "A :lanten: here": "rules.md.j2:3: no icon “lanten”; did you mean lantern?",
    "A :" + "a" * 300 + ": here": "rules.md.j2:3: no icon “aaaa",
    '```figure\ncards: [{card: "12"}]\n```': "rules.md.j2:3: a figure shows card “12”",
    '```figure\ncard: [{card: "1"}]\n```': "rules.md.j2:4: unknown key “card”; did you mean cards?",
    '```figure\n\n\ncards: [{card: "1", side: 1}]\n```': "rules.md.j2:6: unknown key “side”",
    "```figure\n```": "rules.md.j2:4: the file is empty",
    '```figure\ncards: [{card: "1", marks: {x: "2"}}]\n```': "has no slot “x”",
    "{{ game.titel }}": "rules.md.j2:3: rules: a game has no “titel”; did you mean title?",
    "{% if %}": "rules.md.j2:3",
    "x {{ 'x' * 10 ** 9 }}": "rules.md.j2:3",
}


@pytest.mark.parametrize("text", UNPRINTABLE)
def test_unprintable_markdown_is_reported_with_its_line(own, text):
    with pytest.raises(InputError) as caught:
        printed(rules(own, PLAIN + text))
    assert UNPRINTABLE[text] in str(caught.value)


def test_a_red_box_stands_for_a_letter_that_no_font_has(own):
    with noting() as notes:
        pages = printed(rules(own, PLAIN + "A ქ here"))
    (note,) = map(str, notes)
    assert "rules.md.j2:3: rules: the font has no Georgian letters (Lato-Regular): a red ⌧ is" in note
    assert "A ⌧ here" in " ".join(words(pages)[0])


def test_addresses_are_printed_after_the_words_of_links(own):
    text = (
        "See [the **shop**](https://example.org/shop/), [write](mailto:me@example.org), <https://example.org/a> or "
        "[below](#end). [Long](https://example.org/" + "x" * 90 + ")"
    )
    printed_text = " ".join(words(printed(rules(own, text)))[0])
    assert "See the shop (example.org/shop), write (me@example.org), https://example.org/a or below." in printed_text
    assert "Long (example.org/" in printed_text and "x…)" in printed_text


def test_a_picture_is_a_paragraph_of_its_own(own):
    (own / "art").mkdir()
    Image.new("RGB", (300, 200), "navy").save(own / "art" / "old ferry.png")
    for text in (
        "![The **old** ferry](<art/old ferry.png>)",
        "```figure\npicture: art/old ferry.png\ncaption: The old ferry\n```",
    ):
        pdf = printed(rules(own, PLAIN + text)).pdf
        assert len(PdfReader(BytesIO(pdf)).pages[0].images) == 1 and "The old ferry" in page_texts(pdf)[0]


def test_figures_find_the_deck_of_a_card(own):
    game = (own / "game.yaml").read_text()
    (own / "game.yaml").write_text(game.replace("  cards:\n", "  lanterns:\n"))
    for card in ('{card: "7"}', '{deck: lanterns, card: "7"}', '{component: lanterns, card: "7"}'):
        booklet = printed(rules(own, f"```figure\ncards: [{card}]\n```"))
        assert "Night Market" in " ".join(words(booklet)[0])
    words_deck = "  words: {kind: deck, title: Words, cards: words.csv, face: word, size: poker-mm}\n  sheet:\n"
    (own / "words.csv").write_text("id,word\n7,seven\nmoon,moon\n")
    (own / "game.yaml").write_text((own / "game.yaml").read_text().replace("  sheet:\n", words_deck))
    assert "moon" in " ".join(words(printed(rules(own, "```figure\ncards: [{card: moon}]\n```")))[0])
    for card, message in (
        ('{card: "7"}', "a figure shows card “7”, which several decks have; name its deck: {deck: lanterns, card: 7}"),
        ("{card: mon}", "a figure shows card “mon”, which no deck has; the decks are lanterns, words"),
        ("{deck: word, card: moon}", "own has no component “word”; did you mean words?"),
        ("{deck: words, card: mon}", "a figure shows card “mon”, which is not in words; did you mean moon?"),
    ):
        with pytest.raises(InputError) as caught:
            printed(rules(own, f"```figure\ncards: [{card}]\n```"))
        assert f"rules.md.j2:1: {message}" in str(caught.value)


def test_a_booklet_needs_text(own):
    with pytest.raises(InputError, match="this booklet has no text"):
        printed(rules(own, ""))


def test_all_problems_are_reported_together(own):
    with pytest.raises(InputError) as caught:
        printed(rules(own, "<div>\n\n- > a\n\na ![c](d)\n"))
    assert [problem.place.line for problem in caught.value.problems] == [1, 3, 5]
    with pytest.raises(InputError) as caught:
        printed(rules(own, "A :lanten:\n\nB :lantrn:\n\n" + "x" * 300))
    assert [problem.place.line for problem in caught.value.problems] == [1, 3, 5]


@pytest.mark.parametrize(
    ("text", "words_in_order"),
    [
        ("3. three\n4. four", "3. three 4. four"),
        ("- one\n\n  more\n  - two\n    - three", "• one more • two • three"),
        ("> |a|b|\n> |-|-|\n> |1|2|", "a b 1 2"),
        ("- list\n\n  |a|b|\n  |-|-|\n  |1|2|", "• list a b 1 2"),
        ("a|b\n-|-\n1|2", "a b 1 2"),
        ("> - one\n> - two", "• one • two"),
        ("> # head\n> words", "head words"),
        ("a\\\nb", "a b"),
        ("###### six", "six"),
    ],
)
def test_supported_markdown_is_printed(own, text, words_in_order):
    assert words_in_order in " ".join(word for page in words(printed(rules(own, text))) for word in page)


def test_markdown_is_parsed_into_blocks():
    text = "Roll a **die** :star:, *then*\nwrite.\n\n> Short.\n\n```figure\ncards: x\n```\n"
    read = blocks(RulesSource(text, "f"))
    assert isinstance(read[0], ParagraphBlock) and isinstance(read[1], Note) and read[2] == Figure("cards: x\n", 6)
    assert [block.line for block in read] == [1, 4, 6]
    assert read[0].inline == (
        InlineText("Roll a "),
        InlineText("die", bold=True),
        InlineText(" "),
        InlineText("", icon="star"),
        InlineText(", "),
        InlineText("then", italic=True),
        InlineText(" "),
        InlineText("write."),
    )


PRINT_WITH = """
import builtins, hashlib, math, sys

plain = sum

def compensated(values, /, start=0):
    numbers = [*values, start]
    if all(isinstance(number, int | float) for number in numbers) and float in map(type, numbers):
        return math.fsum(numbers)
    return plain(numbers[:-1], start)

if sys.argv[1] == "compensated":
    builtins.sum = compensated
from generator import games
from generator.reading.load import load
from generator.reading.sizes import paper
from generator.printing.pieces import spread_piece
from generator.printing.press import Press
for key in sys.argv[2:]:
    game = load(key)
    print(hashlib.sha256(Press(game, games.deal(game)).component("rules", paper("a4")).pdf).hexdigest())
"""


PRINT = [sys.executable, "-c", PRINT_WITH]
HARBOUR = str(paths.EXAMPLES / "harbour_lights")


def test_a_booklet_does_not_depend_on_how_python_adds_floats():
    """From 3.12 on, `sum` of floats is rounded once, not after each addend."""
    plain, compensated = (
        subprocess.run(
            [sys.executable, "-c", PRINT_WITH, mode, HARBOUR], capture_output=True, text=True, check=True
        ).stdout
        for mode in ("plain", "compensated")
    )
    assert plain == compensated


def test_figures_show_cards_in_their_shape(own):
    game = (own / "game.yaml").read_text()
    text = '```figure\ncards: [{card: "7"}]\n```'
    plain = printed(rules(own, text)).pdf
    (own / "game.yaml").write_text(game.replace("kind: deck", "kind: deck\n    shape: rounded", 1))
    rounded = printed(rules(own, text)).pdf
    curves = []
    for pdf in (plain, rounded):
        curves.append(PdfReader(BytesIO(pdf)).pages[0].get_contents().get_data().count(b" c "))
    assert curves[1] >= curves[0] + 8


@pytest.mark.parametrize(("max_dpi", "width"), [(None, 827), (100, 237)])
def test_pictures_of_booklets_are_scaled_down_and_upright(own, max_dpi, width):
    """60 mm are 827 pixels at 350 dpi and 237 at 100."""
    (own / "art").mkdir()
    exif = Image.Exif()
    exif[0x0112] = 6  # the camera was turned
    stripes = Image.linear_gradient("L").resize((900, 1200)).convert("RGB")
    stripes.save(own / "art" / "ferry.jpg", exif=exif, dpi=(72, 72))
    rules(own, "![The ferry](art/ferry.jpg)")
    game = load(str(own))
    pdf = Press(game, games.deal(game), PrintSettings(max_dpi=max_dpi)).component("rules", paper("a4")).pdf
    (picture,) = PdfReader(BytesIO(pdf)).pages[0].images
    assert picture.image.size == (width, -(-width * 3 // 4))
    left, right = (picture.image.getpixel((x, 20))[0] for x in (5, width - 5))
    assert left > 200 > 60 > right


def test_pictures_in_figures_have_the_pixels_that_their_scale_needs(own):
    Image.effect_noise((1500, 1500), 60).save(own / "ferry.png")
    (own / "templates" / "ferry.xml.j2").write_text('<face><image file="ferry.png"/></face>')
    sizes = []
    for width in (20, 80):
        rules(own, f"```figure\nfaces: [{{face: ferry, size: 40x40}}]\nwidth: {width}\n```")
        sizes.append(PdfReader(BytesIO(printed(own).pdf)).pages[0].images[0].image.size[0])
    assert sizes == [276, 1103]


# ---- hyphens and short lines

GERMAN = "Die Donaudampfschifffahrtsgesellschaftskapitänsmützen "


def hyphenated(typesetter, text, style="book", width=60):
    """The lines of a paragraph in a column of this width (mm)."""
    item = typesetter.lines((InlineText(text),) if isinstance(text, str) else text, style, room=width)
    return ["".join(part.text for part in stretches(cut(span))) for span in item.lines_in(width)]


@pytest.fixture(scope="module")
def english():
    source = RulesSource("The rules of the game, and what to do with the dice: you roll one of them.", "f")
    return Typesetter(load("upwards").theme, None, (60, 100), source)


def test_the_last_line_of_a_paragraph_has_more_than_one_word_if_that_takes_no_more_lines(english):
    text = "Who starts is up to you in the original rules, too. The youngest player is our suggestion."
    assert hyphenated(english, text)[-1] == "player is our suggestion."


def test_texts_are_hyphenated_in_the_language_of_the_theme():
    theme = load("upwards").theme
    for code, hyphens in (("de", True), ("none", False), ("", False)):
        typesetter = Typesetter(replace(theme, language=code), None, (60, 100), RulesSource(GERMAN, "f"))
        assert any(line.endswith("-") for line in hyphenated(typesetter, GERMAN * 6, width=116)) == hyphens


def test_english_is_hyphenated_only_where_a_line_would_be_very_short(english):
    assert english.language == "en"
    assert hyphenated(english, "Extraordinarily characteristic responsibilities of all", width=32) == [
        "Extraordinarily char-",
        "acteristic responsibil-",
        "ities of all",
    ]
    short = "You take one of the three cards that lie there, and roll a die"
    assert not any(line.endswith("-") for line in hyphenated(english, short, width=32))


@pytest.mark.parametrize(
    ("text", "style"),
    [
        ("Extraordinarily responsibilities", "book"),  # the last word
        ("Everybody at Constantinopolitan gates", "book"),  # a name
        ((InlineText("Everybody at "), InlineText("responsibilities", literal=True), InlineText(" is")), "book"),
        ("Everybody at responsibilities is", "book-subheading"),
        ("Everybody at responsibilities is", "book-caption"),
    ],
)
def test_names_headings_code_and_last_words_are_not_hyphenated(english, text, style):
    assert not any(line.endswith("-") for line in hyphenated(english, text, style, width=33))


def test_a_word_wider_than_its_cell_is_hyphenated(english):
    assert len(hyphenated(english, "responsibilities", width=15)) == 2
    assert not english.problems


def test_other_languages_are_not_taken_for_english():
    theme = load("upwards").theme
    assert language(theme, "Der Spieler würfelt, und alle schreiben die Zahl in ihr Feld. Das ist alles.") == ""
    assert language(theme, "Le joueur lance les dés et tous écrivent le nombre sur leur feuille.") == ""
    assert language(theme, "") == ""


def test_lines_of_captions_are_balanced(english):
    lines = hyphenated(english, "The dragon has left the cave and waits for the heroes at the gate", "book-caption", 75)
    assert len(lines) == 2 and min(map(len, lines)) > 25


def test_a_page_ends_after_a_colon_only_if_it_must(english):
    def cost(end):
        return english.story(blocks(RulesSource(f"Add up the cards{end}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n", "f")))[
            1
        ].cost

    assert cost(":") > 2 * cost(".")


def test_headings_have_the_outline_of_their_style(own):
    theme = own / "theme.yaml"
    theme.write_text(theme.read_text().replace("styles:\n", "styles:\n  book-title: {size: 22pt, outline: gold}\n"))
    pdf = PdfReader(BytesIO(printed(rules(own, "# Glow\n\nText")).pdf))
    assert pdf.pages[0].get_contents().get_data().count(b"1 Tr 0.600 w") == 1


def test_a_draft_shows_what_cannot_be_printed_in_red(own):
    (own / "templates" / "rules.md.j2").write_text(
        "# Rules\n\nText <b>x</b> ქ\n\n- a\n-\n\n|a" + "|a" * 20 + "|\n" + "|-" * 21 + "|\n" + "|1" * 21 + "|\n\n"
        '```figure\ncards: [{card: "1"}]\nwidth: 400\n```\n\nThe end\n\n```python\nx = 1\n```\n'
    )
    game, draft = load(str(own)), Draft()
    pdf = Press(game, games.deal(game), draft=draft).component("rules", paper("a4")).pdf
    text = " ".join(page_texts(pdf))
    assert len(draft.problems) == 7 and all(f"+{number} " in text for number in range(1, 8))
    assert "+1 booklets cannot contain HTML" in text and "The end" in text and "Lantern Walk · DRAFT" in text
    for broken in ("{{ nosuch }}", ""):
        (own / "templates" / "rules.md.j2").write_text(broken)
        game, draft = load(str(own)), Draft()
        pdf = Press(game, games.deal(game), draft=draft).component("rules", paper("a4")).pdf
        assert len(draft.problems) == 1 and "+1 " in page_texts(pdf)[0]


@pytest.mark.parametrize("folded", [True, False])
def test_headings_are_bookmarks_and_pages_have_their_numbers(own, folded):
    text = "# Lanterns\n\nSome text.\n\n### Deep\n\nText.\n\n## How to :star: play\n\nText.\n"
    game = load(str(rules(own, text)))
    press = Press(game, games.deal(game))
    document = PdfReader(BytesIO(with_settings(press, folded=folded).component("rules", paper("a4")).pdf))
    first, inner = document.outline
    assert (first.title, [bookmark.title for bookmark in inner]) == ("Lanterns", ["Deep", "How to play"])
    pages = {document.get_destination_page_number(bookmark) for bookmark in (first, *inner)}
    assert pages == {0}
    assert list(document.page_labels) == (["1", "blank"] if folded else ["1"])
    assert document.trailer["/Root"]["/Lang"] == "en"
    assert all(page.trimbox == page.bleedbox == page.mediabox for page in document.pages)
    assert "/TrimBox" in document.pages[0]
    assert (document.trailer["/Root"]["/PageMode"] == "/UseOutlines") is not folded


# ---- covers and the spread

FULL = """\
```cover
face: front
pieces: [{card: "7", x: -10, y: 5, width: 30, turn: -8}]
```

# Lanterns

%s

```spread
pieces: [{sheet: sheet, marks: {players.1.name: Eve}, x: 30, y: 0, width: 60}, {card: "3", x: -30, y: 0}]
title: The table
```

```back
face: front
```
"""


def test_covers_and_the_spread_are_in_their_places(own):
    (own / "templates" / "front.xml.j2").write_text(
        '<face fill="navy"><text>{{ game.title }} {{ width | round }} {{ height | round }}</text></face>'
    )
    rules(own, FULL % "Some text that is on a page of its own.")
    game = load(str(own))
    press = Press(game, games.deal(game))
    pdf = with_settings(press, folded=False).component("rules", paper("letter")).pdf
    single, texts = PdfReader(BytesIO(pdf)), page_texts(pdf)
    assert [float(page.mediabox.width) > 700 for page in single.pages] == [False, False, True, False]
    assert "140 216" in texts[0] and "140 216" in texts[-1] and "Eve" in texts[2]
    assert [bookmark.title for bookmark in single.outline if not isinstance(bookmark, list)] == ["Lanterns"]
    assert list(single.page_labels) == ["1", "2", "3", "4"]
    folded = page_texts(press.component("rules", paper("letter")).pdf)
    assert len(folded) == 4 and "Night Market" in folded[0]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('```cover\npieces: [{card: "99", x: 0, y: 0}]\n```', "rules.md.j2:4: a figure shows card “99”"),
        ('```cover\npieces: [{card: "7", die: A, x: 0, y: 0}]\n```', "a piece of a cover is either a card, die, board"),
        ("```spread\ntitle: x\n```", "a spread needs a “face” or “pieces”"),
        ("```back\npieces: [{sheet: cards, x: 0, y: 0}]\n```", "“cards” is not a sheet but a deck"),
        ("```back\npieces: [{sheet: sheet, page: 3, x: 0, y: 0}]\n```", "sheet “sheet” has no page 3; it has 1"),
        ("```back\npieces: [{sheet: sheet, marks: {x: 1}, x: 0, y: 0}]\n```", "sheet “sheet” has no field “x”"),
        ("```back\npieces: [{face: front, x: 0, y: 0}]\n```", "the piece “front” of a back needs a “size”"),
        ("```cover\nface: nowhere\n```", "rules.md.j2:3: no template “nowhere”"),
        ("> ```cover\n> face: x\n> ```", "a cover cannot be part of a note or list"),
        ("```back\nface: sheet\n```\n\n```back\nface: sheet\n```", "rules.md.j2:7: a booklet has only one back"),
    ],
)
def test_mistakes_in_covers_have_their_lines(own, text, message):
    with pytest.raises(InputError) as caught:
        printed(rules(own, f"Text.\n\n{text}\n"))
    assert message in str(caught.value)


def test_pages_are_scaled_to_the_paper(own):
    rules(own, "# Lanterns\n\nSome text.\n")
    sizes = {}
    for name in ("a5", "a4", "a3"):
        page = PdfDocument(printed(own, name).pdf)[0]
        words_on_page = page.get_textpage()
        assert words_on_page.count_rects()
        _, bottom, _, top = words_on_page.get_rect(0)
        sizes[name] = top - bottom
    assert sizes["a3"] / sizes["a4"] == pytest.approx(2**0.5, rel=0.01)
    assert sizes["a4"] / sizes["a5"] == pytest.approx(2**0.5, rel=0.01)
    with pytest.raises(InputError, match="a6 is too small for a booklet"):
        printed(own, "a6")


def test_dice_have_round_corners_and_a_shadow_that_turns_with_them():
    game = load("rolling_cubes")
    press = Press(game, games.deal(game))
    piece = PieceFile(die="R", x=0.0, y=0.0, width=8.0, turn=30.0, place=Place("rules.md.j2"))
    die = spread_piece(press, lambda part, marks: [], piece)
    assert die.cut and die.cut.shape == "rounded" and 0 < die.cut.radius < die.width / 4
    table = with_pieces(replace(die, items=()), [piece], [die])
    shadow, shown = table.items
    assert shadow.transform[:4] == shown.transform[:4]
    assert all(0 < below - above < 1 for above, below in zip(shown.transform[4:], shadow.transform[4:], strict=True))


def test_pieces_lie_on_the_faces_of_figures(own):
    (own / "templates" / "table.xml.j2").write_text('<face fill="#eee"><text>The table</text></face>')
    piece = '{face: table, size: 80 x 40, pieces: [{card: "7", x: 10, y: 0, width: 20, turn: 30}]}'
    booklet = printed(rules(own, f"```figure\nfaces:\n  - {piece}\n```"))
    assert "The table" in (text := " ".join(words(booklet)[0])) and "Night Market" in text
    with pytest.raises(InputError, match="a piece of a figure is either a card, die, board, sheet or face"):
        printed(rules(own, f"```figure\nfaces:\n  - {piece.replace('card', 'sheet: sheet, card')}\n```"))


def test_large_figures_take_as_many_pages_as_they_need(own):
    """Two do not fit on a page, however many there are."""
    figure = '```figure\ncards: [{card: "7"}]\nwidth: 78\n```\n\n'
    pages = PdfReader(BytesIO(printed_single(rules(own, figure * 24)))).pages
    assert len(pages) == 24


def printed_single(folder):
    game = load(str(folder))
    return Press(game, games.deal(game), PrintSettings(folded=False)).component("rules", paper("a4")).pdf


TEMPLATES = {
    "book_page": """<face><text style="small">
page {{ number }}, {{ "%.0f" | format(free) }} of {{ column.height }} mm free
</text></face>""",
    "book_heading": '<face><text style="small" wrap="false">chapter {{ number }}: {{ title }}</text></face>',
}


def test_templates_of_a_game_draw_its_pages_and_headings(own):
    for name, template in TEMPLATES.items():
        (own / "templates" / f"{name}.xml.j2").write_text(template)
    text = " ".join(words(printed(rules(own, "# Rules\n\n## Setting *up*\n\nText.\n\n## The end\n\nText.\n")))[0])
    assert "of 178 mm free" in text and "page 1, 1" in text
    assert "chapter 1: Setting up" in text and "chapter 2: The end" in text


def test_a_booklet_with_a_cover_has_a_back_with_the_colophon_if_there_is_room(own):
    text = "```cover\nface: plain_cover\n```\n\nText.\n"
    pages = words(printed(rules(own, text)))
    assert "printed with Pencilbox" in " ".join(pages[0])
    assert "Lantern Walk 3" in " ".join(pages[1]), "the inner side of the back is for notes"
    (own / "templates" / "back.xml.j2").write_text("<face><text>The end</text></face>")
    pages = words(printed(rules(own, "```back\nface: back\n```\n" + text)))
    assert "printed with" not in " ".join(pages[0]) and "The end" in " ".join(pages[0])
