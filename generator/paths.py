"""The paths of the shipped data and templates: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

import os
import sys
from pathlib import Path

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


def user_cache() -> Path:
    """The user's folder for what can be made again, such as ~/.cache/pencilbox."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.environ.get("HOME", ""), ".cache")  # noqa: PTH118
    if sys.platform == "linux" and home.startswith("/") and "ANDROID_ROOT" not in os.environ:
        return Path(home, "pencilbox")
    from platformdirs import user_cache_path  # handles all other cases, and takes 3 ms to load

    return user_cache_path("pencilbox", appauthor=False)


def user_data() -> Path:
    """The user's folder for data to keep, such as ~/.local/share/pencilbox."""
    from platformdirs import user_data_path  # takes 3 ms to load

    return user_data_path("pencilbox", appauthor=False)


def picture_names(folders: tuple[Path, ...]) -> frozenset[str]:
    """The names of the pictures in some folders, without their endings."""
    files = (file for folder in folders if is_dir(folder) for file in folder.iterdir())
    return frozenset(file.stem for file in files if file.suffix.lower() in PICTURES)
