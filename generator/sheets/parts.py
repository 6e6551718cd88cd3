"""The parts of a score sheet that can be filled in: the fields on paper, and parts that only its game reads; and what
messages call them.

Everything that reads or asks for a sheet works with the same parts: `score`, `fill`, blank sheets and PDF forms.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, TypeAlias, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace

from ..model.game import Asking, FieldFile, SheetFile
from ..model.values import Empty
from ..reading import typed
from ..spelling import ambiguity, bare, comparable, joined, matching, matching_keys
from .marks import DASHES, Value

PartKind: TypeAlias = Literal["mark", "row", "ticks", "grid", "group", "list", "named"]
# The limit of an unlimited list: more entries than anybody writes down.
UNLIMITED = 999


class SheetPart(Struct, frozen=True, eq=False, kw_only=True, dict=True):
    """One part of a sheet, with its own parts in `inner`.

    - `kind`: a `mark` is one value and a `row` up to `most` values; `ticks` are boxes with names; a `grid` has rows of
      marks; a `group` has parts of different kinds. A `list` has up to `most` entries, each with the parts `inner`. A
      `named` part has the single part in `inner` for each player.
    - `spec` says what the marks may be, and `label` what is printed. `card` is true for one of the `cards` in play.
    - Parts that are not `placed` are typed on a line after their keys. One that takes the `rest` ends with the line.
    - `path` leads to the part through the keys of groups, without numbers. An `extra` part is not a field of the sheet
      at all."""

    key: str
    kind: PartKind
    spec: FieldFile
    label: str
    tip: str = ""
    examples: tuple[str, ...] = ()
    inner: tuple[SheetPart, ...] = ()
    most: int = 1
    placed: bool = True
    paper: bool = True
    extra: bool = False
    rest: bool = False
    cards: tuple[str, ...] = ()
    path: str = ""

    @property
    def by(self) -> str:
        """The row of names that the entries belong to."""
        return self.spec.by or ""

    @property
    def tick(self) -> bool:
        return self.spec.kind == "tick"

    @property
    def words(self) -> bool:
        """Whether the mark is a text, which ends where the key of another part begins."""
        return self.kind == "mark" and self.spec.kind == "text"

    @property
    def number(self) -> bool:
        return self.spec.kind == "number"

    @property
    def card(self) -> bool:
        return self.spec.kind == "card"

    @property
    def dice(self) -> bool:
        """Whether each mark is a single digit."""
        return self.spec.kind == "die" and (self.spec.span is None or 0 < self.spec.span.high < 10)

    @property
    def box(self) -> bool:
        """Whether the part is a single box to tick."""
        return self.tick and self.kind == "mark"

    @property
    def yes_or_no(self) -> bool:
        """Whether the part is a single box that is ticked or not, perhaps in a group of its own."""
        return self.box or (self.kind == "ticks" and len(self.inner) == 1)

    @property
    def is_on_a_line(self) -> bool:
        """Whether the whole part is typed on one line."""
        if self.kind not in ("group", "list") or self.extra:
            return self.kind != "grid"
        return (
            any(part.kind in ("mark", "row") and (part.paper or part.placed) for part in self.inner)
            and all(part.kind in ("mark", "row", "ticks", "group") and part.is_on_a_line for part in self.inner)
            and not any(part.kind == "row" and part.by for part in self.inner)
        )

    @property
    def places(self) -> tuple[SheetPart, ...]:
        """The parts that are typed on a line in order, without their keys."""
        return tuple(part for part in self.inner if part.placed and part.kind in ("mark", "row", "ticks"))

    def name_of(self, part: SheetPart) -> str:
        """What a person types before an inner part on a line: its label as printed if that has only letters, otherwise
        its key."""
        is_name = part.label.replace(" ", "").isalpha() and self.find(part.label) == part.key
        return part.label.lower() if is_name else part.key

    @property
    def place_names(self) -> list[str]:
        return [*map(self.name_of, self.places)]

    @property
    def expected(self) -> str:
        """What may be typed, in a few words."""
        if self.kind == "ticks":
            return joined([part.key for part in self.inner], "or")
        if self.kind == "grid":
            alike = {part.expected for part in self.inner}
            return alike.pop() if len(alike) == 1 else ""
        return _expected(self.spec) if self.kind in ("mark", "row") else ""

    # ---- finding a part by what was typed ----------------------------------------------------------------------------

    @cached_property
    def by_key(self) -> dict[str, SheetPart]:
        """The inner parts by their keys. Of two with one key, the one that only the game reads."""
        return {part.key: part for part in self.inner}

    @cached_property
    def boxes(self) -> dict[str, str]:
        """The paths of the boxes of grids, which may be typed without the grid: `a1`."""
        return {box.key: f"{grid.key}.{box.key}" for grid in self.inner if grid.kind == "grid" for box in grid.inner}

    def __getitem__(self, key: str) -> SheetPart:
        return self.by_key[key]

    @cached_property
    def spellings(self) -> dict[str, str]:
        """The paths of the inner parts by the bare spellings of their keys and labels. A label in a group that does not
        repeat may be typed without the group, if it is unique: `total` is `claimed.total`."""
        inside: dict[str, set[str]] = {}
        for label, path in self._labels_inside():
            inside.setdefault(label, set()).add(path)
        unique = {label: paths.pop() for label, paths in inside.items() if len(paths) == 1}
        labels = dict(reversed([*self._labels()]))  # the first part keeps a shared label
        return unique | labels | {bare(part.key): part.key for part in self.inner}

    def _labels(self) -> Iterator[tuple[str, str]]:
        for part in self.inner:
            for label in (part.spec.label, *part.spec.also):
                if label and label not in DASHES:
                    yield bare(label) or label, part.key

    def _labels_inside(self) -> Iterator[tuple[str, str]]:
        for part in self.inner:
            is_found = self.by_key[part.key] is part  # by its key, and not the part of the game with the same key
            if part.kind in ("group", "ticks", "grid") and is_found and not part.by and not part.extra:
                for label, path in (*part._labels(), *part._labels_inside()):
                    yield label, f"{part.key}.{path}"

    @cached_property
    def namesakes(self) -> dict[str, str]:
        """The parts whose keys are labels inside other parts, too, with the paths of those: the purple die that is
        ticked, and that of a throw; the games that a player has won, and their number, “Wins”."""
        inside = dict(self._labels_inside())
        return {part.key: inside[bare(part.key)] for part in self.inner if bare(part.key) in inside}

    def find(self, key: str, whole: bool = True) -> str:
        """The path of the inner part with this key or printed label, in either case and with - or _; empty if there is
        none. Unless it must be `whole`, its singular or plural or a clear beginning is enough."""
        path = key if key in self.by_key else self.spellings.get(bare(key) or key.strip(), "")
        if not path and not whole:
            paths = matching_keys(self.spellings, key)
            path = paths[0] if paths and len({*paths, *self.inside_groups(bare(key))}) == 1 else ""
        return path

    def inside_groups(self, key: str) -> list[str]:
        """The paths of the parts of groups that have this bare key: of `three` and `threes`, neither may be guessed."""
        groups = [part for part in self.inner if part.kind == "group" and not part.by and not part.extra]
        return [f"{group.key}.{part.key}" for group in groups for part in group.inner if bare(part.key) == key]

    def on_a_line(self, key: str, whole: bool = True) -> SheetPart | None:
        """The inner part whose key begins a piece of a line; for a label in a group with a single mark, the group."""
        path = self.find(key, whole)
        group, _, inner = path.partition(".")
        return self[group] if path and (not inner or len(self[group].inner) == 1) else None

    def at(self, path: str) -> SheetPart:
        """The part at a path of keys."""
        part = self
        for key in path.split("."):
            part = part.by_key[key]
        return part

    @cached_property
    def single(self) -> SheetPart:
        """One entry of a list, or one mark of a row."""
        return replace(self, kind="group" if self.kind == "list" else "mark", extra=False)


def _expected(spec: FieldFile) -> str:
    if spec.kind == "choice":
        return joined(spec.choices, "or") if len(spec.choices) < 9 else ""
    if spec.kind == "die":
        return f"{spec.span.low} to {spec.span.high}" if spec.span else "1 to 6"
    if spec.kind == "number":
        return f"{spec.span.low} to {spec.span.high}".replace("-", "−") if spec.span else "a number"
    return "x or blank" if spec.kind == "tick" else ""


# ---- rows of names, such as the players: `claimed: {Ann: 9}` is `claimed.1` on paper ----


class Names(Struct, frozen=True):
    """One row of names, by their numbers."""

    row: str
    by_number: Mapping[int, str]

    @property
    def listed(self) -> list[str]:
        return [*self.by_number.values()]

    def name(self, number: int) -> str:
        return self.by_number.get(number) or f"player {number}"

    def number(self, text: str) -> int | None:
        """The number of the name that a text matches; None if it matches none or several."""
        matches = matching(self.listed, text)
        distinct = {comparable(self.listed[index]) for index in matches}  # of two namesakes, the first
        return [*self.by_number][matches[0]] if len(distinct) == 1 else None

    def match(self, text: str) -> str | None:
        """The name that a text matches; None if it matches none or several."""
        number = self.number(text)
        return None if number is None else self.by_number[number]

    def ambiguity(self, text: str) -> str:
        """The message that a text matches several names; empty if it matches one or none."""
        return ambiguity(self.listed, text)


def listing_rows(definition: SheetFile) -> list[str]:
    """The keys of the rows that other fields refer to."""
    return list(dict.fromkeys(spec.by for top in definition.fields.values() for spec in _within(top) if spec.by))


def _within(spec: FieldFile) -> Iterator[FieldFile]:
    yield spec
    for inner in (spec.fields or {}).values():
        yield from _within(inner)


# ---- making the parts ------------------------------------------------------------------------------------------------


def parts_of(definition: SheetFile, extra: Mapping[str, Any], asking: Asking, cards: tuple[str, ...] = ()) -> SheetPart:
    """All parts of a sheet as one group, in the order of the questions. `extra` are the annotations of the parts that
    only its game reads."""
    parts = [of_field(key, spec) for key, spec in definition.fields.items()]
    on_paper = {part.key: part for part in parts}
    parts += [
        _of_annotation(key, kind, extra=True)
        for key, kind in extra.items()
        if key not in on_paper or on_paper[key].kind == "ticks"
    ]
    first = {bare(key): number for number, key in enumerate(asking.order)}
    parts.sort(key=lambda part: first.get(bare(part.key), len(first)))
    twins = {part.key for part in parts if part.extra}
    described = (
        part if part.key in twins and not part.extra else _described(part, part.key, asking, cards) for part in parts
    )
    return SheetPart(key="", kind="group", spec=FieldFile(fields=definition.fields), label="", inner=tuple(described))


def _described(part: SheetPart, path: str, asking: Asking, cards: tuple[str, ...]) -> SheetPart:
    """The part with the notes, examples and places that its game gives it and its own parts."""
    inner = tuple(_described(inner, f"{path}.{inner.key}", asking, cards) for inner in part.inner)
    if places := asking.places.get(path):
        inner = tuple(replace(part, placed=part.key in places) for part in inner)
        inner = tuple(sorted(inner, key=lambda part: places.index(part.key) if part.placed else len(places)))
    return replace(
        part,
        inner=inner,
        tip=asking.notes.get(path, part.tip),
        examples=tuple(filter(None, asking.examples.get(path, "").split(", or "))),
        rest=path in asking.rest,
        cards=cards if part.card else (),
        path=path,
    )


def of_field(key: str, spec: FieldFile, extra: bool = False) -> SheetPart:
    """The part for a field, a row or a group in the definition of a score sheet."""
    inner = tuple(of_field(name, part) for name, part in (spec.fields or {}).items())
    kind: PartKind = "mark" if spec.count is None else "row"
    most = spec.most or spec.count or 1
    if spec.repeat is not None:
        kind, most = "list", spec.most or spec.repeat
    elif spec.fields is not None and spec.across:
        kind = "grid"
    elif spec.fields is not None:
        kind = "ticks" if all(part.box for part in inner) else "group"
    label = spec.label or key.replace("_", " ").replace("-", " ").capitalize()
    return SheetPart(
        key=key,
        kind=kind,
        spec=spec,
        label=label,
        tip=spec.tip,
        inner=inner,
        most=most,
        placed=spec.paper,
        paper=spec.paper,
        extra=extra,
    )


def _of_annotation(key: str, kind: Any, extra: bool = False) -> SheetPart:
    """The part that is read by a type annotation (`reading.typed`)."""
    kind = typed.optional(kind)
    inner = typed.optional(get_args(kind)[-1 if get_origin(kind) is dict else 0]) if get_args(kind) else None
    if get_origin(kind) is dict:
        part = _of_annotation(key, inner)
        return replace(part, kind="named", inner=(part,), extra=extra, spec=FieldFile())
    is_list = get_origin(kind) is tuple
    entry = inner if is_list else kind
    if typed.is_record(entry):
        spec = FieldFile(fields={}, repeat=UNLIMITED if is_list else None)
        parts = tuple(_of_annotation(name.rstrip("_"), hint) for name, hint in typed.keys(entry).items())
        return replace(of_field(key, spec, extra), kind="list" if is_list else "group", inner=parts)
    mark: Any = {bool: "tick", int: "number", str: "text"}.get(kind)
    return of_field(key, FieldFile(kind=mark, count=UNLIMITED if is_list else None), extra)


# ---- fields in words: `turns.1.roll` becomes `Ann, turn 1: roll` -----------------------------------------------------


def words(
    sheet: SheetFile,
    field: str,
    people: Mapping[str, str],
    before_name: str = ": ",
    marks: Mapping[str, Value] = Empty,
) -> str:
    """The words for a field or part of a sheet: whose it is and the entries it is in, then, after `before_name`, its
    own name, as printed. `people` are the players by the ids of their entries. An entry for a card is called by the
    number of the card, if it is among the `marks`."""
    person, entries, names = "", list[str](), list[str]()
    fields: Mapping[str, FieldFile] = sheet.fields
    path, steps = "", field.split(".")
    while steps:
        key = steps.pop(0)
        spec, path = fields.get(key), f"{path}.{key}".lstrip(".")
        is_list = spec is None or spec.repeat is not None or spec.count is not None
        number = steps.pop(0) if steps and (is_list or steps[0].isdecimal()) else ""
        path = f"{path}.{number}".rstrip(".")
        is_player = spec is not None and (key == sheet.players or spec.by is not None)
        is_name = field in (f"{path}.name", f"{path}.player") or (spec is not None and not spec.fields and not spec.by)
        owner = people.get(path, "") if number and not is_name else ""
        person = owner or person
        if owner and (is_player or not number.isdecimal()):
            if spec and not spec.fields:
                names.append(_label(key, spec))
            elif path == field and key != sheet.players:
                names.append(key.replace("_", " "))
        elif number:
            (names if spec and not spec.fields else entries).append(
                _entry(key, _card(path, spec, marks) or number, spec)
            )
        elif path == field:
            names.append(key.replace("_", " ") if is_list else _label(key, spec))
        elif not (spec and spec.across):
            entries.append(_noun(key, spec))
        fields = (spec.fields if spec else None) or {}
    parts = (", ".join(filter(None, (person, *entries))), " ".join(names))
    return before_name.join(filter(None, parts))


def _card(entry: str, spec: FieldFile | None, marks: Mapping[str, Value]) -> str:
    """The number printed on the card that an entry is about; `entry 2` if it is not known, empty for other entries."""
    first, about = next(iter(((spec and spec.fields) or {}).items()), ("", None))
    if about is None or about.kind != "card" or about.count is not None:
        return ""
    return str(marks.get(f"{entry}.{first}") or f"entry {entry.rpartition('.')[2]}")


def _label(key: str, spec: FieldFile | None) -> str:
    """The label as printed: a single word in lower case unless it is an abbreviation, several words in quotation marks;
    the key if there is no label."""
    label = spec.label if spec else ""
    if " " in label:
        return f"“{label}”"
    return (label if label[1:2].isupper() else label.lower()) or key.replace("_", " ")


def _entry(key: str, number: str, spec: FieldFile | None) -> str:
    """One entry of a list or row: `turn 3`, `card 3`, `log entry 3`."""
    noun = _noun(key if spec or key.endswith("s") else f"{key} entry", spec)
    if noun.endswith("s") and not noun.endswith(("ss", "us")):
        noun = noun[:-3] + "y" if noun.endswith("ies") else noun[:-1]
    return f"{noun} {number}"


def _noun(key: str, spec: FieldFile | None) -> str:
    """The label without quotation marks, in lower case unless it is an abbreviation."""
    noun = _label(key, spec).strip("“”")
    return noun if noun[1:2].isupper() else noun[:1].lower() + noun[1:]


def in_words(
    message: str, sheet: SheetFile, keys: Iterable[str], people: Mapping[str, str], marks: Mapping[str, Value] = Empty
) -> str:
    """A message with words in place of the ids of fields, except in quotations. `keys` are what ids begin with. A key
    alone is replaced only where the message begins with what is wrong with it; elsewhere it may be an ordinary word."""
    key = "|".join(map(re.escape, keys))
    ids = re.compile(rf"“[^”]*”|(?<![\w.-])(?:{key})(?:\.[\w-]+)+|^(?:{key})(?= (?:must|takes|is given|has) |: “)")

    def replaced(match: re.Match[str]) -> str:
        if match[0].startswith("“"):
            return match[0]
        is_label = match.string[match.end() : match.end() + 1] == ":"
        return words(sheet, match[0], people, ", " if is_label else ": ", marks)

    return ids.sub(replaced, message)


# ---- what is printed -------------------------------------------------------------------------------------------------


def printed_words(specs: Mapping[str, FieldFile]) -> Iterator[str]:
    """What stands on the paper for each field: its label, those in a group without a label of its own, or else its key.
    Fields that are not printed come last."""
    for name, spec in sorted(specs.items(), key=lambda field: not field[1].paper):
        if spec.fields and not spec.label and spec.repeat is None:
            yield from printed_words(spec.fields)
        else:
            yield spec.label or name


def parts_in_words(specs: Mapping[str, FieldFile]) -> Iterator[str]:
    """The words for the fields of a group, each followed by those for its own parts in brackets."""
    for name, spec in specs.items():
        parts = f" ({', '.join(printed_words(spec.fields))})" if spec.fields and spec.label else ""
        yield ", ".join(printed_words({name: spec})) + parts
