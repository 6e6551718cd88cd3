"""Cards from tables, YAML and JSON: matches columns to fields, and reads every cell by the kind of its field."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from ..errors import MAX_COLLECTED, MAX_SHOWN, InputError, Place, Problem, did_you_mean, fault, listed, shortened
from . import columns, limits, values
from .columns import Columns, folded
from .models import Card, CardsFile, TableFile
from .nodes import Listing, Node, Scalar
from .nodes import Mapping as MappingNode
from .values import ColumnFile

if TYPE_CHECKING:
    from .grids import Grid

TABLES = (".csv", ".tsv", ".txt", ".xlsx")
Cell = str | list[Scalar]
"""The value of one field: a string from a table, or scalars from YAML."""
Row = tuple[Place, dict[str, Cell]]
_BLANK = frozenset(("", ".", "~", "null"))
_LONGEST_BLANK = max(map(len, _BLANK))
_TEXT = ColumnFile()
_ALIKE = 0.8
"""How much alike an unknown heading and a declared field must be to be taken for a misspelling of it."""
_MOST_UNKNOWN = 50
"""Unknown headings that are compared with the declared fields."""


@dataclass(frozen=True, slots=True)
class CardList:
    """The cards of a deck, what its columns mean, and how its file was understood where that is not certain."""

    cards: tuple[Card, ...]
    columns: Columns
    sheet: str = ""
    notes: tuple[str, ...] = ()


def cards(definition: CardsFile, place: Place) -> tuple[Card, ...]:
    """Dice or spaces: cards whose fields are all declared. Raises InputError with every problem."""
    return card_list(definition, None, "", place, strict=True).cards


def card_list(definition: CardsFile, table: Path | None, shown: str, place: Place, *, strict: bool = False) -> CardList:
    """The cards of a deck, from the file `table` if its definition names one. Undeclared columns are texts, or problems
    if `strict`. Raises InputError with every problem."""
    if len(definition.fields) > limits.COLUMNS:
        raise fault(f"this deck declares {len(definition.fields):,} fields; at most {limits.COLUMNS}", place)
    if (definition.cards is None) == (definition.table is None):
        raise fault("a deck needs either “cards” or a “table”", place)
    problems: list[Problem] = []
    if table is None:
        source = _listed(definition.cards, problems)
    else:
        source = _tabled(_grid(table, shown, definition.table), problems)
    match = _Match(definition.fields, definition.table, source, problems, strict)
    found = match.fields()
    _check_extent(len(source.rows), len(found), place)
    reader = _CardReader(source, found, match, problems)
    deck = [reader.card(row, number) for number, row in enumerate(source.rows, start=1)]
    reader.refuse_duplicates(deck)
    if not deck and not problems:
        problems.append(Problem("this deck has no cards", source.place or place))
    if problems:
        raise InputError(problems)
    headings = {name: heading or name for name, (heading, _) in found.items()}
    return CardList(tuple(deck), columns.assigned(headings, definition.fields), source.sheet, source.notes)


def _check_extent(rows: int, fields: int, place: Place) -> None:
    if rows > limits.ROWS or rows * fields > limits.CELLS:
        max_cards = min(limits.ROWS, limits.CELLS // (fields or 1))
        raise fault(f"this deck has {rows:,} cards of {fields} fields; at most {max_cards:,}", place)


# ---- sources: rows by heading ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Source:
    """Rows of cells by heading. `grid` is where a table has its columns, `first` where a list first uses a key."""

    headings: list[str]
    rows: list[Row]
    place: Place | None = None
    grid: Grid | None = None
    positions: Mapping[str, int] = field(default_factory=dict)
    first: Mapping[str, Place] = field(default_factory=dict)

    @property
    def sheet(self) -> str:
        return self.grid.sheet if self.grid else ""

    @property
    def notes(self) -> tuple[str, ...]:
        return self.grid.notes if self.grid else ()

    def place_of(self, heading: str) -> Place | None:
        """The place of a heading."""
        if self.grid and self.place and heading in self.positions:
            return self.grid.place(self.place.line, self.positions[heading])
        return self.first.get(heading, self.place)

    def cell_place(self, row: Place, heading: str) -> Place:
        if self.grid and heading in self.positions:
            return self.grid.place(row.line, self.positions[heading])
        return row


def _grid(path: Path, shown: str, table: TableFile | None) -> Grid:
    sheet = table.sheet if table else None
    ending = path.suffix.lower()
    if ending == ".xlsx":
        from . import workbooks  # imported here because most tables are text

        return workbooks.xlsx(path, shown, sheet)
    if ending not in TABLES:
        raise fault(f"a table must be a .csv or .xlsx file, not {path.name}", Place(shown))
    from . import grids

    return grids.delimited(path, shown)


def _listed(node: Any, problems: list[Problem]) -> _Source:
    """The cards of a YAML list."""
    if not isinstance(node, Listing):
        raise fault("“cards” must be a list", node.place)
    first: dict[str, Place] = {}
    rows: list[Row] = []
    for entry in node.entries:
        if not isinstance(entry, MappingNode):
            _add(problems, Problem("a card must be a mapping", entry.place))
            continue
        cells: dict[str, Cell] = {}
        for key, value in entry.pairs:
            first.setdefault(key.text, key.place)
            scalars = _scalars(value)
            if scalars is None:
                _add(problems, Problem(f"“{shortened(key)}” must be a value or a list of values", value.place))
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


def _tabled(grid: Grid, problems: list[Problem]) -> _Source:
    """The cards of a table whose first row with content has the headings."""
    lines = ((number, row) for number, row in grid.rows if any(map(str.strip, row)))
    number, header = next(lines, (0, []))
    if not header:
        raise fault("this table is empty", Place(grid.file, sheet=grid.sheet), "its first row must have the headings")
    place = grid.place(number)
    if len(header) > limits.COLUMNS:
        raise fault(f"this table has {len(header):,} columns; at most {limits.COLUMNS}", place)
    headings = _unique(header)
    rows: list[Row] = []
    for number, row in lines:
        if number > limits.ROWS:
            raise fault(f"more than {limits.ROWS:,} rows", grid.place(number))
        if len(row) > len(headings) and any(map(str.strip, row[len(headings) :])):
            message = f"this row has {len(row)} values, but there are {len(headings)} columns"
            _add(problems, Problem(message, grid.place(number), "quote any text that contains a comma"))
        cells: dict[str, Cell] = dict(zip(headings, row, strict=False))
        cells.pop("", None)
        rows.append((grid.place(number), cells))
    positions = {heading: position for position, heading in enumerate(headings) if heading}
    return _Source(list(positions), rows, place, grid, positions)


def _unique(header: list[str]) -> list[str]:
    """The headings; one that appears again gets a number."""
    names: list[str] = []
    for cell in header:
        name, number = " ".join(cell.split()), 2
        unique = name
        while unique and unique in names:
            unique, number = f"{name} {number}", number + 1
        names.append(unique)
    return names


def _add(problems: list[Problem], problem: Problem) -> None:
    """Collects a problem; raises InputError when there are too many to read on."""
    problems.append(problem)
    if len(problems) >= MAX_COLLECTED:
        raise InputError(problems)


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

    def fields(self) -> dict[str, tuple[str, ColumnFile]]:
        """Every field with its heading (“” for a declared field that no column has) and its declaration."""
        found = self._declared()
        free = [heading for heading in self.source.headings if heading not in found.values()]
        self.id = self.id or self._reserved("id", free)
        self.copies = self.copies or self._reserved("copies", free)
        free = [heading for heading in free if heading not in (self.id, self.copies)]
        for heading in self._misspelt(free, found):
            hint = did_you_mean(heading, self.declared) or "declare it under “fields”"
            _add(self.problems, Problem(f"unknown field “{shortened(heading)}”", self.source.place_of(heading), hint))
            free.remove(heading)
        result = {name: (found.get(name, ""), column) for name, column in self.declared.items()}
        names = self._renamed()
        for heading in free:
            name = names.get(heading) or columns.identifier(heading, result)
            result[name] = heading, _TEXT
        return result

    def _declared(self) -> dict[str, str]:
        """The headings of declared fields, as typed or in another spelling, and of those that `table` renames."""
        headings = self.source.headings
        renamed = self._renamed()
        found = {name: heading for heading, name in renamed.items() if name in self.declared}
        found |= {name: name for name in self.declared if name in headings and name not in found}
        spellings = {folded(heading): heading for heading in reversed(headings)}
        for name in self.declared:
            heading = spellings.get(folded(name))
            if name not in found and heading and heading not in (*found.values(), *renamed):
                found[name] = heading
        for name, heading in found.items():
            if folded(name) == "id":
                self.id = self.id or heading
            elif folded(name) in columns.COUNTS_COPIES:
                self.copies = self.copies or heading
        return found

    def _renamed(self) -> dict[str, str]:
        """Heading → field name, as `table: {columns: …}` gives them; sets `id` and `copies`."""
        if not self.table:
            return {}
        spellings = {folded(heading): heading for heading in reversed(self.source.headings)}
        renamed: dict[str, str] = {}
        for name, wanted in self.table.columns.items():
            heading = wanted if wanted in self.source.headings else spellings.get(folded(wanted), "")
            if not heading:
                hint = did_you_mean(wanted, self.source.headings)
                problem = Problem(f"“columns”: there is no column “{shortened(wanted)}”", self.table.place, hint)
                if problem not in self.problems:
                    _add(self.problems, problem)
            elif name == "id":
                self.id = heading
            elif name == "copies":
                self.copies = heading
            else:
                renamed[heading] = name
        return renamed

    def _reserved(self, role: str, headings: list[str]) -> str:
        """The heading of the column that means the cards' ids or copies, if one does."""
        candidates = sorted(
            (position, number, heading)
            for number, heading in enumerate(headings)
            for meant, position in [columns.meaning(heading)]
            if meant == role and folded(heading) not in map(folded, self.declared)
        )
        usable = self._can_be_ids if role == "id" else self._can_be_copies
        return next((heading for _, _, heading in candidates if usable(heading)), "")

    def _can_be_ids(self, heading: str) -> bool:
        """Whether a column that may hold the ids does: `id` always, others if every card has a different one."""
        texts = self._texts(heading)
        return folded(heading) == "id" or (all(texts) and len({*texts}) == len(texts))

    def _can_be_copies(self, heading: str) -> bool:
        """Whether a column that may hold the copies does: `copies` always, `count` or `x` if all are numbers."""
        texts = self._texts(heading)
        return folded(heading) in columns.COUNTS_COPIES or all(_copies(text) is not None for text in texts)

    def _texts(self, heading: str) -> list[str]:
        return ["|".join(cell) if isinstance(cell := cells.get(heading, ""), list) else cell.strip()
                for _, cells in self.source.rows]  # fmt: skip

    def _misspelt(self, headings: list[str], found: Mapping[str, str]) -> list[str]:
        """Headings that are probably misspelt: alike to a declared field that a card with this heading lacks."""
        if self.strict:
            return list(headings)
        if not self.declared:
            return []
        misspelt = []
        for heading in headings[:_MOST_UNKNOWN]:
            word = folded(heading)
            near = [found.get(name, "") for name in self.declared if _alike(word, folded(name))]
            if near and any(
                heading in cells and not any(other in cells for other in near) for _, cells in self.source.rows
            ):
                misspelt.append(heading)
        return misspelt


