"""Drawings below findings: the grid or the rows of a table that contain the marks in question.

The definition of the sheet determines what is drawn: a group typed as rows of marks is a grid; an entry of a repeated
group is a row, in a log together with the previous one; parts that are not on paper are listed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from msgspec import Struct

from ..model.game import FieldFile
from ..model.values import field_names
from ..sheets import FilledSheet
from .results import Cell, Drawing, Finding, MarkedText, cut, number_text

Signs: TypeAlias = Callable[[FilledSheet, str], Sequence[str]]
"""Returns the signs that a game prints between the marks of a row, if any."""


def blank(cell: Cell) -> bool:
    """Whether a cell is empty and nothing in it is marked."""
    return all(piece.text in ("", ".") and not piece.marked for piece in cell)


# ---- logs, deals and lines drawn in a grid

MAX_CARDS_WIDTH = 48
"""The maximum width of the cards in a row, in characters."""


def _table(rows: Sequence[Mapping[str, Cell]]) -> Drawing | None:
    """A table of rows of cells by their heads, without the columns that are blank."""
    heads = [
        head
        for head in dict.fromkeys(head for row in rows for head in row)
        if not head or any(not blank(row[head]) for row in rows if head in row)
    ]
    if not any(heads) and all(blank(cell) or not cell[0].marked for row in rows for cell in row.values()):
        return None
    headings = tuple(heads) if any(heads) else ()
    return Drawing(headings, tuple(tuple(row.get(head, (MarkedText(""),)) for head in heads) for row in rows))


def _entries(name: str, value: Any, marked: Collection[str]) -> Iterator[tuple[str, Any, bool]]:
    """The entries of a part to show: title, entry, and whether the finding concerns it."""
    if isinstance(value, tuple):
        numbers = [number for number in range(1, len(value) + 1) if {name, f"{name}.{number}"} & set(marked)]
        listed = sorted({near for number in numbers for near in (number - 1, number) if near})
        yield from ((f"{name} {number}", value[number - 1], number in numbers) for number in listed)
    elif isinstance(value, Mapping):
        named = [key for key in value if any(field.startswith(f"{name}.{key}") for field in marked)]
        yield from ((f"{name} {key}", value[key], True) for key in named or value)
    for field in field_names(value):
        inner = getattr(value, field)
        if isinstance(inner, Mapping):
            yield from ((f"{field} {key}", entry, f"{name}.{field}.{key}" in marked) for key, entry in inner.items())
        elif inner and field != "place":
            yield field, inner, f"{name}.{field}" in marked


def _row(title: str, entry: Any, marked: bool) -> dict[str, Cell]:
    row: dict[str, Cell] = {"": (MarkedText(title, marked),)}
    if field_names(entry):
        row |= {
            name.rstrip("_").replace("_", " "): (MarkedText(_on_one_line(getattr(entry, name))),)
            for name in field_names(entry)
            if name != "place"
        }
    else:
        row["cards"] = (MarkedText(cut(_on_one_line(entry), MAX_CARDS_WIDTH)),)
    return row


def _on_one_line(value: Any) -> str:
    """A value on one line; empty if it was left out."""
    if value is None or value is False:
        return ""
    if value is True:
        return "x"
    if isinstance(value, Mapping):
        return "; ".join(f"{key}: {_on_one_line(text)}" for key, text in value.items())
    if isinstance(value, tuple | list):
        return " ".join(map(_on_one_line, value))
    if field_names(value):
        named_values = ((name, _on_one_line(getattr(value, name))) for name in field_names(value) if name != "place")
        return " ".join(f"{name} {text}" if text != "x" else name for name, text in named_values if text)
    return str(value)


# ---- drawings under findings

MAX_DRAWINGS = 3
"""The maximum number of drawings below one finding."""
MAX_TEXT = 40
"""The maximum width of a text, in characters."""
TALL_GRID = 12
"""The number of rows above which only the rows around the marks are drawn."""
ROWS_AROUND = 3
"""The rows drawn above and below a mark in a tall grid."""


class Step(Struct, frozen=True):
    """A part of the definition on the path to an id: its spec, and the id up to this part."""

    spec: FieldFile
    name: str
    entry: bool


Panel: TypeAlias = tuple[str, str]
"""One drawing: its kind, and its part of the definition."""


def drawings(finding: Finding, sheets: Sequence[FilledSheet], signs: Signs) -> list[Drawing]:
    """The drawings below a finding on one of several sheets of a game: the parts of the sheet that contain its fields,
    with their marks in brackets."""
    sheet = next((sheet for sheet in sheets if sheet.place.file == finding.place.file), sheets[0])
    drawer, where = _Drawer(sheet, frozenset(finding.where), signs), finding.where
    names_by_panel: dict[Panel, dict[str, None]] = {}
    targets = [target for target in map(drawer.panel, where) if target]
    for target in targets:
        if target[0][0] == "rows" and any(name.startswith(f"{target[1]}.") for _, name in targets):
            continue  # the finding also names entries: draw these alone
        for panel, name in (*drawer.inside(*target), target):
            names_by_panel.setdefault(panel, {})[name] = None
    return [
        drawing
        for (kind, _), names in list(names_by_panel.items())[:MAX_DRAWINGS]
        if (drawing := drawer.drawn(kind, list(names)))
    ]


def steps(fields: Mapping[str, FieldFile], name: str) -> Iterator[Step]:
    """The parts of the definition from the top down to an id, as far as they exist."""
    parts, prefix = name.split("."), ""
    while parts and parts[0] in fields:
        spec, prefix = fields[parts[0]], prefix + parts[0]
        many = spec.count is not None if spec.fields is None else spec.repeat is not None
        entry = many and len(parts) > 1 and parts[1].isdigit()
        if entry:
            prefix += f".{parts[1]}"
        yield Step(spec, prefix, entry)
        parts, fields, prefix = parts[1 + entry :], spec.fields or {}, prefix + "."


class _Drawer(Struct, frozen=True):
    sheet: FilledSheet
    marked: frozenset[str]
    signs: Signs

    # ---- which part of the sheet -----------------------------------------------------------------------------------

    def panel(self, name: str) -> tuple[Panel, str] | None:
        """The drawing that shows this id, and the id of what is drawn there."""
        path = list(steps(self.fields, name))
        root = name.partition(".")[0]
        if root in self.sheet.extra and (not path or path[-1].name != name or root == name not in self.sheet.marks):
            return ("extra", root), root
        if not path:
            return None
        grid = next((step for step in path if step.spec.across), None)
        if grid is None:
            last = path[-1]
            if last.spec.repeat is not None and not last.entry and self.sheet.entries.get(last.name):
                return ("rows", last.name), last.name
            for depth, step in reversed([*enumerate(path, 1)]):
                if step.spec.fields is not None and (step.entry or step.spec.zero):
                    group = step.name.rpartition(".")[0]
                    if step.entry and _is_short(step.spec, depth):
                        return ("across", group), group
                    without_numbers = ".".join(part for part in step.name.split(".") if not part.isdigit())
                    return ("row", without_numbers), step.name  # entries of one group are rows of one table
            top = path[0]
            return (("top", top.name.partition(".")[0] if top.spec.count or top.spec.fields else ""), top.name)
        part = grid.name.rpartition(".")[0] if grid.entry and grid.spec.count else grid.name
        return ("grid", part), part

    def inside(self, panel: Panel, name: str) -> Iterator[tuple[Panel, str]]:
        """The parts of a row that have tables of their own: the letters of its word and, if the whole row is marked,
        its entries."""
        path = list(steps(self.fields, name)) if panel[0] == "row" else []
        if not path or path[0].name.rpartition(".")[0] == self.sheet.sheet.definition.players:
            return
        for key, spec in (path[-1].spec.fields or {}).items():
            group = f"{name}.{key}"
            if self.sheet.entries.get(group) and _is_short(spec, len(path) + 1):
                yield ("across", group), group
            elif self.sheet.entries.get(group) and name in self.marked:
                yield ("rows", group), group

    @property
    def fields(self) -> Mapping[str, FieldFile]:
        return self.sheet.sheet.definition.fields

    def drawn(self, kind: str, names: list[str]) -> Drawing | None:
        first = names[0]
        if whole := {"grid": self._grid, "top": self._top, "across": self._across}.get(kind):
            return whole(first)
        if kind == "extra":
            value, marked = self.sheet.extra[first], self.marked
            if isinstance(value, tuple) and all(isinstance(word, str) for word in value):
                pieces = tuple(
                    MarkedText(word, f"{first}.{n}" in marked or first in marked) for n, word in enumerate(value, 1)
                )
                return Drawing((), (((MarkedText(first),), pieces),)) if pieces else None
            return _table([_row(title, entry, is_marked) for title, entry, is_marked in _entries(first, value, marked)])
        if kind == "rows":
            entries = [*self.sheet.entries.get(first, ())]
        else:
            shown = {entry for name in names for entry in (*self._previous(name), name)}
            entries = sorted(shown, key=lambda name: [(len(part), part) for part in name.split(".")])
        return _table([self._entry(entry) for entry in entries])

    def _previous(self, name: str) -> list[str]:
        """The entry before one of a log."""
        group, _, number = name.rpartition(".")
        spec = self.fields.get(group)
        if spec is None or spec.repeat is None or spec.by or group == self.sheet.sheet.definition.players:
            return []
        entries = self.sheet.entries.get(group, ())
        place = bisect_left(entries, int(number), key=lambda entry: int(entry.rpartition(".")[2]))
        return list(entries[max(0, place - 1) : place])

    # ---- grids -----------------------------------------------------------------------------------------------------

    def _grid(self, name: str) -> Drawing:
        spec = list(steps(self.fields, name))[-1].spec
        fields, across = list(spec.fields or map(str, range(1, (spec.count or 1) + 1))), spec.across or 1
        rows = [fields[start : start + across] for start in range(0, len(fields), across)]
        letters, numbers = _axes(rows)
        lines = [
            ((MarkedText(number),), *((self._piece(f"{name}.{field}"),) for field in row))
            for number, row in zip(numbers, rows, strict=True)
        ]
        foot = ((MarkedText(""),), *((MarkedText(letter),) for letter in letters))
        return Drawing((), (*_near(lines), *([foot] if any(letters) else [])), grid=True)

    # ---- tables ----------------------------------------------------------------------------------------------------

    def _entry(self, name: str) -> dict[str, Cell]:
        """The columns of an entry by their heads. The first one names the entry if its marks do not."""
        path = list(steps(self.fields, name))
        title = ", ".join(filter(None, map(self._title, path)))
        cells = list(self._columns(path[-1].spec.fields or {}, f"{name}."))
        if title and self._title(path[-1]):  # the title names the entry, not only its player
            return {"": (MarkedText(title, name in self.marked),)} | dict(cells)
        (head, cell), *others = cells
        return ({"": (MarkedText(title),)} if title else {}) | {head: _marked(cell, name in self.marked)} | dict(others)

    def _title(self, step: Step) -> str:
        if not step.entry:
            return step.spec.label.lower() or step.name if step.spec.zero else ""
        group, _, number = step.name.rpartition(".")
        if step.spec.by and step.name in self.sheet.people:
            return self.sheet.people[step.name]
        if group == self.sheet.sheet.definition.players:
            return self.sheet.people.get(step.name, "") if self._inside(step.name) else ""
        named = any(inner.kind == "card" and not inner.count for inner in (step.spec.fields or {}).values())
        label = step.spec.label.lower() or group.rpartition(".")[2]
        return f"{label} {number}" if step.spec.fields and not (named and "." in group) else ""

    def _inside(self, entry: str) -> bool:
        """Whether only inner parts of this entry are drawn, so that its own name is not visible."""
        inner = [field for field in self.marked if field.startswith(f"{entry}.")]
        return any(
            step.entry and step.name != entry and step.spec.fields
            for field in inner
            for step in steps(self.fields, field)
        )

    def _columns(self, fields: Mapping[str, FieldFile], prefix: str) -> Iterator[tuple[str, Cell]]:
        by_player = [key for key, spec in fields.items() if spec.by and spec.count]
        for key, spec in fields.items():
            name, head = prefix + key, spec.label.lower() or key
            if spec.fields is not None:
                if spec.repeat is None:
                    inner = list(self._columns(spec.fields, f"{name}."))
                    beside = {other.label.lower() for other in fields.values() if other.fields is None}
                    inner = [(f"{title} ({head})" if title in beside else title, cell) for title, cell in inner]
                    yield from self._marked_group(inner) if name in self.marked else inner
            elif spec.count:
                also = f", {head}" if key in by_player[1:] else ""
                yield from ((f"{title}{also}", cell) for title, cell in self._row_columns(name, head, spec))
            else:
                yield head, (self._piece(name),)

    def _marked_group(self, columns: list[tuple[str, Cell]]) -> Iterator[tuple[str, Cell]]:
        """Marks a whole group: its filled-in fields, or all of them if none is filled in."""
        if any(piece.marked for _, cell in columns for piece in cell):
            yield from columns
            return
        empty = all(blank(cell) for _, cell in columns)
        yield from ((head, _marked(cell, empty or not blank(cell))) for head, cell in columns)

    def _row_columns(self, name: str, head: str, spec: FieldFile) -> Iterator[tuple[str, Cell]]:
        """A row of marks is one column, or one column for each player if each has a mark in it."""
        if spec.by:
            yield from (
                (self.sheet.people.get(f"{spec.by}.{number}", f"{head} {number}"), (self._piece(f"{name}.{number}"),))
                for number in self._numbers(name, spec.by)
            )
            return
        signs = self.signs(self.sheet, name)
        last = max([*self._numbers(name), len(signs) + 1 if signs else 0], default=0)
        pieces = [self._piece(f"{name}.{number}") for number in range(1, last + 1)]
        if name in self.marked:
            pieces = [MarkedText(piece.text, True) for piece in pieces] or [MarkedText(".", True)]
        yield head, tuple(_between(pieces, signs)) or (MarkedText("."),)

    def _numbers(self, name: str, names: str = "") -> list[int]:
        """The numbers of a row of marks that are used, marked, or have a name."""
        marked = {int(field.rpartition(".")[2]) for field in self.marked if field.rpartition(".")[0] == name}
        return sorted({*self.sheet.rows.get(name, ()), *self.sheet.rows.get(names, ()), *marked})

    def _piece(self, name: str) -> MarkedText:
        value = self.sheet.value(name)
        if value is None or value is True:
            text = "." if value is None else "x"
        else:
            text = cut(value, MAX_TEXT) if isinstance(value, str) else number_text(value)
        return MarkedText(text, name in self.marked)

    def _top(self, name: str) -> Drawing | None:
        """The single marks at the head of the sheet, or a separate row or group of marks."""
        key = name.partition(".")[0]
        rows = (
            {inner: spec for inner, spec in (self.fields[key].fields or {}).items() if spec.by and spec.count}
            if key
            else {}
        )
        if rows:
            lines = [
                {"": (MarkedText(spec.label.lower(), f"{key}.{inner}" in self.marked),)}
                | dict(self._row_columns(f"{key}.{inner}", "", spec))
                for inner, spec in rows.items()
            ]
            used = [line for line in lines if any(not blank(cell) for head, cell in line.items() if head)]
            return _table([line for line in lines if line in used or line[""][0].marked])
        alone = key and (self.fields[key].count or self.fields[key].fields)
        columns = (
            {key: self.fields[key]}
            if alone
            else {key: spec for key, spec in self.fields.items() if spec.fields is None and not spec.count}
        )
        return _table([dict(self._columns(columns, ""))])

    def _across(self, group: str) -> Drawing:
        """Short entries, such as the letters of a word, beside each other as on the paper."""
        entries = [*self.sheet.entries.get(group, ())]
        heads = list(dict.fromkeys(head for entry in entries for head in self._entry(entry) if head))
        rows = [
            ((MarkedText(head),), *(_marked(self._entry(entry)[head], entry in self.marked) for entry in entries))
            for head in heads
        ]
        return Drawing((), tuple(row for row in rows if not all(map(blank, row[1:]))))


def _is_short(spec: FieldFile, depth: int) -> bool:
    """Whether the entries of a group within another are so short that they stand beside each other."""
    inner = (spec.fields or {}).values()
    return depth > 1 and (spec.repeat or 0) > 6 and all(part.kind and not part.count for part in inner)


def _marked(cell: Cell, also: bool) -> Cell:
    return tuple(MarkedText(piece.text, piece.marked or also) for piece in cell)


def _between(pieces: list[MarkedText], signs: Sequence[str]) -> Iterator[MarkedText]:
    for number, piece in enumerate(pieces):
        if 0 < number <= len(signs):
            yield MarkedText(signs[number - 1])
        yield piece


def _axes(rows: list[list[str]]) -> tuple[list[str], list[str]]:
    """The letters of a grid's columns and the numbers of its rows, if its fields are named like `a1`."""
    columns = [{field.rstrip("0123456789") for field in column} for column in zip(*rows, strict=False)]
    lines = [{field[len(field.rstrip("0123456789")) :] for field in row} for row in rows]
    if all(len(names) == 1 for names in (*columns, *lines)):
        return [names.pop() for names in columns], [names.pop() for names in lines]
    return [""] * len(columns), [""] * len(rows)


def _near(lines: Sequence[tuple[Cell, ...]]) -> Sequence[tuple[Cell, ...]]:
    """The rows from just above the first used one; in a tall grid, the rows near its marks."""
    marked = [number for number, line in enumerate(lines) if any(piece.marked for cell in line for piece in cell)]
    if len(lines) > TALL_GRID and marked:
        return lines[max(0, marked[0] - ROWS_AROUND) : marked[-1] + ROWS_AROUND + 1]
    used = next((number for number, line in enumerate(lines) if not all(map(blank, line[1:]))), len(lines))
    return lines[max(0, used - 1) :] if used < len(lines) else lines
