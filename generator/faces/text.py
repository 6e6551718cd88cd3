"""The content of a `text` element → words and glyphs, white space collapsed as in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from .markup import Node
from .nouns import Glyph, Piece, Words

PLAIN = Words("")
EMPTY = ("icon", "br")
_SPACE = re.compile(r"[ \t\r\n]+")


def pieces(node: Node) -> tuple[Piece, ...]:
    """What is set, in order. Neighbours in one font are one piece; no line begins or ends with a space."""
    return assembled(_raw(node, PLAIN))


def assembled(raw: Iterable[Piece]) -> tuple[Piece, ...]:
    """Pieces as they stand → what is set."""
    made: list[Piece] = []
    for piece in raw:
        if isinstance(piece, Glyph):
            made.append(piece)
        elif piece.text:
            _append(made, piece)
    _trim(made)
    return tuple(made)


def _raw(node: Node, font: Words) -> Iterator[Piece]:
    for part in node.content:
        if isinstance(part, str):
            yield said(part, font)
        elif part.tag in EMPTY:
            yield empty(part.tag, part.attributes.get("name", ""), font)
        else:
            yield from _raw(part, within(part.tag, font))


# ---- pieces as they stand -----------------------------------------------------------------------------------------

def said(text: str, font: Words) -> Words:
    """A text in a font. White space is spaces only, so that nothing but a line break is the text "\\n"."""
    if "  " in text or not text.isprintable():
        text = _SPACE.sub(" ", text)
    return Words(text, font.bold, font.italic)


def within(tag: str, font: Words) -> Words:
    """The font inside `b` or `i`."""
    return font._replace(bold=True) if tag == "b" else font._replace(italic=True)


def empty(tag: str, name: str, font: Words) -> Piece:
    """An element that holds nothing: the icon of this name, or a line break."""
    return Glyph(name) if tag == "icon" else Words("\n", font.bold, font.italic)


# ---- putting together ---------------------------------------------------------------------------------------------

def _append(made: list[Piece], words: Words) -> None:
    text, bold, italic = words
    if text == "\n":
        _trim(made)
    last = made[-1] if made else None
    before = last.text if isinstance(last, Words) else ""
    if text[0] == " " and (last is None or before.endswith((" ", "\n"))):
        text = text[1:]
    if text and isinstance(last, Words) and last[1:] == (bold, italic):
        made[-1] = Words(last.text + text, bold, italic)
    elif text:
        made.append(Words(text, bold, italic))


def _trim(made: list[Piece]) -> None:
    """Takes away the space at the end."""
    last = made[-1] if made else None
    if isinstance(last, Words) and last.text.endswith(" "):
        made[-1:] = [last._replace(text=last.text[:-1])] if last.text != " " else []
