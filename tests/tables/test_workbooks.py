"""Spreadsheets are read as they are seen: XLSX as Excel writes it, ODS as LibreOffice and Google Sheets do."""

import time
import zipfile
from datetime import datetime
from datetime import time as clock
from pathlib import Path

import openpyxl
import pytest
from openpyxl.utils import get_column_letter

from generator.errors import InputError, summary
from generator.reading.load import load


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def part(name):
    return load(name).components["cards"]


def rows(name):
    return [dict(card.values) for card in part(name).cards]


def problems(name, seconds=2.0):
    start = time.process_time()
    with pytest.raises(InputError) as caught:
        load(name)
    assert time.process_time() - start < seconds
    return [str(problem) for problem in summary(caught.value.problems)]


# ---- XLSX


def book(*table, **formats):
    """Writes cards.xlsx with these rows in the sheet “Deck”; number formats by cell."""
    workbook = openpyxl.Workbook()
    workbook.active.title = "Deck"
    for row in table:
        workbook.active.append(row)
    for cell, pattern in formats.items():
        workbook.active[cell].number_format = pattern
    workbook.save("cards.xlsx")
    return workbook


def changed(**parts):
    """Replaces texts in the parts of cards.xlsx: part="old → new"."""
    with zipfile.ZipFile("cards.xlsx") as archive:
        files = {part.filename: archive.read(part) for part in archive.infolist()}
    with zipfile.ZipFile("cards.xlsx", "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            for part_, (old, new) in parts.items():
                if name.endswith(f"{part_}.xml"):
                    assert old.encode() in content
                    content = content.replace(old.encode(), new.encode())
            archive.writestr(name, content)


@pytest.mark.parametrize(
    "value", ['t="d"><v>PT1H30M', 't="d"><v>2024-13-45', 't="n"><v>abc', 't="s"><v>99', 't="b"><v>x']
)
def test_a_value_that_cannot_be_read_is_named(value):
    book(["Name", "Time"], ["Axe", 1])
    changed(sheet1=('<c r="B2" t="n"><v>1', f'<c r="B2" {value}'))
    assert problems("cards.xlsx") == [
        "cards.xlsx, sheet “Deck”, B2: this cell has no value that can be read; type it again, or save the table as CSV"
    ]


def test_dates_may_be_numbers_since_1904_or_texts():
    dates = datetime(2020, 2, 29, 12), clock(3, 4), datetime(2001, 1, 1)
    book(["Name", "A", "B", "C"], ["x", *dates], B2="yyyy-mm-dd h:mm", C2="h:mm", D2="d mmm yy")
    changed(workbook=("<workbookPr />", '<workbookPr date1904="1" />'))
    assert [*rows("cards.xlsx")[0].values()][1:] == ["2024-03-01 12:00", "3:04", "2 Jan 05"]
    workbook = openpyxl.load_workbook("cards.xlsx")
    workbook.iso_dates = True
    workbook.save("cards.xlsx")
    assert [*rows("cards.xlsx")[0].values()][1:] == ["2024-03-01 12:00", "3:04", "2 Jan 05"]


def test_values_are_read_as_the_sheet_shows_them():
    book(
        ["Name", "Day", "Hour", "Odds", "Price", "Rare", "Number"],
        ["Dragon", datetime(2024, 5, 6), clock(14, 5), 0.25, 3.5, True, 5.0],
        B2="d mmm yyyy", C2="h:mm", D2="0%", E2='"$"0.00',
    )  # fmt: skip
    assert rows("cards.xlsx") == [
        dict(name="Dragon", day="6 May 2024", hour="14:05", odds="25%", price="$3.50", rare="TRUE", number="5")
    ]


def test_the_source_names_the_sheet():
    book(["Name"], ["Dragon"])
    assert part("cards.xlsx").source == "cards.xlsx, sheet “Deck”"


def test_a_bad_cell_is_named_as_the_spreadsheet_counts_it():
    book(["Name", "Qty"], ["Dragon", 1], [], ["Goblin", "many"], ["Ogre", "many"])
    assert problems("cards.xlsx") == [
        "cards.xlsx, sheet “Deck”, B4: “Qty” must be from 0 to 1,000, not “many” (also in B5)"
    ]


def test_cached_results_of_formulas_are_read():
    book(["Name", "Cost"], ["Dragon", "=2+3"])
    changed(sheet1=("<f>2+3</f><v />", "<f>2+3</f><v>5</v>"))
    assert rows("cards.xlsx") == [{"name": "Dragon", "cost": "5"}]


@pytest.mark.parametrize("total", [["Total", "=SUM(B2:B3)"], ["", "=SUM(B2:B3)"], ["Summe:", None, "=SUM(B2:B3)"]])
def test_sums_without_results_are_left_out_like_all_totals(total):
    book(["Name", "Cost", "Qty"], ["Dragon", 1, 2], ["Ogre", 3, 1], ["Elf", 2, 1], total)
    deck = part("cards.xlsx")
    assert len(deck.cards) == 4
    assert "left out: row 5 (" in deck.notes[-1]


def test_a_card_of_formulas_without_results_is_reported():
    book(["Name", "Cost"], ["Dragon", 1], ["=A9", "=B9"], ["Ogre", 3])
    assert "cards.xlsx, sheet “Deck”, A3: this cell has a formula without a result" in problems("cards.xlsx")[0]


@pytest.mark.parametrize("result", ["", "<v />"])
def test_formulas_without_results_are_reported(result):
    book(["Name", "Cost"], ["Dragon", "=2+3"], ["Ogre", "=2+4"])
    changed(sheet1=("<v />", result))
    assert problems("cards.xlsx") == [
        "cards.xlsx, sheet “Deck”, B2: this cell has a formula without a result (also in B3); "
        "open the file in a spreadsheet program and save it there"
    ]


def test_a_formula_may_give_an_empty_text():
    book(["Name", "Cost"], ["Dragon", "=2+3"])
    changed(sheet1=('<c r="B2"><f>2+3</f><v />', '<c r="B2" t="str"><f>2+3</f><v></v>'))
    assert rows("cards.xlsx") == [{"name": "Dragon", "cost": None}]


def test_errors_of_formulas_are_reported():
    book(["Name", "Cost"], ["Dragon", "#REF!"])
    assert "sheet “Deck”, B2: the formula in this cell gives the error #REF!" in problems("cards.xlsx")[0]


def test_a_sheet_called_cards_is_read_first():
    workbook = openpyxl.Workbook()
    for sheet, word in ((workbook.active, "Row Labels"), (workbook.create_sheet("Cards"), "Name")):
        for row in ([word, "Power"], ["Orc", 1], ["Elf", 2]):
            sheet.append(row)
    workbook.save("cards.xlsx")
    assert rows("cards.xlsx")[0] == {"name": "Orc", "power": "1"}


def test_the_first_visible_sheet_with_content_is_read():
    workbook = openpyxl.Workbook()
    workbook.active.title = "Empty"
    for name, state in (("Hidden", "hidden"), ("Deck", "visible"), ("Tokens", "visible")):
        sheet = workbook.create_sheet(name)
        sheet.append(["Name"])
        sheet.append([name])
        sheet.sheet_state = state
    workbook.save("cards.xlsx")
    loaded = part("cards.xlsx")
    assert [card.name for card in loaded.cards] == ["Deck"]
    assert loaded.notes == ("only the sheet “Deck” was read, not the sheet Tokens (--sheet chooses another)",)


@pytest.fixture
def own(folder):
    def write(table):
        (folder / "game.yaml").write_text(
            "title: Own\nplayers: 2\ncomponents: {cards: {kind: deck, title: C, cards: cards.yaml, face: standard}}\n"
        )
        (folder / "cards.yaml").write_text(f"table: {table}\n")
        return [card.name for card in part(".").cards]

    return write


def test_a_sheet_can_be_named(own):
    workbook = book(["Name"], ["A"])
    for cell in ("Name", "B"):
        (workbook["Tokens"] if "Tokens" in workbook.sheetnames else workbook.create_sheet("Tokens")).append([cell])
    workbook.save("cards.xlsx")
    assert own("{file: cards.xlsx, sheet: tokens}") == ["B"]
    with pytest.raises(InputError, match="there is no sheet “Tokn”; did you mean Tokens"):
        own("{file: cards.xlsx, sheet: Tokn}")
    with pytest.raises(InputError, match="there is no sheet “Characters”; known: Deck, Tokens"):
        own("{file: cards.xlsx, sheet: Characters}")


def test_declared_numbers_are_read_from_cells_with_currencies(own, folder):
    book(["Name", "Qty", "Cost", "Odds"], ["A", 2, 1234.5, 0.25], C2='"$"#,##0.00', D2="0%", B2='0.00" pcs"')
    own("cards.xlsx")
    (folder / "cards.yaml").write_text("fields: {cost: {kind: number}}\ntable: cards.xlsx\n")
    cards = part(".").cards
    assert [(card.cost, card.odds) for card in cards] == [(1234.5, "25%")] * 2


def test_hidden_rows_are_left_out_and_hidden_columns_are_not_shown():
    workbook = book(["Name", "Text", "Range", "Draft"], ["A", "a", 1, "x"], ["B", "b", 2, "x"])
    workbook.active.row_dimensions[2].hidden = True
    workbook.active.column_dimensions["D"].hidden = True
    workbook.save("cards.xlsx")
    loaded = part("cards.xlsx")
    assert [dict(card.values) for card in loaded.cards] == [{"name": "B", "text": "b", "range": "2", "draft": "x"}]
    assert [column.name for column in loaded.columns.rest] == ["range"]
    assert loaded.notes == ("1 hidden row left out",)


def test_a_cell_merged_over_rows_counts_for_each_of_them():
    workbook = book(["Suit", "Name"], ["Red", "A"], [None, "B"], [None, None], ["Blue", "C"])
    workbook.active.merge_cells("A2:A4")
    workbook.save("cards.xlsx")
    assert [(card.suit, card.name) for card in part("cards.xlsx").cards] == [("Red", "A"), ("Red", "B"), ("Blue", "C")]


def test_line_breaks_and_escapes_in_cells():
    book(["Name", "Text"], ["A", "one\r\ntwo_x000D_\n"])
    assert rows("cards.xlsx")[0]["text"] == "one\ntwo"


def test_a_title_over_the_table_is_skipped():
    book(["My game"], [], ["Name", "Cost"], ["Dragon", 5])
    assert rows("cards.xlsx") == [{"name": "Dragon", "cost": "5"}]


def test_formatted_cells_at_the_end_of_the_sheet_are_ignored():
    book(["Name"], ["Dragon"])
    changed(
        sheet1=(
            "</sheetData>",
            '<row r="1048576" hidden="1"><c r="A1048576" s="0"/><c r="XFD1048576"/></row></sheetData>',
        )
    )
    assert rows("cards.xlsx") == [{"name": "Dragon"}]


def test_a_picture_in_the_workbook_does_not_make_it_too_large():
    book(["Name"], ["Dragon"])
    with zipfile.ZipFile("cards.xlsx", "a", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("xl/media/image1.png", bytes(40_000_000))
    assert rows("cards.xlsx") == [{"name": "Dragon"}]


MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
EXCEL = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    '<Override PartName="/xl/workbook.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/>'
    '<Override PartName="/xl/worksheets/sheet1.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/>'
    '<Override PartName="/xl/sharedStrings.xml" ContentType='
    '"application/vnd.openxmlformats-officedocument.spreadsheetml.sharedStrings+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook {MAIN} xmlns:r="{OFFICE}"><workbookPr date1904="1"/>'
    '<sheets><sheet name="Karten" sheetId="1" r:id="rId1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
    f'<Relationship Id="rId1" Type="{OFFICE}/worksheet" Target="/xl/worksheets/sheet1.xml"/>'
    f'<Relationship Id="rId2" Type="{OFFICE}/sharedStrings" Target="sharedStrings.xml"/></Relationships>',
    "xl/sharedStrings.xml": f'<sst {MAIN} count="4" uniqueCount="4"><si><t>Name</t></si><si><t>Text</t></si>'
    '<si><r><rPr><b/></rPr><t xml:space="preserve">Dra </t></r><r><t>gon</t></r></si>'
    "<si><t>Fly&#10;on_x000D_\nnow</t></si></sst>",
    "xl/worksheets/sheet1.xml": f'<worksheet {MAIN}><dimension ref="A1"/><sheetData>'
    '<row r="2" spans="2:3"><c r="B2" t="s"><v>0</v></c><c r="C2" t="s"><v>1</v></c></row>'
    '<row r="4" ht="30"><c r="B4" t="s"><v>2</v></c><c r="C4" t="s"><v>3</v></c></row>'
    '<row r="5"><c r="B5" t="str"><f>"O"&amp;"gre"</f><v>Ogre</v></c><c r="C5" t="e"><v>#REF!</v></c></row>'
    "</sheetData></worksheet>",
}
"""A workbook as Excel writes it: shared strings, cells away from A1, absolute paths, no styles."""


def test_a_workbook_as_excel_writes_it():
    with zipfile.ZipFile("cards.xlsx", "w") as archive:
        for name, content in EXCEL.items():
            archive.writestr(name, content)
    assert problems("cards.xlsx")[0].startswith("cards.xlsx, sheet “Karten”, C5: the formula in this cell gives")
    changed(sheet1=("#REF!", "#N/A"))
    assert rows("cards.xlsx")[1] == {"name": "Ogre", "text": None}
    changed(sheet1=('<c r="C5" t="e"><v>#N/A</v></c>', '<c r="C5"><v>2.5</v></c>'))
    assert rows("cards.xlsx") == [{"name": "Dra gon", "text": "Fly\non\nnow"}, {"name": "Ogre", "text": "2.5"}]


# ---- ODS


NAMESPACES = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in [*((same, same) for same in ("office", "table", "text", "style")), ("draw", "drawing")]
)
END = (
    '<table:table-row table:number-rows-repeated="1048570">'
    '<table:table-cell table:number-columns-repeated="16384"/></table:table-row>'
)
"""How LibreOffice ends a sheet."""


