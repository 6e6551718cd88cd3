"""Accepts sheets that are typed as they look on paper, and rearranges them under the keys of their fields.

A paper sheet has no keys. It numbers players, turns and rows, has each player's name above that player's marks, and
prints lines across the columns of all players. So the forms on the left are accepted as well as those on the right:

    1: Ann                                  players: [Ann]
    players: {Ann: {cards: […]}}            players: [{name: Ann, cards: […]}]
    Player 1: {name: Ann, cc side up: +7}   players: [Ann], hands: {Ann: {cc_up: +7}}
    3: Ann (in a tally)                     players: [{name: Ann, wins: {3: x}}, …]
    1: {player: Ann, roll: 4}               turns: [{player: Ann, roll: 4}]
    turns: [Ann: {roll: 4}]                 turns: [{player: Ann, roll: 4}]
    turns: [[Ann, 5 5]]                     turns: [{player: Ann, play: 5 5}]
    Trio: {Ann: {tiles: BIRD}}              lines: {Ann: {trio: {tiles: BIRD}}}
    One by one: {result: […], points: […]}  games: {one-by-one: […]}, awarded: {one-by-one: […]}
    Ann: {One by one: {result: 9, points: 5}}  games: {one-by-one: {Ann: 9}}, awarded: {one-by-one: {Ann: 5}}
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from ..model.game import FieldFile, SheetFile
from ..nodes import Listing, Node, Scalar
from ..nodes import Mapping as Typed
from ..spelling import bare, comparable, matching, matching_keys
from .fields import Fields, Grid, Repeated, Row, inner_fields
from .mark_reader import Reader
from .marks import DASHES, as_tick, by_commas, is_nothing

Pairs = list[tuple[Scalar, Node]]
_ROW_OR_COLUMN = re.compile(r"(?:row|column)[ _]+([a-z0-9]{1,3})", re.IGNORECASE)
_CARD_LINE = re.compile(r"(?:card\s*)?[0-9]", re.IGNORECASE)
_BADGE = re.compile(r"^[0-9][.:]?\s+(?=\D)")
"""A number printed before a label: `1 One by one`."""
_NAME = re.compile(r"name|player(?:_[0-9]{1,2})?")
_BETWEEN_PLAYERS = re.compile(r"\s*[,;/|&]\s*|\s+and\s+")


class AsOnPaper:
    """Rearranges the documents of one score sheet; `others` are the top-level keys that are not fields, and `least` is
    the smallest number of players."""

    def __init__(self, definition: SheetFile, fields: Fields, others: Iterable[str], least: int = 1) -> None:
        self.fields, self.others, self.least = fields, {*others}, least
        self.row, self.title = definition.players or "players", bare(definition.title)
        players = definition.fields.get(self.row)
        self.players: Reader | None = self._reader(self.row) if players else None
        self.has_groups = (
            isinstance(self.players, Repeated) and players is not None and "name" in (players.fields or {})
        )
        self.has_names = isinstance(self.players, Row) and players is not None and players.kind == "text"
        specs = definition.fields
        own = {} if players is None else players.fields or {}
        rows = [name for name, spec in own.items() if spec.count and not spec.by]
        is_tally = self.has_groups and len(rows) == 1 and not any(spec.repeat for spec in own.values())
        self.games = rows[0] if is_tally else ""
        self.entries = [name for name, spec in specs.items() if spec.repeat and not spec.by and name != self.row]
        self.by_player = [name for name, spec in specs.items() if spec.repeat and spec.by == self.row]
        self.numbered = [(name, grid.numbered) for name in specs if isinstance(grid := self._reader(name), Grid)]
        self.columns = {
            letter: name for name in specs if isinstance(grid := self._reader(name), Grid) for letter in grid.lettered
        }
        self.ticks = {
            bare(tick): f"{name}.{tick}"
            for name, spec in specs.items()
            if spec.fields
            and spec.repeat is None
            and spec.also
            and all(tick.kind == "tick" for tick in spec.fields.values())
            for tick in spec.fields
        }
        self.chosen = {
            bare(f"{choice} {spec.label}"): (name, choice, [other for other in spec.choices if other != choice])
            for name, spec in specs.items()
            if spec.kind == "choice" and spec.count is None and spec.label
            for choice in spec.choices
        }
        self.logs = {name for name in self.entries if "player" in (specs[name].fields or {})}

    def _reader(self, name: str) -> Reader:
        return self.fields.find(name)[1]  # type: ignore[index]

    # ---- what has to be rearranged -----------------------------------------------------------------------------------

    def is_unusual_key(self, key: str) -> bool:
        """Whether this is not the key of a field, nor any other that a sheet may have."""
        return key not in self.fields.specs and bare(key) not in self.others and "." not in key

    def depends_on_value(self, key: str) -> bool:
        """Whether the value of this key may be typed in an unusual way, too."""
        return key in self.fields.specs and (key == self.row or key in self.logs)

    def is_unusual(self, key: str, value: Any) -> bool:
        """Whether the value of such a key is not as the definition of its field wants it."""
        if key == self.row:
            return not isinstance(value, list) or any(map(self._is_unusual_player, value))
        return any(_is_short(entry) for entry in _inside(value))

    def _is_unusual_player(self, entry: Any) -> bool:
        if not isinstance(entry, dict):
            return self.has_groups
        return not self.has_groups or len(entry) == 1

    def spellings(self, data: Typed) -> Iterator[Typed]:
        """The document as typed, and with spaces between the players' names where there are no commas."""
        yield data
        for key, value in data.pairs:
            match = self.fields.enter([key])
            is_row = match is not None and match[0] == self.row and not match[2]
            if is_row and isinstance(value, Scalar) and len(value.split()) > 1 == len(by_commas(value)):
                names = Listing([Scalar(name, value.place) for name in value.split()], value.place)
                yield Typed([(name, names if name is key else inner) for name, inner in data.pairs], data.place)

    def rearranged_with_names(self, data: Typed) -> tuple[Typed, list[str]]:
        """The rearranged document, and the names of the players."""
        return self.rearranged(data), self._names(data)

    def rearranged(self, data: Typed) -> Typed:
        """The document with everything under the keys of its fields; unchanged wherever that would be ambiguous."""
        pairs, games = self._typed_games(data) if self.games else ([], set())
        names, columns = self._names(data), self._typed_columns(data)
        people = self._heads(data) if not names and not games else {}
        for number, (name, entry) in enumerate(people.items(), 1):
            if self.has_names:
                pairs += [
                    (_key(f"{self.row}.{number}", name), name),
                    *self._one_player(name, str(number), entry, names),
                ]
            else:
                pairs += [(_key(f"{self.row}.{number}.{key}", key), part) for key, part in entry.pairs]
        numbered = {value for key, value in data.pairs if key.isdecimal() and isinstance(value, Scalar)}
        listed = [name for name in names if name not in numbered]
        for key, value in data.pairs:
            if key in columns:
                pairs.append((_key(f"{self.columns[key.lower()]}.{key}", key), value))
            elif key not in games and key not in people:
                pairs += self._in_words(key, value) or self._rearranged(key, value, names, listed)
        return Typed(pairs, data.place, data.weight) if len({key for key, _ in pairs}) == len(pairs) else data

    def _in_words(self, key: Scalar, value: Node) -> Pairs:
        """What was typed under a key in words: `row 2`, `column a`, or the name of a choice that is ticked, such
        as `rows: x` or `Without cards: yes`. Empty for any other key."""
        if match := _ROW_OR_COLUMN.fullmatch(key):
            word = match[1].lower()
            grids = [grid for grid, rows in self.numbered if word in rows] or [*filter(None, [self.columns.get(word)])]
            return [(_key(f"{grids[0]}.{word}", key), value)] if grids else []
        ticked = as_tick(value) if isinstance(value, Scalar) and not value.blank else None
        if ticked is None:
            return []
        if bare(key) in self.ticks:
            return [(_key(self.ticks[bare(key)], key), value)]
        name, choice, others = self.chosen.get(bare(key), ("", "", []))
        chosen = [choice] if ticked else others
        return [(_key(name, key), Scalar(chosen[0], value.place))] if name and len(chosen) == 1 else []

    def _typed_columns(self, data: Typed) -> set[str]:
        """The keys that stand for columns of a grid. A letter may be printed for another field as well: it stands for
        the column if a letter that is only a column's was typed too, or more marks than the field has room for. Of
        `a` and `A`, only the first is the column's."""
        keys = [key for key in data if key.lower() in self.columns]
        others = {key: match[1] for key in keys if (match := self.fields.find(key))}
        if len(others) == len(keys) and not any(_exceeds(reader, data[key]) for key, reader in others.items()):
            return set()
        return {key for key in keys if key.lower() not in keys or key == key.lower()}

    def _rearranged(self, key: Scalar, value: Node, names: list[str], listed: list[str]) -> Pairs:
        if "." in key or bare(key) in self.others:
            return [(key, value)]
        for grid, rows in self.numbered:
            if key in rows or any(key in row for row in rows.values()):
                return [(_key(f"{grid}.{key}", key), value)]
        if key.isdecimal() and len(key) < 4:
            return self._by_number(key, value, listed)
        match = self.fields.enter([_BADGE.sub("", key)])
        if match is None:
            return self._line(key, value, names)
        name, _, rest = match
        if name == self.row:
            return self._one_player(key, rest[0], value, names) if rest else self._players(key, value)
        if name in self.logs and not rest:
            return [(key, self._log(name, value, names))]
        return self._columns(key, name, value, names) if isinstance(value, Typed) and not rest else [(key, value)]

    def _by_other_labels(self, name: str, value: Typed) -> Typed:
        """A group in which fields have the labels of those with the same key in another group: `points: {The last die:
        …}` beside `result: {The last die: …}`."""
        inner = inner_fields(self._reader(name))
        if inner is None or self.fields.specs[name].repeat is not None:
            return value
        pairs: Pairs = []
        for key, mark in value.pairs:
            match = None if inner.enter([key]) else self.fields.find(_BADGE.sub("", key))
            field = match[0].rpartition(".")[2] if match else ""
            number = int(key) if key.isdecimal() and len(key) < 3 and self.has_names else 0
            if not match and 1 <= number <= len(inner.specs) and all(spec.by for spec in inner.specs.values()):
                field = [*inner.specs][number - 1]
            pairs.append((_key(field, key) if field in inner.specs else key, mark))
        return Typed(pairs, value.place, value.weight) if len(dict(pairs)) == len(pairs) else value

    # ---- players -----------------------------------------------------------------------------------------------------

    def _names(self, data: Typed) -> list[str]:
        """The names of the players, wherever they are typed."""
        names: list[str] = []
        numbered: list[str] = []
        for key, value in data.pairs:
            match = None if key.isdecimal() or "." in key else self.fields.enter([key])
            if match and match[0] == self.row and not match[2]:
                for entry in _people(value, least=self.least) or []:
                    names += [entry[0]]
            elif isinstance(value, Scalar) and (key.isdecimal() or (match and match[0] == self.row)):
                (numbered if key.isdecimal() else names).append(value)
        return [name for name in names or numbered if name]

    def _players(self, key: Scalar, value: Node) -> Pairs:
        inner = inner_fields(self.players) if self.players else None
        if isinstance(value, Typed) and any(
            name.isdecimal() or (inner is not None and inner.enter([name])) for name in value
        ):
            return [(key, value)]
        people = _people(value, inner, self.least)
        if people is None:
            return [(key, value)]
        if any(isinstance(content, Scalar) and not content.blank and not _is_number(content) for _, content in people):
            people = [  # beside `Ann: 1 4`, the 2 in `Ben: 2` is a game too
                (
                    name,
                    Listing([content], content.place)
                    if isinstance(content, Scalar) and _is_number(content)
                    else content,
                )
                for name, content in people
            ]
        if self.has_groups and inner is not None:
            entries = [self._group(name, content, inner) for name, content in people]
            complete = [entry for entry in entries if entry is not None]
            return [(key, Listing(complete, value.place) if len(complete) == len(entries) else value)]
        if self.has_names and all(content is None or isinstance(content, Typed) for _, content in people):
            return [(key, Listing([name for name, _ in people], value.place)), *self._contents(people)]
        return [(key, value)]

    def _contents(self, people: list[tuple[Scalar, Node | None]]) -> Pairs:
        """What was typed below the players' names in their list, by name, or by ids where fields have to be found."""
        names: list[str] = [name for name, _ in people]
        pairs: Pairs = []
        for number, (name, content) in enumerate(people, 1):
            if isinstance(content, Typed) and any(self._parts(part, inner) for part, inner in content.pairs):
                pairs += self._one_player(name, str(number), content, names)
            elif isinstance(content, Typed) and content:
                pairs.append((name, content))
        return pairs

    def _group(self, name: Scalar, content: Node | None, inner: Fields) -> Typed | None:
        """The entry of a player in a list of groups; None if it is not clear what the content is."""
        head: Pairs = [(_key("name", name), name)]
        if isinstance(content, Listing):
            lists = [field for field, spec in inner.specs.items() if spec.repeat or field == self.games]
            return Typed([*head, (_key(lists[0], name), content)], name.place) if len(lists) == 1 else None
        if isinstance(content, Scalar) and not content.blank:
            kind = inner.specs[self.games].kind if self.games else ""
            is_row = kind == "number" or (kind == "tick" and not _is_number(content))
            return Typed([*head, (_key(self.games, name), content)], name.place) if is_row else None
        return Typed([*head, *(content.pairs if isinstance(content, Typed) else [])], name.place)

    def _one_player(self, key: Scalar, number: str, value: Node, names: list[str]) -> Pairs:
        """What was typed under `Player 2`: the name, or everything that belongs to that player, or “none”."""
        if isinstance(value, Scalar) and is_nothing(value) and any(name is not value for name in names):
            return []
        if not (self.has_names and isinstance(value, Typed)):
            return [(key, value)]
        name, content = _named(value)
        row = f"{self.row}.{number}"
        pairs: Pairs = [(_key(row, key), name)] if name is not None else []
        for inner_key, inner_value in content.pairs if content else ():
            field = self._field_by_player(inner_key)
            parts = self._parts(inner_key, inner_value) or [
                (_key(field, inner_key) if field else inner_key, inner_value)
            ]
            pairs += [(_key(part.format(number), part), inner) for part, inner in parts]
        return pairs

    def _parts(self, key: Scalar, value: Node) -> Pairs:
        """What was typed under a player with several fields below its key: a list of rounds, or several rows of the
        paper, `One by one: {result: 23, points: 10}`. The ids have `{}` for the number of the player."""
        match = self.fields.enter([key])
        if isinstance(value, Listing) and match and match[0] in self.entries and not match[2]:
            rounds = [(Scalar(str(number), entry.place), entry) for number, entry in enumerate(value, 1)]
            return [(_key(field, at), entry) for at, entry in rounds if (field := self._round_of_player(at))]
        name = self._field_by_player(key)
        if not isinstance(value, Typed) or not value or name.count(".") != 2 or not name.endswith(".{}"):
            return []
        rows = self._rows_of_line(name.removesuffix(".{}"), value)
        return [(_key(f"{row}.{{}}", label), mark) for row, label, mark in rows]

    def _rows_of_line(self, name: str, value: Typed) -> list[tuple[str, Scalar, Node]]:
        """The ids of the rows of a line on paper by their labels, with what was typed there; empty if some are
        unknown."""
        last = name.rpartition(".")[2]
        groups = [match[0] if (match := self.fields.find(label)) else "" for label in value]
        if not all(group in self.fields.specs and last in (self.fields.specs[group].fields or {}) for group in groups):
            return []
        return [(f"{group}.{last}", label, mark) for group, (label, mark) in zip(groups, value.pairs, strict=True)]

    def _field_by_player(self, key: Scalar) -> str:
        """The id of a field of a player, with `{}` for the number of the player; empty if there is none."""
        for group in self.by_player:
            inner = inner_fields(self._reader(group))
            if inner is not None and (match := inner.enter([key])):
                return ".".join([group, "{}", match[0], *match[2]])
        if (match := self.fields.enter([key])) and getattr(match[1], "by", None) == self.row:
            return match[0] + ".{}"
        return self._round_of_player(key)

    def _round_of_player(self, key: Scalar) -> str:
        """The id of the column of a player in an entry, such as a round, that is typed under the player by its number;
        empty if the entries have no such columns."""
        match = self.fields.enter([key])
        number = key if key.isdecimal() else match[2][0] if match and match[0] in self.entries and match[2] else ""
        inner = self.fields.specs[self.entries[0]].fields or {} if len(self.entries) == 1 else {}
        columns = [name for name, spec in inner.items() if spec.repeat and spec.by == self.row]
        return f"{self.entries[0]}.{number}.{columns[0]}.{{}}" if number and len(columns) == 1 else ""

    # ---- numbers, lines and logs -------------------------------------------------------------------------------------

    def _by_number(self, key: Scalar, value: Node, listed: list[str]) -> Pairs:
        """What was typed under a number: a player's name, or an entry of a list such as a turn. On one line, such an
        entry begins with a number or with the name of a player `listed` elsewhere."""
        if isinstance(value, Typed):
            if line := self._numbered_line(int(key)):
                return self._columns(key, line, value)
            name = self.row if self.has_groups else self.entries[0] if len(self.entries) == 1 else ""
            return [(_key(f"{name}.{key}", key) if name else key, self._entry(name, value, []) if name else value)]
        if isinstance(value, Listing):
            return [(_key(f"{self.entries[0]}.{key}", key) if len(self.entries) == 1 else key, value)]
        if listed and isinstance(value, Scalar) and self.has_names and _is_line(value, listed):
            if line := self._numbered_line(int(key)):
                return [(_key(line, key), value)]
            return [(_key(f"{self.entries[0]}.{key}", key) if len(self.entries) == 1 else key, value)]
        if isinstance(value, Scalar) and (self.has_groups or self.has_names):
            return [(_key(f"{self.row}.{key}{'.name' if self.has_groups else ''}", key), value)]
        return [(key, value)]

    def _numbered_line(self, number: int) -> str:
        """The id of the line with this number, if the lines on paper are rows of the players' marks."""
        if self.entries or not self.has_names:
            return ""
        for name, spec in self.fields.specs.items():
            lines = [*(spec.fields or {})]
            if spec.repeat is None and lines and all(line.by == self.row for line in (spec.fields or {}).values()):
                return f"{name}.{lines[number - 1]}" if 1 <= number <= len(lines) else ""
        return ""

    def _heads(self, data: Typed) -> dict[Scalar, Typed]:
        """The players of a sheet that does not list them: keys other than labels, above everything of a player."""
        if self.has_names:
            return {
                key: value
                for key, value in data.pairs
                if isinstance(value, Typed) and value and len(data) < 100
                if not ("." in key or key.isdecimal() or bare(key) in self.others or self.fields.enter([key]))
                if not self._field_by_player(key) and all(map(self._field_by_player, value))
            }
        inner = inner_fields(self.players) if self.players else None
        people: dict[Scalar, Typed] = {}
        for key, value in data.pairs if inner is not None and len(data) < 100 else ():
            known = "." in key or key.isdecimal() or bare(key) in self.others or self.fields.enter([key])
            if inner is None or known or inner.enter([key]) or matching_keys({self.title: self.row}, key):
                continue
            is_part = isinstance(value, Typed) and value and all(inner.enter([name]) for name in value)
            if is_part or isinstance(value, Listing) or (isinstance(value, Scalar) and self.games):
                entry = self._group(key, value, inner)
                if entry is not None and len(entry) > 1:
                    people[key] = entry
        return people

    def _across(self, key: Scalar, value: Node, names: list[str]) -> Pairs:
        """What was typed at the top for players listed elsewhere: everything of one player, `Ann: {cards: […]}`, or a
        line for all of them, `Total: 9 4`. Empty if it is neither."""
        inner = inner_fields(self.players) if self.players else None
        if inner is None or not names:
            return []
        if len(player := matching(names, key)) == 1:
            content = self._group(key, value, inner)
            pairs = content.pairs[1:] if content else []
            return [(_key(f"{self.row}.{player[0] + 1}.{name}", name), part) for name, part in pairs]
        printed = dict(inner._inner_labels())
        match = inner.enter([printed.get(bare(key), key)])
        field = printed.get(bare(key)) or (match[0] if match and not match[2] else "")
        marks = self._of_players(value, names) if field else None
        return [(_key(f"{self.row}.{player}.{field}", key), mark) for player, mark in marks or ()]

    # ---- tallies: one line for each game -----------------------------------------------------------------------------

    def _typed_games(self, data: Typed) -> tuple[Pairs, set[str]]:
        """The marks of games typed as one line for all players, such as `3: Ann` or `Game 3: {Ann: 9, Ben: 4}`, and the
        keys of these lines. Numbers alone may also number the players: they are games if the players are listed
        elsewhere, or if a name is there twice."""
        typed = {key: games for key, value in data.pairs if (games := self._numbered_games(key, value))}
        names = self._names(Typed([(key, value) for key, value in data.pairs if key not in typed], data.place))
        pairs: Pairs = []
        if not names:
            winners = [value for games in typed.values() for value in games.values() if isinstance(value, Scalar)]
            won: dict[str, Scalar] = {}
            winners = [name for name in winners if not (name.blank or is_nothing(name))]
            for name in winners:
                won.setdefault(comparable(name), name)
            if len(won) == len(winners) and all(key.isdecimal() for key in typed):
                return [], set()
            names = [*won]
            pairs = [(_key(f"{self.row}.{n}.name", name), name) for n, name in enumerate(won.values(), 1)]
        taken: set[str] = set()
        for key, games in typed.items():
            marks = {number: self._of_players(value, names) for number, value in games.items()}
            if None not in marks.values():
                taken.add(key)
                pairs += [
                    (_key(f"{self.row}.{player}.{self.games}.{number}", key), mark)
                    for number, by_player in marks.items()
                    for player, mark in by_player or ()
                ]
        return (pairs, taken) if taken else ([], set())

    def _numbered_games(self, key: Scalar, value: Node) -> dict[int, Node]:
        """The games that were typed under a key, by their numbers."""
        inner = inner_fields(self.players) if self.players else None
        match = None if inner is None or key.isdecimal() else inner.enter([key])
        if match and match[0] == self.games and not match[2]:
            listed = (
                enumerate(value, 1) if isinstance(value, Listing) else value.pairs if isinstance(value, Typed) else ()
            )
            return {int(number): game for number, game in listed if str(number).isdecimal() and len(str(number)) < 4}
        number = key if key.isdecimal() else match[2][0] if match and match[0] == self.games else ""
        return {int(number): value} if number and len(number) < 4 else {}

    def _of_players(self, value: Node, names: list[str]) -> list[tuple[int, Node]] | None:
        """The mark of each player in one game; None if the value does not say whose the marks are."""
        if isinstance(value, Scalar):
            if value.blank or is_nothing(value):
                return []
            pieces = [Scalar(piece, value.place) for piece in _BETWEEN_PLAYERS.split(value)]
            pieces = (
                pieces
                if len(pieces) > 1 or matching(names, value)
                else [Scalar(text, value.place) for text in value.split()]
            )
            value = Listing(pieces, value.place)
        pairs = value.pairs if isinstance(value, Typed) else []
        for piece in value if isinstance(value, Listing) else ():
            if not isinstance(piece, Scalar):
                return None
            name, _, mark = piece.rpartition(" ")
            whole = len(matching(names, piece)) == 1
            pairs.append(
                (piece, Scalar("x", piece.place))
                if whole
                else (Scalar(name.rstrip(" :"), piece.place), Scalar(mark, piece.place))
            )
        players = [matching(names, name) if name else [] for name, _ in pairs]
        if all(len(found) == 1 for found in players):
            return [(found[0] + 1, mark) for found, (_, mark) in zip(players, pairs, strict=True)]
        in_order = isinstance(value, Listing) and len(value) == len(names) and not any(players)
        return [*enumerate(value, 1)] if in_order else None

    # ---- lines and columns -------------------------------------------------------------------------------------------

    def _line(self, key: Scalar, value: Node, names: list[str]) -> Pairs:
        """A line of the paper across the columns of the players, or of the only player."""
        field = self._field_by_player(key)
        if not field and self.has_groups and (across := self._across(key, value, names)):
            return across
        if not field and self.has_groups and matching_keys({self.title: self.row}, key):
            return self._players(_key(self.row, key), value)  # the title of the sheet as a heading above its players
        player = matching(names, key)
        if len(player) == 1 and isinstance(value, Typed) and any(map(self._round_of_player, value)):
            return self._one_player(key, str(player[0] + 1), value, names)
        if not field or player:
            return [(key, value)]
        if isinstance(value, Typed) and value and all(len(matching(names, name)) == 1 for name in value):
            numbers = [(matching(names, name)[0] + 1, name, inner) for name, inner in value.pairs]
            return [(_key(field.format(number), name), inner) for number, name, inner in numbers]
        return [(_key(field.format(1), key), value)] if len(names) == 1 else [(key, value)]

    def _columns(self, key: Scalar, name: str, value: Typed, names: Sequence[str] = ()) -> Pairs:
        """A line with several rows of the paper, `One by one: {result: …, points: …}`, or several lines of the players,
        `Lines: {Trio: {Ann: …}}`."""
        lines = [line for line in value if not matching(names, line) and self._field_by_player(line)]
        if name in self.by_player and names and len(lines) == len(value):
            return [pair for line, inner in value.pairs for pair in self._line(line, inner, [*names])]
        if "." not in name:
            return [(key, self._by_other_labels(name, value))]
        if not value:
            return [(key, value)]
        if self.columns and all(letter.lower() in self.columns for letter in value):
            return self._lettered(name, value)
        if names and all(len(matching([*names], player)) == 1 for player in value):
            pairs: Pairs = []
            for player, inner in value.pairs:
                rows = self._rows_of_line(name, inner) if isinstance(inner, Typed) and inner else []
                number = matching([*names], player)[0] + 1
                pairs += [(_key(f"{row}.{number}", label), mark) for row, label, mark in rows]
            return pairs if len(pairs) >= len(value) else [(key, value)]
        return [(_key(row, label), mark) for row, label, mark in self._rows_of_line(name, value)] or [(key, value)]

    def _lettered(self, name: str, value: Typed) -> Pairs:
        """Marks by the letters of a grid's columns: the columns themselves, or one mark for each of them."""
        if any(len(inner) > 1 if isinstance(inner, Listing) else len(inner.split()) > 1 for inner in value.values()):
            return [(_key(f"{self.columns[key.lower()]}.{key}", key), inner) for key, inner in value.pairs]
        letters = [*self.columns]
        return [(_key(f"{name}.{letters.index(key.lower()) + 1}", key), inner) for key, inner in value.pairs]

    def _log(self, name: str, value: Node, names: list[str]) -> Node:
        if isinstance(value, Listing):
            return Listing([self._entry(name, entry, names) for entry in value], value.place, value.weight)
        if isinstance(value, Typed):
            pairs = [(key, self._entry(name, entry, names)) for key, entry in value.pairs]
            return Typed(pairs, value.place, value.weight)
        return value

    def _entry(self, name: str, entry: Node, names: list[str]) -> Node:
        """An entry of a log with the player's name under its key: `Ann: {roll: 4}` is `player: Ann, roll: 4`."""
        inner = inner_fields(self._reader(name)) if name in self.logs else None
        if inner is not None and isinstance(entry, Listing) and 0 < len(entry) <= len(inner.specs):
            keys = [_key(field, cell) for field, cell in zip(inner.specs, entry, strict=False)]
            return Typed(zip(keys, entry, strict=True), entry.place, entry.weight)
        if inner is None or not isinstance(entry, Typed) or len(entry) != 1:
            return entry
        ((player, content),) = entry.pairs
        if inner.enter([player]) or (names and not matching(names, player)):
            return entry
        pairs: Pairs = [(_key("player", player), player)]
        if isinstance(content, Typed):
            pairs += content.pairs
        elif isinstance(content, Scalar) and (box := _tick_box(inner.specs, content)):
            pairs.append((_key(box, content), Scalar("x", content.place)))
        else:
            rows = [field for field, spec in inner.specs.items() if spec.count]
            if not rows:
                return entry
            pairs.append((_key(rows[0], player), content))
        return Typed(pairs, entry.place, entry.weight)


