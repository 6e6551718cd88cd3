"""Reads delimited text files, such as CSV and TSV, as grids. Recognises the encoding of one that is not in Unicode, if
its bytes leave no doubt."""

from __future__ import annotations

import codecs
import csv
import re
import unicodedata
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from io import BytesIO, TextIOWrapper
from itertools import dropwhile, groupby, islice, pairwise, takewhile, zip_longest
from pathlib import Path
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from .. import limits, nodes
from ..errors import InputError, Place, Problem, did_you_mean, fault, listed, refuse, shortened
from .cell_texts import is_list_of_copies
from .grid import CellGrid, clean
from .headings import are_two_sides, has_meaning
from .table_rows import GridRow, filled, is_number, is_rule

_DELIMITERS = {",": "a comma", ";": "a semicolon", "\t": "a tab", "|": "a vertical bar"}
_NO_DELIMITER = "\x1f"
_SNIFFED_ROWS = 100
_TITLED = 0.66  # the least share of rows with equally many columns below titles and comments
_CHARACTERS = 1 << 16  # how much of a text is decoded at a time to find its encoding
_MAX_SEPARATORS = 10_000  # the maximum number of separators in a line; some of them may be inside texts
# What stands before the headings in a text from Anki.
_ANKI_HEADINGS = re.compile(rb"\A((?:\xef\xbb\xbf)?#separator:.*\n(?:#.*\n)*?)#columns:")
# A quoted cell after a space.
_SPACED = re.compile(rb'[,;|] +"[^"\n]*" *(?:[,;|\r\n]|\Z)')
# A line between the rows of a table that is drawn with bars, and one below headings that are set in columns.
_RULE = re.compile(r"[-=:|+\s]*(?:--|==|-[\s:]*\|)[-=:|+\s]*")
_UNDERLINE = re.compile(r" *[-=]{2,}(?: +[-=]{2,})+ *")
_BAR = re.compile(r"(?<!\\)\|")
_LAST_BAR = re.compile(r"(?<!\\)\|\s*$")
_BOX = {code: "|" if chr(code) in "│┃║" else "-" for code in range(0x2500, 0x2580)}
_GAP = re.compile(r"\S {2,}\S|^ {2,}\S")
_USUAL = 0.8  # the least share of lines with several columns in a text with columns
_MAX_WIDTH = 2_000  # of a line of such a text
_MAX_DRAWN = 1 << 20  # the bytes of a text in which columns are looked for, at most
_Line = tuple[int, str]
_SEPARATOR_LINE = re.compile(r'"?sep=([^\w\s"\']|\t)"?[ \t]*(?:\r\n?|\n|$)', re.IGNORECASE)
_SIDE = re.compile(r"([^\W\d_]{1,12}) ?[:.)] *(.+)", re.DOTALL)  # a line such as `Q: Who?`
_PARTS = (" - ", " – ", " — ", " = ", " → ", " : ", ": ")  # what may stand between the two parts of a line
_FEW_LINES, _SPLIT = 4, 0.6  # the lines of a list, and the share of them that has two parts, at least
_BULLET = re.compile(r"(?:[-*•–▪]|\d{1,3}[.)])\s+(\S.*)", re.DOTALL)
_OTHER_FORMATS = (
    (b"PK\x03\x04", "this is a spreadsheet or another zip file, not text", "rename it to end in .xlsx or .ods"),
    (b"\xd0\xcf\x11\xe0", "this is an old Excel file (.xls), or it has a password", "save it as .xlsx, without one"),
    (b"%PDF", "this is a PDF, not a table", "save the table as .xlsx, .ods or .csv"),
    (b"{\\rtf", "this is a text document, not a table", "save the table as .xlsx, .ods or .csv"),
)
# Part of a message of Python’s csv module → what is wrong, and how to fix it.
_CSV_ERRORS = {
    "expected after": (
        "there is text after a closing quotation mark",
        'write a quotation mark inside a text twice: "a ""great"" sword"',
    ),
    "unexpected end": ("this quotation mark is never closed", "close it, or write quotation marks inside a text twice"),
    "field larger": (f"a value has more than {limits.CELL_CHARACTERS:,} characters", "close every quotation mark"),
}
ENCODINGS = {
    "cp1252": "Windows-1252",
    "cp1250": "Windows-1250",
    "cp1254": "Windows-1254",
    "cp1251": "Windows-1251",
    "gb18030": "GB18030",
    "cp932": "Shift-JIS",
    "cp949": "Korean (CP949)",
    "mac-roman": "Mac OS Roman",
}
# The letters beyond A to Z of languages that were written in these encodings.
_LATIN = {
    "cp1252": ("äöüß", "àâçéèêëîïôùûüœ", "áéíñóúü", "àèéìíîòóùú", "ãõáéíóúâêôàçü", "åäöæøéü", "áðéíóúýþæö", "éëïöèêü"),
    "cp1250": ("ąćęłńóśźż", "áčďéěíňóřšťúůýžäľĺŕô", "áéíóöőúüű", "čćđšž", "ăâîşţ"),
    "cp1254": ("çğıİöşüâîû",),
    "mac-roman": ("äöüß", "àâçéèêëîïôùûüœ", "áéíñóúü", "àèéìíîòóùú", "åäöæøéü"),
}
_SIGNS = "…–—‘’“”„«»€°"
_CHECKED = 20_000  # the number of bytes that are examined
_SURE = 0.9
# The lead bytes of the more common Chinese characters (GB 2312, level 1); Korean ones in CP949 end at 0xC8.
_COMMON_HANZI = (0xB0, 0xD7)
_LAST_HANGUL = 0xC8
_CYRILLIC = re.compile(r"[А-ЯЁІЇЄҐ]?[а-яёіїєґ’']+|[А-ЯЁІЇЄҐ]+")