def cell(text="", **attributes):
    written = "".join(f' {name.replace("__", ":").replace("_", "-")}="{value}"' for name, value in attributes.items())
    body = "".join(f"<text:p>{line}</text:p>" for line in text.split("\n")) if text else ""
    return f"<table:table-cell{written}>{body}</table:table-cell>"


def row(*cells, **attributes):
    written = "".join(f' {name.replace("__", ":").replace("_", "-")}="{value}"' for name, value in attributes.items())
    inside = "".join(piece if piece.startswith("<") else cell(piece) for piece in cells)
    return (
        f'<table:table-row{written}>{inside}<table:table-cell table:number-columns-repeated="16380"/></table:table-row>'
    )


def ods(*table, before="", after=END, name="Deck", prolog="", more=""):
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?>{prolog}<office:document-content {NAMESPACES} '
        'xmlns:calcext="urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0">'
        f'<office:automatic-styles><style:style style:name="ta2" style:family="table">'
        f'<style:table-properties table:display="false"/></style:style></office:automatic-styles>'
        f"<office:body><office:spreadsheet>"
        f'<table:table table:name="{name}" table:style-name="ta1">{before}{"".join(table)}{after}</table:table>{more}'
        "</office:spreadsheet></office:body></office:document-content>"
    )
    with zipfile.ZipFile("cards.ods", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)


