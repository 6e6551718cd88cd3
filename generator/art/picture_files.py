"""Finds icon and picture files and their proportions."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from .. import paths
from ..errors import did_you_mean, fault, shortened
from ..geometry.frame import Shape, leaves
from ..geometry.outlines import IDENTITY, bounds
from .bitmaps import bitmap, see_through

if TYPE_CHECKING:
    from .svg_shapes import Art

Folders = tuple[Path, ...]
_NEAR = 0.01
"""How far the first shape of a drawing may be from its edges to fill it, as a share of its size."""


@cache
def find_icon(name: str, folders: Folders) -> Path:
    """The SVG file of an icon in the first of `folders` that has it; raises InputError if none has it."""
    for folder in folders:
        file = paths.within(folder, f"{name}.svg")
        if file and paths.is_file(file):
            return file
    raise fault(f"no icon “{shortened(name)}”", hint=did_you_mean(name, icon_names(folders)))


@cache
def icon_names(folders: Folders) -> frozenset[str]:
    return frozenset(file.stem for folder in folders for file in folder.glob("*.svg"))


@cache
def icon_aspect(name: str, folders: Folders) -> float:
    """Width of an icon divided by its height."""
    art = _art(find_icon(name, folders))
    return art.width / art.height


def _art(path: Path) -> Art:
    from .svg_shapes import load_art  # loads the XML parser, and many faces have no icons

    return load_art(path)


@cache
def aspect(file: str) -> float:
    """Width divided by height of a picture file; raises InputError if it is not one."""
    path = Path(file)
    if path.suffix.lower() == ".svg":
        art = _art(path)
        return art.width / art.height
    header = bitmap(file)
    return header.width / header.height


@cache
def cut_out(file: str) -> bool:
    """Whether a picture may have no background: it has transparent pixels, or is an SVG file whose first shape does not
    fill it."""
    path = Path(file)
    if path.suffix.lower() == ".svg":
        art = _art(path)
        first, _ = next(leaves(art.items), (None, IDENTITY))
        return not (isinstance(first, Shape) and first.fill and _fills(bounds(first.path), art.width, art.height))
    return see_through(file)


def _fills(box: tuple[float, float, float, float], width: float, height: float) -> bool:
    left, top, right, bottom = box
    return max(left, top) < _NEAR * width and right > (1 - _NEAR) * width and bottom > (1 - _NEAR) * height
