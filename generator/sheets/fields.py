"""Readers for the fields of a score sheet: rows of marks, groups, and groups that repeat.

Each reader of a sheet is created when it is first needed, and reads any number of documents. A value is a text, a list
or a mapping; from JSON it may also be True, False or None, and from YAML it knows its place (`nodes`).
Problems are reported, and reading continues.
"""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property, partial
from itertools import chain
from typing import Any

from .. import nodes
from ..model.game import FieldFile
from ..nodes import Scalar
from ..reading.typed import scalar_text
from ..spelling import bare, matching_keys
from . import marks
from .draft import Draft, quoted, unknown_key
from .lookups import (
    FEW,
    MAX_CACHED,
    MAX_CACHED_LENGTH,
    Ids,
    Rows,
    accepts,
    lines_of,
    put,
)
from .mark_reader import Mark, Reader, is_number, no_name
from .marks import is_blank
from .names import is_own_number
from .namesakes import Namesakes
from .wording import parts_in_words

_BETWEEN = re.compile(r"\s+[/|;]\s+|[\s,]+")
_STANDS_FOR = re.compile(r"(\S{2,}?)(?:\s+=|:)\s+([^\W\d_]{2,})")  # `TRAI≠ = train`, `TRAI≠: train`
_BETWEEN_PARTS = re.compile(r"[\s,;/|]+")


def reader_of(spec: FieldFile) -> Reader:
    if spec.fields is None:
        return Mark(spec) if spec.count is None else Row(spec)
    if spec.repeat is None:
        return _group(spec)
    return Cards(spec) if next(iter(spec.fields.values())).kind == "card" else Repeated(spec)


