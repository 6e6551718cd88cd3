"""The parts of a score sheet that can be filled in: the fields on paper, and parts that only its game reads."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import Any, Literal, TypeAlias, get_args, get_origin

from msgspec import Struct
from msgspec.structs import replace

from .. import draws
from ..errors import InputError
from ..games.base import GameRules
from ..model.game import Card, FieldFile, Game, ScoreSheet
from ..reading import typed
from ..sheets import Asking, Reading
from ..spelling import bare as spaced
from ..spelling import matching_keys

ShapeKind: TypeAlias = Literal["mark", "row", "ticks", "grid", "group", "list", "named"]
MANY = 999
"""The limit of an unlimited list: more entries than anybody writes down."""


class Shape(Struct, frozen=True, kw_only=True, dict=True):
    """One part of a sheet, with its own parts in `inner`.

    - `kind`: a `mark` is one value and a `row` up to `most` values; `ticks` are boxes with names; a `grid` has rows of
      `across` marks; a `group` has parts of different kinds. A `list` has up to `most` entries, each with the parts
      `inner`, or one for each name in the row `by`. A `named` part has the single shape in `inner` for each player.
    - `line`: the whole part is typed on one line. Parts that are not `placed` are typed there after their keys.
    - `expected` describes the values of a mark, `choices` lists them, `card` means that it is a card in the game,
      one of the standard `cards`, `number` that it is a number, and `dice` that each mark of a row is a single digit.
    - A mark of `words` ends where another part's key begins; one that takes the `rest` ends with the line.
    - `worst` says how wrong an entry typed on one line is (`GameRules.worst_on_line`).
    - `also` lists other words that are printed for the part.
    - `paper` is False for a field that is not printed; an `extra` part is not a field of the sheet at all.
    """

    key: str
    kind: ShapeKind
    label: str = ""
    tip: str = ""
    expected: str = ""
    examples: tuple[str, ...] = ()
    tick: bool = False
    words: bool = False
    rest: bool = False
    most: int = 1
    inner: tuple[Shape, ...] = ()
    by: str = ""
    across: int = 0
    zero: bool = False
    paper: bool = True
    line: bool = True
    placed: bool = True
    extra: bool = False
    choices: tuple[str, ...] = ()
    card: bool = False
    cards: tuple[str, ...] = ()
    dice: bool = False
    number: bool = False
    also: tuple[str, ...] = ()
    worst: Callable[[Mapping[str, Any]], int | None] | None = None

    @cached_property
    def _spellings(self) -> dict[str, Shape]:
        """The parts by their keys and labels, once one of them was looked for."""
        return {}

    @property
    def yes_or_no(self) -> bool:
        """Whether the part is a single box that is ticked or not."""
        return (self.kind == "mark" and self.tick) or (self.kind == "ticks" and len(self.inner) == 1)

    @property
    def places(self) -> tuple[Shape, ...]:
        """The parts that are typed on a line in order, without their keys."""
        return tuple(part for part in self.inner if part.placed and part.kind in ("mark", "row", "ticks"))

    @property
    def place_names(self) -> list[str]:
        """What a person types before a part of the line: its label as printed if that has only letters, otherwise its
        key."""
        return [part.label.lower() if self._has_typed_label(part) else part.key for part in self.places]

    def _has_typed_label(self, part: Shape) -> bool:
        return part.label.replace(" ", "").isalpha() and self.part(part.label) is part

    @property
    def holds_one_mark(self) -> bool:
        """Whether this is a group with a single mark, which is printed without the group."""
        return self.kind == "group" and len(self.inner) == 1

    def part(self, key: str, whole: bool = True) -> Shape | None:
        """The part with this key or printed label, in either case and with - or _. Unless it must be `whole`, its
        singular or plural or a clear beginning is enough."""
        spellings = self._spellings
        if not spellings:
            spellings |= {spaced(part.inner[0].label): part for part in self.inner if part.holds_one_mark}
            spellings |= {spaced(label): part for part in self.inner for label in (*part.also, part.label)}
            spellings |= {spaced(part.key): part for part in self.inner}
        found = spellings.get(spaced(key)) if spaced(key) else None
        if found is None and not whole:
            names = matching_keys({spelling: part.key for spelling, part in spellings.items()}, key)
            found = next(part for part in self.inner if part.key == names[0]) if len(names) == 1 else None
        return found


class Form(Struct, frozen=True, dict=True):
    """A sheet to fill in: its game (`named` is how the file names it), and its parts in the order of the questions."""

    game: Game
    sheet: ScoreSheet
    reading: Reading
    asking: Asking
    rules: GameRules[Any]
    named: str
    shapes: tuple[Shape, ...]

    @cached_property
    def in_play(self) -> dict[tuple[Shape, tuple[Shape, ...], tuple[str, ...]], Shape]:
        """Parts without what is not in play, by the part, what is left out and the players' names."""
        return {}

    @property
    def heading(self) -> dict[str, str]:
        """The first keys of the file: the game, and the sheet unless it is the game's default one."""
        heading = {"game": self.named}
        if self.reading.selects:
            heading[self.reading.selects] = self.sheet.name
        elif self.sheet.name != self.game.judged:
            heading["sheet"] = self.sheet.name
        return heading

    @property
    def other_sheets(self) -> tuple[str, ...]:
        """The names of the game's other score sheets."""
        return tuple(name for name in self.game.sheets if name != self.sheet.name)

    def with_cards(self, shape: Shape, path: str, typed_codes: Iterable[str]) -> Shape:
        """The shape of a part whose entries are compared with the cards in play: those of the first set code that is
        typed on the sheet, or else the standard ones."""
        if _has_numbers_on_cards(shape):
            worst = partial(self.rules.worst_on_line, path, self.game, self._cards(typed_codes))
            return replace(shape, worst=worst)
        inner = tuple(self.with_cards(part, f"{path}.{part.key}", typed_codes) for part in shape.inner)
        return replace(shape, inner=inner) if inner else shape

    def _cards(self, typed_codes: Iterable[str]) -> Mapping[str, Card]:
        for text in typed_codes:
            with suppress(InputError):
                return self.reading.cards(self.game, draws.parse(text, prefix=self.game.definition.prefix))
        return self.reading.cards(self.game, None)

    @property
    def unprinted(self) -> list[Shape]:
        """The fields that are not on the paper, such as set codes."""
        return [shape for shape in self.shapes if not shape.paper and not shape.extra]

    @property
    def players(self) -> Shape | None:
        """The part with the players' names: a group for each of them, a row, or the name of the only one."""
        listed_by = sorted({part.by for shape in self.shapes for part in (shape, *shape.inner) if part.by})
        keys = [self.sheet.definition.players or "players", *listed_by, "player", "name"]
        return next((shape for key in keys for shape in self.shapes if shape.key == key), None)


