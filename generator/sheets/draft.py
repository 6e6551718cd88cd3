"""Reads the parts of a sheet, each under its own key, as marks by field id. Problems are collected, and reading
continues.

A value is a text, a list or a mapping, and has a place (`nodes`). `paper_layout` puts everything that was typed under
the keys of its fields first.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from types import MappingProxyType
from typing import Any, TypeVar, get_args, get_origin

from msgspec import Struct, field
from msgspec.structs import replace

from ..draws import SetCode
from ..errors import MAX_SHOWN, Place, Problem, did_you_mean, shortened
from ..model.game import Game, ScoreSheet
from ..model.values import Empty
from ..nodes import Scalar
from ..reading.typed import ProblemReport, parser, scalar_text
from ..spelling import bare, matching, tidy
from . import marks
from .marks import FilledSheet, LineError, MarkError, Value, is_blank, is_nothing, written
from .parts import Names, SheetPart, parts_in_words, printed_words, words

T = TypeVar("T")
_NUMBER_IN_ID = re.compile(r"\.([0-9]+)(?=\.|$)")
_SEVERAL_TICKS = re.compile(r"[;|/+&\s]|\d[-–]\d|^[x✓✔.–-]$", re.IGNORECASE)
_SHEET_FOR_EACH = "type a sheet for each player, with “---” between them"
# A box of a grid, named by its column and row: `a1`.
_SQUARE = re.compile(r"([a-z]+)([0-9]+)")


class SheetDraft(Struct, kw_only=True):
    """The parts of a sheet that have been read; most attributes are those of FilledSheet. `names` are the rows of names
    that other fields refer to. `report` collects the problems."""

    game: Game
    sheet: ScoreSheet
    report: ProblemReport
    options: Mapping[str, str] = field(default_factory=lambda: Empty)
    codes: dict[str, SetCode] = field(default_factory=dict)
    cards: Mapping[str, Any] = field(default_factory=lambda: Empty)
    marks: dict[str, Value] = field(default_factory=dict)
    places: dict[str, Place] = field(default_factory=dict)
    extra: dict[str, Any] = field(default_factory=dict)
    people: dict[str, str] = field(default_factory=dict)
    names: dict[str, Names] = field(default_factory=dict)
    blanks: set[str] = field(default_factory=set)
    full: set[str] = field(default_factory=set)
    repeated_ticks: dict[str, None] = field(default_factory=dict)
    signs: dict[str, list[str]] = field(default_factory=dict)

    @property
    def players(self) -> str:
        """The key of the players."""
        return self.sheet.definition.players or "players"

    # ---- problems and places -----------------------------------------------------------------------------------------

    def bad(self, value: Any, message: str, hint: str = "") -> None:
        """Reports a problem with a value or key."""
        self.report.bad(value, message, hint)

    def hint(self, look_up: Callable[[], str]) -> str:
        """The hint for the next problem; empty once more problems have been found than will be printed."""
        return look_up() if len(self.report.problems) < MAX_SHOWN else ""

    def put_place(self, name: str, value: Any) -> None:
        """Records the place where a group, row or entry begins."""
        self.places.setdefault(name, self.report.place_of(value))

    def scalar(self, text: str, value: Any) -> Scalar:
        """A text with the place of the value that it comes from."""
        return Scalar(text, self.report.place_of(value))

    def unknown_key(self, key: str, word: str, part: SheetPart, inside: str, others: Iterable[str] = ()) -> None:
        """Reports a `word` of a key that names no part of a group and none of the `others`. The hint lists what is
        printed."""
        specs = part.spec.fields or {inner.key: inner.spec for inner in part.inner}
        known = [*others]
        for name, spec in reversed(specs.items()):
            known[:0] = printed_words(spec.fields if spec.fields and spec.repeat is None else {name: spec})
        printed = [name for name in known if name.lower() not in specs]  # of “Star” and `star`, suggest the key
        player = self.names[self.players].match(word) if self.players in self.names else None
        hint = f"{player} is a player; type “- {player}: …” in a list of turns or rounds" if player else ""
        hint = hint or self.hint(lambda: did_you_mean(quoted(word), [*printed, *specs], known))
        self.bad(key, f"{inside}: unknown key “{quoted(word)}”".removeprefix(": "), hint)

    def unknown_name(self, typed: Any, name: str, text: str, row: str) -> None:
        names, short_text = self.names[row], quoted(text)
        if ambiguity := names.ambiguity(short_text):
            self.bad(typed, f"{name}: {ambiguity}", "write more of the name")
            return
        hint = did_you_mean(short_text, names.listed) or f"list them under {row}: [...]"
        self.bad(typed, f"{name}: “{short_text}” is not one of the {row}", hint)

    # ---- one part ----------------------------------------------------------------------------------------------------

    def read(self, part: SheetPart, name: str, typed: Any) -> None:
        """Reads the value of a whole part; `name` is its id on this sheet."""
        if part.kind == "mark":
            self._read_mark(part, name, typed)
            return
        if not is_blank(typed) or part.kind in ("row", "list"):
            self.put_place(name, typed)
        if isinstance(typed, dict):
            if not typed:
                self.blanks.add(name)
            for key, inner in typed.items():
                self.read_path(part, name, key, key.split("."), typed=inner)
        elif not is_blank(typed):
            self._read_typed(part, name, typed)

    def _read_typed(self, part: SheetPart, name: str, typed: Any) -> None:
        """Reads a list or a text."""
        read = {"row": self._read_row, "ticks": self._read_ticks, "grid": self._read_grid}.get(part.kind)
        text = scalar_text(typed) or ""
        if read:
            read(part, name, typed)
        elif part.kind == "list" and isinstance(typed, list):
            for number, entry in enumerate(typed, 1):
                self.read_path(part, name, entry, [str(number)], typed=entry)
        elif part.kind == "group" and part.spec.zero and marks.is_no_word(text):
            self.marks[name] = 0
        elif part.kind == "group" or not is_nothing(text):
            specs = {inner.key: inner.spec for inner in part.inner}
            or_none = " (or type 0 for none)" * part.spec.zero
            players, (first, *_) = self.names.get(self.players), [*re.split(r"[\s,:]+", text.strip()), ""]
            if players and (ambiguity := players.ambiguity(first)):
                self.bad(typed, f"{name}: {ambiguity}", "write more of the name")
                return
            example = f"type it like “{part.examples[0]}”, or " if part.examples else ""
            hint = f"{example}name its parts{or_none}: {', '.join(parts_in_words(specs))}"
            self.bad(typed, f"{name} cannot be read", hint)

    def read_path(self, part: SheetPart, name: str, key: Any, path: Sequence[str], typed: Any) -> None:
        """Reads the value of the part at `path` inside another part, typed under a `key` with dots in it."""
        if not path:
            self.read(part, name, typed)
            return
        first, *rest = path
        if part.kind in ("list", "row"):
            self._read_entry(part, name, key, first, path=rest, typed=typed)
        elif part.kind == "mark":
            self.bad(key, f"unknown field “{quoted(key)}”", f"{name} is a single field")
        elif part.kind == "grid" and not rest and (boxes := self.boxes(part, first)):
            self._read_boxes(name, first, boxes, typed)
        elif part.kind == "grid" and first.isdecimal() and (rows := [*numbered_rows(part)]):
            self.bad(key, f"{name} has no row {quoted(key)}", f"its rows are {rows[-1]} to {rows[0]}")
        elif first in part.by_key:
            self.read_path(part[first], f"{name}.{first}", key, rest, typed=typed)
        else:
            self.unknown_key(key, first, part, name)

    def _read_entry(self, part: SheetPart, name: str, key: Any, number: str, path: list[str], typed: Any) -> None:
        """Reads an entry of a list or a mark of a row by its number."""
        most = min(part.most, self.game.players.high) if name == self.players else part.most
        if not marks.is_number(number) or not 1 <= int(number) <= most:
            if part.by and not number.isdecimal():
                self.unknown_name(key, name, number, part.by)
            elif not is_blank(typed) or number == "0":
                self._refuse_number(part, name, number, typed)
            return
        inner = f"{name}.{int(number)}"
        if part.by:
            self.people[inner] = self.names[part.by].name(int(number))
        if path:
            self.put_place(inner, key)
        self.read_path(part.single, inner, key, path, typed=typed)

    def _refuse_number(self, part: SheetPart, name: str, number: str, typed: Any) -> None:
        players = self.game.players.high
        if name != self.players or not marks.is_number(number):
            is_number = marks.is_number(number)
            message = f"{name}.{number} is not on the sheet" if is_number else f"{name} has no “{quoted(number)}”"
            player = self.names[self.players].match(number) if self.players in self.names and not is_number else None
            self.bad(typed, message, f"type “- {player}: …”" if player else f"type a number from 1 to {part.most}")
        elif name not in self.full:  # report this once, not for every further player
            self.full.add(name)
            most = f"at most {players} player{'s' * (players > 1)} can play" if players <= part.most else ""
            self.bad(typed, most or f"the sheet has room for {part.most} players")

    def _read_mark(self, part: SheetPart, name: str, typed: Any) -> None:
        if isinstance(typed, (list, dict)):
            several = "not a list" if isinstance(typed, list) else "but has lines below it"
            self.bad(typed, f"{name} takes one value, {several}", _SHEET_FOR_EACH if name == "player" else "")
            return
        text = written(typed)
        if text is None:
            self.blanks.add(name)
        elif name == "player" and (doubt := marks.more_than_a_name(tidy(text), getattr(typed, "quoted", False))):
            self.bad(typed, f"“{quoted(text)}” {doubt}", _SHEET_FOR_EACH)
        elif name in self.marks:
            first = self.places.get(name, self.report.place)
            self.bad(typed, f"{name} is given twice", f"first on line {first.line}")
        elif (value := self._value(part, name, typed, text)) is not None:
            self.marks[name] = value
            self.places[name] = self.report.place_of(typed)

    def _value(self, part: SheetPart, name: str, typed: Any, text: str) -> Value | None:
        try:
            value = marks.value(part.spec, text, self.cards)
        except MarkError as error:
            number = self.names[self.players].number(text)
            hint = f"{quoted(text)} is player {number}" if number else self.hint(error.look_up)
            self.bad(typed, f"{name} must be {error.expected}, not “{quoted(text)}”", hint)
            return None
        if value is None and part.box and text in marks.DASHES and "–" in part.spec.also:
            self.bad(typed, f"{name}: “{text}” can mean that the box is ticked or blank", "type x or a dot")
        if part.spec.kind != "text" or not part.by:
            return value
        names = self.names[part.by]
        player = names.match(text) or names.by_number.get(int(text) if marks.is_number(text) else 0)
        if player is None and is_nothing(text) and not names.ambiguity(text):
            self.blanks.add(name)
        elif player is None:
            self.unknown_name(typed, name, text, part.by)
        return player

    def _read_row(self, part: SheetPart, name: str, typed: Any) -> None:
        entries = typed
        if not isinstance(typed, list):
            try:
                texts = marks.pieces(part.spec, scalar_text(typed) or "", self.cards, part.most)
            except LineError as error:
                self.bad(typed, f"{name}: {error}", error.hint)
                return
            entries = [self.scalar(text, typed) for text in texts]
            self.signs[name] = marks.signs_in(scalar_text(typed) or "", len(texts))
        ticked = [scalar_text(entry) or "" for entry in entries] if part.tick else []
        if refusal := self._refusal(part, ticked, isinstance(typed, list) or "," in typed):
            self.bad(typed, f"{name}: “{quoted(' '.join(ticked))}” {refusal[0]}", refusal[1])
            return
        pairs: Iterable[tuple[Any, Any]] = enumerate(entries, 1)
        if part.tick and all(map(marks.is_number, ticked)):
            pairs = [(number, self.scalar("x", entry)) for number, entry in zip(ticked, entries, strict=True)]
        elif name != self.players and not all(map(is_blank, entries[part.most :])):
            self.bad(typed, f"{name} has {len(entries)} marks, but there are {part.most} boxes")
            return
        for number, entry in pairs:
            if part.tick and f"{name}.{number}" in self.marks and not is_blank(entry):
                self.repeated_ticks[f"{name}.{number}"] = None
            else:
                self._read_entry(part, name, entry, str(number), path=[], typed=entry)

    def _refusal(self, part: SheetPart, ticked: Sequence[str], is_list: bool) -> tuple[str, str] | None:
        """Why texts are not a row of ticks, with a hint; None if they are numbers or ticks."""
        if all(map(marks.is_number, ticked)):
            count = int(ticked[0]) if len(ticked) == 1 and not is_list else 0
            hint = f"type “{' '.join(map(str, range(1, min(count, part.most) + 1)))}” or “[{count}]”"
            is_clear = not 1 < count <= part.most or part.most in self._grid_heights()
            return None if is_clear else (f"can mean {count} boxes or box {count}", hint)
        if not all(
            is_blank(text) or (not marks.is_number(text) and marks.as_tick(text) is not None) for text in ticked
        ):
            hint = "type the numbers of the ticked boxes, such as 1, 3, or an x or a dot for each box, such as x . x"
            return "is neither numbers nor ticks", hint
        if len(ticked) > 1 and part.most in self._grid_heights():
            return "can begin at the top or at the bottom", "type the numbers of the ticked boxes, such as [1, 4]"
        return None

    def _grid_heights(self) -> set[int]:
        """The numbers of rows of the grids on this sheet."""
        fields = self.sheet.definition.fields.values() if self.sheet else ()
        return {len(spec.fields) // spec.across for spec in fields if spec.fields and spec.across}

    # ---- ticks and grids ---------------------------------------------------------------------------------------------

    def _read_ticks(self, part: SheetPart, name: str, typed: Any) -> None:
        """Reads the names of the ticked boxes, a single one or several."""
        if part.yes_or_no and marks.as_tick(scalar_text(typed) or "") is not None:
            self.read(part.inner[0], f"{name}.{part.inner[0].key}", typed)
            return
        boxes: list[str] = []
        names = typed if isinstance(typed, list) else names_of_boxes(part, scalar_text(typed) or "")
        for entry in names:
            text = scalar_text(entry) or ("" if isinstance(entry, str) else "a list")
            key = box_of(part, text)
            if not key:
                keys = [box.key for box in part.inner]
                hint = self.hint(partial(_how_to_tick, part, text))
                place = entry if isinstance(typed, list) else typed
                self.bad(place, f"{name} must be {marks.one_of(keys)}, not “{quoted(text)}”", hint)
                return
            if key in boxes:
                self.repeated_ticks[f"{name}.{key}"] = None
            else:
                boxes.append(key)
                self.read(part[key], f"{name}.{key}", self.scalar("x", entry if isinstance(typed, list) else typed))

    def _read_grid(self, part: SheetPart, name: str, typed: Any) -> None:
        """Reads rows of marks, the top row first. If rows are missing, they are the top ones."""
        across = part.spec.across or 1
        lines = [line for line in (scalar_text(typed) or "").splitlines() if line.strip()]
        rows = typed if isinstance(typed, list) else [self.scalar(line, typed) for line in lines]
        if isinstance(typed, list) and self._may_be_one_row(part.inner[:across], rows):
            texts = ["." if is_blank(row) else row for row in rows]
            row, blanks = " ".join(texts), " ".join([texts[0], *"." * (across - 1)])
            hint = f'type ["{row}"] for one row, or dots for the blanks of each row, "{blanks}"'
            self.bad(typed, f"{name}: [{', '.join(texts)}] can be one row or {len(rows)} rows", hint)
            return
        missing = len(part.inner) // across - len(rows)
        if missing < 0:
            message = f"{name} has {len(rows)} rows, but there are {len(rows) + missing} on the paper"
            self.bad(typed, message)
            return
        for number, row in enumerate(rows, missing):
            boxes = part.inner[number * across : (number + 1) * across]
            self._read_boxes(name, "", boxes, row)

    def _may_be_one_row(self, boxes: Sequence[SheetPart], rows: Sequence[Any]) -> bool:
        """Whether a list of rows, typed on one line, may be the marks of a single row: each is one mark."""
        is_short = (
            1 < len(rows) <= len(boxes)
            and not all(map(is_blank, rows))
            and len({self.report.place_of(row).line for row in rows}) == 1
        )
        return is_short and all(
            is_blank(row)
            or (isinstance(row, str) and re.fullmatch(r"\w+", row) and len(self._marks_of_boxes(boxes, row)) == 1)
            for row in rows
        )

    @staticmethod
    def boxes(part: SheetPart, key: str) -> list[SheetPart]:
        """The boxes of a row by its number or of a column by its letter, from the bottom, if every box is named by the
        letter of its column and the number of its row (`a1`)."""
        rows = numbered_rows(part)
        if key.isdecimal() or not rows:
            return rows.get(key, [])
        return [box for box in reversed(part.inner) if box.key.rstrip("0123456789") == key.lower()]

    def _read_boxes(self, name: str, letter: str, boxes: Sequence[SheetPart], typed: Any) -> None:
        """Reads a row from the left, or a column from the bottom. Blanks at the end may be left out of a row without
        other blanks; a whole column that begins with blanks is typed from the top."""
        is_column = letter.isalpha()
        if is_blank(typed):
            if not is_column:
                self.blanks.update(f"{name}.{box.key}" for box in boxes)
            return
        try:
            typed_marks = self._marks_of_boxes(boxes, typed)
        except LineError as error:
            self.bad(typed, f"{name}: {error}", error.hint)
            return
        count, across = len(typed_marks), len(boxes)
        has_blanks = not _row_of(boxes[0]) or any(map(is_blank, typed_marks))
        longest = max(map(len, boxes[0].spec.choices), default=marks.MAX_LENGTH)
        is_garbled = count < across and any(len(str(mark)) > longest for mark in typed_marks)
        if count > across or not count or (count < across and (has_blanks or is_garbled) and not is_column):
            shown = " ".join([*map(str, typed_marks), *"." * across][:across])
            message = f"{_row_name(name, letter, boxes)} has {count} mark{'s' * (count != 1)}, but {across} boxes"
            hint = "type a space between marks" if is_garbled else f"type a dot for an empty box: {shown}"
            self.bad(typed, message, hint if count < across and not is_column else "")
            return
        if is_column and count == across and is_blank(typed_marks[0]) and not is_blank(typed_marks[-1]):
            typed_marks = typed_marks[::-1]
        for box, mark in zip(boxes, typed_marks, strict=False):
            self.read(box, f"{name}.{box.key}", mark)
        if not is_column:
            self.blanks.update(f"{name}.{box.key}" for box in boxes[count:])

    def _marks_of_boxes(self, boxes: Sequence[SheetPart], typed: Any) -> list[Any]:
        """The marks of a row: a list, a text with spaces or commas, or one letter per mark without spaces."""
        if isinstance(typed, list):
            return typed
        text = (scalar_text(typed) or "").strip()
        letters = {letter for letter in boxes[0].spec.choices if len(letter) == 1} | {"."}
        is_run = len(text) == len(boxes) or (1 < len(text) < len(boxes) and {*text} <= letters)
        is_run = is_run and not re.search(r"[\s,]", text)
        texts = [*text] if is_run else marks.pieces(replace(boxes[0].spec, span=None), text, (), len(boxes))
        return [self.scalar(mark, typed) for mark in texts]

    # ---- what only the game reads ------------------------------------------------------------------------------------

    def read_extra(self, name: str, kind: Any, value: Any) -> None:
        """Reads a part that is not on paper by its annotation, with the places of its entries (`log.7`, `deal.Ann`) and
        their players. A bad entry in a list or mapping does not hide problems in the others."""
        if is_blank(value):
            return
        if name in self.extra:
            self.bad(value, f"{name} is given twice")
            return
        self.put_place(name, value)
        origin, inner = get_origin(kind), (get_args(kind) or (kind,))
        if origin is tuple:
            entries = value if isinstance(value, list) else [value]
            items = [self._entry(name, str(number), entry, inner[0]) for number, entry in enumerate(entries, 1)]
            self.extra[name] = tuple([item for item in items if item is not None])
        elif origin is dict and isinstance(value, dict):
            named = {
                str(key): self._entry(name, str(key), entry, inner[1], owner=str(key)) for key, entry in value.items()
            }
            self.extra[name] = {key: item for key, item in named.items() if item is not None}
        else:
            self.extra[name] = self._parsed(value, kind, name)

    def _entry(self, name: str, key: str, value: Any, kind: Any, owner: str = "") -> Any:
        where = f"{name}.{key}"
        if where not in self.marks:
            self.put_place(where, value)
        player = scalar_text(value["player"]) if isinstance(value, dict) and "player" in value else None
        if player is not None or owner:
            self.people[where] = player if player is not None else owner
        if is_blank(value) and any(problem.place == self.report.place_of(value) for problem in self.report.problems):
            return None  # a line that could not be read
        return self._parsed(value, kind, where)

    def _parsed(self, value: Any, kind: Any, where: str) -> Any:
        problems = self.report.problems
        before = len(problems)
        parsed = parser(kind)(value, "", self.report)
        if len(problems) == before:
            return parsed
        about = words(self.sheet.definition, where, self.people)
        problems[before:] = [  # `log entry 2 must be a whole number`, `log entry 2: unknown key “x”`
            replace(
                each, message=f"{about}{' ' if each.message.startswith(('must ', 'needs ')) else ': '}{each.message}"
            )
            for each in problems[before:]
        ]
        return None

    # ---- the sheet ---------------------------------------------------------------------------------------------------

    def filled(self, whole: SheetPart) -> FilledSheet:
        for name, mark in self.marks.items():
            entry, _, key = name.rpartition(".")
            if not (isinstance(mark, str) and marks.is_no_word(mark)):
                continue
            part = whole.at(_NUMBER_IN_ID.sub("", entry)) if entry else whole
            texts = [other.key for other in part.inner if other.words and self.marks.get(f"{entry}.{other.key}")]
            if part.spec.zero and len(texts) > 1:
                other = next(other for other in texts if other != key)
                message = f"{name}: “{mark}” means no word, but “{other}: {self.marks[f'{entry}.{other}']}” is one"
                place = self.places.get(name, self.report.place)
                self.report.problems.append(Problem(message, place, "type 0 alone for none"))
        entries, rows = self._entries(whole)
        self._name_people(entries)
        return FilledSheet(
            game=self.game,
            sheet=self.sheet,
            place=self.report.place,
            code=next(iter(self.codes.values()), None),
            cards=self.cards,
            marks=MappingProxyType(self.marks),
            entries=MappingProxyType(entries),
            rows=MappingProxyType(rows),
            extra=MappingProxyType(self.extra),
            places=MappingProxyType(self.places),
            people=MappingProxyType(self.people),
            options=self.options,
            blanks=frozenset(self.blanks),
            codes=MappingProxyType(self.codes),
            repeated_ticks=tuple(self.repeated_ticks),
            signs=MappingProxyType(self.signs),
        )

    def _entries(self, whole: SheetPart) -> tuple[dict[str, tuple[str, ...]], dict[str, tuple[int, ...]]]:
        """The filled-in entries of each repeated group and the numbers of the marks in each row."""
        numbers: dict[str, set[int]] = {}
        for name in self.marks:
            for match in _NUMBER_IN_ID.finditer(name):
                numbers.setdefault(name[: match.start()], set()).add(int(match[1]))
        kinds = {name: whole.at(_NUMBER_IN_ID.sub("", name)).kind for name in numbers}
        ordered = {name: sorted(found) for name, found in numbers.items()}
        entries = {
            name: tuple([f"{name}.{number}" for number in found])
            for name, found in ordered.items()
            if kinds[name] == "list"
        }
        return entries, {name: tuple(found) for name, found in ordered.items() if kinds[name] == "row"}

    def _name_people(self, entries: Mapping[str, tuple[str, ...]]) -> None:
        players = self.sheet.definition.players
        full_names: dict[str, None] = {}
        for entry in entries.get(players, ()) if players else ():
            name = self.marks.get(f"{entry}.name")
            self.people[entry] = str(name) if name is not None else f"player {entry.rpartition('.')[2]}"
            full_names |= {} if name is None else {str(name): None}
        for inner in entries.values():
            self.people.update(
                {entry: str(self.marks[player]) for entry in inner if (player := f"{entry}.player") in self.marks}
            )
        for row in self.names.values():
            self.people.update({f"{row.row}.{number}": name for number, name in row.by_number.items()})
        if not full_names:
            full_names = {str(mark): None for name, mark in self.marks.items() if name.startswith("players.")}
        if full_names and not full_names.keys() >= {*self.people.values()}:
            self._complete_names([*full_names])

    def _complete_names(self, names: list[str]) -> None:
        """Replaces shortened names with the players' full names, both in `people` and in keys (`deal.A`)."""

        def full_name(typed: str) -> str:
            matches = matching(names, typed)
            return names[matches[0]] if len(matches) == 1 else typed

        self.people = {entry: full_name(name) for entry, name in self.people.items()}
        for part, entries in self.extra.items():
            keys = {key: full_name(key) for key in entries} if isinstance(entries, dict) else {}
            if {*keys.values()} <= {*names} and len({*keys.values()}) == len(keys):
                self.extra[part] = {keys[key]: entry for key, entry in entries.items()} if keys else entries
                for key, name in keys.items():
                    _rename(self.places, f"{part}.{key}", f"{part}.{name}")
                    _rename(self.people, f"{part}.{key}", f"{part}.{name}")


