"""Filling in: the content of a text with marks in it, and the values of its holes → what is set."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .face import Piece, Words
from .holes import MARKS, NUMBER, RICH
from .markup import EMPTY, PLAIN, Node, assembled, empty, said, within

MARK = re.compile(f"([{MARKS[0]}-{MARKS[-1]}])")
_TAG = re.compile(r'<(/?)([a-z]+)(?: name="([^"]*)")?(/?)>')
_ENTITIES = {"&lt;": "<", "&gt;": ">", "&#34;": '"', "&#39;": "'", "&amp;": "&"}


def filled(node: Node, values: Sequence[str]) -> tuple[Piece, ...]:
    """The content of a text with its values; raises ValueError where one of them is no running text."""
    return assembled(_content(node, values, PLAIN))


def alone(value: str) -> tuple[Piece, ...]:
    """The content of a text that is nothing but this value."""
    return assembled(_value(value, PLAIN))


def _content(node: Node, values: Sequence[str], font: Words) -> Iterator[Piece]:
    for part in node.content:
        if isinstance(part, str):
            for piece in MARK.split(part):
                yield from _value(values[NUMBER[piece]] if piece in NUMBER else piece, font)
        elif part.tag in EMPTY:
            yield empty(part.tag, part.attributes.get("name", ""), font)
        else:
            yield from _content(part, values, within(part.tag, font))


def _value(value: str, font: Words) -> Iterator[Piece]:
    """A value where the text around it is set in this font."""
    if not value.startswith(RICH):
        yield said(value, font)
        return
    first, *parts = _TAG.split(value[1:])
    yield said(_plain(first), font)
    fonts, tags = [font], [""]
    for closes, tag, name, alone_, text in zip(*[iter(parts)] * 5, strict=True):
        if closes:
            if tags.pop() != tag:
                raise ValueError
            fonts.pop()
        elif alone_:
            yield empty(tag, name, fonts[-1])
        else:
            fonts.append(within(tag, fonts[-1]))
            tags.append(tag)
        yield said(_plain(text), fonts[-1])
    if len(tags) > 1:
        raise ValueError


def _plain(written: str) -> str:
    if "&" in written:
        for entity, letter in _ENTITIES.items():
            written = written.replace(entity, letter)
    return written
