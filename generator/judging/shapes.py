"""What can be typed on a score sheet, part by part: the fields of its paper and what its game reads beside them."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args, get_origin

from ..definitions import typed
from ..definitions.models import FieldFile, Game, ScoreSheet
from ..errors import Place
from ..sheets import Asking, Reading

ShapeKind: TypeAlias = Literal["mark", "row", "ticks", "grid", "group", "list", "named"]
MANY = 999
"""As many as are wanted: more than anybody writes down."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Shape:
    """One part of a sheet, with its parts (`inner`).

    A `mark` is one value, a `row` up to `most` of them, `ticks` are named and ticked, a `grid` has its marks in rows of
    `across`, a `group` parts of different kinds. A `list` has up to `most` entries with the parts `inner`, or one for
    each name in the row `by`; a `named` part has the only shape in `inner` for each player. What is typed on one `line`
    needs no lines for its parts; a part that is not `placed` is typed there with its key. `wanted` says what a mark may
    be; a mark of `words` ends where another part's key begins, one that takes the `rest` only with the line. An `extra`
    part has no place on the paper's tree of fields.
    """

    key: str
    kind: ShapeKind
    label: str = ""
    tip: str = ""
    wanted: str = ""
    example: str = ""
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

    @property
    def yes_or_no(self) -> bool:
        """Whether the part is a single box that is ticked or not."""
        return self.kind == "mark" and self.tick

    @property
    def places(self) -> tuple[Shape, ...]:
        """The parts that are typed on a line one after the other."""
        return tuple(part for part in self.inner if part.placed and part.kind in ("mark", "row", "ticks"))

    def part(self, key: str) -> Shape | None:
        """The part with this key, typed in either case and with - or _."""
        return next((part for part in self.inner if bare(part.key) == bare(key)), None)


@dataclass(frozen=True, slots=True)
class Form:
    """A sheet to be filled in: its game, which is called `named` in the file, and its parts in the order of asking."""

    game: Game
    sheet: ScoreSheet
    reading: Reading
    asking: Asking
    named: str
    shapes: tuple[Shape, ...]

    @property
    def heading(self) -> dict[str, str]:
        """What the file says of itself: the game, and the sheet where it is not the one that is meant without."""
        said = {"game": self.named}
        if self.reading.selects:
            said[self.reading.selects] = self.sheet.name
        elif self.sheet.name != self.game.judged:
            said["sheet"] = self.sheet.name
        return said

    @property
    def players(self) -> Shape | None:
        """The part with the players' names: a group for each of them, a row, or the name of the only one."""
        listed_by = sorted({part.by for shape in self.shapes for part in (shape, *shape.inner) if part.by})
        keys = [self.sheet.definition.players or "players", *listed_by, "player", "name"]
        return next((shape for key in keys for shape in self.shapes if shape.key == key), None)


def form(game: Game, sheet: ScoreSheet, reading: Reading, asking: Asking, named: str) -> Form:
    """The sheet with all that can be typed on it."""
    by_name = {bare(key): kind for key, kind in reading.extra.items() if get_origin(typed.optional(kind)) is dict}
    found = [
        of_annotation(key, by_name[bare(key)]) if spec.repeat and bare(key) in by_name else of_field(key, spec)
        for key, spec in sheet.definition.fields.items()
    ]
    on_paper = {bare(shape.key): shape for shape in found}
    found += [
        of_annotation(key, kind, extra=True)
        for key, kind in reading.extra.items()
        if bare(key) not in on_paper or on_paper[bare(key)].kind == "ticks"
    ]
    first = {bare(key): number for number, key in enumerate(asking.order)}
    found.sort(key=lambda shape: first.get(bare(shape.key), len(first)))
    twins = {shape.key for shape in found if shape.extra}
    return Form(
        game,
        sheet,
        reading,
        asking,
        named,
        tuple(shape if shape.key in twins and not shape.extra else _told(shape, shape.key, asking) for shape in found),
    )


def bare(key: str) -> str:
    return key.strip().lower().replace("_", "-")