class TextForm(Struct, frozen=True):
    """How a text is written: its encoding, what separates its columns, whether they can be in quotation marks, and its
    first line below one such as `sep=;`."""

    encoding: str
    delimiter: str
    quoted: bool = True
    first_line: int = 1


def delimited(path: Path, file_name: str, encoding: str | None = None) -> CellGrid:
    """The rows of a text whose columns are separated by commas (RFC 4180, https://www.rfc-editor.org/rfc/rfc4180),
    tabs, semicolons or vertical bars. Without an `encoding`, it is recognised. Raises InputError."""
    return grid_of(nodes.read_bytes(path, file_name, limits.TABLE_BYTES), file_name, encoding)[0]


def grid_of(raw: bytes, file_name: str, encoding: str | None = None) -> tuple[CellGrid, TextForm]:
    """The rows of a text, as `delimited` reads them, and how it is written. Raises InputError."""
    refuse(Problem(what, Place(file_name), hint) for start, what, hint in _OTHER_FORMATS if raw.startswith(start))
    encoding, note = (checked_encoding(encoding), "") if encoding else encoding_of(raw, file_name)
    text = _Text(_ANKI_HEADINGS.sub(rb"\1", raw), encoding)
    _check_lines(text, file_name)
    if separator_line := _SEPARATOR_LINE.fullmatch(next(text.lines(), "")):
        delimiter, text = separator_line[1], replace(text, first_line=2)
    else:
        delimiter = _delimiter(text, tabs_first=file_name.lower().endswith(".tsv"))
    form = TextForm(encoding, delimiter, first_line=text.first_line)
    if grid := _in_columns(text, file_name, (note,) if note else ()):
        return grid, replace(form, delimiter="|" if grid.separator else _NO_DELIMITER, quoted=False)
    if grid := _listed(text, delimiter, file_name, note):
        return grid, replace(form, delimiter=_NO_DELIMITER, quoted=False)
    try:
        rows = list(_rows(text, delimiter, file_name, spaced=_SPACED.search(raw) is not None))
    except InputError as error:
        if delimiter == "\t":  # as Google Sheets saves TSV
            form, rows = replace(form, quoted=False), list(_rows(text, delimiter, file_name, quoting=csv.QUOTE_NONE))
        else:
            rows = list(_rows(text, delimiter, file_name, strict=False))
            if any("\n" in cell for _, row in rows for cell in row):  # it may have begun below
                raise
            line = error.problems[0].place.line if error.problems[0].place else 1
            note += (
                f"{'; ' * bool(note)}line {line}: the text after a closing quotation mark was read as part of the cell"
            )
    _name_anki_columns(rows)
    notes = (note,) if note else ()
    return CellGrid(file_name, rows, separator=_DELIMITERS.get(delimiter, ""), notes=notes), form