def test_ods_shows_what_libreoffice_shows():
    ods(
        row("Name", "Day", "Price", "Text", "Cost"),
        row(
            "Dragon",
            cell("6 May 2024", office__value_type="date", office__date_value="2024-05-06"),
            cell("€ 3.50", office__value_type="currency", office__value="3.5"),
            '<table:table-cell><text:p>Fly<text:s text:c="2"/><text:span>and</text:span><text:line-break/>burn</text:p>'
            "<text:p>twice</text:p></table:table-cell>",
            cell("5", table__formula="of:=2+3", office__value_type="float", office__value="5"),
        ),
    )
    assert rows("cards.ods") == [
        {"name": "Dragon", "day": "6 May 2024", "price": "€ 3.50", "text": "Fly  and\nburn\ntwice", "cost": "5"}
    ]


def test_ods_cells_and_rows_that_repeat_are_read_as_often():
    ods(
        row("Name", "Cost", "Range"),
        row("Dragon", cell("2", table__number_columns_repeated="2"), table__number_rows_repeated="3"),
    )
    assert rows("cards.ods") == [{"name": "Dragon", "cost": "2", "range": "2"}] * 3


def test_a_title_over_an_ods_table_is_skipped():
    ods(row(cell("My game")), row(), row(cell("Name"), cell("Cost")), row(cell("Dragon"), cell("5")))
    assert rows("cards.ods") == [{"name": "Dragon", "cost": "5"}]


