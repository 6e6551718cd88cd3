"""The content of a `text` element → words and glyphs, white space collapsed as in HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from .markup import Node
from .nouns import Glyph, Piece, Words

_SPACE = re.compile(r"[ \t\r\n]+")


def pieces(node: Node) -> tuple[Piece, ...]:
    """What is set, in order. Neighbours in one font are one piece; no line begins or ends with a space."""
    made: list[Piece] = []
    for piece in _raw(node, Words("")):
        if isinstance(piece, Glyph):
            made.append(piece)
        else:
            _append(made, piece)
    _trim(made)
    return tuple(made)


def _raw(node: Node, font: Words) -> Iterator[Piece]:
    """Texts, glyphs and line breaks as they stand; a line break is the text "\\n", white space is spaces only."""
    for part in node.content:
        if isinstance(part, str):
            yield Words(_SPACE.sub(" ", part), font.bold, font.italic)
        elif part.tag == "br":
            yield Words("\n", font.bold, font.italic)
        elif part.tag == "icon":
            yield Glyph(part.attributes.get("name", ""))
        else:
            yield from _raw(part, replace(font, bold=True) if part.tag == "b" else replace(font, italic=True))


def _append(made: list[Piece], words: Words) -> None:
    if words.text == "\n":
        _trim(made)
    last = made[-1] if made else None
    before = last.text if isinstance(last, Words) else ""
    text = words.text
    if text != "\n" and text.startswith(" ") and (last is None or before.endswith((" ", "\n"))):
        text = text[1:]
    if text and isinstance(last, Words) and (last.bold, last.italic) == (words.bold, words.italic):
        made[-1] = Words(last.text + text, last.bold, last.italic)
    elif text:
        made.append(Words(text, words.bold, words.italic))


def _trim(made: list[Piece]) -> None:
    """Takes away the space at the end."""
    last = made[-1] if made else None
    if isinstance(last, Words) and last.text.endswith(" "):
        made[-1:] = [replace(last, text=last.text[:-1])] if last.text != " " else []
