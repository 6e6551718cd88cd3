"""Puts what was typed as it looks on paper under the keys of its fields.

A paper sheet has no keys. It numbers players, turns and rows, has each player's name above that player's marks, prints
lines across the columns of all players, and has several marks on one line. What stands on the left is read as what
stands on the right:

    1: Ann                                  players: [Ann]
    players: {Ann: {cards: […]}}            players: [{name: Ann, cards: […]}]
    Player 1: {Name: Ann, 2: {Tiles: BIRD}} players: [Ann], rounds: {2: {words: {1: {tiles: BIRD}}}}
    Ann: {total: 31}                        claimed: {1: 31}
    Trio: {Ann: {tiles: BIRD}}              lines: {1: {trio: {tiles: BIRD}}}
    3: Ann (in a tally)                     players.1.wins.3: x
    1: {player: Ann, roll: 4}               turns: [{player: Ann, roll: 4}]
    Ann: {roll: 4} (in a list of turns)     {player: Ann, roll: 4}
    Ann 7 7 (in a list of turns)            {player: Ann, play: [7, 7]}
    Card 4: star 5, crates 6 5 4 2          cards: [{card: 4, star: 5, crates: [6, 5, 4, 2]}]
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Any, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from .. import nodes
from ..nodes import Scalar
from ..reading.typed import scalar_text
from ..spelling import bare, matching_keys, tidy
from . import marks
from .draft import SheetDraft, box_of, names_of_boxes
from .marks import LineError, is_blank, is_no_word, is_nothing
from .parts import Names, SheetPart
from .typed_lines import LineCheck, few_or_many, marks_by_player, plain, whose

Pairs: TypeAlias = list[tuple[str, Any]]
_NAME_AND_MARKS = re.compile(r"(.*[^\W\d]),? ((?:[-+]?\d+[ ,]*)+)")
_NUMBER_BEFORE = re.compile(r"#?((?:[^\W\d_]+ )?[0-9]{1,4})[.)]? +(?=\S)")
# A label with the number of an entry: `Player 2`.
_NUMBERED = re.compile(r"(.*[^\W\d_])[ _]*([0-9]{1,6})")


class PlayerColumn(Struct, frozen=True):
    """What a player has in a group: the parts by every bare spelling, each with its id; `{}` is the player's number.
    `entry` is the part that a whole entry of the player is typed as; `own` is the id of that entry."""

    parts: Mapping[str, tuple[str, SheetPart]]
    entry: SheetPart | None
    own: str

    def find(self, key: str) -> tuple[str, SheetPart] | None:
        name = bare(key) or key.strip()
        if name not in self.parts:
            matches = matching_keys({name: path for name, (path, _) in self.parts.items()}, key)
            inside = [f"{self.own}.{path}" for path in self.entry.inside_groups(name)] if self.entry else []
            found = matches[0] if matches and len({*matches, *inside}) == 1 else ""
            name = next((name for name, (path, _) in self.parts.items() if path == found), "")
        return self.parts.get(name)


class Layout:
    """The layout of one score sheet, with all its parts in `whole`. `others` are other keys at the top, and `least`
    is the smallest number of players. If the game converts a notation of its own (`Reading.paper`), only
    lines that begin with a player are read."""

    def __init__(self, whole: SheetPart, players: str, others: Iterable[str], least: int, converts: bool) -> None:
        self.whole, self.players, self.others, self.least, self.converts = whole, players, {*others}, least, converts
        self.row = next((part for part in whole.inner if part.key == players), None)
        self.has_groups = self.row is not None and self.row.kind == "list" and self.row.find("name") == "name"
        inner = self.row.inner if self.row and self.has_groups else ()
        rows = [part for part in inner if part.kind == "row" and not part.by]
        lists = [part for part in inner if part.kind == "list"]
        # The games of a tally: the only row of a player.
        self.games = rows[0] if len(rows) == 1 and not lists else None
        # What may be typed directly under the name of a player: games, or cards.
        self.under_a_name = self.games or (lists[0] if len(lists) == 1 else None)
        numbered = [part for part in whole.inner if part.kind == "list" and not (part.by or part.extra)]
        numbered = [part for part in numbered if part is not self.row]
        # The turns or rounds, which the paper numbers.
        self.entries = numbered[0] if len(numbered) == 1 and not self.has_groups else None
        # What a player has in a group. It is kept for each group, because thousands of sheets have the same.
        self.column = cache(self._column)

    def is_on_paper(self, key: str, value: Any) -> bool:
        """Whether a value belongs to the field with this key, rather than to the part that only the game reads: a
        single mark, or the names of boxes to tick."""
        part = next((part for part in self.whole.inner if part.key == key and not part.extra), None)
        if part is None or part.kind != "ticks" or is_blank(value):
            return part is not None and not isinstance(value, (list, dict))
        names = value if isinstance(value, (list, dict)) else names_of_boxes(part, scalar_text(value) or "")
        are_boxes = all(isinstance(name, str) and box_of(part, name) for name in names)
        are_words = not isinstance(value, dict) and all(isinstance(name, str) and " " not in name for name in names)
        return are_boxes or (are_words and (isinstance(value, list) or "," in value or len(names) == 1))

    def _column(self, group: SheetPart) -> PlayerColumn:
        parts: dict[str, tuple[str, SheetPart]] = {}
        entry, own, beside = None, "", list[SheetPart]()
        for part in group.inner:
            if part.kind == "list" and (part.by == self.players or (part is self.row and self.has_groups)):
                entry, own = part.single, f"{part.key}.{{}}"
                for spelling, path in part.spellings.items():
                    parts.setdefault(spelling, (f"{own}.{path}", part.at(path)))
            rows = [(part.key, part)] if part.kind == "row" else []
            rows += [(f"{part.key}.{row.key}", row) for row in part.inner if part.kind == "group" and row.kind == "row"]
            for path, row in rows:
                if row.by == self.players:
                    beside.append(row.single)
                    for spelling in filter(None, map(bare, (row.key, row.spec.label, *row.spec.also))):
                        parts.setdefault(spelling, (f"{path}.{{}}", row.single))
        if entry and beside:
            entry = replace(entry, inner=(*entry.inner, *(row for row in beside if not entry.find(row.key))))
        return PlayerColumn(parts, entry, own)


class PaperLayout(Struct):
    """Arranges one document. What is under no known key stays as it is, and is reported when it is read."""

    layout: Layout
    draft: SheetDraft
    check: LineCheck | None = None
    people: Names = Names("", {})
    # Whether the players are named under their numbers alone.
    are_numbered: bool = False
    # Whether a player of a tally has several games, so that a single number is one, too.
    lists_games: bool = False

    def arranged(self, data: Mapping[str, Any]) -> Any:
        """The document with everything under the keys of its fields."""
        layout, unlisted = self.layout, self._read_names(data)
        if layout.games:
            lists = [value.values() if isinstance(value, dict) else [value] for value in data.values()]
            texts = (scalar_text(value) or "" for values in lists for value in values)
            self.lists_games = any(re.fullmatch(r"\d+( +\d+)+", text) for text in texts)
        pairs: Pairs = [(f"{layout.players}.{n}.name", name) for n, name in enumerate(unlisted, 1)]
        for key, value in self._with_cards(layout.whole, data).items():
            if bare(key) in layout.others and "." not in key:
                pairs.append((key, value))
            elif key.isdecimal() and len(key) < 4:
                pairs += self._under_a_number(key, value)
            else:
                pairs += self._game_under(key, value) or self._under_a_key(layout.whole, key, value)
        return self._mapping(pairs, data)

    def _read_names(self, data: Mapping[str, Any]) -> list[Any]:
        """Reads the rows of names. Returns the players of a tally that does not list them."""
        layout, names, problems = self.layout, self.draft.names, self.draft.report.problems
        before = len(problems)
        named = {row: dict(self._numbered(data, row)) for row in dict.fromkeys((*names, layout.players))}
        players = named[layout.players]
        unlisted: list[Any] = []
        if not players:
            numbered = {int(key): value for key, value in data.items() if self._is_numbered_name(key, value)}
            distinct = dict.fromkeys(map(scalar_text, numbered.values()))
            if layout.games and len(distinct) < len(numbered):  # the winners of games
                unlisted = [*distinct]
            elif layout.games and not numbered:
                column = self.layout.column(self.layout.whole)
                unlisted = [
                    key
                    for key, value in data.items()
                    if not (bare(key) in self.layout.others or "." in key or self._path(self.layout.whole, [key]))
                    if bare(key) and not column.find(key) and not isinstance(value, dict)
                    if not _NUMBERED.fullmatch(key)
                ]
            self.are_numbered = not unlisted
            players.update(enumerate(unlisted, 1) if unlisted else numbered)
        for row, by_number in named.items():
            texts = {number: tidy(scalar_text(name) or "") for number, name in by_number.items() if not is_blank(name)}
            read = Names(row, {number: name for number, name in texts.items() if name})
            names[row] = read
            if row == layout.players:
                self.people = read
        del problems[before:]  # they are reported when the names are arranged
        return unlisted

    def _check_name(self, name: Any) -> None:
        """Reports the name of a player, typed without `name:`, that may be several names, or a name and marks."""
        text, games = tidy(scalar_text(name) or ""), self.layout.under_a_name
        is_typed = not getattr(name, "quoted", False)
        is_key = not (games and is_typed) or self._path(self.layout.whole, [text])
        match = None if is_key else _NAME_AND_MARKS.fullmatch(text)
        if games and match:
            hint = f"type “{match[1]}: {match[2]}” or “{{name: {text}}}”"
            self.draft.bad(name, f"“{text}” can be a name, or {match[1]} and {games.label.lower()} {match[2]}", hint)
        elif doubt := marks.more_than_a_name((scalar_text(name) or "").strip(), not is_typed):
            hint = "type only the name, or" if "number" in doubt else "put commas between names, or for one, type"
            self.draft.bad(name, f"“{text}” {doubt}", f"{hint} “{{name: {text}}}”")

    # ---- making mappings ---------------------------------------------------------------------------------------------

    def _mapping(self, pairs: Pairs, like: Any) -> Any:
        by_key: dict[Any, Any] = {}
        for key, value in pairs:
            if key in by_key and not (is_blank(value) or value == {}):
                if not (is_blank(by_key[key]) or by_key[key] == {}):
                    line = self.draft.report.place_of(by_key[key]).line
                    self.draft.bad(value, f"{self._about(key)} is given twice", f"first on line {line}")
                del by_key[key]
            by_key.setdefault(key, value)
        return self._node(by_key, like)

    def _about(self, key: str) -> str:
        """What a message calls a part: its path from the top of the sheet, or its last key, or the name of a player."""
        last = key.rpartition(".")[2]
        is_whole = key.partition(".")[0] in self.layout.whole.by_key
        return key if is_whole else self.people.name(int(last)) if last.isdecimal() else last

    def _node(self, by_key: dict[Any, Any], like: Any) -> Any:
        return nodes.Mapping(by_key.items(), self.draft.report.place_of(like))

    def _list(self, entries: list[Any], like: Any) -> Any:
        return nodes.Listing(entries, self.draft.report.place_of(like))

    def _key(self, text: str, typed: Any) -> str:
        return self.draft.scalar(text, typed)

    # ---- the names of the players ------------------------------------------------------------------------------------

    def _numbered(self, data: Mapping[str, Any], row: str) -> Iterator[tuple[int, Any]]:
        """The names in a row, wherever they are typed, by their numbers."""
        for key, value in data.items():
            path = [] if key in self.layout.others else self._path(self.layout.whole, key.split("."))
            if not path or path[0] != row:
                continue
            if len(path) > 1:
                if path[1].isdecimal() and len(path[1]) < 4 and path[2:] in ([], ["name"]):
                    yield int(path[1]), self._name(value)
            elif isinstance(value, dict) and all(key.isdecimal() for key in value):
                yield from ((int(key), self._name(inner)) for key, inner in value.items())
            else:
                yield from enumerate(self._names_in(row, value), 1)

    def _names_in(self, row: str, value: Any) -> list[Any]:
        if isinstance(value, dict):
            inner = self.layout.row if row == self.layout.players else None
            is_entry = inner is not None and any(inner.find(key, whole=False) for key in value)
            return [self._name(value)] if is_entry else [*value]
        if not isinstance(value, list):
            return self._split_names(row, value)
        return [self._name(self._without_number(self.layout.whole[row], n, entry)) for n, entry in enumerate(value, 1)]

    def _name(self, entry: Any) -> Any:
        """The name in the entry of a player: `Ann`, `{name: Ann, cards: […]}` or `Ann: {cards: […]}`."""
        if not isinstance(entry, dict):
            return entry.split("\n")[0] if isinstance(entry, str) and "\n" in entry else entry
        keys = [key for key in entry if bare(key) == "name"]
        name = entry[keys[0]] if keys else next(iter(entry)) if self._is_headed(entry) else None
        return None if isinstance(name, (list, dict)) else name

    def _is_headed(self, entry: Mapping[str, Any]) -> bool:
        """Whether the entry of a player is typed under the name: `Ann: {cards: […]}`."""
        row = self.layout.row
        if row is None or len(entry) != 1:
            return False
        ((name, content),) = entry.items()
        has_content = isinstance(content, (list, dict)) or is_blank(content) or self.layout.games is not None
        return not row.find(name, whole=False) and has_content

    def _split_names(self, row: str, value: Any) -> list[Any]:
        """The names in one text, between commas, or between spaces if there must be several. Reports a text that may be
        one name or several."""
        if is_blank(value):
            return []
        text = scalar_text(value) or ""
        try:
            names = marks.names_in(text)
        except LineError as error:
            self.draft.bad(value, str(error), error.hint)
            return []
        is_typed = row == self.layout.players and not getattr(value, "quoted", False)
        if len(names) == 1 and is_typed and text.strip().isdecimal():
            hint = f"list the names, “[Ann, Ben]”, or put brackets around one, “[{text}]”"
            self.draft.bad(value, f"“{text}” can be a name or a number of players", hint)
        if len(names) == 1 and is_typed and " " in text.strip():
            names = text.split()
            if self.layout.least != len(names):
                several = f"put commas between names, “{', '.join(names)}”, or brackets around one, “[{text}]”"
                self.draft.bad(value, f"“{text}” can be one player or several", several)
        return [self.draft.scalar(name, value) for name in names]

    def _is_numbered_name(self, key: str, value: Any) -> bool:
        is_number = key.isdecimal() and len(key) < 4 and not self._rows(key)
        name = self._name(value) if isinstance(value, dict) and self.layout.has_groups else value
        return is_number and not isinstance(name, (list, dict)) and not (is_blank(name) or is_nothing(str(name)))

    def _rows(self, key: str) -> list[str]:
        """The grids with a row of this number."""
        return [part.key for part in self.layout.whole.inner if part.kind == "grid" and SheetDraft.boxes(part, key)]

    # ---- keys --------------------------------------------------------------------------------------------------------

    def _path(self, group: SheetPart, path: list[str], whole_or_not: tuple[bool, ...] = (True, False)) -> list[str]:
        """A path of keys and labels as a path of keys; empty if the first is not a key. As on paper, the number of an
        entry may follow its label: `Player 2` is `players.2`."""
        first, *rest = path
        numbered = _NUMBERED.fullmatch(first)
        box = "".join(numbered.groups()).lower() if numbered and first not in group.boxes else first  # `A1`, `A 1`
        if not rest and (first in group.by_key or box in group.boxes):
            return [first] if first in group.by_key else group.boxes[box].split(".")
        for whole in whole_or_not:
            if name := group.find(first, whole):
                return [*name.split("."), *self._inside(group.at(name), rest)]
            name = group.find(numbered[1], whole) if numbered else ""
            if numbered and name and group.at(name).kind in ("list", "row"):
                return [*name.split("."), *self._inside(group.at(name), [numbered[2], *rest])]
        return []

    def _inside(self, part: SheetPart, path: list[str]) -> list[str]:
        """The rest of a path of keys inside a part; names become numbers."""
        if not path or part.kind == "mark":
            return path
        if part.kind in ("list", "row"):
            number = path[0] if path[0].isdecimal() else self._number(part, path[0])
            return [number, *self._inside(part.single, path[1:])]
        return self._path(part, path) or path

    def _number(self, part: SheetPart, text: str) -> str:
        """The number of an entry that is named by a player; the text if it is no player."""
        names = self.people if part is self.layout.row else self.draft.names.get(part.by)
        number = names.number(text) if names else None
        numbered = _NUMBERED.fullmatch(text) if number is None else None
        if numbered and matching_keys(
            dict.fromkeys(map(bare, (part.key, part.label, names.row if names else "")), ""), numbered[1]
        ):
            return numbered[2]  # `Player 2`, `Round 2`
        return text if number is None else str(number)

    def _named_in(self, key: str) -> tuple[str, str]:
        """The number of the player whom a key names, and the rest of the key after a dot; empty if it names nobody."""
        first, _, rest = key.partition(".")
        for name, path in ((key, ""), (first, rest)):
            if (number := self.people.number(name)) is not None:
                return str(number), path
        return "", key

    def _part_at(self, part: SheetPart, path: list[str]) -> SheetPart | None:
        """The part at a path of keys; None if there is none."""
        for number, step in enumerate(path, 1):
            named = [part.single] if part.kind in ("list", "row") else [p for p in part.inner if p.key == step]
            if not named:
                return None
            part = named[-1 if number == len(path) else 0]  # of two with one key, the first is on paper
        return part

    def _under_a_key(self, group: SheetPart, key: str, value: Any) -> Pairs:
        """What is typed under a key in a group: the key of a part, the name of a player, or a line for all players."""
        column, path = self.layout.column(group), self._path(group, key.split("."))
        is_begun = path and bare(key) in column.parts and not self._path(group, key.split("."), (True,))
        if path and not is_begun:
            return self._under_path(group, path, key, value)
        number, rest = self._named_in(key)
        if not number and column.own and group is not self.layout.whole:
            first, _, rest = key.partition(".")
            number = first if first.isdecimal() else ""  # printed beside the player
        if number and column.parts:
            content = self._node({self._key(rest, key): value}, key) if rest else value
            return self._of_player(group, number, key, content)
        if group is self.layout.whole and (grids := self._rows(key)):  # a column
            return [(self._key(f"{grids[0]}.{key}", key), value)]
        across = None if "." in key else column.find(key)
        return self._across(*across, key, value) if across else [(key, value)]

    def _under_path(self, group: SheetPart, path: list[str], key: str, value: Any) -> Pairs:
        part = self._part_at(group, path)
        is_players = path[0] == self.layout.players and group is self.layout.whole
        if part is None or self._is_two_things(group, part, key):
            return [] if part else [(self._key(".".join(path), key), value)]
        if is_players and len(path) == 1:
            return self._players(path[0], value)
        if is_players and len(path) == 2 and path[1].isdecimal():
            return self._at_a_number(path[1], key, value)
        if part.extra and self.layout.is_on_paper(part.key, value):
            on_paper = next(inner for inner in group.inner if inner.key == part.key)
            return [(self._key(part.key, key), self._value(on_paper, value))]
        if part.kind == "list" and part.by == self.layout.players:
            return self._by_player(group, part, key, value)
        if len(path) == 2 and group[path[0]].by == self.layout.players and part.kind == "group" and path[1].isdecimal():
            return self._of_player(group, path[1], key, value)
        return [(self._key(".".join(path), key), self._value(part, value))]

    def _is_two_things(self, group: SheetPart, part: SheetPart, key: str) -> bool:
        """Reports a letter that is printed both above a column of a grid and beside another field, in capitals."""
        if len(key) > 1 or group is not self.layout.whole or key in part.spec.also:
            return False
        is_column = any(inner.kind == "grid" and SheetDraft.boxes(inner, key) for inner in group.inner)
        if is_column:
            hint = f"type “grid: {{{key}: …}}” or “{key.upper()}: …”"
            self.draft.bad(key, f"“{key}” can mean column {key} of the grid or “{part.label}”", hint)
        return is_column

    # ---- values ------------------------------------------------------------------------------------------------------

    def _value(self, part: SheetPart, value: Any) -> Any:
        """The value of a part, with everything in it under the keys of its fields."""
        if part.kind == "row":
            return self._marks_of_players(part, value) if part.by else value
        if part.kind == "group":
            return self._entry(part, value)
        if part.kind in ("ticks", "grid") and isinstance(value, dict):
            return self._mapping([(self._key(part.find(key) or key, key), mark) for key, mark in value.items()], value)
        if part.kind == "named" and isinstance(value, dict):
            return self._node({key: self._value(part.inner[0], inner) for key, inner in value.items()}, value)
        return self._entries(part, value) if part.kind == "list" else value

    def _marks_of_players(self, part: SheetPart, value: Any) -> Any:
        """One mark for each name, by its number."""
        names = self.draft.names[part.by]
        by_name: Any = value
        if not isinstance(value, (list, dict)) and not is_blank(value) and names.listed:
            by_name = self._split_by_name(value, names.listed)
        if not isinstance(by_name, dict):
            self._check_count(value, names)
            return value
        return self._mapping(
            [(self._key(self._number(part, name), name), mark) for name, mark in by_name.items()], value
        )

    def _check_count(self, value: Any, names: Names) -> None:
        """Reports a list that does not have an entry for each name."""
        if isinstance(value, list) and names.listed and len(value) not in (0, len(names.listed), max(names.by_number)):
            self.draft.bad(value, few_or_many(len(value), names.listed), "type a dot for each blank")

    def _split_by_name(self, value: Any, names: list[str]) -> dict[str, Any]:
        """The marks in a text by the names of the players; reports a text that cannot be read."""
        try:
            by_name = marks_by_player(scalar_text(value) or "", names)
        except LineError as error:
            self.draft.bad(value, str(error), error.hint)
            return {}
        return {self._key(name, value): self.draft.scalar(mark, value) for name, mark in by_name.items()}

    def _entries(self, part: SheetPart, value: Any) -> Any:
        """The entries of a list: in a list, in lines of their own, or by their numbers."""
        if isinstance(value, dict):
            return value if self.layout.converts else self._entries_by_key(part, value)
        if not isinstance(value, list) and (is_blank(value) or is_nothing(scalar_text(value) or "")):
            return value
        entries = value if isinstance(value, list) else self._lines(value)
        entries = [self._without_number(part, number, entry) for number, entry in enumerate(entries, 1)]
        is_text = not isinstance(value, list)
        if is_text and self.layout.converts and not any(map(self._names_a_player, entries)):
            return value
        return self._list([self._entry(part.single, entry) for entry in entries], value)

    def _without_number(self, part: SheetPart, number: int, entry: Any) -> Any:
        """An entry of a list without its number, `Turn 3: Ann 7`; reports a number that is not its position."""
        head, inner = "", entry
        if isinstance(entry, dict) and len(entry) == 1:
            ((head, inner),) = entry.items()
        elif isinstance(entry, str) and ":" in entry:
            head, _, inner = entry.partition(":")
        elif isinstance(entry, str) and (numbered := _NUMBER_BEFORE.match(entry)):
            inner = entry[numbered.end() :]
            head = numbered[1] if self._names_a_player(inner) else ""
        match = re.fullmatch(r"(|.*[^\W\d_])[ _]*([0-9]{1,4})", head.strip())
        if match is None:
            return entry
        if self._is_card(part, head.strip()):
            return {head.strip(): self.draft.scalar(inner.strip(), entry)} if isinstance(entry, str) else entry
        label, position = match[1], int(match[2])
        names = dict.fromkeys(map(bare, (part.key, part.label, "turns", "rounds", "moves", "entries")), "")
        if not (matching_keys(names, label) if label else self._names_a_player(inner)):
            return entry
        if position != number:
            message = f"“{head.strip()}” is entry {number} of this list"
            self.draft.bad(entry, message, "correct the number, or leave out all numbers")
        return self.draft.scalar(inner.strip(), entry) if isinstance(entry, str) else inner

    def _names_a_player(self, line: Any) -> bool:
        """Whether a line begins with the name of a player."""
        return isinstance(line, str) and whose(line.strip(), self.people.listed) is not None

    def _entries_by_key(self, part: SheetPart, value: dict[str, Any]) -> Any:
        """The entries of a list by their numbers, or those of cards by the numbers of the cards; a single entry that is
        typed without its list."""
        if any(self._path(part.single, key.split(".")) for key in value):
            return self._list([self._entry(part.single, value)], value)
        if part.inner and part.inner[0].card and not {*value} <= {str(n) for n in range(1, len(value) + 1)}:
            return self._list([self._headed(part, key, inner) for key, inner in value.items()], value)
        pairs: Pairs = []
        for key, inner in value.items():
            path = self._inside(part, key.split("."))
            inside = self._part_at(part, path) if path[0].isdecimal() else None
            pairs.append((self._key(".".join(path), key), self._value(inside, inner) if inside else inner))
        return self._mapping(pairs, value)

    def _entry(self, part: SheetPart, value: Any) -> Any:
        """An entry of a list or a group: a mapping, a line, or the cells of a line."""
        if isinstance(value, dict):
            head = next(iter(value)) if len(value) == 1 else ""
            if head and self._heads_an_entry(part, head, value[head]):
                return self._headed(part, head, value[head])
            typed = self._with_cards(part, value)
            pairs: Pairs = []
            for key, inner in typed.items():
                pairs += self._namesake(part, typed, key, inner) or self._under_a_key(part, key, inner)
            return self._mapping(pairs, value)
        own = [each.key for each in part.inner if each.kind == "list" and each.by == self.layout.players]
        slashed = re.split(r"\s+/\s+", scalar_text(value) or "")
        listed = value if isinstance(value, list) else [self.draft.scalar(text, value) for text in slashed]
        if len(own) == 1 and len(listed) == len(self.people.listed) > 1 and not any(map(self._names_a_player, listed)):
            return self._entry(part, self._node({self._key(own[0], value): self._list(listed, value)}, value))
        cells = value if isinstance(value, list) else [value]
        if not cells or any(isinstance(cell, (list, dict)) for cell in cells):
            return value
        text = ", ".join(scalar_text(cell) or "" for cell in cells)
        if len(cells) == 1 and (is_blank(value) or (part.spec.zero and is_no_word(text))):
            return value
        first = text.split(maxsplit=1)[:1]  # none in a text of spaces
        is_own_notation = self.layout.converts and not (first and self.people.number(first[0].rstrip(",:")))
        return value if is_own_notation else self._line(part, text, value)

    def _heads_an_entry(self, part: SheetPart, key: str, content: Any) -> bool:
        """Whether an entry is typed under its player or card."""
        is_player = part.inner[0].key == "player" and not self._path(part, key.split("."))
        is_known = not self.people.listed or self.people.number(key) is not None
        if self.layout.converts and " " not in (scalar_text(content) or " "):
            return False
        return bool(self._is_card(part, key)) or (is_player and is_known)

    def _line(self, part: SheetPart, text: str, like: Any) -> Any:
        """The parts on a line; reports why it cannot be read."""
        try:
            entry = plain(part, text, self.people.listed, self.check)
        except LineError as error:
            self.draft.bad(like, *self._elsewhere(part, text, (str(error), error.hint)))
            return self.draft.scalar("", like)
        node = nodes.from_plain(entry, self.draft.report.place_of(like))
        return self._entry(part, node) if isinstance(node, dict) else node

    def _elsewhere(self, part: SheetPart, text: str, otherwise: tuple[str, str]) -> tuple[str, str]:
        """The message and hint for a line with something that has its own place outside the list, such as a total."""
        word, whole = re.match(r"[^\W\d][\w -]*(?=:)", text), self.layout.whole
        if word and (self.layout.column(whole).find(word[0]) or self._path(whole, [word[0]])):
            return f"“{word[0]}” is not part of this list", f"type it above or below “{part.key}”"
        return otherwise

    def _headed(self, part: SheetPart, head: str, content: Any) -> Any:
        """An entry that is typed under its player or card: `Ann: {roll: 4}`, `Card 4: star 5`."""
        entry, first = part.single if part.kind == "list" else part, part.inner[0]
        head = self._key(self._is_card(part, head) or head, head)
        if isinstance(content, dict):
            own = next((key for key in content if self._path(entry, [key]) == [first.key]), None)
            heads = {} if own else {self._key(first.key, head): head}
            return self._entry(entry, self._node({**heads, **content}, head))
        cells = [scalar_text(cell) or "" for cell in (content if isinstance(content, list) else [content])]
        between = ", " if len(cells) > 1 or "," in cells[0] else " "
        return self._line(entry, between.join([head, *(cell or "." for cell in cells)]).removesuffix(" ."), head)

    def _is_card(self, part: SheetPart, key: str) -> str:
        """The number of a card that is printed before its marks: `4` for `Card 4`; empty for any other key."""
        if not (part.inner and part.inner[0].card and part.inner[0].kind == "mark"):
            return ""
        match = _NUMBERED.fullmatch(key)
        labels = {bare(label) for label in (part.key, part.label, *part.spec.also, part.inner[0].label)}
        return key if key.isdecimal() else match[2] if match and bare(match[1]) in labels else ""

    def _with_cards(self, group: SheetPart, data: Mapping[str, Any]) -> Any:
        """The content of a group with every `Card 4: …` as an entry of the list of cards."""
        lists = [part for part in group.inner if part.kind == "list" and not part.extra]
        found = {key: part for key in data if not key.isdecimal() for part in lists if self._is_card(part, key)}
        if not found:
            return data
        others = {key: value for key, value in data.items() if key not in found}
        for part in dict.fromkeys(found.values()):
            entries = [self._headed(part, key, data[key]) for key, owner in found.items() if owner is part]
            key = next(key for key, owner in found.items() if owner is part)
            others[self._key(part.key, key)] = self._list(entries, data[key])
        return self._node(others, data)

    def _namesake(self, part: SheetPart, typed: Mapping[str, Any], key: str, value: Any) -> Pairs:
        """What is typed under the key of a part that is a label inside another part, too: `wins` are the games that a
        player has won, but “Wins” is printed beside their number. What can mean both is refused. Empty for any other
        key."""
        own = part.find(key)
        label, text = part.namesakes.get(own), (scalar_text(value) or "").strip()
        if not label or isinstance(value, (list, dict)) or not text:
            return []
        paths = [".".join(self._path(part, other.split("."))) for other in typed if other != key]
        if part[own].kind != "row":
            group = label.rpartition(".")[0]
            if any(path.startswith(f"{group}.") for path in paths):
                hint = f"type “{group}: {{{own}: {text}}}” for the one in “{group}”"
                self.draft.bad(key, f"“{key}: {text}” can mean two things beside “{group}”", hint)
            return []
        if not text.isdecimal():
            return []
        if own in paths or any(other.isdecimal() for other in typed):
            return [(self._key(label, key), value)]
        if label not in paths:
            name = part[own].label
            message = f"“{key}: {text}” can mean {text} in all or {name.lower()} {text}"
            self.draft.bad(key, message, f"type “Total: {text}” or “{name}: [{text}]”")
        return [(self._key(own, key), self._list([value], value))]

    # ---- players -----------------------------------------------------------------------------------------------------

    def _players(self, key: str, value: Any) -> Pairs:
        """The players: their names, or an entry for each of them."""
        row = self.layout.row
        assert row is not None
        pairs: Pairs = []
        if isinstance(value, dict) and not (self.layout.has_groups and any(self._path(row.single, [k]) for k in value)):
            for name, inner in value.items():
                is_number = name.isdecimal() and not isinstance(inner, list)
                number = self._number(row, name)
                pairs += self._player(name, inner) if is_number else self._named_player(number, name, inner)
        else:
            listed = [value] if isinstance(value, dict) else value
            listed = listed if isinstance(listed, list) else self._split_names(row.key, value)
            for count, entry in enumerate(listed, 1):
                pairs += self._player(str(count), self._without_number(row, count, entry))
        start = f"{row.key}."
        named = [pair for pair in pairs if not self.layout.has_groups and pair[0].startswith(start)]
        names = {self._key(path[len(start) :], name): name for path, name in named}
        others = [pair for pair in pairs if self.layout.has_groups or not pair[0].startswith(start)]
        return [(self._key(row.key, key), self._node(names, value)), *others]

    def _player(self, number: str, entry: Any) -> Pairs:
        """A player in the list of players: a name, perhaps with cards in the lines below it, or an entry."""
        if isinstance(entry, dict) and self._is_headed(entry) and not next(iter(entry)).isdecimal():
            return self._named_player(number, *next(iter(entry.items())))
        if isinstance(entry, dict):
            return self._of_player(self.layout.whole, number, self._key(number, entry), entry)
        if not isinstance(entry, str) or "\n" not in entry or self.layout.under_a_name is None:
            return self._named_player(number, entry, None)
        name, *lines = self._lines(entry)
        return self._named_player(number, name, lines)

    def _lines(self, value: Any) -> list[Any]:
        """The lines of a text that are not blank, with their places."""
        place, lines = self.draft.report.place_of(value), (scalar_text(value) or "").split("\n")
        begins_below = getattr(value, "quoted", False) and not value.column  # a text below its key, after `|`
        places = (replace(place, line=place.line + begins_below + number) for number in range(len(lines)))
        return [Scalar(line.strip(), at) for line, at in zip(lines, places, strict=True) if line.strip()]

    def _named_player(self, number: str, name: Any, content: Any) -> Pairs:
        """A player with the name and whatever is typed under it."""
        own = f"{self.layout.players}.{number}{'.name' * self.layout.has_groups}"
        pairs = [(self._key(own, name), name)]
        self._check_name(name)
        if content is None or is_blank(content):
            return pairs
        return pairs + self._of_player(self.layout.whole, number, name, content)

    def _by_player(self, group: SheetPart, part: SheetPart, key: str, value: Any) -> Pairs:
        """A list with an entry for each player, by name or in their order."""
        if isinstance(value, dict) and value and all(map(self.layout.column(group).find, value)):
            return [pair for line, inner in value.items() for pair in self._under_a_key(group, line, inner)]
        entries: list[tuple[str, str, Any]] = []
        if isinstance(value, dict):
            for name, inner in value.items():
                number = self._number(part, name)
                entries.append((number, "", inner) if number.isdecimal() else (*self._named_in(name), inner))
        elif not is_blank(value):
            texts = (scalar_text(value) or "").split(",")
            listed = value if isinstance(value, list) else [self.draft.scalar(text.strip(), value) for text in texts]
            self._check_count(value, self.people)
            entries = [(str(number), "", entry) for number, entry in enumerate(listed, 1)]
            if listed is not value and len(texts) != len(self.people.listed):
                return [(self._key(part.key, key), value)]
        pairs: Pairs = [(self._key(part.key, key), self._node({}, value))]
        for number, rest, inner in entries:
            if number:
                content = self._node({self._key(rest, inner): inner}, inner) if rest else inner
                pairs += self._of_player(group, number, self._key(number, inner), content)
            else:
                pairs.append((self._key(f"{part.key}.{rest}", inner), inner))
        return pairs

    def _of_player(self, group: SheetPart, number: str, key: str, value: Any) -> Pairs:
        """What a player has in a group, typed under the name or number of the player."""
        layout, column = self.layout, self.layout.column(group)
        own = column.own.format(number) or f"{layout.players}.{number}"
        if isinstance(value, dict):
            pairs: Pairs = [(self._key(own, key), self._node({}, value))] if column.own else []
            typed = self._with_cards(column.entry, value) if column.entry else value
            for inner_key, inner in typed.items():
                namesake = self._namesake(column.entry, typed, inner_key, inner) if column.entry else []
                pairs += [(self._key(f"{own}.{path}", path), mark) for path, mark in namesake] or self._part_of_player(
                    group, number, own, inner_key, value=inner
                )
            return pairs or [(self._key(own, key), value)]
        if group is layout.whole and layout.has_groups:
            part = layout.under_a_name
            if part is None:
                return [(self._key(own, key), value)]
            text = scalar_text(value) or ""
            if part.tick and text.isdecimal() and not self.lists_games:
                message = f"“{key}: {text}” can mean {text} in all or {part.label.lower()} {text}"
                self.draft.bad(value, message, f"type “{key}: [{text}]” for the {part.label.lower()}")
            value = self._list([value], value) if part.tick and text.isdecimal() else value
            return [(self._key(f"{own}.{part.key}", key), self._value(part, value))]
        if column.entry is None:
            return [(key, value)]
        entry = self._entry(column.entry, value)
        return self._of_player(group, number, key, entry) if isinstance(entry, dict) else [(self._key(own, key), entry)]

    def _at_a_number(self, number: str, key: str, value: Any) -> Pairs:
        """What is typed under the number of a player: the name, `Player 1: Ann`, or everything of the player."""
        layout = self.layout
        if isinstance(value, dict) or (isinstance(value, list) and layout.has_groups):
            return self._of_player(layout.whole, number, key, value)
        is_nobody = is_nothing(scalar_text(value) or "") and self.people.listed
        name = f"{layout.players}.{number}{'.name' * layout.has_groups}"
        return [] if is_nobody else [(self._key(name, key), value)]

    def _part_of_player(self, group: SheetPart, number: str, own: str, key: str, value: Any) -> Pairs:
        """One part of what a player has."""
        layout, (first, *rest) = self.layout, key.split(".")
        if found := self.layout.column(group).find(first):
            name, part = found
            path = self._inside(part, rest)
            inner = self._part_at(part, path)
            where = ".".join([name.format(number), *path])
            return [(self._key(where, key), self._value(inner, value) if inner else value)]
        if group is layout.whole:
            if bare(first) == "name" or self._path(group, key.split(".")) == [layout.players]:
                return [(self._key(f"{layout.players}.{number}{'.name' * layout.has_groups}", key), value)]
            if layout.games and first.isdecimal():
                return [(self._key(f"{own}.{layout.games.key}.{key}", key), value)]
            entry = [key] if key.isdecimal() else self._path(group, [key])[1:]  # a round or turn: `2` or `Round 2`
            if layout.entries and len(entry) == 1 and entry[0].isdecimal():
                pairs = self._of_player(layout.entries.single, number, key, value)
                return [(self._key(f"{layout.entries.key}.{entry[0]}.{inner}", key), mark) for inner, mark in pairs]
        if not self.layout.column(group).own and group is not layout.whole:
            self.draft.unknown_key(key, first, group, self.people.name(int(number)))
            return []
        return [(self._key(f"{own}.{key}", key), value)]

    def _across(self, name: str, part: SheetPart, key: str, value: Any) -> Pairs:
        """A line across the columns of the players, `Trio: {Ann: {tiles: BIRD}}`, or of the only player."""
        column = self.layout.column(self.layout.whole)
        if column.entry and part.key in column.entry.namesakes and not isinstance(value, list):
            message = f"“{key}” can mean the {part.label.lower()}s or their number"
            self.draft.bad(key, message, "type “Total: …” for the number")
            return []
        before = len(self.draft.report.problems)
        by_number = self._per_player(value) or ([(1, value)] if len(self.people.listed) == 1 else [])
        if not by_number and len(self.draft.report.problems) == before:
            self.draft.bad(key, f"“{key}” is not typed for each player", f"name them: {key}: {{Ann: …}}")
        return [(self._key(name.format(number), key), self._value(part, inner)) for number, inner in by_number]

    def _per_player(self, value: Any) -> list[tuple[int, Any]]:
        """What was typed for each player, by their numbers: by name, in a list, or in one text. Empty if it is for one
        player only, or does not say for whom."""
        people = self.people
        if isinstance(value, list):
            return [*enumerate(value, 1)] if len(value) == len(people.listed) else []
        if not isinstance(value, dict):
            is_one_mark = len(re.split(r"[\s,]+", (scalar_text(value) or "").strip())) < 2
            value = {} if is_one_mark or len(people.listed) < 2 else self._split_by_name(value, people.listed)
        by_number = [(number, inner) for name, inner in value.items() if (number := people.number(name))]
        return by_number if len(by_number) == len(value) else []

    # ---- numbers, rounds and games -----------------------------------------------------------------------------------

    def _under_a_number(self, key: str, value: Any) -> Pairs:
        """What is typed at the top under a number: a row of a grid, a game of a tally, a player, or an entry such as a
        turn."""
        layout, whole = self.layout, self.layout.whole
        if rows := self._rows(key):
            return [(self._key(f"{rows[0]}.{key}", key), value)]
        is_name = self._is_numbered_name(key, value) and (self.are_numbered or " " not in str(value))
        is_game = layout.games and self.people.listed and not (is_name and self.are_numbered)
        if is_game and (game := self._game(key, key, value)):
            return game
        players = self.people.by_number
        is_listed = int(key) in players or int(key) > max(players, default=999)
        if is_name and is_listed and not self.are_numbered:
            about = layout.games or layout.entries
            other = f"to {about.label.lower()} {key}" if about else "to the marks of a player"
            message = f"“{key}: {scalar_text(value)}” can be the name of player {key} or belong {other}"
            self.draft.bad(key, message, f"type “Player {key}: …” for the name")
            return []
        if layout.has_groups or is_name or not layout.entries:
            return self._at_a_number(key, key, value) if layout.row else [(key, value)]
        return self._under_path(whole, [layout.entries.key, key], key, value)

    def _game_under(self, key: str, value: Any) -> Pairs:
        """The marks of a game of a tally that is typed as one line for all players, `Game 3: Ann`; empty for others."""
        numbered, games = _NUMBERED.fullmatch(key), self.layout.games
        if not (games and numbered and self.layout.row):
            return []
        return self._game(numbered[2], key, value) if self.layout.row.find(numbered[1], False) == games.key else []

    def _game(self, number: str, key: str, value: Any) -> Pairs:
        """The marks of all players in one game; empty if the value does not say whose they are."""
        games, text = self.layout.games, scalar_text(value)
        where = f"{self.layout.players}.{{}}.{games.key if games else ''}.{number}"
        if text is not None and is_nothing(text):
            return [(self._key(where.format(1), key), self.draft.scalar("", value))]
        if games and games.tick and text is not None:
            value = {self._key(name, value): self.draft.scalar("x", value) for name in marks.names_in(text)}
        return [(self._key(where.format(winner), key), mark) for winner, mark in self._per_player(value)]
