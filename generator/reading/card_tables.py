"""Cards from tables, YAML and JSON: matches columns to fields, and reads every cell by the kind of its field."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import lru_cache, partial
from itertools import count, islice
from operator import attrgetter
from pathlib import Path
from sys import intern
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from .. import limits
from ..errors import (
    MAX_SHOWN,
    InputError,
    Place,
    Problem,
    collect,
    did_you_mean,
    fault,
    listed,
    shortened,
)
from ..fast_dataclasses import dataclass
from ..model import colours, values
from ..model.game import Card, CardsFile, TableFile
from ..model.values import ColumnFile, Shown
from ..nodes import Listing, Node, Scalar
from ..nodes import Mapping as MappingNode
from ..tables import columns
from ..tables.columns import Columns
from ..tables.headings import COUNTS_COPIES, folded, language_of, meaning, names_a_count

if TYPE_CHECKING:
    from ..tables.grids import Grid
    from ..tables.table_rows import Cell, Row, TableRows

TEXTS = (".csv", ".tsv", ".txt")
WORKBOOKS = (".xlsx", ".xlsm", ".ods")
LISTS = (".yaml", ".yml", ".json")
TABLES = (*TEXTS, *WORKBOOKS)
FOREIGN = (".xls", ".numbers", ".doc", ".docx", ".odt", ".rtf", ".pdf")
"""Formats of tables that must be saved in another one first."""
CardValues = tuple[str, tuple[Any, ...], int, tuple[Any, ...]]
"""The id of a card, the values of its fields, its number of copies, and its place as the arguments of `Place`."""
_place_values = attrgetter("file", "line", "field", "sheet", "cell", "column")
_BLANK = frozenset(("", ".", "~", "null"))
_MAX_BLANK = max(map(len, _BLANK))
_TEXT = ColumnFile()
_COPIES = re.compile(r"\s*[xX×]?\s*([0-9]{1,6})(?:[.,]0+)?\s*[xX×]?\s*")
_MIN_RATIO = 0.8
"""How similar an unknown heading must be to a declared field to count as a misspelling of it."""
_MAX_FACT = 38
"""The maximum length of a value in the small table on cards."""
_MAX_UNKNOWN = 50
"""Unknown headings that are compared with the declared fields."""


@dataclass(frozen=True, slots=True)
class CardList:
    """The cards of a deck, what its columns mean, and how its file was understood where that is not certain."""

    cards: tuple[Card, ...]
    columns: Columns
    sheet: str = ""
    notes: tuple[str, ...] = ()
    copied: bool = True
    """Whether some card has another number of copies than one."""


def cards(definition: CardsFile, place: Place, *, distinct: bool = True) -> tuple[Card, ...]:
    """Dice or spaces: cards whose fields are all declared. Raises InputError with every problem, including, if they
    must be `distinct`, two with the same id."""
    return card_list(definition, place, definition.cards, strict=True, distinct=distinct).cards


def card_list(
    definition: CardsFile,
    place: Place,
    source_file: Any,
    file_name: str = "",
    *,
    strict: bool = False,
    distinct: bool = True,
) -> CardList:
    """The cards of a deck. `source_file` is the path of its table, or the list of its cards as a node. Undeclared
    columns are texts, or problems if `strict`. Raises InputError with every problem.
    """
    if len(definition.fields) > limits.COLUMNS:
        raise fault(f"this deck declares {len(definition.fields):,} fields; at most {limits.COLUMNS}", place)
    if (definition.cards is None) == (definition.table is None):
        raise fault("a deck needs either “cards” or a “table”", place)
    problems: list[Problem] = []
    if isinstance(source_file, Path):
        source = _tabled(_grid(source_file, file_name, definition.table), problems)
    else:
        source = _listed(source_file, problems)
    match = _Match(definition.fields, definition.table, source, problems, strict)
    fields = match.fields()
    _check_extent(len(source.rows), len(fields), place)
    order = {heading: position for position, heading in enumerate(source.headings)}
    present = [(name, heading) for name, (heading, _) in fields.items() if heading]
    headings = dict(sorted(present, key=lambda entry: order[entry[1]]))
    hidden = [name for name, heading in headings.items() if source.is_hidden(heading)]
    roles = columns.assigned(headings, definition.fields, hidden, match.language)
    reader = _CardReader(source, fields, match, problems, [column.name for column in roles.rest])
    names = tuple(fields)
    deck = tuple([_card(names, each) for each in map(reader.card, source.rows, count(1))])
    for problem in reader.repeated if distinct else ():
        collect(problems, problem)
    if not deck and not problems:
        problems.append(Problem("this deck has no cards", source.place or place))
    if problems:
        raise InputError(problems)
    roles = replace(roles, rest=tuple(replace(column, long=column.name in reader.long) for column in roles.rest))
    if source.grid:
        from ..tables.grids import letters

        roles = replace(roles, letters={name: letters(source.positions[text]) for name, text in headings.items()})
    return CardList(deck, roles, source.sheet, (*source.notes, *match.notes), bool(match.copies))


def _card(fields: tuple[str, ...], card: CardValues) -> Card:
    name, values, copies, place = card
    return Card(name, MappingProxyType(dict(zip(fields, values, strict=True))), copies, Place(*place))


def _check_extent(rows: int, fields: int, place: Place) -> None:
    if rows > limits.ROWS or rows * fields > limits.CELLS:
        max_cards = min(limits.ROWS, limits.CELLS // (fields or 1))
        raise fault(
            f"this deck has {rows:,} cards of {fields} field{'s' * (fields != 1)}; at most {max_cards:,}", place
        )


# ---- sources: rows by heading ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Source:
    """Rows of cells by heading. `grid` is where a table has its columns, `first` where a list first uses a key."""

    headings: list[str]
    rows: Sequence[Row] | TableRows
    place: Place | None = None
    grid: Grid | None = None
    positions: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, Place] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def sheet(self) -> str:
        return self.grid.sheet if self.grid else ""

    def is_hidden(self, heading: str) -> bool:
        """Whether a column is hidden in its spreadsheet."""
        return self.grid is not None and self.positions.get(heading) in self.grid.hidden

    def place_of(self, heading: str) -> Place | None:
        """The place of a heading."""
        if self.grid and self.place and heading in self.positions:
            return self.grid.place(self.place.line, self.positions[heading])
        return self.first.get(heading, self.place)

    def row_place(self, row: Any) -> Place:
        """The place of a row."""
        return self.grid.place(row) if self.grid else cast(Place, row)

    def cell_place(self, row: Any, heading: str) -> Place:
        if self.grid and heading in self.positions:
            return self.grid.place(row, self.positions[heading])
        return self.row_place(row)

    def column(self, heading: str) -> Iterator[Cell]:
        """The cells below a heading, “” for each that is missing."""
        if isinstance(self.rows, Sequence):
            return (cells.get(heading, "") for _, cells in self.rows)
        return self.rows.column(self.positions[heading]) if heading in self.positions else iter(())


def _grid(path: Path, file_name: str, table: TableFile | None) -> Grid:
    sheet = table.sheet if table else None
    ending = path.suffix.lower()
    if ending in WORKBOOKS:
        from ..tables import workbooks  # imported here because most tables are text

        return workbooks.workbook(path, file_name, sheet)
    if ending not in TEXTS:
        hint = "save it as .xlsx, .ods or .csv"
        raise fault(
            f"{path.name} is not a table of cards that can be read", table.place if table else Place(file_name), hint
        )
    if sheet is not None:
        raise fault("only spreadsheets have sheets", table.place if table else None, "remove the key “sheet”")
    from ..tables import grids  # imported here because most games list their cards in YAML

    return grids.delimited(path, file_name)


def _tabled(grid: Grid, problems: list[Problem]) -> _Source:
    """The cards of a table."""
    from ..tables import table_rows  # imported here because most games list their cards in YAML

    place, rows, notes = table_rows.below_headings(grid, problems)
    positions = {heading: position for position, heading in enumerate(rows.headings) if heading}
    return _Source(list(positions), rows, place, grid, positions, notes=notes)


def _listed(node: Any, problems: list[Problem]) -> _Source:
    """The cards of a YAML list."""
    if not isinstance(node, Listing):
        raise fault("“cards” must be a list", node.place)
    first: dict[str, Place] = {}
    rows: list[Row] = []
    for entry in node.entries:
        if not isinstance(entry, MappingNode):
            collect(problems, Problem("a card must be a mapping", entry.place))
            continue
        cells: dict[str, Cell] = {}
        for key, value in entry.pairs:
            first.setdefault(key.text, key.place)
            scalars = _scalars(value)
            if scalars is None:
                collect(problems, Problem(f"“{shortened(key)}” must be a value or a list of values", value.place))
            else:
                cells[key.text] = scalars
        rows.append((entry.place, cells))
        if len(first) > limits.COLUMNS:
            raise fault(f"these cards have more than {limits.COLUMNS} fields", entry.place)
    return _Source(list(first), rows, node.place, first=first)


def _scalars(value: Node) -> list[Scalar] | None:
    if isinstance(value, Scalar):
        return [value]
    if isinstance(value, Listing) and all(isinstance(inner, Scalar) for inner in value.entries):
        return [inner for inner in value.entries if isinstance(inner, Scalar)]
    return None


# ---- columns → fields ------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Match:
    """Finds the column of every field. `id` and `copies` are the headings of those columns."""

    declared: Mapping[str, ColumnFile]
    table: TableFile | None
    source: _Source
    problems: list[Problem]
    strict: bool
    id: str = ""
    copies: str = ""
    notes: list[str] = field(default_factory=list)
    language: str = field(init=False)

    def __post_init__(self) -> None:
        self.language = language_of(self.source.headings)

    def fields(self) -> dict[str, tuple[str, ColumnFile]]:
        """Every field with its heading (“” for a declared field that no column has) and its declaration."""
        by_field = self._declared()
        free = [heading for heading in self.source.headings if heading not in by_field.values()]
        self.id = self.id or self._reserved("id", free)
        self.copies = self.copies or self._reserved("copies", free)
        free = [heading for heading in free if heading not in (self.id, self.copies)]
        self.notes += [] if self.copies or self.strict else self._unused_counts(free)
        for heading in self._misspelt(free, by_field):
            hint = did_you_mean(heading, self.declared) or "declare it under “fields”"
            message, place = f"unknown field “{shortened(heading)}”", self.source.place_of(heading)
            collect(self.problems, Problem(message, place, hint))
            free.remove(heading)
        result = {name: (by_field.get(name, ""), column) for name, column in self.declared.items()}
        names = self._renamed()
        for heading in free:
            name = names.get(heading) or columns.identifier(heading, (*result, *names.values()))
            result[name] = heading, _TEXT
        return result

    def _declared(self) -> dict[str, str]:
        """The headings of declared fields, as typed or in another spelling, and of those that `table` renames."""
        headings = self.source.headings
        renamed = self._renamed()
        by_field = {name: heading for heading, name in renamed.items() if name in self.declared}
        by_field |= {name: name for name in self.declared if name in headings and name not in by_field}
        spellings = {folded(heading): heading for heading in reversed(headings)}
        for name in self.declared:
            heading = spellings.get(folded(name))
            if name not in by_field and heading and heading not in (*by_field.values(), *renamed):
                by_field[name] = heading
        for name, heading in by_field.items():
            if folded(name) == "id":
                self.id = self.id or heading
            elif folded(name) in COUNTS_COPIES:
                self.copies = self.copies or heading
        return by_field

    def _renamed(self) -> dict[str, str]:
        """Heading → field name, as `table: {columns: …}` gives them; sets `id` and `copies`."""
        if not self.table:
            return {}
        spellings = {folded(heading): heading for heading in reversed(self.source.headings)}
        renamed: dict[str, str] = {}
        for name, column in self.table.columns.items():
            heading = column if column in self.source.headings else spellings.get(folded(column), "")
            if not heading:
                hint = did_you_mean(column, self.source.headings)
                problem = Problem(f"“columns”: there is no column “{shortened(column)}”", self.table.place, hint)
                if problem not in self.problems:
                    collect(self.problems, problem)
            elif name == "id":
                self.id = heading
            elif name == "copies":
                self.copies = heading
            else:
                renamed[heading] = name
        return renamed

    def _reserved(self, role: str, headings: list[str]) -> str:
        """The heading of the column with the cards' ids or copies, if there is one."""
        candidates = sorted(
            (position, number, heading)
            for number, heading in enumerate(headings)
            for match, position in [meaning(heading, self.language)]
            if match == role and folded(heading) not in map(folded, self.declared)
        )
        usable = self._can_be_ids if role == "id" else self._can_be_copies
        return next((heading for _, _, heading in candidates if usable(heading)), "")

    def _can_be_ids(self, heading: str) -> bool:
        """Whether a column holds ids: `id` always does, others if every card has a different one."""
        if folded(heading) == "id":
            return True
        texts = set()
        for cell in self.source.column(heading):
            text = _text(cell)
            if not text or text in texts:
                return False
            texts.add(text)
        return True

    def _can_be_copies(self, heading: str) -> bool:
        """Whether a column holds copies: `copies` always does; `count` and `x` if all values are whole numbers, but not
        `x` beside `y`."""
        if folded(heading) == "x" and "y" in map(folded, self.source.headings):
            return False
        return folded(heading) in COUNTS_COPIES or self._not_a_count(heading) is None

    def _not_a_count(self, heading: str) -> tuple[Place, str] | None:
        """The first cell of a column that is not a number of copies."""
        for number, cell in enumerate(self.source.column(heading)):
            if _copies(cell.raw if isinstance(cell, Shown) else _text(cell)) is None:
                row, _ = next(islice(self.source.rows, number, None))
                return self.source.cell_place(row, heading), _text(cell)
        return None

    def _unused_counts(self, headings: list[str]) -> Iterator[str]:
        """Notes about columns that look like the number of copies but are not used as such."""
        for heading in headings:
            role = meaning(heading, self.language)[0]
            is_copies = role == "copies" and folded(heading) != "x"
            if not is_copies and (role or not names_a_count(heading)):
                continue
            texts = [_text(cell) for cell in self.source.column(heading)]
            counts = sum(bool(text) and _copies(text) is not None for text in texts)
            bad = self._not_a_count(heading)
            if bad is None and counts:
                yield (
                    f"“{shortened(heading)}” is printed on the cards; if it is the number of copies, rename it Copies"
                )
            elif bad is not None and is_copies and 2 * counts >= len(texts):
                where = bad[0].cell or f"line {bad[0].line}"
                yield f"“{shortened(heading)}” is not the number of copies, because of “{shortened(bad[1])}” ({where})"

    def _misspelt(self, headings: list[str], by_field: Mapping[str, str]) -> list[str]:
        """Headings that are probably misspelt: similar to a declared field that a card with this heading lacks."""
        if self.strict:
            return list(headings)
        if not self.declared:
            return []
        misspelt = []
        for heading in headings[:_MAX_UNKNOWN]:
            word = folded(heading)
            similar = [by_field.get(name, "") for name in self.declared if _alike(word, folded(name))]
            if similar and any(
                heading in cells and not any(other in cells for other in similar) for _, cells in self.source.rows
            ):
                misspelt.append(heading)
        return misspelt


