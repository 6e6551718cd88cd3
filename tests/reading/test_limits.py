"""Sizes and counts are checked before anything is built: each excess is one clear error, reported quickly."""

import shutil
import time
import zipfile

import openpyxl
import pytest

from generator import limits, paths
from generator.errors import InputError, summary
from generator.reading.load import load


@pytest.fixture
def folder(tmp_path):
    return shutil.copytree(paths.ROOT / "examples" / "lantern_walk", tmp_path / "folder")


def edit(path, old, new):
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def error_messages(folder, seconds=2.0):
    """The messages of a game that cannot be loaded."""
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        load(str(folder))
    lines = [str(problem) for problem in summary(caught.value.problems)]
    assert time.process_time() - start < seconds
    assert all(len(line) < 800 for line in lines) and len(lines) <= 20
    return lines


# ---- keys that do nothing


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "game.yaml",
            "kind: sheet",
            "size: A5\n    kind: sheet",
            "is a sheet, which has no “size”; “size” is for deck",
        ),
        ("game.yaml", "kind: sheet", "decks: [a]\n    kind: sheet", "is a sheet, which has no “decks”"),
        ("sheet.yaml", "kind: text", "choices: [a, b], kind: text", "is a text, which has no “choices”"),
        ("sheet.yaml", "kind: text", "span: 1-6, kind: text", "is a text, which has no “span”"),
        ("sheet.yaml", "repeat: 4", "repeat: 4\n    count: 4", "is a group, which has no “count”"),
        (
            "sheet.yaml",
            "kind: text",
            "choices: [a, b, A], kind: choice",
            "choices that look alike, or like a blank: a, A",
        ),
        (
            "sheet.yaml",
            "kind: text",
            "choices: [a, .], kind: choice",
            "choices that look alike, or like a blank: .",
        ),
    ],
)
def test_a_key_without_effect_is_refused(folder, file, old, new, message):
    path = folder / file
    path.write_text(path.read_text().replace(old, new, 1))
    assert any(message in line for line in error_messages(folder)), error_messages(folder)


# ---- copies


@pytest.mark.parametrize("copies", ["0", "-1", "1001", "999999999", "9" * 40])
def test_the_copies_of_a_component_are_limited(folder, copies):
    edit(folder / "game.yaml", "size: poker-mm", f"size: poker-mm\n    copies: {copies}")
    assert "copies” must be " in error_messages(folder)[0]


def test_copies_of_cards_and_of_their_deck_multiply(folder):
    edit(folder / "game.yaml", "size: poker-mm", "size: poker-mm\n    copies: 1000")
    edit(folder / "cards.csv", ",1\n", ",1000\n")
    assert "including copies; at most 100,000" in error_messages(folder)[0]


def test_the_limit_for_dice_is_lower_than_for_cards(folder):
    edit(
        folder / "game.yaml",
        "rules:\n",
        "  die: {kind: dice, title: Die, dice: dice.yaml, face: card, copies: 1000}\nrules:\n",
    )
    (folder / "dice.yaml").write_text("dice: [{faces: [1, 2, 3, 4, 5, 6], copies: 2}]")
    assert "component “die” has 2,000 dice, including copies; at most 1,000" in error_messages(folder)[0]


# ---- score sheets


@pytest.mark.parametrize(
    "fields",
    [
        "rows: {repeat: 500, fields: {column: {repeat: 500, fields: {mark: {kind: tick, count: 500}}}}}",
        "rows: {repeat: 400, fields: {mark: {kind: tick, count: 400}}}",
        "rows: {repeat: 400, paper: false, fields: {mark: {kind: tick, count: 400}}}",
        ", ".join(f"rows{n}: {{kind: tick, count: 500}}" for n in range(11)),
    ],
)
def test_the_fields_of_a_sheet_multiply(folder, fields):
    (folder / "sheet.yaml").write_text(f"title: Sheet\nfields: {{{fields}}}")
    assert "“count” and “repeat” multiplied out; at most 5,000" in error_messages(folder)[0]


@pytest.mark.parametrize("key", ["sums: [{total: a.1, of: [%s]}]", "score: [{label: Points, of: [%s]}]"])
def test_the_terms_of_sums_are_limited(folder, key):
    terms = key % ", ".join(["a.1"] * (limits.TERMS + 1))
    (folder / "sheet.yaml").write_text(f"title: Sheet\nfields: {{a: {{kind: number, count: 9}}}}\n{terms}")
    assert "the rules of this sheet have 1,00" in error_messages(folder)[0]


# ---- tables


def test_a_problem_on_every_line_is_one_message(folder):
    rows = "".join(f"{n},A,pink,1\n" for n in range(19_000))
    (folder / "cards.csv").write_text("id,title,colour,light\n" + rows)
    lines = error_messages(folder, 4.0)
    assert len(lines) == 1
    assert "cards.csv:2: “colour” must be one of" in lines[0]
    assert "(also on lines 3, 4, 5, 6, 7, 8, 9, 10 and 991 more)" in lines[0]