def _is_number(text: str) -> bool:
    return text.strip().isdecimal()


def _is_line(text: str, names: list[str]) -> bool:
    """Whether a text has several parts, the first of them a number or the name of a player."""
    first, *rest = text.split() or [""]
    return bool(rest) and (first.rstrip(",").isdecimal() or len(matching(names, first.rstrip(":,"))) == 1)


def _exceeds(reader: Reader, value: Node) -> bool:
    """Whether there are more marks than a field or row has room for."""
    count = len(value) if isinstance(value, Listing) else len(value.split()) if isinstance(value, Scalar) else 0
    return count > (reader.most if isinstance(reader, Row) else 1)


def _key(text: str, typed: Node) -> Scalar:
    return Scalar(text, typed.place)


def _is_short(entry: Any) -> bool:
    return isinstance(entry, list) or (isinstance(entry, dict) and len(entry) == 1)


def _inside(value: Any) -> Iterable[Any]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def _people(value: Node, inner: Fields | None = None, least: int = 1) -> list[tuple[Scalar, Node | None]] | None:
    """The players in a row of names, a list of entries or a mapping by names, with what was typed for each of them;
    None if an entry has no name. Names are separated by commas, or by spaces if there must be at least two."""
    if isinstance(value, Typed):
        return [
            (name, None if isinstance(content, Scalar) and content.blank else content) for name, content in value.pairs
        ]
    if isinstance(value, Scalar):
        names = by_commas(value)
        names = names if len(names) > 1 or least < 2 or value.quoted else value.split()
        return [(Scalar(name, value.place), None) for name in names] if not value.blank else None
    people: list[tuple[Scalar, Node | None]] = []
    for entry in value:
        name, content = _with_lines(entry) if isinstance(entry, Scalar) else _named(entry, inner)
        if name is None:
            return None
        people.append((name, content))
    return people


