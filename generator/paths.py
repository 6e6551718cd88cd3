"""Where the shipped data and templates lie: beside the package in a checkout, inside it in a wheel."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent
_SHIPPED = _PACKAGE / "_shipped"
ROOT = _SHIPPED if _SHIPPED.is_dir() else _PACKAGE.parent

DATA = ROOT / "data"
TEMPLATES = ROOT / "templates"
SHARED_DATA = DATA / "_shared"
SHARED_TEMPLATES = TEMPLATES / "_shared"


def within(folder: Path, name: str) -> Path | None:
    """The file `name` inside `folder`, or None where the name leads out of it (`..`, absolute, a link)."""
    try:
        base = folder.resolve()
        path = (base / name).resolve()
    except (OSError, ValueError, RuntimeError):  # a name with a NUL, links that lead in a circle: there is no such file
        return folder / "no such file"
    return path if path.is_relative_to(base) else None


def shown(path: Path) -> str:
    """A path as messages show it: relative to the working directory or the shipped root where it lies below."""
    found = path.resolve()
    for base in (Path.cwd(), ROOT):
        if found.is_relative_to(base):
            return str(found.relative_to(base))
    return str(path)


def is_file(path: Path) -> bool:
    """Whether there is such a file; False also for a name that no file can have, such as a very long one."""
    try:
        return path.is_file()
    except (OSError, ValueError, RuntimeError):
        return False


def is_dir(path: Path) -> bool:
    """Whether there is such a folder; False also for a name that none can have."""
    try:
        return path.is_dir()
    except (OSError, ValueError, RuntimeError):
        return False