class Fields(dict[str, tuple[str, Reader]]):
    """The fields of a group with their readers, by every spelling of their names used so far."""

    def __init__(self, specs: Mapping[str, FieldFile]) -> None:
        super().__init__()
        self.specs = specs

    def find(self, key: str) -> tuple[str, Reader] | None:
        """The field that a key stands for: its own key or the label printed on paper, in any case. If a label is
        unique, a field of a group can be named without its group; its name then has a dot (`claimed.total`)."""
        if key in self:
            return self[key]
        name = str(key) if key in self.specs else self.names.get(bare(key) or key.strip())
        if name is None:
            return None
        match = self._match(name)
        if len(key) <= MAX_CACHED_LENGTH and len(self) < MAX_CACHED:
            self[str(key)] = match
        return match

    def begun(self, key: str) -> tuple[str, Reader] | None:
        """The only field that a key stands for by a beginning, the singular or the plural of its key or label: `Cards`
        for `Cards played`."""
        names = matching_keys(self.names, key)
        return self._match(names[0]) if len(names) == 1 else None

    def _match(self, name: str) -> tuple[str, Reader]:
        if name not in self:
            self[name] = name, self._reader(name)
        return self[name]

    def enter(self, path: list[str]) -> tuple[str, Reader, list[str]] | None:
        """The field that a path of keys begins with, and the rest of the path. As on paper, the number of an entry may
        follow its label: `Player 2` is `players.2`. A clear beginning of a key or label is enough."""
        first, *rest = path
        for find in (self.find, self.begun):
            if match := find(first):
                return *match, rest
            numbered = _NUMBERED.fullmatch(first)
            match = find(numbered[1]) if numbered else None
            if numbered and match and isinstance(match[1], Many):
                return *match, [numbered[2], *rest]
        return None

    def _reader(self, name: str) -> Reader:
        specs = self.specs
        *groups, last = name.split(".")
        for group in groups:
            specs = specs[group].fields or {}
        reader = reader_of(specs[last])
        if isinstance(reader, Repeated) and reader.by and isinstance(reader.entry, Group):
            reader.entry.beside = Fields(specs) if groups else self
        return reader

    # ---- the fields of a player --------------------------------------------------------------------------------------

    def of_row(self, row: str) -> Fields:
        """The fields with an entry for each name in a row."""
        if row not in self._by_row:
            self._by_row[row] = Fields({name: spec for name, spec in self.specs.items() if _is_listed_by(spec, row)})
        return self._by_row[row]

    @cached_property
    def _by_row(self) -> dict[str, Fields]:
        return {}

    def read_person(self, draft: Draft, prefix: str, key: str, path: list[str], typed: Any) -> bool:
        """Reads what was typed under a name alone (`Ann: {tiles: …}` for `words: {Ann: {tiles: …}}`); False if the key
        is not a name or does not say which field is meant. `prefix` is the id of the group with a dot, or empty."""
        for row in dict.fromkeys(spec.by for spec in self.specs.values() if spec.by and _is_listed_by(spec, spec.by)):
            for text, rest in ((key, []), (path[0], path[1:])):
                number = draft.names[row].number(text)
                if number is not None:
                    return self.of_row(row)._read_entry(draft, prefix, str(number), key, rest, typed)
        return False

    def _read_entry(self, draft: Draft, prefix: str, number: str, key: str, path: list[str], typed: Any) -> bool:
        """Reads the values of one player, each in the field with the same label or in the only group."""
        groups = [name for name, spec in self.specs.items() if spec.fields]
        is_value = not path and not isinstance(typed, dict)
        only = groups if len(groups) == 1 or not is_value else [*self.specs]
        if len(only) == 1:
            name, reader = self._match(only[0])
            reader.read_part(draft, prefix + name, key, [number, *path], typed)
            return True
        values = [(key, path, typed)]
        if isinstance(typed, dict) and not path:
            values = [(inner_key, inner_key.split("."), value) for inner_key, value in typed.items()]
        for inner_key, inner_path, value in () if is_value else values:
            if not self.read_beside(draft, prefix, number, inner_key, inner_path, value):
                unknown_key(draft, inner_key, inner_path[0], self.specs, f"{prefix}{key}")
        return not is_value

    def read_beside(
        self, draft: Draft, prefix: str, number: str, key: str, path: list[str], typed: Any, own: str = ""
    ) -> bool:
        """Reads a value of one player by the label of its field; False if there is no such field besides `own`."""
        match = self.enter(path)
        if match is None or match[0] == own:
            return False
        name, reader, rest = match
        before = len(draft.marks)
        reader.read_part(draft, prefix + name, key, [number, *rest], typed)
        draft.beside += len(draft.marks) - before
        return True

    @cached_property
    def names(self) -> dict[str, str]:
        """The names of the fields by all their bare spellings."""
        labels = {label: name for label, name in reversed([*self._labels()])}  # the first field keeps a shared label
        keys = {bare(name): name for name in reversed([*self.specs])}
        return {**self._unique(self._inner_labels()), **labels, **keys}

    def _labels(self) -> Iterator[tuple[str, str]]:
        for name, spec in self.specs.items():
            yield from (
                (bare(label) or label, name)
                for label in (spec.label, *spec.also)
                if label and label not in marks.DASHES
            )

    def _inner_labels(self) -> Iterator[tuple[str, str]]:
        """The labels in groups that do not repeat: the paper may print them without naming the group."""
        for name, spec in self.specs.items():
            if spec.fields and spec.repeat is None and spec.by is None:
                inner = Fields(spec.fields)
                yield from ((label, f"{name}.{field}") for label, field in (*inner._labels(), *inner._inner_labels()))

    @staticmethod
    def _unique(labels: Iterable[tuple[str, str]]) -> dict[str, str]:
        """The labels that belong to a single field."""
        names: dict[str, set[str]] = {}
        for label, name in labels:
            names.setdefault(label, set()).add(name)
        return {label: next(iter(fields)) for label, fields in names.items() if len(fields) == 1}


def _is_listed_by(spec: FieldFile, row: str) -> bool:
    return spec.by == row and (spec.count is not None or spec.repeat is not None)


_NUMBERED = re.compile(r"(.*[^\W\d_])[ _]*([0-9]{1,6})")


def inner_fields(reader: Reader) -> Fields | None:
    """The fields of a group, or of each entry of a repeated group; None for marks."""
    inner = reader.entry if isinstance(reader, Repeated) else reader
    return inner.fields if isinstance(inner, Group) else None