def _with_lines(entry: Scalar) -> tuple[Scalar, Node | None]:
    """A name, and the lines of cards that are indented below it."""
    name, *lines = entry.split("\n")
    if not lines or not all(map(_CARD_LINE.match, lines)):
        return entry, None
    places = (replace(entry.place, line=entry.place.line + number) for number in range(1, len(lines) + 1))
    cards = [Scalar(line, place) for line, place in zip(lines, places, strict=True)]
    return Scalar(name, entry.place), Listing(cards, cards[0].place)


def _named(entry: Node, inner: Fields | None = None) -> tuple[Scalar | None, Any]:
    """The name of an entry, and the rest: `{name: Ann, cards: […]}` or `Ann: {cards: […]}`."""
    if not isinstance(entry, Typed):
        return None, entry
    keys = [key for key in entry if _NAME.fullmatch(bare(key))]
    if keys and isinstance(entry[keys[0]], Scalar):
        rest = [(key, value) for key, value in entry.pairs if key != keys[0]]
        return entry[keys[0]], Typed(rest, entry.place) if rest else None
    if len(entry) == 1 and inner is not None:
        ((name, content),) = entry.pairs
        if inner.enter([name]) is None and not name.isdecimal() and not isinstance(content, Scalar):
            return name, content
    return None, entry


def _tick_box(specs: Mapping[str, FieldFile], text: str) -> str:
    """The only tick box with this key or label, or for which a dash is printed; empty if there is none."""
    word = bare(text)
    boxes = [name for name, spec in specs.items() if spec.kind == "tick" and spec.count is None]
    if not word:
        return next((name for name in boxes if "–" in specs[name].also), "") if text in DASHES else ""
    return next((name for name in boxes if word in map(bare, (name, specs[name].label, *specs[name].also))), "")
