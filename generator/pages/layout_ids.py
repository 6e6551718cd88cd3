"""Layout ids: five digits that permanently identify where the fields of a score sheet are.

data/_shared/layouts.yaml lists the layouts of the shipped sheets, one on each line; lines are added but never changed
or removed. An id is computed from the hash of its layout (or is the next free one), so an edited hash is detected: a
sheet whose fields move cannot keep its id. Sheets of your own games are not listed; their ids are computed from the
hash alone, in a separate range.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from types import MappingProxyType

from msgspec import Struct

from .. import nodes, paths
from ..errors import InputError, Place, Problem, fault
from ..reading import typed

FILE = paths.SHARED_DATA / "layouts.yaml"
LISTED = range(10_000, 90_000)
OWN = range(90_000, 100_000)

_HASH = re.compile(r"[0-9a-f]{16}")


class Layout(Struct, frozen=True, kw_only=True):
    """A sheet on a paper, and the hash of its fields."""

    game: str
    sheet: str
    paper: str
    hash: str
    place: Place | None = None

    def __str__(self) -> str:
        return f"{self.game}, {self.sheet} on {self.paper}"


class LayoutsFile(Struct, frozen=True, kw_only=True):
    """layouts.yaml: layouts by their ids."""

    layouts: dict[str, Layout] | None = None


def hash_of(recipe: str) -> str:
    """The hash of the text that describes a layout: 16 hexadecimal digits."""
    return hashlib.sha256(recipe.encode()).hexdigest()[:16]


def layout_id(layout: Layout, *, own: bool = False, layouts: Mapping[int, Layout] | None = None) -> int:
    """The id of a layout, from `layouts` (default: the registry). A layout of your `own` game needs no registration.
    For any other layout without an id, raises InputError with the command that registers it."""
    registered = registry() if layouts is None else layouts
    number = next((number for number, other in registered.items() if other.hash == layout.hash), None)
    if number is not None:
        return number
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
    """The layouts of a file by id; raises InputError with all its contradictions."""
    layouts = typed.read(nodes.document(nodes.read_text(path), path.name), LayoutsFile).layouts or {}
    problems = list(_problems(layouts))
    if problems:
        raise InputError(problems)
    return MappingProxyType({int(number): layout for number, layout in layouts.items()})


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
    """The id for a hash: the one computed from it, or the next one that earlier lines have not taken."""
    used = set(taken)
    index = int(layout_hash, 16) % len(LISTED)
    while LISTED[index] in used:
        index = (index + 1) % len(LISTED)
    return LISTED[index]


def register(layouts: Iterable[Layout], path: Path) -> dict[int, Layout]:
    """Adds a line to the file for each new layout; returns the layouts by their new ids."""
    registered = dict(read(path))
    added: dict[int, Layout] = {}
    for layout in layouts:
        if all(layout.hash != other.hash for other in registered.values()):
            number = _free(layout.hash, registered)
            registered[number] = added[number] = layout
    with path.open("a", encoding="utf-8") as stream:
        stream.writelines(
            f'  {number}: {{game: {new.game}, sheet: {new.sheet}, paper: {new.paper}, hash: "{new.hash}"}}\n'
            for number, new in added.items()
        )
    registry.cache_clear()
    return added