def form(game: Game, sheet: ScoreSheet, rules: GameRules[Any], named: str, typed_codes: Iterable[str] = ()) -> Form:
    """The form of a sheet, with everything that can be filled in. `rules` are those of the game if they cover the
    sheet. `typed_codes` are the set codes on the sheet, if it is filled in already."""
    covered = rules.covers(sheet)
    asking = rules.asking() if covered else Asking()
    if asking == Asking():
        asking = sheet.definition.questions
    reading = rules.reading_of(sheet) if covered else Reading(cards=rules.reading.cards)
    by_name = {bare(key): kind for key, kind in reading.extra.items() if get_origin(typed.optional(kind)) is dict}
    shapes = [
        of_annotation(key, by_name[bare(key)]) if spec.repeat and bare(key) in by_name else of_field(key, spec)
        for key, spec in sheet.definition.fields.items()
    ]
    on_paper = {bare(shape.key): shape for shape in shapes}
    shapes += [
        of_annotation(key, kind, extra=True)
        for key, kind in reading.extra.items()
        if bare(key) not in on_paper or on_paper[bare(key)].kind == "ticks"
    ]
    first = {bare(key): number for number, key in enumerate(asking.order)}
    shapes.sort(key=lambda shape: first.get(bare(shape.key), len(first)))
    twins = {shape.key for shape in shapes if shape.extra}
    cards = tuple(reading.cards(game, None)) if any(map(_has_card_rows, shapes)) else ()
    described = tuple(
        shape if shape.key in twins and not shape.extra else _described(shape, shape.key, asking, cards)
        for shape in shapes
    )
    result = Form(game, sheet, reading, asking, rules, named, described)
    return replace(result, shapes=tuple(result.with_cards(shape, shape.key, typed_codes) for shape in described))


def bare(key: str) -> str:
    return key.strip().lower().replace("_", "-")


def _has_numbers_on_cards(shape: Shape) -> bool:
    """Whether the entries are cards with single dice and rows of dice on them."""
    kinds = {part.kind for part in shape.inner if part.dice}
    return bool(shape.inner) and shape.inner[0].card and kinds == {"mark", "row"}


def _has_card_rows(shape: Shape) -> bool:
    return (shape.card and shape.kind == "row") or any(map(_has_card_rows, shape.inner))