# ---- groups ---------------------------------------------------------------------------------------------------------


class Group(Reader):
    def __init__(self, spec: FieldFile) -> None:
        self.spec = spec
        self.names = [*(spec.fields or ())]
        self.fields = Fields(spec.fields or {})
        self.beside: Fields | None = None
        """For an entry of a player: the fields around its list."""
        self.texts = [name for name, inner in self.fields.specs.items() if inner.kind == "text" and inner.paper]
        self.is_ticks = bool(self.names) and all(inner.kind == "tick" for inner in self.fields.specs.values())
        self.ticked: dict[str, str] = {}
        """The only box ticked by a text, for texts that have been read before."""

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        if isinstance(typed, dict):
            draft.put_place(name, typed)
            prefix, fields = name + ".", self.fields
            for key, inner in typed.items():
                match = fields.get(key) or fields.find(key)
                if match:
                    match[1].read(draft, prefix + match[0], inner)
                else:
                    self.read_part(draft, name, key, key.split("."), inner)
        elif type(typed) is str and typed in self.ticked and (box := f"{name}.{self.ticked[typed]}") not in draft.marks:
            draft.marks[box] = True
        elif not is_blank(typed):
            if self.spec.zero and marks.is_nothing(scalar_text(typed) or ""):
                draft.marks[name] = 0
                if draft.located:
                    draft.places[name] = typed.place
            else:
                self._read_keyed(draft, name, typed)

    def _read_keyed(self, draft: Draft, name: str, typed: Any) -> None:
        pairs = self.keyed(draft, name, typed)
        if pairs is not None:
            draft.put_place(name, typed)
            seen: set[str] = set()
            for field, mark in pairs:
                if self.is_ticks and field in seen:
                    draft.repeated_ticks[f"{name}.{field}"] = None
                    continue
                seen.add(field)
                _, reader = self.fields.get(field) or self.fields.find(field)  # type: ignore[misc]
                reader.read(draft, f"{name}.{field}", mark)
            if self.is_ticks and type(typed) is str and len(typed) <= MAX_CACHED_LENGTH and [*seen] == [typed]:
                self.ticked[typed] = typed

    def keyed(self, draft: Draft, name: str, typed: Any) -> list[tuple[str, Any]] | None:
        """The marks with the names of their fields, if they were typed without; None if that is reported as an error.
        Here: the names of the ticked boxes in a group of ticks, a single one or a list."""
        if len(self.names) == 1 and self.is_ticks and marks.is_tick(scalar_text(typed) or ""):
            return [(self.names[0], typed)]
        text = scalar_text(typed)
        if self.spec.zero and text is not None and self.texts:
            return self._in_order(draft, typed, text)
        if text is not None and len(self.texts) == len(self.names) > 1 and (parts := self._lengths(text)):
            return [(part, draft.scalar(word, typed)) for part, word in zip(self.names, parts, strict=True)]
        if not self.is_ticks:
            words, or_none = ", ".join(parts_in_words(self.fields.specs)), " (or type 0 for none)" * self.spec.zero
            draft.bad(typed, f"{name} cannot be read", f"name its parts{or_none}: {words}")
            return None
        pairs = []
        for entry in typed if isinstance(typed, list) else self._words(draft, typed):
            text = scalar_text(entry) or ("" if isinstance(entry, str) else "a list")
            match = self.fields.find(text) or self._by_label(text)
            if match is None:
                hint = draft.hint(partial(marks.near, text, self.names))
                draft.bad(entry, f"{name} must be {marks.one_of(self.names)}, not “{quoted(text)}”", hint)
                return None
            pairs.append((match[0], draft.scalar("x", entry) if draft.located else "x"))
        return pairs

    def _in_order(self, draft: Draft, typed: Any, text: str) -> list[tuple[str, Any]]:
        """The words of a text as the texts on paper, in their order; the whole text as the first if there are more."""
        meant = _STANDS_FOR.fullmatch(text)
        words = [*meant.groups()] if meant else text.split()
        words = words if len(words) <= len(self.texts) else [text]
        return [(name, draft.scalar(word, typed)) for name, word in zip(self.texts, words, strict=False)]

    def _lengths(self, text: str) -> list[str]:
        """The parts of a text typed in the order of the paper, such as the letters of a throw by colour: `AEIO CR STH M
        NW K`, or one letter after the other. Empty if they do not fit."""
        lengths = [spec.length or 0 for spec in self.fields.specs.values()]
        parts = [part for part in _BETWEEN_PARTS.split(text) if part.strip()]
        if [*map(len, parts)] != lengths:
            letters = [letter for letter in text if not _BETWEEN_PARTS.fullmatch(letter)]
            parts = ["".join(letters[sum(lengths[:n]) : sum(lengths[: n + 1])]) for n in range(len(lengths))]
            parts = parts if len(letters) == sum(lengths) else []
        return parts

    def _words(self, draft: Draft, typed: Any) -> list[Any]:
        """The names in a text: the whole text if it is one, otherwise what is between its commas or spaces."""
        text = scalar_text(typed) or ""
        names = [name for name in _BETWEEN.split(text.strip()) if name]
        if len(names) < 2 or self.fields.find(text) or self._by_label(text):
            return [typed]
        by_commas = [name for name in map(str.strip, text.split(",")) if name]
        is_label = any(map(self.fields.find, by_commas)) and len(by_commas) < len(names)
        return [draft.scalar(name, typed) for name in (by_commas if is_label else names)]

    def _by_label(self, text: str) -> tuple[str, Reader] | None:
        """The only tick box whose label begins with this word, such as the number of an option: `1` for `1 Rows`."""
        start = bare(text) + "_"
        matches = [name for name, spec in self.fields.specs.items() if bare(spec.label).startswith(start)]
        return self.fields.find(matches[0]) if len(matches) == 1 else None

    def read_part(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> None:
        if match := self.fields.enter(path):
            field, reader, rest = match
            if rest:
                reader.read_part(draft, f"{name}.{field}", key, rest, typed)
            else:
                reader.read(draft, f"{name}.{field}", typed)
        elif not (
            self._read_beside(draft, name, key, path, typed)
            or self._read_numbered(draft, name, key, path, typed)
            or self.fields.read_person(draft, f"{name}.", key, path, typed)
            or is_own_number(self.spec, name, key, typed)
        ):
            self._refuse(draft, name, key, path[0], typed)

    def _read_numbered(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> bool:
        """Reads a mark by its number in the only row of a player's column, such as a game in a tally."""
        rows = [row for row, spec in self.fields.specs.items() if spec.count and not spec.by]
        if len(rows) != 1 or "name" not in self.names or not is_number(path[0]):
            return False
        self.fields.find(rows[0])[1].read_part(draft, f"{name}.{rows[0]}", key, path, typed)  # type: ignore[index]
        return True

    def _refuse(self, draft: Draft, name: str, key: str, word: str, typed: Any) -> None:
        text = scalar_text(typed)
        parts = [part for part in self.names if part != "name"]
        if text and "name" in self.names and parts and key not in self.fields and key.istitle():
            draft.bad(
                key,
                f"“{quoted(key)}: {quoted(text)}” does not say what “{quoted(text)}” is",
                f"name the part, such as {quoted(key)}: {{{parts[0]}: {quoted(text)}}}",
            )
        else:
            unknown_key(draft, key, word, self.fields.specs, name)

    def _read_beside(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> bool:
        """Reads a value typed inside a player's entry that belongs to another field beside this group: on paper, the
        points of a round are beside the words."""
        if self.beside is None:
            return False
        own_list, _, number = name.rpartition(".")
        outer, dot, own = own_list.rpartition(".")
        others = self.beside.of_row(self.spec.by or "")
        return others.read_beside(draft, outer + dot, number, key, path, typed, own)


class GroupWithNamesakes(Group):
    """A group in which fields share a name."""

    def __init__(self, spec: FieldFile) -> None:
        super().__init__(spec)
        self.namesakes = Namesakes(self.fields.specs)

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        if isinstance(typed, dict):
            typed = self.namesakes.resolved(draft, name, typed, self._field)
        super().read(draft, name, typed)

    def _field(self, key: str) -> str:
        match = self.fields.enter([key])
        return match[0] if match else ""


def _group(spec: FieldFile) -> Group:
    if spec.across:
        return Grid(spec)
    return GroupWithNamesakes(spec) if Namesakes(spec.fields or {}) else Group(spec)


class Grid(Group):
    """A group that may be typed as it looks on paper: as rows of marks, the top row first, or by the numbers printed
    beside the rows. If rows are missing from a list, they are the top ones."""

    def __init__(self, spec: FieldFile) -> None:
        super().__init__(spec)
        self.across = spec.across or 1
        self.ids = Ids(self.names)
        self.numbered = marks.numbered_rows(self.names, self.across)
        self.lettered = marks.lettered_columns(self.names) if self.numbered else {}
        first, *others = self.fields.specs.values()
        self.letters = first.choices if self.numbered else ()
        same_kind = all(accepts(other) == accepts(first) for other in others) and len(self.names) % self.across == 0
        self.rows = Rows(first, self.across) if same_kind and first.kind in FEW and first.count is None else None

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        if type(typed) is not list or draft.located or not self._read_rows(draft, name, typed):
            super().read(draft, name, typed)

    def _read_rows(self, draft: Draft, name: str, typed: list[Any]) -> bool:
        """Reads all rows at once by looking up their texts; False if a row is unusual."""
        if self.rows is None:
            return False
        ids = self.ids[name]
        try:
            rows = [*map(self.rows.__getitem__, typed)]
        except (TypeError, ValueError):
            return False
        first = len(ids) - len(rows) * self.across
        if first < 0:
            return False
        if name in draft.apart:
            draft.grids[name] = len(draft.marks), ids[first:], rows
            return True
        return put(draft, ids[first:], [*chain.from_iterable(rows)])

    def keyed(self, draft: Draft, name: str, typed: Any) -> list[tuple[str, Any]] | None:
        rows = typed if isinstance(typed, list) else [draft.scalar(row, typed) for row in lines_of(typed)]
        missing = len(self.names) // self.across - len(rows)
        if missing < 0:
            on_paper = len(rows) + missing
            draft.bad(typed, f"{name} has {len(rows)} rows, but there are {on_paper} on the paper")
            return None
        pairs: list[tuple[str, Any]] = []
        for number, row in enumerate(rows, missing):
            names = self.names[number * self.across : (number + 1) * self.across]
            row_pairs = self._row_pairs(draft, name, row, names, isinstance(typed, list))
            if row_pairs is None:
                return None
            pairs += row_pairs
        return pairs

    def read_part(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> None:
        column = self.lettered.get(path[0].lower()) if len(path) == 1 else None
        if column:
            self._read_column(draft, name, key, column, typed)
        elif not (self.numbered and len(path) == 1 and path[0].isdecimal()):
            super().read_part(draft, name, key, path, typed)
        elif names := self.numbered.get(path[0]):
            for field, mark in self._row_pairs(draft, name, typed, names) or ():
                super().read_part(draft, name, key, [field], mark)
        else:
            numbers = sorted(self.numbered, key=int)
            draft.bad(key, f"{name} has no row {quoted(key)}", f"its rows are {numbers[0]} to {numbers[-1]}")

    def _read_column(self, draft: Draft, name: str, key: str, column: list[str], typed: Any) -> None:
        """Reads a column from the bottom, as it is filled in; a whole column that begins with blanks from the top."""
        if is_blank(typed):
            return
        column_marks = self._row(draft, typed, len(column))
        if len(column_marks) > len(column):
            draft.bad(key, f"column {quoted(key)} of {name} has {len(column_marks)} marks, but {len(column)} boxes")
            return
        if len(column_marks) == len(column) and is_blank(column_marks[0]) and not is_blank(column_marks[-1]):
            column_marks = column_marks[::-1]
        for field, mark in zip(column, column_marks, strict=False):
            super().read_part(draft, name, key, [field], mark)

    def _row_pairs(
        self, draft: Draft, name: str, row: Any, names: list[str], may_be_short: bool = True
    ) -> list[tuple[str, Any]] | None:
        """The marks of one row with the names of their fields; None if their number is reported as an error. Blanks at
        the end may be left out of a row without other blanks."""
        row_marks = self._row(draft, row, len(names))
        if may_be_short and self.numbered and 0 < len(row_marks) < len(names) and not any(map(is_blank, row_marks)):
            row_marks = [*row_marks, *[draft.scalar("", row)] * (len(names) - len(row_marks))]
        if len(row_marks) != len(names):
            blanks, missing = "." * len(names), len(row_marks) < len(names)
            numbers = [number for number, fields in self.numbered.items() if fields == names]
            which = f"row {numbers[0]}" if numbers else f"the row {names[0]} to {names[-1]} of {name}"
            draft.bad(
                row,
                f"{which} has {len(row_marks)} mark{'s' * (len(row_marks) != 1)}, but {len(names)} boxes",
                f"type a dot for an empty box: {' '.join([*map(str, row_marks), *blanks][: len(names)])}"
                if missing
                else "",
            )
            return None
        return [*zip(names, row_marks, strict=True)]

    def _row(self, draft: Draft, row: Any, across: int) -> list[Any]:
        """The marks of one row: a list, a text with spaces, or one letter per mark without spaces."""
        if isinstance(row, list):
            return row
        if isinstance(row, dict):
            return []
        if is_blank(row):
            return [row] * across
        text = (scalar_text(row) or "").strip()
        pieces = _BETWEEN.split(text)
        is_run = len(text) == across or (1 < len(text) < across and not {*text} - {*self.letters})
        letters = [*text] if len(pieces) == 1 and is_run else pieces
        return [draft.scalar(piece, row) for piece in letters]


# ---- groups that repeat, and rows of marks --------------------------------------------------------------------------


class Many(Reader):
    """Entries by their numbers, or by the names in the row that they refer to."""

    def __init__(self, spec: FieldFile, entry: Reader, most: int) -> None:
        self.spec, self.entry, self.most, self.by = spec, entry, most, spec.by

    @abstractmethod
    def filled(self, draft: Draft) -> dict[str, list[int]]:
        """The part of the draft that records the numbers of filled-in entries."""

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        draft.put_place(name, typed)
        if is_blank(typed) or (self.spec.fields is not None and isinstance(typed, str) and marks.is_nothing(typed)):
            return
        filled = self.filled(draft)
        numbers = filled.setdefault(name, [])  # before the numbers of inner entries
        if isinstance(typed, dict) and not self.is_entry(typed):
            for key, inner in typed.items():
                text, *path = self._number(draft, key).split(".")
                self._read_entry(draft, name, numbers, key, text, path, inner)
        else:
            for number, entry in self.listed(draft, typed):
                if type(number) is int and number <= self.most:
                    self._read_one(draft, f"{name}.{number}", numbers, number, entry)
                else:
                    self._read_entry(draft, name, numbers, "", str(number), [], entry)
        if not numbers:
            del filled[name]

    def is_entry(self, typed: Mapping[str, Any]) -> bool:
        """Whether the mapping is a single entry typed without its list, rather than entries by their numbers."""
        return False

    def listed(self, draft: Draft, typed: Any) -> Iterable[tuple[int | str, Any]]:
        """The entries of a list, or a single entry, with their numbers: counted, or as typed."""
        return enumerate(typed if isinstance(typed, list) else [typed], 1)

    def read_part(self, draft: Draft, name: str, key: str, path: list[str], typed: Any) -> None:
        number = path[0] if path[0].isdecimal() else self._number(draft, path[0])
        filled = self.filled(draft)
        numbers = filled.setdefault(name, [])
        self._read_entry(draft, name, numbers, key, number, path[1:], typed)
        if not numbers:
            del filled[name]

    def _number(self, draft: Draft, text: str) -> str:
        """The number of the entry if the text is a name in the row that the entries refer to; otherwise the text."""
        if not self.by:
            return text
        number = draft.names[self.by].number(text)
        numbered = _NUMBERED.fullmatch(text) if number is None else None
        if numbered and matching_keys({self.by: self.by}, numbered[1]):
            return numbered[2]
        return text if number is None else str(number)

    def _read_entry(
        self, draft: Draft, name: str, numbers: list[int], key: str, number: str, path: list[str], typed: Any
    ) -> None:
        if self.by and not number.isdecimal():
            no_name(draft, key, name, number, self.by)
        elif not is_number(number) or not 1 <= int(number) <= self.most:
            if not is_blank(typed):
                self._refuse_number(draft, name, number, typed)
        else:
            self._read_one(draft, f"{name}.{int(number)}", numbers, int(number), typed, key, path)

    def _refuse_number(self, draft: Draft, name: str, number: str, typed: Any) -> None:
        players = draft.game.players.high
        if name != (draft.sheet.definition.players or "players") or not is_number(number):
            draft.bad(typed, f"{name} has no entry {quoted(number)}", f"its entries are 1 to {self.most}")
        elif name not in draft.full:  # report this once, not for every further player
            draft.full.add(name)
            most = f"at most {players} players can play" if players <= self.most else ""
            draft.bad(typed, most or f"the sheet has room for {self.most} players")

    def _read_one(
        self,
        draft: Draft,
        inner: str,
        numbers: list[int],
        number: int,
        typed: Any,
        key: str = "",
        path: list[str] | None = None,
    ) -> None:
        if self.by:
            draft.people[inner] = draft.names[self.by].name(number)
        before = len(draft.marks) - draft.beside
        if path:
            self._read_inside(draft, inner, key, path, typed)
        else:
            self.entry.read(draft, inner, typed)
        if len(draft.marks) - draft.beside > before and number not in numbers:
            numbers.append(number)

    def _read_inside(self, draft: Draft, inner: str, key: str, path: list[str], typed: Any) -> None:
        self.entry.read_part(draft, inner, key, path, typed)


class Repeated(Many):
    """A group that repeats."""

    def __init__(self, spec: FieldFile) -> None:
        super().__init__(spec, _group(spec), spec.most or spec.repeat or 0)

    def filled(self, draft: Draft) -> dict[str, list[int]]:
        return draft.groups

    def is_entry(self, typed: Mapping[str, Any]) -> bool:
        return not self.by and bool(typed) and not any(key.split(".")[0].isdigit() for key in typed)

    def _read_inside(self, draft: Draft, inner: str, key: str, path: list[str], typed: Any) -> None:
        draft.put_place(inner, key)
        self.entry.read_part(draft, inner, key, path, typed)


class Cards(Repeated):
    """A group that repeats for each of several cards, whose number is its first field."""

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        super().read(draft, name, self._by_card(draft, typed) if isinstance(typed, dict) else typed)

    def _by_card(self, draft: Draft, typed: dict[Any, Any]) -> Any:
        """Entries typed by the numbers of their cards, `4: {star: 3}`, as a list of cards; anything else unchanged.
        Numbers from 1 are those of the entries."""
        first = next(iter(self.spec.fields or ()))
        if {*typed} == {str(number) for number in range(1, len(typed) + 1)} or not all(
            key.isdecimal() and isinstance(entry, dict) and not any(bare(inner) == first for inner in entry)
            for key, entry in typed.items()
        ):
            return typed
        if not draft.located:
            return [{first: key, **entry} for key, entry in typed.items()]
        cards = (
            nodes.Mapping([(Scalar(first, key.place), key), *entry.items()], key.place) for key, entry in typed.items()
        )
        return nodes.Listing(cards, draft.report.place_of(typed))


class Row(Many):
    """A row of marks. In a row of tick boxes, `[1, 3]` ticks the first and the third."""

    def __init__(self, spec: FieldFile) -> None:
        self.mark = Mark(spec)
        super().__init__(spec, self.mark, spec.count or 0)
        self.numbers = [*range(1, self.most + 1)]
        self.ids = Ids([*map(str, self.numbers)])
        self.ticks = {str(number): number for number in self.numbers} if spec.kind == "tick" else {}
        self.known: Mapping[Any, Any] | None = None if self.by else self.ticks or self.mark.values
        """What the marks of a whole row mean by their texts, if they mean the same on every sheet."""
        last = spec.label.lower().split()[-1:]
        self.label = [*last, *(f"{word}s" for word in last)]

    def filled(self, draft: Draft) -> dict[str, list[int]]:
        return draft.rows

    def read(self, draft: Draft, name: str, typed: Any) -> None:
        if type(typed) is not list or draft.located or not self._read_at_once(draft, name, typed):
            super().read(draft, name, typed)

    def _read_at_once(self, draft: Draft, name: str, typed: list[Any]) -> bool:
        """Reads all marks at once by looking up their texts; False if a mark is unusual."""
        if self.known is None or len(typed) > self.most or name in draft.rows:
            return False
        try:
            values = tuple(map(self.known.__getitem__, typed))
        except (TypeError, ValueError, KeyError):
            return False
        if self.ticks:
            return self._tick(draft, name, values)
        if name in draft.apart:
            draft.grids[name] = len(draft.marks), self.ids[name], (values,)
        elif not put(draft, self.ids[name][: len(values)], values):
            return False
        numbers = self.numbers[: len(values)]
        if None in values:
            numbers = [number for number in numbers if values[number - 1] is not None]
        if numbers:
            draft.rows[name] = numbers
        return True

    def _tick(self, draft: Draft, name: str, numbers: tuple[int, ...]) -> bool:
        if len({*numbers}) < len(numbers):
            return False
        if numbers:
            ids = self.ids[name]
            draft.marks.update({ids[number - 1]: True for number in numbers})
            draft.rows[name] = [*numbers]
        return True

    def _read_one(
        self,
        draft: Draft,
        inner: str,
        numbers: list[int],
        number: int,
        typed: Any,
        key: str = "",
        path: list[str] | None = None,
    ) -> None:
        if self.ticks and not key and number in numbers:
            draft.repeated_ticks[inner] = None
        elif self.spec.kind == "card" and not path and (cards := self._run(draft, number, typed)):
            row = inner.rpartition(".")[0]
            for place, card in enumerate(cards, number):
                super()._read_one(draft, f"{row}.{place}", numbers, place, draft.scalar(card, typed))
        else:
            super()._read_one(draft, inner, numbers, number, typed, key, path)

    def _run(self, draft: Draft, number: int, typed: Any) -> list[str]:
        """The cards in the box of a single card, such as `77`, if the row has room for them; otherwise none."""
        if not isinstance(typed, str) or typed in draft.cards or not 1 < len(typed) <= self.most:
            return []
        cards = marks.card_pieces(typed, draft.cards) if typed.isdecimal() else []
        return cards if 1 < len(cards) <= self.most - number + 1 else []

    def listed(self, draft: Draft, typed: Any) -> Iterable[tuple[int | str, Any]]:
        entries = typed
        if not isinstance(typed, (list, dict)):
            text = scalar_text(typed) or ""
            are_cards = self.spec.kind == "card" and len(text) <= marks.MAX_LENGTH
            pieces = marks.card_pieces(text, draft.cards) if are_cards else marks.pieces(self.spec, text)
            entries = [draft.scalar(piece, typed) for piece in pieces]
        texts = [scalar_text(entry) or "" for entry in entries]
        if self.ticks and len(texts) > 1 and texts[0].lower() in self.label:  # `row 2`
            entries, texts = entries[1:], texts[1:]
        if self.ticks and all(map(marks.is_number, texts)):
            return [(text, draft.scalar("x", entry)) for text, entry in zip(texts, entries, strict=True)]
        return enumerate(entries, 1)
