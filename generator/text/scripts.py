"""What people call a character that no font has, and where they find a free font for it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from unicodedata import category
from unicodedata import name as unicode_name

from msgspec import Struct
from msgspec.structs import replace

from .. import paths
from ..model.values import empty_mapping
from ..reading import typed


class ScriptFont(Struct, frozen=True, kw_only=True):
    """A free font for a script; the packages of Debian and Homebrew that have it, and how the names of its files begin;
    a font for the script that comes with Windows, and its file."""

    script: str = ""
    font: str = ""
    debian: str = "fonts-noto-core"
    macos: str = ""
    installed: str = ""
    windows: str = ""
    file: str = ""


class ScriptsFile(Struct, frozen=True):
    """data/_shared/scripts.yaml: fonts by the first word of the Unicode names of a script."""

    scripts: dict[str, ScriptFont] = empty_mapping()


_IN_LATO = ("LATIN", "GREEK", "CYRILLIC", "COMBINING", "MODIFIER")
_SCRIPT_NAME = re.compile(r"(.+?) (?:(?:SMALL|CAPITAL) )?(?:LETTER|SIGN|SYLLABLE|VOWEL|IDEOGRAPH|HIEROGLYPH|DIGIT)\b")
_CJK = re.compile("[\u2e80-\u303f\u3040-\u312f\u3190-\u33ff\uff00-\uffef\U0001f200-\U0001f2ff]")


@cache
def _known() -> Mapping[str, ScriptFont]:
    scripts = typed.read_file(paths.SHARED_DATA / "scripts.yaml", ScriptsFile).scripts
    return {word: _complete(known, word.title()) for word, known in scripts.items()}


def _complete(known: ScriptFont, script: str) -> ScriptFont:
    """The font of a script, with what follows from its name."""
    script = known.script or script
    font = known.font or f"Noto Sans {script}"
    cask = known.macos or f"font-{font.lower().replace(' ', '-')}"
    return replace(known, script=script, font=font, macos=cask, installed=known.installed or font.replace(" ", ""))


@lru_cache(maxsize=4096)
def script_of(character: str) -> ScriptFont | None:
    """The script of a character; None for a sign, and for a letter of a script that the bundled fonts have."""
    name = unicode_name(character[0], "")
    word = re.split("[ -]", name)[0]
    if word not in _known() and _CJK.match(character):
        word = "CJK"
    if word in _known():
        return _known()[word]
    match = _SCRIPT_NAME.match(name)
    if not match or category(character[0])[0] not in "LM" or word in _IN_LATO:
        return None
    return _complete(ScriptFont(), match[1].title())


def advice(script: ScriptFont) -> str:
    """A hint that names a font for a script: one that is installed, or one to get."""
    if file := _installed(script):
        return f"{file} has them: use it with --font, or add it under “font” in theme.yaml"
    windows = f"; on Windows: {script.windows}, C:\\Windows\\Fonts\\{script.file}" if script.windows else ""
    packages = f"on Debian: {script.debian}; on macOS: brew install --cask {script.macos}{windows}"
    return f"get {script.font} ({packages}) and put it beside the table, or add it under “font” in theme.yaml"


MAX_FILES = 5_000
_FOLDERS = (
    "/usr/share/fonts",
    "/usr/local/share/fonts",
    "~/.local/share/fonts",
    "~/.fonts",
    "/Library/Fonts",
    "~/Library/Fonts",
    "C:\\Windows\\Fonts",
    "~/AppData/Local/Microsoft/Windows/Fonts",
)


def _installed(script: ScriptFont) -> Path | None:
    """A font for a script that is installed on this machine."""
    walks = (walk for folder in _FOLDERS for walk in os.walk(Path(folder).expanduser()))
    files = (Path(folder, name) for folder, _, names in walks for name in sorted(names))
    for file in islice(files, MAX_FILES):
        is_font = file.suffix.lower() in (".ttf", ".otf", ".ttc")
        if is_font and (file.stem.startswith(f"{script.installed}-Regular") or file.name == script.file):
            return file
    return None
