"""Writes the decks that are not plain UTF-8 files, as the programs save them, and a deck of 500 cards. Each function
returns the texts that the cards must show, card by card."""

import zipfile
from pathlib import Path
from xml.sax.saxutils import escape

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
OFFICE = "application/vnd.openxmlformats-"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
FORMATS = (0, 14, 9, 164, 165)
GENERAL, DAY, PERCENT, COINS, LONG_DAY = range(len(FORMATS))
"""Positions of the number formats in styles.xml."""
TOPICS = ("River", "Bridge", "Planet", "Painter", "Metal", "Island", "Comet", "Novel", "Bird", "Engine")


def trivia(folder: Path) -> list[list[str]]:
    """150 cards separated by tabs."""
    rows = []
    for number in range(1, 151):
        topic = TOPICS[number % len(TOPICS)]
        rows.append([f"{topic} number {number}", topic, f"What sets {topic.lower()} {number} apart from the rest?"])
    lines = ["id\tTitle\tCategory\tText", *(f"q{n:03}\t" + "\t".join(row) for n, row in enumerate(rows, 1))]
    (folder / "trivia.tsv").write_text("\n".join(lines) + "\n", "utf-8")
    return rows


def excel_unicode_text(folder: Path) -> list[list[str]]:
    """“Unicode Text” of Excel: UTF-16 with a byte order mark, tabs, CR LF, quotes only where they are needed."""
    text = (
        "Name\tCost\tQty\tRules Text\r\n"
        'Łódź Express\t3\t2\t"Move two cities, then say ""all aboard""."\r\n'
        'Ærø Ferry\t1\t1\t"Cross one strait.\nLose a turn in winter."\r\n'
        "Θήβα\t4\t1\tAnswer a riddle or go back.\r\n"
    )
    (folder / "railways.txt").write_bytes(text.encode("utf-16"))
    return [
        ["Łódź Express", "3", 'Move two cities, then say "all aboard".'],
        ["Ærø Ferry", "1", "Cross one strait.", "Lose a turn in winter."],
        ["Θήβα", "4", "Answer a riddle or go back."],
    ]


def excel_for_mac(folder: Path) -> list[list[str]]:
    """“CSV (Macintosh)” of Excel: lines that end in a carriage return alone."""
    lines = ("Potion,Price,Effect", "Red Draught,$4.50,Heal 3", 'Black Draught,$12.00,"Poison, 2"')
    (folder / "potions.csv").write_bytes("".join(f"{line}\r" for line in lines).encode())
    return [["Red Draught", "$4.50", "Heal 3"], ["Black Draught", "$12.00", "Poison, 2"]]


def excel(folder: Path) -> list[list[str]]:
    """Two worksheets of Excel, with dates, percentages, a currency and formulas with their results."""
    texts: list[str] = []
    cards = [
        ["Name", "Price", "Qty", "Released", "Odds", "Text", "Total"],
        ["Blue Lantern", (1234.5, COINS), (2, GENERAL), (45418, LONG_DAY), (0.25, PERCENT),
         "Counts twice at night.", (2469, COINS, "B2*C2")],
        ["Red Lantern", (3, COINS), (1, GENERAL), (45292, LONG_DAY), (0.075, PERCENT),
         ("Worth 3 coins.", GENERAL, '"Worth "&B3&" coins."'), (3, COINS, "B3*C3")],
        ["Grey Lantern", (0.5, COINS), (4, GENERAL), (45306, DAY), (1, PERCENT), "Never lit.", (2, COINS, "B4*C4")],
    ]  # fmt: skip
    notes = [["To do"], ["Ask Ada about the art"]]
    _workbook(folder / "lanterns.xlsx", {"Cards": _sheet(cards, texts), "Notes": _sheet(notes, texts)}, texts)
    return [
        ["Blue Lantern", "$1,234.50", "6 May 2024", "25%", "Counts twice at night.", "$2,469.00"],
        ["Red Lantern", "$3.00", "1 January 2024", "8%", "Worth 3 coins."],
        ["Grey Lantern", "$0.50", "2024-01-15", "100%", "Never lit.", "$2.00"],
    ]


def google_sheets(folder: Path) -> list[list[str]]:
    """Google Sheets: tick boxes, whole numbers written 2.0, and empty cells with a format down to row 1000."""
    texts: list[str] = []
    rows = [
        ["Card", "Copies", "Effect", "Attack", "Solo", None, None],
        ["Night Watch", ("2.0", GENERAL), "“Who goes there?”\nLook at one hand.", ("3.0", GENERAL), True, None, None],
        ["Old Friend", ("1.0", GENERAL), "Take back a card you’ve lost.", ("-1.0", GENERAL), False, None, None],
    ]
    after = "".join(
        f'<row r="{row}" ht="15.75" customHeight="1"><c r="A{row}" s="0"/><c r="G{row}" s="0"/></row>'
        for row in range(4, 1001)
    )
    _workbook(folder / "watch.xlsx", {"Sheet1": _sheet(rows, texts, after)}, texts)
    return [
        ["Night Watch", "“Who goes there?”", "Look at one hand.", "3", "TRUE"],
        ["Old Friend", "Take back a card you’ve lost.", "-1", "FALSE"],
    ]