def _listed(text: _Text, delimiter: str, file_name: str, note: str) -> CellGrid | None:
    """A list: lines with bullets or numbers before them, lines of two parts such as `dog - Hund`, which are two
    columns, or lines such as `Q: …` and `A: …` in turn. The headings of its parts are the types of the cards. None for
    any other text."""
    if not file_name.lower().endswith((".txt", ".md")) or len(text.raw) > _MAX_DRAWN or text.first_line > 1:
        return None
    lines = [(number, line.strip()) for number, line in enumerate(text.lines(), 1) if line.strip()]
    notes: tuple[str, ...] = (note,) if note else ()
    if pairs := _questions(lines):
        titles = [(number, [line]) for number, line in lines if number < pairs[1][0]]
        outside = {number: "above the table" for number, _ in titles}
        return CellGrid(file_name, [pairs[0], *titles, *pairs[1:]], notes=notes, headed=True, outside=outside)
    items, sign = _items(lines, delimiter in (",", _NO_DELIMITER))
    if not items or is_list_of_copies([*items.values()]) or (parts := _parts(lines, items)) is None:
        return None
    above = [number for number in items if not parts[number]]
    if len(above) == 1 < len(items) and any(parts.values()):  # a title that looks like an item
        del items[above[0]], parts[above[0]]
    rows = [(number, [*map(str.strip, text.split(sign, 1) if sign else [text])]) for number, text in items.items()]
    in_bold = sign and 2 * sum(row[0].startswith("**") for _, row in rows) > len(rows)
    headings = (["Title", "Text"] if in_bold else ["Front", "Back"]) if sign else ["Title"]
    if any(parts.values()) or in_bold:
        rows = [(number, [row[0].strip("*" * bool(in_bold) or " "), *row[1:], parts[number]]) for number, row in rows]
        rows.insert(0, (lines[0][0] - 1, [*headings, "Type"]))
    if sign:
        notes += (f"each line was split in two at “{sign.strip()}” (to keep lines whole, save them as .csv)",)
    outside = {number: "not in the list" for number, _ in lines if number not in parts}
    rows = sorted([*rows, *((number, [line]) for number, line in lines if number in outside)])
    # the first line of two parts may be a heading, but the first item with a bullet is an item
    headed = bool(any(parts.values()) or in_bold) or (None if sign else False)
    return CellGrid(file_name, rows, notes=notes, headed=headed, outside=outside)


def _items(lines: Sequence[_Line], may_split: bool) -> tuple[dict[int, str], str]:
    """The items of a list by their lines, and the sign between the two parts of each; none for any other text."""
    bullets = {number: match[1] for number, line in lines if (match := _BULLET.fullmatch(line))}
    items = bullets if 2 * len(bullets) >= len(lines) else dict(lines)
    shares = {sign: sum(line.count(sign) == 1 for line in items.values()) / (len(items) or 1) for sign in _PARTS}
    sign = next(
        (sign for sign, share in shares.items() if share >= (1 if sign == ": " or items is bullets else _SPLIT)), ""
    )
    if len(items) < 2 or (items is not bullets and not (sign and may_split and len(items) >= _FEW_LINES)):
        return {}, ""
    return {number: line for number, line in items.items() if sign in line}, sign


