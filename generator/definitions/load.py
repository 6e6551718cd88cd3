"""Loads a game from its folder and reports the problems of all its files together."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType

from .. import paths
from ..errors import InputError, Place, Problem, did_you_mean, fault, shortened
from . import nodes, rule_shape
from .components import NO_SETS, Reading
from .models import ComponentFile, Game, GameFile
from .nodes import Node, plain
from .theme import theme

PIECES = ("dice", "box", "pawns")
"""Kinds of component that are cut out one by one and can share a page."""


def shipped() -> list[str]:
    """The keys of the games that come with Pencilbox."""
    return sorted(path.parent.name for path in paths.DATA.glob("*/game.yaml"))


def load(name: str | Path) -> Game:
    """The game with this key or in this folder; raises InputError with every problem of its files."""
    text = str(name)
    if isinstance(name, str) and text in shipped():
        return read_game(paths.DATA / text, paths.TEMPLATES / text)
    folder = Path(text)
    if paths.is_file(folder / "game.yaml"):
        return read_game(folder, folder / "templates")
    if paths.is_dir(folder):
        raise fault(f"the folder {shortened(text)} has no game.yaml", hint="name the folder of a game")
    if paths.is_file(folder):
        hint = f"name its folder: {folder.parent}" if folder.name == "game.yaml" else "name a game or its folder"
        raise fault(f"{shortened(text)} is a file, not a game", hint=hint)
    raise fault(f"there is no game or folder “{shortened(text)}”", hint=did_you_mean(text, shipped()))


def read_game(folder: Path, templates: Path) -> Game:
    """Reads a game from its data folder and its template folder."""
    reading = Reading(folder, [])
    definition = reading.file("game.yaml", GameFile)
    if definition is None:
        raise InputError(reading.problems)
    full_ink = reading.attempt(lambda: theme(folder, definition.theme))
    low_ink = reading.attempt(lambda: theme(folder, definition.low_ink, full_ink)) if full_ink else None
    components = {name: reading.component(name, part) for name, part in definition.components.items()}
    sets = reading.sets(definition.sets) if definition.sets else NO_SETS
    reading.problems.extend(_game_problems(definition, folder))
    reading.problems.extend(_rules_problems(folder))
    if reading.problems or full_ink is None or low_ink is None:
        raise InputError(reading.problems)
    return Game(
        key=folder.resolve().name,
        definition=definition,
        folder=folder,
        templates=(templates, paths.SHARED_TEMPLATES),
        theme=full_ink,
        low_ink=low_ink,
        components=MappingProxyType({name: c for name, c in components.items() if c}),
        rules=MappingProxyType({key: plain(node) for key, node in definition.rules.items()}),  # type: ignore[arg-type]
        sets=sets.values,
        judged=definition.judged or _first_sheet(definition),
        draws=sets.draws,
        sets_file=sets.file,
    )


def _first_sheet(definition: GameFile) -> str | None:
    return next((name for name, part in definition.components.items() if part.kind == "sheet"), None)


def _game_problems(definition: GameFile, folder: Path) -> Iterator[Problem]:
    place = Place(paths.display_path(folder / "game.yaml"))
    if definition.prefix and not re.fullmatch(r"[A-Z]{2}", definition.prefix):
        yield Problem(f"“prefix” must be two capital letters, not “{definition.prefix}”", place)
    if definition.sets and not definition.prefix:
        yield Problem("“sets” needs the key “prefix”: two capital letters at the start of its set codes", place)
    if not definition.components:
        yield Problem("this game has no components", place)
    for name, part in definition.components.items():
        if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
            yield Problem(
                f"component name “{shortened(name)}” may only contain lower-case letters, digits, - and _", part.place
            )
    sheets = [name for name, part in definition.components.items() if part.kind == "sheet"]
    for name, part in definition.components.items():
        decks = [other for other, other_part in definition.components.items() if other_part.kind == "deck"]
        yield from (
            Problem(f"component “{name}”: no deck “{deck}”", part.place, did_you_mean(deck, decks))
            for deck in part.decks
            if deck not in decks
        )
        yield from _shared_page_problems(name, part, definition)
    if definition.judged and definition.judged not in sheets:
        yield Problem(
            f"“judged” must name a sheet; “{definition.judged}” is not one",
            place,
            did_you_mean(definition.judged, sheets),
        )


def _rules_problems(folder: Path) -> Iterator[Problem]:
    """Checks the `rules` of a copy of a shipped game."""
    original = paths.DATA / folder.resolve().name
    if original.name in shipped() and folder.resolve() != original.resolve():
        yield from rule_shape.problems(_rules(folder), _rules(original))


def _rules(folder: Path) -> Node:
    """The `rules` of a game.yaml that has already been read without problems."""
    file = folder / "game.yaml"
    game = nodes.document(nodes.read_text(file), paths.display_path(file))
    rules: Node = dict(game).get("rules", nodes.Mapping((), game.place))  # type: ignore[arg-type]
    return rules


def _shared_page_problems(name: str, part: ComponentFile, definition: GameFile) -> Iterator[Problem]:
    """Checks that components named by `with` can share pages: decks of the same card size, or pieces with pieces."""
    for other in part.with_:
        other_part = definition.components.get(other)
        if other_part is None or other == name:
            yield Problem(
                f"component “{name}”: “with” must name another component; “{other}” is not one",
                part.place,
                did_you_mean(other, [key for key in definition.components if key != name]),
            )
        elif part.kind == "deck" and (other_part.kind, *_cutting_layout(other_part)) != (
            "deck",
            *_cutting_layout(part),
        ):
            yield Problem(
                f"component “{name}”: “{other}” is not a deck with the same size, bleed and gutter", other_part.place
            )
        elif part.kind != "deck" and (part.kind not in PIECES or other_part.kind not in (*PIECES, "deck")):
            yield Problem(f"component “{name}”: a {other_part.kind} cannot share a page with a {part.kind}", part.place)


def _cutting_layout(part: ComponentFile) -> tuple[object, ...]:
    return part.size, part.bleed, part.gutter, bool(part.back)