def _alike(heading: str, name: str) -> bool:
    from difflib import SequenceMatcher  # needed only for unknown headings

    matcher = SequenceMatcher(None, heading[:60], name[:60])
    return matcher.quick_ratio() >= _MIN_RATIO and matcher.ratio() >= _MIN_RATIO


def _copies(text: str) -> int | None:
    """`3`, `3x`, `×3`, `3.0` or nothing → a number of copies; None if it is something else."""
    if not text.strip():
        return 1
    match = _COPIES.fullmatch(text)
    number = int(match[1]) if match else None
    return None if number is None or number > limits.COPIES else number


# ---- cells → values --------------------------------------------------------------------------------------------------


class _CardReader:
    """Reads rows as cards, and collects problems."""

    def __init__(
        self,
        source: _Source,
        fields: Mapping[str, tuple[str, ColumnFile]],
        match: _Match,
        problems: list[Problem],
        rest: list[str],
    ) -> None:
        self.source = source
        self.problems = problems
        self.match = match
        self.rest = [number for number, name in enumerate(fields) if name in rest]
        self.names = tuple(fields)
        self.long: set[str] = set()
        self.ids: dict[str, tuple[Any, ...]] = {}
        self.repeated: list[Problem] = []
        self.separators = {name: self._separator(heading) for name, (heading, column) in fields.items() if column.list}
        self.readers = [
            (name, heading, column, _cell_reader(column, name in match.declared, self.separators.get(name)))
            for name, (heading, column) in fields.items()
        ]

    def _separator(self, heading: str) -> str | None:
        """What stands between the values of a list in this column; None for spaces."""
        if self.match.table and self.match.table.separator is not None:
            return self.match.table.separator.strip() or None
        found: set[str] = set()
        for cell in self.source.column(heading):
            if isinstance(cell, str):
                if "|" in cell:
                    return "|"
                found.update(sign for sign in ";," if sign in cell)
        return next((sign for sign in ";," if sign in found), None)

    def bad(
        self, message: str, place: Place | None, hint: str = "", misspelling: tuple[str, Iterable[str]] = ("", ())
    ) -> None:
        """Adds a problem. `misspelling` is a misspelt word and the valid ones; one suggested from them is the hint."""
        suggestion = did_you_mean(*misspelling) if misspelling[0] and len(self.problems) < MAX_SHOWN else ""
        collect(self.problems, Problem(message, place, suggestion or hint))

    def card(self, row: Row, number: int) -> CardValues:
        """The values of the card in a row; adds its problems."""
        at, cells = row
        parsed: list[Any] = []
        for name, heading, column, parse in self.readers:
            cell = cells.get(heading, "")
            if isinstance(cell, str):
                try:
                    parsed.append(parse(cell))
                    continue
                except ValueError:  # the slow path reports what is wrong
                    if isinstance(cell, Shown) and (value := _from_raw(cell, parse)) is not None:
                        parsed.append(value)
                        continue
                    where = self.source.cell_place(at, heading)
                    cell = [Scalar(part, where) for part in _parts(cell, column, self.separators.get(name))]
            place = self.source.row_place(at)
            parsed.append(self.cell(heading or name, column, cell, place, name in self.match.declared))
        if self.rest:
            self._note_long(parsed)
        copies = self.copies(cells, at) if self.match.copies else 1
        grid = self.source.grid
        place_of = (grid.file, at, "", grid.sheet) if grid else _place_values(at)
        name = (_text(cells.get(self.match.id, "")) if self.match.id else "") or str(number)
        if self.match.id:
            self._refuse_repeated(name, place_of)
        return name, tuple(parsed), copies, place_of

    def _note_long(self, parsed: list[Any]) -> None:
        """Remembers the fields in which a card has a long text: more than a line of a small table."""
        for number in self.rest:
            text = parsed[number]
            if isinstance(text, str) and (len(text) > _MAX_FACT or "\n" in text):
                self.long.add(self.names[number])
                self.rest = [other for other in self.rest if other != number]

    def _refuse_repeated(self, name: str, place_of: tuple[Any, ...]) -> None:
        """Adds a problem for a card with the id of another one."""
        first = self.ids.setdefault(name, place_of)
        if first is not place_of:
            earlier = Place(*first)
            hint = f"the first is {'in row' if earlier.sheet else 'on line'} {earlier.line}"
            message = f"two cards have the id “{shortened(name)}”"
            self.repeated.append(Problem(message, Place(*place_of), hint))

    def copies(self, cells: Mapping[str, Cell], row: Any) -> int:
        heading = self.match.copies
        cell = cells.get(heading, "")
        text = _text(cell)
        number = _copies(cell.raw if isinstance(cell, Shown) else text)
        if number is None:
            where = cell[0].place if isinstance(cell, list) else self.source.cell_place(row, heading)
            self.bad(f"“{shortened(heading)}” must be from 0 to {limits.COPIES:,}, not “{shortened(text)}”", where)
        return 1 if number is None else number

    def cell(self, name: str, column: ColumnFile, scalars: list[Scalar], place: Place, declared: bool) -> Any:
        """The value of a cell; adds its problems."""
        present = [scalar for scalar in scalars if not (scalar.blank and not scalar.quoted)]
        if column.required and not present:
            self.bad(f"this card needs “{name}”", scalars[0].place if scalars else place)
        if column.list:
            return tuple(self.value(name, column, scalar) for scalar in present)
        if not declared:
            return ", ".join(scalar.text for scalar in present) if present else None
        if len(scalars) > 1:
            hint = f"declare it with “list: true” to give {len(scalars)}"
            self.bad(f"“{name}” must be a single value, not a list", scalars[0].place, hint)
        return self.value(name, column, present[0]) if present else None

    def value(self, name: str, column: ColumnFile, scalar: Scalar) -> Any:
        try:
            return _parse(column, scalar.text)
        except ValueError as error:
            message = f"“{shortened(name)}” must be {error}, not “{shortened(scalar.text)}”"
            self.bad(message, scalar.place, misspelling=(scalar.text, column.choices))
            return None