def _described(shape: Shape, path: str, asking: Asking, cards: tuple[str, ...]) -> Shape:
    """The shape with the notes, examples and places that its game gives it and its parts."""
    inner = tuple(_described(part, f"{path}.{part.key}", asking, cards) for part in shape.inner)
    places = asking.places.get(path)
    if places:
        inner = tuple(replace(part, placed=part.key in places) for part in inner)
        inner = tuple(sorted(inner, key=lambda part: places.index(part.key) if part.placed else len(places)))
    return replace(
        shape,
        inner=inner,
        tip=asking.notes.get(path, shape.tip),
        examples=tuple(filter(None, asking.examples.get(path, "").split(", or "))),
        rest=path in asking.rest,
        cards=cards if shape.card else (),
    )


# ---- fields on paper -------------------------------------------------------------------------------------------------


def of_field(key: str, spec: FieldFile) -> Shape:
    """The shape of a field, a row or a group in the definition of a score sheet."""
    label = spec.label or key.replace("_", " ").replace("-", " ").capitalize()
    common: dict[str, Any] = {
        "key": key,
        "label": label,
        "tip": spec.tip,
        "by": spec.by or "",
        "paper": spec.paper,
        "zero": spec.zero,
        "placed": spec.paper,
        "also": spec.also,
        "number": spec.kind == "number",
    }
    if spec.fields is None:
        return Shape(
            kind="mark" if spec.count is None else "row",
            most=spec.count or 1,
            expected=expected(spec),
            tick=spec.kind == "tick",
            words=spec.kind == "text",
            choices=spec.choices,
            card=spec.kind == "card",
            dice=spec.kind == "die" and (spec.span is None or 0 < spec.span.high < 10),
            **common,
        )
    inner = tuple(of_field(name, part) for name, part in spec.fields.items())
    if spec.repeat is not None:
        return Shape(kind="list", most=spec.most or spec.repeat, inner=inner, line=_on_a_line(inner), **common)
    if spec.across:
        alike = {part.expected for part in inner}
        return Shape(
            kind="grid",
            across=spec.across,
            inner=inner,
            expected=alike.pop() if len(alike) == 1 else "",
            line=False,
            **common,
        )
    if all(part.kind == "mark" and part.tick for part in inner):
        return Shape(kind="ticks", inner=inner, expected=listed([part.key for part in inner]), **common)
    return Shape(kind="group", inner=inner, line=_on_a_line(inner), **common)


def _on_a_line(parts: tuple[Shape, ...]) -> bool:
    """Whether the parts can be typed together on one line: some marks, and groups of marks."""
    return (
        any(part.kind in ("mark", "row") and part.paper for part in parts)
        and all(part.kind in ("mark", "row", "ticks", "group") and part.line for part in parts)
        and not any(part.kind == "row" and part.by for part in parts)
    )


def expected(spec: FieldFile) -> str:
    """What may be typed into a field, in a few words."""
    if spec.kind == "choice":
        return listed(spec.choices) if len(spec.choices) < 9 else ""
    if spec.kind == "die":
        return f"{spec.span.low} to {spec.span.high}" if spec.span else "1 to 6"
    if spec.kind == "number":
        return f"{spec.span.low} to {spec.span.high}".replace("-", "−") if spec.span else "a number"
    return "x or blank" if spec.kind == "tick" else ""


def listed(words: tuple[str, ...] | list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# ---- what only the game reads ----------------------------------------------------------------------------------------


def of_annotation(key: str, kind: Any, extra: bool = False) -> Shape:
    """The shape of a part that is read by a type annotation (`reading.typed`)."""
    kind, label = typed.optional(kind), key.replace("_", " ").capitalize()
    common: dict[str, Any] = {"key": key, "label": label, "extra": extra}
    inner = get_args(kind)[-1] if get_origin(kind) is dict else next(iter(get_args(kind)), None)
    if get_origin(kind) is dict:
        return Shape(kind="named", inner=(of_annotation(key, inner),), **common)
    if get_origin(kind) is tuple and typed.is_record(typed.optional(inner)):
        return Shape(kind="list", most=MANY, inner=tuple(_parts(typed.optional(inner))), **common)
    if get_origin(kind) is tuple:
        return Shape(kind="row", most=MANY, **common)
    if typed.is_record(kind):
        return Shape(kind="group", inner=tuple(_parts(kind)), **common)
    expected = "a number" if kind is int else ""
    return Shape(kind="mark", tick=kind is bool, words=kind is str, expected=expected, **common)


def _parts(kind: Any) -> Iterator[Shape]:
    for name, annotation in typed.keys(kind).items():
        yield of_annotation(name.rstrip("_"), annotation)