def _told(shape: Shape, path: str, asking: Asking) -> Shape:
    """The shape with what its game says about it and its parts."""
    inner = tuple(_told(part, f"{path}.{part.key}", asking) for part in shape.inner)
    places = asking.places.get(path)
    if places:
        inner = tuple(replace(part, placed=part.key in places) for part in inner)
        inner = tuple(sorted(inner, key=lambda part: places.index(part.key) if part.placed else len(places)))
    return replace(
        shape,
        inner=inner,
        tip=asking.notes.get(path, shape.tip),
        example=asking.examples.get(path, ""),
        rest=path in asking.rest,
    )


# ---- the paper ------------------------------------------------------------------------------------------------------


def of_field(key: str, spec: FieldFile) -> Shape:
    """A field, a row or a group of the definition of a score sheet."""
    label = spec.label or key.replace("_", " ").replace("-", " ").capitalize()
    told: dict[str, Any] = {
        "key": key,
        "label": label,
        "tip": spec.tip,
        "by": spec.by or "",
        "paper": spec.paper,
        "zero": spec.zero,
        "placed": spec.paper,
    }
    if spec.fields is None:
        return Shape(
            kind="mark" if spec.count is None else "row",
            most=spec.count or 1,
            wanted=wanted(spec),
            tick=spec.kind == "tick",
            words=spec.kind == "text",
            choices=spec.choices,
            card=spec.kind == "card",
            **told,
        )
    inner = tuple(of_field(name, part) for name, part in spec.fields.items())
    if spec.repeat is not None:
        return Shape(kind="list", most=spec.most or spec.repeat, inner=inner, line=_on_a_line(inner), **told)
    if spec.across:
        alike = {part.wanted for part in inner}
        return Shape(
            kind="grid",
            across=spec.across,
            inner=inner,
            wanted=alike.pop() if len(alike) == 1 else "",
            line=False,
            **told,
        )
    if all(part.kind == "mark" and part.tick for part in inner):
        return Shape(kind="ticks", inner=inner, wanted=listed([part.key for part in inner]), **told)
    return Shape(kind="group", inner=inner, line=_on_a_line(inner), **told)


def _on_a_line(parts: tuple[Shape, ...]) -> bool:
    """Whether the parts fit on one line together: some marks, and groups of marks that are seldom wanted."""
    return (
        any(part.kind in ("mark", "row") and part.paper for part in parts)
        and all(part.kind in ("mark", "row", "ticks", "group") and part.line for part in parts)
        and not any(part.kind == "row" and part.by for part in parts)
    )


def wanted(spec: FieldFile) -> str:
    """What may be written into a field, in a few words."""
    if spec.kind == "choice":
        return listed(spec.choices) if len(spec.choices) < 9 else f"{', '.join(spec.choices[:3])} … {spec.choices[-1]}"
    if spec.kind == "die":
        return f"{spec.span.low} to {spec.span.high}" if spec.span else "1 to 6"
    if spec.kind == "number":
        return f"{spec.span.low} to {spec.span.high}".replace("-", "−") if spec.span else "a number"
    return "x or nothing" if spec.kind == "tick" else ""


def listed(words: tuple[str, ...] | list[str]) -> str:
    return " or ".join(filter(None, (", ".join(words[:-1]), words[-1])))


# ---- what a game reads beside it -------------------------------------------------------------------------------------


def of_annotation(key: str, kind: Any, extra: bool = False) -> Shape:
    """A part that is read by an annotation (`definitions.typed`)."""
    kind, label = typed.optional(kind), key.replace("_", " ").capitalize()
    told: dict[str, Any] = {"key": key, "label": label, "extra": extra}
    inner = get_args(kind)[-1] if get_origin(kind) is dict else next(iter(get_args(kind)), None)
    if get_origin(kind) is dict:
        return Shape(kind="named", inner=(of_annotation(key, inner),), **told)
    if get_origin(kind) is tuple and dataclasses.is_dataclass(typed.optional(inner)):
        return Shape(kind="list", most=MANY, inner=tuple(_parts(typed.optional(inner))), **told)
    if get_origin(kind) is tuple:
        return Shape(kind="row", most=MANY, **told)
    if dataclasses.is_dataclass(kind):
        return Shape(kind="group", inner=tuple(_parts(kind)), **told)
    return Shape(kind="mark", tick=kind is bool, words=kind is str, wanted="a number" if kind is int else "", **told)


def _parts(kind: Any) -> Iterator[Shape]:
    for name, annotation in typed.hints(kind).items():
        if typed.optional(annotation) is not Place:
            yield of_annotation(name.rstrip("_"), annotation)
