"""Writes a new folder, completely or not at all, and copies examples."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp

from .. import paths
from ..errors import Place, did_you_mean, fault, shortened
from ..reading.load import shipped
from .yaml_edits import edited

Content = str | Path
"""A text to write, or a file to copy."""
_NAME = re.compile(r"[^\W_][\w -]{0,59}(?<! )")
_DEVICE = re.compile(r"con|prn|aux|nul|(com|lpt)\d", re.IGNORECASE)
"""Names that Windows reserves for devices."""


def check_name(folder: Path) -> None:
    """Raises InputError unless a new game can be written into this folder."""
    name = folder.name
    if paths.is_dir(folder) and not name.strip("."):
        raise fault(f"the folder “{folder}” already exists", hint="name a new one in it, such as my_game")
    if not _NAME.fullmatch(name) or _DEVICE.fullmatch(name):
        hint = f"use letters, digits, “_” and “-”, for example: {usable_name(name)}"
        raise fault(f"“{shortened(name)}” cannot be the name of a game", hint=hint)
    if name in shipped():
        raise fault(f"“{name}” is a game that comes with Pencilbox", hint=f"choose another name, such as my_{name}")
    if os.path.lexists(folder):
        kind = "folder" if paths.is_dir(folder) else "file"
        raise fault(f"the {kind} “{folder}” already exists", hint=f"choose another name, such as {free(folder)}")
    if not paths.is_dir(folder.parent):
        raise fault(f"there is no folder “{shortened(folder.parent)}” for the new game", hint="create it first")


def usable_name(name: str) -> str:
    """A name like this one that a game can have."""
    plain = re.sub(r"\W+", "_", name).strip("_").lower()[:60]
    return plain if _NAME.fullmatch(plain) and not _DEVICE.fullmatch(plain) else "my_game"


def free(folder: Path) -> Path:
    """A path like that of `folder` that nothing has yet."""
    base = re.sub(r"[_ -]?\d+$", "", folder.name) or folder.name
    names = (folder.with_name(f"{base}_{number}") for number in range(2, 1000))
    return next((name for name in names if not os.path.lexists(name)), folder.with_name("another_game"))


def write(folder: Path, files: Mapping[str, Content]) -> None:
    """Writes the files, given by their paths in the folder, into a new folder. Raises InputError if that fails, and
    then leaves nothing behind."""
    check_name(folder)
    with _new(folder) as unfinished:
        for name, content in files.items():
            file = unfinished / name
            file.parent.mkdir(parents=True, exist_ok=True)
            if isinstance(content, Path):
                shutil.copyfile(content, file)
            else:
                file.write_text(content, encoding="utf-8", newline="\n")


@contextmanager
def _new(folder: Path) -> Iterator[Path]:
    """A temporary folder, which gets its name when it is complete."""
    place = Place(str(folder))
    try:
        unfinished = Path(mkdtemp(prefix=".", suffix=".part", dir=folder.parent))
    except OSError as error:
        raise fault(f"cannot be written: {(error.strerror or str(error)).lower()}", place) from error
    try:
        yield unfinished
        unfinished.chmod(0o777 & ~_umask())
        unfinished.rename(folder)
    except OSError as error:
        raise fault(f"cannot be written: {(error.strerror or str(error)).lower()}", place) from error
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


# ---- examples -------------------------------------------------------------------------------------------------------


def examples() -> list[str]:
    """The names of the examples."""
    return sorted(path.name for path in paths.EXAMPLES.iterdir() if paths.is_dir(path) and path.name[0] not in "._")


def copy_example(name: str, folder: Path) -> list[str]:
    """Copies an example into a new folder. Returns the names of its files."""
    if name not in examples():
        hint = did_you_mean(name, examples())
        raise fault(f"there is no example “{shortened(name)}”", hint=hint or "“pencilbox new --examples” lists them")
    files = dict(_copied(paths.EXAMPLES / name))
    write(folder, files)
    return list(files)


def copy_shipped(key: str, folder: Path) -> None:
    """Copies a game that comes with Pencilbox into a new folder, to be changed. The copy has no random sets and no
    rules in Python."""
    files = dict([*_copied(paths.DATA / key), *_copied(paths.TEMPLATES / key, "templates/")])
    files["game.yaml"] = edited(str(files["game.yaml"]), {("sets",): None, ("prefix",): None}, "game.yaml")
    write(folder, files)


def _copied(source: Path, prefix: str = "") -> Iterator[tuple[str, Content]]:
    """The files of a game by their paths in its folder."""
    for path in sorted(source.rglob("*")):
        relative = path.relative_to(source)
        unwanted = [part for part in relative.parts if part[0] == "." or part in ("output", "__pycache__")]
        if path.is_file() and not unwanted:
            yield prefix + relative.as_posix(), _without_schema(path) if path.suffix == ".yaml" else path


def _without_schema(path: Path) -> str:
    """A definition without the comment that names its schema, whose path is only right in the original folder."""
    return re.sub(r"\A# yaml-language-server:.*\n", "", path.read_text(encoding="utf-8"))
