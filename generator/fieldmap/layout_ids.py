"""Layout ids: five digits that permanently identify where the fields of a score sheet are.

data/_shared/layouts.yaml lists the layouts of the shipped sheets, one on each line, and lines are only ever added. An
id is computed from the hash of its layout (or is the next free one), so an edited hash is detected: a sheet whose
fields move cannot keep its id. Sheets of your own games are not listed; their ids are computed from the hash alone, in
a separate range.
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
    """A sheet on a paper, and the hash of its fields."""

    game: str
    sheet: str
    paper: str
    hash: str
    place: Place | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return f"{self.game}, {self.sheet} on {self.paper}"


@dataclass(frozen=True, slots=True, kw_only=True)
class LayoutsFile:
    """layouts.yaml: layouts by their ids."""

    layouts: dict[str, Layout] | None = None


def hash_of(recipe: str) -> str:
    """The hash of the text that describes a layout: 16 hexadecimal digits."""
    return hashlib.sha256(recipe.encode()).hexdigest()[:16]


def layout_id(layout: Layout, *, own: bool = False, known: Mapping[int, Layout] | None = None) -> int:
    """The id of a layout. Raises InputError with the command that registers it if it has none; the sheets of your `own`
    game need no registration."""
    listed = registry() if known is None else known
    found = next((number for number, one in listed.items() if one.hash == layout.hash), None)
    if found is not None:
        return found
    if own:
        return OWN[int(layout.hash, 16) % len(OWN)]
    raise fault(
        f"{layout}: fields are new or have moved, so this layout has no id",
        None,
        f"if you meant to change it, run: pencilbox fields {layout.game} {layout.sheet} --register",
    )


@cache
def registry() -> Mapping[int, Layout]:
    """The layouts of the shipped sheets by id; raises InputError for a file that contradicts itself."""
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
            yield Problem(
                f"layout {number}: “{layout.hash}” is not a hash", layout.place, "write 16 digits of 0-9 and a-f"
            )
        elif layout.hash in ids:
            yield Problem(f"layout {number} repeats layout {ids[layout.hash]}", layout.place)
        elif number != _free(layout.hash, ids.values()):
            yield Problem(
                f"layout {number}: its id does not match its hash",
                layout.place,
                "give a changed layout a new line, with pencilbox fields GAME SHEET --register",
            )
        ids.setdefault(layout.hash, number)


def _free(layout_hash: str, taken: Iterable[int]) -> int:
    """The id for a hash: the first one from there on that earlier lines have not taken."""
    used = set(taken)
    at = int(layout_hash, 16) % len(LISTED)
    while LISTED[at] in used:
        at = (at + 1) % len(LISTED)
    return LISTED[at]


def register(layouts: Iterable[Layout], path: Path) -> dict[int, Layout]:
    """Adds a line to the file for each new layout; returns the layouts by their new ids."""
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
