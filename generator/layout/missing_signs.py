"""Characters that no font has: each is printed as a red box, and a note says which cards have them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from unicodedata import name as unicode_name

from msgspec import Struct

from .. import paths
from ..errors import Place, note
from ..faces.face import InlineIcon, Piece
from ..model.game import Theme
from ..text.fonts import Font
from ..text.scripts import ScriptFont, advice, script_of

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
