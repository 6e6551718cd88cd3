"""Reads the components of a game, and expands a score sheet into its fields."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from itertools import islice
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from .. import limits, nodes, paths
from ..errors import Place, Problem, collecting, did_you_mean, fault, listed, refuse, shortened
from ..model.columns import ColumnFile
from ..model.game import (
    Card,
    CardsFile,
    Component,
    ComponentFile,
    DiceFile,
    DrawFile,
    Field,
    FieldFile,
    ScoreSheet,
    SetsFile,
    SheetFile,
    TableFile,
)
from ..model.values import MAX_SIZE, FileName, Raw, Size, length
from ..nodes import Node, plain
from ..spelling import comparable, joined
from ..tables.grid import cards_in_json
from . import card_tables, typed
from .sizes import card_size

T = TypeVar("T")


def score_sheet(name: str, definition: SheetFile) -> ScoreSheet:
    """Expands groups, rows and repetitions into fields by id, in reading order; raises InputError."""
    problems = [
        problem for key, field in definition.fields.items() for problem in _field_problems(key, field, definition)
    ]
    refuse(problems)
    _check_extent(definition)
    fields = {field.id: field for key, top in definition.fields.items() for field in _expand(key, top, (), definition)}
    return ScoreSheet(name, definition, MappingProxyType(fields))


def _field_problems(key: str, field: FieldFile, sheet: SheetFile) -> Iterator[Problem]:
    if (field.kind is None) == (field.fields is None):
        yield Problem(f"field “{key}” needs either “kind” or “fields”", field.place)
    yield from _useless_keys(f"field “{key}”", field, FieldFile())
    if field.kind == "choice" and not field.choices:
        yield Problem(f"field “{key}” needs “choices”", field.place)
    spellings = Counter(map(comparable, field.choices)) + Counter(["", ".", "~"])
    if wrong := [choice for choice in field.choices if spellings[comparable(choice)] > 1]:
        yield Problem(f"field “{key}” has choices that look alike, or like a blank: {listed(wrong)}", field.place)
    if field.repeat is not None and field.fields is None:
        yield Problem(f"field “{key}” has “repeat” but is not a group", field.place, "use “count” for a row of marks")
    if field.by and (field.by not in sheet.fields or not sheet.fields[field.by].count):
        yield Problem(f"“by” of field “{key}” must name a row of fields; “{field.by}” is not one", field.place)
    for inner_key, inner in (field.fields or {}).items():
        yield from _field_problems(f"{key}.{inner_key}", inner, sheet)


# The kinds of fields and components that a key is for.
_KINDS_WITH = {
    "text number die tick choice code card": "count",
    "number die code": "span",
    "choice": "choices",
    "deck dice pawns": "size",
    "deck pawns page": "cards",
    "deck pawns": "back shape",
    "deck sheet page": "up",
    "sheet page": "margin",
    "sheet": "sheet landscape",
    "box": "panels room decks",
}


def _useless_keys(name: str, file: FieldFile | ComponentFile, default: FieldFile | ComponentFile) -> Iterator[Problem]:
    for kinds, keys in _KINDS_WITH.items():
        for key in keys.split():
            if file.kind not in kinds.split() and getattr(file, key, None) != getattr(default, key, None):
                hint = f"“{key}” is for {joined(kinds.split())}"
                yield Problem(f"{name} is a {file.kind or 'group'}, which has no “{key}”", file.place, hint)


_TERM_LISTS = ("of", "sum", "count", "min", "max", "rising", "falling", "distinct", "equal", "no_gaps", "connected")


def _check_extent(definition: SheetFile) -> None:
    """Raises InputError if a sheet has too many fields or adds too many of them up."""
    numbers = {key: _number_of_fields(field) for key, field in definition.fields.items()}
    fields = sum(numbers.values())
    if fields > limits.FIELDS:
        largest = max(numbers, key=numbers.__getitem__)
        raise fault(
            f"the sheet has {fields:,} fields, each “count” and “repeat” multiplied out; at most {limits.FIELDS:,}",
            definition.fields[largest].place,
            f"“{shortened(largest)}” has most of them",
        )
    parts = (*definition.sums, *definition.score, *definition.checks, *definition.tie_breakers)
    lists = [terms for part in parts for key in _TERM_LISTS if isinstance(terms := getattr(part, key, None), tuple)]
    terms = len(parts) + sum(map(len, lists))
    max_terms = min(limits.TERMS, limits.LOOK_UPS // (fields or 1))
    if terms > max_terms:
        raise fault(
            f"the rules of this sheet have {terms:,} entries; at most {max_terms:,} on a sheet of {fields:,} fields",
            definition.place,
            "use “*” to stand for every number",
        )


def _number_of_fields(field: FieldFile) -> int:
    if field.fields is None:
        return field.count or 1
    return (field.repeat or 1) * sum(map(_number_of_fields, field.fields.values()))


def _expand(prefix: str, field: FieldFile, labels: tuple[str, ...], sheet: SheetFile) -> Iterator[Field]:
    """The fields of a definition. `labels` are those of the groups around them. A row `by` names is labelled
    “Player 1, Total” in tooltips, not “Total 1”."""
    last = field.label or prefix.rpartition(".")[2]
    if not field.paper:
        return
    if field.fields is not None:
        stems = [(f"{prefix}.{number}", f"{last} {number}") for number in range(1, (field.repeat or 0) + 1)]
        for stem, label in stems if field.repeat is not None else [(prefix, field.label)]:
            for key, inner in field.fields.items():
                yield from _expand(f"{stem}.{key}", inner, (*labels, label) if label else labels, sheet)
    elif field.count is None:
        yield _field(prefix, field, (*labels, last), (*labels, last))
    else:
        owner = (sheet.fields[field.by].label or field.by) if field.by else ""
        for number in range(1, field.count + 1):
            own_labels = (*labels, f"{last} {number}")
            yield _field(
                f"{prefix}.{number}", field, own_labels, (*labels, f"{owner} {number}", last) if owner else own_labels
            )


def _field(name: str, field: FieldFile, labels: tuple[str, ...], tip_labels: tuple[str, ...]) -> Field:
    assert field.kind is not None
    tip = ", ".join(tip_labels) + (f": {field.tip}" if field.tip else "")
    return Field(
        id=name,
        kind=field.kind,
        label=", ".join(labels),
        tip=tip,
        span=field.span,
        length=field.length,
        choices=field.choices,
        required=field.required,
    )


# ---- components

PANELS = {
    "tuck": ("front", "back", "left", "right", "top", "bottom"),
    "sleeve": ("front", "back", "left", "right"),
    "band": ("front", "top", "back"),
    "tray": ("floor", "inside", "outside"),
}
"""The panels of each form of box."""
LEAST_ROOM = {
    "tuck": (15.0, 15.0, 4.0),
    "sleeve": (15.0, 15.0, 4.0),
    "band": (15.0, 8.0, 0.5),
    "tray": (30.0, 30.0, 8.0),
}
"""The least width, height and depth of each form of box, in mm; of a tray, the floor and the height of its walls."""
DECKLESS = ("band", "tray")
"""The forms of box that hold no cards."""
# The keys that each kind of component needs.
_NEEDS = {
    "deck": ("cards", "face"),
    "sheet": ("sheet", "face"),
    "booklet": ("text",),
    "dice": ("dice", "face"),
    "box": ("panels",),
    "pawns": ("cards", "face", "back", "size"),
    "board": ("board", "face"),
    "page": ("face",),
}
_HEX = 2 / 3**0.5  # the width of a hexagon from corner to corner, for a width of 1 from side to side


class Sets(Struct, frozen=True):
    """The content of sets.yaml: its plain values, what can be drawn, and its nodes."""

    values: Mapping[str, Any] = MappingProxyType({})
    draws: Mapping[str, DrawFile] = MappingProxyType({})
    file: Node | None = None


_PLAIN_TABLE = TableFile(file=FileName("cards.csv"))


class GameFiles:
    """Reads a game's files and collects the problems of all of them."""

    def __init__(
        self, folder: Path, table: TableFile = _PLAIN_TABLE, columns: Mapping[str, str] = MappingProxyType({})
    ) -> None:
        """`table` says how a table that game.yaml names directly is read, and `columns` what its columns mean."""
        self.folder = folder
        self.problems: list[Problem] = []
        self.drawn: frozenset[str] = frozenset()
        """The components that random draws fill, so that they need no cards of their own."""
        self.table, self.columns = table, columns
        self._opened: list[Path] = []

    def attempt(self, read: Callable[[], T]) -> T | None:
        with collecting(self.problems):
            return read()
        return None

    def path(self, name: str, place: Place | None = None) -> Path:
        path = paths.within(self.folder, name)
        if path is None:
            raise fault(f"“{name}” is outside the game’s folder", place)
        if not paths.is_file(path):
            siblings = [p.name for p in islice(self.folder.iterdir(), limits.FILES_COMPARED) if paths.is_file(p)]
            raise fault(f"no file “{name}” in {paths.display_path(self.folder)}", place, did_you_mean(name, siblings))
        self._opened.append(path)
        return path

    def node(self, name: str, place: Place | None = None) -> Node:
        path = self.path(name, place)
        shown_path = paths.display_path(path)
        read = nodes.json_document if path.suffix.lower() == ".json" else nodes.document
        return read(nodes.read_text(path, shown_path), shown_path)

    def sets(self, name: str) -> Sets:
        """The random sets and the recipes that draw them."""
        node = self.node(name)
        definition = typed.read(node, SetsFile)
        recipes = definition.recipes
        unknown = [
            Problem(f"“{draw_name}” uses an unknown recipe “{recipe}”", draw.place, did_you_mean(recipe, recipes))
            for draw_name, draw in definition.draws.items()
            for recipe in (*draw.recipes, draw.default)
            if recipe is not None and recipe not in recipes
        ]
        refuse(unknown)
        return Sets(plain(node), definition.draws, node)

    def component(self, name: str, part: ComponentFile) -> Component | None:
        """Reads a component's files; adds any problems and then returns None."""
        read: Callable[[str, ComponentFile], Component] = {
            "deck": self._deck,
            "sheet": self._sheet,
            "dice": self._dice,
            "pawns": self._pawns,
            "board": self._board,
        }.get(part.kind, self._cards)
        self._opened = []
        useless = _useless_keys(f"component “{name}”", part, ComponentFile(kind="page", title=""))
        problems = [*useless, *self._missing_keys(name, part)]
        problems += _box_problems(name, part) if part.kind == "box" else ()
        self.problems += problems
        component = None if problems else self.attempt(lambda: read(name, part))
        return component and replace(component, files=tuple(self._opened))

    def _missing_keys(self, name: str, part: ComponentFile) -> Iterator[Problem]:
        for key in _NEEDS[part.kind]:
            if not getattr(part, key) and not (key in ("cards", "dice") and name in self.drawn):
                hint = "or a draw with “rows” that fills it" if (part.kind, key) == ("deck", "cards") else ""
                yield Problem(f"component “{name}” is a {part.kind} and needs “{key}”", part.place, hint)

    def with_rules(
        self, part: Component | None, components: Mapping[str, Component | None], drawn: Mapping[str, str]
    ) -> Component | None:
        """Checks the rules of a score sheet, which can use the columns of all decks and `drawn` values. Those of
        shipped games are tested instead, to save their start-up time."""
        if part is None or part.sheet is None or not part.sheet.has_rules or self.folder.parent == paths.DATA:
            return part
        if not all(components.values()):  # the columns that the rules use may be in a deck that cannot be read
            return part
        from .sheet_rules import card_columns, problems  # not needed for sheets without rules

        decks = [other for other in components.values() if other and other.kind == "deck"]
        cards = {card.id: card for deck in decks for card in deck.cards}
        sheet = replace(part.sheet, columns={**card_columns(cards.values()), **drawn})
        self.problems.extend(problems(sheet))
        return replace(part, sheet=sheet)

    def _deck(self, name: str, part: ComponentFile) -> Component:
        if part.shape != "rectangle" and part.up == 2:
            raise fault(f"component “{name}”: “shape” does not work with a deck with “up: 2”", part.place)
        return replace(self._cards(name, part), size=_shape_size(part) or card_size(part.size or "poker", part.place))

    def _pawns(self, name: str, part: ComponentFile) -> Component:
        size = card_size(part.size or "poker", part.place)
        if part.shape not in ("rectangle", "rounded"):
            raise fault(f"component “{name}”: pawns cannot be “{part.shape}”", part.place, "use rectangle or rounded")
        max_radius = limits.max_shoulder(size.width, size.height)
        if part.shape == "rounded" and part.radius > max_radius:
            raise fault(
                f"component “{name}”: “radius” is {part.radius:g} mm, too large for pawns of this size",
                part.place,
                f"use at most {max_radius:g}" if max_radius > 0 else "use “shape: rectangle”",
            )
        return replace(self._cards(name, part), size=size)

    def _cards(self, name: str, part: ComponentFile) -> Component:
        """A component with its cards, if it has any, from a YAML file or straight from a table."""
        if not part.cards:
            return Component(name, part)
        path, place = self.path(part.cards, part.place), part.place or Place(part.cards)
        if path.suffix.lower() in card_tables.FOREIGN:
            raise card_tables.not_a_table(path, part.place)
        if path.suffix.lower() in card_tables.TABLES:
            definition = CardsFile(table=replace(self.table, file=part.cards, place=place), columns=dict(self.columns))
        else:
            definition, place = self.cards_file(part.cards, part.place)
            definition = replace(definition, columns={**definition.columns, **self.columns})
        source: Any = definition.cards
        if definition.table:
            source = path = self.path(definition.table.file, definition.table.place)
            if path.suffix.lower() in card_tables.LISTS:
                listed, list_place = self.cards_file(definition.table.file, definition.table.place)
                if listed.cards is None:
                    raise fault("this file has no list of cards", list_place, "put them under the key “cards”")
                source = listed.cards
        display_path = paths.display_path(path)
        listing = card_tables.card_list(definition, place, source, display_path, folder=self.folder)
        return Component(
            name,
            part,
            _with_copies(name, part, listing.cards, copied=listing.copied),
            columns=listing.columns,
            source=f"{display_path}, sheet “{listing.sheet}”" if listing.sheet else display_path,
            notes=listing.notes,
        )

    def cards_file(self, name: str, place: Place | None) -> tuple[CardsFile, Place]:
        """A file of cards and where it begins: a list of cards, a mapping with the keys of cards.yaml, or JSON as other
        programs write it."""
        node = self.node(name, place)
        is_own = isinstance(node, nodes.Mapping) and {"fields", "table"} & {*node}
        if name.lower().endswith(".json") and not is_own and (cards := cards_in_json(node)):
            return CardsFile(cards=Raw(cards)), node.place
        if isinstance(node, nodes.Listing):
            return CardsFile(cards=Raw(node)), node.place
        return typed.read(node, CardsFile), node.place

    def _dice(self, name: str, part: ComponentFile) -> Component:
        dice: tuple[Card, ...] = ()
        if part.dice:
            node = self.node(part.dice, part.place)
            definition = typed.read(node, DiceFile)
            columns = {"faces": ColumnFile(list=True, required=True), **definition.fields}
            dice = card_tables.cards(CardsFile(fields=columns, cards=definition.dice), node.place)
        refuse(Problem(f"a die has 6 faces, not {len(die.faces)}", die.place) for die in dice if len(die.faces) != 6)
        try:
            edge = length(part.size or "16")
        except ValueError as error:
            raise fault(f"component “{name}”: “size” must be {error}, not “{part.size}”", part.place) from None
        if not 8 <= edge <= 60:
            raise fault(f"component “{name}”: the edge of a die must be from 8 to 60 mm, not {edge:g}", part.place)
        return Component(name, part, _with_copies(name, part, dice), Size(edge, edge))

    def _board(self, name: str, part: ComponentFile) -> Component:
        from .board_graph import read_board  # few games have a board

        graph = read_board(self.node(part.board or "", part.place))
        return Component(name, part, size=graph.definition.size, board=graph)

    def _sheet(self, name: str, part: ComponentFile) -> Component:
        definition = typed.read(self.node(part.sheet or "", part.place), SheetFile)
        sheet = score_sheet(name, definition)
        if definition.players and definition.players not in definition.fields:
            raise fault(
                f"“players” must name a field; “{definition.players}” is not one",
                definition.place,
                did_you_mean(definition.players, definition.fields),
            )
        return Component(name, part, sheet=sheet)


