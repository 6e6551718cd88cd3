"""Rules booklets: folded in the right order, broken alike on every paper, honest about what cannot be set."""

import shutil
from io import BytesIO

import pytest
from pypdf import PdfReader

from generator import games, paths
from generator.booklet.folding import half, sides
from generator.booklet.markdown import Figure, Note, Paragraph, Stretch, blocks
from generator.definitions.load import load
from generator.definitions.sizes import paper
from generator.errors import InputError
from generator.printing.press import Press


@pytest.mark.parametrize("pages", [1, 3, 4, 5, 8, 11, 12])
def test_folded_once_the_pages_come_in_order(pages):
    """Lay the sides on each other as the printer stacks them, fold, and read."""
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


def words(made):
    return [page.extract_text().split() for page in PdfReader(BytesIO(made.pdf)).pages]


def test_pages_break_alike_on_both_papers():
    assert words(printed("from_the_ground_up")) == words(printed("from_the_ground_up", "letter"))


def test_numbers_come_from_yaml_and_examples_from_the_cards():
    text = " ".join(word for page in words(printed("from_the_ground_up")) for word in page)
    assert "the 12 cards" in text
    assert "6 2 12" in text, "six players, two cards each, twelve in the game"
    assert "6 5 4 2" in text, "card 4 as it is written on in the example"


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


def test_an_own_booklet(own):
    made = printed(
        rules(
            own,
            "# {{ game.title }}\n\nA & B < C, {{ rules.streets }} streets.\n\n```figure\n"
            'cards: [{card: "7"}]\ncaption: A *market*.\n```\n',
        )
    )
    text = " ".join(words(made)[0])
    assert made.pages == 2
    assert "A & B < C, 3 streets." in text and "Night Market" in text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("![a](b.png)", "cannot set Markdown's image"),
        ("`x`\n\n```python\nx = 1\n```", "cannot set Markdown's block code"),
        ("<b>x</b>", "cannot set Markdown's"),
        ("{{ game.titel }}", "did you mean title?"),
        ("{% if %}", "rules.md.j2:1"),
        ("A :lanten: here", "did you mean lantern?"),
        ("A 漢 here", "“漢”"),
        ("", "a booklet without text"),
        ('```figure\ncards: [{card: "12"}]\n```', "card “12”"),
        ('```figure\ncard: [{card: "1"}]\n```', "did you mean cards?"),
        ('```figure\ncards: [{card: "1", marks: {x: "2"}}]\n```', "x"),
        ('```figure\ncards: [{card: "1"}]\nwidth: 400\n```', "larger than a page"),
        ('```figure\ncards: [{card: "1"}, {card: "2"}, {card: "3"}]\nwidth: 50\n```', "larger than a page"),
        ("x {{ 'x' * 10 ** 9 }}", "rules.md.j2:1"),
    ],
)
def test_what_cannot_be_set_is_said(own, text, said):
    with pytest.raises(InputError) as caught:
        printed(rules(own, text))
    assert said in str(caught.value)


def test_markdown_becomes_a_plain_tree():
    read = blocks("Roll a **die** :star:, *then*\nwrite.\n\n> Short.\n\n```figure\ncards: x\n```\n", "f")
    assert isinstance(read[0], Paragraph) and isinstance(read[1], Note) and read[2] == Figure("cards: x\n")
    assert read[0].inline == (
        Stretch("Roll a "),
        Stretch("die", bold=True),
        Stretch(" "),
        Stretch("", icon="star"),
        Stretch(", "),
        Stretch("then", italic=True),
        Stretch(" "),
        Stretch("write."),
    )
