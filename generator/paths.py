"""The paths of the shipped data and templates: beside the package in a checkout, inside it in a wheel.
Finds the pictures that cards name in the folder of a game or a table."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from . import limits
from .errors import did_you_mean, shortened

if TYPE_CHECKING:
    from platformdirs import PlatformDirs

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "_shipped"
ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent

DATA = ROOT / "data"
TEMPLATES = ROOT / "templates"
EXAMPLES = ROOT / "examples"
SHARED_DATA = DATA / "_shared"
SHARED_TEMPLATES = TEMPLATES / "_shared"
CARD_TEMPLATES = SHARED_TEMPLATES / "cards"
"""The built-in faces and backs of cards."""

DRAWINGS = (".svg", ".svgz")
PICTURES = (*DRAWINGS, ".png", ".jpg", ".jpeg", ".webp", ".avif", ".gif", ".tif", ".tiff", ".bmp")
"""The endings of pictures."""


def within(folder: Path, name: str) -> Path | None:
    """The path `name` inside `folder`, or None if it is outside the folder (`..`, an absolute path, a link)."""
    try:
        base, path = os.path.realpath(folder), os.path.realpath(folder / name)
    except (OSError, ValueError):  # a name with a NUL
        return folder / "no such file"
    return Path(path) if is_inside(path, base) else None


def is_inside(path: str, folder: str) -> bool:
    """Whether a path is a folder or inside it; both are resolved."""
    return os.path.normcase(f"{path}{os.sep}").startswith(os.path.normcase(f"{folder.rstrip(os.sep)}{os.sep}"))


def display_path(path: Path) -> str:
    """The path as messages show it: relative to the working directory or the shipped root if it is in one of them."""
    resolved = os.path.realpath(path)
    for base in (str(Path.cwd()), str(ROOT)):
        if is_inside(resolved, base):
            return resolved[len(base) :].strip(os.sep) or "."
    return str(path)


def is_file(path: Path) -> bool:
    """Whether the file exists; False for names that no file can have, such as very long ones."""
    try:
        return path.is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def is_dir(path: Path) -> bool:
    """Whether the folder exists; False for names that no folder can have."""
    try:
        return path.is_dir()
    except (OSError, ValueError, RuntimeError):
        return False


def examples() -> list[str]:
    """The names of the examples."""
    return sorted(path.name for path in EXAMPLES.iterdir() if is_dir(path) and path.name[0] not in "._")


def user_cache() -> Path:
    """The user's folder for what can be made again, such as ~/.cache/pencilbox."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", ""), ".cache")  # noqa: PTH118
    if sys.platform == "linux" and home.startswith("/") and "ANDROID_ROOT" not in os.environ:
        return Path(home, "pencilbox")
    return user_folders().user_cache_path


def user_config() -> Path:
    """The user's folder for settings, such as ~/.config/pencilbox."""
    home = os.environ.get("HOME", "")
    if sys.platform == "linux" and home.startswith("/") and not {"XDG_CONFIG_HOME", "ANDROID_ROOT"} & os.environ.keys():
        return Path(home, ".config/pencilbox")
    return user_folders().user_config_path


def user_folders() -> PlatformDirs:
    from platformdirs import PlatformDirs  # takes 3 ms to load, and the usual folders are known without it

    return PlatformDirs("pencilbox", appauthor=False)


def picture_names(folders: tuple[Path, ...]) -> frozenset[str]:
    """The names of the pictures in some folders, without their endings."""
    files = (file for folder in folders if is_dir(folder) for file in folder.iterdir())
    return frozenset(file.stem for file in files if file.suffix.lower() in PICTURES)


_MAX_NAME = 255
_FOLDERS = ("", "images", "art", "pictures", "img")
_ENDING = re.compile(r"\.[A-Za-z0-9]{2,4}$")
_MAX_FILES = 5_000  # the maximum number of files in a folder that is searched for a picture


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
        path = within(folder, name)
        if path is None:
            raise ValueError(f"picture “{shortened(name)}” is outside the game’s folder")
        if len(path.name.encode("utf-8", "replace")) <= _MAX_NAME and not is_file(path):
            path = within(folder, self._similar(folder, name)) or path
        if "://" in name or (_ENDING.search(name) and path.suffix.lower() not in PICTURES):
            raise ValueError(f"picture “{shortened(name)}” must be a PNG, JPEG, WebP, AVIF, GIF, TIFF, BMP or SVG file")
        if len(path.name.encode("utf-8", "replace")) > _MAX_NAME or not is_file(path):
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
            parent = within(folder, str(inner.parent))
            file = self._in(parent).get(inner.name.casefold()) if parent else None
            if file:
                return str(inner.with_name(file))
        return name

    def _in(self, folder: Path) -> Mapping[str, str]:
        """The names of the pictures in a folder, by their names and stems in lower case."""
        if folder not in self._names:
            files = islice(folder.iterdir(), _MAX_FILES) if is_dir(folder) else ()
            names = sorted(path.name for path in files if path.suffix.lower() in PICTURES)
            stems = {Path(name).stem.casefold(): name for name in reversed(names)}
            self._names[folder] = stems | {name.casefold(): name for name in names}
        return self._names[folder]