def _parts(lines: Sequence[_Line], items: Collection[int]) -> dict[int, str] | None:
    """For each item of a list and each heading above one, the heading of its part; None if other lines stand between
    items. Those above the first heading, and below one that no item follows, belong to no part."""
    parts, part, numbers = dict[int, str](), "", {number for number, _ in lines}
    for (number, line), (following, _) in zip(lines, [*lines[1:], (0, "")], strict=True):
        if number in items:
            parts[number] = part
        elif following in items:
            if number - 1 in numbers and not (line.startswith("#") or line.endswith(":") or line.isupper()):
                return None
            part = parts[number] = line.strip("#*_: ")
    return parts if len({*parts.values()} - {""}) > 1 else dict.fromkeys(items, "")


def _questions(lines: Sequence[_Line]) -> list[GridRow]:
    """The rows of a list in which lines such as `Q: …` and `A: …` alternate, below headings; none for any other."""
    lines = [*dropwhile(lambda each: not _SIDE.fullmatch(each[1]), lines)]  # titles
    sides = [match and match.groups() for match in (_SIDE.fullmatch(line) for _, line in lines)]
    labels = [side[0].lower() if side else "" for side in sides]
    if len(lines) < _FEW_LINES or labels != (labels[:2] * len(labels))[: len(labels)] or not are_two_sides(labels[:2]):
        return []
    pairs = zip_longest(lines[::2], sides[::2], sides[1::2])
    cards = [(line, [side[1] if side else "" for side in pair]) for (line, _), *pair in pairs]
    return [(0, ["Front", "Back"]), *cards]


def _name_anki_columns(rows: list[GridRow]) -> None:
    """Turns the last line above the cards of a text from Anki (https://docs.ankiweb.net/importing/text-files.html) into
    headings, if it has none: the columns that the lines name, and the two sides."""
    above = [row[0] for _, row in takewhile(lambda row: row[1][0].startswith("#"), rows)]
    if above and above[0].startswith("#separator:") and len(above) < len(rows):
        named = dict(re.findall(r"#(\w+) column:(\d+)", "\n".join(above)))
        special, sides = {place: f"Anki {name}" for name, place in named.items()}, iter(("Front", "Back"))
        places = map(str, range(1, max(len(row) for _, row in rows) + 1))
        headings = [special.get(place) or next(sides, f"Field {place}") for place in places]
        if "Back" in headings and len(rows[len(above) - 1][1]) == 1:
            rows[len(above) - 1] = rows[len(above) - 1][0], headings


def _in_columns(text: _Text, file_name: str, notes: tuple[str, ...]) -> CellGrid | None:
    """A table that is drawn with bars or has its columns below each other; None for any other text."""
    if len(text.raw) > _MAX_DRAWN or text.first_line > 1:
        return None
    lines = [(number, line.rstrip()) for number, line in enumerate(text.lines(), 1) if line.strip()]
    return _drawn(lines, file_name, notes) or _aligned(lines, file_name, notes)


