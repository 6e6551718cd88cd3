"""Where icons lie, and how wide they are for their height."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from .. import paths
from ..errors import did_you_mean, fault

Folders = tuple[Path, ...]


@cache
def find_icon(name: str, folders: Folders) -> Path:
    """The SVG file of an icon in the first of `folders` that has it; raises InputError where none has."""
    for folder in folders:
        file = paths.within(folder, f"{name}.svg")
        if file and file.is_file():
            return file
    raise fault(f"no icon “{name}”", hint=did_you_mean(name, icon_names(folders)))


@cache
def icon_names(folders: Folders) -> frozenset[str]:
    return frozenset(file.stem for folder in folders for file in folder.glob("*.svg"))


@cache
def icon_aspect(name: str, folders: Folders) -> float:
    """Width of an icon divided by its height."""
    from .svg import load_art

    art = load_art(find_icon(name, folders))
    return art.width / art.height
