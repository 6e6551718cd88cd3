"""Loads a game from its folder and reports the problems of all its files together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import filterfalse, islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from .. import limits, nodes, paths
from ..errors import (
    InputError,
    Place,
    Problem,
    did_you_mean,
    fault,
    shortened,
)
from ..model.game import Component, ComponentFile, DrawFile, Game, GameFile
from ..nodes import Node, plain
from . import typed
from .card_tables import FOREIGN
from .components import GameFiles, Sets
from .table_game import (
    DEFAULT_LOOK,
    ENDINGS,
    OTHER_FORMATS,
    Look,
    is_table,
    table_at,
    table_game,
)
from .theme import theme

if TYPE_CHECKING:
    from ..model.draws import OwnDraw

PIECES = ("dice", "box", "pawns")
"""Kinds of component that are cut out one by one and can share a page."""


def shipped() -> list[str]:
    """The keys of the games that come with Pencilbox."""
    return sorted(path.parent.name for path in paths.DATA.glob("*/game.yaml"))


def load(name: str | Path, look: Look = DEFAULT_LOOK, trust_code: bool = False, *, partial: bool = False) -> Game:
    """The game with this key or in this folder, or of a bare table, whose cards get this `look`. With
    `trust_code`, the rules.py in the folder may run. With `partial`, components that cannot be read are left out of the
    game, which then has `problems`. Raises InputError with every problem of its files."""
    text = str(name)
    if isinstance(name, str) and text in shipped():
        game = read_game(paths.DATA / text, paths.TEMPLATES / text)
    elif paths.is_file(folder := _folder(Path(text)) / "game.yaml"):
        game = read_game(folder.parent, folder.parent / "templates", partial=partial)
        if trust_code and paths.is_file(code := folder.parent / "rules.py"):
            game = replace(game, trusted_code=code)
    elif table := table_at(Path(text)):
        return table_game(table, look, tuple(shipped()))
    else:
        raise _unknown(text)
    if look != DEFAULT_LOOK:
        option, key = next(
            (f"--{name}", key)
            for name, key in (("size", "size"), ("template", "face"), ("sheet", "table"))
            if getattr(look, name) is not None
        )
        file = "cards.yaml" if key == "table" else "game.yaml"
        hint = f"{game.title} states its own: change “{key}” in its {file}"
        raise fault(f"{option} is for tables without a game.yaml", hint=hint)
    return game


def is_game(word: str) -> bool:
    """Whether a word on the command line names a game: a key, a folder or a file."""
    path = Path(word)
    return word in shipped() or paths.is_dir(path) or is_table(path) or _folder(path) != path


def _folder(path: Path) -> Path:
    """The folder of a game.yaml; any other path is returned unchanged."""
    return path.parent if path.name == "game.yaml" and paths.is_file(path) else path


def _unknown(text: str) -> InputError:
    """What is wrong with a word that names no game."""
    path, name = Path(text), shortened(text)
    if paths.is_dir(path):
        return fault(f"the folder {name} has no game.yaml and no table of cards", hint="name the folder of a game")
    if paths.is_file(path):
        foreign = path.suffix.lower() in FOREIGN
        hint = "save it as .xlsx, .ods or .csv" if foreign else OTHER_FORMATS
        return fault(f"{name} is neither a game nor a table of cards", hint=hint)
    if path.suffix.lower() in ENDINGS:
        siblings = islice(path.parent.iterdir(), limits.FILES_COMPARED) if paths.is_dir(path.parent) else ()
        return fault(f"there is no file “{name}”", hint=did_you_mean(path.name, [other.name for other in siblings]))
    return fault(f"there is no game or folder “{name}”", hint=did_you_mean(text, shipped()))


def read_game(folder: Path, templates: Path, *, partial: bool = False) -> Game:
    """Reads a game from its data folder and its template folder; `partial` is explained in `load`."""
    reading = GameFiles(folder)
    definition = reading.attempt(lambda: typed.read(reading.node("game.yaml"), GameFile))
    if definition is None:
        raise InputError(reading.problems)
    reading.drawn = _drawn(definition)
    definition = replace(definition, prefix=_prefix(definition))
    full_ink = reading.attempt(lambda: theme(folder, definition.theme))
    low_ink = reading.attempt(lambda: theme(folder, definition.low_ink, full_ink)) if full_ink else None
    contrast = reading.attempt(lambda: theme(folder, definition.high_contrast, full_ink)) if full_ink else None
    before = len(reading.problems)
    components = {name: reading.component(name, part) for name, part in definition.components.items()}
    components = {name: reading.with_rules(part, components) for name, part in components.items()}
    problems = reading.problems[before:]
    if partial and (readable := _readable(definition, components)):
        components = readable
        del reading.problems[before:]
    sets = (definition.sets and reading.attempt(lambda: reading.sets(definition.sets or ""))) or Sets()
    own_draws = _own_draws(definition, components, folder, reading)
    reading.problems.extend(_game_problems(definition, folder))
    reading.problems.extend(_rules_problems(folder))
    if reading.problems or full_ink is None or low_ink is None:
        raise InputError(dict.fromkeys([*problems, *reading.problems]))
    return Game(
        key=folder.resolve().name,
        definition=definition,
        folder=folder,
        templates=(templates, paths.SHARED_TEMPLATES),
        theme=full_ink,
        low_ink=low_ink,
        high_contrast=contrast,
        components=MappingProxyType({name: c for name, c in components.items() if c}),
        rules=MappingProxyType({key: plain(node) for key, node in definition.rules.items()}),  # type: ignore[arg-type]
        sets=sets.values,
        judged=definition.judged or _first_sheet(definition),
        draws=MappingProxyType({**sets.draws, **own_draws.listed}),
        sets_file=sets.file,
        own_draws=own_draws.draws,
        left_out=tuple(name for name in definition.components if not components.get(name)),
        problems=tuple(problems),
    )


def _readable(definition: GameFile, components: Mapping[str, Component | None]) -> dict[str, Component | None]:
    """The components that can be printed without those that cannot be read. There are none if random sets need them
    all."""
    if definition.draws or definition.sets:
        return {}
    return {
        name: part
        for name, part in components.items()
        if part and all(components.get(other) for other in (*part.definition.decks, *part.definition.with_))
    }


def _first_sheet(definition: GameFile) -> str | None:
    return next((name for name, part in definition.components.items() if part.kind == "sheet"), None)


class _OwnDraws(NamedTuple):
    """The draws of a game.yaml, ready to draw and as the commands list them."""

    draws: Mapping[str, OwnDraw] = MappingProxyType({})
    listed: Mapping[str, DrawFile] = MappingProxyType({})


def _own_draws(
    definition: GameFile, components: dict[str, Component | None], folder: Path, reading: GameFiles
) -> _OwnDraws:
    if not definition.draws:
        return _OwnDraws()
    from ..draws import declarations  # not needed for games without draws

    usable = {name: component for name, component in components.items() if component}
    place = Place(paths.display_path(folder / "game.yaml"))
    draws = reading.attempt(lambda: declarations.own_draws(definition, usable, place)) or {}
    return _OwnDraws(MappingProxyType(draws), {name: declarations.listed_draw(draw) for name, draw in draws.items()})


def _drawn(definition: GameFile) -> frozenset[str]:
    """The components that draws fill with rows or dice."""
    draws = definition.draws.items()
    return frozenset(file.into or name for name, file in draws if file.rows is not None or file.dice is not None)


def _prefix(definition: GameFile) -> str:
    """The first two letters of a game's set codes: its `prefix`, or letters of its title."""
    if definition.prefix or not definition.draws:
        return definition.prefix
    plain_letters = filterfalse(unicodedata.combining, unicodedata.normalize("NFKD", definition.title))
    words: list[str] = re.findall("[A-Z]+", "".join(plain_letters).upper())
    letters = "".join(words) + "XYZ"
    candidates = [words[0][0] + words[1][0]] if len(words) > 1 else []
    candidates += [letters[0] + letter for letter in letters[1:]]
    taken = shipped_prefixes()
    return next(candidate for candidate in candidates if candidate not in taken)