def test_ods_places_count_repeated_blank_rows():
    ods(
        row("Name", "Qty"),
        '<table:table-row table:number-rows-repeated="3"><table:table-cell/></table:table-row>',
        row("Ogre", "many"),
    )
    assert problems("cards.ods") == ["cards.ods, sheet “Deck”, B5: “Qty” must be from 0 to 1,000, not “many”"]


def test_ods_comments_and_pictures_are_not_texts():
    ods(
        row("Name"),
        row(
            "<table:table-cell><office:annotation><text:p>check</text:p></office:annotation><text:p>Dragon</text:p>"
            "<draw:frame><draw:text-box><text:p>box</text:p></draw:text-box></draw:frame></table:table-cell>"
        ),
        before="<table:shapes><draw:frame><text:p>shape</text:p></draw:frame></table:shapes>",
    )
    assert rows("cards.ods") == [{"name": "Dragon"}]


def test_ods_errors_and_missing_results_are_reported():
    ods(
        row("Name", "Cost"),
        row(
            "A", cell("#REF!", table__formula="of:=[.#REF!]", office__value_type="string", calcext__value_type="error")
        ),
        row("B", cell("Err:508", table__formula="of:=(", calcext__value_type="error")),
        row("C", cell("", table__formula="of:=1+1")),
        row("D", cell("", table__formula="of:=IF(1;&quot;&quot;)", office__value_type="string")),
    )
    lines = problems("cards.ods")
    assert [line.partition(";")[0] for line in lines] == [
        "cards.ods, sheet “Deck”, B2: the formula in this cell gives the error #REF!",
        "cards.ods, sheet “Deck”, B3: the formula in this cell gives the error Err:508",
        "cards.ods, sheet “Deck”, B4: this cell has a formula without a result",
    ]