def _drawn(lines: Sequence[_Line], file_name: str, notes: tuple[str, ...]) -> CellGrid | None:
    """A table that is drawn with bars and with a line below its headings, as in Markdown or by databases. What stands
    below it, and other tables, are outside."""
    if any(sign in line for _, line in lines for sign in "│┃║"):
        lines = [(number, line.translate(_BOX)) for number, line in lines]
    inside = [(number, line) for number, line in lines if _BAR.search(line) or _RULE.fullmatch(line)]
    blocks = groupby(enumerate(inside), lambda each: each[1][0] - each[0])
    tables = [_drawn_rows([line for _, line in block]) for _, block in blocks]
    first = next((rows for headed, rows in tables if headed), None)
    if first is None or (2 * len(inside) < len(lines) and not file_name.lower().endswith(".md")):
        return None
    outside = {number: "not in the table" for number, _ in {*lines}.difference(inside) if number > first[0][0]}
    for headed, rows in tables:
        outside |= {
            number: "another table" for number, _ in rows if headed and filled(rows[0][1]) != filled(first[0][1])
        }
    cells = {
        number: row for _, rows in tables for number, row in rows if number >= first[0][0] and any(map(str.strip, row))
    }
    kept, headed = {*cells, *outside}, any(map(str.strip, first[0][1]))
    all_rows = [(number, cells.get(number) or [line]) for number, line in lines if number in kept]
    return CellGrid(file_name, all_rows, separator=_DELIMITERS["|"], notes=notes, headed=headed, outside=outside)


def _drawn_rows(block: Sequence[_Line]) -> tuple[bool, list[GridRow]]:
    """Whether a table that is drawn has a line below its first row, and its rows. If lines are below every row, those
    that lack the first cell continue the row above."""
    are_rules = [bool(_RULE.fullmatch(line)) for _, line in block]
    parts = [
        [line for _, line in part]
        for rule, part in groupby(zip(are_rules, block, strict=True), lambda each: each[0])
        if not rule
    ]
    is_grid = len(parts) > 2 and are_rules[0] and are_rules[-1]
    rows = list[GridRow]()
    for part in parts:
        for number, line in part:
            row = [cell.replace("\\|", "|") for cell in _BAR.split(_LAST_BAR.sub("", line))]
            if is_grid and not row[1].strip() and (number, line) != part[0]:
                row = [
                    f"{above.strip()} {cell.strip()}".strip()
                    for above, cell in zip_longest(rows.pop()[1], row, fillvalue="")
                ]
                number = part[0][0]
            rows.append((number, row))
    return len(parts) > 1 and (len(parts[0]) == 1 or is_grid), rows


