"""Layout ids: five digits that name, for ever, where the cells of a score sheet lie.

data/_shared/layouts.yaml lists the layouts of Pencilbox's own sheets, one line each, and lines are only ever added. An
id follows from the hash of its layout (the next free one where it is taken), so a line whose hash was edited is
refused: a sheet whose cells move cannot keep its id. Sheets of a person's own game stand in no list; their ids follow
from the hash alone, in a range of their own.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import MappingProxyType

from .. import paths
from ..definitions import nodes, typed
from ..errors import InputError, Place, Problem, fault

FILE = paths.SHARED_DATA / "layouts.yaml"
LISTED = range(10_000, 90_000)
OWN = range(90_000, 100_000)

_HASH = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A sheet on a paper, and the hash of all that its cells are."""

    game: str
    sheet: str
    paper: str
    hash: str
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.game}, {self.sheet} on {self.paper}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutsFile:
    """layouts.yaml: layout ids and what they stand for."""

    layouts: dict[str, Layout] | None = None


def hash_of(recipe: str) -> str:
    """The hash of a layout written out as text: 16 hexadecimal digits."""
    return hashlib.sha256(recipe.encode()).hexdigest()[:16]


def layout_id(layout: Layout, *, own: bool = False, known: Mapping[int, Layout] | None = None) -> int:
    """The id of a layout; raises InputError, naming the command that registers it, where it has none. The sheets of a
    person's `own` game have their ids without being registered."""
    listed = registry() if known is None else known
    found = next((number for number, one in listed.items() if one.hash == layout.hash), None)
    if found is not None:
        return found
    if own:
        return OWN[int(layout.hash, 16) % len(OWN)]
    raise fault(
        f"{layout}: its cells are new or have moved, and this layout has no id yet",
        None,
        f"where that is meant: pencilbox fields {layout.game} {layout.sheet} --register",
    )


@cache
def registry() -> Mapping[int, Layout]:
    """The layouts of Pencilbox's own sheets by id; raises InputError for a file that contradicts itself."""
    return read(FILE)


def read(path: Path) -> Mapping[int, Layout]:
    """A file of layouts by id; raises InputError with all its contradictions."""
    found = typed.read(nodes.document(nodes.read_text(path), path.name), LayoutsFile).layouts or {}
    problems = list(_problems(found))
    if problems:
        raise InputError(problems)
    return MappingProxyType({int(number): layout for number, layout in found.items()})


def _problems(layouts: Mapping[str, Layout]) -> Iterator[Problem]:
    ids: dict[str, int] = {}
    for text, layout in layouts.items():
        number = int(text) if re.fullmatch("[0-9]{5}", text) else 0
        if number not in LISTED:
            yield Problem(f"layout id {text} must be from {LISTED[0]} to {LISTED[-1]}", layout.place)
        elif not _HASH.fullmatch(layout.hash):
            yield Problem(f"layout {number}: “{layout.hash}” is no hash", layout.place, "16 digits of 0-9 and a-f")
        elif layout.hash in ids:
            yield Problem(f"layout {number} is layout {ids[layout.hash]} once more", layout.place)
        elif number != _free(layout.hash, ids.values()):
            yield Problem(
                f"layout {number}: its id does not follow from its hash",
                layout.place,
                "a changed layout needs a new line; pencilbox fields GAME SHEET --register writes it",
            )
        ids.setdefault(layout.hash, number)


def _free(layout_hash: str, taken: Iterable[int]) -> int:
    """The id that follows from a hash: the first from there on that is not taken by the lines before."""
    used = set(taken)
    at = int(layout_hash, 16) % len(LISTED)
    while LISTED[at] in used:
        at = (at + 1) % len(LISTED)
    return LISTED[at]


def register(layouts: Iterable[Layout], path: Path) -> dict[int, Layout]:
    """Adds a line to the file for each layout that has none; the ids given."""
    known = dict(read(path))
    given: dict[int, Layout] = {}
    for layout in layouts:
        if all(layout.hash != one.hash for one in known.values()):
            number = _free(layout.hash, known)
            known[number] = given[number] = layout
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(
            f'  {number}: {{game: {one.game}, sheet: {one.sheet}, paper: {one.paper}, hash: "{one.hash}"}}\n'
            for number, one in given.items()
        )
    registry.cache_clear()
    return given
