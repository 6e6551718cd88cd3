"""Keeps compiled templates: in memory for all games, and in the user's cache folder for the next command.

`make --all` takes a fifth less time than if it compiled every template again. The code that is kept is run as it is, so
it is read only from a folder that nobody else can write to.
"""

from __future__ import annotations

import marshal
import os
import stat
from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from hashlib import sha256
from pathlib import Path
from types import CodeType
from typing import Any

from jinja2 import BytecodeCache, compiler, nodes
from jinja2.bccache import Bucket, bc_magic
from msgspec import Struct

from .. import __version__
from ..paths import user_cache

MAX_FILES = 1_000
"""If there are more files, all are deleted: most are of templates that have changed."""
_REFERRING = (nodes.Extends, nodes.Include, nodes.Import, nodes.FromImport)


class Traits(Struct, frozen=True):
    """Facts about a template without running it: the names that it mentions, and the templates that it refers to
    (None stands for a computed name)."""

    names: frozenset[str]
    others: frozenset[str | None]

    @staticmethod
    def of(every: Sequence[nodes.Node]) -> Traits:
        """The traits of a template with these nodes."""
        others = [getattr(node, "template", None) for node in every if isinstance(node, _REFERRING)]
        return Traits(
            frozenset(node.name for node in every if isinstance(node, nodes.Name)),
            frozenset(node.value if isinstance(node, nodes.Const) else None for node in others),
        )


class CompiledTemplates(BytecodeCache):
    """The code and the traits of templates, by `get_cache_key` of their names and files."""

    def __init__(self) -> None:
        self.codes: dict[str, tuple[str, Any]] = {}
        self.traits: dict[str, Traits] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        checksum, code = self.codes.get(bucket.key, ("", None))
        if checksum == bucket.checksum:
            bucket.code = code
        elif self._folder:
            with suppress(OSError, EOFError, ValueError, TypeError):
                names, others, code = marshal.loads(self._file(bucket).read_bytes())
                bucket.code = code if isinstance(code, CodeType) else None
                self.traits[bucket.key] = Traits(names, others)
                self.codes[bucket.key] = bucket.checksum, bucket.code

    def dump_bytecode(self, bucket: Bucket) -> None:
        self.codes[bucket.key] = bucket.checksum, bucket.code
        if self._folder:
            traits = self.traits[bucket.key]
            part = self._folder / f"{os.urandom(8).hex()}.part"
            with suppress(OSError):
                part.write_bytes(marshal.dumps((traits.names, traits.others, bucket.code)))
                part.replace(self._file(bucket))

    def _file(self, bucket: Bucket) -> Path:
        """The file with a template that was compiled by these versions of Pencilbox, Jinja2 and Python."""
        assert self._folder
        what = f"{bucket.key} {bucket.checksum} {__version__} {bc_magic.hex()}"
        for path in (Path(compiler.__file__), Path(__file__).with_name("sandbox.py")):
            about = path.stat()
            what += f" {about.st_mtime_ns} {about.st_size}"
        return self._folder / sha256(what.encode()).hexdigest()

    @cached_property
    def _folder(self) -> Path | None:
        """The folder for compiled templates; None if there is none that is the user's alone."""
        try:
            folder = user_cache() / "templates"
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            files = list(folder.iterdir())
            if len(files) > MAX_FILES:
                for file in files:
                    file.unlink(missing_ok=True)
            return folder if _is_own(folder) else None
        except (OSError, RuntimeError):
            return None


def _is_own(folder: Path) -> bool:
    """Whether only this user can write to a folder. On Windows, that is so in the folders of the user's profile."""
    about = folder.lstat()
    if not hasattr(os, "getuid"):
        return stat.S_ISDIR(about.st_mode)
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o022