def _alike(one: str, other: str) -> bool:
    from difflib import SequenceMatcher  # needed only for unknown headings

    matcher = SequenceMatcher(None, one[:60], other[:60])
    return matcher.quick_ratio() >= _ALIKE and matcher.ratio() >= _ALIKE


def _copies(text: str) -> int | None:
    """`3`, `3x`, `×3`, `3.0` or nothing → a number of copies; None if it is something else."""
    digits = text.casefold().strip("x× ").removesuffix(".0")
    if not text.strip():
        return 1
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 7):
        return None
    number = int(digits)
    return number if number <= limits.COPIES else None


# ---- cells → values --------------------------------------------------------------------------------------------------


class _CardReader:
    """Reads rows as cards, and collects problems."""

    def __init__(
        self,
        source: _Source,
        fields: Mapping[str, tuple[str, ColumnFile]],
        match: _Match,
        problems: list[Problem],
    ) -> None:
        self.source = source
        self.problems = problems
        self.match = match
        self.readers = [
            (name, heading, column, _cell_reader(column, name in match.declared))
            for name, (heading, column) in fields.items()
        ]

    def bad(
        self, message: str, place: Place | None, hint: str = "", near: tuple[str, Iterable[str]] = ("", ())
    ) -> None:
        """Adds a problem. `near` is a misspelt word and the valid words; a suggestion from them replaces `hint`."""
        suggestion = did_you_mean(*near) if near[0] and len(self.problems) < MAX_SHOWN else ""
        _add(self.problems, Problem(message, place, suggestion or hint))

    def card(self, row: Row, number: int) -> Card:
        place, cells = row
        parsed: dict[str, Any] = {}
        for name, heading, column, parse in self.readers:
            cell = cells.get(heading, "")
            if isinstance(cell, str):
                try:
                    parsed[name] = parse(cell)
                    continue
                except ValueError:  # the slow path reports what is wrong
                    cell = _split(column, cell, self.source.cell_place(place, heading))
            parsed[name] = self.cell(heading or name, column, cell, place, name in self.match.declared)
        name = _text(cells.get(self.match.id, "")) if self.match.id else ""
        return Card(name or str(number), MappingProxyType(parsed), self.copies(cells, place), place)

    def copies(self, cells: Mapping[str, Cell], place: Place) -> int:
        heading = self.match.copies
        if not heading:
            return 1
        cell = cells.get(heading, "")
        text = _text(cell)
        number = _copies(text)
        if number is None:
            where = cell[0].place if isinstance(cell, list) else self.source.cell_place(place, heading)
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
            self.bad(message, scalar.place, near=(scalar.text, column.choices))
            return None

    def refuse_duplicates(self, deck: list[Card]) -> None:
        first: dict[str, Card] = {}
        for card in deck:
            earlier = first.setdefault(card.id, card)
            if earlier is not card and earlier.place:
                row = "in row" if earlier.place.sheet else "on line"
                hint = f"the first is {row} {earlier.place.line}"
                self.bad(f"two cards have the id “{shortened(card.id)}”", card.place, hint)