def test_ods_hidden_sheets_rows_and_columns_and_merged_cells():
    tokens = (
        '<table:table table:name="Tokens">' + row("Name") + row("Token") + "</table:table>"
        '<table:table table:name="Secret" table:style-name="ta2">' + row("Name") + row("S") + "</table:table>"
    )
    ods(
        row("Suit", "Name", "Draft"),
        row(cell("Red", table__number_rows_spanned="2"), "A", "x"),
        row("<table:covered-table-cell/>", "B", "x"),
        row("Blue", "C", "x", table__visibility="filter"),
        before='<table:table-column table:number-columns-repeated="2"/>'
        '<table:table-column table:visibility="collapse"/>',
        more=tokens,
    )
    loaded = part("cards.ods")
    assert [(card.suit, card.name) for card in loaded.cards] == [("Red", "A"), ("Red", "B")]
    assert loaded.columns.rest == ()
    assert loaded.notes == (
        "1 hidden row left out",
        "only the sheet “Deck” was read, not the sheet Tokens (--sheet chooses another)",
    )


# ---- hostile and damaged files


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ([row("Name", cell("x", table__number_columns_repeated="16384"))], "a cell in column 16,385"),
        ([row("Name"), row("x", table__number_rows_repeated="1048576")], "a cell in row 1,048,577"),
        ([row(*["Name"] * 100), row(*["x"] * 100, table__number_rows_repeated="15000")], "more than 1,000,000 cells"),
        ([row("<table:table-cell><table:table/></table:table-cell>")], "a table inside another table"),
        ([row("Name"), row(*["x"] * 150)] + [row(*["x"] * 150)] * 900, "more than 250,000 cells and other elements"),
        (["<table:table-row>"], "not readable as ODS"),
        ([row("Name", cell("x", table__number_columns_repeated="many"))], "not readable as ODS"),
    ],
)
def test_an_oversized_or_damaged_ods_file_is_refused(table, message):
    ods(*table)
    (line,) = problems("cards.ods")
    assert line.startswith("cards.ods") and message in line