def libreoffice(folder: Path) -> list[list[str]]:
    """LibreOffice: rows and columns that repeat, down to the very end of the sheet, a date, and two paragraphs."""
    names = ("office", "table", "text")
    spaces = " ".join(f'xmlns:{name}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"' for name in names)
    twice = 'office:value-type="float" office:value="{}" table:number-columns-repeated="2"'
    date = 'office:value-type="date" office:date-value="2024-05-03"'
    blank = '<table:table-cell table:number-columns-repeated="16384"/>'

    def cell(text: str, attributes: str = 'office:value-type="string"') -> str:
        paragraphs = "".join(f"<text:p>{escape(line)}</text:p>" for line in text.splitlines())
        return f"<table:table-cell {attributes}>{paragraphs}</table:table-cell>"

    def row(*cells: str, repeated: int = 1) -> str:
        return f'<table:table-row table:number-rows-repeated="{repeated}">{"".join(cells)}</table:table-row>'

    rows = [
        row(*map(cell, ["Title", "Count", "Strength", "Text", "First seen"]), blank.replace("16384", "16379")),
        row(cell("Storm"), cell("2", twice.format(2)), cell("Choose one:\ndraw two cards"), cell("03/05/24", date)),
        row(blank, repeated=3),
        row(cell("Calm & Clear"), cell("1", twice.format(1)), cell("Rest.")),
        row(blank, repeated=1048570),
    ]
    content = (
        f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {spaces} office:version="1.3"><office:body>'
        f'<office:spreadsheet><table:table table:name="Weather">{"".join(rows)}</table:table></office:spreadsheet>'
        "</office:body></office:document-content>"
    )
    with zipfile.ZipFile(folder / "weather.ods", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("mimetype", "application/vnd.oasis.opendocument.spreadsheet", zipfile.ZIP_STORED)
        archive.writestr("content.xml", content)
    return [["Storm", "2", "Choose one:", "draw two cards", "03/05/24"], ["Calm & Clear", "1", "Rest."]]


def _sheet(rows: list[list[object]], texts: list[str], after: str = "") -> str:
    """A worksheet. Texts are shared; (number, format) is a number, (result, format, formula) a formula."""

    def cell(value: object, at: str) -> str:
        match value:
            case None:
                return f'<c r="{at}" s="0"/>'
            case bool():
                return f'<c r="{at}" t="b"><v>{int(value)}</v></c>'
            case str():
                if value not in texts:
                    texts.append(value)
                return f'<c r="{at}" t="s"><v>{texts.index(value)}</v></c>'
            case (result, style, *formula):
                kind = ' t="str"' if formula and isinstance(result, str) else ""
                written = "".join(f"<f>{escape(part)}</f>" for part in formula)
                return f'<c r="{at}" s="{style}"{kind}>{written}<v>{result}</v></c>'
        raise TypeError(value)

    body = "".join(
        f'<row r="{number}" spans="1:{len(row)}">'
        + "".join(cell(value, f"{'ABCDEFG'[place]}{number}") for place, value in enumerate(row))
        + "</row>"
        for number, row in enumerate(rows, 1)
    )
    return f'<worksheet xmlns="{MAIN}"><sheetData>{body}{after}</sheetData></worksheet>'


def _workbook(path: Path, sheets: dict[str, str], texts: list[str]) -> None:
    """An XLSX file with shared texts and the number formats above."""
    numbered = [*enumerate(sheets, 1)]
    kinds = {"workbook": "sheet.main", "styles": "styles", "sharedStrings": "sharedStrings"}
    kinds |= {f"worksheets/sheet{number}": "worksheet" for number, _ in numbered}
    overrides = "".join(
        f'<Override PartName="/xl/{name}.xml" ContentType="{OFFICE}officedocument.spreadsheetml.{kind}+xml"/>'
        for name, kind in kinds.items()
    )
    targets = [("worksheet", f"worksheets/sheet{number}.xml") for number, _ in numbered]
    targets += [("styles", "styles.xml"), ("sharedStrings", "sharedStrings.xml")]
    links = "".join(
        f'<Relationship Id="rId{number}" Type="{DOCUMENT}/{kind}" Target="{target}"/>'
        for number, (kind, target) in enumerate(targets, 1)
    )
    sheet_list = "".join(f'<sheet name="{name}" sheetId="{n}" r:id="rId{n}"/>' for n, name in numbered)
    formats = "".join(
        f'<xf numFmtId="{number}" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/>'
        for number in FORMATS
    )
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{TYPES}"><Default Extension="rels" '
        f'ContentType="{OFFICE}package.relationships+xml"/>{overrides}</Types>',
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="rId1" Type="{DOCUMENT}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{DOCUMENT}"><sheets>{sheet_list}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}">{links}</Relationships>',
        "xl/styles.xml": f'<styleSheet xmlns="{MAIN}"><numFmts count="2">'
        '<numFmt numFmtId="164" formatCode="&quot;$&quot;#,##0.00"/>'
        '<numFmt numFmtId="165" formatCode="d\\ mmmm\\ yyyy"/>'
        '</numFmts><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>'
        '<fills count="1"><fill><patternFill patternType="none"/></fill></fills><borders count="1"><border/></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        f'<cellXfs count="{len(FORMATS)}">{formats}</cellXfs></styleSheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}" count="{len(texts)}" uniqueCount="{len(texts)}">'
        + "".join(f'<si><t xml:space="preserve">{escape(text)}</t></si>' for text in texts)
        + "</sst>",
        **{f"xl/worksheets/sheet{number}.xml": sheets[name] for number, name in numbered},
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in parts.items():
            archive.writestr(name, HEAD + content)