def shipped_prefixes() -> dict[str, str]:
    """The keys of the shipped games by the prefix of their set codes."""
    return {
        match[1]: key
        for key in shipped()
        if (match := _PREFIX.search((paths.DATA / key / "game.yaml").read_text(encoding="utf-8")))
    }


_PREFIX = re.compile(r"^prefix: ([A-Z]{2})", re.MULTILINE)


def _game_problems(definition: GameFile, folder: Path) -> Iterator[Problem]:
    place = Place(paths.display_path(folder / "game.yaml"))
    if definition.prefix and not re.fullmatch(r"[A-Z]{2}", definition.prefix):
        yield Problem(f"“prefix” must be two capital letters, not “{definition.prefix}”", place)
    if definition.sets and not definition.prefix:
        yield Problem("“sets” needs the key “prefix”: two capital letters at the start of its set codes", place)
    yield from _draw_problems(definition, folder, place)
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


def _draw_problems(definition: GameFile, folder: Path, place: Place) -> Iterator[Problem]:
    if not definition.draws:
        if definition.sets and not (folder.resolve().name in shipped() or paths.is_file(folder / "rules.py")):
            yield Problem(
                f"“sets: {definition.sets}” has no effect without Python code that draws the sets",
                place,
                "describe random sets under “draws”, or delete this line",
            )
        return
    if definition.sets:
        yield Problem("“sets” and “draws” cannot be used together", place, "“sets” holds recipes of shipped games")
    owner = shipped_prefixes().get(definition.prefix)
    if owner and owner != folder.resolve().name:
        yield Problem(f"“prefix: {definition.prefix}” belongs to {owner}", place, "choose other letters, or none")


def _rules_problems(folder: Path) -> Iterator[Problem]:
    """Checks the `rules` of a copy of a shipped game."""
    original = paths.DATA / folder.resolve().name
    if original.name in shipped() and folder.resolve() != original.resolve():
        from . import rule_shape  # only for copies

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
                f"component “{name}”: “{other}” is not a deck with the same size, shape, bleed and gutter",
                other_part.place,
            )
        elif part.kind != "deck" and (part.kind not in PIECES or other_part.kind not in (*PIECES, "deck")):
            yield Problem(f"component “{name}”: a {other_part.kind} cannot share a page with a {part.kind}", part.place)


def _cutting_layout(part: ComponentFile) -> tuple[object, ...]:
    return part.size, part.shape, part.radius, part.bleed, part.gutter, bool(part.back)