def test_cells_belong_to_one_row_however_rows_are_nested():
    """Else every cell in a file of 200,000 nested rows is read 200,000 times."""
    book(["Name"], ["Dragon"])
    changed(sheet1=("</sheetData>", "<row>" * 40 + '<c t="str"><v>Ogre</v></c>' + "</row>" * 40 + "</sheetData>"))
    assert rows("cards.xlsx") == [{"name": "Dragon"}, {"name": "Ogre"}]


def test_entities_are_refused():
    bomb = "<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;&a;&a;'>]>"
    ods(row("Name"), row("&b;"), prolog=bomb)
    assert "declares XML entities" in problems("cards.ods")[0]


def test_a_zip_bomb_is_refused():
    ods(row("Name"), row("x" * 40_000_000))
    assert "unpacks to more than 32 MB" in problems("cards.ods")[0]


def test_a_huge_cell_is_refused_quickly():
    book(["Name", "Text"], ["A", "x" * 32_000])
    assert len(rows("cards.xlsx")[0]["text"]) == 32_000
    changed(sheet1=("x" * 32_000, "x" * 30_000_000))
    message = "sheet “Deck”, B2: this cell has more than 131,072 characters; shorten it"
    assert message in problems("cards.xlsx")[0]
    ods(row("Name", "Text"), row("A", "x" * 30_000_000))
    assert message in problems("cards.ods")[0]


@pytest.mark.parametrize("name", ["cards.xlsx", "cards.ods"])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not readable as"),
        (b"Name,Text\n", "not readable as"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1", "this is an old Excel file (.xls), or it has a password"),
    ],
)
def test_a_file_that_is_not_a_workbook(folder, name, content, message):
    (folder / name).write_bytes(content)
    assert message in problems(name)[0]


def test_five_hundred_cards_are_read_in_a_second():
    names = [f"Column {number}" for number in range(12)]
    book(names, *([f"{n} {name}" for name in names] for n in range(500)))
    start = time.process_time()
    assert len(rows("cards.xlsx")) == 500 and get_column_letter(12) == "L"
    assert time.process_time() - start < 2


# ---- decimal commas