def _box_problems(name: str, part: ComponentFile) -> Iterator[Problem]:
    for panel in part.panels:
        if panel not in PANELS[part.form]:
            hint = did_you_mean(panel, PANELS[part.form])
            yield Problem(f"component “{name}”: unknown panel “{panel}”", part.place, hint)
    deckless = part.form if part.form in DECKLESS else ""
    if part.decks and (part.room or deckless):
        yield Problem(f"component “{name}”: “decks” does not work with “room” or a {deckless or 'band'}", part.place)
    elif not part.decks and not part.room:
        needed = "“room”" if deckless else "“decks” or “room”"
        yield Problem(f"component “{name}” is a {part.form.replace('tuck', 'box')} and needs {needed}", part.place)
    for side, given, least in zip(("width", "height", "depth"), part.room or (), LEAST_ROOM[part.form], strict=False):
        if not least <= given <= MAX_SIZE:
            bounds = f"from {least:g} to {MAX_SIZE:g} mm, not {given:g} mm"
            yield Problem(f"component “{name}”: the {side} of “room” must be {bounds}", part.place)


def _shape_size(part: ComponentFile) -> Size | None:
    """The size of cards whose shape needs only one length: the diameter of a circle, or the width of a hexagon from
    side to side. None if the size is given in another way."""
    try:
        side = length(part.size or "")
    except ValueError:
        return None
    sizes = {"round": Size(side, side), "hex": Size(side * _HEX, side), "pointed-hex": Size(side, side * _HEX)}
    return sizes.get(part.shape) if 0 < side <= MAX_SIZE else None


def _with_copies(name: str, part: ComponentFile, cards: tuple[Card, ...], *, copied: bool = True) -> tuple[Card, ...]:
    """Repeats each card by its number of copies, unless none is `copied`; the copies of a card are adjacent."""
    total = part.copies * (sum([card.copies for card in cards]) if copied else len(cards))
    pieces, limit = (part.kind, limits.PIECES) if part.kind in ("dice", "pawns") else ("cards", limits.CARDS)
    if total > limit:
        raise fault(f"component “{name}” has {total:,} {pieces}, including copies; at most {limit:,}", part.place)
    if not copied and part.copies == 1:
        return cards
    return tuple([card for card in cards for _ in range(card.copies * part.copies)])
