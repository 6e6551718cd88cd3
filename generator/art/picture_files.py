"""Finds icon and picture files and their proportions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .. import paths
from ..errors import did_you_mean, fault, shortened
from ..geometry.frame import Shape, leaves
from ..geometry.outlines import IDENTITY, bounds

Folders = tuple[Path, ...]


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
    from .svg_shapes import load_art  # loads the XML parser, and many faces have no icons

    art = load_art(find_icon(name, folders))
    return art.width / art.height


# ---- proportions

_NEAR = 0.01


@cache
def aspect(file: str) -> float:
    """Width divided by height of a picture file; raises InputError if it is not one."""
    path = Path(file)
    if path.suffix.lower() == ".svg":
        from .svg_shapes import load_art

        art = load_art(path)
        return art.width / art.height
    from .bitmaps import bitmap

    header = bitmap(file)
    return header.width / header.height


@cache
def cut_out(file: str) -> bool:
    """Whether a picture may have no background: it has transparent pixels, or is an SVG file whose first shape does not
    fill it."""
    path = Path(file)
    if path.suffix.lower() == ".svg":
        from .svg_shapes import load_art

        art = load_art(path)
        first, _ = next(leaves(art.items), (None, IDENTITY))
        return not (isinstance(first, Shape) and first.fill and _fills(bounds(first.path), art.width, art.height))
    from .bitmaps import see_through

    return see_through(file)


def _fills(box: tuple[float, float, float, float], width: float, height: float) -> bool:
    left, top, right, bottom = box
    return max(left, top) < _NEAR * width and right > (1 - _NEAR) * width and bottom > (1 - _NEAR) * height
