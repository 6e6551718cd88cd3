"""Loads a game from its folder and reports the problems of all its files together."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping
from itertools import filterfalse, islice
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

from msgspec import structs
from msgspec.structs import replace

from .. import limits, nodes, paths
from ..errors import InputError, Place, Problem, did_you_mean, fault, shortened
from ..model.game import Component, ComponentFile, Game, GameFile, Theme
from ..model.values import Span, span
from ..nodes import Node, Scalar, plain
from . import typed
from .card_tables import FOREIGN, how_to_save
from .components import GameFiles, Sets
from .table_game import DEFAULT_LOOK, ENDINGS, OTHER_FORMATS, TableLook, is_table, table_at, table_game
from .theme import theme

if TYPE_CHECKING:
    from ..model.draws import OwnDraw

PIECES = ("dice", "box", "pawns")
"""Kinds of component that are cut out one by one and can share a page."""


# The key and the file with which a game states what an option says for a table.
_STATED_IN = {
    **{"size": ("size", "game"), "gutter": ("gutter", "game"), "template": ("face", "game")},
    **{"columns": ("columns", "cards"), "font": ("font", "theme")},
}


def shipped() -> list[str]:
    """The keys of the games that come with Pencilbox."""
    return sorted(path.parent.name for path in paths.DATA.glob("*/game.yaml"))


def load(name: str | Path, look: TableLook = DEFAULT_LOOK, trust_code: bool = False, *, partial: bool = False) -> Game:
    """The game with this key or in this folder, or of a bare table, whose cards get this `look`. With
    `trust_code`, the rules.py in the folder may run. With `partial`, components that cannot be read are left out of the
    game, which then has `problems`. Raises InputError with every problem of its files."""
    text = str(name)
    if isinstance(name, str) and text in shipped():
        game = read_game(paths.DATA / text, paths.TEMPLATES / text)
    elif paths.is_file(folder := _folder(Path(text)) / "game.yaml"):
        _refuse_links(folder.parent)
        game = read_game(folder.parent, folder.parent / "templates", partial=partial)
        if trust_code and paths.is_file(code := folder.parent / "rules.py"):
            game = replace(game, trusted_code=code)
    elif table := table_at(Path(text)):
        _refuse_links(table.parent)
        return table_game(table, look, tuple(shipped()))
    else:
        raise _unknown(text)
    if look != DEFAULT_LOOK:
        option = next(name for name, value in structs.asdict(look).items() if value not in (None, ()))
        key, file = _STATED_IN.get(option, ("table", "cards"))
        hint = f"{game.title} states its own: change “{key}” in its {file}.yaml"
        raise fault(f"--{option.replace('_', '-')} is for tables without a game.yaml", hint=hint)
    return game


def _refuse_links(folder: Path) -> None:
    """Raises InputError if a folder that everything in it is read from is a link to one outside the game."""
    for name in ("templates", "icons"):
        if paths.within(folder, name) is None:
            raise fault("is a link to a folder outside the game", Place(str(folder / name)), "copy the folder instead")


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
        hint = how_to_save(path) if path.suffix.lower() in FOREIGN else OTHER_FORMATS
        return fault(f"{name} is neither a game nor a table of cards", hint=hint)
    if path.suffix.lower() in ENDINGS:
        files = islice(path.parent.iterdir(), limits.FILES_COMPARED) if paths.is_dir(path.parent) else ()
        siblings = [file.name for file in files if file.name != path.name]  # not the name of a pipe
        return fault(f"there is no file “{name}”", hint=did_you_mean(path.name, siblings))
    return fault(f"there is no game or folder “{name}”", hint=did_you_mean(text, shipped()))


def read_game(folder: Path, templates: Path, *, partial: bool = False) -> Game:
    """Reads a game from its data folder and its template folder; `partial` is explained in `load`."""
    files = GameFiles(folder)
    node = files.attempt(lambda: files.node("game.yaml"))
    definition = None if node is None else files.attempt(lambda: typed.read(node, GameFile))
    if definition is None:
        raise InputError(files.problems)
    files.drawn = frozenset(
        file.into or name for name, file in definition.draws.items() if file.rows is not None or file.dice is not None
    )
    definition = replace(definition, prefix=_prefix(definition))
    stated = {key: value.place for key, value in node.items()} if isinstance(node, nodes.Mapping) else {}

    def themed(key: str, base: Theme | None = None) -> Theme | None:
        name = getattr(definition, key)
        return files.attempt(lambda: theme(folder, name, base, stated_at=stated.get(key)))

    full_ink = themed("theme")
    low_ink = themed("low_ink", full_ink) if full_ink else None
    contrast = themed("high_contrast", full_ink) if full_ink else None
    before = len(files.problems)
    components = {name: files.component(name, part) for name, part in definition.components.items()}
    place = Place(paths.display_path(folder / "game.yaml"))
    sets = (files.attempt(lambda: files.sets(definition.sets or "")) if definition.sets else None) or Sets()
    draws: dict[str, OwnDraw] = {}
    kinds: dict[str, str] = {}
    if definition.draws:
        from ..draws import declarations  # not needed for games without draws

        parts = {name: part for name, part in components.items() if part}
        draws = files.attempt(lambda: declarations.own_draws(definition, parts, place)) or {}
        kinds = declarations.drawn_kinds(draws.values())
        sets = replace(sets, draws={**sets.draws, **{key: declarations.listed_draw(draws[key]) for key in draws}})
    if len(draws) == len(definition.draws):  # otherwise rules may use what a wrong draw would give
        components = {name: files.with_rules(part, components, kinds) for name, part in components.items()}
    problems = files.problems[before:]
    if partial and (readable := _readable(definition, components)):
        components = readable
        del files.problems[before:]
    usable = {name: part for name, part in components.items() if part}
    files.problems += [*_game_problems(definition, folder, place), *_copy_problems(folder)]
    if files.problems or full_ink is None or low_ink is None:
        raise InputError(dict.fromkeys([*problems, *files.problems]))
    sheets = [name for name, part in definition.components.items() if part.kind == "sheet"]
    return Game(
        key=folder.resolve().name,
        definition=definition,
        folder=folder,
        templates=(templates, paths.SHARED_TEMPLATES),
        theme=full_ink,
        low_ink=low_ink,
        high_contrast=contrast,
        components=MappingProxyType(usable),
        rules=MappingProxyType({key: plain(node) for key, node in definition.rules.items()}),  # type: ignore[arg-type]
        sets=sets.values,
        judged=definition.judged or next(iter(sheets), None),
        draws=MappingProxyType({**sets.draws}),
        sets_file=sets.file,
        own_draws=MappingProxyType(draws),
        left_out=tuple(name for name in definition.components if name not in usable),
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


def _game_problems(definition: GameFile, folder: Path, place: Place) -> Iterator[Problem]:
    if definition.prefix and not re.fullmatch(r"[A-Z]{2}", definition.prefix):
        yield Problem(f"“prefix” must be two capital letters, not “{definition.prefix}”", place)
    if definition.sets and not definition.prefix:
        yield Problem("“sets” needs the key “prefix”: two capital letters at the start of its set codes", place)
    yield from _draw_problems(definition, folder, place)
    if not definition.components:
        yield Problem("this game has no components", place)
    for name in definition.components:
        yield from _component_problems(name, definition)
    sheets = [name for name, part in definition.components.items() if part.kind == "sheet"]
    if definition.judged and definition.judged not in sheets:
        hint = did_you_mean(definition.judged, sheets)
        yield Problem(f"“judged” must name a sheet; “{definition.judged}” is not one", place, hint)


def _component_problems(name: str, definition: GameFile) -> Iterator[Problem]:
    """Checks a component's name and its references to others."""
    part = definition.components[name]
    if not re.fullmatch(r"[a-z][a-z0-9_-]*", name):
        message = f"component name “{shortened(name)}” may only contain lower-case letters, digits, - and _"
        yield Problem(message, part.place)
    decks = [other for other, other_part in definition.components.items() if other_part.kind == "deck"]
    for deck in part.decks:
        if deck not in decks:
            yield Problem(f"component “{name}”: no deck “{deck}”", part.place, did_you_mean(deck, decks))
    for other in part.with_:
        yield from _shared_page_problems(name, other, definition)


