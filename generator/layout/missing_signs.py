"""Characters that no font has: each is printed as a red box, and a note says which cards have them and where to find a
free font."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from unicodedata import category
from unicodedata import name as unicode_name

from msgspec import Struct
from msgspec.structs import replace

from .. import paths
from ..errors import Place, note
from ..faces.face import InlineIcon, Piece
from ..model.game import Theme
from ..model.values import empty_mapping
from ..reading import typed
from ..text.fonts import Font


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


BOX, RED = "⌧", "#c8102e"


class Lack(Struct, frozen=True):
    """A sign that no font has, or the letters of a script; `place` is where the first text with them comes from."""

    what: str
    message: str
    hint: str
    place: Place
    script: ScriptFont | None = None
    example: str = ""

    def is_in(self, text: str) -> bool:
        return self.what in text if self.script is None else self.script in map(script_of, text)


def name_of(character: str, text: str, font: Font) -> tuple[str, ScriptFont | None]:
    """The name of a character of a text that the font lacks: itself, or its script if the font has no letters of that
    in the text."""
    script = script_of(character)
    if script and not any(script_of(letter) == script and font.has(letter) for letter in {*text}):
        return script.script, script
    return character, None


def lacks_of(
    pieces: Sequence[Piece], characters: Sequence[str], font: Font, theme: Theme, place: Callable[[str], Place]
) -> list[Lack]:
    """The signs and scripts of these characters of a text; `place` finds where a character comes from."""
    text = "".join([piece.text for piece in pieces if not isinstance(piece, InlineIcon)])
    lacks: dict[str, Lack] = {}
    for character in characters:
        name, script = name_of(character, text, font)
        if name not in lacks:
            letters = f"{name} {'characters' if name.startswith('Chinese') else 'letters'}"
            message = font.lacks(letters if script else f"“{printable(name)}”")
            hint = advice(script) if script else _suggestion(name, theme)
            lacks[name] = Lack(name, message, hint, place(character), script=script, example=character)
    return list(lacks.values())


def _suggestion(character: str, theme: Theme) -> str:
    """A hint that suggests an icon named in the character’s Unicode name: `★` is BLACK STAR."""
    words = unicode_name(character[0], "").lower().split()
    icon = next((word for word in words if word in paths.picture_names(theme.icon_folders)), None)
    return f"write :{icon}:" if icon else "use a font that has it, or an icon such as :name:"


def boxed(pieces: Sequence[Piece], characters: Sequence[str]) -> Iterator[Piece]:
    """The pieces with a red box in place of these characters; one for several that follow each other."""
    longest_first = sorted(characters, key=len, reverse=True)
    pattern = re.compile(f"((?:{'|'.join(map(re.escape, longest_first))})+)", re.IGNORECASE)
    for piece in pieces:
        if isinstance(piece, InlineIcon):
            yield piece
            continue
        for number, part in enumerate(pattern.split(piece.text)):
            if number % 2:
                yield piece._replace(text=BOX, emphasis=piece.emphasis._replace(colour=RED))
            elif part:
                yield piece._replace(text=part)


def printable(character: str) -> str:
    if len(character) == 1 and not character.isprintable():
        return f"U+{ord(character):04X}"
    return character


def note_lack(lack: Lack, who: str, place: Place) -> None:
    """Notes a lack of a component, or of some of its cards."""
    note(f"{who}: {lack.message}: a red {BOX} is printed instead", place, lack.hint)
