"""A game's folder → Game. Problems of all its files are told together."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, TypeVar

from .. import paths
from ..errors import InputError, Place, Problem, did_you_mean, fault
from . import nodes, tables, typed
from .fields import score_sheet
from .models import Card, CardsFile, Component, ComponentFile, Game, GameFile, ScoreSheet, SheetFile
from .nodes import Listing, Node, Scalar
from .sizes import card_size
from .theme import theme

T = TypeVar("T")
KEY = re.compile(r"[a-z][a-z0-9_]*")


def shipped() -> list[str]:
    """Keys of the games that came with Pencilbox."""
    return sorted(path.parent.name for path in paths.DATA.glob("*/game.yaml"))


def load(name: str | Path) -> Game:
    """The game with this key, or in this folder; raises InputError with every problem of its files."""
    text = str(name)
    if isinstance(name, str) and text in shipped():
        return read_game(paths.DATA / text, paths.TEMPLATES / text)
    folder = Path(text)
    if (folder / "game.yaml").is_file():
        return read_game(folder, folder / "templates")
    if folder.is_dir():
        raise fault(f"the folder {text} has no game.yaml")
    raise fault(f"no game “{text}”", hint=did_you_mean(text, shipped()) or "a game's key or the path of its folder")


def read_game(folder: Path, templates: Path) -> Game:
    """A game from its data folder and its template folder."""
    reading = _Reading(folder, [])
    definition = reading.file("game.yaml", GameFile)
    if definition is None:
        raise InputError(reading.problems)
    look = reading.attempt(lambda: theme(folder, definition.theme))
    components = {name: reading.component(name, part) for name, part in definition.components.items()}
    sets = reading.plain(definition.sets) if definition.sets else MappingProxyType({})
    reading.problems.extend(_game_problems(definition, folder))
    if reading.problems or look is None:
        raise InputError(reading.problems)
    return Game(
        key=folder.resolve().name, definition=definition, folder=folder, templates=(templates, paths.SHARED_TEMPLATES),
        theme=look, components=MappingProxyType({name: c for name, c in components.items() if c}),
        rules=MappingProxyType({key: plain(node) for key, node in definition.rules.items()}),  # type: ignore[arg-type]
        sets=sets, judged=definition.judged or _first_sheet(definition))


def _first_sheet(definition: GameFile) -> str | None:
    return next((name for name, part in definition.components.items() if part.kind == "sheet"), None)


def _game_problems(definition: GameFile, folder: Path) -> Iterator[Problem]:
    place = Place(shown(folder / "game.yaml"))
    if not re.fullmatch(r"[A-Z]{2}", definition.prefix):
        yield Problem(f"“prefix” must be two capital letters, not “{definition.prefix}”", place)
    if not definition.components:
        yield Problem("a game needs at least one component", place)
    for name, part in definition.components.items():
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            yield Problem(f"component name “{name}” must be small letters, digits, - and _", part.place)
    sheets = [name for name, part in definition.components.items() if part.kind == "sheet"]
    if definition.judged and definition.judged not in sheets:
        yield Problem(f"“judged” names no sheet: “{definition.judged}”", place, did_you_mean(definition.judged, sheets))


def shown(path: Path) -> str:
    """A path as messages show it: relative to the working directory or the shipped root where it lies below."""
    for base in (Path.cwd(), paths.ROOT):
        if path.resolve().is_relative_to(base):
            return str(path.resolve().relative_to(base))
    return str(path)


class _Reading:
    """The files of one game, read one after another, their problems kept together."""

    def __init__(self, folder: Path, problems: list[Problem]) -> None:
        self.folder = folder
        self.problems = problems

    def attempt(self, read: Callable[[], T]) -> T | None:
        try:
            return read()
        except InputError as error:
            self.problems.extend(error.problems)
            return None

    def path(self, name: str, place: Place | None = None) -> Path:
        found = paths.within(self.folder, name)
        if found is None:
            raise fault(f"“{name}” leads out of the game's folder", place)
        if not found.is_file():
            beside = [p.name for p in self.folder.iterdir() if p.is_file()]
            raise fault(f"no file “{name}” in {shown(self.folder)}", place, did_you_mean(name, beside))
        return found

    def node(self, name: str, place: Place | None = None) -> Node:
        path = self.path(name, place)
        return nodes.document(nodes.read_text(path, shown(path)), shown(path))

    def file(self, name: str, kind: type[T], place: Place | None = None) -> T | None:
        return self.attempt(lambda: typed.read(self.node(name, place), kind))

    def plain(self, name: str) -> Mapping[str, Any]:
        found = self.attempt(lambda: plain(self.node(name)))
        return found if isinstance(found, Mapping) else MappingProxyType({})

    def component(self, name: str, part: ComponentFile) -> Component | None:
        reader = {"deck": self._deck, "sheet": self._sheet, "booklet": self._booklet}[part.kind]
        return self.attempt(lambda: reader(name, part))

    def _deck(self, name: str, part: ComponentFile) -> Component:
        self._needs(name, part, "cards", "face")
        assert part.cards
        path = self.path(part.cards, part.place)
        if path.suffix.lower() in (".csv", ".tsv", ".xlsx"):
            raise fault(f"component “{name}”: “cards” must be a YAML file", part.place,
                        f"with fields: … and table: {part.cards}")
        node = self.node(part.cards, part.place)
        definition = typed.read(node, CardsFile)
        table = self.path(definition.table, node.place) if definition.table else None
        cards = tables.cards(definition, table, shown(table) if table else "", node.place)
        return Component(name, part, _copied(cards, part.copies), card_size(part.size, part.place))

    def _sheet(self, name: str, part: ComponentFile) -> Component:
        self._needs(name, part, "sheet", "face")
        assert part.sheet
        definition = typed.read(self.node(part.sheet, part.place), SheetFile)
        return Component(name, part, sheet=self._fields(name, definition))

    def _fields(self, name: str, definition: SheetFile) -> ScoreSheet:
        made = score_sheet(name, definition)
        if definition.players and definition.players not in definition.fields:
            raise fault(f"“players” names no field: “{definition.players}”", None,
                        did_you_mean(definition.players, definition.fields))
        return made

    def _booklet(self, name: str, part: ComponentFile) -> Component:
        self._needs(name, part, "text")
        return Component(name, part)

    def _needs(self, name: str, part: ComponentFile, *keys: str) -> None:
        missing = [Problem(f"component “{name}” is a {part.kind} and needs “{key}”", part.place)
                   for key in keys if not getattr(part, key)]
        if missing:
            raise InputError(missing)


def _copied(cards: tuple[Card, ...], copies: int) -> tuple[Card, ...]:
    """Every card as often as it is printed; the copies stay beside each other."""
    return tuple(card for card in cards for _ in range(card.copies * copies))


_WHOLE = re.compile(r"-?\d+")
_DECIMAL = re.compile(r"-?\d+\.\d+")


def plain(node: Node) -> Any:
    """A node as plain Python values: int, float, bool, str, None, tuple, read-only mapping."""
    if isinstance(node, Scalar):
        return _scalar(node)
    if isinstance(node, Listing):
        return tuple(map(plain, node.entries))
    return MappingProxyType({key.text: plain(value) for key, value in node.pairs})


def _scalar(node: Scalar) -> Any:
    if node.quoted:
        return node.text
    if node.blank:
        return None
    if _WHOLE.fullmatch(node.text) and len(node.text) < 16:
        return int(node.text)
    if _DECIMAL.fullmatch(node.text):
        return float(node.text)
    return {"true": True, "false": False}.get(node.text, node.text)
