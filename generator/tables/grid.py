"""A table as rows of texts, and what stands below its headings; and cards listed in YAML or JSON."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, pairwise, zip_longest
from typing import cast

from msgspec import Struct

from .. import limits
from ..errors import Place, Problem, collect, fault, listed, shortened
from ..model.values import Shown, empty_mapping
from ..nodes import Listing, Node, Scalar
from ..nodes import Mapping as MappingNode
from ..spelling import numbered
from .headings import folded, has_meaning, is_code, is_side, is_word, language_of, meaning, spaced, stem, thousands_sign
from .table_rows import GridRow, filled, is_number, table_rows

ERRORS = frozenset(
    ("#DIV/0!", "#VALUE!", "#REF!", "#NAME?", "#NUM!", "#NULL!", "#SPILL!", "#CALC!", "#FIELD!", "#ERROR!")
)
"""What spreadsheets show instead of the value of a formula that failed; LibreOffice also shows `Err:502`."""
_LIBREOFFICE_ERROR = re.compile(r"Err:[0-9]{3}")
_ERROR_BEGINS = frozenset("#E")
_SAMPLE = 200  # the rows that say how many columns there are
_UNNAMED = re.compile(r"Unnamed: [\d.]+")  # what pandas calls columns without a heading
_THOUSANDS = re.compile(r"(?:.*\D)?\d{1,3},\d{3}(?!\d)", re.DOTALL)
_POINTED = re.compile("CHF|[$£¥]")  # currencies of countries with decimal points
_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f\ufeff]")
_LINE_BREAKS = re.compile(r"\r\n?|[\v\f\u2028\u2029]")
Cell = str | list[Scalar]
"""The value of one field: a string from a table, or scalars from YAML."""
Row = tuple[Place | int, dict[str, Cell]]
"""Where a card is defined (a place, or the number of its row), and its cells by heading."""


class CellGrid(Struct, frozen=True):
    """The rows of a table that have content, each with its number as an editor counts lines or a spreadsheet counts
    rows.

    `sheet` is the name of the worksheet; a text file has none. `bad` holds the problems of single cells, by row
    number and column index: a message and a hint. `hidden` are the indices of hidden columns. `separator` names what
    separates the columns of a text, such as “a comma”. `notes` say how the file was read where that is uncertain.
    `headed` says whether the first row has the headings, if the file does, and `outside` why rows are not part of the
    table."""

    file: str
    rows: Sequence[GridRow]
    sheet: str = ""
    bad: Mapping[tuple[int, int], tuple[str, str]] = empty_mapping()
    hidden: frozenset[int] = frozenset()
    separator: str = ""
    notes: tuple[str, ...] = ()
    headed: bool | None = None
    outside: Mapping[int, str] = empty_mapping()
    sheets: tuple[str, ...] = ()
    """The visible worksheets of the file."""
    parts: Sequence[tuple[int, str]] = ()
    """The worksheets that were read, each with the number of the row before its first, as rows are counted here."""

    def place(self, row: int, column: int | None = None) -> Place:
        """The place of a row, or of the cell in a column (counted from 0)."""
        if not self.sheet:
            return Place(self.file, row)
        above, sheet = next((part for part in reversed(self.parts) if part[0] < row), (0, self.sheet))
        cell = "" if column is None else f"{letters(column)}{row - above}"
        return Place(self.file, row - above, sheet=sheet or self.sheet, cell=cell)


def letters(column: int) -> str:
    """The letters of a column as spreadsheets count them: 0 → `A`, 27 → `AB`."""
    name, column = "", column + 1
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def clean(cell: str) -> str:
    """The text of a cell without control characters, and with line breaks written as `\\n`."""
    cell = cell if cell.isprintable() else _CONTROL.sub("", _LINE_BREAKS.sub("\n", cell)).replace("\t", " ")
    return cell[2:-1] if cell.startswith('="') and cell.endswith('"') else cell  # a text that Excel must not change


def error_in(text: str) -> tuple[str, str] | None:
    """The message and hint for a cell that shows a spreadsheet's error, such as `#REF!`; blank ones for `#N/A`, which
    also stands for a value that does not exist."""
    if text == "#N/A":
        return "", ""
    if text[0] in _ERROR_BEGINS and (text in ERRORS or _LIBREOFFICE_ERROR.fullmatch(text)):
        return f"the formula in this cell gives the error {text}", "correct it in the spreadsheet, and save it again"
    return None


# ---- below the headings


class CardTable:
    """The cards of a grid, below its headings. A table without headings has the letters of its columns instead. Adds
    the problems of cells with a heading, and of surplus ones. Raises InputError if there is nothing to read."""

    def __init__(
        self, grid: CellGrid, problems: list[Problem], headings: bool | None = None, all_rows: bool = False
    ) -> None:
        if not grid.rows:
            hint = "put the headings in the first row"
            raise fault("this table is empty", Place(grid.file, sheet=grid.sheet), hint)
        self.grid, self.sheet = grid, grid.sheet * (len(grid.parts) < 2)
        texts, joined = _with_whole_texts(grid)
        headings = grid.headed if headings is None else headings
        rows = table_rows(texts, headings, all_rows, frozenset(grid.bad), grid.outside)
        self.rows, self.labelled, self.marked = rows.cards, rows.headings is not None, True
        self.left_out = rows.left_out
        used = {n for _, row in self.rows for n, cell in enumerate(row) if cell.strip()}
        number, row = rows.headings or (
            grid.rows[0][0],
            [letters(n) if n in used else "" for n in range(max(used, default=0) + 1)],
        )
        comma = self._with_commas(row) if rows.headings else ""
        groups = _side_by_side(row, self.rows) or _lists(row, self.rows) if rows.headings else []
        if halves := _halves(row, grid.file):
            groups, row = halves, [""] * len(row)
        if groups:
            self.rows, row = _stacked(row, self.rows, groups)
        widths = {len(cells) for _, cells in self.rows}
        self.given = max(widths) if len(widths) == 1 and len(self.rows) > 2 else len(row)
        self.lettered: list[str] = []
        row = self._with_letters(row) if self.rows and rows.headings else row
        self.place, self.width = grid.place(number), max(n for n, cell in enumerate(row, start=1) if cell.strip())
        if self.width > limits.COLUMNS:
            raise fault(f"this table has {self.width:,} columns; at most {limits.COLUMNS}", self.place)
        self.positions: dict[str, int] = {}
        for position, cell in enumerate(row[: self.width]):
            if _is_named(cell):
                self.positions[numbered(" ".join(re.sub(r"</?\w+>", " ", cell).split()), self.positions, " ")] = (
                    position
                )
        self.headings = list(self.positions)
        self.letters = {} if groups else {heading: letters(position) for heading, position in self.positions.items()}
        self.hidden = frozenset(heading for heading, position in self.positions.items() if position in grid.hidden)
        self.bad = dict(grid.bad)
        nameless = [letters(column) for column in sorted(self._check(problems))]
        left_out = _without_heading("left out, because {} no heading: ", nameless)
        lettered = _without_heading(
            "printed even though {} no heading, because most of the text is there: ", self.lettered
        )
        absent = listed(
            grid.place(*cell).cell or f"line {cell[0]}"
            for cell, (message, _) in sorted(self.bad.items())
            if not message and cell[1] in self.positions.values()
        )
        blank = f"#N/A was read as blank: {absent}"
        side = f"{len(groups)} {'lists' if [*map(len, groups[:1])] == [1] else 'tables'} side by side were read as one"
        side = "both halves of each pair are cards, as for a game of pairs" if halves else side
        commas = f"extra commas were read as part of the text: {listed(f'line {line}' for line in joined)}"
        own = (comma, commas * bool(joined), side * bool(groups), *rows.notes, left_out, lettered, blank * bool(absent))
        self.notes = (*grid.notes, *filter(None, own))

    def _with_commas(self, headings: Sequence[str]) -> str:
        """Writes numbers of a spreadsheet as in the language of the headings, and returns a note if any look different
        now. Those in a table with francs, dollars, pounds or yen may have points."""
        language = language_of(headings)
        thousands, number = thousands_sign(language), ""
        texts = (*headings, *(cell for _, cells in self.rows for cell in cells if isinstance(cell, Shown)))
        if not thousands or any(_POINTED.search(text) for text in texts):
            return ""
        for _, cells in self.rows:
            for place, cell in enumerate(cells):
                if isinstance(cell, Shown) and cell.may_vary:
                    text = _NUMBER.sub(lambda found: found[0].translate({44: thousands, 46: ","}), cell)
                    number = number or text * (text != cell)
                    cells[place] = Shown(text, cell.raw)
        return f"numbers are written as in {language}, because the headings are {language}: {number}" if number else ""

    def _with_letters(self, row: list[str]) -> list[str]:
        """The headings. A blank corner above texts, probably the titles, has the letter of its column; so have all
        columns without a heading if they have most of the letters of the table."""
        corner = min(next(n for n, cell in enumerate(cells) if cell.strip()) for _, cells in self.rows)
        if len(filled(row)) == 1 and row[corner].strip():
            corner += 1
        below = [cells[corner].strip() for _, cells in self.rows if corner < len(cells)]
        texts = [text for text in below if text and not is_number(text)]
        is_blank = not "".join(row[min(corner, 1) : corner + 1]).strip()
        wanted = {corner} if is_blank and 2 * len(texts) >= max(len(below), 1) else set[int]()
        columns = [*zip_longest(*(cells for _, cells in self.rows[:_SAMPLE]), fillvalue="")]
        sizes = [sum(len(cell.strip()) for cell in column if not is_number(cell)) for column in columns]
        row = [*row, *[""] * ((len(sizes) if self.sheet else min(self.given, len(sizes))) - len(row))]
        used = [any(map(str.strip, column)) for column in columns]
        nameless = [n for n, cell in enumerate(row[: len(used)]) if used[n] and n not in wanted and not _is_named(cell)]
        if 2 * sum(sizes[n] for n in nameless) > sum(sizes):
            self.lettered = [letters(n) for n in nameless]
            wanted.update(nameless)
        return [letters(n) if n in wanted else cell for n, cell in enumerate(row)]

    def _check(self, problems: list[Problem]) -> set[int]:
        """Reports surplus and bad cells. Returns the columns with content and without a heading."""
        grid, with_heading = self.grid, set(self.positions.values())
        nameless: set[int] = set()
        for number, row in self.rows:
            if number > limits.ROWS:
                raise fault(f"more than {limits.ROWS:,} rows", grid.place(number))
            nameless.update(n for n, cell in enumerate(row) if n not in with_heading and cell.strip())
            self.bad |= {(number, n): error for n, cell in enumerate(row) if cell and (error := error_in(cell))}
            if not grid.sheet and len(row) > self.given:
                self._check_surplus(number, row, problems)
        for (number, column), (message, hint) in sorted(self.bad.items()):
            if message and number >= self.place.line and number not in self.left_out and column in with_heading:
                collect(problems, Problem(message, grid.place(number, column), hint))
        return nameless if grid.sheet else {column for column in nameless if column < self.given}

    def _check_surplus(self, number: int, row: list[str], problems: list[Problem]) -> None:
        """Reports values to the right of the last heading of a text: one of them is probably cut in two."""
        if any(map(str.strip, row[self.given :])):
            message = f"this row has {len(row)} values, but there are {self.given} columns"
            hint = f"quote any text that contains {self.grid.separator}" if self.grid.separator else ""
            hint = "write \\| for a vertical bar in a text" if self.grid.headed is not None else hint
            collect(problems, Problem(message, self.grid.place(number), hint))

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        positions = self.positions.items()
        for number, row in self.rows:
            width = len(row)
            yield number, {heading: row[n] for heading, n in positions if n < width and (number, n) not in self.bad}

    def column(self, heading: str) -> Iterator[Cell]:
        """The cells below a heading, “” for each that is missing."""
        position = self.positions[heading]
        for number, row in self.rows:
            yield row[position] if position < len(row) and (number, position) not in self.bad else ""

    def heading_place(self, heading: str) -> Place:
        return self.place_of(self.place.line, heading)

    def place_of(self, row: Place | int, heading: str = "") -> Place:
        """The place of a row, or of its cell below a heading."""
        assert isinstance(row, int)
        return self.grid.place(row, self.positions.get(heading) if self.letters else None)


def _is_named(cell: str) -> bool:
    return bool(cell.strip().strip("-–—_.")) and not _UNNAMED.fullmatch(cell.strip())


def _without_heading(words: str, columns: Sequence[str]) -> str:
    several = len(columns) > 1
    names = f"column{'s' * several} {', '.join(columns[:12])}{', …' * (len(columns) > 12)}"
    return f"{words.format('they have' if several else 'it has')}{names}" if columns else ""


def _with_whole_texts(grid: CellGrid) -> tuple[Sequence[GridRow], list[int]]:
    """The rows of a text. In those that have more cells than the first, cells that begin with a space belong to the
    cells before them, as do those with the last digits of `2,300`, if there are as many as are too many, and all up to
    a question mark to the first; and the numbers of these rows."""
    rows, joined = [*grid.rows], list[int]()
    if grid.separator != "a comma":
        return rows, joined
    lengths = [len(row) for _, row in rows[:_SAMPLE]]
    for index, (number, row) in enumerate(rows):  # sentences above the table
        if len(row) == max(lengths, key=lengths.count) or not all(cell.startswith(" ") for cell in row[1:]):
            break
        rows[index] = number, [",".join(row)]
    width = next((len(row) for _, row in rows if len(row) > 1), 1)
    for index, (number, row) in enumerate(rows):
        starts = [
            place
            for place, (before, cell) in enumerate(pairwise(["", *row]))
            if not place or not (cell.startswith(" ") or _THOUSANDS.match(f"{before},{cell}"))
        ]
        surplus = len(row) - width
        if surplus > 0 and row[surplus].endswith("?") and "?" not in "".join(row[:surplus]):
            starts = [0, *range(surplus + 1, len(row))]  # a question
        if surplus > 0 and len(starts) == width and not row[0].startswith("#"):
            rows[index] = number, [",".join(row[start:end]) for start, end in pairwise([*starts, len(row)])]
            joined.append(number)
    return rows, joined


def _lists(headings: Sequence[str], rows: Sequence[GridRow]) -> list[list[int]]:
    """The columns of a table that are lists of different lengths, each with a heading of its own that means nothing
    else: the first is not the longest, or at least three differ."""
    columns = [*zip_longest(*(map(str.strip, row) for _, row in rows), fillvalue="")]
    lengths = [sum(map(bool, column)) for column in columns]
    whole = all(all(column[:length]) for column, length in zip(columns, lengths, strict=True))
    differ = lengths and (max(lengths) > lengths[0] or len({*lengths}) > 2) and min(lengths) > 1
    own = len(headings) == len(lengths) > 1 and all(headings) and not any(map(has_meaning, headings))
    return [[place] for place in range(len(lengths))] if whole and differ and own else []


def _halves(headings: Sequence[str], file_name: str) -> list[list[int]]:
    """The two columns of a table with pairs of cards to find, as the name of the file or both headings say."""
    named = [place for place, heading in enumerate(headings) if heading.strip()]
    words = re.findall(r"[^\W\d_]+", file_name)
    is_game = any(is_word("pair_games", word) for word in words) or all(
        is_word("pair_cards", stem(headings[place])) for place in named
    )
    return [[place] for place in named] if len(named) == 2 and is_game else []


def _side_by_side(headings: Sequence[str], rows: Sequence[GridRow]) -> list[list[int]]:
    """The columns of each of several tables that stand side by side in a sheet: equally wide ones with blank columns
    between them, and a heading in common."""
    columns = [*zip_longest(headings, *(row for _, row in rows), fillvalue="")]
    is_used = [any(map(str.strip, column)) for column in columns]
    groups = [[*group] for used, group in groupby(range(len(columns)), is_used.__getitem__) if used]
    names = [[folded(heading) for heading in headings[group[0] : group[-1] + 1]] for group in groups]
    alike = all(len(each) == len(names[0]) > 1 and set(each) & set(names[0]) for each in names)
    return groups if alike and len(groups) > 1 else []


def _stacked(
    headings: Sequence[str], rows: Sequence[GridRow], groups: Sequence[Sequence[int]]
) -> tuple[Sequence[GridRow], list[str]]:
    """The rows of tables side by side below each other, and their headings. If the first headings differ, they are the
    types of the cards."""
    names = [headings[group[0]] for group in groups]
    kinds = names if len(set(names)) > 1 else [""] * len(groups)
    parts = [
        (number, [*(row[position] if position < len(row) else "" for position in group), kind])
        for group, kind in zip(groups, kinds, strict=True)
        for number, row in rows
    ]
    top = [headings[position] for position in groups[0]] if len(groups[0]) > 1 else ["Name"]
    return [part for part in parts if any(map(str.strip, part[1][:-1]))], [*top, "Type" * any(kinds)]


_MAX_NESTED = 6  # the values of a mapping inside a card that become columns of their own
_MAX_DEPTH = 4


class ChosenList(Listing):
    """The list of cards in a JSON document, beside `others` that are left out."""

    others: tuple[str, ...] = ()

    def beside(self, others: Iterable[str]) -> ChosenList:
        self.others = tuple(others)
        return self


def cards_in_json(node: Node, depth: int = 0) -> Listing | None:
    """The cards in a JSON document: a list of them, that under a key such as `cards` or `data`, the lists of all keys,
    or a mapping whose keys are the ids of cards; perhaps inside another mapping. None if there are none. Raises
    InputError if the lists have nothing in common."""
    if isinstance(node, Listing) or depth > _MAX_DEPTH:
        return node if isinstance(node, Listing) else None
    if not isinstance(node, MappingNode):
        return None
    lists = {key: value for key, value in node.items() if isinstance(value, Listing) and value}
    lists = {key: value for key, value in lists.items() if isinstance(value[0], MappingNode)} or lists
    chosen = next((key for key in lists if is_word("card_lists", key)), None)
    if chosen:
        return ChosenList(lists.pop(chosen), node.place).beside(lists)
    if lists:
        keys = [{*value[0]} if isinstance(value[0], MappingNode) else {""} for value in lists.values()]
        if not set.intersection(*keys):
            names = listed(f"“{shortened(key)}” ({len(value)})" for key, value in lists.items())
            hint = "put the cards under the key “cards”"
            raise fault(f"these lists have nothing in common: {names}", node.place, hint)
        return Listing([entry for value in lists.values() for entry in value], node.place)
    inner = {key: value for key, value in node.items() if isinstance(value, MappingNode)}
    parts = [(key, each) for key, group in inner.items() for each in group.values()]
    if inner and all(isinstance(each, MappingNode) and len(each) > 1 for _, each in parts):  # groups of cards, by type
        typed = [MappingNode([(Scalar("type", key.place), key), *card.items()], card.place) for key, card in parts]
        return cards_in_json(inner[next(iter(inner))], depth + 1) if len(inner) == 1 else Listing(typed, node.place)
    if len(inner) > 1 and len(inner) == len(node):
        ids = {key: [] if "id" in card else [(Scalar("id", key.place), key)] for key, card in inner.items()}
        return Listing([MappingNode([*ids[key], *card.items()], card.place) for key, card in inner.items()], node.place)
    return next(filter(None, (cards_in_json(value, depth + 1) for value in inner.values())), None)


class ListedCards:
    """The cards of a list in YAML or JSON, with the interface of a CardTable."""

    sheet, labelled = "", True
    hidden: frozenset[str] = frozenset()
    letters: Mapping[str, str] = {}
    lettered: Sequence[str] = ()

    def __init__(self, node: Node, problems: list[Problem], is_json: bool = False) -> None:
        if not isinstance(node, Listing):
            raise fault("“cards” must be a list", node.place)
        self.place, self.marked = node.place, is_json
        self.nested: dict[str, None] = {}  # the keys in JSON whose values are too much for a card
        self.others = node.others if isinstance(node, ChosenList) else ()
        self.rows: list[Row] = []
        self.first: dict[str, Place] = {}  # where each key is used first
        for entry in node:
            if is_json and isinstance(entry, Scalar):
                entry = MappingNode([(Scalar("text", entry.place), entry)], entry.place)
            if isinstance(entry, MappingNode):
                self.rows.append((entry.place, dict(self._cells(entry, problems))))
            else:
                collect(problems, Problem("a card must be a mapping", entry.place))
            if len(self.first) > limits.COLUMNS:
                raise fault(f"these cards have more than {limits.COLUMNS} fields", entry.place)
        self.headings = list(self.first)

    def _cells(self, entry: MappingNode, problems: list[Problem]) -> Iterator[tuple[str, Cell]]:
        for key, value in entry.items():
            scalars = value if isinstance(value, Listing) else [value]
            wraps = self.marked and is_word("wrappers", key)
            if self.marked and isinstance(value, Listing) and is_word("options", key.rstrip("s")) and not is_side(key):
                inner = [(Scalar(f"{key} {number}", key.place), each) for number, each in enumerate(value, 1)]
                yield from self._cells(MappingNode(inner, value.place), problems)
            elif all(isinstance(scalar, Scalar) for scalar in scalars):
                self.first.setdefault(str(key), key.place)
                yield str(key), scalars
            elif self.marked and isinstance(value, MappingNode) and (wraps or len(value) <= _MAX_NESTED):
                own = wraps and not value.keys() & entry.keys()
                inner = [
                    (
                        name
                        if own
                        else key
                        if len(value) == 1 and is_word("plain_keys", name)
                        else Scalar(f"{key} {name}", name.place),
                        each,
                    )
                    for name, each in value.items()
                ]
                yield from self._cells(MappingNode(inner, value.place), problems)
            elif self.marked and isinstance(value, Listing) and (text := self._phrases(key, value)):
                self.first.setdefault(str(key), key.place)
                yield str(key), [Scalar(text, value.place)]
            elif self.marked:
                self.nested[str(key)] = None
            else:
                collect(problems, Problem(f"“{shortened(key)}” must be a value or a list of values", value.place))

    def _phrases(self, key: str, entries: Sequence[Node]) -> str:
        """The text of a few mappings inside a card, such as attacks: names alone, or a line for each of them with its
        name in bold type and its other values, without those for programs; “” if there are too many or others."""
        lines, nested = [], dict[str, None]()
        for entry in entries:
            said = dict[str, str]()
            for name, value in entry.items() if isinstance(entry, MappingNode) else ():
                texts = value if isinstance(value, Listing) else [value]
                words = ", ".join(text for text in texts if isinstance(text, Scalar))
                if words and not is_code(name, [words]):
                    said[str(name)] = f"{spaced(name)} " * is_number(words) + words
                elif not all(isinstance(text, Scalar) for text in texts):
                    nested[f"{key} {name}"] = None
            title = said.pop(next((name for name in said if meaning(name)[0] == "title"), ""), "")
            others = " · ".join(said.values())
            lines.append(f"**{title}** {others}" if title and others else title or others)
        in_bold = sum("**" in line for line in lines)
        if in_bold > _MAX_NESTED or not any(lines):
            return ""
        self.nested |= nested
        return ("\n" if in_bold else ", ").join(filter(None, lines))

    @property
    def notes(self) -> tuple[str, ...]:
        others, nested = (listed(f"“{shortened(key)}”" for key in keys) for keys in (self.others, self.nested))
        notes = {
            others: "left out, beside the list of cards: ",
            nested: "left out, because they contain lists or too many values: ",
        }
        return tuple(words + names for names, words in notes.items() if names)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def column(self, heading: str) -> Iterator[Cell]:
        return (cells.get(heading, "") for _, cells in self.rows)

    def heading_place(self, heading: str) -> Place:
        return self.first.get(heading, self.place)

    def place_of(self, row: Place | int, heading: str = "") -> Place:
        return cast(Place, row)