def _text(cell: Cell) -> str:
    """The text of a cell with a single value; “” if it is blank."""
    if isinstance(cell, str):
        text = cell.strip()
        return "" if text in _BLANK else text
    return "" if not cell or cell[0].blank else cell[0].text


def _split(column: ColumnFile, cell: str, place: Place) -> list[Scalar]:
    if column.list:
        parts = cell.split("|") if "|" in cell else cell.split()
        return [Scalar(part.strip(), place) for part in parts]
    return [Scalar(cell.strip(), place)]


def _cell_reader(column: ColumnFile, declared: bool) -> Callable[[str], Any]:
    """Makes the function that reads the cells of a table's column; it raises ValueError for a cell with a problem."""
    parse = None if column.kind == "text" else partial(_parse, column)
    required = column.required

    def read_text(cell: str) -> Any:
        return cell.strip() or None

    def read_single(cell: str) -> Any:
        text = cell.strip()
        if len(text) <= _LONGEST_BLANK and text in _BLANK:
            if required:
                raise ValueError
            return None
        return parse(text) if parse else text

    def read_list(cell: str) -> tuple[Any, ...]:
        parts = [*map(str.strip, cell.split("|"))] if "|" in cell else cell.split()
        present = [part for part in parts if part not in _BLANK]
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
    if column.kind == "colour" and text.startswith("#"):
        return values.colour(text)
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
