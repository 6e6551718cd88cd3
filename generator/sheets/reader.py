"""Nodes of one document → FilledSheet, along the tree of fields of the score sheet; every problem at once."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from .. import codes
from ..definitions import nodes
from ..definitions.models import Empty, FieldFile, Game, ScoreSheet
from ..definitions.nodes import Listing, Node, Scalar
from ..errors import InputError, Place, Problem, did_you_mean, fault
from . import marks
from .extras import extra
from .grids import keyed
from .names import read_names
from .nouns import FilledSheet, Reading
from .written import Written

HEADING = ("game", "sheet")
_MOST_HINTS = 500
"""How many problems are given a hint: looking for near names takes its time."""


def heading(node: Node, names: Collection[str] = HEADING) -> dict[str, Scalar]:
    """What a document says of itself: `game` and `sheet`, where it does. Raises InputError if it is no mapping."""
    if not isinstance(node, nodes.Mapping):
        raise fault("a filled-in sheet begins with keys, such as game: and players:", node.place)
    found = {bare(key.text): value for key, value in node.pairs if bare(key.text) in names}
    wrong = [value for value in found.values() if not isinstance(value, Scalar)]
    if wrong:
        raise fault("the game and the sheet are named by one word each", wrong[0].place)
    return {name: value for name, value in found.items() if isinstance(value, Scalar) and not value.blank}


def read(node: Node, game: Game, sheet: ScoreSheet, reading: Reading, beside: Mapping[str, str] = Empty) -> FilledSheet:
    """The document as a filled-in `sheet`; raises InputError with everything that cannot be read. `beside` is what was
    said beside the sheet, on the command line."""
    assert isinstance(node, nodes.Mapping)
    reader = _Reader(game=game, sheet=sheet, reading=reading, beside=beside)
    reader.read_code(node)
    reader.names = read_names(node, sheet.definition)
    reader.top(reading.paper(node, reader.problems))
    filled = reader.filled(node.place)
    reader.problems.extend(reading.problems(filled))
    if reader.problems:
        raise InputError(sorted(reader.problems, key=lambda problem: problem.place.line if problem.place else 0))
    return filled


@lru_cache(1 << 10)
def bare(key: str) -> str:
    return key.strip().lower().replace("-", "_")


@dataclass(slots=True, kw_only=True)
class _Reader(Written):
    reading: Reading
    problems: list[Problem] = field(default_factory=list)

    def bad(self, place: Place, message: str, hint: str = "") -> None:
        self.problems.append(Problem(message, place, hint))

    # ---- the set code, before anything that depends on the cards ---------------------------------------------------

    def read_code(self, node: nodes.Mapping) -> None:
        """Fills in the set code, where the sheet has one, and the cards in play."""
        names = {bare(name): name for name, spec in self.sheet.definition.fields.items() if spec.kind == "code"}
        typed = [(names[bare(key.text)], value) for key, value in node.pairs if bare(key.text) in names]
        for name, value in typed:
            if isinstance(value, Scalar) and not value.blank:
                self._one_code(name, value)
        self.code = next(iter(self.codes.values()), None)
        try:
            self.cards = self.reading.cards(self.game, self.code)
        except InputError as error:
            self.problems.extend(Problem(p.message, p.place or typed[0][1].place, p.hint) for p in error.problems)
            self.cards = self.reading.cards(self.game, None)

    def _one_code(self, name: str, value: Scalar) -> None:
        kinds = [about.kind for about in self.game.draws.values() if about.field == name]
        try:
            code = codes.parse(value.text, prefix=self.game.definition.prefix, place=value.place)
        except InputError as error:
            self.problems.extend(error.problems)
            return
        if kinds and code.kind not in kinds:
            wanted = " or ".join(f"a {codes.KINDS[kind]}" for kind in kinds)
            self.bad(value.place, f"the set code {code} names a {codes.KINDS[code.kind]}, and “{name}” is {wanted}")
        else:
            self.codes[name] = code

    # ---- the tree --------------------------------------------------------------------------------------------------

    def top(self, node: nodes.Mapping) -> None:
        for key, value in node.pairs:
            name = bare(key.text)
            if name in self.reading.extra and not self._is_one_mark(name, value):
                self._extra(name, value)
            elif name not in HEADING and name != self.reading.selects:
                self._key(key, key.text.split("."), value, self.sheet.definition.fields, "")

    def _is_one_mark(self, name: str, node: Node) -> bool:
        """Whether a part that a game reads itself has a field on the paper too, and marks were typed for that."""
        spec = next((spec for field, spec in self.sheet.definition.fields.items() if bare(field) == name), None)
        if spec is None or isinstance(node, Scalar):
            return spec is not None
        if not spec.fields or spec.repeat is not None:
            return False
        if isinstance(node, Listing):
            return all(isinstance(entry, Scalar) for entry in node.entries)
        return {bare(key.text) for key, _ in node.pairs} <= {*map(bare, spec.fields)}

    def _group(self, node: Node, spec: FieldFile, prefix: str) -> None:
        fields = spec.fields or {}
        if isinstance(node, Scalar) and node.blank:
            return
        if spec.zero and isinstance(node, Scalar) and node.text == "0":
            self.marks[prefix], self.places[prefix] = 0, node.place
            self._note(f"{prefix}.")
            return
        try:
            node = keyed(node, spec, prefix)
        except InputError as error:
            self.problems.extend(error.problems)
            return
        if not isinstance(node, nodes.Mapping):
            self.bad(node.place, f"{prefix} must be a mapping of {', '.join(fields)}",
                     "or 0 where there is none" if spec.zero else "")
            return
        self.places.setdefault(prefix, node.place)
        for key, value in node.pairs:
            self._key(key, key.text.split("."), value, fields, prefix + ".")

    def _key(self, key: Scalar, path: list[str], node: Node, fields: Mapping[str, FieldFile], prefix: str) -> None:
        name = path[0] if path[0] in fields else next((name for name in fields if bare(name) == bare(path[0])), None)
        if name is None:
            known = [*fields, *HEADING, *self.reading.extra] if not prefix else fields
            inside = f" in {prefix[:-1]}" if prefix else ""
            hint = did_you_mean(_short(path[0]), known) if len(self.problems) < _MOST_HINTS else ""
            self.bad(key.place, f"unknown key “{_short(path[0])}”{inside}", hint)
            return
        self._field(key, path[1:], node, fields[name], prefix + name)

    def _field(self, key: Scalar, path: list[str], node: Node, spec: FieldFile, name: str) -> None:
        many = spec.repeat if spec.fields is not None else spec.count
        if many is not None:
            self._many(key, path, node, spec, name)
        elif spec.fields is None:
            self._single(key, path, node, spec, name)
        elif path:
            self._key(key, path, node, spec.fields, name + ".")
        else:
            self._group(node, spec, name)

    def _single(self, key: Scalar, path: list[str], node: Node, spec: FieldFile, name: str) -> None:
        if path:
            self.bad(key.place, f"unknown field “{_short(key.text)}”", f"{name} is one mark and has no parts")
        else:
            self._mark(node, spec, name)

    # ---- groups that repeat and rows of marks -----------------------------------------------------------------------

    def _many(self, key: Scalar, path: list[str], node: Node, spec: FieldFile, name: str) -> None:
        if path:
            number = path[0] if path[0].isdecimal() else self._number(path[0], spec)
            self._one(key, number, path[1:], node, spec, name)
            return
        self.places.setdefault(name, node.place)
        if isinstance(node, Scalar) and node.blank:
            return
        if isinstance(node, nodes.Mapping) and (spec.by or not (spec.fields and self._is_entry(node))):
            for inner, value in node.pairs:
                number, *rest = self._number(inner.text, spec).split(".")
                self._one(inner, number, rest, value, spec, name)
            return
        for text, entry in self._listed(node, spec):
            self._one(key, text, [], entry, spec, name)

    def _is_entry(self, node: nodes.Mapping) -> bool:
        """Whether the mapping is a single entry typed without its list, and not entries by their numbers."""
        return bool(node.pairs) and not any(key.text.split(".")[0].isdigit() for key, _ in node.pairs)

    def _listed(self, node: Node, spec: FieldFile) -> list[tuple[str, Node]]:
        """The entries with their numbers, as texts. `[1, 3]` for a row of ticks means the first and the third one."""
        entries: list[Node] = node.entries if isinstance(node, Listing) else [node]
        if isinstance(node, Scalar) and spec.fields is None and not node.blank:
            entries = [Scalar(text, node.place) for text in marks.pieces(spec, node.text)]
        texts = [entry.text if isinstance(entry, Scalar) else "" for entry in entries]
        if spec.kind == "tick" and all(map(marks.is_number, texts)):
            return [(text, Scalar("x", entry.place)) for text, entry in zip(texts, entries, strict=True)]
        return [(str(number), entry) for number, entry in enumerate(entries, 1)]

    def _one(self, key: Scalar, text: str, path: list[str], node: Node, spec: FieldFile, name: str) -> None:
        most = (spec.most or spec.repeat or 0) if spec.fields is not None else spec.count or 0
        if spec.by and not text.isdecimal():
            self._no_name(key.place, name, text, spec.by)
            return
        if not text.isdecimal() or not text.isascii() or len(text) > 6 or not 1 <= int(text) <= most:
            if not (isinstance(node, Scalar) and node.blank):
                self.bad(node.place, f"{name} has no number {_short(text)}", f"it has 1 to {most}")
            return
        inner = f"{name}.{int(text)}"
        if spec.by:
            self.people[inner] = self.names[spec.by].name(int(text))
        if spec.fields is None:
            self._single(key, path, node, spec, inner)
        elif path:
            self.places.setdefault(inner, key.place)
            self._key(key, path, node, spec.fields, inner + ".")
        else:
            self._group(node, spec, inner)

    def _number(self, text: str, spec: FieldFile) -> str:
        """The number of the entry that is meant, where it is listed by a name."""
        number = self.names[spec.by].number(text) if spec.by else None
        return text if number is None else str(number)

    def _no_name(self, place: Place, name: str, text: str, row: str) -> None:
        known = self.names[row].by_number.values()
        self.bad(place, f"{name}: “{_short(text)}” is not one of the {row}",
                 did_you_mean(_short(text), known) or f"name them first, in {row}: [...]")

    # ---- single marks ----------------------------------------------------------------------------------------------

    def _mark(self, node: Node, spec: FieldFile, name: str) -> None:
        if not isinstance(node, Scalar):
            self.bad(node.place, f"{name} takes one value, not a {'list' if isinstance(node, Listing) else 'mapping'}")
            return
        if node.blank:
            self.blanks.add(name)
            return
        if name in self.marks:
            self.bad(node.place, f"{name} is given twice", f"first in line {self.places[name].line}")
            return
        try:
            found = marks.value(spec, node.text, self.cards)
        except marks.MarkError as wrong:
            self.bad(node.place, f"{name} must be {wrong.wanted}, not “{_short(node.text)}”", wrong.hint)
            return
        if spec.by and spec.kind == "text":
            found = self.names[spec.by].meant(node.text)
            if found is None:
                self._no_name(node.place, name, node.text, spec.by)
        if found is not None:
            self.marks[name], self.places[name] = found, node.place
            self._note(name)

    def _note(self, name: str) -> None:
        """Remembers the entries and the row that the mark lies in."""
        parts = name.split(".")
        for i, part in enumerate(parts):
            if part.isdigit():
                inside = self.rows if i == len(parts) - 1 else self.groups
                numbers = inside.setdefault(".".join(parts[:i]), [])
                if int(part) not in numbers:
                    numbers.append(int(part))

    # ---- what the game reads itself --------------------------------------------------------------------------------

    def _extra(self, name: str, node: Node) -> None:
        if isinstance(node, Scalar) and node.blank:
            return
        if name in self.extra:
            self.bad(node.place, f"{name} is given twice")
            return
        made = extra(name, node, self.reading.extra[name])
        self.extra[name] = made.value
        self.places.update((where, place) for where, place in made.places.items() if where not in self.marks)
        self.people.update(made.people)
        self.problems.extend(made.problems)


def _short(text: str) -> str:
    """A typed text as messages repeat it: without what a terminal would obey, and not endless."""
    shown = "".join(letter if letter.isprintable() else "�" for letter in text)
    return shown if len(shown) <= 40 else shown[:39] + "…"