@pytest.mark.parametrize(
    ("headings", "texts", "note"),
    [
        (
            "Name Preis Gewicht",
            ["1.234,50", "0,5", "6.5.2024"],
            "as in German, because the headings are German: 1.234,50",
        ),
        (
            "Nome Prezzo Peso",
            ["1.234,50", "0,5", "6.5.2024"],
            "as in Italian, because the headings are Italian: 1.234,50",
        ),
        (
            "Nom Prix Poids",
            ["1\xa0234,50", "0,5", "6.5.2024"],
            "as in French, because the headings are French: 1\xa0234,50",
        ),
        ("Name Price Weight", ["1,234.50", "0.5", "6.5.2024"], ""),
        ("Nombre Precio Peso", ["1,234.50", "0.5", "6.5.2024"], ""),
        ("Name Preis(CHF) Gewicht", ["1,234.50", "0.5", "6.5.2024"], ""),
        ("Name Preis($) Gewicht", ["1,234.50", "0.5", "6.5.2024"], ""),
    ],
)
def test_numbers_are_written_as_in_the_language_of_the_headings(headings, texts, note):
    book([*headings.split(), "X"], ["Axe", 1234.5, 0.5, datetime(2024, 5, 6)], B2="#,##0.00", D2="d.m.yyyy")
    assert [*rows("cards.xlsx")[0].values()][1:] == texts
    assert part("cards.xlsx").notes == ((f"numbers are written {note}",) if note else ())


def test_a_number_counts_as_it_is_not_as_it_is_shown(folder):
    book(["Name", "Kosten"], ["Axe", 1234], B2="#,##0")
    (folder / "game.yaml").write_text(
        "title: G\nplayers: 1\ncomponents:\n"
        "  deck: {kind: deck, title: D, cards: cards.yaml, face: standard, size: poker}\n"
    )
    (folder / "cards.yaml").write_text("fields: {kosten: {kind: number}}\ntable: cards.xlsx\n")
    assert load(".").components["deck"].cards[0].values["kosten"] == 1234


# ---- several worksheets


def sheets(**tables):
    """Writes cards.xlsx with these worksheets."""
    workbook = openpyxl.Workbook()
    workbook.remove(workbook.active)
    for name, table in tables.items():
        sheet = workbook.create_sheet(name.replace("_", " "))
        for row in table:
            sheet.append(row)
    workbook.save("cards.xlsx")


def test_worksheets_with_the_same_headings_are_one_deck():
    head = ["Frage", "Antwort"]
    sheets(Klasse_5=[["Quiz 2024"], head, ["1?", "a"], ["2?", "b"]], Klasse_6=[head, ["3?", "c"], ["4?", "d"]])
    assert [[*row.values()] for row in rows("cards.xlsx")] == [
        ["1?", "a", "Klasse 5"],
        ["2?", "b", "Klasse 5"],
        ["3?", "c", "Klasse 6"],
        ["4?", "d", "Klasse 6"],
    ]
    assert part("cards.xlsx").columns.type == "type"
    assert part("cards.xlsx").notes == (
        "the sheets “Klasse 5”, “Klasse 6” have the same headings and were read as one, with their names as the "
        "types of the cards (--sheet chooses one)",
    )


def test_cells_of_several_worksheets_are_named_by_their_own():
    sheets(Tabelle1=[["Name", "Qty"], ["Axe", 1], ["Bow", 2]], Tabelle2=[["Name", "Qty"], ["Cup", 1], ["Dog", "two"]])
    assert problems("cards.xlsx") == ["cards.xlsx, sheet “Tabelle2”, B3: “Qty” must be from 0 to 1,000, not “two”"]


def test_names_given_by_a_program_are_no_types():
    sheets(Sheet1=[["Name", "Text"], ["Axe", "x"], ["Bow", "y"]], Sheet2=[["Name", "Text"], ["Cup", "z"], ["Dog", "w"]])
    assert [[*row.values()] for row in rows("cards.xlsx")] == [["Axe", "x"], ["Bow", "y"], ["Cup", "z"], ["Dog", "w"]]


@pytest.mark.parametrize(
    "other",
    [
        [["Name", "Text"], ["Axe", "x"], ["Bow", "y"], ["Cup", "new"]],  # an older version
        [["Name", "Stein"], ["Hof", "2"], ["Turm", "3"]],
    ],
)
def test_other_worksheets_are_named(other):
    sheets(Deck=[["Name", "Text"], ["Axe", "x"], ["Bow", "y"]], Other=other)
    assert [row["name"] for row in rows("cards.xlsx")] == ["Axe", "Bow"]
    assert part("cards.xlsx").notes == (
        "only the sheet “Deck” was read, not the sheet Other (--sheet chooses another)",
    )


