"""Finds the pictures that cards name in the folder of a game or a table."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path

from . import limits, paths
from .errors import did_you_mean, shortened

_MAX_NAME = 255
_FOLDERS = ("", "images", "art", "pictures", "img")
_ENDING = re.compile(r"\.[A-Za-z0-9]{2,4}$")
_MAX_FILES = 5_000
"""The maximum number of files in a folder that is searched for a picture."""


class PictureFolders:
    """Finds the pictures of a game: by their path, or in the game's folder and its folders for pictures, in any case
    and perhaps without the ending."""

    def __init__(self) -> None:
        self._found: dict[tuple[Path, str], str] = {}
        self._names: dict[Path, Mapping[str, str]] = {}

    @property
    def found(self) -> Iterable[str]:
        """The paths of all pictures that were used so far."""
        return self._found.values()

    def path(self, folder: Path, name: str) -> str:
        """The path of a picture; raises ValueError with the reason if it cannot be used."""
        key = (folder, name)
        if key not in self._found:
            self._found[key] = self._path(folder, name.strip().replace("\\", "/"))
        return self._found[key]

    def find(self, folder: Path, name: str) -> bool:
        """Whether a picture can be used."""
        try:
            return bool(self.path(folder, name))
        except ValueError:
            return False

    def _path(self, folder: Path, name: str) -> str:
        path = paths.within(folder, name)
        if path is None:
            raise ValueError(f"picture “{shortened(name)}” is outside the game’s folder")
        if len(path.name.encode("utf-8", "replace")) <= _MAX_NAME and not paths.is_file(path):
            path = paths.within(folder, self._similar(folder, name)) or path
        if "://" in name or (_ENDING.search(name) and path.suffix.lower() not in paths.PICTURES):
            raise ValueError(f"picture “{shortened(name)}” must be a PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or SVG file")
        if len(path.name.encode("utf-8", "replace")) > _MAX_NAME or not paths.is_file(path):
            places = (path.parent, *(folder / place for place in _FOLDERS))
            names = [other for place in places for other in self._in(place).values()]
            if not _ENDING.search(name):
                names = [Path(other).stem for other in names]
            hint = did_you_mean(path.name, names[: limits.FILES_COMPARED])
            raise ValueError(f"no picture “{shortened(name)}” in the game’s folder{'; ' + hint if hint else ''}")
        return str(path)

    def _similar(self, folder: Path, name: str) -> str:
        """The path in the folder of the picture that `name` probably means; otherwise the name itself."""
        for place in _FOLDERS:
            inner = Path(place, name)
            parent = paths.within(folder, str(inner.parent))
            file = self._in(parent).get(inner.name.casefold()) if parent else None
            if file:
                return str(inner.with_name(file))
        return name

    def _in(self, folder: Path) -> Mapping[str, str]:
        """The names of the pictures in a folder, by their names and stems in lower case."""
        if folder not in self._names:
            files = islice(folder.iterdir(), _MAX_FILES) if paths.is_dir(folder) else ()
            names = sorted(path.name for path in files if path.suffix.lower() in paths.PICTURES)
            stems = {Path(name).stem.casefold(): name for name in reversed(names)}
            self._names[folder] = stems | {name.casefold(): name for name in names}
        return self._names[folder]
