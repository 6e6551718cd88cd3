"""Bold words that a template prints with their asterisks are noted once for each column."""

import shutil

import pytest

from generator import paths
from generator.errors import noting
from generator.games import deal
from generator.printing.game_faces import _BOLD, GameFaces
from generator.reading.load import load


@pytest.fixture
def own(tmp_path):
    folder = shutil.copytree(paths.ROOT / "examples" / "lantern_walk", tmp_path / "own")
    table = folder / "cards.csv"
    table.write_text(table.read_text().replace("Counts double", "Counts **double**"))
    return folder


def notes_of(folder):
    game = load(str(folder))
    drawn = GameFaces(game, deal(game, None))
    with noting() as notes:
        for sides in (drawn.front_sides, drawn.back_sides, drawn.front_sides):
            list(sides(drawn.part("cards")))
    return [str(problem).replace(str(folder) + "/", "") for problem in notes]


def test_a_column_that_is_printed_plainly_is_noted_once(own):
    assert notes_of(own) == []
    template = own / "templates" / "card.xml.j2"
    markup = template.read_text()
    plain = markup.replace('{{ (card.rule or "No rule: a light to go by.") | rich }}', '{{ card.rule or "" }}')
    assert plain != markup
    template.write_text(plain)
    assert notes_of(own) == [
        "cards.csv:2 (rule): “**When placed:**” is printed with its asterisks; "
        "write {{ card.rule | rich }} in templates/card.xml.j2:11 to print it in bold"
    ]


def test_other_asterisks_are_not_bold_words():
    for text in ("2 * 3 ** 2", "***", "a ** b ** c", "2**3**4", "****", "**", "** x **", r"\**x**", "**a\nb**"):
        assert not _BOLD.search(text), text
    for text in ("**x**", "a **b c**.", "(**b**)", "**Draw:** a card", "**2**"):
        assert _BOLD.search(text), text
