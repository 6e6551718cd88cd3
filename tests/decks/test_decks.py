"""Decks in the style of those that people bring: each prints from its bare table, and from a folder made of it."""

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pypdfium2
import pytest
import yaml

from generator.reading.load import load
from tests.decks import make_decks

HERE = Path(__file__).parent
NOT_PRINTED = {"id", "card no", "qty", "quantity", "count", "art", "suit", "colour", "color"}
"""Headings of columns that the cards do not show as texts. A suit is an icon, and a colour the card itself."""
SIGNS = {"TRUE", "FALSE", "—"}
"""Values that are not printed as they are: a tick, and nothing."""
COURT = {"King": "K", "Queen": "Q", "Jack": "J"}


@dataclass(frozen=True)
class Deck:
    """A table, the number of its cards with and without copies, and options that suit it. If `write` is given, it
    writes the table and returns the texts of its cards."""

    table: str
    cards: int
    different: int
    options: tuple[str, ...] = ()
    write: Callable[[Path], list[list[str]]] | None = None


DECKS = [
    Deck("irregular_verbs.csv", 10, 10),
    Deck("hex_tiles.csv", 21, 7, ("--size", "70x70")),
    Deck("trading_cards.csv", 6, 6),
    Deck("tarot.json", 7, 7, ("--size", "tarot", "--template", "tarot")),
    Deck("tokens_excel.csv", 43, 5, ("--size", "30x30")),
    Deck("roll_and_write.yaml", 10, 4),
    Deck("playing_cards.csv", 10, 10),
    Deck("google_sheets.csv", 7, 4),
    Deck("trivia.tsv", 150, 150, (), make_decks.trivia),
    Deck("railways.txt", 4, 3, (), make_decks.excel_unicode_text),
    Deck("potions.csv", 2, 2, (), make_decks.excel_for_mac),
    Deck("lanterns.xlsx", 7, 3, ("--columns", "Total=+"), make_decks.excel),
    Deck("watch.xlsx", 3, 2, (), make_decks.google_sheets),
    Deck("weather.ods", 3, 2, (), make_decks.libreoffice),
]


def texts_of_table(path: Path) -> list[list[str]]:
    """The texts that the cards of a table must show, read without Pencilbox."""
    content = path.read_bytes().decode("cp1252" if path.name == "tokens_excel.csv" else "utf-8")
    if path.suffix == ".csv":
        first, _, rest = content.partition("\r\n")
        delimiter, table = (first[-1], rest) if first.startswith("sep=") else (",", content)
        rows = [row for row in csv.DictReader(table.splitlines(True), delimiter=delimiter) if any(row.values())]
    else:
        read = json.loads(content) if path.suffix == ".json" else yaml.load(content, yaml.BaseLoader)
        rows = read["cards"] if isinstance(read, dict) else read
    return [[*texts_of_row(row)] for row in rows]


def texts_of_row(row: dict[str, object]) -> Iterator[str]:
    for heading, value in row.items():
        if heading and heading.casefold() not in NOT_PRINTED:
            yield from value if isinstance(value, list) else COURT.get(str(value), str(value)).splitlines()


def comparable(text: str) -> str:
    """A text without case, white space, hyphens (a line may end at one), the stars of **bold** and drawn symbols."""
    return re.sub("[\\s*♥\u2212\u00ad\x02\ufffe-]", "", text).casefold()


def printed(folder: Path) -> list[str]:
    """The text of each page that was printed into a folder."""
    (file,) = folder.rglob("*.pdf")
    with pypdfium2.PdfDocument(file) as document:
        return [comparable(page.get_textpage().get_text_bounded()) for page in document]


@pytest.mark.parametrize("deck", DECKS, ids=lambda deck: deck.table)
def test_a_deck_prints_from_its_table_and_from_its_folder(pencilbox, tmp_path, deck):
    if deck.write:
        rows = deck.write(tmp_path)
    else:
        shutil.copy(HERE / deck.table, tmp_path)
        shutil.copytree(HERE / "art", tmp_path / "art")
        rows = texts_of_table(HERE / deck.table)
    assert len(rows) == deck.different

    code, _, err = pencilbox("make", deck.table, *deck.options, "-o", "from_table")
    assert code == 0, err
    count = f"{deck.cards} cards" + f" ({deck.different} different)" * (deck.cards != deck.different)
    assert f"{count} from {deck.table}" in err
    code, _, err = pencilbox("new", "own", "--from", deck.table, *deck.options)
    assert code == 0, err
    code, _, err = pencilbox("make", "own", "-o", "from_folder")
    assert code == 0, err
    (part,) = load("own").components.values()
    assert len(part.cards) == deck.cards

    for output in ("from_table", "from_folder"):
        text = "\n".join(printed(tmp_path / output))
        missing = [value for row in rows for value in row if value not in SIGNS and comparable(value) not in text]
        assert not missing, f"{output}: {missing}"


def test_every_table_beside_the_test_is_a_deck():
    tables = {path.name for path in HERE.iterdir() if path.suffix in (".csv", ".json", ".yaml")}
    assert tables == {deck.table for deck in DECKS if not deck.write}
