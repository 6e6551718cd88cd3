"""Keeps the compiled code of templates: in this process and, if they come with Pencilbox, in files for later ones.

Compiling the templates of a shipped game takes a third of the time of printing it. Their code is kept where Python
keeps that of its modules, in `__pycache__` beside them, and under the same conditions; it is compiled anew when the
template or a compiler changes. Whoever can write there can change Pencilbox itself. The code of your own templates is
never read from a file: a game that somebody sends you must not bring any along.
"""

from __future__ import annotations

import marshal
import os
import sys
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.util import MAGIC_NUMBER, cache_from_source
from pathlib import Path
from types import CodeType
from typing import Any

import jinja2
from jinja2.bccache import Bucket, BytecodeCache

from ..errors import InputError
from ..files import save

_MAX_KEPT = 200
_kept: dict[str, CodeType] = {}


class CodeCache(BytecodeCache):
    """The code of templates by their name, file and source. It depends on nothing else, as no expression is evaluated
    when a template is compiled."""

    def get_bucket(self, environment: Any, name: str, filename: str | None, source: str) -> Bucket:
        """The code of a template, or a place for it. The key is the file for its code; "" stands for none."""
        template = environment.shipped.get(name)
        file = _file_of(template, name) if template else ""
        arguments = repr((name, filename, source, _compilers() if file else None))
        bucket = Bucket(environment, file, blake2b(arguments.encode(), digest_size=20).hexdigest())
        bucket.code = _kept.get(bucket.checksum) or (_read(bucket) if file else None)
        return bucket

    def set_bucket(self, bucket: Bucket) -> None:
        if len(_kept) >= _MAX_KEPT:
            del _kept[next(iter(_kept))]
        assert bucket.code
        _kept[bucket.checksum] = bucket.code
        if bucket.key and not sys.dont_write_bytecode:
            with suppress(InputError):  # the installation may belong to someone else
                save(bucket.checksum.encode() + marshal.dumps(bucket.code), Path(bucket.key))


def _file_of(template: Path, name: str) -> str:
    """The file for the code of a template; "" if this Python keeps no code. The same template may have two names."""
    try:
        return cache_from_source(str(template.with_name(name.replace("/", "-"))))
    except NotImplementedError:
        return ""


def _read(bucket: Bucket) -> CodeType | None:
    with suppress(OSError, EOFError, ValueError, TypeError):  # missing or damaged
        content = Path(bucket.key).read_bytes()
        checksum = bucket.checksum.encode()
        if content.startswith(checksum):
            code: CodeType = marshal.loads(memoryview(content)[len(checksum) :])
            return code
    return None


@cache
def _compilers() -> tuple[object, ...]:
    """What changes with all that compiles templates: Python, Jinja2 and this package. As in Python, sizes and times of
    files stand for their contents."""
    files: list[tuple[str, int, int]] = []
    for module in (jinja2.__file__, __file__):
        with os.scandir(Path(module).parent) as entries:
            modules = [(entry.name, entry.stat()) for entry in entries if entry.name.endswith(".py")]
        files += sorted((name, status.st_size, status.st_mtime_ns) for name, status in modules)
    return MAGIC_NUMBER, *files
