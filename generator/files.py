"""Writing a file whole or not at all."""

from __future__ import annotations

from os import urandom
from pathlib import Path

from .errors import Place, fault


def save(content: bytes, path: Path) -> None:
    """Writes the file, replacing an older one in a single step; raises InputError naming what is in the way."""
    part = path.with_name(f".{path.name}.{urandom(4).hex()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            with part.open("xb") as stream:
                stream.write(content)
            part.replace(path)
        except BaseException:
            part.unlink(missing_ok=True)
            raise
    except OSError as error:
        raise fault(f"cannot be written: {(error.strerror or 'error').lower()}", Place(str(path))) from error
