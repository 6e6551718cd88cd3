"""Decks in the style of those that people bring: each prints from its bare table, and from a folder made of it."""

import shutil
from pathlib import Path

import pytest
from pypdf import PdfReader

DECKS = {
    "hex_tiles.csv": (21, ("Wheat Fields", "A-A-B-A-A-B")),
    "irregular_verbs.csv": (10, ("to know (a person)", "conocer")),
    "roll_and_write.yaml": (10, ("Zig-Zag", "1, 3, 5")),
    "tarot.json": (7, ("The High Priestess", "innocence")),
    "tokens_excel.csv": (43, ("Gold Coin", "discard at camp")),
    "trading_cards.csv": (6, ("Vela, Keeper of the Ninth Gate", "Legendary Creature — Human Sage")),
}
"""The number of cards and some of their texts, by file."""
LONG = "\n".join(["Title\tEffect\tCost", *(f"Card {n}\tDraw {n % 4 + 1} cards.\t{n % 9}" for n in range(1, 501))])


@pytest.fixture
def table(request, tmp_path):
    """A table in a folder of its own, beside its pictures."""
    if request.param == "long.tsv":
        (tmp_path / "long.tsv").write_text(LONG, "utf-8")
    else:
        folder = Path(__file__).parent
        shutil.copy(folder / request.param, tmp_path)
        shutil.copytree(folder / "art", tmp_path / "art")
    return request.param


def text_of(file):
    """The words of a PDF, with one space between them: lines may break anywhere."""
    return " ".join(" ".join(page.extract_text() for page in PdfReader(file).pages).split()).casefold()


@pytest.mark.parametrize("table", DECKS, indirect=True)
def test_a_deck_prints_from_its_table_and_from_its_folder(pencilbox, table, tmp_path):
    count, texts = DECKS[table]
    code, _, err = pencilbox("make", table)
    assert code == 0 and f"{count} cards" in err, err
    code, _, err = pencilbox("new", "own", "--from", table)
    assert code == 0, err
    code, _, err = pencilbox("make", "own")
    assert code == 0, err
    for file in (tmp_path / "output" / Path(table).stem / "cards-a4.pdf", tmp_path / "output/own/cards-a4.pdf"):
        words = text_of(file)
        assert not [text for text in texts if text.casefold() not in words]


@pytest.mark.parametrize("table", ["long.tsv"], indirect=True)
def test_five_hundred_cards_print_from_a_bare_table(pencilbox, table, tmp_path):
    code, _, err = pencilbox("make", table, "--size", "mini")
    assert code == 0 and "500 cards" in err, err
    fronts = PdfReader(tmp_path / "output/long/cards-a4.pdf").pages[::2]
    assert "Card 1\n" in fronts[0].extract_text() and "Card 500\n" in fronts[-1].extract_text()
