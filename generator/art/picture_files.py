"""Finds icon and picture files and their proportions."""

from __future__ import annotations

from functools import cache
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

from .. import paths
from ..errors import did_you_mean, fault, shortened
from ..files import of_files
from ..geometry.frame import Group, Icon, Image, Item, Shape, leaves
from ..geometry.outlines import IDENTITY, bounds, rotation
from ..geometry.polygons import is_inside
from .bitmaps import bitmap, see_through

if TYPE_CHECKING:
    from .svg_shapes import Art

Folders = tuple[Path, ...]
_NEAR = 0.01  # how far the first shape of a drawing may be from its edges to fill it, as a share of its size
_CORNER = 0.12  # how near to its corners a shape that fills a drawing must reach: round icons do not


@of_files
@cache
def find_icon(name: str, folders: Folders) -> Path:
    """The file of an icon in the first of `folders` that has it, a drawing before a picture; raises InputError if none
    has it."""
    for folder, ending in product(folders, paths.PICTURES):
        file = paths.within(folder, f"{name}{ending}")
        if file and paths.is_file(file):
            return file
    raise fault(f"no icon “{shortened(name)}”", hint=did_you_mean(name, paths.picture_names(folders)))


def is_drawing(file: str | Path) -> bool:
    """Whether a file is an SVG file, by its name."""
    return str(file).lower().endswith(paths.DRAWINGS)


def icon_picture(icon: Icon, folders: Folders) -> Item | None:
    """The picture of an icon that is not an SVG file, in its place."""
    file = find_icon(icon.name, folders)
    if is_drawing(file):
        return None
    picture = Image(str(file), icon.x, icon.y, icon.width, height=icon.height)
    if not icon.turn:
        return picture
    middle = icon.x + icon.width / 2, icon.y + icon.height / 2
    return Group((picture,), transform=rotation(icon.turn, *middle))


@of_files
@cache
def icon_aspect(name: str, folders: Folders) -> float:
    """Width of an icon divided by its height."""
    return aspect(str(find_icon(name, folders)))


def drawing(path: Path) -> Art:
    """An SVG file as shapes, or why it is drawn as a picture."""
    from .svg_shapes import load_art  # loads the XML parser, and many faces have no icons

    return load_art(path)


@of_files
@cache
def aspect(file: str) -> float:
    """Width divided by height of a picture file; raises InputError if it is not one."""
    path = Path(file)
    if is_drawing(path):
        art = drawing(path)
        return art.width / art.height
    header = bitmap(file)
    return header.width / header.height


@of_files
@cache
def cut_out(file: str) -> bool:
    """Whether a picture may have no background: it has transparent pixels, or is an SVG file whose first shape does not
    fill it, corners included."""
    path = Path(file)
    if is_drawing(path):
        art = drawing(path)
        first, _ = next(leaves(art.items), (None, IDENTITY))
        if not isinstance(first, Shape) or not first.fill:
            return True
        left, top, right, bottom = bounds(first.path)
        across, down = (1 - _NEAR) * art.width, (1 - _NEAR) * art.height
        if max(left, top) >= _NEAR * art.width or right <= across or bottom <= down:
            return True
        outlines: list[list[tuple[float, float]]] = []
        for name, *numbers in first.path:
            outlines += [[]] if name == "M" else []
            outlines[-1] += [(float(numbers[-2]), float(numbers[-1]))] if numbers else []
        corners = product(
            (_CORNER * art.width, (1 - _CORNER) * art.width), (_CORNER * art.height, (1 - _CORNER) * art.height)
        )
        return not all(is_inside(outlines, corner, even_odd=first.even_odd) for corner in corners)
    return see_through(file)