def _draw_problems(definition: GameFile, folder: Path, place: Place) -> Iterator[Problem]:
    has_code = folder.resolve().name in shipped() or paths.is_file(folder / "rules.py")
    if definition.sets and definition.draws:
        yield Problem("“sets” and “draws” cannot be used together", place, "“sets” holds recipes of shipped games")
    elif definition.sets and not has_code:
        message = f"“sets: {definition.sets}” has no effect without Python code that draws the sets"
        yield Problem(message, place, "describe random sets under “draws”, or delete this line")
    owner = shipped_prefixes().get(definition.prefix) if definition.draws else None
    if owner and owner != folder.resolve().name:
        yield Problem(f"“prefix: {definition.prefix}” belongs to {owner}", place, "choose other letters, or none")


def _shared_page_problems(name: str, other: str, definition: GameFile) -> Iterator[Problem]:
    """Checks that a component can share the pages of another: decks of the same card size, or pieces with pieces."""
    part, other_part = definition.components[name], definition.components.get(other)
    if other_part is None or other == name:
        hint = did_you_mean(other, [key for key in definition.components if key != name])
        message = f"component “{name}”: “with” must name another component; “{other}” is not one"
        yield Problem(message, part.place, hint)
    elif part.kind == "deck" and _cutting_layout(other_part) != _cutting_layout(part):
        message = f"component “{name}”: “{other}” is not a deck with the same size, shape, bleed and gutter"
        yield Problem(message, other_part.place)
    elif part.kind != "deck" and (part.kind not in PIECES or other_part.kind not in (*PIECES, "deck")):
        yield Problem(f"component “{name}”: a {other_part.kind} cannot share a page with a {part.kind}", part.place)