# ---- web pages


def page(html):
    Path("cards.html").write_text(f"<title>Cards</title><body>{html}", encoding="utf-8")
    return [[*row.values()] for row in rows("cards.html")]


HEAD = "<tr><th>Name<th>Cost<th>Text</tr>"


@pytest.mark.parametrize(
    ("cells", "card"),
    [
        ("<td>Axe</td><td>3</td><td>Hits\n hard.</td>", ["Axe", "3", "Hits hard."]),
        ("<td>Axe<td>3<td>Hits", ["Axe", "3", "Hits"]),
        ("<TD><B>Axe</B><TD><p>3</p><TD>A <b>b</b> <a href=x>c</a>", ["Axe", "3", "A **b** c"]),
        ("<td>R&amp;D &lt;b&gt;<td>&euro;3<td>&amp;amp;", ["R&D <b>", "€3", "&amp;"]),
        ("<td>Axe<td colspan=2>3", ["Axe", "3", None]),
        ("<td>Axe<td><td>one<br>two<script>alert(1)</script>", ["Axe", None, "one\ntwo"]),
        ("<td>Axe<td><td><ul><li>one</li><li>two</li></ul>", ["Axe", None, "• one\n• two"]),
        ('<td>Axe<td>3<td>m<sup>2</sup><sup class="reference">[1]</sup>', ["Axe", "3", "m²"]),
        ('<td>Axe<span style="display: none">x<span>y</span></span><td>3<td>z', ["Axe", "3", "z"]),
    ],
)
def test_a_table_of_a_page(cells, card):
    assert page(f"<table>{HEAD}<tr>{cells}</table>") == [card]


def test_rows_that_a_cell_spans():
    text = "<tr><td rowspan=2>Axe<td>3<td>a<tr><td>4<td>b<tr><td>Bow<td>1<td rowspan=99>c"
    assert page(f"<table>{HEAD}{text}</table>") == [["Axe", "3", "a"], ["Axe", "4", "b"], ["Bow", "1", "c"]]


def test_the_largest_table_of_a_page_is_read():
    menu = "<table><tr><td>Home<td>About</table>"
    cards = "".join(f"<tr><td>{name}<td>1<td>x" for name in "ABCDE")
    assert len(page(f"{menu}<table><tr><td>{menu}<table>{HEAD}{cards}</table></table>")) == 5
    assert part("cards.html").notes[0] == (
        "only the table “Table 4” was read, not the tables Table 1, Table 3 (--sheet chooses another)"
    )


def test_one_of_several_tables_must_be_chosen():
    with pytest.raises(InputError) as caught:
        page("<table><tr><th>A<th>B<tr><td>x<td>1</table><table><tr><th>C<th>D<tr><td>y<td>2<tr><td>z<td>3</table>")
    assert str(caught.value) == (
        "cards.html: this page has several large tables; choose one with --sheet: Table 1 (2 rows), Table 2 (3 rows)"
    )
    with pytest.raises(InputError, match="this page has no table"):
        page("<p>Hello")


def test_the_encoding_that_a_page_states():
    html = f'<meta charset="windows-1250"><table>{HEAD}<tr><td>Łoś<td>1<td>ż</table>'
    Path("cards.html").write_bytes(html.encode("cp1250"))
    assert rows("cards.html") == [{"name": "Łoś", "cost": "1", "text": "ż"}]


@pytest.mark.parametrize(
    "text", ["<" * 99_000, "<!--" * 60_000, "<a b='" * 60_000, "<a " * 60_000, "<td colspan=9999>" * 9_000]
)
def test_a_hostile_page_is_refused_quickly(text):
    Path("cards.html").write_text("<table><tr>" + text)
    problems("cards.html")