def _aligned(lines: Sequence[_Line], file_name: str, notes: tuple[str, ...]) -> CellGrid | None:
    """A table whose columns stand below each other, with at least two spaces between them in most lines, perhaps with
    its headings underlined. Lines that lack the first cell and another one continue the row above."""
    under = next((index for index, (_, line) in enumerate(lines) if index and _UNDERLINE.fullmatch(line)), 0)
    spots = [index for index, (_, line) in enumerate(lines) if _GAP.search(line) and "\t" not in line]
    start, end = under - 1 if under else min(spots, default=0), max(spots, default=-1) + 1
    block = [line for line in lines[start:end] if not is_rule([line[1]])]
    if len(spots) < _USUAL * len(block) or len(block) < 3 or max(len(line) for _, line in block) > _MAX_WIDTH:
        return None
    starts = [match.start() for match in re.finditer("[-=]+", lines[under][1])] if under else []
    cuts = [
        _cut(block, wide, most, starts)
        for most in (0, max(1, len(block) // 10) * (len(block) > 4))
        for wide in (True, False)[: 1 + (not "".join(line for _, line in block).isascii())]
    ]
    bad, cut = min(cuts, key=lambda each: (not each[1], len(each[0])))
    firsts = [row[0] for _, row in cut]
    counts = not under and all(map(is_number, firsts))
    if not cut or counts or 2 * sum(text[-1:] in [*",;.!?"] for text in firsts) > len(cut):
        return None
    wrong, hint = "the columns of this line do not line up with the others", "put at least two spaces before each"
    refuse(Problem(wrong, Place(file_name, number), f"{hint}, or save the table as CSV") for number in bad)
    rows, joined = list[GridRow](), list[str]()
    for number, row in cut:
        if rows and not row[0] and not (row[2:] and all(row[1:])):
            rows[-1] = rows[-1][0], [f"{above} {cell}".strip() for above, cell in zip(rows[-1][1], row, strict=True)]
            joined.append(f"line {number}")
        else:
            rows.append((number, row))
    if joined:
        notes = *notes, f"read as part of the row above: {listed(joined)}"
    titles = [] if under else [(number, [line]) for number, line in lines[:start]]
    below = [(number, [line]) for number, line in lines[end:]]
    outside = {number: "not in the table" for number, _ in below}
    return CellGrid(file_name, [*titles, *rows, *below], notes=notes, headed=bool(under) or None, outside=outside)


def _cut(block: Sequence[_Line], wide: bool, most: int, starts: Sequence[int]) -> tuple[list[int], list[GridRow]]:
    """The cells of lines whose columns begin at these places, or without any, where all lines but `most` have blanks
    before them; none if the lines have no columns. The columns of a line that does not fit have two spaces between
    them; otherwise its number is among those that come first. Letters of East Asia take two places if `wide`."""
    signs = [_places(line, wide) for _, line in block]
    used = Counter(place for line in signs for place, sign in enumerate(line) if sign != " ")
    starts, firm = [0, *starts[1:]], {*starts}
    for place in range(2, max(used) + 1 if len(starts) == 1 else 0):
        if used[place] > most >= used[place - 1]:
            apart = [_is_apart(line, place) for line in signs if len(line) > place]
            is_firm = max(used[place], used[place - 2]) >= _USUAL * len(apart)
            firm |= {place} if is_firm else set()
            starts += [place] * (4 * sum(apart) >= 3 * len(apart) and (is_firm or apart.count(False) <= most))
    rows, bad = list[GridRow](), list[int]()
    for (number, text), line in zip(block, signs, strict=True):
        row = re.split(" {2,}", text.strip())
        if len(row) != len(starts):
            row = ["".join(line[start:end]).strip() for start, end in pairwise([*starts, None])]
            fits = all(
                line[start - 1 : start] in ([], [" "]) and (start in firm or _is_apart(line, start))
                for start in starts[1:]
            )
            bad += [number] * (not fits)
        rows.append((number, row))
    uncut = sum("  " in cell for _, row in rows for cell in row)
    return bad, rows if len(starts) > 1 and 5 * uncut <= len(rows) else []


def _is_apart(line: Sequence[str], place: int) -> bool:
    """Whether two blanks, or one between numbers, are before this place in a line, or it is blank."""
    around = line[place - 2 : place + 1 : 2]
    return len(around) < 2 or " " in around or all(map(str.isdigit, around))


def _places(line: str, wide: bool) -> list[str]:
    """The letters of a line by their places on a screen, those that take none with the ones before."""
    if line.isascii():
        return [*line]
    places = [""]
    for sign in line:
        if unicodedata.combining(sign):
            places[-1] += sign
        else:
            places += [sign, ""] if wide and unicodedata.east_asian_width(sign) in "WF" else [sign]
    return places[1:]


class _Text(Struct, frozen=True):
    """A text that is decoded line by line, because a whole one can take a lot of memory."""

    raw: bytes
    encoding: str
    first_line: int = 1

    def lines(self) -> Iterator[str]:
        """The lines with their ends."""
        return islice(self.stream(), self.first_line - 1, None)

    def stream(self) -> TextIOWrapper:
        """The text as a stream, with line ends as they are."""
        return TextIOWrapper(BytesIO(self.raw), self.encoding, newline="")


def _check_lines(text: _Text, file_name: str) -> None:
    """Raises InputError for what is not text, and for lines that would become more columns than any table has."""
    try:
        for number, line in enumerate(text.lines(), start=1):
            if "\0" in line:
                raise fault("not a text file", Place(file_name, number))
            if len(line) > _MAX_SEPARATORS and any(line.count(sign) > _MAX_SEPARATORS for sign in _DELIMITERS):
                raise fault(f"this line has more than {_MAX_SEPARATORS:,} columns", Place(file_name, number))
    except UnicodeDecodeError:
        before = text.raw.decode(text.encoding, "replace").partition("\ufffd")[0]
        place = Place(file_name, 1 + len(re.findall(r"\r\n?|\n", before)))
        name = ENCODINGS.get(text.encoding, text.encoding.upper())
        raise fault(f"not valid {name}", place, "state its encoding with --encoding, or save it as UTF-8") from None


def encoding_of(raw: bytes, file_name: str, stated: str = "") -> tuple[str, str]:
    """The encoding of a text, and a note if it is not certain. What a page has `stated` counts unless it is UTF-8."""
    if raw.startswith((b"\xff\xfe", b"\xfe\xff")):
        return "utf-16", ""
    zeros = raw[:400:2].count(0), raw[1:400:2].count(0)
    if max(zeros) > len(raw[:400]) // 4:
        return ("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le"), ""
    try:
        utf_8 = _Text(raw, "utf-8").stream()
        while utf_8.read(_CHARACTERS):
            pass
    except UnicodeDecodeError:
        encoding = stated or recognised_encoding(raw, file_name)
        return (
            encoding,
            f"not UTF-8, so it was read as {ENCODINGS.get(encoding, encoding)} (--encoding chooses another)",
        )
    return ("utf-8-sig" if raw.startswith(BOM_UTF8) else "utf-8"), ""


def _delimiter(text: _Text, *, tabs_first: bool) -> str:
    """What separates the columns: the character that splits most rows, and usually the first, into equally many."""
    candidates = sorted(_DELIMITERS, key=lambda sign: sign != "\t") if tabs_first else [*_DELIMITERS]
    scores = [(_consistency(text, sign), sign) for sign in candidates]
    best, delimiter = max(scores, key=lambda score: score[0])
    return delimiter if best[-1] > 0 else _NO_DELIMITER


def _consistency(text: _Text, delimiter: str) -> tuple[bool, bool, float, int]:
    """Whether most rows have as many columns as the first, or below a title, as most others; whether the first has
    several; the share of these rows, and that number; zeros for a single column."""
    reader = csv.reader(text.lines(), delimiter=delimiter, skipinitialspace=True)
    lengths: list[int] = []
    with suppress(csv.Error):  # the rows before an error may be enough
        rows = (row for row in reader if len(row) > 1 or not ("".join(row).startswith("#") or is_rule(row)))
        lengths.extend(len(row) for row in islice(filter(None, rows), _SNIFFED_ROWS))
    first, most = lengths[0] if lengths else 0, max(lengths, key=lengths.count, default=0)
    usual = most if first < 2 or (lengths.count(first) < 2 < most) else first
    share = lengths.count(usual) / max(len(lengths), 1)
    is_single = usual < 2 or (first < 2 and share < _TITLED)
    return (False, False, 0, 0) if is_single else (share >= _TITLED, first > 1, share, usual)


def _rows(
    text: _Text,
    delimiter: str,
    file_name: str,
    *,
    quoting: Literal[0, 3] = csv.QUOTE_MINIMAL,
    strict: bool = True,
    spaced: bool = False,
) -> Iterator[GridRow]:
    """The rows with content. Without `strict`, texts after closing quotation marks belong to the cells. Quotation marks
    may have spaces before them if the text is `spaced`."""
    reader = csv.reader(text.lines(), delimiter=delimiter, strict=strict, quoting=quoting, skipinitialspace=spaced)
    line, cells, first_line = text.first_line, 0, text.first_line
    csv.field_size_limit(limits.CELL_CHARACTERS)
    try:
        for row in reader:
            if line - first_line > limits.ROWS * 4:
                raise fault(f"more than {limits.ROWS * 4:,} lines", Place(file_name, line))
            cells += len(row)
            if cells > limits.CELLS * 2:  # blank ones included
                raise fault(f"more than {limits.CELLS * 2:,} cells", Place(file_name, line))
            if any(not cell.isprintable() or cell.startswith('="') for cell in row):
                row = [clean(cell) for cell in row]
            if any(map(str.strip, row)):
                yield line, row
            line = reader.line_num + first_line
    except csv.Error as error:
        reason = str(error)
        unknown = f"not readable as a table: {reason}", ""
        message, hint = next((words for part, words in _CSV_ERRORS.items() if part in reason), unknown)
        raise fault(message, Place(file_name, line), hint) from error


def checked_encoding(name: str) -> str:
    """An encoding as it was stated. Raises InputError if there is none with this name."""
    try:
        info = codecs.lookup(name)
        "".encode(name)
    except (LookupError, TypeError, ValueError):
        hint = did_you_mean(name, [*ENCODINGS, "utf-8", "utf-16"]) or "for example utf-8, windows-1251, gb18030"
        raise fault(f"there is no encoding “{shortened(name)}”", hint=hint) from None
    return info.name


def recognised_encoding(raw: bytes, file_name: str) -> str:
    """The encoding of a text that is not in Unicode. Raises InputError if it is not certain."""
    if b"\r" in raw and b"\n" not in raw:
        return "mac-roman"
    sample = raw[:_CHECKED].rpartition(b"\n")[0] or raw[:_CHECKED]
    runs = re.findall(rb"[\x80-\xff]+", sample)
    if 2 * sum(len(run) for run in runs if len(run) > 1) <= sum(map(len, runs)):
        return _latin(sample)
    if _is_cyrillic(sample):
        return "cp1251"
    kana = len(re.findall(r"[\u3040-\u30ff]", _decoded(sample, "cp932")))
    if kana * 5 > len(re.findall(r"[\u3040-\u9fff]", _decoded(sample, "cp932"))) > 0:
        return "cp932"
    leads = [ord(sign.encode("gb18030")[:1]) for sign in re.findall(r"[\u4e00-\u9fff]", _decoded(sample, "gb18030"))]
    common = sum(_COMMON_HANZI[0] <= lead <= _COMMON_HANZI[1] for lead in leads)
    if leads and common >= _SURE * len(leads):
        beyond = sum(lead > _LAST_HANGUL for lead in leads)
        if beyond > 0.1 * len(leads):
            return "gb18030"
        if not beyond and len(leads) > 20:
            return "cp949"
    hint = "state it, for example with --encoding windows-1251, or save the table as UTF-8"
    raise fault("not UTF-8 or UTF-16, and its encoding is not certain", Place(file_name), hint)


def _decoded(raw: bytes, encoding: str) -> str:
    """The text of these bytes; “” if the encoding does not fit."""
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError:
        return ""


def _latin(sample: bytes) -> str:
    """The encoding of a text in Latin letters: the one in which most headings are known, or else in which most of its
    letters belong to one language."""
    first = sample.splitlines()[:1]

    def likeness(encoding: str) -> tuple[int, float]:
        known = sum(has_meaning(word) for line in first for word in re.split(r"[,;\t|]", _decoded(line, encoding)))
        letters = re.findall(r"[^\x00-\x7f]", _decoded(sample, encoding))
        alphabets = [{*alphabet, *alphabet.upper(), *_SIGNS} for alphabet in _LATIN[encoding]]
        return known, max(sum(letter in alphabet for letter in letters) for alphabet in alphabets)

    return max(_LATIN, key=likeness)


def _is_cyrillic(sample: bytes) -> bool:
    text = _decoded(sample, "cp1251")
    words = [word for word in re.findall(r"[^\W\d_]{2,}", text) if not word.isascii()]  # `г.` is in any language
    fitting = sum(_CYRILLIC.fullmatch(word) is not None for word in words)
    letters = "".join(words)
    vowels = len(re.findall("[аеёиоуыэюяіїє]", letters.lower()))
    return bool(words) and fitting >= _SURE * len(words) and 3 * len(letters) < 10 * vowels < 6 * len(letters)