def _cutting_layout(part: ComponentFile) -> tuple[object, ...]:
    return part.kind, part.size, part.shape, part.radius, part.bleed, part.gutter, bool(part.back)


# ---- copies of shipped games


def _copy_problems(folder: Path) -> Iterator[Problem]:
    """Checks the `rules` of a copy of a shipped game: the game's Python rules rely on their keys and types."""
    original = paths.DATA / folder.resolve().name
    if original.name in shipped() and folder.resolve() != original.resolve():
        yield from shape_problems(_rules(folder), _rules(original))


def _rules(folder: Path) -> Node:
    """The `rules` of a game.yaml that has already been read without problems."""
    file = folder / "game.yaml"
    game = nodes.document(nodes.read_text(file), paths.display_path(file))
    rules: Node = dict(game).get("rules", nodes.Mapping((), game.place))  # type: ignore[arg-type]
    return rules


def shape_problems(copy: Node, original: Node, name: str = "rules") -> Iterator[Problem]:
    """Yields a problem wherever a copy has other keys or types than the original. Messages call it `name`."""
    if isinstance(original, nodes.Mapping):
        yield from _mapping_problems(copy, original, name)
    elif isinstance(original, nodes.Listing):
        entries = copy if isinstance(copy, nodes.Listing) else [copy]
        if len(entries) > _MAX_COPIED or (original and not entries):
            message = f"“{name}” must have from 1 to {_MAX_COPIED} entries, not {len(entries)}"
            yield Problem(message, copy.place)
            return
        for entry in entries:
            yield from shape_problems(entry, original[0] if original else Scalar("text", original.place), name)
    elif expected := _expected(copy, original):
        yield Problem(f"“{name}” must be {expected}, not {_described(copy)}", copy.place)


def _mapping_problems(copy: Node, original: nodes.Mapping, name: str) -> Iterator[Problem]:
    if not isinstance(copy, nodes.Mapping):
        yield Problem(f"“{name}” must be a mapping, not {_described(copy)}", copy.place)
        return
    if missing := [key for key in original if key not in copy]:
        keys = f"the key{'s' * (len(missing) > 1)} {', '.join(missing)}"
        hint = "copy what is missing from the shipped game.yaml, or rename your folder to make it your own game"
        yield Problem(f"“{name}” needs {keys}", copy.place, hint)
    for key, node in copy.items():
        if key in original:
            yield from shape_problems(node, original[key], f"{name}.{key}")
        else:
            yield Problem(f"“{name}” has no key “{shortened(key)}”", key.place, did_you_mean(key, original))


# The largest number allowed, or ten times the shipped number if that is larger: some numbers are counts of fields.
# Also the most entries in a list.
_MAX_COPIED = 100


def _expected(copy: Node, original: Scalar) -> str:
    """Describes what must replace the copy's value; "" if the value is valid."""
    example, value = plain(original), plain(copy)
    if isinstance(example, bool):
        return "" if isinstance(value, bool) else "true or false"
    if isinstance(example, int):
        low, high = min(0, 10 * example), max(_MAX_COPIED, 10 * example)
        return "" if type(value) is int and low <= value <= high else f"a whole number from {low} to {high}"
    if (range_ := _range(example)) and range_.low < range_.high:
        copied = _range(value)
        fits = copied is not None and copied.low < copied.high <= max(_MAX_COPIED, 10 * range_.high)
        return "" if fits else f"a range of whole numbers such as {original}"
    fits = isinstance(copy, Scalar) and isinstance(value, str) and not copy.blank and copy.isprintable()
    return "" if fits else f"a word such as {original}"


def _range(value: object) -> Span | None:
    try:
        return span(value) if isinstance(value, str) else None
    except ValueError:
        return None


def _described(node: Node) -> str:
    if isinstance(node, Scalar):
        return "empty" if node.blank else f"“{shortened(node)}”"
    return "a list" if isinstance(node, nodes.Listing) else "a mapping"