def _from_raw(cell: Shown, parse: Callable[[str], Any]) -> Any:
    """The value of a number that its cell shows with a currency, a percent sign or the like; None if it has none."""
    try:
        return parse(cell.raw)
    except ValueError:
        return None


def _text(cell: Cell) -> str:
    """The text of a cell with a single value; “” if it is blank."""
    if isinstance(cell, str):
        text = cell.strip()
        return "" if text in _BLANK else text
    return "" if not cell or cell[0].blank else cell[0].text


def _parts(cell: str, column: ColumnFile, separator: str | None) -> list[str]:
    return [part.strip() for part in cell.split(separator)] if column.list else [cell.strip()]


def _cell_reader(column: ColumnFile, declared: bool, separator: str | None) -> Callable[[str], Any]:
    """Makes the function that reads the cells of a table's column; it raises ValueError for a cell with a problem."""
    parse = None if column.kind == "text" else lru_cache(maxsize=1024)(partial(_parse, column))  # values are repeated
    required = column.required

    def read_text(cell: str) -> Any:
        return cell.strip() or None

    def read_single(cell: str) -> Any:
        text = cell.strip()
        if len(text) <= _MAX_BLANK and text in _BLANK:
            if required:
                raise ValueError
            return None
        return parse(text) if parse else text

    def read_list(cell: str) -> tuple[Any, ...]:
        present = [intern(part) for part in map(str.strip, cell.split(separator)) if part not in _BLANK]
        if required and not present:
            raise ValueError
        return tuple(map(parse, present) if parse else present)

    if not declared:
        return read_text
    return read_list if column.list else read_single


def _parse(column: ColumnFile, text: str) -> Any:
    if column.kind == "text":
        return text
    if column.kind == "number":
        return _number(column, text)
    if column.kind == "range":
        return values.span(text)
    if column.kind == "tick":
        return _tick(text)
    if column.kind == "choice" and text not in column.choices:
        raise ValueError(f"one of {listed(column.choices)}")
    if column.kind == "colour" and colours.is_notation(text):
        return intern(colours.parsed(text))
    return text


def _number(column: ColumnFile, text: str) -> int | float:
    try:
        number: int | float = values.whole(text)
    except ValueError:
        number = _float(text)
    if column.span and not column.span.low <= number <= column.span.high:
        raise ValueError(f"from {column.span.low} to {column.span.high}")
    return number


def _float(text: str) -> float:
    try:
        return values.decimal(text)
    except ValueError:
        raise ValueError("a number") from None


def _tick(text: str) -> bool:
    if text.lower() not in ("x", "yes", "true", "no", "false", "-"):
        raise ValueError("yes or no")
    return text.lower() in ("x", "yes", "true")