def test_many_misspellings_are_reported_quickly(folder):
    choices = ", ".join(f"choice{n:05}" for n in range(3_000))
    edit(folder / "cards.yaml", "[red, gold, blue]", f"[{choices}]")
    (folder / "cards.csv").write_text("id,title,colour,light\n" + "".join(f"{n},A,chance{n},1\n" for n in range(5_000)))
    lines = error_messages(folder, 6.0)
    assert len(lines) == 20 and lines[-1] == "and 981 more problems"


def test_long_values_are_cut(folder):
    (folder / "cards.csv").write_text(f"id,title,colour,light\n1,A,{'x' * 100_000},1\n")
    assert "not “" + "x" * 59 + "…”" in error_messages(folder)[0]


def test_the_columns_of_a_table_are_limited(folder):
    (folder / "cards.csv").write_text(",".join(["title"] * 201) + "\n")
    assert "cards.csv:1: this table has 201 columns; at most 200" in error_messages(folder)[0]


SHEET = "xl/worksheets/sheet1.xml"
HOSTILE_ROWS = {
    '<row r="9999999"><c r="A9999999"><v>1</v></c></row>': "a cell in row 9,999,999",
    '<row r="3"><c r="XFD3"><v>1</v></c></row>': "a cell in column 16,384",
    "<row>" + "<c><v>1</v></c>" * 300 + "</row>": "a cell in column 201",
    '<row r="100001"><c r="A100001"><v>1</v></c></row>': "a cell in row 100,001",
    "".join(f'<row r="{n}"><c r="GR{n}"><v>1</v></c></row>' for n in range(9, 9_000)): "more than 1,000,000 cells",
    "<x/>" * 260_000: "more than 250,000 cells and other elements",
    '<row r="1e7"><c/></row>': "not readable as XLSX",
    "<row>": "not readable as XLSX",
}


def workbook(folder, change=lambda text: text, compression=zipfile.ZIP_DEFLATED):
    """Writes the deck's table as a workbook whose sheet XML is changed."""
    book = openpyxl.Workbook()
    book.active.append(["id", "title", "colour", "light"])
    book.active.append(["1", "Fog", "red", 1])
    book.save(folder / "plain.xlsx")
    with (
        zipfile.ZipFile(folder / "plain.xlsx") as plain,
        zipfile.ZipFile(folder / "cards.xlsx", "w", compression) as out,
    ):
        for part in plain.infolist():
            text = plain.read(part).decode()
            out.writestr(part.filename, change(text) if part.filename == SHEET else text)
    edit(folder / "cards.yaml", "cards.csv", "cards.xlsx")
    return folder / "cards.xlsx"


@pytest.mark.parametrize("rows", HOSTILE_ROWS, ids=HOSTILE_ROWS.values())
def test_an_oversized_or_damaged_workbook_is_refused(folder, rows):
    workbook(folder, lambda text: text.replace("</sheetData>", rows + "</sheetData>"))
    lines = error_messages(folder)
    assert len(lines) == 1 and "cards.xlsx" in lines[0] and HOSTILE_ROWS[rows] in lines[0]


def test_the_extent_that_a_workbook_claims_is_ignored(folder):
    workbook(folder, lambda text: text.replace('ref="A1:D2"', 'ref="A1:XFD1048576"'))
    assert len(load(str(folder)).components["cards"].cards) == 1


@pytest.mark.parametrize(("offset", "value"), [(10, 99), (9, 8)], ids=["unknown compression", "undecodable name"])
def test_a_damaged_zip_is_refused(folder, offset, value):
    path = workbook(folder)
    raw = bytearray(path.read_bytes())
    entry = raw.rfind(b"PK\1\2", 0, raw.rfind(SHEET.encode()))
    raw[entry + offset] = value
    raw[entry + 46] = 0xFF
    path.write_bytes(raw)
    lines = error_messages(folder)
    assert len(lines) == 1 and "cards.xlsx: not readable as XLSX; save it again, or save it as CSV" in lines[0]


# ---- numbers


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("theme.yaml", "leading: 1.1", "leading: -.inf", "must be a number"),
        ("theme.yaml", "leading: 1.1", "leading: -inf", "must be a number"),
        ("theme.yaml", "leading: 1.1", "leading: nan", "must be a number"),
        ("theme.yaml", "leading: 1.1", "leading: -2", "“leading” must be from 0.5 to 5, not “-2”"),
        ("theme.yaml", "leading: 1.1", "leading: 1000", "“leading” must be from 0.5 to 5"),
        ("theme.yaml", "tracking: 0.4", "tracking: 99999", "“tracking” must be from -5 to 20 mm"),
        ("theme.yaml", "size: 8pt", f"size: {'9' * 400}mm", "a length of at most"),
        ("game.yaml", "players: ", "players: 1-" + "9" * 5_000 + " #", "15 digits"),
        ("game.yaml", "size: poker-mm", "size: poker-mm\n    safe: 1000", "“safe” must be from 0 to 50 mm"),
        ("game.yaml", "size: poker-mm", "size: 90000 x 90000", "at most 1500"),
    ],
)
def test_extreme_numbers_are_refused(folder, file, old, new, message):
    edit(folder / file, old, new)
    assert message in "\n".join(error_messages(folder))