def quoted(text: str) -> str:
    """The typed text, shortened for messages."""
    return shortened(text, 40)


def box_of(part: SheetPart, text: str) -> str:
    """The key of a box in a group of ticks by its name, or by the beginning of its label: `1` for `1 Rows`; empty if
    there is none."""
    start = bare(text) + "_"
    begun = [box.key for box in part.inner if bare(box.spec.label).startswith(start)]
    return part.find(text) or (begun[0] if len(begun) == 1 and bare(text) else "")


def _how_to_tick(part: SheetPart, text: str) -> str:
    """A hint for a text that names no box."""
    keys = [box.key for box in part.inner]
    if _SEVERAL_TICKS.search(text) and len(keys) > 1:
        return f"list the ticked ones with commas, such as {', '.join(keys[:2])}"
    return marks.near(text, keys) or ("type yes or no" if part.yes_or_no else "")


def names_of_boxes(part: SheetPart, text: str) -> list[str]:
    """The names in a text: the whole text if it is one, otherwise what is between its commas or spaces."""
    text = text if box_of(part, text) else re.sub(r"\s+(?:and|&)\s+", ",", text)
    names = [text] if box_of(part, text) else text.split(",") if "," in text else text.split()
    return [name.strip() for name in names if name.strip()]


def numbered_rows(grid: SheetPart) -> dict[str, list[SheetPart]]:
    """The rows of a grid by the numbers printed beside them, if every box is named by its column and row; otherwise
    none."""
    across = grid.spec.across or 1
    rows: dict[str, list[SheetPart]] = {}
    for start in range(0, len(grid.inner), across):
        row = [*grid.inner[start : start + across]]
        numbers = {_row_of(box) for box in row}
        if len(numbers) > 1 or numbers & {"", *rows}:
            return {}
        rows[numbers.pop()] = row
    return rows


def _row_of(box: SheetPart) -> str:
    """The number of the row of a box; empty if it is not named by its column and row."""
    match = _SQUARE.fullmatch(box.key)
    return match[2] if match else ""


def _row_name(name: str, letter: str, boxes: Sequence[SheetPart]) -> str:
    if letter.isalpha():
        return f"column {letter} of {name}"
    number = _row_of(boxes[0])
    return f"row {number}" if number else f"the row {boxes[0].key} to {boxes[-1].key} of {name}"


def _rename(by_id: dict[str, T], old: str, new: str) -> None:
    if old in by_id:
        by_id[new] = by_id.pop(old)
